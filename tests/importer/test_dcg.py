"""What is used of datamodel-code-generator, and why its parser is not: a release that moves either fails here."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolgen.importer import dcg


@pytest.mark.parametrize(
    ("words", "one", "name"),
    [
        ("order_items", True, "OrderItem"),
        ("children", True, "Child"),
        ("Foo bar-baz", False, "FooBarBaz"),
        ("HTTPServer", False, "HTTPServer"),
        ("a.b", False, "AB"),
    ],
)
def test_class_names_are_those_of_the_package(words: str, one: bool, name: str) -> None:
    assert dcg.class_name(words, one=one) == name


def test_field_names_are_those_of_the_package() -> None:
    assert dcg.field_name("first name") == "first_name"


def test_a_document_is_json_or_yaml_with_the_types_of_json() -> None:
    assert dcg.read_document('{"a": 1}') == {"a": 1}
    assert dcg.read_document("a: 2020-01-01\n") == {"a": "2020-01-01"}
    for broken in ('{"a": ', "a: [", "[1"):
        with pytest.raises(ValueError, match="JSON"):
            dcg.read_document(broken)


def parsed(schema: dict[str, Any]) -> dict[str, dict[Any, Any]]:
    """What the package's parser makes of a schema with model and field classes of our own: for each class its fields,
    with all that a field class is told of them, and under None what a model class is told of the object.
    """
    from datamodel_code_generator.model import DataModel, DataModelFieldBase
    from datamodel_code_generator.model.types import DataTypeManager
    from datamodel_code_generator.parser.jsonschema import JsonSchemaParser

    class OwnField(DataModelFieldBase):
        """A field as the base class has it, which keeps what it is told."""

    class OwnModel(DataModel):
        """A model as the base class has it."""

        BASE_CLASS = "toolgen.dsl.Record"
        TEMPLATE_FILE_PATH = "record.jinja2"

    parser = JsonSchemaParser(
        json.dumps(schema),
        data_model_type=OwnModel,
        data_model_root_type=OwnModel,
        data_model_field_type=OwnField,
        data_type_manager_type=DataTypeManager,
        field_constraints=True,
    )
    parser.parse_raw()
    found: dict[str, dict[Any, Any]] = {}
    for model in parser.results:
        told = {word: value for word, value in model.extra_template_data.items() if word.startswith("additional")}
        fields = {f.name: (f.required, f.type_hint, f.nullable, str(f.constraints), f.extras) for f in model.fields}
        found[model.class_name] = {None: told, **fields}
    return found


STRING = {"type": "string"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": "string", "not": {"const": "a"}}, STRING),
        (
            {"type": "object", "properties": {"a": STRING}, "minProperties": 1},
            {"type": "object", "properties": {"a": STRING}},
        ),
        ({"type": "array", "items": STRING, "contains": {"const": "a"}}, {"type": "array", "items": STRING}),
        (
            {"type": "object", "properties": {"a": STRING, "b": STRING}, "dependentRequired": {"a": ["b"]}},
            {"type": "object", "properties": {"a": STRING, "b": STRING}},
        ),
        (
            {"type": ["string", "integer"], "minLength": 2, "minimum": 3},
            {"type": ["string", "integer"]},
        ),
        (
            {"allOf": [{"type": "string", "pattern": "a"}, {"pattern": "b"}]},
            {"allOf": [{"type": "string"}, {"minLength": 1}]},
        ),
    ],
)
def test_its_parser_forgets_what_an_import_must_keep(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert parsed(holding(one)) == parsed(holding(other))


def test_its_parser_does_not_tell_null_from_missing() -> None:
    def optional(schema: dict[str, Any]) -> dict[str, Any]:
        return {**holding(schema), "required": []}

    assert parsed(optional({"type": ["string", "null"]})) == parsed(optional(STRING))


def holding(schema: dict[str, Any], **definitions: Any) -> dict[str, Any]:
    required = {"title": "Holder", "type": "object", "properties": {"p": schema}, "required": ["p"]}
    return {**required, "$defs": definitions} if definitions else required


def test_its_parser_keeps_references_and_open_objects() -> None:
    named = parsed(holding({"$ref": "#/$defs/Name", "maxLength": 2}, Name={**STRING, "minLength": 1}))
    assert {"minLength", "maxLength"} == {
        word for word in ("minLength", "maxLength") if word in named["Holder"]["p"][3]
    }
    closed = {"type": "object", "properties": {"a": STRING}, "additionalProperties": False}
    assert parsed(holding(closed))["P"][None] == {"additionalProperties": False}
    assert parsed(holding({**closed, "additionalProperties": True}))["P"][None]["additionalProperties"] is True


def test_its_parser_makes_an_all_of_a_subclass_which_takes_what_the_closed_base_refuses() -> None:
    closed = {"type": "object", "properties": {"a": STRING}, "additionalProperties": False}
    more = {"properties": {"b": STRING}, "required": ["a"]}
    found = parsed(holding({"allOf": [{"$ref": "#/$defs/Base"}, more]}, Base=closed))
    assert found["P"].keys() == {None, "a", "b"}
    assert found["P"][None] == {}
    assert found["P"]["a"][1] != "str"
