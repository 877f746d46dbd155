#!/usr/bin/python3
"""Doxygen's input filter: the plain comments of the public headers as documentation comments.

    header_filter.py include/voussoir/solver.h        prints the header as doxygen should read it

A comment above a declaration belongs to it, one behind a declaration too, and its continuation in the same column. The comment
at the top of the file and the lines `// ---- title ----` are left alone: c_reference.py reads those.
"""

from __future__ import annotations

import re
import sys

TRAILING = re.compile(r"^(?P<code>.*\S)(?P<gap>\s*)// ?(?P<text>.*)$")


def escape(text: str) -> str:
    """Nothing in a comment is a command or a tag, but `words` in backticks are code."""
    text = re.sub(r"[\\@&#%]", r"\\\g<0>", text).replace("<", "\\<").replace(">", "\\>")
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)


def filtered(lines: "list[str]") -> "list[str]":
    out = []
    inside = False  # past the include guard
    column = -1  # of the trailing comment of the line before
    for line in lines:
        stripped = line.strip()
        if stripped.startswith("#"):
            inside = True
        if not inside or stripped.startswith("// ----"):
            out.append(line)
            column = -1
        elif stripped.startswith("//"):
            same = line.index("//") == column
            out.append(line.replace("//", "///<" if same else "///", 1)[: line.index("//") + (4 if same else 3)])
            out[-1] += " " + escape(stripped[2:].strip())
        elif match := TRAILING.match(line):
            column = line.index("//", len(match["code"]))
            text = match["text"].strip()
            out.append(match["code"] + match["gap"] + (f"///< {escape(text)}" if text else ""))
        else:
            out.append(line)
            column = -1
    return out


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        print("\n".join(filtered(header.read().splitlines())))
