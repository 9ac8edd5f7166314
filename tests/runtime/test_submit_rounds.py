"""Validators of a submit, and the run that it ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Coroutine, Iterator
from functools import partial
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated.triage import TOOLSET, hand_over, submit_report
from generated.triage.types import TriageReport
from toolgen.runtime import (
    ContextError,
    Finding,
    Issue,
    PayloadError,
    Submit,
    SubmitOutcome,
    ToolCall,
    ToolFailure,
    ToolRegistry,
    ToolResult,
    Validator,
)

SUBMIT = submit_report.SUBMIT
GOOD = {"reasoning": "Saw it.", "report": {"severity": "low", "summary": "A fan broke."}}

R = TypeVar("R")


def run(coroutine: Coroutine[Any, Any, R]) -> R:
    return asyncio.run(asyncio.wait_for(coroutine, 20))


def call(arguments: Any = GOOD, id_: str = "s", name: str = "submit_report") -> ToolCall:
    return ToolCall(id_, name, arguments)


def submitted(*validators: Validator[TriageReport], arguments: Any = GOOD, context: Any = None) -> SubmitOutcome[Any]:
    return run(SUBMIT.submit(call(arguments), validators=validators, context=context))


def nothing(response: TriageReport, reasoning: str | None, context: Any) -> list[str]:
    return []


# --- validators ------------------------------------------------------------------------------------------------------


def test_a_submit_that_no_validator_has_anything_against_is_accepted() -> None:
    seen: list[Any] = []

    async def look(response: TriageReport, reasoning: str | None, context: Any) -> list[str]:
        seen.append((response.summary, reasoning, context))
        return []

    outcome = submitted(nothing, look, context={"tenant": "acme"})
    assert (outcome.accepted, outcome.result.text) == (True, "Report accepted.")
    assert seen == [("A fan broke.", "Saw it.", {"tenant": "acme"})]


def test_the_codec_judges_before_any_validator_is_asked() -> None:
    def never(response: TriageReport, reasoning: str | None, context: Any) -> list[str]:
        raise AssertionError("asked")

    assert not submitted(never, arguments={"reasoning": "r", "report": {}}).accepted
    assert not submitted(never, arguments="nope").accepted


@given(st.permutations(range(4)))
def test_findings_stand_in_the_order_of_registration_whatever_finishes_first(order: list[int]) -> None:
    async def all_at_once() -> SubmitOutcome[TriageReport]:
        done = [asyncio.Event() for _ in range(5)]
        done[0].set()

        def validator(index: int) -> Validator[TriageReport]:
            async def find(response: TriageReport, reasoning: str | None, context: Any) -> list[Finding | str]:
                await done[order[index]].wait()  # each waits for another: they can only end if all run at once
                done[order[index] + 1].set()
                return [f"finding {index}", Finding(f"more {index}", "/summary")]

            return find

        return await SUBMIT.submit(call(), validators=[validator(index) for index in range(4)])

    outcome = run(all_at_once())
    assert not outcome.accepted
    assert [str(each) for each in outcome.findings] == [
        text for index in range(4) for text in (f"finding {index}", f"/summary: more {index}")
    ]
    assert outcome.response == TriageReport("low", "A fan broke.")
    assert outcome.error is None


def test_the_model_reads_how_many_findings_each_of_them_and_what_to_do() -> None:
    outcome = submitted(
        nothing, lambda *_: ["Name the host.\nAnd the rack."], lambda *_: [Finding("Too vague", "/summary")]
    )
    assert outcome.result.text == (
        "submit_report refused the call: the response was rejected with 2 findings.\n"
        "- Name the host. And the rack.\n"
        "- /report/summary: Too vague\n"
        "Address each finding and call submit_report again."
    )
    assert outcome.result.failure is not None
    assert outcome.result.failure.kind == "domain_rejection"
    assert outcome.findings[1] == Finding("Too vague", "/summary")
    flat = SUBMIT.with_options(flat=True)
    given = {"reasoning": "Saw it.", **GOOD["report"]}
    rejected = run(flat.submit(call(given), validators=[lambda *_: [Finding("Too vague", "/summary")]]))
    assert "\n- /summary: Too vague\n" in rejected.result.text


def test_sync_validators_run_at_the_same_time_too() -> None:
    barrier = threading.Barrier(3, timeout=10)

    def meet(response: TriageReport, reasoning: str | None, context: Any) -> list[str]:
        barrier.wait()
        return []

    assert submitted(meet, meet, meet).accepted


class Fault(Exception):
    pass


def test_a_validator_that_raises_aborts_and_the_others_are_cancelled() -> None:
    cancelled: list[bool] = []

    async def slow(response: TriageReport, reasoning: str | None, context: Any) -> list[str]:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise
        return []

    def broken(response: TriageReport, reasoning: str | None, context: Any) -> list[str]:
        raise Fault("broken")

    async def broken_too(response: TriageReport, reasoning: str | None, context: Any) -> list[str]:
        raise Fault("broken")

    for validator in (broken, broken_too):
        with pytest.raises(Fault):
            submitted(slow, validator, lambda *_: ["a finding"])
    assert cancelled == [True, True]


@pytest.mark.parametrize(
    "error",
    [
        PayloadError([Issue("", "invalid_type", "is odd")]),
        ContextError({"tenant": "is missing"}),
        ToolFailure("internal", "x"),
        ExceptionGroup("all", [ToolFailure("internal", "x")]),
    ],
    ids=repr,
)
def test_whatever_a_validator_raises_is_the_error_that_it_raised(error: Exception) -> None:
    def broken(response: TriageReport, reasoning: str | None, context: Any) -> list[str]:
        raise error

    async def broken_too(response: TriageReport, reasoning: str | None, context: Any) -> list[str]:
        raise error

    def breaks_off(response: TriageReport, reasoning: str | None, context: Any) -> Iterator[str]:
        yield "a finding"
        raise error

    for validator in (broken, broken_too, breaks_off):
        with pytest.raises(type(error)) as raised:
            submitted(validator)
        assert raised.value is error


def test_a_validator_that_leaves_ends_no_loop() -> None:
    def leaves(response: TriageReport, reasoning: str | None, context: Any) -> list[str]:
        raise SystemExit(3)

    async def leaves_too(response: TriageReport, reasoning: str | None, context: Any) -> list[str]:
        raise SystemExit(3)

    for validator in (leaves, leaves_too):
        with pytest.raises(Exception, match="raised SystemExit"):
            submitted(validator)


def test_what_a_validator_yields_are_its_findings() -> None:
    def finds(response: TriageReport, reasoning: str | None, context: Any) -> Iterator[str]:
        yield f"in {threading.current_thread() is not threading.main_thread()}"

    assert [str(each) for each in submitted(finds).findings] == ["in True"]


def test_a_validator_that_cancels_itself_aborts_with_an_error() -> None:
    async def cancels(response: TriageReport, reasoning: str | None, context: Any) -> list[str]:
        raise asyncio.CancelledError

    with pytest.raises(Exception, match="cancelled itself"):
        submitted(cancels)


@pytest.mark.parametrize("given", [None, "a finding", b"a finding", {"severity": "x"}, True, 3], ids=repr)
def test_what_is_no_list_of_findings_is_an_error_and_no_acceptance(given: Any) -> None:
    with pytest.raises(TypeError, match="return a list of findings"):
        submitted(lambda *_: given)
    with pytest.raises(ValueError, match="needs a message"):
        submitted(lambda *_: [" "])
    with pytest.raises(ValueError, match="a finding is a text that says what is wrong, not an int"):
        submitted(lambda *_: [3])
    with pytest.raises(ValueError, match="'summary' is no JSON Pointer"):
        submitted(lambda *_: [Finding("Too vague", "summary")])


def test_cancelling_a_submit_cancels_its_validators() -> None:
    ended: list[bool] = []

    async def slow(response: TriageReport, reasoning: str | None, context: Any) -> list[str]:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)
        return []

    async def cancelled() -> None:
        task = asyncio.ensure_future(SUBMIT.submit(call(), validators=[slow]))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(cancelled())
    assert ended == [True]


# --- rounds ----------------------------------------------------------------------------------------------------------


async def done(call: ToolCall) -> ToolResult:
    return ToolResult.ok(call, "looked")


def test_sibling_calls_are_answered_before_a_submit_commits() -> None:
    order: list[str] = []

    async def sibling(call: ToolCall) -> ToolResult:
        await asyncio.sleep(0.01)
        order.append(call.id)
        return ToolResult.ok(call, "looked")

    def last(response: TriageReport, reasoning: str | None, context: Any) -> list[str]:
        order.append("validator")
        return []

    rounds = SUBMIT.rounds(3, validators=[last])
    turn = run(rounds.turn([call(id_="s"), call({}, "a", "look"), call({}, "b", "look")], sibling))
    assert order == ["a", "b", "validator"]
    assert [result.call.id for result in turn.results] == ["s", "a", "b"]
    assert turn.outcome is not None
    assert turn.outcome.accepted
    assert rounds.over


def test_a_sibling_that_raises_commits_nothing() -> None:
    async def broken(call: ToolCall) -> ToolResult:
        raise Fault("broken")

    rounds = SUBMIT.rounds(3)
    with pytest.raises(Fault):
        run(rounds.turn([call(), call({}, "a", "look")], broken))
    assert (rounds.outcome, rounds.left, rounds.over) == (None, 3, False)


def test_siblings_of_one_that_raises_are_cancelled() -> None:
    ended: list[str] = []

    async def sibling(call: ToolCall) -> ToolResult:
        if call.id == "a":
            await asyncio.sleep(0)
            raise Fault("broken")
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(call.id)
        raise AssertionError

    with pytest.raises(Fault):
        run(SUBMIT.rounds(3).turn([call({}, "a", "look"), call({}, "b", "look"), call()], sibling))
    assert ended == ["b"]

    begun: list[asyncio.Future[ToolResult]] = []

    def at_once(call: ToolCall) -> Awaitable[ToolResult]:
        if begun:
            raise Fault("broken")
        begun.append(asyncio.ensure_future(sibling(call)))
        return begun[0]

    async def turned() -> None:
        with pytest.raises(Fault):
            await SUBMIT.rounds(3).turn([call({}, "b", "look"), call({}, "a", "look"), call()], at_once)
        assert begun[0].cancelled()

    run(turned())


def test_the_round_limit_ends_with_a_clear_outcome() -> None:
    rounds = SUBMIT.rounds(2, validators=[lambda *_: ["no"]])
    first = run(rounds.turn([call()], done))
    assert first.outcome is not None
    assert (first.outcome.exhausted, rounds.over, rounds.left) == (False, False, 1)
    second = run(rounds.turn([call()], done))
    assert second.outcome is not None
    assert (second.outcome.accepted, second.outcome.exhausted, rounds.over) == (False, True, True)
    text = second.results[0].text
    assert text.endswith("- no\nThis was the last submit that may be made: do not call submit_report again.")
    assert second.results[0].failure is not None
    assert second.results[0].failure.recovery == "finish"
    with pytest.raises(RuntimeError, match="is over"):
        run(rounds.turn([call()], done))


@pytest.mark.parametrize("arguments", ["nope", {"reasoning": "r", "report": {}}, {"reasoning": "r", "report": "x"}])
def test_a_submit_that_can_not_be_read_is_a_round_too(arguments: Any) -> None:
    turn = run(SUBMIT.rounds(1).turn([call(arguments)], done))
    assert turn.outcome is not None
    assert turn.outcome.exhausted
    assert "last submit" in turn.results[0].text
    assert "again it" not in turn.results[0].text


def test_of_two_submits_in_a_turn_the_first_that_is_accepted_counts() -> None:
    rounds = SUBMIT.rounds(5)
    turn = run(rounds.turn([call({}, "1"), call(GOOD, "2"), call(GOOD, "3")], done))
    assert turn.outcome is not None
    assert turn.outcome.result.call.id == "2"
    assert [result.is_error for result in turn.results] == [True, False, True]
    assert "accepted already" in turn.results[2].text
    assert rounds.left == 3


HANDED_OVER = {"reasoning": "Not ours.", "team": "network", "note": "The switch is down."}


def other(name: str = "decline") -> Submit[Any]:
    return hand_over.SUBMIT.with_options(name=name)


def test_a_run_may_end_by_one_of_several_submits_and_by_one_alone() -> None:
    seen: list[Any] = []

    def look(response: object, reasoning: object, context: object) -> list[str]:
        seen.append((response, context))
        return ["Say more."] if len(seen) == 1 else []

    declined = {"name": "decline", "arguments": HANDED_OVER}
    rounds = SUBMIT.rounds(5, validators=[nothing], context="c").beside(other(), validators=[look])
    turn = run(rounds.turn([ToolCall("1", **declined), ToolCall("2", **declined), call(GOOD, "3")], done))
    assert [result.is_error for result in turn.results] == [True, False, True]
    assert "accepted already" in turn.results[2].text
    assert rounds.outcome is not None
    assert (rounds.outcome.result.call.name, rounds.left, rounds.over) == ("decline", 3, True)
    assert [context for _, context in seen] == ["c", "c"]


def test_the_last_submit_of_several_says_that_none_of_them_may_follow() -> None:
    turn = run(SUBMIT.rounds(1).beside(other()).turn([call({})], done))
    assert turn.results[0].text.endswith("do not call submit_report or decline again.")


def test_a_run_ends_by_submits_of_different_names() -> None:
    with pytest.raises(ValueError, match="the run may end by decline already"):
        SUBMIT.rounds(1).beside(other()).beside(other())
    with pytest.raises(TypeError, match="can't be called with"):
        SUBMIT.rounds(1).beside(other(), validators=[lambda response: []])


def test_a_submit_that_reaches_the_registry_is_the_operators_mistake(caplog: pytest.LogCaptureFixture) -> None:
    registry = ToolRegistry()
    registry.handles_all(TOOLSET, object())
    for name in TOOLSET.submits:
        result = run(registry.run(ToolCall("call-7", name, {})))
        assert result.failure is not None
        assert (result.failure.kind, result.failure.recovery) == ("internal", "replan")
        assert "no tool of this name" not in result.text
        assert f"{name} submits a result, which no registry takes" in caplog.text
        assert "call-7" in caplog.text


def test_a_submit_whose_name_is_misspelt_is_told_its_name() -> None:
    registry = ToolRegistry()
    calls = [call({}, "1", "submit_reprot"), call({}, "2", "declin"), call({}, "3", "look")]
    turn = run(SUBMIT.rounds(1).beside(other()).turn(calls, registry.run))
    hints = [result.text.rpartition("\n")[2] for result in turn.results]
    assert hints[:2] == [
        f"Did you mean {name}, which ends the run? Then call that." for name in ("submit_report", "decline")
    ]
    assert "Did you mean" not in turn.results[2].text


@pytest.mark.parametrize("given", [None, "done", {"content": "x"}, [ToolResult(call(), "x")]], ids=repr)
@pytest.mark.parametrize("is_async", [True, False])
def test_no_submit_commits_beside_a_call_without_an_answer(given: Any, is_async: bool) -> None:
    async def later(call: ToolCall) -> Any:
        return given

    rounds = SUBMIT.rounds(2)
    with pytest.raises(TypeError, match=r"the call a of look was answered with .*: give an async function"):
        run(rounds.turn([call(), call({}, "a", "look")], later if is_async else lambda call: given))
    assert (rounds.outcome, rounds.left) == (None, 2)
    assert run(rounds.turn([call(), call({}, "a", "look")], lambda call: done(call))).results[0].text


def test_no_submit_commits_beside_a_call_that_has_the_answer_to_another() -> None:
    """As of a cache by name and arguments: no provider takes the turn, and the response would stand committed."""
    kept = done(call({}, "earlier", "look"))
    rounds = SUBMIT.rounds(2)
    with pytest.raises(ValueError, match="the call a of look was answered with the result of the call earlier: give"):
        run(rounds.turn([call(), call({}, "a", "look")], lambda call: kept))
    assert (rounds.outcome, rounds.left) == (None, 2)
    renamed = run(rounds.turn([call(), call({}, "a", "desk__look")], lambda given: done(call({}, given.id, "look"))))
    assert renamed.outcome.accepted, "the id says which call it answers, so a name may lose its prefix"


@pytest.mark.parametrize("given", [{"name": "submit_report"}, None, "submit_report", call()], ids=repr)
def test_what_is_no_call_is_refused_in_words(given: Any) -> None:
    if not isinstance(given, ToolCall):
        with pytest.raises(TypeError, match=r"a call is a ToolCall, not (None|a )"):
            SUBMIT.read(given)
        with pytest.raises(TypeError, match=r"a call is a ToolCall, not (None|a )"):
            run(SUBMIT.rounds(1).turn([given], done))
    with pytest.raises(TypeError, match=r"the calls of a turn are a list of ToolCalls, not (None|a )"):
        run(SUBMIT.rounds(1).turn(given, done))


@pytest.mark.parametrize("given", [None, ToolRegistry(), "look"], ids=lambda given: type(given).__name__)
def test_what_answers_no_other_call_is_refused_before_a_submit_commits(given: Any) -> None:
    rounds = SUBMIT.rounds(1)
    with pytest.raises(TypeError, match=r"other calls are answered by a function, not .* such as registry\.run"):
        run(rounds.turn([call()], given))
    assert (rounds.outcome, rounds.left) == (None, 1)


@pytest.mark.parametrize("given", [None, "decline", hand_over.SPEC], ids=lambda given: type(given).__name__)
def test_what_is_no_submit_ends_no_run(given: Any) -> None:
    with pytest.raises(TypeError, match=r"a run ends by a Submit, not by (None|a str|a ToolSpec): give SUBMIT"):
        SUBMIT.rounds(1).beside(given)


def test_two_turns_of_a_run_are_never_answered_at_once() -> None:
    async def at_once() -> list[Any]:
        rounds = SUBMIT.rounds(1)
        both = await asyncio.gather(*(rounds.turn([call()], done) for _ in range(2)), return_exceptions=True)
        assert rounds.outcome is not None
        return [*both, rounds.outcome.accepted, rounds.left]

    first, second, accepted, left = run(at_once())
    assert first.outcome.accepted
    assert isinstance(second, RuntimeError)
    assert (accepted, left) == (True, 0)


def test_a_turn_that_failed_can_be_tried_again() -> None:
    async def broken(call: ToolCall) -> ToolResult:
        raise Fault("broken")

    rounds = SUBMIT.rounds(1)
    calls = [call(), call({}, "a", "look")]
    with pytest.raises(Fault):
        run(rounds.turn(calls, broken))
    assert run(rounds.turn(calls, done)).results[0].text == "Report accepted."


def test_a_turn_without_a_submit_is_no_round() -> None:
    rounds = SUBMIT.rounds(1)
    turn = run(rounds.turn([call({}, "a", "look")], done))
    assert (turn.outcome, rounds.left, rounds.over) == (None, 1, False)
    assert run(rounds.turn([], done)).results == []


@pytest.mark.parametrize("most", [0, -1, 1.5, float("nan"), float("inf"), True, "2", None], ids=repr)
def test_only_a_whole_number_of_submits_is_a_limit(most: Any) -> None:
    with pytest.raises(ValueError, match="1 or more"):
        SUBMIT.rounds(most)


async def yields_in_a_task(response: object, reasoning: object, context: object) -> Any:
    yield "no"


@pytest.mark.parametrize(
    ("validators", "words"),
    [
        ([lambda response: []], r"<lambda>\(response\) can't be called with \(response, reasoning, context\)"),
        ([lambda *_: [], lambda a, b, c, *, d: []], "can't be called with .*'d'"),
        ([partial(lambda *, a: [], a=1)], "can't be called with"),
        ([yields_in_a_task], "yields_in_a_task is an async generator: return a list"),
        (["names_a_host"], "a validator is a str, which can't be called"),
        ("names_a_host", "validators is a str: give a list"),
        (len, "validators is a .*function.*: give a list"),
        (None, "validators is .*None.*: give a list"),
    ],
)
def test_what_could_never_validate_is_refused_before_anything_is_submitted(validators: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        SUBMIT.rounds(3, validators=validators)
    with pytest.raises(TypeError, match=words):
        run(SUBMIT.submit(call({}), validators=validators))
