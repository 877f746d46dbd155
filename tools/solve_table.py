#!/usr/bin/python3
"""Solves a folder of FCLIB problems with the command and checks the results by check_solution.py.

For every file, model and tolerance: voussoir solve FILE --model M --tolerance T --output TEMPORARY --json. The stored
impulses are then measured independently of the library; a line is good if the command says that the tolerance is met,
the independent natural-map error is within it as well, and the time limit was kept. `stage` is the last stage of exact
friction that solved something, `factor` the number of factorizations.
Exit code 0: all are good at 1e-8 (or, if 1e-8 was not asked for, at the largest tolerance); 1: some are not.
"""

import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

import h5py

sys.dont_write_bytecode = True  # leaves nothing in the source tree
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import check_solution  # noqa: E402

WIDTH = 38


def solve(command, path, model, tolerance, limit, output):
    """The command's JSON, or {"error": why}. The command limits itself; the process is stopped only if it hangs."""
    line = [command, "solve", path, "--model", model, "--tolerance", repr(tolerance), "--output", output, "--json"]
    line += ["--max-time", str(limit)]
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=3 * limit + 30)
    except subprocess.TimeoutExpired:
        return {"error": "did not stop at its time limit"}
    try:
        return json.loads(done.stdout)
    except ValueError:
        last = done.stderr.strip().splitlines()[-1:] or [f"no output, exit code {done.returncode}"]
        return {"error": last[0]}


def last_stage(answer):
    """The last stage of exact friction that solved something; the method in the other models."""
    if not answer.get("stages"):
        return answer["method"]
    return next((s["name"] for s in reversed(answer["stages"]) if s["solved"] > 0), "-")


def check(path, output, model):
    """(natural-map error, why there is none) of the impulses in `output` for the problem in `path`: only
    solution/r of the command's output is used."""
    copy = output + ".checked"
    try:
        shutil.copyfile(path, copy)
        with h5py.File(output, "r") as solved, h5py.File(copy, "r+") as file:
            root = next(k for k in ("fclib_local", "fclib_global") if k in file)
            stored = solved["solution"] if "solution" in solved else solved[root]["solution"]
            for group in (file, file[root]):
                if "solution" in group:
                    del group["solution"]
            file["solution/r"] = stored["r"][()]
            problem = check_solution.Problem(file)
        return problem.evaluate(model)[0], None
    except (check_solution.BadFile, OSError, KeyError, RuntimeError) as why:
        return None, str(why)


def run(options, path, model, tolerance):
    """Prints the line of one solve; true if it is good."""
    name = os.path.basename(path).removesuffix(".hdf5")[:WIDTH]
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "solved.hdf5")
        answer = solve(options.command, path, model, tolerance, options.limit_seconds, output)
        if answer.get("error") or "iterations" not in answer:
            print(f"{name:{WIDTH}} {tolerance:7.0e}  NO: {answer.get('error')}", flush=True)
            return False
        error, why = check(path, output, model)
    seconds, own = answer["times_s"]["total"], answer["natural_map_relative"]
    good = bool(answer["tolerance_met"] and error is not None and error <= tolerance and seconds <= options.limit_seconds)
    independent = f"{error:9.1e}" if error is not None else f"{'-':>9}"
    note = "yes" if good else "NO: " + (why or answer["status"])
    own = f"{own:9.1e}" if own is not None else f"{'-':>9}"
    print(
        f"{name:{WIDTH}} {tolerance:7.0e} {answer['problem']['contacts']:8d} {answer['islands']:7d}"
        f" {last_stage(answer):25} {answer['iterations']:5d} {answer['factorizations']:6d}"
        f" {answer['form'] or '-':10} {answer['linear_solver'] or '-':8} {seconds:8.3f} {own} {independent}  {note}",
        flush=True,
    )
    return good


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True, metavar="PATH", help="the voussoir command")
    parser.add_argument("--data", required=True, metavar="DIR", help="folder with problems/ and piles/")
    parser.add_argument("--models", default="exact", help="exact, relaxed, frictionless; separated by commas (exact)")
    parser.add_argument("--tolerances", default="1e-8,1e-12", help="tolerances, separated by commas (1e-8,1e-12)")
    parser.add_argument("--set", default="problems", choices=("problems", "piles"))
    parser.add_argument("--limit-seconds", type=float, default=10.0, help="for one solve (10)")
    options = parser.parse_args()
    options.models = options.models.split(",")
    options.tolerances = sorted((float(t) for t in options.tolerances.split(",")), reverse=True)
    return options


def main():
    options = read_options()
    files = sorted(glob.glob(os.path.join(options.data, options.set, "*.hdf5")))
    if not files:
        print(f"no files in {os.path.join(options.data, options.set)}", file=sys.stderr)
        return 1
    decisive = 1e-8 if 1e-8 in options.tolerances else options.tolerances[0]
    code, summary = 0, []
    for model in options.models:
        print(f"{model}\n{'file':{WIDTH}} {'tol':>7} {'contacts':>8} {'islands':>7} {'stage':25} {'iter':>5}"
              f" {'factor':>6} {'form':10} {'linear':8} {'seconds':>8} {'own':>9} {'indep.':>9}  ok")
        for tolerance in options.tolerances:
            good = sum([run(options, path, model, tolerance) for path in files])
            summary.append(f"{model}, {tolerance:g}: {good} of {len(files)}")
            if tolerance == decisive and good < len(files):
                code = 1
    print("\n".join(summary))
    return code


if __name__ == "__main__":
    sys.exit(main())
