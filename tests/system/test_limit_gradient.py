#!/usr/bin/python3
"""Derivatives of the limit load of the gate of docs/study.md by 20 vertices of its stones, against differences of the limit load.

usage: test_limit_gradient.py VOUSSOIR [--picture FILE]        the command; with the stones in colours and the vertices

A vertex is a corner of a joint that both of its stones share. It moves along the joint, in both of them: the joint becomes
longer, and the stones get heavier. The derivative is the sum of what `limit --gradient` gives for corners, densities and moments:

    d factor = corner . dp + sum over the two stones of (density dm/m + moment . (dc x m (g + factor g_l)))
"""

import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEPTH, DENSITY, GRAVITY = 0.5, 2200.0, 9.81
STEP = 0.1  # mm; joints are 300 mm and more


def gate_source():
    text = (ROOT / "docs/study.md").read_text(encoding="utf-8")
    return next(block for block in re.findall(r"```python\n(.*?)```", text, flags=re.S) if "def on_circle" in block)


def outlines(source):
    """Name: outline (x, z) in mm of each stone."""
    lines = subprocess.run([sys.executable, "-c", source], check=True, capture_output=True, text=True).stdout.splitlines()
    found, name = {}, None
    for line in lines:
        words = line.split()
        if words[0] == "o":
            name = words[1]
            found[name] = []
        elif words[0] == "v" and float(words[2]) == 0:
            found[name].append((float(words[1]), float(words[3])))
    return found


def write_obj(stones, path):
    lines, corners = [], 0
    for name, outline in stones.items():
        n = len(outline)
        lines.append(f"o {name}")
        for y in (0, 1000 * DEPTH):
            lines += [f"v {x:.9f} {y} {z:.9f}" for x, z in outline]
        front = list(range(corners + 1, corners + n + 1))
        lines.append("f " + " ".join(map(str, front)))
        lines.append("f " + " ".join(str(k + n) for k in reversed(front)))
        lines += [f"f {b} {a} {a + n} {b + n}" for a, b in zip(front, front[1:] + front[:1])]
        corners += 2 * n
    path.write_text("\n".join(lines) + "\n")


def mass_and_centre(outline):
    """kg and (x, z) in m of a prism."""
    area = cx = cz = 0.0
    for (x0, z0), (x1, z1) in zip(outline, outline[1:] + outline[:1]):
        cross = x0 * z1 - x1 * z0
        area, cx, cz = area + cross / 2, cx + cross * (x0 + x1) / 6, cz + cross * (z0 + z1) / 6
    return abs(area) * 1e-6 * DEPTH * DENSITY, cx / area * 1e-3, cz / area * 1e-3


def moved(stones, point, direction, by):
    def shift(p):
        near = math.dist(p, point) < 1e-3
        return (p[0] + by * direction[0], p[1] + by * direction[1]) if near else p

    return {name: [shift(p) for p in outline] for name, outline in stones.items()}


def limit(command, stones, folder, *options):
    write_obj(stones, folder / "gate.obj")
    quiet = {"check": True, "capture_output": True, "text": True, "cwd": folder}
    subprocess.run([command, "import", "gate.obj", "--unit", "mm", "--fixed", "left-pedestal,right-pedestal", "--density",
                    str(DENSITY), "--mu", "0.6", "-o", "gate.json"], **quiet)  # fmt: skip
    out = subprocess.run([command, "limit", "gate.json", "--load", "x", "--json", *options], **quiet).stdout
    return json.loads(out)


def predict(base, stones, point, direction):
    """d factor by 1 m of the vertex along the direction."""
    total, touched = 0.0, 0
    for interface, gradient in zip(base["interfaces"], base["gradient"]["interfaces"]):
        for corner, by in zip(interface["corners_m"], gradient["corners_per_m"]):
            if math.dist((1000 * corner[0], 1000 * corner[2]), point) < 1e-2:
                total += by[0] * direction[0] + by[2] * direction[1]
                touched += 1
    assert touched == 2, (point, touched)  # front and back
    ahead, behind = (moved(stones, point, direction, by) for by in (STEP, -STEP))
    for block in base["gradient"]["blocks"]:
        name = block["body"]
        (m1, x1, z1), (m0, x0, z0) = mass_and_centre(ahead[name]), mass_and_centre(behind[name])
        mass, step = (m1 + m0) / 2, 2e-3 * STEP
        total += block["density_relative"] * (m1 - m0) / mass / step
        # moment about y of the force m (g + factor g_l) = m g (factor, -1) whose point moves by dc
        force = (mass * GRAVITY * base["factor"], -mass * GRAVITY)
        total += block["moment_per_Nm"][1] * ((z1 - z0) * force[0] - (x1 - x0) * force[1]) / step
    return total


def vertices(stones):
    """20 of them: (point, direction along the joint). Inner ends of all joints of the arch, the outer ends that carry no backing."""
    centre = (0.0, max(z for _, z in stones["right-pier4"]))
    joints = []
    for k in range(1, 13):
        shared = [p for p in stones[f"stone{k}"] if any(math.dist(p, q) < 1e-3 for q in stones[f"stone{k + 1}"])]
        inner, outer = sorted(shared, key=lambda p: math.dist(p, centre))
        joints += [(inner, centre)] + ([(outer, centre)] if 4 <= k <= 9 else [])
    found = []
    for point, middle in joints:
        size = math.dist(point, middle)
        found.append((point, ((point[0] - middle[0]) / size, (point[1] - middle[1]) / size)))
    for side in ("left", "right"):
        bed = max(z for _, z in stones[f"{side}-pier1"])
        point = min((p for p in stones[f"{side}-pier1"] if p[1] == bed), key=lambda p: abs(p[0]))
        found.append((point, (1.0, 0.0)))
    return found


def draw(file, base, stones, found):
    """Stones by what more density does, vertices by how they move the factor up: arrows of 1 m for 0.3 per metre."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 6), layout="constrained")
    by = {block["body"]: block["density_relative"] / 100 for block in base["gradient"]["blocks"]}
    most = max(map(abs, by.values()))
    for name, outline in stones.items():
        x, z = zip(*[(px / 1000, pz / 1000) for px, pz in outline])
        colour = plt.cm.RdBu(0.5 + 0.5 * by[name] / most) if name in by else "0.85"
        axes.fill(x, z, facecolor=colour, edgecolor="0.4", linewidth=0.6)
    for point, direction, exact in found:
        start, step = [p / 1000 for p in point], [exact / 0.3 * d for d in direction]
        axes.annotate("", [a + b for a, b in zip(start, step)], start, arrowprops={"arrowstyle": "->", "color": "black"})
        axes.plot(*start, "o", color="black", markersize=3)
    scale = plt.cm.ScalarMappable(plt.Normalize(-most, most), "RdBu")
    figure.colorbar(scale, ax=axes, label="change of the factor by 1 % more density of a stone", shrink=0.7)
    axes.set(aspect="equal", xlabel="x, m", ylabel="z, m", title="where stone helps: load along x, 20 vertices along their joints")
    figure.savefig(file, dpi=90)


def main():
    command = str(pathlib.Path(sys.argv[1]).resolve())
    stones = outlines(gate_source())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        base = limit(command, stones, folder, "--gradient")
        worst, most, chosen, found = 0.0, 0.0, vertices(stones), []
        for point, direction in chosen:
            factors = [limit(command, moved(stones, point, direction, by), folder)["factor"] for by in (STEP, -STEP)]
            difference, exact = (factors[0] - factors[1]) / (2e-3 * STEP), predict(base, stones, point, direction)
            print(f"({point[0]:9.2f}, {point[1]:8.2f}): {exact:+.8f} per m, difference {difference:+.8f}")
            found.append((point, direction, exact))
            worst, most = max(worst, abs(exact - difference)), max(most, abs(exact))
        print(f"{len(chosen)} vertices: derivatives up to {most:.4f} per m, differences from them up to {worst:.1e}")
        if sys.argv[2:3] == ["--picture"]:
            draw(sys.argv[3], base, stones, found)
        # Factors are good to about 1e-10, so that differences over 0.2 mm are good to 1e-6.
        assert len(chosen) == 20 and most > 0.1 and worst < 2e-6
    return 0


if __name__ == "__main__":
    sys.exit(main())
