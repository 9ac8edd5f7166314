"""Turns: how many calls run at once in one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from toolgen.runtime.failures import ToolFailure


class Turn:
    """A call's turn among those that run at once: given back when everything that holds it has ended.

    A handler that nobody waits for any more still works, and holds it until it is done.
    """

    def __init__(self, give_back: Callable[[], object]) -> None:
        self._holders = 1
        self._give_back = give_back

    def hold(self) -> None:
        """One more part of the call has begun."""
        self._holders += 1

    def end(self) -> None:
        """One part has ended."""
        self._holders -= 1
        if self._holders == 0:
            self._give_back()


@dataclass(slots=True)
class _Line:
    """The calls of one loop: those that run and those that wait for their turn."""

    free: asyncio.Semaphore
    calls: int = 0


class Turns:
    """Gives each call its turn, for each event loop apart.

    A loop is known for as long as a call of it runs or waits: a program that starts a loop for each call would keep
    them all otherwise.

    Args:
        most: calls that run at once in one loop.
        wait: most seconds that a call waits for its turn.
    """

    def __init__(self, most: int, wait: float) -> None:
        self._most = most
        self._wait = wait
        self._lines: dict[asyncio.AbstractEventLoop, _Line] = {}

    async def take(self) -> Turn:
        """The next turn.

        Raises:
            ToolFailure: none was free in time.
        """
        loop = asyncio.get_running_loop()
        line = self._lines.setdefault(loop, _Line(asyncio.Semaphore(self._most)))
        line.calls += 1
        try:
            async with asyncio.timeout(self._wait):
                await line.free.acquire()
        except BaseException as error:
            self._leave(loop, line)
            if isinstance(error, TimeoutError):
                raise ToolFailure("unavailable", "too many calls are running", "replan") from None
            raise

        def give_back() -> None:
            self._leave(loop, line)
            line.free.release()

        return Turn(give_back)

    def _leave(self, loop: asyncio.AbstractEventLoop, line: _Line) -> None:
        line.calls -= 1
        if line.calls == 0:
            self._lines.pop(loop, None)
