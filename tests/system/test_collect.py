#!/usr/bin/python3
"""voussoir collect: the same bytes twice and for any number of processes, solutions that hold by a check which shares no
code with the library, splits by the rule that the help states, and messages.

usage: tests/system/test_collect.py COMMAND CHECK_SOLUTION
"""

from __future__ import annotations

import csv
import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py

command, checker = (str(Path(word).resolve()) for word in sys.argv[1:])
# Masonry, cards, grains with rolling friction, a mass ratio above 1e9, boxes of motors, redundant joints, finite elements.
FAMILIES = "arch,cards,rolling-pile,stack,gears,door,soft-ground"
checks = failures = 0


def check(good: bool, *what: object) -> None:
    global checks, failures
    checks += 1
    failures += not good
    if not good:
        print("FAILED:", *what, file=sys.stderr)


def run(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([command, *words], capture_output=True, text=True, check=False)


def collect(folder: Path, *words: str) -> "dict[str, bytes]":
    done = run("collect", "--quiet", "-o", str(folder), *words)
    check(done.returncode == 0 and not done.stderr, words, done.stderr)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def rows_of(folder: Path) -> "list[dict[str, str]]":
    with open(folder / "collection.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def verdict(*files: Path) -> int:
    words = ["/usr/bin/python3", checker, "--model", "exact", "--tolerance", "1e-12", *map(str, files)]
    return subprocess.run(words, capture_output=True, text=True, check=False).returncode


def same_bytes(first: Path, root: Path) -> None:
    made = collect(first, "--each", "2", "--only", FAMILIES, "--jobs", "2")
    done = run("collect", "--quiet", "-o", str(root / "again"), "--each", "2", "--only", FAMILIES, "--jobs", "1")
    again = {path.name: path.read_bytes() for path in (root / "again").iterdir()}
    checksum = hashlib.sha256(made["collection.csv"]).hexdigest()
    check(f"checksum of collection.csv: {checksum}\n" in done.stdout, "no checksum of the collection:", done.stdout)
    check(made == again, "other bytes the second time:", [name for name in made if made[name] != again.get(name)])
    alone = collect(root / "alone", "--each", "2", "--only", "cards-002")
    check(alone["cards-002.hdf5"] == made["cards-002.hdf5"], "a problem depends on the others")
    other = collect(root / "other", "--each", "1", "--only", "cards", "--seed", "2")
    check(other["cards-001.hdf5"] != made["cards-001.hdf5"], "another seed gives the same problem")


def tables(folder: Path) -> None:
    rows = rows_of(folder)
    check(len(rows) == 14, "rows:", len(rows))
    for row in rows:
        data = (folder / (row["name"] + ".hdf5")).read_bytes()
        check(hashlib.sha256(data).hexdigest() == row["sha256"] and len(data) == int(row["bytes"]), "checksum of", row["name"])
        check(1000 <= len(data) <= 1000000, "size of", row["name"], len(data))
        held_out = hashlib.sha256(row["name"].encode()).hexdigest()[0] in "89abcdef"
        check(row["split"] == ("held-out" if held_out else "tuning"), "split of", row["name"])
    sums = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder, check=False)
    check(sums.returncode == 0, "sha256sum refuses")


def solutions(folder: Path) -> None:
    rows = rows_of(folder)
    certified = [folder / (row["name"] + ".hdf5") for row in rows if row["certified"] == "yes"]
    # Most of these are; what is not must not hold a solution.
    check(len(certified) >= 12, "certified:", len(certified))
    for row in rows:
        with h5py.File(folder / (row["name"] + ".hdf5")) as file:
            check(("solution" in file) == (row["certified"] == "yes"), row["name"], "certified", row["certified"])
    check(verdict(*certified) == 0, "tools/check_solution.py finds larger errors")
    for path in certified:
        if "stack" in path.name:
            continue  # impulses of 1e9 N s hide a change of 1e-9
        with h5py.File(path, "r+") as file:
            file["solution/r"][...] *= 1 + 1e-9
        check(verdict(path) == 1, "a wrong solution passes:", path.name)


def solved(folder: Path) -> None:
    for row in rows_of(folder):
        if float(row["rounding"]) > 1e-9:
            continue  # doubles do not hold its impulses to 1e-8
        done = run("solve", str(folder / (row["name"] + ".hdf5")), "--tolerance", "1e-8")
        check(done.returncode == 0, "not solved to 1e-8:", row["name"], done.stdout[:300])


def messages(root: Path) -> None:
    for words, code, said in (
        ((), 1, "collect: no directory given"),
        (("stray",), 1, "collect: unexpected argument 'stray'"),
        (("--only", "nothing", "-o", "x"), 1, "--only: 'nothing' is neither a family nor the name of a problem"),
        (("--each", "0"), 1, "--each"),
        (("-o", str(root / "file"), "--only", "arch"), 2, "cannot create the directory"),
    ):
        done = run("collect", *words)
        check(done.returncode == code and said in done.stderr and len(done.stderr.splitlines()) == 1, words, done.stderr)


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "file").write_text("")
        same_bytes(root / "first", root)
        tables(root / "first")
        solved(root / "first")
        solutions(root / "first")
        messages(root)
    print(f"{checks - failures} passed, {failures} failed")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
