"""An annotation of a design → a type of the intermediate representation."""

from __future__ import annotations

import builtins
import collections.abc
import datetime
import decimal
import enum
import inspect
import sys
import types
import typing
import uuid
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Protocol, Union, get_args, get_origin

from toolgen import dsl, ir
from toolgen.design.bounds import constrain
from toolgen.design.problems import Report
from toolgen.design.texts import near_name, shown
from toolgen.ir import Kind
from toolgen.names import is_clean_text, is_writable
from toolgen.runtime import equality
from toolgen.runtime.jsontext import MAX_DEPTH

SCALARS: dict[object, Kind] = {
    str: Kind.STR,
    int: Kind.INT,
    float: Kind.FLOAT,
    bool: Kind.BOOL,
    bytes: Kind.BYTES,
    datetime.date: Kind.DATE,
    datetime.time: Kind.TIME,
    datetime.datetime: Kind.DATETIME,
    datetime.timedelta: Kind.TIMEDELTA,
    uuid.UUID: Kind.UUID,
    decimal.Decimal: Kind.DECIMAL,
}
_LISTS = (set, frozenset, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Set)
_DICTS = (collections.abc.Mapping, collections.abc.MutableMapping, collections.OrderedDict, collections.defaultdict)


class Types(Protocol):
    """What knows the Records and enumerations of all designs. Each answer is None when it was reported instead."""

    def record(self, cls: type[dsl.Record], report: Report) -> ir.TypeKey | None: ...

    def enumeration(self, cls: type[enum.Enum], report: Report) -> ir.TypeKey | None: ...

    def has_none(self, key: ir.TypeKey) -> bool: ...


def written(cls: type, report: Report | None = None) -> Mapping[str, object]:
    """The annotations in a class's own body, unevaluated where Python keeps them so.

    From Python 3.14 on their text is asked for: evaluated in the class, a field named ``date`` would hide the type.
    What a body makes of ``__annotations__`` itself may be no dict of names: that is reported, and says nothing.
    """
    try:
        annotations = dict(_annotations(cls))
    except (TypeError, ValueError):
        annotations = {}
        sound = False
    else:
        sound = all(isinstance(name, str) for name in annotations)
    if not sound and report is not None:
        report(f"the class {cls.__name__} gives __annotations__ another value", "Leave it to Python.")
    return annotations if sound else {}


def _annotations(cls: type) -> Mapping[str, object]:
    if sys.version_info >= (3, 14):
        import annotationlib

        try:
            return annotationlib.get_annotations(cls, format=annotationlib.Format.STRING)
        except Exception:  # made without source text
            return annotationlib.get_annotations(cls, format=annotationlib.Format.FORWARDREF)
    return inspect.get_annotations(cls)


def forget_unions() -> None:
    """Makes ``typing`` forget the unions that it has seen.

    It would give ``int | str`` for a ``str | int`` that it meets later, so that the order of one design would hang on
    what another had said before.
    """
    for clear in getattr(typing, "_cleanups", ()):
        clear()


_BUILTINS = vars(builtins)


def evaluate(annotation: object, names: dict[str, Any], report: Report) -> object:
    """The value of one annotation, read with the module's ``names``; None when it has none (the type None is NoneType).

    Each is evaluated by itself, so that a bad one does not hide the others.
    """
    if isinstance(annotation, dsl.FieldMark):
        report(
            "the annotation is the field itself: Python read the type's name after the field took it",
            "Put `from __future__ import annotations` at the top of the design.",
        )
        return None
    if isinstance(annotation, str):
        named = names.get(annotation, _BUILTINS.get(annotation))
        if issubclass(type(named), type):  # most are a name, and need no evaluation
            return named
    holder = type("Holder", (), {"__annotations__": {"value": annotation}})
    forget_unions()
    try:
        return typing.get_type_hints(holder, names, {}, include_extras=True)["value"]
    except NameError as error:
        name = error.name or str(error)
        report(
            f"the type names {name!r}, which the module does not have when it runs",
            f"{near_name(name, names)}Import or define it at module level, and not under TYPE_CHECKING.",
        )
    except RecursionError:
        report("the type is nested too deep", "Name its parts as Records.")
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # an annotation is code of the design's, and may raise anything
        report(f"the annotation does not evaluate: {type(error).__name__}: {error}", "Write a type.")
    return None


def is_class_variable(annotation: object) -> bool:
    """Whether an evaluated annotation says ClassVar: no field."""
    return annotation is typing.ClassVar or get_origin(annotation) is typing.ClassVar


class Reader:
    """Reads evaluated annotations; reports what is no type of the design language, and answers None for it."""

    def __init__(self, known: Types, report: Report) -> None:
        self._known = known
        self._report = report
        self._aliases: list[object] = []
        self._levels = 0

    def read(self, hint: object) -> ir.Type | None:
        """The type of an evaluated annotation."""
        if hint is Any:
            return ir.Anything()
        if hint is None or hint is type(None):
            return self._refuse("None is no type by itself", "Write T | None, or leave it out.")
        if isinstance(hint, type) and get_origin(hint) is None:
            return self._read_class(hint)
        origin, arguments = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return self._read_annotated(arguments[0], arguments[1:])
        if origin is Literal:
            return self._read_literal(arguments)
        if origin is Union or origin is types.UnionType:
            return self._read_union(arguments)
        if origin is list and len(arguments) == 1:
            items = self._read_inside(arguments[0])
            return None if items is None else ir.Array(items)
        if origin is dict and len(arguments) == 2:
            return self._read_dict(arguments)
        if type(hint).__name__ == "TypeAliasType":
            return self._read_alias(hint)
        return self._read_other(hint, origin)

    def _read_inside(self, hint: object) -> ir.Type | None:
        """What a list or a dict holds. What holds the field is a level of JSON too."""
        if self._levels == MAX_DEPTH - 1:
            rule = f"the type nests deeper than JSON may, {MAX_DEPTH} levels"
            return self._refuse(rule, "Name its parts as Records.")
        self._levels += 1
        try:
            return self.read(hint)
        finally:
            self._levels -= 1

    def _refuse(self, rule: str, mend: str) -> ir.Type | None:
        self._report(rule, mend)
        return None

    def _read_class(self, cls: type) -> ir.Type | None:
        if cls in SCALARS:
            return ir.Scalar(SCALARS[cls])
        if issubclass(cls, dsl.Record):
            record = self._known.record(cls, self._report)
            return None if record is None else ir.RecordRef(record)
        if issubclass(cls, enum.Enum):
            enumeration = self._known.enumeration(cls, self._report)
            return None if enumeration is None else ir.EnumRef(enumeration)
        return self._read_other(cls, cls)

    def _read_annotated(self, inner: object, extras: Sequence[object]) -> ir.Type | None:
        type_ = self.read(inner)
        for extra in extras:
            if not isinstance(extra, dsl.Constraints):
                self._refuse(
                    f"Annotated holds {shown(extra)}, which is not read", "Write Constraints(...), or leave it out."
                )
            elif type_ is not None:
                type_ = constrain(type_, extra.given(), self._report)
        return type_

    def _read_literal(self, values: Sequence[object]) -> ir.Type | None:
        if not values:
            return self._refuse("the Literal is empty", "List the values it may have.")
        for value in values:
            if isinstance(value, enum.Enum) or not (value is None or isinstance(value, bool | int | float | str)):
                return self._refuse(f"a Literal can't hold {shown(value)}", "Write strings, numbers, booleans or None.")
            if isinstance(value, int | float) and not is_writable(value):
                return self._refuse(f"a Literal can't hold {shown(value)}", "Write finite numbers.")
            if isinstance(value, str) and not is_clean_text(value):
                return self._refuse(f"the Literal's {value!r} has a lone surrogate", "Write whole characters.")
        return self._choice(typing.cast("Sequence[ir.LiteralValue]", values))

    def _choice(self, values: Sequence[ir.LiteralValue]) -> ir.Type | None:
        for index, value in enumerate(values):
            if any(_same(value, other) for other in values[:index]):
                return self._refuse(f"the Literal has {value!r} twice", "Write each value once.")
        return ir.Choice(tuple(values))

    def _read_union(self, arguments: Sequence[object]) -> ir.Type | None:
        nullable = type(None) in arguments
        arms = [self.read(argument) for argument in arguments if argument is not type(None)]
        if any(arm is None for arm in arms):
            return None
        flat: list[ir.Type] = []
        for arm in typing.cast("list[ir.Type]", arms):
            inner = arm
            if isinstance(inner, ir.Nullable):
                nullable, inner = True, inner.of
            flat += inner.arms if isinstance(inner, ir.Union) else [inner]
        return self._join(flat, nullable)

    def _join(self, arms: Sequence[ir.Type], nullable: bool) -> ir.Type | None:
        """The arms as one type: Literals are one choice, equal arms one arm, and null no arm."""
        choices = [arm for arm in arms if isinstance(arm, ir.Choice)]
        values = [value for choice in choices for value in choice.values]
        distinct = [v for i, v in enumerate(values) if not any(_same(v, earlier) for earlier in values[:i])]
        joined: list[ir.Type] = []
        for arm in arms:
            merged = ir.Choice(tuple(distinct)) if isinstance(arm, ir.Choice) else arm
            if merged not in joined:
                joined.append(merged)
        if len(joined) > 1 and None in distinct:
            nullable = True
            rest = tuple(value for value in distinct if value is not None)
            joined = [ir.Choice(rest) if isinstance(arm, ir.Choice) else arm for arm in joined]
            joined = [arm for arm in joined if not isinstance(arm, ir.Choice) or arm.values]
        type_ = joined[0] if len(joined) == 1 else ir.Union(tuple(joined))
        return ir.Nullable(type_) if nullable and not self._takes_null(type_) else type_

    def _takes_null(self, type_: ir.Type) -> bool:
        match type_:
            case ir.Anything() | ir.Nullable():
                return True
            case ir.Choice(values):
                return None in values
            case ir.EnumRef(key):
                return self._known.has_none(key)
            case ir.Union(arms):
                return any(map(self._takes_null, arms))
            case _:
                return False

    def _read_dict(self, arguments: Sequence[object]) -> ir.Type | None:
        key, value = arguments
        if key is not str:
            self._refuse(f"a dict has str keys in JSON, not {_told(key)}", "Write dict[str, T].")
        values = self._read_inside(value)
        return ir.Map(values) if values is not None and key is str else None

    def _read_alias(self, alias: Any) -> ir.Type | None:
        if alias in self._aliases:
            return self._refuse(f"the alias {alias} holds itself", "Write a Record for a type that nests itself.")
        try:
            value = alias.__value__
        except Exception as error:
            return self._refuse(f"the alias {alias} does not evaluate: {error}", "Define what it names.")
        self._aliases.append(alias)
        try:
            return self.read(value)
        finally:
            self._aliases.pop()

    def _read_other(self, hint: object, origin: object) -> ir.Type | None:
        told = _told(hint)
        if origin is list:
            mend = "Say of what: list[str]."
        elif origin is dict:
            mend = "Say of what: dict[str, str], or dict[str, Any]."
        elif origin is tuple:
            mend = "Write list[T]; for values of several types in order, a Record."
        elif origin in _LISTS:
            mend = "Write list[T]; unique_items=True for a set."
        elif origin in _DICTS:
            mend = "Write dict[str, T]."
        elif origin is object:
            mend = "Write Any for any JSON value."
        elif isinstance(hint, str):
            mend = "Write a type."
        elif isinstance(hint, type) and hint.__module__ not in ("builtins", "typing"):
            mend = "Declare it as a Record or an enum.Enum."
            if hasattr(hint, "__dataclass_fields__") or hasattr(hint, "model_json_schema"):
                mend = f"Declare it as a Record, as toolgen import {hint.__module__}:{hint.__qualname__} does."
        else:
            mend = _TYPES
        return self._refuse(f"{told} is not a type of the design language", mend)


_TYPES = (
    "Write str, int, float, bool, bytes, date, time, datetime, timedelta, UUID or Decimal, list[T], dict[str, T], "
    "Literal[...], Any, an enum.Enum or a Record."
)


def _same(left: object, right: object) -> bool:
    """Equal as the codecs have it: ``True`` is not ``1``, and ``1.0`` is, and ``1e23`` is the integer so written."""
    return equality.key(left) == equality.key(right)


def _told(hint: object) -> str:
    return hint.__qualname__ if isinstance(hint, type) and get_origin(hint) is None else shown(hint)
