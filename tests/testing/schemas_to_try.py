"""Canonical schemas that between them have every keyword, for the tests of ``toolgen.testing``."""

from __future__ import annotations

from typing import Any

from toolgen.runtime import formats


def closed(properties: dict[str, Any], required: list[str] | None = None, **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
        **more,
    }


CAT = closed({"kind": {"type": "string", "enum": ["cat"]}, "lives": {"type": "integer", "default": 9}}, ["kind"])
DOG = closed({"kind": {"type": "string", "enum": ["dog", "wolf"]}, "name": {"type": "string"}})
TREE = closed(
    {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}, required=["name"]
)
PERSON = {**closed({"a/b~c": {"type": "string"}}), "additionalProperties": True}

SCHEMAS: dict[str, dict[str, Any]] = {
    "nothing": closed({}),
    "text lengths": closed({"s": {"type": "string", "minLength": 2, "maxLength": 5}, "t": {"type": "string"}}),
    "one character": closed({"s": {"type": "string", "maxLength": 1}, "e": {"type": "string", "maxLength": 0}}),
    "pattern": closed({"s": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]+$", "maxLength": 8}}),
    "loose pattern": closed({"s": {"type": "string", "pattern": "ab+c", "minLength": 6}}),
    "integers": closed(
        {
            "a": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
            "b": {"type": "integer", "exclusiveMinimum": -3, "exclusiveMaximum": 4},
            "c": {"type": "integer", "multipleOf": 5, "minimum": 3},
            "d": {"type": "integer", "maximum": 2**70},
            "e": {"type": "integer"},
        },
        required=["b"],
    ),
    "numbers": closed(
        {
            "a": {"type": "number", "minimum": 0, "maximum": 1},
            "b": {"type": "number", "exclusiveMinimum": 0.5, "exclusiveMaximum": 2},
            "c": {"type": "number", "multipleOf": 0.25, "maximum": 10},
            "d": {"type": "number"},
            "e": {"type": ["number", "null"], "minimum": -1.5},
        }
    ),
    "booleans": closed({"a": {"type": "boolean"}, "b": {"type": ["boolean", "null"], "default": True}}, ["a"]),
    "enums": closed(
        {
            "a": {"type": "string", "enum": ["low", "high"]},
            "b": {"type": ["string", "integer", "null"], "enum": ["a", 1, None]},
            "c": {"type": "integer", "enum": [1, 2], "default": 1},
            "d": {"type": ["boolean", "number"], "enum": [True, 1.5]},
        },
        required=["a"],
    ),
    "formats": closed(
        {
            "date": {"type": "string", "format": "date"},
            "time": {"type": "string", "format": "time"},
            "at": {"type": ["string", "null"], "format": "date-time"},
            "id": {"type": "string", "format": "uuid"},
            "v4": {"type": "string", "format": "ipv4"},
            "v6": {"type": "string", "format": "ipv6"},
            "uri": {"type": "string", "format": "uri"},
            "mail": {"type": "string", "format": "email", "maxLength": 40},
        },
        required=["date"],
    ),
    "durations and decimals": closed(
        {
            "d": {"type": "string", "format": "duration", "pattern": formats.DURATION_PATTERN},
            "n": {"type": "string", "pattern": formats.DECIMAL_PATTERN},
        }
    ),
    "bytes": closed(
        {
            "any": {"type": "string", "contentEncoding": "base64", "pattern": formats.base64_pattern()},
            "few": {"type": "string", "contentEncoding": "base64", "pattern": formats.base64_pattern(1, 5)},
            "many": {"type": ["string", "null"], "contentEncoding": "base64", **formats.base64_keywords(899, 1000)},
        }
    ),
    "lists": closed(
        {
            "few": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3},
            "distinct": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 2},
            "deep": {"type": "array", "items": {"type": "array", "items": {"type": "string", "minLength": 1}}},
            "none": {"type": "array", "items": {"type": "string"}, "maxItems": 0},
        }
    ),
    "maps": closed(
        {
            "some": {
                "type": "object",
                "additionalProperties": {"type": "integer", "minimum": 0},
                "minProperties": 1,
                "maxProperties": 2,
            },
            "any": {"type": "object", "additionalProperties": {}},
        }
    ),
    "anything": closed({"a": {}, "b": {"default": [1]}}, required=["a"]),
    "scalar unions": closed({"v": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}}),
    "tagged unions": closed(
        {
            "pet": {"anyOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}, {"type": "null"}]},
            "pets": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]}},
        },
        **{"$defs": {"Cat": CAT, "Dog": DOG}},
    ),
    "recursion": closed(
        {"tree": {"allOf": [{"$ref": "#/$defs/Tree"}], "description": "T."}}, **{"$defs": {"Tree": TREE}}
    ),
    "open": {
        **closed({"person": {"$ref": "#/$defs/Person"}}, **{"$defs": {"Person": PERSON}}),
        "additionalProperties": True,
    },
    "rules": closed(
        {
            "n": {"type": "integer", "allOf": [{"not": {"const": 2}}]},
            "s": {"type": "string", "maxLength": 4, "allOf": [{"not": {"const": "x"}}]},
            "t": {"allOf": [{"$ref": "#/$defs/Tree"}, {"not": {"required": ["children"]}}]},
        },
        ["n"],
        **{"$defs": {"Tree": TREE}},
    ),
    "keywords as names": closed(
        {"$ref": {"type": "string"}, "type": {"type": "integer"}, "properties": {"type": "boolean"}}
    ),
}
