#!/usr/bin/python3
"""size.py [--voussoir COMMAND] [--scenes NAME,…] [--sizes N,…] [--walls N,…] [--tolerance T] [--budget SECONDS] [--label NAME]
size.py --compare LABEL [LABEL] [--output FILE.md]

How does a step grow with the number of bodies? Moving scenes of 10^3 to 10^5 bodies and falling walls of 56 to 2000 bricks, and three
held-out scenes, by which nothing was tuned (size_scenes.py has them all). Of each, the first 100 steps, in motion, and the next 100, when
it settles (a drum, a hopper: when it flows), after 100 that are not measured, of ten sweeps each: contacts, sweeps, factorizations, times of steps, inaccurate steps and the largest error,
where the time went, peak memory; and the exponent p of mean time per step ~ bodies^p.

Times are processor times of one thread, which other programs change less than wall times. Every window is a process of its own. One that
takes longer than the budget (s of processor time) is stopped after its step, or killed within it if that takes as long again; its steps
are reported, and it is marked. With --label NAME results are kept in RESULTS/size-NAME.json, case by case, beside those of other cases;
--compare prints those of one or two labels. --output also writes the tables to a file, whose part from a line `## Notes` on is kept.
"""

import argparse
import csv
import datetime
import json
import math
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import size_scenes

HERE = pathlib.Path(__file__).resolve().parent
WINDOWS = ("motion", "settling")
LEAST = 10  # steps of a window from which an exponent is computed
SWEEPING = re.compile("sweeps|gauss-seidel")  # stages whose iterations are sweeps
TICKS = os.sysconf("SC_CLK_TCK")


# ---- one run ----------------------------------------------------------------------------------------------------------------------


def processor_time(pid):
    """s of a process that has not ended; None: it has."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] == "Z" else (int(fields[11]) + int(fields[12])) / TICKS


def watch(process, budget):
    """Waits for the end of a run and interrupts it after its budget, kills it after twice that. Its use of resources, and how it ended."""
    ended = "done"
    while (spent := processor_time(process.pid)) is not None:
        if spent > 2 * budget and ended == "interrupted":
            process.kill()
            ended = "killed"
        elif spent > budget and ended == "done":
            process.send_signal(signal.SIGINT)  # not SIGTERM, which METIS takes for a failure of its own
            ended = "interrupted"
        time.sleep(0.02)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage, ended


def read_log(folder, window):
    """Rows of the log; of a run that was killed they are in the file that would have got the name."""
    path = min(folder.glob(f"{window}.csv*"), default=None, key=lambda p: len(p.name))
    if path is None:
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["stages"] is not None]


def heed_interrupts():
    """In the background of a script SIGINT is ignored, and so it is by the children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(options, arguments, folder, budget):
    """A run of the command: its report, its use of resources, how it ended, and what it said."""
    command = [str(options.voussoir), "run", *arguments, "--quiet", "--json", "-o", "/dev/null"]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with open(folder / "report.json", "wb") as out, open(folder / "errors", "wb") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, env=environment, preexec_fn=heed_interrupts)
        usage, ended = watch(process, budget)
    said = (folder / "errors").read_text()
    if process.returncode not in (0, 3, 130, -signal.SIGKILL):
        sys.exit(f"size.py: {' '.join(command)}\n{said}")
    try:
        report = json.loads((folder / "report.json").read_text())
    except json.JSONDecodeError:
        report = {}  # killed
    return report, usage, ended, said.strip().splitlines() if ended == "done" else []


def run_window(options, arguments, step, window, folder):
    """The first steps, or those after as many that are not measured: of ten sweeps each, the same on every machine."""
    duration = options.steps * step
    measured = [*arguments, "--duration", f"{duration:.12g}"]
    prepared = None
    if window == "settling":
        kept = ["--checkpoint", str(folder / "begin.ck")]
        report, *_ = start(options, [*measured, *kept, "--max-time", "1us", "--tolerance", "1e-6"], folder, math.inf)
        prepared = report["hash"]
        measured = [*arguments, "--duration", f"{2 * duration:.12g}", *kept, "--resume"]
    begun, load_before = time.time(), os.getloadavg()[0]
    tolerance = ["--tolerance", options.tolerance] if options.tolerance else []
    report, usage, ended, said = start(options, [*measured, "--log", str(folder / f"{window}.csv"), *tolerance, *options.more], folder,
                                       options.budget)
    rows = read_log(folder, window)
    spent = usage.ru_utime + usage.ru_stime
    result = {"of": options.steps, "ended": ended, "budget_s": options.budget, "processor_s": spent, "wall_s": time.time() - begun,
              "load": load_before, "memory_MB": usage.ru_maxrss / 1024, "said": said[:3], "tolerance": report.get("tolerance"),
              "prepared": prepared, "hash": report.get("hash"), **measure(rows)}
    if ended == "killed":
        result["unfinished_s"] = spent - sum(float(row["processor (s)"]) for row in rows)
    return result


def run_case(options, name, size, folder):
    arguments, bodies = size_scenes.SCENES[name](size, folder / f"{name}-{size}.json")
    case = {"scene": name, "size": size, "bodies": bodies}
    for window in options.windows:
        case[window] = run_window(options, arguments, step_of(name), window, folder)
        show(case, window)
    return case


def step_of(name):
    return 1 / 240 if name in size_scenes.WALLS else size_scenes.STEP


def stage_totals(rows):
    """Iterations, factorizations and seconds of each stage."""
    totals = {}
    for row in rows:
        for entry in filter(None, row["stages"].split("; ")):
            name, *work = entry.split(" ")
            totals[name] = [a + float(b) for a, b in zip(totals.get(name, [0, 0, 0]), work)]
    return totals


def measure(rows):
    """What the steps of a window cost, per step."""
    steps = len(rows)
    if steps == 0:
        return {"steps": 0}
    stages = stage_totals(rows)
    times = [float(row["processor (s)"]) for row in rows]
    wall = sum(float(row["seconds_total (s)"]) for row in rows)
    parts = {part: sum(float(row[f"seconds_{part} (s)"]) for row in rows) / max(wall, 1e-9) for part in ("collide", "assemble", "solve")}
    median = statistics.median(times)
    return {
        "steps": steps, "contacts": sum(int(row["contacts"]) for row in rows) / steps, "active": sum(int(row["active"]) for row in rows) / steps,
        "sweeps": sum(work[0] for name, work in stages.items() if SWEEPING.search(name)) / steps,
        "factorizations": sum(int(row["factorizations"]) for row in rows) / steps,
        "mean_s": sum(times) / steps, "median_s": median, "worst_s": max(times), "slowest_step": int(rows[times.index(max(times))]["step"]),
        "inaccurate": sum(row["status"] != "converged" for row in rows),
        "error": max(max(float(row["relative_error"]), float(row["natural_map"])) for row in rows),
        "seconds": times,
        "shares": {**parts, "rest": 1 - sum(parts.values())},
        "stages": {name: {"iterations": work[0], "factorizations": work[1], "share": work[2] / max(wall, 1e-9)} for name, work in stages.items()},
    }


# ---- results by label ---------------------------------------------------------------------------------------------------------------


def describe_machine(voussoir):
    doctor = subprocess.run([str(voussoir), "doctor"], capture_output=True, text=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}).stdout
    blas = re.search(r"^BLAS\n +(.*)$", doctor, re.MULTILINE)
    machine = re.search(r"^machine\n +(.*?)[;\n]", doctor, re.MULTILINE)
    return {"blas": blas.group(1) if blas else "none", "machine": machine.group(1) if machine else "", "cores": os.cpu_count(),
            "voussoir": doctor.split("\n")[0], "date": datetime.date.today().isoformat()}


def result_path(options, label):
    return options.results / f"size-{label}.json"


def load(options, label):
    path = result_path(options, label)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"label": label, "cases": []}


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [float(f"{item:.3g}") if isinstance(item, float) else item for item in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def keep(options, case):
    """Replaces the windows of this scene and size."""
    if not options.label:
        return
    result = load(options, options.label)
    before = pick(result, case["scene"], case["size"])
    result.update(options.machine)
    result["cases"] = sorted([c for c in result["cases"] if c is not before] + [rounded({**(before or {}), **case})],
                             key=lambda c: (list(size_scenes.SCENES).index(c["scene"]), c["size"]))
    options.results.mkdir(parents=True, exist_ok=True)
    lines = ",\n  ".join(json.dumps(c, separators=(",", ":")) for c in result["cases"])
    head = json.dumps({name: value for name, value in result.items() if name != "cases"}, indent=1)[:-2]
    result_path(options, options.label).write_text(f'{head},\n "cases": [\n  {lines}\n ]\n}}\n', encoding="utf-8")


def pick(result, scene, size):
    return next((c for c in result["cases"] if c["scene"] == scene and c["size"] == size), None)


# ---- tables -------------------------------------------------------------------------------------------------------------------------


def milliseconds(seconds):
    return f"{1e3 * seconds:.3g}" if seconds < 1 else f"{1e3 * seconds:.0f}"


def percent(window):
    return "/".join(f"{100 * window['shares'][part]:.0f}" for part in ("collide", "assemble", "solve", "rest"))


def done(window):
    """How many steps, and if the budget ended within one, how long that had taken."""
    if window["steps"] == window["of"]:
        return str(window["steps"])
    cut = f"; the next one not in {window['unfinished_s']:.0f} s" if "unfinished_s" in window else ""
    return f"{window['steps']} of {window['of']}, not in {window['budget_s']:g} s{cut}"


# Title, and text of a window of a case.
COLUMNS = [
    ("steps", lambda c, w: done(w)),
    ("contacts", lambda c, w: f"{w['contacts']:.0f}"),
    ("per body", lambda c, w: f"{w['contacts'] / c['bodies']:.1f}"),
    ("sweeps", lambda c, w: f"{w['sweeps']:.0f}"),
    ("factorizations", lambda c, w: f"{w['factorizations']:.1f}"),
    ("mean, ms", lambda c, w: milliseconds(w["mean_s"])),
    ("median", lambda c, w: milliseconds(w["median_s"])),
    ("worst", lambda c, w: milliseconds(w["worst_s"])),
    ("worst / median", lambda c, w: f"{w['worst_s'] / max(w['median_s'], 1e-9):.0f}"),
    ("inaccurate", lambda c, w: str(w["inaccurate"])),
    ("largest error", lambda c, w: f"{w['error']:.0e}"),
    ("shares, %", lambda c, w: percent(w)),
    ("MB", lambda c, w: f"{w['memory_MB']:.0f}"),
]


def cell(text, cases, window):
    """The texts of one or two labels."""
    shown = []
    for case in cases:
        if case is None or window not in case:
            shown.append("–")
        elif case[window]["steps"] == 0:
            shown.append(done(case[window]) if text is COLUMNS[0][1] else "")
        else:
            shown.append(text(case, case[window]))
    return shown[0] if len(set(shown)) == 1 else " → ".join(shown)


def table(results, scenes):
    found = sorted({(list(scenes).index(c["scene"]), c["scene"], c["size"]) for r in results for c in r["cases"] if c["scene"] in scenes})
    if not found:
        return []
    more = [" mean of the same steps, ms |", "---|"] if len(results) > 1 else ["", ""]
    lines = ["| scene | bodies | |" + more[0] + "".join(f" {title} |" for title, _ in COLUMNS), "|---|---|---|" + more[1] + "---|" * len(COLUMNS)]
    for _, scene, size in found:
        cases = [pick(r, scene, size) for r in results]
        bodies = next(c for c in cases if c)["bodies"]
        for window in (w for w in WINDOWS if any(c and w in c for c in cases)):
            lines.append(f"| {scene} | {bodies} | {window} |" + same_steps(results, cases, window) + "".join(f" {cell(text, cases, window)} |" for _, text in COLUMNS))
    return lines


def exponent(points):
    """Slope of a line through logarithms, by least squares."""
    x, y = zip(*((math.log(bodies), math.log(seconds)) for bodies, seconds in points))
    mean_x, mean_y = statistics.mean(x), statistics.mean(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def growth(result, scene, window):
    """By the means of the steps that all sizes have done; "" if fewer than two sizes have LEAST of them."""
    ran = [c for c in result["cases"] if c["scene"] == scene and window in c and c[window]["steps"] >= LEAST]
    if len(ran) < 2:
        return ""
    steps = min(c[window]["steps"] for c in ran)
    points = [(c["bodies"], statistics.mean(c[window]["seconds"][:steps])) for c in ran]
    return f"{exponent(points):.2f} ({ran[0]['bodies']} to {ran[-1]['bodies']}, {steps} steps)"


def same_steps(results, cases, window):
    """Mean times over the first steps that both labels have done."""
    if len(results) < 2:
        return ""
    ran = [c[window] for c in cases if c and window in c]
    steps = min((w["steps"] for w in ran), default=0)
    if len(ran) < 2 or steps == 0:
        return " |"
    before, after = (statistics.mean(w["seconds"][:steps]) for w in ran)
    return f" {milliseconds(before)} → {milliseconds(after)}: {before / after:.1f} times ({steps} steps) |"


def growth_table(results):
    scenes = [s for s in size_scenes.SCENES if any(c["scene"] == s for r in results for c in r["cases"])]
    lines = ["| scene |" + "".join(f" {window} |" for window in WINDOWS), "|---|" + "---|" * len(WINDOWS)]
    for scene in scenes:
        texts = [" → ".join(growth(r, scene, window) or "–" for r in results) for window in WINDOWS]
        lines.append(f"| {scene}{' (held out)' if scene in size_scenes.HELD_OUT else ''} |" + "".join(f" {text} |" for text in texts))
    return lines


def describe(result):
    windows = [c[window] for c in result["cases"] for window in WINDOWS if window in c]
    loads = [w["load"] for w in windows]
    tolerances = ", ".join(sorted({f"{w['tolerance']:g}" for w in windows if w["tolerance"]})) or "default"
    return (f"* {result['label']}: {result.get('date')}, {result.get('voussoir')}, {result.get('blas')}, {result.get('machine')}, load "
            f"{min(loads):.1f} to {max(loads):.1f}, tolerance {tolerances}")


def page(results):
    parts = [["# Growth of steps with the number of bodies", "", f"`bench/size.py`{', ' + ' → '.join(r['label'] for r in results) if results else ''}. "
              "Contacts, sweeps and factorizations are means over the steps of a window; times are processor times of a step; shares are those of",
              "collide, assemble, solve and the rest of the wall time. Errors: the larger of the relative error and the natural map.", ""],
             [describe(r) for r in results if r["cases"]] + [""]]
    for title, scenes in (("Scenes", size_scenes.TUNED), ("Falling walls", size_scenes.WALLS), ("Held out", size_scenes.HELD_OUT)):
        lines = table(results, scenes)
        parts.append([f"## {title}", "", *lines, ""] if lines else [])
    parts.append(["## Growth", "", "Exponent p of mean time per step ~ bodies^p by least squares, over the first steps that all of these sizes have done.", "",
                  *growth_table(results)])
    return "\n".join(line for part in parts for line in part) + "\n"


def publish(options, results):
    text = page(results)
    print(text)
    if options.output:
        notes = ""
        if options.output.exists():
            at = options.output.read_text(encoding="utf-8").find("\n## Notes\n")
            notes = options.output.read_text(encoding="utf-8")[at:] if at >= 0 else ""
        options.output.write_text(text + notes, encoding="utf-8")


def show(case, window):
    """A line when it is known."""
    texts = (f"{title} {cell(text, [case], window)}" for title, text in COLUMNS)
    print(f"{case['scene']} {case['bodies']} {window}: " + ", ".join(texts), flush=True)


# ---- command line ---------------------------------------------------------------------------------------------------------------------


def numbers(text):
    return [int(float(word)) for word in text.split(",") if word]


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--voussoir", default="voussoir", help="the command, of a Release build")
    parser.add_argument("--scenes", default=",".join(size_scenes.SCENES), help="default: all, %(default)s")
    parser.add_argument("--sizes", type=numbers, default=numbers("1000,3000,10000,30000,100000"), help="bodies of scenes that are no walls")
    parser.add_argument("--walls", type=numbers, default=numbers("56,128,511,2000"), help="bricks")
    parser.add_argument("--windows", type=lambda text: text.split(","), default=list(WINDOWS), help="default: motion,settling")
    parser.add_argument("--steps", type=int, default=100, help="of a window; default: 100")
    parser.add_argument("--tolerance", help="of a step; default: that of the command")
    parser.add_argument("--budget", type=float, default=120, help="s of processor time per window; default: 120")
    parser.add_argument("--label", help="keep the results under this name")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results", help="folder of labelled results")
    parser.add_argument("--compare", nargs="+", metavar="LABEL", help="print kept results of one or two labels; nothing is run")
    parser.add_argument("--output", type=pathlib.Path, help="Markdown file to write")
    parser.add_argument("--more", type=str.split, default=[], help="further options of 'voussoir run', in one word")
    options = parser.parse_args()
    unknown = [s for s in options.scenes.split(",") if s not in size_scenes.SCENES]
    if unknown:
        parser.error(f"unknown scene {unknown[0]}; known are: {', '.join(size_scenes.SCENES)}")
    if set(options.windows) - set(WINDOWS):
        parser.error(f"--windows: known are {', '.join(WINDOWS)}")
    if options.compare and len(options.compare) > 2:
        parser.error("--compare takes one or two labels")
    return options


def main():
    options = read_options()
    if options.compare:
        results = [load(options, label) for label in options.compare]
        for result in results:
            if not result["cases"]:
                sys.exit(f"size.py: {result_path(options, result['label'])}: no results")
        publish(options, results)
        return
    options.machine = describe_machine(options.voussoir)
    print(f"{options.machine['blas']}; {options.machine['cores']} cores, load {os.getloadavg()[0]:.1f}; {options.machine['voussoir']}", flush=True)
    print("held out: " + ", ".join(size_scenes.HELD_OUT), flush=True)
    run = {"label": options.label or "this run", **options.machine, "cases": []}
    # Small ones first: something of each scene is known early.
    chosen = options.scenes.split(",")
    cases = sorted((size, scene) for scene in chosen for size in (options.walls if scene in size_scenes.WALLS else options.sizes))
    for size, scene in cases:
        with tempfile.TemporaryDirectory() as folder:
            case = run_case(options, scene, size, pathlib.Path(folder))
        run["cases"].append(case)
        keep(options, case)
    publish(options, [load(options, options.label) if options.label else run])


if __name__ == "__main__":
    main()
