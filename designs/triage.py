"""The end of a triage: a report that the model submits."""

from __future__ import annotations

from typing import Literal

from toolgen.dsl import Record, Submit, Toolset, field

triage = Toolset("triage", "Look into an incident, and report on it.")


class Evidence(Record):
    """One thing that was seen."""

    source: str = field("Where it was seen.", min_length=1)
    quote: str = field("What it said, word for word.", max_length=400)


class TriageReport(Record):
    """What the triage found."""

    severity: Literal["low", "high"] = field("How bad it is.")
    summary: str = field("What happened, in a sentence.", max_length=400)
    evidence: list[Evidence] = field("What it rests on.", default=[], max_items=10)
    confidence: float = field("How sure you are, from 0 to 1.", default=0.5, ge=0, le=1)


class Handover(Record, submit=Submit(name="hand_over", success="Handed over.", flat=True)):
    """Who goes on with the incident."""

    team: Literal["network", "storage"] = field("The team.")
    note: str = field("What they have to know.", min_length=1)
    hours: int = field("Hours that it can wait.", optional=True, ge=1)


@triage.submit(name="submit_report", payload="report", success="Report accepted.")
class SubmitTriage:
    """Submit the final triage report."""

    Response = TriageReport


@triage.submit(description="Hand the incident over, instead of a report.")
class SubmitHandover:
    """Hands over."""

    Response = Handover
