"""``unevaluatedProperties`` and ``unevaluatedItems`` in words that say the same and need no record of what was judged.

A key is evaluated by the schemas that hold and name it (JSON Schema 2020-12 Core, sections 11.2 and 11.3). So each key
that only some alternatives name is either held to what is unevaluated, or one of these alternatives holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from toolgen.importer.schemas import Document, Draft, Schema, SchemaOrBool
from toolgen.runtime import patterns

_ALTERNATIVES: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"})


def spelled_out(schema: Schema, document: Document) -> Schema:
    """The schema without what is unevaluated, where other words can say it; else as it is.

    Raises:
        ReferenceFault: a reference to nowhere.
    """
    if "unevaluatedItems" in schema and not schema.keys() & _ALTERNATIVES:
        schema = _with_items(schema, document)
    if "unevaluatedProperties" in schema:
        groups = list(_groups(schema.without("unevaluatedProperties"), document, ()))
        always = any(group.of_all and not group.where for group in groups)
        if always or not any(group.is_unknown for group in groups):
            return _with_properties(schema, groups)
    return schema


def _with_items(schema: Schema, document: Document) -> Schema:
    rest = schema.without("unevaluatedItems")
    if "items" in schema:
        return rest
    others = schema["unevaluatedItems"]
    if "contains" in schema and document.draft > Draft.DRAFT_2019_09:
        others = Schema({"anyOf": [schema["contains"], others]}, schema.at)
    return rest.having(items=others)


# --- which keys are evaluated -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Group:
    """Keys that are evaluated where all of ``where`` hold. ``of_all``: every key; ``is_unknown``: it can't be told."""

    names: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    of_all: bool = False
    where: tuple[SchemaOrBool, ...] = ()
    is_unknown: bool = False


def _groups(schema: SchemaOrBool, document: Document, inside: tuple[str, ...]) -> Iterator[_Group]:
    if not isinstance(schema, Schema):
        return
    of_all = bool(schema.keys() & {"additionalProperties", "unevaluatedProperties"})
    yield _Group(tuple(schema.get("properties", ())), tuple(schema.get("patternProperties", ())), of_all)
    if "$ref" in schema:
        pointer = document.resolve(str(schema["$ref"]))
        if pointer in inside:
            yield _Group(is_unknown=True)
        else:
            yield from _groups(document.schema(pointer), document, (*inside, pointer))
    for arm, condition in _arms(schema):
        for group in _groups(arm, document, inside):
            where = (*(() if condition is None else (condition,)), *group.where)
            # A key that matches a pattern of some alternatives alone is in no list of names. And what is written once
            # for each name may not be written out in turn, or its size would double with each level.
            is_unknown = bool(where) and (bool(group.patterns) or any(map(_is_of_unevaluated, where)))
            yield replace(group, where=where, is_unknown=group.is_unknown or is_unknown)


def _arms(schema: Schema) -> Iterator[tuple[SchemaOrBool, SchemaOrBool | None]]:
    """What judges the same object, each with what has to hold for it to count; None where it always does."""
    yield from ((arm, None) for arm in schema.get("allOf", ()))
    for word in ("anyOf", "oneOf"):
        yield from ((arm, arm) for arm in schema.get(word, ()))
    if "if" in schema:
        condition = schema["if"]
        yield condition, condition
        yield schema.get("then", True), condition
        yield schema.get("else", True), Schema({"not": condition}, schema.at)
    for name, inner in schema.get("dependentSchemas", {}).items():
        yield inner, Schema({"required": [name]}, schema.at)


def _is_of_unevaluated(at: Any) -> bool:
    """Whether a schema says of unevaluated parts, at any depth."""
    if isinstance(at, Schema) and at.keys() & {"unevaluatedProperties", "unevaluatedItems"}:
        return True
    return any(map(_is_of_unevaluated, at.values() if isinstance(at, dict) else at if isinstance(at, list) else ()))


# --- what is said of the others ---------------------------------------------------------------------------------------


def _with_properties(schema: Schema, groups: Sequence[_Group]) -> Schema:
    rest, others = schema.without("unevaluatedProperties"), schema["unevaluatedProperties"]
    always = [group for group in groups if not group.where]
    if any(group.of_all for group in always) or others is True:
        return rest
    known = {name for group in always for name in group.names}
    matched = {pattern for group in always for pattern in group.patterns}
    sometimes = [group for group in groups if group.where]
    names = dict.fromkeys(name for group in sometimes for name in group.names)
    judged = [
        _one_of(schema, Schema({"properties": {name: others}}, schema.at), [g for g in sometimes if name in g.names])
        for name in names
        if name not in known and not any(patterns.compile(pattern).search(name) for pattern in matched)
    ]
    words: dict[str, Any] = {"properties": dict.fromkeys([*known, *names], True), "additionalProperties": others}
    if matched:
        words["patternProperties"] = dict.fromkeys(sorted(matched), True)
    of_all = [group for group in sometimes if group.of_all]
    if of_all:
        whole = Schema({**words, "allOf": judged} if judged else words, schema.at)
        return _beside(rest, [_one_of(schema, whole, of_all)])
    if matched or rest.keys() & {"$ref", "allOf"}:
        return _beside(rest, [Schema(words, schema.at), *judged])
    properties: Mapping[str, Any] = {**words["properties"], **rest.get("properties", {})}
    return _beside(rest.having(properties=properties, additionalProperties=others), judged)


def _one_of(schema: Schema, said: Schema, groups: Sequence[_Group]) -> Schema:
    """What is said of unevaluated keys, or that all that evaluates them in one of the groups holds."""
    return Schema({"anyOf": [said, *(_whole(group, schema) for group in groups)]}, schema.at)


def _whole(group: _Group, schema: Schema) -> Schema | bool:
    """What holds where all that the group stands in holds."""
    first, *others = group.where
    return Schema({"allOf": [first, *others]}, schema.at) if others else first


def _beside(schema: Schema, rules: Sequence[Schema]) -> Schema:
    return schema.having(allOf=[*schema.get("allOf", ()), *rules]) if rules else schema
