#!/usr/bin/python3
"""Finds words and phrases that docs/contribute/words.md lists as to be avoided, in the texts that a user reads.

usage: check_words.py [--comments] [--list] [PATH...]

The table "Words to avoid" of docs/contribute/words.md has the phrases and their replacement, some with a regular
expression under "Patterns". Read are

  *.md                    prose; not code (fenced as c, sh, python, ... or in backticks) and not link targets
  *.c *.h *.cpp *.in      string literals: help, messages, labels; in include/ comments as well, since they are the
                          C reference
  *.py *.ts *.json *.gp   string literals
  *.html, .github/*.yml   the whole text

PATH is a file or a folder; without one, the documentation, the library, the command and their tools are checked (not
the tests). Each hit is one line with file, line, the words found and their replacement; the exit code is then 1.

  --comments   check the comments of all source files, too
  --list       print the phrases and their replacements

A line that needs such a word says so: "words: ok (REASON)" in a comment on the line. For a whole file, the table
"Exceptions" of that page has a row.

example: check_words.py --comments src/cone
  src/cone/box.c:12: "half lines": write "nonnegative orthant (of dimension 1)"
"""
from __future__ import annotations

import argparse
import io
import os
import re
import sys
import tokenize
from pathlib import Path
from typing import Iterator, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
GLOSSARY = "docs/contribute/words.md"
DEFAULT = [
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", ".github", "docs", "include", "src", "app", "python", "viewer",
    "bench", "bridges", "examples", "tools",
]
SKIPPED_FOLDERS = {"build", "dist", "node_modules", "static", "__pycache__", ".git", ".mypy_cache", ".pytest_cache", "test", "tests"}
SKIPPED_FILES = {"package-lock.json", "package.json", "tsconfig.json"}
SOURCES = {".c", ".h", ".cpp", ".in", ".ts", ".json", ".gp"}
PROSE_FENCES = {"", "text", "output"}  # other code blocks are programs
ALLOWED_LINE = re.compile(r"words: ok \(.+\)")


class Rule(NamedTuple):
    phrase: str
    pattern: re.Pattern[str]
    replacement: str


class Text(NamedTuple):
    """A piece of prose: its characters, and the line that each of them stands on."""

    characters: str
    lines: list[int]


class Hit(NamedTuple):
    path: str
    line: int
    words: str
    replacement: str

    def __str__(self) -> str:
        return f'{self.path}:{self.line}: "{self.words}": write "{self.replacement}"'


class GlossaryError(Exception):
    pass


# ---- the list ---------------------------------------------------------------------------------------------------


def table(text: str, heading: str) -> Iterator[list[str]]:
    """Cells of the rows of the first table below a heading, without the header of the table."""
    lines = iter(text.splitlines())
    if not any(line.strip() == f"## {heading}" for line in lines):
        raise GlossaryError(f'{GLOSSARY} has no section "{heading}"')
    rows = 0
    for line in lines:
        if line.startswith("#"):
            break
        if line.startswith("|"):
            rows += 1
            if rows > 2:  # after the header and the rule below it
                yield [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def read_patterns(text: str) -> dict[str, str]:
    """First phrase of a row -> regular expression, from the lines "PHRASE: EXPRESSION" of the code block."""
    match = re.search(r"^## Patterns$.*?^```text$(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = match.group(1).strip().splitlines() if match else []
    return dict(line.split(": ", 1) for line in lines)


def compile_rule(cells: list[str], patterns: dict[str, str]) -> list[Rule]:
    """Rules of a row: one with a pattern, or one for each of the phrases that a slash separates."""
    phrases, replacement = [part.strip() for part in cells[0].split(" / ")], cells[1]
    if phrases[0] in patterns:
        rules = [Rule(phrases[0], re.compile(patterns.pop(phrases[0]), re.IGNORECASE), replacement)]
    else:
        rules = [Rule(p, re.compile(rf"\b{re.escape(p)}\b", re.IGNORECASE), replacement) for p in phrases]
    for phrase in phrases:
        if not any(rule.pattern.search(phrase) for rule in rules):
            raise GlossaryError(f'{GLOSSARY}: the pattern {rules[0].pattern.pattern} does not find "{phrase}"')
    return rules


def read_rules(text: str) -> list[Rule]:
    patterns = read_patterns(text)
    rules = [rule for cells in table(text, "Words to avoid") for rule in compile_rule(cells, patterns)]
    if not rules:
        raise GlossaryError(f"{GLOSSARY} lists no words to avoid")
    if patterns:
        raise GlossaryError(f"{GLOSSARY}: no row starts with " + ", ".join(f'"{name}"' for name in patterns))
    return rules


def read_exceptions(text: str) -> set[tuple[str, str]]:
    """Pairs of file (or folder) and phrase; the phrase "all" stands for every one."""
    return {(cells[0].strip("`"), cells[1]) for cells in table(text, "Exceptions")}


# ---- prose of files ---------------------------------------------------------------------------------------------


def collapse(pieces: list[tuple[str, int]]) -> Text:
    """Joins (text, line) pieces with single spaces in place of any white space."""
    characters, lines = [], []
    for piece, line in pieces:
        for character in piece + " ":
            space = character.isspace()
            if character == "\n":
                line += 1
            if not space or (characters and characters[-1] != " "):
                characters.append(" " if space else character)
                lines.append(line)
    return Text("".join(characters), lines)


def prose_of_markdown(text: str) -> Iterator[Text]:
    """Paragraphs, headings, list items and rows of tables, without code and link targets."""
    block: list[tuple[str, int]] = []
    fence: str | None = None
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("```"):
            fence = None if fence is not None else stripped.strip("`").strip()
            stripped = ""
        elif fence is not None and fence not in PROSE_FENCES:
            stripped = ""
        if not stripped or re.match(r"#|\||[*-] |\d+\. ", stripped):
            if block:
                yield collapse(block)
            block = []
        if stripped:
            plain = stripped if fence is not None else re.sub(r"`[^`]*`", "`", stripped)
            plain = re.sub(r"\]\([^)]*\)", "]", plain)
            block.append((plain, number))
            if plain.startswith("#"):
                yield collapse(block)
                block = []
    if block:
        yield collapse(block)


STRING_OR_COMMENT = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)""", re.DOTALL
)


def prose_of_source(text: str, comments: bool, hash_comments: bool = False) -> Iterator[Text]:
    """String literals, neighbours joined; comments, if wanted, likewise."""
    pattern = STRING_OR_COMMENT
    if hash_comments:
        pattern = re.compile(pattern.pattern.replace("//[^\\n]*", "#[^\\n]*"), re.DOTALL)
    joined: dict[str, list[tuple[str, int]]] = {"comment": [], "string": []}
    end = {"comment": 0, "string": 0}
    for match in pattern.finditer(text):
        kind = str(match.lastgroup)
        line = text.count("\n", 0, match.start()) + 1
        between = text[end[kind]:match.start()]
        if between.strip() or (kind == "comment" and between.count("\n") > 1):
            if joined[kind]:
                yield collapse(joined[kind])
            joined[kind] = []
        content = match.group()
        if kind == "string":
            content = content[1:-1].replace("\\n", " ").replace("\\t", " ")
            joined[kind].append((content, line))
        elif comments:
            joined[kind].append((re.sub(r"^\s*(//+|#+|/?\*+/?)", "", content), line))
        end[kind] = match.end()
    for pieces in joined.values():
        if pieces:
            yield collapse(pieces)


def prose_of_python(text: str, comments: bool) -> Iterator[Text]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING or (comments and token.type == tokenize.COMMENT):
            yield collapse([(re.sub(r"^#+|`[^`\n]*`", "`", token.string), token.start[0])])


def prose_of_html(text: str) -> Iterator[Text]:
    plain = re.sub(r"<(script|style)\b.*?</\1>", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.DOTALL)
    yield collapse([(re.sub(r"[<>]", " ", plain), 1)])


def prose(path: str, text: str, comments: bool) -> Iterator[Text]:
    suffix = Path(path).suffix
    if suffix == ".md":
        return prose_of_markdown(text)
    if suffix == ".py":
        return prose_of_python(text, comments)
    if suffix == ".html":
        return prose_of_html(text)
    if suffix == ".yml":
        return iter([collapse([(line, number)]) for number, line in enumerate(text.splitlines(), 1)])
    if suffix == ".gp":
        return prose_of_source(text, comments, hash_comments=True)
    return prose_of_source(text, comments or path.startswith("include/"))


# ---- the check --------------------------------------------------------------------------------------------------


def check(path: str, text: str, rules: list[Rule], exceptions: set[tuple[str, str]] = frozenset(), comments: bool = False) -> list[Hit]:
    """Hits in one file, given by its path from the root and its contents."""
    allowed = {word for place, word in exceptions if path == place or path.startswith(place.rstrip("/") + "/")}
    lines = text.splitlines()
    hits = []
    for piece in prose(path, text, comments):
        for rule in rules:
            if rule.phrase in allowed or "all" in allowed:
                continue
            for match in rule.pattern.finditer(piece.characters):
                line = piece.lines[match.start()]
                if not ALLOWED_LINE.search(lines[line - 1]):
                    hits.append(Hit(path, line, match.group().strip(), rule.replacement))
    return sorted(set(hits), key=lambda hit: (hit.path, hit.line, hit.words))


def files(root: Path, places: list[str]) -> Iterator[Path]:
    """Files to read below the places; a place that was named is read whatever its name is."""
    for place in places:
        start = root / place if not Path(place).is_absolute() else Path(place)
        if start.is_file():
            yield start
            continue
        if not start.is_dir():
            raise FileNotFoundError(place)
        for folder, folders, names in os.walk(start):
            folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
            for name in sorted(names):
                path = Path(folder) / name
                wanted = path.suffix in SOURCES | {".md", ".py", ".html"} or (path.suffix == ".yml" and ".github" in path.parts)
                if wanted and name not in SKIPPED_FILES:
                    yield path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("--comments", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--list", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("paths", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        glossary = (ROOT / GLOSSARY).read_text(encoding="utf-8")
        rules, exceptions = read_rules(glossary), read_exceptions(glossary)
        if options.list:
            for rule in rules:
                print(f"{rule.phrase:40} {rule.replacement}")
            return 0
        hits, count = [], 0
        for path in files(ROOT, options.paths or DEFAULT):
            name = os.path.relpath(path, ROOT)
            hits += check(name, path.read_text(encoding="utf-8"), rules, exceptions, options.comments)
            count += 1
    except (GlossaryError, FileNotFoundError) as error:
        print(f"check_words.py: {error}", file=sys.stderr)
        return 2
    for hit in hits:
        print(hit, file=sys.stderr)
    print(f"words: {count} files, {len(rules)} phrases, {len(hits)} hits")
    return 1 if hits else 0


if __name__ == "__main__":
    sys.exit(main())
