"""Streamed turns."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from wires import LIST, SEARCH, STREAMED, events, places, with_junk

from generated.support import TOOLSET, list_products
from toolgen import providers
from toolgen.runtime import PayloadError, ToolCall


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
def test_streamed_calls_are_read_by_what_the_model_was_told(wire: str) -> None:
    stream = fed(wire, events(wire))
    for told in (providers.definitions(TOOLSET, wire, strict=True), providers.definitions(TOOLSET, wire), [], None):
        streamed = stream.calls(tools=told)
        whole = providers.calls(stream.response(), wire, tools=told)
        assert [(c.id, c.name, c.told) for c in streamed] == [(c.id, c.name, c.told) for c in whole]
        assert [arguments(c) for c in streamed] == [arguments(c) for c in whole]
    other = next(name for name in STREAMED if name != wire)
    with pytest.raises(ValueError, match=f"the tools were told to {other}, and the response is of {wire}"):
        stream.calls(tools=providers.definitions(TOOLSET, other))
    with pytest.raises(TypeError, match="give what definitions"):
        stream.calls(tools=TOOLSET)


def arguments(call: ToolCall) -> object:
    return json.loads(call.arguments) if isinstance(call.arguments, str) else call.arguments


@pytest.mark.parametrize("wire", STREAMED)
def test_a_stream_that_is_cut_anywhere_is_told_from_a_whole_one(wire: str) -> None:
    whole = events(wire)
    # What follows Bedrock's messageStop is no part of the turn.
    end = len(whole) - (1 if wire == "bedrock" else 0)
    assert [fails(fed(wire, whole[:index])) for index in range(end)] == [True] * end
    assert not fails(fed(wire, whole[:end]))


@pytest.mark.parametrize(
    ("wire", "reason"), [("openai_chat", ""), ("gemini", ""), ("gemini", "FINISH_REASON_UNSPECIFIED")]
)
def test_a_reason_to_stop_that_says_nothing_ends_no_stream(wire: str, reason: str) -> None:
    *given, last = events(wire)
    for event in given:
        [choice] = event.get("choices") or event["candidates"]
        choice["finish_reason" if wire == "openai_chat" else "finishReason"] = reason
    assert fails(fed(wire, given))
    assert not fails(fed(wire, [*given, last, given[0]]))


@pytest.mark.parametrize(
    ("wire", "kind", "whole"),
    [
        ("anthropic", "message_start", True),
        ("anthropic", "content_block_start", False),
        ("bedrock", "messageStart", True),
        ("bedrock", "contentBlockStart", False),
        ("openai_responses", "response.output_item.added", False),
    ],
)
def test_a_stream_whose_beginning_was_lost_runs_nothing_that_lacks_its_own(wire: str, kind: str, whole: bool) -> None:
    stream = fed(wire, [event for event in events(wire) if event.get("type", next(iter(event))) != kind])
    assert fails(stream) is not whole
    if whole:
        assert [call.id for call in stream.calls()] == [SEARCH[0], LIST[0]]


@pytest.mark.parametrize("text", ["", " \n"])
def test_arguments_of_which_nothing_is_streamed_stay_as_their_block_began(text: str) -> None:
    given = events("anthropic", [SEARCH], [text])
    given[1]["content_block"]["input"] = SEARCH[2]
    given.insert(2, {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta"}})
    stream = fed("anthropic", given)
    for [call] in (stream.calls(), providers.calls(stream.response())):
        assert call.arguments == SEARCH[2]


@pytest.mark.parametrize("delta", [{"type": "text_delta", "text": "Hm"}, {"type": "thinking_delta", "thinking": "Hm"}])
def test_words_whose_beginning_was_lost_leave_the_calls_beside_them_whole(delta: Any) -> None:
    start, *rest = events("anthropic")
    stream = fed("anthropic", [start, {"type": "content_block_delta", "index": 7, "delta": delta}, *rest])
    assert [call.id for call in stream.calls()] == [SEARCH[0], LIST[0]]
    assert [block["type"] for block in stream.response()["content"]] == ["tool_use", "tool_use"]


def test_a_turn_that_was_cut_is_known_without_the_beginning_of_its_stream() -> None:
    given = events("anthropic")[1:]
    for event in given:
        if event["type"] == "message_delta":
            event["delta"]["stop_reason"] = "max_tokens"
    stream = fed("anthropic", given)
    assert stream.response()["stop_reason"] == "max_tokens"
    with pytest.raises(PayloadError, match="truncated_json"):
        list_products.MODEL.decode(stream.calls()[-1].arguments)


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


OTHER_EVENTS: dict[str, list[Any]] = {
    "anthropic": [
        {"type": "content_block_start", "index": 7, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 7, "delta": {"type": "text_delta", "text": "h"}},
        {"type": "content_block_delta", "index": 7, "delta": {"type": "citations_delta", "citation": {}}},
    ],
    "openai_chat": [],
    "openai_responses": [
        {"type": "response.function_call_arguments.done", "output_index": 0, "arguments": "{}"},
        {
            "type": "response.output_item.done",
            "output_index": 0,
            "item": {"type": "function_call", "call_id": SEARCH[0]},
        },
    ],
    "gemini": [
        {"candidates": [{"content": {"parts": [{"functionCall": call}]}}]}
        for call in (
            {"id": "c", "name": "f", "willContinue": True},
            {"partialArgs": [{"jsonPath": "$.q", "stringValue": "x", "willContinue": True}], "willContinue": True},
            {"args": {"p": 1}, "partialArgs": [{"jsonPath": "$.n[0]", "numberValue": 1}]},
        )
    ],
    "bedrock": [
        {"contentBlockDelta": {"contentBlockIndex": 7, "delta": delta}}
        for delta in (
            {"reasoningContent": {"text": "h", "signature": "s"}},
            {"reasoningContent": {"redactedContent": b"h"}},
            {"text": "h"},
        )
    ],
}
"""Events of other kinds, each with its index in its place of the stream."""


@pytest.mark.parametrize("wire", STREAMED)
def test_whatever_stands_in_an_event_is_taken_or_is_why_the_stream_is_cut(wire: str) -> None:
    first, *rest = events(wire, [SEARCH], ["{}"])
    whole = [first, *OTHER_EVENTS[wire], *rest]
    assert not fails(fed(wire, whole))
    for path in places(whole):
        for junk in (None, 5, "x", b"x", [5], {"a": 1}) if path else ():
            stream = fed(wire, with_junk(whole, path, junk))
            with suppress(providers.CutStreamError):
                for call in (*stream.calls(), *providers.calls(stream.response(), wire)):
                    assert (type(call.id), type(call.name)) == (str, str)


@pytest.mark.parametrize(
    ("wire", "path", "junk", "words"),
    [
        ("anthropic", (2, "delta", "partial_json"), 5, "partial_json in an event is integer, and not text"),
        ("anthropic", (2, "delta"), "x", "delta in an event is string, and not an object"),
        ("anthropic", (1, "index"), "0", "index in an event is string, and not a whole number"),
        ("openai_responses", (1, "delta"), {}, "delta in an event is object, and not text"),
        ("openai_responses", (0, "item"), None, "a piece of arguments does not tell its call"),
        ("bedrock", (2, "contentBlockDelta", "delta", "toolUse", "input"), b"{", "input in an event is bytes, and not"),
        (
            "bedrock",
            (1, "contentBlockStart", "start", "toolUse"),
            [],
            "toolUse in an event is array, and not an object",
        ),
    ],
)
def test_an_event_of_another_form_is_why_a_stream_is_cut(wire: str, path: Any, junk: Any, words: str) -> None:
    given = with_junk(events(wire, [SEARCH]), path, junk)
    if wire == "openai_responses":
        given[1].pop("output_index")
    with pytest.raises(providers.CutStreamError, match=words):
        fed(wire, given).calls()


@pytest.mark.parametrize("wire", ["anthropic", "bedrock", "openai_responses"])
def test_two_calls_at_one_index_are_no_call_where_one_would_be_lost(wire: str) -> None:
    text = json.dumps(events(wire)).replace('ndex": 1', 'ndex": 0')
    with pytest.raises(providers.CutStreamError, match=r"two (blocks|items) began at the index 0"):
        fed(wire, json.loads(text)).calls()


@pytest.mark.parametrize("gone", ["call_id", "id"])
def test_a_responses_item_may_get_its_ids_when_it_is_done(gone: str) -> None:
    begun = {key: value for key, value in BEGUN.items() if key != gone}
    done = {"type": "response.output_item.done", "output_index": 0, "item": {**TOLD, "id": "fc_0"}}
    stream = fed("openai_responses", responses_events(done, told=[], added=[begun]))
    assert [(call.id, call.arguments) for call in stream.calls()] == [("c", '{"x":1}')]
    for other in ({"id": "fc_9"} if gone == "call_id" else {"call_id": "d"}, {"type": "message"}):
        replaced = {**done, "item": {**done["item"], **other}}
        with pytest.raises(providers.CutStreamError, match="two items began at the index 0"):
            fed("openai_responses", responses_events(replaced, told=[], added=[begun])).calls()


def without_index(given: list[Any]) -> list[Any]:
    return [{key: value for key, value in event.items() if key != "output_index"} for event in given]


def test_responses_events_without_an_index_are_placed_by_the_ids_of_their_items() -> None:
    given = without_index(events("openai_responses"))
    first, second = [event for event in given if "item" in event]
    deltas = [event for event in given if "delta" in event]
    for order in (given, [first, second, *deltas, given[-1]], [first, second, *deltas[::-1], given[-1]]):
        if order[2] is not deltas[-1]:
            calls = fed("openai_responses", order).calls()
            assert [(call.id, json.loads(str(call.arguments))) for call in calls] == [
                (SEARCH[0], SEARCH[2]),
                ("call_2", {}),
            ]
    done = [
        {"type": "response.output_item.done", "item": {**event["item"], "arguments": "{}"}} for event in (second, first)
    ]
    calls = fed("openai_responses", [first, second, *done, given[-1]]).calls()
    assert [(call.id, call.arguments) for call in calls] == [(SEARCH[0], "{}"), (LIST[0], "{}")]


def test_a_piece_that_tells_no_call_is_that_of_the_only_one_or_of_none() -> None:
    alone = without_index(responses_events(arguments_delta('{"x":'), arguments_delta("1}"), told=[]))
    assert [call.arguments for call in fed("openai_responses", alone).calls()] == ['{"x":1}']
    two = without_index(responses_events(arguments_delta("{}"), told=[], added=[BEGUN, {**BEGUN, "call_id": "d"}]))
    with pytest.raises(providers.CutStreamError, match="does not tell its call, by output_index or by item_id"):
        fed("openai_responses", two).calls()
    two[-1]["response"]["output"] = [TOLD, {**TOLD, "call_id": "d"}]
    assert [call.id for call in fed("openai_responses", two).calls()] == ["c", "d"]


@pytest.mark.parametrize("wire", ["anthropic", "bedrock"])
def test_a_streamed_call_without_an_id_is_one_that_nothing_can_answer(wire: str) -> None:
    text = json.dumps(events(wire, [SEARCH])).replace('"id": "call_1", ', "").replace('"toolUseId": "call_1", ', "")
    stream = fed(wire, json.loads(text))
    assert [(call.id, call.name) for call in stream.calls()] == [("", SEARCH[1])]
    with pytest.raises(providers.TurnError, match="has no id"):
        providers.answer(stream.response(), [])


BEGUN = {"type": "function_call", "id": "fc_0", "call_id": "c", "name": "f", "arguments": "", "status": "in_progress"}
TOLD = {**BEGUN, "arguments": '{"x":1}', "status": "completed"}
MESSAGE = {"type": "message", "id": "m", "role": "assistant", "content": [], "status": "completed"}


def responses_events(*more: Any, told: list[Any], added: Any = (BEGUN,), end: str = "completed") -> list[Any]:
    begun = [
        {"type": "response.output_item.added", "output_index": index, "item": item} for index, item in enumerate(added)
    ]
    last = {"object": "response", "status": end, "output": told}
    return [*begun, *more, {"type": f"response.{end}", "response": last}]


def arguments_delta(text: str, index: int = 0) -> Any:
    return {"type": "response.function_call_arguments.delta", "output_index": index, "delta": text}


def arguments_done(text: str) -> Any:
    return {"type": "response.function_call_arguments.done", "output_index": 0, "arguments": text}


@pytest.mark.parametrize(
    "given",
    [
        responses_events(told=[TOLD]),
        responses_events(arguments_delta("{}"), told=[TOLD]),
        responses_events(told=[{**TOLD, "id": "another"}]),
        responses_events(told=[{**TOLD, "status": None}]),
        responses_events(told=[TOLD], added=[BEGUN, MESSAGE]),
        responses_events(arguments_delta('{"x":1}', 1), told=[TOLD]),
        responses_events(arguments_delta('{"x":1}', 1), told=[MESSAGE, TOLD], added=[MESSAGE]),
        responses_events(arguments_delta('{"x":1}'), told=[]),
        responses_events(arguments_delta('{"x":1}'), told=[{**TOLD, "arguments": ""}]),
        responses_events(arguments_done('{"x":1}'), told=[{**TOLD, "arguments": ""}]),
        responses_events(arguments_done('{"x":1}'), told=[{**BEGUN, "status": None}]),
    ],
)
def test_a_responses_call_is_what_the_last_word_on_it_tells(given: list[Any]) -> None:
    stream = fed("openai_responses", given)
    for calls in (stream.calls(), providers.calls(stream.response())):
        assert [(call.id, call.arguments) for call in calls] == [("c", '{"x":1}')]


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        (responses_events(told=[]), False),
        (responses_events(told=[], end="incomplete"), False),
        (responses_events(told=[BEGUN]), False),
        (responses_events(told=[MESSAGE], added=[MESSAGE, BEGUN]), False),
        (responses_events(arguments_delta("{}"), told=[{**BEGUN, "status": "incomplete"}]), False),
        (responses_events(told=[{**TOLD, "arguments": ""}]), True),
        (responses_events(arguments_done(""), told=[]), True),
    ],
)
def test_a_responses_call_of_which_nothing_but_its_beginning_came_is_cut(given: list[Any], whole: bool) -> None:
    stream = fed("openai_responses", given)
    for [call] in (stream.calls(), providers.calls(stream.response())):
        if whole:
            assert call.arguments == ""
        else:
            with pytest.raises(PayloadError, match="truncated_json"):
                list_products.MODEL.decode(call.arguments)


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


def gemini_pieces(*pieces: Any, **more: Any) -> providers.Stream:
    calls = [{"id": "c", "name": "f", "willContinue": True}, {"partialArgs": list(pieces)}]
    parts = [{"functionCall": calls[0]}, {"text": "Hm."}, {"functionCall": calls[1], **more}]
    made: list[Any] = [{"candidates": [{"content": {"parts": [part]}}]} for part in parts]
    return fed("gemini", [*made, {"candidates": [{"content": {"parts": []}, "finishReason": "STOP"}]}])


def test_a_stream_whose_prompt_was_refused_is_whole_and_has_no_calls() -> None:
    refused = {"promptFeedback": {"blockReason": "SAFETY"}}
    stream = fed("gemini", [refused, {"usageMetadata": {"totalTokenCount": 3}}])
    assert stream.calls() == providers.calls(stream.response()) == []
    assert providers.answer(stream.response(), []) == []
    begun = {"candidates": [{"content": {"parts": [{"text": "Hm"}]}}]}
    for given in ([{"promptFeedback": {"safetyRatings": []}}], [refused, begun], []):
        assert fails(fed("gemini", given))


def test_a_signature_that_comes_with_a_later_piece_is_kept() -> None:
    stream = gemini_pieces({"jsonPath": "$.q", "stringValue": "x"}, thoughtSignature="sig")
    [part, _] = stream.response()["candidates"][0]["content"]["parts"]
    assert part == {"functionCall": {"id": "c", "name": "f", "args": {"q": "x"}}, "thoughtSignature": "sig"}


ODD_PATHS = [
    "$.",
    "$.*",
    "$..a",
    "$.a[-1]",
    "$.a[*]",
    "$.a[0:1]",
    "$.a['b','c']",
    "$[?@.a]",
    "$.a]",
    "$.a[0",
    "$['a",
    "$$",
]
ODD_PATHS += ["", "a", "a.b", "x$.a", r"$['\q']", r"$['\ud800']"]


@pytest.mark.parametrize(
    ("path", "args"),
    [
        ("$.a-b", {"a-b": 1}),
        ("$.größe", {"größe": 1}),
        ("$['a.b'][\"c]d\"]", {"a.b": {"c]d": 1}}),
        ("$[ 'a' ][ 0 ]", {"a": [1]}),
        (r"$['it\'s']", {"it's": 1}),
        (r"$['say \"']", {'say "': 1}),
        (r'$["say \"it\'s\""]', {'say "it\'s"': 1}),
        (r"$['a\\b\n\u00e9\ud83d\ude00']", {"a\\b\né😀": 1}),
        ("$['']['0']", {"": {"0": 1}}),
        ("$.$", {"$": 1}),
    ],
)
def test_a_piece_goes_where_its_path_leads(path: str, args: Any) -> None:
    [call] = gemini_pieces({"jsonPath": path, "numberValue": 1}).calls()
    assert call.arguments == args


def test_a_text_keeps_what_came_when_a_piece_of_it_is_empty() -> None:
    path = {"jsonPath": "$.q"}
    begun, empty = {**path, "willContinue": True}, {**path, "stringValue": "vpn", "willContinue": True}
    assert [call.arguments for call in gemini_pieces(begun, empty, begun, path).calls()] == [{"q": "vpn"}]
    assert [call.arguments for call in gemini_pieces(begun, path).calls()] == [{"q": ""}]


def test_a_call_that_begins_before_another_is_whole_is_no_call() -> None:
    parts = [{"functionCall": {"id": name, "name": "f", "willContinue": True}} for name in ("a", "a", "b")]
    end = {"functionCall": {}}
    for given, whole in (([parts[0], parts[1], end], True), ([parts[0], parts[2], end], False)):
        events = [{"candidates": [{"content": {"parts": [part]}}]} for part in given]
        stream = fed("gemini", [*events, {"candidates": [{"finishReason": "STOP"}]}])
        if whole:
            assert [call.id for call in stream.calls()] == ["a"]
        else:
            with pytest.raises(providers.CutStreamError, match="another call began before one was whole"):
                stream.calls()


def test_a_later_piece_of_a_call_may_have_an_empty_name_and_id_and_what_came_already() -> None:
    args = {"q": "x", "n": {"a": [True, 1]}}
    pieces: list[Any] = [{"id": "c", "name": "f", "args": args}, {"id": "", "name": "", "args": args}, {"args": args}]
    number = {"partialArgs": [{"jsonPath": "$.m", "numberValue": 2}, {"jsonPath": "$.b", "boolValue": False}]}

    def streamed(*pieces: Any) -> providers.Stream:
        parts = [{"functionCall": {**piece, "willContinue": piece is not pieces[-1]}} for piece in pieces]
        made: list[Any] = [{"candidates": [{"content": {"parts": [part]}}]} for part in parts]
        return fed("gemini", [*made, {"candidates": [{"finishReason": "STOP"}]}])

    [call] = streamed(*pieces, number, number, {}).calls()
    assert (call.id, call.name, call.arguments) == ("c", "f", {**args, "m": 2, "b": False})
    for other in ({"q": "y"}, {"n": {"a": [1, 1]}}):
        with pytest.raises(providers.CutStreamError, match="an argument came twice"):
            streamed(*pieces, {"args": other}).calls()
    for changed in ({"numberValue": 1}, {"boolValue": True}):
        with pytest.raises(providers.CutStreamError, match="no place at"):
            streamed(*pieces, number, {"partialArgs": [{"jsonPath": "$.b", **changed}]}).calls()


def test_a_text_that_was_whole_and_comes_again_is_one_text() -> None:
    def text(value: str, path: str = "$.q", **more: Any) -> Any:
        return {"jsonPath": path, "stringValue": value, **more}

    cut = {"willContinue": True}
    for pieces, whole in (
        ([text("vpn"), text("vpn")], "vpn"),
        ([text("v", **cut), text("pn"), text("vpn", "$['q']"), text("vpn")], "vpn"),
        ([text("ha", **cut), text("ha")], "haha"),
        ([text("ha", **cut), text("ha", **cut), {"jsonPath": "$.q"}], "haha"),
        ([text("vp"), text("n")], "vpn"),  # of a server that does not say that more will come
        ([text("")] * 2, ""),
    ):
        assert [call.arguments for call in gemini_pieces(*pieces).calls()] == [{"q": whole}]
    null = {"jsonPath": "$.q", "nullValue": "NULL_VALUE"}
    assert [call.arguments for call in gemini_pieces(null, null).calls()] == [{"q": None}]
    assert [call.arguments for call in gemini_pieces(null, {"jsonPath": "$.q"}).calls()] == [{"q": None}]


@pytest.mark.parametrize(
    "pieces",
    [
        [{"jsonPath": "$", "stringValue": "x"}],
        [{"jsonPath": "$.a", "numberValue": 1}, {"jsonPath": "$.a.b", "stringValue": "x"}],
        [{"jsonPath": "$.a", "numberValue": 1}, {"jsonPath": "$.a", "stringValue": "x"}],
        [{"jsonPath": "$.a[0]", "numberValue": 1}, {"jsonPath": "$.a.b", "numberValue": 1}],
        [{"jsonPath": "$.a[999999999]", "numberValue": 1}],
        [{"jsonPath": "$.a.b", "numberValue": 1}, {"jsonPath": "$.a[0]", "numberValue": 1}],
        [{"jsonPath": "$.a[0]", "numberValue": 1}, {"jsonPath": "$.a['0']", "numberValue": 1}],
        [{"jsonPath": "$.a", "stringValue": "x"}, {"jsonPath": "$.a", "numberValue": 1}],
        [{"jsonPath": "$.a", "numberValue": 1}, {"jsonPath": "$.a", "nullValue": "NULL_VALUE"}],
        [{"jsonPath": "$.a.b", "numberValue": 1}, {"jsonPath": "$.a", "numberValue": 1}],
        *([{"jsonPath": path, "numberValue": 1}] for path in ODD_PATHS),
    ],
)
def test_pieces_that_do_not_fit_together_are_no_call(pieces: list[Any]) -> None:
    with pytest.raises(providers.CutStreamError, match="no place at "):
        gemini_pieces(*pieces).calls()


def chunks(*deltas: Any, finish: str = "tool_calls") -> list[Any]:
    made = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    return [*made, {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}]


def piece(arguments: Any, name: str | None = None, **more: Any) -> dict[str, Any]:
    return {"tool_calls": [{**more, "function": {"name": name, "arguments": arguments}}]}


PARALLEL: dict[str, list[Any]] = {
    "an index each": [
        piece("", "f", index=0, id="a"),
        piece("", "g", index=1, id="b"),
        piece('{"x":', index=0),
        piece('{"y":', index=1),
        piece("1}", index=0),
        piece("2}", index=1),
    ],
    "one index for all": [
        piece('{"x":', "f", index=0, id="a"),
        piece("1}", index=0),
        piece('{"y":', "g", index=0, id="b"),
        piece("2}", index=0),
    ],
    "one index for all, whole": [piece('{"x":1}', "f", index=0, id="a"), piece('{"y":2}', "g", index=0, id="b")],
    "no index": [piece('{"x":', "f", id="a"), piece("1}"), piece('{"y":', "g", id="b"), piece("2}")],
    "no index, and the id with each piece": [
        piece('{"x":', "f", id="a"),
        piece('{"y":', "g", id="b"),
        piece("1}", id="a"),
        piece("2}", id="b"),
    ],
    "an index each, and other ids with later pieces": [
        piece('{"x":', "f", index=0, id="a"),
        piece('{"y":', "g", index=1, id="b"),
        piece("1}", index=0, id="c"),
        piece("2}", index=1, id="d"),
    ],
    "the name with each piece": [
        piece('{"x":', "f", index=0, id="a"),
        piece("1}", "f", index=0),
        piece('{"y":', "g", index=1, id="b"),
        piece("2}", "g", index=1),
    ],
    "the name with each piece, and with an empty one at the end": [
        *(piece(text, "f", index=0, id="a") for text in ("", '{"x":', "1}", "")),
        *(piece(text, "g", index=1, id="b") for text in ("", '{"y":', "2}", "")),
    ],
    "the id after the name": [
        piece('{"x":', "f", index=0),
        piece("1}", index=0, id="a"),
        piece('{"y":2}', "g", index=1, id="b"),
    ],
}


@pytest.mark.parametrize("deltas", PARALLEL.values(), ids=PARALLEL)
def test_parallel_calls_of_servers_that_number_them_otherwise_are_told_apart(deltas: list[Any]) -> None:
    found = fed("openai_chat", chunks(*deltas)).calls()
    assert [(call.id, call.name, call.arguments) for call in found] == [("a", "f", '{"x":1}'), ("b", "g", '{"y":2}')]


WHOLE: dict[str, tuple[list[Any], list[tuple[str, str, str]]]] = {
    "one id at two indices": (
        [piece('{"x":', "f", index=0, id="a"), piece('{"y":2}', "g", index=1, id="a"), piece("1}", index=0)],
        [("a", "f", '{"x":1}'), ("a", "g", '{"y":2}')],
    ),
    "one id at two indices, with each piece": (
        [
            piece('{"x":', "f", index=0, id="a"),
            piece('{"x":', "f", index=1, id="a"),
            piece("2}", index=1, id="a"),
            piece("1}", index=0, id="a"),
        ],
        [("a", "f", '{"x":1}'), ("a", "f", '{"x":2}')],
    ),
    "no id and one index": (
        [piece('{"x":1}', "f", index=0, id=""), piece('{"y":2}', "g", index=0, id="")],
        [("", "f", '{"x":1}'), ("", "g", '{"y":2}')],
    ),
    "no id, one index and one name": (
        [piece('{"x":1}', "f", index=0, id=""), piece('{"x":2}', "f", index=0, id="")],
        [("", "f", '{"x":1}'), ("", "f", '{"x":2}')],
    ),
    "no id, one index and one name, apart from the arguments": (
        [
            *(piece(text, "f" if not text else None, index=0) for text in ("", '{"x":', "1}", "", '{"x":', "2}")),
            piece("", "f", index=0),
        ],
        [("", "f", '{"x":1}'), ("", "f", '{"x":2}')],
    ),
    "one id and one index": (
        [piece('{"x":1}', "f", index=0, id="a"), piece('{"x":2}', "f", index=0, id="a")],
        [("a", "f", '{"x":1}'), ("a", "f", '{"x":2}')],
    ),
    "no arguments": (
        [piece("", "f", index=0, id=""), piece("", "g", index=0, id="")],
        [("", "f", ""), ("", "g", "")],
    ),
}


@pytest.mark.parametrize(("deltas", "calls"), WHOLE.values(), ids=WHOLE)
def test_calls_that_have_no_id_of_their_own_are_neither_lost_nor_joined(
    deltas: list[Any], calls: list[tuple[str, str, str]]
) -> None:
    stream = fed("openai_chat", chunks(*deltas))
    found = stream.calls()
    assert [(call.name, call.arguments) for call in found] == [call[1:] for call in calls]
    assert [call["id"] for call in stream.response()["choices"][0]["message"]["tool_calls"]] == [
        call[0] for call in calls
    ]
    assert providers.calls(stream.response()) == found
    if any(identifier for identifier, _, _ in calls):
        with pytest.raises(providers.TurnError, match="two calls of this turn have the id 'a'"):
            providers.answer(stream.response(), [])
    else:
        assert len({call.id for call in found}) == len(calls)
        providers.check_turns(providers.answer(stream.response(), []), "openai_chat")


@pytest.mark.parametrize("given", [{}, {"x": {"y": [1, "é"]}}, [1], 5])
def test_arguments_that_a_server_streams_as_an_object_are_taken(given: Any) -> None:
    [call] = fed("openai_chat", chunks(piece(given, "f", index=0, id="a"), piece("", index=0))).calls()
    assert isinstance(call.arguments, str)
    assert json.loads(call.arguments) == given


def test_what_servers_add_to_a_message_goes_back_to_them() -> None:
    signature = {"google": {"thought_signature": "sig"}}
    deltas = (
        {"role": "assistant", "reasoning_content": "Hm", "reasoning_details": [{"type": "text", "text": "a"}]},
        {"reasoning_content": "m.", "reasoning_details": [{"type": "text", "text": "b"}]},
        piece("{}", "f", index=0, id="a", extra_content=signature),
        {"content": "So", "refusal": None},
        {"content": "."},
    )
    [choice] = fed("openai_chat", chunks(*deltas)).response()["choices"]
    function = {"name": "f", "arguments": "{}"}
    assert choice["message"] == {
        "role": "assistant",
        "content": "So.",
        "reasoning_content": "Hmm.",
        "reasoning_details": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
        "tool_calls": [{"id": "a", "type": "function", "function": function, "extra_content": signature}],
    }


def test_a_streamed_call_of_a_custom_tool_is_no_call_of_a_function() -> None:
    deltas = (
        {"tool_calls": [{"index": 0, "id": "a", "type": "custom", "custom": {"name": "sql", "input": "SEL"}}]},
        {"tool_calls": [{"index": 0, "custom": {"input": "ECT"}}]},
        piece("{}", "f", index=1, id="b", type="function"),
    )
    stream = fed("openai_chat", chunks(*deltas))
    assert [call.name for call in stream.calls()] == ["f"]
    [custom, _] = stream.response()["choices"][0]["message"]["tool_calls"]
    assert custom == {"id": "a", "type": "custom", "custom": {"name": "sql", "input": "SELECT"}}


def test_every_kind_of_block_that_bedrock_streams_is_kept() -> None:
    server = {"toolUseId": "s", "name": "grounding", "type": "server_tool_use"}
    starts: dict[int, Any] = {
        1: {"toolUse": server},
        2: {"toolResult": {"toolUseId": "s", "type": "grounding_result"}},
        3: {"image": {"format": "png"}},
    }
    deltas: list[tuple[int, Any]] = [
        (0, {"text": "Rain"}),
        (0, {"text": "."}),
        (0, {"citation": {"title": "Weather"}}),
        (1, {"toolUse": {"input": "{}"}}),
        (2, {"toolResult": [{"text": "wet"}]}),
        (2, {"toolResult": [{"json": {"mm": 3}}]}),
        (3, {"image": {"source": {"bytes": b"\x89"}}}),
        (3, {"image": {"source": {"bytes": b"PNG"}}}),
    ]
    made = [{"contentBlockStart": {"contentBlockIndex": at, "start": start}} for at, start in starts.items()]
    made += [{"contentBlockDelta": {"contentBlockIndex": at, "delta": delta}} for at, delta in deltas]
    stream = fed("bedrock", [*made, {"messageStop": {"stopReason": "end_turn"}}])
    assert stream.calls() == providers.calls(stream.response()) == []
    assert stream.response()["output"]["message"]["content"] == [
        {"citationsContent": {"content": [{"text": "Rain."}], "citations": [{"title": "Weather"}]}},
        {"toolUse": {**server, "input": {}}},
        {
            "toolResult": {
                "toolUseId": "s",
                "type": "grounding_result",
                "content": [{"text": "wet"}, {"json": {"mm": 3}}],
            }
        },
        {"image": {"format": "png", "source": {"bytes": b"\x89PNG"}}},
    ]


def test_what_a_stream_says_of_its_turn_is_that_of_the_whole_turn() -> None:
    given = events("anthropic")
    given[0]["message"]["usage"] = {"input_tokens": 7, "output_tokens": 1, "cache_read_input_tokens": 3}
    given[-2]["usage"] = {"output_tokens": 9, "input_tokens": None}
    counted = fed("anthropic", given).response()["usage"]
    assert counted == {"input_tokens": 7, "output_tokens": 9, "cache_read_input_tokens": 3}
    more: dict[str, Any] = {"usage": {"totalTokens": 9}, "metrics": {"latencyMs": 1}, "trace": {}}
    fields = {"additionalModelResponseFields": {"a": 1}}
    stop = {"messageStop": {"stopReason": "tool_use", **fields}}
    told = fed("bedrock", [*events("bedrock")[:-2], stop, {"metadata": more}]).response()
    assert {key: told[key] for key in told if key != "output"} == {"stopReason": "tool_use", **fields, **more}


def test_every_kind_of_text_that_anthropic_streams_is_kept() -> None:
    start, *rest = events("anthropic", [])
    block = {"type": "compaction", "content": None}
    deltas = [{"type": "compaction_delta", "content": text} for text in ("So ", "far.")]
    made = [{"type": "content_block_start", "index": 0, "content_block": block}]
    made += [{"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas]
    content = fed("anthropic", [start, *made, *rest]).response()["content"]
    assert content == [{"type": "compaction", "content": "So far."}]


def test_mcp_has_no_streams() -> None:
    with pytest.raises(ValueError, match="come whole"):
        providers.stream("mcp")
