#!/usr/bin/python3
"""grains.py [--voussoir COMMAND] [--only triaxial,shear,janssen,beverloo,drum] [--balls 1500] [--keep FOLDER] [--output FILE.md]

What granular matter does, by hard contact with exact friction and nothing else: no stiffness, no damping, no rolling friction.

    triaxial    a box of six walls with servos: angle of friction at the peak and at the critical state
    shear       a periodic cell between rough plates, of which one moves: friction coefficient by the inertial number
    janssen     walls carry a column: the stress saturates with depth, with the length a/(4 mu K)
    beverloo    the rate of discharge through a circular hole: W = C rho sqrt(g) (D - k d)^(5/2)
    drum        rolling, cascading, cataracting, centrifuging by Froude number

Balls of density 2500 kg/m3 and diameters within 5 % of 1 cm, friction 0.5, the product's default tolerance. Each study prints what it
measures beside what the literature states; exit code 1 if one is outside of the range that is given with it. 2 to 10 minutes each.
"""

import argparse
import csv
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import h5py
import numpy

G, D, DENSITY, MU, SPREAD, STEP = 9.81, 0.01, 2500.0, 0.5, 0.05, 0.004  # D: mean diameter, m


# ---- scenes ----------------------------------------------------------------------------------------------------------------


def make_balls(count, columns, rows, draw, base=0.0):
    """Layers of columns x rows balls about the z axis, 1.08 D apart, each moved at random."""
    apart, found = 1.08 * D, []
    for k in range(count):
        i, j, layer = k % columns, k // columns % rows, k // (columns * rows)
        place = [(i - (columns - 1) / 2) * apart, (j - (rows - 1) / 2) * apart, base + (layer + 0.55) * apart]
        size = 0.5 * D * draw.uniform(1 - SPREAD, 1 + SPREAD)
        found.append({"name": f"ball{k}", "density": DENSITY, "position": [round(p + 0.01 * D * draw.uniform(-1, 1), 7) for p in place],
                      "shape": {"kind": "sphere", "radius": round(size, 7)}})  # fmt: skip
    return found


def make_plane(name, place, normal, **keys):
    x, y, z = normal
    turn = {"axis": [-y, x, 0], "angle": math.acos(z)} if abs(z) < 1 else {"axis": [1, 0, 0], "angle": 0 if z > 0 else math.pi}
    return {"name": name, "motion": "static", "position": place, "rotation": turn, "shape": {"kind": "plane"}, **keys}


def make_shaft(side):
    far = side / 2
    return [make_plane("east", [far, 0, 0], [-1, 0, 0]), make_plane("west", [-far, 0, 0], [1, 0, 0]),
            make_plane("north", [0, far, 0], [0, -1, 0]), make_plane("south", [0, -far, 0], [0, 1, 0])]  # fmt: skip


def simulate(args, name, *what):
    """Runs a scene and counts its steps; its trajectory's path."""
    out = pathlib.Path(args.keep) / f"{name}.h5"
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([args.voussoir, "run", *what, "-o", out, "--log", out.with_suffix(".log.csv"), "--quiet"],
                          capture_output=True, text=True, env=environment, check=False)  # fmt: skip
    if done.returncode not in (0, 3):
        sys.exit(f"grains.py: {name}: {done.stderr or done.stdout}")
    with open(out.with_suffix(".log.csv"), encoding="utf-8") as file:
        log = list(csv.DictReader(file))
    flawed = sum(row["status"] != "converged" for row in log)
    seconds = sum(float(row["processor (s)"]) for row in log)
    print(f"{name}: {len(log)} steps, {seconds:.0f} s, {flawed} inaccurate", flush=True)
    args.steps += len(log)
    args.flawed += flawed
    args.seconds += seconds
    return out


def run(args, name, bodies, duration, frame, histories, **keys):
    """The histories of a scene over time: time first, then one column each."""
    scene = {"voussoir": 1, "step": STEP, "materials": {"grain": {"mu": MU}}, "bodies": bodies,
             "output": {"duration": duration, "frame": frame}, **keys}  # fmt: skip
    path = pathlib.Path(args.keep) / f"{name}.json"
    path.write_text(json.dumps(scene), encoding="utf-8")
    out = simulate(args, name, path)
    table = path.with_suffix(".csv")
    subprocess.run([args.voussoir, "export", out, table, *histories], check=True)
    with open(table, encoding="utf-8") as file:
        return numpy.array([[float(x or "nan") for x in row] for row in list(csv.reader(file))[1:]])


class Study:
    """Rows of a table: what, measured, literature, least, most."""

    def __init__(self, title, text):
        self.title, self.text, self.rows = title, text, []

    def add(self, what, value, literature, least=-math.inf, most=math.inf):
        self.rows.append((what, value, literature, least <= value <= most))
        print(f"    {what}: {value:.4g} ({literature}){'' if self.rows[-1][3] else '  OUTSIDE'}", flush=True)


# ---- triaxial --------------------------------------------------------------------------------------------------------------

FACES = {"west": ("x", 1), "east": ("x", -1), "south": ("y", 1), "north": ("y", -1), "bottom": ("z", 1), "top": ("z", -1)}
ACROSS = {"x": [["south", "north"], ["bottom", "top"]], "y": [["bottom", "top"], ["west", "east"]], "z": [["west", "east"], ["south", "north"]]}
PRESSURE, WALL, RATE = 1e4, 1e4, 0.2  # Pa; N/m per contact with a wall; 1/s
SWEEPS = {"method": "gauss-seidel", "max_iterations": 500}


def make_box(places, regulated, grains, driven=0.0):
    """Six planes without friction: those of the axes in `regulated` press with PRESSURE, the others along z move by `driven`, m/s."""
    walls, gain = [], 0.0054 / grains ** (2 / 3)  # 1/(10 K h) with a contact for each ball of a face
    for name, (axis, side) in FACES.items():
        direction = [side * (axis == one) for one in "xyz"]
        wall = make_plane(name, [places[name] * (axis == one) for one in "xyz"], direction, motion="kinematic", material="wall")
        if axis in regulated:
            wall["servo"] = {"direction": direction, "stress": PRESSURE, "across": ACROSS[axis], "gain": gain, "speed": 0.1}
        else:
            wall["drive"] = {"velocity": [side * driven * (axis == one) for one in "xyz"]}
        walls.append(wall)
    return walls


def compress(args, name, mu, count):
    """Balls that fly about in a box that closes: places of walls and balls at rest under PRESSURE."""
    draw, apart = random.Random(7), 1.21 * D
    side = round(count ** (1 / 3))
    balls = [{"name": f"ball{k}", "density": DENSITY, "position": [((k // side**i % side) - (side - 1) / 2) * apart for i in range(3)],
              "velocity": [draw.uniform(-0.3, 0.3) for _ in range(3)],
              "shape": {"kind": "sphere", "radius": round(0.5 * D * draw.uniform(0.8, 1.2), 7)}} for k in range(side**3)]  # fmt: skip
    places = {face: -one * side * apart / 2 for face, (_, one) in FACES.items()}
    out = run_box(args, name, [*make_box(places, "xyz", len(balls)), *balls], mu, round(1.5 * (len(balls) / 216) ** (1 / 3), 2))[0]
    with h5py.File(out) as file:
        pose = file["state/pose"][-1]
    for k, ball in enumerate(balls):
        ball["position"] = [float(x) for x in pose[6 + k, :3]]
        del ball["velocity"]
    return {face: float(pose[k, "xyz".index(axis)]) for k, (face, (axis, _)) in enumerate(FACES.items())}, balls


def run_box(args, name, bodies, mu, duration):
    histories = [f"{what}:{face}.{axis}" for face, (axis, _) in FACES.items() for what in ("reaction", "position")]
    table = run(args, name, bodies, duration, 0.005, histories, gravity=[0, 0, 0], step=0.002, solver=SWEEPS,
                materials={"grain": {"mu": mu}, "wall": {"mu": 0, "stiffness": WALL}},
                pairs=[{"between": ["grain", "wall"], "mu": 0, "stiffness": WALL}])  # fmt: skip
    return pathlib.Path(args.keep) / f"{name}.h5", table


def shear(args, name, start, mu, strain):
    """Angle of friction (degrees) and solid fraction over the axial strain, and the largest error of the lateral stress after a hundredth."""
    places, balls = start
    height = places["top"] - places["bottom"]
    table = run_box(args, name, [*make_box(places, "xy", len(balls), RATE * height / 2), *balls], mu, strain / RATE)[1]
    force, place = abs(table[:, 1::2]), table[:, 2::2]
    sides = [place[:, 2 * k + 1] - place[:, 2 * k] for k in range(3)]
    area = [sides[1] * sides[2], sides[2] * sides[0], sides[0] * sides[1]]
    stress = [(force[:, 2 * k] + force[:, 2 * k + 1]) / (2 * area[k]) for k in range(3)]
    lateral = (stress[0] + stress[1]) / 2
    window = numpy.ones(9) / 9  # 0.9 % of strain
    axial, lateral = (numpy.convolve(x, window, "valid") for x in (stress[2], lateral))
    angle = numpy.degrees(numpy.arcsin((axial - lateral) / (axial + lateral)))
    volume = sum(math.pi / 6 * (2 * ball["shape"]["radius"]) ** 3 for ball in balls)
    along = numpy.convolve(1 - sides[2] / height, window, "valid")
    return along, angle, numpy.convolve(volume / (sides[0] * sides[1] * sides[2]), window, "valid"), abs(lateral[10:] / PRESSURE - 1).max()


def triaxial(args):
    """Balls of 0.8 to 1.2 D between six planes without friction, of 10 kPa, no gravity; contacts with walls have 1e4 N/m, those of balls are
    rigid. Compressed without friction (dense) or with friction 0.5 (loose); then top and bottom approach, 0.2 per second (inertial number
    1e-3), the four sides keep 10 kPa. Steps of 2 ms, at most 500 sweeps each: what is left is counted as inaccurate. Angle: sin phi = (s1 - s3)/(s1 + s3); critical: mean over strains of 0.2 to 0.25."""
    study = Study("Triaxial compression: a box of six servos", triaxial.__doc__)
    packed = {mu: compress(args, f"packed-{mu:g}", mu, args.grains) for mu in (0.0, MU)}
    dense, loose, smooth = (shear(args, f"triaxial-{name}", packed[prepared], mu, strain) for name, prepared, mu, strain in
                            (("dense", 0.0, MU, 0.25), ("loose", MU, MU, 0.25), ("smooth", 0.0, 0.0, 0.1)))  # fmt: skip
    for name, test in (("dense", dense), ("loose", loose)):
        study.add(f"{name}: solid fraction before", test[2][0], "0.64 random close packing" if name == "dense" else "0.56 to 0.61")
        late = test[0] > 0.2
        study.add(f"{name}: angle at the peak, degrees", numpy.nanmax(test[1]), "27 to 36 (Thornton 2000)" if name == "dense" else "no peak far above the critical one", 27 if name == "dense" else 0, 36)
        study.add(f"{name}: critical angle, degrees", test[1][late].mean(), "20 to 26 for mu = 0.5 (Thornton 2000; Suiker, Fleck 2004; Huang 2014)", 20, 26)
        study.add(f"{name}: solid fraction, critical", test[2][late].mean(), "the same for both, 0.58 to 0.61")
        study.add(f"{name}: largest error of the lateral stress", test[3], "0: servos", 0, 0.1)
    study.add("critical angles, dense - loose, degrees", (dense[1][dense[0] > 0.2].mean() - loose[1][loose[0] > 0.2].mean()), "0", -2.5, 2.5)
    study.add("without friction: angle, degrees", smooth[1][smooth[0] > 0.04].mean(), "5.8 +- 0.2 (Peyneau, Roux 2008)", 4.5, 7.5)
    study.add("without friction: change of the solid fraction", smooth[2][smooth[0] > 0.04].mean() - smooth[2][0], "0: no dilatancy (Peyneau, Roux 2008)", -0.01, 0.01)
    return study


# ---- plane shear -----------------------------------------------------------------------------------------------------------

CELL = (10 * D, 6 * D)


def make_plate(name, z, face, **keys):
    """Balls of D on a lattice, about D apart, as one body."""
    columns, rows = round(CELL[0] / D), round(CELL[1] / D)
    balls = [{"kind": "sphere", "radius": D / 2, "position": [(i - (columns - 1) / 2) * D, (j - (rows - 1) / 2) * D, face * D / 2]}
             for i in range(columns) for j in range(rows)]  # fmt: skip
    return {"name": name, "position": [0, 0, z], "shapes": balls, **keys}


def plane_shear(args):
    """A cell of 10 x 6 D that repeats itself along x and y, without gravity: balls of 0.9 to 1.1 D between two plates of balls. The upper
    one closes the cell, then moves along x with 0.5 m/s at a constant height. In the middle third, over the second half: inertial number
    I = rate D sqrt(density/pressure), friction coefficient shear/normal stress, beside mu(I) = 0.38 + 0.26/(1 + 0.279/I) (Jop, Forterre,
    Pouliquen 2006, glass)."""
    study = Study("Plane shear in a periodic cell", plane_shear.__doc__)
    draw, speed, close, layers, columns, rows = random.Random(5), 0.5, 0.15, 10, 9, 5
    across, start = f"{-CELL[0] / 2}:{CELL[0] / 2},{-CELL[1] / 2}:{CELL[1] / 2}", (0.6 + layers * 1.12) * D
    for height in (8.0 * D, 7.6 * D):
        balls = [{"name": f"ball{k}", "density": DENSITY, "shape": {"kind": "sphere", "radius": round(0.5 * D * draw.uniform(0.9, 1.1), 7)},
                  "position": [round((k % columns - 4) * CELL[0] / columns + 0.004 * D * draw.uniform(-1, 1), 7), round((k // columns % rows - 2) * CELL[1] / rows + 0.02 * D * draw.uniform(-1, 1), 7),
                               round((0.6 + k // (columns * rows) * 1.12) * D, 7)]} for k in range(columns * rows * layers)]  # fmt: skip
        down = {"steps": {"time": [0, close], "value": [(height - start) / close, 0]}}
        top = make_plate("top", start, 1, motion="kinematic", drive={"velocity": [speed, 0, down]})
        third = [height * share for share in (0.25, 0.4, 0.6, 0.75)]
        box = f"{across},{third[0]:.6g}:{third[3]:.6g}"
        histories = [f"flow:{across},{third[0]:.6g}:{third[1]:.6g}.x", f"flow:{across},{third[2]:.6g}:{third[3]:.6g}.x", f"normal-stress:{box}.zz", f"normal-stress:{box}.xx",
                     f"shear-stress:{box}.xz", f"solid-fraction:{box}", f"coordination:{box}", "reaction:top.x", "reaction:top.z"]  # fmt: skip
        table = run(args, f"shear-{height / D:g}", [make_plate("bottom", 0, -1, motion="static"), top, *balls], 0.9, 0.01, histories,
                    gravity=[0, 0, 0], period=[*CELL, 0])  # fmt: skip
        mean = numpy.nanmean(table[len(table) // 2 :, 1:], axis=0)
        rate = (mean[1] - mean[0]) / (third[2] + third[3] - third[0] - third[1]) * 2
        inertial, friction = rate * D * math.sqrt(DENSITY / mean[2]), abs(mean[4] / mean[2])
        law = 0.38 + 0.26 / (1 + 0.279 / inertial)
        name = f"{height / D:g} D"
        study.add(f"{name}: solid fraction in the middle", mean[5], "0.5 to 0.61, and 0.6 - 0.2 I (Pouliquen 2006)", 0.5, 0.62)
        study.add(f"{name}: pressure, Pa", mean[2], "as rate^2")
        study.add(f"{name}: inertial number", inertial, "given by the solid fraction")
        study.add(f"{name}: friction coefficient in the middle", friction, f"{law:.3f}: mu(I); grains of friction {MU:g} within a fifth", 0.8 * law, 1.2 * law)
        study.add(f"{name}: the same at the plate", abs(mean[7] / mean[8]), "as in the middle", 0.9 * friction, 1.1 * friction)
        study.add(f"{name}: horizontal / vertical stress", mean[3] / mean[2], "about 1", 0.8, 1.25)
    return study


# ---- Janssen ---------------------------------------------------------------------------------------------------------------


def janssen(args):
    """A column in a square shaft of a = 8 D. After filling, its bottom goes down by 0.08 D, which turns friction at the walls upward."""
    side, slab, settle, slide = 8 * D, 3 * D, 0.8, 0.3
    balls = make_balls(args.balls, 7, 7, random.Random(1))
    bottom = {"name": "bottom", "motion": "kinematic", "position": [0, 0, -D], "shape": {"kind": "box", "half": [side, side, D]},
              "drive": {"velocity": [0, 0, {"steps": {"time": [0, settle], "value": [0, -0.0025]}}]}}  # fmt: skip
    far = side / 2
    slabs = [f"{-far}:{far},{-far}:{far},{k * slab:.4g}:{(k + 1) * slab:.4g}" for k in range(40)]
    walls = ("east", "west", "north", "south")
    histories = ["reaction:bottom.z", *(f"reaction:{wall}.{axis}" for wall in walls for axis in "xyz")]
    histories += [f"{what}:{box}{part}" for box in slabs for what, part in (("normal-stress", ".zz"), ("normal-stress", ".xx"), ("normal-stress", ".yy"), ("solid-fraction", ""))]  # fmt: skip
    table = run(args, "janssen", [*make_shaft(side), bottom, *balls], settle + slide, 0.02, histories)
    late = table[table[:, 0] > settle + slide / 2, 1:].mean(axis=0)
    force = late[1:13].reshape(4, 3)
    normal = abs(force[0, 0]) + abs(force[1, 0]) + abs(force[2, 1]) + abs(force[3, 1])
    shear = force[:, 2].sum()
    slab_values = late[13:].reshape(-1, 4)
    full = slab_values[:, 3] > 0.5 * slab_values[2:6, 3].mean()
    count = int(numpy.argmin(full)) if not full.all() else len(full)
    zz, across, solid = slab_values[:count, 0], slab_values[:count, 1:3].mean(axis=1), slab_values[:count, 3]
    rho = DENSITY * solid.mean()
    top = count * slab
    depth = top - slab * (numpy.arange(count) + 0.5)
    # sigma = rho g L (1 - exp(-depth/L)): L by least squares, without the slab at the bottom and that at the top
    used = slice(1, count - 1)
    lengths = numpy.linspace(0.3 * side, 10 * side, 4000)
    model = rho * G * lengths[:, None] * (1 - numpy.exp(-depth[None, used] / lengths[:, None]))
    misfit = ((model - zz[used]) ** 2).sum(axis=1)
    length = lengths[misfit.argmin()]
    ratio = (normal / (4 * side * top)) / zz.mean()  # wall stress over vertical stress
    weight = sum(DENSITY * math.pi / 6 * (2 * b["shape"]["radius"]) ** 3 for b in balls) * G
    study = Study("Janssen: a column between walls", janssen.__doc__)
    study.add("height of the column / side", top / side, "")
    study.add("share of the weight that the bottom carries", late[0] / weight if late[0] > 0 else -late[0] / weight, "less than all", 0, 0.7)
    study.add("weight - bottom - walls, relative", (weight - abs(late[0]) - abs(shear)) / weight, "0", -0.02, 0.02)
    study.add("friction at the walls / (mu normal)", abs(shear) / (MU * normal), "at most 1; balls roll along a wall", 0.2, 1.0001)
    study.add("K: wall stress / vertical stress", ratio, "0.3 to 1 (Janssen 1895: one constant; Vanel, Clement 1999: 0.5 to 0.9)", 0.3, 1)
    study.add("length of saturation L / side, fitted", length / side, "")
    study.add("a/(4 mu K)/side with the measured K and mobilization", 1 / (4 * (abs(shear) / normal) * ratio), "")
    study.add("the two lengths, ratio", length / side * 4 * (abs(shear) / normal) * ratio, "1 (Janssen)", 0.85, 1.15)
    residual = math.sqrt(((rho * G * length * (1 - numpy.exp(-depth[used] / length)) - zz[used]) ** 2).mean()) / zz[used].max()
    study.add("residual of the profile / largest stress", residual, "scatter of forces", 0, 0.1)
    return study


# ---- Beverloo --------------------------------------------------------------------------------------------------------------


def make_hole(radius, out, thick, sides=16):
    """A bottom with a round hole: prisms around it, with the area of the circle."""
    inner = radius * math.sqrt(2 * math.pi / (sides * math.sin(2 * math.pi / sides)))
    corners = [(math.cos(2 * math.pi * k / sides), math.sin(2 * math.pi * k / sides)) for k in range(sides + 1)]
    parts = []
    for (c, s), (e, t) in zip(corners, corners[1:]):
        points = [[r * x, r * y, z] for r in (inner, out) for x, y in ((c, s), (e, t)) for z in (-thick, 0)]
        parts.append({"motion": "static", "shape": {"kind": "hull", "points": points}})
    return parts


def beverloo(args):
    """A bin of 14 D, flat bottom, holes of 4, 5 and 6 D; the lid falls after filling. Rate: slope of the mass that is out, until a third is."""
    side, settle, rates = 14 * D, 0.4, []
    lid = {"name": "lid", "motion": "kinematic", "position": [0, 0, -D], "shape": {"kind": "box", "half": [side / 3, side / 3, D / 2]},
           "drive": {"velocity": [0, 0, {"steps": {"time": [0, settle], "value": [0, -10]}}]}}  # fmt: skip
    for hole in (4, 5, 6):
        balls = make_balls(args.balls, 12, 12, random.Random(hole))
        lid["position"] = [0, 0, -D]
        flow = {4: 1.6, 5: 1.0, 6: 0.7}[hole]
        box = f"{-side / 2}:{side / 2},{-side / 2}:{side / 2},{D}:{5 * D}"
        table = run(args, f"beverloo-{hole}", [*make_shaft(side), *make_hole(hole * D / 2, side, D / 2), lid, *balls], settle + flow, 0.02,
                       ["passed-mass:out", f"solid-fraction:{box}"],
                       sinks=[{"name": "out", "within": [[-9, -9, -9], [9, 9, -3 * D]]}])  # fmt: skip
        total = sum(DENSITY * math.pi / 6 * (2 * b["shape"]["radius"]) ** 3 for b in balls)
        part = (table[:, 0] > settle + 0.2) & (table[:, 1] < total / 3)
        rho = DENSITY * table[(table[:, 0] > settle - 0.1) & (table[:, 0] <= settle), 2].mean()
        rates.append((hole * D, numpy.polyfit(table[part, 0], table[part, 1], 1)[0], rho))
    hole, rate, rho = (numpy.array(x) for x in zip(*rates))
    study = Study("Beverloo: discharge through a hole", beverloo.__doc__)
    for d, w in zip(hole, rate):
        study.add(f"rate through {d / D:.0f} D, kg/s", w, f"{0.58 * rho.mean() * math.sqrt(G) * (d - 1.4 * D) ** 2.5:.3g}: C = 0.58, k = 1.4")
    slope, start = numpy.polyfit(hole, (rate / (rho * math.sqrt(G))) ** 0.4, 1)
    study.add("k", -start / slope / D, "1 to 2, 1.4 +- 0.1 for spheres (Beverloo 1961, Nedderman 1992)", 1, 2)
    study.add("C", slope**2.5, "0.55 to 0.65 (Beverloo 1961)", 0.5, 0.7)
    exponent = numpy.polyfit(numpy.log(hole - 1.4 * D), numpy.log(rate), 1)[0]
    study.add("exponent of D - 1.4 d", exponent, "2.5", 2.25, 2.75)
    return study


# ---- drum ------------------------------------------------------------------------------------------------------------------


def make_drum(radius, thick, spin, grip):
    """A ring of balls about the y axis that turns as one body, D apart, between two smooth planes."""
    count = round(2 * math.pi * radius / D)
    ring = [{"kind": "sphere", "radius": D / 2, "position": [radius * math.cos(2 * math.pi * k / count), 0, radius * math.sin(2 * math.pi * k / count)]}
            for k in range(count)]  # fmt: skip
    wall = {"name": "drum", "motion": "kinematic", "shapes": ring, "drive": {"spin": [0, spin, 0]}, "material": grip}
    ends = [make_plane(f"end{side}", [0, -side * thick / 2, 0], [0, side, 0], material="end") for side in (-1, 1)]
    return [wall, *ends]


def drum(args):
    """One layer of balls between smooth ends, 1.06 D apart, in a drum of 40 D whose wall is a ring of balls; a third of it is filled.
    Means over the second half: shares in flight (no contact bears), and that turn with the wall above the axis; slope of the surface
    in its middle."""
    study = Study("Drum: regimes by Froude number", drum.__doc__)
    radius, count = 20 * D, int(0.3 * args.balls)
    found = {}
    for froude, turns, step in ((0.01, 0.4, STEP), (0.1, 0.7, 0.003), (1.5, 3, 0.002)):
        spin, draw = math.sqrt(froude * G / radius), random.Random(4)
        across = 24
        balls = [{"name": f"ball{k}", "density": DENSITY, "shape": {"kind": "sphere", "radius": round(0.5 * D * draw.uniform(1 - SPREAD, 1 + SPREAD), 7)},
                  "position": [round((k % across - (across - 1) / 2) * 1.08 * D + 0.01 * D * draw.uniform(-1, 1), 7), 0,
                               round((k // across - 14) * 1.08 * D, 7)]} for k in range(count)]  # fmt: skip
        scene = {"voussoir": 1, "step": step, "materials": {"grain": {"mu": MU}, "end": {"mu": 0}}, "pairs": [{"between": ["grain", "end"], "mu": 0}],
                 "bodies": [*make_drum(radius, 1.06 * D, spin, "grain"), *balls], "output": {"duration": round(0.5 + turns * 2 * math.pi / spin, 3), "frame": 0.02}}  # fmt: skip
        path = pathlib.Path(args.keep) / f"drum-{froude:g}.json"
        path.write_text(json.dumps(scene), encoding="utf-8")
        found[froude] = measure_drum(simulate(args, path.stem, path), radius, spin)
    slope = [found[froude][2] for froude in (0.01, 0.1)]
    study.add("Fr 0.01: slope of the surface, degrees", slope[0], "20 to 35, flat (rolling: 1e-4 to 1e-2, Mellmann 2001)", 20, 35)
    study.add("Fr 0.01: share in flight", found[0.01][0], "none", 0, 0.05)
    study.add("Fr 0.1: slope, degrees", slope[1], "steeper (cascading: 1e-3 to 0.1)", slope[0], 60)
    study.add("Fr 0.1: share that turns with the wall above the axis", found[0.1][1], "little", 0, 0.2)
    study.add("Fr 1.5: share that turns with the wall above the axis", found[1.5][1], "half (centrifuging: beyond 1)", 0.4, 0.6)
    study.add("Fr 1.5: share in flight", found[1.5][0], "none", 0, 0.1)
    return study


def measure_drum(path, radius, spin):
    """Shares in flight and of those above the axis that turn with the wall, slope of the surface in degrees; means over the last half."""
    with h5py.File(path) as file:
        balls = numpy.flatnonzero(file["bodies/motion"][:] == 0)
        pose, velocity, start = file["state/pose"][:], file["state/velocity"][:], file["contacts/offset"][:]
        pairs, pushes = file["contacts/body"][:], file["contacts/impulse"][:]
    found = []
    for frame in range(len(pose) // 2, len(pose)):
        x, z = pose[frame, balls, 0], pose[frame, balls, 2]
        part = slice(int(start[frame]), int(start[frame + 1]))
        held = numpy.unique(pairs[part][(pushes[part] ** 2).sum(axis=1) > 0])
        flying = 1 - numpy.isin(balls, held).mean()
        slip = numpy.hypot(velocity[frame, balls, 0] - spin * z, velocity[frame, balls, 2] + spin * x)
        above = ((z > 0) & (slip < 0.2 * spin * radius)).mean()
        columns = numpy.arange(-0.5 * radius, 0.5 * radius, 2 * D)
        tops = [(left + D, z[(x >= left) & (x < left + 2 * D)].max()) for left in columns if ((x >= left) & (x < left + 2 * D)).any()]
        slope = numpy.polyfit(*zip(*tops), 1)[0] if len(tops) > 4 else numpy.nan
        found.append((flying, above, abs(math.degrees(math.atan(slope)))))
    return tuple(numpy.nanmean(numpy.array(found), axis=0))


STUDIES = {"triaxial": triaxial, "shear": plane_shear, "janssen": janssen, "beverloo": beverloo, "drum": drum}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--voussoir", default="voussoir")
    parser.add_argument("--only", default=",".join(STUDIES))
    parser.add_argument("--balls", type=int, default=1500)
    parser.add_argument("--grains", type=int, default=343, help="of the triaxial test; a cube")
    parser.add_argument("--keep", help="folder for scenes and trajectories; default: a temporary one")
    parser.add_argument("--output", type=pathlib.Path)
    args = parser.parse_args()
    args.steps, args.flawed, args.seconds = 0, 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        args.keep = args.keep or folder
        pathlib.Path(args.keep).mkdir(parents=True, exist_ok=True)
        studies = [STUDIES[name](args) for name in args.only.split(",")]
    if args.output:
        write(args, studies)
    return 0 if all(row[3] for study in studies for row in study.rows) else 1


def write(args, studies):
    with open(args.output, "w", encoding="utf-8") as file:
        print("# Granular matter between walls, through a hole and in a drum\n", file=file)
        print("Written by `bench/grains.py`: balls of 1 cm ± 5 %, density 2500 kg/m³, friction 0.5, hard contact at the default tolerance, steps of", file=file)
        print(f"4 ms. {args.steps} steps in {args.seconds:.0f} s of processor time; {args.flawed} of them inaccurate.", file=file)
        for study in studies:
            print(f"\n## {study.title}\n\n{' '.join(study.text.split())}\n\n| quantity | measured | literature | |\n|---|---|---|---|", file=file)
            for what, value, literature, fits in study.rows:
                print(f"| {what} | {value:.4g} | {literature} | {'' if fits else 'outside'} |", file=file)


if __name__ == "__main__":
    sys.exit(main())
