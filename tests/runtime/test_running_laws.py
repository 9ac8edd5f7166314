"""Laws of running: what holds whatever the calls are, and whatever handlers do."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from generated.support import list_products, more_tickets, search_tickets
from generated.support.search_tickets import SearchTicketsResult
from toolgen.runtime import (
    CallOutcome,
    ContextError,
    Issue,
    MemoryStore,
    Page,
    PayloadError,
    ToolCall,
    ToolFailure,
    ToolRegistry,
    ToolResult,
)

junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
names = st.sampled_from(["list_products", "search_tickets", "nothing", ""]) | st.text(max_size=8)
arguments = st.one_of(st.none(), st.text(max_size=20), st.binary(max_size=20), junk, junk.map(json.dumps))
calls = st.builds(ToolCall, id=st.text(max_size=3), name=names, arguments=arguments)
results = junk | st.binary(max_size=3) | st.builds(object) | st.just([["R7000"]]) | st.just(["R7000"])
errors = st.sampled_from(
    [
        ToolFailure("domain_rejection", "no"),
        ValueError("secret"),
        SystemExit(),
        KeyError(),
        asyncio.CancelledError(),
        PayloadError([Issue("/secret", "unknown_field", "secret")]),
        ContextError({"secret": "is missing"}),
        ExceptionGroup("secret", [ToolFailure("unavailable", "down")]),
        BaseExceptionGroup("secret", [SystemExit(), ToolFailure("unavailable", "secret")]),
    ]
)


@settings(max_examples=60)
@given(st.lists(calls, max_size=6), results | errors, st.booleans())
def test_every_call_is_answered_once_in_order_and_with_words(
    made: list[ToolCall], outcome: Any, is_async: bool
) -> None:
    registry = ToolRegistry()
    told: list[CallOutcome] = []
    registry.observe(told.append)

    def sync(payload: Any, ctx: Any) -> Any:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    async def later(payload: Any, ctx: Any) -> Any:
        return sync(payload, ctx)

    registry.handles(list_products.SPEC)(later if is_async else sync)
    registry.handles(search_tickets.SPEC)(later if is_async else sync)
    answers = asyncio.run(registry.run_all(made, {"tenant": "acme"}))
    assert [answer.call for answer in answers] == made
    assert len(told) == len(made)
    for answer in answers:
        answer.text.encode()
        assert answer.text.strip()
        assert "secret" not in answer.text
        assert "object at 0x" not in answer.text
        if answer.failure is None:
            assert answer.is_json
            list_products.RESULT.decode(answer.text)


class Pages(RuleBasedStateMachine):
    """Any number of searches and pages, in several conversations, against a model of them."""

    def __init__(self) -> None:
        super().__init__()
        self.store = MemoryStore()
        self.fails = False
        self.model: dict[str, tuple[str, int, int] | None] = {}
        self.new_registry()

    def new_registry(self) -> None:
        self.registry = ToolRegistry(store=self.store)
        self.registry.handles(search_tickets.SPEC)(lambda payload, ctx: self.page(payload, 1))
        self.registry.handles(more_tickets.SPEC)(lambda payload, ctx: self.page(payload, int(payload.cursor)))

    def page(self, payload: Any, number: int) -> Page[SearchTicketsResult]:
        if self.fails:
            raise ToolFailure("unavailable", "down")
        cursor = str(number + 1) if number < payload.limit else None
        return Page(SearchTicketsResult([]), returned=0, total=number, next_cursor=cursor)

    def ask(self, conversation: str, name: str, arguments: Any = None) -> ToolResult:
        context = {"tenant": "acme", "conversation": conversation}
        return asyncio.run(self.registry.run(ToolCall("1", name, arguments), context))

    @rule(conversation=st.sampled_from("ab"), query=st.sampled_from(["x", "y"]), pages=st.integers(1, 4))
    def search(self, conversation: str, query: str, pages: int) -> None:
        result = self.ask(conversation, "search_tickets", {"query": query, "limit": pages})
        assert (result.failure is not None) == self.fails
        if not self.fails:
            self.model[conversation] = (query, 2, pages) if pages > 1 else None

    @rule(conversation=st.sampled_from("abc"))
    def more(self, conversation: str) -> None:
        result = self.ask(conversation, "more_tickets", "")
        place = self.model.get(conversation)
        if place is None:
            assert result.failure is not None
            assert ("no more" if conversation in self.model else "first") in result.text
        elif self.fails:
            assert result.failure is not None
        else:
            query, number, pages = place
            assert json.loads(result.text)["total"] == number
            self.model[conversation] = (query, number + 1, pages) if number < pages else None

    @rule()
    def break_or_mend(self) -> None:
        self.fails = not self.fails

    @rule()
    def restart(self) -> None:
        self.new_registry()

    @invariant()
    def what_would_come_next_is_known(self) -> None:
        for conversation, place in self.model.items():
            if place is not None:
                context = {"tenant": "acme", "conversation": conversation}
                payload = self.registry.prepare(ToolCall("1", "more_tickets"), context)
                assert (payload.query, payload.cursor, payload.limit) == (place[0], str(place[1]), place[2])


Pages.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
TestPages = pytest.mark.once(Pages.TestCase)
