"""Texts that match a pattern, the same ones on every run and every Python version.

A small reader of the design language's pattern dialect, and a walk over what it read that is steered by plain counting.
Every text is checked against the pattern itself before it is given out, so the walk may be naive about anchors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, islice
from typing import TypeAlias

from toolgen.runtime import patterns

_MAX_REPEAT = 1_000_000
_TRIES = 400
_PRINTABLE = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-. /:@#+,;!?$%&*()[]{}=<>|~^'\"`\\\té€😀"


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of these."""

    choices: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """One part after another; also an anchor, as a sequence of nothing."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of these."""

    arms: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part, ``low`` to ``high`` times."""

    part: Part
    low: int
    high: int


Part: TypeAlias = "Chars | Sequence | Either | Repeat"


class _Kept:
    """What an iterator gives, for any number of readers, each of whom begins at the start."""

    def __init__(self, more: Iterator[str]) -> None:
        self._more = more
        self._kept: list[str] = []

    def __iter__(self) -> Iterator[str]:
        for at in count():
            if at == len(self._kept):
                self._kept += islice(self._more, 1)
            if at == len(self._kept):
                return
            yield self._kept[at]


def matching(pattern: str, low: int = 0, high: int | None = None) -> Iterator[str]:
    """Distinct texts of ``low`` to ``high`` code points in which ``pattern`` is found; maybe none.

    The walk gives up after some hundreds of tries: a pattern and lengths that hardly meet give few texts or none. What
    it finds is kept, since one schema asks for it again and again.
    """
    return iter(_kept(pattern, low, high))


@lru_cache(maxsize=256)
def _kept(pattern: str, low: int, high: int | None) -> _Kept:
    return _Kept(_walked(pattern, low, high))


def _walked(pattern: str, low: int, high: int | None) -> Iterator[str]:
    search = re.compile(patterns.to_python(pattern)).search
    part = _Reader(pattern).read()
    seen: set[str] = set()
    for turn in range(_TRIES):
        for text in _fitted(_Walk(turn, low).text(part), low, high):
            if text not in seen and low <= len(text) <= (len(text) if high is None else high) and search(text):
                seen.add(text)
                yield text


def not_matching(pattern: str, low: int = 0, high: int | None = None) -> Iterator[str]:
    """Distinct texts of ``low`` to ``high`` code points in which ``pattern`` is not found; maybe none.

    Near misses first: a matching text with a newline after it, a character more, one less, one other.
    """
    search = re.compile(patterns.to_python(pattern)).search
    seen: set[str] = set()
    for text in (
        *_near_misses(islice(matching(pattern, low, high), 2)),
        "",
        "~",
        "a",
        "0",
        "~" * low,
        "a" * low,
        "0" * low,
    ):
        if text not in seen and low <= len(text) <= (len(text) if high is None else high) and not search(text):
            seen.add(text)
            yield text


def _near_misses(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from (text + "\n", "~" + text, text + "~", text[:-1], text[1:], text.swapcase(), text.replace("-", "_"))
        for index in range(min(len(text), 12)):
            yield text[:index] + "~" + text[index + 1 :]
            yield text[:index] + "é" + text[index + 1 :]


def _fitted(text: str, low: int, high: int | None) -> Iterator[str]:
    """The text, and where it is too short, the text with something around it (a pattern is searched, not anchored)."""
    yield text
    if len(text) < low:
        filler = "a" * (low - len(text))
        yield text + filler
        yield filler + text
        yield text + "0" * (low - len(text))
    elif high is not None and len(text) > high:
        yield text[:high]


class _Walk:
    """One way through a pattern: ``turn`` decides every choice, by counting."""

    def __init__(self, turn: int, low: int) -> None:
        self._state = turn
        self._more = turn % 8 if turn < 64 else max(0, low - turn % 16)

    def _pick(self, count: int) -> int:
        """The next digit of the turn, in base ``count``; zero when its digits are used up."""
        self._state, digit = divmod(self._state, count)
        return digit

    def text(self, part: Part) -> str:
        match part:
            case Chars(choices):
                return choices[self._pick(len(choices))] if choices else ""
            case Sequence(parts):
                return "".join(map(self.text, parts))
            case Either(arms):
                return self.text(arms[self._pick(len(arms))])
            case Repeat(inner, low, high):
                more = min(self._more, high - low)
                self._more -= more
                return "".join(self.text(inner) for _ in range(low + more))


_CLASSES = {
    "d": "0123456789",
    "w": "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_",
    "s": " \t\n",
}
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "0": "\0"}


def _except(chars: str) -> str:
    return "".join(c for c in _PRINTABLE if c not in chars)


class _Reader:
    """Reads the pattern dialect: alternation, groups, classes, escapes, quantifiers and anchors."""

    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0

    def read(self) -> Part:
        arms = [self._sequence()]
        while self._take("|"):
            arms.append(self._sequence())
        return arms[0] if len(arms) == 1 else Either(tuple(arms))

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _next(self) -> str:
        self._at += 1
        return self._text[self._at - 1 : self._at]

    def _take(self, text: str) -> bool:
        found = self._text.startswith(text, self._at)
        self._at += len(text) if found else 0
        return found

    def _sequence(self) -> Part:
        parts = []
        while self._peek() not in ("", "|", ")"):
            parts.append(self._quantified(self._atom()))
        return Sequence(tuple(parts))

    def _atom(self) -> Part:
        char = self._next()
        if char == "(":
            if not self._take("?:") and self._take("?<"):
                self._at = self._text.index(">", self._at) + 1
            inner = self.read()
            self._take(")")
            return inner
        if char == "[":
            return Chars(self._class())
        if char == "\\":
            return Sequence(()) if self._peek() in ("b", "B") and self._next() else Chars(self._escape())
        if char == ".":
            return Chars(_except("\n"))
        return Sequence(()) if char in ("^", "$") else Chars(char)

    def _quantified(self, part: Part) -> Part:
        for sign, low, high in (("*", 0, _MAX_REPEAT), ("+", 1, _MAX_REPEAT), ("?", 0, 1)):
            if self._take(sign):
                self._take("?")
                return Repeat(part, low, high)
        bounds = re.compile(r"\{(\d+)(,?)(\d*)\}\??").match(self._text, self._at)
        if bounds is None:
            return part
        self._at = bounds.end()
        least, comma, most = bounds.groups()
        return Repeat(part, int(least), int(most) if most else _MAX_REPEAT if comma else int(least))

    def _escape(self) -> str:
        char = self._next()
        if char.lower() in _CLASSES:
            return _CLASSES[char] if char in _CLASSES else _except(_CLASSES[char.lower()])
        if char == "u" and self._take("{"):
            end = self._text.index("}", self._at)
            code, self._at = self._text[self._at : end], end + 1
            return chr(int(code, 16))
        if char in "xu":
            width = 2 if char == "x" else 4
            code, self._at = self._text[self._at : self._at + width], self._at + width
            return chr(int(code, 16))
        if char == "c":
            return chr(ord(self._next()) % 32)
        return _CONTROLS.get(char, char)

    def _class(self) -> str:
        negated = self._take("^")
        found: list[str] = []
        while self._peek() not in ("]", ""):
            first = self._member()
            if self._peek() == "-" and self._text[self._at + 1 : self._at + 2] not in ("]", "") and len(first) == 1:
                self._next()
                last = self._member()
                found.append("".join(map(chr, range(ord(first), min(ord(last), ord(first) + 255) + 1))))
            else:
                found.append(first)
        self._next()
        chars = "".join(dict.fromkeys("".join(found)))
        return _except(chars) if negated else "".join(c for c in chars if not "\ud800" <= c <= "\udfff")

    def _member(self) -> str:
        char = self._next()
        if char != "\\":
            return char
        return "\b" if self._take("b") else self._escape()
