"""Stop conditions and outcomes: the words of scene files, in Python."""

from __future__ import annotations

import pytest

import voussoir


def tilted(degrees: float, **options: object) -> voussoir.Simulation:
    import math

    angle = math.radians(degrees)
    world = voussoir.World(gravity=[9.81 * math.sin(angle), 0, -9.81 * math.cos(angle)])
    world.add_material("wood", mu=0.4)  # holds up to 21.8 degrees
    world.add_floor()
    world.add_body(voussoir.Box([0.2, 0.2, 0.2]), mass=1, position=[0, 0, 0.1], name="crate")
    return world.simulate(**options)  # type: ignore[arg-type]


def test_a_crate_stands_or_slides() -> None:
    held, sliding = tilted(21.0), tilted(22.5)
    summary = held.run(0.5)
    assert summary.outcome is not None and summary.outcome.stands and summary.outcome.at_rest
    assert summary.outcome.condition is None and held.outcome.stands
    assert sliding.run(0.5).outcome.state == "moving"  # type: ignore[union-attr]
    far = sliding.run(3.0).outcome
    assert far is not None and far.state == "displaced" and far.farthest is not None
    assert far.farthest.name == "crate" and far.displacement > 0.35


def test_margins_are_those_of_statics() -> None:
    import math

    held = tilted(15.0)
    outcome, margin = held.run(0.2).outcome, held.margin
    slope = math.tan(math.radians(15))
    assert margin.sliding == pytest.approx(1 - slope / 0.4, abs=1e-5) and margin.tipping == pytest.approx(1 - slope, abs=1e-5)
    assert margin.tipping_between[0] is None and margin.tipping_between[1] == held.world.body("crate")
    assert outcome is not None and outcome.residual <= outcome.displacement


def test_conditions_end_a_run_and_say_why() -> None:
    simulation = tilted(30.0, stop=[{"when": "rest"}, {"when": "displacement", "body": "crate", "above": 0.02}])
    summary = simulation.run(5.0)
    outcome = simulation.outcome
    assert outcome.condition == 1 and outcome.met_by is not None and outcome.met_by.name == "crate"
    assert 0.02 < outcome.met_value < 0.03 and summary.steps < 240
    assert tilted(10.0, stop=[{"when": "rest", "for": 0.05}]).run(5.0).steps == 12
    assert tilted(10.0, stop=[{"when": "contact", "bodies": ["world", "crate"]}]).run(5.0).steps <= 2


def test_conditions_of_a_scene_count_and_can_be_replaced() -> None:
    data = {
        "voussoir": 1,
        "gravity": [0, 0, -10],
        "bodies": [{"name": "ball", "shape": {"kind": "sphere", "radius": 0.1}}],
        "stop": [{"when": "speed", "above": 0.99}],
    }
    scene = voussoir.scene(data)
    assert scene.run().steps == 24 and scene.simulation.outcome.condition == 0
    assert voussoir.scene(data).simulate(stop=[]).run(1.0).steps == 240


@pytest.mark.parametrize(
    "condition",
    [{}, {"when": "fals"}, {"when": "speed"}, {"when": "speed", "above": -1}, {"when": "rest", "above": 1}],
)
def test_conditions_that_make_no_sense_are_refused(condition: dict) -> None:  # type: ignore[type-arg]
    with pytest.raises(voussoir.ArgumentError, match="stop"):
        tilted(0.0, stop=[condition])
