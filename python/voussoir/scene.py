"""Scenes: the named ones that come with the library, JSON files, and robot descriptions (URDF, MJCF)."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import errors
from ._core import NULL, Context, Path, ffi, lib, nearest, path_bytes, text
from .simulation import Simulation, Summary
from .world import World

__all__ = ["Scene", "SceneInfo", "drawing", "scene", "scenes"]

_UNITS = {"mm": 1e-3, "cm": 1e-2, "m": 1.0, "in": 0.0254, "ft": 0.3048}


class SceneInfo(NamedTuple):
    """A named scene with the defaults of its parameters."""

    name: str
    description: str
    parameters: Dict[str, float]


def scenes() -> List[SceneInfo]:
    """The named scenes.

    >>> import voussoir
    >>> {info.name: info.parameters for info in voussoir.scenes()}["kapla-tower"]
    {'levels': 10.0, 'mu': 0.4, 'density': 600.0}
    """
    found: List[SceneInfo] = []
    for index in range(lib.vs_scene_count()):
        info = lib.vs_scene_at(index)
        parameters = {text(info.parameters[k].name): info.parameters[k].value for k in range(info.parameter_count)}
        found.append(SceneInfo(text(info.name), text(info.description), parameters))
    return found


class Scene:
    """A world with the options of its simulation: `world`, `duration` (s), `frame` (s between frames), `name`."""

    def __init__(self, context: Context, pointer: Any, handle: Any) -> None:
        self._pointer = pointer
        self._handle = handle
        self.world = World._wrap(context, pointer.world, handle)
        self.name = text(pointer.name)
        self.duration: float = pointer.duration
        self.frame: float = pointer.frame
        self.ignored: int = pointer.ignored  # parts of an imported file; each is a warning of the logger "voussoir"
        self._simulation: Union[Simulation, None] = None
        self._source: Tuple[Any, Mapping[str, float]] = "", {}  # of scene(), to make it again

    @property
    def step(self) -> float:
        """s, as the scene has it."""
        return float(self._pointer.options.step)

    @property
    def keyframes(self) -> List[str]:
        """Names of the states that the file has (MJCF)."""
        return [text(self._pointer.keyframe[k].name) for k in range(self._pointer.keyframes)]

    def set_keyframe(self, name: str) -> None:
        """Puts bodies, joints and controls into a state of the file."""
        if name not in self.keyframes:
            raise KeyError(f"there is no keyframe {name!r}{nearest(name, self.keyframes)}")
        self.world._call(lib.vs_scene_set_keyframe, self._pointer, name.encode())

    def simulate(self, **options: Any) -> Simulation:
        """A simulation with the scene's options, and others instead where given (see `Simulation`)."""
        chosen = ffi.new("vs_simulation_options *", self._pointer.options)
        return Simulation(self.world, _options=chosen[0], **options)

    def run(self, **arguments: Any) -> Summary:
        """Runs the scene to its end; arguments as for `Simulation.run()`, afterwards `simulation` is there."""
        self._simulation = self.simulate()
        if "record" in arguments:
            arguments.setdefault("frame", self.frame)
        if "duration" not in arguments:
            arguments.setdefault("until", self.duration)
        return self._simulation.run(**arguments)

    @property
    def simulation(self) -> Simulation:
        """The one of `run()`, or a new one."""
        if self._simulation is None:
            self._simulation = self.simulate()
        return self._simulation

    def __repr__(self) -> str:
        return f"<voussoir.Scene {self.name!r}: {self.duration:.6g} s, of {self.world!r}>"


def _parameters(values: Mapping[str, float]) -> Any:
    names = [ffi.new("char[]", name.encode()) for name in values]
    array = ffi.new("vs_scene_parameter[]", len(values))
    for k, value in enumerate(values.values()):
        array[k].name, array[k].value = names[k], value
    return array, names


def scene(source: Union[Path, Mapping[str, Any]], *, threads: int = 1, **parameters: float) -> Scene:
    """A named scene, a file (.json, .urdf, .mjcf, .xml), or a scene as a dict like the JSON (docs/scenes.md).

    >>> import voussoir
    >>> arch = voussoir.scene("arch", stones=9)
    >>> arch
    <voussoir.Scene 'arch': 1 s, of <voussoir.World: 9 bodies, 0 joints, t = 0 s>>
    >>> arch.run(duration=0.1).inaccurate
    0
    >>> ball = {"shape": {"kind": "sphere", "radius": 0.1}, "position": [0, 0, "$height"]}
    >>> drop = voussoir.scene({"voussoir": 1, "parameters": {"height": 1}, "bodies": [ball]}, height=2)
    >>> drop.world.positions.tolist()
    [[0.0, 0.0, 2.0]]
    """
    context = Context(threads)
    array, names = _parameters(parameters)
    tail = (array, len(parameters))

    def make(function: Any, *arguments: Any) -> Scene:
        kind = lib.VS_PY_SCENE
        made = context.make(kind, "vs_scene", context.handle, function, context.pointer, *arguments)
        found = Scene(context, *made)
        found._source = source, parameters
        return found

    if isinstance(source, Mapping):
        data = json.dumps(source).encode()
        return make(lib.vs_scene_parse, data, len(data), b"scene", *tail)
    name = os.fspath(source)
    ending = os.path.splitext(name)[1]
    known = [info.name for info in scenes()]
    if isinstance(source, str) and name in known:
        return make(lib.vs_scene_make, name.encode(), *tail)
    if ending in (".urdf", ".mjcf", ".xml"):
        if parameters:
            raise errors.ArgumentError(f"{name} has no parameters")
        return make(lib.vs_scene_import, path_bytes(source))
    if ending == ".json" or os.sep in name or os.path.exists(name):
        return make(lib.vs_scene_read, path_bytes(source), *tail)
    raise errors.ArgumentError(f"there is no scene {name!r}{nearest(name, known)}")


def drawing(
    source: Union[Path, Mapping[str, Any], Sequence[Any]],
    *,
    unit: Optional[str] = None,
    up: str = "z",
    density: Optional[float] = None,
    mu: Optional[float] = None,
    ground: bool = False,
    fixed: Sequence[str] = (),
    fix_lowest: bool = False,
    snap: float = 0.0,
    threads: int = 1,
) -> Scene:
    """The scene of a drawing (OBJ, STL, PLY, OFF, DXF, MSH, JSON of COMPAS or Rigid IPC), as `voussoir import` makes it.

    A dict or list is one of COMPAS, as in its JSON files. Density (kg/m^3) and mu: None is what the file states.

    >>> import voussoir
    >>> corners = {str(k): {"x": k & 1, "y": k >> 1 & 1, "z": k >> 2} for k in range(8)}
    >>> faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    >>> cube = {"vertex": corners, "face": {str(k): face for k, face in enumerate(faces)}}
    >>> voussoir.drawing([cube], ground=True).world
    <voussoir.World: 2 bodies, 0 joints, t = 0 s>
    """
    if unit is not None and unit not in _UNITS:
        raise errors.ArgumentError(f"there is no unit {unit!r}{nearest(unit, list(_UNITS))}")
    if up not in ("y", "z"):
        raise errors.ArgumentError(f"up is 'y' or 'z', not {up!r}")
    context = Context(threads)
    names = [ffi.new("char[]", name.encode()) for name in fixed]
    array = ffi.new("const char *[]", names)
    options = ffi.new("vs_cad_options *", lib.vs_cad_options_default())
    options.unit = _UNITS[unit] if unit else 0.0
    options.y_up, options.ground, options.fix_lowest, options.snap = up == "y", ground, fix_lowest, snap
    options.fixed, options.fixed_count = array, len(names)
    if density is not None:
        options.density = density
    if mu is not None:
        options.mu = mu
    out = ffi.new("vs_cad **")
    if isinstance(source, (str, os.PathLike)):
        context.call(lib.vs_cad_read, context.pointer, path_bytes(source), options, out)
    else:
        data = json.dumps(source).encode()
        context.call(lib.vs_cad_parse, context.pointer, data, len(data), b"drawing.json", b"json", options, out)
    try:
        length = ffi.new("size_t *")
        scene_text = lib.vs_cad_get_scene(out[0], length)
        arguments = (scene_text, length[0], b"drawing", NULL, 0)
        made = context.make(
            lib.VS_PY_SCENE, "vs_scene", context.handle, lib.vs_scene_parse, context.pointer, *arguments
        )
    finally:
        lib.vs_cad_destroy(out[0])
    return Scene(context, *made)
