"""Words for people and models: short quotations of values, and near matches for misspelt names.

Whatever is quoted here comes from an input that nobody has vouched for. A quotation is one line, short, and shows no
character that could hide or reorder others.
"""

from __future__ import annotations

import functools
import json
import math
import re
from typing import Any, NamedTuple

SHORT = 60
"""Most code points of a quoted value."""

_json = json.JSONEncoder(ensure_ascii=False).encode

_LONGEST_NAME = 64
_MOST_NAMES = 200


def printable(text: str) -> str:
    """The text with each character that does not print (line ends, controls, bidi marks, surrogates) escaped."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(char: str) -> str:
    code = ord(char)
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(char) or (
        f"\\u{code:04x}" if code < 0x10000 else f"\\u{{{code:x}}}"
    )


def cut(text: str, most: int) -> str:
    """The text, or its first ``most`` code points and an ellipsis."""
    return text if len(text) <= most else text[:most] + "…"


def one_line(text: str, most: int) -> str:
    """Prose on one line: runs of white space become one space, other unprintable characters are escaped."""
    # What is cut off is not looked at: a page of text costs no more than its beginning.
    return cut(printable(" ".join(text[: 4 * most].split())), most)


_LINK = re.compile(
    r"\[([^\[\]]*)\]\((?:[a-zA-Z][a-zA-Z0-9+.-]{0,20}:|www\.)[^\s()]*\)"  # as Markdown has it
    r"|(?:[a-zA-Z][a-zA-Z0-9+.-]{0,20}://|\bwww\.|\bmailto:)[^\s<>\"'`]*[^\s<>\"'`.,;:!?()\[\]{}]"
)


def _may_link(text: str) -> bool:
    """Whether a text holds a sign of a link: a quick look, which rules out most texts."""
    return "://" in text or "www." in text or "mailto:" in text or "](" in text


def prose(text: str, most: int) -> str:
    """As ``one_line``, with ``(a link)`` in the place of each URL: a model that reads on its own follows links."""
    text = text[: 4 * most]
    if _may_link(text):
        text = _LINK.sub(lambda found: found[1] or "(a link)", text)
    return one_line(text, most)


def found(value: object) -> str:
    """As ``quote``, of what an input holds: of a URL the scheme alone."""
    if not isinstance(value, str):
        return quote(value)
    head = value[: 4 * SHORT]
    if _may_link(head):
        head = _LINK.sub(lambda link: f"{link[0].partition(':')[0]}:…" if ":" in link[0] else "www.…", head)
    return quote(head if len(value) <= 4 * SHORT or len(head) > SHORT else f"{head}…")


def shortened(value: Any) -> Any:
    """A JSON value whose long texts and numbers are cut."""
    if isinstance(value, str):
        return cut(value, SHORT)
    if isinstance(value, dict):
        return {key: shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shortened(item) for item in value]
    return quote(value) if isinstance(value, int) and value.bit_length() > 200 else value


def quote(value: object) -> str:
    """A JSON value in short: scalars as JSON text (long ones cut), arrays and objects by their size."""
    if isinstance(value, str):
        return printable(_json(cut(value, SHORT)))
    if value is None or isinstance(value, bool):
        return _json(value)
    if isinstance(value, int):
        return str(value) if value.bit_length() <= 200 else f"a whole number of {value.bit_length()} bits"
    if isinstance(value, float):
        return cut(getattr(value, "text", None) or _float_text(value), SHORT)
    if isinstance(value, dict):
        return f"an object with {count(len(value), 'key')}"
    if isinstance(value, list):
        return f"an array of {count(len(value), 'item')}"
    return "a value that JSON has no type for"


def _float_text(value: float) -> str:
    if math.isnan(value):
        return "not a number"
    if math.isinf(value):
        return "infinity" if value > 0 else "minus infinity"
    return repr(value)


def json_text(text: str) -> str:
    """The text as JSON: in quotation marks, with what they can't hold escaped."""
    return _json(text)


def count(number: int, noun: str) -> str:
    """``1 key``, ``2 keys``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listing(values: tuple[object, ...], most: int = 20) -> str:
    """The values quoted, with commas; beyond ``most`` of them, how many more there are."""
    shown = values[:most]
    if all(isinstance(value, str) for value in shown):
        return _listing(shown, len(values) - most)
    return _written(shown, len(values) - most)


def _written(values: tuple[object, ...], more: int) -> str:
    shown = ", ".join(map(quote, values))
    return f"{shown} and {more} more" if more > 0 else shown


_listing = functools.lru_cache(maxsize=256)(_written)  # names and words come from schemas, of which there are few


def near(word: str, names: tuple[str, ...]) -> str | None:
    """The name that ``word`` was most likely meant to be, or None.

    Equal but for case and separators counts first, then an edit distance of at most a third of the word's length; and
    last of all the same for what stands behind a prefix, as in ``functions.search``. The work is bounded whatever the
    word and however many the names.
    """
    if not word or len(word) > _LONGEST_NAME:
        return None
    parts = _PREFIX.split(word)
    return _near(word, names) or (_near(parts[-1], names) if len(parts) > 1 and parts[-1] else None)


_PREFIX = re.compile(r"[./:]|__")


def _near(word: str, names: tuple[str, ...]) -> str | None:
    candidates, by_plain = _candidates(names)
    folded = word.casefold()
    plain = _plain(folded)
    if plain and plain in by_plain:
        return by_plain[plain]
    length = len(folded)
    chars = frozenset(folded)
    most = max(1, len(word) // 3)
    best: str | None = None
    for name, other, other_length, other_chars in candidates:
        # Each character that only one of them has takes an edit of its own: most names are ruled out by that alone.
        if not -most <= length - other_length <= most or (most >= length and most >= other_length):
            continue
        if len(chars - other_chars) > most or len(other_chars - chars) > most:
            continue
        distance = edit_distance(folded, other, most)
        if distance is not None:
            best, most = name, distance - 1
            if most <= 0:
                break
    return best


class _Candidate(NamedTuple):
    name: str
    folded: str
    length: int
    chars: frozenset[str]


@functools.lru_cache(maxsize=256)  # names come from schemas, of which there are few
def _candidates(names: tuple[str, ...]) -> tuple[tuple[_Candidate, ...], dict[str, str]]:
    """The names that a word may be meant to be, and the first of them by what is left without case and separators."""
    short = [name for name in names[:_MOST_NAMES] if len(name) <= _LONGEST_NAME]
    folded = [(name, name.casefold()) for name in short]
    candidates = tuple(_Candidate(name, other, len(other), frozenset(other)) for name, other in folded)
    return candidates, {_plain(other): name for name, other in reversed(folded)}


def _plain(folded: str) -> str:
    return folded if folded.isalnum() else "".join(filter(str.isalnum, folded))


def edit_distance(left: str, right: str, most: int) -> int | None:
    """Number of insertions, deletions, replacements and swaps of neighbours between two texts; None beyond ``most``."""
    if abs(len(left) - len(right)) > most:
        return None
    left, right = _without_common_ends(left, right)
    if not left or not right:
        distance = len(left) + len(right)
        return distance if distance <= most else None
    before, previous, row = [0], [0], list(range(len(right) + 1))
    for i, char in enumerate(left, 1):
        before, previous, row = previous, row, [i]
        for j, other in enumerate(right, 1):
            cost = min(previous[j] + 1, row[-1] + 1, previous[j - 1] + (char != other))
            if i > 1 and j > 1 and char == right[j - 2] and left[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None


def _without_common_ends(left: str, right: str) -> tuple[str, str]:
    start = 0
    while start < min(len(left), len(right)) and left[start] == right[start]:
        start += 1
    left, right = left[start:], right[start:]
    while left and right and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    return left, right
