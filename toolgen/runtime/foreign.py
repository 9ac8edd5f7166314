"""A value that a caller already parsed, taken apart into plain JSON values.

The caller's objects may do anything when they are looked at: raise, change, or go on without end. Each is looked at
once, here; what comes out is made of dicts, lists and scalars of this module's own making.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from toolgen.runtime.jsontext import MAX_DEPTH
from toolgen.runtime.numbers import MOST_DIGITS, Number

_SCALARS: Final = frozenset({str, int, float, Number, bool, type(None)})
_MOST_REPEATS: Final = 1_000_000


class Foreign:
    """Stands where a value stood that JSON has no type for. ``words`` says what it was."""

    __slots__ = ("words",)

    def __init__(self, words: str = "a value that JSON has no type for") -> None:
        self.words = words


class TooDeep(Exception):
    """More levels than a JSON text may have, or so much of it repeated that no text could hold it."""


class TooLong(Exception):
    """A number of more digits than a JSON text may have."""


_LIMIT: Final = 10**MOST_DIGITS


def plain(value: object, depth: int = 0) -> Any:
    """The value as dicts, lists and scalars, with a ``Foreign`` where it is none of these.

    It stands inside ``depth`` levels.

    Mappings are objects and lists are arrays. Tuples, sets, dates, enum members and subclasses of str, int and list are
    foreign: JSON could not bring them.

    Raises:
        TooLong: a whole number has more than 4,300 digits.
        TooDeep: it nests deeper than 100 levels (as what holds itself does), or repeats itself beyond measure.
    """
    return _Reader().plain(value, depth)


class _Reader:
    def __init__(self) -> None:
        self.seen: dict[int, object] = {}  # holds the containers too, so that no id is used twice
        self.repeats = 0

    def plain(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind in _SCALARS:
            if kind is int and value.bit_length() >= _LIMIT.bit_length() and abs(value) >= _LIMIT:
                raise TooLong
            return value
        if kind is not dict and kind is not list and not is_mapping(value):
            is_number = kind is not Decimal or value.is_finite()
            return Foreign() if is_number else Foreign("NaN or an infinity, in a decimal")
        if depth == MAX_DEPTH:
            raise TooDeep
        if kind is list:
            items = list(value)
            self.count(value, len(items))
            return [self.plain(item, depth + 1) for item in items]
        try:
            size = len(value)
            pairs = [(name, item) for name, item in itertools.islice(value.items(), size + 1)]
        except Exception:  # whatever a foreign mapping raises, it can't be read
            return Foreign("an object that can't be read")
        if len(pairs) > size:  # it may well have no end
            return Foreign("an object that holds more than it says")
        self.count(value, len(pairs))
        if not all(issubclass(type(name), str) for name, _ in pairs):
            return Foreign("an object whose keys are not all strings")
        return {str.__str__(name): self.plain(item, depth + 1) for name, item in pairs}

    def count(self, container: object, size: int) -> None:
        """Stops at containers that hold each other many times over: a few of them can stand for billions of values."""
        if id(container) in self.seen:
            self.repeats += size + 1
            if self.repeats > _MOST_REPEATS:
                raise TooDeep
        self.seen[id(container)] = container


def is_mapping(value: object) -> bool:
    """Whether a value is a mapping of any class; one that raises when it is asked is none."""
    try:
        return isinstance(value, Mapping)
    except Exception:  # a foreign __class__ may raise
        return False
