"""What each provider is told: what a projection keeps, says in words, and refuses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from wires import response

from generated import ledger, support
from generated.triage import submit_report
from toolgen import providers
from toolgen.providers import Facts, ProjectionError
from toolgen.runtime import Mend, ToolRegistry, formats
from toolgen.runtime.careful import Careful
from toolgen.runtime.jsontext import parse

SEARCH = support.TOOLSET["search_tickets"]
MODELS = ("anthropic", "openai_chat", "openai_responses", "bedrock")


def facts(properties: dict[str, Any], required: list[str] | None = None, **more: Any) -> Facts:
    names = list(properties) if required is None else required
    root = {"type": "object", "properties": properties, "required": names, "additionalProperties": False}
    defs = {"$defs": more.pop("defs")} if "defs" in more else {}
    return Facts(name="do", description="Does it.", schema={**root, **more.pop("root", {}), **defs}, **more)


def field(told: providers.Definition, name: str = "x") -> Any:
    return told.schema["properties"][name]


@pytest.mark.parametrize(
    ("provider", "keys"),
    [
        ("anthropic", ["name", "description", "input_schema", "input_examples"]),
        ("openai_responses", ["type", "name", "description", "parameters", "strict"]),
        ("gemini", ["name", "description", "parameters_json_schema"]),
        ("mcp", ["name", "description", "inputSchema", "outputSchema", "annotations"]),
    ],
)
def test_a_definition_has_the_providers_shape(provider: str, keys: list[str]) -> None:
    assert list(providers.definition(SEARCH, provider)) == keys


def test_chat_and_bedrock_put_a_definition_in_an_envelope() -> None:
    told = providers.definition(SEARCH, "openai_chat")
    assert list(told) == ["type", "function"]
    assert told["function"]["strict"] is False
    assert list(providers.definition(SEARCH, "bedrock")["toolSpec"]) == ["name", "description", "inputSchema"]


@pytest.mark.parametrize("provider", [*MODELS, "mcp"])
def test_without_strict_mode_the_canonical_schema_goes_out_as_it_is(provider: str) -> None:
    told = providers.definition(SEARCH, provider, strict=False)
    assert told.schema == SEARCH.model.schema
    assert told.notes == ()


@pytest.mark.parametrize("provider", MODELS)
def test_the_design_says_whether_strict_is_wanted_unless_the_caller_does(provider: str) -> None:
    wanted = facts({"x": {"type": "integer"}}, strict=True)
    assert providers.definition(wanted, provider).strict
    assert not providers.definition(wanted, provider, strict=False).strict
    assert not providers.definition(facts({}), provider).strict


DROPPED: list[tuple[str, dict[str, Any], str]] = [
    ("openai_chat", {"type": "string", "minLength": 2}, "At least 2 characters."),
    ("openai_chat", {"type": "string", "format": "uri"}, "An absolute URI, such as https://example.org/."),
    ("openai_chat", {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}, "No item twice."),
    ("openai_chat", {"type": "integer", "examples": [3]}, "For example: 3."),
    ("openai_chat", {"type": "integer", "deprecated": True}, "Deprecated."),
    ("anthropic", {"type": "integer", "minimum": 1, "maximum": 9}, "At least 1. At most 9."),
    ("anthropic", {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5}, "More than 0. A multiple of 0.5."),
    ("anthropic", {"type": "array", "items": {"type": "integer"}, "minItems": 2}, "At least 2 items."),
    ("anthropic", {"type": "string", "pattern": r"\bx"}, r"It must match the regular expression `\bx`."),
    ("gemini", {"type": "string", "pattern": "^a$"}, "It must match the regular expression `^a$`."),
    ("gemini", {"type": "string", "format": "date"}, "A date, such as 2026-11-30."),
    ("gemini", {"type": "string", "pattern": formats.DECIMAL_PATTERN}, "A decimal number as text, such as 129.95."),
    ("gemini", {"type": "number", "exclusiveMaximum": 1}, "Less than 1."),
    ("gemini", {"type": "integer", "default": 3}, "Default: 3."),
    (
        "gemini",
        {"type": "string", "contentEncoding": "base64", "pattern": formats.base64_pattern(1, 5)},
        "Base64 text. Base64 text with padding of at least 1 byte and at most 5 bytes.",
    ),
    *(
        (
            provider,
            {"type": "string", "contentEncoding": "base64", **formats.base64_keywords(900, 1000)},
            "Base64 text. Base64 text with padding of at least 900 bytes and at most 1000 bytes.",
        )
        for provider in ("openai_chat", "anthropic", "gemini")
    ),
    (
        "gemini",
        {"type": "string", "allOf": [{"not": {"const": "b"}}]},
        'It must also be valid under this JSON Schema: {"not": {"const": "b"}}.',
    ),
]


@pytest.mark.parametrize(("provider", "schema", "words"), DROPPED)
def test_what_is_dropped_is_said_in_the_description_and_noted(
    provider: str, schema: dict[str, Any], words: str
) -> None:
    told = providers.definition(facts({"x": {**schema, "description": "The x"}}), provider, strict=True)
    assert field(told)["description"] == f"The x. {words}"
    assert "x" in {note.where for note in told.notes}
    pattern = schema.get("pattern")
    quoted = any(json.dumps(pattern) in note.what for note in told.notes)
    assert quoted == (pattern is not None and pattern in words)


def test_words_for_elements_stand_at_the_elements() -> None:
    told = providers.definition(facts({"x": {"type": "array", "items": {"type": "string", "maxLength": 3}}}), "gemini")
    assert field(told)["items"]["description"] == "At most 3 characters."
    assert [note.where for note in told.notes] == ["x[]"]


def test_rules_at_the_root_go_into_the_description_of_the_tool() -> None:
    ruled = facts({"x": {"type": "integer"}}, root={"allOf": [{"not": {"required": ["x"]}}]})
    for provider in MODELS:
        told = providers.definition(ruled, provider)
        assert "allOf" not in told.schema
        assert 'valid under this JSON Schema: {"not": {"required": ["x"]}}' in json.dumps(told).replace('\\"', '"')
    assert providers.definition(ruled, "mcp").schema == ruled.schema


def test_whole_numbers_have_their_exclusive_bounds_moved() -> None:
    told = providers.definition(
        facts({"x": {"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 7}}), "gemini"
    )
    assert field(told) == {"type": "integer", "minimum": 4, "maximum": 6}


def test_openai_strict_requires_all_and_null_stands_for_what_is_left_out() -> None:
    told = providers.definition(SEARCH, "openai_chat", strict=True)
    assert told.schema["required"] == ["query", "limit", "conditions", "opened_after"]
    assert field(told, "limit")["type"] == ["integer", "null"]
    written = {
        "query": "vpn",
        "limit": None,
        "conditions": [{"name": "year", "value": "1", "op": None}],
        "opened_after": None,
    }
    read = told.read(json.dumps(written))
    assert read == {"query": "vpn", "conditions": [{"name": "year", "value": "1"}]}
    assert told.write({"query": "vpn", "conditions": [{"name": "year", "value": "1"}]}) == written


def test_null_that_is_a_value_stays_one() -> None:
    nullable = {"type": ["integer", "null"], "default": 10}
    told = providers.definition(facts({"x": nullable}, []), "openai_chat", strict=True)
    assert told.read({"x": None}) == {"x": None}
    assert told.write({}) == {"x": 10}


INEXPRESSIBLE: list[tuple[str, dict[str, Any], str]] = [
    ("openai_chat", {"type": "object", "additionalProperties": {"type": "integer"}}, "field x: .*it is a map"),
    ("openai_responses", {}, "field x: .*any JSON value"),
    ("anthropic", {"type": "array", "items": {}}, r"field x\[\]: .*any JSON value"),
    ("anthropic", {"$ref": "#/$defs/A"}, "field x: .*it is recursive \\(A → B → A\\)"),
    ("bedrock", {"type": "object", "additionalProperties": {"type": "integer"}}, "field x: .*it is a map"),
    ("openai_chat", {"type": "object"}, "field x: .*it is a map"),
    ("anthropic", {"type": "array", "items": {"type": "object"}}, r"field x\[\]: .*it is a map"),
    ("openai_chat", {"type": "object", "patternProperties": {"^a": {}}}, "field x: .*it takes keys by their pattern"),
]
DEFS = {
    "A": {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}, "additionalProperties": False},
    "B": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "additionalProperties": False},
}


@pytest.mark.parametrize(("provider", "schema", "words"), INEXPRESSIBLE)
def test_what_strict_mode_can_not_express_is_an_error_that_says_what_leads_on(
    provider: str, schema: dict[str, Any], words: str
) -> None:
    asked = facts({"x": schema}, defs=DEFS)
    with pytest.raises(ProjectionError, match=f"^do, {words}.*Ask with strict=False") as caught:
        providers.definition(asked, provider, strict=True)
    assert (caught.value.tool, caught.value.provider) == ("do", provider)
    with pytest.raises(ProjectionError, match=f"^do, {words}.*Set strict=False on the tool"):
        providers.definition(replace(asked, strict=True), provider)
    providers.definition(asked, provider, strict=False)


def test_every_tool_that_a_provider_can_not_be_told_of_is_named_at_once() -> None:
    asked: list[Any] = [
        replace(facts({"x": {}}), name=name, strict=strict) for name, strict in (("a", True), ("b", None))
    ]
    with pytest.raises(ProjectionError, match=r"^a, field x: .*Set strict=False on the tool") as caught:
        providers.definitions([asked[1], asked[0], replace(asked[0], name="c")], "openai_chat")
    [note] = caught.value.__notes__
    assert note.startswith("and c, field x: openai_chat can't be told of it")
    with pytest.raises(ProjectionError, match=r"^b, field x: ") as caught:
        providers.definitions(asked[1:], "openai_chat", strict=True)
    assert not hasattr(caught.value, "__notes__")


def test_a_field_that_keeps_null_apart_from_missing_is_none_for_openai_strict() -> None:
    with pytest.raises(ProjectionError, match=r"update_customer, field phone: .*keep_null.*strict=False"):
        providers.definition(ledger.TOOLSET["update_customer"], "openai_chat", strict=True)
    providers.definition(ledger.TOOLSET["update_customer"], "anthropic", strict=True)


def test_recursion_goes_out_by_reference_where_it_is_taken() -> None:
    for provider in ("openai_chat", "gemini"):
        told = providers.definition(ledger.TOOLSET["find_accounts"], provider, strict=True)
        assert set(told.schema["$defs"]) == {"Compare", "AllOf", "Not"}


def test_a_described_reference_becomes_a_described_copy() -> None:
    defs = {
        "A": {"type": "object", "properties": {}, "required": [], "additionalProperties": False, "description": "An A."}
    }
    described = {"allOf": [{"$ref": "#/$defs/A"}], "description": "The x."}
    told = providers.definition(facts({"x": described}, defs=defs), "anthropic", strict=True)
    assert field(told) == {**defs["A"], "description": "The x. An A."}
    assert "$defs" not in told.schema


@pytest.mark.parametrize("provider", ["anthropic", "openai_chat", "gemini"])
def test_a_described_copy_keeps_what_the_definition_says_of_itself(provider: str) -> None:
    color = {"type": "string", "enum": ["red"], "title": "Colour", "examples": ["red"], "deprecated": True}
    described = {"allOf": [{"$ref": "#/$defs/C"}], "description": "The x."}
    told = providers.definition(facts({"x": described}, defs={"C": color}), provider, strict=True)
    assert field(told)["title"] == "Colour"
    assert field(told)["description"] == 'The x. For example: "red". Deprecated.'
    named = {**described, "title": "X"}
    told = providers.definition(facts({"x": named}, defs={"C": color}), provider, strict=True)
    assert field(told)["title"] == "X"


def test_definitions_that_refer_to_each_other_many_times_stay_small() -> None:
    def twice(name: str) -> dict[str, Any]:
        inner = {"allOf": [{"$ref": f"#/$defs/{name}"}], "description": "D."}
        return {"type": "object", "properties": {"a": inner, "b": inner}, "required": [], "additionalProperties": False}

    defs: dict[str, Any] = {f"R{n}": twice(f"R{n + 1}") for n in range(30)}
    defs["R30"] = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    told = providers.definition(facts({"x": {"$ref": "#/$defs/R0"}}, defs=defs), "openai_chat", strict=True)
    assert len(json.dumps(told.schema)) < 500_000


def test_gemini_enums_become_strings_and_come_back() -> None:
    mixed = {"type": ["integer", "boolean", "string", "number", "null"], "enum": [1, True, "1", 1.5, None]}
    told = providers.definition(facts({"x": mixed}), "gemini")
    words = ["1", "1 (integer)", "true", "1.5"]
    assert field(told)["anyOf"] == [{"type": "string", "enum": words}, {"type": "null"}]
    assert [told.read({"x": word})["x"] for word in [*words, None]] == ["1", 1, True, 1.5, None]  # type: ignore[index]
    assert [told.write({"x": value})["x"] for value in ("1", 1, True, 1.5)] == words


SHOWN: list[tuple[str, dict[str, Any], str]] = [
    ("gemini", {"type": ["integer", "string"], "enum": [1, "1"], "default": 1}, 'Default: "1 (integer)".'),
    ("gemini", {"type": "integer", "enum": [1, 2], "examples": [2, 1]}, 'For example: "2", "1".'),
    ("gemini", {"type": ["integer", "null"], "enum": [1, None], "default": None}, "Default: null."),
    (
        "gemini",
        {"type": "array", "items": {"$ref": "#/$defs/R"}, "default": [{"x-y": 1}]},
        'Default: [{"x_y": "1"}].',
    ),
    (
        "gemini",
        {"allOf": [{"$ref": "#/$defs/R"}], "examples": [{"x-y": 1, "r": {"x-y": 1}}]},
        'For example: {"x_y": "1", "r": {"x_y": "1"}}.',
    ),
    (
        "openai_chat",
        {"type": "array", "items": {"$ref": "#/$defs/R"}, "examples": [[{"x-y": 1}]]},
        'For example: [{"x-y": 1, "r": null}].',
    ),
]


@pytest.mark.parametrize(("provider", "schema", "words"), SHOWN)
def test_values_in_words_are_those_that_the_model_has_to_write(
    provider: str, schema: dict[str, Any], words: str
) -> None:
    r = {"x-y": {"type": "integer", "enum": [1]}, "r": {"$ref": "#/$defs/R"}}
    record = {"type": "object", "properties": r, "required": ["x-y"], "additionalProperties": False}
    told = providers.definition(facts({"x": schema}, defs={"R": record}), provider, strict=True)
    assert field(told)["description"].endswith(words)


def test_a_definition_whose_default_holds_itself_is_told() -> None:
    inner = {"allOf": [{"$ref": "#/$defs/R"}], "default": {"r": {"r": {}}}}
    record = {"type": "object", "properties": {"r": inner}, "required": [], "additionalProperties": False}
    told = providers.definition(facts({"x": {"$ref": "#/$defs/R"}}, defs={"R": record}), "gemini")
    assert 'Default: {"r": {"r": {}}}.' in json.dumps(told).replace('\\"', '"')


def test_a_number_that_could_be_the_text_beside_it_stays_a_number() -> None:
    union = {"anyOf": [{"type": "integer", "enum": [1, 2]}, {"type": "string"}]}
    told = providers.definition(facts({"x": union}), "gemini")
    assert field(told)["anyOf"] == [{"type": "integer", "description": "One of: 1, 2."}, {"type": "string"}]
    assert told.read({"x": "1"}) == {"x": "1"}


def test_names_that_a_provider_refuses_are_replaced_and_come_back() -> None:
    odd = facts({"x-y": {"type": "integer"}, "x_y": {"type": "string"}, "1": {"type": "integer"}})
    told = providers.definition(odd, "gemini")
    assert list(told.schema["properties"]) == ["x_y_2", "x_y", "_1"]
    value = {"x-y": 1, "x_y": "a", "1": 2}
    assert told.write(value) == {"x_y_2": 1, "x_y": "a", "_1": 2}
    assert told.read(told.write(value)) == value
    assert "x-y: is named x_y_2 here" in map(str, told.notes)


def test_keywords_as_names_of_fields_are_fields() -> None:
    names = ("$ref", "enum", "properties", "allOf", "type", "default", "$defs")
    told = providers.definition(
        facts({name: {"type": "string", "minLength": 1} for name in names}), "openai_chat", strict=True
    )
    assert list(told.schema["properties"]) == list(names)


@pytest.mark.parametrize("provider", [*MODELS[:2], "gemini"])
def test_a_union_that_was_written_by_hand_is_told_as_one(provider: str) -> None:
    arms = {
        name: {
            "type": "object",
            "properties": {"kind": {"const": name}, "n": {"type": "integer"}},
            "required": ["kind", "n"],
            "additionalProperties": False,
        }
        for name in ("A", "B")
    }
    union = {"oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}], "discriminator": {"propertyName": "kind"}}
    told = providers.definition(facts({"x": union}, defs=arms), provider, strict=True)
    assert field(told) == {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}
    assert told.schema["$defs"]["A"]["properties"]["kind"] == {"type": "string", "enum": ["A"]}
    assert told.read({"x": {"kind": "B", "n": 1}}) == {"x": {"kind": "B", "n": 1}}
    verbatim = facts({"x": union}, defs=arms)
    assert providers.definition(verbatim, "mcp")["inputSchema"] == verbatim.schema


TEXT: dict[str, Any] = {"type": "string"}
TEXTS: dict[str, Any] = {"a": TEXT, "b": TEXT}
OPEN: dict[str, Any] = {"required": [], "additionalProperties": True}
BY_HAND: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"properties": TEXTS}, {"type": "object", "properties": TEXTS, **OPEN}, ""),
    ({"items": TEXT}, {"type": "array", "items": TEXT}, ""),
    (
        {"type": "object", "properties": TEXTS, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        {"type": "object", "properties": TEXTS, **OPEN},
        '{"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}',
    ),
    ({"type": "object", "required": ["z"]}, {"type": "object", "properties": {"z": {}}, **OPEN, "required": ["z"]}, ""),
    ({"type": "string", "anyOf": [{"minLength": 2}, True]}, TEXT, '{"anyOf": [{"minLength": 2}, true]}'),
    ({"enum": ["a", "b"], "anyOf": [{"minLength": 2}]}, {**TEXT, "enum": ["a", "b"]}, '{"anyOf": [{"minLength": 2}]}'),
    ({"type": "object", "anyOf": [{"$ref": "#/$defs/R"}]}, {"anyOf": [{"$ref": "#/$defs/R"}]}, ""),
    (
        {"type": "string", "anyOf": [TEXT, {"type": "integer"}]},
        {"anyOf": [TEXT, {"type": "integer"}]},
        '{"type": "string"}',
    ),
    ({"$ref": "#/$defs/S", "minLength": 2}, TEXT, '{"minLength": 2}'),
    ({"allOf": [{"$ref": "#/$defs/S"}, {"minLength": 2}]}, TEXT, '{"minLength": 2}'),
    ({"$ref": "#/$defs/a~1b%20c"}, {"$ref": "#/$defs/a~1b c"}, ""),
    ({"$ref": "#/properties/other"}, {"$ref": "#/$defs/other"}, ""),
    ({"$ref": "#/properties/other/properties/deep"}, {"$ref": "#/$defs/deep"}, ""),
    ({"$ref": "#"}, {"$ref": "#/$defs/Input"}, ""),
    (
        {"type": "object", "patternProperties": {"^a": TEXT}, "additionalProperties": False},
        {"type": "object", "properties": {}, **OPEN},
        '{"patternProperties": {"^a": {"type": "string"}}}',
    ),
]


@pytest.mark.parametrize(("schema", "form", "rule"), BY_HAND)
def test_a_schema_that_was_written_by_hand_is_told_whole(schema: Any, form: Any, rule: str) -> None:
    other = {"type": "object", "properties": {"deep": {"$ref": "#/properties/other"}}}
    defs = {"R": {"type": "object", "properties": TEXTS}, "S": TEXT, "a/b c": TEXT}
    told = providers.definition(facts({"x": schema, "other": other}, defs=defs), "gemini")
    said = {"description": f"It must also be valid under this JSON Schema: {rule}."} if rule else {}
    assert field(told) == {**form, **said}
    assert bool(rule) == ("x" in {note.where for note in told.notes})
    for value, refs in ((told.schema, told.schema["$defs"]), *((inner, {}) for inner in told.schema["$defs"].values())):
        for ref in re.findall(r'"#/\$defs/([^"]*)"', json.dumps(value)):
            assert ref.replace("~1", "/") in (refs or told.schema["$defs"])


@pytest.mark.parametrize(
    ("ref", "reason"),
    [
        ("#/$defs/Nowhere", "#/$defs/Nowhere refers to nothing in its schema"),
        ("#/properties/x/type", "refers to nothing in its schema"),
        ("https://example.org/a", "https://example.org/a is no reference to a place in its schema"),
        ("#anchor", "#anchor is no reference to a place in its schema"),
        ("#/$defs/A", "the definition A refers to itself alone"),
        ("#/$defs/B", "the definition B refers to itself alone"),
        ("#/properties/x", "the definition x refers to itself alone"),
    ],
)
@pytest.mark.parametrize("provider", ["openai_chat", "anthropic", "gemini"])
def test_a_reference_that_leads_to_nothing_is_named_and_never_followed_for_ever(
    provider: str, ref: str, reason: str
) -> None:
    defs = {"A": {"$ref": "#/$defs/A"}, "B": {"anyOf": [{"type": "null"}, {"allOf": [{"$ref": "#/$defs/B"}]}]}}
    used = {name: inner for name, inner in defs.items() if ref.endswith(name)}
    asked = facts({"x": {"type": "string"} if ref.endswith("type") else {"$ref": ref}, "y": {"$ref": ref}}, defs=used)
    with pytest.raises(ProjectionError, match=f"^do: .*{re.escape(reason)}. Mend the schema"):
        providers.definition(asked, provider, strict=True)


@pytest.mark.parametrize("beside", [{}, {"description": "D."}, {"allOf": [{"minProperties": 1}]}])
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("provider", providers.PROVIDERS)
def test_a_root_that_is_a_reference_is_told_as_what_it_refers_to(provider: str, strict: bool, beside: Any) -> None:
    root = {"type": "object", "properties": {"a": TEXT}, "required": ["a"], "additionalProperties": False}
    schema = (
        {"allOf": [{"$ref": "#/$defs/R"}, *beside.get("allOf", ())]} if "allOf" in beside else {"$ref": "#/$defs/R"}
    )
    asked = Facts(name="do", description="Does it.", schema={**beside, **schema, "$defs": {"R": root}})
    told = providers.definition(asked, provider, strict=strict).schema
    assert {word: told[word] for word in root} == root
    assert "$ref" not in told


def test_a_root_without_a_type_is_told_as_an_object() -> None:
    for provider in providers.PROVIDERS:
        told = providers.definition(Facts(name="do", description="Does it.", schema={"properties": TEXTS}), provider)
        assert told.schema["type"] == "object"
        assert told.schema["properties"] == TEXTS


def test_objects_that_no_tag_tells_apart_are_told_apart_by_their_keys() -> None:
    def closed(*names: str) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": dict.fromkeys(names, TEXT),
            "required": [],
            "additionalProperties": False,
        }

    asked = facts({"x": {"oneOf": [closed("a", "b"), {"type": "null"}, closed("c", "d-e"), closed()]}})
    for provider, strict in (("openai_chat", True), ("anthropic", True), ("gemini", None)):
        told = providers.definition(asked, provider, strict=strict)
        for value in ({"a": "1"}, {"b": "1"}, {"c": "1"}, {"d-e": "1"}, {"c": "1", "d-e": "2"}, {}, None):
            written = told.write({"x": value})
            assert not Careful(told.schema).judge(written, lenient=False).issues
            assert told.read(written) == {"x": value}
    odd = {"x": {"a": "1", "c": None}}
    assert told.read(odd) == odd


def test_a_tool_name_that_a_provider_refuses_is_an_error() -> None:
    long = Facts(name="a" * 65, description="Long.", schema=facts({}).schema)
    with pytest.raises(ProjectionError, match="its name does not match"):
        providers.definition(long, "openai_chat")
    providers.definition(long, "openai_responses")


def test_what_was_written_as_a_json_string_is_read_inside_and_stays_a_string_for_the_codec_to_mend() -> None:
    told = providers.definition(SEARCH, "openai_chat", strict=True)
    condition = {"name": "year", "value": "1", "op": None}
    written = {"query": "vpn", "limit": None, "conditions": json.dumps([condition]), "opened_after": None}
    decoded = SEARCH.model.decode({"query": "vpn", "conditions": [{"name": "year", "value": "1"}]})
    for arguments, mends in ((written, 1), (json.dumps(written), 1), (json.dumps(json.dumps(written)), 2)):
        value, notes = SEARCH.model.decode_with_notes(told.read(arguments))
        assert value == decoded
        assert len(notes) == mends
        assert not [note for note in notes if "null" in note.what]


def test_a_string_that_may_be_a_string_is_never_read_inside() -> None:
    inner = {"type": "object", "properties": {"n": {"type": "integer", "enum": [1]}}, "required": ["n"]}
    told = providers.definition(facts({"x": {"anyOf": [inner, {"type": "string"}]}, "y": inner}), "gemini")
    assert told.read({"x": '{"n": "1"}', "y": '{"n": "1"}'}) == {"x": '{"n": "1"}', "y": '{"n": 1}'}
    for text in ("", "{", "[1", "word", '"{}"', "\ud800"):
        assert told.read({"x": text, "y": text}) == {"x": text, "y": text}


def submitted(schema: dict[str, Any]) -> Any:
    """What Gemini is told of a submit whose payload it names otherwise."""
    inner = {"properties": {"a.b": schema}, "required": ["a.b"], "type": "object", "additionalProperties": False}
    plain = facts({"reasoning": {"type": "string"}, "final-report": inner}, payload="final-report")
    return providers.definition(plain, "gemini")


@pytest.mark.parametrize("label", ['<parameter name="{}">', '"{}" :\n'])
def test_a_payload_that_was_written_as_text_is_read_where_it_stands(label: str) -> None:
    told = submitted({"type": "integer", "enum": [1, 2]})
    for tail in ("", "}", "\n</parameter>"):
        for space in ("", " \n"):
            written, meant = f'{space}{{"a_b": "2"}}{tail}', f'{space}{{"a.b": 2}}{tail}'
            given = {"reasoning": f"é {label.format('final_report')}{written}"}
            assert told.read(given) == {"reasoning": f"é {label.format('final-report')}{meant}"}
            assert told.read({"reasoning": "r", "final_report": written}) == {"reasoning": "r", "final-report": meant}
    # What is not whole is named as it is known, so that it is found and declined, as the model wrote it.
    for declined in ('{"a_b": "2', '{"a_b": "2"} and more'):
        read = told.read({"reasoning": label.format("final_report") + declined})
        assert read == {"reasoning": label.format("final-report") + declined}
        assert told.read({"final_report": declined}) == {"final-report": declined}
    # One that is there is never looked for elsewhere.
    there = {"reasoning": label.format("final_report") + '{"a_b": "2"}', "final_report": None}
    assert told.read(there) == {"reasoning": there["reasoning"], "final-report": None}


def test_what_is_read_inside_a_text_keeps_its_numbers_and_what_is_to_be_mended() -> None:
    told = submitted({"type": "array", "items": {}})
    assert told.read({"final_report": '{"a_b": [1e400, 12345678901234567891.0]}'})["final-report"] == (
        '{"a.b": [1e400, 12345678901234567891.0]}'
    )
    raw = '{"a_b": ["one\ntwo\\\\ \\" \\u0001"]}'
    (text,) = told.read({"final_report": raw}).values()
    assert parse(text, lenient=True) == (
        {"a.b": ['one\ntwo\\ " \x01']},
        (Mend("", "raw control characters in strings"),),
    )
    read = told.read('\ufeff{"final_report": {"a_b": ["one\ntwo"]}}')
    assert [note.what for note in parse(read, lenient=True).notes] == [
        "a leading byte order mark",
        "raw control characters in strings",
    ]


def test_reading_leaves_what_it_can_not_read_to_the_codec() -> None:
    told = providers.definition(SEARCH, "openai_chat", strict=True)
    for given in ('{"query": ', "[]", "", None, '"x"', b"\xff", [], ["query"], 5, 1.5, True):
        assert told.read(given) == given  # type: ignore[arg-type]
    exact = '{"query": "x", "limit": 5.0}'
    assert told.read(exact) is exact


def test_what_is_no_tool_is_told_of_to_nobody() -> None:
    for tool, kind in ((None, "NoneType"), (support.search_tickets, "module"), ("search_tickets", "str")):
        with pytest.raises(TypeError, match=f"a tool is a ToolSpec or a Submit, not a {kind}: give SPEC or SUBMIT"):
            providers.definition(tool, "gemini")  # type: ignore[arg-type]
    for tools in (None, SEARCH, submit_report.SUBMIT, "search_tickets", 3):
        with pytest.raises(
            TypeError, match=r"tools are a toolset, a registry or a list, not (None|an? \w+): give TOOL"
        ):
            providers.definitions(tools, "gemini")  # type: ignore[arg-type]
    for provider in (None, 3, ["gemini"]):
        with pytest.raises(TypeError, match=r"a provider is one of anthropic, .*, by name: not (None|an? \w+)$"):
            providers.definitions([SEARCH], provider)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="two tools are named search_tickets"):
        providers.definitions([*support.TOOLSET.values(), SEARCH], "gemini")


def test_mcp_wraps_a_result_that_is_no_object_and_leaves_out_one_that_may_be() -> None:
    schema = facts({}).schema
    listed = Facts(name="t", description="T.", schema=schema, result={"type": "array", "items": {"type": "string"}})
    assert providers.definition(listed, "mcp")["outputSchema"]["required"] == ["result"]
    either = {"anyOf": [{"type": "object", "properties": {}}, {"type": "null"}]}
    told = providers.definition(Facts(name="t", description="T.", schema=schema, result=either), "mcp")
    assert "outputSchema" not in told
    assert [note.where for note in told.notes] == ["result"]


@pytest.mark.parametrize(
    "result",
    [
        {"anyOf": [{"type": "object", "properties": {}}, {"$ref": "#/$defs/R"}], "description": "Either."},
        {"$ref": "#/$defs/R"},
        {"allOf": [{"$ref": "#/$defs/R"}], "description": "One."},
        {"oneOf": [{"$ref": "#/definitions/R"}, {"properties": {}}], "definitions": {"R": {"type": "object"}}},
    ],
)
def test_mcp_is_told_of_a_result_that_is_an_object_in_every_form(result: dict[str, Any]) -> None:
    result = {**result, "$defs": {"R": {"type": "object", "properties": {"r": {"$ref": "#/$defs/R"}}}}}
    told = providers.definition(Facts(name="t", description="T.", schema=facts({}).schema, result=result), "mcp")
    assert told["outputSchema"] == {**result, "type": "object"}
    assert told.notes == ()


def test_mcp_hints_are_those_that_the_design_gives() -> None:
    assert providers.definition(SEARCH, "mcp")["annotations"] == {"readOnlyHint": True}


def test_no_sdk_is_imported_to_use_a_provider() -> None:
    code = (
        "import sys; from toolgen import providers; from generated.support import TOOLSET\n"
        "for name in providers.PROVIDERS: assert getattr(providers, name).NAME == name\n"
        "for name in providers.PROVIDERS: providers.definitions(TOOLSET, name)\n"
        "assert not hasattr(providers, 'mistral')\n"
        "others = {'anthropic', 'openai', 'google', 'mcp', 'mcp_types', 'boto3', 'pydantic', 'jinja2', 'click'}\n"
        "print(sorted(others & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_tools_of_a_registry_are_told_as_their_specs_are() -> None:
    registry = ToolRegistry()
    registry.handles(SEARCH)(lambda payload, ctx: None)
    assert providers.definitions(registry, "anthropic") == providers.definitions([SEARCH], "anthropic")


@pytest.mark.parametrize("provider", ["anthropic", "openai_chat", "openai_responses"])
def test_a_tool_of_the_providers_own_stands_among_the_definitions(provider: str) -> None:
    own = {"type": "web_search"}
    others = [own]
    told = providers.definitions([SEARCH], provider) + others
    assert told[-1] is own
    assert told.named("search_tickets") is told[0]
    assert told.named("web_search") is None
    assert set(told.notes) <= {"search_tickets"}
    turn = response(provider, [("a", "web_search", {"q": "vpn"})])
    assert providers.calls(turn, tools=told) == providers.calls(turn)
