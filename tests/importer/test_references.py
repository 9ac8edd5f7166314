"""References lead where JSON Schema says, and nowhere out of the document."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from importing_one import imported, takes

from toolgen.importer.references import References
from toolgen.importer.reporting import Outcome

ROOT = {
    "$id": "https://example.com/schemas/root.json",
    "type": "object",
    "$defs": {
        "Short": {
            "$id": "short.json",
            "type": "string",
            "maxLength": 1,
            "$defs": {"Inner": {"$anchor": "inner", "type": "string", "maxLength": 1}, "Long": {"type": "array"}},
        },
        "Long": {"$anchor": "long", "type": "string", "minLength": 2},
        "Slash/ed%": {"type": "string", "maxLength": 1},
    },
}


@pytest.mark.parametrize(
    ("reference", "good", "bad"),
    [
        ("#/$defs/Short", "a", "ab"),
        ("short.json", "a", "ab"),
        ("/schemas/short.json", "a", "ab"),
        ("https://example.com/schemas/short.json", "a", "ab"),
        ("short.json#/$defs/Inner", "a", "ab"),
        ("short.json#inner", "a", "ab"),
        ("root.json#/$defs/Long", "ab", "a"),
        ("#long", "ab", "a"),
        ("https://example.com/schemas/root.json#long", "ab", "a"),
        ("#/$defs/Slash~1ed%25", "a", "ab"),
    ],
)
def test_a_reference_is_read_from_the_schema_that_holds_it(reference: str, good: str, bad: str) -> None:
    made = imported({**ROOT, "properties": {"p": {"$ref": reference}}})
    assert not made.losses
    assert takes(made, {"p": good})
    assert not takes(made, {"p": bad})


def test_a_reference_in_a_schema_with_an_id_starts_there() -> None:
    inner = {"$id": "http://example.com/x", "$ref": "#/$defs/Y", "$defs": {"Y": {"type": "string"}}}
    made = imported(
        {"type": "object", "properties": {"p": {"$ref": "#/$defs/X"}}, "$defs": {"X": inner, "Y": {"type": "integer"}}}
    )
    assert takes(made, {"p": "a"})
    assert not takes(made, {"p": 1})


DRAFTS = {
    "http://json-schema.org/draft-04/schema#": "id",
    "http://json-schema.org/draft-06/schema#": "$id",
    "http://json-schema.org/draft-07/schema#": "$id",
    "https://json-schema.org/draft/2019-09/schema": "$id",
    "https://json-schema.org/draft/2020-12/schema": "$id",
}


@pytest.mark.parametrize("word", ["id", "$id"])
@pytest.mark.parametrize("draft", DRAFTS)
def test_the_keyword_of_its_draft_alone_names_a_schema(draft: str, word: str) -> None:
    inner = {word: "x.json", "properties": {"a": {"$ref": "#/definitions/Y"}}, "definitions": {"Y": {"type": "string"}}}
    root = {"$schema": draft, "type": "object", "definitions": {"Y": {"type": "integer"}}}
    made = imported({**root, "properties": {"p": {"type": "object", **inner}}})
    assert not made.losses
    named = DRAFTS[draft] == word
    assert (takes(made, {"p": {"a": "x"}}), takes(made, {"p": {"a": 1}})) == (named, not named)


@pytest.mark.parametrize(("draft", "named"), [(draft, "draft/20" in draft) for draft in DRAFTS])
def test_up_to_draft_7_what_refers_to_another_has_no_name(draft: str, named: bool) -> None:
    inner = {DRAFTS[draft]: "x.json", "$ref": "#/definitions/Y", "definitions": {"Y": {"type": "string"}}}
    root = {"$schema": draft, "type": "object", "definitions": {"Y": {"type": "integer"}}}
    made = imported({**root, "properties": {"p": inner}})
    assert (takes(made, {"p": "x"}), takes(made, {"p": 1})) == (named, not named)


@pytest.mark.parametrize("word", ["default", "examples", "const", "enum", "example"])
def test_a_value_that_is_no_schema_has_no_name(word: str) -> None:
    value: Any = {"$id": "y.json", "$anchor": "y", "type": "string"}
    said = {word: [value] if word in ("enum", "examples") else value}
    y = {"$id": "y.json", "$anchor": "y", "type": "integer"}
    for reference in ("y.json", "y.json#y"):
        made = imported({"type": "object", "properties": {"o": said, "p": {"$ref": reference}}, "$defs": {"Y": y}})
        assert not made.losses
        assert takes(made, {"p": 1})
        assert not takes(made, {"p": "x"})


@pytest.mark.parametrize("name", ["default", "enum", "definitions", "properties", "const"])
def test_a_property_of_any_name_may_hold_a_named_schema(name: str) -> None:
    named = {"type": "object", "$id": "y.json", "maxProperties": 0}
    made = imported({"type": "object", "properties": {name: named, "p": {"$ref": "y.json"}}})
    assert not made.losses
    assert not takes(made, {"p": {"a": 1}})


@pytest.mark.parametrize(
    "words",
    [
        {"$dynamicAnchor": "node", "properties": {"next": {"$dynamicRef": "#node"}}},
        {"$anchor": "node", "properties": {"next": {"$dynamicRef": "#node"}}},
        {"$recursiveAnchor": True, "properties": {"next": {"$recursiveRef": "#"}}},
    ],
)
def test_a_dynamic_reference_to_one_place_is_a_reference(words: dict[str, Any]) -> None:
    made = imported({"type": "object", "additionalProperties": False, **words})
    assert not made.losses
    assert takes(made, {"next": {"next": {}}})
    assert not takes(made, {"next": {"next": 1}})


def test_a_dynamic_reference_to_several_places_is_reported() -> None:
    defs = {"A": {"$dynamicAnchor": "n", "type": "string"}, "B": {"$id": "b", "$dynamicAnchor": "n"}}
    made = imported({"type": "object", "properties": {"p": {"$dynamicRef": "#n"}}, "$defs": defs})
    assert [(entry.outcome, entry.pointer) for entry in made.losses] == [(Outcome.WIDER, "/properties/p")]


NESTED = st.recursive(
    st.sampled_from(["#", "#a", "x.json", "#/a"]),
    lambda inner: st.dictionaries(st.sampled_from(["$id", "id", "$anchor", "a", "b/~"]), inner, max_size=3),
)


@given(NESTED, st.text("ab#/.:~%x", max_size=6))
@settings(max_examples=200)
def test_any_reference_is_read_in_any_document(raw: Any, reference: str) -> None:
    assert isinstance(References(raw).local(reference, ""), str)
