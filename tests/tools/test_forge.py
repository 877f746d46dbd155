"""tools/forge finds wrong impulses that are called converged, and nothing where there is nothing.

Run: python3 tests/tools/test_forge.py build/dev/tools/forge/forge
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unittest

FORGE = sys.argv.pop(1) if len(sys.argv) > 1 else "build/dev/tools/forge/forge"
PROBLEMS = 40 if os.environ.get("VOUSSOIR_SANITIZED") else 150  # some seconds
SEED = 7


def forge(*options: str) -> subprocess.CompletedProcess[str]:
    command = [FORGE, "--seed", str(SEED), "--problems", str(PROBLEMS), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Forge(unittest.TestCase):
    def test_right_certificates_are_no_defects(self) -> None:
        run = forge()
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, rf"seed {SEED}: {PROBLEMS} problems, [1-9][0-9]* solves")
        self.assertIn("defects: 0 false converged", run.stdout)

    def test_contacts_with_equal_references_are_told_apart(self) -> None:
        """The floor that the library states is that of one of two contacts of equal bodies."""
        run = forge("--first", "32618", "--problems", "1")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_wrong_impulses_are_found(self) -> None:
        for how in ("scaled", "missing"):
            with self.subTest(how):
                run = forge("--spoil", how)
                self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
                match = re.search(r"spoiled (\d+), found (\d+)", run.stdout)
                assert match
                spoiled, found = int(match[1]), int(match[2])
                self.assertGreater(spoiled, PROBLEMS // 5)
                # Not all: of redundant contacts one may be missing, and some impulses are a small part of their island.
                self.assertGreaterEqual(found, 0.9 * spoiled)

    def test_problems_are_those_of_the_seed(self) -> None:
        """Solved alone, a problem is the same as among others; another seed has other problems."""
        alone = [self.totals("--first", str(k), "--problems", "1") for k in range(20)]
        again = self.totals("--problems", "20")
        self.assertEqual(tuple(map(sum, zip(*alone))), again)
        self.assertNotEqual(self.totals("--seed", "8", "--problems", "20"), again)

    def totals(self, *options: str) -> tuple[int, ...]:
        match = re.search(r"(\d+) solves, (\d+) refused", forge(*options).stdout)
        assert match
        return tuple(map(int, match.groups()))

    def test_unknown_options_are_refused(self) -> None:
        run = forge("--spoil", "everything")
        self.assertEqual(run.returncode, 1)
        self.assertIn("usage: forge", run.stderr)


if __name__ == "__main__":
    unittest.main()
