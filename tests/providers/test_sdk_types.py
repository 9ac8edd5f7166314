"""Definitions, calls and results of every provider, held to the types of its SDK, whole requests included."""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.once
for sdk in ("anthropic", "openai", "google.genai", "mcp_types", "botocore"):
    pytest.importorskip(sdk)

import mcp_types  # noqa: E402
from anthropic.types import Message, RawMessageStreamEvent  # noqa: E402
from google.genai import types as genai  # noqa: E402
from openai.types.chat import ChatCompletion, ChatCompletionChunk  # noqa: E402
from openai.types.responses import Response, ResponseStreamEvent  # noqa: E402
from pydantic import TypeAdapter, ValidationError  # noqa: E402
from sdk_types import REVISIONS, check_definition, check_request  # noqa: E402
from wires import LIST, SEARCH, call, events, response  # noqa: E402

from generated import ledger, support  # noqa: E402
from toolgen import providers  # noqa: E402
from toolgen.runtime import ImageBlock, TextBlock, ToolResult, ToolSpec  # noqa: E402

sys.path.insert(0, str(Path(__file__).parents[1] / "testing"))
from schemas_to_try import SCHEMAS  # noqa: E402

EXAMPLES = [*support.TOOLSET.values(), *ledger.TOOLSET.values()]
MODELS = [wire for wire in providers.PROVIDERS if wire != "mcp"]
OBJECTS = {"anthropic": Message, "openai_chat": ChatCompletion, "openai_responses": Response}
EVENTS = {
    "anthropic": RawMessageStreamEvent,
    "openai_chat": ChatCompletionChunk,
    "openai_responses": ResponseStreamEvent,
}
EVENTS["gemini"] = OBJECTS["gemini"] = genai.GenerateContentResponse


def results(wire: str) -> list[ToolResult]:
    return [ToolResult.failed(call(wire), "Ticket index is down."), ToolResult.ok(call(wire, LIST), {"error": ["a"]})]


def as_object(wire: str, given: Any, types: dict[str, Any]) -> Any:
    return TypeAdapter(types[wire]).validate_python(given) if wire in types else given


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("wire", providers.PROVIDERS)
@pytest.mark.parametrize("spec", EXAMPLES, ids=lambda spec: spec.name)
def test_definitions_of_the_example_designs_are_what_the_sdk_types_say(
    spec: ToolSpec[Any, Any, Any], wire: str, strict: bool
) -> None:
    try:
        told = providers.definition(spec, wire, strict=strict)
    except providers.ProjectionError:
        assert strict
        return
    check_definition(wire, told)


@pytest.mark.parametrize("wire", providers.PROVIDERS)
@pytest.mark.parametrize("name", SCHEMAS)
def test_definitions_with_every_keyword_are_what_the_sdk_types_say(name: str, wire: str) -> None:
    facts = providers.Facts(name="do", description="Does it.", schema=SCHEMAS[name])
    for strict in (False, True):
        try:
            check_definition(wire, providers.definition(facts, wire, strict=strict))
        except providers.ProjectionError:
            assert strict


@pytest.mark.parametrize("wire", MODELS)
def test_whole_requests_are_what_the_sdk_types_say(wire: str) -> None:
    for toolset in (support.TOOLSET, ledger.TOOLSET):
        tools = providers.definitions(toolset, wire, strict=False)
        check_request(wire, tools, providers.answer(response(wire), results(wire)))


@pytest.mark.parametrize("wire", MODELS)
def test_images_in_a_request_are_what_the_sdk_types_say(wire: str) -> None:
    if providers.fidelity(wire).images:
        sent = ToolResult.ok(call(wire), [TextBlock("Look:"), ImageBlock("image/png", b"\x89PNG")])
        tools = providers.definitions(support.TOOLSET, wire)
        check_request(wire, tools, providers.answer(response(wire, [SEARCH]), [sent]))


def test_an_mcp_result_is_what_each_revision_says() -> None:
    image = ToolResult.ok(call("mcp"), [ImageBlock("image/png", b"\x89PNG")])
    for outcome in (*results("mcp"), image, ToolResult.ok(call("mcp"), ["a"])):
        told = providers.result(outcome)
        mcp_types.CallToolResult.model_validate(told)
        for revision in REVISIONS:
            revision.CallToolResult.model_validate(told)


@pytest.mark.parametrize("wire", OBJECTS)
def test_calls_are_read_from_the_sdks_own_objects(wire: str) -> None:
    given = as_object(wire, response(wire), OBJECTS)
    found = providers.calls(given)
    assert [(made.id, made.name) for made in found] == [SEARCH[:2], LIST[:2]]
    assert found == providers.calls(response(wire))


@pytest.mark.parametrize("wire", OBJECTS)
def test_a_turn_of_sdk_objects_goes_back_as_it_came(wire: str) -> None:
    messages = providers.answer(as_object(wire, response(wire), OBJECTS), results(wire))
    module = providers.module(wire)
    read = [providers.read_result(told, wire) for message in messages for told in module.results_in(message)]
    assert [outcome.is_error for outcome in read] == [True, False]
    if wire == "gemini":
        assert messages[0].parts[1].thought_signature == base64.b64decode("c2lnbmF0dXJl")


@pytest.mark.parametrize("wire", EVENTS)
def test_streams_of_sdk_objects_are_put_together(wire: str) -> None:
    stream = providers.stream(wire)
    for event in events(wire):
        kind = event.get("type")
        if kind == "response.completed":
            event = {**event, "sequence_number": 0, "response": response(wire, [])}
            event["response"]["output"] = []
        elif wire == "openai_responses":
            event = {**event, "sequence_number": 0}
        stream.add(as_object(wire, event, EVENTS))
    given = [made.arguments for made in stream.calls()]
    assert [json.loads(item) if isinstance(item, str) else item for item in given] == [SEARCH[2], LIST[2]]
    json.dumps(stream.response(), default=str)


# The checks themselves: what they catch, and what they would let through without the care that is taken here.


def test_keys_that_a_type_does_not_know_are_caught() -> None:
    for wire in ("anthropic", "openai_chat", "openai_responses", "gemini"):
        told = providers.definition(support.TOOLSET["list_products"], wire)
        with pytest.raises((ValidationError, AssertionError)):
            check_definition(wire, {**told, "surprise": 1})
    messages = providers.answer(response("anthropic"), results("anthropic"))
    messages[1]["content"][0]["surprise"] = 1
    with pytest.raises(ValidationError):
        check_request("anthropic", [], messages)
    told = providers.definition(support.TOOLSET["list_products"], "bedrock")
    with pytest.raises(AssertionError):
        check_definition("bedrock", {"toolSpec": {**told["toolSpec"], "surprise": 1}})


def test_an_mcp_tool_without_a_type_at_the_root_is_caught() -> None:
    mcp_types.Tool.model_validate({"name": "t", "inputSchema": {}})
    with pytest.raises(ValidationError):
        check_definition("mcp", {"name": "t", "inputSchema": {}})
