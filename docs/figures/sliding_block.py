#!/usr/bin/python3
"""A block that slides to rest, solved step by step by the voussoir command; prints one line per step:

    time in s    gap in mm, relaxed    gap in mm, exact    speed in m/s, relaxed    exact

For the figure in exact-coulomb.md. A point mass of 1 kg on a plane, mu = 0.3, thrown at 2 m/s, steps of 10 ms. One
contact: M v = f + r, u = v + w with w = gap / h in the normal row.
"""

import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np

MU, SPEED, STEP, GRAVITY, STEPS = 0.3, 2.0, 0.01, 9.81, 80


def write_identity(group):
    for name, value in (("m", 3), ("n", 3), ("nz", -1), ("nzmax", 3)):
        group[name] = np.array([value], dtype="i4")
    group["p"], group["i"], group["x"] = np.arange(4, dtype="i4"), np.arange(3, dtype="i4"), np.ones(3)


def solve(command, model, v, gap):
    """Velocity at the end of the step; rows are (normal, along, across)."""
    f = v + STEP * np.array([-GRAVITY, 0.0, 0.0])
    with tempfile.TemporaryDirectory() as folder:
        problem, solved = os.path.join(folder, "step.hdf5"), os.path.join(folder, "solved.hdf5")
        with h5py.File(problem, "w") as file:
            root = file.create_group("fclib_global")
            root["spacedim"] = np.array([3], dtype="i4")
            for name in ("M", "H"):
                write_identity(root.create_group(name))
            root["vectors/f"], root["vectors/mu"] = f, np.array([MU])
            root["vectors/w"] = np.array([gap / STEP, 0.0, 0.0])
        line = [command, "solve", problem, "--model", model, "--tolerance", "1e-10", "--output", solved, "--json"]
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
        with h5py.File(solved, "r") as file:
            return f + file["solution/r"][()]


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: sliding_block.py VOUSSOIR")
    v = {model: np.array([0.0, SPEED, 0.0]) for model in ("relaxed", "exact")}
    gap = dict.fromkeys(v, 0.0)
    for k in range(STEPS + 1):
        print(f"{k * STEP:.2f} {1e3 * gap['relaxed']:.6f} {1e3 * gap['exact']:.6f}"
              f" {v['relaxed'][1]:.6f} {v['exact'][1]:.6f}")
        for model in v:
            v[model] = solve(sys.argv[1], model, v[model], gap[model])
            gap[model] += STEP * v[model][0]


if __name__ == "__main__":
    main()
