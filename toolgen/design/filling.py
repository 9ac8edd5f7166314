"""Defaults filled in: a default may leave out fields that have defaults themselves, and must have an end all the same.

``class R(Record): r: R = field("..", default={})`` has none: each R that fills a gap has a gap itself. So every default
is read as what it holds and the gaps that other defaults fill, and those are followed from default to default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

from toolgen import ir
from toolgen.design.problems import Place, Problems
from toolgen.design.texts import shown
from toolgen.design.wire import MOST_VALUES
from toolgen.ir import Json
from toolgen.runtime.jsontext import MAX_DEPTH
from toolgen.wiretypes import arm_of

_Slot: TypeAlias = tuple[object, str]
"""A field: what holds it (a Record's key, or the names of a toolset and a tool), and its name."""


class _Size(NamedTuple):
    levels: int
    values: int


class _Default(Struct):
    """A default, where it stands, and its size as the design gives it.

    ``gaps`` are the fields that it leaves out and other defaults fill in, each with the levels that are around it.
    """

    declared: ir.Field
    place: Place
    levels: int = 0
    values: int = 0
    gaps: list[tuple[_Slot, int]] = field(default_factory=list)


def judge(program: ir.Program, problems: Problems) -> None:
    """Report the defaults that have no end, or are larger than an input may be, once they are filled in."""
    defaults = dict(_defaults(program))
    sizes: dict[_Slot, _Size | None] = {}
    while found := [
        slot for slot, d in defaults.items() if slot not in sizes and all(gap in sizes for gap, _ in d.gaps)
    ]:
        for slot in found:
            sizes[slot] = _size(defaults[slot], sizes, problems)
    _judge_endless({slot: d for slot, d in defaults.items() if slot not in sizes}, problems)


def _size(default: _Default, sizes: Mapping[_Slot, _Size | None], problems: Problems) -> _Size | None:
    """The size of a default that is filled in; None where it, or one that fills it in, is reported as too large."""
    levels, values = default.levels, default.values
    for gap, around in default.gaps:
        inner = sizes[gap]
        if inner is None:
            return None
        levels, values = max(levels, around + inner.levels), values + inner.values
    filled = f"the default {shown(default.declared.default)}, with the defaults of what it leaves out,"
    if levels >= MAX_DEPTH:  # what holds the field is a level too
        rule = f"{filled} nests {levels} levels deep, and JSON no deeper than {MAX_DEPTH} with what is around it"
    elif values > MOST_VALUES:
        rule = f"{filled} holds {values:,} values, more than {MOST_VALUES:,}"
    else:
        return _Size(levels, values)
    problems.add(default.place, rule, "Give a smaller one, or make a field that it leaves out optional.")
    return None


def _judge_endless(unending: Mapping[_Slot, _Default], problems: Problems) -> None:
    """Report each circle of defaults once, at its first field. What only leads into a circle is mended with it."""
    told: set[_Slot] = set()
    for slot in sorted(unending, key=lambda slot: _by_place(unending[slot])):
        circle = _circle(slot, unending)
        if circle and not told.intersection(circle):
            names = [_name(other, unending) for other in (*circle[1:], slot)]
            way = ", whose default leaves out ".join(names)
            rule = f"the default {shown(unending[slot].declared.default)} never ends: it leaves out {way} again"
            mend = "Make the field optional or nullable with default=None, or give it a default that leaves out less."
            problems.add(unending[slot].place, rule, mend)
        told.update(circle)


def _by_place(default: _Default) -> tuple[str, int, str]:
    return default.place.location.file, default.place.location.line, default.declared.name


def _circle(start: _Slot, unending: Mapping[_Slot, _Default]) -> list[_Slot]:
    """The shortest way from a default through the gaps of others back to itself; empty where there is none."""
    before: dict[_Slot, _Slot] = {}
    waiting = [start]
    for slot in waiting:
        for gap, _ in unending[slot].gaps:
            if gap == start:
                way = [slot]
                while way[-1] != start:
                    way.append(before[way[-1]])
                return way[::-1]
            if gap in unending and gap not in before:
                before[gap] = slot
                waiting.append(gap)
    return []


def _name(slot: _Slot, unending: Mapping[_Slot, _Default]) -> str:
    place = unending[slot].place
    return f"{place.record or place.tool}.{place.field}"


# --- reading ----------------------------------------------------------------------------------------------------------


def _defaults(program: ir.Program) -> Iterator[tuple[_Slot, _Default]]:
    for owner, place, fields in _holders(program):
        for declared in fields:
            if declared.presence is ir.Presence.DEFAULT:
                default = _Default(declared, place.of_field(declared.name, declared.location))
                _read(declared.default, declared.type, program, default, 0)
                yield (owner, declared.name), default


def _holders(program: ir.Program) -> Iterator[tuple[object, Place, tuple[ir.Field, ...]]]:
    for package in program.packages:
        for record in package.records:
            yield record.key, Place(record.location, record=record.key.name), record.fields
        toolset = package.toolset
        for tool in toolset.tools if toolset else ():
            place = Place(tool.location, toolset.name if toolset else None, tool.name)
            yield (package.name, tool.name), place, tool.fields
            if tool.result_record is not None:
                yield tool.result_record.key, place, tool.result_record.fields


def _read(value: Json, type_: ir.Type, program: ir.Program, default: _Default, around: int) -> None:
    """Counts a part of a default that stands inside so many levels, and notes its gaps."""
    default.values += 1
    default.levels = max(default.levels, around + isinstance(value, (list, dict)))
    while isinstance(type_, (ir.Nullable, ir.Union)) and value is not None:
        type_ = type_.of if isinstance(type_, ir.Nullable) else arm_of(type_, value, program)
    if isinstance(value, list):
        items = type_.items if isinstance(type_, ir.Array) else ir.Anything()
        for item in value:
            _read(item, items, program, default, around + 1)
    elif isinstance(value, dict) and isinstance(type_, ir.RecordRef):
        for inner in program.records[type_.key].fields:
            if inner.wire in value:
                _read(value[inner.wire], inner.type, program, default, around + 1)
            elif inner.presence is ir.Presence.DEFAULT:
                default.gaps.append(((type_.key, inner.name), around + 1))
    elif isinstance(value, dict):
        values = type_.values if isinstance(type_, ir.Map) else ir.Anything()
        for item in value.values():
            _read(item, values, program, default, around + 1)
