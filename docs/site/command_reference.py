"""The reference of the command: its own help texts."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path


def text_of(command: Path, *arguments: str) -> str:
    return subprocess.run([str(command), *arguments], check=True, capture_output=True, text=True).stdout.rstrip()


def write(command: Path, target: Path) -> None:
    overview = text_of(command, "--help")
    listed = re.search(r"^commands\n(.*?)\n\n", overview, flags=re.S | re.M)
    if not listed:
        raise SystemExit("command_reference.py: no list of commands in 'voussoir --help'")
    names = re.findall(r"^  ([a-z]+) +\S", listed[1], flags=re.M)
    out = [
        "# The command",
        "",
        "The output of `voussoir --help` and `voussoir help COMMAND`.",
        "",
        "```text",
        overview,
        "```",
        "",
    ]
    for name in names:
        if name != "help":
            out += [f"## voussoir {name}", "", "```text", text_of(command, "help", name), "```", ""]
    target.write_text("\n".join(out), encoding="utf-8")
