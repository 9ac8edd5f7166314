"""Chains of pages: a tool that began them, the tools that go on with them, and the place that they have come to.

Every continuation of a tool goes on from the one place that its conversation has come to. A call takes that place for
as long as it may run, so that no page is given twice; when it fails, the place is put back.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from toolgen.runtime import words
from toolgen.runtime.codec import Reading
from toolgen.runtime.continuations import CURSOR, Continuation, ContinuationStore, fingerprint
from toolgen.runtime.failures import ToolFailure
from toolgen.runtime.issues import PayloadError
from toolgen.runtime.spec import ToolSpec

Spec = ToolSpec[Any, Any, Any]

_MOST_TRIES = 100
"""Times that another process may change a place between a look and what is kept on it. More is a fault of the store."""


@dataclass(frozen=True, slots=True)
class First:
    """What a chain would begin with: the tool whose first page it is, and the payload as its execution codec wrote it.

    It is written before the handler gets the payload, which it may change.
    """

    conversation: str
    spec: Spec
    saved: bytes


@dataclass(frozen=True, slots=True)
class Held:
    """A place in a chain that a call has taken for ``lease`` seconds: as it was, and as it is kept meanwhile."""

    conversation: str
    was: Continuation
    taken: Continuation
    lease: float


@dataclass(frozen=True, slots=True)
class Gone:
    """A place that was kept further on than it was, or begun anew."""

    conversation: str
    was: Continuation
    further: Continuation


class Chains:
    """Saves, takes and gives back the places of chains.

    Args:
        store: where they are kept.
        ttl: seconds after which a place expires.
        clock: the time in seconds since 1970.
    """

    def __init__(self, store: ContinuationStore, *, ttl: float, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._ttl = ttl
        self._clock = clock
        self._guard = threading.Lock()
        self._beginning: WeakValueDictionary[tuple[str, str], threading.Lock] = WeakValueDictionary()

    def begin(self, first: First, cursor: str | None, given_up: threading.Event | None = None) -> Gone | None:
        """Keep the first page's payload and cursor. With no cursor, the chain ends there; so does an older one.

        Nothing is begun once ``given_up`` is set. A store may be so slow that a later call begins meanwhile: it keeps
        this one only where nothing has changed since it was looked at. Calls of one process begin in turn besides, so
        that the later one, and not the faster, is the one that is kept.

        Raises:
            RuntimeError: the store keeps nothing, and gives no reason.
        """
        begun = Continuation(
            tool=first.spec.name,
            fingerprint=fingerprint(first.spec.execution.schema),
            payload=first.saved,
            cursor=cursor,
            expires_at=self._clock() + self._ttl,
        )
        conversation, tool = first.conversation, begun.tool
        with self._turn(conversation, tool):
            for _ in range(_MOST_TRIES):
                if given_up is not None and given_up.is_set():
                    return None
                was = self._store.load(conversation, tool)
                if was is None:
                    was, done = _nothing(begun), self._store.add(conversation, begun)
                else:
                    done = self._store.swap(conversation, was.version, begun)
                if done:
                    return Gone(conversation, was, begun)
        raise RuntimeError(f"the store keeps no place of {tool}: try it with toolgen.testing.check_store")

    def _turn(self, conversation: str, tool: str) -> threading.Lock:
        with self._guard:
            return self._beginning.setdefault((conversation, tool), threading.Lock())

    def look(self, conversation: str, spec: Spec) -> Continuation:
        """The place from which the continuation ``spec`` would go on.

        Raises:
            ToolFailure: there is none, it has expired or ended, or another call has taken it.
        """
        origin = spec.continues or ""
        kept = self._store.load(conversation, origin)
        now = self._clock()
        if kept is None:
            raise ToolFailure("invalid_call", f"there is nothing to continue yet: call {origin} first", "replan")
        if kept.expires_at <= now:
            raise ToolFailure("invalid_call", f"the pages of {origin} have expired: call {origin} again", "replan")
        if kept.taken_until > now:
            message = (
                f"another call of this conversation is fetching the next page of {origin}: wait for its result, and if "
                f"none comes call again in {words.count(math.ceil(kept.taken_until - now), 'second')}"
            )
            raise ToolFailure("invalid_call", message, "replan")
        if kept.cursor is None:
            # Its result may still be truncated, with a hint in the place of a cursor.
            message = f"the last call gave the last page of {origin}: there are no more, so work with those you have"
            raise ToolFailure("invalid_call", f"{message}, or call {origin} with other arguments", "replan")
        return kept

    def take(self, conversation: str, spec: Spec, lease: float) -> Held:
        """Take the place for at most ``lease`` seconds.

        Raises:
            ToolFailure: as ``look``.
        """
        was = self.look(conversation, spec)
        now = self._clock()
        taken = was.changed(cursor=was.cursor, expires_at=was.expires_at, taken_until=now + lease)
        if not self._store.swap(conversation, was.version, taken):
            message = f"another call of this conversation has just taken the next page of {was.tool}"
            raise ToolFailure("invalid_call", f"{message}: wait for its result", "replan")
        return Held(conversation, was, taken, lease)

    def advance(self, held: Held, cursor: str | None) -> Gone | None:
        """Go on to the next page's cursor, unless the chain was begun anew meanwhile."""
        further = held.taken.changed(cursor=cursor, expires_at=self._clock() + self._ttl, taken_until=0.0)
        done = self._store.swap(held.conversation, held.taken.version, further)
        return Gone(held.conversation, held.was, further) if done else None

    def go_back(self, gone: Gone | None) -> None:
        """Put the place back to where it was before ``begin`` or ``advance``, unless another call has gone on since."""
        if gone is not None:
            self._store.swap(gone.conversation, gone.further.version, gone.was)

    def release(self, held: Held) -> None:
        """Put the place back, so that the page can be asked for again."""
        self._store.swap(held.conversation, held.taken.version, held.was)


def _nothing(begun: Continuation) -> Continuation:
    """Stands where nothing was kept before ``begun``: a store can't take out a place, so that one has expired."""
    return begun.changed(cursor=None, expires_at=0.0, taken_until=0.0)


def restored_input(kept: Continuation) -> bytes:
    """The execution input of a continuation: what its source ran on, and the cursor."""
    saved = msgspec.json.decode(kept.payload, type=dict[str, msgspec.Raw])
    return msgspec.json.encode({**saved, CURSOR: kept.cursor})


def restored_reading(kept: Continuation, spec: Spec, source: Spec | None, context: Mapping[str, object]) -> Reading:
    """The payload of a continuation, and what of it was saved.

    Raises:
        ToolFailure: what was saved does not fit the tool as it is now; its cause is a RestoreError, for the operator.
        ContextError: an injected value is missing or bad.
    """
    try:
        return spec.execution.read(restored_input(kept), context)
    except (PayloadError, msgspec.MsgspecError) as error:
        origin = kept.tool
        now = fingerprint(source.execution.schema) if source is not None else "unknown"
        cause = RestoreError(
            f"{spec.name} can't go on from what {origin} saved: {error}. It was saved under the execution schema "
            f"{kept.fingerprint} of {origin}, which now has {now}"
        )
        message = f"the pages of {origin} can't be continued: call {origin} again"
        # Not unavailable: what was saved stays as it is, and a later call can do no more with it.
        raise ToolFailure("invalid_call", message, "replan") from cause


class RestoreError(Exception):
    """Saved execution data that the tool can't read any more: it names both tools and both schemas."""
