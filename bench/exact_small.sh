#!/bin/bash
# exact_small.sh BUILD [CALLS]: instructions a call of the smallest exact problems, by valgrind's callgrind, against
# the bars. Instructions do not depend on the load of the machine; they do on the compiler and its options (Release).
# Columns: vs_solver_solve() alone, and together with vs_solver_update(). A call is the difference between CALLS and
# twice as many, so that the starting points' own solves and first touches do not count.
set -eu
build=$1
calls=${2:-200}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# run CALLS SCENE WHAT START FUNCTION...: instructions inside of the functions
run() {
    local toggles=() name
    for name in "${@:5}"; do
        toggles+=("--toggle-collect=$name")
    done
    if ! valgrind --tool=callgrind --callgrind-out-file="$scratch/out" "${toggles[@]}" \
        "$build/bench/exact_small" "$2" "$3" "$4" --calls "$1" >"$scratch/line" 2>"$scratch/log"; then
        cat "$scratch/log" >&2
        return 1
    fi
    awk '/^(summary|totals):/ { print $2; exit }' "$scratch/out"
}

# count SCENE WHAT START FUNCTION...: instructions a call
count() {
    local once twice
    once=$(run "$calls" "$@")
    twice=$(run $((2 * calls)) "$@")
    echo $(((twice - once) / calls))
}

echo "| problem | call | start | vs_solver_solve | + vs_solver_update | bar | |"
echo "|---|---|---|---|---|---|---|"
# The bars: of vs_solver_solve(); a time step pays for the update as well.
while read -r scene what start bar; do
    solve=$(count "$scene" "$what" "$start" vs_solver_solve)
    both="–"
    if [ "$what" = update ]; then
        both=$(count "$scene" "$what" "$start" vs_solver_solve vs_solver_update)
    fi
    verdict=met
    [ "$solve" -le "$bar" ] || verdict=missed
    echo "| $scene | $what | $start | $solve | $both | $bar | $verdict |"
done <<'BARS'
box solve cold 150000
box update cold 150000
box solve warm 60000
box update warm 60000
sphere solve cold 6000
sphere update cold 6000
sphere solve warm 6000
sphere update warm 6000
BARS
