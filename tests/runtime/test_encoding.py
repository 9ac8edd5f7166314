"""What can't be written is refused at its place: any object in the place of any type, at any depth, in every codec."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import importlib
import json
import uuid
from collections import UserDict
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType, ModuleType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from conftest import compiling, one_tool, shown
from toolgen.runtime import ContextError, PayloadError

TYPES = {
    "text": ("str", "a"),
    "whole": ("int", 1),
    "number": ("float", 1.5),
    "truth": ("bool", True),
    "data": ("bytes", b"abc"),
    "day": ("date", datetime.date(2026, 1, 2)),
    "clock": ("time", datetime.time(1, 2, tzinfo=datetime.UTC)),
    "moment": ("datetime", datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC)),
    "wait": ("timedelta", datetime.timedelta(hours=1)),
    "key": ("UUID", uuid.UUID(int=5)),
    "price": ("Decimal", decimal.Decimal("1.50")),
    "choice": ('Literal["a", 1, None]', "a"),
    "color": ("Color", lambda types: types.Color.RED),
    "mixed": ("Mixed", lambda types: types.Mixed.ONE),
    "rows": ("list[int]", [1, 2]),
    "table": ("dict[str, list[int]]", {"a": [1]}),
    "point": ("Point", lambda types: types.Point(x_y=1)),
    "either": ("int | str | list[Point]", "a"),
    "shape": ("Round | Square", lambda types: types.Round(kind="round", size=decimal.Decimal(1))),
    "shapes": ("list[Round | Square]", lambda types: [types.Square(kind="square", wait=datetime.timedelta(1))]),
}

RECORDS = '''
class Color(enum.Enum):
    """A colour."""

    RED = "red"


class Mixed(enum.Enum):
    """Several kinds."""

    ONE = 1
    TWO = "two"


class Point(Record):
    """A point."""

    x_y: int = field("X.", name="x/y", ge=0)
    at: datetime = field("When.", optional=True)


class Round(Record):
    """Round."""

    kind: Literal["round"] = field("Kind.")
    size: Decimal = field("Size.")


class Square(Record):
    """Square."""

    kind: Literal["square"] = field("Kind.")
    wait: timedelta = field("Wait.")
'''


def box(name: str, type_: str) -> str:
    return f'''

class {name.title()}Box(Record):
    """A box."""

    plain: {type_} = field("P.", optional=True)
    rows: list[{type_}] = field("R.", name="the-rows", default=[])
    keys: dict[str, {type_}] = field("K.", default={{}})
    maybe: {type_} | None = field("M.", optional=True)
    inner: {name.title()}Box = field("I.", optional=True)
'''


PLACES: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "itself": ("/plain", lambda box, x: box(plain=x)),
    "a list": ("/the-rows/1", lambda box, x: box(rows=[GOOD, x])),
    "a map": ("/keys/a~0~1", lambda box, x: box(keys={"": GOOD, "a~/": x})),
    "or null": ("/maybe", lambda box, x: box(maybe=x)),
    "a Record": ("/inner/inner/the-rows/0", lambda box, x: box(inner=box(inner=box(rows=[x])))),
}
"""Where a wrong object stands in a box, and how it gets there."""

GOOD: Any = object()


@dataclasses.dataclass
class Stranger:
    x_y: int = 1
    kind: str = "round"


class Other(enum.Enum):
    RED = "red"
    ONE = 1


class Hostile:
    """Raises whatever it is asked."""

    @property
    def __class__(self) -> Any:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __hash__(self) -> int:
        raise RuntimeError

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError


class Clocks(datetime.tzinfo):
    """Clocks that are an hour ahead, and two from 2:00 on 31 March to 3:00 on 27 October 2024, as those of Berlin."""

    def utcoffset(self, when: datetime.datetime | None) -> datetime.timedelta | None:
        if when is None:
            return None
        wall, hour = when.replace(tzinfo=None, fold=0), datetime.timedelta(hours=1)
        forward, back = datetime.datetime(2024, 3, 31, 2), datetime.datetime(2024, 10, 27, 3)
        if forward <= wall < forward + hour or back - hour <= wall < back:
            summer = bool(when.fold) == (wall < back - hour)
        else:
            summer = forward <= wall < back
        return 2 * hour if summer else hour

    def dst(self, when: datetime.datetime | None) -> datetime.timedelta | None:
        return None


class RaisingZone(datetime.tzinfo):
    def utcoffset(self, when: datetime.datetime | None) -> datetime.timedelta:
        raise RuntimeError


WRONG: tuple[Any, ...] = (
    None,
    5,
    -1,
    2**70,
    1.5,
    float("nan"),
    float("inf"),
    True,
    "text",
    "P1D",
    "2026-01-02",
    "\ud800",
    b"x",
    bytearray(b"x"),
    (1, 2),
    {1, 2},
    frozenset(),
    range(3),
    iter(()),
    {},
    {"x/y": 1},
    {"kind": "round", "size": "1"},
    {1: 2},
    {"a": {1}},
    [],
    ["text", 5],
    [[]],
    [None],
    [{"kind": "square", "wait": "PT1S"}],
    datetime.date(2026, 1, 2),
    datetime.datetime(2026, 1, 2),
    datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC),
    datetime.datetime(1800, 1, 2, tzinfo=datetime.timezone(datetime.timedelta(minutes=19, seconds=32))),
    datetime.datetime(2026, 1, 2, tzinfo=RaisingZone()),
    datetime.time(1, 2),
    datetime.time(1, 2, tzinfo=Clocks()),
    datetime.timedelta(1),
    decimal.Decimal("NaN"),
    decimal.Decimal(1),
    uuid.UUID(int=1),
    Other.RED,
    Other.ONE,
    Stranger(),
    Stranger,
    Hostile(),
    object(),
    int,
    len,
    ...,
    NotImplemented,
    1j,
)


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """A tool with a box of each type; the same in its result, and each type injected as well."""
    fields = [f'{name}: {name.title()}Box = field("B.", optional=True)' for name in TYPES]
    injected = [f'my_{name}: {type_} = injected("I.", optional=True)' for name, (type_, _) in TYPES.items()]
    records = RECORDS + "".join(box(name, type_) for name, (type_, _) in TYPES.items())
    result = "class Result:\n" + "".join(f"    {line}\n" for line in fields)
    with compiling(tmp_path_factory.mktemp("boxes"), formatted=False) as compiled:
        root = compiled(one_tool("\n".join([*fields, *injected]), records=records, result=result))
        yield importlib.import_module(f"{root.__name__}.things.do")


def holding(boxes: ModuleType, name: str, place: str, wrong: object, value_type: Any) -> tuple[Any, str]:
    """A value with a wrong object in the place of one type, and the JSON Pointer to it."""
    types = importlib.import_module(f"{boxes.__package__}.types")
    good = TYPES[name][1]
    path, put = PLACES[place]
    box = put(getattr(types, f"{name.title()}Box"), wrong)
    box.rows = [(good(types) if callable(good) else good) if item is GOOD else item for item in box.rows]
    box.keys = {k: (good(types) if callable(good) else good) if v is GOOD else v for k, v in box.keys.items()}
    return value_type(**{name: box}), f"/{name}{path}"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", TYPES)
def test_a_wrong_object_is_refused_at_its_place_or_comes_back(boxes: ModuleType, name: str, place: str) -> None:
    for wrong in WRONG:
        for codec, value_type in ((boxes.MODEL, boxes.DoArgs), (boxes.RESULT, boxes.DoResult)):
            value, path = holding(boxes, name, place, wrong, value_type)
            try:
                text = codec.encode(value)
            except PayloadError as error:
                found = [issue.path for issue in error.issues]
            else:
                assert codec.decode(text) == value
                continue
            container = type(wrong) in (dict, list)
            assert found
            assert all(one == path or (container and one.startswith(f"{path}/")) for one in found), (wrong, found)


@pytest.mark.parametrize(
    ("name", "wanted"), [("price", "a decimal.Decimal"), ("key", "a uuid.UUID"), ("point", "a Point")]
)
@pytest.mark.parametrize(("wrong", "given"), [(5, "an int"), ("5", "a str"), (True, "a bool"), ([], "a list")])
def test_a_wrong_type_is_told_in_pythons_words(
    boxes: ModuleType, name: str, wanted: str, wrong: object, given: str
) -> None:
    value, path = holding(boxes, name, "a Record", wrong, boxes.DoResult)
    with pytest.raises(PayloadError) as caught:
        boxes.RESULT.encode(value)
    (issue,) = caught.value.issues
    assert (issue.path, issue.constraint) == (path, "invalid_type")
    assert issue.message == f"must be {wanted}, but is {given}"


def test_what_is_wrong_in_several_places_is_told_at_each(boxes: ModuleType) -> None:
    types = importlib.import_module(f"{boxes.__package__}.types")
    value = boxes.DoArgs(
        point=types.PointBox(plain={"x/y": 1}, rows=[types.Point(x_y=-1), {}, "x"]),
        wait=types.WaitBox(plain="P1D", keys={"a": 5}),
        text=types.TextBox(plain="\ud800"),
    )
    with pytest.raises(PayloadError) as caught:
        boxes.MODEL.encode(value)
    told = {issue.path: issue.message for issue in caught.value.issues}
    assert told == {
        "/text/plain": "the text holds half of a surrogate pair, which is no character",
        "/point/the-rows/0/x~1y": "must be at least 0, but is -1",
        "/point/plain": "must be a Point or None, but is a dict",
        "/point/the-rows/1": "must be a Point, but is a dict",
        "/point/the-rows/2": "must be a Point, but is a str",
        "/wait/plain": "must be a datetime.timedelta or None, but is a str",
        "/wait/keys/a": told["/wait/keys/a"],
    }


@pytest.mark.parametrize("name", TYPES)
def test_a_wrong_injected_value_names_its_field(boxes: ModuleType, name: str) -> None:
    field = f"my_{name}"
    for wrong in WRONG:
        for told in (
            refused_context(lambda wrong=wrong: boxes.complete(boxes.DoArgs(), **{field: wrong})),
            refused_context(lambda wrong=wrong: boxes.restore("{}", **{field: wrong})),
            refused_context(lambda wrong=wrong: boxes.EXECUTION.decode("{}", {field: wrong})),
        ):
            assert told is None or (told.keys() == {field} and told[field])


def refused_context(run: Callable[[], object]) -> dict[str, str] | None:
    try:
        run()
    except ContextError as error:
        return error.problems
    return None


def deep(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


def endless() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


UNHOLDABLE = {
    "deep": (deep(200), ""),
    "endless": (endless(), ""),
    "a long number inside": ([1, {"n": 10**5000}], "/1/n"),
    "a long number": (10**5000, ""),
}


@pytest.mark.parametrize("name", UNHOLDABLE)
def test_what_no_json_can_hold_is_refused_at_its_place(compile_tool: Callable[..., ModuleType], name: str) -> None:
    value, inside = UNHOLDABLE[name]
    module = compile_tool('a: Any = field("A.", name="the-a")\nb: Any = injected("B.", optional=True)')
    with pytest.raises(PayloadError) as caught:
        module.MODEL.encode(module.DoArgs(a=value))
    assert [(issue.path, issue.constraint) for issue in caught.value.issues] == [(f"/the-a{inside}", "malformed_json")]
    with pytest.raises(ContextError) as told:
        module.complete(module.DoArgs(a=1), b=value)
    assert told.value.names == ("b",)


def test_a_whole_that_is_none_is_refused(boxes: ModuleType) -> None:
    for whole in (*WRONG, deep(200), endless()):
        for codec in (boxes.MODEL, boxes.MODEL.strict, boxes.EXECUTION, boxes.RESULT):
            with pytest.raises(PayloadError):
                codec.encode(whole)


@pytest.mark.parametrize(
    ("declared", "result", "path"),
    [
        ("list[Point]", [{"x/y": 1}], "/0"),
        ("list[Point]", {}, ""),
        ("dict[str, timedelta]", {"a": "P1D"}, "/a"),
        ("Point", {"x/y": 1}, ""),
        ("Round | Square", {"kind": "round", "size": "1"}, ""),
        ("timedelta | None", "P1D", ""),
        ("list[Decimal | None]", [None, 5], "/1"),
    ],
)
def test_a_result_of_any_type_is_refused_at_its_place(
    compile_tool: Callable[..., ModuleType], declared: str, result: Any, path: str
) -> None:
    module = compile_tool("", records=RECORDS, result=f"Result = {declared}")
    with pytest.raises(PayloadError) as caught:
        module.RESULT.encode(result)
    assert [issue.path for issue in caught.value.issues] == [path]


# What Python calls equal

FLOATS_FOR_INTS = {
    "itself": ("int", 7.0, ""),
    "or null": ("int | None", 7.0, ""),
    "a list": ("list[int]", [1, 1.0], "/1"),
    "a map": ("dict[str, int]", {"k": 1.0}, "/k"),
    "of several types": ("int | str", 7.0, ""),
}


@pytest.mark.parametrize("place", FLOATS_FOR_INTS)
def test_a_float_for_an_int_is_refused_though_it_comes_back_equal(
    compile_tool: Callable[..., ModuleType], place: str
) -> None:
    declared, value, inside = FLOATS_FOR_INTS[place]
    module = compile_tool(
        f'a: {declared} = field("A.")\nr: {declared} = restored("R.")\ni: {declared} = injected("I.")'
    )
    right = module.MODEL.decode({"a": json.loads(json.dumps(value).replace(".0", ""))})
    with pytest.raises(PayloadError) as caught:
        module.MODEL.encode(module.DoArgs(a=value))
    assert [(issue.path, issue.constraint) for issue in caught.value.issues] == [(f"/a{inside}", "invalid_type")]
    for wrong in ("r", "i"):
        with pytest.raises(ContextError) as told:
            module.complete(right, **{"r": right.a, "i": right.a, wrong: value})
        assert told.value.names == (wrong,)


def test_equal_values_have_one_text(compile_tool: Callable[..., ModuleType]) -> None:
    module = compile_tool('a: float = field("A.")\nb: list[float] = field("B.")')
    assert module.MODEL.encode(module.DoArgs(a=3, b=[1, 2.5])) == b'{"a":3.0,"b":[1.0,2.5]}'


class OddMapping(Mapping[str, int]):
    def __getitem__(self, key: str) -> int:
        return {"a": 1}[key]

    def __iter__(self) -> Iterator[str]:
        return iter(("a",))

    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize("mapping", [OddMapping(), UserDict(a=1), MappingProxyType({})], ids=shown)
@pytest.mark.parametrize("place", ["", "/0", "/k"])
def test_a_mapping_that_is_no_dict_is_refused_at_its_place(
    compile_tool: Callable[..., ModuleType], mapping: Mapping[str, int], place: str
) -> None:
    module = compile_tool('a: Any = field("A.")')
    value = {"": mapping, "/0": [mapping], "/k": {"k": mapping}}[place]
    with pytest.raises(PayloadError) as caught:
        module.EXECUTION.encode(module.DoPayload(a=value))
    assert [issue.path for issue in caught.value.issues] == [f"/a{place}"]


# Moments

MOMENTS = """
moment: datetime = field("M.")
others: list[datetime] = field("O.", default=[])
slot: Slot = field("S.", optional=True)
"""
SLOT = 'class Slot(Record):\n    """S."""\n\n    by_name: dict[str, datetime | int] = field("B.")\n'


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    with compiling(tmp_path_factory.mktemp("moments"), formatted=False) as compiled:
        root = compiled(one_tool(MOMENTS, records=SLOT))
        yield importlib.import_module(f"{root.__name__}.things.do")


@given(
    day=st.sampled_from([datetime.datetime(2024, 3, 31), datetime.datetime(2024, 10, 27)]),
    minutes=st.integers(0, 6 * 60),
    fold=st.sampled_from([0, 1]),
)
@example(day=datetime.datetime(2024, 10, 27), minutes=150, fold=0)  # comes twice
@example(day=datetime.datetime(2024, 10, 27), minutes=150, fold=1)
@example(day=datetime.datetime(2024, 3, 31), minutes=150, fold=0)  # never comes
@example(day=datetime.datetime(2024, 3, 31), minutes=150, fold=1)
def test_a_moment_of_a_zone_comes_back_as_its_instant(
    moments: ModuleType, day: datetime.datetime, minutes: int, fold: int
) -> None:
    moment = (day + datetime.timedelta(minutes=minutes)).replace(fold=fold, tzinfo=Clocks())
    types = importlib.import_module(f"{moments.__package__}.types")
    value = moments.DoArgs(moment=moment, others=[moment], slot=types.Slot(by_name={"a": moment, "b": 1}))
    again = moments.MODEL.decode(moments.MODEL.encode(value))
    for back in (again.moment, again.others[0], again.slot.by_name["a"]):
        assert back.utcoffset() == moment.utcoffset()
        assert back.replace(tzinfo=None) == moment.replace(tzinfo=None)


@pytest.mark.parametrize("year", [1, 9999])
def test_a_moment_at_the_end_of_the_calendar_comes_back(moments: ModuleType, year: int) -> None:
    for hours in (-23, 0, 23):
        zone = datetime.timezone(datetime.timedelta(hours=hours))
        edge = datetime.datetime.min if year == 1 else datetime.datetime.max
        value = moments.DoArgs(moment=edge.replace(tzinfo=zone))
        assert moments.MODEL.decode(moments.MODEL.encode(value)) == value


def test_an_offset_that_json_can_not_hold_is_refused(moments: ModuleType) -> None:
    zone = datetime.timezone(datetime.timedelta(minutes=19, seconds=32))  # as in Amsterdam until 1937
    moment = datetime.datetime(1900, 1, 1, tzinfo=zone)
    with pytest.raises(PayloadError) as caught:
        moments.MODEL.encode(moments.DoArgs(moment=moment))
    assert [issue.path for issue in caught.value.issues] == ["/moment"]
