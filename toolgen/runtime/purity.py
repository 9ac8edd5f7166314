"""Whether a mapping that a caller parsed holds nothing but JSON."""

from __future__ import annotations

from typing import Any

import msgspec

_SCALARS = frozenset({str, int, float, bool, type(None)})
_CONTAINERS = frozenset({dict, list})
_TYPES = _SCALARS | _CONTAINERS
_KEYS = frozenset({str})
_MAX_DEPTH = 100
_MOST_CONTAINERS = 100_000

_encode = msgspec.json.Encoder().encode


def is_plain(value: dict[Any, Any]) -> bool:
    """Whether a dict is what a JSON parser could have made, within the depth that one may have.

    msgspec would also take sets, dates, enum members and subclasses from a mapping, none of which JSON can hold.
    NaN is left to the bounds of the body. The types of a whole container are gathered without a Python loop. A dict
    that holds one container so often that its size in JSON is out of proportion is not plain either.
    """
    level: list[Any] = [value]
    seen = 0
    for _ in range(_MAX_DEPTH):
        below: list[Any] = []
        for container in level:
            if container.__class__ is dict:
                if not _KEYS.issuperset(map(type, container)):
                    return False
                container = container.values()
            kinds = set(map(type, container))
            if not kinds <= _SCALARS:
                if not kinds <= _TYPES:
                    return False
                below += [item for item in container if type(item) in _CONTAINERS]
        if not below:
            return _has_no_surrogate(value)
        seen += len(below)
        if seen > _MOST_CONTAINERS:
            return False
        level = below
    return False


def _has_no_surrogate(value: object) -> bool:
    """Whether all text can be written as UTF-8; writing it is the quickest way to see."""
    try:
        _encode(value)
    except (UnicodeEncodeError, RecursionError):
        return False
    return True
