#!/usr/bin/python3
"""test_step_log.py VOUSSOIR: `run --log` has a row for each step, and its columns add up to the summary of the run."""

import csv
import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

COMMAND = os.path.abspath(sys.argv[1])
failures = 0


def check(good, *what):
    global failures
    if not good:
        failures += 1
        print("FAILED:", *what)


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def close(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b))


def stage_work(rows):
    """Iterations and factorizations by stage."""
    work = {}
    for row in rows:
        for entry in filter(None, row["stages"].split("; ")):
            name, iterations, factorizations, _ = entry.split(" ")
            before = work.get(name, (0, 0))
            work[name] = (before[0] + int(iterations), before[1] + int(factorizations))
    return work


def columns_add_up():
    done = subprocess.run([COMMAND, "run", "domino", "--duration", "0.5", "--quiet", "--json", "--log", "steps.csv"],
                          capture_output=True, text=True)
    check(done.returncode == 0, "run:", done.stderr)
    ran, rows = json.loads(done.stdout), rows_of("steps.csv")
    check([int(row["step"]) for row in rows] == list(range(1, ran["steps"] + 1)), "steps", len(rows))
    for column, total in (("iterations", "iterations"), ("factorizations", "factorizations")):
        check(sum(int(row[column]) for row in rows) == ran[total], column)
    check(max(int(row["contacts"]) for row in rows) == ran["contacts_max"], "contacts")
    check(close(max(float(row["relative_error"]) for row in rows), ran["relative_error_max"]), "relative_error")
    for column, total in (("collide", "collide"), ("assemble", "assemble"), ("solve", "solve"), ("total", "steps")):
        check(close(sum(float(row[f"seconds_{column} (s)"]) for row in rows), ran["times_s"][total]), "seconds of", column)
    check(all(row["status"] == "converged" for row in rows), "status", rows[0]["status"])
    check(all(0 < float(row["processor (s)"]) < 10 for row in rows), "processor time")
    expected = {s["name"]: (s["iterations"], s["factorizations"]) for s in ran["stages"]}
    check(stage_work(rows) == expected, "stages", stage_work(rows), expected)


def an_interrupted_run_has_its_log():
    with subprocess.Popen([COMMAND, "run", "domino", "--duration", "1000", "--quiet", "--log", "cut.csv"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        # Rows are in the file that will have the name before the run ends.
        deadline = time.time() + 30
        while time.time() < deadline and not any(os.path.getsize(path) > 4096 for path in glob.glob("cut.csv?*")):
            time.sleep(0.01)
        check(not os.path.exists("cut.csv"), "a log of a run that goes on has its name already")
        process.send_signal(signal.SIGINT)
        check(process.wait(30) == 130, "exit code", process.returncode)
    rows = rows_of("cut.csv")
    check(len(rows) > 3 and all(row["processor (s)"] for row in rows), "rows of an interrupted run", len(rows))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    columns_add_up()
    an_interrupted_run_has_its_log()
    os.chdir("/")
sys.exit(failures > 0)
