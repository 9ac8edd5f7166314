"""Which values a keyword may have. One with another value is no part of a schema, and is reported, not guessed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

Check: TypeAlias = Callable[[Any], bool]


def _is_schema(value: Any) -> bool:
    return isinstance(value, bool | Mapping)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_size(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _are_texts_by_name(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_are_texts, value.values()))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_limit(value: Any) -> bool:
    """A bound that is open, or up to draft 4 whether the bound beside it is."""
    return isinstance(value, bool) or _is_number(value)


_WANTED: Final[Mapping[str, tuple[Check, str]]] = {
    **dict.fromkeys(
        (
            "additionalProperties",
            "unevaluatedProperties",
            "unevaluatedItems",
            "propertyNames",
            "contains",
            "not",
            "if",
            "then",
            "else",
            "additionalItems",
        ),
        (_is_schema, "a schema"),
    ),
    "items": (lambda value: _is_schema(value) or isinstance(value, list), "a schema"),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), (_is_list, "a list of schemas")),
    **dict.fromkeys(("properties", "patternProperties", "dependentSchemas"), (_is_mapping, "schemas by name")),
    **dict.fromkeys(("minimum", "maximum"), (_is_number, "a number")),
    "multipleOf": (lambda value: _is_number(value) and value > 0, "a number above 0"),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), (_is_limit, "a number")),
    **dict.fromkeys(
        (
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
            "minContains",
            "maxContains",
        ),
        (_is_size, "a whole number from 0"),
    ),
    **dict.fromkeys(("pattern", "format", "$ref", "contentEncoding"), (_is_text, "text")),
    "type": (lambda value: _is_text(value) or (_are_texts(value) and bool(value)), "the name of a type, or a list"),
    "required": (lambda value: _are_texts(value) or isinstance(value, bool), "a list of names"),
    "dependentRequired": (_are_texts_by_name, "lists of names by name"),
    "uniqueItems": (lambda value: isinstance(value, bool), "true or false"),
    "enum": (lambda value: isinstance(value, list), "a list of values"),
}


def complaint(word: str, value: Any) -> str | None:
    """What a keyword wants, where its value is something else."""
    check, wanted = _WANTED.get(word, (None, ""))
    return wanted if check is not None and not check(value) else None
