#!/usr/bin/python3
"""public_scenes.py ARCHIVE [--voussoir COMMAND] [--tolerances T,…] [--budget SECONDS] [--processes N] [--only TEXT,…] [--journal FILE] [--captured FOLDER] [--output FILE.md]

Every scene of a folder of Rigid IPC scenes (Ferguson et al. 2021; ARCHIVE has `fixtures` and `meshes`), through its whole duration at
each tolerance ("auto": the default), or until a run has used up its budget of processor time; one whose step is not done at three times
the budget is killed. Arches and card houses come first, then small scenes. The journal has one line per run, and the folder beside it
the state of each: a second call resumes unfinished runs from their checkpoints where it has a larger budget, bit for bit. The
contact problem of every step that missed the tolerance is captured there, solved alone, and copied to --captured if it is small.
The table is written from all of the journal.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
TICK = os.sysconf("SC_CLK_TCK")
SMALL = 100_000  # bytes of a captured problem that is kept
KEPT = 2         # of a run
EXPLAINED = 5    # of a run
ALONE = "30s"    # to solve one
DEFAULT = "1e-6" # the tolerance of runs
CARDS, ARCH = "3D/friction/card-house/card-", "3D/friction/arch/arch-"
FIRST = [*(f"{CARDS}{name}.json" for name in ("tent", "house-2-levels", "house-3-levels", "house-4-levels")),
         *(f"{ARCH}{stones}-stones.json" for stones in (25, 101, 501, 951)), f"{CARDS}house-3-levels-falling-blocks.json"]

# ms per step, for scenes of the same sizes, as the authors of the splitting method state it (Song et al. 2026: single precision,
# tolerance 1e-6, Apple silicon; quoted in docs/referee.md).
PUBLISHED = {f"{ARCH}25-stones.json": 595, f"{ARCH}101-stones.json": 1234, f"{CARDS}house-4-levels.json": 199}


# ---- one run ------------------------------------------------------------------------------------------------------------------------


def spent(process):
    """Processor seconds of a running process."""
    try:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICK


def wait(process, budget):
    """Interrupts the process after the budget, and kills it after three times of it; its processor time."""
    interrupted, used = False, 0
    while process.poll() is None:
        used = max(used, spent(process))
        if used > 3 * budget:
            process.kill()
            process.wait()
        elif used > budget and not interrupted:
            process.send_signal(signal.SIGINT)
            interrupted = True
        time.sleep(0.05)
    return used


def read_steps(folder):
    """The rows of all logs of a run by their steps, which a part that was continued from an earlier checkpoint repeats with the same bits."""
    rows = {}
    for path in sorted(folder.glob("log-*.csv*")):  # a killed part leaves its log under a temporary name
        with open(path, encoding="utf-8", newline="") as file:
            rows.update((int(row["step"]), row) for row in csv.DictReader(file) if row["stages"] is not None)
    return rows


def summarize(rows):
    times = [float(row["processor (s)"]) for row in rows.values()]
    missed = [step for step, row in rows.items() if row["status"] not in ("converged", "")]
    last = rows[max(rows)]
    return {"steps": len(rows), "time": float(last["time (s)"]), "inaccurate_steps": len(missed), "missed": missed[:20],
            "error_max": max(float(row["relative_error"]) for row in rows.values()), "penetration_max_m": max(float(row["penetration (m)"]) for row in rows.values()),
            "discretization_share": float(last["discretization_share"]), "contacts_max": max(int(row["contacts"]) for row in rows.values()),
            "median": statistics.median(times), "worst": max(times), "worst_step": max(rows, key=lambda step: float(rows[step]["processor (s)"]))}


def import_scene(options, scene, made):
    """Why the scene cannot be imported; "": it was."""
    read = subprocess.run([options.voussoir, "import", str(scene), "--meshes", str(options.archive / "meshes"), "--thickness", options.thickness, "-o", str(made)],
                          capture_output=True, text=True, env=ENVIRONMENT, check=False)
    return read.stderr.strip().splitlines()[-1].partition(": ")[2].partition(": ")[2] if read.returncode else ""


def solve_alone(options, path, tolerance, model):
    """(relative error, why it is not met or "", seconds of the solver) of a captured problem from rest."""
    solved = subprocess.run([options.voussoir, "solve", str(path), "--max-time", ALONE, "--tolerance", DEFAULT if tolerance == "auto" else tolerance, "--model", model, "--json"],
                            capture_output=True, text=True, env=ENVIRONMENT, check=False)
    answer = json.loads(solved.stdout)
    return answer["relative_error"], "" if answer["tolerance_met"] else answer["status_text"], answer["times_s"]["total"]


def explain(options, path, tolerance):
    """Why a step missed the tolerance, as far as the problem alone tells."""
    if not solve_alone(options, path, tolerance, "exact")[1]:
        return "solved from rest"
    frictionless = solve_alone(options, path, tolerance, "frictionless")
    if frictionless[1]:
        return f"contacts contradict each other: the frictionless problem stops at {frictionless[0]:.1e}, too"
    error, why, _ = solve_alone(options, path, tolerance, "exact")
    return f"{error:.1e} from rest: {why}"


def keep_captured(options, folder, tolerance):
    """Why the first steps missed the tolerance; the first small ones are copied."""
    found = []
    for path in sorted(folder.glob("*.hdf5"))[:EXPLAINED]:
        step, size = int(path.stem.rpartition("-")[2]), path.stat().st_size
        kept = f"{folder.name.replace('+', '-').removeprefix('3D-')}-{step}.hdf5" if options.captured and size <= SMALL and len(found) < KEPT else ""
        if kept:
            options.captured.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, options.captured / kept)
        found.append({"step": step, "bytes": size, "kept": kept, "why": explain(options, path, tolerance)})
    return found


def run(options, name, tolerance, before):
    """Starts a scene, or resumes it; before: its line in the journal."""
    folder = options.journal.with_suffix("") / (name.removesuffix(".json").replace("/", "+") + "@" + tolerance)
    folder.mkdir(parents=True, exist_ok=True)
    result = {"scene": name, "tolerance": tolerance}
    made, checkpoint = (folder / "scene.json").resolve(), (folder / "run.checkpoint").resolve()
    refused = "" if checkpoint.exists() else import_scene(options, options.archive / "fixtures" / name, made)
    if refused:
        return {**result, "refused": refused}
    command = [options.voussoir, "run", str(made), "--json", "--quiet", "--checkpoint", str(checkpoint), "--log", f"log-{time.time_ns()}.csv", "--capture", "inaccurate"]
    command += ["--resume"] if checkpoint.exists() else []
    command += [] if tolerance == "auto" else ["--tolerance", tolerance]
    with open(folder / "out", "w", encoding="utf-8") as out, open(folder / "errors", "w", encoding="utf-8") as errors, \
            subprocess.Popen(command, stdout=out, stderr=errors, cwd=folder, env=ENVIRONMENT) as process:
        used = wait(process, options.budget - before.get("used", 0))
        code = process.returncode
    status = {0: "done", 3: "done", 130: "part", -signal.SIGKILL: "killed"}.get(code, "error")
    scene, rows = json.loads(made.read_text()), read_steps(folder)
    return {**result, "budget": options.budget, "used": before.get("used", 0) + used, "status": status, "bodies": len(scene["bodies"]), "duration": scene["output"]["duration"],
            **({"error": (folder / "errors").read_text().strip()} if status == "error" else {}), **(summarize(rows) if rows else {"steps": 0, "inaccurate_steps": 0}), "captured": keep_captured(options, folder, tolerance)}


# ---- the journal --------------------------------------------------------------------------------------------------------------------


def load(path):
    """The last line of each run."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {(entry["scene"], entry["tolerance"]): entry for entry in map(json.loads, lines)}


def is_final(entry, budget):
    return "refused" in entry or entry.get("status") in ("done", "error") or entry.get("used", 0) >= budget


# ---- the table ----------------------------------------------------------------------------------------------------------------------


def milliseconds(seconds):
    return "" if seconds is None else f"{1e3 * seconds:.3g}"


def row(entry):
    share, deep = entry.get("discretization_share"), entry.get("penetration_max_m")
    part = f"{min(entry.get('time', 0) / entry['duration'], 1):.1%}"
    reached = {"done": "whole", "part": part, "killed": f"{part}, in step {entry['steps'] + 1}"}.get(entry["status"], entry["status"])
    return (f"| {entry['scene'].removeprefix('3D/').removesuffix('.json')} | {entry['bodies']} | {reached} | {entry['steps']} | {entry['inaccurate_steps']} |"
            f" {milliseconds(entry.get('median'))} | {milliseconds(entry.get('worst'))} | {'' if deep is None else f'{deep:.1e}'} |"
            f" {'' if share is None else f'{share:.1%}'} |")


def counts(entries):
    steps, missed = (sum(entry[key] for entry in entries) for key in ("steps", "inaccurate_steps"))
    ends = [entry["status"] for entry in entries]
    return (f"{len(entries)} scenes: {ends.count('done')} through their whole duration, {ends.count('part')} as far as their budget went, {ends.count('killed')} whose last step"
            f" took more than twice the budget, {ends.count('error')} refused by the run; {steps} steps, of which {missed} missed the tolerance, in"
            f" {sum(entry['inaccurate_steps'] > 0 for entry in entries)} scenes.")


def beside(journal):
    """The published times, and those of this journal."""
    lines = ["", "## Beside published times", "",
             "Milliseconds per step. Theirs are the figures of Song et al. 2026 ([source](../../docs/referee.md)), on Apple silicon, in single precision and to a tolerance",
             "of 1e-6, for scenes of the same sizes; they are not measured here. Machines and scenes differ: compare orders of magnitude only.", "",
             "| scene | theirs, published | voussoir, median | voussoir, worst | inaccurate |", "|---|---|---|---|---|"]
    for name, published in PUBLISHED.items():
        entry = journal.get((name, "auto"), {})
        ours = f"{milliseconds(entry['median'])} | {milliseconds(entry['worst'])} | {entry['inaccurate_steps']} of {entry['steps']}" if entry.get("steps") else "not run | |"
        lines.append(f"| {name.removeprefix('3D/').removesuffix('.json')} | {published} | {ours} |")
    return lines


def missed(journal):
    """The steps that missed the tolerance, and why."""
    lines = ["", "## Steps that missed the tolerance", "",
             "Captured, and solved alone, from rest, within 30 s. Files are in `bench/captured`; without one the problem is larger than 100 kB.", "",
             "| scene | tolerance | step | why | file |", "|---|---|---|---|---|"]
    for (name, tolerance), entry in sorted(journal.items()):
        for step in entry.get("captured", []):
            lines.append(f"| {name.removeprefix('3D/').removesuffix('.json')} | {tolerance} | {step['step']} | {step['why']} | {step['kept']} |")
    return lines


def table(journal):
    lines = ["# Public scenes of Rigid IPC", "",
             "Written by `bench/public_scenes.py`: the scenes that Ferguson et al. 2021 publish, imported by `voussoir import` (flat bodies 0.01 m thick,",
             "hulls of open meshes). *Reached*: the part of the scene's duration. Times are processor times per step, of one thread. *Discretization*:",
             "energy that the time steps added or removed, as a part of the energies exchanged."]
    for tolerance in sorted({entry["tolerance"] for entry in journal.values() if "refused" not in entry}):
        entries = [entry for entry in journal.values() if entry["tolerance"] == tolerance and "refused" not in entry]
        budgets = sorted({entry["budget"] for entry in entries})
        runs = ", ".join(f"{budget:g} s for {sum(entry['budget'] == budget for entry in entries)}" for budget in budgets)
        lines += ["", f"## Tolerance {tolerance if tolerance != 'auto' else 'by default'}", "", counts(entries), f"Budgets of processor time: {runs}.", "",
                  "| scene | bodies | reached | steps | inaccurate | median / ms | worst / ms | penetration / m | discretization |", "|---|---|---|---|---|---|---|---|---|"]
        lines += [row(entry) for entry in sorted(entries, key=lambda entry: entry["scene"])]
    lines += missed(journal)
    lines += beside(journal)
    refused = {entry["scene"]: entry["refused"] for entry in journal.values() if "refused" in entry}
    lines += ["", f"## Refused: {len(refused)}", "", "| scene | reason |", "|---|---|"]
    lines += [f"| {name.removeprefix('3D/').removesuffix('.json')} | {reason} |" for name, reason in sorted(refused.items())]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("--voussoir", default=str(HERE.parent / "build/release/app/voussoir"))
    parser.add_argument("--tolerances", default="auto,1e-8", type=lambda text: text.split(","))
    parser.add_argument("--budget", default=60.0, type=float, help="processor seconds of a run")
    parser.add_argument("--processes", default=1, type=int)
    parser.add_argument("--only", default="", help="scenes whose path contains one of these, separated by commas")
    parser.add_argument("--thickness", default="0.01")
    parser.add_argument("--journal", default="public-scenes.jsonl", type=pathlib.Path)
    parser.add_argument("--captured", type=pathlib.Path, help="folder for small contact problems of steps that missed the tolerance")
    parser.add_argument("--output", type=pathlib.Path, help="the table, for instance bench/results/public-scenes.md")
    options = parser.parse_args()
    journal = load(options.journal)
    fixtures = options.archive / "fixtures"
    scenes = [str(path.relative_to(fixtures)) for path in sorted(fixtures.rglob("*.json"), key=lambda path: (path.stat().st_size, path))]
    scenes = [name for name in [*FIRST, *(scene for scene in scenes if scene not in FIRST)] if any(text in name for text in options.only.split(","))]
    missing = [(name, tolerance, journal.get((name, tolerance), {})) for tolerance in options.tolerances for name in scenes]
    missing = [case for case in missing if not is_final(case[2], options.budget)]
    with concurrent.futures.ThreadPoolExecutor(options.processes) as pool, open(options.journal, "a", encoding="utf-8") as file:
        for entry in pool.map(lambda case: run(options, *case), missing):
            journal[entry["scene"], entry["tolerance"]] = entry
            file.write(json.dumps(entry) + "\n")
            file.flush()
            print(entry["scene"], entry["tolerance"], entry.get("refused") or f"{entry['status']}: {entry['steps']} steps, {entry['inaccurate_steps']} inaccurate", flush=True)
    if options.output:
        options.output.write_text(table(journal), encoding="utf-8")


if __name__ == "__main__":
    main()
