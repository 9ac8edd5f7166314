"""Anthropic's Messages API."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

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
from toolgen.providers.reading import get, items, words_of
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
from toolgen.runtime.blocks import Block, text_of

NAME: Final = "anthropic"
TOOL_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,128}")
FIDELITY: Final = Fidelity(failure="native", images=True, structure=False)
CUT: Final = frozenset({"max_tokens", "model_context_window_exceeded", "refusal", "stop_sequence"})
"""Values of ``stop_reason`` of a turn that may end within a call."""


def definition(facts: Facts, strict: bool | None = None) -> Definition:
    """``{name, description, input_schema}``, with ``strict`` and ``input_examples`` where there are such.

    Raises:
        ProjectionError: the provider can't be told of the tool in this mode.
    """
    wanted = wants_strict(facts, strict)
    dialect = dialects.anthropic(NAME, strict=wanted)

    def shape(description: str, schema: dict[str, Any]) -> dict[str, Any]:
        told = {"name": facts.name, "description": description, "input_schema": schema}
        return {**told, "strict": True} if wanted else told

    made = built(facts, dialect, TOOL_NAME, shape)
    if facts.example is not None:
        made["input_examples"] = [made.write(facts.example)]
    return made


def is_response(response: Any) -> bool:
    """Whether this is a Message."""
    return bool(get(response, "type") == "message" and get(response, "role") == "assistant")


def calls(response: Any) -> list[ToolCall]:
    """The ``tool_use`` blocks of a Message, or of an assistant's turn. Tools that the server runs are not of them.

    The last call of a turn that was cut has arguments that are cut off.
    """
    found = [
        ToolCall(str(get(block, "id", "")), str(get(block, "name", "")), get(block, "input"), NAME)
        for block in items(get(response, "content"))
        if get(block, "type") == "tool_use" and get(response, "role", "assistant") == "assistant"
    ]
    return last_cut(found, get(response, "stop_reason"), CUT)


def result(outcome: ToolResult) -> dict[str, Any]:
    """A ``tool_result`` block.

    Raises:
        ResultError: its call has no id, or it holds an image that Anthropic does not take.
    """
    refuse_images(outcome, NAME, USUAL_IMAGES)
    failed = outcome.failure is not None
    content: Any = failure_text(outcome) if failed else outcome.text
    if outcome.blocks and not failed:
        content = [_block(block) for block in outcome.blocks]
    return {"type": "tool_result", "tool_use_id": call_id(outcome), "content": content, "is_error": failed}


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, TextBlock):
        return {"type": "text", "text": block.text}
    data = base64.b64encode(block.data).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": block.media_type, "data": data}}


def read_result(wire: Any) -> ToolResult:
    """The result that a ``tool_result`` block stands for.

    Raises:
        ResultError: it is no such block.
    """
    if get(wire, "type") != "tool_result":
        raise ResultError(f"{NAME}: a result is a block of type tool_result, not {get(wire, 'type')!r}")
    call = ToolCall(str(get(wire, "tool_use_id", "")), "", None, NAME)
    content = get(wire, "content", "")
    if isinstance(content, str):
        return read_failure(call, content) if get(wire, "is_error") else read_success(call, content)
    blocks = tuple(_read_block(block) for block in items(content))
    if get(wire, "is_error"):
        return read_failure(call, text_of(blocks))
    return ToolResult(call, text_of(blocks), blocks=blocks)


def _read_block(block: Any) -> Block:
    source = get(block, "source")
    image = get(block, "type") == "image" and image_of(get(source, "media_type"), get(source, "data"))
    return image or TextBlock(words_of(block))


def results_in(message: Any) -> list[Any]:
    """The results in one message of a history, which is a user's."""
    if get(message, "role") == "assistant":
        return []
    return [block for block in items(get(message, "content")) if get(block, "type") == "tool_result"]


def misplaced(message: Any) -> Any:
    """A result that stands behind something else in its message, or None.

    The API demands that a message with results begins with them ("Handle tool calls").
    """
    pairs = zip(results_in(message), items(get(message, "content")), strict=False)
    return next((result for result, block in pairs if result is not block), None)


def turn(response: Any, results: Sequence[ToolResult]) -> list[Any]:
    """The assistant's turn as it came, and a user's turn with all results, in the order of the calls."""
    content = get(response, "content", [])
    if not content:
        return []
    assistant = response if isinstance(response, dict) and set(response) == {"role", "content"} else None
    answer = [{"role": "user", "content": [result(outcome) for outcome in results]}] if results else []
    return [assistant or {"role": "assistant", "content": content}, *answer]


def _given(told: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in told.items() if item is not None}


class Stream(Assembly):
    """Puts a Message together from the events of a stream, those of ``message_start`` to ``message_stop``."""

    def __init__(self) -> None:
        super().__init__()
        self._message: dict[str, Any] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._texts: dict[int, list[str]] = {}
        self._ended = False
        self._reason = "it ended before message_stop"

    def _take(self, event: Any) -> None:
        match get(event, "type"):
            case "message_start":
                self._message = {**object_in(event, "message"), **self._message}
            case "content_block_start":
                begin(self._blocks, index_in(event, "index"), object_in(event, "content_block"))
            case "content_block_delta":
                self._delta(index_in(event, "index"), object_in(event, "delta"))
            case "message_delta":
                self._message.update(_given(object_in(event, "delta")))
                # Its counts are totals, and leave out what has not changed.
                usage = {**object_in(self._message, "usage"), **_given(object_in(event, "usage"))}
                self._message.update({"usage": usage} if usage else {})
            case "message_stop":
                self._ended = True
            case "error":
                self._reason = str(get(get(event, "error"), "message", "an error event"))

    def _delta(self, index: int, delta: dict[str, Any]) -> None:
        block, kind = self._blocks.get(index, {}), delta.get("type")
        if kind == "input_json_delta":
            if not str(get(block, "type")).endswith("tool_use"):
                raise MisfitError(NEVER_BEGAN)
            self._texts.setdefault(index, []).append(text_in(delta, "partial_json"))
        elif index not in self._blocks:
            pass  # words without their beginning are left out: the calls beside them are whole all the same
        elif kind == "citations_delta":
            block["citations"] = [*items(block.get("citations")), delta.get("citation")]
        else:
            # All others, such as text and signatures, have their text under the name of what it is added to.
            texts = {name: text for name, text in delta.items() if name != "type" and isinstance(text, str)}
            self._blocks[index] = added(block, texts)

    def _text(self, index: int) -> str:
        """The arguments that were streamed; none where they are blank, so that those of the block's start stay."""
        text = "".join(self._texts.get(index, ()))
        return text if text.strip() else ""

    def _partial(self) -> dict[str, Any]:
        blocks = []
        for index, block in sorted(self._blocks.items()):
            text = self._text(index)
            blocks.append({**block, "input": object_of(text)} if text else block)
        return {"type": "message", "role": "assistant", **self._message, "content": blocks}

    def response(self) -> dict[str, Any]:
        """The Message.

        Raises:
            CutStreamError: there was no ``message_stop``, or an event does not fit, as a piece of a call that lacks its
                beginning.
        """
        if self._misfit is not None or not self._ended:
            raise CutStreamError(NAME, self._misfit or self._reason, self._partial())
        return self._partial()

    def calls(self) -> list[ToolCall]:
        """The calls, with the text of their arguments.

        Raises:
            CutStreamError: as ``response``.
        """
        reason = self.response().get("stop_reason")
        found = [
            replace(call, arguments=self._text(index) or block.get("input"))
            for index, block in sorted(self._blocks.items())
            for call in calls({"content": [block]})
        ]
        return last_cut(found, reason, CUT)
