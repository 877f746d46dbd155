#!/usr/bin/env python3
"""Writes the manual pages from the command's own help texts: there is no second copy of them.

usage: tools/help_to_man.py COMMAND FOLDER [--date YYYY-MM-DD]

Asks COMMAND for 'help' and for 'help NAME' of each command that it lists, and writes FOLDER/voussoir.1 and
FOLDER/voussoir-NAME.1. What is expected of a help text:

    usage: voussoir NAME …      one or more lines, becomes SYNOPSIS
    Paragraphs at the margin.   DESCRIPTION
    heading                     a line at the margin above indented ones: a section
      --option ARG   text       an entry, with more lines indented deeper
    examples                    kept as they are, like indented lines that are no entries
    Exit code: …  environment: …    sections of their own
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

# An entry: two blanks, a word or an option with its argument, two or more blanks, text.
ENTRY = re.compile(r"^  (\S.*?)(?:  +(\S.*))?$")
SECTIONS = {"exit code": "EXIT STATUS", "exit codes": "EXIT STATUS", "environment": "ENVIRONMENT"}


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + text if text.startswith((".", "'")) else text


def help_text(command, *words):
    done = subprocess.run([command, "help", *words], capture_output=True, text=True)
    if done.returncode != 0 or not done.stdout:
        sys.exit(f"help_to_man: '{command} help {' '.join(words)}' failed: {done.stderr.strip()}")
    return done.stdout


def entries(lines):
    """Entries (word, text) of an indented block, None if it is something else."""
    found = []
    for line in lines:
        match = ENTRY.match(line)
        if match and not line.startswith("   "):
            found.append([match.group(1), match.group(2) or ""])
        elif found and line.startswith("   "):
            found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
        else:
            return None
    return found


def as_entry(word, text):
    """The option bold, what it takes in italics."""
    parts = []
    for part in word.split(", "):
        name, _, value = part.partition(" ")
        parts.append(f"\\fB{escape(name)}\\fR" + (f" \\fI{escape(value)}\\fR" if value else ""))
    return [".TP", ", ".join(parts), escape(text) if text else "\\&"]


def literal(lines):
    cut = min(len(line) - len(line.lstrip()) for line in lines)
    return [".PP", ".nf", ".RS 2", *(escape(line[cut:]) for line in lines), ".RE", ".fi"]


def indented(lines, name):
    block = entries(lines)
    if name == "examples" or not block or not any(text for _, text in block):
        return literal(lines)
    return [line for entry in block for line in as_entry(*entry)]


class Page:
    """Sections in the order of manual pages; each is a list of lines of roff."""

    def __init__(self):
        self.sections = {"SYNOPSIS": [], "DESCRIPTION": [], "OPTIONS": []}

    def add(self, section, lines):
        self.sections.setdefault(section, []).extend(lines)

    def synopsis(self, lines):
        for line in lines:
            name, rest = re.match(r"(?:usage:)?\s*(voussoir(?: [a-z]+\b)?)\s*(.*)", line).groups()
            name = "\\fB" + escape(name) + "\\fR"
            self.add("SYNOPSIS", [(name + " " + escape(rest)).strip()])

    def paragraph(self, lines):
        # A line that begins a section of its own ends the paragraph before it.
        for k in range(1, len(lines)):
            if lines[k].split(":")[0].lower() in SECTIONS:
                self.paragraph(lines[:k])
                self.paragraph(lines[k:])
                return
        first = re.match(r"([A-Za-z ]+): (.*)", lines[0])
        section = SECTIONS.get(first.group(1).lower()) if first else None
        if section:
            lines = [first.group(2)[0].upper() + first.group(2)[1:], *lines[1:]]
        text = [escape(line) for line in lines]
        old = self.sections.get(section or "DESCRIPTION")
        self.add(section or "DESCRIPTION", [".PP", *text] if old else text)

    def block(self, heading, lines):
        options = any(line.lstrip().startswith("-") for line in lines)
        if heading in ("examples", "commands"):
            self.add(heading.upper(), indented(lines, heading))
        elif options:
            named = [f".SS {escape(heading[0].upper() + heading[1:])}"] if heading not in (None, "options") else []
            self.add("OPTIONS", named + indented(lines, heading))
        elif heading:
            self.add(escape(heading.upper()), indented(lines, heading))
        else:
            self.add("DESCRIPTION", literal(lines))


def read(text):
    """One page from a help text."""
    page = Page()
    for part in text.strip("\n").split("\n\n"):
        lines = part.split("\n")
        margin = [k for k, line in enumerate(lines) if not line.startswith(" ")]
        if lines[0].startswith("usage:"):
            page.synopsis(lines)
        elif margin == [0] and len(lines) > 1:
            page.block(lines[0].rstrip(":"), lines[1:])
        elif not margin:
            page.block(None, lines)
        elif len(margin) == len(lines):
            page.paragraph(lines)
        else:
            sys.exit(f"help_to_man: neither a paragraph nor a list:\n{part}")
    return page


def write(path, title, summary, page, version, date, others):
    # The name in the synopsis is the title with a blank.
    out = [
        '.\\" Written by tools/help_to_man.py from the command\'s help text.',
        f'.TH {escape(title.upper())} 1 {date} "voussoir {version}" "voussoir manual"',
        ".SH NAME",
        f"{escape(title)} \\- {escape(summary)}",
    ]
    for name, lines in page.sections.items():
        if name == "SYNOPSIS":
            out += [".SH SYNOPSIS", ".nf", *lines, ".fi"]
        elif lines:
            # A macro for space makes no sense as the first of a section.
            out += [f".SH {name}", *(lines[1:] if lines[0] == ".PP" else lines)]
    out += [".SH SEE ALSO"]
    seen = [f"\\fB{escape(other)}\\fR(1)" for other in others if other != title]
    out += [line + "," for line in seen[:-1]] + seen[-1:]
    path.write_text("\n".join(out) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="manual pages from the help texts of the command")
    parser.add_argument("command")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--date", default="")
    given = parser.parse_args()
    version = subprocess.run([given.command, "--version"], capture_output=True, text=True, check=True)
    version = version.stdout.split("\n")[0].split()[1]
    top = help_text(given.command)
    listed = re.search(r"^commands\n((?:  .*\n)+)", top, re.MULTILINE)
    if not listed:
        sys.exit("help_to_man: 'help' lists no commands")
    commands = [(name, text) for name, text in entries(listed.group(1).rstrip("\n").split("\n")) if name != "help"]
    names = ["voussoir"] + [f"voussoir-{name}" for name, _ in commands]
    given.folder.mkdir(parents=True, exist_ok=True)
    for old in given.folder.glob("voussoir*.1"):
        old.unlink()
    date = f'"{given.date}"'
    page = read(top)
    write(given.folder / "voussoir.1", "voussoir", "simulate hard contact, solve contact problems", page, version, date, names)
    for name, summary in commands:
        page = read(help_text(given.command, name))
        write(given.folder / f"voussoir-{name}.1", f"voussoir-{name}", summary, page, version, date, ["voussoir"])


if __name__ == "__main__":
    main()
