#!/usr/bin/python3
"""A grasp that must not slip, as an environment with the conventions of Gymnasium, and its solution in seconds.

Two fingers on a hand lift cubes of different masses and friction coefficients, which nobody tells. An action has two numbers:
how fast the hand moves up (-1 … 1) and how hard the fingers press (0 … 1). Pressing costs; a cube that slips by 2 mm ends
the episode. A policy of four numbers presses harder where a cube begins to slip, and the cross-entropy method finds them.

    python3 grasp.py [--seed 1] [--rounds 6] [--threads N]

It prints how hard the policy presses on each cube, beside the least force that holds it by Coulomb's law, then holds all
cubes for five seconds and prints how far they crept. The figures are the same on every run.
"""

from __future__ import annotations

import argparse
from typing import Any, Dict, Optional, Tuple

import numpy as np
import numpy.typing as npt

import voussoir
from cross_entropy import search
from voussoir.env import Box, Task, VectorEnv

FloatArray = npt.NDArray[np.float64]
HALF, THICK, GAP = 0.03, 0.01, 0.003  # m: half the cube's side, half the fingers' thickness, and between them
SPEED, CHANGE, FORCE = 0.2, 0.01, 40.0  # m/s and N: what an action of 1 means; m/s per action, as the hand can
SLIP = 0.002  # m, at which the grasp has failed


class Grasp(Task):
    """Observation (6): height and speed of the hand, position of the cube across, its height, speed and slip; m, m/s."""

    steps, limit = 4, 60  # of 1/240 s
    action_space = Box([-1.0, 0.0], [1.0, 1.0])
    observation_space = Box(-np.inf, np.inf, (6,))

    def __init__(self, mu: npt.ArrayLike = 0.5, mass: npt.ArrayLike = 0.5, goal: float = 0.05) -> None:
        self.mu, self.mass, self.goal = np.atleast_1d(mu).astype(float), np.atleast_1d(mass).astype(float), goal

    def least_force(self) -> FloatArray:
        """N, of each finger, that holds the cubes at rest: 2 mu F = m g."""
        return np.asarray(self.mass * 9.81 / (2 * self.mu))

    def make(self, worlds: int, threads: Optional[int]) -> voussoir.Batch:
        return voussoir.Batch(self.build, worlds, threads=threads)

    def build(self, k: int) -> voussoir.Simulation:
        """World k: the cube (body 0), the hand on a joint that lifts it, and the fingers (joints 1 and 2)."""
        world = voussoir.World()
        # Rigid pads do not determine how their points share the force, and some shares let a cube turn: rubber gives way.
        world.add_material("rubber", mu=self.mu[k % len(self.mu)], compliance=1e-5)
        world.add_floor()
        world.add_body(voussoir.Box((2 * HALF,) * 3), mass=self.mass[k % len(self.mass)], position=[0, 0, HALF])
        top = (0.0, 0.0, 0.2)
        hand = world.add_body(voussoir.Box((0.1, 0.04, 0.04)), mass=1.0, position=top)
        world.add_joint("prismatic", None, hand, position=top, axis=[0, 0, 1])
        for side in (-1, 1):
            at = (side * (HALF + THICK + GAP), 0.0, 1.2 * HALF)
            finger = world.add_body(voussoir.Box((2 * THICK, 2 * HALF, 2 * HALF)), mass=0.1, position=at)
            world.add_joint("prismatic", hand, finger, position=at, axis=[-side, 0, 0], limits=(-0.02, 0.02), damping=20.0)
        return world.simulate(step=1 / 240)

    def begin(self, batch: voussoir.Batch, k: int, random: np.random.Generator) -> None:
        """The cube stands somewhere between the fingers."""
        batch[k].world.bodies[0].position = [random.uniform(-0.8, 0.8) * GAP, 0, HALF]

    def act(self, batch: voussoir.Batch, actions: FloatArray) -> None:
        now = batch.joint_motion()[:, 0, 1]
        commands = np.full((len(batch), 3), np.nan)
        commands[:, 0] = now + np.clip(SPEED * actions[:, 0] - now, -CHANGE, CHANGE)
        batch.command_speeds(commands)
        commands[:, 0], commands[:, 1:] = np.nan, FORCE * actions[:, 1:]
        batch.command_efforts(commands)

    def observe(self, batch: voussoir.Batch) -> FloatArray:
        states, hand = batch.states()[:, 0], batch.joint_motion()[:, 0]
        position = states["pose"]["position"]
        height = position[:, 2] - HALF
        slip = np.maximum(hand[:, 0], 0) - height  # the hand went this far without the cube
        return np.column_stack([hand, position[:, 0], height, states["velocity"][:, 2], slip])

    def evaluate(
        self, batch: voussoir.Batch, observations: FloatArray, actions: FloatArray
    ) -> Tuple[FloatArray, npt.NDArray[np.bool_], Dict[str, Any]]:
        height, slip = observations[:, 3], observations[:, 5]
        lifted, lost = height >= self.goal, slip > SLIP
        rewards = 1.0 * lifted - 1.0 * lost - 0.02 - 0.05 * actions[:, 1]  # time and pressing cost
        return rewards, lifted | lost, {"lifted": lifted, "slip": slip.copy(), "force": FORCE * actions[:, 1]}


# ---- a policy and its search -----------------------------------------------------------------------

FIRST = np.array([8.0, 0.3, 100.0, 0.5]), np.array([4.0, 0.2, 100.0, 0.3])  # where the search begins: mean, deviation


def policy(numbers: FloatArray, frame: int, observations: FloatArray) -> FloatArray:
    """Closes for some actions, then lifts; presses with a part for every cube and a part that grows with its slip."""
    wait, press, gain, lift = numbers
    slip = np.maximum(observations[:, 5], 0)
    speed = np.full(len(observations), lift if frame >= wait else 0.0)
    return np.column_stack([speed, press + gain * slip])


def episode(env: VectorEnv, numbers: FloatArray, seed: int) -> Tuple[FloatArray, Dict[str, FloatArray]]:
    """Sum of rewards, and how each world ended."""
    observations, _ = env.reset(seed=seed)
    total, live = np.zeros(env.num_envs), np.ones(env.num_envs, bool)
    last: Dict[str, FloatArray] = {name: np.zeros(env.num_envs) for name in ("lifted", "slip", "force", "inaccurate")}
    for frame in range(env.task.limit):
        observations, rewards, terminated, truncated, info = env.step(policy(numbers, frame, observations))
        total += np.where(live, rewards, 0)
        for name in last:
            last[name] = np.where(live, info[name], last[name])
        live &= ~(terminated | truncated)
        if not live.any():
            break
    return total, last


def hold(env: VectorEnv, numbers: FloatArray, seed: int, seconds: float = 5.0) -> FloatArray:
    """m, how far cubes creep in the fingers of a hand that stands still after the lift."""
    observations, _ = env.reset(seed=seed)
    force = np.zeros(env.num_envs)
    for frame in range(int(numbers[0]) + 40):
        actions = policy(numbers, frame, observations)
        actions[:, 0] *= frame < numbers[0] + 15  # up for a while, then to rest
        force = actions[:, 1]
        env.task.act(env.batch, np.clip(actions, env.single_action_space.low, env.single_action_space.high))
        env.batch.step(env.task.steps)
        observations = env.task.observe(env.batch)
    before = observations[:, 5]
    env.task.act(env.batch, np.column_stack([0 * force, np.minimum(force, 1)]))
    env.batch.step(int(240 * seconds))
    return np.abs(env.task.observe(env.batch)[:, 5] - before)


def main() -> int:
    parser = argparse.ArgumentParser(description="A grasp that must not slip: search for a policy, then hold.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=6, help="of the search")
    parser.add_argument("--threads", type=int, default=None, help="default: all cores; the result is the same")
    options = parser.parse_args()

    mu, mass = np.array([0.3, 0.5, 0.8, 0.3, 0.5, 0.8]), np.array([0.2, 0.2, 0.2, 0.6, 0.6, 0.6])
    task = Grasp(mu, mass)
    env = VectorEnv(task, len(mu), threads=options.threads)
    numbers = search(
        lambda numbers: float(episode(env, numbers, options.seed)[0].mean()), *FIRST, seed=options.seed, rounds=options.rounds
    )
    print("policy: wait {:.2f} actions, press {:.4f} + {:.2f} / m slip, lift {:.3f}".format(*numbers))

    total, last = episode(env, numbers, options.seed + 1000)  # cubes that stand elsewhere
    crept = hold(env, numbers, options.seed)
    print("   mu   mass  least force   pressed   slip         crept in 5 s")
    for k, least in enumerate(task.least_force()):
        print(
            f"  {mu[k]:.1f}  {mass[k]:.1f} kg     {least:5.2f} N   {last['force'][k]:5.2f} N   "
            f"{1e3 * last['slip'][k]:.3f} mm   {1e3 * crept[k]:.1e} mm"
        )
    solved = bool(last["lifted"].all()) and crept.max() < 1e-6
    print(f"{'solved' if solved else 'not solved'}, mean return {total.mean():.3f}, {int(last['inaccurate'].sum())} inaccurate steps")
    return 0 if solved else 1


if __name__ == "__main__":
    raise SystemExit(main())
