"""What is told of each call to logging and metrics."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from toolgen.runtime import words
from toolgen.runtime.codec import Lane
from toolgen.runtime.failures import Kind
from toolgen.runtime.issues import Constraint, Issue, Mend

logger = logging.getLogger("toolgen.runtime")

_LONGEST_ID = 100

Outcome: TypeAlias = "Literal['ok', 'cancelled'] | Kind"


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """How one call came out. It holds no value that a model or a tool wrote.

    Attributes:
        tool: the tool's wire name; None where the model asked for one that there is not.
        call_id: the provider's id of the call.
        outcome: ``ok``, the kind of the failure, or ``cancelled``.
        seconds: how long it took from first to last.
        lane: which lane decoded the arguments; None where none got to it, or they were refused.
        mends: what was mended in the arguments, in words.
        constraints: which constraints the arguments, or the result, broke.
    """

    tool: str | None
    call_id: str
    outcome: Outcome
    seconds: float
    lane: Lane | None = None
    mends: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()


@dataclass(slots=True)
class Trace:
    """What is noted while a call runs. As text it is the call, for logs."""

    call_id: str
    tool: str | None = None
    lane: Lane | None = None
    mends: tuple[Mend, ...] = ()
    issues: tuple[Issue, ...] = ()

    def __str__(self) -> str:
        return f"tool {self.tool}, in the call {words.printable(words.cut(self.call_id, _LONGEST_ID))},"

    def outcome(self, outcome: Outcome, seconds: float) -> CallOutcome:
        """The outcome of the call, without its values."""
        mends = tuple(note.what for note in self.mends)
        constraints: tuple[Constraint, ...] = tuple(issue.constraint for issue in self.issues)
        return CallOutcome(self.tool, self.call_id, outcome, seconds, self.lane, mends, constraints)


Observer: TypeAlias = Callable[[CallOutcome], object]


def tell(observers: list[Observer], outcome: CallOutcome) -> None:
    """Tell every observer. One that raises, whatever it be, harms neither the call nor the others."""
    for observer in tuple(observers):
        try:
            given = observer(outcome)
            if inspect.iscoroutine(given):
                given.close()
                logger.error(
                    "an observer of tool calls gave a coroutine, which nobody awaits: give one that is not async"
                )
        except KeyboardInterrupt:
            raise
        except BaseException:
            logger.exception("an observer of tool calls raised")
