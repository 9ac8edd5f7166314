from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any

import pytest

from toolgen.testing.cases import Accepts, Given, Mends, Refuses, with_case
from toolgen.testing.judging import plain, same
from toolgen.testing.shape import MISSING, get, put


class Level(enum.Enum):
    LOW = "low"


@dataclass
class Inner:
    level: Level = Level.LOW


@dataclass
class Outer:
    inner: list[Inner] = field(default_factory=lambda: [Inner()])
    more: dict[str, Inner] = field(default_factory=dict)


def test_plain_form_has_dicts_and_member_names() -> None:
    assert plain(Outer()) == {"inner": [{"level": "Level.LOW"}], "more": {}}


@pytest.mark.parametrize(
    ("left", "right"), [(1, 1.0), (1, True), ([1], [1.0]), ({"a": 0}, {"a": False}), (None, 0), ([], [1])]
)
def test_values_of_two_types_are_not_the_same(left: Any, right: Any) -> None:
    assert not same(left, right)
    assert same(left, left)


def test_put_copies_and_leaves_the_original_alone() -> None:
    value = {"a": [{"b": 1}, 2], "c~/d": 3}
    assert put(value, "/a/0/b", 5) == {"a": [{"b": 5}, 2], "c~/d": 3}
    assert put(value, "/c~0~1d", MISSING) == {"a": [{"b": 1}, 2]}
    assert put(value, "/new", None) == {**value, "new": None}
    assert put(value, "", 7) == 7
    assert value == {"a": [{"b": 1}, 2], "c~/d": 3}
    assert get(value, "/a/0/b") == 1


@pytest.mark.parametrize(
    ("case", "input_", "gives"),
    [
        (Accepts("/x-y", 2, into="/x"), {"x-y": 2}, {"x": 2}),
        (Accepts("/x-y", MISSING, 9, into="/x"), {}, {"x": 9}),
        (Accepts("/z", 1, ignored=True), {"x-y": 1, "z": 1}, {"x": 1}),
        (Refuses("/x-y", "a", "invalid_type"), {"x-y": "a"}, {"x": 1}),
        (Mends("/x-y", None, "invalid_type", 9, into="/x"), {"x-y": None}, {"x": 9}),
        (None, {"x-y": 1}, {"x": 1}),
    ],
)
def test_a_case_changes_the_input_and_what_it_gives(case: Any, input_: Any, gives: Any) -> None:
    assert with_case(Given({"x-y": 1}, {"x": 1}), case) == (input_, gives)
