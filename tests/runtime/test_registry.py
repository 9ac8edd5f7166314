"""What comes of a call, whatever the model wrote and the handler does."""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
import json
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import pytest

from conftest import shown
from generated.support import TOOLSET, answer_ticket, list_products, more_tickets, search_tickets
from generated.support.types import Ticket
from toolgen.runtime import (
    CallContext,
    CallOutcome,
    ContextError,
    Issue,
    Page,
    PayloadError,
    ToolCall,
    ToolFailure,
    ToolRegistry,
    ToolResult,
    Toolset,
    ToolSpec,
)
from toolgen.runtime.attempts import HandlerLeft

AGENT = {"tenant": "acme", "agent": "Ann", "conversation": "c1"}


def call(arguments: Any = None, *, name: str = "list_products", id: str = "1") -> ToolCall:
    return ToolCall(id, name, {} if arguments is None else arguments)


def run(registry: ToolRegistry, *calls: ToolCall, context: dict[str, object] | None = None) -> list[ToolResult]:
    return asyncio.run(registry.run_all(calls, AGENT if context is None else context))


def registry_with(handler: Callable[..., Any], **options: Any) -> ToolRegistry:
    """A registry in which ``list_products`` is handled by this function."""
    registry = ToolRegistry(**options)
    registry.handles(list_products.SPEC)(handler)
    return registry


def answer(handler: Callable[..., Any], **options: Any) -> ToolResult:
    return run(registry_with(handler, **options), call())[0]


def failure(handler: Callable[..., Any], **options: Any) -> tuple[str, str, str]:
    result = answer(handler, **options)
    assert result.failure is not None, result
    return result.failure.kind, result.failure.recovery, result.text


# What is answered


def test_a_sync_handler_is_answered_with_its_result_as_json() -> None:
    result = answer(lambda payload, ctx: ["R7000"])
    assert (result.text, result.is_json, result.failure, result.value) == ('["R7000"]', True, None, ["R7000"])
    assert not result.is_error


def test_an_async_handler_is_awaited() -> None:
    async def handler(payload: list_products.ListProductsPayload, ctx: CallContext) -> list[str]:
        await asyncio.sleep(0)
        return ["R7000"]

    assert answer(handler).text == '["R7000"]'


def test_what_a_sync_handler_gives_to_await_is_awaited() -> None:
    async def later() -> list[str]:
        return ["R7000"]

    assert answer(lambda payload, ctx: later()).text == '["R7000"]'


def test_an_object_with_an_async_call_is_a_handler() -> None:
    class Handler:
        async def __call__(self, payload: Any, ctx: CallContext) -> list[str]:
            return [threading.current_thread().name]

    assert answer(Handler()).value == [threading.main_thread().name]


def test_a_sync_handler_runs_in_a_thread_with_the_context_variables_of_the_caller() -> None:
    variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable")

    async def main() -> ToolResult:
        variable.set("set by the caller")
        registry = registry_with(lambda payload, ctx: [variable.get(), threading.current_thread().name])
        return await registry.run(call(), AGENT)

    seen, thread = asyncio.run(main()).value
    assert seen == "set by the caller"
    assert thread != threading.main_thread().name


def test_a_payload_has_what_the_context_injects() -> None:
    seen: list[Any] = []
    registry = ToolRegistry()

    @registry.handles(search_tickets.SPEC)
    def search(
        payload: search_tickets.SearchTicketsPayload, ctx: CallContext
    ) -> Page[search_tickets.SearchTicketsResult]:
        seen.append(payload)
        return Page(search_tickets.SearchTicketsResult([]), returned=0, total=0)

    (result,) = run(registry, call({"query": "vpn"}, name="search_tickets"))
    assert json.loads(result.text) == {"tickets": [], "returned": 0, "truncated": False, "total": 0}
    assert seen == [search_tickets.SearchTicketsPayload("vpn", "acme")]


def test_an_unknown_tool_is_answered_with_those_there_are() -> None:
    registry = registry_with(lambda payload, ctx: [])
    (result,) = run(registry, call(name="list_product"))
    assert result.failure is not None
    assert (result.failure.kind, result.failure.recovery) == ("invalid_call", "replan")
    assert "Did you mean list_products?" in result.text
    assert "The tools are: list_products" in result.text


def test_the_name_of_an_unknown_tool_is_quoted_short_and_on_one_line() -> None:
    (result,) = run(ToolRegistry(), call(name="x\n" * 5000))
    assert len(result.text) < 600
    assert "The tools are: none" in result.text


def test_arguments_that_are_not_taken_are_answered_with_every_issue_and_an_example() -> None:
    registry = ToolRegistry()
    registry.handles(search_tickets.SPEC)(lambda payload, ctx: pytest.fail("ran"))
    (result,) = run(registry, call({"qurey": "vpn", "limit": 500}, name="search_tickets"))
    assert result.failure is not None
    assert (result.failure.kind, result.failure.recovery) == ("invalid_call", "correct_call")
    assert {issue.path for issue in result.failure.issues} == {"/qurey", "/query", "/limit"}
    for words in ("/qurey", "/limit", "Most tickets to return", "A valid example", "call it again"):
        assert words in result.text


def test_a_failure_that_a_handler_raises_is_told_in_its_words() -> None:
    def handler(payload: Any, ctx: CallContext) -> list[str]:
        raise ToolFailure("unavailable", "the ticket index is down", "finish")

    kind, recovery, text = failure(handler)
    assert (kind, recovery) == ("unavailable", "finish")
    assert "list_products is not available: the ticket index is down." in text
    assert "Do not call list_products again" in text


def test_a_missing_injected_value_is_for_the_operator_alone(caplog: pytest.LogCaptureFixture) -> None:
    registry = ToolRegistry()
    registry.handles(search_tickets.SPEC)(lambda payload, ctx: pytest.fail("ran"))
    for context in ({}, {"tenant": ""}, {"tenant": 5}):
        caplog.clear()
        (result,) = run(registry, call({"query": "x"}, name="search_tickets"), context=context)
        assert result.failure is not None
        assert result.failure.kind == "internal"
        assert "tenant" not in result.text
        assert "tenant" in caplog.text


def test_an_unexpected_exception_is_logged_and_kept_from_the_model(caplog: pytest.LogCaptureFixture) -> None:
    def handler(payload: Any, ctx: CallContext) -> list[str]:
        raise RuntimeError("password=hunter2")

    kind, recovery, text = failure(handler)
    assert (kind, recovery) == ("internal", "replan")
    assert "hunter2" not in text
    assert "hunter2" in caplog.text
    assert "Traceback" in caplog.text
    assert f"in the call {call().id}, failed unexpectedly" in caplog.text


class _Odd(BaseException):
    pass


@pytest.mark.parametrize(
    "error",
    [
        SystemExit(3),
        GeneratorExit(),
        StopIteration(),
        StopAsyncIteration(),
        asyncio.CancelledError(),
        _Odd(),
        EOFError(),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("is_async", [True, False])
def test_whatever_a_handler_raises_the_call_is_answered(error: type[BaseException], is_async: bool) -> None:
    def sync(payload: Any, ctx: CallContext) -> list[str]:
        raise error

    async def later(payload: Any, ctx: CallContext) -> list[str]:
        raise error

    results = run(registry_with(later if is_async else sync), call(id="1"), call(id="2"))
    assert [(r.call.id, r.failure.kind if r.failure else None) for r in results] == [
        ("1", "internal"),
        ("2", "internal"),
    ]


@pytest.mark.parametrize(
    "bad",
    [b"bytes", {"set"}, [1], [b"x"], [float("nan")], [object()], ("a",), "text", None, {"a": 1}, ["\ud800"]],
    ids=shown,
)
def test_a_result_that_its_codec_refuses_is_a_failure_of_the_tool(
    bad: object, caplog: pytest.LogCaptureFixture
) -> None:
    kind, recovery, text = failure(lambda payload, ctx: bad)
    assert (kind, recovery) == ("malformed_result", "replan")
    assert "object at" not in text
    assert "the result of list_products is not what it declares" in caplog.text


def test_a_result_inside_names_the_path_to_the_operator(caplog: pytest.LogCaptureFixture) -> None:
    registry = ToolRegistry()

    @registry.handles(answer_ticket.SPEC)
    def handle(payload: answer_ticket.AnswerTicketPayload, ctx: CallContext) -> answer_ticket.AnswerTicketResult:
        ticket = Ticket(payload.ticket, payload.text, opened="yesterday")  # type: ignore[arg-type]
        return answer_ticket.AnswerTicketResult(ticket)

    (result,) = run(registry, call({"ticket": 1, "text": "x"}, name="answer_ticket"))
    assert result.failure is not None
    assert result.failure.kind == "malformed_result"
    assert "/ticket/opened" in caplog.text
    assert "opened" not in result.text


@pytest.mark.parametrize(("key", "told"), [("a\ud800", "/a\\ud800 "), ("a\nb", "/a\\nb "), ("a" * 999, "aaa… ")])
def test_a_path_that_is_logged_stands_on_its_line(key: str, told: str, caplog: pytest.LogCaptureFixture) -> None:
    registry = ToolRegistry()
    registry.handles(dataclasses.replace(list_products.SPEC, result=None))(lambda payload, ctx: {key: float("nan")})
    (result,) = run(registry, call())
    assert result.failure is not None
    assert result.failure.kind == "malformed_result"
    message = caplog.records[0].getMessage()
    assert told in message
    assert message.isprintable()


# Pages


@pytest.mark.parametrize(
    ("returned", "path"),
    [
        (search_tickets.SearchTicketsResult([]), "the whole is no Page"),
        (Page(search_tickets.SearchTicketsResult([]), returned=0, truncated=True), "/next_cursor"),
        (Page(search_tickets.SearchTicketsResult([]), returned=0, truncated=False, next_cursor="a"), "/truncated"),
        (Page(search_tickets.SearchTicketsResult([]), returned=0, next_cursor=""), "/next_cursor must not be blank"),
        (Page(search_tickets.SearchTicketsResult([]), returned=0, refinement_hint="less"), "/refinement_hint"),
    ],
)
def test_a_page_that_contradicts_itself_is_a_failure_of_the_tool(
    returned: Any, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    registry = ToolRegistry()
    registry.handles(search_tickets.SPEC)(lambda payload, ctx: returned)
    (result,) = run(registry, call({"query": "x"}, name="search_tickets"))
    assert result.failure is not None
    assert result.failure.kind == "malformed_result"
    assert path in caplog.text
    assert "cursor" not in result.text


def test_a_page_of_a_tool_without_bounds_is_a_failure_of_the_tool(caplog: pytest.LogCaptureFixture) -> None:
    kind, _, _ = failure(lambda payload, ctx: Page(["R7000"], returned=1))
    assert kind == "malformed_result"
    assert "declares no bounds" in caplog.text


# What a handler is told


def test_a_handler_knows_what_was_given_and_what_was_mended() -> None:
    seen: dict[str, Any] = {}

    def handler(payload: search_tickets.SearchTicketsPayload, ctx: CallContext) -> Any:
        seen.update(
            id=ctx.id,
            tool=ctx.tool,
            given={name: ctx.given(name) for name in ("query", "limit", "conditions", "opened_after", "tenant")},
            notes=[(note.path, note.what) for note in ctx.notes],
            tenant=ctx.context["tenant"],
        )
        with pytest.raises(KeyError, match="no field 'no_such'"):
            ctx.given("no_such")
        with pytest.raises(TypeError):
            ctx.context["tenant"] = "other"  # type: ignore[index]
        return Page(search_tickets.SearchTicketsResult([]), returned=0)

    registry = ToolRegistry()
    registry.handles(search_tickets.SPEC)(handler)
    text = '{"query": "x", "limit": 10, "conditions": null}'
    (result,) = run(registry, call(text, name="search_tickets", id="call-7"))
    assert result.failure is None, result.text
    assert (seen["id"], seen["tool"], seen["tenant"]) == ("call-7", "search_tickets", "acme")
    assert seen["given"] == {
        "query": True,
        "limit": True,  # though it is the default
        "conditions": False,
        "opened_after": False,
        "tenant": True,
    }
    assert seen["notes"] == [("/conditions", "null where a field may be left out")]


# Time


def test_a_handler_that_takes_too_long_is_cancelled_and_answered() -> None:
    cancelled: list[bool] = []

    async def handler(payload: Any, ctx: CallContext) -> list[str]:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(ctx.cancelled)
            raise
        return []

    kind, recovery, text = failure(handler, timeout=0.02)
    assert (kind, recovery, cancelled) == ("timeout", "replan", [True])
    assert "did not finish within 0.02 seconds" in text


def test_a_timeout_of_one_handler_takes_the_place_of_the_registry_s() -> None:
    registry = ToolRegistry(timeout=60)
    registry.handles(list_products.SPEC, timeout=0.02)(lambda payload, ctx: time.sleep(0.3) or [])
    (result,) = run(registry, call())
    assert result.failure is not None
    assert result.failure.kind == "timeout"


def test_a_sync_handler_learns_that_nobody_waits_any_more() -> None:
    done = threading.Event()

    def handler(payload: Any, ctx: CallContext) -> list[str]:
        while not ctx.cancelled:
            time.sleep(0.005)
        done.set()
        return []

    assert failure(handler, timeout=0.02)[0] == "timeout"
    assert done.wait(5)


def test_a_handler_that_ignores_its_cancellation_does_not_hold_up_the_answer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("toolgen.runtime.attempts.GRACE", 0.02)

    async def handler(payload: Any, ctx: CallContext) -> list[str]:
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            try:
                await asyncio.sleep(end - time.monotonic())
            except asyncio.CancelledError:
                continue
        return []

    async def main() -> float:
        began = time.monotonic()
        result = await registry_with(handler, timeout=0.02).run(call())
        took = time.monotonic() - began
        assert result.failure is not None
        await asyncio.sleep(0.4)
        return took

    assert asyncio.run(main()) < 0.25
    assert "goes on" in caplog.text


def test_a_cancelled_run_cancels_its_handler_and_says_so() -> None:
    events: list[str] = []
    outcomes: list[CallOutcome] = []

    async def handler(payload: Any, ctx: CallContext) -> list[str]:
        events.append("began")
        try:
            await asyncio.sleep(60)
        finally:
            events.append("tidied up")
        return []

    async def main() -> None:
        registry = registry_with(handler)
        registry.observe(outcomes.append)
        task = asyncio.create_task(registry.run_all([call(id="1"), call(id="2")]))
        while len(events) < 2:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert events == ["began"] * 2 + ["tidied up"] * 2
    assert [outcome.outcome for outcome in outcomes] == ["cancelled"] * 2


def test_no_more_than_so_many_calls_run_at_once() -> None:
    running, most = 0, 0
    lock = threading.Lock()

    def handler(payload: Any, ctx: CallContext) -> list[str]:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.01)
        with lock:
            running -= 1
        return []

    results = run(registry_with(handler, concurrency=3), *(call(id=str(n)) for n in range(12)))
    assert [r.call.id for r in results] == [str(n) for n in range(12)]
    assert all(r.failure is None for r in results)
    assert most == 3


def test_a_handler_that_hangs_holds_its_turn_and_the_others_are_told() -> None:
    release = threading.Event()

    def handler(payload: Any, ctx: CallContext) -> list[str]:
        release.wait(5)
        return []

    async def main() -> list[ToolResult]:
        registry = registry_with(handler, concurrency=1, timeout=0.02, wait=0.05)
        first = await registry.run(call(id="1"))
        second = await registry.run(call(id="2"))
        release.set()
        await asyncio.sleep(0.05)
        third = await registry.run(call(id="3"))
        return [first, second, third]

    first, second, third = asyncio.run(main())
    assert [r.failure.kind if r.failure else "ok" for r in (first, second, third)] == ["timeout", "unavailable", "ok"]
    assert "too many calls are running" in second.text


def test_every_call_is_answered_once_and_in_order_whatever_each_handler_does() -> None:
    async def mixed(payload: search_tickets.SearchTicketsPayload, ctx: CallContext) -> Any:
        match payload.query:
            case "slow":
                await asyncio.sleep(0.05)
            case "hang":
                await asyncio.sleep(60)
            case "raise":
                raise ZeroDivisionError
            case "exit":
                sys.exit()
            case "refuse":
                raise ToolFailure("domain_rejection", "no")
            case "bad":
                return object()
        return Page(search_tickets.SearchTicketsResult([]), returned=0)

    registry = registry_with(lambda payload, ctx: [])
    registry.handles(search_tickets.SPEC, timeout=0.1)(mixed)
    wanted = {
        "slow": None,
        "hang": "timeout",
        "raise": "internal",
        "exit": "internal",
        "refuse": "domain_rejection",
        "bad": "malformed_result",
        "": "invalid_call",
        "quick": None,
    }
    calls = [call({"query": query}, name="search_tickets", id=query) for query in wanted]
    calls.append(call(id="slow"))  # an id given twice is two calls
    calls.append(call(name="none"))
    results = run(registry, *calls)
    assert [r.call for r in results] == calls
    kinds = [r.failure.kind if r.failure else None for r in results]
    assert kinds == [*wanted.values(), None, "invalid_call"]
    assert all(r.text for r in results)


def test_no_calls_are_no_answers() -> None:
    assert run(ToolRegistry()) == []


def test_one_registry_serves_several_event_loops() -> None:
    registry = registry_with(lambda payload, ctx: [], concurrency=1)
    for _ in range(3):
        assert [r.failure for r in run(registry, call(), call())] == [None, None]


# Preparing


def test_a_call_is_prepared_without_being_run() -> None:
    registry = ToolRegistry()
    registry.handles(search_tickets.SPEC)(lambda payload, ctx: pytest.fail("ran"))
    payload = registry.prepare(call({"query": "vpn"}, name="search_tickets"), AGENT)
    assert payload == search_tickets.SearchTicketsPayload("vpn", "acme")
    with pytest.raises(PayloadError):
        registry.prepare(call({}, name="search_tickets"), AGENT)
    with pytest.raises(ContextError):
        registry.prepare(call({"query": "vpn"}, name="search_tickets"), {})
    with pytest.raises(ToolFailure, match="no tool of this name"):
        registry.prepare(call(name="other"))


@pytest.mark.parametrize("context", [5, 0, "x", "", object(), [("a", 1)], []], ids=lambda c: type(c).__name__)
@pytest.mark.parametrize("spec", [list_products.SPEC, search_tickets.SPEC, more_tickets.SPEC], ids=lambda s: s.name)
def test_a_context_that_is_no_mapping_is_told_to_the_operator(
    context: Any, spec: Any, caplog: pytest.LogCaptureFixture
) -> None:
    registry = ToolRegistry()
    registry.handles(spec)(lambda payload, ctx: pytest.fail("ran"))
    asked = call({"query": "vpn"} if spec is search_tickets.SPEC else {}, name=spec.name)
    result = asyncio.run(registry.run(asked, context))
    assert result.text == f"{spec.name} failed: it is not set up for this conversation.\n" + result.text.splitlines()[1]
    assert result.failure is not None
    assert (result.failure.kind, result.failure.recovery) == ("internal", "replan")
    assert f"the context is of type {type(context).__name__}, no mapping from names to values" in caplog.text
    assert spec.name in caplog.text
    with pytest.raises(ContextError, match="no mapping"):
        registry.prepare(asked, context)


# Observing


def test_observers_learn_how_each_call_came_out_and_no_value() -> None:
    outcomes: list[CallOutcome] = []
    registry = ToolRegistry()

    @registry.handles(search_tickets.SPEC)
    def search(payload: Any, ctx: CallContext) -> Any:
        return Page(search_tickets.SearchTicketsResult([]), returned=0)

    @registry.observe
    def broken(outcome: CallOutcome) -> None:
        raise RuntimeError("an observer that fails harms nobody")

    registry.observe(outcomes.append)
    run(
        registry,
        call({"query": "secret"}, name="search_tickets"),
        call('{"query": "secret", "limit": null}', name="search_tickets"),
        call('{"query": "secret", "limit": "secret"}', name="search_tickets"),
        call(name="secret"),
    )
    assert sorted((str(o.tool), o.outcome, str(o.lane)) for o in outcomes) == [
        ("None", "invalid_call", "None"),
        ("search_tickets", "invalid_call", "None"),
        ("search_tickets", "ok", "careful"),
        ("search_tickets", "ok", "fast"),
    ]
    mended = next(o for o in outcomes if o.mends)
    assert mended.mends == ("null where a field may be left out",)
    refused = next(o for o in outcomes if o.constraints)
    assert refused.constraints == ("invalid_type",)
    assert all(o.seconds > 0 for o in outcomes)
    assert "secret" not in repr([dataclasses.replace(o, call_id="") for o in outcomes])


# Restored fields of a tool that continues none


def test_restored_fields_come_from_the_hook(compile_tool: Callable[..., Any]) -> None:
    module = compile_tool('query: str = field("Q.")\nbase: int = restored("B.")', result="Result = list[int]")
    registry = ToolRegistry()
    with pytest.raises(ValueError, match="nothing restores its fields base"):
        registry.handles(module.SPEC)(lambda payload, ctx: [])
    registry.handles(module.SPEC, restore=lambda args, context: {"base": context["base"]})(
        lambda payload, ctx: [payload.base, int(ctx.given("base"))]
    )
    assert run(registry, call({"query": "x"}, name="do"), context={"base": 7})[0].value == [7, 1]
    assert registry.prepare(call({"query": "x"}, name="do"), {"base": 7}).base == 7
    (result,) = run(registry, call({"query": "x"}, name="do"), context={"base": "seven"})
    assert result.failure is not None
    assert result.failure.kind == "internal", "what the hook gives is no fault of the model"


BASE = 'query: str = field("Q.")\nbase: int = restored("B.", default=3)\nlast: int = restored("L.", optional=True)\n'


def test_a_restored_field_is_given_where_something_restored_it(compile_tool: Callable[..., Any]) -> None:
    module = compile_tool(BASE)
    for values in ({}, {"base": 3}, {"last": None}, {"base": 3, "last": 4}):
        registry = ToolRegistry()
        registry.handles(module.SPEC, restore=lambda args, context, values=values: values)(
            lambda payload, ctx: {name: ctx.given(name) for name in ("query", "base", "last")}
        )
        (result,) = run(registry, call({"query": "x"}, name="do"))
        assert result.value == {"query": True, "base": "base" in values, "last": "last" in values}
    registry = ToolRegistry()
    registry.handles(module.SPEC)(lambda payload, ctx: [ctx.given("base"), payload.base])
    assert run(registry, call({"query": "x"}, name="do"))[0].value == [False, 3], "nothing restores it"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"tenant": "evil"}, "gives tenant: its restored fields are base, last"),
        ({"query": "other"}, "gives query: its restored fields"),
        ({"nope": 1, 5: 1}, "gives nope, 5: its restored fields"),
        (None, "gives a NoneType, not the values by Python name"),
        ([("base", 1)], "gives a list, not the values"),
    ],
    ids=shown,
)
@pytest.mark.parametrize("completes", [True, False])
def test_only_restored_fields_are_restored(
    values: Any, words: str, completes: bool, compile_tool: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    spec = compile_tool(BASE + 'tenant: str = injected("T.", default="acme")').SPEC
    registry = ToolRegistry()
    registry.handles(spec if completes else dataclasses.replace(spec, complete=None), restore=lambda *_: values)(
        lambda payload, ctx: pytest.fail("ran")
    )
    (result,) = run(registry, call({"query": "x"}, name="do"))
    assert result.failure is not None
    assert result.failure.kind == "internal"
    assert words in caplog.text
    with pytest.raises(Exception, match="restore= of do gives"):
        registry.prepare(call({"query": "x"}, name="do"))


def test_what_restores_fields_has_the_time_of_the_tool_and_holds_its_turn(compile_tool: Callable[..., Any]) -> None:
    release = threading.Event()

    def restore(args: Any, context: Any) -> dict[str, object]:
        release.wait(5)
        return {"base": 1}

    async def main() -> list[ToolResult]:
        registry = ToolRegistry(concurrency=1, wait=0.3)
        registry.handles(compile_tool(BASE).SPEC, restore=restore, timeout=0.5)(lambda payload, ctx: None)
        first, second = [await registry.run(call({"query": "x"}, name="do")) for _ in range(2)]
        release.set()
        return [first, second, await registry.run(call({"query": "x"}, name="do"))]

    results = asyncio.run(main())
    assert [r.failure.kind if r.failure else "ok" for r in results] == ["timeout", "unavailable", "ok"]
    assert "was not there within 0.5 seconds" in results[0].text


def test_a_hook_s_own_timeout_is_its_own(compile_tool: Callable[..., Any]) -> None:
    def restore(args: Any, context: Any) -> dict[str, object]:
        raise TimeoutError("the database")

    registry = ToolRegistry()
    registry.handles(compile_tool(BASE).SPEC, restore=restore)(lambda payload, ctx: None)
    (result,) = run(registry, call({"query": "x"}, name="do"))
    assert result.failure is not None
    assert result.failure.kind == "internal"


def test_a_whole_toolset_is_registered_with_what_restores_its_fields(compile_tool: Callable[..., Any]) -> None:
    spec = compile_tool('query: str = field("Q.")\nbase: int = restored("B.")', result="Result = list[int]").SPEC

    class Tools(Toolset[Any]):
        def __getitem__(self, name: str) -> Any:
            assert name == "do"
            return spec

    class Handlers:
        def do(self, payload: Any, ctx: CallContext) -> list[int]:
            return [payload.base]

    tools = Tools("things", "Things.", package="things", modules={"do": "do"})
    registry = ToolRegistry()
    with pytest.raises(ValueError, match=r'base: give restore=, to handles_all as restore=\{"do": ...}'):
        registry.handles_all(tools, Handlers())
    with pytest.raises(ValueError, match="restore= names it, and the toolset things has no tool of this name"):
        registry.handles_all(tools, Handlers(), restore={"dou": lambda args, context: {}})
    assert not registry.specs
    registry.handles_all(tools, Handlers(), restore={"do": lambda args, context: {"base": len(args.query)}})
    assert run(registry, call({"query": "abc"}, name="do"))[0].value == [3]
    with pytest.raises(ValueError, match="there is a tool of this name already"):
        registry.handles_all(tools, Handlers(), restore={"do": lambda args, context: {}})


def test_a_tool_without_result_is_answered_that_it_is_done(compile_tool: Callable[..., Any]) -> None:
    module = compile_tool('x: int = field("X.", default=1)')
    values: list[object] = [None, "", "Sent.", {"a": [1.5, None]}, object(), {1: 2}]
    texts = []
    for value in values:
        registry = ToolRegistry()
        registry.handles(module.SPEC)(lambda payload, ctx, value=value: value)
        (result,) = run(registry, call(name="do"))
        texts.append((result.text, result.is_json) if result.failure is None else result.failure.kind)
    assert texts == [
        ("Done.", False),
        ("Done.", False),
        ("Sent.", False),
        ('{"a":[1.5,null]}', True),
        "malformed_result",
        "malformed_result",
    ]


# A whole toolset


class Handlers:
    """One method for each tool of the toolset."""

    def search_tickets(self, payload: Any, ctx: CallContext) -> Any:
        return Page(search_tickets.SearchTicketsResult([]), returned=0)

    more_tickets = search_tickets

    async def answer_ticket(self, payload: Any, ctx: CallContext) -> Any:
        raise ToolFailure("domain_rejection", "the ticket is closed")

    def list_products(self, payload: Any, ctx: CallContext) -> list[str]:
        return []


def test_an_object_handles_a_whole_toolset() -> None:
    registry = ToolRegistry()
    registry.handles_all(TOOLSET, Handlers())
    assert list(registry.specs) == list(TOOLSET)
    (result,) = run(registry, call())
    assert result.text == "[]"


class _Falsy:
    """A handler that is false, as an object with a length of 0 is."""

    def __len__(self) -> int:
        return 0

    def __call__(self, payload: Any, ctx: CallContext) -> list[str]:
        return ["falsy"]


def test_a_handler_that_is_false_is_one_all_the_same() -> None:
    handlers = Handlers()
    handlers.list_products = _Falsy()  # type: ignore[method-assign, assignment]
    registry = ToolRegistry()
    registry.handles_all(TOOLSET, handlers)
    assert run(registry, call())[0].value == ["falsy"]


def test_each_method_that_is_missing_is_named_and_nothing_is_registered() -> None:
    registry = ToolRegistry()
    with pytest.raises(ValueError, match=f"can't be registered: object has no method {', '.join(TOOLSET)}$"):
        registry.handles_all(TOOLSET, object())  # type: ignore[arg-type]
    for toolset in (Handlers(), list(TOOLSET.values()), dict(TOOLSET), None):
        with pytest.raises(TypeError, match=r"what is handled is a toolset, not (None|a \w+): give TOOLSET"):
            registry.handles_all(toolset, Handlers())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the handlers are the class Handlers: give an instance of it"):
        registry.handles_all(TOOLSET, Handlers)  # type: ignore[arg-type]
    handlers = Handlers()
    handlers.list_products = None  # type: ignore[method-assign, assignment]
    with pytest.raises(ValueError, match=r"^list_products can't be .* no method list_products$"):
        registry.handles_all(TOOLSET, handlers)
    assert registry.specs == {}


def test_issues_that_a_handler_raises_get_their_fields_descriptions_and_the_example() -> None:
    registry = ToolRegistry()

    @registry.handles(answer_ticket.SPEC)
    def handle(payload: Any, ctx: CallContext) -> Any:
        issue = Issue("/ticket", "invalid_range", "is no open ticket")
        raise ToolFailure("domain_rejection", "there is no such ticket", "correct_call", issues=[issue])

    (result,) = run(registry, call({"ticket": 9, "text": "x"}, name="answer_ticket"))
    assert "- /ticket: is no open ticket. About the field: Ticket number." in result.text
    assert "A valid example: " in result.text
    assert result.text.endswith("Correct the arguments and call answer_ticket again.")


def test_a_spec_without_complete_runs_through_its_execution_codec() -> None:
    spec: ToolSpec[Any, Any, Any] = dataclasses.replace(search_tickets.SPEC, complete=None)
    seen: list[Any] = []
    registry = ToolRegistry()
    registry.handles(spec)(lambda payload, ctx: seen.append(payload))
    run(registry, call({"query": "vpn", "limit": 3}, name="search_tickets"))
    assert seen == [search_tickets.SearchTicketsPayload("vpn", "acme", 3)]


def test_a_spec_without_complete_is_given_restored_fields_by_their_python_names(
    compile_tool: Callable[..., Any],
) -> None:
    spec = compile_tool('base: int = restored("B.", name="the-base")').SPEC
    registry = ToolRegistry()
    registry.handles(dataclasses.replace(spec, complete=None), restore=lambda args, context: {"base": 7})(
        lambda payload, ctx: [payload.base, ctx.given("base")]
    )
    assert run(registry, call(name="do"))[0].value == [7, True]


def test_the_log_names_no_value_of_refused_arguments(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    registry = ToolRegistry()
    registry.handles(search_tickets.SPEC)(lambda payload, ctx: None)
    run(registry, call({"query": ["secret"]}, name="search_tickets"))
    assert "secret" not in caplog.text


def test_a_handler_stays_what_it_was_under_the_decorator() -> None:
    def handler(payload: Any, ctx: CallContext) -> list[str]:
        return []

    registry = ToolRegistry()
    assert registry.handles(list_products.SPEC)(handler) is handler


# What a program's own code raises


def _refuse_another(*_: Any) -> Any:
    answer_ticket.MODEL.decode({"hidden": 1})


def _lack_another(*_: Any) -> Any:
    raise ContextError.missing(["hidden"])


@pytest.mark.parametrize("raises", [_refuse_another, _lack_another])
@pytest.mark.parametrize("where", ["sync", "async", "group"])
def test_what_another_codec_refuses_is_no_refusal_of_the_call(
    raises: Callable[..., Any], where: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def later(payload: Any, ctx: CallContext) -> Any:
        if where == "group":
            async with asyncio.TaskGroup() as group:
                group.create_task(later_still())
        return raises()

    async def later_still() -> None:
        raises()

    kind, recovery, text = failure(raises if where == "sync" else later)
    assert (kind, recovery) == ("internal", "replan")
    assert "an unexpected error" in text
    assert "hidden" not in text
    assert "Traceback" in caplog.text


@pytest.mark.parametrize("raises", [_refuse_another, _lack_another])
def test_what_a_restoring_hook_raises_is_no_refusal_of_the_call(
    raises: Callable[..., Any], compile_tool: Callable[..., Any]
) -> None:
    module = compile_tool('query: str = field("Q.")\nbase: int = restored("B.")')
    registry = ToolRegistry()
    registry.handles(module.SPEC, restore=raises)(lambda payload, ctx: None)
    (result,) = run(registry, call({"query": "x"}, name="do"))
    assert result.failure is not None
    assert (result.failure.kind, "hidden" in result.text) == ("internal", False)
    with pytest.raises(HandlerLeft):
        registry.prepare(call({"query": "x"}, name="do"))


@pytest.mark.parametrize("depth", [1, 2])
def test_a_failure_that_is_alone_in_a_group_is_told_in_its_words(depth: int, caplog: pytest.LogCaptureFixture) -> None:
    async def handler(payload: Any, ctx: CallContext) -> list[str]:
        async with asyncio.TaskGroup() as group:
            group.create_task(limited(depth))
        return []

    async def limited(levels: int) -> None:
        if levels > 1:
            async with asyncio.TaskGroup() as group:
                group.create_task(limited(levels - 1))
        try:
            raise OSError("429")
        except OSError as error:
            raise ToolFailure("rate_limited", "slow down", retry_after=3) from error

    kind, _, text = failure(handler)
    assert kind == "rate_limited"
    assert "Wait 3 seconds" in text
    assert "OSError: 429" in caplog.text, "its cause is the operator's to know"


def test_failures_that_are_several_are_unexpected() -> None:
    def handler(payload: Any, ctx: CallContext) -> list[str]:
        raise ExceptionGroup("both", [ToolFailure("timeout", "slow"), ToolFailure("unavailable", "down")])

    assert failure(handler)[0] == "internal"


class _Wordless(ToolFailure):
    def __init__(self) -> None:
        pass


@pytest.mark.parametrize(
    "error",
    [
        _Wordless(),
        ToolFailure("domain_rejection", "no", "correct_call", issues=["text"]),  # type: ignore[list-item]
        ToolFailure("domain_rejection", "no", issues=[Issue("/x", "invalid_type", 5)]),  # type: ignore[arg-type]
        ToolFailure("domain_rejection", "no", issues=[Issue(None, "invalid_type", "no")]),  # type: ignore[arg-type]
    ],
    ids=shown,
)
def test_a_failure_that_can_not_be_put_into_words_is_answered(
    error: ToolFailure, caplog: pytest.LogCaptureFixture
) -> None:
    def handler(payload: Any, ctx: CallContext) -> list[str]:
        raise error

    first, second = run(registry_with(handler), call(id="1"), call(id="2"))
    assert [r.failure.kind if r.failure else None for r in (first, second)] == ["internal", "internal"]
    assert "can't be put into words" in caplog.text


@pytest.mark.parametrize("error", [RuntimeError(), SystemExit(1), asyncio.CancelledError(), GeneratorExit()])
def test_an_observer_that_raises_harms_nobody(error: BaseException) -> None:
    outcomes: list[CallOutcome] = []
    registry = registry_with(lambda payload, ctx: [])

    @registry.observe
    def broken(outcome: CallOutcome) -> None:
        raise error

    registry.observe(outcomes.append)
    assert [r.failure for r in run(registry, call(id="1"), call(id="2"))] == [None, None]
    assert len(outcomes) == 2


@pytest.mark.parametrize("observer", [lambda: None, lambda a, b: None, lambda *, outcome: None], ids=["0", "2", "key"])
def test_an_observer_takes_one_argument(observer: Any) -> None:
    with pytest.raises(TypeError, match="an observer is called with one argument, a CallOutcome"):
        ToolRegistry().observe(observer)


def test_an_observer_that_gives_a_coroutine_is_told_of(caplog: pytest.LogCaptureFixture) -> None:
    async def later(outcome: CallOutcome) -> None:
        pytest.fail("awaited")

    registry = registry_with(lambda payload, ctx: [])
    registry.observe(lambda outcome: later(outcome))
    assert run(registry, call())[0].failure is None
    assert "gave a coroutine, which nobody awaits" in caplog.text


def test_an_observer_that_would_never_be_heard_is_refused() -> None:
    async def later(outcome: CallOutcome) -> None: ...

    class Later:
        async def __call__(self, outcome: CallOutcome) -> None: ...

    for observer in (later, Later(), None, "print"):
        with pytest.raises(TypeError, match="an observer is a function that is called and returns"):
            ToolRegistry().observe(observer)  # type: ignore[arg-type]

    def yields(outcome: CallOutcome) -> Iterator[None]:
        yield

    @lru_cache
    def cached(outcome: CallOutcome) -> None: ...

    for observer, words in ((yields, "yields: give one that returns"), (cached, "keeps what it gave")):
        with pytest.raises(TypeError, match=words):
            ToolRegistry().observe(observer)


@pytest.mark.parametrize("no_call", [None, "list_products", {"name": "list_products"}], ids=shown)
def test_what_is_no_call_is_refused_before_anything_runs(no_call: Any) -> None:
    ran: list[str] = []
    registry = registry_with(lambda payload, ctx: ran.append(ctx.id) or [])
    gives = r"(None|a str|a dict): toolgen.providers.calls\(response\) gives"
    with pytest.raises(TypeError, match=f"a call is a ToolCall, not {gives}"):
        run(registry, call(), no_call, call())
    with pytest.raises(TypeError, match=f"the calls of a turn are a list of ToolCalls, not {gives}"):
        asyncio.run(registry.run_all(no_call))
    with pytest.raises(TypeError, match="a call is a ToolCall"):
        asyncio.run(registry.run(no_call))
    with pytest.raises(TypeError, match="a call is a ToolCall"):
        registry.prepare(no_call)
    assert ran == []


@pytest.mark.parametrize("name", [None, 5, ["list_products"], b"list_products"])
def test_a_call_is_of_a_named_tool(name: Any) -> None:
    with pytest.raises(TypeError, match="the name of a call is text"):
        ToolCall("1", name)


class _Unreadable(list[Any]):
    def __iter__(self) -> Iterator[Any]:
        sys.exit("looked at")


def test_a_result_that_raises_when_it_is_looked_at_is_none(compile_tool: Callable[..., Any]) -> None:
    registry = ToolRegistry()
    registry.handles(compile_tool("").SPEC)(lambda payload, ctx: _Unreadable())
    results = run(registry, call(name="do", id="1"), call(name="do", id="2"))
    assert [r.failure.kind if r.failure else None for r in results] == ["malformed_result", "malformed_result"]
