"""Finding what a command is to serve: a registry in a module of the user's own, and its execution context."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from toolgen.runtime import ContextError, PayloadError, ToolRegistry


class ServingError(Exception):
    """A module that can't be served; the text says why, and what to write."""


@dataclass(frozen=True, slots=True)
class Served:
    """A registry, the execution context of its calls, and what the module says of it."""

    registry: ToolRegistry
    context: Any
    name: str
    instructions: str | None


def find_served(name: str, given: Mapping[str, object]) -> Served:
    """The registry of ``package.module`` or ``package.module:attribute``. ``given`` are injected fields as JSON.

    Raises:
        ServingError: there is no such module, no registry in it, or more than one; or an injected field is bad.
    """
    path, _, attribute = name.partition(":")
    module = _imported(path)
    registry = getattr(module, attribute, None) if attribute else _only_registry(module, path)
    if not isinstance(registry, ToolRegistry):
        raise ServingError(f"{path} has no ToolRegistry named {attribute}")
    context = getattr(module, "context", None)
    if given:
        if callable(context):
            raise ServingError(f"{path} makes its context by a function: leave out --context, or the function")
        context = {**(context or {}), **_values(registry, given)}
    return Served(registry, context, path.rpartition(".")[2], (module.__doc__ or "").strip() or None)


def _imported(path: str) -> Any:
    # As python -m does: the folder one works in holds the modules one means.
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{path}.".startswith(f"{error.name}."):
            raise
        raise ServingError(f"there is no module {path}: give the import name of the one with the registry") from error


def _only_registry(module: Any, path: str) -> ToolRegistry:
    found = {name: value for name, value in vars(module).items() if isinstance(value, ToolRegistry)}
    if not found:
        raise ServingError(f"{path} holds no ToolRegistry: make one at module level, and register the handlers")
    if len({id(registry) for registry in found.values()}) > 1:
        raise ServingError(f"{path} holds several registries: say which, as in {path}:{next(iter(found))}")
    return next(iter(found.values()))


def _values(registry: ToolRegistry, given: Mapping[str, object]) -> dict[str, object]:
    """Injected fields from their JSON, read as the tools that have them do; what no tool has stays as it is."""
    values = dict(given)
    for spec in registry.specs.values():
        if spec.context is None:
            continue
        mine = {name: given[name] for name in spec.injected if name in given}
        missing = [name for name in spec.context.codec.schema["required"] if name not in mine]
        if not mine or missing:
            continue
        try:
            decoded = spec.context.codec.decode(mine)
        except PayloadError as error:
            raise ServingError(f"--context: {ContextError.from_issues(error.issues, tool=spec.name)}") from error
        values.update({name: getattr(decoded, name) for name in mine})
    return values


async def serve_mcp(served: Served, wire: BinaryIO) -> None:
    """Serve over stdio until the client goes; ``wire`` is what the client reads.

    Raises:
        ImportError: the extra ``mcp`` is not installed.
    """
    from toolgen.providers import mcp

    await mcp.serve(
        served.registry, name=served.name, instructions=served.instructions, context=served.context, stdout=wire
    )
