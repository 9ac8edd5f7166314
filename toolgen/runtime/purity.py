"""Whether a mapping that a caller parsed holds nothing but JSON."""

from __future__ import annotations

from typing import Any

from toolgen.runtime.jsontext import MAX_DEPTH

_PLAIN = frozenset({int, bool, type(None)})
_MOST_CONTAINERS = 100_000


def is_plain(value: dict[Any, Any]) -> bool:
    """Whether writing a dict as JSON and reading it again changes nothing, within the depth that JSON may have.

    Not plain are sets, dates, enum members, subclasses (of a key's type too), numbers that are not finite and halves of
    surrogate pairs, all of which msgspec would take for something else or hand on, and a dict that holds one container
    so often that its size in JSON is out of proportion.
    """
    level: list[Any] = []
    if not _gather(value, value.values(), level):
        return False
    if not level:
        return True
    seen = 0
    for _ in range(MAX_DEPTH - 1):
        below: list[Any] = []
        for container in level:
            if type(container) is list:
                plain = _gather((), container, below)
            else:
                plain = _gather(container, container.values(), below)
            if not plain:
                return False
        if not below:
            return True
        seen += len(below)
        if seen > _MOST_CONTAINERS:
            return False
        level = below
    return False


def _gather(keys: Any, values: Any, below: list[Any]) -> bool:
    """Whether a container's keys are text and its scalars plain; the containers in it go to ``below``."""
    for key in keys:
        if type(key) is not str or not (key.isascii() or _is_whole(key)):
            return False
    for item in values:
        kind = type(item)
        if kind is str:
            if item.isascii() or _is_whole(item):
                continue
            return False
        if kind in _PLAIN:
            continue
        if kind is dict or kind is list:
            below.append(item)
        elif kind is not float or item - item != 0.0:  # NaN and the infinities leave NaN
            return False
    return True


def _is_whole(text: str) -> bool:
    """Whether a text is of whole characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
