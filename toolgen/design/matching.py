"""Whether a function can be called with a tool's payload, and its answer be the tool's result; and how.

A conversion is found from what both sides declare. What is clearly wrong is a design error; what can't be told here is
left to the type checker, which reads the generated call.
"""

from __future__ import annotations

import collections.abc
import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args, get_origin

from toolgen import ir
from toolgen.bindings import (
    Argument,
    Binding,
    Built,
    Conversion,
    Decoded,
    Each,
    EachValue,
    Keep,
    Made,
    Named,
    Paged,
    Part,
    Unless,
    Value,
)
from toolgen.design.bounds import describe
from toolgen.design.foreignhints import (
    CLASS,
    DICTS,
    LISTS,
    MADE_OF_LISTS,
    PLAIN,
    argument_of,
    arms_of,
    bare,
    evaluated,
    is_any,
    is_dataclass,
    is_same,
    is_typed_dict,
    required,
    returned_by,
    takes,
    told,
    without_none,
)
from toolgen.design.functions import Function, Parameter
from toolgen.design.hints import written
from toolgen.design.problems import Report
from toolgen.runtime.pages import Page

KEEP = Keep()
BUILTINS = "builtins"


class Mismatch(Exception):
    """What a function takes or returns is clearly not what the tool declares."""


class _Untold(Exception):
    """What a function returns is not told, or not in a way that code can be made of."""


class Matcher:
    """Matches one tool with its function.

    Args:
        fields: the fields of every Record, by key.
        enums: the values of every enumeration, by key.
        names: gives the names of the module that defines a class, by which its annotations are read.
    """

    def __init__(
        self,
        fields: Mapping[ir.TypeKey, Sequence[ir.Field]],
        enums: Mapping[ir.TypeKey, Sequence[object]],
        names: Callable[[type], Mapping[str, Any]],
    ) -> None:
        self._fields = fields
        self._enums = enums
        self._names = names
        self._within: list[tuple[ir.TypeKey, object]] = []

    def binding(self, tool: ir.Tool, result: ir.Type | None, function: Function, report: Report) -> Binding | None:
        """The call; None, reported, where it can't be made."""
        given = {field.name: field for field in tool.fields}
        arguments: list[Argument | None] = []
        for parameter in function.parameters:
            field = given.pop(parameter.name, None)
            if field is None and parameter is function.parameters[0] and parameter.name in ("self", "cls"):
                rule = f"{function.named.name} takes {parameter.name}, as a method does that stands in its class alone"
                report(rule, "Bind a function, or a method of an object or a class.")
                arguments.append(None)
            elif field is None:
                rule = f"{function.named.name} takes {parameter.name}, and the tool has no such field"
                report(rule, "Declare it; its default too comes from the design.")
                arguments.append(None)
            else:
                arguments.append(self._argument(parameter, field, function, report))
        for name in given:
            rule = f"the tool has the field {name}, and {function.named.name} takes none of that name"
            report(rule, "Leave the field out, or bind a function that takes it.")
        returned: Conversion | None = None
        try:
            returned = None if result is None else self._returned(function, result, tool.bounded)
        except Mismatch as error:
            report(f"{function.named.name} returns another thing than the Result: {error}", "Make them one type.")
            return None
        if given or None in arguments:
            return None
        whole = tuple(argument for argument in arguments if argument is not None)
        return Binding(function.named, function.is_async, whole, returned)

    def _argument(self, parameter: Parameter, field: ir.Field, function: Function, report: Report) -> Argument | None:
        type_ = field.type
        if field.presence is ir.Presence.OPTIONAL and not isinstance(type_, ir.Nullable | ir.Anything):
            type_ = ir.Nullable(type_)
        try:
            if field.keep_null and not is_any(parameter.hint):
                raise Mismatch("the field is UNSET when it is missing, which no function expects")
            of = self.argument(type_, parameter.hint)
        except Mismatch as error:
            rule = f"{function.named.name} takes another {parameter.name} than the field gives: {error}"
            report(rule, "Give the field the parameter's type, or bind another function.")
            return None
        return Argument(None if parameter.by_position else parameter.name, field.name, of)

    # --- arguments ------------------------------------------------------------------------------------------------

    def argument(self, type_: ir.Type, hint: Any) -> Conversion:
        """How a value of ``type_`` becomes one of ``hint``.

        Raises:
            Mismatch: it can't.
        """
        hint = bare(hint)
        if is_any(hint) or isinstance(type_, ir.Anything):
            return KEEP
        if isinstance(type_, ir.Nullable):
            if type(None) not in arms_of(hint):
                raise Mismatch(f"it may be None, and {told(hint)} is never")
            of = self.argument(type_.of, without_none(hint))
            return of if of == KEEP else Unless(of)
        if isinstance(type_, ir.Union):
            if any(self.argument(arm, hint) != KEEP for arm in type_.arms):
                raise Mismatch(f"one of several types must be changed to be {told(hint)}")
            return KEEP
        return self._one_of(type_, arms_of(hint))

    def _one_of(self, type_: ir.Type, arms: Sequence[Any]) -> Conversion:
        """The conversion to the first arm that takes the value as it is, else to the first that takes it at all."""
        found: list[Conversion] = []
        wrong: list[Mismatch] = []
        for arm in arms:
            try:
                found.append(self._to(type_, arm))
            except Mismatch as error:
                wrong.append(error)
        if not found:
            raise wrong[0]
        return KEEP if KEEP in found else found[0]

    def _to(self, type_: ir.Type, hint: Any) -> Conversion:
        origin = get_origin(hint) or hint
        match type_:
            case ir.Array(items):
                return self._to_list(items, hint, origin)
            case ir.Map(values):
                if origin not in DICTS:
                    raise _mismatch(type_, hint)
                of = self.argument(values, argument_of(hint, 1))
                return KEEP if of == KEEP and is_same(type_, hint) else EachValue(of)
            case ir.RecordRef(key):
                return self._to_object(key, hint, origin)
            case ir.EnumRef(key):
                return self._to_enum(self._enums[key], hint, member=True)
            case ir.Choice(values):
                return self._to_enum(values, hint, member=False)
            case ir.Scalar(kind):
                if isinstance(hint, type) and issubclass(hint, enum.Enum):
                    return Made(KEEP, _named(hint))
                if not takes(hint, (CLASS[kind],)):
                    raise _mismatch(type_, hint)
        return KEEP

    def _to_list(self, items: ir.Type, hint: Any, origin: Any) -> Conversion:
        of = self.argument(items, argument_of(hint, 0)) if origin in (*LISTS, *MADE_OF_LISTS) else None
        if of is None or (origin is tuple and get_args(hint)[1:] not in ((), (Ellipsis,))):
            raise _mismatch(ir.Array(items), hint)
        if origin in MADE_OF_LISTS:
            return Made(KEEP if of == KEEP else Each(of), Named(BUILTINS, origin.__name__))
        invariant = origin is list and not is_same(ir.Array(items), hint)
        return KEEP if of == KEEP and not invariant else Each(of)

    def _to_enum(self, values: Sequence[object], hint: Any, *, member: bool) -> Conversion:
        plain: Conversion = Value() if member else KEEP
        if isinstance(hint, type) and issubclass(hint, enum.Enum):
            known = [one.value for one in hint]
            if any(value not in known for value in values):
                raise Mismatch(f"{told(hint)} has not all of the values {list(values)}")
            return Made(plain, _named(hint))
        if get_origin(hint) is Literal:
            if any(value not in get_args(hint) for value in values):
                raise Mismatch(f"{told(hint)} has not all of the values {list(values)}")
            return plain
        if not takes(hint, tuple(type(value) for value in values)):
            raise Mismatch(f"it is one of {list(values)}, not {told(hint)}")
        return plain

    def _to_object(self, key: ir.TypeKey, hint: Any, origin: Any) -> Conversion:
        if not isinstance(origin, type) or origin in PLAIN or not (is_dataclass(origin) or is_typed_dict(origin)):
            raise Mismatch(f"it is a {key.name}, and {told(hint)} is no dataclass or TypedDict to make of it")
        if (key, origin) in self._within:
            raise Mismatch(f"{key.name} nests itself, which a bound call can't follow")
        self._within.append((key, origin))
        try:
            return Built(None if is_typed_dict(origin) else _named(origin), tuple(self._parts_for(key, origin)))
        finally:
            self._within.pop()

    def _parts_for(self, key: ir.TypeKey, cls: Any) -> list[Part]:
        given = {field.name: field for field in self._fields[key]}
        wanted = self._members(cls)
        missing = sorted(required(cls) - given.keys())
        surplus = sorted(given.keys() - wanted.keys())
        if missing or surplus:
            which = f"needs {', '.join(missing)}" if missing else f"takes no {', '.join(surplus)}"
            raise Mismatch(f"{cls.__name__} {which}")
        return [Part(name, name, self.argument(_as_held(field), wanted[name])) for name, field in given.items()]

    def _members(self, cls: Any) -> dict[str, Any]:
        """What an object of a class holds, with hints."""
        held: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            for name, annotation in written(base).items():
                held[name] = evaluated(annotation, self._names(base))
            for name, value in vars(base).items():
                if isinstance(value, property):
                    held.setdefault(name, returned_by(value))
        return held

    # --- results --------------------------------------------------------------------------------------------------

    def _returned(self, function: Function, type_: ir.Type, bounded: ir.Bounded | None) -> Conversion:
        hint = bare(function.returns)
        if bounded is not None:
            if get_origin(hint) is not Page and not is_any(hint):
                raise Mismatch(f"a bounded tool's function returns a Page of toolgen.runtime, not {told(hint)}")
            if is_any(hint):
                return KEEP
            of = self._result(type_, get_args(hint)[0])
            return of if of == KEEP else Paged(of)
        if hint is type(None):
            raise Mismatch("it returns nothing")
        return self._result(type_, hint)

    def _result(self, type_: ir.Type, hint: Any) -> Conversion:
        try:
            return self.result(type_, hint)
        except _Untold:
            return Decoded()

    def result(self, type_: ir.Type, hint: Any) -> Conversion:
        """How a value of ``hint`` becomes one of ``type_``.

        Raises:
            Mismatch: it can't.
            _Untold: the hint does not say enough.
        """
        hint = bare(hint)
        if is_any(hint):
            if isinstance(type_, ir.Anything):
                return KEEP
            raise _Untold
        arms = arms_of(hint)
        if isinstance(type_, ir.Nullable):
            rest = without_none(hint)
            of = self.result(type_.of, rest)
            return of if of == KEEP or type(None) not in arms else Unless(of)
        if isinstance(type_, ir.Anything):
            return KEEP
        if type(None) in arms and not isinstance(type_, ir.Choice):
            raise Mismatch(f"it may be None, and {describe(type_)} is never")
        if isinstance(type_, ir.Union) or len(arms) > 1:
            raise _Untold
        return self._from(type_, hint)

    def _from(self, type_: ir.Type, hint: Any) -> Conversion:
        origin = get_origin(hint) or hint
        match type_:
            case ir.Array(items):
                if origin not in (*LISTS, *MADE_OF_LISTS, collections.abc.Iterator, collections.abc.Set):
                    raise _mismatch_or_untold(type_, hint)
                if origin is tuple and get_args(hint)[1:] != (Ellipsis,):
                    raise _Untold
                of = self.result(items, argument_of(hint, 0))
                return KEEP if of == KEEP and is_same(type_, hint) else Each(of)
            case ir.Map(values):
                if origin not in DICTS:
                    raise _mismatch_or_untold(type_, hint)
                of = self.result(values, argument_of(hint, 1))
                return KEEP if of == KEEP and is_same(type_, hint) else EachValue(of)
            case ir.RecordRef(key):
                return self._from_object(key, hint, origin)
            case ir.EnumRef(key):
                return self._from_enum(key, hint)
            case ir.Choice(values):
                if get_origin(hint) is Literal and all(value in values for value in get_args(hint)):
                    return KEEP
                raise _mismatch_or_untold(type_, hint, tuple(type(value) for value in values))
            case ir.Scalar(kind):
                wanted = (float, int) if kind is ir.Kind.FLOAT else (CLASS[kind],)
                if isinstance(hint, type) and issubclass(hint, wanted):
                    return KEEP
                raise _mismatch_or_untold(type_, hint)
        raise _Untold

    def _from_enum(self, key: ir.TypeKey, hint: Any) -> Conversion:
        values, own = self._enums[key], Named("", key.name)
        if isinstance(hint, type) and issubclass(hint, enum.Enum):
            if strange := [repr(member.value) for member in hint if member.value not in values]:
                raise Mismatch(f"{hint.__module__}.{told(hint)} has {', '.join(strange[:5])}, which {key.name} has not")
            return Made(Value(), own)
        if not takes(hint, tuple(type(value) for value in values)):
            raise Mismatch(f"it is {told(hint)}, not {key.name}")
        return Made(KEEP, own)

    def _from_object(self, key: ir.TypeKey, hint: Any, origin: Any) -> Conversion:
        if not isinstance(origin, type) or origin in DICTS:
            raise _Untold
        if origin in PLAIN:
            raise Mismatch(f"it is {told(hint)}, not {key.name}")
        if (key, origin) in self._within:
            raise _Untold
        self._within.append((key, origin))
        try:
            parts = self._parts_of(key, origin)
        finally:
            self._within.pop()
        return Built(Named("", key.name), tuple(parts), "key" if is_typed_dict(origin) else "attribute")

    def _parts_of(self, key: ir.TypeKey, cls: Any) -> list[Part]:
        held = self._members(cls)
        parts: list[Part] = []
        for field in self._fields[key]:
            if field.name in held and not (is_typed_dict(cls) and field.name not in required(cls)):
                parts.append(Part(field.name, field.name, self.result(_as_held(field), held[field.name])))
            elif not held:
                raise _Untold
            elif field.presence is ir.Presence.REQUIRED:
                raise Mismatch(f"{cls.__name__} has no {field.name}")
            elif field.name in held:
                raise _Untold
        return parts


def _as_held(field: ir.Field) -> ir.Type:
    """The type of what a field holds, with None where it may be left out."""
    if field.presence is not ir.Presence.OPTIONAL or isinstance(field.type, ir.Nullable | ir.Anything):
        return field.type
    return ir.Nullable(field.type)


def _mismatch(type_: ir.Type, hint: Any) -> Mismatch:
    return Mismatch(f"it is {describe(type_)}, not {told(hint)}")


def _mismatch_or_untold(type_: ir.Type, hint: Any, classes: tuple[type, ...] = ()) -> Exception:
    """Plain types that differ are wrong; of other classes nobody knows, and the codec will judge."""
    plain = (get_origin(hint) or hint) in (*PLAIN, *LISTS, *DICTS)
    if plain and not (classes and any(isinstance(hint, type) and issubclass(cls, hint) for cls in classes)):
        return Mismatch(f"it is {told(hint)}, not {describe(type_)}")
    return _Untold()


def _named(cls: Any) -> Named:
    return Named(cls.__module__, cls.__qualname__)
