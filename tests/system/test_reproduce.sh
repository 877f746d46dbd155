#!/bin/bash
# voussoir reproduce as a user meets it: the list, usage errors, quick entries as text, JSON and figures.
# usage: tests/system/test_reproduce.sh COMMAND
set -uo pipefail
source "$(dirname "$0")/checks.sh"

command=$1
export TMPDIR=$work/tmp
mkdir "$TMPDIR"

# run ARGUMENTS…: reproduce. A missing gnuplot is not a failure.
run() {
    "$command" reproduce "$@" >"$work/out" 2>"$work/all"
    code=$?
    grep -v 'gnuplot not found on PATH' "$work/all" >"$work/err"
    if [[ $code -ne 0 ]]; then grep -E 'WORSE|worse' "$work/out" >&2; fi
}

shows() { if grep -Eq -- "$1" "$work/out"; then ok; else bad "the output has no line like '$1'"; fi; }

# holds EXPRESSION: Python, true for the JSON `a`; `rows` are those of all entries by their names
holds() {
    if "$python" - "$work/out" "$1" <<'END'; then ok; else bad "not true: $1"; fi
import json, sys
a = json.load(open(sys.argv[1]))
rows = {r["name"]: r for e in a["entries"] for r in e["rows"]} if isinstance(a, dict) else {}
sys.exit(not eval("(" + sys.argv[2] + ")"))
END
}

# ---- usage ------------------------------------------------------------------------------------------------------

expect 0 '' --help
shows '^examples'
expect 0 '' list
for id in mangoni-tasora-tab1 mangoni-tasora-tab2-ball mangoni-tasora-tab2-brick mangoni-tasora-tab2-balls mazhar-5.1 mazhar-5.2 mazhar-dynamics-ball mazhar-dynamics-box \
    mazhar-dynamics-incline-65 mazhar-dynamics-incline-25 fang-orders fang-block mangoni-thesis-tab5.3 mangoni-thesis-stack enzenhofer-case enzenhofer-fig5; do
    shows "^$id "
done
expect 0 ''
shows '^enzenhofer-case '
expect 0 '' list --json
holds "len(a) >= 16 and all(e['id'] and e['title'] and e['source'] and e['time'] for e in a)"
expect 1 "^voussoir: reproduce: unknown entry enzenhofer-cas; did you mean 'enzenhofer-case'\?" enzenhofer-cas
expect 1 "^voussoir: reproduce: unknown entry nonsense; 'voussoir reproduce list' lists them" nonsense
expect 1 '^voussoir: reproduce: unknown entry 00;' 00 # shortened at a dash only
expect 1 '^voussoir: reproduce: unknown option --ful; did you mean --full\?' enzenhofer-case --ful
expect 2 '^voussoir: .*cannot create the folder; check the path' enzenhofer-case --output "$work/no/such/folder"

# ---- the case study: both ways ------------------------------------------------------------------------------------

expect 0 '' enzenhofer-case
shows 'energy error of the printed x and w.* 0\.0496 +0\.0496 +same'
expect 0 '' enzenhofer-case --json
holds "a['exit_code'] == 0 and [e['id'] for e in a['entries']] == ['enzenhofer-case'] and a['entries'][0]['error'] is None"
# By hand, from the stated data: w1^2/(2a) + a x2^2/2.
holds "abs(rows['energy error of the initial iterate (J)']['our_value'] - 0.0200786) < 1e-6"
holds "abs(rows['initial iterate, x2 (N s)']['our_value'] + 0.0632125) < 1e-6"
holds "rows['initial iterate, x2 (N s)']['verdict'] == 'not comparable'"

# ---- warm start, and a comparison that fails -------------------------------------------------------------------------

# Published: 720 and 90 iterations.
expect 0 '' mangoni-tasora-tab2-ball --json
holds "rows['iterations of 100 solves to 6e-07, cold start']['our_value'] < 720"
holds "rows['iterations of 100 solves to 6e-07, full warm start']['our_value'] < 90"
holds "all(r['verdict'] in ('better', 'same', 'worse', 'not comparable') for r in rows.values())"
# The exit code follows from the verdicts.
"$command" reproduce enzenhofer-case mangoni-tasora-tab2-brick --json >"$work/out" 2>"$work/err"
code=$?
holds "a['exit_code'] == $code == (3 if any(r['verdict'] == 'worse' for r in rows.values()) else 0)"
holds "[e['id'] for e in a['entries']] == ['mangoni-tasora-tab2-brick', 'enzenhofer-case']"

# ---- figures ------------------------------------------------------------------------------------------------------

expect 0 '' mazhar-dynamics --output "$work/figures" --quiet # all that begin so
shows 'exact: start of rolling \(s\) +0\.2912 .* same'
for name in ball box incline-65 incline-25; do
    if [[ $(wc -l <"$work/figures/mazhar-dynamics-$name.csv") -gt 100 ]]; then ok; else bad "no data of $name"; fi
    if ! command -v gnuplot >/dev/null || [[ -s $work/figures/mazhar-dynamics-$name.png && -s $work/figures/mazhar-dynamics-$name.svg ]]; then
        ok
    else
        bad "$name is not drawn"
    fi
done
# Without gnuplot: a message, and the data is written nevertheless.
PATH=/nonexistent "$command" reproduce mazhar-dynamics-ball --output "$work/plain" >"$work/out" 2>"$work/err"
if [[ $? -eq 0 && -s $work/plain/mazhar-dynamics-ball.csv ]] && grep -q 'gnuplot not found on PATH' "$work/err"; then
    ok
else
    bad "without gnuplot: $(cat "$work/err")"
fi
if [[ -z $(ls "$TMPDIR") ]]; then ok; else bad "temporary files are left: $(ls "$TMPDIR")"; fi

echo "$checks checks, $failures failed"
[[ $failures -eq 0 ]]
