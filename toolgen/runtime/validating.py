"""Validators of a submitted response: all at once, their findings in the order of registration."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from toolgen.runtime import words
from toolgen.runtime.attempts import HandlerLeft, as_raised, in_thread
from toolgen.runtime.hints import is_async, run_in_the_end, signature_of
from toolgen.runtime.pytypes import of_class
from toolgen.runtime.together import together

T = TypeVar("T")

_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a validator has against a response.

    Attributes:
        message: what it is, for the model: never empty.
        path: a JSON Pointer into the response, or empty for the whole.

    Raises:
        ValueError: the message is empty, or the path no JSON Pointer.
    """

    message: str
    path: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.message, str):
            raise ValueError(f"a finding is a text that says what is wrong, not {of_class(self.message)}")
        if not self.message.strip():
            raise ValueError("a finding needs a message: say what is wrong")
        if not isinstance(self.path, str) or not (self.path == "" or self.path.startswith("/")):
            raise ValueError(f"the path {self.path!r} is no JSON Pointer: write /name, or leave it out")

    def __str__(self) -> str:
        where = f"{words.cut(words.printable(self.path), 200)}: " if self.path else ""
        lines = self.message.strip().splitlines()
        return where + words.cut(" ".join(map(words.printable, lines)), _LONGEST)


Found: TypeAlias = "Iterable[Finding | str]"
Validator: TypeAlias = Callable[[T, "str | None", Any], "Found | Awaitable[Found]"]
"""``(response, reasoning, context) -> findings``, sync or async; no findings: nothing is wrong. A sync one runs in a
thread."""


def judged(validators: object) -> tuple[Validator[Any], ...]:
    """Validators, once each can be called with what it will be given: a run is not paid for to find that out.

    Raises:
        TypeError: they are no list of functions, or one can't be called so or gives nothing that is read.
    """
    if not isinstance(validators, Iterable) or isinstance(validators, str | bytes | Mapping):
        raise TypeError(f"validators is {of_class(validators)}: give a list of functions")
    given = tuple(validators)
    for validator in given:
        if not callable(validator):
            raise TypeError(f"a validator is {of_class(validator)}, which can't be called: give functions")
        if inspect.isasyncgenfunction(run_in_the_end(validator)):
            raise TypeError(f"the validator {_name(validator)} is an async generator: return a list of findings")
        signature = signature_of(validator)
        try:
            if signature is not None:
                signature.bind(None, None, None)
        except TypeError as error:
            called = "(response, reasoning, context)"
            raise TypeError(
                f"the validator {_name(validator)}{signature} can't be called with {called}: {error}"
            ) from error
    return given


async def findings(
    validators: Sequence[Validator[T]], response: T, reasoning: str | None, context: Any
) -> tuple[Finding, ...]:
    """What all validators find, in their order, whatever finishes first.

    Raises:
        Exception: what a validator raised; the others are cancelled.
        TypeError: a validator gave no findings, but None, a text or another thing.
    """
    found = await together(_findings(each, response, reasoning, context) for each in validators)
    return tuple(finding for each in found for finding in each)


async def _findings(validator: Validator[T], response: T, reasoning: str | None, context: Any) -> tuple[Finding, ...]:
    try:
        if is_async(validator):
            given: Any = validator(response, reasoning, context)
        else:
            given, error = await in_thread(_called, validator, response, reasoning, context)
            if error is not None:
                raise error
        if inspect.isawaitable(given):
            given = await given
    except SystemExit as error:  # would end the loop, and with it every other run
        raise as_raised(error) from error
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise HandlerLeft("a validator cancelled itself") from error
    # What forgets to return is not taken for acceptance, nor a text for one finding a letter.
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise TypeError(
            f"{_name(validator)} returned {type(given).__name__}: return a list of findings, empty for none"
        )
    return tuple(each if isinstance(each, Finding) else Finding(each) for each in given)


def _called(validator: Validator[T], response: T, reasoning: str | None, context: Any) -> tuple[Any, Exception | None]:
    """What a validator gives, or the error that it raises, of which a thread would make another.

    Of a generator it is all that it yields, so that its work is done in the thread too.
    """
    try:
        given = validator(response, reasoning, context)
        return (tuple(given) if isinstance(given, Iterator) else given), None
    except Exception as error:
        return None, error


def _name(validator: object) -> str:
    return str(getattr(validator, "__name__", type(validator).__name__))
