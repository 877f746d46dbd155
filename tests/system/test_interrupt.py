#!/usr/bin/python3
"""SIGINT and SIGTERM end long commands soon and keep their data; in the background, where SIGINT is ignored, SIGTERM does.

usage: test_interrupt.py COMMAND
"""
import json
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import checks
from checks import check

COMMAND = str(Path(sys.argv[1]).resolve())
RUNS = 400
SWEEP = ("sweep", "brick-wall", "--grid", f"mu=0.3:0.9:{RUNS}", "--duration", "0.3", "--jobs", "2", "--quiet", "--output", "out")


def start(*words: str, background: bool = False) -> "subprocess.Popen[str]":
    """`background`: as a shell without job control starts "command &"."""
    ignore = (lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if background else None
    return subprocess.Popen([COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            preexec_fn=ignore)


def wait_for(what: "object", process: "subprocess.Popen[str]") -> None:
    for _ in range(600):
        if what() or process.poll() is not None:  # type: ignore[operator]
            return
        time.sleep(0.05)


def finished() -> int:
    return sum(path.read_text().count("\n") for path in Path("out").glob("part-*.jsonl")) if Path("out").exists() else 0


def end(process: "subprocess.Popen[str]", number: signal.Signals, what: str) -> str:
    process.send_signal(number)
    _, said = process.communicate(timeout=600)
    check(process.returncode == 130, what, f"exit code {process.returncode}: {said}")
    check("interrupted" in said and "Killed" not in said, what, said)
    return said


def sweep_keeps_its_runs() -> None:
    for number, background in ((signal.SIGINT, False), (signal.SIGTERM, False), (signal.SIGTERM, True)):
        before = finished()
        process = start(*SWEEP, background=background)
        wait_for(lambda: finished() >= before + 2, process)
        if background:
            process.send_signal(signal.SIGINT)
            count = finished()
            wait_for(lambda: finished() > count + 1, process)
            check(process.poll() is None, "a background sweep was ended by SIGINT")
        end(process, number, f"sweep, {number.name}")
        rows = Path("out", "runs.csv").read_text().count("\n") - 1
        check(before + 2 <= finished() < RUNS and rows >= finished() - 1, f"{rows} rows of {finished()} runs")


def run_writes_its_checkpoint() -> None:
    words = ("run", "brick-wall", "--duration", "1000", "--quiet", "-o", "run.h5", "--checkpoint", "run.ck")
    process = start(*words, background=True)
    wait_for(lambda: Path("run.h5").exists() and Path("run.h5").stat().st_size > 0, process)
    said = end(process, signal.SIGTERM, "run, SIGTERM")
    check("--resume" in said and Path("run.ck").exists(), "no checkpoint", said)
    done = subprocess.run([COMMAND, "info", "run.ck"], capture_output=True, text=True)
    check(done.returncode == 0, "the checkpoint cannot be read:", done.stderr)


def write_star(path: Path, teeth: int) -> None:
    """A scene with a star of many teeth, whose decomposition into convex parts takes long."""
    vertices, triangles, count = [], [], 2 * teeth
    for z in (0.0, 0.3):
        for k in range(count):
            radius, angle = 0.6 if k % 2 else 1.0, math.pi * k / teeth
            vertices.append([radius * math.cos(angle), radius * math.sin(angle), z])
    vertices += [[0, 0, 0], [0, 0, 0.3]]
    for k in range(count):
        n = (k + 1) % count
        triangles += [[k, n, count + n], [k, count + n, count + k], [2 * count, n, k], [2 * count + 1, count + k, count + n]]
    body = {"name": "star", "density": 1000, "shape": {"kind": "mesh", "vertices": vertices, "triangles": triangles,
                                                        "decompose": {"error": 0, "parts": 4096}}}
    path.write_text(json.dumps({"voussoir": 1, "bodies": [body], "output": {"duration": 1}}))


def used_by_children() -> float:
    """Processor seconds of children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def used_by(process: "subprocess.Popen[str]") -> float:
    """Processor seconds of one that runs, with its own children that have ended."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def all_commands_end_soon() -> None:
    """While they read, search or solve, and before they have written anything."""
    write_star(Path("star.json"), 400)
    wall = ("brick-wall", "--set", "rows=60", "--set", "columns=60")
    commands = {
        "run, decomposition": ("run", "star.json", "-o", "star.h5"),
        "statics": ("statics", *wall, "-o", "statics.h5"),
        "limit": ("limit", *wall, "--load", "x", "-o", "limit.h5"),
        "find": ("find", "brick-wall", "--vary", "mu=0.1:0.9", "--duration", "60", "--output", "found"),
    }
    for name, words in commands.items():
        process = start(*words)
        time.sleep(0.7)
        check(process.poll() is None, name, "ended by itself:", process.poll())
        begin = used_by_children() + used_by(process)
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        took = used_by_children() - begin
        # 130 is also what a shell makes of a process that the signal ended.
        check(process.returncode in (130, -signal.SIGINT), name, f"exit code {process.returncode}")
        check(took < 5, name, f"ended after {took:.1f} s of processor time")  # 0.02, and with find 1.4 of its runs before the signal
    left = [path.name for path in Path(".").iterdir() if path.name.startswith(("star.h5", "statics", "limit"))]
    check(not left, "half-written:", left)


def import_leaves_nothing_behind() -> None:
    """A program that reads drawings for us, and its folder, end with us."""
    for folder in ("fake", "scratch"):
        Path(folder).mkdir()
    gmsh = Path("fake", "gmsh")
    gmsh.write_text("#!/bin/sh\necho $$ >" + str(Path("gmsh.id").resolve()) + "\nexec sleep 60\n")
    gmsh.chmod(0o755)
    Path("part.step").write_text("ISO-10303-21;\n")
    paths = {"PATH": f"{gmsh.parent.resolve()}:{os.environ['PATH']}", "TMPDIR": str(Path("scratch").resolve())}
    process = subprocess.Popen([COMMAND, "import", "part.step", "-o", "part.json"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env={**os.environ, **paths})
    wait_for(lambda: Path("gmsh.id").exists() and Path("gmsh.id").read_text(), process)
    time.sleep(0.1)
    end(process, signal.SIGINT, "import")
    left = [path.name for path in Path("scratch").iterdir()]
    check(not left and not Path("part.json").exists(), "import left", left)
    check(not Path("/proc", Path("gmsh.id").read_text().strip()).exists(), "gmsh still runs")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sweep_keeps_its_runs()
        run_writes_its_checkpoint()
        all_commands_end_soon()
        if sys.platform == "linux":
            import_leaves_nothing_behind()
        os.chdir("/")
    return checks.failed > 0


if __name__ == "__main__":
    sys.exit(main())
