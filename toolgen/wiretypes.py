"""JSON values seen through ir types: of which JSON type they are, which arm or member they stand for."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable

import msgspec

from toolgen import ir
from toolgen.ir import Json, Kind
from toolgen.runtime import formats, kinds

INT64 = range(-(2**63), 2**63)
"""The integers of 64 bits: msgspec takes no others as bounds, in a Literal or as tags."""

_SCALAR = {Kind.INT: "number", Kind.FLOAT: "number", Kind.BOOL: "boolean"}


def json_type(value: Json) -> str:
    """The JSON type of a value. A whole number is a number like any other: JSON text does not tell them apart."""
    kind = kinds.json_type(value)
    return "number" if kind == "integer" else kind


def members(type_: ir.EnumRef, program: ir.Program) -> list[ir.LiteralValue]:
    """The values of the members of an enumeration that a type takes."""
    return [value for _, value in program.enums[type_.key].members if type_.null or value is not None]


def json_types(type_: ir.Type, program: ir.Program) -> frozenset[str]:
    """The JSON types that the values of ``type_`` can have."""
    return json_types_among(type_, lambda enumeration: members(enumeration, program))


def json_types_among(type_: ir.Type, members_of: Callable[[ir.EnumRef], Iterable[Json]]) -> frozenset[str]:
    """As ``json_types``, in a program that is not whole yet."""
    match type_:
        case ir.Scalar(kind, _):
            return frozenset({_SCALAR.get(kind, "string")})
        case ir.Choice(values):
            return frozenset(map(json_type, values))
        case ir.EnumRef():
            return frozenset(map(json_type, members_of(type_)))
        case ir.Array():
            return frozenset({"array"})
        case ir.Map() | ir.RecordRef():
            return frozenset({"object"})
        case ir.Nullable(of):
            return json_types_among(of, members_of) | {"null"}
        case ir.Union(arms, _):
            return frozenset().union(*(json_types_among(arm, members_of) for arm in arms))
        case ir.Anything():
            return frozenset({"null", "boolean", "number", "string", "array", "object"})


def takes_null(type_: ir.Type, program: ir.Program) -> bool:
    """Whether null is a value of the type."""
    return "null" in json_types(type_, program)


def holds_none(type_: ir.Type) -> bool:
    """Whether ``None`` is a Python value of the type. Null in an enumeration is a member, and not None."""
    match type_:
        case ir.Nullable() | ir.Anything():
            return True
        case ir.Choice(values):
            return None in values
        case ir.Union(arms, _):
            return any(map(holds_none, arms))
    return False


def same_json(left: Json, right: Json) -> bool:
    """Equality of scalars as JSON has it: ``True`` is not ``1``, and ``1.0`` is ``1``."""
    return json_type(left) == json_type(right) and left == right


def member(values: Iterable[ir.LiteralValue], wire: Json) -> ir.LiteralValue:
    """The member of a Literal that a JSON value stands for."""
    return next(value for value in values if same_json(value, wire))


def arm_of(union: ir.Union, wire: Json, program: ir.Program) -> ir.Type:
    """The arm of a union that a valid JSON value belongs to."""
    arms = [arm for arm in union.arms if json_type(wire) in json_types(arm, program)]
    if len(arms) == 1 or union.tag is None or not isinstance(wire, dict):
        return arms[0]
    return next(
        arm
        for arm in arms
        if isinstance(arm, ir.RecordRef) and wire[union.tag] in tag_values(program.records[arm.key], union.tag)
    )


def why_no_tags(values: Iterable[Json]) -> str | None:
    """What keeps these values from telling Records apart; None where nothing does. Generated code leaves the choice to
    msgspec, whose tags are all strings or all integers of 64 bits."""
    values = list(values)
    if all(isinstance(value, str) for value in values):
        return None
    if not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        return "are neither all strings nor all integers"
    beyond = next((value for value in values if value not in INT64), None)
    return None if beyond is None else f"can't tell them apart in generated code: {beyond} is past 64 bits"


def tag_values(record: ir.Record, wire: str) -> tuple[str | int, ...]:
    """The values of a Record's tag, which is a Literal of strings or of integers."""
    field = next(f for f in record.fields if f.wire == wire)
    if not isinstance(field.type, ir.Choice):
        return ()
    return tuple(value for value in field.type.values if isinstance(value, (str, int)))


def temporal(kind: Kind, wire: Json) -> datetime.date | datetime.time | datetime.timedelta:
    """The Python value of a valid date, time, datetime or timedelta."""
    if kind is Kind.TIMEDELTA:
        return formats.duration_from_text(str(wire))
    if kind is Kind.TIME:
        return formats.time_from_text(str(wire))
    python: dict[Kind, type[datetime.date]] = {Kind.DATE: datetime.date, Kind.DATETIME: datetime.datetime}
    return msgspec.convert(wire, python[kind])
