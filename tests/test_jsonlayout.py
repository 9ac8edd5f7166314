from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from toolgen.jsonlayout import readable_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
)


@given(JSON, st.integers(20, 100))
def test_the_text_reads_back_as_the_value(value: object, width: int) -> None:
    assert json.loads(readable_json(value, width)) == value


def test_what_fits_stands_on_one_line() -> None:
    assert readable_json({"a": [1, 2]}, 20) == '{"a": [1, 2]}'


def test_what_does_not_fit_is_opened_one_item_a_line() -> None:
    assert readable_json({"a": [1, 2], "b": "long enough"}, 20) == '{\n  "a": [1, 2],\n  "b": "long enough"\n}'


@given(st.lists(st.integers(0, 9), max_size=60), st.integers(20, 60))
def test_no_line_is_longer_than_the_width(items: list[int], width: int) -> None:
    assert all(len(line) <= width for line in readable_json({"items": items}, width).splitlines())
