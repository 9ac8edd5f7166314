from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import jsonschema
import pytest
from schemas_to_try import SCHEMAS, closed

from toolgen.runtime.careful import Careful
from toolgen.testing import Boundary, NoInput, boundary_inputs, full_input, minimal_input
from toolgen.testing.inputs import full_inputs

# ``re`` lets ``$`` match before a last newline, which ECMA-262 does not; jsonschema goes by ``re``.
WRONG_IN_JSONSCHEMA = {"invalid_pattern", "invalid_format"}
each_schema = pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)


@each_schema
def test_the_careful_lane_judges_boundaries_as_told(schema: dict[str, Any]) -> None:
    judge = Careful(schema)
    for boundary in boundary_inputs(schema):
        issues = [(issue.path, issue.constraint) for issue in judge.judge(boundary.input, lenient=False).issues]
        if boundary.constraint is None:
            assert issues == [], boundary
        else:
            assert (boundary.path, boundary.constraint) in issues, boundary
            assert {path for path, _ in issues} == {boundary.path}, boundary


@each_schema
def test_jsonschema_judges_boundaries_as_told(schema: dict[str, Any]) -> None:
    judge = jsonschema.Draft202012Validator(schema)
    for boundary in boundary_inputs(schema):
        if boundary.constraint not in WRONG_IN_JSONSCHEMA:
            assert judge.is_valid(boundary.input) == (boundary.constraint is None), boundary


@each_schema
def test_minimal_and_full_inputs_are_valid(schema: dict[str, Any]) -> None:
    for value in (minimal_input(schema), *full_inputs(schema)):
        jsonschema.Draft202012Validator(schema).validate(value)


def test_a_minimal_input_has_required_keys_alone() -> None:
    assert minimal_input(SCHEMAS["integers"]) == {"b": 1}
    assert minimal_input(SCHEMAS["recursion"]) == {"tree": {"name": "text1"}}
    assert set(minimal_input(SCHEMAS["tagged unions"])) == {"pet", "pets"}  # type: ignore[arg-type]


def test_a_full_input_has_every_key_with_values_that_differ() -> None:
    schema = closed(
        {"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "boolean"}, "d": {"type": "boolean"}}
    )
    value = full_input(schema)
    assert isinstance(value, dict)
    assert list(value) == ["a", "b", "c", "d"]
    assert value["a"] != value["b"]
    assert value["c"] is not value["d"]


def test_a_full_input_gives_no_field_its_own_default() -> None:
    schema = closed({"n": {"type": "integer", "minimum": 1, "default": 1}, "b": {"type": "boolean", "default": True}})
    assert full_input(schema) == {"n": 2, "b": False}


def test_full_inputs_show_every_arm_and_every_tag() -> None:
    kinds = {value["pet"]["kind"] for value in full_inputs(SCHEMAS["tagged unions"])}  # type: ignore[index,call-overload]
    assert kinds == {"cat", "dog", "wolf"}


def test_full_inputs_show_the_arms_of_a_union_inside_an_arm() -> None:
    inner = {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "boolean"}]}
    schema = closed({"v": {"anyOf": [{"type": "array", "items": inner}, {"type": "string"}]}})
    shown = [value["v"] for value in full_inputs(schema)]  # type: ignore[index,call-overload]
    assert {type(v[0]) for v in shown if isinstance(v, list)} == {int, str, bool}


def test_examples_are_used_first() -> None:
    schema = closed({"s": {"type": "string", "pattern": "^[^a-z]{3}$", "examples": ["R70"]}})
    assert minimal_input(schema) == {"s": "R70"}


def test_bounds_are_tried_on_both_sides() -> None:
    tried = {
        (boundary.input["a"], boundary.constraint)  # type: ignore[index,call-overload]
        for boundary in boundary_inputs(SCHEMAS["integers"])
        if isinstance(boundary.input, dict) and isinstance(boundary.input.get("a"), int)
    }
    assert {(0, "invalid_range"), (1, None), (2, None), (99, None), (100, None), (101, "invalid_range")} <= tried


def kept(boundary: Boundary) -> bool:
    return isinstance(boundary.input, dict) and isinstance(boundary.input.get("n"), int | float)


def test_an_exclusive_bound_is_out_and_its_neighbour_in() -> None:
    schema = closed({"n": {"type": "number", "exclusiveMinimum": 0}})
    tried = {(b.input["n"], b.constraint) for b in boundary_inputs(schema) if b.path in ("", "/n") and kept(b)}
    assert {(0, "invalid_range"), (5e-324, None)} <= tried


def test_rules_leave_out_what_they_refuse() -> None:
    for boundary in boundary_inputs(SCHEMAS["rules"]):
        assert (
            boundary.constraint is not None or not Careful(SCHEMAS["rules"]).judge(boundary.input, lenient=False).issues
        )
    assert set(full_input(SCHEMAS["rules"])) == {"n", "s"}  # type: ignore[arg-type]


def test_a_schema_that_nothing_meets_is_reported_with_its_place() -> None:
    with pytest.raises(NoInput, match="example") as caught:
        minimal_input(closed({"s": {"type": "string", "pattern": "^a$", "minLength": 3}}))
    assert caught.value.where == "#/properties/s"


def test_a_record_that_must_hold_itself_is_reported() -> None:
    loop = closed({"next": {"$ref": "#/$defs/Loop"}})
    with pytest.raises(NoInput):
        minimal_input(closed({"loop": {"$ref": "#/$defs/Loop"}}, **{"$defs": {"Loop": loop}}))


def test_boundary_inputs_are_the_same_in_every_process() -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from schemas_to_try import SCHEMAS; from toolgen.testing import boundary_inputs\n"
        "print(repr([boundary_inputs(schema) for schema in SCHEMAS.values()]).encode())"
    )
    folder = __file__.rpartition("test_boundary_inputs")[0]
    runs = {
        subprocess.run(
            [sys.executable, "-c", program, folder],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert runs == {(repr([*map(boundary_inputs, SCHEMAS.values())]).encode().__repr__() + "\n").encode()}


@each_schema
def test_boundary_inputs_can_be_written_as_json(schema: dict[str, Any]) -> None:
    for boundary in boundary_inputs(schema):
        assert json.loads(json.dumps(boundary.input).encode()) == boundary.input
