"""Annotations of code that is no design: what a function or a class of the user's says that it takes and holds."""

from __future__ import annotations

import collections.abc
import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from toolgen import ir
from toolgen.design.functions import UNKNOWN
from toolgen.design.hints import SCALARS

CLASS = {kind: cls for cls, kind in SCALARS.items() if isinstance(cls, type)}
LISTS = (list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection)
MADE_OF_LISTS = (tuple, set, frozenset)
DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
PLAIN = (*CLASS.values(), list, dict, tuple, set, frozenset, type(None))


def bare(hint: Any) -> Any:
    """A hint without ``Annotated`` and named aliases."""
    while True:
        if get_origin(hint) is Annotated:
            hint = get_args(hint)[0]
        elif type(hint).__name__ == "TypeAliasType":
            hint = hint.__value__
        else:
            return type(None) if hint is None else hint


def is_any(hint: Any) -> bool:
    return hint is UNKNOWN or hint is Any or hint is object or isinstance(hint, typing.TypeVar)


def arms_of(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(bare(arm) for arm in get_args(hint))
    return (hint,)


def without_none(hint: Any) -> Any:
    rest = [arm for arm in arms_of(hint) if arm is not type(None)]
    return Union[tuple(rest)] if rest else type(None)  # noqa: UP007 - made of what is not known here


def argument_of(hint: Any, index: int) -> Any:
    arguments = get_args(hint)
    return arguments[index] if len(arguments) > index else UNKNOWN


def takes(hint: Any, classes: tuple[type, ...]) -> bool:
    """Whether values of these classes may be what the hint says; of a class that is not plain, nobody knows."""
    if get_origin(hint) is Literal or (get_origin(hint) or hint) in (*LISTS, *DICTS, *MADE_OF_LISTS):
        return False
    if not isinstance(hint, type) or hint not in PLAIN:
        return not (isinstance(hint, type) and (is_dataclass(hint) or is_typed_dict(hint)))
    return all(issubclass(cls, hint) or (hint is float and cls is int) for cls in classes)


def is_same(type_: ir.Type, hint: Any) -> bool:
    """Whether a type's Python spelling is exactly the hint, so that an invariant container fits."""
    hint = bare(hint)
    match type_:
        case ir.Scalar(kind):
            return hint is CLASS[kind]
        case ir.Anything():
            return hint is Any
        case ir.Array(items):
            return get_origin(hint) is list and is_same(items, get_args(hint)[0])
        case ir.Map(values):
            return get_origin(hint) is dict and get_args(hint)[0] is str and is_same(values, get_args(hint)[1])
        case ir.Nullable(of):
            return type(None) in arms_of(hint) and len(arms_of(hint)) == 2 and is_same(of, without_none(hint))
        case ir.Choice(values):
            return get_origin(hint) is Literal and {*map(repr, get_args(hint))} == {*map(repr, values)}
    return False


def is_dataclass(cls: Any) -> bool:
    return isinstance(cls, type) and dataclasses.is_dataclass(cls)


def is_typed_dict(cls: Any) -> bool:
    return typing.is_typeddict(cls)


def evaluated(annotation: object, names: Mapping[str, Any]) -> Any:
    holder = type("Holder", (), {"__annotations__": {"value": annotation}})
    try:
        return typing.get_type_hints(holder, dict(names), {})["value"]
    except Exception:  # names for type checkers alone
        return UNKNOWN


def returned_by(value: property) -> Any:
    try:
        return typing.get_type_hints(value.fget).get("return", UNKNOWN)
    except Exception:  # names for type checkers alone
        return UNKNOWN


def required(cls: Any) -> set[str]:
    """What must be given to make one."""
    if is_typed_dict(cls):
        return set(cls.__required_keys__)
    missing = dataclasses.MISSING
    return {f.name for f in dataclasses.fields(cls) if f.init and f.default is missing and f.default_factory is missing}


def told(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) and get_origin(hint) is None else str(hint).replace("typing.", "")
