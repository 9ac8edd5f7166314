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
from toolgen.runtime.concurrency import Turn
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

    Cancelling the future does not stop the thread. ``ended`` is called when the thread is done, however late that is:
    in the loop, while there is one. A daemon thread does not keep a process alive.
    """
    return _started(function, arguments, ended or _nothing, _nothing)


async def finished_in_thread(
    function: Callable[..., Any],
    *arguments: Any,
    timeout: float | None,
    undo: Callable[[Any], object] | None = None,
) -> Any:
    """What ``function`` gives in a thread, where it does so in time. Once begun it runs to its end.

    ``undo`` is called in a thread with what it gave when nobody waits for that any more.

    Raises:
        TimeoutError: it takes longer than ``timeout`` seconds.
        asyncio.CancelledError: the caller was cancelled.
        Exception: whatever the function raised.
    """
    undo = undo or _nothing
    future = _started(function, arguments, _nothing, undo)
    try:
        async with asyncio.timeout(timeout):
            return await asyncio.shield(future)
    except BaseException:
        future.add_done_callback(lambda done: None if done.exception() else in_thread(_undone, undo, done.result()))
        raise


def _nothing(*_: Any) -> None:
    """Stands where nothing is to be done."""


def _undone(undo: Callable[[Any], object], value: Any) -> None:
    try:
        undo(value)
    except Exception:
        logger.exception("what was done for a call that nobody waits for can't be undone")


def _started(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    ended: Callable[[], object],
    undo: Callable[[Any], object],
) -> asyncio.Future[Any]:
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()
    context = contextvars.copy_context()

    def settle(value: Any, error: BaseException | None) -> None:
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
        try:
            loop.call_soon_threadsafe(settle, value, error)
        except RuntimeError:  # the loop is closed: nobody waits
            with suppress(RuntimeError):
                ended()
            if error is None:
                _undone(undo, value)

    try:
        threading.Thread(target=work, daemon=True, name="toolgen-handler").start()
    except BaseException:  # no more threads
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
