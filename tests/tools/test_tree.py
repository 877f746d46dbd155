"""tools/draw_tree.py draws what the sources say. Run: python3 -m unittest tests/tools/test_tree.py"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import draw_tree  # noqa: E402

FILES = {
    "src/base/clock.h": "double vs_now(void);\n",
    "src/base/clock.c": '#include "base/clock.h"\ndouble vs_now(void) {\n    return 0;\n}\n',
    "src/linalg/sparse.c": '#include "base/clock.h"\nint vs_sparse(void) {\n    return 1;\n}\n',
    "src/problem/build.c": "int vs_build(void) {\n    return vs_sparse();\n}\n",
    "src/solver/solver.c": '#include "base/clock.h"\nint vs_solve(void) {\n    return vs_build();\n}\n',
    "src/solver/kkt/newton.c": "int vs_newton(void) {\n    return 2;\n}\n",
    "src/solver/ipm/ipm.c": "const vs_method_class vs_ipm_class = {0};\nint vs_ipm(void) {\n    return vs_newton();\n}\n",
    "app/main.c": "int main(void) {\n    return vs_solve();\n}\n",
}


class Tree(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name).resolve()
        for name, text in FILES.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        (self.root / "docs/figures").mkdir(parents=True)

    def run_tool(self, *arguments: str) -> int:
        with mock.patch.object(sys, "argv", ["draw_tree.py", *arguments, str(self.root)]), contextlib.redirect_stderr(io.StringIO()):
            return draw_tree.main()

    def test_arrows_come_from_includes_and_calls(self) -> None:
        graph = draw_tree.read_layers(self.root)
        self.assertEqual(graph["linalg"], {"base"})
        self.assertEqual(graph["problem"], {"linalg"})
        self.assertEqual(graph["solver"], {"base", "problem"})
        self.assertEqual(graph["app"], {"solver"})

    def test_arrows_that_follow_from_others_are_omitted(self) -> None:
        self.assertEqual(draw_tree.reduced(draw_tree.read_layers(self.root))["solver"], {"problem"})

    def test_the_table_of_methods_leads_to_their_folders(self) -> None:
        self.assertEqual(draw_tree.read_rooms(self.root), {"solver": {"ipm"}, "ipm": {"kkt"}, "kkt": set()})

    def test_a_user_stands_above_what_it_uses(self) -> None:
        graph = draw_tree.reduced(draw_tree.read_layers(self.root))
        row = draw_tree.levels(graph)
        for node, targets in graph.items():
            for target in targets:
                self.assertLess(row[node], row[target])

    def test_an_old_drawing_fails(self) -> None:
        self.assertEqual(self.run_tool("--check"), 1)
        self.assertEqual(self.run_tool(), 0)
        self.assertEqual(self.run_tool("--check"), 0)
        (self.root / "src/problem/build.c").write_text("int vs_build(void) {\n    return 0;\n}\n", encoding="utf-8")
        self.assertEqual(self.run_tool("--check"), 1)


if __name__ == "__main__":
    unittest.main()
