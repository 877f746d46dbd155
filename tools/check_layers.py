#!/usr/bin/python3
"""Checks that includes run only down the list of layers (docs/architecture.md).

usage: check_layers.py [ROOT]

Fails on: an include of a layer that the including one may not know, an include of src/ from app/ or from a public
header, an include of a file that does not exist, a relative path, a folder of src/ that has no place in the list,
and headers that include each other in a circle. Prints one line a mistake, file:line first.
"""
import os
import re
import sys

# Layer -> the layers it may use. Everything may use itself and the public headers.
USES = {"base": []}
USES["linalg"] = ["base"]
USES["cone"] = ["base"]
USES["problem"] = ["base", "linalg", "cone"]
USES["mass"] = USES["problem"] + ["problem"]
USES["measure"] = USES["mass"] + ["mass"]
USES["solver"] = USES["measure"] + ["measure"]
USES["element"] = ["base", "linalg"]
USES["shape"] = ["base"]
USES["body"] = ["base", "linalg", "element", "shape"]
USES["collide"] = ["base", "element", "shape", "body"]
USES["step"] = USES["solver"] + ["solver", "element", "shape", "body", "collide"]
USES["mpi"] = USES["step"] + ["step"]
USES["scene"] = USES["step"] + ["step"]
USES["output"] = USES["step"] + ["step"]

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def source_files(folder):
    """Sources below a folder; templates that CMake fills in (backends.c.in) count too."""
    for path, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith((".c", ".h", ".c.in", ".h.in")):
                yield os.path.join(path, name)


def includes(path):
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if match:
                yield number, match.group(1)


def resolve(root, area, name):
    """The file an include names, or None; a generated header is found by its template."""
    folders = {"include": ["include"], "src": ["src", "include"], "app": ["app", "", "include"]}[area]
    for folder in folders:
        for suffix in ("", ".in"):
            path = os.path.normpath(os.path.join(root, folder, name + suffix))
            if os.path.isfile(path):
                return path
    return None


def judge(area, layer, name):
    """What is wrong with the include `name` seen in a file of `area` (and `layer`), or None."""
    if ".." in name.split("/"):
        return "relative path"
    first = name.split("/")[0]
    if first == "voussoir":
        return None
    if area == "include":
        return "a public header may include only public headers"
    if area == "app":
        return "app may include only public headers and its own" if first in USES else None
    if first not in USES:
        return "not a layer; write \"layer/file.h\""
    if first != layer and first not in USES[layer]:
        return f"{layer} may not use {first}"
    return None


def circle(graph):
    """A list of files that include each other in a circle, or None."""
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return None
        path.append(node)
        for target in graph.get(node, []):
            found = visit(target)
            if found:
                return found
        path.pop()
        done.add(node)
        return None

    for node in sorted(graph):
        found = visit(node)
        if found:
            return found
    return None


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    root = os.path.normpath(root)
    mistakes, graph, files = [], {}, 0
    for area in ("include", "src", "app"):
        for path in source_files(os.path.join(root, area)):
            files += 1
            short = os.path.relpath(path, root)
            layer = short.split(os.sep)[1] if area == "src" else None
            if area == "src" and layer not in USES:
                mistakes.append(f"{short}:1: src/{layer} has no place in the list of layers")
                continue
            for number, name in includes(path):
                reason = judge(area, layer, name)
                target = resolve(root, area, name)
                if reason is None and target is None:
                    reason = "no such file"
                if reason:
                    mistakes.append(f'{short}:{number}: "{name}": {reason}')
                elif target:
                    graph.setdefault(path, []).append(target)
    round_trip = circle(graph)
    if round_trip:
        mistakes.append("circle: " + " -> ".join(os.path.relpath(p, root) for p in round_trip))
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    if files == 0:
        print(f"{root}: no sources found", file=sys.stderr)
        return 2
    print(f"layers: {files} files, {len(mistakes)} mistakes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
