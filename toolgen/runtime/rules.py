"""Nodes of rules: keywords that judge a value and say nothing of its form.

What a rule makes of a value is thrown away; only its faults count. So a rule never mends, and the value that it judges
is the one that the form beside it has mended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolgen.runtime import faults, wanted
from toolgen.runtime.faults import Where
from toolgen.runtime.kinds import KINDS
from toolgen.runtime.nodes import Node, Walk, real
from toolgen.runtime.parts import Field, Typed


def holds(node: Node, value: Any) -> bool:
    """Whether a value fits, to the letter."""
    walk = Walk(lenient=False)
    node.check(value, None, walk)
    return not walk.faults


class Rule:
    """Judges a value and gives it back as it is."""

    kinds = KINDS
    wanted = wanted.ANY

    def __init__(self, description: str | None) -> None:
        self.description = description

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        self.judge(value, where, walk)
        return value

    def judge(self, value: Any, where: Where, walk: Walk) -> None:
        raise NotImplementedError


class Strict(Rule):
    """All faults of a schema, with none of its mends."""

    def __init__(self, node: Node) -> None:
        super().__init__(None)
        self._node = node

    def judge(self, value: Any, where: Where, walk: Walk) -> None:
        trial = Walk(lenient=False)
        trial.hints = walk.hints
        self._node.check(value, where, trial)
        walk.faults.extend(trial.faults)
        walk.hints = trial.hints


class Not(Rule):
    """``not``: the value must not fit."""

    def __init__(self, node: Node, described: str, description: str | None) -> None:
        super().__init__(description)
        self._node = node
        self._described = described

    def judge(self, value: Any, where: Where, walk: Walk) -> None:
        if holds(self._node, value):
            walk.fault(where, faults.forbidden, self._described, value, self.description)


class Conditional(Rule):
    """``if``, ``then`` and ``else``."""

    def __init__(self, condition: Node, then: Node | None, otherwise: Node | None, description: str | None) -> None:
        super().__init__(description)
        self._condition = condition
        self._then = None if then is None else Strict(then)
        self._otherwise = None if otherwise is None else Strict(otherwise)

    def judge(self, value: Any, where: Where, walk: Walk) -> None:
        branch = self._then if holds(self._condition, value) else self._otherwise
        if branch is not None:
            branch.judge(value, where, walk)


class Dependent(Rule):
    """``dependentRequired`` and ``dependentSchemas``: what holds of an object that has a key."""

    def __init__(self, keys: Mapping[str, Sequence[str]], schemas: Mapping[str, Node], description: str | None) -> None:
        super().__init__(description)
        self._keys = keys
        self._schemas = {name: Strict(node) for name, node in schemas.items()}

    def judge(self, value: Any, where: Where, walk: Walk) -> None:
        if type(value) is not dict:
            return
        for name, others in self._keys.items():
            for other in others if name in value else ():
                if other not in value:
                    walk.fault((where, other), faults.missing_beside, name)
        for name, schema in self._schemas.items():
            if name in value:
                schema.judge(value, where, walk)


class Names(Rule):
    """``propertyNames``: what holds of every key."""

    def __init__(self, node: Node, description: str | None) -> None:
        super().__init__(description)
        self._node = Strict(node)

    def judge(self, value: Any, where: Where, walk: Walk) -> None:
        if type(value) is dict:
            for key in value:
                self._node.judge(key, (where, key), walk)


class Contains(Rule):
    """``contains`` with ``minContains`` and ``maxContains``: how many items fit."""

    def __init__(self, node: Node, least: int, most: int | None, description: str | None) -> None:
        super().__init__(description)
        self._node = node
        self._least = least
        self._most = most

    def judge(self, value: Any, where: Where, walk: Walk) -> None:
        if type(value) is not list:
            return
        count = sum(holds(self._node, item) for item in value)
        if count < self._least or (self._most is not None and count > self._most):
            walk.fault(where, faults.wrong_count, self._least, self._most, count, self.description)


class Ruled:
    """A form, and the rules that what it makes of a value must hold to."""

    def __init__(self, form: Node, rules: Sequence[Rule], description: str | None) -> None:
        self.description = description
        self._form = form
        self._rules = tuple(rules)

    @property
    def kinds(self) -> frozenset[str]:
        return self._form.kinds

    @property
    def wanted(self) -> str:
        return self._form.wanted

    @property
    def form(self) -> Node:
        """The form without its rules."""
        return self._form

    def check(self, value: Any, where: Where, walk: Walk) -> Any:
        before = len(walk.faults)
        result = self._form.check(value, where, walk)
        if len(walk.faults) == before:
            whole = self._whole(value, result) if walk.lenient else value
            for rule in self._rules:
                rule.judge(whole, where, walk)
        return result

    def _whole(self, value: Any, result: Any) -> Any:
        """The value with its mends, and with the unknown keys that an open object leaves out."""
        if type(value) is not dict or type(result) is not dict:
            return result
        fields: Mapping[str, Field] = getattr(_object(self._form), "fields", {})
        return {**{key: item for key, item in value.items() if key not in fields}, **result}


def form_of(node: Node) -> Node:
    """The form of a node, without the rules on it."""
    node = real(node)
    return form_of(node.form) if isinstance(node, Ruled) else node


def _object(node: Node) -> object:
    form = form_of(node)
    return form.object if isinstance(form, Typed) else None
