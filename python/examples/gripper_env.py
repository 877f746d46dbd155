#!/usr/bin/python3
"""A gripper as a Gymnasium-style environment: reset() and step(action), nothing to install.

Two fingers on a hand that moves up and down. An action has two numbers in -1 … 1: how fast the hand moves, and how hard
the fingers press. The cube must be lifted by friction; pressing costs a little. With Gymnasium installed, derive from
gymnasium.Env and give `observation_space` and `action_space` as Box of the same sizes.

    python3 gripper_env.py        grips, lifts and holds with a fixed plan, prints the height of the cube
"""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import numpy as np
import numpy.typing as npt

import voussoir

FloatArray = npt.NDArray[np.float64]
HALF, THICK = 0.03, 0.01  # m: half the cube's side, half the fingers' thickness
SPEED, FORCE = 0.2, 30.0  # m/s, N: what an action of 1 means


class GripperEnv:
    """Observation (9): height and speed of the hand, position (3) and velocity (3) of the cube, fingers' distance."""

    observation_size = 9
    action_size = 2

    def __init__(self, *, mu: float = 0.5, mass: float = 0.5, goal: float = 0.15, frames: int = 120) -> None:
        self.mu, self.mass, self.goal, self.frames = mu, mass, goal, frames
        self.control = (0.0, 0.0)
        self.reset()

    def reset(self, *, seed: Optional[int] = None) -> Tuple[FloatArray, Dict[str, Any]]:
        """A new world; the seed moves the cube by some millimetres between the fingers."""
        shift = 0.0 if seed is None else float(np.random.default_rng(seed).uniform(-0.004, 0.004))
        world = voussoir.World()
        world.add_material("rubber", mu=self.mu)
        world.add_floor()
        cube = voussoir.Box((2 * HALF,) * 3)
        self.cube = world.add_body(cube, mass=self.mass, position=[shift, 0, HALF], name="cube")
        self.hand = world.add_body(motion="kinematic", position=[0, 0, 0.2], name="hand")
        self.fingers = []
        for side in (-1, 1):
            at = (side * (HALF + THICK + 0.005), 0.0, 1.2 * HALF)
            finger = world.add_body(voussoir.Box((2 * THICK, 2 * HALF, 2 * HALF)), density=2700, position=at)
            limits = (-0.02, 0.02)
            world.add_joint("prismatic", self.hand, finger, position=at, axis=[-side, 0, 0], limits=limits, damping=2.0)
            self.fingers.append((side, finger))
        self.world = world
        self.simulation = world.simulate(step=1 / 240, before=self._act)
        self.frame = 0
        self.control = (0.0, 0.0)
        return self._observe(), {}

    def _act(self, world: voussoir.World) -> None:
        """The controller of every step: the hand's speed, and forces of the fingers on the cube."""
        speed, force = self.control
        self.hand.velocity = [0, 0, speed]
        for side, finger in self.fingers:
            finger.apply_force([-side * force, 0, 0])

    def _observe(self) -> FloatArray:
        hand, cube = self.hand, self.cube
        distance = self.fingers[1][1].position[0] - self.fingers[0][1].position[0]
        heights = [hand.position[2], hand.velocity[2]]
        return np.concatenate([heights, cube.position, cube.velocity, [distance]])

    def step(self, action: npt.ArrayLike) -> Tuple[FloatArray, float, bool, bool, Dict[str, Any]]:
        """Observation, reward, terminated (lifted), truncated (out of time), info; an action lasts 4 steps, 1/60 s."""
        lift, press = np.clip(np.asarray(action, dtype=np.float64), -1, 1)
        self.control = (SPEED * float(lift), FORCE * max(float(press), 0.0))
        summary = self.simulation.run(4 * self.simulation.step_size)
        self.frame += 1
        height = float(self.cube.position[2]) - HALF
        reward = height / self.goal - 0.01 * float(press) ** 2
        info = {"height": height, "inaccurate": summary.inaccurate, "contacts": len(self.simulation.contacts)}
        return self._observe(), reward, height >= self.goal, self.frame >= self.frames, info


def main() -> int:
    env = GripperEnv()
    env.reset(seed=1)
    total, done = 0.0, False
    while not done:
        lift = 0.0 if env.frame < 15 else 1.0  # close first
        _, reward, lifted, late, info = env.step([lift, 1.0])
        total += reward
        done = lifted or late
        if env.frame % 15 == 0 or done:
            height, contacts = 1e3 * info["height"], info["contacts"]
            print(f"frame {env.frame:3d}: cube {height:6.1f} mm above the floor, {contacts} contacts")
    print(f"{'lifted' if lifted else 'not lifted'}, sum of rewards {total:.2f}")
    return 0 if lifted else 1


if __name__ == "__main__":
    raise SystemExit(main())
