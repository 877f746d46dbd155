#!/usr/bin/python3
"""Checks that includes run only down the list of layers (docs/architecture.md).

usage: check_layers.py [ROOT] [--arrows]

Fails on: an include of a layer that the including one may not know, an include of src/ from app/ or from a public
header, an include of a file that does not exist, a relative path, a folder of src/ that has no place in the list,
an include or a call from one room of a layer into another that it may not know, and files that need each other in a circle. In app/ also on a scene that is opened, or a file that the library is
given to write, without the register of inputs and outputs (app/cli/system/files.h). Prints one line per mistake, file:line
first.

A source and the header of the same name are one file here. It needs another one if it includes its header or names a
function that the other one defines: a header that declares the functions of several sources hides no circle.

    --arrows  list, under each circle, which file needs which one for what
"""
import os
import re
import sys

# Layer -> the layers it may use. Everything may use itself and the public headers.
USES = {"base": []}
USES["hdf5"] = ["base"]
USES["linalg"] = ["base"]
USES["cone"] = ["base"]
USES["problem"] = ["base", "hdf5", "linalg", "cone"]
USES["mass"] = USES["problem"] + ["problem"]
USES["measure"] = USES["mass"] + ["mass"]
USES["solver"] = USES["measure"] + ["measure"]
USES["signal"] = ["base"]
USES["element"] = ["base", "linalg"]
USES["shape"] = ["base"]
USES["cad"] = ["base", "shape"]
USES["material"] = ["base"]
USES["body"] = ["base", "signal", "linalg", "element", "shape", "material"]
USES["collide"] = ["base", "signal", "element", "shape", "body"]
USES["statics"] = USES["solver"] + ["solver", "signal", "element", "shape", "material", "body", "collide"]
USES["step"] = USES["solver"] + ["solver", "signal", "element", "shape", "material", "body", "collide"]
USES["mpi"] = USES["step"] + ["step"]
USES["scene"] = USES["step"] + ["step"]
USES["output"] = USES["step"] + ["step"]

# The same for the folders of app/: a command uses cli/ unless it is listed here. main.c and the list of commands, which
# lie above them, may use all.
APP_USES = {folder: ["cli"] for folder in
            sorted(os.listdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "app")))
            if "." not in folder}
APP_USES["cli"] = []
APP_USES["render"] = ["cli", "view"]
APP_USES["run"] = ["cli", "check"]
APP_USES["explain"] = ["cli", "check", "run"]
APP_USES["report"] = ["cli", "check", "plot", "run"]
APP_USES["sweep"] = ["cli", "run"]
APP_USES["find"] = ["cli", "run", "sweep"]
APP_USES["statics"] = ["cli", "check", "run"]
APP_USES["import"] = ["cli", "check", "run", "statics"]

# The same for the rooms: folders inside of a layer, whose own files are "" here. By includes and by calls.
ROOMS = {"solver": {"scale": []}}
SOLVER = ROOMS["solver"]
SOLVER["forest"] = ["", "scale"]
SOLVER[""] = ["scale", "forest"]  # the solver's face, which knows the methods by their names alone: method.c lists them
SOLVER["impulse"] = ["", "scale"]
SOLVER["kkt"] = SOLVER["impulse"] + ["impulse"]
for method in ("barrier", "splitting", "pivoting"):
    SOLVER[method] = SOLVER["impulse"] + ["impulse"]
for method in ("ipm", "first_order"):
    SOLVER[method] = SOLVER["kkt"] + ["kkt"]
SOLVER["coulomb"] = SOLVER["splitting"] + ["splitting"]
SOLVER["derivative"] = []  # of a solution, whichever method found it

ROOMS["linalg"] = {"": [], "ordering": [""], "backend": ["", "ordering"]}
ROOMS["shape"] = {"": [], "kind": [""], "decompose": ["", "kind"], "tet": [""], "file": ["", "kind", "tet"]}
ROOMS["collide"] = {"broad": [], "contact": [], "convex": ["contact"]}
COLLIDE = ROOMS["collide"]
COLLIDE["narrow"] = COLLIDE["convex"] + ["convex"]
COLLIDE["mesh"] = COLLIDE["narrow"] + ["narrow"]
COLLIDE["node"] = COLLIDE["narrow"] + ["narrow", "broad"]
COLLIDE[""] = COLLIDE["mesh"] + ["mesh", "broad"]  # collision: broad phase, pairs, seams
COLLIDE["query"] = COLLIDE["ccd"] = COLLIDE[""] + [""]

# One step, from its rows to its schemes; "" is the simulation that takes steps.
ROOMS["step"] = {"rows": [], "contacts": ["rows"], "elastic": ["rows"], "guard": ["rows", "contacts"]}
STEP = ROOMS["step"]
STEP["gate"] = []  # which bodies take part, before anything else
STEP["bond"] = ["rows", "contacts"]
STEP["problem"] = ["rows", "contacts", "bond", "elastic"]
STEP["data"] = STEP["problem"] + ["problem", "guard"]
STEP["account"] = STEP["derivative"] = STEP["data"] + ["data"]
STEP["scheme"] = STEP["state"] = STEP["account"] + ["account"]
STEP["controlled"] = STEP["scheme"] + ["scheme"]
STEP[""] = STEP["controlled"] + ["controlled", "state", "gate", "derivative"]

ROOMS["scene"] = {"data": [], "read": ["data"], "import": ["data", "read"], "named": ["data"]}
ROOMS["scene"][""] = list(ROOMS["scene"])
ROOMS["output"] = {"": [], "trajectory": [""], "export": ["", "trajectory"]}
ROOMS["cli"] = {"system": [], "": ["system"]}

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
        if first not in APP_USES:
            return "app may include only public headers and its own"
        if layer is not None and first != layer and first not in APP_USES[layer]:
            return f"app/{layer} may not use app/{first}"
        return None
    if first not in USES:
        return "not a layer; write \"layer/file.h\""
    if first != layer and first not in USES[layer]:
        return f"{layer} may not use {first}"
    return None


def room(path, root):
    """(layer, room) of a file that lies in a layer with rooms, or None; the room of the layer's own files is ""."""
    parts = os.path.relpath(path, root).split(os.sep)
    if parts[0] not in ("src", "app") or len(parts) < 3 or parts[1] not in ROOMS:
        return None
    return parts[1], parts[2] if len(parts) > 3 else ""


def judge_rooms(root, found):
    """Mistakes of the rooms: folders that the list does not know, and arrows that it does not allow."""
    mistakes = []
    for source, targets in sorted(found.items()):
        here = room(source, root)
        if here is None:
            continue
        layer, name = here
        if name not in ROOMS[layer]:
            mistakes.append(f"{os.path.relpath(source, root)}: {layer}/{name} has no place in the list of rooms")
            continue
        for target, why in sorted(targets.items()):
            there = room(target, root)
            if there and there[0] == layer and there[1] not in (name, *ROOMS[layer][name]):
                mistakes.append(f"{os.path.relpath(source, root)}: {layer}/{name} may not use {layer}/{there[1]}"
                                f" ({os.path.basename(target)}: {', '.join(sorted(why))})")
    return mistakes


# An external function at the beginning of a line: its name, its parameters over any number of lines, its body.
DEFINITION = re.compile(
    r"^(?!static\b|typedef\b)[A-Za-z_][\w \t*]*?[\s*]((?:vs|app)_\w+)\((?:[^;{}()]|\([^;{}()]*\))*\)\s*\{", re.M)
NAME = re.compile(r"\b(?:vs|app)_\w+")


def unit(path):
    """Source and header of the same name are one."""
    return re.sub(r"\.[ch](\.in)?$", "", path)


def needs(graph):
    """Unit -> unit -> why: by the includes of `graph` and by the functions that sources name."""
    text = {}
    for path in graph:
        with open(path, encoding="utf-8") as file:
            text[path] = re.sub(r"//[^\n]*", "", file.read())
    owners = {}
    for path, content in text.items():
        for match in DEFINITION.finditer(content) if path.endswith(".c") else ():
            owners.setdefault(match.group(1), set()).add(unit(path))
    found = {}
    for path, targets in graph.items():
        here = found.setdefault(unit(path), {})
        for target in targets:
            here.setdefault(unit(target), set()).add("#include")
        for name in set(NAME.findall(text[path])) if path.endswith(".c") else ():
            # A function with two definitions has one of them per build configuration: nobody's in particular.
            if len(owners.get(name, ())) == 1:
                here.setdefault(*owners[name], set()).add(name)
        here.pop(unit(path), None)
    return found


def circles(graph):
    """Sets of nodes that reach each other (Tarjan), sorted."""
    index, low, path, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        path.append(node)
        for target in graph.get(node, ()):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in path:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            members = path[path.index(node):]
            del path[path.index(node):]
            if len(members) > 1:
                found.append(sorted(members))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return sorted(found)


def report_circles(root, graph, arrows):
    """One mistake per circle."""
    mistakes = []
    for members in circles(graph):
        mistakes.append("circle: " + ", ".join(os.path.relpath(m, root) for m in members))
        for a in members if arrows else ():
            mistakes += [f"    {os.path.basename(a)} -> {os.path.basename(b)}: {', '.join(sorted(graph[a][b]))}"
                         for b in members if b in graph[a]]
    return mistakes


# Functions of the library by which a command reads scenes and writes files, and what has to stand beside a call.
SCENE_READERS = re.compile(r"\bvs_scene_(read|import)\(")
WRITERS = re.compile(r"\b(vs_trajectory_writer_(create|resume)|vs_checkpoint_write|vs_fclib_write\w*|vs_table_write"
                     r"|vs_trajectory_export_\w+)\(")


def judge_files(path, short):
    """Mistakes of a source of app/: files that bypass the register of inputs and outputs."""
    if not path.endswith(".c"):
        return []
    with open(path, encoding="utf-8") as file:
        text = file.read()
    mistakes = []
    for number, line in enumerate(text.split("\n"), 1):
        if SCENE_READERS.search(line) and short != os.path.join("app", "cli", "scene.c"):
            mistakes.append(f"{short}:{number}: open scenes by app_scene_open(), which registers their files")
        if WRITERS.search(line) and "app_writes(" not in text:
            mistakes.append(f"{short}:{number}: call app_writes() first, so that no input is overwritten")
    return mistakes


def main():
    arguments = [a for a in sys.argv[1:] if a != "--arrows"]
    root = arguments[0] if arguments else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    root = os.path.normpath(root)
    mistakes, graph, files = [], {}, 0
    for area in ("include", "src", "app"):
        for path in source_files(os.path.join(root, area)):
            files += 1
            graph[path] = []
            short = os.path.relpath(path, root)
            layer = short.split(os.sep)[1] if area == "src" or area == "app" and short.count(os.sep) > 1 else None
            if layer is not None and layer not in (USES if area == "src" else APP_USES):
                mistakes.append(f"{short}:1: {area}/{layer} has no place in the list of layers")
                continue
            mistakes += judge_files(path, short) if area == "app" else []
            for number, name in includes(path):
                reason = judge(area, layer, name)
                target = resolve(root, area, name)
                if reason is None and target is None:
                    reason = "no such file"
                if reason:
                    mistakes.append(f'{short}:{number}: "{name}": {reason}')
                elif target:
                    graph[path].append(target)
    found = needs(graph)
    mistakes += judge_rooms(root, found) + report_circles(root, found, "--arrows" in sys.argv)
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    if files == 0:
        print(f"{root}: no sources found", file=sys.stderr)
        return 2
    print(f"layers: {files} files, {sum(not m.startswith(' ') for m in mistakes)} mistakes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
