"""Responses, streams and results on each wire, for the tests of every provider alike."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from toolgen import providers
from toolgen.runtime import ToolCall

Call = tuple[str, str, Any]
"""Id, name and arguments."""

SEARCH: Call = ("call_1", "search_tickets", {"query": "vpn", "limit": 5})
LIST: Call = ("call_2", "list_products", {})

WIRES = providers.PROVIDERS
STREAMED = tuple(name for name in WIRES if name != "mcp")


def response(provider: str, calls: Sequence[Call] = (SEARCH, LIST)) -> Any:
    """A turn with these calls, as JSON gives it."""
    match provider:
        case "anthropic":
            uses = [{"type": "tool_use", "id": id_, "name": name, "input": given} for id_, name, given in calls]
            content = [{"type": "text", "text": "Let me look."}, *uses]
            return {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": "claude-x",
                "content": content,
                "stop_reason": "tool_use",
                "stop_sequence": None,
                "usage": {"input_tokens": 1, "output_tokens": 1},
            }
        case "openai_chat":
            made = [
                {"id": id_, "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
                for id_, name, given in calls
            ]
            message = {"role": "assistant", "content": None, "refusal": None, "tool_calls": made}
            choice = {"index": 0, "message": message, "finish_reason": "tool_calls", "logprobs": None}
            return {"id": "c", "object": "chat.completion", "created": 1, "model": "gpt-x", "choices": [choice]}
        case "openai_responses":
            reasoning = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "opaque"}
            items = [
                {
                    "type": "function_call",
                    "id": f"fc_{index}",
                    "call_id": id_,
                    "name": name,
                    "arguments": json.dumps(given),
                    "status": "completed",
                }
                for index, (id_, name, given) in enumerate(calls)
            ]
            return {
                "id": "r",
                "object": "response",
                "created_at": 1,
                "model": "gpt-x",
                "output": [reasoning, *items],
                "parallel_tool_calls": True,
                "tool_choice": "auto",
                "tools": [],
                "status": "completed",
            }
        case "gemini":
            parts = [
                {"functionCall": {"id": id_, "name": name, "args": given}, "thoughtSignature": "c2lnbmF0dXJl"}
                for id_, name, given in calls
            ]
            content = {"role": "model", "parts": [{"text": "Let me look."}, *parts]}
            return {"candidates": [{"content": content, "finishReason": "STOP"}]}
        case "mcp":
            return [
                {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": {"name": name, "arguments": given}}
                for id_, name, given in calls
            ]
        case "bedrock":
            uses = [{"toolUse": {"toolUseId": id_, "name": name, "input": given}} for id_, name, given in calls]
            message = {"role": "assistant", "content": [{"text": "Let me look."}, *uses]}
            return {"output": {"message": message}, "stopReason": "tool_use", "usage": {}, "metrics": {}}
    raise AssertionError(provider)


def events(provider: str, calls: Sequence[Call] = (SEARCH, LIST), texts: Sequence[str] | None = None) -> list[Any]:
    """The stream of such a turn, with the text of each call's arguments in pieces of three characters."""
    texts = [json.dumps(given) for _, _, given in calls] if texts is None else texts
    made = list(enumerate(zip(calls, texts, strict=True)))
    match provider:
        case "anthropic":
            found: list[Any] = [{"type": "message_start", "message": {**response(provider, ()), "content": []}}]
            for index, ((id_, name, _), text) in made:
                block = {"type": "tool_use", "id": id_, "name": name, "input": {}}
                found.append({"type": "content_block_start", "index": index, "content_block": block})
                deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces(text)]
                found += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
                found.append({"type": "content_block_stop", "index": index})
            stop = {"stop_reason": "tool_use", "stop_sequence": None}
            found.append({"type": "message_delta", "delta": stop, "usage": {"output_tokens": 9}})
            return [*found, {"type": "message_stop"}]
        case "openai_chat":
            deltas = [{"role": "assistant", "content": None}]
            for index, ((id_, name, _), text) in made:
                start = {"index": index, "id": id_, "type": "function", "function": {"name": name, "arguments": ""}}
                deltas.append({"tool_calls": [start]})
                deltas += [{"tool_calls": [{"index": index, "function": {"arguments": p}}]} for p in pieces(text)]
            head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt-x"}
            chunks = [{**head, "choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
            return [*chunks, {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}]
        case "openai_responses":
            found = []
            for index, ((id_, name, _), text) in made:
                item = {"type": "function_call", "id": f"fc_{index}", "call_id": id_, "name": name, "arguments": ""}
                found.append({"type": "response.output_item.added", "output_index": index, "item": item})
                kind = {"type": "response.function_call_arguments.delta", "output_index": index, "item_id": item["id"]}
                found += [{**kind, "delta": piece} for piece in pieces(text)]
            return [*found, {"type": "response.completed", "response": {"id": "r", "object": "response", "output": []}}]
        case "gemini":
            parts = [{"functionCall": {"id": id_, "name": name, "args": given}} for id_, name, given in calls]
            chunks = [{"candidates": [{"content": {"role": "model", "parts": [part]}}]} for part in parts]
            return [*chunks, {"candidates": [{"content": {"parts": []}, "finishReason": "STOP"}]}]
        case "bedrock":
            found = [{"messageStart": {"role": "assistant"}}]
            for index, ((id_, name, _), text) in made:
                start = {"toolUse": {"toolUseId": id_, "name": name}}
                found.append({"contentBlockStart": {"contentBlockIndex": index, "start": start}})
                deltas = [{"toolUse": {"input": piece}} for piece in pieces(text)]
                found += [{"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}} for delta in deltas]
                found.append({"contentBlockStop": {"contentBlockIndex": index}})
            return [*found, {"messageStop": {"stopReason": "tool_use"}}, {"metadata": {"usage": {}}}]
    raise AssertionError(provider)


def pieces(text: str) -> Iterable[str]:
    return (text[start : start + 3] for start in range(0, len(text), 3))


def call(provider: str, made: Call = SEARCH) -> ToolCall:
    id_, name, given = made
    return ToolCall(id_, name, given, provider)


def wire_of(provider: str, outcome: Any) -> Any:
    """A result as it stands in a history: on MCP, the response that holds it."""
    told = providers.result(outcome, provider)
    return {"jsonrpc": "2.0", "id": outcome.call.id, "result": told} if provider == "mcp" else told


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to each place of a response, or of the events of one."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from places(item, (*path, key))


def with_junk(value: Any, path: tuple[Any, ...], junk: Any) -> Any:
    """The same with something else at a place."""
    if not path:
        return junk
    key, *rest = path
    changed = copy.copy(value)
    changed[key] = with_junk(value[key], tuple(rest), junk)
    return changed
