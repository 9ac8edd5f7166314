"""Where a later page starts: what the runtime keeps between two calls of a conversation, and where."""

from __future__ import annotations

import hashlib
import json
import threading
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from toolgen.runtime.hints import is_async, signature_of
from toolgen.runtime.numbers import written

CURSOR: Final = "cursor"
"""The field of a continuation's execution input that says where its page starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Continuation:
    """How far the pages of one tool have come in one conversation.

    Attributes:
        tool: the wire name of the tool that began the pages.
        fingerprint: of its execution schema, when ``payload`` was saved.
        payload: its execution payload, as its execution codec wrote it.
        cursor: where the next page starts; None when the last page was given.
        expires_at: when this is worth nothing any more, in seconds since 1970.
        taken_until: until when a call that fetches the next page holds it, in seconds since 1970; 0: none does.
        version: another one each time anything changes.
    """

    tool: str
    fingerprint: str
    payload: bytes
    cursor: str | None
    expires_at: float
    taken_until: float = 0.0
    version: str = field(default_factory=lambda: uuid.uuid4().hex)

    def changed(self, *, cursor: str | None, expires_at: float, taken_until: float) -> Continuation:
        """The same chain of pages, further on or in other hands, as a version of its own."""
        version = uuid.uuid4().hex
        return replace(self, cursor=cursor, expires_at=expires_at, taken_until=taken_until, version=version)


class ContinuationStore(Protocol):
    """Keeps one ``Continuation`` for each conversation and tool.

    ``ToolRegistry.run`` calls it in worker threads, several at a time; what a method raises fails the call, and is
    told to the operator. Values come back equal to what was saved, after a restart too where the store is durable.
    What has expired may be removed at any time. ``toolgen.testing.check_store`` tries a store on all of this.
    """

    def load(self, conversation: str, tool: str) -> Continuation | None:
        """What is kept, expired or not, or None."""
        ...

    def add(self, conversation: str, continuation: Continuation) -> bool:
        """Keep ``continuation`` under its tool if nothing is kept there, in one step that no other call can come
        between: a call that another one has overtaken, perhaps in another process, must not undo what that has kept.

        Gives whether it was done.
        """
        ...

    def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
        """Keep ``continuation`` in the place of what is kept there if that still has this version, in one such step.

        Gives whether it was done.
        """
        ...


def judge_store(store: object) -> None:
    """Raises TypeError where ``store`` lacks a method of ``ContinuationStore``, or has one that nobody would await or
    that can't be called as the protocol says."""
    if isinstance(store, type):
        raise TypeError(f"the store is the class {store.__name__}: give an instance of it")
    for name, arguments in _METHODS.items():
        method = getattr(store, name, None)
        if not callable(method) or is_async(method):
            wrong = "no method" if method is None else "no plain method"
            raise TypeError(f"the store is a {type(store).__name__}, which has {wrong} {name}: see ContinuationStore")
        signature = signature_of(method)
        try:
            if signature is not None:
                signature.bind(*arguments)
        except TypeError as error:
            wanted = ", ".join(arguments)
            told = f"the store is a {type(store).__name__}, whose {name}{signature} can't be called with ({wanted})"
            raise TypeError(f"{told}: {error}. See ContinuationStore") from None


_METHODS: Final = {
    "load": ("conversation", "tool"),
    "add": ("conversation", "continuation"),
    "swap": ("conversation", "version", "continuation"),
}


KEPT_AFTER_EXPIRY = 24 * 3600.0
"""Seconds for which the stores here keep what has expired, so that a model can be told that it has."""


class MemoryStore:
    """Keeps continuations in this process, ``most`` at a time: the oldest goes first.

    Raises:
        ValueError: it could keep none.
    """

    def __init__(self, *, most: int = 100_000) -> None:
        if type(most) is not int or most < 1:
            raise ValueError(f"most is {written(most)}, not a whole number above 0")
        self._most = most
        self._kept: dict[tuple[str, str], Continuation] = {}
        self._lock = threading.Lock()

    def load(self, conversation: str, tool: str) -> Continuation | None:
        """What is kept, expired or not, or None."""
        return self._kept.get((conversation, tool))

    def add(self, conversation: str, continuation: Continuation) -> bool:
        """Keep ``continuation`` if nothing is kept for its tool."""
        key = (conversation, continuation.tool)
        with self._lock:
            if key in self._kept:
                return False
            self._put(key, continuation)
            return True

    def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
        """Keep ``continuation`` if the one in its place has this version."""
        key = (conversation, continuation.tool)
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or kept.version != version:
                return False
            self._put(key, continuation)
            return True

    def _put(self, key: tuple[str, str], continuation: Continuation) -> None:
        self._kept.pop(key, None)  # so that the order is that of use
        self._kept[key] = continuation
        while len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]


def fingerprint(schema: Mapping[str, Any]) -> str:
    """A short text that differs where two schemas do; the order of keys does not count."""
    return hashlib.sha256(json.dumps(schema, sort_keys=True).encode()).hexdigest()[:16]
