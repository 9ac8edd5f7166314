"""What a model is told of a submit: the schema of its parameters, made of the response's own."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from toolgen.runtime import words
from toolgen.runtime.keyrules import named_keys, words_on
from toolgen.runtime.toolnames import PROPERTY_NAME

Schema = dict[str, Any]
Reshape = Callable[[dict[str, Any]], Mapping[str, Any]]

REASONING: Final = "reasoning"
REASONING_DESCRIPTION: Final = "Why this is the result."


def response_schema(canonical: Mapping[str, Any], record: str, omit: Sequence[str], reshape: Reshape | None) -> Schema:
    """The response's schema as it is told: without what is omitted, and in the shape that its author gives it.

    ``record`` is the name of its type, under which a response that holds itself stands in ``$defs`` too.

    Raises:
        ValueError: an omitted name is no property, a required one, or one that a rule speaks of; or what ``reshape``
            gives is no JSON Schema of an object.
    """
    schema: Schema = copy.deepcopy(dict(canonical))
    for name in omit:
        _judge_omitted(name, canonical)
    if omit:
        for holder in (schema, schema.get("$defs", {}).get(record)):
            if holder is not None:
                holder["properties"] = {key: inner for key, inner in holder["properties"].items() if key not in omit}
        schema = _with_needed_definitions(schema)
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
    if any(name in named_keys(rule) for rule in canonical.get("allOf", ())):
        raise ValueError(f"omit= names {name!r}, which also= of the response speaks of: the model would be told of it")


def _with_needed_definitions(schema: Schema) -> Schema:
    """The schema without those of its definitions that nothing in it refers to any more."""
    rest = {key: inner for key, inner in schema.items() if key != "$defs"}
    definitions = schema.get("$defs", {})
    needed: set[str] = set()
    waiting = _references(rest)
    while waiting:
        name = waiting.pop()
        if name in definitions and name not in needed:
            needed.add(name)
            waiting |= _references(definitions[name])
    kept = {name: inner for name, inner in definitions.items() if name in needed}
    return {**rest, "$defs": kept} if kept else rest


def _references(schema: Any) -> set[str]:
    """The names of definitions that a schema refers to. What only looks like a reference may be among them."""
    if isinstance(schema, list):
        return set().union(*map(_references, schema))
    if not isinstance(schema, dict):
        return set()
    found = set().union(*map(_references, schema.values()))
    target = schema.get("$ref")
    return found | {target.removeprefix("#/$defs/")} if isinstance(target, str) else found


def nested(response: Schema, record: str, payload: str, description: str, reasoning: bool) -> tuple[Schema, str]:
    """The schema where one parameter holds the response, and the name that the response has under ``$defs``."""
    inner = dict(response)
    definitions = inner.pop("$defs", {})
    # A response that holds itself stands among the definitions already, unless its author gave the two other shapes.
    name = record
    while name in definitions and definitions[name] != inner:
        name += "_"
    properties = {payload: {"allOf": [{"$ref": f"#/$defs/{name}"}], "description": description}}
    rest = {key: value for key, value in definitions.items() if key != name}
    return {**_object(properties, [payload], reasoning), "$defs": {name: inner, **rest}}, name


def flat(response: Schema, reasoning: bool) -> Schema:
    """The schema where each property of the response is a parameter.

    Raises:
        ValueError: a property has the name of the reasoning, or one that providers refuse; or a rule would judge the
            reasoning with the properties.
    """
    required = response.get("required", [])
    properties = {
        name: _without_null(inner) if name in required else inner for name, inner in response["properties"].items()
    }
    rules = {"allOf": response["allOf"]} if response.get("allOf") else {}
    if refused := [name for name in properties if not PROPERTY_NAME.fullmatch(name)]:
        raise ValueError(
            f"the property {refused[0]!r} can't be a parameter of a flat submit: providers refuse the name"
        )
    if reasoning and REASONING in properties:
        raise ValueError(f"the response has a property {REASONING}: give reasoning=False")
    if reasoning and (word := next(words_on(rules, (REASONING,)), None)):
        raise ValueError(f"also= of the response says {word} of all keys, and so of {REASONING}: give reasoning=False")
    schema = {**_object(properties, required, reasoning), **rules}
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
    if told.get("examples") == [None]:
        del told["examples"]
    arms = [_without_null(arm) for arm in told.get("anyOf", []) if arm != {"type": "null"}]
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
