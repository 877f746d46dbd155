#!/bin/bash
# voussoir import as a user meets it: drawings of every format, names, units, supports, reports, messages; a STEP assembly
# to a standing arch in one command (skipped without gmsh).
# usage: tests/system/test_import.sh COMMAND
set -uo pipefail
source "$(dirname "$0")/checks.sh"
here=$(cd "$(dirname "$0")" && pwd)

command=$1
cd "$work" || exit 2
"$python" "$here/import_drawings.py" . || exit 2

said() { if grep -Eq -- "$1" out; then ok; else bad "not said: $1: $(head -c 900 out)"; fi; }
warned() { if grep -Eq -- "$1" err; then ok; else bad "no warning: $1: $(head -c 900 err)"; fi; }

# scene FILE EXPRESSION: Python, true for the scene `s`, its bodies `b` by name, and points(body)
scene() {
    if "$python" - "$1" "$2" <<'PYTHON'; then ok; else bad "$1: not true: $2"; fi
import json, sys
from math import cos, pi, sin
s = json.load(open(sys.argv[1]))
b = {x["name"]: x for x in s["bodies"]}
def points(body):
    return {tuple(p) for p in body["shape"]["points"]}
def corners(x, y, z, w, d, h):
    return {(x + i * w, y + j * d, z + k * h) for i in (0, 1) for j in (0, 1) for k in (0, 1)}
def near(p, q, tol=1e-9):
    return len(p) == len(q) and all(min(max(abs(u - v) for u, v in zip(i, j)) for j in q) <= tol for i in p)
sys.exit(not eval(sys.argv[2]))
PYTHON
}

# ---- usage ------------------------------------------------------------------------------------------------------

expect 0 '' import --help
said '^examples'
expect 1 '^voussoir: import: no drawing given; ' import
expect 1 '^voussoir: import: more than one drawing given; ' import gate.obj gate.stl
expect 1 "^voussoir: import: --fixed 'a,,b' has an empty name; " import gate.obj --fixed a,,b
expect 1 '^voussoir: gate.obj: is an input, ' import gate.obj --ground -o gate.obj
expect 1 '^voussoir: import: arch.step states its unit; omit --unit' import arch.step --unit mm
expect 2 '^voussoir: absent.obj: does not exist; ' import absent.obj --ground
expect 2 '^voussoir: part.xyz: the name must end with ' import part.xyz
expect 2 '^voussoir: /none/gate.json: ' import gate.obj --unit mm --ground -o /none/gate.json

# Other commands say what to do with a drawing.
for name in statics run view; do
    expect 1 '^voussoir: gate.obj: is a drawing, not a scene; make one of it: voussoir import gate.obj ' $name gate.obj
done
expect 1 '^voussoir: gate.obj: is a drawing, not a scene; ' limit gate.obj --load x
expect 1 '^voussoir: Arch.STEP: is a drawing, not a scene; ' statics Arch.STEP

# ---- OBJ ---------------------------------------------------------------------------------------------------------

expect 0 '' import gate.obj --unit mm --ground --statics -o gate.json
said '^gate.obj: 3 bodies$'
said '^  volume              0.173 m\^3; mass of moving bodies 380.6 kg$'
said '^  extents             1.3 x 0.2 x 1.15 m, '
said '^  interfaces          4 of 0.24 m\^2, 16 contacts$'
said '^  statics             stands$'
said '^written to gate.json$'
scene gate.json 'list(b) == ["ground", "left", "right", "lintel"] and b["ground"]["motion"] == "static"'
scene gate.json 'near(points(b["left"]), corners(0, 0, 0, .3, .2, .9), 1e-15) and near(points(b["lintel"]), corners(0, 0, .9, 1.3, .2, .25), 1e-15)'
scene gate.json 'b["left"]["material"] == b["right"]["material"] == "granite" and b["lintel"]["material"] == "oak"'
scene gate.json 's["materials"] == {"granite": {"mu": .6}, "oak": {"mu": .6}} and b["left"]["density"] == 2200'
expect 0 '' statics gate.json
said '^gate.json: stands$'
expect 0 '' limit gate.json --load x
expect 0 '' run gate.json --quiet
said 'outcome +stands: at rest'
[[ $(wc -l <gate.json) -gt 30 ]] && ok || bad "the scene is not one line per point"

expect 0 '' import groups.obj --unit mm --ground -o groups.json
scene groups.json 'list(b) == ["ground", "left", "right", "lintel"]'
expect 0 '' import gate.obj --unit mm --fixed left,right --density 1000 --mu 0.3 -o gate.json
scene gate.json 'b["left"]["motion"] == b["right"]["motion"] == "static" and "motion" not in b["lintel"] and "ground" not in b'
scene gate.json 'b["lintel"]["density"] == 1000 and s["materials"]["oak"]["mu"] == .3'
expect 0 '' import upright.obj --unit mm --up y --ground -o upright.json
scene upright.json 'near(points(b["lintel"]), corners(0, 0, .9, 1.3, .2, .25), 1e-15)'
expect 0 '' import turned.obj --ground -o turned.json
said '^  shapes              3 convex, 0 not convex; 0 static$'
said 'metres, as the file does not state it; --unit sets another one'
expect 0 '' import fine.obj --ground -o fine.json
scene fine.json 'points(b["fine"]) == corners(0, 0, 0, 1, 1, 1)'

# units that look wrong, and no support
expect 0 '^voussoir: gate.obj: is 1300 m large; if that is wrong, try --unit mm \(1.3 m\), --unit cm \(13 m\), ' import gate.obj --ground
expect 0 '^voussoir: tiny.obj: is 1.3e-06 m large; if that is wrong, try another --unit' import tiny.obj --unit mm --ground
expect 0 '^voussoir: metres.obj: is 0.0013 m large; if that is wrong, try --unit m \(1.3 m\)' import metres.obj --unit mm --ground
expect 0 '^voussoir: metres.obj: no body is static, .* add --ground, --fixed NAME or --fix-lowest' import metres.obj
expect 1 "^voussoir: metres.obj: there is no object 'middle' to fix; use one of left, right, lintel" import metres.obj --fixed left,middle

# several solids under one name, and names of ours
expect 0 "^voussoir: twins.obj: object 'pair' has 2 separate solids, " import twins.obj --ground -o twins.json
scene twins.json 'list(b) == ["ground", "pair-1", "pair-2", "world-2"]'
expect 0 "^voussoir: twins.obj: object 'pair' has 2 separate solids, " import twins.obj --fixed pair -o twins.json
scene twins.json 'b["pair-1"]["motion"] == b["pair-2"]["motion"] == "static"'

# names that are equal where they are cut, and many equal names
expect 0 '' import long.obj --fixed 'a name that a program made of the way through all of its assemblies: part two' -o long-obj.json
said '^long.obj: 2 bodies$'
scene long-obj.json 'len(b) == 2 and all(len(n) <= 62 for n in b) and [x.get("motion") for x in s["bodies"]] == [None, "static"]'
expect 0 '' import long.json --ground -o from-long.json
said '^long.json: 2 bodies$'
expect 0 '' import piers.msh --unit cm --ground -o piers.json
scene piers.json '{n for n in b if n != "ground"} == {"pier", *(f"pier-{k}" for k in range(2, 2001))}'

# triangles with a vertex twice are no solids
expect 0 '' import apex.obj --ground -o apex.json
said '^apex.obj: 1 body$'
scene apex.json 'len(points(b["apex"])) == 5'

# not convex, not closed, without volume
expect 0 "^voussoir: corner.obj: object 'corner' is not convex; the scene divides it into hulls" import corner.obj --ground --statics -o corner.json
said '^  volume              3 m\^3'
said '^  statics             stands$'
scene corner.json 'b["corner"]["shape"]["kind"] == "mesh" and len(b["corner"]["shape"]["vertices"]) == 12 and "decompose" in b["corner"]["shape"]'
expect 0 '' run corner.json --quiet
"$command" import open.obj --ground -o open.json >out 2>err && ok || bad "open.obj: $(cat err)"
warned "^voussoir: open.obj: object 'cup' is not closed; its convex hull is used"
warned "^voussoir: open.obj: object 'sheet' has a part without volume, which is omitted"
said '^  to check            0 objects with several solids, 1 not closed, 1 parts without volume$'
scene open.json 'points(b["cup"]) == corners(0, 0, 0, 1, 1, 1) and "sheet" not in b'

# ---- STL, PLY, DXF, COMPAS ---------------------------------------------------------------------------------------

expect 0 '' import gate.stl --ground -o stl.json
scene stl.json 'list(b) == ["ground", "left", "right", "lintel"] and near(points(b["left"]), corners(0, 0, 0, .3, .2, .9), 1e-15)'
# Bricks that share edges and corners, without names.
expect 0 '' import wall.stl --ground --statics -o wall.json
said '^wall.stl: 12 bodies$'
said '^  statics             stands$'
scene wall.json 'list(b) == ["ground"] + [f"block-{k}" for k in range(1, 13)]'
scene wall.json 'all(points(b[f"block-{1 + 4 * r + c}"]) == corners(.25 * c, 0, .125 * r, .25, .125, .125) for r in range(3) for c in range(4))'
for form in ascii binary_little_endian binary_big_endian; do
    expect 0 '' import $form.ply --ground -o ply.json
    scene ply.json 'near(points(b["block-3"]), corners(0, 0, .9, 1.3, .2, .25), 1e-15)'
done
expect 0 '^voussoir: gate.dxf: 1 entities are not 3DFACE and are ignored' import gate.dxf --ground -o dxf.json
said '^  unit                0.001 m$'
scene dxf.json 'list(b) == ["ground", "left", "right", "lintel"] and near(points(b["right"]), corners(1, 0, 0, .3, .2, .9), 1e-15)'
expect 0 '' import compas.json --statics -o from-compas.json
said '^  shapes              3 convex, 0 not convex; 2 static$'
said '^  statics             stands$'
scene from-compas.json 'b["block-0"]["motion"] == b["block-1"]["motion"] == "static" and "motion" not in b["block-2"]'
expect 0 '' import old.json -o from-old.json
expect 0 '^voussoir: list.json: no body is static, so that everything falls; add --ground, --fixed NAME or --fix-lowest \(2 of 3\)$' import list.json
expect 0 '' import list.json --fix-lowest --statics -o from-list.json
said '^  statics             stands$'
scene from-list.json '[n for n in b if b[n].get("motion")] == ["block-0", "block-1"]'
scene from-old.json 'b["block-0"]["motion"] == "static" and "motion" not in b["block-1"]'

# ---- gaps --------------------------------------------------------------------------------------------------------

expect 0 '' import loose.obj --ground
said 'largest gap         0.0003 m \(left/lintel\); overlap 0.0002 m \(right/lintel\)'
expect 0 '' import loose.obj --ground --snap 0.001 --statics -o snapped.json
said '^  snapped             4 corners, by at most 0.0003 m$'
said '^  largest gap         [0-9.e-]+ m.*; overlap '
said '^  statics             stands$'
scene snapped.json 'near(points(b["lintel"]), corners(0, 0, .9, 1.3, .2, .25), 1e-12)'
# the volume is that of the scene
said '^  volume              0.173 m\^3; mass of moving bodies 380.6 kg$'

# All joints open: the report tells how far the neighbours are, and the value that it proposes closes them.
"$python" - <<'PYTHON'
import itertools
with open("open-joints.obj", "w") as f:
    for k in range(4):
        f.write(f"o stone{k}\n")
        for x, y, z in itertools.product((0, 1), (0, 1), (0, 1)):
            f.write(f"v {x} {y} {k * 0.503 + 0.5 * z}\n")
        for face in ((1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)):
            f.write("f " + " ".join(str(8 * k + i) for i in face) + "\n")
two = open("open-joints.obj").read().split("o stone2")[0]
with open("far-apart.obj", "w") as f:
    f.write(two.replace(" 0.503\n", " 5\n").replace(" 1.003\n", " 5.5\n"))
PYTHON
expect 0 '^voussoir: open-joints.obj: 3 blocks touch nothing; stone[1-3] is 0.003 m away from stone[0-3], its nearest neighbour. If the joints should be closed, use --snap 0.004$' import open-joints.obj --fixed stone0 --statics
said '^  largest gap         none: no faces meet$'
said '^  statics             falls$'
expect 0 '' import open-joints.obj --fixed stone0 --snap 0.004 --statics
said '^  interfaces          3 of 3 m'
said '^  statics             stands$'
expect 0 '' import far-apart.obj --fixed stone0
said '; 1 block touches nothing$'
# ---- messages ----------------------------------------------------------------------------------------------------

wrong() { expect 2 "^voussoir: $1$2" import "$1" --ground; }
wrong empty.obj ': no vertices'
wrong points.obj ': no faces'
wrong far.obj ': vertex 2 is farther than 1e15 m from the origin'
wrong none.dxf ": no 3DFACE among 1 entities; use 'export as 3D faces' or 'explode' "
wrong code.dxf ", line 1: expected a group code .*, found 'zero'"
wrong number.dxf ", line 8: expected a finite number, found 'one'"
wrong word.ply ", line 1: expected ply, found 'plx'"
wrong format.ply ", line 2: expected ascii, binary_little_endian or binary_big_endian, found 'utf8'"
wrong noformat.ply ': the header has no format'
wrong line.ply ", line 3: expected format, element, property, comment or end_header, found 'something'"
wrong count.ply ", line 3: expected a number of elements, found 'many'"
wrong early.ply ', line 3: expected an element before its properties'
wrong type.ply ", line 4: expected a type, found 'real'"
wrong short.ply ': the file ends before its last element'
wrong text.ply ", line 6: expected a number, found 'x'"
wrong finite.ply ': vertex 0 is not finite'
wrong corner.ply ': a face has vertex 7 of 1'
wrong two.ply ': face 0 has fewer than 3 corners'
wrong list.ply ': a list of 600 values; faces have 3 to 512 corners'
wrong elements.ply ', line 19: expected at most 16 elements'
wrong properties.ply ', line 68: expected at most 64 properties'
wrong begin.msh ", line 1: expected .MeshFormat, found 'hello'"
wrong version.msh ": MSH version 4.1; use 'gmsh FILE -2 -format msh2 -o out.msh'"
wrong node.msh ', line 10: there is no node 9'
wrong number.msh ", line 6: expected a finite number, found 'x'"
wrong many.msh ', line 5: expected as many entries as the file can hold'
wrong tags.msh ', line 6: expected at most 64 tags'
wrong wrong.json ': neither a scene nor a model of COMPAS '
wrong scene.json ": is a scene already; use 'voussoir run' or 'voussoir statics'"
wrong broken.json ':1: column '
wrong mesh.json ': block 0 is not a mesh with "vertex" and "face"'
wrong vertex.json ': block 0: vertex 0: x is not a number'
wrong face.json ': block 0: face 0 has 2 corners; 3 to 512 are possible'
wrong key.json ': block 0: face 0 has a vertex that the block has not'
"$command" import sheet.obj --ground >out 2>err
[[ $? -eq 2 ]] && ok || bad "sheet.obj: is accepted"
warned '^voussoir: sheet.obj: no object has a volume'

# ---- scenes of Rigid IPC ------------------------------------------------------------------------------------------

# Meshes in a folder around the scene; a card that falls on a floor, a lid that only turns, one part of a mesh of two.
mkdir -p ipc/meshes/parts ipc/scenes/deep
cat >ipc/meshes/card.obj <<'END'
v -1 0 -1
v 1 0 -1
v 1 0 1
v -1 0 1
f 1 3 2
f 1 4 3
END
cat >ipc/meshes/parts/box.off <<'END'
OFF 8 6 0
0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1
4 0 3 2 1
4 4 5 6 7
4 0 1 5 4
4 2 3 7 6
4 0 4 7 3
4 1 2 6 5
END
printf 'v 0 0 0\nv 1 0 0\nl 1 2\n' >ipc/meshes/line.obj
cat >ipc/scenes/deep/cards.json <<'END'
{"timestep": 0.01, "max_time": 0.2, "solver": "ipc_solver", "rigid_body_problem": {"gravity": [0, -9.8, 0],
 "coefficient_friction": 0.3, "coefficient_restitution": -1, "rigid_bodies": [
  {"mesh": "card.obj", "scale": 5, "type": "static"},
  {"mesh": "card.obj", "position": [0, 0.01, 0], "density": 700},
  {"mesh": "parts/box.off", "dimensions": [2, 1, 4], "rotation": [0, 90, 0], "position": [3, 2, 0],
   "is_dof_fixed": [true, true, true, true, false, true], "#torque": [0, 0, 1]},
  {"mesh": "card.obj", "enabled": false}]}}
END
sed 's/card.obj", "position"/line.obj", "position"/' ipc/scenes/deep/cards.json >ipc/scenes/deep/lines.json
expect 0 '' import ipc/scenes/deep/cards.json --thickness 0.02 -o cards.json
said '^ipc/scenes/deep/cards.json: 3 bodies$'
said '^  shapes              3 convex, 0 not convex; 1 static$'
said '^  flat bodies         2, made 0.02 m thick$'
said '^  joints              1 for fixed degrees of freedom$'
said '^  time                0.2 s in steps of 0.01 s$'
scene cards.json 'set(b) == {"card-0", "card-1", "box-2"} and b["card-0"]["position"][2] == -.01'
scene cards.json 'near([b["box-2"]["position"]], [[5, 1, 2.5]]) and s["joints"][0]["kind"] == "revolute" and near([s["joints"][0]["frame"]["axis"]], [[0, 0, 1]])'
expect 0 '' run cards.json
said 'outcome +stands'
# A trough of which the corners run counter-clockwise seen from outside, and a card in it: turned over, it holds the card.
sed -n '/^OFF/s/6/5/;/^4 2 3 7 6/!p' ipc/meshes/parts/box.off >ipc/meshes/parts/trough.off
cat >ipc/scenes/deep/trough.json <<'END'
{"timestep": 0.01, "max_time": 0.3, "rigid_body_problem": {"gravity": [0, -9.8, 0], "coefficient_friction": 0.3, "rigid_bodies": [
  {"mesh": "parts/trough.off", "scale": 4, "type": "static"},
  {"mesh": "card.obj", "position": [2, 0.2, 2], "density": 700}]}}
END
"$command" import ipc/scenes/deep/trough.json -o trough.json >out 2>err && ok || bad "trough.json: $(cat err)"
warned 'rigid_bodies.0. .parts/trough.off. is open, and bodies start behind it; its triangles are turned over$'
expect 0 '' run trough.json --duration 1
said 'outcome +stands'
expect 0 '' import ipc/scenes/deep/cards.json --meshes ipc/meshes
expect 2 'rigid_bodies\[0\] \(card.obj\) is not in the folder of the meshes' import ipc/scenes/deep/cards.json --meshes ipc
expect 2 'rigid_bodies\[1\] \(line.obj\) is codimensional: ' import ipc/scenes/deep/lines.json
expect 1 'a scene of Rigid IPC says itself what is fixed; omit that option' import ipc/scenes/deep/cards.json --ground
expect 0 '' import ipc/meshes/parts/box.off --ground
said '^  volume              1 m'

# ---- STEP --------------------------------------------------------------------------------------------------------

PATH=/none "$command" import gate.stp >out 2>err
[[ $? -eq 2 ]] && ok || bad "gate.stp: is read without gmsh"
warned '^voussoir: gate.stp: STEP and IGES files are read through gmsh, which is not installed; install it \(apt install gmsh\)'
if ! command -v gmsh >/dev/null; then
    echo "gmsh is not installed: STEP and IGES are not tested"
else
    # An arch of 20 stones in millimetres between two abutments.
    cat >arch.geo <<'GEO'
SetFactory("OpenCASCADE");
n = 20; r = 2000; t = 400; w = 500;
For k In {0:n-1}
  a = Pi*k/n; b = Pi*(k+1)/n;
  p = newp;
  Point(p) = {r*Cos(a), 0, r*Sin(a)}; Point(p+1) = {(r+t)*Cos(a), 0, (r+t)*Sin(a)};
  Point(p+2) = {(r+t)*Cos(b), 0, (r+t)*Sin(b)}; Point(p+3) = {r*Cos(b), 0, r*Sin(b)};
  l = newl; Line(l) = {p, p+1}; Line(l+1) = {p+1, p+2}; Line(l+2) = {p+2, p+3}; Line(l+3) = {p+3, p};
  c = newll; Curve Loop(c) = {l, l+1, l+2, l+3}; s = news; Plane Surface(s) = {c};
  Extrude {0, w, 0} { Surface{s}; }
EndFor
Box(1000) = {r-100, 0, -400, t+200, w, 400};
Box(1001) = {-r-t-100, 0, -400, t+200, w, 400};
GEO
    gmsh arch.geo -0 -o drawn.step >log 2>&1 || bad "gmsh: $(tail -3 log)"
    # Names of parts, as CAD programs write them: gmsh itself numbers the parts.
    "$python" - <<'PYTHON'
import re
text, part = open("drawn.step").read(), iter(["arch", *(f"stone {k}" for k in range(1, 21)), "right", "left"])
def name(match):
    new = next(part, None)
    return f"PRODUCT('{new}','{new}'" if new else match[0]
open("arch.step", "w").write(re.sub(r"PRODUCT\('([^']*)',\s*'([^']*)'", name, text))
PYTHON
    expect 0 '' import arch.step --fixed left,right --statics -o arch.json
    said '^arch.step: 22 bodies$'
    said '^  shapes              22 convex, 0 not convex; 2 static$'
    said '^  extents             5 x 0.5 x 2.8 m, '
    said '^  interfaces          21 of 4.2 m\^2, 84 contacts$'
    said '^  statics             stands$'
    scene arch.json 'set(b) == {"left", "right", *(f"stone {k}" for k in range(1, 21))}'
    scene arch.json 'b["left"]["motion"] == "static" and near(points(b["left"]), corners(-2.5, 0, -.4, .6, .5, .4))'
    # corners of the drawing, to 1e-9 of its size
    scene arch.json 'all(near(points(b[f"stone {k + 1}"]), {(r * cos(pi * j / 20), y, r * sin(pi * j / 20)) for r in (2, 2.4) for y in (0, .5) for j in (k, k + 1)}, 2e-9) for k in range(20))'
    expect 0 '' run arch.json --quiet --duration 0.1
    said 'outcome +stands'

    # A unit that is wrong in the file cannot be corrected by --unit.
    "$python" - <<'PYTHON'
text = open("arch.step").read()
assert ".MILLI." in text
open("large.step", "w").write(text.replace(".MILLI.", "$"))
PYTHON
    expect 0 '^voussoir: large.step: is 5000 m large; if that is wrong, check the unit in the program that wrote it$' import large.step --fixed left,right

    # gmsh that fails or crashes is not an interruption.
    mkdir -p failing crashing
    printf '#!/bin/sh\necho "Error   : no such thing" >&2\nexit 3\n' >failing/gmsh
    printf '#!/bin/sh\nkill -SEGV $$\n' >crashing/gmsh
    chmod +x failing/gmsh crashing/gmsh
    PATH=$PWD/failing:$PATH expect 2 '^voussoir: arch.step: gmsh cannot read it' import arch.step
    PATH=$PWD/crashing:$PATH expect 2 '^voussoir: arch.step: gmsh crashed, or needs more than the [0-9.]+ GB of memory that it may use; export OBJ or STL' import arch.step
    # One that is too slow with a child of its own, says too much, writes too much, or takes too much memory is stopped.
    mkdir -p slow chatty writing hungry lonely
    printf '#!/bin/sh\n(sleep 3; touch %s/survived) &\nsleep 60\n' "$PWD" >slow/gmsh
    printf '#!/bin/sh\nyes "Info    : nothing"\n' >chatty/gmsh
    printf '#!/bin/sh\ntruncate -s 3G out.msh; kill -XFSZ $$\n' >writing/gmsh
    cat >hungry/gmsh <<PYTHON
#!$python
import mmap, os, resource, signal
limit = resource.getrlimit(resource.RLIMIT_AS)[1]
if limit != resource.RLIM_INFINITY:
    try:
        mmap.mmap(-1, limit + 1, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)  # MAP_NORESERVE
    except (OSError, MemoryError):
        os.kill(os.getpid(), signal.SIGABRT)
PYTHON
    cat >lonely/gmsh <<PYTHON
#!$python
# What a confined program sees: no network but a loopback device that is down, no settings, no input, no files of the command.
import os, resource, stat, sys
here = os.path.realpath(os.getcwd())
wrong = []
if [n for n in os.listdir("/sys/class/net")] and len(open("/proc/net/dev").readlines()) > 3:
    wrong.append("network")
if stat.S_IMODE(os.stat(here).st_mode) != 0o700:
    wrong.append("folder")
if {os.path.realpath(os.environ[n]) for n in ("HOME", "GMSH_HOME", "TMPDIR", "XDG_CONFIG_HOME")} != {here}:
    wrong.append("home")
if os.path.realpath("/proc/self/fd/0") != "/dev/null" or [k for k in range(3, 100) if os.path.exists(f"/proc/self/fd/{k}") and "gmsh" not in os.path.realpath(f"/proc/self/fd/{k}") and "/proc/" not in os.path.realpath(f"/proc/self/fd/{k}")]:
    wrong.append("descriptors")
if resource.getrlimit(resource.RLIMIT_CORE)[1] != 0:
    wrong.append("core")
print("Error   : confined" if not wrong else f"Error   : not confined: {wrong}")
sys.exit(1)
PYTHON
    chmod +x slow/gmsh chatty/gmsh writing/gmsh hungry/gmsh lonely/gmsh
    PATH=$PWD/slow:$PATH expect 2 '^voussoir: arch.step: gmsh did not finish within 0.5 s; allow more with --max-time' import arch.step --max-time 0.5
    PATH=$PWD/chatty:$PATH TMPDIR=$PWD expect 2 '^voussoir: arch.step: gmsh did not finish within 1 s' import arch.step --max-time 1
    PATH=$PWD/writing:$PATH expect 2 '^voussoir: arch.step: gmsh wrote a file of more than 2.15 GB; ' import arch.step
    PATH=$PWD/hungry:$PATH expect 2 '^voussoir: arch.step: gmsh crashed, or needs more than the ' import arch.step
    if unshare -Urn true 2>/dev/null; then
        PATH=$PWD/lonely:$PATH expect 2 '^voussoir: arch.step: gmsh cannot read it: confined; ' import arch.step
    fi
    # Settings of the user do not change what the script means.
    mkdir -p home && echo 'Mesh.MshFileVersion = 4.1; Geometry.OCCTargetUnit = "KM";' | tee home/.gmshrc >home/.gmsh-options
    HOME=$PWD/home expect 0 '' import arch.step --fixed left,right
    said '^  extents             5 x 0.5 x 2.8 m, '

    # A hollow and a round face.
    cat >round.geo <<'GEO'
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1000, 1000, 500}; Cylinder(2) = {500, 500, 0, 0, 0, 500, 300};
BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; }
Cylinder(10) = {3000, 0, 0, 0, 0, 1000, 400};
GEO
    gmsh round.geo -0 -o round.step >log 2>&1
    "$command" import round.step --ground -o round.json >out 2>err && ok || bad "round.step: $(cat err)"
    said '^  shapes              1 convex, 1 not convex; 0 static$'
    warned 'is not convex; the scene divides it into hulls'
    warned 'has round or warped faces; its convex hull is used'
    # gmsh runs files whose names it does not know as scripts: ours never get there, whatever their names and contents.
    for name in evil.Step evil.sTp evil.Iges evil.step evil.STEP evil.IGS; do
        printf 'SystemCall "touch %s/executed";\nSetFactory("OpenCASCADE"); Box(1) = {0, 0, 0, 1, 1, 1};\n' "$PWD" >$name
        expect 2 "^voussoir: $name: does not begin like an? (STEP|IGES) file; " import $name
        { echo 'ISO-10303-21;'; cat $name; } >signed.$name
        expect 2 "^voussoir: signed.$name: " import signed.$name
    done
    [[ ! -e executed ]] && ok || bad "a drawing executed a command"
    cp arch.step arch.Step
    expect 0 '' import arch.Step --fixed left,right
    sleep 1 # the child of the slow one would have written by now
    [[ ! -e survived ]] && ok || bad "a child of gmsh outlived the command"
    printf 'ISO-10303-21;\nnonsense\n' >broken.step
    expect 2 '^voussoir: broken.step: (gmsh cannot read it|no solids)' import broken.step
fi

echo "$checks checks, $failures failed"
[[ $failures -eq 0 ]]
