"""Each construct of JSON Schema, as ``docs/import.md`` says that it is imported."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from importing_one import imported, takes

from toolgen.importer.reporting import Outcome
from toolgen.importer.sources import SourceFault

GUIDE = Path(__file__).parents[2] / "docs" / "import.md"
STRING = {"type": "string"}
NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}, "additionalProperties": False}


def record(*required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


@dataclass(frozen=True)
class Case:
    """A schema of a property, what becomes of it, what the design then says, and values on both sides."""

    row: str
    outcome: str
    schema: Any
    says: str
    good: tuple[Any, ...] = ()
    bad: tuple[Any, ...] = ()


CASES = [
    Case("type", "carried", STRING, "p: str = field(", ("a",), (1, None)),
    Case(
        "several types",
        "carried",
        {"type": ["string", "integer", "null"]},
        "p: str | int | None",
        ("a", 1, None),
        (1.5, []),
    ),
    Case("no type, properties", "carried", {"properties": {"a": STRING}}, "TrialP", ({"a": "x"}, 1, []), ({"a": 1},)),
    Case("no type, other keywords", "carried", {"minLength": 2}, 'also={"minLength": 2}', ("ab", 1), ("a",)),
    Case(
        "bounds of numbers",
        "carried",
        {"type": "number", "exclusiveMinimum": 1, "multipleOf": 0.5},
        "gt=1",
        (1.5,),
        (1, 1.7),
    ),
    Case(
        "bounds of integers",
        "carried",
        {"type": "integer", "minimum": 0.5, "multipleOf": 0.5},
        "ge=1",
        (1, 2.0),
        (0, 1.5),
    ),
    Case(
        "lengths and pattern",
        "carried",
        {"type": "string", "maxLength": 3, "pattern": r"^\_[a-z]"},
        "max_length=3",
        ("_a",),
        ("a", "_abc"),
    ),
    Case(
        "pattern that looks ahead from its ^, or back from its $",
        "carried",
        {"type": "string", "pattern": "^(?!a|b)[a-z-]+(?<!-)$"},
        'pattern="^[a-z-]+$", also={"allOf": [{"not": {"pattern": "^(?:a|b)"}}, {"not": {"pattern": "-$"}}]}',
        ("c-a",),
        ("ab", "b", "c-", "1"),
    ),
    Case(
        "pattern outside the dialect",
        "widened",
        {"type": "string", "pattern": r"\Aab\Z"},
        "# #/properties/p/pattern wider",
        ("ab", "AabZ"),
        (1,),
    ),
    Case(
        "pattern outside the dialect",
        "widened",
        {"type": "string", "pattern": "^(a(?!b))"},
        "# #/properties/p/pattern wider",
        ("b", "ab"),
        (1,),
    ),
    Case("format of a type", "carried", {"type": "string", "format": "date"}, "p: date", ("2026-11-30",), ("x",)),
    Case(
        "format that is checked",
        "carried",
        {"type": "string", "format": "ipv4"},
        'format="ipv4"',
        ("192.0.2.1",),
        ("x",),
    ),
    Case(
        "format with a pattern",
        "carried",
        {"type": "string", "format": "duration"},
        "pattern=",
        ("P1Y2M",),
        ("1 year",),
    ),
    Case(
        "format with bounds",
        "carried",
        {"type": "string", "format": "date", "pattern": "^2"},
        'also={"format": "date"}',
        ("2026-11-30",),
        ("1999-01-01", "2"),
    ),
    Case("format that is not checked", "widened", {"type": "string", "format": "regex"}, "p: str", ("(",), (1,)),
    Case("format of another vocabulary", "carried", {"type": "string", "format": "colour"}, "p: str", ("red",), (1,)),
    Case("const", "carried", {"const": "a"}, 'p: Literal["a"]', ("a",), ("b",)),
    Case(
        "enum",
        "carried",
        {"enum": ["a", 1, None, True]},
        'p: Literal["a", 1, None, True]',
        ("a", 1.0, None, True),
        ("b", False),
    ),
    Case(
        "enum beside other keywords",
        "carried",
        {"type": "string", "enum": ["a", 1, "bb"], "maxLength": 1},
        'p: Literal["a"]',
        ("a",),
        (1, "bb"),
    ),
    Case(
        "const or enum of objects or lists",
        "carried",
        {"const": {"a": [1]}},
        'also={"enum": [{"a": [1]}]}',
        ({"a": [1.0]},),
        ({"a": []}, "a"),
    ),
    Case(
        "list",
        "carried",
        {"type": "array", "items": STRING, "minItems": 1},
        "p: list[str] = field(",
        (["a"],),
        ([], [1]),
    ),
    Case(
        "unique items of one spelling",
        "carried",
        {"type": "array", "items": STRING, "uniqueItems": True},
        "unique_items=True",
        (["a"],),
        (["a", "a"],),
    ),
    Case(
        "unique items of another",
        "carried",
        {"type": "array", "items": record(a=STRING), "uniqueItems": True},
        "p: list[dict[str, Any]]",
        ([{"a": "x"}],),
        ([{}, {}], [{"a": 1}]),
    ),
    Case(
        "tuple",
        "carried",
        {"type": "array", "prefixItems": [STRING, {"type": "integer"}], "items": False},
        "prefixItems",
        (["a", 1], []),
        ([1], ["a", 1, 2]),
    ),
    Case(
        "tuple",
        "carried",
        {"type": "array", "items": [STRING, {"type": "integer"}]},
        "prefixItems",
        (["a", 1], []),
        ([1],),
    ),
    Case(
        "contains",
        "carried",
        {"type": "array", "contains": STRING, "maxContains": 1},
        "contains",
        (["a", 1],),
        ([1], ["a", "b"]),
    ),
    Case(
        "object with additionalProperties false",
        "carried",
        record("a", a=STRING),
        "class TrialP(Record)",
        ({"a": "x"},),
        ({}, {"a": "x", "b": 1}),
    ),
    Case(
        "object that allows unknown keys",
        "carried",
        {"type": "object", "properties": {"a": STRING}},
        "class TrialP(Record, closed=False)",
        ({"b": 1},),
        ({"a": 1},),
    ),
    Case(
        "object of keys of the caller's choosing",
        "carried",
        {"type": "object", "additionalProperties": STRING, "maxProperties": 1},
        "p: dict[str, str] = field(",
        ({"x": "y"},),
        ({"x": 1}, {"a": "b", "c": "d"}),
    ),
    Case(
        "unknown keys of a type",
        "carried",
        {"type": "object", "properties": {"a": STRING}, "additionalProperties": {"type": "integer"}},
        "additionalProperties",
        ({"a": "x", "b": 1},),
        ({"b": "x"},),
    ),
    Case(
        "patternProperties, nothing else allowed",
        "carried",
        {"type": "object", "patternProperties": {"^x": STRING}, "additionalProperties": False},
        "propertyNames",
        ({"x1": "a"},),
        ({"a": "a"}, {"x1": 1}),
    ),
    Case(
        "patternProperties",
        "carried",
        {"type": "object", "properties": {"a": STRING}, "patternProperties": {"^x": STRING}},
        "patternProperties",
        ({"x": "a", "b": 1},),
        ({"x": 1},),
    ),
    Case(
        "propertyNames",
        "carried",
        {"type": "object", "propertyNames": {"maxLength": 1}},
        "propertyNames",
        ({"x": 1},),
        ({"xy": 1},),
    ),
    Case(
        "number of keys",
        "carried",
        {"type": "object", "properties": {"a": STRING, "b": STRING}, "additionalProperties": False, "minProperties": 1},
        "minProperties",
        ({"a": "x"},),
        ({},),
    ),
    Case(
        "required keys that are not declared",
        "carried",
        {"type": "object", "required": ["a"]},
        "a: Any = field(",
        ({"a": None},),
        ({},),
    ),
    Case(
        "property that takes nothing",
        "carried",
        {"type": "object", "properties": {"a": STRING, "b": False}},
        "class TrialP(Record, closed=False",
        ({"a": "x"},),
        ({"b": 1},),
    ),
    Case("boolean schema", "carried", True, "p: Any", (1, None), ()),
    Case(
        "allOf",
        "carried",
        {
            "allOf": [
                record_ := {"type": "object", "properties": {"a": STRING}},
                {"properties": {"b": STRING}, "required": ["b"]},
            ]
        },
        "b: str = field(",
        ({"b": "x"},),
        ({"a": "x"}, {"a": 1, "b": "x"}),
    ),
    Case(
        "allOf that meets in no keyword",
        "carried",
        {"allOf": [{"type": "string", "pattern": "a"}, {"pattern": "b"}]},
        'also={"allOf"',
        ("ab",),
        ("a", "b"),
    ),
    Case(
        "anyOf, oneOf of several types",
        "carried",
        {"oneOf": [STRING, {"type": "array", "items": STRING}]},
        "p: str | list[str]",
        ("a", ["a"]),
        (1,),
    ),
    Case(
        "anyOf, oneOf with null",
        "carried",
        {"anyOf": [record(a=STRING), {"type": "null"}]},
        "p: TrialP | None",
        (None, {}),
        (1,),
    ),
    Case(
        "objects told apart by a tag",
        "carried",
        {"oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]},
        "p: Cat | Dog",
        ({"kind": "cat"},),
        ({"kind": "cow"}, {}),
    ),
    Case(
        "objects without a tag",
        "carried",
        {"anyOf": [record("a", a=STRING), record("b", b=STRING)]},
        "minProperties",
        ({"a": "x"},),
        ({}, {"a": "x", "b": "y"}),
    ),
    Case(
        "objects without a tag",
        "carried",
        {"anyOf": [record("t", t={"const": 1}), record("t", t={"enum": [2**63, 2]}, b=STRING)]},
        "also={",
        ({"t": 1}, {"t": 2**63}, {"t": 2, "b": "x"}),
        ({"t": 3}, {"t": 1, "b": "x"}),
    ),
    Case(
        "alternatives of one type",
        "carried",
        {"type": "string", "anyOf": [{"maxLength": 1}, {"pattern": "^x"}]},
        'also={"anyOf"',
        ("a", "xyz"),
        ("abc",),
    ),
    Case("alternatives of no type", "carried", {"anyOf": [{"minLength": 2}, {"minimum": 3}]}, "p: Any", ("a", 1), ()),
    Case(
        "alternatives that differ in what is required",
        "carried",
        {**record(a=STRING, b=STRING), "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        '"oneOf": [{"required": ["a"]}, {"required": ["b"]}]',
        ({"a": "x"},),
        ({}, {"a": "x", "b": "y"}),
    ),
    Case("not", "carried", {"type": "string", "not": {"const": "a"}}, 'also={"not": {"const": "a"}}', ("b",), ("a",)),
    Case(
        "if, then, else",
        "carried",
        {**record(a=STRING, b=STRING), "if": {"required": ["a"]}, "then": {"required": ["b"]}},
        '"then": {"required": ["b"]}',
        ({"b": "x"}, {"a": "x", "b": "y"}),
        ({"a": "x"},),
    ),
    Case(
        "dependentRequired, dependencies",
        "carried",
        {**record(a=STRING, b=STRING), "dependentRequired": {"a": ["b"]}},
        "dependentRequired",
        ({"b": "x"},),
        ({"a": "x"},),
    ),
    Case(
        "dependentSchemas",
        "carried",
        {**record(a=STRING, b=STRING), "dependentSchemas": {"a": {"required": ["b"]}}},
        "dependentSchemas",
        ({"b": "x"},),
        ({"a": "x"},),
    ),
    Case(
        "unevaluatedProperties",
        "carried",
        {"allOf": [{"type": "object", "properties": {"a": STRING}}], "unevaluatedProperties": False},
        "class TrialP(Record)",
        ({"a": "x"},),
        ({"b": 1},),
    ),
    Case(
        "unevaluatedProperties beside alternatives",
        "carried",
        {
            "type": "object",
            "properties": {"a": STRING},
            "anyOf": [{"properties": {"b": STRING}, "required": ["b"]}, {"properties": {"c": STRING}}],
            "unevaluatedProperties": False,
        },
        "class TrialP( Record, also=",
        ({"a": "x"}, {"b": "x", "c": "x"}, {"c": "x"}),
        ({"d": 1}, {"b": "x", "c": 1}, {"b": 1, "c": "x"}, 1),
    ),
    Case(
        "unevaluatedProperties beside alternatives that have patterns, or say of it themselves",
        "widened",
        {
            "type": "object",
            "anyOf": [{"patternProperties": {"^x": STRING}}, {"required": ["y"]}],
            "unevaluatedProperties": False,
        },
        "wider",
        ({"xa": "x"},),
        (1,),
    ),
    Case(
        "unevaluatedItems",
        "carried",
        {"type": "array", "prefixItems": [STRING], "contains": {"const": 1}, "unevaluatedItems": STRING},
        '"items": {"anyOf": [{"const": 1}, {"type": "string"}]}',
        (["a", 1, "b"],),
        (["a", 1, 2], ["a"]),
    ),
    Case(
        "unevaluatedItems beside alternatives",
        "widened",
        {"type": "array", "anyOf": [{"prefixItems": [STRING]}, {"minItems": 3}], "unevaluatedItems": False},
        "wider",
        (["a"],),
        (1,),
    ),
    Case("$ref", "carried", {"$ref": "#/$defs/Name"}, "p: str = field(", ("a",), (1, "")),
    Case(
        "$ref with siblings",
        "carried",
        {"$ref": "#/$defs/Name", "maxLength": 2},
        "min_length=1, max_length=2",
        ("a",),
        ("", "abc"),
    ),
    Case(
        "recursive Record", "carried", {"$ref": "#/$defs/Node"}, "next: Node = field(", ({"next": {}},), ({"next": 1},)
    ),
    Case(
        "recursion through a Record",
        "carried",
        {"$ref": "#/$defs/Call"},
        "args: list[str | Call | None] = field(",
        ("a", {"args": ["a", None, {"args": [{}]}]}),
        ({"args": [{"args": [1]}]}, 1),
    ),
    Case(
        "recursion outside a Record",
        "carried",
        {"$ref": "#/$defs/Tree"},
        'p: list[int | list[Any]] = field( UNDESCRIBED, also={ "$ref": "#/$defs/Tree"',
        ([[1]], [1, [[[2]]]]),
        ("a", [[["a"]]]),
    ),
    Case(
        "recursive rule",
        "carried",
        {"$ref": "#/$defs/Deep"},
        '{"$ref": "#/$defs/Deep"}',
        ({}, {"a": {"a": {}}}),
        (1, {"a": {}}, {"a": 1}, {"a": {"a": {"a": {}}}}),
    ),
    Case("$ref out of the document", "widened", {"$ref": "other.json#/a"}, "wider: any value is taken", (1, "a"), ()),
    Case("unused definition", "carried", STRING, "p: str", ("a",), (1,)),
    Case(
        "JSON name that needs an escape",
        "carried",
        {"type": "object", "properties": {'a"b': STRING}},
        "p: dict[str, Any]",
        ({'a"b': "x"},),
        ({'a"b': 1},),
    ),
    Case("$ref to an $id or $anchor", "carried", {"$ref": "#long"}, "min_length=2", ("ab",), ("a",)),
    Case("$dynamicRef, $recursiveRef", "carried", {"$dynamicRef": "#long"}, "min_length=2", ("ab",), ("a",)),
    Case(
        "keyword with a value that says nothing",
        "widened",
        {"type": "string", "minLength": "x"},
        "minLength is not read",
        ("a",),
        (1,),
    ),
    Case("keyword of another draft", "carried", {"type": "string", "nullable": True}, "p: str", ("a",), (1, None)),
    Case("type that is none", "widened", {"type": "any"}, "p: Any", (1,), ()),
]
DEFS = {
    "Name": {"type": "string", "minLength": 1},
    "Node": NODE,
    "Cat": record("kind", kind={"const": "cat"}),
    "Dog": record("kind", kind={"const": "dog"}),
    "Tree": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/Tree"}]}},
    "Deep": {
        "type": "object",
        "properties": {"a": True},
        "not": {"properties": {"a": {"$ref": "#/$defs/Deep"}}, "required": ["a"]},
        "dependentSchemas": {"a": {"properties": {"a": {"type": "object"}}}},
    },
    "Call": {"anyOf": [STRING, {"type": "null"}, record(args={"type": "array", "items": {"$ref": "#/$defs/Call"}})]},
    "Unused": {"type": "array"},
    "Long": {"$anchor": "long", "type": "string", "minLength": 2},
}


def as_property(schema: Any) -> Any:
    """The schema as that of a required property ``p``."""
    return {**record("p", p=schema), "$defs": DEFS}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.row)
def test_a_construct_is_imported_as_the_guide_says(case: Case) -> None:
    made = imported(as_property(case.schema))
    assert made.written is not None, [bad.line() for bad in made.bad]
    assert case.says in " ".join(re.sub(r"\n\s*#", " #", made.written.text).split()), made.written.text
    assert bool(made.losses) == (case.outcome != "carried"), [entry.line() for entry in made.entries]
    for value in case.good:
        assert takes(made, {"p": value}), value
    for value in case.bad:
        assert not takes(made, {"p": value}), value


@dataclass(frozen=True)
class Root:
    """A schema of a whole input, what becomes of it, and inputs on both sides."""

    row: str
    outcome: str
    schema: Any
    good: tuple[Any, ...] = ()
    bad: tuple[Any, ...] = ()


ROOTS = [
    Root(
        "input of alternatives",
        "carried",
        {"anyOf": [record("a", a=STRING), record("b", b=STRING)]},
        ({"a": "x"},),
        ({}, {"a": "x", "b": "x"}),
    ),
    Root("input without a type", "narrowed", {"properties": {"a": STRING}}, ({"a": "x"},), ({"a": 1},)),
    Root(
        "input that is no object",
        "narrowed",
        {"type": "array", "items": STRING},
        ({"value": ["a"]},),
        ({"value": [1]},),
    ),
    Root("key that providers refuse", "left out", record(**{"a b": STRING}), ({"a b": "x"},), ({"a b": 1}, {"c": 1})),
    Root("key $schema", "carried", record(**{"$schema": STRING, "a": STRING}), ({"$schema": "x"},), ({"$schema": 1},)),
    Root(
        "integer of draft 4",
        "carried",
        {"$schema": "http://json-schema.org/draft-04/schema#", **record(a={"type": "integer"})},
        ({"a": 2}, {"a": 2.0}),
        ({"a": 2.5},),
    ),
    Root("open input that counts its keys", "widened", {"type": "object", "minProperties": 1}, ({"a": 1}, {}), ()),
]


@pytest.mark.parametrize("case", ROOTS, ids=lambda case: case.row)
def test_an_input_is_imported_as_the_guide_says(case: Root) -> None:
    made = imported(case.schema)
    wanted = {"narrowed": Outcome.NARROWER, "widened": Outcome.WIDER, "left out": Outcome.LEFT_OUT}.get(case.outcome)
    assert {entry.outcome for entry in made.losses} == ({wanted} if wanted else set())
    for value in case.good:
        assert takes(made, value), value
    for value in case.bad:
        assert not takes(made, value), value


REFUSED = {
    "input that takes no object": {"type": "object", "properties": {"a": False}, "required": ["a"]},
    "schema false": False,
}


@pytest.mark.parametrize("row", REFUSED)
def test_what_takes_no_arguments_is_refused(row: str) -> None:
    with pytest.raises(SourceFault):
        imported(REFUSED[row])


def test_the_guide_has_a_row_for_each_construct_and_no_other() -> None:
    rows = re.findall(
        r"^\| ([^|]+) \| (carried|narrowed|widened|left out|refused) \|", GUIDE.read_text(encoding="utf-8"), re.M
    )
    tested = {case.row: case.outcome for case in (*CASES, *ROOTS)} | dict.fromkeys(REFUSED, "refused")
    assert {re.sub("`", "", row): outcome for row, outcome in rows} == tested
