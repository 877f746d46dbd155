"""What the documentation says is true: doctests, code of README.md, examples, types."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import voussoir

PYTHON = Path(__file__).resolve().parents[1]
MODULES = ["voussoir"] + [
    f"voussoir.{module.name}" for module in pkgutil.iter_modules(voussoir.__path__) if module.name not in ("_voussoir", "libvoussoir_python")
]


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    if name == "voussoir._build":
        pytest.importorskip("cffi")
    if name == "voussoir.torch":
        pytest.importorskip("torch")
    module = importlib.import_module(name)
    assert doctest.testmod(module).failed == 0


def test_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (PYTHON / "README.md").read_text(encoding="utf-8"), flags=re.S)
    assert len(blocks) >= 4
    names: dict = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)


@pytest.mark.parametrize("name, words", [("arch.py", "the arch stands"), ("grasp.py --rounds 1", "\nsolved"), ("peg.py --rounds 1", "\nsolved"), ("walk.py --rounds 1", "\nsolved"), ("identify.py --picture identify.png", "\nidentified"), ("throw.py --picture throw.png", "\nthrough the ring after two bounces"), ("stabilize.py --rounds 5 --picture stabilize.png", "it stands"), ("lighter_arch.py --stones 20 --rounds 8 --picture lighter_arch.png", "\nlighter at the same margin")])
def test_examples(name: str, words: str, tmp_path: Path) -> None:
    script, *arguments = name.split()
    command = [sys.executable, str(PYTHON / "examples" / script), *arguments]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0 and words in run.stdout, run.stdout + run.stderr


def test_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path)]
    run = subprocess.run(command, cwd=PYTHON, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
