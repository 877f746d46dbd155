"""Functions of time: expressions, tables, records of accelerations, loads in the frame of a body, gravity that changes."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import voussoir


def push(force: voussoir.shapes.Signal) -> float:
    """The speed of 1 kg after a second."""
    world = voussoir.World(gravity=[0, 0, 0])
    body = world.add_body(voussoir.Sphere(0.1), mass=1)
    body.add_load([force, 0, 0])
    voussoir.Simulation(world, step=1 / 256).run(duration=1)
    return float(body.velocity[0])


def test_every_signal_gives_its_impulse(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("0 0\n1 4\n")
    # exact for what is linear; (h^2/24) F'' of the others
    assert push(4) == pytest.approx(4, abs=1e-12)
    assert push("4*t") == pytest.approx(2, abs=1e-12)
    assert push("3*t^2") == pytest.approx(1, abs=1e-5)
    assert push(voussoir.Table([0, 1], [0, 4])) == pytest.approx(2, abs=1e-12)
    assert push(voussoir.Record(tmp_path / "f.csv", scale=2)) == pytest.approx(4, abs=1e-12)
    assert push(voussoir.Sine(2, 0.5)) == pytest.approx(4 / math.pi, abs=1e-5)
    with pytest.raises(voussoir.ArgumentError, match="column 3"):
        push("2*")


def test_a_record_drives_a_body_back_to_where_it_was(tmp_path: Path) -> None:
    values = 0.3 * np.sin(0.7 * np.arange(200)) + 0.02
    rows = "\n".join(" ".join(f"{x:.7E}" for x in values[k : k + 5]) for k in range(0, 200, 5))
    path = tmp_path / "quake.AT2"
    path.write_text(f"PEER\nTest\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS=  200, DT=   .0100 SEC\n{rows}\n")
    raw, corrected = voussoir.Record(path), voussoir.Record(path, baseline="displacement")
    assert raw.samples == 200 and raw.removed == (0, 0) and abs(raw.drift[1]) > 0.1
    assert raw.peak == pytest.approx(9.80665 * np.abs(values).max(), rel=1e-6)
    assert corrected.removed[0] != 0 and corrected.drift == raw.drift and corrected.peak_displacement < raw.peak_displacement
    world = voussoir.World(gravity=[0, 0, 0])
    table = world.add_body(voussoir.Box([1, 1, 1]), motion="kinematic")
    table.set_drive(acceleration=[corrected, 0, 0])
    voussoir.Simulation(world, step=0.01).run(duration=3)
    assert abs(table.position[0]) < 1e-12 and abs(table.velocity[0]) < 1e-12
    with pytest.raises(voussoir.ArgumentError, match="only one of"):
        table.set_drive([0, 0, 0], position=[0, 0, 0])
    with pytest.raises(voussoir.DataError, match=r"quake.AT2:4: expected the number"):
        path.write_text("PEER\nTest\nUNITS OF G\n\n")
        voussoir.Record(path)


def test_a_record_has_a_spectrum_and_an_intensity(tmp_path: Path) -> None:
    # The ground goes 2/3 m and back, and a = 1 - t until 2 s.
    (tmp_path / "a.csv").write_text("0 1\n2 -1\n4 1\n")
    record = voussoir.Record(tmp_path / "a.csv")
    soft = record.response([[1e7, 1e8]], damping=0)
    assert soft.shape == (1, 2) and soft == pytest.approx(2 / 3, rel=1e-10)
    assert record.response(0.7, 0.05) < record.response(0.7, 0.02)
    intensity = record.intensity()
    assert intensity.arias == pytest.approx(math.pi / 2 / 9.80665 * 4 / 3, rel=1e-14)
    assert intensity.cumulative == pytest.approx(2, rel=1e-14)
    assert sum(intensity.significant) == pytest.approx(4, rel=1e-14)
    with pytest.raises(voussoir.ArgumentError, match="period"):
        record.response([1, 0])


def test_loads_turn_with_the_body_and_gravity_with_time() -> None:
    world = voussoir.World(gravity=[0, 0, 0])
    body = world.add_body(voussoir.Box([1, 1, 1]), mass=1, position=[0, 0, 0], rotation=voussoir.rotation([0, 0, 1], math.pi / 2))
    body.add_load([1, 0, 0], point=[0, 2, 0], frame="body")
    voussoir.Simulation(world, step=0.01).run(duration=0.01)
    assert body.velocity == pytest.approx([0, 0.01, 0], abs=1e-15) and body.spin[2] < 0
    world = voussoir.World()
    ball = world.add_body(voussoir.Sphere(0.1), mass=1)
    world.gravity = ["6*t", 0, voussoir.Table([0, 1], [0, -10])]
    voussoir.Simulation(world, step=1 / 64).run(duration=1)
    assert ball.velocity == pytest.approx([3, 0, -5], abs=1e-12)
    with pytest.raises(voussoir.ArgumentError, match="frame"):
        body.add_load([1, 0, 0], frame="moon")
