"""What is read of an answer of a bound function that does not say what it gives back."""

from __future__ import annotations

import datetime
import enum
import sqlite3
from collections import ChainMap, deque
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import pytest

from conftest import shown
from toolgen.runtime import Codec, ToolFailure
from toolgen.runtime.bound import decoded

ANYTHING: Codec[Any, Any] = Codec(
    "look_up", body=Any, from_body=lambda body: body, to_body=lambda value: value, schema="{}"
)


class Colour(enum.Enum):
    RED = "red"


@dataclass
class Row:
    tags: tuple[str, ...] = ("a",)
    colour: Colour = Colour.RED
    day: datetime.date = datetime.date(2026, 1, 2)
    more: list[Row] = field(default_factory=list)


ROW: dict[str, Any] = {"tags": ["a"], "colour": "red", "day": "2026-01-02", "more": []}


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (None, None),
        ("text", "text"),
        (Row(), ROW),
        ([Row()], [ROW]),
        ((Row(), (1, ("x",))), [ROW, [1, ["x"]]]),
        ({"rows": {"x": Row(more=[Row()])}}, {"rows": {"x": {**ROW, "more": [ROW]}}}),
        ([{1}, frozenset({"x"}), Colour.RED], [[1], ["x"], "red"]),
        ({Colour.RED: 1}, {"red": 1}),
        (deque([Row()]), [ROW]),
        ({"a": 1, "b": 2}.values(), [1, 2]),
        ({"a": Row()}.items(), [["a", ROW]]),
        (ChainMap({"a": {1}}, {"b": 2}), {"a": [1], "b": 2}),
        (MappingProxyType({"a": (1,)}), {"a": [1]}),
        (range(3), [0, 1, 2]),
    ],
    ids=shown,
)
def test_an_answer_is_read_as_its_json_whatever_holds_it(value: object, read: object) -> None:
    assert decoded(ANYTHING, value) == read


def test_generators_and_rows_of_a_database_are_read_too() -> None:
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    rows = database.execute("SELECT 1 AS id, 'x' AS title")
    assert decoded(ANYTHING, (row for row in rows)) == [{"id": 1, "title": "x"}]
    assert decoded(ANYTHING, database.execute("SELECT 1 AS id")) == [{"id": 1}]
    database.close()


def test_what_a_generator_raises_is_what_the_function_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        decoded(ANYTHING, (1 / 0 for _ in [1]))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (float("nan"), "the whole is a float"),
        ([Row(), {"x": (1, float("inf"))}], "/1/x/1 is a float"),
        ({1: 2}, "the whole is a dict"),
        ([object()], "object"),
        ([b"x", memoryview(b"x")[::2].cast], "has no form in JSON"),
    ],
    ids=shown,
)
def test_an_answer_that_json_would_change_is_no_result(value: object, words: str) -> None:
    with pytest.raises(ToolFailure) as caught:
        decoded(ANYTHING, value)
    assert caught.value.kind == "malformed_result"
    assert words in str(caught.value.__cause__)
