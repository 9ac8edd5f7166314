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
