"""Pages of bounded results."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated.support import search_tickets
from generated.support.search_tickets import RESULT, SearchTicketsResult
from generated.support.types import Ticket
from toolgen.runtime import Bounds, Page, PayloadError
from toolgen.runtime.careful import Careful


def issues(call: Callable[[], object]) -> list[tuple[str, str]]:
    with pytest.raises(PayloadError) as caught:
        call()
    return [(issue.path, issue.constraint) for issue in caught.value.issues]


def page(**parts: Any) -> Page[SearchTicketsResult]:
    return Page(SearchTicketsResult([]), **{"returned": 0, **parts})


def test_a_page_is_truncated_where_it_says_where_to_go_on_unless_it_says_otherwise() -> None:
    assert [p.truncated for p in (page(), page(next_cursor="a"), page(refinement_hint="a"))] == [False, True, True]
    assert not page(next_cursor="a", truncated=False).truncated


def test_a_page_is_written_as_the_result_s_own_keys_and_its_own() -> None:
    text = RESULT.encode(page(total=7, next_cursor="c"))
    assert text == b'{"tickets":[],"returned":0,"truncated":true,"total":7,"next_cursor":"c"}'
    assert RESULT.decode(text) == page(total=7, next_cursor="c")
    assert RESULT.encode(page()) == b'{"tickets":[],"returned":0,"truncated":false}'


@pytest.mark.parametrize(
    ("parts", "path", "constraint"),
    [
        ({"truncated": True}, "/next_cursor", "missing_field"),
        ({"next_cursor": "a", "truncated": False}, "/truncated", "invalid_enum_value"),
        ({"next_cursor": ""}, "/next_cursor", "invalid_length"),
        ({"next_cursor": " "}, "/next_cursor", "invalid_length"),
        ({"refinement_hint": "\t\n", "next_cursor": "a"}, "/refinement_hint", "invalid_length"),
        ({"next_cursor": 5}, "/next_cursor", "invalid_type"),
        ({"next_cursor": "\ud800"}, "/next_cursor", "invalid_type"),
        ({"refinement_hint": "less"}, "/refinement_hint", "unknown_field"),
        ({"returned": -1}, "/returned", "invalid_range"),
        ({"returned": 10**4300}, "/returned", "invalid_range"),
        ({"total": 10**5000}, "/total", "invalid_range"),
        ({"returned": True}, "/returned", "invalid_type"),
        ({"returned": None}, "/returned", "invalid_type"),
        ({"total": 1.5}, "/total", "invalid_type"),
        ({"returned": 3, "total": 2}, "/total", "invalid_range"),
        ({"truncated": "yes"}, "/truncated", "invalid_type"),
    ],
)
@pytest.mark.parametrize("check", [True, False])
def test_a_page_that_contradicts_itself_is_not_written(
    parts: dict[str, Any], path: str, constraint: str, check: bool
) -> None:
    assert issues(lambda: RESULT.encode(page(**parts), check=check)) == [(path, constraint)]


def test_what_is_no_page_is_not_written() -> None:
    assert issues(lambda: RESULT.encode(SearchTicketsResult([]))) == [("", "invalid_type")]  # type: ignore[arg-type]


def test_a_result_inside_a_page_is_judged_like_any_other() -> None:
    bad = Page(SearchTicketsResult([Ticket(0, "x", None)]), returned=1)  # type: ignore[arg-type]
    assert issues(lambda: RESULT.encode(bad)) == [
        ("/tickets/0/id", "invalid_range"),
        ("/tickets/0/opened", "invalid_type"),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"tickets": [], "returned": 0, "truncated": true}', [("/next_cursor", "missing_field")]),
        ('{"tickets": [], "returned": 0}', [("/truncated", "missing_field")]),
        ('{"tickets": [], "returned": 0, "truncated": false, "x": 1}', [("/x", "unknown_field")]),
        ("[]", [("", "invalid_type")]),
        ("{", [("", "truncated_json")]),
    ],
)
def test_a_page_that_contradicts_itself_is_not_read(text: str, found: list[tuple[str, str]]) -> None:
    assert issues(lambda: RESULT.decode(text)) == found


def test_what_a_page_says_of_itself_stands_in_its_schema() -> None:
    properties = RESULT.schema["properties"]
    assert list(properties) == ["tickets", "returned", "truncated", "total", "next_cursor"]
    assert RESULT.schema["required"] == ["tickets", "returned", "truncated"]
    assert RESULT.bounds == search_tickets.SPEC.bounded == Bounds(next_cursor=True, total=True)


def test_the_body_and_the_reading_of_a_page_are_those_of_its_result() -> None:
    text = b'{"tickets":[],"returned":0,"truncated":false}'
    assert RESULT.body(text) == search_tickets.SearchTicketsResultBody(tickets=[])
    reading = RESULT.read(text)
    assert (reading.value, reading.body, reading.notes) == (page(), RESULT.body(text), ())
    assert RESULT.decode_with_notes(text) == (page(), ())


counts = st.integers(min_value=0, max_value=2**70) | st.sampled_from([2**63, 2**64, 10**4000])
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@given(counts, st.none() | counts, st.none() | texts)
def test_a_page_comes_back_equal_and_valid(returned: int, more: int | None, cursor: str | None) -> None:
    written = page(returned=returned, total=None if more is None else returned + more, next_cursor=cursor)
    data = RESULT.encode(written)
    assert RESULT.decode(data) == written
    assert RESULT.decode(json.loads(data)) == written
    assert not Careful(RESULT.schema).judge(json.loads(data), lenient=False).issues


EMPTY = """
from __future__ import annotations

from toolgen.dsl import Bounded, Record, Toolset, field

things = Toolset("things", "Things.")


class Nothing(Record, closed=False):
    '''Nothing.'''


@things.tool(name="do", bounded=Bounded(refinement=True))
class Do:
    '''Does it.'''

    Result = Nothing
"""


def test_a_shared_record_may_be_a_page_and_hold_nothing(compile_design: Callable[[str], ModuleType]) -> None:
    root = compile_design(EMPTY).__name__
    module = importlib.import_module(f"{root}.things.do")
    types = importlib.import_module(f"{root}.things.types")
    hinted = Page(types.Nothing(), returned=0, refinement_hint="ask for less")
    assert module.RESULT.encode(Page(types.Nothing(), returned=0)) == b'{"returned":0,"truncated":false}'
    assert module.RESULT.decode(module.RESULT.encode(hinted)) == hinted
    assert module.RESULT.decode('{"returned": 0, "truncated": false, "x": 1}') == Page(types.Nothing(), returned=0)
