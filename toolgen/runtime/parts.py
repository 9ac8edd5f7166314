"""Nodes that judge a value by its JSON type: bounds of numbers, texts, items of arrays, properties of objects."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from toolgen.runtime import equality, faults, formats, patterns
from toolgen.runtime.faults import Wanting, Where
from toolgen.runtime.issues import Mend
from toolgen.runtime.kinds import KIND_OF
from toolgen.runtime.nodes import (
    ANYTHING,
    MISSING,
    Choice,
    Node,
    Nothing,
    Walk,
    embedded,
    finite,
    key_text,
    real,
    text,
)
from toolgen.runtime.numbers import is_multiple, whole

Part: TypeAlias = Callable[[Any, Where, Walk], Any]


class Typed:
    """Judges a value by its JSON type: ``parts`` has a check for each Python type that is taken.

    ``wanted`` says in words what is taken.
    """

    def __init__(
        self, kinds: frozenset[str], parts: Mapping[type, Part], wanted: Wanting, description: str | None
    ) -> None:
        self.kinds = kinds
        self._wanting = wanted
        self.description = description
        self.object: ObjectPart | None = None
        self._items: Node | None = None
        self._parts = dict(parts)
        self._embeds = "string" not in kinds and bool(kinds & {"object", "array"})

    @property
    def wanted(self) -> str:
        return self._wanting.wanted

    def take_objects(self, part: ObjectPart) -> None:
        """Adds what judges objects, which a tag may later look into."""
        self.object = part
        self._parts[dict] = part.check

    def take_arrays(self, part: ArrayPart) -> None:
        """Adds what judges arrays."""
        self._items = part.items
        self._parts[list] = part.check

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        part = self._parts.get(type(value))
        if part is not None:
            return part(value, where, walk)
        lone = self._lone(value)
        if self._embeds and walk.lenient and type(value) is str:
            value = embedded(value, self, where, walk, lone)
            return None if value is MISSING else self.check(value, where, walk)
        walk.fault(where, faults.wrong_type, self, value, self.description, lone)
        return None

    def _lone(self, value: Any) -> str | None:
        """What to do with a value that may be an item of the array which is wanted."""
        if self._items is None or value is None or (type(value) is str and value.lstrip().startswith(("[", "{"))):
            return None
        kind = KIND_OF.get(type(value))
        kinds = self._items.kinds
        return _ALONE if kind in kinds or (kind == "integer" and "number" in kinds) else None


_ALONE = "Put it into an array, even where it is the only item."


def same(value: Any, where: Where, walk: Walk) -> Any:
    """The check of a value about which there is nothing more to say."""
    return value


class NumberPart:
    """Bounds on numbers, compared exactly.

    ``integers`` says that a number must be whole, and gives an int; ``floats`` that a whole number gives a float too,
    save where a step is judged once more, by the guard of the transform: that takes the integer as it was written.
    """

    def __init__(
        self,
        *,
        integers: bool,
        floats: bool,
        wanted: Wanting,
        low: tuple[tuple[int | float, bool], ...],
        high: tuple[tuple[int | float, bool], ...],
        step: int | float | None,
        description: str | None,
    ) -> None:
        self._integers = integers
        self._floats = floats
        self._wanted = wanted
        self._low = low
        self._high = high
        self._step = step
        self._bounded = bool(low or high or step is not None)
        self._description = description

    def integer(self, value: int, where: Where, walk: Walk) -> int | float | None:
        taken: int | float = value
        if self._floats:
            try:
                taken = float(value)
            except OverflowError:
                walk.fault(where, faults.too_large, value, self._description)
                return None
        if self._bounded:
            self._bounds(value, where, walk)
        return taken if self._step is None else value

    def number(self, value: float, where: Where, walk: Walk) -> int | float | None:
        plain = finite(value, where, walk, self._description)
        if plain is None:
            return None
        if self._integers:
            integer = whole(value)
            if integer is None:
                walk.fault(where, faults.wrong_type, self._wanted, value, self._description)
                return None
            return self.integer(integer, where, walk)
        if self._bounded:
            self._bounds(plain, where, walk)
        return plain

    def _bounds(self, value: int | float, where: Where, walk: Walk) -> None:
        for limit, open_ in self._low:
            if value < limit or (open_ and value == limit):
                what = "more than" if open_ else "at least"
                walk.fault(where, faults.out_of_range, what, limit, value, self._description)
        for limit, open_ in self._high:
            if value > limit or (open_ and value == limit):
                what = "less than" if open_ else "at most"
                walk.fault(where, faults.out_of_range, what, limit, value, self._description)
        if self._step is not None and not is_multiple(value, self._step):
            walk.fault(where, faults.not_multiple, self._step, value, self._description)


class SizePart:
    """Bounds on a length. ``noun`` is what is counted."""

    def __init__(self, least: int, most: int | None, noun: str, description: str | None) -> None:
        self._least = least
        self._most = most
        self._noun = noun
        self._description = description

    def check(self, size: int, where: Where, walk: Walk) -> None:
        if size < self._least:
            walk.fault(where, faults.wrong_length, "at least", self._least, self._noun, size, self._description)
        elif self._most is not None and size > self._most:
            walk.fault(where, faults.wrong_length, "at most", self._most, self._noun, size, self._description)


class StringPart:
    """Length, pattern and format of a text.

    A pattern of ``formats`` says no more than its format does, so breaking it is one fault, in the words of the format.
    """

    def __init__(
        self, size: SizePart | None, pattern: str | None, format_: str | None, description: str | None
    ) -> None:
        self._size = size
        self._pattern = pattern
        self._format = format_
        self._description = description

    @cached_property
    def _search(self) -> Callable[[str], bool] | None:
        return None if self._pattern is None else patterns.compile(self._pattern).search

    def check(self, value: str, where: Where, walk: Walk) -> str | None:
        if text(value, where, walk, self._description) is None:
            return None
        if self._size is not None:
            self._size.check(len(value), where, walk)
        if self._search is not None and not self._search(value):
            walk.fault(where, faults.not_matching, self._pattern, value, self._description)
        if self._format is not None:
            instead = formats.check(self._format, value)
            if instead is not None:
                walk.fault(where, faults.not_formatted, instead, value, self._description, self._format)
        return value


class Base64Part:
    """Bytes as base64 text; lengths count the bytes."""

    def __init__(self, least: int, most: int | None, description: str | None) -> None:
        self._size = SizePart(least, most, "byte", description)
        self._description = description

    def check(self, value: str, where: Where, walk: Walk) -> str | None:
        if not formats.is_base64(value):
            if text(value, where, walk, self._description) is not None:
                walk.fault(where, faults.not_formatted, formats.BASE64_WORDS, value, self._description)
            return None
        self._size.check(formats.base64_size(value), where, walk)
        return value


class ArrayPart:
    """Items of an array, their number, and that none comes twice. ``first`` judge the leading items, one each."""

    def __init__(
        self,
        items: Node | None,
        size: SizePart | None,
        unique: bool,
        description: str | None,
        first: Sequence[Node] = (),
    ) -> None:
        self.items = items or ANYTHING
        self._first = tuple(first)
        self._size = size
        self._unique = unique
        self._description = description

    def check(self, value: list[Any], where: Where, walk: Walk) -> list[Any]:
        if self._size is not None:
            self._size.check(len(value), where, walk)
        if self._unique:
            positions = equality.first_duplicates(value)
            if positions is not None:
                walk.fault(where, faults.duplicate, positions, self._description)
        if not self._first:
            check = self.items.check
            return [check(item, (where, index), walk) for index, item in enumerate(value)]
        nodes = itertools.chain(self._first, itertools.repeat(self.items))
        return [node.check(item, (where, n), walk) for n, (node, item) in enumerate(zip(nodes, value, strict=False))]


class Field(NamedTuple):
    """A declared property of an object."""

    name: str
    node: Node
    required: bool

    def missing(self, where: Where, walk: Walk) -> None:
        node = real(self.node)
        allowed = node.allowed if isinstance(node, Choice) else None
        walk.fault((where, self.name), faults.missing, node, allowed, node.description)


class ObjectPart:
    """Properties of an object.

    ``others`` judges what is not declared; None leaves it out, once it is seen to be JSON. ``patterns`` judge the keys
    that they match, declared or not; such a key is none of the others.
    """

    def __init__(
        self,
        fields: Sequence[Field],
        undeclared: Sequence[str],
        others: Node | None,
        size: SizePart | None,
        description: str | None,
        patterns_: Sequence[tuple[str, Node]] = (),
    ) -> None:
        self._patterns = tuple(patterns_)
        self.fields = {field.name: field for field in fields}
        self._fields = tuple((f.name, f.node.check, f) for f in fields)
        self._undeclared = tuple(undeclared)
        self._others = others
        self._size = size
        self._names = tuple(self.fields)
        self._description = description

    def check(self, value: dict[str, Any], where: Where, walk: Walk) -> dict[str, Any]:
        out: dict[str, Any] = {}
        found = left_out = 0
        for name, check, field in self._fields:
            item = value.get(name, MISSING)
            if item is MISSING:
                if field.required:
                    field.missing(where, walk)
                continue
            found += 1
            if item is None and walk.lenient and not field.required and "null" not in field.node.kinds:
                walk.notes.append(Mend(faults.pointer((where, name)), "null where a field may be left out"))
                left_out += 1
                continue
            out[name] = check(item, (where, name), walk)
        for name in self._undeclared:
            if name not in value:
                walk.fault((where, name), faults.missing, ANYTHING, None, None)
        if self._patterns:
            self._check_matched(value, where, walk, out)
        elif found < len(value):
            for key, item in value.items():
                if key not in self.fields:
                    self._check_other(key, item, where, walk, out)
        if self._size is not None:
            self._size.check(len(value) - left_out, where, walk)
        return out

    @cached_property
    def _searches(self) -> tuple[tuple[Callable[[str], bool], Node], ...]:
        return tuple((patterns.compile(pattern).search, node) for pattern, node in self._patterns)

    def _check_matched(self, value: dict[str, Any], where: Where, walk: Walk, out: dict[str, Any]) -> None:
        for key, item in value.items():
            matched = [node for search, node in self._searches if search(key)]
            for node in matched:
                result = node.check(item, (where, key), walk)
                out.setdefault(key, result)
            if not matched and key not in self.fields:
                self._check_other(key, item, where, walk, out)

    def _check_other(self, key: str, item: Any, where: Where, walk: Walk, out: dict[str, Any]) -> None:
        """Judges what stands under a key that is not declared."""
        others = self._others
        if type(others) is Nothing:
            walk.fault((where, key), faults.unknown, key, self._names, walk.may_hint())
            return
        key_text(key, where, walk)
        if others is None:
            ANYTHING.check(item, (where, key), walk)
        else:
            out[key] = others.check(item, (where, key), walk)
