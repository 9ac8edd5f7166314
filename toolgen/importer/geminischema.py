"""Gemini's Schema, of the API or of its Python SDK, in the words of OpenAPI 3.0, which it is a part of.

It is turned by position, since a property may have the name of any keyword.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_WORDS: Final = {
    "any_of": "anyOf",
    "additional_properties": "additionalProperties",
    "min_items": "minItems",
    "max_items": "maxItems",
    "min_length": "minLength",
    "max_length": "maxLength",
    "min_properties": "minProperties",
    "max_properties": "maxProperties",
    "prefix_items": "prefixItems",
    "ref": "$ref",
    "defs": "$defs",
}
"""Keywords that are written in another way: by the SDK, and by protocol buffers, whose names have no ``$``."""

_SIZES: Final = frozenset({"minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"})
"""Keywords of int64, which JSON of protocol buffers writes as text."""

_SCHEMAS: Final = frozenset({"items", "anyOf", "additionalProperties", "prefixItems"})
_NAMED: Final = frozenset({"properties", "$defs"})


def as_openapi(raw: Any) -> Any:
    """A schema, or a list of them. What is null is not said, save in a default or an example."""
    if isinstance(raw, list):
        return [as_openapi(item) for item in raw]
    if not isinstance(raw, Mapping):
        return raw
    said: dict[str, Any] = {_WORDS.get(str(word), str(word)): value for word, value in raw.items()}
    made = {word: _turned(word, value) for word, value in said.items() if value is not None or word in _DATA}
    if made.get("type") == "type_unspecified":
        del made["type"]
    if made.get("type") in ("integer", "number") and isinstance(made.get("enum"), list):
        made["enum"] = [_as_number(value) for value in made["enum"]]
    return made


_DATA: Final = ("default", "example")


def _turned(word: str, value: Any) -> Any:
    if word == "type" and isinstance(value, str):
        return value.lower()
    if word in _SIZES and isinstance(value, str) and value.isdecimal():
        return int(value)
    if word in _SCHEMAS:
        return as_openapi(value)
    if word in _NAMED and isinstance(value, Mapping):
        return {name: as_openapi(inner) for name, inner in value.items()}
    return value


def _as_number(value: Any) -> Any:
    """A member of an enum of numbers, which Gemini writes as text."""
    if not isinstance(value, str):
        return value
    for read in (int, float):
        try:
            return read(value)
        except ValueError:
            continue
    return value
