"""Syntax of patterns: the dialect that ECMA-262 (unicode mode) and linear-time engines share.

Literals, escapes, classes, groups, alternation, ``^``, ``$``, ``\\b`` and greedy or lazy quantifiers, as ECMA-262
section 22.2.1 has them. What looks around or back, names groups, sets flags or repeats more than a thousand times is
refused, each with a way to write it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NoReturn, TypeAlias

from msgspec import Struct

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Code points as ascending ranges that do not touch, both ends included."""

LAST: Final = 0x10FFFF
MOST_REPEATS: Final = 1000
_MOST_GROUPS: Final = 100
_LONGEST: Final = 10_000


class PatternError(ValueError):
    """A pattern outside the dialect: ``reason`` says why, ``mend`` what to write instead."""

    def __init__(self, reason: str, mend: str) -> None:
        super().__init__(f"{reason}; {mend}")
        self.reason = reason
        self.mend = mend


class Chars(Struct, frozen=True):
    """One character out of a set."""

    ranges: Ranges


class Edge(Struct, frozen=True):
    """A place between characters: ``^`` the start, ``$`` the very end, ``b`` a word's edge, ``B`` no word's edge."""

    kind: str


class Sequence(Struct, frozen=True):
    """One after the other."""

    items: tuple[Pattern, ...]


class Either(Struct, frozen=True):
    """One of several."""

    options: tuple[Pattern, ...]


class Repeat(Struct, frozen=True):
    """``least`` to ``most`` times; ``most`` is None where there is no bound."""

    item: Pattern
    least: int
    most: int | None
    lazy: bool = False


Pattern: TypeAlias = "Chars | Edge | Sequence | Either | Repeat"


def union(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """The ranges sorted and merged."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def complement(ranges: Ranges) -> Ranges:
    """All other code points."""
    out: list[tuple[int, int]] = []
    start = 0
    for low, high in ranges:
        if low > start:
            out.append((start, low - 1))
        start = high + 1
    if start <= LAST:
        out.append((start, LAST))
    return tuple(out)


def _of(text: str) -> Ranges:
    return union((ord(char), ord(char)) for char in text)


def _single(ranges: Ranges) -> int | None:
    """The code point of a set of one, else None."""
    (low, _), (_, high) = ranges[0], ranges[-1]
    return low if low == high else None


DIGIT: Final = ((0x30, 0x39),)
WORD: Final = union(((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)))
LINE_END: Final = _of("\n\r\u2028\u2029")
# ECMA-262: WhiteSpace and LineTerminator, with the Space_Separator characters of Unicode.
SPACE: Final = union((*_of("\t\v\f \xa0\ufeff\u1680\u202f\u205f\u3000"), *LINE_END, (0x2000, 0x200A)))

_CLASSES: Final = {
    "d": DIGIT,
    "D": complement(DIGIT),
    "w": WORD,
    "W": complement(WORD),
    "s": SPACE,
    "S": complement(SPACE),
}
_CONTROLS: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v"}
_SYNTAX: Final = frozenset("^$\\.*+?()[]{}|/")
_HEX: Final = frozenset("0123456789abcdefABCDEF")
_DIGITS: Final = frozenset("0123456789")


def parse(pattern: str) -> Pattern:
    """The pattern as a tree.

    Raises:
        PatternError: it is outside the dialect.
    """
    if len(pattern) > _LONGEST:
        raise PatternError(f"the pattern has more than {_LONGEST} characters", "check such a text in the tool")
    reader = _Reader(pattern)
    tree = reader.either(0)
    if reader.more:
        reader.fail("a parenthesis closes that was not opened", r"write \) for the character")
    if _repeats(tree) > MOST_REPEATS:
        reader.fail(f"repeats within repeats come to more than {MOST_REPEATS}", "lower the counts or use * or +")
    return tree


def _repeats(tree: Pattern) -> int:
    """Most times that counted repeats within each other repeat anything."""
    if isinstance(tree, Repeat):
        return max(1, tree.most or tree.least) * _repeats(tree.item)
    if isinstance(tree, (Sequence, Either)):
        return max(map(_repeats, tree.items if isinstance(tree, Sequence) else tree.options), default=1)
    return 1


class _Reader:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0

    @property
    def more(self) -> bool:
        return self.at < len(self.pattern)

    def peek(self, size: int = 1) -> str:
        return self.pattern[self.at : self.at + size]

    def next(self) -> str:
        char = self.peek()
        self.at += 1
        return char

    def skip(self, text: str) -> bool:
        found = self.pattern.startswith(text, self.at)
        if found:
            self.at += len(text)
        return found

    def fail(self, reason: str, mend: str) -> NoReturn:
        raise PatternError(f"{reason}, at position {self.at}", mend)

    # Either: Sequence ("|" Sequence)*
    def either(self, depth: int) -> Pattern:
        if depth > _MOST_GROUPS:
            self.fail(f"groups nest deeper than {_MOST_GROUPS}", "write it flatter")
        options = [self.sequence(depth)]
        while self.skip("|"):
            options.append(self.sequence(depth))
        return options[0] if len(options) == 1 else Either(tuple(options))

    def sequence(self, depth: int) -> Pattern:
        items: list[Pattern] = []
        while self.more and self.peek() not in "|)":
            items.append(self.quantified(depth))
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def quantified(self, depth: int) -> Pattern:
        start = self.at
        atom = self.atom(depth)
        bounds = self.quantifier()
        if bounds is None:
            return atom
        if isinstance(atom, Edge) and self.pattern[start] != "(":
            self.fail("a quantifier follows ^, $ or a word's edge", "leave the quantifier out")
        lazy = self.skip("?")
        if self.peek() in ("*", "+", "?") and self.more:
            self.fail("a quantifier follows a quantifier", "put the first one in a group, or leave one out")
        return Repeat(atom, *bounds, lazy)

    def quantifier(self) -> tuple[int, int | None] | None:
        char = self.peek()
        if char in ("*", "+", "?"):
            self.at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[char]
        return self.counted() if char == "{" else None

    def counted(self) -> tuple[int, int | None]:
        self.at += 1
        least = self.number()
        most: int | None = least
        if self.skip(","):
            most = self.number() if self.peek() in _DIGITS else None
        if least is None or not self.skip("}"):
            self.fail("a brace opens no count such as {2}, {2,} or {2,5}", r"write \{ for the character")
        if most is not None and most < least:
            self.fail("a count ends below its start", "write the smaller number first")
        if max(least, most or 0) > MOST_REPEATS:
            self.fail(f"a count is above {MOST_REPEATS}", "lower it, use * or +, or bound the text's length")
        return least, most

    def number(self) -> int | None:
        start = self.at
        while self.peek() in _DIGITS and self.more:
            self.at += 1
        digits = self.pattern[start : self.at]
        # A count of many digits is refused whatever they are, so not all of them need to be read.
        return int(digits.lstrip("0")[:6] or "0") if digits else None

    def atom(self, depth: int) -> Pattern:
        char = self.next()
        if char == "(":
            return self.group(depth)
        if char == "[":
            return Chars(self.char_class())
        if char == "\\":
            return self.escape()
        if char == ".":
            return Chars(complement(LINE_END))
        if char in "^$":
            return Edge(char)
        self.at -= 1
        if char in "*+?":
            self.fail(f"{char} has nothing to repeat", f"write \\{char} for the character")
        if char in "{}]":
            self.fail(f"{char} stands alone", f"write \\{char} for the character")
        self.at += 1
        return Chars(self.literal(char))

    def literal(self, char: str) -> Ranges:
        if "\ud800" <= char <= "\udfff":
            self.fail("the pattern holds half of a surrogate pair", "write whole characters")
        return _of(char)

    def group(self, depth: int) -> Pattern:
        if self.peek() == "?" and not self.skip("?:"):
            self.refuse_group()
        inner = self.either(depth + 1)
        if not self.skip(")"):
            self.fail("a parenthesis is not closed", r"close it, or write \( for the character")
        # A tree of its own, so that what is around the group can't take it apart.
        return Sequence((inner,)) if isinstance(inner, Edge) else inner

    def refuse_group(self) -> NoReturn:
        rest = self.peek(3)
        if rest[:2] in ("?=", "?!") or rest in ("?<=", "?<!"):
            self.fail("the pattern looks around", "say what the text is, or check the rest in the tool")
        if rest[:2] == "?<" or rest[:2] == "?P":
            self.fail("the pattern names a group", "write (?:...) instead")
        if rest[:2] == "?>":
            self.fail("the pattern has an atomic group", "write (?:...) instead")
        self.fail("the pattern sets flags", "spell them out, as [Aa] for a letter in any case")

    def escape(self) -> Pattern:
        char = self.peek()
        if char in ("b", "B"):
            self.at += 1
            return Edge(char)
        if char in _CLASSES:
            self.at += 1
            return Chars(_CLASSES[char])
        return Chars(_of(self.character_escape(in_class=False)))

    def character_escape(self, *, in_class: bool) -> str:
        """A character after a backslash that has been read."""
        if not self.more:
            self.fail("the pattern ends with a backslash", r"write \\ for the character")
        char = self.next()
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char in _SYNTAX or (in_class and char == "-"):
            return char
        if char == "0" and self.peek() not in _DIGITS:
            return "\0"
        if char == "0" and not self.more:
            return "\0"
        if char == "x":
            return self.code(2)
        if char == "u":
            return self.unicode()
        self.at -= 1
        self.refuse_escape(char, in_class)

    def refuse_escape(self, char: str, in_class: bool) -> NoReturn:
        if char in _DIGITS or char == "k":
            self.fail("the pattern looks back at a group", "say what the text is, or check the rest in the tool")
        if char in "pP":
            self.fail("the pattern names a Unicode property", "list the characters as ranges, such as [a-zà-ÿ]")
        if char == "b" and in_class:
            self.fail(r"\b in a class is not the same everywhere", r"write \x08 for a backspace")
        if char.isascii() and char.isalpha():
            self.fail(f"\\{char} is no escape of the dialect", "write the character itself, or as \\xHH or \\uHHHH")
        self.fail(f"{char!r} needs no backslash", "leave the backslash out")

    def code(self, size: int) -> str:
        digits = self.peek(size)
        if len(digits) != size or not _HEX.issuperset(digits):
            self.fail("an escape has too few hexadecimal digits", "write \\xHH or \\uHHHH")
        self.at += size
        return chr(int(digits, 16))

    def unicode(self) -> str:
        if self.skip("{"):
            end = self.pattern.find("}", self.at)
            digits = self.pattern[self.at : end]
            if end < 0 or not 1 <= len(digits) <= 6 or not _HEX.issuperset(digits) or int(digits, 16) > LAST:
                self.fail("\\u{...} holds no code point", "write one to six hexadecimal digits, up to 10FFFF")
            self.at = end + 1
            char = chr(int(digits, 16))
        else:
            char = self.code(4)
            if "\ud800" <= char <= "\udbff" and self.peek(2) == "\\u" and self.peek(3) != "\\u{":
                self.at += 2
                low = self.code(4)
                if not "\udc00" <= low <= "\udfff":
                    self.fail("half of a surrogate pair stands alone", "write whole characters")
                return (char + low).encode("utf-16", "surrogatepass").decode("utf-16")
        self.literal(char)
        return char

    def char_class(self) -> Ranges:
        """A class, whose opening bracket has been read."""
        negated = self.skip("^")
        ranges: list[tuple[int, int]] = []
        while not self.skip("]"):
            if not self.more:
                self.fail("a bracket is not closed", r"close it, or write \[ for the character")
            ranges += self.class_part()
        if not ranges:
            self.fail("a class is empty", "put characters in it, or leave it out")
        return complement(union(ranges)) if negated else union(ranges)

    def class_part(self) -> Ranges:
        low = self.class_atom()
        if self.peek() != "-" or self.peek(2) in ("-", "-]"):
            return low
        self.at += 1
        first, last = _single(low), _single(self.class_atom())
        if first is None or last is None:
            self.fail("a range in a class begins or ends with a class", r"write \- for the character")
        if first > last:
            self.fail("a range in a class runs backwards", "write the smaller character first")
        return ((first, last),)

    def class_atom(self) -> Ranges:
        char = self.next()
        if char == "[" and self.peek() in (":", ".", "="):
            self.fail(
                "a class of POSIX is no class of the dialect", r"list the characters, or write \[ for the character"
            )
        if char != "\\":
            return self.literal(char)
        if self.peek() in _CLASSES:
            return _CLASSES[self.next()]
        return _of(self.character_escape(in_class=True))
