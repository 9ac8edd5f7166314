"""Schema nodes: each judges one value and gives back its canonical form.

A node's ``check(value, where, walk)`` notes every fault in ``walk`` and returns the value as canonical JSON built
fresh; what it returns counts only when no fault was noted. Values are what ``jsontext`` and ``foreign`` give: dicts,
lists, scalars, ``Number`` and ``Foreign``. Here is what all nodes share, and the simplest of them; ``parts`` judges
values by their JSON type, ``forms`` by several schemas at once, and ``schemanodes`` builds nodes from a schema.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from typing import Any, Final, Protocol

from toolgen.runtime import equality, faults, jsontext, wanted
from toolgen.runtime.faults import Faults, Where
from toolgen.runtime.foreign import Foreign
from toolgen.runtime.issues import Mend, PayloadError
from toolgen.runtime.kinds import KIND_OF, KINDS

_MOST_HINTS: Final = 10
MISSING: Final = object()
"""Stands for a value that is not there."""


class Walk:
    """What one walk over an input has found."""

    def __init__(self, *, lenient: bool) -> None:
        self.lenient = lenient
        self.faults = Faults()
        self.fault = self.faults.add
        self.notes: list[Mend] = []
        self.hints = 0

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
        self.faults.extend(trial.faults)
        self.notes += trial.notes
        self.hints = trial.hints


class Node(Protocol):
    """One schema, ready to judge values."""

    @property
    def description(self) -> str | None:
        """What the schema says of the value, in prose."""
        ...

    @property
    def kinds(self) -> frozenset[str]:
        """The JSON types that it may take."""
        ...

    @property
    def wanted(self) -> str:
        """What it takes, in words for the model: ``an integer from 1 to 100``."""
        ...

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        """The canonical form of ``value``; every fault is noted in ``walk``."""


class Anything:
    """Takes every JSON value."""

    description: str | None = None
    kinds = KINDS
    wanted = wanted.ANY

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        kind = type(value)
        if kind is str:
            return text(value, where, walk, None)
        if kind is dict:
            return {key_text(key, where, walk): self.check(item, (where, key), walk) for key, item in value.items()}
        if kind is list:
            return [self.check(item, (where, index), walk) for index, item in enumerate(value)]
        if kind is Foreign:
            walk.fault(where, faults.wrong_type, self, value, None)
        elif isinstance(value, float):
            return finite(value, where, walk, None)
        return value


ANYTHING: Final = Anything()


class Nothing:
    """Takes no value."""

    kinds: frozenset[str] = frozenset()
    wanted = "left out"

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

    @property
    def wanted(self) -> str:
        return self._built.wanted

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


def embedded(value: str, node: Node, where: Where, walk: Walk, lone: str | None = None) -> Any:
    """The object or array that a text holds as JSON; ``MISSING``, with the fault noted, where it holds none.

    ``lone`` is what to do with a text that may be an item of the array.
    """
    kinds = node.kinds & {"object", "array"}
    hint: str | None
    try:
        parsed = jsontext.parse(value, lenient=True, max_depth=jsontext.MAX_DEPTH - faults.depth(where))
    except PayloadError:
        hint = lone or "The string does not hold a whole JSON value; write the value itself, not as a string."
    else:
        if KIND_OF[type(parsed.value)] in kinds:
            pointer = faults.pointer(where)
            walk.notes += [Mend(pointer, note.what) for note in parsed.notes]
            walk.notes.append(Mend(pointer, f"{faults.kind_words(kinds)} written as a JSON string"))
            return parsed.value
        hint = lone or f"Write {faults.kind_words(kinds)}, not a string."
    walk.fault(where, faults.wrong_type, node, value, node.description, hint)
    return MISSING


# --- choices ---------------------------------------------------------------------------------------------------------


class Choice:
    """One of some values (``enum``, ``const``); gives the schema's own member."""

    def __init__(self, allowed: Iterable[Any], description: str | None) -> None:
        self.allowed = tuple(allowed)
        self.description = description
        self.members: dict[Hashable, Any] = {}
        for member in self.allowed:
            self.members.setdefault(equality.key(member), member)
        self.kinds = frozenset(KIND_OF[type(member)] for member in self.allowed)
        self.names = tuple(member for member in self.allowed if isinstance(member, str))
        self._wanted: str | None = None

    @property
    def wanted(self) -> str:
        if self._wanted is None:
            self._wanted = faults.one_of(self.allowed)
        return self._wanted

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        member = self.members.get(equality.key(value), MISSING)
        if member is MISSING:
            may_hint = type(value) is str and walk.may_hint()
            walk.fault(where, faults.not_allowed, self, value, self.description, may_hint)
            return None
        return _fresh(member)


def _fresh(value: Any) -> Any:
    if type(value) is list:
        return [_fresh(item) for item in value]
    if type(value) is dict:
        return {key: _fresh(item) for key, item in value.items()}
    return value
