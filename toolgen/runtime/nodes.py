"""Schema nodes: each judges one value and gives back its canonical form.

A node's ``check(value, where, walk)`` notes every fault in ``walk`` and returns the value as canonical JSON built
fresh; what it returns counts only when no fault was noted. Values are what ``jsontext`` and ``foreign`` give: dicts,
lists, scalars, ``Number`` and ``Foreign``. ``schemanodes`` builds them from a schema.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from toolgen.runtime import equality, faults, formats, jsontext, patterns
from toolgen.runtime.faults import Fault, Where
from toolgen.runtime.foreign import Foreign
from toolgen.runtime.issues import Issue, Mend, PayloadError
from toolgen.runtime.numbers import Number, is_multiple, whole

KINDS: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
"""The JSON types. A number without a fraction is of both numeric kinds."""

KIND_OF: Final[Mapping[type, str]] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    Number: "number",
    str: "string",
    list: "array",
    dict: "object",
}

_MOST_HINTS: Final = 10
_MISSING: Final = object()


class Walk:
    """What one walk over an input has found."""

    def __init__(self, *, lenient: bool) -> None:
        self.lenient = lenient
        self.faults: list[Fault] = []
        self.notes: list[Mend] = []
        self.hints = 0

    def fault(self, where: Where, make: Callable[..., Issue], *about: Any) -> None:
        self.faults.append(Fault(where, make, about))

    def may_hint(self) -> bool:
        """Whether a near match may be looked for: only a few times in an input, however many faults it has."""
        self.hints += 1
        return self.hints <= _MOST_HINTS

    def branch(self) -> Walk:
        """A walk of its own, for a trial of one form out of several."""
        trial = Walk(lenient=self.lenient)
        trial.hints = self.hints
        return trial

    def adopt(self, trial: Walk) -> None:
        self.faults += trial.faults
        self.notes += trial.notes
        self.hints = trial.hints


class Node(Protocol):
    """One schema, ready to judge values."""

    @property
    def description(self) -> str | None:
        """What the schema says of the value, in prose."""

    @property
    def kinds(self) -> frozenset[str]:
        """The JSON types that it may take."""

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        """The canonical form of ``value``; every fault is noted in ``walk``."""


class Anything:
    """Takes every JSON value."""

    description: str | None = None
    kinds = KINDS

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        kind = type(value)
        if kind is str:
            return text(value, where, walk, None)
        if kind is dict:
            return {key_text(key, where, walk): self.check(item, (where, key), walk) for key, item in value.items()}
        if kind is list:
            return [self.check(item, (where, index), walk) for index, item in enumerate(value)]
        if kind is Foreign:
            walk.fault(where, faults.wrong_type, KINDS, value, None)
        elif isinstance(value, float):
            return finite(value, where, walk, None)
        return value


ANYTHING: Final = Anything()


class Nothing:
    """Takes no value."""

    kinds: frozenset[str] = frozenset()

    def __init__(self, description: str | None) -> None:
        self.description = description

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        walk.fault(where, faults.never, value, self.description)


class Later:
    """Stands for a node that is still being built: a schema may hold itself."""

    def __init__(self) -> None:
        self.node: Node | None = None

    @property
    def _built(self) -> Node:
        assert self.node is not None
        return self.node

    @property
    def description(self) -> str | None:
        return self._built.description

    @property
    def kinds(self) -> frozenset[str]:
        return self._built.kinds

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        return self._built.check(value, where, walk)


def real(node: Node) -> Node:
    """The node itself, where ``node`` only stands for it."""
    while isinstance(node, Later) and node.node is not None:
        node = node.node
    return node


# --- what every node of a kind does --------------------------------------------------------------------------------


def text(value: str, where: Where, walk: Walk, about: str | None) -> str | None:
    """The text, if it is of whole characters: JSON can spell half of a surrogate pair, which no UTF-8 can hold."""
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            walk.fault(where, faults.surrogate, value, about)
            return None
    return value


def key_text(key: str, where: Where, walk: Walk) -> str:
    """The key of an object, judged as a text is."""
    if not key.isascii():
        try:
            key.encode()
        except UnicodeEncodeError:
            walk.fault((where, key), faults.surrogate, key, None, "the key")
    return key


def finite(value: float, where: Where, walk: Walk, about: str | None) -> float | None:
    """The number as a plain float, if it is finite."""
    if math.isfinite(value):
        return float(value)
    walk.fault(where, faults.too_large, value, about)
    return None


def embedded(value: str, kinds: frozenset[str], where: Where, walk: Walk, about: str | None) -> Any:
    """The object or array that a text holds as JSON; ``_MISSING``, with the fault noted, where it holds none."""
    wanted = kinds & {"object", "array"}
    hint: str | None = None
    try:
        parsed = jsontext.parse(value, lenient=True, max_depth=jsontext.MAX_DEPTH - faults.depth(where))
    except PayloadError:
        hint = "The string does not hold a whole JSON value; write the value itself, not as a string."
    else:
        if KIND_OF[type(parsed.value)] in wanted:
            pointer = faults.pointer(where)
            walk.notes += [Mend(pointer, note.what) for note in parsed.notes]
            walk.notes.append(Mend(pointer, f"{faults.kind_words(wanted)} written as a JSON string"))
            return parsed.value
        hint = f"Write {faults.kind_words(wanted)}, not a string."
    walk.fault(where, faults.wrong_type, kinds, value, about, hint)
    return _MISSING


# --- typed values --------------------------------------------------------------------------------------------------

Part: TypeAlias = Callable[[Any, Where, Walk], Any]


class Typed:
    """Judges a value by its JSON type: ``parts`` has a check for each Python type that is taken."""

    def __init__(self, kinds: frozenset[str], parts: Mapping[type, Part], description: str | None) -> None:
        self.kinds = kinds
        self.description = description
        self.object: ObjectPart | None = None
        self._parts = dict(parts)
        self._embeds = "string" not in kinds and bool(kinds & {"object", "array"})

    def take_objects(self, part: ObjectPart) -> None:
        """Adds what judges objects, which a tag may later look into."""
        self.object = part
        self._parts[dict] = part.check

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        part = self._parts.get(type(value))
        if part is not None:
            return part(value, where, walk)
        if self._embeds and walk.lenient and type(value) is str:
            value = embedded(value, self.kinds, where, walk, self.description)
            return None if value is _MISSING else self.check(value, where, walk)
        walk.fault(where, faults.wrong_type, self.kinds, value, self.description)
        return None


def same(value: Any, where: Where, walk: Walk) -> Any:
    """The check of a value about which there is nothing more to say."""
    return value


class NumberPart:
    """Bounds on numbers, compared exactly.

    ``integers`` says that a number must be whole, and gives an int; ``floats`` that a whole number gives a float too.
    """

    def __init__(
        self,
        *,
        integers: bool,
        floats: bool,
        kinds: frozenset[str],
        low: tuple[tuple[int | float, bool], ...],
        high: tuple[tuple[int | float, bool], ...],
        step: int | float | None,
        description: str | None,
    ) -> None:
        self._integers = integers
        self._floats = floats
        self._kinds = kinds
        self._low = low
        self._high = high
        self._step = step
        self._bounded = bool(low or high or step is not None)
        self._description = description

    def integer(self, value: int, where: Where, walk: Walk) -> int | float | None:
        if self._bounded:
            self._bounds(value, where, walk)
        if not self._floats:
            return value
        try:
            return float(value)
        except OverflowError:
            walk.fault(where, faults.too_large, value, self._description)
            return None

    def number(self, value: float, where: Where, walk: Walk) -> int | float | None:
        plain = finite(value, where, walk, self._description)
        if plain is None:
            return None
        if self._integers:
            integer = whole(value)
            if integer is None:
                walk.fault(where, faults.wrong_type, self._kinds, value, self._description)
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
                walk.fault(where, faults.not_formatted, instead, value, self._description)
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
    """Items of an array, their number, and that none comes twice."""

    def __init__(self, items: Node | None, size: SizePart | None, unique: bool, description: str | None) -> None:
        self._items = items or ANYTHING
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
        check = self._items.check
        return [check(item, (where, index), walk) for index, item in enumerate(value)]


class Field(NamedTuple):
    """A declared property of an object."""

    name: str
    node: Node
    required: bool

    def missing(self, where: Where, walk: Walk) -> None:
        node = real(self.node)
        allowed = node.allowed if isinstance(node, Choice) else None
        walk.fault((where, self.name), _missing, allowed, node.kinds, node.description)


def _missing(path: str, allowed: tuple[Any, ...] | None, kinds: frozenset[str], about: str | None) -> Issue:
    return faults.missing(path, faults.expected_words(allowed, kinds), allowed, about)


class ObjectPart:
    """Properties of an object.

    ``others`` judges what is not declared; None leaves it out, once it is seen to be JSON.
    """

    def __init__(
        self,
        fields: Sequence[Field],
        undeclared: Sequence[str],
        others: Node | None,
        size: SizePart | None,
        description: str | None,
    ) -> None:
        self.fields = {field.name: field for field in fields}
        self._fields = tuple((f.name, f.node.check, f) for f in fields)
        self._undeclared = tuple(undeclared)
        self._others = others
        self._size = size
        self._names = tuple(self.fields)
        self._description = description

    def check(self, value: dict[str, Any], where: Where, walk: Walk) -> dict[str, Any]:
        out: dict[str, Any] = {}
        found = 0
        for name, check, field in self._fields:
            item = value.get(name, _MISSING)
            if item is _MISSING:
                if field.required:
                    field.missing(where, walk)
                continue
            found += 1
            if item is None and walk.lenient and not field.required and "null" not in field.node.kinds:
                walk.notes.append(Mend(faults.pointer((where, name)), "null where a field may be left out"))
                continue
            out[name] = check(item, (where, name), walk)
        for name in self._undeclared:
            if name not in value:
                walk.fault((where, name), _missing, None, KINDS, None)
        if found < len(value):
            self._check_others(value, where, walk, out)
        if self._size is not None:
            self._size.check(len(value), where, walk)
        return out

    def _check_others(self, value: dict[str, Any], where: Where, walk: Walk, out: dict[str, Any]) -> None:
        others = self._others
        for key, item in value.items():
            if key in self.fields:
                continue
            if type(others) is Nothing:
                walk.fault((where, key), faults.unknown, key, self._names, walk.may_hint())
                continue
            key_text(key, where, walk)
            if others is None:
                ANYTHING.check(item, (where, key), walk)
            else:
                out[key] = others.check(item, (where, key), walk)


# --- choices -------------------------------------------------------------------------------------------------------


class Choice:
    """One of some values (``enum``, ``const``); gives the schema's own member."""

    def __init__(self, allowed: Iterable[Any], description: str | None) -> None:
        self.allowed = tuple(allowed)
        self.description = description
        self.members: dict[Hashable, Any] = {}
        for member in self.allowed:
            self.members.setdefault(equality.key(member), member)
        self.kinds = frozenset(KIND_OF[type(member)] for member in self.allowed)

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        member = self.members.get(equality.key(value), _MISSING)
        if member is _MISSING:
            may_hint = type(value) is str and walk.may_hint()
            walk.fault(where, faults.not_allowed, self.allowed, value, self.description, may_hint)
            return None
        return _fresh(member)


def _fresh(value: Any) -> Any:
    if type(value) is list:
        return [_fresh(item) for item in value]
    if type(value) is dict:
        return {key: _fresh(item) for key, item in value.items()}
    return value


class AnyOf:
    """One of several forms: told apart by JSON type and, among objects, by a tag; else each is tried in turn.

    ``exclusive``: a value must fit one form only (``oneOf``).
    """

    def __init__(self, arms: Sequence[Node], exclusive: bool, description: str | None) -> None:
        self.description = description
        self._arms = tuple(arms)
        self._exclusive = exclusive
        self._entered = False

    @property
    def kinds(self) -> frozenset[str]:
        if self._entered:  # a form of itself adds nothing
            return frozenset()
        self._entered = True
        try:
            return frozenset().union(*(arm.kinds for arm in self._arms))
        finally:
            self._entered = False

    @cached_property
    def _by_kind(self) -> dict[str, tuple[Node, ...]]:
        takes = {kind: {"integer", "number"} if kind in ("integer", "number") else {kind} for kind in KINDS}
        return {kind: tuple(arm for arm in self._arms if arm.kinds & takes[kind]) for kind in KINDS}

    @cached_property
    def _tag(self) -> Tag | None:
        return Tag.of(self._by_kind["object"], self.description)

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        kind = KIND_OF.get(type(value))
        arms = self._by_kind[kind] if kind else ()
        if len(arms) == 1:
            return arms[0].check(value, where, walk)
        if not arms:
            return self._refuse(value, where, walk)
        if kind == "object" and self._tag is not None:
            arm = self._tag.arm(value, where, walk)
            return None if arm is None else arm.check(value, where, walk)
        return self._try(arms, value, where, walk)

    def _refuse(self, value: Any, where: Where, walk: Walk) -> Any:
        kinds = self.kinds
        if walk.lenient and type(value) is str and kinds & {"object", "array"}:
            value = embedded(value, kinds, where, walk, self.description)
            return None if value is _MISSING else self.check(value, where, walk)
        walk.fault(where, faults.wrong_type, kinds, value, self.description)
        return None

    def _try(self, arms: Sequence[Node], value: Any, where: Where, walk: Walk) -> Any:
        fits: list[tuple[Walk, Any]] = []
        best: Walk | None = None
        for arm in arms:
            trial = walk.branch()
            result = arm.check(value, where, trial)
            if not trial.faults:
                fits.append((trial, result))
                if not self._exclusive:
                    break
            elif best is None or len(trial.faults) < len(best.faults):
                best = trial
        if len(fits) > 1:
            walk.fault(where, faults.ambiguous, len(fits), value, self.description)
        elif fits:
            walk.adopt(fits[0][0])
            return fits[0][1]
        elif best is not None:
            walk.adopt(best)
        return None


class Tag:
    """The required property whose value tells which of several objects is meant."""

    def __init__(self, name: str, arms: Mapping[Hashable, Node], choice: Choice) -> None:
        self._name = name
        self._arms = arms
        self._choice = choice

    @classmethod
    def of(cls, arms: Sequence[Node], description: str | None) -> Tag | None:
        """The tag of the forms; None where they have none."""
        parts = [node.object if isinstance(node, Typed) else None for node in map(real, arms)]
        if len(parts) < 2 or parts[0] is None:
            return None
        for name in parts[0].fields:
            choices = [_tag_choice(part, name) for part in parts]
            by_value = {
                value: arm
                for arm, choice in zip(arms, choices, strict=True)
                if choice is not None
                for value in choice.members
            }
            if None not in choices and len(by_value) == sum(len(c.members) for c in choices if c is not None):
                allowed = [value for c in choices if c is not None for value in c.members.values()]
                first = choices[0]
                return cls(name, by_value, Choice(allowed, first.description if first else description))
        return None

    def arm(self, value: dict[str, Any], where: Where, walk: Walk) -> Node | None:
        """The form that the object's tag names; None, with the fault noted, where it names none."""
        tag = value.get(self._name, _MISSING)
        if tag is _MISSING:
            Field(self._name, self._choice, True).missing(where, walk)
            return None
        arm = self._arms.get(equality.key(tag))
        if arm is None:
            self._choice.check(tag, (where, self._name), walk)
        return arm


def _tag_choice(part: ObjectPart | None, name: str) -> Choice | None:
    field = part.fields.get(name) if part is not None else None
    if field is None or not field.required:
        return None
    node = real(field.node)
    return node if isinstance(node, Choice) else None


class AllOf:
    """All of several schemas at once.

    The canonical forms of objects are put together; of others the narrowest counts.
    """

    def __init__(self, nodes: Sequence[Node], description: str | None) -> None:
        self.description = description
        self._nodes = tuple(nodes)
        self._entered = False

    @property
    def kinds(self) -> frozenset[str]:
        if self._entered:
            return KINDS
        self._entered = True
        try:
            return KINDS.intersection(*(_with_integers(node.kinds) for node in self._nodes))
        finally:
            self._entered = False

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        results = [node.check(value, where, walk) for node in self._nodes]
        if all(type(result) is dict for result in results):
            return {key: item for result in reversed(results) for key, item in result.items()}
        # A schema that names no type gives numbers back as they came; one that wants integers has made an int of it.
        return next((result for result in results if type(result) is int), results[0])


def _with_integers(kinds: frozenset[str]) -> frozenset[str]:
    return kinds | {"integer"} if "number" in kinds else kinds
