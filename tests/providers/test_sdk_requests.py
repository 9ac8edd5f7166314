"""Whole requests, sent by the providers' own clients over transports that keep the bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.once
for sdk in ("anthropic", "openai", "google.genai", "boto3"):
    pytest.importorskip(sdk)

import anthropic  # noqa: E402
import boto3  # noqa: E402
import botocore.awsrequest  # noqa: E402
import httpx2  # noqa: E402
import openai  # noqa: E402
from google import genai  # noqa: E402
from google.genai import types as genai_types  # noqa: E402
from sdk_types import request  # noqa: E402
from wires import SEARCH, call, response  # noqa: E402

from generated import ledger, support  # noqa: E402
from toolgen import providers  # noqa: E402
from toolgen.runtime import ToolResult  # noqa: E402

TOOLSETS = [support.TOOLSET, ledger.TOOLSET]


class Wire:
    """A transport that keeps what was sent, and answers with a turn."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.sent: Any = None

    def client(self) -> httpx2.Client:
        def handle(sent: httpx2.Request) -> httpx2.Response:
            self.sent = json.loads(sent.read())
            return httpx2.Response(200, json=self.answer)

        return httpx2.Client(transport=httpx2.MockTransport(handle))


def ask_anthropic(wire: Wire, given: dict[str, Any]) -> Any:
    client = anthropic.Anthropic(api_key="none", http_client=wire.client(), max_retries=0)
    return client.messages.create(**given)


def ask_chat(wire: Wire, given: dict[str, Any]) -> Any:
    client = openai.OpenAI(api_key="none", http_client=wire.client(), max_retries=0)
    return client.chat.completions.create(**given)


def ask_responses(wire: Wire, given: dict[str, Any]) -> Any:
    client = openai.OpenAI(api_key="none", http_client=wire.client(), max_retries=0)
    return client.responses.create(**given)


def ask_gemini(wire: Wire, given: dict[str, Any]) -> Any:
    options = genai_types.HttpOptions(httpx_client=wire.client())
    client = genai.Client(api_key="none", http_options=options)
    return client.models.generate_content(**given)


def ask_bedrock(wire: Wire, given: dict[str, Any]) -> Any:
    secrets = {"aws_access_key_id": "none", "aws_secret_access_key": "none"}
    client = boto3.client("bedrock-runtime", region_name="eu-west-1", **secrets)

    def send(request: botocore.awsrequest.AWSPreparedRequest, **_: Any) -> botocore.awsrequest.AWSResponse:
        wire.sent = json.loads(request.body)
        return _Answer(request.url, json.dumps(wire.answer).encode())

    client.meta.events.register("before-send.bedrock-runtime.Converse", send)
    return client.converse(**given)


class _Answer(botocore.awsrequest.AWSResponse):
    def __init__(self, url: str, body: bytes) -> None:
        super().__init__(url, 200, {"content-type": "application/json"}, None)
        self._body = body

    @property
    def content(self) -> bytes:
        return self._body


ASK: dict[str, Callable[[Wire, dict[str, Any]], Any]] = {
    "anthropic": ask_anthropic,
    "openai_chat": ask_chat,
    "openai_responses": ask_responses,
    "gemini": ask_gemini,
    "bedrock": ask_bedrock,
}


def tools_in(provider: str, sent: Any) -> Any:
    match provider:
        case "gemini":
            return [told for tool in sent["tools"] for told in tool["functionDeclarations"]]
        case "bedrock":
            return sent["toolConfig"]["tools"]
    return sent["tools"]


@pytest.mark.parametrize("toolset", TOOLSETS, ids=lambda toolset: toolset.name)
@pytest.mark.parametrize("provider", ASK)
def test_definitions_reach_the_wire_as_they_are(provider: str, toolset: Any) -> None:
    tools = providers.definitions(toolset, provider, strict=False)
    wire = Wire(response(provider))
    ASK[provider](wire, request(provider, tools, hello(provider)))
    assert tools_in(provider, wire.sent) == tools


@pytest.mark.parametrize("provider", ASK)
def test_a_strict_definition_reaches_the_wire_as_it_is(provider: str) -> None:
    tools = providers.definitions([support.TOOLSET["search_tickets"]], provider, strict=True)
    wire = Wire(response(provider))
    ASK[provider](wire, request(provider, tools, hello(provider)))
    assert tools_in(provider, wire.sent) == tools


@pytest.mark.parametrize("provider", ASK)
def test_a_whole_exchange_goes_back_over_the_wire(provider: str) -> None:
    tools = providers.definitions(support.TOOLSET, provider)
    wire = Wire(response(provider))
    turn = ASK[provider](wire, request(provider, tools, hello(provider)))
    found = providers.calls(turn, tools=tools)
    assert [made.name for made in found] == ["search_tickets", "list_products"]
    results = [ToolResult.failed(found[0], "Ticket index is down."), ToolResult.ok(found[1], {"error": "$ref {{x}}"})]
    messages = [*hello(provider), *providers.answer(turn, results)]
    ASK[provider](wire, request(provider, tools, messages))
    history = wire.sent.get("messages") or wire.sent.get("contents") or wire.sent.get("input")
    module = providers.module(provider)
    read = [providers.read_result(told, provider) for message in history for told in module.results_in(message)]
    assert [(outcome.call.id, outcome.is_error, outcome.text) for outcome in read] == [
        (result.call.id, result.is_error, result.text) for result in results
    ]
    providers.check_turns(history, provider)
    if provider == "gemini":
        # As it was signed: the SDK writes bytes in the URL-safe alphabet, which says the same here.
        assert history[1]["parts"][1]["thoughtSignature"] == "c2lnbmF0dXJl"
    if provider == "openai_responses":
        assert history[1]["encrypted_content"] == "opaque"


def hello(provider: str) -> list[Any]:
    match provider:
        case "gemini":
            return [{"role": "user", "parts": [{"text": "Hello"}]}]
        case "bedrock":
            return [{"role": "user", "content": [{"text": "Hello"}]}]
    return [{"role": "user", "content": "Hello"}]


def test_what_a_model_wrote_in_strict_form_comes_to_the_value_that_it_meant() -> None:
    spec = support.TOOLSET["search_tickets"]
    tools = providers.definitions([spec], "openai_chat", strict=True)
    written = {"query": "vpn", "limit": None, "conditions": None, "opened_after": None}
    wire = Wire(response("openai_chat", [(SEARCH[0], SEARCH[1], written)]))
    [made] = providers.calls(ask_chat(wire, request("openai_chat", tools, hello("openai_chat"))), tools=tools)
    args, notes = spec.model.decode_with_notes(made.arguments)
    assert (args, notes) == (spec.model.decode({"query": "vpn"}), ())
    assert call("openai_chat").id == made.id
