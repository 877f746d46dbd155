"""Runs as functions of PyTorch: gradients through contact for its optimizers and its networks. PyTorch is imported with this module only."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Tuple

import numpy as np

import torch

from .run_derivative import RunDerivative
from .simulation import Simulation

__all__ = ["run"]

#: With the values of the parameters, a simulation at its beginning.
Make = Callable[[Any], Simulation]


class _Run(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(
        ctx: Any, make: Make, steps: int, wrt: Any, velocity: Any, force: Any, parameters: Any
    ) -> Tuple[Any, ...]:
        simulation = make(None if parameters is None else parameters.detach().cpu().numpy())
        if velocity is not None:
            given = velocity.detach().cpu().numpy()
            moving = [body for body in simulation.world.bodies if body.mass > 0]
            for body, row in zip(moving, given.reshape(len(moving), 6)):
                body.velocity, body.spin = row[:3], row[3:]
        run = RunDerivative(simulation, steps, wrt, force=None if force is None else force.detach().cpu().numpy())
        ctx.run, ctx.like = run, (velocity, force, parameters)
        states = run.states
        return tuple(
            torch.from_numpy(np.ascontiguousarray(part))
            for part in (
                states["pose"]["position"],
                states["pose"]["rotation"],
                np.concatenate([states["velocity"], states["spin"]], axis=-1),
            )
        )

    @staticmethod
    def backward(ctx: Any, *weights: Any) -> Tuple[Any, ...]:
        position, rotation, velocity = (w.detach().numpy() for w in weights)
        run = ctx.run
        pose = np.concatenate([position, _about_world_axes(run.states["pose"]["rotation"], rotation)], axis=-1)
        gradient = run.adjoint(pose=pose, velocity=velocity)
        found = (gradient.velocity, gradient.force, gradient.parameters)
        back = (None if like is None else torch.from_numpy(g.copy()).reshape(like.shape).to(like) for like, g in zip(ctx.like, found))
        return None, None, None, *back


def _about_world_axes(rotation: Any, weights: Any) -> Any:
    """From weights of the four numbers of a quaternion q to those of rotations r: dq = 1/2 (0, r) q."""
    w, x, y, z = np.moveaxis(rotation, -1, 0)
    a, b, c, d = np.moveaxis(weights, -1, 0)
    return 0.5 * np.stack(
        [-a * x + b * w - c * z + d * y, -a * y + b * z + c * w - d * x, -a * z - b * y + c * x + d * w], axis=-1
    )


def run(
    make: Make,
    steps: int,
    *,
    velocity: Optional[Any] = None,
    force: Optional[Any] = None,
    wrt: Sequence[Any] = (),
    parameters: Optional[Any] = None,
) -> Tuple[Any, Any, Any]:
    """Positions (steps + 1, bodies, 3), rotations (…, 4) and velocities (…, 6) of all dynamic bodies, as tensors of doubles.

    make        makes the simulation, each time again, with the values of `parameters` as an array, None without them
    velocity    (bodies, 6) of the first state: velocity and spin, world axes
    force       (steps, bodies, 6) as in `Simulation.differentiate()`
    wrt         what `parameters` (wrt) are: `make` sets them, and their gradient is that of `Simulation.differentiate()`

    Each of the three tensors may require a gradient: `backward()` is one adjoint of the run.

    >>> import torch, voussoir, voussoir.torch
    >>> def ball(parameters):
    ...     world = voussoir.World(gravity=[0, 0, 0])
    ...     _ = world.add_body(voussoir.Sphere(0.1), mass=2)
    ...     return world.simulate(step=0.01, tolerance=1e-12)
    >>> force = torch.zeros(100, 1, 6, dtype=torch.float64, requires_grad=True)
    >>> position, rotation, velocity = voussoir.torch.run(ball, 100, force=force)
    >>> velocity[-1, 0, 0].backward()
    >>> round(float(force.grad[:, 0, 0].sum()), 9)       # of 1 s, by 2 kg
    0.5
    """
    found: Tuple[Any, Any, Any] = _Run.apply(make, steps, tuple(wrt), velocity, force, parameters)
    return found
