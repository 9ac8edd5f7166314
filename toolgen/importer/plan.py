"""What an import makes of its sources, before it is named and printed: tools, Records and fields, as plain data.

Types are those of ``toolgen.ir``; a Record is known by the pointer of its schema (``TypeKey("", pointer)``) until it is
named.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from toolgen import ir
from toolgen.design.rules import Keys, as_written
from toolgen.importer.rules import Rule
from toolgen.importer.schemas import SchemaOrBool
from toolgen.ir import Json

UNDESCRIBED = ""
"""The description of what the source does not describe."""


@dataclass(frozen=True, slots=True)
class Name:
    """Where the name of a Record comes from: the Record or tool that holds it (its key; None at the top), and words.

    ``one`` says that the words name several of it, as those of a list do. ``tag`` is what tells it from the other
    alternatives that stand there.
    """

    parent: str | None
    words: str
    one: bool = False
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Read:
    """A schema as a type, and a rule for what the type leaves open. Together they take what the schema takes."""

    type: ir.Type
    rule: Rule | None = None


@dataclass(slots=True)
class FieldPlan:
    """One field. ``schema`` is what it was read of, ``comments`` are what the report says of it."""

    wire: str
    read: Read
    required: bool
    schema: SchemaOrBool = True
    description: str = UNDESCRIBED
    title: str | None = None
    has_default: bool = False
    default: Json = None
    has_example: bool = False
    example: Json = None
    deprecated: bool = False
    keep_null: bool = False
    comments: list[str] = field(default_factory=list)

    def takes_null(self) -> bool:
        return takes_null(self.read.type)


@dataclass(slots=True)
class ObjectPlan:
    """A Record, or the input of a tool: ``key`` is the pointer of its schema."""

    key: str
    name: Name
    title: str | None = None
    description: str = UNDESCRIBED
    fields: list[FieldPlan] = field(default_factory=list)
    closed: bool = True
    rule: Rule | None = None
    comments: list[str] = field(default_factory=list)

    def keys(self) -> Keys:
        """What decoding and encoding do to its keys."""
        kept = [f for f in self.fields if f.required or (not f.has_default and (f.keep_null or not f.takes_null()))]
        return Keys(
            kept=frozenset(f.wire for f in kept),
            written=frozenset(f.wire for f in kept if as_written(f.read.type)),
            loses=not self.closed,
            gained=frozenset(f.wire for f in self.fields if f not in kept),
        )

    def best_keys(self) -> Keys:
        """As ``keys``, once no field has a default and all are encoded as they were written."""
        wires = frozenset(field.wire for field in self.fields)
        return Keys(kept=wires, written=wires, loses=not self.closed, gained=frozenset())


@dataclass(slots=True)
class ToolPlan:
    """One tool."""

    name: str
    input: ObjectPlan
    title: str | None = None
    description: str = UNDESCRIBED
    annotations: ir.Annotations = field(default_factory=ir.Annotations)
    tags: tuple[str, ...] = ()
    strict: bool | None = None
    example: dict[str, Json] | None = None
    result: ir.Type | None = None
    comments: list[str] = field(default_factory=list)


_PENDING = "?"


def pending_key(place: str, number: int) -> ir.TypeKey:
    """Stands for the type of the schema at a place, where that is still being read."""
    return ir.TypeKey(f"{_PENDING}{number}", place)


def is_pending(key: ir.TypeKey) -> bool:
    return key.package.startswith(_PENDING)


def takes_null(type_: ir.Type) -> bool:
    match type_:
        case ir.Nullable() | ir.Anything():
            return True
        case ir.Choice(values):
            return None in values
        case _:
            return False


def written(type_: ir.Type) -> ir.Type:
    """The type without Records and texts that have several spellings: its values are encoded as they were written."""
    match type_:
        case ir.RecordRef(key):
            return ir.Anything() if is_pending(key) else ir.Map(ir.Anything())
        case ir.Scalar(_):
            return type_ if as_written(type_) else ir.Scalar(ir.Kind.STR)
        case ir.Array(items, constraints):
            return ir.Array(written(items), constraints)
        case ir.Map(values, constraints):
            return ir.Map(written(values), constraints)
        case ir.Nullable(of):
            return nullable(written(of))
        case ir.Union(arms):
            plain = list(dict.fromkeys(map(written, arms)))
            if ir.Anything() in plain:
                return ir.Anything()
            return plain[0] if len(plain) == 1 else ir.Union(tuple(plain))
        case _:
            return type_


def nullable(type_: ir.Type) -> ir.Type:
    """The type, or null."""
    if takes_null(type_):
        return type_
    return ir.Choice((*type_.values, None)) if isinstance(type_, ir.Choice) else ir.Nullable(type_)
