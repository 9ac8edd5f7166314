"""Tools that a design binds to functions that are there already."""

from __future__ import annotations

import asyncio
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from toolgen import ir
from toolgen.design.functions import parameter_docs
from toolgen.emit import Options, render
from toolgen.load import DesignError, load
from toolgen.runtime import ToolCall, ToolRegistry, ToolResult

ROOT = Path(__file__).parents[1]

FUNCTIONS = '''"""What a company has already."""

from __future__ import annotations

import enum
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache, wraps
from typing import Annotated, Any, Literal, ParamSpec, Protocol, TypedDict, TypeVar, cast

from toolgen.runtime import Page


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Condition:
    name: str
    value: str
    op: str = "eq"


class Hit:
    """Not even a dataclass."""

    id: int

    def __init__(self, id: int, title: str) -> None:
        self.id = id
        self._title = title

    @property
    def title(self) -> str:
        return self._title


@dataclass
class Found:
    tickets: tuple[Hit, ...]
    color: Color
    note: str | None = None
    by_id: dict[str, list[Hit]] = field(default_factory=dict)


calls: list[object] = []


async def find(
    query: str,
    limit: float,
    /,
    *,
    conditions: Sequence[Condition] = (),
    after: date | None,
    color: Color,
    tags: set[str],
    best: Condition | None,
    numbers: list[float],
    tenant: str,
) -> Found:
    calls.append((query, limit, conditions, after, color, tags, best, numbers, tenant))
    hit = Hit(1, query)
    return Found((hit,), color, by_id={"1": [hit]})


def add(
    first: Annotated[int, "First number."],
    others: list[int] | None = None,
    letter: Literal["x", "y"] = "x",
) -> list[int]:
    """Adds.

    Args:
        others: More
            numbers.
        letter (str): A letter.
    """
    calls.append(letter)
    return [first, *(others or [])]


class Row(TypedDict):
    id: int
    title: str


def rows(query: str) -> Iterator[Row]:
    yield {"id": 1, "title": query}


def anything(query: str) -> dict[str, Any]:
    bad: Any = {"good": "red", "bad": "green", "nan": float("nan"), "none": None}
    return {"tickets": [{"id": 1, "title": query}], "color": bad[query], "note": None}


def forget(query: str) -> None:
    calls.append(query)


def pages(cursor: str | None) -> Page[Found]:
    return Page(Found((), Color.RED), returned=0, next_cursor="2" if cursor is None else None)


def fails(query: str) -> str:
    raise ValueError("secret")


class Shelf:
    @staticmethod
    def find(query: str) -> str:
        return query * 2

    def loaned(self, query: str) -> str:
        return query


def no_annotations(query):  # type: ignore[no-untyped-def]
    return query


def payload(ctx: str, result: str, item: str) -> list[str]:
    return [ctx, result, item]


async def stream(query: str) -> AsyncIterator[str]:
    yield query


def streams(query: str) -> AsyncIterator[str]:
    return stream(query)


P = ParamSpec("P")
R = TypeVar("R")


def logged(function: Callable[P, R]) -> Callable[P, R]:
    """Passes on whatever it is given."""

    @wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        return function(*args, **kwargs)

    return wrapped


class OfQuery(Protocol):
    def __call__(self, query: str) -> list[str]: ...


def with_database(function: Callable[[str, str], list[str]]) -> OfQuery:
    """Gives an argument itself."""

    @wraps(function)
    def wrapped(query: str) -> list[str]:
        return function("database", query)

    return cast("OfQuery", wrapped)


@logged
@logged
async def passed_on(query: str) -> tuple[str, ...]:
    return (query,)


@with_database
def given_database(database: str, query: str) -> list[str]:
    return [database, query]


@lru_cache
def kept(query: str) -> str:
    return f"{query} kept"


class Decorated:
    """Methods behind decorators."""

    @logged
    def find(self, query: str) -> str:
        return f"{query} of a method"

    @classmethod
    @logged
    def find_of_class(cls, query: str) -> str:
        return f"{query} of {cls.__name__}"

    @lru_cache
    def find_kept(self, query: str) -> str:
        return f"{query} kept of a method"

    @logged
    def __call__(self, query: str) -> str:
        return f"{query} of an object"


decorated = Decorated()


class Adder:
    async def __call__(self, query: str) -> tuple[str, ...]:
        return (query, "added")


adder = Adder()


@dataclass
class Listed:
    names: tuple[str, ...]


def list_first(query: str, tenant: str) -> Page[Listed]:
    return Page(Listed((query,)), returned=1, next_cursor="2")


async def list_more(query: str, cursor: str, tenant: str) -> Page[Listed]:
    return Page(Listed((query, cursor, tenant)), returned=1)


def hits_first(query: str) -> Page[Found]:
    return Page(Found((Hit(1, query),), Color.RED), returned=1, next_cursor="2")


def hits_more(query: str, cursor: str) -> Page[Found]:
    return Page(Found((Hit(int(cursor), query),), Color.RED), returned=1)


number = 5
'''

DESIGN = '''"""A desk."""

from __future__ import annotations

import enum
from datetime import date
from typing import Literal

from toolgen.dsl import Bounded, Record, Toolset, field, injected

desk = Toolset("desk", "A desk.")


class Color(enum.Enum):
    """A colour."""

    RED = "red"
    BLUE = "blue"


class Condition(Record):
    """A condition."""

    name: str = field("Name.")
    value: str = field("Value.")
    op: Literal["eq", "ne"] = field("How.", default="eq")


class Ticket(Record):
    """A ticket."""

    id: int = field("Number.")
    title: str = field("Title.")


class Tickets(Record):
    """Tickets."""

    tickets: list[Ticket] = field("Tickets.")


@desk.tool(binds="acme.search:find")
class Find:
    """Find."""

    class Input:
        query: str = field("Query.", name="q")
        limit: int = field("Limit.", default=10)
        conditions: list[Condition] = field("Conditions.", default=[])
        after: date = field("After.", optional=True)
        color: Color = field("Colour.", default=Color.RED)
        tags: list[str] = field("Tags.", default=["a"])
        best: Condition = field("Best.", optional=True)
        numbers: list[int] = field("Numbers.", default=[1])
        tenant: str = injected("Tenant.")

    class Result:
        tickets: list[Ticket] = field("Tickets.", name="found")
        color: Color = field("Colour.")
        note: str = field("Note.", optional=True)
        by_id: dict[str, list[Ticket]] = field("By number.")


@desk.tool(binds="acme.search:add")
class Add:
    """Add."""

    Result = list[int]


@desk.tool(binds="acme.search:rows")
class Rows:
    """Rows."""

    class Input:
        query: str = field("Query.")

    Result = list[Ticket]


@desk.tool(binds="acme.search:anything")
class Untold:
    """Of a function that does not say what it returns."""

    class Input:
        query: str = field("Query.")

    class Result:
        tickets: list[Ticket] = field("Tickets.")
        color: Color = field("Colour.")
        note: str | None = field("Note.")


@desk.tool(binds="acme.search:forget")
class Forget:
    """Forget."""

    class Input:
        query: str = field("Query.")


@desk.tool(binds="acme.search:pages", bounded=Bounded(cursor="cursor"))
class Pages:
    """Pages."""

    class Input:
        cursor: str = field("Cursor.", optional=True)

    Result = Tickets


@desk.tool(binds="acme.search:fails")
class Fails:
    """Fails."""

    class Input:
        query: str = field("Query.")

    Result = str


@desk.tool(binds="acme.search:Shelf.find")
class OnShelf:
    """Shelf."""

    class Input:
        query: str = field("Query.")

    Result = str


@desk.tool(binds="acme.search:passed_on")
class PassedOn:
    """Of a decorator that takes anything."""

    class Input:
        query: str = field("Query.")

    Result = list[str]


@desk.tool(binds="acme.search:given_database")
class GivenDatabase:
    """Of a decorator that gives an argument itself."""

    class Input:
        query: str = field("Query.")

    Result = list[str]


@desk.tool(binds="acme.search:adder")
class Adder:
    """Of an object."""

    class Input:
        query: str = field("Query.")

    Result = list[str]


@desk.tool(binds="acme.search:list_first", bounded=Bounded(next_cursor=True))
class ListFirst:
    """The first page, with a Result of its own."""

    class Input:
        query: str = field("Query.")
        tenant: str = injected("Tenant.")

    class Result:
        names: list[str] = field("Names.")


@desk.tool(binds="acme.search:list_more", continues=ListFirst)
class ListMore:
    """The next page, with the Result of the first."""


@desk.tool(binds="acme.search:hits_first", bounded=Bounded(next_cursor=True))
class HitsFirst:
    """The first page of a shared Record."""

    class Input:
        query: str = field("Query.")

    Result = Tickets


@desk.tool(binds="acme.search:hits_more", continues=HitsFirst)
class HitsMore:
    """The next page of a shared Record."""


@desk.tool(binds="acme.search:payload")
class Shadows:
    """Names that the adapter uses too."""

    class Input:
        ctx: str = field("C.")
        result: str = field("R.")
        item: str = field("I.")

    Result = list[str]
''' + "".join(
    f'''

@desk.tool(binds="acme.search:{bound}", name="{name}")
class {name.title().replace("_", "")}:
    """Of a decorator."""

    class Input:
        query: str = field("Query.")

    Result = str
'''
    for name, bound in {
        "kept": "kept",
        "of_method": "decorated.find",
        "of_class": "Decorated.find_of_class",
        "kept_of_method": "decorated.find_kept",
        "of_object": "decorated",
    }.items()
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project with functions and a design that binds tools to them, compiled into its package ``bound_tools``."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "acme").mkdir()
    (folder / "acme" / "__init__.py").touch()
    (folder / "acme" / "search.py").write_text(FUNCTIONS, encoding="utf-8")
    (folder / "acme" / "leaves.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    design = folder / "desk_design.py"
    design.write_text(DESIGN, encoding="utf-8")
    for path, rendered in render(load([design], root=folder), Options()).items():
        target = folder / "bound_tools" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(rendered.text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    yield folder
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.split(".")[0] in ("acme", "bound_tools")]:
        del sys.modules[name]


@pytest.fixture
def functions(project: Path) -> ModuleType:
    module = importlib.import_module("acme.search")
    module.calls.clear()
    return module


def run(name: str, arguments: Any) -> ToolResult:
    registry = ToolRegistry()
    toolset = importlib.import_module("bound_tools.desk").TOOLSET
    registry.handles_all(toolset, None)
    return asyncio.run(registry.run(ToolCall("1", name, arguments), {"tenant": "acme"}))


def test_a_payload_becomes_the_arguments_and_the_answer_the_result(functions: ModuleType) -> None:
    conditions = [{"name": "a", "value": "b"}]
    result = run("find", {"q": "vpn", "conditions": conditions, "color": "blue", "best": conditions[0]})
    condition = functions.Condition("a", "b", "eq")
    wanted = ("vpn", 10, [condition], None, functions.Color.BLUE, {"a"}, condition, [1], "acme")
    assert functions.calls == [wanted]
    ticket = '{"id":1,"title":"vpn"}'
    assert result.text == f'{{"found":[{ticket}],"color":"blue","by_id":{{"1":[{ticket}]}}}}'


def test_a_default_comes_from_the_design_and_never_from_the_function(functions: ModuleType) -> None:
    assert run("add", {"first": 1}).text == "[1]"
    assert functions.calls == ["x"]
    module = importlib.import_module("bound_tools.desk.add")
    assert module.MODEL.schema["properties"]["letter"]["default"] == "x", "the signature is the design's here"


def test_without_an_input_the_fields_are_the_parameters(functions: ModuleType) -> None:
    properties = importlib.import_module("bound_tools.desk.add").MODEL.schema["properties"]
    assert {name: inner["description"] for name, inner in properties.items()} == {
        "first": "First number.",
        "others": "More numbers.",
        "letter": "A letter.",
    }
    assert properties["others"]["type"] == ["array", "null"]
    assert run("add", {"first": 1, "others": [2, 3]}).text == "[1,2,3]"


@pytest.mark.parametrize(
    ("tool", "arguments", "text"),
    [
        ("rows", {"query": "x"}, '[{"id":1,"title":"x"}]'),
        ("untold", {"query": "good"}, '{"tickets":[{"id":1,"title":"good"}],"color":"red","note":null}'),
        ("forget", {"query": "x"}, "Done."),
        ("passed_on", {"query": "x"}, '["x"]'),
        ("given_database", {"query": "x"}, '["database","x"]'),
        ("adder", {"query": "x"}, '["x","added"]'),
        ("kept", {"query": "x"}, '"x kept"'),
        ("of_method", {"query": "x"}, '"x of a method"'),
        ("of_class", {"query": "x"}, '"x of Decorated"'),
        ("kept_of_method", {"query": "x"}, '"x kept of a method"'),
        ("of_object", {"query": "x"}, '"x of an object"'),
        ("pages", {}, '{"tickets":[],"returned":0,"truncated":true,"next_cursor":"2"}'),
        ("on_shelf", {"query": "x"}, '"xx"'),
        ("shadows", {"ctx": "c", "result": "r", "item": "i"}, '["c","r","i"]'),
    ],
)
def test_every_kind_of_answer_becomes_the_result(
    functions: ModuleType, tool: str, arguments: dict[str, str], text: str
) -> None:
    assert run(tool, arguments).text == text


@pytest.mark.parametrize("which", ["bad", "nan", "none"])
def test_an_answer_that_is_no_result_is_a_failure_of_the_tool(
    functions: ModuleType, which: str, caplog: pytest.LogCaptureFixture
) -> None:
    result = run("untold", {"query": which})
    assert result.failure is not None
    assert result.failure.kind == "malformed_result"
    assert "untold" in caplog.text


def test_what_the_function_raises_is_kept_from_the_model(functions: ModuleType) -> None:
    result = run("fails", {"query": "x"})
    assert result.failure is not None
    assert (result.failure.kind, "secret" in result.text) == ("internal", False)


def test_a_bound_continuation_goes_on_with_a_bound_tool(functions: ModuleType) -> None:
    registry = ToolRegistry()
    registry.handles_all(importlib.import_module("bound_tools.desk").TOOLSET, None)
    texts = [
        asyncio.run(registry.run(ToolCall("1", name, arguments), {"tenant": "acme", "conversation": "c"})).text
        for name, arguments in (
            ("list_first", {"query": "x"}),
            ("list_more", {}),
            ("hits_first", {"query": "x"}),
            ("hits_more", {}),
        )
    ]
    assert texts == [
        '{"names":["x"],"returned":1,"truncated":true,"next_cursor":"2"}',
        '{"names":["x","2","acme"],"returned":1,"truncated":false}',
        '{"tickets":[{"id":1,"title":"x"}],"returned":1,"truncated":true,"next_cursor":"2"}',
        '{"tickets":[{"id":2,"title":"x"}],"returned":1,"truncated":false}',
    ]


def test_a_schema_is_read_without_loading_what_runs_the_tool(project: Path) -> None:
    code = "import sys; from bound_tools.desk import find; find.SPEC.model.schema; print('acme' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.strip() == "False"


def test_bound_tools_need_no_handler(functions: ModuleType) -> None:
    desk = importlib.import_module("bound_tools.desk")
    assert [name for name in vars(desk.DeskHandlers) if not name.startswith("_")] == []
    registry = ToolRegistry()
    registry.binds(desk.find.SPEC, timeout=5)
    assert list(registry.specs) == ["find"]


@pytest.mark.once
@pytest.mark.parametrize("checker", [("mypy", "--strict", "--no-error-summary"), ("pyright",)], ids=["mypy", "pyright"])
def test_checkers_hold_the_adapters_to_the_functions(project: Path, checker: tuple[str, ...]) -> None:
    pytest.importorskip(checker[0])
    (project / "mypy.ini").write_text(f"[mypy]\nmypy_path = {ROOT}:{project}\n", encoding="utf-8")
    (project / "pyrightconfig.json").write_text(f'{{"extraPaths": ["{ROOT}"]}}', encoding="utf-8")
    extra = ["--pythonpath", sys.executable] if checker[0] == "pyright" else []
    whole = [sys.executable, "-m", *checker, *extra, "bound_tools"]
    done = subprocess.run(whole, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    # A function that changes after generation is found by the checker.
    path = project / "acme" / "search.py"
    path.write_text(FUNCTIONS.replace("def rows(query: str)", "def rows(query: int)"), encoding="utf-8")
    try:
        done = subprocess.run(whole, cwd=project, capture_output=True, text=True, check=False)
    finally:
        path.write_text(FUNCTIONS, encoding="utf-8")
    assert "rows.py" in done.stdout


# What can't be bound


def tool(binds: str, fields: str = "", result: str = "", options: str = "") -> str:
    body = "".join(f"        {line}\n" for line in fields.splitlines())
    declared = f"    class Input:\n{body}\n" if fields else ""
    return f'@desk.tool(binds="{binds}"{options})\nclass X:\n    """X."""\n\n{declared}    {result}\n'


QUERY = 'query: str = field("Q.")'


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        (tool("acme.none:find"), "importing acme.none raised ModuleNotFoundError"),
        (tool("acme.none:find"), "install your project there, or set PYTHONPATH"),
        (tool("acme.search:Shelf.loaned", QUERY), "takes self, as a method does that stands in its class alone"),
        (tool("acme.search:none"), "acme.search has no function none"),
        (tool("acme.search:number"), "acme.search has no function number"),
        (tool("acme.search:Shelf"), "acme.search has no function Shelf"),
        (tool("acme.leaves:find"), "importing acme.leaves raised SystemExit: 3"),
        (tool("acme.search:stream", QUERY, "Result = list[str]"), "which gives its answers one by one"),
        (tool("acme.search:streams", QUERY, "Result = list[str]"), "which gives its answers one by one"),
        (tool("acme.search:fails", 'other: str = field("O.")'), "fails takes query, and the tool has no such field"),
        (tool("acme.search:fails", f'{QUERY}\nother: str = field("O.")'), "the tool has the field other"),
        (tool("acme.search:fails", 'query: int = field("Q.")'), "it is int, not str"),
        (tool("acme.search:fails", 'query: str = field("Q.", optional=True)'), "it may be None, and str is never"),
        (tool("acme.search:fails", 'query: list[str] = field("Q.")'), "it is list[str], not str"),
        (tool("acme.search:fails", 'query: Ticket = field("Q.")'), "str is no dataclass or TypedDict"),
        (tool("acme.search:fails", 'query: Literal[1, "a"] = field("Q.")'), "not str"),
        (
            tool("acme.search:fails", 'query: str | None = field("Q.", optional=True, keep_null=True)'),
            "UNSET when it is missing",
        ),
        (tool("acme.search:fails", QUERY, "Result = int"), "returns another thing than the Result: it is str, not int"),
        (tool("acme.search:fails", QUERY, "Result = list[str]"), "it is str, not list[str]"),
        (tool("acme.search:fails", QUERY, "Result = Ticket"), "it is str, not Ticket"),
        (tool("acme.search:forget", QUERY, "Result = str"), "it returns nothing"),
        (tool("acme.search:rows", QUERY, "Result = list[Condition]"), "Row has no name"),
        (
            tool("acme.search:rows", QUERY, "Result = Tickets", ", bounded=Bounded()"),
            "a bounded tool's function returns a Page",
        ),
        (tool("acme.search:no_annotations"), "the bound function does not annotate this parameter"),
        (tool("acme.search:fails"), "the parameter has no description"),
    ],
)
def test_what_can_not_be_bound_is_a_design_error(project: Path, tmp_path: Path, source: str, rule: str) -> None:
    design = tmp_path / "desk_design.py"
    design.write_text(f"{DESIGN}\n\n{source}", encoding="utf-8")
    with pytest.raises(DesignError) as caught:
        load([design], root=project)
    rules = [problem.render() for problem in caught.value.problems]
    assert any(rule in found for found in rules), rules
    assert all(problem.mend for problem in caught.value.problems)


def test_a_design_says_what_it_binds(project: Path) -> None:
    toolset = load([project / "desk_design.py"], root=project).packages[0].toolset
    assert toolset is not None
    tools: dict[str, ir.Tool] = {tool.name: tool for tool in toolset.tools}
    assert tools["find"].binds == "acme.search:find"
    assert tools["find"].binding is not None
    assert tools["find"].binding.is_async


@pytest.mark.parametrize(
    ("doc", "found"),
    [
        ("", {}),
        (
            "Does.\n\n:param a: First\n  and more.\n:param int b: Second.\n:return: x",
            {"a": "First and more.", "b": "Second."},
        ),
        (
            "Does.\n\nArgs:\n    a: First\n        and more.\n    b (int): Second.\n\nReturns:\n    c: x",
            {"a": "First and more.", "b": "Second."},
        ),
        (
            "Does.\n\nParameters\n----------\na : int\n    First\n    and more.\nb\n    Second.\n\nReturns\n-------\nc",
            {"a": "First and more.", "b": "Second."},
        ),
        ("Does.\n\nArgs:\n    *a: First.\n    **b: Second.", {"a": "First.", "b": "Second."}),
    ],
)
def test_what_docstrings_say_of_parameters_is_read(doc: str, found: dict[str, str]) -> None:
    assert parameter_docs(doc) == found
