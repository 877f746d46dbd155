#!/usr/bin/env python3
"""Processor time per step of MJCF models: voussoir beside MuJoCo (Debian: libmujoco2.2.2), and the error of MuJoCo's steps.

    bench/robots.py VOUSSOIR FOLDER... [--duration 0.5] [--rounds 3] [--mujoco build/bench/peers/robot_mujoco] [--output FILE]

A FOLDER holds one model, as those of MuJoCo Menagerie: scene.xml, or the first of scene_*.xml, or another file if FOLDER is a
file. Both start in the keyframe `home`, with its controls, or in the reference pose if there is none, and take turns: one run of
each per round. voussoir: exact friction at the default tolerance, output to /dev/null. The times are those of the library's step;
medians over the steps, and the median of the rounds. The largest step is the one of the round where it is the least, as other
programs may disturb a step. Ratios are of medians.

The error is voussoir's own measure of the impulses that MuJoCo's contacts have at the end of every tenth step, by the same
definition as the tolerance of voussoir's steps (include/voussoir/measure.h); bench/peers/robot_mujoco.c states the problem.

A dash: MuJoCo does not read the file, or there are no contacts, or the program is missing. This version is older than many of
the models: it reads a copy without textures, the choice of an integrator and attributes that it does not know, such as gains of
velocities, and with the limits that later versions assume.
"""

import argparse
import contextlib
import csv
import glob
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile


def run_voussoir(program, path, duration, limit):
    """Rows of the log, or the first line of the error."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log.csv")
        command = ["timeout", "-s", "INT", str(limit), program, "run", os.path.basename(path), "--duration", str(duration),
                   "-o", "/dev/null", "--log", log, "--quiet"]
        for more in (["--keyframe", "home"], []):
            done = subprocess.run(command + more, cwd=os.path.dirname(path), capture_output=True, text=True, check=False)
            if "no keyframe" not in done.stderr:
                break
        if not os.path.exists(log):
            return None, (done.stderr.strip().splitlines() or ["no result"])[-1]
        with open(log, encoding="utf-8") as lines:
            return list(csv.DictReader(lines)), ""


def copy_without(folder, to, attributes):
    """Links to the files of a model; in XML without textures and without these attributes, in the words of version 2.2.2."""
    for name in os.listdir(folder):
        path = os.path.join(to, name)
        if os.path.lexists(path):
            os.remove(path)
        if not name.endswith(".xml"):
            os.symlink(os.path.join(folder, name), path)
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = re.sub(r"<texture[^>]*/>", "", file.read())
        # what later versions assume, and what they call otherwise
        text = re.sub(r"(<mujoco[^>]*>)", r'\1<compiler autolimits="true"/>', text).replace("assetdir=", "meshdir=")
        for attribute in attributes:
            text = re.sub(rf'\s{attribute}="[^"]*"', "", text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def run_mujoco(program, path, duration, limit):
    """What the program says of the model, or None."""
    attributes = ["texture", "integrator"]
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(20):
            copy_without(os.path.dirname(path), folder, attributes)
            command = ["timeout", str(limit), program, os.path.join(folder, os.path.basename(path)), str(duration), "10"]
            try:
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            except FileNotFoundError:
                return None
            unknown = re.search(r"unrecognized attribute: '(\w+)'", done.stderr)
            if not unknown:
                lines = [line for line in done.stdout.splitlines() if line.startswith("{")]  # beside warnings of MuJoCo
                return json.loads(lines[-1].replace("inf", "Infinity").replace("nan", "NaN")) if done.returncode == 0 and lines else None
            attributes.append(unknown.group(1))
    return None


def find_scene(folder):
    """The file of a model."""
    if folder.endswith(".xml"):
        return os.path.abspath(folder)
    for name in ("scene.xml", "scene_right.xml", "scene_position.xml", "scene_*.xml"):
        found = sorted(glob.glob(os.path.join(glob.escape(folder), name)))
        if found:
            return os.path.abspath(found[0])
    return os.path.abspath(os.path.join(folder, "scene.xml"))


def measure(options, path):
    """Numbers of one model, or the reason why there are none."""
    ours, theirs = [], []
    for _ in range(options.rounds):
        rows, reason = run_voussoir(os.path.abspath(options.voussoir), path, options.duration, options.limit)
        if not rows:
            return reason
        ours.append([1e6 * float(row["processor (s)"]) for row in rows])
        other = run_mujoco(os.path.abspath(options.mujoco), path, options.duration, options.limit)
        if other:
            theirs.append(other)
    result = {"steps": len(rows), "contacts": statistics.fmean(float(row["contacts"]) for row in rows),
              "iterations": statistics.fmean(float(row["iterations"]) for row in rows),
              "inaccurate": sum(row["status"] != "converged" for row in rows),
              "median": statistics.median(statistics.median(times) for times in ours),
              "largest": min(max(times) for times in ours)}
    result["medians"] = result["largest"] / result["median"]
    if theirs:
        result["mujoco"] = 1e6 * statistics.median(run["median"] for run in theirs)
        result["mujoco_largest"] = 1e6 * min(run["worst"] for run in theirs)
        result["ratio"] = result["median"] / result["mujoco"]
        result.update({key: value for key, value in theirs[0].items() if key.startswith(("error", "velocity", "evaluated", "skipped"))})
    return result


COLUMNS = [("steps", "{}", "steps"), ("contacts", "{:.1f}", "contacts"), ("iterations", "{:.1f}", "iterations"),
           ("inaccurate", "{}", "inaccurate"), ("median", "{:.0f}", "median (us)"), ("largest", "{:.0f}", "largest (us)"),
           ("medians", "{:.0f}", "largest (medians)"), ("mujoco", "{:.1f}", "MuJoCo (us)"),
           ("mujoco_largest", "{:.0f}", "its largest (us)"), ("ratio", "{:.1f}", "ratio"),
           ("error_median", "{:.1e}", "error of MuJoCo"), ("error_worst", "{:.1e}", "its largest"),
           ("velocity_median", "{:.1e}", "its velocities (m/s)")]


def print_summary(results):
    """Medians over the models."""
    with_both = [result for result in results if "ratio" in result]
    print(f"\n{len(results)} models, {sum(result['steps'] for result in results)} steps, "
          f"{sum(result['inaccurate'] for result in results)} inaccurate; largest step at most 20 medians in "
          f"{sum(result['medians'] <= 20 for result in results)}.")
    if with_both:
        print(f"MuJoCo reads {len(with_both)}; ratio of medians: {statistics.median(r['ratio'] for r in with_both):.1f} in the "
              f"median, {min(r['ratio'] for r in with_both):.1f} to {max(r['ratio'] for r in with_both):.1f}.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("voussoir")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--duration", type=float, default=0.5)
    parser.add_argument("--limit", type=float, default=60, help="s per model and run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mujoco", default="build/bench/peers/robot_mujoco", help="the program of bench/peers/robot_mujoco.c")
    parser.add_argument("--output", help="the table goes there")
    options = parser.parse_args()
    results = []
    with contextlib.ExitStack() as stack:
        if options.output:
            stack.enter_context(contextlib.redirect_stdout(stack.enter_context(open(options.output, "w", encoding="utf-8"))))
        print("| model | " + " | ".join(title for _, _, title in COLUMNS) + " |")
        print("|---|" + "---|" * len(COLUMNS))
        for folder in options.folders:
            path = find_scene(folder)
            name = os.path.basename(os.path.dirname(path))
            print(name, file=sys.stderr, flush=True)
            result = measure(options, path)
            if isinstance(result, str):
                print(f"| {name} | {result} |", flush=True)
                continue
            results.append(result)
            cells = [form.format(result[key]) if key in result else "–" for key, form, _ in COLUMNS]
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
        if results:
            print_summary(results)


if __name__ == "__main__":
    main()
