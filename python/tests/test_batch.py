"""Batches: the bits of each world are those that it has alone; arrays, resets, snapshots, worlds that fail."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import voussoir

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
MU = [0.3, 0.4, 0.5, 0.6, 0.7]


def efforts(call: int) -> np.ndarray:
    return np.random.default_rng(call).uniform(2, 20, (len(MU), 2))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_each_world_has_the_bits_that_it_has_alone(threads: int) -> None:
    batch = voussoir.Batch("gripper", len(MU), threads=threads, parameters={"mu": MU, "mass": 0.4})
    together = []
    for call in range(8):
        batch.command_efforts(efforts(call))
        reports = batch.step(7)
        assert (reports["inaccurate"] == 0).all() and (reports["steps"] == 7).all()
        together.append((batch.states().copy(), batch.joint_motion(), batch.joint_efforts()))
    for k, mu in enumerate(MU):
        simulation = voussoir.scene("gripper", mu=mu, mass=0.4).simulate()
        for call in range(8):
            simulation.world.command_efforts(efforts(call)[k])
            for _ in range(7):
                simulation.step()
            states, motion, applied = together[call]
            assert simulation.world.states().tobytes() == states[k].tobytes()
            assert simulation.world.joint_motion().tobytes() == motion[k].tobytes()
            assert simulation.world.joint_efforts().tobytes() == applied[k].tobytes()


def test_a_reset_repeats_the_first_bits_in_chosen_worlds() -> None:
    batch = voussoir.Batch(EXAMPLES / "quadruped.xml", 3, keyframe="home", threads=2)
    start = batch.states()

    def run() -> bytes:
        batch.controls = np.linspace(-5, 5, 24).reshape(3, 8)
        batch.step(20)
        return batch.states().tobytes()

    first = run()
    batch.reset()
    assert batch.states().tobytes() == start.tobytes() and run() == first
    reports = batch.step(2, [0])
    assert reports["steps"].tolist() == [2, 0, 0] and (1000 * batch.times).round().tolist() == [22, 20, 20]
    batch.reset([1])
    assert (batch.times == 0).tolist() == [False, True, False]
    batch.reset(np.array([True, False, False]))
    assert (batch.times == 0).tolist() == [True, True, False]
    batch.reset(2)
    batch.step(5)
    batch.mark_start()
    batch.step(5)
    batch.reset()
    assert batch.times == pytest.approx(3 * [0.005])


def test_controls_are_arrays_within_their_limits() -> None:
    batch = voussoir.Batch(EXAMPLES / "quadruped.xml", 2, keyframe="home")
    batch.controls = 1e3
    assert (batch.controls == 25).all() and batch.controls.shape == (2, 8)
    batch.controls = np.arange(8)  # one row for all worlds
    assert batch[1].world.controls.array.tolist() == list(range(8))
    with pytest.raises(voussoir.ArgumentError, match=r"controls: has the shape \(3,\), must have \(2, 8\)"):
        batch.controls = [1, 2, 3]
    batch.command_targets([[0.1] + 7 * [np.nan], 8 * [np.nan]])
    assert batch[0].world.joints[0].target == 0.1 and batch[1].world.joints[0].effort == 0.0


def test_worlds_continue_from_one_snapshot() -> None:
    batch = voussoir.Batch("gripper", 4, threads=2)
    batch.step(20)
    here = batch.snapshot(0)
    batch.step(5)
    batch.restore(here)
    batch.command_efforts(np.array([[5.0], [10.0], [5.0], [20.0]]) * np.ones(2))
    batch.step(10)
    states = batch.states()
    assert states[0].tobytes() == states[2].tobytes() != states[1].tobytes()


def test_a_failing_world_is_named_and_stops_no_other() -> None:
    batch = voussoir.Batch("gripper", 3, threads=2)
    with pytest.raises(voussoir.ArgumentError, match="world 1: "):
        batch.command_efforts([[1, 1], [np.inf, 1], [1, 1]])
    batch = voussoir.Batch("ball", 3, threads=2, accuracy=1e-3)
    batch[1].world.add_material("foam", stiffness=1e4)  # only fixed steps advance it
    reports = batch.step(3, check=False)
    assert (reports["error"] != 0).tolist() == [False, True, False] and "foam" not in batch.error(0)
    assert reports["steps"].tolist() == [3, 0, 3] and "only fixed steps" in batch.error(1)
    with pytest.raises(voussoir.ArgumentError, match="world 1: accuracy: a material has stiffness"):
        batch.step()
    assert batch.times[0] == pytest.approx(4 * batch[0].step_size)  # they went on


def test_a_world_that_explodes_is_flagged_and_comes_back_by_a_reset() -> None:
    batch = voussoir.Batch("gripper", 3, threads=2)
    fast = batch[1].world.states()
    fast["velocity"][0] = 1e29
    batch[1].world.set_states(fast)
    assert (batch.step(3)["inaccurate"] > 0).tolist() == [False, True, False]
    batch.reset(1)
    assert (batch.step(3)["inaccurate"] == 0).all()


def test_worlds_are_made_by_a_function_or_again_from_a_scene() -> None:
    def drop(k: int) -> voussoir.Simulation:
        world = voussoir.World()
        world.add_floor()
        world.add_body(voussoir.Sphere(0.1), mass=1 + k, position=[0, 0, 1 + k])
        return world.simulate(step=0.01)

    batch = voussoir.Batch(drop, 3)
    batch.step(10)
    assert np.diff(batch.positions[:, 0, 2]) == pytest.approx([1, 1])
    arch = voussoir.scene("arch", stones=9)
    assert voussoir.Batch(arch, 2).bodies == 9


def test_mistakes_are_explained() -> None:
    with pytest.raises(voussoir.ArgumentError, match="at least 1"):
        voussoir.Batch("gripper", 0)
    with pytest.raises(voussoir.ArgumentError, match="no callbacks"):
        voussoir.Batch("gripper", 1, before=print)
    with pytest.raises(voussoir.ArgumentError, match="one for each of 2 worlds"):
        voussoir.Batch("gripper", 2, parameters={"mu": [1, 2, 3]})
    with pytest.raises(voussoir.ArgumentError, match="world 1: has 5 bodies"):
        voussoir.Batch(lambda k: voussoir.scene("domino", count=4 + k).simulate(), 2)
    shared = voussoir.scene("gripper").simulate()
    with pytest.raises(voussoir.ArgumentError, match="world 1 shares its context"):
        voussoir.Batch(lambda k: shared, 2)
    batch = voussoir.Batch("gripper", 2)
    with pytest.raises(voussoir.ArgumentError, match="which"):
        batch.reset([2])
    with pytest.raises(voussoir.ArgumentError, match="steps must be positive"):
        batch.step(0)


def test_recorders_are_refused(tmp_path: Path) -> None:
    batch = voussoir.Batch("gripper", 2)
    with batch[1].record(tmp_path / "one.h5"), pytest.raises(voussoir.ArgumentError, match="recorder of world 1"):
        batch.step()


def test_sensors_of_all_worlds_are_rows(tmp_path: Path) -> None:
    path = tmp_path / "arm.xml"
    text = """<mujoco><worldbody><body name="arm"><joint name="hip" axis="0 1 0"/><geom type="capsule" size="0.1"
      fromto="0 0 0 0.5 0 0"/><site name="tip" pos="0.5 0 0"/></body></worldbody><sensor><jointpos joint="hip"/>
      <accelerometer name="felt" site="tip"/></sensor></mujoco>"""
    path.write_text(text, encoding="utf-8")
    batch = voussoir.Batch(path, 2, step=0.001)
    batch.step(5, [True, False])
    values = batch.sensors()
    assert values.shape == (2, 4)
    for k in range(2):
        assert (values[k] == batch[k].world.sensors.array).all()
    assert values[0, 0] > 0 and values[1, 0] == 0
