"""Drift and design errors as GitHub workflow commands, which show up beside the lines of a pull request.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from toolgen import changes
from toolgen.design.problems import Problem
from toolgen.files import Comparison, Difference, Reason
from toolgen.report import MOST_FILES, changes_of

# A design's line is where these are to be mended; the others, where the file on the disk is.
_OF_THE_DESIGN = frozenset({Reason.DESIGN, Reason.MISSING})


def annotations_of_drift(comparison: Comparison, told: Sequence[Difference], mend: str) -> Iterator[str]:
    """An annotation for each place that differences point to: a tool has one though it has several files."""
    places: dict[tuple[Path, int], list[Difference]] = {}
    for difference in told[:MOST_FILES]:
        places.setdefault(_place(comparison, difference), []).append(difference)
    for (path, line), differences in places.items():
        yield _command(path, line, "toolgen drift", "\n".join([*_words(differences), f"Run: {mend}"]))


def annotations_of_problems(problems: Iterable[Problem]) -> Iterator[str]:
    """An annotation for each design error."""
    for problem in problems:
        rule = f"{problem.subject}: {problem.rule}" if problem.subject else problem.rule
        path = Path(problem.location.file)
        yield _command(path, problem.location.line, "toolgen design error", f"{rule}. {problem.mend}")


def _place(comparison: Comparison, difference: Difference) -> tuple[Path, int]:
    entry, root = difference.made_from, comparison.build.root
    if difference.reason in _OF_THE_DESIGN and entry and entry.source and root:
        return root / entry.source, difference.line or 1
    if difference.old is None or difference.new is None:
        return difference.path, 1
    return difference.path, changes.first_difference(difference.old, difference.new)


def _words(differences: Sequence[Difference]) -> Iterator[str]:
    for difference in differences:
        yield f"{_from_repo(difference.path)}: {difference.explanation}"
    yield from dict.fromkeys(line for difference in differences for line in changes_of(difference))


def _command(path: Path, line: int, title: str, message: str) -> str:
    place = f"file={_escaped(_from_repo(path), ':,')},line={line},title={_escaped(title, ':,')}"
    return f"::error {place}::{_escaped(message)}"


def _from_repo(path: Path) -> str:
    """The path from the root of the checkout, which annotations are relative to."""
    absolute = Path(os.path.abspath(path))
    workspace = os.environ.get("GITHUB_WORKSPACE")
    roots = [Path(os.path.abspath(workspace))] if workspace else []
    roots += [place for place in absolute.parents if (place / ".git").exists()][:1]
    for root in (*roots, Path.cwd()):
        for form in (absolute, absolute.resolve()):
            if root in form.parents:
                return form.relative_to(root).as_posix()
    return path.as_posix()


def _escaped(text: str, more: str = "") -> str:
    for char in ("%", "\r", "\n", *more):
        text = text.replace(char, f"%{ord(char):02X}")
    return text
