"""Runs as functions of PyTorch: gradients against its own check by differences, and one of its optimizers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import voussoir

torch = pytest.importorskip("torch")
GRAVITY = 9.81


def sliding(parameters: Any) -> voussoir.Simulation:
    world = voussoir.World()
    felt = world.add_material("felt", mu=0.3 if parameters is None else float(parameters[0]))
    world.add_collider(voussoir.Plane(), material=felt)
    world.add_body(voussoir.Box([0.2, 0.2, 0.1]), mass=2.0, position=[0, 0, 0.05], material=felt)
    return world.simulate(step=5e-3, tolerance=1e-12)


def rolling(parameters: Any) -> voussoir.Simulation:
    world = voussoir.World()
    steel = world.add_material("steel", mu=float(parameters[0]))
    world.add_collider(voussoir.Plane(), material=steel)
    world.add_body(voussoir.Sphere(0.1), mass=2.0, position=[0, 0, 0.1], material=steel)
    return world.simulate(step=5e-3, tolerance=1e-12)


def tumbling(parameters: Any) -> voussoir.Simulation:
    world = voussoir.World()
    world.add_body(voussoir.Box([0.3, 0.2, 0.1]), mass=2.0, position=[0, 0, 2])
    return world.simulate(step=5e-3, tolerance=1e-12)


def test_gradients_against_differences() -> None:
    from voussoir.torch import run

    speed = torch.tensor([[2.0, 0.5, 0, 0, 0, 0.3]], dtype=torch.float64, requires_grad=True)
    mu = torch.tensor([0.3], dtype=torch.float64, requires_grad=True)
    force = torch.zeros(20, 1, 6, dtype=torch.float64)
    force[:5, 0, 0] = 3
    force.requires_grad_(True)

    def final(speed: Any, mu: Any, force: Any) -> Any:
        position, _, velocity = run(rolling, 20, velocity=speed, force=force, wrt=[("mu", "steel", "steel")], parameters=mu)
        return position[-1, 0, :2].sum() + velocity[-1, 0, 0] ** 2 + velocity[-1, 0, 5]

    final(speed, mu, force).backward()
    with torch.no_grad():
        for tensor, index in ((speed, (0, 0)), (speed, (0, 1)), (speed, (0, 5)), (mu, 0), (force, (3, 0, 0)), (force, (9, 0, 1))):
            ends = []
            for step in (1e-5, -1e-5):
                moved = [t.clone() for t in (speed, mu, force)]
                next(m for m, t in zip(moved, (speed, mu, force)) if t is tensor)[index] += step
                ends.append(float(final(*moved)))
            assert np.isclose(float(tensor.grad[index]), (ends[0] - ends[1]) / 2e-5, rtol=1e-6, atol=1e-8)


def test_rotations() -> None:
    """A box that tumbles: the gradient of its quaternion."""
    from voussoir.torch import run

    speed = torch.tensor([[0, 0, 0, 3.0, -2.0, 5.0]], dtype=torch.float64, requires_grad=True)
    weights = torch.tensor([0.3, -0.7, 0.4, 0.2], dtype=torch.float64)

    def turned(speed: Any) -> Any:
        return (run(tumbling, 30, velocity=speed)[1][-1, 0] * weights).sum()

    turned(speed).backward()
    for k in range(3, 6):
        step = torch.zeros(1, 6, dtype=torch.float64)
        step[0, k] = 1e-5
        with torch.no_grad():
            difference = float(turned(speed + step) - turned(speed - step)) / 2e-5
        assert np.isclose(float(speed.grad[0, k]), difference, rtol=1e-7, atol=1e-9)


def test_an_optimizer() -> None:
    """LBFGS of PyTorch finds the speed with which a block stops after 0.5 m, up to the steps' own distance."""
    from voussoir.torch import run

    speed = torch.tensor([1.0], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([speed], max_iter=20, tolerance_grad=1e-10)

    def closure() -> Any:
        optimizer.zero_grad()
        velocity = torch.cat([speed, torch.zeros(5, dtype=torch.float64)]).reshape(1, 6)
        loss = (run(sliding, 150, velocity=velocity)[0][-1, 0, 0] - 0.5) ** 2
        loss.backward()
        return loss

    optimizer.step(closure)
    assert float(closure()) < 1e-10
    assert np.isclose(float(speed), np.sqrt(2 * 0.3 * GRAVITY * 0.5), rtol=0.02)


def test_it_is_imported_only_when_asked_for() -> None:
    import subprocess
    import sys

    code = "import sys, voussoir; assert 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
