"""The tools that submit a response: what stands in their input, by their options."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from toolgen import dsl, ir
from toolgen.design import classes, texts
from toolgen.design.catalog import Catalog
from toolgen.design.fields import Draft, FieldReader
from toolgen.design.problems import Place, Problems, Report
from toolgen.names import PROPERTY_NAME, folded, is_keyword
from toolgen.runtime.told import REASONING, REASONING_DESCRIPTION

NAME = "submit_result"
DESCRIPTION = "Submit the result, which ends the run."

_PAYLOAD = "result"
_SUCCESS = "Result accepted."

_MODEL = frozenset({ir.Role.MODEL})


@dataclass(slots=True)
class Submitted:
    """What a submit has of its own: the fields of its input, and whether that is closed."""

    submit: ir.Submit
    fields: list[Draft]
    closed: bool


def options_of(mark: dsl.ToolMark) -> dsl.Submit:
    """All that a design says of a submit: where it is declared, and then on the Record."""
    assert mark.submit is not None
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
            found = "no Response" if record is None else f"Response = {texts.shown(record)}, which is no Record"
            report(f"the submit declares {found}", "Write Response = SomeRecord.")
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
        about = said.payload_description or (texts.cleaned(doc) if isinstance(doc, str) else "") or "The response."
        submit = ir.Submit(key, success, reasoning, payload, about)
        name = payload if payload.isidentifier() and payload[0] != "_" and not is_keyword(payload) else "payload"
        held = ir.Field(name, payload, ir.RecordRef(key), about, location=place.location)
        return Submitted(submit, [*_reasoning(submit, [], place), Draft(held, place)], closed=True)

    def _flat(self, said: dsl.Submit, record: type[dsl.Record], submit: ir.Submit, place: Place) -> Submitted:
        report = self._problems.at(place)
        for option in ("payload", "payload_description"):
            if getattr(said, option) is not None:
                rule = f"{option} is given with flat=True, which makes no parameter of that kind"
                report(rule, f"Leave {option} or flat out.")
        drafts = self._fields.read(record, self._catalog.place(record), _MODEL, "a Record")
        if submit.reasoning and any(folded(draft.field.wire) == REASONING for draft in drafts):
            rule = f"the property {REASONING} of {record.__name__} meets the parameter {REASONING} of the submit"
            report(rule, "Give reasoning=False, or name the property otherwise.")
        said_closed = _marks(record)
        closed = not said_closed or said_closed[0].closed is not False
        told = [replace(draft, field=_without_null(draft.field)) for draft in drafts]
        return Submitted(submit, [*_reasoning(submit, drafts, place), *told], closed)


def _without_null(field: ir.Field) -> ir.Field:
    """The field as a parameter of its own: a required one is never null there, so the model is not told that it may."""
    if field.presence is ir.Presence.REQUIRED and isinstance(field.type, ir.Nullable):
        return replace(field, type=field.type.of)
    return field


def _marks(record: type) -> list[dsl.RecordMark]:
    """The marks of a Record and its bases that say whether they are closed, the nearest first."""
    marks = [base.__dict__.get("__toolgen_record__") for base in record.__mro__]
    return [mark for mark in marks if isinstance(mark, dsl.RecordMark) and isinstance(mark.closed, bool)]


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
