"""What Python adds to a call of C, on a problem of four contacts that C solves in some ten microseconds.

Microseconds of one machine are not those of another, nor of the same one a moment later: each call is judged against a loop of Python
that runs beside it.
"""

from __future__ import annotations

import time
from typing import Callable, List

from conftest import box_on_plane

import voussoir
from voussoir._library import ffi, lib


def yardstick() -> int:
    """Some ten microseconds where Python is fast."""
    return sum(k * k for k in range(200))


def least(calls: List[Callable[[], object]], batches: int = 40, count: int = 100) -> List[float]:
    """Processor seconds of one call of each in its best batch, the batches of all in turn: others on the machine do not count."""
    best = [float("inf")] * len(calls)
    for _ in range(batches):
        for k, call in enumerate(calls):
            begin = time.thread_time()
            for _ in range(count):
                call()
            best[k] = min(best[k], (time.thread_time() - begin) / count)
    return best


def test_a_call_costs_less_than_two_sums_of_200_squares() -> None:
    H, D, c = box_on_plane()
    problem = voussoir.Problem(H, D, c=c, mu=0.5)
    solver = problem.solver()
    raw, out, options = ffi.new("vs_result *"), ffi.new("vs_solver **"), lib.vs_solver_options_default()

    def again_in_c() -> None:
        lib.vs_solver_solve(solver._pointer, raw)

    def once_in_c() -> None:
        lib.vs_solver_create(problem._pointer, ffi.addressof(options), out)
        lib.vs_solver_solve(out[0], raw)
        lib.vs_solver_destroy(out[0])

    def with_arrays() -> None:
        result = solver.solve()
        result.v, result.lambda_

    again, arrays, once, again_c, once_c, sums = least(
        [solver.solve, with_arrays, problem.solve, again_in_c, once_in_c, yardstick]
    )
    added = [again - again_c, arrays - again_c, once - once_c]
    print("sum, again, with arrays, prepared anew:", [f"{1e6 * t:.1f} us" for t in (sums, *added)])
    assert max(added) < 2 * sums  # 1.2 of them in practice: 12 us where the sum takes 10 us
