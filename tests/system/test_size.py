#!/usr/bin/python3
"""test_size.py VOUSSOIR: bench/size.py runs all its scenes, keeps labelled results, stops at its budget and compares two labels."""

import json
import pathlib
import subprocess
import sys
import tempfile

SIZE = pathlib.Path(__file__).resolve().parents[2] / "bench" / "size.py"
COMMAND = pathlib.Path(sys.argv[1]).resolve()
SCENES = ["balls", "drum", "hopper", "mixed", "rolling", "wall", "collapse", "silo", "feeder"]


def size(*arguments):
    done = subprocess.run([sys.executable, str(SIZE), *arguments], capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done.stdout


def all_scenes_run(results):
    size("--voussoir", str(COMMAND), "--sizes", "30,60", "--walls", "20", "--steps", "10", "--results", str(results), "--label", "before")
    kept = json.loads((results / "size-before.json").read_text())
    found = [(case["scene"], case["size"]) for case in kept["cases"]]
    assert found == [(scene, n) for scene in SCENES for n in ([20] if scene == "wall" else [30, 60])], found
    for case in kept["cases"]:
        for window in ("motion", "settling"):
            ran = case[window]
            assert ran["ended"] == "done" and ran["steps"] == 10 and not ran["said"] and ran["memory_MB"] > 1, case
    fallen = kept["cases"][found.index(("wall", 20))]["motion"]
    assert fallen["contacts"] > 50 and fallen["sweeps"] > 0 and fallen["inaccurate"] == 0 and 0 < fallen["error"] <= 1e-6, fallen


def a_run_ends_at_its_budget(results):
    text = size("--voussoir", str(COMMAND), "--scenes", "wall,balls", "--sizes", "30", "--walls", "60", "--windows", "motion", "--budget", "0.2", "--results",
                str(results), "--label", "after")
    case = next(c for c in json.loads((results / "size-after.json").read_text())["cases"] if c["scene"] == "wall")
    assert case["motion"]["ended"] in ("interrupted", "killed") and 0 < case["motion"]["steps"] < 100, case
    assert f"{case['motion']['steps']} of 100, not in 0.2 s" in text, text


def two_labels_are_compared(results):
    page = results / "size.md"
    page.write_text("old\n\n## Notes\n\nkept\n")
    text = size("--results", str(results), "--compare", "before", "after", "--output", str(page))
    written = page.read_text()
    assert "(10 steps) | 10 → 100 |" in text and "(30 to 60, 10 steps)" in text and "## Held out" in text and "| silo (held out) |" in text, text
    assert written.startswith("# Growth") and written.endswith("## Notes\n\nkept\n") and "old" not in written, written


with tempfile.TemporaryDirectory() as folder:
    all_scenes_run(pathlib.Path(folder))
    a_run_ends_at_its_budget(pathlib.Path(folder))
    two_labels_are_compared(pathlib.Path(folder))
