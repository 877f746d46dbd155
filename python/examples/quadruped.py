#!/usr/bin/python3
"""A quadruped under a PD loop at 1 kHz: it stands, then it trots.

    python3 quadruped.py [--stand S] [--walk S] [--record FILE]        e.g. --record walk.h5; voussoir view walk.h5
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt

import voussoir

Array = npt.NDArray[np.float64]

LINK, HEIGHT = 0.2, 0.336  # m: of a thigh and of a shank; from a hip to the centre of its foot
STRIDE, LIFT, PERIOD = 0.12, 0.04, 0.4  # m, m, s: of the gait
STIFFNESS, DAMPING = 120.0, 3.0  # N m/rad, N m s/rad
PHASE = np.array([0.0, 0.5, 0.5, 0.0])  # of the feet fl, fr, hl, hr: diagonal ones move together


def angles(x: Array, z: Array) -> Array:
    """Hip and knee of each leg for its foot at (x, z) from the hip."""
    knee = -2 * np.arccos(np.minimum(np.hypot(x, z) / (2 * LINK), 1))
    hip = np.arctan2(-x, -z) - knee / 2
    return np.column_stack([hip, knee]).reshape(-1)


def gait(time: float) -> Array:
    """Half of a period on the ground, moving backward; half of it in the air. Negative times: standing."""
    phase = (time / PERIOD + PHASE) % 1
    swing = phase > 0.5
    x = np.where(swing, 2 * phase - 1.5, 0.5 - 2 * phase) * STRIDE
    z = np.where(swing, np.sin(2 * np.pi * (phase - 0.5)) * LIFT, 0) - HEIGHT
    return angles(x, z) if time >= 0 else angles(np.zeros(4), np.full(4, -HEIGHT))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stand", type=float, default=2, metavar="S", help="s, before it walks")
    parser.add_argument("--walk", type=float, default=4, metavar="S", help="s, afterwards")
    parser.add_argument("--record", metavar="FILE")
    arguments = parser.parse_args()

    robot = voussoir.scene(Path(__file__).with_name("quadruped.xml"))
    robot.set_keyframe("home")
    world = robot.world

    def control(world: voussoir.World) -> None:
        position, rate = world.joint_motion().T
        world.controls.array = STIFFNESS * (gait(world.time - arguments.stand) - position) - DAMPING * rate

    simulation = robot.simulate(before=control)
    trunk = world.body("trunk")
    simulation.run(arguments.stand, record=arguments.record, frame=0.02)
    x, _, height = trunk.position
    print(f"after {world.time:.1f} s: stands {1e3 * height:.0f} mm high")
    summary = simulation.run(arguments.walk, record=arguments.record, frame=0.02, resume=True)
    speed = (trunk.position[0] - x) / arguments.walk
    print(f"after {world.time:.1f} s: walked {trunk.position[0] - x:.2f} m, {speed:.2f} m/s")
    return 0 if trunk.position[2] > 0.8 * height and summary.inaccurate == 0 else 1


if __name__ == "__main__":
    raise SystemExit(main())
