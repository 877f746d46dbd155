"""Pictures of benchmark tables, drawn from the tables themselves whenever the site is built."""

from __future__ import annotations

import math
import re
from html import escape

COLOURS = ["#8a3b12", "#2b6a90", "#6aa1c0", "#5f7a35", "#9db36b", "#7a4f8a", "#b593c2"]
STYLE = (
    "<style>text{font-family:Helvetica,Arial,sans-serif;font-size:12px;fill:#222}"
    ".s{font-size:11px;fill:#666}.t{font-weight:bold}</style>"
)


def tables(text: str) -> "list[tuple[str, list[dict[str, str]]]]":
    """(heading above, rows by column) of every table of a page."""
    found: "list[tuple[str, list[dict[str, str]]]]" = []
    heading, names = "", None
    for line in text.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        if not line.startswith("|"):
            names = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if names is None:
            names = cells
            found.append((heading, []))
        elif not re.fullmatch(r"[-| :]+", line):
            found[-1][1].append(dict(zip(names, cells)))
    return found


def number(text: str) -> "float | None":
    try:
        return float(text)
    except ValueError:
        return None


class Axis:
    """A logarithmic axis from a to b on the pixels from p to q."""

    def __init__(self, values: "list[float]", p: float, q: float) -> None:
        self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        self.high += self.high == self.low
        self.p, self.q = p, q

    def at(self, value: float) -> float:
        return self.p + (math.log10(value) - self.low) / (self.high - self.low) * (self.q - self.p)

    def ticks(self) -> "list[tuple[float, str]]":
        step = max(1, (self.high - self.low) // 5)
        return [(10.0**k, f"1e{k}" if abs(k) > 2 else f"{10.0**k:g}") for k in range(self.low, self.high + 1, step)]


def svg(width: int, height: int, parts: "list[str]", title: str) -> str:
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{escape(title)}</title>'
    paper = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return "\n".join([head, STYLE, paper, *parts, "</svg>"])


def words(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def dot(x: float, y: float, radius: int, colour: str, tip: str = "") -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}" fill-opacity=".9"><title>{escape(tip)}</title></circle>'


def line(path: str, colour: str = "#ddd", width: int = 1) -> str:
    return f'<path d="{path}" stroke="{colour}" stroke-width="{width}"/>'


def peers(text: str) -> str:
    """Penetration against the time of a step, one panel per scene: further down and to the left is better."""
    across, up, floor = "ms per step, median", "penetration, largest, mm", 1e-9
    scenes = [(heading, rows) for heading, rows in tables(text) if rows and up in rows[0]]
    if not scenes:
        raise SystemExit("bench_plots.py: no table of penetrations in peers.md")
    engines = [row["engine"] for row in scenes[0][1]]
    w, h, columns = 310, 230, 3
    parts = []
    for k, (heading, rows) in enumerate(scenes):
        left, top = k % columns * w + 50, k // columns * h + 40
        right, bottom = left + w - 75, top + h - 75
        points = [(row["engine"], number(row[across]), number(row[up])) for row in rows]
        shown = [(engine, x, max(y, floor)) for engine, x, y in points if x is not None and y is not None]
        x_axis, y_axis = Axis([x for _, x, _ in shown], left, right), Axis([floor, 1e3], bottom, top)
        parts.append(words(left, top - 14, heading.split(";")[0] + (")" if "(" in heading else ""), "t"))
        for value, label in x_axis.ticks():
            x = x_axis.at(value)
            parts += [line(f"M{x:.1f} {top}V{bottom}"), words(x, bottom + 15, label, "s", "middle")]
        for value, label in y_axis.ticks():
            y = y_axis.at(value)
            parts += [line(f"M{left} {y:.1f}H{right}"), words(left - 6, y + 4, label, "s", "end")]
        for engine, x, y in shown:
            colour = COLOURS[engines.index(engine) % len(COLOURS)]
            parts.append(dot(x_axis.at(x), y_axis.at(y), 7 if engine == "voussoir" else 5, colour, engine))
    end = (len(scenes) + columns - 1) // columns * h + 20
    what = "across: ms per step (median, the means are in the tables); up: largest penetration, mm (1e-9 and less at the bottom)"
    parts.append(words(50, end, what, "s"))
    for k, engine in enumerate(engines):
        parts += [dot(50 + k * 122, end + 22, 5, COLOURS[k % len(COLOURS)]), words(60 + k * 122, end + 26, engine)]
    return svg(columns * w, end + 44, parts, "Penetration against time, by engine and scene")


def siconos(text: str) -> str:
    """Seconds of both, one line per problem."""
    ours, theirs = "voussoir, s", "Siconos by default, s"
    rows = next((rows for _, rows in tables(text) if rows and ours in rows[0]), None)
    if not rows:
        raise SystemExit("bench_plots.py: no table of seconds in siconos.md")
    values = [value for row in rows for value in (number(row[ours]), number(row[theirs])) if value]
    axis = Axis(values, 270, 850)
    height = 50 + 22 * len(rows)
    parts = []
    for value, label in axis.ticks():
        x = axis.at(value)
        parts += [line(f"M{x:.1f} 30V{height - 14}"), words(x, height, f"{label} s", "s", "middle")]
    for k, row in enumerate(rows):
        y = 46 + 22 * k
        name = row["problem"].removesuffix(".hdf5")
        a, b = number(row[ours]), number(row[theirs])
        parts.append(words(258, y + 4, name if len(name) < 36 else name[:34] + "…", "", "end"))
        if a and b:
            parts.append(line(f"M{axis.at(a):.1f} {y}H{axis.at(b):.1f}", "#aaa", 2))
        if b:
            parts.append(dot(axis.at(b), y, 5, COLOURS[1]))
        else:
            parts.append(words(axis.at(a or values[0]) - 12, y + 4, "Siconos: not within the limit", "s", "end"))
        if a:
            parts.append(dot(axis.at(a), y, 6, COLOURS[0]))
    parts += [dot(276, 16, 6, COLOURS[0]), words(288, 20, "voussoir")]
    parts += [dot(366, 16, 5, COLOURS[1]), words(378, 20, "the fastest solver of Siconos, default options")]
    return svg(880, height + 14, parts, "Seconds of voussoir and Siconos, problem by problem")


# Page of bench/results: how it is drawn, and what is written under the picture.
PLOTS = {
    "peers": (peers, "Drawn from the tables below: penetration against the time of a step, one panel per scene"),
    "siconos": (siconos, "Drawn from the table below: seconds to 1e-8, problem by problem"),
}
