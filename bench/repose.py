#!/usr/bin/python3
"""repose.py [--spheres 1000] [--rolling 0,0.05,0.1,0.2,0.4] [--output FILE.md] [--picture FILE.png] [--heaps FOLDER]: angle of
repose of poured spheres over their rolling friction.

Spheres of radius 5 cm fall in a narrow column onto a floor and come to rest as a heap. Rolling friction is given as a share of the
radius; sliding friction is 0.5. The angle is that of a cone fitted to the surface of the heap: the highest spheres in rings around the
centre of mass, without the innermost and the outermost part. Every contact of every step must dissipate energy: the least value is
printed, relative to the energy that the spheres fell with. Exit code 1 unless the angle grows with rolling friction and no contact
creates energy. Needs the Python package; 1000 spheres take about ten minutes per value.
"""

import argparse
import math
import random
import sys
import time
from pathlib import Path

import numpy as np
import voussoir

RADIUS, DENSITY, MU, STEP = 0.05, 2500.0, 0.5, 1 / 120
TOLERANCE = 1e-9  # of a step: for errors of a contact's work below 1e-12 of the energy


def pour(count, share):
    """A world with a column of spheres, a little disturbed."""
    world = voussoir.World()
    world.add_material("grain", mu=MU, rolling=share * RADIUS)
    world.add_floor()
    sphere = voussoir.Sphere(RADIUS)
    draw = random.Random(1)
    side = max(3, round((count / 2) ** (1 / 3)))
    for k in range(count):
        i, j, layer = k % side, k // side % side, k // side**2
        x, y = (2.1 * RADIUS * (n - (side - 1) / 2) + draw.uniform(-0.04, 0.04) * RADIUS for n in (i, j))
        world.add_body(sphere, density=DENSITY, position=[x, y, RADIUS + 2.15 * RADIUS * layer + 1e-3])
    return world


def angle_of(positions):
    """Degrees: slope of the surface, by least squares over rings of the width of a sphere."""
    centre = positions[:, :2].mean(axis=0)
    distance = np.hypot(*(positions[:, :2] - centre).T)
    top = positions[:, 2].max()
    ring = (distance / (2 * RADIUS)).astype(int)
    surface = [(2 * RADIUS * (n + 0.5), positions[ring == n, 2].max()) for n in range(ring.max() + 1) if (ring == n).any()]
    slope = [(r, z) for r, z in surface if 0.15 * top < z < 0.85 * top]
    if len(slope) < 3:
        slope = surface
    r, z = np.array(slope).T
    return math.degrees(math.atan(-np.polyfit(r, z, 1)[0]))


def run(count, share, longest):
    world = pour(count, share)
    simulation = world.simulate(step=STEP, tolerance=TOLERANCE)
    started, least, factorizations, slowest, quiet = time.time(), 0.0, 0, 0.0, 0
    height = np.mean([body.position[2] for body in world.bodies])
    scale = sum(body.mass for body in world.bodies) * 9.81 * height
    inaccurate = 0
    while world.time < longest and quiet < 24:
        report = simulation.step()
        inaccurate += report.status != "converged"
        factorizations += report.factorizations
        slowest = max(slowest, report.seconds_total)
        contacts = simulation.contacts
        if len(contacts):
            least = min(least, contacts["dissipation"].min() / scale)
        quiet = quiet + 1 if report.energy.kinetic < 1e-7 * scale and world.time > 1 else 0
    positions = np.array([body.position for body in world.bodies])
    steps = round(world.time / STEP)
    return {
        "share": share, "angle": angle_of(positions), "time": world.time, "least": least, "inaccurate": inaccurate,
        "factorizations": factorizations / steps, "slowest": slowest, "seconds": time.time() - started, "positions": positions,
    }


def draw_picture(results, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(results) + 1, figsize=(3 * (len(results) + 1), 2.8))
    axes[0].plot([r["share"] for r in results], [r["angle"] for r in results], "o-")
    axes[0].set_xlabel("rolling friction / radius")
    axes[0].set_ylabel("angle of repose, degrees")
    axes[0].grid(alpha=0.3)
    for axis, r in zip(axes[1:], results):
        p = r["positions"] - [*r["positions"][:, :2].mean(axis=0), 0]
        slice_ = p[np.abs(p[:, 1]) < 3 * RADIUS]
        for x, y, z in slice_[np.argsort(-slice_[:, 1])]:
            axis.add_patch(plt.Circle((x, z), RADIUS, facecolor=str(0.9 - 0.4 * (0.5 - y / (6 * RADIUS))), edgecolor="0.25", lw=0.4))
        axis.set_xlim(-1, 1)
        axis.set_ylim(0, 1)
        axis.set_aspect("equal")
        axis.set_title(f"{r['share']:g} R: {r['angle']:.1f}°", fontsize=10)
        axis.axis("off")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spheres", type=int, default=1000)
    parser.add_argument("--rolling", default="0,0.05,0.1,0.2,0.4")
    parser.add_argument("--longest", type=float, default=4, help="s, simulated")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--heaps", type=Path, help="folder for the final positions, as .npy")
    given = parser.parse_args()
    table = ["| rolling friction / radius | angle of repose, degrees | at rest after, s | least dissipation of a contact / energy | "
             "inaccurate steps | factorizations per step | slowest step, s |", "|---|---|---|---|---|---|---|"]
    print("\n".join(table), flush=True)
    results = []
    for share in map(float, given.rolling.split(",")):
        r = run(given.spheres, share, given.longest)
        results.append(r)
        table.append(f"| {share:g} | {r['angle']:.2f} | {r['time']:.2f} | {r['least']:.1e} | {r['inaccurate']} | {r['factorizations']:.1f} | {r['slowest']:.2f} |")
        print(table[-1] + f"   {r['seconds']:.0f} s", flush=True)
        if given.heaps:
            given.heaps.mkdir(parents=True, exist_ok=True)
            np.save(given.heaps / f"heap-{share:g}.npy", r["positions"])
        if given.picture:
            draw_picture(results, given.picture)
    if given.output:
        given.output.write_text("\n".join(table) + "\n", encoding="utf-8")
    angles = [r["angle"] for r in results]
    good = all(a < b for a, b in zip(angles, angles[1:])) and all(r["least"] > -1e-12 and not r["inaccurate"] for r in results)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
