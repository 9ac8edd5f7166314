"""The tools that submit a response: what stands in their input, by their options."""

from __future__ import annotations

from dataclasses import fields

from msgspec import Struct
from msgspec.structs import replace

from toolgen import dsl, ir
from toolgen.design import classes, hints, rules, texts
from toolgen.design.catalog import Catalog
from toolgen.design.fields import Draft, FieldReader, judge_property_names
from toolgen.design.marks import is_closed, rule_of
from toolgen.design.problems import Place, Problems, Report
from toolgen.names import PROPERTY_NAME, folded, is_keyword
from toolgen.runtime.told import REASONING, REASONING_DESCRIPTION, never_null

NAME = "submit_result"
DESCRIPTION = "Submit the result, which ends the run."

_PAYLOAD = "result"
_SUCCESS = "Result accepted."

_MODEL = frozenset({ir.Role.MODEL})


class Submitted(Struct):
    """What a submit has of its own: the fields of its input, whether that is closed, and the rule it holds to."""

    submit: ir.Submit
    fields: list[Draft]
    closed: bool = True
    also: rules.Rule | None = None


def options_of(mark: dsl.ToolMark) -> dsl.Submit:
    """All that a design says of a submit: where it is declared, and then on the Record, unless that is all."""
    assert mark.submit is not None
    if mark.whole:
        return mark.submit
    record = response_of(mark)
    said = dsl.submit_of(record) if isinstance(record, type) and issubclass(record, dsl.Record) else None
    return mark.submit if said is None else mark.submit.over(said)


def response_of(mark: dsl.ToolMark) -> object:
    """What a submit declares as its response: the Record that is decorated, or ``Response`` of the class that is."""
    declared = mark.declared
    if isinstance(declared, type) and issubclass(declared, dsl.Record):
        return declared
    return classes.attribute(declared, "Response") if isinstance(declared, type) else None


class SubmitReader:
    """Reads the options and the Response of submits."""

    def __init__(self, catalog: Catalog, fields: FieldReader, problems: Problems) -> None:
        self._catalog = catalog
        self._fields = fields
        self._problems = problems

    def read(self, mark: dsl.ToolMark, place: Place) -> Submitted | None:
        """What the submit has; None where it has no Response."""
        report = self._problems.at(place)
        record = response_of(mark)
        if not (isinstance(record, type) and issubclass(record, dsl.Record)):
            _tell_no_record(mark.declared, record, report)
            return None
        key = self._catalog.record(record, report)
        if key is None:
            return None
        said = _checked(options_of(mark), report)
        reasoning = said.reasoning is not False
        success = _SUCCESS if said.success is None else said.success
        if said.flat:
            return self._flat(said, record, ir.Submit(key, success, reasoning), place)
        payload = _PAYLOAD if said.payload is None else said.payload
        _judge_payload(payload, reasoning, report)
        doc = record.__dict__.get("__doc__")
        about = (
            said.payload_description
            or (texts.cleaned_docstring(doc) if isinstance(doc, str) else "")
            or "The response."
        )
        submit = ir.Submit(key, success, reasoning, payload, about)
        name = payload if payload.isidentifier() and payload[0] != "_" and not is_keyword(payload) else "payload"
        held = ir.Field(name, payload, ir.RecordRef(key), about, location=place.location)
        return Submitted(submit, [*_reasoning(submit, [], place), Draft(held, place)])

    def _flat(self, said: dsl.Submit, record: type[dsl.Record], submit: ir.Submit, place: Place) -> Submitted:
        report = self._problems.at(place)
        for option in ("payload", "payload_description"):
            if getattr(said, option) is not None:
                rule = f"{option} is given with flat=True, which makes no parameter of that kind"
                report(rule, f"Leave {option} or flat out.")
        drafts = self._fields.read(record, self._catalog.place(record), _MODEL, "a Record")
        judge_property_names(drafts, place, self._problems)
        if submit.reasoning and any(folded(draft.field.wire) == REASONING for draft in drafts):
            rule = f"the property {REASONING} of {record.__name__} meets the parameter {REASONING} of the submit"
            report(rule, "Give reasoning=False, or name the property otherwise.")
        also = rules.read_object(rule_of(record), self._problems.at(self._catalog.place(record)))
        told = [self._parameter(draft) for draft in drafts]
        return Submitted(submit, [*_reasoning(submit, drafts, place), *told], is_closed(record), also)

    def _parameter(self, draft: Draft) -> Draft:
        """A property as a parameter: a required one is never null there, so the model is not told that it may be."""
        if draft.field.presence is not ir.Presence.REQUIRED:
            return draft
        type_ = self._without_null(draft.field.type)
        if type_ == ir.Choice(()):
            rule = "the property can be nothing but null, which no parameter of a flat submit is"
            self._problems.add(draft.place, rule, "Give it another value, or leave flat out.")
        also = never_null(draft.field.also) if type_ == ir.Anything() else draft.field.also
        example = dsl.MISSING if draft.example is None else draft.example
        return replace(draft, field=draft.field.replace(type=type_, also=also), example=example)

    def _without_null(self, type_: ir.Type) -> ir.Type:
        match type_:
            case ir.Nullable(of):
                return of
            case ir.Choice(values):
                return ir.Choice(tuple(value for value in values if value is not None))
            case ir.EnumRef(key) if self._catalog.has_none(key):
                return ir.EnumRef(key, null=False)
            case ir.Union(arms):
                return type_.replace(arms=tuple(map(self._without_null, arms)))
        return type_


def _tell_no_record(declared: object, found: object, report: Report) -> None:
    if isinstance(found, type):
        rule = f"the submit declares the class {classes.name_of(found)} as its Response, which is no Record"
        report(rule, "Declare it at module level as class SomeRecord(Record), and write Response = SomeRecord.")
    elif found is not None:
        rule = f"the submit declares Response = {texts.shown(found)}, which is no Record"
        report(rule, "Write Response = SomeRecord, with a field that holds it.")
    elif isinstance(declared, type) and "Response" in hints.written(declared, report):
        report("the submit declares a type of Response and no value", "Write Response = SomeRecord.")
    else:
        report("the submit declares no Response", "Write Response = SomeRecord.")


def _checked(said: dsl.Submit, report: Report) -> dsl.Submit:
    """The options with what is none of its type reported and left out. The name is judged as any tool's."""
    given: dict[str, object] = {}
    for option in fields(said):
        value = getattr(said, option.name)
        if option.name in ("reasoning", "flat"):
            given[option.name] = texts.flag(value, option.name, report)
        elif option.name != "name":
            given[option.name] = texts.optional(value, option.name, report)
    return said.replace(**given)


def _judge_payload(payload: str, reasoning: bool, report: Report) -> None:
    if not PROPERTY_NAME.fullmatch(payload):
        rule = f"the payload's name {payload!r} is one that providers refuse"
        report(rule, "Give payload= 1 to 64 of the characters A-Z a-z 0-9 _ . and -.")
    elif reasoning and payload == REASONING:
        report(f"the payload's name meets the parameter {REASONING}", "Give another payload=, or reasoning=False.")


def _reasoning(submit: ir.Submit, others: list[Draft], place: Place) -> list[Draft]:
    if not submit.reasoning:
        return []
    taken = {draft.field.name for draft in others}
    name = next(name for name in (REASONING, "reasoning_", "reasoning_text") if name not in taken)
    return [
        Draft(ir.Field(name, REASONING, ir.Scalar(ir.Kind.STR), REASONING_DESCRIPTION, location=place.location), place)
    ]
