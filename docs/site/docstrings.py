"""Docstrings of the Python package as reStructuredText: they are written to be read as plain text.

A paragraph whose lines are `name   text` becomes a list of definitions, `words` in backticks become code, and nothing else is
markup.
"""

from __future__ import annotations

import re

ROW = re.compile(r"^(\w[\w, ]*?)(?:\s{2,}|: )(\S.*)$")
FIRST = re.compile(r"^(\w[\w, ]*?)\s{2,}(\S.*)$")


def escape(text: str) -> str:
    parts = re.split(r"(`+[^`]+`+)", text)
    parts[::2] = [re.sub(r"[\\*|]|(?<=\w)_(?!\w)", r"\\\g<0>", part) for part in parts[::2]]
    parts[1::2] = [f"``{part.strip('`')}``" for part in parts[1::2]]
    return "".join(parts)


def rows(paragraph: "list[str]") -> "list[str] | None":
    """The paragraph as a list of definitions, or None if it is not a table."""
    if not FIRST.match(paragraph[0]):
        return None
    out: "list[str]" = []
    for line in paragraph:
        if match := ROW.match(line):
            out += [f"``{match[1]}``", f"    {escape(match[2])}"]
        elif line.startswith(" "):
            out.append(f"    {escape(line.strip())}")
        else:
            return None
    return out


def convert(lines: "list[str]") -> "list[str]":
    out: "list[str]" = []
    paragraph: "list[str]" = []
    for line in [*lines, ""]:
        if line.strip():
            paragraph.append(line)
            continue
        if paragraph and not paragraph[0].lstrip().startswith(">>>"):
            paragraph = rows(paragraph) or [escape(text) for text in paragraph]
        out += [*paragraph, ""]
        paragraph = []
    return out


def process(app, what, name, obj, options, lines) -> None:  # Sphinx' autodoc-process-docstring
    lines[:] = convert(lines)


def setup(app) -> "dict[str, bool]":
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True}
