"""A registry as a server of the Model Context Protocol, on the official SDK: the extra ``mcp``."""

from __future__ import annotations

import inspect
import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias
from weakref import WeakKeyDictionary

from toolgen import providers
from toolgen.providers.wire import own_stdout
from toolgen.runtime import ToolCall, ToolResult

if TYPE_CHECKING:
    from toolgen.runtime import ToolRegistry

logger = logging.getLogger(__name__)

ContextSource: TypeAlias = (
    "Mapping[str, object] | Callable[[ToolCall], Mapping[str, object] | Awaitable[Mapping[str, object]]] | None"
)
"""The execution context of a call: one for all, or what a function, async or not, gives for each."""


def server(
    registry: ToolRegistry,
    *,
    name: str = "toolgen",
    version: str = "",
    instructions: str | None = None,
    context: ContextSource = None,
    conversation: str | None = None,
) -> Any:
    """An ``mcp.server.Server`` with the tools of a registry, to be run on any of the SDK's transports.

    The pages of a search are continued only in the conversation that began it. That is ``conversation``, where one is
    given, for a transport with a single client; what the context says; or else the client's connection, which from
    revision 2026-07-28 on may be as short as one request.

    Arguments that a tool does not take, as every other failure, are told in a result with ``isError``; the SDK itself
    validates no input. So is that ``context`` fails, or gives no mapping; why is logged, and not told to the client.

    Raises:
        ImportError: the SDK is not installed.
        ProjectionError: the name of a tool is none for MCP.
    """
    types, server_class = _sdk()
    tools = [types.Tool.model_validate(dict(told)) for told in providers.definitions(registry.specs, "mcp")]
    conversations = _Conversations(conversation)

    async def list_tools(_request: Any, _params: Any) -> Any:
        return types.ListToolsResult(tools=tools)

    async def call_tool(request: Any, params: Any) -> Any:
        identifier = "0" if request.request_id is None else str(request.request_id)
        call = ToolCall(identifier or "0", params.name, params.arguments, "mcp")
        try:
            given = await _context_of(context, call)
        except Exception:
            logger.exception("the execution context of a call of %s can't be made", call.name)
            outcome = ToolResult.failed(call, "it is not set up for this conversation")
        else:
            outcome = await registry.run(call, {registry.conversation_key: conversations.of(request), **given})
        return types.CallToolResult.model_validate(providers.result(outcome, "mcp"))

    return server_class(
        name, version=version, instructions=instructions, on_list_tools=list_tools, on_call_tool=call_tool
    )


async def serve(registry: ToolRegistry, *, stdout: BinaryIO | None = None, **options: Any) -> None:
    """Serve a registry over stdio until the client goes, in one conversation. ``options`` are those of ``server``.

    ``stdout`` is what the client reads: the process's own unless given, and what is printed meanwhile goes to stderr.

    Raises:
        ImportError: the SDK is not installed.
    """
    made = server(registry, **{"conversation": "stdio", **options})
    import anyio
    from mcp.server.stdio import stdio_server

    with own_stdout() if stdout is None else nullcontext(stdout) as wire:
        told = anyio.wrap_file(TextIOWrapper(wire, encoding="utf-8", newline="\n"))
        async with stdio_server(stdout=told) as (reading, writing):
            await made.run(reading, writing, made.create_initialization_options())


def _sdk() -> tuple[Any, Any]:
    try:
        import mcp_types
        from mcp.server.lowlevel import Server
    except ImportError as error:
        raise ImportError("serving MCP needs the official SDK: pip install 'toolgen[mcp]'") from error
    return mcp_types, Server


async def _context_of(context: ContextSource, call: ToolCall) -> Mapping[str, object]:
    found: Any = context(call) if callable(context) else context
    if inspect.isawaitable(found):
        found = await found
    if not isinstance(found, Mapping | None):
        raise TypeError(f"the execution context is a mapping, not a {type(found).__name__}")
    return {} if found is None else found


class _Conversations:
    """A name for each connection, unless there is one for all."""

    def __init__(self, one: str | None) -> None:
        self._one = one
        self._names: WeakKeyDictionary[Any, str] = WeakKeyDictionary()

    def of(self, request: Any) -> str:
        # The SDK makes a session object for each request; what it holds lives as long as the client is connected.
        connection = getattr(request.session, "_connection", request.session)
        return self._one or self._names.setdefault(connection, uuid.uuid4().hex)
