"""Environments with the conventions of Gymnasium, on a `Batch`: reset(seed), step(action).

A `Task` says what is simulated, what an action does, what is observed and what is rewarded, for all worlds at once. `Env`
is one world of it, `VectorEnv` many, over threads. Both derive from the classes of the package gymnasium where it is
installed and work without it; world k of a `VectorEnv` that was seeded with s has the bits of an `Env` seeded with s + k.

>>> import numpy as np, voussoir
>>> from voussoir.env import Box, Task, VectorEnv
>>> class Hold(Task):  # fingers that press on a cube which a hand lifts
...     action_space = Box(0.0, 20.0, (1,))  # N
...     observation_space = Box(-np.inf, np.inf, (3,))
...     def make(self, worlds, threads):
...         return voussoir.Batch("gripper", worlds, threads=threads)
...     def act(self, batch, actions):
...         batch.command_efforts(actions)
...     def observe(self, batch):
...         return batch.positions[:, 0]
...     def evaluate(self, batch, observations, actions):
...         return observations[:, 2], np.zeros(len(batch), bool), {}
>>> env = VectorEnv(Hold(), 2)
>>> observations, infos = env.reset(seed=1)
>>> observations, rewards, terminated, truncated, infos = env.step([[5.0], [10.0]])
>>> observations.shape, rewards.round(3).tolist(), terminated.tolist()
((2, 3), [0.03, 0.03], [False, False])
"""

from __future__ import annotations

import importlib
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import errors
from ._core import FloatArray
from .batch import Batch

__all__ = ["Box", "Env", "Task", "VectorEnv"]

BoolArray = npt.NDArray[np.bool_]
Info = Dict[str, Any]


def _gymnasium(name: str) -> Any:
    """A module of the package, None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


_package = _gymnasium("gymnasium")
_vector = _gymnasium("gymnasium.vector")
_spaces = _gymnasium("gymnasium.spaces")


class _Box:
    """Arrays between `low` and `high`, as gymnasium.spaces.Box, which takes its place where it is installed."""

    def __init__(
        self,
        low: npt.ArrayLike,
        high: npt.ArrayLike,
        shape: Optional[Sequence[int]] = None,
        dtype: npt.DTypeLike = np.float64,
        seed: Optional[int] = None,
    ) -> None:
        self.dtype = np.dtype(dtype)
        size = tuple(shape) if shape is not None else np.broadcast(low, high).shape
        self.low = np.broadcast_to(np.asarray(low, self.dtype), size).copy()
        self.high = np.broadcast_to(np.asarray(high, self.dtype), size).copy()
        self.shape: Tuple[int, ...] = size
        self._random = np.random.default_rng(seed)

    def seed(self, seed: Optional[int] = None) -> None:
        self._random = np.random.default_rng(seed)

    def sample(self) -> npt.NDArray[Any]:
        """Uniform where bounded, else normal, beyond the bound where there is one."""
        uniform, normal = self._random.uniform(size=self.shape), self._random.normal(size=self.shape)
        below, above = np.isfinite(self.low), np.isfinite(self.high)
        low, high = np.where(below, self.low, 0.0), np.where(above, self.high, 0.0)
        free = np.where(below, low + np.abs(normal), np.where(above, high - np.abs(normal), normal))
        return np.where(below & above, low + (high - low) * uniform, free).astype(self.dtype)

    def contains(self, x: Any) -> bool:
        given = np.asarray(x)
        return given.shape == self.shape and bool(np.all(given >= self.low) and np.all(given <= self.high))

    __contains__ = contains

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Box)
            and self.shape == other.shape
            and np.array_equal(self.low, other.low)
            and np.array_equal(self.high, other.high)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


def Box(low: npt.ArrayLike, high: npt.ArrayLike, shape: Optional[Sequence[int]] = None) -> Any:
    """A space of arrays of doubles: gymnasium.spaces.Box, or what has its methods where that is not installed.

    >>> from voussoir.env import Box
    >>> space = Box(-1.0, 1.0, (2,))
    >>> space.shape, space.contains(space.sample())
    ((2,), True)
    """
    size = tuple(shape) if shape is not None else np.broadcast(low, high).shape
    low, high = (np.broadcast_to(np.asarray(x, np.float64), size).copy() for x in (low, high))
    kind = _Box if _spaces is None else _spaces.Box
    return kind(low, high, shape=size, dtype=np.float64)


def _batched(space: Any, worlds: int) -> Any:
    return Box(np.repeat(space.low[None], worlds, axis=0), np.repeat(space.high[None], worlds, axis=0))


class Task:
    """What an environment is about; derive from it. Arrays have the worlds as their first axis.

    steps               of the simulation per action
    limit               actions per episode, after which it is truncated
    action_space        a `Box`; actions are limited to it
    observation_space   a `Box`
    """

    steps: int = 4
    limit: int = 200
    action_space: Any = None
    observation_space: Any = None

    def make(self, worlds: int, threads: Optional[int]) -> Batch:
        """The worlds, in the state in which episodes begin."""
        raise NotImplementedError

    def begin(self, batch: Batch, k: int, random: np.random.Generator) -> None:
        """World k begins an episode: it is at its start, and may be changed at random."""

    def act(self, batch: Batch, actions: FloatArray) -> None:
        """Commands the worlds (worlds x size of an action), for the next `steps` steps."""
        raise NotImplementedError

    def observe(self, batch: Batch) -> FloatArray:
        """(worlds x size of an observation)."""
        raise NotImplementedError

    def evaluate(self, batch: Batch, observations: FloatArray, actions: FloatArray) -> Tuple[FloatArray, BoolArray, Info]:
        """After the steps: rewards (worlds), whether episodes are over (worlds), and arrays of other figures (worlds)."""
        raise NotImplementedError


class _Episodes:
    """The worlds of a task, each with its own random numbers and its count of actions."""

    def __init__(self, task: Task, worlds: int, threads: Optional[int]) -> None:
        self.task = task
        self.batch = task.make(worlds, threads)
        self.random: List[np.random.Generator] = [np.random.default_rng() for _ in range(worlds)]
        self.count = np.zeros(worlds, np.int64)

    def seed(self, seeds: Sequence[Optional[int]]) -> None:
        """None: continues with the random numbers that there are."""
        if len(seeds) != len(self.batch):
            raise errors.ArgumentError(f"seed: has {len(seeds)} entries, must have {len(self.batch)}")
        for k, seed in enumerate(seeds):
            if seed is not None:
                self.random[k] = np.random.default_rng(seed)

    def begin(self, which: BoolArray) -> None:
        if not which.any():
            return
        self.batch.reset(which)
        for k in np.flatnonzero(which):
            self.task.begin(self.batch, int(k), self.random[k])
        self.count[which] = 0

    def observe(self) -> FloatArray:
        return np.asarray(self.task.observe(self.batch), np.float64)

    def advance(self, actions: npt.ArrayLike, which: BoolArray) -> Tuple[FloatArray, FloatArray, BoolArray, BoolArray, Info]:
        """An action in these worlds; one whose step fails ends its episode."""
        space, batch = self.task.action_space, self.batch
        given = np.asarray(actions, np.float64)
        if given.shape != (len(batch), *space.shape) or not np.isfinite(given).all():
            raise errors.ArgumentError(
                f"action: must be finite numbers of the shape {(len(batch), *space.shape)}, has {given.shape}"
            )
        given = np.clip(given, space.low, space.high)
        self.task.act(batch, given)
        reports = batch.step(self.task.steps, which, check=False)
        self.count[which] += 1
        observations = self.observe()
        rewards, terminated, info = self.task.evaluate(batch, observations, given)
        failed = reports["error"] != 0
        info = {**info, "inaccurate": reports["inaccurate"].copy()}
        if failed.any():
            info["error"] = np.array([batch.error(k) if failed[k] else "" for k in range(len(batch))], object)
        truncated = which & (self.count >= self.task.limit)
        return observations, np.where(which & ~failed, rewards, 0.0), which & (terminated | failed), truncated, info


class Env(object if _package is None else _package.Env):  # type: ignore[misc]
    """One world of a task, as gymnasium.Env."""

    metadata: Dict[str, Any] = {"render_modes": []}
    render_mode: Optional[str] = None

    def __init__(self, task: Task) -> None:
        self.task = task
        self.episodes = _Episodes(task, 1, 1)
        self.action_space, self.observation_space = task.action_space, task.observation_space

    @property
    def batch(self) -> Batch:
        """With the one world: `batch[0]` is its `Simulation`."""
        return self.episodes.batch

    def reset(self, *, seed: Optional[int] = None, options: Optional[Info] = None) -> Tuple[FloatArray, Info]:
        """A new episode: its observation, and an empty info."""
        self.episodes.seed([seed])
        self.episodes.begin(np.ones(1, np.bool_))
        return self.episodes.observe()[0], {}

    def step(self, action: npt.ArrayLike) -> Tuple[FloatArray, float, bool, bool, Info]:
        """Observation, reward, terminated, truncated, info; "inaccurate" of info counts steps that missed the tolerance."""
        observed, rewards, terminated, truncated, info = self.episodes.advance(
            np.asarray(action, np.float64)[None], np.ones(1, np.bool_)
        )
        one = {name: values[0] for name, values in info.items()}
        return observed[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), one

    def render(self) -> None:
        """Nothing: record `batch[0]` for the viewer."""

    def close(self) -> None:
        """Nothing to close."""


def _metadata() -> Dict[str, Any]:
    mode = getattr(_vector, "AutoresetMode", None)
    return {"render_modes": [], "autoreset_mode": "NextStep" if mode is None else mode.NEXT_STEP}


class VectorEnv(object if _vector is None else _vector.VectorEnv):  # type: ignore[misc]
    """Many worlds of a task, as gymnasium.vector.VectorEnv.

    A world whose episode is over begins the next one at the next `step()`, in which its action is ignored and its reward is
    0 (Gymnasium's mode "next step"). The results do not depend on the number of threads.
    """

    metadata: Dict[str, Any] = _metadata()
    render_mode: Optional[str] = None
    spec: Any = None
    closed: bool = False

    def __init__(self, task: Task, num_envs: int, *, threads: Optional[int] = None) -> None:
        self.task = task
        self.num_envs = num_envs
        self.episodes = _Episodes(task, num_envs, threads)
        self.single_action_space, self.single_observation_space = task.action_space, task.observation_space
        self.action_space = _batched(task.action_space, num_envs)
        self.observation_space = _batched(task.observation_space, num_envs)
        self._over = np.ones(num_envs, np.bool_)  # begins an episode at the next step

    @property
    def batch(self) -> Batch:
        """The worlds."""
        return self.episodes.batch

    def reset(
        self, *, seed: Union[None, int, Sequence[Optional[int]]] = None, options: Optional[Info] = None
    ) -> Tuple[FloatArray, Info]:
        """New episodes in all worlds; the seed of world k is seed + k, or the entry k."""
        if seed is None or isinstance(seed, (int, np.integer)):
            self.episodes.seed([None if seed is None else int(seed) + k for k in range(self.num_envs)])
        else:
            self.episodes.seed(seed)
        self.episodes.begin(np.ones(self.num_envs, np.bool_))
        self._over[:] = False
        return self.episodes.observe(), {}

    def step(self, actions: npt.ArrayLike) -> Tuple[FloatArray, FloatArray, BoolArray, BoolArray, Info]:
        """Observations, rewards, terminated, truncated, infos: one entry per world, of infos one array per name."""
        over, moving = self._over, ~self._over
        found, rewards, terminated, truncated, info = self.episodes.advance(actions, moving)
        if over.any():
            self.episodes.begin(over)  # last: a start has no command of the action
            found = self.episodes.observe()
        self._over = terminated | truncated
        return found, rewards, terminated, truncated, {**info, **{f"_{name}": moving.copy() for name in info}}

    def close(self, **arguments: Any) -> None:
        """Nothing to close."""
        self.closed = True
