"""The Model Context Protocol, revisions 2025-11-25 and 2026-07-28.

The functions here make and read plain dicts; ``server`` and ``serve`` run a registry on the official SDK (the extra
``mcp``), which only they import.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from toolgen.providers import dialects
from toolgen.providers.building import built
from toolgen.providers.canonical import Canonical
from toolgen.providers.definitions import Definition, Note
from toolgen.providers.facts import Facts
from toolgen.providers.outcomes import (
    Fidelity,
    ResultError,
    call_id,
    failure_text,
    image_of,
    read_failure,
    read_success,
)
from toolgen.providers.reading import get, items, json_of, text_of, words_of
from toolgen.providers.respelling import respelled
from toolgen.runtime import TextBlock, ToolCall, ToolResult
from toolgen.runtime.blocks import Block
from toolgen.runtime.blocks import text_of as text_of_blocks

if TYPE_CHECKING:
    from toolgen.providers.mcp_server import serve as serve
    from toolgen.providers.mcp_server import server as server

NAME: Final = "mcp"
TOOL_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,128}")
FIDELITY: Final = Fidelity(failure="native", images=True, structure=True)

ONE_ITEM_A_CALL: Final = True
"""Each call is a request of its own."""

_HINTS: Final = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
}
_OUTPUT_LEFT_OUT = "outputSchema is left out: a result that may or may not be an object has no form for all clients"


def definition(facts: Facts, strict: bool | None = None) -> Definition:
    """A Tool ``{name, title, description, inputSchema, outputSchema, annotations}``; what the design does not say is
    left out. There is no strict mode, so ``strict`` changes nothing.

    Raises:
        ProjectionError: the name is none for a tool.
    """
    hints = {hint: getattr(facts.annotations, name) for hint, name in _HINTS.items()}
    hints = {hint: value for hint, value in hints.items() if value is not None}

    def shape(description: str, schema: dict[str, Any]) -> dict[str, Any]:
        told: dict[str, Any] = {"name": facts.name}
        if facts.title is not None:
            told["title"] = facts.title
        told |= {"description": description, "inputSchema": schema}
        if facts.result is not None and (output := output_schema(facts.result)) is not None:
            told["outputSchema"] = output
        return {**told, "annotations": hints} if hints else told

    made = built(facts, dialects.mcp(), TOOL_NAME, shape)
    if facts.result is not None and "outputSchema" not in made:
        made.notes = (*made.notes, Note("result", _OUTPUT_LEFT_OUT))
    return made


def output_schema(schema: Any) -> dict[str, Any] | None:
    """The schema of ``structuredContent``, which was an object in every revision before 2026-07-28.

    A result that is none stands under the key ``result``. None where a result may be either.
    """
    canonical = Canonical(respelled(schema))
    kinds = canonical.kinds(canonical.root)
    if kinds == {"object"}:
        # A client wants the type at the root, where a union, or a reference, has none.
        return dict(schema) if schema.get("type") == "object" else {**schema, "type": "object"}
    if "object" in kinds:
        return None
    inner = {word: value for word, value in schema.items() if word != "$defs"}
    out = {"type": "object", "properties": {"result": inner}, "required": ["result"], "additionalProperties": False}
    return {**out, "$defs": schema["$defs"]} if "$defs" in schema else out


def is_response(response: Any) -> bool:
    """Whether this is a request to call a tool, or a list of such."""
    return any(get(request, "method") == "tools/call" for request in _requests(response))


def calls(response: Any) -> list[ToolCall]:
    """The calls of a ``tools/call`` request, or of a list of them. Their id is the request's, as text."""
    return [
        ToolCall(_id_of(request), str(get(get(request, "params"), "name", "")), _arguments(request), NAME)
        for request in _requests(response)
        if get(request, "method") == "tools/call"
    ]


def _requests(response: Any) -> list[Any]:
    return response if isinstance(response, list) else [response]


def _id_of(request: Any) -> str:
    identifier = get(request, "id")
    return "" if identifier is None else str(identifier)


def _arguments(request: Any) -> Any:
    return get(get(request, "params"), "arguments")


def result(outcome: ToolResult) -> dict[str, Any]:
    """A CallToolResult ``{content, structuredContent, isError, resultType}``.

    A typed result is mirrored as text. ``resultType`` is required by revision 2026-07-28; older clients ignore it.

    Raises:
        ResultError: its call has no id.
    """
    call_id(outcome)
    failed = outcome.failure is not None
    content = [{"type": "text", "text": failure_text(outcome) if failed else outcome.text}]
    if outcome.blocks and not failed:
        content = [_block(block) for block in outcome.blocks]
    told: dict[str, Any] = {"content": content, "isError": failed, "resultType": "complete"}
    if outcome.is_json and not failed:
        value = json_of(outcome.text)
        told["structuredContent"] = value if isinstance(value, dict) else {"result": value}
    return told


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, TextBlock):
        return {"type": "text", "text": block.text}
    return {"type": "image", "data": base64.b64encode(block.data).decode(), "mimeType": block.media_type}


def read_result(wire: Any) -> ToolResult:
    """The result that a CallToolResult, or a JSON-RPC response with one, stands for.

    Raises:
        ResultError: it is neither.
    """
    told = get(wire, "result", wire)
    structure = get(told, "structuredContent")
    if get(told, "content") is None and structure is None:
        raise ResultError(f"{NAME}: a result has the key content")
    call = ToolCall("" if told is wire else _id_of(wire), "", None, NAME)
    blocks = tuple(map(_read_block, items(get(told, "content"))))
    if not blocks and structure is not None:
        # Servers should mirror it as text (revision 2025-11-25, "Structured Content"), and some do not.
        blocks = (TextBlock(text_of(structure)),)
    if get(told, "isError"):
        return read_failure(call, text_of_blocks(blocks))
    if len(blocks) == 1 and isinstance(blocks[0], TextBlock):
        return read_success(call, blocks[0].text)
    return ToolResult(call, text_of_blocks(blocks), blocks=blocks)


def _read_block(block: Any) -> Block:
    image = get(block, "type") == "image" and image_of(get(block, "mimeType"), get(block, "data"))
    return image or TextBlock(words_of(block))


def results_in(message: Any) -> list[Any]:
    """The results in one message of a session."""
    return [message] if get(message, "result") is not None else []


def turn(response: Any, results: Sequence[ToolResult]) -> list[Any]:
    """A JSON-RPC response for each request, in their order. A client's turn is not sent back to it."""
    requests = [request for request in _requests(response) if get(request, "method") == "tools/call"]
    return [
        {"jsonrpc": "2.0", "id": get(request, "id"), "result": result(outcome)}
        for request, outcome in zip(requests, results, strict=True)
    ]


def __getattr__(name: str) -> Any:
    if name in ("server", "serve"):
        from toolgen.providers import mcp_server

        return getattr(mcp_server, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
