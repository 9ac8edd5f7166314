"""The words of a generated contract test: inputs, what they decode to, and changes to them one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from toolgen.testing.shape import MISSING, put


class _AsGiven:
    """The sign that a value decodes to itself."""

    def __repr__(self) -> str:
        return "AS_GIVEN"


AS_GIVEN = _AsGiven()


@dataclass(frozen=True, slots=True)
class Accepts:
    """With ``value`` at the JSON Pointer ``at`` (``MISSING``: without the key) the input is taken.

    ``gives`` then stands at ``into`` in what is decoded, a pointer of Python names; it is ``at`` where none is given.
    With ``ignored`` nothing does: an open object leaves the key out.
    """

    at: str
    value: Any
    gives: Any = AS_GIVEN
    into: str | None = None
    ignored: bool = False


@dataclass(frozen=True, slots=True)
class Refuses:
    """With ``value`` at the JSON Pointer ``at`` the input is refused by ``constraint``, there or at ``path``."""

    at: str
    value: Any
    constraint: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Mends:
    """As ``Refuses``; but the model codec mends it, says so, and then ``gives`` stands at ``into``."""

    at: str
    value: Any
    constraint: str
    gives: Any
    into: str | None = None


Case = Accepts | Refuses | Mends


@dataclass(frozen=True, slots=True)
class Given:
    """An input as JSON, what it decodes to by Python names (see ``plain``), and changes to it, one at a time."""

    input: Any
    gives: Any
    cases: Sequence[Case] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """One field as declared. ``default`` is JSON; ``gives`` is what a missing field decodes to; MISSING: none may."""

    name: str
    wire: str | None = None
    role: str = "model"
    default: Any = MISSING
    gives: Any = MISSING

    @property
    def key(self) -> str:
        """The key in JSON."""
        return self.name if self.wire is None else self.wire


@dataclass(frozen=True, slots=True)
class Record:
    """One object type as declared.

    ``name`` is the one that it has under ``$defs``, in the schemas ``documents``; ``class_`` is its dataclass, as the
    package's name, a dot and the class's own.
    """

    name: str
    class_: str
    fields: Sequence[Field]
    closed: bool = True
    documents: Sequence[str] = ("MODEL", "EXECUTION", "RESULT", "RESPONSE")


@dataclass(frozen=True, slots=True)
class Submitted:
    """What a tool submits as declared.

    ``response`` holds responses, the first the smallest; ``record`` is the name of their type.
    ``payload`` is the parameter that holds the response; None: each of its properties is one.
    """

    response: Sequence[Given]
    record: str
    success: str
    payload: str | None = None
    reasoning: bool = True


def tried(given: Sequence[Given]) -> Iterator[tuple[Given, Case | None]]:
    for base in given:
        yield base, None
        yield from ((base, case) for case in base.cases)


def with_case(base: Given, case: Case | None) -> tuple[Any, Any]:
    """The input with the change, and what it decodes to."""
    if case is None:
        return base.input, base.gives
    changed = put(base.input, case.at, case.value)
    if isinstance(case, Refuses) or (isinstance(case, Accepts) and case.ignored):
        return changed, base.gives
    gives = case.value if case.gives is AS_GIVEN else case.gives
    return changed, put(base.gives, case.at if case.into is None else case.into, gives)
