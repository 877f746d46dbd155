#!/usr/bin/python3
"""granular.py [--voussoir COMMAND] [--yade COMMAND] [--liggghts COMMAND] [--only voussoir,yade,liggghts] [--balls 600] [--seeds 3]
[--stiffness 1e7,1e8] [--steps 0.002,0.004] [--restitution 0] [--budget 600] [--output FILE.md]

The same hopper discharge by voussoir, by YADE and by LIGGGHTS (Debian: yade, liggghts), on one core each: processor time per simulated
second, and the rate of discharge in kg/s, which should be the same.

Equal glass balls of 1 cm fall into a box of 9 x 9 cm whose bottom has a square hole of 5 cm, closed at first; after SETTLE seconds
the lid falls away. Both programs start from the same places, with the same density, friction and restitution. YADE uses its
Hertz-Mindlin law with viscous damping for that restitution, or for YADE_LEAST, no numerical damping, and the step that its manual
recommends, half of what a P-wave takes through a ball, for every Young's modulus given; its default is 1e9 Pa. LIGGGHTS uses Hertz's law
with the same restitution, and a fifth of the Rayleigh time (peers/granular_liggghts.py). voussoir has no stiffness; it runs with
its defaults, for every step given. The rate is the slope of the mass that is out, between a fifth and four fifths of what comes out.
"""

import argparse
import csv
import json
import os
import pathlib
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
DIAMETER, DENSITY, MU = 0.01, 2500.0, 0.4
YADE_LEAST = 0.3  # restitution: with 0.05 its damping makes these steps unstable
SIDE, HOLE, WALL, HEIGHT = 0.09, 0.05, 0.01, 0.40  # m
SETTLE, DURATION, FRAME = 0.5, 2.0, 0.02  # s
OUT = -0.05  # m: what is lower has left


# ---- the scene -------------------------------------------------------------------------------------------------------------


def make_places(count, seed):
    """Layers of a square lattice with gaps, each ball moved at random within its gap."""
    draw, apart = random.Random(seed), 1.2 * DIAMETER
    row = int((SIDE - 0.1 * DIAMETER) / apart)
    shift, jitter = -apart * (row - 1) / 2, 0.09 * DIAMETER
    return [
        [shift + apart * (k % row) + draw.uniform(-jitter, jitter), shift + apart * (k // row % row) + draw.uniform(-jitter, jitter),
         DIAMETER + apart * (k // row**2) + draw.uniform(-jitter, jitter)]
        for k in range(count)
    ]  # fmt: skip


def make_walls():
    """(centre, half sides) of four walls and of the four parts of the bottom; the last one is the lid of the hole."""
    far, half, rim = SIDE / 2 + WALL / 2, HEIGHT / 2, (SIDE - HOLE) / 2
    walls = [([s * far, 0, half], [WALL / 2, SIDE / 2 + WALL, half]) for s in (-1, 1)]
    walls += [([0, s * far, half], [SIDE / 2, WALL / 2, half]) for s in (-1, 1)]
    walls += [([s * (SIDE - rim) / 2, 0, -WALL / 2], [rim / 2, SIDE / 2, WALL / 2]) for s in (-1, 1)]
    walls += [([0, s * (SIDE - rim) / 2, -WALL / 2], [HOLE / 2, rim / 2, WALL / 2]) for s in (-1, 1)]
    return [*walls, ([0, 0, -WALL / 2], [HOLE / 2, HOLE / 2, WALL / 2])]


def find_rate(series):
    """kg/s: the slope of the mass between a fifth and four fifths of the last one, by least squares."""
    last = series[-1][1]
    part = [(t, m) for t, m in series if 0.2 * last <= m <= 0.8 * last]
    if len(part) < 3:
        return float("nan")
    centre, middle = statistics.mean(t for t, _ in part), statistics.mean(m for _, m in part)
    return sum((t - centre) * (m - middle) for t, m in part) / sum((t - centre) ** 2 for t, _ in part)


# ---- the programs ----------------------------------------------------------------------------------------------------------
#
# Each returns the series of (time, mass that is out), processor seconds of the steps before and after the lid falls, the number of
# steps, and the largest overlap after it; null beyond the budget.


def limit(budget):
    """For a child: processor time, so that a busy machine does not decide who ends."""
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(budget), int(budget) + 5))


def run_voussoir(command, folder, places, step, args):
    """A sink counts what leaves; the lid falls with 10 m/s, faster than any ball."""
    static = {"motion": "static"}
    walls = [{**static, "position": p, "shape": {"kind": "box", "half": h}} for p, h in make_walls()]
    walls[-1] |= {"motion": "kinematic", "drive": {"velocity": [0, 0, {"steps": {"time": [0, SETTLE], "value": [0, -10]}}]}}
    scene = {
        "voussoir": 1, "step": step, "materials": {"glass": {"mu": MU, "restitution": args.restitution}},
        "shapes": {"ball": {"kind": "sphere", "radius": DIAMETER / 2}},
        "bodies": walls + [{"shape": "ball", "density": DENSITY, "position": p} for p in places],
        "sinks": [{"name": "out", "within": [[-9, -9, -9], [9, 9, OUT]]}],
        "output": {"duration": DURATION, "frame": FRAME},
    }  # fmt: skip
    (folder / "hopper.json").write_text(json.dumps(scene), encoding="utf-8")
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    run = [command, "run", "hopper.json", "-o", "hopper.h5", "--log", "steps.csv", "--quiet"]
    ran = subprocess.run(run, cwd=folder, stdout=subprocess.DEVNULL, env=environment, preexec_fn=limit(args.budget), check=False)
    if ran.returncode != 0:
        return None
    subprocess.run([command, "export", "hopper.h5", "out.csv", "passed-mass:out"], cwd=folder, check=True)
    with open(folder / "out.csv", encoding="utf-8") as file:
        series = [tuple(float(x) for x in row) for row in list(csv.reader(file))[1:]]
    with open(folder / "steps.csv", encoding="utf-8") as file:
        log = list(csv.DictReader(file))
    late = [float(row["time (s)"]) > SETTLE for row in log]
    seconds = [sum(float(row["processor (s)"]) for row, after in zip(log, late) if after is phase) for phase in (False, True)]
    return {"series": series, "filling": seconds[0], "discharge": seconds[1], "steps": len(log),
            "inaccurate": sum(row["status"] != "converged" for row in log),
            "overlap": max(float(row["penetration (m)"]) for row, after in zip(log, late) if after) / DIAMETER}  # fmt: skip


def describe(places, young, args):
    """The scene for a program with springs."""
    return {"places": places, "walls": make_walls(), "radius": DIAMETER / 2, "density": DENSITY, "mu": MU, "young": young,
             "restitution": max(args.restitution, YADE_LEAST), "side": SIDE, "hole": HOLE, "wall": WALL, "settle": SETTLE, "duration": DURATION, "frame": FRAME, "out": OUT}  # fmt: skip


def run_yade(command, folder, places, young, args):
    (folder / "given.json").write_text(json.dumps(describe(places, young, args)), encoding="utf-8")
    run = [command, "-x", "-n", "-j1", str(HERE / "peers" / "granular_yade.py"), "given.json", "found.json"]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(run, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment,
                         preexec_fn=limit(args.budget), check=False)  # fmt: skip
    if ran.returncode != 0:
        return None
    return json.loads((folder / "found.json").read_text(encoding="utf-8"))


def run_liggghts(command, folder, places, young, args):
    (folder / "given.json").write_text(json.dumps(describe(places, young, args)), encoding="utf-8")
    run = [sys.executable, str(HERE / "peers" / "granular_liggghts.py"), "given.json", "found.json", command]
    ran = subprocess.run(run, cwd=folder, env={**os.environ, "OMP_NUM_THREADS": "1"}, preexec_fn=limit(args.budget), check=False)
    if ran.returncode != 0:
        return None
    return json.loads((folder / "found.json").read_text(encoding="utf-8"))


# ---- the table -------------------------------------------------------------------------------------------------------------

HEAD = ["case", "runs", "steps per s", "processor s per simulated s: filling", "discharge", "discharge rate, kg/s", "out at the end, kg",
        "largest overlap / diameter, %", "inaccurate steps"]  # fmt: skip


def spread(values, digits):
    """Mean and standard deviation."""
    text = f"{statistics.mean(values):.{digits}f}"
    return f"{text} ± {statistics.stdev(values):.{digits}f}" if len(values) > 1 else text


def summarize(name, runs):
    row = [name, str(len(runs)), f"{runs[0]['steps'] / DURATION:.0f}", spread([run["filling"] / SETTLE for run in runs], 1),
           spread([run["discharge"] / (DURATION - SETTLE) for run in runs], 1), spread([find_rate(run["series"]) for run in runs], 3),
           spread([run["series"][-1][1] for run in runs], 3),
           f"{100 * max(run['overlap'] for run in runs):.2g}" if "overlap" in runs[0] else "",
           str(sum(run["inaccurate"] for run in runs)) if "inaccurate" in runs[0] else ""]  # fmt: skip
    return "| " + " | ".join(row) + " |"


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--voussoir", default="voussoir", help="the command")
    parser.add_argument("--yade", default="yade", help="the command")
    parser.add_argument("--liggghts", default="liggghts", help="the command")
    parser.add_argument("--only", default="voussoir,yade,liggghts")
    parser.add_argument("--balls", type=int, default=600)
    parser.add_argument("--seeds", type=int, default=3, help="runs of each case, from different places")
    parser.add_argument("--stiffness", default="1e7,1e8", help="Young's moduli of YADE, Pa")
    parser.add_argument("--steps", default="0.002,0.004", help="steps of voussoir, s")
    parser.add_argument("--budget", type=float, default=600, help="processor s, of one run")
    parser.add_argument("--restitution", type=float, default=0)
    parser.add_argument("--output", help="the table goes there as well")
    return parser.parse_args()


def main():
    args = parse()
    voussoir = os.path.abspath(shutil.which(args.voussoir) or args.voussoir)
    cases = [(f"voussoir, step {1000 * float(h):g} ms", run_voussoir, voussoir, float(h)) for h in args.steps.split(",") if h]
    cases += [(f"YADE, E = {float(E):.0e} Pa", run_yade, args.yade, float(E)) for E in args.stiffness.split(",") if E]
    cases += [(f"LIGGGHTS, E = {float(E):.0e} Pa", run_liggghts, args.liggghts, float(E)) for E in args.stiffness.split(",") if E]
    cases = [case for case in cases if case[0].split(",")[0].lower() in args.only.split(",")]
    lines = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    print(f"{time.strftime('%Y-%m-%d')}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {args.balls} balls\n")
    print("\n".join(lines))
    for name, run, command, parameter in cases:
        runs = []
        for seed in range(1, args.seeds + 1):
            with tempfile.TemporaryDirectory() as folder:
                found = run(command, pathlib.Path(folder), make_places(args.balls, seed), parameter, args)
            if found:
                runs.append(found)
        lines.append(summarize(name, runs) if runs else f"| {name} | 0 | not in {args.budget:g} s of processor time" + " |" * (len(HEAD) - 2))
        print(lines[-1], flush=True)
    print(f"\nload at the end {os.getloadavg()[0]:.1f}")
    if args.output:
        pathlib.Path(args.output).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
