"""TypedDicts of ``typing`` as pydantic reads them: before Python 3.12 it takes those of ``typing_extensions`` alone."""

from __future__ import annotations

import functools
import operator
import sys
import types
import typing
from typing import Any


def readable(found: Any) -> Any:
    """The class, or its twin where it is a TypedDict that pydantic does not read."""
    return found if sys.version_info >= (3, 12) else _Twins().of(found)


class _Twins:
    """Makes a twin of each TypedDict that is met, once, so that one may hold itself."""

    def __init__(self) -> None:
        self._made: dict[Any, Any] = {}

    def of(self, annotation: Any) -> Any:
        """The annotation with twins in place of TypedDicts."""
        if typing.is_typeddict(annotation) and type(annotation).__module__ == "typing":
            return self._made[annotation] if annotation in self._made else self._twin(annotation)
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if origin is typing.Literal or not arguments:
            return annotation
        if origin in (typing.Required, typing.NotRequired):
            return self.of(arguments[0])
        if origin is typing.Annotated:
            return typing.Annotated[(self.of(arguments[0]), *arguments[1:])]
        inner = tuple(self.of(argument) for argument in arguments)
        if inner == arguments:
            return annotation
        return functools.reduce(operator.or_, inner) if origin is types.UnionType else origin[inner]

    def _twin(self, found: Any) -> Any:
        import typing_extensions

        twin: Any = typing_extensions.TypedDict(found.__name__, {})  # type: ignore[misc]
        self._made[found] = twin
        twin.__doc__, twin.__module__, twin.__qualname__ = found.__doc__, found.__module__, found.__qualname__
        hints = typing.get_type_hints(found, include_extras=True)
        twin.__annotations__ = {name: self.of(hint) for name, hint in hints.items()}
        required = {name for name, hint in hints.items() if _is_required(hint, name in found.__required_keys__)}
        twin.__required_keys__, twin.__optional_keys__ = frozenset(required), frozenset(hints.keys() - required)
        return twin


def _is_required(hint: Any, otherwise: bool) -> bool:
    """Whether a key is required: the class itself does not know it where annotations are deferred."""
    origin = typing.get_origin(hint)
    if origin is typing.Annotated:
        return _is_required(typing.get_args(hint)[0], otherwise)
    return otherwise if origin not in (typing.Required, typing.NotRequired) else origin is typing.Required
