#!/bin/bash
# What only one rank has (a motor's limit, joint friction, a rolling contact) is known to all of them: none waits for another
# in vain.
# usage: tests/mpi/test_uneven.sh VOUSSOIR VOUSSOIR_MPI
set -uo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/ranks.sh"

several=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# scene JOINT ROLLING: an arm on a joint, one sphere and one box, metres apart
scene() {
    cat <<END
{"voussoir": 1, "materials": {"round": {"mu": 0.5, "rolling": $2}, "plain": {"mu": 0.5}},
 "bodies": [
  {"name": "floor", "motion": "static", "material": "plain", "shape": {"kind": "plane"}},
  {"name": "arm", "shape": {"kind": "box", "size": [0.4, 0.1, 0.1]}, "position": [0.2, 0, 1]},
  {"name": "ball", "material": "round", "shape": {"kind": "sphere", "radius": 0.1}, "position": [-3, 0, 0.1], "velocity": [0.3, 0, 0]},
  {"name": "box", "material": "plain", "shape": {"kind": "box", "size": [0.2, 0.2, 0.2]}, "position": [5, 0, 0.1]}],
 "joints": [{"kind": "revolute", "a": "world", "b": "arm", "frame": {"position": [0, 0, 1], "axis": [0, 1, 0]}$1}],
 "output": {"duration": 0.02}}
END
}

scene ', "motor": {"speed": 1, "limit": 2}' 0 >motor.json
scene ', "friction": 0.5' 0 >friction.json
scene '' 0.01 >rolling.json
for name in motor friction rolling; do
    for n in 2 3; do
        for model in relaxed exact; do
            ranks $n run $name.json --model $model --quiet >out 2>error
            verdict "$name on $n ranks, $model: ends" test $? -eq 0
            verdict "$name on $n ranks, $model: every step meets the tolerance" grep -q 'none: all steps met' out
        done
    done
done

echo "$checks checks, $failures failed"
exit $((failures > 0))
