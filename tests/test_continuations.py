"""Tools that continue others, and tools that page themselves: what is generated for them, and what it does."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from toolgen.load import DesignError, load
from toolgen.runtime import CallContext, ContextError, Page, PayloadError, ToolCall, ToolRegistry

DESIGN = '''"""A desk."""

from __future__ import annotations

from datetime import date

from toolgen.dsl import Bounded, Record, Toolset, field, injected, restored

desk = Toolset("desk", "A desk.")


class Ticket(Record):
    """A ticket."""

    id: int = field("Number.")


@desk.tool(bounded=Bounded(next_cursor=True, total=True))
class Search:
    """Search."""

    class Input:
        query: str = field("Text.", min_length=2, name="q")
        limit: int = field("Most.", default=10, ge=1, le=100)
        after: date = field("Day.", optional=True)
        base: int = restored("Snapshot.", ge=1)
        tenant: str = injected("Tenant.", min_length=1)

    class Result:
        tickets: list[Ticket] = field("Tickets.")


@desk.tool(continues=Search)
class More:
    """The next page."""


@desk.tool(continues=Search, bounded=Bounded(next_cursor=True, refinement=True))
class MoreInShort:
    """The next page, in short."""

    class Result:
        titles: list[str] = field("Titles.")


@desk.tool(continues=Search, bounded=Bounded())
class Rest:
    """All that is left, on one page."""


@desk.tool(bounded=Bounded(cursor="cursor"))
class Browse:
    """Browse; pages itself."""

    class Input:
        cursor: str = field("Where to go on.", optional=True, min_length=1)

    Result = Ticket
'''

SAVED = {"q": "vpn", "base": 3}
CONTEXT = {"tenant": "acme", "conversation": "c"}


@pytest.fixture
def desk(compile_design: Callable[[str], ModuleType]) -> Any:
    return importlib.import_module(f"{compile_design(DESIGN).__name__}.desk")


def issues(call: Callable[[], object]) -> list[tuple[str, str]]:
    with pytest.raises(PayloadError) as caught:
        call()
    return [(issue.path, issue.constraint) for issue in caught.value.issues]


def test_the_model_writes_nothing_and_the_example_is_that(desk: Any) -> None:
    more = desk.more
    assert more.MODEL.schema == {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    assert more.SPEC.example == {}
    assert more.MODEL.decode(b"{}") == more.MoreArgs()
    assert issues(lambda: more.MODEL.decode('{"cursor": "x"}')) == [("/cursor", "unknown_field")]


def test_the_execution_fields_are_the_source_s_and_a_cursor(desk: Any) -> None:
    source, later = desk.search.EXECUTION.schema, desk.more.EXECUTION.schema
    assert list(later["properties"]) == ["q", "limit", "after", "base", "cursor"]
    assert {name: later["properties"][name] for name in source["properties"]} == source["properties"]
    assert later["required"] == ["q", "base", "cursor"]
    assert (desk.more.SPEC.continues, desk.search.SPEC.continues) == ("search", None)
    assert desk.more.SPEC.restored == ("query", "limit", "after", "base", "cursor")
    assert desk.more.SPEC.injected == ("tenant",)


def test_what_is_saved_is_read_with_the_defaults_and_bounds_of_the_source(desk: Any) -> None:
    more = desk.more
    payload = more.EXECUTION.decode({**SAVED, "cursor": "2"}, CONTEXT)
    assert payload == more.MorePayload(query="vpn", base=3, cursor="2", tenant="acme", limit=10, after=None)
    assert more.EXECUTION.decode(more.EXECUTION.encode(payload), CONTEXT) == payload
    assert more.complete(more.MoreArgs(), query="vpn", base=3, cursor="2", tenant="acme") == payload
    bad = {"q": "v", "base": 0, "limit": 500, "cursor": ""}
    assert issues(lambda: more.EXECUTION.decode(bad, CONTEXT)) == [
        ("/q", "invalid_length"),
        ("/limit", "invalid_range"),
        ("/base", "invalid_range"),
        ("/cursor", "invalid_length"),
    ]


def test_the_saved_data_of_a_later_page_is_not_the_first_tool_s(desk: Any) -> None:
    with pytest.raises(PayloadError) as caught:
        desk.search.EXECUTION.decode(json.dumps({**SAVED, "cursor": "2"}), CONTEXT)
    assert [(i.path, i.constraint) for i in caught.value.issues] == [("/cursor", "unknown_field")]
    told = caught.value.for_model()
    assert all(name in told for name in ("more", "more_in_short", "rest", "which continues search"))


def test_the_saved_data_of_the_first_page_is_not_a_continuation_s(desk: Any) -> None:
    with pytest.raises(PayloadError) as caught:
        desk.more.EXECUTION.decode(json.dumps(SAVED), CONTEXT)
    assert [(i.path, i.constraint) for i in caught.value.issues] == [("/cursor", "missing_field")]
    assert "saved by search, which more continues" in caught.value.for_model()


def test_the_result_is_the_source_s_unless_a_continuation_declares_its_own(desk: Any) -> None:
    assert desk.more.MoreResult is desk.search.SearchResult
    assert desk.more.RESULT.schema == desk.search.RESULT.schema
    assert list(desk.more_in_short.RESULT.schema["properties"]) == [
        "titles",
        "returned",
        "truncated",
        "next_cursor",
        "refinement_hint",
    ]
    assert list(desk.rest.RESULT.schema["properties"]) == ["tickets", "returned", "truncated"]
    page = Page(desk.search.SearchResult([]), returned=0, next_cursor="3")
    assert desk.more.RESULT.decode(desk.more.RESULT.encode(page)) == page
    assert issues(lambda: desk.rest.RESULT.encode(page)) == [("/next_cursor", "unknown_field")]


def _registry(desk: Any, seen: list[Any]) -> ToolRegistry:
    registry = ToolRegistry()

    def tickets(payload: Any, ctx: CallContext) -> Any:
        seen.append((ctx.tool, getattr(payload, "cursor", None), payload.base))
        return Page(desk.search.SearchResult([]), returned=0, next_cursor=str(len(seen) + 1))

    def titles(payload: Any, ctx: CallContext) -> Any:
        seen.append((ctx.tool, payload.cursor, payload.base))
        return Page(desk.more_in_short.MoreInShortResult([]), returned=0, next_cursor=str(len(seen) + 1))

    def rest(payload: Any, ctx: CallContext) -> Any:
        seen.append((ctx.tool, payload.cursor, payload.base))
        return Page(desk.search.SearchResult([]), returned=0)

    registry.handles(desk.search.SPEC, restore=lambda args, context: {"base": 5})(tickets)
    registry.handles(desk.more.SPEC)(tickets)
    registry.handles(desk.more_in_short.SPEC)(titles)
    registry.handles(desk.rest.SPEC)(rest)
    return registry


def test_two_continuations_go_on_from_the_one_place_that_the_pages_have_come_to(desk: Any) -> None:
    seen: list[Any] = []
    registry = _registry(desk, seen)
    for name in ("search", "more", "more_in_short", "more", "rest"):
        arguments = {"q": "vpn"} if name == "search" else {}
        result = asyncio.run(registry.run(ToolCall("1", name, arguments), CONTEXT))
        assert result.failure is None, result.text
    assert seen == [
        ("search", None, 5),
        ("more", "2", 5),
        ("more_in_short", "3", 5),
        ("more", "4", 5),
        ("rest", "5", 5),
    ]
    result = asyncio.run(registry.run(ToolCall("1", "more_in_short"), CONTEXT))
    assert result.failure is not None
    assert "there are no more" in result.text, "a continuation that gives no cursor ends the pages"


def test_a_tool_that_pages_itself_takes_its_cursor_from_the_model(desk: Any) -> None:
    browse = desk.browse
    assert browse.SPEC.bounded.cursor == "cursor"
    assert "next_cursor" in browse.RESULT.schema["properties"], "a cursor that is taken is one that is given"
    seen: list[Any] = []
    registry = ToolRegistry()
    ticket = importlib.import_module(f"{desk.__name__}.types").Ticket

    @registry.handles(browse.SPEC)
    def handle(payload: Any, ctx: CallContext) -> Any:
        seen.append(payload.cursor)
        return Page(ticket(1), returned=1, next_cursor="p2" if payload.cursor is None else None)

    first = asyncio.run(registry.run(ToolCall("1", "browse", {}), CONTEXT))
    cursor = json.loads(first.text)["next_cursor"]
    second = asyncio.run(registry.run(ToolCall("2", "browse", {"cursor": cursor}), CONTEXT))
    again = asyncio.run(registry.run(ToolCall("3", "browse", {"cursor": cursor}), CONTEXT))
    assert seen == [None, "p2", "p2"]
    assert json.loads(second.text) == json.loads(again.text) == {"id": 1, "returned": 1, "truncated": False}


@pytest.mark.parametrize(
    ("tool", "rule"),
    [
        ("@desk.tool(continues=Browse)\nclass X:\n    '''X.'''", "meets the cursor that a continuation adds"),
        (
            "@desk.tool(continues=Search)\nclass X:\n    '''X.'''\n\n    Result = list[str]",
            "a bounded tool's Result must be a class",
        ),
        (
            "@desk.tool(continues=Search, closed=False)\nclass X:\n    '''X.'''",
            "takes its fields from it, and says no closed=",
        ),
        (
            "@desk.tool(continues=Search, also={'minProperties': 1})\nclass X:\n    '''X.'''",
            "takes its fields from it, and says no also=",
        ),
        (
            "@desk.tool(closed=False, bounded=Bounded(next_cursor=True))\nclass Open:\n    '''O.'''\n\n"
            "    class Result:\n        x: int = field('X.')\n\n\n"
            "@desk.tool(continues=Open)\nclass X:\n    '''X.'''",
            "but open is open: it would take the cursor and drop it",
        ),
        (
            "@desk.tool(continues=Search, bounded=Bounded(cursor='cursor'))\nclass X:\n    '''X.'''",
            "names no optional str field",
        ),
        (
            "@desk.tool(continues=Search)\nclass X:\n    '''X.'''\n\n    class Result:\n"
            "        total: int = field('T.')",
            "total is what bounded= adds",
        ),
    ],
)
def test_what_can_not_be_continued_is_a_design_error(tool: str, rule: str, tmp_path: Path) -> None:
    path = tmp_path / "desk.py"
    path.write_text(f"{DESIGN}\n\n{tool}\n", encoding="utf-8")
    with pytest.raises(DesignError) as caught:
        load([path], root=tmp_path)
    assert [rule in problem.rule for problem in caught.value.problems] == [True]


KEPT = '''"""Things."""

from __future__ import annotations

from toolgen.dsl import Bounded, Toolset, field, injected

things = Toolset("things", "Things.")


@things.tool(bounded=Bounded(next_cursor=True))
class Find:
    """Finds."""

    class Input:
        first: int | None = field("F.", optional=True, keep_null=True)
        second: int = field("S.", optional=True)
        third: int = field("T.", default=3)
        tenant: str = injected("T.", default="t")

    class Result:
        found: list[str] = field("Found.")


@things.tool(continues=Find)
class More:
    """More."""
'''


def test_a_field_of_a_later_page_is_given_where_it_was_saved(compile_design: Callable[[str], ModuleType]) -> None:
    things = importlib.import_module(f"{compile_design(KEPT).__name__}.things")
    registry = ToolRegistry()
    seen: list[Any] = []

    def handle(payload: Any, ctx: CallContext) -> Any:
        seen.append({name: ctx.given(name) for name in ("first", "second", "third", "tenant")})
        return Page(things.find.FindResult([]), returned=0, next_cursor="2")

    registry.handles(things.find.SPEC)(handle)
    registry.handles(things.more.SPEC)(handle)
    for arguments in ({}, {"first": None}, {"first": 1, "second": 2}):
        for name, given in (("find", arguments), ("more", {})):
            result = asyncio.run(registry.run(ToolCall("1", name, given), {"conversation": "c", "tenant": "x"}))
            assert result.failure is None, result.text
        first, later = seen[-2:]
        assert first == {name: name in arguments or name == "tenant" for name in first}
        # A default is written out where it is saved; nothing else is.
        assert later == {**first, "third": True}


RULED = '''"""Things."""

from __future__ import annotations

from toolgen.dsl import Bounded, Record, Toolset, field, injected, restored

things = Toolset("things", "Things.")


{record}


@things.tool(bounded=Bounded(next_cursor=True){rule})
class Find:
    """Finds."""

{input}

    class Result:
        found: list[str] = field("Found.")


@things.tool(continues=Find)
class More:
    """More."""
'''
FIELDS = """
        a: int = field("A.", optional=True)
        b: int = field("B.", optional=True)
        base: int = restored("R.", default=1)
        tenant: str = injected("T.", default="t")
"""
RULES: list[dict[str, Any]] = [
    {"required": ["a"]},
    {"dependentRequired": {"a": ["b"]}},
    {"not": {"required": ["a", "b"]}},
    {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
    {"properties": {"a": {"multipleOf": 3}}},
]


def _ruled(rule: Any, *, record: bool = False) -> str:
    if record:
        own = FIELDS.split("        base")[0].replace("        ", "    ")
        declared = f'class Wanted(Record, also={rule!r}):\n    """What is wanted."""\n{own}'
        return RULED.format(record=declared, rule="", input="    Input = Wanted")
    return RULED.format(record="", rule=f", also={rule!r}", input=f"    class Input:{FIELDS}")


@pytest.mark.parametrize("rule", RULES, ids=json.dumps)
@pytest.mark.parametrize("record", [False, True], ids=["tool", "record"])
def test_what_the_model_wrote_for_the_source_holds_to_its_rule_on_later_pages(
    rule: Any, record: bool, compile_design: Callable[[str], ModuleType]
) -> None:
    things = importlib.import_module(f"{compile_design(_ruled(rule, record=record)).__name__}.things")
    find, more = things.find, things.more
    assert "allOf" not in more.MODEL.schema
    assert more.MODEL.decode("{}") == more.MoreArgs()
    for saved in ({}, {"a": 3}, {"a": 4}, {"b": 1}, {"a": 3, "b": 1}, {"a": 4, "b": 1}):
        later = {**saved, "cursor": "2"}
        try:
            find.EXECUTION.decode(saved)
        except PayloadError as error:
            wanted = [(issue.path, issue.constraint) for issue in error.issues]
            assert issues(lambda later=later: more.EXECUTION.decode(later)) == wanted
            restored = {} if record else {"base": 1}
            with pytest.raises(ContextError):
                more.complete(more.MoreArgs(), **{"a": None, "b": None, **later, **restored})
        else:
            payload = more.EXECUTION.decode(later)
            assert more.EXECUTION.decode(more.EXECUTION.encode(payload)) == payload


@pytest.mark.parametrize(
    "rule",
    [
        {"maxProperties": 2},
        {"minProperties": 1},
        {"propertyNames": {"maxLength": 4}},
        {"additionalProperties": {"type": "integer"}},
        {"patternProperties": {"^cur": {"type": "integer"}}},
        {"anyOf": [{"maxProperties": 1}, {"required": ["a"]}]},
        {"enum": [{"a": 1}, {"a": 2}]},
    ],
    ids=json.dumps,
)
def test_a_rule_that_would_judge_the_cursor_too_is_a_design_error(rule: Any, tmp_path: Path) -> None:
    design = _ruled(rule).replace('restored("R.", default=1)', 'injected("R.", default=1)')
    path = tmp_path / "things.py"
    path.write_text(design, encoding="utf-8")
    with pytest.raises(DesignError) as caught:
        load([path], root=tmp_path)
    told = [problem.rule for problem in caught.value.problems]
    assert ["so of cursor too, which the continuation of find adds" in rule for rule in told] == [True], told
    path.write_text(design.partition("@things.tool(continues")[0], encoding="utf-8")
    load([path], root=tmp_path)


@pytest.mark.parametrize(
    "rule",
    [
        {"maxProperties": 2},
        {"minProperties": 1},
        {"propertyNames": {"maxLength": 4}},
        {"additionalProperties": {"type": "integer"}},
        {"patternProperties": {"^trunc": {"type": "integer"}}},
        {"not": {"maxProperties": 1}},
    ],
    ids=json.dumps,
)
@pytest.mark.parametrize("own", [False, True], ids=["record", "class"])
def test_a_rule_that_would_judge_what_a_page_says_is_a_design_error(rule: Any, own: bool, tmp_path: Path) -> None:
    fields = 'x: int = field("X.")'
    record = f'class Found(Record, also={rule!r}):\n    """F."""\n\n    {fields}\n'
    result = f"class Result(Record, also={rule!r}):\n        {fields}" if own else "Result = Found"
    design = RULED.format(record="" if own else record, rule="", input=f"    class Input:{FIELDS}").replace(
        'class Result:\n        found: list[str] = field("Found.")', result
    )
    path = tmp_path / "things.py"
    path.write_text(design, encoding="utf-8")
    with pytest.raises(DesignError) as caught:
        load([path], root=tmp_path)
    told = [problem.rule for problem in caught.value.problems]
    assert ["and so of returned, truncated, next_cursor too" in rule for rule in told] == [True], told


def test_the_contract_of_a_ruled_source_and_its_continuation_holds(tmp_path: Path) -> None:
    (tmp_path / "things.py").write_text(_ruled({"dependentRequired": {"a": ["b"]}}), encoding="utf-8")
    settings = '[tool.toolgen]\ndesigns = ["things.py"]\noutput = "made"\ncontract-tests = "contracts"\n'
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    root = Path(__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(tmp_path)])}
    for command in (["toolgen", "generate"], ["pytest", "-q", "-p", "no:cacheprovider", "contracts"]):
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
