"""A schema → a type of the design language and, for what no type says, a rule. Together they take the same values.

Where neither can say it, the type is wider and the report says so. ``objects`` and ``unions`` do their part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from toolgen import ir
from toolgen.design.rules import KEY_WORDS, as_written
from toolgen.importer.conjunction import ALL_TYPES, Endless, flat, members_of, types_of
from toolgen.importer.objects import ObjectReader
from toolgen.importer.plan import Name, ObjectPlan, Read, nullable, pending_key, written
from toolgen.importer.reporting import Outcome, Report
from toolgen.importer.rules import Definitions, Inliner, NoRule, Rule, all_rules
from toolgen.importer.scalars import read_number, read_text, unchecked_format
from toolgen.importer.schemas import (
    ASSERTIONS,
    Document,
    ReferenceFault,
    Schema,
    SchemaOrBool,
    bare,
    same,
    says_nothing,
)
from toolgen.importer.unions import UnionReader
from toolgen.names import is_clean_text
from toolgen.runtime.careful import Careful
from toolgen.runtime.formats import BASE64_SIZE_WORDS, base64_sizes
from toolgen.runtime.schemanodes import SchemaError
from toolgen.wiretypes import json_types_among

RULE_WORDS = ("not", "if", "then", "else", "allOf")
"""Keywords that are rules whatever the type."""

ANYTHING = Read(ir.Anything())


class Reader:
    """Reads the schemas of one document.

    ``objects`` are the Records that it met, by the pointers of their schemas, ``definitions`` those of its rules, which
    may be shared with a reader of another document.
    """

    def __init__(
        self, document: Document, report: Report, *, closed: bool = False, definitions: Definitions | None = None
    ) -> None:
        self.document = document
        self.report = report
        self.closed = closed
        self.objects: dict[str, ObjectPlan] = {}
        self.definitions = definitions or Definitions()
        self.inliner = Inliner(document, lambda at, name: unchecked_format(at, name, report), self.definitions)
        self.read_objects = ObjectReader(self)
        self.read_unions = UnionReader(self)
        self.targets: dict[ir.TypeKey, Read | None] = {}
        self._open: set[ir.TypeKey] = set()
        self._joined: dict[str, list[Schema]] = {}

    # --- any schema ---------------------------------------------------------------------------------------------------

    def read(self, schema: SchemaOrBool, name: Name) -> Read | None:
        """The type of what the schema takes; None where it takes nothing."""
        if isinstance(schema, bool):
            return ANYTHING if schema else None
        if says_nothing(schema):
            return ANYTHING
        try:
            target = self.target(schema)
            if target is not None:
                return self._read_target(target)
            whole = flat(schema, self.document)
        except (Endless, ReferenceFault) as fault:
            self.report.say(schema.at, Outcome.WIDER, f"any value is taken: {fault}")
            return ANYTHING
        if isinstance(whole, bool) or says_nothing(whole):
            return ANYTHING if whole is not False else None
        if not schema.keys() & {"$ref", "allOf"}:
            return self.read_flat(whole, name)
        return self._once(self._joined_key(schema), lambda: self.read_flat(whole, name))

    def _joined_key(self, schema: Schema) -> ir.TypeKey:
        """What a schema put together of others is known by: its place, and which of those there it is."""
        known = self._joined.setdefault(schema.at, [])
        number = next((n for n, one in enumerate(known) if same(one, schema)), len(known))
        if number == len(known):
            known.append(schema)
        return pending_key(schema.at, number + 1)

    def _once(self, key: ir.TypeKey, read: Callable[[], Read | None]) -> Read | None:
        """What a schema that may hold itself is read as; inside itself a type that ``Settling`` replaces."""
        if key in self._open:
            return Read(ir.RecordRef(key))
        if key not in self.targets:
            self._open.add(key)
            try:
                self.targets[key] = read()
            finally:
                self._open.discard(key)
        return self.targets[key]

    def read_flat(self, whole: Schema, name: Name) -> Read | None:
        """As ``read``, of a schema whose references are put together."""
        read = self._read_flat(whole, name)
        if read is not None and read.rule is not None and not _fits(read):
            return self.as_written(whole, read)
        return read

    def as_written(self, schema: SchemaOrBool, read: Read) -> Read:
        """The schema as a type that a rule fits, and all that it says as the rule."""
        rule = self.rule(schema)
        return Read(read.type) if rule is None else Read(written(read.type), rule)

    def rule(self, schema: SchemaOrBool) -> Rule | None:
        """The schema as a rule; None, reported, where it can't be one."""
        try:
            rule = self.inliner.rule(schema)
        except NoRule as reason:
            if not self.report.has_said(reason.at, str(reason)):
                self.report.say(reason.at, Outcome.WIDER, f"not all of it is checked: {reason}")
            return None
        if isinstance(rule, bool):
            return None if rule else {"not": {}}
        return rule or None

    def say_broken(self, place: str, document: Document | None = None) -> None:
        """Reports, once, the keywords at a place and below it whose values say nothing."""
        broken = (document or self.document).broken
        for entry in [entry for entry in broken if f"{entry[0]}/".startswith(f"{place}/" if place else "")]:
            broken.remove(entry)
            self.report.say(entry[0], Outcome.WIDER, entry[1])

    def target(self, schema: SchemaOrBool) -> str | None:
        """The pointer that the schema refers to, where it says nothing else. Raises ReferenceFault."""
        said = bare(schema)
        if not isinstance(said, Schema):
            return None
        if said.keys() & ASSERTIONS == {"$ref"}:
            return self.document.resolve(str(said["$ref"]))
        if said.keys() & ASSERTIONS == {"allOf"} and len(said["allOf"]) == 1:
            return self.target(said["allOf"][0])
        return None

    def _read_target(self, pointer: str) -> Read | None:
        name = Name(None, pointer.rpartition("/")[2] or "root")
        key = pending_key(f"{self.document.origin}{pointer}", 0)
        return self._once(key, lambda: self.read(self.document.schema(pointer), name))

    # --- by type ------------------------------------------------------------------------------------------------------

    def _read_flat(self, whole: Schema, name: Name) -> Read | None:
        members = members_of(whole)
        if members is not None:
            return self._read_members(whole, members)
        if "anyOf" in whole or "oneOf" in whole:
            return self.read_unions.read(whole, name)
        return self.read_typed(whole, name)

    def read_typed(self, whole: Schema, name: Name) -> Read | None:
        """As ``read``, of a schema that is no enum and no union."""
        types = self.types(whole)
        if types is None:
            if not whole.keys() & {"properties", "additionalProperties", "patternProperties", "items", "prefixItems"}:
                return Read(ir.Anything(), self.rule(whole))
            types = ALL_TYPES
        # What a condition says of the bytes that a text holds is part of its type.
        own = BASE64_SIZE_WORDS if base64_sizes(whole) is not None else ()
        rules = {word: whole[word] for word in RULE_WORDS if word in whole and word not in own}
        whole = whole.without(*rules)
        if rules and set(types) == {"object"}:
            return self.read_objects.read(whole.having(**rules), name)
        reads = {of: self._read_type(of, whole, name) for of in types if not (of == "integer" and "number" in types)}
        return self.joined(list(reads.values()), self.rule(Schema(rules, whole.at)) if rules else None)

    def types(self, whole: Schema) -> tuple[str, ...] | None:
        """The JSON types that the schema names; None where it names none, or one that is none of them."""
        named = types_of(whole)
        unknown = [one for one in named if one not in ALL_TYPES]
        if unknown:
            text = f"any value is taken: {', '.join(map(repr, unknown))} is no type of JSON Schema"
            self.report.say(f"{whole.at}/type", Outcome.WIDER, text)
            return None
        return tuple(dict.fromkeys(named)) if "type" in whole else None

    def joined(self, reads: Sequence[Read | None], rule: Rule | None = None) -> Read | None:
        """The union of types that are told apart, with all their rules."""
        found = [read for read in reads if read is not None]
        if not found:
            return None
        if any(isinstance(read.type, ir.Anything) for read in found):
            only = found[0].rule if len(found) == 1 else None
            return Read(ir.Anything(), all_rules([only, rule]))
        alone = len(found) == 1
        rules = [read.rule if alone else _only_of(read) for read in found]
        return Read(united([read.type for read in found]), all_rules([*rules, rule]))

    def _read_type(self, of: str, whole: Schema, name: Name) -> Read | None:
        match of:
            case "null":
                return Read(NULL)
            case "boolean":
                return Read(ir.Scalar(ir.Kind.BOOL))
            case "integer" | "number":
                return read_number(whole, self.report, whole=of == "integer")
            case "string":
                return read_text(whole, self.report)
            case "array":
                return self._read_array(whole, name)
            case _:
                return self.read_objects.read(whole, name)

    def _read_array(self, whole: Schema, name: Name) -> Read | None:
        bounds: dict[str, Any] = {word: int(whole[key]) for key, word in _ITEMS.items() if key in whole}
        bounds = {word: value for word, value in bounds.items() if value >= 0 or word == "max_items"}
        least, most = bounds.get("min_items", 0), bounds.get("max_items")
        rules: list[Rule | None] = []
        extra = {word: whole[word] for word in _ARRAY_RULES if word in whole}
        if "prefixItems" in whole:
            items: Read | None = ANYTHING
            extra |= {word: whole[word] for word in ("prefixItems", "items") if word in whole}
        else:
            items = self.read(whole.get("items", True), Name(name.parent, name.words, one=True))
        if items is None:
            items, most = ANYTHING, 0
        if most is not None and least > most:
            return None
        if most is not None:
            bounds["max_items"] = most
        if items.rule is not None:
            rules.append({"items": items.rule})
        unique = whole.get("uniqueItems") is True and (most is None or most > 1)
        if unique and not single_spelling(items.type):
            extra["uniqueItems"] = True
            unique = False
        if extra:
            rules.append(self.rule(Schema(extra, whole.at)))
        return Read(ir.Array(items.type, ir.Constraints(**bounds, unique_items=unique)), all_rules(rules))

    # --- enums --------------------------------------------------------------------------------------------------------

    def _read_members(self, whole: Schema, members: list[Any]) -> Read | None:
        rest = whole.without("enum", "const")
        judge = self.judge(rest) if not says_nothing(rest) else None
        if judge is None and not says_nothing(rest):
            self.report.say(whole.at, Outcome.WIDER, "what stands beside its enum is not checked")
        elif judge is not None:
            members = [value for value in members if not judge.judge(value, lenient=False).issues]
        if not members:
            return None
        if all(_is_scalar(value) for value in members):
            return Read(ir.Choice(tuple(members)))
        kinds = {type(value) for value in members}
        type_: ir.Type = ir.Anything()
        if kinds == {dict}:
            type_ = ir.Map(ir.Anything())
        elif kinds == {list}:
            type_ = ir.Array(ir.Anything())
        return Read(type_, {"enum": members})

    def judge(self, schema: SchemaOrBool) -> Careful | None:
        """What judges values by a schema; None where nothing can."""
        try:
            return self.inliner.judge(schema)
        except (NoRule, SchemaError):
            return None

    def named(self, pointer: str) -> bool:
        """Whether a schema is a definition, which its author gave a name."""
        return pointer.split("/")[-2:-1] in (["$defs"], ["definitions"], ["schemas"])


def _is_scalar(value: Any) -> bool:
    return is_clean_text(value) if isinstance(value, str) else value is None or isinstance(value, bool | int | float)


NULL = ir.Choice((None,))
_ITEMS: Mapping[str, str] = {"minItems": "min_items", "maxItems": "max_items"}
_ARRAY_RULES = ("contains", "minContains", "maxContains")


def united(types: Sequence[ir.Type]) -> ir.Type:
    """A union as a design reads it: null no arm, choices one, no arm twice."""
    flat_types = [inner for type_ in types for inner in _arms(type_)]
    values = dict.fromkeys(
        (type(v), v) for t in flat_types if isinstance(t, ir.Choice) for v in t.values if v is not None
    )
    choice = [ir.Choice(tuple(value for _, value in values))] if values else []
    arms: list[ir.Type] = []
    for type_ in flat_types:
        arms += choice if isinstance(type_, ir.Choice) else [type_]
    arms = list(dict.fromkeys(arms))
    if not arms:
        return NULL
    if any(isinstance(arm, ir.Anything) for arm in arms):
        return ir.Anything()
    united = arms[0] if len(arms) == 1 else ir.Union(tuple(arms))
    takes = any(isinstance(t, ir.Nullable) or (isinstance(t, ir.Choice) and None in t.values) for t in types)
    return nullable(united) if takes else united


def _arms(type_: ir.Type) -> tuple[ir.Type, ...]:
    match type_:
        case ir.Nullable(of):
            return _arms(of)
        case ir.Union(arms):
            return arms
        case _:
            return (type_,)


def _only_of(read: Read) -> Rule | None:
    """The rule of an arm, so that it does not bear on other arms: most keywords speak of one JSON type only."""
    if read.rule is None or not read.rule.keys() & _OF_ANY_TYPE:
        return read.rule
    return {"if": {"type": sorted(json_types_among(read.type, lambda _: ()))}, "then": read.rule}


_OF_ANY_TYPE = frozenset({"type", "not", "if", "allOf", "anyOf", "oneOf", "enum", "const"})


def single_spelling(type_: ir.Type) -> bool:
    """Whether a design may ask for unique items of the type: their values are equal exactly when their JSON is."""
    match type_:
        case ir.Scalar(kind):
            return kind in (ir.Kind.STR, ir.Kind.INT, ir.Kind.BOOL)
        case ir.Choice(values):
            return not any(isinstance(value, float) for value in values)
        case ir.Nullable(of):
            return single_spelling(of)
        case ir.Union(arms):
            return all(map(single_spelling, arms))
        case _:
            return False


def _fits(read: Read) -> bool:
    """Whether a design may have the rule beside the type."""
    inner = read.type.of if isinstance(read.type, ir.Nullable) else read.type
    return as_written(read.type) or (
        isinstance(inner, ir.Map) and read.rule is not None and set(read.rule) <= KEY_WORDS
    )
