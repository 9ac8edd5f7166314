"""Faults in words: how each kind of fault that the walk finds becomes an ``Issue``.

The walk only notes where a fault is and what it is about. Paths, quotations and near matches are made when somebody
asks for the issue, so that an input of a million faults costs no more than reading it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol, TypeAlias, overload

from toolgen.runtime import moments, wanted, words
from toolgen.runtime.foreign import Foreign
from toolgen.runtime.issues import Constraint, Issue
from toolgen.runtime.pointers import escaped

Where: TypeAlias = "tuple[Where, str | int] | None"
"""A place in the input: the place that holds it and the key or index there; None for the whole."""

_LONGEST_KEY: Final = 256
_LONGEST_POINTER: Final = 2_000


def pointer(where: Where) -> str:
    """The JSON Pointer (RFC 6901) of a place. Keys of more than 256 characters are cut, and so are endless pointers."""
    if where is not None and where[0] is None:
        return f"/{_escaped(where[1])}"
    parts: list[str] = []
    while where is not None:
        where, key = where
        parts.append(_escaped(key))
    parts.append("")
    text = "/".join(reversed(parts))
    if len(text) > _LONGEST_POINTER:
        return f"{text[: _LONGEST_POINTER // 2]}…{text[-_LONGEST_POINTER // 2 :]}"
    return text


def _escaped(key: str | int) -> str:
    if isinstance(key, int):
        return str(key)
    if len(key) > _LONGEST_KEY:
        key = key[:_LONGEST_KEY] + "…"
    return escaped(key) if "~" in key or "/" in key else key


def below(path: str, key: str | int) -> str:
    """The JSON Pointer of what stands at ``path`` under a key or an index."""
    return f"{path}/{_escaped(key)}"


def depth(where: Where) -> int:
    """How many levels above a place enclose it."""
    levels = 0
    while where is not None:
        where, levels = where[0], levels + 1
    return levels


class Faults(Sequence[Issue]):
    """What a walk has found, each fault put into words when it is asked for.

    All faults stand in one flat list: where, what makes an issue of a path, and what that is to be told besides. An
    input may have a million faults, and an object for each would cost the garbage collector a visit again and again.
    """

    def __init__(self) -> None:
        self._parts: list[Any] = []
        self._starts: list[int] = []

    def add(self, where: Where, make: Callable[..., Issue], *about: Any) -> None:
        """Notes a fault: ``make(path, *about)`` is its issue."""
        self._starts.append(len(self._parts))
        self._parts += (where, make, *about)

    def extend(self, others: Faults) -> None:
        """Adds all faults of another walk."""
        offset = len(self._parts)
        self._parts += others._parts
        self._starts += [start + offset for start in others._starts]

    def __len__(self) -> int:
        return len(self._starts)

    def __iter__(self) -> Iterator[Issue]:
        """Each issue, put into words when its first attribute is asked for."""
        return iter(Issue.deferred(self._issue, len(self._starts)))

    @overload
    def __getitem__(self, index: int) -> Issue: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Issue]: ...
    def __getitem__(self, index: int | slice) -> Issue | Sequence[Issue]:
        numbers = range(len(self))[index]
        return self._issue(numbers) if isinstance(numbers, int) else [self._issue(number) for number in numbers]

    def _issue(self, number: int) -> Issue:
        start = self._starts[number]
        end = self._starts[number + 1] if number + 1 < len(self._starts) else len(self._parts)
        parts = self._parts
        issue: Issue = parts[start + 1](pointer(parts[start]), *parts[start + 2 : end])
        return issue


@functools.lru_cache(maxsize=256)
def kind_words(kinds: frozenset[str]) -> str:
    """``an integer or null``."""
    return wanted.either(phrase for kind, phrase in wanted.KIND_WORDS.items() if kind in kinds)


def one_of(allowed: tuple[Any, ...]) -> str:
    """What is expected where only some values are allowed."""
    return words.listing(allowed) if len(allowed) == 1 else f"one of {words.listing(allowed)}"


class Wanting(Protocol):
    """Whatever can say in words what it wants."""

    @property
    def wanted(self) -> str:
        """What to write, as a noun: ``an integer from 1 to 100``."""
        ...


def _quote(value: object) -> str:
    return value.words if isinstance(value, Foreign) else words.found(value)


def wrong_type(path: str, node: Wanting, value: object, about: str | None, hint: str | None = None) -> Issue:
    expected, actual = node.wanted, _quote(value)
    message = f"must be {expected}, but is {actual}"
    return Issue(path, "invalid_type", message, expected=expected, actual=actual, hint=hint, description=about)


def no_form(path: str, node: Wanting, value: object, about: str | None, nearest: Faults) -> Issue:
    """A scalar that fits none of several forms; ``nearest`` holds the faults that the nearest of them finds."""
    expected, actual, first = node.wanted, _quote(value), nearest[0]
    message = f"must be {expected}, but is {actual}"
    return Issue(path, first.constraint, message, expected=expected, actual=actual, hint=first.hint, description=about)


def surrogate(path: str, value: str, about: str | None, what: str = "the text") -> Issue:
    return Issue(
        path,
        "invalid_type",
        f"{what} holds half of a surrogate pair, which is no character",
        expected="text of whole characters",
        actual=words.found(value),
        description=about,
    )


def never(path: str, value: object, about: str | None) -> Issue:
    return Issue(path, "invalid_type", "no value is taken here", actual=_quote(value), description=about)


def forbidden(path: str, described: str, value: object, about: str | None) -> Issue:
    actual = _quote(value)
    rule = words.printable(words.cut(described, 200))
    message = f"must not fit {rule}, but is {actual}"
    return Issue(path, "invalid_type", message, expected=f"no match of {rule}", actual=actual, description=about)


def missing_beside(path: str, other: str) -> Issue:
    message = f"is missing, and is required where {words.quote(other)} is given"
    return Issue(path, "missing_field", message)


def wrong_count(path: str, least: int, most: int | None, actual: int, about: str | None) -> Issue:
    wanted = f"at least {least}" if most is None else f"{least} to {most}"
    message = f"must hold {wanted} items of the form described, but holds {actual}"
    return Issue(path, "invalid_length", message, limit=least if actual < least else most, description=about)


def ambiguous(path: str, number: int, value: object, about: str | None) -> Issue:
    message = f"fits {number} of the forms that it may have, and must fit only one"
    return Issue(path, "invalid_type", message, actual=_quote(value), description=about)


class Choosing(Wanting, Protocol):
    """Whatever takes some values only."""

    allowed: tuple[Any, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Those of the values that are texts."""
        ...


def not_allowed(path: str, node: Choosing, value: object, about: str | None, may_hint: bool = True) -> Issue:
    expected, actual, allowed = node.wanted, _quote(value), node.allowed
    match = words.near(value, node.names) if may_hint and isinstance(value, str) else None
    return Issue(
        path,
        "invalid_enum_value",
        f"must be {expected}, but is {actual}",
        expected=expected,
        actual=actual,
        allowed=allowed,
        hint=_did_you_mean(match),
        description=about,
    )


def missing(path: str, node: Wanting, allowed: tuple[Any, ...] | None, about: str | None) -> Issue:
    expected = node.wanted
    return Issue(
        path,
        "missing_field",
        f"is missing, and must be {expected}",
        expected=expected,
        allowed=allowed,
        description=about,
    )


@functools.lru_cache(maxsize=256)
def _fields_are(names: tuple[str, ...]) -> str:
    return f"is no field here; {f'the fields are {words.listing(names)}' if names else 'there are none'}"


def unknown(path: str, name: str, names: tuple[str, ...], may_hint: bool) -> Issue:
    message = _fields_are(names)
    match = words.near(name, names) if may_hint else None
    return Issue(path, "unknown_field", message, actual=words.found(name), allowed=names, hint=_did_you_mean(match))


def _did_you_mean(match: str | None) -> str | None:
    return None if match is None else f"Did you mean {words.quote(match)}?"


def out_of_range(path: str, what: str, limit: int | float, value: object, about: str | None) -> Issue:
    return _bound(path, "invalid_range", f"{what} {words.quote(limit)}", limit, words.quote(value), about)


def too_large(path: str, value: object, about: str | None) -> Issue:
    return Issue(
        path,
        "invalid_range",
        "must be a finite number that fits 64-bit floating point",
        expected="a finite number",
        actual=words.found(value),
        description=about,
    )


def wrong_length(path: str, what: str, limit: int, noun: str, actual: int, about: str | None) -> Issue:
    return _bound(path, "invalid_length", f"{what} {words.count(limit, noun)}", limit, words.count(actual, noun), about)


def not_multiple(path: str, step: int | float, value: object, about: str | None) -> Issue:
    return _bound(path, "invalid_multiple", f"a multiple of {words.quote(step)}", step, words.quote(value), about)


def _bound(
    path: str, constraint: Constraint, expected: str, limit: int | float, actual: str, about: str | None
) -> Issue:
    verb, got = ("have", "has") if constraint == "invalid_length" else ("be", "is")
    message = f"must {verb} {expected}, but {got} {actual}"
    return Issue(path, constraint, message, expected=expected, actual=actual, limit=limit, description=about)


def not_matching(path: str, pattern: str, value: str, about: str | None) -> Issue:
    shown = words.printable(words.cut(pattern, 200))
    actual = words.found(value)
    message = f"must match the pattern {shown}, but is {actual}"
    return Issue(path, "invalid_pattern", message, expected=f"a match of {shown}", actual=actual, description=about)


def not_formatted(path: str, expected: str, value: str, about: str | None, format_: str = "") -> Issue:
    actual = words.found(value)
    absent = moments.absent(format_, value)
    message = f"must be {expected}, but is {actual}" if absent is None else f"is {actual}, but {absent}"
    return Issue(path, "invalid_format", message, expected=expected, actual=actual, description=about)


def duplicate(path: str, positions: tuple[int, int], about: str | None) -> Issue:
    first, second = positions
    message = f"must hold no item twice, but items {first} and {second} are equal"
    return Issue(path, "duplicate_items", message, expected="items that all differ", description=about)
