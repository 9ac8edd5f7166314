"""Turns: every call has exactly one result, after it, in its order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any, Literal

from toolgen.providers.reading import get
from toolgen.runtime import ToolCall, ToolResult
from toolgen.runtime.pytypes import of_class

_NO_RESULT = "it was not run, and there is no result"
_RUN = "registry.run, awaited, gives one"


class TurnError(ValueError):
    """Calls and results that do not go together, which every provider refuses; the message says which and why."""


def answer(
    module: Any, response: Any, results: Iterable[ToolResult], missing: Literal["fail", "raise"] = "fail"
) -> list[Any]:
    """What goes back to the provider: the turn as it came, and a result for each of its calls.

    A turn in which the model said nothing at all is left out, as providers refuse one that is empty.

    Raises:
        TurnError: a result for no call of this turn, two for one call or, with ``missing="raise"``, a call without one.
        ValueError: ``missing`` is neither.
        TypeError: ``results`` are no list, or one of them is no ToolResult.
    """
    if isinstance(results, str | bytes | Mapping) or not isinstance(results, Iterable):
        raise TypeError(f"the results of a turn are a list of ToolResults, not {of_class(results)}: {_RUN}")
    if missing not in ("fail", "raise"):
        raise ValueError(f'missing is {missing!r}, and neither "fail" nor "raise"')
    calls = _wanting(module, response)
    return list(module.turn(response, matched(calls, list(results), missing)))


def _wanting(module: Any, message: Any) -> list[ToolCall]:
    """The calls of a message that want a result: those that ``calls`` gives, and those of tools that take no JSON."""
    wanting = getattr(module, "wanting", module.calls)
    return list(wanting(message))


def matched(calls: Sequence[ToolCall], results: Sequence[ToolResult], missing: str = "fail") -> list[ToolResult]:
    """A result for each call, in the order of the calls.

    Raises:
        TurnError: as ``answer``.
        TypeError: one of the results is none.
    """
    for result in results:
        judge_result(result)
    _refuse_twins(calls)
    ids = [call.id for call in calls]
    by_id: dict[str, ToolResult] = {}
    for result in results:
        identifier, name = result.call.id, result.call.name
        if identifier not in ids:
            known = ", ".join(ids) or "none"
            raise TurnError(
                f"the result of {name or 'a tool'} answers {identifier!r}, which is no call of this turn: its calls "
                f"are {known}. A result goes back in the turn that follows its call"
            )
        if identifier in by_id:
            raise TurnError(f"the call {identifier!r} of {name or 'a tool'} has two results: give one")
        by_id[identifier] = result
    left = [call for call in calls if call.id not in by_id]
    if left and missing == "raise":
        names = ", ".join(f"{call.id!r} of {call.name}" for call in left)
        raise TurnError(f"no result was given for the call {names}")
    return [_named(by_id[call.id], call) if call.id in by_id else _left_out(call) for call in calls]


def judge_result(result: object) -> None:
    """Whether this can be put on a wire at all.

    Raises:
        TypeError: it is no ToolResult.
    """
    if not isinstance(result, ToolResult):
        raise TypeError(f"a result is a ToolResult, not {of_class(result)}: {_RUN}")


def _refuse_twins(calls: Sequence[ToolCall]) -> None:
    ids = [call.id for call in calls]
    twins = sorted({identifier for identifier in ids if ids.count(identifier) > 1})
    if twins:
        raise TurnError(f"two calls of this turn have the id {twins[0]!r}: no result could tell which it answers")
    if "" in ids:
        raise TurnError(f"a call of {calls[ids.index('')].name or 'a tool'} has no id: no result could answer it")


def _named(result: ToolResult, call: ToolCall) -> ToolResult:
    """The result of a call that is known by its id alone, with the name of its tool, which some wires want."""
    if result.call.name:
        return result
    return ToolResult(call, result.text, result.is_json, result.failure, result.value, result.blocks)


def _left_out(call: ToolCall) -> ToolResult:
    return ToolResult.failed(call, _NO_RESULT, recovery="replan", kind="unavailable")


def check_turns(module: ModuleType | Any, messages: Iterable[Any]) -> None:
    """Hold a whole conversation to what providers ask of it.

    Raises:
        TurnError: a call without a result in the turn after it, two results for one call, one before its call, one for
            no call, or one that stands in its message where the provider does not take it.
        TypeError: ``messages`` are no list.
    """
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Iterable):
        raise TypeError(f"a conversation is a list of messages, not {of_class(messages)}")
    messages = list(messages)
    later = {call.id for message in messages for call in _wanting(module, message)}
    together = getattr(module, "ONE_ITEM_A_CALL", False)
    apart = together or getattr(module, "ONE_MESSAGE_A_RESULT", False)
    waiting: list[ToolCall] = []
    answered: set[str] = set()
    for message in messages:
        calls, results = _wanting(module, message), [module.read_result(wire) for wire in module.results_in(message)]
        if waiting and not results and not (together and (calls or _is_aside(message))):
            raise TurnError(_unanswered(waiting[0]))
        for result in results:
            waiting = _without(waiting, result, answered, later)
        if waiting and results and not apart:
            raise TurnError(f"{_unanswered(waiting[0])}: all results of a turn stand in the one message after it")
        _refuse_misplaced(module, message)
        if calls:
            _refuse_twins([*waiting, *calls])
            waiting = [*waiting, *calls]
    if waiting:
        raise TurnError(_unanswered(waiting[0]))


def _refuse_misplaced(module: Any, message: Any) -> None:
    misplaced = module.misplaced(message) if hasattr(module, "misplaced") else None
    if misplaced is not None:
        identifier = module.read_result(misplaced).call.id
        raise TurnError(
            f"the result for {identifier!r} stands behind something else in its message: results come first"
        )


def _is_aside(message: Any) -> bool:
    """An item that may stand between a call and its result: all but messages that are not the model's own.

    Results of a provider's own tools are among these, as the results of one turn come in any order.
    """
    role = get(message, "role")
    return role == "assistant" or (role is None and get(message, "type") is not None)


def _unanswered(call: ToolCall) -> str:
    return f"the call {call.id!r} of {call.name} has no result in the turn after it"


def _without(waiting: list[ToolCall], result: ToolResult, answered: set[str], later: set[str]) -> list[ToolCall]:
    """The calls that still wait once this result has come."""
    found = _waiting_for(waiting, result)
    if found is not None:
        answered.add(found.id)
        return [call for call in waiting if call is not found]
    identifier = result.call.id
    if identifier in answered:
        raise TurnError(f"the call {identifier!r} has two results")
    if identifier in later:
        raise TurnError(f"the result for {identifier!r} stands before its call, or not in the turn after it")
    raise TurnError(f"the result for {identifier!r} answers no call")


def _waiting_for(waiting: list[ToolCall], result: ToolResult) -> ToolCall | None:
    """The call that a result answers: by id, or, on a wire whose calls may lack one, the first of its name."""
    if result.call.id:
        return next((call for call in waiting if call.id == result.call.id), None)
    return next((call for call in waiting if call.name == result.call.name), None)
