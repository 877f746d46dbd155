#!/bin/bash
# From a question to its answer without a program of one's own: the commands of docs/howto/earthquake.md, collapse-load.md and
# tilt-test.md as printed, and their answers compared with statics. Pictures are drawn if there are gnuplot, a browser and the
# built viewer (VOUSSOIR_VIEWER).
# usage: tests/system/test_journeys.sh COMMAND
set -uo pipefail
source "$(dirname "$0")/checks.sh"

command=$1
pages=$(cd "$(dirname "$0")/../../docs/howto" && pwd)
mkdir "$work/bin"
ln -s "$command" "$work/bin/voussoir"
export PATH=$work/bin:$PATH
cd "$work" || exit 2

# save PAGE: the scene of the page and its commands, as PAGE.sh: blocks of sh that CI runs, one after the other
save() {
    "$python" - "$pages/$1.md" "$1" <<'END'
import re, sys
text = open(sys.argv[1]).read()
name = re.search(r"`([\w-]+\.json)`:\n\n```json", text).group(1)
open(name, "w").write(re.search(r"```json\n(.*?)```", text, re.S).group(1))
blocks = re.findall(r"(\*Not run in CI:[^\n]*\*\n\n)?```sh\n(.*?)```", text, re.S)
open(sys.argv[2] + ".sh", "w").write("set -e\n" + "".join(block for skipped, block in blocks if not skipped))
END
}

holds() { # EXPRESSION WHERE: Python, with the rows of the table `rows` and the text of the reports `said`
    if "$python" -c "
import csv, math, os, re
said = open('out').read()
rows = list(csv.DictReader(open('$2'))) if os.path.exists('$2') else []
number = lambda key: [float(row[key]) for row in rows]
assert $1"; then ok; else bad "not true: $1 ($(head -c 400 out))"; fi
}

draw() { command -v gnuplot >/dev/null; }
film() { command -v "${CHROMIUM:-chromium}" >/dev/null && [[ -f ${VOUSSOIR_VIEWER:-none}/index.html ]]; }
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

# ---- pictures and a film ------------------------------------------------------------------------------------------

if film; then
    "$command" render collapse.h5 --time 3.66 --size 320x240 -o fall.png >out 2>err && [[ -s fall.png ]] && ok || bad "picture: $(cat err)"
    "$command" render collapse.h5 --frames --from 3.4 --rate 10 --size 320x240 -o film >out 2>err && [[ -s film/frame-000003.png ]] && ok ||
        bad "film: $(cat err)"
fi

echo "$checks checks, $failures failed"
exit $((failures > 0))
