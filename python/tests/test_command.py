"""Files and the command: the same bits both ways."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import pile, random_problem

import voussoir


@pytest.mark.parametrize("model", ["exact", "relaxed", "frictionless"])
@pytest.mark.parametrize("which", ["random", "pile"])
def test_solve_has_the_bits_of_the_command(command: str, tmp_path: Path, model: str, which: str) -> None:
    path, solved = tmp_path / "problem.hdf5", tmp_path / "solved.hdf5"
    (random_problem(7) if which == "random" else pile(4)).save(path)
    arguments = ["solve", str(path), "--model", model, "--json", "--output", str(solved)]
    report = json.loads(subprocess.run([command, *arguments], check=True, capture_output=True, text=True).stdout)
    problem = voussoir.load_fclib(path)
    result = problem.solve(model=model).check()
    theirs = voussoir.load_solution(solved, problem)
    for ours, other in ((result.v, theirs.v), (result.lambda_, theirs.lambda_), (result.y, theirs.y)):
        assert other is not None and ours.tobytes() == other.tobytes()
    assert report["iterations"] == result.iterations and report["status"] == "converged"


def test_what_is_written_is_read(tmp_path: Path) -> None:
    problem = random_problem(11)
    result = problem.solve()
    path = tmp_path / "problem.hdf5"
    voussoir.save_fclib(path, problem, result)
    again = voussoir.load_fclib(path)
    assert again.info == problem.info
    for name in ("c", "b", "mu"):
        assert np.array_equal(getattr(again, name), getattr(problem, name))
    stored = voussoir.load_solution(path, again)
    assert stored.lambda_ is not None and np.array_equal(stored.lambda_, result.lambda_)
    problem.save(path)
    with pytest.raises(voussoir.DataError):
        voussoir.load_solution(path, again)


def test_the_solution_of_another_problem_is_refused(tmp_path: Path) -> None:
    with pytest.raises(voussoir.ArgumentError, match="must have"):
        random_problem(1).save(tmp_path / "a.hdf5", random_problem(1, 5, 9).solve())


def test_python_m_voussoir_runs_the_command(command: str, tmp_path: Path) -> None:
    run = [sys.executable, "-m", "voussoir", "--version"]
    environment = {**os.environ, "PATH": str(Path(command).parent)}
    assert subprocess.run(run, check=True, capture_output=True, text=True, env=environment).stdout == subprocess.run(
        [command, "--version"], check=True, capture_output=True, text=True
    ).stdout
    refused = subprocess.run(run, capture_output=True, text=True, env={**os.environ, "PATH": str(tmp_path)})
    assert refused.returncode == 1 and "install the package" in refused.stderr
