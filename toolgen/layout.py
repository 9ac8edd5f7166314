"""Printed Python → the same, laid out as black would lay it out.

Black is right about everything, and slow. Generated code uses little of Python, and for that little this holds: a
bracket either fits its line or is opened, its content on one line or one item a line with a trailing comma. What is
not known here to be as black does it is not laid out at all, and the whole file is left to black.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

STEP = 4
"""Columns of one level of indentation."""


class Unsure(Exception):
    """Black may lay this text out in a way that is not known here."""


def laid_out(text: str, width: int) -> str | None:
    """The text as black formats it for lines of ``width`` columns; None where that cannot be said.

    The text must be spaced and quoted as black does it already; where its lines break does not matter inside brackets,
    save that a comma before a closing bracket means one item a line.
    """
    try:
        return "".join(f"{line}\n" for line in _spaced(_statements(text.split("\n"), width)))
    except Unsure:
        return None


# --- statements and the blank lines between them --------------------------------------------------------------------


@dataclass(slots=True)
class _Statement:
    """One logical line: its indentation, its lines as laid out, and the number of blank lines above it."""

    indent: int
    lines: list[str]
    blank: int

    def starts(self, *words: str) -> bool:
        return self.lines[0].startswith(words, self.indent)

    @property
    def is_definition(self) -> bool:
        return self.starts("def ", "class ", "@")

    @property
    def is_docstring(self) -> bool:
        return self.starts('"""')


def _statements(lines: Sequence[str], width: int) -> Iterator[_Statement]:
    blank, at = 0, 0
    while at < len(lines):
        line = lines[at]
        if not line:
            blank, at = blank + 1, at + 1
            continue
        end = at if line[-1] not in _GOES_ON and _QUOTES not in line else _end(lines, at)
        indent = len(line) - len(line.lstrip(" "))
        yield _Statement(indent, _laid_out(lines[at : end + 1], indent, width), blank)
        blank, at = 0, end + 1


_QUOTES = '"""'
_GOES_ON = "([{,"
"""What the first line of a statement of several lines ends with, in what templates print."""

_STRING = re.compile(r"\"\"\"|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
_TO_CLOSING_QUOTES = re.compile(r'(?:[^"\\]|\\.|\\$|"(?!""))*"""')


def _block_start(line: str) -> int | None:
    """Where a text in triple quotes starts in a line of code."""
    if _QUOTES not in line:
        return None
    return next((found.start() for found in _STRING.finditer(line) if found[0] == _QUOTES), None)


def _end(lines: Sequence[str], at: int) -> int:
    """The index of the last line of the statement that starts in the line ``at``."""
    line = lines[at]
    if line.lstrip().startswith("#"):
        return at
    start = _block_start(line)
    if start is not None:
        if _TO_CLOSING_QUOTES.match(line, start + len(_QUOTES)):
            return at
        return next((i for i in range(at + 1, len(lines)) if _TO_CLOSING_QUOTES.match(lines[i])), at)
    depth, last = 0, at
    for last in range(at, len(lines)):
        line = lines[last]
        code = _STRING.sub("", line) if '"' in line or "'" in line else line
        depth += sum(map(code.count, "([{")) - sum(map(code.count, ")]}"))
        if depth <= 0:
            break
    return last


def _laid_out(lines: Sequence[str], indent: int, width: int) -> list[str]:
    first = lines[0]
    if first.startswith("#", indent):
        return [first]
    if _block_start(first) is not None:
        return _literal(lines, indent, width)
    if len(lines) == 1 and len(first) <= width and not (",)" in first or ",]" in first or ",}" in first):
        return [first]
    if first.startswith("from ", indent):
        return _import(first, indent)
    printer = _Printer(width)
    printer.statement(_parsed("\n".join(lines)), indent)
    return printer.lines


def _import(line: str, indent: int) -> list[str]:
    head, words, names = line.partition(" import ")
    if not words or "(" in names or ",)" in names:
        raise Unsure
    margin = " " * indent
    return [f"{head} import (", *(f"{margin}    {name}," for name in names.split(", ")), f"{margin})"]


def _literal(lines: Sequence[str], indent: int, width: int) -> list[str]:
    """Text in triple quotes stays as it is, where black would leave it so."""
    if not lines[0].startswith(_QUOTES, indent):
        if " = " not in lines[0] or len(lines[0]) > width or len(lines) == 1:
            raise Unsure
        return list(lines)
    inside = [line for line in lines[1:-1] if line]
    if any(line.endswith(" ") for line in lines):
        raise Unsure
    if len(lines) > 1 and lines[-1] != " " * indent + _QUOTES:
        raise Unsure
    if inside and min(len(line) - len(line.lstrip()) for line in inside) != indent:
        raise Unsure
    return list(lines)


def _spaced(statements: Iterator[_Statement]) -> Iterator[str]:
    """The lines of all statements, with as many blank lines between them as black has."""
    before: _Statement | None = None
    top: _Statement | None = None
    for statement in statements:
        yield from [""] * (_blank(before, top, statement) if before else 0)
        yield from statement.lines
        before = statement
        if statement.indent == 0:
            top = statement


def _blank(before: _Statement, top: _Statement | None, statement: _Statement) -> int:
    if before.starts("@"):
        return 0
    if before.indent < statement.indent:
        return _blank_in_new_block(before, statement)
    if statement.indent == 0:
        return _blank_at_top(before, top, statement)
    if statement.is_definition or (before.is_docstring and before.indent < statement.indent):
        return 1
    return min(statement.blank, 1)


def _blank_in_new_block(before: _Statement, statement: _Statement) -> int:
    if statement.blank and not before.starts("class "):
        raise Unsure
    return 0


def _blank_at_top(before: _Statement, top: _Statement | None, statement: _Statement) -> int:
    after_definition = top is not None and top.is_definition and (top is not before or not top.starts("@"))
    if statement.is_definition or after_definition:
        if before.starts("#") or statement.starts("#"):
            raise Unsure
        return 2
    if before.is_docstring and before is top:
        return 1
    if before.starts("from ", "import ") and not statement.starts("from ", "import "):
        return 1
    return min(statement.blank, 2)


# --- the parts of a statement ---------------------------------------------------------------------------------------


class _Group:
    """A pair of brackets and the items in it.

    ``comma`` is whether a comma stands before the closing bracket; ``is_open`` whether that says to have one item a
    line, as it does but in a tuple of one item.
    """

    __slots__ = ("closing", "comma", "flat", "holds_open", "is_display", "is_open", "items", "opening")

    def __init__(self, opening: str, items: list[_Line], *, comma: bool, is_display: bool) -> None:
        self.opening = opening
        self.closing = _PAIRS[opening]
        self.items = items
        self.comma = comma
        self.is_display = is_display
        self.is_open: bool = comma and not (opening == "(" and is_display and len(items) == 1)
        self.holds_open: bool = self.is_open or any(item.is_open for item in items)
        last = "," if comma and not self.is_open else ""
        self.flat: str = f"{opening}{', '.join([item.flat for item in items])}{last}{self.closing}"


_Part: TypeAlias = "str | _Group"


class _Line:
    """Words and brackets in a row; ``spaces`` says of each whether a space stands before it."""

    __slots__ = ("flat", "is_open", "parts", "spaces")

    def __init__(self, parts: list[_Part], spaces: list[bool]) -> None:
        self.parts = parts
        self.spaces = spaces
        if spaces:
            spaces[0] = False
        texts = [part if isinstance(part, str) else part.flat for part in parts]
        self.flat: str = "".join([f" {text}" if space else text for text, space in zip(texts, spaces, strict=True)])
        self.is_open: bool = any(not isinstance(part, str) and part.holds_open for part in parts)

    def cut(self, start: int, end: int | None = None) -> _Line:
        return _Line(self.parts[start:end], self.spaces[start:end])

    def then(self, parts: list[_Part], spaces: list[bool]) -> _Line:
        """This line with more behind it."""
        return _Line([*self.parts, *parts], [*self.spaces, *spaces])

    def index(self, *words: str) -> int | None:
        """Where the first of these words stands, outside brackets."""
        return next((i for i, part in enumerate(self.parts) if isinstance(part, str) and part in words), None)

    def last_group(self) -> int | None:
        return next((i for i in range(len(self.parts) - 1, -1, -1) if isinstance(self.parts[i], _Group)), None)


_TOKEN = re.compile(
    r'(?P<space>\s+)|(?P<string>b?"(?:[^"\\\n]|\\.)*"|b?\'(?:[^\'\\\n]|\\.)*\')'
    r"|(?P<opening>[(\[{])|(?P<closing>[)\]}])|(?P<comma>,)"
    r"|(?P<keyword>\w+=(?![=\s]))|(?P<colon>:)|(?P<word>[^\s()\[\]{},\"':#]+)"
)
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_STATEMENTS = frozenset({"if", "elif", "else", "for", "while", "with", "assert", "raise", "del", "import", "from"})
_VALUE_WORDS = frozenset(
    {"return", "in", "is", "if", "else", "and", "or", "not", "lambda", "=", "|", "->", "for", "=="}
)


def _parsed(text: str) -> _Line:
    tokens = list(_tokens(text))
    line, end = _line(tokens, 0)
    if end != len(tokens):
        raise Unsure
    return line


def _tokens(text: str) -> Iterator[tuple[str, str, bool]]:
    """Kind, text, and whether white space stands before it."""
    end, space = 0, False
    for found in _TOKEN.finditer(text):
        if found.start() != end:
            raise Unsure
        end = found.end()
        kind = found.lastgroup
        if kind == "space":
            space = True
        elif kind is not None:
            yield kind, found[0], space
            space = False
    if end != len(text):
        raise Unsure


def _line(tokens: Sequence[tuple[str, str, bool]], at: int) -> tuple[_Line, int]:
    """The line that starts at a token, up to a comma or a closing bracket."""
    parts: list[_Part] = []
    spaces: list[bool] = []
    while at < len(tokens):
        kind, text, space = tokens[at]
        if kind == "closing" or (kind == "comma" and not _in_targets(parts)):
            break
        spaces.append(space)
        if kind == "opening":
            group, at = _group(tokens, at, _is_display(parts, space))
            parts.append(group)
        else:
            parts.append(text)
            at += 1
    return _Line(parts, spaces), at


def _in_targets(parts: Sequence[_Part]) -> bool:
    """Whether the names of a comprehension are being listed: a comma there ends no item."""
    return "for" in parts and "in" not in parts[parts.index("for") :]


def _group(tokens: Sequence[tuple[str, str, bool]], at: int, is_display: bool) -> tuple[_Group, int]:
    opening = tokens[at][1]
    items: list[_Line] = []
    comma = False
    at += 1
    while at < len(tokens):
        if tokens[at][0] == "closing":
            if tokens[at][1] != _PAIRS[opening]:
                raise Unsure
            return _Group(opening, items, comma=comma, is_display=is_display), at + 1
        item, at = _line(tokens, at)
        if not item.parts:
            raise Unsure
        items.append(item)
        comma = at < len(tokens) and tokens[at][0] == "comma"
        at += comma
    raise Unsure


def _is_display(parts: Sequence[_Part], space: bool) -> bool:
    """Whether a bracket makes a list, dict or tuple, rather than call or index what stands before it."""
    if not parts:
        return True
    before = parts[-1]
    if isinstance(before, _Group):
        return False
    return space or before in _VALUE_WORDS or before.endswith("=") or before == ":"


# --- laying out -----------------------------------------------------------------------------------------------------

# What black breaks a line before, the loosest first. Within brackets of a kind of their own none of it counts.
_OPERATORS = (("for",), ("if", "else"), ("or", "and"), ("==", "is", "in", "not"), ("|",), ("+", "-"), ("*", "/", "%"))
_ALL_OPERATORS = frozenset(word for words in _OPERATORS for word in words)
_UNKNOWN = frozenset({"lambda", "await", "async", "not", "<", ">", "<=", ">=", "!=", ":=", "**", "//", "@"})


class _Printer:
    """Prints one statement in lines of ``width`` columns."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.lines: list[str] = []

    def put(self, indent: int, text: str) -> None:
        self.lines.append(" " * indent + text)

    def fits(self, indent: int, text: str) -> bool:
        return indent + len(text) <= self.width

    def statement(self, line: _Line, indent: int) -> None:
        if not line.is_open and self.fits(indent, line.flat):
            self.put(indent, line.flat)
            return
        match line.parts[0]:
            case "def":
                self._definition(line, indent)
            case "class":
                self._at_last_group(line, indent)
            case "if" if line.parts[-1] == ":":
                self._value(line.cut(0, 1), line.cut(1, -1), indent, suffix=":")
            case str(word) if word in _STATEMENTS or word.startswith("@"):
                raise Unsure
            case "return":
                self._value(line.cut(0, 1), line.cut(1), indent)
            case _:
                self._simple(line, indent)

    def _definition(self, line: _Line, indent: int) -> None:
        """Opens the parameters, and nothing else."""
        at = next((i for i, part in enumerate(line.parts) if isinstance(part, _Group)), None)
        if at is None:
            raise Unsure
        self._open(line, at, indent, "")

    def _simple(self, line: _Line, indent: int) -> None:
        colon, equals = line.index(":"), line.index("=")
        if colon == 1 and (equals is None or equals > colon):
            self._annotated(line, equals, indent)
        elif equals is not None:
            if line.cut(equals + 1).index("=") is not None:
                raise Unsure
            self._value(line.cut(0, equals + 1), line.cut(equals + 1), indent, after_equals=True)
        else:
            self._at_last_group(line, indent)

    def _annotated(self, line: _Line, equals: int | None, indent: int) -> None:
        if equals is None:
            self._value(line.cut(0, 2), line.cut(2), indent)
            return
        head, value = line.cut(0, equals + 1), line.cut(equals + 1)
        plain = value.last_group() is None and not _operators(value)
        if plain and not self.fits(indent, f"{head.flat} ("):
            self._annotation(line.cut(0, 2), line.cut(2, equals), f" = {value.flat}", indent)
        else:
            self._value(head, value, indent, after_equals=True)

    def _annotation(self, head: _Line, annotation: _Line, suffix: str, indent: int) -> None:
        if _operators(annotation):
            self._in_parentheses(f"{head.flat} ", annotation, suffix, indent)
        else:
            self._at_last_group(_joined(head, annotation), indent, suffix)

    def _value(self, head: _Line, value: _Line, indent: int, *, after_equals: bool = False, suffix: str = "") -> None:
        """A value after ``return``, ``=``, ``if`` or ``name:``, which may be put in parentheses."""
        at = value.last_group()
        dotted = at is None and "." in value.flat and value.flat[:1] not in ("'", '"')
        if _needs_parentheses(value) or dotted or (at is None and self.fits(indent + STEP, value.flat)):
            self._in_parentheses(f"{head.flat} ", value, suffix, indent)
            return
        if at is None:
            self.put(indent, f"{head.flat} {value.flat}{suffix}")
            return
        group = value.parts[at]
        assert isinstance(group, _Group)
        before = value.cut(0, at)
        space = " " if before.parts and value.spaces[at] else ""
        opening = f"{head.flat} {before.flat}{space}{group.opening}"
        has_brackets = any(isinstance(part, _Group) for part in head.parts)
        annotated = len(head.parts) > 2 and head.parts[1] == ":"
        if after_equals and (has_brackets or annotated) and self.fits(indent, f"{head.flat} ("):
            closed_before = before.last_group() is not None
            if not closed_before and not self.fits(indent, opening):
                self._in_parentheses(f"{head.flat} ", value, suffix, indent)
                return
        self._at_last_group(_joined(head, value), indent, suffix)

    def _in_parentheses(self, before: str, value: _Line, after: str, indent: int) -> None:
        if not self.fits(indent, f"{before}("):
            raise Unsure
        self.put(indent, f"{before}(")
        self.item(value, indent + STEP, "")
        self.put(indent, f"){after}")

    def _at_last_group(self, line: _Line, indent: int, suffix: str = "") -> None:
        at = line.last_group()
        if at is None:
            raise Unsure
        self._open(line, at, indent, suffix)

    def _open(self, line: _Line, at: int, indent: int, suffix: str) -> None:
        """Opens the bracket that is part ``at`` of a line."""
        group = line.parts[at]
        assert isinstance(group, _Group)
        head, tail = line.cut(0, at), line.cut(at + 1)
        space = " " if line.spaces[at] else ""
        opening = f"{head.flat}{space}{group.opening}"
        after = " " if tail.parts and line.spaces[at + 1] else ""
        closing = f"{group.closing}{after}{tail.flat}{suffix}"
        if not group.items or head.is_open or tail.is_open or not self.fits(indent, closing):
            raise Unsure
        if self.fits(indent, opening):
            self.put(indent, opening)
        else:
            before = head.last_group()
            if before is None:
                raise Unsure
            rest = line.cut(before)
            if not group.is_open and self.fits(indent, rest.flat[len(rest.cut(0, 1).flat) - 1 :] + suffix):
                self._open(line, before, indent, suffix)
                return
            self._open(head.then([group.opening], [line.spaces[at]]), before, indent, "")
        self.body(group, indent + STEP)
        self.put(indent, closing)

    def body(self, group: _Group, indent: int) -> None:
        """What stands in an open bracket: on one line if it may and can, else one item a line."""
        items = group.items
        if group.comma and not group.is_open:
            raise Unsure  # a tuple of one item
        one_a_line = group.is_open or (group.is_display and len(items) > 1)
        if group.opening == "[" and not group.is_display and group.comma:
            raise Unsure
        flat = ", ".join(item.flat for item in items)
        if not one_a_line and not any(item.is_open for item in items) and self.fits(indent, flat):
            self.put(indent, flat)
        elif len(items) == 1 and not group.is_open:
            self.item(items[0], indent, "")
        else:
            for item in items:
                self.item(item, indent, ",")

    def item(self, line: _Line, indent: int, suffix: str) -> None:
        """One line inside brackets."""
        if not line.is_open and self.fits(indent, line.flat + suffix):
            self.put(indent, line.flat + suffix)
            return
        start = _prefix(line)
        value = line.cut(start)
        found = _operators(value)
        if not found:
            at = line.last_group()
            if at is None:
                self.put(indent, line.flat + suffix)  # one long word, which nothing can break
            else:
                self._open(line, at, indent, suffix)
        elif "for" in found:
            self._segments(line, ("for",), indent, suffix)
        elif "if" in found:
            self._ternary(line, start, indent, suffix)
        else:
            words = next(words for words in _OPERATORS if found & {*words})
            self._segments(line, words, indent, suffix)

    def _ternary(self, line: _Line, start: int, indent: int, suffix: str) -> None:
        """Black puts parentheses around a conditional that it breaks."""
        value = line.cut(start)
        if not start and not suffix:
            self._branches(line, indent)
            return
        space = " " if start and line.spaces[start] else ""
        before = f"{line.cut(0, start).flat}{space}("
        if not self.fits(indent, before):
            raise Unsure
        self.put(indent, before)
        inner = indent + STEP
        if not value.is_open and self.fits(inner, value.flat):
            self.put(inner, value.flat)
        else:
            self._branches(value, inner)
        self.put(indent, f"){suffix}")

    def _branches(self, line: _Line, indent: int) -> None:
        """Breaks a conditional; one behind its ``else`` is another."""
        if_, else_ = line.index("if"), line.index("else")
        if if_ is None or else_ is None or else_ < if_:
            raise Unsure
        for start, end in ((0, if_), (if_, else_), (else_, None)):
            self.item(line.cut(start, end), indent, "")

    def _segments(self, line: _Line, words: Sequence[str], indent: int, suffix: str) -> None:
        """Breaks a line before each of these words."""
        places = [i for i, part in enumerate(line.parts) if isinstance(part, str) and part in words and i]
        starts = [0, *places]
        for start, end in zip(starts, [*places, len(line.parts)], strict=True):
            self.item(line.cut(start, end), indent, suffix if end == len(line.parts) else "")


def _joined(line: _Line, more: _Line) -> _Line:
    return line.then(more.parts, [True, *more.spaces[1:]])


def _prefix(line: _Line) -> int:
    """The number of parts that name an item: ``name=``, or a key of a dict and its colon."""
    first = line.parts[0]
    if isinstance(first, str) and first.endswith("=") and len(line.parts) > 1 and len(first) > 1:
        return 1
    if first in ("if", "else"):
        return 1
    colon = line.index(":")
    return 0 if colon is None else colon + 1


def _operators(line: _Line) -> set[str]:
    """The operators of a line outside brackets, but for one that it starts with. Raises Unsure."""
    words = {part for part in line.parts[1:] if isinstance(part, str)}
    if words & _UNKNOWN or line.parts[0] in ("not", "lambda", "-", "*"):
        raise Unsure
    if "for" in line.parts:
        words.discard("in")  # it compares nothing
    return words & _ALL_OPERATORS


def _needs_parentheses(line: _Line) -> bool:
    """Whether black puts parentheses around a value that does not fit, rather than open a bracket of its own."""
    found = _operators(line)
    if not found:
        return False
    if "if" in found:
        return True
    words = next(words for words in _OPERATORS if found & {*words})
    count = sum(isinstance(part, str) and part in words for part in line.parts)
    last = line.parts[-1]
    if count > 1:
        return True
    closes = isinstance(last, _Group) and (last.closing in ")}" or last.is_display)
    if closes or isinstance(line.parts[0], _Group):
        raise Unsure
    return True
