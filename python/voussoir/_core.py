"""Between C and the classes of this package: contexts, ownership, options, structs as numpy types.

A context belongs to one thread at a time. Here every problem and every world has one of its own, with a lock: different
objects work in parallel, calls on the same object wait for each other.
"""

from __future__ import annotations

import difflib
import logging
import os
import sys
import threading
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import errors
from ._library import c_function, set_callbacks
from ._library import ffi as ffi
from ._library import lib as lib

FloatArray = npt.NDArray[np.float64]
Path = Union[str, "os.PathLike[str]"]
NULL = ffi.NULL

# ---- texts -----------------------------------------------------------------------------------------


def text(pointer: Any) -> str:
    """A C string, "" for null."""
    return "" if pointer == NULL else str(ffi.string(pointer).decode("utf-8", "replace"))


def path_bytes(path: Path) -> bytes:
    name = os.fsencode(os.fspath(path))
    if sys.platform == "win32" and not name.isascii():  # the library takes the code page of python.exe, HDF5 takes UTF-8
        raise errors.ArgumentError(f"{os.fspath(path)!r}: on Windows, names must be ASCII; change to the folder of the file first")
    return name


def nearest(word: str, words: Sequence[str]) -> str:
    """'; did you mean …', or the list of what there is, at most twenty of them."""
    found = difflib.get_close_matches(word, words, 1)
    if found:
        return f"; did you mean {found[0]!r}?"
    more = ", …" if len(words) > 20 else ""
    return f"; there is: {', '.join(words[:20])}{more}" if words else "; there is none"


# ---- contexts and ownership ------------------------------------------------------------------------

_log = logging.getLogger("voussoir")
_pending = threading.local()  # .error: raised in a callback, waits for the call to return


def _keep_error(kind: Any, error: Optional[BaseException], traceback: Any) -> None:
    _pending.error = error if error is not None else kind()


class Iteration(NamedTuple):
    """A line of the history, as a progress callback gets it."""

    iteration: int
    energy_error: float
    natural_map_relative: float
    gap: float
    step_primal: float
    step_dual: float
    sigma: float
    refinements: int
    regularization: float
    seconds: float
    stage: str  # of the cascade; "" for methods without stages


Progress = Callable[[Iteration], Optional[bool]]


def vs_py_progress(user: Any, iteration: Any) -> bool:
    # Without a user it is only here to let Python look at its signals: entering the function did that.
    if user == NULL:
        return True
    callback: Progress = ffi.from_handle(user)
    values = {name: getattr(iteration, name) for name in Iteration._fields}
    values["stage"] = text(iteration.stage)
    return callback(Iteration(**values)) is not False


def vs_py_log(user: Any, level: Any, line: Any) -> None:
    _log.warning("%s", text(line))


_PROGRESS = c_function(vs_py_progress, _keep_error, False)
_LOG = c_function(vs_py_log, _keep_error)
set_callbacks(_PROGRESS, _LOG)


def raise_pending() -> None:
    """Raises what a callback of this thread raised during the last call (Ctrl-C, too)."""
    error = getattr(_pending, "error", None)
    if error is not None:
        _pending.error = None
        raise error


def own(kind: int, pointer: Any, parent: Any) -> Any:
    """A handle that destroys the object when nobody holds it or anything that rests on it."""
    handle = lib.vs_py_own(pointer, kind, parent)
    if handle == NULL:
        raise errors.OutOfMemory("out of memory")
    return ffi.gc(handle, lib.vs_py_release)


class Context:
    """Memory, log and threads of the objects made with it; one call at a time."""

    __slots__ = ("pointer", "handle", "lock")

    def __init__(self, threads: int = 1) -> None:
        definition = lib.vs_context_def_default()
        definition.threads = threads
        definition.log = WARN
        out = ffi.new("vs_context **")
        if lib.vs_context_create(ffi.addressof(definition), out) != lib.VS_OK:
            raise errors.ArgumentError(f"threads: must be 1 … 1024, is {threads}")
        self.pointer = out[0]
        self.handle = own(lib.VS_PY_CONTEXT, out[0], NULL)
        self.lock = threading.RLock()

    def fail(self, error: int) -> None:
        """Raises what an error code means, with the text of the library."""
        name = ENUMS("vs_error").get(error, "VS_ERROR")
        words = text(lib.vs_context_get_error_text(self.pointer)) or text(lib.vs_error_name(error))
        raise errors.BY_CODE.get(name, errors.Error)(words)

    def call(self, function: Any, *arguments: Any) -> None:
        """Calls with the lock held; an error becomes an exception. Other Python threads run meanwhile."""
        with self.lock:
            error = function(*arguments)
            raise_pending()
            if error:
                self.fail(error)

    def make(self, kind: int, c_type: str, parent: Any, function: Any, *arguments: Any) -> Tuple[Any, Any]:
        """Calls a function whose last argument receives an object; returns it and its handle."""
        out = ffi.new(c_type + " **")
        self.call(function, *arguments, out)
        return out[0], own(kind, out[0], parent)


_hdf5_lock = threading.RLock()


@contextmanager
def hdf5(context: Context) -> Iterator[None]:
    """One call of HDF5 at a time, h5py's included: not every HDF5 is built for threads, and the process has one.

    The context comes first: a callback that writes a file has it already.
    """
    objects = sys.modules.get("h5py._objects")
    with context.lock, _hdf5_lock:
        if objects is None:
            yield
        else:
            with objects.phil:
                yield


# ---- enumerations and options ----------------------------------------------------------------------


@lru_cache(maxsize=None)
def ENUMS(name: str) -> Dict[int, str]:
    """Constants of an enumeration by value."""
    return dict(ffi.typeof(name).elements)


@lru_cache(maxsize=None)
def choices(name: str) -> Tuple[str, ...]:
    """Short names of an enumeration, by value: those of the library, else "gauss-seidel" for VS_METHOD_GAUSS_SEIDEL."""
    listed = getattr(lib, f"{name}_names", None)
    if listed is not None:
        words, found = listed(), []  # type: Any, List[str]
        while words[len(found)] != NULL:
            found.append(text(words[len(found)]).replace("_", "-"))
        return tuple(found)
    names = [ENUMS(name)[value] for value in sorted(ENUMS(name))]
    common = os.path.commonprefix(names)
    cut = common.rfind("_") + 1
    return tuple(word[cut:].lower().replace("_", "-") for word in names)


def enum_value(c_type: str, value: object, what: str) -> int:
    """The value of a short name; underscores are as good as hyphens."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    words = choices(c_type)
    if not isinstance(value, str):
        raise errors.ArgumentError(f"{what}: must be one of {', '.join(words)}; is of type {type(value).__name__}")
    word = value.lower().replace("_", "-")
    if word not in words:
        raise errors.ArgumentError(f"{what}: there is no {value!r}{nearest(word, words)}")
    return words.index(word)


@lru_cache(maxsize=None)
def fields(c_type: str) -> Dict[str, Any]:
    return dict(ffi.typeof(c_type).fields)


WATCHED = ffi.addressof(lib, "vs_py_watched")
WARN = ffi.addressof(lib, "vs_py_warn")
# Names of earlier versions, which are too far from the present ones to be recognized as misspelt.
RENAMED = {"tol": "tolerance", "solver": "method", "warm": "warm_start"}
HIDDEN = {"progress", "progress_user", "before", "after", "user", "stop", "stops"}


def _places(struct: Any, c_type: str, name: str) -> List[Tuple[Any, Any]]:
    """Every struct that has the field, and its type: this one, or the groups of options in it."""
    if name in HIDDEN:
        return []
    found = []
    for field, member in fields(c_type).items():
        if member.type.kind == "struct":
            found += _places(getattr(struct, field), member.type.cname, name)
        elif field == name:
            found.append((struct, member.type))
    return found


def set_options(struct: Any, c_type: str, options: Mapping[str, object]) -> List[object]:
    """Sets fields of options, those of groups (ipm.correctors) by their own name; returns what must live as long."""
    keep: List[object] = []
    for name, value in options.items():
        places = _places(struct, c_type, name)
        if not places:
            raise errors.ArgumentError(f"there is no option {name!r}{nearest(RENAMED.get(name, name), _names(c_type))}")
        for owner, kind in places:
            if kind.kind == "enum":
                setattr(owner, name, enum_value(kind.cname, value, name))
            elif kind.kind == "pointer":
                keep.append(ffi.new("char[]", str(value).encode()))
                setattr(owner, name, keep[-1])
            else:
                setattr(owner, name, value)
    return keep


def _names(c_type: str) -> List[str]:
    """Names of all options, those of groups included."""
    found = []
    for field, member in fields(c_type).items():
        if member.type.kind == "struct":
            found += _names(member.type.cname)
        elif field not in HIDDEN:
            found.append(field)
    return found


def _template(options: Tuple[Tuple[str, object], ...]) -> Tuple[Any, List[object]]:
    struct = ffi.new("vs_solver_options *", lib.vs_solver_options_default())
    return struct, set_options(struct[0], "vs_solver_options", dict(options))


_known_template = lru_cache(maxsize=64)(_template)


def solver_options(options: Mapping[str, object], progress: Optional[Progress]) -> Tuple[Any, List[object]]:
    """A pointer to vs_solver_options, and what must live as long as they are in use. The same options are read once."""
    try:
        template, keep = _known_template(tuple(options.items()))
    except TypeError:  # a value without a hash; says what is wrong with it
        template, keep = _template(tuple(options.items()))
    struct = ffi.new("vs_solver_options *", template[0])
    return struct, [keep, *set_progress(struct, progress)]


def set_progress(struct: Any, progress: Optional[Progress]) -> List[object]:
    """The user's callback at every iteration, or an occasional check for signals."""
    if progress is not None:
        user = ffi.new_handle(progress)
        struct.progress = _PROGRESS
    else:
        user = ffi.new("vs_py_watch *")
        struct.progress = WATCHED
    struct.progress_user = user
    return [user, progress]


# ---- structs and memory as numpy -------------------------------------------------------------------

VECTORS = {"vs_vec3": (np.float64, (3,)), "vs_quat": (np.float64, (4,)), "vs_mat3": (np.float64, (3, 3))}
IDS = {"vs_body_id", "vs_collider_id", "vs_joint_id"}


@lru_cache(maxsize=None)
def dtype_of(c_type: Any) -> np.dtype[Any]:
    """The numpy type of a C type, with its offsets; pointers are left out."""
    if isinstance(c_type, str):
        return dtype_of(ffi.typeof(c_type))
    name = c_type.cname.split()[-1]  # "struct vs_vec3"
    if name in VECTORS:
        return np.dtype(VECTORS[name])
    if name in IDS:
        return np.dtype((np.uint32, (2,)))
    size = ffi.sizeof(c_type)
    if c_type.kind == "struct":
        kept = [(field, member) for field, member in c_type.fields if member.type.kind not in ("pointer", "function")]
        return np.dtype(
            {
                "names": [field for field, _ in kept],
                "formats": [dtype_of(member.type) for _, member in kept],
                "offsets": [member.offset for _, member in kept],
                "itemsize": size,
            }
        )
    if c_type.kind == "enum":
        return np.dtype(f"i{size}")
    if c_type.cname == "_Bool":
        return np.dtype(np.bool_)
    if c_type.cname in ("double", "float"):
        return np.dtype(f"f{size}")
    return np.dtype(("i" if int(ffi.cast(c_type, -1)) < 0 else "u") + str(size))


class Memory:
    """Memory of C with its owner; numpy keeps this object as the base of every view."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, pointer: Any, count: int, typestr: str, owner: object) -> None:
        address = int(ffi.cast("uintptr_t", pointer))
        self.__array_interface__ = {"data": (address, True), "shape": (count,), "typestr": typestr, "version": 3}
        self.owner = owner


def view(pointer: Any, count: int, dtype: npt.DTypeLike, owner: object) -> npt.NDArray[Any]:
    """A read-only array on memory of C, which `owner` keeps alive; empty for null."""
    kind = np.dtype(dtype)
    if pointer == NULL or count == 0:
        empty = np.empty(0, kind)
        empty.flags.writeable = False
        return empty
    if kind.names is None:
        return np.asarray(Memory(pointer, count, kind.str, owner))
    return np.asarray(Memory(pointer, count * kind.itemsize, "|u1", owner)).view(kind)


def copied(pointer: Any, count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """A read-only copy of memory of C; empty for null."""
    kind = np.dtype(dtype)
    if pointer == NULL or count == 0:
        return view(NULL, 0, kind, None)
    array = np.frombuffer(ffi.buffer(pointer, count * kind.itemsize), kind).copy()
    array.flags.writeable = False
    return array


def doubles(values: npt.ArrayLike, count: Optional[int], what: str) -> FloatArray:
    """A contiguous array of doubles, without a copy where it is one; a number stands for all entries."""
    array: FloatArray = np.ascontiguousarray(values, dtype=np.float64)
    if count is None:
        return array.reshape(-1)
    if array.size == 1 and count != 1 and np.ndim(values) == 0:
        return np.full(count, float(array.reshape(-1)[0]))
    if array.size != count:
        raise errors.ArgumentError(f"{what}: has {array.size} entries, must have {count}")
    return array.reshape(count)


def pointer_to(array: Optional[npt.NDArray[Any]], c_type: str = "double[]") -> Any:
    """The data of an array for C, null for None. Keeps the array alive; a struct that it is assigned to does not."""
    return NULL if array is None else ffi.from_buffer(c_type, array)


def vec3(values: npt.ArrayLike, what: str = "vector") -> Tuple[float, float, float]:
    array = doubles(values, None, what)
    if array.size != 3:
        raise errors.ArgumentError(f"{what}: has {array.size} entries, must have 3")
    return float(array[0]), float(array[1]), float(array[2])


def quat(values: npt.ArrayLike, what: str = "rotation") -> Tuple[float, float, float, float]:
    array = doubles(values, None, what)
    if array.size != 4:
        raise errors.ArgumentError(f"{what}: has {array.size} entries, must have 4 (w, x, y, z)")
    return float(array[0]), float(array[1]), float(array[2]), float(array[3])
