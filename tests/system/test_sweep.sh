#!/bin/bash
# voussoir sweep as a user meets it: runs equal those of 'voussoir run' with the same parameters; crashes, time limits and
# invalid parameters are rows; nothing is repeated after kill -9; the table is the same for any number of processes,
# parts and schedulers.
# usage: tests/system/test_sweep.sh COMMAND [RUNS]      RUNS of the large sweep, default 1000
set -uo pipefail
source "$(dirname "$0")/checks.sh"

command=$1
runs=${2:-1000}
cd "$work" || exit 2
unset OMPI_COMM_WORLD_RANK PMI_RANK MV2_COMM_WORLD_RANK SLURM_PROCID

# run ARGUMENTS…: sweep
run() {
    "$command" sweep "$@" >"$work/out" 2>"$work/err"
    code=$?
}

# said PATTERN: on standard output
said() { if grep -Eq -- "$1" out; then ok; else bad "not said: $1: $(head -c 600 out)"; fi; }

# holds DIRECTORY EXPRESSION: Python, true for its table: `rows` of the CSV, `h` of the HDF5 (the same values, checked)
holds() {
    if "$python" - "$1" "$2" <<'END'; then ok; else bad "$1: not true: $2"; fi
import csv, os, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/runs.csv")))
if os.path.exists(sys.argv[1] + "/runs.h5"):
    import h5py, numpy
    h = h5py.File(sys.argv[1] + "/runs.h5")["runs"][:]
    assert len(h) == len(rows) and list(h.dtype.names) == list(rows[0])
    for name in h.dtype.names:
        for x, row in zip(h[name], rows):
            text = row[name]
            assert x.decode() == text if isinstance(x, bytes) else numpy.isnan(x) if text == "" else float(text) == x, (name, x, text)
column = lambda name: [float(r[name]) for r in rows]
sys.exit(not eval("(" + sys.argv[2] + ")"))
END
}

# Everything but the wall time is equal, bit for bit.
same() {
    if "$python" - "$1" "$2" <<'END'; then ok; else bad "$1 and $2 differ"; fi
import csv, sys
a, b = ([{k: v for k, v in r.items() if k != "wall_s"} for r in csv.DictReader(open(d + "/runs.csv"))] for d in sys.argv[1:])
sys.exit(a != b or not a)
END
}

# A puck that slides: cheap, with a named body and a joint, and numbers to vary that are not parameters.
cat >puck.json <<'END'
{"voussoir": 1, "parameters": {"mu": 0.4, "speed": 2},
 "materials": {"wood": {"mu": "$mu"}},
 "bodies": [
  {"name": "floor", "motion": "static", "shape": {"kind": "plane"}},
  {"name": "puck", "shape": {"kind": "sphere", "radius": 0.1}, "position": [0, 0, 0.1], "velocity": ["$speed", 0, 0]},
  {"name": "door", "shape": {"kind": "box", "size": [0.8, 0.04, 2]}, "position": [0, 5, 1.1]}],
 "joints": [{"name": "hinge", "kind": "revolute", "a": "world", "b": "door",
             "frame": {"position": [-0.4, 5, 1.1], "axis": [0, 0, 1]}}],
 "output": {"duration": 0.1}}
END

# ---- usage ------------------------------------------------------------------------------------------------------

expect 0 '' --help
said '^examples'
expect 1 '^voussoir: sweep: no scene given; '
expect 1 '^voussoir: sweep: no parameter varies; ' box
expect 1 "^voussoir: --grid: 'mu=1:2' is not NAME=FROM:TO:COUNT" box --grid mu=1:2
expect 1 "^voussoir: --grid: 'mu=0:2:3:log' is not" box --grid mu=0:2:3:log
expect 1 "^voussoir: --grid: 'mu=' is not" box --grid mu=
expect 1 "^voussoir: --sample: 'mu=gauss:0:1' is not NAME=uniform:FROM:TO" box --sample mu=gauss:0:1
expect 1 "^voussoir: --sample: 'mu=log:0:1' is not" box --sample mu=log:0:1
expect 1 '^voussoir: sweep: parameter mu is varied twice; ' box --grid mu=1,2 --sample mu=uniform:0:1
expect 1 '^voussoir: sweep: a parameter is both varied and set with --set; ' box --grid mu=1,2 --set mu=1
expect 1 "^voussoir: sweep: unknown option --grids; did you mean --grid\?" box --grids mu=1,2
expect 1 "^voussoir: sweep: scene box has no parameter 'sped'; did you mean speed" box --grid sped=1,2
expect 1 "^voussoir: sweep: puck.json:.*the scene has no parameter 'mo'" puck.json --grid mo=1,2 -o u
expect 1 "^voussoir: sweep: puck.json:1: '/materials/iron/mu' does not exist: there is no 'iron'" puck.json --grid /materials/iron/mu=1,2 -o u1
expect 1 "^voussoir: --quantity: the scene has no body or joint 'pack'" puck.json --grid mu=1,2 --quantity position:pack -o u2
expect 1 "^voussoir: --quantity: 'puck' is not position:BODY" puck.json --grid mu=1,2 --quantity puck
expect 2 '^voussoir: none.json: cannot read the file ' none.json --grid mu=1,2
expect 1 "^voussoir: --part: '4/4' is not K/N" box --grid mu=1,2 --part 4/4
expect 1 '^voussoir: sweep: --mpi: this process is not a rank; ' box --grid mu=1,2 --mpi
expect 1 '^voussoir: sweep: more than 50000000 runs; ' box --grid mu=0:1:1000000 --samples 1000
printf '{"voussoir": 1,\n "bodeis": []}\n' >wrong.json
expect 2 '^voussoir: sweep: wrong.json:2: bodeis: unknown key' wrong.json --grid /step=0.001,0.002 -o u3

# ---- grids ------------------------------------------------------------------------------------------------------

expect 0 '' puck.json --grid mu=0.1:0.9:5 --grid /bodies/1/position/0=1,2 --set speed=3 --quantity position:puck --quantity joint:hinge -o grid
said '^puck.json: 10 runs, 10 with results, 0 failed'
holds grid '[float(r["mu"]) for r in rows][::2] == [.1, .3, .5, .7, .9] and column("/bodies/1/position/0") == [1, 2] * 5'
holds grid 'all(r["status"] == "done" and r["exit_code"] == "0" and r["steps"] == "24" for r in rows)'
holds grid 'all(float(r["puck.position.x"]) > float(r["/bodies/1/position/0"]) + .2 for r in rows) and column("hinge.joint.rate") == [0] * 10'
# A run equals 'voussoir run' with these parameters, bit for bit.
"$command" run puck.json --set mu=0.5 --set /bodies/1/position/0=2 --set speed=3 --json --quiet >run.json
holds grid "rows[5]['hash'] == __import__('json').load(open('run.json'))['hash'] and len({r['hash'] for r in rows}) == 10"
expect 0 '' puck.json --grid mu=0.1:0.9:5 --grid /bodies/1/position/0=1,2 --set speed=3 --quantity position:puck --quantity joint:hinge -o grid
said 'none, all results existed'
expect 2 "^voussoir: grid: contains a sweep with a different 'varied'; " puck.json --grid mu=0.1:0.9:5 --set speed=3 -o grid
expect 0 '' puck.json --grid mu=1e-2:1:3:log --list
if [[ $(tail -n +2 out) == $'0,0,0.01\n1,0,0.1\n2,0,1' && ! -e sweep ]]; then ok; else bad "--list: $(cat out)"; fi
expect 0 '' puck.json --grid mu=0.2,0.4 --trajectories --frame 0.05 -o kept
if [[ ! -e kept/runs.h5 ]] || "$python" -c 'import h5py; assert len(h5py.File("kept/trajectories/00000001.h5")["time"]) == 3'; then
    ok
else
    bad "no trajectories"
fi

# how each run ended: stopped, who moved most; by friction 1 m/s * 0.1 s - mu g (0.1 s)^2 / 2 = 0.0804 m
sed 's/"output"/"stop": [{"when": "displacement", "body": "puck", "above": 0.15}], "output"/' puck.json >stops.json
expect 0 '' stops.json --grid speed=1,2 -o stops
holds stops '[r["status"] for r in rows] == ["done", "stopped"] and [r["stop"] for r in rows] == ["", "displacement of puck above 0.15 m"]'
holds stops 'all(r["outcome"] == "moving" and r["displacement_body"] == r["rotation_body"] == "puck" for r in rows[1:]) and
  .08 < column("displacement_m")[0] < .082 and .15 < column("displacement_m")[1] < .16'

# ---- samples: a function of the seed alone ------------------------------------------------------------------------

samples=(puck.json --sample mu=uniform:0.1:0.9 --sample speed=normal:2:0.1 --sample /bodies/1/shape/radius=log:0.05:0.2
    --sample /bodies/2/velocity/0=integer:1:3 --grid /step=0.004,0.008)
expect 1 "does not exist: there is no" "${samples[@]}" --samples 20 -o s1
sed -i 's/"position": \[0, 5, 1.1\]/"velocity": [0, 0, 0], &/' puck.json
expect 0 '' "${samples[@]}" --samples 20 -o s1 --jobs 1
expect 0 '' "${samples[@]}" --samples 20 -o s3 --jobs 3
same s1 s3
holds s1 'all(.1 <= x <= .9 for x in column("mu")) and all(.05 <= x <= .2 for x in column("/bodies/1/shape/radius")) and
    set(column("/bodies/2/velocity/0")) == {1, 2, 3} and len(set(column("mu"))) == 20 and 1.5 < min(column("speed")) < 2 < max(column("speed")) < 2.5'
holds s1 'column("mu")[::2] == column("mu")[1::2] and column("sample") == [k // 2 for k in range(40)]'
expect 0 '' "${samples[@]}" --samples 20 --seed 2 --list
if [[ $(cut -d, -f4 out) != $(cut -d, -f4 s1/runs.csv) ]]; then ok; else bad "another seed draws the same"; fi
# More samples: the existing ones stay and are not run again.
expect 0 '' "${samples[@]}" --samples 30 -o s3
said '^  executed +20 runs in '
holds s3 'len(rows) == 60'
cp s3/runs.csv more.csv
if diff <(head -41 more.csv | cut -d, -f1-14) <(cut -d, -f1-14 s1/runs.csv) >/dev/null; then ok; else bad "more samples changed the first ones"; fi
expect 2 "contains a sweep with a different 'samples'" "${samples[@]}" --samples 20 -o s3
# Moments of many draws: five standard deviations of their mean (0.2309 / sqrt 4000 and 0.1 / sqrt 4000).
"$command" sweep "${samples[@]}" --samples 4000 --seed 7 --list >many.csv
if "$python" - <<'END'; then ok; else bad "draws are not of their distributions"; fi
import csv
rows = list(csv.DictReader(open("many.csv")))[::2]
mean = lambda name: sum(float(r[name]) for r in rows) / len(rows)
spread = (sum((float(r["speed"]) - 2) ** 2 for r in rows) / len(rows)) ** .5
assert len(rows) == 4000 and abs(mean("mu") - .5) < 5 * .2309 / 4000 ** .5 and abs(mean("speed") - 2) < 5 * .1 / 4000 ** .5
assert abs(spread - .1) < 5 * .1 / 8000 ** .5
END
expect 0 'no parameter is random, so the 2 samples are equal' puck.json --grid mu=0.1:0.9:3 --samples 2 -o equal
holds equal 'len(rows) == 6 and [r["hash"] for r in rows[:3]] == [r["hash"] for r in rows[3:]]'

# ---- fragility: the curve is the most likely one --------------------------------------------------------------------

# A block slides where the tilt is above the angle of its friction, which is random.
cat >tilted.json <<'END'
{"voussoir": 1, "parameters": {"mu": 0.5, "slope": 0.5}, "materials": {"wood": {"mu": "$mu"}},
 "gravity": ["9.81*$slope", 0, -9.81],
 "bodies": [
  {"name": "floor", "motion": "static", "shape": {"kind": "plane"}},
  {"name": "block", "shape": {"kind": "box", "size": [1, 1, 0.2]}, "position": [0, 0, 0.1]}],
 "stop": [{"when": "displacement", "body": "block", "above": 1e-4}], "output": {"duration": 1}}
END
expect 1 "^voussoir: --fragility: parameter 'scale' does not vary; " tilted.json --grid slope=0.3:0.7:5 --fragility scale -o f0
expect 1 "^voussoir: sweep: --exceeds needs --fragility NAME" tilted.json --grid slope=0.3:0.7:5 --exceeds residual_m=1 -o f0
expect 1 "^voussoir: --exceeds: 'residual=1' is not displacement_m=VALUE" tilted.json --grid slope=1,2 --fragility slope --exceeds residual=1 -o f0
expect 1 "^voussoir: --fragility: slope = 0 is not positive; " tilted.json --grid slope=0,1 --fragility slope -o f1
tilts=(tilted.json --grid slope=0.2:0.8:7 --sample mu=normal:0.5:0.1 --samples 20 --fragility slope -o fragile)
expect 0 '' "${tilts[@]}"
said '^  fragility +[0-9]+ of 140 runs failed \(displaced or stopped\)'
holds fragile 'all((r["status"] == "stopped") == (float(r["slope"]) > float(r["mu"])) for r in rows)'
if "$python" - out <<'END'; then ok; else bad "the curve is not the most likely one: $(cat out)"; fi
import csv, re, sys
import numpy
from scipy.optimize import minimize
from scipy.stats import norm
rows = list(csv.DictReader(open("fragile/runs.csv")))
x = numpy.log([float(r["slope"]) for r in rows])
failed = numpy.array([r["status"] == "stopped" for r in rows])
loss = lambda p: -numpy.where(failed, norm.logcdf((x - p[0]) / p[1]), norm.logsf((x - p[0]) / p[1])).sum()
best = minimize(loss, [-.7, .2], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}).x
median, low, high, dispersion = map(float, re.search(r"median slope (\S+) \(95 %: (\S+) to (\S+)\), dispersion (\S+)", open(sys.argv[1]).read()).groups())
assert abs(median / numpy.exp(best[0]) - 1) < 1e-3 and abs(dispersion / best[1] - 1) < 5e-3 and low < median < high  # printed digits
groups = list(csv.DictReader(open("fragile/fragility.csv")))
assert [int(g["runs"]) for g in groups] == [20] * 7 and sum(int(g["failed"]) for g in groups) == failed.sum()
assert all(abs(float(g["curve"]) - norm.cdf((numpy.log(float(g["slope"])) - best[0]) / best[1])) < 1e-5 for g in groups)
assert all(float(g["share_low"]) <= float(g["share"]) <= float(g["share_high"]) for g in groups)
END
if [[ -s fragile/fragility.svg && -s fragile/fragility.png ]]; then ok; else bad "no plot of the fragility"; fi
# Another measure of damage: no run is repeated.
expect 0 '' "${tilts[@]}" --exceeds displacement_m=0.001
said 'none, all results existed'
said 'runs failed \(displacement_m above 0.001\)'
# Ground that moves farther than a brick is long does not make it fall; and a brick that slides off its place does.
cat >shaken.json <<'END'
{ "voussoir": 1, "parameters": { "speed": 1, "mu": 0.9 }, "materials": { "stone": { "mu": "$mu" } },
  "bodies": [
    { "name": "table", "motion": "kinematic", "shape": { "kind": "box", "size": [9, 9, 0.2] }, "position": [0, 0, -0.1],
      "drive": { "velocity": [ { "table": { "time": [0, 0.5, 1.5, 2], "value": [0, "$speed", "$speed", 0] } }, 0, 0 ] } },
    { "name": "brick", "density": 2000, "shape": { "kind": "box", "size": [0.25, 0.12, 0.06] }, "position": [0, 0, 0.03] } ],
  "stop": [ { "when": "falls" } ], "output": { "duration": 2.3 } }
END
expect 0 '' shaken.json --grid speed=0.5,1,2 --fragility speed -o shaken
said '^  fragility +0 of 3 runs failed'
holds shaken 'all(r["outcome"] == "stands" and float(r["displacement_m"]) < 1e-5 for r in rows)'
expect 0 '' shaken.json --grid speed=0.5,1,2 --set mu=0.05 --fragility speed -o slippery
said '^  fragility +2 of 3 runs failed'
expect 0 '' tilted.json --grid slope=0.4,0.6 --fragility slope -o step
said 'all from slope = 0.6, none up to 0.4: no dispersion to fit'
expect 0 '' tilted.json --grid slope=0.501,0.502 --duration 0.05 --fragility slope -o early
said '2 runs still moved at their end and count as not failed'
expect 0 '' tilted.json --grid slope=0.2,0.3 --fragility slope -o never
said 'no curve; use larger values of slope'

# ---- schedulers: parts make the same table --------------------------------------------------------------------------

"$command" sweep "${samples[@]}" --samples 20 -o 'with xargs' --commands 7 >lines
if [[ $(wc -l <lines) -eq 7 ]]; then ok; else bad "--commands: $(wc -l <lines) lines"; fi
xargs -P 3 -d '\n' -n 1 bash -c <lines >out 2>err || bad "xargs: $(head -3 err)"
said '40 runs, 40 with results'
same 'with xargs' s1
# Parts that begin and end together write the plan and the table one after the other, not at the same time.
for round in {1..20}; do
    rm -rf together
    "$command" sweep box --grid mu=0.1:0.2:16 -o together --commands 16 >lines
    xargs -P 16 -d '\n' -n 1 bash -c <lines >out 2>err || { bad "parts at the same time, round $round: $(head -1 err)"; break; }
done
said '16 runs, 16 with results'
if command -v parallel >/dev/null; then
    "$command" sweep "${samples[@]}" --samples 20 -o par --commands 5 | parallel -j 2 >out 2>err
    same par s1
fi
# An array job, task by task as Slurm starts them.
expect 0 '' "${samples[@]}" --samples 20 -o array --slurm 3
if bash -n array/sweep.sbatch && grep -q '^#SBATCH --array=0-2$' array/sweep.sbatch; then ok; else bad "array job: $(cat array/sweep.sbatch)"; fi
for task in 2 0 1; do SLURM_ARRAY_TASK_ID=$task SLURM_CPUS_PER_TASK=1 sh array/sweep.sbatch >out 2>err || bad "task $task: $(cat err)"; done
same array s1
# Ranks: by mpirun if installed, else with its environment variables.
if command -v mpirun >/dev/null; then
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -np 3 \
        "$command" sweep "${samples[@]}" --samples 20 -o ranks --mpi >out 2>err || bad "mpirun: $(head -5 err)"
else
    for rank in 0 1 2; do
        OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=3 "$command" sweep "${samples[@]}" --samples 20 -o ranks --mpi >out 2>err
    done
fi
if [[ $(ls ranks/part-*.jsonl | wc -l) -eq 3 ]]; then ok; else bad "ranks: $(ls ranks)"; fi
same ranks s1

# ---- failures ---------------------------------------------------------------------------------------------------------

# Bad parameters and a time limit; the rest has results.
printf 'mu,/output/duration\n0.5,0.05\n-1,0.05\n0.5,1e9\n0.4,0.05\n' >plan.csv
expect 3 '' puck.json --table plan.csv --limit 1.5 -o failing
said '^puck.json: 4 runs, 2 with results, 2 failed'
said 'run 1 \(mu=-1 .*\): error: puck.json:2: parameters.mu|run 1 \(mu=-1 .*\): error: puck.json:.*must be nonnegative'
said 'run 2 \(.*\): timeout: killed after 1\.[0-9]+ s'
holds failing '[r["status"] for r in rows] == ["done", "error", "timeout", "done"] and rows[1]["exit_code"] == "2" and rows[2]["energy_J"] == ""'
if grep -q '^-- run 2 (' failing/part-0-of-1.log; then ok; else bad "no log of failures"; fi
expect 3 '' puck.json --table plan.csv --limit 0.2 --retry -o failing
said '^  executed +2 runs in '
printf 'mu,speed\n0.5\n' >short.csv
expect 1 '^voussoir: short.csv:2: expected 2 numbers' puck.json --table short.csv

# A run that would never end dies with its sweep. (A zombie may wait for its new parent: Z.)
"$command" sweep puck.json --table plan.csv --jobs 1 --quiet -o orphan >out 2>err &
pid=$!
for _ in $(seq 100); do child=$(pgrep -P "$pid" -x 'sweep 2') && break; sleep 0.1; done
kill -9 "$pid"
wait "$pid" 2>/dev/null
for _ in $(seq 50); do state=$(sed 's/.*) //' "/proc/${child:-none}/stat" 2>/dev/null | cut -c1); [[ ${state:-Z} == Z ]] && break; sleep 0.1; done
if [[ -n $child && ${state:-Z} == Z ]]; then ok; else bad "run ${child:-that never began} outlives a killed sweep"; fi

# The large one: three runs never end and are killed from outside; then kill -9 hits the sweep itself, twice.
killed=(7 $((runs / 2)) $((runs - 3)))
"$python" - "$runs" "${killed[@]}" >large.csv <<'END'
import sys
count, *killed = map(int, sys.argv[1:])
print("mu,/output/duration")
for k in range(count):
    print(f"{.1 + .8 * k / count},{1e9 if k in killed else .05}")
END
large=(puck.json --table large.csv --jobs 2 --quantity position:puck --quiet -o large)
wait_for() { # LINES: until so many runs are in the journal
    for _ in $(seq 600); do
        [[ $(wc -l <large/part-0-of-1.jsonl 2>/dev/null || echo 0) -ge $1 ]] && return
        sleep 0.1
    done
    bad "no $1 runs after a minute"
}
hit() { # MEMBER SIGNAL: when it runs; until its end is in the journal, or it would begin again after the next kill
    for _ in $(seq 600); do
        pkill "-$2" -P "$pid" -x "sweep $1" && break
        sleep 0.1
    done
    for _ in $(seq 600); do
        grep -q "^{\"run\":$1,\"done\":false" large/part-0-of-1.jsonl 2>/dev/null && return
        sleep 0.1
    done
    bad "run $1 did not begin and end within two minutes"
}
begin=$SECONDS
"$command" sweep "${large[@]}" >out 2>err &
pid=$!
hit "${killed[0]}" KILL
wait_for $((runs / 8))
kill -9 "$pid"
wait "$pid" 2>/dev/null
first=$(grep -c '"done":true' large/part-0-of-1.jsonl)
if ((first > 0 && first < runs - 3)); then ok; else bad "the first run did $first of $runs"; fi
# An incomplete line is ignored.
printf '{"run":%d,"done":true,"status":"do' $((runs - 1)) >>large/part-0-of-1.jsonl
"$command" sweep "${large[@]}" >out 2>err &
pid=$!
hit "${killed[1]}" ABRT
wait_for $((runs * 5 / 8))
kill -9 "$pid"
wait "$pid" 2>/dev/null
"$command" sweep "${large[@]}" >out 2>err &
pid=$!
hit "${killed[2]}" TERM
wait "$pid"
code=$?
if [[ $code -eq 3 && ! -s err ]]; then ok; else bad "large sweep: exit code $code: $(head -c 300 err)"; fi
said "^puck.json: $runs runs, $((runs - 3)) with results, 3 failed"
for k in "${killed[@]}"; do said "run $k \(mu=.*\): crashed: the process "; done
holds large "len(rows) == $runs and [int(r['run']) for r in rows if r['status'] != 'done'] == [${killed[0]}, ${killed[1]}, ${killed[2]}] and
    {r['status'] for r in rows} == {'done', 'crashed'} and all(float(r['puck.position.x']) > 0 for r in rows if r['status'] == 'done')"
# Nothing was repeated: every run has one line.
lines=$(grep -c '"message"' large/part-0-of-1.jsonl)
if ((lines == runs)); then ok; else bad "$lines lines of $runs runs"; fi
echo "$runs runs in $((SECONDS - begin)) s"

# Ctrl-C ends soon with a table of the results so far; the same command continues.
"$python" - "$command" >out 2>err <<'END'
import pathlib, signal, subprocess, sys, time
process = subprocess.Popen([sys.argv[1], "sweep", "puck.json", "--table", "plan.csv", "--jobs", "1", "-o", "cut"],
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
journal = pathlib.Path("cut/part-0-of-1.jsonl")
while process.poll() is None and (not journal.exists() or journal.read_bytes().count(b"\n") < 2):
    time.sleep(.05) # the third run never ends
process.send_signal(signal.SIGINT)
sys.exit(process.wait(timeout=600))
END
code=$?
if [[ $code -eq 130 ]] && grep -q '^voussoir: interrupted; repeat the command to complete the missing runs' err; then ok; else bad "Ctrl-C: exit code $code"; fi
holds cut '[r["status"] for r in rows] == ["done", "error", "missing", "missing"]'
expect 3 '' puck.json --table plan.csv --jobs 1 --limit 0.5 -o cut
holds cut '[r["status"] for r in rows] == ["done", "error", "timeout", "done"]'

echo "$checks checks, $failures failed"
exit $((failures > 0))
