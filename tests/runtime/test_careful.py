from __future__ import annotations

import copy
import datetime
import decimal
import enum
import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolgen.runtime import formats
from toolgen.runtime.careful import Careful, Judged, SchemaError

Schema = dict[str, Any]


def judge(schema: Any, value: object, *, lenient: bool = False) -> Judged:
    return Careful(schema).judge(value, lenient=lenient)


def read(schema: Schema, text: str | bytes | None, *, lenient: bool = True) -> Judged:
    return Careful(schema).read(text, lenient=lenient)


def found(judged: Judged) -> list[tuple[str, str]]:
    return [(issue.path, issue.constraint) for issue in judged.issues]


def notes(judged: Judged) -> list[str]:
    return [note.path for note in judged.notes]


def record(required: tuple[str, ...] = (), *, closed: bool = True, **properties: Any) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": not closed,
    }


INTEGER: Schema = {"type": "integer"}
STRING: Schema = {"type": "string"}


# Agreement with the jsonschema library

NUMBERS = st.integers(-5, 5) | st.sampled_from([0.5, -1.5, 2.0, 1e300, 10**20])
SCALARS = st.none() | st.booleans() | NUMBERS | st.sampled_from(["", "a", "ab", "b1", "é"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abkt"), inner, max_size=3),
    max_leaves=8,
)


def typed(types: str | list[str], **keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
    """Schemas of a type, with some of the keywords."""
    return st.fixed_dictionaries({"type": st.just(types)}, optional=keywords)


SIZES = st.integers(0, 3)
LEAVES = st.one_of(
    typed("integer", minimum=NUMBERS, maximum=NUMBERS, multipleOf=st.sampled_from([1, 2, 3])),
    typed(["number", "null"], minimum=NUMBERS, exclusiveMaximum=NUMBERS, multipleOf=st.sampled_from([0.5, 2])),
    typed("string", minLength=SIZES, maxLength=SIZES, pattern=st.sampled_from(["^a", "b$", "[0-9]"])),
    st.just({"type": "boolean"}),
    st.lists(SCALARS, min_size=1, max_size=3).map(lambda members: {"enum": members}),
    SCALARS.map(lambda member: {"const": member}),
    st.sampled_from(
        [{}, True, {"minimum": 1, "minLength": 1, "minItems": 1, "required": ["a"]}, {"$ref": "#/$defs/Node"}]
    ),
)


def containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    names = st.sampled_from("abk")
    tagged = st.builds(
        lambda one, two: {
            "anyOf": [
                record(("t",), t={"const": "a"}, a=one),
                record(("t",), t={"enum": ["ab", "b1"]}, b=two),
                {"type": "null"},
            ]
        },
        inner,
        inner,
    )
    return st.one_of(
        typed("array", items=inner, minItems=SIZES, maxItems=SIZES, uniqueItems=st.booleans()),
        typed(
            "object",
            properties=st.dictionaries(names, inner, max_size=2),
            required=st.lists(names, unique=True, max_size=2),
            # True leaves out what is not declared, which need not hold to the counts then.
            additionalProperties=inner.map(lambda schema: {} if schema is True else schema),
            minProperties=SIZES,
            maxProperties=SIZES,
        ),
        st.lists(inner, min_size=1, max_size=3).map(lambda arms: {"anyOf": arms}),
        st.lists(inner, min_size=1, max_size=2).map(lambda arms: {"oneOf": arms}),
        st.lists(inner, min_size=1, max_size=2).map(lambda arms: {"allOf": arms, "description": "D."}),
        tagged,
    )


SCHEMAS = st.recursive(LEAVES, containers, max_leaves=6)
NODE = {"type": "object", "properties": {"a": {"type": "array", "items": {"$ref": "#/$defs/Node"}}, "k": INTEGER}}


@given(SCHEMAS, st.lists(VALUES, min_size=1, max_size=5))
@settings(max_examples=300, deadline=None)
def test_it_takes_what_the_jsonschema_library_takes(schema: Any, values: list[Any]) -> None:
    root = {"$defs": {"Node": NODE}, "allOf": [schema]}
    judge_ = jsonschema.Draft202012Validator(root)
    careful = Careful(root)
    for value in values:
        before = copy.deepcopy(value)
        in_text = careful.read(json.dumps(value), lenient=False)
        judged = careful.judge(value, lenient=False)
        assert bool(judged.issues) != judge_.is_valid(value), (value, found(judged))
        assert found(judged) == found(in_text)
        assert value == before
        if not judged.issues:
            assert not judged.notes
            assert judge_.is_valid(judged.value), judged.value
            assert in_text.value == judged.value
            assert careful.judge(judged.value, lenient=False).value == judged.value
            assert careful.judge(value, lenient=True).issues == ()


@pytest.mark.parametrize(
    "value", [[], [[]], [[[]]], {}, {"a": []}, {"a": [[], [1]]}, {"a": {}}, [{}], {"b": [{}]}, {"b": 1}]
)
def test_references_in_a_resource_of_its_own_lead_to_its_own_definitions(value: Any) -> None:
    list_ = {"$defs": {"X": {"type": "array", "items": {"$ref": "#/$defs/X"}}}, "$id": "urn:a", "$ref": "#/$defs/X"}
    root = {
        "$defs": {"X": {"type": "object", "properties": {"a": list_, "b": {"allOf": [{"items": list_}]}}}},
        "anyOf": [{"$ref": "#/$defs/X"}, {"type": "array", "allOf": [{"allOf": [list_]}]}],
    }
    assert bool(judge(root, value).issues) != jsonschema.Draft202012Validator(root).is_valid(value)


@given(SCHEMAS, VALUES)
@settings(max_examples=200, deadline=None)
def test_what_is_mended_is_valid(schema: Any, value: Any) -> None:
    root = {"$defs": {"Node": NODE}, "allOf": [schema]}
    judged = Careful(root).judge(value, lenient=True)
    if not judged.issues:
        assert Careful(root).judge(judged.value, lenient=False).issues == ()


@pytest.mark.parametrize(
    ("schema", "value", "valid"),
    [
        ({"minimum": 3}, "text", True),
        ({"minLength": 3}, 1, True),
        ({"minItems": 1}, {}, True),
        ({"required": ["a"]}, [], True),
        ({"properties": {"$ref": STRING}}, {"$ref": 1}, False),
        ({"properties": {"type": INTEGER, "enum": STRING}}, {"type": 1, "enum": "x"}, True),
        ({"enum": [1]}, 1.0, True),
        ({"enum": [1]}, True, False),
        ({"enum": [[False]]}, [0], False),
        ({"const": {"a": [1]}}, {"a": [1.0]}, True),
        ({"uniqueItems": True}, [1, True], True),
        ({"uniqueItems": True}, [{"a": 1}, {"a": 1.0}], False),
        ({"uniqueItems": True}, [[1], [True]], True),
        ({"type": "integer"}, 1.0, True),
        ({"type": "integer", "multipleOf": 0.123456789}, 1e308, False),
        ({"type": "number"}, 1, True),
        ({"type": ["integer", "string"]}, 1.5, False),
        ({"minLength": 2}, "💩", False),
        ({"maxLength": 2.0}, "abc", False),
        ({"$ref": "#/$defs/a~1b%25", "$defs": {"a/b%": STRING}}, 1, False),
        ({"$ref": "#/$defs/a~0", "$defs": {"a~": STRING}}, "x", True),
        ({"properties": {"a": INTEGER, "b": {"$ref": "#/properties/a"}}}, {"b": "x"}, False),
        ({"allOf": [STRING, INTEGER]}, "x", False),
        ({"allOf": [{"anyOf": [INTEGER, STRING]}, {"minimum": 2}]}, 1, False),
        ({"$ref": "#/$defs/a", "maxItems": 1, "$defs": {"a": {"type": "array"}}}, [1, 2], False),
        ({"oneOf": [INTEGER, {"minimum": 2}]}, 3, False),
        ({"oneOf": [INTEGER, {"minimum": 2}]}, 1.5, False),
        ({"oneOf": [INTEGER, {"minimum": 2}]}, 2.5, True),
        ({"enum": [1, 5], "minimum": 3}, 1, False),
        ({"additionalProperties": STRING, "properties": {"a": {}}}, {"a": 1, "b": 2}, False),
        ({"items": False}, [1], False),
        ({"items": False}, [], True),
        ({"properties": {"a": False}}, {"a": 1}, False),
        ({"x-else": {"type": "no"}, "title": 1, "default": [], "format": "hostname"}, "!", True),
        ({"contentEncoding": "base64"}, "!", True),
        (True, 1, True),
        (False, 1, False),
        ({}, None, True),
    ],
)
def test_keywords_mean_what_json_schema_says(schema: Any, value: Any, valid: bool) -> None:
    assert (judge(schema, value).issues == ()) is valid


@pytest.mark.parametrize("reference", ["#/nowhere", "other.json", "#anchor", "#/$defs/a/b/0", "#/$defs/loop"])
def test_a_reference_that_cannot_be_followed_is_an_error_of_the_schema(reference: str) -> None:
    with pytest.raises(SchemaError):
        Careful({"$ref": reference, "$defs": {"a": {"b": []}, "loop": {"$ref": "#/$defs/loop"}}})


# Canonical values


@pytest.mark.parametrize(
    ("schema", "text", "canonical"),
    [
        (INTEGER, "25.0", 25),
        (INTEGER, "1e3", 1000),
        (INTEGER, "9007199254740993.0", 9007199254740993),
        ({"type": "number"}, "3", 3.0),
        ({"type": "number"}, "2.5", 2.5),
        ({"enum": [1, "a", None]}, "1.0", 1),
        ({"type": ["integer", "number"]}, "1.0", 1.0),
        ({}, "[1.0, 1, 1e2]", [1.0, 1, 100.0]),
        ({"anyOf": [INTEGER, {"type": "null"}]}, "2.0", 2),
        ({"type": "object", "additionalProperties": INTEGER}, '{"b": 1.0}', {"b": 1}),
        ({"type": "object", "additionalProperties": {}}, '{"b": 1}', {"b": 1}),
        (record(closed=False, a=INTEGER), '{"b": 1, "a": 2}', {"a": 2}),
        (record(a=INTEGER, b=STRING), '{"b": "x", "a": 2}', {"a": 2, "b": "x"}),
        (record(a={**INTEGER, "default": 7}), "{}", {}),
        (
            record(a={"allOf": [{"$ref": "#/$defs/I"}], "description": "A."}) | {"$defs": {"I": INTEGER}},
            '{"a": 1.0}',
            {"a": 1},
        ),
    ],
)
def test_values_are_given_in_canonical_form(schema: Schema, text: str, canonical: object) -> None:
    judged = read(schema, text, lenient=False)
    assert (judged.value, judged.issues, judged.notes) == (canonical, (), ())
    assert repr(judged.value) == repr(canonical)


def test_a_canonical_value_shares_nothing_with_the_input_or_the_schema() -> None:
    schema = record(a={}, b={"enum": [{"x": []}]})
    given_ = {"a": [{"deep": []}], "b": {"x": []}}
    value = judge(schema, given_).value
    value["a"][0]["deep"].append(1)
    value["b"]["x"].append(1)
    assert given_ == {"a": [{"deep": []}], "b": {"x": []}}
    assert judge(schema, given_).issues == ()


# Issues

FILTER = record(("name",), name={**STRING, "minLength": 1}, op={"type": "string", "enum": ["eq", "gte"]})


def test_every_issue_at_every_depth_is_found() -> None:
    schema = record(filters={"type": "array", "items": {"$ref": "#/$defs/F"}}, k={**INTEGER, "minimum": 1})
    text = '{"filters":[{"name":""},{"op":"lt","nam":"x"}],"k":0,"zz":1}'
    assert found(read(schema | {"$defs": {"F": FILTER}}, text)) == [
        ("/filters/0/name", "invalid_length"),
        ("/filters/1/name", "missing_field"),
        ("/filters/1/op", "invalid_enum_value"),
        ("/filters/1/nam", "unknown_field"),
        ("/k", "invalid_range"),
        ("/zz", "unknown_field"),
    ]


@pytest.mark.parametrize(
    ("schema", "text", "constraint"),
    [
        (INTEGER, '"5"', "invalid_type"),
        (INTEGER, "true", "invalid_type"),
        (INTEGER, "20.5", "invalid_type"),
        (INTEGER, "null", "invalid_type"),
        (INTEGER, "1e400", "invalid_range"),
        (INTEGER, "1e999999999", "invalid_range"),
        ({"type": "number"}, "-1e400", "invalid_range"),
        ({"type": "number"}, "9" * 4000, "invalid_range"),
        ({"type": "number"}, "true", "invalid_type"),
        ({}, "[1e400]", "invalid_range"),
        (STRING, '"\\ud800"', "invalid_type"),
        (STRING, "1e400", "invalid_type"),
        ({}, '{"\\ud800": 1}', "invalid_type"),
        ({"enum": ["a"]}, "1e400", "invalid_enum_value"),
        ({"enum": ["a"]}, "null", "invalid_enum_value"),
        ({"enum": ["a"]}, '"\\ud800"', "invalid_enum_value"),
        ({"enum": ["a"]}, "[{}]", "invalid_enum_value"),
        ({"const": 1}, "true", "invalid_enum_value"),
        ({**INTEGER, "exclusiveMaximum": 5}, "5.0", "invalid_range"),
        ({**INTEGER, "multipleOf": 5}, "7", "invalid_multiple"),
        ({"type": "number", "multipleOf": 0.01}, "19.995", "invalid_multiple"),
        ({**STRING, "maxLength": 1}, '"ab"', "invalid_length"),
        ({**STRING, "pattern": "^a$"}, '"a\\n"', "invalid_pattern"),
        ({**STRING, "format": "date"}, '"tomorrow"', "invalid_format"),
        ({**STRING, "format": "duration", "pattern": formats.DURATION_PATTERN}, '"1h"', "invalid_format"),
        ({**STRING, "pattern": formats.DECIMAL_PATTERN}, '"1,5"', "invalid_format"),
        ({**STRING, "contentEncoding": "base64", "pattern": formats.base64_pattern()}, '"YQ"', "invalid_format"),
        ({**STRING, "contentEncoding": "base64", "pattern": formats.base64_pattern(2, 3)}, '"YQ=="', "invalid_length"),
        ({"type": "array", "maxItems": 1}, "[1,2]", "invalid_length"),
        ({"type": "array", "uniqueItems": True}, "[1,1.0]", "duplicate_items"),
        ({"type": "object", "minProperties": 1}, "{}", "invalid_length"),
        ({"anyOf": [INTEGER, {"type": "array"}]}, "true", "invalid_type"),
    ],
)
def test_each_fault_is_one_issue_of_its_constraint(schema: Schema, text: str, constraint: str) -> None:
    (issue,) = read(schema, text, lenient=False).issues
    assert issue.constraint == constraint
    assert issue.message


def test_independent_faults_of_one_value_are_all_told() -> None:
    schema = {**STRING, "minLength": 3, "pattern": "^a"}
    assert found(judge(schema, "b")) == [("", "invalid_length"), ("", "invalid_pattern")]


def test_paths_are_json_pointers() -> None:
    schema = {"type": "object", "additionalProperties": {"type": "array", "items": INTEGER}}
    assert found(judge(schema, {"a/b~c": [0, "x"], "": ["y"]})) == [
        ("/a~1b~0c/1", "invalid_type"),
        ("//0", "invalid_type"),
    ]


def test_an_issue_says_what_is_allowed_and_what_is_near() -> None:
    (issue,) = judge({"enum": ["markdown", "html"]}, "MARKDOWN").issues
    assert issue.allowed == ("markdown", "html")
    assert issue.hint is not None
    assert '"markdown"' in issue.hint
    (issue,) = judge(record(pageSize={**INTEGER, "description": "Rows."}), {"page_size": 1}).issues
    assert issue.allowed == ("pageSize",)
    assert issue.hint is not None
    assert '"pageSize"' in issue.hint


def test_an_issue_has_the_limit_and_the_description_of_its_field() -> None:
    schema = record(n={"allOf": [{"$ref": "#/$defs/N"}], "description": "How many."})
    (issue,) = judge(schema | {"$defs": {"N": {**INTEGER, "maximum": 3, "description": "N."}}}, {"n": 4}).issues
    assert (issue.limit, issue.actual, issue.description) == (3, "4", "How many.")


# Unions

CAT = record(("kind",), kind={"const": "cat"}, lives=INTEGER)
DOG = record(("kind", "name"), kind={"enum": ["dog", "wolf"]}, name=STRING)
PET = {"anyOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}, STRING]}
PETS = record(("pet",), pet=PET) | {"$defs": {"Cat": CAT, "Dog": DOG}}


@pytest.mark.parametrize(
    ("pet", "issues"),
    [
        ({"kind": "cat", "lives": 9.0}, []),
        ({"kind": "wolf", "name": "w"}, []),
        ("a string", []),
        ({"kind": "cat", "name": "x"}, [("/pet/name", "unknown_field")]),
        ({"kind": "cow"}, [("/pet/kind", "invalid_enum_value")]),
        ({"kind": None}, [("/pet/kind", "invalid_enum_value")]),
        ({}, [("/pet/kind", "missing_field")]),
        (5, [("/pet", "invalid_type")]),
    ],
)
def test_the_tag_chooses_the_form_that_is_judged(pet: object, issues: list[tuple[str, str]]) -> None:
    assert found(judge(PETS, {"pet": pet})) == issues


def test_a_bad_tag_names_the_values_of_all_forms() -> None:
    (issue,) = judge(PETS, {"pet": {"kind": "cow"}}).issues
    assert issue.allowed == ("cat", "dog", "wolf")
    (issue,) = judge(PETS, {"pet": {}}).issues
    assert issue.allowed == ("cat", "dog", "wolf")


def test_a_recursive_union_is_followed() -> None:
    tree = record(("kind", "of"), kind={"const": "tree"}, of={"type": "array", "items": {"$ref": "#/$defs/T"}})
    schema = {"$ref": "#/$defs/T", "$defs": {"T": {"anyOf": [tree, record(("kind",), kind={"const": "leaf"})]}}}
    leaf: Any = {"kind": "leaf"}
    assert judge(schema, {"kind": "tree", "of": [leaf, {"kind": "tree", "of": [leaf]}]}).issues == ()
    assert found(judge(schema, {"kind": "tree", "of": [{"kind": "tree", "of": [{"kind": "x"}]}]})) == [
        ("/of/0/of/0/kind", "invalid_enum_value")
    ]


# Mends

MENDABLE = record(
    ("need",),
    need={"type": ["integer", "null"]},
    free=INTEGER,
    nullable={"type": ["integer", "null"]},
    rec=FILTER,
    items={"type": "array", "items": STRING},
    mixed={"anyOf": [FILTER, STRING]},
)


def test_null_is_left_out_where_a_field_may_be_missing() -> None:
    judged = read(MENDABLE, '{"need":null,"free":null,"nullable":null}')
    assert (judged.value, notes(judged)) == ({"need": None, "nullable": None}, ["/free"])
    assert found(read(MENDABLE, '{"need":1,"free":null}', lenient=False)) == [("/free", "invalid_type")]


@pytest.mark.parametrize("text", ["", " \n", "null", None, b"", "\ufeff", "\ufeff null"])
def test_nothing_at_all_is_an_empty_object(text: str | bytes | None) -> None:
    judged = read(record(), text)
    assert judged.value == {}
    assert judged.issues == ()
    assert judged.notes
    assert read(record(), text, lenient=False).issues


@pytest.mark.parametrize("schema", [{"type": ["object", "null"]}, {"type": "null"}, {}])
def test_null_stays_null_where_the_schema_takes_it(schema: Schema) -> None:
    assert read(schema, "null") == (None, (), ())
    assert found(read(schema, "")) == [("", "truncated_json")]


def test_an_object_or_array_written_as_a_string_is_parsed_once() -> None:
    judged = read(MENDABLE, json.dumps({"need": 1, "rec": '{"name":"a"}', "items": '["x"]', "mixed": '{"name":"a"}'}))
    assert judged.value == {"need": 1, "rec": {"name": "a"}, "items": ["x"], "mixed": '{"name":"a"}'}
    assert notes(judged) == ["/rec", "/items"]
    assert read(MENDABLE, json.dumps(json.dumps({"need": 1}))).value == {"need": 1}
    assert found(read(MENDABLE, json.dumps(json.dumps(json.dumps({"need": 1}))))) == [("", "invalid_type")]
    assert found(read(MENDABLE, json.dumps(json.dumps({"need": 1})), lenient=False)) == [("", "invalid_type")]


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", '{"name":"a"} x', "x", "5", '"{}"'])
def test_a_string_that_holds_something_else_is_an_invalid_type(text: str) -> None:
    (issue,) = judge(MENDABLE, {"need": 1, "rec": text}, lenient=True).issues
    assert (issue.path, issue.constraint) == ("/rec", "invalid_type")
    assert issue.hint


@pytest.mark.parametrize("lenient", [True, False])
@pytest.mark.parametrize(
    ("items", "value", "may_be_an_item"),
    [
        ({"type": "string"}, "dog", True),
        ({"type": "string"}, '["dog"', False),
        ({"type": "string"}, 5, False),
        ({"type": "string"}, None, False),
        ({"type": ["string", "null"]}, None, False),
        ({"type": "integer"}, 5, True),
        ({"type": "integer"}, "five", False),
        ({"type": "number"}, 5, True),
        ({"type": "object", "properties": {}}, {"a": 1}, True),
        ({"enum": ["a"]}, "b", True),
        ({}, {"a": 1}, True),
    ],
    ids=repr,
)
def test_what_may_be_an_item_is_told_to_be_put_into_an_array(
    lenient: bool, items: dict[str, Any], value: object, may_be_an_item: bool
) -> None:
    for nulls in ([], ["null"] if value is not None else []):
        schema = {"type": ["array", *nulls], "items": items}
        wanted = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
        [issue] = Careful(wanted).read({"a": value}, lenient=lenient).issues
        assert (issue.constraint, issue.path) == ("invalid_type", "/a")
        assert (issue.hint or "").startswith("Put it into an array") == may_be_an_item


def test_a_null_that_is_left_out_is_no_key_to_count() -> None:
    inner = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
    for schema in ({**inner, "minProperties": 1}, {"anyOf": [{**inner, "minProperties": 1}]}):
        assert found(judge(schema, {"a": None}, lenient=True)) == [("", "invalid_length")]
        assert judge(schema, {"a": None, "b": 1}, lenient=True).value == {"b": 1}
    assert judge({**inner, "maxProperties": 1}, {"a": None, "b": 1}, lenient=True).value == {"b": 1}


def test_faults_within_a_parsed_string_have_their_paths() -> None:
    assert found(judge(MENDABLE, {"need": 1, "rec": '{"name":5}'}, lenient=True)) == [("/rec/name", "invalid_type")]


def test_a_string_within_a_scalar_is_never_parsed() -> None:
    assert judge(record(a=STRING), {"a": "123"}, lenient=True).value == {"a": "123"}
    assert found(judge(record(a=INTEGER), {"a": "123"}, lenient=True)) == [("/a", "invalid_type")]
    assert found(judge(record(a={"anyOf": [INTEGER, FILTER]}), {"a": "5"}, lenient=True)) == [("/a", "invalid_type")]


def test_cut_off_json_is_never_completed() -> None:
    assert found(read(MENDABLE, '{"need":1')) == [("", "truncated_json")]
    assert found(read(MENDABLE, '{"need":1}{"need":2}')) == [("", "malformed_json")]


# Values that a caller parsed


class Colour(enum.StrEnum):
    RED = "red"


class Text(str):
    __slots__ = ()


class Whole(int):
    pass


class Items(list[Any]):
    pass


@pytest.mark.parametrize(
    "value",
    [
        (1,),
        {1},
        b"x",
        datetime.date(2026, 1, 1),
        decimal.Decimal(1),
        Colour.RED,
        Text("a"),
        Whole(1),
        Items(),
        object(),
        1j,
        type,
    ],
)
def test_what_json_has_no_type_for_is_an_invalid_type(value: object) -> None:
    for schema in ({}, STRING, INTEGER, {"type": "array"}, {"type": "object"}):
        assert found(judge(record(a=schema), {"a": value}, lenient=True)) == [("/a", "invalid_type")]
    assert found(judge(record(closed=False), {"a": [value]})) == [("/a/0", "invalid_type")]
    (issue,) = judge(INTEGER, value).issues
    assert type(value).__name__ not in issue.message.replace("integer", "").replace("type for", "")


@pytest.mark.parametrize("key", [1, None, (1,), b"a"])
def test_an_object_whose_keys_are_not_strings_is_an_invalid_type(key: object) -> None:
    assert found(judge(record(a={}), {"a": {"b": 1, key: 2}})) == [("/a", "invalid_type")]


class Broken(Mapping[str, Any]):
    def __getitem__(self, key: str) -> Any:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("no")

    def __len__(self) -> int:
        return 1


class Lying:
    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


@pytest.mark.parametrize("kind", [Broken, Lying])
def test_what_foreign_objects_raise_never_comes_out(kind: type) -> None:
    for value in (kind(), {"a": kind()}, {"a": [kind()]}):
        (issue,) = judge(record(a={}), value).issues
        assert issue.constraint == "invalid_type"


def test_mappings_are_objects() -> None:
    assert judge(record(a=FILTER), MappingProxyType({"a": MappingProxyType({"name": "x"})})).value == {
        "a": {"name": "x"}
    }


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_are_not_finite_are_out_of_range(number: float) -> None:
    for schema in ({}, INTEGER, {"type": "number"}):
        assert found(judge(record(a=schema), {"a": number})) == [("/a", "invalid_range")]


def test_what_holds_itself_is_malformed() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert found(judge({}, loop)) == [("", "malformed_json")]
    assert found(judge(record(a={}), {"a": loop})) == [("", "malformed_json")]


def test_what_repeats_itself_without_measure_is_malformed() -> None:
    value: Any = ["x"]
    for _ in range(60):
        value = [value, value]
    assert found(judge({}, value)) == [("", "malformed_json")]


def test_the_same_list_may_stand_in_several_places() -> None:
    shared = ["x"]
    assert judge({}, {"a": shared, "b": [shared, shared]}).value == {"a": ["x"], "b": [["x"], ["x"]]}


@pytest.mark.parametrize("levels", [100, 101])
def test_a_hundred_levels_are_taken_in_both_forms(levels: int) -> None:
    text = "[" * levels + "]" * levels
    expected = [] if levels == 100 else [("", "malformed_json")]
    assert found(read({}, text)) == found(judge({}, json.loads(text))) == expected


def test_levels_within_a_string_count_too() -> None:
    schema = {"type": "array", "items": {"$ref": "#"}}
    inner = "[" * 60 + "]" * 60
    assert judge(schema, [inner], lenient=True).issues == ()
    deep: Any = inner
    for _ in range(50):
        deep = [deep]
    (issue,) = judge(schema, deep, lenient=True).issues
    assert issue.constraint == "invalid_type"


# Hostile input


def test_thousands_of_unknown_keys_are_told_and_only_some_compared() -> None:
    schema = record() | {"properties": {f"field_number_{n}": INTEGER for n in range(100)}}
    issues = judge(schema, {f"fieldnumber{n}x": 1 for n in range(5_000)}).issues
    assert len(issues) == 5_000
    assert sum(issue.hint is not None for issue in issues) == 10


def test_a_long_key_is_cut_in_paths() -> None:
    schema = {"type": "object", "additionalProperties": {"type": "array", "items": INTEGER}}
    issues = judge(schema, {"k" * 100_000: ["x"] * 1_000}).issues
    assert sum(len(issue.path) + len(issue.message) for issue in issues) < 1_000_000
