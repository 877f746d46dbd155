"""tools/check_layers.py finds arrows that run up, and circles, however they are hidden."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_layers.py"


def check(files):
    """Exit code and messages for a tree of files: path -> text."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            target = os.path.join(root, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            pathlib.Path(target).write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr


class Layers(unittest.TestCase):
    def test_arrows_down_are_fine(self):
        code, messages = check({"src/base/a.h": "", "src/cone/b.c": '#include "base/a.h"\n'})
        self.assertEqual((code, messages), (0, ""))

    def test_an_arrow_up_is_named_with_its_line(self):
        code, messages = check({"src/cone/a.h": "", "src/base/b.c": '\n#include "cone/a.h"\n'})
        self.assertEqual(code, 1)
        self.assertIn("src/base/b.c:2: \"cone/a.h\": base may not use cone", messages)

    def test_folders_of_the_solver_have_their_order(self):
        down = {"src/solver/run.h": "", "src/solver/impulse/a.h": '#include "solver/run.h"\n',
                "src/solver/ipm/b.c": '#include "solver/impulse/a.h"\n'}
        self.assertEqual(check(down), (0, ""))
        code, messages = check({"src/solver/ipm/a.h": "", "src/solver/impulse/b.c": '#include "solver/ipm/a.h"\n'})
        self.assertEqual(code, 1)
        self.assertIn("src/solver/impulse/b: solver/impulse may not use solver/ipm (a: #include)", messages)
        code, messages = check({"src/solver/new/a.h": "", "src/solver/new/b.c": '#include "solver/new/a.h"\n'})
        self.assertEqual(code, 1)
        self.assertIn("solver/new has no place", messages)

    def test_a_call_from_room_to_room_is_seen_behind_a_shared_header(self):
        shared = "void vs_a(void);\nvoid vs_b(void);\n"
        a = '#include "step/rows/shared.h"\nvoid vs_a(void) {\n    vs_b();\n}\n'
        b = '#include "step/rows/shared.h"\nvoid vs_b(void) {\n}\n'
        code, messages = check({"src/step/rows/shared.h": shared, "src/step/rows/a.c": a, "src/step/bond/b.c": b})
        self.assertEqual(code, 1)
        self.assertIn("src/step/rows/a: step/rows may not use step/bond (b: vs_b)", messages)

    def test_a_circle_of_a_source_and_the_header_it_implements_is_found(self):
        code, messages = check({"src/cone/a.h": "", "src/cone/a.c": '#include "cone/b.h"\n',
                                "src/cone/b.h": "", "src/cone/b.c": '#include "cone/a.h"\n'})
        self.assertEqual(code, 1)
        self.assertIn("circle: src/cone/a, src/cone/b", messages)

    def test_a_circle_behind_a_shared_header_is_found(self):
        shared = "void vs_a(void);\nint vs_b(int x,\n         int y);\n"
        a = '#include "cone/shared.h"\nvoid vs_a(void) {\n    vs_b(1, 2);\n}\n'
        b = '#include "cone/shared.h"\nint vs_b(int x,\n         int y) {\n    vs_a();\n    return x + y;\n}\n'
        code, messages = check({"src/cone/shared.h": shared, "src/cone/a.c": a, "src/cone/b.c": b})
        self.assertEqual(code, 1)
        self.assertIn("circle: src/cone/a, src/cone/b", messages)
        calls_in_comments = b.replace("    vs_a();", "    // vs_a() is elsewhere")
        self.assertEqual(check({"src/cone/shared.h": shared, "src/cone/a.c": a, "src/cone/b.c": calls_in_comments})[0], 0)


if __name__ == "__main__":
    unittest.main()
