#!/bin/bash
# From a question to its answer without a program of one's own: the commands of docs/howto/earthquake.md, collapse-load.md and
# tilt-test.md as printed, and their answers compared with statics. Their pictures and films: test_pictures.sh.
# usage: tests/system/test_journeys.sh COMMAND
set -uo pipefail
source "$(dirname "$0")/checks.sh"
source "$(dirname "$0")/howto.sh"

holds() { # EXPRESSION WHERE: Python, with the rows of the table `rows` and the text of the reports `said`
    if "$python" -c "
import csv, math, os, re
said = open('out').read()
rows = list(csv.DictReader(open('$2'))) if os.path.exists('$2') else []
number = lambda key: [float(row[key]) for row in rows]
assert $1"; then ok; else bad "not true: $1 ($(head -c 400 out))"; fi
}

draw() { command -v gnuplot >/dev/null; }
# Without gnuplot the commands that need it are left out.
draw || plots='/^voussoir plot/d'

# ---- a column of seven drums under an accelerogram --------------------------------------------------------------

save earthquake
sed -i "${plots:-}; s/ --grid scale=0.4,0.6,0.8/ --grid scale=0.6,0.8 --jobs 2/" earthquake.sh # a run less
bash earthquake.sh >out 2>err && ok || bad "earthquake.md: $(head -c 300 err)"
# The motion of the ground by hand: drift is removed, so that the drums end near where they began; uplift shows as rotation.
holds '"600 samples from 0 to 5.99 s" in said and "baseline 0.0253 -0.00822 t m/s^2 removed" in said' -
holds 'rows[0]["outcome"] == rows[1]["outcome"] == "stands" and rows[1]["residual_body"].startswith("drum.")' intensity/runs.csv
holds 'number("residual_m")[0] < 1e-3 and number("residual_m")[1] < .05 < number("displacement_m")[1] and number("rotation_rad")[1] > .01' intensity/runs.csv
if draw; then grep -q '</svg>' column.svg && ok || bad "no plot of the column"; fi

# The run of the page, interrupted in the middle and resumed: the same bits, and a record that has changed is noticed.
"$command" run column.json --duration 1 --quiet --json >whole.json
"$command" run column.json --duration 0.5 --checkpoint c.ck --quiet >/dev/null
"$command" run column.json --duration 1 --checkpoint c.ck --resume --quiet --json >rest.json 2>err
"$python" -c 'import json; assert json.load(open("whole.json"))["hash"] == json.load(open("rest.json"))["hash"]' && [[ ! -s err ]] && ok ||
    bad "a resumed run has other bits: $(cat err)"
sed -i '5s/^ *[^ ]*/  1.0000000E-02/' quake.AT2
"$command" run column.json --duration 1 --checkpoint c.ck --resume --quiet >/dev/null 2>err
grep -q 'c.ck: gravity, loads, drives or motors were others' err && ok || bad "another record is not noticed: $(cat err)"

# ---- an arch loaded at the quarter point until it collapses ------------------------------------------------------

save collapse-load
sed -i "${plots:-}; /thickness/d" collapse-load.sh # the search for a thickness is one more of the kind
bash collapse-load.sh >out 2>err && ok || bad "collapse-load.md: $(head -c 300 err)"
# Limit analysis, a linear program, gives 3.0717 (docs/howto/collapse-load.md).
holds '(found := re.search(r"falls between factor = (\S+) and (\S+)", said)) and float(found[1]) < 3.0717 < float(found[2])' factor/runs.csv
holds '(end := re.search(r"stopped at (\S+) s of 4 s: stone5 falls", said)) and 3.07 < float(end[1]) < 4' -
if draw; then grep -q '</svg>' collapse.svg && ok || bad "no plot of the load"; fi

# ---- a wall with an opening, tilted until it falls ---------------------------------------------------------------

save tilt-test
sed -i '/^voussoir find .*\(mu\|arch\)/d; /^voussoir render/d' tilt-test.sh # the search for the tilt and the run of the fall
bash tilt-test.sh >out 2>err && ok || bad "tilt-test.md: $(head -c 300 err)"
# The piers turn about their toes at atan(1/2) = 26.565 degrees.
holds '(found := re.search(r"falls between tilt = (\S+) and (\S+)", said)) and float(found[1]) < 26.5651 < float(found[2])' tilt/runs.csv
holds 'os.path.exists("fall.h5")' tilt/runs.csv

echo "$checks checks, $failures failed"
exit $((failures > 0))
