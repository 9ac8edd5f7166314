"""Words and JSON for what a run did or found."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from toolgen import changes, manifest, unified
from toolgen.files import OUT_OF_DATE, Comparison, Difference, Reason
from toolgen.paths import shown

MOST_DIFF_LINES = 60
"""Lines of one file's diff that are shown; the rest are counted."""

MOST_TOTAL_LINES = 400
"""Lines of all diffs of a run that are shown."""

MOST_FILES = 100
"""Files that are told one by one; the rest are counted."""

MOST_CHANGES = 12
"""Lines of what changed in one tool that are shown."""


def reason_line(difference: Difference) -> str:
    """``generated/support/search.py: edited by hand (support.search, from designs/support.py)``."""
    entry = difference.made_from
    about = [".".join(filter(None, (entry.toolset, entry.tool)))] if entry and entry.toolset else []
    about += [f"from {entry.source}"] if entry and entry.source else []
    return f"{shown(difference.path)}: {difference.explanation}" + (f" ({', '.join(about)})" if about else "")


def changes_of(difference: Difference) -> list[str]:
    """What changed in the tool, in words: ``field limit: maximum 100 → 50``; empty where only code differs."""
    if difference.old is None or difference.new is None or difference.reason in (Reason.LOCK, Reason.FOREIGN):
        return []
    found = changes.between(difference.old, difference.new)
    more = len(found) - MOST_CHANGES
    return [*found[:MOST_CHANGES], *([f"and {more} more change{'' if more == 1 else 's'}"] if more > 0 else [])]


def worth_telling(comparison: Comparison) -> tuple[Difference, ...]:
    """The differences without the manifest's own, where that only follows from the others; contract tests last, since
    they follow from the code that is read first.
    """
    files = tuple(d for d in comparison.differences if d.reason is not Reason.LOCK)
    follows = [d for d in comparison.differences if d.reason is Reason.LOCK and d.explanation.startswith(OUT_OF_DATE)]
    told = files if files and follows else comparison.differences
    tests = [area.folder for area in comparison.build.areas[1:]]
    return tuple(sorted(told, key=lambda d: (d.reason is Reason.LOCK, not set(tests).isdisjoint(d.path.parents))))


def diffs(differences: Sequence[Difference]) -> Iterator[tuple[Difference, list[str], int]]:
    """The differences that are told one by one, with the lines of each one's diff that are to be shown, and the number
    of lines left out.
    """
    left = MOST_TOTAL_LINES
    for difference in differences[:MOST_FILES]:
        lines = diff(difference)
        kept = lines[: min(MOST_DIFF_LINES, left)]
        left -= len(kept)
        yield difference, kept, len(lines) - len(kept)


def _all_diffs(differences: Sequence[Difference]) -> Iterator[tuple[Difference, list[str], int | None]]:
    """Every difference, of very many the later ones without their diffs, whose lines are not counted."""
    yield from diffs(differences)
    yield from ((difference, [], None) for difference in differences[MOST_FILES:])


def diff(difference: Difference) -> list[str]:
    """The unified diff from the file on the disk to what would be generated; none for the manifest or a new file."""
    if difference.reason is Reason.LOCK or difference.old is None or difference.new is None:
        return []
    name = shown(difference.path).replace(os.sep, "/")
    return list(unified.diff(difference.old, difference.new, name))


def counts(differences: Iterable[Difference]) -> str:
    """``3 files differ: 2 design changed since generation, 1 missing``."""
    numbers: dict[str, int] = {}
    total = 0
    for difference in differences:
        numbers[difference.reason.value] = numbers.get(difference.reason.value, 0) + 1
        total += 1
    parts = ", ".join(f"{number} {reason}" for reason, number in numbers.items())
    return f"{total} file{'s differ' if total != 1 else ' differs'}: {parts}"


def tool_lines(comparison: Comparison) -> list[tuple[str, str]]:
    """What a run wrote: ``("created", "support.search")`` for each tool, then for each file that is no one tool's, and
    each contract test of a tool whose module stays as it is.
    """
    made = [(difference, _tool_of(difference)) for difference in comparison.differences if difference.made_from]
    touched = {tool for difference, tool in made if difference.area == manifest.OUTPUT}
    by_tool: dict[str, set[str]] = {}
    others: list[tuple[str, str]] = []
    for difference, tool in made:
        if tool and tool in touched:
            by_tool.setdefault(tool, set()).add(action(difference))
        else:
            others.append((action(difference), shown(difference.path)))
    tools = [(actions.pop() if len(actions) == 1 else "updated", tool) for tool, actions in sorted(by_tool.items())]
    return tools + others


def _tool_of(difference: Difference) -> str | None:
    entry = difference.made_from
    return ".".join(filter(None, (entry.toolset, entry.tool))) if entry and entry.tool else None


def action(difference: Difference) -> str:
    """What a run does about a difference."""
    if difference.new is None:
        return "removed"
    return "created" if difference.old is None else "updated"


def written_json(comparison: Comparison, warnings: Sequence[str]) -> dict[str, object]:
    """What a run wrote, for a script; paths are relative to the working folder."""
    by_action: dict[str, list[dict[str, object]]] = {"created": [], "updated": [], "removed": []}
    for difference in comparison.differences:
        by_action[action(difference)].append(_file_json(difference))
    return {**by_action, "unchanged": comparison.unchanged, "in_the_way": [], "warnings": [*warnings]}


def blocked_json(comparison: Comparison, blocking: Sequence[Difference], warnings: Sequence[str]) -> dict[str, object]:
    """What a run did not write, since files stand in its way."""
    files = [{**_file_json(difference), **_why_json(difference)} for difference in blocking]
    nothing: dict[str, object] = {"created": [], "updated": [], "removed": []}
    return {**nothing, "unchanged": comparison.unchanged, "in_the_way": files, "warnings": [*warnings]}


def drift_json(comparison: Comparison, mend: str, warnings: Sequence[str]) -> dict[str, object]:
    """What a check found, for a script."""
    return {
        "clean": not comparison.differences,
        "unchanged": comparison.unchanged,
        "differences": [
            {
                **_file_json(difference),
                **_why_json(difference),
                "changes": changes_of(difference) if number < MOST_FILES else [],
                "line": difference.line,
                "diff": "\n".join(lines),
                "lines_left_out": left_out,
            }
            for number, (difference, lines, left_out) in enumerate(_all_diffs(worth_telling(comparison)))
        ],
        "mend": mend if comparison.differences else None,
        "warnings": [*warnings],
    }


def _why_json(difference: Difference) -> dict[str, object]:
    return {"reason": difference.reason.name.lower(), "explanation": difference.explanation}


def _file_json(difference: Difference) -> dict[str, object]:
    entry = difference.made_from
    return {
        "path": shown(difference.path).replace(os.sep, "/"),
        "source": entry.source if entry else None,
        "toolset": entry.toolset if entry else None,
        "tool": entry.tool if entry else None,
    }
