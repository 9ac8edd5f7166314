"""Functions that tools are bound to: found, and read for what they take and return."""

from __future__ import annotations

import collections.abc
import inspect
import re
import typing
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any, Final, get_args, get_origin

from toolgen import ir
from toolgen.bindings import Named
from toolgen.design import hints, texts
from toolgen.design.catalog import Catalog
from toolgen.design.fields import Draft
from toolgen.design.problems import Place, Problems, Report
from toolgen.design.running import Sources
from toolgen.names import is_keyword
from toolgen.plain import Plain
from toolgen.runtime.hints import signature_of, wrapped_by

UNKNOWN: Any = inspect.Parameter.empty
"""Stands for the type of what a function does not annotate."""

_ANYTHING = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
_STREAMS = (collections.abc.AsyncIterator, collections.abc.AsyncIterable, collections.abc.AsyncGenerator)
_AWAITABLE = (collections.abc.Awaitable, collections.abc.Coroutine)


class Parameter(Plain, frozen=True):
    """One parameter. ``hint`` is its evaluated annotation, or ``UNKNOWN``."""

    name: str
    by_position: bool
    hint: Any
    default: Any


class Function(Plain, frozen=True):
    """A function: how it is imported, what it takes and what it returns."""

    named: Named
    is_async: bool
    parameters: tuple[Parameter, ...]
    returns: Any
    doc: str


_NOT_FOUND: Final = (
    "Name a module that Python finds where toolgen runs: install your project there, or set PYTHONPATH to its sources."
)


def find(binds: str, folder: str, sources: Sources, report: Report) -> Function | None:
    """The function that ``binds`` names as ``module:function``; None, reported, where there is none to call."""
    module, _, path = binds.partition(":")
    try:
        found: Any = sources.imported(module, folder)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # a module may raise anything when it is imported, SystemExit included
        mend = _NOT_FOUND if isinstance(error, ModuleNotFoundError) else "Mend that module, or name another."
        report(f"binds={binds!r}, and importing {module} raised {type(error).__name__}: {error}", mend)
        return None
    for name in path.split("."):
        found = getattr(found, name, None)
    if not callable(found) or inspect.isclass(found):
        report(f"binds={binds!r}, and {module} has no function {path}", "Name one: package.module:function.")
        return None
    called = _called(found)
    try:
        signature = inspect.signature(called, follow_wrapped=False)
    except (ValueError, TypeError):
        report(f"binds={binds!r}, which does not say what it takes", "Bind a function written in Python.")
        return None
    evaluated = _hints(called)
    returns = evaluated.get("return", UNKNOWN)
    if inspect.isasyncgenfunction(called) or get_origin(returns) in _STREAMS:
        report(f"binds={binds!r}, which gives its answers one by one", "Bind a function that returns them together.")
        return None
    is_async = inspect.iscoroutinefunction(called)
    if get_origin(returns) in _AWAITABLE:
        is_async, returns = True, get_args(returns)[-1]
    doc = inspect.getdoc(found) or ""
    return Function(Named(module, path), is_async, tuple(_parameters(signature, evaluated)), returns, doc)


def _called(found: Any) -> Any:
    """What says how ``found`` is called: of an object its method, of a decorator that takes anything, or is
    written in C, what it wraps."""
    if not inspect.isroutine(found) and not isinstance(found, partial):
        return _called(found.__call__)
    wrapped = wrapped_by(found)
    if wrapped is None:
        return found
    signature = signature_of(found)
    if signature is None:  # a decorator in C, such as functools.lru_cache
        return _called(wrapped)
    kinds = {parameter.kind for parameter in signature.parameters.values()}
    return _called(wrapped) if kinds and kinds <= _ANYTHING else found


def _hints(function: Any) -> Mapping[str, Any]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except Exception:  # names for type checkers alone; those will hold the adapter to them
        return {}


def _parameters(signature: inspect.Signature, evaluated: Mapping[str, Any]) -> Iterator[Parameter]:
    for name, parameter in signature.parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue  # nothing is passed that no field is declared for
        by_position = parameter.kind is parameter.POSITIONAL_ONLY
        yield Parameter(name, by_position, evaluated.get(name, UNKNOWN), parameter.default)


# --- fields of a tool without an Input -------------------------------------------------------------------------------


def fields_of(function: Function, place: Place, catalog: Catalog, problems: Problems) -> Iterator[Draft]:
    """A model field for each parameter, as the function declares it and its docstring tells of it."""
    described = parameter_docs(function.doc)
    for parameter in function.parameters:
        at = place.of_field(parameter.name, place.location)
        yield _field(parameter, described.get(parameter.name, ""), at, catalog, problems.at(at))


def _field(parameter: Parameter, about: str, place: Place, catalog: Catalog, report: Report) -> Draft:
    hint, told = _split(parameter.hint)
    type_: ir.Type | None = None
    if parameter.hint is UNKNOWN:
        report("the bound function does not annotate this parameter", "Annotate it, or declare class Input.")
    else:
        type_ = hints.Reader(catalog, report).read(hint)
    if parameter.name.startswith("_") or is_keyword(parameter.name):
        report("the parameter's name can't be a field's", "Declare class Input, or bind a function that names it.")
    mend = "Tell of it in the function's docstring, or declare class Input."
    description = texts.description(told or about, "the parameter", mend, report)
    field = ir.Field(
        name=parameter.name,
        wire=parameter.name,
        type=type_ or ir.Anything(),
        description=description,
        location=place.location,
    )
    draft = Draft(field, place, sound=type_ is not None)
    if parameter.default is UNKNOWN:
        return draft
    draft.field = field.replace(presence=ir.Presence.DEFAULT)
    draft.default = parameter.default
    return draft


def _split(hint: Any) -> tuple[Any, str]:
    """A hint without the texts in its ``Annotated``, and the first of them."""
    if get_origin(hint) is not Annotated:
        return hint, ""
    inner, *extras = get_args(hint)
    told = [extra for extra in extras if isinstance(extra, str)]
    kept = [extra for extra in extras if not isinstance(extra, str)]
    return (Annotated[(inner, *kept)] if kept else inner), (told[0] if told else "")


# --- docstrings ------------------------------------------------------------------------------------------------------

_REST = re.compile(r":param(?:\s+[^:]+?)?\s+\*{0,2}(\w+)\s*:\s*(.*)")
_SECTION = re.compile(r"(Args|Arguments|Parameters)\s*:?\s*")
_GOOGLE = re.compile(r"(\s*)\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)")
_NUMPY = re.compile(r"\*{0,2}(\w+)\s*(?::.*)?")


def parameter_docs(doc: str) -> dict[str, str]:
    """What a docstring says of each parameter, in the forms of Sphinx, Google and NumPy."""
    lines = doc.splitlines()
    found = _rest(lines)
    for number, line in enumerate(lines):
        if _SECTION.fullmatch(line):
            underlined = number + 1 < len(lines) and set(lines[number + 1].strip()) == {"-"}
            section = lines[number + 2 :] if underlined else lines[number + 1 :]
            found.update(_numpy(section) if underlined else _google(section))
    return {name: " ".join(text.split()) for name, text in found.items() if text.strip()}


def _rest(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    name = None
    for line in lines:
        match = _REST.match(line.strip())
        if match:
            name, found[match[1]] = match[1], match[2]
        elif name and line.startswith(" ") and line.strip():
            found[name] += f" {line.strip()}"
        else:
            name = None
    return found


def _google(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    indent, name = None, None
    for line in lines:
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip())
        if depth == 0:
            break
        indent = depth if indent is None else indent
        match = _GOOGLE.match(line) if depth <= indent else None
        if match:
            name, found[match[2]] = match[2], match[3]
        elif name and depth > indent:
            found[name] += f" {line.strip()}"
    return found


def _numpy(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    name = None
    for number, line in enumerate(lines):
        if number + 1 < len(lines) and lines[number + 1].strip() and set(lines[number + 1].strip()) == {"-"}:
            break
        match = _NUMPY.fullmatch(line)
        if match:
            name, found[match[1]] = match[1], ""
        elif name and line.startswith(" ") and line.strip():
            found[name] += f" {line.strip()}"
    return found
