"""Containers that a mapping has where a body has some."""

from __future__ import annotations

from collections import OrderedDict, UserDict, UserList, deque
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgen.runtime.containers import look_into
from toolgen.runtime.fastlane import Lanes, mapping_reader
from toolgen.runtime.guards import Declined
from toolgen.runtime.purity import MOST_CONTAINED, is_plain, is_surely_plain


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    number: int = 0
    names: list[str] = []


class Leaf(msgspec.Struct, forbid_unknown_fields=True, tag="leaf"):
    text: str = ""


class Branch(msgspec.Struct, forbid_unknown_fields=True, tag="branch"):
    leaves: list[Leaf] = []


class Body(msgspec.Struct, forbid_unknown_fields=True):
    score: float | msgspec.UnsetType | None = msgspec.UNSET
    kind: Literal["a", "b"] = "a"
    scores: list[float] = []
    inner: Inner | None = None
    inners: list[Inner] = []
    by_name: dict[str, Inner] = {}
    counts: dict[str, int] = {}
    tree: list[Leaf | Branch] = []
    rows: list[list[str]] = []


INPUT: dict[str, Any] = {
    "score": 0.5,
    "scores": [1.5, 2],
    "inner": {"number": 1, "names": ["a"]},
    "inners": [{"number": 2}, {"names": ["b", "c"]}],
    "by_name": {"one": {"names": []}},
    "counts": {"one": 1},
    "tree": [{"type": "leaf", "text": "x"}, {"type": "branch", "leaves": [{"type": "leaf"}]}],
    "rows": [["a"], []],
}


class Touched(Mapping[str, Any]):
    """A mapping that nobody may ask for anything."""

    def __getitem__(self, key: str) -> Any:
        raise AssertionError(key)

    def __iter__(self) -> Iterator[str]:
        raise AssertionError

    def __len__(self) -> int:
        raise AssertionError


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


read = mapping_reader(Body, Lanes())


def test_what_json_has_is_read() -> None:
    assert read(INPUT) == msgspec.convert(INPUT, Body)


@pytest.mark.parametrize("place", [*places(INPUT)], ids=str)
@pytest.mark.parametrize(
    "foreign",
    [
        (),
        ("a",),
        set(),
        frozenset({"a"}),
        deque(["a"]),
        UserList(),
        OrderedDict(),
        UserDict(),
        Touched(),
        Inner(),
        b"a",
    ],
    ids=lambda value: type(value).__name__,
)
def test_containers_that_json_does_not_have_are_declined_untouched(place: tuple[Any, ...], foreign: Any) -> None:
    with pytest.raises((Declined, msgspec.ValidationError)):
        read(put(INPUT, place, foreign))


@pytest.mark.parametrize("name", ["inners", "tree", "rows", "scores"])
def test_one_container_in_many_places_is_counted_in_each(name: str) -> None:
    many = [INPUT[name][0]] * (MOST_CONTAINED + 1)
    look = look_into(Body)
    assert look is not None
    assert look({name: many[:1000]}) >= 1000
    with pytest.raises(Declined):
        look({name: many})


def test_a_container_that_holds_itself_ends() -> None:
    rows: list[Any] = []
    rows += [rows, rows]
    for name in INPUT:
        with pytest.raises((Declined, msgspec.ValidationError)):
            read({name: rows})


@pytest.mark.parametrize("type_", [bytes, Any, msgspec.Raw, set[str], tuple[str, ...]])
def test_a_body_of_other_types_has_no_look(type_: Any) -> None:
    assert look_into(msgspec.defstruct("Other", [("field", list[type_])])) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(st.characters()), inside, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(st.characters()), json_values, max_size=4))
def test_what_is_surely_plain_is_plain(value: dict[str, Any]) -> None:
    assert not is_surely_plain(value) or is_plain(value)


@pytest.mark.parametrize("value", ["\ud800", "a\udfffb", float("nan"), float("inf"), float("-inf")])
def test_values_that_no_json_has_are_not_plain(value: Any) -> None:
    for whole in ({"a": value}, {"a": [{"b": [value] * 3}]}):
        assert not is_surely_plain(whole)
        assert not is_plain(whole)
    if isinstance(value, str):
        assert not is_surely_plain({value: 1})


@pytest.mark.parametrize("value", [127, 255, 237, -1, "í", "한", "\x7f", [127] * 300, 2**70])
def test_what_only_looks_like_them_is_read_all_the_same(value: Any) -> None:
    whole = {"counts": {"a": 5}, "rows": [[str(value)]]}
    whole["counts"] = {"a": value} if isinstance(value, int) and value < 2**63 else {}
    assert read(whole) == msgspec.convert(whole, Body)
