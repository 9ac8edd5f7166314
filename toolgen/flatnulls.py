"""What a flat submit can't carry: null in a required parameter, which may only be missing or have a value."""

from __future__ import annotations

from collections.abc import Iterator

from toolgen import ir
from toolgen.wiretypes import takes_null


def warnings(package: ir.Package, program: ir.Program) -> Iterator[str]:
    """A line a property whose null no model can submit: told that it must write a value, it would make one up."""
    toolset = package.toolset
    for tool in toolset.tools if toolset else ():
        if tool.submit is None or not tool.submit.flat:
            continue
        for field in program.records[tool.submit.response].fields:
            # Any says of no value that it is meant.
            if (
                field.presence is ir.Presence.REQUIRED
                and field.type != ir.Anything()
                and takes_null(field.type, program)
            ):
                place = f"{field.location.file}:{field.location.line}: {package.name}.{tool.name}, field {field.name}"
                yield (
                    f"{place}: its null can't be submitted, since a required parameter of a flat submit is never null. "
                    "Make it optional (optional=True), or leave flat out."
                )
