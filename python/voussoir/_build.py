"""Describes the extension module to cffi: every declaration comes from the public headers.

The headers are read in the order in which they include each other; comments, macros and what is for C++ are left out.
Nothing is copied by hand, so a field added to a struct is here with the next build.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Dict, List

import cffi

# What the bindings add themselves (see _native.c) and what C calls back.
NATIVE = """
typedef enum vs_py_kind { VS_PY_CONTEXT, VS_PY_BUILDER, VS_PY_PROBLEM, VS_PY_SOLVER, VS_PY_MEASURER, VS_PY_SHAPE,
    VS_PY_WORLD, VS_PY_SCENE, VS_PY_SIMULATION, VS_PY_WRITER, VS_PY_STATICS, VS_PY_BATCH,
    VS_PY_TREE, VS_PY_DERIVATIVE, VS_PY_RUN_DERIVATIVE } vs_py_kind;
typedef struct vs_py_handle { void *object; vs_py_kind kind; int holders; struct vs_py_handle *parent; } vs_py_handle;
vs_py_handle *vs_py_own(void *object, vs_py_kind kind, vs_py_handle *parent);
void vs_py_rest_on(vs_py_handle *handle, vs_py_handle *parent);
void vs_py_release(vs_py_handle *handle);

typedef struct vs_py_watch { double last; } vs_py_watch;
bool vs_py_watched(void *user, const vs_iteration *iteration);
void vs_py_warn(void *user, vs_log_level level, const char *text);

vs_error vs_py_get_states(const vs_world *world, int count, vs_body_state *states);
vs_error vs_py_set_states(vs_world *world, int count, const vs_body_state *states);
void vs_py_get_bodies(const vs_world *world, int count, vs_body_id *ids);
vs_error vs_py_get_joints(const vs_world *world, int count, double *motion);
vs_error vs_py_set_efforts(vs_world *world, int count, const double *effort);
vs_error vs_py_set_joints(vs_world *world, int count, const double *motion);
vs_error vs_py_get_efforts(const vs_world *world, int count, double *effort);
vs_error vs_py_get_controls(const vs_world *world, int count, double *value);
vs_error vs_py_set_controls(vs_world *world, int count, const double *value);
vs_error vs_py_get_contacts(const vs_simulation *simulation, int count, vs_contact_view *contacts);
vs_error vs_py_get_bonds(const vs_simulation *simulation, int count, vs_bond_view *bonds);
"""
# How C calls Python: by functions of the extension module, or by pointers that the library is given.
MODULE = """
extern "Python" bool vs_py_progress(void *user, const vs_iteration *iteration);
extern "Python" void vs_py_log(void *user, vs_log_level level, const char *text);
"""
LIBRARY = """
typedef bool (*vs_py_progress)(void *user, const vs_iteration *iteration);
typedef void (*vs_py_log)(void *user, vs_log_level level, const char *text);
void vs_py_set_callbacks(vs_py_progress progress, vs_py_log log);
"""


def strip(text: str) -> str:
    """A header without comments, preprocessor lines and the parts for C++.

    >>> strip('#ifdef __cplusplus\\nextern "C" {\\n#endif\\nVS_API int f(void); // a function\\n').strip()
    'int f(void);'
    """
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif", "", text, flags=re.S | re.M)
    text = re.sub(r"^\s*#[^\n]*(?:\\\n[^\n]*)*", "", text, flags=re.M)
    return re.sub(r"\bVS_API\b\s*", "", text)


def declarations(include: Path, header: str = "voussoir/voussoir.h") -> str:
    """All that `header` declares, what it includes first."""
    seen: Dict[str, None] = {}
    parts: List[str] = []

    def visit(name: str) -> None:
        if name in seen:
            return
        seen[name] = None
        header = include / name
        if not header.exists():  # configured by CMake in a build folder; the template declares the same
            header = include / (name + ".in")
        text = header.read_text(encoding="utf-8")
        for other in re.findall(r'^\s*#include\s+"([^"]+)"', text, flags=re.M):
            visit(other)
        parts.append(strip(text))

    visit(header)
    return re.sub(r"\n\s*\n+", "\n", "\n".join(parts))


def include_folder() -> Path:
    if not os.environ.get("VOUSSOIR_SYSTEM"):
        return Path(__file__).resolve().parents[2] / "include"
    command = ["pkg-config", "--variable=includedir", "voussoir"]
    return Path(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())


def builder() -> cffi.FFI:
    """The module voussoir._voussoir, for setup.py."""
    include = include_folder()
    ffi = cffi.FFI()
    ffi.cdef(declarations(include) + NATIVE + MODULE)
    native = (Path(__file__).resolve().parent / "_native.c").read_text(encoding="utf-8")
    ffi.set_source("voussoir._voussoir", native, include_dirs=[str(include)], libraries=["voussoir"])
    return ffi


def write_declarations(path: Path) -> None:
    """The module voussoir._declarations, in pure Python: with it, the bindings need the library alone."""
    ffi = cffi.FFI()
    ffi.cdef(declarations(include_folder()) + NATIVE + LIBRARY)
    ffi.set_source("voussoir._declarations", None)  # type: ignore[arg-type]
    ffi.emit_python_code(str(path))
