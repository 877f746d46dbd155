"""Pictures with matplotlib, which is imported here only and when a picture is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Tuple

import numpy as np
import numpy.typing as npt

from ._core import FloatArray

if TYPE_CHECKING:
    from .result import Result
    from .simulation import Simulation

__all__ = ["convergence", "contacts"]


def _axes(axes: Any) -> Any:
    if axes is not None:
        return axes
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(6, 4))[1]


def _positive(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What a logarithmic axis can show: zeros become gaps."""
    return np.where(values > 0, values, np.nan)


def convergence(result: "Result", axes: Any = None, over: str = "iteration") -> Any:
    """Both errors that a tolerance means, over iterations or seconds, on a logarithmic axis."""
    if over not in ("iteration", "seconds"):
        raise ValueError(f"over: must be 'iteration' or 'seconds', is {over!r}")
    axes = _axes(axes)
    history = result.history
    scale = result.measures.island_reference or 1.0
    energy = np.sqrt(np.maximum(history["energy_error"], 0) / scale)
    axes.semilogy(history[over], _positive(energy), marker=".", label="sqrt(energy error / reference)")
    axes.semilogy(history[over], _positive(history["natural_map_relative"]), marker=".", label="natural map")
    axes.set_xlabel("iteration" if over == "iteration" else "time (s)")
    axes.set_ylabel("relative error")
    axes.set_title(f"{result.method}, {result.model}: {result.status}")
    axes.grid(True, alpha=0.3)
    axes.legend()
    return axes


def _resultants(simulation: "Simulation") -> Tuple[FloatArray, FloatArray]:
    """Of each pair of bodies that touch: the centre of its normal impulses, and the sum of all."""
    found, pairs = simulation.contacts, simulation.contact_bodies
    weight = np.abs(np.sum(found["impulse"] * found["normal"], axis=1))
    points, impulses = [], []
    for pair in np.unique(pairs, axis=0):
        among = (pairs == pair).all(axis=1)
        if weight[among].sum() > 0:
            points.append(np.average(found["point"][among], axis=0, weights=weight[among]))
            impulses.append(found["impulse"][among].sum(axis=0))
    return np.reshape(points, (-1, 3)), np.reshape(impulses, (-1, 3))


def contacts(
    simulation: "Simulation", axes: Any = None, plane: str = "xz", scale: float = 0.0, resultants: bool = False
) -> Any:
    """The contact forces of the last step on the second bodies, as arrows in a plane.

    scale       m/N, 0: choose
    resultants  one line for each pair of bodies, along its force and as thick as it is large: a force chain
    """
    axes = _axes(axes)
    across, up = ("xyz".index(letter) for letter in plane)
    if resultants:
        points, impulses = _resultants(simulation)
    else:
        points, impulses = simulation.contacts["point"], simulation.contacts["impulse"]
    force = impulses / simulation.step_size
    size = np.linalg.norm(force, axis=1)
    largest = float(np.max(size, initial=0.0))
    centres = simulation.world.positions
    span = float(np.max(np.ptp(centres, axis=0), initial=0.0)) or 1.0
    factor = scale or (0.2 * span / largest if largest > 0 else 1.0)
    axes.plot(centres[:, across], centres[:, up], "o", color="tab:grey", markersize=3)
    if resultants:
        half = 0.5 * factor * force
        for point, along, thick in zip(points, half, 6 * size / (largest or 1.0)):
            ends = np.stack([point - along, point + along])
            axes.plot(ends[:, across], ends[:, up], color="tab:red", linewidth=max(thick, 0.3), alpha=0.7)
    else:
        start, arrow = points[:, (across, up)].T, factor * force[:, (across, up)].T
        axes.quiver(*start, *arrow, angles="xy", scale_units="xy", scale=1, width=0.004, color="tab:red")
    axes.set_aspect("equal")
    axes.set_xlabel(f"{plane[0]} (m)")
    axes.set_ylabel(f"{plane[1]} (m)")
    return axes
