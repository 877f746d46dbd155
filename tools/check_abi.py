#!/usr/bin/env python3
"""Compares the ABI of libvoussoir.so and libvoussoir-mpi.so with the one stored in abi/.

usage: tools/check_abi.py LIBRARY...             compare; exit code 1 on a difference
       tools/check_abi.py --update LIBRARY...    store the ABI of the libraries in abi/

example: tools/check_abi.py build/dev/libvoussoir.so build/dev/src/mpi/libvoussoir-mpi.so

The ABI consists of the exported functions and the layout of every type in the public headers; the stored files are those
of the last release, or of the release that is being prepared. A difference is an error unless the minor version in
CMakeLists.txt is higher than the stored one. Also checked: the SONAME is that of the version, exported are the functions
that the public headers declare and no others, and all of them begin with vs_.

The libraries must be built with all options and with debug information (preset dev). Debian: abigail-tools.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

tree = Path(__file__).resolve().parent.parent

# Types that public headers do not define are opaque. The label is libabigail's own for this kind of suppression: with
# any other, the types would be left out, and with them the functions that take them. (Its option --headers-dir compares
# names of files without folders, and src/ has headers of the same names.)
PRIVATE_TYPES = r"""
[suppress_type]
  label = Artificial private types suppression specification
  source_location_not_regexp = (.*/)?include/voussoir/.*\.h
  drop = yes
"""
ONLY_THESE = """
[suppress_function]
  symbol_name_not_regexp = ^({})$
  drop = yes
"""
# GNU ld exports these where a linked library refers to them; other linkers do not.
OF_THE_LINKER = {"__bss_start", "_edata", "_end"}
# Nothing that depends on the machine, the build folder or the linked libraries.
SHORT = [
    "--exported-interfaces-only",
    "--no-architecture",
    "--no-comp-dir-path",
    "--no-corpus-path",
    "--no-elf-needed",
    "--no-parameter-names",
    "--no-show-locs",
    "--no-write-default-sizes",
    "--type-id-style",
    "hash",
]


def fail(text):
    sys.exit(f"check_abi: {text}")


def run(command, allowed=(0,)):
    """Output and exit code of a command; any other code than the allowed ones ends this program."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        fail(f"{command[0]} is not installed (Debian: abigail-tools, binutils)")
    if done.returncode not in allowed:
        fail(f"{' '.join(map(str, command))} ended with code {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout, done.returncode


def version():
    """(major, minor) of the project."""
    text = (tree / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"project\(voussoir\s+VERSION\s+(\d+)\.(\d+)\.\d+", text)
    if not found:
        fail("there is no 'project(voussoir VERSION ...' in CMakeLists.txt")
    return int(found.group(1)), int(found.group(2))


def declared(folder):
    """Names of the functions that the headers of a folder declare with VS_API."""
    names = set()
    for header in sorted([*folder.glob("*.h"), *folder.glob("*.h.in")]):
        text = re.sub(r"//.*", "", header.read_text(encoding="utf-8"))
        for declaration in re.findall(r"^VS_API\b([^;]*);", text, re.MULTILINE):
            names.add(re.search(r"\b(vs_\w+)\s*(?:\(|\[|$)", declaration.strip()).group(1))
    return names


class Library:
    """A shared library, its place in abi/ and the functions that are its own."""

    def __init__(self, path):
        self.path = Path(path)
        if not self.path.exists():
            fail(f"there is no {path}; build it first (cmake --preset dev && cmake --build --preset dev)")
        self.name = self.path.name.split(".so")[0]
        self.stored = tree / "abi" / f"{self.name}.abi"
        public = tree / "include" / "voussoir"
        self.declared = declared(public)
        self.own = self.declared
        if self.name == "libvoussoir-mpi":  # holds the same functions as libvoussoir, and these
            self.own = declared(public / "mpi")
            self.declared = self.declared | self.own

    def soname(self):
        dynamic, _ = run(["readelf", "-dW", self.path])
        found = re.search(r"Library soname: \[(.*)\]", dynamic)
        return found.group(1) if found else ""

    def symbols(self):
        listed, _ = run(["nm", "-D", "--defined-only", self.path])
        return {line.split()[-1] for line in listed.splitlines()} - OF_THE_LINKER

    def describe(self, out):
        """Writes the ABI of the library's own functions as XML."""
        with tempfile.NamedTemporaryFile("w", suffix=".suppr") as suppressions:
            suppressions.write(PRIVATE_TYPES)
            if self.own != self.declared:
                suppressions.write(ONLY_THESE.format("|".join(sorted(self.own))))
            suppressions.flush()
            run(["abidw", *SHORT, "--suppressions", suppressions.name, "--out-file", out, self.path])
        # Sources by their place in the tree, not on this machine.
        text = re.sub(r"path='[^']*/(src/[^']*)'", r"path='\1'", Path(out).read_text(encoding="utf-8"))
        Path(out).write_text(text, encoding="utf-8")
        described = set(re.findall(r"<function-decl name='(\w+)'", text))
        if described != self.own:
            fail(f"{self.path}: no debug information on {', '.join(sorted(self.own - described))}; build with -g")

    def stored_version(self):
        """(major, minor) of the stored ABI, by its SONAME."""
        if not self.stored.exists():
            fail(f"there is no {self.stored.relative_to(tree)}; store it by: tools/check_abi.py --update {self.path}")
        found = re.search(r"soname='[^']*\.so\.(\d+)\.(\d+)'", self.stored.read_text(encoding="utf-8"))
        if not found:
            fail(f"{self.stored.relative_to(tree)} has no SONAME with a version")
        return int(found.group(1)), int(found.group(2))

    def problems_with_names(self):
        """What is wrong with the SONAME and the names of symbols."""
        major, minor = version()
        symbols = self.symbols()
        wanted = f"{self.name}.so.{major}.{minor}"
        problems = [] if self.soname() == wanted else [f"SONAME is {self.soname()!r}, not {wanted}"]
        problems += [f"symbol without the prefix vs_: {name}" for name in sorted(symbols) if not name.startswith("vs_")]
        problems += [f"declared in a public header but not exported: {name}" for name in sorted(self.declared - symbols)]
        problems += [f"exported but in no public header: {name}" for name in sorted(symbols - self.declared)]
        return problems

    def problems_with_layout(self):
        """The differences from the stored ABI, unless the version allows them."""
        with tempfile.TemporaryDirectory() as folder:
            now = Path(folder) / "now.abi"
            self.describe(now)
            # 4: a difference, 8: one that breaks programs; a message goes to standard output
            report, code = run(["abidiff", "--harmless", self.stored, now], allowed=(0, 4, 8, 12))
        old, new = self.stored_version(), version()
        kept = f"abi/{self.stored.name}"
        if code == 0:
            print(f"check_abi: {self.soname()}: {len(self.own)} functions, the ABI is that of {kept}")
            return []
        if new > old:
            print(
                f"check_abi: {self.soname()}: the ABI differs from that of {old[0]}.{old[1]}, as a new minor version may. "
                f"When it is released: tools/check_abi.py --update {self.path}"
            )
            return []
        print(report, file=sys.stderr)
        return [
            f"the ABI of {self.soname()} is not that of {kept}, and the version is still {new[0]}.{new[1]}. Raise the minor "
            "version in CMakeLists.txt and list the change in CHANGELOG.md; or, if this version has not been released "
            f"yet, store its new ABI by: tools/check_abi.py --update {self.path}"
        ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", metavar="LIBRARY", nargs="+", help="libvoussoir.so or libvoussoir-mpi.so")
    parser.add_argument("--update", action="store_true", help="store the ABI in abi/ instead of comparing")
    arguments = parser.parse_args()
    problems = []
    for path in arguments.libraries:
        library = Library(path)
        problems += [f"{path}: {problem}" for problem in library.problems_with_names()]
        if arguments.update and not problems:
            library.stored.parent.mkdir(exist_ok=True)
            library.describe(library.stored)
            size = library.stored.stat().st_size
            print(f"check_abi: stored {library.soname()}, {len(library.own)} functions: abi/{library.stored.name}, {size} bytes")
        elif not arguments.update:
            problems += [f"{path}: {problem}" for problem in library.problems_with_layout()]
    for problem in problems:
        print("check_abi:", problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
