"""Many worlds of the same scene at once, over threads, with arrays in and out."""

from __future__ import annotations

import os
from typing import Any, Callable, Iterator, List, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import errors
from ._core import NULL, Context, FloatArray, Path, dtype_of, ffi, lib, pointer_to, raise_pending, text
from .scene import Scene, scene
from .simulation import Simulation

__all__ = ["Batch"]

Source = Union[Path, Mapping[str, Any], Scene, Callable[[int], Simulation]]
Which = Union[None, int, Sequence[int], npt.NDArray[Any]]


def _cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Batch:
    """`worlds` simulations of the same scene, stepped together.

    source      as for `scene()`: a named scene, a file, or a dict; a `Scene` stands for what it was read from; or a
                function that makes the simulation of world 0, 1, …, for worlds made by code
    threads     default: as many as there are cores. The results do not depend on it
    parameters  of the scene: a number, or one per world; {"mu": [0.3, 0.4, 0.5]}
    keyframe    of the file, where all worlds begin
    options     of the simulations, as for `Simulation`, but no callbacks

    `which` of methods: numbers of worlds, or one truth value each; None: all.
    Arrays have the worlds as their first axis. World k has the bits that it has alone. `batch[k]` is its `Simulation`, to
    look at contacts, to change bodies before an episode, or to step it alone.

    >>> import numpy as np, voussoir
    >>> batch = voussoir.Batch("gripper", 3, parameters={"mu": [0.4, 0.5, 0.6]})
    >>> batch
    <voussoir.Batch: 3 worlds of <voussoir.World: 4 bodies, 2 joints, t = 0 s>>
    >>> batch.command_efforts(10 * np.ones((3, 2)))
    >>> reports = batch.step(60)
    >>> reports["steps"].tolist(), reports["inaccurate"].tolist(), batch.positions.shape
    ([60, 60, 60], [0, 0, 0], (3, 4, 3))
    >>> batch.reset([0, 2])
    >>> batch.times.round(9).tolist()
    [0.0, 0.25, 0.0]
    """

    def __init__(
        self,
        source: Source,
        worlds: int,
        *,
        threads: Optional[int] = None,
        parameters: Optional[Mapping[str, npt.ArrayLike]] = None,
        keyframe: Optional[str] = None,
        **options: Any,
    ) -> None:
        if worlds < 1:
            raise errors.ArgumentError(f"worlds: must be at least 1, is {worlds}")
        for name in ("before", "after", "progress"):
            if name in options:
                raise errors.ArgumentError(f"{name}: a batch has no callbacks; act between calls of step()")
        values = {name: _per_world(value, worlds, name) for name, value in (parameters or {}).items()}
        self._context = Context(min(threads, worlds) if threads is not None else min(_cores(), worlds))
        self._simulations: List[Simulation] = []
        for k in range(worlds):
            one = {name: float(value[k]) for name, value in values.items()}
            self._simulations.append(self._make(source, k, one, keyframe, options))
        pointers = ffi.new("vs_simulation *[]", [s._pointer for s in self._simulations])
        made = self._context.make(
            lib.VS_PY_BATCH, "vs_batch", self._context.handle, lib.vs_batch_create, self._context.pointer, pointers, worlds
        )
        self._pointer, self._handle = made
        world = self._simulations[0].world
        self.bodies: int = len(world)  # of each world, as are the next two
        self.joints: int = lib.vs_world_get_joint_count(world._pointer)
        self.control_count: int = lib.vs_world_get_control_count(world._pointer)

    def _make(
        self, source: Source, k: int, parameters: Mapping[str, float], keyframe: Optional[str], options: Mapping[str, Any]
    ) -> Simulation:
        if callable(source):
            if parameters or keyframe or options:
                raise errors.ArgumentError("a function as the source gets the number of the world only")
            simulation = source(k)
            if not isinstance(simulation, Simulation) or simulation.before or simulation.after:
                raise errors.ArgumentError(f"world {k}: the function must return a Simulation without callbacks")
        else:
            if isinstance(source, Scene):
                origin, known = source._source
                parameters = {**known, **parameters}
            else:
                origin = source
            made = scene(origin, threads=1, **parameters)
            if keyframe is not None:
                made.set_keyframe(keyframe)
            simulation = made.simulate(**options)
        simulation._context.lock = self._context.lock  # a step uses the contexts of all worlds
        return simulation

    # ---- worlds ------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._simulations)

    def __getitem__(self, k: int) -> Simulation:
        return self._simulations[k]

    def __iter__(self) -> Iterator[Simulation]:
        return iter(self._simulations)

    def _mask(self, which: Which) -> Any:
        """The chosen worlds for C; null: all."""
        if which is None:
            return NULL
        chosen = np.asarray(which)
        mask = np.zeros(len(self), np.bool_)
        if chosen.dtype == np.bool_ and chosen.shape != mask.shape:
            raise errors.ArgumentError(f"which: has the shape {chosen.shape}, must have ({len(self)},)")
        if chosen.size and chosen.dtype != np.bool_ and not np.issubdtype(chosen.dtype, np.integer):
            raise errors.ArgumentError("which: must be numbers of worlds, or one truth value per world")
        if chosen.size:
            try:
                mask[chosen] = True
            except IndexError:
                raise errors.ArgumentError(f"which: there are the worlds 0 … {len(self) - 1}") from None
        return ffi.from_buffer("bool[]", mask)

    def _idle(self, name: str) -> None:
        for k, simulation in enumerate(self._simulations):
            if simulation._recorders:
                raise errors.ArgumentError(
                    f"{name}: a recorder of world {k} is open, and takes no steps of a batch; close it, and record that "
                    "world alone, which has the same bits"
                )

    # ---- stepping ----------------------------------------------------------------------------------

    def step(self, steps: int = 1, which: Which = None, *, check: bool = True) -> npt.NDArray[Any]:
        """Takes steps in all worlds, or in these; returns their reports, one row each, of zeros for other worlds.

        Columns: error (0: none), end (0: it can take more steps, else why it stopped: `VS_RUN_…` of run.h), status (of the
        last step that missed the tolerance, 0: none), steps, inaccurate (those that missed it), contacts, time (s),
        relative_error and penetration (m), the largest of these steps.

        A world whose step fails stops no other. With `check` the error of the first one is raised afterwards; without, look
        at the column error: `error(k)` has its text.
        """
        self._idle("step")
        reports = np.zeros(len(self), dtype_of("vs_batch_report"))
        with self._context.lock:
            error = lib.vs_batch_step(self._pointer, self._mask(which), steps, pointer_to(reports, "vs_batch_report[]"))
            raise_pending()
            if error and (check or not reports["error"].any()):
                self._context.fail(error)
        return reports

    def error(self, k: int) -> str:
        """The text of the last error of a world; "" if there was none."""
        return text(lib.vs_context_get_error_text(self._simulations[k]._context.pointer))

    def mark_start(self, which: Which = None) -> None:
        """`reset()` returns to the present states."""
        self._context.call(lib.vs_batch_mark_start, self._pointer, self._mask(which))

    def reset(self, which: Which = None) -> None:
        """Returns to the start, with controls and commands of then: the next steps have the bits of the first ones."""
        self._idle("reset")
        self._context.call(lib.vs_batch_reset, self._pointer, self._mask(which))

    def snapshot(self, k: int) -> bytes:
        """The state of a world, as `Simulation.snapshot()`."""
        return self._simulations[k].snapshot()

    def restore(self, snapshot: bytes, which: Which = None) -> None:
        """Puts worlds into the state of one snapshot, for instance to try several continuations of it.

        >>> import voussoir
        >>> batch = voussoir.Batch("domino", 4, parameters={"count": 5})
        >>> _ = batch.step(10)
        >>> here = batch.snapshot(0)
        >>> _ = batch.step(10)
        >>> batch.restore(here, which=[1, 2])
        >>> (240 * batch.times).round().tolist()
        [20.0, 10.0, 10.0, 20.0]
        """
        self._idle("restore")
        data = ffi.from_buffer(snapshot)
        self._context.call(lib.vs_batch_restore, self._pointer, self._mask(which), data, len(data))

    # ---- in ----------------------------------------------------------------------------------------

    def _given(self, values: npt.ArrayLike, count: int, what: str) -> FloatArray:
        """(worlds x count); one row stands for all worlds, a number for all entries."""
        given = np.asarray(values, dtype=np.float64)
        try:
            return np.ascontiguousarray(np.broadcast_to(given, (len(self), count)))
        except ValueError:
            raise errors.ArgumentError(f"{what}: has the shape {given.shape}, must have ({len(self)}, {count})") from None

    @property
    def controls(self) -> FloatArray:
        """The values of all controls (worlds x controls); may be set. Values out of a range become the nearest within."""
        values = np.empty((len(self), self.control_count))
        self._context.call(lib.vs_batch_get_controls, self._pointer, pointer_to(values))
        return values

    @controls.setter
    def controls(self, values: npt.ArrayLike) -> None:
        given = self._given(values, self.control_count, "controls")
        self._context.call(lib.vs_batch_set_controls, self._pointer, pointer_to(given))

    def _command(self, motor: int, values: npt.ArrayLike, what: str) -> None:
        given = self._given(values, self.joints, what)
        self._context.call(lib.vs_batch_command_joints, self._pointer, motor, pointer_to(given))

    def command_targets(self, targets: npt.ArrayLike) -> None:
        """Positions (rad or m) for the motors of all joints (worlds x joints), as `Joint.target`; NaN leaves one as it is."""
        self._command(lib.VS_MOTOR_POSITION, targets, "targets")

    def command_speeds(self, speeds: npt.ArrayLike) -> None:
        """Speeds (rad/s or m/s) for the motors of all joints (worlds x joints); NaN leaves one as it is."""
        self._command(lib.VS_MOTOR_SPEED, speeds, "speeds")

    def command_efforts(self, efforts: npt.ArrayLike) -> None:
        """Efforts (N m or N) of the motors of all joints (worlds x joints); NaN leaves one as it is."""
        self._command(lib.VS_MOTOR_EFFORT, efforts, "efforts")

    # ---- out ---------------------------------------------------------------------------------------

    def states(self) -> npt.NDArray[Any]:
        """Pose (position, rotation), velocity and spin of all bodies (worlds x bodies), as `World.states()`."""
        found = np.empty((len(self), self.bodies), dtype_of("vs_body_state"))
        self._context.call(lib.vs_batch_get_bodies, self._pointer, pointer_to(found.reshape(-1), "vs_body_state[]"))
        return found

    @property
    def positions(self) -> FloatArray:
        """Centres of mass (worlds x bodies x 3), m."""
        return np.asarray(self.states()["pose"]["position"])

    @property
    def rotations(self) -> FloatArray:
        """Quaternions (worlds x bodies x 4)."""
        return np.asarray(self.states()["pose"]["rotation"])

    @property
    def velocities(self) -> FloatArray:
        """(worlds x bodies x 3), m/s."""
        return np.asarray(self.states()["velocity"])

    @property
    def spins(self) -> FloatArray:
        """(worlds x bodies x 3), rad/s."""
        return np.asarray(self.states()["spin"])

    def joint_motion(self) -> FloatArray:
        """Coordinate (rad or m) and rate of all joints (worlds x joints x 2), as `World.joint_motion()`."""
        motion = np.empty((len(self), self.joints, 2))
        self._context.call(lib.vs_batch_get_joints, self._pointer, pointer_to(motion))
        return motion

    def joint_efforts(self) -> FloatArray:
        """Efforts (N m or N) that the motors exerted in the last step (worlds x joints)."""
        efforts = np.empty((len(self), self.joints))
        self._context.call(lib.vs_batch_get_efforts, self._pointer, pointer_to(efforts))
        return efforts

    def sensors(self) -> FloatArray:
        """Numbers of all sensors (worlds x numbers), as `World.sensors.array`; `World.sensors.places` names the columns."""
        size = int(lib.vs_world_get_sensor_size(self._simulations[0].world._pointer))
        values = np.empty((len(self), size))
        self._context.call(lib.vs_batch_get_sensors, self._pointer, pointer_to(values))
        return values

    @property
    def times(self) -> FloatArray:
        """s, of each world."""
        return np.array([simulation.world.time for simulation in self._simulations])

    def __repr__(self) -> str:
        return f"<voussoir.Batch: {len(self)} worlds of {self._simulations[0].world!r}>"


def _per_world(value: npt.ArrayLike, worlds: int, name: str) -> FloatArray:
    given = np.asarray(value, dtype=np.float64)
    if given.ndim > 1 or (given.ndim == 1 and given.shape != (worlds,)):
        raise errors.ArgumentError(f"{name}: has the shape {given.shape}, must be a number or one for each of {worlds} worlds")
    return np.broadcast_to(given, (worlds,))
