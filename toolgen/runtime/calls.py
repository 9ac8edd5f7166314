"""A model's call of a tool, and the answer to it."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

import msgspec

from toolgen.runtime.blocks import Block, TextBlock, blocks_of, text_of
from toolgen.runtime.careful import Careful
from toolgen.runtime.codec import Codec, Input
from toolgen.runtime.failures import Failure, Kind, Recovery
from toolgen.runtime.issues import Issue, Mend, PayloadError, told
from toolgen.runtime.proof import differences
from toolgen.runtime.pytypes import of_class
from toolgen.runtime.telling import Told, example_told, failure_told, retold

_DONE = "Done."

T = TypeVar("T")

Returned: TypeAlias = T | Awaitable[T]
"""What a handler returns: its result, or, from an async one, what gives it."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as a model made it.

    Attributes:
        id: the provider's id of the call, by which the answer finds it.
        name: the wire name of the tool that the model asked for; it need not exist.
        arguments: what it wrote: JSON text, or a mapping already parsed, or None.
        provider: which provider the call came by, where that matters to the answer.
        told: what the model was told of the tool, where its names or forms are not the tool's own: ``arguments``
            are in the tool's, and what the model reads of them is in those that it was told.

    Raises:
        TypeError: the name is no text.
    """

    id: str
    name: str
    arguments: Input = None
    provider: str | None = None
    told: Told | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise TypeError(f"the name of a call is text, not a {type(self.name).__name__}")


def judge_call(call: object) -> None:
    """Raises TypeError where something else stands in the place of a call."""
    if not isinstance(call, ToolCall):
        raise TypeError(f"a call is a ToolCall, not {of_class(call)}: {_CALLS_OF_A_MODEL}")


def judged_calls(calls: object) -> tuple[ToolCall, ...]:
    """The calls of a turn, once each is one; raises TypeError where something else stands in their place."""
    if isinstance(calls, str | bytes | Mapping) or not isinstance(calls, Iterable):
        raise TypeError(f"the calls of a turn are a list of ToolCalls, not {of_class(calls)}: {_CALLS_OF_A_MODEL}")
    found = tuple(calls)
    for call in found:
        judge_call(call)
    return found


_CALLS_OF_A_MODEL: Final = "toolgen.providers.calls(response) gives those of a model"


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer to one call: what the model reads, and whether the tool failed.

    Made by ``ok`` and ``failed``; an answer without words can't be built.

    Attributes:
        call: the call that is answered.
        text: what the model reads.
        is_json: whether ``text`` is JSON text rather than prose.
        failure: how it failed; None where it did not.
        value: what the handler returned, for the program around it; None for a failure.
        blocks: the text and images that it is made of, where it is more than one text.
    """

    call: ToolCall
    text: str
    is_json: bool = False
    failure: Failure | None = None
    value: Any = field(default=None, compare=False, repr=False)
    blocks: tuple[Block, ...] = ()

    @property
    def is_error(self) -> bool:
        """Whether the call failed."""
        return self.failure is not None

    @classmethod
    def ok(cls, call: ToolCall, result: object = None, *, codec: Codec[Any, Any] | None = None) -> ToolResult:
        """The answer of a tool that did what it was asked.

        With ``codec``, its tool's ``RESULT``, a typed result is written as that codec writes it. Without, text is given
        as it is, None is a word that the tool is done, a list of ``TextBlock`` and ``ImageBlock`` is sent as such,
        blocks of blank text aside, and all else is written as JSON, which has no word for a dataclass.

        Raises:
            PayloadError: the result is nothing that JSON holds, or that its codec writes; the issue has the path.
        """
        if codec is not None:
            return cls(call, codec.encode(result).decode(), True, value=result)
        if result is None:
            return cls(call, _DONE)
        if isinstance(result, str):
            _json_text(call, result)  # refuses a lone surrogate, which can't be sent
            text = str.__str__(result)  # of an enum's member, its value
            return cls(call, text if text.strip() else _DONE, value=result)
        blocks = blocks_of(result)
        if blocks:
            for block in blocks:
                if isinstance(block, TextBlock):
                    _json_text(call, block.text)
            # Providers refuse a block of blank text, and the whole turn with it.
            told = tuple(block for block in blocks if not isinstance(block, TextBlock) or block.text.strip())
            return cls(call, text_of(told) or _DONE, value=result, blocks=told)
        return cls(call, _json_text(call, result), True, value=result)

    @classmethod
    def failed(
        cls,
        call: ToolCall,
        text: str,
        *,
        recovery: Recovery = "replan",
        kind: Kind | None = None,
        retry_after: float | None = None,
    ) -> ToolResult:
        """The answer of a tool that failed. ``text`` says what happened; what to do next is added to it.

        ``kind`` is ``invalid_call`` where the call can be corrected, else ``internal``, unless it is given.

        Raises:
            ValueError: ``text`` is empty, or kind and recovery do not go together.
        """
        if kind is None:
            kind = "invalid_call" if recovery == "correct_call" else "internal"
        return cls.of_failure(call, Failure(kind, text, recovery, retry_after))

    @classmethod
    def of_failure(
        cls, call: ToolCall, failure: Failure, *, schema: Mapping[str, Any] | None = None, example: Any = None
    ) -> ToolResult:
        """The answer that tells a failure; ``schema`` and ``example`` of the tool help to correct a call."""
        if call.told is not None and schema is not None:
            schema, example = call.told.schema, example_told(example, call.told)
        text = failure_told(failure, call.told).for_model(call.name, schema=schema, example=example)
        return cls(call, text, failure=failure)

    @classmethod
    def of_refusal(cls, call: ToolCall, error: PayloadError) -> ToolResult:
        """The answer to arguments that were not taken."""
        message = "the arguments were not accepted"
        failure = Failure("invalid_call", message, "correct_call", issues=error.issues)
        text = (
            f"{retold(error, call.told).for_model()}\n{call.name} was not run. Correct the arguments and call it again."
        )
        return cls(call, text, failure=failure)


def _json_text(call: ToolCall, result: object) -> str:
    """The JSON text of a result.

    Raises:
        PayloadError: it has none that gives it back; a note says where and why, for whoever called ``ok``.
    """
    try:
        data = msgspec.json.encode(result)
        again = msgspec.json.decode(data)
    except (TypeError, ValueError, RecursionError, OverflowError, msgspec.MsgspecError) as error:
        raise _no_json(call, Careful(True).judge(result, lenient=False).issues or (_UNREADABLE,)) from error
    if again != result:
        raise _no_json(call, differences(result, again))
    return data.decode()


_UNREADABLE = Issue("", "invalid_type", "is nothing that JSON holds")


def _no_json(call: ToolCall, issues: Sequence[Issue]) -> PayloadError:
    error = PayloadError(issues, tool=call.name or None, what="result")
    for issue in error.issues[:3]:
        error.add_note(told(issue))
    error.add_note("a result of a tool's own type is written by its codec: give codec=RESULT of the tool's module")
    return error


class CallContext:
    """What a handler is told of the call beside its payload.

    Attributes:
        call: the call as it came.
        tool: the wire name of the tool.
        notes: what was mended in the arguments.
        context: the execution context that the call ran with, read-only.
        timeout: most seconds that the handler may take, or None.

    ``fields`` says of each of the tool's fields, by Python name, whether it was given.
    """

    def __init__(
        self,
        call: ToolCall,
        *,
        notes: tuple[Mend, ...] = (),
        context: Mapping[str, object] | None = None,
        fields: Mapping[str, bool] | None = None,
        timeout: float | None = None,
    ) -> None:
        self.call = call
        self.tool = call.name
        self.notes = notes
        self.context: Mapping[str, object] = MappingProxyType(dict(context or {}))
        self.timeout = timeout
        self._fields = dict(fields or {})
        self._cancelled = threading.Event()

    @property
    def id(self) -> str:
        """The call's id."""
        return self.call.id

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the answer any more. A handler that runs in a thread can't be stopped from outside:
        one that takes long looks here and returns."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Tell the handler that nobody waits any more."""
        self._cancelled.set()

    def given(self, name: str, /) -> bool:
        """Whether the field of this Python name was given, rather than filled in: by the model; for a restored field by
        what was saved or by what restores it; for an injected one by the context.

        Raises:
            KeyError: the tool has no such field.
        """
        if name not in self._fields:
            raise KeyError(f"{self.tool} has no field {name!r}: it has {', '.join(self._fields) or 'none'}")
        return self._fields[name]
