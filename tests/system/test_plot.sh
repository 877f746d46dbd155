#!/bin/bash
# voussoir plot as a user meets it: figures of runs and of convergence, their data, usage errors. Without gnuplot only
# data and scripts are checked.
# usage: tests/system/test_plot.sh COMMAND
set -uo pipefail
source "$(dirname "$0")/checks.sh"

command=$1
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
cd "$work" || exit 1

# run ARGUMENTS…: plot
run() {
    "$command" plot "$@" >"$work/out" 2>"$work/err"
    code=$?
}

"$command" run balls-in-box --set count=27 --duration 0.5 -o balls.h5 --quiet --capture "every 100 steps" >/dev/null || bad "no run"
"$command" run four-bar --duration 0.2 -o four.h5 --quiet >/dev/null || bad "no run"

# ---- usage ----------------------------------------------------------------------------------------------------------

expect 0 '' --help
grep -q '^examples' out && ok || bad "no examples in the help"
expect 1 'give one trajectory'
expect 1 "unknown quantity enrgy; did you mean 'energy'\?" balls.h5 enrgy
expect 1 "position:#27: there is no body '#27'; they have no names, use #0 to #26" balls.h5 position:#27
expect 1 "position: needs an object; write position:BODY" balls.h5 position
expect 1 '--over position:#0: is a vector; add a component' balls.h5 energy --over position:#0
expect 1 "-o balls.pdf: use the extension .svg or .png" balls.h5 -o balls.pdf
expect 1 "'7' is not WIDTHxHEIGHT" balls.h5 --size 7
expect 2 'nothing.h5: does not exist' nothing.h5
expect 2 "is a contact problem, not a trajectory; 'info' shows it, 'solve' and 'plot --convergence' solve it" balls-000100.hdf5
expect 2 'balls.h5: ' balls.h5 --convergence

# ---- figures ----------------------------------------------------------------------------------------------------------

if ! command -v gnuplot >/dev/null; then
    expect 2 'gnuplot not found on PATH; install it' balls.h5
else
    expect 0 '' balls.h5
    grep -q 'balls.svg' out && ok || bad "the figure is not named"
    "$python" - <<'END' && ok || bad "the overview is not what it should be"
import sys, xml.etree.ElementTree as E
text = " ".join("".join(t.itertext()) for t in E.parse("balls.svg").iter("{http://www.w3.org/2000/svg}text"))
wanted = ["energy (J)", "momentum (kg m/s)", "contacts", "iterations", "relative error", "time (s)", "balls.h5"]
missing = [w for w in wanted if w not in text]
if missing: print("missing:", missing, file=sys.stderr)
sys.exit(len(missing) > 0)
END
    grep -q 'fill="#ffffff"\|fill = "#ffffff"\|fill="#FFFFFF"' balls.svg && ok || bad "the figure has no background"
    "$command" run ball --set speed=0 --duration 0.02 -o still.h5 --quiet >/dev/null
    expect 0 '' still.h5
    grep -q 'zero throughout' still.svg && bad "the overview has an empty panel" || ok
    expect 0 '' still.h5 drift
    grep -q 'zero throughout' still.svg && ok || bad "a panel that was asked for is missing"
    # The legend is beside the title where there is room, inside the panel where there is none.
    "$command" plot balls.h5 iterations --size 800x300 --keep wide -o w.svg >/dev/null && grep -q 'right bottom horizontal' wide/figure.gp && ok ||
        bad "the legend of a wide panel is not above it"
    "$command" plot balls.h5 iterations --size 300x300 --keep narrow -o n.svg >/dev/null && grep -q 'right top vertical' narrow/figure.gp && ok ||
        bad "title and legend of a narrow panel collide"
    expect 0 '' four.h5 drift time angular-momentum energy-error -o four.png --size 500x300
    "$python" - <<'END' && ok || bad "four.png is no picture of 1000 x 600"
import struct, sys
head = open("four.png", "rb").read(24)
sys.exit(head[1:4] != b"PNG" or struct.unpack(">II", head[16:]) != (1000, 600))
END
    expect 0 '' balls-000100.hdf5 --convergence -o c.svg
    grep -q 'the tolerance is met after' c.svg && ok || bad "the figure of convergence has no title"
    expect 0 '' balls-000100.hdf5 --convergence --method gauss-seidel --tolerance 1e-4 -o g.svg
    expect 2 'no/such/folder.svg: cannot be created: No such file' balls.h5 energy -o no/such/folder.svg
fi

# ---- numbers: momentum and balance as h5py and numpy see them ---------------------------------------------------------

"$command" plot balls.h5 momentum angular-momentum energy balance --keep kept -o kept.svg >/dev/null 2>&1
"$python" - <<'END' && ok || bad "the numbers are not those of the trajectory"
import sys
import h5py, numpy as np
blocks = [np.array([[float(x) for x in line.split()] for line in b.splitlines() if line[:1] not in "#"])
          for b in open("kept/figure.dat").read().strip().split("\n\n\n")]
with h5py.File("balls.h5") as f:
    t, m, I = f["time"][:], f["bodies/mass"][:], f["bodies/inertia"][:].reshape(-1, 3, 3)
    x, v = f["state/pose"][:], f["state/velocity"][:]
    total = f["solver/kinetic"][:] + f["solver/potential"][:]
    error = f["energy/discretization"][:]
p = np.einsum("b,tbi->ti", m, v[..., :3])
w, q = x[..., 3:4], x[..., 4:]
back = lambda u: u + 2 * np.cross(-q, np.cross(-q, u) + w * u)  # by the inverse rotation
turn = lambda u: u + 2 * np.cross(q, np.cross(q, u) + w * u)
spin = turn(np.einsum("bij,tbj->tbi", I, back(v[..., 3:])))
L = (np.cross(x[..., :3], m[:, None] * v[..., :3]) + spin).sum(1)
near = lambda block, value: np.allclose(block[:, 0], t, atol=1e-8) and np.allclose(block[:, 1], value, rtol=1e-7, atol=1e-7)  # 9 digits
good = all(near(blocks[i], p[:, i]) and near(blocks[3 + i], L[:, i]) for i in range(3))
good &= near(blocks[8], total - total[0])
# Work and dissipation alone, and all parts with their signs: together they are the change of energy.
good &= near(blocks[9], total - total[0] - error)
good &= len(blocks) == 12 and np.allclose(sum(b[:, 1] for b in blocks[10:]), total - total[0], rtol=1e-7, atol=1e-7)
sys.exit(not good)
END

# All terms of the balance at once, with a panel behind them: work, four kinds of dissipation and the discretization.
cp balls.h5 terms.h5
"$python" - <<'END'
import h5py
with h5py.File("terms.h5", "r+") as f:
    for k, name in enumerate(n for n in f["energy"] if n != "elastic"):
        f["energy"][name][:] = (k + 1) * f["time"][:]
END
"$command" plot terms.h5 balance contacts --keep terms -o terms.svg >/dev/null 2>&1
[[ $(grep -c '' <(grep -oE "work|friction|impacts|dampers|fracture|discretization" terms.svg | sort -u)) -eq 6 ]] &&
    ok || bad "not all terms of the balance are drawn"
"$command" plot four.h5 position:#1 speed:#1 torque:#0.y --over rotation:#0.y --keep histories -o h.svg >/dev/null 2>&1
"$python" - <<'END' && ok || bad "the histories are not those of the trajectory"
import sys
import h5py, numpy as np
text = open("histories/figure.dat").read()
blocks = [np.array([[float(x) for x in line.split()] for line in b.splitlines() if line[:1] not in "#"])
          for b in text.strip().split("\n\n\n")]
with h5py.File("four.h5") as f:
    x, v = f["state/pose"][:], f["state/velocity"][:]
# The crank turns about y: the angle of the quaternion since the first frame, over which all is drawn.
angle = 2 * np.unwrap(np.arctan2(x[:, 0, 5], x[:, 0, 3]), period=np.pi)
near = lambda a, b: np.allclose(a, b, rtol=1e-7, atol=1e-7)  # 9 digits
good = len(blocks) == 5 and all(near(b[:, 0], angle - angle[0]) for b in blocks)
good &= all(near(blocks[i][:, 1], x[:, 1, i]) for i in range(3)) and near(blocks[3][:, 1], np.linalg.norm(v[:, 1, :3], axis=1))
good &= np.isnan(blocks[4][0, 1]) and not np.isnan(blocks[4][1:, 1]).any() and "position:#1 (m)" in text
sys.exit(not good)
END
[[ -z $(ls "$TMPDIR") ]] && ok || bad "temporary files are left: $(ls "$TMPDIR")"

echo "$checks checks, $failures failed"
exit $((failures > 0))
