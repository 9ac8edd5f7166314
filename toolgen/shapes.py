"""ir → shapes: the classes that are generated, and who judges each value.

A shape is one dataclass, the body that is decoded into before it, and the two transforms between them. What stands here
are decisions (which fields, in which order, required or not, what msgspec may judge alone); how they are spelled in
Python is ``spell``'s business.

**What the fast lane may not decide alone** is declared here and nowhere else. msgspec decodes JSON into a body; where
it judges otherwise than the published schema does, or cannot express the rule, the body is made *wider* than the schema
and a ``Guard`` in the transform judges the rest. A guard that declines sends the input to the careful lane; it never
accepts what the schema refuses. ``Lanes`` says where msgspec must not be asked at all.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Iterator
from fractions import Fraction

from toolgen import ir, names
from toolgen.ir import Json, Kind
from toolgen.plain import Plain
from toolgen.runtime import patterns
from toolgen.runtime.carriers import MAX_FLOAT
from toolgen.walk import children, is_recursive, parts, reached_records, reached_types
from toolgen.wiretypes import INT64, tag_values

FINITE: dict[str, Json] = {"ge": -MAX_FLOAT, "le": MAX_FLOAT}
"""The bounds that keep NaN and the infinities out of a float."""


class Missing(enum.Enum):
    """What a dataclass field holds when the input left it out."""

    IMPOSSIBLE = "required"
    NONE = "None"
    UNSET = "UNSET"
    DEFAULT = "the default"


def missing(field: ir.Field) -> Missing:
    """The table "Six kinds of optional", read by its columns."""
    if field.presence is ir.Presence.REQUIRED:
        return Missing.IMPOSSIBLE
    if field.presence is ir.Presence.DEFAULT:
        return Missing.DEFAULT
    return Missing.UNSET if field.keep_null else Missing.NONE


class Guard(Plain, frozen=True):
    """A call of ``toolgen.runtime.guards`` on a decoded value: gives the value, or declines."""

    function: str
    arguments: tuple[Json, ...] = ()
    keywords: tuple[tuple[str, Json], ...] = ()


class Judgement(Plain, frozen=True):
    """Who judges a type: ``meta`` are the bounds that msgspec takes, ``guards`` what it may not decide alone.

    ``integers`` are msgspec's bounds on an integer where a float stands, if a guard must see it as it was written.
    """

    meta: dict[str, Json]
    guards: tuple[Guard, ...] = ()
    integers: dict[str, Json] | None = None


def judgement(type_: ir.Type) -> Judgement:
    """How the values of one type are judged in the fast lane; what it holds inside is judged by itself."""
    match type_:
        case ir.Scalar(Kind.INT, constraints):
            return _judge_int(constraints)
        case ir.Scalar(Kind.FLOAT, constraints):
            return _judge_float(constraints)
        case ir.Scalar(Kind.STR, constraints):
            return _judge_str(constraints)
        case ir.Scalar(Kind.DATETIME):
            return Judgement({"tz": True})
        case ir.Scalar(Kind.BYTES, constraints):
            return Judgement(_lengths(constraints.min_length, constraints.max_length))
        case ir.Choice(values) if not msgspec_takes(values):
            return Judgement({}, (Guard("member", values),))
        case ir.Array(_, constraints):
            guards = (Guard("unique"),) if constraints.unique_items else ()
            return Judgement(_lengths(constraints.min_items, constraints.max_items), guards)
        case ir.Map(_, constraints):
            return Judgement(_lengths(constraints.min_items, constraints.max_items))
    return Judgement({})


def _judge_int(constraints: ir.Constraints) -> Judgement:
    """msgspec takes bounds of 64 bits; those past them are guarded."""
    given = constraints.given()
    meta = {name: value for name, value in given.items() if _msgspec_bounds(name, value)}
    beyond = tuple((name, value) for name, value in given.items() if name not in meta)
    return Judgement(dict(meta), (Guard("within", keywords=beyond),) if beyond else ())


def _msgspec_bounds(name: str, value: object) -> bool:
    """Whether msgspec takes a bound on an integer: it counts an open end in, which must not leave 64 bits."""
    return value in INT64 and (name, value) not in {("gt", INT64[-1]), ("lt", INT64[0])}


def _judge_float(constraints: ir.Constraints) -> Judgement:
    """A finite bound on both sides keeps NaN out at no cost; multiples of a float are decimal arithmetic."""
    given: dict[str, Json] = {
        k: float(v) for k, v in constraints.given().items() if not isinstance(v, str) and not _is_inexact(k, v)
    }
    step = given.pop("multiple_of", None)
    if not given.keys() & {"ge", "gt"}:
        given["ge"] = -MAX_FLOAT
    if not given.keys() & {"le", "lt"}:
        given["le"] = MAX_FLOAT
    if step is None:
        return Judgement(given)
    return Judgement(given, (Guard("multiple", (step,)),), _integer_bounds(constraints))


def _integer_bounds(constraints: ir.Constraints) -> dict[str, Json]:
    """The bounds on a float as bounds on an integer; none where they are past 53 bits (see ``lanes``)."""
    rounded: dict[str, Json] = {}
    for name, bound in constraints.given().items():
        if name != "multiple_of" and not isinstance(bound, str) and not _is_inexact(name, bound):
            # 0 < n and 0.5 < n are two bounds on an integer: an open end stays open where it is whole.
            exact = Fraction(str(bound))
            inward = math.ceil if name in {"ge", "gt"} else math.floor
            whole = exact.denominator == 1
            rounded[name if whole else {"gt": "ge", "lt": "le"}.get(name, name)] = inward(exact)
    return rounded


def _is_inexact(name: str, bound: float) -> bool:
    """Whether a bound on a float lies where an integer in the input may be rounded across it."""
    return name != "multiple_of" and abs(bound) >= 2**53


def _needs_its_text(type_: ir.Type) -> bool:
    """Whether a number of the type can only be judged by how it was written, which msgspec does not keep.

    That is a bound on a float past 53 bits, and a whole float in a Literal: 3.0 is the integer 3, and what was written
    3.00000000000000000001 is not.
    """
    match type_:
        case ir.Scalar(Kind.FLOAT, constraints):
            return any(_is_inexact(k, v) for k, v in constraints.given().items() if not isinstance(v, str))
        case ir.Choice(values):
            return any(isinstance(value, float) and value.is_integer() for value in values)
    return False


def _judge_str(constraints: ir.Constraints) -> Judgement:
    """A pattern that a backtracking engine can be slow on is left to the runtime's own matcher."""
    meta: dict[str, Json] = _lengths(constraints.min_length, constraints.max_length)
    guards = []
    if constraints.pattern is not None:
        if patterns.is_linear(constraints.pattern):
            guards.append(Guard("searched", (patterns.to_python(constraints.pattern),)))
        else:
            guards.append(Guard("matching", (constraints.pattern,)))
    if constraints.format is not None:
        guards.append(Guard("formatted", (constraints.format,)))
    return Judgement(meta, tuple(guards))


def _lengths(least: int | None, most: int | None) -> dict[str, Json]:
    pairs = (("min_length", least), ("max_length", most))
    return {name: value for name, value in pairs if value is not None}


def in_literal(value: ir.LiteralValue) -> bool:
    """Whether type checkers take the value in a ``Literal``; its type stands for one that they don't.

    PEP 586 has no floats, and mypy no integer whose digits, read without their sign, are past 64 bits.
    """
    if isinstance(value, int):
        return abs(value) in INT64
    return not isinstance(value, float)


def msgspec_takes(values: Iterable[ir.LiteralValue]) -> bool:
    """Whether msgspec decodes a Literal of these values itself: it knows no floats, no booleans and no null alone, and
    judges by the type, which must hold them all."""
    kinds = {type(value) for value in values if value is not None}
    return bool(kinds) and kinds <= {str, int} and all(map(in_literal, values))


AS_TEXT = frozenset({Kind.TIMEDELTA, Kind.DECIMAL, Kind.TIME})
"""What a body has as text: msgspec reads durations and decimals otherwise, and rounds the last instant of a day to the
first."""


def converts(type_: ir.Type, program: ir.Program) -> bool:
    """Whether a value of the body differs from that of the dataclass, or has another type, so that a transform must
    touch it."""
    return any(_differs(part, program) for part in parts(type_))


def _differs(part: ir.Type, program: ir.Program) -> bool:
    match part:
        case ir.Scalar(kind):
            return kind in AS_TEXT
        case ir.RecordRef():
            return True
        case ir.Choice(values):
            # The same value, but no list of the one type is a list of the other: both checkers hold lists invariant.
            return not msgspec_takes(values)
        case ir.EnumRef(key):
            return not native_enum(program.enums[key])
    return False


def guarded(type_: ir.Type) -> bool:
    """Whether a guard judges the type or something written inside it."""
    return any(judgement(part).guards for part in parts(type_))


def rebuilt(type_: ir.Type, program: ir.Program) -> bool:
    """Whether the transform from a body must touch what stands inside the type."""
    return converts(type_, program) or any(guarded(child) for child in children(type_))


def native_enum(enumeration: ir.Enumeration) -> bool:
    """Whether msgspec decodes the enumeration itself: all its values are strings, or all are integers of 64 bits."""
    values = [value for _, value in enumeration.members]
    return len({type(value) for value in values}) == 1 and msgspec_takes(values)


class Lanes(Plain, frozen=True):
    """Which inputs the fast lane may take at all.

    ``json``: not where a Record is open, since msgspec skips what it does not know unread, nor where a rule (``also``)
    holds, which only the careful lane can judge, nor where a bound on a float is past 53 bits, nor where a Literal has
    a whole float. ``deep``: input can nest past any fixed depth, so that the fast lane must leave deep input alone.
    """

    json: bool
    deep: bool


def lanes(shape: Shape, program: ir.Program) -> Lanes:
    """The lanes of an input that is decoded into the body of a shape."""
    plain = shape.closed and not shape.ruled and all(f.also is None for f in shape.in_json)
    return type_lanes([f.type for f in shape.in_json], plain, program)


def type_lanes(types: Iterable[ir.Type], plain: bool, program: ir.Program) -> Lanes:
    """The lanes of an input that is made of these types. ``plain``: its root is neither open nor ruled."""
    types = tuple(types)
    plain = plain and all(map(_is_plain, reached_records(types, program).values()))
    reached = list(reached_types(types, program))
    plain = plain and not any(map(_needs_its_text, reached))
    has_any = any(isinstance(part, ir.Anything) for part in reached)
    return Lanes(json=plain, deep=has_any or is_recursive(types, program))


def _is_plain(record: ir.Record) -> bool:
    """Whether a Record is neither open nor ruled."""
    return record.closed and record.also is None and all(f.also is None for f in record.fields)


class Tag(Plain, frozen=True):
    """What tells an arm of a tagged union: the Python and wire name of the field, and the value."""

    field: str
    wire: str
    value: str | int


class Shape(Plain, frozen=True):
    """One dataclass with its body and transforms.

    ``fields`` are all of the dataclass, in design order; ``in_json`` those of the body. ``context`` are the fields that
    a transform from the body needs from elsewhere.
    """

    name: str
    body: str
    from_body: str
    to_body: str
    fields: tuple[ir.Field, ...]
    closed: bool
    description: str
    context: tuple[ir.Field, ...] = ()
    ruled: bool = False

    @property
    def in_json(self) -> tuple[ir.Field, ...]:
        return tuple(f for f in self.fields if f not in self.context)

    @property
    def positional(self) -> tuple[ir.Field, ...]:
        """The fields as the dataclass orders them: what is required comes first."""
        return tuple(sorted(self.fields, key=lambda f: missing(f) is not Missing.IMPOSSIBLE))


class Arm(Plain, frozen=True):
    """The body of one Record under one tag value: a Struct that msgspec picks by that value."""

    body: str
    from_body: str
    to_body: str
    record: ir.Record
    tag: Tag


class UnionShape(Plain, frozen=True):
    """A union whose bodies need telling apart in a transform.

    ``body`` names the alias of the union of bodies.
    """

    type: ir.Union
    body: str
    from_body: str
    to_body: str
    arms: tuple[Arm, ...]


class TypesShape(Plain, frozen=True):
    """The module of a package's shared types."""

    enums: tuple[ir.Enumeration, ...]
    records: tuple[Shape, ...]
    arms: tuple[Arm, ...]
    unions: tuple[UnionShape, ...]


class ToolShape(Plain, frozen=True):
    """The module of one tool.

    ``args`` and ``payload`` are one shape where no field is restored or injected. ``one_body`` says that both have the
    same JSON, hence one body and one schema. ``result`` is the shape of a Result class written in the tool.
    """

    tool: ir.Tool
    args: Shape
    payload: Shape
    context: Shape | None
    result: Shape | None

    @property
    def one_class(self) -> bool:
        return self.args.fields == self.payload.fields

    @property
    def one_body(self) -> bool:
        return self.args.in_json == self.payload.in_json


def record_shape(record: ir.Record) -> Shape:
    """The shape of a Record."""
    name = record.key.name
    snake = names.snake_case(name)
    return Shape(
        name,
        f"{name}Body",
        f"{snake}_from_body",
        f"{snake}_to_body",
        record.fields,
        record.closed,
        record.description,
        ruled=record.also is not None,
    )


def tool_shape(tool: ir.Tool) -> ToolShape:
    """The shapes of a tool's module."""
    injected = tuple(f for f in tool.fields if f.role is ir.Role.INJECTED)
    model = tuple(f for f in tool.fields if f.role is ir.Role.MODEL)
    context = None
    if injected:
        by_name = tuple(f.replace(wire=f.name) for f in injected)
        context = _tool_part(tool, "Context", by_name, True)
    result = None
    if tool.result_record is not None:
        result = _tool_part(tool, "Result", tool.result_record.fields, tool.result_record.closed).replace(
            description=tool.result_record.description or _DESCRIPTIONS["Result"].format(name=tool.name),
            ruled=tool.result_record.also is not None,
        )
    return ToolShape(
        tool=tool,
        args=_tool_part(tool, "Args", model, tool.closed),
        payload=_tool_part(tool, "Payload", tool.fields, tool.closed).replace(context=injected),
        context=context,
        result=result,
    )


_DESCRIPTIONS = {
    "Args": "What the model asked of ``{name}``.",
    "Payload": "What ``{name}`` runs on.",
    "Context": "What the runtime injects into ``{name}``; no model can reach it.",
    "Result": "What ``{name}`` gives back.",
}

_JSON_ROLES = {"Args": {ir.Role.MODEL}, "Payload": {ir.Role.MODEL, ir.Role.RESTORED}}
"""The roles of the fields in the JSON of a part; a rule holds there whether a field has such a role or none does."""


def _tool_part(tool: ir.Tool, part: str, fields: tuple[ir.Field, ...], closed: bool) -> Shape:
    name = f"{tool.class_name}{part}"
    description = _DESCRIPTIONS[part].format(name=tool.name)
    snake = part.lower()
    ruled = tool.rule(_JSON_ROLES.get(part, frozenset())) is not None
    return Shape(
        name, f"{name}Body", f"{snake}_from_body", f"{snake}_to_body", fields, closed, description, ruled=ruled
    )


def types_shape(package: ir.Package, program: ir.Program) -> TypesShape:
    """The shapes of a package's ``types`` module: what it defines, and the unions that it uses."""
    unions = _Unions(package, program).shapes()
    arms = {arm.body: arm for union in unions for arm in union.arms}
    return TypesShape(
        enums=package.enums,
        records=tuple(record_shape(r) for r in package.records),
        arms=tuple(arms.values()),
        unions=unions,
    )


def package_types(package: ir.Package) -> Iterator[ir.Type]:
    """Every type that the package's Records and tools write, not entering those of others."""
    for record in package.records:
        yield from (f.type for f in record.fields)
    for tool in package.toolset.tools if package.toolset else ():
        yield from (f.type for f in tool.fields)
        if tool.result_record is not None:
            yield from (f.type for f in tool.result_record.fields)
        elif tool.result is not None:
            yield tool.result


class _Unions:
    """Finds the unions of a package that need transforms, and names their parts clear of everything else there.

    One Record under one tag value is one arm, in however many unions it stands.
    """

    def __init__(self, package: ir.Package, program: ir.Program) -> None:
        self._package = package
        self._program = program
        self._arms: dict[tuple[ir.TypeKey, Tag], Arm] = {}
        keys = [*(record.key for record in package.records), *(enumeration.key for enumeration in package.enums)]
        self._taken = {name for key in keys for name in names.of_type(key.name)}

    def shapes(self) -> tuple[UnionShape, ...]:
        found: dict[str, UnionShape] = {}
        waiting = list(package_types(self._package))
        while waiting:
            # Inner unions first: the alias of an outer one names theirs when the module runs.
            for part in reversed(list(parts(waiting.pop(0)))):
                if isinstance(part, ir.Union) and repr(part) not in found and rebuilt(part, self._program):
                    found[repr(part)] = self._shape(part)
                    waiting += self._brought(found[repr(part)])
        return tuple(found.values())

    def _brought(self, union: UnionShape) -> Iterator[ir.Type]:
        """What the arms write whose Records stand in other packages: the body of an arm stands here all the same."""
        for record in {arm.record.key: arm.record for arm in union.arms}.values():
            if record.key.package != self._package.name:
                yield from (f.type for f in record.fields)

    def _shape(self, union: ir.Union) -> UnionShape:
        stem = self._free_stem("Or".join(_arm_name(arm) for arm in union.arms))
        snake = names.snake_case(stem)
        arms: list[Arm] = []
        if union.tag is not None:
            for arm in union.arms:
                if isinstance(arm, ir.RecordRef):
                    arms.extend(self._tagged(self._program.records[arm.key], union.tag))
        return UnionShape(union, f"{stem}Body", f"{snake}_from_body", f"{snake}_to_body", tuple(arms))

    def _tagged(self, record: ir.Record, wire: str) -> Iterator[Arm]:
        """One Struct for each value of the Record's tag: msgspec's tags hold one value each."""
        field = next(f for f in record.fields if f.wire == wire)
        values = tag_values(record, wire)
        for number, value in enumerate(values, 1):
            key = (record.key, Tag(field.name, wire, value))
            if key not in self._arms:
                which = str(number) if len(values) > 1 else ""
                stem = self._free_stem(f"{record.key.name}By{_pascal_case(field.name)}{which}")
                snake = names.snake_case(stem)
                self._arms[key] = Arm(f"{stem}Body", f"{snake}_from_body", f"{snake}_to_body", record, key[1])
            yield self._arms[key]

    def _free_stem(self, stem: str) -> str:
        """``stem``, with a number behind it where a name made from it is taken; what it makes is taken from here."""
        free, number = stem, 1
        while self._taken & {*names.of_type(free)}:
            number += 1
            free = f"{stem}{number}"
        self._taken.update(names.of_type(free))
        return free


def _arm_name(arm: ir.Type) -> str:
    match arm:
        case ir.RecordRef(key) | ir.EnumRef(key):
            return key.name
        case ir.Scalar(kind, _):
            return kind.value[0].upper() + kind.value[1:]
        case ir.Array():
            return "List"
        case ir.Map():
            return "Dict"
    return "Choice"


def _pascal_case(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
