from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemas_to_try import SCHEMAS

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
