#!/usr/bin/python3
"""steps.py COMMAND DATA [--tolerance T,T,...] [--model NAME] [--scenes [NAMES]] [--wall SCENE]: how hard are steps of a simulation?

Solves the captured steps of DATA/steps (FCLIB files; those with a solution are started from it, as the step was) and,
with --scenes, runs the named scenes. A model other than exact starts cold, for that solution is not its own. Prints tables
in Markdown. Iterations and factorizations do not depend on the load of the machine; seconds do.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

SCENES = ["balls-in-box", "domino", "rotating-drum", "primitive-soup", "brick-wall", "arch", "stone-bridge", "kapla-tower",
          "card-house", "sphere-pile", "hopper", "chute", "gripper", "bridge", "chain"]


def read_kinds(folder):
    """Kind of each file (hard, medium, settled) as collection.txt has it; files of a falling wall are a kind of their own."""
    kinds = {}
    with open(os.path.join(folder, "collection.txt"), encoding="utf-8") as file:
        for line in file:
            name, kind = line.split("\t")[:2]
            kinds[name.strip()] = kind.strip()
    return {name: "wall" if name.startswith("wall-") else kinds.get(name, "other")
            for name in sorted(os.listdir(folder)) if name.endswith(".hdf5")}


def solve(command, path, model, tolerance, warm):
    arguments = [command, "solve", path, "--model", model, "--tolerance", tolerance, "--json"] + (["--initial", path] if warm else [])
    return json.loads(subprocess.run(arguments, capture_output=True, text=True).stdout)


def measure_steps(command, folder, model, tolerance):
    kinds, rows = read_kinds(folder), {}
    for name, kind in kinds.items():
        result = solve(command, os.path.join(folder, name), model, tolerance, warm=model == "exact" and kind != "wall")
        rows.setdefault(kind, []).append((result["tolerance_met"], result["iterations"], result.get("factorizations", 0),
                                          1e3 * result["times_s"]["total"], name))
    for kind, steps in rows.items():
        iterations, times = [step[1] for step in steps], [step[3] for step in steps]
        worst = max(steps, key=lambda step: step[3])
        print(f"| {tolerance} | {kind} | {sum(step[0] for step in steps)} of {len(steps)} | "
              f"{statistics.mean(iterations):.1f} ({max(iterations)}) | {sum(step[2] for step in steps)} | "
              f"{statistics.median(times):.0f} | {worst[3]:.0f} ({worst[4]}) | {sum(times) / 1e3:.1f} |", flush=True)


def run_scene(command, name, options=()):
    process = subprocess.run([command, "run", name, "-o", "/dev/null", "--quiet", "--json", *options], capture_output=True,
                             text=True)
    if process.returncode not in (0, 3):
        sys.exit(f"steps.py: {name}: {process.stderr.strip()}")
    return json.loads(process.stdout)


def print_run(name, run):
    times, steps = run["times_s"], run["steps"]
    milliseconds = [1e3 * times["steps"] / steps] + [1e3 * times[f"step_{key}"] for key in ("median", "p99", "worst")]
    stages = ", ".join(f"{stage['name']} {stage['factorizations']}" for stage in run["stages"] if stage["factorizations"])
    other = times["steps"] - sum(times[key] for key in ("collide", "assemble", "solve"))
    shares = "/".join(f"{100 * part / times['steps']:.0f}"
                      for part in (times["collide"], times["assemble"], times["solve"], other))
    print(f"| {name} | {steps} | {run['inaccurate_steps']} | {run['iterations']} | {run['factorizations']} | "
          + " | ".join(f"{value:.2f}" for value in milliseconds)
          + f" | {milliseconds[3] / milliseconds[1]:.0f} | {shares} | {stages} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("data")
    parser.add_argument("--tolerance", default="1e-6,1e-8")
    parser.add_argument("--model", default="exact", choices=("exact", "relaxed", "frictionless"))
    parser.add_argument("--scenes", nargs="?", const=",".join(SCENES), help="run them, or the ones that are listed")
    parser.add_argument("--wall", help="scene of a falling wall, run at each tolerance")
    options = parser.parse_args()
    print(subprocess.run([options.command, "doctor"], capture_output=True, text=True).stdout.split("BLAS")[-1].split("\n")[0].strip())
    print("\n| tolerance | steps | solved | iterations: mean (most) | factorizations | median, ms | worst, ms | all, s |")
    print("|---|---|---|---|---|---|---|---|")
    for tolerance in options.tolerance.split(",") if options.tolerance else ():
        measure_steps(options.command, os.path.join(options.data, "steps"), options.model, tolerance)
    if options.scenes:
        print("\nShares: collide, assemble, solve, and the rest of the step (moving bodies, impulses kept, energies, report).\n")
        print("| run | steps | inaccurate | iterations | factorizations | mean, ms | median | 99 % | worst | worst / median | shares, % | "
              "factorizations by stage |\n|---|---|---|---|---|---|---|---|---|---|---|---|")
        for name in options.scenes.split(","):
            print_run(name, run_scene(options.command, name))
        for tolerance in options.tolerance.split(",") if options.wall else ():
            print_run(f"falling wall, {tolerance}", run_scene(options.command, options.wall, ["--tolerance", tolerance]))


if __name__ == "__main__":
    main()
