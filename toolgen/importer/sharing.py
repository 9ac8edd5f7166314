"""Records that several tools have alike: one Record of the design for all of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from toolgen import ir
from toolgen.importer.plan import ObjectPlan
from toolgen.walk import parts

Key: TypeAlias = tuple[int, str]
"""A Record by the number of its tool and the pointer of its schema."""


def shared(objects: Mapping[Key, ObjectPlan]) -> dict[Key, Key]:
    """For each Record the first that is the same: of one name, with the same fields, of the same types in turn.

    A Record that has its name from where it stands is the same only if what it stands in is. Colours tell Records
    apart ever finer, until they tell no more apart, as states of an automaton are told apart.
    """
    colours: dict[Key, object] = {key: _own(plan) for key, plan in objects.items()}
    while True:
        numbers = {colour: n for n, colour in enumerate(dict.fromkeys(colours.values()))}
        known = {key: numbers[colour] for key, colour in colours.items()}
        finer: dict[Key, object] = {key: _around(key, plan, known) for key, plan in objects.items()}
        if len(set(finer.values())) == len(numbers):
            break
        colours = finer
    first: dict[int, Key] = {}
    return {key: first.setdefault(colour, key) for key, colour in known.items()}


def _own(plan: ObjectPlan) -> str:
    """What a Record says, with the Records that it names left open."""
    fields = [
        [
            *(repr(getattr(f, name)) for name in _FIELD_FACTS),
            [repr(_blank(part)) for part in parts(f.read.type)],
            f.read.rule,
        ]
        for f in plan.fields
    ]
    facts = [
        plan.name.words,
        plan.name.one,
        plan.name.tag,
        plan.title,
        plan.description,
        plan.closed,
        plan.rule,
        plan.comments,
        fields,
    ]
    return json.dumps(facts, sort_keys=True, default=repr)


_FIELD_FACTS = (
    "wire",
    "required",
    "description",
    "title",
    "has_default",
    "default",
    "has_example",
    "example",
    "deprecated",
    "keep_null",
    "comments",
)


def _blank(part: ir.Type) -> object:
    """One level of a type: its kind and bounds."""
    inner = {"items", "values", "of", "arms", "key"} if not isinstance(part, ir.Choice) else set()
    return type(part).__name__, [getattr(part, name) for name in part.__struct_fields__ if name not in inner]


def _around(key: Key, plan: ObjectPlan, known: Mapping[Key, int]) -> object:
    holder: object = None
    if plan.name.parent is not None:
        parent = (key[0], plan.name.parent)
        holder = known.get(parent, parent)
    return known[key], holder, tuple(known[ref] for ref in _references(key, plan))


def _references(key: Key, plan: ObjectPlan) -> Iterator[Key]:
    for field in plan.fields:
        for part in parts(field.read.type):
            if isinstance(part, ir.RecordRef):
                yield key[0], part.key.name
