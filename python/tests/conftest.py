"""What the tests share: the command, a box on a plane, random problems, the world's moods."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Tuple

import numpy as np
import pytest

import voussoir

TREE = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def command() -> str:
    """The voussoir command: VOUSSOIR_COMMAND, or the newest one built in the tree, or that of the system."""
    given = os.environ.get("VOUSSOIR_COMMAND")
    if given:
        return given
    built = sorted(TREE.glob("build/*/app/voussoir"), key=os.path.getmtime)
    found = str(built[-1]) if built else shutil.which("voussoir")
    if not found:
        pytest.skip("no voussoir command; set VOUSSOIR_COMMAND")
    return found


def contact_rows(arm: np.ndarray) -> np.ndarray:
    """D (3 x 6) of a body at an arm from its centre: normal z, tangents x, y."""
    axes = np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]])
    return np.hstack([axes, np.cross(arm, axes)])


def box_on_plane(push: float = 0.2, mu: float = 0.5) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """H, D, c of a box (1 kg, 1 x 1 x 0.5 m) on four corners that is pushed by a part of its weight."""
    half = np.array([0.5, 0.5, 0.25])
    squares = half**2
    H = np.diag([1, 1, 1, *((squares.sum() - squares) / 3)])
    arms = [half * [x, y, -1] for x in (-1, 1) for y in (-1, 1)]
    D = np.vstack([contact_rows(arm) for arm in arms])
    weight = 9.81 / 240
    return H, D, np.array([-push * weight, 0, weight, 0, 0, 0])


def random_matrices(seed: int, bodies: int = 4, contacts: int = 8) -> Tuple[np.ndarray, ...]:
    """H, D, c, b, mu of bodies that fall on each other; every contact between two of them or with the ground."""
    random = np.random.default_rng(seed)
    H = np.zeros((6 * bodies, 6 * bodies))
    for k in range(bodies):
        root = random.normal(size=(3, 3))
        H[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = random.uniform(0.5, 2) * np.eye(3)
        H[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = root @ root.T + 0.2 * np.eye(3)
    D = np.zeros((3 * contacts, 6 * bodies))
    for k in range(contacts):
        frame = np.linalg.qr(random.normal(size=(3, 3)))[0]
        if frame[2, 0] < 0:
            frame[:, 0] *= -1  # normals point up: friction cannot wedge everything, a solution exists
        for sign, body in zip((1, -1), random.permutation(bodies)[: 1 + k % 2]):
            arm = random.normal(size=3)
            rows = np.hstack([frame.T, np.cross(arm, frame.T)])
            D[3 * k : 3 * k + 3, 6 * body : 6 * body + 6] = sign * rows
    c = random.normal(size=6 * bodies)
    return H, D, c, np.zeros(3 * contacts), random.uniform(0.1, 0.9, contacts)


def random_problem(seed: int, bodies: int = 4, contacts: int = 8) -> voussoir.Problem:
    H, D, c, b, mu = random_matrices(seed, bodies, contacts)
    return voussoir.Problem(H, D, c=c, b=b, mu=mu)


def pile(levels: int = 4) -> voussoir.Problem:
    """The contact problem of the first step of a pyramid of spheres."""
    simulation = voussoir.scene("sphere-pile", levels=levels).simulate()
    simulation.step()
    problem = simulation.problem()
    assert problem is not None
    return problem
