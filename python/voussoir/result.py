"""What a solve gives back: impulses and velocities, how good they are, and how they were found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, Generic, List, NamedTuple, Optional, Tuple
from typing import TypeVar, Union, overload

import numpy as np
import numpy.typing as npt

from . import errors
from ._core import FloatArray, copied, dtype_of, lib, text, view

if TYPE_CHECKING:
    from .problem import Problem

__all__ = ["Measures", "Times", "Stage", "Result"]


class Measures(NamedTuple):
    """Every error measure, taken on the unscaled problem from the impulses alone (measure.h)."""

    relative_error: float  # of the worst island, contact or joint; a tolerance is compared with it
    island_error: float  # J; energy error of that island, contact or joint
    island_reference: float  # J; relative to this
    island_floor: float  # J; rounding of double precision: an island with a smaller error is exact
    relative_work: float  # largest work error over the reference of an island; the root of a tolerance is compared with it
    work_error: float  # J; energy that contacts and joints of that island create or destroy against their laws
    rounding_work: float  # largest work of the rounding of one contact's impulses, over its own energy; not a criterion
    islands: int  # parts of the problem that do not act on each other
    energy_error: float  # J, of all islands
    energy_scale: float  # J; e0, the energy error of no impulses at all
    natural_map_relative: float  # as FCLIB and Siconos define it
    natural_residual: float
    fischer_burmeister: float
    complementarity: float  # J
    duality_gap: float  # J; NaN where there is no objective
    impulse_balance: float  # J
    joint_error_energy: float  # J
    joint_error_velocity: float  # m/s
    cone_violation: float  # N s
    dual_violation: float  # m/s
    strict_error: float  # relative_error without large granular islands, the same if there are none
    strict_work: float  # relative_work without them
    strict_map: float  # natural_map_relative without them
    granular_islands: int  # large granular islands
    granular_contacts: int  # contacts of these

    @classmethod
    def _read(cls, raw: Any) -> "Measures":
        return cls(*[getattr(raw, name) for name in cls._fields])

    @property
    def relative(self) -> float:
        """The same as relative_error."""
        return self.relative_error


class Times(NamedTuple):
    """Wall time in seconds."""

    prepare: float
    assemble: float
    factor: float
    solve: float
    other: float
    total: float


class Stage(NamedTuple):
    """What one stage of the solver cascade did."""

    name: str
    tried: int  # islands
    solved: int
    iterations: int
    factorizations: int
    seconds: float
    error: float  # least error of its unsolved islands; 0 if none is left
    stopped: str  # why it gave up; "" if it never did


T = TypeVar("T")


class _Field(Generic[T]):
    """A field of vs_result, read when it is asked for."""

    names: List[str] = []

    def __init__(self, read: Callable[[Any], T], doc: str) -> None:
        self._read = read
        self.__doc__ = doc

    def __set_name__(self, owner: object, name: str) -> None:
        self._name = name
        _Field.names.append(name)

    @overload
    def __get__(self, result: None, owner: object) -> "_Field[T]":
        ...

    @overload
    def __get__(self, result: "Result", owner: object) -> T:
        ...

    def __get__(self, result: Optional["Result"], owner: object) -> Union["_Field[T]", T]:
        if result is None:
            return self
        found: Optional[T] = result._found.get(self._name)
        if found is None:
            with result._lock:
                found = result._found.setdefault(self._name, self._read(getattr(result._raw, self._name)))
        return found


class Result:
    """A solution with its certificate.

    The arrays `v`, `g`, `lambda_`, `y` are read-only. Those of `Problem.solve()` are views on the memory of the solver,
    which lives as long as they do; those of `Solver.solve()` are copies, because the next solve takes the memory.

    >>> import numpy as np, voussoir
    >>> problem = voussoir.Problem(np.eye(3), np.eye(3), c=[1, 0.2, 0], mu=0.5)
    >>> result = problem.solve()
    >>> result.converged, result.status, result.model
    (True, 'converged', 'exact')
    >>> result.measures.relative < 1e-8
    True
    """

    iterations = _Field(int, "Of the method: Newton steps, sweeps, …")
    factorizations = _Field(int, "Of all iterations.")
    triangular_solves = _Field(int, "Of all iterations.")
    cg_steps = _Field(int, "Of conjugate gradients that took the place of factorizations.")
    fill = _Field(int, "Nonzeros of the factor.")
    flops = _Field(float, "Of one factorization.")
    regularization = _Field(float, "Added to the scaled Newton matrix, largest of all factorizations.")
    backward_error = _Field(float, "Of the last factor.")
    islands = _Field(int, "Number of contact islands; exact friction, otherwise 0.")
    compliance = _Field(float, "> 0: the exact solution with this compliance added to every contact (fallback).")
    status_text = _Field(text, "One sentence; says why if not converged.")
    method = _Field(text, "'ipm', 'cascade', …")
    form = _Field(text, "Which Newton system was factored.")
    linear_solver = _Field(text, "The backend's name.")
    choice = _Field(text, "Why these, one sentence.")

    def __init__(self, raw: Any, problem: "Problem", handle: Any, lock: Any, exclusive: bool) -> None:
        self.problem = problem
        self._raw = raw
        self._handle = handle
        self._lock = lock
        self._exclusive = exclusive  # nobody else uses the solver
        self._found: Dict[str, Any] = {}

    @property
    def converged(self) -> bool:
        return bool(self._raw.status == lib.VS_STATUS_CONVERGED)

    @property
    def status(self) -> str:
        """'converged', 'inaccurate', 'iteration_limit', 'time_limit', 'stopped', 'infeasible_joints', 'breakdown'."""
        return text(lib.vs_status_name(self._raw.status))

    @property
    def model(self) -> str:
        """Of the returned impulses: 'relaxed' if that fallback was used."""
        return text(lib.vs_model_name(self._raw.model))

    @property
    def inertia(self) -> Tuple[int, int]:
        """Positive and negative pivots of the last factored matrix; -1 if the backend does not report it."""
        return self._raw.positive, self._raw.negative

    @property
    def rounding_limited(self) -> bool:
        """The error left is the rounding of the impulses to doubles."""
        return bool(self._raw.rounding_limited)

    @property
    def measures(self) -> Measures:
        """Of the returned impulses."""
        return Measures._read(self._raw.measures)

    @property
    def times(self) -> Times:
        raw = self._raw.times
        return Times(*[getattr(raw, name) for name in Times._fields])

    # ---- arrays ------------------------------------------------------------------------------------

    def _array(self, name: str, count: int, dtype: Any = np.float64) -> npt.NDArray[Any]:
        found: Optional[npt.NDArray[Any]] = self._found.get(name)
        if found is None and self._exclusive:
            found = self._found[name] = view(getattr(self._raw, name), count, dtype, self._handle)
        elif found is None:
            with self._lock:  # another thread may be about to solve again, and copies this before it does
                found = self._found.get(name)
                if found is None:
                    found = self._found[name] = copied(getattr(self._raw, name), count, dtype)
        return found

    @property
    def v(self) -> FloatArray:
        """Velocities (n); empty in the local form."""
        return self._array("v", self.problem.n)

    @property
    def g(self) -> FloatArray:
        """Joint impulses (m_e)."""
        return self._array("g", self.problem.m_e)

    @property
    def lambda_(self) -> FloatArray:
        """Contact impulses (m), N s: normal, u, w of one contact after the other."""
        return self._array("lambda", self.problem.m)

    impulses = lambda_

    @property
    def y(self) -> FloatArray:
        """Contact velocities D v - b + E lambda (m), m/s."""
        return self._array("y", self.problem.m)

    @property
    def history(self) -> npt.NDArray[Any]:
        """One row per iteration, row 0 is the starting point; columns as in `voussoir.Iteration`, without the stage."""
        return self._array("history", self._raw.history_count, dtype_of("vs_iteration"))

    @property
    def stages(self) -> List[Stage]:
        """What each stage did; exact friction only."""
        with self._lock:
            found: Optional[List[Stage]] = self._found.get("stages")
            if found is None:
                found = self._found["stages"] = []
                for k in range(self._raw.stage_count):
                    s = self._raw.stages[k]
                    numbers = (s.tried, s.solved, s.iterations, s.factorizations, s.seconds, s.error)
                    found.append(Stage(text(s.name), *numbers, text(s.stopped)))
        return found

    def _detach(self) -> None:
        """Copies what C is about to overwrite: every pointer of the struct."""
        for name in ("v", "g", "lambda_", "y", "history", "stages", *_Field.names):
            getattr(self, name)

    # ---- looking at it -----------------------------------------------------------------------------

    def check(self) -> "Result":
        """Returns itself, or raises `NotConverged` with the reason."""
        if not self.converged:
            raise errors.NotConverged(self.status_text or self.status, self)
        return self

    def plot_convergence(self, axes: Any = None, over: str = "iteration") -> Any:
        """Error over iterations or over time (`over="seconds"`); needs matplotlib. Returns the axes."""
        from . import plot

        return plot.convergence(self, axes, over)

    def _lines(self) -> List[Tuple[str, str]]:
        m = self.measures
        size = str(self.problem).split(": ")[-1][:-1]
        lines = [
            ("status", self.status if self.converged else f"{self.status}: {self.status_text}"),
            ("problem", size),
            ("model", self.model + (f", compliance {self.compliance:.1e}" if self.compliance > 0 else "")),
            ("method", " / ".join(part for part in (self.method, self.form, self.linear_solver) if part)),
            ("iterations", f"{self.iterations}, {self.factorizations} factorizations, {1e3 * self.times.total:.3g} ms"),
            ("energy error", f"{m.island_error:.2e} J of {m.island_reference:.2e} J: {m.relative_error:.1e}"),
            ("natural map", f"{m.natural_map_relative:.1e}"),
        ]
        if self.problem.m_e:
            lines.append(("joints", f"{m.joint_error_velocity:.1e} m/s"))
        return lines

    def __repr__(self) -> str:
        return "Result\n" + "\n".join(f"  {name:<14}{value}" for name, value in self._lines())

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in self._lines())
        return f"<table>{rows}</table>"
