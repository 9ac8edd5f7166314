from __future__ import annotations

import copy
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgen.runtime import words
from toolgen.runtime.careful import Careful
from toolgen.runtime.failures import Failure
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
    caught = error({"topic": "secret", "op": "secret", "day": "secret", "a": 1, "b": 2})
    shown = str(caught)
    assert repr(caught) == f"PayloadError({shown!r})"
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
        ("functions.limit", "limit"),
        ("mcp__desk__page_size", "pageSize"),
        ("default_api:limt", "limit"),
        ("limit.", "limit"),
        ("functions.", None),
        ("functions.else", None),
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


# Links and long texts

LINKS = (
    "https://docs.example.org/a/b?c=d#e",
    "http://[::1]:80/x",
    "ftp://u:p@host/",
    "www.example.org/x",
    "HTTPS://EXAMPLE.ORG",
    "mailto:ada@example.org",
    "app+v1.2://open/me",
)
PROSES = ("See {} for more.", "{}", "Of <{}>, or ({}).", "[The manual]({}) tells.", 'As in "{}", {}; {}!', "a,{}")
EVERY_KIND: dict[str, dict[str, object]] = {
    "type": {"type": "integer"},
    "enum": {"enum": ["a", "b"]},
    "format": {"type": "string", "format": "date"},
    "pattern": {"type": "string", "pattern": "^a$"},
    "length": {"type": "string", "maxLength": 2},
    "uri": {"type": "string", "format": "uri", "maxLength": 3},
    "items": {"type": "array", "items": {"type": "integer"}, "minItems": 3},
    "object": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["y"]},
    "none": {"anyOf": [{"type": "integer"}, {"type": "array"}]},
    "never": False,  # type: ignore[dict-item]
}


def is_linked(text: str) -> bool:
    return any(sign in text.lower() for sign in ("://", "www.example", "mailto:ada", "example.org"))


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("prose", PROSES)
def test_a_link_in_a_description_is_not_shown(prose: str, link: str) -> None:
    about = prose.replace("{}", link)
    properties = {
        name: {**inner, "description": about} if isinstance(inner, dict) else inner
        for name, inner in EVERY_KIND.items()
    }
    schema = {"type": "object", "properties": properties, "required": [*properties], "description": about}
    for value in ({}, dict.fromkeys(properties, 1.5), dict.fromkeys(properties, "xyz"), [], None):
        text = PayloadError(Careful(schema).judge(value, lenient=False).issues, tool="t").for_model()
        assert not is_linked(text)
        if value == {}:
            assert ("(a link)" in text) == ("[The" not in prose)
        failure = Failure("invalid_call", "No.", "correct_call").for_model("t", schema=schema)
        assert not is_linked(failure)


@pytest.mark.parametrize("name", EVERY_KIND)
@pytest.mark.parametrize("link", LINKS)
def test_a_link_in_an_input_is_not_shown(link: str, name: str) -> None:
    schema = {"type": "object", "properties": {"x": EVERY_KIND[name]}, "additionalProperties": False}
    for value in (link, f"see {link} now", f"{'x' * 40} {link}", f"{link}{'y' * 1000}", [link], {link: link}):
        issues = Careful(schema).judge({"x": value}, lenient=True).issues
        if issues:
            assert not is_linked(PayloadError(issues, tool="t").for_model())
    issues = Careful(schema).judge({"x": None, link: 1}, lenient=True).issues
    assert "://" not in PayloadError(issues, tool="t").for_model()  # a path is shown as it is, its slashes escaped


def test_what_the_model_has_to_write_is_shown_to_the_letter() -> None:
    link = "https://example.org/a"
    schema = {
        "type": "object",
        "properties": {"a": {"enum": [link, "b"]}, "p": {"type": "string", "pattern": "^http://"}},
    }
    issues = Careful(schema).judge({"a": link + "b", "p": "x"}, lenient=False).issues
    text = PayloadError(issues, example={"a": link, "p": "http://b"}).for_model()
    assert f'one of "{link}", "b"' in text
    assert "^http://" in text
    assert text.endswith(f'A valid example: {{"a": "{link}", "p": "http://b"}}')


@given(st.text(max_size=300), st.integers(), st.integers(0, 3))
def test_the_texts_of_the_example_are_short(text: str, number: int, levels: int) -> None:
    value: object = text
    for _ in range(levels):
        value = [{"inner": value}, number]
    last = PayloadError([ISSUE], example={"value": value}).for_model().splitlines()[-1]
    shown = words.cut(text, 60)
    assert words.printable(json.dumps(shown, ensure_ascii=False)) in last
    assert last.startswith("A valid example: " if shown == text else "A valid example, with long texts cut: ")
    assert len(last) < 1_500


def test_a_long_number_in_the_example_is_told_by_its_size() -> None:
    text = PayloadError([ISSUE], example={"n": 10**100, "flag": True}).for_model()
    assert text.endswith('A valid example, with long texts cut: {"n": "a whole number of 333 bits", "flag": true}')
