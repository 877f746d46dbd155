"""Writes small drawings in every format that `voussoir import` reads, for test_import.sh.

usage: tests/system/import_drawings.py FOLDER

A gate of two piers and a lintel, in millimetres where the format has names and in metres elsewhere; an L-shaped stone; a wall of touching bricks without names; files that are wrong.
"""

import json
import struct
import sys
from pathlib import Path

folder = Path(sys.argv[1])
FACES = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]


def box(x, y, z, w, d, h):
    return [(x + (k & 1) * w, y + (k >> 1 & 1) * d, z + (k >> 2) * h) for k in range(8)], FACES


def wedge(low, high, inset):
    (p, f), (q, _) = box(0, 0, low, 1, 1, 0), box(inset, inset, high, 1 - 2 * inset, 1 - 2 * inset, 0)
    return p[:4] + q[:4], f


def triangles(block):
    points, faces = block
    return [(points[f[0]], points[f[k]], points[f[k + 1]]) for f in faces for k in range(1, len(f) - 1)]


def write_obj(name, blocks, keyword="o", more=None):
    lines, first = [], 1
    for title, (points, faces) in blocks:
        lines += [f"{keyword} {title}"] if title else []
        lines += (more or {}).get(title, [])
        lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in points]
        lines += ["f " + " ".join(str(first + k) for k in face) for face in faces]
        first += len(points)
    (folder / name).write_text("\n".join(lines) + "\n")


def write_stl(name, blocks):
    lines = []
    for title, block in blocks:
        lines.append(f"solid {title}")
        for t in triangles(block):
            lines += ["facet normal 0 0 0", "outer loop"] + [f"vertex {x!r} {y!r} {z!r}" for x, y, z in t] + ["endloop", "endfacet"]
        lines.append(f"endsolid {title}")
    (folder / name).write_text("\n".join(lines) + "\n")


def write_binary_stl(name, blocks):
    all_of = [t for _, block in blocks for t in triangles(block)]
    records = [struct.pack("<12fH", 0, 0, 0, *(x for p in t for x in p), 0) for t in all_of]
    (folder / name).write_bytes(b"\0" * 80 + struct.pack("<I", len(records)) + b"".join(records))


def write_ply(name, blocks, form):
    points = [p for _, block in blocks for p in block[0]]
    faces, first = [], 0
    for _, block in blocks:
        faces += [[first + k for k in face] for face in block[1]]
        first += len(block[0])
    head = f"ply\nformat {form} 1.0\ncomment by hand\nelement vertex {len(points)}\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\n"
    head += f"element face {len(faces)}\nproperty list uchar int vertex_indices\nelement none 0\nend_header\n"
    if form == "ascii":
        body = "".join(f"{x!r} {y!r} {z!r} 7\n" for x, y, z in points) + "".join(f"{len(f)} {' '.join(map(str, f))}\n" for f in faces)
        data = body.encode()
    else:
        order = "<" if "little" in form else ">"
        data = b"".join(struct.pack(order + "3dB", *p, 7) for p in points)
        data += b"".join(struct.pack(order + f"B{len(f)}i", len(f), *f) for f in faces)
    (folder / name).write_bytes(head.encode() + data)


def write_dxf(name, blocks, unit):
    pairs = [(0, "SECTION"), (2, "HEADER"), (9, "$INSUNITS"), (70, unit), (0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES")]
    for layer, block in blocks:
        for face in block[1]:
            corners = [block[0][k] for k in face]
            corners += corners[-1:] if len(corners) == 3 else []
            pairs += [(0, "3DFACE"), (8, layer)]
            pairs += [(10 * (axis + 1) + k, repr(c[axis])) for k, c in enumerate(corners) for axis in range(3)]
    pairs += [(0, "LINE"), (8, "axes"), (0, "ENDSEC"), (0, "EOF")]
    (folder / name).write_text("".join(f"{code:3}\n{value}\n" for code, value in pairs))


def mesh(block):
    vertex = {str(k): {"x": x, "y": y, "z": z} for k, (x, y, z) in enumerate(block[0])}
    return {"attributes": {"name": "Block"}, "vertex": vertex, "face": {str(k): list(f) for k, f in enumerate(block[1])}}


def write_compas(name, blocks, supports):
    nodes = {str(k): {"block": {"dtype": "Block", "data": mesh(b)}, "is_support": k in supports} for k, (_, b) in enumerate(blocks)}
    text = {"dtype": "compas_assembly.datastructures/Assembly", "data": {"graph": {"dtype": "Graph", "data": {"node": nodes, "edge": {}}}}}
    (folder / name).write_text(json.dumps(text))


def write_old_compas(name, blocks, supports):
    flags = {str(k): {"is_support": k in supports} for k in range(len(blocks))}
    (folder / name).write_text(json.dumps({"assembly": {"vertex": flags}, "blocks": {str(k): mesh(b) for k, (_, b) in enumerate(blocks)}}))


def scaled(blocks, s):
    return [(n, ([tuple(s * x for x in p) for p in points], faces)) for n, (points, faces) in blocks]


gate = [("left", box(0, 0, 0, 300, 200, 900)), ("right", box(1000, 0, 0, 300, 200, 900)), ("lintel", box(0, 0, 900, 1300, 200, 250))]
gate_m = scaled(gate, 1e-3)
write_obj("gate.obj", gate, more={"left": ["usemtl granite"], "lintel": ["usemtl oak"]})
write_obj("groups.obj", gate, keyword="g")
write_obj("upright.obj", [(n, ([(x, z, -y) for x, y, z in points], faces)) for n, (points, faces) in gate])
write_obj("metres.obj", gate_m)
write_obj("twins.obj", [("pair", box(0, 0, 0, 1, 1, 1)), ("pair", box(2, 0, 0, 1, 1, 1)), ("world", box(4, 0, 0, 1, 1, 1))])
write_obj("tiny.obj", scaled(gate, 1e-6))
# Faces inside out, and one of them at random.
turned = [(n, (points, [f[::-1] if k % 2 else f for k, f in enumerate(faces)])) for n, (points, faces) in gate_m]
write_obj("turned.obj", turned)
# An edge of each stone is divided, a face has its middle as a corner.
points, faces = box(0, 0, 0, 1, 1, 1)
fine = points + [(0.5, 0, 0), (0.5, 0.5, 1)]
write_obj("fine.obj", [("fine", (fine, [(0, 2, 3, 1, 8), (4, 5, 9), (5, 7, 9), (7, 6, 9), (6, 4, 9), (0, 8, 1, 5, 4), *faces[3:]]))])
outline = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
corner = [(x, y, 0.0) for x, y in outline] + [(x, y, 1.0) for x, y in outline]
sides = [(k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k) for k in range(6)]
write_obj("corner.obj", [("corner", (corner, [(5, 4, 3, 2, 1, 0), (6, 7, 8, 9, 10, 11), *sides]))])
write_obj("open.obj", [("cup", (points, faces[:1] + faces[2:])), ("sheet", (points[:4], faces[:1]))])
write_obj("sheet.obj", [("sheet", (points[:4], faces[:1]))])
write_stl("gate.stl", gate_m)
wall = [("", box(0.25 * c, 0, 0.125 * r, 0.25, 0.125, 0.125)) for r in range(3) for c in range(4)]
write_binary_stl("wall.stl", wall)
for form in ("ascii", "binary_little_endian", "binary_big_endian"):
    write_ply(f"{form}.ply", gate_m, form)
write_dxf("gate.dxf", gate, 4)
write_compas("compas.json", gate_m, {0, 1})
write_old_compas("old.json", gate_m, {0})
(folder / "list.json").write_text(json.dumps([{"dtype": "compas.datastructures/Mesh", "data": mesh(b)} for _, b in gate_m]))
# The lintel 0.3 mm above the left pier and 0.2 mm inside of the right one.
loose = [gate_m[0], gate_m[1], ("lintel", ([(x, y, z + (3e-4 if x < 0.5 else -2e-4) * (z < 1)) for x, y, z in gate_m[2][1][0]], FACES))]
write_obj("loose.obj", loose)

# Triangles with a vertex twice: at the apex of a pyramid of quadrangles.
apex = ([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0.5, 1)], [(3, 2, 1, 0), *((k, (k + 1) % 4, 4, 4) for k in range(4))])
write_obj("apex.obj", [("apex", apex)])
# Names that agree in their first 60 bytes.
long = "a name that a program made of the way through all of its assemblies: part "
write_obj("long.obj", [(long + "one", box(0, 0, 0, 1, 1, 1)), (long + "two", box(2, 0, 0, 1, 1, 1))])
nodes = {long + part: mesh(box(2 * k, 0, 0, 1, 1, 1)) for k, part in enumerate(("one", "two"))}
(folder / "long.json").write_text(json.dumps({"blocks": nodes}))
# 2000 parts of the same name.
lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "2000", *(f'2 {k} "{k}/all/pier"' for k in range(1, 2001)), "$EndPhysicalNames"]
lines += ["$Nodes", "8000", *(f"{4 * k + i + 1} {2 * k + (i == 1)} {int(i == 2)} {int(i == 3)}" for k in range(2000) for i in range(4)), "$EndNodes", "$Elements", "8000"]
lines += [f"{4 * k + j + 1} 2 2 {k + 1} {k + 1} " + " ".join(str(4 * k + i + 1) for i in f) for k in range(2000) for j, f in enumerate([(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])]
(folder / "piers.msh").write_text("\n".join([*lines, "$EndElements"]) + "\n")

WRONG = {
    "empty.obj": "",
    "points.obj": "v 0 0 0\nv 1 0 0\n",
    "far.obj": "v 0 0 0\nv 1e300 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n",
    "none.dxf": "0\nSECTION\n2\nENTITIES\n0\nLINE\n0\nENDSEC\n0\nEOF\n",
    "code.dxf": "zero\nSECTION\n",
    "number.dxf": "0\nSECTION\n2\nENTITIES\n0\n3DFACE\n10\none\n",
    "word.ply": "plx\n",
    "format.ply": "ply\nformat utf8 1.0\nend_header\n",
    "noformat.ply": "ply\nelement vertex 0\nend_header\n",
    "line.ply": "ply\nformat ascii 1.0\nsomething\nend_header\n",
    "count.ply": "ply\nformat ascii 1.0\nelement vertex many\nend_header\n",
    "early.ply": "ply\nformat ascii 1.0\nproperty float x\nend_header\n",
    "type.ply": "ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\nend_header\n",
    "short.ply": "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty double x\nend_header\nxx",
    "text.ply": "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nend_header\nx\n",
    "finite.ply": "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nend_header\nnan\n",
    "corner.ply": "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nelement face 1\nproperty list uchar int vertex_index\nend_header\n1\n3 0 0 7\n",
    "two.ply": "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nelement face 1\nproperty list uchar int vertex_index\nend_header\n1\n2 0 0\n",
    "list.ply": "ply\nformat ascii 1.0\nelement face 1\nproperty list int int vertex_index\nend_header\n600\n",
    "elements.ply": "ply\nformat ascii 1.0\n" + "element none 0\n" * 17 + "end_header\n",
    "properties.ply": "ply\nformat ascii 1.0\nelement vertex 0\n" + "property int a\n" * 65 + "end_header\n",
    "begin.msh": "hello\n",
    "version.msh": "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n",
    "node.msh": "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 2 1 1 1 1 9\n$EndElements\n",
    "number.msh": "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 x 0\n",
    "many.msh": "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1000000\n",
    "tags.msh": "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n1\n1 2 65\n",
    "wrong.json": '{"something": 1}',
    "scene.json": '{"voussoir": 1, "bodies": []}',
    "broken.json": '{"graph": ',
    "mesh.json": '{"blocks": {"0": {"vertex": {}}}}',
    "vertex.json": '{"blocks": {"0": {"vertex": {"0": {"x": "a"}}, "face": {}}}}',
    "face.json": '{"blocks": {"0": {"vertex": {"0": {}}, "face": {"0": [0, 0]}}}}',
    "key.json": '{"blocks": {"0": {"vertex": {"0": {}}, "face": {"0": [0, 0, 5]}}}}',
    "part.xyz": "",
}
for name, text in WRONG.items():
    (folder / name).write_text(text)
