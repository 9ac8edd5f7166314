"""Several things at once, of which none goes on after one has failed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from typing import Any, TypeVar

from toolgen.runtime.attempts import GRACE

T = TypeVar("T")


async def together(awaitables: Iterable[Awaitable[T]]) -> list[T]:
    """What all of them give, in their order, whatever finishes first.

    Raises:
        BaseException: what the first to fail raised; the others are cancelled, and waited for a moment.
    """
    tasks: list[asyncio.Future[T]] = []
    try:
        tasks.extend(asyncio.ensure_future(each) for each in awaitables)
        return await asyncio.gather(*tasks)
    except BaseException:
        await _stop(tasks)
        raise


async def _stop(tasks: Sequence[asyncio.Future[Any]]) -> None:
    for task in tasks:
        task.cancel()
        task.add_done_callback(_heard)
    if tasks:
        await asyncio.wait(tasks, timeout=GRACE)


def _heard(task: asyncio.Future[Any]) -> None:
    """Only the first error is raised: of another nothing is said."""
    if not task.cancelled():
        task.exception()
