"""Whether a mapping that a caller parsed holds nothing but JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_SCALARS = frozenset({str, int, float, bool, type(None)})
_CONTAINERS = frozenset({dict, list})
_KEYS = frozenset({str})
_MAX_DEPTH = 100


def is_plain(value: Any, depth: int = 1) -> bool:
    """Whether ``value`` (a dict or list) is what a JSON parser could have made, within the depth that one may have.

    msgspec would also take sets, dates, enum members and subclasses from a mapping, none of which JSON can hold.
    NaN is left to the bounds of the body. The types of a whole container are gathered without a Python loop.
    """
    if type(value) is dict:
        if not set(map(type, value)) <= _KEYS or not _encodes(value):
            return False
        values = value.values()
    else:
        values = value
    types = set(map(type, values))
    if str in types and not _encodes(item for item in values if type(item) is str):
        return False
    if types <= _SCALARS:
        return True
    if not types <= _SCALARS | _CONTAINERS or depth == _MAX_DEPTH:
        return False
    return all(is_plain(item, depth + 1) for item in values if type(item) in _CONTAINERS)


def _encodes(texts: Iterable[str]) -> bool:
    """Whether no text holds a lone surrogate."""
    try:
        "".join(texts).encode()
    except UnicodeEncodeError:
        return False
    return True
