"""Results: a codec with a schema for any type at the root, and a typed error for what is none of it."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import uuid
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from conftest import shown
from toolgen.runtime import PayloadError
from toolgen.runtime.careful import Careful

CompileTool = Callable[..., ModuleType]
UTC = datetime.UTC

RECORDS = '''
class Color(enum.Enum):
    """A colour."""

    RED = "red"


class Node(Record):
    """A node."""

    id: int = field("Number.", ge=1, name="the-id")
    kids: list[Node] = field("Kids.", default=[])
    at: datetime = field("When.", optional=True)
'''


def issues(call: Callable[[], object]) -> list[tuple[str, str]]:
    with pytest.raises(PayloadError) as caught:
        call()
    assert "object at 0x" not in str(caught.value)
    return [(issue.path, issue.constraint) for issue in caught.value.issues]


ROOTS: dict[str, Any] = {
    "str": "text",
    "int": 5,
    "float": 0.5,
    "bool": True,
    "bytes": b"\xff",
    "date": datetime.date(2026, 3, 1),
    "datetime": datetime.datetime(2026, 3, 1, 9, tzinfo=UTC),
    "time": datetime.time(9, tzinfo=UTC),
    "timedelta": datetime.timedelta(hours=1),
    "Decimal": decimal.Decimal("1.50"),
    "UUID": uuid.UUID(int=7),
    "list[int]": [1, 2],
    "dict[str, list[str]]": {"a": ["b"]},
    "int | None": None,
    "Literal[1, 'a', None]": "a",
    "Any": {"a": [1, None, 2.5]},
    "int | str": "x",
    "list[date | None]": [None, datetime.date(2026, 3, 1)],
}


@pytest.mark.parametrize("root", ROOTS)
def test_any_type_stands_at_the_root_of_a_result(compile_tool: CompileTool, root: str) -> None:
    codec = compile_tool("", result=f"Result = {root}").RESULT
    data = codec.encode(ROOTS[root])
    assert codec.decode(data) == ROOTS[root]
    assert not Careful(codec.schema).judge(json.loads(data), lenient=False).issues


def test_an_enumeration_and_a_record_stand_there_too(compile_tool: CompileTool) -> None:
    module = compile_tool("", records=RECORDS, result="Result = Color")
    color = type(module.RESULT.decode('"red"'))
    assert module.RESULT.encode(color.RED) == b'"red"'
    module = compile_tool("", records=RECORDS, result="Result = Node | None")
    assert module.RESULT.decode(module.RESULT.encode(None)) is None
    node = module.RESULT.decode('{"the-id": 1, "kids": [{"the-id": 2}]}')
    assert module.RESULT.decode(module.RESULT.encode(node)) == node


class Foreign:
    """Nothing that JSON holds."""


class Kind(enum.Enum):
    A = "a"


@dataclasses.dataclass
class Other:
    a: int = 1


BAD = [
    b"x",
    {1},
    frozenset(),
    float("nan"),
    float("inf"),
    datetime.datetime(2026, 3, 1),
    datetime.datetime(2026, 3, 1, tzinfo=UTC),
    datetime.date(2026, 3, 1),
    decimal.Decimal(1),
    uuid.UUID(int=1),
    Foreign(),
    Foreign,
    Kind.A,
    Other(),
    (1, 2),
    {1: 2},
    {None: 2},
    "\ud800",
    complex(1),
    range(3),
    iter([]),
]


@pytest.mark.parametrize("bad", BAD, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("where", ["", "/a", "/a/0/b"])
def test_what_json_can_not_hold_is_refused_at_its_path(compile_tool: CompileTool, bad: object, where: str) -> None:
    module = compile_tool("", result="Result = Any")
    value: object = bad
    for step in reversed(where.split("/")[1:]):
        value = [value] if step.isdigit() else {step: value}
    found = issues(lambda: module.RESULT.encode(value))
    assert found
    assert found[0][0].startswith(where) or found[0][1] == "malformed_json", found


def test_a_number_that_no_parser_reads_is_refused(compile_tool: CompileTool) -> None:
    module = compile_tool("", result="Result = Any")
    assert issues(lambda: module.RESULT.encode({"a": [0, 2**40000]})) == [("/a/1", "malformed_json")]


def test_what_holds_itself_is_refused(compile_tool: CompileTool) -> None:
    module = compile_tool("", result="Result = Any")
    value: list[object] = []
    value.append({"a": value})
    assert issues(lambda: module.RESULT.encode(value)) == [("/0", "malformed_json")]


@pytest.mark.parametrize(
    ("change", "path", "constraint"),
    [
        ({"id": 0}, "/items/0/the-id", "invalid_range"),
        ({"id": "1"}, "/items/0/the-id", "invalid_type"),
        ({"id": True}, "/items/0/the-id", "invalid_type"),
        ({"at": datetime.datetime(2026, 3, 1)}, "/items/0/at", "invalid_format"),
        ({"at": "today"}, "/items/0/at", "invalid_type"),
        ({"at": float("nan")}, "/items/0/at", "invalid_type"),
        ({"kids": None}, "/items/0/kids", "invalid_type"),
        ({"kids": ({},)}, "/items/0/kids", "invalid_type"),
        ({"kids": [Foreign()]}, "/items/0/kids/0", "invalid_type"),
        ({"kids": {1}}, "/items/0/kids", "invalid_type"),
    ],
    ids=shown,
)
def test_a_value_of_another_type_is_refused_at_its_path(
    compile_tool: CompileTool, change: dict[str, Any], path: str, constraint: str
) -> None:
    module = compile_tool("", records=RECORDS, result='class Result:\n    items: list[Node] = field("Items.")')
    result = module.RESULT.decode('{"items": [{"the-id": 1}]}')
    for name, value in change.items():
        setattr(result.items[0], name, value)
    assert issues(lambda: module.RESULT.encode(result)) == [(path, constraint)]


def test_an_object_stands_at_the_root_of_its_schema(compile_tool: CompileTool) -> None:
    module = compile_tool("", records=RECORDS, result='class Result:\n    """What."""\n\n    n: Node = field("N.")')
    schema = module.RESULT.schema
    assert (schema["type"], schema["description"], list(schema["properties"])) == ("object", "What.", ["n"])
    module = compile_tool("", records=RECORDS, result="Result = Node")
    schema = module.RESULT.schema
    assert (schema["type"], list(schema["properties"])) == ("object", ["the-id", "kids", "at"])
    assert list(schema["$defs"]) == ["Node"], "a Record that nests itself stands under $defs too"
