"""What there is to tell of a tool, before any provider's own form of it."""

from __future__ import annotations

from msgspec import structs

from toolgen import ir
from toolgen.schema import EXECUTION_ROLES, MODEL_ROLES, input_schema

Json = dict[str, object]


def schema_of(tool: ir.Tool, program: ir.Program, side: str) -> Json:
    """The canonical schema of a tool's ``model`` or ``execution`` input."""
    return dict(input_schema(tool, program, MODEL_ROLES if side == "model" else EXECUTION_ROLES))


def definition(tool: ir.Tool, program: ir.Program) -> Json:
    """Name, description, hints, and the schemas of both inputs; what the design does not say is left out."""
    hints = {name: value for name, value in structs.asdict(tool.annotations).items() if value is not None}
    parts: Json = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "tags": list(tool.tags),
        "annotations": hints,
        "model": schema_of(tool, program, "model"),
        "execution": schema_of(tool, program, "execution"),
        "injected": [field.name for field in tool.fields if field.role is ir.Role.INJECTED],
    }
    return {name: value for name, value in parts.items() if value not in (None, [], {})}
