"""Streams of a turn: deltas in, and the turn as it would have come in one piece out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from toolgen.providers.reading import fields, get, json_of, plain
from toolgen.runtime import ToolCall
from toolgen.runtime.kinds import json_type


class CutStreamError(Exception):
    """A stream that ended before its turn did: no call of it may be run, since any of them may be cut off.

    ``partial`` is the turn as far as it came, in the provider's shape.
    """

    def __init__(self, provider: str, reason: str, partial: Any) -> None:
        self.provider = provider
        self.partial = partial
        super().__init__(f"the stream from {provider} was cut: {reason}")


class Assembled(Protocol):
    """What puts a turn of one provider together."""

    def add(self, event: Any, /) -> None: ...
    def response(self) -> Any: ...
    def calls(self) -> list[ToolCall]: ...


@dataclass(frozen=True, slots=True)
class Stream:
    """Puts one turn together."""

    _assembled: Assembled
    _read: Callable[[list[ToolCall], Iterable[Any] | None], list[ToolCall]]

    def add(self, event: Any, /) -> None:
        """Take the next event, a dict or an object of the SDK. Events that are not part of the turn are ignored."""
        self._assembled.add(event)

    def response(self) -> Any:
        """The turn, as plain dicts in the shape of a response that was not streamed.

        Raises:
            CutStreamError: the stream ended, or broke, before the turn did.
        """
        return self._assembled.response()

    def calls(self, *, tools: Iterable[Any] | None = None) -> list[ToolCall]:
        """The calls of the turn, with their arguments as the text that was streamed.

        ``tools`` are the definitions that the model was told, as ``toolgen.providers.calls`` takes them.

        Raises:
            CutStreamError: as ``response``.
            ValueError, TypeError: as ``toolgen.providers.calls``, where ``tools`` are not what the model was told.
        """
        return self._read(self._assembled.calls(), tools)


class MisfitError(ValueError):
    """An event, or a piece in one, that fits nothing of the turn; the message says why."""


class Assembly(ABC):
    """What streams share: an event that does not fit is no error of who gives it, but why the turn is not whole."""

    def __init__(self) -> None:
        self._misfit: str | None = None

    def add(self, event: Any, /) -> None:
        """Take the next event."""
        try:
            self._take(event)
        except MisfitError as error:
            self._misfit = self._misfit or str(error)

    @abstractmethod
    def _take(self, event: Any) -> None:
        """Take the next event.

        Raises:
            MisfitError: it does not fit.
        """


NEVER_BEGAN = "a piece came of a call that never began"


def begin(blocks: dict[int, dict[str, Any]], index: int, block: dict[str, Any]) -> None:
    """Add a block that begins.

    Raises:
        MisfitError: another one began at this index, so that one of the two would be lost.
    """
    if index in blocks and blocks[index] != block:
        raise MisfitError(f"two blocks began at the index {index}")
    blocks[index] = block


def text_in(event: Any, name: str) -> str:
    """The text that stands in an event under a key; none where there is no such key.

    Raises:
        MisfitError: something else stands there.
    """
    found = get(event, name, "")
    if not isinstance(found, str):
        raise MisfitError(f"{name} in an event is {_kind(found)}, and not text")
    return found


def index_in(event: Any, name: str) -> int:
    """The number of a block or an item, which stands in an event under a key; 0 where there is no such key.

    Raises:
        MisfitError: something else stands there.
    """
    found = get(event, name, 0)
    if type(found) is not int:
        raise MisfitError(f"{name} in an event is {_kind(found)}, and not a whole number")
    return found


def object_in(event: Any, name: str) -> dict[str, Any]:
    """The object that stands in an event under a key, as a dict; an empty one where there is no such key.

    Raises:
        MisfitError: something else stands there.
    """
    found = plain(get(event, name, {}))
    if isinstance(found, str | int | float | bytes | list):
        raise MisfitError(f"{name} in an event is {_kind(found)}, and not an object")
    return fields(found)


def _kind(value: object) -> str:
    return "bytes" if isinstance(value, bytes) else json_type(value)


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
