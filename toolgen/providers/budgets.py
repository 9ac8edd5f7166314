"""What a provider takes in all: names, sizes of a schema, and sums over the tools of a request.

Sources: OpenAI, "Structured outputs", limits on schemas; Anthropic, "Structured outputs", limits on one request. These
hold for strict tools alone; every request is taken to have all tools of a toolset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from toolgen.providers import dialects
from toolgen.providers.canonical import reference, types
from toolgen.providers.definitions import Definition, ProjectionError
from toolgen.providers.facts import Facts

OPENAI_PROPERTIES: Final = 5000
OPENAI_DEPTH: Final = 10
OPENAI_CHARACTERS: Final = 120_000
OPENAI_VALUES: Final = 1000
OPENAI_MANY_VALUES: Final = 250
OPENAI_VALUE_CHARACTERS: Final = 15_000
"""Most characters of the values of one enum of strings that has more than OPENAI_MANY_VALUES."""

ANTHROPIC_STRICT_TOOLS: Final = 20
ANTHROPIC_OPTIONAL: Final = 24
ANTHROPIC_UNIONS: Final = 16


LONGEST_NAMES: Final = {
    "anthropic": 128,
    "openai_chat": 64,
    "openai_responses": 128,
    "gemini": 128,
    "mcp": 128,
    "bedrock": 64,
}
"""Most characters of a tool's name: what each provider's ``TOOL_NAME`` comes to."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a provider would refuse, or that a projection has to work around.

    Attributes:
        provider: the provider.
        tool: the tool's wire name; None: the toolset as a whole.
        field: where in the tool's input, empty for the whole.
        what: what is wrong, with the number and the limit where there are such.
        way: the cheapest way out.
        number: how many there are, or how long it is.
        limit: how many there may be.
    """

    provider: str
    tool: str | None
    field: str
    what: str
    way: str
    number: int | None = None
    limit: int | None = None


def findings(tools: Sequence[Facts], provider: str, module: Any) -> Iterator[Finding]:
    """What a provider would say of the tools of a request; ``module`` is the provider's."""
    strict: list[Definition] = []
    for facts in tools:
        named = list(_names(facts, provider, module))
        yield from named
        if any(not finding.field for finding in named):
            continue
        try:
            told: Definition = module.definition(facts, None)
        except ProjectionError as error:
            yield Finding(provider, facts.name, error.field, error.reason, error.way)
            continue
        if told.strict:
            strict.append(told)
    if provider.startswith("openai"):
        for told in strict:
            yield from _openai(told, provider)
    if provider == "anthropic":
        yield from _anthropic(strict, provider)


# Names


def _names(facts: Facts, provider: str, module: Any) -> Iterator[Finding]:
    if module.TOOL_NAME.fullmatch(facts.name) is None:
        what = f"its name is {len(facts.name)} characters long, and must match {module.TOOL_NAME.pattern}"
        way = 'Give the tool another name with name="...".'
        yield Finding(provider, facts.name, "", what, way, len(facts.name), LONGEST_NAMES[provider])
    dialect = {"anthropic": _ANTHROPIC, "bedrock": _ANTHROPIC, "gemini": dialects.gemini()}.get(provider)
    if dialect is None or dialect.property_name is None:
        return
    holders = [("", facts.schema), *(facts.schema.get("$defs", {}).items() if dialect.nested_names else ())]
    for holder, schema in holders:
        for name in schema.get("properties", {}):
            if dialect.property_name.fullmatch(name) is None:
                what = f"its name is {len(name)} characters long, and must match {dialect.property_name.pattern}"
                way = 'The projection gives it another: to have one name everywhere, use field(name="...").'
                yield Finding(provider, facts.name, f"{holder}.{name}" if holder else name, what, way, len(name), 64)


_ANTHROPIC = dialects.anthropic("anthropic", strict=False)


# OpenAI: each schema by itself


def _openai(told: Definition, provider: str) -> Iterator[Finding]:
    schema = told.schema
    properties = [(where, name) for where, inner in walk(schema) for name in inner.get("properties", {})]
    enums = [(where, inner["enum"]) for where, inner in walk(schema) if "enum" in inner]
    texts = [(name, name) for _, name in properties] + [(name, name) for name in schema.get("$defs", {})]
    texts += [(where, value) for where, values in enums for value in values if isinstance(value, str)]

    def found(what: str, number: int, limit: int, way: str, field: str = "") -> Iterator[Finding]:
        if number > limit:
            yield Finding(provider, told.tool, field, f"{what}: {number}, and {limit} are taken", way, number, limit)

    off = "or set strict=False on the tool."
    yield from found("properties", len(properties), OPENAI_PROPERTIES, f"Split the tool in two, {off}")
    level, path = deepest(schema)
    way = f"Bring {'.'.join(path[-2:])} up, which is deepest, {off}"
    yield from found("levels of nesting", level, OPENAI_DEPTH, way, ".".join(path))
    longest = max(texts, key=lambda pair: len(pair[1]), default=("", ""))[0]
    number = sum(len(text) for _, text in texts)
    way = f"Shorten names and values, those of {longest} first, {off}"
    yield from found("characters of names and values", number, OPENAI_CHARACTERS, way)
    where, most = max(enums, key=lambda pair: len(pair[1]), default=("", []))
    way = f"Make {where}, which has {len(most)}, a str, {off}"
    yield from found("values of enums", sum(len(values) for _, values in enums), OPENAI_VALUES, way)
    for where, values in enums:
        if len(values) > OPENAI_MANY_VALUES:
            number = sum(len(value) for value in values if isinstance(value, str))
            what = f"characters of an enum with more than {OPENAI_MANY_VALUES} values"
            yield from found(what, number, OPENAI_VALUE_CHARACTERS, f"Make it a str, {off}", where)


# Anthropic: all tools together


def _anthropic(strict: Sequence[Definition], provider: str) -> Iterator[Finding]:
    counts: list[tuple[str, int, Callable[[Definition], int]]] = [
        ("strict tools", ANTHROPIC_STRICT_TOOLS, lambda told: 1),
        ("optional fields of strict tools", ANTHROPIC_OPTIONAL, lambda told: optional_fields(told.schema)),
        ("fields of a union type in strict tools", ANTHROPIC_UNIONS, lambda told: union_fields(told.schema)),
    ]
    for what, limit, count in counts:
        number = sum(map(count, strict))
        if number > limit:
            way = f"Set strict=False on {_fewest(strict, count, number - limit)}."
            text = f"{what} in one request: {number}, and {limit} are taken"
            yield Finding(provider, None, "", text, way, number, limit)


def _fewest(strict: Sequence[Definition], count: Callable[[Definition], int], excess: int) -> str:
    """The fewest tools that hold so many, with how many each holds."""
    found: list[str] = []
    for told in sorted(strict, key=count, reverse=True):
        if excess <= 0:
            break
        excess -= count(told)
        found.append(f"{told.tool} ({count(told)})")
    return ", ".join(found)


# Counting


def walk(schema: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every position of a projected schema once, with where it stands; definitions where they are defined."""
    yield where, schema
    for place, inner in steps(schema, where):
        yield from walk(inner, place)
    for name, inner in schema.get("$defs", {}).items():
        yield from walk(inner, name)


def steps(schema: Mapping[str, Any], where: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The positions inside one, definitions aside."""
    for name, inner in schema.get("properties", {}).items():
        yield f"{where}.{name}" if where else name, inner
    if isinstance(schema.get("items"), Mapping):
        yield f"{where}[]", schema["items"]
    if isinstance(schema.get("additionalProperties"), Mapping):
        yield f"{where}.*", schema["additionalProperties"]
    for word in ("anyOf", "allOf"):
        for inner in schema.get(word, ()):
            if "$id" not in inner:  # a rule with definitions of its own
                yield where, inner


def optional_fields(schema: Mapping[str, Any]) -> int:
    """How many properties, at every level, may be left out."""
    return sum(len(inner.get("properties", {}).keys() - set(inner.get("required", ()))) for _, inner in walk(schema))


def union_fields(schema: Mapping[str, Any]) -> int:
    """How many positions take values of several types: by ``anyOf``, or by a list of types."""
    return sum("anyOf" in inner or len(types(inner)) > 1 for _, inner in walk(schema))


def deepest(schema: Mapping[str, Any]) -> tuple[int, tuple[str, ...]]:
    """How many levels of objects there are, the root being one, and the names on the way to the deepest. A definition
    that refers to itself counts once."""
    definitions = schema.get("$defs", {})

    def from_here(inner: Mapping[str, Any], seen: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
        name = reference(inner)
        if name is not None:
            return (0, ()) if name in seen else from_here(definitions[name], (*seen, name))
        best: tuple[int, tuple[str, ...]] = (0, ())
        for place, child in steps({**inner, "$defs": {}}, ""):
            level, path = from_here(child, seen)
            step = (place,) if place in inner.get("properties", {}) else ()
            best = max(best, (level, (*step, *path)), key=lambda found: found[0])
        return best[0] + ("object" in types(inner)), best[1]

    return from_here(schema, ())
