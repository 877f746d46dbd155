#!/usr/bin/python3
"""A quadruped that learns to trot, as an environment with the conventions of Gymnasium, and its solution in minutes.

The robot of quadruped.xml stands on ground of three slopes, which nobody tells it, and has been pushed. An action has eight
numbers, the targets of its hips and knees (-1 … 1) for their servos. Walking forward pays, effort costs, a fall ends the
episode. The gait has five numbers: stride, lift, frequency, and how the feet are moved against the pitch and the speed of
the trunk; the cross-entropy method finds them, from a robot that hardly moves.

    python3 walk.py [--seed 1] [--rounds 4] [--threads N]

It prints how far the robot walks on each slope after other pushes. The figures are the same on every run.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Dict, Optional, Tuple

import numpy as np
import numpy.typing as npt

import voussoir
from cross_entropy import search
from voussoir.env import Box, Task, VectorEnv

FloatArray = npt.NDArray[np.float64]
LINK, HEIGHT = 0.2, 0.33  # m: of a thigh and of a shank; from a hip to the centre of its foot
MIDDLE, SPAN = np.tile([0.6, -1.2], 4), 0.8  # rad: an action of 0, and of 1 beyond it
STIFFNESS, DAMPING, TORQUE = 150.0, 3.0, 25.0  # N m/rad, N m s/rad, N m
PHASE = np.array([0.0, 0.5, 0.5, 0.0])  # of the feet fl, fr, hl, hr: diagonal ones move together
SLOPES = np.array([-0.06, 0.0, 0.06])  # rad, up
STEP, PUSH, FALLEN = 0.004, 0.2, 0.2  # s; m/s; m, height of a trunk that has fallen


class Walk(Task):
    """Observation (24): height, pitch, velocity (3) and angular velocity (3) of the trunk, angles and rates of the joints."""

    steps, limit = 5, 100  # of STEP
    action_space = Box(-1.0, 1.0, (8,))
    observation_space = Box(-np.inf, np.inf, (24,))

    def __init__(self, slopes: npt.ArrayLike = SLOPES) -> None:
        self.slopes = np.atleast_1d(slopes).astype(float)

    def make(self, worlds: int, threads: Optional[int]) -> voussoir.Batch:
        return voussoir.Batch(self.build, worlds, threads=threads)

    def build(self, k: int) -> voussoir.Simulation:
        """World k: gravity instead of the ground is inclined."""
        robot = voussoir.scene(Path(__file__).with_name("quadruped.xml"))
        robot.set_keyframe("home")
        slope = self.slopes[k % len(self.slopes)]
        robot.world.gravity = np.array([-9.81 * np.sin(slope), 0, -9.81 * np.cos(slope)])
        for joint in robot.world.joints:
            joint.gains = STIFFNESS, DAMPING
            joint.target = joint.coordinate
        return robot.simulate(step=STEP)

    def begin(self, batch: voussoir.Batch, k: int, random: np.random.Generator) -> None:
        """Someone has pushed it."""
        batch[k].world.bodies[0].velocity = [*random.uniform(-PUSH, PUSH, 2), 0.0]

    def act(self, batch: voussoir.Batch, actions: FloatArray) -> None:
        batch.command_targets(MIDDLE + SPAN * actions)

    def observe(self, batch: voussoir.Batch) -> FloatArray:
        trunk = batch.states()[:, 0]
        q = trunk["pose"]["rotation"]
        pitch = np.arcsin(np.clip(2 * (q[:, 0] * q[:, 2] - q[:, 3] * q[:, 1]), -1, 1))
        motion = batch.joint_motion()
        height = trunk["pose"]["position"][:, 2]
        return np.column_stack([height, pitch, trunk["velocity"], trunk["spin"], motion[:, :, 0], motion[:, :, 1]])

    def evaluate(
        self, batch: voussoir.Batch, observations: FloatArray, actions: FloatArray
    ) -> Tuple[FloatArray, npt.NDArray[np.bool_], Dict[str, Any]]:
        forward, fallen = observations[:, 2], observations[:, 0] < FALLEN
        power = (np.abs(batch.joint_efforts() * observations[:, 16:])).sum(axis=1)
        rewards = self.steps * STEP * (forward - 2e-3 * power) - 1.0 * fallen
        return rewards, fallen, {"fallen": fallen, "x": batch.positions[:, 0, 0]}


# ---- a gait and its search -------------------------------------------------------------------------

FIRST = np.array([0.03, 0.03, 1.5, 0.05, 0.05]), np.array([0.05, 0.02, 0.8, 0.05, 0.05])  # where the search begins


def angles(x: FloatArray, z: FloatArray) -> FloatArray:
    """Hip and knee of each leg for its foot at (x, z) from the hip; (worlds x 4) each."""
    knee = -2 * np.arccos(np.minimum(np.hypot(x, z) / (2 * LINK), 1))
    hip = np.arctan2(-x, -z) - knee / 2
    return np.asarray(np.stack([hip, knee], axis=-1).reshape(len(x), -1))


def policy(numbers: FloatArray, frame: int, observations: FloatArray) -> FloatArray:
    """A trot: half of a period on the ground, moving backward; half of it in the air."""
    stride, lift, rate, lean, brake = numbers
    phase = (rate * frame * Walk.steps * STEP + PHASE) % 1
    swing = phase > 0.5
    x = np.where(swing, 2 * phase - 1.5, 0.5 - 2 * phase) * min(stride, 0.25)
    z = np.where(swing, np.sin(2 * np.pi * (phase - 0.5)) * min(lift, 0.1), 0) - HEIGHT
    shift = lean * observations[:, 1] + brake * (observations[:, 2] - 2 * rate * stride)
    feet = angles(x + shift[:, None], np.broadcast_to(z, (len(observations), 4)))
    return np.asarray((feet - MIDDLE) / SPAN)


def episode(env: VectorEnv, numbers: FloatArray, seed: int) -> Tuple[FloatArray, Dict[str, FloatArray]]:
    """Sum of rewards, and how far each world went."""
    observations, _ = env.reset(seed=seed)
    total, live, way = np.zeros(env.num_envs), np.ones(env.num_envs, bool), np.zeros(env.num_envs)
    inaccurate = np.zeros(env.num_envs)
    for frame in range(env.task.limit):
        observations, rewards, terminated, truncated, info = env.step(policy(numbers, frame, observations))
        total += np.where(live, rewards, 0)
        way = np.where(live, info["x"], way)
        inaccurate += np.where(live, info["inaccurate"], 0)
        live &= ~terminated
        if truncated.any() or not live.any():
            break
    return total, {"x": way, "stands": 1.0 * live, "inaccurate": inaccurate}


def main() -> int:
    parser = argparse.ArgumentParser(description="A quadruped that learns to trot on slopes.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=4, help="of the search")
    parser.add_argument("--threads", type=int, default=None, help="default: all cores; the result is the same")
    options = parser.parse_args()

    env = VectorEnv(Walk(), len(SLOPES), threads=options.threads)
    numbers = search(
        lambda numbers: float(episode(env, numbers, options.seed)[0].mean()), *FIRST, seed=options.seed, rounds=options.rounds
    )
    print("gait: stride {:.3f} m, lift {:.3f} m, {:.2f} per second, lean {:.3f} m, brake {:.3f} s".format(*numbers))
    total, last = episode(env, numbers, options.seed + 1000)  # other pushes
    time = env.task.limit * env.task.steps * STEP
    for slope, way, stands in zip(SLOPES, last["x"], last["stands"]):
        print(f"  slope {100 * np.tan(slope):3.0f} %: {way:5.2f} m in {time:.1f} s, {'walks' if stands else 'fell'}")
    solved = bool(last["stands"].all()) and bool((last["x"] > 0.15 * time).all())
    print(f"{'solved' if solved else 'not solved'}, mean return {total.mean():.3f}, {int(last['inaccurate'].sum())} inaccurate steps")
    return 0 if solved else 1


if __name__ == "__main__":
    raise SystemExit(main())
