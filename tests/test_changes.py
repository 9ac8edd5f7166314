"""What changed in a tool, in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import PRELUDE, one_tool
from toolgen import changes
from toolgen.emit import Options, render
from toolgen.load import load

RECORD = 'class Item(Record):\n    """An item."""\n\n    n: int = field("N.", ge=1)\n'
FIELDS = 'query: str = field("Text.", max_length=9)\nitems: list[Item] = field("Items.", default=[])'


def text_of(folder: Path, source: str, path: str = "things/do.py") -> str:
    design = folder / "design.py"
    design.write_text(source)
    return render(load([design], root=folder), Options())[path].text


@pytest.mark.parametrize(
    ("fields", "parts", "lines"),
    [
        (FIELDS.replace("9", "5"), {}, ["field query: maxLength 9 → 5"]),
        (FIELDS.replace("Text.", "Words."), {}, ['field query: description "Text." → "Words."']),
        (FIELDS + '\nmore: int = field("M.", default=1)', {}, ["field more added"]),
        (FIELDS.splitlines()[0], {}, ["field items removed"]),
        (FIELDS.replace(", max_length=9", ", max_length=9, optional=True"), {}, ["field query is no longer required"]),
        (FIELDS.replace("str = field", "str = restored"), {}, ["field query: model → restored"]),
        (FIELDS + '\nmore: int = field("M.")', {}, ["field more added, and required"]),
        (FIELDS + '\norg: str = injected("O.")', {}, ["field org (injected) added"]),
        (FIELDS + '\norg: str = restored("O.")', {}, ["field org (restored) added"]),
        (
            FIELDS.replace("query: str = field(", 'q: str = field(name="query", description='),
            {},
            ["DoPayload field q added"],
        ),
        ("\n".join(reversed(FIELDS.splitlines())), {}, ["field order changed"]),
        (FIELDS, {"records": RECORD.replace("ge=1", "ge=2")}, ["Item field n: minimum 1 → 2"]),
        (FIELDS, {"options": ", read_only=True"}, ["read_only true added"]),
        (FIELDS, {"options": ', example={"query": "x"}'}, ['example {"query": "x"} added']),
        (FIELDS, {"result": 'class Result:\n    a: int = field("A.")'}, ["result added"]),
    ],
)
def test_each_change_of_a_design_has_words(
    tmp_path: Path, fields: str, parts: dict[str, str], lines: list[str]
) -> None:
    before = text_of(tmp_path, one_tool(FIELDS, records=RECORD))
    after = text_of(tmp_path, one_tool(fields, **{"records": RECORD, **parts}))
    found = changes.between(before, after)
    assert set(lines) <= set(found)
    assert len(found) <= 2


@pytest.mark.parametrize(("role", "other"), [("restored", "injected"), ("injected", "restored")])
def test_a_field_that_goes_or_takes_another_role_is_told_as_that_alone(tmp_path: Path, role: str, other: str) -> None:
    beside = f'\nuser: str = {role}("U.")'
    first = text_of(tmp_path, one_tool(f'{FIELDS}{beside}\norg: str = {role}("O.")', records=RECORD))
    renamed = text_of(tmp_path, one_tool(f'{FIELDS}{beside}\ntenant: str = {role}("O.")', records=RECORD))
    assert changes.between(first, renamed) == [f"field tenant ({role}) added", f"field org ({role}) removed"]
    moved = text_of(tmp_path, one_tool(f'{FIELDS}{beside}\norg: str = {other}("O.")', records=RECORD))
    assert changes.between(first, moved) == [f"field org: {role} → {other}"]


def test_members_of_an_enumeration_are_no_fields(tmp_path: Path) -> None:
    enum = 'class Kind(enum.Enum):\n    """K."""\n\n    A = "a"\n    B = "b"\n'
    fields = 'kind: Kind = field("K.")'
    old, new = (
        text_of(tmp_path, one_tool(fields, records=records), "things/types.py")
        for records in (enum, enum.replace("B =", "C ="))
    )
    assert changes.between(old, new) == ["Kind member C added", "Kind member B removed"]


def test_shared_types_and_toolsets_have_words_of_their_own(tmp_path: Path) -> None:
    design = one_tool(FIELDS, records=RECORD)
    later = design.replace("n: int", "n: float").replace('name="do"', 'name="redo"').replace('"N."', '"A number."')
    for path, line in (
        ("things/types.py", "Item field n: int → float"),
        ("things/types.py", 'Item field n: description "N." → "A number."'),
        ("things/__init__.py", "tool redo added"),
    ):
        assert line in changes.between(text_of(tmp_path, design, path), text_of(tmp_path, later, path))


def test_code_that_means_the_same_has_no_changes(tmp_path: Path) -> None:
    text = text_of(tmp_path, one_tool(FIELDS, records=RECORD))
    assert changes.between(text, text.replace("return ", "return  ")) == []


@given(
    st.text() | st.sampled_from(["X_SCHEMA = '['", "SPEC: X = f(a=b + 1)", "TOOLSET = T(1, 2, modules=x)", "(" * 999])
)
def test_nothing_that_stands_in_a_file_is_too_strange(text: str) -> None:
    assert isinstance(changes.between(text, PRELUDE), list)
    assert isinstance(changes.between(PRELUDE, text), list)


def test_the_first_line_that_differs_is_found() -> None:
    assert changes.first_difference("a\nb\nc", "a\nx\nc") == 2
    assert changes.first_difference("a\nb", "a\nb\nc") == 2
    assert changes.first_difference("a", "b") == 1


def test_two_long_values_are_told_where_they_differ(tmp_path: Path) -> None:
    words = "A sentence about a query that goes on for longer than one line of changes has room for, "
    old, new = (
        text_of(tmp_path, one_tool(FIELDS.replace("Text.", words + end), records=RECORD)) for end in ("old.", "new.")
    )
    (line,) = changes.between(old, new)
    before, _, after = line.partition(" → ")
    assert before.endswith('old."')
    assert after.endswith('new."')


def test_other_line_lengths_are_no_change_of_what_is_said(tmp_path: Path) -> None:
    design = tmp_path / "design.py"
    design.write_text(one_tool(FIELDS, records=RECORD))
    program = load([design], root=tmp_path)
    short, long = (render(program, Options(line_length=length)) for length in (60, 110))
    assert {path: changes.between(short[path].text, long[path].text) for path in short if path.endswith(".py")} == {
        path: [] for path in short if path.endswith(".py")
    }
