"""The world: bodies with their shapes, materials, joints and loads. `Simulation` moves it."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import errors
from ._core import NULL, Context, FloatArray, dtype_of, enum_value, ffi, lib, nearest, pointer_to, text, vec3
from .body import ZERO, Body, Joint, vector
from .control import Controls
from .materials import MaterialValue, describe_fields, set_fields
from .observe import Tree
from .query import Hit
from .sensor import Sensors
from .shapes import MassProperties, Placed, Plane, Pose, Shape, Signal, Sine, Table, Vector
from .shapes import fill_signal, mass_of, placed, read_mass, signals, turn_z_to
from .simulation import Energy, Simulation

__all__ = ["World"]


JOINT_VALUES = "collide stiffness damping rest friction armature compliance length ratio".split()


class World:
    """Bodies, shapes, materials, joints and loads.

    >>> import voussoir
    >>> world = voussoir.World()
    >>> floor = world.add_floor()
    >>> ball = world.add_body(voussoir.Sphere(0.1), density=1000, position=[0, 0, 0.5], name="ball")
    >>> world
    <voussoir.World: 1 body, 0 joints, t = 0 s>
    >>> simulation = world.simulate(step=1 / 240)
    >>> summary = simulation.run(1.0)
    >>> bool(abs(ball.position[2] - 0.1) < 1e-6), len(simulation.contacts)
    (True, 1)
    """

    def __init__(self, gravity: Vector = (0.0, 0.0, -9.81), *, threads: int = 1) -> None:
        context = Context(threads)
        definition = lib.vs_world_def_default()
        definition.gravity = vec3(gravity, "gravity")
        argument = ffi.addressof(definition)
        made = context.make(
            lib.VS_PY_WORLD, "vs_world", context.handle, lib.vs_world_create, context.pointer, argument
        )
        self._adopt(context, *made)

    def _adopt(self, context: Context, pointer: Any, handle: Any) -> None:
        self._context = context
        self._pointer = pointer
        self._handle = handle
        self._shapes: Dict[Shape, Tuple[Any, Any]] = {}

    @classmethod
    def _wrap(cls, context: Context, pointer: Any, handle: Any) -> "World":
        self = cls.__new__(cls)
        self._adopt(context, pointer, handle)
        return self

    def _call(self, function: Any, *arguments: Any) -> None:
        self._context.call(function, *arguments)

    # ---- as a whole --------------------------------------------------------------------------------

    @property
    def gravity(self) -> FloatArray:
        """m/s^2. May be set to three functions of time (`Table`, "expression"), and is then that of the last step."""
        return vector(lib.vs_world_get_gravity(self._pointer))

    @gravity.setter
    def gravity(self, value: Any) -> None:
        if not isinstance(value, np.ndarray) and any(isinstance(x, (str, Table, Sine)) for x in value):
            array, keep = signals(value, "gravity")
            self._call(lib.vs_world_set_gravity_signal, self._pointer, array)
            del keep
        else:
            self._call(lib.vs_world_set_gravity, self._pointer, vec3(value, "gravity"))

    @property
    def period(self) -> FloatArray:
        """m, after which space repeats itself along x, y and z; 0: it does not."""
        return vector(lib.vs_world_get_period(self._pointer))

    @period.setter
    def period(self, value: Vector) -> None:
        self._call(lib.vs_world_set_period, self._pointer, vec3(value, "period"))

    @property
    def time(self) -> float:
        """s, simulated so far."""
        return float(lib.vs_world_get_time(self._pointer))

    @property
    def energy(self) -> Energy:
        with self._context.lock:
            return Energy._read(lib.vs_world_get_energy(self._pointer))

    @property
    def hash(self) -> int:
        """Of poses, velocities and time, bit for bit."""
        with self._context.lock:
            return int(lib.vs_world_get_hash(self._pointer))

    def simulate(self, **options: Any) -> Simulation:
        """A `Simulation` of this world; options are those of its class."""
        return Simulation(self, **options)

    def assemble(self, tolerance: float = 1e-9) -> None:
        """Moves the bodies until all joints hold to a tolerance in m."""
        self._call(lib.vs_world_assemble, self._pointer, tolerance)

    def __repr__(self) -> str:
        bodies, joints = len(self), lib.vs_world_get_joint_count(self._pointer)
        words = f"{bodies} {'body' if bodies == 1 else 'bodies'}, {joints} joint{'' if joints == 1 else 's'}"
        return f"<voussoir.World: {words}, t = {self.time:.6g} s>"

    # ---- materials and shapes ----------------------------------------------------------------------

    def add_material(self, name: Optional[str] = None, **fields: MaterialValue) -> int:
        """Returns its index. The first material is that of every shape without one."""
        index = ffi.new("int *")
        material = ffi.new("vs_material *", lib.vs_material_default())
        set_fields(material, fields, "add_material")
        self._call(lib.vs_world_add_material, self._pointer, material, _name(name), index)
        return int(index[0])

    def _material(self, material: Union[int, str]) -> int:
        if not isinstance(material, str):
            return int(material)
        index = int(lib.vs_world_find_material(self._pointer, material.encode()))
        if index < 0:
            raise errors.ArgumentError(f"there is no material {material!r}")
        return index

    def set_pair(self, a: Union[int, str], b: Union[int, str], **fields: MaterialValue) -> None:
        """What holds between two materials. Fields that are not given, or None, follow from the two:"""
        first, second = self._material(a), self._material(b)
        pair = ffi.new("vs_material *", lib.vs_world_get_material_pair(self._pointer, first, second))
        set_fields(pair, fields, "set_pair")
        self._call(lib.vs_world_set_material_pair, self._pointer, first, second, pair)

    describe_fields(add_material, defaults=True)
    describe_fields(set_pair, defaults=False)

    def add_mortar(
        self,
        between: Optional[Sequence[Optional[Body]]] = None,
        *,
        tension: float = 0.0,
        cohesion: Optional[float] = None,
        fracture_energy: float = 0.0,
        shear_fracture_energy: float = 0.0,
        softening: str = "linear",
        area: float = 0.0,
        compression: float = 0.0,
        dilatancy: float = 0.0,
        dilatancy_slip: float = 0.0,
    ) -> None:
        """Bonds the bodies that touch when the next step begins; `Simulation.bonds` are those of all mortar.

        between                 bodies, of which None is the world; None: all that touches
        tension, cohesion       Pa; cohesion None: mu tension
        fracture_energy         J/m^2, of opening; 0: brittle
        shear_fracture_energy   J/m^2, of sliding; 0: fracture_energy cohesion / tension
        softening               how the strength falls: "linear" or "exponential"
        area                    m^2, of a contact of one or two points; 0: such contacts are not bonded
        compression             Pa; a joint that carries more is crushed; 0: no limit
        dilatancy               degrees, less than 90: the sides ride up on each other when they slip
        dilatancy_slip          m, slip at which they stop rising; 0: that at which a bond breaks, not if brittle
        """
        definition = lib.vs_mortar_def_default()
        ids = ffi.new("vs_body_id[]", [self._id(body, "between") for body in between or ()])
        definition.body, definition.bodies = ids, len(ids)
        definition.tension, definition.compression, definition.area = tension, compression, area
        definition.dilatancy, definition.dilatancy_slip = dilatancy, dilatancy_slip
        definition.fracture_energy, definition.shear_fracture_energy = fracture_energy, shear_fracture_energy
        definition.softening = enum_value("vs_softening", softening, "softening")
        if cohesion is not None:
            if cohesion < 0:
                raise errors.ArgumentError(f"mortar: cohesion must not be negative (is {cohesion:g})")
            definition.cohesion = cohesion
        self._call(lib.vs_world_add_mortar, self._pointer, ffi.addressof(definition))

    def _id(self, part: Union[Body, Joint, None], what: str) -> Any:
        """The id of a body or joint of this world; None is the world. Ids of another world would name others here."""
        if part is None:
            return ffi.new("vs_body_id *")[0]
        if part.world._pointer != self._pointer:
            kind = type(part).__name__.lower()
            raise errors.ArgumentError(f"{what}: {kind} {part.name or part._id.index!r} belongs to another world")
        return part._id

    def _shape(self, shape: Shape) -> Any:
        """The C object; equal shapes share one."""
        try:
            found = self._shapes.get(shape)
        except TypeError:  # a size given as a list has no hash
            found = None
        if found is None:
            found = shape._make(self._context)
            try:
                self._shapes[shape] = found
            except TypeError:
                self._shapes[Shape()] = found
        return found[0]

    def add_collider(
        self,
        shape: Shape,
        body: Optional[Body] = None,
        *,
        pose: Pose = Pose(),
        material: Union[int, str] = 0,
        group: int = 1,
        mask: int = 0xFFFFFFFF,
        surface_velocity: Vector = ZERO,
        grain: Vector = ZERO,
        sensor: bool = False,
    ) -> Tuple[int, int]:
        """Puts a shape on a body, at a pose in its axes (centre of mass), or into the world. Returns its id.

        A `sensor` reports what it touches (`Simulation.events`) and pushes nothing.
        """
        definition = lib.vs_collider_def_default()
        if body is not None:
            definition.body = self._id(body, "body")
        definition.shape = self._shape(shape)
        definition.pose = pose._c()
        definition.material = self._material(material)
        definition.group, definition.mask = group, mask
        definition.surface_velocity = vec3(surface_velocity, "surface_velocity")
        definition.grain = vec3(grain, "grain")
        definition.sensor = sensor
        out = ffi.new("vs_collider_id *")
        self._call(lib.vs_world_add_collider, self._pointer, ffi.addressof(definition), out)
        return out.index, out.generation

    def remove_collider(self, collider: Tuple[int, int]) -> None:
        self._call(lib.vs_world_remove_collider, self._pointer, collider)

    def add_floor(self, height: float = 0.0, *, material: Union[int, str] = 0) -> Tuple[int, int]:
        """A level plane of the world."""
        return self.add_collider(Plane(), pose=Pose((0, 0, height)), material=material)

    def ignore(self, a: Optional[Body], b: Optional[Body]) -> None:
        """No contacts between these two; None is the world."""
        self._call(lib.vs_world_ignore_pair, self._pointer, self._id(a, "a"), self._id(b, "b"))

    # ---- queries -----------------------------------------------------------------------------------

    def _hit(self, function: Any, *arguments: Any) -> Optional[Hit]:
        out = ffi.new("vs_query_hit *")
        self._call(function, self._pointer, *arguments, out)
        return Hit._read(self, out) if out.found else None

    def cast_ray(
        self, origin: Vector, direction: Vector, length: float = 1e6, *, mask: int = 0xFFFFFFFF
    ) -> Optional[Hit]:
        """The first collider that a ray meets, None if there is none.

        >>> import voussoir
        >>> world = voussoir.World()
        >>> floor = world.add_floor()
        >>> world.cast_ray([0, 0, 2], [0, 0, -1]).distance
        2.0
        """
        return self._hit(lib.vs_world_cast_ray, vec3(origin, "origin"), vec3(direction, "direction"), length, mask)

    def closest_point(self, point: Vector, reach: float = 1e3, *, mask: int = 0xFFFFFFFF) -> Optional[Hit]:
        """The closest point on any collider within `reach`, None if there is none; negative distance: inside."""
        return self._hit(lib.vs_world_find_closest_point, vec3(point, "point"), reach, mask)

    def overlapping(self, shape: Shape, pose: Pose = Pose(), *, mask: int = 0xFFFFFFFF) -> List[Tuple[int, int]]:
        """Ids of the colliders that a shape would touch or overlap at a pose, ascending."""
        count = ffi.new("int *")
        arguments = (self._pointer, self._shape(shape), pose._c(), mask)
        self._call(lib.vs_world_find_overlapping, *arguments, ffi.NULL, 0, count)
        found = ffi.new("vs_collider_id[]", max(count[0], 1))
        self._call(lib.vs_world_find_overlapping, *arguments, found, count[0], count)
        return [(found[k].index, found[k].generation) for k in range(count[0])]

    def distance(self, a: Optional[Body], b: Optional[Body], reach: float = 1e3) -> float:
        """Distance of two bodies, m; negative: depth of their overlap; infinite beyond `reach`. None is the world."""
        out = ffi.new("vs_body_distance *")
        self._call(lib.vs_world_get_body_distance, self._pointer, self._id(a, "a"), self._id(b, "b"), reach, out)
        return float(out.distance)

    # ---- bodies ------------------------------------------------------------------------------------

    def _weigh(self, parts: Sequence[Tuple[Shape, Pose]], density: float) -> MassProperties:
        """Of shapes rigidly put together, in the body's axes."""
        total = ffi.new("vs_mass_properties *")
        for shape, pose in parts:
            part = mass_of(self._context, self._shape(shape), density)
            total[0] = lib.vs_mass_properties_add(total, part, pose._c())
        return read_mass(total)

    def add_body(
        self,
        shapes: Union[Placed, Sequence[Placed]] = (),
        *,
        motion: str = "dynamic",
        position: Vector = ZERO,
        rotation: Vector = (1.0, 0.0, 0.0, 0.0),
        velocity: Vector = ZERO,
        spin: Vector = ZERO,
        density: float = 1000.0,
        mass: Optional[float] = None,
        inertia: Optional[npt.ArrayLike] = None,
        centre: Optional[Vector] = None,
        material: Union[int, str] = 0,
        group: int = 1,
        mask: int = 0xFFFFFFFF,
        name: Optional[str] = None,
    ) -> Body:
        """Adds a body of one shape, or of several as (shape, pose) in its frame.

        motion      "dynamic", "kinematic" (moves with its velocity, whatever pushes it) or "static"
        position    of the body's frame, which shapes are given in; `Body.position` is the centre of mass
        velocity    of the centre of mass, m/s; spin: rad/s; both in world axes
        density     kg/m^3, or mass in kg, which the density is scaled to
        inertia     with `mass`, instead of the shapes': 3 x 3 or three moments; centre: in the body's frame
        """
        parts = placed(shapes)
        properties = self._mass(parts, motion, density, mass, inertia, centre)
        middle = properties.centre
        definition = lib.vs_body_def_default()
        definition.motion = enum_value("vs_motion", motion, "motion")
        definition.pose = Pose(Pose(position, rotation).apply(middle), rotation)._c()
        definition.velocity, definition.spin = vec3(velocity, "velocity"), vec3(spin, "spin")
        definition.mass = properties.mass
        definition.inertia.a = properties.inertia.reshape(9).tolist()
        label = _name(name)
        definition.name = label
        out = ffi.new("vs_body_id *")
        self._call(lib.vs_world_add_body, self._pointer, ffi.addressof(definition), out)
        body = Body(self, out[0])
        for shape, pose in parts:
            place = Pose(np.asarray(vec3(pose.position)) - middle, pose.rotation)
            self.add_collider(shape, body, pose=place, material=material, group=group, mask=mask)
        return body

    def _mass(
        self,
        parts: Sequence[Tuple[Shape, Pose]],
        motion: str,
        density: float,
        mass: Optional[float],
        inertia: Optional[npt.ArrayLike],
        centre: Optional[Vector],
    ) -> MassProperties:
        origin = np.zeros(3) if centre is None else np.asarray(vec3(centre, "centre"))
        if inertia is not None:
            if mass is None:
                raise errors.ArgumentError("inertia: needs a mass")
            given = np.asarray(inertia, dtype=np.float64)
            if given.size not in (3, 9):
                raise errors.ArgumentError(f"inertia: has {given.size} entries, must have 3 or 9")
            return MassProperties(mass, origin, np.diag(given) if given.size == 3 else given.reshape(3, 3))
        if motion != "dynamic":
            return MassProperties(1.0, origin, np.eye(3))
        if not parts:
            raise errors.ArgumentError("a dynamic body needs a shape, or mass and inertia")
        solid = self._weigh(parts, density)
        factor = 1.0 if mass is None else mass / solid.mass
        return MassProperties(factor * solid.mass, solid.centre, factor * solid.inertia)

    def __len__(self) -> int:
        return int(lib.vs_world_get_body_count(self._pointer))

    def __bool__(self) -> bool:
        return True  # an empty world is a world

    def __iter__(self) -> Iterator[Body]:
        return iter(self.bodies)

    @property
    def bodies(self) -> List[Body]:
        """Those alive, in the order of the rows of `states()`."""
        return [Body(self, lib.vs_world_get_body_at(self._pointer, k)) for k in range(len(self))]

    def body(self, name: str) -> Body:
        """By its name; KeyError if there is none."""
        found = lib.vs_world_find_body(self._pointer, name.encode())
        if found.index == 0 and found.generation == 0:
            raise KeyError(f"there is no body {name!r}{nearest(name, _names(self.bodies))}")
        return Body(self, found)

    def body_ids(self) -> npt.NDArray[np.uint32]:
        """Index and generation of each body (bodies x 2)."""
        ids = np.empty((len(self), 2), np.uint32)
        with self._context.lock:
            lib.vs_py_get_bodies(self._pointer, len(ids), pointer_to(ids, "vs_body_id[]"))
        return ids

    def solid_ids(self) -> npt.NDArray[np.uint32]:
        """Index and generation of each flexible solid (solids x 2); beams are none, their nodes are bodies."""
        found, view = [], ffi.new("vs_flexible_view *")
        with self._context.lock:
            for k in range(lib.vs_world_get_flexible_count(self._pointer)):
                identity = lib.vs_world_get_flexible_at(self._pointer, k)
                self._context.call(lib.vs_world_get_flexible_view, self._pointer, identity, view)
                if not view.beam:
                    found.append((identity.index, identity.generation))
        return np.array(found, np.uint32).reshape(-1, 2)

    def solid_names(self) -> List[str]:
        """Of the flexible solids, in the order of `solid_ids()`; "" where one has none."""
        with self._context.lock:
            return [
                text(lib.vs_world_get_flexible_name(self._pointer, {"index": int(index), "generation": int(generation)}))
                for index, generation in self.solid_ids()
            ]

    def states(self, out: Optional[npt.NDArray[Any]] = None) -> npt.NDArray[Any]:
        """All bodies at once: one row each with pose (position, rotation), velocity and spin; into `out` if given.

        >>> import voussoir
        >>> world = voussoir.scene("sphere-pile", levels=2).world
        >>> states = world.states()
        >>> states.shape, states["pose"]["position"].shape, states["velocity"].shape
        ((5,), (5, 3), (5, 3))
        """
        dtype = dtype_of("vs_body_state")
        with self._context.lock:
            count = len(self)
            if out is None:
                out = np.empty(count, dtype)
            if out.dtype != dtype or out.shape != (count,) or not out.flags.c_contiguous:
                raise errors.ArgumentError(f"out: must be an array of {count} body states, as states() gives them")
            self._call(lib.vs_py_get_states, self._pointer, count, pointer_to(out, "vs_body_state[]"))
        return out

    def set_states(self, states: npt.NDArray[Any]) -> None:
        """Puts every body where the rows say. For a run with the same bits also `Simulation.reset()`."""
        given = np.ascontiguousarray(states, dtype=dtype_of("vs_body_state"))
        with self._context.lock:
            if given.shape != (len(self),):
                raise errors.ArgumentError(f"states: has {given.size} rows, must have {len(self)}")
            self._call(lib.vs_py_set_states, self._pointer, len(given), pointer_to(given, "vs_body_state[]"))

    @property
    def positions(self) -> FloatArray:
        """Centres of mass (bodies x 3), m."""
        return np.asarray(self.states()["pose"]["position"])

    @property
    def rotations(self) -> FloatArray:
        """Quaternions (bodies x 4)."""
        return np.asarray(self.states()["pose"]["rotation"])

    @property
    def velocities(self) -> FloatArray:
        """(bodies x 3), m/s."""
        return np.asarray(self.states()["velocity"])

    @property
    def spins(self) -> FloatArray:
        """(bodies x 3), rad/s."""
        return np.asarray(self.states()["spin"])

    # ---- joints ------------------------------------------------------------------------------------

    def add_joint(
        self,
        kind: str,
        a: Optional[Body],
        b: Optional[Body],
        *,
        position: Optional[Vector] = None,
        axis: Optional[Vector] = None,
        frame_a: Optional[Pose] = None,
        frame_b: Optional[Pose] = None,
        limits: Optional[Tuple[float, float]] = None,
        speed: Optional[Signal] = None,
        target: Optional[Signal] = None,
        motor_limit: float = 0.0,
        gains: Tuple[float, float] = (0.0, 0.0),
        joints: Optional[Tuple[Joint, Joint]] = None,
        name: Optional[str] = None,
        **values: float,
    ) -> Joint:
        """Joins two bodies; None is the world.

        kind              "fixed", "spherical", "revolute" (about the axis), "prismatic" (along it), "cylindrical",
                          "universal", "planar", "distance", "gear", "spring", "constant-velocity"
        position, axis    one frame in the world for both bodies in their initial poses; axis is the direction of its z
        frame_a, frame_b  or one in the axes of each body (centre of mass)
        limits            of the coordinate, rad or m
        speed, target     a motor that imposes speed or position over time; motor_limit: its largest force (N, N m);
                          gains: its stiffness and damping, (0, 0): exact. `Joint` changes them while it runs
        values            collide, stiffness, damping, rest, friction, armature, compliance, length, ratio (world.h)

        >>> import voussoir
        >>> world = voussoir.World()
        >>> arm = world.add_body(voussoir.Box([0.4, 0.02, 0.02]), position=[0.2, 0, 0])
        >>> hinge = world.add_joint("revolute", None, arm, position=[0, 0, 0], axis=[0, 1, 0])
        >>> world.simulate().run(0.2).steps, bool(hinge.coordinate > 0.1)
        (48, True)
        """
        definition = lib.vs_joint_def_default()
        definition.kind = enum_value("vs_joint_kind", kind, "kind")
        definition.a, definition.b = self._id(a, "a"), self._id(b, "b")
        common = None
        if position is not None or axis is not None:
            turn: Vector = (1.0, 0.0, 0.0, 0.0) if axis is None else turn_z_to(axis)
            common = Pose(ZERO if position is None else position, turn)
        for field, body, frame in (("frame_a", a, frame_a), ("frame_b", b, frame_b)):
            if frame is None and common is not None:
                frame = common if body is None else common.seen_from(body.pose)
            setattr(definition, field, (frame or Pose())._c())
        if limits is not None:
            definition.limited, (definition.low, definition.high) = True, limits
        keep: List[Any] = [_name(name)]
        definition.name = keep[0]
        if speed is not None or target is not None:
            if speed is not None and target is not None:
                raise errors.ArgumentError("a motor imposes a speed or a target, not both")
            definition.motor = lib.VS_MOTOR_SPEED if speed is not None else lib.VS_MOTOR_POSITION
            keep += fill_signal(definition.target, speed if speed is not None else target)  # type: ignore[arg-type]
        definition.motor_limit = motor_limit
        definition.motor_stiffness, definition.motor_damping = gains
        if joints is not None:
            definition.joint_a, definition.joint_b = self._id(joints[0], "joints"), self._id(joints[1], "joints")
        for field, value in values.items():
            if field not in JOINT_VALUES:
                raise errors.ArgumentError(f"a joint has no {field!r}")
            setattr(definition, field, bool(value) if field == "collide" else value)
        out = ffi.new("vs_joint_id *")
        self._call(lib.vs_world_add_joint, self._pointer, ffi.addressof(definition), out)
        del keep
        return Joint(self, out[0])

    @property
    def joints(self) -> List[Joint]:
        count = lib.vs_world_get_joint_count(self._pointer)
        return [Joint(self, lib.vs_world_get_joint_at(self._pointer, k)) for k in range(count)]

    def joint_motion(self) -> FloatArray:
        """Coordinate (rad or m) and rate of all joints at once (joints x 2), in the order of `joints`; 0 for kinds without one.

        Joints with several, as planar and spherical ones, have them in `Joint.coordinates` and `Joint.rates`.

        >>> import voussoir
        >>> voussoir.scene("four-bar").world.joint_motion().shape
        (4, 2)
        """
        with self._context.lock:
            motion = np.empty((lib.vs_world_get_joint_count(self._pointer), 2))
            self._call(lib.vs_py_get_joints, self._pointer, len(motion), pointer_to(motion, "double[]"))
        return motion

    def set_joint_motion(self, motion: npt.ArrayLike) -> None:
        """Coordinate and rate of all joints at once, as `joint_motion()` gives them; NaN leaves a joint as it is.

        Each moves everything behind it along. Joints of closed loops are refused: place their bodies and `assemble()`.

        >>> import voussoir
        >>> world = voussoir.scene("gripper").world
        >>> motion = world.joint_motion()
        >>> motion[-1] = 0.01, 0
        >>> world.set_joint_motion(motion)
        >>> round(world.joints[-1].coordinate, 9)
        0.01
        """
        values = np.ascontiguousarray(motion, dtype=np.float64)
        with self._context.lock:
            count = lib.vs_world_get_joint_count(self._pointer)
            if values.shape != (count, 2):
                raise errors.ArgumentError(f"motion: has the shape {values.shape}, must have ({count}, 2)")
            self._call(lib.vs_py_set_joints, self._pointer, count, pointer_to(values, "double[]"))

    def joint_efforts(self) -> FloatArray:
        """Efforts (N m or N) that the motors of all joints exerted in the last step, in the order of `joints`."""
        with self._context.lock:
            efforts = np.empty(lib.vs_world_get_joint_count(self._pointer))
            self._call(lib.vs_py_get_efforts, self._pointer, len(efforts), pointer_to(efforts, "double[]"))
        return efforts

    def tree(self) -> Tree:
        """Generalized positions and velocities of all bodies, mass matrix, Jacobians, inverse dynamics."""
        return Tree(self)

    @property
    def controls(self) -> Controls:
        """Named inputs that command motors: the actuators of MJCF, and those of `add_control()`."""
        return Controls(self)

    @property
    def sensors(self) -> Sensors:
        """Named measurements: the sensors of MJCF."""
        return Sensors(self)

    def add_control(
        self,
        name: str,
        part: Union[Joint, Body],
        *,
        motor: str = "effort",
        gear: float = 1.0,
        offset: float = 0.0,
        limits: Optional[Tuple[float, float]] = None,
        gains: Optional[Tuple[float, float]] = None,
        force: Vector = ZERO,
        torque: Vector = ZERO,
        point: Vector = ZERO,
    ) -> None:
        """An input for `controls` that commands the motor of a joint, or pushes a body.

        motor       "effort": gear * value; "position": value / gear + offset; "speed": value / gear
        limits      of the value
        gains       stiffness and damping; controls of one joint with gains add up, of others the last command counts
        force       (N) at `point` and `torque` (N m) on a body per unit of the value, in the body's axes, from its centre of mass

        >>> import voussoir
        >>> world = voussoir.World()
        >>> arm = world.add_body(voussoir.Box([0.4, 0.02, 0.02]), position=[0.2, 0, 0])
        >>> hinge = world.add_joint("revolute", None, arm, position=[0, 0, 0], axis=[0, 1, 0], gains=(10, 1))
        >>> world.add_control("shoulder", hinge, motor="position", limits=(-1, 1))
        >>> world.controls["shoulder"] = 5
        >>> world.controls["shoulder"], hinge.target, world.controls
        (1.0, 1.0, <voussoir.Controls: shoulder = 1>)
        >>> world.add_control("propeller", arm, force=[0, 0, 2], torque=[0, 0, -0.02], point=[0.2, 0, 0])
        """
        definition = lib.vs_control_def_default()
        label = _name(name)
        definition.name = label
        if isinstance(part, Body):
            definition.body = self._id(part, "body")
            definition.force, definition.torque = vec3(force, "force"), vec3(torque, "torque")
            definition.point = vec3(point, "point")
        else:
            definition.joint = self._id(part, "joint")
        definition.motor = enum_value("vs_motor_kind", motor, "motor")
        definition.gear, definition.offset = gear, offset
        if limits is not None:
            definition.limited, (definition.low, definition.high) = True, limits
        if gains is not None:
            definition.adds, (definition.stiffness, definition.damping) = True, gains
        self._call(lib.vs_world_add_control, self._pointer, ffi.addressof(definition), NULL)

    def command_efforts(self, efforts: npt.ArrayLike) -> None:
        """The efforts (N m or N) of all joints at once, in the order of `joints`; NaN leaves a joint as it is."""
        values = np.ascontiguousarray(efforts, dtype=np.float64)
        with self._context.lock:
            count = lib.vs_world_get_joint_count(self._pointer)
            if values.shape != (count,):
                raise errors.ArgumentError(f"efforts: has the shape {values.shape}, must have ({count},)")
            self._call(lib.vs_py_set_efforts, self._pointer, count, pointer_to(values, "double[]"))

    def joint(self, name: str) -> Joint:
        """By its name; KeyError if there is none."""
        found = lib.vs_world_find_joint(self._pointer, name.encode())
        if found.index == 0 and found.generation == 0:
            raise KeyError(f"there is no joint {name!r}{nearest(name, _names(self.joints))}")
        return Joint(self, found)


def _names(parts: Sequence[Union[Body, Joint]]) -> List[str]:
    """Those that have one."""
    return [part.name for part in parts if part.name]


def _name(name: Optional[str]) -> Any:
    """A C string or null, owned by the caller."""
    return NULL if name is None else ffi.new("char[]", name.encode())
