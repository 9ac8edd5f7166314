"""ir → what a generated contract test states: inputs on both sides of every bound, and what each must decode to.

All of it comes from the design, by way of a reader of its own (``_Reading``), and none from generated code or from the
codecs, so that the test is a second witness.
"""

from __future__ import annotations

import base64
import dataclasses
import datetime
import decimal
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET

from toolgen import ir
from toolgen.ir import Kind
from toolgen.literals import bytes_literal, float_literal, text_literal
from toolgen.runtime import formats
from toolgen.runtime.kinds import json_type
from toolgen.runtime.pointers import below, steps
from toolgen.schema import (
    EXECUTION_ROLES,
    MODEL_ROLES,
    RESTORED_ROLES,
    context_schema,
    def_names,
    input_schema,
    object_schema,
    page_fields,
    record_name,
    record_schema,
    type_schema,
)
from toolgen.testing.boundary import Base, Edit, bases
from toolgen.testing.inputs import NoInput
from toolgen.testing.shape import MISSING, Schema, get
from toolgen.unmade import Document, Unmade
from toolgen.walk import reached_records
from toolgen.wiretypes import temporal


@dataclass(frozen=True, slots=True)
class GivenText:
    """An input and what it decodes to, as Python source, and a line of source for each change to it."""

    input: str
    gives: str
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecordText:
    """An object type: its name under ``$defs`` and its class as literals, and a line of source for each field.

    ``documents`` are the schemas in which the name means this type, where it means another in others.
    """

    name: str
    class_: str
    closed: bool
    documents: str | None
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SubmitText:
    """What a tool submits: responses, and the other arguments of ``Submitted`` as source."""

    response: tuple[GivenText, ...]
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContractData:
    """What the template of a contract test prints. Strings are Python source, save ``module`` and ``class_name``.

    ``imports`` are the modules that the source needs, and ``names`` what it needs of ``toolgen.testing.contract``.
    """

    module: str
    class_name: str
    name: str
    closed: bool
    example: str
    model: tuple[GivenText, ...]
    restored: tuple[GivenText, ...]
    context: tuple[GivenText, ...]
    result: tuple[GivenText, ...]
    fields: tuple[str, ...]
    records: tuple[RecordText, ...]
    page: str | None
    submit: SubmitText | None
    imports: tuple[str, ...]
    names: tuple[str, ...]


def contract_data(tool: ir.Tool, program: ir.Program) -> ContractData:
    """What the contract test of ``tool`` states. Equal for equal designs, on every run and every Python.

    Raises Unmade where no valid input can be made: a pattern and lengths that hardly meet, with no example to go by.
    """
    reading = _Reading(program)
    source = _Source()
    model = [f for f in tool.fields if f.role is ir.Role.MODEL]
    restored = [f for f in tool.fields if f.role is ir.Role.RESTORED]
    injected = [f.replace(wire=f.name) for f in tool.fields if f.role is ir.Role.INJECTED]
    taken = {f.wire for f in tool.fields}

    def given(fields: Sequence[ir.Field], schema: Schema) -> tuple[GivenText, ...]:
        root = ir.Record(ir.TypeKey("", ""), "", tuple(fields))
        return tuple(_given(base, root, reading, source, taken) for base in _bases(schema, Document(fields)))

    result: tuple[GivenText, ...] = ()
    if tool.result is not None:
        found = _bases(type_schema(tool.result, program), Document(type=tool.result))
        result = tuple(_given(base, tool.result, reading, source, set()) for base in found)
    data = ContractData(
        module=tool.module,
        class_name=tool.class_name,
        name=text_literal(tool.name),
        closed=tool.closed,
        example=source.of(tool.example),
        model=given(model, input_schema(tool, program, MODEL_ROLES)),
        restored=given(restored, input_schema(tool, program, RESTORED_ROLES)) if restored else (),
        context=given(injected, context_schema(tool, program)) if injected else (),
        result=result,
        fields=tuple(_field(f, reading, source) for f in tool.fields),
        records=tuple(_records(tool, program, reading, source)),
        page=_page(tool, program, source) if tool.bounded is not None else None,
        submit=_submit(tool.submit, program, reading, source) if tool.submit is not None else None,
        imports=(),
        names=(),
    )
    return dataclasses.replace(data, imports=source.imports(), names=_names(data, source))


def _bases(schema: Schema, document: Document) -> list[Base]:
    try:
        return bases(schema)
    except NoInput as error:
        raise Unmade(document, error.where) from error


def _page(tool: ir.Tool, program: ir.Program, source: _Source) -> str:
    """What the schema says of each key of a page."""
    properties = object_schema([*page_fields(tool.bounded)], True, program)["properties"]
    assert isinstance(properties, dict)
    return source.of({key: _said(schema) for key, schema in properties.items()})


def _submit(submit: ir.Submit, program: ir.Program, reading: _Reading, source: _Source) -> SubmitText:
    record = program.records[submit.response]
    found = _bases(record_schema(record, program), Document(record.fields))
    arguments = [f"record={text_literal(record_name(record.key, program))}", f"success={text_literal(submit.success)}"]
    if submit.payload is not None:
        arguments.append(f"payload={text_literal(submit.payload)}")
    if not submit.reasoning:
        arguments.append("reasoning=False")
    return SubmitText(tuple(_given(base, record, reading, source, set()) for base in found), tuple(arguments))


def _said(schema: Any) -> dict[str, Any]:
    return {word: value for word, value in schema.items() if word != "description"}


def _names(data: ContractData, source: _Source) -> tuple[str, ...]:
    cases = " ".join(case for given in _all_given(data) for case in given.cases)
    fixed = {"Contract", "Given", *(["Field"] if data.fields or any(r.fields for r in data.records) else [])}
    fixed |= ({"Record"} if data.records else set()) | ({"Submitted"} if data.submit is not None else set())
    return tuple(sorted(fixed | {n for n in ("Accepts", "Refuses", "Mends") if f"{n}(" in cases} | source.signs))


def _all_given(data: ContractData) -> Iterator[GivenText]:
    yield from (*data.model, *data.restored, *data.context, *data.result)
    yield from data.submit.response if data.submit is not None else ()


def _given(base: Base, root: ir.Record | ir.Type, reading: _Reading, source: _Source, taken: set[str]) -> GivenText:
    gives = reading.record(root, base.input) if isinstance(root, ir.Record) else reading.value(root, base.input)
    edits = base.edits
    if isinstance(root, ir.Record):
        # Null for the whole is mended, and other roles may have a field of the name that is unknown here.
        edits = tuple(edit for edit in edits if edit.at or edit.value is not None)
        edits = tuple(edit for edit in edits if edit.constraint != "unknown_field" or edit.at[1:] not in taken)
    cases = tuple(_case(edit, base, root, reading, source) for edit in edits)
    return GivenText(source.of(base.input), source.of(gives), cases)


def _case(edit: Edit, base: Base, root: ir.Record | ir.Type, reading: _Reading, source: _Source) -> str:
    """One change to an input, as a call of ``Accepts``, ``Refuses`` or ``Mends``."""
    start = [text_literal(edit.at), source.of(edit.value)]
    if edit.constraint is not None and not edit.mended:
        path = [] if edit.path == edit.at else [f"path={text_literal(edit.path)}"]
        return f"Refuses({', '.join([*start, text_literal(edit.constraint), *path])})"
    into, place = reading.locate(root, base.input, edit.at)
    tail = [] if into == edit.at else [f"into={text_literal(into)}"]
    if place is None:
        return f"Accepts({', '.join([*start, 'ignored=True'])})"
    gives = _gives(edit, base, place, reading)
    if edit.constraint is not None:
        return f"Mends({', '.join([*start, text_literal(edit.constraint), source.of(gives), *tail])})"
    spelt = source.of(gives)
    middle = [] if spelt == start[1] and type(gives) is type(edit.value) else [spelt]
    return f"Accepts({', '.join([*start, *middle, *tail])})"


def _gives(edit: Edit, base: Base, place: ir.Field | ir.Type, reading: _Reading) -> Any:
    """What stands at the place of an edit when it is taken, or mended."""
    if edit.mended and edit.value is not None:
        type_ = place.type if isinstance(place, ir.Field) else place
        return reading.value(type_, get(base.input, edit.at))
    if edit.value is MISSING or edit.mended:
        assert isinstance(place, ir.Field)
        return reading.missing(place)
    return reading.value(place.type if isinstance(place, ir.Field) else place, edit.value)


def _field(field: ir.Field, reading: _Reading, source: _Source) -> str:
    parts = [text_literal(field.name)]
    if field.wire != field.name:
        parts.append(f"wire={text_literal(field.wire)}")
    if field.role is not ir.Role.MODEL:
        parts.append(f"role={text_literal(field.role.value)}")
    if field.presence is ir.Presence.DEFAULT:
        parts.append(f"default={source.of(field.default)}")
    if field.presence is not ir.Presence.REQUIRED:
        parts.append(f"gives={source.of(reading.missing(field))}")
    return f"Field({', '.join(parts)})"


def _records(tool: ir.Tool, program: ir.Program, reading: _Reading, source: _Source) -> Iterator[RecordText]:
    """The Records that the tool's schemas hold, at the root or under ``$defs``, each once for each name it has there.

    A name may mean one Record in one schema and another in the next: then each says in which schemas it is meant.
    """
    held: dict[tuple[str, ir.TypeKey], list[str]] = {}
    for document, types in _documents(tool):
        for key, name in def_names(reached_records(types, program)).items():
            held.setdefault((name, key), []).append(document)
    meanings = Counter(name for name, _ in held)
    for (name, key), documents in held.items():
        record = program.records[key]
        said = source.of(documents) if meanings[name] > 1 else None
        lines = tuple(_field(f, reading, source) for f in record.fields)
        yield RecordText(text_literal(name), _class_of(key), record.closed, said, lines)


def _documents(tool: ir.Tool) -> Iterator[tuple[str, list[ir.Type]]]:
    """The codecs of the tool's module by name, with the types that the schema of each is written of."""
    for name, roles in (("MODEL", MODEL_ROLES), ("EXECUTION", EXECUTION_ROLES)):
        yield name, [f.type for f in tool.fields if f.role in roles]
    if tool.result is not None:
        yield "RESULT", [tool.result]
    if tool.submit is not None:
        yield "RESPONSE", [ir.RecordRef(tool.submit.response)]


def _class_of(key: ir.TypeKey) -> str:
    """The class by its package too: two packages may have one of the same name each."""
    return text_literal(f"{key.package}.{key.name}")


class _Reading:
    """Reads valid JSON as the design says, into the plain form of ``toolgen.testing.contract.plain``."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program

    def record(self, record: ir.Record, given: Any) -> dict[str, Any]:
        """An object, by Python name, with what is missing filled in."""
        return {
            f.name: self.value(f.type, given[f.wire]) if f.wire in given else self.missing(f) for f in record.fields
        }

    def missing(self, field: ir.Field) -> Any:
        """What a field is that was not given."""
        if field.presence is ir.Presence.DEFAULT:
            return self.value(field.type, field.default)
        return UNSET if field.keep_null else None

    def value(self, type_: ir.Type, given: Any) -> Any:
        """A value of a type."""
        match type_:
            case ir.Scalar(kind, _):
                return _scalar(kind, given)
            case ir.Anything():
                return given
            case ir.Choice(values):
                return next(value for value in values if _alike(value, given))
            case ir.EnumRef(key):
                members = self._program.enums[key].members
                return f"{key.name}.{next(name for name, value in members if _alike(value, given))}"
            case ir.Array(items, _):
                return [self.value(items, item) for item in given]
            case ir.Map(values, _):
                return {name: self.value(values, item) for name, item in given.items()}
            case ir.RecordRef(key):
                return self.record(self._program.records[key], given)
            case ir.Nullable(of):
                return None if given is None else self.value(of, given)
            case ir.Union():
                return self.value(self.arm(type_, given), given)

    def arm(self, union: ir.Union, given: Any) -> ir.Type:
        """The arm that a value is of: by its tag, or by its JSON type."""
        return next(arm for arm in union.arms if self._is_of(arm, given, union.tag))

    def _is_of(self, arm: ir.Type, given: Any, tag: str | None) -> bool:
        kind = json_type(given)
        match arm:
            case ir.RecordRef(key):
                if kind != "object" or tag is None:
                    return kind == "object"
                named = next(f for f in self._program.records[key].fields if f.wire == tag)
                return isinstance(named.type, ir.Choice) and given.get(tag) in named.type.values
            case ir.Scalar(scalar, _):
                numbers = {Kind.INT: ("integer",), Kind.FLOAT: ("integer", "number"), Kind.BOOL: ("boolean",)}
                return kind in numbers.get(scalar, ("string",))
            case ir.Choice(values):
                return any(_alike(value, given) for value in values)
            case ir.EnumRef(key):
                return any(_alike(value, given) for _, value in self._program.enums[key].members)
            case ir.Array():
                return kind == "array"
            case ir.Map():
                return kind == "object"
        return True

    def locate(self, root: ir.Record | ir.Type, given: Any, at: str) -> tuple[str, ir.Field | ir.Type | None]:
        """Where the JSON Pointer ``at`` leads by Python names, and what stands there; None for an unknown key."""
        place: ir.Record | ir.Field | ir.Type | None = root
        into = ""
        for key in steps(at):
            place = self._object_of(place, given)
            if isinstance(place, ir.Record):
                place = next((field for field in place.fields if field.wire == key), None)
                key_into = place.name if place is not None else key
            elif isinstance(place, ir.Map | ir.Array):
                place, key_into = (place.values if isinstance(place, ir.Map) else place.items), key
            else:
                return at, None
            into = below(into, key_into)
            given = given[int(key)] if isinstance(given, list) else given.get(key)
        return into, None if isinstance(place, ir.Record) else place

    def _object_of(self, place: ir.Record | ir.Field | ir.Type | None, given: Any) -> ir.Record | ir.Type | None:
        """The Record, map or list that a place is, with what is around it taken off."""
        if isinstance(place, ir.Field):
            place = place.type
        while isinstance(place, ir.Nullable | ir.Union):
            place = place.of if isinstance(place, ir.Nullable) else self.arm(place, given)
        return self._program.records[place.key] if isinstance(place, ir.RecordRef) else place


def _alike(member: Any, given: Any) -> bool:
    """Whether a value is this member in JSON's eyes: 1.0 is 1, true is not."""
    return bool(member == given) and isinstance(member, bool) == isinstance(given, bool)


def _scalar(kind: Kind, given: Any) -> Any:
    match kind:
        case Kind.INT:
            return int(given)
        case Kind.FLOAT:
            return float(given)
        case Kind.BYTES:
            return base64.b64decode(given)
        case Kind.DATE | Kind.TIME | Kind.DATETIME | Kind.TIMEDELTA:
            return temporal(kind, given)
        case Kind.UUID:
            return uuid.UUID(given)
        case Kind.DECIMAL:
            return formats.decimal_from_text(given)
    return given


class _Source:
    """Prints values as Python source, and keeps account of what the source needs imported."""

    def __init__(self) -> None:
        self._imports: set[str] = set()
        self.signs: set[str] = set()

    def imports(self) -> tuple[str, ...]:
        """The modules that the source printed so far needs."""
        return tuple(sorted(self._imports))

    def of(self, value: Any) -> str:
        """An expression that builds the value."""
        match value:
            case str():
                return _repeated(value, text_literal)
            case float():
                return float_literal(value)
            case bytes():
                return _repeated(value, bytes_literal)
            case list():
                if len(value) > 3 and all(repr(item) == repr(value[0]) for item in value):
                    return f"[{self.of(value[0])}] * {len(value)}"
                return f"[{', '.join(map(self.of, value))}]"
            case dict():
                return "{" + ", ".join(f"{text_literal(k)}: {self.of(v)}" for k, v in value.items()) + "}"
            case datetime.date() | datetime.time() | datetime.timedelta():
                self._imports.add("datetime")
                return repr(value)
            case uuid.UUID():
                self._imports.add("uuid")
                return f'uuid.UUID("{value}")'
            case decimal.Decimal():
                self._imports.add("decimal")
                return f'decimal.Decimal("{value}")'
        if value is MISSING or value is UNSET:
            self.signs.add(repr(value))
        return repr(value)


def _repeated(value: Any, literal: Any) -> str:
    """A long text that repeats a few characters, as their product: ``"x" * 200``."""
    for width in (1, 4):
        times, rest = divmod(len(value), width)
        if times > 8 and value[:width] * times == value[: width * times]:
            tail = f" + {literal(value[width * times :])}" if rest else ""
            return f"{literal(value[:width])} * {times}{tail}"
    return str(literal(value))
