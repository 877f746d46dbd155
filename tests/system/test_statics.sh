#!/bin/bash
# voussoir statics and limit as a user meets them: verdicts with proofs, closed forms, ranges, the mechanism as a trajectory,
# and messages where there is no answer.
# usage: tests/system/test_statics.sh COMMAND
set -uo pipefail
source "$(dirname "$0")/checks.sh"

command=$1
cd "$work" || exit 2

said() { if grep -Eq -- "$1" out; then ok; else bad "not said: $1: $(head -c 900 out)"; fi; }

# holds EXPRESSION: Python, true for the JSON object `a` of the last answer
holds() {
    if "$python" -c "import json, math, sys; a = json.load(open('out')); sys.exit(not ($1))"; then ok; else bad "not true: $1 in $(head -c 900 out)"; fi
}

# ---- usage ------------------------------------------------------------------------------------------------------

expect 0 '' statics --help
said '^examples'
expect 0 '' limit --help
said '^examples'
expect 1 '^voussoir: statics: no scene given; ' statics
expect 1 '^voussoir: limit: no load given; for instance --load x' limit arch
expect 1 "^voussoir: statics: unexpected argument 'wall'; give one scene" statics arch wall
expect 1 "^voussoir: 'arhc' is neither a readable file nor a built-in scene; " statics arhc
expect 2 '^voussoir: none.json: cannot be opened; ' statics none.json
expect 1 "^voussoir: --load: 'up' is not x, y, " limit arch --load up
expect 1 "^voussoir: --load: there is no body 'key'; " limit arch --load key:0,0,-1
expect 1 "^voussoir: --range: 'a' is not A/B" statics arch --range a
expect 1 "^voussoir: --range: '#0/#5' names two bodies that do not meet; " statics arch --range '#0/#5'
expect 1 "^voussoir: --vary: 'thickness' is not NAME=FROM:TO; " statics arch --vary thickness
expect 2 '^voussoir: statics: the scene stands at thickness = 0.3 and stands at 0.2; give a range ' statics arch --vary thickness=0.3:0.2
expect 2 "^voussoir: statics: joint 0.* has a motor; " statics slider-crank

# ---- verdicts ---------------------------------------------------------------------------------------------------

expect 0 '' statics arch
said '^arch: stands$'
said '^  interfaces          12 of 1.44 m\^2, 48 contacts$'
expect 0 '' statics arch --json
# forces add up to the weight on the supports, and each is in its cone
holds 'a["verdict"] == "stands" and a["forces"]["holds"] and a["mechanism"] is None and a["blocks"] == 11'
holds 'abs(sum(f[2] for i in a["interfaces"] if i["a"] == "world" for f in i["forces_N"]) - a["weight_N"]) < 1e-9 * a["weight_N"]'
holds 'all((n := sum(p * q for p, q in zip(f, i["normal"]))) >= 0 and math.sqrt(max(0, sum(p * p for p in f) - n * n)) <= i["mu"] * n + 1e-9 * n for i in a["interfaces"] for f in i["forces_N"])'
expect 0 '' statics arch --set thickness=0.1 --interfaces
said '^arch: falls$'
said 'the joints allow it exactly'
expect 0 '' statics arch --set thickness=0.1 --json
holds 'a["verdict"] == "falls" and a["mechanism"]["holds"] and a["mechanism"]["exact"] and a["mechanism"]["power_W"] > 0 and len(a["mechanism"]["bodies"]) == 11'

# The law is checked without being asked: two stones wedged between walls have an equilibrium, and drop.
expect 0 '' statics arch
said 'exact law           stays at rest'
cat >wedged.json <<'END'
{"voussoir": 1, "materials": {"stone": {"mu": 5}}, "bodies": [
 {"name": "left", "position": [-1.25, 0, 0], "shape": {"kind": "box", "size": [0.5, 0.5, 0.6]}, "motion": "static"},
 {"name": "right", "position": [1.25, 0, 0], "shape": {"kind": "box", "size": [0.5, 0.5, 0.6]}, "motion": "kinematic", "drive": {"velocity": [0.0005, 0, 0]}},
 {"name": "a", "position": [-0.5, 0, 0.1], "shape": {"kind": "box", "size": [1.0, 0.5, 0.2]}},
 {"name": "b", "position": [0.5, 0, 0.1], "shape": {"kind": "box", "size": [1.0, 0.5, 0.2]}}]}
END
expect 2 "^voussoir: statics: body 'right' moves and carries blocks; .* --time 0 takes it at rest" statics wedged.json
expect 0 '' statics wedged.json --time 0
said '^wedged.json: stands$'
said 'exact law           moves from rest \(1 of free fall\): the equilibrium depends'

# The arch of 11 stones needs 0.1103604 m; tan(angle) = mu on a slope.
expect 3 '' statics arch --set mu=5 --vary thickness=0.3:0.05 --to 1e-9 --json
holds 'a["falls"] < .110360395 < a["stands"] and a["stands"] - a["falls"] < 1e-7'
expect 0 '' statics incline --vary angle=0:1 --to 1e-6 --json
holds 'a["stands"] < math.atan(.2) < a["falls"]'
# about half of the weight at each springing: where in the joint it acts is open
expect 0 '' statics arch --range 'world/#0' --json
holds '.4 * a["weight_N"] < a["ranges"][0]["least_N"] < a["weight_N"] / 2 < a["ranges"][0]["most_N"] < .6 * a["weight_N"]'
holds 'abs(a["ranges"][0]["least_N"] + a["ranges"][0]["most_N"] - a["weight_N"]) < 1e-6 * a["weight_N"]'

# ---- limits -----------------------------------------------------------------------------------------------------

# Out of its plane a wall 0.1 m thick and 0.35 m high is a block: b/h.
expect 0 '' limit brick-wall --load y --json
holds 'a["status"] == "found" and abs(a["factor"] - .1 / .35) < 1e-9 and a["lower"] <= a["factor"] <= a["upper"] + 1e-12 and a["upper"] - a["lower"] < 1e-9'
holds 'abs(a["tilt_rad"] - math.atan(.1 / .35)) < 1e-9'
expect 0 '' limit arch --load '#5:0,0,-1000' --interfaces
said '^arch: load factor '
expect 0 '' limit arch --load 0,0,-1
said 'carries the load with any factor'
expect 0 '' limit arch --set thickness=0.1 --load x
said 'falls without the load'
expect 0 '' limit arch --load x --gradient
expect 0 '' limit arch --load x --gradient --json
holds 'len(a["gradient"]["blocks"]) == a["blocks"] and abs(sum(b["density_relative"] for b in a["gradient"]["blocks"])) < 1e-6'
expect 0 '' limit brick-wall --set rows=2 --set columns=2 --load x --nonassociative --json
holds 'a["nonassociative_friction"]["factor"] <= a["upper"] * (1 + 1e-5) and a["nonassociative_dilatancy"]["law_error"] < 1e-3'

# ---- parts drawn in the coordinates of a building -------------------------------------------------------------------

# Tolerances are shares of a stone's size, wherever it was drawn: the same wall here and 100 km away.
for away in 0 1000 100000; do
    "$python" - "$away" >away.json <<'END'
import json, sys
d = float(sys.argv[1])
def brick(x, z, width, **more):
    points = [[d + x + i * width, d + j * .12, z + k * .1] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    return {"shape": {"kind": "hull", "points": points}, "density": 1800, **more}
rows = [brick(.25 * c + .125 * (r % 2), .1 * r, .25) for r in range(6) for c in range(4)]
print(json.dumps({"voussoir": 1, "materials": {"brick": {"mu": 0.6}},
                  "bodies": [brick(-1, -.1, 4, motion="static"), *rows], "output": {"duration": 0.1}}))
END
    expect 0 '' limit away.json --load y --json
    holds 'abs(a["factor"] - .12/.6) < 1e-8 * .2'
    expect 0 '' run away.json --quiet
    said 'outcome +stands: at rest'
done

# ---- the mechanism and the forces as trajectories ------------------------------------------------------------------------------

if "$command" statics --help | grep -q -- '--output'; then
    expect 0 '' statics arch --set thickness=0.1 -o fall.h5
    expect 0 '' export fall.h5 -o fall.glb
    [[ -s fall.glb ]] && ok || bad "no fall.glb"
    # Forces in equilibrium are the contacts of the file: the supports carry the weight.
    expect 0 '' statics arch --json -o stands.h5
    cp out answer
    expect 0 '' export stands.h5 forces.csv reaction:world force:#4/#5
    "$python" - <<'END' && ok || bad "the forces of stands.h5 are not those of the answer"
import csv, json, sys
answer = json.load(open("answer"))
row = next(iter(csv.DictReader(open("forces.csv"))))
column = lambda name: next(float(v) for k, v in row.items() if k.startswith(name))
joint = next(i for i in answer["interfaces"] if (i["a"], i["b"]) == ("#4", "#5"))
force = sum(f[0] for f in joint["forces_N"])
sys.exit(not (abs(column("reaction:world.z") - answer["weight_N"]) < 1e-9 * answer["weight_N"]
              and abs(column("force:#4/#5.x") - force) < 1e-9 * abs(force)))
END
    # The collapse begins with the forces of the limit, and then has none.
    expect 0 '' limit arch --load x -o collapse.h5
    expect 0 '' export collapse.h5 collapse.csv reaction:world.z
    [[ $(awk -F, 'NR > 1 && $NF != 0' collapse.csv | wc -l) -eq 1 ]] && ok || bad "forces of the limit: $(head -n 3 collapse.csv)"
    expect 2 '^voussoir: /none/stands.h5: ' statics arch -o /none/stands.h5
    expect 2 '^voussoir: /none/fall.h5: ' statics arch --set thickness=0.1 -o /none/fall.h5
fi

echo "$checks checks, $failures failed"
[[ $failures -eq 0 ]]
