#!/usr/bin/python3
"""compas_samples.py FOLDER [--voussoir COMMAND] [--seconds S] [--pictures FOLDER] [--output FILE.md]

Every JSON file of a folder with files of COMPAS: `src/compas_cra/data/samples` of compas_cra (MIT) and `data` and `scripts` of compas_dem
(MIT). For each: what `import` says, the verdict of `statics` with its margin or that of Coulomb's law, processor time, and a picture of the
mechanism of what falls. Supports and friction are those of the file, else those of the example script of the sample, else the blocks that
reach down to the lowest point. One file may take S seconds of processor time per command.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile

MU = 0.84  # the default of compas_cra
# From the examples of compas_cra: blocks that they make supports, their friction.
EXAMPLES = {
    "A": ("0,1", MU),
    "H": ("0,1", MU),
    "bridge": ("0,1", 0.9),
    "concave-long": ("0", MU),
    "concave-short": ("0", MU),
    "cube-curve-short": ("0", MU),
    "cube-curve-tall": ("0", MU),
    "cubes": ("0", MU),
    "curve-3-blocks": ("0", MU),
    "shelf": ("0", 0.9),
    "shelf-s1": ("0", 0.9),
    "shelf-s2": ("0", 0.9),
    "shelf-s3": ("0", 0.9),
    "shelf-stable": ("0", 0.9),
    "snake": ("0", 0.7),
    **{f"type-{k}": ("0,1", MU) for k in "abcd"},
}


def call(options, *arguments):
    """A run of the command: its exit code (None: out of time), output, complaints, processor time."""

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (options.seconds, options.seconds))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([options.voussoir, *map(str, arguments)], capture_output=True, text=True, preexec_fn=limit, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (None if done.returncode < 0 else done.returncode), done.stdout, done.stderr, spent


def supports(path):
    """Whether the file states any."""
    return '"is_support": true' in path.read_text(encoding="utf-8")


def complaint(text):
    lines = [line.partition(": ")[2] for line in text.splitlines() if line.startswith("voussoir: ")]
    return (lines[-1] if lines else "")[:150].replace("|", "/")


def judge(options, path, work):
    """One row: blocks, supports, verdict, margin, time, picture."""
    name = path.stem
    scene, motion = work / "scene.json", work / "motion.h5"
    fixed, mu = EXAMPLES.get(name, ("", 0))
    choice = ["--mu", mu] if mu else []
    how = "file"
    if not supports(path) or fixed:
        how = f"blocks {fixed}" if fixed else "lowest"
        choice += ["--fixed", ",".join(f"block-{k}" for k in fixed.split(","))] if fixed else ["--fix-lowest"]
    scene.unlink(missing_ok=True)
    code, said, wrong, spent = call(options, "import", path, "-o", scene, *choice)
    # The scene is written after the report, whose search for interfaces can take long.
    if code is None:
        return [name, "yes", "", how, "out of time", "", f"{spent:.1f}", ""]
    if code != 0 and "no dynamic body" in wrong:
        return [name, "yes", "", how, "none: all blocks are supports, or there is one block", "", f"{spent:.1f}", ""]
    if code != 0:
        return [name, "no: " + complaint(wrong).partition(": ")[2], "", "", "", "", f"{spent:.1f}", ""]
    bodies = json.loads(scene.read_text())["bodies"]
    static = sum(body.get("motion") == "static" for body in bodies)
    row = [name, "yes", f"{len(bodies)}, {static} fixed", how]
    for distance in (1e-3, 1e-2):
        motion.unlink(missing_ok=True)
        code, said, wrong, took = call(options, "statics", scene, "--law", "--json", "--distance", distance, "-o", motion)
        spent += took
        if "overlap by" not in wrong:
            break
    if code is None:
        return [*row, "out of time", "", f"{spent:.1f}", ""]
    if code not in (0, 3):
        return [*row, complaint(wrong).partition("statics: ")[2], "", f"{spent:.1f}", ""]
    result = json.loads(said)
    verdict = result["verdict"] if "verdict" in result else result["status"]
    margin = result.get("margin")
    law = result.get("law") or {}
    if verdict == "stands" and law.get("moves"):
        verdict = "stands; Coulomb's law: may move"
    picture = ""
    if verdict == "falls" and options.pictures and motion.exists():
        picture = f"{name}.png"
        call(options, "render", motion, "-o", options.pictures / picture)
        if not (options.pictures / picture).exists():
            picture = ""
    return [*row, verdict, "" if margin is None else f"{margin:.3g}", f"{spent:.1f}", picture]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--voussoir", default="voussoir")
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--pictures", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
    head = ["file", "imported", "blocks", "supports", "verdict", "margin", "processor s", "mechanism"]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    with tempfile.TemporaryDirectory() as work:
        for path in sorted(options.folder.rglob("*.json")):
            row = judge(options, path, pathlib.Path(work))
            lines.append("| " + " | ".join(row) + " |")
            print(lines[-1], flush=True)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
