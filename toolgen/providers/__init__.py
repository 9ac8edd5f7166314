"""Model providers: what each is told of a tool, how its calls are read, and how results go back.

Every function here takes the name of a provider and hands over to its module, all of which have the same functions.
None needs a provider's SDK: they make and read plain dicts, and read the SDKs' objects by attribute.

    tools = providers.definitions(TOOLSET, "anthropic")
    response = client.messages.create(tools=tools, messages=messages, ...)
    results = [await registry.run(call, context) for call in providers.calls(response, tools=tools)]
    messages += providers.answer(response, results)
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from toolgen.providernames import PROVIDERS
from toolgen.providers import turns
from toolgen.providers.definitions import Definition, Definitions, Note, ProjectionError
from toolgen.providers.dialect import NOT_STRICT
from toolgen.providers.facts import Facts
from toolgen.providers.outcomes import Fidelity, ResultError
from toolgen.providers.streams import CutStreamError, Stream
from toolgen.providers.turns import TurnError
from toolgen.runtime import Submit, ToolCall, ToolResult, ToolSpec
from toolgen.runtime.pytypes import of_class

if TYPE_CHECKING:
    from toolgen.runtime import ToolRegistry

__all__ = [
    "PROVIDERS",
    "CutStreamError",
    "Definition",
    "Definitions",
    "Facts",
    "Fidelity",
    "Note",
    "ProjectionError",
    "ResultError",
    "Stream",
    "TurnError",
    "answer",
    "calls",
    "check_turns",
    "definition",
    "definitions",
    "fidelity",
    "module",
    "read_result",
    "result",
    "stream",
]

Tool: TypeAlias = ToolSpec[Any, Any, Any] | Submit[Any]
"""A tool that a handler runs, or one that submits a response."""


def module(provider: str) -> Any:
    """The module of a provider.

    Raises:
        ValueError: there is none of this name.
        TypeError: the name is no text.
    """
    if not isinstance(provider, str):
        raise TypeError(f"a provider is one of {', '.join(PROVIDERS)}, by name: not {of_class(provider)}")
    if provider not in PROVIDERS:
        near = difflib.get_close_matches(provider, PROVIDERS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"the providers are {', '.join(PROVIDERS)}"
        raise ValueError(f"there is no provider {provider!r}: {hint}")
    return importlib.import_module(f"{__name__}.{provider}")


if not TYPE_CHECKING:  # a type checker would take any attribute for granted

    def __getattr__(name: str) -> Any:
        """The module of a provider, which is imported when it is first asked for."""
        if name in PROVIDERS:
            return module(name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def definition(tool: Tool | Facts, provider: str, *, strict: bool | None = None, live: bool = False) -> Definition:
    """What a provider is told of a tool.

    ``strict`` asks for the provider's strict mode, or against it; None: as the tool's design says, and else not.
    ``live`` asks for the form of Gemini's Live API, which takes no JSON Schema and has no strict mode.

    Raises:
        ProjectionError: the provider can't be told of the tool in this mode.
        ValueError: there is no such provider, or it has no Live API.
        TypeError: it is no tool.
    """
    if not isinstance(tool, Facts | ToolSpec | Submit):
        raise TypeError(
            f"a tool is a ToolSpec or a Submit, not a {type(tool).__name__}: give SPEC or SUBMIT of its module"
        )
    facts = tool if isinstance(tool, Facts) else Facts.of(tool)
    found = module(provider)
    if live and not hasattr(found, "live_definition"):
        raise ValueError(f"{provider} has no Live API: only gemini has")
    try:
        made: Definition = found.live_definition(facts) if live else found.definition(facts, strict)
    except ProjectionError as error:
        if strict and error.way == NOT_STRICT:
            raise error.with_way(_NOT_ASKED_FOR) from None
        raise
    return made


_NOT_ASKED_FOR: Final = "Ask with strict=False (a command: without --strict), and the codec alone enforces it."
"""What leads on where the caller asked for strict mode: that counts before what the tool says."""


def definitions(
    tools: Mapping[str, ToolSpec[Any, Any, Any]] | ToolRegistry | Iterable[Tool],
    provider: str,
    *,
    strict: bool | None = None,
    live: bool = False,
) -> Definitions:
    """What a provider is told of a toolset, of a registry's tools, or of any tools, submits among them.

    A toolset's submits end a run and are no tools of it: they are given beside them, ``[*TOOLSET.values(), SUBMIT]``.

    ``strict`` and ``live`` are those of ``definition``.

    Raises:
        ProjectionError: as ``definition``, of the first such tool; its notes name the others.
        ValueError: as ``definition``; or two tools have one name, which every provider refuses.
        TypeError: as ``definition``; or they are no toolset, registry or list.
    """
    found: Any = getattr(tools, "specs", tools)
    specs: Iterable[Tool] = found.values() if isinstance(found, Mapping) else found
    if isinstance(specs, str | bytes) or not isinstance(specs, Iterable):
        raise TypeError(f"tools are a toolset, a registry or a list, not {of_class(tools)}: give TOOLSET or [SUBMIT]")
    made: list[Definition] = []
    refused: list[ProjectionError] = []
    for spec in specs:
        try:
            made.append(definition(spec, provider, strict=strict, live=live))
        except ProjectionError as error:
            refused.append(error)
    if refused:
        for other in refused[1:]:
            refused[0].add_note(f"and {other}")
        raise refused[0]
    names = [told.tool for told in made]
    if twins := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"two tools are named {twins[0]}: a provider is told of tools by their names")
    return Definitions(made)


def calls(response: Any, provider: str | None = None, *, tools: Iterable[Any] | None = None) -> list[ToolCall]:
    """The calls in a provider's response, in their order; none where the model made none.

    ``tools`` are the definitions that the model was told, those that toolgen did not make among them: what it wrote
    under them is put into the form that the tools' codecs read, and what it is told of a refusal into the form that it
    knows. Without, the arguments are as they came.

    Raises:
        ValueError: ``provider`` is not given, and the response does not tell it, or it has calls of another one; or
            ``tools`` were told to another one, or they are plain copies of what ``definitions`` gave, which no longer
            tell the form.
        TypeError: ``response`` is text, None, a number or not awaited yet; or ``tools`` are tools, and not what a model
            was told of them.
    """
    its = _of(response, provider)
    return _read_under(its.NAME, its.calls(response), tools)


def _read_under(provider: str, found: list[ToolCall], tools: Iterable[Any] | None) -> list[ToolCall]:
    """Calls of a provider's, read by what the model was told."""
    if tools is None:
        return found
    told = tools if isinstance(tools, Definitions) else Definitions(_as_told(tools))
    if told is not tools and not told.providers and any(map(_is_copy, told)):
        raise ValueError(
            "none of the tools is a Definition: give what definitions() gave, and not a copy as plain dicts"
        )
    if others := sorted(told.providers - {provider}):
        raise ValueError(f"the tools were told to {others[0]}, and the response is of {provider}: give its definitions")
    return [_read(call, told) for call in found]


def _as_told(tools: Iterable[Any]) -> list[Any]:
    """What a model was told, once it is no toolset, registry, spec or name: those do not say in which form."""
    whole = isinstance(tools, str | bytes | Mapping) or not isinstance(tools, Iterable)
    found = [tools] if whole else list(tools)
    for each in found:
        if whole or isinstance(each, str | bytes | ToolSpec | Submit):
            what = type(each).__name__
            raise TypeError(
                f"tools= holds a {what}: give what definitions(tools, provider) gave, as the model was told"
            )
    return found


_SCHEMAS: Final = ("input_schema", "inputSchema", "parameters", "parameters_json_schema", "function", "toolSpec")
"""Keys of definitions of functions, one of which each provider's form has: a provider's own tools have none."""


def _is_copy(tool: Any) -> bool:
    """Whether this is the definition of a function as a plain dict. It may name no schema: Gemini's Live API."""
    if not isinstance(tool, Mapping):
        return False
    return any(key in tool for key in _SCHEMAS) or tool.keys() == {"name", "description"}


def _read(call: ToolCall, tools: Definitions) -> ToolCall:
    told = tools.named(call.name)
    if told is None or not told.changes:
        return call
    return replace(call, arguments=told.read(call.arguments), told=told)


def result(outcome: ToolResult, provider: str | None = None) -> dict[str, Any]:
    """A result as the provider wants it: of the provider that its call came by, unless one is given.

    Raises:
        ResultError: its call has no id, or it holds what this wire can't carry.
        ValueError: ``provider`` is not given, and the call does not tell it.
        TypeError: ``outcome`` is no ToolResult.
    """
    turns.judge_result(outcome)
    name = provider or outcome.call.provider
    if name is None:
        raise ValueError(f"the call of {outcome.call.name or 'a tool'} does not tell its provider: give provider=")
    told: dict[str, Any] = module(name).result(outcome)
    return told


def read_result(wire: Any, provider: str) -> ToolResult:
    """The result that stands in a history, read back. A failure has its kind, message, recovery and wait again.

    Raises:
        ResultError: it is no result of this provider.
    """
    read: ToolResult = module(provider).read_result(wire)
    return read


def answer(
    response: Any,
    results: Iterable[ToolResult],
    provider: str | None = None,
    *,
    missing: Literal["fail", "raise"] = "fail",
) -> list[Any]:
    """The messages to add to the conversation: the response's own turn as it came, and then the results.

    Each call has one result, in the order of the calls. A call that ``results`` leave out gets a failure, or, with
    ``missing="raise"``, is an error.

    Raises:
        TurnError: a result for no call of this turn, two for one call, or a call without one.
        ResultError: a result that this wire can't carry.
        ValueError: ``provider`` is not given, and the response does not tell it, or it has calls of another one.
        TypeError: ``response`` is text, None, a number or not awaited yet.
    """
    return turns.answer(_of(response, provider), response, results, missing)


def check_turns(messages: Iterable[Any], provider: str) -> None:
    """Hold a conversation to what the provider asks: each call has one result, in the turn after it.

    Raises:
        TurnError: it does not; the message says which call or result, and why.
        TypeError: ``messages`` are no list.
    """
    turns.check_turns(module(provider), messages)


def fidelity(provider: str) -> Fidelity:
    """What a provider's wire carries of a result."""
    told: Fidelity = module(provider).FIDELITY
    return told


def stream(provider: str) -> Stream:
    """Puts a streamed turn together.

    Raises:
        ValueError: calls do not stream on this wire.
    """
    assembly = getattr(module(provider), "Stream", None)
    if assembly is None:
        raise ValueError(f"calls by {provider} come whole: there is no stream to put together")
    return Stream(assembly(), partial(_read_under, provider))


def _of(response: Any, provider: str | None) -> Any:
    """The module of the provider that is named, or that the response tells.

    None of these stand for a turn without calls, since a run would end by it as if the model had been done.
    """
    its = None if provider is None else module(provider)
    if response is None or isinstance(response, str | bytes | int | float) or isawaitable(response):
        mend = "await it first" if isawaitable(response) else "give what the provider's SDK or its API gave, whole"
        raise TypeError(f"a response is an object or a dict, not {of_class(response)}: {mend}")
    if its is not None and its.is_response(response):
        return its
    found = [name for name in PROVIDERS if module(name).is_response(response)]
    if its is None:
        if len(found) != 1:
            raise ValueError(f"a {type(response).__name__} does not tell which provider it is from: give provider=")
        return module(found[0])
    # A turn or an item by itself may look like another's response; its calls do not.
    for name in found:
        if module(name).calls(response) and not its.calls(response):
            raise ValueError(f"the response is of {name}, and is read as one of {provider}: give provider={name!r}")
    return its
