"""Objects: as a dict, as a Record, or as one Record of the alternatives that an object has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from toolgen import ir
from toolgen.design.rules import Keys, complaints
from toolgen.importer.conjunction import UNEVALUATED, Endless, both, flat, types_of
from toolgen.importer.fields import FieldReader
from toolgen.importer.plan import FieldPlan, Name, ObjectPlan, Read, written
from toolgen.importer.reporting import Outcome
from toolgen.importer.rules import Rule, all_rules, parts_of
from toolgen.importer.schemas import MAP_WORDS, ReferenceFault, Schema, SchemaOrBool, same, says_nothing
from toolgen.names import PROPERTY_NAME, folded, is_clean_text

if TYPE_CHECKING:
    from toolgen.importer.reader import Reader

_KEY_RULES = (
    "minProperties",
    "maxProperties",
    "propertyNames",
    "patternProperties",
    "dependentRequired",
    "dependentSchemas",
    "not",
    "if",
    "then",
    "else",
    "allOf",
    "anyOf",
    "oneOf",
)
_SAME_OBJECT = ("not", "if", "then", "else", "allOf", "anyOf", "oneOf", "dependentSchemas")


class ObjectReader:
    """Reads schemas of objects."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._report = reader.report
        self._fields = FieldReader(reader)

    # --- which form ---------------------------------------------------------------------------------------------------

    def read(self, whole: Schema, name: Name) -> Read | None:
        """The type of the objects that a schema takes, other types aside; None where it takes none."""
        if self._is_map(whole):
            return self._map(whole, name)
        plan = self._begin(whole, name)
        try:
            with self._report.commenting(plan.comments):
                filled = self._fill(plan, whole)
                self._reader.say_broken(plan.key)
                if filled:
                    return Read(ir.RecordRef(ir.TypeKey("", plan.key)))
        except NoValue:
            del self._reader.objects[plan.key]
            return None
        del self._reader.objects[plan.key]
        return self._reader.as_written(whole.without("type"), Read(ir.Map(ir.Anything())))

    def root(self, whole: Schema, name: Name) -> ObjectPlan | None:
        """The input of a tool; None where the schema takes no object."""
        plan = self._begin(whole, name)
        del self._reader.objects[plan.key]
        try:
            with self._report.commenting(plan.comments):
                self._fill(plan, whole, root=True)
        except NoValue:
            return None
        return plan

    def _is_map(self, whole: Schema) -> bool:
        """Whether an object has keys of the caller's choosing and none of its own."""
        if whole.get("properties") or whole.get("required"):
            return False
        if any("properties" in arm for arm in self._arms(whole) or ()):
            return False
        if "properties" in whole and self._reader.named(whole.at):
            return False
        others = whole.get("additionalProperties", True)
        return others is not False or "patternProperties" in whole

    def _begin(self, whole: Schema, name: Name) -> ObjectPlan:
        key = whole.at
        while key in self._reader.objects:
            key += "~"
        plan = ObjectPlan(key, name, description=_text(whole.get("description")), title=whole.get("title"))
        self._reader.objects[key] = plan
        return plan

    # --- dict ---------------------------------------------------------------------------------------------------------

    def _map(self, whole: Schema, name: Name) -> Read | None:
        by_pattern = whole.get("patternProperties", {})
        others = whole.get("additionalProperties", True)
        extra = {
            word: whole[word] for word in _KEY_RULES if word in whole and word not in ("minProperties", "maxProperties")
        }
        values = others
        if len(by_pattern) == 1 and others is False:
            pattern, values = next(iter(by_pattern.items()))
            del extra["patternProperties"]
            names = both(Schema({"pattern": pattern}, whole.at), whole.get("propertyNames", True))
            extra["propertyNames"] = names
        elif by_pattern:
            values = True
            extra["additionalProperties"] = others
        read = self._reader.read(values, Name(name.parent, name.words, one=True))
        bounds: dict[str, Any] = {word: int(whole[key]) for key, word in _SIZES.items() if key in whole}
        bounds = {word: value for word, value in bounds.items() if value >= 0 or word == "max_items"}
        if read is None:
            read, bounds["max_items"] = Read(ir.Anything()), 0
        if bounds.get("min_items", 0) > bounds.get("max_items", float("inf")):
            return None
        rules = [{"additionalProperties": read.rule}] if read.rule else []
        own = self._reader.rule(Schema(extra, whole.at)) if extra else None
        return Read(ir.Map(read.type, ir.Constraints(**bounds)), all_rules([*rules, own]))

    # --- Record -------------------------------------------------------------------------------------------------------

    def _fill(self, plan: ObjectPlan, whole: Schema, *, root: bool = False) -> bool:
        """Reads the fields and the rule of an object. False where no Record can say it."""
        arms = self._arms(whole)
        shape = self._shape(whole) if arms is None else _of_arms(arms, *arms_word(whole))
        if root:
            self._leave_out(shape)
        elif any(not is_key(name) for name in shape.properties):
            return False
        rule_schema: SchemaOrBool = shape.rule
        plan.closed = shape.closed or self._reader.closed
        for wire, schema in shape.properties.items():
            found = self._fields.read(wire, schema, plan, required=wire in shape.required)
            if found is None and wire in shape.required:
                raise NoValue
            if found is None and not shape.closed:
                rule_schema = both(rule_schema, Schema({"properties": {wire: False}}, whole.at))
            elif found is not None:
                plan.fields.append(found)
        if plan.closed and isinstance(rule_schema, Schema) and rule_schema.get("minProperties", 0) > len(plan.fields):
            raise NoValue
        if not says_nothing(rule_schema):
            plan.rule = self._reader.rule(rule_schema)
        return self._settle(plan, shape, root)

    def _settle(self, plan: ObjectPlan, shape: Shape, root: bool) -> bool:
        """Sees to it that what decodes still holds to the rule when it is encoded. False where it may not."""
        for field in plan.fields:
            ruled = plan.rule is not None or field.read.rule is not None
            field.keep_null = ruled and not field.required and not field.has_default and field.takes_null()
        if root and plan.rule is not None:
            plan.rule = self._settled_parts(plan, shape, plan.best_keys())
        if plan.rule is None:
            return True
        for mend in (self._drop_defaults, self._write_out):
            if not self._unsettled(plan):
                return True
            mend(plan, shape)
        if not self._unsettled(plan):
            return True
        if root:
            plan.rule = self._settled_parts(plan, shape, plan.keys())
        return root

    def _settled_parts(self, plan: ObjectPlan, shape: Shape, keys: Keys) -> Rule | None:
        """What of a tool's own rule rests on nothing that is left out; the rest is reported."""
        kept: list[Rule] = []
        for part in parts_of(plan.rule or {}):
            complaint = next(iter(complaints(part, keys)), None)
            if complaint is None:
                kept.append(part)
            else:
                text = f"a rule is not checked: it rests on {complaint}, which a tool's open input leaves out"
                self._report.say(shape.rule.at, Outcome.WIDER, text)
        return all_rules(kept)

    def _unsettled(self, plan: ObjectPlan) -> list[str]:
        return list(complaints(plan.rule, plan.keys())) if plan.rule else []

    def _drop_defaults(self, plan: ObjectPlan, shape: Shape) -> None:
        """Encoding writes defaults out, which a rule that counts or names keys may not hold to."""
        for field in plan.fields:
            named = [f"{word} {field.wire!r}" for word in ("the key", "the value of")]
            of_all = any(complaint.endswith("all keys") for complaint in self._unsettled(plan))
            if field.has_default and (of_all or any(one in self._unsettled(plan) for one in named)):
                field.has_default = False
                field.keep_null = field.takes_null()
                at = f"{plan.key}/properties/{field.wire}/default"
                self._report.note(at, "the default is left out: a rule of the object rests on whether the key is given")

    def _write_out(self, plan: ObjectPlan, shape: Shape) -> None:
        """Fields whose values a rule judges become types that are encoded as they were written."""
        unsettled = self._unsettled(plan)
        for field in plan.fields:
            if f"the value of {field.wire!r}" in unsettled:
                schema = shape.properties[field.wire]
                field.read = Read(written(field.read.type), self._reader.rule(schema))
                field.keep_null = not field.required and field.takes_null()

    def _shape(self, whole: Schema) -> Shape:
        """The properties of an object, and as a rule what else it says."""
        properties: dict[str, SchemaOrBool] = dict(whole.get("properties", {}))
        others = whole.get("additionalProperties", True)
        words = {word: whole[word] for word in _KEY_RULES if word in whole}
        closed = others is False and "patternProperties" not in whole
        if others is not True and not closed and not says_nothing(others):
            words |= {"properties": dict.fromkeys(properties, True), "additionalProperties": others}
        rule = Schema(words, whole.at)
        required = list(dict.fromkeys(whole.get("required", ())))
        for name in dict.fromkeys([*required, *(_named(rule, self._reader) if not closed else ())]):
            if name not in properties:
                properties[name] = True if "patternProperties" in whole or closed else others
        if closed and any(name not in whole.get("properties", {}) for name in required):
            properties |= {name: False for name in required if name not in whole.get("properties", {})}
        return Shape(properties, required, closed, rule)

    def _leave_out(self, shape: Shape) -> None:
        """Takes out fields of a tool's own input that providers refuse the names of; their values are still judged."""
        refused = {name: schema for name, schema in shape.properties.items() if not PROPERTY_NAME.fullmatch(name)}
        if not refused:
            return
        for name, schema in refused.items():
            at = schema.at if isinstance(schema, Schema) else shape.rule.at
            if name == "$schema":
                self._report.note(at, "$schema is judged but no field: it names a schema to editors")
            else:
                text = f"the value of {name!r} does not reach the tool: providers take no such name"
                self._report.say(at, Outcome.LEFT_OUT, text)
            del shape.properties[name]
        words: dict[str, Any] = {"properties": refused}
        if shape.closed:
            words = {"properties": {**dict.fromkeys(shape.properties, True), **refused}, "additionalProperties": False}
        if any(name in shape.required for name in refused):
            words["required"] = [name for name in shape.required if name in refused]
            shape.required = [name for name in shape.required if name not in refused]
        shape.closed = False
        joined = both(shape.rule, Schema(words, shape.rule.at))
        shape.rule = joined if isinstance(joined, Schema) else shape.rule

    # --- alternatives -------------------------------------------------------------------------------------------------

    def _arms(self, whole: Schema) -> list[Schema] | None:
        """The alternatives of an object, each with all that the object says; None where they are no plain objects."""
        word, _ = arms_word(whole)
        if word is None:
            return None
        base = whole.without(word)
        arms: list[Schema] = []
        for arm in whole[word]:
            try:
                whole_arm = both(flat(arm, self._reader.document), base.having(type="object"))
            except (Endless, ReferenceFault):
                return None
            if whole_arm is False:
                continue
            if not isinstance(whole_arm, Schema) or not _is_plain(whole_arm):
                return None
            arms.append(whole_arm)
        return arms or None


class NoValue(Exception):
    """The schema of an object that no object holds to."""


class Shape:
    """What an object has: properties, those it requires, whether it takes others, and a rule beside."""

    def __init__(self, properties: dict[str, SchemaOrBool], required: list[str], closed: bool, rule: Schema) -> None:
        self.properties = properties
        self.required = required
        self.closed = closed
        self.rule = rule


_SIZES: Mapping[str, str] = {"minProperties": "min_items", "maxProperties": "max_items"}
_PLAIN_WORDS = frozenset({"type", "properties", "required", "additionalProperties", "minProperties", "maxProperties"})


def arms_word(whole: Schema) -> tuple[str | None, bool]:
    """The keyword of an object's alternatives, and whether only one may hold."""
    words = [word for word in ("anyOf", "oneOf") if word in whole]
    return (words[0], words[0] == "oneOf") if len(words) == 1 else (None, False)


def _is_plain(arm: Schema) -> bool:
    """Whether an alternative says nothing but which properties it has."""
    from toolgen.importer.schemas import ASSERTIONS

    others = arm.get("additionalProperties", True)
    return arm.keys() & ASSERTIONS <= _PLAIN_WORDS and types_of(arm) == ("object",) and isinstance(others, bool)


def _of_arms(arms: Sequence[Schema], word: str | None, exclusive: bool) -> Shape:
    """One object of several alternatives: the fields of all, and as a rule what tells which of them go together."""
    names = dict.fromkeys(name for arm in arms for name in [*arm.get("properties", {}), *arm.get("required", ())])
    choices = {name: _choices(name, arms) for name in names}
    required = [name for name in names if all(name in arm.get("required", ()) for arm in arms)]
    closed = all(arm.get("additionalProperties", True) is False for arm in arms)
    properties = {name: found[0] if len(found) == 1 else _any_of(found) for name, found in choices.items() if found}
    properties |= {name: False for name in required if not choices[name]}
    reduced = [_reduced(arm, choices, required, closed=closed) for arm in arms]
    if all(_is_one_key(arm, found) for arm, found in zip(arms, reduced, strict=True)) and len(properties) == len(arms):
        rule = Schema({"minProperties": 1, "maxProperties": 1}, arms[0].at)
    elif any(reduced) or (exclusive and len(arms) > 1):
        rule = Schema({word or "anyOf": reduced}, arms[0].at)
        if not exclusive and not all(reduced):
            rule = Schema({}, arms[0].at)
    else:
        rule = Schema({}, arms[0].at)
    return Shape(properties, required, closed, rule)


def _choices(name: str, arms: Sequence[Schema]) -> list[SchemaOrBool]:
    """The different schemas that a property has in the alternatives that take it."""
    found: list[SchemaOrBool] = []
    for arm in arms:
        schema = arm.get("properties", {}).get(name, arm.get("additionalProperties", True))
        if schema is not False and not any(same(schema, other) for other in found):
            found.append(schema)
    return found


def _any_of(schemas: Sequence[SchemaOrBool]) -> SchemaOrBool:
    if any(says_nothing(schema) for schema in schemas):
        notes = next((schema for schema in schemas if isinstance(schema, Schema)), None)
        said = {word: notes[word] for word in ("title", "description") if word in notes} if notes is not None else {}
        return Schema(said, notes.at if notes is not None else "")
    first = schemas[0]
    assert isinstance(first, Schema)
    said = {word: first[word] for word in ("title", "description") if word in first}
    return Schema({**said, "anyOf": list(schemas)}, first.at)


def _reduced(
    arm: Schema, choices: Mapping[str, Sequence[SchemaOrBool]], required: Sequence[str], *, closed: bool
) -> Schema:
    """What an alternative says that the fields of all, and that they are ``closed``, do not say already."""
    made = Schema({}, arm.at)
    own = arm.get("properties", {})
    others = arm.get("additionalProperties", True)
    wanted = [name for name in arm.get("required", ()) if name not in required]
    if wanted:
        made["required"] = wanted
    properties = {}
    for name, found in choices.items():
        if name in own and (len(found) > 1 or own[name] is False):
            properties[name] = own[name]
    if others is False and (not closed or any(found and name not in own for name, found in choices.items())):
        properties = {name: properties.get(name, True) for name in own}
        made["additionalProperties"] = False
    if properties:
        made["properties"] = properties
    made.update({word: arm[word] for word in ("minProperties", "maxProperties") if word in arm})
    return made


def _is_one_key(arm: Schema, reduced: Schema) -> bool:
    """Whether an alternative is the object that has one key of its own and no other."""
    keys = list(arm.get("properties", {}))
    return len(keys) == 1 and reduced.get("required") == keys and arm.get("additionalProperties", True) is False


def _named(rule: Any, reader: Reader) -> Iterator[str]:
    """The keys of an object that a rule on it names."""
    if not isinstance(rule, Schema):
        return
    try:
        whole = flat(rule.without(*UNEVALUATED), reader.document)
    except (Endless, ReferenceFault):
        return
    if not isinstance(whole, Schema):
        return
    yield from whole.get("required", ())
    for name, others in whole.get("dependentRequired", {}).items():
        yield from (name, *others)
    yield from whole.get("dependentSchemas", {})
    yield from (name for name, inner in whole.get("properties", {}).items() if inner is not False)
    for word in _SAME_OBJECT:
        inner = whole.get(word)
        inners = inner.values() if word in MAP_WORDS and inner else inner if isinstance(inner, list) else [inner]
        for one in inners:
            yield from _named(one, reader)


def is_key(name: str) -> bool:
    """Whether a design takes the name of a property: JSON text must not need to escape it, and providers show it."""
    return bool(name) and name == folded(name) and is_clean_text(name) and not any(c in '"\\' or c < " " for c in name)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


__all__ = ["FieldPlan", "ObjectReader"]
