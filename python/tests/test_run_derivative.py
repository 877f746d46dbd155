"""Derivatives of runs: a closed form, the agreement of tangent, adjoint and Jacobian, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Tuple

import numpy as np
import pytest

import voussoir

GRAVITY = 9.81
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def block(mu: float, speed: float, mass: float = 2.0) -> Tuple[voussoir.World, voussoir.Body]:
    world = voussoir.World()
    felt = world.add_material("felt", mu=mu)
    world.add_collider(voussoir.Plane(), material=felt)
    velocity = [speed, 0, 0]
    return world, world.add_body(voussoir.Box([0.2, 0.2, 0.1]), mass=mass, position=[0, 0, 0.05], velocity=velocity, material=felt)


def test_sliding_distance_by_friction() -> None:
    mu, speed, h = 0.3, 2.0, 2e-3
    world, body = block(mu, speed)
    wrt = [("mu", "felt", "felt"), ("mass", body)]

    def distance(states: np.ndarray) -> Tuple[float, np.ndarray]:
        weights = np.zeros((*states.shape, 6))
        weights[-1, 0, 0] = 1
        return float(states["pose"]["position"][-1, 0, 0]), weights

    value, gradient = world.simulate(step=h, tolerance=1e-12).gradient(distance, 400, wrt)
    sliding = int(np.ceil(speed / (mu * GRAVITY * h))) - 1  # steps at whose end it slides
    exact = -GRAVITY * h * h * sliding * (sliding + 1) / 2  # sum of -k g h, times h
    assert np.isclose(value, body.position[0]) and np.isclose(gradient.parameters[0], exact, rtol=1e-9)
    assert abs(gradient.parameters[1]) < 1e-9  # the mass does not matter
    assert np.isclose(gradient.velocity[0, 0], h * sliding, rtol=1e-9)
    # The continuous distance is v^2 / (2 mu g); steps of h are off by at most 2 / steps.
    assert np.isclose(exact, -(speed**2) / (2 * mu**2 * GRAVITY), rtol=2 / sliding)


def test_tangent_adjoint_and_jacobian_agree() -> None:
    world, body = block(0.3, 1.0)
    force = np.zeros((30, 1, 6))
    force[:10, 0, 1] = 9
    run = world.simulate(step=5e-3, tolerance=1e-12).differentiate(
        30, [("mu", "felt", 0), ("mass", body)], force=force, every=4
    )
    assert [b.id for b in run.bodies] == [body.id] and np.allclose(run.states["velocity"][-1, 0], body.velocity)
    random = np.random.default_rng(3)
    data = {name: random.normal(size=shape) for name, shape in zip(voussoir.RunGradient._fields, run._shapes())}
    data["pose"][:, 3:5] = 0  # no tilt: corners on the plane stay there
    weights = {name: random.normal(size=(31, 1, 6)) for name in ("pose", "velocity")}
    moved, gradient = run.tangent(**data), run.adjoint(**weights)
    forward = sum(float((weights[name] * getattr(moved, name)).sum()) for name in weights)
    backward = sum(float((data[name] * getattr(gradient, name)).sum()) for name in data)
    assert np.isclose(forward, backward, rtol=1e-11)
    by = run.jacobian()
    assert by.pose.shape == (31, 1, 6, 2)
    assert np.allclose((weights["pose"][..., None] * by.pose + weights["velocity"][..., None] * by.velocity).sum((0, 1, 2)), gradient.parameters)
    report = run.report
    assert report.steps == 30 and report.snapshots == 9 and report.relative_error < 1e-10 and report.seconds > 0


def test_tangents_of_a_throw() -> None:
    """v = v0 + N h g, x = x0 + N h v0 + h^2 g N (N + 1)/2: of a step in force f/m in place of g."""
    steps, h, mass = 20, 5e-3, 2.0
    world = voussoir.World()
    world.add_body(voussoir.Sphere(0.1), mass=mass, position=[0, 0, 5], velocity=[1, 0, 2])
    run = world.simulate(step=h, tolerance=1e-12).differentiate(steps)
    speed, force = np.zeros((1, 6)), np.zeros((steps, 1, 6))
    speed[0, 0], force[3, 0, 2] = 1, 1
    assert np.allclose(run.tangent(velocity=speed).pose[:, 0, 0], h * np.arange(steps + 1), rtol=1e-12)
    moved = run.tangent(force=force)
    after = np.maximum(np.arange(steps + 1) - 3, 0)
    assert np.allclose(moved.velocity[:, 0, 2], h / mass * (after > 0), rtol=1e-12)
    assert np.allclose(moved.pose[:, 0, 2], h * h / mass * after, rtol=1e-12)


def test_the_time_of_an_impact_is_part_of_the_derivative() -> None:
    world = voussoir.World(gravity=[0, 0, 0])
    steel = world.add_material("steel", mu=0, restitution=0.7)
    world.add_collider(voussoir.Plane(), material=steel)
    world.add_body(voussoir.Sphere(0.1), mass=1, position=[0, 0, 0.2], velocity=[0, 0, -2], material=steel)
    start = np.zeros((1, 6))
    start[0, 2] = 1
    run = world.simulate(step=2e-3, tolerance=1e-12, accuracy=1e-6).differentiate(50)
    assert np.isclose(run.tangent(pose=start).pose[-1, 0, 2], -0.7, rtol=1e-9)


def test_a_quadruped_on_its_feet() -> None:
    """A push at the trunk: tangent, adjoint and differences of runs."""
    steps, h = 30, 4e-3

    def run(push: float) -> voussoir.RunDerivative:
        robot = voussoir.scene(EXAMPLES / "quadruped.xml")
        robot.set_keyframe("home")
        force = np.zeros((steps, 9, 6))
        force[5:10, 0, :3] = [push, 0.5 * push, 0]
        return robot.world.simulate(step=h, tolerance=1e-12).differentiate(steps, force=force)

    here, direction = run(2.0), np.zeros((steps, 9, 6))
    direction[5:10, 0, :3] = [1, 0.5, 0]
    moved = here.tangent(force=direction)
    there = [run(2.0 + push).states["pose"]["position"][-1] for push in (1e-2, -1e-2)]
    assert np.allclose(moved.pose[-1, :, :3], (there[0] - there[1]) / 2e-2, rtol=1e-7, atol=1e-10)
    weights = np.random.default_rng(1).normal(size=(steps + 1, 9, 6))
    assert np.isclose((here.adjoint(pose=weights).force * direction).sum(), (weights * moved.pose).sum(), rtol=1e-9)


def test_solutions_to_rounding_are_good_enough() -> None:
    """A tolerance that rounding misses: the steps say so, and are differentiated."""

    def after_ten_steps() -> voussoir.Simulation:  # in the first ones it settles
        robot = voussoir.scene(EXAMPLES / "quadruped.xml")
        robot.set_keyframe("home")
        simulation = robot.world.simulate(step=4e-3, tolerance=1e-16)
        for _ in range(10):
            simulation.step()
        return simulation

    simulation = after_ten_steps()
    assert any([simulation.step().status != "converged" for _ in range(5)])
    run = after_ten_steps().differentiate(5)
    run.tangent(velocity=np.ones((9, 6)))
    assert 0 < run.report.relative_error < 1e-11


def test_what_is_refused() -> None:
    world, body = block(0.3, 1.0)
    with pytest.raises(voussoir.Unsupported, match="schemes other than moreau"):
        world.simulate(scheme="shake").differentiate(3)
    simulation = world.simulate()
    for wrt in ("mu", ("mu", "felt"), ("mass",), ("weight", body)):
        with pytest.raises(voussoir.ArgumentError):
            simulation.differentiate(3, [wrt])
    with pytest.raises(voussoir.ArgumentError, match="force"):
        simulation.differentiate(3, force=np.zeros(7))
    with pytest.raises(voussoir.ArgumentError):
        simulation.differentiate(0)
