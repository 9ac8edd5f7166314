"""What a provider's module is told of a tool, whether it comes from a spec or from a design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolgen.runtime import Submit, ToolAnnotations, ToolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """One tool, as far as providers are told of it.

    Attributes:
        name: the wire name.
        description: what the tool does.
        schema: the canonical JSON Schema of its model input.
        result: the canonical schema of what it gives back, or None.
        example: a model input.
        strict: whether the design asks for a provider's strict mode; None where it does not say.
        keep_null: JSON Pointers, into ``schema``, of the properties for which null and missing are two things.
        payload: of a tool that submits a response, the property that holds it whole; None for every other tool.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    title: str | None = None
    result: Mapping[str, Any] | None = None
    example: Mapping[str, Any] | None = None
    annotations: ToolAnnotations = field(default_factory=ToolAnnotations)
    strict: bool | None = None
    keep_null: frozenset[str] = frozenset()
    payload: str | None = None

    @classmethod
    def of(cls, spec: ToolSpec[Any, Any, Any] | Submit[Any]) -> Facts:
        """The facts of a spec, or of a tool that submits a response."""
        if not isinstance(spec, ToolSpec):
            return cls(
                name=spec.name,
                description=spec.description,
                schema=spec.schema,
                keep_null=frozenset(spec.told_keep_null),
                payload=None if spec.flat else spec.payload,
            )
        return cls(
            name=spec.name,
            description=spec.description,
            schema=spec.model.schema,
            title=spec.title,
            result=None if spec.result is None else spec.result.schema,
            example=spec.example,
            annotations=spec.annotations,
            strict=spec.strict,
            keep_null=frozenset(spec.keep_null),
        )
