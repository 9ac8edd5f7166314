"""What is wrong with an input: issues, the error that carries them, and the text that a model gets of them."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from toolgen.runtime import words
from toolgen.runtime.pointers import unescaped

Constraint: TypeAlias = Literal[
    "malformed_json",
    "truncated_json",
    "missing_field",
    "unknown_field",
    "invalid_type",
    "invalid_enum_value",
    "invalid_format",
    "invalid_pattern",
    "invalid_range",
    "invalid_length",
    "invalid_multiple",
    "duplicate_items",
]

MOST_SHOWN: Final = 10
"""Most issues in the text for the model; the rest are counted."""

_LONGEST_PATH = 200
_LONGEST_MESSAGE = 600
_LONGEST_DESCRIPTION = 200
_LONGEST_EXAMPLE = 4000


class _Deferrable:
    """Lets an issue be put into words only when somebody reads it, so that refusing an input costs no words."""

    __slots__ = ("_make",)
    _make: tuple[Callable[[int], Issue], int]

    if not TYPE_CHECKING:  # a type checker would take any attribute for granted

        def __getattr__(self, name: str) -> Any:
            """Called for an attribute that is not set yet."""
            make, number = object.__getattribute__(self, "_make")
            made = make(number)
            for each in _ATTRIBUTES:
                object.__setattr__(self, each, getattr(made, each))
            return object.__getattribute__(self, name)


@dataclass(frozen=True, slots=True)
class Issue(_Deferrable):
    """One thing wrong with an input.

    ``path`` is a JSON Pointer (RFC 6901) into the input, ``""`` for the whole; of a key longer than 256 characters it
    holds the beginning. ``message`` says what is wrong, in words that a model can act on. ``expected`` says what was
    expected there, ``actual`` quotes in short what was found, ``allowed`` holds the allowed values or keys, ``limit``
    the bound that was broken, ``hint`` a near match or another step towards mending it; each is None where there is no
    such thing. ``description`` is the field's, from the schema.
    """

    path: str
    constraint: Constraint
    message: str
    expected: str | None = None
    actual: str | None = None
    allowed: tuple[Any, ...] | None = None
    limit: int | float | None = None
    hint: str | None = None
    description: str | None = field(default=None, compare=False)

    @classmethod
    def deferred(cls, make: Callable[[int], Issue], count: int) -> list[Issue]:
        """The issues that ``make`` gives of 0, 1 and so on, each made when its first attribute is asked for."""
        issues: list[Issue] = []
        for number in range(count):
            issue = _new(cls)
            _put(issue, (make, number))
            issues.append(issue)
        return issues


def told(issue: Issue) -> str:
    """Where something is wrong, and what, on one line for operators."""
    return f"{words.cut(words.printable(issue.path), _LONGEST_PATH) or 'the whole'} {issue.message}"


_new = object.__new__
_put = vars(_Deferrable)["_make"].__set__  # past the frozen class
_ATTRIBUTES: Final = tuple(each.name for each in fields(Issue))


@dataclass(frozen=True, slots=True)
class Mend:
    """One thing that was mended in an input: where (a JSON Pointer into the input) and what, in words."""

    path: str
    what: str


class PayloadError(Exception):
    """An input that is not taken: the tool is never run on a guess.

    ``issues`` is never empty. ``for_model()`` is the text to send back to the model; ``str()`` is for operators and
    quotes no values. ``schema`` and ``example`` belong to the input that was wanted, ``tool`` is the tool's wire name,
    ``what`` is what was not taken: ``input``, or ``result`` for what a handler gave back.
    """

    def __init__(
        self,
        issues: Iterable[Issue],
        *,
        schema: Mapping[str, Any] | None = None,
        example: Any = None,
        tool: str | None = None,
        what: str = "input",
    ) -> None:
        # Asked for what a sequence has, since asking an abstract class is slow.
        self._issues = cast("Sequence[Issue]", issues) if hasattr(issues, "__getitem__") else tuple(issues)
        if not self._issues:
            raise ValueError("a PayloadError needs at least one issue")
        self.schema = schema
        self.example = example
        self.tool = tool
        self.what = what
        super().__init__()

    @property
    def issues(self) -> tuple[Issue, ...]:
        """All issues, in the order of the schema."""
        if not isinstance(self._issues, tuple):
            self._issues = tuple(self._issues)
        return self._issues

    def about(self, *, schema: Mapping[str, Any] | None, example: Any, tool: str | None) -> PayloadError:
        """The same issues, as an error that also knows the input that was wanted."""
        return PayloadError(self._issues, schema=schema, example=example, tool=tool, what=self.what)

    def __str__(self) -> str:
        shown = ", ".join(
            f"{words.cut(words.printable(issue.path), _LONGEST_PATH) or f'(whole {self.what})'} {issue.constraint}"
            for issue in self._issues[:3]
        )
        more = len(self._issues) - 3
        of_tool = f" of {self.tool}" if self.tool else ""
        return f"invalid {self.what}{of_tool}: {shown}" + (f" and {more} more" if more > 0 else "")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.issues, self.schema, self.example, self.tool, self.what)

    def for_model(self) -> str:
        """The text to send back to the model: what is wrong, where, and what to write instead.

        A line an issue, at most 10 and then a count, and the tool's example at the end, its long texts cut. Its size is
        bounded, whatever the input was. It holds no URL, save where the model has to write one: among the allowed
        values, in a pattern, in the example.
        """
        number = len(self._issues)
        of_tool = f" of {_prose(self.tool, 100)}" if self.tool else ""
        lines = [f"The {self.what}{of_tool} was not accepted: {words.count(number, 'issue')}."]
        lines += [_line(issue) for issue in self._issues[:MOST_SHOWN]]
        if number > MOST_SHOWN:
            lines.append(f"- and {words.count(number - MOST_SHOWN, 'more issue')}.")
        if self.example is not None:
            short = words.shortened(self.example)
            example = words.printable(_example(short))
            if len(example) <= _LONGEST_EXAMPLE:
                cut = "" if short == self.example else ", with long texts cut"
                lines.append(f"A valid example{cut}: {example}")
        return "\n".join(lines)


def _restored(issues: tuple[Issue, ...], schema: Any, example: Any, tool: str | None, what: str) -> PayloadError:
    return PayloadError(issues, schema=schema, example=example, tool=tool, what=what)


_prose = functools.lru_cache(maxsize=256)(words.prose)  # names come from schemas, of which there are few
_example = json.JSONEncoder(ensure_ascii=False, default=words.quote).encode


def _line(issue: Issue) -> str:
    line = f"- {_shown(issue.path, _LONGEST_PATH) or '(whole input)'}: {_sentence(issue.message)}"
    if issue.hint:
        line += f" {_sentence(issue.hint)}"
    if issue.description:
        line += _about(issue.description)
    return line


@functools.lru_cache(maxsize=256)  # so do descriptions
def _about(description: str) -> str:
    return f" About the field: {_ended(words.prose(description, _LONGEST_DESCRIPTION))}"


def _shown(text: str, most: int) -> str:
    return text if len(text) <= most and text.isprintable() else words.cut(words.printable(text), most)


def _sentence(text: str) -> str:
    return _ended(_shown(text, _LONGEST_MESSAGE))


def _ended(text: str) -> str:
    return text if text.endswith((".", "?", "!", "…")) else f"{text}."


class ContextError(Exception):
    """An injected value that the execution context lacks, or an injected or restored one that is none for its field.

    For the operator, never for the model: there its tool has failed, and the model knows of no such field.
    ``problems`` maps the Python name of each such field to what is wrong with it; ``names`` are its keys, ``name`` the
    first. ``what`` says what the fields are in: the execution context, or the payload that was completed.
    """

    def __init__(
        self, problems: Mapping[str, str], *, tool: str | None = None, what: str = "execution context"
    ) -> None:
        if not problems:
            raise ValueError("a ContextError needs at least one field")
        self.problems = dict(problems)
        self.names = tuple(self.problems)
        self.name = self.names[0]
        self.tool = tool
        self.what = what
        of_tool = f" of {tool}" if tool else ""
        told = "; ".join(f"{name} {problem}" for name, problem in self.problems.items())
        super().__init__(f"{what}{of_tool}: {told}")

    @classmethod
    def missing(cls, names: Iterable[str], *, tool: str | None = None) -> ContextError:
        """The error of injected fields that the context has no value for."""
        return cls(dict.fromkeys(names, "is missing"), tool=tool)

    @classmethod
    def from_issues(cls, issues: Iterable[Issue], *, tool: str | None = None) -> ContextError:
        """The error of injected values in JSON that break their declaration: a path begins with the field's name."""
        problems: dict[str, str] = {}
        for issue in issues:
            name, _, rest = issue.path.removeprefix("/").partition("/")
            where = f"at /{rest}: " if rest else ""
            problems.setdefault(unescaped(name), where + issue.message)
        return cls(problems, tool=tool)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored_context, (self.problems, self.tool, self.what)


def _restored_context(problems: dict[str, str], tool: str | None, what: str) -> ContextError:
    return ContextError(problems, tool=tool, what=what)
