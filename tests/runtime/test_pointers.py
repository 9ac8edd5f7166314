"""JSON Pointers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolgen.runtime.pointers import below, escaped, steps, unescaped


def test_names_are_written_as_rfc_6901_has_them() -> None:
    # RFC 6901, section 5, names these among its examples.
    assert [escaped(name) for name in ("a/b", "m~n", "~1", "")] == ["a~1b", "m~0n", "~01", ""]


@given(st.text())
def test_an_escaped_name_reads_back(name: str) -> None:
    assert unescaped(escaped(name)) == name


@given(st.lists(st.text()))
def test_a_pointer_made_step_by_step_has_these_steps(names: list[str]) -> None:
    pointer = ""
    for name in names:
        pointer = below(pointer, name)
    assert steps(pointer) == names
