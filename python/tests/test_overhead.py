"""What Python adds to a call of C, on a problem of four contacts that C solves in some ten microseconds."""

from __future__ import annotations

import time
from typing import Callable

from conftest import box_on_plane

import voussoir
from voussoir._voussoir import ffi, lib


def least(call: Callable[[], object], batches: int = 40, count: int = 100) -> float:
    """Processor seconds of one call in the best batch: others on the machine do not count."""
    best = float("inf")
    for _ in range(batches):
        begin = time.thread_time()
        for _ in range(count):
            call()
        best = min(best, (time.thread_time() - begin) / count)
    return best


def test_calling_costs_less_than_20_microseconds() -> None:
    H, D, c = box_on_plane()
    problem = voussoir.Problem(H, D, c=c, mu=0.5)
    solver = problem.solver()
    raw, out, options = ffi.new("vs_result *"), ffi.new("vs_solver **"), lib.vs_solver_options_default()

    def once_in_c() -> None:
        lib.vs_solver_create(problem._pointer, ffi.addressof(options), out)
        lib.vs_solver_solve(out[0], raw)
        lib.vs_solver_destroy(out[0])

    def with_arrays() -> None:
        result = solver.solve()
        result.v, result.lambda_

    again_in_c = least(lambda: lib.vs_solver_solve(solver._pointer, raw))
    again, arrays = least(solver.solve) - again_in_c, least(with_arrays) - again_in_c
    once = least(problem.solve) - least(once_in_c)
    print(f"again {1e6 * again:.1f} us, with arrays {1e6 * arrays:.1f} us, prepared anew {1e6 * once:.1f} us")
    assert max(again, arrays, once) < 20e-6
