from __future__ import annotations

import json
import math
import sys
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolgen.runtime.issues import PayloadError
from toolgen.runtime.jsontext import is_prefix, parse, written
from toolgen.runtime.numbers import Number

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
LAYOUTS = st.sampled_from([{}, {"indent": 1}, {"separators": (",", ":")}, {"ensure_ascii": False}])


def outcome(data: Any, *, lenient: bool = False) -> str:
    with pytest.raises(PayloadError) as caught:
        parse(data, lenient=lenient)
    (issue,) = caught.value.issues
    assert issue.path == ""
    return issue.constraint


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@given(JSON, LAYOUTS)
def test_what_json_writes_is_read_in_every_form(value: Any, layout: dict[str, Any]) -> None:
    text = json.dumps(value, **layout)
    for data in (text, text.encode(), bytearray(text.encode()), memoryview(text.encode())):
        assert parse(data, lenient=False) == (value, ())
        assert parse(data, lenient=True).value == value


@given(JSON, st.booleans(), st.booleans())
def test_what_is_written_again_takes_the_same_mends_to_read(value: Any, marked: bool, raw: bool) -> None:
    text = json.dumps({"raw": "\n" if raw else "", "value": value}).replace("\\n", "\n" if raw else "\\n")
    parsed = parse("\ufeff" * marked + text, lenient=True)
    assert parse(written(*parsed), lenient=True) == parsed


@given(JSON, LAYOUTS, st.data())
def test_a_cut_text_is_truncated(value: Any, layout: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value, **layout)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    if not is_json(cut):
        assert outcome(cut) == outcome(cut, lenient=True) == "truncated_json"
    raw = text.encode()
    cut_bytes = raw[: data.draw(st.integers(0, len(raw) - 1))]
    if not is_json(cut_bytes.decode(errors="replace")):
        assert outcome(cut_bytes) == "truncated_json"


@given(st.text(alphabet='{}[],:"\\ntrue1-.e+0 a\n', max_size=12))
@example('{"a":1')
def test_what_is_called_truncated_can_be_completed(text: str) -> None:
    if is_json(text):
        return
    rests = ["", '"', '":0', "0", "e", "ue", "rue", "ull", "ll", "l", "\\", 'n"', '"":0', '"":0}']
    can_be_completed = any(is_json(text + rest + end + closers(text)) for rest in rests for end in ("", '"', ":0", "0"))
    assert is_prefix(text) == can_be_completed
    assert outcome(text) == ("truncated_json" if can_be_completed else "malformed_json")


def closers(text: str) -> str:
    """The brackets that close what the text leaves open."""
    in_string, escaped = False, False
    missing: list[str] = []
    for char in text:
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_string = True
        elif char in "[{":
            missing.append("]" if char == "[" else "}")
        elif char in "]}" and missing:
            missing.pop()
    return "".join(reversed(missing))


@pytest.mark.parametrize(
    "text", ["", " ", "tru", "-", "1.", "1e", "1e-", "[1,", '{"a"', '"\\', '"\\u12', "[nul", '{"a":']
)
def test_beginnings_are_truncated(text: str) -> None:
    assert outcome(text) == "truncated_json"


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,}',
        "[1,]",
        "{,",
        "01",
        "+1",
        "1.e1",
        ".5",
        "'a'",
        "{a:1}",
        '"\\x"',
        "[1 2",
        '{"a" "b"',
        "[1}",
        "]",
        "x",
        "1 x",
        "NaN",
        "[Infinity]",
        "-Infinity",
        '{"a":1}{"a":2}',
        '{"a":1} x',
        "\ufeff{}",
        "\xa0{}",
        "nulll",
        "[tru,",
    ],
)
def test_what_no_text_goes_on_from_is_malformed(text: str) -> None:
    assert outcome(text) == "malformed_json"


@pytest.mark.parametrize("data", [b"\xff{}", b'{"a":"\xe9"}', '{"a":1}'.encode("utf-16"), b'"\xed\xa0\x80"', b"[\xc3"])
def test_bytes_that_are_no_utf8_are_malformed(data: bytes) -> None:
    assert outcome(data) == outcome(data, lenient=True) == "malformed_json"


def test_bytes_cut_within_a_character_are_truncated() -> None:
    assert outcome('{"a": "é'.encode()[:-1]) == "truncated_json"


@pytest.mark.parametrize("mark", [b"\xef", b"\xef\xbb", b"\xef\xbb\xbf"])
def test_bytes_cut_within_a_byte_order_mark_are_truncated_where_one_may_stand(mark: bytes) -> None:
    assert outcome(mark, lenient=True) == "truncated_json"
    assert outcome(mark) == "malformed_json"


@pytest.mark.parametrize(
    "text", ["[" * 101 + "]" * 101, "[" * 100_000, '{"a":' * 101, '["' + "[" * 200 + '",' + "[" * 101]
)
def test_more_than_a_hundred_levels_are_malformed(text: str) -> None:
    assert outcome(text) == outcome(text, lenient=True) == "malformed_json"


def test_a_hundred_levels_and_brackets_in_strings_are_read() -> None:
    assert parse("[" * 100 + "]" * 100, lenient=False)
    assert parse(json.dumps(["[" * 500, '"' + "{" * 500]), lenient=False)


@pytest.mark.parametrize("text", ["1" * 4301, "-" + "1" * 5000, "0." + "1" * 4301, "1" * 4301 + "e5", "[" + "1" * 5000])
def test_numbers_of_too_many_digits_are_malformed(text: str) -> None:
    assert outcome(text) == "malformed_json"


@pytest.mark.parametrize("digits", [600, 640, 641, 700, 4300])
def test_an_interpreter_may_be_told_to_read_fewer_digits(digits: int) -> None:
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)  # the least that there is
    try:
        if digits <= 640:
            assert parse("1" * digits, lenient=False).value > 0
            assert parse(f"[{'1' * digits}]", lenient=False).value[0] > 0
        else:
            assert outcome("1" * digits) == outcome(f"[{'1' * digits}]") == "malformed_json"
    finally:
        sys.set_int_max_str_digits(most)


def test_long_numbers_are_read_exactly() -> None:
    assert parse("-" + "9" * 4300, lenient=False).value == -(10**4300 - 1)


def test_a_fraction_keeps_its_text() -> None:
    number = parse("[9007199254740993.0]", lenient=False).value[0]
    assert isinstance(number, Number)
    assert number.text == "9007199254740993.0"
    assert number == 9007199254740992.0


def test_a_number_without_end_is_infinite_at_once() -> None:
    assert math.isinf(parse("1e999999999", lenient=False).value)


def test_raw_control_characters_are_mended_in_strings_only() -> None:
    assert outcome('{"a":"x\ny"}') == "malformed_json"
    value, (note,) = parse('{"a":"x\ny\x00"}', lenient=True)
    assert value == {"a": "x\ny\x00"}
    assert "control" in note.what
    assert parse('{"a":\n1}', lenient=True).notes == ()
    assert outcome('{"a":\x001}', lenient=True) == "malformed_json"
    assert outcome('{"a":"x\ny', lenient=True) == "truncated_json"
    assert outcome('{"a":"x\ny') == "malformed_json"


@pytest.mark.parametrize("data", ["\ufeff{}", b"\xef\xbb\xbf{}"])
def test_a_byte_order_mark_is_mended(data: str | bytes) -> None:
    value, notes = parse(data, lenient=True)
    assert (value, len(notes)) == ({}, 1)
    assert outcome(data) == "malformed_json"


def test_the_last_of_two_equal_keys_counts() -> None:
    assert parse('{"a":1,"a":2}', lenient=False).value == {"a": 2}


def test_lone_surrogates_are_kept_for_the_schema_to_judge() -> None:
    assert parse('"\\ud800"', lenient=False).value == "\ud800"
    assert parse('"\ud800"', lenient=False).value == "\ud800"


def test_a_subclass_of_str_is_read_as_the_text_it_holds() -> None:
    class Odd(str):
        __slots__ = ()

        def startswith(self, *_: Any) -> bool:
            raise RuntimeError

    assert parse(Odd("{}"), lenient=True).value == {}


ALONE = "Send the JSON object alone, without text or code fences around it."


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Here you are: {}", ALONE),
        ("```json\n{}\n```", ALONE),
        ("'{}'", ALONE),
        ("{} I hope this helps.", ALONE),
        ("{'a': 1}", "Strings take double quotes."),
        ("{\"a\": 'b'}", "Strings take double quotes."),
        ('{"a": 1,}', "Leave out the comma after the last member."),
        ('{"a": [1, 2, ]}', "Leave out the comma after the last member."),
        ('{"a": True}', "Write true, false or null, in lower case."),
        ("{a: 1}", "Keys are strings, in double quotes."),
        ('{"a": 1 // one\n}', "JSON has no comments: leave them out."),
        ('{"a": .5}', None),
    ],
)
def test_a_usual_mistake_is_told_what_to_do_about_it(text: str, hint: str | None) -> None:
    with pytest.raises(PayloadError) as caught:
        parse(text, lenient=True)
    assert [(issue.constraint, issue.hint) for issue in caught.value.issues] == [("malformed_json", hint)]
