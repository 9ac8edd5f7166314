"""Why a value can't be written: the path and the rule, found once encoding has failed.

This is the slow half of ``encode``. It turns the value into JSON as far as it goes, leaves what JSON has no word for
where it is, and lets the careful lane say what is wrong with it.
"""

from __future__ import annotations

import dataclasses
import datetime
import enum
import uuid
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any, Final

import msgspec

from toolgen.runtime import faults, foreign, formats, jsontext
from toolgen.runtime.bodies import is_dataclass, members, written
from toolgen.runtime.careful import Careful
from toolgen.runtime.issues import Issue
from toolgen.runtime.pytypes import misfits, of_class


def issues_of(value: object, hint: Any, careful: Careful) -> Sequence[Issue]:
    """What is wrong with ``value``, which should be of the type ``hint`` and, as JSON, hold to the schema.

    A Python type may be wrong where its JSON is right: a dict in the place of a dataclass, text in that of a moment.
    """
    try:
        found: Sequence[Issue] = careful.judge(as_json(value), lenient=False).issues
    except RecursionError:
        found = _UNREADABLE
    if any(issue.constraint == "malformed_json" for issue in found):
        return list(_unreadable(value)) or found
    wrong = [
        Issue(path, "invalid_type", f"must be {wanted}, but is {of_class(given)}", wanted, of_class(given))
        for path, wanted, given in misfits(value, hint)
    ]
    # Where a type is wrong, Python's name for it helps who wrote Python. What is wrong inside of what is wrong itself
    # tells nothing.
    places = {one.path for one in wrong}
    found = [issue for issue in found if issue.path not in places]
    wrong = [one for one in wrong if not any(_is_within(one.path, issue.path) for issue in found)]
    return [*(issue for issue in found if not any(_is_within(issue.path, one.path) for one in wrong)), *wrong]


def _is_within(path: str, outer: str) -> bool:
    return path == outer or path.startswith(f"{outer}/")


_UNREADABLE: Final = (Issue("", "malformed_json", "nests deeper than JSON may"),)


def _unreadable(value: Any, path: str = "") -> Iterator[Issue]:
    """What no JSON can hold: each number of too many digits, and each member of the whole that nests too deep."""
    for key, item in _members(value):
        place = faults.below(path, key)
        try:
            foreign.plain(as_json(item), 1)
        except (foreign.TooDeep, RecursionError):
            yield dataclasses.replace(_UNREADABLE[0], path=place)
        except foreign.TooLong:
            inside = list(_unreadable(item, place))
            yield from inside or [Issue(place, "malformed_json", jsontext.TOO_MANY_DIGITS)]


def _members(value: Any) -> Iterable[tuple[str | int, object]]:
    if is_dataclass(value):
        return written(value)
    if isinstance(value, dict):
        return ((str(key), item) for key, item in value.items())
    return enumerate(value) if isinstance(value, list) else ()


def as_json(value: Any) -> object:
    """``value`` as JSON under its wire names; what has no JSON form stays as it is, or is marked as foreign."""
    if type(value) is list:
        return [as_json(item) for item in value]
    if type(value) is dict:
        return {key: as_json(item) for key, item in value.items()}
    if is_dataclass(value):
        return {wire: as_json(item) for wire, item in written(value)}
    if issubclass(type(value), enum.Enum):
        return value._value_
    for kind, write in _TEXTS.items():
        if issubclass(type(value), kind):
            try:
                return write(value)
            except Exception:  # it has no text: a Decimal that is not finite, a moment whose time zone raises
                return value
    # A mapping of another class is read as an object, and never written as one.
    return foreign.Foreign() if foreign.is_mapping(value) and not issubclass(type(value), dict) else value


_TEXTS: Final[dict[type, Callable[[Any], object]]] = {
    Decimal: formats.decimal_to_text,
    datetime.timedelta: formats.duration_to_text,
    datetime.date: msgspec.to_builtins,
    datetime.time: msgspec.to_builtins,
    uuid.UUID: msgspec.to_builtins,
    bytes: lambda value: b64encode(value).decode(),
    bytearray: lambda value: b64encode(value).decode(),
}


def same(value: object, again: object) -> bool:
    """Whether what came back is what was written: equal, or moments of one instant.

    Python calls two moments of one instant unequal where the clocks of a zone are set back or forward and the other
    moment is of another zone (PEP 495), as what JSON gives back is: it has an offset, and no zone.
    """
    try:
        if value == again:
            return True
    except Exception:  # a foreign __eq__ may raise
        return False
    if isinstance(value, datetime.datetime) and isinstance(again, datetime.datetime):
        return _is_same_instant(value, again)
    if type(value) is not type(again):
        return False
    if is_dataclass(value):
        return all(same(item, getattr(again, name)) for name, _, item in members(value))
    if isinstance(value, list) and isinstance(again, list):
        return len(value) == len(again) and all(map(same, value, again))
    if isinstance(value, dict) and isinstance(again, dict):
        return value.keys() == again.keys() and all(same(item, again[key]) for key, item in value.items())
    return False


def _is_same_instant(value: datetime.datetime, again: datetime.datetime) -> bool:
    """Judged without a sum, which could leave the years that there are."""
    ahead, behind = value.utcoffset(), again.utcoffset()
    if ahead is None or behind is None:
        return False
    return value.replace(tzinfo=None) - again.replace(tzinfo=None) == ahead - behind


def differences(value: object, again: object, path: str = "") -> tuple[Issue, ...]:
    """The places where ``value`` and what came back of it are not equal: a type that JSON gives back as another."""
    if type(value) is type(again):
        if is_dataclass(value):
            pairs = [(wire, item, getattr(again, name)) for name, wire, item in members(value)]
        elif isinstance(value, list) and isinstance(again, list) and len(value) == len(again):
            pairs = [(str(n), left, right) for n, (left, right) in enumerate(zip(value, again, strict=True))]
        elif isinstance(value, dict) and isinstance(again, dict) and value.keys() == again.keys():
            pairs = [(key, item, again[key]) for key, item in value.items()]
        else:
            pairs = []
        inside = [(key, left, right) for key, left, right in pairs if not same(left, right)]
        if inside:
            return tuple(i for key, left, right in inside for i in differences(left, right, faults.below(path, key)))
    other = "another one" if type(value) is type(again) else of_class(again)
    message = f"is {of_class(value)}, which JSON would give back as {other}"
    return (Issue(path, "invalid_type", message, actual=type(value).__name__),)
