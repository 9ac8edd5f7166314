"""What decoding comes to, judged: plain forms, outcomes, and inputs made up by hypothesis."""

from __future__ import annotations

import dataclasses
import enum
import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

import msgspec
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

from toolgen.runtime.careful import Careful
from toolgen.runtime.issues import PayloadError
from toolgen.testing.cases import Case, Given, Mends, Refuses, with_case

EXAMPLES_A_LAW = 25
"""How many made-up inputs each law is tried on."""

# A schema of many fields is slow to make inputs for: that is no fault of the code under test.
_SLOW = [
    HealthCheck.too_slow,
    HealthCheck.filter_too_much,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
]

Strategy: TypeAlias = "Callable[[Any], SearchStrategy[Any]]"
"""Makes the strategy of a schema's inputs."""

Decode: TypeAlias = "Callable[[Any], tuple[Any, Any]]"
"""Decodes an input to a value and the notes of what was mended."""


def plain(value: object) -> Any:
    """A decoded value in a form that a literal can have: dataclasses as dicts by Python name, members by their name."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def same(left: object, right: object) -> bool:
    """Equality that tells ``True`` from ``1`` and ``1`` from ``1.0``, at every depth."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(item, right[key]) for key, item in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


def text(value: Any) -> bytes:
    """JSON text of a value."""
    return json.dumps(value, ensure_ascii=False).encode()


def without_notes(decode: Callable[[Any], Any]) -> Decode:
    """A decoder that mends nothing, with the notes that it does not give."""
    return lambda data: (decode(data), ())


class Judge:
    """Holds one way of decoding, and ``schema_too``, to what a case says."""

    def __init__(self, decode: Decode, codec: Any, *, mends: bool = False, schema_too: bool = True) -> None:
        self._decode = decode
        self._careful = Careful(codec.schema) if schema_too else None
        self._body = codec._body_type
        self._mends = mends

    def check(self, base: Given, case: Case | None) -> None:
        given, gives = with_case(base, case)
        self._check_schema(base, case, given)
        outcome = one_outcome(self._decode, given)
        if isinstance(case, Refuses) or (isinstance(case, Mends) and not self._mends):
            assert isinstance(outcome, list), f"{case}: decoded to {outcome}"
            assert _wanted(case) in outcome, f"{case}: refused for {outcome}"
            self._check_body(case, given)
            return
        assert isinstance(outcome, tuple), f"{case} on {base.input!r}: refused for {outcome}"
        value, notes = outcome
        assert bool(notes) == (isinstance(case, Mends)), f"{case}: mended {notes}"
        assert same(value, gives), f"{case}: decoded to {value!r}, not {gives!r}"

    def _check_schema(self, base: Given, case: Case | None, given: Any) -> None:
        if self._careful is None:
            return
        issues = [(issue.path, issue.constraint) for issue in self._careful.judge(given, lenient=False).issues]
        if isinstance(case, Refuses | Mends):
            assert _wanted(case) in issues, f"{case}: the schema says {issues}"
        else:
            assert not issues, f"{case} on {base.input!r}: the schema says {issues}"

    def _check_body(self, case: Refuses | Mends, given: Any) -> None:
        """The body by itself refuses a missing key, and null for what is no enum; the careful lane would hide it."""
        if case.constraint == "missing_field" or (case.value is None and case.constraint == "invalid_type"):
            try:
                msgspec.json.decode(text(given), type=self._body)
            except msgspec.ValidationError:
                return
            raise AssertionError(f"{case}: the body takes it")


def _wanted(case: Refuses | Mends) -> tuple[str, str]:
    """Where a case is refused, and by what."""
    return (case.path if isinstance(case, Refuses) and case.path is not None else case.at), case.constraint


def outcome_of(decode: Decode, data: Any) -> tuple[Any, Any] | list[tuple[str, str]]:
    """What decoding comes to: the value in plain form and the notes, or the issues as path and constraint, sorted."""
    try:
        value, notes = decode(data)
    except PayloadError as error:
        return sorted((issue.path, issue.constraint) for issue in error.issues)
    return plain(value), notes


def one_outcome(decode: Decode, value: Any) -> tuple[Any, Any] | list[tuple[str, str]]:
    """The outcome of a value as bytes, str and (an object) as a mapping, which must be one."""
    data = text(value)
    outcome = outcome_of(decode, data)
    for form in (data.decode(), *([json.loads(data)] if isinstance(value, dict) else [])):
        other = outcome_of(decode, form)
        alike = (
            other == outcome if isinstance(outcome, list) else isinstance(other, tuple) and same(other[0], outcome[0])
        )
        assert alike, f"{type(form).__name__} gives {other}, bytes {outcome}, for {value!r}"
    return outcome


def taken(decode: Decode, data: Any) -> None:
    outcome = outcome_of(decode, data)
    assert isinstance(outcome, tuple), f"the schema takes {data!r}, the codec does not: {outcome}"


def agrees(decode: Decode, judge: Careful, value: Any) -> None:
    outcome = outcome_of(decode, text(value))
    exact = isinstance(outcome, tuple) and not outcome[1]
    issues = judge.judge(value, lenient=False).issues
    assert exact == (not issues), f"codec: {outcome}; schema: {issues}; for {value!r}"


def made_up(strategy: Strategy, schema: Any, number: int = EXAMPLES_A_LAW) -> list[Any]:
    """Inputs made up for a schema, the same on every run. Making them takes longest, so all laws get the same ones."""
    return _made_up(strategy, json.dumps(schema), number)


@lru_cache(maxsize=64)
def _made_up(strategy: Strategy, schema: str, number: int) -> list[Any]:
    values: list[Any] = []

    @settings(
        max_examples=number,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=_SLOW,
    )
    @given(strategy(json.loads(schema)))
    def collect(value: Any) -> None:
        values.append(value)

    collect()
    return values
