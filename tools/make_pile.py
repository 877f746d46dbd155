#!/usr/bin/python3
"""Makes a pile of spheres in a box and writes one time step of it as an FCLIB global problem.

Layers of a jittered hexagonal packing sink to rest without friction: the potential energy is minimized while no two
spheres and no wall overlap, by linear programs in the displacements (the linearized distances are lower bounds, so
that every step is feasible). The rest is a pile with about three contacts per body, as many as support it, and a few more
that nearly touch:

    M v = f + H r,   u = H'v + w        M: masses and inertias, diagonal, 6 unknowns per body (velocity, rotation)
    f = M (v0 + h g)                    v0: random velocities up to 25 mm/s and 0.25 rad/s; h = 10 ms
    w = gap / h in the normal rows      gaps: random up to 8 um, more where spheres are further apart (up to 0.5 % r)

Contacts are triples (n, u, w), pairs first, then walls. The same seed gives the same file.
"""

import argparse
import sys

import h5py
import numpy as np
import scipy.optimize
import scipy.sparse as sp
from scipy.spatial import cKDTree

RADIUS, SPREAD = 0.035, 0.05  # m, relative
DENSITY = 1000.0  # kg/m^3
STEP = 0.01  # s
GRAVITY = np.array([0.0, 0.0, -9.81])  # m/s^2
SPEED, SPIN = 0.025, 0.25  # m/s, rad/s: largest
NEAR = 0.005 * RADIUS  # m, gap up to which there is a contact
TOUCHING_GAP = 8e-6  # m, random gap of touching spheres at most


def lattice(count, rng):
    """Centres of a jittered hexagonal packing, lowest first, and the width of the box."""
    across = max(2, int(np.cbrt(count) + 1e-9))
    pitch = 2.02 * RADIUS
    width = pitch * (across + 0.5)
    rows = across + 1
    k = np.arange(count)
    layer, row, column = k // (across * rows), k // across % rows, k % across
    x = RADIUS + pitch * (column + 0.5 * ((row + layer) % 2))
    y = RADIUS + (width - 2 * RADIUS) * row / (rows - 1)
    z = RADIUS + pitch * 0.9 * layer
    centres = np.column_stack([x, y, z]) + rng.uniform(-0.1, 0.1, (count, 3)) * RADIUS
    return centres, width


def near_pairs(x, r, reach):
    """Pairs whose surfaces are at most `reach` apart: indices, unit normals from first to second, gaps."""
    pairs = cKDTree(x).query_pairs(2 * r.max() + reach, output_type="ndarray")
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    offset = x[pairs[:, 1]] - x[pairs[:, 0]]
    distance = np.linalg.norm(offset, axis=1)
    gap = distance - r[pairs[:, 0]] - r[pairs[:, 1]]
    close = gap <= reach
    return pairs[close], (offset / distance[:, None])[close], gap[close]


def sink_once(x, r, width, weight, reach):
    """One linear program: displacements up to `reach` that lower the pile most. `excess` is the largest overlap left;
    it costs so much that it vanishes as soon as it can."""
    count = len(r)
    pairs, normal, gap = near_pairs(x, r, 2 * np.sqrt(3) * reach)
    line = np.arange(len(pairs))
    axes = np.arange(3)
    i = np.repeat(line, 3)
    rows = np.concatenate([i, i, line])
    cols = np.concatenate([(3 * pairs[:, [0]] + axes).ravel(), (3 * pairs[:, [1]] + axes).ravel(),
                           np.full(len(pairs), 3 * count)])
    values = np.concatenate([normal.ravel(), -normal.ravel(), -np.ones(len(pairs))])
    A = sp.csr_matrix((values, (rows, cols)), shape=(len(pairs), 3 * count + 1))
    low = np.maximum(-reach, r[:, None] - x)
    high = np.full((count, 3), reach)
    high[:, :2] = np.minimum(high[:, :2], width - r[:, None] - x[:, :2])
    high = np.maximum(high, low)
    cost = np.zeros(3 * count + 1)
    cost[2:-1:3], cost[-1] = weight, 1e3 * weight.sum()
    bounds = np.column_stack([np.append(low.ravel(), 0.0), np.append(high.ravel(), np.inf)])
    found = scipy.optimize.linprog(cost, A_ub=A, b_ub=gap, bounds=bounds, method="highs")
    if found.x is None:
        raise RuntimeError(f"linear program: {found.message}")
    return x + found.x[:-1].reshape(count, 3), found.x[-1]


def settle(x, r, width):
    """Sinks until nothing falls any further; the steps become shorter where a linear program zigzags."""
    weight = r**3 / np.mean(r**3) / len(r)
    reach, before = 0.3 * RADIUS, np.inf
    for _ in range(200):
        x, excess = sink_once(x, r, width, weight, reach)
        height = weight @ x[:, 2]
        fallen = before - height
        before = height
        if excess > 1e-9 * RADIUS:
            before = np.inf
        elif fallen < 1e-3 * reach:
            if reach < 1e-6 * RADIUS or fallen < 1e-12 * RADIUS:
                return x
            reach *= 0.25
    return x


def frames(normal):
    """Tangents u, w with w = n x u."""
    axis = np.where(np.abs(normal[:, [0]]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    u = np.cross(normal, axis)
    u /= np.linalg.norm(u, axis=1)[:, None]
    return np.stack([normal, u, np.cross(normal, u)], axis=1)


def find_contacts(x, r, width):
    """(first body or -1, second body), frames (contacts x 3 x 3), gaps; normals point to the second body."""
    pairs, normal, gap = near_pairs(x, r, NEAR)
    bodies, normals, gaps = [pairs], [normal], [gap]
    walls = [(0, 1, 0.0), (0, -1, width), (1, 1, 0.0), (1, -1, width), (2, 1, 0.0)]
    touching = []
    for axis, side, place in walls:
        distance = side * (x[:, axis] - place) - r
        touching += [(b, axis, side, distance[b]) for b in np.flatnonzero(distance <= NEAR)]
    for b, axis, side, distance in sorted(touching):
        n = np.zeros(3)
        n[axis] = side
        bodies.append([[-1, b]])
        normals.append([n])
        gaps.append([distance])
    return np.concatenate(bodies), frames(np.concatenate(normals)), np.maximum(0.0, np.concatenate(gaps))


def jacobian(bodies, frame, r):
    """H (6 bodies x 3 contacts): relative velocity at the contact, second body minus first, in the contact's frame."""
    rows, cols, values = [], [], []
    for c, (pair, F) in enumerate(zip(bodies, frame)):
        for body, sign in zip(pair, (-1.0, 1.0)):
            if body < 0:
                continue
            # arm of the second body -r n, of the first +r n: both have the same turning part
            turning = -r[body] * np.cross(F[0], F)
            block = np.hstack([sign * F, turning])
            for k in range(3):
                for j in np.flatnonzero(block[k]):
                    rows.append(6 * body + j)
                    cols.append(3 * c + k)
                    values.append(block[k, j])
    return sp.csc_matrix((values, (rows, cols)), shape=(6 * len(r), 3 * len(bodies)))


def write_matrix(group, A):
    A = A.tocsc()
    A.sort_indices()
    for name, value in (("m", A.shape[0]), ("n", A.shape[1]), ("nz", -1), ("nzmax", A.nnz)):
        group[name] = np.array([value], dtype=np.int32)
    group["p"], group["i"], group["x"] = A.indptr.astype(np.int32), A.indices.astype(np.int32), A.data


def write(path, title, M, H, f, w, mu):
    with h5py.File(path, "w") as file:
        group = file.create_group("fclib_global")
        group["spacedim"] = np.array([3], dtype=np.int32)
        group["info/title"] = np.bytes_(title)
        group["info/description"] = np.bytes_("spheres at rest in a box, radius 35 mm +-5 %, 1000 kg/m^3, h = 0.01 s")
        group["info/math_info"] = np.bytes_("")
        write_matrix(group.create_group("M"), M)
        write_matrix(group.create_group("H"), H)
        group["vectors/f"], group["vectors/w"], group["vectors/mu"] = f, w, mu


def make(bodies, mu, seed, path):
    """Writes the pile; returns (contacts, largest gap in m)."""
    rng = np.random.default_rng(seed)
    r = RADIUS * rng.uniform(1 - SPREAD, 1 + SPREAD, bodies)
    centres, width = lattice(bodies, rng)
    centres = settle(centres, r, width)
    touching, frame, gap = find_contacts(centres, r, width)
    gap = gap + rng.uniform(0, TOUCHING_GAP, len(gap))

    mass = DENSITY * 4 / 3 * np.pi * r**3
    M = np.repeat(np.column_stack([mass, 0.4 * mass * r**2]), 3, axis=1)
    velocity = np.hstack([rng.uniform(-SPEED, SPEED, (bodies, 3)) + STEP * GRAVITY,
                          rng.uniform(-SPIN, SPIN, (bodies, 3))])
    w = np.zeros(3 * len(gap))
    w[::3] = gap / STEP
    write(path, f"pile of {bodies} spheres, seed {seed}", sp.diags(M.ravel()), jacobian(touching, frame, r),
          (M * velocity).ravel(), w, np.full(len(gap), mu))
    return len(gap), float(gap.max())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bodies", type=int, required=True, metavar="N")
    parser.add_argument("--mu", type=float, default=0.3, help="friction coefficient of every contact (0.3)")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument("--out", required=True, metavar="FILE")
    options = parser.parse_args()
    if options.bodies < 1 or options.mu < 0 or options.seed < 0:
        parser.error("at least one body, mu and seed not negative")
    contacts, largest = make(options.bodies, options.mu, options.seed, options.out)
    print(f"{options.out}: {options.bodies} bodies, {contacts} contacts ({contacts / options.bodies:.2f} a body),"
          f" gaps up to {1e3 * largest:.2f} mm")
    return 0


if __name__ == "__main__":
    sys.exit(main())
