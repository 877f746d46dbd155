"""The tools of a release: the bill of materials, and names in one C file. Run: python3 -m unittest tests/tools/test_release.py"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import amalgamate  # noqa: E402

FILES = ("voussoir-9.9.9-linux-x86_64.tar.xz", "voussoir-9.9.9-cp39-abi3-manylinux_2_17_x86_64.whl",
         "voussoir_small-9.9.9-cp39-abi3-manylinux_2_17_x86_64.whl", "voussoir-9.9.9.tar.xz")


class Bill(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        folder = Path(scratch.name)
        for name in FILES:
            (folder / name).write_text(name, encoding="utf-8")
        for out in ("one.json", "two.json"):
            subprocess.run([sys.executable, ROOT / "tools/make_sbom.py", folder, folder / out], check=True,
                           env={"SOURCE_DATE_EPOCH": "86400"})
        self.assertEqual((folder / "one.json").read_bytes(), (folder / "two.json").read_bytes())
        self.bill = json.loads((folder / "one.json").read_text(encoding="utf-8"))
        self.parts = {part["bom-ref"]: part for part in self.bill["components"]}

    def test_has_what_the_format_requires(self) -> None:
        self.assertEqual((self.bill["bomFormat"], self.bill["specVersion"]), ("CycloneDX", "1.6"))
        self.assertRegex(self.bill["serialNumber"], r"^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
        self.assertEqual(self.bill["metadata"]["timestamp"], "1970-01-02T00:00:00Z")
        self.assertEqual(len(self.parts), len(self.bill["components"]))  # references are unique
        for dependency in self.bill["dependencies"]:
            for name in dependency["dependsOn"]:
                self.assertIn(name, self.parts)

    def test_knows_every_archive_with_its_checksum(self) -> None:
        text = (ROOT / "cmake/Bundled.cmake").read_text(encoding="utf-8")
        known = {reference["hashes"][0]["content"] for part in self.parts.values()
                 for reference in part.get("externalReferences", []) if "hashes" in reference}
        archives = re.findall(r"bundled_archive\((\w+) .*?([0-9a-f]{64})\)", text, re.DOTALL)
        self.assertEqual(len(archives), len(re.findall(r"[0-9a-f]{64}", text)))
        # cmocka is in the tests only, in no file of a release
        self.assertEqual(known, {checksum for name, checksum in archives if name != "CMOCKA"})

    def test_knows_the_files_and_what_is_in_them(self) -> None:
        inside = {dependency["ref"]: dependency["dependsOn"] for dependency in self.bill["dependencies"]}
        for name in FILES:
            self.assertEqual(self.parts[name]["hashes"][0]["content"], hashlib.sha256(name.encode()).hexdigest())
        self.assertIn("musl", inside[FILES[0]])
        self.assertIn("HDF5", inside[FILES[1]])
        self.assertEqual(inside[FILES[2]], ["jansson", "qhull"])  # permissive licences only
        self.assertEqual(inside[FILES[3]], [])


class Names(unittest.TestCase):
    def test_finds_the_names_of_a_file(self) -> None:
        text = """
            typedef struct state { int *factor, row; } state;
            enum { MOST = 3, LEAST };
            static const double A = 1, B[2] = {1, 2};
            __attribute__((target("avx2"))) static int eliminate(double *F, int rows) { int local = 0; return local; }
            static const struct { int pivots; } RELAXED[] = {{9}, {24}};
            const int vs_public = 4;
            int vs_open(state *s) { return s->row; }
        """
        self.assertEqual(amalgamate.file_scope(text), {"state", "MOST", "LEAST", "A", "B", "eliminate", "RELAXED"})

    def test_renames_names_but_no_members(self) -> None:
        text = 'struct s { int factor; };\nint f(struct s *x) { factor(); return x->factor + x[0].factor; } // factor "factor"\n'
        expected = ('struct s { int factor; };\nint f(struct s *x) { lu_factor(); return x->factor + x[0].factor; } '
                    '// factor "factor"\n')
        self.assertEqual(amalgamate.rename(text, {"factor": "lu_factor"}), expected)


if __name__ == "__main__":
    unittest.main()
