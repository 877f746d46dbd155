#!/usr/bin/python3
"""Builds the documentation as a folder of HTML that needs no network, and checks every link inside of it.

    tools/build_docs.py                        build/docs/html, with the library of build/release for the Python reference
    tools/build_docs.py --build BUILD --out build/docs

Packages (Debian 12): doxygen python3-breathe python3-sphinx python3-myst-parser furo python3-sphinx-inline-tabs
python3-sphinx-copybutton libjs-mathjax jupyter-nbconvert python3-ipykernel python3-matplotlib
python3-cffi python3-dev python3-numpy. A warning of doxygen or Sphinx is an error.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs/site"))

import c_reference  # noqa: E402
import command_reference  # noqa: E402
import gallery  # noqa: E402
import named_scenes  # noqa: E402
import notebooks  # noqa: E402
import python_reference  # noqa: E402
import schema_reference  # noqa: E402
import stage  # noqa: E402

MATHJAX = Path("/usr/share/javascript/mathjax")
# What the configuration TeX-AMS_SVG loads: no fonts, because its letters are paths.
MATHJAX_PARTS = ["MathJax.js", "config/TeX-AMS_SVG.js", "extensions", "jax/element", "jax/input/TeX",
                 "jax/output/SVG/autoload", "jax/output/SVG/config.js", "jax/output/SVG/jax.js",
                 "jax/output/SVG/fonts/TeX"]  # fmt: skip


def run(command: "list[str]", **options) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        print(done.stdout)
        raise SystemExit(f"build_docs.py: {Path(command[0]).name} failed")


def python_package(build: Path, target: Path) -> None:
    """The Python package with its extension, in a folder that can be imported from."""
    environment = dict(os.environ, VOUSSOIR_BUILD=str(build))
    source = target.parent / "python-source"
    shutil.copytree(
        ROOT / "python", source, ignore=shutil.ignore_patterns("*.so", "build", "__pycache__", "*.egg-info")
    )
    for part in ("include", "CMakeLists.txt", "LICENSE"):
        (target.parent / part).symlink_to(ROOT / part)
    run([sys.executable, "setup.py", "-q", "build", "--build-lib", str(target)], cwd=source, env=environment)


def doxygen(work: Path) -> None:
    (work / "doxygen").mkdir()
    text = (ROOT / "docs/site/Doxyfile.in").read_text(encoding="utf-8")
    values = {
        "INCLUDE": ROOT / "include/voussoir",
        "OUTPUT": work / "doxygen",
        "FILTER": ROOT / "docs/site/header_filter.py",
    }
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    (work / "doxygen/Doxyfile").write_text(text, encoding="utf-8")
    run(["doxygen", str(work / "doxygen/Doxyfile")])


def vendor_mathjax(target: Path) -> None:
    for part in MATHJAX_PARTS:
        (target / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (MATHJAX / part).is_dir() else shutil.copyfile
        copy(MATHJAX / part, target / part)


class Page(HTMLParser):
    """Links and anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: "list[str]" = []
        self.anchors: "set[str]" = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: "list[tuple[str, str | None]]") -> None:
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


def check_links(html: Path) -> "tuple[int, list[str]]":
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in html.rglob("*.html")}
    count, errors = 0, []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                if path.name != "genindex.html" and link.endswith((".js", ".css")):
                    errors.append(f"{path.relative_to(html)}: {link} is fetched from the network")
                continue
            count += 1
            target = Path(os.path.normpath(path.parent / unquote(parts.path))) if parts.path else path
            if not target.exists():
                errors.append(f"{path.relative_to(html)}: {link} is not there")
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                errors.append(f"{path.relative_to(html)}: {link}: no such place on the page")
    return count, errors


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release", help="a finished CMake build")
    parser.add_argument("--out", type=Path, default=ROOT / "build/docs", help="replaced; the pages are in OUT/html")
    parser.add_argument(
        "--playground",
        type=Path,
        default=ROOT / "viewer/dist/playground-standalone.html",
        help="page of the viewer's build that simulates; without it the site has no playground",
    )
    arguments = parser.parse_args()
    live = arguments.playground.is_file()
    work = arguments.out.resolve()
    build = arguments.build.resolve()
    for part in ("libvoussoir.so", "app/voussoir"):
        if not (build / part).exists():
            raise SystemExit(f"build_docs.py: no {part} in {build}: build it, or name another with --build")
    if work.exists() and any(work.iterdir()) and not (work / "doxygen").exists():
        raise SystemExit(f"build_docs.py: {work} holds something else: name a folder of its own with --out")

    shutil.rmtree(work, ignore_errors=True)
    (work / "static").mkdir(parents=True)
    python_package(build, work / "python")
    doxygen(work)
    vendor_mathjax(work / "static/mathjax")
    shutil.copytree(ROOT / "docs/figures/scenes", work / "static/scenes")

    source = work / "source"
    site = stage.Stage(ROOT, source)
    site.take_pages()
    site.benchmark_index()
    site.show_sources()
    notebooks.write(ROOT, work / "python", source / "notebooks")
    c_reference.write(ROOT / "include/voussoir", source / "api")
    command_reference.write(build / "app/voussoir", source / "command.md")
    named_scenes.write(build / "app/voussoir", source / "named-scenes.md", live)
    viewer = arguments.playground.parent if live else None
    gallery.write(build / "app/voussoir", ROOT, viewer, source / "gallery.md", source / "gallery")
    named_scenes.embed(source / "index.md", live)
    schema_reference.write(ROOT / "docs/scene.schema.json", source / "scene-schema.md")
    python_reference.write(ROOT / "python/voussoir", source / "python/reference.rst")
    if site.errors:
        print("\n".join(site.errors))
        return 1

    environment = dict(
        os.environ, VOUSSOIR_ROOT=str(ROOT), VOUSSOIR_DOCS_WORK=str(work), PYTHONPATH=str(work / "python")
    )
    run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "2", "-b", "html", "-c", str(ROOT / "docs/site"),
         "-d", str(work / "doctrees"), str(source), str(work / "html")], env=environment)  # fmt: skip

    if live:
        shutil.copyfile(arguments.playground, work / "html/playground.html")
    else:
        print(f"without the playground: there is no {arguments.playground} (viewer/README.md)")
    links, errors = check_links(work / "html")
    print("\n".join(errors), end="\n" if errors else "")
    print(
        f"{len(list((work / 'html').rglob('*.html')))} pages, {links} links inside the site, {len(errors)} broken: {work / 'html'}"
    )
    return 1 if errors else 0


if __name__ == "__main__":
    raise SystemExit(main())
