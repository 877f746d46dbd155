"""Derivatives of solutions against differences and against each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import voussoir

GRAVITY = 9.81
NORMAL_LAST = np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]])  # one contact: normal z, tangents x and y
ROUNDING = 1e-12  # of solutions to 1e-13 and of their derivatives


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


# ---- closed forms ------------------------------------------------------------------------------------


def ball_on_incline(angle: float, mu: float, h: float = 1e-2) -> voussoir.Problem:
    """A ball of radius 0.2 m at rest; the incline falls along x."""
    mass, radius = 1.5, 0.2
    inertia = 0.4 * mass * radius**2
    D = np.array([[0, 0, 1, 0, 0, 0], [1, 0, 0, 0, -radius, 0], [0, 1, 0, radius, 0, 0]])
    c = np.zeros(6)
    c[:3] = -h * mass * GRAVITY * np.array([np.sin(angle), 0, -np.cos(angle)])
    return voussoir.Problem(np.diag([mass] * 3 + [inertia] * 3), D, c=c, mu=mu)


def differentiate(problem: voussoir.Problem) -> voussoir.Derivative:
    return problem.derivative(problem.solve(tolerance=1e-13))


def test_ball_on_an_incline_rolls_or_slides_and_its_derivatives_follow() -> None:
    h, angle, mass = 1e-2, 0.4, 1.5
    by_angle = np.zeros(6)
    by_angle[:3] = -h * mass * GRAVITY * np.array([np.cos(angle), 0, np.sin(angle)])

    rolls = differentiate(ball_on_incline(angle, 0.5, h))  # tan 0.4 = 0.42 < 7/2 mu
    assert rolls.report.rows == ["held", "held", "held"] and not rolls.report.borders.any()
    moved, _ = rolls.tangent(c=by_angle)
    assert np.isclose(moved.v[0], 5 / 7 * GRAVITY * h * np.cos(angle), rtol=1e-9)
    gradient, _ = rolls.adjoint(v=[1, 0, 0, 0, 0, 0])
    assert abs(gradient["mu"][0]) < ROUNDING
    assert np.isclose(gradient["c"] @ by_angle, moved.v[0], rtol=ROUNDING)

    mu = 0.05
    slides = differentiate(ball_on_incline(angle, mu, h))
    assert slides.report.rows == ["held", "limit", "limit"] and not slides.report.borders.any()
    moved, _ = slides.tangent(c=by_angle)
    assert np.isclose(moved.v[0], GRAVITY * h * (np.cos(angle) + mu * np.sin(angle)), rtol=1e-9)
    gradient, _ = slides.adjoint(v=[1, 0, 0, 0, 0, 0])
    assert np.isclose(gradient["mu"][0], -GRAVITY * h * np.cos(angle), rtol=1e-9)
    assert np.isclose(gradient["c"] @ by_angle, moved.v[0], rtol=ROUNDING)
    gradient, _ = slides.adjoint(v=[0, 0, 0, 0, 1, 0])
    assert np.isclose(gradient["mu"][0], 2.5 * GRAVITY * h * np.cos(angle) / 0.2, rtol=1e-9)


def test_threshold_between_rolling_and_sliding_is_flagged() -> None:
    angle = 0.4
    threshold = 2 / 7 * np.tan(angle)
    flags = [differentiate(ball_on_incline(angle, threshold * (1 + e))).report.borders.any() for e in (-1e-2, 0, 1e-2)]
    assert flags == [False, True, False]


def test_adjoint_is_the_transposed_tangent_of_random_problems() -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        H, D = np.diag(rng.uniform(1, 2, 9)), rng.normal(size=(9, 9))
        problem = voussoir.Problem(H, D, c=rng.normal(size=9), mu=rng.uniform(0.2, 0.8, 3))
        derivative = differentiate(problem)
        data: Any = {"c": rng.normal(size=9), "b": rng.normal(size=9), "mu": rng.normal(size=3)}
        weights: Any = {"v": rng.normal(size=9), "lambda_": rng.normal(size=9), "y": rng.normal(size=9)}
        moved, _ = derivative.tangent(**data)
        gradient, _ = derivative.adjoint(**weights)
        left = [gradient[name] * data[name] for name in data]
        right = [getattr(moved, name) * weights[name] for name in weights]
        size = sum(np.abs(x).sum() for x in left + right)
        assert abs(sum(x.sum() for x in left) - sum(x.sum() for x in right)) < ROUNDING * size


# ---- smoothed ----------------------------------------------------------------------------------------


def test_smoothed_derivative_of_a_contact_that_is_not_made_yet() -> None:
    """l (v - b) = gap / 2 (two pairs of cones), l = v - v0: the block slows down before it touches."""
    v0, b, gap = -0.0981, -0.11, 1e-3
    problem = voussoir.Problem(np.eye(3), NORMAL_LAST, c=[-3, 0, -v0], b=[b, 0, 0], mu=0.5)
    derivative = problem.derivative(gap=gap)
    half = (b - v0) / 2
    root = np.sqrt(half**2 + gap / 2)
    assert derivative.point.v is not None and np.isclose(derivative.point.v[2], (v0 + b) / 2 + root, rtol=1e-9)
    moved, _ = derivative.tangent(b=[1, 0, 0])
    assert moved.v is not None and np.isclose(moved.v[2], (1 + half / root) / 2, rtol=1e-9)
    gradient, _ = derivative.adjoint(v=[1, 0, 0])
    assert gradient["mu"][0] < -1e-2
    exact, _ = problem.derivative(problem.solve(tolerance=1e-13)).adjoint(v=[1, 0, 0])
    assert exact["mu"][0] == 0
    with pytest.raises(voussoir.ArgumentError, match="gap"):
        problem.derivative()


def test_smoothed_derivative_passes_the_threshold_without_a_flag() -> None:
    """Of the speed by friction, from sliding (-g h cos) to rolling (0); the gap is a thousandth of the energy, 1e-3 J."""
    angle, h = 0.4, 1e-2
    threshold = 2 / 7 * np.tan(angle)
    slopes = []
    for factor in (0.5, 1.0, 2.0):
        derivative = ball_on_incline(angle, factor * threshold, h).derivative(gap=1e-6)
        assert not derivative.report.borders.any() and set(derivative.report.rows) == {"smoothed"}
        gradient, _ = derivative.adjoint(v=[1, 0, 0, 0, 0, 0])
        slopes.append(gradient["mu"][0] / (GRAVITY * h * np.cos(angle)))
    assert -1.05 < slopes[0] < slopes[1] < slopes[2] < 0 and slopes[0] < -0.9 and slopes[2] > -0.1
