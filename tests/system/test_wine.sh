#!/bin/bash
# Windows: builds the library, the unit tests and the command by MinGW-w64 (Debian: gcc-mingw-w64-x86-64-posix, wine64), runs the
# tests in wine and the command as from a shell. The archives of the dependencies are in build/engines (tools/fetch_engines.sh).
# usage: tests/system/test_wine.sh [--command | --unit]     only the command, only the unit tests
#
# The last line is the number of tests: "N passed, N failed".
set -euo pipefail
cd "$(dirname "$0")/../.."
part=${1:-}
[[ -d build/engines ]] || tools/fetch_engines.sh build/engines
export VOUSSOIR_SOURCES=$PWD/build/engines WINEDEBUG=-all
PATH=$PATH:/usr/lib/wine
wine=$(command -v wine64 || command -v wine)
export LC_ALL=C.UTF-8 # wine hands names over in the encoding of the locale
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

build() {
    local targets=()
    if [[ $part == --command ]]; then targets=(--target voussoir_command test_path); fi
    { cmake --preset mingw -DVOUSSOIR_TESTS=ON && cmake --build --preset mingw "${targets[@]}"; } >"$work/build.log" 2>&1 ||
        { grep -E 'error|FAILED' -A 5 "$work/build.log" | head -n 60; exit 1; }
}

unit_tests() {
    ctest --test-dir build/mingw -j 2 --no-tests=error >"$work/ctest.log" 2>&1 || grep -E '\*\*\*|Failed|Timeout' "$work/ctest.log" || true
    local line all bad
    line=$(grep -E 'tests failed out of [0-9]+' "$work/ctest.log")
    bad=$(sed -E 's/.*, ([0-9]+) tests failed out of.*/\1/' <<<"$line")
    all=$(sed -E 's/.*out of ([0-9]+).*/\1/' <<<"$line")
    echo "unit tests: $((all - bad)) of $all"
    passed=$((passed + all - bad)) failed=$((failed + bad))
}

# run ARGUMENTS…: the command in the folder of this test; its output without carriage returns is in $work/out, errors in $work/err
run() {
    local code=0
    (cd "$work" && "$wine" "$command" "$@") >"$work/raw" 2>"$work/err.raw" || code=$?
    tr -d '\r' <"$work/raw" >"$work/out"
    tr -d '\r' <"$work/err.raw" >"$work/err"
    return "$code"
}

# check NAME CONDITION…
check() {
    local name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAILED: $name" >&2 && head -n 5 "$work/out" "$work/err" >&2; fi
}
says() { grep -qE "$1" "$work/out"; }
complains() { grep -qE "$1" "$work/err"; }
exists() { [[ -s $work/$1 ]]; }
absent() { ! compgen -G "$work/$1" >/dev/null; }

# The server of `view`: starts it, reads the page and a range of the trajectory, and stops it.
view_in_browser() {
    (cd "$work" && exec "$wine" "$command" view arch.h5 --no-open --viewer page) >"$work/address" 2>/dev/null &
    local server=$! address='' size
    for _ in $(seq 100); do
        address=$(tr -d '\r' <"$work/address" | sed -nE 's|.*(http://127\.0\.0\.1:[0-9]+/[0-9a-f]+/).*|\1|p')
        [[ -z $address ]] || break
        sleep 0.1
    done
    curl -s "$address" | cmp -s - "$work/page/index.html" && curl -s "${address}trajectory.h5" | cmp -s - "$work/arch.h5" &&
        size=$(curl -s -r 10-19 "${address}trajectory.h5" | wc -c) && [[ $size -eq 10 ]] &&
        [[ $(curl -s -o /dev/null -w '%{http_code}' "${address%/*/}/wrong/") == 403 ]]
    local code=$?
    kill "$server"
    wait "$server" 2>/dev/null || true
    return "$code"
}

# interrupted EVENT ARGUMENTS…: Ctrl-C, which wine makes of SIGINT, once EVENT has happened; true if the exit code is 130.
interrupted() {
    local event=$1 code=0
    shift
    (cd "$work" && exec "$wine" "$command" "$@") >"$work/out" 2>"$work/err" &
    local job=$!
    for _ in $(seq 1200); do
        ! $event && kill -0 "$job" 2>/dev/null || break
        sleep 0.1
    done
    kill -INT "$job"
    wait "$job" || code=$?
    [[ $code -eq 130 ]]
}

# The run ends after its step, says so, and its trajectory is whole.
shows_progress() { complains '% +step'; }
interrupted_run() { interrupted shows_progress run arch --duration 10000 -o long.h5 && run info long.h5 && says 'frames'; }

# A sweep ends its processes and keeps its results; the same command does the others.
has_results() { [[ -s $work/many/part-0-of-1.jsonl ]]; }
many=(sweep arch --set stones=9 --grid mu=0.3:0.8:40 --duration 0.1 --jobs 2 -o many)
interrupted_sweep() {
    interrupted has_results "${many[@]}" && complains 'interrupted; repeat the command' && no_process many
}
no_process() { ! pgrep -f "voussoir.exe sweep .*-o $1" >/dev/null; }
continued_sweep() {
    run "${many[@]}" && says '40 runs, 40 with results' && [[ $(sed -nE 's/^ +executed +([0-9]+) runs.*/\1/p' "$work/out") -lt 40 ]]
}

# How many lines a file has.
lines() { [[ $(wc -l <"$work/$1") -eq $2 ]]; }

# Commands that run many tasks in processes of their own.
tasks() {
    check "sweep" run sweep arch --set stones=9 --grid mu=0.2:0.8:6 --duration 0.2 --jobs 2 -o friction
    check "sweep: results" says '6 runs, 6 with results, 0 failed'
    check "sweep: table" lines friction/runs.csv 7
    check "sweep: binary table" run info friction/runs.h5
    check "sweep: nothing is left to do" run sweep arch --set stones=9 --grid mu=0.2:0.8:6 --duration 0.2 --jobs 2 -o friction
    check "sweep: nothing was repeated" says 'executed +none'
    check "sweep: other jobs" run sweep arch --set stones=9 --grid mu=0.2:0.8:6 --duration 0.2 --jobs 1 -o one
    check "sweep: same bits" cmp -s <(cut -d, -f1-13 "$work/friction/runs.csv") <(cut -d, -f1-13 "$work/one/runs.csv")
    check "sweep: another plan" another_plan
    check "sweep: a run that never ends" endless
    check "sweep: Unicode" run sweep Gewölbe/ö.json --grid /step=0.004,0.008 --duration 0.1 -o Gewölbe/石
    check "sweep: Unicode table" lines Gewölbe/石/runs.csv 3
    check "sweep: commands for other systems" run sweep arch --grid mu=0.2:0.8:6 --commands 2
    check "sweep: two commands" lines out 2
    check "sweep: Ctrl-C" interrupted_sweep
    check "sweep: continued" continued_sweep
    check "find" run find incline --vary angle=0:1 --to 0.05 --jobs 2 -o angle
    check "find: bracket" says 'falls between angle = 0.15 and 0.2$'
    check "find: trajectories" run info angle/trajectories/00000003.h5
    check "find: no change" no_change
    check "compare" run compare "$problem" --tolerances 1e-4 --solvers auto,gauss-seidel --max-time 60 --histories 1 -o solvers
    check "compare: solved" says '^auto +1/1'
    check "compare: table" lines solvers/results.csv 3
    check "compare: report" grep -q '</html>' "$work/solvers/report.html"
    check "compare: a scene" run compare arch --steps 10 --capture 5 --tolerances 1e-4 --solvers auto --max-time 60 --histories 0 -o captured
    check "compare: its problems" exists captured/problems/arch-000010.hdf5
    check "reproduce" run reproduce list
}
another_plan() { ! run sweep arch --set stones=9 --grid mu=0.2:0.8:7 --duration 0.2 -o friction && complains "contains a sweep with a different"; }
endless() {
    ! run sweep arch --set stones=9 --grid mu=0.5 --duration 1e6 --limit 3 -o endless && says 'timeout: killed after' && no_process endless
}
no_change() { ! run find incline --vary angle=0.5:1 --to 0.25 -o none && complains 'at both ends'; }

# What the command does on Windows: solve, run, info, scenes, convert, statics, limit, view, plot without gnuplot, export, new, doctor, sweep, find,
# compare.
the_command() {
    command=$PWD/build/mingw/app/voussoir.exe
    (cd "$work" && "$wine" "$OLDPWD/build/mingw/tests/base/test_path.exe") >"$work/out" 2>"$work/err" || true
    check "the library in a program without a manifest: names in UTF-8" complains 'PASSED +\] 3 test'
    check "version" run --version
    check "first steps" run
    check "unknown command" complains_usage
    check "scenes" run scenes
    check "scenes: arch" says '^arch '
    check "doctor" run doctor
    check "doctor: HDF5" says 'FCLIB \(HDF5\): yes'
    check "run" run run arch --set stones=17 --duration 0.5 -o arch.h5 --capture "every 60 steps" --json --quiet
    local hash
    hash=$(sed -nE 's/^ *"hash": "([0-9a-f]{16})".*/\1/p' "$work/out")
    check "run: trajectory" exists arch.h5
    check "run: nothing temporary is left" absent '*.voussoir-tmp*'
    check "run again" run run arch --set stones=17 --duration 0.5 -o arch.h5 --json --quiet
    check "run again: same bits" says "\"hash\": \"$hash\""
    check "run: checkpoint" run run arch --set stones=17 --duration 0.25 --checkpoint arch.ck --checkpoint-every 0.1 --quiet
    check "run: resume" run run arch --set stones=17 --duration 0.5 --checkpoint arch.ck --resume --json --quiet
    check "run: resume: same bits" says "\"hash\": \"$hash\""
    check "info" run info arch.h5
    check "info: frames" says 'frames'
    local problem
    problem=$(cd "$work" && ls arch-*.hdf5 | head -n 1)
    check "run: captured problem" exists "$problem"
    check "info of a problem" run info "$problem"
    check "solve" run solve "$problem"
    check "solve: solved" says 'solved'
    check "convert" run convert "$problem" half.hdf5 --mu 0.5
    check "solve what was converted" run solve half.hdf5 --tolerance 1e-10
    check "new" run new myscene
    check "new: it runs" run run myscene.json --duration 0.2 --quiet
    check "statics" run statics arch
    check "statics: verdict" says 'stands'
    check "limit" run limit arch --load x -o mechanism.h5
    check "limit: bounds" says 'factor'
    check "limit: mechanism" exists mechanism.h5
    check "export" run export arch.h5 position:#5.z -o arch.csv
    check "export: numbers" exists arch.csv
    if run plot arch.h5 -o arch.svg; then failed=$((failed + 1)) && echo "FAILED: plot without gnuplot" >&2; fi
    check "plot without gnuplot" complains 'gnuplot not found on PATH'
    check "Unicode: output" run run arch --duration 0.1 --quiet -o 'Brücke-石.h5'
    check "Unicode: its name" exists 'Brücke-石.h5'
    check "Unicode: input" run info 'Brücke-石.h5'
    check "Unicode: name in the output" says 'Brücke-石'
    mkdir -p "$work/Gewölbe" && cp "$work/myscene.json" "$work/Gewölbe/ö.json"
    check "Unicode: folder" run run Gewölbe/ö.json --duration 0.1 --quiet --json --checkpoint Gewölbe/ö.ck
    check "Unicode: checkpoint" exists Gewölbe/ö.ck
    check "Ctrl-C" interrupted_run
    tasks
    if run info missing.h5; then failed=$((failed + 1)) && echo "FAILED: a missing file" >&2; fi
    check "missing file" complains 'does not exist'
    mkdir -p "$work/page"
    echo '<p><!--TRAJECTORY--></p>' | tee "$work/page/index.html" >"$work/page/standalone.html"
    check "view: one page" run view arch.h5 --standalone arch.html --viewer page
    check "view: its trajectory" grep -q 'id="trajectory" data-name="arch.h5"' "$work/arch.html"
    check "view: server" view_in_browser
}
complains_usage() { ! run frobnicate && complains 'frobnicate'; }

build
if [[ $part != --command ]]; then unit_tests; fi
if [[ $part != --unit ]]; then the_command; fi
echo "$passed passed, $failed failed"
exit $((failed > 0))
