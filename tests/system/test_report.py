#!/usr/bin/python3
"""test_report.py VOUSSOIR: `report` writes one page that needs nothing else, with the numbers of the run."""
import base64
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from html.parser import HTMLParser
from pathlib import Path

import checks
from checks import check

COMMAND = str(Path(sys.argv[1]).resolve())
# A table that moves by 5 cm under a block; a second block slides on a slope.
SHAKEN = {
    "voussoir": 1,
    "name": "shaken <blocks>",
    "materials": {"wood": {"mu": 0.3}},
    "bodies": [
        {"name": "table", "motion": "kinematic", "position": [0, 0, -0.1],
         "shape": {"kind": "box", "size": [4, 2, 0.2]}, "drive": {"velocity": [0.1, 0, 0]}},
        {"name": "block", "density": 600, "position": [0, 0, 0.2], "shape": {"kind": "box", "size": [0.4, 0.4, 0.4]}},
        {"name": "thrown", "density": 600, "position": [-1, 0, 0.1], "velocity": [1, 0, 0],
         "shape": {"kind": "box", "size": [0.4, 0.4, 0.2]}},
    ],
    "output": {"duration": 0.5, "frame": 0},
}


def run(*words: object, **more: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, **more)


class Page(HTMLParser):
    """Items of the lists, and what the page refers to."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.items: "dict[str, str]" = {}
        self.links: "list[str]" = []
        self.open: "list[str]" = []
        self.drawings = 0
        self.tag = self.name = ""
        self.text = Path(path).read_text(encoding="utf-8")
        self.feed(self.text)

    def handle_starttag(self, tag: str, attributes: "list[tuple[str, str | None]]") -> None:
        self.tag = tag
        self.drawings += tag == "svg"
        self.links += [value or "" for name, value in attributes if name in ("src", "href", "xlink:href")]

    def handle_data(self, data: str) -> None:
        if self.tag == "dt":
            self.name = data.strip() or self.name
        elif self.tag in ("dd", "code") and data.strip():
            self.items.setdefault(self.name, data.strip())


def number(text: str) -> float:
    return float(re.match(r"[-+0-9.e]+", text.replace("at most ", "")).group(0))


def close(a: float, b: float, digits: float = 1e-3) -> bool:
    return abs(a - b) <= digits * abs(b)


def page_has_the_numbers_of_the_run() -> None:
    Path("shaken.json").write_text(json.dumps(SHAKEN))
    ran = run("run", "shaken.json", "-o", "shaken.h5", "--json", "--quiet")
    check(ran.returncode == 0, ran.stderr)
    summary = json.loads(ran.stdout)
    done = run("report", "shaken.h5", "--scene", "shaken.json", "--command", "voussoir run shaken.json -o shaken.h5")
    check(done.returncode == 0 and done.stdout == "shaken.html\n", done.stdout, done.stderr)
    page = Page("shaken.html")
    items = page.items
    # The ways of `run` are relative to the support, too.
    way = items["largest displacement"]
    check(close(number(way), summary["displacement_max_m"]), way, summary["displacement_max_m"])
    check("(thrown), relative to table" in way, way)
    check("up to 0.05 m" in items["moving supports"], items["moving supports"])
    check(close(number(items["displacement at the end"]), summary["residual_m"]), items, summary["residual_m"])
    check(close(number(items["relative error"]), summary["relative_error_max"], .05), items["relative error"])
    check(close(number(items["mass"]), 600 * (.064 + .032)), items["mass"])
    check(number(items["friction coefficient"]) == 0.3 and number(items["time step"]) == 0.00416667, items)
    check("stands" in items["statics"] and "residual" in items["equilibrium"], items)
    check(items["suspicions"].startswith("none"), items["suspicions"])
    check(items["command"] == "voussoir run shaken.json -o shaken.h5", items["command"])
    check("voussoir" in items["software of the run"] and "121 recorded frames" in items["simulated"], items)
    check("<h1>shaken &lt;blocks&gt;</h1>" in page.text, "title is escaped")


def page_stands_alone() -> None:
    page = Page("shaken.html")
    check(all(link.startswith(("data:", "#")) for link in page.links), page.links)
    check("<script" not in page.text and "@import" not in page.text, "scripts")
    drawn = subprocess.run(["sh", "-c", "command -v gnuplot"], capture_output=True).returncode == 0
    check(page.drawings == (3 if drawn else 0), "drawings", page.drawings)
    again = page.text
    run("report", "shaken.h5", "--scene", "shaken.json", "--command", "voussoir run shaken.json -o shaken.h5")
    check(Path("shaken.html").read_text(encoding="utf-8") == again, "the same run gives another page")


def figures_are_optional() -> None:
    Path("empty").mkdir()
    done = run("report", "shaken.h5", "-o", "bare.html", env={**os.environ, "PATH": str(Path("empty").resolve())})
    page = Page("bare.html")
    check(done.returncode == 0 and page.drawings == 0 and "not drawn" in page.text, done.stderr)
    check("give --scene" in page.items["not known here"], page.items)


def pictures_are_embedded() -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    dot = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    dot += chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")
    for extra in range(3):  # all remainders of three bytes
        Path("dot.png").write_bytes(dot + b"\0" * extra)
        done = run("report", "shaken.h5", "--picture", "dot.png", "-o", "dot.html")
        links = [link for link in Page("dot.html").links if link.startswith("data:image/png;base64,")]
        check(done.returncode == 0 and len(links) == 1, done.stderr)
        check(base64.b64decode(links[0].partition(",")[2]) == dot + b"\0" * extra, "picture", extra)
    Path("no.png").write_text("none")
    done = run("report", "shaken.h5", "--picture", "no.png", "-o", "none.html")
    check(done.returncode == 2 and "no PNG picture" in done.stderr and not Path("none.html").exists(), done.stderr)


def wrong_usage_is_refused() -> None:
    check(run("report").returncode == 1, "no trajectory")
    check(run("report", "shaken.h5", "-o", "page.pdf").returncode == 1, "no HTML")
    check(run("report", "shaken.h5", "--set", "a=1").returncode == 1, "--set without --scene")
    done = run("report", "shaken.h5", "--scene", "arch")
    check(done.returncode == 2 and "another scene" in done.stderr, done.stderr)
    check(run("report", "shaken.json").returncode == 2, "a scene is no trajectory")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for test in (page_has_the_numbers_of_the_run, page_stands_alone, figures_are_optional, pictures_are_embedded,
                     wrong_usage_is_refused):
            test()
    print(checks.summary())
    sys.exit(checks.failed > 0)
