from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemas_to_try import SCHEMAS, closed

from toolgen.runtime import formats
from toolgen.runtime.careful import Careful
from toolgen.testing import mutated_inputs, valid_inputs

QUICK = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def each_schema(test: Any) -> Any:
    return pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)(test)


@each_schema
@given(data=st.data())
@QUICK
def test_valid_inputs_are_accepted_and_survive_json_text(schema: dict[str, Any], data: st.DataObject) -> None:
    value = data.draw(valid_inputs(schema))
    assert Careful(schema).judge(value, lenient=False).issues == ()
    assert json.loads(json.dumps(value).encode("ascii")) == value


@each_schema
@given(data=st.data())
@QUICK
def test_mutated_inputs_are_json(schema: dict[str, Any], data: st.DataObject) -> None:
    value = data.draw(mutated_inputs(schema))
    assert isinstance(value, dict)
    json.dumps(value, allow_nan=False).encode("ascii")


@pytest.mark.parametrize("schema", [SCHEMAS["integers"], SCHEMAS["tagged unions"], SCHEMAS["text lengths"]])
def test_mutated_inputs_are_accepted_and_refused(schema: dict[str, Any]) -> None:
    outcomes: set[bool] = set()
    constraints: set[str] = set()
    judge = Careful(schema)

    @given(mutated_inputs(schema))
    @settings(max_examples=150, deadline=None, derandomize=True, database=None)
    def collect(value: Any) -> None:
        issues = judge.judge(value, lenient=False).issues
        outcomes.add(not issues)
        constraints.update(issue.constraint for issue in issues)

    collect()
    assert outcomes == {True, False}
    assert {"missing_field", "unknown_field", "invalid_type"} <= constraints


def found(schema: dict[str, Any], wanted: Any) -> bool:
    """Whether some valid input is as wanted, within a few hundred."""
    seen = []

    @given(valid_inputs(schema))
    @settings(max_examples=200, deadline=None, derandomize=True, database=None)
    def collect(value: Any) -> None:
        seen.append(wanted(value))

    collect()
    return any(seen)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("integers", lambda value: value.get("a") == 100),
        ("integers", lambda value: "a" not in value),
        ("integers", lambda value: value["b"] == 3),
        ("integers", lambda value: abs(value.get("e", 0)) > 2**53),
        ("numbers", lambda value: type(value["a"]) is int),
        ("numbers", lambda value: str(value["d"]) == "-0.0"),
        ("numbers", lambda value: value["e"] is None),
        ("text lengths", lambda value: len(value["s"]) == 5 and not value["s"].isascii()),
        ("lists", lambda value: len(value["few"]) == 3),
        ("open", lambda value: len(value) > 1),
        ("open", lambda value: len(value["person"]) > 1),
        ("recursion", lambda value: value["tree"].get("children") and value["tree"]["children"][0].get("children")),
        ("tagged unions", lambda value: {p["kind"] for p in value["pets"]} >= {"cat", "wolf"}),
    ],
)
def test_valid_inputs_reach_the_corners(name: str, wanted: Any) -> None:
    assert found(SCHEMAS[name], wanted)


LONG: dict[str, dict[str, Any]] = {
    "bytes": {"type": "string", "contentEncoding": "base64", **formats.base64_keywords(10_000, None)},
    "bytes within bounds": {"type": "string", "contentEncoding": "base64", **formats.base64_keywords(9_998, 10_000)},
    "text": {"type": "string", "minLength": 5_000},
    "text of a pattern": {"type": "string", "minLength": 5_000, "pattern": "^[a-z]+$"},
    "items": {"type": "array", "items": {"type": "integer"}, "minItems": 2_000},
    "keys": {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 2_000},
}


@pytest.mark.parametrize("inner", LONG.values(), ids=LONG)
def test_what_must_be_long_is_made_as_often_as_it_is_asked_for(inner: dict[str, Any]) -> None:
    schema = closed({"x": inner})
    judge, drawn = Careful(schema), []

    @given(
        st.one_of(valid_inputs(schema).map(lambda value: (True, value)), mutated_inputs(schema).map(lambda v: (0, v)))
    )
    @settings(max_examples=20, deadline=None, derandomize=True, database=None)  # its health checks stay on
    def collect(made: tuple[bool, Any]) -> None:
        is_valid, value = made
        drawn.append(value)
        assert not is_valid or judge.judge(value, lenient=False).issues == ()

    collect()
    assert len(drawn) >= 20
