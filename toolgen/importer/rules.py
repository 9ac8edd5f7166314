"""A schema of the source as a rule of a design: one that stands alone.

References are followed and written out, annotations left out, patterns and formats put in the words that are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from toolgen.importer import formats, patterns
from toolgen.importer.conjunction import ALL_TYPES, members_of, types_of
from toolgen.importer.schemas import (
    ANNOTATIONS,
    ASSERTIONS,
    LIST_WORDS,
    MAP_WORDS,
    SCHEMA_WORDS,
    Document,
    ReferenceFault,
    Schema,
    SchemaOrBool,
)
from toolgen.runtime import formats as checked
from toolgen.runtime.careful import Careful

Rule: TypeAlias = dict[str, Any]

MOST_WORDS = 2_000
"""Keywords that one rule may come to once its references are written out."""


_TOGETHER: Mapping[str, str] = {
    **dict.fromkeys(("properties", "patternProperties", "additionalProperties"), "keys"),
    **dict.fromkeys(("prefixItems", "items"), "items"),
    **dict.fromkeys(("contains", "minContains", "maxContains"), "contains"),
    **dict.fromkeys(("if", "then", "else"), "if"),
}
"""Keywords that have their meaning together, by group."""


def all_rules(rules: Sequence[Rule | None]) -> Rule | None:
    """All of some rules as one; keywords that do not meet stand side by side."""
    found = [rule for rule in rules if rule]
    if len(found) < 2:
        return found[0] if found else None
    groups = [group for rule in found for group in {_TOGETHER.get(word, word) for word in rule}]
    if len(groups) == len(set(groups)):
        return {word: value for rule in found for word, value in rule.items()}
    return {"allOf": found}


class NoRule(ValueError):
    """A schema that can't be a rule. ``at`` is the JSON Pointer of what stands in the way, the text says why."""

    def __init__(self, at: str, reason: str) -> None:
        super().__init__(reason)
        self.at = at


class Inliner:
    """Writes schemas as rules. ``unchecked`` is told of formats that are left out of one."""

    def __init__(self, document: Document, unchecked: Callable[[str, str], None]) -> None:
        self._document = document
        self._unchecked = unchecked
        self._size = 0
        self._targets: dict[str, str] | None = None

    def rule(self, schema: SchemaOrBool) -> Rule | bool:
        """The schema as a rule. Raises NoRule."""
        self._size = 0
        return self._inlined(schema, ())

    def judge(self, schema: SchemaOrBool) -> Careful:
        """What judges values by the schema, which may hold itself here. Raises NoRule."""
        self._size, self._targets = 0, {}
        try:
            rule = self._inlined(schema, ())
            if isinstance(rule, bool):
                return Careful(rule)
            definitions: dict[str, Any] = {}
            while len(definitions) < len(self._targets):
                for pointer, name in list(self._targets.items()):
                    if name not in definitions:
                        definitions[name] = self._inlined(self._document.schema(pointer), ())
            return Careful({"allOf": [rule], "$defs": definitions})
        finally:
            self._targets = None

    def _inlined(self, schema: SchemaOrBool, inside: tuple[str, ...]) -> Rule | bool:
        if isinstance(schema, bool):
            return schema
        self._size += len(schema)
        if self._size > MOST_WORDS:
            raise NoRule(schema.at, "it is too large to be written out")
        made: Rule = {}
        for word, value in schema.items():
            if word in ANNOTATIONS or word not in ASSERTIONS or word == "$ref":
                continue
            if word in ("unevaluatedProperties", "unevaluatedItems"):
                if value is not True:
                    raise NoRule(schema.at, f"nothing here judges {word}")
            elif word in SCHEMA_WORDS:
                made[word] = self._inlined(value, inside)
            elif word in LIST_WORDS:
                made[word] = [self._inlined(inner, inside) for inner in value]
            elif word == "patternProperties":
                made[word] = {
                    self._pattern(name, schema): self._inlined(inner, inside) for name, inner in value.items()
                }
            elif word in MAP_WORDS:
                made[word] = {name: self._inlined(inner, inside) for name, inner in value.items()}
            else:
                self._bound(word, value, schema, made)
        if "$ref" in schema:
            target = self._target(schema, inside)
            if not made:
                return target
            made["allOf"] = [target, *made.get("allOf", ())]
        return made

    def _target(self, schema: Schema, inside: tuple[str, ...]) -> Rule | bool:
        try:
            pointer = self._document.resolve(str(schema["$ref"]))
        except ReferenceFault as fault:
            raise NoRule(schema.at, str(fault)) from None
        if self._targets is not None:
            return {"$ref": f"#/$defs/{self._targets.setdefault(pointer, str(len(self._targets)))}"}
        if pointer in inside:
            raise NoRule(schema.at, "it holds itself")
        return self._inlined(self._document.schema(pointer), (*inside, pointer))

    def _bound(self, word: str, value: Any, schema: Schema, made: Rule) -> None:
        match word:
            case "pattern":
                self._patterns(value, schema, made)
            case "format":
                self._format(value, schema, made)
            case "enum":
                made["enum"] = members_of({"enum": value})
            case "contentEncoding":
                pass
            case "type":
                unknown = [name for name in types_of(schema) if name not in ALL_TYPES]
                if unknown:
                    raise NoRule(schema.at, f"{unknown[0]!r} is no type of JSON Schema")
                made["type"] = value if isinstance(value, str) else list(dict.fromkeys(types_of(schema)))
            case _:
                made[word] = value

    def _patterns(self, pattern: str, schema: Schema, made: Rule) -> None:
        with _in_dialect(pattern, schema):
            found = patterns.split(pattern)
        rules = found.rules()
        if len(rules) == 1 and "pattern" in rules[0] and "pattern" not in made:
            made |= rules[0]
        elif rules:
            made["allOf"] = [*made.get("allOf", ()), *rules]

    def _pattern(self, pattern: str, schema: Schema) -> str:
        with _in_dialect(pattern, schema):
            return patterns.adapted(pattern)

    def _format(self, name: Any, schema: Schema, made: Rule) -> None:
        if schema.get("pattern") == checked.DURATION_PATTERN:
            return  # the pattern of a timedelta says all of it
        if name in checked.ASSERTED and name != "duration":
            made["format"] = name
        elif name in formats.PATTERNS:
            pattern = formats.PATTERNS[name]
            if "pattern" in schema:
                made["allOf"] = [*made.get("allOf", ()), {"pattern": pattern}]
            else:
                made["pattern"] = pattern
        else:
            self._unchecked(f"{schema.at}/format", str(name))


@contextmanager
def _in_dialect(pattern: str, schema: Schema) -> Iterator[None]:
    """Raises NoRule for a pattern that the dialect can't say."""
    try:
        yield
    except patterns.PatternError as error:
        raise NoRule(schema.at, f"the pattern {pattern!r} can't be used: {error.reason}") from None
