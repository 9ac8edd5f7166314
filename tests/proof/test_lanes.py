"""Which inputs stay in the fast lane: what the table in docs/codecs.md says, and how many valid inputs do."""

from __future__ import annotations

import importlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from random_designs import Design, designs, hands, seed_of

import generated.ledger
import generated.support
from conftest import Compile, compiling
from toolgen.importer.importing import compose
from toolgen.importer.sources import Form, SourceFault, tools_of
from toolgen.importer.tools import plan_tool
from toolgen.runtime.issues import PayloadError
from toolgen.testing import valid_inputs
from toolgen.testing.judging import made_up

pytestmark = pytest.mark.once

LEAST = 0.99
CORPUS = Path(__file__).parents[2] / "benchmarks" / "corpus" / "schemas.jsonl"

RECORDS = '''
class Cat(Record):
    """A cat."""

    kind: Literal[1] = field("K.")


class Dog(Record):
    """A dog."""

    kind: Literal[2, 3] = field("K.")


class Digit(enum.Enum):
    """A digit."""

    ONE = 1


class Open(Record, closed=False):
    """Whatever else."""

    a: int = field("A.")


class Tree(Record):
    """A tree."""

    of: list[Tree] = field("O.", default=[])
'''

FAST = [
    ("int", "5"),
    ("int", "123456789012345678901234567890"),
    ("float", "5"),
    ("float", "2.5"),
    ("float, multiple_of=0.01", "19.99"),
    ("int, ge=2**70", str(2**70)),
    ("int | None", "null"),
    ("str, pattern='[ab]*[ab]{3}c'", '"aaac"'),
    ("str, format='uri'", '"urn:a:b"'),
    ("list[int], unique_items=True", f"[1, {2**61 - 1}, {2**62 - 2}]"),
    ("Literal[1, 'x', 2.5, True]", "2.5"),
    ("Cat | Dog", '{"kind": 3}'),
    ("Any", '[1, {"b": null}]'),
    ("Tree", '{"of": [{"of": [{}]}]}'),
    ("datetime", '"2026-11-30T00:00:00Z"'),
    ("UUID", '"123e4567-e89b-12d3-a456-426614174000"'),
    ("Decimal", '"1.50"'),
    ("timedelta", '"PT1S"'),
    ("bytes", '"aGVsbG8="'),
]

CAREFUL = [
    ("Open", '{"a": 1}'),
    ("str, also={'not': {'const': 'x'}}", '"y"'),
    ("int", "25.0"),
    ("int", "1e3"),
    ("int | str", "1.0"),
    ("Literal[1, 2]", "1.0"),
    ("Literal[1, 'x', 2.5, True]", "1.0"),
    ("Literal[3.0, 'x']", "3"),
    ("float, le=2**53", "2.5"),
    ("Digit", "1.0"),
    ("Cat | Dog", '{"kind": 1.0}'),
    ("int, default=1", "null"),
    ("list[int]", '"[1]"'),
]


def compiled(compile_tool: Callable[..., ModuleType], type_: str) -> Any:
    annotation, _, options = type_.partition(", ")
    if "[" in annotation and "]" not in annotation:
        annotation, options = type_, ""
    line = f'a: {annotation} = field("A.", {options})'
    return compile_tool(line, records=RECORDS).MODEL


@pytest.mark.parametrize(("type_", "value"), FAST)
def test_the_fast_lane_takes(compile_tool: Callable[..., ModuleType], type_: str, value: str) -> None:
    model = compiled(compile_tool, type_)
    text = f'{{"a": {value}}}'
    lanes = {model.read(form).lane for form in (text, text.encode(), json.loads(text))}
    assert lanes == {"fast"}


@pytest.mark.parametrize(("type_", "value"), CAREFUL)
def test_the_careful_lane_takes(compile_tool: Callable[..., ModuleType], type_: str, value: str) -> None:
    model = compiled(compile_tool, type_)
    text = f'{{"a": {value}}}'
    lanes = {model.read(form).lane for form in (text, text.encode(), json.loads(text))}
    assert lanes == {"careful"}


@pytest.mark.parametrize("type_", ["Any", "Tree"])
def test_text_of_more_than_a_hundred_brackets_is_left_to_the_careful_lane(
    compile_tool: Callable[..., ModuleType], type_: str
) -> None:
    model = compiled(compile_tool, type_)
    value = {"a": {"of": [{}] * 100}}
    assert model.read(json.dumps(value)).lane == "careful"
    assert model.read(value).lane == "fast"


# --- how many --------------------------------------------------------------------------------------------------------


def lanes_of(codec: Any, values: list[Any]) -> Counter[str]:
    """Lanes of the inputs that are taken without a mend, as text and as mappings."""
    found: Counter[str] = Counter()
    for value in values:
        for form in (json.dumps(value), json.dumps(value, ensure_ascii=False).encode(), value):
            try:
                reading = codec.read(form)
            except PayloadError:
                continue
            if not reading.notes:
                found[reading.lane] += 1
    return found


def mostly_fast(found: Counter[str]) -> None:
    share = found["fast"] / found.total()
    print(f"{found['fast']} of {found.total()} valid inputs stay in the fast lane: {share:.2%}")
    assert share >= LEAST, found


def test_valid_inputs_of_the_example_designs_stay_in_the_fast_lane() -> None:
    found: Counter[str] = Counter()
    for toolset in (generated.support.TOOLSET, generated.ledger.TOOLSET):
        for spec in toolset.values():
            found += lanes_of(spec.model, made_up(valid_inputs, spec.model.schema, 60))
    assert found.total() > 1_000
    mostly_fast(found)


@pytest.fixture(scope="module")
def compile_quickly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compile]:
    with compiling(tmp_path_factory.mktemp("lanes"), formatted=False) as compile_design:
        yield compile_design


def test_valid_inputs_of_random_designs_stay_in_the_fast_lane(compile_quickly: Compile) -> None:
    """Of designs in which no Record is open and no rule stands beside a type; those have no fast lane."""
    found: Counter[str] = Counter()
    for hand in hands(8)[::8]:
        cells = tuple(cell for cell in hand if cell.constraint != "also")

        @seed(seed_of(hand))
        @settings(
            max_examples=1,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(designs(cells))
        def count(design: Design) -> None:
            root = compile_quickly(design.source.replace(", closed=False", "").replace("closed=False", ""))
            model = importlib.import_module(f"{root.__name__}.things.do").MODEL
            found.update(lanes_of(model, made_up(valid_inputs, model.schema, 15)))

        count()
    assert found.total() > 1_000
    mostly_fast(found)


def test_valid_instances_of_the_corpus_stay_in_the_fast_lane(compile_quickly: Compile) -> None:
    """Of schemas that an import carries whole, and that close their objects and hold no rules."""
    found: Counter[str] = Counter()
    tools = 0
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        if '"additionalProperties": false' not in line:
            continue
        case = json.loads(line)
        try:
            source = next(iter(tools_of(case["schema"], Form.JSON_SCHEMA, "trial")))
            made = compose([plan_tool(source, case["id"])], "corpus", "One schema.")
        except SourceFault:
            continue
        if made.written is None or made.losses:
            continue
        root = compile_quickly(made.written.text)
        model = importlib.import_module(f"{root.__name__}.corpus.{made.written.tools[0]}").MODEL
        if model._lanes.json:
            tools += 1
            found += lanes_of(model, [test["data"] for test in case["tests"] if test["valid"]])
    print(f"{tools} schemas of the corpus have a fast lane")
    assert tools >= 10
    mostly_fast(found)
