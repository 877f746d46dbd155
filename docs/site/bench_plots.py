"""Pictures of benchmark tables, drawn from the tables themselves whenever the site is built."""

from __future__ import annotations

import math
import re
from html import escape

COLOURS = ["#8a3b12", "#2b6a90", "#6aa1c0", "#5f7a35", "#9db36b", "#7a4f8a", "#b593c2"]
STYLE = "<style>text{font-family:Helvetica,Arial,sans-serif;font-size:12px;fill:#222}.s{font-size:11px;fill:#666}.t{font-weight:bold}</style>"


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
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
    return "\n".join([head, f"<title>{escape(title)}</title>", STYLE, f'<rect width="{width}" height="{height}" fill="#fff"/>', *parts, "</svg>"])


def peers(text: str) -> str:
    """Penetration against the time of a step, a panel a scene: further down and to the left is better."""
    across, up, floor = "ms a step, median", "penetration, largest, mm", 1e-9
    scenes = [(heading, rows) for heading, rows in tables(text) if rows and up in rows[0]]
    if not scenes:
        raise SystemExit("bench_plots.py: no table of penetrations in peers.md")
    engines = [row["engine"] for row in scenes[0][1]]
    w, h, columns = 310, 230, 3
    parts = []
    for k, (heading, rows) in enumerate(scenes):
        left, top = k % columns * w + 50, k // columns * h + 40
        points = [(row["engine"], number(row[across]), number(row[up])) for row in rows]
        shown = [(engine, x, max(y, floor)) for engine, x, y in points if x is not None and y is not None]
        x_axis = Axis([x for _, x, _ in shown], left, left + w - 75)
        y_axis = Axis([1e-9, 1e3], top + h - 75, top)
        parts.append(f'<text class="t" x="{left}" y="{top - 14}">{escape(heading.split(";")[0] + (")" if "(" in heading else ""))}</text>')
        for value, label in x_axis.ticks():
            x = x_axis.at(value)
            parts.append(f'<path d="M{x:.1f} {top}V{top + h - 75}" stroke="#ddd"/><text class="s" x="{x:.1f}" y="{top + h - 60}" text-anchor="middle">{label}</text>')
        for value, label in y_axis.ticks():
            y = y_axis.at(value)
            parts.append(f'<path d="M{left} {y:.1f}H{left + w - 75}" stroke="#ddd"/><text class="s" x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
        for engine, x, y in shown:
            colour = COLOURS[engines.index(engine) % len(COLOURS)]
            parts.append(f'<circle cx="{x_axis.at(x):.1f}" cy="{y_axis.at(y):.1f}" r="{7 if engine == "voussoir" else 5}" fill="{colour}" fill-opacity=".85"><title>{escape(engine)}</title></circle>')
    bottom = (len(scenes) + columns - 1) // columns * h + 20
    parts.append(f'<text class="s" x="50" y="{bottom}">across: ms a step (median, the means are in the tables); up: largest penetration, mm (1e-9 and less at the bottom)</text>')
    for k, engine in enumerate(engines):
        x = 50 + k * 122
        parts.append(f'<circle cx="{x}" cy="{bottom + 22}" r="5" fill="{COLOURS[k % len(COLOURS)]}"/><text x="{x + 10}" y="{bottom + 26}">{escape(engine)}</text>')
    return svg(columns * w, bottom + 44, parts, "Penetration against time, by engine and scene")


def siconos(text: str) -> str:
    """Seconds of both, a line a problem."""
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
        parts.append(f'<path d="M{x:.1f} 30V{height - 14}" stroke="#ddd"/><text class="s" x="{x:.1f}" y="{height}" text-anchor="middle">{label} s</text>')
    for k, row in enumerate(rows):
        y = 46 + 22 * k
        name = row["problem"].removesuffix(".hdf5")
        a, b = number(row[ours]), number(row[theirs])
        parts.append(f'<text x="258" y="{y + 4}" text-anchor="end">{escape(name if len(name) < 36 else name[:34] + "…")}</text>')
        if a and b:
            parts.append(f'<path d="M{axis.at(a):.1f} {y}H{axis.at(b):.1f}" stroke="#aaa" stroke-width="2"/>')
        if b:
            parts.append(f'<circle cx="{axis.at(b):.1f}" cy="{y}" r="5" fill="{COLOURS[1]}"/>')
        else:
            parts.append(f'<text class="s" x="{axis.at(a or values[0]) - 12:.1f}" y="{y + 4}" text-anchor="end" style="fill:{COLOURS[1]}">Siconos: not within the limit</text>')
        if a:
            parts.append(f'<circle cx="{axis.at(a):.1f}" cy="{y}" r="6" fill="{COLOURS[0]}"/>')
    parts.append(f'<circle cx="276" cy="16" r="6" fill="{COLOURS[0]}"/><text x="288" y="20">voussoir</text>')
    parts.append(f'<circle cx="366" cy="16" r="5" fill="{COLOURS[1]}"/><text x="378" y="20">the fastest solver of Siconos, default options</text>')
    return svg(880, height + 14, parts, "Seconds of voussoir and Siconos, problem by problem")


# Page of bench/results: how it is drawn, and what is written under the picture.
PLOTS = {
    "peers": (peers, "Drawn from the tables below: penetration against the time of a step, a panel a scene"),
    "siconos": (siconos, "Drawn from the table below: seconds to 1e-8, problem by problem"),
}
