"""Contact problems from blocks of velocities and what acts between them."""

from __future__ import annotations

from typing import Any, List, Mapping, Optional

import numpy as np
import numpy.typing as npt

from . import errors
from ._core import NULL, Context, doubles, ffi, lib, pointer_to
from .problem import Problem

__all__ = ["Builder"]


class Builder:
    """A problem from blocks of velocities (bodies) and what acts between them.

    Jacobians are given by the index of the block: {block: matrix (rows x dofs of the block)}.

    >>> import numpy as np, voussoir
    >>> builder = voussoir.Builder()
    >>> ball = builder.add_block(2.0 * np.eye(3), [0, 0, 2.0])
    >>> builder.add_contact({ball: [[0, 0, 1], [1, 0, 0], [0, 1, 0]]}, mu=0.3, key=7)
    0
    >>> problem = builder.finish()
    >>> (problem.solve().lambda_.round(9) + 0).tolist(), problem.contact_keys.tolist()
    ([2.0, 0.0, 0.0], [7])
    """

    def __init__(self, threads: int = 1) -> None:
        self._context = Context(threads)
        self._dofs: List[int] = []
        self._pointer, self._handle = self._context.make(
            lib.VS_PY_BUILDER,
            "vs_problem_builder",
            self._context.handle,
            lib.vs_problem_builder_create,
            self._context.pointer,
        )

    def _alive(self) -> Any:
        if self._pointer is None:
            raise errors.ArgumentError("the builder has finished; make another one")
        return self._pointer

    def _add(self, function: Any, definition: Any) -> int:
        index = ffi.new("int *")
        self._context.call(function, self._alive(), ffi.addressof(definition), index)
        return int(index[0])

    def _blocks(self, definition: Any, jacobians: Mapping[int, npt.ArrayLike], rows: int) -> List[Any]:
        """Sets block and jacobian; the list must outlive the definition."""
        matrices = []
        for block, values in jacobians.items():
            if not 0 <= block < len(self._dofs):
                raise errors.ArgumentError(f"there is no block {block}, only {len(self._dofs)}")
            matrix = np.ascontiguousarray(values, dtype=np.float64)
            if matrix.size != rows * self._dofs[block]:
                raise errors.ArgumentError(
                    f"jacobian of block {block}: has the shape {matrix.shape}, must have {(rows, self._dofs[block])}"
                )
            matrices.append(pointer_to(matrix))
        indices = ffi.new("int[]", list(jacobians))
        table = ffi.new("const double *[]", matrices)
        definition.blocks, definition.block, definition.jacobian = len(matrices), indices, table
        return [indices, table, *matrices]

    def add_block(self, H: npt.ArrayLike, c: npt.ArrayLike) -> int:
        """A block of velocities, usually the 6 of a body: H (k x k), c (k). Returns its index."""
        matrix = np.ascontiguousarray(H, dtype=np.float64)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise errors.ArgumentError(f"H: must be square, has the shape {matrix.shape}")
        size = matrix.shape[0]
        vector = doubles(c, size, "c")
        arguments = (size, pointer_to(matrix), pointer_to(vector), NULL)
        self._context.call(lib.vs_problem_builder_add_block, self._alive(), *arguments)
        self._dofs.append(size)
        return len(self._dofs) - 1

    def add_contact(
        self,
        jacobians: Mapping[int, npt.ArrayLike],
        *,
        mu: float = 0.0,
        b: npt.ArrayLike = 0.0,
        frictionless: bool = False,
        compliance: float = 0.0,
        rolling: float = 0.0,
        spinning: float = 0.0,
        elliptic: bool = False,
        key: int = 0,
    ) -> int:
        """A contact with three rows n, u, w or, frictionless, with one. Returns its index.

        A coefficient of rolling friction (m) adds two rows, the relative angular velocity about u and w; one of spinning
        friction (m) a last one, about n. b has an entry per row. elliptic: sliding, rolling and spinning share one limit, an
        ellipse; otherwise each has its own.
        """
        turning = (0 if frictionless or rolling == 0 else 2) + (0 if frictionless or spinning == 0 else 1)
        rows = 1 if frictionless else 3 + turning
        definition = lib.vs_problem_contact_def_default()
        keep = self._blocks(definition, jacobians, rows)
        for k, value in enumerate(doubles(b, rows, "b")):
            if k < 3:
                definition.b[k] = value
            else:
                definition.b_rotation[2 if turning == 1 else k - 3] = value
        definition.rolling, definition.spinning, definition.elliptic = rolling, spinning, elliptic
        definition.mu, definition.frictionless = mu, frictionless
        definition.compliance, definition.key = compliance, key
        index = self._add(lib.vs_problem_builder_add_contact, definition)
        del keep
        return index

    def _rows(self, definition: Any, function: Any, jacobians: Mapping[int, npt.ArrayLike], **vectors: Any) -> int:
        shaped = {block: np.atleast_2d(np.asarray(values, dtype=np.float64)) for block, values in jacobians.items()}
        rows = max((len(matrix) for matrix in shaped.values()), default=0)
        definition.rows = rows
        keep = self._blocks(definition, shaped, rows)
        for name, values in vectors.items():
            if values is not None:
                keep.append(pointer_to(doubles(values, rows, name)))
                setattr(definition, name, keep[-1])
        return self._add(function, definition)

    def add_joint(
        self,
        jacobians: Mapping[int, npt.ArrayLike],
        *,
        b: Optional[npt.ArrayLike] = None,
        compliance: Optional[npt.ArrayLike] = None,
        key: int = 0,
    ) -> int:
        """Bilateral rows, as many as the Jacobians have. Returns the index among the joints."""
        definition = lib.vs_problem_joint_def_default()
        definition.key = key
        return self._rows(definition, lib.vs_problem_builder_add_joint, jacobians, b=b, compliance=compliance)

    def add_bounds(
        self,
        jacobians: Mapping[int, npt.ArrayLike],
        *,
        lo: npt.ArrayLike,
        hi: npt.ArrayLike,
        b: Optional[npt.ArrayLike] = None,
        compliance: Optional[npt.ArrayLike] = None,
        key: int = 0,
    ) -> int:
        """Rows with lo <= lambda <= hi: motor limits, joint friction. Returns the index among the contacts."""
        definition = lib.vs_problem_box_def_default()
        definition.key = key
        function = lib.vs_problem_builder_add_box
        return self._rows(definition, function, jacobians, lo=lo, hi=hi, b=b, compliance=compliance)

    def finish(self) -> Problem:
        """The problem; the builder is used up."""
        builder = self._alive()
        self._pointer, self._handle.object = None, NULL  # finishing destroys it in every case
        context = self._context
        made = context.make(lib.VS_PY_PROBLEM, "vs_problem", context.handle, lib.vs_problem_builder_finish, builder)
        return Problem._wrap(context, *made)
