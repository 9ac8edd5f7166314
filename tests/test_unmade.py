"""A contract test that no input can be made up for is told like a design error, at the field that needs an example."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from conftest import one_tool
from toolgen.cli import cli
from toolgen.load import load
from toolgen.unmade import problems

BARE = 'pattern="^(?:a{5}){1,100}$", min_length=493, max_length=497'
"""Constraints that one text alone meets, which is not found by trying."""

HARD = f"Annotated[str, Constraints({BARE})]"
TEXT = "a" * 495

PLACES = {
    "a field": (f'x: str = field("X.", {BARE})', "", "", "things.do, field x"),
    "a restored field": (f'x: str = restored("X.", {BARE})', "", "", "things.do, field x"),
    "an injected field": (f'x: str = injected("X.", name="y", {BARE})', "", "", "things.do, field x"),
    "another name": (f'x: str = field("X.", name="x-y", {BARE})', "", "", "things.do, field x"),
    "a list": (f'x: list[{HARD}] = field("X.", min_items=1)', "", "", "things.do, field x"),
    "a map": (f'x: dict[str, list[{HARD}]] = field("X.")', "", "", "things.do, field x"),
    "or null": (f'x: int = field("X.")\ny: {HARD} | int | None = field("Y.")', "", "", "things.do, field y"),
    "a Record": (
        'x: list[R] = field("X.")',
        f'class R(Record):\n    """R."""\n\n    z: int = field("Z.")\n    y: str = field("Y.", {BARE})\n',
        "",
        "R, field y",
    ),
    "an arm": (
        'x: R | S = field("X.")',
        'class S(Record):\n    """S."""\n\n    k: Literal["s"] = field("K.")\n\n\n'
        'class R(Record):\n    """R."""\n\n    k: Literal["r", "rr"] = field("K.")\n'
        f'    y: str = field("Y.", {BARE})\n',
        "",
        "R, field y",
    ),
    "a result": (
        "",
        "",
        f'class Result:\n    z: int = field("Z.")\n    y: str = field("Y.", {BARE})',
        "things.do, field y",
    ),
    "a result of a type": ("", "", f"Result = dict[str, {HARD}]", "things.do"),
    "a result in a Record": (
        "",
        f'class R(Record):\n    """R."""\n\n    y: str = field("Y.", {BARE})\n',
        "Result = list[R]",
        "R, field y",
    ),
    "a submit": (
        "",
        f'@things.submit()\nclass R(Record):\n    """R."""\n\n    y: str = field("Y.", {BARE})\n',
        "",
        "R, field y",
    ),
}


def told(folder: Path, source: str) -> list[str]:
    design = folder / "desk.py"
    design.write_text(source, encoding="utf-8")
    return [problem.render() for problem in problems(load([design], root=folder))]


@pytest.mark.parametrize("place", PLACES)
def test_a_field_that_needs_an_example_is_told_at_its_line(place: str, tmp_path: Path) -> None:
    fields, records, result, subject = PLACES[place]
    source = one_tool(fields, records=records, result=result)
    (text,) = told(tmp_path, source)
    sign = BARE if "field" in subject else "class Do:"
    line = max(number for number, text in enumerate(source.splitlines(), 1) if sign in text)
    assert text.startswith(f"desk.py:{line}: {subject}: no value that meets all constraints could be made up")


EXAMPLES = {
    "a field": f'"{TEXT}"',
    "a restored field": f'"{TEXT}"',
    "an injected field": f'"{TEXT}"',
    "a list": f'["{TEXT}"]',
    "a map": f'{{"k": ["{TEXT}"]}}',
    "or null": f'"{TEXT}"',
    "a Record": f'"{TEXT}"',
    "an arm": f'"{TEXT}"',
    "a result": f'"{TEXT}"',
}


@pytest.mark.parametrize("place", EXAMPLES)
def test_the_example_that_is_asked_for_is_enough(place: str, tmp_path: Path) -> None:
    given = f", example={EXAMPLES[place]})"
    fields, records, result = ("\n".join(_with(line, given) for line in part.split("\n")) for part in PLACES[place][:3])
    assert told(tmp_path, one_tool(fields, records=records, result=result)) == []


def _with(line: str, given: str) -> str:
    return line.removesuffix(")") + given if BARE in line else line


def test_all_are_told_at_once_and_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = '[tool.toolgen]\ndesigns = ["designs/*.py"]\noutput = "generated"\ncontract-tests = "tests"\n'
    Path("pyproject.toml").write_text(settings, encoding="utf-8")
    Path("designs").mkdir()
    for name in ("one", "two"):
        source = one_tool(f'x: str = field("X.", {BARE})', records="").replace('"things"', f'"{name}"')
        Path("designs", f"{name}.py").write_text(source, encoding="utf-8")
    for command in ("generate", "check"):
        result = CliRunner().invoke(cli, [command], prog_name="toolgen", catch_exceptions=False)
        assert result.exit_code == 2
        assert "designs/one.py:23: one.do, field x: no value that meets" in result.output
        assert "designs/two.py:23: two.do, field x: no value that meets" in result.output
        assert "2 problems in the designs" in result.output
    shown = CliRunner().invoke(cli, ["check", "--format", "json"], prog_name="toolgen", catch_exceptions=False)
    assert [problem["field"] for problem in json.loads(shown.stdout)["problems"]] == ["x", "x"]
    assert not Path("generated").exists()


@pytest.mark.parametrize(
    "field",
    [
        'dict[str, int] = field("X.", min_items=10**7)',
        'list[int] = field("X.", min_items=10**7)',
        'list[int] = field("X.", min_items=10**7, unique_items=True)',
        'str = field("X.", min_length=10**9)',
        'bytes = field("X.", min_length=10**9)',
    ],
)
def test_what_would_take_a_test_too_long_to_make_is_told_at_its_line(field: str, tmp_path: Path) -> None:
    (text,) = told(tmp_path, one_tool(f"x: {field}"))
    assert "things.do, field x: no value that meets all constraints could be made up" in text
