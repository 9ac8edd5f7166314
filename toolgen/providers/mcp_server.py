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

    The pages of a search are continued only in the conversation that began it. That is what the context says;
    ``conversation``, where one is given, for a transport with a single client; or else the client's connection. Over
    HTTP a client of revision 2026-07-28, or of a stateless server, has none that lasts: its pages can't be continued
    unless one of the others tells its conversation, and the log says so.

    Arguments that a tool does not take, as every other failure, are told in a result with ``isError``; the SDK itself
    validates no input. So is that ``context`` fails, or gives no mapping; why is logged, and not told to the client.

    Raises:
        ImportError: the SDK is not installed.
        ProjectionError: the name of a tool is none for MCP.
    """
    types, server_class = _sdk()
    tools = [types.Tool.model_validate(dict(told)) for told in providers.definitions(registry.specs, "mcp")]
    conversations = _Conversations(registry, conversation)

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
            outcome = await registry.run(call, {**conversations.of(request, given), **given})
        return types.CallToolResult.model_validate(providers.result(outcome, "mcp"))

    return server_class(
        name, version=version, instructions=instructions, on_list_tools=list_tools, on_call_tool=call_tool
    )


async def serve(registry: ToolRegistry, *, stdout: BinaryIO | None = None, **options: Any) -> None:
    """Serve a registry over stdio until the client goes. ``options`` are those of ``server``.

    ``stdout`` is what the client reads: the process's own unless given, and what is printed meanwhile goes to stderr.

    Raises:
        ImportError: the SDK is not installed.
    """
    made = server(registry, **options)
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
    """A name for the conversation of each client: one for all, or one for each connection that lasts."""

    def __init__(self, registry: ToolRegistry, one: str | None) -> None:
        self._registry = registry
        self._one = one
        self._names: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
        self._told = False

    def of(self, request: Any, given: Mapping[str, object]) -> dict[str, object]:
        """What the execution context has to tell the conversation by; nothing where nobody knows it."""
        name = self._one or self._of_connection(request)
        if name is None and self._registry.conversation_key not in given:
            self._tell()
        return {} if name is None else {self._registry.conversation_key: name}

    def _of_connection(self, request: Any) -> str | None:
        # The SDK (mcp 2.3) makes a session for each request and, from revision 2026-07-28 on, a connection too. What
        # lasts is the channel by which the server sends by itself; a request that is a connection of its own has none.
        connection = getattr(request.session, "_connection", request.session)
        if not getattr(connection, "has_standalone_channel", True):
            return None
        return self._names.setdefault(getattr(connection, "outbound", connection), uuid.uuid4().hex)

    def _tell(self) -> None:
        if not self._told and any(spec.continues is not None for spec in self._registry.specs.values()):
            self._told = True
            logger.warning(
                "a client's requests are connections of their own, so that none of its pages can be continued: give "
                "server(conversation=...), or a context that has %r",
                self._registry.conversation_key,
            )
