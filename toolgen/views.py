"""Shapes → views: the strings that a template prints, already decided and spelled.

A view has one field for each hole in its template, so that templates hold layout alone.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from toolgen import ir, shapes
from toolgen.ir import Json, Presence
from toolgen.jsonlayout import readable_json
from toolgen.literals import block_literal, docstring, json_literal, text_literal, tuple_literal
from toolgen.names import OF_EVERY_CLASS, snake_case
from toolgen.plain import Plain
from toolgen.scope import HERE, free_name
from toolgen.shapes import Missing, Shape, missing
from toolgen.spell import Speller
from toolgen.wiretypes import arm_of, json_types

RUNTIME = "toolgen.runtime"

# Names that generated functions use for what they are given, and that no local may take.
_PARAMETERS = ("args", "body", "context", "item", "key", "payload", "saved", "value")


class Line(Plain, frozen=True):
    """One field of a class: its declaration, and the docstring below it."""

    declaration: str
    doc: str | None = None


class FunctionView(Plain, frozen=True):
    """A function of one expression."""

    name: str
    parameters: str
    returns: str
    doc: str
    result: str


class ClassView(Plain, frozen=True):
    """A class: what stands above it, its header, and its fields. ``factories`` make the defaults of some."""

    decorator: str | None
    header: str
    doc: str
    lines: tuple[Line, ...]
    factories: tuple[FunctionView, ...] = ()


class Pair(Plain, frozen=True):
    """A name and what it is given: an assignment, an argument, a member."""

    name: str
    value: str


class Choice(Plain, frozen=True):
    """An attribute that takes what was given, or what missing means."""

    given: str
    unset: str
    target: str
    absent: str
    present: str


class BuildView(Plain, frozen=True):
    """A transform that makes an object and sets its attributes, those that are always given first."""

    name: str
    parameters: str
    returns: str
    doc: str
    value: str
    made: str
    assigned: tuple[Pair, ...]
    chosen: tuple[Choice, ...]


class Branch(Plain, frozen=True):
    """One arm of a dispatch."""

    test: str
    result: str


class DispatchView(Plain, frozen=True):
    """A function that picks an arm by the class of its argument."""

    name: str
    parameters: str
    returns: str
    doc: str
    branches: tuple[Branch, ...]
    otherwise: str


class CodecView(Plain, frozen=True):
    """The declaration of a codec, and the call that makes it."""

    declaration: str
    opening: str
    tool: str
    arguments: tuple[Pair, ...]
    closing: str


class Fill(Plain, frozen=True):
    """A parameter whose default is built afresh for each call."""

    name: str
    unset: str
    absent: str


class CompletionView(Plain, frozen=True):
    """``complete`` and ``restore``: the two ways to a Payload."""

    parameters: str
    returns: str
    doc: str
    fills: tuple[Fill, ...]
    lines: tuple[str, ...]
    restore_parameters: str
    restore_doc: str
    restore_fills: tuple[Fill, ...]
    restore_result: str


_COMPLETE = "Adds to what the model asked for what it may not write; each value is checked."
_COMPLETE_ALONE = "Gives what the model asked for: the tool runs on nothing else."


class ShapePrinter:
    """Makes views of shapes for one module."""

    def __init__(self, speller: Speller, width: int) -> None:
        self.speller = speller
        self.scope = speller.scope
        self.width = width

    def doc(self, text: str, indent: int = 4) -> str:
        return docstring(text, indent, self.width)

    # Classes

    def dataclass(self, shape: Shape) -> ClassView:
        """The dataclass of a shape, required fields first."""
        hidden = {f.name for f in shape.fields}
        factories = {f.name: self._factory(shape, f) for f in shape.fields if self._needs_factory(f)}
        return ClassView(
            decorator=f"{self.scope.use('dataclasses', 'dataclass')}(slots=True)",
            header=shape.name,
            doc=self.doc(shape.description),
            lines=tuple(self._dataclass_line(f, hidden, factories.get(f.name)) for f in shape.positional),
            factories=tuple(factories.values()),
        )

    def _dataclass_line(self, field: ir.Field, hidden: Collection[str], factory: FunctionView | None) -> Line:
        declaration = f"{field.name}: {self.speller.field_type(field, hidden)}"
        if _is_mutable(field):
            made = self._maker(field, hidden) if factory is None else factory.name
            absent: str | None = f"{self.scope.use('dataclasses', 'field', hidden)}(default_factory={made})"
        else:
            absent = self._absent(field, hidden)
        if absent is None and field.name in OF_EVERY_CLASS:
            absent = f"{self.scope.use('dataclasses', 'field', hidden)}()"
        return Line(declaration if absent is None else f"{declaration} = {absent}", self.doc(field.description))

    def _maker(self, field: ir.Field, hidden: Collection[str]) -> str:
        """The expression of what makes a default afresh, where it needs no function of its own."""
        absent = self._absent(field, hidden)
        made = {"[]": "list", "{}": "dict"}.get(absent or "")
        return self.speller.builtin(made, hidden) if made else f"lambda: {absent}"

    def _needs_factory(self, field: ir.Field) -> bool:
        """Whether a type checker must be told what the default is.

        It takes the types inside ``[...]`` and ``{...}`` from what they are given to, but not through a lambda and a
        union, and lists and dicts are invariant: ``[1]`` would be no ``list[int | None]``.
        """
        if not (_is_mutable(field) and field.default and isinstance(field.type, ir.Nullable | ir.Union)):
            return False
        arm = field.type.of if isinstance(field.type, ir.Nullable) else field.type
        if isinstance(arm, ir.Union):
            arm = arm_of(arm, field.default, self.speller.program)
        return isinstance(arm, ir.Array | ir.Map)

    def _factory(self, shape: Shape, field: ir.Field) -> FunctionView:
        """The function that makes the default of a field, typed as the field is."""
        # A leading underscore keeps it from what the class body hides; two would mean something else there.
        owner = snake_case(shape.name).strip("_")
        return FunctionView(
            name=self.scope.define(f"_{owner}_{field.name}_default"),
            parameters="",
            returns=self.speller.field_type(field),
            doc=self.doc(f"What ``{field.name}`` is where it was left out."),
            result=self._absent(field, ()) or "",
        )

    def _absent(self, field: ir.Field, hidden: Collection[str]) -> str | None:
        """The expression of what a dataclass field holds when the input left it out."""
        match missing(field):
            case Missing.IMPOSSIBLE:
                return None
            case Missing.NONE:
                return "None"
            case Missing.UNSET:
                return self._unset(hidden)
            case Missing.DEFAULT:
                return self.speller.value(field.type, field.default, hidden)

    def body(self, shape: Shape) -> ClassView:
        """The Struct that the shape's JSON is decoded into."""
        complete = all(f.presence is Presence.REQUIRED for f in shape.in_json)
        left_out = "." if complete else ": what was left out is UNSET."
        doc = f"``{shape.name}`` as it was given{left_out}"
        return self._struct(shape.body, shape.in_json, shape.closed, (), doc)

    def arm(self, arm: shapes.Arm) -> ClassView:
        """The Struct of a Record under one value of its tag, which msgspec picks by that value."""
        fields = tuple(f for f in arm.record.fields if f.name != arm.tag.field)
        tag = (f"tag_field={text_literal(arm.tag.wire)}", f"tag={json_literal(arm.tag.value)}")
        doc = f"``{arm.record.key.name}`` whose {arm.tag.field} is {json.dumps(arm.tag.value, ensure_ascii=False)}."
        return self._struct(arm.body, fields, arm.record.closed, tag, doc)

    def _struct(
        self, name: str, fields: Collection[ir.Field], closed: bool, tag: tuple[str, ...], doc: str
    ) -> ClassView:
        renamed = [f"{text_literal(f.name)}: {text_literal(f.wire)}" for f in fields if f.wire != f.name]
        options = [
            self.scope.use("msgspec", "Struct"),
            "kw_only=True",
            "gc=False",
            *(["forbid_unknown_fields=True"] if closed else []),
            *tag,
            *([f"rename={{{', '.join(renamed)}}}"] if renamed else []),
        ]
        hidden = {f.name for f in fields}
        lines = tuple(Line(self._body_line(f, hidden)) for f in fields)
        return ClassView(None, f"{name}({', '.join(options)})", self.doc(doc), lines)

    def _body_line(self, field: ir.Field, hidden: Collection[str]) -> str:
        declaration = f"{field.name}: {self.speller.body_field_type(field, hidden)}"
        if field.presence is Presence.REQUIRED:
            return declaration
        return f"{declaration} = {self._unset(hidden)}"

    # Transforms

    def from_body(self, shape: Shape) -> BuildView:
        """The transform from a body to the dataclass, which fills in what was left out."""
        return self._from_body(shape, HERE, shape.from_body, shape.body)

    def arm_from_body(self, arm: shapes.Arm) -> BuildView:
        """The same for one arm of a tagged union, whose tag is known and whose class may be another package's."""
        home = self.speller.home(arm.record.key.package)
        return self._from_body(shapes.record_shape(arm.record), home, arm.from_body, arm.body, arm.tag)

    def _from_body(self, shape: Shape, home: str, name: str, body: str, tag: shapes.Tag | None = None) -> BuildView:
        """Attributes are set one by one, which takes half the time of calling the class, which stands in ``home``."""
        context = {f.name for f in shape.context}
        hidden = {*_PARAMETERS, *context}
        source, value = free_name("body", context), free_name("value", context)
        assigned: list[Pair] = []
        chosen: list[Choice] = []
        for field in shape.fields:
            given, target = f"{source}.{field.name}", f"{value}.{field.name}"
            if field.name in context:
                assigned.append(Pair(target, field.name))
            elif tag is not None and field.name == tag.field:
                assigned.append(Pair(target, json_literal(tag.value)))
            elif missing(field) is Missing.IMPOSSIBLE or self._passes(field):
                assigned.append(Pair(target, self.speller.from_body(field.type, given, hidden)))
            else:
                chosen.append(self._choice(field, given, target, hidden))
        own = self.scope.use(home, shape.name, hidden)
        typed = [f"{f.name}: {self.speller.field_type(f, hidden)}" for f in shape.context]
        keywords = f", *, {', '.join(typed)}" if typed else ""
        return BuildView(
            name=name,
            parameters=f"{source}: {self.scope.use(HERE, body, hidden)}, /{keywords}",
            returns=own,
            doc=self.doc(
                f"Fills in what ``{shape.name}`` may leave out." if chosen else f"``{shape.name}`` from its JSON."
            ),
            value=value,
            made=f"{self.scope.use(f'{RUNTIME}.build', 'new', hidden)}({own})",
            assigned=tuple(assigned),
            chosen=tuple(chosen),
        )

    def _passes(self, field: ir.Field) -> bool:
        """Whether the body's value, UNSET included, is the dataclass's."""
        type_ = field.type
        touched = shapes.converts(type_, self.speller.program) or shapes.guarded(type_)
        return missing(field) is Missing.UNSET and not touched

    def _choice(self, field: ir.Field, given: str, target: str, hidden: Collection[str]) -> Choice:
        absent = self._absent(field, hidden)
        assert absent is not None
        unset = self._unset(hidden)
        return Choice(given, unset, target, absent, self.speller.from_body(field.type, given, hidden))

    def _keywords(self, fields: Iterable[ir.Field], hidden: Collection[str]) -> str:
        """Keyword-only parameters for injected and restored fields, typed and with their defaults."""
        spelled = []
        for field in sorted(fields, key=lambda f: missing(f) is not Missing.IMPOSSIBLE):
            parameter = f"{field.name}: {self.speller.field_type(field, hidden)}"
            absent = self._absent(field, hidden)
            if absent is not None and _is_mutable(field):
                parameter += f" | {self.scope.use('msgspec', 'UnsetType', hidden)}"
                absent = self._unset(hidden)
            spelled.append(parameter if absent is None else f"{parameter} = {absent}")
        return f", *, {', '.join(spelled)}" if spelled else ""

    def to_body(self, shape: Shape) -> FunctionView:
        """The transform from the dataclass to the body, for encoding."""
        return self._to_body(shape, HERE, shape.to_body, shape.body, shape.in_json)

    def arm_to_body(self, arm: shapes.Arm) -> FunctionView:
        """The same for one arm of a tagged union: the tag is the Struct's own."""
        shape = shapes.record_shape(arm.record)
        fields = [f for f in shape.fields if f.name != arm.tag.field]
        return self._to_body(shape, self.speller.home(arm.record.key.package), arm.to_body, arm.body, fields)

    def _to_body(self, shape: Shape, home: str, name: str, body: str, fields: Iterable[ir.Field]) -> FunctionView:
        hidden = set(_PARAMETERS)
        arguments = [f"{f.name}={self._written(f, f'value.{f.name}', hidden)}" for f in fields]
        own = self.scope.use(HERE, body, hidden)
        return FunctionView(
            name=name,
            parameters=f"value: {self.scope.use(home, shape.name, hidden)}, /",
            returns=own,
            doc=self.doc(f"``{shape.name}`` as it is written in JSON."),
            result=f"{own}({', '.join(arguments)})",
        )

    def _written(self, field: ir.Field, value: str, hidden: Collection[str]) -> str:
        """None of an optional field means left out where null does not decode to it; UNSET always does."""
        spelled = self.speller.to_body(field.type, value, hidden)
        match missing(field):
            case Missing.NONE if not self.speller.takes_null(field.type) or self._null_is_a_member(field.type):
                return f"{self._unset(hidden)} if {value} is None else {spelled}"
            case Missing.UNSET if spelled != value:
                return f"{self._unset(hidden)} if {value} is {self._unset(hidden)} else {spelled}"
        return spelled

    def _null_is_a_member(self, type_: ir.Type) -> bool:
        """Whether null stands for a member of an enumeration, so that None itself is no value of the type."""
        match type_:
            case ir.EnumRef(key):
                return any(value is None for _, value in self.speller.program.enums[key].members)
            case ir.Union(arms):
                return any(map(self._null_is_a_member, arms))
        return False

    # The two ways to a Payload

    def completion(self, shape: shapes.ToolShape) -> CompletionView:
        """``complete`` takes what the model did not write as typed keywords; ``restore`` what JSON does not hold."""
        supplied = [f for f in shape.payload.fields if f.role is not ir.Role.MODEL]
        injected = list(shape.payload.context)
        taken = {f.name for f in supplied}
        args, saved = free_name("args", taken), free_name("saved", taken)
        hidden = {args, saved, *taken}
        mapping = self.scope.use("collections.abc", "Mapping", hidden)
        text = f"{self.speller.builtin('bytes', hidden)} | {self.speller.builtin('str', hidden)}"
        saved_type = (
            f"{text} | {mapping}[{self.speller.builtin('str', hidden)}, {self.speller.builtin('object', hidden)}]"
        )
        context = ", ".join(f"{text_literal(f.name)}: {f.name}" for f in injected)
        tail = f", {{{context}}}" if injected else ""
        return CompletionView(
            parameters=f"{args}: {self.scope.use(HERE, shape.args.name, hidden)}, /{self._keywords(supplied, hidden)}",
            returns=self.scope.use(HERE, shape.payload.name, hidden),
            doc=self.doc(_COMPLETE_ALONE if shape.one_class else _COMPLETE),
            fills=self._fills(supplied, hidden),
            lines=tuple(self._completion_lines(shape, args, hidden)),
            restore_parameters=f"{saved}: {saved_type}, /{self._keywords(injected, hidden)}",
            restore_doc=self.doc("Reads saved execution JSON back, and adds what JSON never holds."),
            restore_fills=self._fills(injected, hidden),
            restore_result=f"{self.scope.use(HERE, 'EXECUTION', hidden)}.decode({saved}{tail})",
        )

    def _fills(self, fields: Iterable[ir.Field], hidden: Collection[str]) -> tuple[Fill, ...]:
        return tuple(Fill(f.name, self._unset(hidden), self._absent(f, hidden) or "") for f in fields if _is_mutable(f))

    def _unset(self, hidden: Collection[str]) -> str:
        return self.scope.use("msgspec", "UNSET", hidden)

    def _completion_lines(self, shape: shapes.ToolShape, args: str, hidden: Collection[str]) -> Iterable[str]:
        if shape.one_class:
            yield f"return {args}"
            return
        if shape.context is not None:
            given = ", ".join(f"{f.name}={f.name}" for f in shape.context.fields)
            context = self.scope.use(HERE, "CONTEXT", hidden)
            yield f"{context}.check({self.scope.use(HERE, shape.context.name, hidden)}({given}))"
        role = {f.name: f.role for f in shape.payload.fields}
        values = {f.name: f"{args}.{f.name}" if role[f.name] is ir.Role.MODEL else f.name for f in shape.payload.fields}
        given = ", ".join(f"{name}={value}" for name, value in values.items())
        payload = f"{self.scope.use(HERE, shape.payload.name, hidden)}({given})"
        restored = ir.Role.RESTORED in role.values()
        yield (
            f"return {self.scope.use(HERE, 'EXECUTION', hidden)}.check({payload})" if restored else f"return {payload}"
        )

    # Unions

    def union_alias(self, union: shapes.UnionShape) -> Pair:
        """The alias of the union of bodies."""
        arms = [self.scope.use(HERE, arm.body) for arm in union.arms]
        tagged = {arm.record.key for arm in union.arms}
        rest = [a for a in union.type.arms if not (isinstance(a, ir.RecordRef) and a.key in tagged)]
        return Pair(union.body, " | ".join([*arms, *(self.speller.body_type(arm) for arm in rest)]))

    def union_from_body(self, union: shapes.UnionShape) -> DispatchView:
        """Picks the transform by the class of the body."""
        hidden = set(_PARAMETERS)
        branches = [self._arm_branch(arm, hidden) for arm in union.arms]
        tagged = {arm.record.key for arm in union.arms}
        rest = [arm for arm in union.type.arms if not (isinstance(arm, ir.RecordRef) and arm.key in tagged)]
        kinds = {id(arm): json_types(arm, self.speller.program) for arm in rest}
        numbers = any("number" in found for found in kinds.values())
        plain = False
        # A boolean passes Python's test of an integer, so its own test comes first.
        for arm in sorted(rest, key=lambda arm: "boolean" not in kinds[id(arm)]):
            result = self.speller.from_body(arm, "body", hidden)
            if result == "body" and not (numbers and "boolean" in kinds[id(arm)]):
                plain = True
            else:
                branches.append(Branch(self.speller.body_test(arm, "body", hidden), result))
        body = self.scope.use(HERE, union.body, hidden)
        returns = self.speller.value_type(union.type, hidden)
        doc = self.doc(f"Reads one of {self._arms_in_words(union)}.")
        return _dispatch(union.from_body, f"body: {body}, /", returns, doc, branches, "body" if plain else None)

    def _arm_branch(self, arm: shapes.Arm, hidden: Collection[str]) -> Branch:
        test = f"{self.speller.builtin('isinstance', hidden)}(body, {self.scope.use(HERE, arm.body, hidden)})"
        return Branch(test, f"{self.scope.use(HERE, arm.from_body, hidden)}(body)")

    def union_to_body(self, union: shapes.UnionShape) -> DispatchView:
        """Picks the transform by the class of the value, and a tagged Record's by its tag."""
        hidden = set(_PARAMETERS)
        returns = self.scope.use(HERE, union.body, hidden)
        branches: list[Branch] = []
        plain = False
        for arm in union.type.arms:
            tests = [a for a in union.arms if isinstance(arm, ir.RecordRef) and a.record.key == arm.key]
            test = self.speller.value_test(arm, "value", hidden)
            if tests:
                for tagged in tests[:-1]:
                    tag = f"{test} and value.{tagged.tag.field} == {json_literal(tagged.tag.value)}"
                    branches.append(Branch(tag, f"{self.scope.use(HERE, tagged.to_body, hidden)}(value)"))
                branches.append(Branch(test, f"{self.scope.use(HERE, tests[-1].to_body, hidden)}(value)"))
                continue
            result = self.speller.to_body(arm, "value", hidden)
            if result == "value":
                plain = True
                continue
            if isinstance(arm, ir.EnumRef):  # the value of a member of mixed types is Any to a type checker
                result = f"{self.scope.use('typing', 'cast', hidden)}({returns}, {result})"
            branches.append(Branch(test, result))
        parameters = f"value: {self.speller.value_type(union.type, hidden)}, /"
        doc = self.doc(f"Writes one of {self._arms_in_words(union)}.")
        return _dispatch(union.to_body, parameters, returns, doc, branches, "value" if plain else None)

    def _arms_in_words(self, union: shapes.UnionShape) -> str:
        return ", ".join(f"``{self.speller.value_type(arm)}``" for arm in union.type.arms)


def _dispatch(
    name: str, parameters: str, returns: str, doc: str, branches: list[Branch], otherwise: str | None
) -> DispatchView:
    """Without a plain arm the last branch needs no test: nothing else is left."""
    if otherwise is None:
        otherwise = branches.pop().result
    return DispatchView(name, parameters, returns, doc, tuple(branches), otherwise)


def _is_mutable(field: ir.Field) -> bool:
    """Whether a default must be built afresh for each value."""
    return missing(field) is Missing.DEFAULT and isinstance(field.default, (list, dict))


def schema_literal(schema: Json, width: int) -> str:
    """A schema as a literal of readable JSON text."""
    return block_literal(readable_json(schema, width))


def names_literal(names: Iterable[str]) -> str:
    """Names as a tuple of strings."""
    spelled = [text_literal(name) for name in names]
    return tuple_literal(spelled) if spelled else "()"
