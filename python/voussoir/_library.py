"""The library and its declarations: the compiled module, or the library beside this file, loaded without one.

The second way (cffi's ABI mode) needs no compiler when the package is built: wheels for Windows are made so on Linux. All other
modules are the same.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Callable, Optional

try:
    from ._voussoir import ffi as ffi
    from ._voussoir import lib as lib

    compiled = True
except ModuleNotFoundError:
    from ._declarations import ffi as ffi

    compiled = False
    _name = "voussoir_python.dll" if sys.platform == "win32" else "libvoussoir_python.so"
    lib = ffi.dlopen(str(Path(__file__).resolve().parent / _name))

Handler = Callable[[Any, Optional[BaseException], Any], None]


def c_function(function: Callable[..., Any], onerror: Handler, error: Optional[bool] = None) -> Any:
    """A function of Python as one of C, by its name; exceptions go to `onerror`, and `error` is what C gets."""
    if compiled:
        ffi.def_extern(error=error, onerror=onerror)(function)
        return getattr(lib, function.__name__)
    return ffi.callback(function.__name__, function, error=error, onerror=onerror)


def set_callbacks(progress: Any, log: Any) -> None:
    """What C calls; the compiled module has them by their names."""
    if not compiled:
        lib.vs_py_set_callbacks(progress, log)
