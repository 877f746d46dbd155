"""Derivatives of solutions against differences and against each other."""

from __future__ import annotations

import numpy as np

import voussoir


def test_tangent_adjoint_and_differences_agree() -> None:
    rng = np.random.default_rng(5)
    H, D = np.diag(rng.uniform(1, 2, 6)), rng.normal(size=(6, 6))
    c, direction = rng.normal(size=6), rng.normal(size=6)
    problem = voussoir.Problem(H, D, c=c, mu=0.5)
    result = problem.solve(tolerance=1e-13)
    derivative = voussoir.Derivative(problem, result)
    assert derivative.report.measures.relative_error < 1e-12 and not derivative.report.borders.any()
    moved, residual = derivative.tangent(c=direction, D=0.1 * D, H=0.1 * H, mu=[0.1, 0.2])
    assert residual < 1e-10

    def solve(h: float) -> np.ndarray:
        data = {"c": c + h * direction, "mu": [0.5 + 0.1 * h, 0.5 + 0.2 * h]}
        return voussoir.Problem(H * (1 + 0.1 * h), D * (1 + 0.1 * h), **data).solve(tolerance=1e-13).v

    h = 1e-4  # errors of the differences: of the order of h^2
    assert np.allclose(moved.v, (solve(h) - solve(-h)) / (2 * h), atol=1e-6)

    weights = rng.normal(size=6)
    gradient, _ = derivative.adjoint(v=weights)
    by_D = -np.outer(result.lambda_, gradient["c"]) - np.outer(gradient["b"], result.v)
    by_H = np.outer(gradient["c"], result.v)
    total = gradient["c"] @ direction + gradient["mu"] @ [0.1, 0.2] + 0.1 * (by_D * D).sum() + 0.1 * (by_H * H).sum()
    assert np.isclose(total, weights @ moved.v, rtol=1e-11)
