#!/usr/bin/python3
"""No public function crashes on null: each is called with nothing but nulls and zeros, in a process of its own.

usage: test_null.py LIBRARY.so HEADERS

Functions that return an error or a count say so, others return something empty; what they return is not compared.
"""
import ctypes
import os
import re
import signal
import sys
from pathlib import Path

SCALARS = re.compile(r"^(void|bool|int|unsigned|size_t|u?int\d+_t|vs_error|double|const char \*|.*\*)$")


class Returned(ctypes.Structure):  # larger than any struct that is returned: the caller provides its memory
    _fields_ = [("bytes", ctypes.c_char * 4096)]


class Small(ctypes.Structure):  # returned in registers
    _fields_ = [("bytes", ctypes.c_uint32 * 2)]


def functions(folder: Path) -> "list[tuple[str, str]]":
    """Name and returned type of all."""
    found = []
    for header in sorted(folder.glob("*.h")):
        text = re.sub(r"//[^\n]*", "", header.read_text())
        for kind, name in re.findall(r"VS_API\s+([\w\s]+?[\s*]+)(vs_\w+)\s*\(", text):
            found.append((name, " ".join(kind.replace("*", " *").split())))
    return found


def call(library: ctypes.CDLL, name: str, kind: str, enums: "set[str]") -> int:
    """The signal that ended the call, 0 if it returned."""
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        function = getattr(library, name)
        if kind == "double":
            function.restype = ctypes.c_double
        elif kind.endswith("_id"):
            function.restype = Small
        elif not SCALARS.match(kind) and kind not in enums:
            function.restype = Returned
        elif kind.endswith("*"):
            function.restype = ctypes.c_void_p
        # Whole registers and a stack of zeros: more than any function takes.
        got = function(*[ctypes.c_void_p(0)] * 24, *[ctypes.c_double(0)] * 8)
        if kind.endswith("*") and got:
            ctypes.string_at(got, 1)  # null, or something that can be read
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def main() -> int:
    library = ctypes.CDLL(sys.argv[1])
    folder = Path(sys.argv[2], "voussoir")
    text = "".join(header.read_text() for header in folder.glob("*.h"))
    enums = set(re.findall(r"typedef enum (vs_\w+)", text))
    called, crashed = 0, []
    for name, kind in functions(folder):
        if not hasattr(library, name):
            continue  # a part that was not built
        called += 1
        ended = call(library, name, kind, enums)
        if ended:
            crashed.append(f"{name}: {signal.Signals(ended).name}")
    print("\n".join(crashed))
    print(f"{called} functions called with null, {len(crashed)} crashed")
    return called < 150 or bool(crashed)


if __name__ == "__main__":
    sys.exit(main())
