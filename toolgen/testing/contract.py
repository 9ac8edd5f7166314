"""The contract between what a tool publishes and what its codecs do, held against one generated module.

A generated contract test states, as literals taken from the design, what the tool takes, refuses and gives; a
``Contract`` holds the module to that, and to the laws of the contract with inputs made up by hypothesis:

1. what the schema accepts decodes, and what decodes without a mend the schema accepts;
2. the two ways to a payload (``complete`` of the arguments, and the execution codec) meet;
3. what is encoded is valid and decodes to an equal value;
4. every default, example and alias holds in both codecs alike;
5. bytes, str and mapping forms of an input have one outcome.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import Any

from msgspec import UNSET

from toolgen.runtime.careful import Careful
from toolgen.runtime.issues import ContextError
from toolgen.runtime.pointers import below, steps
from toolgen.testing.cases import Accepts, Case, Field, Given, Mends, Record, Refuses, Submitted, tried, with_case
from toolgen.testing.judging import (
    Decode,
    Judge,
    agrees,
    made_up,
    one_outcome,
    outcome_of,
    plain,
    same,
    taken,
    text,
    without_notes,
)
from toolgen.testing.shape import MISSING
from toolgen.testing.strategies import mutated_inputs, valid_inputs

__all__ = ["MISSING", "UNSET", "Accepts", "Contract", "Field", "Given", "Mends", "Record", "Refuses", "Submitted"]


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What one generated module must do.

    Attributes:
        module: the tool's generated module.
        name: the tool's wire name.
        model: inputs that a model writes; the first is the smallest.
        restored: the restored fields of an execution input, which are added to a model input, smallest first.
        context: the injected fields by Python name, as JSON; the first is the smallest.
        result: results, where the tool declares one; the first is the smallest.
        submit: what the tool submits, where it does; its response is held to all that a model's input is.
        fields: the fields of the input, in design order.
        closed: whether unknown keys are refused.
        records: the object types inside the input, the result and the response.
        page: what the schema of a bounded result says of each key of the page, descriptions left out.
        example: the example that the design gives for the model input.
    """

    module: ModuleType
    name: str
    model: Sequence[Given]
    fields: Sequence[Field]
    closed: bool = True
    restored: Sequence[Given] = (Given({}, {}),)
    context: Sequence[Given] = (Given({}, {}),)
    result: Sequence[Given] = ()
    submit: Submitted | None = None
    records: Sequence[Record] = ()
    example: Any = None
    page: Mapping[str, Any] | None = None

    # Law 1

    def check_declared_inputs(self) -> None:
        """Each codec takes, refuses and gives what the design says, at and beside every bound."""
        for codec, given in self._written():
            mending = Judge(codec.decode_with_notes, codec, mends=True)
            for base, case in tried(given):
                mending.check(base, case)
            strict = Judge(without_notes(codec.strict.decode), codec, schema_too=False)
            for base, case in tried(given):
                strict.check(base, case)
        execution = self.module.EXECUTION
        judge = Judge(self._execution(), execution, schema_too=execution.schema != self.module.MODEL.schema)
        for base, case in self._execution_cases():
            judge.check(base, case)

    def check_declared_results(self) -> None:
        """The result's codec takes, refuses and gives what the design says, and reads back what it writes."""
        codec = self._result_codec
        judge = Judge(without_notes(codec.decode), codec)
        for base, case in tried(self.result):
            judge.check(base, case)
            if not isinstance(case, Refuses | Mends):
                value = codec.decode(text(with_case(base, case)[0]))
                assert codec.decode(codec.encode(value)) == value, f"{case}: does not survive its codec: {value}"

    def check_schema_and_codec_agree(self) -> None:
        """What the schema accepts decodes; what decodes without a mend the schema accepts."""
        exact: list[tuple[Any, Decode]] = [(self.module.EXECUTION.schema, self._execution())]
        exact += [(codec.schema, without_notes(codec.strict.decode)) for codec, _ in self._written()]
        for schema, decode in exact:
            for value in made_up(valid_inputs, schema):
                taken(decode, text(value))
        for schema, decode in (*exact, *((codec.schema, codec.decode_with_notes) for codec, _ in self._written())):
            judge = Careful(schema)
            for value in made_up(mutated_inputs, schema):
                agrees(decode, judge, value)

    # Law 2

    def check_both_ways_to_a_payload_meet(self) -> None:
        """``complete(MODEL.decode(x), r, i)`` and ``EXECUTION.decode(x merged with r, i)`` are one payload."""
        module = self.module
        for model in self.model:
            for restored in self.restored:
                for context in self.context:
                    self._check_payload(model, restored, context)
        restored = self.restored[-1]
        injected = self._injected(self.context[-1].input)
        for value in made_up(valid_inputs, module.MODEL.schema):
            payload = module.EXECUTION.decode(text({**value, **restored.input}), injected)
            completed = module.complete(module.MODEL.decode(text(value)), **self._extra(payload, restored, injected))
            assert completed == payload, f"complete gives {completed}, the execution codec {payload}"
        self._check_restored_are_checked()

    def check_context(self) -> None:
        """Each injected field must be given where it is required, is checked, and comes to its own place."""
        module, full = self.module, self.context[-1]
        judge = Judge(without_notes(module.SPEC.context.codec.decode), module.SPEC.context.codec)
        for base, case in tried(self.context):
            judge.check(base, case)
        by_name = [dataclasses.replace(field, wire=None) for field in self._fields("injected")]
        _check_object(module.SPEC.context.codec.schema, by_name, closed=True)
        whole = self._injected(full.input)
        saved = text({**self.model[-1].input, **self.restored[-1].input})
        args = module.MODEL.decode(text(self.model[-1].input))
        restored = self._extra(module.EXECUTION.decode(saved, whole), self.restored[-1], {})
        for field in self._fields("injected"):
            for context in self._bad_contexts(field, whole):
                _refused(partial(module.EXECUTION.decode, saved, context), field.name)
                # A keyword that is required and missing is Python's own error.
                if field.name in context:
                    _refused(partial(module.restore, saved, **context), field.name)
                    _refused(partial(module.complete, args, **restored, **context), field.name)
        for case in full.cases:
            if isinstance(case, Accepts) and not case.ignored:
                changed, gives = with_case(full, case)
                self._check_payload(self.model[-1], self.restored[-1], Given(changed, gives))

    # Law 3

    def check_round_trips(self) -> None:
        """What is encoded is valid under its schema, has its defaults written out, and decodes to an equal value."""
        for codec, given in self._written():
            for value in (*_taken_as_given(tried(given)), *made_up(valid_inputs, codec.schema)):
                _round_trip(codec, codec.decode(text(value)))
        execution = self.module.EXECUTION
        injected = self._injected(self.context[-1].input)
        for value in (*_taken_as_given(self._execution_cases()), *made_up(valid_inputs, execution.schema)):
            _round_trip(execution, execution.decode(text(value), injected), injected)

    # Law 4

    def check_fields(self) -> None:
        """Names, aliases, requiredness, defaults and examples are the design's, in schemas, dataclasses and bodies."""
        module = self.module
        assert module.SPEC.name == self.name
        for role, names in (("restored", module.SPEC.restored), ("injected", module.SPEC.injected)):
            assert names == tuple(field.name for field in self._fields(role)), f"SPEC has these {role} fields: {names}"
        _check_object(module.MODEL.schema, self._fields("model"), self.closed)
        _check_object(module.EXECUTION.schema, self._fields("model", "restored"), self.closed)
        for document in self._documents():
            schema, records = getattr(module, document).schema, self._records_in(document)
            for name, definition in schema.get("$defs", {}).items():
                _check_object(definition, records[name].fields, records[name].closed)
            _check_notes(schema)
        if self.submit is not None:
            record = self._records_in("RESPONSE")[self.submit.record]
            _check_object(module.RESPONSE.schema, record.fields, record.closed)
        self._check_roles()
        self._check_page()
        self._check_dataclasses()
        self._check_bodies()
        self._check_example()

    # Law 5

    def check_forms_have_one_outcome(self) -> None:
        """Bytes, str and mapping forms of made-up inputs, good and bad, have one outcome."""
        for codec, _ in self._written():
            for value in made_up(mutated_inputs, codec.schema):
                one_outcome(without_notes(codec.decode), value)
                one_outcome(without_notes(codec.strict.decode), value)
        execution = self._execution()
        for value in made_up(mutated_inputs, self.module.EXECUTION.schema):
            one_outcome(execution, value)

    # Projections

    def check_providers(self) -> None:
        """What a model writes under each provider's definition of the tool decodes to the value that was meant."""
        from toolgen.testing.projections import check_projections

        inputs = _taken_as_given(tried(self.model))
        check_projections(self.module.SPEC, [*inputs, *made_up(valid_inputs, self.module.MODEL.schema)])

    # Mends

    def check_mends(self) -> None:
        """A codec of what a model writes mends the whole input where it may, and says so; the strict one never does."""
        for codec, given in self._written():
            smallest, full = given[0], given[-1]
            whole = json.dumps(full.input, ensure_ascii=False)
            spoilt: list[tuple[Any, Any]] = [(json.dumps(whole), full.gives), ("\ufeff" + whole, full.gives)]
            if not smallest.input:
                spoilt += [(nothing, smallest.gives) for nothing in ("", "  ", "null", None)]
            for data, gives in spoilt:
                value, notes = codec.decode_with_notes(data)
                assert notes, f"nothing was noted of the mend of {data!r}"
                assert same(plain(value), gives), f"{data!r} gave {plain(value)!r}, not {gives!r}"
                outcome = outcome_of(without_notes(codec.strict.decode), data)
                assert isinstance(outcome, list), f"the strict codec took {data!r}"

    # Submits

    def check_submit(self) -> None:
        """A submit is told as its input is declared, and reads calls as the codecs read their arguments."""
        from toolgen.testing.submits import check_submit

        assert self.submit is not None
        check_submit(self.module, self.submit, self.model, self.fields)

    # Helpers

    def _written(self) -> list[tuple[Any, Sequence[Given]]]:
        """The codecs of what a model writes, each with what it is held to."""
        written = [(self.module.MODEL, self.model)]
        return written if self.submit is None else [*written, (self.module.RESPONSE, self.submit.response)]

    @property
    def _result_codec(self) -> Any:
        """The codec of the result itself, without the page that a bounded tool puts around it."""
        return getattr(self.module.RESULT, "inner", self.module.RESULT)

    def _fields(self, *roles: str) -> list[Field]:
        return [field for field in self.fields if field.role in roles]

    def _documents(self) -> list[str]:
        """The names of the codecs of the tool's module."""
        more = {"RESULT": bool(self.result), "RESPONSE": self.submit is not None}
        return ["MODEL", "EXECUTION", *(name for name, there in more.items() if there)]

    def _records_in(self, document: str) -> dict[str, Record]:
        """The object types that the schema of a codec holds, by their name there."""
        return {record.name: record for record in self.records if document in record.documents}

    def _execution_cases(self) -> Iterator[tuple[Given, Case | None]]:
        """The changes to model fields, then those to restored fields, each in an execution input that is full."""
        restored, context = self.restored[-1], self.context[-1]
        for base, case in tried(self.model):
            yield _merged(base, restored, context), case
        for base, case in tried(self.restored):
            yield _merged(self.model[-1], base, context), case
        for base in self.model:
            yield _merged(base, self.restored[0], context), None

    def _injected(self, given: Any) -> dict[str, Any]:
        """The injected values by name, read from JSON by the tool's own check of its context."""
        if self.module.SPEC.context is None:
            return {}
        decoded = self.module.SPEC.context.codec.decode(text(given))
        return {name: getattr(decoded, name) for name in given}

    def _bad_contexts(self, field: Field, whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Contexts that are wrong in one field: of a type that nothing has, missing, or out of its bounds."""
        yield {**whole, field.name: object()}
        if field.gives is MISSING:
            yield {name: value for name, value in whole.items() if name != field.name}
        for case in self.context[-1].cases:
            if isinstance(case, Refuses) and steps(case.at) == [field.name] and case.value is not MISSING:
                yield {**whole, field.name: case.value}

    def _execution(self) -> Decode:
        """The execution codec's way of decoding, in a full context."""
        injected = self._injected(self.context[-1].input)
        return without_notes(lambda data: self.module.EXECUTION.decode(data, injected))

    def _extra(self, payload: Any, restored: Given, injected: dict[str, Any]) -> dict[str, Any]:
        """The arguments of ``complete``: injected values, and the restored ones that were given."""
        given = [field.name for field in self._fields("restored") if field.key in restored.input]
        return {**{name: getattr(payload, name) for name in given}, **injected}

    def _check_payload(self, model: Given, restored: Given, context: Given) -> None:
        module = self.module
        wanted = _merged(model, restored, context).gives
        injected = self._injected(context.input)
        saved = text({**model.input, **restored.input})
        payload = module.EXECUTION.decode(saved, injected)
        assert same(plain(payload), wanted), f"the execution codec gave {plain(payload)!r}, not {wanted!r}"
        completed = module.complete(module.MODEL.decode(text(model.input)), **self._extra(payload, restored, injected))
        assert same(plain(completed), wanted), f"complete gave {plain(completed)!r}, not {wanted!r}"
        assert completed == payload, "complete and the execution codec do not meet"
        assert module.restore(saved, **injected) == payload, "restore and the execution codec do not meet"

    def _check_restored_are_checked(self) -> None:
        """``complete`` takes no restored value that could not be saved."""
        module = self.module
        args = module.MODEL.decode(text(self.model[-1].input))
        injected = self._injected(self.context[-1].input)
        payload = module.EXECUTION.decode(text({**self.model[-1].input, **self.restored[-1].input}), injected)
        good = self._extra(payload, self.restored[-1], injected)
        for name in [field.name for field in self._fields("restored")]:
            _refused(partial(module.complete, args, **{**good, name: object()}), name)

    def _check_roles(self) -> None:
        """What a model may not write is an unknown key to the model codec, and injected fields to both."""
        execution = {**self.model[-1].input, **self.restored[-1].input}
        known = {field.key for field in self._fields("model")}
        for field in self._fields("restored", "injected"):
            if field.key in known:
                continue
            outcome = outcome_of(self.module.MODEL.decode_with_notes, text({**self.model[-1].input, field.key: 1}))
            wanted = [(below("", field.key), "unknown_field")] if self.closed else (self.model[-1].gives, ())
            assert outcome == wanted, f"a model that writes {field.key} comes to {outcome}"
            if field.role == "injected" and field.key not in execution and self.closed:
                outcome = outcome_of(self._execution(), text({**execution, field.key: 1}))
                assert outcome == wanted, f"a saved input with {field.key} comes to {outcome}"

    def _check_page(self) -> None:
        """A bounded result has the keys of a page that the design asks for; two of them in every page."""
        if self.page is None:
            return
        schema = self.module.RESULT.schema
        for key, wanted in self.page.items():
            told = {word: value for word, value in schema["properties"][key].items() if word != "description"}
            assert same(told, dict(wanted)), f"the result's {key} is {told}"
        required = [key for key in schema["required"] if key in self.page]
        assert required == ["returned", "truncated"], f"a page always has {required}"

    def _check_dataclasses(self) -> None:
        """Each dataclass, made from its required fields alone, has the declared defaults, fresh each time."""
        module = self.module
        execution = text({**self.model[-1].input, **self.restored[-1].input})
        payload = module.EXECUTION.decode(execution, self._injected(self.context[-1].input))
        _check_defaults(payload, self.fields)
        _check_defaults(module.MODEL.decode(text(self.model[-1].input)), self._fields("model"))
        values = [codec.decode(text(base.input)) for codec, given in self._written() for base in given]
        values += [payload, *(self._result_codec.decode(text(base.input)) for base in self.result)]
        by_class = {record.class_: record.fields for record in self.records}
        for inner in (inner for value in values for inner in _dataclasses_in(value)):
            if (class_ := _class_of(inner)) in by_class:
                _check_defaults(inner, by_class[class_])

    def _check_bodies(self) -> None:
        """A body tells what was given from what was not."""
        for base in self.model:
            body = self.module.MODEL.body(text(base.input))
            for field in self._fields("model"):
                missing = getattr(body, field.name) is UNSET
                assert missing == (field.key not in base.input), f"the body is wrong on whether {field.name} was given"

    def _check_example(self) -> None:
        example = self.module.SPEC.example
        assert self.example is None or same(example, self.example), f"the example is {example!r}"
        if example is not None:
            assert not self.module.MODEL.decode_with_notes(text(example))[1], "the example needs a mend"


def _taken_as_given(cases: Iterable[tuple[Given, Case | None]]) -> list[Any]:
    """The inputs that are taken without a mend."""
    return [with_case(base, case)[0] for base, case in cases if not isinstance(case, Refuses | Mends)]


def _merged(model: Given, restored: Given, context: Given) -> Given:
    return Given({**model.input, **restored.input}, {**model.gives, **restored.gives, **context.gives})


def _round_trip(codec: Any, value: Any, *context: Any) -> None:
    data = codec.encode(value)
    encoded = json.loads(data)
    issues = Careful(codec.schema).judge(encoded, lenient=False).issues
    assert not issues, f"what was encoded is not valid: {issues}"
    for key, schema in codec.schema["properties"].items():
        assert key in encoded or "default" not in schema, f"{key} was not written out"
    assert codec.decode(data, *context) == value, f"{data!r} does not decode to what was encoded"
    assert codec.encode(value, check=False) == data, "what is encoded depends on check"


def _refused(call: Callable[[], Any], name: str) -> None:
    try:
        call()
    except ContextError as error:
        complaint = None if name in error.names else f"the error does not name {name}: {error}"
    else:
        complaint = f"a bad value was taken: {name}"
    assert complaint is None, complaint


def _check_object(schema: Any, fields: Sequence[Field], closed: bool) -> None:
    assert schema["type"] == "object"
    assert list(schema["properties"]) == [field.key for field in fields]
    assert schema["required"] == [field.key for field in fields if field.gives is MISSING]
    assert schema["additionalProperties"] is (not closed)
    for field in fields:
        default = schema["properties"][field.key].get("default", MISSING)
        assert default is field.default or same(default, field.default), f"{field.name} has the default {default!r}"


def _check_notes(schema: Any) -> None:
    """Each default and example in the schema is one that its own position takes."""
    defs = {"$defs": schema.get("$defs", {})}
    for holder in (schema, *defs["$defs"].values()):
        for key, position in holder.get("properties", {}).items():
            judge = Careful({**position, **defs})
            for value in (*position.get("examples", ()), *([position["default"]] if "default" in position else ())):
                issues = judge.judge(value, lenient=False).issues
                assert not issues, f"{key}: {value!r} is not valid under its own schema: {issues}"


def _check_defaults(value: Any, fields: Sequence[Field]) -> None:
    required = {field.name: getattr(value, field.name) for field in fields if field.gives is MISSING}
    first, second = type(value)(**required), type(value)(**required)
    for field in fields:
        if field.gives is not MISSING:
            default = getattr(first, field.name)
            assert same(plain(default), field.gives), f"{type(value).__name__}.{field.name} is {default!r} by default"
            fresh = default is not getattr(second, field.name)
            assert fresh or not isinstance(default, list | dict), f"{field.name}: one default is shared by all"


def _class_of(value: Any) -> str:
    """The package and the name of a value's class, as ``Record.class_`` has them."""
    package = type(value).__module__.split(".")[-2]
    return f"{package}.{type(value).__name__}"


def _dataclasses_in(value: object) -> Iterator[Any]:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield value
        for field in dataclasses.fields(value):
            yield from _dataclasses_in(getattr(value, field.name))
    elif isinstance(value, list):
        for item in value:
            yield from _dataclasses_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _dataclasses_in(item)
