"""The payload of a submit in places where models put it: in a string, or in the reasoning.

Nothing is repaired. A payload is taken only where one whole JSON object stands, followed by nothing but what a model
closes too much of. Each text is tried at one place, so the work is linear in its length.
"""

from __future__ import annotations

import re
from typing import Any, Literal, NamedTuple

from toolgen.runtime import jsontext
from toolgen.runtime.faults import below
from toolgen.runtime.issues import Mend

_SPACE = re.compile(r"[ \t\n\r\f\v]*+")
# A thousand at a time: one by one takes long, and all at once much memory.
_CLOSING = re.compile(r"(?:[ \t\n\r\f\v}\]]++|</[A-Za-z0-9_]++>){1,1000}+")


_CLOSING_BACKWARDS = re.compile(r"(?:[ \t\n\r\f\v]*+>[A-Za-z0-9_]++/<){1,1000}+")


class Recovered(NamedTuple):
    """An object that stood in a text, what was mended to read it, and where in the text it begins and ends.

    ``spurious`` is whether anything but white space stands behind it.
    """

    value: dict[str, Any]
    mended: tuple[Mend, ...]
    begins: int
    ends: int
    spurious: bool

    @property
    def notes(self) -> tuple[str, ...]:
        """What was mended, and what was passed over."""
        spurious = ("closing brackets or tags after the object",) if self.spurious else ()
        return (*(note.what for note in self.mended), *spurious)


class Place(NamedTuple):
    """Where in a reasoning the payload seems to stand: what tells it, where that begins, and where the payload does."""

    kind: Literal["opener", "member"]
    begins: int
    payload: int


def object_at(text: str, start: int = 0) -> Recovered | None:
    """The one JSON object that stands in a text from ``start`` on; None where there is none, or anything beside it.

    It may have white space around it, and after it spurious ``}`` and ``]`` and closing tags (``</name>``).
    """
    start = _end(_SPACE, text, start)
    if not text.startswith("{", start):
        return None
    try:
        parsed, end = jsontext.parse_at(text, start, lenient=True)
    except (ValueError, RecursionError):
        return None
    rest = end
    while rest < len(text):
        closing = _CLOSING.match(text, rest)
        if closing is None:
            return None
        rest = closing.end()
    return Recovered(parsed.value, parsed.notes, start, end, bool(text[end:].strip()))


def place_in(reasoning: str, payload: str) -> Place | None:
    """Where a reasoning holds the payload: behind ``<parameter name="PAYLOAD">``, else as ``"PAYLOAD": {``.

    The first opener counts, or where there is none the first member, and no other: a later one may stand inside a
    payload that was cut off. A member whose text holds the object (``"PAYLOAD": "{``) counts last: it is not read, and
    the place is where the model is told that its payload went.
    """
    opener = f'<parameter name="{payload}">'
    found = reasoning.find(opener)
    if found >= 0:
        return Place("opener", found, found + len(opener))
    for value in (r"(?=\{)", r'(?="[ \t\n\r]*+\{)'):
        member = re.search(rf'"{re.escape(payload)}"[ \t\n\r]*+:[ \t\n\r]*+{value}', reasoning)
        if member is not None:
            return Place("member", member.start(), member.end())
    return None


def prose(text: str) -> str:
    """What stands before an opener, without the closing tags that it ends with: those are what went wrong there."""
    backwards = text[::-1]
    cut = 0
    while closing := _CLOSING_BACKWARDS.match(backwards, cut):
        cut = closing.end()
    return text[: len(text) - cut]


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return start if found is None else found.end()


def mends(payload: str, what: tuple[str, ...]) -> tuple[Mend, ...]:
    """Notes of what was passed over, at the payload."""
    return tuple(Mend(below("", payload), note) for note in what)
