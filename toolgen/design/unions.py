"""Unions: whether their arms can be told apart by JSON type or by a tag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolgen import ir
from toolgen.design.bounds import describe
from toolgen.design.problems import Report
from toolgen.ir import Kind
from toolgen.wiretypes import json_types_among, why_no_tags

Fields = Mapping[ir.TypeKey, Sequence[ir.Field]]
EnumValues = Mapping[ir.TypeKey, Sequence[ir.LiteralValue]]


def settle(type_: ir.Type, fields: Fields, enums: EnumValues, report: Report) -> ir.Type:
    """The type with the tag of each of its unions found. A union that can't be told apart is reported."""
    match type_:
        case ir.Array(items):
            return type_.replace(items=settle(items, fields, enums, report))
        case ir.Map(values):
            return type_.replace(values=settle(values, fields, enums, report))
        case ir.Nullable(of):
            return type_.replace(of=settle(of, fields, enums, report))
        case ir.Union(arms):
            settled = tuple(settle(arm, fields, enums, report) for arm in arms)
            return _told_apart(ir.Union(settled), fields, enums, report)
        case _:
            return type_


def _told_apart(union: ir.Union, fields: Fields, enums: EnumValues, report: Report) -> ir.Type:
    seen: dict[str, ir.Type] = {}
    for arm in union.arms:
        if isinstance(arm, ir.Anything):
            report("a union with Any can't be told apart: Any takes every value", "Write Any alone.")
            return ir.Anything()
        for name in sorted(json_types_among(arm, lambda enumeration: enums.get(enumeration.key, ()))):
            other = seen.setdefault(name, arm)
            if other is not arm and not (isinstance(arm, ir.RecordRef) and isinstance(other, ir.RecordRef)):
                rule = f"{describe(other)} and {describe(arm)} can't be told apart: in JSON both are of type {name}"
                report(rule, _mend(other, arm))
                return ir.Anything()
    records = [arm.key for arm in union.arms if isinstance(arm, ir.RecordRef)]
    if len(records) < 2:
        return union
    tag = _tag(records, fields, report)
    return ir.Anything() if tag is None else union.replace(tag=tag)


def _mend(one: ir.Type, other: ir.Type) -> str:
    if {_kind(one), _kind(other)} == {Kind.INT, Kind.FLOAT}:
        return "Write float, which takes integers too."
    if isinstance(one, ir.RecordRef | ir.Map) and isinstance(other, ir.RecordRef | ir.Map):
        return "Make each arm a Record with a required Literal field of its own values."
    return "Keep one of them."


def _kind(type_: ir.Type) -> Kind | None:
    return type_.kind if isinstance(type_, ir.Scalar) else None


def _tag(records: Sequence[ir.TypeKey], fields: Fields, report: Report) -> str | None:
    """The wire name of the first field that tells the Records apart; None and a report where there is none."""
    first = fields.get(records[0], ())
    complaints: list[str] = []
    for candidate in first:
        arms = [next((f for f in fields.get(key, ()) if f.wire == candidate.wire), None) for key in records]
        complaint = _why_no_tag(candidate.wire, arms)
        if complaint is None:
            return candidate.wire
        complaints += [complaint] if complaint else []
    told = " and ".join(key.name for key in records)
    why = complaints[0] if complaints else "they share no required Literal field"
    report(
        f"{told} can't be told apart: {why}",
        "Give each a required Literal field of the same name, with values that no other has, all strings or all "
        "integers of 64 bits.",
    )
    return None


def _why_no_tag(wire: str, arms: Sequence[ir.Field | None]) -> str | None:
    """None where the field is a tag; why it is none; empty where it does not look like one."""
    taken: list[ir.LiteralValue] = []
    for arm in arms:
        if arm is None or not isinstance(arm.type, ir.Choice):
            return ""
    for arm in arms:
        assert arm is not None
        assert isinstance(arm.type, ir.Choice)
        if arm.presence is not ir.Presence.REQUIRED:
            return f"{wire} is not required in all of them"
        shared = [value for value in arm.type.values if value in taken]
        if shared:
            return f"{wire} has {shared[0]!r} in more than one"
        taken += arm.type.values
    why = why_no_tags(taken)
    return None if why is None else f"the values of {wire} {why}"
