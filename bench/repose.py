#!/usr/bin/python3
"""repose.py [--spheres 1000] [--rolling 0,0.05,0.1,0.2,0.4] [--tolerance 1e-8] [--budget 1] [--jobs 1] [--output FILE.md]
[--picture FILE.png] [--heaps FOLDER]: angle of repose of poured spheres over their rolling friction.

Spheres of radius 5 cm are poured, forty at a time from just above the heap, onto a floor and come to rest. Rolling friction is given as
a share of the radius; sliding friction is 0.5, and spinning friction 0.1 of the radius, without which spheres spin about the normal for
ever. The angle is that of a cone fitted to the surface of the heap: the highest spheres in rings around the centre of mass, without the
innermost and the outermost part. The dissipation of every contact in every step is printed where it is least, relative to the energy of
the spheres in that step, kinetic and above the floor, apart for steps that met the tolerance and those that did not. Exit code 1 unless the
angle grows with rolling friction and no dissipation is below -1e-12. Needs the Python package; 1000 spheres take 2 to 8 minutes per value.
"""

import argparse
import math
import multiprocessing
import random
import sys
import time
from pathlib import Path

import numpy as np
import voussoir

RADIUS, DENSITY, MU, SPINNING, STEP = 0.05, 2500.0, 0.5, 0.1, 1 / 120  # SPINNING: of the radius
POUR, POURED, SPOUT = 0.08, 40, 10 * RADIUS  # s, spheres at a time, m: radius of the circle in which their centres are


class Pour:
    """A world into which spheres fall, POURED every POUR seconds, at random places within the spout."""

    def __init__(self, count, share):
        self.world = voussoir.World()
        self.world.add_material("grain", mu=MU, rolling=share * RADIUS, spinning=SPINNING * RADIUS)
        self.world.add_floor()
        self.sphere, self.draw, self.left, self.due = voussoir.Sphere(RADIUS), random.Random(1), count, 0.0
        self.spheres = []

    def add(self):
        if self.left == 0 or self.world.time < self.due:
            return
        top = max((body.position[2] for body in self.spheres), default=0.0)
        places = []
        while len(places) < min(POURED, self.left):
            r, angle = SPOUT * math.sqrt(self.draw.random()), self.draw.uniform(0, 2 * math.pi)
            x, y = r * math.cos(angle), r * math.sin(angle)
            if all(math.hypot(x - p, y - q) > 2.05 * RADIUS for p, q in places):
                places.append((x, y))
        for x, y in places:
            self.spheres.append(
                self.world.add_body(self.sphere, density=DENSITY, position=[x, y, top + 3 * RADIUS], velocity=[0, 0, -1])
            )
        self.left -= len(places)
        self.due = self.world.time + POUR


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


def run(case):
    count, share, longest, tolerance, budget = case
    heap = Pour(count, share)
    world = heap.world
    simulation = world.simulate(step=STEP, tolerance=tolerance, max_time=budget)
    started, least, factorizations, worst, slowest, quiet, inaccurate, shown = time.time(), {True: 0.0, False: 0.0}, 0, 0.0, 0.0, 0, 0, 0.0
    while (heap.left or world.time < heap.due + longest) and quiet < 24:
        heap.add()
        report = simulation.step()
        inaccurate += report.status != "converged"
        factorizations += report.factorizations
        worst, slowest = max(worst, report.relative_error), max(slowest, report.seconds_total)
        energy = report.energy.kinetic + report.energy.potential
        contacts = simulation.contacts
        if len(contacts):
            met = report.status == "converged"
            least[met] = min(least[met], contacts["dissipation"].min() / energy)
        quiet = quiet + 1 if report.energy.kinetic < 1e-7 * energy and not heap.left else 0
        if world.time >= shown:
            shown += 1
            print(f"{share:g} R, {world.time:.2f} s: {len(heap.spheres)} spheres, {len(contacts)} contacts, {inaccurate} inaccurate steps, "
                  f"least {least[True]:.1e}, {least[False]:.1e}, {time.time() - started:.0f} s", file=sys.stderr, flush=True)
    positions = np.array([body.position for body in heap.spheres])
    steps = round(world.time / STEP)
    return {
        "share": share, "angle": angle_of(positions), "time": world.time, "least": least, "inaccurate": inaccurate, "steps": steps,
        "worst": worst, "factorizations": factorizations / steps, "slowest": slowest, "seconds": time.time() - started, "positions": positions,
    }


def draw_picture(results, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(10, 4.6))
    rows = (len(results) + 1) // 2
    grid = figure.add_gridspec(rows, 3, width_ratios=(1.3, 1, 1))
    curve = figure.add_subplot(grid[:, 0])
    curve.plot([r["share"] for r in results], [r["angle"] for r in results], "o-")
    curve.set_xlabel("rolling friction / radius")
    curve.set_ylabel("angle of repose, degrees")
    curve.grid(alpha=0.3)
    heaps = [figure.add_subplot(grid[k % rows, 1 + k // rows]) for k in range(len(results))]
    for axis, r in zip(heaps, results):
        p = r["positions"] - [*r["positions"][:, :2].mean(axis=0), 0]
        slice_ = p[np.abs(p[:, 1]) < 3 * RADIUS]
        for x, y, z in slice_[np.argsort(-slice_[:, 1])]:
            axis.add_patch(plt.Circle((x, z), RADIUS, facecolor=str(0.9 - 0.4 * (0.5 - y / (6 * RADIUS))), edgecolor="0.25", lw=0.4))
        axis.set_xlim(-1.4, 1.4)
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
    parser.add_argument("--longest", type=float, default=2, help="s, simulated after the last sphere")
    parser.add_argument("--tolerance", type=float, default=1e-8, help="of a step")
    parser.add_argument("--budget", type=float, default=1.0, help="s of processor time per step, then its best iterate is taken; 0: none")
    parser.add_argument("--jobs", type=int, default=1, help="values at the same time")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--heaps", type=Path, help="folder for the final positions, as .npy")
    given = parser.parse_args()
    table = ["| rolling friction / radius | angle of repose, degrees | at rest after, s | least dissipation of a contact / energy | of inaccurate steps | "
             "steps | inaccurate | largest error | factorizations per step | slowest step, s |", "|---|---|---|---|---|---|---|---|---|---|"]
    print("\n".join(table), flush=True)
    results = []
    cases = [(given.spheres, float(share), given.longest, given.tolerance, given.budget) for share in given.rolling.split(",")]
    with multiprocessing.get_context("spawn").Pool(given.jobs) as pool:  # ends with this one
        for r in pool.imap(run, cases):
            results.append(r)
            share = r["share"]
            table.append(f"| {share:g} | {r['angle']:.2f} | {r['time']:.2f} | {r['least'][True]:.1e} | {r['least'][False]:.1e} | {r['steps']} | {r['inaccurate']} | {r['worst']:.1e} | {r['factorizations']:.1f} | {r['slowest']:.2f} |")
            print(table[-1] + f"   {r['seconds']:.0f} s", flush=True)
            if given.heaps:
                given.heaps.mkdir(parents=True, exist_ok=True)
                np.save(given.heaps / f"heap-{share:g}.npy", r["positions"])
            if given.picture:
                draw_picture(results, given.picture)
    if given.output:
        given.output.write_text("\n".join(table) + "\n", encoding="utf-8")
    angles = [r["angle"] for r in results]
    good = all(a < b for a, b in zip(angles, angles[1:])) and all(min(r["least"].values()) > -1e-12 for r in results)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
