"""Streams of a turn: deltas in, and the turn as it would have come in one piece out."""

from __future__ import annotations

from typing import Any, Protocol

from toolgen.providers.reading import json_of
from toolgen.runtime import ToolCall


class CutStreamError(Exception):
    """A stream that ended before its turn did: no call of it may be run, since any of them may be cut off.

    ``partial`` is the turn as far as it came, in the provider's shape.
    """

    def __init__(self, provider: str, reason: str, partial: Any) -> None:
        self.provider = provider
        self.partial = partial
        super().__init__(f"the stream from {provider} was cut: {reason}")


class Stream(Protocol):
    """Puts one turn together."""

    def add(self, event: Any, /) -> None:
        """Take the next event, a dict or an object of the SDK. Events that are not part of the turn are ignored."""
        ...

    def response(self) -> Any:
        """The turn, as plain dicts in the shape of a response that was not streamed.

        Raises:
            CutStreamError: the stream ended, or broke, before the turn did.
        """
        ...

    def calls(self) -> list[ToolCall]:
        """The calls of the turn, with their arguments as the text that was streamed.

        Raises:
            CutStreamError: as ``response``.
        """
        ...


_WHOLE = frozenset({"id", "type", "index", "format"})
"""Keys whose text comes whole, and may come again, where all other text comes in pieces."""


def added(old: Any, new: Any) -> Any:
    """What a stream has so far with a piece added to it: text to text, list to list, key by key."""
    if isinstance(old, str) and isinstance(new, str):
        return old + new
    if isinstance(old, bytes) and isinstance(new, bytes):
        return old + new
    if isinstance(old, list) and isinstance(new, list):
        return [*old, *new]
    if isinstance(old, dict) and isinstance(new, dict):
        fresh = {key: item if key in _WHOLE else added(old.get(key), item) for key, item in new.items()}
        return {**old, **{key: item for key, item in fresh.items() if item is not None}}
    return old if new is None else new


def object_of(text: str) -> dict[str, Any]:
    """Streamed arguments as the object that the turn must hold when it is sent back.

    A text that is no JSON object stands under the key ``INVALID_JSON``, as Anthropic's documents on fine-grained
    streaming ask for; ``{}`` would say that there were no arguments.
    """
    if not text.strip():
        return {}
    try:
        value = json_of(text)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"INVALID_JSON": text}
