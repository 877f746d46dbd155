#!/usr/bin/python3
"""The lightest arch that withstands a given tilt: its thickness at every joint, found by derivatives of the limit load.

    python3 lighter_arch.py                               the thinnest even arch, and the lightest one of varying thickness
    python3 lighter_arch.py --picture lighter_arch.png    with both, and the history of the search
    python3 lighter_arch.py --stones 20 --rounds 12       a short search

A semicircle of stones on radial joints, with the mean radius R = 1 m. The thickness t is a number for each joint, the same on both
sides. The margin is the largest horizontal load, in parts of the weight, that the arch carries: the tangent of the tilt. The
limit of an even arch without a margin is known, t/R = 0.10748 for stones without number (Milankovitch 1907); it is the
check. Forces and mechanism of the limit load give its derivative by every corner; by a sequence of linear programs the volume
falls until no thickness can be taken away. A margin that several mechanisms reach at once has a kink: all mechanisms that
were met close by stay in the program as bounds.
"""

from __future__ import annotations

import argparse
from typing import List, NamedTuple, Tuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

import voussoir

Array = npt.NDArray[np.float64]

RADIUS, DEPTH, DENSITY, MU = 1.0, 0.5, 2000.0, 0.9  # m, m, kg/m^3
KNOWN = 0.10748  # t/R of an even semicircular arch
LEAST, SMALL = 0.02, 1e-4  # m, least thickness; margin from which the limit is extrapolated
GRAVITY = np.array([0.0, 0.0, -9.81])


def outline(thickness: Array, k: int) -> Array:
    """Corners of stone k in the plane, (4, 2): inner and outer one of its second joint, outer and inner one of its first."""
    angle = np.pi * np.array([k + 1, k + 1, k, k]) / (len(thickness) - 1)
    radius = RADIUS + 0.5 * np.array([-1, 1, 1, -1]) * thickness[[k + 1, k + 1, k, k]]
    return np.asarray(np.column_stack([-radius * np.cos(angle), radius * np.sin(angle)]))


def area_and_centre(corners: Array) -> Tuple[float, Array]:
    ahead = np.roll(corners, -1, axis=0)
    cross = corners[:, 0] * ahead[:, 1] - corners[:, 1] * ahead[:, 0]
    area = cross.sum() / 2
    return float(area), np.asarray((corners + ahead).T @ cross / (6 * area))


class Margin(NamedTuple):
    stands: bool
    value: float
    by: Array  # (joints) 1/m, by the thickness of each joint


def margin_of(thickness: Array) -> Margin:
    """Of the arch, with its derivative by the thickness of each joint."""
    world = voussoir.World()
    stone = world.add_material("stone", mu=MU)
    n = len(thickness) - 1
    for x in (-RADIUS, RADIUS):
        world.add_collider(voussoir.Box([0.8, DEPTH, 0.2]), material=stone, pose=voussoir.Pose([x, 0, -0.1]))
    plane = [outline(thickness, k) for k in range(n)]
    for k in range(n):
        points = [[x, y, z] for x, z in plane[k] for y in (-DEPTH / 2, DEPTH / 2)]
        world.add_body(voussoir.Hull(points), density=DENSITY, material=stone, name=f"stone{k}")
    statics = voussoir.Statics(world)
    statics.add_live_weight([1, 0, 0])
    limit = statics.limit(gradient=True)
    if limit.gradient is None:
        return Margin(False, -np.inf, np.zeros(n + 1))
    return Margin(True, limit.lower, thickness_gradient(thickness, plane, limit, statics))


def thickness_gradient(thickness: Array, plane: "List[Array]", limit: voussoir.Limit, statics: voussoir.Statics) -> Array:
    """By corners that move along their joint; the stones on both sides change mass and centre."""
    n, by = len(thickness) - 1, np.zeros(len(thickness))
    assert limit.gradient is not None
    joint = [number_of(interface.corners, n) for interface in statics.interfaces]
    for k, interface, corners in zip(joint, statics.interfaces, limit.gradient.corners):
        for point, gradient in zip(interface.corners, corners):
            outward = direction(k, n)
            side = 1 if point[[0, 2]] @ outward > RADIUS else -1
            by[k] += side / 2 * gradient[[0, 2]] @ outward
    load = GRAVITY + limit.factor * np.linalg.norm(GRAVITY) * np.array([1.0, 0, 0])
    small = 1e-6
    for k in range(n):
        for i in (k, k + 1):
            ends = []
            for way in (small, -small):
                moved = thickness.copy()
                moved[i] += way
                ends.append(area_and_centre(outline(moved, k)))
            area, _ = area_and_centre(plane[k])
            change, shift = (ends[0][0] - ends[1][0]) / (2 * small), (ends[0][1] - ends[1][1]) / (2 * small)
            force = area * DEPTH * DENSITY * load
            turn = shift[1] * force[0] - shift[0] * force[2]  # about y
            by[i] += limit.gradient.density[k] * change / area + limit.gradient.moment[k, 1] * turn
    return by


def direction(k: int, n: int) -> Array:
    return np.array([-np.cos(np.pi * k / n), np.sin(np.pi * k / n)])


def number_of(corners: Array, n: int) -> int:
    """Of a joint, by its middle."""
    middle = corners.mean(axis=0)
    return round(n * float(np.arctan2(max(middle[2], 0), -middle[0])) / np.pi)


# ---- an even arch ------------------------------------------------------------------------------------


def even_thickness(stones: int, margin: float) -> Tuple[float, float]:
    """The thickness with this margin by Newton's method, and the derivative of the margin by it."""
    low, thickness, high, slope = 0.0, 0.2, 0.5, 1.0
    for _ in range(40):
        found = margin_of(np.full(stones + 1, thickness))
        if not found.stands:
            low, thickness = thickness, thickness + 0.5 * (high - thickness)
            continue
        high, slope = thickness, float(found.by.sum())
        change = (margin - found.value) / slope
        if abs(change) < 1e-10:
            break
        thickness = max(thickness + change, 0.5 * (low + thickness))
    return thickness, slope


# ---- the lightest arch -------------------------------------------------------------------------------


def volume(thickness: Array) -> float:
    return DEPTH * sum(area_and_centre(outline(thickness, k))[0] for k in range(len(thickness) - 1))


def volume_gradient(thickness: Array) -> Array:
    steps = 1e-6 * np.eye(len(thickness))
    return np.array([(volume(thickness + s) - volume(thickness - s)) / 2e-6 for s in steps])


def fold(values: Array) -> Array:
    """From all joints to those of one half: both sides are the same."""
    half = (len(values) + 1) // 2
    folded = values[:half] + values[::-1][:half]
    if len(values) % 2:
        folded[-1] /= 2
    return np.asarray(folded)


def unfold(half: Array, count: int) -> Array:
    return np.concatenate([half, half[: count - len(half)][::-1]])


def lighten(start: Array, margin: float, rounds: int) -> "Tuple[Array, List[Tuple[float, float]]]":
    """Linear programs within a region that shrinks where the margin would be missed."""
    count, thickness, region = len(start), start, 0.02
    found = margin_of(thickness)
    cuts, history = [], [(volume(thickness), found.value)]
    for k in range(rounds):
        half = unfold_back(thickness)
        cuts.append((found.value, fold(found.by), half))
        rows = np.array([-by for _, by, _ in cuts])
        ends = np.array([value - margin - by @ at for value, by, at in cuts])
        bounds = [(max(LEAST, t - region), t + region) for t in half]
        step = linprog(fold(volume_gradient(thickness)), rows, ends, bounds=bounds, method="highs")
        if step.status != 0:  # old mechanisms say too much
            cuts = []
            continue
        trial = unfold(step.x, count)
        there = margin_of(trial)
        # The margin is restored by what the derivative says; a trial that falls is one too far.
        if not there.stands or there.value < 0.5 * margin:
            region /= 2
            continue
        repaired = trial + max(margin - there.value, 0) / float(there.by.sum()) * 1.05
        after = margin_of(repaired)
        if after.stands and after.value >= margin * (1 - 1e-6) and volume(repaired) < volume(thickness):
            thickness, found = repaired, after
            history.append((volume(thickness), found.value))
            print(f"  {k + 1}: volume {volume(thickness):.5f} m^3, margin {found.value:.6f}", flush=True)
        else:
            if there.stands:
                cuts.append((there.value, fold(there.by), unfold_back(trial)))
            region /= 2
        if region < 1e-5:
            break
    return thickness, history


def unfold_back(thickness: Array) -> Array:
    return np.asarray(thickness[: (len(thickness) + 1) // 2])


def draw(file: str, even: Array, light: Array, history: "List[Tuple[float, float]]") -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(14, 3.8), width_ratios=[2, 1.2, 1.2], layout="constrained")
    for thickness, colour, label in ((even, "0.8", "even"), (light, "C0", "lightest")):
        for k in range(len(thickness) - 1):
            corners = outline(thickness, k)
            axes[0].fill(*corners.T, facecolor=colour, edgecolor="white", linewidth=0.8, alpha=0.8, label=label if k == 0 else None)
    axes[0].set(aspect="equal", xlabel="x, m", ylabel="z, m", title="the same margin against tilting")
    axes[0].legend(loc="lower center")
    angle = 180 * np.arange(len(light)) / (len(light) - 1)
    axes[1].plot(angle, even, color="0.6")
    axes[1].plot(angle, light, "o-", markersize=3)
    axes[1].set(xlabel="joint, degrees", ylabel="thickness, m", ylim=(0, None))
    axes[2].plot([v for v, _ in history], "o-", markersize=3)
    axes[2].set(xlabel="accepted steps", ylabel="volume, m³")
    figure.savefig(file, dpi=80)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stones", type=int, default=40)
    parser.add_argument("--margin", type=float, default=0.05, help="largest horizontal load, in parts of the weight")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--picture", metavar="FILE")
    arguments = parser.parse_args()

    thickness, slope = even_thickness(arguments.stones, SMALL)
    least = thickness - SMALL / slope
    print(f"even arch of {arguments.stones} stones without a margin: t/R = {least / RADIUS:.5f}, known for stones without number: {KNOWN}")
    even, _ = even_thickness(arguments.stones, arguments.margin)
    start = np.full(arguments.stones + 1, even)
    print(f"even arch with a margin of {arguments.margin}: t/R = {even / RADIUS:.5f}, volume {volume(start):.5f} m^3")
    light, history = lighten(start, arguments.margin, arguments.rounds)
    last = margin_of(light)
    saved = 1 - volume(light) / volume(start)
    print(f"lightest arch: volume {volume(light):.5f} m^3, {100 * saved:.1f} % less, margin {last.value:.6f}")
    if arguments.picture:
        draw(arguments.picture, start, light, history)
    good = abs(least / RADIUS - KNOWN) < 0.02 * KNOWN and last.value >= arguments.margin * (1 - 1e-6) and saved > 0.1
    print("lighter at the same margin" if good else "no lighter arch was found")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
