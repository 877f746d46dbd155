"""tools/forge/assemblies finds wrong verdicts, forces and mechanisms, and nothing where there is nothing.

Run: python3 tests/tools/test_forge_assemblies.py build/dev/tools/forge/forge_assemblies
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FORGE = sys.argv.pop(1) if len(sys.argv) > 1 else "build/dev/tools/forge/forge_assemblies"
COUNT = 200 if os.environ.get("VOUSSOIR_SANITIZED") else 400  # some seconds
SEED = 7


def forge(*options: str) -> subprocess.CompletedProcess[str]:
    command = [FORGE, "--seed", str(SEED), "--count", str(COUNT), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class ForgeAssemblies(unittest.TestCase):
    def test_right_verdicts_are_no_defects(self) -> None:
        run = forge()
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn(f"seed {SEED}: {COUNT} assemblies", run.stdout)
        # Every family is drawn, and both verdicts occur.
        rows = re.findall(r"^\w+ +(\d+) +(\d+) +(\d+) +(\d+) +\d+ \|", run.stdout, re.M)
        self.assertGreater(len(rows), 10)
        self.assertTrue(all(sum(map(int, row)) > 0 for row in rows))
        self.assertGreater(sum(int(row[0]) for row in rows), COUNT // 5)
        self.assertGreater(sum(int(row[1]) for row in rows), COUNT // 5)

    def test_wrong_results_are_found(self) -> None:
        # Not all forces: those under a load that grows are of one instant, and not compared with it.
        for how, least in (("forces", 0.95), ("motion", 1), ("verdict", 1)):
            with self.subTest(how):
                run = forge("--spoil", how)
                self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
                match = re.search(r"spoiled (\d+), found (\d+)", run.stdout)
                assert match
                spoiled, found = int(match[1]), int(match[2])
                self.assertGreater(spoiled, COUNT // 5)
                self.assertGreaterEqual(found, least * spoiled)

    def test_assemblies_with_defects_are_written(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            forge("--spoil", "verdict", "--family", "plate", "--count", "20", "--out", folder)
            files = list(pathlib.Path(folder).glob("forge-plate-*.json"))
            self.assertGreater(len(files), 5)
            for file in files:
                scene = json.loads(file.read_text())
                self.assertGreaterEqual(len(scene["bodies"]), 2)

    def test_assemblies_are_those_of_the_seed(self) -> None:
        """Drawn alone, an assembly is the same as among others; another seed has other assemblies."""
        alone = [self.totals("--first", str(k), "--count", "1") for k in range(20)]
        again = self.totals("--count", "20")
        self.assertEqual(tuple(map(sum, zip(*alone))), again)
        self.assertNotEqual(self.totals("--seed", "8", "--count", "20"), again)

    def totals(self, *options: str) -> tuple[int, ...]:
        rows = re.findall(r"^\w+ +(\d+) +(\d+) +(\d+) +(\d+) +\d+ \|", forge(*options).stdout, re.M)
        return tuple(int(number) for row in rows for number in row)

    def test_unknown_options_are_refused(self) -> None:
        for options in (("--spoil", "everything"), ("--family", "cathedral"), ("--count", "many")):
            with self.subTest(options):
                run = forge(*options)
                self.assertEqual(run.returncode, 1)
                self.assertIn("usage: forge_assemblies", run.stderr)


if __name__ == "__main__":
    unittest.main()
