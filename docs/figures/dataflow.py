#!/usr/bin/python3
"""Draws dataflow.svg: the flow of data through the library. Fails if a path it names is not in the tree.

    python3 dataflow.py >dataflow.svg
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
WIDTH, HEIGHT = 1000, 580
COLOURS = {"data": ("#f7f3ee", "#8a7a66"), "step": ("#fbe9dc", "#b5541c"), "measure": ("#e3eef5", "#2b6a90"),
           "out": ("#eef3e6", "#5f7a35")}  # fmt: skip


class Box(NamedTuple):
    x: int
    y: int
    w: int
    h: int
    kind: str
    title: str
    lines: "tuple[str, ...]" = ()


BOXES = {
    "scene": Box(20, 60, 185, 66, "data", "scene", ("JSON, named, URDF, MJCF", "src/scene")),
    "world": Box(245, 60, 170, 66, "data", "world", ("bodies, shapes, joints", "src/body, src/shape")),
    "contacts": Box(455, 60, 170, 66, "step", "collision", ("contacts with gaps", "src/collide")),
    "assemble": Box(665, 60, 170, 66, "step", "assembly", ("H, c, D, b, C, mu", "src/step/problem/step_problem.c")),
    "callers": Box(20, 190, 185, 82, "data", "your simulator", ("C: vs_problem_builder_…", "Python: Problem, Builder", "FCLIB files")),
    "problem": Box(245, 198, 170, 66, "data", "contact problem", ("plain data, constant", "src/problem")),
    "scaled": Box(455, 198, 170, 66, "step", "energy scaling", ("dimensionless", "src/solver/scale")),
    "ipm": Box(665, 164, 315, 64, "step", "convex: interior point", ("Newton systems on cones", "src/solver/ipm, src/solver/kkt, src/cone")),
    "cascade": Box(665, 240, 315, 74, "step", "exact friction: solver cascade", ("islands; Gauss-Seidel, Newton, path following", "src/solver/coulomb, src/solver/impulse")),
    "linear": Box(665, 350, 315, 66, "step", "linear solvers", ("fronts, LDL, KLU, MUMPS, CHOLMOD, LAPACK", "src/linalg")),
    "measure": Box(455, 350, 170, 82, "measure", "evaluation", ("from impulses alone,", "on the original data", "src/measure")),
    "result": Box(245, 358, 170, 66, "measure", "result", ("impulses, velocities,", "status, errors in J")),
    "apply": Box(245, 480, 170, 66, "step", "integration", ("velocities, poses, joints", "src/step, src/body")),
    "trajectory": Box(455, 480, 170, 66, "out", "trajectory", ("HDF5, checkpoint", "src/output")),
    "see": Box(665, 480, 315, 66, "out", "visualization", ("viewer in the browser, XDMF for ParaView,", "glTF, NumPy arrays")),
}  # fmt: skip

# Corners of each arrow; the ends are on the edges of the boxes.
ARROWS = [
    ((205, 93), (245, 93)), ((415, 93), (455, 93)), ((625, 93), (665, 93)),
    ((750, 126), (750, 146), (330, 146), (330, 198)),  # assembly -> problem
    ((205, 231), (245, 231)), ((415, 231), (455, 231)),
    ((625, 222), (645, 222), (645, 196), (665, 196)), ((625, 240), (645, 240), (645, 277), (665, 277)),
    ((820, 314), (820, 350)),  # systems to solve
    ((665, 300), (575, 300), (575, 350)),  # impulses -> evaluation
    ((455, 391), (415, 391)),
    ((330, 424), (330, 480)),
    ((415, 513), (455, 513)), ((625, 513), (665, 513)),
    ((245, 391), (112, 391), (112, 272)),  # result -> caller
    ((245, 513), (8, 513), (8, 34), (330, 34), (330, 60)),  # the next step
]  # fmt: skip

LABELS = [
    (585, 334, "impulses"),
    (830, 337, "A x = b"),
    (20, 505, "next time step"),
    (120, 385, "one time step"),
]


def check_paths() -> None:
    for box in BOXES.values():
        for path in re.findall(r"src/[\w/.]+", " ".join(box.lines)):
            if not (ROOT / path).exists():
                raise SystemExit(f"dataflow.py: {path} does not exist")


def draw_box(box: Box) -> str:
    fill, line = COLOURS[box.kind]
    middle = box.x + box.w / 2
    out = [f'<rect x="{box.x}" y="{box.y}" width="{box.w}" height="{box.h}" rx="6" fill="{fill}" stroke="{line}" stroke-width="1.4"/>',
           f'<text x="{middle}" y="{box.y + 22}" class="t">{escape(box.title)}</text>']  # fmt: skip
    for k, text in enumerate(box.lines):
        kind = "p" if text.startswith("src/") else "l"
        out.append(f'<text x="{middle}" y="{box.y + 39 + 16 * k}" class="{kind}">{escape(text)}</text>')
    return "\n".join(out)


def main() -> None:
    check_paths()
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">'
    )
    print("<title>Flow of data through voussoir</title>")
    print('<defs><marker id="a" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">'
          '<path d="M0 1 L9 5 L0 9 z" fill="#555"/></marker></defs>')  # fmt: skip
    print("<style>text{font-family:Helvetica,Arial,sans-serif;text-anchor:middle;fill:#222}.t{font-size:15px;font-weight:bold}"
          ".l{font-size:12.5px}.p{font-size:11px;font-family:monospace;fill:#666}.n{font-size:12px;fill:#555;text-anchor:start}</style>")  # fmt: skip
    print(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>')
    for points in ARROWS:
        path = " L".join(f"{x} {y}" for x, y in points)
        print(f'<path d="M{path}" fill="none" stroke="#555" stroke-width="1.4" marker-end="url(#a)"/>')
    for x, y, text in LABELS:
        print(f'<text x="{x}" y="{y}" class="n">{escape(text)}</text>')
    for box in BOXES.values():
        print(draw_box(box))
    print("</svg>")


if __name__ == "__main__":
    main()
