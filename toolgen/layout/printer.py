"""Words and brackets → lines of a width, broken where black breaks them."""

from __future__ import annotations

from collections.abc import Sequence

from toolgen.layout.lines import Group, Line, Unsure

STEP = 4
"""Columns of one level of indentation."""

# What black breaks a line before, the loosest first. Within brackets of a kind of their own none of it counts.
_OPERATORS = (("for",), ("if", "else"), ("or", "and"), ("==", "is", "in", "not"), ("|",), ("+", "-"), ("*", "/", "%"))
_STATEMENTS = frozenset({"if", "elif", "else", "for", "while", "with", "assert", "raise", "del", "import", "from"})
_ALL_OPERATORS = frozenset(word for words in _OPERATORS for word in words)
_UNKNOWN = frozenset({"lambda", "await", "async", "not", "<", ">", "<=", ">=", "!=", ":=", "**", "//", "@"})


class Printer:
    """Prints one statement in lines of ``width`` columns."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.lines: list[str] = []

    def put(self, indent: int, text: str) -> None:
        self.lines.append(" " * indent + text)

    def fits(self, indent: int, text: str) -> bool:
        return indent + len(text) <= self.width

    def statement(self, line: Line, indent: int) -> None:
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

    def _definition(self, line: Line, indent: int) -> None:
        """Opens the parameters, and nothing else."""
        at = next((i for i, part in enumerate(line.parts) if isinstance(part, Group)), None)
        if at is None:
            raise Unsure
        self._open(line, at, indent, "")

    def _simple(self, line: Line, indent: int) -> None:
        colon, equals = line.index(":"), line.index("=")
        if colon == 1 and (equals is None or equals > colon):
            self._annotated(line, equals, indent)
        elif equals is not None:
            if line.cut(equals + 1).index("=") is not None:
                raise Unsure
            self._value(line.cut(0, equals + 1), line.cut(equals + 1), indent, after_equals=True)
        else:
            self._at_last_group(line, indent)

    def _annotated(self, line: Line, equals: int | None, indent: int) -> None:
        if equals is None:
            self._value(line.cut(0, 2), line.cut(2), indent)
            return
        head, value = line.cut(0, equals + 1), line.cut(equals + 1)
        plain = value.last_group() is None and not _operators(value)
        if plain and not self.fits(indent, f"{head.flat} ("):
            self._annotation(line.cut(0, 2), line.cut(2, equals), f" = {value.flat}", indent)
        else:
            self._value(head, value, indent, after_equals=True)

    def _annotation(self, head: Line, annotation: Line, suffix: str, indent: int) -> None:
        if _operators(annotation):
            self._in_parentheses(f"{head.flat} ", annotation, suffix, indent)
        else:
            self._at_last_group(_joined(head, annotation), indent, suffix)

    def _value(self, head: Line, value: Line, indent: int, *, after_equals: bool = False, suffix: str = "") -> None:
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
        assert isinstance(group, Group)
        before = value.cut(0, at)
        space = " " if before.parts and value.spaces[at] else ""
        opening = f"{head.flat} {before.flat}{space}{group.opening}"
        has_brackets = any(isinstance(part, Group) for part in head.parts)
        annotated = len(head.parts) > 2 and head.parts[1] == ":"
        if after_equals and (has_brackets or annotated) and self.fits(indent, f"{head.flat} ("):
            closed_before = before.last_group() is not None
            if not closed_before and not self.fits(indent, opening):
                self._in_parentheses(f"{head.flat} ", value, suffix, indent)
                return
        self._at_last_group(_joined(head, value), indent, suffix)

    def _in_parentheses(self, before: str, value: Line, after: str, indent: int) -> None:
        if not self.fits(indent, f"{before}("):
            raise Unsure
        self.put(indent, f"{before}(")
        self.item(value, indent + STEP, "")
        self.put(indent, f"){after}")

    def _at_last_group(self, line: Line, indent: int, suffix: str = "") -> None:
        at = line.last_group()
        if at is None:
            raise Unsure
        self._open(line, at, indent, suffix)

    def _open(self, line: Line, at: int, indent: int, suffix: str) -> None:
        """Opens the bracket that is part ``at`` of a line."""
        group = line.parts[at]
        assert isinstance(group, Group)
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

    def body(self, group: Group, indent: int) -> None:
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

    def item(self, line: Line, indent: int, suffix: str, *, alone: bool = True) -> None:
        """One line inside brackets: ``alone`` there, or one of several segments."""
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
            self._ternary(line, start, indent, suffix, alone=alone)
        else:
            words = next(words for words in _OPERATORS if found & {*words})
            self._segments(line, words, indent, suffix)

    def _ternary(self, line: Line, start: int, indent: int, suffix: str, *, alone: bool) -> None:
        """Black puts parentheses around a conditional that it breaks, unless it stands alone in brackets."""
        value = line.cut(start)
        if alone and not start and not suffix:
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

    def _branches(self, line: Line, indent: int) -> None:
        """Breaks a conditional; one behind its ``else`` is another."""
        if_, else_ = line.index("if"), line.index("else")
        if if_ is None or else_ is None or else_ < if_:
            raise Unsure
        for start, end in ((0, if_), (if_, else_), (else_, None)):
            self.item(line.cut(start, end), indent, "")

    def _segments(self, line: Line, words: Sequence[str], indent: int, suffix: str) -> None:
        """Breaks a line before each of these words."""
        places = [i for i, part in enumerate(line.parts) if isinstance(part, str) and part in words and i]
        starts = [0, *places]
        for start, end in zip(starts, [*places, len(line.parts)], strict=True):
            self.item(line.cut(start, end), indent, suffix if end == len(line.parts) else "", alone=False)


def _joined(line: Line, more: Line) -> Line:
    return line.then(more.parts, [True, *more.spaces[1:]])


def _prefix(line: Line) -> int:
    """The number of parts that name an item: ``name=``, or a key of a dict and its colon."""
    first = line.parts[0]
    if isinstance(first, str) and first.endswith("=") and len(line.parts) > 1 and len(first) > 1:
        return 1
    if first in ("if", "else"):
        return 1
    colon = line.index(":")
    return 0 if colon is None else colon + 1


def _operators(line: Line) -> set[str]:
    """The operators of a line outside brackets, but for one that it starts with. Raises Unsure."""
    words = {part for part in line.parts[1:] if isinstance(part, str)}
    if words & _UNKNOWN or line.parts[0] in ("not", "lambda", "-", "*"):
        raise Unsure
    if "for" in line.parts:
        words.discard("in")  # it compares nothing
    return words & _ALL_OPERATORS


def _needs_parentheses(line: Line) -> bool:
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
    closes = isinstance(last, Group) and (last.closing in ")}" or last.is_display)
    if closes or isinstance(line.parts[0], Group):
        raise Unsure
    return True
