"""Joints that are commanded while a simulation runs."""

from __future__ import annotations

import math
from typing import Tuple

import pytest

import voussoir


def arm(**motor: object) -> Tuple[voussoir.Simulation, voussoir.Joint]:
    """A rod of 1 m and 1 kg that hangs from a hinge about y: its coordinate is 0 when it points along x."""
    world = voussoir.World()
    rod = world.add_body(voussoir.Box([1, 0.02, 0.02]), mass=1, position=[0.5, 0, 0], name="rod")
    hinge = world.add_joint("revolute", None, rod, position=[0, 0, 0], axis=[0, 1, 0], name="hinge", **motor)  # type: ignore[arg-type]
    return world.simulate(step=1e-3), hinge


def test_a_loop_in_python_holds_an_arm() -> None:
    simulation, hinge = arm()
    for _ in range(2000):  # PD with the weight as feedforward, 1 kHz
        q, rate = hinge.coordinate, hinge.rate
        hinge.effort = 40 * (0.5 - q) - 8 * rate - 9.81 * 0.5 * math.cos(q)
        simulation.step()
    assert hinge.coordinate == pytest.approx(0.5, abs=1e-3)  # exp(-w t) is long over


def test_a_servo_and_a_speed() -> None:
    simulation, hinge = arm(target=0.0, gains=(400.0, 40.0))
    simulation.run(2.0)
    sag = 9.81 * 0.5 / 400  # the weight on the stiffness; z is down the coordinate
    assert hinge.coordinate == pytest.approx(sag, rel=1e-2) and hinge.target == 0.0
    hinge.gains = (0.0, 0.0)
    hinge.speed = 2.0
    simulation.run(0.5)
    assert hinge.rate == pytest.approx(2.0, abs=1e-6) and hinge.target is None and hinge.speed == 2.0


def test_joints_tell_what_they_are() -> None:
    _, hinge = arm(gains=(3.0, 4.0))
    ground, rod = hinge.bodies
    assert hinge.kind == "revolute" and ground is None and rod is not None and rod.name == "rod"
    assert hinge.gains == (3.0, 4.0) and hinge.target is None
    with pytest.raises(voussoir.ArgumentError, match="finite"):
        hinge.effort = math.inf


def test_all_joints_at_once() -> None:
    simulation, hinge = arm()
    world = hinge.world
    weld = world.add_body(voussoir.Box([0.1, 0.1, 0.1]), mass=1, position=[1, 0, 0])
    world.add_joint("fixed", world.body("rod"), weld, position=[1, 0, 0])
    for _ in range(3000):  # the same controller for every joint that has a coordinate
        (q, rate), _fixed = world.joint_motion()
        torque = 200 * (0.3 - q) - 40 * rate - 9.81 * (0.5 + 1.0) * math.cos(q)
        world.command_efforts([torque, math.nan])
        simulation.step()
    assert hinge.coordinate == pytest.approx(0.3, abs=1e-3) and hinge.effort == torque
    with pytest.raises(voussoir.ArgumentError, match="shape"):
        world.command_efforts([1.0])
