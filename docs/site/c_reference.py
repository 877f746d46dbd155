"""The C reference: a page a public header, its declarations in the header's own order, by breathe."""

from __future__ import annotations

import re
from pathlib import Path

# The order in which a reader meets them.
HEADERS = ["context", "problem", "fclib", "solver", "measure", "certify", "geometry", "shape", "mesh", "elastic", "signal", "world", "query", "observe", "sensor", "flexible", "gate", "servo",
           "bond", "outcome", "simulation", "step_derivative", "batch", "run", "run_derivative", "report", "names", "statics", "damage", "derivative", "scene", "cad", "trajectory", "table", "output_file"]  # fmt: skip

STRUCT = re.compile(r"^(?:typedef )?struct (\w+) \{")
OPAQUE = re.compile(r"^typedef struct (\w+) (\w+);")
ENUM = re.compile(r"^typedef enum (\w+) \{")
FUNCTION = re.compile(r"^VS_API .*?\b(vs_\w+)\(")
SECTION = re.compile(r"^// -{4,} (.+?) -{4,}$")


def escape(text: str) -> str:
    text = re.sub(r"[\\*_|]", r"\\\g<0>", text)
    return re.sub(r"`([^`]+)`", r"``\1``", text)


def introduction(lines: "list[str]") -> "list[str]":
    """The comment at the top of the header as reStructuredText; deeper indented lines stay as they are."""
    out: "list[str]" = []
    literal = False
    for line in lines:
        text = line[2:].rstrip()
        if text.startswith("     "):
            if not literal:
                out += ["", ".. code-block:: text", ""]
            out.append("    " + text[5:])
            literal = True
        else:
            if literal:
                out.append("")
            out.append(escape(text.strip()))
            literal = False
    return out


def items(lines: "list[str]") -> "list[tuple[str, str]]":
    """(kind, name) of every declaration and (section, title), in order."""
    found: "list[tuple[str, str]]" = []
    structs = {match[1] for line in lines if (match := STRUCT.match(line))}
    for line in lines:
        if match := SECTION.match(line):
            found.append(("section", match[1]))
        elif match := STRUCT.match(line):
            found.append(("struct", match[1]))
        elif match := OPAQUE.match(line):
            if match[1] not in structs:
                found.append(("opaque", match[2]))
        elif match := ENUM.match(line):
            found.append(("enum", match[1]))
        elif match := FUNCTION.match(line):
            found.append(("function", match[1]))
    return found


def page(header: Path) -> str:
    lines = header.read_text(encoding="utf-8").splitlines()
    top = lines[: next(k for k, line in enumerate(lines) if line.startswith("#"))]
    title = f"voussoir/{header.name}"
    out = [title, "=" * len(title), "", *introduction(top), "", f"``#include <voussoir/{header.name}>``", ""]
    for kind, name in items(lines):
        if kind == "section":
            name = name[0].upper() + name[1:]
            out += [name, "-" * len(name), ""]
        elif kind == "opaque":
            out += [f".. c:type:: {name}", "", "   Opaque: made and destroyed by the functions below.", ""]
        else:
            members = ["   :members:"] if kind == "struct" else []
            out += [f".. doxygen{kind}:: {name}", *members, ""]
    return "\n".join(out)


def write(include: Path, target: Path) -> None:
    names = {path.stem for path in include.glob("*.h")} - {"export", "voussoir"}
    if names != set(HEADERS):
        raise SystemExit(f"c_reference.py: HEADERS and {include} differ: {sorted(names ^ set(HEADERS))}")
    target.mkdir(parents=True, exist_ok=True)
    for name in HEADERS:
        (target / f"{name}.rst").write_text(page(include / f"{name}.h"), encoding="utf-8")
    rows = [f"   {name}" for name in HEADERS]
    (target / "index.rst").write_text(
        "\n".join(
            [
                "C reference",
                "===========",
                "",
                "Made from the headers that are installed; ``#include <voussoir/voussoir.h>`` includes all of them. Every function",
                "that can fail returns a :c:enum:`vs_error`, and :c:func:`vs_context_get_error_text` says what was wrong and where.",
                "Start definitions and options from their ``_default()`` function. Layouts may change with each minor version before 1.0.",
                "How well a problem was solved is never an error but a :c:enum:`vs_status`.",
                "",
                ".. toctree::",
                "   :maxdepth: 1",
                "",
                *rows,
                "",
            ]
        ),
        encoding="utf-8",
    )
