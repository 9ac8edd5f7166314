"""Definitions of tools as a provider wants them, and what was done to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolgen.providers.form import Form
from toolgen.runtime import PayloadError
from toolgen.runtime.codec import Input
from toolgen.runtime.issues import Issue, Mend
from toolgen.runtime.jsontext import is_text, parse, written


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that a projection changed: where (``limit``, ``conditions[].op``, ``Condition.value``) and what."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where or 'the whole input'}: {self.what}"


class ProjectionError(ValueError):
    """A tool that a provider can't be told of in the mode that was asked for.

    Attributes:
        tool: the tool's wire name.
        field: where in its input, empty for the whole.
        provider: the provider.
        reason: why.
        way: what to do about it.
    """

    def __init__(self, *, tool: str, field: str, provider: str, reason: str, way: str) -> None:
        self.tool = tool
        self.field = field
        self.provider = provider
        self.reason = reason
        self.way = way
        place = f"{tool}, field {field}" if field else tool
        super().__init__(f"{place}: {provider} can't be told of it: {reason}. {way}")

    def with_way(self, way: str) -> ProjectionError:
        """The same error with another word on what to do about it."""
        return ProjectionError(tool=self.tool, field=self.field, provider=self.provider, reason=self.reason, way=way)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored_error, (self.tool, self.field, self.provider, self.reason, self.way)


def _restored_error(tool: str, field: str, provider: str, reason: str, way: str) -> ProjectionError:
    return ProjectionError(tool=tool, field=field, provider=provider, reason=reason, way=way)


class Definition(dict[str, Any]):
    """What a provider is told of one tool: a plain dict to send, with what the projection did beside it.

    Attributes:
        tool: the tool's wire name.
        provider: the provider's name.
        strict: whether it asks for the provider's strict mode.
        schema: the projected schema of the input, as JSON Schema, which it is in the dict as well, save for the form
            of Gemini's Live API.
        notes: what the projection changed, each also said in a description where the model has to know it.
    """

    def __init__(
        self,
        definition: Mapping[str, Any],
        *,
        tool: str,
        provider: str,
        strict: bool,
        schema: dict[str, Any],
        notes: tuple[Note, ...],
        form: Form,
    ) -> None:
        super().__init__(definition)
        self.tool = tool
        self.provider = provider
        self.strict = strict
        self.schema = schema
        self.notes = notes
        self._form = form

    def read(self, arguments: Input) -> Input:
        """What a model wrote under this definition, as the tool's canonical schema has it.

        Nulls that only this definition asked for are left out, enums that became strings are numbers again, and
        properties have their own names. All else, good or bad, is left for the codec to judge; a text that is no JSON
        is given back as it is.
        """
        if not self._form.changes:
            return arguments
        value: Any = arguments
        mended: tuple[Mend, ...] = ()
        if is_text(arguments):
            try:
                value, mended = parse(arguments, lenient=True)
            except PayloadError:
                return arguments
        read: Any = self._form.read(value)
        if read is value:
            return arguments
        # What has to be mended stays so, for the codec to mend or refuse, and to note: a text with raw control
        # characters keeps them, and an object written as a JSON string stays one.
        return written(read, mended) if mended or isinstance(read, str) else read

    def write(self, arguments: Mapping[str, Any], /) -> dict[str, Any]:
        """A canonical input, as a model would have to write it under this definition: the inverse of ``read``."""
        written: dict[str, Any] = self._form.write(arguments)
        return written

    @property
    def changes(self) -> bool:
        """Whether a model has to write inputs in another form than the tool's own."""
        return self._form.changes

    def path(self, path: str, /) -> str:
        """A JSON Pointer into a canonical input, as one into what a model wrote under this definition."""
        return self._form.path(path)

    def issue(self, issue: Issue, /) -> Issue:
        """An issue of a canonical input, in the names of this definition."""
        return self._form.issue(issue)


class Definitions(list[Any]):
    """The definitions of several tools, in their order.

    Definitions that toolgen did not make, as of a provider's own web search, are added with ``+``.
    """

    def __init__(self, definitions: Iterable[Any] = ()) -> None:
        super().__init__(definitions)

    def __add__(self, more: Iterable[Any]) -> Definitions:
        return Definitions([*self, *more])

    @property
    def notes(self) -> dict[str, tuple[Note, ...]]:
        """What the projection changed, by the tool's wire name; tools that it left alone are not named."""
        return {definition.tool: definition.notes for definition in self._own() if definition.notes}

    @property
    def providers(self) -> set[str]:
        """Which providers they were made for."""
        return {definition.provider for definition in self._own()}

    def named(self, tool: str) -> Definition | None:
        """The definition of the tool with this wire name."""
        return next((definition for definition in self._own() if definition.tool == tool), None)

    def _own(self) -> Iterator[Definition]:
        return (definition for definition in self if isinstance(definition, Definition))
