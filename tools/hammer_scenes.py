"""Scenes of hammer.py: one for each law that remembers something from step to step."""
import json
import math
from pathlib import Path

FLOOR = {"name": "floor", "motion": "static", "shape": {"kind": "plane"}}


def wall(material: "dict[str, object]", **more: object) -> "dict[str, object]":
    """Four courses of bricks; a force pushes one of the topmost ones over the others."""
    bricks = [{"name": f"b{row}.{k}", "density": 1800, "position": [0.25 * k + 0.125 * (row % 2), 0, 0.04 + 0.08 * row],
               "shape": {"kind": "box", "size": [0.25, 0.12, 0.08]}} for row in range(4) for k in range(3)]
    push = {"body": "b3.2", "force": ["300*t", 0, "-200*t"]}
    return {"voussoir": 1, "materials": {"m": material}, "bodies": [FLOOR, *bricks], "loads": [push], **more}


def balls(material: "dict[str, object]", **more: object) -> "dict[str, object]":
    """A heap that rolls and slides."""
    heap = [{"name": f"b{k}", "position": [0.11 * (k % 3), 0.11 * (k // 3 % 3), 0.06 + 0.11 * (k // 9)],
             "velocity": [1.0, 0.3, 0], "spin": [0, 5, 3], "shape": {"kind": "sphere", "radius": 0.05}} for k in range(18)]
    return {"voussoir": 1, "materials": {"m": material}, "bodies": [FLOOR, *heap], **more}


def machine(**more: object) -> "dict[str, object]":
    """A slider crank with a motor, limits, a spring and dry friction, and a box that it pushes."""
    return {"voussoir": 1, "bodies": [
        FLOOR,
        {"name": "crank", "shape": {"kind": "box", "size": [0.4, 0.05, 0.05]}, "position": [0.2, 0, 0.5]},
        {"name": "door", "shape": {"kind": "box", "size": [0.05, 0.4, 0.4]}, "position": [0, 1, 0.5]},
        {"name": "box", "shape": {"kind": "box", "size": [0.2, 0.2, 0.2]}, "position": [0.5, 0, 0.1]}],
        "joints": [
            {"kind": "revolute", "b": "crank", "frame": {"position": [0, 0, 0.5], "axis": [0, 1, 0]},
             "motor": {"speed": "3*sin(5*t)", "limit": 20}, "friction": 0.2, "limits": [-1, 1.2]},
            {"kind": "revolute", "b": "door", "frame": {"position": [0, 0.8, 0.5], "axis": [1, 0, 0]},
             "spring": {"stiffness": 20, "damping": 0.5, "rest": 0.3}}], **more}


def soft(**more: object) -> "dict[str, object]":
    return {"voussoir": 1, "materials": {"rubber": {"mu": 0.8}}, "bodies": [
        FLOOR, {"name": "plate", "density": 2700, "position": [0, 0, 0.13],
                "shape": {"kind": "box", "size": [0.2, 0.1, 0.02]}}],
        "flexible": [
            {"name": "pad", "mesh": {"kind": "box", "size": [0.2, 0.1, 0.05], "cells": [4, 2, 2]},
             "elastic": {"material": "rubber", "beta": 0.01}, "position": [0, 0, 0.095],
             "attach": [{"set": "+z", "body": "plate"}]},
            {"name": "rope", "points": [[0.3, 0, 0.1], [0.4, 0, 0.1], [0.5, 0, 0.1]], "radius": 0.005,
             "elastic": {"young": 1e8, "poisson": 0.3, "density": 1000}, "contact_radius": 0.005}], **more}


def shaken() -> "dict[str, object]":
    scene = wall({"mu": 0.6})
    bodies = scene["bodies"]
    assert isinstance(bodies, list)
    bodies[0] = {"name": "table", "motion": "kinematic", "position": [0.3, 0, -0.1],
                 "shape": {"kind": "box", "size": [3, 3, 0.2]},
                 "drive": {"acceleration": [{"file": "quake.csv", "scale": 9.81}, 0, 0]}}
    return scene


MORTAR = {"tension": 1e3, "cohesion": 1.5e3, "fracture_energy": 0.5, "softening": "exponential"}

# Name of the law: the scene.
SCENES = {
    "rolling": balls({"mu": 0.4, "rolling": 0.002, "spinning": 0.002}),
    "elliptic": balls({"mu": 0.4, "rolling": 0.002, "spinning": 0.002, "coupling": "elliptic"}),
    "restitution": balls({"mu": 0.3, "restitution": 0.6, "impact": "moreau"}),
    "adhesion": balls({"mu": 0.4, "adhesion": 0.5}),
    "soft-contact": balls({"mu": 0.4, "stiffness": 1e5, "damping": 50}),
    "hertz": balls({"mu": 0.4, "hertz": 1e7}),
    "weakening": wall({"mu": 0.3, "static_mu": 0.6, "weakening": 1e-4, "healing": 0.05}),
    "stribeck": wall({"mu": 0.3, "static_mu": 0.6, "stribeck": 0.01}),
    "mortar": wall({"mu": 0.6}, mortar={**MORTAR, "between": ["b*"]}),
    "crushing": wall({"mu": 0.6}, mortar={**MORTAR, "compression": 1e4, "between": ["b*"]}),
    "dilatancy": wall({"mu": 0.3}, mortar={"dilatancy": 10, "dilatancy_slip": 0.002, "between": ["b*"]}),
    "record": shaken(),
    "machine": machine(),
    "shake": machine(solver={"scheme": "shake"}),
    "accuracy": machine(solver={"accuracy": 1e-4}),
    "quasi-static": wall({"mu": 0.6}, solver={"scheme": "quasi-static"}),
    "flexible": soft(),
    "flexible-shake": soft(solver={"scheme": "shake"}),
    "relaxed": wall({"mu": 0.6}, solver={"model": "relaxed"}),
}


def write_scenes(folder: Path) -> "dict[str, Path]":
    times = [0.005 * k for k in range(101)]
    record = "".join(f"{t:.4f},{0.3 * math.sin(20 * t) * math.sin(6.28 * t):.8f}\n" for t in times)
    Path(folder, "quake.csv").write_text(record)
    paths = {name: folder / f"{name}.json" for name in SCENES}
    for name, path in paths.items():
        path.write_text(json.dumps(SCENES[name]))
    return paths
