#!/bin/bash
# voussoir-peer and voussoir-peer-scenes: names, one solve per peer checked by tools/check_solution.py, clear refusals,
# and scenes that come to rest. Peers that are not installed are skipped.
# usage: tests/system/test_peers.sh PEER SCENES TOOLS [DATA]      DATA: folder with problems/*.hdf5
set -uo pipefail
source "$(dirname "$0")/checks.sh"

peer=$1
scenes=$2
tools=$3
data=${4:-}/problems

# refuses PATTERN COMMAND…: exit code 2, one line on standard error that fits the pattern; if there is something on
# standard output, it says "unsupported"
refuses() {
    local pattern=$1
    shift
    "$@" >"$work/out" 2>"$work/err"
    local code=$?
    if [[ $code -eq 2 && $(wc -l <"$work/err") -eq 1 ]] && grep -Eq -- "$pattern" "$work/err" &&
        ! grep -qv '"status": "unsupported"' "$work/out"; then
        ok
    else
        bad "$*: exit code $code, $(head -c 300 "$work/out" "$work/err")"
    fi
}

# holds EXPRESSION: Python, true for the JSON object `a` in $work/out
holds() {
    if "$python" -c "import json, sys; a = json.load(open(sys.argv[1])); sys.exit(not ($1))" "$work/out"; then
        ok
    else
        bad "not true: $1 in $(head -c 600 "$work/out")"
    fi
}

# solves PEER MODEL TOLERANCE ALLOWED FILE: the impulses, checked by a tool that shares no code with the library, are
# within ALLOWED.
solves() {
    if "$peer" solve "$1" "$5" --model "$2" --tolerance "$3" --max-time 20 -o "$work/solved.hdf5" >"$work/out" 2>"$work/err" &&
        "$python" "$tools/check_solution.py" --model "$2" --tolerance "$4" "$work/solved.hdf5" >"$work/table"; then
        ok
    else
        bad "$1 on $(basename "$5"): $(cat "$work/out" "$work/err" "$work/table" | head -c 600)"
    fi
    holds "a['status'] == 'converged' and a['iterations'] > 0 and 0 < a['seconds'] < 20 and a['peer'] == '$1'"
}

# ---- problems -----------------------------------------------------------------------------------------------

refuses 'no peer .nobody.' "$peer" solve nobody file.hdf5
refuses '^voussoir-peer: usage' "$peer"
refuses '^voussoir-peer: usage' "$peer" solve
refuses '^voussoir-peer: usage' "$peer" solve cvxopt file.hdf5 --tolerance zero

"$peer" list >"$work/names" || bad "list: exit code $?"
has() { grep -qx "$1" "$work/names"; }
if has siconos-nsgs; then
    refuses 'another model; known to it: exact' "$peer" solve siconos-nsgs file.hdf5 --model relaxed
    refuses 'another model; known to it: relaxed' "$peer" solve siconos-ipm file.hdf5 --model exact
fi
if has cvxopt; then
    refuses 'another model; known to it: relaxed' "$peer" solve cvxopt file.hdf5 --model exact
fi
if [[ -d $data ]]; then
    local_problem=$data/NESpheres_30_1.hdf5
    global_problem=$data/Box_Stacks-i0122-82-5.hdf5
    if has siconos-nsgs; then
        for name in siconos-nsgs siconos-nsn-ac siconos-admm; do
            solves "$name" exact 1e-8 2e-8 "$local_problem"
            solves "$name" exact 1e-8 2e-8 "$global_problem"
        done
        solves siconos-admm relaxed 1e-8 2e-8 "$global_problem"
        refuses 'global form' "$peer" solve siconos-ipm "$local_problem" --model relaxed
        refuses 'global form' "$peer" solve siconos-admm "$local_problem" --model relaxed
        # A solver that does not converge is stopped; its impulses are kept.
        "$peer" solve siconos-nsgs "$data/RockPile_tob1.hdf5" --max-time 0.2 -o "$work/late.hdf5" >"$work/out" 2>"$work/err" ||
            bad "a late peer: exit code $?"
        holds "a['status'] == 'time_limit' and a['natural_map_relative'] > 0"
        if [[ -f $work/late.hdf5 ]]; then ok; else bad "a late peer leaves no file"; fi
    fi
    if has cvxopt; then
        # Its gap is an energy: 1e-8 of that may leave an error of 1e-4, its square root, in the impulses.
        solves cvxopt relaxed 1e-8 1e-4 "$data/GFC3D_Example1.hdf5"
        refuses 'unsymmetric' "$peer" solve cvxopt "$data/Capsules-i125-1213.hdf5" --model relaxed
    fi
fi

# ---- scenes -------------------------------------------------------------------------------------------------

refuses 'no engine .nobody.' "$scenes" nobody brick-wall
refuses '^usage' "$scenes" voussoir
refuses 'no parameter' "$scenes" voussoir brick-wall --set bricks=3
refuses 'joints' "$scenes" voussoir newton-cradle
"$scenes" list | cut -f 1 >"$work/engines"
while read -r engine; do
    # Equal cubes on top of each other rest in all of them; soft ones sink by millimetres, and not by a tenth of a cube.
    "$scenes" "$engine" mass-ratio --set ratio=1 --duration 1.5 --json >"$work/out" 2>"$work/err" ||
        bad "$engine: exit code $?: $(head -c 300 "$work/err")"
    holds "a['engine'] == '$engine' and a['steps_done'] == 300 and a['penetration_max'] < 0.02 and a['creep'] < 0.02"
    holds "abs(a['energy_change']) < 0.5 and a['ms_median'] > 0 and a['sampled'] > 40"
done <"$work/engines"
# voussoir compared with itself: v* is its own step up to rounding and the tolerance.
"$scenes" voussoir brick-wall --duration 0.2 --json >"$work/out"
holds "a['penetration_max'] < 1e-8 and a['creep'] < 1e-8 and a['step_error'] < 1e-6"

echo "$checks checks, $failures failed"
exit $((failures > 0))
