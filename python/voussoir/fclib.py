"""FCLIB files (HDF5): the exchange format of the frictional contact community."""

from __future__ import annotations

from typing import Any, Dict, List, Union

import numpy as np

from ._core import NULL, Context, Path, doubles, ffi, hdf5, lib, path_bytes, pointer_to
from .problem import Problem
from .result import Result
from .solver import Solution

__all__ = ["load_fclib", "load_solution", "save_fclib"]


def load_fclib(path: Path, *, threads: int = 1) -> Problem:
    """Reads a problem from an FCLIB file (HDF5).

    >>> import numpy as np, tempfile, voussoir
    >>> problem = voussoir.Problem(np.eye(3), np.eye(3), c=[1, 0, 0], mu=0.5)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     voussoir.save_fclib(folder + "/one.hdf5", problem, problem.solve())
    ...     again = voussoir.load_fclib(folder + "/one.hdf5")
    ...     stored = voussoir.load_solution(folder + "/one.hdf5", again)
    >>> again, (stored.lambda_.round(6) + 0).tolist()
    (<voussoir.Problem: 3 velocities, 1 contact, 0 joint rows>, [1.0, 0.0, 0.0])
    """
    context = Context(threads)
    with hdf5(context):
        made = context.make(
            lib.VS_PY_PROBLEM, "vs_problem", context.handle, lib.vs_fclib_read, context.pointer, path_bytes(path)
        )
    return Problem._wrap(context, *made)


def load_solution(path: Path, problem: Problem) -> Solution:
    """The solution stored in an FCLIB file; `DataError` if there is none of this size."""
    arrays = [np.zeros(count) for count in (problem.n, problem.m_e, problem.m, problem.m)]
    pointers = [pointer_to(array) if array.size else NULL for array in arrays]
    with hdf5(problem._context):
        problem._context.call(lib.vs_fclib_read_solution, path_bytes(path), problem._pointer, *pointers)
    return Solution(*arrays)


def save_fclib(path: Path, problem: Problem, solution: Union[Result, Solution, None] = None) -> None:
    """Writes a problem, with a solution if one is given."""
    raw: Any = NULL
    keep: List[Any] = []
    if solution is not None:
        raw = ffi.new("vs_solution_view *")
        sizes: Dict[str, int] = {"v": problem.n, "g": problem.m_e, "lambda": problem.m, "y": problem.m}
        for name, count in sizes.items():
            values = getattr(solution, "lambda_" if name == "lambda" else name)
            if values is not None and count > 0:
                keep.append(pointer_to(doubles(values, count, name)))
                setattr(raw, name, keep[-1])
    with hdf5(problem._context):
        problem._context.call(lib.vs_fclib_write, path_bytes(path), problem._pointer, raw)
