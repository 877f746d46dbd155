#!/usr/bin/env python3
"""tools/check_abi.py on copies of the public headers: it passes on the stored ABI and fails on every change of it.

The libraries are made of the headers alone, each function with an empty body: types, layouts and symbols are those of the
real library, which .ci/run compares itself.

usage: tests/system/test_abi.py VERSION_HEADER     the configured voussoir/version.h
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

tree = Path(__file__).resolve().parents[2]
version_header = Path()


class Copy:
    """Headers, stored ABI, tool and version in a folder of their own."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.include = self.folder / "include" / "voussoir"
        shutil.copytree(tree / "include", self.folder / "include")
        shutil.copy(version_header, self.include / "version.h")
        (self.include / "version.h.in").unlink()
        shutil.copytree(tree / "abi", self.folder / "abi")
        (self.folder / "tools").mkdir()
        shutil.copy(tree / "tools" / "check_abi.py", self.folder / "tools")
        shutil.copy(tree / "CMakeLists.txt", self.folder)
        self.soname = ".".join(self.version()[:2])

    def version(self):
        text = (self.folder / "CMakeLists.txt").read_text(encoding="utf-8")
        return re.search(r"project\(voussoir\s+VERSION\s+(\d+)\.(\d+)\.(\d+)", text).groups()

    def replace(self, path, old, new):
        file = self.folder / path
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, (path, old)
        file.write_text(text.replace(old, new), encoding="utf-8")

    def raise_minor(self):
        major, minor, patch = self.version()
        self.replace("CMakeLists.txt", f"VERSION {major}.{minor}.{patch}", f"VERSION {major}.{int(minor) + 1}.0")
        self.soname = f"{major}.{int(minor) + 1}"

    def build(self, name="libvoussoir"):
        """A shared library with every function that the headers declare."""
        folders = [self.include] + ([self.include / "mpi"] if name == "libvoussoir-mpi" else [])
        headers = [header for folder in folders for header in sorted(folder.glob("*.h"))]
        lines = [f'#include "{header.relative_to(self.folder / "include")}"' for header in headers]
        for header in headers:
            text = re.sub(r"//.*", "", header.read_text(encoding="utf-8"))
            bodies = re.findall(r"^VS_API\b([^;]*);", text, re.MULTILINE)
            lines += [f"{declaration} {{ __builtin_trap(); }}" for declaration in bodies]
        source = self.folder / "functions.c"
        source.write_text("\n".join(lines), encoding="utf-8")
        library = self.folder / f"{name}.so"
        link = f"-Wl,-soname,{name}.so.{self.soname}"
        command = ["gcc", "-g", "-w", "-shared", "-fPIC", "-I", self.folder / "include", link, source, "-o", library]
        subprocess.run(command, check=True)
        return library

    def check(self, *arguments, name="libvoussoir"):
        command = [sys.executable, self.folder / "tools" / "check_abi.py", *arguments, self.build(name)]
        return subprocess.run(command, capture_output=True, text=True, check=False)


class CheckAbi(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.copy = Copy(self.work.name)

    def tearDown(self):
        self.work.cleanup()

    def fails(self, *words, name="libvoussoir"):
        done = self.copy.check(name=name)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_headers_have_the_stored_abi(self):
        for name in ("libvoussoir", "libvoussoir-mpi"):
            done = self.copy.check(name=name)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("the ABI is that of", done.stdout)

    def test_a_new_field_needs_a_new_minor_version(self):
        self.copy.replace("include/voussoir/simulation.h", "} vs_contact_view;", "    double added;\n} vs_contact_view;")
        self.fails("'double added'", "vs_contact_view", "Raise the minor version in CMakeLists.txt")
        self.copy.raise_minor()
        done = self.copy.check()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("as a new minor version may", done.stdout)

    def test_options_nested_by_value_are_part_of_the_abi(self):
        self.copy.replace("include/voussoir/solver.h", "} vs_ipm_options;", "    int added;\n} vs_ipm_options;")
        self.fails("'int added'", "vs_simulation_options")

    def test_a_new_enumerator_is_a_change(self):
        self.copy.replace("include/voussoir/world.h", "VS_MOTOR_EFFORT }", "VS_MOTOR_EFFORT, VS_MOTOR_ADDED }")
        self.fails("VS_MOTOR_ADDED")

    def test_a_removed_function_is_a_change(self):
        self.copy.replace("include/voussoir/world.h", "VS_API uint64_t vs_world_get_hash(const vs_world *world);", "")
        self.fails("vs_world_get_hash", "Removed")

    def test_structs_of_the_distributed_library_count(self):
        self.copy.replace("include/voussoir/mpi/distributed.h", "} vs_traffic;", "    int added;\n} vs_traffic;")
        self.fails("'int added'", name="libvoussoir-mpi")

    def test_the_soname_is_that_of_the_version(self):
        self.copy.soname = "0"
        self.fails("SONAME is 'libvoussoir.so.0'")

    def test_update_stores_what_then_passes(self):
        self.copy.replace("include/voussoir/simulation.h", "} vs_contact_view;", "    double added;\n} vs_contact_view;")
        self.assertEqual(self.copy.check("--update").returncode, 0)
        self.assertEqual(self.copy.check().returncode, 0)


if __name__ == "__main__":
    version_header = Path(sys.argv.pop(1))
    unittest.main()
