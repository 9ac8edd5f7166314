"""A schema of the source as a rule of a design: one that stands alone.

References are followed and written out, save those to what holds itself, which is a definition of the rule. Annotations
are left out, patterns and formats put in the words that are checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

from toolgen.design import rulerefs
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
from toolgen.importer.unevaluated import spelled_out
from toolgen.runtime import formats as checked
from toolgen.runtime.careful import Careful
from toolgen.runtime.keyrules import SAME_VALUE

Rule: TypeAlias = dict[str, Any]

MOST_WORDS = 2_000
"""Keywords that one rule may come to once its references are written out."""

MOST_DEFINED = 3_000
"""Keywords that the definitions of all rules of a tool may come to: each rule has those that it needs."""


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


def parts_of(rule: Rule) -> list[Rule]:
    """Rules that together say what the rule says: the opposite of ``all_rules``."""
    groups: dict[str, Rule] = {}
    for word, value in rule.items():
        if word != "allOf":
            groups.setdefault(_TOGETHER.get(word, word), {})[word] = value
    parts = [*groups.values()]
    for one in rule.get("allOf", ()):
        parts += parts_of(one) if isinstance(one, dict) else [] if one else [{"not": {}}]
    return parts


class NoRule(ValueError):
    """A schema that can't be a rule. ``at`` is the JSON Pointer of what stands in the way, the text says why."""

    def __init__(self, at: str, reason: str) -> None:
        super().__init__(reason)
        self.at = at


class TooLarge(NoRule):
    """A schema that comes to too many keywords."""

    def __init__(self, at: str) -> None:
        super().__init__(at, "it is too large to be written out")


class Definitions:
    """What the rules of a tool refer to, by name: each is of a place in the source that holds itself."""

    def __init__(self) -> None:
        self.bodies: dict[str, Rule] = {}
        self.sizes: dict[str, int] = {}
        self.spent = 0
        self._names: dict[str, str] = {}

    def name(self, place: str) -> str:
        """The name of the definition of a place."""
        if place not in self._names:
            wanted = re.sub(r"[^A-Za-z0-9_.-]+", "_", place.rpartition("/")[2]) or "Root"
            number, free = 2, wanted
            while free in self._names.values():
                number, free = number + 1, f"{wanted}{number}"
            self._names[place] = free
        return self._names[place]

    def needed(self, rule: Rule | bool | None) -> list[str]:
        """The names of the definitions that a rule needs, in the order in which they are met."""
        found: dict[str, None] = {}
        waiting: list[Any] = [rule]
        while waiting:
            for target in rulerefs.targets(waiting.pop()):
                name = target.removeprefix(rulerefs.BEGIN)
                if name not in found:
                    found[name] = None
                    waiting.append(self.bodies[name])
        return [*found]

    def complete(self, rule: Rule | None, *, short: bool = False) -> Rule | None:
        """The rule with the definitions that it needs; ``short``: as a reference, where it is one of them."""
        needed = self.needed(rule)
        if not rule or not needed:
            return rule
        same = next((name for name in needed if short and self.bodies[name] == rule), None)
        said: Rule = rule if same is None else {"$ref": f"{rulerefs.BEGIN}{same}"}
        return {**said, "$defs": {name: self.bodies[name] for name in needed}}


class Inliner:
    """Writes schemas as rules. ``unchecked`` is told of formats that are left out of one.

    What a rule refers to is written out in it, save what holds itself; in a rule that is too large so, nothing is.
    """

    def __init__(self, document: Document, unchecked: Callable[[str, str], None], definitions: Definitions) -> None:
        self._document = document
        self._unchecked = unchecked
        self._definitions = definitions
        self._size = 0
        self._targets: dict[str, str] | None = None
        self._direct: dict[str, set[str]] = {}
        self._waiting: list[tuple[str, str]] = []
        self._brief = False

    def rule(self, schema: SchemaOrBool) -> Rule | bool:
        """The schema as a rule; what it refers to is among the definitions. Raises NoRule."""
        try:
            return self._rule(schema)
        except TooLarge:
            self._brief = True
            try:
                return self._rule(schema)
            finally:
                self._brief = False

    def _rule(self, schema: SchemaOrBool) -> Rule | bool:
        self._size = 0
        before = dict(self._definitions.bodies)
        try:
            rule = self._inlined(schema, ())
            self._write_definitions()
            self._judge_size(schema, rule)
        except NoRule:
            self._definitions.bodies = before
            self._waiting.clear()
            raise
        return rule

    def _write_definitions(self) -> None:
        while self._waiting:
            name, pointer = self._waiting.pop()
            before = self._size
            body = self._inlined(self._document.schema(pointer), (pointer,))
            self._definitions.bodies[name] = body if isinstance(body, dict) else {"allOf": [body]}
            self._definitions.sizes[name] = self._size - before

    def _judge_size(self, schema: SchemaOrBool, rule: Rule | bool) -> None:
        size = sum(self._definitions.sizes[name] for name in self._definitions.needed(rule))
        if size > MOST_WORDS or self._definitions.spent + size > MOST_DEFINED:
            raise TooLarge(schema.at if isinstance(schema, Schema) else "")
        self._definitions.spent += size

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

    def _inlined(self, schema: SchemaOrBool, here: tuple[str, ...], *, apart: bool = False) -> Rule | bool:
        """``here`` are the places that judge the same value; ``apart``: it is a part of the value of the rule."""
        if isinstance(schema, bool):
            return schema
        self._size += len(schema)
        if self._size > MOST_WORDS:
            raise TooLarge(schema.at)
        schema = self._spelled_out(schema)
        made: Rule = {}
        for word, value in schema.items():
            if word in ANNOTATIONS or word not in ASSERTIONS or word == "$ref":
                continue
            inlined = self._inlined_at(word, here, apart=apart)
            if word in ("unevaluatedProperties", "unevaluatedItems"):
                if value is not True:
                    raise NoRule(schema.at, f"nothing here judges {word}")
            elif word in SCHEMA_WORDS:
                made[word] = inlined(value)
            elif word in LIST_WORDS:
                made[word] = [inlined(inner) for inner in value]
            elif word == "patternProperties":
                made[word] = {self._pattern(name, schema): inlined(inner) for name, inner in value.items()}
            elif word in MAP_WORDS:
                made[word] = {name: inlined(inner) for name, inner in value.items()}
            else:
                self._bound(word, value, schema, made)
        if "$ref" in schema:
            target = self._target(schema, here, apart)
            if not made:
                return target
            made["allOf"] = [target, *made.get("allOf", ())]
        return made

    def _spelled_out(self, schema: Schema) -> Schema:
        try:
            return spelled_out(schema, self._document)
        except ReferenceFault as fault:
            raise NoRule(schema.at, str(fault)) from None

    def _inlined_at(self, word: str, here: tuple[str, ...], *, apart: bool) -> Callable[[SchemaOrBool], Rule | bool]:
        """How the schemas under a keyword are written: they judge the same value, or a part of it."""
        if word in SAME_VALUE:
            return lambda schema: self._inlined(schema, here, apart=apart)
        return lambda schema: self._inlined(schema, (), apart=True)

    def _target(self, schema: Schema, here: tuple[str, ...], apart: bool) -> Rule | bool:
        try:
            pointer = self._document.resolve(str(schema["$ref"]))
        except ReferenceFault as fault:
            raise NoRule(schema.at, str(fault)) from None
        if self._targets is not None:
            return {"$ref": f"{rulerefs.BEGIN}{self._targets.setdefault(pointer, str(len(self._targets)))}"}
        if pointer in here:
            raise NoRule(schema.at, "it refers to itself alone")
        if apart and (self._brief or self._holds_itself(pointer)):
            return {"$ref": f"{rulerefs.BEGIN}{self._definition(pointer)}"}
        return self._inlined(self._document.schema(pointer), (*here, pointer), apart=apart)

    def _definition(self, pointer: str) -> str:
        """The name of the definition of a place, which is written once."""
        name = self._definitions.name(f"{self._document.origin}{pointer}")
        if name not in self._definitions.bodies:
            self._definitions.bodies[name] = {}
            self._waiting.append((name, pointer))
        return name

    def _holds_itself(self, pointer: str) -> bool:
        found: set[str] = set()
        waiting = [pointer]
        while waiting:
            at = waiting.pop()
            if at not in self._direct:
                self._direct[at] = {*_resolved(self._document, self._document.schema(at))}
            waiting += self._direct[at] - found
            found |= self._direct[at]
        return pointer in found

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


def _resolved(document: Document, at: Any) -> Iterator[str]:
    """The pointers that the references in a schema lead to, at every depth."""
    if isinstance(at, Schema) and "$ref" in at:
        with suppress(ReferenceFault):
            yield document.resolve(str(at["$ref"]))
    for inner in at.values() if isinstance(at, dict) else at if isinstance(at, list) else ():
        yield from _resolved(document, inner)


@contextmanager
def _in_dialect(pattern: str, schema: Schema) -> Iterator[None]:
    """Raises NoRule for a pattern that the dialect can't say."""
    try:
        yield
    except patterns.PatternError as error:
        raise NoRule(schema.at, f"the pattern {pattern!r} can't be used: {error.reason}") from None
