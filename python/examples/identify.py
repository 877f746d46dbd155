#!/usr/bin/python3
"""Mass and friction of a sliding block from its recorded positions, with their confidence, by derivatives of the run.

    python3 identify.py                               a recording is made first: 2.3 kg, mu 0.27, noise of 0.5 mm
    python3 identify.py --picture identify.png        with the fit, what it leaves, and the region of confidence
    python3 identify.py --noise 0.005 --seed 3

The block is pushed with known forces and slides to rest. Newton's method of least squares (Gauss) moves mass and friction
until the simulated positions fit the recorded ones; the derivatives of all positions by both numbers come with each run.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

import voussoir

Array = npt.NDArray[np.float64]

STEP, STEPS, EVERY = 0.005, 260, 4  # s; steps; steps per recorded frame
PUSH, PUSHED = np.array([18.0, 4.0, 0.0]), 80  # N, in so many steps
SPEED = [0.4, 0.1, 0]  # m/s, at the beginning


def block(mass: float, mu: float) -> "tuple[voussoir.World, voussoir.Body]":
    world = voussoir.World()
    felt = world.add_material("felt", mu=mu)
    world.add_collider(voussoir.Plane(), material=felt)
    shape = voussoir.Box([0.2, 0.16, 0.06])
    return world, world.add_body(shape, mass=mass, position=[0, 0, 0.03], velocity=SPEED, material=felt)


def record(path: Path, mass: float, mu: float) -> None:
    """What an experiment would give: a trajectory file."""
    world, body = block(mass, mu)

    def push(world: voussoir.World) -> None:
        if world.time < (PUSHED - 0.5) * STEP:
            body.apply_force(PUSH)

    world.simulate(step=STEP, before=push).run(STEPS * STEP, record=path, frame=EVERY * STEP)


def run(mass: float, mu: float) -> "tuple[Array, Array]":
    """Positions in the plane, (frames, 2), and their derivatives by mass and friction, (frames, 2, 2)."""
    world, body = block(mass, mu)
    force = np.zeros((STEPS, 1, 6))
    force[:PUSHED, 0, :3] = PUSH
    found = world.simulate(step=STEP, tolerance=1e-11).differentiate(
        STEPS, [("mass", body), ("mu", "felt", "felt")], force=force
    )
    return found.states["pose"]["position"][::EVERY, 0, :2], found.jacobian().pose[::EVERY, 0, :2, :]


def fit(measured: Array, guess: "tuple[float, float]") -> "tuple[Array, Array, Array]":
    """Mass and friction, their covariance, and the positions."""
    numbers = np.array(guess)
    for iteration in range(20):
        positions, by = run(*numbers)
        left, J = (measured - positions).ravel(), by.reshape(-1, 2)
        print(f"  {iteration}: mass {numbers[0]:.6f} kg, mu {numbers[1]:.6f}, misfit {1e3 * left.std():.3f} mm")
        change = np.linalg.lstsq(J, left, rcond=None)[0]
        numbers = np.maximum(numbers + change, 0.2 * numbers)  # a long way is taken in parts
        if np.all(np.abs(change) < 1e-9 * numbers):
            return numbers, left @ left / (left.size - 2) * np.linalg.inv(J.T @ J), positions
    raise SystemExit("the fit has not converged")


def draw(path: str, measured: Array, positions: Array, numbers: Array, spread: Array) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (way, rest, region) = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
    time = EVERY * STEP * np.arange(len(measured))
    for k, name in enumerate("xy"):
        way.plot(time, measured[:, k], ".", markersize=3, color=f"C{k}")
        way.plot(time, positions[:, k], color=f"C{k}", label=name)
        rest.plot(time, 1e3 * (measured - positions)[:, k], ".", color=f"C{k}")
    way.set(xlabel="time, s", ylabel="position, m", title="recorded and fitted")
    way.legend()
    rest.set(xlabel="time, s", ylabel="mm", title="what is left")
    values, axes = np.linalg.eigh(spread)
    angle = np.linspace(0, 2 * np.pi, 100)
    ellipse = numbers[:, None] + axes @ (np.sqrt(5.991 * values)[:, None] * [np.cos(angle), np.sin(angle)])
    region.plot(*ellipse)
    region.plot(*numbers, "+")
    region.set(xlabel="mass, kg", ylabel="friction", title="region of 95 %")
    figure.savefig(path, dpi=80)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mass", type=float, default=2.3, help="of the experiment, kg")
    parser.add_argument("--mu", type=float, default=0.27, help="of the experiment")
    parser.add_argument("--noise", type=float, default=5e-4, help="of the recorded positions, m")
    parser.add_argument("--seed", type=int, default=1, help="of the noise")
    parser.add_argument("--picture", metavar="FILE")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "experiment.h5"
        record(path, arguments.mass, arguments.mu)
        with voussoir.Trajectory(path) as trajectory:
            measured = np.array(trajectory.pose[:, 0, :2])
    measured += np.random.default_rng(arguments.seed).normal(scale=arguments.noise, size=measured.shape)
    numbers, spread, positions = fit(measured, (1.5, 0.4))
    inside = True
    for name, value, error, truth in zip(("mass", "mu"), numbers, np.sqrt(np.diag(spread)), (arguments.mass, arguments.mu)):
        print(f"{name:>5} {value:.5f} +- {1.96 * error:.5f} (95 %), true {truth}")
        inside = inside and abs(value - truth) < 4 * error
    if arguments.picture:
        draw(arguments.picture, measured, positions, numbers, spread)
    print("identified" if inside else "the true values are far outside")
    return 0 if inside else 1


if __name__ == "__main__":
    raise SystemExit(main())
