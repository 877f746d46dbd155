"""Answers to queries about a world, and events of a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Tuple

from ._core import FloatArray, ffi
from .body import Body, vector

if TYPE_CHECKING:
    from .world import World

__all__ = ["Hit", "Event"]

KINDS = ("begin", "persist", "end")


def read_body(world: "World", raw: Any) -> Optional[Body]:
    """The body of a vs_body_id inside another struct; None is the world."""
    if raw.index == 0:
        return None
    copy = ffi.new("vs_body_id *")
    copy.index, copy.generation = raw.index, raw.generation
    return Body(world, copy[0])


class Hit(NamedTuple):
    """A place on a collider."""

    body: Optional[Body]  # None: the world
    collider: Tuple[int, int]  # its id
    point: FloatArray  # m (3), on its surface
    normal: FloatArray  # (3) unit, out of the shape
    distance: float  # m, of the origin of the ray, or of the point; negative inside

    @classmethod
    def _read(cls, world: "World", raw: Any) -> "Hit":
        collider = (raw.collider.index, raw.collider.generation)
        return cls(read_body(world, raw.body), collider, vector(raw.point), vector(raw.normal), raw.distance)


class Event(NamedTuple):
    """What happened between two bodies in a step."""

    kind: str  # "begin", "persist" or "end"
    a: Optional[Body]  # None: the world
    b: Optional[Body]
    sensor: bool  # a sensor of one of them touches the other
    impulse: FloatArray  # N s on b (3)
    point: FloatArray  # m (3), where it acts

    @classmethod
    def _read(cls, world: "World", raw: Any) -> "Event":
        a, b = read_body(world, raw.a), read_body(world, raw.b)
        return cls(KINDS[int(raw.kind)], a, b, bool(raw.sensor), vector(raw.impulse), vector(raw.point))
