"""Contact problems with friction and joints, solved to a certified accuracy.

Four ways in:

    Problem, Builder, load_fclib     one contact problem: solve it, measure it
    World, scene                     bodies, joints and loads over time
    Batch, voussoir.env              many worlds at once; environments for learning
    Trajectory                       what a simulation wrote

>>> import numpy as np, voussoir
>>> D = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]               # a point on a plane: normal z, tangents x, y
>>> result = voussoir.Problem(np.eye(3), D, c=[-0.1, 0, 1], mu=0.5).solve()
>>> result.status, bool(np.allclose(result.lambda_, [1, -0.1, 0]))
('converged', True)
>>> voussoir.scene("arch", stones=9).run(duration=0.1).inaccurate
0

The library is free of Python's lock while it works: solve in threads, each with problems of its own. Ctrl-C stops a
solve. Errors are exceptions with the text of the library (`voussoir.Error`).
"""

from __future__ import annotations

from typing import Dict, List, NamedTuple

from . import errors as errors
from ._core import Iteration, ffi, lib, text
from .batch import Batch
from .body import Body, Joint
from .builder import Builder
from .control import Controls
from .derivative import Derivative, DerivativeReport
from .errors import (
    ArgumentError,
    DataError,
    Error,
    FileError,
    NotConverged,
    OutOfMemory,
    Unsupported,
)
from .fclib import load_fclib, load_solution, save_fclib
from .observe import Node, Tree
from .outcome import Margin, Outcome
from .problem import Problem, ProblemInfo
from .query import Event, Hit
from .result import Measures, Result, Stage, Times
from .run_derivative import RunDerivative, RunDerivativeReport, RunDirection, RunGradient
from .scene import Scene, SceneInfo, drawing, scene, scenes
from . import shapes
from .shapes import *  # noqa: F403 (shapes.__all__)
from .sensor import Sensors
from .simulation import Energy, EnergyFlow, Recorder, Simulation, StepReport, Summary
from .solver import Solution, Solver
from .statics import Interface, JointForce, LawCheck, Limit, LimitGradient, Mechanism, Nonassociative, Statics, Verdict
from .trajectory import Contacts, Frame, Track, Trajectory, export_xdmf, recover
from .world import World

__version__: str = text(lib.vs_version())


class MethodInfo(NamedTuple):
    """A method, for `Problem.solve(method=…)`."""

    name: str
    purpose: str
    models: List[str]  # that it solves by itself
    made_for: List[str]  # of these, without boxes in place of friction cones


def methods() -> List[MethodInfo]:
    """The methods of this build.

    >>> import voussoir
    >>> [method.name for method in voussoir.methods()][:4]
    ['auto', 'ipm', 'cascade', 'gauss-seidel']
    """
    found: List[MethodInfo] = []
    for index in range(lib.vs_method_count()):
        info = lib.vs_method_at(index)
        names = {k: text(lib.vs_model_name(k)) for k in ffi.typeof("vs_model").elements}
        models, made_for = (sorted(name for k, name in names.items() if bits >> k & 1) for bits in (info.models, info.made_for))
        found.append(MethodInfo(text(info.name), text(info.purpose), models, made_for))
    return found


def backends() -> List[Dict[str, str]]:
    """The linear solvers of this build with version, licence and purpose.

    >>> import voussoir
    >>> "ldl" in [backend["name"] for backend in voussoir.backends()]
    True
    """
    found: List[Dict[str, str]] = []
    for index in range(lib.vs_backend_count()):
        info = lib.vs_backend_at(index)
        found.append({name: text(getattr(info, name)) for name in ("name", "version", "licence", "purpose")})
    return found


def blas() -> str:
    """Name of the BLAS and of the processor kernel it chose."""
    return text(lib.vs_solver_blas())


__all__ = [
    "ArgumentError",
    "Batch",
    "Body",
    "Builder",
    "Contacts",
    "Controls",
    "Sensors",
    "DataError",
    "Derivative",
    "DerivativeReport",
    "Energy",
    "EnergyFlow",
    "Error",
    "Event",
    "FileError",
    "Frame",
    "Hit",
    "Interface",
    "JointForce",
    "Iteration",
    "Joint",
    "LawCheck",
    "Limit",
    "LimitGradient",
    "Margin",
    "Measures",
    "Mechanism",
    "MethodInfo",
    "Node",
    "Nonassociative",
    "NotConverged",
    "Outcome",
    "OutOfMemory",
    "Problem",
    "ProblemInfo",
    "Recorder",
    "Result",
    "RunDerivative",
    "RunDerivativeReport",
    "RunDirection",
    "RunGradient",
    "Scene",
    "SceneInfo",
    "Simulation",
    "Solution",
    "Solver",
    "Stage",
    "Statics",
    "StepReport",
    "Summary",
    "Times",
    "Track",
    "Trajectory",
    "Tree",
    "Unsupported",
    "Verdict",
    "World",
    "backends",
    "blas",
    "drawing",
    "export_xdmf",
    "load_fclib",
    "load_solution",
    "methods",
    "recover",
    "save_fclib",
    "scene",
    "scenes",
]
__all__ += shapes.__all__


def __dir__() -> List[str]:
    return sorted(__all__)
