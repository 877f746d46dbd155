#!/usr/bin/python3
"""Writes the parts of files that follow from tables of the library.

usage: write_tables.py [--check] PROGRAM

PROGRAM prints the tables as JSON: BUILD/tools/tables/tables. With --check nothing is written: files that differ are named, and
the exit code is 1.

    docs/scene.schema.json      the keys of materials and pairs, and the names that keys choose from
    viewer/src/types.gen.ts     names of kinds and statuses
    docs/laws.md                the table of the fields of materials
"""
import json
import os
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
NUMBER = {"$ref": "#/$defs/number"}
POINTS = 8  # VS_TABLE_POINTS
BEGIN, END = "<!-- fields of materials: tools/write_tables.py -->", "<!-- end of fields -->"


# ---- materials -------------------------------------------------------------------------------------


def default_of(field):
    return field["choices"][int(field["default"])] if field["choices"] else f"{field['default']:g}"


def words_of(field):
    """What a field is, with its unit first."""
    unit = f"{field['unit']}, " if field["unit"] not in ("", "1") else ""
    over = f", or [[{field['over']} in m/s, value], …]" if field["over"] else ""
    return f"{unit}{field['text']}{over}"


def value_of(field):
    """The schema of a field's value."""
    if field["choices"]:
        return {"enum": field["choices"]}
    if not field["over"]:
        return dict(NUMBER)
    point = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
    return {"oneOf": [NUMBER, {"type": "array", "items": point, "minItems": 1, "maxItems": POINTS}]}


def write_materials(schema, fields):
    """Keys of materials and of pairs, which may have all of them."""
    material = schema["properties"]["materials"]["additionalProperties"]
    pair = schema["properties"]["pairs"]["items"]
    material["properties"] = {
        f["name"]: {**value_of(f), "description": f"{words_of(f)}; default {default_of(f)}"} for f in fields
    }
    pair["properties"] = {
        "between": pair["properties"]["between"],
        **{f["name"]: {**value_of(f), "description": f"{words_of(f)}; default: {f['pair']}"} for f in fields},
    }
    material["properties"]["comment"] = pair["properties"]["comment"] = True


def material_table(fields):
    lines = ["| field | unit | default | between two materials | meaning |", "|---|---|---|---|---|"]
    for f in fields:
        unit = " or ".join(f"`{c}`" for c in f["choices"]) or ("" if f["unit"] == "1" else f["unit"])
        default = f"`{default_of(f)}`" if f["choices"] else default_of(f)
        over = f", or a table over the {f['over']}" if f["over"] else ""
        lines.append(f"| `{f['name']}` | {unit} | {default} | {f['pair']} | {f['text']}{over} |")
    return "\n".join(lines)


# ---- names -----------------------------------------------------------------------------------------

# Keys of the schema that choose from the names of an enumeration.
CHOICES = {
    "properties/solver/properties/model": "vs_model",
    "properties/solver/properties/method": "vs_method",
    "properties/solver/properties/criterion": "vs_criterion",
    "properties/solver/properties/warm_start": "vs_warm_start",
    "properties/solver/properties/on_inaccurate": "vs_on_inaccurate",
    "properties/solver/properties/scheme": "vs_scheme",
    "properties/mortar/anyOf/0/properties/softening": "vs_softening",
    "properties/mortar/anyOf/1/items/properties/softening": "vs_softening",
    "properties/stop/items/properties/when": "vs_stop_when",
    "$defs/signal/anyOf/5/properties/baseline": "vs_baseline",
    "$defs/body/properties/motion": "vs_motion",
    "$defs/joint/properties/kind": "vs_joint_kind",
    "$defs/flexible/properties/law": "vs_elastic_law",
    "$defs/flexible/properties/section": "vs_section",
}


def write_choices(schema, names):
    for path, enumeration in CHOICES.items():
        node = schema
        for step in path.split("/"):
            node = node[int(step)] if isinstance(node, list) else node[step]
        node["enum"] = names[enumeration]


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def new_types(_text, tables):
    """Names of the viewer, with blanks for underscores."""
    names = tables["names"]
    kinds = "".join(f"  {camel(name)},\n" for name in names["vs_shape_kind"])
    lists = {"SHAPE_NAMES": "vs_shape_kind", "MOTION_NAMES": "vs_motion", "JOINT_NAMES": "vs_joint_kind",
             "STATUS_NAMES": "vs_status"}  # fmt: skip
    out = "// Written by tools/write_tables.py from the names of the library: do not edit.\n\n"
    out += f"export enum ShapeKind {{\n{kinds}}}\n\n"
    for title, enumeration in lists.items():
        rows = "".join(f"  '{name.replace('_', ' ')}',\n" for name in names[enumeration])
        out += f"export const {title} = [\n{rows}];\n"
    return out


# ---- files -----------------------------------------------------------------------------------------


def read(path):
    full = os.path.join(ROOT, path)
    if not os.path.exists(full):
        return ""
    with open(full, encoding="utf-8") as file:
        return file.read()


def new_schema(text, tables):
    schema = json.loads(text)
    write_materials(schema, tables["material"])
    write_choices(schema, tables["names"])
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def new_laws(text, tables):
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n\n{material_table(tables['material'])}\n\n{END}{rest.split(END)[1]}"


FILES = {"docs/scene.schema.json": new_schema, "docs/laws.md": new_laws, "viewer/src/types.gen.ts": new_types}


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    check = "--check" in sys.argv
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    tables = json.loads(subprocess.run(arguments, check=True, stdout=subprocess.PIPE).stdout)
    old = []
    for path, write in FILES.items():
        text = read(path)
        wanted = write(text, tables)
        if wanted == text:
            continue
        old.append(path)
        if not check:
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                file.write(wanted)
    for path in old:
        print(f"{path}: {'not what the tables of the library say; run tools/write_tables.py' if check else 'written'}")
    return 1 if check and old else 0


if __name__ == "__main__":
    sys.exit(main())
