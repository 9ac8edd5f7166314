"""What a model is told of a submit: the schema of its parameters, made of the response's own."""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from toolgen.runtime import words
from toolgen.runtime.keyrules import named_keys, words_on
from toolgen.runtime.shaped import Reshape, Schema, shaped
from toolgen.runtime.toolnames import PROPERTY_NAME

REASONING: Final = "reasoning"
REASONING_DESCRIPTION: Final = "Why this is the result."

_NULL: Final = {"type": "null"}
_FORMS: Final = frozenset({"type", "enum", "const", "anyOf", "oneOf", "$ref"})
"""Keywords of which a schema that does not take everything has one."""


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
    return schema if reshape is None else shaped(reshape, schema)


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


def flat(response: Schema, reasoning: bool, decoded: Collection[str]) -> Schema:
    """The schema where each property of the response is a parameter; ``decoded`` names those too that are not told of.

    Raises:
        ValueError: a property has the name of the reasoning, or one that providers refuse, or is required and can be
            nothing but null; or a rule would judge the reasoning with the properties.
    """
    required = response.get("required", [])
    properties = {
        name: _without_null(inner) if name in required else inner for name, inner in response["properties"].items()
    }
    rules = {"allOf": response["allOf"]} if response.get("allOf") else {}
    if empty := [name for name in required if _takes_nothing(properties[name])]:
        raise ValueError(f"the property {empty[0]!r} can be nothing but null, which no parameter of a flat submit is")
    if refused := [name for name in properties if not PROPERTY_NAME.fullmatch(name)]:
        raise ValueError(
            f"the property {refused[0]!r} can't be a parameter of a flat submit: providers refuse the name"
        )
    if reasoning and (REASONING in properties or REASONING in decoded):
        raise ValueError(f"the response has a property {REASONING}: give reasoning=False")
    if reasoning and (word := next(words_on(rules, (REASONING,)), None)):
        raise ValueError(f"also= of the response says {word} of all keys, and so of {REASONING}: give reasoning=False")
    schema = {**_object(properties, required, reasoning), **rules}
    schema["additionalProperties"] = response.get("additionalProperties", False)
    return {**schema, "$defs": response["$defs"]} if response.get("$defs") else schema


def never_null(rule: Mapping[str, Any] | None) -> Schema:
    """The rule on a parameter that may be anything but null, beside the one that it has already."""
    if rule is None:
        return {"not": _NULL}
    alone = rule["allOf"][0] if rule.keys() == {"allOf"} and len(rule["allOf"]) == 1 else rule
    return {"allOf": [alone, {"not": _NULL}]}


def _without_null(schema: Any) -> Any:
    """The schema of a required parameter, which is refused where it is null."""
    if not isinstance(schema, dict):
        return schema if schema is False else {"allOf": [{}, never_null(None)]}
    told = dict(schema)
    if "examples" in told:
        told["examples"] = [each for each in told["examples"] if each is not None]
        told = told if told["examples"] else {word: inner for word, inner in told.items() if word != "examples"}
    if not _FORMS & told.keys() and not any(
        isinstance(part, dict) and "$ref" in part for part in told.get("allOf", ())
    ):
        rules = [part for part in told.get("allOf", ()) if part]
        ruled = {"allOf": rules} if len(rules) > 1 else rules[0] if rules else None
        return {**told, "allOf": [{}, never_null(ruled)]}
    if isinstance(told.get("type"), list):
        types = [each for each in told["type"] if each != "null"]
        told["type"] = types[0] if len(types) == 1 else types
    if isinstance(told.get("enum"), list):
        told["enum"] = [each for each in told["enum"] if each is not None]
    arms = [_without_null(arm) for arm in told.get("anyOf", []) if arm != _NULL]
    if len(arms) == 1:
        del told["anyOf"]
        return {"allOf": arms, **told} if "$ref" in arms[0] else {**arms[0], **told}
    return {**told, "anyOf": arms} if arms else told


def _takes_nothing(schema: Any) -> bool:
    return schema is False or schema.get("enum") == [] or schema.get("type") in ("null", [])


def _object(properties: Mapping[str, Any], required: Sequence[str], reasoning: bool) -> Schema:
    why = {REASONING: {"type": "string", "description": REASONING_DESCRIPTION}} if reasoning else {}
    return {
        "type": "object",
        "properties": {**why, **properties},
        "required": [*why, *required],
        "additionalProperties": False,
    }
