"""Moving a world: collide, assemble, solve, apply, integrate; every step certified."""

from __future__ import annotations

import math
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

from . import errors
from ._core import (
    NULL,
    Context,
    FloatArray,
    Path,
    Progress,
    dtype_of,
    ffi,
    hdf5,
    lib,
    nearest,
    own,
    path_bytes,
    pointer_to,
    raise_pending,
    set_options,
    set_progress,
    text,
)
from .body import Body, vector
from .outcome import Margin, Outcome, set_stop
from .problem import Problem
from .query import Event
from .run_derivative import Parameter, RunDerivative, RunDirection, RunGradient

if TYPE_CHECKING:
    from .world import World

__all__ = ["Simulation", "StepReport", "Summary", "Energy", "Recorder"]


class Energy(NamedTuple):
    """Sums over all bodies."""

    kinetic: float  # J
    potential: float  # J; gravity (zero at z = 0) and the elastic energy
    elastic: float  # J, part of the potential energy: springs, compliant joints, strain of flexible bodies
    momentum: FloatArray  # N s (3)
    angular_momentum: FloatArray  # N m s about the origin (3)

    @classmethod
    def _read(cls, raw: Any) -> "Energy":
        p, L = raw.momentum, raw.angular_momentum
        return cls(raw.kinetic, raw.potential, raw.elastic, np.array([p.x, p.y, p.z]), np.array([L.x, L.y, L.z]))


_TERMS = [lib.vs_energy_term_at(k) for k in range(lib.vs_energy_term_count())]
_Terms: Any = NamedTuple("_Terms", [(text(term.name), float) for term in _TERMS])  # type: ignore[misc]


class EnergyFlow(_Terms):
    __doc__ = (
        "Energy that entered or left a world, J. The change of kinetic and potential energy is the sum of the terms that "
        "are work, minus those that are dissipation, plus the discretization.\n\n"
        + "\n".join(f"* {text(term.name)}: {text(term.text)}" for term in _TERMS)
    )

    @classmethod
    def _read(cls, raw: Any) -> "EnergyFlow":
        return cls(*[getattr(raw, text(term.name)) for term in _TERMS])


class StepReport(NamedTuple):
    """One step's record (simulation.h)."""

    step: int  # 1, 2, …
    time: float  # s, at its end
    contacts: int  # found
    active: int  # with a positive impulse
    islands: int
    status: str  # of the contact problem
    status_text: str
    iterations: int
    factorizations: int
    relative_error: float  # of the worst island, measured on the unscaled problem
    energy_error: float  # J, of that island
    energy_scale: float  # J, its reference
    work_error: float  # J, energy that its contacts and joints created or destroyed against their laws
    natural_map: float
    energy: Energy  # after the step
    work: float  # J, during the step: loads + motors + prescribed
    dissipation: float  # J, during the step: friction + impacts + dampers + fracture
    flow: EnergyFlow  # during the step
    total: EnergyFlow  # since the first step of the simulation, also over checkpoints
    restitution_factor: float  # least factor on restitution; < 1: impacts of an island would have created energy
    penetration: float  # m
    joint_drift: float  # m
    elastic_iterations: int  # problems that were solved
    problems: int  # the same, with those of late contacts, impacts and rejected steps
    time_error: float  # m, with accuracy > 0: largest estimated error of a controlled step
    time_error_speed: float  # m/s, the same of velocities
    time_error_share: float  # the larger of both relative to the accuracy, at most 1
    controlled: int  # controlled steps
    events: int  # impacts, and steps in which contacts closed
    rejected: int  # trials of steps that were repeated
    forced: int  # fixed steps where controlled ones were too many
    forced_text: Optional[str]  # the reason
    inverted: int  # elements of flexible solids that are inside out
    seconds_collide: float
    seconds_assemble: float
    seconds_solve: float
    seconds_total: float
    bonds: int  # of mortar, that hold after the step
    broken: int  # bonds that broke in it
    bond_step: float  # largest weakening of a bond within the step; above 0.05 it is too long for fracture energies
    swept: int  # contacts added because bodies would have passed through each other within the step
    held: int  # bodies that stopped within the step because they would still have
    discretization_share: float  # size of total.discretization relative to the energies exchanged so far
    unbalanced: int  # 1: the time discretization created more than 0.01 of the energies of the step
    loose_tolerance: float  # of large granular islands, where they had another one than the others; else 0
    loose_islands: int  # islands that had it
    loose_contacts: int  # contacts of these islands
    strict_error: float  # relative error of the worst other island; 0 if none had a loose tolerance

    @property
    def converged(self) -> bool:
        return self.status == "converged"

    @classmethod
    def _read(cls, raw: Any) -> "StepReport":
        special: Dict[str, Any] = {
            "status": text(lib.vs_status_name(raw.status)),
            "status_text": text(raw.status_text),
            "forced_text": text(raw.forced_text) if raw.forced_text else None,
            "energy": Energy._read(raw.energy),
            "flow": EnergyFlow._read(raw.flow),
            "total": EnergyFlow._read(raw.total),
        }
        return cls(*[special[name] if name in special else getattr(raw, name) for name in cls._fields])


Before = Callable[["World"], Optional[bool]]
After = Callable[["World", StepReport], Optional[bool]]


_FIELDS = {text(lib.vs_report_field_at(k).name): k for k in range(lib.vs_report_field_count())}


class Summary:
    """Summary of a run; `reports` has one row per step if they were kept, otherwise it is None."""

    def __init__(self) -> None:
        self._totals = ffi.new("vs_report_totals *")
        self.frames = 0  # recorded
        self.outcome: Optional[Outcome] = None  # at the end
        self.reports: Optional[npt.NDArray[Any]] = None

    def total(self, name: str) -> float:
        """A field of `StepReport` over all steps: "penetration" its largest value, "iterations" their sum; "flow.friction".

        >>> import voussoir
        >>> summary = voussoir.scene("ball").simulate().run(0.1)
        >>> summary.total("contacts"), summary.total("time_error")
        (1.0, 0.0)
        """
        if name not in _FIELDS:
            raise errors.ArgumentError(f"total: {name!r} is no field of a report{nearest(name, list(_FIELDS))}")
        if lib.vs_report_field_at(_FIELDS[name]).steps == lib.VS_REPORT_SINGLE:
            raise errors.ArgumentError(f"total: {name!r} belongs to a single step")
        return float(lib.vs_report_totals_get(self._totals, _FIELDS[name]))

    @property
    def steps(self) -> int:
        """Steps of the run."""
        return int(self._totals.steps)

    @property
    def inaccurate(self) -> int:
        """Steps that missed the tolerance."""
        return int(self._totals.inaccurate)

    @property
    def energy_error(self) -> float:
        """Largest relative error of a step."""
        return self.total("relative_error")

    @property
    def penetration(self) -> float:
        """m, largest."""
        return self.total("penetration")

    @property
    def joint_drift(self) -> float:
        """m, largest."""
        return self.total("joint_drift")

    @property
    def work(self) -> float:
        """J, sum."""
        return self.total("work")

    @property
    def dissipation(self) -> float:
        """J, sum."""
        return self.total("dissipation")

    @property
    def flow(self) -> EnergyFlow:
        """J, sums: the parts of work and dissipation, and the discretization."""
        return EnergyFlow._read(lib.vs_report_totals_get_flow(self._totals))

    @property
    def discretization_share(self) -> float:
        """Size of the discretization relative to the energies exchanged."""
        return self.total("discretization_share")

    @property
    def unbalanced(self) -> int:
        """Steps in which the discretization created more than 0.01 of their energy."""
        return int(self.total("unbalanced"))

    @property
    def inverted(self) -> int:
        """Elements inside out, most."""
        return int(self.total("inverted"))

    @property
    def seconds(self) -> float:
        """Wall time of all steps."""
        return self.total("seconds_total")

    def _add(self, raw: Any) -> None:
        lib.vs_report_totals_add(self._totals, raw)

    def __repr__(self) -> str:
        good = "all certified" if self.inaccurate == 0 else f"{self.inaccurate} missed the tolerance"
        return (
            f"<voussoir.Summary: {self.steps} steps, {good}; largest error {self.energy_error:.1e}, "
            f"penetration {self.penetration:.1e} m, joint drift {self.joint_drift:.1e} m; {self.seconds:.3g} s>"
        )


class Simulation:
    """Steps a world.

    step        s, of time; default 1/240
    before      called with the world before each step, where controllers belong; False stops `run()`
    after       called with the world and the `StepReport` after each step; False stops `run()`
    progress    called at each iteration of each solve; False stops the solve
    stop        conditions that end `run()`, as in scene files: [{"when": "displacement", "body": "lintel", "above": 0.02}]
    options     fields of vs_simulation_options (scheme, accuracy, on_inaccurate, envelope, recovery_speed,
                restitution_speed, project, numerical_damping) and of vs_solver_options (model, method, tolerance,
                warm_start, max_iterations, …) by their names. tolerance 0, the default: 1e-6, and 1e-3 for large granular
                islands (at least 300 contacts between balls, or bodies that often touch in single points)

    Exceptions of callbacks, and Ctrl-C, end a run and are raised. In the middle of a solve they end it with its best
    iterate so far, which the world still takes: `save()` a checkpoint before if that step must be repeated.

    >>> import voussoir
    >>> world = voussoir.World(gravity=[0, 0, 0])
    >>> puck = world.add_body(voussoir.Sphere(0.1), mass=1)
    >>> simulation = world.simulate(step=0.01, before=lambda world: puck.apply_force([2, 0, 0]))
    >>> simulation.run(1.0).steps
    100
    >>> puck.velocity.round(9).tolist()
    [2.0, 0.0, 0.0]
    """

    _context: Context
    _pointer: Any
    _handle: Any

    def __init__(
        self,
        world: "World",
        *,
        before: Optional[Before] = None,
        after: Optional[After] = None,
        progress: Optional[Progress] = None,
        stop: Optional[Sequence[Mapping[str, Any]]] = None,
        _options: Any = None,
        **options: object,
    ) -> None:
        self.world = world
        self.before = before
        self.after = after
        self._stepping = False
        self._recorders: List[Recorder] = []  # open ones
        self._context = world._context
        struct = lib.vs_simulation_options_default() if _options is None else _options
        self._keep = set_options(struct, "vs_simulation_options", options)
        self._keep += set_progress(struct.solver, progress)
        if stop is not None:
            self._keep += set_stop(struct, world, stop)
        self.step_size: float = struct.step
        self._coarse = False  # a warning was given
        self._second_order: bool = struct.scheme == lib.VS_SCHEME_SHAKE or struct.accuracy > 0
        self._quasi_static: bool = struct.scheme == lib.VS_SCHEME_QUASI_STATIC
        self._pointer, self._handle = self._context.make(
            lib.VS_PY_SIMULATION,
            "vs_simulation",
            world._handle,
            lib.vs_simulation_create,
            world._pointer,
            ffi.addressof(struct),
        )

    # ---- stepping ----------------------------------------------------------------------------------

    @contextmanager
    def _alone(self, name: str) -> Iterator[None]:
        """A callback cannot step the simulation that calls it."""
        if self._stepping:
            raise errors.ArgumentError(
                f"{name}: called from a callback of the same simulation; return from the callback first"
            )
        self._stepping = True
        try:
            yield
        finally:
            self._stepping = False

    def _step(self, raw: Any, run: Any = None) -> None:
        """One step, or the next one of a run that continues."""
        with self._context.lock:
            if run is None:
                error = lib.vs_simulation_step(self._pointer, raw)
            else:
                lib.vs_run_next(run, raw)
                error = run.error
            raise_pending()
            if error:
                self._context.fail(error)
        for recorder in list(self._recorders):
            recorder._take(raw)
        if raw.step >= 100:  # a fall from rest loses 1/n of its energy in n steps
            self._warn_of_coarse_steps(raw)

    def _warn_of_coarse_steps(self, raw: Any) -> None:
        """Once: nothing else tells a loop over `step()` that it loses the energy of the motion."""
        if self._coarse or self._quasi_static or not raw.discretization_share > 0.01:
            return
        self._coarse = True
        remedy = "use a smaller step" if self._second_order else 'use a smaller step or scheme="shake"'
        warnings.warn(
            f"step {raw.step}: the time discretization has {'added' if raw.total.discretization > 0 else 'removed'} "
            f"{abs(raw.total.discretization):.3g} J, {100 * raw.discretization_share:.2g} % of the energies exchanged: "
            f"the steps are too long for this motion; {remedy}",
            stacklevel=4,
        )

    def step(self) -> StepReport:
        """One step, with the callbacks; what they return does not matter here."""
        raw = ffi.new("vs_step_report *")
        with self._alone("step"):
            if self.before is not None:
                self.before(self.world)
            self._step(raw)
            report = StepReport._read(raw)
            if self.after is not None:
                self.after(self.world, report)
        return report

    def reset(self, time: float = 0.0) -> None:
        """Forgets the steps so far and continues at `time` from the present states, with the bits of a new simulation.

        `world.set_states()` alone leaves what the last steps remember: impulses that warm-start, friction, turns of joints.
        Bonds of mortar are made again from what touches; energies and steps count from zero, stop conditions from here.
        Options, controls and commands of joints stay: set those that an episode changes. Recorders must be closed before.

        >>> import voussoir
        >>> simulation = voussoir.scene("sphere-pile", levels=2).simulate()
        >>> world = simulation.world
        >>> start, ends = world.states(), []
        >>> for episode in range(2):
        ...     world.set_states(start)
        ...     simulation.reset()
        ...     _ = simulation.run(0.1)
        ...     ends.append(world.states().tobytes())
        >>> ends[0] == ends[1]
        True
        """
        with self._alone("reset"):
            if self._recorders:
                raise errors.ArgumentError("reset: a recorder is open, and its time cannot go back; close it first")
            self._context.call(lib.vs_simulation_reset, self._pointer, time)

    def run(
        self,
        duration: Optional[float] = None,
        *,
        until: Optional[float] = None,
        record: Optional[Path] = None,
        frame: float = 0.0,
        resume: bool = False,
        reports: bool = False,
    ) -> Summary:
        """Steps for `duration` s, or until a time; a stop condition or a callback that returns False ends it sooner.

        record      writes a trajectory to this file (HDF5), one frame every `frame` s; 0: every step
        resume      continues that file instead of replacing it
        reports     keeps the report of every step as a row of `Summary.reports`
        """
        if (duration is None) == (until is None):
            raise errors.ArgumentError("run: give a duration or until, one of them")
        end = until if until is not None else self.world.time + (duration or 0.0)
        if math.isnan(end):
            raise errors.ArgumentError("run: the time is not a number")
        with self._alone("run"):
            if record is None:
                return self._run(end, reports)
            with self.record(record, frame=frame, resume=resume) as recorder:
                summary = self._run(end, reports)
                summary.frames = recorder.frames
                return summary

    def _run(self, end: float, keep: bool) -> Summary:
        summary = Summary()
        raw = ffi.new("vs_step_report *")
        row = np.frombuffer(ffi.buffer(raw), dtype_of("vs_step_report"))
        rows: List[npt.NDArray[Any]] = []
        run = ffi.new("vs_run *", lib.vs_simulation_begin_run(self._pointer, end))
        while run.end == lib.VS_RUN_CONTINUES:
            if self.before is not None and self.before(self.world) is False:
                break
            self._step(raw, run)
            summary._add(raw)
            if keep:
                rows.append(row.copy())
            if self.after is not None and self.after(self.world, StepReport._read(raw)) is False:
                break
        if keep:
            summary.reports = np.concatenate(rows) if rows else np.empty(0, row.dtype)
        summary.outcome = self.outcome
        return summary

    # ---- looking at it -----------------------------------------------------------------------------

    @property
    def contacts(self) -> npt.NDArray[Any]:
        """The contacts of the last step, one row each.

        Columns: a, b (ids of bodies), flexible_a, flexible_b (instead of them, if not 0), key, point, normal (from a to b), gap (m, before the step), impulse (N s on b),
        velocity (m/s of b relative to a, after it), mu.
        """
        with self._context.lock:
            count = lib.vs_simulation_get_contact_count(self._pointer)
            found = np.empty(count, dtype_of("vs_contact_view"))
            target = pointer_to(found, "vs_contact_view[]")
            self._context.call(lib.vs_py_get_contacts, self._pointer, count, target)
        return found

    @property
    def events(self) -> List[Event]:
        """Contacts, and touches of sensors, that began, persisted or ended in the last step, one per pair of bodies."""
        with self._context.lock:
            raw = ffi.new("vs_contact_event *")
            found = []
            for k in range(lib.vs_simulation_get_event_count(self._pointer)):
                self._context.call(lib.vs_simulation_get_event_at, self._pointer, k, raw)
                found.append(Event._read(self.world, raw))
        return found

    def contact_forces(self) -> FloatArray:
        """Force (N) and torque (N m about the centre of mass) of the contacts on each body in the last step (bodies x 6).

        World axes; rows as in `World.states()`. A force is an impulse over the length of the step: impacts count, too.

        >>> import voussoir
        >>> world = voussoir.World()
        >>> floor = world.add_floor()
        >>> box = world.add_body(voussoir.Box([0.2, 0.2, 0.2]), mass=2, position=[0, 0, 0.1])
        >>> simulation = world.simulate(step=0.001)
        >>> report = simulation.step()
        >>> (simulation.contact_forces().round(6) + 0).tolist()
        [[0.0, 0.0, 19.62, 0.0, 0.0, 0.0]]
        >>> force, torque = simulation.pair_force(None, box)       # of the floor on the box
        >>> round(float(force[2]), 6)
        19.62
        """
        with self._context.lock:
            out = np.empty((len(self.world), 6))
            self._context.call(lib.vs_simulation_get_contact_forces, self._pointer, pointer_to(out))
        return out

    def pair_force(self, a: Optional[Body], b: Optional[Body]) -> Tuple[FloatArray, FloatArray]:
        """Force (N) and torque (N m about b's centre of mass) of the contacts of a on b in the last step; None is the world."""
        out = ffi.new("vs_vec3[2]")
        with self._context.lock:
            ids = self.world._id(a, "a"), self.world._id(b, "b")
            self._context.call(lib.vs_simulation_get_pair_force, self._pointer, *ids, out, out + 1)
        return vector(out[0]), vector(out[1])

    @property
    def contact_bodies(self) -> npt.NDArray[np.int64]:
        """The two bodies of each contact (contacts x 2) as rows of `World.states()`.

        -1 is the world, -3 - k the flexible solid k of `World.solid_names()`, as in trajectories.
        """
        with self._context.lock:
            found = self.contacts
            alive = self.world.body_ids()[:, 0]
            solids = self.world.solid_ids()[:, 0]
        indices = np.stack([found["a"][:, 0], found["b"][:, 0]], axis=1)
        flexible = np.stack([found["flexible_a"], found["flexible_b"]], axis=1)
        rows = np.where(indices == 0, -1, np.searchsorted(alive, indices))
        return np.where(flexible["generation"] > 0, -3 - np.searchsorted(solids, flexible["index"]), rows)

    @property
    def bonds(self) -> npt.NDArray[Any]:
        """The bonds of mortar after the last step, one row each, also broken ones.

        Columns: a, b (ids of bodies), mortar (0, 1, … in the order of `World.add_mortar()`), point, normal (from a to b), area (m^2), strength (1: as new … 0: broken),
        opening (m, from where the sides meet), slip (m), work (J, done against it so far), broken (s, when it broke; < 0: it holds), crushed, dilation (m).
        """
        with self._context.lock:
            count = lib.vs_simulation_get_bond_count(self._pointer)
            found = np.empty(count, dtype_of("vs_bond_view"))
            target = pointer_to(found, "vs_bond_view[]")
            self._context.call(lib.vs_py_get_bonds, self._pointer, count, target)
        return found

    def overlaps(self, least: float = 0.0) -> npt.NDArray[Any]:
        """Pairs of rigid bodies that overlap in the present state, the deepest first.

        Columns: a, b (ids of bodies), depth (m), point, normal (from a to b). `least`: depths up to this (m) do not count; 0 stands for 1e-4 of the smaller shape's size.
        """
        with self._context.lock:
            count = ffi.new("int *")
            self._context.call(lib.vs_simulation_find_overlaps, self._pointer, least, ffi.NULL, 0, count)
            found = np.empty(count[0], dtype_of("vs_overlap"))
            target = pointer_to(found, "vs_overlap[]")
            self._context.call(lib.vs_simulation_find_overlaps, self._pointer, least, target, len(found), count)
        return found

    def separate(self) -> int:
        """Moves dynamic bodies that overlap apart, without turning them; returns how many overlaps are left."""
        with self._context.lock:
            left = ffi.new("int *")
            self._context.call(lib.vs_simulation_separate, self._pointer, left)
        return int(left[0])

    def _raw_outcome(self) -> Any:
        found = ffi.new("vs_outcome *")
        self._context.call(lib.vs_simulation_get_outcome, self._pointer, found)
        return found

    @property
    def margin(self) -> Margin:
        """How far the structure is from sliding and tipping, by the contacts of the last step."""
        found = ffi.new("vs_margin *")
        self._context.call(lib.vs_simulation_get_margin, self._pointer, found)
        return Margin._read(self.world, found)

    @property
    def outcome(self) -> Outcome:
        """Whether the bodies stand after the last step, how far they went, which stop condition is met."""
        return Outcome._read(self.world, self._raw_outcome())

    @property
    def inaccurate_steps(self) -> int:
        """Steps so far that missed the tolerance."""
        return int(lib.vs_simulation_get_inaccurate_steps(self._pointer))

    def problem(self) -> Optional[Problem]:
        """A copy of the contact problem of the last step, for looking at it and for `save_fclib`; None before it."""
        context = self._context
        with context.lock:
            found = lib.vs_simulation_get_problem(self._pointer)
            if found == NULL:
                return None
            change = lib.vs_problem_change_def_default()
            argument = ffi.addressof(change)
            made = context.make(
                lib.VS_PY_PROBLEM, "vs_problem", context.handle, lib.vs_problem_change, found, argument
            )
        return Problem._wrap(context, *made)

    def plot_contacts(
        self, axes: Any = None, plane: str = "xz", scale: float = 0.0, resultants: bool = False
    ) -> Any:
        """Contact forces as arrows, or as force chains (`resultants`); needs matplotlib. Returns the axes."""
        from . import plot

        return plot.contacts(self, axes, plane, scale, resultants)

    # ---- going back --------------------------------------------------------------------------------

    def differentiate(
        self,
        steps: int,
        wrt: Sequence[Parameter] = (),
        *,
        force: Optional[npt.ArrayLike] = None,
        every: int = 0,
        border: float = 1e-6,
    ) -> RunDerivative:
        """Takes so many steps, and differentiates them with respect to first state, forces and parameters.

        wrt         parameters: ("mass", body), with its inertia in proportion; ("mu", a, b), ("restitution", a, b),
                    ("rolling", a, b), ("spinning", a, b) between two materials, by name or index
        force       (steps, dynamic bodies, 6) N and N m at the centres of mass in each step, world axes
        every       steps between snapshots; 0: the root of their number
        border      as in `Problem.derivative()`

        Create the simulation with tolerance=1e-10 or less. Callbacks are not called. What is not covered raises
        `Unsupported`; docs/derivatives.md has the list, and what derivatives through impacts mean.

        A ball slides until it rolls, with 5/7 of its speed, whatever the friction:

        >>> import numpy as np, voussoir
        >>> world = voussoir.World()
        >>> steel = world.add_material("steel", mu=0.3)
        >>> _ = world.add_collider(voussoir.Plane(), material="steel")
        >>> ball = world.add_body(voussoir.Sphere(0.1), mass=1, position=[0, 0, 0.1], velocity=[1, 0, 0], material="steel")
        >>> run = world.simulate(tolerance=1e-12).differentiate(60, [("mu", "steel", "steel")])
        >>> weights = np.zeros((61, 1, 6))
        >>> weights[-1, 0, 0] = 1                                  # v_x at the end
        >>> gradient = run.adjoint(velocity=weights)
        >>> gradient.velocity[0, 0].round(9), abs(gradient.parameters[0].round(9))    # by v_x at the beginning, by mu
        (0.714285714, 0.0)
        """
        with self._alone("differentiate"):
            return RunDerivative(self, steps, wrt, force=force, every=every, border=border)

    def gradient(
        self, loss: Callable[[npt.NDArray[Any]], Sequence[Any]], steps: int, wrt: Sequence[Parameter] = (), **options: Any
    ) -> Tuple[float, RunGradient]:
        """A number that depends on a run, and its gradient: `differentiate()` and one adjoint.

        loss        gets the states, (steps + 1, bodies), and returns its value and its derivatives by their poses and, if it
                    depends on them, velocities: (steps + 1, bodies, 6) each, rotations about world axes
        options     force, every, border as in `differentiate()`

        >>> import numpy as np, voussoir
        >>> world = voussoir.World(gravity=[0, 0, 0])
        >>> ball = world.add_body(voussoir.Sphere(0.1), mass=2, velocity=[1, 0, 0])
        >>> def distance(states):
        ...     weights = np.zeros((*states.shape, 6))
        ...     weights[-1, 0, 0] = 1
        ...     return states["pose"]["position"][-1, 0, 0], weights
        >>> value, gradient = world.simulate(step=0.01, tolerance=1e-12).gradient(distance, 100)
        >>> value.round(9), gradient.velocity[0].round(9).tolist()
        (1.0, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        """
        run = self.differentiate(steps, wrt, **options)
        value, *weights = loss(run.states)
        return value, run.adjoint(**dict(zip(RunDirection._fields, weights)))

    def snapshot(self) -> bytes:
        """The present state: all that decides the next steps beyond the scene, in memory. `restore()` goes back to it.

        >>> import voussoir
        >>> simulation = voussoir.scene("domino", count=3).simulate()
        >>> _ = simulation.run(0.1)
        >>> here, ends = simulation.snapshot(), []
        >>> for k in range(2):
        ...     simulation.restore(here)
        ...     _ = simulation.run(0.1)
        ...     ends.append((simulation.world.states().tobytes(), simulation.world.time))
        >>> ends[0] == ends[1]
        True
        """
        with self._alone("snapshot"):
            count = ffi.new("size_t *")
            self._context.call(lib.vs_simulation_save, self._pointer, ffi.NULL, 0, count)
            buffer = ffi.new("char[]", count[0])
            self._context.call(lib.vs_simulation_save, self._pointer, buffer, count[0], count)
            return bytes(ffi.buffer(buffer, count[0]))

    def restore(self, snapshot: bytes) -> None:
        """Goes back to a snapshot of this simulation, or of one of an equal world with equal options.

        Steps from there have the same bits again. Commands of joints and controls are those of then; what defines the world
        (bodies, shapes, materials, loads, drives) must not have changed. Contacts are known after the next step. Recorders must
        be closed before.
        """
        with self._alone("restore"):
            if self._recorders:
                raise errors.ArgumentError("restore: a recorder is open, and its time cannot go back; close it first")
            data = ffi.from_buffer(snapshot)
            self._context.call(lib.vs_simulation_restore, self._pointer, data, len(data))

    # ---- files -------------------------------------------------------------------------------------

    def record(
        self, path: Path, *, frame: float = 0.0, title: str = "", contacts: bool = True, resume: bool = False
    ) -> "Recorder":
        """Records every step from now on, by `step()` or `run()`, until it is closed; `voussoir.Trajectory` reads it.

        >>> import voussoir, tempfile, os
        >>> simulation = voussoir.scene("ball").simulate()
        >>> with simulation.record(os.path.join(tempfile.mkdtemp(), "ball.h5")) as recorder:
        ...     for k in range(10):
        ...         report = simulation.step()
        >>> recorder.frames  # the initial state is the first
        11

        frame: s between frames; 0: every step.
        resume: continues a file (also one whose writer was killed) after its last frame that is not later than the
        world.
        """
        return Recorder(self, path, frame=frame, title=title, contacts=contacts, resume=resume)

    def save(self, path: Path) -> None:
        """A checkpoint: everything that a continuation with the same bits needs beside the scene."""
        self._context.call(lib.vs_checkpoint_write, path_bytes(path), self.world._pointer, self._pointer)

    def load(self, path: Path) -> None:
        """Goes back to a checkpoint of the same scene."""
        self._context.call(lib.vs_checkpoint_read, path_bytes(path), self.world._pointer, self._pointer)

    def __repr__(self) -> str:
        return f"<voussoir.Simulation: t = {self.world.time:.6g} s, step {self.step_size:.4g} s, of {self.world!r}>"


class Recorder:
    """Records the steps of a simulation; the state at its beginning is the first frame. Made by `Simulation.record()`."""

    def __init__(
        self, simulation: Simulation, path: Path, *, frame: float, title: str, contacts: bool, resume: bool
    ) -> None:
        self.simulation = simulation
        self.path = path
        self.frames = 0
        options = lib.vs_trajectory_writer_options_default()
        label = ffi.new("char[]", title.encode())
        options.title, options.contacts = label, contacts
        options.step, options.frame = simulation.step_size, frame
        out = ffi.new("vs_trajectory_writer **")
        world = simulation.world
        argument = ffi.addressof(options)
        with hdf5(self.simulation._context):
            name, call = path_bytes(path), simulation._context.call
            if resume:
                call(lib.vs_trajectory_writer_resume, name, world._pointer, world.time, argument, out)
            else:
                call(lib.vs_trajectory_writer_create, name, world._pointer, argument, out)
            self._handle: Any = own(lib.VS_PY_WRITER, out[0], simulation._handle)
        if not resume:
            self._write(NULL)
        simulation._recorders.append(self)

    def _take(self, report: Any) -> None:
        if lib.vs_trajectory_writer_is_due(self._handle.object, report.time):
            self._write(report)

    def _write(self, report: Any) -> None:
        s = self.simulation
        if self._handle is None:
            raise errors.ArgumentError(f"{self.path}: the recorder is closed")
        with hdf5(self.simulation._context):
            s._context.call(lib.vs_trajectory_writer_write, self._handle.object, s.world._pointer, s._pointer, report)
        self.frames += 1

    def flush(self) -> None:
        """Everything so far is in the file and seen by readers."""
        with hdf5(self.simulation._context):
            self.simulation._context.call(lib.vs_trajectory_writer_flush, self._handle.object)

    def close(self) -> None:
        if self._handle is None:
            return
        handle, self._handle = self._handle, None
        self.simulation._recorders.remove(self)
        writer, handle.object = handle.object, NULL
        with hdf5(self.simulation._context):
            self.simulation._context.call(lib.vs_trajectory_writer_close, writer)

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
