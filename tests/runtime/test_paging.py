"""Pages that are continued: through a registry, from first to last, and on all the ways that go wrong."""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import importlib
import json
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from conftest import shown
from generated.support import more_tickets, search_tickets
from generated.support.search_tickets import SearchTicketsResult
from toolgen.runtime import (
    CallContext,
    ContextError,
    Continuation,
    ContinuationStore,
    MemoryStore,
    Page,
    SqliteStore,
    ToolCall,
    ToolFailure,
    ToolRegistry,
    ToolResult,
)
from toolgen.runtime.chains import Chains, First
from toolgen.runtime.continuations import fingerprint

SEARCH = {"query": "vpn", "limit": 2}
ACME: dict[str, object] = {"tenant": "acme", "conversation": "c1"}


class Desk:
    """Pages numbered from 1 to ``last``, and what was asked of it."""

    def __init__(self, *, store: ContinuationStore | None = None, last: int = 3, **options: Any) -> None:
        self.asked: list[Any] = []
        self.last = last
        self.failing: list[BaseException] = []
        self.registry = ToolRegistry(store=store, **options)
        self.registry.handles(search_tickets.SPEC)(lambda payload, ctx: self.page(payload, 1))
        self.registry.handles(more_tickets.SPEC)(lambda payload, ctx: self.page(payload, int(payload.cursor)))

    def page(self, payload: Any, number: int) -> Page[SearchTicketsResult]:
        self.asked.append(payload)
        if self.failing:
            raise self.failing.pop()
        cursor = str(number + 1) if number < self.last else None
        return Page(SearchTicketsResult([]), returned=0, total=number, next_cursor=cursor)

    def call(self, name: str, arguments: Any = None, context: dict[str, object] | None = None) -> ToolResult:
        (result,) = self.all((name, {} if arguments is None else arguments), context=context)
        return result

    def all(self, *calls: tuple[str, Any], context: dict[str, object] | None = None) -> list[ToolResult]:
        made = [ToolCall(str(n), name, arguments) for n, (name, arguments) in enumerate(calls)]
        return asyncio.run(self.registry.run_all(made, ACME if context is None else context))

    def search(self, context: dict[str, object] | None = None) -> ToolResult:
        return self.call("search_tickets", SEARCH, context)

    def more(self, context: dict[str, object] | None = None) -> ToolResult:
        return self.call("more_tickets", context=context)


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ContinuationStore]:
    if request.param == "memory":
        yield MemoryStore()
    else:
        with SqliteStore(tmp_path / "pages.sqlite") as kept:
            yield kept


def first(query: str) -> First:
    payload = search_tickets.SearchTicketsPayload(query, "acme")
    return First("c", search_tickets.SPEC, search_tickets.EXECUTION.encode(payload))


def told(result: ToolResult) -> str:
    assert result.failure is not None, result.text
    assert result.failure.recovery == "replan"
    return result.text


def test_pages_follow_one_another_to_the_last(store: ContinuationStore) -> None:
    desk = Desk(store=store)
    assert desk.search().failure is None
    pages = [json.loads(desk.more().text) for _ in range(2)]
    assert [(page["total"], page.get("next_cursor"), page["truncated"]) for page in pages] == [
        (2, "3", True),
        (3, None, False),
    ]
    payloads = [more_tickets.MoreTicketsPayload("vpn", cursor, "acme", 2) for cursor in ("2", "3")]
    assert desk.asked[1:] == payloads
    assert "there are no more" in told(desk.more())


def test_a_continuation_is_given_what_the_first_call_was_given_and_its_own_context(store: ContinuationStore) -> None:
    desk = Desk(store=store)
    desk.search()
    desk.more({**ACME, "tenant": "other"})
    assert desk.asked[-1] == more_tickets.MoreTicketsPayload("vpn", "2", "other", 2), "what is injected is not kept"


def test_there_is_nothing_to_continue_before_the_first_call(store: ContinuationStore) -> None:
    assert "call search_tickets first" in told(Desk(store=store).more())


def test_one_conversation_can_not_reach_another_s(store: ContinuationStore) -> None:
    desk = Desk(store=store)
    desk.search()
    assert "call search_tickets first" in told(desk.more({**ACME, "conversation": "c2"}))
    assert desk.more().failure is None


def test_without_a_conversation_nothing_is_kept_and_the_operator_is_told(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk()
    assert desk.search({"tenant": "acme"}).failure is None
    assert "can't be continued: execution context of search_tickets: conversation is missing" in caplog.text
    result = desk.more({"tenant": "acme"})
    assert result.failure is not None
    assert result.failure.kind == "internal"
    assert "conversation is missing" in caplog.text


def test_the_key_of_the_conversation_is_the_users_to_choose() -> None:
    desk = Desk(conversation="session")
    context: dict[str, object] = {"tenant": "acme", "session": 7}
    desk.search(context)
    assert desk.more(context).failure is None
    assert "call search_tickets first" in told(desk.more({**context, "session": 8}))


def test_pages_expire(store: ContinuationStore) -> None:
    desk = Desk(store=store, page_ttl=0.0)
    desk.search()
    text = told(desk.more())
    assert "have expired: call search_tickets again" in text


def test_each_page_puts_the_expiry_off() -> None:
    now = [1000.0]
    store = MemoryStore()
    chains = Chains(store, ttl=10, clock=lambda: now[0])
    chains.begin(first("vpn"), "2")
    now[0] += 9
    held = chains.take("c", more_tickets.SPEC, lease=5)
    chains.advance(held, "3")
    now[0] += 9
    assert chains.look("c", more_tickets.SPEC).cursor == "3"
    now[0] += 2
    with pytest.raises(ToolFailure, match="expired"):
        chains.look("c", more_tickets.SPEC)


def test_two_calls_at_once_are_not_given_one_page(store: ContinuationStore) -> None:
    desk = Desk(store=store)
    desk.search()
    results = desk.all(*[("more_tickets", {})] * 4)
    given = [result for result in results if result.failure is None]
    # Each either waited for nobody and got a page of its own, or was told that another call fetches it.
    cursors = [payload.cursor for payload in desk.asked[1:]]
    assert len(given) == len(cursors) == len(set(cursors))
    assert given
    assert all("another call" in told(r) or "no more" in told(r) for r in results if r.failure is not None)


def test_a_page_that_failed_can_be_asked_for_again(store: ContinuationStore) -> None:
    desk = Desk(store=store)
    desk.search()
    desk.failing = [ToolFailure("unavailable", "the index is down")]
    assert "the index is down" in told(desk.more())
    assert desk.more().failure is None
    assert [payload.cursor for payload in desk.asked[1:]] == ["2", "2"]


def test_a_call_that_was_cut_off_lets_its_page_go_after_a_while() -> None:
    now = [1000.0]
    chains = Chains(MemoryStore(), ttl=1000, clock=lambda: now[0])
    chains.begin(first("vpn"), "2")
    chains.take("c", more_tickets.SPEC, lease=60)  # and the process dies
    with pytest.raises(ToolFailure, match=r"another call .* if none comes call again in 60 seconds"):
        chains.take("c", more_tickets.SPEC, lease=60)
    now[0] += 61
    assert chains.take("c", more_tickets.SPEC, lease=60).was.cursor == "2"


def test_arguments_that_are_not_taken_take_no_page(store: ContinuationStore) -> None:
    desk = Desk(store=store)
    desk.search()
    result = desk.call("more_tickets", {"cursor": "3"})
    assert result.failure is not None
    assert result.failure.recovery == "correct_call"
    assert desk.more().failure is None
    assert desk.asked[-1].cursor == "2"


def test_a_search_without_more_pages_ends_an_older_chain(store: ContinuationStore) -> None:
    desk = Desk(store=store)
    desk.search()
    desk.last = 1
    desk.search()
    assert "there are no more" in told(desk.more())


def test_a_page_that_ends_late_does_not_undo_a_newer_search() -> None:
    chains = Chains(MemoryStore(), ttl=1000)
    chains.begin(first("old"), "2")
    held = chains.take("c", more_tickets.SPEC, lease=60)
    chains.begin(first("new"), "20")
    chains.advance(held, "3")
    chains.release(held)
    kept = chains.look("c", more_tickets.SPEC)
    assert (kept.cursor, b"new" in kept.payload) == ("20", True)


def test_a_call_is_prepared_without_taking_its_page(store: ContinuationStore) -> None:
    desk = Desk(store=store)
    with pytest.raises(ToolFailure, match="first"):
        desk.registry.prepare(ToolCall("1", "more_tickets"), ACME)
    desk.search()
    wanted = more_tickets.MoreTicketsPayload("vpn", "2", "acme", 2)
    for _ in range(2):
        assert desk.registry.prepare(ToolCall("1", "more_tickets"), ACME) == wanted
    with pytest.raises(ContextError):
        desk.registry.prepare(ToolCall("1", "more_tickets"), {"conversation": "c1"})
    assert desk.more().failure is None


def test_a_restart_between_pages_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "pages.sqlite"
    with SqliteStore(path) as store:
        Desk(store=store).search()
    for cursor in ("2", "3"):
        with SqliteStore(path) as store:
            desk = Desk(store=store)
            assert desk.more().failure is None
            assert [payload.cursor for payload in desk.asked] == [cursor]


class _Broken(MemoryStore):
    def __init__(self, *broken: str) -> None:
        super().__init__()
        self.broken = set(broken)

    def load(self, conversation: str, tool: str) -> Continuation | None:
        self._fail("load")
        return super().load(conversation, tool)

    def add(self, conversation: str, continuation: Continuation) -> bool:
        self._fail("add")
        return super().add(conversation, continuation)

    def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
        self._fail("swap")
        return super().swap(conversation, version, continuation)

    def _fail(self, name: str) -> None:
        if name in self.broken:
            raise sqlite3.OperationalError("disk I/O error")


@pytest.mark.parametrize("broken", ["load", "add", "swap"])
@pytest.mark.parametrize("again", [False, True], ids=["first", "again"])
def test_a_store_that_fails_is_a_failure_of_the_tool_and_told_to_the_operator(
    broken: str, again: bool, caplog: pytest.LogCaptureFixture
) -> None:
    store = _Broken()
    desk = Desk(store=store)
    if again or broken == "swap":
        desk.search()
    store.broken = {broken}
    other = {**ACME, "conversation": "c2"} if broken == "add" else None
    result = desk.more() if again and broken != "add" else desk.search(other)
    assert result.failure is not None
    assert result.failure.kind == "unavailable"
    assert "disk" not in result.text
    assert "disk I/O error" in caplog.text


# Schemas that change

SOURCE = """
from __future__ import annotations

from toolgen.dsl import Bounded, Toolset, field

things = Toolset("things", "Things.")


@things.tool(name="find", bounded=Bounded(next_cursor=True))
class Find:
    '''Finds.'''

    class Input:
        {field}

    class Result:
        found: list[str] = field("Found.")


@things.tool(name="more", continues=Find)
class More:
    '''More.'''
"""


def _things(compile_design: Callable[[str], ModuleType], field: str) -> tuple[Any, Any]:
    root = compile_design(SOURCE.replace("{field}", field)).__name__
    return importlib.import_module(f"{root}.things.find"), importlib.import_module(f"{root}.things.more")


def _registry(store: ContinuationStore, find: Any, more: Any, seen: list[Any]) -> ToolRegistry:
    registry = ToolRegistry(store=store)

    def handler(payload: Any, ctx: CallContext) -> Any:
        seen.append(payload)
        return Page(find.FindResult([]), returned=0, next_cursor="next")

    registry.handles(find.SPEC)(handler)
    registry.handles(more.SPEC)(handler)
    return registry


def test_what_was_saved_under_an_older_schema_is_read_under_the_new_one(
    compile_design: Callable[[str], ModuleType],
) -> None:
    store, seen = MemoryStore(), []
    first = _registry(store, *_things(compile_design, 'q: str = field("Q.")'), seen)
    asyncio.run(first.run(ToolCall("1", "find", {"q": "x"}), ACME))
    changed = 'q: str = field("The query.", max_length=9)\n        n: int = field("N.", default=7)'
    second = _registry(store, *_things(compile_design, changed), seen)
    result = asyncio.run(second.run(ToolCall("2", "more"), ACME))
    assert result.failure is None, result.text
    assert (seen[-1].q, seen[-1].n, seen[-1].cursor) == ("x", 7, "next")


def test_what_the_new_schema_can_not_read_is_an_error_that_names_both(
    compile_design: Callable[[str], ModuleType], caplog: pytest.LogCaptureFixture
) -> None:
    store, seen = MemoryStore(), []
    find, more = _things(compile_design, 'q: str = field("Q.")')
    asyncio.run(_registry(store, find, more, seen).run(ToolCall("1", "find", {"q": "x"}), ACME))
    kept = store.load("c1", "find")
    assert kept is not None
    changed, later = _things(compile_design, 'query: str = field("Q.")')
    result = asyncio.run(_registry(store, changed, later, seen).run(ToolCall("2", "more"), ACME))
    assert "call find again" in told(result)
    assert "later" not in result.text, "what was saved will be no other later"
    assert "more can't go on from what find saved" in caplog.text
    assert kept.fingerprint in caplog.text
    assert fingerprint(changed.EXECUTION.schema) in caplog.text


# Stores that answer late or not at all


class _Slow(MemoryStore):
    """A store whose methods wait, or fail, as long as they are told to."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: dict[str, float] = {}
        self.fails: set[str] = set()

    def load(self, conversation: str, tool: str) -> Continuation | None:
        self._meet("load")
        return super().load(conversation, tool)

    def add(self, conversation: str, continuation: Continuation) -> bool:
        done = super().add(conversation, continuation) if "late" in self.waits else None
        self._meet("add")
        return super().add(conversation, continuation) if done is None else done

    def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
        done = super().swap(conversation, version, continuation) if "late" in self.waits else None
        self._meet("swap")
        return super().swap(conversation, version, continuation) if done is None else done

    def _meet(self, name: str) -> None:
        time.sleep(self.waits.get(name, 0.0))
        if name in self.fails:
            raise OSError("disk I/O error")


async def _settled(store: _Slow) -> None:
    """Waits until no place is taken, for as long as a test may."""
    store.waits = {}
    for _ in range(200):
        kept = store.load("c1", "search_tickets")
        if kept is not None and kept.taken_until == 0:
            return
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("method", ["load", "swap"])
@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("ends", ["cancelled", "timeout"])
def test_a_page_that_is_taken_when_nobody_waits_can_be_asked_for_again(method: str, late: bool, ends: str) -> None:
    store = _Slow()
    desk = Desk(store=store, timeout=1 if ends == "timeout" else 60)

    async def main() -> ToolResult:
        await desk.registry.run(ToolCall("1", "search_tickets", SEARCH), ACME)
        store.waits = {method: 1.5 if ends == "timeout" else 0.5, **({"late": 1} if late else {})}
        task = asyncio.create_task(desk.registry.run(ToolCall("2", "more_tickets"), ACME))
        if ends == "cancelled":
            await asyncio.sleep(0.05)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        else:
            assert "can't be reached" in told(await task)
        await asyncio.sleep(0.8)
        await _settled(store)
        return await desk.registry.run(ToolCall("3", "more_tickets"), ACME)

    result = asyncio.run(main())
    assert result.failure is None, result.text
    assert [payload.cursor for payload in desk.asked[1:]] == ["2"]


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("ends", ["cancelled", "timeout"])
@pytest.mark.parametrize("older", [False, True], ids=["nothing_kept", "older_search"])
@pytest.mark.parametrize("newer", [False, True], ids=["alone", "newer_search"])
def test_a_search_that_failed_while_it_was_kept_takes_over_nothing(
    late: bool, ends: str, older: bool, newer: bool
) -> None:
    store = _Slow()
    desk = Desk(store=store, timeout=0.2 if ends == "timeout" else 60)

    def run(name: str, query: str = "") -> asyncio.Task[ToolResult]:
        arguments = {"query": query} if query else {}
        return asyncio.create_task(desk.registry.run(ToolCall("1", name, arguments), ACME))

    async def main() -> ToolResult:
        if older:
            await run("search_tickets", "older")
        store.waits = {"add": 0.5, "swap": 0.5, **({"late": 1} if late else {})}
        task = run("search_tickets", "failed")
        await asyncio.sleep(0.1)
        store.waits = {}
        if ends == "cancelled":
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        else:
            assert "can't be reached" in told(await task)
        if newer:
            while (await run("search_tickets", "newer")).failure is not None:
                await asyncio.sleep(0.05)
        await asyncio.sleep(0.8)
        return await run("more_tickets")

    result = asyncio.run(main())
    if not older and not newer:
        assert "call search_tickets again" in told(result)
    else:
        assert result.failure is None, result.text
        assert desk.asked[-1].query == ("newer" if newer else "older")


@pytest.mark.parametrize("older", [False, True], ids=["nothing_kept", "older_search"])
@pytest.mark.parametrize("goes_on", [False, True], ids=["given_up", "goes_on"])
def test_a_search_that_another_process_has_overtaken_saves_over_nothing(older: bool, goes_on: bool) -> None:
    class Overtaken(MemoryStore):
        """One that another process keeps a search in, once, when something is about to be kept."""

        def add(self, conversation: str, continuation: Continuation) -> bool:
            overtake()
            return super().add(conversation, continuation)

        def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
            overtake()
            return super().swap(conversation, version, continuation)

    def overtake() -> None:
        if overtaking:
            Chains(store, ttl=1000).begin(overtaking.pop(), "20")
            if not goes_on:
                given_up.set()

    store, given_up, overtaking = Overtaken(), threading.Event(), list[First]()
    chains = Chains(store, ttl=1000)
    if older:
        chains.begin(first("older"), "2")
    overtaking.append(first("newer"))
    gone = chains.begin(first("slow"), "3", given_up)
    kept = chains.look("c", more_tickets.SPEC)
    assert (b"slow" in kept.payload, kept.cursor) == ((True, "3") if goes_on else (False, "20"))
    chains.go_back(gone)
    kept = chains.look("c", more_tickets.SPEC)
    assert (b"newer" in kept.payload, kept.cursor) == (True, "20")


@pytest.mark.parametrize("method", ["add", "swap"])
def test_a_store_that_keeps_nothing_fails_the_call_rather_than_be_asked_for_ever(
    method: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = MemoryStore()
    desk = Desk(store=store, timeout=None)
    if method == "swap":
        desk.search()
    setattr(store, method, lambda *_: False)
    assert "can't be reached" in told(desk.search())
    assert "the store keeps no place of search_tickets: try it with toolgen.testing.check_store" in caplog.text


def test_a_page_that_is_taken_when_the_loop_is_closed_can_be_asked_for_again() -> None:
    store = _Slow()
    desk = Desk(store=store)
    desk.search()
    store.waits = {"swap": 0.5}

    async def main() -> None:
        task = asyncio.create_task(desk.registry.run(ToolCall("2", "more_tickets"), ACME))
        await asyncio.sleep(0.05)
        task.cancel()

    asyncio.run(main())
    asyncio.run(asyncio.sleep(0.8))
    asyncio.run(_settled(store))
    assert desk.more().failure is None


def test_a_page_whose_answer_was_cancelled_while_the_next_was_kept_can_be_asked_for_again() -> None:
    store = _Slow()
    desk = Desk(store=store)

    async def main() -> None:
        task = asyncio.create_task(desk.registry.run(ToolCall("2", "more_tickets"), ACME))
        while len(desk.asked) < 2:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0.8)
        await _settled(store)

    for late in (False, True):
        desk.asked.clear()
        desk.search()
        page = desk.page

        def slow(payload: Any, number: int, page: Any = page, late: bool = late) -> Any:
            store.waits = {"swap": 0.5, **({"late": 1} if late else {})}
            return page(payload, number)

        desk.page = slow  # type: ignore[method-assign]
        asyncio.run(main())
        desk.page = page  # type: ignore[method-assign]
        assert desk.more().failure is None
        assert [payload.cursor for payload in desk.asked[1:]] == ["2", "2"]


@pytest.mark.parametrize("how", ["failed", "raised", "cancelled", "timeout"])
def test_a_store_that_can_not_put_a_page_back_changes_nothing_of_the_answer(
    how: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = _Slow()
    registry = ToolRegistry(store=store)
    registry.handles(search_tickets.SPEC)(lambda p, c: Page(SearchTicketsResult([]), returned=0, next_cursor="2"))

    @registry.handles(more_tickets.SPEC, timeout=1)
    async def more(payload: Any, ctx: CallContext) -> Any:
        store.fails = {"swap"}
        if how == "failed":
            raise ToolFailure("rate_limited", "slow down", retry_after=5)
        if how == "raised":
            raise ZeroDivisionError
        await asyncio.sleep(60)

    async def main() -> str:
        await registry.run(ToolCall("1", "search_tickets", SEARCH), ACME)
        task = asyncio.create_task(registry.run(ToolCall("2", "more_tickets"), ACME))
        if how == "cancelled":
            while not store.fails:
                await asyncio.sleep(0.005)
            task.cancel()
        try:
            result = await task
        except asyncio.CancelledError:
            return "cancelled"
        assert result.failure is not None
        return result.failure.kind

    wanted = {"failed": "rate_limited", "raised": "internal", "cancelled": "cancelled", "timeout": "timeout"}
    assert asyncio.run(main()) == wanted[how]
    assert "can't be asked for again before 61 seconds are over" in caplog.text


def test_a_page_whose_next_place_could_not_be_kept_can_be_asked_for_again() -> None:
    class Once(_Slow):
        def _meet(self, name: str) -> None:
            if name in self.fails:
                self.fails.clear()
                raise OSError("disk I/O error")

    store = Once()
    desk = Desk(store=store)
    desk.search()
    page = desk.page

    def failing(payload: Any, number: int) -> Any:
        store.fails = {"swap"}
        return page(payload, number)

    desk.page = failing  # type: ignore[method-assign]
    assert "can't be reached" in told(desk.more())
    desk.page = page  # type: ignore[method-assign]
    assert desk.more().failure is None
    assert [payload.cursor for payload in desk.asked[1:]] == ["2", "2"]


# What is kept, and for whom


def test_later_pages_have_what_the_first_call_asked_for_whatever_its_handler_did_to_it(
    store: ContinuationStore,
) -> None:
    desk = Desk(store=store)
    page = desk.page

    def careless(payload: Any, number: int) -> Any:
        answer = page(payload, number)
        payload.query, payload.limit, payload.conditions = 5, -1, None
        return answer

    desk.page = careless  # type: ignore[method-assign]
    assert desk.search().failure is None
    desk.page = page  # type: ignore[method-assign]
    assert desk.more().failure is None
    assert desk.asked[-1] == more_tickets.MoreTicketsPayload("vpn", "2", "acme", 2)


@pytest.mark.parametrize(
    "value", [None, "", " \n", True, False, 1.5, b"c", ["c"], ("c",), {"c": 1}, object()], ids=shown
)
def test_what_could_be_another_conversation_too_is_none(value: object, caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk()
    context: dict[str, object] = {"tenant": "acme", "conversation": value}
    assert desk.search(context).failure is None, "the first page needs no conversation"
    assert "can't be continued" in caplog.text
    result = desk.more(context)
    assert result.failure is not None
    assert (result.failure.kind, "conversation" in caplog.text) == ("internal", True)


@pytest.mark.parametrize("value", ["c", 0, 7, uuid.UUID(int=7)])
def test_a_conversation_is_named_by_text_a_number_or_a_uuid(value: object) -> None:
    desk = Desk()
    context: dict[str, object] = {"tenant": "acme", "conversation": value}
    desk.search(context)
    assert desk.more(context).failure is None


def test_what_a_spec_by_hand_can_not_save_is_told_to_the_operator(caplog: pytest.LogCaptureFixture) -> None:
    def unwritable(value: Any) -> Any:
        raise ValueError("not writable")

    execution: Any = copy.copy(search_tickets.EXECUTION)
    execution._to_body = unwritable
    spec = dataclasses.replace(search_tickets.SPEC, execution=execution)
    registry = ToolRegistry()
    registry.handles(spec)(lambda payload, ctx: pytest.fail("ran"))
    registry.handles(more_tickets.SPEC)(lambda payload, ctx: None)
    result = asyncio.run(registry.run(ToolCall("1", "search_tickets", SEARCH), ACME))
    assert result.failure is not None
    assert result.failure.kind == "internal", "it is no fault of the model"
    assert "can't be saved for its later pages" in caplog.text
