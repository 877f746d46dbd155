"""Environments: the conventions of Gymnasium, with and without the package; one world and many have the same bits."""

from __future__ import annotations

import importlib.util
import sys
import types
from pathlib import Path
from typing import Any, List

import numpy as np
import pytest

import voussoir
import voussoir.env
from voussoir.env import Box, Env, VectorEnv

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
MU, MASS = [0.3, 0.5, 0.8], [0.2, 0.6, 0.4]


@pytest.fixture(name="grasp")
def import_grasp(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module("grasp")


def actions(frame: int) -> np.ndarray:
    """Close, then lift; a press that holds the first and the third cube only."""
    press = np.array([0.3, 0.1, 0.3])
    return np.column_stack([np.full(3, 0.5 if frame > 6 else 0.0), press])


def test_reset_and_step_follow_the_conventions(grasp: Any) -> None:
    env = Env(grasp.Grasp())
    observation, info = env.reset(seed=3)
    assert env.observation_space.contains(observation) and info == {} and env.action_space.shape == (2,)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    assert isinstance(reward, float) and terminated is False and truncated is False and info["inaccurate"] == 0
    again, _ = env.reset(seed=3)
    other, _ = env.reset(seed=4)
    assert env.reset(seed=3)[0].tobytes() == again.tobytes() != other.tobytes()
    with pytest.raises(voussoir.ArgumentError, match="action: must be finite"):
        env.step([np.nan, 0])
    env.task.limit = 3
    env.reset(seed=3)
    assert [env.step([0, 0])[3] for _ in range(3)] == [False, False, True]


def test_a_world_of_many_has_the_bits_of_one(grasp: Any) -> None:
    seen: List[List[bytes]] = []
    for threads in (1, 2, 3):
        env = VectorEnv(grasp.Grasp(MU, MASS), 3, threads=threads)
        rows = [env.reset(seed=10)[0]]
        for frame in range(20):
            found, rewards, *_ = env.step(actions(frame))
            rows.append(np.column_stack([found, rewards]))
        seen.append([row.tobytes() for row in rows])
    assert seen[0] == seen[1] == seen[2]
    for k in range(3):
        alone = Env(grasp.Grasp(MU[k], MASS[k]))
        assert alone.reset(seed=10 + k)[0].tobytes() == rows[0][k].tobytes()
        for frame in range(20):
            found, reward, terminated, *_ = alone.step(actions(frame)[k])
            assert np.append(found, reward).tobytes() == rows[frame + 1][k].tobytes()
            if terminated:
                break


def test_an_episode_that_is_over_begins_again_at_the_next_step(grasp: Any) -> None:
    env = VectorEnv(grasp.Grasp(MU, MASS), 3)
    assert env.action_space.shape == (3, 2) and env.single_action_space.shape == (2,) and env.num_envs == 3
    env.reset(seed=10)
    frame = 0
    while True:
        found, rewards, terminated, truncated, info = env.step(actions(frame))
        frame += 1
        if terminated.any():
            break
    assert terminated.tolist() == [False, True, False] and info["slip"][1] > grasp.SLIP and rewards[1] < -1
    found, rewards, terminated, truncated, info = env.step(actions(frame))
    assert env.batch.times[1] == 0 and rewards[1] == 0 and not terminated[1]
    assert info["_slip"].tolist() == [True, False, True] and found[1, 0] == 0
    env.step(actions(frame))
    assert env.batch.times[1] == pytest.approx(4 / 240)


def test_a_world_that_fails_ends_its_episode_alone() -> None:
    class Fall(voussoir.env.Task):
        action_space = observation_space = Box(-1, 1, (1,))

        def make(self, worlds: int, threads: Any) -> voussoir.Batch:
            return voussoir.Batch("ball", worlds, threads=threads, accuracy=1e-3)

        def act(self, batch: voussoir.Batch, actions: np.ndarray) -> None:
            pass

        def observe(self, batch: voussoir.Batch) -> np.ndarray:
            return batch.positions[:, 0, 2:]

        def evaluate(self, batch: voussoir.Batch, observations: np.ndarray, actions: np.ndarray) -> Any:
            return np.ones(len(batch)), np.zeros(len(batch), bool), {}

    env = VectorEnv(Fall(), 2)
    env.reset(seed=0)
    env.batch[1].world.add_material("foam", stiffness=1e4)  # only fixed steps advance it
    _, rewards, terminated, _, info = env.step(np.zeros((2, 1)))
    assert rewards.tolist() == [1, 0] and terminated.tolist() == [False, True]
    assert info["error"][0] == "" and "only fixed steps" in info["error"][1]


def test_the_grasp_holds_above_the_least_force_and_slips_below_it(grasp: Any) -> None:
    task = grasp.Grasp([0.5, 0.5], [0.5, 0.5])
    env = VectorEnv(task, 2)
    env.reset(seed=5)
    least = task.least_force()[0] / grasp.FORCE
    press = least * np.array([1.5, 0.9])  # the hand accelerates: 9.81 + 2.4 m/s^2
    ends = {}
    for frame in range(50):
        _, _, terminated, _, info = env.step(np.column_stack([np.full(2, 0.8 if frame > 8 else 0.0), press]))
        for k in np.flatnonzero(terminated):
            ends.setdefault(int(k), bool(info["lifted"][k]))
    assert ends == {0: True, 1: False}


def test_classes_of_gymnasium_are_used_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a stand-in that has what environments use of the package."""

    class Space(voussoir.env._Box):
        pass

    package, vector, spaces = (types.ModuleType(f"gymnasium{part}") for part in ("", ".vector", ".spaces"))
    package.Env = type("Env", (), {})  # type: ignore[attr-defined]
    vector.VectorEnv = type("VectorEnv", (), {})  # type: ignore[attr-defined]
    vector.AutoresetMode = types.SimpleNamespace(NEXT_STEP="next")  # type: ignore[attr-defined]
    spaces.Box = Space  # type: ignore[attr-defined]
    for module in (package, vector, spaces):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    spec = importlib.util.spec_from_file_location("voussoir._env_beside", voussoir.env.__file__)
    assert spec is not None and spec.loader is not None
    beside = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(beside)
    assert issubclass(beside.Env, package.Env) and issubclass(beside.VectorEnv, vector.VectorEnv)  # type: ignore[attr-defined]
    assert isinstance(beside.Box(0, 1, (2,)), Space) and beside.VectorEnv.metadata["autoreset_mode"] == "next"


def test_spaces_are_those_of_gymnasium_in_what_they_do() -> None:
    space = Box([-1.0, 0.0, -np.inf], [1.0, np.inf, np.inf])
    space.seed(1)
    first = space.sample()
    space.seed(1)
    assert space.contains(first) and (space.sample() == first).all() and first in space
    assert not space.contains(np.array([2.0, 0, 0])) and not space.contains(np.zeros(2))
    assert space == Box(space.low, space.high) and space.dtype == np.float64
