"""Reading a submit: what is mended, what is refused, and that every input has an outcome."""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated.triage import hand_over, submit_report
from generated.triage.types import TriageReport
from toolgen.runtime import Mend, ParameterError, PayloadError, SubmitOutcome, ToolCall
from toolgen.runtime.parameters import CAUSES
from toolgen.runtime.recovery import object_at

SUBMIT = submit_report.SUBMIT
FLAT = hand_over.SUBMIT
REPORT: dict[str, Any] = {"severity": "low", "summary": 'A fan {broke} "loudly".'}
TEXT = json.dumps(REPORT)
VALUE = TriageReport(severity="low", summary='A fan {broke} "loudly".')
OPENER = '<parameter name="report">'


def read(arguments: Any, submit: Any = SUBMIT) -> SubmitOutcome[Any]:
    outcome: SubmitOutcome[Any] = submit.read(ToolCall("call-1", submit.name, arguments))
    return outcome


def refused(arguments: Any, submit: Any = SUBMIT) -> ParameterError:
    outcome = read(arguments, submit)
    assert not outcome.accepted
    assert outcome.response is None
    assert outcome.result.is_error
    assert isinstance(outcome.error, ParameterError)
    assert outcome.error.cause in CAUSES
    # The model is told the same cause and the same parameter.
    first = outcome.result.text.splitlines()[0]
    assert outcome.error.cause in first
    assert outcome.error.parameter is None or outcome.error.parameter in first
    return outcome.error


@pytest.mark.parametrize("submit", [SUBMIT, FLAT], ids=lambda submit: submit.name)
@pytest.mark.parametrize("arguments", [{"query": "vpn"}, {}, "nope", {"reasoning": 3, "report": "x"}], ids=repr)
def test_a_refused_call_of_another_tool_is_said_to_be_one(submit: Any, arguments: Any) -> None:
    outcome = submit.read(ToolCall("call-1", "search_tickets", arguments))
    own = refused(arguments, submit)
    assert isinstance(outcome.error, ParameterError)
    assert str(outcome.error) == f"{own} The call is of another tool than {submit.name}."
    assert f"another tool than {submit.name}" in outcome.result.text.splitlines()[0]
    assert "search_tickets" not in str(outcome.error)
    assert (outcome.error.cause, outcome.error.parameter, outcome.error.quote, type(outcome.error.__cause__)) == (
        own.cause,
        own.parameter,
        own.quote,
        type(own.__cause__),
    )


def test_all_that_is_wrong_with_the_parameters_is_told_at_once() -> None:
    """A round is spent on each refusal."""
    flat = {"reasoning": 1, "referral": {"team": "x"}, "hours": "y"}
    nested = {"reason": "x", "report": {"severity": "hi"}}
    for submit, arguments, cause, paths in (
        (FLAT, flat, "parameter_absent", {"reasoning", "team", "note", "hours", "referral"}),
        (FLAT, {**flat, "team": None, "note": "n"}, "parameter_type", {"reasoning", "hours", "referral"}),
        (SUBMIT, nested, "parameter_absent", {"reasoning", "reason", "report/severity", "report/summary"}),
        (SUBMIT, {}, "parameter_absent", {"reasoning", "report"}),
        (SUBMIT, {"report": "not JSON", "tto": 1}, "payload_text_declined", {"reasoning", "tto"}),
        (SUBMIT, {"reasoning": "r", "report": {}, "x": 1}, "parameter_unknown", {"report/summary", "x"}),
    ):
        for written in (arguments, json.dumps(arguments)):
            outcome = submit.read(ToolCall("1", submit.name, written))
            assert isinstance(outcome.error, ParameterError)
            assert outcome.error.cause == cause
            told = {
                line.split(":")[0].removeprefix("- /") for line in outcome.result.text.splitlines() if "- /" in line
            }
            assert told >= paths
            assert outcome.error.parameter not in told or cause == "parameter_absent"


# --- the nested form -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [lambda a: a, json.dumps, lambda a: json.dumps(a).encode()])
def test_a_payload_that_is_an_object_is_taken_without_a_note(form: Any) -> None:
    outcome = read(form({"reasoning": "Saw it.", "report": REPORT}))
    assert outcome == SubmitOutcome(True, VALUE, "Saw it.", outcome.result)
    assert (outcome.result.text, outcome.result.is_error) == ("Report accepted.", False)


@pytest.mark.parametrize(
    "tail", ["", " \n", "}", "]}", "</report>", "\n</parameter>\n</invoke>", "}</a_1>]\t</b>}"], ids=repr
)
def test_a_payload_written_as_a_string_is_decoded_and_noted(tail: str) -> None:
    outcome = read({"reasoning": "r", "report": f"\n{TEXT}{tail}"})
    assert (outcome.accepted, outcome.response) == (True, VALUE)
    assert outcome.notes[0] == Mend("/report", "object written as a JSON string")
    assert len(outcome.notes) == (2 if tail.strip() else 1)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "severity: low\nsummary: it broke", TEXT[:-1], f"Here it is: {TEXT}", f"```json\n{TEXT}\n```",
        f"{TEXT} thanks", f"{TEXT}{TEXT}", f"[{TEXT}]", f"{TEXT}<report>", f"{TEXT}</re port>", f"{TEXT}</>",
        f"{TEXT},", json.dumps(TEXT), "null", "{" * 200, '{"a": NaN}',
    ],
    ids=repr,
)  # fmt: skip
def test_any_other_string_is_declined_with_its_length_and_its_opening(text: str) -> None:
    error = refused({"reasoning": "r", "report": text})
    assert (error.cause, error.parameter) == ("payload_text_declined", "report")
    assert error.length == len(text.encode())
    assert error.quote == text.encode()[:128].decode()
    assert text.strip() in ("", "null") or text not in str(error)


def test_a_quotation_has_at_most_128_bytes_and_whole_characters() -> None:
    error = refused({"reasoning": "r", "report": "é" * 100 + "x"})
    assert (error.quote, error.length) == ("é" * 64, 201)
    assert refused({"reasoning": "r", "report": "a" + "é" * 100}).quote == "a" + "é" * 63


@pytest.mark.parametrize("tail", ["", "</parameter>", "\n</parameter>\n</invoke>", "}}"])
def test_a_payload_behind_its_opener_in_the_reasoning_is_taken(tail: str) -> None:
    outcome = read({"reasoning": f"Because of {{this}}.\n{OPENER}{TEXT}{tail}"})
    assert (outcome.accepted, outcome.response) == (True, VALUE)
    assert outcome.reasoning == "Because of {this}.\n"
    assert {note.path for note in outcome.notes} == {"/report", "/reasoning"}


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        ("Because.</reasoning>\n", "Because."),
        ("Because.\n</reasoning>\n</parameter>\n", "Because.\n"),
        ("Because.</a></b >", "Because.</a></b >"),
        ("Because. </>", "Because. </>"),
        ("</a>Because.", "</a>Because."),
        ("</a>" * 3000, ""),
        ("Because. \n", "Because. \n"),
    ],
    ids=lambda text: repr(text[:40]),
)
def test_closing_tags_before_an_opener_are_no_prose(before: str, kept: str) -> None:
    outcome = read({"reasoning": f"{before}{OPENER}{TEXT}"})
    assert (outcome.accepted, outcome.reasoning) == (True, kept)


@pytest.mark.parametrize("between", [":", " : ", ":\n"])
def test_a_payload_behind_its_key_in_the_reasoning_is_taken(between: str) -> None:
    outcome = read({"reasoning": f'Because.", "report"{between}{TEXT}}}'})
    assert (outcome.accepted, outcome.response) == (True, VALUE)
    assert outcome.reasoning == 'Because.", '


@pytest.mark.parametrize("there", [None, 3, True, [], [REPORT], "x", {}, {"severity": "odd"}], ids=repr)
@pytest.mark.parametrize("hidden", [f"r {OPENER}{TEXT}", f'r "report": {TEXT}'])
def test_a_payload_that_is_there_is_never_overridden(there: object, hidden: str) -> None:
    outcome = read({"reasoning": hidden, "report": there})
    assert not outcome.accepted
    assert outcome.response is None
    if isinstance(outcome.error, ParameterError):
        wanted = "payload_text_declined" if there == "x" else "parameter_type"
        assert (outcome.error.cause, outcome.error.parameter) == (wanted, "report")


@pytest.mark.parametrize(
    ("reasoning", "cause"),
    [
        (f"é{OPENER}{TEXT[:-3]}", "opener_declined"),
        (f"é{OPENER}{TEXT} and so on", "opener_declined"),
        (f"é{OPENER}", "opener_declined"),
        (f'é"report": {TEXT[:-3]}', "member_declined"),
        (f'é"report": {TEXT}, "x": 1', "member_declined"),
        (f'é"report": {json.dumps(TEXT)}', "member_declined"),
        (f'é"report": " {json.dumps(TEXT)[1:-3]}', "member_declined"),
    ],
)
def test_what_can_not_be_recovered_is_declined_with_where_it_went(reasoning: str, cause: str) -> None:
    error = refused({"reasoning": reasoning})
    assert (error.cause, error.parameter, error.offset) == (cause, "report", 2)
    assert "at byte 2" in str(error)
    assert "top-level parameter" in str(error)


def test_only_the_first_opener_counts_since_a_later_one_may_stand_in_a_payload_that_was_cut_off() -> None:
    inner = json.dumps(f"I meant {OPENER}")[:-1]
    cut = f'r {OPENER}{{"severity": "high", "summary": {inner}{TEXT}'
    assert refused({"reasoning": cut}).cause == "opener_declined"
    whole = json.dumps({"severity": "high", "summary": f"I meant {OPENER}{TEXT}"})
    outcome = read({"reasoning": f"r {OPENER}{whole}"})
    assert outcome.response == TriageReport(severity="high", summary=f"I meant {OPENER}{TEXT}")


@pytest.mark.parametrize(
    ("arguments", "cause", "parameter"),
    [
        ("nope", "arguments_undecoded", None),
        ('{"report": {', "arguments_undecoded", None),
        (b"\xff", "arguments_undecoded", None),
        ([], "arguments_undecoded", None),
        ("[]", "arguments_undecoded", None),
        ("{" * 1000, "arguments_undecoded", None),
        (None, "parameter_absent", "report"),
        ("", "parameter_absent", "report"),
        ("null", "parameter_absent", "report"),
        (b" ", "parameter_absent", "report"),
        ({"reasoning": "r"}, "parameter_absent", "report"),
        ({"reasoning": "r", **REPORT}, "parameter_absent", "report"),
        ({"reasoning": 'no "report": there', "reprot": REPORT}, "parameter_absent", "report"),
        ({"report": REPORT}, "parameter_absent", "reasoning"),
        ({"report": REPORT, "reasoning": None}, "parameter_type", "reasoning"),
        ({"report": REPORT, "reasoning": ["r"]}, "parameter_type", "reasoning"),
        ({"report": REPORT, "reasoning": "\ud800"}, "parameter_type", "reasoning"),
        ({"report": 1.5, "reasoning": "r"}, "parameter_type", "report"),
        ({"report": REPORT, "reasoning": "r", "payload_text_declined": 1}, "parameter_unknown", None),
    ],
)
def test_each_refusal_has_its_cause_and_its_parameter(arguments: Any, cause: str, parameter: str | None) -> None:
    error = refused(arguments)
    assert (error.cause, error.parameter) == (cause, parameter)


@pytest.mark.parametrize("as_bytes", [bytes, bytearray, memoryview])
@pytest.mark.parametrize("raw", [b"\xff", b"\xff\xfe{", "{é".encode(), "{é".encode()[:-1]], ids=repr)
def test_the_length_of_arguments_is_of_the_bytes_that_came(raw: bytes, as_bytes: Callable[[bytes], Any]) -> None:
    assert refused(as_bytes(raw)).length == len(raw)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"reasoning": "r", **REPORT}, "What belongs inside it stands in its place: severity, summary."),
        ({"reasoning": "r", "report": REPORT, "severity": 1}, 'Write it inside report.\nIts name begins: "severity".'),
        ({"reasoning": "r", "report": REPORT, "raesoning": 1}, "Did you mean reasoning?"),
        ({"reasoning": "r", "Report": REPORT}, "A parameter with a similar name is there."),
        ('{"report": {', "the input is JSON text that is cut off before its end. Send the whole text."),
        ("nope", "the input is no JSON from line 1, column 1 on."),
        ("[]", "the input is an array, not an object."),
    ],
)  # fmt: skip
def test_a_refusal_says_what_to_write(arguments: Any, words: str) -> None:
    assert words in read(arguments).result.text


def test_what_the_model_wrote_stands_in_the_quote_alone() -> None:
    forged = "parameter_absent (reasoning)"
    for arguments in ({"reasoning": "r", "report": forged}, {"reasoning": "r", "report": {}, forged: 1}, forged):
        outcome = read(arguments)
        if isinstance(outcome.error, ParameterError):
            assert outcome.error.quote == forged
            assert forged not in str(outcome.error)
            assert outcome.result.failure is not None
            assert forged not in outcome.result.failure.message
            assert f'begins: "{forged}"' in outcome.result.text


def test_a_parameter_error_survives_pickling() -> None:
    error = refused({"reasoning": "r", "report": "severity: low"})
    again = pickle.loads(pickle.dumps(error))
    assert (vars(again), str(again)) == (vars(error), str(error))


def test_the_issues_of_a_response_have_their_paths_in_the_arguments() -> None:
    for payload in ({"severity": "odd", "evidence": [{}]}, '{"severity": "odd", "evidence": [{}]}'):
        outcome = read({"reasoning": "r", "report": payload})
        assert isinstance(outcome.error, PayloadError)
        assert [(issue.path, issue.constraint) for issue in outcome.error.issues] == [
            ("/report/severity", "invalid_enum_value"),
            ("/report/summary", "missing_field"),
            ("/report/evidence/0/source", "missing_field"),
            ("/report/evidence/0/quote", "missing_field"),
        ]
        assert outcome.reasoning == "r"
        assert "/report/severity: must be one of" in outcome.result.text


def test_what_the_codec_mends_is_noted_with_its_path_in_the_arguments() -> None:
    outcome = read({"reasoning": "r", "report": {**REPORT, "confidence": None}})
    assert outcome.notes == (Mend("/report/confidence", "null where a field may be left out"),)


def test_the_arguments_written_as_a_json_string_are_read_once() -> None:
    outcome = read(json.dumps(json.dumps({"reasoning": "r", "report": REPORT})))
    assert (outcome.accepted, outcome.notes) == (True, (Mend("", "object written as a JSON string"),))


def test_without_reasoning_nothing_is_recovered_from_it() -> None:
    submit = SUBMIT.with_options(reasoning=False)
    outcome = read({"report": REPORT}, submit)
    assert (outcome.accepted, outcome.reasoning) == (True, None)
    assert refused({"reasoning": f"{OPENER}{TEXT}"}, submit).cause == "parameter_absent"


# --- the flat form ---------------------------------------------------------------------------------------------------


def test_flat_parameters_are_read_by_exact_name() -> None:
    outcome = read({"reasoning": "r", "team": "network", "note": "n", "hours": 3}, FLAT)
    assert (outcome.accepted, outcome.notes) == (True, ())
    assert vars_of(outcome.response) == ("network", "n", 3)
    assert refused({"reasoning": "r", "Team": "network", "note": "n"}, FLAT).parameter == "team"
    odd = read({"reasoning": "r", "team": "network", "note": "n", "Hours": 3}, FLAT)
    assert isinstance(odd.error, PayloadError)
    assert [(issue.path, issue.constraint) for issue in odd.error.issues] == [("/Hours", "unknown_field")]


def vars_of(value: Any) -> tuple[Any, ...]:
    return value.team, value.note, value.hours


def test_a_required_flat_parameter_that_is_missing_or_null_is_refused() -> None:
    assert refused({"team": "network", "note": "n"}, FLAT).parameter == "reasoning"
    error = refused({"reasoning": "r"}, FLAT)
    assert (error.cause, error.parameter) == ("parameter_absent", "team")
    assert "Missing too: note" in str(error)
    error = refused({"reasoning": "r", "team": "network", "note": None}, FLAT)
    assert (error.cause, error.parameter) == ("parameter_type", "note")


def test_no_flat_parameter_is_mended() -> None:
    flat = SUBMIT.with_options(flat=True)
    assert read({"reasoning": "r", **REPORT, "evidence": [{"source": "s", "quote": "q"}]}, flat).accepted
    for changed in ({"evidence": "[]"}, {"confidence": "0.5"}, {"evidence": None}, {"confidence": None}):
        outcome = read({"reasoning": "r", **REPORT, **changed}, flat)
        assert isinstance(outcome.error, PayloadError)
        assert outcome.notes == ()
    assert refused(f'{{"reasoning": "{OPENER}{{}}"}}', flat).cause == "arguments_undecoded"
    assert refused({"reasoning": f"{OPENER}{TEXT}"}, flat).cause == "parameter_absent"


# --- any input -------------------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        "{", "}", "[", "]", '"', "\\", ":", ",", " ", "\n", "<", ">", "</", OPENER, "</parameter>", '"report"',
        '"report":', '"report": {', TEXT, TEXT[:-1], TEXT[1:], '<parameter name="', "報告", "отчёт", "\u202e", "\ud800",
        "null", "1e999", "a" * 300, "{" * 120, "}" * 300, "\x00", "\u2028",
    ]
)  # fmt: skip
HOSTILE = st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | HOSTILE,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(HOSTILE, inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.one_of(
    st.fixed_dictionaries({}, optional={"reasoning": HOSTILE | JSON, "report": HOSTILE | JSON, "x": JSON}),
    HOSTILE,
    HOSTILE.map(lambda text: text.encode("utf-8", "surrogatepass")),
    JSON,
)


@given(ARGUMENTS)
def test_any_arguments_have_an_outcome(arguments: Any) -> None:
    for submit in (SUBMIT, SUBMIT.with_options(flat=True), SUBMIT.with_options(reasoning=False)):
        outcome = read(arguments, submit)
        assert outcome.accepted == (outcome.response is not None) == (outcome.error is None)
        assert outcome.result.is_error != outcome.accepted
        assert outcome.result.text.encode()
        assert outcome.accepted or str(outcome.error).encode()


class Raising(dict[str, Any]):
    """A mapping that can't be looked at."""

    def items(self) -> Any:
        raise RuntimeError("looked at")


def nested(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "strange",
    [
        10**5000, Raising(), nested(100_000), {1: 2}, {"\ud800": 1}, object(), float("inf"), b"\xff", {"a" * 10**6: 1},
        "9" * 5000,
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_whatever_stands_anywhere_in_a_mapping_has_an_outcome(strange: Any) -> None:
    text = f'{{"confidence": {"9" * 5000}}}'
    for arguments in (
        strange,
        {"reasoning": strange, "report": REPORT},
        {"reasoning": "r", "report": strange},
        {"reasoning": "r", "report": {**REPORT, "confidence": strange}},
        {"reasoning": "r", "report": REPORT, "more": strange},
        {"reasoning": "r", "report": text},
        {"reasoning": OPENER + text},
    ):
        for submit in (SUBMIT, SUBMIT.with_options(flat=True), SUBMIT.with_options(reasoning=False)):
            outcome = read(arguments, submit)
            assert outcome.accepted == (outcome.error is None)
            assert outcome.result.text.encode()


def test_bytes_and_str_have_one_outcome() -> None:
    for text in ("nope", '{"report": {', json.dumps({"reasoning": "r", "report": TEXT}), '"', "é" * 200):
        first, second = read(text), read(text.encode())
        assert vars_or_none(first.error) == vars_or_none(second.error)
        assert (first.accepted, first.response, first.notes) == (second.accepted, second.response, second.notes)
        assert first.result.text == second.result.text


def vars_or_none(error: Any) -> Any:
    return None if error is None else vars(error)


@given(HOSTILE, st.sampled_from(["", "report"]))
def test_a_payload_is_only_ever_what_stands_whole_in_the_text(text: str, where: str) -> None:
    outcome = read({"reasoning": "r", "report": text} if where else {"reasoning": text})
    if outcome.accepted:
        # A reader of its own finds an object at which the text ends, but for what closes it.
        starts = [index for index, char in enumerate(text) if char == "{"]
        found = [json.JSONDecoder(strict=False).raw_decode(text, start) for start in starts if _begins(text, start)]
        assert any(submit_report.RESPONSE.decode(value) == outcome.response for value, _ in found)


def _begins(text: str, start: int) -> bool:
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(text, start)
        submit_report.RESPONSE.decode(value)
    except (ValueError, RecursionError, PayloadError):
        return False
    return True


@given(st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=4), max_size=3), st.integers(1, 60))
def test_no_proper_prefix_of_an_object_is_taken(value: dict[str, Any], cut: int) -> None:
    text = json.dumps(value)
    found = object_at(text)
    assert found is not None
    assert found.value == value
    assert object_at(text[: max(len(text) - cut, 0)]) is None


MEGABYTE = {
    "openings": "{",
    "keys": '"report": ',
    "members": '"report": {',
    "openers": OPENER,
    "tags": "</a>",
    "half tags": "</a",
    "quotes": '"',
    "spaces": '"report"' + " " * 1000,
}


@pytest.mark.parametrize("piece", MEGABYTE.values(), ids=MEGABYTE)
def test_a_megabyte_of_anything_is_refused_at_once(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    start = time.thread_time()
    for arguments in ({"reasoning": "r", "report": text}, {"reasoning": text}, {"reasoning": OPENER + text}):
        assert not read(arguments).accepted
    assert read({"reasoning": "r", "report": TEXT + "}" * 1_000_000}).accepted
    assert time.thread_time() - start < 5
