"""Scenes by name, from files and dicts; robot descriptions; the same bits as the command."""

from __future__ import annotations

import json
import logging
import subprocess
from pathlib import Path

import pytest

import voussoir

CRATE = {
    "voussoir": 1,
    "parameters": {"height": 1},
    "materials": {"wood": {"mu": 0.4}},
    "bodies": [
        {"name": "floor", "motion": "static", "shape": {"kind": "plane"}},
        {"name": "crate", "shape": {"kind": "box", "size": [1, 1, 1]}, "position": [0, 0, "$height"]},
    ],
    "output": {"duration": 0.5},
}

URDF = """<robot name="arm"><link name="world"/><link name="arm"><inertial><mass value="1"/><origin xyz="0 0 -0.5"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="world"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint><transmission name="t"/></robot>"""


@pytest.mark.parametrize("info", voussoir.scenes(), ids=lambda info: info.name)
def test_every_named_scene_makes_a_step(info: voussoir.SceneInfo) -> None:
    scene = voussoir.scene(info.name)
    report = scene.simulate().step()
    assert report.converged and info.description
    assert len(scene.world) + report.contacts > 0  # flexible solids are no bodies, but lie on something


def test_json_as_file_and_as_dict(tmp_path: Path) -> None:
    (tmp_path / "crate.json").write_text(json.dumps(CRATE))
    hashes = set()
    for source in (CRATE, tmp_path / "crate.json", str(tmp_path / "crate.json")):
        scene = voussoir.scene(source, height=2)
        assert scene.duration == 0.5 and scene.world.body("crate").position[2] == 2
        assert scene.run().steps == 120
        hashes.add(scene.world.hash)
    assert len(hashes) == 1


def test_errors_name_the_place(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"voussoir": 1,\n"bodis": []}')
    cases = [
        (lambda: voussoir.scene(tmp_path / "bad.json"), voussoir.DataError, "bad.json:2.*bodis"),
        (lambda: voussoir.scene("arhc"), voussoir.ArgumentError, "did you mean 'arch'"),
        (lambda: voussoir.scene("arch", stones=-1), voussoir.Error, "stones"),
        (lambda: voussoir.scene(tmp_path / "none.json"), voussoir.FileError, "none.json"),
    ]
    for call, kind, words in cases:
        with pytest.raises(kind, match=words):
            call()


def test_imported_robot_lists_what_it_ignores(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "arm.urdf").write_text(URDF)
    with caplog.at_level(logging.WARNING, logger="voussoir"):
        scene = voussoir.scene(tmp_path / "arm.urdf")
    assert scene.ignored == len(caplog.records) > 0 and "arm.urdf" in caplog.text
    assert [joint.name for joint in scene.world.joints] == ["hinge"]


def test_a_world_outlives_its_scene() -> None:
    world = voussoir.scene("arch").world
    simulation = world.simulate()
    del world
    assert simulation.step().converged and len(simulation.world) == 11


def test_run_has_the_bits_of_the_command(command: str, tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    ours, theirs = tmp_path / "ours.h5", tmp_path / "theirs.h5"
    arguments = ["run", "domino", "--set", "count=6", "--duration", "0.3", "--quiet", "-o", str(theirs)]
    subprocess.run([command, *arguments], check=True, stdout=subprocess.DEVNULL)
    scene = voussoir.scene("domino", count=6)
    scene.run(duration=0.3, record=ours)
    with h5py.File(ours) as a, h5py.File(theirs) as b:
        for name in ("time", "state/pose", "state/velocity", "contacts/impulse", "solver/energy_error"):
            assert a[name][()].tobytes() == b[name][()].tobytes(), name
