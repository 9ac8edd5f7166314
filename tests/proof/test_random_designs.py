"""Random designs, each compiled, imported and held to the contract with valid, mutated and hostile inputs."""

from __future__ import annotations

import importlib
import json
import os
import random
from collections import Counter
from collections.abc import Container, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from laws import Tool, attributes
from random_designs import PLACES, Cell, Design, deck, designs, hands, seed_of
from spoiled_texts import spoiled

from conftest import Compile, compiling
from toolgen.runtime import UNSET
from toolgen.runtime.pointers import below, steps
from toolgen.testing import boundary_inputs, full_input, mutated_inputs, valid_inputs
from toolgen.testing.boundary import bases
from toolgen.testing.judging import made_up
from toolgen.testing.shape import put

pytestmark = pytest.mark.once

HAND = 7
MADE_UP = 3
"""How many valid and mutated inputs hypothesis makes up for a schema; it takes longer than trying them."""

ON_THE_BOUNDS = 20
SPOILED = 30
MOST_DRAWS = 4
RULED_OUT = (98765, "root", "no")
"""What the designs rule out with ``also``."""

LEFT_OUT = {"optional": None, "nullable optional": None, "nullable keep_null": UNSET, "keep_null": UNSET}
"""What stands for a field of each kind of optional that the input leaves out."""

FACTOR = int(os.environ.get("TOOLGEN_PROOF", "1"))
"""How many times as many designs are made: 1 in ``make test``, 20 in ``make proof``."""

SHARES = 12
HANDS = hands(HAND)

# A design that fails is made smaller before it is shown: its source is then the example that hypothesis prints.
PROOF = settings(
    max_examples=FACTOR,
    deadline=None,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


class Tally:
    """What was tried: designs, inputs, and for each cell how many inputs were taken and refused there."""

    def __init__(self) -> None:
        self.designs = 0
        self.inputs = 0
        self.taken: Counter[Cell] = Counter()
        self.refused: Counter[Cell] = Counter()
        self.lanes: Counter[str] = Counter()


@pytest.fixture(scope="module")
def compile_quickly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compile]:
    with compiling(tmp_path_factory.mktemp("proof"), formatted=False) as compile_design:
        yield compile_design


@pytest.mark.parametrize("share", range(SHARES))
def test_random_designs_hold_to_the_contract(share: int, compile_quickly: Compile) -> None:
    tally = Tally()
    wanted: set[Cell] = set()
    for hand in HANDS[share::SHARES]:
        wanted |= set(hand)
        try_hand(hand, compile_quickly, tally)
    assert tally.designs >= 300 / SHARES
    assert tally.inputs >= 30_000 / SHARES
    assert sorted(cell for cell in wanted if not tally.taken[cell]) == [], "no input was taken for these"
    assert sorted(cell for cell in wanted if not tally.refused[cell]) == [], "no input was refused for these"


def test_the_deck_has_every_type_kind_place_and_constraint() -> None:
    cells = deck()
    assert len(cells) == len(set(cells)) == sum(map(len, HANDS))
    assert {cell.place for cell in cells} == set(PLACES)


def try_hand(hand: tuple[Cell, ...], compile_design: Compile, tally: Tally) -> None:
    """Now and then hypothesis draws a design without some of the hand: then it draws another."""

    @PROOF
    @given(designs(hand))
    def holds(design: Design) -> None:
        root = compile_design(design.source)
        try_design(Tool(importlib.import_module(f"{root.__name__}.things.do")), design, tally)
        tally.designs += 1

    for attempt in range(MOST_DRAWS):
        seed(seed_of(hand) + attempt)(holds)()
        if all(tally.taken[cell] and tally.refused[cell] for cell in hand):
            return


def try_design(tool: Tool, design: Design, tally: Tally) -> None:
    chance = random.Random(design.source)
    model, execution = tool.module.MODEL.schema, tool.module.EXECUTION.schema
    in_model = [(cell, way) for cell, way in design.cells if cell.place not in ("restored", "injected")]
    restored = [(cell, way) for cell, way in design.cells if cell.place == "restored"]
    texts = []
    for value in inputs(model, chance):
        found = tool.hold(value)
        count(tally, in_model, value, found.taken, found.issues)
        texts.append(json.dumps(value, ensure_ascii=False))
    saved = full_input(execution)
    for value in inputs(execution, chance, {way[0] for _, way in restored}):
        found = tool.hold_execution(value)
        count(tally, restored, value, found.taken, found.issues)
    for cells, whole, hold in ((in_model, full_input(model), tool.hold), (restored, saved, tool.hold_execution)):
        for cell, way in cells:
            if cell.kind in LEFT_OUT:
                place = places(whole, way)[0]
                tool.hold_left_out(whole, place, LEFT_OUT[cell.kind], execution=hold != tool.hold)
            for value in forbidden(cell, whole, way):
                found = hold(value)
                count(tally, cells, value, found.taken, found.issues)
            issues = tool.refuses_mapping(foreign(chance, whole, way), execution=hold != tool.hold)
            count(tally, cells, None, False, issues)
    for text in spoiled(texts, chance, SPOILED):
        tool.hold_text(text)
        tally.inputs += 1
    if tool.context_schema is not None:
        try_contexts(tool, saved, [(cell, way) for cell, way in design.cells if cell.place == "injected"], tally)


def inputs(schema: Any, chance: random.Random, keys: Container[str] | None = None) -> Iterator[Any]:
    """Inputs on the bounds, some of them, and made up; with ``keys``, those on the bounds are about these alone."""
    found = boundary_inputs(schema)
    about = [b for b in found[1:] if keys is None or (b.path and b.path.split("/")[1] in keys)]
    yield from (b.input for b in [found[0], *chance.sample(about, min(len(about), ON_THE_BOUNDS))])
    yield from (base.input for base in bases(schema))
    if keys is None:
        yield from made_up(valid_inputs, schema, MADE_UP)
    if keys is None or about:
        yield from made_up(mutated_inputs, schema, MADE_UP)


def forbidden(cell: Cell, whole: Any, way: tuple[str, ...]) -> Iterator[Any]:
    """The input with each value that some ``also`` rules out."""
    if cell.constraint == "also":
        yield from (put(whole, place, value) for place in places(whole, way)[:1] for value in RULED_OUT)


def foreign(chance: random.Random, whole: Any, way: tuple[str, ...]) -> Any:
    """The input with something that no JSON has."""
    value = chance.choice((float("nan"), float("inf"), object(), {1}, b"x", 1j, ("a",), {1: 2}, {"a": object()}))
    return put(whole, places(whole, way)[0], value)


def places(value: Any, way: tuple[str, ...], path: str = "") -> list[str]:
    """Where the way leads in an input, as JSON Pointers."""
    if not way:
        return [path]
    step, rest = way[0], way[1:]
    items = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    return [found for key, item in items if step in ("*", key) for found in places(item, rest, below(path, key))]


def try_contexts(tool: Tool, saved: Any, cells: Ways, tally: Tally) -> None:
    """Contexts are Python values: what JSON decodes to, and in place of one field raw JSON or foreign objects."""
    codec = tool.module.CONTEXT.codec
    for boundary in boundary_inputs(tool.context_schema):
        if boundary.constraint is None:
            assert tool.hold_context(attributes(codec.decode(boundary.input)), saved) == ()
            count(tally, cells, boundary.input, True, ())
    for _, (name,) in cells:
        for value in (object(), float("nan"), [object()]):
            names = tool.hold_context({**tool.injected, name: value}, saved)
            count(tally, cells, None, False, [(f"/{n}", "") for n in names])
    for boundary in boundary_inputs(tool.context_schema):
        name = boundary.path.split("/")[1] if boundary.path else ""
        if boundary.constraint is not None and name in tool.injected and name in boundary.input:
            names = tool.hold_context({**tool.injected, name: boundary.input[name]}, saved)
            count(tally, cells, None, False, [(f"/{n}", "") for n in names])


Ways = list[tuple[Cell, tuple[str, ...]]]


def count(tally: Tally, cells: Ways, value: Any, taken: bool, issues: Any) -> None:
    """For each cell: whether an input was taken that has a value there, or one refused for what stands there."""
    tally.inputs += 1
    for cell, way in cells:
        if taken:
            tally.taken[cell] += bool(places(value, way))
        else:
            tally.refused[cell] += any(leads(path, way) for path, _ in issues)


def leads(path: str, way: tuple[str, ...]) -> bool:
    found = steps(path)
    return len(found) >= len(way) and all(wanted in ("*", step) for wanted, step in zip(way, found, strict=False))
