"""Laying out generated code: black is the judge of every line."""

from __future__ import annotations

from pathlib import Path

import black
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgen import emit
from toolgen.emit import Options, render, render_contracts
from toolgen.layout import laid_out
from toolgen.load import load

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "designs").glob("*.py"))
HOSTILE = ROOT / "tests" / "designs_to_try" / "hostile.py"

STATEMENTS = [
    "from __future__ import annotations",
    "from datetime import date as _date, datetime, time, timedelta, timezone",
    "x = 1",
    "name: int | UnsetType = UNSET",
    'kind: Literal["first", "second", "third"] | UnsetType = UNSET',
    'kind: Literal["first", "second", "third"] = "first"',
    'kind: Literal["first", "second", "third"] | None',
    "numbers: Annotated[list[Annotated[int, Meta(ge=1, le=100)]], Meta(max_length=10)] | UnsetType = UNSET",
    "numbers: list[Annotated[int, Meta(ge=1)]] = field(default_factory=lambda: [1, 2, 3])",
    "due: date = date(2026, 11, 30)",
    "Either: TypeAlias = FirstByKindBody | SecondByKindBody | ThirdByKindBody | ThirdBody",
    'CODEC: ExecutionCodec[FirstPayload, FirstPayloadBody] = ExecutionCodec("a", body=FirstPayloadBody, lenient=True,)',
    'CONTEXT: Context[FirstContext] = Context(FirstContext, Codec("a", body=FirstContextBody,), names=("tenant",))',
    "value.items = [item_from_body(item) for item in body.items_of_the_value]",
    "value.items = {key: item_from_body(item) for key, item in body.items_of_it.items()}",
    "value.items = [None if item is None else item_from_body(item) for item in body.items_of_it]",
    "value.items = {key: None if item is None else item_from_body(item) for key, item in body.items_of_it.items()}",
    "value.items = [[None if it is None else item_from_body(it) for it in item] for item in body.items]",
    "value.item = None if body.item is None else item_from_body(body.item)",
    "value.item_of_the_value = body.item_of_the_value_that_was_given",
    'DATA = [{"a": 1, "b": [1, 2, {"c": None}]}, "text", (1,), b"bytes", -1.5, {"key": "value"}, ["x"] * 9]',
    'DATA = [Given(input={\'a "b"\': "it\'s"}, cases=[Refuses(1, 2), Accepts(1),],),]',
    "CONTEXT.check(FirstContext(tenant, user, session, the_day_that_it_is))",
    'text = "a text that no bracket can break, of some length"',
]
BLOCKS = [
    "def f(body: FirstBody, /, *, tenant: str, sessions: list[str] = UNSET) -> FirstPayload:\n    return body",
    "def f(body: FirstBody, /) -> FirstPayload | SecondPayload:\n    return FirstPayload(body.one, two, body.three)",
    "def f() -> int:\n    return first.of(second)[third] | fourth.of(fifth)[sixth] | seventh",
    "def f() -> B:\n    return B(a=UNSET if v.a is UNSET else None if v.a is None else t(v.a), b=[g(i) for i in v.b])",
    "class Body(Struct, kw_only=True, forbid_unknown_fields=True, rename={'from_': 'from'}):\n    x: int",
    'class Body:\n    """Described."""\n\n    x: int\n    """X."""\n\n    y: int = 1',
    "if isinstance(value, FirstOfTheArms) and value.kind == 'the first':\n    pass\nelse:\n    pass",
    "if isinstance(value, (FirstOfTheArms, SecondOfTheArms)):\n    pass",
    'TEXT = """\\\n{\n  "a": "it\'s"\n}\\\n"""',
    "# A comment that is longer than many a line of code, and stays.\nx = 1",
    "@dataclass(slots=True)\nclass A:\n    x: int",
    "def _x_default() -> list[int] | None:\n    return [1]\n\n\n@dataclass(slots=True)\nclass A:\n    x: int",
]


def formatted(text: str, width: int) -> str:
    return black.format_str(text, mode=black.Mode(line_length=width))


def in_double_quotes(text: str) -> str:
    """Single quotes only where black keeps them, as the printers of literals have it."""
    return formatted(text, 10_000).rstrip("\n") if "'" in text and '"""' not in text else text


@pytest.mark.parametrize("statement", [*STATEMENTS, *BLOCKS])
@pytest.mark.parametrize("width", [*range(24, 120, 7), 88])
def test_a_statement_is_laid_out_as_black_does_it_or_not_at_all(statement: str, width: int) -> None:
    text = in_double_quotes(statement)
    assert laid_out(text, width) in (None, formatted(text, width))


@pytest.mark.parametrize("statement", [*STATEMENTS, *BLOCKS])
def test_statements_of_generated_code_are_known_at_the_usual_width(statement: str) -> None:
    assert laid_out(in_double_quotes(statement), 88) is not None


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([*STATEMENTS, *BLOCKS])), min_size=1, max_size=6))
def test_blank_lines_stand_where_black_has_them(parts: list[tuple[int, str]]) -> None:
    text = "".join("\n" * blank + in_double_quotes(part) + "\n" for blank, part in parts)
    found = laid_out(text, 88)
    assert found is None or found == formatted(text, 88)


@pytest.mark.parametrize("text", ["x = [1, 2", "x = 'it''s' )", "x = {1: 2]" + " " * 90, "x = a if b" + "b" * 99])
def test_what_is_not_known_is_left_to_black(text: str) -> None:
    assert laid_out(text, 88) in (None, f"{text}\n")


@pytest.fixture(scope="module")
def printed() -> dict[str, list[str]]:
    """What the templates give for the examples, before it is laid out."""
    texts: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(emit, "laid_out", lambda text, width: texts.append(text) or text)
        programs = [load(designs, root=ROOT) for designs in (EXAMPLES, [HOSTILE])]
        for program in programs:
            render(program, Options())
        modules = len(texts)
        for program in programs:
            render_contracts(program, Options(import_root="generated"))
    return {"modules": texts[:modules], "contracts": texts[modules:]}


@pytest.mark.once
@pytest.mark.parametrize(("what", "width"), [("modules", 60), ("modules", 88), ("modules", 120), ("contracts", 88)])
def test_generated_code_needs_no_black_and_is_as_black_has_it(
    printed: dict[str, list[str]], what: str, width: int
) -> None:
    found = [laid_out(text, width) for text in printed[what]]
    assert found
    if width == 88:
        assert None not in found
    for text, layout in zip(printed[what], found, strict=True):
        assert layout is None or layout == formatted(text, width)
