"""A run that ends with a submit: turn by turn, up to a limit."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, cast

from toolgen.runtime import words
from toolgen.runtime.calls import ToolCall, ToolResult, judged_calls
from toolgen.runtime.failures import Failure
from toolgen.runtime.pytypes import of_class
from toolgen.runtime.submit import Submit, SubmitOutcome
from toolgen.runtime.together import together
from toolgen.runtime.validating import Validator, judged

T = TypeVar("T")
U = TypeVar("U")
Run = Callable[[ToolCall], Awaitable[ToolResult]]

_RUN: Final = "give an async function that returns a ToolResult, such as registry.run"


@dataclass(frozen=True, slots=True)
class SubmitTurn(Generic[T]):
    """What came of one turn of a model.

    Attributes:
        results: the answer to each call, in the order of the calls.
        outcome: of the submit that was accepted, or else of the last; None where the turn had none.
    """

    results: list[ToolResult]
    outcome: SubmitOutcome[T] | None = None


@dataclass(frozen=True, slots=True)
class _Way:
    """A submit by which a run may end."""

    submit: Submit[Any]
    validators: tuple[Validator[Any], ...]


class SubmitRun(Generic[T]):
    """The submits of one run: made by ``Submit.rounds``. It is over when one is accepted, or no more may be made.

    Attributes:
        left: how many submits may still be made.
        outcome: of the last submit, None before the first.
    """

    def __init__(
        self, submit: Submit[T], most: int, validators: Sequence[Validator[T]] = (), context: Any = None
    ) -> None:
        if type(most) is not int or most < 1:  # of 1.5 submits none would be the last
            raise ValueError(f"{most!r} submits are no run: allow a whole number, 1 or more")
        self.left = most
        self.outcome: SubmitOutcome[T] | None = None
        self._turning = False
        self._ways = {submit.name: _Way(submit, judged(validators))}
        self._context = context

    @property
    def over(self) -> bool:
        """Whether the run has ended, well or not."""
        return self.outcome is not None and (self.outcome.accepted or self.outcome.exhausted)

    def beside(self, submit: Submit[U], /, *, validators: Sequence[Validator[U]] = ()) -> SubmitRun[T | U]:
        """This run, which may end by another submit too; the limit counts the submits of all together.

        Which of them an outcome is of says ``outcome.result.call.name``.

        Raises:
            ValueError: the run may end by a submit of this name already.
            TypeError: it is no Submit, or a validator can't be called with ``(response, reasoning, context)``.
        """
        if not isinstance(submit, Submit):
            raise TypeError(f"a run ends by a Submit, not by {of_class(submit)}: give SUBMIT of the tool's module")
        if submit.name in self._ways:
            raise ValueError(f"the run may end by {submit.name} already: give one of them another name")
        self._ways[submit.name] = _Way(submit, judged(validators))
        return cast("SubmitRun[T | U]", self)

    async def turn(self, calls: Iterable[ToolCall], run: Run, /) -> SubmitTurn[T]:
        """Answers every call of a turn: first those of other tools, with ``run``, and then the submits one by one.

        A submit after the one that ended the run is answered, and not looked at.

        Raises:
            RuntimeError: the run is over, or another turn of it is not answered yet.
            TypeError: one of the calls is no ToolCall, ``run`` can't be called, or it gave no ToolResult; nothing is
                committed then.
            ValueError: ``run`` gave the result of another call; nothing is committed then.
            Exception: what ``run`` or a validator raised; nothing is committed then, and the others are cancelled.
        """
        if self.over:
            raise RuntimeError("the run is over: look at its outcome")
        if self._turning:  # of two submits at once each could be accepted, and none be the last
            raise RuntimeError("another turn of the run is not answered yet: await it first")
        turned = judged_calls(calls)
        if not callable(run):
            raise TypeError(f"other calls are answered by a function, not {of_class(run)}: {_RUN}")
        self._turning = True
        try:
            return await self._turn(turned, run)
        finally:
            self._turning = False

    async def _turn(self, calls: Sequence[ToolCall], run: Run) -> SubmitTurn[T]:
        others = [index for index, call in enumerate(calls) if call.name not in self._ways]
        answered = await together(_answer(run, calls[index]) for index in others)
        results = dict(zip(others, map(self._with_hint, answered), strict=True))
        outcome: SubmitOutcome[T] | None = None
        for index, call in enumerate(calls):
            if index in results:
                continue
            if self.over:
                results[index] = self._late(call)
            else:
                outcome = await self._submitted(call)
                results[index] = outcome.result
        return SubmitTurn([results[index] for index in range(len(calls))], outcome)

    async def _submitted(self, call: ToolCall) -> SubmitOutcome[T]:
        way = self._ways[call.name]
        outcome = await way.submit.submit(call, validators=way.validators, context=self._context)
        self.left -= 1
        if not outcome.accepted and not self.left:
            outcome = dataclasses.replace(outcome, exhausted=True, result=self._last(outcome.result))
        self.outcome = outcome
        return outcome

    def _with_hint(self, result: ToolResult) -> ToolResult:
        """The answer to a call of no tool, which may have meant the submit that who ran it knows nothing of."""
        failure = result.failure
        if failure is None or (failure.kind, failure.recovery) != ("invalid_call", "replan"):
            return result
        near = words.near(result.call.name, tuple(self._ways))
        if near is None:
            return result
        told = result.text.rsplit("\n", 1)[0]  # without what to do next, which is this
        hint = f"Did you mean {near}, which ends the run? Then call that."
        return dataclasses.replace(result, text=f"{told}\n{hint}")

    def _last(self, result: ToolResult) -> ToolResult:
        """The answer to the last submit: the same faults, and that no other may follow."""
        assert result.failure is not None
        failure = dataclasses.replace(result.failure, recovery="finish")
        told = result.text.rsplit("\n", 1)[0]
        text = f"{told}\nThis was the last submit that may be made: do not call {' or '.join(self._ways)} again."
        return dataclasses.replace(result, text=text, failure=failure)

    def _late(self, call: ToolCall) -> ToolResult:
        assert self.outcome is not None
        why = "a result was accepted already" if self.outcome.accepted else "no more submits may be made"
        return ToolResult.of_failure(call, Failure("invalid_call", why, "finish"))


async def _answer(run: Run, call: ToolCall) -> ToolResult:
    """The answer to a call of another tool, before any submit is looked at: without one no provider takes the turn."""
    answer = run(call)
    result: object = await answer if inspect.isawaitable(answer) else answer
    if not isinstance(result, ToolResult):
        raise TypeError(f"the call {call.id} of {call.name} was answered with {of_class(result)}: {_RUN}")
    if result.call.id != call.id:
        raise ValueError(
            f"the call {call.id} of {call.name} was answered with the result of the call {result.call.id}: give the "
            "result of the call that the function was given"
        )
    return result
