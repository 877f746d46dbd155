#!/usr/bin/python3
"""public_scenes.py ARCHIVE [--voussoir COMMAND] [--tolerances T,…] [--budget SECONDS] [--processes N] [--only TEXT] [--journal FILE] [--output FILE.md]

Every scene of a folder of Rigid IPC scenes (Ferguson et al. 2021; ARCHIVE has `fixtures` and `meshes`), through its whole duration at
each tolerance ("auto": the default), or until the budget of processor time of one run is used up. The solver has as much for one step,
beyond which the step counts as inaccurate; a run that does not end its step by three times the budget is killed. Small scenes come
first. Results are kept in the journal, one line per run: a second call continues where the first one stopped, and runs again what had
less than the present budget. The table is written from all of the journal.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
TICK = os.sysconf("SC_CLK_TCK")


# ---- one run ------------------------------------------------------------------------------------------------------------------------


def spent(process):
    """Processor seconds of a running process."""
    try:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICK


def wait(process, budget):
    """Interrupts the process after the budget, and kills it after three times of it; whether it had to be killed."""
    interrupted = False
    while process.poll() is None:
        used = spent(process)
        if used > 3 * budget:
            process.kill()
            process.wait()
            return True
        if used > budget and not interrupted:
            process.send_signal(signal.SIGINT)
            interrupted = True
        time.sleep(0.05)
    return False


def run(options, scene, tolerance):
    name = str(scene.relative_to(options.archive / "fixtures"))
    result = {"scene": name, "tolerance": tolerance, "budget": options.budget}
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "scene.json"
        read = subprocess.run([options.voussoir, "import", str(scene), "--meshes", str(options.archive / "meshes"), "--thickness",
                               options.thickness, "-o", str(made)], capture_output=True, text=True, env=ENVIRONMENT, check=False)
        if read.returncode:
            return {**result, "refused": read.stderr.strip().splitlines()[-1].partition(": ")[2].partition(": ")[2]}
        command = [options.voussoir, "run", str(made), "--json", "--max-time", f"{options.budget:g}s"]
        command += [] if tolerance == "auto" else ["--tolerance", tolerance]
        with open(pathlib.Path(folder) / "out", "w+", encoding="utf-8") as out, \
                subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
            killed = wait(process, options.budget)
            errors = process.stderr.read()
            out.seek(0)
            text = out.read()
        try:
            summary = json.loads(text)
        except ValueError:
            summary = {"status": "killed" if killed else "error", "error": errors.strip()}
        scene_read = json.loads(made.read_text())
    keys = ("status", "error", "bodies", "steps", "inaccurate_steps", "penetration_max_m", "discretization_share", "unbalanced_steps",
            "worst_step", "contacts_max", "time_s")
    return {**result, **{key: summary.get(key) for key in keys}, "bodies": len(scene_read["bodies"]), "duration": scene_read["output"]["duration"],
            "step": scene_read["step"], "median": (summary.get("times_s") or {}).get("step_median"),
            "worst": (summary.get("times_s") or {}).get("step_worst")}


# ---- the journal --------------------------------------------------------------------------------------------------------------------


def load(path):
    """The last line of each run."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {(entry["scene"], entry["tolerance"]): entry for entry in map(json.loads, lines)}


def is_final(entry, budget):
    return "refused" in entry or entry["status"] == "done" or entry["budget"] >= budget


# ---- the table ----------------------------------------------------------------------------------------------------------------------


def milliseconds(seconds):
    return "" if seconds is None else f"{1e3 * seconds:.3g}"


def row(entry):
    share, deep = entry.get("discretization_share"), entry.get("penetration_max_m")
    reached = "whole" if entry["status"] == "done" else "killed in a step" if entry["status"] == "killed" else \
        entry["status"] if entry["steps"] is None else f"{min(entry['steps'] * entry['step'] / entry['duration'], 1):.1%}"
    return (f"| {entry['scene'].removeprefix('3D/').removesuffix('.json')} | {entry['bodies']} | {reached} | {entry['steps'] or 0} | {entry['inaccurate_steps'] or 0} |"
            f" {milliseconds(entry['median'])} | {milliseconds(entry['worst'])} | {'' if deep is None else f'{deep:.1e}'} |"
            f" {'' if share is None else f'{share:.1%}'} |")


def table(journal, budget):
    lines = ["# Public scenes of Rigid IPC", "",
             "Written by `bench/public_scenes.py`: the scenes that Ferguson et al. 2021 publish, imported by `voussoir import` (flat bodies 0.01 m thick,",
             f"hulls of open meshes) and run for at most {budget:g} s of processor time each. *Reached*: the part of the scene's duration. Times",
             "are wall times per step on one shared core, the loaded machine included. *Discretization*: energy that the time steps added or",
             "removed, as a part of the energies exchanged. Scenes that are not listed have not been run with this budget or a larger one."]
    for tolerance in sorted({entry["tolerance"] for entry in journal.values() if "refused" not in entry}):
        entries = [entry for entry in journal.values() if entry["tolerance"] == tolerance and "refused" not in entry]
        steps, missed = (sum(entry[key] or 0 for entry in entries) for key in ("steps", "inaccurate_steps"))
        lines += ["", f"## Tolerance {tolerance if tolerance != 'auto' else 'by default'}", "",
                  f"{len(entries)} scenes, {sum(entry['status'] == 'done' for entry in entries)} through their whole duration; {steps} steps, of which {missed} missed"
                  f" the tolerance, in {sum((entry['inaccurate_steps'] or 0) > 0 for entry in entries)} scenes.", "",
                  "| scene | bodies | reached | steps | inaccurate | median / ms | worst / ms | penetration / m | discretization |", "|---|---|---|---|---|---|---|---|---|"]
        lines += [row(entry) for entry in sorted(entries, key=lambda entry: entry["scene"])]
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
    parser.add_argument("--only", default="", help="scenes whose path contains this")
    parser.add_argument("--thickness", default="0.01")
    parser.add_argument("--journal", default="public-scenes.jsonl", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, help="the table, for instance bench/results/public-scenes.md")
    options = parser.parse_args()
    journal = load(options.journal)
    scenes = [path for path in sorted((options.archive / "fixtures").rglob("*.json"), key=lambda path: (path.stat().st_size, path)) if options.only in str(path)]
    missing = [(scene, tolerance) for tolerance in options.tolerances for scene in scenes
               if not is_final(journal.get((str(scene.relative_to(options.archive / "fixtures")), tolerance), {"status": "", "budget": 0}), options.budget)]
    with concurrent.futures.ThreadPoolExecutor(options.processes) as pool, open(options.journal, "a", encoding="utf-8") as file:
        for entry in pool.map(lambda case: run(options, *case), missing):
            journal[entry["scene"], entry["tolerance"]] = entry
            file.write(json.dumps(entry) + "\n")
            file.flush()
            print(entry["scene"], entry["tolerance"], entry.get("refused") or f"{entry['status']}: {entry['steps']} steps, {entry['inaccurate_steps']} inaccurate", flush=True)
    if options.output:
        options.output.write_text(table(journal, options.budget), encoding="utf-8")


if __name__ == "__main__":
    main()
