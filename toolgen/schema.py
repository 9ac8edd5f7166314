"""ir → canonical JSON Schema, draft 2020-12.

The one schema that is published to models (through the providers' projections) and walked by the careful lane. Keywords
are handled by position, so a field may be named ``title`` or ``$ref``; order is design order. A ``$ref`` has no
siblings: what belongs beside it stands beside an ``allOf`` of one (2020-12 allows siblings, several providers do not).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from toolgen import ir
from toolgen.ir import Json, Kind
from toolgen.runtime import formats
from toolgen.runtime.kinds import json_type
from toolgen.runtime.schemanodes import FORM_WORDS
from toolgen.walk import reached_records
from toolgen.wiretypes import members

Schema = dict[str, Json]

MODEL_ROLES = frozenset({ir.Role.MODEL})
RESTORED_ROLES = frozenset({ir.Role.RESTORED})
EXECUTION_ROLES = MODEL_ROLES | RESTORED_ROLES

_NUMBER = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}
_STRING = {"min_length": "minLength", "max_length": "maxLength", "pattern": "pattern", "format": "format"}
_ARRAY = {"min_items": "minItems", "max_items": "maxItems", "unique_items": "uniqueItems"}
_MAP = {"min_items": "minProperties", "max_items": "maxProperties"}

_PLAIN: dict[Kind, Mapping[str, Json]] = {
    Kind.STR: {"type": "string"},
    Kind.INT: {"type": "integer"},
    Kind.FLOAT: {"type": "number"},
    Kind.BOOL: {"type": "boolean"},
    Kind.DATE: {"type": "string", "format": "date"},
    Kind.TIME: {"type": "string", "format": "time"},
    Kind.DATETIME: {"type": "string", "format": "date-time"},
    Kind.UUID: {"type": "string", "format": "uuid"},
    Kind.TIMEDELTA: {"type": "string", "format": "duration", "pattern": formats.DURATION_PATTERN},
    Kind.DECIMAL: {"type": "string", "pattern": formats.DECIMAL_PATTERN},
}


def input_schema(tool: ir.Tool, program: ir.Program, roles: AbstractSet[ir.Role]) -> Schema:
    """The schema of a tool's input that holds the fields with one of ``roles``.

    ``MODEL_ROLES`` give the input that a model writes, ``EXECUTION_ROLES`` the saved execution input.
    """
    return object_schema([f for f in tool.fields if f.role in roles], tool.closed, program, tool.rule(roles))


def keep_null_pointers(tool: ir.Tool, program: ir.Program) -> tuple[str, ...]:
    """JSON Pointers into a tool's model schema to the properties for which null and missing are two things."""
    return _keep_null_pointers([f for f in tool.fields if f.role is ir.Role.MODEL], program)


def record_keep_null_pointers(record: ir.Record, program: ir.Program) -> tuple[str, ...]:
    """The same of a Record, into its ``record_schema``."""
    return _keep_null_pointers(record.fields, program, record.key)


def def_names(keys: Collection[ir.TypeKey], root: ir.TypeKey | None = None) -> dict[ir.TypeKey, str]:
    """Names under ``$defs``: the Record's own, with its package where the document holds two of one name.

    A Record at the root has none there, but the name that it would have: in a document that holds it as another's part,
    all names are the same.
    """
    named = keys if root is None or root in keys else [*keys, root]
    count = Counter(key.name for key in named)
    return {key: key.name if count[key.name] == 1 else f"{key.package}_{key.name}" for key in named}


def record_name(key: ir.TypeKey, program: ir.Program) -> str:
    """The name of a Record under the ``$defs`` of a document that holds it."""
    return def_names(reached_records([ir.RecordRef(key)], program))[key]


def _keep_null_pointers(
    fields: Sequence[ir.Field], program: ir.Program, root: ir.TypeKey | None = None
) -> tuple[str, ...]:
    records = reached_records((f.type for f in fields), program)
    names = def_names(records, root)
    holders = [("", fields), *((f"/$defs/{names[key]}", record.fields) for key, record in records.items())]
    return tuple(
        f"{holder}/properties/{field.wire.replace('~', '~0').replace('/', '~1')}"
        for holder, held in holders
        for field in held
        if field.keep_null or (field.presence is ir.Presence.OPTIONAL and _has_null_member(field.type, program))
    )


def _has_null_member(type_: ir.Type, program: ir.Program) -> bool:
    """Whether null is a member of an enum here, which is another value than the None of what is missing."""
    if isinstance(type_, ir.Union):
        return any(_has_null_member(arm, program) for arm in type_.arms)
    return isinstance(type_, ir.EnumRef) and any(value is None for _, value in program.enums[type_.key].members)


def context_schema(tool: ir.Tool, program: ir.Program) -> Schema:
    """The schema of the injected fields by Python name. It is published nowhere: it judges a context."""
    fields = [f.replace(wire=f.name) for f in tool.fields if f.role is ir.Role.INJECTED]
    return object_schema(fields, True, program)


def object_schema(
    fields: Sequence[ir.Field],
    closed: bool,
    program: ir.Program,
    also: Schema | None = None,
    root: ir.TypeKey | None = None,
) -> Schema:
    """The schema of an object with ``fields`` that holds to ``also``, and the ``$defs`` that it needs.

    ``root`` is the Record that the object is, where it is one.
    """
    writer = _Writer((f.type for f in fields), program, root)
    return writer.with_defs(writer.of_fields(fields, closed, also))


def value_schema(field: ir.Field, program: ir.Program) -> Schema:
    """The schema of a field's values, with the ``$defs`` that it needs; nothing of what is said of the field."""
    writer = _Writer((field.type,), program)
    return writer.with_defs(ruled(writer.of_type(field.type), field.also))


def ruled(schema: Schema, also: Schema | None) -> Schema:
    """A schema with a rule beside it: in ``allOf``, where it can't meet a keyword of the schema's own.

    The runtime tells a rule from a form by its keywords; what reads like a form is put one level down.
    """
    if also is None:
        return schema
    if "$defs" in also:
        also = {"$id": _identifier(also), **also}
    rule: Json = {"allOf": [also]} if also.keys() & FORM_WORDS or "$id" in also else also
    return {"allOf": [schema, rule]} if "$ref" in schema or not schema else {**schema, "allOf": [rule]}


RULE_URI: Final = "urn:toolgen:also:"
"""What the ``$id`` of a rule with definitions begins with."""


def _identifier(also: Schema) -> str:
    """A URI of its own for a rule with definitions: its references lead to them then, wherever it stands (JSON Schema
    2020-12 Core, section 8.2.1)."""
    text = json.dumps(also, sort_keys=True, ensure_ascii=False)
    return f"{RULE_URI}{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def type_schema(type_: ir.Type, program: ir.Program) -> Schema:
    """The schema of one type by itself, with the ``$defs`` that it needs."""
    writer = _Writer((type_,), program)
    return writer.with_defs(writer.of_type(type_))


def result_schema(tool: ir.Tool, program: ir.Program) -> Schema:
    """The schema of what a tool gives back: an object stands at the root itself, with the keys of a page where the tool
    is bounded.

    Raises:
        ValueError: the tool declares no result.
    """
    if tool.result is None:
        raise ValueError(f"{tool.name} declares no result")
    if not isinstance(tool.result, ir.RecordRef):
        return type_schema(tool.result, program)
    record = program.records[tool.result.key]
    return record_schema(record, program, tuple(page_fields(tool.bounded)))


def record_schema(record: ir.Record, program: ir.Program, more: Sequence[ir.Field] = ()) -> Schema:
    """The schema of a Record by itself, with the fields that are added to it, and the ``$defs`` that it needs."""
    schema = object_schema([*record.fields, *more], record.closed, program, record.also, record.key)
    return {"description": record.description, **schema} if record.description else schema


_COUNT = ir.Scalar(Kind.INT, ir.Constraints(ge=0))
_TEXT = ir.Scalar(Kind.STR, ir.Constraints(min_length=1))


def page_fields(bounded: ir.Bounded | None) -> Iterator[ir.Field]:
    """The fields that ``bounded`` adds to a result."""
    if bounded is None:
        return
    optional = ir.Presence.OPTIONAL
    yield _page_field("returned", _COUNT, "How many items this page holds.")
    yield _page_field("truncated", ir.Scalar(Kind.BOOL), "Whether there is more than this page holds.")
    if bounded.total:
        yield _page_field("total", _COUNT, "How many items there are in all.", optional)
    if bounded.next_cursor:
        yield _page_field("next_cursor", _TEXT, "Where the next page starts.", optional)
    if bounded.refinement:
        yield _page_field("refinement_hint", _TEXT, "How to ask for less.", optional)


def _page_field(name: str, type_: ir.Type, description: str, presence: ir.Presence = ir.Presence.REQUIRED) -> ir.Field:
    return ir.Field(name=name, wire=name, type=type_, description=description, presence=presence)


class _Writer:
    """Writes one schema document. Its ``$defs`` are the Records that ``types`` reach, in the order they are met."""

    def __init__(self, types: Iterable[ir.Type], program: ir.Program, root: ir.TypeKey | None = None) -> None:
        self._program = program
        self._records = reached_records(types, program)
        self._names = def_names(self._records, root)

    def with_defs(self, schema: Schema) -> Schema:
        defs: dict[str, Json] = {
            self._names[key]: {
                "description": record.description,
                **self.of_fields(record.fields, record.closed, record.also),
            }
            for key, record in self._records.items()
        }
        return {**schema, "$defs": defs} if defs else schema

    def of_fields(self, fields: Sequence[ir.Field], closed: bool, also: Schema | None = None) -> Schema:
        schema: Schema = {
            "type": "object",
            "properties": {f.wire: self._field(f) for f in fields},
            "required": [f.wire for f in fields if f.presence is ir.Presence.REQUIRED],
            "additionalProperties": not closed,
        }
        return ruled(schema, also)

    def _field(self, field: ir.Field) -> Schema:
        notes: Schema = {"description": field.description}
        if field.title is not None:
            notes["title"] = field.title
        if field.presence is ir.Presence.DEFAULT:
            notes["default"] = field.default
        if field.examples:
            notes["examples"] = list(field.examples)
        if field.deprecated:
            notes["deprecated"] = True
        schema = ruled(self.of_type(field.type), field.also)
        return {"allOf": [schema], **notes} if "$ref" in schema else {**schema, **notes}

    def of_type(self, type_: ir.Type) -> Schema:
        match type_:
            case ir.Scalar(kind, constraints):
                return _scalar(kind, constraints)
            case ir.Anything():
                return {}
            case ir.Choice(values):
                return _enum(values)
            case ir.EnumRef():
                return _enum(members(type_, self._program))
            case ir.Array(items, constraints):
                return {"type": "array", "items": self.of_type(items), **_bounds(constraints, _ARRAY)}
            case ir.Map(values, constraints):
                return {"type": "object", "additionalProperties": self.of_type(values), **_bounds(constraints, _MAP)}
            case ir.RecordRef(key):
                return {"$ref": f"#/$defs/{self._names[key]}"}
            case ir.Union(arms):
                return {"anyOf": [self.of_type(arm) for arm in arms]}
            case ir.Nullable(of):
                return _nullable(self.of_type(of))


def _scalar(kind: Kind, constraints: ir.Constraints) -> Schema:
    if kind is Kind.BYTES:
        sized = formats.base64_keywords(constraints.min_length or 0, constraints.max_length)
        return {"type": "string", "contentEncoding": "base64", **sized}
    words = _NUMBER if kind in (Kind.INT, Kind.FLOAT) else _STRING
    return {**_PLAIN[kind], **_bounds(constraints, words)}


def _bounds(constraints: ir.Constraints, words: Mapping[str, str]) -> Schema:
    return {words[name]: value for name, value in constraints.given().items()}


def _enum(values: Iterable[ir.LiteralValue]) -> Schema:
    distinct = list({(type(value), value): value for value in values}.values())
    types = list(dict.fromkeys(json_type(value) for value in distinct))
    return {"type": types[0] if len(types) == 1 else [*types], "enum": [*distinct]}


def _nullable(schema: Schema) -> Schema:
    match schema:
        case {"enum": [*values], "type": type_}:
            return {**schema, "type": _with_null(type_), "enum": [*values, None]}
        case {"anyOf": [*arms]}:
            return {**schema, "anyOf": [*arms, {"type": "null"}]}
        case {"type": type_}:
            return {**schema, "type": _with_null(type_)}
    return {"anyOf": [schema, {"type": "null"}]}


def _with_null(type_: Json) -> list[Json]:
    return [*(type_ if isinstance(type_, list) else [type_]), "null"]
