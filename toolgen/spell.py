"""Shapes → the Python expressions that templates print: annotations, default values, and the steps of transforms."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import msgspec

from toolgen import ir, shapes, wiretypes
from toolgen.ir import Json, Kind
from toolgen.literals import bytes_literal, float_literal, json_literal, text_literal, tuple_literal
from toolgen.scope import BUILTINS, HERE, Scope

GUARDS = "toolgen.runtime.guards"
CARRIERS = "toolgen.runtime.carriers"
FORMATS = "toolgen.runtime.formats"

_HOME = {
    Kind.STR: (BUILTINS, "str"),
    Kind.INT: (BUILTINS, "int"),
    Kind.FLOAT: (BUILTINS, "float"),
    Kind.BOOL: (BUILTINS, "bool"),
    Kind.BYTES: (BUILTINS, "bytes"),
    Kind.DATE: ("datetime", "date"),
    Kind.TIME: ("datetime", "time"),
    Kind.DATETIME: ("datetime", "datetime"),
    Kind.TIMEDELTA: ("datetime", "timedelta"),
    Kind.UUID: ("uuid", "UUID"),
    Kind.DECIMAL: ("decimal", "Decimal"),
}
_CARRIER = {
    Kind.DATETIME: "AwareDatetime",
    Kind.TIME: "TimeText",
    Kind.TIMEDELTA: "DurationText",
    Kind.DECIMAL: "DecimalText",
}
_READERS = {
    Kind.TIME: (GUARDS, "clock"),
    Kind.TIMEDELTA: (GUARDS, "duration"),
    Kind.DECIMAL: (GUARDS, "decimal"),
}
"""What makes a value of the text that a body has."""

_WRITERS = {
    Kind.TIME: (FORMATS, "time_to_text"),
    Kind.TIMEDELTA: (FORMATS, "duration_to_text"),
    Kind.DECIMAL: (FORMATS, "decimal_to_text"),
}
_CLASSES: dict[type, str] = {str: "str", int: "int", float: "float", bool: "bool"}


class Speller:
    """Spells types and values for one generated module.

    Args:
        scope: the module's names.
        program: what the types refer to.
        package: the package that the module stands in.
        unions: the package's unions that have transforms of their own.
        in_types: whether the module is the package's ``types`` module.
    """

    def __init__(
        self,
        scope: Scope,
        program: ir.Program,
        package: str,
        unions: Iterable[shapes.UnionShape],
        *,
        in_types: bool,
    ) -> None:
        self.scope = scope
        self.program = program
        self._package = package
        self._unions = {repr(union.type): union for union in unions}
        self._in_types = in_types

    def builtin(self, name: str, hidden: Collection[str] = ()) -> str:
        return self.scope.use(BUILTINS, name, hidden)

    def guard(self, name: str, hidden: Collection[str] = ()) -> str:
        return self.scope.use(GUARDS, name, hidden)

    def home(self, package: str) -> str:
        """The module in which ``package`` defines its types, as this one names it."""
        if package == self._package:
            return HERE if self._in_types else ".types"
        return f"..{package}.types"

    def of_package(self, package: str, name: str, hidden: Collection[str] = ()) -> str:
        """A name that the ``types`` module of ``package`` defines."""
        return self.scope.use(self.home(package), name, hidden)

    def union(self, union: ir.Union) -> shapes.UnionShape | None:
        return self._unions.get(repr(union))

    # Types of dataclasses

    def value_type(self, type_: ir.Type, hidden: Collection[str] = ()) -> str:
        """The annotation of a value in a dataclass."""
        match type_:
            case ir.Scalar(kind, _):
                return self.scope.use(*_HOME[kind], hidden)
            case ir.Anything():
                return self.scope.use("typing", "Any", hidden)
            case ir.Choice(values):
                return self._choice_type(values, hidden)
            case ir.EnumRef(key) | ir.RecordRef(key):
                return self.of_package(key.package, key.name, hidden)
            case ir.Array(items, _):
                return f"{self.builtin('list', hidden)}[{self.value_type(items, hidden)}]"
            case ir.Map(values, _):
                return self._dict_of(self.value_type(values, hidden), hidden)
            case ir.Nullable(of):
                return f"{self.value_type(of, hidden)} | None"
            case ir.Union(arms, _):
                return " | ".join(dict.fromkeys(self.value_type(arm, hidden) for arm in arms))

    def _choice_type(self, values: Iterable[ir.LiteralValue], hidden: Collection[str]) -> str:
        """A Literal of what one can hold, and the types of the other values."""
        values = list(values)
        plain = [json_literal(value) for value in values if shapes.in_literal(value)]
        parts = [f"{self.scope.use('typing', 'Literal', hidden)}[{', '.join(plain)}]"] if plain else []
        others = {_CLASSES[type(value)] for value in values if not shapes.in_literal(value)}
        return " | ".join([*parts, *(self.builtin(word, hidden) for word in sorted(others))])

    def _dict_of(self, values: str, hidden: Collection[str]) -> str:
        return f"{self.builtin('dict', hidden)}[{self.builtin('str', hidden)}, {values}]"

    def field_type(self, field: ir.Field, hidden: Collection[str] = ()) -> str:
        """The annotation of a dataclass field: its type, and what stands for missing."""
        parts = [self.value_type(field.type, hidden)]
        absent = shapes.missing(field)
        if absent is shapes.Missing.NONE and not wiretypes.holds_none(field.type):
            parts.append("None")
        if absent is shapes.Missing.UNSET:
            parts.append(self.scope.use("msgspec", "UnsetType", hidden))
        return " | ".join(parts)

    # Types of bodies

    def body_type(self, type_: ir.Type, hidden: Collection[str] = ()) -> str:
        """The annotation of a value in a body, with the bounds that msgspec judges."""
        match type_:
            case ir.Scalar(kind, _):
                return self._scalar_body(type_, kind, hidden)
            case ir.Choice(values) if not shapes.msgspec_takes(values):
                return self._kinds_of(values, hidden)
            case ir.EnumRef(key) if not shapes.native_enum(self.program.enums[key]):
                return self._kinds_of(wiretypes.members(type_, self.program), hidden)
            case ir.RecordRef(key):
                return self.of_package(key.package, f"{key.name}Body", hidden)
            case ir.Array(items, _):
                return self._bounded(f"{self.builtin('list', hidden)}[{self.body_type(items, hidden)}]", type_, hidden)
            case ir.Map(values, _):
                return self._bounded(self._dict_of(self.body_type(values, hidden), hidden), type_, hidden)
            case ir.Nullable(of):
                return f"{self.body_type(of, hidden)} | None"
            case ir.Union(arms, _):
                shape = self.union(type_)
                if shape is not None:
                    return self.of_package(self._package, shape.body, hidden)
                return " | ".join(self.body_type(arm, hidden) for arm in arms)
        return self.value_type(type_, hidden)

    def _scalar_body(self, type_: ir.Type, kind: Kind, hidden: Collection[str]) -> str:
        if kind in _CARRIER:
            return self.scope.use(CARRIERS, _CARRIER[kind], hidden)
        judged = shapes.judgement(type_)
        if judged.integers is not None:
            integer = self._bounded_by(judged.integers, self.builtin("int", hidden), hidden)
            return f"{integer} | {self._float_body(judged.meta, hidden)}"
        if kind is Kind.FLOAT:
            return self._float_body(judged.meta, hidden)
        return self._bounded(self.scope.use(*_HOME[kind], hidden), type_, hidden)

    def _float_body(self, meta: dict[str, Json], hidden: Collection[str]) -> str:
        if meta == shapes.FINITE:
            return self.scope.use(CARRIERS, "FiniteFloat", hidden)
        return self._bounded_by(meta, self.builtin("float", hidden), hidden)

    def _bounded(self, spelled: str, type_: ir.Type, hidden: Collection[str]) -> str:
        return self._bounded_by(shapes.judgement(type_).meta, spelled, hidden)

    def _bounded_by(self, meta: dict[str, Json], spelled: str, hidden: Collection[str]) -> str:
        if not meta:
            return spelled
        bounds = ", ".join(f"{name}={json_literal(value)}" for name, value in meta.items())
        annotated = self.scope.use("typing", "Annotated", hidden)
        return f"{annotated}[{spelled}, {self.scope.use('msgspec', 'Meta', hidden)}({bounds})]"

    def _kinds_of(self, values: Iterable[ir.LiteralValue], hidden: Collection[str]) -> str:
        """Python's types of these scalars; a number is read as either, since ``1.0`` is ``1`` in JSON."""
        kinds = {type(value) for value in values}
        if kinds & {int, float}:
            kinds |= {int, float}
        spelled = [self.builtin(word, hidden) for class_, word in _CLASSES.items() if class_ in kinds]
        return " | ".join(spelled + (["None"] if type(None) in kinds else []))

    def body_field_type(self, field: ir.Field, hidden: Collection[str] = ()) -> str:
        """The annotation of a body's field: its type, and UNSET where it may be missing."""
        spelled = self.body_type(field.type, hidden)
        if field.presence is ir.Presence.REQUIRED:
            return spelled
        return f"{spelled} | {self.scope.use('msgspec', 'UnsetType', hidden)}"

    def takes_null(self, type_: ir.Type) -> bool:
        return wiretypes.takes_null(type_, self.program)

    # Tests that tell the arms of a union apart

    def body_test(self, arm: ir.Type, body: str, hidden: Collection[str] = ()) -> str:
        """The test of whether a body's value belongs to this arm of its union, where booleans are told apart before.

        ``bool`` is a subclass of ``int`` in Python alone: the test of an integer's arm takes one too.
        """
        match arm:
            case ir.RecordRef():
                return f"{self.builtin('isinstance', hidden)}({body}, {self.body_type(arm, hidden)})"
            case ir.Choice(values):
                return self._is_kind(body, values, hidden)
            case ir.EnumRef(key):
                return self._is_kind(body, [value for _, value in self.program.enums[key].members], hidden)
            case ir.Scalar(kind, _) if kind in shapes.AS_TEXT:
                return self._is_a(body, ["str"], hidden)
            case ir.Scalar(Kind.FLOAT, _):
                return self._is_a(body, ["int", "float"], hidden)
            case ir.Scalar(kind, _):
                return self._is_a(body, [kind.value], hidden)
        return self._is_a(body, ["list" if isinstance(arm, ir.Array) else "dict"], hidden)

    def value_test(self, arm: ir.Type, value: str, hidden: Collection[str] = ()) -> str:
        """The test of whether a dataclass's value belongs to this arm of its union."""
        match arm:
            case ir.Array():
                return self._is_a(value, ["list"], hidden)
            case ir.Map():
                return self._is_a(value, ["dict"], hidden)
            case ir.Choice(values):
                return self._is_kind(value, values, hidden)
        return f"{self.builtin('isinstance', hidden)}({value}, {self.value_type(arm, hidden)})"

    def _is_kind(self, source: str, values: Iterable[ir.LiteralValue], hidden: Collection[str]) -> str:
        kinds = {type(value) for value in values}
        if kinds & {int, float}:
            kinds |= {int, float}
        test = self._is_a(source, [word for class_, word in _CLASSES.items() if class_ in kinds], hidden)
        return test if type(None) not in kinds else f"{test} or {source} is None"

    def _is_a(self, source: str, words: list[str], hidden: Collection[str]) -> str:
        spelled = [self.builtin(word, hidden) for word in words]
        classes = spelled[0] if len(spelled) == 1 else tuple_literal(spelled)
        return f"{self.builtin('isinstance', hidden)}({source}, {classes})"

    # Values

    def value(self, type_: ir.Type, wire: Json, hidden: Collection[str] = ()) -> str:
        """The expression of a fresh value of ``type_`` from its wire form."""
        match type_:
            case ir.Scalar(kind, _):
                return self._scalar_value(kind, wire, hidden)
            case ir.Choice(values):
                return json_literal(wiretypes.member(values, wire))
            case ir.EnumRef(key):
                members = self.program.enums[key].members
                name = next(name for name, value in members if wiretypes.same_json(value, wire))
                return f"{self.of_package(key.package, key.name, hidden)}.{name}"
            case ir.Array(items, _) if isinstance(wire, list):
                return "[" + ", ".join(self.value(items, item, hidden) for item in wire) + "]"
            case ir.Map(values, _) if isinstance(wire, dict):
                pairs = (f"{text_literal(key)}: {self.value(values, item, hidden)}" for key, item in wire.items())
                return "{" + ", ".join(pairs) + "}"
            case ir.RecordRef(key) if isinstance(wire, dict):
                given = (f for f in self.program.records[key].fields if f.wire in wire)
                arguments = (f"{f.name}={self.value(f.type, wire[f.wire], hidden)}" for f in given)
                return f"{self.of_package(key.package, key.name, hidden)}({', '.join(arguments)})"
            case ir.Nullable(of):
                return "None" if wire is None else self.value(of, wire, hidden)
            case ir.Union():
                return self.value(wiretypes.arm_of(type_, wire, self.program), wire, hidden)
        return json_literal(wire)

    def _scalar_value(self, kind: Kind, wire: Json, hidden: Collection[str]) -> str:
        name = self.scope.use(*_HOME[kind], hidden)
        match kind:
            case Kind.STR | Kind.INT | Kind.BOOL:
                return json_literal(wire)
            case Kind.FLOAT:
                assert isinstance(wire, (int, float))
                return float_literal(float(wire))
            case Kind.BYTES:
                return bytes_literal(msgspec.convert(wire, bytes))
            case Kind.UUID | Kind.DECIMAL:
                return f"{name}({json_literal(wire)})"
        return self._temporal_value(kind, wire, name, hidden)

    def _temporal_value(self, kind: Kind, wire: Json, name: str, hidden: Collection[str]) -> str:
        value: Any = wiretypes.temporal(kind, wire)
        if kind is Kind.TIMEDELTA:
            return f"{name}({_arguments(value, ('days', 'seconds', 'microseconds'))})"
        if kind is Kind.DATE:
            return f"{name}({value.year}, {value.month}, {value.day})"
        day = () if kind is Kind.TIME else (value.year, value.month, value.day)
        numbers = (*day, value.hour, value.minute, value.second, value.microsecond)
        return f"{name}({', '.join(map(str, numbers))}, tzinfo={self._offset(value, hidden)})"

    def _offset(self, value: Any, hidden: Collection[str]) -> str:
        timezone = self.scope.use("datetime", "timezone", hidden)
        offset = value.utcoffset()
        if not offset:
            return f"{timezone}.utc"
        delta = self.scope.use("datetime", "timedelta", hidden)
        return f"{timezone}({delta}({_arguments(offset, ('days', 'seconds'))}))"

    # Transforms

    def from_body(self, type_: ir.Type, body: str, hidden: Collection[str] = (), depth: int = 1) -> str:
        """The expression that turns the body's value ``body`` into the dataclass's."""
        inner: Callable[[ir.Type, str], str] = lambda t, x: self.from_body(t, x, hidden, depth + 1)  # noqa: E731
        match type_:
            case ir.Scalar(kind, _) if kind in _READERS:
                return f"{self.scope.use(*_READERS[kind], hidden)}({body})"
            case ir.EnumRef(key) if not shapes.native_enum(self.program.enums[key]):
                class_ = self.of_package(key.package, key.name, hidden)
                return f"{self.guard('enum_member', hidden)}({class_}, {body})"
            case ir.RecordRef(key):
                function = shapes.record_shape(self.program.records[key]).from_body
                return f"{self.of_package(key.package, function, hidden)}({body})"
            case ir.Union():
                shape = self.union(type_)
                return body if shape is None else f"{self.of_package(self._package, shape.from_body, hidden)}({body})"
        spelled = self._through(type_, body, inner, shapes.rebuilt(type_, self.program), depth)
        return self._guarded(type_, spelled, hidden)

    def to_body(self, type_: ir.Type, value: str, hidden: Collection[str] = (), depth: int = 1) -> str:
        """The expression that turns the dataclass's value ``value`` into the body's."""
        inner: Callable[[ir.Type, str], str] = lambda t, x: self.to_body(t, x, hidden, depth + 1)  # noqa: E731
        match type_:
            case ir.Scalar(kind, _) if kind in _WRITERS:
                return f"{self.scope.use(*_WRITERS[kind], hidden)}({value})"
            case ir.EnumRef(key) if not shapes.native_enum(self.program.enums[key]):
                return f"{value}.value"
            case ir.RecordRef(key):
                function = shapes.record_shape(self.program.records[key]).to_body
                return f"{self.of_package(key.package, function, hidden)}({value})"
            case ir.Union() if shapes.converts(type_, self.program):
                shape = self.union(type_)
                assert shape is not None
                return f"{self.of_package(self._package, shape.to_body, hidden)}({value})"
        return self._through(type_, value, inner, shapes.converts(type_, self.program), depth)

    def _through(
        self, type_: ir.Type, source: str, inner: Callable[[ir.Type, str], str], changes: bool, depth: int
    ) -> str:
        """Applies ``inner`` to what stands inside a container, where that changes anything."""
        if not changes:
            return source
        item = "item" if depth == 1 else f"item{depth}"
        key = "key" if depth == 1 else f"key{depth}"
        match type_:
            case ir.Array(items, _):
                return f"[{inner(items, item)} for {item} in {source}]"
            case ir.Map(values, _):
                return f"{{{key}: {inner(values, item)} for {key}, {item} in {source}.items()}}"
            case ir.Nullable(of):
                spelled = inner(of, source)
                return spelled if spelled == source else f"None if {source} is None else {spelled}"
        return source

    def _guarded(self, type_: ir.Type, spelled: str, hidden: Collection[str]) -> str:
        for guard in shapes.judgement(type_).guards:
            positional = [json_literal(argument) for argument in guard.arguments]
            if guard.function == "member":
                positional = [tuple_literal(positional)]
            keywords = [f"{name}={json_literal(value)}" for name, value in guard.keywords]
            spelled = f"{self.guard(guard.function, hidden)}({', '.join([spelled, *positional, *keywords])})"
        return spelled


def _arguments(value: Any, names: Iterable[str]) -> str:
    """Keyword arguments for those attributes of ``value`` that are not zero."""
    return ", ".join(f"{name}={getattr(value, name)}" for name in names if getattr(value, name))
