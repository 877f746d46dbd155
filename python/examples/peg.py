#!/usr/bin/python3
"""A peg in a hole with 10 micrometres of clearance, as an environment, and its solution in seconds.

A hand on slides holds a square peg of 20 mm by a compliant wrist and pushes it into a hole of 20.01 mm with a chamfer of 1 mm.
Where the hole is, the hand knows to 1.5 mm only, and the peg is tilted by up to half a degree. An action has three numbers:
how hard the hand presses (0 … 1) and by how much it moves sideways from where it believes the hole to be (-1 … 1, mm).
Pressing costs. A policy of four numbers presses, circles and yields to what it feels; the cross-entropy method finds them.

    python3 peg.py [--seed 1] [--rounds 2] [--threads N]

It prints how deep the pegs of a search that never met these holes go, and how fast. The figures are the same on every run.
"""

from __future__ import annotations

import argparse
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

import voussoir
from cross_entropy import search
from voussoir.env import Box, Task, VectorEnv

FloatArray = npt.NDArray[np.float64]
WIDTH, LENGTH, CLEARANCE = 0.02, 0.06, 1e-5  # m, of the peg; of the hole
CHAMFER, DEPTH, OUTSIDE = 0.001, 0.03, 0.04  # m: of the hole; half the width of the block around it
START, GOAL = 0.002, 0.02  # m: of the peg above the block, and how deep it must go
OFF, TILT = 1.5e-3, 0.0087  # m, rad: what the hand does not know
FORCE, REACH = 20.0, 1e-3  # N and m: what an action of 1 means


def wall(side: int, axis: int) -> voussoir.Hull:
    """The part of the block on one side of the hole, with its chamfer."""
    inner = (WIDTH + CLEARANCE) / 2
    profile = [(inner, -DEPTH), (inner, -CHAMFER), (inner + CHAMFER, 0.0), (OUTSIDE, 0.0), (OUTSIDE, -DEPTH)]
    points = [(side * r, along, z) for r, z in profile for along in (-OUTSIDE, OUTSIDE)]
    return voussoir.Hull([(x, y, z) if axis == 0 else (y, x, z) for x, y, z in points])


class Peg(Task):
    """Observation (7): how far the hand is from where it believes the hole to be (x, y), depth, their rates, press; mm, mm/s, 1."""

    steps, limit = 4, 100  # of 1/480 s
    action_space = Box([0.0, -1.0, -1.0], [1.0, 1.0, 1.0])
    observation_space = Box(-np.inf, np.inf, (7,))

    def make(self, worlds: int, threads: Optional[int]) -> voussoir.Batch:
        self.error, self.pressed = np.zeros((worlds, 2)), np.zeros(worlds)
        return voussoir.Batch(self.build, worlds, threads=threads)

    def build(self, k: int) -> voussoir.Simulation:
        """Joints: slides along x, y, z, then two hinges at the tip of the peg, where a remote-centre wrist has them."""
        world = voussoir.World(gravity=(0, 0, 0))  # the hand carries the weight
        steel = world.add_material("steel", mu=0.2)
        block: List[Any] = [(wall(side, axis), voussoir.Pose()) for axis in (0, 1) for side in (-1, 1)]
        world.add_body(block, motion="static", material=steel)
        tip, above = (0.0, 0.0, START), (0.0, 0.0, START + LENGTH)
        part: Optional[voussoir.Body] = None
        for axis in np.eye(3):
            carriage = world.add_body(voussoir.Box((0.02,) * 3), mass=0.2, position=above, mask=0)
            gains, damping = ((0.0, 0.0), 60.0) if axis[2] else ((4000.0, 60.0), 0.0)
            world.add_joint("prismatic", part, carriage, position=above, axis=axis, gains=gains, damping=damping)
            part = carriage
        gimbal = world.add_body(voussoir.Box((0.02,) * 3), mass=0.05, position=above, mask=0)
        peg = world.add_body(
            voussoir.Box((WIDTH, WIDTH, LENGTH)), mass=0.2, position=(0, 0, START + LENGTH / 2), material=steel, name="peg"
        )
        world.add_joint("revolute", part, gimbal, position=tip, axis=[0, 1, 0], gains=(5.0, 0.05))
        world.add_joint("revolute", gimbal, peg, position=tip, axis=[1, 0, 0], gains=(5.0, 0.05))
        return world.simulate(step=1 / 480)

    def begin(self, batch: voussoir.Batch, k: int, random: np.random.Generator) -> None:
        """The hole is somewhere else, and the peg is tilted."""
        self.error[k] = random.uniform(-OFF, OFF, 2)
        self.pressed[k] = 0
        joints = batch[k].world.joints
        for joint, tilt in zip(joints[3:], random.uniform(-TILT, TILT, 2)):
            joint.coordinate = joint.target = tilt
        for joint, off in zip(joints[:2], self.error[k]):
            joint.coordinate = joint.target = off

    def act(self, batch: voussoir.Batch, actions: FloatArray) -> None:
        targets, efforts = np.full((len(batch), 5), np.nan), np.full((len(batch), 5), np.nan)
        targets[:, :2] = self.error + REACH * actions[:, 1:]
        efforts[:, 2] = -FORCE * actions[:, 0]
        self.pressed = actions[:, 0].copy()
        batch.command_targets(targets)
        batch.command_efforts(efforts)

    def observe(self, batch: voussoir.Batch) -> FloatArray:
        motion = 1e3 * batch.joint_motion()[:, :3]
        aside, depth = motion[:, :2, 0] - 1e3 * self.error, -motion[:, 2, 0] - 1e3 * START
        return np.column_stack([aside, depth, motion[:, :, 1], self.pressed])

    def evaluate(
        self, batch: voussoir.Batch, observations: FloatArray, actions: FloatArray
    ) -> Tuple[FloatArray, npt.NDArray[np.bool_], Dict[str, Any]]:
        depth = observations[:, 2]
        inside = depth >= 1e3 * GOAL
        rewards = 1.0 * inside - 0.01 - 0.01 * actions[:, 0]  # time and pressing cost
        return rewards, inside, {"inside": inside, "depth": depth.copy()}


# ---- a policy and its search -----------------------------------------------------------------------

FIRST = np.array([0.4, 0.8, 0.3, 0.1]), np.array([0.2, 0.3, 0.1, 0.2])  # where the search begins: mean, deviation


def policy(numbers: FloatArray, frame: int, observations: FloatArray) -> FloatArray:
    """Presses; circles with some amplitude and rate; follows where the chamfer and the walls push the hand."""
    press, amplitude, rate, follow = numbers
    turn = rate * frame
    circle = amplitude * np.array([np.cos(turn), np.sin(turn)])
    aside = np.minimum(follow, 1) * observations[:, :2] + circle
    return np.column_stack([np.full(len(observations), press), aside])


def episode(env: VectorEnv, numbers: FloatArray, seed: int) -> Tuple[FloatArray, Dict[str, FloatArray]]:
    """Sum of rewards, and how each world ended."""
    observations, _ = env.reset(seed=seed)
    total, live, frames = np.zeros(env.num_envs), np.ones(env.num_envs, bool), np.zeros(env.num_envs)
    last: Dict[str, FloatArray] = {name: np.zeros(env.num_envs) for name in ("inside", "depth", "inaccurate")}
    for frame in range(env.task.limit):
        observations, rewards, terminated, truncated, info = env.step(policy(numbers, frame, observations))
        total += np.where(live, rewards, 0)
        frames += live
        for name in ("inside", "depth"):
            last[name] = np.where(live, info[name], last[name])
        last["inaccurate"] += np.where(live, info["inaccurate"], 0)
        live &= ~(terminated | truncated)
        if not live.any():
            break
    return total, {**last, "time": frames * env.task.steps / 480}


def main() -> int:
    parser = argparse.ArgumentParser(description="A peg in a hole with 10 micrometres of clearance.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2, help="of the search")
    parser.add_argument("--threads", type=int, default=None, help="default: all cores; the result is the same")
    options = parser.parse_args()

    task = Peg()
    env = VectorEnv(task, 6, threads=options.threads)
    numbers = search(
        lambda numbers: float(episode(env, numbers, options.seed)[0].mean()), *FIRST, seed=options.seed, rounds=options.rounds
    )
    print("policy: press {:.3f}, circle {:.3f} mm, {:.3f} rad per action, follow {:.3f}".format(*numbers))
    total, last = episode(env, numbers, options.seed + 1000)  # holes that are elsewhere
    for k in range(env.num_envs):
        x, y = 1e3 * task.error[k]
        print(f"  hole off by {x:5.2f}, {y:5.2f} mm: {last['depth'][k]:5.1f} mm deep after {last['time'][k]:.2f} s")
    solved = bool(last["inside"].all())
    print(f"{'solved' if solved else 'not solved'}, mean return {total.mean():.3f}, {int(last['inaccurate'].sum())} inaccurate steps")
    return 0 if solved else 1


if __name__ == "__main__":
    raise SystemExit(main())
