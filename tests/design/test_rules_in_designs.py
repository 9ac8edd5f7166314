from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolgen import emit, providers
from toolgen.design.rules import Keys, complaints
from toolgen.load import DesignError, load
from toolgen.preview import imported
from toolgen.providers import budgets
from toolgen.runtime.issues import PayloadError

PRELUDE = '''"""A design."""

from __future__ import annotations

from datetime import date
from typing import Any

from toolgen.dsl import Record, Toolset, field

desk = Toolset("desk", "A desk.")
'''

ONE_OF_TWO = '{"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}'

TREE = '{"type": "array", "items": {"$ref": "#/$defs/Tree"}, "maxItems": 2}'
SIZES = (
    '{"allOf": [{"$ref": "#/$defs/Few"}], "$defs": {"Few": {"maxProperties": 1, "propertyNames": {"minLength": 2}}}}'
)

DESIGN = f"""{PRELUDE}

class Sizes(Record, also={SIZES}):
    '''One size.'''

    cm: Any = field("Centimetres.", optional=True, keep_null=True)
    inch: Any = field("Inches.", optional=True, keep_null=True)
    m: Any = field("Metres.", optional=True, keep_null=True)


class Pair(Record, closed=False, also={ONE_OF_TWO}):
    '''One of two.'''

    a: int = field("A.", optional=True)
    b: int | None = field("B.", optional=True, keep_null=True)


@desk.tool(also={{"dependentRequired": {{"size": ["unit"]}}}})
class Pick:
    '''Pick.'''

    class Input:
        pair: Pair = field("Pair.", optional=True)
        size: float = field("Size.", optional=True)
        unit: str = field("Unit.", optional=True, also={{"not": {{"const": "ell"}}}})
        rows: list[Any] = field("Rows.", optional=True, also={{"prefixItems": [{{"type": "string"}}], "items": False}})
        names: dict[str, str] = field("Names.", optional=True, also={{"propertyNames": {{"pattern": "^x-"}}}})
        sizes: Sizes = field("Sizes.", optional=True)
        tree: list[Any] = field(
            "Tree.", optional=True, also={{"$ref": "#/$defs/Tree", "$defs": {{"Tree": {TREE}, "Unused": {{}}}}}}
        )
        value: Any = field(
            "Value.",
            optional=True,
            keep_null=True,
            also={{"properties": {{"z": {{"type": "integer"}}}}, "type": "object", "required": ["z"]}},
        )
"""


@pytest.fixture
def pick(tmp_path: Path) -> Iterator[ModuleType]:
    design = tmp_path / "desk.py"
    design.write_text(DESIGN, encoding="utf-8")
    with imported(emit.render(load([design], root=tmp_path), emit.Options()), "desk.pick") as module:
        yield module


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"pair": {"a": 1}},
        {"pair": {"b": None}},
        {"pair": {"a": 1, "c": 2}},
        {"pair": {}},
        {"pair": {"a": 1, "b": 2}},
        {"size": 1, "unit": "m"},
        {"size": 1},
        {"unit": "ell"},
        {"rows": ["a"]},
        {"rows": ["a", 1]},
        {"rows": [1]},
        {"names": {"x-1": "a"}},
        {"names": {"y": "a"}},
        {"sizes": {"cm": 1}},
        {"sizes": {"cm": 1, "inch": 1}},
        {"sizes": {"m": 1}},
        {"tree": [[], [[[]]]]},
        {"tree": [[], [[1]]]},
        {"tree": [[[[], [], []]]]},
        {"value": {"z": 1.0, "other": [1]}},
        {"value": {"z": "1"}},
        {"value": None},
    ],
)
def test_the_codecs_take_what_the_published_schema_takes(pick: ModuleType, value: dict[str, object]) -> None:
    for codec in (pick.MODEL.strict, pick.EXECUTION):
        valid = jsonschema.Draft202012Validator(codec.schema).is_valid(value)
        try:
            decoded = codec.decode(value)
        except PayloadError:
            assert not valid
        else:
            assert valid
            assert codec.decode(codec.encode(decoded)) == decoded


def test_a_value_keeps_what_a_rule_speaks_of(pick: ModuleType) -> None:
    decoded = pick.MODEL.decode({"value": {"z": 1, "other": [1]}})
    assert decoded.value == {"z": 1, "other": [1]}


def test_a_mended_input_holds_to_the_rules(pick: ModuleType) -> None:
    assert pick.MODEL.decode({"pair": {"a": 1}, "unit": None}).unit is None
    with pytest.raises(PayloadError):
        pick.MODEL.decode({"pair": {"a": None, "c": 1}})


@pytest.mark.parametrize("provider", providers.PROVIDERS)
def test_what_every_provider_is_told_of_a_rule_that_holds_itself_is_whole(pick: ModuleType, provider: str) -> None:
    told = providers.definition(pick.SPEC, provider)
    assert json.dumps(told).count("urn:toolgen:also:") == 1
    assert "Unused" in json.dumps(told)
    assert budgets.deepest(told.schema)[0] == 2


@pytest.mark.parametrize("fields", ["", "    class Input:\n        by: str = restored('By.', optional=True)\n"])
def test_a_rule_holds_where_the_model_writes_no_field(tmp_path: Path, fields: str) -> None:
    design = tmp_path / "desk.py"
    source = f"{PRELUDE}\n\n@desk.tool(also={{'minProperties': 1}})\nclass Pick:\n    '''Pick.'''\n\n{fields}"
    design.write_text(source.replace("import Record", "import restored, Record"), encoding="utf-8")
    with imported(emit.render(load([design], root=tmp_path), emit.Options()), "desk.pick") as module:
        assert module.MODEL.schema["allOf"] == [{"minProperties": 1}]
        with pytest.raises(PayloadError):
            module.MODEL.strict.decode({})


def problems(tmp_path: Path, text: str) -> list[str]:
    design = tmp_path / "desk.py"
    design.write_text(PRELUDE + text, encoding="utf-8")
    with pytest.raises(DesignError) as error:
        load([design], root=tmp_path)
    return [problem.rule for problem in error.value.problems]


def of_field(declared: str) -> str:
    return f"\n\n@desk.tool()\nclass Pick:\n    '''Pick.'''\n\n    class Input:\n        x: {declared}\n"


@pytest.mark.parametrize(
    ("declared", "rule"),
    [
        ('str = field("X.", also={})', "no JSON Schema that says anything"),
        ('str = field("X.", also=["a"])', "no JSON Schema that says anything"),
        ('str = field("X.", also={"$ref": "#"})', "also refers to '#', which it does not define"),
        ('str = field("X.", also={"$ref": "#/$defs/B", "$defs": {"A": {}}})', "which it does not define"),
        ('str = field("X.", also={"not": {"$ref": "b.json"}})', "which it does not define"),
        ('str = field("X.", also={"$ref": "#/$defs/a b", "$defs": {"a b": {}}})', "also defines 'a b'"),
        ('str = field("X.", also={"$defs": {"A": {"title": "a"}}})', "'title', which nothing is judged by"),
        ('str = field("X.", also={"not": {"$defs": {"A": {}}}})', "'$defs', which nothing is judged by"),
        (
            'Any = field("X.", also={"$ref": "#/$defs/A", "$defs": {"A": {"not": {"$ref": "#/$defs/A"}}}})',
            "also says of 'A' that it is 'A' itself",
        ),
        ('str = field("X.", also={"$defs": {"A": {"minLength": "a"}}})', "also is no valid JSON Schema"),
        ('str = field("X.", also={"not": {"title": "a"}})', "'title', which nothing is judged by"),
        ('str = field("X.", also={"not": {"pattern": "(?=a)"}})', "the pattern looks around"),
        ('str = field("X.", also={"format": "colour"})', "the format 'colour' in also is not checked"),
        ('str = field("X.", also={"minLength": "a"})', "also is no valid JSON Schema"),
        ('date = field("X.", also={"minLength": 1})', "also does not fit date"),
        ('list[date] = field("X.", also={"uniqueItems": True})', "also does not fit list[date]"),
        ('Any = field("X.", optional=True, also={"type": "string"})', "also refuses null"),
        ('str = field("X.", default="b", also={"const": "a"})', "breaks the field's own rules"),
    ],
)
def test_a_rule_that_no_codec_can_keep_is_a_design_error(tmp_path: Path, declared: str, rule: str) -> None:
    assert any(rule in found for found in problems(tmp_path, of_field(declared)))


@pytest.mark.parametrize(
    ("also", "options", "complaint"),
    [
        ({"required": ["c"]}, ", closed=False", "the key 'c'"),
        ({"not": {"$ref": "#/$defs/C"}, "$defs": {"C": {"required": ["c"]}}}, ", closed=False", "the key 'c'"),
        ({"required": ["with_default"]}, "", "the key 'with_default'"),
        ({"required": ["nullable"]}, "", "the key 'nullable'"),
        ({"properties": {"day": {"const": "2026-11-30"}}}, "", "the value of 'day'"),
        ({"minProperties": 1}, ", closed=False", "minProperties"),
        ({"maxProperties": 1}, "", "maxProperties"),
        ({"not": {"propertyNames": {"pattern": "^a"}}}, ", closed=False", "propertyNames"),
        ({"not": {"minProperties": 3}}, "", "minProperties"),
        ({"patternProperties": {"^n": {"type": "integer"}}}, "", "patternProperties"),
        ({"properties": {"nullable": {"type": "integer"}}}, ", closed=False", "the value of 'nullable'"),
        ({"properties": {"with_default": {"minimum": 2}}}, ", closed=False", "the value of 'with_default'"),
    ],
)
def test_a_rule_on_an_object_rests_on_nothing_that_encoding_changes(
    tmp_path: Path, also: dict[str, object], options: str, complaint: str
) -> None:
    record = f"""

class Pair(Record{options}, also={also!r}):
    '''A pair.'''

    a: int = field("A.", optional=True)
    day: date = field("Day.", optional=True)
    nullable: int | None = field("N.", optional=True)
    with_default: int = field("D.", default=1)
"""
    assert any(complaint in found for found in problems(tmp_path, record))


NAMES = st.sampled_from(["a", "b", "x", "yy"])
OBJECTS = st.dictionaries(NAMES, st.integers(0, 2), max_size=4)
SAID = st.sampled_from([{"const": 1}, {"maximum": 1}, False, True])
WORDS: dict[str, st.SearchStrategy[Any]] = {
    "required": st.lists(NAMES, max_size=2, unique=True),
    "properties": st.dictionaries(NAMES, SAID, max_size=2),
    "patternProperties": st.dictionaries(st.sampled_from(["^a", "y"]), SAID, max_size=1),
    "additionalProperties": SAID,
    "propertyNames": st.just({"maxLength": 1}),
    "minProperties": st.integers(0, 3),
    "maxProperties": st.integers(0, 3),
    "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=1), max_size=1),
    "const": OBJECTS,
}


def ruled(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    listed = st.lists(inner, min_size=1, max_size=2)
    words = {
        **WORDS,
        **dict.fromkeys(("anyOf", "oneOf", "allOf"), listed),
        "dependentSchemas": inner.map(lambda of: {"a": of}),
    }
    words |= dict.fromkeys(("not", "if", "then", "else"), inner)
    return st.lists(st.sampled_from(sorted(words)), min_size=1, max_size=3, unique=True).flatmap(
        lambda chosen: st.fixed_dictionaries({word: words[word] for word in chosen})
    )


RULES = st.recursive(st.fixed_dictionaries({}, optional=WORDS), ruled, max_leaves=4)


@pytest.mark.once
@given(RULES, st.lists(OBJECTS, min_size=4, max_size=8))
@example({"anyOf": [{"additionalProperties": False}, {"required": ["b"]}]}, [{"b": 1, "x": 1}])
@example({"oneOf": [{"additionalProperties": False}, {"required": ["b"]}]}, [{"b": 1, "x": 1}])
@settings(max_examples=60, deadline=None)
def test_what_rests_on_nothing_that_is_left_out_holds_without_it(rule: dict[str, Any], values: list[Any]) -> None:
    own = frozenset({"a", "b"})
    if list(complaints(rule, Keys(kept=own, written=own, loses=True, gained=frozenset()))):
        return
    judge = jsonschema.Draft202012Validator(rule)
    for value in filter(judge.is_valid, values):
        assert judge.is_valid({name: inner for name, inner in value.items() if name in own}), value


@pytest.mark.once
@given(RULES, st.lists(OBJECTS, min_size=4, max_size=8), st.booleans(), st.sampled_from([None, 0, 1]))
@example({"maxProperties": 1}, [{"a": 1}], False, None)
@example({"not": {"minProperties": 2}}, [{"a": 1}], False, None)
@example({"properties": {"b": {"maximum": 1, "minimum": 1}}}, [{"a": 1}], True, 0)
@settings(max_examples=60, deadline=None)
def test_what_rests_on_nothing_that_is_added_holds_with_it(
    rule: dict[str, Any], values: list[Any], loses: bool, added: int | None
) -> None:
    own = frozenset({"a"})
    if list(complaints(rule, Keys(kept=own, written=own, loses=loses, gained=frozenset({"b"})))):
        return
    judge = jsonschema.Draft202012Validator(rule)
    for value in filter(judge.is_valid, values):
        if loses or value.keys() <= {"a", "b"}:
            fields = {name: inner for name, inner in value.items() if name in own}
            assert judge.is_valid({"b": value.get("b", added), **fields}), value
