#!/usr/bin/python3
"""Solves a relaxed contact problem in an FCLIB file with CVXOPT's coneqp and adds the group `solution` to that file.

    global   minimise 1/2 v'M v - f'v   subject to  G'v + b = 0,  (u_n, mu u_T) in the Lorentz cone,  u = H'v + w
    local    minimise 1/2 r'W r + q'r   subject to  (r_n, r_T / mu) in the Lorentz cone

r are the multipliers of the first, the unknowns of the second. coneqp factors a dense matrix in its unknowns: a global
problem without joints that has more velocities than contact rows is condensed to a local one first (its time counts).
An unsymmetric W is replaced by its symmetric part. The tolerance becomes abstol, reltol and feastol.

Attributes of `solution`: status, message (if there is one), form, iterations, seconds (processor time of coneqp and condensing), condensing, error
(CVXOPT's relative gap). At the time limit there are no impulses: they are zero.
"""

import argparse
import signal
import time

import h5py
import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as spl
from cvxopt import matrix, solvers, spmatrix


class OutOfTime(Exception):
    pass


def stop(_signal, _frame):
    raise OutOfTime


def read_matrix(group):
    """Triplets (nz >= 0), compressed columns (-1) or compressed rows (-2)."""
    m, n, nz = (int(np.asarray(group[k]).ravel()[0]) for k in ("m", "n", "nz"))
    p, i, x = (np.asarray(group[k]).ravel() for k in ("p", "i", "x"))
    if nz >= 0:
        return sp.coo_matrix((x[:nz], (i[:nz], p[:nz])), shape=(m, n)).tocsc()
    kind = sp.csc_matrix if nz == -1 else sp.csr_matrix
    return kind((x[: p[-1]], i[: p[-1]], p), shape=(m, n)).tocsc()


def read_vector(group, name):
    return np.asarray(group[name], dtype=float).ravel()


def hand_over(A):
    A = A.tocoo()
    return spmatrix(A.data.tolist(), A.row.tolist(), A.col.tolist(), A.shape)


def cone_scale(mu):
    """(1, mu, mu) a contact."""
    return np.column_stack([np.ones_like(mu), mu, mu]).ravel()


def solve_global(data, contacts):
    T = sp.diags(cone_scale(data["mu"]))
    arguments = {"P": hand_over(data["M"]), "q": matrix(-data["f"]), "G": hand_over(-(T @ data["H"].T)),
                 "h": matrix(T @ data["w"]), "dims": {"l": 0, "q": [3] * contacts, "s": []}}
    if data["G"] is not None:
        arguments.update(A=hand_over(data["G"].T), b=matrix(-data["b"]))
    solution = solvers.coneqp(**arguments)
    return solution, T @ np.array(solution["z"]).ravel(), -np.array(solution["y"]).ravel()


def solve_local(W, q, mu, contacts):
    S = sp.diags(cone_scale(mu))
    P = S @ (0.5 * (W + W.T)) @ S
    solution = solvers.coneqp(P=hand_over(P), q=matrix(S @ q), G=hand_over(-sp.eye(3 * contacts)),
                              h=matrix(0.0, (3 * contacts, 1)), dims={"l": 0, "q": [3] * contacts, "s": []})
    return solution, S @ np.array(solution["x"]).ravel(), np.zeros(0)


def condense(data):
    factor = spl.splu(data["M"].tocsc())
    H = data["H"]
    return sp.csc_matrix(H.T @ factor.solve(H.toarray())), H.T @ factor.solve(data["f"]) + data["w"]


def solve(data, contacts):
    """Solution, r, g, form, seconds, seconds of condensing."""
    begin = time.process_time()
    if "W" in data:
        answer, form, condensing = solve_local(data["W"], data["q"], data["mu"], contacts), "local", 0.0
    elif data["G"] is None and data["M"].shape[0] > 3 * contacts:
        W, q = condense(data)
        condensing = time.process_time() - begin
        answer, form = solve_local(W, q, data["mu"], contacts), "condensed"
    else:
        answer, form, condensing = solve_global(data, contacts), "global", 0.0
    return (*answer, form, time.process_time() - begin, condensing)


def read_problem(file):
    if "fclib_local" in file:
        group = file["fclib_local"]
        return {"W": read_matrix(group["W"]), "q": read_vector(group["vectors"], "q"),
                "mu": read_vector(group["vectors"], "mu")}
    group = file["fclib_global"]
    data = {"M": read_matrix(group["M"]), "H": read_matrix(group["H"]), "G": None}
    data.update((name, read_vector(group["vectors"], name)) for name in ("f", "w", "mu"))
    if "G" in group:
        data["G"], data["b"] = read_matrix(group["G"]), read_vector(group["vectors"], "b")
    return data


def run(data, contacts, options):
    """The attributes, r and g; the least time of the repetitions counts."""
    best = None
    try:
        for _ in range(options.repeat):
            signal.setitimer(signal.ITIMER_PROF, options.max_time)
            solution, r, g, form, seconds, condensing = solve(data, contacts)
            signal.setitimer(signal.ITIMER_PROF, 0)
            if best is None or seconds < best[0]["seconds"]:
                gap = solution["relative gap"]
                best = ({"status": "converged" if solution["status"] == "optimal" else "inaccurate",
                         "form": form, "iterations": float(solution["iterations"]), "seconds": seconds,
                         "condensing": condensing, "error": np.nan if gap is None else float(gap)}, r, g)
    except OutOfTime:
        best = best or ({"status": "time_limit", "message": "no impulses", "form": "", "iterations": -1.0,
                         "seconds": options.max_time}, None, None)
    except (ArithmeticError, ValueError, TypeError) as why:
        signal.setitimer(signal.ITIMER_PROF, 0)
        best = best or ({"status": "failed", "message": f"{why}"[:90], "form": "", "iterations": -1.0}, None, None)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="is changed: the group solution is replaced")
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--max-time", type=float, default=10, help="s of processor time")
    parser.add_argument("--repeat", type=int, default=1)
    options = parser.parse_args()
    solvers.options.update(show_progress=False, abstol=options.tolerance, reltol=options.tolerance, feastol=options.tolerance,
                           maxiters=200)
    signal.signal(signal.SIGPROF, stop)
    with h5py.File(options.file, "r+") as file:
        data = read_problem(file)
        contacts = len(data["mu"])
        told, r, g = run(data, contacts, options)
        if "solution" in file:
            del file["solution"]
        group = file.create_group("solution")
        group["r"] = np.zeros(3 * contacts) if r is None else r
        group["u"] = np.zeros(3 * contacts)  # the reader computes it from r
        if data.get("G") is not None:
            group["l"] = np.zeros(data["G"].shape[1]) if g is None else g
        for key, value in told.items():
            group.attrs[key] = np.bytes_(value.encode("ascii", "replace")) if isinstance(value, str) else float(value)


if __name__ == "__main__":
    main()
