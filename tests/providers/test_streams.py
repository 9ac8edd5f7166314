"""Streamed turns."""

from __future__ import annotations

import json
from typing import Any

import pytest
from wires import LIST, SEARCH, STREAMED, events

from toolgen import providers


def fed(wire: str, given: list[Any]) -> providers.Stream:
    stream = providers.stream(wire)
    for event in given:
        stream.add(event)
    return stream


@pytest.mark.parametrize("wire", STREAMED)
def test_a_streamed_turn_is_put_together(wire: str) -> None:
    stream = fed(wire, events(wire))
    for found in (stream.calls(), providers.calls(stream.response())):
        assert [(call.id, call.name) for call in found] == [SEARCH[:2], LIST[:2]]
        given = [call.arguments for call in found]
        assert [json.loads(item) if isinstance(item, str) else item for item in given] == [SEARCH[2], LIST[2]]


@pytest.mark.parametrize("wire", STREAMED)
def test_a_stream_that_is_cut_anywhere_is_told_from_a_whole_one(wire: str) -> None:
    whole = events(wire)
    # What follows Bedrock's messageStop is no part of the turn.
    end = len(whole) - (1 if wire == "bedrock" else 0)
    assert [fails(fed(wire, whole[:index])) for index in range(end)] == [True] * end
    assert not fails(fed(wire, whole[:end]))


def fails(stream: providers.Stream) -> bool:
    try:
        stream.response()
    except providers.CutStreamError:
        with pytest.raises(providers.CutStreamError):
            stream.calls()
        return True
    return False


@pytest.mark.parametrize("wire", ["anthropic", "openai_chat", "openai_responses", "bedrock"])
def test_arguments_that_were_cut_off_inside_a_whole_stream_stay_cut_off(wire: str) -> None:
    stream = fed(wire, events(wire, [SEARCH], ['{"query": "vp']))
    assert [call.arguments for call in stream.calls()] == ['{"query": "vp']
    again = providers.calls(stream.response())[0].arguments
    assert again in ('{"query": "vp', {"INVALID_JSON": '{"query": "vp'})


@pytest.mark.parametrize(
    ("wire", "event"),
    [
        ("anthropic", {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
        ("openai_responses", {"type": "error", "message": "Overloaded"}),
        ("bedrock", {"throttlingException": {"message": "Overloaded"}}),
    ],
)
def test_an_error_in_a_stream_is_the_reason_of_the_cut(wire: str, event: Any) -> None:
    stream = fed(wire, [*events(wire)[:3], event])
    with pytest.raises(providers.CutStreamError, match="Overloaded"):
        stream.response()


def test_thoughts_and_their_signatures_are_kept() -> None:
    stream = providers.stream("anthropic")
    start, *rest = events("anthropic", [SEARCH])
    stream.add(start)
    stream.add({"type": "content_block_start", "index": 7, "content_block": {"type": "thinking", "thinking": ""}})
    for delta in (
        {"type": "thinking_delta", "thinking": "Hm"},
        {"type": "thinking_delta", "thinking": "m."},
        {"type": "signature_delta", "signature": "opaque"},
    ):
        stream.add({"type": "content_block_delta", "index": 7, "delta": delta})
    for event in rest:
        stream.add(event)
    assert stream.response()["content"][-1] == {"type": "thinking", "thinking": "Hmm.", "signature": "opaque"}


def test_gemini_arguments_come_in_pieces_by_their_path() -> None:
    def chunk(finish: str | None = None, **call: Any) -> Any:
        return {"candidates": [{"content": {"parts": [{"functionCall": call}]}, "finishReason": finish}]}

    stream = providers.stream("gemini")
    stream.add(chunk(id="c", name="search_tickets", willContinue=True))
    stream.add(
        chunk(partialArgs=[{"jsonPath": "$.query", "stringValue": "v", "willContinue": True}], willContinue=True)
    )
    more = [{"jsonPath": "$.query", "stringValue": "pn"}, {"jsonPath": "$.conditions[0]['a b']", "numberValue": 2}]
    stream.add(chunk(partialArgs=more, willContinue=True))
    with pytest.raises(providers.CutStreamError):
        stream.calls()
    stream.add(
        chunk(partialArgs=[{"jsonPath": "$.on", "boolValue": False}, {"jsonPath": "$.off", "nullValue": "NULL_VALUE"}])
    )
    stream.add({"candidates": [{"content": {"parts": []}, "finishReason": "STOP"}]})
    [call] = stream.calls()
    assert call.arguments == {"query": "vpn", "conditions": [{"a b": 2}], "on": False, "off": None}


def test_mcp_has_no_streams() -> None:
    with pytest.raises(ValueError, match="come whole"):
        providers.stream("mcp")
