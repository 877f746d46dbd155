#!/usr/bin/python3
"""Draws dataflow.svg: how data go through the library.

    python3 dataflow.py >dataflow.svg
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 960, 590
COLOURS = {"data": ("#f7f3ee", "#8a7a66"), "step": ("#fbe9dc", "#b5541c"), "judge": ("#e3eef5", "#2b6a90"),
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
    "scene": Box(20, 60, 170, 66, "data", "scene", ("JSON, named, URDF, MJCF", "src/scene")),
    "world": Box(230, 60, 170, 66, "data", "world", ("bodies, shapes, joints", "src/body, src/shape")),
    "contacts": Box(440, 60, 170, 66, "step", "collide", ("contacts with gaps", "src/collide")),
    "assemble": Box(650, 60, 170, 66, "step", "assemble", ("H, c, D, b, C, mu", "src/step/assemble.c")),
    "callers": Box(20, 190, 170, 82, "data", "your engine", ("C: vs_problem_add_…", "Python: Problem, Builder", "FCLIB files")),
    "problem": Box(230, 198, 170, 66, "data", "problem", ("plain data, constant", "src/problem")),
    "scaled": Box(440, 198, 170, 66, "step", "scale by energies", ("pure numbers", "src/solver/scale/scaled.c")),
    "ipm": Box(650, 170, 290, 58, "step", "convex models: interior point", ("src/solver/ipm, src/cone",)),
    "chain": Box(650, 240, 290, 74, "step", "exact friction: islands, then stages", ("sweeps, Newton, path, compliance", "src/solver/coulomb, splitting")),
    "linear": Box(650, 350, 290, 66, "step", "linear solvers", ("LDL, KLU, MUMPS, CHOLMOD, LAPACK", "src/linalg")),
    "measure": Box(440, 350, 170, 82, "judge", "measure", ("from impulses alone,", "on the data as given", "src/measure")),
    "result": Box(230, 358, 170, 66, "judge", "result", ("impulses, velocities,", "status, errors in J")),
    "apply": Box(230, 480, 170, 66, "step", "apply, drift, project", ("new velocities and poses", "src/step, src/body")),
    "trajectory": Box(440, 480, 170, 66, "out", "trajectory", ("HDF5, checkpoint", "src/output")),
    "see": Box(650, 480, 290, 66, "out", "see", ("viewer in the browser, XDMF for ParaView,", "numpy arrays")),
}  # fmt: skip

# From, to, and the points in between; the ends are on the boxes' edges.
ARROWS = [
    ((190, 93), (230, 93)), ((400, 93), (440, 93)), ((610, 93), (650, 93)),
    ((735, 126), (735, 148), (315, 148), (315, 198)),  # assemble -> problem
    ((190, 231), (230, 231)), ((400, 231), (440, 231)),
    ((610, 222), (630, 222), (630, 199), (650, 199)), ((610, 240), (630, 240), (630, 277), (650, 277)),
    ((795, 314), (795, 350)),  # systems to solve
    ((650, 300), (560, 300), (560, 350)),  # impulses -> measure
    ((440, 391), (400, 391)),
    ((315, 424), (315, 480)),
    ((400, 513), (440, 513)), ((610, 513), (650, 513)),
    ((230, 391), (105, 391), (105, 272)),  # result -> caller
    ((230, 513), (8, 513), (8, 34), (315, 34), (315, 60)),  # the next step
]  # fmt: skip

LABELS = [
    (572, 334, "impulses, user's units"),
    (806, 337, "A x = b"),
    (20, 505, "the next step"),
    (112, 385, "one step for you"),
]


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
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">'
    )
    print("<title>How data go through voussoir</title>")
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
