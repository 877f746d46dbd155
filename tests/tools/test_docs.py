"""The tools of the documentation notice what they are there to notice. Run: python3 -m unittest tests/tools/test_docs.py"""

from __future__ import annotations

import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "docs/site")]

import build_docs  # noqa: E402
import c_reference  # noqa: E402
import check_snippets  # noqa: E402
import docstrings  # noqa: E402
import header_filter  # noqa: E402
import named_scenes  # noqa: E402
import python_reference  # noqa: E402
import stage  # noqa: E402


class Snippets(unittest.TestCase):
    def setUp(self) -> None:
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self.scratch.name)
        self.addCleanup(self.scratch.cleanup)

    def run_text(self, text: str) -> None:
        page = self.folder / "page.md"
        page.write_text(text, encoding="utf-8")
        session = check_snippets.Session(page, self.folder)
        for block in check_snippets.read_blocks(page):
            if not block.reason:
                session.run(block)

    def fails(self, text: str, words: str) -> None:
        with self.assertRaisesRegex(check_snippets.SnippetError, words):
            self.run_text(text)

    def test_what_works_passes(self) -> None:
        self.run_text(
            "```sh\nmkdir a && cd a\n```\n\n```sh\ntouch b\n```\n\n```python\nx = 2\n```\n\nText.\n\n```python\nprint(x)\n```\n\n```output\n2\n```\n"
        )
        self.assertTrue((self.folder / "a/b").exists())

    def test_a_failing_command_fails(self) -> None:
        self.fails("```sh\ntrue\nfalse\ntrue\n```\n", "exit code 1")
        self.fails("```sh\nfalse | true\n```\n", "exit code 1")

    def test_a_failing_assertion_fails(self) -> None:
        self.fails("```python\nassert 1 == 2\n```\n", "AssertionError")

    def test_other_output_fails(self) -> None:
        self.run_text("```sh\necho one; echo two 17 three\n```\n\n```output\none\ntwo … three\n```\n")
        self.fails("```sh\necho one\n```\n\n```output\ntwo\n```\n", "was not printed: two")
        self.fails("```sh\necho one; echo two\n```\n\n```output\ntwo\none\n```\n", "was not printed: one")

    def test_a_block_must_say_what_it_is(self) -> None:
        self.fails("```\ntrue\n```\n", "unknown language")
        self.fails("Text:\n\n    true\n", "by indentation")
        self.run_text("* item\n\n    more of the item\n")
        self.fails("```json\n{}\n```\n", "must name the file")

    def test_a_saved_block_must_be_used(self) -> None:
        self.run_text("Save this as `a.json`:\n\n```json\n{}\n```\n\n```sh\ntest -s a.json\n```\n")
        self.fails("Save this as `a.json`:\n\n```json\n{}\n```\n\n```sh\ntrue\n```\n", "no later block uses it")

    def test_a_reason_is_kept(self) -> None:
        self.run_text("*Not run in CI: needs root.*\n\n```sh\nfalse\n```\n")

    def test_the_checkout_is_not_written(self) -> None:
        self.fails("As `src/a.c`:\n\n```c\nint a;\n```\n\n```sh\ncat src/a.c\n```\n", "would change the checkout")


class Site(unittest.TestCase):
    def test_files_that_pages_name_exist(self) -> None:
        pages = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md", "viewer/README.md")]
        pages += sorted((ROOT / "docs").rglob("*.md")) + sorted((ROOT / "bench/results").glob("*.md"))
        named = re.compile(r"(?<![\w./-])(?:src|app|include|tests|tools|bench|fuzz|docs)/[\w/.-]*\w\.(?:c|h|py|sh|md|gp|json)\b")
        count = 0
        for page in pages:
            for name in set(named.findall(page.read_text(encoding="utf-8"))):
                count += 1
                if not re.search(r"/(test_)?pla(nar|in)\.c$", name):  # files that the reader adds
                    self.assertTrue((ROOT / name).exists(), f"{page.relative_to(ROOT)} names {name}")
        self.assertGreater(count, 50)

    def test_broken_links_are_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            html = Path(folder)
            (html / "a.html").write_text(
                '<p id="here"><a href="b.html#there">b</a> <a href="#here">a</a> <a href="c.html">c</a>'
            )
            (html / "b.html").write_text("<p>")
            count, errors = build_docs.check_links(html)
        self.assertEqual(count, 3)
        self.assertEqual(len(errors), 2)

    def test_every_public_header_is_in_the_reference(self) -> None:
        headers = {path.stem for path in (ROOT / "include/voussoir").glob("*.h")} - {"export", "voussoir"}
        self.assertEqual(headers, set(c_reference.HEADERS))

    def test_every_public_name_of_python_is_in_the_reference(self) -> None:
        listed = {name for names in python_reference.TOPICS.values() for name in names}
        self.assertEqual(python_reference.public_names(ROOT / "python/voussoir"), listed)

    def test_links_follow_their_pages(self) -> None:
        site = stage.Stage(ROOT, Path("unused"))
        self.assertEqual(site.link("../include/voussoir/solver.h", "docs/solvers.md", "solvers.md"), "api/solver.rst")
        self.assertEqual(
            site.link("../../bench/results/auto.md#x", "docs/howto/choosing.md", "howto/choosing.md"),
            "../benchmarks/auto.md#x",
        )
        self.assertEqual(site.link("../tools/make_pile.py", "docs/formats.md", "formats.md"), "source/tools/make_pile.py.md")
        self.assertEqual(site.errors, [])
        site.link("nowhere.md", "docs/formats.md", "formats.md")
        self.assertEqual(len(site.errors), 1)

    def test_comments_of_headers_become_documentation(self) -> None:
        lines = [
            "// Top.",
            "#include <a.h>",
            "// Above, a < b.",
            "struct s {",
            "    int a; // behind",
            "           // goes on",
            "};",
        ]
        self.assertEqual(
            header_filter.filtered(lines),
            [
                "// Top.",
                "#include <a.h>",
                "/// Above, a \\< b.",
                "struct s {",
                "    int a; ///< behind",
                "           ///< goes on",
                "};",
            ],
        )

    def test_tables_in_docstrings_become_lists(self) -> None:
        lines = docstrings.convert(
            ["step    s; default 1/240", "        of `run()`", "before  called", "", ">>> a_", ""]
        )
        self.assertEqual(
            lines[:6], ["``step``", "    s; default 1/240", "    of ``run()``", "``before``", "    called", ""]
        )
        self.assertIn(">>> a_", lines)

    def test_the_front_page_has_the_playground_if_it_is_built(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "index.md"
            front = (ROOT / "docs/index.md").read_text(encoding="utf-8")
            for live in (True, False):
                page.write_text(front, encoding="utf-8")
                named_scenes.embed(page, live)
                text = page.read_text(encoding="utf-8")
                self.assertEqual("playground.html" in text, live)
                self.assertNotIn(named_scenes.MARK, text)
            with self.assertRaisesRegex(SystemExit, "has no"):
                named_scenes.embed(page, True)


if __name__ == "__main__":
    unittest.main()
