"""Faults that random designs found, each as a test of its kind."""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable
from fractions import Fraction
from types import ModuleType

import pytest
from laws import Tool

from conftest import Compile, one_tool
from toolgen.runtime.issues import PayloadError
from toolgen.testing import full_input


@pytest.mark.parametrize(
    ("bound", "inside", "outside"),
    [
        ("gt=2**63 - 1", 2**63, 2**63 - 1),
        ("lt=-(2**63)", -(2**63) - 1, -(2**63)),
        ("ge=2**63 - 1", 2**63 - 1, 2**63 - 2),
        ("le=-(2**63)", -(2**63), -(2**63) + 1),
        ("gt=2**63 - 2", 2**63 - 1, 2**63 - 2),
        ("lt=2**63", 2**63 - 1, 2**63),
    ],
)
def test_open_bounds_at_the_ends_of_64_bits(
    compile_tool: Callable[..., ModuleType], bound: str, inside: int, outside: int
) -> None:
    module = compile_tool(f'n: int = field("N.", {bound})')
    assert module.MODEL.decode(f'{{"n": {inside}}}').n == inside
    with pytest.raises(PayloadError) as refused:
        module.MODEL.decode(f'{{"n": {outside}}}')
    assert [issue.constraint for issue in refused.value.issues] == ["invalid_range"]


def test_a_missing_enum_that_may_be_null_stays_missing(compile_design: Compile) -> None:
    records = 'class Maybe(enum.Enum):\n    """One."""\n\n    A = "a"\n    NONE = None\n'
    fields = 'one: Maybe = field("M.", optional=True)\nother: Maybe | int = field("M.", optional=True)'
    root = compile_design(one_tool(fields, records=records))
    codec = importlib.import_module(f"{root.__name__}.things.do").MODEL
    missing = codec.decode("{}")
    assert (missing.one, missing.other) == (None, None)
    assert codec.decode(codec.encode(missing)) == missing
    null = codec.decode('{"one": null, "other": null}')
    assert (null.one.name, null.other.name) == ("NONE", "NONE")
    assert codec.encode(null) == b'{"one":null,"other":null}'


def test_an_input_can_be_made_where_the_default_is_the_only_value() -> None:
    text = {"type": "string", "maxLength": 0, "default": ""}
    schema = {"type": "object", "properties": {"a": text}, "required": [], "additionalProperties": False}
    assert full_input(schema) == {"a": ""}


def test_true_beside_one_is_no_duplicate(compile_tool: Callable[..., ModuleType]) -> None:
    codec = compile_tool('n: list[Literal[1, True, "a"]] = field("N.", unique_items=True)').MODEL
    assert [type(value) for value in codec.decode('{"n": [1, true, "a"]}').n] == [int, bool, str]
    with pytest.raises(PayloadError) as refused:
        codec.decode('{"n": [1, true, "a", 1.0]}')
    assert [issue.constraint for issue in refused.value.issues] == ["duplicate_items"]


@pytest.mark.parametrize("step", [2, 0.5, 3, 1e16])
@pytest.mark.parametrize("number", [2**53 - 1, 2**53, 2**53 + 1, 3 * (2**53 + 1), -(2**53) - 1, 10**16, 10**16 + 1])
def test_a_multiple_is_judged_by_the_text_of_an_integer_past_53_bits(
    compile_tool: Callable[..., ModuleType], step: float, number: int
) -> None:
    model = compile_tool(f'x: float = field("X.", multiple_of={step})').MODEL
    for data in (f'{{"x": {number}}}', {"x": number}):
        if number % Fraction(step):
            with pytest.raises(PayloadError, match="multiple"):
                model.decode(data)
        else:
            assert model.decode(data).x == float(number)


def test_an_integer_that_is_no_float_is_out_of_range(compile_tool: Callable[..., ModuleType]) -> None:
    model = compile_tool('x: float = field("X.", multiple_of=0.01)').MODEL
    for data in (f'{{"x": {10**400}}}', {"x": 10**400}):
        with pytest.raises(PayloadError) as refused:
            model.decode(data)
        assert [(issue.path, issue.constraint) for issue in refused.value.issues] == [("/x", "invalid_range")]


@pytest.mark.parametrize(
    ("literal", "text", "member"),
    [
        ("1, 2.5", "1.0", 1),
        ("1, 2.5", "1.00000000000000000001", None),
        ("1, 2.5", "0.99999999999999999999999", None),
        ("2.5, 'x'", "2.50", 2.5),
        ("3.0, 'x'", "3", 3.0),
        ("3.0, 'x'", "3.00000000000000000001", None),
        ("1, True, 'x'", "1e0", 1),
        ("9007199254740992, True", "9007199254740993.0", None),
        ("1, 9223372036854775808", "9.223372036854776e+18", None),
        ("1, 9223372036854775808", "9223372036854775808.0", 2**63),
        ("0.5, 9.223372036854776e+18", "9223372036854775808", None),
        ("0.5, 9.223372036854776e+18", "9223372036854776000", 9.223372036854776e18),
    ],
)
def test_a_number_is_a_member_of_a_literal_by_its_text(
    compile_tool: Callable[..., ModuleType], literal: str, text: str, member: float | None
) -> None:
    module = compile_tool(f'x: Literal[{literal}] = field("X.")\ny: list[Literal[{literal}]] = field("Y.", default=[])')
    written = f'{{"x": {text}, "y": [{text}]}}'
    for codec in (module.MODEL, module.MODEL.strict, module.EXECUTION):
        if member is None:
            with pytest.raises(PayloadError) as refused:
                codec.decode(written)
            assert {issue.constraint for issue in refused.value.issues} == {"invalid_enum_value"}
        else:
            value = codec.decode(written)
            assert (value.x, value.y) == (member, [member])
            assert type(value.x) is type(value.y[0]) is type(member)


@pytest.mark.parametrize(
    "bound", ["ge=0.5", "gt=0.5", "gt=-0.5", "ge=-0.5", "le=1.5", "lt=1.5", "lt=-0.5", "le=2", "gt=-1"]
)
def test_a_step_and_a_bound_of_a_float_hold_for_whole_numbers_too(
    compile_tool: Callable[..., ModuleType], bound: str
) -> None:
    model = compile_tool(f'x: float = field("X.", multiple_of=0.5, {bound})').MODEL
    name, limit = bound.split("=")
    holds = {"ge": operator.ge, "gt": operator.gt, "le": operator.le, "lt": operator.lt}[name]
    for number in (-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.0, 1.5, 2, 2.5, 3):
        for data in (f'{{"x": {number}}}', {"x": number}):
            if holds(number, float(limit)):
                assert model.read(data).lane == "fast"
            else:
                with pytest.raises(PayloadError, match="range"):
                    model.decode(data)


@pytest.mark.once  # the judge needs a checker of each format, which the main Python alone has
@pytest.mark.parametrize(
    ("type_", "given"),
    [
        ("bytes", "QR=="),
        ("bytes | None", "QUJ="),
        ("datetime", "2026-11-30t14:30:00.50z"),
        ("time", "14:30:00.50z"),
        ("timedelta", "PT60M"),
        ("Decimal", "1e2"),
        ("UUID", "123E4567-E89B-12D3-A456-426614174000"),
        ("int", 2.0),
        ("float", 10**17 + 1),
        ("float", -0.0),
        ("Literal[1, 'a']", 1.0),
    ],
)
def test_the_laws_know_every_spelling_of_a_value(
    compile_tool: Callable[..., ModuleType], type_: str, given: object
) -> None:
    fields = f'x: {type_} = field("X.")\nxs: list[{type_}] = field("Xs.")\nm: dict[str, {type_}] = field("M.")'
    tool = Tool(compile_tool(fields))
    value = {"x": given, "xs": [given], "m": {"k": given}}
    assert tool.hold(value).taken
    assert tool.hold_execution(value).taken
