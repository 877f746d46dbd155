#!/bin/bash
# What voussoir run says: all errors of a scene, missing meshes, checkpoints that are too late, energies below the error,
# steps that are far slower than the others.
# usage: tests/system/test_messages.sh COMMAND
set -uo pipefail
source "$(dirname "$0")/checks.sh"

command=$1
cd "$work" || exit 1

# says CODE LINE…: exit code of the last command, and lines of standard error as patterns, in order, no others
says() {
    local code=$1 line=0
    shift
    [[ $last -eq $code ]] || { bad "exit code $last instead of $code: $(head -c 300 err)" && return; }
    [[ $(wc -l <err) -eq $# ]] || { bad "$(wc -l <err) lines instead of $#: $(head -c 600 err)" && return; }
    for pattern in "$@"; do
        line=$((line + 1))
        sed -n "${line}p" err | grep -Eq -- "$pattern" || { bad "line $line is not '$pattern': $(head -c 600 err)" && return; }
    done
    ok
}
run() {
    "$command" run "$@" >out 2>err
    last=$?
}

# ---- starter scenes: all kinds run as they are and meet the tolerance -------------------------------------------------

for kind in gate arch wall mechanism robot pile; do
    "$command" new my-$kind --kind $kind >out 2>err && grep -q "^  voussoir run my-$kind.json" out && ok || bad "no $kind: $(cat err)"
    run my-$kind.json --duration 0.2 --quiet
    [[ $last -eq 0 ]] && grep -q 'none: all steps met the tolerance' out && ok || bad "the $kind does not run: $(head -c 300 err)"
done
"$command" new other --kind tower >out 2>err
last=$?
says 1 "--kind: 'tower' is unknown; choose one of: gate, arch, wall"

# ---- scenes ------------------------------------------------------------------------------------------------------------

cat >many.json <<'END'
{"voussoir": 1, "grvity": [0, 0, -1],
 "bodies": [
  {"name": "a", "mass": -1, "shape": {"kind": "sphere", "radius": 1}},
  {"name": "b", "mass": 1, "shape": {"kind": "sphere", "radius": 1}},
  {"name": "c", "mass": 1, "shape": {"kind": "spher", "radius": 1}}],
 "joints": [{"kind": "revolute", "a": "a", "b": "b"}]}
END
run many.json
says 2 'many.json:1: grvity: unknown key.* \(and 2 more errors\)$' 'many.json:3: bodies\[0\].mass: must be positive' \
    "many.json:5: bodies\[2\].shape.kind: 'spher' is unknown"

# Joints that refer to a wrong body are not wrong themselves; without that body they are read.
sed -i '/grvity/s/, "grvity".*,$/,/; s/"mass": -1/"mass": 1/; s/spher"/sphere"/; s/"revolute"/"revolut"/' many.json
run many.json
says 2 "many.json:6: joints\[0\].kind: 'revolut' is unknown"

echo '{"voussoir": 1, "bodies": [{"mass": 1, "shape": {"kind": "file", "path": "nothing.obj"}}]}' >mesh.json
run mesh.json
says 2 '^voussoir: mesh.json:1: bodies\[0\].shape: nothing.obj: No such file or directory$'

# ---- runs --------------------------------------------------------------------------------------------------------------

run arch --duration 0.1 --checkpoint a.ck -o a.h5 --quiet
grep -q '^    dissipation       0 J dissipated$' out && ok || bad "an arch at rest dissipates: $(grep dissipation out)"
run arch --duration 0.05 --checkpoint a.ck --resume -o a.h5
says 1 'a.ck: is at 0.1 s, after the end at 0.05 s; give a longer --duration'

# No output replaces another one, or the scene.
run arch --duration 0.05 -o same.h5 --damage ./same.h5
says 1 '^voussoir: ./same.h5: two outputs have this name, and one would overwrite the other; use another name for one of them$'
run arch --duration 0.05 --checkpoint same.ck --damage same.ck
says 1 '^voussoir: same.ck: two outputs have this name'
run my-gate.json --duration 0.05 --damage my-gate.json
says 1 '^voussoir: my-gate.json: is an input, '

# Forces out of balance are those of each body: opposite motions do not cancel.
cat >apart.json <<'END'
{"voussoir": 1, "gravity": [0, 0, 0],
 "bodies": [
  {"name": "a", "mass": 2, "shape": {"kind": "sphere", "radius": 1}},
  {"name": "b", "mass": 2, "position": [5, 0, 0], "shape": {"kind": "sphere", "radius": 1}}],
 "loads": [{"body": "a", "force": [-7, 0, 0]}, {"body": "b", "force": [7, 0, 0]}],
 "solver": {"scheme": "quasi-static"}, "output": {"duration": 0.1}}
END
run apart.json --quiet
grep -q 'forces out of balance by at most 7 N (step 1)' out && ok || bad "opposite motions: $(grep balance out)"

# Terms of the energy balance below the error of steps that missed the tolerance, after two sweeps: it says so.
cat >jammed.json <<'END'
{"voussoir": 1, "bodies": [
  {"name": "floor", "motion": "static", "shape": {"kind": "plane"}},
  {"name": "bar", "density": 1000, "position": [0.2, 0, 0.03], "shape": {"kind": "box", "size": [1, 0.1, 0.1]}}],
 "joints": [{"kind": "revolute", "a": "floor", "b": "bar", "collide": true, "frame": {"position": [0, 0, 0], "axis": [0, 1, 0]}}],
 "solver": {"method": "gauss-seidel", "max_iterations": 2}, "output": {"duration": 0.1}}
END
run jammed.json --quiet
grep -Eq 'terms below the work error, [0-9.e-]+ J, are shown as 0, the largest has' out && ok || bad "hidden terms: $(grep -A4 '  energy' out)"

# A step in which the process is halted for a second takes far longer than the others.
"$command" run arch --duration 60 >out 2>err &
job=$!
for ((k = 0; k < 4; k++)); do
    sleep 0.4
    kill -STOP $job
    sleep 1.1
    kill -CONT $job
    sleep 0.1
    grep -q 'times the median' err && break
done
kill -TERM $job
wait $job 2>/dev/null
grep -Eq '^voussoir: step [0-9]+ took 1\.[0-9]+ s, [0-9]+ times the median of [0-9.]+ .s, ' err && ok ||
    bad "no word about a slow step: $(head -c 300 err)"

echo "$checks checks, $failures failed"
exit $((failures > 0))
