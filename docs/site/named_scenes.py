"""The page of the named scenes: what the command lists, each with its picture (make_gallery.sh), its command and, if the playground is there,
a link that runs it."""

from __future__ import annotations

import json
from pathlib import Path

from command_reference import text_of

INTRO = """# Named scenes

Scenes that the library makes from a few numbers, for first steps, tests and benchmarks. `voussoir run NAME` simulates one, `--set` changes a parameter,
and `vs_scene_make()` and `voussoir.scene()` give the same scenes in C and Python. The pictures are simulations, drawn by `voussoir render`; lines in
the stones are force chains, colours of flexible bodies are stresses.
"""

LIVE = """
*Run it here* simulates the scene in this browser, on this computer, with a certificate for every step: drag a body, throw a ball, tilt the table. The page
<a href="playground.html">playground.html</a> is self-contained; save it and it works without a network.
"""

# Beneath the headline of the front page: the picture only, with a link to all controls.
EMBEDDED = """
```{raw} html
<iframe class="playground" src="playground.html?scene=arch&bare=1" title="An arch that is simulated in this page" loading="lazy"></iframe>
<p><a href="playground.html"><b>Open the playground</b></a>: this arch is simulated in your browser. Drag a stone, throw a ball at it; scenes with all
their parameters, <a href="named-scenes.html">or choose one</a>.</p>
```
"""
MARK = "<!-- playground -->"
FIGURES = Path(__file__).resolve().parents[1] / "figures/scenes"


def number(value: float) -> str:
    return f"{value:.10g}"


def write(command: Path, target: Path, live: bool) -> None:
    scenes = json.loads(text_of(command, "scenes", "--json"))
    out = [INTRO + (LIVE if live else "")]
    out += ["| | scene | parameters |" + (" |" if live else ""), "|---|---|---|" + ("---|" if live else "")]
    for scene in scenes:
        name = scene["name"]
        parameters = ", ".join(f"{key} {number(value)}" for key, value in scene["parameters"].items())
        run = f' <a href="playground.html?scene={name}">Run&nbsp;it&nbsp;here</a> |' if live else ""
        if not (FIGURES / f"{name}.webp").is_file():
            raise SystemExit(f"named_scenes.py: {name} has no picture; docs/site/make_gallery.sh COMMAND {name} makes it")
        picture = f'<img src="_static/scenes/{name}.webp" alt="{scene["description"]}" width="240" style="min-width: 12rem" loading="lazy">'
        out.append(f"| {picture} | **{name}**: {scene['description']} <br> `voussoir run {name}` | {parameters} |{run}")
    target.write_text("\n".join(out) + "\n", encoding="utf-8")


def embed(index: Path, live: bool) -> None:
    """Puts the playground into the front page, in place of its mark."""
    text = index.read_text(encoding="utf-8")
    if MARK not in text:
        raise SystemExit(f"named_scenes.py: {index.name} has no {MARK}")
    index.write_text(text.replace(MARK, EMBEDDED if live else ""), encoding="utf-8")
