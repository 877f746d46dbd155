#!/bin/bash
# voussoir-mpi from the shell: the velocities of voussoir, what is wrong said once, and a rank that is killed.
# usage: tests/mpi/test_command.sh VOUSSOIR VOUSSOIR_MPI [DATA]       DATA: the folder of the public problems
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/ranks.sh"

alone=$1
several=$2
data=${3:-}
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# same A B: velocities of two files, or of all files of two folders, to 1e-8 of the largest; of problems in the local form
# those of the contacts, to 1e-8 of the largest there are without impulses
same() {
    "$python" - "$1" "$2" <<'END'
import pathlib
import sys
import h5py
import numpy as np
one, other = map(pathlib.Path, sys.argv[1:])
pairs = [(p, other / p.name) for p in sorted(one.iterdir())] if one.is_dir() else [(one, other)]
errors = []
for pair in pairs:
    a, b = (h5py.File(name) for name in pair)
    local = "fclib_local" in a
    x, y = (np.array(f["/solution/u" if local else "/solution/v"]) for f in (a, b))
    error = abs(x - y).max() / abs(np.array(a["/fclib_local/vectors/q"]) if local else x).max()
    if not error < 1e-8:
        print(f"{pair[0].name}: {error:.1e}", file=sys.stderr)
    errors.append(error)
print(f"largest difference {max(errors):.1e}")
sys.exit(not all(error < 1e-8 for error in errors))
END
}

# A problem of a simulation: balls that have fallen into a box.
(cd "$work" && "$alone" run balls-in-box --duration 0.3 --capture "every 60 steps" --quiet >/dev/null)
problem=$work/balls-in-box-000060.hdf5
verdict "a problem is captured" test -s "$problem"
"$alone" solve "$problem" --model relaxed --tolerance 1e-10 --output "$work/alone.hdf5" >/dev/null

for n in 1 2 3 4; do
    for how in ipm apgd; do
        [[ $how == apgd && $n != 3 ]] && continue
        ranks "$n" solve "$problem" --model relaxed --tolerance 1e-10 --method "$how" --output "$work/$n.hdf5" >"$work/report"
        verdict "$n ranks, $how: converged" test $? -eq 0
        verdict "$n ranks, $how: one report" test "$(grep -c 'tolerance met' "$work/report")" -eq 1
        verdict "$n ranks, $how: communication is told" grep -q 'exchanges of body velocities' "$work/report"
        verdict "$n ranks, $how: the same velocities" same "$work/alone.hdf5" "$work/$n.hdf5"
    done
done

# The default model, exact friction, which `solve` and `run` take without being asked.
"$alone" solve "$problem" --tolerance 1e-10 --output "$work/alone.hdf5" >/dev/null
for n in 1 2 3; do
    ranks "$n" solve "$problem" --tolerance 1e-10 --output "$work/$n.hdf5" >"$work/report"
    verdict "$n ranks, exact friction: converged" test $? -eq 0
    verdict "$n ranks, exact friction: the model is told" grep -q 'exact (Coulomb friction)' "$work/report"
    verdict "$n ranks, exact friction: the same velocities" same "$work/alone.hdf5" "$work/$n.hdf5"
done

# Problems of others' simulations, and piles: bodies, a mass matrix that is not in blocks, one that is unsymmetric, and
# the local form, symmetric and not; some have fewer bodies or contacts than there are ranks. To 1e-11: contacts that are
# redundant hand on some hundred times the error of a solve.
if [[ -d $data ]]; then
    files=()
    for name in piles/pile-00280 problems/Box_Stacks-i0122-82-5 problems/spheres-in-a-box-98-i10000-256-10 \
        problems/GFC3D_Example00 problems/GFC3D_TwoRods1 problems/GFC3D_OneContact problems/LMGC_GlobalFrictionContactProblem00046 \
        problems/Confeti-ex13-Fc3D-SBM problems/Capsules-i100-1090 problems/Rover4396; do
        files+=("$data/$name.hdf5")
    done
    "$alone" solve "${files[@]}" --model relaxed --tolerance 1e-11 --output "$work/one/" >/dev/null
    ranks 3 solve "${files[@]}" --tolerance 1e-8 >"$work/report"
    verdict "public problems, exact friction, 3 ranks: all converged" test $? -eq 0
    for n in 1 2 3 4; do
        ranks "$n" solve "${files[@]}" --model relaxed --tolerance 1e-11 --output "$work/$n/" >"$work/report"
        verdict "public problems, $n ranks: all converged" test $? -eq 0
        verdict "public problems, $n ranks: the same velocities" same "$work/one" "$work/$n"
    done
else
    echo "the folder of public problems is absent: they are not tested"
fi

# Help and messages name this command.
"$several" run --help >"$work/report"
verdict "help of run" grep -q '^usage: mpirun -np N voussoir-mpi run' "$work/report"
"$several" solve --help >"$work/report"
verdict "help of solve" grep -q '^usage: mpirun -np N voussoir-mpi solve' "$work/report"

# The options database chooses how Newton systems are solved.
ranks 2 solve "$problem" --model relaxed --tolerance 1e-8 -- -ksp_type cg -pc_type bjacobi -ksp_rtol 1e-10 >"$work/report"
verdict "PETSc's options: converged" test $? -eq 0

# What is wrong is said by one rank, with the exit code of the command.
ranks 3 solve "$work/none.hdf5" >/dev/null 2>"$work/error"
verdict "no such file: exit code" test $? -eq 2
verdict "no such file: said once" test "$(grep -c 'does not exist' "$work/error")" -eq 1
ranks 3 solve "$problem" --method admm >/dev/null 2>"$work/error"
verdict "a method that is not distributed: exit code" test $? -eq 1
verdict "a method that is not distributed: said once" test "$(grep -c 'distributed problems' "$work/error")" -eq 1

# What fails inside PETSc ends all ranks, with its text.
begin=$SECONDS
ranks 2 solve "$problem" --model relaxed -- -pc_type nonsense >/dev/null 2>"$work/error"
verdict "PETSc fails: exit code" test $? -eq 2
verdict "PETSc fails: why" grep -q 'PETSc failed on rank .*nonsense' "$work/error"
verdict "PETSc fails: not by the time limit" test $((SECONDS - begin)) -lt 30

# A rank is killed in mid-run: the job ends with a message, and no output is left.
ranks 3 solve "$problem" --model relaxed --method apgd --max-iterations 2000000000 --check-every 2000000000 \
    --output "$work/killed.hdf5" >/dev/null 2>"$work/error" &
job=$!
sleep 2
kill_a_rank $job
verdict "killed rank: the job fails" test $code -ne 0
verdict "killed rank: within 60 s, not by the time limit" test $((SECONDS - begin)) -lt 30
verdict "killed rank: a message" grep -qi 'killed' "$work/error"
verdict "killed rank: no output" test ! -e "$work/killed.hdf5"

echo "$checks checks, $failures failed"
exit $((failures > 0))
