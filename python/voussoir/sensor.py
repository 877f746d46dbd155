"""The sensors of a world: named measurements, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, Mapping

import numpy as np

from ._core import FloatArray, ffi, lib, nearest, pointer_to, text

if TYPE_CHECKING:
    from .world import World

__all__ = ["Sensors"]


class Sensors(Mapping[str, FloatArray]):
    """The measurements of a robot by name, like a dict of arrays: `world.sensors["gyro"]`; `array` has all of them.

    >>> import pathlib, tempfile, voussoir
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "arm.xml"
    >>> _ = path.write_text('''<mujoco><worldbody><body name="arm"><joint name="hip" axis="0 1 0"/>
    ... <geom type="capsule" size="0.1" fromto="0 0 0 0.5 0 0"/><site name="tip" pos="0.5 0 0"/></body></worldbody>
    ... <sensor><jointpos name="angle" joint="hip"/><gyro name="gyro" site="tip"/></sensor></mujoco>''')
    >>> robot = voussoir.scene(path)
    >>> sensors = robot.world.sensors
    >>> list(sensors), sensors.places["gyro"], sensors["gyro"].tolist()
    (['angle', 'gyro'], slice(1, 4, None), [0.0, 0.0, 0.0])
    >>> sensors.array.shape
    (4,)
    """

    def __init__(self, world: "World") -> None:
        self.world = world

    def _count(self) -> int:
        return int(lib.vs_world_get_sensor_count(self.world._pointer))

    def _name(self, index: int) -> str:
        out = ffi.new("vs_sensor_def *")
        self.world._call(lib.vs_world_get_sensor_def, self.world._pointer, index, out)
        return text(out.name)

    def _place(self, index: int) -> slice:
        out = ffi.new("int[2]")
        self.world._call(lib.vs_world_get_sensor_place, self.world._pointer, index, out, out + 1)
        return slice(int(out[0]), int(out[0] + out[1]))

    @property
    def places(self) -> "dict[str, slice]":
        """Where the numbers of each sensor with a name stand in `array`."""
        return {name: self._place(k) for k in range(self._count()) if (name := self._name(k))}

    @property
    def array(self) -> FloatArray:
        """All numbers at once, also of sensors without a name, in the order of the file."""
        with self.world._context.lock:
            values = np.empty(int(lib.vs_world_get_sensor_size(self.world._pointer)))
            self.world._call(lib.vs_world_get_sensors, self.world._pointer, pointer_to(values, "double[]"))
        return values

    def __getitem__(self, name: str) -> FloatArray:
        index = int(lib.vs_world_find_sensor(self.world._pointer, name.encode()))
        if index < 0:
            raise KeyError(f"there is no sensor {name!r}{nearest(name, list(self))}")
        return self.array[self._place(index)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    def __repr__(self) -> str:
        return f"<voussoir.Sensors: {', '.join(f'{name} ({place.stop - place.start})' for name, place in self.places.items())}>"
