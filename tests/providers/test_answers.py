"""Answers to a turn, and whole conversations."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

import pytest
from wires import LIST, SEARCH, WIRES, call, response

from toolgen import providers
from toolgen.providers import gemini
from toolgen.runtime import ToolCall, ToolResult

OTHER = ("call_9", "search_tickets", {"query": "x"})


def results_of(wire: str, messages: list[Any]) -> list[ToolResult]:
    module = providers.module(wire)
    return [providers.read_result(told, wire) for message in messages for told in module.results_in(message)]


@pytest.mark.parametrize("wire", WIRES)
def test_every_call_has_its_result_in_the_order_of_the_calls(wire: str) -> None:
    given = [ToolResult.ok(call(wire, LIST), ["a"]), ToolResult.ok(call(wire), {"tickets": []})]
    messages = providers.answer(response(wire), given)
    assert [(read.call.id, read.text) for read in results_of(wire, messages)] == [
        ("call_1", '{"tickets":[]}'),
        ("call_2", '["a"]'),
    ]
    # Anthropic, Gemini and Bedrock want one message with all results; OpenAI, one each.
    assert len(messages) == {"anthropic": 2, "gemini": 2, "bedrock": 2, "openai_chat": 3}.get(wire, len(messages))


@pytest.mark.parametrize("wire", WIRES)
def test_the_turn_goes_back_as_it_came(wire: str) -> None:
    turn = response(wire)
    messages = providers.answer(turn, [])
    match wire:
        case "anthropic":
            assert messages[0] == {"role": "assistant", "content": turn["content"]}
        case "openai_chat":
            assert messages[0] is turn["choices"][0]["message"]
        case "openai_responses":
            assert messages[:3] == turn["output"]
        case "gemini":
            assert messages[0] is turn["candidates"][0]["content"]
            assert messages[0]["parts"][1]["thoughtSignature"] == "c2lnbmF0dXJl"
        case "bedrock":
            assert messages[0] is turn["output"]["message"]


@pytest.mark.parametrize("wire", WIRES)
def test_a_call_without_a_result_gets_a_failure(wire: str) -> None:
    messages = providers.answer(response(wire), [ToolResult.ok(call(wire), "x")])
    first, second = results_of(wire, messages)
    assert (first.is_error, second.is_error, second.call.name or "list_products") == (False, True, "list_products")
    with pytest.raises(providers.TurnError, match=r"no result was given for the call 'call_2' of list_products"):
        providers.answer(response(wire), [ToolResult.ok(call(wire), "x")], missing="raise")


def with_custom(wire: str) -> Any:
    """A turn with a call of a custom tool, which takes text, between two of functions."""
    turn = response(wire)
    if wire == "openai_chat":
        custom = {"id": "call_x", "type": "custom", "custom": {"name": "sql", "input": "SELECT 1"}}
        turn["choices"][0]["message"]["tool_calls"].insert(1, custom)
    else:
        custom = {"type": "custom_tool_call", "call_id": "call_x", "name": "sql", "input": "SELECT 1"}
        turn["output"].insert(2, custom)
    return turn


@pytest.mark.parametrize("wire", ["openai_chat", "openai_responses"])
def test_a_call_of_a_custom_tool_wants_a_result_too(wire: str) -> None:
    turn = with_custom(wire)
    given = [ToolResult.ok(call(wire), "x"), ToolResult.ok(call(wire, LIST), "y")]
    assert [made.name for made in providers.calls(turn)] == [SEARCH[1], LIST[1]]
    with pytest.raises(providers.TurnError, match="no result was given for the call 'call_x' of sql"):
        providers.answer(turn, given, missing="raise")
    failed = providers.answer(turn, given)
    assert [(read.call.id, read.is_error) for read in results_of(wire, failed)] == [
        ("call_1", False),
        ("call_x", True),
        ("call_2", False),
    ]
    given.append(ToolResult.ok(ToolCall("call_x", "sql"), "one row"))
    messages = providers.answer(turn, given, missing="raise")
    assert [read.text for read in results_of(wire, messages)] == ["x", "one row", "y"]
    providers.check_turns(messages, wire)
    kinds = [sent.get("type", sent.get("role")) for sent in messages[-3:]]
    usual = "tool" if wire == "openai_chat" else "function_call_output"
    assert kinds == [usual, "tool" if wire == "openai_chat" else "custom_tool_call_output", usual]
    with pytest.raises(providers.TurnError, match="'call_x' of sql has no result"):
        providers.check_turns([*messages[:-2], messages[-1]], wire)


def test_items_with_nothing_but_a_call_of_a_custom_tool_tell_their_provider() -> None:
    item = {"type": "custom_tool_call", "call_id": "call_x", "name": "sql", "input": ""}
    assert providers.calls([item]) == []
    with pytest.raises(providers.TurnError, match="call_x"):
        providers.answer([item], [], missing="raise")


@pytest.mark.parametrize("wire", WIRES)
def test_results_that_do_not_fit_the_calls_are_refused(wire: str) -> None:
    with pytest.raises(providers.TurnError, match="which is no call of this turn: its calls are call_1, call_2"):
        providers.answer(response(wire), [ToolResult.ok(call(wire, OTHER), "x")])
    with pytest.raises(providers.TurnError, match="has two results"):
        providers.answer(response(wire), [ToolResult.ok(call(wire), "x"), ToolResult.ok(call(wire), "y")])
    with pytest.raises(providers.TurnError, match="two calls of this turn have the id"):
        providers.answer(response(wire, [SEARCH, SEARCH]), [])


def test_what_is_no_result_answers_nothing() -> None:
    for result in (None, "text", {"text": "text"}):
        with pytest.raises(
            TypeError, match=r"a result is a ToolResult, not (None|a str|a dict): registry.run, awaited"
        ):
            providers.answer(response("anthropic"), [result])  # type: ignore[list-item]
        with pytest.raises(TypeError, match=r"a result is a ToolResult, not (None|a str|a dict): registry.run"):
            providers.result(result, "anthropic")  # type: ignore[arg-type]
    one = ToolResult.ok(call("anthropic"), "text")
    for results in (None, one, "text", {"call_1": one}):
        with pytest.raises(TypeError, match=r"the results of a turn are a list of ToolResults, not (None|a \w+): "):
            providers.answer(response("anthropic"), results)  # type: ignore[arg-type]
    for messages in (None, "text", {"role": "user"}):
        with pytest.raises(TypeError, match=r"a conversation is a list of messages, not (None|a \w+)"):
            providers.check_turns(messages, "anthropic")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the call of a does not tell its provider: give provider="):
        providers.result(ToolResult.ok(ToolCall("1", "a"), "text"))


@pytest.mark.parametrize("wire", WIRES)
def test_a_turn_without_calls_is_answered_by_nothing(wire: str) -> None:
    assert results_of(wire, providers.answer(response(wire, []), [], wire)) == []


SILENT: list[tuple[str, Any]] = [
    ("anthropic", {"type": "message", "role": "assistant", "content": [], "stop_reason": "end_turn"}),
    ("openai_chat", {"choices": [{"index": 0, "message": {"role": "assistant", "content": None}}]}),
    ("openai_chat", {"choices": [{"index": 0, "message": {"role": "assistant", "content": "", "tool_calls": []}}]}),
    ("openai_responses", {"object": "response", "output": []}),
    ("gemini", {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}),
    ("gemini", {"candidates": [{"content": {"role": "model"}, "finishReason": "SAFETY"}]}),
    ("gemini", {"promptFeedback": {"blockReason": "SAFETY"}}),
    ("bedrock", {"output": {"message": {"role": "assistant", "content": []}}, "stopReason": "guardrail_intervened"}),
]


@pytest.mark.parametrize(("wire", "turn"), SILENT)
def test_a_turn_in_which_the_model_said_nothing_is_left_out(wire: str, turn: Any) -> None:
    assert providers.calls(turn) == []
    assert providers.answer(turn, []) == []
    providers.check_turns(providers.answer(turn, []), wire)


def test_what_becomes_of_calls_without_results_is_one_of_two_words() -> None:
    with pytest.raises(ValueError, match="neither"):
        providers.answer(response("anthropic"), [], missing="ignore")  # type: ignore[arg-type]


@pytest.mark.parametrize("wire", [wire for wire in WIRES if wire != "mcp"])
def test_a_whole_conversation_is_held_to_the_providers_rules(wire: str) -> None:
    first = providers.answer(response(wire, [SEARCH]), [ToolResult.ok(call(wire), "x")])
    second = providers.answer(response(wire, [OTHER]), [ToolResult.ok(call(wire, OTHER), "y")])
    asked: dict[str, Any] = {"role": "user", "content": "Hello", "parts": []}
    if wire in ("anthropic", "bedrock"):
        asked["content"] = [{"type": "text", "text": "Hello"}]
    providers.check_turns([asked, *first, *second, asked], wire)
    both = providers.answer(response(wire), [])
    providers.check_turns([asked, *both], wire)

    def refused(messages: list[Any], words: str) -> None:
        with pytest.raises(providers.TurnError, match=words):
            providers.check_turns(messages, wire)

    refused([*first[:-1]], "has no result")
    refused([*first[:-1], asked, first[-1]], "has no result")
    refused([first[-1], *first[:-1]], "before its call")
    refused([*first, first[-1]], "has two results")
    refused([*first[:-1], second[-1]], "answers no call")
    refused([*first, *second[:-1], *first], "has no result|has two results|have the id")


OWN_ITEMS: list[Any] = [
    *(
        {"type": kind, "id": "i"}
        for kind in (
            *("reasoning", "compaction", "item_reference", "web_search_call", "file_search_call"),
            *("code_interpreter_call", "image_generation_call", "computer_call", "computer_call_output"),
            *("local_shell_call", "local_shell_call_output", "mcp_call", "mcp_list_tools", "mcp_approval_request"),
        )
    ),
    {"role": "assistant", "content": "Let me look."},
    {"type": "message", "role": "assistant", "content": []},
]


@pytest.mark.parametrize("item", OWN_ITEMS, ids=lambda item: item.get("type", "assistant"))
def test_every_item_of_the_models_own_may_follow_a_call_of_responses(item: Any) -> None:
    turn = response("openai_responses", [SEARCH])
    turn["output"].append(item)
    messages = providers.answer(turn, [ToolResult.ok(call("openai_responses"), "x")])
    assert messages[-2] == item
    asked = {"role": "user", "content": "Hello"}
    providers.check_turns([asked, *messages, asked], "openai_responses")
    for role in ("user", "system", "developer"):
        for said in ({"role": role, "content": "Hello"}, {"type": "message", "role": role, "content": []}):
            with pytest.raises(providers.TurnError, match="'call_1' of search_tickets has no result"):
                providers.check_turns([*messages[:-1], said, messages[-1]], "openai_responses")
    with pytest.raises(providers.TurnError, match="'call_1' of search_tickets has no result"):
        providers.check_turns(messages[:-1], "openai_responses")


def test_the_results_in_a_message_to_anthropic_come_before_all_else() -> None:
    said = {"type": "text", "text": "Go on."}
    turn, answered = providers.answer(response("anthropic"), [])
    first, second = answered["content"]
    for content in ([first, second], [first, second, said], [first, second, said, said]):
        providers.check_turns([turn, {"role": "user", "content": content}], "anthropic")
    for content, late in (([said, first, second], "call_1"), ([first, said, second], "call_2")):
        with pytest.raises(providers.TurnError, match=f"'{late}' stands behind something else in its message"):
            providers.check_turns([turn, {"role": "user", "content": content}], "anthropic")
        sdk = [SimpleNamespace(**block) for block in content]
        with pytest.raises(providers.TurnError, match="results come first"):
            providers.check_turns([turn, SimpleNamespace(role="user", content=sdk)], "anthropic")


@pytest.mark.parametrize("wire", ["anthropic", "gemini", "bedrock"])
def test_all_results_of_a_turn_stand_in_the_message_after_it(wire: str) -> None:
    turn, answered = providers.answer(response(wire), [])
    key = "parts" if wire == "gemini" else "content"
    apart = [{**answered, key: [result]} for result in answered[key]]
    with pytest.raises(
        providers.TurnError, match=r"'call_2' of list_products has no result .* the one message after it"
    ):
        providers.check_turns([turn, *apart], wire)


@pytest.mark.parametrize("wire", ["anthropic", "bedrock"])
def test_a_result_is_a_users_to_give(wire: str) -> None:
    turn, answered = providers.answer(response(wire), [])
    with pytest.raises(providers.TurnError, match="has no result"):
        providers.check_turns([turn, {**answered, "role": "assistant"}], wire)


def test_gemini_calls_without_ids_are_answered_by_name_and_place() -> None:
    turn = response("gemini", [("", "a", {}), ("", "b", {})])
    calls = providers.calls(turn)
    messages = providers.answer(turn, [ToolResult.ok(calls[1], "two"), ToolResult.ok(calls[0], "one")])
    told = [part["functionResponse"] for part in messages[-1]["parts"]]
    assert told == [{"name": "a", "response": {"output": "one"}}, {"name": "b", "response": {"output": "two"}}]
    providers.check_turns(messages, "gemini")
    assert gemini.results_in(messages[0]) == []


@pytest.mark.parametrize("gone", ["", None, ...])
def test_chat_calls_without_ids_are_answered_under_ones_that_are_made_and_stay(gone: Any) -> None:
    turn = with_custom("openai_chat")
    made = turn["choices"][0]["message"]["tool_calls"]
    made.append({**made[0]})
    for call_ in made[1:]:
        call_.update(id=gone)
        if gone is ...:
            del call_["id"]
    before = copy.deepcopy(turn)
    calls = providers.calls(turn)
    assert [call.id for call in calls] == [call.id for call in providers.calls(turn)]
    messages = providers.answer(turn, [ToolResult.ok(call, f"of {index}") for index, call in enumerate(calls)])
    assert turn == before
    assert [told["id"] for told in messages[0]["tool_calls"]] == [told["tool_call_id"] for told in messages[1:]]
    assert len({told["tool_call_id"] for told in messages[1:]}) == 4
    assert [read.text for read in results_of("openai_chat", messages) if not read.is_error] == ["of 0", "of 1", "of 2"]
    assert messages[0] == {**before["choices"][0]["message"], "tool_calls": messages[0]["tool_calls"]}
    assert providers.calls(messages[0], "openai_chat") == calls
    providers.check_turns([*messages, *messages], "openai_chat")


def test_an_assistants_message_by_itself_is_a_turn() -> None:
    message = {"role": "assistant", "content": response("anthropic")["content"]}
    assert providers.answer(message, [], "anthropic")[0] is message
