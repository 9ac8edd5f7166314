"""The containers of a body: where a mapping could hold others than JSON has.

msgspec's conversion takes tuples, sets and mappings of every kind where a list or a dict belongs, and runs their code.
To keep them from it, only the places of containers need to be looked at, not all the scalars that stand in them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeAlias

from msgspec import inspect

from toolgen.runtime.guards import Declined
from toolgen.runtime.purity import MOST_CONTAINED, PLAIN

Look: TypeAlias = Callable[[Any], int]
"""Counts the items of the containers inside a value, which is itself of one of JSON's types. Raises Declined where a
container could stand and something of no such type does, and at too many items: a container that several others hold
is counted as often as it is met, as JSON would repeat it."""

_JSON = PLAIN | {dict, list, str, float}
_SCALARS = (
    inspect.NoneType,
    inspect.BoolType,
    inspect.IntType,
    inspect.FloatType,
    inspect.StrType,
    inspect.LiteralType,
    inspect.EnumType,
    inspect.UUIDType,
    inspect.DateType,
    inspect.TimeType,
    inspect.DateTimeType,
)


class _Unknown(Exception):
    """A body has a type of which more can be said only by looking at all of its values."""


def look_into(body: Any) -> Look | None:
    """The look at a dict that is to be converted into a body, which does not hold itself; None where that look is not
    enough.
    """
    try:
        return _look(inspect.type_info(body)) or _nothing
    except (_Unknown, TypeError):
        return None


def _nothing(value: Any) -> int:
    """The look at a dict that has no place for a container."""
    return 0


def _look(type_: inspect.Type) -> Look | None:
    """The look at values of a type; None of a type that no container is of."""
    if isinstance(type_, inspect.Metadata):
        return _look(type_.type)
    if isinstance(type_, inspect.ListType):
        return _into_list(_look(type_.item_type))
    if isinstance(type_, inspect.DictType):
        return _into_map(_look(type_.value_type))
    if isinstance(type_, inspect.StructType):
        return _into_struct([(field.encode_name, look) for field in type_.fields if (look := _look(field.type))])
    if isinstance(type_, inspect.UnionType):
        return _into_each([look for arm in type_.types if (look := _look(arm))])
    if isinstance(type_, _SCALARS):
        return None
    raise _Unknown  # bytes among them: conversion takes objects of them for text


def _into_list(inside: Look | None) -> Look:
    return lambda value: _counted(value, inside) if type(value) is list else 0


def _into_map(inside: Look | None) -> Look:
    return lambda value: _counted(value.values(), inside) if type(value) is dict else 0


def _counted(items: Collection[Any], inside: Look | None) -> int:
    count = len(items)
    if inside is not None and not _JSON.issuperset(map(type, items)):
        raise Declined
    if inside is not None and inside is not _nothing:
        for item in items:
            count += inside(item)
            if count > MOST_CONTAINED:
                break
    if count > MOST_CONTAINED:
        raise Declined
    return count


def _into_struct(fields: Sequence[tuple[str, Look]]) -> Look:
    if not fields:
        return _nothing

    def look(value: Any) -> int:
        count = 0
        if type(value) is dict:
            for key, inside in fields:
                if key in value:
                    item = value[key]
                    if type(item) not in _JSON:
                        raise Declined
                    count += inside(item)
        return count

    return look


def _into_each(arms: Sequence[Look]) -> Look | None:
    """A value is of one arm; those of the others find nothing in it that does not belong to JSON."""
    busy = [look for look in arms if look is not _nothing]
    if len(busy) < 2:
        return busy[0] if busy else arms[0] if arms else None
    return lambda value: max([look(value) for look in busy])
