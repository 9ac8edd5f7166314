"""Hostile inputs: whatever an input is, a value or a PayloadError comes of it, alike in both lanes."""

from __future__ import annotations

import importlib
import itertools
import json
import os
import random
from array import array
from collections import OrderedDict, UserDict, deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from laws import Lane, outcome
from spoiled_texts import spoiled

from benchmarks.hostile import FAMILIES
from conftest import compiling
from toolgen.runtime.issues import PayloadError
from toolgen.testing import boundary_inputs
from toolgen.testing.shape import put

pytestmark = pytest.mark.once

FACTOR = int(os.environ.get("TOOLGEN_PROOF", "1"))
TEXTS = 5_000 * FACTOR
MAPPINGS = 1_000 * FACTOR
DESIGN = Path(__file__).parents[2] / "benchmarks" / "designs" / "hostile.py"


@pytest.fixture(scope="module")
def take(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    with compiling(tmp_path_factory.mktemp("hostile"), formatted=False) as compile_design:
        root = compile_design(DESIGN.read_text(encoding="utf-8"))
        yield importlib.import_module(f"{root.__name__}.hostile.take")


@pytest.fixture(scope="module")
def lanes(take: ModuleType) -> list[Lane]:
    def decode(codec: Any, data: Any) -> Any:
        return codec.decode_with_notes(data)

    return [Lane(codec, decode) for codec in (take.MODEL, take.MODEL.strict, take.EXECUTION)]


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("size", [1, 40, 3_000])
def test_each_family_is_taken_or_refused_alike(lanes: list[Lane], name: str, size: int) -> None:
    data = FAMILIES[name](size)
    for lane in lanes:
        found = lane.hold_text(data)
        assert found.taken or all(len(path) < 5_000 for path, _ in found.issues)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_text_for_the_model_stays_short(take: ModuleType, name: str) -> None:
    data = FAMILIES[name](30_000)
    try:
        take.MODEL.decode(data)
    except PayloadError as error:
        text = error.for_model()
    else:
        text = ""
    assert len(text) < 10_000


def test_spoiled_texts(take: ModuleType, lanes: list[Lane]) -> None:
    texts = [json.dumps(b.input, ensure_ascii=False) for b in boundary_inputs(take.MODEL.schema)]
    for text in spoiled(texts, random.Random(1), TEXTS):
        for lane in lanes:
            lane.hold_text(text)


class Raising:
    """Raises whatever is asked of it."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


class Endless(Mapping[str, Any]):
    """A mapping that says it is empty and has no end."""

    def __getitem__(self, key: str) -> Any:
        return self

    def __iter__(self) -> Iterator[str]:
        return (str(number) for number in itertools.count())

    def __len__(self) -> int:
        return 0


class Text(str):
    """A text that is no plain one."""

    __slots__ = ()


class Pairs(dict[str, Any]):
    """A dict that is no plain one."""


class Items(list[Any]):
    """A list that is no plain one."""


def _shared() -> list[Any]:
    """A value that is small in memory, and past all bounds as JSON."""
    shared: list[Any] = ["x"]
    for _ in range(40):
        shared = [shared, shared]
    return shared


def _loop() -> list[Any]:
    loop: list[Any] = []
    loop.append({"loop": loop})
    return loop


STRANGERS: tuple[Any, ...] = (
    object(), Raising(), Text("x"), b"x", {1}, (1,), 1j, float("nan"), float("inf"), 10**5_000, "\ud800", {1: 2},
    {"\ud800": 1}, {Text("k"): 1}, _loop(), [object()], {"a": Raising()}, len, type, NotImplemented, range(3), iter(()),
    Endless(), [Endless()], {"a": Endless()}, Pairs(a=1), [Pairs()], {"a": Pairs()}, Items([1]), [Items()], deque([1]),
    array("i", [1]), OrderedDict(a=1), UserDict(a=1), _shared(), {"a": _shared()}, bytearray(b"x"), memoryview(b"x"),
)  # fmt: skip


def test_mappings_with_foreign_objects(take: ModuleType, lanes: list[Lane]) -> None:
    chance = random.Random(2)
    whole = [b.input for b in boundary_inputs(take.MODEL.schema) if isinstance(b.input, dict) and b.input]
    for _ in range(MAPPINGS):
        value = chance.choice(whole)
        place = chance.choice(list(places(value)))
        spoilt = put(value, place, chance.choice(STRANGERS))
        for lane in lanes:
            first = outcome(lane.decode, spoilt)
            assert first.agrees(outcome(lane.decode_carefully, spoilt))


def places(value: Any, path: str = "") -> Iterator[str]:
    items = value.items() if isinstance(value, dict) else enumerate(value[:3]) if isinstance(value, list) else ()
    for key, item in items:
        here = f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
        yield here
        yield from places(item, here)


def test_what_is_no_input_at_all(lanes: list[Lane]) -> None:
    for stranger in (
        Endless(),
        Raising(),
        object(),
        5,
        1.5,
        True,
        [1],
        Text("{}"),
        bytearray(b"{}"),
        memoryview(b"{}"),
    ):
        for lane in lanes:
            assert outcome(lane.decode, stranger).agrees(outcome(lane.decode_carefully, stranger))


@pytest.mark.parametrize("place", ["numbers", "whole", "anything", "level"])
def test_a_number_of_more_digits_than_a_text_may_have_is_malformed_in_a_mapping_too(
    lanes: list[Lane], place: str
) -> None:
    number = -(10**4_300)
    value: Any = [number] if place == "numbers" else number
    for lane in lanes:
        assert outcome(lane.decode, {place: value}).issues == (("", "malformed_json"),)
        found = outcome(lane.decode, {place: [number + 1] if place == "numbers" else number + 1})
        assert found.issues != (("", "malformed_json"),)


def test_a_mapping_that_does_not_end_is_refused(take: ModuleType) -> None:
    with pytest.raises(PayloadError) as refused:
        take.MODEL.decode({"words": Endless()})
    assert [(issue.path, issue.constraint) for issue in refused.value.issues] == [("/words", "invalid_type")]


def test_integers_that_hash_alike_are_compared_in_linear_time(take: ModuleType) -> None:
    modulus = 2**61 - 1
    numbers = [modulus * number for number in range(1, 60_000)]
    assert take.MODEL.decode(json.dumps({"distinct": numbers})).distinct == numbers
    with pytest.raises(PayloadError) as refused:
        take.MODEL.decode(json.dumps({"distinct": [*numbers, modulus]}))
    assert [issue.constraint for issue in refused.value.issues] == ["duplicate_items"]
