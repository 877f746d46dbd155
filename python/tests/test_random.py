"""Random problems against SciPy and CVXOPT, which know nothing of contacts."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
import scipy.optimize
from conftest import random_matrices, random_problem

import voussoir

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

seeds = st.integers(0, 2**32 - 1)
sizes = st.tuples(st.integers(2, 6), st.integers(1, 12))
ordinary = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def velocity(H: np.ndarray, D: np.ndarray, c: np.ndarray, impulses: np.ndarray) -> np.ndarray:
    return np.linalg.solve(H, D.T @ impulses - c)


@ordinary
@given(seeds, sizes)
def test_frictionless_is_nonnegative_least_squares(seed: int, size: "tuple[int, int]") -> None:
    H, D, c, b, mu = random_matrices(seed, *size)
    normal = D[::3]
    # min 1/2 |L'n'l - L^-1 c|^2 with H = L L'
    L = np.linalg.cholesky(H)
    A = scipy.linalg.solve_triangular(L, normal.T, lower=True)
    impulses, _ = scipy.optimize.nnls(A, scipy.linalg.solve_triangular(L, c, lower=True))
    result = voussoir.Problem(H, D, c=c, b=b, mu=mu).solve(model="frictionless", tol=1e-9).check()
    # velocities are unique; 1e-7: tolerance times the size of v (1) and the condition of H (100), root of an energy
    assert np.allclose(result.v, velocity(H, normal, c, impulses), atol=1e-7)


@settings(ordinary, max_examples=25)
@given(seeds, sizes)
def test_relaxed_is_a_second_order_cone_program(seed: int, size: "tuple[int, int]") -> None:
    cvxopt = pytest.importorskip("cvxopt")
    H, D, c, b, mu = random_matrices(seed, *size)
    contacts = len(mu)
    N = D @ np.linalg.solve(H, D.T)
    r = -D @ np.linalg.solve(H, c) - b
    # min 1/2 l'N l + r'l, (mu l_n, l_T) in the cone; N may be singular
    G = -np.diag(np.stack([mu, np.ones(contacts), np.ones(contacts)], axis=1).ravel())
    dims = {"l": 0, "q": [3] * contacts, "s": []}
    cvxopt.solvers.options.update(show_progress=False, abstol=1e-12, reltol=1e-12, feastol=1e-12)
    solution = cvxopt.solvers.coneqp(
        cvxopt.matrix(N), cvxopt.matrix(r), cvxopt.matrix(G), cvxopt.matrix(np.zeros(3 * contacts)), dims
    )
    impulses = np.array(solution["x"]).ravel()
    result = voussoir.Problem(H, D, c=c, b=b, mu=mu).solve(model="relaxed", tol=1e-9).check()
    # CVXOPT stops at a gap of about 1e-9 of the objective: its velocities are good to the root of that
    assert np.allclose(result.v, velocity(H, D, c, impulses), atol=1e-4)

    def objective(l: np.ndarray) -> float:
        return float(0.5 * l @ N @ l + r @ l)

    assert objective(result.lambda_) <= objective(impulses) + 1e-8 * (1 + abs(objective(impulses)))


@ordinary
@given(seeds, sizes)
def test_exact_friction_obeys_coulomb(seed: int, size: "tuple[int, int]") -> None:
    H, D, c, b, mu = random_matrices(seed, *size)
    result = voussoir.Problem(H, D, c=c, b=b, mu=mu).solve(model="exact")
    if not result.converged:  # a random problem need not have a solution; then the result says so
        assert result.measures.relative > 1e-8 or result.measures.natural_map_relative > 1e-8
        return
    l, u = result.lambda_.reshape(-1, 3), (D @ result.v - b).reshape(-1, 3)
    size_l, size_u = max(np.abs(l).max(), 1), max(np.abs(u).max(), 1)
    tangential, slip = np.linalg.norm(l[:, 1:], axis=1), np.linalg.norm(u[:, 1:], axis=1)
    small = 1e-6 * size_l * size_u
    assert (l[:, 0] >= -1e-6 * size_l).all() and (u[:, 0] >= -1e-6 * size_u).all()
    assert (np.abs(l[:, 0] * u[:, 0]) <= small).all()
    assert (tangential <= mu * l[:, 0] + 1e-6 * size_l).all()
    # what slides is braked fully, against its slip
    assert (np.abs((l[:, 1:] * u[:, 1:]).sum(axis=1) + mu * l[:, 0] * slip) <= small).all()


@ordinary
@given(seeds)
def test_files_keep_every_bit(seed: int) -> None:
    import tempfile

    problem = random_problem(seed)
    with tempfile.TemporaryDirectory() as folder:
        problem.save(folder + "/p.hdf5")
        again = voussoir.load_fclib(folder + "/p.hdf5")
    assert again.info == problem.info and np.array_equal(again.solve().lambda_, problem.solve().lambda_)
