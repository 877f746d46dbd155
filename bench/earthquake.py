#!/usr/bin/python3
"""earthquake.py VOUSSOIR [--output FILE.md]: a column of seven drums and an arch on shaken ground, with finer and finer steps.

The ground moves by a pulse (Ricker's wavelet). Compares the history of one stone with that of the finest run: the largest
difference, and the time until which it stays below a millimetre, because many impacts of many joints cannot be predicted
for long. Fails if the energy balance of a run does not close, or if finer runs of the column are not closer to the finest.
Takes a few minutes.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

from validate_masonry import wedge

FRAME, DURATION = .01, 4  # s; all steps divide the frame
CLOSE = 1e-3  # m
CLOSED = 1e-12  # of the work of the ground: what the balance may leave open, by rounding
LEVELS = [("--step", h) for h in ("5e-3", "2.5e-3", "1.25e-3", "6.25e-4")] + [("--accuracy", a) for a in ("1e-2", "1e-3", "1e-4", "1e-5")]


def record(folder, peak=.3, frequency=.8, middle=1.5, interval=.005, samples=600):
    """Ricker's wavelet, a pulse, as a PEER file; peak in g, frequency in Hz."""
    with open(os.path.join(folder, "quake.AT2"), "w", encoding="ascii") as file:
        file.write("PEER NGA STRONG MOTION DATABASE RECORD\nRicker's wavelet\nACCELERATION TIME SERIES IN UNITS OF G\n")
        file.write(f"NPTS= {samples:6d}, DT= {interval:8.4f} SEC\n")
        for k in range(samples):
            x = (math.pi * frequency * (k * interval - middle)) ** 2
            file.write(f"{peak * (1 - 2 * x) * math.exp(-x):15.7E}" + ("\n" if k % 5 == 4 else ""))


def shaken(bodies, scale, mu):
    """Bodies on a ground that the record moves along x; those named support* move with it."""
    drive = {"acceleration": [{"file": "quake.AT2", "scale": scale}, 0, 0]}
    for body in bodies:
        if body["name"].startswith("support"):
            body.update(motion="kinematic", drive=drive)
    return {"voussoir": 1, "materials": {"stone": {"mu": mu}}, "bodies": bodies, "step": 5e-3,
            "output": {"duration": DURATION, "frame": FRAME}}


def column(scale=1):
    bodies = [{"name": "support", "position": [0, 0, -.1], "shape": {"kind": "box", "size": [4, 4, .2]}}]
    bodies += [{"name": f"drum{k}", "density": 2700, "position": [0, 0, .25 + .5 * k],
                "shape": {"kind": "cylinder", "radius": .3, "half_length": .25}} for k in range(7)]
    return shaken(bodies, scale, .6), "drum6"


def arch(scale=1.3, stones=11, ratio=.2):
    """On two fixed springings that move with the ground; mean radius 2 m."""
    r0, r1, da, bodies = 2 - ratio, 2 + ratio, math.pi / stones, []
    for k in range(stones):
        a = -math.pi / 2 + k * da
        bodies.append({"name": f"stone{k}", **wedge(r0, r1, a, a + da, .8)})
    for side in (-1, 1):
        a0, a1 = sorted((side * math.pi / 2, side * (math.pi / 2 + .15)))
        bodies.append({"name": f"support{side}", **wedge(r0, r1, a0, a1, .8)})
    return shaken(bodies, scale, .7), f"stone{stones // 2 - 2}"


def run(command, folder, scene, body, level):
    """History of the body's displacement relative to the ground, the report, and the work that the ground exchanged."""
    with open(os.path.join(folder, "scene.json"), "w", encoding="utf-8") as file:
        json.dump(scene, file)
    done = subprocess.run([command, "run", "scene.json", "-o", "out.h5", *level, "--tolerance", "1e-9", "--json", "--quiet"], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr)
    with h5py.File(os.path.join(folder, "out.h5")) as file:
        names = [x.decode() for x in file["bodies/name"][:]]
        place = file["state/pose"][:, :, :3]
        support = next(k for k, x in enumerate(names) if x.startswith("support"))
        history = place[:, names.index(body)] - place[:, support]
        moved = np.abs(np.diff(file["energy/prescribed"][:])).sum()
    return history - history[0], json.loads(done.stdout), moved


def left_open(report):
    """What the energy balance leaves open, J."""
    change = sum(report["energy_end_J"].values()) - sum(report["energy_begin_J"].values())
    return abs(change - report["work_J"] + report["dissipation_J"] - report["discretization_J"])


def compare(name, found, finest, lines):
    """Adds a row per run; returns the differences of the controlled ones and whether all balances close."""
    errors, closed = [], True
    for level, (history, report, moved) in zip(LEVELS, found):
        difference = np.abs(history - finest).max(axis=1)
        late = np.nonzero(difference > CLOSE)[0]
        until = f"{(late[0] - 1) * FRAME:.2f}" if len(late) else "the end"
        closed &= left_open(report) <= CLOSED * moved
        if level[0] == "--accuracy":
            errors.append(difference.max())
        lines.append(f"| {name} | `{' '.join(level)}` | {report['problems']} | {np.abs(history).max():.4f} | {difference.max():.1e} | {until} | "
                     f"{report['discretization_J'] / moved:+.0e} | {left_open(report) / moved:.0e} | {report['inaccurate_steps']} |")
        print(lines[-1], flush=True)
    return errors, closed


def main():
    options = argparse.ArgumentParser()
    options.add_argument("voussoir")
    options.add_argument("--output")
    given = options.parse_args()
    command = os.path.abspath(given.voussoir)
    lines = ["| scene | option | contact problems | largest displacement, m | largest difference, m | below 1 mm until, s | "
             "discretization / work of the ground | balance left open | inaccurate steps |", "|---|---|---|---|---|---|---|---|---|"]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        record(folder)
        for name, (scene, body), best in (("column", column(), "1e-6"), ("arch", arch(), "3e-6")):
            finest = run(command, folder, scene, body, ("--accuracy", best))[0]
            errors, closed = compare(name, [run(command, folder, scene, body, level) for level in LEVELS], finest, lines)
            failed += not closed
            failed += name == "column" and not (errors == sorted(errors, reverse=True) and errors[-1] < 1e-4)
    if given.output:
        with open(given.output, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    print(f"{failed} failed" if failed else "all balances close; the column converges")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
