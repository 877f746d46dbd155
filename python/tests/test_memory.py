"""Who owns what: views outlive everything else, nothing leaks, any order of destruction is right."""

from __future__ import annotations

import gc
import random
import subprocess
import sys
from typing import Any, List

import numpy as np
import pytest
from conftest import box_on_plane, random_problem

import voussoir


def resident() -> int:
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def disturb() -> None:
    """Takes and writes memory that was let go of."""
    gc.collect()
    for seed in range(5):
        random_problem(seed, 6, 20).solve()
    np.full(100_000, np.nan)


def test_views_outlive_result_solver_and_problem() -> None:
    problem = random_problem(2)
    result = problem.solve()
    names = ("v", "lambda_", "y", "history")
    copies = [getattr(result, name).copy() for name in names]
    views = [getattr(result, name) for name in names] + [problem.mu]
    copies.append(problem.mu.copy())  # type: ignore[union-attr]
    del problem, result
    disturb()
    for array, copy in zip(views, copies):
        assert np.array_equal(array, copy)


def test_views_do_not_copy_and_cannot_be_written() -> None:
    result = random_problem(2).solve()
    first, second = result.lambda_, result.lambda_
    assert np.shares_memory(first, second) and not first.flags.owndata
    for array in (result.v, result.lambda_, result.y, result.g, result.history, result.problem.mu):
        with pytest.raises(ValueError):
            array[...] = 0  # type: ignore[index]


def test_inputs_may_change_afterwards() -> None:
    H, D, c = box_on_plane()
    problem = voussoir.Problem(H, D, c=c, mu=0.5)
    before = problem.solve().lambda_
    H[:], D[:], c[:] = 0, 0, 0
    assert np.array_equal(problem.solve().lambda_, before)


def test_any_order_of_letting_go() -> None:
    for seed in range(30):
        problem = random_problem(seed)
        other = problem.change(mu=0.3)
        solver = problem.solver()
        first = solver.solve()
        solver.update(other)
        result = solver.solve()
        scene = voussoir.scene("ball")
        simulation = scene.simulate()
        simulation.step()
        step_problem = simulation.problem()
        world = scene.world
        cycle: List[Any] = [problem, other, solver, result, first, scene, simulation, world, world.bodies, step_problem]
        cycle.append(result.lambda_)
        random.Random(seed).shuffle(cycle)
        del problem, other, solver, result, first, scene, simulation, world, step_problem
        if seed % 2:
            cycle.append(cycle)  # only the collector finds it
            del cycle
            gc.collect()
        else:
            while cycle:
                cycle.pop()
    disturb()


def test_ten_thousand_lives_take_no_memory() -> None:
    H, D, c = box_on_plane()

    def live(count: int) -> None:
        for _ in range(count):
            result = voussoir.Problem(H, D, c=c, mu=0.5).solve()
            assert result.lambda_[0] > 0 and len(result.history) > 0

    live(1000)
    gc.collect()
    before = resident()
    live(10_000)
    gc.collect()
    # a leak of 100 bytes a life would be 1 MB; the allocator's own noise is some pages
    assert resident() - before < 500_000


def test_worlds_and_failures_take_no_memory() -> None:
    H, D, c = box_on_plane()

    def live(count: int) -> None:
        for _ in range(count):
            voussoir.scene("box").simulate().step()
            for call in (lambda: voussoir.scene("box", no=1), lambda: voussoir.Problem(-H, D, c=c, mu=1)):
                with pytest.raises(voussoir.Error):
                    call()

    live(200)
    gc.collect()
    before = resident()
    live(2000)
    gc.collect()
    assert resident() - before < 1_000_000


def test_exit_with_everything_alive() -> None:
    program = """
import voussoir
problem = voussoir.scene("arch").simulate()
problem.step()
everything = [problem, problem.problem(), problem.problem().solve().lambda_, problem.world]
everything.append(everything)
voussoir.keep = everything
"""
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
