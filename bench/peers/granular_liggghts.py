"""The hopper of bench/granular.py in LIGGGHTS: granular_liggghts.py GIVEN.json FOUND.json COMMAND

Hertz contacts with tangential history (pair gran, model hertz tangential history), restitution by their damping; steps of a fifth of the
Rayleigh time, as its manual advises. Walls are planes, the bottom with its hole and the lid are meshes. FOUND gets the processor
seconds of the steps and the mass that is out over time.
"""

import json
import math
import re
import resource
import subprocess
import sys

POISSON, SHARE = 0.3, 0.2  # of the Rayleigh time


def rayleigh_step(radius, density, young):
    shear = young / (2 * (1 + POISSON))
    return SHARE * math.pi * radius * math.sqrt(density / shear) / (0.1631 * POISSON + 0.8766)


def write_mesh(path, squares):
    """Each a, b, c, d in a loop: two triangles."""
    lines = ["solid mesh"]
    for a, b, c, d in squares:
        for triangle in ((a, b, c), (a, c, d)):
            lines += ["facet normal 0 0 1", "outer loop", *(f"vertex {x:g} {y:g} {z:g}" for x, y, z in triangle), "endloop", "endfacet"]
    with open(path, "w", encoding="utf-8") as file:
        print("\n".join([*lines, "endsolid mesh"]), file=file)


def write_meshes(side, hole, wall):
    """The bottom around the hole, the faces of the hole, and the lid."""
    a, b = side / 2, hole / 2
    outer, inner = [(-a, -a), (a, -a), (a, a), (-a, a)], [(-b, -b), (b, -b), (b, b), (-b, b)]
    squares = []
    for k in range(4):
        p, q, r, s = outer[k], outer[(k + 1) % 4], inner[(k + 1) % 4], inner[k]
        squares.append(((*p, 0), (*q, 0), (*r, 0), (*s, 0)))
        squares.append(((*s, 0), (*r, 0), (*r, -wall), (*s, -wall)))
    write_mesh("bottom.stl", squares)
    write_mesh("lid.stl", [tuple((*p, 0) for p in inner)])


def write_input(given, step, frame):
    side, out = given["side"] / 2, given["out"]
    walls = "\n".join(f"fix wall{k} all wall/gran model hertz tangential history primitive type 1 {axis}plane {sign * side:g}"
                      for k, (axis, sign) in enumerate((axis, sign) for axis in "xy" for sign in (-1, 1)))  # fmt: skip
    balls = "\n".join(f"create_atoms 1 single {x:.9g} {y:.9g} {z:.9g} units box" for x, y, z in given["places"])
    settle, rest = round(given["settle"] / step), round((given["duration"] - given["settle"]) / step)
    text = f"""atom_style granular
atom_modify map array
boundary f f f
newton off
communicate single vel yes
units si
region all block {-side - 0.02:g} {side + 0.02:g} {-side - 0.02:g} {side + 0.02:g} -0.2 1.5 units box
create_box 1 all
neighbor 0.002 bin
neigh_modify delay 0
fix m1 all property/global youngsModulus peratomtype {given["young"]:g}
fix m2 all property/global poissonsRatio peratomtype {POISSON}
fix m3 all property/global coefficientRestitution peratomtypepair 1 {given["restitution"]:g}
fix m4 all property/global coefficientFriction peratomtypepair 1 {given["mu"]:g}
pair_style gran model hertz tangential history
pair_coeff * *
{balls}
set group all diameter {2 * given["radius"]:g} density {given["density"]:g}
timestep {step:.9g}
fix fall all gravity 9.81 vector 0 0 -1
{walls}
fix bottom all mesh/surface file bottom.stl type 1
fix lid all mesh/surface file lid.stl type 1
fix meshes all wall/gran model hertz tangential history mesh n_meshes 2 meshes bottom lid
fix move all nve/sphere
region above block INF INF INF INF {out:g} INF units box
variable above equal count(all,above)
thermo_style custom step cpu v_above
thermo {frame}
thermo_modify lost ignore norm no
run {settle}
unfix meshes
unfix lid
fix meshes all wall/gran model hertz tangential history mesh n_meshes 1 meshes bottom
run {rest}
"""
    with open("in.hopper", "w", encoding="utf-8") as file:
        file.write(text)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        given = json.load(file)
    step = rayleigh_step(given["radius"], given["density"], given["young"])
    frame = max(1, round(given["frame"] / step))
    write_meshes(given["side"], given["hole"], given["wall"])
    write_input(given, step, frame)
    done = subprocess.run([sys.argv[3], "-in", "in.hopper", "-log", "log.hopper"], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout[-2000:] + done.stderr)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime  # its own clock is that of the wall
    rows, wall, runs = [], [0.0, 0.0], -1
    with open("log.hopper", encoding="utf-8") as file:
        for line in file:
            runs += line.split()[:1] == ["Step"]
            numbers = re.match(r"^ *(\d+) +([\d.e+-]+) +(\d+) *$", line)
            if numbers and 0 <= runs < 2:
                rows.append((int(numbers[1]) * step, int(numbers[3])))
                wall[runs] = float(numbers[2])
    mass = given["density"] * 4 / 3 * math.pi * given["radius"] ** 3
    series = [(t, mass * (len(given["places"]) - above)) for t, above in rows]
    seconds = [used * part / sum(wall) for part in wall]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump({"filling": seconds[0], "discharge": seconds[1], "series": series, "steps": round(given["duration"] / step)}, file)


if __name__ == "__main__":
    main()
