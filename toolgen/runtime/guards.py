"""What the fast lane may not decide alone: checks that generated transforms make on a decoded value.

Each takes a value that msgspec has let through, gives it back when the published schema takes it, and otherwise raises
``Declined``, which hands the whole input to the careful lane. A guard may decline what the schema would take; it never
takes what the schema refuses. Which types have a guard is decided when the code is generated.
"""

from __future__ import annotations

import datetime
import enum
import re
import sys
from collections.abc import Callable, Hashable
from decimal import Decimal
from functools import lru_cache
from typing import TypeVar

from toolgen.runtime import equality, formats, patterns
from toolgen.runtime.numbers import is_multiple

T = TypeVar("T")
E = TypeVar("E", bound=enum.Enum)
H = TypeVar("H", bound=Hashable)


class Declined(Exception):
    """The fast lane leaves this input to the careful lane. Never seen outside a codec."""


def member(value: object, allowed: tuple[T, ...], /) -> T:
    """The member of a Literal that ``value`` is: ``True`` is not ``1``.

    A float is never an integer here: 1.0 is 1, but what was read as 1.0 may have been written 1.00000000000000000001.
    """
    for candidate in allowed:
        if is_same(candidate, value):
            return candidate
    raise Declined


def is_same(left: object, right: object) -> bool:
    return type(left) is type(right) and left == right


def enum_member(enumeration: type[E], value: object, /) -> E:
    """The member of an enumeration whose values are of several JSON types."""
    for item in enumeration:
        if is_same(item.value, value):
            return item
    raise Declined


def within(value: int, /, *, ge: int | None = None, gt: int | None = None, le: int | None = None,
           lt: int | None = None, multiple_of: int | None = None) -> int:  # fmt: skip
    """An integer within bounds that are too large for msgspec."""
    if (
        (ge is not None and value < ge)
        or (gt is not None and value <= gt)
        or (le is not None and value > le)
        or (lt is not None and value >= lt)
        or (multiple_of is not None and value % multiple_of)
    ):
        raise Declined
    return value


def multiple(value: float, step: float, /) -> float:
    """A number that is a whole multiple of ``step`` in decimal arithmetic (0.01 divides 19.99), as a float.

    An integer comes as one, and not as the float next to it: past 53 bits the one may be a multiple and the other not.
    """
    try:
        rounded = float(value)
    except OverflowError:
        raise Declined from None
    if not is_multiple(value, step):
        raise Declined
    return rounded


def unique(values: list[H], /) -> list[H]:
    """A list without duplicates, as JSON has it: ``True`` is not ``1``.

    The set is for the usual case. Integers so large that an input can make their hashes meet would take it quadratic
    time.
    """
    if not (_may_collide(values) or len(set(values)) != len(values)):
        return values
    if equality.first_duplicates(values) is not None:
        raise Declined
    return values


def _may_collide(values: list[H]) -> bool:
    if int not in set(map(type, values)):
        return False
    numbers = [value for value in values if isinstance(value, int)]
    return max(numbers) >= _HASH_MODULUS or min(numbers) <= -_HASH_MODULUS


_HASH_MODULUS = sys.hash_info.modulus


def searched(text: str, pattern: str, /) -> str:
    """A text in which Python's ``re`` finds a pattern in linear time. msgspec would find it too, in twice the time."""
    search = _searches.get(pattern)
    if search is None:
        search = _searches[pattern] = re.compile(pattern).search
    if search(text):
        return text
    raise Declined


def matching(text: str, pattern: str, /) -> str:
    """A text that matches a pattern of the design's dialect, on which ``re`` could be slow."""
    if not _matcher(pattern).search(text):
        raise Declined
    return text


def formatted(text: str, format_: str, /) -> str:
    """A text in one of the named formats."""
    if formats.check(format_, text) is not None:
        raise Declined
    return text


def clock(text: str, /) -> datetime.time:
    """The time of day that a text stands for."""
    try:
        return formats.time_from_text(text)
    except ValueError:
        raise Declined from None


def duration(text: str, /) -> datetime.timedelta:
    """The length of time that a text stands for."""
    try:
        return formats.duration_from_text(text)
    except ValueError:
        raise Declined from None


def decimal(text: str, /) -> Decimal:
    """The decimal number that a text stands for."""
    if _is_decimal(text):
        return Decimal(text)
    raise Declined


_searches: dict[str, Callable[[str], object]] = {}
"""By pattern. A plain dict, since it is looked into on every call."""

_is_decimal = formats.DECIMAL_EXACT.match
_matcher = lru_cache(maxsize=None)(patterns.compile)
