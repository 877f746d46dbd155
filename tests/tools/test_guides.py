"""The guides of docs/contribute name what is there. Run: python3 -m unittest tests/tools/test_guides.py

A line of a guide (a row of its table, an item of a list) names files or folders and names in them, all in backticks; each name
must be in one of the files of its line. Names that the reader adds contain "…" or are in capitals without a prefix (`NAME`).
"""

from __future__ import annotations

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ["new-law", "new-joint", "new-shape", "new-solver", "new-command"]
CODE = re.compile(r"`([^`]+)`")
FILE = re.compile(r"(?:src|app|include|tests|tools|docs|python|viewer|cmake)/[\w/.-]+|bench/[\w/.-]+|CHANGELOG\.md|\.ci/run")
NAME = re.compile(r"(?:[a-z]\w*_\w+|VS_\w+|[a-z]\w*)(?:\(\))?")


def paragraphs(text: str) -> "list[str]":
    """Rows of tables, list items and paragraphs, each as one line; no code blocks."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    parts: "list[str]" = []
    for line in text.splitlines():
        begins = not line.strip() or re.match(r"\s*(\||[*+-] |\d+\. |#)", line)
        if begins or not parts:
            parts.append(line)
        else:
            parts[-1] += " " + line.strip()
    return [part for part in parts if part.strip()]


def contents(path: Path) -> str:
    files = [path] if path.is_file() else sorted(p for p in path.iterdir() if p.is_file())
    return "\n".join(file.read_text(encoding="utf-8", errors="replace") for file in files)


def missing(text: str, root: Path = ROOT) -> "list[str]":
    """What a guide names and the tree does not have."""
    found = []
    for part in paragraphs(text):
        words = [word for word in CODE.findall(part) if "…" not in word and not word.isupper()]
        files = [word for word in words if FILE.fullmatch(word)]
        gone = [file for file in files if not (root / file).exists()]
        found += gone
        inside = "\n".join(contents(root / file) for file in files if file not in gone)
        if files and not gone:
            names = [word for word in words if NAME.fullmatch(word)]
            found += [name for name in names if not re.search(rf"\b{re.escape(name.rstrip('()'))}\b", inside)]
    return found


class Guides(unittest.TestCase):
    def test_files_and_names_of_the_guides_exist(self) -> None:
        for guide in GUIDES:
            with self.subTest(guide):
                text = (ROOT / f"docs/contribute/{guide}.md").read_text(encoding="utf-8")
                self.assertEqual(missing(text), [])
                self.assertGreaterEqual(len({word for word in CODE.findall(text) if FILE.fullmatch(word)}), 4)

    def test_files_of_the_words_of_the_code_exist(self) -> None:
        text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").split("## Words of the code")[1].split("\n## ")[0]
        files = FILE.findall(text)
        self.assertGreater(len(files), 15)
        self.assertEqual([file for file in files if not (ROOT / file).exists()], [])

    def test_what_is_gone_is_found(self) -> None:
        self.assertEqual(missing("* `src/solver/method.h`: `vs_method_class`, `my_…`, `NAME`"), [])
        self.assertEqual(missing("* `src/solver/method.h`: `vs_method_klass`\n  and `vs_method_run`"), ["vs_method_klass"])
        self.assertEqual(missing("| `src/solver/gone.h` | `vs_method_run` |"), ["src/solver/gone.h"])


if __name__ == "__main__":
    unittest.main()
