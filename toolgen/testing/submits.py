"""Laws of a tool that submits a response: what providers are told of it, and what its calls come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from toolgen.runtime import ToolCall
from toolgen.testing.cases import Case, Field, Given, Mends, Refuses, Submitted, tried, with_case
from toolgen.testing.judging import plain, same, text
from toolgen.testing.projections import definitions


def check_submit(module: Any, submitted: Submitted, model: Sequence[Given], fields: Sequence[Field]) -> None:
    """Hold the submit of a generated module to its declared inputs, and to what the module's spec is told as."""
    assert module.SUBMIT.record == submitted.record, f"the response is called {module.SUBMIT.record}"
    assert dict(definitions(module.SUBMIT)) == dict(definitions(module.SPEC)), (
        "the submit is told otherwise than its spec"
    )
    reader = _Reader(module.SUBMIT, submitted, fields)
    for base, case in tried(model):
        reader.check(base, case)
    if submitted.payload is not None:
        for name, definition in definitions(module.SUBMIT):
            reader.check_texts(name, definition, model)


class _Reader:
    """Holds what a submit reads to what its arguments decode to."""

    def __init__(self, submit: Any, submitted: Submitted, fields: Sequence[Field]) -> None:
        self._submit = submit
        self._submitted = submitted
        self._names = {field.key: field.name for field in fields}

    def check(self, base: Given, case: Case | None) -> None:
        given, gives = with_case(base, case)
        flat = self._submitted.payload is None
        refused = isinstance(case, Refuses) or (flat and isinstance(case, Mends))
        for form in (text(given), given):
            outcome = self._submit.read(ToolCall("1", self._submit.name, form))
            assert outcome.accepted is not refused, f"{case} on {base.input!r}: the submit comes to {outcome}"
            if refused:
                assert outcome.result.is_error, f"{case}: the model is told {outcome.result.text!r}"
                continue
            reasoning, response = self._wanted(gives)
            assert same(plain(outcome.response), response), f"{case}: submits {outcome.response!r}, not {response!r}"
            assert outcome.reasoning == reasoning, f"{case}: the reasoning is {outcome.reasoning!r}"
            assert bool(outcome.notes) == isinstance(case, Mends), f"{case}: mended {outcome.notes}"
            assert outcome.result.text == self._submitted.success, f"the model is told {outcome.result.text!r}"

    def check_texts(self, name: str, definition: Any, model: Sequence[Given]) -> None:
        """A payload that was written as text under a provider's definition, in each place where one is looked for."""
        for base in model:
            for form in _as_texts(definition.write(base.input)):
                outcome = self._submit.read(ToolCall("1", self._submit.name, definition.read(form)))
                assert outcome.accepted, f"{name}: {form!r} is refused: {outcome.error}"
                assert outcome.notes, f"{name}: {form!r} is mended without a note"
                _, response = self._wanted(base.gives)
                assert same(plain(outcome.response), response), f"{name}: {form!r} submits {outcome.response!r}"

    def _wanted(self, gives: Any) -> tuple[Any, Any]:
        """The reasoning and the response, of what the arguments decode to."""
        others = dict(gives)
        reasoning = others.pop(self._names["reasoning"]) if self._submitted.reasoning else None
        return reasoning, others if self._submitted.payload is None else others[self._names[self._submitted.payload]]


def _as_texts(written: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The parameters with the payload, which is the last, as text: in its own place, and in those before it."""
    *others, payload = written
    whole = f"{text(written[payload]).decode()}}}\n</parameter>"
    yield {**written, payload: whole}
    for other in others:
        yield {other: f'r <parameter name="{payload}">{whole}'}
        yield {other: f'r "{payload}": {whole}'}
