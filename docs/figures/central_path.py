#!/usr/bin/python3
"""Follows the central path of exact Coulomb friction for one FCLIB problem in global form and prints one line per step:

    arclength  t  sign of the determinant of the Newton matrix

For the figure in exact-coulomb.md; small problems only (dense matrices). Shares no code with the library. In energy
scale with every mu = 1 (src/solver/coulomb/path/central_path.h has the equations):

    l_0 u_0 = t tau0,    l o (nu, u_T) = kappa t tau0 e,    N l + r - u = t rp0

Arclength is measured in relative changes of the impulses, the normal velocities and t, all of them together.
"""

import argparse

import h5py
import numpy as np
import scipy.linalg
import scipy.sparse as sp


def read(path, mu):
    """N, r in Lorentz scale, divided so that the largest |r| is 1."""
    with h5py.File(path, "r") as file:
        root = file["fclib_global"]

        def matrix(name):
            group = root[name]
            shape = int(group["m"][0]), int(group["n"][0])
            return sp.csc_matrix((group["x"][()], group["i"][()], group["p"][()]), shape=shape)

        mass, H = matrix("M"), matrix("H")
        f, w = root["vectors/f"][()], root["vectors/w"][()]
        friction = np.full(len(w) // 3, mu) if mu else root["vectors/mu"][()]
    X = sp.linalg.spsolve(mass.tocsc(), sp.hstack([H, f.reshape(-1, 1)]).tocsc()).toarray()
    N, r = H.T @ X[:, :-1], H.T @ X[:, -1] + w
    a = np.diag(N).reshape(-1, 3).mean(axis=1)
    lorentz = np.column_stack([np.sqrt(friction), 1 / np.sqrt(friction), 1 / np.sqrt(friction)])
    scale = (np.sqrt(a)[:, None] * lorentz).ravel()
    N, r = N / np.outer(scale, scale), r / scale
    return N, r / np.abs(r).max()


def arrow(x):
    """Matrices of the products x o . of vectors (contacts, 3)."""
    A = np.zeros((len(x), 3, 3))
    A[:, 0, :] = A[:, :, 0] = x
    A[:, 1, 1] = A[:, 2, 2] = x[:, 0]
    return A


END = 1e-8  # of t: products of this size have few digits left in coordinates


class Path:
    """A point is (l, x, u0, t): l impulses, x = (nu, u_T), u0 normal velocities."""

    def __init__(self, N, r, kappa):
        self.N, self.r, self.kappa, self.m = N, r, kappa, len(r) // 3
        one = np.zeros((self.m, 3))
        one[:, 0] = 1
        self.l, self.x, self.u0, self.t = one.copy(), kappa * one, np.ones(self.m), 1.0
        self.rp0 = self.kinematics(self.l, self.x, self.u0)

    def kinematics(self, l, x, u0):
        u = x.copy()
        u[:, 0] = u0
        return self.N @ l.ravel() + self.r - u.ravel()

    def linearize(self):
        """Factor of the Newton matrix N + B and its determinant's sign: dx = -G dl + ..., du0 = -(u0/l0) dl0 + ..."""
        inverse = np.linalg.inv(arrow(self.l))
        self.inverse, self.G = inverse, inverse @ arrow(self.x)
        K = self.N.copy()
        for i in range(self.m):
            s = slice(3 * i, 3 * i + 3)
            B = self.G[i].copy()
            B[0] = [self.u0[i] / self.l[i, 0], 0, 0]
            K[s, s] += B
        self.lu = scipy.linalg.lu_factor(K, check_finite=False)
        swaps = np.sum(self.lu[1] != np.arange(len(K)))
        return int(np.prod(np.sign(np.diag(self.lu[0]))) * (-1) ** swaps)

    def solve(self, cone, scalar, rp):
        """dl, dx, du0 with l o dx + x o dl = cone, l0 du0 + u0 dl0 = scalar, N dl - du = rp."""
        c = np.einsum("kij,kj->ki", self.inverse, cone)
        s = scalar / self.l[:, 0]
        rhs = rp.reshape(-1, 3) + np.column_stack([s, c[:, 1:]])
        dl = scipy.linalg.lu_solve(self.lu, rhs.ravel(), check_finite=False).reshape(-1, 3)
        return dl, c - np.einsum("kij,kj->ki", self.G, dl), s - self.u0 / self.l[:, 0] * dl[:, 0]

    def tangent(self):
        cone = np.zeros((self.m, 3))
        cone[:, 0] = self.kappa
        return (*self.solve(cone, np.ones(self.m), self.rp0), 1.0)

    def residual(self):
        cone = np.einsum("kij,kj->ki", arrow(self.l), self.x)
        cone[:, 0] -= self.kappa * self.t
        return cone, self.l[:, 0] * self.u0 - self.t, self.kinematics(self.l, self.x, self.u0) - self.t * self.rp0

    def size(self):
        cone, scalar, rp = self.residual()
        return max(np.abs(cone).max() / self.kappa, np.abs(scalar).max()) / self.t + np.abs(rp).max() / self.t

    def dot(self, a, b):
        """Of directions, in relative changes."""
        return (np.sum(a[0] * b[0] / self.l[:, :1] ** 2) + np.sum(a[2] * b[2] / self.u0**2) + a[3] * b[3] / self.t**2)

    def cosine(self, a, b):
        return self.dot(a, b) / np.sqrt(self.dot(a, a) * self.dot(b, b))

    def direction(self):
        """The determinant's sign and the unit tangent that it orients: t falls where the determinant is positive."""
        sign = self.linearize()
        T = self.tangent()
        return sign, [-sign * part / np.sqrt(self.dot(T, T)) for part in T]

    def state(self):
        return self.l.copy(), self.x.copy(), self.u0.copy(), self.t

    def restore(self, state):
        self.l, self.x, self.u0, self.t = (s.copy() if isinstance(s, np.ndarray) else s for s in state)

    def inside(self):
        def cone(z):
            return np.all(z[:, 0] > np.hypot(z[:, 1], z[:, 2]))

        return self.t > 0 and np.all(self.u0 > 0) and cone(self.l) and cone(self.x)

    def move(self, d):
        self.l, self.x, self.u0, self.t = self.l + d[0], self.x + d[1], self.u0 + d[2], self.t + d[3]
        return self.inside()

    def correct(self):
        """Newton's steps back to the path, orthogonal to the tangent. False if it is not reached."""
        for _ in range(6):
            if self.size() < 1e-6:
                return True
            self.linearize()
            T = self.tangent()
            d = (*self.solve(*(-part for part in self.residual())), 0.0)
            share = -self.dot(T, d) / self.dot(T, T)
            if not self.move([p + share * q for p, q in zip(d, T)]):
                return False
        return self.size() < 1e-6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="FCLIB problem, global form")
    parser.add_argument("--mu", type=float, help="friction instead of the file's")
    parser.add_argument("--kappa", type=float, default=10.0)
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--longest", type=float, default=0.5, help="step in arclength (0.5)")
    options = parser.parse_args()
    path = Path(*read(options.file, options.mu), options.kappa)
    length, step = 0.0, 0.1
    sign, unit = path.direction()
    for _ in range(options.steps):
        print(f"{length:.3f} {path.t:.5e} {sign}")
        if path.t < END:
            break
        kept = path.state()
        while True:
            if path.move([step * part for part in unit]) and path.correct():
                sign, after = path.direction()
                if path.cosine(unit, after) > 0.5:
                    break
            path.restore(kept)
            step *= 0.5
            if step < 1e-8:
                print("# the path was lost")
                return
        length += step
        unit, step = after, min(1.5 * step, options.longest)


if __name__ == "__main__":
    main()
