from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgen.runtime import words
from toolgen.runtime.careful import Careful
from toolgen.runtime.issues import ContextError, Issue, PayloadError
from toolgen.runtime.jsontext import parse

SCHEMA = {
    "type": "object",
    "properties": {
        "topic": {"type": "string", "description": "What to look\nfor."},
        "op": {"enum": ["equals", "differs"]},
        "day": {"type": "string", "format": "date"},
    },
    "required": ["topic"],
    "additionalProperties": False,
}
ISSUE = Issue("/n", "invalid_type", "must be an integer, but is null")


def error(value: object) -> PayloadError:
    issues = Careful(SCHEMA).judge(value, lenient=False).issues
    return PayloadError(issues, example={"topic": "vpn"}, tool="search")


def test_the_text_has_a_line_an_issue_and_the_example() -> None:
    text = error({"topik": "x", "op": "equal", "day": "30/11/2026"}).for_model()
    first, topic, op, day, topik, example = text.splitlines()
    assert "search" in first
    assert topic.startswith("- /topic: is missing")
    assert "What to look for." in topic
    assert '"equals", "differs"' in op
    assert 'Did you mean "equals"?' in op
    assert '"2026-11-30"' in day
    assert 'Did you mean "topic"?' in topik
    assert example == 'A valid example: {"topic": "vpn"}'


def test_the_text_shows_ten_issues_and_counts_the_rest() -> None:
    schema = {"type": "array", "items": {"type": "integer"}}
    text = PayloadError(Careful(schema).judge(["x"] * 1000, lenient=False).issues).for_model()
    assert text.count("\n- /") == 10
    assert "990 more issues" in text


def test_the_text_of_the_whole_input_has_words_for_its_path() -> None:
    with pytest.raises(PayloadError) as caught:
        parse("{", lenient=False)
    assert "(whole input)" in caught.value.for_model()


@given(st.text(), st.text(), st.text())
def test_no_input_breaks_a_line_hides_or_makes_the_text_long(key: str, value: str, tail: str) -> None:
    long = tail * 1000
    text = error({key + long: 1, "op": value + long, "day": value + "\u202e\n" + long, "topic": [long]}).for_model()
    lines = text.split("\n")
    assert len(lines) <= 7
    assert all(line.isprintable() for line in lines)
    assert len(text) < 6_000
    text.encode()


def test_a_huge_schema_does_not_make_the_text_long() -> None:
    schema = {
        "type": "object",
        "properties": {"e": {"enum": ["x" * 500 + str(n) for n in range(500)], "description": "d" * 10_000}},
        "additionalProperties": False,
    }
    issues = Careful(schema).judge({"e": "y" * 10_000, "f" * 10_000: 1}, lenient=False).issues
    assert len(PayloadError(issues, example={"e": "x" * 10_000}).for_model()) < 6_000


def test_the_text_has_no_names_of_python() -> None:
    text = error({"topic": None, "op": True, "day": (1,), "x": float("nan")}).for_model()
    for name in ("None", "True", "NoneType", "tuple", "nan", "str", "int", "dict"):
        assert f" {name}" not in text.replace(" string", "")


def test_the_error_for_operators_is_short_and_quotes_no_values() -> None:
    shown = str(error({"topic": "secret", "op": "secret", "day": "secret", "a": 1, "b": 2}))
    assert "secret" not in shown
    assert "/op invalid_enum_value" in shown
    assert "1 more" in shown
    assert len(shown) < 1000


def test_the_issues_are_a_tuple_and_stay_the_same() -> None:
    caught = error({})
    assert caught.issues is caught.issues
    assert [issue.constraint for issue in caught.issues] == ["missing_field"]


def test_an_error_without_an_issue_is_no_error() -> None:
    with pytest.raises(ValueError, match="at least one issue"):
        PayloadError([])
    with pytest.raises(ValueError, match="at least one field"):
        ContextError({})


def test_errors_survive_pickling_and_copying() -> None:
    first = PayloadError([ISSUE], schema={"type": "object"}, example={"n": 1}, tool="t")
    for again in (pickle.loads(pickle.dumps(first)), copy.copy(first), copy.deepcopy(first)):
        assert (again.issues, again.schema, again.example, again.tool) == ((ISSUE,), {"type": "object"}, {"n": 1}, "t")
        assert again.for_model() == first.for_model()
    context = pickle.loads(pickle.dumps(ContextError({"tenant": "is missing"}, tool="t")))
    assert (context.names, str(context)) == (("tenant",), "execution context of t: tenant is missing")


def test_an_issue_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        ISSUE.path = "/m"  # type: ignore[misc]


def test_a_context_error_names_its_fields() -> None:
    issues = [Issue("/tenant", "invalid_length", "is short"), Issue("/tenant", "invalid_pattern", "is odd")]
    issues.append(Issue("/a~1b/0", "invalid_type", "is wrong"))
    caught = ContextError.from_issues(issues)
    assert (caught.name, caught.names) == ("tenant", ("tenant", "a/b"))
    assert "tenant is short" in str(caught)
    assert ContextError.missing(["user"]).name == "user"


# Near matches


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("topik", "topic"),
        ("TOPIC", "topic"),
        ("page_size", "pageSize"),
        ("page-size", "pageSize"),
        ("limt", "limit"),
        ("ilmit", "limit"),
        ("x", None),
        ("", None),
        ("something else", None),
        ("l" * 5000, None),
    ],
)
def test_a_near_match_is_found(word: str, name: str | None) -> None:
    assert words.near(word, ("topic", "pageSize", "limit")) == name


@given(st.text(alphabet="abc", max_size=6), st.text(alphabet="abc", max_size=6))
def test_the_edit_distance_is_symmetric_and_bounded(left: str, right: str) -> None:
    distance = words.edit_distance(left, right, 6)
    assert distance == words.edit_distance(right, left, 6)
    assert distance is not None
    assert (distance == 0) == (left == right)
    assert abs(len(left) - len(right)) <= distance <= max(len(left), len(right))
    for most in range(7):
        assert words.edit_distance(left, right, most) == (distance if distance <= most else None)


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        ("a\nb", r'"a\nb"'),
        ("\u202e\ud800", r'"\u202e\ud800"'),
        ("x" * 100, '"' + "x" * 60 + '…"'),
        (None, "null"),
        (True, "true"),
        (1.5, "1.5"),
        ([1], "an array of 1 item"),
        ({}, "an object with 0 keys"),
        (float("-inf"), "minus infinity"),
        (object(), "a value that JSON has no type for"),
    ],
)
def test_values_are_quoted_in_short(value: object, quoted: str) -> None:
    assert words.quote(value) == quoted


def test_an_integer_of_many_digits_is_quoted_by_its_size() -> None:
    assert words.quote(2**20_000) == "a whole number of 20001 bits"


def test_issues_are_put_into_words_when_they_are_read() -> None:
    made: list[int] = []

    def make(number: int) -> Issue:
        made.append(number)
        return Issue(f"/{number}", "missing_field", "is missing")

    issues = Issue.deferred(make, 3)
    assert not made
    assert [issues[1].path, issues[1].message, issues[0].path] == ["/1", "is missing", "/0"]
    assert made == [1, 0]
    assert pickle.loads(pickle.dumps(issues[2])) == make(2)
