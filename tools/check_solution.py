#!/usr/bin/python3
"""Evaluates solutions stored in FCLIB files from their impulses alone; shares no code with the library.

For every file the velocities are recomputed from solution/r:

    local:   u = W r + q
    global:  M v = f + H r (+ G g with G'v + b = 0),  u = H'v + w          (+ E r, group voussoir)

and the relative natural-map error | r - P_K(r - ubar) | / max(|q|, |r|, |u|) as well as the energy error
sum a/2 |r - P_K(r - ubar/a)|^2 relative to that of r = 0 are printed (its square root: comparable to a tolerance).
ubar = u in the relaxed model, u + mu|u_T| n in the exact one; frictionless: mu = 0, tangential rows do not count.
Rows that FCLIB does not have (group voussoir: contacts without friction, boxes, rolling and spinning friction with separate
limits) count likewise; rotational rows as lengths, by the ratio of their inverse effective masses.
Matrix products run in extended precision. Exit code 0: all are within the tolerance, 1: some are not or could not be read.
"""

import argparse
import os
import sys

import h5py
import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spl

EXT = np.longdouble


class BadFile(Exception):
    pass


def vector(group, name, size=None):
    if name not in group:
        raise BadFile(f"{group.name}/{name} is missing")
    x = np.asarray(group[name], dtype=np.float64).ravel()
    if size is not None and x.size != size:
        raise BadFile(f"{group.name}/{name} has {x.size} entries instead of {size}")
    return x


def matrix(group):
    """Any of the three storages of FCLIB: triplets (nz >= 0), compressed columns (-1), compressed rows (-2)."""
    m, n, nz = (int(np.asarray(group[k]).ravel()[0]) for k in ("m", "n", "nz"))
    p, i, x = (np.asarray(group[k]).ravel() for k in ("p", "i", "x"))
    if nz >= 0:
        return sp.coo_matrix((x[:nz], (i[:nz], p[:nz])), shape=(m, n)).tocsc()
    kind = sp.csc_matrix if nz == -1 else sp.csr_matrix
    count = int(p[-1])
    return kind((x[:count], i[:count], p), shape=(m, n)).tocsc()


def times(A, x):
    """A x in extended precision (A in double)."""
    A = A.tocoo()
    y = np.zeros(A.shape[0], dtype=EXT)
    np.add.at(y, A.row, A.data.astype(EXT) * np.asarray(x, dtype=EXT)[A.col])
    return y


def norm(x):
    return np.sqrt(np.sum(np.asarray(x, dtype=EXT) ** 2))


def refine(K, rhs, factor, steps=40):
    """Solves K x = rhs with refinement in extended precision until the residual stops falling."""
    x = np.zeros(len(rhs), dtype=EXT)
    best, smallest = x, None
    for _ in range(steps):
        residual = np.asarray(rhs, dtype=EXT) - times(K, x)
        size = norm(residual)
        if smallest is not None and not size < smallest / 2:
            if size < smallest:
                best = x
            break
        best, smallest = x, size
        x = x + factor.solve(np.asarray(residual, dtype=np.float64)).astype(EXT)
    return best


class Mass:
    """M^-1, M as stored, symmetric or not; with joints v(r) of the saddle system [M -G; G' 0]. Redundant joints: a small
    regularization of the factor only, which the refinement takes back."""

    def __init__(self, M, G=None, b=None):
        self.M, self.G, self.b = M.tocsc(), G, b
        self.factor = spl.splu(self.M, permc_spec="MMD_AT_PLUS_A")
        if G is not None:
            rows = np.asarray(G.multiply(G).T @ (1.0 / self.M.diagonal())).ravel()  # each row has its own scale
            k = G.shape[1]
            self.K = sp.bmat([[self.M, -G], [G.T, sp.csc_matrix((k, k))]]).tocsc()
            regular = 1e-9 * np.where(rows > 0, rows, 1)
            self.saddle = spl.splu((self.K + sp.block_diag([sp.csc_matrix(M.shape), sp.diags(regular)])).tocsc())

    def free(self, f):
        return refine(self.M, f, self.factor)

    def velocity(self, f):
        if self.G is None:
            return self.free(f), 0.0
        x = refine(self.K, np.concatenate([f, -self.b.astype(EXT)]), self.saddle)
        v = x[: self.M.shape[0]]
        return v, float(norm(times(self.G.T, v) + self.b))

    def inverse_rows(self, H):
        """diag(H'M^-1 H), the joints left aside."""
        M = self.M.tocoo()
        if np.all(M.row == M.col):
            return np.asarray(H.multiply(H).T @ (1.0 / self.M.diagonal())).ravel()
        out = np.empty(H.shape[1])
        for begin in range(0, H.shape[1], 256):
            part = H[:, begin : begin + 256].toarray()
            out[begin : begin + part.shape[1]] = np.einsum("ij,ij->j", part, self.factor.solve(part))
        return out


def project(mu, z):
    """Rows of z (contacts x 3) on { |z_T| <= mu z_n }."""
    n, t = z[:, 0], np.hypot(z[:, 1], z[:, 2])
    on = (n + mu * t) / (1 + mu * mu)
    direction = z[:, 1:] / np.where(t > 0, t, 1)[:, None]
    p = np.column_stack([on, (mu * on)[:, None] * direction])
    inside, polar = t <= mu * n, mu * t <= -n
    p[inside] = z[inside]
    p[polar] = 0
    return p


FRICTION, FRICTIONLESS, BOX, ROLLING = range(4)  # kinds of contacts in the group voussoir


class Rolling:
    """A contact with rolling or spinning friction: its rows in the file, and { |z_T| <= mu z_n, |z_R| <= rho z_n, … }."""

    def __init__(self, rows, mu, rolling, spinning):
        self.rows, self.discs = rows, [(slice(1, 3), mu)]
        if rolling > 0:
            self.discs.append((slice(3, 5), rolling))
        if spinning > 0:
            self.discs.append((slice(len(rows) - 1, len(rows)), spinning))
        self.lengths = np.ones(len(rows), dtype=EXT)

    def scale(self, diagonal):
        """Rotational rows as lengths; a of the contact."""
        a = np.mean(diagonal[self.rows[:3]])
        self.lengths[3:] = np.sqrt(a / np.mean(diagonal[self.rows[3:]]))
        self.discs = self.discs[:1] + [(rows, mu / self.lengths[3]) for rows, mu in self.discs[1:]]
        return a

    def project(self, z):
        """The normal component s makes (s - z_n)^2 + sum max(0, |z_k| - mu_k s)^2 least; parts of it that do not fit are cut."""
        sizes = [(norm(z[rows]), mu) for rows, mu in self.discs]
        breaks = sorted([EXT(0)] + [size / mu for size, mu in sizes if mu > 0])
        best = EXT(0)
        for low, high in zip(breaks, [*breaks[1:], EXT(np.inf)]):
            active = [(size, mu) for size, mu in sizes if mu * low < size and (mu == 0 or size / mu >= high)]
            s = (z[0] + sum(mu * size for size, mu in active)) / (1 + sum(mu * mu for _, mu in active))
            best = min(max(s, low), high)
            if s <= high:
                break
        p = z.copy()
        p[0] = best
        for (rows, mu), (size, _) in zip(self.discs, sizes):
            if size > mu * best:
                p[rows] *= mu * best / size
        return p

    def residual(self, r, u, s, exact):
        """Of the natural map, rows as lengths."""
        x, y = r[self.rows] / self.lengths, u[self.rows] * self.lengths
        if exact:
            y[0] += sum(mu * norm(y[rows]) for rows, mu in self.discs)
        return x - self.project(x - s * y)


class Problem:
    """A file: u(r), the cone, scales."""

    def __init__(self, file):
        root = next((k for k in ("fclib_local", "fclib_global") if k in file), None)
        if root is None:
            raise BadFile("neither fclib_local nor fclib_global is there")
        group = file[root]
        if "spacedim" in group and int(np.asarray(group["spacedim"]).ravel()[0]) != 3:
            raise BadFile("only three dimensions are known here")
        self.mu = vector(group["vectors"], "mu").astype(EXT)
        self.contacts = len(self.mu)
        m = 3 * self.contacts
        self.E = np.zeros(m)
        self.lower = np.zeros(self.contacts, dtype=EXT)
        self.upper = np.full(self.contacts, np.inf, dtype=EXT)
        self.single = np.zeros(self.contacts, dtype=bool)  # one row, the normal one
        self.rolling = []
        self.read_extension(group.get("voussoir", file.get("voussoir")))
        self.joint_error, self.extra_norm = 0.0, 0.0
        if root == "fclib_local":
            self.mass, self.W = None, matrix(group["W"])
            self.q = vector(group["vectors"], "q", m).astype(EXT)
            self.diagonal = self.W.diagonal() + self.E
        else:
            M, self.H = matrix(group["M"]), matrix(group["H"])
            G = matrix(group["G"]) if "G" in group else None
            G = G if G is not None and G.shape[1] > 0 else None
            b = vector(group["vectors"], "b", G.shape[1]) if G is not None else None
            self.mass = Mass(M, G, b)
            self.f = vector(group["vectors"], "f", M.shape[0]).astype(EXT)
            self.w = vector(group["vectors"], "w", m).astype(EXT)
            free = self.mass.free(self.f)
            self.q = times(self.H.T, free) + self.w
            self.extra_norm = float(norm(times(G.T, free) + b)) if G is not None else 0.0
            self.diagonal = self.mass.inverse_rows(self.H) + self.E
        if "solution" not in file and "solution" not in group:
            raise BadFile("no group solution")
        self.r = vector((group if "solution" in group else file)["solution"], "r", m).astype(EXT)

    def read_extension(self, extra):
        """What FCLIB does not know. A row that is not one of the three of friction is a contact of its own in the file."""
        if extra is None:
            return
        if "kind" not in extra:
            self.E = vector(extra, "E", 3 * self.contacts)
            return
        kind, start = (np.asarray(extra[k]).ravel() for k in ("kind", "contact_row"))
        data = {k: vector(extra, k) if k in extra else np.zeros(start[-1] if k in "E lo hi" else len(kind))
                for k in ("E", "lo", "hi", "rolling", "spinning")}
        at = 0  # contact in the file
        for i, of in enumerate(kind):
            rows = range(start[i], start[i + 1])
            if of > ROLLING:
                raise BadFile("an elliptic contact is not known here")
            friction = 3 if of in (FRICTION, ROLLING) else 0  # rows in one contact of the file
            places = [3 * at + k for k in range(friction)]
            places += [3 * (at + (friction > 0) + k) for k in range(len(rows) - friction)]
            self.E[places] = data["E"][list(rows)]
            if of in (FRICTIONLESS, BOX):
                self.single[at : at + len(rows)] = True
            if of == BOX:
                self.lower[at : at + len(rows)] = data["lo"][rows.start : rows.stop]
                self.upper[at : at + len(rows)] = data["hi"][rows.start : rows.stop]
            if of == ROLLING:
                self.rolling.append(Rolling(places, EXT(self.mu[at]), EXT(data["rolling"][i]), EXT(data["spinning"][i])))
            at = places[-1] // 3 + 1

    def velocity(self, r):
        if self.mass is None:
            return times(self.W, r) + self.q + self.E * r
        v, self.joint_error = self.mass.velocity(self.f + times(self.H, r))
        return times(self.H.T, v) + self.w + self.E * r

    def evaluate(self, model):
        """(relative natural-map error, sqrt(energy error / e0))"""
        if model == "frictionless" and self.rolling:
            raise BadFile("rolling friction without friction is not known here")
        scales = [contact.scale(self.diagonal) for contact in self.rolling]
        u = self.velocity(self.r)
        error = np.sqrt(self.residual(model, self.r, u, 1.0, [1.0] * len(scales)) @ np.ones(self.contacts) + EXT(self.joint_error) ** 2)
        size = max(np.hypot(self.size(self.q, model, 1), self.extra_norm), self.size(self.r, model, -1), self.size(u, model, 1))
        energy, energy0 = self.energy(model, self.r, u, scales), self.energy(model, 0 * self.r, self.velocity(0 * self.r), scales)
        ratio = np.sqrt(energy / energy0) if energy0 > 0 else EXT(0 if energy == 0 else np.inf)
        return float(error / size) if size > 0 else 0.0, float(ratio)

    def size(self, x, model, power):
        x = x.copy()
        for contact in self.rolling:
            x[contact.rows] *= contact.lengths**power
        return norm(x[slice(0, None, 3) if model == "frictionless" else slice(None)])

    def residual(self, model, r, u, s, of_rolling):
        """Squares of the residual of the natural map, one per contact of the file; of a rolling one with its first row."""
        mu = self.mu * 0 if model == "frictionless" else self.mu
        rows, y = r.reshape(-1, 3), u.reshape(-1, 3).copy()
        s = np.broadcast_to(s, len(mu))[:, None]
        if model == "exact":
            y[:, 0] += mu * np.hypot(y[:, 1], y[:, 2])
        z = rows - s * y
        square = np.sum((rows - project(mu, z)) ** 2, axis=1)
        x = rows[self.single, 0]
        square[self.single] = (x - np.clip(z[self.single, 0], self.lower[self.single], self.upper[self.single])) ** 2
        for contact, scale in zip(self.rolling, of_rolling):
            places = sorted({row // 3 for row in contact.rows})
            square[places] = 0
            square[places[0]] = np.sum(contact.residual(r, u, EXT(scale), model == "exact") ** 2)
        return square

    def energy(self, model, r, u, scales):
        rows = self.diagonal.reshape(-1, 3)
        a = np.where(self.single | (model == "frictionless"), rows[:, 0], rows.mean(axis=1))
        for contact, scale in zip(self.rolling, scales):
            a[contact.rows[0] // 3] = scale
        a = np.where(a > 0, a, 1.0).astype(EXT)
        return np.sum(a / 2 * self.residual(model, r, u, 1 / a, [1 / scale for scale in scales]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", choices=("relaxed", "exact", "frictionless"), default="relaxed")
    parser.add_argument("--tolerance", type=float, default=1e-8, help="largest natural-map error that is good (1e-8)")
    parser.add_argument("files", nargs="+", metavar="FILE")
    options = parser.parse_args()
    good = 0
    print(f"{'file':44} {'contacts':>8} {'error':>10} {'energy':>10}  ok")
    for path in options.files:
        name = os.path.basename(path)
        try:
            with h5py.File(path, "r") as file:
                problem = Problem(file)
            error, energy = problem.evaluate(options.model)
        except (BadFile, OSError, KeyError, RuntimeError) as why:
            print(f"{name:44} {why}")
            continue
        fine = error <= options.tolerance
        good += fine
        print(f"{name:44} {problem.contacts:8d} {error:10.2e} {energy:10.2e}  {'yes' if fine else 'NO'}")
    print(f"{good} of {len(options.files)} within {options.tolerance:g} ({options.model})")
    return 0 if good == len(options.files) else 1


if __name__ == "__main__":
    sys.exit(main())
