"""Laws of the providers' projections: what a model writes under one decodes to the value that was meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from toolgen.runtime.careful import Careful
from toolgen.testing.judging import made_up, outcome_of, plain, same, text
from toolgen.testing.strategies import valid_inputs


def check_projections(spec: Any, inputs: Sequence[Any]) -> None:
    """Hold every provider's definition of a tool, in both modes, to the tool's codec.

    An input written under a projection is valid there, and reads back to the value that it decodes to by itself,
    without a mend.
    """
    canonical = Careful(spec.model.schema)
    valid = [value for value in inputs if not canonical.judge(value, lenient=False).issues]
    wanted = [(value, spec.model.strict.decode(text(value))) for value in valid]
    for name, definition in definitions(spec):
        judge = Careful(definition.schema)
        for value, meant in wanted:
            written = definition.write(value)
            issues = judge.judge(written, lenient=False).issues
            assert not issues, f"{name}: {value!r} can't be written under its own schema: {issues}"
            for form in (text(written), written):
                decoded, notes = spec.model.decode_with_notes(definition.read(form))
                assert not notes, f"{name}: {written!r} needs a mend: {notes}"
                assert same(plain(decoded), plain(meant)), f"{name}: {written!r} reads as {decoded!r}, not {meant!r}"


def check_made_up_under_projections(spec: Any) -> None:
    """Whatever is valid under a projection decodes without a mend, or breaks a constraint that the projection dropped.

    Making inputs for each provider's schema takes longer than all else: this is for toolgen's own tests.
    """
    for name, definition in definitions(spec):
        for value in made_up(valid_inputs, definition.schema):
            outcome = outcome_of(spec.model.decode_with_notes, definition.read(text(value)))
            assert isinstance(outcome, list) or not outcome[1], f"{name}: {value!r} needs a mend: {outcome[1]}"


def definitions(spec: Any) -> Iterator[tuple[str, Any]]:
    """What each provider is told of a tool, in each mode that it can be told in, with a name of both."""
    # Providers stand beside this package; a test that does without them does not load them.
    from toolgen import providers

    for provider in providers.PROVIDERS:
        yield provider, providers.definition(spec, provider, strict=False)
        try:
            yield f"{provider} in strict mode", providers.definition(spec, provider, strict=True)
        except providers.ProjectionError as error:
            if error.tool != spec.name or "strict" not in error.way:
                raise AssertionError(f"{provider}: the error does not say what leads on: {error}") from error
    try:
        yield "gemini live", providers.definition(spec, "gemini", live=True)
    except providers.ProjectionError as error:
        if error.tool != spec.name or not error.way:
            raise AssertionError(f"gemini live: the error does not say what leads on: {error}") from error
