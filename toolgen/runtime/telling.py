"""The names by which a model was told of a tool's fields, where a provider takes others than the tool's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from toolgen.runtime.issues import Issue, PayloadError

if TYPE_CHECKING:
    from toolgen.runtime.failures import Failure


class Told(Protocol):
    """What a provider was told of a tool: a model that reads what was wrong has to read its own words."""

    schema: dict[str, Any]
    """The schema that the model was told, with its names."""

    def path(self, path: str, /) -> str:
        """A path into the input that the codec reads, as one into what the model wrote."""
        ...

    def issue(self, issue: Issue, /) -> Issue:
        """An issue of the input that the codec reads, in the model's names."""
        ...

    def write(self, arguments: Mapping[str, Any], /) -> dict[str, Any]:
        """An input that the codec reads, as the model has to write it."""
        ...


def retold(error: PayloadError, told: Told | None) -> PayloadError:
    """A refusal in the names that the model was told."""
    if told is None:
        return error
    issues = Issue.deferred(lambda number: told.issue(error.issues[number]), len(error.issues))
    example = example_told(error.example, told)
    return PayloadError(issues, schema=told.schema, example=example, tool=error.tool, what=error.what)


def failure_told(failure: Failure, told: Told | None) -> Failure:
    """A failure whose issues are in the names that the model was told."""
    if told is None or not failure.issues:
        return failure
    return replace(failure, issues=tuple(map(told.issue, failure.issues)))


def example_told(example: Any, told: Told | None) -> Any:
    """An example as the model has to write it."""
    return example if told is None or not isinstance(example, Mapping) else told.write(example)
