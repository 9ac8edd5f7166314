"""One run of a handler: in a task or a thread, for so long and no longer, and so that nothing it does gets out."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from toolgen.runtime.calls import CallContext
from toolgen.runtime.failures import ToolFailure
from toolgen.runtime.issues import ContextError, PayloadError
from toolgen.runtime.observing import logger

GRACE = 1.0
"""Seconds for which a handler that was cancelled may tidy up before its answer is given without it."""


class HandlerLeft(Exception):
    """A handler left in a way that would be taken for something else.

    SystemExit would end the process, a cancellation of its own would pass for the caller's, and what another codec
    refuses would be told to the model as a refusal of its own arguments.
    """


def in_thread(
    function: Callable[..., Any], *arguments: Any, ended: Callable[[], object] | None = None
) -> asyncio.Future[Any]:
    """A future of what ``function`` gives in a daemon thread of its own, with the caller's context variables.

    Cancelling the future does not stop the thread. ``ended`` is called in the loop when the thread is done, however
    late that is. A daemon thread does not keep a process alive.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def settle(value: Any, error: BaseException | None) -> None:
        if ended is not None:
            ended()
        if future.done():
            return
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)

    def work() -> None:
        value, error = None, None
        try:
            value = context.run(function, *arguments)
        except BaseException as raised:
            error = as_raised(raised)
        with suppress(RuntimeError):  # the loop is closed: nobody waits
            loop.call_soon_threadsafe(settle, value, error)

    try:
        threading.Thread(target=work, daemon=True, name="toolgen-handler").start()
    except BaseException:  # no more threads
        if ended is not None:
            ended()
        raise
    return future


_TAKEN_OTHERWISE = (StopIteration, PayloadError, ContextError)


def as_raised(error: BaseException) -> Exception:
    """What a program's own code raised, as what its call may end with: a ToolFailure or any other plain exception.

    A ToolFailure that is alone in its group, as ``asyncio.TaskGroup`` gives it, is that failure.
    """
    alone = error
    while isinstance(alone, BaseExceptionGroup) and len(alone.exceptions) == 1:
        alone = alone.exceptions[0]
    if isinstance(alone, ToolFailure):
        return alone
    if isinstance(error, Exception) and not isinstance(error, _TAKEN_OTHERWISE):
        return error
    left = HandlerLeft(f"it raised {type(error).__name__}")
    left.__cause__ = error
    return left


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


async def attempt(
    handler: Callable[[Any, Any], Any],
    payload: Any,
    ctx: CallContext,
    *,
    is_async: bool,
    turn: Turn,
) -> Any:
    """What the handler gives, within ``ctx.timeout`` seconds. It holds the turn until it has really come to its end.

    Raises:
        ToolFailure: it took too long, or raised one.
        HandlerLeft: it raised what would be taken for something else, or cancelled itself.
        asyncio.CancelledError: the caller was cancelled; the handler has been told.
        Exception: whatever else the handler raised.
    """
    task = asyncio.ensure_future(_awaited(handler, payload, ctx, None if is_async else turn))
    turn.hold()
    task.add_done_callback(lambda _: turn.end())
    try:
        done, _ = await asyncio.wait({task}, timeout=ctx.timeout)
        if done:
            return _result(task)
        await _stop(task, ctx)
    except asyncio.CancelledError:
        await _stop(task, ctx)
        raise
    raise ToolFailure("timeout", f"it did not finish within {ctx.timeout:g} seconds", "replan")


async def _awaited(
    handler: Callable[[Any, Any], Any], payload: Any, ctx: CallContext, turn_of_thread: Turn | None
) -> Any:
    try:
        if turn_of_thread is None:
            value = handler(payload, ctx)
        else:
            turn_of_thread.hold()
            value = await in_thread(handler, payload, ctx, ended=turn_of_thread.end)
        return await value if inspect.isawaitable(value) else value
    except (asyncio.CancelledError, KeyboardInterrupt):
        raise
    except BaseException as error:  # SystemExit would end the loop, and with it every other call
        raised = as_raised(error)
        raise raised from raised.__cause__


def _result(task: asyncio.Future[Any]) -> Any:
    if task.cancelled():
        raise HandlerLeft("the handler cancelled itself")
    return task.result()


async def _stop(task: asyncio.Future[Any], ctx: CallContext) -> None:
    """Cancel the handler, and wait for it for a moment. What it still raises is logged, since nobody else hears it."""
    ctx.cancel()
    task.cancel()
    task.add_done_callback(_heard)
    await asyncio.wait({task}, timeout=GRACE)
    if not task.done():
        logger.error("the handler of %s goes on %g seconds after it was cancelled", ctx.tool, GRACE)


def _heard(task: asyncio.Future[Any]) -> None:
    if not task.cancelled() and task.exception() is not None:
        logger.debug("a cancelled handler raised", exc_info=task.exception())
