"""The notebooks of docs/notebooks as pages of the site: each is run from its beginning, and becomes Markdown with its pictures.

In the repository they have no output, so that a change of one is a change of its text. A cell that raises is an error.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SECONDS = 120  # for a cell


def names(root: Path) -> "list[str]":
    return sorted(path.stem for path in (root / "docs/notebooks").glob("*.ipynb"))


def write(root: Path, package: Path, target: Path) -> None:
    """Runs them with the Python package in the folder `package`, where they lie, as a reader does who opens them."""
    environment = dict(os.environ, PYTHONPATH=str(package), PYTHONDONTWRITEBYTECODE="1")
    environment.pop("MPLBACKEND", None)  # the kernel has one of its own
    for name in names(root):
        command = ["jupyter-nbconvert", "--execute", f"--ExecutePreprocessor.timeout={SECONDS}", "--output-dir", str(target),
                   "--log-level", "ERROR", str(root / f"docs/notebooks/{name}.ipynb")]  # fmt: skip
        # First the notebook with its output, to download; then the page, from that.
        run([*command, "--to", "notebook"], environment)
        run(["jupyter-nbconvert", "--to", "markdown", "--log-level", "ERROR", str(target / f"{name}.ipynb")], environment)
        page = target / f"{name}.md"
        text = page.read_text(encoding="utf-8").replace(".ipynb)", ".md)")
        title, rest = text.split("\n", 1)
        page.write_text(f"{title}\n\n{{download}}`Download this notebook <{name}.ipynb>`\n{rest}", encoding="utf-8")


def run(command: "list[str]", environment: "dict[str, str]") -> None:
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    except FileNotFoundError:
        raise SystemExit("notebooks.py: no jupyter-nbconvert; install jupyter-nbconvert and python3-ipykernel") from None
    if done.returncode != 0:
        raise SystemExit(f"notebooks.py: {Path(command[-1]).name} failed\n{done.stdout[-3000:]}")
