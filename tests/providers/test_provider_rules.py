"""Projected schemas, held to the written rules of each provider and to the laws of projections."""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from provider_rules import LIVE, RULES, TOOL_NAMES, broken

from conftest import Compile, compiling
from generated import ledger, support
from toolgen import providers
from toolgen.runtime import ToolSpec
from toolgen.runtime.careful import Careful
from toolgen.testing import valid_inputs
from toolgen.testing.judging import made_up
from toolgen.testing.projections import check_made_up_under_projections, check_projections

sys.path.insert(0, str(Path(__file__).parents[1] / "proof"))
from random_designs import Design, designs, hands

EXAMPLES = [*support.TOOLSET.values(), *ledger.TOOLSET.values()]
MODES = [(provider, strict) for provider in providers.PROVIDERS for strict in (False, True)]

SHARES = 4
HANDS = hands(12)
ONE_IN = 1 if os.environ.get("TOOLGEN_PROOF") else 6
"""Which hands of the deck are dealt: all in ``make proof``, one in six in ``make test``."""

ONCE = settings(
    max_examples=1,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def held_live(spec: ToolSpec[Any, Any, Any]) -> bool:
    """Whether Gemini's Live API can be told of a tool, in a form that holds to its rules."""
    try:
        told = providers.definition(spec, "gemini", live=True)
    except providers.ProjectionError:
        return False
    assert broken(LIVE, False, told.get("parameters", {"type": "OBJECT"})) == []
    return True


def held(spec: ToolSpec[Any, Any, Any]) -> Iterator[providers.Definition]:
    """The definitions of a tool, each held to its provider's rules."""
    for provider, strict in MODES:
        try:
            told = providers.definition(spec, provider, strict=strict)
        except providers.ProjectionError as error:
            found = (strict, error.tool)
        else:
            assert broken(provider, told.strict, told.schema) == [], f"{provider}, strict={strict}"
            assert re.fullmatch(TOOL_NAMES[provider], told.tool)
            yield told
            continue
        assert found == (True, spec.name), f"{provider} can't be told of {spec.name}, strict={strict}"


@pytest.mark.parametrize("spec", EXAMPLES, ids=lambda spec: spec.name)
def test_the_example_designs_hold_to_every_providers_rules(spec: ToolSpec[Any, Any, Any]) -> None:
    assert len(list(held(spec))) >= 6
    assert held_live(spec) or spec.name == "find_accounts"


@pytest.fixture(scope="module")
def compile_quickly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compile]:
    with compiling(tmp_path_factory.mktemp("projected"), formatted=False) as compile_design:
        yield compile_design


@pytest.mark.once
@pytest.mark.parametrize("share", range(SHARES))
def test_random_designs_hold_to_every_providers_rules_and_read_back(share: int, compile_quickly: Compile) -> None:
    sdk_types = pytest.importorskip("sdk_types")
    dealt = HANDS[share :: SHARES * ONE_IN]
    told = 0
    for hand in dealt:

        @ONCE
        @given(designs(hand))
        def holds(design: Design) -> None:
            nonlocal told
            root = compile_quickly(design.source)
            module = importlib.import_module(f"{root.__name__}.things.do")
            for definition in held(module.SPEC):
                told += 1
                sdk_types.check_definition(definition.provider, definition)
                every_constraint_is_kept_or_said(module.MODEL.schema, definition)
            check_projections(module.SPEC, made_up(valid_inputs, module.MODEL.schema))
            check_made_up_under_projections(module.SPEC)
            if held_live(module.SPEC):
                sdk_types.check_live_definition(providers.definition(module.SPEC, "gemini", live=True))

        holds()
    assert told >= 6 * len(dealt)


def every_constraint_is_kept_or_said(schema: dict[str, Any], told: providers.Definition) -> None:
    """What a projection refuses less than the canonical schema does, it has a note of."""
    canonical, projected = Careful(schema), Careful(told.schema)
    for value in made_up(valid_inputs, told.schema):
        if canonical.judge(told.read(value), lenient=False).issues:
            assert told.notes, f"{told.provider} takes {value!r}, and nothing says what was dropped"
            assert not projected.judge(value, lenient=False).issues


def test_every_rule_has_a_source() -> None:
    assert {rule.provider for rule in RULES} == {*providers.PROVIDERS, LIVE}
    assert all(rule.says and rule.source for rule in RULES)


BAD: list[tuple[str, bool, dict[str, Any]]] = [
    ("openai_chat", False, {"type": "object", "properties": {}, "anyOf": [{}]}),
    ("openai_chat", False, {"type": "string"}),
    ("openai_chat", True, {"type": "object", "properties": {"a": {}}, "required": [], "additionalProperties": False}),
    ("openai_responses", True, {"type": "object", "properties": {}, "required": [], "additionalProperties": True}),
    ("openai_responses", True, {"type": "object", "properties": {}, "required": [], "minProperties": 1}),
    ("anthropic", False, {"type": "object", "properties": {"$ref": {"type": "string"}}}),
    ("anthropic", True, {"type": "object", "properties": {"a": {"type": "array", "minItems": 2}}}),
    (
        "anthropic",
        True,
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"$ref": "#/$defs/A"}}},
    ),
    ("bedrock", True, {"type": "object", "properties": {"a": {"type": "integer", "minimum": 2}}}),
    ("gemini", False, {"type": "object", "properties": {"a": {"type": "integer", "enum": [1]}}}),
    ("gemini", False, {"type": "object", "properties": {"x-y": {"type": "integer"}}}),
    ("gemini", False, {"type": "object", "properties": {"a": {"$ref": "#/$defs/Nowhere"}}}),
    ("mcp", False, {}),
    (LIVE, False, {"type": "OBJECT", "properties": {"a": {"type": ["string", "null"]}}}),
    (LIVE, False, {"type": "OBJECT", "properties": {"a": {"$ref": "#/$defs/A"}}}),
    (LIVE, False, {"type": "OBJECT", "properties": {"a": {"anyOf": [{"type": "STRING"}], "description": "A."}}}),
    (LIVE, False, {"type": "OBJECT", "properties": {"a": {"type": "ARRAY"}}}),
    (LIVE, False, {"type": "OBJECT", "properties": {}, "additionalProperties": False}),
]


@pytest.mark.parametrize(("provider", "strict", "schema"), BAD)
def test_the_linter_finds_what_a_provider_would_refuse(provider: str, strict: bool, schema: dict[str, Any]) -> None:
    assert broken(provider, strict, schema)
