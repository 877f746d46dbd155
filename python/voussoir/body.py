"""Bodies and joints of a world, as handles: one that was removed raises `ArgumentError`, it never crashes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Tuple, Union, overload

import numpy as np

from . import errors
from ._core import NULL, FloatArray, choices, ffi, lib, quat, text, vec3, view
from .shapes import Pose, Signal, Vector, multiply, rotate, signals

if TYPE_CHECKING:
    from .world import World

__all__ = ["Body", "Joint"]

POSE = ("position", "rotation")
ZERO: Tuple[float, float, float] = (0.0, 0.0, 0.0)


def vector(raw: Any) -> FloatArray:
    return np.array([raw.x, raw.y, raw.z])


class _StateVector:
    """A part of a body's state: read as an array, set from anything like one."""

    def __init__(self, name: str, size: int, doc: str) -> None:
        self.name, self.size, self.__doc__ = name, size, doc

    @overload
    def __get__(self, body: None, owner: object) -> "_StateVector":
        ...

    @overload
    def __get__(self, body: "Body", owner: object) -> FloatArray:
        ...

    def __get__(self, body: Optional["Body"], owner: object) -> Union["_StateVector", FloatArray]:
        if body is None:
            return self
        state = body._state()
        raw = getattr(state.pose if self.name in POSE else state, self.name)
        return view(ffi.addressof(raw), self.size, np.float64, state).copy()

    def __set__(self, body: "Body", value: Vector) -> None:
        given = vec3(value, self.name) if self.size == 3 else quat(value, self.name)
        with body.world._context.lock:
            state = body._state()
            setattr(state.pose if self.name in POSE else state, self.name, given)
            body.world._call(lib.vs_world_set_body_state, body.world._pointer, body._id, state)


class ServoState(NamedTuple):
    force: float
    target: float
    speed: float


class Body:
    """A body of a world. Positions are those of its centre of mass."""

    __slots__ = ("world", "_id")

    def __init__(self, world: "World", id_: Any) -> None:
        self.world = world
        self._id = id_

    def _state(self) -> Any:
        state = ffi.new("vs_body_state *")
        self.world._call(lib.vs_world_get_body_state, self.world._pointer, self._id, state)
        return state

    @property
    def id(self) -> Tuple[int, int]:
        """Index and generation, as in `Simulation.contacts`."""
        return self._id.index, self._id.generation

    @property
    def name(self) -> str:
        return text(lib.vs_world_get_body_name(self.world._pointer, self._id))

    position = _StateVector("position", 3, "m, of the centre of mass, world axes; may be set.")
    rotation = _StateVector("rotation", 4, "Quaternion (w, x, y, z), body to world; may be set.")
    velocity = _StateVector("velocity", 3, "m/s, of the centre of mass, world axes; may be set.")
    spin = _StateVector("spin", 3, "rad/s, angular velocity, world axes; may be set.")

    @property
    def pose(self) -> Pose:
        return Pose(self.position, self.rotation)

    def _mass(self) -> Tuple[float, FloatArray]:
        mass, inertia = ffi.new("double *"), ffi.new("vs_mat3 *")
        self.world._call(lib.vs_world_get_body_mass, self.world._pointer, self._id, mass, inertia)
        return mass[0], view(inertia.a, 9, np.float64, inertia).reshape(3, 3).copy()

    @property
    def mass(self) -> float:
        """kg; 0 unless dynamic."""
        return self._mass()[0]

    @property
    def inertia(self) -> FloatArray:
        """kg m^2 about the centre of mass, body axes (3 x 3)."""
        return self._mass()[1]

    def place(self, position: Optional[Vector] = None, rotation: Optional[Vector] = None) -> None:
        """Moves the body with everything that is joined to it; coordinates and rates of the joints are kept."""
        with self.world._context.lock:
            state = self._state()
            if position is not None:
                state.pose.position = vec3(position, "position")
            if rotation is not None:
                state.pose.rotation = quat(rotation, "rotation")
            self.world._call(lib.vs_world_place_mechanism, self.world._pointer, self._id, state)

    def apply_force(self, force: Vector, point: Optional[Vector] = None) -> None:
        """N, world axes, during the next step only; at a point of the world or the centre of mass."""
        where = NULL if point is None else ffi.new("vs_vec3 *", vec3(point, "point"))
        self.world._call(lib.vs_world_apply_force, self.world._pointer, self._id, vec3(force, "force"), where)

    def apply_torque(self, torque: Vector) -> None:
        """N m, world axes, during the next step only."""
        self.world._call(lib.vs_world_apply_torque, self.world._pointer, self._id, vec3(torque, "torque"))

    def add_load(
        self,
        force: Sequence[Signal] = ZERO,
        torque: Sequence[Signal] = ZERO,
        *,
        point: Vector = ZERO,
        frame: str = "world",
    ) -> None:
        """Forces and torques over time: numbers, expressions of the time t ("300*min(t/2, 1)"), `Table`, `Sine`, `Record`.

        The force acts at a point of the body, in its axes from the centre of mass; frame "body": force and torque turn with
        the body.
        """
        if frame not in ("world", "body"):
            raise errors.ArgumentError(f"frame: {frame!r} is unknown; choose 'world' or 'body'")
        definition = ffi.new("vs_load_def *", lib.vs_load_def_default())
        (forces, keep_a), (torques, keep_b) = signals(force, "force"), signals(torque, "torque")
        definition.force, definition.torque = forces, torques
        definition.point, definition.follows = vec3(point, "point"), frame == "body"
        self.world._call(lib.vs_world_add_load_at, self.world._pointer, self._id, definition)
        del keep_a, keep_b

    def set_drive(
        self,
        velocity: Optional[Sequence[Signal]] = None,
        spin: Sequence[Signal] = ZERO,
        *,
        position: Optional[Sequence[Signal]] = None,
        acceleration: Optional[Sequence[Signal]] = None,
    ) -> None:
        """The motion of a kinematic body over time: velocity, or position (its change counts), or acceleration, which is
        integrated exactly for numbers, `Table`, `Sine` and `Record`."""
        given = [x for x in (velocity, position, acceleration) if x is not None]
        if len(given) > 1:
            raise errors.ArgumentError("set_drive: give only one of velocity, position and acceleration")
        use = (
            lib.VS_SIGNAL_DIFFERENTIATED
            if position is not None
            else lib.VS_SIGNAL_INTEGRATED if acceleration is not None else lib.VS_SIGNAL_AS_IS
        )
        (first, keep_a), (second, keep_b) = signals(given[0] if given else ZERO, "drive", use), signals(spin, "spin")
        self.world._call(lib.vs_world_set_drive, self.world._pointer, self._id, first, second)
        del keep_a, keep_b

    def set_servo(
        self,
        direction: Vector,
        *,
        gain: float,
        speed: float,
        force: Optional[Signal] = None,
        stress: Optional[Signal] = None,
        across: Sequence[Sequence["Body"]] = (),
    ) -> None:
        """Regulates a kinematic body so that it presses in a direction with a force (N) over time, or with a stress (Pa) on the area
        between two pairs of bodies: its velocity becomes gain (target - force of the last step), at most `speed`.

        gain: (m/s)/N, a tenth of 1/(stiffness of all contacts with the body x step)."""
        if (force is None) == (stress is None):
            raise errors.ArgumentError("set_servo: give either force or stress")
        bodies = [body for pair in across for body in pair]
        if len(bodies) != (0 if stress is None else 4):
            raise errors.ArgumentError("set_servo: across is two pairs of bodies with stress, and nothing with force")
        definition = ffi.new("vs_servo_def *", lib.vs_servo_def_default())
        (targets, keep) = signals([force if stress is None else stress, 0, 0], "target")  # type: ignore[list-item]
        definition.direction, definition.target = vec3(direction, "direction"), targets[0]
        definition.gain, definition.speed = gain, speed
        for k, body in enumerate(bodies):
            definition.across[k] = body._id
        self.world._call(lib.vs_world_set_servo, self.world._pointer, self._id, definition)
        del keep

    @property
    def servo(self) -> ServoState:
        """Force of the last step and target (N), speed along the direction (m/s)."""
        state = ffi.new("vs_servo_state *")
        self.world._call(lib.vs_world_get_servo, self.world._pointer, self._id, state)
        return ServoState(state.force, state.target, state.speed)

    def remove(self) -> None:
        """With its shapes and joints."""
        self.world._call(lib.vs_world_remove_body, self.world._pointer, self._id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and self.world is other.world and self.id == other.id

    def __hash__(self) -> int:
        return hash((id(self.world), self.id))

    def __repr__(self) -> str:
        try:
            name = f" {self.name!r}" if self.name else ""
            where = ", ".join(f"{x:.4g}" for x in self.position)
            return f"<voussoir.Body{name}: {self.mass:.4g} kg at ({where}) m>"
        except errors.ArgumentError:
            return "<voussoir.Body: removed>"


class Joint:
    """A joint of a world."""

    __slots__ = ("world", "_id")

    def __init__(self, world: "World", id_: Any) -> None:
        self.world = world
        self._id = id_

    @property
    def name(self) -> str:
        return text(lib.vs_world_get_joint_name(self.world._pointer, self._id))

    def _motion(self) -> Tuple[float, float]:
        out = ffi.new("double[2]")
        self.world._call(lib.vs_world_get_joint_coordinate, self.world._pointer, self._id, out, out + 1)
        return out[0], out[1]

    @property
    def coordinate(self) -> float:
        """rad or m. If it is set, everything behind the joint moves along, and its rate is kept."""
        return self._motion()[0]

    @coordinate.setter
    def coordinate(self, coordinate: float) -> None:
        self._set_motion(coordinate, self.rate)

    @property
    def rate(self) -> float:
        """rad/s or m/s; may be set like the coordinate."""
        return self._motion()[1]

    @rate.setter
    def rate(self, rate: float) -> None:
        self._set_motion(self.coordinate, rate)

    def _all_motion(self) -> Tuple[FloatArray, FloatArray]:
        out, count = ffi.new("double[6]"), ffi.new("int *")
        self.world._call(lib.vs_world_get_joint_coordinates, self.world._pointer, self._id, out, out + 3, count)
        return np.array([out[k] for k in range(count[0])]), np.array([out[3 + k] for k in range(count[0])])

    @property
    def coordinates(self) -> FloatArray:
        """All coordinates (rad, m), one per free motion of b relative to a, in the axes of a's frame.

        Planar: x, y, angle about z. Cylindrical: z, angle about z. Universal: angles about z of a and x of b.
        Spherical: the rotation vector. Fixed joints and gears have none, all others one, their `coordinate`.

        >>> import voussoir
        >>> world = voussoir.World()
        >>> ball = world.add_body(voussoir.Sphere(0.1), position=[0.3, 0.4, 0], velocity=[1, 2, 0], spin=[0, 0, 5])
        >>> joint = world.add_joint("planar", None, ball, position=ball.position)
        >>> joint.coordinates.size, joint.rates.round(9).tolist()
        (3, [1.0, 2.0, 5.0])
        """
        return self._all_motion()[0]

    @property
    def rates(self) -> FloatArray:
        """Rates of `coordinates` (rad/s, m/s); of a spherical joint the angular velocity."""
        return self._all_motion()[1]

    def _set_motion(self, coordinate: float, rate: float) -> None:
        self.world._call(lib.vs_world_set_joint_coordinate, self.world._pointer, self._id, coordinate, rate)

    def set_rotation(self, rotation: Vector, spin: Vector = ZERO) -> None:
        """Turns a spherical joint, with everything behind it: quaternion (w, x, y, z) of b in a, spin in the axes of b (rad/s).

        >>> import voussoir
        >>> world = voussoir.World()
        >>> ball = world.add_body(voussoir.Sphere(0.1), position=[0, 0, -1])
        >>> joint = world.add_joint("spherical", None, ball, position=[0, 0, 0])
        >>> joint.set_rotation([1, 1, 0, 0])
        >>> (ball.position.round(9) + 0.0).tolist()
        [0.0, 1.0, 0.0]
        """
        turn = quat(rotation, "rotation")
        self.world._call(lib.vs_world_set_joint_rotation, self.world._pointer, self._id, turn, vec3(spin, "spin"))

    def _def(self) -> Any:
        out = ffi.new("vs_joint_def *")
        self.world._call(lib.vs_world_get_joint_def, self.world._pointer, self._id, out)
        return out

    @property
    def kind(self) -> str:
        """As for `World.add_joint()`."""
        return choices("vs_joint_kind")[int(self._def().kind)]

    @property
    def bodies(self) -> Tuple[Optional[Body], Optional[Body]]:
        """a and b; None is the world."""
        found = self._def()
        a, b = (ffi.new("vs_body_id *", id_)[0] for id_ in (found.a, found.b))
        return Body(self.world, a) if a.index else None, Body(self.world, b) if b.index else None

    def _frame(self) -> Pose:
        """Frame A in the world."""
        found, (a, _) = self._def(), self.bodies
        position, rotation = vector(found.frame_a.position), [getattr(found.frame_a.rotation, k) for k in "wxyz"]
        return Pose(position, rotation) if a is None else Pose(a.pose.apply(position), multiply(a.rotation, rotation))

    @property
    def position(self) -> FloatArray:
        """m, the origin of its frame on a, in the world."""
        return np.asarray(vec3(self._frame().position))

    @property
    def axis(self) -> FloatArray:
        """The direction that it turns about or slides along (z of its frame on a), in the world."""
        return rotate(self._frame().rotation, (0.0, 0.0, 1.0))

    @property
    def limits(self) -> Optional[Tuple[float, float]]:
        """Of the coordinate, rad or m; None: it has none."""
        found = self._def()
        return (found.low, found.high) if found.limited else None

    @property
    def motor_limit(self) -> float:
        """N m or N, the largest effort of its motor; 0: unlimited."""
        return float(self._def().motor_limit)

    @property
    def applied_effort(self) -> float:
        """N m or N, the effort of its motor in the last step."""
        out = ffi.new("double *")
        self.world._call(lib.vs_world_get_joint_effort, self.world._pointer, self._id, out)
        return float(out[0])

    # ---- commands: from now on, also between steps. Checkpoints do not contain them -------------------------

    def _command(self, motor: int) -> Optional[float]:
        found = self._def()
        return float(found.target.value) if found.motor == motor else None

    @property
    def target(self) -> Optional[float]:
        """rad or m, the position that its motor goes to; None: it has another command. With a table or sine: its value."""
        return self._command(lib.VS_MOTOR_POSITION)

    @target.setter
    def target(self, position: float) -> None:
        self.world._call(lib.vs_world_set_joint_target, self.world._pointer, self._id, position)

    @property
    def speed(self) -> Optional[float]:
        """rad/s or m/s, the speed that its motor keeps; None: it has another command."""
        return self._command(lib.VS_MOTOR_SPEED)

    @speed.setter
    def speed(self, speed: float) -> None:
        self.world._call(lib.vs_world_set_joint_speed, self.world._pointer, self._id, speed)

    @property
    def effort(self) -> Optional[float]:
        """N m or N, the effort that its motor applies; None: it has another command."""
        return self._command(lib.VS_MOTOR_EFFORT)

    @effort.setter
    def effort(self, effort: float) -> None:
        self.world._call(lib.vs_world_set_joint_effort, self.world._pointer, self._id, effort)

    @property
    def gains(self) -> Tuple[float, float]:
        """Stiffness and damping of the motor, treated implicitly; (0, 0): target and speed are prescribed exactly."""
        found = self._def()
        return found.motor_stiffness, found.motor_damping

    @gains.setter
    def gains(self, gains: Tuple[float, float]) -> None:
        self.world._call(lib.vs_world_set_joint_gains, self.world._pointer, self._id, *gains)

    @property
    def reaction(self) -> Tuple[FloatArray, FloatArray]:
        """Force (N) and torque (N m) of the last step on B, in frame A."""
        out = ffi.new("vs_vec3[2]")
        self.world._call(lib.vs_world_get_joint_reaction, self.world._pointer, self._id, out, out + 1)
        return vector(out[0]), vector(out[1])

    def remove(self) -> None:
        self.world._call(lib.vs_world_remove_joint, self.world._pointer, self._id)

    def __repr__(self) -> str:
        try:
            name = f" {self.name!r}" if self.name else ""
            return f"<voussoir.Joint{name}: coordinate {self.coordinate:.6g}>"
        except errors.ArgumentError:
            return "<voussoir.Joint: removed>"
