"""Null in a required property of a flat submit, which no model can write, is told of a design."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolgen.flatnulls import warnings
from toolgen.load import load

HEAD = '''\
"""A design."""

from typing import Any, Literal

from toolgen.dsl import Record, Toolset, field

runs = Toolset("runs", "Runs.")


class Inner(Record):
    """Something inside."""

    may: int | None = field("May be null.")


class Report(Record):
    """A report."""

'''
CARRIED = ["int", "Inner", "list[int | None]", "Any", "int | str"]
LOST = ["int | None", "Inner | None", 'Literal["a", None]', "int | str | None"]


def told(folder: Path, options: str, field: str) -> list[str]:
    design = folder / "runs.py"
    design.write_text(
        f'{HEAD}    at: {field}\n\n\n@runs.submit({options})\nclass End:\n    """End."""\n\n    Response = Report\n',
        encoding="utf-8",
    )
    program = load([design], root=folder)
    return [text for package in program.packages for text in warnings(package, program)]


@pytest.mark.parametrize("type_", LOST)
def test_null_of_a_required_parameter_is_told(type_: str, tmp_path: Path) -> None:
    (text,) = told(tmp_path, "flat=True", f'{type_} = field("A.")')
    line = HEAD.count("\n") + 1
    assert text.startswith(f"runs.py:{line}: runs.submit_result, field at: its null can't be submitted, ")
    assert "Make it optional (optional=True), or leave flat out." in text


@pytest.mark.parametrize(
    ("options", "field"),
    [
        *(("flat=True", f'{type_} = field("A.")') for type_ in CARRIED),
        *(("flat=True", f'{type_} = field("A.", optional=True)') for type_ in LOST),
        *(("", f'{type_} = field("A.")') for type_ in LOST),
    ],
)
def test_null_that_a_model_can_write_or_leave_out_is_not_told(options: str, field: str, tmp_path: Path) -> None:
    assert told(tmp_path, options, field) == []
