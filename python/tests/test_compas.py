"""compas_voussoir: models of COMPAS in, results in their own format out.

Models are written in the published format of compas_dem and compas_assembly. Classes of COMPAS are asked for their data by
`__jsondump__()`; where COMPAS is installed, its own encoder and decoder take part.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import pytest

import compas_voussoir as backend
import voussoir

FACES = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
DENSITY = 2000.0


def mesh(low: List[float], size: List[float], lean: float = 0.0) -> Dict[str, Any]:
    """A box; lean: m in x by which its top is moved."""
    vertex = {
        str(k): {
            "x": low[0] + (k & 1) * size[0] + (k >> 2) * lean,
            "y": low[1] + (k >> 1 & 1) * size[1],
            "z": low[2] + (k >> 2) * size[2],
        }
        for k in range(8)
    }
    return {
        "dtype": "compas.datastructures/Mesh",
        "data": {"attributes": {}, "vertex": vertex, "face": {str(k): face for k, face in enumerate(FACES)}},
    }


STACK = [mesh([0, 0, 0], [1, 1, 1]), mesh([0.25, 0, 1], [1, 1, 1])]


def block_model(meshes: List[Dict[str, Any]] = STACK) -> Dict[str, Any]:
    """A BlockModel as compas_dem 0.5 stores it; the first block is a support."""
    elements = {
        f"guid-{k}": {
            "dtype": "compas_dem.elements/Block",
            "data": {"transformation": None, "features": [], "name": "Block", "material": "stone", "geometry": m, "is_support": k == 0},
            "guid": f"guid-{k}",
        }
        for k, m in enumerate(meshes)
    }
    graph = {"node": {str(k): {"element": f"guid-{k}"} for k in range(len(meshes))}, "edge": {"1": {"0": {"contacts": []}}}}
    children = [{"name": "ElementNode", "element": guid} for guid in elements]
    data = {
        "transformation": None,
        "elements": elements,
        "materials": {"stone": {"dtype": "compas_dem.material/Stone", "data": {"name": "Stone", "density": DENSITY}}},
        "tree": {"attributes": {}, "root": {"name": "root", "children": children}},
        "graph": graph,
    }
    return {"dtype": "compas_dem.models/BlockModel", "data": data, "guid": "the-model"}


def assembly(meshes: List[Dict[str, Any]]) -> Dict[str, Any]:
    node = {str(k): {"block": m, "is_support": k == 0} for k, m in enumerate(meshes)}
    graph = {"dtype": "compas.datastructures/Graph", "data": {"node": node, "edge": {}}}
    return {"dtype": "compas_assembly.datastructures/Assembly", "data": {"graph": graph}}


class StandIn:
    """An object of COMPAS as this package sees it."""

    def __init__(self, document: Dict[str, Any]) -> None:
        self.document = document

    def __jsondump__(self) -> Dict[str, Any]:
        return self.document


def force_on(edge: Dict[str, Any]) -> np.ndarray:
    """The sum of the forces of a FrictionContact or Interface, from its frame, on the second block."""
    total = np.zeros(3)
    for contact in edge.get("contacts") or edge["interfaces"]:
        frame = contact["data"]["frame"]["data"]
        x, y = np.array(frame["xaxis"]), np.array(frame["yaxis"])
        for force in contact["data"]["forces"]:
            total += (force["c_np"] - force["c_nn"]) * np.cross(x, y) + force["c_u"] * x + force["c_v"] * y
    return total


def test_importing_needs_neither_compas_nor_voussoir() -> None:
    # The package's folder alone, no site packages (-S): voussoir and numpy cannot be found.
    folder = Path(backend.__file__).parents[1]
    code = f"import sys; sys.path[:0] = [{str(folder)!r}]; import compas_voussoir; print(sorted(m for m in sys.modules if m in ('voussoir', 'compas', 'numpy')))"
    done = subprocess.run([sys.executable, "-S", "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_forces_are_written_with_the_direction_of_the_edge_in_the_file() -> None:
    solution = backend.rbe_solve(StandIn(block_model()), mu=0.5)
    assert solution.verdict == "stands"
    graph = solution.model()["data"]["graph"]
    # The edge of the file runs from the upper block (1) to the support (0): the weight presses the support down.
    assert list(graph["edge"]) == ["1"] and list(graph["edge"]["1"]) == ["0"]
    weight = DENSITY * 9.81
    assert force_on(graph["edge"]["1"]["0"]) == pytest.approx([0, 0, -weight], abs=1e-6 * weight)
    assert graph["edge"]["1"]["0"]["force"] == pytest.approx([0, 0, -weight], abs=1e-6 * weight)
    assert graph["node"]["1"]["transformation"]["data"]["matrix"] == np.eye(4).tolist()


def test_what_the_file_holds_survives() -> None:
    before = block_model()
    after = backend.rbe_solve(before).model()
    for name in ("elements", "materials", "tree", "transformation"):
        assert after["data"][name] == before["data"][name]
    assert before == block_model()  # and the source is not changed
    assert json.loads(json.dumps(after)) == after


def test_a_written_file_is_read_and_solved_again(tmp_path: Path) -> None:
    first = backend.rbe_solve(block_model())
    first.write(tmp_path / "solved.json")
    again = backend.rbe_solve(tmp_path / "solved.json")
    assert (again.verdict, again.margin) == (first.verdict, first.margin)
    assert again.model() == first.model()


def test_what_falls_has_a_mechanism() -> None:
    # The centre of the upper block is 0.1 m beyond the edge of the lower one.
    solution = backend.rbe_solve(assembly([mesh([0, 0, 0], [1, 1, 1]), mesh([0.6, 0, 1], [1, 1, 1])]))
    assert solution.verdict == "falls" and not solution.stands
    velocity, spin = solution.mechanism["1"]
    assert velocity[2] < 0 and spin[1] > 0  # it tips about y, down
    node = solution.model()["data"]["graph"]["data"]["node"]["1"]
    assert node["transformation"]["data"]["matrix"][2][3] != 0


def test_an_assembly_gets_interfaces_with_forces() -> None:
    model = backend.rbe_solve(assembly(STACK), density=1000).model()
    edge = model["data"]["graph"]["data"]["edge"]["0"]["1"]
    assert edge["interfaces"][0]["dtype"] == "compas_assembly.datastructures/Interface"
    assert force_on(edge) == pytest.approx([0, 0, 9810], abs=1e-2)


def test_friction_between_walls_holds_only_if_it_arose() -> None:
    # Between two walls, self-stress and friction could carry the block; nothing presses the walls against it.
    wedged = [mesh([0, 0, 0], [1, 1, 1]), mesh([1, 0, 0], [1, 1, 1]), mesh([2, 0, 0], [1, 1, 1])]
    assert backend.rbe_solve(wedged, mu=0.8, supports=[0, 2]).verdict == "stands"
    assert backend.cra_solve(wedged, mu=0.8, supports=[0, 2]).verdict == "moves"
    assert backend.cra_solve(STACK, supports=[0]).verdict == "stands"


def test_limits_are_those_of_a_block_on_its_support() -> None:
    # A cube tips at 1; it slides at mu. On a support 0.25 m to the side, it tips towards +x at 0.25 / 0.5.
    cubes = [mesh([0, 0, 0], [4, 1, 1]), mesh([1, 0, 1], [1, 1, 1])]
    assert backend.limit_solve(cubes, "x", mu=0.3, supports=[0]).factor == pytest.approx((0.3, 0.3), rel=1e-5)
    assert backend.limit_solve(STACK, [1, 0, 0], mu=0.9, supports=[0]).factor == pytest.approx((0.5, 0.5), rel=1e-5)
    down = backend.limit_solve(cubes, (1, [1.0, 0, 0]), mu=0.3, density=1000, supports=[0])
    assert down.factor == pytest.approx((0.3 * 9810, 0.3 * 9810), rel=1e-5)
    with pytest.raises(ValueError, match="none of x, -x"):
        backend.limit_solve(cubes, "up", supports=[0])


def test_displacements_are_those_of_the_run() -> None:
    falling = backend.time_solve([mesh([0, 0, 0], [1, 1, 1])], duration=0.5)
    # Free fall in steps of the scene: g t^2 / 2 up to one step of 1/240 s.
    assert falling.displacement["0"][2][3] == pytest.approx(-9.81 * 0.125, rel=2 / 120)
    resting = backend.time_solve(STACK, duration=0.1, supports=[0])
    assert resting.verdict == "stands"
    assert resting.contacts[0].resultant[2] == pytest.approx(2200 * 9.81, rel=1e-6)


def test_results_are_a_document_beside_the_model() -> None:
    data = backend.rbe_solve(block_model()).results()
    assert data["dtype"] == "compas_dem.problem/Results"
    assert data["data"]["model_id"] == "the-model"
    assert list(data["data"]["edge_data"]) == ["1,0"] and list(data["data"]["node_data"]) == ["0", "1"]
    assert data["data"]["metadata"]["verdict"] == "stands"


def test_wrong_sources_are_named(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="object has no data"):
        backend.rbe_solve(object())
    with pytest.raises(voussoir.ArgumentError, match="no object 'block-7'"):
        backend.rbe_solve(STACK, supports=[7])
    deep: Any = []
    for _ in range(300):
        deep = [deep]
    with pytest.raises(ValueError, match="nested more than"):
        backend.rbe_solve(deep)
    with pytest.raises(ValueError, match="has no graph"):
        backend.rbe_solve(STACK, supports=[0]).model()


def test_compas_reads_what_is_written_where_it_is_installed(tmp_path: Path) -> None:
    solution = backend.rbe_solve(assembly(STACK), density=1000)
    solution.write(tmp_path / "solved.json")
    document = json.loads((tmp_path / "solved.json").read_text())
    assert backend.Document(document).keys == ["0", "1"]
    if importlib.util.find_spec("compas_assembly"):
        import compas

        graph = compas.json_load(tmp_path / "solved.json")
        assert backend.rbe_solve(graph).verdict == "stands"
