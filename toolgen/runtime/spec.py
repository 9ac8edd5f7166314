"""What the runtime knows of a tool and of a toolset."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from toolgen.runtime.codec import Codec, ExecutionCodec, ModelCodec
from toolgen.runtime.context import Context

A = TypeVar("A")
P = TypeVar("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnnotations:
    """Hints on what a tool does, in the words of the Model Context Protocol. ``None``: the design does not say."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec(Generic[A, P, R]):
    """One tool: what a model is told of it, and how its inputs and results are read and written.

    Attributes:
        name: the wire name.
        description: what the tool does, for a model.
        model: the codec of what a model writes (``A``); its ``schema`` is what is published, its ``example`` an input.
        execution: the codec of what the tool runs on (``P``).
        result: the codec of what it gives back (``R``), or None where the design declares no result.
        context: the check of the injected fields, or None where there are none.
        injected: Python names of the fields that the context fills in.
        restored: Python names of the fields that the runtime restores.
        strict: whether a provider's strict mode is wanted, where there is one; None: the provider's own default.
    """

    name: str
    description: str
    model: ModelCodec[A, Any]
    execution: ExecutionCodec[P, Any]
    result: Codec[R, Any] | None = None
    context: Context[Any] | None = None
    title: str | None = None
    tags: tuple[str, ...] = ()
    annotations: ToolAnnotations = ToolAnnotations()
    injected: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    strict: bool | None = None

    @property
    def example(self) -> dict[str, Any] | None:
        """An input that a model might write, or None where the design gives none and none follows from it."""
        return self.model.example


class Toolset(Mapping[str, ToolSpec[Any, Any, Any]]):
    """The tools of a generated package, by wire name, in design order. A tool's module is imported when asked for.

    Args:
        name: the toolset's name.
        description: what its tools are for.
        package: the import name of the generated package.
        modules: wire name → module name.
    """

    def __init__(self, name: str, description: str, *, package: str, modules: Mapping[str, str]) -> None:
        self.name = name
        self.description = description
        self._package = package
        self._modules = modules

    def __getitem__(self, name: str) -> ToolSpec[Any, Any, Any]:
        """The spec of the tool with this wire name.

        Raises:
            KeyError: there is no such tool.
        """
        spec: ToolSpec[Any, Any, Any] = importlib.import_module(f".{self._modules[name]}", self._package).SPEC
        return spec

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __repr__(self) -> str:
        return f"Toolset({self.name!r}, {list(self._modules)})"
