"""Nodes of several schemas: one of several forms, and all of several at once."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from toolgen.runtime import equality, faults, wanted, words
from toolgen.runtime.faults import Where
from toolgen.runtime.kinds import KIND_OF, KINDS
from toolgen.runtime.nodes import MISSING, Choice, Node, Walk, embedded, real
from toolgen.runtime.numbers import whole
from toolgen.runtime.parts import Field, ObjectPart, Typed
from toolgen.runtime.rules import form_of

_MOST_NAMED = 20
_LONGEST_NAME = 60


class AnyOf:
    """One of several forms: told apart by JSON type and, among objects, by a tag; else each is tried in turn.

    ``exclusive``: a value must fit one form only (``oneOf``).
    """

    def __init__(self, arms: Sequence[Node], exclusive: bool, description: str | None) -> None:
        self.description = description
        self._arms = tuple(arms)
        self._exclusive = exclusive
        self._entered = False
        self._telling = False

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

    @cached_property
    def _whole_only(self) -> bool:
        """Whether whole numbers are the only numbers that are taken."""
        return not any("number" in arm.kinds for arm in self._arms)

    @property
    def wanted(self) -> str:
        if self._telling:  # a form of itself adds nothing
            return ""
        self._telling = True
        try:
            return wanted.either(filter(None, self._wanted()))
        finally:
            self._telling = False

    def _wanted(self) -> Iterator[str]:
        """The words of each form; those that a tag tells apart have theirs together, at the end."""
        told = self._by_kind["object"] if self._tag is not None else ()
        for arm in self._arms:
            if arm not in told:
                yield arm.wanted
        if self._tag is not None:
            yield self._tag.wanted

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        kind = KIND_OF.get(type(value))
        arms = self._by_kind[kind] if kind else ()
        if kind == "number" and self._whole_only and math.isfinite(value) and whole(value) is None:
            return self._refuse(value, where, walk)
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
            value = embedded(value, self, where, walk)
            return None if value is MISSING else self.check(value, where, walk)
        walk.fault(where, faults.wrong_type, self, value, self.description)
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
        elif best is not None and type(value) not in (dict, list) and len({arm.wanted for arm in arms}) == len(arms):
            walk.fault(where, faults.no_form, self, value, self.description, best.faults)
            walk.hints = best.hints
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
        parts = [node.object if isinstance(node, Typed) else None for node in map(form_of, arms)]
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
                said = {choice.description for choice in choices if choice is not None}
                # Each form describes its own tag; of a tag that names none of them, only the union can say anything.
                return cls(name, by_value, Choice(allowed, said.pop() if len(said) == 1 else description))
        return None

    @property
    def wanted(self) -> str:
        kinds = tuple(dict.fromkeys(map(words.quote, self._choice.allowed[:_MOST_NAMED])))
        more = len(self._choice.allowed) - _MOST_NAMED
        last = (f"{more} more",) if more > 0 else ()
        return f"an object with {words.printable(words.cut(self._name, _LONGEST_NAME))} {wanted.either(kinds + last)}"

    def arm(self, value: dict[str, Any], where: Where, walk: Walk) -> Node | None:
        """The form that the object's tag names; None, with the fault noted, where it names none."""
        tag = value.get(self._name, MISSING)
        if tag is MISSING:
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
        self._telling = False

    @property
    def kinds(self) -> frozenset[str]:
        if self._entered:
            return KINDS
        self._entered = True
        try:
            return KINDS.intersection(*(_with_integers(node.kinds) for node in self._nodes))
        finally:
            self._entered = False

    @property
    def wanted(self) -> str:
        """The words of the narrowest of them; of several as narrow, the one that says most."""
        kinds = self.kinds
        if self._telling:
            return faults.kind_words(kinds)
        self._telling = True
        try:
            alike = [node for node in self._nodes if _with_integers(node.kinds) <= _with_integers(kinds)]
            return max((node.wanted for node in alike), key=_length, default=faults.kind_words(kinds))
        finally:
            self._telling = False

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        results = [node.check(value, where, walk) for node in self._nodes]
        if all(type(result) is dict for result in results):
            return {key: item for result in reversed(results) for key, item in result.items()}
        # A schema that names no type gives numbers back as they came; one that wants integers has made an int of it.
        return next((result for result in results if type(result) is int), results[0])


def _length(phrase: str) -> int:
    return -1 if phrase == wanted.ANY else len(phrase)


def _with_integers(kinds: frozenset[str]) -> frozenset[str]:
    return kinds | {"integer"} if "number" in kinds else kinds
