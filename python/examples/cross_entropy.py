"""The cross-entropy method, for the tasks beside it: draw policies, keep the best, draw around them."""

from __future__ import annotations

from typing import Callable

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def search(
    value: Callable[[FloatArray], float],
    mean: FloatArray,
    deviation: FloatArray,
    *,
    seed: int,
    rounds: int,
    tries: int = 10,
    kept: int = 3,
) -> FloatArray:
    """The numbers (none negative) with the largest value that were tried; the same on every run."""
    random = np.random.default_rng(seed)
    best, most, first = mean, -np.inf, deviation
    for round_ in range(rounds):
        drawn = np.maximum(mean + deviation * random.normal(size=(tries, len(mean))), 0)
        values = np.array([value(numbers) for numbers in drawn])
        elite = drawn[np.argsort(-values, kind="stable")[:kept]]
        mean, deviation = elite.mean(axis=0), elite.std(axis=0) + 0.02 * first
        if values.max() > most:
            best, most = drawn[values.argmax()], values.max()
        print(f"round {round_ + 1}: best return {values.max():6.3f}, mean {values.mean():6.3f}")
    return np.asarray(best)
