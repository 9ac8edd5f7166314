"""What a spec and its handler must be before anything is run on them."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolgen.runtime import hints
from toolgen.runtime.byhand import wrong_complete, wrong_keep_null, wrong_parts
from toolgen.runtime.calls import CallContext
from toolgen.runtime.careful import Careful
from toolgen.runtime.codec import Codec, ExecutionCodec, ModelCodec
from toolgen.runtime.continuations import CURSOR
from toolgen.runtime.hints import is_async
from toolgen.runtime.issues import PayloadError
from toolgen.runtime.numbers import is_seconds, written
from toolgen.runtime.pages import Page
from toolgen.runtime.spec import ToolSpec
from toolgen.runtime.toolnames import TOOL_NAME

Spec = ToolSpec[Any, Any, Any]

_OF_EXECUTOR = (
    "it submits a response, which no handler runs: answer the model's turns with SUBMIT.rounds(...).turn(...)"
)


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
    if spec.submits is True:
        raise RegistrationError(str(spec.name), [_OF_EXECUTOR])
    broken = [*wrong_parts(spec), *_of_codecs(spec)]
    reasons = [*_of_words(spec), *broken]
    if not broken:
        reasons += [*_of_inputs(spec), *_of_fields(spec, restore), *_of_example(spec), *_of_restore(spec, restore)]
        reasons += [*wrong_complete(spec), *wrong_keep_null(spec)]
    reasons += _of_handler(spec, handler)
    if timeout is not None and not (is_seconds(timeout) and timeout):
        reasons.append(f"its timeout is {written(timeout)}, not a number of seconds above 0")
    if reasons:
        raise RegistrationError(str(spec.name), reasons)
    assert callable(handler)
    return Registered(spec, handler, is_async(handler), timeout, restore)


def judge_among(spec: Spec, others: Mapping[str, Spec]) -> None:
    """Whether a spec goes with those of a registry, by their wire names.

    Raises:
        RegistrationError: there is one of its name; or a tool and the one that goes on with its pages do not fit.
    """
    if spec.name in others:  # the tools that continue that one have nothing to do with this one
        raise RegistrationError(spec.name, ["there is a tool of this name already"])
    reasons: list[str] = []
    if spec.continues is not None and spec.continues in others:
        reasons += _of_pages(others[spec.continues], spec)
    for other in others.values():
        if other.continues == spec.name:
            reasons += _of_pages(spec, other)
    if reasons:
        raise RegistrationError(spec.name, reasons)


def _of_pages(source: Spec, later: Spec) -> Iterator[str]:
    """Whether one tool can go on with the pages of another, as a design says it of generated ones."""
    what = f"{later.name} continues {source.name}"
    if source.continues is not None:
        yield f"{what}, which continues {source.continues}: name the tool that begins the pages"
    elif source.bounded is None or not source.bounded.next_cursor:
        yield f"{what}, whose results have no next_cursor"
    has, runs_on = (spec.execution.schema.get("properties", {}) for spec in (later, source))
    if lost := [key for key in runs_on if key not in has]:
        yield f"{what}, and its execution schema lacks what that runs on: {_listed(lost)}"


def _of_words(spec: Spec) -> Iterator[str]:
    """What a model is told of it. A spec by hand is held to what a design is."""
    if not isinstance(spec.name, str) or not TOOL_NAME.fullmatch(spec.name):
        yield "its name is one that providers refuse: give 1 to 64 of A-Z a-z 0-9 _ and -, the first a letter or _"
    if not isinstance(spec.description, str) or not spec.description.strip():
        yield "it has no description"


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
    """Whether each field of the execution input is written, or restored, and no other is."""
    known = () if spec.context is None else spec.context.names
    if set(spec.injected) != set(known):
        yield f"its injected fields are {_listed(spec.injected)}, and its context checks {_listed(known)}"
    written, runs_on = spec.model.wire_names, spec.execution.wire_names
    if strange := [name for name in spec.restored if name not in runs_on]:
        yield f"its execution input has no {_listed(strange)}, which it says is restored: it has {_listed([*runs_on])}"
    if doubled := [name for name in spec.restored if name in written]:
        yield f"a model writes {_listed(doubled)}, which it says is restored"
    if shown := [name for name in spec.injected if name in runs_on]:
        yield f"its execution input has {_listed(shown)}, which is injected and stands in no input"
    required = spec.execution.schema.get("required", ())
    missing = [name for name, wire in runs_on.items() if name not in written and wire in required]
    if (unsaid := [name for name in missing if name not in spec.restored]) and spec.complete is None:
        yield f"nothing gives {_listed(unsaid)}, which its execution input requires: name it in restored"
    restored = [name for name in missing if name in spec.restored]
    if restored and spec.continues is None and restore is None:
        named = f'restore={{"{spec.name}": ...}}'
        yield f"nothing restores its fields {_listed(restored)}: give restore=, to handles_all as {named}"


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
    run = hints.run_in_the_end(handler)
    name = getattr(handler, "__qualname__", getattr(run, "__qualname__", type(handler).__name__))
    if inspect.isclass(run):
        yield f"its handler {name} is a class: give a method of an instance of it"
    else:
        wrong = list(of_signature(f"handler {name}", handler, "(payload, ctx)"))
        yield from wrong or [*_of_parameters(spec, handler, name), *_of_returned(spec, handler, name)]


def of_signature(what: str, function: Callable[..., Any], wanted: str, *, arguments: int = 2) -> Iterator[str]:
    """Whether a function can be called with so many arguments by position, each time anew, and returns. A decorator is
    judged, not what it wraps."""
    if hints.yields(function):
        yield f"its {what} yields: give one that returns"
        return
    if hints.is_cached(function):
        yield f"its {what} keeps what it gave (functools.lru_cache), and no call is another: keep things inside of it"
        return
    signature = hints.signature_of(function)
    try:
        if signature is not None:
            signature.bind(*[None] * arguments)
    except TypeError as error:
        yield f"its {what}{signature} can't be called with {wanted}: {error}"


def _of_parameters(spec: Spec, handler: object, name: str) -> Iterator[str]:
    """Whether the handler says that it takes something else."""
    given = (hints.returned(getattr(spec.execution, "transform", None)), CallContext)
    for (parameter, told), right in zip(hints.parameters(handler, len(given)), given, strict=False):
        if not hints.takes(told, right):
            words = hints.words_of(told)
            yield f"its handler {name} takes {words} as {parameter}, and is given {hints.words_of(right)}"


def _of_returned(spec: Spec, handler: object, name: str) -> Iterator[str]:
    """Whether it says that it gives back something else than the tool's result."""
    if spec.result is None:
        return
    told = hints.returned(handler)
    wanted = hints.returned(getattr(spec.result, "transform", None)) if spec.bounded is None else Page
    if not hints.gives(told, wanted):
        yield f"its handler {name} gives {hints.words_of(told)}, and its result is {hints.words_of(wanted)}"


def _listed(names: object) -> str:
    return ", ".join(map(str, names)) if isinstance(names, (tuple, list, set)) and names else "none"
