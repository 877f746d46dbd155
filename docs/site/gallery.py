"""The gallery: a page of pictures by question. Each is made by the commands beneath it while the site is built; pictures of the viewer need its
built pages and Chromium, plots gnuplot."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

INTRO = """# Gallery

Questions that people ask, each with a picture that answers it and the commands that made it when this
page was built. `examples/` is a folder of the repository; the other scenes are [built in](named-scenes.md).
"""

# Chapter -> (question, what the picture shows, commands, of which the last makes the picture).
CHAPTERS = {
    "Masonry": [
        (
            "Does it stand, and where does the thrust run?",
            "A bridge on two free piers, with one line of thrust that proves it ([more](howto/does-it-stand.md)).",
            ["statics stone-bridge -o stands.h5", "render stands.h5 --thrust -o stands.png"],
        ),
        (
            "Which horizontal load brings it down, and how?",
            "The mechanism of a pointed arch at its limit load, which is proved from both sides ([more](howto/collapse-load.md)).",
            ["limit pointed-arch --load x -o limit.h5", "render limit.h5 -o limit.png"],
        ),
        (
            "Where do the forces go?",
            "Force chains of a wall around its opening: lines from contact to contact through the bricks, as thick as the force.",
            ["run window-wall --duration 0.3 -o wall.h5", "render wall.h5 --chains -o wall.png"],
        ),
    ],
    "Machines and robots": [
        (
            "Does the grip hold?",
            "Two fingers lift a cube by friction alone; arrows are the contact forces ([more](robots.md)).",
            ["run gripper --duration 0.6 -o gripper.h5", "render gripper.h5 --arrows --opacity 0.5 -o gripper.png"],
        ),
        (
            "How does a cam move its follower?",
            "Height and speed of a follower that rests on an eccentric disc, by contact ([more](machines.md)).",
            ["run examples/machines/cam.json -o cam.h5", "plot cam.h5 position:follower.z velocity:follower.z -o cam.svg"],
        ),
    ],
    "Grains and soft bodies": [
        (
            "How do grains flow?",
            "Balls leave a hopper through a slot; colours are speeds.",
            ["run hopper --duration 0.6 -o hopper.h5", "render hopper.h5 --colour speed -o hopper.png"],
        ),
        (
            "Where is a body stressed?",
            "A beam that rests on two supports under a third one: von Mises stress in a deformed solid of finite elements.",
            ["run three-point-bending --duration 0.3 -o bending.h5", "render bending.h5 --colour stress -o bending.png"],
        ),
    ],
    "Can I trust it?": [
        (
            "Where does the energy go?",
            "A row of dominoes falls: what friction and impacts take, and what the discretization of time adds or removes "
            "([more](simulation.md#error-control-and-energy-balance)).",
            ["run domino --duration 1.2 -o domino.h5", "plot domino.h5 balance -o domino.svg"],
        ),
        (
            "How large is the error of a step?",
            "Error of each step of the same run: the energy error relative to its reference, and the natural map.",
            ["run domino --duration 1.2 -o domino.h5", "plot domino.h5 error -o error.svg"],
        ),
        (
            "How does a solver converge?",
            "Error over the iterations on the contacts of one step of a tower of planks ([more](solvers.md)).",
            [
                'run kapla-tower --duration 0.1 --capture "every 10 steps"',
                "plot kapla-tower-000010.hdf5 --convergence -o convergence.svg",
            ],
        ),
    ],
}
SIZES = {"render": "720x480", "plot": "720x440"}


def make(command: str, work: Path, environment: "dict[str, str]") -> None:
    kind = command.split()[0]
    options = f" --size {SIZES[kind]}" if kind in SIZES else " --quiet" if kind == "run" else ""
    done = subprocess.run(f"voussoir {command}{options}", shell=True, cwd=work, env=environment, capture_output=True, text=True)  # noqa: S602
    if done.returncode != 0:
        raise SystemExit(f"gallery.py: voussoir {command}: {done.stderr}")


def write(command: Path, root: Path, viewer: "Path | None", target: Path, pictures: Path) -> None:
    """The page, and its pictures in a folder beside it. Without the viewer, what it would draw is left out."""
    pictures.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, PATH=f"{command.parent}:{os.environ['PATH']}", VOUSSOIR_VIEWER=str(viewer))
    out, made = [INTRO], set()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "examples").symlink_to(root / "examples")
        for chapter, entries in CHAPTERS.items():
            out.append(f"## {chapter}\n")
            for question, text, commands in entries:
                shown = [f"voussoir {line}" for line in commands]
                picture = commands[-1].split()[-1]
                if viewer or not commands[-1].startswith("render"):
                    for line in commands:
                        if line not in made:
                            make(line, work, environment)
                        made.add(line)
                    (work / picture).rename(pictures / picture)
                    out.append(f"### {question}\n\n![{question}]({pictures.name}/{picture})\n\n{text}\n")
                else:
                    out.append(f"### {question}\n\n{text}\n")
                out.append("```sh\n" + "\n".join(shown) + "\n```\n")
    target.write_text("\n".join(out), encoding="utf-8")
