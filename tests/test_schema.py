from __future__ import annotations

import jsonschema
import pytest

from toolgen import ir, schema
from toolgen.ir import Constraints, Field, Kind, Presence, Role, Scalar

NOTE = ir.Record(ir.TypeKey("desk", "Note"), "A note.", (Field("text", "text", Scalar(Kind.STR), "The text."),))
TWIN = ir.Record(ir.TypeKey("shop", "Note"), "Another note.", (Field("price", "price", Scalar(Kind.INT), "Price."),))
COLOUR = ir.Enumeration(ir.TypeKey("desk", "Colour"), "Colours.", (("RED", "red"), ("ROUGE", "red"), ("BLUE", "blue")))
TREE_KEY = ir.TypeKey("desk", "Tree")
TREE = ir.Record(
    TREE_KEY,
    "A tree.",
    (Field("below", "below", ir.Array(ir.RecordRef(TREE_KEY)), "Below.", Presence.DEFAULT, []),),
    closed=False,
)
PROGRAM = ir.Program(
    (
        ir.Package("desk", "desk.py", None, (NOTE, TREE), (COLOUR,)),
        ir.Package("shop", "shop.py", None, (TWIN,)),
    )
)


def tool(*fields: Field, closed: bool = True) -> ir.Tool:
    return ir.Tool("Do", "do", "do", "Does it.", fields, closed=closed)


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        (Scalar(Kind.STR, Constraints(min_length=1, pattern="a")), {"type": "string", "minLength": 1, "pattern": "a"}),
        (
            Scalar(Kind.INT, Constraints(gt=0, multiple_of=5)),
            {"type": "integer", "exclusiveMinimum": 0, "multipleOf": 5},
        ),
        (Scalar(Kind.FLOAT, Constraints(lt=1.5)), {"type": "number", "exclusiveMaximum": 1.5}),
        (Scalar(Kind.DATETIME), {"type": "string", "format": "date-time"}),
        (ir.Anything(), {}),
        (ir.Choice(("a", "b")), {"type": "string", "enum": ["a", "b"]}),
        (
            ir.Choice(("a", 1, True, None)),
            {"type": ["string", "integer", "boolean", "null"], "enum": ["a", 1, True, None]},
        ),
        (ir.EnumRef(COLOUR.key), {"type": "string", "enum": ["red", "blue"]}),
        (ir.Nullable(Scalar(Kind.INT)), {"type": ["integer", "null"]}),
        (ir.Nullable(ir.EnumRef(COLOUR.key)), {"type": ["string", "null"], "enum": ["red", "blue", None]}),
        (
            ir.Array(Scalar(Kind.STR), Constraints(min_items=1, unique_items=True)),
            {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True},
        ),
        (
            ir.Map(Scalar(Kind.INT), Constraints(max_items=3)),
            {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 3},
        ),
        (
            ir.Union((Scalar(Kind.INT), Scalar(Kind.STR))),
            {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        ),
        (
            ir.Nullable(ir.Union((Scalar(Kind.INT), Scalar(Kind.STR)))),
            {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
        ),
    ],
)
def test_a_type_has_one_canonical_schema(type_: ir.Type, expected: dict[str, object]) -> None:
    made = schema.type_schema(type_, PROGRAM)
    assert made == expected
    assert [*made] == [*expected]


def test_a_nullable_record_is_an_anyOf_since_a_ref_has_no_siblings() -> None:
    made = schema.type_schema(ir.Nullable(ir.RecordRef(NOTE.key)), PROGRAM)
    assert made["anyOf"] == [{"$ref": "#/$defs/Note"}, {"type": "null"}]


def test_what_is_said_of_a_record_field_stands_beside_an_allOf_of_one() -> None:
    made = schema.input_schema(
        tool(Field("note", "note", ir.RecordRef(NOTE.key), "A note.")), PROGRAM, schema.MODEL_ROLES
    )
    assert made["properties"] == {"note": {"allOf": [{"$ref": "#/$defs/Note"}], "description": "A note."}}


def test_an_input_without_fields_is_an_empty_closed_object() -> None:
    made = schema.input_schema(tool(), PROGRAM, schema.MODEL_ROLES)
    assert made == {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def test_restored_fields_stand_in_the_execution_schema_alone_and_injected_fields_in_none() -> None:
    a_tool = tool(
        Field("asked", "asked", Scalar(Kind.STR), "A."),
        Field("kept", "kept", Scalar(Kind.STR), "K.", role=Role.RESTORED),
        Field("tenant", "ten-ant", Scalar(Kind.STR), "T.", role=Role.INJECTED),
    )
    assert [*schema.input_schema(a_tool, PROGRAM, schema.MODEL_ROLES)["properties"]] == ["asked"]
    assert [*schema.input_schema(a_tool, PROGRAM, schema.EXECUTION_ROLES)["properties"]] == ["asked", "kept"]
    assert [*schema.context_schema(a_tool, PROGRAM)["properties"]] == ["tenant"]


def test_titles_defaults_examples_and_deprecation_are_kept() -> None:
    a_field = Field(
        "n", "n", Scalar(Kind.INT), "N.", Presence.DEFAULT, 0, title="Number", examples=(3,), deprecated=True
    )
    made = schema.input_schema(tool(a_field), PROGRAM, schema.MODEL_ROLES)
    assert made["properties"]["n"] == {
        "type": "integer",
        "description": "N.",
        "title": "Number",
        "default": 0,
        "examples": [3],
        "deprecated": True,
    }
    assert made["required"] == []


def test_fields_may_have_the_names_of_keywords() -> None:
    names = ("title", "default", "type", "$ref", "properties", "required")
    made = schema.input_schema(
        tool(*(Field(f"f{n}", name, Scalar(Kind.STR), "F.") for n, name in enumerate(names))),
        PROGRAM,
        schema.MODEL_ROLES,
    )
    assert [*made["properties"]] == made["required"] == [*names]
    jsonschema.Draft202012Validator.check_schema(made)


def test_a_recursive_record_stands_once_in_the_definitions() -> None:
    made = schema.type_schema(ir.RecordRef(TREE_KEY), PROGRAM)
    assert made["$ref"] == "#/$defs/Tree"
    assert [*made["$defs"]] == ["Tree"]
    assert made["$defs"]["Tree"]["additionalProperties"] is True


def test_two_records_of_one_name_are_told_apart_by_their_packages_where_they_meet() -> None:
    both = tool(
        Field("mine", "mine", ir.RecordRef(NOTE.key), "M."), Field("theirs", "theirs", ir.RecordRef(TWIN.key), "T.")
    )
    assert [*schema.input_schema(both, PROGRAM, schema.MODEL_ROLES)["$defs"]] == ["desk_Note", "shop_Note"]
    assert [*schema.type_schema(ir.RecordRef(NOTE.key), PROGRAM)["$defs"]] == ["Note"]
