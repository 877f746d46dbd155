"""voussoir for FreeCAD: an assembly of solids becomes a scene, is simulated, and gets its poses and forces back.

As a macro: put this file into the folder of Macro > Macros, open the assembly, execute it. It makes an object `voussoir`
with the settings in the document, runs the command `voussoir`, plays the motion, and writes the reactions into a
spreadsheet. As a module, in freecadcmd: simulate(), place(). docs/freecad.md describes it; test.sh tests it.

Solids become bodies. An object whose label is KIND A/B, such as `revolute frame/crank`, is a joint: its edge is the axis, its
vertex the point. FreeCAD has mm, scenes have m.
"""

from __future__ import annotations

import csv
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, NamedTuple, Optional

import FreeCAD
import numpy as np
import Part

MM = 0.001  # m
CHORD = 2e-3  # largest distance of the triangles from a round surface, relative to the size of its solid
GROUNDED = re.compile(r"(static|fixed|ground|base)", re.I)
JOINT = re.compile(r"(fixed|spherical|revolute|prismatic|cylindrical|universal|planar) ([^/]+)/(.+)")
# Settings: kind of property, default, description
SETTINGS = {
    "Command": ("App::PropertyString", "voussoir", "program, or a line such as python3 -m voussoir"),
    "Density": ("App::PropertyFloat", 7850.0, "kg/m3, of bodies without a density"),
    "Mu": ("App::PropertyFloat", 0.2, "coefficient of friction"),
    "Duration": ("App::PropertyFloat", 2.0, "simulated time in s"),
    "Frame": ("App::PropertyFloat", 0.02, "time between two frames in s"),
}


class VoussoirError(Exception):
    """What the user should read."""


def settings_of(document: Any) -> Any:
    """The object with the settings; it is made where there is none."""
    found = document.getObject("voussoir") or document.addObject("App::FeaturePython", "voussoir")
    for name, (kind, value, text) in SETTINGS.items():
        if not hasattr(found, name):
            found.addProperty(kind, name, "voussoir", text)
            setattr(found, name, value)
    return found


# ---- the assembly as a scene --------------------------------------------------------------------------------------


def global_placement(thing: Any) -> Any:
    placement = thing.Placement
    while thing := thing.getParentGeoFeatureGroup():
        placement = thing.Placement.multiply(placement)
    return placement


def set_global_placement(thing: Any, placement: Any) -> None:
    parent = thing.getParentGeoFeatureGroup()
    thing.Placement = global_placement(parent).inverse().multiply(placement) if parent else placement


def own_shape(thing: Any) -> Any:
    """The shape in the axes of its object."""
    shape = Part.getShape(thing).copy()
    shape.Placement = FreeCAD.Placement()
    return shape


def is_part(thing: Any) -> bool:
    """Whether an object is a part: it has solids, and no other solid is made from it (as of the base of a cut or the
    features of a PartDesign body)."""
    if thing.isDerivedFrom("App::DocumentObjectGroup") or thing.isDerivedFrom("App::Part") or not hasattr(thing, "Placement"):
        return False
    if not Part.getShape(thing).Solids:
        return False
    groups = ("App::DocumentObjectGroup", "App::Part", "App::Link")
    return not any(hasattr(user, "Shape") and not any(user.isDerivedFrom(kind) for kind in groups) for user in thing.InList)


def parts_of(document: Any) -> "list[Any]":
    parts = [thing for thing in document.Objects if is_part(thing)]
    # A part that links show elsewhere, and that is hidden itself, is a template.
    linked = {link.LinkedObject for link in document.Objects if link.isDerivedFrom("App::Link")}
    return [thing for thing in parts if not (thing in linked and not thing.Visibility)]


def density_of(thing: Any, default: float) -> float:
    if hasattr(thing, "Density"):
        return float(thing.Density)
    card = getattr(getattr(thing, "Material", None), "Material", None)  # of the workbenches Arch and FEM
    if card and "Density" in card:
        return float(FreeCAD.Units.Quantity(card["Density"]).getValueAs("kg/m^3"))
    return default


def is_grounded(thing: Any) -> bool:
    for name in ("Grounded", "fixedPosition"):  # ours, and that of A2plus
        if hasattr(thing, name):
            return bool(getattr(thing, name))
    return bool(GROUNDED.match(thing.Label))


def frame_from(axis: Any) -> "list[float]":
    """The quaternion w x y z that turns z to the axis."""
    x, y, z, w = FreeCAD.Rotation(FreeCAD.Vector(0, 0, 1), axis).Q
    return [w, x, y, z]


def metres(v: Any) -> "list[float]":
    return [v.x * MM, v.y * MM, v.z * MM]


def round_shape(solid: Any) -> "Optional[dict]":
    """Balls and drums as what they are: a polyhedron would not roll."""
    surfaces = [face.Surface for face in solid.Faces]
    kinds = sorted(type(surface).__name__ for surface in surfaces)
    if kinds == ["Sphere"] and math.isclose(solid.Volume, 4 / 3 * math.pi * surfaces[0].Radius ** 3, rel_tol=1e-6):
        ball = surfaces[0]
        return {"kind": "sphere", "radius": ball.Radius * MM, "position": metres(ball.Center)}
    if kinds == ["Cylinder", "Plane", "Plane"]:
        drum = next(surface for surface in surfaces if type(surface).__name__ == "Cylinder")
        length = solid.Volume / (math.pi * drum.Radius**2)
        # One with oblique ends, or a hole in a block, has another surface.
        if math.isclose(solid.Area, 2 * math.pi * drum.Radius * (drum.Radius + length), rel_tol=1e-6):
            sizes = {"radius": drum.Radius * MM, "half_length": length * MM / 2}
            return {"kind": "cylinder", **sizes, "position": metres(solid.CenterOfMass), "rotation": frame_from(drum.Axis)}
    return None


def is_convex(solid: Any, vertices: np.ndarray) -> bool:
    """Whether all vertices lie behind the tangent planes of all faces, at the corners of their triangles. Vertices are on
    the surface within rounding, so that 1e-6 of the size leaves room for rounding only."""
    tolerance = 1e-6 * solid.BoundBox.DiagonalLength
    for face in solid.Faces:
        points = face.tessellate(CHORD * solid.BoundBox.DiagonalLength)[0]
        for point in points[:1] if type(face.Surface).__name__ == "Plane" else points:
            normal = face.normalAt(*face.Surface.parameter(point))
            if ((vertices - point) @ np.array(normal)).max() > tolerance:
                return False
    return True


def solid_shape(solid: Any) -> dict:
    if exact := round_shape(solid):
        return exact
    vertices, triangles = solid.tessellate(CHORD * solid.BoundBox.DiagonalLength)
    if is_convex(solid, np.array(vertices)):
        return {"kind": "hull", "points": [metres(v) for v in vertices]}
    return {"kind": "mesh", "vertices": [metres(v) for v in vertices], "triangles": [list(t) for t in triangles]}


def body_of(thing: Any, density: float) -> dict:
    shape, placement = own_shape(thing), global_placement(thing)
    x, y, z, w = placement.Rotation.Q
    body = {
        "name": thing.Label,
        "motion": "static" if is_grounded(thing) else "dynamic",
        "position": metres(placement.Base),
        "rotation": [w, x, y, z],
        "shapes": [solid_shape(solid) for solid in shape.Solids],
    }
    if body["motion"] == "dynamic":
        # Mass and inertia are those of the exact solid, not of the triangles that touch.
        properties = Part.Compound(shape.Solids) if len(shape.Solids) > 1 else shape.Solids[0]
        matrix = properties.MatrixOfInertia
        scale = density_of(thing, density) * MM**5
        body["mass"] = density_of(thing, density) * properties.Volume * MM**3
        body["centre"] = metres(properties.CenterOfGravity if len(shape.Solids) > 1 else properties.CenterOfMass)
        body["inertia"] = [getattr(matrix, f"A{n}") * scale for n in (11, 22, 33, 12, 13, 23)]
    return body


def axis_of(thing: Any) -> "tuple[Any, Any]":
    """Point and direction of the object of a joint, in the document: of its first edge or, without one, its first vertex."""
    shape = Part.getShape(thing).copy()
    parent = thing.getParentGeoFeatureGroup()
    if parent:
        shape.Placement = global_placement(parent).multiply(shape.Placement)
    if not shape.Edges:
        return shape.Vertexes[0].Point, FreeCAD.Vector(0, 0, 1)
    edge = shape.Edges[0]
    if hasattr(edge.Curve, "Axis"):  # a circle
        return edge.Curve.Center, edge.Curve.Axis
    first, last = edge.valueAt(edge.FirstParameter), edge.valueAt(edge.LastParameter)
    return (first + last) * 0.5, (last - first).normalize()


def joint_of(thing: Any, labels: "set[str]") -> dict:
    kind, a, b = JOINT.fullmatch(thing.Label).groups()
    for name in (a, b):
        if name not in labels | {"world"}:
            raise VoussoirError(f"'{thing.Label}': there is no part with the label '{name}'")
    point, axis = axis_of(thing)
    joint = {"name": thing.Label, "kind": kind, "a": a, "b": b, "frame": {"position": metres(point), "axis": list(axis)}}
    if hasattr(thing, "Speed"):  # rad/s, m/s
        joint["motor"] = {"speed": float(thing.Speed)}
    if hasattr(thing, "Friction"):  # N m, N
        joint["friction"] = float(thing.Friction)
    if hasattr(thing, "Limits"):  # rad, m
        joint["limits"] = [float(x) for x in thing.Limits]
    return joint


def scene_of(document: Any) -> dict:
    """The scene (docs/scenes.md) of the parts of a document."""
    settings = settings_of(document)
    parts = parts_of(document)
    labels = [thing.Label for thing in parts]
    bodies = [body_of(thing, settings.Density) for thing in parts]
    if not any(body["motion"] == "dynamic" for body in bodies):
        raise VoussoirError("nothing would move: the document has no solid that is not grounded")
    joints = [joint_of(thing, set(labels)) for thing in document.Objects if JOINT.fullmatch(thing.Label)]
    return {
        "voussoir": 1,
        "name": document.Label,
        "materials": {"default": {"mu": settings.Mu}},
        "bodies": bodies,
        "joints": joints,
        "output": {"duration": settings.Duration, "frame": settings.Frame},
    }


# ---- the run ------------------------------------------------------------------------------------------------------


def command(document: Any) -> "list[str]":
    text = settings_of(document).Command
    words = [text] if Path(text).is_file() else shlex.split(text)
    if not words or not shutil.which(words[0]):
        raise VoussoirError(f"'{text}' was not found: set the property Command of the object voussoir")
    return words


class Run(NamedTuple):
    time: "list[float]"  # s
    moving: "list[str]"  # labels
    start: "dict[str, Any]"  # placements of the parts when the run began
    columns: "dict[str, list[float]]"  # name of a quantity with its component -> values, SI

    def vector(self, name: str, frame: int) -> Any:
        """Zero where it is not defined, as forces are before the first step."""
        x, y, z = (self.columns[f"{name}.{axis}"][frame] for axis in "xyz")
        return FreeCAD.Vector() if math.isnan(x) else FreeCAD.Vector(x, y, z)


def read_run(document: Any, scene: dict, path: Path, folder: Path) -> Run:
    moving = [body["name"] for body in scene["bodies"] if body["motion"] == "dynamic"]
    joints = [joint["name"] for joint in scene["joints"]]
    grounded = [body["name"] for body in scene["bodies"] if body["motion"] == "static"]
    wanted = [f"{what}:{name}" for name in moving for what in ("position", "rotation")]
    wanted += [f"{what}:{name}" for name in joints for what in ("reaction", "torque")]
    wanted += [f"reaction:{name}" for name in grounded]
    table = folder / "run.csv"
    done = subprocess.run([*command(document), "export", str(path), str(table), *wanted], capture_output=True, text=True)
    if done.returncode != 0:
        raise VoussoirError(done.stderr.strip())
    with open(table, newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    columns = {
        re.sub(r" \([^()]*\)$", "", name): [float(row[k]) if row[k] else math.nan for row in rows] for k, name in enumerate(head)
    }
    start = {thing.Label: global_placement(thing) for thing in parts_of(document)}
    return Run(columns["time"], moving, start, columns)


def simulate(document: Any, output: "Optional[Path]" = None, tick: "Callable[[float], bool]" = lambda progress: True) -> Run:
    """Runs the command on the parts where they are. `tick` is called ten times per second with the progress (0 to 1);
    the run ends when it returns False. The trajectory is kept if `output` names it."""
    scene = scene_of(document)
    with tempfile.TemporaryDirectory(prefix="voussoir-") as name:
        folder = Path(name)
        (folder / "scene.json").write_text(json.dumps(scene, indent=1) + "\n", encoding="utf-8")
        path = Path(output) if output else folder / "run.h5"
        with open(folder / "messages", "w+", encoding="utf-8") as messages:
            process = subprocess.Popen(
                [*command(document), "run", str(folder / "scene.json"), "-o", str(path)],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=messages,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )  # fmt: skip
            cancelled = False
            while process.poll() is None:
                progress = re.findall(r"(\d+) %", (folder / "messages").read_text(encoding="utf-8"))
                if not tick(int(progress[-1]) / 100 if progress else 0):
                    cancelled = True
                    process.terminate()  # the command completes its step and its files
                    process.wait()
                time.sleep(0.1)
            text = (folder / "messages").read_text(encoding="utf-8").strip()
        if process.returncode not in (0, 3, 130):  # done, tolerance missed by some steps, cancelled
            raise VoussoirError("cancelled" if cancelled else text or f"voussoir ended with code {process.returncode}")
        lines = [line for line in text.splitlines() if not re.match(r" *\d+ %|step \d+:", line)]
        if lines:
            FreeCAD.Console.PrintWarning("\n".join(lines) + "\n")
        return read_run(document, scene, path, folder)


# ---- what comes back ----------------------------------------------------------------------------------------------


def placement_at(run: Run, name: str, frame: int) -> Any:
    """Trajectories have the centre of mass, and the rotation since the first frame."""
    centre, first = (run.vector(f"position:{name}", k) * (1 / MM) for k in (frame, 0))
    turn = run.vector(f"rotation:{name}", frame)
    rotation = FreeCAD.Rotation(turn, math.degrees(turn.Length)) if turn.Length > 0 else FreeCAD.Rotation()
    start = run.start[name]
    return FreeCAD.Placement(centre + rotation.multVec(start.Base - first), rotation.multiply(start.Rotation))


def place(document: Any, run: Run, frame: int) -> None:
    """Moves the parts to where they are in a frame; 0: back to the beginning."""
    for name in run.moving:
        set_global_placement(document.getObjectsByLabel(name)[0], placement_at(run, name, frame))


def forces_at(run: Run, frame: int) -> "dict[str, Any]":
    """N and N m: `reaction:` of joints (on their second part) and grounded parts (on the others), `torque:` of joints."""
    names = {name[:-2] for name in run.columns if name.startswith(("reaction:", "torque:")) and name.endswith(".x")}
    return {name: run.vector(name, frame) for name in sorted(names)}


def write_forces(document: Any, run: Run) -> Any:
    """Magnitudes of all reactions over time as a spreadsheet; the axes of the joints get the largest ones as properties."""
    sheet = document.getObject("Reactions") or document.addObject("Spreadsheet::Sheet", "Reactions")
    sheet.clearAll()
    names = sorted(forces_at(run, 0))
    for k, name in enumerate(["time", *names]):
        unit = "s" if name == "time" else "N m" if name.startswith("torque:") else "N"
        sheet.set(cell(k, 0), f"'{name} ({unit})")
    largest = dict.fromkeys(names, 0.0)
    for frame, t in enumerate(run.time):
        forces = forces_at(run, frame)
        sheet.set(cell(0, frame + 1), repr(t))
        for k, name in enumerate(names):
            sheet.set(cell(k + 1, frame + 1), repr(forces[name].Length))
            largest[name] = max(largest[name], forces[name].Length)
    for thing in document.Objects:
        for kind, property_name in (("reaction", "LargestForce"), ("torque", "LargestTorque")):
            if f"{kind}:{thing.Label}" in largest:
                if not hasattr(thing, property_name):
                    thing.addProperty("App::PropertyFloat", property_name, "voussoir", "N" if kind == "reaction" else "N m")
                setattr(thing, property_name, largest[f"{kind}:{thing.Label}"])
    document.recompute()
    return sheet


def cell(column: int, row: int) -> str:
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row + 1}"


# ---- the macro ----------------------------------------------------------------------------------------------------


def main() -> None:
    import FreeCADGui
    from PySide import QtGui

    document = FreeCAD.ActiveDocument
    progress = QtGui.QProgressDialog("voussoir", "Cancel", 0, 100, FreeCADGui.getMainWindow())
    progress.setMinimumDuration(0)

    def tick(done: float) -> bool:
        progress.setValue(int(100 * done))
        FreeCADGui.updateGui()
        return not progress.wasCanceled()

    try:
        output = Path(document.FileName).with_suffix(".h5") if document.FileName else None
        run = simulate(document, output, tick)
    except VoussoirError as error:
        progress.close()
        QtGui.QMessageBox.critical(FreeCADGui.getMainWindow(), "voussoir", str(error))
        return
    progress.close()
    write_forces(document, run)
    for frame in range(len(run.time)):
        place(document, run, frame)
        FreeCADGui.updateGui()
        time.sleep(settings_of(document).Frame)


if __name__ == "__main__" and FreeCAD.GuiUp:
    main()
