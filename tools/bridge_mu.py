#!/usr/bin/python3
"""The smallest friction coefficient at which a stone bridge stands, by statics alone, compared with the simulation.

The named scene stone-bridge: two free piers on the floor, a semicircle of equal wedges between them. Its geometry is
rebuilt here. Every joint touches at the four corners of its rectangle. mu_c is the smallest mu for which forces exist
that keep every block in equilibrium:

    sum_c f_c + m g = 0,   sum_c (p_c - x) x f_c = 0  for every block,   |f_t| <= mu f_n  in every contact

For given mu, CVXOPT looks for the largest s with |f_t| <= mu f_n - s everywhere: admissible if s >= 0. Bisection gives
mu_c. Then `voussoir run stone-bridge` runs at 0.95 and 1.05 mu_c; the trajectory files tell whether the bridge fell or
stood, and whether the contacts found by the collision are those assumed here.

Exit code 0: it falls at 0.95 mu_c (moves by a tenth of the radius) and stands at 1.05 mu_c (moves by less than a
millionth), with the contacts assumed and an energy error below 1e-9 J in every step that decides it, those before the
fall; 1: not so; 77: CVXOPT or h5py is missing. Steps that missed the solver's tolerance are counted and printed.
Does not say anything about a bridge that is pushed: mu_c is that of the weight alone.
"""

import argparse
import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
    from cvxopt import matrix, solvers, spmatrix
except ImportError as missing:
    print(f"bridge_mu.py: {missing}")
    sys.exit(77)

FLOOR = -1
GRAVITY = 9.81
ENERGY_ERROR = 1e-9  # J, of a step
INACCURATE = 3  # exit code of a run with steps that missed the tolerance


class Contact:
    """Of block b with block a at p; n from a to b."""

    def __init__(self, a, b, p, n):
        self.a, self.b, self.p, self.n = a, b, np.array(p, float), np.array(n, float)
        self.t = (np.array([0.0, 1.0, 0.0]), np.cross(self.n, [0.0, 1.0, 0.0]))


def prism(area, depth, density):
    """Mass and centre in the x-z plane of a polygon with corners in order."""
    x, z = np.array(area, float).T
    x1, z1 = np.roll(x, -1), np.roll(z, -1)
    cross = x * z1 - x1 * z
    size = cross.sum() / 2
    centre = np.array([((x + x1) * cross).sum(), 0, ((z + z1) * cross).sum()]) / (6 * size)
    return abs(size) * depth * density, centre


def joint(a, b, ends, depth, n):
    """The corners of a joint whose ends in the x-z plane are given."""
    return [Contact(a, b, (x, y, z), n) for x, z in ends for y in (-depth / 2, depth / 2)]


def bridge(o):
    """Masses, centres and contacts; blocks in the order of the scene: piers, then stones from left to right."""
    inner, outer = o.radius - o.thickness / 2, o.radius + o.thickness / 2
    angle = np.pi / o.stones
    block, contact = [], []

    def at(r, phi):  # phi from the crown
        return r * np.sin(phi), o.height + r * np.cos(phi)

    for k, side in enumerate((-1, 1)):
        left = inner if side > 0 else -inner - o.width
        corner = [(left, 0), (left + o.width, 0), (left + o.width, o.height), (left, o.height)]
        block.append(prism(corner, o.depth, o.density))
        contact += joint(FLOOR, k, corner[:2], o.depth, (0, 0, 1))
    for k in range(o.stones):
        low, high = -np.pi / 2 + k * angle, -np.pi / 2 + (k + 1) * angle
        block.append(prism([at(inner, low), at(inner, high), at(outer, high), at(outer, low)], o.depth, o.density))
        before = 0 if k == 0 else k + 1
        contact += joint(before, k + 2, [at(inner, low), at(outer, low)], o.depth, (np.cos(low), 0, -np.sin(low)))
    right = [at(inner, np.pi / 2), at(outer, np.pi / 2)]
    contact += joint(1, o.stones + 1, right, o.depth, (0, 0, 1))
    return block, contact


def margin(block, contact, mu):
    """The largest s, in units of the weight; x = (f_n, f_t1, f_t2 of each contact, s)."""
    weight = GRAVITY * sum(m for m, _ in block)
    size = 3 * len(contact) + 1
    A = np.zeros((6 * len(block), size))
    for k, c in enumerate(contact):
        for i, d in enumerate((c.n, *c.t)):
            for body, sign in ((c.a, -1), (c.b, 1)):
                if body != FLOOR:
                    A[6 * body : 6 * body + 3, 3 * k + i] = sign * d
                    A[6 * body + 3 : 6 * body + 6, 3 * k + i] = sign * np.cross(c.p - block[body][1], d)
    b = np.zeros(6 * len(block))
    b[2::6] = [m * GRAVITY / weight for m, _ in block]
    # s <= 1, then a cone (mu f_n - s, f_t1, f_t2) for each contact: h - G x in the cones.
    rows, cols, vals = [0], [size - 1], [1.0]
    for k in range(len(contact)):
        at = 1 + 3 * k
        rows += [at, at, at + 1, at + 2]
        cols += [3 * k, size - 1, 3 * k + 1, 3 * k + 2]
        vals += [-mu, 1.0, -1.0, -1.0]
    G = spmatrix(vals, rows, cols, (1 + 3 * len(contact), size))
    h = matrix(0.0, (1 + 3 * len(contact), 1))
    h[0] = 1.0
    cost = matrix(0.0, (size, 1))
    cost[size - 1] = -1.0
    # Balance has dependent rows (all blocks move together along no contact): keep an orthonormal basis of them.
    U, S, V = np.linalg.svd(A, full_matrices=False)
    rank = int((S > 1e-10 * S[0]).sum())
    left = U.T @ b
    if np.abs(left[rank:]).max(initial=0) > 1e-12:
        raise ValueError("the blocks cannot be balanced by any forces")
    solvers.options.update(show_progress=False, abstol=1e-8, reltol=1e-8, feastol=1e-9)
    found = solvers.conelp(cost, G, h, {"l": 1, "q": [3] * len(contact), "s": []},
                           matrix(V[:rank]), matrix(left[:rank] / S[:rank]))
    if found["primal objective"] is None or found["gap"] > 1e-7:
        raise ValueError(f"CVXOPT: {found['status']} at mu = {mu}")
    return -found["primal objective"]


def critical(block, contact, width):
    low, high = 0.0, 2.0
    if margin(block, contact, high) < 0:
        raise ValueError(f"no friction up to {high} holds this geometry")
    while high - low > width:
        middle = (low + high) / 2
        low, high = (low, middle) if margin(block, contact, middle) >= 0 else (middle, high)
    return (low + high) / 2


def run(o, mu, duration, frame, path):
    line = [o.voussoir, "run", "stone-bridge", "--quiet", "-o", path]
    line += ["--duration", repr(duration), "--frame", repr(frame)]
    for name in ("stones", "radius", "thickness", "depth", "height", "width", "density"):
        line += ["--set", f"{name}={getattr(o, name)!r}"]
    line += ["--set", f"mu={mu!r}"] + o.option
    code = subprocess.run(line, stdout=subprocess.DEVNULL, check=False).returncode
    if code not in (0, INACCURATE):
        raise ValueError(f"voussoir ended with code {code}")


def unmatched(o, contact, mu, path):
    """How many contacts, assumed here or found in the first step, have none of the other kind within 1e-9 m."""
    run(o, mu, 0.004, 0.0, path)
    with h5py.File(path) as f:
        found = f["contacts/point"][:]
    far = np.linalg.norm(np.array([c.p for c in contact])[:, None, :] - found[None, :, :], axis=2) > 1e-9
    return int(far.all(axis=0).sum() + far.all(axis=1).sum()) + abs(len(found) - len(contact))


def check_run(o, mu, path):
    """What it does, and whether the steps that decide that can be trusted: those up to the fall, or all."""
    run(o, mu, o.duration, 0.0, path)
    with h5py.File(path) as f:
        place, time = f["state/pose"][:, :, :3], f["time"][:]
        missed, energy_error = f["solver/status"][:] != 0, f["solver/energy_error"][:]
    way = np.linalg.norm(place - place[0], axis=2).max(axis=1)
    late = np.linalg.norm(place[-1] - place[np.searchsorted(time, min(1, time[-1]) - 1e-3)], axis=1).max()
    # A bridge that creeps moves by something between the two, and is neither.
    fallen = way > 0.1 * o.radius
    said = "falls" if fallen.any() else "stands" if way.max() < 1e-6 * o.radius else "creeps"
    end = int(fallen.argmax()) if fallen.any() else len(way) - 1
    when = f"by a tenth of the radius at {time[end]:.3f} s; " if fallen.any() else ""
    print(f"mu {mu:.6f}: {said}; moved {when}{way[-1]:.2e} m in {time[-1]:g} s, {late:.1e} m after the first second")
    print(f"    energy error of a step at most {energy_error.max():.1e} J; steps that missed the tolerance: "
          f"{missed[:end + 1].sum()} of {end} that decide, {missed[end + 1:].sum()} of {len(way) - 1 - end} after")
    return said, energy_error[: end + 1].max() < ENERGY_ERROR


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("voussoir", help="the command")
    p.add_argument("--stones", type=int, default=15)
    for name, value in (("radius", 1.0), ("thickness", 0.2), ("depth", 0.4), ("height", 0.5), ("width", 1.0),
                        ("density", 2400.0), ("duration", 5.0)):
        p.add_argument(f"--{name}", type=float, default=value)
    p.add_argument("--margin", type=float, default=0.05, help="checked at 1 - and 1 + this times mu_c")
    p.add_argument("--option", action="append", default=[], help="passed to voussoir run, for instance --model=exact")
    o = p.parse_args()
    block, contact = bridge(o)
    mu = critical(block, contact, 1e-6)
    print(f"{len(block)} blocks, {len(contact)} contacts, thickness/radius {o.thickness / o.radius:g}: mu_c = {mu:.6f}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bridge.h5")
        wrong = unmatched(o, contact, mu, path)
        print(f"contacts of the simulation that are not those assumed: {wrong}")
        good = wrong == 0
        for factor, expected in ((1 - o.margin, "falls"), (1 + o.margin, "stands")):
            said, clean = check_run(o, factor * mu, path)
            good = good and said == expected and clean
    print("as predicted" if good else "NOT as predicted")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
