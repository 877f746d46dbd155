"""Counting checks, for the tests of commands, as checks.sh does for the shell."""

import sys

total = failed = 0


def check(good: bool, *what: object) -> None:
    global total, failed
    total += 1
    if not good:
        failed += 1
        print("FAILED:", *what, file=sys.stderr, flush=True)


def summary() -> str:
    return f"{total} checks, {failed} failed"
