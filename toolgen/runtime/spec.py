"""What the runtime knows of a tool and of a toolset."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from toolgen.runtime import words
from toolgen.runtime.calls import CallContext
from toolgen.runtime.codec import Codec, ExecutionCodec, ModelCodec
from toolgen.runtime.context import Context
from toolgen.runtime.pages import Bounds, PageCodec

if TYPE_CHECKING:
    from toolgen.runtime.submit import Submit

A = TypeVar("A")
P = TypeVar("P")
R = TypeVar("R")
H = TypeVar("H")


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
        complete: makes a payload of the arguments and, by keyword, the restored and injected fields; None: the
            execution codec does, from the encoded arguments.
        continues: the wire name of the tool whose pages this one goes on with.
        adapter: runs the tool, where the design binds it to a function: ``(payload, ctx) -> result``.
        strict: whether a provider's strict mode is wanted, where there is one; None: the design does not say.
        keep_null: JSON Pointers into the model schema to the properties for which null and missing are two things.
        submits: whether it submits a response, and so is the executor's to read and no handler's to run.
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
    complete: Callable[..., P] | None = None
    continues: str | None = None
    adapter: Callable[[P, CallContext], R | Awaitable[R]] | None = None
    strict: bool | None = None
    keep_null: tuple[str, ...] = ()
    submits: bool = False

    @property
    def example(self) -> dict[str, Any] | None:
        """An input that a model might write, or None where the design gives none and none follows from it."""
        return self.model.example

    @property
    def bounded(self) -> Bounds | None:
        """What its results say of themselves, for a tool whose handler returns a ``Page``."""
        return self.result.bounds if isinstance(self.result, PageCodec) else None


class Toolset(Mapping[str, ToolSpec[Any, Any, Any]], Generic[H]):
    """The tools of a generated package, by wire name, in design order. A tool's module is imported when asked for.

    ``H`` is the protocol of a class with a handler for each of them.

    Args:
        name: the toolset's name.
        description: what its tools are for.
        package: the import name of the generated package.
        modules: wire name → module name, which is also the name of the tool's method in ``H``.
        submits: the same of the tools that submit a response. They are none that handlers run, and stand in no mapping
            of the toolset's: ``submit`` gives them.
        handlers: the name of ``H``, which stands in the package's module ``handlers``.
    """

    def __init__(
        self,
        name: str,
        description: str,
        *,
        package: str,
        modules: Mapping[str, str],
        submits: Mapping[str, str] = MappingProxyType({}),
        handlers: str | None = None,
    ) -> None:
        self.name = name
        self.description = description
        self._package = package
        self._modules = modules
        self._submits = submits
        self._handlers = handlers

    def __getitem__(self, name: str) -> ToolSpec[Any, Any, Any]:
        """The spec of the tool with this wire name.

        Raises:
            KeyError: there is no such tool.
        """
        spec: ToolSpec[Any, Any, Any] = self._module(self.method_name(name)).SPEC
        return spec

    def method_name(self, name: str, /) -> str:
        """The name of the method that handles the tool with this wire name.

        Raises:
            KeyError: there is no such tool.
        """
        return self._named(name, self._modules, "tool")

    @property
    def submits(self) -> tuple[str, ...]:
        """The wire names of the tools that submit a response, in design order."""
        return tuple(self._submits)

    def submit(self, name: str, /) -> Submit[Any]:
        """The tool with this wire name that submits a response.

        Raises:
            KeyError: there is no such submit.
        """
        submit: Submit[Any] = self._module(self._named(name, self._submits, "submit")).SUBMIT
        return submit

    def module_named(self, name: str, /) -> Any:
        """A tool's module, or the protocol of handlers, for the package's ``__getattr__``.

        Raises:
            AttributeError: no tool has a module of this name.
        """
        if name in self._modules.values() or name in self._submits.values():
            return self._module(name)
        if name == self._handlers:
            return getattr(self._module("handlers"), name)
        raise AttributeError(f"module {self._package!r} has no attribute {name!r}")

    def module_names(self) -> list[str]:
        """What the package holds, for its ``__dir__``."""
        handlers = () if self._handlers is None else (self._handlers,)
        return sorted({*vars(sys.modules[self._package]), *self._modules.values(), *self._submits.values(), *handlers})

    def _named(self, name: str, modules: Mapping[str, str], what: str) -> str:
        """The module of a wire name, or a KeyError that says which names there are."""
        if name in modules:
            return modules[name]
        known = tuple(modules)
        near = words.near(name, known) if isinstance(name, str) else None
        there = words.listing(known) if known else "none"
        hint = f"there are {there}" if near is None else f"did you mean {words.quote(near)}?"
        raise KeyError(f"the toolset {self.name} has no {what} {words.quote(name)}: {hint}")

    def _module(self, name: str) -> ModuleType:
        return importlib.import_module(f".{name}", self._package)

    def __contains__(self, name: object) -> bool:
        return name in self._modules  # without importing its module

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __repr__(self) -> str:
        return f"Toolset({self.name!r}, {list(self._modules)})"
