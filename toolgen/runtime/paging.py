"""The place in its pages of each call: taken before it runs, kept further on when it is done, put back when it is not.

A store may block, fail, or answer when nobody waits any more. What it then did is undone, so that a page that was not
given can be asked for again.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from toolgen.runtime.attempts import GRACE, finished_in_thread
from toolgen.runtime.chains import Chains, First, Held, RestoreError
from toolgen.runtime.continuations import Continuation, ContinuationStore
from toolgen.runtime.failures import ToolFailure
from toolgen.runtime.issues import ContextError, PayloadError
from toolgen.runtime.observing import logger
from toolgen.runtime.registration import Registered
from toolgen.runtime.spec import ToolSpec

Spec = ToolSpec[Any, Any, Any]

_LONGEST = 3600.0
_MARGIN = 60.0
"""Seconds for which a call holds a place in a chain beyond its handler's timeout, or, without one, at most."""


class Paging:
    """Takes, keeps and puts back the places of calls.

    Args:
        store: where they are kept.
        key: the key of the execution context that tells conversations apart.
        ttl: seconds after which a place expires.
    """

    def __init__(self, store: ContinuationStore, *, key: str, ttl: float) -> None:
        self.key = key
        self._chains = Chains(store, ttl=ttl)

    def look(self, spec: Spec, context: Mapping[str, object]) -> Continuation:
        """The place that a call of the continuation would go on from. It is not taken, and the store may block.

        Raises:
            ToolFailure: there is none.
            ContextError: nothing tells the conversation.
        """
        return self._chains.look(self._conversation(spec, context), spec)

    def first(self, spec: Spec, payload: Any, context: Mapping[str, object]) -> First | None:
        """What later pages of a call are restored from: its payload as it is before the handler gets it.

        None, with a warning, where nothing tells the conversation.

        Raises:
            RestoreError: the payload can't be saved, of a spec put together by hand.
        """
        try:
            conversation = self._conversation(spec, context)
        except ContextError as error:
            logger.warning("the pages of %s can't be continued: %s", spec.name, error)
            return None
        try:
            return First(conversation, spec, spec.execution.encode(payload))
        except PayloadError as error:
            raise RestoreError(f"the payload of {spec.name} can't be saved for its later pages: {error}") from error

    async def take(self, tool: Registered, context: Mapping[str, object]) -> Held:
        """The place that a continuation goes on from, taken for as long as the call may run.

        Raises:
            ToolFailure: there is none, or the store can't be reached.
            ContextError: nothing tells the conversation.
        """
        conversation = self._conversation(tool.spec, context)
        lease = _LONGEST if tool.timeout is None else tool.timeout + _MARGIN
        take = self._chains.take
        held: Held = await _stored(tool, take, conversation, tool.spec, lease, undo=self._chains.release)
        return held

    async def keep(self, tool: Registered, place: First | Held, cursor: str | None) -> None:
        """Keep where the next page starts, or that there is none.

        Raises:
            ToolFailure: the store can't be reached.
        """
        if isinstance(place, First):
            given_up = threading.Event()
            try:
                await _stored(tool, self._chains.begin, place, cursor, given_up, undo=self._chains.go_back)
            except BaseException:
                given_up.set()
                raise
        else:
            await _stored(tool, self._chains.advance, place, cursor, undo=self._chains.go_back)

    async def put_back(self, tool: Registered, held: Held) -> None:
        """Let the page be asked for again. What hinders it is told to the operator: the call has its answer already."""
        try:
            await finished_in_thread(self._chains.release, held, timeout=GRACE)
        except Exception as error:
            told = "the page of %s that was not given can't be asked for again before %s seconds are over"
            logger.error(told, tool.spec.name, round(held.lease), exc_info=error)

    def _conversation(self, spec: Spec, context: Mapping[str, object]) -> str:
        """The name of the conversation, which must not be another one's too: what has no text of its own is refused."""
        value = context.get(self.key)
        if value is None or (isinstance(value, str) and not value.strip()):
            raise ContextError.missing([self.key], tool=spec.name)
        if isinstance(value, bool) or not isinstance(value, str | int | uuid.UUID):
            problem = (
                f"tells conversations apart, and must be text, a number or a UUID, but is a {type(value).__name__}"
            )
            raise ContextError({self.key: problem}, tool=spec.name)
        return str(value)


async def _stored(
    tool: Registered, method: Callable[..., Any], *arguments: Any, undo: Callable[[Any], object] | None = None
) -> Any:
    try:
        return await finished_in_thread(method, *arguments, timeout=tool.timeout, undo=undo)
    except ToolFailure:
        raise
    except Exception as error:
        raise ToolFailure("unavailable", "the place in its pages can't be reached", "replan") from error
