"""Queries, events and sensors."""

import math

import numpy as np
import pytest
import voussoir


def test_queries_of_a_small_world() -> None:
    world = voussoir.World()
    world.add_floor()
    box = world.add_body(voussoir.Box([2, 2, 2]), position=[0, 0, 3])
    ball = world.add_body(voussoir.Sphere(0.5), position=[4, 0, 3])
    hit = world.cast_ray([0, 0, 10], [0, 0, -1])
    assert hit is not None and hit.body == box and hit.distance == pytest.approx(6, abs=1e-12)
    assert np.allclose(hit.normal, [0, 0, 1]) and np.allclose(hit.point, [0, 0, 4])
    assert world.cast_ray([0, 0, 10], [0, 0, 1]) is None
    inside = world.closest_point([0, 0, 3.9])
    assert inside is not None and inside.distance == pytest.approx(-0.1, abs=1e-12)
    assert world.distance(box, ball) == pytest.approx(2.5, abs=1e-9)
    assert world.distance(box, None) == pytest.approx(2, abs=1e-9)
    assert world.distance(box, ball, 1) == math.inf
    assert len(world.overlapping(voussoir.Sphere(1), voussoir.Pose([1.5, 0, 3]))) == 1
    with pytest.raises(voussoir.ArgumentError, match="direction"):
        world.cast_ray([0, 0, 0], [0, 0, 0])


def test_events_and_sensors() -> None:
    world = voussoir.World()
    world.add_floor()
    world.add_collider(voussoir.Box([1, 1, 0.2]), pose=voussoir.Pose([0, 0, 0.5]), sensor=True)
    ball = world.add_body(voussoir.Sphere(0.1), position=[0, 0, 1], density=1000)
    simulation = world.simulate(step=1 / 240)
    sensed, pressed = [], []
    for _ in range(200):
        simulation.step()
        sensed += [event.kind for event in simulation.events if event.sensor]
        pressed += [event for event in simulation.events if not event.sensor]
    assert sensed.count("begin") == sensed.count("end") == 1
    assert [event.kind for event in pressed].count("begin") == 1
    last = pressed[-1]
    assert last.kind == "persist" and last.a is None and last.b == ball
    assert last.impulse[2] == pytest.approx(ball.mass * 9.81 / 240, rel=1e-6)
