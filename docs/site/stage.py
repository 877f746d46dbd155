"""Puts the sources of the site together: pages from all over the repository, with links that work inside the site.

On the site a page lives elsewhere than in the repository. Links between pages are rewritten; a link to any other file of the
repository leads to a page that shows it; a link to nothing is an error. The pages themselves stay readable where they are.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import bench_plots
import notebooks

LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
FENCE = re.compile(r"^\s*(`{3,}|:{3,})")
CODE = re.compile(r"`[^`]*`")

LANGUAGES = {
    ".c": "c",
    ".h": "c",
    ".py": "python",
    ".sh": "bash",
    ".json": "json",
    ".gp": "gnuplot",
    ".txt": "cmake",
    ".cpp": "cpp",
}

# Folders and files that mean a page of the site.
ALIASES = {
    "README.md": "index.md",
    "include/voussoir": "api/index.rst",
    "bench": "benchmarks/method.md",
    "bench/README.md": "benchmarks/method.md",
    "bench/peers": "benchmarks/peers-method.md",
    "bench/peers/README.md": "benchmarks/peers-method.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "python/README.md": "python/index.md",
}

# Titles that say too little beside others.
TITLES = {
    "bench/README.md": "Benchmark methods",
    "bench/peers/README.md": "Comparisons with other software",
}


def site_pages(root: Path) -> "dict[str, str]":
    """Path in the repository -> path on the site, for every page and for what stands for one."""
    pages = {
        str(path.relative_to(root)): str(path.relative_to(root / "docs")) for path in (root / "docs").rglob("*.md")
    }
    pages |= {f"docs/notebooks/{name}.ipynb": f"notebooks/{name}.md" for name in notebooks.names(root)}
    pages |= {f"bench/results/{path.name}": f"benchmarks/{path.name}" for path in (root / "bench/results").glob("*.md")}
    pages |= {
        f"include/voussoir/{path.name}": f"api/{path.stem}.rst" for path in (root / "include/voussoir").glob("*.h")
    }
    pages |= ALIASES
    for name in (
        "api/index.rst",
        "python/reference.rst",
        "scene-schema.md",
        "named-scenes.md",
        "gallery.md",
        "benchmarks/index.md",
        "command.md",
    ):  # made by the build
        pages[f"docs/{name}"] = name
    for name in ("export", "voussoir"):  # nothing to say about these
        pages[f"include/voussoir/{name}.h"] = "api/index.rst"
    return pages


class Stage:
    def __init__(self, root: Path, target: Path) -> None:
        self.root = root
        self.target = target
        self.pages = site_pages(root)
        self.shown: "set[str]" = set()  # files of the repository that have a page because something links to them
        self.errors: "list[str]" = []

    def link(self, link: str, page: str, where: str) -> str:
        """The link of `page` (path in the repository) as it must be at `where` (path on the site)."""
        if re.match(r"^[a-z]+:", link) or link.startswith("#"):
            return link
        file, mark, anchor = link.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), file))
        if path.startswith("docs/") and (self.root / path).is_file() and path not in self.pages:
            to = path[len("docs/") :]  # a figure, the schema
        elif path in self.pages:
            to = self.pages[path]
        elif (self.root / path).is_file():
            self.shown.add(path)
            to = f"source/{path}.md"
        else:
            self.errors.append(f"{page}: link to {link}, which is not there")
            return link
        return os.path.relpath(to, os.path.dirname(where) or ".") + mark + anchor

    def rewrite(self, text: str, page: str, where: str) -> str:
        out = []
        fence = None
        for line in text.splitlines():
            if match := FENCE.match(line):
                if match[1][0] == "`":
                    if fence is None:
                        fence = match[1]
                    elif line.strip().startswith(fence):
                        fence = None
            elif fence is None:
                # Not inside of `code`, whose brackets are no links.
                parts = re.split(r"(`[^`]*`)(?!\])", line)
                parts[::2] = [LINK.sub(lambda m: self.link(m[1], page, where), part) for part in parts[::2]]
                line = "".join(parts)
            out.append(line)
        return "\n".join(out) + "\n"

    def write(self, where: str, text: str) -> None:
        path = self.target / where
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def take(self, page: str, where: str) -> None:
        text = (self.root / page).read_text(encoding="utf-8")
        if page in TITLES:
            text = f"# {TITLES[page]}\n" + text.split("\n", 1)[1]
        text = self.rewrite(text, page, where)
        name = Path(page).stem
        if page.startswith("bench/results/") and name in bench_plots.PLOTS:
            draw, caption = bench_plots.PLOTS[name]
            self.write(f"benchmarks/{name}.svg", draw(text))
            title, rest = text.split("\n\n", 1)
            text = f"{title}\n\n![{caption}]({name}.svg)\n\n*{caption}.*\n\n{rest}"
        self.write(where, text)

    def take_pages(self) -> None:
        for page, where in self.pages.items():
            if page.endswith(".md") and where.endswith(".md") and (self.root / page).is_file() and page != "README.md":
                self.take(page, where)
        # Not a page, but its links must lead somewhere, too.
        self.rewrite((self.root / "README.md").read_text(encoding="utf-8"), "README.md", "index.md")
        for path in (self.root / "docs/figures").iterdir():
            if path.suffix in (".png", ".svg", ".webp"):
                self.copy(path, f"figures/{path.name}")
        self.copy(self.root / "docs/scene.schema.json", "scene.schema.json")

    def copy(self, path: Path, where: str) -> None:
        (self.target / where).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, self.target / where)

    def show_sources(self) -> None:
        """A page for each file that something links to."""
        for path in sorted(self.shown):
            text = (self.root / path).read_text(encoding="utf-8").rstrip("\n")
            language = LANGUAGES.get(Path(path).suffix, "text")
            self.write(
                f"source/{path}.md", f"---\norphan: true\n---\n\n# `{path}`\n\n````````{language}\n{text}\n````````\n"
            )

    def benchmark_index(self) -> None:
        """The list of results, from their own first lines."""
        rows = []
        for path in sorted((self.root / "bench/results").glob("*.md")):
            title, first, *_ = path.read_text(encoding="utf-8").split("\n\n")
            first = re.sub(r"\s+", " ", first).split(". ")[0].rstrip(".,;:")
            rows.append(f"| [{title.lstrip('# ')}]({path.name}) | {first} |")
        names = "\n".join(path.stem for path in sorted((self.root / "bench/results").glob("*.md")))
        self.write(
            "benchmarks/index.md",
            "# Benchmarks\n\nMade from the files that the programs in `bench/` write, as they wrote them. [How they are\n"
            "measured](method.md) says what each number means and how to repeat it. Trust counts and ratios before seconds.\n\n"
            "| page | begins |\n|---|---|\n"
            + "\n".join(rows)
            + "\n\n```{toctree}\n:hidden:\n\nmethod\n"
            + names
            + "\npeers-method\n```\n",
        )
