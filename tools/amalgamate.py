#!/usr/bin/env python3
"""Writes the numerical half of voussoir as one C file and one header.

    cmake --preset minimal
    tools/amalgamate.py build/minimal OUT          writes OUT/voussoir.c and OUT/voussoir.h
    cc -O2 app.c OUT/voussoir.c -lm

The source files and definitions are those of the library in a configured build without other libraries. Names of file
scope that occur in several files get the name of their file as a prefix; nothing else in the code is changed. Headers that
depend on a macro which a source defines before it includes them are part of that source.
"""
import argparse
import json
import re
import shlex
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOKEN = re.compile(r'(?P<skip>//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|^[ \t]*#(?:\\\n|[^\n])*)'
                   r'|(?P<name>[A-Za-z_]\w*)|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)|(?P<space>\s+)|(?P<mark>.)',
                   re.S | re.M)
INCLUDE = re.compile(r'^#include (<[^>]+>|"[^"]+")[^\n]*\n', re.M)

HEADER_TEXT = """\
// voussoir {version}: contact problems with friction and joints, solved to a certified accuracy. The numerical half of the
// library in one file, without other libraries; written by tools/amalgamate.py.
//
//     cc -O2 app.c voussoir.c -lm         (C library older than glibc 2.34: and -pthread)
//
{licence}
"""

# Sums and products are rounded one by one: the same bits on every processor, and exact error terms.
CONTRACTION = """\
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic ignored "-Wunused-function" // of what were headers
#elif defined(__GNUC__) && defined(__FP_FAST_FMA)
#pragma GCC optimize("fp-contract=off")
#endif
#pragma GCC diagnostic ignored "-Wunused-const-variable"
"""


def tokens(text):
    """(kind, text) of everything in a file; comments, literals and preprocessor lines are 'skip'."""
    return [(match.lastgroup, match.group()) for match in TOKEN.finditer(text)]


def declared_names(statement):
    """Names that a declaration at file scope introduces beyond its file's externals: static, typedef, tags, enumerators."""
    names, words = set(), without_attributes([text for kind, text in statement])
    for k, word in enumerate(words[:-1]):
        if word in ("struct", "enum", "union") and re.match(r"[A-Za-z_]", words[k + 1]):
            if k + 2 < len(words) and words[k + 2] == "{":
                names.add(words[k + 1])
    if "enum" in words and "{" in words:
        body, depth = words[words.index("{") + 1:], 0
        expect = True
        for word in body:
            if word == "}" and depth == 0:
                break
            depth += (word in "([{") - (word in ")]}")
            if expect and re.match(r"[A-Za-z_]", word):
                names.add(word)
            expect = word == "," and depth == 0
    if words and words[0] in ("static", "typedef"):
        names |= declarators(words)
    return names


def without_attributes(words):
    out, depth, inside = [], 0, False
    for word in words:
        inside = inside or word == "__attribute__"
        if not inside:
            out.append(word)
        depth += inside * ((word == "(") - (word == ")"))
        inside = inside and (depth > 0 or word == "__attribute__")
    return out


def declarators(words):
    """a and b of `static double a = 1, b[3];`, the name of a function or of a typedef."""
    names, depth, last, taken = set(), 0, None, False
    for k, word in enumerate(words):
        if word == "(" and depth == 0 and last and words[0] == "static" and words[k - 1] == last and not taken:
            names.add(last)
            taken = True
        if word in "([{":
            if word == "[" and depth == 0 and last and not taken:
                names.add(last)
                taken = True
            depth += 1
        elif word in ")]}":
            depth -= 1
            last = None if word == "}" else last
        elif depth == 0 and word in ("=", ",", ";"):
            if last and not taken:
                names.add(last)
            taken = word == "="
        elif depth == 0 and re.match(r"[A-Za-z_]", word):
            last = word
    return names


def file_scope(text):
    """All names of a file that do not leave it."""
    names, statement, depth, parens = set(), [], 0, 0
    for kind, word in tokens(text):
        if kind in ("skip", "space"):
            continue
        statement.append((kind, word))
        depth += (word == "{") - (word == "}")
        parens += (word == "(") - (word == ")")
        body = word == "}" and depth == 0 and is_function(statement)
        if depth == 0 and parens == 0 and (word == ";" or body):
            names |= declared_names(statement_head(statement) if body else statement)
            statement = []
    return names


def is_function(statement):
    words = [word for _, word in statement]
    before = words[:words.index("{")]
    return bool(before) and before[-1] == ")" and "=" not in before


def statement_head(statement):
    words = [word for _, word in statement]
    return statement[:words.index("{")] + [("mark", ";")]


def rename(text, names):
    """Replaces identifiers, except members: behind . and ->, and where a struct declares them."""
    out, stack, words = [], [], tokens(text)
    code = [k for k, (kind, _) in enumerate(words) if kind not in ("space", "skip")]
    place = {k: t for t, k in enumerate(code)}

    def near(k, step):
        t = place[k] + step
        return words[code[t]][1] if 0 <= t < len(code) else ""
    for k, (kind, word) in enumerate(words):
        if word == "{" and kind == "mark":
            stack.append(near(k, -1) in ("struct", "union") or near(k, -2) in ("struct", "union"))
        elif word == "}" and kind == "mark":
            stack.pop()
        elif kind == "skip" and word.lstrip().startswith("#"):
            word = re.sub(r"[A-Za-z_]\w*", lambda m: names.get(m.group(), m.group()), word)
        elif kind == "name" and word in names:
            behind = near(k, -1) == "." or (near(k, -1) == ">" and near(k, -2) == "-")
            declared = stack and stack[-1] and near(k, 1) in (";", ",", "[", ")", ":")
            word = word if behind or declared else names[word]
        out.append(word)
    return "".join(out)


class Amalgamation:
    def __init__(self, build):
        self.folders = [ROOT / "src", ROOT / "include", build / "include"]
        self.sources, self.definitions = self.read_commands(build)
        self.system, self.done, self.public = [], set(), []
        self.given = {macro for path in self.sources for macro in self.macros_before_includes(path)}

    @staticmethod
    def read_commands(build):
        path = build / "compile_commands.json"
        if not path.exists():
            sys.exit(f"amalgamate.py: {path} does not exist; configure first: cmake --preset minimal")
        sources, definitions = [], {}
        for command in json.loads(path.read_text()):
            file = Path(command["file"])
            if not any(file.is_relative_to(base / "src") for base in (ROOT, build)) or file in sources:
                continue
            sources.append(file)
            for word in shlex.split(command["command"]):
                if word.startswith("-DVS_"):
                    name, _, value = word[2:].partition("=")
                    definitions[name] = value or "1"
        return sources, definitions

    @staticmethod
    def macros_before_includes(path):
        return set(re.findall(r"^#define (\w+)", path.read_text().split("#include", 1)[0], re.M)) - {"_GNU_SOURCE"}

    def varies(self, header):
        return not self.given.isdisjoint(re.findall(r"\w+", header.read_text()))

    def own_text(self, path):
        """The text of a source with the headers that vary in place."""
        def replace(match):
            header = None if match.group(1).startswith("<") else self.find(match.group(1).strip('"'))
            return self.own_text(header) if header and self.varies(header) else match.group()
        return INCLUDE.sub(replace, path.read_text())

    def find(self, name):
        for folder in self.folders:
            if (folder / name).exists():
                return folder / name
        sys.exit(f"amalgamate.py: no file {name}")

    def headers_of(self, text):
        for include in INCLUDE.findall(text):
            if include.startswith('"'):
                yield self.find(include.strip('"'))

    def find_public(self):
        """The public headers that the sources implement, each after those that it includes."""
        seen = set()

        def visit(path):
            if path in seen:
                return
            seen.add(path)
            for header in self.headers_of(path.read_text()):
                visit(header)
            if path.parent.name == "voussoir":
                self.public.append(path)
        for source in self.sources:
            visit(source)

    def expand(self, path):
        """The text of a file with its own headers in place, each once; those of the system are collected, unless they
        stand under a condition."""
        out, depth = [], -1 if path.suffix == ".h" else 0  # the guard of a header is none
        for line in path.read_text().splitlines(keepends=True):
            depth += line.startswith("#if") - line.startswith("#endif")
            match = INCLUDE.match(line)
            if not match:
                out.append(line)
            elif match.group(1).startswith("<"):
                if depth > 0:
                    out.append(line)
                elif line not in self.system:
                    self.system.append(line)
            else:
                header = self.find(match.group(1).strip('"'))
                if header not in self.done or self.varies(header):
                    self.done.add(header)
                    out.append(self.expand(header))
        return "".join(out)

    def prefixes(self):
        """For each source: its names that other files have, too, with their new names."""
        own = {path: file_scope(self.own_text(path)) for path in self.sources}
        plain = {path: file_scope(path.read_text()) for path in self.sources}
        headers = set()
        for source in self.sources:
            for header in self.headers_of(source.read_text()):
                headers.add(header)
        headers = {header for header in headers if not self.varies(header)}
        count = Counter(name for path, names in own.items() for name in names
                        if not (name.startswith("vs_") and name in plain[path]))
        for header in headers:
            for name in file_scope(header.read_text()):
                count[name] += 1
        every = set(count)
        renamed = {}
        for path, names in own.items():
            renamed[path] = {}
            for name in sorted(n for n in names if count[n] > 1):
                new = f"{path.stem}_{name}"
                while new in every:
                    new = f"{path.parent.name}_{new}"
                every.add(new)
                renamed[path][name] = new
        return renamed

    def write(self, out):
        version = re.search(r"VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
        licence = "".join(f"// {line}".rstrip() + "\n" for line in (ROOT / "LICENSE").read_text().splitlines())
        top = HEADER_TEXT.format(version=version, licence=licence.rstrip())
        self.find_public()
        self.done |= set(self.public)
        header = "".join(f"\n{INCLUDE.sub('', self.strip(path))}" for path in self.public)
        includes = sorted({m.group() for path in self.public for m in INCLUDE.finditer(path.read_text())
                           if m.group(1).startswith("<")})
        (out / "voussoir.h").write_text(
            f"{top}#ifndef VOUSSOIR_AMALGAMATED_H\n#define VOUSSOIR_AMALGAMATED_H\n\n{''.join(includes)}{header}\n#endif\n")

        renamed, parts = self.prefixes(), []
        for path in self.sources:
            text = rename(self.expand(path), renamed[path])
            macros = re.findall(r"^#define (\w+)", self.own_text(path), re.M)
            text = re.sub(r"^#define _GNU_SOURCE[^\n]*\n", "", text, flags=re.M)
            name = path.relative_to(ROOT if path.is_relative_to(ROOT / "src") else path.parents[2])
            undo = "".join(f"#undef {macro}\n" for macro in sorted(set(macros) - {"_GNU_SOURCE"}))
            parts.append(f"\n// ======== {name} ========\n\n{text}{undo}")
        definitions = "".join(f"#define {name} {value}\n" for name, value in sorted(self.definitions.items()))
        (out / "voussoir.c").write_text(
            f"{top}#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n{CONTRACTION}{definitions}\n"
            f"{''.join(sorted(self.system))}\n#include \"voussoir.h\"\n{''.join(parts)}")

    @staticmethod
    def strip(path):
        """A public header without blank lines at its end."""
        return path.read_text().rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, help="a configured build folder of the preset minimal")
    parser.add_argument("out", type=Path, help="folder for voussoir.c and voussoir.h")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    Amalgamation(arguments.build.resolve()).write(arguments.out)


if __name__ == "__main__":
    main()
