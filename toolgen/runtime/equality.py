"""Equality of JSON values: ``1`` is ``1.0``, ``true`` is not ``1``, objects have no order."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from toolgen.runtime.numbers import whole


def key(value: Any) -> Hashable:
    """A key that two JSON values share exactly when they are equal as JSON (JSON Schema Core 2020-12, section 4.2.2).

    Every number becomes text: texts hash with a secret of the process, so that no input can make keys collide.
    """
    kind: type = type(value)
    if kind is str:
        return f"s{value}"
    if kind is bool or value is None:
        return f"={value}"
    if kind is int:
        return f"{value:x}"
    if isinstance(value, float):
        integer = whole(value)
        return float(value).hex() if integer is None else f"{integer:x}"
    if kind is list:
        return ("[", *map(key, value))
    if kind is dict:
        return ("{", frozenset((name, key(item)) for name, item in value.items()))
    return ("?", id(value))


def first_duplicates(values: list[Any]) -> tuple[int, int] | None:
    """Positions of the first item that equals an earlier one, the earlier one first; None when all differ."""
    seen: dict[Hashable, int] = {}
    for position, value in enumerate(values):
        earlier = seen.setdefault(key(value), position)
        if earlier != position:
            return earlier, position
    return None
