"""A whole run over each provider's wire: the scripted model submits a wrong shape, a string, what a validator rejects,
and then what is accepted."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from wires import WIRES, response

from generated.support import list_products
from generated.triage import submit_report
from generated.triage.types import TriageReport
from toolgen import providers
from toolgen.runtime import CallContext, SubmitOutcome, SubmitRun, ToolRegistry

SUBMIT = submit_report.SUBMIT
VAGUE = {"severity": "low", "summary": "Something broke."}
EXACT = {"severity": "high", "summary": "The fan of db-7 broke."}
SCRIPT: list[list[tuple[str, str, Any]]] = [
    [("c1", "list_products", {}), ("s1", "submit_report", {"reasoning": "I think so.", "report": [VAGUE]})],
    [("s2", "submit_report", {"reasoning": "I think so.", "report": json.dumps(VAGUE) + "}</report>"})],
    [("s3", "submit_report", {"reasoning": "I am sure.", "report": VAGUE}), ("c2", "list_products", {})],
    [("s4", "submit_report", {"reasoning": "The log of db-7 says so.", "report": EXACT})],
]


def registry() -> ToolRegistry:
    tools = ToolRegistry()

    @tools.handles(list_products.SPEC)
    def products(payload: Any, ctx: CallContext) -> list[str]:
        return ["R7000"]

    return tools


async def names_a_host(report: TriageReport, reasoning: str | None, context: Any) -> list[str]:
    hosts: list[str] = context["hosts"]
    return [] if any(host in report.summary for host in hosts) else ["Name the host that broke."]


async def conversation(
    provider: str, script: list[list[tuple[str, str, Any]]], rounds: SubmitRun[TriageReport]
) -> tuple[list[SubmitOutcome[TriageReport]], list[Any]]:
    tools = registry()
    told = providers.definitions([*tools.specs.values(), SUBMIT], provider)
    outcomes, messages = [], []
    for made in script:
        turn = response(provider, made)
        calls = providers.calls(turn, provider, tools=told)
        answered = await rounds.turn(calls, lambda call: tools.run(call, {}))
        assert len(answered.results) == len(made)
        messages += providers.answer(turn, answered.results, provider, missing="raise")
        assert answered.outcome is not None
        outcomes.append(answered.outcome)
        if rounds.over:
            break
    return outcomes, messages


@pytest.mark.parametrize("provider", WIRES)
def test_a_run_goes_from_a_wrong_shape_to_an_accepted_report(provider: str) -> None:
    rounds = SUBMIT.rounds(5, validators=[names_a_host], context={"hosts": ["db-7"]})
    outcomes, messages = asyncio.run(conversation(provider, SCRIPT, rounds))
    wrong, written, rejected, accepted = outcomes
    assert getattr(wrong.error, "cause", None) == "parameter_type"
    assert [note.path for note in written.notes] == ["/report", "/report"]
    assert [str(finding) for finding in written.findings] == ["Name the host that broke."]
    assert (rejected.notes, len(rejected.findings)) == ((), 1)
    assert (accepted.accepted, accepted.response) == (True, TriageReport("high", "The fan of db-7 broke."))
    assert accepted.reasoning == "The log of db-7 says so."
    assert (rounds.over, rounds.left) == (True, 1)
    told = json.dumps(messages)
    for words in ("parameter_type (report)", "Name the host that broke.", "Report accepted."):
        assert words in told


@pytest.mark.parametrize("provider", WIRES)
def test_a_run_that_is_never_right_ends(provider: str) -> None:
    rounds = SUBMIT.rounds(3, validators=[names_a_host], context={"hosts": ["db-7"]})
    outcomes, messages = asyncio.run(conversation(provider, SCRIPT, rounds))
    assert [outcome.exhausted for outcome in outcomes] == [False, False, True]
    assert "last submit that may be made" in json.dumps(messages)
