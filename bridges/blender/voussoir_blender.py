"""voussoir for Blender: writes scenes from objects, runs them in the background, shows trajectories with their forces.

Install this file in Edit > Preferences > Add-ons > Install, and enable it; the panel is in the sidebar (N) of the 3D
view. It starts the command `voussoir`. Shapes and motion are read through `voussoir export` (glTF), contacts from the
trajectory itself with h5py; without h5py, as resultants of pairs of bodies through `voussoir export` (CSV).
docs/blender.md describes it; test.sh in this folder runs it in Blender without a window.

Lengths are metres times the unit scale of the Blender scene; gravity is that of the Blender scene, in m/s2.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import shutil
import signal
import struct
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Iterable, NamedTuple, Optional

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

bl_info = {
    "name": "voussoir",
    "description": "Simulates contact with exact friction; shows trajectories with their forces",
    "author": "the developers of voussoir",
    "version": (0, 3, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > voussoir; File > Import and Export",
    "category": "Physics",
}

WORLD = -1  # the fixed frame, as in trajectories
PAIRS = 400  # at most, of forces that are read without h5py


class VoussoirError(Exception):
    """What the user should read."""


# ---- the command --------------------------------------------------------------------------------------------------


def command() -> "list[str]":
    """The command of the preferences as a list: a program, or a line such as `python3 -m voussoir`."""
    addon = bpy.context.preferences.addons.get(__name__)
    text = addon.preferences.command if addon else "voussoir"
    words = [text] if Path(text).is_file() else shlex.split(text)
    if not words or not shutil.which(words[0]):
        raise VoussoirError(f"'{text}' was not found: set the command in the preferences of the add-on")
    return words


def call(*arguments: str) -> None:
    """Runs the command to its end."""
    done = subprocess.run([*command(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise VoussoirError(done.stderr.strip() or f"{arguments[0]} ended with code {done.returncode}")


class Job:
    """The command in the background. Its progress is read from a terminal where there are any, since it writes five
    lines per second there, and one in ten seconds elsewhere."""

    def __init__(self, arguments: "list[str]") -> None:
        self.progress = 0.0  # 0 to 1
        self.text = ""  # the end of what it said, for messages
        self.cancelled = False
        if os.name == "posix":
            self.source, write = os.openpty()
        else:
            self.source, write = os.pipe()
        hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        self.process = subprocess.Popen(
            [*command(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=write, creationflags=hidden
        )
        os.close(write)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        while True:
            try:
                piece = os.read(self.source, 4096)
            except OSError:  # how a terminal says that the other side has closed it
                break
            if not piece:
                break
            self.text = (self.text + piece.decode(errors="replace"))[-4000:]
            if found := re.findall(r"(\d+) %", self.text):
                self.progress = int(found[-1]) / 100
        os.close(self.source)

    def ended(self) -> bool:
        return self.process.poll() is not None

    def cancel(self) -> None:
        """The command completes its step and its files."""
        if not self.ended():
            self.cancelled = True
            self.process.send_signal(signal.SIGTERM)

    def message(self) -> str:
        self.reader.join(timeout=2)
        lines = [line.strip() for line in re.split(r"[\r\n]+", self.text)]
        return "\n".join(line for line in lines if line and not re.match(r"(\[[#.]*\] *)?\d+ %", line))


# ---- reading a trajectory -----------------------------------------------------------------------------------------


class Surface(NamedTuple):
    vertices: np.ndarray  # n x 3, m, in the body's axes about its centre of mass
    triangles: np.ndarray  # m x 3
    smooth: bool

    def volume(self) -> float:
        a, b, c = (self.vertices[self.triangles[:, k]] for k in range(3))
        return abs(float(np.einsum("ij,ij->", a, np.cross(b, c)))) / 6


class Contacts(NamedTuple):
    """Contact forces of all frames."""

    frame: np.ndarray  # C
    a: np.ndarray  # C, rows of bodies, or WORLD
    b: np.ndarray  # C
    point: np.ndarray  # C x 3, m
    force: np.ndarray  # C x 3, N on b
    weight: np.ndarray  # C, of the points of a pair: normal forces, so that their mean is the centre of pressure
    single: bool  # contacts; otherwise one resultant per pair of bodies


class Run(NamedTuple):
    time: np.ndarray  # T, s
    names: "list[str]"  # of the bodies, in the order of the trajectory
    position: np.ndarray  # T x bodies x 3, m: centres of mass
    rotation: np.ndarray  # T x bodies x 4: w x y z
    present: np.ndarray  # T x bodies
    dynamic: np.ndarray  # bodies; the others are static or move as prescribed
    surfaces: "list[Surface]"
    ground: Surface  # of the world itself
    contacts: Optional[Contacts]


def rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Vectors turned by quaternions w x y z; the leading sizes broadcast."""
    w, u = q[..., :1], q[..., 1:]
    t = 2 * np.cross(u, v)
    return v + w * t + np.cross(u, t)


def conjugate(q: np.ndarray) -> np.ndarray:
    return q * np.array([1, -1, -1, -1])


def quaternion(node: dict) -> np.ndarray:
    """glTF has x y z w."""
    return np.roll(np.array(node.get("rotation", [0, 0, 0, 1]), float), 1)


class Gltf:
    """The parts of a binary glTF file that `voussoir export` writes."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        self.document = json.loads(data[20 : 20 + length])
        self.numbers = data[28 + length :]
        self.nodes = self.document["nodes"]

    def array(self, k: int) -> np.ndarray:
        accessor = self.document["accessors"][k]
        view = self.document["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        kind = {5125: "<u4", 5126: "<f4"}[accessor["componentType"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        return np.frombuffer(self.numbers, kind, accessor["count"] * width, start).reshape(-1, width)

    def surface(self, parts: Iterable[int]) -> Surface:
        """The shapes of a body as one surface."""
        vertices, triangles, count, smooth = [np.zeros((0, 3))], [np.zeros((0, 3), int)], 0, False
        for node in (self.nodes[k] for k in parts):
            primitive = self.document["meshes"][node["mesh"]]["primitives"][0]
            corners = self.array(primitive["attributes"]["POSITION"]) * np.array(node.get("scale", [1, 1, 1]), float)
            vertices.append(rotate(quaternion(node), corners) + np.array(node.get("translation", [0, 0, 0]), float))
            triangles.append(self.array(primitive["indices"]).reshape(-1, 3).astype(int) + count)
            count += len(corners)
            smooth |= "NORMAL" in primitive["attributes"]
        return Surface(np.concatenate(vertices), np.concatenate(triangles), smooth)

    def is_grey(self, body: int) -> bool:
        """As bodies are in these files that are not dynamic."""
        for part in self.nodes[body].get("children", []):
            material = self.document["meshes"][self.nodes[part]["mesh"]]["primitives"][0]["material"]
            colour = self.document["materials"][material]["pbrMetallicRoughness"]["baseColorFactor"]
            return bool(np.allclose(colour[:3], GREY))
        return False

    def run(self) -> Run:
        children = self.nodes[0].get("children", [])
        bodies = [k for k in children if "mesh" not in self.nodes[k]]
        channels = {}
        times = np.zeros(1)
        for animation in self.document.get("animations", []):
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                times = self.array(sampler["input"])[:, 0].astype(float)
                channels[channel["target"]["node"], channel["target"]["path"]] = self.array(sampler["output"]).astype(float)
        size = (len(times), len(bodies))
        position, rotation, present = np.zeros((*size, 3)), np.zeros((*size, 4)), np.ones(size, bool)
        for k, node in enumerate(bodies):
            position[:, k] = channels.get((node, "translation"), self.nodes[node].get("translation", [0, 0, 0]))
            moving = channels.get((node, "rotation"))
            rotation[:, k] = quaternion(self.nodes[node]) if moving is None else np.roll(moving, 1, axis=1)
            if (node, "scale") in channels:
                present[:, k] = channels[node, "scale"][:, 0] > 0
        return Run(
            times,
            [self.nodes[k]["name"] for k in bodies],
            position,
            rotation,
            present,
            np.array([not self.is_grey(k) for k in bodies], bool),
            [self.surface(self.nodes[k].get("children", [])) for k in bodies],
            self.surface(k for k in children if "mesh" in self.nodes[k]),
            None,
        )


def read_contacts(path: Path, run: Run) -> Contacts:
    """The contacts of the frames of the run. Raises ImportError without h5py."""
    import h5py

    try:
        file = h5py.File(path, "r")
    except OSError:  # still being written
        file = h5py.File(path, "r", swmr=True)
    with file:
        times = file["time"][:]
        # The times of glTF have single precision; frames are farther apart.
        rows = np.abs(times[np.newaxis, :] - run.time[:, np.newaxis]).argmin(axis=1)
        offset = file["contacts/offset"][:]
        spans = [slice(int(offset[k]), int(offset[k + 1])) for k in rows]
        gather = lambda name: np.concatenate([file[f"contacts/{name}"][span] for span in spans])  # noqa: E731
        body = gather("body")
        body[body < 0] = WORLD  # flexible solids and bodies that were added later have no row
        frame = np.repeat(np.arange(len(rows)), [span.stop - span.start for span in spans])
        force = gather("impulse") / file["meta/step"][0]
        weight = np.einsum("ij,ij->i", force, gather("normal"))
        return Contacts(frame, body[:, 0], body[:, 1], gather("point"), force, weight, True)


def neighbours(run: Run) -> "list[tuple[int, int]]":
    """Pairs of bodies whose bounding boxes meet in one of eight frames."""
    found: "set[tuple[int, int]]" = set()
    surfaces = [run.ground, *run.surfaces]
    sizes = [np.ptp(s.vertices, axis=0).max() if len(s.vertices) else 0 for s in surfaces]
    margin = 0.02 * float(np.median([size for size in sizes[1:] if size > 0] or [0]))
    for t in np.unique(np.linspace(0, len(run.time) - 1, 8).astype(int)):
        boxes = np.full((len(surfaces), 2, 3), np.nan)  # nan meets nothing
        for k, surface in enumerate(surfaces):
            if len(surface.vertices):
                corners = surface.vertices
                if k > 0:
                    corners = rotate(run.rotation[t, k - 1], corners) + run.position[t, k - 1]
                boxes[k] = corners.min(axis=0) - margin, corners.max(axis=0) + margin
        meet = ((boxes[:, None, 0] <= boxes[None, :, 1]) & (boxes[None, :, 0] <= boxes[:, None, 1])).all(axis=2)
        found |= {(int(i) - 1, int(j) - 1) for i, j in np.argwhere(np.triu(meet, 1))}
    return sorted(found)


def read_resultants(path: Path, run: Run, every: int, folder: Path) -> Contacts:
    """Resultants of pairs of bodies through the command."""
    pairs = neighbours(run)
    if len(pairs) > PAIRS:
        raise VoussoirError(f"{len(pairs)} pairs of bodies may touch: install h5py to read their forces")
    if not pairs:
        none = np.zeros(0, int)
        return Contacts(none, none, none, np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), False)
    name = lambda k: "world" if k == WORLD else re.sub(r"^body (\d+)$", r"#\1", run.names[k])  # noqa: E731
    quantities = [f"{what}:{name(a)}/{name(b)}" for a, b in pairs for what in ("force", "point")]
    table = folder / "forces.csv"
    call("export", str(path), str(table), *quantities, "--every", str(every))
    with open(table, newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    numbers = np.array([[float(cell) if cell else np.nan for cell in row] for row in rows])
    column = {re.sub(r" \(.*", "", text): k for k, text in enumerate(head)}
    vector = lambda what: numbers[:, [column[f"{what}.{axis}"] for axis in "xyz"]]  # noqa: E731
    force = np.stack([vector(text) for text in quantities[0::2]], axis=1)  # T x pairs x 3
    point = np.stack([vector(text) for text in quantities[1::2]], axis=1)
    frame, pair = np.nonzero(np.isfinite(point).all(axis=2) & (np.nan_to_num(force) != 0).any(axis=2))
    a, b = np.array(pairs).T
    return Contacts(frame, a[pair], b[pair], point[frame, pair], force[frame, pair], np.ones(len(frame)), False)


def read_run(path: Path, every: int = 1, h5py: bool = True) -> Run:
    """A trajectory; of a .glb file, its motion only."""
    if path.suffix == ".glb":
        return Gltf(path).run()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        call("export", str(path), str(folder / "run.glb"), "--every", str(every))
        run = Gltf(folder / "run.glb").run()
        try:
            if not h5py:
                raise ImportError
            return run._replace(contacts=read_contacts(path, run))
        except ImportError:
            return run._replace(contacts=read_resultants(path, run, every, folder))


# ---- what follows from a trajectory -------------------------------------------------------------------------------


def per_body(run: Run, values: np.ndarray, on_a: np.ndarray) -> np.ndarray:
    """Sums over the contacts of each body (T x bodies x …): `values` where it is b, `on_a` where it is a."""
    contacts = run.contacts
    total = np.zeros((*run.present.shape, *values.shape[1:]))
    for body, part in ((contacts.a, on_a), (contacts.b, values)):
        own = body >= 0
        np.add.at(total, (contacts.frame[own], body[own]), part[own])
    return total


def body_forces(run: Run) -> np.ndarray:
    """T x bodies, N: sum of the magnitudes of the contact forces on each body."""
    magnitude = np.linalg.norm(run.contacts.force, axis=1)
    return per_body(run, magnitude, magnitude)


def body_stresses(run: Run) -> np.ndarray:
    """T x bodies, Pa: largest compression of the mean stress 1/V sum (x - c) f' of the contact forces of each body."""
    contacts = run.contacts
    if not contacts.single:
        raise VoussoirError("stresses need every contact: install h5py for Blender's Python, or colour by force")

    def moment(body: np.ndarray, force: np.ndarray) -> np.ndarray:
        arm = contacts.point - run.position[contacts.frame, np.maximum(body, 0)]
        product = arm[:, :, np.newaxis] * force[:, np.newaxis, :]
        return (product + product.transpose(0, 2, 1)) / 2

    total = per_body(run, moment(contacts.b, contacts.force), moment(contacts.a, -contacts.force))
    volume = np.array([surface.volume() for surface in run.surfaces])
    compression = np.maximum(-np.linalg.eigvalsh(total)[..., 0], 0)
    return np.divide(compression, volume, out=np.zeros_like(compression), where=volume > 0)


def body_speeds(run: Run) -> np.ndarray:
    """T x bodies, m/s: of the centres of mass, from differences."""
    if len(run.time) < 2:
        return np.zeros(run.present.shape)
    return np.linalg.norm(np.gradient(run.position, run.time, axis=0), axis=2)


QUANTITIES = {"force": (body_forces, "N"), "stress": (body_stresses, "Pa"), "speed": (body_speeds, "m/s")}


class Pair(NamedTuple):
    a: int
    b: int
    force: np.ndarray  # T x 3, N on b
    point: np.ndarray  # T x 3, m: where it acts; nan without contact


def pairs_of(run: Run) -> "list[Pair]":
    contacts = run.contacts
    pairs = []
    key = contacts.a.astype(np.int64) * (len(run.names) + 2) + contacts.b
    for k in np.unique(key):
        rows = np.flatnonzero(key == k)
        frame, force = contacts.frame[rows], contacts.force[rows]
        weight = contacts.weight[rows]
        total, point, sums = np.zeros((len(run.time), 3)), np.zeros((len(run.time), 3)), np.zeros(len(run.time))
        np.add.at(total, frame, force)
        np.add.at(point, frame, weight[:, np.newaxis] * contacts.point[rows])
        np.add.at(sums, frame, weight)
        with np.errstate(invalid="ignore"):
            pairs.append(Pair(int(contacts.a[rows[0]]), int(contacts.b[rows[0]]), total, point / sums[:, np.newaxis]))
    return pairs


def filled(values: np.ndarray) -> np.ndarray:
    """Rows with nan replaced by the last good row before them, or the first one."""
    good = np.isfinite(values).all(axis=1)
    last = np.maximum.accumulate(np.where(good, np.arange(len(values)), -1))
    return values[np.where(last < 0, int(good.argmax()), last)]


GREY = (0.6, 0.61, 0.63)  # of what does not move by itself, in the viewer and in exported files

# Anchors of the colours for forces, as in the viewer of `voussoir view`, from small to large.
ANCHORS = ("e8c468", "e8a33d", "e07a3f", "c8333f", "8c1c4a", "4a0f3f")


def colours(x: np.ndarray) -> np.ndarray:
    """Numbers from 0 to 1 as linear RGB."""
    srgb = np.array([[int(text[k : k + 2], 16) / 255 for k in (0, 2, 4)] for text in ANCHORS])
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    at = np.clip(x, 0, 1) * (len(ANCHORS) - 1)
    return np.stack([np.interp(at, np.arange(len(ANCHORS)), linear[:, k]) for k in range(3)], axis=-1)


# ---- a trajectory as objects --------------------------------------------------------------------------------------


class Show(NamedTuple):
    """How a run is shown."""

    colour: str = "force"  # a key of QUANTITIES, or "none"
    maximum: float = 0  # of the colours; 0: that of the run
    chains: bool = True
    opacity: float = 1
    speed: float = 1  # 0.1: ten times slower than it was


def animate(target: Any, path: str, frames: np.ndarray, values: np.ndarray, tolerance: float = 0, stay: bool = False) -> None:
    """Sets a property and its curves; a property that never changes gets none. `stay`: until the next frame."""
    values = values.reshape(len(frames), -1)
    if len(frames) < 2 or np.ptp(values, axis=0).max() <= tolerance:
        return
    if not target.animation_data:
        target.animation_data_create()
    if not target.animation_data.action:
        target.animation_data.action = bpy.data.actions.new(target.name)
    curves = target.animation_data.action.fcurves
    for index, column in enumerate(values.T):
        if old := curves.find(path, index=index):
            curves.remove(old)
        curve = curves.new(path, index=index)
        curve.keyframe_points.add(len(frames))
        curve.keyframe_points.foreach_set("co", np.column_stack([frames, column]).ravel())
        curve.keyframe_points.foreach_set("interpolation", np.full(len(frames), 0 if stay else 1))  # constant, linear
        curve.update()


def continuous(q: np.ndarray) -> np.ndarray:
    """Quaternions (T x 4) of one sign, so that those between two frames are."""
    flips = np.where((q[1:] * q[:-1]).sum(axis=1) < 0, -1.0, 1.0)
    return q * np.concatenate([[1.0], np.cumprod(flips)])[:, np.newaxis]


def make_material(name: str, opacity: float = 1, colour: "Optional[tuple]" = None) -> Any:
    """One material for all bodies: its colour is that of the object, which can be animated."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    surface = nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = 0.6
    surface.inputs["Alpha"].default_value = opacity
    if colour:
        surface.inputs["Base Color"].default_value = colour
        material.diffuse_color = colour
    else:
        links.new(nodes.new("ShaderNodeObjectInfo").outputs["Color"], surface.inputs["Base Color"])
    if opacity < 1:
        material.blend_method = "BLEND"
    return material


def make_object(name: str, surface: Surface, unit: float, collection: Any, material: Any) -> Any:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata((surface.vertices / unit).tolist(), [], surface.triangles.tolist())
    mesh.polygons.foreach_set("use_smooth", np.full(len(mesh.polygons), surface.smooth))
    mesh.materials.append(material)
    thing = bpy.data.objects.new(name, mesh)
    collection.objects.link(thing)
    return thing


def place(thing: Any, frames: np.ndarray, position: np.ndarray, rotation: np.ndarray, present: np.ndarray) -> None:
    thing.rotation_mode = "QUATERNION"
    rotation = continuous(rotation)
    thing.location, thing.rotation_quaternion = position[0], rotation[0]
    animate(thing, "location", frames, position)
    animate(thing, "rotation_quaternion", frames, rotation)
    for path in ("hide_render", "hide_viewport"):
        animate(thing, path, frames, ~present * 1.0, stay=True)


def paint(things: "dict[int, Any]", run: Run, show: Show, frames: np.ndarray) -> float:
    """Colours of objects over time, by the rows of their bodies; returns the largest value of the run. Bodies that are
    not dynamic are grey: on the ground lies the weight of all."""
    values = QUANTITIES[show.colour][0](run)
    values[~run.present] = 0
    largest = float(values[:, run.dynamic].max(initial=0))
    scale = show.maximum or largest or 1
    for k, thing in things.items():
        rgb = colours(values[:, k] / scale) if run.dynamic[k] else np.tile(GREY, (len(frames), 1))
        rgba = np.concatenate([rgb, np.full((len(frames), 1), show.opacity)], axis=1)
        thing.color = rgba[0]
        animate(thing, "color", frames, rgba, tolerance=2e-3)
        thing[show.colour] = float(values[0, k])  # the number itself, for drivers and for reading it
        animate(thing, f'["{show.colour}"]', frames, values[:, k])
    return largest


def draw_chains(run: Run, frames: np.ndarray, unit: float, collection: Any) -> Any:
    """Force chains: from centre to centre through the point where the force acts, the section in proportion to it. On a
    body that is not dynamic they begin at the contact."""
    pairs = pairs_of(run)
    largest = max((np.linalg.norm(pair.force, axis=1).max() for pair in pairs), default=0)
    volumes = [v for v in (surface.volume() for surface in run.surfaces) if v > 0]
    size = float(np.median(volumes)) ** (1 / 3) / unit if volumes else 1.0
    curve = bpy.data.curves.new("force chains", "CURVE")
    curve.dimensions, curve.bevel_depth, curve.bevel_resolution = "3D", 1, 2
    for pair in pairs:
        force = np.linalg.norm(pair.force, axis=1)
        if force.max() < 1e-3 * largest:  # not visible
            continue
        middle = filled(pair.point)
        ends = [run.position[:, k] if k != WORLD and run.dynamic[k] else middle for k in (pair.a, pair.b)]
        radius = 0.08 * size * np.sqrt(force / largest)
        spline = curve.splines.new("POLY")
        spline.points.add(2)
        for k, line in enumerate((ends[0], middle, ends[1])):
            line = np.concatenate([line / unit, np.ones((len(frames), 1))], axis=1)
            spline.points[k].co, spline.points[k].radius = line[0], radius[0]
            path = f"splines[{len(curve.splines) - 1}].points[{k}]"
            animate(curve, path + ".co", frames, line, tolerance=1e-3 * size)
            animate(curve, path + ".radius", frames, radius, tolerance=1e-3 * size)
    curve.materials.append(make_material("force chains", colour=(0.02, 0.05, 0.2, 1)))
    thing = bpy.data.objects.new("force chains", curve)
    thing.color = (0.02, 0.05, 0.2, 1)
    collection.objects.link(thing)
    return thing


def show_run(run: Run, name: str, show: Show) -> Any:
    """The run as a collection of animated objects."""
    scene = bpy.context.scene
    unit = scene.unit_settings.scale_length
    collection = bpy.data.collections.new(name)
    scene.collection.children.link(collection)
    material = make_material(name, show.opacity)
    things = [make_object(text, surface, unit, collection, material) for text, surface in zip(run.names, run.surfaces)]
    if len(run.ground.vertices):
        make_object("world", run.ground, unit, collection, make_material("world", colour=(*GREY, 1)))
    frames = frames_of(run, show, scene)
    for k, thing in enumerate(things):
        place(thing, frames, run.position[:, k] / unit, run.rotation[:, k], run.present[:, k])
    decorate(run, dict(enumerate(things)), show, frames, collection)
    return collection


def frames_of(run: Run, show: Show, scene: Any) -> np.ndarray:
    """Frames of Blender, which may be fractions; the scene is set to end with the run."""
    frames = 1 + (run.time - run.time[0]) / show.speed * scene.render.fps / scene.render.fps_base
    scene.frame_start, scene.frame_end = 1, max(int(np.ceil(frames[-1])), 1)
    return frames


def decorate(run: Run, things: "dict[int, Any]", show: Show, frames: np.ndarray, collection: Any) -> None:
    if show.colour != "none" and (run.contacts or show.colour == "speed"):
        largest = paint(things, run, show, frames)
        collection[f"largest {show.colour} ({QUANTITIES[show.colour][1]})"] = largest
    if show.chains and run.contacts:
        draw_chains(run, frames, bpy.context.scene.unit_settings.scale_length, collection)


def move_objects(run: Run, show: Show) -> int:
    """The motion for the objects from which the scene was written; returns their number."""
    unit = bpy.context.scene.unit_settings.scale_length
    frames = frames_of(run, show, bpy.context.scene)
    moved = {}
    for k, name in enumerate(run.names):
        thing = bpy.data.objects.get(name)
        if thing is None or "voussoir_start" not in thing:
            continue
        # A trajectory has centres of mass; the origin of the object is fixed in the body.
        start = np.array(thing["voussoir_start"])
        arm = rotate(conjugate(run.rotation[0, k]), start - run.position[0, k])
        place(thing, frames, (run.position[:, k] + rotate(run.rotation[:, k], arm)) / unit, run.rotation[:, k], run.present[:, k])
        moved[k] = thing
    if old := bpy.data.objects.get("force chains"):  # of the run before
        bpy.data.curves.remove(old.data)
    decorate(run, moved, show, frames, bpy.context.scene.collection)
    return len(moved)


# ---- objects as a scene -------------------------------------------------------------------------------------------

STATIC_NAME = re.compile(r"(static|fixed|ground|floor|support)", re.I)
MATERIAL_KEYS = ("mu", "restitution")
CONSTRAINTS = {"FIXED": "fixed", "POINT": "spherical", "HINGE": "revolute", "SLIDER": "prismatic"}


def surface_of(thing: Any, unit: float) -> Surface:
    """The mesh of an object with its modifiers, in m, in axes that are turned and moved with it but not scaled."""
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    mesh.calc_loop_triangles()
    vertices = np.zeros(3 * len(mesh.vertices))
    mesh.vertices.foreach_get("co", vertices)
    triangles = np.zeros(3 * len(mesh.loop_triangles), np.int64)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    evaluated.to_mesh_clear()
    vertices, triangles = vertices.reshape(-1, 3) * np.array(thing.scale), triangles.reshape(-1, 3)
    if np.prod(thing.scale) < 0:
        triangles = triangles[:, ::-1]
    return Surface(vertices * unit, triangles, False)


def is_convex(surface: Surface) -> bool:
    """Whether no vertex lies outside of the plane of any triangle by more than 1e-5 of the size: Blender's coordinates
    are single precision, which leaves 1e-7 of it at the vertices and more at the planes of small triangles."""
    a, b, c = (surface.vertices[surface.triangles[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1)
    normal, a = normal[length > 0] / length[length > 0, np.newaxis], a[length > 0]
    size = float(np.ptp(surface.vertices, axis=0).max())
    return all((surface.vertices @ n - p @ n).max() <= 1e-5 * size for n, p in zip(normal, a))


def is_closed(surface: Surface) -> bool:
    """Whether each edge has one triangle on each side."""
    edges = np.concatenate([surface.triangles[:, [i, (i + 1) % 3]] for i in range(3)])
    count: "dict[tuple[int, int], int]" = {}
    for i, j in edges.tolist():
        count[i, j] = count.get((i, j), 0) + 1
    return len(edges) > 0 and all(n == 1 and count.get((j, i)) == 1 for (i, j), n in count.items())


def motion_of(thing: Any) -> str:
    if "motion" in thing:
        return str(thing["motion"])
    if thing.rigid_body:
        return "static" if thing.rigid_body.type == "PASSIVE" else "dynamic"
    return "static" if STATIC_NAME.match(thing.name) else "dynamic"


def shape_of(thing: Any, unit: float, dynamic: bool) -> dict:
    """The convex hull of a convex mesh, else the mesh; or what the property `shape` of the object says."""
    surface = surface_of(thing, unit)
    if not len(surface.triangles):
        raise VoussoirError(f"{thing.name} has no faces")
    closed = is_closed(surface)
    if dynamic and not closed:
        raise VoussoirError(f"{thing.name} has open or doubled edges: close its mesh, or give it the property motion = static")
    kind = str(thing.get("shape", "hull" if closed and is_convex(surface) else "mesh"))
    lowest, highest = surface.vertices.min(axis=0), surface.vertices.max(axis=0)
    numbers = lambda x: np.asarray(x, float).round(9).tolist()  # noqa: E731
    if kind == "hull":
        return {"kind": "hull", "points": numbers(surface.vertices)}
    if kind in ("mesh", "decompose"):
        shape = {"kind": "mesh", "vertices": numbers(surface.vertices), "triangles": surface.triangles.tolist()}
        return {**shape, "decompose": {}} if kind == "decompose" else shape
    middle, size = (lowest + highest) / 2, highest - lowest
    if kind == "box":
        return {"kind": "box", "size": numbers(size), "position": numbers(middle)}
    if kind == "sphere":
        return {"kind": "sphere", "radius": round(float(size.max()) / 2, 9), "position": numbers(middle)}
    if kind == "plane":
        return {"kind": "plane", "position": [0, 0, float(highest[2])]}
    raise VoussoirError(f"{thing.name}: the property shape is '{kind}'; known are hull, mesh, decompose, box, sphere, plane")


def body_of(thing: Any, unit: float, density: float) -> dict:
    if thing.parent:
        raise VoussoirError(f"{thing.name} has a parent: clear it first (Alt+P, keep transformation)")
    motion = motion_of(thing)
    position, rotation, _ = thing.matrix_world.decompose()
    material = thing.active_material
    body = {
        "name": thing.name,
        "motion": motion,
        "position": [x * unit for x in position],
        "rotation": list(rotation),
        "shapes": [shape_of(thing, unit, motion == "dynamic")],
        "density": float(thing.get("density", material.get("density", density) if material else density)),
    }
    if "mass" in thing:
        body["mass"] = float(thing["mass"])
    if material:
        body["material"] = material.name
    return body


def joint_of(thing: Any, unit: float) -> dict:
    """A rigid body constraint of Blender: hinges turn about z of the empty, sliders move along its x."""
    constraint = thing.rigid_body_constraint
    if constraint.type not in CONSTRAINTS:
        raise VoussoirError(f"{thing.name}: constraints of type {constraint.type} are not known; fixed, point, hinge, slider are")
    first, second = constraint.object1, constraint.object2
    position, rotation, _ = thing.matrix_world.decompose()
    turn = rotation.to_matrix()
    joint = {
        "name": thing.name,
        "kind": CONSTRAINTS[constraint.type],
        "a": first.name if second and first else "world",
        "b": (second or first).name,
        "frame": {"position": [x * unit for x in position], "axis": list(turn.col[0 if constraint.type == "SLIDER" else 2])},
        "collide": not constraint.disable_collisions,
    }
    if constraint.type == "HINGE" and constraint.use_limit_ang_z:
        joint["limits"] = [constraint.limit_ang_z_lower, constraint.limit_ang_z_upper]
    if constraint.type == "SLIDER" and constraint.use_limit_lin_x:
        joint["limits"] = [constraint.limit_lin_x_lower * unit, constraint.limit_lin_x_upper * unit]
    return joint


def scene_of(things: "list[Any]", name: str, settings: Any) -> dict:
    """The scene (docs/scenes.md) of selected objects: meshes become bodies, rigid body constraints joints."""
    unit = bpy.context.scene.unit_settings.scale_length
    bodies = [body_of(thing, unit, settings.density) for thing in things if thing.type == "MESH"]
    if not any(body["motion"] == "dynamic" for body in bodies):
        raise VoussoirError("nothing would move: select at least one mesh that is not static")
    joints = [joint_of(thing, unit) for thing in things if thing.rigid_body_constraint]
    used = {body["material"] for body in bodies if "material" in body}
    materials = {"default": {"mu": settings.friction}}
    for text in sorted(used):
        own = bpy.data.materials[text]
        materials[text] = {"mu": settings.friction, **{key: float(own[key]) for key in MATERIAL_KEYS if key in own}}
    scene = bpy.context.scene
    for thing, body in ((bpy.data.objects[body["name"]], body) for body in bodies):
        thing["voussoir_start"] = body["position"]
    return {
        "voussoir": 1,
        "name": name,
        "gravity": list(scene.gravity) if scene.use_gravity else [0, 0, 0],
        "materials": materials,
        "bodies": bodies,
        "joints": joints,
        "output": {"duration": settings.duration, "frame": scene.render.fps_base / scene.render.fps},
    }


def write_scene(path: Path, things: "list[Any]", settings: Any) -> None:
    path.write_text(json.dumps(scene_of(things, path.stem, settings), indent=1) + "\n", encoding="utf-8")


# ---- a run in the background --------------------------------------------------------------------------------------


class Background:
    """The one run in progress, and what became of the last one."""

    job: Optional[Job] = None
    output = Path()
    message = ""
    ok = True  # of the last one


def start_run(scene_file: Path, output: Path, *options: str) -> None:
    if Background.job:
        raise VoussoirError("a run is in progress: cancel it first")
    Background.job = Job(["run", str(scene_file), "-o", str(output), *options])
    Background.output, Background.message, Background.ok = output, "", True


def poll_run() -> Optional[float]:
    """Seconds until it wants to be called again; None when the run has ended and its result is shown. A timer of Blender."""
    job = Background.job
    if job is None:
        return None
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            area.tag_redraw()
    if not job.ended():
        return 0.2
    Background.job = None
    code = job.process.returncode
    try:
        if code not in (0, 3, 130):  # done, tolerance missed by some steps, cancelled
            raise VoussoirError("cancelled" if job.cancelled else job.message() or f"voussoir ended with code {code}")
        settings = bpy.context.scene.voussoir
        count = move_objects(read_run(Background.output), settings.show())
        Background.message = {0: "", 3: "some steps missed the tolerance; ", 130: "cancelled; "}[code] + f"{count} objects moved"
    except (VoussoirError, OSError) as error:
        Background.message, Background.ok = str(error), False
    return None


# ---- the user interface -------------------------------------------------------------------------------------------

COLOURS = [
    ("force", "Force", "Sum of the contact forces on each body"),
    ("stress", "Stress", "Largest compression of the mean stress of each body"),
    ("speed", "Speed", "Speed of each body"),
    ("none", "None", "One colour"),
]


class VoussoirPreferences(bpy.types.AddonPreferences):
    bl_idname = __name__

    command: StringProperty(name="Command", default="voussoir", description="Program, or a line such as: python3 -m voussoir")

    def draw(self, _context: Any) -> None:
        self.layout.prop(self, "command")


class VoussoirSettings(bpy.types.PropertyGroup):
    density: FloatProperty(name="Density", default=2400, min=1e-3, description="kg/m3, without a property density")
    friction: FloatProperty(name="Friction", default=0.6, min=0, description="Coefficient, of materials without a property mu")
    duration: FloatProperty(name="Duration", default=2, min=1e-3, description="Simulated time in s")
    speed: FloatProperty(name="Playback speed", default=1, min=1e-4, description="0.1: ten times slower than it was")
    colour: EnumProperty(name="Quantity", items=COLOURS, default="force")
    chains: BoolProperty(name="Force chains", default=True)

    def show(self) -> Show:
        return Show(colour=self.colour, chains=self.chains, speed=self.speed)


class Reports:
    """Turns what goes wrong into a message of Blender."""

    def execute(self, context: Any) -> "set[str]":
        try:
            self.work(context)
        except (VoussoirError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class VOUSSOIR_OT_import(Reports, bpy.types.Operator, ImportHelper):
    """Show a trajectory of voussoir as animated objects"""

    bl_idname, bl_label, bl_options = "voussoir.import_run", "Import voussoir trajectory", {"REGISTER", "UNDO"}
    filter_glob: StringProperty(default="*.h5;*.glb", options={"HIDDEN"})
    every: IntProperty(name="Every", default=1, min=1, description="Read every N-th frame")
    colour: EnumProperty(name="Colour", items=COLOURS, default="force")
    maximum: FloatProperty(name="Maximum", min=0, description="Value of the darkest colour; 0: the largest of the run")
    chains: BoolProperty(name="Force chains", default=True)
    opacity: FloatProperty(name="Opacity", default=1, min=0, max=1, description="Below 1, force chains are seen inside of bodies")
    speed: FloatProperty(name="Playback speed", default=1, min=1e-4, description="0.1: ten times slower than it was")

    def work(self, _context: Any) -> None:
        path = Path(self.filepath)
        show_run(read_run(path, self.every), path.stem, Show(self.colour, self.maximum, self.chains, self.opacity, self.speed))


class VOUSSOIR_OT_export(Reports, bpy.types.Operator, ExportHelper):
    """Write the selected objects as a scene of voussoir"""

    bl_idname, bl_label = "voussoir.export_scene", "Export voussoir scene"
    filename_ext = ".json"

    def work(self, context: Any) -> None:
        write_scene(Path(self.filepath), context.selected_objects, context.scene.voussoir)


class VOUSSOIR_OT_simulate(Reports, bpy.types.Operator):
    """Simulate the selected objects in the background, then animate them"""

    bl_idname, bl_label = "voussoir.simulate", "Simulate"

    def work(self, context: Any) -> None:
        folder = Path(tempfile.mkdtemp(prefix="voussoir-", dir=bpy.app.tempdir or None))
        write_scene(folder / "scene.json", context.selected_objects, context.scene.voussoir)
        start_run(folder / "scene.json", folder / "run.h5")
        if not bpy.app.background:
            bpy.app.timers.register(poll_run)
            return
        while (wait := poll_run()) is not None:  # without a window there are no timers
            time.sleep(wait)
        if not Background.ok:
            raise VoussoirError(Background.message)


class VOUSSOIR_OT_cancel(bpy.types.Operator):
    """End the run after its present step"""

    bl_idname, bl_label = "voussoir.cancel", "Cancel"

    def execute(self, _context: Any) -> "set[str]":
        if Background.job:
            Background.job.cancel()
        return {"FINISHED"}


class VOUSSOIR_PT_panel(bpy.types.Panel):
    bl_idname, bl_label = "VOUSSOIR_PT_panel", "voussoir"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "voussoir"

    def draw(self, context: Any) -> None:
        layout, settings = self.layout, context.scene.voussoir
        for name in ("density", "friction", "duration", "speed", "colour", "chains"):
            layout.prop(settings, name)
        if Background.job:
            layout.label(text=f"{100 * Background.job.progress:.0f} %")
            layout.operator("voussoir.cancel")
        else:
            layout.operator("voussoir.simulate")
        for line in Background.message.splitlines()[:6]:
            layout.label(text=line, icon="INFO" if Background.ok else "ERROR")
        layout.operator("voussoir.export_scene")
        layout.operator("voussoir.import_run")


def import_menu(menu: Any, _context: Any) -> None:
    menu.layout.operator("voussoir.import_run", text="voussoir trajectory (.h5)")


def export_menu(menu: Any, _context: Any) -> None:
    menu.layout.operator("voussoir.export_scene", text="voussoir scene (.json)")


CLASSES = (
    VoussoirPreferences,
    VoussoirSettings,
    VOUSSOIR_OT_import,
    VOUSSOIR_OT_export,
    VOUSSOIR_OT_simulate,
    VOUSSOIR_OT_cancel,
    VOUSSOIR_PT_panel,
)


def register() -> None:
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.Scene.voussoir = PointerProperty(type=VoussoirSettings)
    bpy.types.TOPBAR_MT_file_import.append(import_menu)
    bpy.types.TOPBAR_MT_file_export.append(export_menu)


def unregister() -> None:
    if Background.job:
        Background.job.cancel()
    bpy.types.TOPBAR_MT_file_import.remove(import_menu)
    bpy.types.TOPBAR_MT_file_export.remove(export_menu)
    del bpy.types.Scene.voussoir
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
