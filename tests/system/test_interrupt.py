#!/usr/bin/python3
"""SIGINT and SIGTERM end long commands and keep their data; in the background, where SIGINT is ignored, SIGTERM does.

usage: test_interrupt.py COMMAND
"""
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMAND = str(Path(sys.argv[1]).resolve())
RUNS = 400
SWEEP = ("sweep", "brick-wall", "--grid", f"mu=0.3:0.9:{RUNS}", "--duration", "0.3", "--jobs", "2", "--quiet", "--out", "out")
failures = 0


def check(good: bool, *what: object) -> None:
    global failures
    if not good:
        failures += 1
        print("FAILED:", *what, file=sys.stderr)


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


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sweep_keeps_its_runs()
        run_writes_its_checkpoint()
        os.chdir("/")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
