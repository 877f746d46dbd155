"""Equilibrium, Coulomb's law, limit loads and time for models of COMPAS; `voussoir` is imported by the first call."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from .document import Document, Source, Vector, axes, cross, dot, motion, turn, wrap

_SHOWN = 0.05  # of the structure's size: how far the fastest block of a mechanism is moved
Load = Union[str, Sequence[float], Tuple[Union[str, int], Sequence[float]]]


@dataclass
class Contact:
    """Two blocks that meet, with the forces at the corners of their interface."""

    edge: Tuple[str, str]  # nodes; the normal points from the first to the second
    points: List[Vector]  # m
    normal: Vector
    forces: List[Vector]  # N, on the second block; empty: none is known
    area: float  # m^2
    gap: Tuple[float, float]  # m, least and largest

    def turned(self) -> "Contact":
        """The same with its blocks exchanged."""
        minus = [(-f[0], -f[1], -f[2]) for f in self.forces]
        n = self.normal
        return Contact((self.edge[1], self.edge[0]), self.points, (-n[0], -n[1], -n[2]), minus, self.area, self.gap)

    @property
    def resultant(self) -> Vector:
        x, y, z = (float(sum(f[k] for f in self.forces)) for k in range(3))
        return (x, y, z)


@dataclass
class Solution:
    """An answer with its proof, as attributes of nodes and edges."""

    method: str  # "rbe", "cra", "limit", "time"
    # "stands", "falls", "moves" (an equilibrium exists, and Coulomb's law lets it move), "undecided"; in time "stands",
    # "moving", "displaced"
    verdict: str
    document: Document
    margin: Optional[float] = None  # above 0: it stands
    residual: Optional[float] = None  # of the forces, relative to the loads
    factor: Optional[Tuple[float, float]] = None  # proved bounds of the load factor
    contacts: List[Contact] = field(default_factory=list)
    displacement: Dict[str, List[List[float]]] = field(default_factory=dict)  # 4 x 4, by node
    mechanism: Dict[str, Tuple[Vector, Vector]] = field(default_factory=dict)  # m/s of the centre, rad/s
    seconds: float = 0.0  # of processor time
    note: str = ""

    @property
    def stands(self) -> bool:
        return self.verdict == "stands"

    @property
    def metadata(self) -> Dict[str, Any]:
        return {
            "solver": "voussoir",
            "method": self.method,
            "verdict": self.verdict,
            "margin": self.margin,
            "residual": self.residual,
            "load_factor": list(self.factor) if self.factor else None,
            "note": self.note,
        }

    def _nodes(self) -> Dict[str, Dict[str, Any]]:
        found: Dict[str, Dict[str, Any]] = {}
        for key in self.document.keys:
            matrix = self.displacement.get(key, motion(turn((0, 0, 0)), (0, 0, 0), (0, 0, 0)))
            found[key] = {"transformation": wrap("compas.geometry/Transformation", {"matrix": matrix}, f"{key}{matrix}")}
            if key in self.mechanism:
                velocity, spin = self.mechanism[key]
                found[key].update(velocity=list(velocity), spin=list(spin))
        return found

    def _by_edge(self) -> Dict[Tuple[str, str], List[Contact]]:
        found: Dict[Tuple[str, str], List[Contact]] = {}
        for contact in self.contacts:
            u, v = contact.edge
            other = (v, u) in found or (not self.document.has_edge(u, v) and self.document.has_edge(v, u))
            kept = contact.turned() if other else contact
            found.setdefault(kept.edge, []).append(kept)
        return found

    def _edges(self, dtype: str) -> Dict[Tuple[str, str], Dict[str, Any]]:
        return {edge: _edge_attributes(contacts, dtype) for edge, contacts in self._by_edge().items()}

    def results(self) -> Dict[str, Any]:
        """The document of compas_dem.problem.Results (0.6): attributes of nodes and edges beside the model."""
        whole = self.document.data if isinstance(self.document.data, dict) else {}
        inner: Any = whole.get("data")
        model: Any = inner.get("model") if isinstance(inner, dict) else None
        model = model if isinstance(model, dict) else whole
        edges = self._edges("compas_dem.interactions/FrictionContact")
        data = {
            "model_id": model.get("guid"),
            "problem_id": whole.get("guid"),
            "displacement_scale": 1.0,
            "node_data": self._nodes(),
            "edge_data": {f"{u},{v}": attributes for (u, v), attributes in edges.items()},
            "metadata": self.metadata,
        }
        return wrap("compas_dem.problem/Results", data, json.dumps(self.metadata))

    def model(self) -> Any:
        """A copy of the model, problem or assembly with these results on its graph."""
        if self.document.kind == "model":
            return self.document.with_results(self._nodes(), self._edges("compas_dem.interactions/FrictionContact"))
        edges = {
            edge: {"interfaces": [_contact_data(c, "compas_assembly.datastructures/Interface") for c in contacts]}
            for edge, contacts in self._by_edge().items()
        }
        return self.document.with_results(self._nodes(), edges)

    def write(self, path: Any) -> None:
        """Writes `model()`, or `results()` for a list of meshes, as JSON for compas.json_load()."""
        data = self.results() if self.document.kind == "blocks" else self.model()
        with open(path, "w", encoding="utf-8") as file:
            json.dump(data, file)


# ---- attributes of edges ---------------------------------------------------------------------------


def _contact_data(contact: Contact, dtype: str) -> Dict[str, Any]:
    """A FrictionContact or Interface: forces at its corners along the axes of its frame."""
    x, y = axes(contact.normal)
    count = len(contact.points)
    centre = [sum(p[k] for p in contact.points) / count for k in range(3)]
    name = f"{contact.edge}{contact.points}"
    forces = [
        {"c_np": dot(f, contact.normal), "c_nn": 0.0, "c_u": dot(f, x), "c_v": dot(f, y)} for f in contact.forces
    ]
    frame = wrap("compas.geometry/Frame", {"point": centre, "xaxis": list(x), "yaxis": list(y)}, name)
    points: List[Any] = [list(p) for p in contact.points]
    if dtype.endswith("/FrictionContact"):
        points = [wrap("compas.geometry/Point", p, f"{name}{k}") for k, p in enumerate(points)]
    data = {"points": points, "frame": frame, "size": contact.area, "mesh": None, "forces": forces}
    return wrap(dtype, data, name)


def _edge_attributes(contacts: List[Contact], dtype: str) -> Dict[str, Any]:
    """All contacts of two blocks, and the largest of them in the names that results of compas_dem have."""
    largest = max(contacts, key=lambda c: c.area)
    data = _contact_data(largest, dtype)
    points = [list(p) for p in largest.points]
    total = [sum(c.resultant[k] for c in contacts) for k in range(3)]
    local = [sum(force[name] for force in data["data"]["forces"]) for name in ("c_u", "c_v", "c_np")]
    found: Dict[str, Any] = {
        "contacts": [_contact_data(c, dtype) for c in contacts],
        "face_contact": largest.area > 0,
        "edge_contact": largest.area <= 0 and len(points) == 2,
        "point_contact": largest.area <= 0 and len(points) != 2,
        "contact_point": points,
        "contact_points": points,
        "contact_frame": data["data"]["frame"],
        "contact_polygon": wrap("compas.geometry/Polygon", {"points": points}, f"{largest.edge}{points}"),
        "contact_data": data,
        "gap": list(largest.gap),
    }
    if largest.forces:
        found.update(
            force_vector=[list(f) for f in largest.forces],
            force_normal=[f["c_np"] for f in data["data"]["forces"]],
            force_tangent1=[f["c_u"] for f in data["data"]["forces"]],
            force_tangent2=[f["c_v"] for f in data["data"]["forces"]],
            force=total,
            resultant_global=total,
            resultant_local=local,
            force_magnitude=dot(total, total) ** 0.5,
        )
    return found


# ---- the model in voussoir -------------------------------------------------------------------------


class _Model:
    """A document as a scene; blocks of several solids have several bodies."""

    def __init__(self, source: Source, options: Dict[str, Any]) -> None:
        import voussoir

        self.start = time.process_time()
        self.library: Any = voussoir
        self.document = source if isinstance(source, Document) else Document(source)
        self.scene: Any = voussoir.drawing(self.document.data, **options)

    def key(self, body: Any) -> Optional[str]:
        return None if body is None else self.document.key_of(body.name)

    def statics(self, distance: float) -> Any:
        return self.library.Statics(self.scene.world, distance=distance)

    def contacts(self, statics: Any, forces: Optional[List[Any]]) -> List[Contact]:
        found: List[Contact] = []
        for k, interface in enumerate(statics.interfaces):
            u, v = self.key(interface.a), self.key(interface.b)
            if u is None or v is None or u == v:  # the ground, or parts of one block
                continue
            points = [(float(p[0]), float(p[1]), float(p[2])) for p in interface.corners]
            force = [] if forces is None else [(float(f[0]), float(f[1]), float(f[2])) for f in forces[k]]
            n = interface.normal
            normal = (float(n[0]), float(n[1]), float(n[2]))
            found.append(Contact((u, v), points, normal, force, float(interface.area), interface.gap))
        return found

    def add_mechanism(self, solution: Solution, statics: Any, mechanism: Any) -> None:
        """Velocities of the blocks, and displacements along them that can be seen."""
        corners = [p for c in solution.contacts for p in c.points] or [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0)]
        size = max(max(p[k] for p in corners) - min(p[k] for p in corners) for k in range(3))
        moved = _SHOWN * size  # s, as the fastest block moves by 1 m/s
        for body, velocity, spin in zip(statics.blocks, mechanism.velocity, mechanism.spin):
            key = self.key(body)
            if key is None or key in solution.mechanism:
                continue
            v, w = [float(x) for x in velocity], [float(x) for x in spin]
            solution.mechanism[key] = ((v[0], v[1], v[2]), (w[0], w[1], w[2]))
            centre = [float(x) for x in body.position]
            to = [c + moved * x for c, x in zip(centre, v)]
            solution.displacement[key] = motion(turn([moved * x for x in w]), centre, to)

    def finish(self, solution: Solution) -> Solution:
        solution.seconds = time.process_time() - self.start
        return solution


def _options(mu: Optional[float], density: Optional[float], supports: Sequence[Any], lowest: bool) -> Dict[str, Any]:
    names = [f"block-{key}" for key in supports]
    return {"mu": mu, "density": density, "fixed": names, "fix_lowest": lowest}


def _equilibrium(model: _Model, statics: Any, method: str) -> Solution:
    verdict = statics.solve()
    solution = Solution(method, verdict.verdict, model.document, verdict.margin, verdict.residual)
    solution.contacts = model.contacts(statics, verdict.forces)
    if verdict.mechanism is not None:
        model.add_mechanism(solution, statics, verdict.mechanism)
    return solution


# ---- what a backend offers -------------------------------------------------------------------------


def rbe_solve(
    source: Source,
    mu: Optional[float] = None,
    density: Optional[float] = None,
    *,
    supports: Sequence[Any] = (),
    fix_lowest: bool = False,
    distance: float = 1e-3,
) -> Solution:
    """Whether forces in equilibrium exist (rigid-block equilibrium): they, or a mechanism that proves that there are none.

    source      Problem, BlockModel, Assembly or meshes of COMPAS: an object, a path of a JSON file, or its dict
    mu, density None: as the file states, else 0.6 and 2200 kg/m^3
    supports    keys of further nodes that are static; fix_lowest: all blocks that reach down to the lowest point
    distance    largest gap or overlap of faces that meet, relative to the size of the smaller block
    """
    model = _Model(source, _options(mu, density, supports, fix_lowest))
    return model.finish(_equilibrium(model, model.statics(distance), "rbe"))


def cra_solve(
    source: Source,
    mu: Optional[float] = None,
    density: Optional[float] = None,
    *,
    supports: Sequence[Any] = (),
    fix_lowest: bool = False,
    distance: float = 1e-3,
) -> Solution:
    """The same with the question of coupled rigid-block analysis: do forces arise that hold it? "moves": they need not.

    compas_cra asks for forces and displacements that belong together; here, one step from rest is taken with Coulomb's law
    and contacts that are compliant by rounding only.
    """
    model = _Model(source, _options(mu, density, supports, fix_lowest))
    statics = model.statics(distance)
    solution = _equilibrium(model, statics, "cra")
    if solution.stands:
        law = statics.check_law()
        solution.note = f"one step from rest: speed {law.speed:.2g} of that of free blocks"
        solution.verdict = "undecided" if not law.decided else "moves" if law.moves else "stands"
    return model.finish(solution)


def limit_solve(
    source: Source,
    load: Load = "x",
    mu: Optional[float] = None,
    density: Optional[float] = None,
    *,
    supports: Sequence[Any] = (),
    fix_lowest: bool = False,
    distance: float = 1e-3,
) -> Solution:
    """How much it carries: `factor` has proved bounds, with the forces at the lower and the mechanism of the upper one.

    load    "x", "-x", … or a vector: the weight of each block in this direction. (node, force): a force (N) on one block
    """
    directions = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
    model = _Model(source, _options(mu, density, supports, fix_lowest))
    statics = model.statics(distance)
    if isinstance(load, str):
        sign, name = (-1, load[1:]) if load.startswith("-") else (1, load.lstrip("+"))
        if name not in directions:
            raise ValueError(f"limit_solve: load {load!r} is none of x, -x, y, -y, z, -z")
        statics.add_live_weight([sign * x for x in directions[name]])
    elif len(load) == 2:
        node: Any = load[0]
        bodies = [b for b in statics.blocks if b is not None and model.key(b) == str(node)]
        if not bodies:
            raise ValueError(f"limit_solve: node {node!r} has no block that moves")
        statics.add_live_force(bodies[0], load[1])
    else:
        statics.add_live_weight(load)
    limit = statics.limit()
    verdict = "falls" if limit.status == "falls" else "undecided" if limit.status == "undecided" else "stands"
    solution = Solution("limit", verdict, model.document, factor=(limit.lower, limit.upper), note=limit.status)
    solution.contacts = model.contacts(statics, limit.forces)
    if limit.mechanism is not None:
        model.add_mechanism(solution, statics, limit.mechanism)
    return model.finish(solution)


def time_solve(
    source: Source,
    duration: float = 1.0,
    mu: Optional[float] = None,
    density: Optional[float] = None,
    *,
    supports: Sequence[Any] = (),
    fix_lowest: bool = False,
) -> Solution:
    """What happens in `duration` seconds from rest: displacements, and the contact forces of the last step."""
    model = _Model(source, _options(mu, density, supports, fix_lowest))
    before = {b.name: (b.position, b.rotation) for b in model.scene.world.bodies}
    simulation = model.scene.simulate()
    summary = simulation.run(duration)
    outcome = summary.outcome
    note = f"moved at most {outcome.displacement:.3g} m in {duration:g} s"
    solution = Solution("time", outcome.state, model.document, note=note)
    for body in model.scene.world.bodies:
        key = model.key(body)
        if key is None or key in solution.displacement:
            continue
        centre, old = before[body.name]
        solution.displacement[key] = motion(_turn_between(old, body.rotation), centre, body.position)
    solution.contacts = _pressed(model, simulation)
    return model.finish(solution)


def _turn_between(a: Sequence[float], b: Sequence[float]) -> List[List[float]]:
    """The matrix of b a^-1, of quaternions (w, x, y, z)."""
    v, u = [float(x) for x in b[1:]], [-float(x) for x in a[1:]]
    across = cross(v, u)
    w = float(b[0] * a[0]) - dot(v, u)
    x, y, z = (float(b[0]) * u[k] + float(a[0]) * v[k] + across[k] for k in range(3))
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]


def _pressed(model: _Model, simulation: Any) -> List[Contact]:
    """The contacts of the last step, those of the same two blocks and normal together."""
    keys = {b.id[0]: model.key(b) for b in model.scene.world.bodies}
    groups: Dict[Tuple[str, str, Tuple[float, ...]], List[Any]] = {}
    for row in simulation.contacts:
        u, v = keys.get(int(row["a"][0])), keys.get(int(row["b"][0]))
        if u is not None and v is not None and u != v:
            groups.setdefault((u, v, tuple(round(float(x), 6) for x in row["normal"])), []).append(row)
    found = []
    for (u, v, _), rows in groups.items():
        vectors = [[tuple(float(x) for x in row[name]) for row in rows] for name in ("point", "impulse", "normal")]
        points: Any = vectors[0]
        forces: Any = [tuple(x / simulation.step_size for x in impulse) for impulse in vectors[1]]
        normal: Any = vectors[2][0]
        gaps = [float(row["gap"]) for row in rows]
        found.append(Contact((u, v), points, normal, forces, 0.0, (min(gaps), max(gaps))))
    return found
