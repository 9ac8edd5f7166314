"""What a spec and its handler must be before anything is run on them."""

from __future__ import annotations

import inspect
import json
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from toolgen.runtime.calls import CallContext
from toolgen.runtime.careful import Careful
from toolgen.runtime.codec import Codec, ExecutionCodec, ModelCodec
from toolgen.runtime.continuations import CURSOR
from toolgen.runtime.issues import PayloadError
from toolgen.runtime.numbers import is_seconds, written
from toolgen.runtime.spec import ToolSpec
from toolgen.runtime.toolnames import TOOL_NAME

Spec = ToolSpec[Any, Any, Any]


class RegistrationError(ValueError):
    """A spec or handler that a registry does not take: the message says which, and every reason."""

    def __init__(self, name: str, reasons: list[str]) -> None:
        self.name = name
        self.reasons = tuple(reasons)
        super().__init__(f"{name} can't be registered: {'; '.join(reasons)}")


@dataclass(frozen=True, slots=True)
class Registered:
    """One tool of a registry.

    ``restore`` gives the values of its restored fields, for a tool that has any and continues none.
    """

    spec: Spec
    handler: Callable[[Any, Any], Any]
    is_async: bool
    timeout: float | None
    restore: Callable[[Any, Any], Any] | None = None


def registered(
    spec: Spec, handler: object, timeout: float | None, restore: Callable[[Any, Any], Any] | None
) -> Registered:
    """The tool, once everything about it holds.

    Raises:
        RegistrationError: something does not.
    """
    if not isinstance(spec, ToolSpec):
        raise RegistrationError(repr(spec), [f"it is a {type(spec).__name__}, not a ToolSpec"])
    reasons = list(_of_words(spec))
    reasons += list(_of_codecs(spec)) or [*_of_inputs(spec), *_of_fields(spec, restore), *_of_example(spec)]
    reasons += [*_of_restore(spec, restore), *_of_handler(spec, handler)]
    if timeout is not None and not (is_seconds(timeout) and timeout):
        reasons.append(f"its timeout is {written(timeout)}, not a number of seconds above 0")
    if reasons:
        raise RegistrationError(str(spec.name), reasons)
    assert callable(handler)
    return Registered(spec, handler, is_async(handler), timeout, restore)


def _of_words(spec: Spec) -> Iterator[str]:
    """What a model is told of it. A spec by hand is held to what a design is."""
    if not isinstance(spec.name, str) or not TOOL_NAME.fullmatch(spec.name):
        yield "its name is one that providers refuse: give 1 to 64 of A-Z a-z 0-9 _ and -, the first a letter or _"
    if not isinstance(spec.description, str) or not spec.description.strip():
        yield "it has no description"
    if spec.title is not None and not isinstance(spec.title, str):
        yield f"its title is a {type(spec.title).__name__}, not text"


def _of_codecs(spec: Spec) -> Iterator[str]:
    yield from _of_codec("model", spec.model, ModelCodec)
    yield from _of_codec("execution", spec.execution, ExecutionCodec)
    if spec.result is not None:
        yield from _of_codec("result", spec.result, Codec)
        if isinstance(spec.result, ModelCodec | ExecutionCodec):
            yield f"its result codec is a {type(spec.result).__name__}, which is one of inputs"


def _of_codec(which: str, codec: object, wanted: type[Codec[Any, Any]]) -> Iterator[str]:
    if not isinstance(codec, wanted):
        what = "missing" if codec is None else f"a {type(codec).__name__}, not {wanted.__name__}"
        yield f"its {which} codec is {what}"
        return
    if not codec.reads:
        yield f"its {which} codec has no decoder (from_body)"
    if not codec.writes:
        yield f"its {which} codec has no encoder (to_body)"
    try:
        Careful(codec.schema)
        root = codec.schema.get("type")
    except Exception as error:  # a hand-written schema may be anything
        yield f"the schema of its {which} codec can't be followed: {error}"
        return
    if which != "result" and root != "object":
        yield f"the schema of its {which} codec has no type: object at its root"


def _of_inputs(spec: Spec) -> Iterator[str]:
    """Whether one input belongs to the other."""
    model, execution = (tuple(codec.schema.get("properties", ())) for codec in (spec.model, spec.execution))
    lost = [key for key in model if key not in execution]
    if lost:
        yield f"its execution schema lacks what its model schema has: {_listed(lost)}"
    if spec.continues is not None:
        if model:
            yield f"it continues {spec.continues}, and a model writes nothing for a continuation, not {_listed(model)}"
        if CURSOR not in spec.execution.schema.get("required", ()):
            yield f"it continues {spec.continues}, and its execution schema requires no {CURSOR}"


def _of_fields(spec: Spec, restore: object) -> Iterator[str]:
    known = () if spec.context is None else spec.context.names
    if set(spec.injected) != set(known):
        yield f"its injected fields are {_listed(spec.injected)}, and its context checks {_listed(known)}"
    if spec.restored and spec.continues is None and restore is None:
        required = set(spec.execution.schema.get("required", ())) - set(spec.model.schema.get("required", ()))
        if required:
            yield f"nothing restores its fields {_listed(sorted(required))}: give restore="


def _of_restore(spec: Spec, restore: object) -> Iterator[str]:
    if restore is None:
        return
    if spec.continues is not None:
        yield f"restore= is given, and what {spec.continues} saved restores its fields: leave it out"
    elif not spec.restored:
        yield "restore= is given, and it has no restored fields: leave it out"
    if not callable(restore):
        yield "its restore= can't be called"
    elif is_async(restore):
        yield "its restore= is async: give a function that blocks; it runs in a thread"
    else:
        yield from of_signature("restore=", restore, "(args, context)")


def _of_example(spec: Spec) -> Iterator[str]:
    """An example is judged by the model schema alone: what is restored or injected is not the model's to write."""
    if spec.example is None:
        return
    judged = Careful(spec.model.schema).judge(spec.example, lenient=False)
    if judged.issues:
        first = judged.issues[0]
        yield f"its example breaks its model schema: {first.path or 'the whole'} {first.message}"
        return
    try:
        value = spec.model.strict.decode(spec.example)
    except PayloadError as error:
        yield f"its model schema takes its example, but its model codec does not: {error}"
        return
    except Exception as error:  # a hand-written transform may raise anything
        yield f"its model codec can't decode its example: {type(error).__name__}: {error}"
        return
    try:
        written = json.loads(spec.model.encode(value))
    except Exception as error:
        yield f"its model codec can't write its example again: {type(error).__name__}: {error}"
        return
    if Careful(spec.model.schema).judge(written, lenient=False).issues:
        yield "what its model codec writes of its example is not valid under its model schema"


def _of_handler(spec: Spec, handler: object) -> Iterator[str]:
    if not callable(handler):
        yield f"its handler is a {type(handler).__name__}, which can't be called"
        return
    name = getattr(handler, "__qualname__", type(handler).__name__)
    if inspect.isclass(handler):
        yield f"its handler {name} is a class: give a method of an instance of it"
        return
    function = handler if inspect.isroutine(handler) else type(handler).__call__
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        yield f"its handler {name} yields; a handler returns its one result"
        return
    wrong = list(of_signature(f"handler {name}", handler, "(payload, ctx)"))
    yield from wrong or _of_types(spec, handler, name)


def of_signature(what: str, function: Callable[..., Any], wanted: str, *, arguments: int = 2) -> Iterator[str]:
    """Whether a function can be called with so many arguments by position. A decorator is judged, not what it wraps."""
    try:
        signature = inspect.signature(function, follow_wrapped=False)
    except (ValueError, TypeError):  # a function in C, which does not say
        return
    try:
        signature.bind(*[None] * arguments)
    except TypeError as error:
        yield f"its {what}{signature} can't be called with {wanted}: {error}"


def _of_types(spec: Spec, handler: Callable[..., Any], name: str) -> Iterator[str]:
    """Whether the handler says that it takes something else. What it does not say is not judged."""
    wanted = (_hints(getattr(spec.execution, "transform", None)).get("return"), CallContext)
    for (given, told), right in zip(_parameters(handler), wanted, strict=False):
        arms = [arm for arm in _arms(told) if arm is not type(None)]
        if isinstance(right, type) and arms and not any(_may_be(right, arm) for arm in arms):
            others = " or ".join(arm.__name__ for arm in arms)
            yield f"its handler {name} takes {others} as {given}, and is given {right.__name__}"


def _parameters(function: Any) -> list[tuple[str, object]]:
    """The name and type of each parameter that is given by position, in order, as far as the function says.

    A decorator that takes whatever it is given says what the function says that it wraps.
    """
    if isinstance(function, partial):
        return _parameters(function.func)[len(function.args) :]
    function = function if inspect.isroutine(function) else function.__call__
    try:
        parameters = inspect.signature(function, follow_wrapped=False).parameters.values()
    except (ValueError, TypeError):
        return []
    kinds = [parameter.kind for parameter in parameters]
    if kinds[:1] == [inspect.Parameter.VAR_POSITIONAL] and hasattr(function, "__wrapped__"):
        return _parameters(function.__wrapped__)
    hints = _hints(function)
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [(p.name, hints.get(p.name)) for p in parameters if p.kind in positional]


def _arms(hint: object) -> tuple[Any, ...]:
    return typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)


def _may_be(right: type, told: object) -> bool:
    """Whether a value of the class ``right`` can be what the hint says; a protocol may be anything's."""
    if not isinstance(told, type) or told is Any or getattr(told, "_is_protocol", False):
        return True
    return issubclass(right, told)


def _hints(function: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function)
    except Exception:  # names that exist for type checkers alone
        return {}


def is_async(handler: Any) -> bool:
    """Whether a call of the function, or of the object, gives something to await, as far as it says."""
    function = handler if inspect.isroutine(handler) else type(handler).__call__
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(function)


def _listed(names: object) -> str:
    return ", ".join(map(str, names)) if isinstance(names, (tuple, list, set)) and names else "none"
