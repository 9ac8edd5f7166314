"""What type checkers refuse of the use of generated code, and what they take."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

USE = '''"""Right and wrong uses of the example tools. A line that is refused says so."""

from __future__ import annotations

from generated.support import TOOLSET, SupportHandlers, answer_ticket, list_products, more_tickets, search_tickets
from generated.support.types import Ticket
from toolgen.runtime import CallContext, Page, ToolRegistry

from generated.support import serch_tickets  # refused
from generated.support import SupportHandler  # refused
from toolgen.runtime import Paage  # refused

registry = ToolRegistry()
args = search_tickets.MODEL.decode(b"{}")
later = more_tickets.MODEL.decode(b"{}")

payload = search_tickets.complete(args, tenant="acme")
search_tickets.complete(args)  # refused
search_tickets.complete(args, tenant=5)  # refused
search_tickets.complete(args, tenant="acme", agent="Ann")  # refused
search_tickets.complete(later, tenant="acme")  # refused
answer_ticket.complete(answer_ticket.MODEL.decode(b"{}"), tenant="acme")  # refused
more_tickets.complete(later, query="vpn", cursor="2", tenant="acme")
more_tickets.complete(later, query="vpn", tenant="acme")  # refused

saved = search_tickets.EXECUTION.encode(payload)
search_tickets.restore(saved, tenant="acme")
search_tickets.restore(saved)  # refused
search_tickets.restore(saved, "acme")  # refused
search_tickets.EXECUTION.encode(args)  # refused
search_tickets.MODEL.encode(payload)  # refused


def run_search(payload: search_tickets.SearchTicketsPayload) -> None: ...


run_search(payload)
run_search(args)  # refused


@registry.handles(search_tickets.SPEC)
async def search(
    payload: search_tickets.SearchTicketsPayload, ctx: CallContext
) -> Page[search_tickets.SearchTicketsResult]:
    return Page(search_tickets.SearchTicketsResult([]), returned=0)


@registry.handles(list_products.SPEC)
def products(payload: list_products.ListProductsPayload, ctx: CallContext) -> list[str]:
    return ["R7000"]


@registry.handles(more_tickets.SPEC)  # refused
async def other(
    payload: search_tickets.SearchTicketsPayload, ctx: CallContext
) -> Page[search_tickets.SearchTicketsResult]:
    return Page(search_tickets.SearchTicketsResult([]), returned=0)


@registry.handles(search_tickets.SPEC)  # refused
def no_page(payload: search_tickets.SearchTicketsPayload, ctx: CallContext) -> search_tickets.SearchTicketsResult:
    return search_tickets.SearchTicketsResult([])


@registry.handles(list_products.SPEC)  # refused
def wrong_result(payload: list_products.ListProductsPayload, ctx: CallContext) -> list[int]:
    return [7000]


class Whole:
    """Handles every tool, some async and some not."""

    async def search_tickets(
        self, payload: search_tickets.SearchTicketsPayload, ctx: CallContext
    ) -> Page[search_tickets.SearchTicketsResult]:
        return Page(search_tickets.SearchTicketsResult([]), returned=0)

    def more_tickets(
        self, payload: more_tickets.MoreTicketsPayload, ctx: CallContext
    ) -> Page[more_tickets.MoreTicketsResult]:
        return Page(search_tickets.SearchTicketsResult([]), returned=0)

    async def answer_ticket(
        self, payload: answer_ticket.AnswerTicketPayload, ctx: CallContext
    ) -> answer_ticket.AnswerTicketResult:
        return answer_ticket.AnswerTicketResult(Ticket(1, "x", payload.opened))  # refused

    def list_products(self, payload: list_products.ListProductsPayload, ctx: CallContext) -> list[str]:
        return []


class Missing:
    """Has no handler for answer_ticket."""

    def search_tickets(
        self, payload: search_tickets.SearchTicketsPayload, ctx: CallContext
    ) -> Page[search_tickets.SearchTicketsResult]:
        return Page(search_tickets.SearchTicketsResult([]), returned=0)

    def more_tickets(
        self, payload: more_tickets.MoreTicketsPayload, ctx: CallContext
    ) -> Page[more_tickets.MoreTicketsResult]:
        return Page(search_tickets.SearchTicketsResult([]), returned=0)

    def list_products(self, payload: list_products.ListProductsPayload, ctx: CallContext) -> list[str]:
        return []


whole: SupportHandlers = Whole()
missing: SupportHandlers = Missing()  # refused
registry.handles_all(TOOLSET, Whole())
registry.handles_all(TOOLSET, Missing())  # refused
'''

SUBMITS = '''"""Right and wrong uses of submits, and of what declares one. A line that is refused says so."""

from __future__ import annotations

from typing import Any

from generated.triage import submit_report
from generated.triage.types import Handover, TriageReport
from toolgen import providers
from toolgen.dsl import Record, Submit, Toolset, field
from toolgen.runtime import Finding, ToolCall, ToolRegistry

call = ToolCall("1", "submit_report", {})
outcome = submit_report.SUBMIT.read(call)
report: TriageReport | None = outcome.response
certain: TriageReport = outcome.response  # refused
other: Handover | None = outcome.response  # refused


def finds(report: TriageReport, reasoning: str | None, context: Any) -> list[Finding | str]:
    return [Finding("Too long.", "/summary"), "Name the host."]


async def finds_texts(report: TriageReport, reasoning: str | None, context: dict[str, str]) -> list[str]:
    return []


def of_another(report: Handover, reasoning: str | None, context: Any) -> list[str]:
    return []


def always_reasoned(report: TriageReport, reasoning: str, context: Any) -> list[str]:
    return []


def forgets(report: TriageReport, reasoning: str | None, context: Any) -> None: ...


async def run(registry: ToolRegistry) -> None:
    submit = submit_report.SUBMIT.with_options(omit=("confidence",), schema=lambda schema: schema, reasoning=False)
    await submit.submit(call, validators=[finds, finds_texts, lambda response, why, context: [response.summary]])
    await submit.submit(call, validators=[of_another])  # refused
    await submit.submit(call, validators=[always_reasoned])  # refused
    await submit.submit(call, validators=[forgets])  # refused
    rounds = submit.rounds(3, validators=[finds], context={})
    turn = await rounds.turn([call], registry.run)
    done: TriageReport | None = turn.outcome.response if turn.outcome is not None else None
    providers.definitions([*registry.specs.values(), submit], "anthropic")
    submit.with_options(omits=("confidence",))  # refused
    submit.with_options(flat="yes")  # refused
    print(rounds.outcome.response)  # refused
    submit.rounds()  # refused


things = Toolset("things", "Things.")


class Report(Record, submit=Submit(name="end", flat=True)):
    text: str = field("Text.")


class Misnamed(Record, submit="end"):  # refused
    text: str = field("Text.")


@things.submit()
class End:
    Response = Report


@things.submit(payload="report", payload_description="It.", success="Ok.", reasoning=False)
class Other:
    Response = Report


@things.submit  # refused
class Bare:
    Response = Report


@things.submit(paylod="report")  # refused
class Misspelt:
    Response = Report


@things.submit(reasoning="no")  # refused
class NoFlag:
    Response = Report


things.submit(things.submit_for(Report).replace(name="again"))(Report)
things.submit_for(End)  # refused
'''

# The run as it is documented is right as it stands.
SUBMITTING = ROOT.joinpath("docs", "submitting.md").read_text(encoding="utf-8")
RUN = next(text for text in re.findall(r"^```python\n(.*?)^```$", SUBMITTING, re.M | re.S) if "SUBMIT.rounds" in text)
RUN = RUN.replace(
    "from tools.triage import submit_result", "from generated.triage import submit_report as submit_result"
)
RUN = RUN.replace("tools.triage", "generated.triage")

CHECKERS = [
    ("mypy", "--strict", "--no-error-summary", "--no-pretty"),
    ("pyright", "--pythonpath", sys.executable),
]


@pytest.mark.once
@pytest.mark.parametrize("use", [USE, SUBMITS + RUN], ids=["tools", "submits"])
@pytest.mark.parametrize("checker", CHECKERS, ids=["mypy", "pyright"])
def test_checkers_refuse_misuse_and_nothing_else(checker: tuple[str, ...], use: str, tmp_path: Path) -> None:
    pytest.importorskip(checker[0])
    path = tmp_path / "use.py"
    path.write_text(use, encoding="utf-8")
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    (tmp_path / "mypy.ini").write_text(f"[mypy]\nmypy_path = {ROOT}\n", encoding="utf-8")
    whole = [sys.executable, "-m", *checker, "use.py"]
    told = subprocess.run(whole, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    found = {int(line) for line in re.findall(r"use\.py:(\d+)[^\n]*error", told)}
    lines = use.splitlines()
    wanted = {number for number, line in enumerate(lines, 1) if line.endswith("# refused")}
    # A checker may blame the decorator or the function under it.
    moved = {number - 1 for number in found - wanted} & wanted
    assert (found & wanted) | moved == wanted, f"taken: {sorted(wanted - found - moved)}\n{told}"
    assert {n for n in found - wanted if n - 1 not in wanted} == set(), told
