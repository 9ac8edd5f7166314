"""The text of one statement → its words and brackets, which a printer lays out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias


class Unsure(Exception):
    """Black may lay this text out in a way that is not known here."""


class Group:
    """A pair of brackets and the items in it.

    ``comma`` is whether a comma stands before the closing bracket; ``is_open`` whether that says to have one item a
    line, as it does but in a tuple of one item.
    """

    __slots__ = ("_flat", "closing", "comma", "holds_open", "is_display", "is_open", "items", "opening")

    def __init__(self, opening: str, items: list[Line], *, comma: bool, is_display: bool) -> None:
        self.opening = opening
        self.closing = _PAIRS[opening]
        self.items = items
        self.comma = comma
        self.is_display = is_display
        self.is_open: bool = comma and not (opening == "(" and is_display and len(items) == 1)
        self.holds_open: bool = self.is_open or True in [item.is_open for item in items]
        self._flat: str | None = None

    @property
    def flat(self) -> str:
        """The text on one line."""
        if self._flat is None:
            last = "," if self.comma and not self.is_open else ""
            self._flat = f"{self.opening}{', '.join([item.flat for item in self.items])}{last}{self.closing}"
        return self._flat


Part: TypeAlias = "str | Group"


class Line:
    """Words and brackets in a row; ``spaces`` says of each whether a space stands before it."""

    __slots__ = ("_flat", "is_open", "parts", "spaces")

    def __init__(self, parts: list[Part], spaces: list[bool]) -> None:
        self.parts = parts
        self.spaces = spaces
        if spaces:
            spaces[0] = False
        self.is_open: bool = True in [part.holds_open for part in parts if isinstance(part, Group)]
        self._flat: str | None = None

    @property
    def flat(self) -> str:
        """The text on one line."""
        if self._flat is None:
            texts = [part if isinstance(part, str) else part.flat for part in self.parts]
            self._flat = "".join(
                [f" {text}" if space else text for text, space in zip(texts, self.spaces, strict=True)]
            )
        return self._flat

    def cut(self, start: int, end: int | None = None) -> Line:
        return Line(self.parts[start:end], self.spaces[start:end])

    def then(self, parts: list[Part], spaces: list[bool]) -> Line:
        """This line with more behind it."""
        return Line([*self.parts, *parts], [*self.spaces, *spaces])

    def index(self, *words: str) -> int | None:
        """Where the first of these words stands, outside brackets."""
        return next((i for i, part in enumerate(self.parts) if isinstance(part, str) and part in words), None)

    def last_group(self) -> int | None:
        return next((i for i in range(len(self.parts) - 1, -1, -1) if isinstance(self.parts[i], Group)), None)


_TOKEN = re.compile(
    r'(\s*)(b?"(?:[^"\\\n]|\\.)*"|b?\'(?:[^\'\\\n]|\\.)*\''
    r"|[()\[\]{},]|\w+=(?![=\s])|:|[^\s()\[\]{},\"':#]+)"
)
"""White space, and a string, bracket, comma, ``keyword=``, colon or word behind it."""

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(_PAIRS.values())
_VALUE_WORDS = frozenset(
    {"return", "in", "is", "if", "else", "and", "or", "not", "lambda", "=", "|", "->", "for", "=="}
)


def parsed(text: str) -> Line:
    """The words and brackets of a statement. Raises Unsure."""
    tokens = _TOKEN.findall(text)
    if sum([len(space) + len(token) for space, token in tokens]) != len(text):
        raise Unsure
    line, end = _line(tokens, 0)
    if end != len(tokens):
        raise Unsure
    return line


_Tokens: TypeAlias = "Sequence[tuple[str, str]]"
"""The white space before each token, and the token."""


def _line(tokens: _Tokens, at: int) -> tuple[Line, int]:
    """The line that starts at a token, up to a comma or a closing bracket."""
    parts: list[Part] = []
    spaces: list[bool] = []
    while at < len(tokens):
        space, token = tokens[at]
        if token in _CLOSING or (token == "," and not _in_targets(parts)):
            break
        spaces.append(bool(space))
        if token in _PAIRS:
            group, at = _group(tokens, at, _is_display(parts, bool(space)))
            parts.append(group)
        else:
            parts.append(token)
            at += 1
    return Line(parts, spaces), at


def _in_targets(parts: Sequence[Part]) -> bool:
    """Whether the names of a comprehension are being listed: a comma there ends no item."""
    return "for" in parts and "in" not in parts[parts.index("for") :]


def _group(tokens: _Tokens, at: int, is_display: bool) -> tuple[Group, int]:
    opening = tokens[at][1]
    items: list[Line] = []
    comma = False
    at += 1
    while at < len(tokens):
        if tokens[at][1] in _CLOSING:
            if tokens[at][1] != _PAIRS[opening]:
                raise Unsure
            return Group(opening, items, comma=comma, is_display=is_display), at + 1
        item, at = _line(tokens, at)
        if not item.parts:
            raise Unsure
        items.append(item)
        comma = at < len(tokens) and tokens[at][1] == ","
        at += comma
    raise Unsure


def _is_display(parts: Sequence[Part], space: bool) -> bool:
    """Whether a bracket makes a list, dict or tuple, rather than call or index what stands before it."""
    if not parts:
        return True
    before = parts[-1]
    if isinstance(before, Group):
        return False
    return space or before in _VALUE_WORDS or before.endswith("=") or before == ":"
