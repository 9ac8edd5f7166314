"""Values of scalar positions: distinct valid ones, and those on both sides of every bound, the same on every run."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from fractions import Fraction
from itertools import count, islice

from toolgen.runtime import formats, patterns
from toolgen.testing.matching import matching, not_matching
from toolgen.testing.shape import Json, Node, Schema

LONGEST_TEXT = 1_000_000
"""Texts longer than this are not made: a bound that lies higher is not tried."""

_MOST_NUMBERS = 2_000
_MOST_TEXTS = 5_000

Judged = tuple[Json, str | None]
"""A value, and the constraint that refuses it; None where it is taken."""


def distinct(node: Node) -> Iterator[Json]:
    """Distinct valid values of a scalar position, the simplest first. Ends where the position has no more.

    Examples of the schema come first, then values made up; null is never among them.
    """
    seen: set[tuple[str, Json]] = set()
    for value in _preferred(node):
        key = (str(type(value) if isinstance(value, bool) else None), value)
        if key not in seen:
            seen.add(key)
            yield value


def _preferred(node: Node) -> Iterator[Json]:
    default = node.schema.get("default")
    if node.members is not None:
        members = [member for member in node.members if member is not None]
        yield from sorted(members, key=lambda member: member == default)
        return
    scalar_examples = (e for e in node.schema.get("examples", ()) if isinstance(e, str | int | float))
    yield from (example for example in scalar_examples if example != default)
    # A value that is its own default would hide a default filled in where none belongs: it is for want of another.
    others = (value for value in _made(node) if value != default or isinstance(value, bool))
    first = next(others, default)
    if first is not None:
        yield first
    yield from others


def _made(node: Node) -> Iterator[Json]:
    match node.types[:1]:
        case ("boolean",):
            return iter((True, False) if node.schema.get("default") is not True else (False, True))
        case ("integer" | "number" as kind,):
            return numbers(node.schema, whole=kind == "integer")
        case ("string",):
            return texts(node.schema)
    return (f"anything {n}" for n in count(1))


def boundaries(node: Node) -> list[Judged]:
    """Values at, just inside and just outside each bound of a scalar position; each member, and one that is not."""
    if node.members is not None:
        return _member_boundaries(node.members)
    match node.types[:1]:
        case ("boolean",):
            return [(True, None), (False, None)]
        case ("integer",):
            return [*_number_boundaries(node.schema, whole=True), (_fraction_beside(node.schema), "invalid_type")]
        case ("number",):
            return _number_boundaries(node.schema, whole=False)
        case ("string",):
            return _text_boundaries(node.schema)
    values: list[Json] = ["", 0, False, 1.5, [], {}, [{"a": None}]]
    return [(value, None) for value in values]


def _member_boundaries(members: list[Json]) -> list[Judged]:
    taken: list[Judged] = [(member, None) for member in members if member is not None]
    texts = [member for member in members if isinstance(member, str)]
    strangers: list[Json] = [f"not {texts[0]}", texts[0].swapcase()] if texts else ["stranger"]
    whole = [member for member in members if isinstance(member, int) and not isinstance(member, bool)]
    strangers += [max(whole) + 1] if whole else [-77]
    if True not in members or not any(member is True for member in members):
        strangers.append(True)
    return taken + [(value, "invalid_enum_value") for value in strangers if not _among(value, members)]


def _among(value: Json, members: Iterable[Json]) -> bool:
    return any(value == member and isinstance(value, bool) == isinstance(member, bool) for member in members)


# Numbers


def _exact(number: float) -> Fraction:
    """The number as JSON text says it: 0.1 is one tenth."""
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


class _Range:
    """The numbers that a schema takes: both ends, whether they belong, and the step between two."""

    def __init__(self, schema: Schema) -> None:
        self.ends: dict[str, tuple[int | float, bool]] = {}
        for side, words in (("low", ("minimum", "exclusiveMinimum")), ("high", ("maximum", "exclusiveMaximum"))):
            found = [(schema[word], word.startswith("exclusive")) for word in words if word in schema]
            if found:
                self.ends[side] = max(found) if side == "low" else min(found, key=lambda end: (end[0], not end[1]))
        self.step = _exact(schema["multipleOf"]) if "multipleOf" in schema else None

    def within(self, number: float) -> bool:
        """Whether the number lies between the ends."""
        low, high = self.ends.get("low"), self.ends.get("high")
        return (low is None or (number > low[0] if low[1] else number >= low[0])) and (
            high is None or (number < high[0] if high[1] else number <= high[0])
        )

    def holds(self, number: float) -> bool:
        """Whether the number is taken."""
        return self.within(number) and (self.step is None or (_exact(number) / self.step).denominator == 1)


def numbers(schema: Schema, *, whole: bool) -> Iterator[int | float]:
    """Distinct numbers that a schema takes, small ones first."""
    range_ = _Range(schema)
    made = _whole_numbers(range_) if whole or range_.step is not None else _fractions(range_)
    yield from (number for number in made if range_.holds(number) and (not whole or isinstance(number, int)))


def _number(exact: Fraction) -> int | float:
    return int(exact) if exact.denominator == 1 else float(exact)


def _whole_numbers(range_: _Range) -> Iterator[int | float]:
    """Multiples of the step: from one of it, or the end that is nearest to that, upwards and then downwards."""
    step = range_.step or Fraction(1)
    low, high = (_exact(range_.ends[side][0]) if side in range_.ends else None for side in ("low", "high"))
    start = 1
    if low is not None:
        start = max(start, math.ceil(low / step))
    if high is not None:
        start = min(start, math.floor(high / step))
    for turn in range(_MOST_NUMBERS):
        number = (start + turn) * step
        if high is not None and number > high:
            break
        yield _number(number)
    for turn in range(1, _MOST_NUMBERS):
        number = (start - turn) * step
        if low is not None and number < low:
            return
        yield _number(number)


def _fractions(range_: _Range) -> Iterator[float]:
    low, high = range_.ends.get("low"), range_.ends.get("high")
    if low is not None and high is not None:
        yield from (low[0] + (high[0] - low[0]) * part / 64 for part in (*range(32, 64), *range(32)))
        yield float(low[0])
        yield float(high[0])
    elif high is not None:
        yield from (high[0] - turn - 0.5 for turn in range(1_000))
        yield from (high[0] - abs(high[0]) * turn for turn in range(1, 1_000))
    else:
        start = low[0] if low is not None else 0
        yield from (start + turn + 0.5 for turn in range(1_000))
        yield from (start + abs(start) * turn for turn in range(1, 1_000))


def _number_boundaries(schema: Schema, *, whole: bool) -> list[Judged]:
    range_ = _Range(schema)
    found: list[Judged] = [(number, None) for number in islice(numbers(schema, whole=whole), 2)]
    # A body may hold a number in two ways, as an integer and as a float, each with bounds of its own.
    both = range_.step is not None and not whole
    for side, (end, _) in range_.ends.items():
        for as_whole in (False, True) if both else (whole,):
            found += _around(range_, end, up=1 if side == "low" else -1, whole=as_whole)
    if range_.step is not None:
        found += _off_step(range_, whole=whole)
    if both:
        found += [(float(number), constraint) for number, constraint in found if isinstance(number, int)]
    if not range_.ends and range_.step is None:
        found += [(0, None), (-1, None), *([(2**53 + 1, None)] if whole else [(-0.5, None), (1e300, None)])]
    return _once(found)


def _around(range_: _Range, end: float, *, up: int, whole: bool) -> Iterator[Judged]:
    """The last number out, the end itself, and the first in, where the step allows them."""
    if range_.step is not None or whole:
        step = range_.step if range_.step is not None else Fraction(1)
        if whole:
            step = Fraction(math.lcm(step.numerator, step.denominator) // step.denominator)
        near = math.floor(_exact(end) / step)
        candidates: list[int | float] = [_number((near + shift) * step) for shift in range(-2, 4)]
    else:
        candidates = [math.nextafter(end, -math.inf), end, math.nextafter(end, math.inf)]
    inside = sorted((n for n in candidates if range_.holds(n)), key=lambda n: up * n)[:2]
    outside = sorted((n for n in candidates if not range_.within(n) and up * n <= up * end), key=lambda n: -up * n)[:1]
    yield from ((number, None) for number in inside)
    yield from ((number, "invalid_range") for number in outside if math.isfinite(number))


def _off_step(range_: _Range, *, whole: bool) -> Iterator[Judged]:
    assert range_.step is not None
    for taken in islice((n for n in _whole_numbers(range_) if range_.holds(n)), 3):
        shift = Fraction(1) if whole else range_.step / 2
        off = _number(_exact(taken) + shift)
        if range_.within(off) and not range_.holds(off):
            yield off, "invalid_multiple"
            return


def _fraction_beside(schema: Schema) -> float:
    """A number that is no integer, next to one that is taken where floats are that fine."""
    return next((float(n) + 0.5 for n in islice(numbers(schema, whole=True), 1) if abs(n) < 2**50), 0.5)


# Texts


def texts(schema: Schema) -> Iterator[str]:
    """Distinct texts that a schema takes."""
    low, high = schema.get("minLength", 0), schema.get("maxLength")
    sizes = formats.base64_sizes(schema)
    if max(low, sizes[0] if sizes else 0) > LONGEST_TEXT:
        return iter(())
    if sizes is not None:
        return _base64_texts(*sizes)
    fits = _fits(schema)
    special = _special(schema)
    if special is not None:
        return (text for text in islice(special(), _MOST_TEXTS) if fits(text))
    if "pattern" in schema:
        return matching(schema["pattern"], low, high)
    return (text for text in _words(low, high) if fits(text))


def _fits(schema: Schema) -> Callable[[str], bool]:
    low, high = schema.get("minLength", 0), schema.get("maxLength", math.inf)
    search = re.compile(patterns.to_python(schema["pattern"])).search if "pattern" in schema else bool
    return lambda text: low <= len(text) <= high and ("pattern" not in schema or bool(search(text)))


def _words(low: int, high: int | None) -> Iterator[str]:
    if high is not None and high < 6:
        letters = "abcdefghijklmnopqrstuvwxyz0123456789"
        width = max(low, min(high, 2))
        for turn in range(len(letters) ** width):
            digits = [letters[turn // len(letters) ** place % len(letters)] for place in range(width)]
            yield "".join(reversed(digits))
        return
    for turn in count(1):
        yield f"text {turn}".ljust(low, ".") if low > 6 else f"text{turn}".ljust(low, ".")


def _special(schema: Schema) -> Callable[[], Iterator[str]] | None:
    """A maker of texts in the schema's format, or of decimals; None for a text of no form."""
    if schema.get("pattern") == formats.DECIMAL_PATTERN:
        return lambda: (f"{turn}.50" for turn in count(1))
    return _FORMATTED.get(schema.get("format", ""))


def _day(turn: int) -> str:
    return (date(2024, 2, 29) + timedelta(days=turn)).isoformat()


_FORMATTED: dict[str, Callable[[], Iterator[str]]] = {
    "date": lambda: (_day(turn) for turn in range(9_999)),
    "time": lambda: (f"{turn // 60 % 24:02}:{turn % 60:02}:00Z" for turn in range(630, 2_070)),
    "date-time": lambda: (f"{_day(turn)}T10:30:00Z" for turn in range(9_999)),
    "duration": lambda: (f"P{turn}DT2H" for turn in count(1)),
    "uuid": lambda: (f"00000000-0000-4000-8000-{turn:012x}" for turn in count(1)),
    "ipv4": lambda: (f"192.0.{turn // 256 % 256}.{turn % 256}" for turn in range(1, 65_536)),
    "ipv6": lambda: (f"2001:db8::{turn:x}" for turn in range(1, 65_536)),
    "uri": lambda: (f"https://example.com/{turn}" for turn in count(1)),
    "email": lambda: (f"someone{turn}@example.com" for turn in count(1)),
}

_MALFORMED: dict[str, tuple[str, ...]] = {
    "date": ("2023-02-29", "29.02.2024", "2024-02-29T00:00:00Z"),
    "time": ("25:00:00Z", "10:30:00", "10:30 am"),
    "date-time": ("2023-02-29T10:30:00Z", "2024-02-29T10:30:00", "yesterday"),
    "duration": ("P1Y", "1 day", "P"),
    "uuid": ("00000000-0000-4000-8000-00000000000g", "123"),
    "ipv4": ("192.0.2.256", "192.0.2"),
    "ipv6": ("2001:db8::g", "192.0.2.1"),
    "uri": ("no uri", "/only/a/path"),
    "email": ("someone", "@example.com"),
}
_EXTREMES: dict[str, tuple[str, ...]] = {
    "date": ("0001-01-01", "9999-12-31"),
    "time": ("00:00:00Z", "23:59:59.999999+02:00"),
    "date-time": ("2024-02-29T23:59:59.999999-05:30",),
    "duration": ("PT0S", "-P1W", "PT0.000001S"),
    "uuid": ("ffffffff-ffff-ffff-ffff-ffffffffffff",),
}
_DECIMALS = ("0", "-0.01", "12345678901234567890.123456789")
_NO_DECIMALS = ("1,5", "NaN", "")


def _text_boundaries(schema: Schema) -> list[Judged]:
    found: list[Judged] = [(text, None) for text in islice(texts(schema), 2)]
    sizes = formats.base64_sizes(schema)
    if sizes is not None:
        return _once(found + _base64_boundaries(*sizes))
    fits = _fits(schema)
    special = schema.get("format", "")
    if schema.get("pattern") == formats.DECIMAL_PATTERN:
        found += [(text, None) for text in _DECIMALS if fits(text)]
        return _once(found + [(text, "invalid_format") for text in _NO_DECIMALS])
    if special:
        found += [(text, None) for text in _EXTREMES.get(special, ()) if fits(text)]
        found += [(text, "invalid_format") for text in _MALFORMED.get(special, ())]
        return _once(found)
    if "pattern" in schema:
        low, high = schema.get("minLength", 0), schema.get("maxLength")
        found += [(text, "invalid_pattern") for text in islice(not_matching(schema["pattern"], low, high), 3)]
    elif fits(""):
        found.append(("", None))
    return _once(found + list(_length_boundaries(schema)))


def _length_boundaries(schema: Schema) -> Iterator[Judged]:
    low, high = schema.get("minLength", 0), schema.get("maxLength")
    wanted = [(low - 1, "invalid_length"), (low, None), (low + 1, None)] if low else []
    wanted += [(high - 1, None), (high, None), (high + 1, "invalid_length")] if high is not None else []
    for length, constraint in wanted:
        inside = low <= length <= (length if high is None else high)
        if 0 <= length <= LONGEST_TEXT and inside == (constraint is None):
            text = _of_length(schema, length)
            if text is not None:
                yield text, constraint
                if "pattern" not in schema and length == high:
                    yield "😀" * length, None


def _of_length(schema: Schema, length: int) -> str | None:
    if "pattern" not in schema:
        return "x" * length
    return next(matching(schema["pattern"], length, length), None)


# Bytes as base64


def _base64(size: int) -> str:
    return base64.b64encode(b"x" * size).decode("ascii")


def _base64_texts(low: int, high: int | None) -> Iterator[str]:
    size = max(low, 4 if high is None else min(high, 4))
    for turn in range(min(256**size, 100_000)):
        yield base64.b64encode(turn.to_bytes(size, "big")).decode("ascii")


def _base64_boundaries(low: int, high: int | None) -> list[Judged]:
    found: list[Judged] = [(_base64(low), None), ("not base64", "invalid_format")]
    found += [(_base64(low - 1), "invalid_length")] if low else []
    if high is not None and high <= LONGEST_TEXT:
        found += [(_base64(high), None), (_base64(high + 1), "invalid_length")]
    return found


def _once(judged: Iterable[Judged]) -> list[Judged]:
    """The same values in the same order, each once: 1, 1.0 and true are three values."""
    seen: set[tuple[type, Json]] = set()
    kept = []
    for value, constraint in judged:
        key = (type(value), repr(value) if isinstance(value, list | dict) else value)
        if key not in seen:
            seen.add(key)
            kept.append((value, constraint))
    return kept
