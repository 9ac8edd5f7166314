from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import pickle
import uuid
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from msgspec import UNSET

from conftest import shown
from toolgen.runtime import ContextError, PayloadError

CompileTool = Callable[..., ModuleType]


def issues(call: Callable[[], object]) -> list[tuple[str, str]]:
    with pytest.raises(PayloadError) as caught:
        call()
    return [(issue.path, issue.constraint) for issue in caught.value.issues]


# Six kinds of optional

KINDS = """
required: int = field("R.")
default: int = field("D.", default=10)
optional: int = field("O.", optional=True)
nullable: int | None = field("N.")
nullable_default: int | None = field("ND.", default=10)
nullable_optional: int | None = field("NO.", optional=True)
three_state: int | None = field("TS.", optional=True, keep_null=True)
"""


def test_what_is_missing_gets_what_the_table_says(compile_tool: CompileTool) -> None:
    args = compile_tool(KINDS).MODEL.decode('{"required": 0, "nullable": null}')
    assert (args.required, args.default, args.optional, args.nullable) == (0, 10, None, None)
    assert (args.nullable_default, args.nullable_optional, args.three_state) == (10, None, UNSET)


def test_what_is_required_is_missed(compile_tool: CompileTool) -> None:
    model = compile_tool(KINDS).MODEL
    assert issues(lambda: model.decode("{}")) == [("/required", "missing_field"), ("/nullable", "missing_field")]


def test_null_is_a_value_where_the_type_says_so_and_missing_where_a_field_may_be(compile_tool: CompileTool) -> None:
    model = compile_tool(KINDS).MODEL
    everything = {f.name: None for f in dataclasses.fields(model.decode('{"required": 0, "nullable": 0}'))}
    assert issues(lambda: model.decode(everything)) == [("/required", "invalid_type")]
    value, notes = model.decode_with_notes({**everything, "required": 1})
    assert (value.default, value.optional) == (10, None)
    assert (value.nullable, value.nullable_default, value.nullable_optional, value.three_state) == (None,) * 4
    assert [note.path for note in notes] == ["/default", "/optional"]
    found = issues(lambda: model.strict.decode({**everything, "required": 1}))
    assert found == [("/default", "invalid_type"), ("/optional", "invalid_type")]


@pytest.mark.parametrize(
    ("type_", "zero"), [("int", "0"), ("str", '""'), ("bool", "false"), ("list[int]", "[]"), ("dict[str, int]", "{}")]
)
def test_zero_is_a_value_like_any_other(compile_tool: CompileTool, type_: str, zero: str) -> None:
    default = {"int": "7", "str": '"x"', "bool": "True", "list[int]": "[1]", "dict[str, int]": '{"a": 1}'}[type_]
    module = compile_tool(f'x: {type_} = field("X.", default={default})')
    assert not module.MODEL.decode(f'{{"x": {zero}}}').x
    assert module.MODEL.decode("{}").x


def test_each_decode_builds_its_defaults_afresh(compile_tool: CompileTool) -> None:
    record = 'class Point(Record):\n    """A point."""\n\n    x: int = field("X.", default=1)\n'
    fields = 'xs: list[int] = field("Xs.", default=[1])\np: Point = field("P.", default=Point(x=2))'
    module = compile_tool(fields, records=record)
    first, second = module.MODEL.decode("{}"), module.MODEL.decode("{}")
    first.xs.append(2)
    first.p.x = 9
    assert (second.xs, second.p.x) == ([1], 2)
    assert module.DoArgs().xs is not module.DoArgs().xs


def test_a_body_knows_what_was_given(compile_tool: CompileTool) -> None:
    body = compile_tool(KINDS).MODEL.body(b'{"required": 0, "nullable": null, "three_state": null}')
    assert (body.required, body.nullable, body.three_state) == (0, None, None)
    assert body.default is UNSET
    assert body.optional is UNSET


def test_a_body_is_judged_as_a_decode_is(compile_tool: CompileTool) -> None:
    module = compile_tool('xs: list[int] = field("Xs.", unique_items=True)')
    assert issues(lambda: module.MODEL.body('{"xs": [1, 1]}')) == [("/xs", "duplicate_items")]
    assert module.MODEL.body('{"xs": [1, 2]}').xs == [1, 2]


# Forms of an input

FORMS = 'n: int = field("N.", ge=1)\nname: str = field("Name.", default="x")'


@pytest.mark.parametrize("form", [bytes, bytearray, memoryview, str, dict])
def test_all_forms_of_an_input_have_one_outcome(compile_tool: CompileTool, form: type) -> None:
    model = compile_tool(FORMS).MODEL
    make: dict[type, tuple[Any, Any]] = {
        str: ('{"n": 2}', '{"n": 0, "z": 1}'),
        dict: ({"n": 2}, {"n": 0, "z": 1}),
    }
    good, bad = make.get(form) or tuple(form(text.encode()) for text in ('{"n": 2}', '{"n": 0, "z": 1}'))
    assert model.decode(good).n == 2
    assert issues(lambda: model.decode(bad)) == [("/n", "invalid_range"), ("/z", "unknown_field")]


class Foreign(enum.Enum):
    ONE = 1


class ForeignText(enum.StrEnum):
    A = "a"


@pytest.mark.parametrize(
    "value",
    [
        {1, 2},
        frozenset({1}),
        (1, 2),
        Foreign.ONE,
        ForeignText.A,
        datetime.date(2026, 1, 1),
        decimal.Decimal(1),
        b"x",
        object(),
        [object()],
        {"a": {1}},
        {1: 2},
    ],
    ids=shown,
)
def test_a_mapping_may_hold_nothing_but_json(compile_tool: CompileTool, value: object) -> None:
    types = ["Any", "list[int]", "str", "int", "float", "date", "bytes", "dict[str, Any]"]
    module = compile_tool("\n".join(f'x{n}: {type_} = field("X.", optional=True)' for n, type_ in enumerate(types)))
    for codec in (module.MODEL, module.MODEL.strict, module.EXECUTION):
        for n in range(len(types)):
            with pytest.raises(PayloadError):
                codec.decode({f"x{n}": value})


@pytest.mark.parametrize("type_", ["Any", "float", "int", "list[Any]", "dict[str, float]", "int | str"])
def test_a_mapping_may_not_hold_a_number_that_is_not_finite(compile_tool: CompileTool, type_: str) -> None:
    module = compile_tool(f'x: {type_} = field("X.")')
    for number in (float("nan"), float("inf"), float("-inf")):
        value, path = {"list[Any]": ([number], "/x/0"), "dict[str, float]": ({"a": number}, "/x/a")}.get(
            type_, (number, "/x")
        )
        assert issues(lambda value=value: module.MODEL.decode({"x": value})) == [(path, "invalid_range")]  # type: ignore[misc]


def test_what_a_mapping_holds_is_not_shared_with_the_value(compile_tool: CompileTool) -> None:
    module = compile_tool('x: Any = field("X.")\nxs: list[int] = field("Xs.")')
    given: dict[str, Any] = {"x": {"a": [1]}, "xs": [1]}
    args = module.MODEL.decode(given)
    given["x"]["a"].append(2)
    given["xs"].append(2)
    assert (args.x, args.xs) == ({"a": [1]}, [1])


# Execution data and contexts

ROLES = """
query: str = field("Q.", min_length=1)
limit: int = field("L.", default=10)
cursor: str = restored("C.", min_length=1)
tenant: str = injected("T.", min_length=2)
groups: list[str] = injected("G.", default=["all"])
"""


def test_the_two_ways_to_a_payload_meet(compile_tool: CompileTool) -> None:
    module = compile_tool(ROLES)
    done = module.complete(module.MODEL.decode('{"query": "q"}'), cursor="c", tenant="acme")
    saved = module.EXECUTION.encode(done)
    assert saved == b'{"query":"q","limit":10,"cursor":"c"}'
    assert module.restore(saved, tenant="acme") == done
    assert module.EXECUTION.decode(saved, {"tenant": "acme", "other": 1}) == done
    assert done.groups == ["all"]


def test_no_model_reaches_a_restored_or_an_injected_field(compile_tool: CompileTool) -> None:
    module = compile_tool(ROLES)
    given = '{"query": "q", "cursor": "c", "tenant": "evil", "groups": []}'
    found = issues(lambda: module.MODEL.decode(given))
    assert found == [("/cursor", "unknown_field"), ("/tenant", "unknown_field"), ("/groups", "unknown_field")]
    found = issues(lambda: module.EXECUTION.decode(given, {"tenant": "acme"}))
    assert found == [("/tenant", "unknown_field"), ("/groups", "unknown_field")]


@pytest.mark.parametrize(
    "context", [None, {}, {"tenant": ""}, {"tenant": 1}, {"tenant": None}, {"tenant": "acme", "groups": ["a", 1]}]
)
def test_a_missing_or_bad_injected_value_is_the_operators_error(
    compile_tool: CompileTool, context: dict[str, Any] | None
) -> None:
    module = compile_tool(ROLES)
    with pytest.raises(ContextError) as caught:
        module.EXECUTION.decode('{"query": "q", "cursor": "c"}', context)
    assert caught.value.name == ("groups" if context and "groups" in context else "tenant")
    if context:
        with pytest.raises(ContextError):
            module.complete(module.MODEL.decode('{"query": "q"}'), cursor="c", **context)


@pytest.mark.parametrize("context", [5, "tenant", ["tenant"], [("tenant", "acme")], object()])
def test_a_context_that_is_no_mapping_is_the_operators_error(compile_tool: CompileTool, context: Any) -> None:
    module = compile_tool(ROLES)
    with pytest.raises(ContextError, match=f"of type {type(context).__name__}, no mapping") as caught:
        module.EXECUTION.decode('{"query": "q", "cursor": "c"}', context)
    assert "tenant" in caught.value.names


def test_complete_checks_what_is_restored_and_tells_the_operator_alone(compile_tool: CompileTool) -> None:
    module = compile_tool(ROLES.replace('restored("C.", ', 'restored("C.", name="next-page", '))
    args = module.MODEL.decode('{"query": "q"}')
    bounds = "must have at least 1 character, but has 0 characters"
    for bad, problem in (("", bounds), (5, "must be a str, but is an int")):
        with pytest.raises(ContextError) as caught:
            module.complete(args, cursor=bad, tenant="acme")
        assert caught.value.problems == {"cursor": problem}
        assert str(caught.value) == f"payload of do: cursor {problem}"


TYPED = """
vet: UUID = injected("V.")
day: date = injected("D.")
ids: list[UUID] = injected("I.", default=[])
limit: int | None = injected("L.", default=None, ge=1)
rate: float = injected("R.", default=1.0)
"""


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("vet", "7c1e4c1e-0000-4000-8000-000000000000", "must be a uuid.UUID, but is a str"),
        ("vet", 3, "must be a uuid.UUID, but is an int"),
        ("vet", None, "must be a uuid.UUID, but is None"),
        ("day", datetime.datetime(2026, 1, 1), "must be a datetime.date, but is a datetime.datetime"),
        ("ids", (1,), "must be a list, but is a tuple"),
        ("ids", [5], "at /0: must be a uuid.UUID, but is an int"),
        ("limit", "x", "must be an int or None, but is a str"),
        ("limit", True, "must be an int or None, but is a bool"),
        ("limit", 0, "must be at least 1, but is 0"),
        ("rate", "1", "must be a float, but is a str"),
    ],
)
def test_an_operator_is_told_types_of_python(compile_tool: CompileTool, name: str, value: object, problem: str) -> None:
    module = compile_tool('x: int = field("X.")\n' + TYPED)
    good = {"vet": uuid.uuid4(), "day": datetime.date(2026, 1, 1), "rate": 2}
    module.complete(module.MODEL.decode('{"x": 1}'), **good)
    with pytest.raises(ContextError) as caught:
        module.complete(module.MODEL.decode('{"x": 1}'), **{**good, name: value})
    assert caught.value.problems == {name: problem}


def test_a_bad_result_is_called_a_result(compile_tool: CompileTool) -> None:
    module = compile_tool('x: int = field("X.")', result='class Result:\n    n: int = field("N.", ge=1)')
    with pytest.raises(PayloadError) as caught:
        module.RESULT.encode(module.DoResult(0))
    assert str(caught.value) == "invalid result of do: /n invalid_range"
    assert caught.value.for_model().startswith("The result of do was not accepted")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    for codec in (module.MODEL, module.MODEL.strict, module.EXECUTION):
        with pytest.raises(PayloadError, match="invalid input of do"):
            codec.decode("[]")


def test_execution_data_is_never_mended(compile_tool: CompileTool) -> None:
    module = compile_tool('limit: int = field("L.", default=10)\nxs: list[int] = field("Xs.", default=[])')
    for given in ('{"limit": null}', '{"xs": "[1]"}', "", "\ufeff{}", '"{}"', None):
        with pytest.raises(PayloadError):
            module.EXECUTION.decode(given)
        with pytest.raises(PayloadError):
            module.MODEL.strict.decode(given)
        module.MODEL.decode(given)


# Encoding

ENCODED = """
text: str = field("T.", max_length=5)
number: float = field("F.", optional=True)
day: date = field("D.", optional=True)
price: Decimal = field("P.", optional=True)
wait: timedelta = field("W.", optional=True)
anything: Any = field("A.", default=0)
items: list[int] = field("I.", name="the-items", optional=True, unique_items=True)
labels: dict[str, int] = field("L.", optional=True)
point: Point = field("P.", optional=True)
state: int | None = field("S.", optional=True, keep_null=True)
"""
POINT = 'class Point(Record):\n    """A point."""\n\n    x_y: int = field("X.", name="x/y", ge=0)\n'


def test_what_is_encoded_is_canonical_and_comes_back(compile_tool: CompileTool) -> None:
    module = compile_tool(ENCODED, records=POINT)
    text = (
        '{"text":"é","number":1.5,"day":"2026-01-02","price":"1.50","wait":"PT1.5S","anything":{"a":[1,null]},'
        '"the-items":[3,1],"labels":{"a":1,"b":2},"point":{"x/y":0},"state":null}'
    )
    value = module.MODEL.decode(text)
    assert module.MODEL.encode(value).decode() == text
    assert module.MODEL.encode(module.MODEL.decode('{"text": "a", "labels": {"b": 2, "a": 1}}')) == (
        b'{"text":"a","anything":0,"labels":{"a":1,"b":2}}'
    )


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"text": "too long"}, ("/text", "invalid_length")),
        ({"text": 5}, ("/text", "invalid_type")),
        ({"text": "\ud800"}, ("/text", "invalid_type")),
        ({"number": float("nan")}, ("/number", "invalid_range")),
        ({"day": "2026-01-02"}, ("/day", "invalid_type")),
        ({"day": "tomorrow"}, ("/day", "invalid_type")),
        ({"price": decimal.Decimal("NaN")}, ("/price", "invalid_type")),
        ({"price": 1.5}, ("/price", "invalid_type")),
        ({"wait": 3}, ("/wait", "invalid_type")),
        ({"anything": {"a": [float("inf")]}}, ("/anything/a/0", "invalid_range")),
        ({"anything": {"a": {1}}}, ("/anything/a", "invalid_type")),
        ({"items": [1, 1]}, ("/the-items", "duplicate_items")),
        ({"items": (1, 2)}, ("/the-items", "invalid_type")),
        ({"items": [1, "a"]}, ("/the-items/1", "invalid_type")),
        ({"labels": {1: 1}}, ("/labels", "invalid_type")),
        ({"point": 1}, ("/point", "invalid_type")),
    ],
    ids=shown,
)
def test_what_could_not_come_back_is_refused_with_its_path(
    compile_tool: CompileTool, change: dict[str, Any], expected: tuple[str, str]
) -> None:
    module = compile_tool(ENCODED, records=POINT)
    value = dataclasses.replace(module.MODEL.decode('{"text": "a"}'), **change)
    assert issues(lambda: module.MODEL.encode(value)) == [expected]


@pytest.mark.parametrize("text", ["NaN", "sNaN", "Infinity", "-Infinity"])
def test_a_decimal_that_is_no_number_is_said_to_be_none(compile_tool: CompileTool, text: str) -> None:
    module = compile_tool(ENCODED, records=POINT)
    value = dataclasses.replace(module.MODEL.decode('{"text": "a"}'), price=decimal.Decimal(text))
    with pytest.raises(PayloadError) as caught:
        module.MODEL.encode(value)
    assert caught.value.issues[0].message.endswith("but is NaN or an infinity, in a decimal")


def test_a_fault_deep_inside_is_refused_with_its_path(compile_tool: CompileTool) -> None:
    module = compile_tool(ENCODED, records=POINT)
    value = module.MODEL.decode('{"text": "a", "point": {"x/y": 1}}')
    value.point.x_y = -1
    assert issues(lambda: module.MODEL.encode(value)) == [("/point/x~1y", "invalid_range")]


def test_the_proof_can_be_left_out(compile_tool: CompileTool) -> None:
    module = compile_tool(ENCODED, records=POINT)
    value = dataclasses.replace(module.MODEL.decode('{"text": "a"}'), text="too long")
    assert module.MODEL.encode(value, check=False) == b'{"text":"too long","anything":0}'


def test_a_value_of_another_type_is_refused_at_the_root(compile_tool: CompileTool) -> None:
    module = compile_tool(ROLES)
    for value in (None, 5, "x", object()):
        assert issues(lambda value=value: module.MODEL.encode(value)) == [("", "invalid_type")]  # type: ignore[misc]


# Lanes


MOMENTS = """
clock: time = field("C.", optional=True)
word: str = field("W.", default="a"{rule})
clocks: list[time | int] = field("C.", default=[])
moment: datetime = field("M.", optional=True)
by_name: dict[str, time | None] = field("B.", default={{}})
"""


def test_both_lanes_read_fractions_of_a_second_alike(compile_tool: CompileTool) -> None:
    fast = compile_tool(MOMENTS.format(rule=""))
    careful = compile_tool(MOMENTS.format(rule=', also={"not": {"const": "x"}}'))
    assert (fast.MODEL.read("{}").lane, careful.MODEL.read("{}").lane) == ("fast", "careful")
    for end in ("", ".9", ".999999", ".9999994", ".9999995", ".9999999999Z"[:-1], ".1234565", ".000000499999"):
        for clock in ("00:00:00", "12:59:59", "23:59:59"):
            for offset in ("Z", "z", "+05:30", "-23:59"):
                text = f"{clock}{end}{offset}"
                inputs = (
                    {"clock": text},
                    {"clocks": [1, text]},
                    {"moment": f"2024-12-31T{text}"},
                    {"moment": f"9999-12-31T{text}"},
                    {"by_name": {"a": None, "b": text}},
                )
                for given in inputs:
                    assert outcome_of(fast, given) == outcome_of(careful, given)
                past = clock == "23:59:59" and end[:8] >= ".9999995"
                assert (outcome_of(fast, {"clock": text}) == [("/clock", "invalid_format")]) == past


def outcome_of(module: ModuleType, given: dict[str, Any]) -> object:
    """The value that all forms of an input have, or their issues."""
    found: list[object] = []
    for data in (given, json.dumps(given), json.dumps(given).encode()):
        try:
            value = module.MODEL.decode(data)
        except PayloadError as error:
            found.append([(issue.path, issue.constraint) for issue in error.issues])
        else:
            assert module.MODEL.decode(module.MODEL.encode(value)) == value
            found.append(dataclasses.astuple(value))
    assert found[0] == found[1] == found[2]
    return found[0]


class CarefulUsed(Exception):
    pass


@pytest.fixture
def fast_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise CarefulUsed

    monkeypatch.setattr("toolgen.runtime.careful.Careful.read", refuse)


FAST = """
a: str = field("A.", pattern="^[a-z]+$")
b: float = field("B.", multiple_of=0.01)
c: list[int] = field("C.", unique_items=True)
d: Decimal = field("D.")
e: timedelta = field("E.")
f: Literal["a", 1, True, None, 2.5] = field("F.")
g: Any = field("G.")
h: datetime = field("H.")
i: int = field("I.", ge=-(2**70))
j: bytes = field("J.", max_length=3)
k: str = field("K.", format="ipv4")
"""


@pytest.mark.usefixtures("fast_only")
def test_what_msgspec_may_not_decide_alone_still_stays_in_the_fast_lane(compile_tool: CompileTool) -> None:
    args = compile_tool(FAST).MODEL.decode(
        '{"a": "ab", "b": 19.99, "c": [1, 2], "d": "1.0", "e": "PT1S", "f": 2.5, "g": {"x": [1]},'
        ' "h": "2026-01-01T00:00:00Z", "i": -1180591620717411303424, "j": "QUJD", "k": "10.0.0.1"}'
    )
    assert (args.b, args.f, args.i, args.j) == (19.99, 2.5, -(2**70), b"ABC")


@pytest.mark.usefixtures("fast_only")
def test_the_fast_lane_takes_nothing_that_the_schema_refuses(compile_tool: CompileTool) -> None:
    lines = [line[: line.rindex(")")] + ", optional=True)" for line in FAST.strip().splitlines()]
    model = compile_tool("\n".join(lines)).MODEL
    refused = ['"a": "AB"', '"b": 19.995', '"c": [1, 1]', '"d": "NaN"', '"e": "P1Y"', '"f": 2']
    for member in (*refused, '"i": -1180591620717411303425', '"j": "QUJDQQ=="', '"k": "10.0.0.256"'):
        with pytest.raises(CarefulUsed):
            model.decode(f"{{{member}}}")


def test_deep_input_is_refused_by_both_lanes_alike(compile_tool: CompileTool) -> None:
    tree = 'class Tree(Record):\n    """A tree."""\n\n    below: list[Tree] = field("B.", default=[])\n'
    module = compile_tool('tree: Tree = field("T.")\nany: Any = field("A.", default=0)', records=tree)
    for levels, fine in ((49, True), (50, False)):
        text = '{"tree":' + '{"below":[' * (levels - 1) + '{"below":[]}' + "]}" * (levels - 1) + "}"
        if fine:
            module.MODEL.decode(text)
        else:
            assert issues(lambda text=text: module.MODEL.decode(text)) == [("", "malformed_json")]  # type: ignore[misc]


def test_schema_and_example_are_the_codecs(compile_tool: CompileTool) -> None:
    module = compile_tool('n: int = field("N.")', options=', example={"n": 3}')
    assert module.MODEL.schema["required"] == ["n"]
    assert module.MODEL.example == {"n": 3}
    with pytest.raises(PayloadError) as caught:
        module.MODEL.decode("{}")
    assert 'A valid example: {"n": 3}' in caught.value.for_model()


@pytest.mark.parametrize("rule", ["", ', also={"not": {"const": "x"}}'], ids=["fast", "careful"])
def test_an_execution_codec_reads_with_its_context(compile_tool: CompileTool, rule: str) -> None:
    fields = f'query: str = field("Q."{rule})\nlimit: int = field("L.", default=3)\ntenant: str = injected("T.")'
    execution = compile_tool(fields).EXECUTION
    reading = execution.read('{"query": "vpn"}', {"tenant": "acme"})
    assert reading.value == execution.decode('{"query": "vpn"}', {"tenant": "acme"})
    assert (reading.lane, reading.given(), reading.notes) == ("careful" if rule else "fast", {"query"}, ())
    assert execution.decode_with_notes('{"query": "vpn"}', {"tenant": "acme"}) == (reading.value, ())
    with pytest.raises(ContextError, match="tenant is missing"):
        execution.read('{"query": "vpn"}')
    assert issues(lambda: execution.read("{}", {"tenant": "acme"})) == [("/query", "missing_field")]
