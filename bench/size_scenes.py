"""Scenes of any number of bodies that are dense within a few steps, for size.py.

Bodies start on a loose lattice with a little disorder, a twentieth of their size apart, and fall into contact within the first 20 to 50
steps. The lattice is not stable: it compacts while the first window is measured, and reaches 2.5 to 3 contacts per sphere in the second
one. Containers grow in all directions with the number of bodies. Named scenes are used where they can be this large; the others are
written as scene files of about 70 bytes per body. Each function gives the arguments of `voussoir run` and the number of moving bodies.
"""

import json
import math
import random

import wall

RADIUS, STEP, G = 0.07, 0.005, 9.81  # of spheres, m; s. wall.py has the default step
CELL = 2.1 * RADIUS
EDGE = 0.12  # of a cube that holds a polyhedron, m


def settings(**values):
    return [word for name, value in values.items() for word in ("--set", f"{name}={value:.9g}")]


# ---- parts of scene files ------------------------------------------------------------------------------------------------------


def write(path, bodies, shapes, material, step=STEP):
    scene = {"voussoir": 1, "name": path.stem, "step": step, "materials": {"grain": material}, "shapes": shapes, "bodies": bodies}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scene, file, separators=(",", ":"))
    return [str(path)], sum(body.get("motion") != "static" for body in bodies)


def plane(position, normal, **keys):
    """A fixed half-space."""
    x, y, z = normal
    axis, angle = ([-y, x, 0], math.acos(z)) if abs(z) < 1 else ([1, 0, 0], 0 if z > 0 else math.pi)
    return {"motion": "static", "position": position, "rotation": {"axis": axis, "angle": angle}, "shape": {"kind": "plane", **keys}}


def pit(half_x, half_y):
    """Floor and four walls."""
    return [plane([0, 0, 0], [0, 0, 1]), plane([half_x, 0, 0], [-1, 0, 0]), plane([-half_x, 0, 0], [1, 0, 0]),
            plane([0, half_y, 0], [0, -1, 0]), plane([0, -half_y, 0], [0, 1, 0])]


def lattice(count, cell, inside, half, base=0.0, shift=0.0):
    """Places of `count` bodies in horizontal layers from `base` up, where inside(x, y, z); half: of the square to look at; shift: of
    each layer at random, in cells."""
    columns, found, draw, layer = max(1, math.floor(2 * half / cell)), [], random.Random(1), 0
    while len(found) < count:
        z = base + (layer + 0.5) * cell
        aside = [shift * cell * (draw.random() - 0.5) for _ in range(2)]
        for k in range(columns * columns):
            x, y = ((i - 0.5 * (columns - 1)) * cell + d for i, d in zip((k % columns, k // columns), aside))
            if inside(x, y, z) and len(found) < count:
                found.append([round(p + 0.02 * cell * (draw.random() - 0.5), 6) for p in (x, y)] + [round(z, 6)])
        layer += 1
    return found


def put(places, shapes, turn):
    """Bodies of these shapes in turn, rotated at random by up to `turn` (rad) about a random axis."""
    draw, names, bodies = random.Random(2), list(shapes), []
    for position in places:
        body = {"shape": names[draw.randrange(len(names))], "position": position}
        if turn:
            axis, half = [draw.gauss(0, 1) for _ in range(3)], 0.5 * turn * draw.random()
            norm = math.sqrt(sum(a * a for a in axis))
            body["rotation"] = [round(q, 9) for q in (math.cos(half), *(math.sin(half) * a / norm for a in axis))]
        bodies.append(body)
    return bodies


def spheres(radii):
    return {f"r{k}": {"kind": "sphere", "radius": radius} for k, radius in enumerate(radii)}


def polyhedra(edge):
    """Six convex ones, each in a cube of this edge."""
    h = 0.46 * edge
    ring = [(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6)]
    signs = [(s, t) for s in (-1, 1) for t in (-1, 1)]
    points = {
        "cuboctahedron": [p for s, t in signs for p in ((s, t, 0), (s, 0, t), (0, s, t))],
        "truncated": [p for s, t in signs for p in ((s, t / 2, 0), (s / 2, t, 0), (s, 0, t / 2), (s / 2, 0, t), (0, s, t / 2), (0, s / 2, t))],
        "prism": [(x, y, z) for x, y in ring for z in (-0.9, 0.9)],
        "frustum": [(s, t, -0.8) for s, t in signs] + [(0.6 * s, 0.6 * t, 0.8) for s, t in signs],
        "wedge": [(s, t, -0.8) for s, t in signs] + [(0.2 * s, t, 0.8) for s, t in signs],
    }
    hulls = {name: {"kind": "hull", "points": [[h * a for a in p] for p in hull]} for name, hull in points.items()}
    return {"box": {"kind": "box", "half": [h, 0.9 * h, 0.8 * h]}, **hulls}


def long_ones():
    """Rods and pebbles, each in a cube of the cell of spheres."""
    r = RADIUS
    return {"rod": {"kind": "capsule", "radius": 0.5 * r, "half_length": 0.5 * r}, "pebble": {"kind": "ellipsoid", "semi_axes": [r, 0.8 * r, 0.6 * r]},
            "drum": {"kind": "cylinder", "radius": 0.7 * r, "half_length": 0.65 * r}}


# ---- scenes, by which methods may be tuned --------------------------------------------------------------------------------------


def balls(count, _path):
    """Spheres fall into a box as wide as the heap is high."""
    return ["balls-in-box", "--step", str(STEP), *settings(count=count, radius=RADIUS, side=max(2 * CELL, (count * 0.0024) ** (1 / 3)))], count


def drum(count, _path):
    """A drum, a third full and five spheres deep, turns with a Froude number of 0.1."""
    columns = math.ceil(math.sqrt(count / (4 * 0.6)))
    radius = max(5.0, columns + 0.01) * CELL / 1.35
    return ["rotating-drum", "--step", str(STEP), *settings(count=count, ball=RADIUS, radius=radius, spin=math.sqrt(0.1 * G / radius))], count


def hopper(count, path):
    """A bin over a funnel of 60 degrees with a square outlet of a third of its width, five spheres at least; the outlet is open."""
    width = max(CELL * (count / 1.28) ** (1 / 3), 7 * CELL)
    outlet, steep, base = max(width / 3, 10 * RADIUS), math.radians(60), width
    long, thick = width, 0.1 * width  # half sizes of a plate: along the slope, across
    plates = []
    for axis in (0, 1):
        for side in (-1, 1):
            along = 0.5 * outlet + long * math.cos(steep) + thick * math.sin(steep)
            place = [0, 0, base + long * math.sin(steep) - thick * math.cos(steep)]
            place[axis] = side * along
            turn = {"axis": [0, -side, 0] if axis == 0 else [side, 0, 0], "angle": steep}
            size = [long, width, thick] if axis == 0 else [width, long, thick]
            plates.append({"motion": "static", "position": place, "rotation": turn, "shape": {"kind": "box", "half": size}})

    def inside(x, y, z):
        free = min(0.5 * width - 1.05 * RADIUS, 0.5 * outlet + (z - base) / math.tan(steep) - 1.2 * RADIUS / math.sin(steep))
        return max(abs(x), abs(y)) <= free
    places = lattice(count, CELL, inside, 0.5 * width, base)
    return write(path, pit(0.5 * width, 0.5 * width) + plates + put(places, spheres([RADIUS]), 0), spheres([RADIUS]), {"mu": 0.4})


def mixed(count, path):
    """Six kinds of polyhedra fall into a box as wide as the heap is high."""
    half = 0.5 * max(2, count ** (1 / 3)) * 1.05 * EDGE
    places = lattice(count, 1.04 * EDGE, lambda x, y, z: True, half)
    return write(path, pit(half, half) + put(places, polyhedra(EDGE), 0.1), polyhedra(EDGE), {"mu": 0.5})


def rolling(count, path):
    """Spheres with rolling and spinning friction slump to a heap on a floor from a cone of 45 degrees, whose layers are shifted: spheres
    that are above each other would stand."""
    base = 1.1 * CELL * (3 * count / math.pi) ** (1 / 3)
    places = lattice(count, CELL, lambda x, y, z: math.hypot(x, y) <= max(base - z, CELL), base + CELL, shift=1)
    material = {"mu": 0.5, "rolling": 0.1 * RADIUS, "spinning": 0.1 * RADIUS}
    return write(path, [plane([0, 0, 0], [0, 0, 1])] + put(places, spheres([RADIUS]), 0), spheres([RADIUS]), material)


# Bricks of a course, courses, and whether there is a door, of walls that fall. Others of these proportions stand.
FALLING = {56: (6, 10, True), 128: (8, 16, True), 511: (25, 20, False), 2000: (50, 40, False)}


def brick_wall(count, path):
    """wall.py, tilted by 30 degrees along its length."""
    courses = max(2, round(math.sqrt(0.8 * count)))
    bricks = list(wall.stones(*FALLING.get(count, (max(2, round(count / courses)), courses, False))))
    scene = {"voussoir": 1, "name": path.stem, "gravity": {"magnitude": G, "tilt_degrees": 30, "toward": [1, 0, 0]},
             "materials": {"stone": {"mu": 0.6}}, "bodies": [plane([0, 0, 0], [0, 0, 1]), *bricks]}
    path.write_text(json.dumps(scene), encoding="utf-8")
    return [str(path)], len(bricks)


# ---- scenes that were named before anything was measured: nothing is tuned by them ----------------------------------------------


def collapse(count, path):
    """A column of spheres of eight sizes, twice as high as its radius, spreads on a floor."""
    radii = [RADIUS * (0.7 + 0.6 * k / 7) for k in range(8)]
    cell = 2.06 * radii[-1]
    base = max(1.01 * cell, cell * (count / (2 * math.pi)) ** (1 / 3))
    places = lattice(count, cell, lambda x, y, z: math.hypot(x, y) <= base, base + cell)
    return write(path, [plane([0, 0, 0], [0, 0, 1])] + put(places, spheres(radii), 0), spheres(radii), {"mu": 0.5})


def silo(count, path):
    """Polyhedra leave an octagonal silo through a square hole in its flat bottom, a third of its width, six edges at least."""
    cell = 1.04 * EDGE
    half = max(cell * (count / 6.6) ** (1 / 3), 6 * cell)  # of the octagon: 3.3 half^2, filled to twice the half
    hole, base, thick = max(half / 3, 3 * EDGE), half, 0.1 * half
    walls = [plane([half * math.cos(a), half * math.sin(a), 0], [-math.cos(a), -math.sin(a), 0]) for a in (k * math.pi / 4 for k in range(8))]
    bottom = []
    for axis, side in ((0, -1), (0, 1), (1, -1), (1, 1)):
        place, size = [0, 0, base - thick], [1.2 * half, 1.2 * half, thick]
        place[axis], size[axis] = side * (hole + half), half
        size[1 - axis] = 1.2 * half if axis == 0 else hole
        bottom.append({"motion": "static", "position": place, "shape": {"kind": "box", "half": size}})

    def inside(x, y, _z):
        return max(abs(x), abs(y), (abs(x) + abs(y)) / math.sqrt(2)) <= half - 0.55 * EDGE * math.sqrt(2)
    places = lattice(count, cell, inside, half, base)
    return write(path, [plane([0, 0, 0], [0, 0, 1])] + walls + bottom + put(places, polyhedra(EDGE), 0.1), polyhedra(EDGE), {"mu": 0.4})


def feeder(count, path):
    """Rods, pebbles and drums on a belt, which runs with 1 m/s against a wall between two walls; three times as long as high."""
    high = max(1.5 * CELL, CELL * (count / 6) ** (1 / 3))
    long, wide = 1.5 * high, max(high, CELL)  # half sizes
    places = lattice(count, CELL, lambda x, y, z: abs(y) <= wide - 0.5 * CELL, max(long, wide))
    walls = [plane([0, 0, 0], [0, 0, 1], surface_velocity=[1, 0, 0]), plane([long + CELL, 0, 0], [-1, 0, 0]),
             plane([0, wide + 0.1 * CELL, 0], [0, -1, 0]), plane([0, -wide - 0.1 * CELL, 0], [0, 1, 0])]
    return write(path, walls + put(places, long_ones(), 0.2), long_ones(), {"mu": 0.5})


TUNED = {"balls": balls, "drum": drum, "hopper": hopper, "mixed": mixed, "rolling": rolling}
WALLS = {"wall": brick_wall}
HELD_OUT = {"collapse": collapse, "silo": silo, "feeder": feeder}
SCENES = {**TUNED, **WALLS, **HELD_OUT}
