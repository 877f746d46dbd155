"""Shapes, poses and functions of time: plain values that worlds are made of. SI units, radians, z up.

A shape has no place; any number of bodies may share one. Rotations are quaternions (w, x, y, z) from body to world.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import errors
from ._core import Context, FloatArray, Path, ffi, lib, path_bytes, pointer_to, quat, vec3, view

__all__ = [
    "Shape",
    "Sphere",
    "Box",
    "Capsule",
    "Cylinder",
    "Ellipsoid",
    "Plane",
    "Hull",
    "Mesh",
    "HeightField",
    "ShapeFile",
    "MassProperties",
    "Pose",
    "rotation",
    "Table",
    "Sine",
    "Record",
    "Intensity",
]

Vector = npt.ArrayLike

# ---- poses -----------------------------------------------------------------------------------------


class Pose(NamedTuple):
    """Where something is: x_world = position + rotation * x_local."""

    position: Vector = (0.0, 0.0, 0.0)
    rotation: Vector = (1.0, 0.0, 0.0, 0.0)

    def _c(self) -> Any:
        """As a vs_pose, by value."""
        pose = ffi.new("vs_pose *")
        pose.position = vec3(self.position, "position")
        pose.rotation = quat(self.rotation)
        return pose[0]

    def apply(self, point: Vector) -> FloatArray:
        """The point in the outer axes."""
        return np.asarray(vec3(self.position)) + rotate(self.rotation, point)

    def seen_from(self, other: "Pose") -> "Pose":
        """The same place in the axes of `other`; both are given in the same axes."""
        back = conjugate(other.rotation)
        away = np.asarray(vec3(self.position)) - np.asarray(vec3(other.position))
        return Pose(rotate(back, away), multiply(back, self.rotation))


def multiply(p: Vector, q: Vector) -> FloatArray:
    """Hamilton's product: first q, then p."""
    a, b = np.asarray(quat(p)), np.asarray(quat(q))
    vector = a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]], vector])


def conjugate(q: Vector) -> FloatArray:
    w, x, y, z = quat(q)
    return np.array([w, -x, -y, -z])


def rotate(q: Vector, x: Vector) -> FloatArray:
    q, x = np.asarray(quat(q)), np.asarray(vec3(x))
    t = 2 * np.cross(q[1:], x)
    return np.asarray(x + q[0] * t + np.cross(q[1:], t))


def rotation(axis: Vector, angle: float) -> FloatArray:
    """The quaternion of a turn about an axis, rad.

    >>> import voussoir
    >>> voussoir.rotation([0, 0, 2], 3.141592653589793).round(12).tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    direction = np.asarray(vec3(axis, "axis"))
    length = float(np.linalg.norm(direction))
    if not length > 0:
        raise errors.ArgumentError("axis: must not be zero")
    return np.concatenate([[math.cos(angle / 2)], math.sin(angle / 2) / length * direction])


def turn_z_to(axis: Vector) -> FloatArray:
    """The smallest turn that brings z to an axis."""
    direction = np.asarray(vec3(axis, "axis"))
    direction = direction / np.linalg.norm(direction)
    if direction[2] < -1 + 1e-12:
        return np.array([0.0, 1.0, 0.0, 0.0])
    q = np.array([1 + direction[2], -direction[1], direction[0], 0.0])
    return np.asarray(q / np.linalg.norm(q))


# ---- shapes ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MassProperties:
    """Mass (kg), centre of mass (m, shape's axes) and inertia about it (kg m^2, 3 x 3)."""

    mass: float
    centre: FloatArray
    inertia: FloatArray


@lru_cache(maxsize=None)
def _checking() -> Context:
    """Of shapes that are made only to find out whether they can be."""
    return Context()


class Shape:
    """Geometry without a place; one of the classes below."""

    def _make(self, context: Context) -> Tuple[Any, Any]:
        """The C object and its handle."""
        function, arguments = self._arguments()
        made = context.make(lib.VS_PY_SHAPE, "vs_shape", context.handle, function, context.pointer, *arguments)
        return made

    def _arguments(self) -> Tuple[Any, Tuple[Any, ...]]:
        raise NotImplementedError

    _quick = False  # to make: sizes are checked when the shape is written, not when it is used

    def __post_init__(self) -> None:
        if self._quick:
            self._make(_checking())
        else:
            self._arguments()

    def mass(self, density: float = 1000.0) -> MassProperties:
        """Of the solid; `Unsupported` for planes, open meshes and height fields.

        >>> import voussoir
        >>> voussoir.Box([1, 2, 3]).mass(density=2).mass
        12.0
        """
        context = Context()
        pointer, handle = self._make(context)
        return read_mass(mass_of(context, pointer, density))

    def surface(self) -> Tuple[FloatArray, npt.NDArray[np.int32]]:
        """Vertices (n x 3, m, the shape's axes) and triangles (m x 3, counter-clockwise seen from outside), for drawing.

        Round shapes have some dozens of triangles to a turn, planes none.

        >>> import voussoir
        >>> vertices, triangles = voussoir.Box([1, 2, 3]).surface()
        >>> vertices.shape, triangles.shape, vertices.max(axis=0).tolist()
        ((8, 3), (12, 3), [0.5, 1.0, 1.5])
        """
        context = Context()
        pointer, handle = self._make(context)
        raw = ffi.new("vs_shape_surface *")
        context.call(lib.vs_shape_get_surface, pointer, raw)
        vertices = np.zeros((raw.vertices, 3))
        triangles = np.zeros((raw.triangles, 3), dtype=np.int32)
        raw.vertex = ffi.cast("vs_vec3 *", vertices.ctypes.data)
        raw.triangle = ffi.cast("int *", triangles.ctypes.data)
        context.call(lib.vs_shape_get_surface, pointer, raw)
        return vertices, triangles


def mass_of(context: Context, shape: Any, density: float) -> Any:
    """vs_mass_properties of a C shape."""
    raw = ffi.new("vs_mass_properties *")
    context.call(lib.vs_shape_get_mass, shape, density, raw)
    return raw


def read_mass(raw: Any) -> MassProperties:
    centre = raw.centre
    inertia = view(raw.inertia.a, 9, np.float64, raw).reshape(3, 3).copy()
    return MassProperties(raw.mass, np.array([centre.x, centre.y, centre.z]), inertia)


@dataclass(frozen=True)
class Sphere(Shape):
    radius: float
    _quick = True

    def _arguments(self) -> Tuple[Any, Tuple[Any, ...]]:
        return lib.vs_shape_sphere, (self.radius,)


@dataclass(frozen=True)
class Box(Shape):
    """`size`: the three sides, m."""

    size: Vector
    _quick = True

    def _arguments(self) -> Tuple[Any, Tuple[Any, ...]]:
        x, y, z = vec3(self.size, "size")
        return lib.vs_shape_box, ((0.5 * x, 0.5 * y, 0.5 * z),)


@dataclass(frozen=True)
class Capsule(Shape):
    """About z; `half_length` of the axis, without the round ends."""

    radius: float
    half_length: float
    _quick = True

    def _arguments(self) -> Tuple[Any, Tuple[Any, ...]]:
        return lib.vs_shape_capsule, (self.radius, self.half_length)


@dataclass(frozen=True)
class Cylinder(Shape):
    """About z."""

    radius: float
    half_length: float
    _quick = True

    def _arguments(self) -> Tuple[Any, Tuple[Any, ...]]:
        return lib.vs_shape_cylinder, (self.radius, self.half_length)


@dataclass(frozen=True)
class Ellipsoid(Shape):
    semi_axes: Vector
    _quick = True

    def _arguments(self) -> Tuple[Any, Tuple[Any, ...]]:
        return lib.vs_shape_ellipsoid, (vec3(self.semi_axes, "semi_axes"),)


@dataclass(frozen=True)
class Plane(Shape):
    """The half space z <= 0; not on dynamic bodies."""

    def _arguments(self) -> Tuple[Any, Tuple[Any, ...]]:
        return lib.vs_shape_plane, ()


def _points(points: npt.ArrayLike, what: str) -> FloatArray:
    array: FloatArray = np.ascontiguousarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise errors.ArgumentError(f"{what}: must have the shape (count, 3), has {array.shape}")
    return array


@dataclass(frozen=True, eq=False)
class Hull(Shape):
    """The convex hull of points (count x 3)."""

    points: npt.ArrayLike

    def _arguments(self) -> Tuple[Any, Tuple[Any, ...]]:
        array = _points(self.points, "points")
        return lib.vs_shape_hull, (pointer_to(array, "vs_vec3[]"), len(array))


def _indices(triangles: npt.ArrayLike, count: int) -> npt.NDArray[np.int32]:
    """Of vertices 0 … count - 1; nothing is rounded or wrapped around."""
    given = np.asarray(triangles)
    if given.ndim != 2 or given.shape[1] != 3:
        raise errors.ArgumentError(f"triangles: must have the shape (count, 3), has {given.shape}")
    try:
        wrong = (given != np.floor(given)) | (given < 0) | (given >= count)
    except TypeError:
        raise errors.ArgumentError("triangles: must be whole numbers") from None
    if wrong.any():
        at = int(np.argwhere(wrong)[0][0])
        raise errors.ArgumentError(f"triangles: row {at} is {given[at].tolist()}; indices are 0 … {count - 1}")
    return np.ascontiguousarray(given, dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Mesh(Shape):
    """Triangles (count x 3 indices of vertices), counter-clockwise seen from outside."""

    vertices: npt.ArrayLike
    triangles: npt.ArrayLike

    def _arguments(self) -> Tuple[Any, Tuple[Any, ...]]:
        array = _points(self.vertices, "vertices")
        indices = _indices(self.triangles, len(array))
        vertices, triangles = pointer_to(array, "vs_vec3[]"), pointer_to(indices, "int[]")
        return lib.vs_shape_mesh, (vertices, len(array), triangles, len(indices))


@dataclass(frozen=True, eq=False)
class HeightField(Shape):
    """heights[j, i]: z at (x, y) = (i dx, j dy); not on dynamic bodies."""

    heights: npt.ArrayLike
    spacing: Tuple[float, float] = (1.0, 1.0)

    def _arguments(self) -> Tuple[Any, Tuple[Any, ...]]:
        array = np.ascontiguousarray(self.heights, dtype=np.float64)
        if array.ndim != 2:
            raise errors.ArgumentError(f"heights: must have two dimensions, has {array.ndim}")
        ny, nx = array.shape
        return lib.vs_shape_height_field, (nx, ny, *self.spacing, pointer_to(array))


@dataclass(frozen=True)
class ShapeFile(Shape):
    """An STL or OBJ file, as its hull or as a mesh."""

    path: Path
    scale: float = 1.0
    hull: bool = True

    def _arguments(self) -> Tuple[Any, Tuple[Any, ...]]:
        return lib.vs_shape_from_file, (path_bytes(self.path), self.scale, self.hull)


Placed = Union[Shape, Tuple[Shape, Pose]]


def placed(shapes: Union[Placed, Sequence[Placed]]) -> List[Tuple[Shape, Pose]]:
    """A shape, or several with their poses in the body's axes."""
    if isinstance(shapes, Shape):
        return [(shapes, Pose())]
    if isinstance(shapes, tuple) and len(shapes) == 2 and isinstance(shapes[1], Pose):
        return [shapes]  # type: ignore[list-item]
    return [one for part in shapes for one in placed(part)]  # type: ignore[arg-type]


# ---- functions of time -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Table:
    """Linear between the samples, constant before the first and after the last."""

    time: npt.ArrayLike
    value: npt.ArrayLike


@dataclass(frozen=True)
class Sine:
    """value + amplitude sin(2 pi frequency t + phase); Hz, rad."""

    amplitude: float
    frequency: float
    phase: float = 0.0
    value: float = 0.0


class Record(Table):
    """A function of time in a file: a PEER accelerogram (.AT2, in g, here m/s^2), or columns of numbers.

    `column` and `time_column` count from 1; `step` (s) is for files without times, `skip` is the number of lines before the
    numbers. `baseline` removes the drift of accelerations: "velocity" (it ends at 0) or "displacement" (both do); `removed`
    is what was subtracted, removed[0] + removed[1] (t - begin), `drift` the velocity and displacement at the end of the file,
    `peak_velocity` and `peak_displacement` those of the corrected motion.
    """

    def __init__(
        self,
        path: Path,
        column: Optional[int] = None,
        *,
        time_column: int = 1,
        step: float = 0.0,
        skip: int = 0,
        scale: float = 1.0,
        baseline: str = "none",
    ) -> None:
        options = ffi.new("vs_record_options *", lib.vs_record_options_default())
        options.column = column if column is not None else 1 if step > 0 else 2
        options.time_column, options.step, options.skip, options.scale = time_column, step, skip, scale
        names = ["none", "velocity", "displacement"]
        if baseline not in names:
            raise errors.ArgumentError(f"baseline: {baseline!r} is unknown; choose one of: {', '.join(names)}")
        options.baseline = names.index(baseline)
        context = Context(1)
        pointer = ffi.new("vs_record **")
        context.call(lib.vs_record_read, context.pointer, path_bytes(path), options, pointer)
        record = pointer[0]
        try:
            count = record.signal.count
            super().__init__(
                np.frombuffer(ffi.buffer(record.signal.time, 8 * count)).copy(),
                np.frombuffer(ffi.buffer(record.signal.sample, 8 * count)).copy(),
            )
            for name, value in {
                "samples": record.samples,
                "peak": record.peak,
                "removed": tuple(record.removed),
                "drift": tuple(record.drift),
                "peak_velocity": record.peak_integral,
                "peak_displacement": record.peak_double_integral,
            }.items():
                object.__setattr__(self, name, value)  # a frozen dataclass
        finally:
            lib.vs_record_destroy(context.pointer, record)

    samples: int
    peak: float
    removed: Tuple[float, float]
    drift: Tuple[float, float]
    peak_velocity: float
    peak_displacement: float

    def _open(self) -> Tuple[Any, List[Any]]:
        """The record as C sees it, and what must outlive it."""
        record = ffi.new("vs_record *")
        keep = fill_signal(ffi.addressof(record.signal), self)
        time = np.asarray(self.time)
        record.begin, record.end = float(time[0]), float(time[-1])
        return record, [record, *keep]

    def response(self, period: npt.ArrayLike, damping: float = 0.05) -> FloatArray:
        """Response spectrum of accelerations (m/s^2): largest displacement Sd (m) of oscillators relative to their support.

        One for each period (s) of the undamped oscillator; `damping` is the ratio to the critical one. The pseudo-acceleration
        is (2 pi/period)^2 Sd. Exact for a record that is linear between its samples (Nigam and Jennings 1969).
        """
        periods = np.asarray(period, dtype=np.float64)
        context = Context(1)
        record, keep = self._open()
        found = ffi.new("vs_response *")
        out = np.empty(periods.size)
        for k, one in enumerate(periods.flat):
            context.call(lib.vs_record_find_response, context.pointer, record, one, damping, found)
            out[k] = found.displacement
        del keep
        return out.reshape(periods.shape)

    def intensity(self) -> "Intensity":
        """How strong an accelerogram (m/s^2) is."""
        context = Context(1)
        record, keep = self._open()
        found = ffi.new("vs_intensity *")
        context.call(lib.vs_record_find_intensity, context.pointer, record, found)
        del keep
        return Intensity(found.arias, (found.significant[0], found.significant[1]), found.cumulative)


class Intensity(NamedTuple):
    """Measures of an accelerogram."""

    arias: float  # m/s: pi/(2 g) times the integral of a^2
    significant: Tuple[float, float]  # s, times at which 5 and 95 % of that integral are reached
    cumulative: float  # m/s, the integral of |a|


Signal = Union[float, str, Table, Sine]


def fill_signal(target: Any, signal: Signal) -> List[Any]:
    """Sets a vs_signal; the list must outlive its use."""
    if isinstance(signal, str):
        expression = ffi.new("char[]", signal.encode())
        target.kind, target.expression = lib.VS_SIGNAL_EXPRESSION, expression
        return [expression]
    if isinstance(signal, Table):
        time = np.ascontiguousarray(signal.time, dtype=np.float64)
        value = np.ascontiguousarray(signal.value, dtype=np.float64)
        if time.ndim != 1 or time.shape != value.shape:
            raise errors.ArgumentError(f"Table: {time.size} times and {value.size} values; they must be as many")
        keep = [pointer_to(time), pointer_to(value)]
        target.kind, target.count = lib.VS_SIGNAL_TABLE, time.size
        target.time, target.sample = keep
        return keep
    if isinstance(signal, Sine):
        target.kind, target.value, target.amplitude = lib.VS_SIGNAL_SINE, signal.value, signal.amplitude
        target.frequency, target.phase = signal.frequency, signal.phase
        return []
    target.kind, target.value = lib.VS_SIGNAL_CONSTANT, float(signal)
    return []


def signals(values: Sequence[Signal], what: str, use: Optional[int] = None) -> Tuple[Any, List[Any]]:
    """Three signals as an array, and what must outlive it."""
    if len(values) != 3:
        raise errors.ArgumentError(f"{what}: has {len(values)} signals, must have 3")
    array = ffi.new("vs_signal[3]")
    keep: List[Any] = []
    for k in range(3):
        keep += fill_signal(array[k], values[k])
        if use is not None:
            array[k].use = use
    return array, keep
