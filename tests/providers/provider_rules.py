"""The written rules of each provider, one row a rule with its source, and a linter that holds a definition to them.

It is written from the providers' documents and knows nothing of how projections are made: it is what they are tested
against.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

OPENAI_STRICT = "OpenAI, Structured outputs: supported schemas"
OPENAI = "OpenAI, Function calling; FunctionDefinition in openai 3.57"
ANTHROPIC = "Anthropic, Tool use: tool definitions"
ANTHROPIC_STRICT = "Anthropic, Structured outputs: JSON Schema limitations"
GEMINI = "Google, FunctionDeclaration in google-genai 3.6; Structured output: JSON Schema support"
GEMINI_LIVE = "Google, Schema in google-genai 3.6; Vertex AI, Function calling: schemas"
MCP = "Model Context Protocol 2025-11-25, Tools"
BEDROCK = "Amazon Bedrock, ToolSpecification in botocore 1.44"

Schema = dict[str, Any]
Check = Callable[[Schema], bool]
"""Whether one position of a schema holds to a rule."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. ``at_root``: it is about the root alone; else about every position."""

    provider: str
    strict: bool | None
    says: str
    source: str
    holds: Check
    at_root: bool = False


def only(*words: str) -> Check:
    return lambda schema: schema.keys() <= set(words)


def none_of(*words: str) -> Check:
    return lambda schema: not schema.keys() & set(words)


def names(pattern: str) -> Check:
    return lambda schema: all(re.fullmatch(pattern, name) for name in schema.get("properties", {}))


def formats(*taken: str) -> Check:
    return lambda schema: schema.get("format", taken[0]) in taken


def is_object(schema: Schema) -> bool:
    return schema.get("type") == "object"


def is_closed(schema: Schema) -> bool:
    return "object" not in kinds(schema) or schema.get("additionalProperties") is False


def requires_all(schema: Schema) -> bool:
    return "object" not in kinds(schema) or list(schema["properties"]) == schema["required"]


def required_are_there(schema: Schema) -> bool:
    return set(schema.get("required", ())) <= schema.get("properties", {}).keys()


def has_a_form(schema: Schema) -> bool:
    return bool(schema.keys() & {"type", "anyOf", "$ref"})


def ref_stands_alone(schema: Schema) -> bool:
    return "$ref" not in schema or set(schema) == {"$ref"}


def enum_of_strings(schema: Schema) -> bool:
    return all(isinstance(value, str) for value in schema.get("enum", ()))


def enum_of_one_type(schema: Schema) -> bool:
    return len({type(value) for value in schema.get("enum", ()) if value is not None}) <= 1


def enum_of_scalars(schema: Schema) -> bool:
    return all(value is None or isinstance(value, str | int | float) for value in schema.get("enum", ()))


def no_look_around(schema: Schema) -> bool:
    return re.search(r"\(\?(?:=|!|<)", schema.get("pattern", "")) is None


def simple_pattern(schema: Schema) -> bool:
    return no_look_around(schema) and re.search(r"\\[bB1-9]", schema.get("pattern", "")) is None


def few_items(schema: Schema) -> bool:
    return schema.get("minItems", 0) in (0, 1)


def kinds(schema: Schema) -> list[str]:
    named = schema.get("type", [])
    return [named] if isinstance(named, str) else named


def in_capitals(schema: Schema) -> bool:
    known = ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL")
    return "anyOf" in schema or schema.get("type") in known


def any_of_stands_alone(schema: Schema) -> bool:
    return "anyOf" not in schema or set(schema) == {"anyOf"}


def words_fit_the_type(schema: Schema) -> bool:
    wanted = {"properties": "OBJECT", "required": "OBJECT", "items": "ARRAY", "minItems": "ARRAY", "enum": "STRING"}
    return all(schema["type"] == kind for word, kind in wanted.items() if word in schema)


def arrays_say_their_items(schema: Schema) -> bool:
    return schema.get("type") != "ARRAY" or "items" in schema


STRICT_FORMATS = ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid")
_OPENAI_WORDS = (
    *("type", "description", "title", "properties", "required", "additionalProperties", "items", "enum", "const"),
    *("anyOf", "$ref", "$defs", "pattern", "format", "multipleOf", "minimum", "maximum"),
    *("exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"),
)
_ANTHROPIC_WORDS = (
    *("type", "description", "title", "properties", "required", "additionalProperties", "items", "enum", "const"),
    *("anyOf", "allOf", "$ref", "$defs", "default", "pattern", "format", "minItems"),
)
_GEMINI_WORDS = (
    *("$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum", "items", "prefixItems"),
    *("minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties", "additionalProperties", "required"),
)
_GEMINI_LIVE_WORDS = (
    *("type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties"),
    *("required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "minimum", "maximum", "anyOf"),
)
_ROOT = none_of("oneOf", "anyOf", "allOf", "enum", "not")


def _openai(provider: str) -> Iterator[Rule]:
    yield Rule(provider, None, "the root is an object", OPENAI, is_object, at_root=True)
    yield Rule(provider, None, "no oneOf, anyOf, allOf, enum or not at the root", OPENAI, _ROOT, at_root=True)
    yield Rule(provider, True, "only keywords of the supported subset", OPENAI_STRICT, only(*_OPENAI_WORDS))
    yield Rule(provider, True, "every property is required", OPENAI_STRICT, requires_all)
    yield Rule(provider, True, "every object is closed", OPENAI_STRICT, is_closed)
    yield Rule(provider, True, "every position has a type", OPENAI_STRICT, has_a_form)
    yield Rule(provider, True, "a reference has nothing beside it", OPENAI_STRICT, ref_stands_alone)
    yield Rule(provider, True, "formats of the supported list", OPENAI_STRICT, formats(*STRICT_FORMATS))
    yield Rule(provider, True, "patterns do not look around", OPENAI_STRICT, no_look_around)
    yield Rule(provider, True, "an enum is of one type", OPENAI_STRICT, enum_of_one_type)


def _anthropic(provider: str, source: str) -> Iterator[Rule]:
    name = r"[a-zA-Z0-9_.-]{1,64}"
    yield Rule(provider, None, "the root is an object", source, is_object, at_root=True)
    yield Rule(provider, None, "no oneOf, anyOf, allOf, enum or not at the root", source, _ROOT, at_root=True)
    yield Rule(provider, None, f"names at the root match {name}", source, names(name), at_root=True)
    yield Rule(provider, True, "only keywords of the supported subset", ANTHROPIC_STRICT, only(*_ANTHROPIC_WORDS))
    yield Rule(provider, True, "every object is closed", ANTHROPIC_STRICT, is_closed)
    yield Rule(provider, True, "every position has a type", ANTHROPIC_STRICT, has_a_form)
    yield Rule(provider, True, "a reference has nothing beside it", ANTHROPIC_STRICT, ref_stands_alone)
    yield Rule(provider, True, "formats of the supported list", ANTHROPIC_STRICT, formats(*STRICT_FORMATS, "uri"))
    yield Rule(provider, True, "patterns are simple", ANTHROPIC_STRICT, simple_pattern)
    yield Rule(provider, True, "minItems is 0 or 1", ANTHROPIC_STRICT, few_items)
    yield Rule(provider, True, "an enum holds scalars", ANTHROPIC_STRICT, enum_of_scalars)


LIVE = "gemini, live"
"""Gemini's own schema, in ``parameters``, beside its JSON Schema."""

RULES: tuple[Rule, ...] = (
    *_openai("openai_chat"),
    *_openai("openai_responses"),
    *_anthropic("anthropic", ANTHROPIC),
    *_anthropic("bedrock", BEDROCK),
    Rule("gemini", None, "the root is an object", GEMINI, is_object, at_root=True),
    Rule("gemini", None, "only keywords of the supported subset", GEMINI, only(*_GEMINI_WORDS)),
    Rule("gemini", None, "names of properties", GEMINI, names(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")),
    Rule("gemini", None, "an enum holds strings", GEMINI, enum_of_strings),
    Rule("gemini", None, "formats that are safe", GEMINI, formats("date-time", "enum")),
    Rule("gemini", None, "a reference has only words with $ beside it", GEMINI, ref_stands_alone),
    Rule(LIVE, None, "only fields of Schema", GEMINI_LIVE, only(*_GEMINI_LIVE_WORDS)),
    Rule(LIVE, None, "one type, in capitals, at every position", GEMINI_LIVE, in_capitals),
    Rule(LIVE, None, "anyOf has nothing beside it", GEMINI_LIVE, any_of_stands_alone),
    Rule(LIVE, None, "a keyword stands beside its type alone", GEMINI_LIVE, words_fit_the_type),
    Rule(LIVE, None, "an array says what its items are", GEMINI_LIVE, arrays_say_their_items),
    Rule(LIVE, None, "names of properties", GEMINI_LIVE, names(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")),
    Rule(LIVE, None, "formats that are safe", GEMINI_LIVE, formats("date-time", "enum")),
    Rule("mcp", None, "the root is an object", MCP, is_object, at_root=True),
)

RECURSION = ("anthropic", "bedrock")
"""Providers whose strict mode refuses recursion. Source: ANTHROPIC_STRICT."""


def broken(provider: str, strict: bool, schema: Schema) -> list[str]:
    """What a projected schema breaks: the rule, its source and the place."""
    rules = [rule for rule in RULES if rule.provider == provider and rule.strict in (None, strict)]
    found = [
        f"{where or 'the root'}: {rule.says} ({rule.source})"
        for where, position in positions(schema)
        for rule in rules
        if (not rule.at_root or position is schema) and not rule.holds(position)
    ]
    found += [
        f"{where}: required names that are no properties" for where, p in positions(schema) if not required_are_there(p)
    ]
    if strict and provider in RECURSION and is_recursive(schema):
        found.append(f"a definition refers to itself ({ANTHROPIC_STRICT})")
    return [*found, *dangling(schema)]


def positions(schema: Schema, where: str = "") -> Iterator[tuple[str, Schema]]:
    """Every position of a schema, by position: a property named ``enum`` is a property."""
    yield where, schema
    for word in ("properties", "$defs"):
        for name, inner in schema.get(word, {}).items():
            yield from positions(inner, f"{where}/{word}/{name}")
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), dict):
            yield from positions(schema[word], f"{where}/{word}")
    for index, inner in enumerate(schema.get("anyOf", ())):
        yield from positions(inner, f"{where}/anyOf/{index}")


def references(schema: Schema) -> set[str]:
    return {
        position["$ref"].removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")
        for _, position in positions({word: value for word, value in schema.items() if word != "$defs"})
        if "$ref" in position
    }


def dangling(schema: Schema) -> list[str]:
    """References to no definition, and definitions that nothing refers to."""
    definitions = schema.get("$defs", {})
    used = references(schema).union(*(references(inner) for inner in definitions.values()))
    return [f"$ref to {name}, which is not defined" for name in sorted(used - definitions.keys())]


def is_recursive(schema: Schema) -> bool:
    definitions = schema.get("$defs", {})
    reach = {name: references(inner) for name, inner in definitions.items()}
    for _ in definitions:
        reach = {name: found.union(*(reach.get(other, set()) for other in found)) for name, found in reach.items()}
    return any(name in found for name, found in reach.items())


TOOL_NAMES = {
    "anthropic": r"[a-zA-Z0-9_-]{1,128}",
    "openai_chat": r"[a-zA-Z0-9_-]{1,64}",
    "openai_responses": r"[a-zA-Z0-9_-]{1,128}",
    "gemini": r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}",
    "mcp": r"[A-Za-z0-9._-]{1,128}",
    "bedrock": r"[a-zA-Z0-9_-]{1,64}",
}
"""The names of tools. Sources: as the rules above."""
