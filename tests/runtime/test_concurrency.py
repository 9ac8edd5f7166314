"""Turns of calls, loop by loop."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from typing import Any

import pytest

from generated.support import list_products
from toolgen.runtime import CallContext, ToolCall, ToolFailure, ToolRegistry
from toolgen.runtime.concurrency import Turns


def test_a_registry_lets_go_of_the_loops_that_its_calls_ran_in() -> None:
    registry = ToolRegistry(concurrency=1)
    registry.handles(list_products.SPEC)(lambda payload, ctx: [])
    loops: list[weakref.ref[Any]] = []

    async def main() -> None:
        loops.append(weakref.ref(asyncio.get_running_loop()))
        await registry.run_all([ToolCall(str(n), "list_products") for n in range(3)])

    for _ in range(3):
        asyncio.run(main())
    gc.collect()
    assert [loop() for loop in loops] == [None] * 3


def test_a_loop_that_ends_before_a_thread_of_it_is_let_go_of_when_that_ends() -> None:
    go_on, done = threading.Event(), threading.Event()
    registry = ToolRegistry(timeout=0.02)

    @registry.handles(list_products.SPEC)
    def handler(payload: Any, ctx: CallContext) -> list[str]:
        go_on.wait(5)
        done.set()
        return []

    loops: list[weakref.ref[Any]] = []

    async def main() -> None:
        loops.append(weakref.ref(asyncio.get_running_loop()))
        await registry.run(ToolCall("1", "list_products"))

    asyncio.run(main())
    go_on.set()
    assert done.wait(5)
    for thread in threading.enumerate():
        if thread.name == "toolgen-handler":
            thread.join(5)
    gc.collect()
    assert loops[0]() is None


def test_a_turn_that_is_waited_for_in_vain_is_given_to_nobody() -> None:
    async def main() -> None:
        turns = Turns(1, 0.02)
        first = await turns.take()
        for _ in range(3):
            with pytest.raises(ToolFailure, match="too many calls"):
                await turns.take()
        waiting = asyncio.create_task(Turns(1, 5).take())
        waiting.cancel()
        first.hold()
        first.end()
        with pytest.raises(ToolFailure, match="too many calls"):
            await turns.take()
        first.end()
        (await turns.take()).end()
        assert not turns._lines

    asyncio.run(main())


def test_a_turn_that_is_cancelled_while_it_is_waited_for_is_free_for_the_next() -> None:
    async def main() -> None:
        turns = Turns(1, 5)
        first = await turns.take()
        waiting = [asyncio.create_task(turns.take()) for _ in range(2)]
        await asyncio.sleep(0)
        first.end()
        waiting[0].cancel()
        (await waiting[1]).end()
        assert not turns._lines

    asyncio.run(main())
