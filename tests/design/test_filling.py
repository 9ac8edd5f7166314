"""Defaults that leave out fields with defaults: each has an end, and a size that an input may have, or is reported."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgen.load import DesignError, load

HEAD = '''"""A design."""

from __future__ import annotations

from typing import Any, Literal

from toolgen.dsl import Record, Toolset, field

desk = Toolset("desk", "A desk.")
'''

FORMS = {
    "R{n}": "{one}",
    "R{n} | None": "{one}",
    "list[R{n}]": "[{one}]",
    "dict[str, R{n}]": "{{'a': {one}}}",
    "dict[str, list[R{n}]] | int": "{{'a': [{one}]}}",
    "R{n} | R0 | str": "{one}",
}
"""Types that hold a Record, each with a default that holds one."""

ENDS = {
    "R{n} | None": "None",
    "list[R{n}]": "[]",
    "dict[str, R{n}]": "{{}}",
    "dict[str, list[R{n}]] | int": "{{'a': []}}",
}


def told(source: str) -> list[str]:
    """What is wrong with a design, its file left out."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "desk.py")
        path.write_text(source, encoding="utf-8")
        try:
            load([path], root=Path(folder))
        except DesignError as error:
            return [problem.render().removeprefix("desk.py:") for problem in error.problems]
    return []


def record(number: int, fields: str) -> str:
    return f'\n\nclass R{number}(Record):\n    """R."""\n\n    kind: Literal["r{number}"] = field("Kind.")\n{fields}'


def one(number: int) -> str:
    return f'{{"kind": "r{number}"}}'


def fields_of(*declared: tuple[str, str]) -> str:
    return "".join(
        f'    f{index}: {type_} = field("F.", default={default})\n' for index, (type_, default) in enumerate(declared)
    )


@pytest.mark.parametrize("form", FORMS)
def test_a_default_that_holds_itself_again_never_ends(form: str) -> None:
    first = fields_of((form.format(n=1), FORMS[form].format(one=one(1))))
    second = fields_of((form.format(n=0), FORMS[form].format(one=one(0))))
    (alone,) = told(HEAD + record(0, second) + record(1, ""))
    assert alone.startswith("16: R0, field f0: the default ")
    assert " never ends: it leaves out R0.f0 again. Make the field optional" in alone
    (mutual,) = told(HEAD + record(0, first) + record(1, second))
    assert mutual.startswith("16: R0, field f0: ")
    assert "never ends: it leaves out R1.f0, whose default leaves out R0.f0 again." in mutual


@pytest.mark.parametrize("form", ENDS)
def test_a_default_that_writes_out_where_it_ends_is_fine(form: str) -> None:
    inner = f'{{"kind": "r0", "f0": {ENDS[form].format()}}}'
    fields = fields_of((form.format(n=0), FORMS[form].format(one=inner)))
    assert told(HEAD + record(0, fields) + record(1, "")) == []


def test_what_leads_into_a_circle_is_not_reported_beside_it() -> None:
    tool = '\n\n@desk.tool()\nclass Find:\n    """F."""\n\n    class Input:\n'
    tool += f'        a: R0 = field("A.", default={one(0)})\n'
    into = fields_of(("R1", one(1)))
    circle = fields_of(("R1", one(1)), ("R2", one(2)))
    (problem,) = told(HEAD + record(0, into) + record(1, circle) + record(2, "") + tool)
    assert "R1, field f0" in problem


def test_an_inherited_default_is_reported_where_it_is_declared() -> None:
    heir = '\n\nclass R2(R0):\n    """R."""\n'
    (problem,) = told(HEAD + record(0, fields_of(("R0", one(0)))) + heir)
    assert problem.startswith("16: R0, field f0: ")


def chain(length: int, default: str, type_: str) -> str:
    """Records that each hold the next in a default; the last holds none."""
    links = [record(n, fields_of((type_.format(n=n + 1), default.format(one=one(n + 1))))) for n in range(length)]
    return HEAD + "".join(links) + record(length, "")


@pytest.mark.once
def test_a_default_may_be_filled_in_as_deep_as_json_may_nest() -> None:
    assert told(chain(99, "{one}", "R{n}")) == []
    (problem,) = told(chain(100, "{one}", "R{n}"))
    assert "R0, field f0" in problem
    assert "nests 100 levels deep, and JSON no deeper than 100 with what is around it" in problem


def test_a_default_that_grows_beyond_measure_is_reported() -> None:
    assert told(chain(10, "[{one}, {one}]", "list[R{n}]")) == []
    (problem,) = told(chain(40, "[{one}, {one}]", "list[R{n}]"))
    assert "values, more than 100,000" in problem


# --- whatever Records hold each other ---------------------------------------------------------------------------------

declared = st.tuples(st.sampled_from(sorted(FORMS)), st.integers(0, 3), st.booleans())


def spelled(form: str, number: int, ends: bool) -> tuple[str, str]:
    default = ENDS[form].format() if ends and form in ENDS else FORMS[form].format(one=one(number))
    return form.format(n=number).replace("R0 | R0", "R0"), default


def fills(number: int, records: list[list[tuple[str, int, bool]]], way: tuple[tuple[int, int], ...] = ()) -> bool:
    """Whether a Record that leaves out all of its fields can be filled in."""
    for index, (form, inner, ends) in enumerate(records[number]):
        if (number, index) in way:
            return False
        if not (ends and form in ENDS) and not fills(inner, records, (*way, (number, index))):
            return False
    return True


@given(st.lists(st.lists(declared, max_size=2), min_size=4, max_size=4))
def test_a_default_is_reported_exactly_when_it_has_no_end(records: Any) -> None:
    source = HEAD + "".join(
        record(number, fields_of(*(spelled(*one) for one in fields))) for number, fields in enumerate(records)
    )
    found = told(source)
    assert all("never ends" in problem for problem in found)
    assert bool(found) == (not all(fills(number, records) for number in range(4)))
