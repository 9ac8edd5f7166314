"""Gemini's own schema, that of ``FunctionDeclaration.parameters``: ``Schema`` in google-genai.

It is no JSON Schema: a type has one name, in capitals; ``nullable`` stands for null; ``anyOf`` has nothing beside it,
which Vertex AI refuses; and no position is without a type.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toolgen.providers import wording
from toolgen.providers.canonical import types

Schema = dict[str, Any]

_KEYWORDS: Final = {
    "string": ("enum", "format", "minLength", "maxLength", "pattern"),
    "integer": ("minimum", "maximum"),
    "number": ("minimum", "maximum"),
    "boolean": (),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}
"""The keywords that each type takes; beside any other type Gemini refuses them."""


def as_schema(projected: Schema) -> Schema:
    """A projected JSON Schema, without references, as Gemini's own."""
    arms = list(_arms(projected))
    null = any(arm["type"] == "null" for arm in arms)
    made = [_of_type(arm) for arm in arms if arm["type"] != "null"]
    made = made or [{"type": "NULL"}]
    if null:
        made = [{**arm, "nullable": True} for arm in made]
    return made[0] if len(made) == 1 else {"anyOf": made}


def _arms(schema: Schema) -> Iterator[Schema]:
    """The schema of each single type that a position takes, with what holds for all of them in each."""
    shared = {word: value for word, value in schema.items() if word not in ("anyOf", "type", "description")}
    about = schema.get("description", "")
    for arm in schema.get("anyOf", ()):
        for inner in _arms(arm):
            said = wording.sentences(about, [inner["description"]] if "description" in inner else [])
            yield {**shared, **inner, **({"description": said} if said else {})}
    if "anyOf" not in schema:
        for kind in types(schema):
            yield {**schema, "type": kind}


def _of_type(schema: Schema) -> Schema:
    kind = schema["type"]
    made: Schema = {"type": kind.upper()}
    made |= {word: schema[word] for word in (*_KEYWORDS[kind], "title") if word in schema}
    about = schema.get("description", "")
    if kind == "array":
        made["items"] = as_schema(schema["items"])
    if kind == "object":
        if schema.get("properties"):
            made["properties"] = {name: as_schema(inner) for name, inner in schema["properties"].items()}
        if schema.get("required"):
            made["required"] = schema["required"]
        values = schema.get("additionalProperties")
        if isinstance(values, dict):
            about = wording.sentences(
                about, [f"Each value must fit this schema: {wording.compact(as_schema(values))}."]
            )
    return {**made, "description": about} if about else made
