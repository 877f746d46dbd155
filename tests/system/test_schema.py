#!/usr/bin/python3
"""docs/scene.schema.json has the keys and the choices that the reader of scenes takes.

usage: test_schema.py COMMAND

For every object of the schema a scene is written with an unknown key there, and for every key with a list of values one with an
unknown value. The command refuses them with the list of what it knows, which must be that of the schema.
"""
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
UNKNOWN = "zzz"
BALL = {"kind": "sphere", "radius": 1}
SCENE = {
    "voussoir": 1,
    "materials": {"m": {}},
    "bodies": [{"name": "a", "shape": BALL}, {"name": "b", "shape": BALL, "position": [5, 0, 0]}],
}
JOINT = {"kind": "revolute", "a": "a", "b": "b"}
SHAPES = {
    "sphere": {"radius": 1},
    "box": {"size": [1, 1, 1]},
    "capsule": {"radius": 1, "half_length": 1},
    "cylinder": {"radius": 1, "half_length": 1},
    "ellipsoid": {"semi_axes": [1, 1, 1]},
    "hull": {"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]},
    "plane": {},
    "mesh": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]},
    "height_field": {"heights": [[0, 0], [0, 0]], "spacing": [1, 1]},
    "file": {"path": "none.stl"},
}
SERVO = {"direction": [0, 0, 1], "force": 1, "gain": 1, "speed": 1}
CABLE = {"kind": "cable", "path": [{}, {"body": "a"}], "terms": [{"joint": "j"}]}
SOLID = {"mesh": {"kind": "box", "size": [1, 1, 1], "cells": [1, 1, 1]}, "position": [0, 0, 9]}
FACTORY = {"shape": BALL, "count": 1, "within": [[20, 20, 20], [30, 30, 30]]}
SIZES = ("list", "uniform", "lognormal", "mass-fractions")
WHENS = ("displacement", "rotation", "speed", "rest", "contact", "falls")
BEAM = {"points": [[0, 0, 5], [1, 0, 5]], "radius": 0.1, "elastic": "steel"}


def of_signal(kind, value):
    """A load whose force is a signal of this kind, and the place of the signal or of what describes it."""
    return {"loads": [{"body": "a", "force": [{kind: value}, 0, 0]}]}, ["loads", 0, "force", 0]


def places():
    """Object of the schema -> scenes that have one, each as its parts and where in it the object is."""
    found = {
        "": ({}, []),
        "properties/gravity/anyOf/1": ({"gravity": {}}, ["gravity"]),
        "properties/solver": ({"solver": {}}, ["solver"]),
        "properties/materials/additionalProperties": ({}, ["materials", "m"]),
        "properties/pairs/items": ({"pairs": [{"between": ["m", "m"]}]}, ["pairs", 0]),
        "properties/mortar/anyOf/0": ({"mortar": {"tension": 1}}, ["mortar"]),
        "properties/mortar/anyOf/1/items": ({"mortar": [{"tension": 1}]}, ["mortar", 0]),
        "properties/loads/items": ({"loads": [{"body": "a"}]}, ["loads", 0]),
        "properties/output": ({"output": {}}, ["output"]),
        "$defs/rotation/anyOf/1": (
            {"shapes": {}, "bodies": [{"shape": BALL, "rotation": {"axis": [0, 0, 1], "angle": 1}}]},
            ["bodies", 0, "rotation"],
        ),
        "$defs/frame": ({"joints": [{**JOINT, "frame": {}}]}, ["joints", 0, "frame"]),
        "$defs/decompose": (
            {"shapes": {"s": {"kind": "mesh", **SHAPES["mesh"], "decompose": {}}}},
            ["shapes", "s", "decompose"],
        ),
        "$defs/body": ({}, ["bodies", 0]),
        "$defs/body/properties/drive": (
            {"bodies": [{"motion": "kinematic", "shape": BALL, "drive": {}}]},
            ["bodies", 0, "drive"],
        ),
        "$defs/body/properties/servo": (
            {"bodies": [{"motion": "kinematic", "shape": BALL, "servo": SERVO}]},
            ["bodies", 0, "servo"],
        ),
        "$defs/body/properties/array": (
            {"bodies": [{"shape": BALL, "array": {"count": [2, 1, 1], "spacing": [3, 3, 3]}}]},
            ["bodies", 0, "array"],
        ),
        "$defs/joint": ({"joints": [JOINT]}, ["joints", 0]),
        "$defs/joint/properties/motor": ({"joints": [{**JOINT, "motor": {"speed": 1}}]}, ["joints", 0, "motor"]),
        "$defs/joint/properties/spring": ({"joints": [{**JOINT, "spring": {}}]}, ["joints", 0, "spring"]),
        "$defs/joint/properties/path/items": ({"joints": [CABLE]}, ["joints", 0, "path", 0]),
        "$defs/joint/properties/terms/items": ({"joints": [JOINT, CABLE]}, ["joints", 1, "terms", 0]),
        "$defs/flexible/properties/mesh": ({"flexible": [SOLID]}, ["flexible", 0, "mesh"]),
        "$defs/flexible/properties/elastic/oneOf/1": ({"flexible": [{**SOLID, "elastic": {}}]}, ["flexible", 0, "elastic"]),
        "$defs/placed_shape/oneOf/1": (
            {"shapes": {"s": BALL}, "bodies": [{"shapes": [{"shape": "s"}]}]},
            ["bodies", 0, "shapes", 0],
        ),
    }
    found = {path: [scene] for path, scene in found.items()}
    found["$defs/flexible"] = [({"flexible": [part]}, ["flexible", 0]) for part in (SOLID, BEAM)]
    found["properties/stop/items"] = [({"stop": [{"when": when}]}, ["stop", 0]) for when in WHENS]
    found["properties/factories/items"] = [({"factories": [FACTORY]}, ["factories", 0])]
    found["properties/factories/items/properties/sizes"] = [
        ({"factories": [{**FACTORY, "sizes": {"kind": kind}}]}, ["factories", 0, "sizes"]) for kind in SIZES
    ]
    found["properties/sinks/items"] = [({"sinks": [{"within": FACTORY["within"]}]}, ["sinks", 0])]
    for part in ("hold", "attach", "load"):
        scene = {"flexible": [{**SOLID, part: [{}]}]}
        found[f"$defs/flexible/properties/{part}/items"] = [(scene, ["flexible", 0, part, 0])]
    descriptions = {"table": {"time": [0, 1], "value": [0, 1]}, "sine": {}, "steps": {"time": [0], "value": [1]}, "ramp": {}}
    for k, (kind, value) in enumerate(descriptions.items(), 1):
        scene, place = of_signal(kind, value)
        found[f"$defs/signal/anyOf/{k}"] = [(scene, place)]
        found[f"$defs/signal/anyOf/{k}/properties/{kind}"] = [(scene, [*place, kind])]
    found["$defs/signal/anyOf/5"] = [of_signal("file", "x.csv")]
    for k, (kind, keys) in enumerate(SHAPES.items()):
        shape = {"kind": kind, **keys}
        found[f"$defs/shape/oneOf/{k}"] = [({"shapes": {"s": shape}}, ["shapes", "s"])]
        found[f"$defs/placed_shape/oneOf/{k + 2}"] = [({"bodies": [{"shapes": [shape]}]}, ["bodies", 0, "shapes", 0])]
    return found


def objects(node, path=""):
    """(path, object) of the schema that have keys."""
    if isinstance(node, dict):
        if "properties" in node:
            yield path, node
        for key, value in node.items():
            yield from objects(value, f"{path}/{key}" if path else key)
    elif isinstance(node, list):
        for k, value in enumerate(node):
            yield from objects(value, f"{path}/{k}")


class Reader:
    def __init__(self, command, folder):
        self.command, self.folder = command, folder

    def complaint(self, name, parts, place, key, value):
        scene = copy.deepcopy({**SCENE, **parts})
        node = scene
        for step in place:
            node = node[step]
        node[key] = value
        path = os.path.join(self.folder, f"{name}.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(scene, file)
        run = subprocess.run([self.command, "run", path, "-o", os.devnull], capture_output=True, text=True, cwd=self.folder)
        return run.stderr


def words(pattern, text, separator=None):
    match = re.search(pattern, text)
    return match and {word for word in match.group(1).split(separator)}


def keys_of(node):
    return set(node["properties"]) - {"comment", "$schema"}


def known_keys(path, reader, scenes):
    """What the reader lists, over all scenes; None if it lists nothing."""
    known = set()
    for k, (parts, place) in enumerate(scenes):
        text = reader.complaint(f"{slug(path)}-{k}", parts, place, UNKNOWN, 1)
        found = words(r"known here are: ([\w $]*)", text)
        if found is None:
            return None, text
        known |= found
    return known, ""


def slug(path):
    return re.sub(r"\W+", "-", path) or "root"


def compare(path, node, alternatives, reader, scenes):
    """Mistakes of one object. The reader lists the keys of all alternatives (kinds of shapes, of signals) together."""
    known, text = known_keys(path, reader, scenes)
    keys = keys_of(node) | alternatives
    if known is None:
        return [f"{path}: the reader does not list its keys: {text.strip()[:200]}"]
    mistakes = []
    if known != keys:
        mistakes.append(f"{path}: only in the schema: {sorted(keys - known)}; only in the reader: {sorted(known - keys)}")
    for key, value in node["properties"].items():
        choices = value.get("enum") if isinstance(value, dict) else None
        if not choices or not isinstance(choices[0], str):
            continue
        texts = [reader.complaint(f"{slug(path)}-{key}-{k}", *scene, key, UNKNOWN) for k, scene in enumerate(scenes)]
        if not any(words(r"choose one of: ([^\n]*)", text, ", ") == set(choices) for text in texts):
            mistakes.append(f"{path}: {key}: the schema has {choices}; the reader: {texts[0].strip()[:200]}")
    return mistakes


def alternatives_of(schema, path):
    """Keys of the other members of a list of alternatives that the reader lists together."""
    if path.startswith("$defs/signal/anyOf/") and path.count("/") == 3 and not path.endswith("/5"):
        parts = schema["$defs"]["signal"]["anyOf"][1:5]
        return {"file"}.union(*(keys_of(part) for part in parts))
    for name in ("shape", "placed_shape"):
        if path.startswith(f"$defs/{name}/oneOf/") and path.count("/") == 3:
            return set().union(*(keys_of(part) for part in schema["$defs"][name]["oneOf"] if "properties" in part))
    return set()


def main():
    with open(os.path.join(ROOT, "docs", "scene.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    found, tasks, mistakes = places(), [], []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        reader = Reader(sys.argv[1], folder)
        for path, node in objects(schema):
            if path in found:
                tasks.append(pool.submit(compare, path, node, alternatives_of(schema, path), reader, found[path]))
            else:
                mistakes.append(f"{path}: this test has no scene for it")
        for task in tasks:
            mistakes += task.result()
    for mistake in mistakes:
        print(mistake)
    print(f"schema: {len(tasks)} objects compared with the reader, {len(mistakes)} mistakes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
