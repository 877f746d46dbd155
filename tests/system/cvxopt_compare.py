"""Solves generated contact problems with the voussoir command and with CVXOPT's coneqp, an independent interior point,
and compares the velocities:

    minimise  1/2 v'Hv + c'v    subject to  C v = b_e,  (y_n, mu y_u, mu y_w) in the Lorentz cone,  y = D v - b

v is unique, so that both must find the same: |v - v_cvxopt| <= 1e-8 max |v|. CVXOPT ends between 1e-7 and 1e-10 of the
solution where contacts slide. That agreement is demanded on three problems, with and without joints, on which CVXOPT's own
bound below is among the lowest of its seeds; on the others the distance must be within the bound of CVXOPT's own gap and impulse balance r_d (from monotonicity):

    |dv|_H <= |r_d|_H^-1 + sqrt(gap)        dv = v - v_cvxopt,  r_d = H v_cvxopt + c - C'g - D'l

The problems go to the command as FCLIB files (M = H, H = D', f = -c, w = -b, G = C', b = -b_e), which are written here
and not by voussoir.

usage: cvxopt_compare.py COMMAND        exit code 77: numpy, h5py or CVXOPT is missing, or the command has no HDF5
"""
import json
import os
import subprocess
import sys
import tempfile

SKIP = 77
try:
    import h5py
    import numpy as np
    from cvxopt import matrix, solvers, spmatrix
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIP)

AGREEMENT = 1e-8  # of the largest velocity


def contact_frame(normal):
    helper = np.eye(3)[0 if abs(normal[0]) < 0.6 else 1]
    u = np.cross(normal, helper)
    u /= np.linalg.norm(u)
    return np.array([normal, u, np.cross(normal, u)])


def unit_vector(random):
    x = random.normal(size=3)
    return x / np.linalg.norm(x)


def make_problem(seed, bodies, contacts, joints, mu):
    """Rigid bodies with full inertia. A velocity v0 that is strictly feasible is built in: a solution exists."""
    random = np.random.default_rng(seed)
    n = 6 * bodies
    H, D, C = np.zeros((n, n)), np.zeros((3 * contacts, n)), np.zeros((joints, n))
    for k in range(bodies):
        mass = 10 ** random.uniform(-1, 1)
        A = random.normal(size=(3, 3))
        H[6 * k:6 * k + 3, 6 * k:6 * k + 3] = mass * np.eye(3)
        H[6 * k + 3:6 * k + 6, 6 * k + 3:6 * k + 6] = 0.1 * mass * (A @ A.T + np.eye(3))
    for k in range(contacts):
        pair = random.choice(bodies + 1, size=2, replace=False)  # the last is the ground
        frame = contact_frame(unit_vector(random))
        for body, sign in zip(pair, (-1, 1)):
            if body < bodies:
                arm = unit_vector(random)
                D[3 * k:3 * k + 3, 6 * body:6 * body + 3] += sign * frame
                D[3 * k:3 * k + 3, 6 * body + 3:6 * body + 6] += sign * np.cross(arm, frame)
    for k in range(joints):
        for body in random.choice(bodies, size=2, replace=False):
            C[k, 6 * body:6 * body + 6] = random.normal(size=6)
    v0 = random.uniform(-0.3, 0.3, size=n)
    v_free = random.uniform(-1, 1, size=n) - np.tile([0, 0, 2, 0, 0, 0], bodies)
    mus = mu * random.uniform(0.3, 1, size=contacts)
    slack = random.uniform(-0.1, 0.1, size=(contacts, 3))
    slack[:, 0] = mus * np.hypot(slack[:, 1], slack[:, 2]) + random.uniform(0.01, 0.3, size=contacts)
    return {"H": H, "c": -H @ v_free, "D": D, "b": D @ v0 - slack.ravel(), "mu": mus, "C": C, "b_e": C @ v0}


# ---- CVXOPT --------------------------------------------------------------------------------------------------

def sparse(A):
    rows, cols = np.nonzero(A)
    return spmatrix(A[rows, cols].tolist(), rows.tolist(), cols.tolist(), A.shape)


def solve_cvxopt(problem):
    contacts = len(problem["mu"])
    T = np.ones(3 * contacts)  # |y_T| mu <= y_n: tangential rows times mu
    for k, mu in enumerate(problem["mu"]):
        T[3 * k + 1:3 * k + 3] = mu
    arguments = {"P": sparse(problem["H"]), "q": matrix(problem["c"]), "G": sparse(-T[:, None] * problem["D"]),
                 "h": matrix(-T * problem["b"]), "dims": {"l": 0, "q": [3] * contacts, "s": []}}
    if len(problem["b_e"]):
        arguments.update(A=sparse(problem["C"]), b=matrix(problem["b_e"]))
    # Beyond what it can reach CVXOPT's iterates get worse again: of several tolerances the one it certifies best itself.
    best = None
    for tolerance in (1e-8, 1e-9, 1e-10, 1e-11, 1e-12):
        solvers.options.update(show_progress=False, abstol=tolerance, reltol=tolerance, feastol=tolerance, maxiters=200,
                               refinement=3)
        solution = solvers.coneqp(**arguments)
        v, z, y = (np.array(solution[key]).ravel() for key in "xzy")
        r_d = problem["H"] @ v + problem["c"] + problem["C"].T @ y - problem["D"].T @ (T * z)
        bound = np.sqrt(r_d @ np.linalg.solve(problem["H"], r_d)) + np.sqrt(solution["gap"])  # sqrt(J)
        if best is None or bound < best[1]:
            best = v, bound, solution
    return best


# ---- voussoir ------------------------------------------------------------------------------------------------

def write_matrix(parent, name, A):
    """Compressed columns: nz = -1."""
    group = parent.create_group(name)
    rows, cols, x, p = [], [], [], [0]
    for j in range(A.shape[1]):
        at = np.nonzero(A[:, j])[0]
        rows.extend(at)
        x.extend(A[at, j])
        p.append(len(rows))
    for key, value in (("m", A.shape[0]), ("n", A.shape[1]), ("nz", -1), ("nzmax", len(rows))):
        group[key] = np.array([value], dtype=np.int32)
    group["p"], group["i"], group["x"] = np.array(p, np.int32), np.array(rows, np.int32), np.array(x, float)


def write_fclib(path, problem):
    with h5py.File(path, "w") as file:
        root = file.create_group("fclib_global")
        root["spacedim"] = np.array([3], dtype=np.int32)
        write_matrix(root, "M", problem["H"])
        write_matrix(root, "H", problem["D"].T)
        vectors = root.create_group("vectors")
        vectors["f"], vectors["w"], vectors["mu"] = -problem["c"], -problem["b"], problem["mu"]
        if len(problem["b_e"]):
            write_matrix(root, "G", problem["C"].T)
            vectors["b"] = -problem["b_e"]


def solve_voussoir(command, problem, work):
    source, solved = os.path.join(work, "problem.hdf5"), os.path.join(work, "solved.hdf5")
    write_fclib(source, problem)
    run = subprocess.run([command, "solve", source, "--model", "relaxed", "--tolerance", "1e-12", "--criterion", "energy", "--json",
                          "--output", solved], capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"FAILED: exit code {run.returncode}: {run.stderr.strip()}\n{run.stdout}")
    with h5py.File(solved, "r") as file:
        return np.array(file["solution/v"]), json.loads(run.stdout)


def main():
    command = sys.argv[1]
    if "FCLIB (HDF5): yes" not in subprocess.run([command, "doctor"], capture_output=True, text=True).stdout:
        print("skipped: the command is built without HDF5")
        return SKIP
    failures = 0
    # seed, bodies, contacts, joint rows, mu; the last: agreement to 1e-8 is demanded
    cases = ((2, 3, 4, 0, 0.5, True), (2, 6, 8, 5, 0.4, True), (7, 8, 6, 6, 0.3, True),
             (4, 15, 30, 12, 0.3, False), (1, 8, 12, 0, 0.6, False), (5, 6, 8, 5, 0.4, False), (3, 15, 40, 12, 0.8, False))
    with tempfile.TemporaryDirectory() as work:
        for *parameters, tight in cases:
            problem = make_problem(*parameters)
            theirs, bound, solution = solve_cvxopt(problem)
            ours, report = solve_voussoir(command, problem, work)
            size = np.abs(theirs).max()
            difference = np.abs(ours - theirs).max() / size
            distance = np.sqrt((ours - theirs) @ problem["H"] @ (ours - theirs))  # sqrt(J)
            moved = np.abs(theirs - np.linalg.solve(problem["H"], -problem["c"])).max()
            good = difference <= AGREEMENT if tight else distance <= bound
            good = good and moved > 0.1 * size  # the contacts must have done something
            failures += not good
            print(f"{'ok' if good else 'FAILED'}: seed, bodies, contacts, joint rows, mu = {parameters}: "
                  f"|v - v_cvxopt| / |v| = {difference:.1e}, |dv|_H = {distance:.1e} (bound {bound:.1e}); voussoir {report['status']}, "
                  f"{report['iterations']} iterations; CVXOPT {solution['status']}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
