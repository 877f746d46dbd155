#!/usr/bin/python3
"""The throw that sends a ball through a ring after it has bounced off the floor and off a wall.

    python3 throw.py                                  velocity of the throw, and by how much it misses
    python3 throw.py --picture throw.png              with all throws on the way, and how fast they come closer
    python3 throw.py --ring 2.0 0.5 0.6

Newton's method moves the three numbers of the velocity until the ball is in the ring at the given time. The derivative of the
place by the throw goes through both impacts, with friction and spin, and through the times at which they happen: they are
located (`accuracy`). With steps of fixed length it would be another one, and the search would end elsewhere.
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

import voussoir

Array = npt.NDArray[np.float64]

RADIUS, WALL, HAND = 0.1, 3.0, [0.0, 0.0, 1.5]  # m
STEP, STEPS = 0.01, 120  # s: in the ring after 1.2 s
GUESS = [3.6, 0.1, 0.0]  # m/s


def throw(velocity: Array) -> "tuple[Array, Array]":
    """The path of the ball, (steps + 1, 3), and the derivative of its end by the velocity of the throw, (3, 3)."""
    world = voussoir.World()
    rubber = world.add_material("rubber", mu=0.3, restitution=0.8)
    world.add_collider(voussoir.Plane(), material=rubber)
    world.add_collider(voussoir.Plane(), material=rubber, pose=voussoir.Pose([WALL, 0, 0], [np.sqrt(0.5), 0, -np.sqrt(0.5), 0]))
    world.add_body(voussoir.Sphere(RADIUS), mass=0.6, position=HAND, velocity=velocity, material=rubber)
    run = world.simulate(step=STEP, tolerance=1e-11, accuracy=1e-6).differentiate(STEPS)
    columns = []
    for k in range(3):
        direction = np.zeros((1, 6))
        direction[0, k] = 1
        columns.append(run.tangent(velocity=direction).pose[-1, 0, :3])
    return run.states["pose"]["position"][:, 0], np.array(columns).T


def bounces(path: Array) -> int:
    """Kinks of a path: its velocity changes by more than gravity does."""
    change = np.diff(path, 2, axis=0) / STEP + [0, 0, 9.81 * STEP]
    struck = np.linalg.norm(change, axis=1) > 0.5
    return int(struck[0]) + int((struck[1:] & ~struck[:-1]).sum())


def aim(ring: Array) -> "tuple[Array, list[Array]]":
    """The velocity, and the paths of all throws."""
    velocity, paths = np.array(GUESS), []
    for k in range(30):
        path, by = throw(velocity)
        paths.append(path)
        miss = ring - path[-1]
        print(f"  {k}: {velocity.round(6)} m/s, {bounces(path)} bounces, misses by {1e3 * np.linalg.norm(miss):.6f} mm")
        if np.linalg.norm(miss) < 1e-9:
            break
        change = np.linalg.solve(by, miss)
        velocity = velocity + change * min(1.0, 0.5 / float(np.linalg.norm(change)))  # a long way is taken in parts
    return velocity, paths


def draw(file: str, ring: Array, paths: "list[Array]") -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (side, close) = plt.subplots(1, 2, figsize=(11, 4), width_ratios=[2, 1], layout="constrained")
    for k, path in enumerate(paths):
        last = k == len(paths) - 1
        side.plot(path[:, 0], path[:, 2], color="C0" if last else "0.75", zorder=3 if last else 1)
    side.plot(ring[0], ring[2], "o", markersize=14, markerfacecolor="none", color="C3", markeredgewidth=2)
    side.axhline(RADIUS, color="0.5", linestyle=":")
    side.axvline(WALL - RADIUS, color="0.5", linestyle=":")
    side.set(xlabel="x, m", ylabel="z, m", title="throws, from the first guess (grey) to the last", aspect="equal")
    close.semilogy([np.linalg.norm(path[-1] - ring) for path in paths], "o-")
    close.set(xlabel="throw", ylabel="distance from the ring, m", title="Newton's method through two impacts")
    figure.savefig(file, dpi=80)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ring", type=float, nargs=3, default=[2.0, 0.4, 0.9], metavar=("X", "Y", "Z"), help="m")
    parser.add_argument("--picture", metavar="FILE")
    arguments = parser.parse_args()

    ring = np.array(arguments.ring)
    velocity, paths = aim(ring)
    hit = np.linalg.norm(paths[-1][-1] - ring) < 1e-6 and bounces(paths[-1]) == 2
    print(f"throw with {velocity.round(6)} m/s")
    if arguments.picture:
        draw(arguments.picture, ring, paths)
    print("through the ring after two bounces" if hit else "missed")
    return 0 if hit else 1


if __name__ == "__main__":
    raise SystemExit(main())
