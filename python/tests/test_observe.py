"""Generalized coordinates, mass matrix, Jacobians and forces of a robot, as arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import voussoir

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.fixture(name="robot")
def make_robot() -> voussoir.Scene:
    robot = voussoir.scene(EXAMPLES / "quadruped.xml")
    robot.set_keyframe("home")
    return robot


def test_order_of_the_model(robot: voussoir.Scene) -> None:
    world, tree = robot.world, robot.world.tree()
    assert tree.qpos.shape == (15,) and tree.qvel.shape == (14,)
    trunk, thigh = tree.nodes[0], tree.nodes[1]
    assert trunk.body.name == "trunk" and trunk.joint is None and trunk.parent is None
    assert (trunk.qpos, trunk.qvel) == (slice(0, 7), slice(0, 6))
    assert thigh.joint is not None and thigh.joint.name == "fl hip" and thigh.parent == trunk.body
    assert (thigh.qpos, thigh.qvel) == (slice(7, 8), slice(6, 7))
    assert tree.qpos[7:] == pytest.approx(world.joint_motion()[:, 0]) and "nv = 14" in repr(tree)
    assert [node.joint.name for node in tree.nodes if node.joint] == [joint.name for joint in world.joints]


def test_state_goes_in_and_out(robot: voussoir.Scene) -> None:
    tree, generator = robot.world.tree(), np.random.default_rng(1)
    qpos, qvel = generator.uniform(-1, 1, 15), generator.uniform(-1, 1, 14)
    qpos[3:7] /= np.linalg.norm(qpos[3:7])
    tree.qpos, tree.qvel = qpos, qvel
    assert tree.qpos == pytest.approx(qpos, abs=1e-12) and tree.qvel == pytest.approx(qvel, abs=1e-12)
    assert robot.world.joint_motion() == pytest.approx(np.stack([qpos[7:], qvel[6:]], axis=1), abs=1e-12)
    with pytest.raises(voussoir.ArgumentError, match="qpos: has 3 entries, must have 15"):
        tree.qpos = [1, 2, 3]
    with pytest.raises(voussoir.ArgumentError, match="quaternion of body \"trunk\""):
        tree.qpos = np.zeros(15)


def test_energy_momentum_and_points(robot: voussoir.Scene) -> None:
    world, tree, generator = robot.world, robot.world.tree(), np.random.default_rng(2)
    tree.qvel = generator.uniform(-1, 1, 14)
    qvel, energy = tree.qvel, world.energy
    assert qvel @ tree.mass_matrix() @ qvel / 2 == pytest.approx(energy.kinetic, rel=1e-12)
    centre, jacobian = tree.centre_of_mass()
    mass = sum(body.mass for body in world)
    assert centre == pytest.approx(sum(body.mass * body.position for body in world) / mass)
    assert mass * (jacobian @ qvel) == pytest.approx(energy.momentum)
    shank = world.body("front left shank")
    linear, angular = tree.jacobian(shank, shank.position + [0, 0, -0.1])
    assert angular @ qvel == pytest.approx(shank.spin)
    assert linear @ qvel == pytest.approx(shank.velocity + np.cross(shank.spin, [0, 0, -0.1]))
    assert tree.centre_of_mass(shank)[0] == pytest.approx(shank.position)


def test_contacts_and_motors_hold_the_robot(robot: voussoir.Scene) -> None:
    """At rest, contacts and motors explain all forces: nothing is left for the trunk, which no motor moves."""
    world, tree = robot.world, robot.world.tree()
    for joint in world.joints:
        joint.gains = 2000.0, 20.0
        joint.target = joint.coordinate
    simulation = robot.simulate()
    simulation.run(0.5)
    forces = simulation.contact_forces()
    weight = 9.81 * sum(body.mass for body in world)
    assert forces[:, 2].sum() == pytest.approx(weight, rel=1e-3)
    rest = tree.inverse_dynamics(wrenches=forces)
    assert abs(rest[:6]).max() < 1e-3 * weight
    assert rest[6:] == pytest.approx(world.joint_efforts(), abs=1e-3 * weight)
    floor = sum(simulation.pair_force(None, body)[0][2] for body in world)
    assert floor == pytest.approx(weight, rel=1e-3)


def test_loops_are_closures() -> None:
    world = voussoir.scene("four-bar").world
    tree = world.tree()
    joints, violation, jacobian = tree.closures()
    assert len(world.joints) == 4 and len(tree.qpos) == 3 and jacobian.shape == (len(joints), 3)
    assert len({joint.name for joint in joints}) == 1 and abs(violation).max() < 1e-9
    assert np.linalg.matrix_rank(jacobian, tol=1e-9) == 2  # one motion is left
    assert abs(jacobian @ tree.qvel).max() < 1e-9


def test_the_tree_follows_its_world() -> None:
    world = voussoir.World()
    tree = world.tree()
    assert tree.qpos.size == 0 and tree.mass_matrix().shape == (0, 0)
    ball = world.add_body(voussoir.Sphere(0.1), position=[1, 2, 3])
    assert tree.qpos == pytest.approx([1, 2, 3, 1, 0, 0, 0])
    ball.remove()
    assert tree.nodes == []
    with pytest.raises(voussoir.ArgumentError, match="another world"):
        tree.jacobian(voussoir.World().add_body(voussoir.Sphere(0.1)))
