"""The form that a projection gives to an input: how it is written, and how it is read back.

A ``Form`` is made beside a projected schema, position by position. Reading turns what a model wrote under that schema
into what the canonical schema asks for; writing is its inverse. Reading never judges and never fails: what does not
have the form is given back as it is, for the codec to refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from toolgen.runtime import Issue, Mend, PayloadError
from toolgen.runtime.faults import one_of, unknown
from toolgen.runtime.jsontext import parse, written
from toolgen.runtime.kinds import json_type
from toolgen.runtime.pointers import escaped, unescaped
from toolgen.runtime.recovery import object_at, place_in
from toolgen.runtime.told import REASONING

Scalar = bool | int | float | str


@dataclass(slots=True)
class Property:
    """A property.

    Attributes:
        name: its projected name.
        at: what stands there.
        absent: null, which the canonical schema refuses, stands for its absence.
        fill: the one value that stands for its absence, where it may not be left out.
    """

    name: str
    at: Position
    absent: bool = False
    fill: tuple[Any, ...] = ()


@dataclass(slots=True)
class Arm:
    """One arm of a union: the JSON types it takes and, for an object, the values of each property that names it."""

    at: Position
    kinds: frozenset[str]
    tags: tuple[tuple[str, tuple[Scalar, ...]], ...] = ()


@dataclass(slots=True)
class Position:
    """One position of a schema.

    Attributes:
        properties: of an object, by canonical name.
        closed: unknown keys are not written, though the canonical schema takes them.
        values: what the values of a map are.
        items: what the elements of an array are.
        words: the values that strings stand for.
        arms: of a union.
        ref: the name of the definition that stands here.
    """

    properties: dict[str, Property] = field(default_factory=dict)
    closed: bool = False
    values: Position | None = None
    items: Position | None = None
    words: dict[str, Scalar] = field(default_factory=dict)
    arms: tuple[Arm, ...] = ()
    ref: str | None = None


def alike(left: object, right: object) -> bool:
    """Equality as JSON has it: 1 is 1.0, and true is not 1."""
    return left == right and isinstance(left, bool) == isinstance(right, bool)


class Form:
    """The form of a whole input. ``payload`` is the property that holds the response of a submit, where it is one's:
    models write that into the reasoning too."""

    def __init__(
        self, root: Position, definitions: Mapping[str, Position], *, changes: bool, payload: str | None = None
    ) -> None:
        self._root = root
        self._definitions = definitions
        self._payload = payload
        self.changes = changes

    def read(self, value: Any) -> Any:
        """The canonical input; the same object where nothing had to be changed."""
        return self._read(value, self._root)

    def write(self, value: Any) -> Any:
        """The input in this form."""
        return self._write(value, self._root)

    def path(self, path: str) -> str:
        """A JSON Pointer into the canonical input, as one into the input in this form.

        Nothing but the path tells the arm of a union: it is the first that has such a property.
        """
        return self._path(path)[0]

    def issue(self, issue: Issue) -> Issue:
        """An issue of the canonical input, with its path, the names of its fields and what is allowed in this form."""
        path, place = self._path(issue.path)
        if issue.allowed is None:
            return replace(issue, path=path)
        if issue.constraint != "unknown_field":
            return replace(issue, path=path) if place is None else self._allowed(replace(issue, path=path), place)
        parent, _, key = issue.path.rpartition("/")
        _, at = self._path(parent)
        names = tuple(self._step(name, at)[0] for name in issue.allowed)
        told = unknown(path, unescaped(key), names, issue.hint is not None)
        return replace(issue, path=path, message=told.message, allowed=names, hint=told.hint)

    def _allowed(self, issue: Issue, at: Position) -> Issue:
        """An issue that says which values are allowed, with those that are written as words here."""
        assert issue.allowed is not None
        allowed = tuple(self._write(value, at) for value in issue.allowed)
        if issue.expected is None or all(new is old for new, old in zip(allowed, issue.allowed, strict=True)):
            return issue
        expected = one_of(allowed)
        message = issue.message.replace(issue.expected, expected)
        return replace(issue, message=message, expected=expected, allowed=allowed)

    def _path(self, path: str) -> tuple[str, Position | None]:
        """The path in this form, and the position that it leads to; None where the schema says nothing of it."""
        told = ""
        place: Position | None = self._root
        for key in map(unescaped, path.split("/")[1:]):
            name, place = self._step(key, place)
            told = f"{told}/{escaped(name)}"
        return told, place

    def _step(self, key: str, at: Position | None) -> tuple[str, Position | None]:
        """The projected name of a key, and what stands there."""
        places = [] if at is None else list(self._places(at))
        for place in places:
            if key in place.properties:
                return place.properties[key].name, place.properties[key].at
        inner = [found for place in places if (found := place.items or place.values) is not None]
        return key, inner[0] if inner else None

    def _places(self, at: Position) -> Iterator[Position]:
        """The position, or the arms of a union."""
        at = self._resolved(at)
        if not at.arms:
            yield at
        for arm in at.arms:
            yield from self._places(arm.at)

    def _resolved(self, at: Position) -> Position:
        while at.ref is not None:
            at = self._definitions[at.ref]
        return at

    # Reading

    def _read(self, value: Any, at: Position) -> Any:
        at = self._resolved(at)
        if at.arms:
            arm = self._read_arm(value, at)
            if arm is not None:
                return self._read(value, arm)
            return self._read_text(value, at) if isinstance(value, str) else value
        if isinstance(value, str):
            return at.words[value] if value in at.words else self._read_text(value, at)
        if isinstance(value, list):
            return value if at.items is None else self._read_list(value, at.items)
        return self._read_object(value, at) if isinstance(value, Mapping) else value

    def _read_text(self, text: str, at: Position, start: int = 0) -> str:
        """A list or an object that was written as JSON text, which it stays, with what a submit passes over behind it:
        mending that is for the codec. What it would not take stays as the model wrote it."""
        holds = at.arms or at.properties or at.items or at.values
        found = _value_in(text, start) if holds else None
        if found is None:
            return text
        value, mended, begins, ends = found
        read = self._read(value, at)
        return text if read is value else f"{text[:begins]}{written(read, mended)}{text[ends:]}"

    def _read_reasoning(self, given: Mapping[str, Any], payload: str) -> Mapping[str, Any]:
        """The input of a submit that lacks its payload: where that stands in the reasoning, it is read there."""
        text, told = given.get(REASONING), self._root.properties[payload]
        place = place_in(text, told.name) if isinstance(text, str) else None
        if place is None or not isinstance(text, str):
            return given
        label = text[place.begins : place.payload].replace(f'"{told.name}"', f'"{payload}"')
        read = self._read_text(text, self._resolved(told.at), place.payload)
        new = f"{text[: place.begins]}{label}{read[place.payload :]}"
        return given if new == text else {**given, REASONING: new}

    def _read_list(self, value: list[Any], items: Position) -> list[Any]:
        read = [self._read(item, items) for item in value]
        return value if all(new is old for new, old in zip(read, value, strict=True)) else read

    def _read_object(self, value: Mapping[str, Any], at: Position) -> Any:
        by_name = {inner.name: (name, inner) for name, inner in at.properties.items()}
        changed = False
        read: dict[str, Any] = {}
        for key, item in value.items():
            name, inner = by_name.get(key, (key, None))
            if inner is None:
                new = item if at.values is None else self._read(item, at.values)
            elif item is None and inner.absent:
                changed = True
                continue
            else:
                new = self._read(item, inner.at)
            changed = changed or new is not item or name != key
            read[name] = new
        if at is self._root and self._payload is not None and self._payload not in read:
            return self._read_reasoning(read if changed else value, self._payload)
        return read if changed else value

    def _read_arm(self, value: Any, at: Position) -> Position | None:
        kind = json_type(value)
        found: list[Position] = []
        for arm in at.arms:
            inner = self._resolved(arm.at)
            if isinstance(value, str) and value in inner.words:
                return inner
            if kind in arm.kinds and (not isinstance(value, Mapping) or self._read_tags(value, arm, inner)):
                found.append(inner)
        return _fitting(found, value, lambda inner: {each.name for each in inner.properties.values()})

    def _read_tags(self, value: Mapping[str, Any], arm: Arm, inner: Position) -> bool:
        for name, members in arm.tags:
            tag = inner.properties[name]
            given = self._read(value.get(tag.name), tag.at)
            if not any(alike(given, member) for member in members):
                return False
        return True

    # Writing

    def _write(self, value: Any, at: Position) -> Any:
        at = self._resolved(at)
        if at.arms:
            arm = self._write_arm(value, at)
            return value if arm is None else self._write(value, arm)
        if isinstance(value, list):
            return value if at.items is None else [self._write(item, at.items) for item in value]
        if isinstance(value, Mapping):
            return self._write_object(value, at)
        for word, meant in at.words.items():
            if alike(meant, value) and isinstance(meant, str) == isinstance(value, str):
                return word
        return value

    def _write_object(self, value: Mapping[str, Any], at: Position) -> dict[str, Any]:
        written: dict[str, Any] = {}
        for name, inner in at.properties.items():
            if name in value:
                written[inner.name] = self._write(value[name], inner.at)
            elif inner.fill:
                written[inner.name] = None if inner.fill[0] is None else self._write(inner.fill[0], inner.at)
        for key, item in value.items():
            if key not in at.properties and not at.closed:
                written[key] = item if at.values is None else self._write(item, at.values)
        return written

    def _write_arm(self, value: Any, at: Position) -> Position | None:
        kind = json_type(value)
        found: list[Position] = []
        for arm in at.arms:
            inner = self._resolved(arm.at)
            if inner.words and any(alike(value, meant) for meant in inner.words.values()):
                return inner
            if kind in arm.kinds and (kind != "object" or _has_tags(value, arm)):
                found.append(inner)
        return _fitting(found, value, lambda inner: {*inner.properties})


def _fitting(found: list[Position], value: Any, names: Callable[[Position], set[str]]) -> Position | None:
    """The arm that a value is of: where no tag tells several objects apart, the first that names all of its keys."""
    if len(found) > 1 and isinstance(value, Mapping):
        return next((inner for inner in found if value.keys() <= names(inner)), found[0])
    return found[0] if found else None


def _value_in(text: str, start: int) -> tuple[Any, tuple[Mend, ...], int, int] | None:
    """The object that stands in a text from ``start`` on, or the list that is the rest of it, what was mended to read
    it, and where it begins and ends."""
    if not text[start:].lstrip().startswith("["):
        found = object_at(text, start)
        return None if found is None else (found.value, found.mended, found.begins, found.ends)
    try:
        value, mended = parse(text[start:], lenient=True)
    except PayloadError:
        return None
    return value, mended, start, len(text)


def _has_tags(value: Mapping[str, Any], arm: Arm) -> bool:
    return all(any(alike(value.get(name), member) for member in members) for name, members in arm.tags)
