"""The controls of a world: named inputs that command the motors of joints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, MutableMapping, Optional, Tuple

import numpy as np
import numpy.typing as npt

from . import errors
from ._core import FloatArray, ffi, lib, nearest, pointer_to, text

if TYPE_CHECKING:
    from .body import Joint
    from .world import World

__all__ = ["Controls"]


class Controls(MutableMapping[str, float]):
    """The inputs of a mechanism by name, like a dict: `world.controls["hip"] = 0.3`; `array` has all of them.

    A value out of the range of its control becomes the nearest one within it.
    """

    def __init__(self, world: "World") -> None:
        self.world = world

    def _index(self, name: str) -> int:
        index = int(lib.vs_world_find_control(self.world._pointer, name.encode()))
        if index < 0:
            raise KeyError(f"there is no control {name!r}{nearest(name, list(self))}")
        return index

    def _count(self) -> int:
        return int(lib.vs_world_get_control_count(self.world._pointer))

    def _definition(self, index: int) -> "ffi.CData":
        out = ffi.new("vs_control_def *")
        self.world._call(lib.vs_world_get_control_def, self.world._pointer, index, out)
        return out

    def __getitem__(self, name: str) -> float:
        value = ffi.new("double *")
        self.world._call(lib.vs_world_get_control, self.world._pointer, self._index(name), value)
        return float(value[0])

    def __setitem__(self, name: str, value: float) -> None:
        self.world._call(lib.vs_world_set_control, self.world._pointer, self._index(name), value)

    def __delitem__(self, name: str) -> None:
        raise errors.ArgumentError("controls cannot be removed")

    def __iter__(self) -> Iterator[str]:
        names = (text(self._definition(k).name) for k in range(self._count()))
        return (name for name in names if name)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def array(self) -> FloatArray:
        """All values at once, also of controls without a name, in the order of the file; may be set."""
        with self.world._context.lock:
            values = np.empty(self._count())
            self.world._call(lib.vs_py_get_controls, self.world._pointer, len(values), pointer_to(values, "double[]"))
        return values

    @array.setter
    def array(self, values: npt.ArrayLike) -> None:
        given = np.ascontiguousarray(values, dtype=np.float64)
        with self.world._context.lock:
            if given.shape != (self._count(),):
                raise errors.ArgumentError(f"controls: has the shape {given.shape}, must have ({self._count()},)")
            self.world._call(lib.vs_py_set_controls, self.world._pointer, len(given), pointer_to(given, "double[]"))

    def joint(self, name: str) -> "Joint":
        """The joint that a control commands; ArgumentError if it pushes a body."""
        from .body import Joint

        found = self._definition(self._index(name)).joint
        if found.index == 0 and found.generation == 0:
            raise errors.ArgumentError(f"control {name!r} pushes a body, not a joint")
        return Joint(self.world, ffi.new("vs_joint_id *", found)[0])

    def limits(self, name: str) -> Optional[Tuple[float, float]]:
        """Of the values of a control; None: it has none."""
        found = self._definition(self._index(name))
        return (found.low, found.high) if found.limited else None

    def __repr__(self) -> str:
        return f"<voussoir.Controls: {', '.join(f'{name} = {value:.6g}' for name, value in self.items())}>"
