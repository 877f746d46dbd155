#!/usr/bin/python3
"""Draws docs/figures/layers.svg: the folders of src/ and app/ and the dependencies between them, from the sources.

usage: draw_tree.py [--check] [ROOT]

An arrow means that a file of the upper folder includes a header of the lower one or calls a function that is defined
there. Arrows that follow from others (a path over a third folder) are omitted. The right part does the same for the
folders of src/solver. All names come from the tree.

  --check   write nothing; fail if the stored drawing is not the one that would be written

example: draw_tree.py && git diff --stat docs/figures/layers.svg
"""
from __future__ import annotations

import argparse
import re
import sys
from html import escape
from pathlib import Path
from typing import Callable

sys.path.insert(0, str(Path(__file__).resolve().parent))

import check_layers  # noqa: E402

STORED = "docs/figures/layers.svg"
SIZE, GAP, LINE = (92, 30), (20, 34), "#777"
COLOURS = {"numerics": ("#fbe9dc", "#b5541c"), "dynamics": ("#e3eef5", "#2b6a90"), "app": ("#eef3e6", "#5f7a35")}
NUMERICS = {"base", "hdf5", "linalg", "cone", "problem", "mass", "measure", "solver"}

METHOD = re.compile(r"^const vs_method_class vs_\w+ = ", re.M)

Graph = "dict[str, set[str]]"


def read_needs(root: Path) -> "dict[str, set[str]]":
    """Files (without their suffix) of src/ and app/ -> those that they include or whose functions they call."""
    graph: dict[str, list[str]] = {}
    for area in ("src", "app"):
        for path in check_layers.source_files(str(root / area)):
            targets = (check_layers.resolve(str(root), area, name) for _, name in check_layers.includes(path))
            graph[path] = [target for target in targets if target and not target.startswith(str(root / "include"))]
    short = lambda path: str(Path(path).relative_to(root))  # noqa: E731
    return {short(a): {short(b) for b in targets} for a, targets in check_layers.needs(graph).items()}


def layer(file: str) -> str:
    return "app" if file.startswith("app/") else file.split("/")[1]


def room(file: str) -> str:
    """The folder below src/solver; its own files are called "solver"."""
    return file.split("/")[2] if file.count("/") > 2 else "solver"


def between(needs: "dict[str, set[str]]", name: "Callable[[str], str]") -> Graph:
    graph: dict[str, set[str]] = {}
    for file, targets in needs.items():
        graph.setdefault(name(file), set()).update(name(target) for target in targets)
        for target in targets:
            graph.setdefault(name(target), set())
    return {node: targets - {node} for node, targets in graph.items()}


def read_layers(root: Path) -> Graph:
    """Calls are found by name: an arrow that the list of layers forbids is a local name, not a call."""
    graph = between(read_needs(root), layer)
    return {node: {t for t in targets if node == "app" or t in check_layers.USES[node]} for node, targets in graph.items()}


def read_rooms(root: Path) -> Graph:
    """What a method runs in (src/solver/run.h, method.h) is used by all of them and not drawn; the table of methods is."""
    inside = {a: {b for b in targets if layer(b) == "solver"} for a, targets in read_needs(root).items() if layer(a) == "solver"}
    graph = {node: targets - {"solver"} for node, targets in between(inside, room).items()}
    methods = (path for path in (root / "src/solver").rglob("*.c") if METHOD.search(path.read_text(encoding="utf-8")))
    graph["solver"] |= {room(str(path.relative_to(root))) for path in methods} - {"solver"}
    return graph


def reach(graph: Graph, start: str) -> "set[str]":
    seen: set[str] = set()
    todo = list(graph[start])
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo += graph[node]
    return seen


def reduced(graph: Graph) -> Graph:
    """Without the arrows that follow from others."""
    return {node: {t for t in targets if not any(t in reach(graph, other) for other in targets - {t})} for node, targets in graph.items()}


def levels(graph: Graph) -> "dict[str, int]":
    """Row of every node, 0 at the top: right below the lowest one of those that use it."""

    def row(node: str) -> int:
        if node in reach(graph, node):
            raise SystemExit(f"draw_tree.py: {node} needs itself over other folders")
        return 1 + max((row(user) for user in graph if node in graph[user]), default=-1)

    return {node: row(node) for node in graph}


def place(graph: Graph, centre: int, top: int, kind: "dict[str, str]") -> "dict[str, tuple[float, float]]":
    """Corners of the boxes, row by row from the top. Below the step, dynamics stands on the left and numerics on the right;
    within a row boxes are ordered by what uses them."""
    row = levels(graph)
    spot: dict[str, tuple[float, float]] = {}
    for k in range(max(row.values()) + 1):
        users = {node: [spot[user][0] for user in spot if node in graph[user]] for node in graph if row[node] == k}
        order = sorted(users, key=lambda node: (kind[node] != "dynamics", sum(users[node]) / len(users[node]) if users[node] else 0, node))
        span = len(order) * SIZE[0] + (len(order) - 1) * GAP[0]
        left = centre - span / 2
        if row.get("step", k) < k < max(row.values()):  # two lanes below the step
            left = centre - GAP[0] / 2 - sum(kind[node] == "dynamics" for node in order) * (SIZE[0] + GAP[0]) + GAP[0]
        for i, node in enumerate(order):
            spot[node] = (left + i * (SIZE[0] + GAP[0]), top + k * (SIZE[1] + GAP[1]))
    return spot


def draw(graph: Graph, spot: "dict[str, tuple[float, float]]", kind: "dict[str, str]") -> "list[str]":
    out = []
    for node, targets in sorted(graph.items()):
        for target in sorted(targets):
            (x0, y0), (x1, y1) = spot[node], spot[target]
            x0, x1, y0 = x0 + SIZE[0] / 2, x1 + SIZE[0] / 2, y0 + SIZE[1]
            long = y1 - y0 > 2 * SIZE[1]  # stays beside the boxes of the rows between
            a, b = (y1 - 6, y1 - 20) if long else ((y0 + y1) / 2, (y0 + y1) / 2)
            out.append(f'<path d="M{x0:.0f} {y0:.0f}C{x0:.0f} {a:.0f} {x1:.0f} {b:.0f} {x1:.0f} {y1:.0f}" class="a"/>')
    for node, (x, y) in sorted(spot.items()):
        fill, line = COLOURS[kind[node]]
        out.append(f'<rect x="{x:.0f}" y="{y:.0f}" width="{SIZE[0]}" height="{SIZE[1]}" rx="5" fill="{fill}" stroke="{line}"/>')
        out.append(f'<text x="{x + SIZE[0] / 2:.0f}" y="{y + 20:.0f}">{escape(node)}</text>')
    return out


def svg(root: Path) -> str:
    layers, rooms = reduced(read_layers(root)), reduced(read_rooms(root))
    rows = max(max(levels(g).values()) for g in (layers, rooms)) + 1
    height = 60 + rows * (SIZE[1] + GAP[1])
    kinds = {node: "app" if node == "app" else "numerics" if node in NUMERICS else "dynamics" for node in layers}
    parts = draw(layers, place(layers, 240, 50, kinds), kinds)
    kinds = dict.fromkeys(rooms, "numerics")
    parts += draw(rooms, place(rooms, 740, 50, kinds), kinds)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1030 {height}" width="1030" height="{height}" role="img">',
        "<title>Folders of the library and their dependencies</title>",
        '<defs><marker id="m" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 1 L9 5 L0 9 z" fill="{LINE}"/></marker></defs>',
        "<style>text{font:13px Helvetica,Arial,sans-serif;text-anchor:middle;fill:#222}.h{font-weight:bold;font-size:15px}"
        f".a{{fill:none;stroke:{LINE};stroke-width:1.2;marker-end:url(#m)}}</style>",
        f'<rect width="1030" height="{height}" fill="#fff"/>',
        '<text x="240" y="26" class="h">app/ and src/</text><text x="740" y="26" class="h">src/solver/</text>',
        *parts,
        "</svg>",
        "",
    ])  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("root", nargs="?", default=Path(__file__).resolve().parents[1], type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    path, text = options.root / STORED, svg(options.root)
    if not options.check:
        path.write_text(text, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != text:
        print(f"{STORED} does not show the tree as it is: run tools/draw_tree.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
