"""What is used of datamodel-code-generator, and why its parser is not. A release that moves either fails here."""

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


def parsed(schema: dict[str, Any]) -> dict[str, dict[str, tuple[bool, str]]]:
    """What the package's parser makes of a schema: for each class its fields, whether required, and their types."""
    from datamodel_code_generator.parser.jsonschema import JsonSchemaParser

    parser = JsonSchemaParser(json.dumps(schema))
    parser.parse_raw()
    return {
        model.class_name: {field.name: (field.required, field.type_hint) for field in model.fields}
        for model in parser.results
    }


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
    ],
)
def test_its_parser_forgets_what_an_import_must_keep(one: dict[str, Any], other: dict[str, Any]) -> None:
    def holding(schema: dict[str, Any]) -> dict[str, Any]:
        return {"title": "Holder", "type": "object", "properties": {"p": schema}, "required": ["p"]}

    assert parsed(holding(one)) == parsed(holding(other))
