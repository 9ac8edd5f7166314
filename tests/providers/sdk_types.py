"""The providers' SDKs as a check: their types, held to with no key that they do not know."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import botocore.session
import botocore.validate
import mcp_types
from anthropic.types import ToolParam
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from google.genai import types as genai
from mcp_types import _v2025_11_25 as handshake
from mcp_types import _v2026_07_28 as modern
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses import FunctionToolParam
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
from pydantic import TypeAdapter

REVISIONS = (handshake, modern)
"""``mcp_types.Tool`` takes any ``inputSchema``; the models of each revision hold it to its root."""

DEFINITIONS = {
    "anthropic": ToolParam,
    "openai_chat": ChatCompletionFunctionToolParam,
    "openai_responses": FunctionToolParam,
}
REQUESTS = {
    "anthropic": MessageCreateParamsNonStreaming,
    "openai_chat": CompletionCreateParamsNonStreaming,
    "openai_responses": ResponseCreateParamsNonStreaming,
}


def request(provider: str, tools: Sequence[Any], messages: Sequence[Any]) -> dict[str, Any]:
    """A whole request with these tools and messages."""
    match provider:
        case "anthropic":
            return {"model": "claude-x", "max_tokens": 100, "tools": list(tools), "messages": list(messages)}
        case "openai_chat":
            return {"model": "gpt-x", "tools": list(tools), "messages": list(messages)}
        case "openai_responses":
            return {"model": "gpt-x", "tools": list(tools), "input": list(messages)}
        case "gemini":
            config = {"tools": [{"function_declarations": list(tools)}]}
            return {"model": "gemini-x", "contents": list(messages), "config": config}
        case "bedrock":
            return {"modelId": "model", "messages": list(messages), "toolConfig": {"tools": list(tools)}}
    raise AssertionError(provider)


def check_definition(provider: str, told: Any) -> None:
    """Hold a definition to the SDK's type."""
    match provider:
        case "gemini":
            genai.FunctionDeclaration.model_validate(told)
            # The SDK takes both fields at once, and the API refuses that.
            assert set(told) == {"name", "description", "parameters_json_schema"}
        case "mcp":
            mcp_types.Tool.model_validate(told)
            for revision in REVISIONS:
                tool = revision.Tool.model_validate(told)
                assert tool.model_dump(mode="json", by_alias=True, exclude_unset=True) == told
        case "bedrock":
            _hold_to_shape("ToolSpecification", told["toolSpec"])
            assert set(told) == {"toolSpec"}
        case _:
            _exactly(DEFINITIONS[provider], told)


def check_live_definition(told: Any) -> None:
    """Hold a definition for Gemini's Live API to the SDK's type, and to what it writes."""
    made = genai.FunctionDeclaration.model_validate(told)
    assert made.model_dump(mode="json", by_alias=True, exclude_none=True) == told


def check_request(provider: str, tools: Sequence[Any], messages: Sequence[Any]) -> None:
    """Hold a whole request to the SDK's type."""
    whole = request(provider, tools, messages)
    match provider:
        case "gemini":
            for content in whole["contents"]:
                genai.Content.model_validate(content)
            genai.GenerateContentConfig.model_validate(whole["config"])
        case "bedrock":
            _hold_to_shape("ConverseRequest", whole)
        case _:
            _exactly(REQUESTS[provider], whole)


@functools.cache
def _adapter(type_: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type_)


def _exactly(type_: Any, value: Any) -> None:
    """Keys that the type does not know would vanish in silence: they are forbidden, and all must come out again."""
    assert _looked_at(_adapter(type_).validate_python(value, extra="forbid")) == value


def _looked_at(value: Any) -> Any:
    """The value with its iterators as lists: fields of the type Iterable are lazy, and are only validated then."""
    if isinstance(value, dict):
        return {key: _looked_at(item) for key, item in value.items()}
    if isinstance(value, list | tuple) or not isinstance(value, str | bytes | int | float | None):
        return [_looked_at(item) for item in value]
    return value


@functools.cache
def _bedrock() -> Any:
    return botocore.session.get_session().get_service_model("bedrock-runtime")


def _hold_to_shape(name: str, value: Any) -> None:
    """botocore knows keys, types and least lengths; patterns and most lengths are checked by the project's linter."""
    report = botocore.validate.ParamValidator().validate(value, _bedrock().shape_for(name))
    assert not report.has_errors(), report.generate_report()
