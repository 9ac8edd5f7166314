"""The jsonschema library as a judge of inputs, with formats asserted.

Where it is itself wrong or blind, what it does is replaced here, by something that is written from the specification
and shares no code with toolgen's runtime. Each replacement says why.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker, ValidationError
from jsonschema.validators import extend

FORMATS = FormatChecker(())
"""The library's own checkers, with the packages that it names for them. A format without one would assert nothing, so
that fails the run."""
FORMATS.checkers = {
    name: Draft202012Validator.FORMAT_CHECKER.checkers[name]
    for name in ("date", "time", "date-time", "duration", "ipv4", "ipv6", "uri", "uuid")
    if name in Draft202012Validator.FORMAT_CHECKER.checkers
}


def formats_in(schema: Any) -> Iterator[str]:
    """The formats that a schema names, by position."""
    if isinstance(schema, dict):
        if isinstance(schema.get("format"), str):
            yield schema["format"]
        for word in ("properties", "$defs", "patternProperties"):
            for inner in schema.get(word, {}).values():
                yield from formats_in(inner)
        for word in ("items", "additionalProperties", "not"):
            yield from formats_in(schema.get(word))
        for word in ("anyOf", "allOf", "oneOf"):
            for inner in schema.get(word, ()):
                yield from formats_in(inner)


def outside_judge(schema: Any) -> Callable[[Any], bool]:
    """Whether a value is valid under the schema, as jsonschema judges it.

    Raises LookupError where a format has no checker.
    """
    unknown = set(formats_in(schema)) - set(FORMATS.checkers)
    if unknown:
        raise LookupError(f"no checker of the formats {sorted(unknown)} is installed")
    judge = _Judge(schema, format_checker=FORMATS)
    judge.check_schema(schema)
    return lambda value: bool(judge.is_valid(value))


# --- replacements ----------------------------------------------------------------------------------------------------


def _pattern(validator: Any, pattern: str, value: Any, schema: Any) -> Iterator[ValidationError]:
    """Patterns are ECMA-262's: ``$`` is the very end, digits are ASCII. jsonschema uses Python's meaning of both.

    The patterns of canonical schemas have ``$`` and the classes nowhere but where this reads them.
    """
    if isinstance(value, str) and not _compiled(pattern).search(value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("$", r"\Z").replace(".{", r"[^\n\r\u2028\u2029]{"), re.ASCII)


def _multiple_of(validator: Any, step: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    """Multiples are of the numbers as written, 0.01 divides 19.99; jsonschema divides in binary floating point."""
    if isinstance(value, int | float) and not isinstance(value, bool) and _exact(value) % _exact(step):
        yield ValidationError(f"{value!r} is no multiple of {step!r}")


def _exact(number: float) -> Fraction:
    return Fraction(repr(number))


def _is_number(checker: Any, value: Any) -> bool:
    """A number is what fits 64-bit floating point (RFC 8259, section 6); jsonschema takes integers of any size."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


_Judge = extend(
    Draft202012Validator,
    {"pattern": _pattern, "multipleOf": _multiple_of},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("number", _is_number),
)


def _to_the_end(checker: Any) -> tuple[Callable[[object], bool], Any]:
    """The checkers of times and of URIs let a newline pass behind the text, which RFC 3339 and RFC 3986 don't have."""
    check, raises = checker
    return lambda value: not (isinstance(value, str) and value.endswith("\n")) and check(value), raises


for _name in {"time", "date-time", "uri"} & FORMATS.checkers.keys():
    FORMATS.checkers[_name] = _to_the_end(FORMATS.checkers[_name])


@FORMATS.checks("email")
def _is_email(value: object) -> bool:
    """jsonschema asks for no more than an ``@``. This is the HTML standard's "valid e-mail address", read by parts."""
    if not isinstance(value, str):
        return True
    name, at, host = value.rpartition("@")
    labels = host.split(".")
    return (
        bool(at)
        and bool(name)
        and all(char in _ATEXT for char in name)
        and all(0 < len(label) <= 63 and label[0] != "-" != label[-1] and set(label) <= _LABEL for label in labels)
    )


_LABEL = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
_ATEXT = _LABEL | frozenset(".!#$%&'*+/=?^_`{|}~")
