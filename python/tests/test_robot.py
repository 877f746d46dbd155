"""Robots: controls, keyframes, joints that are placed, and a quadruped that stands and walks."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import voussoir

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.fixture(name="robot")
def make_robot() -> voussoir.Scene:
    robot = voussoir.scene(EXAMPLES / "quadruped.xml")
    assert robot.ignored == 0 and robot.keyframes == ["home"]
    robot.set_keyframe("home")
    return robot


def test_joints_tell_bodies_axis_kind_and_limits(robot: voussoir.Scene) -> None:
    hip = robot.world.joint("fl hip")
    a, b = hip.bodies
    assert hip.kind == "revolute" and a is not None and b is not None
    assert (a.name, b.name) == ("trunk", "front left thigh")
    assert hip.limits == pytest.approx((-2 * math.pi / 3, 2 * math.pi / 3)) and hip.motor_limit == 0
    assert hip.axis == pytest.approx([0, 1, 0], abs=1e-15)
    assert hip.position == pytest.approx([0.18, 0.13, 0.356])


def test_controls_are_a_dict_within_their_limits(robot: voussoir.Scene) -> None:
    controls = robot.world.controls
    assert len(controls) == 8 and list(controls)[:2] == ["fl hip", "fl knee"]
    controls["fl hip"] = 1e3
    assert controls["fl hip"] == 25 and controls.joint("fl hip").effort == 25 and controls.limits("fl hip") == (-25, 25)
    controls.array = np.arange(8)
    assert controls["hr knee"] == 7 and dict(controls)["fr hip"] == 2
    with pytest.raises(KeyError, match="did you mean 'fl hip'"):
        controls["fl hib"] = 1
    with pytest.raises(voussoir.ArgumentError, match="shape"):
        controls.array = [1.0]
    with pytest.raises(KeyError, match="there is no control 'hip'; there is none"):
        voussoir.World().controls["hip"]


def test_unknown_names_are_answered_with_known_ones(robot: voussoir.Scene) -> None:
    with pytest.raises(KeyError, match="there is no joint 'fl hib'; did you mean 'fl hip'"):
        robot.world.joint("fl hib")
    with pytest.raises(KeyError, match="there is no body 'x'; there is: trunk, front left thigh"):
        robot.world.body("x")


def test_a_pose_of_joints_and_trunk(robot: voussoir.Scene) -> None:
    world, trunk = robot.world, robot.world.body("trunk")
    motion = world.joint_motion()
    assert motion[:, 0] == pytest.approx(4 * [0.574, -1.147])
    motion[:, 0], motion[:, 1] = np.linspace(-0.5, 0.5, 8), 2
    world.set_joint_motion(motion)
    trunk.place([1, 2, 3], voussoir.rotation([0, 0, 1], 0.3))
    assert world.joint_motion() == pytest.approx(motion) and trunk.position == pytest.approx([1, 2, 3])
    knee = world.joint("fl knee")
    knee.coordinate, knee.rate = 0.25, -1
    assert (knee.coordinate, knee.rate) == pytest.approx((0.25, -1))
    before = world.positions
    world.assemble()  # nothing to do: joints hold
    assert world.positions == pytest.approx(before, abs=1e-12)
    robot.set_keyframe("home")
    assert trunk.position == pytest.approx([0, 0, 0.356])
    with pytest.raises(KeyError, match="home"):
        robot.set_keyframe("hoem")


def test_motors_tell_their_effort() -> None:
    world = voussoir.World()
    rod = world.add_body(voussoir.Box([1, 0.02, 0.02]), mass=1, position=[0.5, 0, 0])
    hinge = world.add_joint("revolute", None, rod, position=[0, 0, 0], axis=[0, 1, 0], target=0.0, armature=0.1)
    world.simulate(step=1e-3).run(0.01)
    assert hinge.applied_effort == pytest.approx(-9.81 * 0.5) and world.joint_efforts() == pytest.approx([-9.81 * 0.5])


def test_the_quadruped_stands_and_walks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any) -> None:
    """It stands for two seconds within 5 mm of its height, and then covers more than 0.2 m in a second."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    record = tmp_path / "walk.h5"
    monkeypatch.setattr(sys, "argv", ["quadruped.py", "--stand", "2", "--walk", "1.5", "--record", str(record)])
    import quadruped  # type: ignore[import]

    assert quadruped.main() == 0, capsys.readouterr().out
    trajectory = voussoir.Trajectory(record)
    trunk = trajectory.body("trunk")
    time, height, x = trajectory.time[:], trunk.position[:, 2], trunk.position[:, 0]
    assert len(time) == 176 and np.ptp(height[time <= 2]) < 5e-3  # it sinks on its springs
    assert x[-1] - x[time <= 2.5][-1] > 0.2 and height.min() > 0.3
