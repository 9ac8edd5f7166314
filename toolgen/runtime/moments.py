"""Dates and times that are written as they should be and stand for none: the 30th of February, 25 o'clock."""

from __future__ import annotations

import re
from calendar import monthrange
from typing import Final

_DATE = r"(?P<year>[0-9]{4})-(?P<month>[0-9]{2})-(?P<day>[0-9]{2})"
_TIME = (
    r"(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})(?P<fraction>\.[0-9]+)?"
    r"(?:[Zz]|[+-](?P<offset_hour>[0-9]{2}):(?P<offset_minute>[0-9]{2}))"
)
_SHAPES: Final = {
    "date": re.compile(_DATE),
    "time": re.compile(_TIME),
    "date-time": re.compile(f"{_DATE}[Tt ]{_TIME}"),
}


def absent(format: str, text: str) -> str | None:
    """Why there is no such day or time, where the text has the shape of the format; None where it has not."""
    shape = _SHAPES.get(format)
    found = None if shape is None or len(text) > 60 else shape.fullmatch(text)
    if found is None:
        return None
    given = found.groupdict()
    fraction = given.pop("fraction", None) or ""
    parts = {name: int(digits) for name, digits in given.items() if digits is not None}
    return _no_day(parts) or _no_time(parts) or _no_instant(parts, fraction)


def _no_day(parts: dict[str, int]) -> str | None:
    if "year" not in parts:
        return None
    year, month, day = parts["year"], parts["month"], parts["day"]
    if not year:
        return "there is no such year: years go from 0001 to 9999"
    if not 1 <= month <= 12:
        return "there is no such month: months go from 01 to 12"
    last = monthrange(year, month)[1]
    if not 1 <= day <= last:
        return f"there is no such day: {year:04d}-{month:02d} has days 01 to {last}"
    return None


def _no_time(parts: dict[str, int]) -> str | None:
    for names, most, noun in _LARGEST:
        if any(parts.get(name, 0) > most for name in names):
            return f"there is no such time: {noun} go from 00 to {most}"
    return None


def _no_instant(parts: dict[str, int], fraction: str) -> str | None:
    """Of a fraction the nearest microsecond is taken, which may be past the last that there is."""
    last = {"hour": 23, "minute": 59, "second": 59}
    if "year" in parts:
        last |= {"year": 9999, "month": 12, "day": 31}
    if fraction[:7] != ".999999" or fraction[7:8] < "5" or any(parts[name] != most for name, most in last.items()):
        return None
    day = "9999-12-31T" if "year" in parts else ""
    return f"there is no such time: to the microsecond the last is {day}23:59:59.999999"


_LARGEST: Final = (
    (("hour",), 23, "hours"),
    (("minute", "offset_minute"), 59, "minutes"),
    (("second",), 59, "seconds"),
    (("offset_hour",), 23, "the hours of an offset"),
)
