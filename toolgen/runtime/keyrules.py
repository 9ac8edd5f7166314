"""Rules on an object (``also``), which stand beside its form: which keys they speak of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from toolgen.runtime import patterns

SCHEMA_WORDS: Final = frozenset(
    {"items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else", "unevaluatedItems"}
)
"""Keywords that hold one schema."""

LIST_WORDS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
"""Keywords that hold a list of schemas."""

MAP_WORDS: Final = frozenset({"properties", "patternProperties", "dependentSchemas"})
"""Keywords that hold schemas by name."""

SAME_VALUE: Final = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"})
"""Keywords whose schemas judge the value itself, and no part of it."""

ALL_KEYS: Final = frozenset(
    {"minProperties", "maxProperties", "enum", "const", "additionalProperties", "patternProperties", "propertyNames"}
)
"""Keywords that count an object's keys, or judge keys that they do not name."""


def parts_of(rule: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The schemas directly inside a schema, each with the keyword that holds it."""
    for word, value in rule.items():
        if word in SCHEMA_WORDS:
            yield word, value
        elif word in LIST_WORDS and isinstance(value, list):
            yield from ((word, inner) for inner in value)
        elif word in MAP_WORDS and isinstance(value, dict):
            yield from ((word, inner) for inner in value.values())


def words_on(rule: Any, names: Collection[str]) -> Iterator[str]:
    """The keywords of a rule that judge, or count, keys which are added to the object that it was written for."""
    if not isinstance(rule, dict):
        return
    for word in sorted(rule.keys() & ALL_KEYS):
        if word == "minProperties" or any(reaches(word, rule, name) for name in names):
            yield word
    for word, inner in parts_of(rule):
        if word in SAME_VALUE:
            yield from words_on(inner, names)


def reaches(word: str, rule: Mapping[str, Any], name: str) -> bool:
    """Whether a keyword judges, or counts, a key that is added: more keys can't break a least number of them."""
    properties, by_pattern = rule.get("properties"), rule.get("patternProperties")
    matched = isinstance(by_pattern, dict) and any(patterns.compile(p).search(name) for p in by_pattern)
    if word == "patternProperties":
        return matched
    if word == "additionalProperties":
        return not matched and not (isinstance(properties, dict) and name in properties)
    return word != "minProperties"


def wanted_keys(rule: Mapping[str, Any]) -> Iterator[str]:
    """The keys that a rule asks for, or asks something of others by, at its own level."""
    required = rule.get("required")
    yield from (str(name) for name in (required if isinstance(required, list) else ()))
    dependent = rule.get("dependentRequired")
    for name, others in dependent.items() if isinstance(dependent, dict) else ():
        yield name
        yield from (str(other) for other in (others if isinstance(others, list) else ()))
    schemas = rule.get("dependentSchemas")
    yield from schemas if isinstance(schemas, dict) else ()


def named_keys(rule: Any) -> Iterator[str]:
    """Every key of the object that a rule names."""
    if not isinstance(rule, dict):
        return
    yield from wanted_keys(rule)
    properties = rule.get("properties")
    yield from properties if isinstance(properties, dict) else ()
    for word, inner in parts_of(rule):
        if word in SAME_VALUE:
            yield from named_keys(inner)
