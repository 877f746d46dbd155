#!/usr/bin/python3
"""Counts how many problems are still solved after small changes, and how many random piles are solved.

Each problem of DIR/problems is changed for every seed by `voussoir convert`: q, or f and w, by 1e-3 of their root mean
square, every friction coefficient by up to 20 %, and a tenth of the contacts omitted, all three together. With
--piles: 20 random piles (make_pile.py, seeds 1 to 20, 40 to 280 bodies) with each friction coefficient of --mus.

A problem counts as solved if the command says that the tolerance is met within the time limit and check_solution.py,
which shares no code with the library, finds the stored impulses within the tolerance as well.
Exit code 0: at least 97 % are solved; 1: fewer are.
"""

import argparse
import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile
from collections import namedtuple

sys.dont_write_bytecode = True  # leaves nothing in the source tree
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import make_pile  # noqa: E402
import solve_table  # noqa: E402

NEEDED = 0.97
CHANGES = ["--perturb", "1e-3", "--perturb-mu", "0.2", "--drop", "0.1"]
PILES = 20
WIDTH = 38

# A problem to solve: `name` for the table, `how` what convert does to the file `path`.
Task = namedtuple("Task", "name label path how")
# Result of a task; error: the independent one, or None.
Outcome = namedtuple("Outcome", "task solved claimed error seconds stage factorizations contacts note")


def attempt(options, task):
    """Converts, solves and checks."""
    with tempfile.TemporaryDirectory() as folder:
        problem, output = os.path.join(folder, "problem.hdf5"), os.path.join(folder, "solved.hdf5")
        line = [options.command, "convert", task.path, problem, *task.how]
        made = subprocess.run(line, capture_output=True, text=True)
        if made.returncode != 0:
            return Outcome(task, False, False, None, 0.0, "-", 0, 0, made.stderr.strip() or "convert failed")
        answer = solve_table.solve(options.command, problem, options.model, options.tolerance, options.limit_seconds, output)
        if answer.get("error") or "iterations" not in answer:
            return Outcome(task, False, False, None, 0.0, "-", 0, 0, answer.get("error") or "no answer")
        error, why = solve_table.check(problem, output, options.model)
    seconds, claimed = answer["times_s"]["total"], answer["tolerance_met"]
    solved = bool(claimed and error is not None and error <= options.tolerance and seconds <= options.limit_seconds)
    note = "" if solved else why or answer["status"]
    if claimed and not solved and not why:
        note = "too slow" if seconds > options.limit_seconds else "CLAIMED, BUT NOT SO"
    return Outcome(task, solved, claimed, error, seconds, solve_table.last_stage(answer), answer["factorizations"],
                   answer["problem"]["contacts"], note)


def attempt_all(options, tasks):
    """Outcomes in the order of the tasks."""
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        yield from pool.map(lambda task: attempt(options, task), tasks)


def describe(o):
    error = f"{o.error:.1e}" if o.error is not None else "-"
    return f"{o.contacts:8d} {o.stage:25} {o.factorizations:6d} {o.seconds:8.3f} {error:>9}  {o.note or 'yes'}"


def perturbed(options):
    """One line per problem as they finish, then the unsolved ones."""
    files = sorted(glob.glob(os.path.join(options.data, "problems", f"*{options.only}*.hdf5")))
    tasks = [Task(os.path.basename(path).removesuffix(".hdf5"), f"seed {seed}", path, [*CHANGES, "--seed", str(seed)])
             for path in files for seed in range(1, options.seeds + 1)]
    outcomes, line = [], []
    print(f"{'problem':{WIDTH}} {'solved':>9} {'seconds: most':>14} {'factorizations: most':>21}")
    for outcome in attempt_all(options, tasks):
        outcomes.append(outcome)
        line.append(outcome)
        if len(line) == options.seeds:
            solved = sum(o.solved for o in line)
            print(f"{outcome.task.name[:WIDTH]:{WIDTH}} {solved:4d}/{len(line):<4d}"
                  f" {max(o.seconds for o in line):14.3f} {max(o.factorizations for o in line):21d}", flush=True)
            line = []
    return outcomes


def piles(options, folder):
    """One line a pile and friction coefficient."""
    tasks = []
    for seed in range(1, PILES + 1):
        bodies = round(40 + 240 * (seed - 1) / (PILES - 1))
        path = os.path.join(folder, f"pile-{seed}.hdf5")
        make_pile.make(bodies, 1.0, seed, path)
        tasks += [Task(f"pile of {bodies}, seed {seed}", f"mu {mu:g}", path, ["--mu", repr(mu)]) for mu in options.mus]
    outcomes = []
    tasks.sort(key=lambda task: task.label)
    print(f"{'pile':24} {'friction':8} {'contacts':>8} {'stage':25} {'factor':>6} {'seconds':>8} {'error':>9}  solved")
    for outcome in attempt_all(options, tasks):
        outcomes.append(outcome)
        print(f"{outcome.task.name:24} {outcome.task.label:8} {describe(outcome)}", flush=True)
    for label in sorted({task.label for task in tasks}):
        part = [o for o in outcomes if o.task.label == label]
        print(f"{label}: {sum(o.solved for o in part)} of {len(part)}, {sum(o.factorizations for o in part)}"
              f" factorizations, {sum(o.seconds for o in part):.1f} s")
    return outcomes


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True, metavar="PATH", help="the voussoir command")
    parser.add_argument("--data", metavar="DIR", help="folder with problems/; not needed with --piles")
    parser.add_argument("--piles", action="store_true", help="random piles instead of perturbed problems")
    parser.add_argument("--mus", default="0.7,1.0", help="friction of the piles, separated by commas (0.7,1.0)")
    parser.add_argument("--seeds", type=int, default=20, help="for each problem: 1 … SEEDS (20)")
    parser.add_argument("--only", default="", metavar="PART", help="problems whose names contain this")
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--limit-seconds", type=float, default=10.0, help="for one solve (10)")
    parser.add_argument("--jobs", type=int, default=2, help="solves at the same time (2)")
    parser.add_argument("--model", default="exact", choices=("exact", "relaxed", "frictionless"))
    options = parser.parse_args()
    options.mus = [float(mu) for mu in options.mus.split(",")]
    if not options.piles and not options.data:
        parser.error("--data or --piles is needed")
    if options.seeds < 1 or options.jobs < 1:
        parser.error("--seeds and --jobs are at least 1")
    return options


def main():
    options = read_options()
    if options.piles:
        with tempfile.TemporaryDirectory() as folder:
            outcomes = piles(options, folder)
    else:
        outcomes = perturbed(options)
    if not outcomes:
        print(f"no files in {os.path.join(options.data, 'problems')}", file=sys.stderr)
        return 1
    unsolved = [o for o in outcomes if not o.solved]
    if unsolved and not options.piles:
        print(f"unsolved\n{'problem':{WIDTH}} {'':8} {'contacts':>8} {'stage':25} {'factor':>6} {'seconds':>8}"
              f" {'error':>9}")
        for o in unsolved:
            print(f"{o.task.name[:WIDTH]:{WIDTH}} {o.task.label:8} {describe(o)}")
    share = 1 - len(unsolved) / len(outcomes)
    false_claims = sum(o.claimed and o.error is not None and o.error > options.tolerance for o in outcomes)
    print(f"{len(outcomes) - len(unsolved)} of {len(outcomes)} solved ({100 * share:.1f} %), {options.model} model,"
          f" tolerance {options.tolerance:g}, {sum(o.seconds for o in outcomes):.0f} s; {false_claims} false claims")
    return 0 if share >= NEEDED else 1


if __name__ == "__main__":
    sys.exit(main())
