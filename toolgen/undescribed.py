"""What an import found no description of: models read that there is none, so it is told until a description stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolgen import ir

NOT_DESCRIBED: Final = "The source does not describe it."
"""Stands in an imported design wherever the source does not say what something is."""


def warning(package: ir.Package) -> str | None:
    """A line that counts what a package does not describe; None where there is nothing of the kind."""
    tools = package.toolset.tools if package.toolset else ()
    texts = {
        "tool": [tool.description for tool in tools],
        "Record": [record.description for record in package.records],
        "field": [field.description for field in _fields(package)],
    }
    numbers = {kind: of.count(NOT_DESCRIBED) for kind, of in texts.items()}
    counts = [f"{number} {kind}{'' if number == 1 else 's'}" for kind, number in numbers.items() if number]
    if not counts:
        return None
    told = f"{', '.join(counts)} without a description: models are told {NOT_DESCRIBED!r}"
    return f"{package.source}: {told} Say there what each is."


def _fields(package: ir.Package) -> Iterator[ir.Field]:
    for record in package.records:
        yield from record.fields
    for tool in package.toolset.tools if package.toolset else ():
        yield from tool.fields
