#!/bin/bash
# voussoir compare as a user meets it: rows for everything that can happen to an entry, files, plots, interruption.
# usage: tests/system/test_compare.sh COMMAND
set -uo pipefail
source "$(dirname "$0")/checks.sh"

command=$1
export TMPDIR=$work
unset VOUSSOIR_PEER

# run ARGUMENTS…: compare. A missing gnuplot is not a failure; its message is checked below.
run() {
    "$command" compare "$@" >"$work/out" 2>"$work/all"
    code=$?
    grep -v 'gnuplot not found on PATH' "$work/all" >"$work/err"
}

# holds DIRECTORY EXPRESSION: Python, true for its results: `a` the JSON, `rows` the lines of CSV
holds() {
    if "$python" - "$1" "$2" <<'END'; then ok; else bad "$1: not true: $2"; fi
import csv, json, sys
a = json.load(open(sys.argv[1] + "/results.json"))
rows = list(csv.DictReader(open(sys.argv[1] + "/results.csv")))
sys.exit(not eval("(" + sys.argv[2] + ")"))
END
}

# ---- usage ------------------------------------------------------------------------------------------------------

expect 0 '' --help
if grep -q '^examples' "$work/out" && grep -q -- '--peers' "$work/out"; then ok; else bad "help without examples"; fi
expect 1 '^voussoir: compare: no problems given; '
expect 1 '^voussoir: compare: unknown option --method; did you mean --solvers\?' a.hdf5 --method ipm
expect 1 "^voussoir: --solvers: 'newton' is unknown; choose from: auto, ipm, cascade" a.hdf5 --solvers auto,newton --output "$work/u"
expect 1 "^voussoir: --tolerances: 'x' is not a list of numbers" a.hdf5 --tolerances 1e-4,x --output "$work/u"
expect 1 "^voussoir: --tolerances: '2' is not a list of numbers" a.hdf5 --tolerances 2 --output "$work/u"
expect 1 "^voussoir: --jobs: '0' is not a whole number" a.hdf5 --jobs 0
expect 1 "^voussoir: --model: 'convex' is unknown; " a.hdf5 --model convex
: >"$work/taken"
expect 2 "^voussoir: $work/taken: cannot create the directory: a file has this name; " a.hdf5 --output "$work/taken"
if "$command" doctor | grep -q 'FCLIB (HDF5): no'; then
    echo "$checks checks, $failures failed (a build without HDF5)"
    exit $((failures > 0))
fi
expect 2 "^voussoir: $work/none.hdf5: does not exist; check the path" "$work/none.hdf5" --output "$work/u"
mkdir "$work/empty"
expect 2 "^voussoir: $work/empty: contains no problem files; " "$work/empty" --output "$work/u"
PATH=/usr/bin:/bin expect 2 '^voussoir: compare: --peers needs the program voussoir-peer; ' a.hdf5 --peers --output "$work/u"
VOUSSOIR_PEER=$work/none expect 2 "^voussoir: $work/none: VOUSSOIR_PEER is not a program; " a.hdf5 --peers --output "$work/u"

# ---- a small grid -------------------------------------------------------------------------------------------------

# Mass points on a plane, pushed sideways, mu = 0.5: the same as in test_command.sh.
mkdir "$work/problems"
"$python" - "$work/problems" <<'END'
import h5py, numpy as np, sys

def matrix(group, A):
    rows, cols = A.shape
    i, j = np.nonzero(A)
    group["m"], group["n"], group["nz"], group["nzmax"] = ([np.int32(x)] for x in (rows, cols, len(i), len(i)))
    group["i"], group["p"], group["x"] = i.astype("i4"), j.astype("i4"), A[i, j]

for name, k in ("one", 1), ("two", 2), ("eight", 8):
    with h5py.File(f"{sys.argv[1]}/{name}.hdf5", "w") as f:
        g = f.create_group("fclib_global")
        g["spacedim"] = [np.int32(3)]
        matrix(g.create_group("M"), 2.0 * np.eye(3 * k))
        matrix(g.create_group("H"), np.eye(3 * k))
        g["vectors/f"] = np.concatenate([[-1.0, 0.1 * (i + 1), 0.0] for i in range(k)])
        g["vectors/w"] = np.zeros(3 * k)
        g["vectors/mu"] = np.full(k, 0.5)
END
r=$work/relaxed
expect 0 '' "$work/problems" --model relaxed --tolerances 1e-9,1e-4 --solvers auto,ipm --repeat 2 --output "$r"
if grep -Eq '^ipm +3/3 .* 3/3 ' "$work/out"; then ok; else bad "no table: $(head -c 400 "$work/out")"; fi
columns="file contacts rows solver model tolerance solved status iterations factorizations seconds prepare_seconds"
columns+=" energy_error_J energy_scale_J natural_map_relative fischer_burmeister natural message treatment"
holds "$r" "list(rows[0]) == '$columns'.split()"
holds "$r" 'len(rows) == len(a["rows"]) == 3 * 2 * 2 and [float(x["tolerance"]) for x in rows[:2]] == [1e-4, 1e-9]'
holds "$r" 'all(x["solved"] == "1" and x["status"] == "converged" for x in rows) and all(x["solved"] for x in a["rows"])'
holds "$r" 'all(0 < float(x["prepare_seconds"]) < float(x["seconds"]) and int(x["iterations"]) > 0 for x in rows)'
# The measures meet the requested tolerance, not only the status.
holds "$r" 'all(float(x["energy_error_J"]) <= float(x["tolerance"]) ** 2 * float(x["energy_scale_J"]) and
    float(x["natural_map_relative"]) <= float(x["tolerance"]) and float(x["fischer_burmeister"]) >= 0 for x in rows)'
holds "$r" '{(x["file"].split("/")[-1], x["contacts"], x["rows"]) for x in rows} ==
    {("one.hdf5", "1", "3"), ("two.hdf5", "2", "6"), ("eight.hdf5", "8", "24")}'
holds "$r" '{"voussoir", "command", "blas", "model", "criterion", "jobs", "repeat", "max_time_s", "interrupted", "scores",
    "rows"} <= set(a) and "--repeat 2" in a["command"] and not a["interrupted"] and a["repeat"] == 2'
holds "$r" '[(s["solver"], s["solved"], s["run"], s["common"]) for s in a["scores"]] ==
    [("auto", 3, 3, 3)] * 2 + [("ipm", 3, 3, 3)] * 2 and a["scores"][0]["ratio_to_first"] == 1'

# Solvers that were not made for the friction model are marked, with a footnote; with problems made for them they are not.
holds "$r" '{x["treatment"] for x in rows} == {"direct"}'
if grep -q 'ipm\*' "$work/out"; then bad "ipm is marked for the relaxed model"; else ok; fi
m=$work/marked
expect 0 '' "$work/problems" --tolerances 1e-4 --solvers auto,ipm,pivoting --histories 0 --output "$m"
holds "$m" '[x["treatment"] for x in rows[:3]] == ["direct", "fixed point", "boxes"] == [x["treatment"] for x in a["rows"][:3]]'
if grep -q '^ipm\* ' "$work/out" && grep -q '^pivoting+ ' "$work/out" && grep -q '^\* made for the convex models' "$work/out" &&
    grep -q '^+ not made for friction' "$work/out" && grep -q '+ not made for friction' "$m/report.html"; then ok; else bad "no marks: $(head -c 600 "$work/out")"; fi
expect 0 '' "$work/problems" --tolerances 1e-4 --model frictionless --solvers auto,pivoting --histories 0 --output "$m"
if grep -q '+' "$work/out"; then bad "pivoting is marked without friction"; else ok; fi

# Histories: each solver's own, and its results when stopped early, whose energy error never increases.
if "$python" - "$r/histories.csv" <<'END'; then ok; else bad "histories are wrong"; fi
import csv, sys, collections
runs = collections.defaultdict(list)
for x in csv.DictReader(open(sys.argv[1])):
    runs[x["file"], x["solver"], x["kind"]].append(x)
assert {k[1:] for k in runs} == {(s, k) for s in ("auto", "ipm") for k in ("iterate", "returned")}, set(runs)
for (_, _, kind), run in runs.items():
    steps = [int(x["iteration"]) for x in run]
    errors = [float(x["energy_error_J"]) for x in run]
    assert steps == sorted(set(steps)) and float(run[-1]["energy_scale_J"]) > 0
    if kind == "returned":
        assert steps[0] == 1 and errors == sorted(errors, reverse=True)
        assert all(float(x["fischer_burmeister"]) >= 0 and float(x["natural"]) >= 0 for x in run)
END

# The report is self-contained: nothing is fetched, no script is run, and it is well-formed as far as tags go.
if "$python" - "$r/report.html" <<'END'; then ok; else bad "the report is not self-contained"; fi
import html.parser, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
assert "http://" not in text and "https://" not in text and "<script" not in text and "@import" not in text
assert all(u.startswith("#") for u in re.findall(r"(?:href|src|url)\s*[=(]\s*['\"]?([^'\")\s>]+)", text))
assert "Comparison of contact solvers" in text and "prefers-color-scheme" in text and "BLAS" in text
ids = re.findall(r"\sid=['\"]([^'\"]+)", text)
class Parser(html.parser.HTMLParser):
    stack, void = [], {"meta", "br", "img", "link"}
    def handle_starttag(self, tag, attributes):
        self.stack += [] if tag in self.void else [tag]
    def handle_endtag(self, tag):
        if tag in ("tr", "td", "th", "dt", "dd", "p"):
            assert tag in self.stack, tag
            while self.stack[-1] != tag: self.stack.pop()
        assert self.stack.pop() == tag, tag
p = Parser()
p.feed(text)
assert not p.stack, p.stack
assert len(ids) == len(set(ids))
END

# Scripts and data are always written, drawings only with gnuplot.
for name in solved profile-1e-4 profile-1e-9 history-eight; do
    for ending in gp dat; do
        if [[ -s $r/plots/$name.$ending ]]; then ok; else bad "no plots/$name.$ending"; fi
    done
    if command -v gnuplot >/dev/null; then
        if grep -q '</svg>' "$r/plots/$name.svg" && [[ $(head -c 4 "$r/plots/$name.png" | tail -c 3) == PNG ]]; then
            ok
        else
            bad "no drawing $name: $(tail -3 "$r/plots/gnuplot.log")"
        fi
    fi
done
if command -v gnuplot >/dev/null; then
    if grep -q '<svg' "$r/report.html" && [[ ! -s $r/plots/gnuplot.log ]]; then ok; else bad "plots: $(cat "$r/plots/gnuplot.log")"; fi
fi
PATH=$work/empty "$command" compare "$work/problems/one.hdf5" --solvers auto --output "$work/bare" >"$work/out" 2>"$work/err"
if [[ $? -eq 0 && -s $work/bare/results.csv && -s $work/bare/report.html ]] &&
    grep -q 'gnuplot not found on PATH, no plots drawn; install it' "$work/err"; then
    ok
else
    bad "without gnuplot: $(head -c 300 "$work/err")"
fi

# Exact friction; an unsupported problem is a row, not an error. An unreadable file affects no other.
expect 0 '' "$work/problems" --histories 0 --tolerances 1e-8 --output "$work/exact"
holds "$work/exact" 'all(x["solved"] == "1" for x in rows if x["solver"] in ("auto", "cascade")) and not
    [x for x in rows if x["status"] in ("error", "crashed", "timeout")]'
if [[ -e $work/exact/histories.csv ]]; then bad "histories that nobody asked for"; else ok; fi
expect 0 '' "$work/problems/one.hdf5" --model relaxed --solvers auto,cascade --output "$work/convex"
holds "$work/convex" '{x["status"] for x in rows if x["solver"] == "cascade"} == {"unsupported"} and a["scores"][2]["solved"] == 0'
echo "this is no HDF5" >"$work/text.hdf5"
expect 2 "^voussoir: $work/text.hdf5: .*not an HDF5 file" "$work/text.hdf5" "$work/problems/two.hdf5" --solvers auto --output "$work/some"
holds "$work/some" 'len(rows) == 2 and all(x["solved"] == "1" for x in rows)'

# ---- peers: good, wrong, broken, hanging ones --------------------------------------------------------------------------

cat >"$work/voussoir-peer" <<END
#!/bin/bash
if [[ \$1 == list ]]; then printf '%s\n' good wrong crash hang unable silent; exit; fi
[[ \$1 == solve && \$4 == --tolerance && \$6 == --max-time && \$8 == --model && \${10} == -o ]] || exit 9
case \$2 in
good) "$command" solve "\$3" --tolerance "\$5" --max-time "\$7" --model "\$9" --output "\${11}" >/dev/null &&
    echo '{"iterations": 7, "seconds": 0.25, "status": "converged"}' ;;
wrong) "$command" solve "\$3" --tolerance 0.5 --max-iterations 1 --model "\$9" --output "\${11}" >/dev/null
    echo '{"iterations": 1, "seconds": 0.001, "status": "converged"}' ;;
crash) kill -SEGV \$\$ ;;
hang) sleep 98765.5 & sleep 98765.5 ;;
unable) echo '{"iterations": 0, "seconds": 0, "status": "unsupported", "message": "no joints"}' ;;
silent) echo "no licence" >&2; exit 4 ;;
esac
END
chmod +x "$work/voussoir-peer"
export VOUSSOIR_PEER=$work/voussoir-peer
p=$work/peers
start=$SECONDS
expect 0 '' "$work/problems/two.hdf5" --peers --solvers auto --tolerances 1e-8 --max-time 0.5 --jobs 2 --output "$p"
holds "$p" '[x["solver"] for x in rows] == ["auto", "good", "wrong", "crash", "hang", "unable", "silent"]'
holds "$p" '[x["solved"] for x in rows] == list("1100000")'
holds "$p" '[x["status"] for x in rows] == "converged converged converged crashed timeout unsupported error".split()'
holds "$p" 'rows[1]["iterations"] == "7" and float(rows[1]["seconds"]) == 0.25 and not rows[3]["seconds"]'
holds "$p" '"signal 11" in rows[3]["message"] and "killed after" in rows[4]["message"] and rows[5]["message"] == "no joints"
    and rows[6]["message"] == "no licence"'
# Killed with its children after twice the limit and five seconds; nothing is left behind.
if ((SECONDS - start < 30)); then ok; else bad "a hanging peer took $((SECONDS - start)) s"; fi
if pgrep -f 'sleep 98765.5' >/dev/null; then bad "a hanging peer was left behind"; else ok; fi
if compgen -G "$work/voussoir-compare-*" >/dev/null; then bad "temporary files were left behind"; else ok; fi
expect 0 '' "$work/problems/two.hdf5" --peers --solvers good,auto --tolerances 1e-4 --output "$p"
holds "$p" '[x["solver"] for x in rows] == ["good", "auto"]'
expect 1 "^voussoir: --solvers: 'bad' is unknown; choose from: auto, .*, good, wrong, crash" a.hdf5 --peers --solvers bad --output "$p"

# Ctrl-C while a peer hangs: ends soon, with the results so far. Python, because background jobs ignore interrupts.
"$python" - "$command" "$work" >"$work/out" 2>"$work/err" <<'END'
import signal, subprocess, sys, time
process = subprocess.Popen([sys.argv[1], "compare", sys.argv[2] + "/problems", "--peers", "--solvers", "auto,hang", "--tolerances",
                            "1e-6", "--max-time", "100", "--output", sys.argv[2] + "/cut", "--jobs", "1"],
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(2)
process.send_signal(signal.SIGINT)
sys.exit(process.wait(timeout=600))
END
code=$?
if [[ $code -eq 130 ]] && grep -q '^voussoir: interrupted; ' "$work/err"; then ok; else bad "Ctrl-C: exit code $code"; fi
holds "$work/cut" 'a["interrupted"] and [x["status"] for x in rows] == ["converged"] + ["interrupted"] * 5'
if pgrep -f 'sleep 98765.5' >/dev/null; then bad "Ctrl-C left a peer behind"; else ok; fi
unset VOUSSOIR_PEER

# ---- scenes -------------------------------------------------------------------------------------------------------------

if "$command" help | grep -q '^  run '; then
    expect 0 '' ball --steps 20 --solvers auto --tolerances 1e-8 --histories 0 --output "$work/scene"
    holds "$work/scene" 'len(rows) == 10 and all(x["solved"] == "1" for x in rows) and rows[0]["file"].endswith("ball-000002.hdf5")'
    expect 0 '' ball --steps 12 --capture 6 --solvers auto --tolerances 1e-8 --histories 0 --output "$work/scene"
    holds "$work/scene" '[x["file"][-11:-5] for x in rows] == ["000006", "000012"]'
    printf '{"voussoir": 1,\n "bodeis": []}\n' >"$work/wrong.json"
    expect 2 "^voussoir: $work/wrong.json: ?.*bodeis: unknown key" "$work/wrong.json" --output "$work/scene"
fi

# ---- the league of a collection -----------------------------------------------------------------------------------------

expect 2 "^voussoir: $work/problems/collection.csv: no line for .*; --league needs the directory of a collection" "$work/problems" --league --output "$work/u"
if "$command" help | grep -q '^  collect '; then
    "$command" collect --each 4 --only pile,cards --quiet --output "$work/collection" >"$work/out" || bad "collect: $(cat "$work/out")"
    expect 0 '' "$work/collection" --league --solvers auto,gauss-seidel --tolerances 1e-4,1e-6 --max-time 20 --histories 0 --output "$work/league"
    # The held-out names, by their SHA-256; both tolerances and solvers of each.
    "$python" - "$work" <<'END' && ok || bad "league: other problems than the held-out ones, or another page: $(head -c 300 "$work/league/league.html")"
import csv, hashlib, pathlib, re, sys
work = pathlib.Path(sys.argv[1])
names = [row["name"] for row in csv.DictReader(open(work / "collection/collection.csv"))]
held_out = {name for name in names if hashlib.sha256(name.encode()).hexdigest()[0] in "89abcdef"}
rows = list(csv.DictReader(open(work / "league/results.csv")))
page = (work / "league/league.html").read_text()
mark = hashlib.sha256((work / "collection/collection.csv").read_bytes()).hexdigest()[:16]
solved = sum(row["solved"] == "1" and row["solver"] == "auto" and float(row["tolerance"]) == 1e-6 for row in rows)
good = len(names) == 8 and {pathlib.Path(row["file"]).stem for row in rows} == held_out and len(rows) == 4 * len(held_out)
good = good and f"collection {mark}" in page and page.count("<polyline") == 4 and f">{solved}/{len(held_out)}<" in page
sys.exit(not (good and 0 < len(held_out) < 8 and not re.search(r'(src|href)="?http', page) and "<script" not in page))
END
fi

echo "$checks checks, $failures failed"
exit $((failures > 0))
