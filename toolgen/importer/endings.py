"""Defaults of Records that hold themselves: one that leaves out what it fills in again has no end, and goes.

``toolgen.design.filling`` refuses such a default of a design.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from toolgen import ir
from toolgen.importer.plan import ObjectPlan
from toolgen.importer.reporting import Report
from toolgen.ir import Json
from toolgen.runtime.pointers import escaped
from toolgen.walk import children

_Slot: TypeAlias = tuple[str, str]
"""A field: the key of the Record that has it, and its JSON name."""


def end_defaults(objects: Mapping[str, ObjectPlan], report: Report) -> None:
    """Leaves out the defaults of Records, given by their keys, that have no end."""
    for key, plan in objects.items():
        for field in plan.fields:
            if field.has_default and (key, field.wire) in _needed((key, field.wire), objects):
                field.has_default = False
                at = f"{key}/properties/{escaped(field.wire)}/default"
                report.note(at, "the default is left out: what it leaves out has it as a default again, without end")


def _needed(start: _Slot, objects: Mapping[str, ObjectPlan]) -> set[_Slot]:
    """The fields whose defaults fill in a default, or one that fills it in."""
    found: set[_Slot] = set()
    waiting = [start]
    while waiting:
        key, wire = waiting.pop()
        field = next(field for field in objects[key].fields if field.wire == wire)
        gaps = set(_gaps(field.default, field.read.type, objects)) - found
        found |= gaps
        waiting += gaps
    return found


def _gaps(value: Json, type_: ir.Type, objects: Mapping[str, ObjectPlan]) -> Iterator[_Slot]:
    """The fields that a value leaves out and defaults fill in; of a union those of each Record that it may be."""
    match type_, value:
        case ir.RecordRef(key), dict():
            for field in objects[key.name].fields:
                if field.wire in value:
                    yield from _gaps(value[field.wire], field.read.type, objects)
                elif field.has_default:
                    yield key.name, field.wire
        case ir.Array(items), list():
            for item in value:
                yield from _gaps(item, items, objects)
        case ir.Map(values), dict():
            for item in value.values():
                yield from _gaps(item, values, objects)
        case ((ir.Nullable() | ir.Union()), _):
            for arm in children(type_):
                yield from _gaps(value, arm, objects)
