#!/bin/bash
# voussoir-mpi run from the shell: a rank that is killed, resuming on fewer ranks and in one process, signals, messages.
# usage: tests/mpi/test_run.sh VOUSSOIR VOUSSOIR_MPI
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/ranks.sh"

alone=$1
several=$2
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# wait_for FILE: until it is there and not empty, as long as the job runs
wait_for() {
    while kill -0 "$job" 2>/dev/null; do
        [[ -s $1 ]] && return 0
        sleep .1
    done
    return 1
}

# same A B FIRST STEPS: poses and velocities of two trajectories over STEPS steps from frame FIRST on, to 1e-8 m and m/s;
# no step is missing
same() {
    "$python" - "$@" <<'END'
import sys
import h5py
import numpy as np
a, b = (h5py.File(name, "r") for name in sys.argv[1:3])
first, steps, step = int(sys.argv[3]), int(sys.argv[4]), 1 / 240
times = [np.array(f["time"]) for f in (a, b)]
complete = all(np.allclose(np.diff(t), step, rtol=0, atol=1e-9) and t[0] == 0 for t in times)
worst = [abs(np.array(a[f"state/{name}"][first:]) - np.array(b[f"state/{name}"][first:])).max() for name in ("pose", "velocity")]
print(f"{len(times[0])} and {len(times[1])} frames, complete: {complete}; from frame {first}: pose {worst[0]:.1e}, velocity {worst[1]:.1e}")
sys.exit(not (complete and len(times[0]) == len(times[1]) == first + steps + 1 and max(worst) < 1e-8))
END
}

# ---- a rank is killed in mid-run ----------------------------------------------------------------------------------

# A pile at rest, disturbed by nothing but what is left of the errors of the steps; to 1e-12.
pile=(sphere-pile --set levels=4 --model relaxed --tolerance 1e-12 --quiet)
ranks 3 run "${pile[@]}" --duration 1000 -o killed.h5 --checkpoint killed.ck --checkpoint-every 0.3 >out 2>error &
job=$!
verdict "a checkpoint is written" wait_for killed.ck
sleep 1
kill_a_rank $job
verdict "killed rank: the job fails" test $code -ne 0
verdict "killed rank: within 60 s" test $((SECONDS - begin)) -lt 60
verdict "killed rank: a message" grep -qi 'killed' error

# What is left can be read, and gone on from, by fewer ranks and by one process, to 100 steps later.
cp killed.h5 look.h5
verdict "killed rank: the trajectory can be read" "$alone" export look.h5 look.glb >/dev/null
read -r steps end < <("$python" -c '
import struct
time = struct.unpack_from("<d", open("killed.ck", "rb").read(), 40)[0]
print(round(240 * time), time + 100 / 240)')
cp killed.h5 alone.h5
cp killed.ck alone.ck
ranks 2 run "${pile[@]}" --duration "$end" -o killed.h5 --checkpoint killed.ck --resume >out 2>error
verdict "resumed on 2 ranks: every step met the tolerance" test $? -eq 0
"$alone" run "${pile[@]}" --duration "$end" -o alone.h5 --checkpoint alone.ck --resume >out
verdict "resumed in one process: every step met the tolerance" test $? -eq 0
"$alone" run "${pile[@]}" --duration "$end" -o whole.h5 >out
verdict "resumed on 2 ranks: the trajectory of a run that was not interrupted" same whole.h5 killed.h5 "$steps" 100
verdict "resumed in one process: the same" same whole.h5 alone.h5 "$steps" 100

# ---- the checkpoint of one process, on ranks ----------------------------------------------------------------------

# Balls that roll in a drum; contacts come and go.
drum=(rotating-drum --set count=30 --model relaxed --tolerance 1e-11 --quiet)
"$alone" run "${drum[@]}" --duration 0.1 -o drum.h5 --checkpoint drum.ck >out
ranks 2 run "${drum[@]}" --duration 0.15 -o drum.h5 --checkpoint drum.ck --resume >out 2>error
verdict "drum on 2 ranks: done" test $? -eq 0
"$alone" run "${drum[@]}" --duration 0.15 -o whole.h5 >out
verdict "drum on 2 ranks: the same" same whole.h5 drum.h5 24 12

# ---- a servo, whose force is that of contacts on all ranks ---------------------------------------------------------

cat >press.json <<'END'
{ "voussoir": 1, "solver": { "tolerance": 1e-12 }, "materials": { "ball": { "mu": 0.5 }, "plate": { "mu": 0.3 } },
  "pairs": [ { "between": [ "ball", "plate" ], "mu": 0.3, "stiffness": 1e5 } ],
  "bodies": [
    { "name": "plate", "motion": "kinematic", "material": "plate", "position": [0.5, 0, 0.1105],
      "shape": { "kind": "box", "half": [2, 0.2, 0.01] },
      "servo": { "direction": [0, 0, -1], "force": 50, "gain": 2.4e-5, "speed": 0.1 } },
    { "motion": "static", "material": "ball", "shape": { "kind": "plane" } },
    { "material": "ball", "position": [0, 0, 0.05], "shape": { "kind": "sphere", "radius": 0.05 },
      "array": { "count": [10, 1, 1], "spacing": [0.12, 1, 1] } } ] }
END
"$alone" run press.json --duration 0.625 -o whole.h5 --quiet >out
ranks 3 run press.json --duration 0.625 -o press.h5 --quiet >out 2>error
verdict "servo on 3 ranks: done" test $? -eq 0
verdict "servo on 3 ranks: the same" same whole.h5 press.h5 0 150
"$alone" export press.h5 press.csv reaction:plate.z
verdict "servo on 3 ranks: it presses" awk -F, 'END { exit !($2 < -45 && $2 > -50.1) }' press.csv

# ---- signals ------------------------------------------------------------------------------------------------------

# mpirun passes SIGUSR1 on, to end after the step with a checkpoint.
ranks 2 run "${pile[@]}" --duration 1000 --checkpoint signal.ck --checkpoint-every 0.1 >out 2>error &
job=$!
wait_for signal.ck
rm signal.ck
kill -USR1 "$(pgrep -P $job mpirun || echo $job)"
wait $job
verdict "signal: exit code" test $? -eq 130
verdict "signal: said" grep -q 'interrupted at .*resume with' error
verdict "signal: a report" grep -q 'sphere-pile: interrupted' out
verdict "signal: a checkpoint" test -s signal.ck

# ---- messages -----------------------------------------------------------------------------------------------------

# complains WHAT CODE TEXT ARGUMENTS…: said once, with the exit code
complains() {
    local what=$1 code=$2 text=$3
    shift 3
    ranks 2 "$@" >out 2>error
    verdict "$what: exit code" test $? -eq "$code"
    verdict "$what: said once" test "$(grep -c "$text" error)" -eq 1
}
complains "no such checkpoint" 2 'none.ck: does not exist' run sphere-pile --model relaxed --resume --checkpoint none.ck
complains "output that cannot be written" 2 'nowhere/out.h5' run sphere-pile --model relaxed -o nowhere/out.h5

echo "$checks checks, $failures failed"
exit $((failures > 0))
