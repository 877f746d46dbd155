"""How a simulation ends: conditions that stop it, and whether its bodies stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import errors
from ._core import choices, ffi, lib, nearest, text
from .body import Body

if TYPE_CHECKING:
    from .world import World

__all__ = ["Margin", "Outcome"]

_WHEN = choices("vs_stop_when")
_KEYS = {  # of scene files (docs/scenes.md)
    "displacement": {"body", "above"},
    "rotation": {"body", "above"},
    "speed": {"body", "above"},
    "rest": {"body", "below", "for"},
    "contact": {"body", "bodies"},
    "falls": {"body"},
}


class Margin(NamedTuple):
    """How far the interfaces between bodies are from sliding, 1 - T/(mu N), and from tipping, the distance of the centre of
    pressure to the edge of the support over that of its middle: 1 to 0, of the interface with the least; nan: there is none."""

    sliding: float
    sliding_between: Tuple[Optional[Body], Optional[Body]]  # None: the world
    tipping: float
    tipping_between: Tuple[Optional[Body], Optional[Body]]

    @classmethod
    def _read(cls, world: "World", raw: Any) -> "Margin":
        def bodies(pair: Any) -> Tuple[Optional[Body], Optional[Body]]:
            both = [Body(world, ffi.new("vs_body_id *", pair[k])[0]) if pair[k].index > 0 else None for k in range(2)]
            return both[0], both[1]

        return cls(raw.sliding, bodies(raw.sliding_between), raw.tipping, bodies(raw.tipping_between))


class Outcome(NamedTuple):
    """How a simulation stands after its last step (outcome.h)."""

    condition: Optional[int]  # index of the stop condition that is met
    met_by: Optional[Body]  # the body that met it; None: all
    met_value: float  # of the quantity that it limits: m, rad, m/s
    state: str  # "stands", "moving", "displaced"
    at_rest: bool
    speed: float  # m/s, of the fastest point
    displacement: float  # m, largest so far, of
    farthest: Optional[Body]  #   this body
    residual: float  # m, displacement after the last step, the largest one, of
    residual_of: Optional[Body]  #   this body
    rotation: float  # rad, largest so far, of
    most_turned: Optional[Body]  #   this body
    displaced: Optional[Body]  # the first one that left its place
    farthest_on: Optional[Body]  # the moving support that carries `farthest`; None: the ground
    residual_on: Optional[Body]  # and `residual_of`

    @property
    def stands(self) -> bool:
        return self.state == "stands"

    @classmethod
    def _read(cls, world: "World", raw: Any) -> "Outcome":
        def body(name: str) -> Optional[Body]:
            id_ = getattr(raw, name)
            return Body(world, ffi.new("vs_body_id *", id_)[0]) if id_.index > 0 else None

        bodies = ("met_by", "farthest", "residual_of", "most_turned", "displaced", "farthest_on", "residual_on")
        special = {name: body(name) for name in bodies}
        state = text(lib.vs_outcome_state_name(raw.state))
        values = {**special, "state": state, "condition": raw.condition if raw.condition >= 0 else None}
        return cls(*[values[name] if name in values else getattr(raw, name) for name in cls._fields])


def _body(world: "World", body: Union[str, Body, None]) -> Any:
    if body is None or body == "world":
        return ffi.new("vs_body_id *")[0]
    return world._id(world.body(body) if isinstance(body, str) else body, "body")


def _condition(world: "World", given: Mapping[str, Any]) -> Any:
    """A condition as in scene files; bodies by name or as objects."""
    made = lib.vs_stop_condition_default()
    when = str(given.get("when", ""))
    if when not in _WHEN:
        raise errors.ArgumentError(f"stop: there is no condition {when!r}{nearest(when, _WHEN)}")
    unknown = set(given) - _KEYS[when] - {"when", "comment"}
    if unknown or ("above" in _KEYS[when] and "above" not in given):
        raise errors.ArgumentError(f"stop: {when} has {', '.join(sorted(_KEYS[when]))}; given {dict(given)}")
    made.when = _WHEN.index(when)
    made.body = _body(world, given.get("body"))
    made.limit = given.get("above", given.get("below", 0.0))
    made.hold = given.get("for", made.hold)
    if "bodies" in given:
        first, second = sorted((_body(world, body) for body in given["bodies"]), key=lambda id_: bool(id_.index == 0))
        made.body, made.other, made.pair = first, second, True
    return made


def set_stop(struct: Any, world: "World", conditions: Sequence[Mapping[str, Any]]) -> List[object]:
    """Sets the conditions of simulation options; returns what must live until they are copied."""
    array = ffi.new("vs_stop_condition[]", [_condition(world, given) for given in conditions])
    struct.stop, struct.stops = array, len(conditions)
    return [array]
