"""How a failure is told."""

from __future__ import annotations

import datetime
import enum
import itertools
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import shown
from generated.support.search_tickets import RESULT, SearchTicketsResult
from generated.support.types import Ticket
from toolgen.runtime import Failure, Issue, Page, PayloadError, ToolCall, ToolFailure, ToolResult
from toolgen.runtime.failures import CORRECTABLE, KINDS, RECOVERIES

SCHEMA = {
    "type": "object",
    "properties": {"ticket": {"type": "integer", "description": "Ticket number."}, "text": {"type": "string"}},
}
CALL = ToolCall("1", "answer_ticket")


@pytest.mark.parametrize(("kind", "recovery"), [*itertools.product(KINDS, RECOVERIES)])
def test_only_arguments_that_were_refused_can_be_corrected(kind: Any, recovery: Any) -> None:
    if recovery == "correct_call" and kind not in CORRECTABLE:
        with pytest.raises(ValueError, match="its recovery is replan or finish"):
            ToolFailure(kind, "it broke", recovery)
    else:
        assert ToolFailure(kind, "it broke", recovery).recovery == recovery


@pytest.mark.parametrize("kind", KINDS)
def test_a_failure_says_what_happened_and_what_to_do_next(kind: Any) -> None:
    failure = ToolFailure(kind, "it broke").failure
    text = failure.for_model("answer_ticket", schema=SCHEMA, example={"ticket": 1})
    first, *_, last = text.splitlines()
    assert first.startswith("answer_ticket ")
    assert "it broke." in first
    assert "again" in last or "another way" in last
    assert failure.recovery == ("correct_call" if kind == "invalid_call" else "replan")


@pytest.mark.parametrize("empty", ["", "  ", "\n", None, 5])
def test_a_failure_can_not_be_built_empty(empty: Any) -> None:
    with pytest.raises(ValueError, match="needs a message"):
        ToolFailure("internal", empty)
    with pytest.raises(ValueError, match="needs a message"):
        ToolResult.failed(CALL, empty)


def test_what_is_no_kind_or_recovery_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no kind of failure: it is one of invalid_call"):
        ToolFailure("broken", "it broke")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no recovery: it is one of correct_call"):
        ToolFailure("internal", "it broke", "retry")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(30, "Wait 30 seconds"), (1, "Wait 1 second "), (0.5, "Wait 0.5 seconds"), (0, "Wait 0 second")],
)
def test_a_limit_says_how_long_to_wait(seconds: float, words: str) -> None:
    failure = ToolFailure("rate_limited", "100 calls an hour", retry_after=seconds).failure
    assert words in failure.for_model("answer_ticket")
    assert failure.retry_after == seconds


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), True, "3", [3], 10**400, 10**5000], ids=type)
def test_a_time_to_wait_is_a_number_of_seconds(seconds: Any) -> None:
    with pytest.raises(ValueError, match="not a number of seconds"):
        ToolFailure("rate_limited", "too often", retry_after=seconds)


@pytest.mark.parametrize("kind", sorted(CORRECTABLE))
def test_a_tool_that_takes_no_arguments_has_none_to_correct(kind: Any) -> None:
    failure = Failure(kind, "no more of this", "correct_call")
    nothing = {"type": "object", "properties": {}, "additionalProperties": False}
    text = failure.for_model("more_tickets", schema=nothing, example={})
    assert text.splitlines()[1:] == ["Do not repeat the same call: go on in another way."]
    for schema in (None, SCHEMA, {"type": "object"}):
        assert "Correct the arguments" in failure.for_model("more_tickets", schema=schema)


def test_only_what_passes_with_time_has_a_time_to_wait() -> None:
    with pytest.raises(ValueError, match="rate_limited and unavailable"):
        ToolFailure("domain_rejection", "no", retry_after=3)


def test_finish_tells_the_model_to_stop() -> None:
    text = ToolFailure("internal", "it broke", "finish").failure.for_model("answer_ticket")
    assert "Do not call answer_ticket again: finish" in text


def test_a_call_to_correct_comes_with_the_fields_and_an_example() -> None:
    failure = ToolFailure("domain_rejection", "no such ticket", "correct_call").failure
    assert failure.for_model("answer_ticket", schema=SCHEMA, example={"ticket": 1}).splitlines() == [
        "answer_ticket refused the call: no such ticket.",
        "The fields are:",
        "- /ticket: Ticket number.",
        "- /text: no description.",
        'A valid example: {"ticket": 1}',
        "Correct the arguments and call answer_ticket again.",
    ]


def test_of_each_field_it_is_told_whether_it_is_required() -> None:
    schema = {**SCHEMA, "required": ["text"]}
    told = ToolFailure("invalid_call", "no").failure.for_model("t", schema=schema).splitlines()
    assert told[1:4] == ["The fields are:", "- /ticket: Ticket number.", "- /text (required): no description."]


def test_of_many_fields_and_issues_the_first_ten_are_told() -> None:
    schema = {"properties": {f"f{n}": {"description": "F."} for n in range(25)}}
    text = ToolFailure("invalid_call", "no").failure.for_model("t", schema=schema)
    assert (text.count("- /f"), "- and 15 more fields." in text) == (10, True)
    issues = [Issue(f"/f{n}", "invalid_type", "is wrong") for n in range(12)]
    text = ToolFailure("invalid_call", "no", issues=issues).failure.for_model("t", schema=schema)
    assert (text.count("- /f"), "- and 2 more issues." in text, text.count("About the field: F.")) == (10, True, 10)


@given(st.text(min_size=1).filter(str.strip), st.text())
def test_the_text_for_the_model_is_short_and_can_be_sent(message: str, tool: str) -> None:
    text = ToolFailure("internal", message * 50).failure.for_model(tool)
    text.encode()
    assert len(text) < 30_000
    assert all(char.isprintable() or char == "\n" for char in text)


def test_a_failure_survives_a_pickle() -> None:
    failure = ToolFailure("rate_limited", "too often", "finish", retry_after=2.5)
    again = pickle.loads(pickle.dumps(failure))
    assert (again.failure, str(again)) == (failure.failure, str(failure))


# Answers


def test_an_answer_of_a_failure_names_the_tool_and_the_next_step() -> None:
    result = ToolResult.failed(CALL, "Ticket index is down.", recovery="finish")
    assert result.is_error
    assert result.failure == Failure("internal", "Ticket index is down.", "finish")
    assert result.text.startswith("answer_ticket failed: Ticket index is down.")
    assert "Do not call answer_ticket again" in result.text


def test_the_kind_of_a_failure_follows_from_what_to_do_unless_it_is_given() -> None:
    correct = ToolResult.failed(CALL, "No such ticket.", recovery="correct_call").failure
    assert correct is not None
    assert correct.kind == "invalid_call"
    given_ = ToolResult.failed(CALL, "Slow down.", kind="rate_limited", retry_after=3).failure
    assert given_ is not None
    assert (given_.kind, given_.retry_after, given_.recovery) == ("rate_limited", 3, "replan")


class _Colour(str, enum.Enum):  # noqa: UP042 - a StrEnum prints as its value anyway
    RED = "red"


@pytest.mark.parametrize(
    ("result", "text", "is_json"),
    [
        ("text", "text", False),
        ({"a": [1, None, True]}, '{"a":[1,null,true]}', True),
        ([], "[]", True),
        (0, "0", True),
        (None, "Done.", False),
        ("{}", "{}", False),
        (_Colour.RED, "red", False),
    ],
)
def test_an_answer_is_text_or_json_text(result: object, text: str, is_json: bool) -> None:
    answer = ToolResult.ok(CALL, result)
    assert (answer.text, answer.is_json, answer.failure) == (text, is_json, None)
    assert type(answer.text) is str


@pytest.mark.parametrize(
    ("bad", "path", "words"),
    [
        (object(), "", "JSON has no type for"),
        ([1, object()], "/1", "JSON has no type for"),
        ({1: 2}, "", "is a dict, which JSON would give back as another one"),
        ([b"x"], "/0", "is a bytes, which JSON would give back as a str"),
        (float("nan"), "", "is a float, which JSON would give back as None"),
        ({"a": {1}}, "/a", "is a set, which JSON would give back as a list"),
        ("\ud800", "", "half of a surrogate pair"),
        ({"a": ["\ud800"]}, "/a/0", "half of a surrogate pair"),
        ({"a": (1,)}, "/a", "is a tuple, which JSON would give back as a list"),
        (SearchTicketsResult([]), "", "is a SearchTicketsResult, which JSON would give back as a dict"),
    ],
    ids=shown,
)
def test_what_json_has_no_word_for_is_never_an_answer(bad: object, path: str, words: str) -> None:
    with pytest.raises(PayloadError) as caught:
        ToolResult.ok(CALL, bad)
    assert "object at" not in str(caught.value)
    assert str(caught.value).startswith(f"invalid result of {CALL.name}: {path or '(whole result)'} invalid_type")
    assert words in caught.value.issues[0].message
    first, *_, last = caught.value.__notes__
    assert first == f"{path or 'the whole'} {caught.value.issues[0].message}"
    assert "give codec=RESULT" in last


def test_a_typed_result_is_answered_as_its_codec_writes_it() -> None:
    result = Page(SearchTicketsResult([Ticket(1, "VPN", datetime.date(2026, 1, 2))]), returned=1)
    answer = ToolResult.ok(CALL, result, codec=RESULT)
    assert answer.text == RESULT.encode(result).decode()
    assert (answer.is_json, answer.value) == (True, result)
    with pytest.raises(PayloadError) as caught:
        ToolResult.ok(CALL, Page(SearchTicketsResult([]), returned=-1), codec=RESULT)
    assert caught.value.issues[0].path == "/returned"


@pytest.mark.parametrize("inner", [True, False, {}, {"description": 5}])
def test_a_field_that_a_schema_tells_nothing_of_has_no_description(inner: Any) -> None:
    schema = {"type": "object", "properties": {"n": inner}}
    refused = ToolFailure("domain_rejection", "no", "correct_call").failure
    assert "- /n: no description." in refused.for_model("add", schema=schema)
    blamed = ToolFailure("domain_rejection", "no", issues=[Issue("/n", "invalid_type", "is bad")]).failure
    assert "- /n: is bad." in blamed.for_model("add", schema=schema)
