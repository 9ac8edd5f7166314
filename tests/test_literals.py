from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from toolgen import literals

HOSTILE = st.text(st.sampled_from("\"'\\\n\r\t{}%#\x00\x7f\u2028\u202e\ufeff é😀")) | st.text()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | HOSTILE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(HOSTILE, inner, max_size=3),
)


@given(HOSTILE)
def test_a_text_literal_is_one_printable_line_that_evaluates_to_the_text(text: str) -> None:
    printed = literals.text_literal(text)
    assert len(printed.splitlines()) == 1
    assert not any(char in "\x00\u200b\u202e\u2028\ufeff" for char in printed)
    assert ast.literal_eval(printed) == text


@given(st.binary())
def test_a_bytes_literal_is_ascii_and_evaluates_to_the_bytes(data: bytes) -> None:
    printed = literals.bytes_literal(data)
    assert printed.isascii()
    assert ast.literal_eval(printed) == data


@given(JSON)
def test_a_json_literal_evaluates_to_the_value(value: object) -> None:
    assert repr(ast.literal_eval(literals.json_literal(value))) == repr(value)


@given(HOSTILE.map(lambda text: f"x{text}"), st.integers(0, 8))
def test_a_docstring_is_a_string_literal_whatever_the_text(text: str, indent: int) -> None:
    printed = literals.docstring(text, indent)
    tree = ast.parse(printed)
    assert isinstance(tree.body[0], ast.Expr)
    assert isinstance(tree.body[0].value, ast.Constant)
    assert isinstance(tree.body[0].value.value, str)
    assert len(tree.body) == 1


def test_a_docstring_wraps_long_lines_and_keeps_the_paragraphs() -> None:
    printed = literals.docstring("word " * 30 + "\n\nSecond.", 4)
    assert all(len(line) <= 84 for line in printed.splitlines())
    assert '\n\n    Second.\n    """' in printed


@given(st.lists(HOSTILE, min_size=1).map("\n".join))
def test_a_block_literal_keeps_the_text_and_its_lines(text: str) -> None:
    printed = literals.block_literal(text)
    assert ast.literal_eval(printed) == text
    assert len(printed.split("\n")) == len(text.split("\n")) + 2
