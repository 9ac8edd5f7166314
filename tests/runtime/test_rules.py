from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolgen.runtime.careful import Careful

Schema = dict[str, Any]

SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, 2.0, "", "a", "ab", "b1"])
KEYS = st.sampled_from(["a", "b", "ab", "x1"])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
PATTERNS = st.sampled_from(["^a", "b$", "[0-9]"])
SIZES = st.integers(0, 2)
LEAVES = st.one_of(
    st.sampled_from(["string", "integer", "number", "object", "array", "null"]).map(lambda name: {"type": name}),
    st.lists(VALUES, min_size=1, max_size=2).map(lambda values: {"enum": values}),
    st.sampled_from([True, False, {}, {"minimum": 1}, {"minLength": 1}, {"required": ["a"]}, {"pattern": "^a"}]),
)


def rules(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
    """Schemas of a form and of every rule."""
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array", ["string", "object"]]),
            "properties": st.dictionaries(KEYS, inner, max_size=2),
            "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
            "additionalProperties": inner,
            "propertyNames": inner,
            "items": inner,
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "dependentRequired": st.dictionaries(KEYS, st.lists(KEYS, unique=True, max_size=2), max_size=2),
            "dependentSchemas": st.dictionaries(KEYS, inner, max_size=1),
            "contains": inner,
            "minContains": SIZES,
            "maxContains": SIZES,
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
        },
    )


@given(st.recursive(LEAVES, rules, max_leaves=6), st.lists(VALUES, min_size=1, max_size=5))
@settings(max_examples=300, deadline=None)
def test_rules_take_what_the_jsonschema_library_takes(schema: Any, values: list[Any]) -> None:
    library, careful = jsonschema.Draft202012Validator(schema), Careful(schema)
    for value in values:
        assert bool(careful.judge(value, lenient=False).issues) != library.is_valid(value), value


OPEN: Schema = {
    "type": "object",
    "properties": {"a": {"type": "integer"}},
    "required": [],
    "additionalProperties": True,
}


@pytest.mark.parametrize(
    "rule",
    [
        {"required": ["b"]},
        {"oneOf": [{"required": ["b"]}, {"required": ["c"]}]},
        {"patternProperties": {"^b": {"type": "string"}}},
        {"not": {"required": ["c"]}},
        {"anyOf": [{"properties": {"b": {"type": "string"}}, "required": ["b"]}]},
    ],
)
def test_a_rule_adds_nothing_to_what_the_form_makes_of_a_value(rule: Schema) -> None:
    judged = Careful({**OPEN, "allOf": [rule]}).judge({"a": 1.0, "b": "x"}, lenient=False)
    assert not judged.issues
    assert json.dumps(judged.value) == '{"a": 1}'


def test_a_rule_judges_the_mended_value() -> None:
    careful = Careful({**OPEN, "allOf": [{"required": ["a"]}]})
    assert not careful.judge({"a": 1}, lenient=True).issues
    assert [issue.path for issue in careful.judge({"a": None}, lenient=True).issues] == ["/a"]


def test_a_rule_mends_nothing_itself() -> None:
    rule = {"properties": {"a": {"items": {"type": "array"}}}}
    careful = Careful({"allOf": [{}, {"allOf": [rule]}]})
    assert careful.judge({"a": ["[]"]}, lenient=True).issues


@pytest.mark.parametrize(
    ("schema", "value", "path", "constraint"),
    [
        ({"not": {"const": 1}}, 1, "", "invalid_type"),
        ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, {"a": 1}, "/b", "missing_field"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "/b", "missing_field"),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, "/ab", "invalid_length"),
        ({"contains": {"type": "string"}}, [1], "", "invalid_length"),
        ({"prefixItems": [{"type": "string"}], "items": False}, ["a", 1], "/1", "invalid_type"),
    ],
)
def test_what_breaks_a_rule_is_told_by_place(schema: Schema, value: object, path: str, constraint: str) -> None:
    issues = Careful(schema).judge(value, lenient=False).issues
    assert [(issue.path, issue.constraint) for issue in issues] == [(path, constraint)]
    assert all(issue.message for issue in issues)
