#!/usr/bin/python3
"""A quadruped that is kicked forward and would fall over its front legs: torques that catch it, found by gradients through contact.

    python3 stabilize.py                              torques, and how it stands afterwards
    python3 stabilize.py --picture stabilize.png      with the pitch of its trunk, with and without them
    python3 stabilize.py --rounds 5                   a shorter search

The robot of quadruped.xml stands with servos in its joints. Kicked with 1.5 m/s it lands on its head. For the first 0.4 s torques of
at most 12 N m may be added to each hip and knee, the same on both sides, constant over 20 ms: 80 numbers. One adjoint of the
run gives the derivative of how upright and calm it is at the end by all of them, through feet that stick, slip, lift off and land;
SciPy's L-BFGS-B does the rest. Then the servos are alone again.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, List, Optional, Tuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

import voussoir

Array = npt.NDArray[np.float64]

STEP, STEPS, HOLD = 4e-3, 100, 5  # s, steps that are planned, steps of constant torque
KICK, STIFFNESS, DAMPING, TORQUE = 1.5, 150.0, 3.0, 12.0  # m/s; N m/rad, N m s/rad, N m
LEGS, HEIGHT = 4, 0.355  # m, of the trunk that stands
PLAN = (STEPS // HOLD, 4)  # torques of front hip and knee, hind hip and knee


def kicked() -> voussoir.Simulation:
    robot = voussoir.scene(Path(__file__).with_name("quadruped.xml"))
    robot.set_keyframe("home")
    for joint in robot.world.joints:
        joint.gains = STIFFNESS, DAMPING
        joint.target = joint.coordinate
    for body in robot.world.bodies:
        if body.mass > 0:
            body.velocity = [KICK, 0, 0]
    return robot.world.simulate(step=STEP, tolerance=1e-10)


def torques(plan: Array) -> Array:
    """On each body in each step, (steps, bodies, 6): of the motor on a shank, and against it on the thigh; about y."""
    force = np.zeros((STEPS, 1 + 2 * LEGS, 6))
    every = np.repeat(plan.reshape(PLAN), HOLD, axis=0)
    for leg in range(LEGS):
        hip, knee = every[:, 2 * (leg // 2)], every[:, 2 * (leg // 2) + 1]
        force[:, 0, 4] -= hip
        force[:, 1 + 2 * leg, 4] = hip - knee
        force[:, 2 + 2 * leg, 4] = knee
    return force


def gather(force: Array) -> Array:
    """The transpose of `torques`: from a gradient by forces to one by the plan."""
    plan = np.zeros((STEPS, 4))
    for leg in range(LEGS):
        thigh = force[:, 1 + 2 * leg, 4]
        plan[:, 2 * (leg // 2)] += thigh - force[:, 0, 4]
        plan[:, 2 * (leg // 2) + 1] += force[:, 2 + 2 * leg, 4] - thigh
    return np.asarray(plan.reshape(PLAN[0], HOLD, 4).sum(axis=1).reshape(-1))


def pitch_of(states: Any) -> Array:
    q = states["pose"]["rotation"]
    return np.asarray(2 * np.arctan2(q[..., 2], q[..., 0]))


def loss_of(states: Any) -> Tuple[float, Array, Array]:
    """How far the trunk is from standing still in the last quarter, and its derivatives: (steps + 1, bodies, 6) twice."""
    last = np.arange(len(states)) > 0.75 * STEPS
    trunk, share = states[:, 0], last / last.sum()
    pitch, height = pitch_of(trunk), trunk["pose"]["position"][:, 2] - HEIGHT
    speed, rate = trunk["velocity"][:, 0], trunk["spin"][:, 1]
    loss = float((share * (10 * pitch**2 + 100 * height**2 + speed**2 + 0.1 * rate**2)).sum())
    pose, velocity = np.zeros((*states.shape, 6)), np.zeros((*states.shape, 6))
    pose[:, 0, 4], pose[:, 0, 2] = 20 * share * pitch, 200 * share * height
    velocity[:, 0, 0], velocity[:, 0, 4] = 2 * share * speed, 0.2 * share * rate
    return loss, pose, velocity


def evaluate(plan: Array) -> Tuple[float, Array]:
    """The loss and its gradient; voussoir.Unsupported where a step has none, as when the robot has fallen into itself."""
    run = kicked().differentiate(STEPS, force=torques(plan))
    loss, pose, velocity = loss_of(run.states)
    gradient = gather(run.adjoint(pose=pose, velocity=velocity).force)
    effort = plan / TORQUE
    return loss + 1e-3 * float((effort**2).mean()), gradient + 2e-3 * effort / (TORQUE * len(plan))


class Search:
    """What the optimizer calls. A plan without a gradient counts as much worse than the best one, so that a line search turns back."""

    def __init__(self) -> None:
        self.best, self.plan, self.runs = np.inf, np.zeros(PLAN[0] * PLAN[1]), 0
        self.losses: List[float] = []

    def __call__(self, plan: Array) -> Tuple[float, Array]:
        self.runs += 1
        try:
            loss, gradient = evaluate(plan)
        except voussoir.Unsupported as reason:
            print(f"     {reason}", flush=True)
            away = plan - self.plan
            return 3 * self.best + float(away @ away), 2 * away
        if loss < self.best:
            self.best, self.plan = loss, plan.copy()
        return loss, gradient

    def note(self, _: Array) -> None:
        self.losses.append(self.best)
        print(f"  {len(self.losses) - 1}: loss {self.best:.4f} after {self.runs} runs", flush=True)


def check(plan: Array) -> float:
    """Largest difference of a directional derivative from that of runs, relative."""
    random, worst = np.random.default_rng(1), 0.0
    _, gradient = evaluate(plan)
    for _ in range(3):
        way = random.normal(size=plan.shape)
        ends = [evaluate(plan + x * way)[0] for x in (1e-5, -1e-5)]
        exact = (ends[0] - ends[1]) / 2e-5
        worst = max(worst, abs(float(gradient @ way) - exact) / abs(exact))
    return worst


def follow(plan: Optional[Array], steps: int) -> Array:
    """Pitch of the trunk over time, with the servos alone after the plan; rad."""
    simulation, force = kicked(), torques(np.zeros(PLAN) if plan is None else plan)
    bodies, pitch = [body for body in simulation.world.bodies if body.mass > 0], []
    for k in range(steps):
        for body, push in zip(bodies, force[k] if k < STEPS else []):
            body.apply_torque(push[3:])
        simulation.step()
        pitch.append(float(pitch_of(simulation.world.states()[0])))
    return np.array(pitch)


def draw(file: str, plan: Array, pitches: "list[Array]", losses: "list[float]") -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(13, 3.6), layout="constrained")
    for pitch, label in zip(pitches, ("servos alone", "with the torques")):
        axes[0].plot(STEP * np.arange(1, len(pitch) + 1), np.degrees(pitch), label=label)
    axes[0].axvspan(0, STEP * STEPS, color="0.93")
    axes[0].set(xlabel="time, s", ylabel="pitch of the trunk, degrees", title="kicked with 1.5 m/s")
    axes[0].legend()
    for k, name in enumerate(("front hip", "front knee", "hind hip", "hind knee")):
        axes[1].step(STEP * HOLD * np.arange(len(plan)), plan[:, k], where="post", label=name)
    axes[1].set(xlabel="time, s", ylabel="torque, N m", title="the plan")
    axes[1].legend(fontsize="small")
    axes[2].semilogy(losses, "o-", markersize=3)
    axes[2].set(xlabel="iteration", ylabel="loss", title="search")
    figure.savefig(file, dpi=80)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6, help="iterations of the search")
    parser.add_argument("--check", action="store_true", help="compare the first gradient with differences of runs")
    parser.add_argument("--picture", metavar="FILE")
    arguments = parser.parse_args()

    if arguments.check:
        print(f"gradient against differences: {check(np.zeros(PLAN).reshape(-1)):.1e}")
    search = Search()
    bounds, limits = [(-TORQUE, TORQUE)] * search.plan.size, {"maxiter": arguments.rounds}
    search(search.plan)
    search.note(search.plan)
    minimize(search, search.plan, jac=True, method="L-BFGS-B", bounds=bounds, callback=search.note, options=limits)
    plan = search.plan.reshape(PLAN)
    pitches = [follow(None, 4 * STEPS), follow(plan, 4 * STEPS)]
    for pitch, label in zip(pitches, ("servos alone", "with the torques")):
        print(f"{label}: pitch {np.degrees(np.abs(pitch).max()):.1f} degrees at most, {np.degrees(pitch[-1]):.1f} after {STEP * len(pitch):.1f} s")
    if arguments.picture:
        draw(arguments.picture, plan, pitches, search.losses)
    stands = np.abs(pitches[1]).max() < 0.5 and abs(pitches[1][-1]) < 0.1
    print(f"{search.runs} runs with their adjoints; {'it stands' if stands else 'it falls'}")
    return 0 if stands else 1


if __name__ == "__main__":
    raise SystemExit(main())
