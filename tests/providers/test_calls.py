"""Calls, as each provider's response has them."""

from __future__ import annotations

import json
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest
from wires import LIST, SEARCH, WIRES, places, response, with_junk

from generated.support import TOOLSET
from generated.triage.submit_report import SUBMIT
from toolgen import providers
from toolgen.runtime import ToolCall


def objects(value: Any) -> Any:
    """The same, as objects that are read by attribute; arguments stay as they are."""
    if isinstance(value, list):
        return [objects(item) for item in value]
    if isinstance(value, dict):
        return SimpleNamespace(
            **{k: v if k in ("input", "args", "arguments") else objects(v) for k, v in value.items()}
        )
    return value


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("form", [lambda value: value, objects], ids=["dicts", "objects"])
def test_several_calls_come_in_their_order(wire: str, form: Any) -> None:
    found = providers.calls(form(response(wire)), wire)
    assert [(call.id, call.name, call.provider) for call in found] == [(*SEARCH[:2], wire), (*LIST[:2], wire)]
    given = found[0].arguments
    assert (json.loads(given) if isinstance(given, str) else given) == SEARCH[2]


@pytest.mark.parametrize("wire", WIRES)
def test_a_response_tells_its_provider(wire: str) -> None:
    assert providers.calls(response(wire)) == providers.calls(response(wire), wire)


def test_what_tells_no_provider_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="give provider="):
        providers.calls({"text": "hello"})
    with pytest.raises(ValueError, match="did you mean openai_chat"):
        providers.calls({}, "openai_chats")


async def _not_awaited() -> Any:
    return response("anthropic")


@pytest.mark.parametrize("form", [lambda value: value, objects], ids=["dicts", "objects"])
@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("other", WIRES)
def test_calls_of_another_provider_are_no_turn_without_calls(other: str, wire: str, form: Any) -> None:
    if other == wire:
        return
    for read in (lambda turn: providers.calls(turn, wire), lambda turn: providers.answer(turn, [], wire)):
        with pytest.raises(
            ValueError, match=f"the response is of {other}, and is read as one of {wire}: give provider="
        ):
            read(form(response(other)))


@pytest.mark.parametrize("wire", [*WIRES, None])
def test_what_is_no_response_is_no_turn_without_calls(wire: str | None) -> None:
    """A run would end by it, as if the model had been done."""
    forgotten = _not_awaited()
    for given, words in [(None, "not None"), ("text", "not a str"), (7, "not an int"), (forgotten, "await it first")]:
        with pytest.raises(TypeError, match=f"a response is an object or a dict, .*{words}"):
            providers.calls(given, wire)
        with pytest.raises(TypeError, match=f"a response is an object or a dict, .*{words}"):
            providers.answer(given, [], wire)
    forgotten.close()


@pytest.mark.parametrize("wire", WIRES)
def test_a_turn_without_calls_has_none(wire: str) -> None:
    assert providers.calls(response(wire, []), wire) == []


@pytest.mark.parametrize(
    ("wire", "given"),
    [("openai_chat", ""), ("openai_chat", "{cut"), ("gemini", None), ("mcp", None), ("anthropic", {}), ("bedrock", {})],
)
def test_arguments_stay_as_they_came(wire: str, given: Any) -> None:
    turn = response(wire, [("call_1", "list_products", given)])
    if wire == "openai_chat":
        turn["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = given
    [call] = providers.calls(turn)
    assert call.arguments == given


def test_a_responses_call_has_the_call_id_and_not_that_of_its_item() -> None:
    assert [call.id for call in providers.calls(response("openai_responses"))] == ["call_1", "call_2"]


def test_a_gemini_call_without_an_id_gets_a_stable_one_that_is_not_sent_back() -> None:
    turn = response("gemini", [("", "list_products", {}), ("", "list_products", {}), ("given", "list_products", {})])
    first = providers.calls(turn)
    assert [call.id for call in providers.calls(turn)] == [call.id for call in first]
    assert len({call.id for call in first}) == 3
    results = [providers.result(providers_ok(call)) for call in first]
    assert [told["functionResponse"].get("id") for told in results] == [None, None, "given"]


def providers_ok(call: ToolCall) -> Any:
    from toolgen.runtime import ToolResult

    return ToolResult.ok(call, ["a"])


def test_tools_that_anthropic_runs_itself_are_no_calls() -> None:
    turn = response("anthropic", [])
    turn["content"].append({"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {}})
    assert providers.calls(turn) == []


def test_tools_that_bedrock_runs_itself_are_no_calls_and_want_no_result() -> None:
    use = {"toolUseId": "srv_1", "name": "grounding", "type": "server_tool_use", "input": {}}
    content = [{"toolUse": use}, {"toolResult": {"toolUseId": "srv_1", "content": [{"text": "Rain."}]}}]
    message = {"role": "assistant", "content": content}
    assert providers.calls({"output": {"message": message}}) == []
    providers.check_turns([message, {"role": "user", "content": [{"text": "Thanks."}]}], "bedrock")


def test_custom_tool_calls_of_chat_are_left_alone() -> None:
    turn = response("openai_chat")
    turn["choices"][0]["message"]["tool_calls"].append(
        {"id": "x", "type": "custom", "custom": {"name": "n", "input": ""}}
    )
    assert len(providers.calls(turn)) == 2


@pytest.mark.parametrize("wire", WIRES)
def test_the_tools_of_calls_are_those_that_its_provider_was_told_of(wire: str) -> None:
    told = providers.definitions(TOOLSET, wire)
    found = providers.calls(response(wire), tools=told)
    for tools in ([{"type": "web_search"}, *told], tuple(told), iter(told)):
        assert providers.calls(response(wire), tools=tools) == found
    made_by_provider: Any = [{"type": "web_search_20250305", "name": "web_search"}, {"google_search": {}}, object()]
    for none in ([], (), iter(()), providers.definitions([], wire), made_by_provider, made_by_provider[:1]):
        assert providers.calls(response(wire), tools=none) == providers.calls(response(wire))
        assert providers.calls(response(wire, []), wire, tools=none) == []
    other = "gemini" if wire != "gemini" else "mcp"
    with pytest.raises(ValueError, match=f"the tools were told to {other}, and the response is of {wire}"):
        providers.calls(response(wire), tools=providers.definitions(TOOLSET, other))
    copies = json.loads(json.dumps(told))
    for lost in (copies, copies[:1], [*made_by_provider, *copies]):
        with pytest.raises(ValueError, match="none of the tools is a Definition"):
            providers.calls(response(wire), tools=lost)
    assert providers.calls(response(wire), tools=[*copies, *told]) == found


@pytest.mark.parametrize(
    "tools",
    [TOOLSET, TOOLSET.values(), [TOOLSET["search_tickets"]], [SUBMIT], SUBMIT, "search_tickets", list(TOOLSET), 5],
    ids=lambda tools: type(tools).__name__,
)
def test_tools_that_do_not_say_what_a_model_was_told_are_refused(tools: Any) -> None:
    with pytest.raises(TypeError, match=r"tools= holds a \w+: give what definitions\(tools, provider\) gave"):
        providers.calls(response("anthropic"), tools=tools)


@pytest.mark.parametrize("wire", WIRES)
def test_whatever_stands_in_a_response_is_read_or_refused(wire: str) -> None:
    whole = response(wire)
    for path in filter(None, places(whole)):  # a whole that is junk comes below
        for junk in (None, 5, True, "", "x", b"x", [], [None], [5], {}, {"a": 1}):
            given = with_junk(whole, path, junk)
            for call in providers.calls(given, wire):
                assert (type(call.id), type(call.name)) == (str, str)
            with suppress(ValueError):
                providers.answer(given, [], wire)
    for junk in ([], [None], [5], {}, {"a": 1}):
        assert providers.calls(junk, wire) == []
        assert isinstance(providers.answer(junk, [], wire), list)
