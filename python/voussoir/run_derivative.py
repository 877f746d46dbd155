"""Derivatives of a run of many steps with respect to first state, forces and parameters (run_derivative.h)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from . import errors
from ._core import FloatArray, copied, doubles, dtype_of, enum_value, ffi, lib, pointer_to
from .body import Body

if TYPE_CHECKING:
    from .simulation import Simulation

__all__ = ["RunDerivative", "RunDerivativeReport", "RunDirection", "RunGradient"]

#: ("mass", body), or ("mu", a, b), ("restitution", a, b), ("rolling", a, b), ("spinning", a, b) between two materials.
Parameter = Tuple[Any, ...]


class RunDerivativeReport(NamedTuple):
    """Where derivatives of a run exist, and what they cost."""

    steps: int
    every: int  # steps between snapshots
    snapshots: int
    snapshot_bytes: int
    state_bytes: int
    seconds: float  # of the run itself
    # of the last tangent or adjoint:
    borders: int  # contacts between two statuses, summed over the steps: elements of the generalized derivative were taken
    kinks: int  # contacts whose geometry has a kink
    residual: float  # largest of the steps
    relative_error: float  # largest of the solutions that were differentiated: their certificate
    derivative_bytes: int
    derivative_seconds: float


class RunDirection(NamedTuple):
    """Directions of all states of a run; rotations are those about world axes, rad."""

    pose: FloatArray  # (steps + 1, bodies, 6) m, rad
    velocity: FloatArray  # (steps + 1, bodies, 6) m/s, rad/s, world axes


class RunGradient(NamedTuple):
    """A gradient with respect to what a run depends on."""

    pose: FloatArray  # (bodies, 6) of the first state
    velocity: FloatArray  # (bodies, 6)
    force: FloatArray  # (steps, bodies, 6) N, N m at the centres of mass, of each step
    parameters: FloatArray  # (wrt)


class RunDerivative:
    """A run, and its derivatives: see `Simulation.differentiate()`.

    bodies      dynamic ones: the rows of states and directions
    states      (steps + 1, bodies) with pose (position, rotation), velocity and spin, as in `World.states()`
    """

    def __init__(
        self,
        simulation: "Simulation",
        steps: int,
        wrt: Sequence[Parameter] = (),
        *,
        force: Optional[npt.ArrayLike] = None,
        every: int = 0,
        border: float = 1e-6,
    ) -> None:
        self.simulation = simulation
        world = simulation.world
        options = lib.vs_run_derivative_options_default()
        options.every, options.step.border = every, border
        parameters = ffi.new("vs_parameter[]", max(len(wrt), 1))
        for raw, given in zip(parameters, wrt):
            _set_parameter(raw, given, simulation)
        options.step.parameter, options.step.parameters = parameters, len(wrt)
        moving = sum(body.mass > 0 for body in world.bodies)
        forces = None if force is None else doubles(force, steps * moving * 6, "force")
        options.force = pointer_to(forces)
        self._pointer, self._handle = simulation._context.make(
            lib.VS_PY_RUN_DERIVATIVE,
            "vs_run_derivative",
            simulation._handle,
            lib.vs_run_derivative_create,
            simulation._pointer,
            steps,
            ffi.addressof(options),
        )
        raw = lib.vs_run_derivative_get_report(self._pointer)
        self._parameters = len(wrt)
        self.bodies: List[Body] = [Body(world, raw.body[k]) for k in range(raw.bodies)]
        count = (raw.steps + 1) * raw.bodies
        self.states = copied(raw.state, count, dtype_of("vs_body_state")).reshape(raw.steps + 1, raw.bodies)

    @property
    def report(self) -> RunDerivativeReport:
        """Of the run, and of the last tangent or adjoint."""
        raw = lib.vs_run_derivative_get_report(self._pointer)
        return RunDerivativeReport(*(getattr(raw, name) for name in RunDerivativeReport._fields))

    def tangent(
        self,
        *,
        pose: Optional[npt.ArrayLike] = None,
        velocity: Optional[npt.ArrayLike] = None,
        force: Optional[npt.ArrayLike] = None,
        parameters: Optional[npt.ArrayLike] = None,
    ) -> RunDirection:
        """The direction of all states for one direction of first state, forces and parameters."""
        given = _Arrays("vs_run_direction")
        for name, values, shape in zip(RunGradient._fields, (pose, velocity, force, parameters), self._shapes()):
            given.put(name, None if values is None else doubles(values, _size(shape), name))
        out = _Arrays("vs_run_states")
        found = [out.put(name, np.zeros(self._states_shape())) for name in RunDirection._fields]
        self._call(lib.vs_run_derivative_tangent, given.raw, out.raw)
        return RunDirection(*found)

    def adjoint(
        self, *, pose: Optional[npt.ArrayLike] = None, velocity: Optional[npt.ArrayLike] = None
    ) -> RunGradient:
        """The gradient of the sum of all states times weights, (steps + 1, bodies, 6) each."""
        weights = _Arrays("vs_run_states")
        for name, values in (("pose", pose), ("velocity", velocity)):
            weights.put(name, None if values is None else doubles(values, _size(self._states_shape()), name))
        out = _Arrays("vs_run_direction")
        found = [out.put(name, np.zeros(shape)) for name, shape in zip(RunGradient._fields, self._shapes())]
        self._call(lib.vs_run_derivative_adjoint, weights.raw, out.raw)
        return RunGradient(*found)

    def jacobian(self) -> RunDirection:
        """The derivative of all states by each parameter: arrays with one more axis, the last one. One tangent each."""
        columns = [self.tangent(parameters=row) for row in np.eye(self._parameters)]
        return RunDirection(*(np.stack(parts, axis=-1) for parts in zip(*columns)))

    def _states_shape(self) -> Tuple[int, ...]:
        return (*self.states.shape, 6)

    def _shapes(self) -> Tuple[Tuple[int, ...], ...]:
        """Of the arrays of a `RunGradient`."""
        states, bodies = self.states.shape
        return (bodies, 6), (bodies, 6), (states - 1, bodies, 6), (self._parameters,)

    def _call(self, function: Any, first: Any, second: Any) -> None:
        with self.simulation._alone(function.__name__):
            self.simulation._context.call(function, self._pointer, first, second)


def _size(shape: Tuple[int, ...]) -> int:
    return int(np.prod(shape))


class _Arrays:
    """A struct of pointers to arrays, which it keeps alive."""

    def __init__(self, c_type: str) -> None:
        self.raw = ffi.new(c_type + " *")
        self._keep: List[Any] = []

    def put(self, name: str, array: Optional[FloatArray]) -> FloatArray:
        """The array; None leaves null."""
        pointer = pointer_to(array)
        self._keep.append((array, pointer))
        setattr(self.raw, "parameter" if name == "parameters" else name, pointer)
        return np.empty(0) if array is None else array


def _set_parameter(raw: Any, given: Parameter, simulation: "Simulation") -> None:
    if isinstance(given, str) or len(given) not in (2, 3):
        raise errors.ArgumentError(f'wrt: {given!r} is not ("mass", body) or (name, material, material)')
    raw.kind = enum_value("vs_parameter_kind", given[0], "wrt")
    if raw.kind == lib.VS_PARAMETER_MASS:
        body = given[1]
        raw.body = (body if isinstance(body, Body) else simulation.world.body(body))._id
        return
    if len(given) != 3:
        raise errors.ArgumentError(f"wrt: {given[0]!r} is of two materials")
    raw.material_a, raw.material_b = (simulation.world._material(name) for name in given[1:])
