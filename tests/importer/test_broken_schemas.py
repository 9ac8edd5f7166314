"""Schemas that say nothing sound, and documents that are made to do harm."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from importing_one import imported, takes

from toolgen.importer.importing import import_tools
from toolgen.importer.reporting import Outcome


@pytest.mark.parametrize(
    ("schema", "at"),
    [
        ("string", ""),
        (None, ""),
        ({"type": 5}, "/type"),
        ({"type": []}, "/type"),
        ({"type": "strin"}, "/type"),
        ({"type": ["strin", "null"]}, "/type"),
        ({"type": "string", "minLength": "x"}, "/minLength"),
        ({"type": "string", "minLength": -1}, "/minLength"),
        ({"type": "string", "maxLength": 1.5}, "/maxLength"),
        ({"type": "string", "pattern": 5}, "/pattern"),
        ({"type": "string", "format": []}, "/format"),
        ({"type": "string", "enum": "abc"}, "/enum"),
        ({"type": "number", "minimum": "3"}, "/minimum"),
        ({"type": "number", "maximum": True}, "/maximum"),
        ({"type": "number", "multipleOf": 0}, "/multipleOf"),
        ({"type": "array", "items": "string"}, "/items"),
        ({"type": "array", "items": [5]}, "/items/0"),
        ({"type": "array", "uniqueItems": "yes"}, "/uniqueItems"),
        ({"type": "object", "properties": []}, "/properties"),
        ({"type": "object", "properties": {"a": None}}, "/properties/a"),
        ({"type": "object", "required": "ab"}, "/required"),
        ({"type": "object", "dependentRequired": {"a": "b"}}, "/dependentRequired"),
        ({"anyOf": []}, "/anyOf"),
        ({"anyOf": [{"type": "string"}, 5]}, "/anyOf/1"),
        ({"not": 5}, "/not"),
        ({"$ref": 5}, "/$ref"),
    ],
)
def test_a_keyword_whose_value_says_nothing_is_reported_where_it_stands(schema: Any, at: str) -> None:
    made = imported({"type": "object", "properties": {"p": schema, "q": {"type": "string"}}})
    assert [(entry.outcome, entry.pointer) for entry in made.losses] == [(Outcome.WIDER, f"/properties/p{at}")]
    assert not takes(made, {"q": 1})


@pytest.mark.parametrize("word", ["nullable", "dependencies"])
def test_a_keyword_that_the_draft_does_not_have_is_noted(word: str) -> None:
    made = imported({"type": "object", "properties": {"p": {"type": "string", word: {}}}})
    assert [(entry.outcome, entry.pointer) for entry in made.entries] == [(Outcome.NOTE, f"/properties/p/{word}")]


GOOD = json.dumps({"type": "object", "properties": {"a": {"type": "string"}}})
LAUGHS = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9))


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("deep.json", '{"properties":{"a":' * 20_000 + "{}" + "}}" * 20_000, "too deep"),
        ("deep.yaml", "[" * 5_000 + "]" * 5_000, "too deep|no JSON"),
        ("nested.json", '{"properties":{"a":' * 150 + "{}" + "}}" * 150, "too deep"),
        ("itself.yaml", "properties: &p\n  a: {properties: *p}\n", "holds itself"),
        ("laughs.yaml", f"a0: &a0 x\n{LAUGHS}", "more than"),
        ("nan.json", '{"type": "object", "properties": {"a": {"minimum": NaN}}}', "NaN is no number"),
        ("half.json", '{"type": "object", "title": "\\uD800"}', "lone surrogate"),
        ("half.yaml", 'type: object\nproperties: {"\\ud800": {}}\n', "lone surrogate|neither JSON nor YAML"),
        ("infinite.json", '{"type": "object", "properties": {"a": {"enum": [1e400]}}}', "1e400 is no number"),
        ("nan.yaml", "type: object\nproperties: {a: {minimum: .nan}}\n", "nan is no number"),
    ],
)
def test_a_document_that_can_not_be_read_is_named_and_the_others_are_imported(
    tmp_path: Path, name: str, text: str, reason: str
) -> None:
    (tmp_path / "good.json").write_text(GOOD, encoding="utf-8")
    (tmp_path / name).write_text(text, encoding="utf-8")
    made = import_tools([str(tmp_path)])
    assert made.tools == 1
    [bad] = made.bad
    assert name in bad.source
    assert re.search(reason, bad.reason)


def test_references_that_double_at_every_step_are_followed_once() -> None:
    defs: dict[str, Any] = {f"A{n}": {"allOf": [{"$ref": f"#/$defs/A{n + 1}"}] * 2} for n in range(40)}
    begun = time.monotonic()
    made = imported(
        {"type": "object", "properties": {"p": {"$ref": "#/$defs/A0"}}, "$defs": {**defs, "A40": {"type": "string"}}}
    )
    assert not made.losses
    assert time.monotonic() - begun < 20


def test_keys_of_yaml_are_text(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("type: object\nproperties: {2: {type: string}, true: {type: integer}}\n")
    made = import_tools([str(tmp_path / "a.yaml")])
    assert made.written is not None
    assert 'name="2"' in made.written.text
    assert "true: int" in made.written.text
