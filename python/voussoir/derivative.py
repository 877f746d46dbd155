"""Derivatives of a solution with respect to the data of its problem (derivative.h)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import errors
from ._core import FloatArray, copied, doubles, enum_value, ffi, lib, pointer_to, text
from .result import Measures, Result
from .solver import Solution

if TYPE_CHECKING:
    from .problem import Problem

__all__ = ["Derivative", "DerivativeReport"]


class DerivativeReport(NamedTuple):
    """Where derivatives exist, and how good the solution is that they belong to."""

    measures: Measures  # of the solution
    border: float  # as used
    unknowns: int  # impulses that may change, in directions
    rank: int  # below `unknowns`: impulses are not unique, and their derivatives have the least norm
    rows: List[str]  # (m) "open", "held" or "limit"; "smoothed" with a gap
    borders: npt.NDArray[np.bool_]  # (contacts) between two statuses: an element of the generalized derivative
    redundant: npt.NDArray[np.bool_]  # (contacts) impulses of the contact's island are not unique
    iterations: int  # factorizations to the point of the central path; 0 without a gap


class Derivative:
    """The derivative of a solution: tangents and adjoints from one factorization.

    solution    a result or `Solution`, solved to 1e-10 or less
    model       of the solution
    border      impulses and velocities below it, relative to the reference of their island, count as zero
    gap         J; if positive, the derivative at the point of the central path with this gap, `point`, in place of the
                solution: differentiable everywhere, and contacts that are not yet made count, too

    A block that slides: more friction by dmu slows it by g h dmu.

    >>> import numpy as np, voussoir
    >>> D = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])            # normal z, tangents x and y
    >>> problem = voussoir.Problem(np.eye(3), D, c=[-3, 0, 0.0981], mu=0.5)
    >>> derivative = problem.derivative(problem.solve(tolerance=1e-12))
    >>> moved, residual = derivative.tangent(mu=1)
    >>> bool(np.isclose(moved.v[0], -0.0981)), derivative.report.rows
    (True, ['held', 'limit', 'limit'])
    >>> gradient, residual = derivative.adjoint(v=[1, 0, 0])       # of v[0], by everything
    >>> bool(np.isclose(gradient["mu"][0], -0.0981))
    True

    The same block 1.1 mm above the plane, in a step of 10 ms: friction has no effect yet, unless smoothed.

    >>> problem = voussoir.Problem(np.eye(3), D, c=[-3, 0, 0.0981], b=[-0.11, 0, 0], mu=0.5)
    >>> exact, smooth = problem.derivative(problem.solve()), problem.derivative(gap=1e-3)
    >>> [float(d.adjoint(v=[1, 0, 0])[0]["mu"][0].round(4)) for d in (exact, smooth)]
    [0.0, -0.0171]
    """

    def __init__(
        self,
        problem: "Problem",
        solution: Union[Result, Solution, None] = None,
        *,
        model: str = "exact",
        border: float = 1e-6,
        gap: float = 0.0,
    ) -> None:
        self.problem = problem
        self._context = problem._context
        options = lib.vs_derivative_options_default()
        options.model, options.border, options.gap = enum_value("vs_model", model, "model"), border, gap
        if solution is None and not gap > 0:
            raise errors.ArgumentError("derivative: give a solution, or a positive gap")
        solution = Solution() if solution is None else solution
        g = doubles(0.0 if solution.g is None else solution.g, problem.m_e, "solution.g")
        impulses = doubles(0.0 if solution.lambda_ is None else solution.lambda_, problem.m, "solution.lambda_")
        self._pointer, self._handle = self._context.make(
            lib.VS_PY_DERIVATIVE,
            "vs_derivative",
            problem._handle,
            lib.vs_derivative_create,
            problem._pointer,
            ffi.addressof(options),
            pointer_to(g),
            pointer_to(impulses),
        )
        raw = lib.vs_derivative_get_report(self._pointer)
        flags = copied(raw.flags, problem.contacts, np.uint8)
        self.report = DerivativeReport(
            Measures._read(raw.measures),
            raw.border,
            raw.unknowns,
            raw.rank,
            [text(lib.vs_row_status_name(raw.row[k])) for k in range(problem.m)],
            flags & lib.VS_DERIVATIVE_BORDER != 0,
            flags & lib.VS_DERIVATIVE_REDUNDANT != 0,
            raw.iterations,
        )
        #: The solution, or the point of the central path.
        self.point = Solution(
            None if problem.info.local else copied(raw.v, problem.n, np.float64),
            copied(raw.g, problem.m_e, np.float64),
            copied(getattr(raw, "lambda"), problem.m, np.float64),
            copied(raw.y, problem.m, np.float64),
        )

    def tangent(
        self, *, H: Any = None, D: Any = None, C: Any = None, N: Any = None, **data: npt.ArrayLike
    ) -> Tuple[Solution, float]:
        """The direction of the solution for directions of c, b, r, b_e, mu, rolling, spinning, lo, hi, E, E_e and matrices.

        Also the residual of the linear system, relative: rounding where there is a derivative in this direction.
        """
        direction = ffi.new("vs_problem_direction *")
        keep: List[Any] = []
        sizes = self._sizes()
        for name, values in data.items():
            if name not in sizes:
                raise errors.ArgumentError(f"tangent: there is no data '{name}'")
            keep.append(pointer_to(doubles(values, sizes[name], name)))
            setattr(direction, name, keep[-1])
        from .problem import _columns

        for target, matrix, transposed, name in (
            (direction.H, H, False, "H"),
            (direction.Dt, D, True, "D"),
            (direction.Ct, C, True, "C"),
            (direction.N, N, False, "N"),
        ):
            if matrix is not None:
                keep += _columns(matrix, transposed, name).fill(target)
        v, g, impulses, y = arrays = [np.zeros(size) for size in self._solution_sizes()]
        residual = self._call(lib.vs_derivative_tangent, direction, self._point_to(arrays, keep))
        return Solution(v, g, impulses, y), residual

    def adjoint(
        self,
        *,
        v: Optional[npt.ArrayLike] = None,
        g: Optional[npt.ArrayLike] = None,
        lambda_: Optional[npt.ArrayLike] = None,
        y: Optional[npt.ArrayLike] = None,
    ) -> Tuple[Dict[str, FloatArray], float]:
        """The gradient of the weighted sum of the solution by all vectors of the data, and the residual.

        With c, b, b_e, r of the gradient and v, g, lambda_ of `point`, the gradients by matrices are

            H  outer(c, v)      D  -outer(lambda_, c) - outer(b, v)      C  -outer(g, c) - outer(b_e, v)      N  outer(r, lambda_)
        """
        keep: List[Any] = []
        given = zip((v, g, lambda_, y), self._solution_sizes(), ("v", "g", "lambda_", "y"))
        weights = [doubles(0.0 if values is None else values, size, name) for values, size, name in given]
        gradient = {name: np.zeros(size) for name, size in self._sizes().items()}
        raw = ffi.new("vs_problem_gradient *")
        for name, array in gradient.items():
            keep.append(pointer_to(array))
            setattr(raw, name, keep[-1])
        residual = self._call(lib.vs_derivative_adjoint, self._point_to(weights, keep), raw)
        return gradient, residual

    def _sizes(self) -> Dict[str, int]:
        """Of the vectors of the data that this problem has."""
        p = self.problem
        sizes = {"r": p.m} if p.info.local else {"c": p.n, "b": p.m, "b_e": p.m_e, "E": p.m, "E_e": p.m_e}
        return {**sizes, "mu": p.contacts, "rolling": p.contacts, "spinning": p.contacts, "lo": p.m, "hi": p.m}

    def _solution_sizes(self) -> Tuple[int, int, int, int]:
        p = self.problem
        return (0 if p.info.local else p.n), p.m_e, p.m, p.m

    def _point_to(self, arrays: List[FloatArray], keep: List[Any]) -> Any:
        """The arrays v, g, lambda, y for C."""
        out = ffi.new("vs_solution_direction *")
        for name, array in zip(("v", "g", "lambda", "y"), arrays):
            keep.append(pointer_to(array))
            setattr(out, name, keep[-1])
        return out

    def _call(self, function: Any, first: Any, second: Any) -> float:
        residual = ffi.new("double *")
        self._context.call(function, self._pointer, first, second, residual)
        return float(residual[0])
