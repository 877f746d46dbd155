#!/usr/bin/env python3
"""Compares what libvoussoir.so exports with the list in abi/symbols.txt, and both with the public headers.

usage: tools/check_abi.py LIBRARY            fails on a removed symbol, asks for a new one to be added
       tools/check_abi.py LIBRARY --update   rewrites the list

The library must be a full build: the list is that of all options. The first line of the list is the SONAME; a symbol
may only be removed together with a new one.
"""

import re
import subprocess
import sys
from pathlib import Path

tree = Path(__file__).resolve().parent.parent
stored = tree / "abi" / "symbols.txt"


def exported(library):
    """SONAME and names of the dynamic symbols that are defined."""
    dynamic = subprocess.run(["readelf", "-dW", library], capture_output=True, text=True, check=True).stdout
    soname = re.search(r"Library soname: \[(.*)\]", dynamic)
    if not soname:
        sys.exit(f"check_abi: {library} has no SONAME")
    listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return soname.group(1), {line.split()[-1] for line in listed.splitlines()}


def declared():
    """Functions and data that the public headers declare with VS_API."""
    names = set()
    for header in sorted((tree / "include" / "voussoir").glob("*.h")):
        text = re.sub(r"//.*", "", header.read_text(encoding="utf-8"))
        for declaration in re.findall(r"^VS_API\b([^;]*);", text, re.MULTILINE):
            names.add(re.search(r"\b(vs_\w+)\s*(?:\(|\[|$)", declaration.strip()).group(1))
    return names


def main():
    library = sys.argv[1]
    soname, symbols = exported(library)
    if sys.argv[2:] == ["--update"]:
        stored.write_text("\n".join([soname, *sorted(symbols)]) + "\n", encoding="utf-8")
        print(f"abi/symbols.txt: {soname}, {len(symbols)} symbols")
        return 0
    old_soname, *old = stored.read_text(encoding="utf-8").split()
    faults = [f"symbol without the prefix vs_: {name}" for name in sorted(symbols) if not name.startswith("vs_")]
    if soname == old_soname:
        faults += [
            f"removed: {name}; programs linked to {soname} would no longer start. Put it back, or raise SOVERSION in "
            "cmake/Library.cmake and tell in CHANGELOG.md"
            for name in sorted(set(old) - symbols)
        ]
    else:
        faults += [f"SONAME is {soname}, in the list {old_soname}; add it by: tools/check_abi.py {library} --update"]
    faults += [f"new: {name}; add it by: tools/check_abi.py {library} --update" for name in sorted(symbols - set(old))]
    faults += [f"declared in a public header but not exported: {name}" for name in sorted(declared() - symbols)]
    faults += [f"exported but in no public header: {name}" for name in sorted(symbols - declared())]
    for fault in faults:
        print("check_abi:", fault, file=sys.stderr)
    if not faults:
        print(f"check_abi: {soname}, {len(symbols)} symbols as listed and as declared")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
