#!/usr/bin/python3
"""Tries an archive of robot models: which of them load, with which warnings, and how they stand.

Each folder of the archive is a model with a scene.xml (or scene_*.xml: the first of scene_right, scene_position and any
other). The model starts in its keyframe `home`, or in its zero position if it has none, and is held by its own actuators
for some seconds at the default tolerance. Prints a Markdown table, the warnings by frequency, and `N of M load`.

Results are kept in the file of --keep, a line of JSON per model: a run that was interrupted continues with the models
that are missing. Give another file, or delete it, to begin again.
Exit code 0: all models load; 1: some do not; 2: there is no such archive.
"""

import argparse
import collections
import csv
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tarfile
import tempfile

SCENES = ["scene.xml", "scene_right.xml", "scene_position.xml", "scene_*.xml"]


def find_scene(folder):
    """The file of a model that is to be loaded; None: there is none."""
    for pattern in SCENES:
        found = sorted(glob.glob(os.path.join(glob.escape(folder), pattern)))
        if found:
            return found[0]
    return None


def find_models(root):
    """Folders with a scene, by name."""
    folders = sorted(os.path.dirname(path) for path in glob.glob(os.path.join(glob.escape(root), "**", "scene*.xml"), recursive=True))
    return {os.path.relpath(folder, root): find_scene(folder) for folder in folders if find_scene(folder)}


def run(command, seconds):
    """Exit code (None: too slow), standard output, lines of standard error."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
        return done.returncode, done.stdout, done.stderr.splitlines()
    except subprocess.TimeoutExpired:
        return None, "", []


def clean(line, folder):
    """A line of the command without its name and the folder."""
    return line.removeprefix("voussoir: ").replace(folder + os.sep, "").replace(folder, "")


def read_log(path):
    """Processor time of each step, s."""
    try:
        with open(path, newline="") as file:
            return [float(row["processor (s)"]) for row in csv.DictReader(file)]
    except (OSError, KeyError, ValueError):
        return []


def try_model(options, scene, scratch):
    """What is to be said of one model, for JSON."""
    folder, log = os.path.dirname(scene), os.path.join(scratch, "steps.csv")
    base = [options.command, "run", scene, "--json", "--quiet", "--log", log, "--duration"]
    code, out, said = run([*base, str(options.seconds), "--keyframe", "home"], options.limit)
    home = not any("no keyframe" in line for line in said)
    if not home:
        code, out, said = run([*base, str(options.seconds)], options.limit)
    result = {"home": home, "code": code, "warnings": [], "error": None}
    lines = [clean(line, folder) for line in said if "as listed above" not in line]
    # The log is opened when the model is loaded; a run that is stopped may not have written its first rows.
    loads, steps = code in (0, 3) or os.path.exists(log), read_log(log)
    result["loads"] = loads
    if steps:
        result["processor_median_s"], result["processor_worst_s"] = statistics.median(steps), max(steps)
        result["steps"] = len(steps)
    if os.path.exists(log):
        os.unlink(log)
    if code is None:
        result["loads"] = loads or run([options.command, "info", scene], options.limit)[0] == 0
        result["error"] = f"stopped after {options.limit:g} s"
    elif code not in (0, 3):
        result["error"] = lines.pop() if lines else f"exit code {code}"
    result["warnings"] = lines
    if code in (0, 3):
        summary = json.loads(out)
        keys = ["bodies", "joints", "inaccurate_steps", "joint_drift_max_m", "displacement_max_m", "contacts_max",
                "discretization_J", "energy_begin_J", "energy_end_J", "penetration_max_m"]
        result.update({key: summary.get(key) for key in keys})
    return result


def energy_change(result):
    """Total energy at the end less that at the begin, J."""
    begin, end = result.get("energy_begin_J"), result.get("energy_end_J")
    return None if not begin or not end else sum(end.values()) - sum(begin.values())


def cell(value, form="{}", factor=1):
    return "–" if value is None else form.format(value * factor if factor != 1 else value)


def table_row(name, r):
    state = "no" if not r["loads"] else "yes" if r["error"] is None else "slow"
    cells = [name, state, "home" if r["home"] else "zero", cell(r.get("bodies")), cell(r.get("joints")),
             cell(r.get("contacts_max")), str(len(r["warnings"])), cell(r.get("steps")), cell(r.get("inaccurate_steps")),
             cell(r.get("joint_drift_max_m"), "{:.1e}"), cell(r.get("displacement_max_m"), "{:.3g}"),
             cell(r.get("processor_median_s"), "{:.2f}", 1e3), cell(r.get("processor_worst_s"), "{:.1f}", 1e3),
             cell(energy_change(r), "{:.2g}"), cell(r.get("discretization_J"), "{:.2g}")]
    return "| " + " | ".join(cells) + " |"


HEAD = ["model", "loads", "pose", "bodies", "joints", "contacts (max)", "warnings", "steps", "inaccurate", "drift (m)",
        "moved (m)", "median (ms)", "worst (ms)", "energy change (J)", "discretization (J)"]


def kind_of(warning):
    """A warning without its place, count, names and numbers."""
    text = re.sub(r"^[^ ]*: ", "", re.sub(r" \(and \d+ more\)", "", warning))
    text = re.sub(r"^[a-z_, ]+: without meaning", "settings of MuJoCo's solver: without meaning", text)
    text = re.sub(r"overlap at the start: .*; they", "overlap at the start: …; they", text)
    text = re.sub(r"get no contacts: .*", "get no contacts: …", text)
    return re.sub(r"[-+]?\d+\.?\d*(e[-+]?\d+)?", "#", re.sub(r"'[^']*'", "'…'", text))


def print_report(results, verbose):
    print("| " + " | ".join(HEAD) + " |\n|" + "---|" * len(HEAD))
    for name, result in results.items():
        print(table_row(name, result))
    errors = {name: r["error"] for name, r in results.items() if r["error"]}
    if errors:
        print("\n## Errors\n")
        for name, error in errors.items():
            print(f"* {name}: {error}")
    kinds = collections.defaultdict(list)
    for name, r in results.items():
        for kind in dict.fromkeys(kind_of(w) for w in r["warnings"]):
            kinds[kind].append(name)
    if kinds:
        print("\n## Warnings, by the number of models\n")
        for kind, names in sorted(kinds.items(), key=lambda item: -len(item[1])):
            print(f"* {len(names)}: {kind}" + (f" ({', '.join(names[:4])}{', …' if len(names) > 4 else ''})"))
    if verbose:
        print("\n## Warnings of each model\n")
        for name, r in results.items():
            for warning in r["warnings"]:
                print(f"* {name}: {warning}")
    print(f"\n{sum(r['loads'] for r in results.values())} of {len(results)} load")


def load_kept(path):
    """Results of an earlier run; a last line that was cut off is dropped."""
    kept = {}
    if path and os.path.exists(path):
        with open(path) as file:
            for line in file:
                try:
                    kept.update(json.loads(line))
                except ValueError:
                    pass
    return kept


def try_all(options, models, scratch):
    results = load_kept(options.keep)
    for number, (name, scene) in enumerate(models.items(), 1):
        if name in results:
            continue
        print(f"\r{number}/{len(models)} {name} …\033[K", end="", file=sys.stderr, flush=True)
        results[name] = try_model(options, scene, scratch)
        if options.keep:
            with open(options.keep, "a") as file:
                file.write(json.dumps({name: results[name]}) + "\n")
    print("\r\033[K", end="", file=sys.stderr, flush=True)
    return {name: results[name] for name in models if name in results}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", help="archive of folders with models, or a folder")
    parser.add_argument("--command", default="voussoir", help="the voussoir command; default: that of the PATH")
    parser.add_argument("--seconds", type=float, default=2.0, help="simulated time; default: 2")
    parser.add_argument("--limit", type=float, default=120.0, help="wall time per model, s; default: 120")
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD", help="models whose name has one of these words")
    parser.add_argument("--keep", metavar="FILE", help="keep results there, and continue with the missing models")
    parser.add_argument("--verbose", action="store_true", help="list the warnings of each model as well")
    options = parser.parse_args()
    if not os.path.exists(options.archive):
        print(f"{options.archive}: there is no such archive; give the path of one with robot models", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        root = options.archive
        if not os.path.isdir(root):
            print("unpacking …", end="", file=sys.stderr, flush=True)
            root = os.path.join(scratch, "models")
            with tarfile.open(options.archive) as archive:
                archive.extractall(root, filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(root)
        models = {name: scene for name, scene in find_models(root).items()
                  if not options.only or any(word in name for word in options.only)}
        try:
            results = try_all(options, models, scratch)
        except KeyboardInterrupt:
            print(f"\ninterrupted{'; run again with the same --keep to continue' if options.keep else ''}", file=sys.stderr)
            return 130
    print_report(results, options.verbose)
    return 0 if all(r["loads"] for r in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
