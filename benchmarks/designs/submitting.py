"""A submit, for the benchmark of hostile texts."""

from __future__ import annotations

from toolgen.dsl import Record, Toolset, field

submitting = Toolset("submitting", "Ends a run.")


class Report(Record):
    """What was found."""

    text: str = field("What it is.")


@submitting.submit(name="end", payload="report")
class End:
    """Submit the report."""

    Response = Report
