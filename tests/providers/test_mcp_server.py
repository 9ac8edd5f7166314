"""A registry as an MCP server, tried by the official client and by fastmcp's."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest

pytestmark = pytest.mark.once
pytest.importorskip("mcp")
pytest.importorskip("fastmcp")

import anyio  # noqa: E402
import fastmcp  # noqa: E402
from fastmcp.client.transports import StdioTransport  # noqa: E402
from mcp.client import Client  # noqa: E402
from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: E402
from mcp.shared.memory import create_client_server_memory_streams  # noqa: E402

from generated.support import TOOLSET  # noqa: E402
from toolgen.providers import mcp  # noqa: E402
from toolgen.runtime import ToolCall, ToolRegistry  # noqa: E402

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CONTEXT = {"tenant": "acme", "agent": "ada"}
COMMAND = ["-m", "toolgen", "serve", "mcp", "desk_server", "--context", 'tenant="acme"', "--context", 'agent="ada"']
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{HERE}{os.pathsep}{ROOT}"}

Call = Callable[[str, dict[str, Any] | None], Awaitable[Any]]


def made(**options: Any) -> Any:
    import desk_server

    return mcp.server(desk_server.registry, **{"context": CONTEXT, **options})


async def hold_a_conversation(call: Call) -> None:
    """What every client, over every transport, comes to."""
    found = await call("search_tickets", {"query": "vpn"})
    assert not found.is_error
    assert found.structured_content["tickets"][0]["title"] == "vpn for acme"
    assert '"title":"vpn for acme"' in found.content[0].text
    more = await call("more_tickets", None)
    assert more.structured_content["tickets"][0]["title"] == "vpn again"
    listed = await call("list_products", {})
    assert (listed.structured_content, listed.content[0].text) == (
        {"result": ["router", "phone"]},
        '["router","phone"]',
    )
    for arguments, words in (({}, "/query: is missing"), ({"query": "x", "limit": 0}, "/limit"), ({"q": 1}, "/q")):
        refused = await call("search_tickets", arguments)
        assert refused.is_error
        assert words in refused.content[0].text
    down = await call("search_tickets", {"query": "down"})
    assert down.is_error
    assert "Do not call search_tickets again" in down.content[0].text
    unknown = await call("serch_tickets", {})
    assert unknown.is_error
    assert "Did you mean search_tickets?" in unknown.content[0].text


def held_to_its_tools(tools: list[Any]) -> None:
    assert [tool.name for tool in tools] == list(TOOLSET)
    for tool in tools:
        assert tool.input_schema == TOOLSET[tool.name].model.schema
    search = tools[0]
    assert search.output_schema["required"] == ["tickets", "returned", "truncated"]
    assert (search.annotations.read_only_hint, search.annotations.destructive_hint) == (True, None)


def test_the_official_client_in_memory() -> None:
    async def run() -> None:
        async with Client(made(conversation="one")) as client:
            held_to_its_tools((await client.list_tools()).tools)
            await hold_a_conversation(lambda name, given: client.call_tool(name, given))

    asyncio.run(run())


def test_the_official_client_over_stdio() -> None:
    async def run() -> None:
        parameters = StdioServerParameters(command=sys.executable, args=COMMAND, env=ENVIRONMENT)
        async with Client(stdio_client(parameters)) as client:
            held_to_its_tools((await client.list_tools()).tools)
            await hold_a_conversation(lambda name, given: client.call_tool(name, given))

    asyncio.run(run())


def test_the_client_of_fastmcp_over_stdio() -> None:
    async def run() -> None:
        transport = StdioTransport(sys.executable, COMMAND, env=ENVIRONMENT)
        async with fastmcp.Client(transport) as client:
            held_to_its_tools(await client.list_tools())
            await hold_a_conversation(lambda name, given: client.call_tool(name, given or {}, raise_on_error=False))

    asyncio.run(run())


REQUESTS = [
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "a client", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/call", "params": {"name": "list_products", "arguments": {}}},
]
PRINTED = [
    "printed on import",
    "printed past the redirection",
    "printed by the handler",
    "printed to what was kept",
    "written to the descriptor",
    "printed by a child",
]
OWN_SCRIPT = """
import asyncio, talkative_server
from toolgen.providers import mcp
asyncio.run(mcp.serve(talkative_server.registry))
"""


@pytest.mark.parametrize(
    ("command", "missed"),
    [
        (["-m", "toolgen", "serve", "mcp", "talkative_server"], 0),
        (["-u", "-m", "toolgen", "serve", "mcp", "talkative_server"], 0),
        (["-c", OWN_SCRIPT], 2),  # what it printed before it served
    ],
)
def test_what_is_printed_stays_out_of_the_protocol(command: list[str], missed: int) -> None:
    with Popen([sys.executable, *command], env=ENVIRONMENT, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        for request in REQUESTS:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **request}) + "\n")
        server.stdin.flush()
        lines = [server.stdout.readline() for _ in range(2 + missed)]
        rest, errors = server.communicate(timeout=60)
    lines += rest.splitlines()
    assert [json.loads(line)["id"] for line in lines[missed:]] == [1, 2]
    assert [line.strip() for line in lines[:missed]] == PRINTED[:missed]
    assert sorted(PRINTED[missed:]) == sorted(line for line in errors.splitlines() if line in PRINTED)


def test_a_context_may_come_from_a_function() -> None:
    async def context(call: ToolCall) -> Mapping[str, object]:
        return {"tenant": f"tenant of {call.name}"}

    async def run() -> None:
        async with Client(made(context=context)) as client:
            found = await client.call_tool("search_tickets", {"query": "vpn"})
            assert found.structured_content["tickets"][0]["title"] == "vpn for tenant of search_tickets"

    asyncio.run(run())


def test_without_a_context_a_tool_fails_in_words_that_do_not_tell_why() -> None:
    async def run() -> None:
        async with Client(made(context=None)) as client:
            found = await client.call_tool("search_tickets", {"query": "vpn"})
            assert found.is_error
            assert "tenant" not in found.content[0].text

    asyncio.run(run())


def broken(call: ToolCall) -> Any:
    raise RuntimeError("secret: the database is down")


async def broken_later(call: ToolCall) -> Any:
    return broken(call)


@pytest.mark.parametrize("context", [broken, broken_later, lambda call: 5])
def test_a_context_that_can_not_be_made_is_a_result_that_does_not_tell_why(
    context: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        async with Client(made(context=context)) as client:
            found = await client.call_tool("list_products", {})
            assert found.is_error
            assert "list_products failed: it is not set up" in found.content[0].text
            assert "secret" not in found.content[0].text

    asyncio.run(run())
    assert "list_products" in caplog.text


@asynccontextmanager
async def streamed(server: Any) -> AsyncIterator[Any]:
    """A client's end of a stream to the server, as it has over stdio."""
    async with create_client_server_memory_streams() as (client, served), anyio.create_task_group() as group:
        group.start_soon(server.run, *served, server.create_initialization_options())
        yield client
        group.cancel_scope.cancel()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_each_client_on_a_stream_continues_its_own_pages_and_no_others(mode: str) -> None:
    async def run() -> None:
        server = made()
        async with Client(streamed(server), mode=mode) as one, Client(streamed(server), mode=mode) as other:
            await one.call_tool("search_tickets", {"query": "vpn"})
            refused = await other.call_tool("more_tickets", {})
            assert "call search_tickets first" in refused.content[0].text
            assert not (await one.call_tool("more_tickets", {})).is_error

    asyncio.run(run())


def test_a_client_without_a_connection_that_lasts_continues_pages_where_its_conversation_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def ask(**options: Any) -> Any:
        async with Client(made(**options)) as client:
            await client.call_tool("search_tickets", {"query": "vpn"})
            return await client.call_tool("more_tickets", {})

    assert not asyncio.run(ask(conversation="one")).is_error
    assert not asyncio.run(ask(context={**CONTEXT, "conversation": "one"})).is_error
    assert "none of its pages" not in caplog.text
    refused = asyncio.run(ask())
    assert "it is not set up for this conversation" in refused.content[0].text
    assert caplog.text.count("none of its pages can be continued: give server(conversation=...)") == 1


def test_an_empty_registry_is_served_too() -> None:
    async def run() -> None:
        async with Client(mcp.server(ToolRegistry())) as client:
            assert (await client.list_tools()).tools == []

    asyncio.run(run())
