"""The words in which a result goes out, and what they say when they come back.

A failure begins, on every wire, with a line that says that the call failed, of what kind the failure is and what comes
next; then the tool is named and the model told what to do. A wire that has no flag has only these words: there, a
success that begins with the words of either line gets a line of its own before it, which reading takes off again. So
nothing that a tool returns can be read as a failure, and no failure as anything else.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from toolgen.providers.reading import json_of
from toolgen.runtime import Failure, ImageBlock, TextBlock, ToolCall, ToolResult
from toolgen.runtime.blocks import Block, text_of
from toolgen.runtime.failures import DELAYED, KINDS, RECOVERIES, Kind, Recovery

FAILED: Final = "ERROR: this tool call failed"
SUCCEEDED: Final = "This tool call succeeded. Its result:\n"

_HEAD = re.compile(
    rf"{re.escape(FAILED)} \((?P<kind>{'|'.join(KINDS)}), (?P<recovery>{'|'.join(RECOVERIES)})"
    r"(?:, wait (?P<wait>[0-9.e+-]+) s)?\)\.\n"
)
_FIRST = re.compile(
    r"(?P<tool>.{1,101}?) (?:was not run|refused the call|is not available|was called too often"
    r"|took too long and was stopped|failed): (?P<message>.*)"
)


@dataclass(frozen=True, slots=True)
class Fidelity:
    """What a wire carries.

    Attributes:
        failure: how a failed call is told from one that did not fail: by a ``native`` flag, a ``key`` of the result's
            object, or in the ``text`` alone. The words are there on every wire.
        images: whether a result may hold images.
        structure: whether a result that is an object is sent as one, and not as JSON text alone.
    """

    failure: Literal["native", "key", "text"]
    images: bool
    structure: bool


class ResultError(ValueError):
    """A result that can't be sent on this wire, or what is no result of this wire; the message says why."""


def call_id(result: ToolResult) -> str:
    """The id of the call that a result answers.

    Raises:
        ResultError: it has none, so that no provider could tell what it answers.
    """
    identifier = result.call.id
    if not isinstance(identifier, str) or not identifier:
        raise ResultError(f"the result of {result.call.name or 'a tool'} has no call id: give the id of its call")
    return identifier


USUAL_IMAGES: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""The images that Anthropic, Amazon Bedrock and OpenAI take: ``Base64ImageSource`` of anthropic, ``ImageFormat`` of
``bedrock-runtime`` in botocore, and OpenAI, "Images and vision"."""


def refuse_images(result: ToolResult, provider: str, taken: frozenset[str]) -> None:
    """Refuse a result with an image that the wire does not take, which the provider would refuse the whole turn for.

    Raises:
        ResultError: it holds one.
    """
    for block in result.blocks:
        if isinstance(block, ImageBlock) and block.media_type not in taken:
            takes = f"it takes {', '.join(sorted(taken))}" if taken else "it takes no image in a tool's result"
            name = result.call.name or "a tool"
            raise ResultError(f"the result of {name} holds an image, {block.media_type}, for {provider}: {takes}")


def image_of(media_type: Any, data: Any) -> ImageBlock | None:
    """The image that a block holds as bytes, or as base64 text; None where it is none, or no image."""
    try:
        return ImageBlock(media_type, base64.b64decode(data) if isinstance(data, str) else bytes(memoryview(data)))
    except (AttributeError, TypeError, ValueError):
        return None


def failure_text(result: ToolResult) -> str:
    """The text of a failure, for any wire."""
    failure = result.failure
    assert failure is not None
    wait = "" if failure.retry_after is None else f", wait {failure.retry_after!r} s"
    return f"{FAILED} ({failure.kind}, {failure.recovery}{wait}).\n{result.text}"


def flagless_text(result: ToolResult) -> str:
    """The text of a result for a wire without a flag."""
    if result.failure is not None:
        return failure_text(result)
    return f"{SUCCEEDED}{result.text}" if result.text.startswith((FAILED, SUCCEEDED)) else result.text


def flagless_blocks(result: ToolResult) -> tuple[Block, ...]:
    """The blocks of a success, for a wire without a flag; none where it is one text or a failure."""
    first, *rest = result.blocks or (None,)
    if isinstance(first, TextBlock) and result.text.startswith((FAILED, SUCCEEDED)):
        return (TextBlock(SUCCEEDED + first.text), *rest)
    return result.blocks if result.failure is None else ()


def read_flagless_blocks(call: ToolCall, blocks: tuple[Block, ...]) -> ToolResult:
    """The result that blocks stand for, on a wire without a flag."""
    read = read_flagless(call, text_of(blocks))
    if read.is_error:
        return read
    first, *rest = blocks or (None,)
    if isinstance(first, TextBlock):
        blocks = (TextBlock(first.text.removeprefix(SUCCEEDED)), *rest)
    return ToolResult(call, read.text, blocks=blocks)


def read_flagless(call: ToolCall, text: str) -> ToolResult:
    """The result that a text stands for, on a wire without a flag."""
    if _HEAD.match(text):
        return read_failure(call, text)
    return read_success(call, text.removeprefix(SUCCEEDED))


def read_success(call: ToolCall, text: str) -> ToolResult:
    """A success. A wire does not tell JSON from text that looks like it: an object or an array is taken to be JSON."""
    try:
        is_json = text[:1] in ("{", "[") and isinstance(json_of(text), dict | list)
    except ValueError:
        is_json = False
    return ToolResult(call, text, is_json)


def read_failure(call: ToolCall, text: str) -> ToolResult:
    """A failure. What was not written here has no kind of its own: it is ``internal``."""
    head = _HEAD.match(text)
    if head is None:
        message = text.strip() or "the tool gave no reason"
        return ToolResult(call, message, failure=Failure("internal", message, "replan"))
    kind, recovery = cast(Kind, head["kind"]), cast(Recovery, head["recovery"])
    told = text[head.end() :]
    name, message = _message(told)
    wait = float(head["wait"]) if head["wait"] and kind in DELAYED else None
    named = call if call.name else ToolCall(call.id, name, call.arguments, call.provider)
    return ToolResult(named, told, failure=Failure(kind, message, recovery, wait))


def _message(told: str) -> tuple[str, str]:
    """The tool that a failure names, and what happened: its text without what comes next, which is its last line."""
    first, _, rest = told.partition("\n")
    found = _FIRST.fullmatch(first)
    if found is None:
        named = re.match(r"The input of (\S+) was not accepted", first)
        return (named[1] if named else ""), first.strip() or "the tool gave no reason"
    return found["tool"], "\n".join([found["message"], *rest.split("\n")[:-1]])
