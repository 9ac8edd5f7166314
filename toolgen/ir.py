"""The intermediate representation: what a design says, as plain frozen data.

``load`` writes it, ``schema`` and ``shapes`` read it. It holds decisions of the design's author only: no Python source
text, no JSON Schema, no I/O. Values (defaults, examples, Literal members) stand in their wire form, the JSON value that
a caller would write, so that one value has one spelling here: a date is ``"2026-11-30"``, bytes are base64 text, a
Record is an object with wire names.
"""

from __future__ import annotations

import enum
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TypeAlias

from toolgen.bindings import Binding
from toolgen.plain import Plain

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
LiteralValue: TypeAlias = "bool | int | float | str | None"


class Location(Plain, frozen=True):
    """Where something stands: a file as the user wrote it, and a line counted from 1.

    Its ``repr`` is empty: that of a part says what files are printed from, and a line above it changes nothing in them.
    """

    file: str
    line: int

    def __repr__(self) -> str:
        return ""


_NOWHERE = Location("", 0)


class TypeKey(Plain, frozen=True, order=True):
    """Identity of a Record or an enumeration: the package that holds it, and its class name."""

    package: str
    name: str


class Kind(enum.Enum):
    """The scalar types of the design language."""

    STR = "str"
    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    BYTES = "bytes"
    DATE = "date"
    TIME = "time"
    DATETIME = "datetime"
    TIMEDELTA = "timedelta"
    UUID = "UUID"
    DECIMAL = "Decimal"


class Constraints(Plain, frozen=True):
    """Bounds on a value. ``None`` (or False) means that the bound is not set.

    ``pattern`` is in the dialect that ``toolgen.runtime.patterns`` reads. Lengths of bytes count bytes; items of a map
    are its keys.
    """

    ge: int | float | None = None
    gt: int | float | None = None
    le: int | float | None = None
    lt: int | float | None = None
    multiple_of: int | float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    format: str | None = None
    min_items: int | None = None
    max_items: int | None = None
    unique_items: bool = False

    def given(self) -> dict[str, int | float | str | bool]:
        """The bounds that are set, by name."""
        pairs = ((name, getattr(self, name)) for name in self.__struct_fields__)
        return {name: value for name, value in pairs if value is not None and value is not False}


NO_CONSTRAINTS = Constraints()


class Scalar(Plain, frozen=True):
    """One of the scalar types, with bounds that fit it."""

    kind: Kind
    constraints: Constraints = NO_CONSTRAINTS


class Anything(Plain, frozen=True):
    """Any JSON value."""


class Choice(Plain, frozen=True):
    """A Literal: one of these scalars. ``True`` is not ``1``; ``1.0`` is ``1``."""

    values: tuple[LiteralValue, ...]


class EnumRef(Plain, frozen=True):
    """A member of an enumeration, written as its value. Where ``null`` is False, none whose value is null is taken."""

    key: TypeKey
    null: bool = True


class Array(Plain, frozen=True):
    """A list."""

    items: Type
    constraints: Constraints = NO_CONSTRAINTS


class Map(Plain, frozen=True):
    """An object with keys of the caller's choosing."""

    values: Type
    constraints: Constraints = NO_CONSTRAINTS


class RecordRef(Plain, frozen=True):
    """An object of a declared Record."""

    key: TypeKey


class Nullable(Plain, frozen=True):
    """The type, or null. Never wraps a type that takes null by itself, nor another Nullable."""

    of: Type


class Union(Plain, frozen=True):
    """One of several types, no two of one JSON type, save Records told apart by ``tag``.

    ``tag`` is the wire name of the required Literal field that every Record arm has, or None where there is at most one
    object arm. Null is never an arm: a nullable union is ``Nullable(Union(...))``.
    """

    arms: tuple[Type, ...]
    tag: str | None = None


Type: TypeAlias = "Scalar | Anything | Choice | EnumRef | Array | Map | RecordRef | Nullable | Union"


class Role(enum.Enum):
    """Who fills a field in."""

    MODEL = "model"
    RESTORED = "restored"
    INJECTED = "injected"


class Presence(enum.Enum):
    """What a missing field means."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    DEFAULT = "default"


class Field(Plain, frozen=True):
    """One field of a Record, an Input or a Result.

    ``name`` is the Python name, ``wire`` the key in JSON. ``default`` counts only where ``presence`` is DEFAULT.
    ``also`` is a JSON Schema that the value must hold to beside its type.
    """

    name: str
    wire: str
    type: Type
    description: str
    presence: Presence = Presence.REQUIRED
    default: Json = None
    keep_null: bool = False
    role: Role = Role.MODEL
    title: str | None = None
    examples: tuple[Json, ...] = ()
    deprecated: bool = False
    also: dict[str, Json] | None = None
    location: Location = _NOWHERE


class Record(Plain, frozen=True):
    """A named object type. Inherited fields are already among ``fields``, the base's first.

    ``also`` is a JSON Schema that every such object must hold to beside its fields.
    """

    key: TypeKey
    description: str
    fields: tuple[Field, ...]
    closed: bool = True
    also: dict[str, Json] | None = None
    location: Location = _NOWHERE


class Enumeration(Plain, frozen=True):
    """A named set of scalars. An alias is a second member with the value of an earlier one."""

    key: TypeKey
    description: str
    members: tuple[tuple[str, str | int | None], ...]
    location: Location = _NOWHERE


class Annotations(Plain, frozen=True):
    """Hints on what a tool does. ``None``: the design does not say."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


class Bounded(Plain, frozen=True):
    """How a result is cut to size, and what a result says of it beside ``returned`` and ``truncated``.

    ``cursor`` is the Python name of the tool's own model field that takes a cursor, for a tool that pages itself.
    """

    next_cursor: bool = False
    total: bool = False
    refinement: bool = False
    cursor: str | None = None


class Submit(Plain, frozen=True):
    """That a tool submits a response, and how.

    ``response`` is the Record. ``payload`` is the parameter that holds it, and ``payload_description`` what the model
    is told of that; both are None where each property of the response is a parameter of its own. ``success`` is what
    the model reads when the response is accepted.
    """

    response: TypeKey
    success: str
    reasoning: bool = True
    payload: str | None = None
    payload_description: str | None = None

    @property
    def flat(self) -> bool:
        return self.payload is None


class Tool(Plain, frozen=True):
    """One tool.

    ``class_name`` is the design's class, from which generated classes take their names; ``name`` is the wire name;
    ``module`` the name of the generated module. ``result`` is None where the tool declares none; a Result class
    in the tool is a RecordRef to a Record named ``<class_name>Result``, which stands in ``result_record``.
    ``result_module`` is the module that holds the result's class, where it is that of the tool that this one continues.
    ``binds`` names the function that runs the tool, and ``binding`` how it is called.
    ``continues`` is the wire name of the tool whose pages this one goes on with; such a tool's fields are the source's,
    as restored fields, and the cursor. ``also`` is a JSON Schema that the fields the model writes hold to together; in
    a continuation, those that it wrote for the source.
    ``submit`` says that the tool submits a response: its fields are then that, or its properties, and the reasoning.
    """

    class_name: str
    name: str
    module: str
    description: str
    fields: tuple[Field, ...]
    closed: bool = True
    also: dict[str, Json] | None = None
    title: str | None = None
    tags: tuple[str, ...] = ()
    annotations: Annotations = Annotations()
    example: dict[str, Json] | None = None
    strict: bool | None = None
    result: Type | None = None
    result_record: Record | None = None
    result_module: str | None = None
    bounded: Bounded | None = None
    continues: str | None = None
    binds: str | None = None
    binding: Binding | None = None
    submit: Submit | None = None
    location: Location = _NOWHERE

    def rule(self, roles: AbstractSet[Role]) -> dict[str, Json] | None:
        """What an input with the fields of these roles holds to: ``also``, where the fields that it is about are there.

        A continuation has the fields of its source as restored ones, and a model writes none of them.
        """
        about = Role.MODEL if self.continues is None else Role.RESTORED
        return self.also if about in roles else None


class Toolset(Plain, frozen=True):
    """A named group of tools, in design order."""

    name: str
    description: str
    tools: tuple[Tool, ...]
    location: Location = _NOWHERE


class Package(Plain, frozen=True):
    """One generated package: the toolset of a design file, and the Records and enumerations defined in that file.

    ``toolset`` is None for a file that only holds shared types. ``source`` is the design file, as a path relative to
    the project with forward slashes.
    """

    name: str
    source: str
    toolset: Toolset | None
    records: tuple[Record, ...] = ()
    enums: tuple[Enumeration, ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """All that one run compiles."""

    packages: tuple[Package, ...]
    records: dict[TypeKey, Record] = field(init=False, compare=False, repr=False)
    enums: dict[TypeKey, Enumeration] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        records = {r.key: r for p in self.packages for r in p.records}
        for package in self.packages:
            for tool in package.toolset.tools if package.toolset else ():
                if tool.result_record is not None:
                    records[tool.result_record.key] = tool.result_record
        object.__setattr__(self, "records", records)
        object.__setattr__(self, "enums", {e.key: e for p in self.packages for e in p.enums})
