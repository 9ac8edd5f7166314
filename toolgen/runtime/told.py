"""What a model is told of a submit: the schema of its parameters, made of the response's own."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from toolgen.runtime import words

Schema = dict[str, Any]
Reshape = Callable[[dict[str, Any]], Mapping[str, Any]]

REASONING: Final = "reasoning"
REASONING_DESCRIPTION: Final = "Why this is the result."


def response_schema(canonical: Mapping[str, Any], omit: Sequence[str], reshape: Reshape | None) -> Schema:
    """The response's schema as it is told: without what is omitted, and in the shape that its author gives it.

    Raises:
        ValueError: an omitted name is no property or a required one, or what ``reshape`` gives is no JSON Schema of an
            object.
    """
    schema: Schema = copy.deepcopy(dict(canonical))
    for name in omit:
        _judge_omitted(name, canonical)
        del schema["properties"][name]
    if reshape is None:
        return schema
    shaped = reshape(schema)
    if not isinstance(shaped, Mapping) or not isinstance(shaped.get("properties"), Mapping):
        raise ValueError("schema= gives no JSON Schema of an object: it has no properties")
    try:
        plain: Schema = json.loads(json.dumps(dict(shaped), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"schema= gives what JSON can't hold: {error}") from error
    return plain


def _judge_omitted(name: str, canonical: Mapping[str, Any]) -> None:
    known = tuple(canonical["properties"])
    if name not in known:
        near = words.near(name, known) if isinstance(name, str) else None
        hint = f"did you mean {near}?" if near else f"its properties are {', '.join(known) or 'none'}"
        raise ValueError(f"omit= names {name!r}, which is no property of the response: {hint}")
    if name in canonical["required"]:
        raise ValueError(f"omit= names {name!r}, which is required: no submit could succeed without it")


def nested(response: Schema, record: str, payload: str, description: str, reasoning: bool) -> tuple[Schema, str]:
    """The schema where one parameter holds the response, and the name that the response has under ``$defs``."""
    inner = dict(response)
    definitions = inner.pop("$defs", {})
    # A Record that holds itself stands among the definitions already; another of its name has to be told apart.
    name = record
    while name in definitions and definitions[name].get("description") != inner.get("description"):
        name += "_"
    properties = {payload: {"allOf": [{"$ref": f"#/$defs/{name}"}], "description": description}}
    rest = {key: value for key, value in definitions.items() if key != name}
    return {**_object(properties, [payload], reasoning), "$defs": {name: inner, **rest}}, name


def flat(response: Schema, reasoning: bool) -> Schema:
    """The schema where each property of the response is a parameter.

    Raises:
        ValueError: a property has the name of the reasoning.
    """
    required = response.get("required", [])
    properties = {
        name: _without_null(inner) if name in required else inner for name, inner in response["properties"].items()
    }
    if reasoning and REASONING in properties:
        raise ValueError(f"the response has a property {REASONING}: give reasoning=False")
    schema = _object(properties, required, reasoning)
    schema["additionalProperties"] = response.get("additionalProperties", False)
    return {**schema, "$defs": response["$defs"]} if response.get("$defs") else schema


def _without_null(schema: Any) -> Any:
    """The schema of a required parameter, which is refused where it is null."""
    if not isinstance(schema, dict):
        return schema
    told = dict(schema)
    if isinstance(told.get("type"), list):
        types = [each for each in told["type"] if each != "null"]
        told["type"] = types[0] if len(types) == 1 else types
    if isinstance(told.get("enum"), list):
        told["enum"] = [each for each in told["enum"] if each is not None]
    arms = [arm for arm in told.get("anyOf", []) if arm != {"type": "null"}]
    if len(arms) == 1:
        del told["anyOf"]
        return {"allOf": arms, **told} if "$ref" in arms[0] else {**arms[0], **told}
    return {**told, "anyOf": arms} if arms else told


def _object(properties: Mapping[str, Any], required: Sequence[str], reasoning: bool) -> Schema:
    why = {REASONING: {"type": "string", "description": REASONING_DESCRIPTION}} if reasoning else {}
    return {
        "type": "object",
        "properties": {**why, **properties},
        "required": [*why, *required],
        "additionalProperties": False,
    }
