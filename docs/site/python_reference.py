"""The Python reference: every public name, by topic, from its docstring."""

from __future__ import annotations

import ast
from pathlib import Path

TOPICS = {
    "One contact problem": ["Problem", "ProblemInfo", "Builder", "Solver", "Solution", "Result", "Measures", "Stage", "Times",
                            "Iteration", "Derivative", "DerivativeReport"],
    "Files of the community": ["load_fclib", "load_solution", "save_fclib"],
    "A world": ["World", "Body", "Joint", "Controls", "Tree", "Node", "Simulation", "StepReport", "Summary", "Outcome", "Margin", "Energy", "EnergyFlow", "Recorder",
                "Event", "Hit", "RunDerivative", "RunDerivativeReport", "RunDirection", "RunGradient"],
    "Shapes and signals": ["Shape", "Box", "Sphere", "Capsule", "Cylinder", "Ellipsoid", "Hull", "Mesh", "HeightField", "Plane",
                           "ShapeFile", "MassProperties", "Pose", "rotation", "Record", "Intensity", "Sine", "Table"],
    "Statics": ["Statics", "Verdict", "Interface", "JointForce", "Mechanism", "LawCheck", "Limit", "LimitGradient", "Nonassociative"],
    "Scenes": ["scene", "scenes", "drawing", "Scene", "SceneInfo", "Batch", "Sensors"],
    "Trajectories": ["Trajectory", "Track", "Frame", "Contacts", "export_xdmf", "recover"],
    "This build": ["methods", "MethodInfo", "backends", "blas"],
    "Errors": ["Error", "ArgumentError", "DataError", "FileError", "NotConverged", "OutOfMemory",
               "Unsupported"],
}  # fmt: skip


def public_names(package: Path, module: str = "__init__") -> "set[str]":
    """__all__ of a module: a list, to which those of other modules may be added."""
    names: "set[str]" = set()
    for node in ast.parse((package / f"{module}.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            names |= set(ast.literal_eval(node.value))
        elif isinstance(node, ast.AugAssign) and getattr(node.target, "id", "") == "__all__":
            names |= public_names(package, node.value.value.id)  # __all__ += module.__all__
    if not names:
        raise SystemExit(f"python_reference.py: no __all__ in {package}/{module}.py")
    return names


def write(package: Path, target: Path) -> None:
    listed = {name for names in TOPICS.values() for name in names}
    missing = public_names(package) ^ listed
    if missing:
        raise SystemExit(f"python_reference.py: TOPICS and voussoir.__all__ differ: {sorted(missing)}")
    out = ["Python reference", "================", "", "Every example here is run as a test.", "",
           ".. currentmodule:: voussoir", ""]  # fmt: skip
    for title, names in TOPICS.items():
        out += [title, "-" * len(title), ""]
        for name in names:
            if name[0].islower():
                out += [f".. autofunction:: {name}", ""]
            else:
                out += [
                    f".. autoclass:: {name}",
                    "   :members:",
                    "   :show-inheritance:" if "Error" in name else "",
                    "",
                ]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(out), encoding="utf-8")
