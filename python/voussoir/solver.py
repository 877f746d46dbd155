"""Solving again and again: prepare once, solve as often as values change."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy.typing as npt

from . import errors
from ._core import NULL, FloatArray, Progress, doubles, ffi, lib, pointer_to, raise_pending, solver_options
from .result import Result

if TYPE_CHECKING:
    from .problem import Problem

__all__ = ["Solver", "Solution"]


class Solution(NamedTuple):
    """Arrays of a solution; None is absent."""

    v: Optional[FloatArray] = None
    g: Optional[FloatArray] = None
    lambda_: Optional[FloatArray] = None
    y: Optional[FloatArray] = None


class Solver:
    """A prepared solver: analysis and memory are used again for every problem with the same pattern.

    >>> import numpy as np, voussoir
    >>> problem = voussoir.Problem(np.eye(3), np.eye(3), c=[1, 0, 0], mu=0.5)
    >>> solver = problem.solver(tolerance=1e-10)
    >>> first = solver.solve()
    >>> solver.update(c=[2, 0, 0])
    >>> solver.warm_start(first)
    >>> second = solver.solve()
    >>> (first.lambda_.round(6) + 0).tolist(), (second.lambda_.round(6) + 0).tolist()
    ([1.0, 0.0, 0.0], [2.0, 0.0, 0.0])
    """

    def __init__(self, problem: "Problem", *, progress: Optional[Progress] = None, **options: object) -> None:
        self.problem = problem
        self._context = problem._context
        struct, self._keep = solver_options(options, progress)
        self._pointer, self._handle = self._context.make(
            lib.VS_PY_SOLVER,
            "vs_solver",
            problem._handle,
            lib.vs_solver_create,
            problem._pointer,
            struct,
        )
        self._last: Optional["weakref.ref[Result]"] = None

    def _detach(self) -> None:
        last = self._last() if self._last is not None else None
        if last is not None:
            last._detach()
        self._last = None

    def update(self, problem: Optional["Problem"] = None, **values: Any) -> None:
        """Another problem with the same pattern, or other values (c, b, r, mu) of the present one."""
        if problem is not None and values:
            raise errors.ArgumentError("update: give a problem or values, not both")
        other = self.problem.change(**values) if problem is None else problem
        with self._context.lock:
            self._detach()
            self._context.call(lib.vs_solver_update, self._pointer, other._pointer)
            lib.vs_py_rest_on(self._handle, other._handle)
            self.problem = other

    def warm_start(self, initial: Union[Result, Solution, npt.ArrayLike]) -> None:
        """A starting point for the next solve: a result, a solution, or contact impulses (m)."""
        if isinstance(initial, (Result, Solution)):
            v, g, impulses = initial.v, initial.g, initial.lambda_
        else:
            v, g, impulses = None, None, doubles(initial, self.problem.m, "initial")
        sizes = (("v", v, self.problem.n), ("g", g, self.problem.m_e), ("lambda_", impulses, self.problem.m))
        pointers = [
            NULL if values is None or count == 0 else pointer_to(doubles(values, count, f"initial.{name}"))
            for name, values, count in sizes
        ]
        self._context.call(lib.vs_solver_warm_start, self._pointer, *pointers)

    def solve(self) -> Result:
        """Solves the present problem; earlier results stay as they are."""
        return self._run(exclusive=False)

    def _run(self, exclusive: bool) -> Result:
        raw = ffi.new("vs_result *")
        own, other = self._context.lock, self.problem._context.lock
        # Two contexts after an update: always in the same order, so that no two threads wait for each other.
        first, second = (own, other) if id(own) <= id(other) else (other, own)
        with first, second:
            if self._last is not None:
                self._detach()
            error = lib.vs_solver_solve(self._pointer, raw)
            raise_pending()
            if error:
                self._context.fail(error)
            result = Result(raw, self.problem, self._handle, own, exclusive)
            if not exclusive:
                self._last = weakref.ref(result)
        return result
