"""The reference of scene files, from docs/scene.schema.json: a section a kind of object, a row a key."""

from __future__ import annotations

import json
from pathlib import Path

COMMON = ["position", "rotation", "material", "density", "group", "mask", "surface_velocity"]  # of a placed shape


def type_of(node: dict) -> str:
    """What may stand there, in words; names of definitions are links."""
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[1]
        return f"[{name.replace('_', ' ')}](#{name.replace('_', '-')})"
    if "const" in node:
        return f"`{json.dumps(node['const'])}`"
    if "enum" in node:
        return ", ".join(f"`{value}`" for value in node["enum"])
    for key in ("anyOf", "oneOf"):
        if key in node:
            return " or ".join(dict.fromkeys(type_of(part) for part in node[key]))
    if node.get("type") == "array":
        inner = type_of(node["items"]) if "items" in node else "nothing"
        low, high = node.get("minItems"), node.get("maxItems")
        count = (
            ""
            if low is None and high is None
            else f"{low} "
            if low == high
            else f"at least {low} "
            if high is None
            else ""
        )
        return f"list of {count}{inner}" if high != 0 else "empty list"
    if node.get("type") == "object":
        if isinstance(node.get("additionalProperties"), dict):
            return f"{{name: {type_of(node['additionalProperties'])}}}"
        return "{" + ", ".join(f"`{name}`" for name in node.get("properties", {}) if name != "comment") + "}"
    return {"string": "text", "boolean": "true or false", "integer": "integer"}.get(
        node.get("type"), str(node.get("type", "anything"))
    )


def table(node: dict) -> "list[str]":
    required = set(node.get("required", []))
    out = ["| key | value | meaning |", "|---|---|---|"]
    for name, part in node["properties"].items():
        if name in ("comment", "$schema"):
            continue
        if "description" not in part:
            raise SystemExit(f"schema_reference.py: scene.schema.json: no description of '{name}'")
        must = "**required**; " if name in required else ""
        text = part["description"].replace("|", "\\|").replace("[", "\\[")
        out.append(f"| `{name}` | {type_of(part)} | {must}{text} |")
    return out + [""]


def shapes(definitions: dict) -> "list[str]":
    out = ["## shape", "", "One of these, by `kind`; lengths in metres.", ""]
    out += ["| kind | keys | required |", "|---|---|---|"]
    for variant in definitions["shape"]["oneOf"]:
        keys = [name for name in variant["properties"] if name not in ("kind", "comment")]
        must = [name for name in variant["required"] if name != "kind"]
        if "oneOf" in variant:
            must.append(" or ".join(part["required"][0] for part in variant["oneOf"]))
        typed = ", ".join(f"`{name}`: {type_of(variant['properties'][name])}" for name in keys) or "none"
        out.append(f"| `{variant['properties']['kind']['const']}` | {typed} | {', '.join(must) or 'nothing'} |")
    named = next(part for part in definitions["placed_shape"]["oneOf"] if "shape" in part.get("properties", {}))
    out += [
        "",
        "## placed shape",
        "",
        'The name of a shape, a shape as above, or `{"shape": name}`; the latter two with any of:',
        "",
    ]
    part = {"properties": {name: named["properties"][name] for name in COMMON}}
    return out + table(part)


def write(schema: Path, target: Path) -> None:
    root = json.loads(schema.read_text(encoding="utf-8"))
    definitions = root["$defs"]
    out = ["# Scene schema", "",
           "Generated from [scene.schema.json](scene.schema.json), JSON Schema 2020-12, which editors use to complete and check a",
           "file that begins with `\"$schema\": \"scene.schema.json\"`. [Scenes](scenes.md) explains the same with examples. SI units and",
           "radians throughout. The key `comment` is allowed in every object and ignored; any other unknown key is an error.", "",
           "## Top level", "", *table(root)]  # fmt: skip
    for name in ("solver", "output"):
        out += [f"## {name}", "", *table(root["properties"][name])]
    out += [
        "## material",
        "",
        "A value of `materials`.",
        "",
        *table(root["properties"]["materials"]["additionalProperties"]),
    ]
    out += ["## pair", "", "An item of `pairs`.", "", *table(root["properties"]["pairs"]["items"])]
    out += ["## load", "", "An item of `loads`.", "", *table(root["properties"]["loads"]["items"])]
    out += shapes(definitions)
    for name, node in definitions.items():
        if name in ("shape", "placed_shape"):
            continue
        out += [f"## {name.replace('_', ' ')}", ""]
        if "properties" in node:
            out += table(node)
        else:
            text = node.get("description", "")
            out += [
                f"{text[:1].upper()}{text[1:]}.".replace("[", "\\[") if text else "",
                "",
                f"Value: {type_of(node)}.",
                "",
            ]
    target.write_text("\n".join(out) + "\n", encoding="utf-8")
