"""What a model is told of a submit, and the options that change it at run time."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generated.triage import TOOLSET, hand_over, submit_report
from toolgen import providers
from toolgen.runtime import PayloadError, ToolCall
from toolgen.runtime.careful import Careful

SUBMIT = submit_report.SUBMIT
ITSELF = {"$ref": "#/$defs/Evidence"}


def test_the_schema_that_is_told_is_the_one_of_the_generated_inputs() -> None:
    for module in (submit_report, hand_over):
        assert module.SUBMIT.schema == module.MODEL.schema
        assert list(module.SUBMIT.schema["properties"]) == list(module.MODEL.schema["properties"])


def test_the_toolset_names_its_submits_and_runs_none_of_them() -> None:
    assert TOOLSET.submits == ("submit_report", "hand_over")
    assert TOOLSET.submit("hand_over") is hand_over.SUBMIT
    assert list(TOOLSET) == []
    with pytest.raises(KeyError, match='no submit "hand": there are "submit_report", "hand_over"'):
        TOOLSET.submit("hand")
    with pytest.raises(KeyError, match='did you mean "hand_over"'):
        TOOLSET.submit("handover")
    with pytest.raises(KeyError, match='the toolset triage has no tool "submit_report": there are none'):
        TOOLSET["submit_report"]


@pytest.mark.parametrize("provider", providers.PROVIDERS)
def test_every_provider_is_told_of_a_submit(provider: str) -> None:
    for submit in (SUBMIT, hand_over.SUBMIT, SUBMIT.with_options(omit=["confidence"]), SUBMIT.with_options(flat=True)):
        told = providers.definition(submit, provider)
        assert told == providers.definitions([submit], provider)[0]
        assert submit.name in str(told)
        assert ("confidence" in str(told)) == ("confidence" in str(submit.schema))
    assert providers.definition(SUBMIT, provider) == providers.definition(submit_report.SPEC, provider)


def test_options_change_what_is_told() -> None:
    submit = SUBMIT.with_options(
        name="finish", description="Ends it.", success="Thanks.", payload="final", payload_description="All.",
        reasoning=False,
    )  # fmt: skip
    assert (submit.name, submit.description) == ("finish", "Ends it.")
    assert submit.schema["properties"] == {
        "final": {"allOf": [{"$ref": "#/$defs/TriageReport"}], "description": "All."}
    }
    assert submit.schema["required"] == ["final"]
    outcome = submit.read(ToolCall("1", "finish", {"final": {"severity": "low", "summary": "s"}}))
    assert (outcome.accepted, outcome.result.text) == (True, "Thanks.")
    assert SUBMIT.name == "submit_report"


def test_what_is_omitted_is_told_nowhere_and_still_decodes() -> None:
    submit = SUBMIT.with_options(omit=("confidence", "evidence"))
    assert list(submit.schema["$defs"]["TriageReport"]["properties"]) == ["severity", "summary"]
    given = {"severity": "low", "summary": "s", "confidence": 0.9}
    outcome = submit.read(ToolCall("1", "submit_report", {"reasoning": "r", "report": given}))
    assert outcome.response is not None
    assert outcome.response.confidence == 0.9
    assert "confidence" in str(SUBMIT.schema)
    assert "Evidence" in SUBMIT.schema["$defs"]
    assert list(submit.schema["$defs"]) == ["TriageReport"]
    assert SUBMIT.with_options(omit=("confidence",) * 2).schema == SUBMIT.with_options(omit=["confidence"]).schema


@pytest.mark.parametrize("flat", [False, True])
def test_no_refusal_tells_of_what_is_omitted(flat: bool) -> None:
    submit = SUBMIT.with_options(omit=("confidence", "evidence"), flat=flat)
    given = {"severity": "low", "summary": "s"}
    for wrong in ({"confidense": 1}, {"x": 1}, {"evidense": []}):
        written = {**given, **wrong} if flat else {"report": {**given, **wrong}}
        outcome = submit.read(ToolCall("1", "submit_report", {"reasoning": "r", **written}))
        assert isinstance(outcome.error, PayloadError)
        (issue,) = outcome.error.issues
        names = ("reasoning", "severity", "summary") if flat else ("severity", "summary")
        assert (issue.constraint, issue.allowed, issue.hint) == ("unknown_field", names, None)
        assert f"the fields are {', '.join(json.dumps(name) for name in names)}." in outcome.result.text
    wrong = {"severety": "low", "summary": "s"}
    outcome = submit.read(ToolCall("1", "submit_report", {"reasoning": "r", **(wrong if flat else {"report": wrong})}))
    assert flat or 'Did you mean "severity"?' in outcome.result.text


def test_an_unknown_parameter_of_a_flat_submit_is_told_all_that_there_are() -> None:
    outcome = hand_over.SUBMIT.read(
        ToolCall("1", "hand_over", {"reasoning": "r", "team": "network", "note": "n", "zz": 1})
    )
    assert 'the fields are "reasoning", "team", "note", "hours".' in outcome.result.text


def test_a_property_that_is_hidden_is_not_taken_for_the_reasoning(
    compile_design: Callable[[str], ModuleType],
) -> None:
    from conftest import PRELUDE

    response = (
        'class Told(Record):\n    """T."""\n\n    a: str = field("A.")\n    reasoning: str = field("R.", default="")\n'
    )
    end = '@things.submit(name="end")\nclass End:\n    """Ends it."""\n\n    Response = Told\n'
    made = compile_design(f"{PRELUDE}\n\n{response}\n\n{end}")
    submit = importlib.import_module(f"{made.__name__}.things.end").SUBMIT
    with pytest.raises(ValueError, match="the response has a property reasoning: give reasoning=False"):
        submit.with_options(flat=True, omit=("reasoning",))
    hidden = submit.with_options(flat=True, omit=("reasoning",), reasoning=False)
    assert hidden.read(ToolCall("1", "end", {"a": "x", "reasoning": "y"})).response.reasoning == "y"


def test_an_object_that_has_the_same_names_is_told_of_its_own(compile_design: Callable[[str], ModuleType]) -> None:
    from conftest import PRELUDE

    fields = """
    name: str = field("Its name.")
    note: str = field("A note.", optional=True)
    inner: {} = field("What it holds.", optional=True)
"""
    records = [f'class {name}(Record):\n    """A {name}."""\n{fields}' for name in ("Leaf", "Tree")]
    records = [text.format(holds) for text, holds in zip(records, ("str", "Leaf"), strict=True)]
    end = '@things.submit(name="end")\nclass End:\n    """Ends it."""\n\n    Response = Tree\n'
    made = compile_design(PRELUDE + "\n\n".join([*records, end]))
    submit = importlib.import_module(f"{made.__name__}.things.end").SUBMIT.with_options(omit=("note",))
    written = {"name": "n", "x": 1, "inner": {"name": "n", "x": 1}}
    outcome = submit.read(ToolCall("1", "end", {"reasoning": "r", "result": written}))
    assert {issue.path: issue.allowed for issue in outcome.error.issues} == {
        "/result/x": ("name", "inner"),
        "/result/inner/x": ("name", "note", "inner"),
    }


def test_no_refusal_says_where_something_omitted_belongs() -> None:
    submit = SUBMIT.with_options(omit=("confidence",))
    for written in ({"confidence": 1}, {"report": {}, "confidence": 1}):
        text = submit.read(ToolCall("1", "x", {"reasoning": "r", **written})).result.text
        for echo in ('name begins: "confidence"', "/confidence: is no field here"):
            text = text.replace(echo, "")
        assert "confidence" not in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"omit": ("confidense",)}, "did you mean confidence"),
        ({"omit": ("x",)}, "no property"),
        ({"omit": ("summary",)}, "required"),
        ({"omit": "confidence"}, "tuple of names"),
        ({"omit": None}, "tuple of names"),
        ({"omit": b"confidence"}, "tuple of names"),
        ({"name": "no name"}, "refuse"),
        ({"name": ""}, "refuse"),
        ({"description": " "}, "give text"),
        ({"success": ""}, "give text"),
        ({"success": "\ud800"}, "give text"),
        ({"payload": "a b"}, "refuse"),
        ({"payload_description": ""}, "payload_description is ''"),
        ({"flat": "yes"}, "flat is 'yes'"),
        ({"reasoning": 0}, "reasoning is 0"),
        ({"schema": {"type": "object"}}, "give a function"),
        ({"schema": lambda schema: {"properties": {"a b": {}}}, "flat": True}, "providers refuse the name"),
        ({"payload": "reasoning"}, "reasoning=False"),
        ({"flat": True, "payload": "x"}, "do not go with flat"),
        ({"flat": True, "payload_description": "x"}, "do not go with flat"),
        ({"schema": lambda schema: {}}, "no properties"),
        ({"schema": lambda schema: {**schema, "required": ["sumary"]}}, "requires 'sumary', which is none of its"),
        ({"schema": lambda schema: {**schema, "description": "\ud800"}}, "can't hold"),
        ({"schema": lambda schema: {**schema, "$defs": {"Evidence": ITSELF}}}, "can't be followed"),
        (
            {"schema": lambda schema: {"properties": {"x": {"$ref": "#/definitions/X"}}}},
            "at /properties/x/.ref, '#/defi",
        ),
        (
            {"schema": lambda schema: {"properties": {"x": {"type": "null"}}, "required": ["x"]}, "flat": True},
            "but null",
        ),
        ({"schema": lambda schema: {**schema, "x": float("nan")}}, "can't hold"),
        ({"schema": lambda schema: {"properties": {"reasoning": {}}}, "flat": True}, "reasoning=False"),
    ],
)
def test_a_tool_that_can_not_be_built_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        SUBMIT.with_options(**options)
    if options.keys() == {"omit"}:
        with pytest.raises(ValueError, match=words):
            dataclasses.replace(SUBMIT, **options)


def test_schema_shapes_what_is_told_and_changes_no_decoding() -> None:
    seen: list[Any] = []

    def shape(schema: dict[str, Any]) -> dict[str, Any]:
        seen.append(dict(schema))
        schema["properties"]["summary"] = {"type": "string", "description": "One sentence."}
        return schema

    submit = SUBMIT.with_options(omit=("confidence",), schema=shape)
    assert submit.schema["$defs"]["TriageReport"]["properties"]["summary"]["description"] == "One sentence."
    assert "confidence" not in seen[0]["properties"]
    assert SUBMIT.schema["$defs"]["TriageReport"]["properties"]["summary"]["maxLength"] == 400
    long = {"severity": "low", "summary": "s" * 401}
    assert not submit.read(ToolCall("1", "submit_report", {"reasoning": "r", "report": long})).accepted


NAMES = st.sampled_from(["a", "b", "c d"])
PARTS = st.recursive(
    st.sampled_from(
        [
            {}, True, False, {"type": "string"}, {"enum": [1, "a", None]}, {"const": None}, {"$ref": "#/$defs/A"},
            {"$ref": "#"}, 5, None,
        ]
    ),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array", ["array", "null"], ["object", "string"], 5]),
            "properties": st.dictionaries(NAMES, inner, max_size=2),
            "required": st.lists(NAMES, max_size=2),
            "items": inner,
            "additionalProperties": inner,
            "anyOf": st.lists(inner, max_size=3),
            "allOf": st.lists(inner, max_size=2),
            "description": st.sampled_from(["d", 5]),
            "default": st.sampled_from([None, {"a": 1}]),
            "examples": st.sampled_from([[None], 1]),
        },
    ),
    max_leaves=4,
)  # fmt: skip
TOLD = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(NAMES, PARTS, max_size=3)},
    optional={"required": st.lists(NAMES, max_size=1), "$defs": st.fixed_dictionaries({"A": PARTS})},
)


@settings(max_examples=40)
@given(TOLD, st.booleans())
def test_whatever_schema_gives_is_refused_at_once_or_told_to_providers(told: dict[str, Any], flat: bool) -> None:
    try:
        submit = SUBMIT.with_options(schema=lambda schema: told, flat=flat)
    except ValueError:
        return
    for provider in providers.PROVIDERS:
        for strict in (False, True):
            with contextlib.suppress(providers.ProjectionError):
                providers.definition(submit, provider, strict=strict)
    with contextlib.suppress(providers.ProjectionError):
        providers.definition(submit, "gemini", live=True)


def test_a_response_that_holds_itself_is_told_once(compile_design: Callable[[str], ModuleType]) -> None:
    from conftest import PRELUDE

    source = (
        PRELUDE
        + '''
class Node(Record):
    """A node."""

    name: str = field("Its name.")
    note: str = field("A note.", optional=True)
    below: list[Node] = field("Nodes below it.", default=[])
    owner: int | None = field("Who owns it.")


@things.submit(name="end")
class End:
    """Ends it."""

    Response = Node
'''
    )
    end = importlib.import_module(f"{compile_design(source).__name__}.things.end")
    assert end.SUBMIT.schema == end.MODEL.schema
    told = end.SUBMIT.with_options(omit=("note",)).schema
    assert list(told["$defs"]) == ["Node"]
    assert "note" not in told["$defs"]["Node"]["properties"]
    flat = end.SUBMIT.with_options(flat=True, omit=("note",)).schema
    assert flat["properties"]["owner"]["type"] == "integer"
    assert "note" not in str(flat)
    # What only the response itself is told as stands beside what it holds.
    shaped = end.SUBMIT.with_options(schema=lambda schema: {**schema, "description": "The root."}).schema
    assert {name: inner["description"] for name, inner in shaped["$defs"].items()} == {
        "Node_": "The root.",
        "Node": "A node.",
    }
    assert shaped["$defs"]["Node_"]["properties"]["below"]["items"] == {"$ref": "#/$defs/Node"}
    assert shaped["properties"]["result"]["allOf"] == [{"$ref": "#/$defs/Node_"}]


RULED = """
class Move(Record, also={RULE}):
    \"\"\"A move.\"\"\"

    up: int | None = field("Up.", optional=True, keep_null=True)
    down: int | None = field("Down.", optional=True, keep_null=True)
    by: int | None = field("By.", optional=True, keep_null=True)


@things.submit(name="end"{OPTIONS})
class End:
    \"\"\"Ends it.\"\"\"

    Response = Move
"""


def ruled(compile_design: Callable[[str], ModuleType], rule: dict[str, Any], options: str = "") -> Any:
    from conftest import PRELUDE

    source = PRELUDE + RULED.replace("{RULE}", repr(rule)).replace("{OPTIONS}", options)
    return importlib.import_module(f"{compile_design(source).__name__}.things.end")


def test_a_rule_of_the_response_is_told_in_both_forms(compile_design: Callable[[str], ModuleType]) -> None:
    rule = {"anyOf": [{"required": ["up"]}, {"required": ["down"]}]}
    nested = ruled(compile_design, rule).SUBMIT
    end = ruled(compile_design, rule, ", flat=True")
    assert nested.schema["$defs"]["Move"]["allOf"] == [rule]
    assert nested.with_options(flat=True).schema == end.SUBMIT.schema == end.MODEL.schema
    assert end.SUBMIT.schema["allOf"] == [rule]
    assert end.SUBMIT.read(ToolCall("1", "end", {"reasoning": "r", "up": 1})).accepted
    assert not end.SUBMIT.read(ToolCall("1", "end", {"reasoning": "r", "by": 1})).accepted
    assert nested.with_options(omit=("by",)).schema["$defs"]["Move"]["allOf"] == [rule]
    with pytest.raises(ValueError, match="'up', which also= of the response speaks of"):
        nested.with_options(omit=("up",))


def test_a_rule_on_all_keys_does_not_go_with_reasoning_beside_them(compile_design: Callable[[str], ModuleType]) -> None:
    submit = ruled(compile_design, {"maxProperties": 2}).SUBMIT
    with pytest.raises(ValueError, match="says maxProperties of all keys, and so of reasoning"):
        submit.with_options(flat=True)
    assert submit.with_options(flat=True, reasoning=False).schema["allOf"] == [{"maxProperties": 2}]


def test_no_required_parameter_of_a_flat_submit_is_told_that_it_may_be_null(
    compile_design: Callable[[str], ModuleType],
) -> None:
    from conftest import PRELUDE

    source = (
        PRELUDE
        + """
class Tone(enum.Enum):
    \"\"\"A tone.\"\"\"

    LOW = "low"
    NONE = None


class Part(Record):
    \"\"\"A part.\"\"\"

    n: int = field("N.")


class All(Record):
    \"\"\"All that can be null.\"\"\"

    number: int | None = field("A.", example=None)
    tone: Tone = field("B.")
    word: Literal["a", None] = field("C.")
    either: Literal["a", None] | int = field("D.")
    part: Part | None = field("E.")
    parts: list[Part] | Part | None = field("F.")
    anything: Any = field("H.")
    ruled: Any = field("I.", also={"minLength": 1}, example=None)
    once: Any = field("J.", also={"allOf": [{"type": ["string", "null"]}]}, example="a")
    free: int | None = field("G.", optional=True)


@things.submit(name="nested")
class Nested:
    \"\"\"Ends it.\"\"\"

    Response = All


@things.submit(name="flat", flat=True)
class Flat:
    \"\"\"Ends it.\"\"\"

    Response = All
"""
    )
    things = importlib.import_module(f"{compile_design(source).__name__}.things")
    good = {"number": 1, "tone": "low", "word": "a", "either": 1, "part": {"n": 1}, "parts": {"n": 1}}
    good |= {"anything": 0, "ruled": "a", "once": "a", "free": None}
    for submit in (things.flat.SUBMIT, things.nested.SUBMIT.with_options(flat=True)):
        assert submit.schema == things.flat.MODEL.schema
        assert all(inner.get("examples") != [None] for inner in submit.schema["properties"].values())
        assert "It must not be null." in str(providers.definition(submit, "gemini"))
        assert submit.read(ToolCall("1", "flat", {"reasoning": "r", **good})).accepted
        told = Careful(submit.schema)
        assert not told.judge({"reasoning": "r", **good}, lenient=False).issues
        for name in set(good) - {"free"}:
            outcome = submit.read(ToolCall("1", "flat", {"reasoning": "r", **good, name: None}))
            assert (outcome.error.cause, outcome.error.parameter) == ("parameter_type", name)
            assert told.judge({"reasoning": "r", **good, name: None}, lenient=False).issues
            with pytest.raises(PayloadError):
                things.flat.MODEL.decode({"reasoning": "r", **good, name: None})
