"""Inputs that other tools were reported to have got wrong, as public issues tell; ``report`` names them where known.

A row is a tool (the source of its fields), an input, and what a codec must make of it: the value as JSON, or exactly
these issues as (path, constraint), with words that the text for the model must hold.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from conftest import PRELUDE, compiling
from toolgen.runtime import PayloadError
from toolgen.testing.judging import plain, same

ROWS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("data").joinpath("reported_inputs.json").read_text())


def _design() -> Iterator[str]:
    yield PRELUDE
    yield from dict.fromkeys(row["records"] for row in ROWS if "records" in row)
    for number, row in enumerate(ROWS):
        fields = "\n".join(f"        {line}" for line in row["fields"].splitlines())
        yield f'@things.tool(name="row{number}")\nclass Row{number}:\n    """A row."""\n\n    class Input:\n{fields}\n'


@pytest.fixture(scope="module")
def compiled_rows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with compiling(tmp_path_factory.mktemp("rows")) as compile_design:
        yield compile_design("\n\n".join(_design())).__name__


def _decode(module: ModuleType, row: dict[str, Any]) -> Any:
    codecs = {"model": module.MODEL, "execution": module.EXECUTION, "strict": module.MODEL.strict}
    text: str = row["input"]
    if "repeat" in row:
        part, times = row["repeat"]
        text = text.replace("%s", part * times)
    codec = codecs[row.get("codec", "model")]
    return codec.decode(text, row["context"]) if "context" in row else codec.decode(text)


@pytest.mark.parametrize(("number", "row"), list(enumerate(ROWS)), ids=[row["name"] for row in ROWS])
def test_a_reported_input_has_the_outcome_that_its_reporter_wanted(
    number: int, row: dict[str, Any], compiled_rows: str
) -> None:
    module = importlib.import_module(f"{compiled_rows}.things.row{number}")
    if "gives" in row:
        assert same(_as_json(_decode(module, row)), row["gives"])
        return
    with pytest.raises(PayloadError) as caught:
        _decode(module, row)
    assert sorted([i.path, i.constraint] for i in caught.value.issues) == sorted(row["issues"])
    text = caught.value.for_model()
    assert [word for word in row.get("words", []) if word not in text] == []


def _as_json(value: object) -> Any:
    """A decoded value as JSON; a field that was left unset is left out."""
    given = {name: item for name, item in plain(value).items() if item is not msgspec.UNSET}
    return msgspec.json.decode(msgspec.json.encode(given))
