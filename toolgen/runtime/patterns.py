"""Patterns of designs: one meaning everywhere, and no text that takes a search of one by surprise.

A pattern is searched for, not anchored; ``$`` is the very end of the text; ``\\d``, ``\\w`` and ``\\b`` are ASCII,
``\\s`` is ECMA-262's white space and ``.`` is anything but its line ends. The dialect is in ``regexsyntax``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Final, Protocol

from toolgen.runtime.automaton import Positions, TooIntricate
from toolgen.runtime.matcher import Matcher
from toolgen.runtime.regexsyntax import (
    LAST,
    Chars,
    Edge,
    Either,
    Pattern,
    PatternError,
    Ranges,
    Repeat,
    Sequence,
    complement,
    parse,
)

__all__ = ["PatternError", "Searcher", "check", "compile", "is_linear", "to_python"]

_LONGEST_TRIAL: Final = 64
_MOST_PATHS: Final = 64


class Searcher(Protocol):
    """A compiled pattern."""

    def search(self, text: str, /) -> bool:
        """Whether the pattern matches somewhere in the text, in time linear in its length."""
        ...


def check(pattern: str) -> None:
    """Sees to it that a pattern is of the dialect and takes no exponential time in any engine.

    Raises:
        PatternError: it is not, with the reason and a mend.
    """
    tree = parse(pattern)
    if any(isinstance(part, Chars) and not part.ranges for part in _all(tree)):
        raise PatternError("a class in the pattern has no character", "name the characters that it is to match")
    Matcher(tree)
    try:
        exponential = Positions(tree, _is_long).is_exponential() or any(
            _may_be_empty(repeat.item) or Positions(Repeat(repeat.item, 0, None), _is_long).is_exponential()
            for repeat in _many(tree, 1)
        )
    except TooIntricate:
        raise PatternError("the pattern is too intricate to be judged", "lower its counts or split it") from None
    if exponential:
        raise PatternError(
            "the pattern can take exponential time: a repeated part can match one text in several ways",
            "let each repeat begin or end with a character that the rest of it can't match, as in (?:a+,)+",
        )


def _is_long(repeat: Repeat) -> bool:
    """Counts so high on one character that the automaton is drawn without them."""
    return isinstance(repeat.item, Chars) and (repeat.most or 0) > _LONGEST_TRIAL


def _many(tree: Pattern, outer: int) -> Iterator[Repeat]:
    """Counted repeats that multiply the ways of what they repeat beyond measure, though their bound keeps it finite."""
    if isinstance(tree, Repeat):
        times = outer * max(1, tree.most or 1)
        if tree.most is not None and times > (10 if _longest(tree.item) is not None else 3):
            yield tree
        yield from _many(tree.item, times)
    for inner in _inner(tree):
        yield from _many(inner, outer)


def _inner(tree: Pattern) -> tuple[Pattern, ...]:
    if isinstance(tree, Sequence):
        return tree.items
    return tree.options if isinstance(tree, Either) else ()


def _longest(tree: Pattern) -> int | None:
    """Most characters that a match can have; None where there is no bound."""
    if isinstance(tree, Chars):
        return 1
    if isinstance(tree, Edge):
        return 0
    if isinstance(tree, Repeat):
        longest = _longest(tree.item)
        if longest == 0 or tree.most == 0:
            return 0
        return None if longest is None or tree.most is None else longest * tree.most
    lengths = [_longest(inner) for inner in _inner(tree)]
    bounded = [length for length in lengths if length is not None]
    if len(bounded) < len(lengths):
        return None
    return sum(bounded) if isinstance(tree, Sequence) else max(bounded)


@functools.lru_cache(maxsize=1024)
def is_linear(pattern: str) -> bool:
    """Whether Python's ``re`` searches for the pattern in time linear in the text, however unlucky the text.

    A "no" may be wrong, a "yes" never.

    Raises:
        PatternError: the pattern is outside the dialect.
    """
    tree = parse(pattern)
    if any(isinstance(repeat, Repeat) and _may_be_empty(repeat.item) for repeat in _all(tree)):
        return False
    try:
        if Positions(tree, _is_loose).most_paths(_MOST_PATHS) is None:
            return False
    except TooIntricate:
        return False
    return _is_anchored(tree) or _fails_soon(tree)


def _is_loose(repeat: Repeat) -> bool:
    return _is_long(repeat) or (repeat.most is not None and repeat.most > 3 and repeat.least != repeat.most)


def _all(tree: Pattern) -> Iterator[Pattern]:
    yield tree
    for inner in (tree.item,) if isinstance(tree, Repeat) else _inner(tree):
        yield from _all(inner)


def _may_be_empty(tree: Pattern) -> bool:
    if isinstance(tree, Repeat):
        return tree.least == 0 or _may_be_empty(tree.item)
    if isinstance(tree, Either):
        return any(map(_may_be_empty, tree.options))
    return isinstance(tree, Edge) or (isinstance(tree, Sequence) and all(map(_may_be_empty, tree.items)))


def _is_anchored(tree: Pattern) -> bool:
    """Whether every match begins at the start of the text."""
    if isinstance(tree, Either):
        return all(map(_is_anchored, tree.options))
    if isinstance(tree, Sequence):
        return bool(tree.items) and _is_anchored(tree.items[0])
    return isinstance(tree, Edge) and tree.kind == "^"


def _fails_soon(tree: Pattern) -> bool:
    """Whether a trial at any place of the text has failed, or is sure to succeed, within a few characters."""
    items = tree.items if isinstance(tree, Sequence) else (tree,)
    while items and isinstance(items[-1], Repeat) and items[-1].most is None and items[-1].least == 0:
        items = items[:-1]
    if items and isinstance(items[-1], Repeat) and items[-1].most is None and items[-1].least == 1:
        items = (*items[:-1], items[-1].item)
    longest = _longest(Sequence(items))
    return longest is not None and longest <= _LONGEST_TRIAL


class _Backtracking:
    def __init__(self, pattern: str) -> None:
        self._search = re.compile(to_python(pattern)).search

    def search(self, text: str, /) -> bool:
        return self._search(text) is not None


@functools.lru_cache(maxsize=1024)
def compile(pattern: str) -> Searcher:
    """The pattern, ready to search: with Python's ``re`` where that is linear, else all paths at once.

    Raises:
        PatternError: the pattern is outside the dialect.
    """
    return _Backtracking(pattern) if is_linear(pattern) else Matcher(parse(pattern))


# --- Python's spelling ---------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=1024)
def to_python(pattern: str) -> str:
    """The pattern in the syntax of Python's ``re``, to be searched for without flags.

    Raises:
        PatternError: the pattern is outside the dialect.
    """
    return _spell(parse(pattern))


def _spell(tree: Pattern) -> str:
    if isinstance(tree, Chars):
        return _spell_set(tree.ranges)
    if isinstance(tree, Edge):
        # Before Python 3.14, \B does not match the empty text.
        return {"^": "^", "$": r"\Z", "b": r"(?a:\b)", "B": r"(?!(?a:\b))"}[tree.kind]
    if isinstance(tree, Sequence):
        return "".join(f"(?:{_spell(i)})" if isinstance(i, Either) else _spell(i) for i in tree.items)
    if isinstance(tree, Either):
        return "|".join(_spell(option) for option in tree.options)
    inner = _spell(tree.item)
    if not isinstance(tree.item, Chars):
        inner = f"(?:{inner})"
    return inner + _spell_count(tree) + ("?" if tree.lazy else "")


def _spell_count(repeat: Repeat) -> str:
    least, most = repeat.least, repeat.most
    short = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((least, most))
    if short is not None:
        return short
    return f"{{{least}}}" if least == most else f"{{{least},{'' if most is None else most}}}"


def _spell_set(ranges: Ranges) -> str:
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return _spell_char(ranges[0][0])
    rest = complement(ranges)
    if not rest:
        return r"[\s\S]"
    negated = ranges[-1][1] == LAST
    shown = rest if negated else ranges
    parts = (
        _spell_char(low) + ("" if low == high else _spell_char(high) if high == low + 1 else f"-{_spell_char(high)}")
        for low, high in shown
    )
    return f"[{'^' if negated else ''}{''.join(parts)}]"


def _spell_char(code: int) -> str:
    char = chr(code)
    if char.isascii() and (char.isalnum() or char in "_ ,:;=@%<>!\"'`"):
        return char
    if char.isascii() and char.isprintable():
        return "\\" + char
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
