"""What a function of the program says of itself, held against what it is called with and has to give back.

Annotations are a program's own: what they do not say, or say in a way that only a type checker follows, is not judged.
"""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Awaitable
from functools import partial
from typing import Any

from toolgen.runtime.pytypes import hints_of

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_BY_POSITION = (*_POSITIONAL, inspect.Parameter.VAR_POSITIONAL)


def run_in_the_end(function: Any) -> Any:
    """What a call of ``function`` runs: of ``functools.partial`` the function it fills in, of an object its
    ``__call__``."""
    while isinstance(function, partial):
        function = function.func
    return function if inspect.isroutine(function) or inspect.isclass(function) else type(function).__call__


def is_async(function: Any) -> bool:
    """Whether a call of the function, or of the object, gives something to await, as far as it says."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(run_in_the_end(function))


def yields(function: Any) -> bool:
    """Whether a call of it gives a generator."""
    run = run_in_the_end(function)
    return inspect.isgeneratorfunction(run) or inspect.isasyncgenfunction(run)


def is_cached(function: Any) -> bool:
    """Whether it keeps what it gave for equal arguments, which must have a hash."""
    run = run_in_the_end(function)
    return isinstance(getattr(run, "__func__", run), functools._lru_cache_wrapper)


def signature_of(function: Any) -> inspect.Signature | None:
    """What it can be called with; None of a function in C, which does not say. A decorator is judged, not what it
    wraps. A ``functools.partial`` that fills in more than there is takes nothing."""
    try:
        return inspect.signature(function, follow_wrapped=False)
    except (ValueError, TypeError):
        says = isinstance(function, partial) and signature_of(function.func) is not None
        return inspect.Signature() if says else None


def wrapped_by(function: Any) -> Any:
    """What a decorator wraps, bound to what the decorated method is bound to; None of what wraps nothing to call."""
    wrapped = getattr(function, "__wrapped__", None)
    if not callable(wrapped):
        return None
    binds = inspect.ismethod(function) and not inspect.ismethod(wrapped)  # some libraries bind what they wrap
    return types.MethodType(wrapped, function.__self__) if binds else wrapped


def parameters(function: Any, given: int) -> list[tuple[str, object]]:
    """The name and annotation of each parameter that is given by position, in order, as far as the function says when
    it is called with ``given`` arguments by position; ``*args`` is the last of them, and may be any.

    A decorator that takes whatever it is given says what the function says that it wraps, where that takes just so
    many. Where it takes another number, the decorator adds some or leaves some out, and which can't be told.
    """
    if isinstance(function, partial):
        filled = len(function.args)
        return parameters(function.func, given + filled)[filled:]
    function = function if inspect.isroutine(function) else function.__call__
    signature = signature_of(function)
    found = [] if signature is None else [p for p in signature.parameters.values() if p.kind in _BY_POSITION]
    wrapped = wrapped_by(function)
    if wrapped is not None and found and found[0].kind is inspect.Parameter.VAR_POSITIONAL:
        inner = parameters(wrapped, given)
        return inner if len(inner) == given else []
    annotated = hints_of(function)
    return [(p.name, annotated.get(p.name, Any) if p.kind in _POSITIONAL else Any) for p in found]


def returned(function: Any) -> object:
    """The annotation of what a function gives in the end, once that is awaited.

    ``functools.wraps`` gives a decorator the annotations of what it wraps, which may give something else: it says
    nothing.
    """
    run = run_in_the_end(function)
    return Any if hasattr(run, "__wrapped__") else hints_of(run).get("return", Any)


def classes(hint: Any) -> frozenset[type] | None:
    """The classes that values of an annotation are instances of; None where it may be any, or can't be told."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        arms = [classes(arm) for arm in typing.get_args(hint)]
        return None if None in arms else frozenset().union(*(arm for arm in arms if arm is not None))
    meant = _meant(hint)
    if meant is not hint:
        return classes(meant)
    if typing.get_origin(hint) is typing.Literal:
        return frozenset(map(type, typing.get_args(hint)))
    if hint is None:
        return frozenset({types.NoneType})
    if not isinstance(hint, type) or hint is object or Any in hint.__mro__ or getattr(hint, "_is_protocol", False):
        return None
    return frozenset({dict if typing.is_typeddict(hint) else hint})


def _meant(hint: Any) -> Any:
    """What stands behind a name for a type: a NewType, a type variable, an alias, or a class with its parameters."""
    if isinstance(hint, typing.NewType):
        return hint.__supertype__
    if isinstance(hint, typing.TypeVar):
        if hint.__constraints__:
            return typing.Union[hint.__constraints__]  # noqa: UP007 - of a tuple
        return Any if hint.__bound__ is None else hint.__bound__
    if type(hint).__name__ == "TypeAliasType":  # of a type statement, which Python 3.11 has not
        return hint.__value__
    origin = typing.get_origin(hint)
    return origin if isinstance(origin, type) else hint


def takes(told: object, given: object) -> bool:
    """Whether a parameter of the annotation ``told`` takes what has the annotation ``given``, as far as they say."""
    wanted, had = classes(told), classes(given)
    return wanted is None or had is None or any(_is_a(one, other) for one in had for other in wanted)


def gives(told: object, wanted: object) -> bool:
    """Whether what has the annotation ``told`` may, once it is awaited, be what has the annotation ``wanted``."""
    had, asked = classes(_awaited(told)), classes(wanted)
    if had is None or asked is None or not had:
        return True
    had |= {float} if int in had else set()  # as type checkers have it (PEP 484)
    return any(_is_a(one, other) or _is_a(other, one) for one in had for other in asked)


def _awaited(hint: Any) -> Any:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return typing.Union[tuple(_awaited(arm) for arm in typing.get_args(hint))]  # noqa: UP007 - of a tuple
    origin = typing.get_origin(hint)
    if isinstance(origin, type) and issubclass(origin, Awaitable):
        return (typing.get_args(hint) or (Any,))[-1]
    return Any if isinstance(hint, type) and issubclass(hint, Awaitable) else hint


def _is_a(one: type, other: type) -> bool:
    try:
        return issubclass(one, other)
    except Exception:  # a class that does not let itself be asked
        return True


def words_of(hint: Any) -> str:
    """An annotation about as a program writes it."""
    inner = [words_of(arm) for arm in typing.get_args(hint)]
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return " | ".join(inner)
    if isinstance(origin, type) and inner:
        return f"{origin.__name__}[{', '.join(inner)}]"
    if hint is None or hint is types.NoneType:
        return "None"
    return str(getattr(hint, "__name__", hint)) if origin is None else str(hint).removeprefix("typing.")
