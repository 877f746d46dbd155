"""Statics of blocks with dry joints, mortar and ties: do they stand, how much can they carry, how do they fall (statics.h)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import errors
from ._core import NULL, FloatArray, ffi, lib, text, vec3
from .body import Body, vector

if TYPE_CHECKING:
    from .world import World

__all__ = ["Interface", "JointForce", "LawCheck", "Limit", "LimitGradient", "Mechanism", "Nonassociative", "Statics", "Verdict"]


class Interface(NamedTuple):
    """Two bodies that meet, face to face or in points."""

    a: Optional[Body]  # None: the world
    b: Optional[Body]
    normal: FloatArray  # unit, from a to b (3)
    corners: FloatArray  # m (n x 3)
    area: float  # m^2; 0: points
    gap: Tuple[float, float]  # m, least and largest; negative: overlap
    mu: float


class JointForce(NamedTuple):
    """What a joint carries."""

    name: str
    force: FloatArray  # N, on b (3)
    torque: FloatArray  # N m, on b, at the origin of its frame (3)
    tension: float  # N, of a distance joint: above 0 it pulls
    slack: bool  # a tie that is too long carries nothing


class Mechanism(NamedTuple):
    """A motion that proves that there is no equilibrium. The largest speed of a block is 1 m/s."""

    holds: bool
    exact: bool  # the contacts allow it without any violation
    power: float  # W, of the loads; of a limit: of the live load
    violation: float  # m/s, largest
    reach: float  # an equilibrium would need normal forces with a sum above this many weights
    velocity: FloatArray  # m/s, of the blocks (n x 3)
    spin: FloatArray  # rad/s (n x 3)


class Verdict(NamedTuple):
    """Whether an assembly stands, with its proof."""

    verdict: str  # "stands", "falls", "undecided"
    margin: float  # above 0: it stands
    residual: float  # of the forces, relative to the loads
    forces: Optional[List[FloatArray]]  # N on b at the corners of each interface (n x 3); None unless it stands
    mechanism: Optional[Mechanism]  # None if it stands
    iterations: int
    joints: List[JointForce]  # of the world, in their order; empty unless it stands

    @property
    def stands(self) -> bool:
        return self.verdict == "stands"


class Limit(NamedTuple):
    """The largest factor of the live load, with proved bounds."""

    status: str  # "found", "unbounded", "falls", "undecided"
    factor: float
    lower: float  # forces in equilibrium were found for this factor
    upper: float  # a mechanism forbids a larger one
    forces: Optional[List[FloatArray]]  # at `lower`
    mechanism: Optional[Mechanism]
    iterations: int
    joints: List[JointForce]  # at `lower`
    gradient: Optional[LimitGradient] = None  # if it was asked for, and the limit was found

    @property
    def tilt(self) -> float:
        """rad, at which the ground may be tilted, if the live load is a horizontal part of the weight."""
        return float(np.arctan(self.factor))


class LimitGradient(NamedTuple):
    """Derivatives of the factor of a limit load, from its forces and its mechanism."""

    density: FloatArray  # (blocks) by the logarithm of a block's density
    mu: FloatArray  # (interfaces) by the friction of one interface
    force: FloatArray  # 1/N, by a dead force on a block's centre (n x 3)
    moment: FloatArray  # 1/(N m), by a dead moment on a block (n x 3)
    corners: List[FloatArray]  # 1/m, by the corners of each interface, with masses and normals kept (n x 3)


class LawCheck(NamedTuple):
    """One step from rest with the exact law."""

    decided: bool  # the step was solved to its tolerance
    moves: bool  # the equilibrium depends on how its forces arose
    speed: float  # relative to that of free blocks
    error: float  # of the step, relative


class Nonassociative(NamedTuple):
    """A load factor of Coulomb's law without dilatancy. Such solutions are not unique."""

    factor: float
    error: float  # of the exact law, relative to the power of the live load
    iterations: int
    converged: bool


class Statics:
    """The blocks of a world in their present state, with the interfaces between them.

    >>> import voussoir
    >>> arch = voussoir.Statics(voussoir.scene("arch").world)
    >>> len(arch.interfaces), arch.solve().verdict
    (12, 'stands')
    >>> thin = voussoir.Statics(voussoir.scene("arch", thickness=0.1).world).solve()
    >>> thin.verdict, thin.mechanism.exact
    ('falls', True)
    >>> arch.add_live_weight([1, 0, 0])
    >>> limit = arch.limit()
    >>> limit.status, limit.lower <= limit.factor <= limit.upper
    ('found', True)
    >>> by = arch.limit(gradient=True).gradient
    >>> bool(abs(sum(by.density)) < 1e-6), len(by.corners)  # twice the density of all blocks: the same factor
    (True, 12)
    """

    def __init__(self, world: "World", *, angle: float = 0.01, distance: float = 1e-3, time: Optional[float] = None) -> None:
        options = lib.vs_interface_options_default()
        options.angle, options.distance = angle, distance
        if time is not None:
            options.time = time
        self._world = world
        self._context = world._context
        self._pointer, self._handle = self._context.make(
            lib.VS_PY_STATICS,
            "vs_statics",
            self._context.handle,
            lib.vs_statics_create,
            world._pointer,
            ffi.addressof(options),
        )
        count = lib.vs_statics_get_block_count(self._pointer)
        self.blocks: List[Optional[Body]] = [self._body(lib.vs_statics_get_block(self._pointer, k)) for k in range(count)]
        self.interfaces: List[Interface] = [
            self._interface(k) for k in range(lib.vs_statics_get_report(self._pointer).interfaces)
        ]

    @property
    def weight(self) -> float:
        """N, of all blocks and loads."""
        return float(lib.vs_statics_get_weight(self._pointer))

    def solve(self) -> Verdict:
        """Whether it stands, with forces or a mechanism as proof."""
        raw = ffi.new("vs_statics_result *")
        self._context.call(lib.vs_statics_solve, self._pointer, raw)
        stands = raw.verdict == lib.VS_VERDICT_STANDS
        return Verdict(
            text(lib.vs_verdict_name(raw.verdict)),
            raw.margin,
            raw.forces.residual,
            self._forces(raw.forces.force) if stands else None,
            None if stands else self._mechanism(raw.mechanism),
            raw.iterations,
            self._joints(raw.forces.joint) if stands else [],
        )

    def range(self, interface: int, direction: Optional[npt.ArrayLike] = None) -> Tuple[float, float]:
        """Least and largest force (N) on b of an interface over all equilibria, along its normal or a direction."""
        if not 0 <= interface < len(self.interfaces):
            raise errors.ArgumentError(f"there is no interface {interface}, only {len(self.interfaces)} of them")
        along = vec3(self.interfaces[interface].normal if direction is None else direction, "direction")
        out = ffi.new("double[2]")
        self._context.call(lib.vs_statics_find_range, self._pointer, interface, along, out)
        return out[0], out[1]

    def check_law(self) -> LawCheck:
        """Whether Coulomb's law lets it move although an equilibrium exists."""
        raw = ffi.new("vs_law_check *")
        self._context.call(lib.vs_statics_check_law, self._pointer, raw)
        return LawCheck(raw.decided, raw.moves, raw.speed, raw.error)

    def add_live_weight(self, direction: npt.ArrayLike) -> None:
        """Adds to the live load the weight of each block, along a direction."""
        self._context.call(lib.vs_statics_add_live_weight, self._pointer, vec3(direction, "direction"))

    def add_live_force(
        self, body: Union[str, Body], force: npt.ArrayLike, point: Optional[npt.ArrayLike] = None
    ) -> None:
        """Adds to the live load a force (N) on a block, at a point in world axes or at its centre of mass."""
        where = NULL if point is None else ffi.new("vs_vec3 *", vec3(point, "point"))
        id_ = self._world._id(self._world.body(body) if isinstance(body, str) else body, "body")
        self._context.call(lib.vs_statics_add_live_force, self._pointer, id_, vec3(force, "force"), where)

    def clear_live_load(self) -> None:
        lib.vs_statics_clear_live_load(self._pointer)

    def limit(self, *, gradient: bool = False) -> Limit:
        """The largest factor of the live load, and its derivatives with `gradient`."""
        raw = ffi.new("vs_limit_result *")
        self._context.call(lib.vs_statics_find_limit, self._pointer, raw)
        found = gradient and raw.status == lib.VS_LIMIT_FOUND
        return Limit(
            text(lib.vs_limit_status_name(raw.status)),
            raw.factor,
            raw.lower,
            raw.upper,
            self._forces(raw.forces.force) if raw.forces.holds else None,
            self._mechanism(raw.mechanism) if raw.mechanism.velocity else None,
            raw.iterations,
            self._joints(raw.forces.joint) if raw.forces.holds else [],
            self._gradient(raw) if found else None,
        )

    def nonassociative(self) -> Tuple[Nonassociative, Nonassociative]:
        """Factors of Coulomb's law without dilatancy, by sequences with given dilatancy and with given friction."""
        both = [ffi.new("vs_nonassociative *") for _ in range(2)]
        self._context.call(lib.vs_statics_find_nonassociative, self._pointer, both[0], both[1])
        high, low = (Nonassociative(raw.factor, raw.error, raw.iterations, raw.converged) for raw in both)
        return high, low

    def _body(self, id_: Any) -> Optional[Body]:
        return Body(self._world, ffi.new("vs_body_id *", id_)[0]) if id_.index > 0 else None

    def _interface(self, k: int) -> Interface:
        raw = ffi.new("vs_interface *")
        self._context.call(lib.vs_statics_get_interface, self._pointer, k, raw)
        numbers = range(raw.first, raw.first + raw.corners)
        corners = np.array([vector(lib.vs_statics_get_point(self._pointer, c)) for c in numbers])
        gap = (raw.gap_least, raw.gap_most)
        return Interface(self._body(raw.a), self._body(raw.b), vector(raw.normal), corners, raw.area, gap, raw.mu)

    def _gradient(self, limit: Any) -> LimitGradient:
        raw = ffi.new("vs_limit_gradient *")
        self._context.call(lib.vs_statics_differentiate_limit, self._pointer, limit, raw)
        blocks = range(len(self.blocks))
        return LimitGradient(
            np.array([raw.density[k] for k in blocks]),
            np.array([raw.mu[k] for k in range(len(self.interfaces))]),
            np.array([vector(raw.force[k]) for k in blocks]).reshape(-1, 3),
            np.array([vector(raw.moment[k]) for k in blocks]).reshape(-1, 3),
            self._forces(raw.point),
        )

    def _forces(self, raw: Any) -> List[FloatArray]:
        forces: List[FloatArray] = []
        first = 0
        for interface in self.interfaces:
            count = len(interface.corners)
            forces.append(np.array([vector(raw[first + c]) for c in range(count)]).reshape(count, 3))
            first += count
        return forces

    def _joints(self, raw: Any) -> List[JointForce]:
        return [
            JointForce(
                text(lib.vs_world_get_joint_name(self._world._pointer, raw[k].id)),
                vector(raw[k].force),
                vector(raw[k].torque),
                raw[k].tension,
                raw[k].slack,
            )
            for k in range(lib.vs_statics_get_joint_count(self._pointer))
        ]

    def _mechanism(self, raw: Any) -> Mechanism:
        velocity = np.array([vector(raw.velocity[k]) for k in range(len(self.blocks))])
        spin = np.array([vector(raw.spin[k]) for k in range(len(self.blocks))])
        return Mechanism(raw.holds, raw.exact, raw.power, raw.violation, raw.reach, velocity, spin)
