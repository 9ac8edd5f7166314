"""Words and JSON for what an import came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from toolgen.importer.importing import Imported


def lines(imported: Imported) -> Iterator[tuple[str, bool]]:
    """A line for each thing that was not carried, or not imported, and whether it is one to look at."""
    for entry in imported.entries:
        yield entry.line(), entry.outcome.is_loss
    for bad in imported.bad:
        yield bad.line(), True


def counts(imported: Imported) -> str:
    """``3 tools imported, 2 of them whole; 4 Records; 1 wider, 2 notes; 5 fields without a description``."""
    parts = [f"{_number(imported.tools, 'tool')} imported, {imported.whole} of them whole"]
    if imported.written is not None:
        parts.append(_number(len(imported.written.records), "Record"))
    outcomes = Counter(entry.outcome for entry in imported.entries)
    told = [_number(count, "note") if not of.is_loss else f"{count} {of.value}" for of, count in outcomes.items()]
    if told:
        parts.append(", ".join(told))
    if imported.written is not None and imported.written.undescribed:
        parts.append(f"{_number(imported.written.undescribed, 'field')} without a description")
    if imported.bad:
        parts.append(f"{len(imported.bad)} not imported")
    return "; ".join(parts)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def as_json(imported: Imported, *, with_design: bool) -> dict[str, object]:
    """The whole of an import for a script."""
    written = imported.written
    found: dict[str, object] = {
        "tools": written.tools if written is not None else [],
        "whole": imported.whole,
        "records": written.records if written is not None else [],
        "undescribed": written.undescribed if written is not None else 0,
        "report": [
            {"source": e.source, "pointer": e.pointer, "outcome": e.outcome.value, "text": e.text}
            for e in imported.entries
        ],
        "not_imported": [{"source": bad.source, "reason": bad.reason} for bad in imported.bad],
    }
    return {**found, "design": written.text} if with_design and written is not None else found
