"""A module's text → its statements, each laid out, with the blank lines between them that black has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from toolgen.layout.lines import Unsure, parsed
from toolgen.layout.printer import Printer


def laid_out(text: str, width: int) -> str | None:
    """The text as black formats it for lines of ``width`` columns; None where that cannot be said.

    The text must be spaced and quoted as black does it already; where its lines break does not matter inside brackets,
    save that a comma before a closing bracket means one item a line.
    """
    try:
        return "\n".join([*_spaced(_statements(text.split("\n"), width)), ""])
    except Unsure:
        return None


class _Statement(Struct):
    """One logical line: its indentation, its lines as laid out, and the number of blank lines above it.

    ``kind`` is the name of the group of ``_KINDS`` that it starts with.
    """

    indent: int
    lines: list[str]
    blank: int
    kind: str | None

    @property
    def is_definition(self) -> bool:
        return self.kind in _DEFINITIONS


_KINDS = re.compile(
    r'(?P<decorator>@)|(?P<function>def )|(?P<type>class )|(?P<docstring>""")|(?P<comment>#)|(?P<import>from |import )'
)
_DEFINITIONS = frozenset({"decorator", "function", "type"})


def _statements(lines: Sequence[str], width: int) -> Iterator[_Statement]:
    blank, at = 0, 0
    while at < len(lines):
        line = lines[at]
        if not line:
            blank, at = blank + 1, at + 1
            continue
        indent = len(line) - len(line.lstrip(" "))
        if _stays(line, width):
            end, laid = at, [line]
        else:
            end = _end(lines, at)
            laid = _laid_out(lines[at : end + 1], indent, width)
        found = _KINDS.match(line, indent)
        yield _Statement(indent, laid, blank, found.lastgroup if found else None)
        blank, at = 0, end + 1


def _stays(line: str, width: int) -> bool:
    """Whether a line is a statement by itself which black leaves as it is. Of most lines that is so."""
    if len(line) > width or line[-1] in _GOES_ON or _QUOTES in line:
        return False
    return not (",)" in line or ",]" in line or ",}" in line)


_QUOTES = '"""'
_GOES_ON = "([{,"
"""What the first line of a statement of several lines ends with, in what templates print."""

_STRING = re.compile(r"\"\"\"|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
_TO_CLOSING_QUOTES = re.compile(r'(?:[^"\\]|\\.|\\$|"(?!""))*"""')


def _block_start(line: str) -> int | None:
    """Where a text in triple quotes starts in a line of code."""
    if _QUOTES not in line:
        return None
    if line.lstrip(" ").startswith(_QUOTES):
        return line.index(_QUOTES)
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
        rest = range(at + 1, len(lines))
        return next((i for i in rest if _QUOTES in lines[i] and _TO_CLOSING_QUOTES.match(lines[i])), at)
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
    if first.startswith("from ", indent):
        return _import(first, indent)
    printer = Printer(width)
    printer.statement(parsed("\n".join(lines)), indent)
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


def _spaced(statements: Iterator[_Statement]) -> list[str]:
    """The lines of all statements, with as many blank lines between them as black has."""
    lines: list[str] = []
    before: _Statement | None = None
    top: _Statement | None = None
    for statement in statements:
        if before:
            lines += [""] * _blank(before, top, statement)
        lines += statement.lines
        before = statement
        if statement.indent == 0:
            top = statement
    return lines


def _blank(before: _Statement, top: _Statement | None, statement: _Statement) -> int:
    if before.kind == "decorator":
        return 0
    if before.indent < statement.indent:
        return _blank_in_new_block(before, statement)
    if statement.indent == 0:
        return _blank_at_top(before, top, statement)
    return 1 if statement.blank or statement.is_definition else 0


def _blank_in_new_block(before: _Statement, statement: _Statement) -> int:
    if statement.blank and before.kind != "type":
        raise Unsure
    return 0


def _blank_at_top(before: _Statement, top: _Statement | None, statement: _Statement) -> int:
    if statement.is_definition or (top is not None and top.is_definition):
        if "comment" in (before.kind, statement.kind):
            raise Unsure
        return 2
    if before.kind == "docstring" and before is top:
        return 1
    if before.kind == "import" and statement.kind != "import":
        return 1
    return min(statement.blank, 2)
