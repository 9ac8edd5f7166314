"""A schema that an author's own function gives: whether every provider can be told of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from toolgen.runtime.careful import Careful
from toolgen.runtime.faults import below
from toolgen.runtime.kinds import KINDS
from toolgen.runtime.pointers import unescaped

Schema: TypeAlias = dict[str, Any]
Reshape: TypeAlias = Callable[[dict[str, Any]], Mapping[str, Any]]

_REFERENCE: Final = "#/$defs/"
_ONE: Final = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")
_LISTED: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_NAMED: Final = ("properties", "$defs", "patternProperties", "dependentSchemas")


def shaped(reshape: Reshape, schema: Schema) -> Schema:
    """What ``reshape`` makes of a schema, as plain JSON.

    Raises:
        ValueError: it is no JSON Schema of an object, or none that a provider can be told of.
    """
    given = reshape(schema)
    if not isinstance(given, Mapping) or not isinstance(given.get("properties"), Mapping):
        raise ValueError("schema= gives no JSON Schema of an object: it has no properties")
    try:
        plain: Schema = json.loads(json.dumps(dict(given), allow_nan=False, ensure_ascii=False).encode())
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"schema= gives what JSON can't hold: {error}") from error
    for where, fault in _faults(plain, "", plain):
        raise ValueError(f"schema= gives a schema that no provider can be told of: at {where or 'its root'}, {fault}")
    lost = [name for name in plain.get("required", ()) if name not in plain["properties"]]
    if lost:
        raise ValueError(f"schema= gives a schema that requires {lost[0]!r}, which is none of its properties")
    try:
        Careful(plain)
    except Exception as error:  # whatever is wrong with a schema that is written by hand
        raise ValueError(f"schema= gives a schema that can't be followed: {error}") from error
    return plain


def _faults(schema: Any, where: str, root: Schema) -> Iterator[tuple[str, str]]:
    """What is wrong with a schema, and where: a JSON Pointer."""
    if isinstance(schema, bool):
        return
    if not isinstance(schema, dict):
        yield where, f"{schema!r} stands in place of a schema"
        return
    for word, value in schema.items():
        fault = _fault(word, value, root)
        if fault is not None:
            yield below(where, word), fault
            return
    for word, value in schema.items():
        for path, inner in _inside(word, value):
            yield from _faults(inner, f"{where}{path}", root)


def _fault(word: str, value: Any, root: Schema) -> str | None:
    """What is wrong with one keyword by itself."""
    match word:
        case "$ref":
            known = isinstance(value, str) and value.startswith(_REFERENCE)
            if not known or unescaped(value.removeprefix(_REFERENCE)) not in root.get("$defs", {}):
                return f"{value!r} refers to none of its $defs: write #/$defs/NAME"
        case "type":
            kinds = value if isinstance(value, list) else [value]
            if not kinds or not all(isinstance(kind, str) and kind in KINDS for kind in kinds):
                return f"{value!r} is no JSON type"
        case "description" | "title" | "pattern" | "format":
            return None if isinstance(value, str) else f"{value!r} is no text"
        case "required":
            if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
                return f"{value!r} is no list of names"
        case "enum" | "anyOf" | "oneOf" | "allOf" | "prefixItems":
            return None if isinstance(value, list) and value else f"{value!r} is no list with something in it"
        case "examples":
            return None if isinstance(value, list) else f"{value!r} is no list"
        case "properties" | "$defs" | "patternProperties" | "dependentSchemas":
            return None if isinstance(value, dict) else f"{value!r} holds no schemas by name"
    return None


def _inside(word: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The schemas in a keyword, each with the pointer to it from the keyword's own schema."""
    if word in _ONE:
        yield below("", word), value
    elif word in _LISTED:
        yield from ((below(below("", word), str(index)), inner) for index, inner in enumerate(value))
    elif word in _NAMED:
        yield from ((below(below("", word), name), inner) for name, inner in value.items())
