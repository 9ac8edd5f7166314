"""The types that JSON Schema knows, by the values that ``jsontext`` gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolgen.runtime.numbers import Number

KINDS: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
"""The JSON types. A number without a fraction is of both numeric kinds."""

KIND_OF: Final[Mapping[type, str]] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    Number: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def json_type(value: object) -> str:
    """The JSON Schema name of a value's type; a float without a fraction is still ``number``."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"
