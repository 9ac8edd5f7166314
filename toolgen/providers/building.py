"""What every definition is made of, whatever its shape."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from toolgen.providers.definitions import Definition, ProjectionError
from toolgen.providers.dialect import Dialect
from toolgen.providers.facts import Facts
from toolgen.providers.projection import project
from toolgen.providers.wording import sentences

Shape = Callable[[str, dict[str, Any]], dict[str, Any]]
"""Puts the description and the schema where the provider wants them."""


def wants_strict(facts: Facts, strict: bool | None) -> bool:
    """Whether strict mode is asked for: by the caller, else by the design, else not."""
    return bool(facts.strict) if strict is None else strict


def built(facts: Facts, dialect: Dialect, name: re.Pattern[str], shape: Shape) -> Definition:
    """The definition of a tool.

    Raises:
        ProjectionError: the provider refuses its name, or can't be told of its input.
    """
    if name.fullmatch(facts.name) is None:
        raise ProjectionError(
            tool=facts.name,
            field="",
            provider=dialect.provider,
            reason=f"its name does not match {name.pattern}",
            way='Give the tool another name with name="...".',
        )
    projection = project(facts, dialect)
    return Definition(
        shape(sentences(facts.description, list(projection.words)), dialect.rewritten(projection.schema)),
        tool=facts.name,
        provider=dialect.provider,
        strict=dialect.strict,
        schema=projection.schema,
        notes=projection.notes,
        form=projection.form,
    )
