"""Odd inputs: whatever object is given, a value or a PayloadError comes of it, the same from every codec and method."""

from __future__ import annotations

import array
import collections
import dataclasses
import decimal
import enum
import io
import mmap
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from toolgen.runtime import PayloadError

TEXT = b'{"n":2}'


class Trap(RuntimeError):
    """What hostile objects raise."""


def _raise(*_: Any, **__: Any) -> Any:
    raise Trap


_SPECIAL = (
    "class len iter eq ne hash bool str repr bytes index int float contains getitem getattr getattribute format "
    "reversed next call buffer"
)
_METHODS = "keys values items get encode decode strip startswith count isspace isascii isprintable"
_ASKED = [f"__{name}__" for name in _SPECIAL.split()] + _METHODS.split()


def hostile(base: type) -> type:
    """A class that raises whatever it is asked."""
    members = {name: property(_raise) if name == "__class__" else _raise for name in _ASKED}
    return type(f"Hostile{base.__name__.title()}", (base,), members)


class Endless(Mapping[str, Any]):
    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        number = 0
        while True:
            yield str(number)
            number += 1

    def __getitem__(self, key: str) -> Any:
        return 1


class Lying(Mapping[Any, Any]):
    def __len__(self) -> Any:
        return -1

    def __iter__(self) -> Iterator[Any]:
        return iter([1])

    def __getitem__(self, key: Any) -> Any:
        raise Trap


@dataclasses.dataclass
class Data:
    n: int = 2


class Struct(msgspec.Struct):
    n: int = 2


def released() -> memoryview:
    view = memoryview(TEXT)
    view.release()
    return view


def mapped() -> mmap.mmap:
    area = mmap.mmap(-1, len(TEXT))
    area.write(TEXT)
    return area


def closed() -> mmap.mmap:
    area = mapped()
    area.close()
    return area


ODD: dict[str, Callable[[], Any]] = {
    "a released view": released,
    "a view of every second byte": lambda: memoryview(bytes(b for pair in zip(TEXT, TEXT, strict=True) for b in pair))[
        ::2
    ],
    "a view from the back": lambda: memoryview(TEXT[::-1])[::-1],
    "a view of numbers": lambda: memoryview(array.array("I", [0x226E227B, 0x20207D30])),
    "a view in two dimensions": lambda: memoryview(bytearray(TEXT + b" ")).cast("B", (2, 4)),
    "a bytearray": lambda: bytearray(TEXT),
    "an array": lambda: array.array("b", TEXT),
    "mapped memory": mapped,
    "closed memory": closed,
    "raw JSON": lambda: msgspec.Raw(TEXT),
    **{
        f"a hostile {base.__name__}": lambda base=base, given=given: hostile(base)(*given)
        for base, given in {
            str: [TEXT.decode()],
            bytes: [TEXT],
            bytearray: [TEXT],
            dict: [],
            collections.UserDict: [],
            list: [],
            set: [],
            int: [],
            float: [],
            object: [],
            Data: [],
            Exception: [],
        }.items()
    },
    "a plain str of a class": lambda: type("Text", (str,), {})(TEXT.decode()),
    "plain bytes of a class": lambda: type("Data", (bytes,), {})(TEXT),
    "an endless mapping": Endless,
    "a lying mapping": Lying,
    "a proxy": lambda: types.MappingProxyType({"n": 2}),
    "a chain": lambda: collections.ChainMap({"n": 2}),
    "an ordered dict": lambda: collections.OrderedDict(n=2),
    "a default dict": lambda: collections.defaultdict(Trap, n=2),
    "a dict of a class": lambda: type("Dict", (dict,), {})(n=2),
    "a generator": lambda: (pair for pair in [("n", 2)]),
    "pairs": lambda: [("n", 2)],
    "items": lambda: {"n": 2}.items(),
    "a set": lambda: {"n"},
    "a tuple": lambda: ("n", 2),
    "a dataclass": Data,
    "a struct": Struct,
    "a file": lambda: io.BytesIO(TEXT),
    "a path": lambda: Path("x"),
    "a type": lambda: dict,
    "a module": lambda: sys,
    "a function": lambda: _raise,
    "numbers": lambda: [1, 1.5, 2**20000, float("nan"), 1j, decimal.Decimal(1)],
    "ellipsis": lambda: ...,
    "unset": lambda: msgspec.UNSET,
}

FIELDS = """
n: int = field("N.", default=1, ge=0)
any: Any = field("A.", optional=True)
texts: list[str] = field("T.", default=[])
more: dict[str, Any] = field("M.", default={{}})
word: str = field("W.", default="a"{rule})
hidden: str = injected("H.", optional=True)
"""

PLACES: dict[str, Callable[[Any], Any]] = {
    "the whole": lambda odd: odd,
    "a number": lambda odd: {"n": odd},
    "anything": lambda odd: {"any": odd},
    "inside anything": lambda odd: {"any": {"a": [odd]}},
    "a list": lambda odd: {"texts": odd},
    "a text": lambda odd: {"texts": ["", odd]},
    "a map": lambda odd: {"more": odd},
    "an unknown key": lambda odd: {"zzz": odd},
    "a foreign mapping": lambda odd: types.MappingProxyType({"n": odd}),
}


def outcome(read: Callable[[Any], Any], place: str, odd: str) -> object:
    try:
        return read(PLACES[place](ODD[odd]()))
    except PayloadError as error:
        return error.for_model(), str(error).replace("strict", "")


@pytest.mark.parametrize("rule", ["", ', also={"not": {"const": "x"}}'], ids=["fast", "careful"])
@pytest.mark.parametrize("place", PLACES)
def test_every_method_makes_the_same_of_an_odd_input(compile_tool: Callable[..., Any], place: str, rule: str) -> None:
    module = compile_tool(FIELDS.format(rule=rule))
    for odd in ODD:
        found = [
            outcome(module.MODEL.decode, place, odd),
            outcome(lambda data: module.MODEL.decode_with_notes(data)[0], place, odd),
            outcome(lambda data: module.MODEL.read(data).value, place, odd),
            outcome(lambda data: module.MODEL.transform(module.MODEL.body(data)), place, odd),
        ]
        assert all(repr(one) == repr(found[0]) for one in found), odd
        strict = [
            outcome(module.MODEL.strict.decode, place, odd),
            outcome(lambda data: _args(module, module.EXECUTION.decode(data)), place, odd),
            outcome(lambda data: _args(module, module.EXECUTION.read(data).value), place, odd),
            outcome(lambda data: module.MODEL.transform(module.EXECUTION.body(data)), place, odd),
        ]
        assert all(repr(one) == repr(strict[0]) for one in strict), odd


def _args(module: Any, payload: Any) -> Any:
    return module.DoArgs(n=payload.n, any=payload.any, texts=payload.texts, more=payload.more)


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_key_is_refused_or_read(compile_tool: Callable[..., Any], odd: str) -> None:
    module = compile_tool(FIELDS.format(rule=""))
    try:
        given = {ODD[odd](): 1}
    except (TypeError, Trap, ValueError):  # no key at all
        return
    for place in (given, {"more": given}, {"any": [given]}, types.MappingProxyType(given)):
        for codec in (module.MODEL, module.MODEL.strict, module.EXECUTION):
            outcome(lambda _, codec=codec, place=place: codec.decode(place), "the whole", "a set")


@pytest.mark.parametrize("rule", ["", ', also={"maxProperties": 9}'], ids=["fast", "careful"])
def test_the_keys_of_a_map_are_plain_texts(compile_tool: Callable[..., Any], rule: str) -> None:
    module = compile_tool(f'counts: dict[str, int] = field("C."{rule})')
    trap = type("Trap", (str,), dict.fromkeys(("__str__", "__repr__", "__len__", "isascii", "encode"), _raise))
    for text in (type("Text", (str,), {}), trap, enum.StrEnum("Choice", {"A": "a"})):
        for codec in (module.MODEL, module.MODEL.strict, module.EXECUTION):
            value = codec.decode({"counts": {text("a"): 1}})
            assert [type(key) for key in value.counts] == [str]
            assert codec.encode(value) == b'{"counts":{"a":1}}'


def test_of_a_flat_input_nothing_of_a_class_of_the_callers_is_handed_on(compile_tool: Callable[..., Any]) -> None:
    """It takes a way of its own through the fast lane; the careful lane makes the same of it."""
    fields = 'a: str | None = field("A.", default=None{rule})\nn: float = field("N.", default=1)'
    fast, careful = (compile_tool(fields.format(rule=rule)) for rule in ("", ', also={"maxLength": 99}'))
    text, whole, part = type("Text", (str,), {}), type("Whole", (int,), {}), type("Part", (float,), {})
    odd = [text("a"), whole(1), part(1), True, 1, "1", "a\u00e9", "\ud800", None]
    odd += [float("nan"), decimal.Decimal(1), ("a",), {"a"}, b"a", [], {}, enum.IntEnum("One", {"A": 1}).A]
    inputs = [{key: value} for key in ("a", "n", text("a"), text("n")) for value in odd]
    inputs += [{key: "a", "n": 2} for key in (1, None, "\ud800", text("b"), ("a",))]
    for name in ("MODEL", "EXECUTION"):
        found = [[_exactly(getattr(module, name), given) for given in inputs] for module in (fast, careful)]
        assert found[0] == found[1]
        assert {type_ for taken in found[0] if taken for _, type_ in taken} == {str, float, type(None)}


def _exactly(codec: Any, given: object) -> list[tuple[object, type]] | None:
    try:
        value = codec.decode(given)
    except PayloadError:
        return None
    return [(each, type(each)) for each in (value.a, value.n)]


def test_a_key_that_raises_when_its_class_is_asked_is_refused(compile_tool: Callable[..., Any]) -> None:
    key = type("Key", (), {"__class__": property(_raise)})()
    module = compile_tool(FIELDS.format(rule=""))
    for place, path in (({key: 1}, ""), ({"more": {key: 1}}, "/more"), ({"any": [{key: 1}]}, "/any/0")):
        for codec in (module.MODEL, module.MODEL.strict, module.EXECUTION):
            with pytest.raises(PayloadError) as caught:
                codec.decode(place)
            assert [issue.path for issue in caught.value.issues] == [path]


@pytest.mark.parametrize("odd", ["a released view", "closed memory"])
def test_memory_that_is_gone_is_malformed(compile_tool: Callable[..., Any], odd: str) -> None:
    module = compile_tool(FIELDS.format(rule=""))
    flat = compile_tool('n: int = field("N.")')
    for codec in (module.MODEL, module.MODEL.strict, module.EXECUTION, flat.MODEL, flat.EXECUTION):
        with pytest.raises(PayloadError) as caught:
            codec.decode(ODD[odd]())
        assert [(issue.path, issue.constraint) for issue in caught.value.issues] == [("", "malformed_json")]


READABLE = (
    "a view of every second byte",
    "a view from the back",
    "a bytearray",
    "an array",
    "mapped memory",
    "a plain str of a class",
    "plain bytes of a class",
    "a proxy",
    "a chain",
    "an ordered dict",
    "a dict of a class",
)


@pytest.mark.parametrize("odd", READABLE)
def test_bytes_and_mappings_of_any_class_are_read(compile_tool: Callable[..., Any], odd: str) -> None:
    module = compile_tool(FIELDS.format(rule=""))
    flat = compile_tool('n: int = field("N.")')  # where msgspec is asked first, whatever the input is
    for codec in (module.MODEL, module.MODEL.strict, module.EXECUTION, flat.MODEL, flat.EXECUTION):
        assert codec.decode(ODD[odd]()).n == 2
