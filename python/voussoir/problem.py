"""Contact problems: made from matrices, blocks or files, solved, measured, written.

    minimise    1/2 v'H v + c'v + 1/2 l'E l
    subject to  C v = b_e                       joints    (impulses g, free)
                D v - b + E l = y in K*         contacts  (impulses l in K)

Three rows per contact: normal, u, w; K is the friction cone |l_T| <= mu l_n.
"""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import errors
from ._core import NULL, Context, FloatArray, Path, Progress, doubles, enum_value, ffi, lib, pointer_to, view
from .derivative import Derivative
from .result import Measures, Result
from .solver import Solution, Solver

__all__ = ["Problem", "ProblemInfo"]

Matrix = Any  # anything with tocsc() and tocsr() (scipy.sparse), an array, or a sequence of diagonal blocks


class ProblemInfo(NamedTuple):
    """Sizes and kinds (problem.h)."""

    local: bool
    n: int
    m: int
    m_e: int
    blocks: int
    contacts: int
    joints: int
    nnz_H: int
    nnz_D: int
    nnz_C: int
    nnz_N: int
    mu_min: float
    mu_max: float
    mass_min: float
    mass_max: float
    asymmetry: float
    block_diagonal: bool
    compliant: bool
    rolling: int


# ---- matrices --------------------------------------------------------------------------------------


class _Columns(NamedTuple):
    """Compressed columns as C wants them."""

    rows: int
    cols: int
    p: npt.NDArray[np.int64]
    i: npt.NDArray[np.int32]
    x: FloatArray

    def fill(self, target: Any) -> List[Any]:
        """Borrows the arrays to a vs_matrix_view; the list must outlive its use."""
        keep = [pointer_to(self.p, "int64_t[]"), pointer_to(self.i, "int[]"), pointer_to(self.x)]
        target.rows, target.cols = self.rows, self.cols
        target.p, target.i, target.x = keep
        return keep


def _compressed(rows: int, cols: int, p: Any, i: Any, x: Any) -> _Columns:
    return _Columns(
        rows,
        cols,
        np.ascontiguousarray(p, dtype=np.int64),
        np.ascontiguousarray(i, dtype=np.int32),
        np.ascontiguousarray(x, dtype=np.float64),
    )


def _columns(matrix: Matrix, transposed: bool, what: str) -> _Columns:
    """Columns of the matrix or, transposed, of its transpose (its rows, which need no transposition)."""
    if hasattr(matrix, "tocsc"):
        sparse = matrix.tocsr() if transposed else matrix.tocsc()
        if not sparse.has_canonical_format:
            sparse = sparse.copy()
            sparse.sum_duplicates()
        rows, cols = sparse.shape[::-1] if transposed else sparse.shape
        return _compressed(rows, cols, sparse.indptr, sparse.indices, sparse.data)
    dense = np.asarray(matrix, dtype=np.float64)
    if dense.ndim != 2:
        raise errors.ArgumentError(f"{what}: must be a matrix, has {dense.ndim} dimensions")
    by_column = dense if transposed else dense.T
    which, where = np.nonzero(by_column)
    p = np.searchsorted(which, np.arange(by_column.shape[0] + 1))
    return _compressed(by_column.shape[1], by_column.shape[0], p, where, by_column[which, where])


def _is_blocks(matrix: Matrix) -> bool:
    if hasattr(matrix, "tocsc"):
        return False
    if isinstance(matrix, np.ndarray):
        return matrix.ndim == 3
    return len(matrix) > 0 and np.ndim(matrix[0]) == 2


def _block_diagonal(blocks: Sequence[npt.ArrayLike]) -> _Columns:
    """Every entry of every block, column after column."""
    p, i, x, start = [0], [], [], 0
    for k, given in enumerate(blocks):
        block = np.asarray(given, dtype=np.float64)
        if block.ndim != 2 or block.shape[0] != block.shape[1]:
            raise errors.ArgumentError(f"H: block {k} must be square, has the shape {block.shape}")
        size = block.shape[0]
        for column in range(size):
            i.append(np.arange(start, start + size))
            x.append(block[:, column])
            p.append(p[-1] + size)
        start += size
    return _compressed(start, start, p, np.concatenate(i), np.concatenate(x))


# ---- problems --------------------------------------------------------------------------------------


class Problem:
    """A contact problem, constant once made.

    H   (n x n): scipy.sparse, an array, or a sequence of diagonal blocks (arrays, or one of shape (blocks, k, k))
    D   (m x n), m = 3 contacts: rows normal, u, w of one contact after the other
    c   (n), b (m): default 0.   mu: (contacts), or one number for all
    E   (m): compliance of the normal rows, 1/kg.   C (m_e x n), b_e (m_e): joints
    threads: of the library; results have the same bits for any number

    A block of 1 kg that is pushed sideways with a fifth of its weight does not move:

    >>> import numpy as np, voussoir
    >>> h, g = 1 / 240, 9.81
    >>> D = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])           # normal z, tangents x and y
    >>> problem = voussoir.Problem(np.eye(3), D, c=[-0.2 * h * g, 0, h * g], mu=0.5)
    >>> problem
    <voussoir.Problem: 3 velocities, 1 contact, 0 joint rows>
    >>> result = problem.solve(model="exact", tolerance=1e-10)
    >>> bool(np.allclose(result.v, 0)), bool(np.allclose(result.lambda_ / (h * g), [1, -0.2, 0]))
    (True, True)
    """

    def __init__(
        self,
        H: Matrix,
        D: Matrix,
        *,
        mu: npt.ArrayLike,
        c: Optional[npt.ArrayLike] = None,
        b: Optional[npt.ArrayLike] = None,
        E: Optional[npt.ArrayLike] = None,
        C: Optional[Matrix] = None,
        b_e: Optional[npt.ArrayLike] = None,
        threads: int = 1,
    ) -> None:
        columns = _block_diagonal(H) if _is_blocks(H) else _columns(H, False, "H")
        Dt = _columns(D, True, "D")
        if Dt.cols % 3:
            raise errors.ArgumentError(f"D: has {Dt.cols} rows, must have 3 for each contact (Builder has others)")
        n, m, contacts = columns.rows, Dt.cols, Dt.cols // 3
        definition = lib.vs_problem_global_def_default()
        keep = columns.fill(definition.H) + Dt.fill(definition.Dt)
        joints = None if C is None else _columns(C, True, "C")
        if joints is not None:
            keep += joints.fill(definition.Ct)
        definition.contacts = contacts
        vectors = [("c", c, n), ("b", b, m), ("mu", mu, contacts)]
        if E is not None:
            vectors.append(("E", E, m))
        if joints is not None:
            vectors.append(("b_e", b_e, joints.cols))
        for name, values, count in vectors:
            keep.append(pointer_to(doubles(0.0 if values is None else values, count, name)))
            setattr(definition, name, keep[-1])
        self._make(Context(threads), lib.vs_problem_from_global, definition)

    def _make(self, context: Context, function: Any, definition: Any) -> None:
        argument = ffi.addressof(definition)
        made = context.make(lib.VS_PY_PROBLEM, "vs_problem", context.handle, function, context.pointer, argument)
        self._adopt(context, *made)

    def _adopt(self, context: Context, pointer: Any, handle: Any) -> None:
        self._context = context
        self._pointer = pointer
        self._handle = handle
        raw = lib.vs_problem_get_info(pointer)
        self.info = ProblemInfo(*[getattr(raw, name) for name in ProblemInfo._fields])
        self.n: int = self.info.n
        self.m: int = self.info.m
        self.m_e: int = self.info.m_e
        self.contacts: int = self.info.contacts

    @classmethod
    def _wrap(cls, context: Context, pointer: Any, handle: Any) -> "Problem":
        self = cls.__new__(cls)
        self._adopt(context, pointer, handle)
        return self

    @classmethod
    def local(cls, N: Matrix, r: npt.ArrayLike, *, mu: npt.ArrayLike, threads: int = 1) -> "Problem":
        """The local form y = N lambda + r with a given Delassus matrix N (m x m).

        >>> import numpy as np, voussoir
        >>> result = voussoir.Problem.local(np.eye(3), [-1, 0, 0], mu=0.5).solve()
        >>> bool(np.allclose(result.lambda_, [1, 0, 0])), result.v.size
        (True, 0)
        """
        columns = _columns(N, False, "N")
        if columns.cols % 3:
            raise errors.ArgumentError(f"N: has {columns.cols} columns, must have 3 for each contact")
        contacts = columns.cols // 3
        definition = lib.vs_problem_local_def_default()
        keep = columns.fill(definition.N)
        keep += [pointer_to(doubles(r, columns.cols, "r")), pointer_to(doubles(mu, contacts, "mu"))]
        definition.r, definition.mu, definition.contacts = keep[-2], keep[-1], contacts
        self = cls.__new__(cls)
        self._make(Context(threads), lib.vs_problem_from_local, definition)
        return self

    # ---- looking at it -----------------------------------------------------------------------------

    def _vector(self, name: str, count: int) -> Optional[FloatArray]:
        pointer = getattr(lib.vs_problem_get_vectors(self._pointer), name)
        return None if pointer == NULL else view(pointer, count, np.float64, self._handle)

    @property
    def c(self) -> Optional[FloatArray]:
        """(n), a view; None in the local form."""
        return self._vector("c", self.n)

    @property
    def b(self) -> Optional[FloatArray]:
        """(m), a view; None in the local form."""
        return self._vector("b", self.m)

    @property
    def r(self) -> Optional[FloatArray]:
        """(m), a view; local form only."""
        return self._vector("r", self.m)

    @property
    def mu(self) -> Optional[FloatArray]:
        """(contacts), a view."""
        return self._vector("mu", self.contacts)

    @property
    def lo(self) -> Optional[FloatArray]:
        """(m), a view: lower bounds of box rows; None without any."""
        return self._vector("lo", self.m)

    @property
    def hi(self) -> Optional[FloatArray]:
        """(m), a view: upper bounds of box rows; None without any."""
        return self._vector("hi", self.m)

    @property
    def rolling(self) -> Optional[FloatArray]:
        """(contacts), m, a view: coefficients of rolling friction; None if no contact has rolling or spinning friction."""
        return self._vector("rolling", self.contacts)

    @property
    def spinning(self) -> Optional[FloatArray]:
        """(contacts), m, a view: coefficients of spinning friction; None likewise."""
        return self._vector("spinning", self.contacts)

    @property
    def contact_rows(self) -> npt.NDArray[np.int32]:
        """First row of each contact (contacts + 1), a view."""
        return view(lib.vs_problem_get_contact_rows(self._pointer), self.contacts + 1, np.int32, self._handle)

    @property
    def contact_keys(self) -> npt.NDArray[np.uint64]:
        """Key of each contact (contacts), a view; 0: none."""
        return view(lib.vs_problem_get_contact_keys(self._pointer), self.contacts, np.uint64, self._handle)

    def __repr__(self) -> str:
        kind = "" if not self.info.local else " local form,"
        contacts = f"{self.contacts} contact{'s' if self.contacts != 1 else ''}"
        return f"<voussoir.Problem:{kind} {self.n} velocities, {contacts}, {self.m_e} joint rows>"

    # ---- what can be done with it ------------------------------------------------------------------

    def change(
        self,
        *,
        c: Optional[npt.ArrayLike] = None,
        b: Optional[npt.ArrayLike] = None,
        r: Optional[npt.ArrayLike] = None,
        mu: Optional[npt.ArrayLike] = None,
        keep: Optional[npt.ArrayLike] = None,
    ) -> "Problem":
        """A copy with other values; `keep` (contacts): False leaves a contact out.

        >>> import numpy as np, voussoir
        >>> problem = voussoir.Problem(np.eye(3), np.eye(3), c=[1, 0, 0], mu=0.5)
        >>> problem.change(mu=0.8).mu
        array([0.8])
        """
        definition = lib.vs_problem_change_def_default()
        alive: List[Any] = []
        for name, values, count in (("c", c, self.n), ("b", b, self.m), ("r", r, self.m), ("mu", mu, self.contacts)):
            if values is not None:
                alive.append(pointer_to(doubles(values, count, name)))
                setattr(definition, name, alive[-1])
        if keep is not None:
            chosen = np.ascontiguousarray(keep, dtype=np.bool_)
            if chosen.shape != (self.contacts,):
                raise errors.ArgumentError(f"keep: has {chosen.size} entries, must have {self.contacts}")
            alive.append(pointer_to(chosen, "bool[]"))
            definition.keep = alive[-1]
        context = self._context
        argument = ffi.addressof(definition)
        made = context.make(
            lib.VS_PY_PROBLEM, "vs_problem", context.handle, lib.vs_problem_change, self._pointer, argument
        )
        return Problem._wrap(context, *made)

    def solver(self, *, progress: Optional[Progress] = None, **options: object) -> Solver:
        """A solver for this problem and others with the same pattern; options as for `solve()`."""
        return Solver(self, progress=progress, **options)

    def solve(
        self,
        *,
        model: str = "exact",
        method: str = "auto",
        tolerance: float = 1e-8,
        initial: Union[Result, Solution, npt.ArrayLike, None] = None,
        progress: Optional[Progress] = None,
        **options: object,
    ) -> Result:
        """Solves once.

        model       "exact" (Coulomb's law), "relaxed" (convex) or "frictionless"
        method      "auto" or a name of `voussoir.methods()`
        tolerance   largest relative error of an island, and largest relative natural-map error of FCLIB (`criterion="both"`)
        initial     point to start from: a result, a solution, or contact impulses (m)
        progress    called with an `Iteration` each iteration; False stops, an exception stops and is raised
        options     every other field of vs_solver_options (solver.h) by its name: form, linear_solver, criterion,
                    max_iterations, max_time, start, warm_start, correctors, fallback, sweep, relaxation, outer, check_every

        >>> import numpy as np, voussoir
        >>> problem = voussoir.Problem(np.eye(3), np.eye(3), c=[1, 0, 0], mu=0.5)
        >>> problem.solve(method="gauss-seidel").method
        'gauss-seidel'
        >>> problem.solve(method="gaus-seidel")
        Traceback (most recent call last):
        voussoir.errors.ArgumentError: method: there is no 'gaus-seidel'; did you mean 'gauss-seidel'?
        """
        prepared = Solver(self, model=model, method=method, tolerance=tolerance, progress=progress, **options)
        if initial is not None:
            prepared.warm_start(initial)
        return prepared._run(exclusive=True)

    def measure(
        self, lambda_: npt.ArrayLike, g: Optional[npt.ArrayLike] = None, *, model: str = "exact"
    ) -> Tuple[Measures, FloatArray, FloatArray]:
        """Every error measure of given impulses, with the velocities v and y that follow from them.

        >>> import numpy as np, voussoir
        >>> problem = voussoir.Problem(np.eye(3), np.eye(3), c=[1, 0, 0], mu=0.5)
        >>> measures, v, y = problem.measure([1, 0, 0])
        >>> measures.energy_error, measures.energy_scale, v.tolist()
        (0.0, 0.5, [0.0, 0.0, 0.0])
        """
        context = self._context
        impulses = doubles(lambda_, self.m, "lambda_")
        joints = doubles(0.0 if g is None else g, self.m_e, "g")
        v, y = np.zeros(self.n), np.zeros(self.m)
        raw = ffi.new("vs_measures *")
        with context.lock:
            law = enum_value("vs_model", model, "model")
            measurer, handle = context.make(
                lib.VS_PY_MEASURER, "vs_measurer", self._handle, lib.vs_measurer_create, self._pointer, law
            )
            arrays = [pointer_to(array) for array in (joints, impulses, v, y)]
            context.call(lib.vs_measure, measurer, *arrays, raw)
            del handle
        return Measures._read(raw), v, y

    def derivative(
        self,
        solution: Union[Result, Solution, None] = None,
        *,
        model: str = "exact",
        border: float = 1e-6,
        gap: float = 0.0,
    ) -> "Derivative":
        """The derivative of a solution, or at a point of the central path, by the data of the problem: see `Derivative`."""
        return Derivative(self, solution, model=model, border=border, gap=gap)

    def save(self, path: Path, solution: Union[Result, Solution, None] = None) -> None:
        """The same as `voussoir.save_fclib(path, problem, solution)`."""
        from .fclib import save_fclib

        save_fclib(path, self, solution)
