"""How a tool fails: kinds, what to do next, and the words that a model gets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias, get_args

from toolgen.runtime import words
from toolgen.runtime.issues import MOST_SHOWN, Issue, PayloadError
from toolgen.runtime.numbers import is_seconds, written
from toolgen.runtime.pointers import unescaped

Kind: TypeAlias = Literal[
    "invalid_call",
    "domain_rejection",
    "unavailable",
    "rate_limited",
    "timeout",
    "malformed_result",
    "internal",
]
"""``invalid_call``: the arguments, or the moment, are wrong. ``domain_rejection``: the tool understood and refused.
``unavailable``: what it needs is down. ``malformed_result``: it ran, and what it gave back is not what it declares.
``internal``: anything else."""

Recovery: TypeAlias = Literal["correct_call", "replan", "finish"]
"""What the model should do next: call again with better arguments, go on in another way, or stop and say so."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
RECOVERIES: Final[tuple[Recovery, ...]] = get_args(Recovery)
CORRECTABLE: Final[frozenset[Kind]] = frozenset({"invalid_call", "domain_rejection"})
DELAYED: Final[frozenset[Kind]] = frozenset({"unavailable", "rate_limited"})

_LONGEST_MESSAGE = 2000
_WHAT: Final[Mapping[Kind, str]] = {
    "invalid_call": "was not run",
    "domain_rejection": "refused the call",
    "unavailable": "is not available",
    "rate_limited": "was called too often",
    "timeout": "took too long and was stopped",
    "malformed_result": "failed",
    "internal": "failed",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """That a call failed, and how.

    Attributes:
        kind: what went wrong.
        message: what happened, for the model: never empty.
        recovery: what to do next.
        retry_after: seconds to wait before another try, where that is known.
        issues: what is wrong with the arguments, where it is they.

    Raises:
        ValueError: an empty message, an unknown kind or recovery, or a pair that says nothing: arguments can be
            corrected only where they, or what they ask for, were refused.
    """

    kind: Kind
    message: str
    recovery: Recovery
    retry_after: float | None = None
    issues: tuple[Issue, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"{self.kind!r} is no kind of failure: it is one of {', '.join(KINDS)}")
        if self.recovery not in RECOVERIES:
            raise ValueError(f"{self.recovery!r} is no recovery: it is one of {', '.join(RECOVERIES)}")
        if not isinstance(self.message, str) or not self.message.strip():
            raise ValueError("a failure needs a message: say what happened")
        if self.recovery == "correct_call" and self.kind not in CORRECTABLE:
            raise ValueError(f"no arguments mend a failure of kind {self.kind}: its recovery is replan or finish")
        if self.retry_after is not None:
            if self.kind not in DELAYED:
                raise ValueError(f"retry_after belongs to {' and '.join(sorted(DELAYED))}, not to {self.kind}")
            if not is_seconds(self.retry_after):
                raise ValueError(f"retry_after is {written(self.retry_after)}, not a number of seconds")

    def for_model(
        self, tool: str, *, schema: Mapping[str, Any] | None = None, example: Any = None, known: bool = True
    ) -> str:
        """The text that the model gets: what happened, whether to try again, and how.

        ``schema`` and ``example`` are those of the tool's model input; for ``correct_call`` their words are added.
        """
        name = words.one_line(tool, 100) or "the tool"
        lines = [f"{name} {_WHAT[self.kind]}: {_sentence(self.message)}"]
        if self.issues:
            described = (_described(issue, schema) for issue in self.issues)
            lines += PayloadError(described, example=example, tool=tool).for_model().split("\n")[1:]
        elif self.recovery == "correct_call" and _takes_any(schema):
            lines += _fields(schema)
            if example is not None:
                lines += PayloadError((_NOTHING,), example=example).for_model().split("\n")[2:]
        lines.append(_next(self, name, takes_any=_takes_any(schema)))
        return "\n".join(lines)


_NOTHING = Issue("", "invalid_type", "nothing")


class ToolFailure(Exception):
    """Raised by a handler to say how its tool failed. The message is for the model.

    Args:
        kind: what went wrong.
        message: what happened, in words that the model can act on; never empty.
        recovery: what it should do next; by default ``correct_call`` for an invalid call, else ``replan``.
        retry_after: seconds to wait before another try, for ``rate_limited`` and ``unavailable``.
        issues: what is wrong with which argument: ``Issue("/ticket", "invalid_range", "is no open ticket")``.

    Raises:
        ValueError: as ``Failure``.
    """

    def __init__(
        self,
        kind: Kind,
        message: str,
        recovery: Recovery | None = None,
        *,
        retry_after: float | None = None,
        issues: Iterable[Issue] = (),
    ) -> None:
        if recovery is None:
            recovery = "correct_call" if kind == "invalid_call" else "replan"
        self.failure = Failure(kind, message, recovery, retry_after, tuple(issues))
        super().__init__(f"{kind}: {message}")

    @property
    def kind(self) -> Kind:
        return self.failure.kind

    @property
    def recovery(self) -> Recovery:
        return self.failure.recovery

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.failure,)


def _restored(failure: Failure) -> ToolFailure:
    return ToolFailure(
        failure.kind, failure.message, failure.recovery, retry_after=failure.retry_after, issues=failure.issues
    )


def _sentence(message: str) -> str:
    text = words.cut("\n".join(words.printable(line) for line in message.strip().splitlines()), _LONGEST_MESSAGE)
    return text if text.endswith((".", "?", "!", "…")) else text + "."


def _takes_any(schema: Mapping[str, Any] | None) -> bool:
    """Whether there may be an argument: of what is not known, there may."""
    return schema is None or bool(schema.get("properties")) or schema.get("additionalProperties") is not False


def _next(failure: Failure, tool: str, *, takes_any: bool) -> str:
    """What to do next. A tool that takes no arguments has none to correct."""
    kind, recovery, retry_after = failure.kind, failure.recovery, failure.retry_after
    if recovery == "correct_call" and (takes_any or failure.issues):
        return f"Correct the arguments and call {tool} again."
    if recovery == "finish":
        return f"Do not call {tool} again: finish with what you have, and say what could not be done."
    if retry_after is not None:
        return f"Wait {_seconds(retry_after)} before you call {tool} again, or go on in another way."
    if kind in ("unavailable", "rate_limited", "timeout"):
        return f"Do not repeat the same call at once: go on in another way, or call {tool} again later."
    return "Do not repeat the same call: go on in another way."


def _seconds(number: float) -> str:
    shown = f"{number:.3f}".rstrip("0").rstrip(".")
    return f"{shown} second" + ("" if shown == "1" else "s")


def _described(issue: Issue, schema: Mapping[str, Any] | None) -> Issue:
    """The issue with the description of its field, where it has none."""
    if issue.description or schema is None:
        return issue
    name = unescaped(issue.path.removeprefix("/").partition("/")[0])
    about = _about(schema.get("properties", {}).get(name))
    return replace(issue, description=about) if about else issue


def _about(schema: object) -> str:
    """The description in a schema, which is true or false where somebody wrote it so."""
    about = schema.get("description") if isinstance(schema, Mapping) else None
    return about if isinstance(about, str) else ""


def _fields(schema: Mapping[str, Any] | None) -> list[str]:
    """A line a field, for a refusal that blames none of them."""
    properties, required = (schema or {}).get("properties", {}), (schema or {}).get("required", ())
    shown = list(properties.items())[:MOST_SHOWN]
    lines = [_field(name, _about(inner), is_required=name in required) for name, inner in shown]
    if lines:
        lines.insert(0, "The fields are:")
    more = len(properties) - MOST_SHOWN
    return [*lines, f"- and {words.count(more, 'more field')}."] if more > 0 else lines


def _field(name: str, description: str, *, is_required: bool) -> str:
    required = " (required)" if is_required else ""
    return f"- /{words.one_line(name, 100)}{required}: {_sentence(words.prose(description, 200) or 'no description')}"
