"""Finding what a command is to serve: a registry in a module of the user's own, and its execution context."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from toolgen.design.problems import said_by
from toolgen.design.running import is_below, is_own_file
from toolgen.paths import shown
from toolgen.runtime import ContextError, PayloadError, RegistrationError, ToolRegistry

_HERE = os.path.dirname(os.path.realpath(__file__))


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
        ServingError: there is no such module, or it can't be imported; there is no registry in it, or more than one; or
            an injected field is bad, or is one that no tool has.
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
        context = context or {}
        _judge_names(registry, context, given)
        context = {**context, **_values(registry, given)}
    return Served(registry, context, path.rpartition(".")[2], (module.__doc__ or "").strip() or None)


def _imported(path: str) -> Any:
    # As python -m does: the folder one works in holds the modules one means.
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(path)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and error.name and f"{path}.".startswith(f"{error.name}."):
            missing = f"there is no module {path}: give the import name of the one with the registry"
            raise ServingError(missing) from error
        said = str(error) if isinstance(error, RegistrationError) else f"running it raised {said_by(error)}"
        raise ServingError(f"{_line_of(error, path)}: {path} can't be imported: {said}") from error


def _line_of(error: BaseException, path: str) -> str:
    """The line of the user's own code that an error comes from: the last one that is of no library."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{shown(error.filename)}:{error.lineno or 1}"
    folders = [os.path.realpath(folder) for folder in sys.path if folder]
    frames = [
        f"{shown(frame.filename)}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if is_own_file(os.path.realpath(frame.filename), folders) and not is_below(frame.filename, _HERE)
    ]
    return frames[-1] if frames else path


def _only_registry(module: Any, path: str) -> ToolRegistry:
    found = {name: value for name, value in vars(module).items() if isinstance(value, ToolRegistry)}
    if not found:
        raise ServingError(f"{path} holds no ToolRegistry: make one at module level, and register the handlers")
    if len({id(registry) for registry in found.values()}) > 1:
        raise ServingError(f"{path} holds several registries: say which, as in {path}:{next(iter(found))}")
    return next(iter(found.values()))


def _judge_names(registry: ToolRegistry, context: Mapping[str, object], given: Mapping[str, object]) -> None:
    """Refuse what is an injected field of no tool, unless the module's own context has it too."""
    injected = dict.fromkeys(name for spec in registry.specs.values() for name in spec.injected)
    known = {*injected, *context, registry.conversation_key}
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, injected, 1)
            mean = f"did you mean {near[0]}? " if near else ""
            there = f"the injected fields are {', '.join(injected)}" if injected else "no tool has any: leave it out"
            raise ServingError(f"--context: no tool has an injected field {name}: {mean}{there}")


def _values(registry: ToolRegistry, given: Mapping[str, object]) -> dict[str, object]:
    """Injected fields from their JSON, read as the tools that have them do; another key stays as it is."""
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


def unfilled(served: Served) -> dict[str, list[str]]:
    """Injected fields that nothing gives, each with the tools whose every call will fail for want of it.

    What a function gives is not known before a call.
    """
    found: dict[str, list[str]] = {}
    if callable(served.context):
        return found
    given = served.context or {}
    for spec in served.registry.specs.values():
        for name in spec.context.required if spec.context is not None else ():
            if name not in given:
                found.setdefault(name, []).append(spec.name)
    return found


async def serve_mcp(served: Served, wire: BinaryIO) -> None:
    """Serve over stdio until the client goes; ``wire`` is what the client reads.

    Raises:
        ImportError: the extra ``mcp`` is not installed.
    """
    from toolgen.providers import mcp

    await mcp.serve(
        served.registry, name=served.name, instructions=served.instructions, context=served.context, stdout=wire
    )
