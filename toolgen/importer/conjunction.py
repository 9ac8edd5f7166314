"""All of several schemas as one: ``allOf``, and what stands beside a ``$ref``.

Keywords of two schemas are put together where that can be said in one schema. What can't is left in an ``allOf``, which
the rest of the importer carries as a rule.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from toolgen.importer.schemas import ANNOTATIONS, Document, Schema, SchemaOrBool, same, says_nothing
from toolgen.importer.unevaluated import spelled_out
from toolgen.runtime import equality

ALL_TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")
_LARGER: Final = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
_SMALLER: Final = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
UNEVALUATED: Final = ("unevaluatedProperties", "unevaluatedItems")
_OBJECT: Final = ("properties", "patternProperties", "additionalProperties")
_TOGETHER: Final = (("prefixItems", "items"), ("contains", "minContains", "maxContains"), ("if", "then", "else"))


class Endless(ValueError):
    """A schema that is all of itself, or refers to itself alone."""


def flat(schema: SchemaOrBool, document: Document, inside: tuple[str, ...] = ()) -> SchemaOrBool:
    """The schema with its ``$ref`` and ``allOf`` put together, at this level; what could not be is in ``allOf``.

    Raises:
        Endless: a reference to itself.
        ReferenceFault: a reference to nowhere.
    """
    if isinstance(schema, bool):
        return schema
    parts: list[SchemaOrBool] = [schema.without("$ref", "allOf", *UNEVALUATED)]
    if "$ref" in schema:
        pointer = document.resolve(str(schema["$ref"]))
        if pointer in inside:
            raise Endless(f"the schema at #{pointer} refers to itself alone")
        if pointer not in document.flattened:
            document.flattened[pointer] = flat(document.schema(pointer), document, (*inside, pointer))
        parts.append(document.flattened[pointer])
    parts += [flat(arm, document, inside) for arm in schema.get("allOf", ())]
    merged = parts[0]
    for part in parts[1:]:
        merged = both(merged, part)
    if isinstance(merged, Schema):
        own = {word: schema[word] for word in UNEVALUATED if word in schema}
        merged = spelled_out(Schema({**merged, **own}, schema.at), document)
        if merged.keys() & set(UNEVALUATED):
            rules = [*merged.get("allOf", ()), _as_negation(schema)]
            merged = merged.without(*UNEVALUATED).having(allOf=rules)
    return merged


def both(left: SchemaOrBool, right: SchemaOrBool) -> SchemaOrBool:
    """What holds to both. Annotations of the left go first."""
    if left is False or right is False:
        return False
    if left is True or right is True:
        return right if left is True else left
    assert isinstance(left, Schema)
    assert isinstance(right, Schema)
    if same(left, right):
        return Schema({**right, **left}, left.at)
    left, right = _kept_apart(left), _kept_apart(right)
    made = Schema({word: value for word, value in {**right, **left}.items() if word in ANNOTATIONS}, left.at)
    rest = _Rest(left, right, made)
    if not rest.join_types():
        return False
    rest.join_objects()
    for words in _TOGETHER:
        rest.join_as_one(words)
    rest.join_others()
    return made


def _kept_apart(schema: Schema) -> Schema:
    """A schema that says of unevaluated parts as a rule of its own: what stands beside it evaluates none for it."""
    if not schema.keys() & set(UNEVALUATED):
        return schema
    beside = {word: value for word, value in schema.items() if word in ANNOTATIONS or word == "type"}
    return Schema({**beside, "allOf": [_as_negation(schema)]}, schema.at)


def _as_negation(schema: Schema) -> Schema:
    """The schema so that it is not taken apart: what is unevaluated keeps all that stands beside it."""
    return Schema({"not": Schema({"not": schema.without(*ANNOTATIONS)}, schema.at)}, schema.at)


class _Rest:
    """The making of one schema of two: each step takes its words off both."""

    def __init__(self, left: Schema, right: Schema, made: Schema) -> None:
        self.left = Schema({k: v for k, v in left.items() if k not in ANNOTATIONS}, left.at)
        self.right = Schema({k: v for k, v in right.items() if k not in ANNOTATIONS}, right.at)
        self.made = made

    def join_types(self) -> bool:
        """Joins types and enums. False where no value is left."""
        types = [types_of(schema) for schema in (self.left, self.right) if "type" in schema]
        if types:
            joined = [t for t in ALL_TYPES if all(takes_type(of, t) for of in types)]
            joined = [t for t in joined if not (t == "integer" and "number" in joined)]
            if not joined:
                return False
            self.made["type"] = joined[0] if len(joined) == 1 else joined
        members = [members_of(schema) for schema in (self.left, self.right)]
        listed = [found for found in members if found is not None]
        if listed:
            keys = [{equality.key(value) for value in found} for found in listed]
            self.made["enum"] = [value for value in listed[0] if all(equality.key(value) in known for known in keys)]
            if not self.made["enum"]:
                return False
        self._drop("type", "enum", "const")
        return True

    def join_objects(self) -> None:
        left, right = self.left, self.right
        if not (any(w in left for w in _OBJECT) and any(w in right for w in _OBJECT)):
            self.join_as_one(_OBJECT)
            return
        if "patternProperties" in left or "patternProperties" in right:
            self._leave(*_OBJECT)
            return
        mine, theirs = left.get("properties", {}), right.get("properties", {})
        others = (left.get("additionalProperties", True), right.get("additionalProperties", True))
        self.made["properties"] = {
            name: meet(mine.get(name, others[0]), theirs.get(name, others[1])) for name in {**mine, **theirs}
        }
        if any("additionalProperties" in side for side in (left, right)):
            self.made["additionalProperties"] = meet(*others)
        self._drop(*_OBJECT)

    def join_as_one(self, words: tuple[str, ...]) -> None:
        """Keywords that have their meaning together: taken from the one side that has them, or left."""
        if any(w in self.left for w in words) and any(w in self.right for w in words):
            self._leave(*words)
            return
        for side in (self.left, self.right):
            self.made.update({word: side[word] for word in words if word in side})
        self._drop(*words)

    def join_others(self) -> None:
        for word in [*self.left, *(w for w in self.right if w not in self.left)]:
            if word == "allOf":
                self.made["allOf"] = [
                    *self.made.get("allOf", ()),
                    *self.left.get("allOf", ()),
                    *self.right.get("allOf", ()),
                ]
            elif word in self.left and word in self.right and not same(self.left[word], self.right[word]):
                joined = _joined(word, self.left[word], self.right[word])
                if joined is None:
                    self._leave(word)
                else:
                    self.made[word] = joined
            else:
                self.made[word] = self.left.get(word, self.right.get(word))

    def _leave(self, *words: str) -> None:
        """Keeps the left side's words, and the right side's in an ``allOf``."""
        self.made.update({word: self.left[word] for word in words if word in self.left})
        left = Schema({word: self.right[word] for word in words if word in self.right}, self.right.at)
        self.made["allOf"] = [*self.made.get("allOf", ()), left]
        self._drop(*words)

    def _drop(self, *words: str) -> None:
        for word in words:
            self.left.pop(word, None)
            self.right.pop(word, None)


def meet(left: SchemaOrBool, right: SchemaOrBool) -> SchemaOrBool:
    """What holds to both, written as an ``allOf`` where one of them is a reference, so that it stays one."""
    if says_nothing(left):
        return right if isinstance(right, bool) or isinstance(left, bool) else Schema({**right, **left}, right.at)
    if says_nothing(right) or (isinstance(left, Schema) and isinstance(right, Schema) and same(left, right)):
        return left
    if isinstance(left, bool) or isinstance(right, bool):
        return False
    if any(side.keys() & {"$ref", "allOf"} for side in (left, right)):
        notes = {word: value for word, value in {**right, **left}.items() if word in ANNOTATIONS}
        return Schema({**notes, "allOf": [left, right]}, left.at)
    return both(left, right)


def _joined(word: str, left: Any, right: Any) -> Any:
    """One value for a keyword that says both; None where there is none."""
    match word:
        case _ if word in _LARGER:
            return max(left, right)
        case _ if word in _SMALLER:
            return min(left, right)
        case "uniqueItems":
            return left or right
        case "required":
            return [*left, *(name for name in right if name not in left)]
        case "multipleOf":
            whole = isinstance(left, int) and isinstance(right, int)
            return math.lcm(left, right) if whole else None
        case "propertyNames":
            return meet(left, right)
        case "dependentRequired":
            return {name: [*left.get(name, ()), *right.get(name, ())] for name in {**left, **right}}
        case "dependentSchemas":
            return {name: meet(left.get(name, True), right.get(name, True)) for name in {**left, **right}}
        case _:
            return None


def types_of(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """The names that ``type`` gives; empty where the schema has no type."""
    named = schema.get("type", ())
    return (named,) if isinstance(named, str) else tuple(_flattened(named))


def _flattened(named: Any) -> list[str]:
    return [inner for name in named for inner in ((name,) if isinstance(name, str) else name)]


def takes_type(types: tuple[str, ...], name: str) -> bool:
    return name in types or (name == "integer" and "number" in types)


def members_of(schema: Mapping[str, Any]) -> list[Any] | None:
    """The values of ``enum`` and ``const`` together, each once, as it is written first."""
    if "const" in schema:
        listed = [schema["const"]]
        if "enum" in schema:
            known = {equality.key(value) for value in schema["enum"]}
            listed = [value for value in listed if equality.key(value) in known]
    elif isinstance(schema.get("enum"), list):
        listed = schema["enum"]
    else:
        return None
    first: dict[Any, Any] = {}
    for value in listed:
        first.setdefault(equality.key(value), value)
    return list(first.values())
