"""Documents of COMPAS as plain dicts: found in objects and files, nodes and edges by key, results put into a copy.

Nothing of COMPAS is imported: what has `__jsondump__()` or `__data__`, as its classes have, is asked for its data.
"""

from __future__ import annotations

import copy
import json
import math
import os
import uuid
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

Vector = Tuple[float, float, float]
Source = Union[str, "os.PathLike[str]", Mapping[str, Any], Sequence[Any], Any]

_WRAPPED = 8  # levels of {"data": ...}
_DEEP = 200  # levels of an object


def plain(value: Any, depth: int = 0) -> Any:
    """An object of COMPAS as what json.dump() writes."""
    if depth > _DEEP:
        raise ValueError(f"compas_voussoir: data are nested more than {_DEEP} levels deep")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {str(k): plain(v, depth + 1) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v, depth + 1) for v in value]
    if hasattr(value, "__jsondump__"):
        return plain(value.__jsondump__(), depth + 1)
    if hasattr(value, "__data__"):
        return {"dtype": getattr(value, "__dtype__", type(value).__name__), "data": plain(value.__data__, depth + 1)}
    if hasattr(value, "tolist"):
        return plain(value.tolist(), depth + 1)
    raise TypeError(f"compas_voussoir: {type(value).__name__} has no data; expected an object of COMPAS, a file or a dict")


def unwrap(value: Any) -> Any:
    """Through {"dtype": ..., "data": ...}."""
    for _ in range(_WRAPPED):
        data = value.get("data", value.get("value")) if isinstance(value, dict) else None
        if not isinstance(data, dict):
            break
        value = data
    return value


def _members(value: Any) -> Dict[str, Any]:
    return value if isinstance(value, dict) else {}


class Document:
    """What a model, problem, assembly or list of meshes holds: its blocks by key, its graph."""

    def __init__(self, source: Source) -> None:
        self.path: Optional[Path] = None
        if isinstance(source, (str, os.PathLike)):
            self.path = Path(source)
            self.data: Any = json.loads(self.path.read_text(encoding="utf-8"))
        else:
            self.data = plain(source)
        inner = _members(unwrap(self.data))
        model = _members(unwrap(inner["model"])) if isinstance(inner.get("model"), dict) else inner
        graph = _members(unwrap(model.get("graph"))) or inner
        self.kind = "model" if "elements" in model else "assembly" if isinstance(graph.get("node"), dict) else "blocks"
        nodes: Any = graph.get("node") if self.kind != "blocks" else inner.get("blocks", self.data)
        if isinstance(nodes, dict):
            self.keys = [str(key) for key in nodes]
        else:
            self.keys = [str(k) for k in range(len(nodes) if isinstance(nodes, list) else 1)]
        self._known = set(self.keys)
        self.graph: Optional[Dict[str, Any]] = graph if self.kind != "blocks" else None
        conditions = _members(unwrap(inner.get("boundary_conditions")))
        self.loads: List[Dict[str, Any]] = [entry for entry in conditions.get("point_loads") or [] if isinstance(entry, dict)]

    def key_of(self, body: str) -> Optional[str]:
        """The node of a body called `block-KEY`, or `block-KEY-2` if its block has several solids; None: of no node."""
        key = body[len("block-") :] if body.startswith("block-") else ""
        if key not in self._known:
            key = key.rpartition("-")[0]
        return key if key in self._known else None

    def with_results(self, nodes: Mapping[str, Dict[str, Any]], edges: Mapping[Tuple[str, str], Dict[str, Any]]) -> Any:
        """A copy of the document with attributes of nodes and edges added."""
        if self.graph is None:
            raise ValueError("compas_voussoir: a list of meshes has no graph for results; write results() instead")
        done = Document(copy.deepcopy(self.data))
        graph = done.graph
        assert graph is not None
        for key, attributes in nodes.items():
            graph["node"][key].update(attributes)
        for (u, v), attributes in edges.items():
            graph.setdefault("edge", {}).setdefault(u, {}).setdefault(v, {}).update(attributes)
        return done.data

    def has_edge(self, u: str, v: str) -> bool:
        edges = _members(self.graph.get("edge")) if self.graph else {}
        return v in _members(edges.get(u))


# ---- what results are made of ----------------------------------------------------------------------


def wrap(dtype: str, data: Any, name: str) -> Dict[str, Any]:
    """Data of COMPAS; the same name gives the same GUID."""
    return {"dtype": dtype, "data": data, "guid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"voussoir:{dtype}:{name}"))}


def cross(a: Sequence[float], b: Sequence[float]) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return float(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])


def axes(normal: Sequence[float]) -> Tuple[Vector, Vector]:
    """Two axes whose cross product is the normal."""
    least = min(range(3), key=lambda k: abs(normal[k]))
    x = cross(normal, [float(k == least) for k in range(3)])
    length = math.sqrt(dot(x, x))
    x = (x[0] / length, x[1] / length, x[2] / length)
    return x, cross(normal, x)


def turn(spin: Sequence[float]) -> List[List[float]]:
    """The matrix of a rotation vector (rad)."""
    angle = math.sqrt(dot(spin, spin))
    n = [s / angle for s in spin] if angle > 0 else [0.0, 0.0, 0.0]
    c, s = math.cos(angle), math.sin(angle)
    skew = [[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]]
    return [[c * (i == k) + (1 - c) * n[i] * n[k] + s * skew[i][k] for k in range(3)] for i in range(3)]


def motion(rotation: Sequence[Sequence[float]], centre: Sequence[float], moved: Sequence[float]) -> List[List[float]]:
    """The 4 x 4 matrix that turns about a centre and brings it to another place."""
    rows = [[*map(float, row), float(moved[i]) - dot(row, centre)] for i, row in enumerate(rotation)]
    return [*rows, [0.0, 0.0, 0.0, 1.0]]
