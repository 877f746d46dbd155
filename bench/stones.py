#!/usr/bin/python3
"""stones.py VOUSSOIR [--count 1000] [--seed 1] [--hopper] [--duration 1] [--step 0.004] [--tolerance T] [--output RUN.h5]

Lumpy stones of 200 triangles each, meshes that are not convex, fall into a box and settle, or, with --hopper, through a funnel into it.
Reports processor time, steps that missed their tolerance, contacts, the deepest overlap, how far a corner of a stone reaches out of
the box, and the stones that tunnelled: with their centre out of the box or inside of another one.
"""

import argparse
import csv
import json
import math
import pathlib
import random
import subprocess
import tempfile

import h5py
import numpy as np

RADIUS = 0.04  # m
FREQUENCY = 5  # 8 faces of an octahedron, each cut into 25 triangles


def octahedron():
    """Unit vectors and triangles of an octahedron that is cut up, blown up to a ball."""
    places, triangles, known = [], [], {}

    def vertex(p):
        key = tuple(p)
        if key not in known:
            known[key] = len(places)
            places.append(np.array(p) / math.sqrt(sum(x * x for x in p)))
        return known[key]

    n = FREQUENCY
    for x in (1, -1):
        for y in (1, -1):
            for z in (1, -1):
                def at(i, j):
                    return vertex((x * i, y * j, z * (n - i - j)))
                for i in range(n):
                    for j in range(n - i):
                        cells = [(at(i, j), at(i + 1, j), at(i, j + 1))]
                        if i + j < n - 1:
                            cells.append((at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)))
                        triangles += [c if x * y * z > 0 else c[::-1] for c in cells]
    return np.array(places), triangles


def stone(generator):
    """A ball with bumps and hollows, of half of its radius to all of it."""
    places, triangles = octahedron()
    waves = [(np.array([generator.gauss(0, 2.5) for _ in range(3)]), generator.uniform(0, 6.28)) for _ in range(6)]
    out = [RADIUS * (0.75 + 0.25 * math.tanh(sum(math.sin(k @ p + phase) for k, phase in waves) / 2)) * p for p in places]
    return {"kind": "mesh", "vertices": [list(v) for v in out], "triangles": triangles}


def quaternion(generator):
    q = np.array([generator.gauss(0, 1) for _ in range(4)])
    return list(q / np.linalg.norm(q))


def wall(normal, offset):
    """A plane with this inward normal (in x or y), this far from the axis."""
    half = math.sqrt(0.5)
    turn = {(1, 0): [half, 0, half, 0], (-1, 0): [half, 0, -half, 0], (0, 1): [half, -half, 0, 0], (0, -1): [half, half, 0, 0]}[normal]
    return {"motion": "static", "shape": {"kind": "plane"}, "position": [-offset * normal[0], -offset * normal[1], 0], "rotation": turn}


def scene(options):
    generator = random.Random(options.seed)
    across = max(round(options.count ** (1 / 3)), 1)
    space = 2.3 * RADIUS
    half = 0.5 * across * space + 0.2 * RADIUS
    bodies = [{"motion": "static", "shape": {"kind": "plane"}}]
    bodies += [wall(n, half) for n in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    lift = 2 * RADIUS
    if options.hopper:  # four plates that leave a square opening of six radii
        lift, slope, length, thick = 1.6 * half + 8 * RADIUS, math.radians(50), 1.2 * half, 0.3 * RADIUS
        for k in range(4):
            about, tilt = 0.5 * math.pi * k, slope
            out = 3 * RADIUS + length * math.cos(slope)
            centre = [out * math.cos(about), out * math.sin(about), 4 * RADIUS + length * math.sin(slope)]
            c, s, ct, st = math.cos(about / 2), math.sin(about / 2), math.cos(-tilt / 2), math.sin(-tilt / 2)
            turn = [c * ct, -s * st, c * st, s * ct]
            bodies.append({"motion": "static", "shape": {"kind": "box", "half": [length, 2 * half, thick]}, "position": centre, "rotation": turn})
    shapes = {f"stone-{k}": stone(generator) for k in range(8)}
    for k in range(options.count):
        place = [(k % across - 0.5 * across + 0.5) * space, (k // across % across - 0.5 * across + 0.5) * space, lift + k // across ** 2 * space]
        bodies.append({"name": f"stone-{k}", "density": 2500, "shape": f"stone-{k % 8}", "position": place, "rotation": quaternion(generator)})
    return {"voussoir": 1, "name": "stones", "step": options.step, "materials": {"all": {"mu": 0.5, "restitution": 0}}, "shapes": shapes, "bodies": bodies}, half


def about_centre(shape):
    """The corners from the centre of mass, which the poses of a trajectory are about."""
    v, t = np.array(shape["vertices"]), np.array(shape["triangles"])
    volume = np.einsum("ij,ij->i", v[t[:, 0]], np.cross(v[t[:, 1]], v[t[:, 2]]))
    return v - (volume[:, None] * v[t].sum(axis=1)).sum(axis=0) / (4 * volume.sum())


def tunnelled(path, made, half):
    """Stones with their centre out of the box, or in another one, in any frame, and how far a corner is out (m)."""
    shapes = made["shapes"]
    moving = [k for k, b in enumerate(made["bodies"]) if b.get("motion") != "static"]
    vertex = {k: about_centre(shapes[made["bodies"][k]["shape"]]) for k in moving}
    least = 0.5 * min(np.linalg.norm(np.array(s["vertices"]), axis=1).min() for s in shapes.values())
    out, inside, beyond = set(), set(), 0
    with h5py.File(path, "r") as file:
        poses = file["state/pose"][:]
    offset = poses.shape[1] - len(made["bodies"])
    for frame in poses:
        places = frame[[k + offset for k in moving], :3]
        for i, k in enumerate(moving):
            w, x, y, z = frame[k + offset, 3:7]
            turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                             [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
            v = vertex[k] @ turn.T + frame[k + offset, :3]
            beyond = max(beyond, -v[:, 2].min(), abs(v[:, :2]).max() - half)
            if frame[k + offset, 2] < 0 or abs(frame[k + offset, :2]).max() > half:
                out.add(k)
            near = np.linalg.norm(places - frame[k + offset, :3], axis=1)
            near[i] = 1
            if near.min() < least:
                inside.add(k)
    return len(out), len(inside), beyond


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("voussoir")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hopper", action="store_true")
    parser.add_argument("--duration", type=float, default=1)
    parser.add_argument("--step", type=float, default=0.004)
    parser.add_argument("--tolerance")
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    made, half = scene(options)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        run = options.output or work / "run.h5"
        (work / "scene.json").write_text(json.dumps(made))
        command = [options.voussoir, "run", str(work / "scene.json"), "--duration", str(options.duration), "--frame", "0.02", "-o", str(run), "--log", str(work / "log.csv"), "--quiet"]
        command += ["--tolerance", options.tolerance] if options.tolerance else []
        code = subprocess.run(command, check=False).returncode
        if code not in (0, 3):  # 3: inaccurate steps
            raise SystemExit(code)
        rows = list(csv.DictReader(open(work / "log.csv", encoding="utf-8")))
        out, inside, beyond = tunnelled(run, made, half)
    times = [float(row["processor (s)"]) for row in rows]
    search = sum(float(row["seconds_collide (s)"]) for row in rows)
    print(f"{options.count} stones{' in a hopper' if options.hopper else ''}, seed {options.seed}: {len(rows)} steps, {sum(times):.0f} s of processor time ({1e3 * sum(times) / len(times):.0f} ms per step,"
          f" worst {1e3 * max(times):.0f} ms; search at the beginnings of steps {search:.0f} s), {sum(row['status'] != 'converged' for row in rows)} inaccurate,"
          f" at most {max(int(row['contacts']) for row in rows)} contacts, overlaps of at most {max(float(row['penetration (m)']) for row in rows):.1e} m;"
          f" kinetic energy at the end {float(rows[-1]['energy.kinetic (J)']):.2e} J; a corner at most {beyond:.1e} m out of the box; centres out of it {out}, inside of another stone {inside}")


if __name__ == "__main__":
    main()
