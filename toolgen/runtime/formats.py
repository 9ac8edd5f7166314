"""The text formats of the canonical schema: patterns, readers and writers.

``date``, ``time``, ``date-time`` and ``uuid`` are read by msgspec, so that both lanes read alike; of a fraction of a
second it takes the nearest microsecond. Durations and decimals have a pattern that says exactly which texts are read:
what matches is read, and what is written matches.
"""

from __future__ import annotations

import functools
import re
import uuid
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Final

import msgspec

from toolgen.runtime.regexsyntax import MOST_REPEATS

# --- durations -----------------------------------------------------------------------------------------------------

_TIME = r"(?:[0-9]{1,9}H)?(?:(?:[0-9]{1,9}M)?[0-9]{1,9}(?:\.[0-9]{1,6})?S|[0-9]{1,9}M)|[0-9]{1,9}H"

# The numbers of digits keep every match within what a timedelta holds (999,999,999 days and a time of day). The last
# branch is for durations of 100,000,000 days and more that have a time part. There a minus sign stands before the days
# and counts for them alone, as in ISO 8601-2 and in timedelta itself: no other short pattern ends where timedelta does.
DURATION_PATTERN: Final = (
    rf"^(?:[+-]?P(?:[0-9]{{1,8}}W|[0-9]{{1,9}}D|(?:[0-9]{{1,8}}D)?T(?:{_TIME}))"
    r"|P-?[0-9]{9}DT(?:[01][0-9]|2[0-3])H[0-5][0-9]M[0-5][0-9](?:\.[0-9]{1,6})?S)$"
)
"""ISO 8601 durations: weeks alone, or days, hours, minutes and seconds, with a sign and up to six decimals."""

_DURATION = re.compile(
    r"(?P<sign>[+-]?)P(?:(?P<weeks>[0-9]+)W)?(?:(?P<days>-?[0-9]+)D)?"
    r"(?:T(?:(?P<hours>[0-9]+)H)?(?:(?P<minutes>[0-9]+)M)?(?:(?P<seconds>[0-9]+)(?:\.(?P<fraction>[0-9]+))?S)?)?"
)
_DURATION_EXACT = re.compile(DURATION_PATTERN[:-1] + r"\Z")
_MANY_DAYS = timedelta(days=100_000_000)
_SECOND = timedelta(seconds=1)


def duration_from_text(text: str) -> timedelta:
    """Reads what ``DURATION_PATTERN`` matches, exactly. Raises ValueError for any other text."""
    if len(text) > 100 or _DURATION_EXACT.match(text) is None:
        raise ValueError("not a duration")
    parts = _DURATION.fullmatch(text)
    assert parts is not None
    number = {name: int(parts[name] or 0) for name in ("weeks", "days", "hours", "minutes", "seconds")}
    # Days and the rest apart: a sum of the rest alone never leaves the range on the way to one that is within it.
    days = timedelta(weeks=number["weeks"], days=number["days"])
    rest = timedelta(
        hours=number["hours"],
        minutes=number["minutes"],
        seconds=number["seconds"],
        microseconds=int((parts["fraction"] or "").ljust(6, "0")),
    )
    return -days - rest if parts["sign"] == "-" else days + rest


def duration_to_text(value: timedelta) -> str:
    """The canonical text: days, hours, minutes and seconds without what is zero; ``PT0S`` for none at all.

    Every timedelta has one, and ``duration_from_text`` reads it back as an equal value.
    """
    rest = timedelta(seconds=value.seconds, microseconds=value.microseconds)
    if rest and (value >= _MANY_DAYS or value <= -_MANY_DAYS):
        hours, minutes, seconds = _clock(rest)
        days = f"{'-' if value.days < 0 else ''}{abs(value.days):09d}"
        return f"P{days}DT{hours:02d}H{minutes:02d}M{seconds // _SECOND:02d}{_fraction(seconds)}S"
    sign, value = ("-", -value) if value < timedelta(0) else ("", value)
    hours, minutes, seconds = _clock(timedelta(seconds=value.seconds, microseconds=value.microseconds))
    clock = (f"{hours}H" if hours else "") + (f"{minutes}M" if minutes else "")
    if seconds or not (value.days or clock):
        clock += f"{seconds // _SECOND}{_fraction(seconds)}S"
    return f"{sign}P" + (f"{value.days}D" if value.days else "") + (f"T{clock}" if clock else "")


def _clock(rest: timedelta) -> tuple[int, int, timedelta]:
    hours, rest = divmod(rest, timedelta(hours=1))
    minutes, rest = divmod(rest, timedelta(minutes=1))
    return hours, minutes, rest


def _fraction(seconds: timedelta) -> str:
    return f".{seconds.microseconds:06d}".rstrip("0").rstrip(".")


# --- times of day --------------------------------------------------------------------------------------------------

_AWARE_TIME = Annotated[time, msgspec.Meta(tz=True)]
_MIDNIGHT = time()


def time_from_text(text: str) -> time:
    """Reads a time of day with its offset (RFC 3339, section 5.6, full-time), to the nearest microsecond.

    Raises ValueError for any other text, and for a time that is nearer to the midnight after it than to any microsecond
    of its day.
    """
    try:
        value = msgspec.convert(text, _AWARE_TIME)
    except (msgspec.ValidationError, UnicodeEncodeError):
        raise ValueError("not a time of day") from None
    if text.startswith("23") and value.replace(tzinfo=None) == _MIDNIGHT:
        raise ValueError("past the last microsecond of the day")
    return value


def time_to_text(value: time) -> str:
    """The text of a time of day. Raises TypeError for what is none."""
    if not isinstance(value, time):
        raise TypeError("not a time of day")
    text: str = msgspec.to_builtins(value)
    return text


# --- decimals ------------------------------------------------------------------------------------------------------

DECIMAL_PATTERN: Final = r"^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?$"
"""Finite decimals, plain or with an exponent. Its four digits keep a short text from being a number without end."""

DECIMAL_EXACT = re.compile(DECIMAL_PATTERN[:-1] + r"\Z")
_LARGEST_EXPONENT = 9_999
_MOST_PLACES = 1_000_000


def decimal_from_text(text: str) -> Decimal:
    """Reads what ``DECIMAL_PATTERN`` matches, keeping trailing zeros. Raises ValueError for any other text."""
    if DECIMAL_EXACT.match(text) is None:
        raise ValueError("not a decimal number")
    return Decimal(text)


def decimal_to_text(value: Decimal) -> str:
    """A text that ``decimal_from_text`` reads back as the same sign, digits and exponent.

    Raises ValueError for what is not finite, for an exponent above 9,999, and for more than a million decimal places.
    """
    if not value.is_finite():
        raise ValueError("not a finite number")
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    if exponent > _LARGEST_EXPONENT or exponent < -_MOST_PLACES:
        raise ValueError("an exponent out of range")
    text = str(value)
    if DECIMAL_EXACT.match(text) is not None:
        return text
    if exponent > 0:
        # str() moves the point to the left, which may take the exponent past its four digits.
        sign, digits, _ = value.as_tuple()
        return f"{'-' if sign else ''}{''.join(map(str, digits))}E{exponent}"
    # str() writes an exponent of more than four digits where there are that many places; then they are all written.
    return format(value, "f")


# --- base64 --------------------------------------------------------------------------------------------------------

_B64 = "[A-Za-z0-9+/]"
_TAILS = ("", f"{_B64}{{2}}==", f"{_B64}{{3}}=")
BASE64_PATTERN: Final = f"^(?:{_B64}{{4}})*(?:{_B64}{{2}}==|{_B64}{{3}}=)?$"
"""Padded standard base64 (RFC 4648, section 4) of any length."""

_BASE64_EXACT = re.compile(BASE64_PATTERN[:-1] + r"\Z")


@functools.lru_cache(maxsize=256)
def base64_pattern(min_bytes: int | None = None, max_bytes: int | None = None) -> str:
    """The pattern of padded standard base64 that holds at least and at most so many bytes."""
    least, most = min_bytes or 0, max_bytes
    if least == 0 and most is None:
        return BASE64_PATTERN
    # Texts of `quads` full groups of three bytes and a tail of none, one or two.
    branches = []
    for tail in range(3):
        low = max(0, -((tail - least) // 3))
        high = None if most is None else (most - tail) // 3
        if high is not None and high < low:
            continue
        branches.append(f"(?:{_B64}{{4}}){{{low},{'' if high is None else high}}}{_TAILS[tail]}")
    return f"^(?:{'|'.join(branches)})$"


BASE64_SIZE_WORDS: Final = ("minLength", "maxLength", "if", "then", "else")
"""The keywords beside its pattern that may say how many bytes a base64 text holds."""


def base64_keywords(least: int, most: int | None) -> dict[str, Any]:
    """The keywords that take padded standard base64 of at least and at most so many bytes, and nothing else.

    A pattern alone says it, which most readers of schemas can hold a text to, until its counts grow beyond what
    engines take. Then the length of the text says how many quads of characters there are, each of three bytes or, at
    the end, fewer; at the first and the last length that is taken a condition says how the last quad is filled.
    """
    if 4 * max(least, most or 0) <= 3 * MOST_REPEATS:
        return {"pattern": base64_pattern(least, most)}
    low, high = 4 * -(-least // 3), None if most is None else 4 * -(-most // 3)
    found: dict[str, Any] = {"pattern": BASE64_PATTERN}
    if low:
        found["minLength"] = low
    if high is not None:
        found["maxLength"] = high
    if low == high:
        tails = [_TAILS[size % 3] or f"{_B64}{{4}}" for size in range(least, (most or 0) + 1)]
        return {**found, "pattern": f"^(?:{_B64}{{4}})*(?:{'|'.join(tails)})$"}
    rule: dict[str, Any] = {}
    if most is not None and most % 3:
        rule = {"if": {"minLength": high}, "then": {"pattern": "=" * (3 - most % 3) + "$"}}
    if least and least % 3 != 1:
        filled = "[^=]$" if least % 3 == 0 else "[^=]=?$"
        rule = {"if": {"maxLength": low}, "then": {"pattern": filled}, **({"else": rule} if rule else {})}
    return {**found, **rule}


def base64_sizes(schema: Mapping[str, Any]) -> tuple[int, int | None] | None:
    """The bounds that ``base64_keywords`` was given to write this schema of a text; None for any other schema."""
    told = {word: schema[word] for word in ("pattern", *BASE64_SIZE_WORDS) if word in schema}
    pattern, low, high = told.get("pattern"), told.get("minLength"), told.get("maxLength")
    if schema.get("contentEncoding") != "base64" or not isinstance(pattern, str):
        return None
    if told.keys() == {"pattern"}:
        return base64_bounds(pattern)
    if not all(type(length) in (int, type(None)) for length in (low, high)):
        return None
    most_of: list[int | None] = [None] if high is None else [high // 4 * 3 - missing for missing in range(3)]
    for least in [low // 4 * 3 - missing for missing in range(3)] if low else [0]:
        for most in most_of:
            if least >= 0 and (most is None or most >= least) and base64_keywords(least, most) == told:
                return least, most
    return None


def is_base64(text: str) -> bool:
    """Whether the text is padded standard base64, as msgspec reads it."""
    return _BASE64_EXACT.match(text) is not None


def base64_size(text: str) -> int:
    """Number of bytes that a padded base64 text holds."""
    return len(text) // 4 * 3 - text[-2:].count("=")


def base64_bounds(pattern: str) -> tuple[int, int | None] | None:
    """The bounds that ``base64_pattern`` was given to write this pattern; None for any other pattern."""
    if pattern == BASE64_PATTERN:
        return 0, None
    if not pattern.startswith("^(?:(?:[A-Za-z0-9+/]{4}){"):
        return None
    # Each branch: how many groups, and which tail. The bounds are the least and the most bytes of any branch.
    found = re.findall(r"\(\?:\[A-Za-z0-9\+/\]\{4\}\)\{([0-9]+),([0-9]*)\}((?:\[A-Za-z0-9\+/\]\{[23]\}==?)?)", pattern)
    if not found or any(tail not in _TAILS for _, _, tail in found):
        return None
    least = min(3 * int(low) + _TAILS.index(tail) for low, _, tail in found)
    most = None if found[0][1] == "" else max(3 * int(high or 0) + _TAILS.index(tail) for _, high, tail in found)
    return (least, most) if base64_pattern(least, most) == pattern else None


# --- formats -------------------------------------------------------------------------------------------------------

_AWARE_DATETIME = Annotated[datetime, msgspec.Meta(tz=True)]

# https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
_EMAIL = re.compile(
    r"[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]++@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    r"(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*+"
)

# RFC 3986, appendix A; what stands in brackets as host is left to ``ipaddress``.
_PCHAR = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
_URI = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*+:"
    r"(?:"
    r"//(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*+@)?"
    r"(?:\[(?P<literal>[^\]/?#@]*+)\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*+)"
    r"(?::[0-9]*+)?"
    rf"(?:/{_PCHAR}*+)*+"
    rf"|/(?:{_PCHAR}++(?:/{_PCHAR}*+)*+)?"
    rf"|{_PCHAR}++(?:/{_PCHAR}*+)*+"
    r"|)"
    rf"(?:\?(?:{_PCHAR}|[/?])*+)?"
    rf"(?:\#(?:{_PCHAR}|[/?])*+)?"
)
_FUTURE_ADDRESS = re.compile(r"[vV][0-9A-Fa-f]++\.[A-Za-z0-9._~!$&'()*+,;=:-]++")


def _reads(text: str, type_: Any) -> bool:
    try:
        msgspec.convert(text, type_)
    except (msgspec.ValidationError, UnicodeEncodeError, ValueError, OverflowError):
        return False
    return True


def _is_duration(text: str) -> bool:
    return len(text) <= 100 and _DURATION_EXACT.match(text) is not None


def _is_time(text: str) -> bool:
    try:
        time_from_text(text)
    except ValueError:
        return False
    return True


def _is_decimal(text: str) -> bool:
    return DECIMAL_EXACT.match(text) is not None


def _is_ipv4(text: str) -> bool:
    import ipaddress  # seldom needed, and slow to import

    try:
        ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return True


def _is_ipv6(text: str) -> bool:
    if len(text) > 45 or "%" in text:
        return False
    import ipaddress  # seldom needed, and slow to import

    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


def _is_uri(text: str) -> bool:
    found = _URI.fullmatch(text)
    if found is None:
        return False
    literal = found["literal"]
    return literal is None or _is_ipv6(literal) or _FUTURE_ADDRESS.fullmatch(literal) is not None


_CHECKS: dict[str, tuple[Callable[[str], bool], str]] = {
    "date": (lambda text: _reads(text, date), 'a date such as "2026-11-30"'),
    "time": (_is_time, 'a time of day with an offset such as "14:30:00Z" or "14:30:00+01:00"'),
    "date-time": (
        lambda text: _reads(text, _AWARE_DATETIME),
        'a date and time with an offset such as "2026-11-30T14:30:00Z" or "2026-11-30T14:30:00+01:00"',
    ),
    "uuid": (lambda text: _reads(text, uuid.UUID), 'a UUID such as "123e4567-e89b-12d3-a456-426614174000"'),
    "duration": (
        _is_duration,
        'a duration of weeks, or of days, hours, minutes and seconds, such as "P2W" or "P1DT2H30M"',
    ),
    "ipv4": (_is_ipv4, 'an IPv4 address such as "192.0.2.1"'),
    "ipv6": (_is_ipv6, 'an IPv6 address such as "2001:db8::1"'),
    "uri": (_is_uri, 'a URI with its scheme, such as "urn:isbn:0451450523"'),
    "email": (lambda text: _EMAIL.fullmatch(text) is not None, 'an e-mail address such as "ada@example.org"'),
}

ASSERTED: Final = frozenset(_CHECKS)
"""The formats that are checked wherever a schema names them. Others are annotations."""

_CHECKS["decimal"] = (_is_decimal, 'a decimal number in a string, such as "12.50"')  # never a format in a schema

FORMATS: Final = frozenset({"ipv4", "ipv6", "uri", "email"})
"""What ``format=`` may name on a ``str`` field."""

BASE64_WORDS: Final = 'bytes as padded standard base64, such as "aGVsbG8="'


def words_of(format: str | None) -> str | None:
    """What to write for a format; None where it is none of those checked here."""
    known = _CHECKS.get(format or "")
    return None if known is None else known[1]


def check(format: str, text: str) -> str | None:
    """None when the text is of the format (or the format is none of those checked here), else what to write instead."""
    known = _CHECKS.get(format)
    if known is None or known[0](text):
        return None
    return known[1]
