"""Amazon Bedrock's Converse API."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeGuard

from toolgen.providers import dialects
from toolgen.providers.building import built, wants_strict
from toolgen.providers.cuts import last_cut
from toolgen.providers.definitions import Definition
from toolgen.providers.facts import Facts
from toolgen.providers.outcomes import (
    USUAL_IMAGES,
    Fidelity,
    ResultError,
    call_id,
    failure_text,
    image_of,
    read_failure,
    read_success,
    refuse_images,
)
from toolgen.providers.reading import fields, get, items, structured, text_of, words_of
from toolgen.providers.streams import (
    NEVER_BEGAN,
    Assembly,
    CutStreamError,
    MisfitError,
    added,
    begin,
    index_in,
    object_in,
    object_of,
    text_in,
)
from toolgen.runtime import TextBlock, ToolCall, ToolResult
from toolgen.runtime.blocks import Block
from toolgen.runtime.blocks import text_of as text_of_blocks

NAME: Final = "bedrock"
TOOL_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
FIDELITY: Final = Fidelity(failure="native", images=True, structure=True)
CUT: Final = frozenset(
    {
        *("max_tokens", "model_context_window_exceeded", "stop_sequence"),
        *("malformed_tool_use", "malformed_model_output", "content_filtered", "guardrail_intervened"),
    }
)
"""Values of ``stopReason`` of a turn that may end within a call."""


def definition(facts: Facts, strict: bool | None = None) -> Definition:
    """``{toolSpec: {name, description, inputSchema: {json}}}``, with ``strict`` where it is asked for.

    Raises:
        ProjectionError: the provider can't be told of the tool in this mode.
    """
    wanted = wants_strict(facts, strict)

    def shape(description: str, schema: dict[str, Any]) -> dict[str, Any]:
        told: dict[str, Any] = {"name": facts.name, "description": description, "inputSchema": {"json": schema}}
        return {"toolSpec": {**told, "strict": True} if wanted else told}

    return built(facts, dialects.anthropic(NAME, strict=wanted), TOOL_NAME, shape)


def is_response(response: Any) -> bool:
    """Whether this is what Converse returns."""
    return get(get(response, "output"), "message") is not None


def calls(response: Any) -> list[ToolCall]:
    """The ``toolUse`` blocks of what Converse returned, or of an assistant's message.

    Tools that Bedrock runs itself are not of them. The last call of a turn that was cut has arguments that are cut off.
    """
    used = [get(block, "toolUse") for block in items(get(_message(response), "content"))]
    found = [
        ToolCall(str(get(use, "toolUseId", "")), str(get(use, "name", "")), get(use, "input"), NAME)
        for use in used
        if _is_call(use)
    ]
    return last_cut(found, get(response, "stopReason"), CUT)


def _is_call(use: Any) -> TypeGuard[dict[str, Any]]:
    return use is not None and get(use, "type") != "server_tool_use"


def _message(response: Any) -> Any:
    return get(get(response, "output"), "message", response)


def result(outcome: ToolResult) -> dict[str, Any]:
    """A block ``{toolResult: {toolUseId, content, status}}``. Some models do not read the status: the words say it too.

    Raises:
        ResultError: its call has no id, or it holds an image that Bedrock does not take.
    """
    refuse_images(outcome, NAME, USUAL_IMAGES)
    failed = outcome.failure is not None
    content: list[dict[str, Any]] = [{"text": failure_text(outcome) if failed else outcome.text}]
    if outcome.blocks and not failed:
        content = [_block(block) for block in outcome.blocks]
    elif outcome.is_json and not failed:
        # Models on Bedrock take an object as JSON, and no array.
        value = structured(outcome.text)
        content = [{"json": value}] if isinstance(value, dict) else content
    status = "error" if failed else "success"
    return {"toolResult": {"toolUseId": call_id(outcome), "content": content, "status": status}}


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, TextBlock):
        return {"text": block.text}
    return {"image": {"format": block.media_type.partition("/")[2], "source": {"bytes": block.data}}}


def read_result(wire: Any) -> ToolResult:
    """The result that a ``toolResult`` block stands for.

    Raises:
        ResultError: it is no such block.
    """
    told = get(wire, "toolResult")
    if told is None:
        raise ResultError(f"{NAME}: a result is a block with the key toolResult")
    call = ToolCall(str(get(told, "toolUseId", "")), "", None, NAME)
    content = items(get(told, "content"))
    blocks = tuple(map(_read_block, content))
    if get(told, "status") == "error":
        return read_failure(call, text_of_blocks(blocks))
    if len(content) == 1 and isinstance(blocks[0], TextBlock):
        return read_success(call, blocks[0].text)
    return ToolResult(call, text_of_blocks(blocks), blocks=blocks)


def _read_block(block: Any) -> Block:
    told, value = get(block, "image"), get(block, "json")
    image = image_of(f"image/{get(told, 'format', '')}", get(get(told, "source"), "bytes"))
    return image or TextBlock(words_of(block) if value is None else text_of(value))


def results_in(message: Any) -> list[Any]:
    """The results in one message of a history. Those of Bedrock's own tools stand in the assistant's."""
    if get(message, "role") == "assistant":
        return []
    return [block for block in items(get(message, "content")) if get(block, "toolResult") is not None]


def turn(response: Any, results: Sequence[ToolResult]) -> list[Any]:
    """The assistant's message as it came, and a user's message with all results, in the order of the calls."""
    answer = [{"role": "user", "content": [result(outcome) for outcome in results]}] if results else []
    message = _message(response)
    return [message, *answer] if items(get(message, "content")) else []


class Stream(Assembly):
    """Puts what Converse returns together from the events of ConverseStream. It is whole once there is a
    ``messageStop``."""

    def __init__(self) -> None:
        super().__init__()
        self._role = "assistant"
        self._blocks: dict[int, dict[str, Any]] = {}
        self._texts: dict[int, list[str]] = {}
        self._stop: str | None = None
        self._more: dict[str, Any] = {}
        self._reason = "it ended before messageStop"

    def _take(self, event: Any) -> None:
        for kind in fields(event):
            told = object_in(event, kind)
            if kind == "messageStart":
                self._role = text_in(told, "role") or self._role
            elif kind == "contentBlockStart":
                self._begin(index_in(told, "contentBlockIndex"), object_in(told, "start"))
            elif kind == "contentBlockDelta":
                self._delta(index_in(told, "contentBlockIndex"), object_in(told, "delta"))
            elif kind == "messageStop":
                self._stop = text_in(told, "stopReason") or "end_turn"
                self._more.update({key: item for key, item in told.items() if key != "stopReason"})
            elif kind == "metadata":
                self._more.update(told)
            elif kind.endswith("Exception"):
                self._reason = f"{kind}: {get(told, 'message', 'no message')}"

    def _begin(self, index: int, start: dict[str, Any]) -> None:
        begin(self._blocks, index, {kind: object_in(start, kind) for kind in start})

    def _delta(self, index: int, delta: dict[str, Any]) -> None:
        if "toolUse" in delta:
            if "toolUse" not in self._blocks.get(index, {}):
                raise MisfitError(NEVER_BEGAN)
            self._texts.setdefault(index, []).append(text_in(delta["toolUse"], "input"))
            return
        block = self._blocks.setdefault(index, {})
        if "reasoningContent" in delta:
            _add_reasoning(block, object_in(delta, "reasoningContent"))
        elif "citation" in delta:
            block.setdefault("citations", []).append(delta["citation"])
        elif "toolResult" in delta:
            block["toolResult"] = added(block.get("toolResult"), {"content": delta["toolResult"]})
        else:
            self._blocks[index] = added(block, delta)

    def _partial(self) -> dict[str, Any]:
        content = []
        for index, block in sorted(self._blocks.items()):
            if "toolUse" in block:
                text = "".join(self._texts.get(index, ()))
                block = {**block, "toolUse": {**block["toolUse"], "input": object_of(text)}}
            elif "citations" in block:
                generated = [{"text": block["text"]}] if "text" in block else []
                block = {"citationsContent": {"content": generated, "citations": block["citations"]}}
            content.append(block)
        message = {"role": self._role, "content": content}
        return {"output": {"message": message}, "stopReason": self._stop, **self._more}

    def response(self) -> dict[str, Any]:
        """What Converse would have returned.

        Raises:
            CutStreamError: there was no ``messageStop``, or an event does not fit, as a piece of a call that lacks its
                beginning.
        """
        if self._misfit is not None or self._stop is None:
            raise CutStreamError(NAME, self._misfit or self._reason, self._partial())
        return self._partial()

    def calls(self) -> list[ToolCall]:
        """The calls, with the text of their arguments.

        Raises:
            CutStreamError: as ``response``.
        """
        self.response()
        found = [
            replace(call, arguments="".join(self._texts.get(index, ())))
            for index, block in sorted(self._blocks.items())
            for call in calls({"content": [block]})
        ]
        return last_cut(found, self._stop, CUT)


def _add_reasoning(block: dict[str, Any], delta: dict[str, Any]) -> None:
    """Reasoning comes in pieces of its text and then a signature, or as redacted bytes."""
    reasoning = block.setdefault("reasoningContent", {})
    if "redactedContent" in delta:
        reasoning["redactedContent"] = added(reasoning.get("redactedContent"), delta["redactedContent"])
        return
    text = reasoning.setdefault("reasoningText", {"text": ""})
    text["text"] += text_in(delta, "text")
    if "signature" in delta:
        text["signature"] = text.get("signature", "") + text_in(delta, "signature")
