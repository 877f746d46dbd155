#!/bin/bash
# voussoir export as a user meets it: XDMF and glTF by the extension, usage errors. The contents of the files are checked by
# tests/output; glTF's own validator runs in the viewer's tests.
# usage: tests/system/test_export.sh COMMAND
set -uo pipefail
source "$(dirname "$0")/checks.sh"

command=$1
cd "$work" || exit 1
"$command" run arch --duration 0.05 -o arch.h5 --quiet >/dev/null || bad "no run"

# run ARGUMENTS…: export
run() {
    "$command" export "$@" >"$work/out" 2>"$work/err"
    code=$?
}

"$command" export --help >out 2>err && grep -q '^examples' out && ok || bad "no help with examples"
expect 1 'give an input and an output file' arch.h5
expect 1 'a.glb: give one output file; quantities apply to CSV only' arch.h5 a.glb -o b.glb
expect 1 'only binary glTF is supported' arch.h5 a.gltf
expect 1 '--every applies to glTF and CSV only' arch.h5 a.xdmf --every 2
expect 1 'a.obj: unknown format; use the extension .xdmf .*, .glb .* or .csv' arch.h5 a.obj
expect 1 'a: unknown format' arch.h5 a
expect 1 'quantities apply to CSV only' arch.h5 a.glb kinetic
expect 1 'a.csv: give the quantities of its columns' arch.h5 a.csv
expect 1 "positon:#0: unknown quantity 'positon'; did you mean 'position'" arch.h5 a.csv positon:#0
expect 1 "position:#11: there is no body '#11'; they have no names, use #0 to #10" arch.h5 a.csv position:#11
ln -s arch.h5 same.csv
expect 1 'same.csv: .*arch.h5' arch.h5 same.csv kinetic
expect 2 'nothing.h5: does not exist' nothing.h5 a.glb
expect 2 'nowhere/a.glb: cannot be created' arch.h5 nowhere/a.glb
expect 0 '' arch.h5 view.xdmf
[[ -s view.xdmf && -s view.h5 ]] && ok || bad "XDMF was not written"
expect 0 '' arch.h5 -o all.glb
expect 0 '' arch.h5 some.glb --every 4
[[ $(head -c 4 all.glb) == glTF && $(stat -c %s some.glb) -lt $(stat -c %s all.glb) ]] && ok || bad "glTF is not what it should be"


# ---- histories: the supports of an arch carry its weight ------------------------------------------------------------

expect 0 '' arch.h5 -o all.csv position:#5 force:#4/#5 point:#4/#5 reaction:world kinetic
expect 0 '' arch.h5 some.csv kinetic --every 4
"$python" - <<'END' && ok || bad "the table is not what it should be"
import csv, sys
import h5py
rows = list(csv.DictReader(open("all.csv")))
with h5py.File("arch.h5") as f:
    t, x, m, k = f["time"][:], f["state/pose"][:], f["bodies/mass"][:].sum(), f["solver/kinetic"][:]
good = [float(r["time (s)"]) for r in rows] == list(t) and [float(r["kinetic (J)"]) for r in rows] == list(k)
good &= [float(r["position:#5.z (m)"]) for r in rows] == list(x[:, 5, 2])
good &= rows[0]["reaction:world.z (N)"] == ""  # unknown before the first step
# At rest: the energy error is 1e-6 of its reference, the force balance as good.
good &= all(abs(float(r["reaction:world.z (N)"]) - 9.81 * m) < 1e-4 * 9.81 * m for r in rows[1:])
# Half of the arch rests on the other half: stone 5 of 0 to 10 is the key stone, its left joint is on the left.
good &= all(float(r["force:#4/#5.x (N)"]) > 0 and float(r["point:#4/#5.x (m)"]) < 0 for r in rows[1:])
some = list(csv.reader(open("some.csv")))
good &= some[0] == ["time (s)", "kinetic (J)"] and len(some) == 1 + (len(t) - 1) // 4 + 1
sys.exit(not good)
END

echo "$checks checks, $failures failed"
exit $((failures > 0))
