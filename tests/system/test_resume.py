#!/usr/bin/python3
"""The report of a resumed run is that of the whole run: steps that missed the tolerance, sums and maxima.

usage: test_resume.py COMMAND
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import checks
from checks import check

COMMAND = str(Path(sys.argv[1]).resolve())
# Of the process and of the clock.
OWN = {"steps_before", "steps", "checkpoint", "slowest_step", "stages"}


def run(*words: object) -> "tuple[int, dict[str, object]]":
    done = subprocess.run([COMMAND, "run", *map(str, words), "--quiet", "--json"], capture_output=True, text=True,
                          timeout=600)
    check(done.stderr == "", words, done.stderr)
    return done.returncode, json.loads(done.stdout)


def differences(a: "dict[str, object]", b: "dict[str, object]") -> "list[str]":
    return [f"{key}: {a.get(key)} and {b.get(key)}" for key in sorted(a.keys() | b.keys())
            if key not in OWN and not key.endswith(("_s", "_s_max", "real_time"))
            and a.get(key) != b.get(key)]


def report_covers_the_whole_run(scene: str, *options: object) -> "tuple[int, dict[str, object]]":
    checkpoint = Path("run.ck")
    code, whole = run(scene, *options, "--duration", 0.06)
    _, first = run(scene, *options, "--duration", 0.02, "--checkpoint", checkpoint)
    run(scene, *options, "--duration", 0.04, "--checkpoint", checkpoint, "--resume")
    resumed, parts = run(scene, *options, "--duration", 0.06, "--checkpoint", checkpoint, "--resume")
    check(resumed == code, scene, options, f"exit codes {code} and {resumed}")
    check(not differences(whole, parts), scene, options, differences(whole, parts))
    check(int(str(parts["steps_before"])) + int(str(parts["steps"])) == whole["steps"], scene, "steps")
    check(parts["steps_summed"] == whole["steps"], scene, "steps in the sums")
    return code, first


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        # The first step cannot meet this tolerance, the others do: a resumed run has missed it all the same.
        code, first = report_covers_the_whole_run("arch", "--tolerance", 1e-20)
        check(code == 3 and first["inaccurate_steps"] == 1, "no inaccurate step to forget:", code)
        report_covers_the_whole_run("box")
        report_covers_the_whole_run("box", "--accuracy", 1e-4)
        report_covers_the_whole_run("ball", "--scheme", "shake")
        os.chdir("/")
    return checks.failed > 0


if __name__ == "__main__":
    sys.exit(main())
