#!/usr/bin/python3
"""concave.py VOUSSOIR [--short] [--output FILE.md]: moving concave solids as meshes, against what is known about them.

A nut on a bolt, which must run down its thread or hold as friction says; a pair of involute gears, whose ratio must be that of their teeth; a dovetail, which must hold where friction on its flanks
says so and slide elsewhere; a lumpy scan dropped on stairs. No penetration above 1e-4 of the size, all steps within their
tolerance. --short: fewer turns and drops and no bolt, for CI.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

import h5py
import numpy as np

G = 9.81
DEPTH = 1e-4  # of the size: largest penetration


# ---- meshes --------------------------------------------------------------------------------------------------


def cross(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def ears(corners):
    """Triangles of a simple polygon, counter-clockwise, by cutting ears."""
    left, found = list(range(len(corners))), []
    while len(left) > 3:
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            p, q, r = corners[a], corners[b], corners[c]
            inside = any(cross(p, q, x) >= 0 and cross(q, r, x) >= 0 and cross(r, p, x) >= 0
                         for x in (corners[m] for m in left if m not in (a, b, c)))
            if cross(p, q, r) > 0 and not inside:
                found.append((a, b, c))
                left.remove(b)
                break
    return [*found, tuple(left)]


def prism(corners, length):
    """A polygon in the x-y plane, along z."""
    n = len(corners)
    vertices = [[x, y, z] for z in (-length / 2, length / 2) for x, y in corners]
    triangles = []
    for k in range(n):
        j = (k + 1) % n
        triangles += [[k, j, n + j], [k, n + j, n + k]]
    for a, b, c in ears(corners):
        triangles += [[n + a, n + b, n + c], [c, b, a]]
    return {"kind": "mesh", "vertices": vertices, "triangles": triangles}


def involute(base, radius):
    angle = math.acos(base / radius)
    return math.tan(angle) - angle


def gear(teeth, module, backlash, points=6):
    """The outline of a spur gear with involute flanks, pressure angle 20 degrees."""
    pitch = module * teeth / 2
    base, tip, foot = pitch * math.cos(math.radians(20)), pitch + module, pitch - 1.25 * module
    half = math.pi / 2 / teeth - backlash / (2 * pitch) + involute(base, pitch)  # of a tooth, on the base circle
    first = max(base * (1 + 1e-7), foot)
    radii = [first + (tip - first) * k / points for k in range(points + 1)]
    outline = []
    for tooth in range(teeth):
        middle = 2 * math.pi * tooth / teeth
        flank = [(r, middle - half + involute(base, r)) for r in radii]
        other = [(r, middle + half - involute(base, r)) for r in reversed(radii)]
        below = foot < base
        outline += [(foot, middle - half)] * below + flank + other + [(foot, middle + half)] * below
    return [(r * math.cos(a), r * math.sin(a)) for r, a in outline]


PITCH, DEEP, CREST = 1.25e-3, .65e-3, 3.9e-3  # of a thread M8, m: pitch, depth, radius of its crest
ALONG = 8  # vertices per pitch


def thread(turns, around, clearance, outer):
    """A closed mesh of a right-handed thread along z, with so many vertices per turn. outer: radius of the nut around it; None: the bolt itself.

    Vertices lie on helices, row k at z = (k/ALONG + angle/(2 pi)) PITCH, so that crests and roots are exact."""
    rows = turns * ALONG
    profile = [DEEP * max(0, min(1, (abs(k / ALONG - .5) - .0625) / .3125)) for k in range(ALONG)]
    def helix(radius):
        return [[radius(k) * math.cos(2 * math.pi * j / around), radius(k) * math.sin(2 * math.pi * j / around),
                 (k / ALONG + j / around - turns / 2) * PITCH] for k in range(rows + ALONG + 1) for j in range(around)]
    def index(k, j):
        return k * around + j if j < around else (k + ALONG) * around
    walls = []
    for k in range(rows):
        for j in range(around):
            a, b, c, d = index(k, j), index(k, j + 1), index(k + 1, j + 1), index(k + 1, j)
            walls += [[a, b, c], [a, c, d]]
    # The first and the last row, each closed by the step at angle 0.
    ends = [[index(k, j) for j in range(around)] + [index(i, 0) for i in range(k + ALONG, k, -1)] for k in (0, rows)]
    vertices = helix(lambda k: CREST - profile[k % ALONG] + clearance)
    if outer is None:
        triangles = walls
        for which, loop in enumerate(ends):
            vertices.append([0, 0, (which - .5) * (turns + 1) * PITCH])
            pairs = zip(loop, loop[1:] + loop[:1])
            triangles = triangles + [[len(vertices) - 1, *((b, a) if which == 0 else (a, b))] for a, b in pairs]
    else:
        n = len(vertices)
        vertices += helix(lambda k: outer)
        triangles = [[a, c, b] for a, b, c in walls] + [[n + a, n + b, n + c] for a, b, c in walls]
        for which, loop in enumerate(ends):
            for a, b in zip(loop, loop[1:] + loop[:1]):
                quad = (a, b, n + b, n + a) if which == 0 else (b, a, n + a, n + b)
                triangles += [[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]
    used = sorted({v for t in triangles for v in t})
    number = {v: k for k, v in enumerate(used)}
    return {"kind": "mesh", "vertices": [vertices[v] for v in used], "triangles": [[number[v] for v in t] for t in triangles]}


def scan(size, lumps=12, fineness=3, seed=1):
    """A sphere of 20 * 4^fineness triangles with lumps and hollows, as a scan of something that grew."""
    golden = (1 + math.sqrt(5)) / 2
    points = [np.array(p) / np.linalg.norm(p) for p in
              [(-1, golden, 0), (1, golden, 0), (-1, -golden, 0), (1, -golden, 0), (0, -1, golden), (0, 1, golden), (0, -1, -golden),
               (0, 1, -golden), (golden, 0, -1), (golden, 0, 1), (-golden, 0, -1), (-golden, 0, 1)]]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8),
             (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    for _ in range(fineness):
        middle, finer = {}, []
        def between(a, b):
            key = (min(a, b), max(a, b))
            if key not in middle:
                p = points[a] + points[b]
                points.append(p / np.linalg.norm(p))
                middle[key] = len(points) - 1
            return middle[key]
        for a, b, c in faces:
            d, e, f = between(a, b), between(b, c), between(c, a)
            finer += [(a, d, f), (d, b, e), (f, e, c), (d, e, f)]
        faces = finer
    draw = random.Random(seed)
    centres = []
    for _ in range(lumps):
        p = np.array([draw.gauss(0, 1) for _ in range(3)])
        centres.append((p / np.linalg.norm(p), draw.choice((-.25, .35, .6))))
    radius = [1 + sum(height * math.exp(-6 * (1 - p @ c)) for c, height in centres) for p in points]
    scale = size / 2 / max(radius)
    return {"kind": "mesh", "vertices": [list(scale * r * p) for p, r in zip(points, radius)], "triangles": [list(f) for f in faces]}


# ---- runs ----------------------------------------------------------------------------------------------------


class Tool:
    def __init__(self, path, folder):
        self.path, self.folder = os.path.abspath(path), folder

    def run(self, scene):
        """The report, and the poses of all frames: (frames, bodies, 7)."""
        with open(os.path.join(self.folder, "scene.json"), "w", encoding="utf-8") as file:
            json.dump({"voussoir": 1, **scene}, file)
        done = subprocess.run([self.path, "run", "scene.json", "-o", "out.h5", "--json", "--quiet"], cwd=self.folder, capture_output=True,
                              text=True)
        if done.returncode not in (0, 3):
            raise RuntimeError(done.stderr)
        with h5py.File(os.path.join(self.folder, "out.h5")) as file:
            return json.loads(done.stdout), file["state/pose"][:]


def bolt(tool, duration):
    """A nut on a fixed bolt, under its own weight. Yields rows: travel per turn (m), and travel where friction holds it."""
    def nut_on(mu):
        bodies = [{"name": "bolt", "motion": "static", "shape": thread(8, 72, 0, None)},
                  {"name": "nut", "density": 7800, "position": [0, 0, PITCH], "shape": thread(3, 64, 8e-5, 6.5e-3)}]
        report, pose = tool.run({"materials": {"steel": {"mu": mu}}, "bodies": bodies, "step": 1e-3,
                                 "output": {"duration": duration, "frame": .01}})
        angle = np.unwrap(2 * np.arctan2(pose[:, 1, 6], pose[:, 1, 3]))
        settled = len(angle) // 5
        return report, pose[-1, 1, 2] - pose[settled, 1, 2], (angle[-1] - angle[settled]) / (2 * math.pi)
    report, way, turns = nut_on(.01)
    yield f"nut on a bolt M8, friction 0.01, {abs(turns):.2f} turns: travel per turn, m", PITCH, way / turns, .01 * PITCH, report, .013
    report, way, turns = nut_on(.1)
    yield "the same, friction 0.1, above the lead of 0.055: travel, m", 0, way, 1e-5, report, .013


def gears(tool, turns, teeth=(12, 20), module=.01):
    """A pinion that a motor turns, and a wheel with a load against it. Yields rows."""
    apart = 1.001 * module * sum(teeth) / 2
    axes = [[0, 0, 0], [apart, 0, 0]]
    bodies = [{"name": name, "density": 7800, "material": "steel", "position": axis, "rotation": {"axis": [0, 0, 1], "angle": angle},
               "shape": prism(gear(count, module, 2e-4), .02)}
              for name, axis, angle, count in (("pinion", axes[0], 0, teeth[0]), ("wheel", axes[1], math.pi * (1 + 1 / teeth[1]), teeth[1]))]
    joints = [{"name": f"axle {k}", "kind": "revolute", "a": "world", "b": body["name"], "frame": {"position": axis, "axis": [0, 0, 1]}}
              for k, (body, axis) in enumerate(zip(bodies, axes))]
    joints[0]["motor"] = {"speed": f"{2 * math.pi}*min(t, 1)"}  # 1 turn per second, after one second
    report, pose = tool.run({"gravity": [0, 0, 0], "materials": {"steel": {"mu": .1}}, "bodies": bodies, "joints": joints,
                             "loads": [{"body": "wheel", "torque": [0, 0, .5]}], "step": 1e-3,
                             "output": {"duration": turns + .5, "frame": .01}})
    angle = np.unwrap(2 * np.arctan2(pose[:, :, 6], pose[:, :, 3]), axis=0)
    first = next(k for k in range(len(angle)) if angle[k, 0] - angle[0, 0] > .2)  # teeth touch since
    ratio = -(angle[-1, 0] - angle[first, 0]) / (angle[-1, 1] - angle[first, 1])
    wanted = teeth[1] / teeth[0]
    yield (f"gears of {teeth[0]} and {teeth[1]} teeth, {turns:g} turns: ratio", wanted, ratio, 1e-3 * wanted, report, 2 * apart)


def dovetail(tool):
    """A pin in a groove with undercut flanks. Yields rows: displacements (m) against closed forms."""
    gap, mu, length = 1e-4, .2, .1
    socket = [(-.05, -.05), (.05, -.05), (.05, 0), (.01, 0), (.02, -.03), (-.02, -.03), (-.01, 0), (-.05, 0)]
    pin = [(-.02 + gap, -.03 + gap), (.02 - gap, -.03 + gap), (.01 - gap, 0), (.01 - gap, .03), (-.01 + gap, .03), (-.01 + gap, 0)]
    def pulled(gravity, duration=.3):
        bodies = [{"name": "socket", "motion": "static", "shape": prism(socket, length)},
                  {"name": "pin", "density": 700, "shape": prism(pin, length)}]
        report, pose = tool.run({"gravity": gravity, "materials": {"oak": {"mu": mu}}, "bodies": bodies, "step": 1e-3,
                                 "output": {"duration": duration, "frame": .01}})
        return report, pose[-1, 1, :3] - pose[0, 1, :3]
    # Upwards (y) it rises until its flanks touch; a gap of (1, 1/3) on each flank of slope 3.
    report, way = pulled([0, G, 0])
    yield "dovetail, pulled out: way, m", 2 * gap, way[1], 1e-6, report, length
    report, way = pulled([G, 0, 0])
    yield "dovetail, pulled sideways: way at most 2 gaps, m", gap, way[0], gap, report, length
    # Along z, pulled out at the same time: the flanks press 1/sin(atan(1/3)) times as hard, and so does their friction.
    wedge = mu * math.sqrt(10)
    report, way = pulled([0, G, .9 * wedge * G])
    yield "dovetail, pulled out and along, 0.9 of friction: way along, m", 0, way[2], 5e-4, report, length
    # Until the flanks touch nothing holds it; then the friction of their impact takes what it would have taken before.
    duration, touch = .3, math.sqrt(2 * 2 * gap / G)
    report, way = pulled([0, G, 1.2 * wedge * G], duration)
    slow = .2 * wedge * G * duration ** 2 / 2 + wedge * G * touch ** 2 / 2
    yield "the same, 1.2 of friction: way along, m", slow, way[2], .02 * slow + 5e-4, report, length


def drops(tool, count):
    """A scan of 1280 triangles on stairs, from random positions. Yields one row: drops that came through."""
    size, through, worst, inaccurate, steps = .3, 0, None, 0, 0
    shape = scan(size)
    stairs = [{"motion": "static", "position": [.2 * k, 0, -.1 * k - .5], "shape": {"kind": "box", "size": [.2, 2, 1]}} for k in range(8)]
    stairs.append({"motion": "static", "position": [0, 0, -1], "shape": {"kind": "plane"}})
    draw = random.Random(7)
    for _ in range(count):
        axis = [draw.gauss(0, 1) for _ in range(3)]
        body = {"name": "scan", "density": 1000, "position": [draw.uniform(-.05, .6), 0, draw.uniform(.3, .8)],
                "rotation": {"axis": axis, "angle": draw.uniform(0, math.pi)}, "spin": [draw.uniform(-5, 5) for _ in range(3)], "shape": shape}
        report, pose = tool.run({"materials": {"clay": {"mu": .4}}, "bodies": [*stairs, body], "output": {"duration": 2, "frame": .05}})
        through += bool(pose[-1, -1, 2] < -1)
        inaccurate += report["inaccurate_steps"]
        steps += report["steps"]
        if worst is None or report["penetration_max_m"] > worst["penetration_max_m"]:
            worst = report
    worst = {**worst, "inaccurate_steps": inaccurate, "steps": steps}
    yield f"scan of 1280 triangles, {count} drops on stairs: came through", 0, through, 0, worst, size


def main():
    options = argparse.ArgumentParser()
    options.add_argument("voussoir")
    options.add_argument("--short", action="store_true")
    options.add_argument("--output")
    given = options.parse_args()
    lines = ["| case | expected | voussoir | penetration / size | steps | inaccurate |", "|---|---|---|---|---|---|"]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(given.voussoir, folder)
        for rows in (() if given.short else bolt(tool, 1), dovetail(tool), gears(tool, 1 if given.short else 10), drops(tool, 2 if given.short else 100)):
            for case, expected, found, bound, report, size in rows:
                depth = report["penetration_max_m"] / size
                good = abs(found - expected) <= bound and depth <= DEPTH and report["inaccurate_steps"] == 0
                failed += not good
                lines.append(f"| {case} | {expected:.6g} | {found:.6g} | {depth:.0e} | {report['steps']} | {report['inaccurate_steps']} |")
                print("ok    " if good else "FAILED", lines[-1], flush=True)
    if given.output:
        with open(given.output, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    print(f"{failed} failed" if failed else "all hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
