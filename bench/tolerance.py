#!/usr/bin/python3
"""tolerance.py [--voussoir COMMAND] [--tolerances T,…] [--repeats N] [--scenes NAME,…] [--output FILE.md]

What does the tolerance of the steps change in what one wants to know? Flow out of a hopper (spheres per second), slope in a drum
(degrees), run-out of a column (mean distance of the outermost twentieth from the axis, m) and a wall that falls (mean displacement
of its bricks after a second, m), each at several tolerances. Granular motion is chaotic, so that two runs at the tightest tolerance
differ as well: each case is run several times with friction that differs by 1e-9, and the means are given with their standard
deviations. A tolerance is good enough where its mean lies within the scatter. Scenes are those of size_scenes.py.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

import h5py
import numpy
import size_scenes

HERE = pathlib.Path(__file__).resolve().parent


# ---- what one wants to know, from positions (frames, bodies, 3) of moving bodies and their times ------------------------------------


def flow(time, position):
    """Spheres per second through the outlet, while it flows steadily: the fit between a tenth and three fifths of them."""
    width = size_scenes.CELL * (len(position[0]) / 1.28) ** (1 / 3)
    out = (position[:, :, 2] < max(width, 7 * size_scenes.CELL)).sum(axis=1)
    steady = (out > 0.1 * len(position[0])) & (out < 0.6 * len(position[0]))
    return numpy.polyfit(time[steady], out[steady], 1)[0]


def slope(time, position):
    """Degrees by which the centre of mass stands aside, in the second half."""
    centre = position[len(time) // 2:].mean(axis=(0, 1))
    return numpy.degrees(numpy.arctan2(abs(centre[0]), -centre[2]))


def run_out(_time, position):
    far = numpy.sort(numpy.hypot(position[-1, :, 0], position[-1, :, 1]))
    return far[-len(far) // 20:].mean()


def fallen(_time, position):
    return numpy.linalg.norm(position[-1] - position[0], axis=1).mean()


# Bodies, seconds, quantity, unit.
CASES = {"hopper": (600, 1.5, flow, "1/s"), "drum": (500, 2.5, slope, "degrees"), "collapse": (1000, 1.5, run_out, "m"),
         "wall": (128, 1.0, fallen, "m")}


# ---- runs ---------------------------------------------------------------------------------------------------------------------------


def with_friction(arguments, change):
    """The scene with friction changed a little: that of its file, or the parameter of a named one."""
    if not arguments[0].endswith(".json"):
        return [*arguments, "--set", f"mu={0.5 + change:.12g}"]
    path = pathlib.Path(arguments[0])
    scene = json.loads(path.read_text())
    for material in scene["materials"].values():
        material["mu"] += change
    path.write_text(json.dumps(scene))
    return arguments


def run(options, name, tolerance, repeat, folder):
    """The quantity, and processor seconds."""
    size, seconds, quantity, _ = CASES[name]
    arguments, _ = size_scenes.SCENES[name](size, folder / f"{name}.json")
    arguments = with_friction(arguments, 1e-9 * repeat)
    output = folder / "run.h5"
    command = [options.voussoir, "run", *arguments, "--duration", str(seconds), "--frame", "0.02", "--quiet", "--tolerance", tolerance, "-o", str(output)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"})
    if done.returncode not in (0, 3):
        sys.exit(f"tolerance.py: {' '.join(command)}\n{done.stderr}")
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    with h5py.File(output) as file:
        free = file["bodies/motion"][:] == 0
        value = quantity(file["time"][:], file["state/pose"][:, :, :3][:, free])
    return float(value), spent


def table(options):
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.scenes:
            lines += ["", f"**{name}**, {CASES[name][0]} bodies, {CASES[name][2].__name__.replace('_', '-')} in {CASES[name][3]}", "",
                      "| tolerance | mean | standard deviation | processor time / s |", "|---|---|---|---|"]
            print("\n".join(lines[-5:]), flush=True)
            for tolerance in options.tolerances:
                runs = [run(options, name, tolerance, k, pathlib.Path(folder)) for k in range(options.repeats)]
                values = [value for value, _ in runs]
                lines.append(f"| {tolerance} | {statistics.mean(values):.4g} | {statistics.stdev(values):.2g} |"
                             f" {statistics.mean(spent for _, spent in runs):.1f} |")
                print(lines[-1], flush=True)
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--voussoir", default=str(HERE.parent / "build/release/app/voussoir"))
    parser.add_argument("--tolerances", default="1e-1,1e-2,1e-3,1e-4,1e-6", type=lambda text: text.split(","))
    parser.add_argument("--scenes", default=",".join(CASES), type=lambda text: text.split(","))
    parser.add_argument("--repeats", default=4, type=int)
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    lines = table(options)
    if options.output:
        options.output.write_text("\n".join(["# Tolerance and physical results", *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
