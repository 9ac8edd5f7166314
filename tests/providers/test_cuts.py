"""Turns that were cut: their last call never runs."""

from __future__ import annotations

import asyncio
import copy
import json
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wires import LIST, SEARCH, STREAMED, events, response

from generated.support import list_products
from toolgen import providers
from toolgen.providers.cuts import cut
from toolgen.runtime import CallContext, PayloadError, ToolCall, ToolRegistry

REASONS = [(wire, reason) for wire in STREAMED for reason in sorted(providers.module(wire).CUT)]

WHOLE_REASONS = {
    "anthropic": "tool_use",
    "openai_chat": "tool_calls",
    "openai_responses": "completed",
    "gemini": "STOP",
    "bedrock": "tool_use",
}
"""Why the turns of ``wires`` stop."""

WHERE = ("stop_reason", "finish_reason", "status", "finishReason", "stopReason")


class FinishReason(Enum):
    CUT = "MAX_TOKENS"


def stopped(wire: str, turn: Any, reason: Any) -> Any:
    """A turn, or the events of one, that stopped for another reason. No item of it says how it stopped by itself."""
    if isinstance(turn, list):
        return [stopped(wire, item, reason) for item in turn]
    if not isinstance(turn, dict):
        return turn
    found = {key: stopped(wire, item, reason) for key, item in turn.items()}
    if turn.get("type") == "function_call":
        found.pop("status", None)
    if turn.get("type") == "response.completed":
        found["response"]["status"] = reason
    return {key: reason if key in WHERE and item is not None else item for key, item in found.items()}


def forms(wire: str, reason: Any, calls: Any = (SEARCH, LIST), texts: Any = None) -> list[list[ToolCall]]:
    """The calls of a turn, as it comes whole, streamed, and put together of the stream."""
    stream = providers.stream(wire)
    for event in stopped(wire, events(wire, calls, texts), reason):
        stream.add(event)
    whole = stopped(wire, response(wire, calls), reason)
    return [providers.calls(whole, wire), stream.calls(), providers.calls(stream.response(), wire)]


def ran(call: ToolCall) -> tuple[bool, str]:
    """Whether a tool that takes no arguments ran on this call, and what the model is told."""
    seen: list[Any] = []
    tools = ToolRegistry()

    @tools.handles(list_products.SPEC)
    def products(payload: Any, ctx: CallContext) -> list[str]:
        seen.append(payload)
        return ["R7000"]

    outcome = asyncio.run(tools.run(call, {}))
    if outcome.failure is None:
        return bool(seen), outcome.text
    return bool(seen), outcome.failure.issues[0].constraint if outcome.failure.issues else outcome.text


@pytest.mark.parametrize(("wire", "reason"), REASONS)
@pytest.mark.parametrize("text", ["", "{}", "{"])
def test_the_last_call_of_a_turn_that_was_cut_never_runs(wire: str, reason: str, text: str) -> None:
    for calls in forms(wire, reason, texts=[json.dumps(SEARCH[2]), text]):
        assert [(call.id, call.name) for call in calls] == [SEARCH[:2], LIST[:2]]
        given = calls[0].arguments
        assert (json.loads(given) if isinstance(given, str) else given) == SEARCH[2]
        # A text that is no JSON stands in an object of its own where the wire holds objects: it is cut all the same.
        assert ran(calls[1]) == (False, "truncated_json")


@pytest.mark.parametrize("wire", STREAMED)
def test_calls_of_a_turn_that_ended_by_itself_run(wire: str) -> None:
    for calls in forms(wire, WHOLE_REASONS[wire]):
        assert ran(calls[1]) == (True, '["R7000"]')


@pytest.mark.parametrize(("wire", "reason"), REASONS)
def test_complete_arguments_of_the_last_call_are_cut_where_its_block_was_not_closed(wire: str, reason: str) -> None:
    for calls in forms(wire, reason, [SEARCH]):
        with pytest.raises(PayloadError, match="truncated_json"):
            list_products.MODEL.decode(calls[0].arguments)


@pytest.mark.parametrize(("status", "text", "runs"), [("completed", "{}", True), ("completed", "", False)])
def test_a_completed_item_of_an_incomplete_response_is_kept(status: str, text: str, runs: bool) -> None:
    turn = response("openai_responses", [LIST])
    turn["status"] = "incomplete"
    turn["output"][-1].update(status=status, arguments=text)
    [call] = providers.calls(turn)
    assert ran(call)[0] is runs


def test_an_incomplete_item_is_cut_wherever_it_stands() -> None:
    turn = response("openai_responses", [LIST, SEARCH])
    turn["output"][1].update(status="incomplete", arguments="")
    assert ran(providers.calls(turn)[0]) == (False, "truncated_json")
    assert ran(providers.calls(turn["output"], "openai_responses")[0]) == (False, "truncated_json")


@pytest.mark.parametrize("wire", STREAMED)
def test_a_cut_turn_goes_back_as_it_came(wire: str) -> None:
    turn = stopped(wire, response(wire), min(providers.module(wire).CUT))
    before = copy.deepcopy(turn)
    assert len(providers.calls(turn, wire)) == 2
    assert turn == before
    providers.check_turns(providers.answer(turn, [], wire), wire)


def test_a_reason_that_an_sdk_gives_as_an_enum_is_known() -> None:
    turn = response("gemini", [LIST])
    turn["candidates"][0]["finishReason"] = FinishReason.CUT
    assert ran(providers.calls(turn)[0]) == (False, "truncated_json")


json_values = st.recursive(
    st.none() | st.booleans() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.text(max_size=5), json_values, max_size=3) | st.none())
def test_whatever_the_arguments_a_cut_call_is_refused_as_cut(value: Any) -> None:
    texts = (
        [value]
        if value is None
        else [value, json.dumps(value), json.dumps(json.dumps(value)), f" {json.dumps(value)}\n"]
    )
    for form in [*texts, "", " \n", b"{}", "\ufeff{}"]:
        with pytest.raises(PayloadError) as caught:
            list_products.MODEL.decode(cut(ToolCall("c", "list_products", form)).arguments)
        assert [issue.constraint for issue in caught.value.issues] == ["truncated_json"]
