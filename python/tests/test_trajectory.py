"""Trajectories: written, read lazily, followed while they grow, repaired, exported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import voussoir

pytest.importorskip("h5py")


def test_frames_are_what_the_simulation_had(tmp_path: Path) -> None:
    scene = voussoir.scene("domino", count=4)
    states, contacts = [scene.world.positions], [np.empty((0, 3))]
    simulation = scene.simulate()

    def after(world: voussoir.World, report: voussoir.StepReport) -> None:
        states.append(world.positions)
        contacts.append(simulation.contacts["impulse"])

    simulation.after = after
    summary = simulation.run(0.2, record=tmp_path / "run.h5")
    with voussoir.Trajectory(tmp_path / "run.h5") as run:
        assert len(run) == summary.frames == 49 and run.pose.shape == (49, len(scene.world), 7)
        assert np.array_equal(run.pose[:, :, :3], states) and run.step == simulation.step_size
        for frame in run:
            assert np.array_equal(frame.contacts.impulse, contacts[frame.index])
        last = run[-1]
        assert last.time == pytest.approx(0.2) and np.array_equal(last.rotation, scene.world.rotations)
        assert np.array_equal(last.velocity[:, :3], scene.world.velocities) and last.solver["step"] == 48
        assert run.mass.shape == (len(scene.world),) and len(run.body_names) == len(scene.world)
        assert last.reaction.shape == (0, 6) and (last.contacts.body >= -1).all()
        with pytest.raises(IndexError):
            run[49]
    assert "closed" in repr(run)


def test_a_body_over_time(tmp_path: Path) -> None:
    world = voussoir.World()
    world.add_body(voussoir.Sphere(0.1), name="first")
    world.add_body(voussoir.Sphere(0.1), position=[1, 0, 0], velocity=[2, 0, 0], spin=[0, 0, 3], name="second")
    world.simulate(step=0.01).run(0.1, record=tmp_path / "run.h5")
    with voussoir.Trajectory(tmp_path / "run.h5") as run:
        track = run.body("second")
        assert track.position[:, 0] == pytest.approx(1 + 2 * run.time[:]) and track.rotation.shape == (11, 4)
        assert (track.velocity[:, 0] == 2).all() and track.spin[:, 2] == pytest.approx(3)
        assert np.array_equal(run.body(-1).position, track.position)
        with pytest.raises(KeyError, match="no body 'secnd'; did you mean 'second'"):
            run.body("secnd")


def test_histories_by_name(tmp_path: Path) -> None:
    world = voussoir.World()
    world.add_body(voussoir.Box([1, 1, 0.1]), motion="static", position=[0, 0, -0.05], name="plate")
    world.add_body(voussoir.Box([0.2, 0.2, 0.2]), position=[0.25, 0, 0.1], mass=3, name="crate")
    world.simulate(step=0.01).run(0.1, record=tmp_path / "run.h5")
    with voussoir.Trajectory(tmp_path / "run.h5") as run:
        assert np.array_equal(run.history("position:crate"), run.body("crate").position)
        assert np.array_equal(run.history("velocity:crate.z"), run.body("crate").velocity[:, 2])
        # At rest the support carries the weight, below the centre; 1e-5: the solver's tolerance is 1e-6.
        weight = 3 * 9.81
        assert run.history("reaction:plate")[-1] == pytest.approx([0, 0, weight], abs=1e-5 * weight)
        assert run.history("force:plate/crate.z")[-1] == pytest.approx(weight, rel=1e-5)
        assert run.history("point:plate/crate")[-1] == pytest.approx([0.25, 0, 0], abs=1e-4)
        assert np.isnan(run.history("force:plate/crate")[0]).all()
        with pytest.raises(voussoir.ArgumentError, match="no body 'crat'; did you mean 'crate'"):
            run.history("position:crat")
        with pytest.raises(voussoir.ArgumentError, match="unknown quantity 'sped'; did you mean 'speed'"):
            run.history("sped:crate")


def test_a_resumed_run_writes_what_the_whole_one_does(tmp_path: Path) -> None:
    whole = voussoir.scene("domino", count=4).simulate()
    whole.run(0.2, record=tmp_path / "whole.h5", frame=0.05)
    first = voussoir.scene("domino", count=4).simulate()
    first.run(0.1, record=tmp_path / "parts.h5", frame=0.05)
    first.save(tmp_path / "run.ck")
    second = voussoir.scene("domino", count=4).simulate()
    second.load(tmp_path / "run.ck")
    second.run(until=0.2, record=tmp_path / "parts.h5", frame=0.05, resume=True)
    with voussoir.Trajectory(tmp_path / "whole.h5") as a, voussoir.Trajectory(tmp_path / "parts.h5") as b:
        assert len(a) == len(b) == 5 and np.array_equal(a.pose[:], b.pose[:])


def test_nothing_is_read_before_it_is_asked_for(tmp_path: Path) -> None:
    import h5py

    voussoir.scene("ball").run(duration=0.1, record=tmp_path / "run.h5")
    with voussoir.Trajectory(tmp_path / "run.h5") as run:
        assert all(isinstance(data, h5py.Dataset) for data in (run.time, run.pose, run.velocity, run.solver["work"]))


def test_a_file_is_followed_while_it_grows(tmp_path: Path) -> None:
    simulation = voussoir.scene("ball").simulate()
    with simulation.record(tmp_path / "run.h5") as recorder:
        recorder.flush()
        with voussoir.Trajectory(tmp_path / "run.h5", live=True) as run:
            assert len(run) == 1
            simulation.run(0.1)
            recorder.flush()
            assert run.refresh() == 25 and run[24].time == pytest.approx(0.1)
    with pytest.raises(voussoir.ArgumentError, match="closed"):
        recorder._write(None)


def test_a_killed_writer_leaves_a_file_that_can_be_repaired(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    program = f"""
import os, voussoir
simulation = voussoir.scene("ball").simulate()
recorder = simulation.record({str(path)!r})
simulation.run(0.1)
recorder.flush()
os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", program]).returncode == 9
    with pytest.raises(OSError):
        voussoir.Trajectory(path)
    assert voussoir.recover(path) == 25
    with voussoir.Trajectory(path) as run:
        assert len(run) == 25


def test_export_for_paraview(tmp_path: Path) -> None:
    voussoir.scene("ball").run(duration=0.1, record=tmp_path / "run.h5")
    voussoir.export_xdmf(tmp_path / "run.h5", tmp_path / "view.xdmf")
    assert (tmp_path / "view.xdmf").exists() and (tmp_path / "view.h5").exists()


def test_other_files_are_refused(tmp_path: Path) -> None:
    problem = voussoir.Problem(np.eye(3), np.eye(3), c=[1, 0, 0], mu=0.5)
    problem.save(tmp_path / "problem.hdf5")
    with pytest.raises(voussoir.DataError, match="not a trajectory"):
        voussoir.Trajectory(tmp_path / "problem.hdf5")
    with pytest.raises(voussoir.FileError):
        voussoir.scene("ball").run(duration=0.1, record=tmp_path / "none" / "run.h5")


@pytest.mark.parametrize("frame", [0.0, 0.025])
def test_a_loop_of_steps_records_what_a_run_does(tmp_path: Path, frame: float) -> None:
    voussoir.scene("domino", count=4).simulate().run(0.2, record=tmp_path / "run.h5", frame=frame)
    simulation = voussoir.scene("domino", count=4).simulate()
    with simulation.record(tmp_path / "loop.h5", frame=frame) as recorder:
        for _ in range(48):
            simulation.step()
    simulation.step()  # closed: nothing is added
    with voussoir.Trajectory(tmp_path / "run.h5") as a, voussoir.Trajectory(tmp_path / "loop.h5") as b:
        assert len(a) == len(b) == recorder.frames == (49 if frame == 0 else 9)
        assert np.array_equal(a.pose[:], b.pose[:]) and np.array_equal(a.time[:], b.time[:])
        for name in a.solver:
            assert name == "seconds" or np.array_equal(a.solver[name][:], b.solver[name][:]), name


def test_every_open_recorder_takes_every_step(tmp_path: Path) -> None:
    simulation = voussoir.scene("ball").simulate()
    with simulation.record(tmp_path / "whole.h5") as whole:
        simulation.step()
        summary = simulation.run(0.1, record=tmp_path / "run.h5")
        simulation.step()
    assert summary.frames == 25 and whole.frames == 27


def test_a_recorder_that_nobody_closes_leaves_a_good_file(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    program = f"""
import voussoir
simulation = voussoir.scene("ball").simulate()
simulation.record({str(path)!r})
for k in range(10):
    simulation.step()
"""
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
    with voussoir.Trajectory(path) as run:
        assert len(run) == 11
