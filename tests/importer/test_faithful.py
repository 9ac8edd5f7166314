from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from importing_one import imported, schema_of, takes

from toolgen.importer import rules
from toolgen.importer.importing import compose
from toolgen.importer.reporting import Outcome
from toolgen.importer.sources import Form, SourceFault, tools_of
from toolgen.importer.tools import plan_tool
from toolgen.runtime.careful import Careful
from toolgen.runtime.pointers import steps

Schema = Any

pytestmark = pytest.mark.once

# Random schemas ------------------------------------------------------------------------------------------------------

KEYS = st.sampled_from(["a", "b", "ab", "x1", "kind"])
SCALARS = st.none() | st.booleans() | st.integers(-3, 4) | st.sampled_from([0.5, 2.0, "", "a", "ab", "b1", "xx", "z"])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=10
)
SIZES = st.integers(0, 3)
NUMBERS = st.integers(-2, 3) | st.sampled_from([0.5, 1.5])
PATTERNS = st.sampled_from(["^a", "b$", "[0-9]", "^x", r"\_"])
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]


def typed(name: str, **keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
    return st.fixed_dictionaries({"type": st.just(name)}, optional=keywords)


LEAVES = st.one_of(
    typed("integer", minimum=NUMBERS, exclusiveMaximum=NUMBERS, multipleOf=st.sampled_from([1, 2, 0.5, 1.5])),
    typed("number", exclusiveMinimum=NUMBERS, maximum=NUMBERS),
    typed("string", minLength=SIZES, maxLength=SIZES, pattern=PATTERNS),
    st.sampled_from(TYPES).map(lambda name: {"type": name}),
    st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True).map(lambda names: {"type": names}),
    st.lists(SCALARS, min_size=1, max_size=3).map(lambda members: {"enum": members}),
    st.lists(VALUES, min_size=1, max_size=2).map(lambda members: {"enum": members}),
    SCALARS.map(lambda member: {"const": member}),
    st.sampled_from([True, False, {}, {"minimum": 1}, {"required": ["a"]}, {"$ref": "#/$defs/Node"}]),
    st.sampled_from(["Name", "Tree", "Maybe", "Call"]).map(lambda name: {"$ref": f"#/$defs/{name}"}),
)


def containers(inner: st.SearchStrategy[Schema]) -> st.SearchStrategy[Schema]:
    arms = st.lists(inner, min_size=1, max_size=3)
    objects = st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(KEYS, inner, max_size=3)},
        optional={
            "required": st.lists(KEYS, unique=True, max_size=2),
            "additionalProperties": st.booleans() | inner,
        },
    )
    rules: Mapping[str, st.SearchStrategy[Any]] = {
        "patternProperties": st.dictionaries(PATTERNS, inner, min_size=1, max_size=1),
        "minProperties": SIZES,
        "maxProperties": SIZES,
        "propertyNames": inner,
        "dependentRequired": st.dictionaries(KEYS, st.lists(KEYS, max_size=1), max_size=1),
        "dependentSchemas": st.dictionaries(KEYS, inner, max_size=1),
        "not": inner,
        "if": inner,
        "then": inner,
        "allOf": arms,
        "anyOf": arms,
        "oneOf": arms,
        "$ref": st.just("#/$defs/Node"),
        "default": SCALARS,
        "description": st.just("Said."),
    }
    ruled = st.sampled_from(sorted(rules)).flatmap(
        lambda word: st.tuples(objects, rules[word]).map(lambda pair: {**pair[0], word: pair[1]})
    )
    tagged = st.lists(objects, min_size=2, max_size=2).map(
        lambda pair: {
            "oneOf": [
                {
                    **one,
                    "properties": {**one["properties"], "kind": {"const": name}},
                    "required": [*one.get("required", ()), "kind"]
                    if "kind" not in one.get("required", ())
                    else one["required"],
                }
                for name, one in zip(("a", "b"), pair, strict=True)
            ]
        }
    )
    presence = st.lists(KEYS, min_size=1, max_size=2, unique=True).map(
        lambda names: {"type": "object", "oneOf": [{"required": [name]} for name in names]}
    )
    return st.one_of(
        objects,
        ruled,
        tagged,
        presence,
        typed("array", items=inner, minItems=SIZES, maxItems=SIZES, uniqueItems=st.booleans()),
        typed("array", prefixItems=arms, items=inner, contains=inner),
        typed("object", additionalProperties=inner, minProperties=SIZES, maxProperties=SIZES, propertyNames=inner),
        arms.map(lambda schemas: {"anyOf": schemas}),
        arms.map(lambda schemas: {"oneOf": schemas}),
        arms.map(lambda schemas: {"allOf": schemas}),
        st.tuples(inner, st.sampled_from(["anyOf", "oneOf", "allOf"]), arms).map(
            lambda parts: {**parts[0], parts[1]: parts[2]} if isinstance(parts[0], dict) else parts[0]
        ),
        inner.map(lambda schema: {"not": schema}),
    )


DEFS = {
    "Name": {"type": "string", "minLength": 1},
    "Node": {"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}},
    "Maybe": {"type": ["object", "null"], "properties": {"a": {"$ref": "#/$defs/Maybe"}}, "minProperties": 1},
    "Call": {
        "anyOf": [
            {"type": "string"},
            {"type": "object", "properties": {"b": {"$ref": "#/$defs/Call", "description": "Said."}}},
            {"type": "array", "items": {"$ref": "#/$defs/Node", "required": ["a"]}},
        ]
    },
    "Tree": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#/$defs/Tree"}}]},
}
SCHEMAS = st.recursive(LEAVES, containers, max_leaves=8)


def as_input(schema: Schema) -> Schema:
    """A schema whose one property has the schema."""
    return {"$defs": DEFS, "type": "object", "properties": {"p": schema}, "additionalProperties": False}


def stands_in(at: Any, pointer: str) -> None:
    """Raises where nothing is at a JSON Pointer."""
    for step in steps(pointer):
        at = at[int(step)] if isinstance(at, list) else at[step]


def judge_import(schema: Schema, values: list[Any]) -> None:
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
        made = imported(schema)
    except (jsonschema.SchemaError, SourceFault):
        return
    assert not made.bad, [bad.line() for bad in made.bad]
    for entry in made.entries:
        stands_in(schema, entry.pointer)
    careful = Careful(schema_of(made))
    judge = jsonschema.Draft202012Validator(schema)
    kinds = {entry.outcome.value for entry in made.losses}
    for value in values:
        takes, valid = not careful.judge(value, lenient=False).issues, judge.is_valid(value)
        if takes and not valid:
            assert "wider" in kinds, (value, "is taken, but is not valid")
        if valid and not takes:
            assert "narrower" in kinds, (value, "is valid, but is not taken")


@given(SCHEMAS, st.lists(VALUES, min_size=1, max_size=8))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_field_takes_what_its_schema_takes_or_the_report_says(schema: Schema, values: list[Any]) -> None:
    judge_import(as_input(schema), [{}, *({"p": value} for value in values)])


@given(containers(SCHEMAS), st.lists(st.dictionaries(KEYS, VALUES, max_size=4), min_size=1, max_size=8))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_tool_takes_what_its_schema_takes_or_the_report_says(schema: Schema, values: list[Any]) -> None:
    judge_import({**schema, "$defs": DEFS}, values)


@pytest.mark.parametrize("schema", [True, {}, {"description": "Any."}, {"$ref": "#/$defs/Any", "$defs": {"Any": {}}}])
def test_a_schema_that_says_nothing_takes_any_object_and_the_report_says_that_it_takes_more(schema: Schema) -> None:
    made = imported(schema)
    assert schema_of(made)["additionalProperties"] is True
    assert [entry.outcome for entry in made.losses] == [Outcome.NARROWER]


@pytest.mark.parametrize("schema", [{}, {"properties": {"a": {"type": "string"}}}, {"type": ["object", "null"]}])
def test_the_input_of_a_tool_is_an_object_whatever_its_schema_says(schema: Schema) -> None:
    source = next(iter(tools_of([{"name": "trial", "inputSchema": schema}], Form.MCP, "")))
    assert not compose([plan_tool(source, "trial.json")], "desk", "Trial.").losses


OBJECT = {"type": "object", "properties": {'a"b': {"type": "string"}}}


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"type": "string"}, OBJECT]},
        {"type": ["string", "null", "object"], "properties": OBJECT["properties"]},
        {"anyOf": [{"enum": [[1], None, 2]}, {"enum": ["b"]}]},
        {"oneOf": [{"enum": [{}, "x"]}, {"type": "array"}]},
        {"properties": {"a": {"type": "string"}}, "patternProperties": {"^b": {"type": "string"}}, "minProperties": 1},
    ],
)
def test_what_is_said_of_objects_bears_on_no_other_alternative(schema: Schema) -> None:
    judge_import(as_input(schema), [{"p": value} for value in ("x", None, 1, {}, {"a": 1}, {'a"b': 1}, {"b": "x"}, [])])


def test_what_refers_to_itself_alone_is_reported_beside_an_enum() -> None:
    itself = {"$defs": {"A": {"enum": ["a"], "$ref": "#/$defs/A"}}, "type": "object"}
    made = imported({**itself, "properties": {"p": {"enum": ["a", 1], "$ref": "#/$defs/A"}}})
    assert {entry.outcome for entry in made.losses} == {Outcome.WIDER}


@pytest.mark.parametrize(
    "holder",
    [
        {"type": ["object", "null"], "properties": {"a": {"$ref": "#/$defs/Holder"}}},
        {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"a": {"$ref": "#/$defs/Holder"}}}]},
        {"type": "object", "properties": {"a": {"$ref": "#/$defs/Holder", "required": ["b"]}}},
        {"type": "object", "properties": {"a": {"allOf": [{"$ref": "#/$defs/Holder"}, {"properties": {"b": False}}]}}},
        {"type": "object", "additionalProperties": {"anyOf": [{"$ref": "#/$defs/Holder"}, {"type": "null"}]}},
        {
            "type": ["object", "null"],
            "properties": {"a": {"$ref": "#/$defs/Holder"}, "b": {"type": "string"}},
            "additionalProperties": False,
            "dependentRequired": {"a": ["b"]},
        },
    ],
)
def test_what_holds_itself_takes_inside_itself_what_it_takes(holder: Schema) -> None:
    schema = {**as_input({"$ref": "#/$defs/Holder"}), "$defs": {"Holder": holder}}
    inner: list[Any] = [None, "a", 1, {}, {"a": {}}, {"b": 1}, {"b": "x"}]
    once = [{"a": value} for value in inner] + [{"a": value, "b": "x"} for value in inner]
    judge_import(schema, [{"p": value} for value in [*inner, *once, *({"a": value} for value in once)]])
    assert imported(schema).tools == 1


CLOSED = {"properties": {"a": {}}, "additionalProperties": False}


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"properties": {"a": {"enum": []}}}, CLOSED]},
        {"oneOf": [{"required": ["a"]}, CLOSED]},
        {"anyOf": [{"required": ["b"]}, CLOSED]},
        {"anyOf": [{"required": ["b"], **CLOSED}]},
        {"oneOf": [{"required": ["b"], **CLOSED}, CLOSED]},
        {"additionalProperties": False, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    ],
)
def test_alternatives_that_take_unknown_keys_are_told_from_those_that_do_not(schema: Schema) -> None:
    objects: list[Any] = [{}, {"a": 1}, {"b": 1}, {"a": 1, "b": 1}, {"c": 1}, {"a": 1, "c": 1}]
    judge_import(as_input({"type": "object", **schema}), [{}, *({"p": value} for value in objects)])
    judge_import({"type": "object", "maxProperties": 5, "properties": {"a": {}, "c": {}}, **schema}, objects)


def test_what_an_older_draft_has_beside_a_reference_says_nothing() -> None:
    beside = {"dependencies": {"a": ["b"]}, "items": [{"type": "string"}], "additionalItems": False, "minLength": 2}
    schema = as_input({"$ref": "#/$defs/Any", **beside})
    made = imported({**schema, "$defs": {"Any": {}}, "$schema": "http://json-schema.org/draft-07/schema#"})
    assert not made.losses
    assert all(takes(made, {"p": value}) for value in ({"a": 1}, [1, 2], "x"))


def test_a_rule_leaves_open_what_may_hold_itself() -> None:
    value = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/Value"}}]}
    ruled = {"$ref": "#/$defs/Value", "if": {"minItems": 1}, "else": {"minLength": 1}}
    schema = {**as_input(ruled), "$defs": {"Value": value}}
    judge_import(schema, [{"p": given} for given in (["a"], [["a"]], [[[]]], [], "a", "", [1], [[[1]]])])
    assert imported(schema).losses == []


@pytest.mark.parametrize(("most", "outcomes"), [(3_000, set()), (4, {Outcome.WIDER})])
def test_definitions_of_rules_are_written_as_long_as_they_are_not_too_many(
    most: int, outcomes: set[Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "MOST_DEFINED", most)
    inner = {"type": "array", "items": {"$ref": "#/$defs/B"}}
    trees = {"A": {"anyOf": [{"type": "integer"}, inner]}, "B": {"type": "array", "items": {"$ref": "#/$defs/A"}}}
    made = imported({**as_input({"$ref": "#/$defs/A"}), "$defs": trees})
    assert {entry.outcome for entry in made.losses} == outcomes
    assert takes(made, {"p": [[1], [[[2]]]]})


@pytest.mark.parametrize(("most", "outcomes"), [(60, set()), (30, set()), (8, {Outcome.WIDER})])
def test_what_a_rule_refers_to_often_is_defined_once_where_it_is_too_large(
    most: int, outcomes: set[Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "MOST_WORDS", most)
    part = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "minimum": 1}}}
    names = ["b", "c", "d", "e"]
    ruled = {"not": {"properties": {name: {"$ref": "#/$defs/Part"} for name in names}, "required": names}}
    schema = {**as_input(ruled), "$defs": {"Part": part}}
    made = imported(schema)
    assert {entry.outcome for entry in made.losses} == outcomes
    whole = {name: {"a": 1} for name in names}
    judge_import(schema, [{"p": value} for value in (whole, {**whole, "e": {"a": 0}}, {**whole, "e": {}}, {}, 1)])


@pytest.mark.parametrize(
    ("rule", "kept", "lost"),
    [
        ({"minProperties": 1, "dependentRequired": {"a": ["b"]}}, [{"a": 1}], ["minProperties"]),
        ({"minProperties": 2, "anyOf": [{"not": {"required": ["a"]}}, {"required": ["b"]}]}, [{"a": 1}], ["minProp"]),
        ({"allOf": [{"minProperties": 1}, {"maxProperties": 2}]}, [{"a": 1, "x": 1, "y": 1}], ["minProperties"]),
        ({"minProperties": 1, "required": ["$schema"], "not": {"required": ["b"]}}, [{"b": 1}], ["minP", "'$schema'"]),
        ({"not": {"required": ["$schema"]}, "dependentRequired": {"a": ["b"]}}, [{"a": 1}], ["'$schema'"]),
    ],
)
def test_of_a_rule_on_an_open_input_what_can_hold_is_kept(rule: Schema, kept: list[Any], lost: list[str]) -> None:
    fields = {"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "integer", "default": 3}}
    schema = {"type": "object", "properties": fields, **rule}
    made = imported(schema)
    assert [takes(made, value) for value in kept] == [False] * len(kept)
    assert [word in entry.text for word, entry in zip(lost, made.losses, strict=True)] == [True] * len(lost)
    assert ("default" in schema_of(made)["properties"]["c"]) == ("maxProperties" not in repr(rule))
    judge_import(schema, [{}, {"a": 1}, {"b": 1}, {"a": 1, "b": 1}, {"x": 1}, {"a": 1, "b": 1, "x": 1, "y": 1}])


def test_a_multiple_of_one_stays_a_multiple_of_one() -> None:
    made = imported(as_input({"type": "integer", "multipleOf": 1}))
    assert schema_of(made)["properties"]["p"]["multipleOf"] == 1


@pytest.mark.parametrize(
    ("default", "kept"),
    [({}, False), ([{}], False), ([], True), (None, True), ({"next": []}, True)],
)
def test_a_default_that_never_ends_is_left_out(default: Any, kept: bool) -> None:
    node = {"$ref": "#/$defs/Trunk"}
    links = {"anyOf": [node, {"type": "array", "items": node}, {"type": "null"}], "default": default}
    trunk = {"type": "object", "properties": {"next": links}, "additionalProperties": False}
    made = imported({**as_input(node), "$defs": {"Trunk": trunk}})
    assert schema_of(made)["$defs"]["Trunk"]["properties"]["next"].get("default", "none") == (
        default if kept else "none"
    )
    assert [entry.pointer for entry in made.entries] == ([] if kept else ["/$defs/Trunk/properties/next/default"])


@pytest.mark.parametrize("validator", [jsonschema.Draft4Validator, jsonschema.Draft7Validator])
def test_the_schema_of_schemas_is_imported(validator: Any) -> None:
    assert imported(validator.META_SCHEMA).tools == 1


def test_of_equal_members_of_an_enum_the_first_is_kept() -> None:
    made = imported(as_input({"enum": [2, "a", 2.0, "b", "a"]}))
    assert made.written is not None
    assert 'Literal[2, "a", "b"]' in made.written.text


@pytest.mark.parametrize("word", ["then", "else"])
def test_a_consequence_without_a_condition_is_no_rule(word: str) -> None:
    made = imported(as_input({"type": "string", word: {"minLength": 2}}))
    assert made.written is not None
    assert "also=" not in made.written.text


def test_a_closed_object_that_asks_for_more_keys_than_it_has_takes_nothing() -> None:
    with pytest.raises(SourceFault, match="takes no object"):
        imported({"type": "object", "properties": {}, "additionalProperties": False, "minProperties": 1})


@pytest.mark.parametrize("type_", ["integer", ["integer", "null"]])
def test_integers_of_draft_4_are_those_of_later_drafts_which_is_noted(type_: Schema) -> None:
    draft_4 = {"$schema": "http://json-schema.org/draft-04/schema#", **as_input({"type": type_})}
    assert ["#/properties/p/type" in entry.line() for entry in imported(draft_4).entries] == [True]


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        ({"$schema": "http://json-schema.org/draft-03/schema#", **as_input({"type": "string"})}, "/$schema"),
        ({"$schema": "https://example.com/ours", **as_input({"type": "string"})}, "/$schema"),
        (as_input({"type": "array", "items": [{"type": "string"}]}), "/properties/p/items"),
    ],
)
def test_what_is_read_as_another_draft_is_noted(schema: Schema, pointer: str) -> None:
    assert [(entry.pointer, entry.outcome) for entry in imported(schema).entries] == [(pointer, Outcome.NOTE)]


@pytest.mark.parametrize("word", ["default", "examples"])
def test_what_is_said_of_an_annotation_points_to_where_it_stands(word: str) -> None:
    said = [7] if word == "examples" else 7
    schema = {**as_input({"$ref": "#/$defs/Named"}), "$defs": {"Named": {"type": "string", word: said}}}
    assert [entry.pointer for entry in imported(schema).entries] == [f"/$defs/Named/{word}"]
