#!/usr/bin/python3
"""Runs every code block of the documentation, page by page, in the order in which a reader meets them.

    tools/check_snippets.py                                  all pages, against build/release
    tools/check_snippets.py --build BUILD docs/tutorial.md   one page
    tools/check_snippets.py --list                           what would be run, and what not and why
    tools/check_snippets.py --installed --keep out docs/tutorial.md
                            against the voussoir that is installed, as its user would; what the page made is copied to out/

The build is installed into a scratch prefix; each page has a folder of its own, with the folders of the checkout in it.

    ```sh       is run by bash, which stops at the first failure; the working directory is kept from block to block
    ```python   is run in one session for the whole page
    ```c        is compiled as C17 without warnings and run
    ```output   must be what the block before it printed: each line in order, `…` stands for anything
    ```text     formulas, diagrams, file layouts: not code
    ```json, ```cmake and any other language must be saved

A block is saved under the last name in backticks of the line before it, if that line ends with a colon ("Save this as `arch.c`:"); a
later block of the page must use it. A block after a line `*Not run in CI: REASON*` is not run, and the reader sees why. A block
without a language or made by indentation is an error.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import traceback
from pathlib import Path
from typing import NamedTuple

import build_docs

ROOT = Path(__file__).resolve().parents[1]
# CONTRIBUTING.md and bench/README.md are left out: their commands are those of .ci/run itself and of the benchmarks.
PAGES = ["README.md", "python/README.md", "docs/**/*.md"]
LINKED = ["include", "src", "examples", "python", "tools", "docs", "bench", "bridges"]  # of the checkout, for pages that speak of it
SECONDS = 120  # for a block

FENCE = re.compile(r"^(?P<indent> *)(?P<mark>`{3,}|~{3,})(?P<info>.*)$")
NOT_RUN = re.compile(r"^\*Not run in CI: (?P<reason>.+)\*$")
NAME = re.compile(r"`([\w./-]+)`")
SUFFIXES = {"c": ".c", "python": ".py", "json": ".json", "sh": ".sh", "cmake": ".txt", "xml": (".urdf", ".xml")}


class Block(NamedTuple):
    line: int
    language: str
    text: str
    save: str  # "" = none
    reason: str  # why it is not run; "" = it is


class SnippetError(Exception):
    pass


# ---- reading ------------------------------------------------------------------------------------------------


def indented_block(lines: "list[str]", k: int) -> bool:
    """Whether line k begins a code block by indentation (deeper lines of list items do not)."""
    if not lines[k].startswith("    ") or not lines[k].strip() or (k > 0 and lines[k - 1].strip()):
        return False
    for line in reversed(lines[:k]):
        if line.strip() and not line.startswith("  "):
            return not re.match(r"^([*+-]|\d+\.) ", line)
    return True


def read_blocks(page: Path) -> "list[Block]":
    lines = page.read_text(encoding="utf-8").splitlines()
    blocks: "list[Block]" = []
    k = 0
    while k < len(lines):
        match = FENCE.match(lines[k])
        if not match:
            if indented_block(lines, k):
                raise SnippetError(f"{page}:{k + 1}: a block by indentation: use a fence with a language")
            k += 1
            continue
        end = next((j for j in range(k + 1, len(lines)) if lines[j].strip() == match["mark"]), None)
        if end is None:
            raise SnippetError(f"{page}:{k + 1}: the block does not end")
        language = match["info"].strip()
        if not language.startswith("{"):
            before = next((line.strip() for line in reversed(lines[:k]) if line.strip()), "")
            blocks.append(make_block(page, k, language, textwrap.dedent("\n".join(lines[k + 1 : end])) + "\n", before))
        k = end + 1
    check_saved(page, blocks)
    return blocks


def make_block(page: Path, k: int, language: str, text: str, before: str) -> Block:
    if language not in ("sh", "python", "c", "output", "text", "json", "cmake", "xml"):
        raise SnippetError(
            f"{page}:{k + 1}: unknown language '{language}'; use sh, python, c, json, cmake, xml, output or text"
        )
    save = ""
    if before.endswith(":") and language in SUFFIXES:
        names = [name for name in NAME.findall(before) if name.endswith(SUFFIXES[language])]
        save = names[-1] if names else ""
    match = NOT_RUN.match(before)
    if language in ("json", "cmake", "xml") and not save and not match:
        raise SnippetError(f"{page}:{k + 1}: the line before must name the file in backticks and end with a colon")
    return Block(k + 1, language, text, save, match["reason"] if match else "")


def check_saved(page: Path, blocks: "list[Block]") -> None:
    for k, block in enumerate(blocks):
        name = os.path.basename(block.save)
        folder = os.path.dirname(block.save)
        if name and not any(
            name in later.text or (folder and folder in later.text) for later in blocks[k + 1 :] if not later.reason
        ):
            raise SnippetError(f"{page}:{block.line}: {block.save} is saved, but no later block uses it")


# ---- running ------------------------------------------------------------------------------------------------


class Session:
    """The state of one page: a folder, a Python session, and what was printed last."""

    def __init__(self, page: Path, folder: Path) -> None:
        self.page = page
        self.folder = folder
        self.where = folder
        self.names: dict = {"__name__": "__main__"}
        self.printed = ""

    def run(self, block: Block) -> None:
        if block.save:
            path = self.where / block.save
            if block.save.split("/")[0] in LINKED:
                raise SnippetError(f"{block.save} would change the checkout: save it elsewhere")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language in ("sh", "python", "c", "output"):
            getattr(self, "run_" + block.language)(block)

    def shell(self, script: str) -> None:
        state = self.folder / ".where"
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", f"cd '{self.where}'\n{script}\npwd >'{state}'\n"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS,
        )  # fmt: skip
        self.printed = done.stdout
        if done.returncode != 0:
            raise SnippetError(f"exit code {done.returncode}\n{done.stdout}")
        self.where = Path(state.read_text().strip())

    def run_sh(self, block: Block) -> None:
        self.shell(block.text)

    def run_c(self, block: Block) -> None:
        (self.where / "snippet.c").write_text(block.text, encoding="utf-8")
        flags = "-std=c17 -Wall -Wextra -Werror"
        self.shell(f"cc {flags} snippet.c -o snippet $(pkg-config --cflags --libs voussoir) -lm\n./snippet")

    def run_python(self, block: Block) -> None:
        out = io.StringIO()
        os.chdir(self.where)
        try:
            with contextlib.redirect_stdout(out):
                # Blank lines in front: tracebacks have the lines of the page.
                exec(compile("\n" * block.line + block.text, str(self.page), "exec"), self.names)
        except BaseException:
            raise SnippetError(traceback.format_exc() + out.getvalue()) from None
        finally:
            self.printed = out.getvalue()

    def run_output(self, block: Block) -> None:
        printed = [" ".join(line.split()) for line in self.printed.splitlines()]
        next_line = 0
        for line in block.text.splitlines():
            words = " ".join(line.split())
            if words in ("", "…", "..."):
                continue
            pattern = re.compile(".*".join(re.escape(part.strip()) for part in words.split("…")).replace(".*", r".*?"))
            found = next((j for j in range(next_line, len(printed)) if pattern.fullmatch(printed[j])), None)
            if found is None:
                raise SnippetError(f"this line was not printed: {line}\nprinted was:\n{self.printed}")
            next_line = found + 1


def run_page(page: Path, keep: "Path | None") -> int:
    """In a process of its own, with the environment prepared: runs the page, prints one line or the failure."""
    begin = time.monotonic()
    count = 0
    with tempfile.TemporaryDirectory(prefix="snippets-") as folder:
        for name in LINKED:
            os.symlink(ROOT / name, os.path.join(folder, name))
        if "VOUSSOIR_BUILD" in os.environ:
            os.mkdir(os.path.join(folder, "build"))
            os.symlink(os.environ["VOUSSOIR_BUILD"], os.path.join(folder, "build/release"))
        session = Session(page, Path(folder))
        blocks = read_blocks(page)
        for block in blocks:
            if block.reason:
                continue
            try:
                session.run(block)
            except (SnippetError, subprocess.TimeoutExpired) as error:
                print(f"{page.relative_to(ROOT)}:{block.line}: {block.language} block failed: {error}")
                return 1
            count += block.language != "text"
        if keep:
            # Links are those of the checkout.
            made = [path for path in Path(folder).rglob("*") if path.is_file() and not path.is_symlink()]
            for path in made:
                if not any(part.is_symlink() for part in path.parents if Path(folder) in part.parents):
                    (keep / path.relative_to(folder)).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(path, keep / path.relative_to(folder))
    skipped = "".join(f"\n    line {block.line} not run: {block.reason}" for block in blocks if block.reason)
    print(f"{page.relative_to(ROOT)}: {count} blocks in {time.monotonic() - begin:.1f} s{skipped}")
    return 0


def environment(build: Path, package: "Path | None", scratch: Path) -> "dict[str, str]":
    """The build installed, the Python package importable, and Debian's python3 first on the path."""
    build_docs.run(["cmake", "--install", str(build), "--prefix", str(scratch / "prefix")])
    if package is None:
        package = scratch / "package/python"
        package.parent.mkdir()
        build_docs.python_package(build, package)
    (scratch / "bin").mkdir()
    (scratch / "bin/python3").symlink_to("/usr/bin/python3")
    libraries = [str(path.parent) for path in (scratch / "prefix").rglob("libvoussoir.so")]
    packages = [str(path.parent) for path in (scratch / "prefix").rglob("voussoir.pc")]
    return dict(
        os.environ, PATH=f"{scratch}/bin:{scratch}/prefix/bin:{os.environ['PATH']}", LD_LIBRARY_PATH=":".join(libraries),
        PKG_CONFIG_PATH=":".join(packages), PYTHONPATH=str(package), MPLBACKEND="Agg", NO_COLOR="1", HOME=str(scratch),
        CMAKE_PREFIX_PATH=f"{scratch}/prefix", VOUSSOIR_BUILD=str(build), OPENBLAS_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1",
    )  # fmt: skip


def list_blocks(pages: "list[Path]") -> int:
    skipped = 0
    for page in pages:
        for block in read_blocks(page):
            what = f"saved as {block.save}" if block.save else "not code" if block.language == "text" else "run"
            skipped += bool(block.reason)
            print(
                f"{page.relative_to(ROOT)}:{block.line}: {block.language}: {'not run: ' + block.reason if block.reason else what}"
            )
    print(f"{skipped} blocks are not run")
    return 0


def run_pages(pages: "list[Path]", arguments: argparse.Namespace) -> int:
    scratch = Path(tempfile.mkdtemp(prefix="snippets-"))
    try:
        package = arguments.python.resolve() if arguments.python else None
        if arguments.installed:
            prepared = dict(os.environ, MPLBACKEND="Agg", NO_COLOR="1")
        else:
            prepared = environment(arguments.build.resolve(), package, scratch)
        keep = ["--keep", str(arguments.keep.resolve())] if arguments.keep else []
        command = [sys.executable, __file__, *keep, "--page"]

        def start(page: Path) -> "subprocess.CompletedProcess[str]":
            return subprocess.run(
                [*command, str(page)], env=prepared, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            failed = 0
            for done in pool.map(start, pages):
                print(done.stdout, end="", flush=True)
                failed += done.returncode != 0
    finally:
        shutil.rmtree(scratch)
    print(f"{len(pages) - failed} passed, {failed} failed")
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path, help="default: all")
    parser.add_argument("--build", type=Path, default=ROOT / "build/release", help="a finished CMake build")
    parser.add_argument(
        "--python", type=Path, metavar="DIR", help="a built Python package, as build_docs.py leaves it in OUT/python"
    )
    parser.add_argument("--installed", action="store_true", help="use what is installed on this machine, no build")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="copy what the pages made to DIR")
    parser.add_argument("--jobs", type=int, default=2, help="pages at once")
    parser.add_argument("--list", action="store_true", help="only list the blocks")
    parser.add_argument("--page", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    try:
        if arguments.page:
            return run_page(arguments.page, arguments.keep)
        pages = [page.resolve() for page in arguments.pages] or sorted(
            path for glob in PAGES for path in ROOT.glob(glob)
        )
        errors = []
        for page in pages:
            try:
                read_blocks(page)
            except SnippetError as error:
                errors.append(str(error))
        if errors:
            raise SnippetError("\n".join(errors))
        return list_blocks(pages) if arguments.list else run_pages(pages, arguments)
    except SnippetError as error:
        print(error)
        return 1


if __name__ == "__main__":
    raise SystemExit(main())
