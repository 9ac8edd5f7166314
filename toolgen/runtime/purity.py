"""Whether a mapping that a caller parsed holds nothing but JSON."""

from __future__ import annotations

import marshal
from typing import Any

from toolgen.runtime.jsontext import MAX_DEPTH

PLAIN = frozenset({int, bool, type(None)})
"""The types of scalars of which every value is plain."""

_TEXT = frozenset({str})
MOST_CONTAINED = 100_000
"""Containers in a mapping, or items where only containers are looked at, above which it is left to the careful lane."""


def is_plain(value: dict[Any, Any]) -> bool:
    """Whether writing a dict as JSON and reading it again changes nothing, within the depth that JSON may have.

    Not plain are sets, dates, enum members, subclasses (of a key's type too), numbers that are not finite and halves of
    surrogate pairs, all of which msgspec would take for something else or hand on, and a dict that holds one container
    so often that its size in JSON is out of proportion.
    """
    level: list[Any] = [value]
    seen = 0
    for _ in range(MAX_DEPTH):
        below: list[Any] = []
        keys: list[Any] = []
        for container in level:
            items = container
            if type(container) is dict:
                keys += container
                items = container.values()
            for item in items:
                kind = type(item)
                if kind is str:
                    if not item.isascii() and not _is_whole(item):
                        return False
                elif kind is dict or kind is list:
                    below.append(item)
                elif kind not in PLAIN and (
                    kind is not float or item - item != 0.0
                ):  # NaN and the infinities leave NaN
                    return False
        if not _are_whole(keys):
            return False
        if not below:
            return True
        seen += len(below)
        if seen > MOST_CONTAINED:
            return False
        level = below
    return False


def is_surely_plain(value: dict[Any, Any]) -> bool:
    """A quick way to tell that a dict is plain, of one whose containers are known to be dicts and lists, not too many.

    ``marshal`` writes objects of Python's own types alone, and refuses what is of a subclass. In what it writes, each
    half of a surrogate pair and each float that is not finite has one of a few bytes, which others seldom have: False
    says that it cannot be told so.
    """
    try:
        written = marshal.dumps(value)
    except ValueError:
        return False
    return not (0xED in written or 0x7F in written or 0xFF in written)


def _are_whole(keys: list[Any]) -> bool:
    """Whether keys are texts of whole characters, and none is of a class of the caller's."""
    if not _TEXT.issuperset(map(type, keys)):
        return False
    joined = "".join(keys)
    return joined.isascii() or _is_whole(joined)


def _is_whole(text: str) -> bool:
    """Whether a text is of whole characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
