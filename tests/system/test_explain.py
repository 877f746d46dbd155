#!/usr/bin/python3
"""test_explain.py VOUSSOIR: `explain` names planted mistakes, is silent on sound scenes, and counts degrees of freedom.

Each scene of mistakes/ has one mistake, by the name of the file. The limits of the checks were chosen with the scenes
of DEVELOPED; those of HELD_OUT were written down before and first run when the limits were fixed.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import checks
from checks import check

COMMAND = str(Path(sys.argv[1]).resolve())
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# File of mistakes/ and the kind of suspicion; "/explain" if `run` does not print it: what takes a step to see, and
# friction.
DEVELOPED = {
    "large": "large", "light": "light", "light-density": "light", "water": "water", "support": "support",
    "flat": "flat", "double": "double", "gap": "gap/explain", "gravity": "gravity", "upward": "upward",
    "friction": "friction/explain", "rough": "rough", "degrees": "degrees",
    "violent": "violent/explain", "step": "step",
}
HELD_OUT = {"fast": "fast", "limits": "limits", "locked": "locked/explain", "overlap": "overlap/explain",
            "sideways": "sideways"}
ALSO = {"double": {"overlap"}, "fast": {"violent"}}  # what follows from the mistake


def run(*words: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True)


def explain(*words: object) -> "dict[str, object]":
    done = run("explain", *words, "--json")
    check(done.returncode == 0, words, done.stderr)
    return json.loads(done.stdout) if done.returncode == 0 else {"suspicions": []}


def kinds(explained: "dict[str, object]") -> "set[str]":
    return {one["kind"] for one in explained["suspicions"]}


def mistakes_are_named() -> None:
    check(len(DEVELOPED) == 15, "15 mistakes")
    for name, wanted in {**DEVELOPED, **HELD_OUT}.items():
        kind, _, only = wanted.partition("/")
        path = HERE / "mistakes" / f"{name}.json"
        explained = explain(path)
        found = kinds(explained)
        check(kind in found and found <= {kind} | ALSO.get(name, set()), name, found)
        text = next((one["text"] for one in explained["suspicions"] if one["kind"] == kind), "?")
        check(text in run("explain", path).stdout, name, "not in the text")
        duration = 1 if name == "step" else 0.004
        said = run("run", path, "--duration", duration, "--json")
        check(said.stderr.count(text) == (0 if only else 1), "run", name, said.stderr)
        check(json.loads(said.stdout)["steps"] >= 1, "run", name, "JSON")
        check(text not in run("run", path, "--duration", duration, "--quiet").stderr, "run --quiet", name)


def other_commands_name_them() -> None:
    said = run("statics", HERE / "mistakes" / "friction.json")
    check(said.stderr.count("no friction coefficient is stated") == 1, said.stderr)
    said = run("statics", HERE / "mistakes" / "light-density.json", "--json")
    check(said.stderr.count("lighter than foam") == 1 and json.loads(said.stdout)["verdict"] == "stands", said.stderr)
    Path("cube.obj").write_text("o cube\n" + "".join(
        f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) +
        "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")
    check("lighter than foam" in run("import", "cube.obj", "--ground", "--density", 2.4).stderr, "import")
    said = run("import", "cube.obj", "--ground", "-o", "cube.json")
    check(said.returncode == 0 and said.stderr == "", "import", said.stderr)
    check(kinds(explain("cube.json")) == set(), "imported cube")


def sound_scenes_are_not() -> None:
    """The built-in scenes, the starters of `new`, the machines, and the worked examples of docs/scenes.md."""
    named = [scene["name"] for scene in json.loads(run("scenes", "--json").stdout)]
    check(len(named) > 20, "named scenes", named)
    starters = sorted((ROOT / "app" / "command" / "starter").glob("*.json"))
    check(len(starters) == 6, "starters", starters)
    machines = sorted((ROOT / "examples" / "machines").glob("*.json"))
    check(len(machines) >= 8, "machines", machines)
    worked = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "scenes.md").read_text(encoding="utf-8"), re.DOTALL)
    examples = [text for text in worked if '"voussoir": 1' in text]
    check(len(examples) >= 2, "examples of docs/scenes.md", len(examples))
    Path("quake.csv").write_text("time,acceleration\n0,0\n0.2,0.1\n0.4,-0.1\n0.6,0\n")  # which one of them reads
    for k, text in enumerate(examples):
        Path(f"example-{k}.json").write_text(text)
    for scene in [*named, *starters, *machines, *(f"example-{k}.json" for k in range(len(examples)))]:
        explained = explain(scene)
        check(explained["suspicions"] == [], scene, explained["suspicions"])


def freedom_is_counted() -> None:
    """Grübler's rule where it holds, and the known exception: a plane loop of hinges moves although it counts -2."""
    slider = explain(ROOT / "app" / "command" / "starter" / "mechanism.json")["freedom"]
    # 4 bodies with 6; three hinges and a guide with 5 constraints each, of which the loop needs 17
    check(slider["velocities"] == 24 and slider["constraints"] == 20 and slider["independent"] == 17, slider)
    check(slider["degrees_of_freedom"] == 7 and slider["prescribed"] == 1, slider)  # 1 of the loop, 6 of the crate
    check([(one["joint"], one["redundant"], one["of"]) for one in slider["redundant"]] == [("guide", 3, 5)], slider)
    arm = explain(ROOT / "app" / "command" / "starter" / "robot.json")["freedom"]
    check(arm["independent"] == arm["constraints"] and arm["redundant"] == [], arm)  # a tree has no redundant ones
    check(explain("arch")["freedom"]["joints"] == 0, "arch")


def first_step_is_told() -> None:
    stands = explain("arch")["first_step"]
    check(stands["moving"] == stands["falling"] == 0 and stands["resting"] > 0, stands)
    check(stands["statics"] == "stands", stands)
    falls = explain(HERE / "mistakes" / "support.json")["first_step"]
    check(falls["falling"] == 3 and falls["without_support"] == 3, falls)
    before = explain("arch", "--set", "thickness=0.1")["first_step"]
    check(before["statics"] == "falls" and before["moving"] > 0, before)


def its_trajectory_is_the_first_step() -> None:
    done = run("explain", "arch", "-o", "first.h5")
    check(done.returncode == 0, done.stderr)
    if done.returncode == 0 and os.path.exists("first.h5"):
        info = json.loads(run("info", "first.h5", "--json").stdout)
        check(info["trajectory"]["frames"] == 2, info)


def wrong_usage_is_refused() -> None:
    check(run("explain").returncode == 1, "no scene")
    check(run("explain", "arch", "wall").returncode == 1, "two scenes")
    check(run("explain", "no-such-scene").returncode == 1, "unknown scene")
    check(run("explain", "no-such-file.json").returncode == 2, "no such file")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for test in (mistakes_are_named, other_commands_name_them, sound_scenes_are_not, freedom_is_counted,
                     first_step_is_told, its_trajectory_is_the_first_step, wrong_usage_is_refused):
            test()
    print(checks.summary())
    sys.exit(checks.failed > 0)
