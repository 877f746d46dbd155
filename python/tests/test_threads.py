"""Threads: the interpreter runs while C works, two solves at once, one object shared; Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import List

import numpy as np
import pytest
from conftest import pile, random_problem

import voussoir

# Hardly moves: solves until it is told to stop, or gives up after seconds.
ENDLESS = dict(model="relaxed", method="gauss-seidel", relaxation=1e-6, max_iterations=2_000_000_000, max_time=60.0)


def test_python_runs_while_c_solves() -> None:
    problem = pile(8)
    options = dict(ENDLESS, max_time=0.5)
    counts: List[int] = []

    def count() -> None:
        end, n = time.monotonic() + 0.4, 0
        while time.monotonic() < end:
            n += 1
            if n % 100 == 0:
                counts.append(n)

    thread = threading.Thread(target=count)
    thread.start()
    result = problem.solve(**options)
    thread.join()
    # with the lock held, nothing would be counted before the solve ended, and the thread's time were over
    assert result.status == "time_limit" and len(counts) > 100


def test_two_solves_at_once_are_both_inside() -> None:
    # each waits in its callback for the other: only possible if both are in the middle of a solve
    barrier = threading.Barrier(2, timeout=20)

    def solve(levels: int) -> str:
        met = []

        def progress(line: voussoir.Iteration) -> None:
            if not met:
                met.append(barrier.wait())

        return pile(levels).solve(model="relaxed", progress=progress).status

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(solve, [3, 4])) == ["converged"] * 2


def test_many_threads_get_the_same_bits_as_one() -> None:
    expected = [random_problem(seed).solve().lambda_ for seed in range(20)]

    def solve(seed: int) -> np.ndarray:
        return random_problem(seed).solve().lambda_

    with ThreadPoolExecutor(4) as pool:
        for found, right in zip(pool.map(solve, list(range(20)) * 5), expected * 5):
            assert np.array_equal(found, right)


def test_one_problem_is_shared_by_threads() -> None:
    problem = pile(3)
    right = problem.solve().lambda_
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: problem.solve().lambda_, range(100)):
            assert np.array_equal(found, right)


def test_one_solver_is_shared_by_threads() -> None:
    solver = pile(3).solver()
    right = solver.solve()

    def solve(_: int) -> bool:
        found = solver.solve()
        return all(np.array_equal(getattr(found, name), getattr(right, name)) for name in ("lambda_", "v", "y"))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(solve, range(200)))


def test_a_world_is_read_while_it_moves() -> None:
    scene, alone = (voussoir.scene("balls-in-box", count=27) for _ in range(2))
    simulation = scene.simulate()
    stop = threading.Event()
    torn: List[float] = []

    def read() -> None:
        while not stop.is_set():
            z = scene.world.positions[:, 2]
            torn.extend(z[~np.isfinite(z)])
            simulation.contacts, simulation.contact_bodies

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    simulation.run(0.2)
    stop.set()
    for reader in readers:
        reader.join()
    alone.run(duration=0.2)
    assert not torn and scene.world.hash == alone.world.hash


FILES = """
import sys
from concurrent.futures import ThreadPoolExecutor
sys.path.insert(0, sys.argv[1])
import h5py, numpy as np, voussoir
from conftest import random_problem

problems = [random_problem(seed) for seed in range(8)]

def there_and_back(k):
    path = f"{sys.argv[2]}/{k}.hdf5"
    problems[k % 8].save(path)
    again = voussoir.load_fclib(path)
    with h5py.File(path) as file:
        n = len(file["fclib_global/vectors/f"][:])
    return n == again.n and np.array_equal(again.c, problems[k % 8].c)

with ThreadPoolExecutor(6) as pool:
    assert all(pool.map(there_and_back, range(200)))
"""


def test_files_in_threads(tmp_path: Path) -> None:
    # An HDF5 that is not built for threads (Debian's is) would crash without our lock: hence a process of its own.
    command = [sys.executable, "-c", FILES, os.path.dirname(__file__), str(tmp_path)]
    assert subprocess.run(command, timeout=100).returncode == 0


def test_a_callback_that_writes_a_file_does_not_wait_for_one_that_writes_the_same(tmp_path: Path) -> None:
    problem = pile(4)

    def work(k: int) -> str:
        def save(line: voussoir.Iteration) -> None:
            problem.save(tmp_path / f"{k}.hdf5")

        if k % 2:
            return problem.solve(model="relaxed", progress=save).status
        return str(problem.save(tmp_path / f"{k}.hdf5"))

    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(work, k) for k in range(12)]
        assert {future.result(timeout=60) for future in found} == {"converged", "None"}


def interrupted(program: str) -> "tuple[int, str, float]":
    """Runs a program, sends Ctrl-C when it says so; its exit code, what it printed, and how long it took to end."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # shells make background jobs ignore it
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    try:
        rest = process.communicate(timeout=50)[0]
    finally:
        process.kill()
    return process.returncode, rest, time.monotonic() - begin


@pytest.mark.parametrize("options", ["", ", progress=lambda line: None", ", threads_busy=True"])
def test_ctrl_c_stops_a_solve(options: str) -> None:
    busy = "threads_busy" in options
    program = f"""
import sys, threading
sys.path.insert(0, {os.path.dirname(__file__)!r})
from conftest import pile
from test_threads import ENDLESS
problem = pile(8)
if {busy}:
    threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()
print("ready")
try:
    problem.solve(**ENDLESS{"" if busy else options})
except KeyboardInterrupt:
    print("stopped", problem.solve(model="relaxed").status)
"""
    code, printed, seconds = interrupted(program)
    assert (code, printed) == (0, "stopped converged\n") and seconds < 10


def test_ctrl_c_stops_a_run() -> None:
    program = """
import voussoir
simulation = voussoir.scene("ball").simulate()
print("ready")
try:
    simulation.run(1e9)
except KeyboardInterrupt:
    print("stopped", simulation.step().status)
"""
    code, printed, seconds = interrupted(program)
    assert (code, printed) == (0, "stopped converged\n") and seconds < 10


def test_ctrl_c_ends_a_script_that_does_not_care() -> None:
    code, _, seconds = interrupted('import voussoir; s = voussoir.scene("ball").simulate(); print("ready"); s.run(1e9)')
    assert code == -signal.SIGINT and seconds < 10
