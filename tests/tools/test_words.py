"""tools/check_words.py finds the words of the glossary where users read, and nowhere else.

Run: python3 -m unittest tests/tools/test_words.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import check_words  # noqa: E402

LIST = (ROOT / check_words.GLOSSARY).read_text(encoding="utf-8")
RULES = check_words.read_rules(LIST)


def lines(path: str, text: str, **options: bool) -> list[int]:
    return [hit.line for hit in check_words.check(path, text, RULES, **options)]


class Rules(unittest.TestCase):
    def test_every_phrase_of_the_list_is_found_in_a_page(self) -> None:
        for rule in RULES:
            with self.subTest(rule.phrase):
                self.assertEqual(lines("docs/a.md", f"Text.\n\n{rule.phrase}\n"), [3])

    def test_usual_english_passes(self) -> None:
        for text in (
            "It takes 7 iterations per step, about 3 ms per contact.",
            "A solver that solves a problem steps a world once.",
            "What is a voussoir?",
            "## What is a voussoir?",
            "A physics engine such as MuJoCo, or a game engine.",
            "The default is a page fault, or a segmentation fault.",
            "Masses of 0.003 kg and 1 003 bodies, 10 001 contacts",
        ):
            with self.subTest(text):
                self.assertEqual(lines("docs/a.md", text), [])

    def test_a_pattern_must_find_its_phrase(self) -> None:
        words = "## Words to avoid\n\n| avoid | write |\n|---|---|\n| anew | again |\n\n## Patterns\n\n```text\n"
        self.assertEqual(len(check_words.read_rules(words + "anew: \\bane\n```\n")), 1)
        with self.assertRaisesRegex(check_words.GlossaryError, 'does not find "anew"'):
            check_words.read_rules(words + "anew: once\n```\n")
        with self.assertRaisesRegex(check_words.GlossaryError, 'no row starts with "onc"'):
            check_words.read_rules(words + "onc: once\n```\n")

    def test_an_empty_list_is_an_error(self) -> None:
        for text in ("# Glossary\n", "## Words to avoid\n\nNone.\n"):
            with self.assertRaises(check_words.GlossaryError):
                check_words.read_rules(text)


class Places(unittest.TestCase):
    def test_a_phrase_over_two_lines_is_found_at_its_first(self) -> None:
        self.assertEqual(lines("docs/a.md", "One.\n\nIt takes 7 iterations a\nstep.\n"), [3])
        self.assertEqual(lines("app/a.c", 'f("7 iterations "\n  "a step");\n'), [1])

    def test_code_and_links_of_a_page_are_not_prose(self) -> None:
        self.assertEqual(lines("docs/a.md", "`anew`, [text](anew.md)\n\n```c\n// anew\n```\n"), [])
        self.assertEqual(lines("docs/a.md", "```output\nanew\n```\n"), [2])

    def test_of_sources_strings_are_read_and_comments_on_request(self) -> None:
        text = '// made anew\nint anew;\nf("made anew");\n'
        self.assertEqual(lines("src/a.c", text), [3])
        self.assertEqual(lines("src/a.c", text, comments=True), [1, 3])
        self.assertEqual(lines("include/voussoir/a.h", text), [1, 3])

    def test_a_comment_over_two_lines_is_one_text(self) -> None:
        self.assertEqual(lines("src/a.c", "int a; // 7 iterations a\n       // step\n", comments=True), [1])

    def test_other_kinds_of_files(self) -> None:
        self.assertEqual(lines("tools/a.py", '"""Made\nanew."""\n# anew\n'), [2])
        self.assertEqual(lines("viewer/a.html", "<p>\nmade anew</p><script>anew</script>\n"), [2])
        self.assertEqual(lines("viewer/a.ts", "f('made anew');\n"), [1])
        self.assertEqual(lines(".github/ISSUE_TEMPLATE/a.yml", "name: a\nlabels: [wish]\n"), [2])

    def test_exceptions(self) -> None:
        text = "Made anew.\n\nOnce more.\n"
        for place in ("docs/a.md", "docs"):
            hits = check_words.check("docs/a.md", text, RULES, {(place, "anew")})
            self.assertEqual([hit.words for hit in hits], ["Once more"])
        self.assertEqual(check_words.check("docs/a.md", text, RULES, {("docs", "all")}), [])
        self.assertEqual(lines("docs/a.md", "Made anew. <!-- words: ok (a quotation) -->\n"), [])
        self.assertEqual(lines("docs/a.md", "Made anew. <!-- words: ok -->\n"), [1])


class Command(unittest.TestCase):
    def run_on(self, text: str) -> subprocess.CompletedProcess[str]:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "page.md"
            page.write_text(text, encoding="utf-8")
            command = [sys.executable, str(ROOT / "tools/check_words.py"), str(page)]
            return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_a_hit_fails_with_its_place_and_remedy(self) -> None:
        result = self.run_on("# Title\n\nMade anew.\n")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r'page\.md:3: "anew": write "again; re-factor, rebuild, restart"')

    def test_clean_text_passes(self) -> None:
        self.assertEqual(self.run_on("# Title\n\nMade again.\n").returncode, 0)

    def test_a_missing_file_is_an_error(self) -> None:
        command = [sys.executable, str(ROOT / "tools/check_words.py"), "no/such/folder"]
        self.assertEqual(subprocess.run(command, capture_output=True, check=False).returncode, 2)


if __name__ == "__main__":
    unittest.main()
