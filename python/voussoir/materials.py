"""Fields of materials, from the table of the library: what `World.add_material()` and `World.set_pair()` take."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Sequence, Sized, Tuple, Union

from . import errors
from ._core import NULL, lib, nearest, text

MaterialValue = Union[None, float, str, Sequence[Tuple[float, float]]]


class Field(NamedTuple):
    """A row of the table."""

    name: str
    unit: str  # "1": none; "": a choice
    text: str
    pair: str  # rule for two materials
    choices: Tuple[str, ...]
    over: str  # speed over which it may be a table; "": none
    default: Union[float, str]


def _read(index: int) -> Field:
    field = lib.vs_material_field_at(index)
    names: List[str] = []
    while field.choices != NULL and field.choices[len(names)] != NULL:
        names.append(text(field.choices[len(names)]))
    default: Union[float, str] = names[int(field.normal)] if names else float(field.normal)
    words, pair, over = text(field.text), text(field.pair), text(field.over)
    return Field(text(field.name), text(field.unit), words, pair, tuple(names), over, default)


def _read_all() -> Dict[str, Field]:
    rows = [_read(k) for k in range(lib.vs_material_field_count())]
    return {row.name: row for row in rows}


FIELDS = _read_all()


def _set_table(material: Any, name: str, given: Sequence[Tuple[float, float]]) -> None:
    table, most = getattr(material, f"{name}_table"), lib.VS_TABLE_POINTS
    if not 0 < len(given) <= most:
        raise errors.ArgumentError(f"{name}: {len(given)} points; a table has 1 to {most}")
    setattr(material, name, 0)
    table.count = len(given)
    for k, (speed, value) in enumerate(given):
        table.speed[k], table.value[k] = speed, value


def set_fields(material: Any, values: Mapping[str, MaterialValue], caller: str) -> None:
    """Sets members of a vs_material; the library checks their ranges. None leaves a field as it is."""
    for name, value in values.items():
        if name not in FIELDS:
            raise TypeError(f"{caller}(): there is no field {name!r}{nearest(name, list(FIELDS))}")
        field = FIELDS[name]
        if value is None:
            continue
        if field.choices:
            setattr(material, name, _choice(field, value))
        elif field.over and isinstance(value, Sized):
            _set_table(material, name, value)  # type: ignore[arg-type]
        else:
            setattr(material, name, value)
            if field.over:
                getattr(material, f"{name}_table").count = 0


def _choice(field: Field, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    word = str(value).lower()
    if word not in field.choices:
        raise errors.ArgumentError(f"{field.name}: there is no {value!r}{nearest(word, field.choices)}")
    return field.choices.index(word)


def _line(field: Field) -> str:
    """Of a docstring."""
    unit = f"{field.unit}, " if field.unit not in ("", "1") else ""
    choices = ": " + " or ".join(f'"{word}"' for word in field.choices) if field.choices else ""
    over = f"; or [(speed, value), …] over the {field.over}" if field.over else ""
    return f"{field.name:<15} {unit}{field.text}{choices}{over}"


def describe_fields(function: Callable[..., Any], *, defaults: bool) -> None:
    """Signature and docstring of a method that takes the fields as **fields: what they are, or else the rules for pairs."""
    signature = inspect.signature(function)
    kept = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    fields = [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default if defaults else None)
        for field in FIELDS.values()
    ]
    function.__signature__ = signature.replace(parameters=kept + fields)  # type: ignore[attr-defined]
    rows = [_line(field) if defaults else f"{field.name:<15} {field.pair}" for field in FIELDS.values()]
    lines = textwrap.indent("\n".join(rows), " " * 8)
    function.__doc__ = f"{function.__doc__}\n\n{lines}\n{' ' * 8}"
