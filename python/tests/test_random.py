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
    result = voussoir.Problem(H, D, c=c, b=b, mu=mu).solve(model="frictionless", tolerance=1e-9).check()
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
    result = voussoir.Problem(H, D, c=c, b=b, mu=mu).solve(model="relaxed", tolerance=1e-9).check()
    # CVXOPT stops at a gap of about 1e-9 of the objective: its velocities are good to the root of that
    assert np.allclose(result.v, velocity(H, D, c, impulses), atol=1e-4)

    def objective(l: np.ndarray) -> float:
        return float(0.5 * l @ N @ l + r @ l)

    assert objective(result.lambda_) <= objective(impulses) + 1e-8 * (1 + abs(objective(impulses)))


def cones_of(rows: int, mu: float, rolling: float, spinning: float, elliptic: bool) -> "list[np.ndarray]":
    """The cones of a contact in its rows: each G with G l in a second-order cone."""
    limits = [mu, mu] + ([rolling] * 2 if rolling else []) + ([spinning] if spinning else [])
    if elliptic:
        return [np.diag([1.0] + [1 / limit for limit in limits])]
    cones, row = [], 1
    for limit, size in ((mu, 2), (rolling, 2), (spinning, 1)):
        if limit:
            G = np.zeros((1 + size, rows))
            G[0, 0] = limit
            G[1:, row : row + size] = np.eye(size)
            cones.append(G)
            row += size
    return cones


@settings(ordinary, max_examples=25)
@given(seeds, sizes)
def test_relaxed_rolling_friction_is_a_second_order_cone_program(seed: int, size: "tuple[int, int]") -> None:
    cvxopt = pytest.importorskip("cvxopt")
    rng = np.random.default_rng(seed)
    bodies, contacts = size
    builder, masses, free = voussoir.Builder(), [], []
    for _ in range(bodies):
        A = rng.normal(size=(6, 6))
        masses.append(A @ A.T + np.eye(6))
        free.append(rng.normal(size=6))
        builder.add_block(masses[-1], free[-1])
    H, c = scipy.linalg.block_diag(*masses), np.concatenate(free)
    D, cones, b = [], [], []
    for _ in range(contacts):
        mu, rolling, spinning = rng.uniform(0.1, 1), *(rng.uniform(0.1, 1, 2) * rng.integers(0, 2, 2))
        elliptic = bool((rolling or spinning) and rng.integers(0, 2))
        rows = 3 + 2 * (rolling > 0) + (spinning > 0)
        J, body = rng.normal(size=(rows, 6)), int(rng.integers(bodies))
        gap = np.concatenate([[-rng.uniform(0.1, 1)], rng.normal(size=rows - 1) * 0.1])  # D v = 0 is inside
        builder.add_contact({body: J}, mu=mu, b=gap, rolling=rolling, spinning=spinning, elliptic=elliptic)
        wide = np.zeros((rows, 6 * bodies))
        wide[:, 6 * body : 6 * body + 6] = J
        D.append(wide)
        b.append(gap)
        cones.append(cones_of(rows, mu, rolling, spinning, elliptic))
    D_all, b_all = np.vstack(D), np.concatenate(b)
    G = scipy.linalg.block_diag(*(np.vstack(cone) for cone in cones))
    dims = {"l": 0, "q": [len(G_k) for cone in cones for G_k in cone], "s": []}
    N, r = D_all @ np.linalg.solve(H, D_all.T), -D_all @ np.linalg.solve(H, c) - b_all
    cvxopt.solvers.options.update(show_progress=False, abstol=1e-12, reltol=1e-12, feastol=1e-12)
    solution = cvxopt.solvers.coneqp(
        cvxopt.matrix(N), cvxopt.matrix(r), cvxopt.matrix(-G), cvxopt.matrix(np.zeros(len(G))), dims
    )
    impulses = np.array(solution["x"]).ravel()
    result = builder.finish().solve(model="relaxed", tolerance=1e-9).check()
    # as above: the root of a gap of 1e-9
    assert np.allclose(result.v, velocity(H, D_all, c, impulses), atol=1e-4)
    value = [0.5 * l @ N @ l + r @ l for l in (result.lambda_, impulses)]
    assert value[0] <= value[1] + 1e-8 * (1 + abs(value[1]))


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
