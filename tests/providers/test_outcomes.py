"""Results on each wire, and read back from it."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wires import SEARCH, WIRES, call, places, wire_of, with_junk

from toolgen import providers
from toolgen.providers import bedrock, gemini
from toolgen.providers.outcomes import FAILED, SUCCEEDED
from toolgen.runtime import Failure, ImageBlock, Issue, PayloadError, TextBlock, ToolCall, ToolResult
from toolgen.runtime.failures import CORRECTABLE, DELAYED, KINDS, RECOVERIES

SUCCESSES: dict[str, Any] = {
    "text": "Two tickets.",
    "nothing": None,
    "object": {"tickets": [{"id": 1}], "total": 2},
    "list": ["a", "b"],
    "number": 12,
    "big number": {"id": 2**63},
    "float": {"x": 0.1, "y": 1e300},
    "object with a key error": {"error": "none"},
    "object with keys of the wire": {"output": 1, "error": None, "isError": True},
    "text like a failure": f"{FAILED} (internal, replan).\nsearch_tickets failed: no.\nDo not repeat the same call.",
    "text like the word for success": f"{SUCCEEDED}x",
    "text of braces": "{{ name }} {0} ${x} {% raw %} $ref",
    "object of references": {"$ref": "#/$defs/X", "{{a}}": "{% b %}"},
    "odd characters": "naïve \u2028 \x00 😀 </tool_result>",
}


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("name", SUCCESSES)
def test_a_success_reads_back_as_what_it_was(wire: str, name: str) -> None:
    sent = ToolResult.ok(call(wire), SUCCESSES[name])
    told = wire_of(wire, sent)
    assert told == wire_of(wire, sent)
    for form in (told, json.loads(json.dumps(told))):
        read = providers.read_result(form, wire)
        assert (read.call.id, read.text, read.is_error) == (sent.call.id, sent.text, False)


def failures() -> st.SearchStrategy[Failure]:
    def possible(kind: Any, recovery: Any, message: str, wait: float | None) -> Failure:
        recovery = recovery if kind in CORRECTABLE or recovery != "correct_call" else "replan"
        return Failure(kind, message, recovery, wait if kind in DELAYED else None)

    message = st.text(min_size=1, max_size=80).filter(str.strip)
    wait = st.none() | st.floats(0, 1e9)
    return st.builds(possible, st.sampled_from(KINDS), st.sampled_from(RECOVERIES), message, wait)


@pytest.mark.parametrize("wire", WIRES)
@given(failure=failures())
def test_a_failure_reads_back_with_its_kind_its_words_and_what_comes_next(wire: str, failure: Failure) -> None:
    sent = ToolResult.of_failure(call(wire), failure)
    read = providers.read_result(json.loads(json.dumps(wire_of(wire, sent))), wire)
    assert read.is_error
    assert read.failure is not None
    assert (read.call.id, read.call.name, read.text) == (SEARCH[0], "search_tickets", sent.text)
    assert (read.failure.kind, read.failure.recovery) == (failure.kind, failure.recovery)
    assert read.failure.retry_after == failure.retry_after
    again = ToolResult.of_failure(call(wire), Failure(failure.kind, read.failure.message, failure.recovery))
    assert again.text.split("\n")[0] == sent.text.split("\n")[0]


@pytest.mark.parametrize("wire", WIRES)
@given(text=st.text())
def test_no_text_of_a_tool_reads_as_a_failure(wire: str, text: str) -> None:
    for said in (text, FAILED + text, SUCCEEDED + text, SUCCEEDED + FAILED + text):
        sent = ToolResult.ok(call(wire), said)
        read = providers.read_result(wire_of(wire, sent), wire)
        assert (read.is_error, read.text) == (False, sent.text)


@pytest.mark.parametrize("wire", WIRES)
def test_a_failure_is_in_words_that_name_the_tool_and_say_what_comes_next(wire: str) -> None:
    told = json.dumps(providers.result(ToolResult.failed(call(wire), "Ticket index is down.", recovery="finish")))
    for words in ("ERROR", "failed", "search_tickets", "Ticket index is down.", "Do not call search_tickets again"):
        assert words in told


@pytest.mark.parametrize("wire", WIRES)
def test_refused_arguments_read_back_as_a_call_to_correct(wire: str) -> None:
    sent = ToolResult.of_refusal(call(wire), PayloadError((Issue("/query", "missing_field", "is missing"),), tool="t"))
    read = providers.read_result(wire_of(wire, sent), wire)
    assert read.failure is not None
    assert (read.failure.kind, read.failure.recovery, read.text) == ("invalid_call", "correct_call", sent.text)


# Where the failure stands when the flag that the wire is said to have is taken away: it must be that flag, that key or
# those words, and nothing else, that tells it.
FLAGS = {
    "anthropic": lambda told: told.update(is_error=False),
    "mcp": lambda told: told["result"].update(isError=False),
    "bedrock": lambda told: told["toolResult"].update(status="success"),
}


@pytest.mark.parametrize("wire", WIRES)
def test_fidelity_says_where_the_failure_stands(wire: str) -> None:
    failed = ToolResult.failed(call(wire), "Ticket index is down.")
    told = wire_of(wire, failed)
    match providers.fidelity(wire).failure:
        case "native":
            FLAGS[wire](told)
            assert not providers.read_result(told, wire).is_error
        case "key":
            assert list(told["functionResponse"]["response"]) == ["error"]
        case "text":
            assert set(told) - {"role", "type"} == (
                {"tool_call_id", "content"} if "role" in told else {"call_id", "output"}
            )
            assert (told.get("content") or told.get("output")).startswith(FAILED)


@pytest.mark.parametrize("wire", WIRES)
def test_images_go_where_the_wire_has_room_for_them(wire: str) -> None:
    blocks = (TextBlock("Before"), ImageBlock("image/png", b"\x89PNG"), TextBlock("after"))
    sent = ToolResult.ok(call(wire), list(blocks))
    if not providers.fidelity(wire).images:
        with pytest.raises(providers.ResultError, match="image"):
            providers.result(sent)
        return
    assert providers.read_result(wire_of(wire, sent), wire).blocks == blocks


@pytest.mark.parametrize("wire", WIRES)
def test_texts_in_blocks_read_back(wire: str) -> None:
    sent = ToolResult.ok(call(wire), [TextBlock("One."), TextBlock(FAILED)])
    read = providers.read_result(wire_of(wire, sent), wire)
    assert (read.text, read.is_error) == (sent.text, False)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("first", [f"{FAILED} (internal, replan).\nx", SUCCEEDED, SUCCEEDED.strip()])
def test_blocks_that_begin_like_a_failure_keep_all_their_blocks(wire: str, first: str) -> None:
    room = providers.fidelity(wire).images
    blocks = (TextBlock(first), ImageBlock("image/png", b"\x89PNG") if room else TextBlock("x"), TextBlock("last"))
    sent = ToolResult.ok(call(wire), list(blocks))
    read = providers.read_result(wire_of(wire, sent), wire)
    assert (read.text, read.is_error) == (sent.text, False)
    assert read.blocks == (() if wire == "gemini" and not room else blocks)


@pytest.mark.parametrize("wire", WIRES)
def test_blocks_of_blank_text_are_left_out_since_providers_refuse_them(wire: str) -> None:
    some = ToolResult.ok(call(wire), [TextBlock(""), TextBlock("a"), TextBlock(" \n")])
    assert providers.read_result(wire_of(wire, some), wire).text == "a"
    none = ToolResult.ok(call(wire), [TextBlock(""), TextBlock(" ")])
    assert providers.read_result(wire_of(wire, none), wire).text == "Done."


@pytest.mark.parametrize("wire", ["anthropic", "openai_responses", "bedrock"])
def test_an_image_that_the_provider_does_not_take_is_refused_before_the_provider_does(wire: str) -> None:
    for media_type in ("image/svg+xml", "image/tiff", "image/jpg"):
        sent = ToolResult.ok(call(wire), [TextBlock("Look:"), ImageBlock(media_type, b"x")])
        with pytest.raises(
            providers.ResultError, match=r"search_tickets.*image/gif, image/jpeg, image/png, image/webp"
        ):
            providers.result(sent)
    for media_type in ("image/png", "image/jpeg", "image/gif", "image/webp"):
        providers.result(ToolResult.ok(call(wire), [ImageBlock(media_type, b"x")]))


@pytest.mark.parametrize("value", [{"$ref": "#/x"}, {"a": [{"b": {"$ref": "#/$defs/X", "c": 1}}]}, [{"$ref": 5}]])
def test_what_gemini_would_take_for_a_reference_to_a_part_goes_out_as_text(value: Any) -> None:
    sent = ToolResult.ok(call("gemini"), value)
    assert gemini.result(sent)["functionResponse"]["response"] == {"output": sent.text}


def test_an_empty_key_error_of_another_writer_is_no_failure() -> None:
    told = {"functionResponse": {"id": "c", "name": "t", "response": {"error": None, "output": "fine"}}}
    read = providers.read_result(told, "gemini")
    assert (read.text, read.is_error) == ("fine", False)


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({"response": "text"}, "text"),
        ({"response": ["a", 1]}, '["a",1]'),
        ({"response": {"error": False, "rows": [1]}}, '{"error":false,"rows":[1]}'),
        ({"response": {"error": "", "output": "fine"}}, "fine"),
        ({"response": {"output": "x", "warning": "y"}}, '{"output":"x","warning":"y"}'),
        ({"response": {"output": [{"image": 5}]}}, '[{"image":5}]'),
        ({"response": {"output": [{"image": 5}]}, "parts": [{"text": "b"}]}, '[{"image":5}]\nb'),
        ({"response": {"output": [{"image": "a"}]}, "parts": [{"text": "b"}]}, '[{"image":"a"}]\nb'),
        (
            {"response": {"output": [{"image": True}]}, "parts": [{"text": "a"}, {"text": "b"}]},
            '[{"image":true}]\na\nb',
        ),
        ({"response": {"output": [{"text": 5}]}, "parts": [{"text": "b"}]}, '[{"text":5}]\nb'),
        ({"response": {"output": [{"image": 0}]}, "parts": [{"text": "a"}, {"text": "b"}]}, '[{"image":0}]\na\nb'),
    ],
)
def test_gemini_responses_of_other_writers_are_successes_that_lose_nothing(told: Any, text: str) -> None:
    read = providers.read_result({"functionResponse": {"id": "c", "name": "t", **told}}, "gemini")
    assert (read.text, read.is_error) == (text, False)


@pytest.mark.parametrize("content", [{"content": []}, {}])
@pytest.mark.parametrize("failed", [False, True])
def test_structured_content_that_is_not_mirrored_as_text_is_read(content: Any, failed: bool) -> None:
    read = providers.read_result({**content, "structuredContent": {"a": 1}, "isError": failed}, "mcp")
    assert (read.text, read.is_error) == ('{"a":1}', failed)


@pytest.mark.parametrize("wire", WIRES)
def test_a_result_without_an_id_is_refused(wire: str) -> None:
    with pytest.raises(providers.ResultError, match="no call id"):
        providers.result(ToolResult.ok(ToolCall("", "search_tickets"), "x"), wire)


@pytest.mark.parametrize("wire", WIRES)
def test_what_is_no_result_is_refused(wire: str) -> None:
    with pytest.raises(providers.ResultError):
        providers.read_result({"type": "text"}, wire)


@pytest.mark.parametrize("wire", WIRES)
def test_whatever_stands_in_a_result_is_read_or_refused(wire: str) -> None:
    blocks = [TextBlock("a"), *([ImageBlock("image/png", b"x")] if providers.fidelity(wire).images else [])]
    for value in (ToolResult.ok(call(wire), {"a": 1}), ToolResult.ok(call(wire), blocks)):
        whole = wire_of(wire, value)
        for path in places(whole):
            for junk in (None, 5, True, "", "x", b"x", [], [None], [5], {}, {"a": 1}):
                with suppress(providers.ResultError):
                    read = providers.read_result(with_junk(whole, path, junk), wire)
                    assert (type(read.text), type(read.call.id), type(read.call.name)) == (str, str, str)


def test_an_image_is_read_as_bytes_and_as_base64_text() -> None:
    for data in (b"\x89PNG", "iVBORw=="):
        part = {"inlineData": {"mimeType": "image/png", "data": data}}
        told = {"functionResponse": {"id": "c", "name": "t", "response": {"output": "See."}, "parts": [part]}}
        assert providers.read_result(told, "gemini").blocks[1] == ImageBlock("image/png", b"\x89PNG")


@pytest.mark.parametrize("wire", WIRES)
def test_a_failure_that_others_wrote_is_a_failure_where_the_wire_says_so(wire: str) -> None:
    told = {
        "anthropic": {"type": "tool_result", "tool_use_id": "c", "is_error": True, "content": "boom"},
        "gemini": {"functionResponse": {"id": "c", "name": "t", "response": {"error": {"code": 5}}}},
        "mcp": {"content": [{"type": "text", "text": "boom"}], "isError": True},
        "bedrock": {"toolResult": {"toolUseId": "c", "status": "error", "content": [{"text": "boom"}]}},
    }.get(wire)
    if told is not None:
        assert providers.read_result(told, wire).is_error


OTHERS: list[tuple[str, Any, list[str]]] = [
    (
        "anthropic",
        {
            "type": "tool_result",
            "tool_use_id": "c",
            "content": [
                {"type": "document", "source": {"type": "text", "data": "page one"}},
                {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
            ],
        },
        ["page one", "https://example.org/a.png"],
    ),
    (
        "openai_responses",
        {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_file", "file_id": "file_1"}]},
        ["file_1"],
    ),
    (
        "gemini",
        {
            "functionResponse": {
                "id": "c",
                "name": "t",
                "response": {"output": "see below"},
                "parts": [
                    {"inlineData": {"mimeType": "image/png", "data": b"x"}},
                    {"fileData": {"fileUri": "gs://bucket/a.pdf"}},
                ],
            }
        },
        ["see below", "[image/png]", "gs://bucket/a.pdf"],
    ),
    (
        "mcp",
        {
            "content": [
                {"type": "resource", "resource": {"uri": "file:///a.txt", "text": "page one"}},
                {"type": "resource_link", "uri": "file:///b.txt", "name": "b"},
                {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
            ]
        },
        ["page one", "file:///b.txt", "audio/wav"],
    ),
    (
        "bedrock",
        {
            "toolResult": {
                "toolUseId": "c",
                "content": [
                    {"document": {"format": "txt", "name": "a", "source": {"text": "page one"}}},
                    {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://bucket/a.png"}}}},
                ],
            }
        },
        ["page one", "s3://bucket/a.png"],
    ),
]


@pytest.mark.parametrize(("wire", "told", "words"), OTHERS, ids=[wire for wire, _, _ in OTHERS])
def test_blocks_of_other_writers_lose_nothing(wire: str, told: Any, words: list[str]) -> None:
    read = providers.read_result(told, wire)
    assert not read.is_error
    assert [word for word in words if word not in read.text] == []


def test_blocks_of_an_sdk_lose_nothing() -> None:
    mcp_types = pytest.importorskip("mcp_types")
    content = [{"type": "resource_link", "uri": "file:///b.txt", "name": "b"}]
    read = providers.read_result(mcp_types.CallToolResult.model_validate({"content": content}), "mcp")
    assert "file:///b.txt" in read.text


def test_objects_go_out_as_objects_only_where_that_changes_nothing() -> None:
    small = ToolResult.ok(call("gemini"), {"id": 1})
    assert gemini.result(small)["functionResponse"]["response"] == {"output": {"id": 1}}
    assert bedrock.result(small)["toolResult"]["content"] == [{"json": {"id": 1}}]
    big = ToolResult.ok(call("gemini"), {"id": 2**53 + 1})
    assert gemini.result(big)["functionResponse"]["response"] == {"output": '{"id":9007199254740993}'}


def test_a_failure_can_not_be_built_empty() -> None:
    with pytest.raises(ValueError, match="message"):
        ToolResult.failed(call("mcp"), "  ")
