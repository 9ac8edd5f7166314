"""What the commands say: messages on stderr, data on stdout, colour for a terminal alone.

What a check found is its data, whole: who keeps one stream of the two has the reasons, the diffs and the command that
mends them.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from toolgen.files import Comparison


def say(message: str, fg: str | None = None) -> None:
    click.secho(message, err=True, fg=fg)


def answer(text: str, fg: str | None = None) -> None:
    """A line of data for people; what stdout can't write, as on a pipe of Windows, is escaped."""
    encoding = _encoding()
    click.secho(text.encode(encoding, "backslashreplace").decode(encoding), fg=fg)


def print_json(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=2)
    click.echo(text if _is_writable(text) else json.dumps(value, indent=2))


def print_source(text: str) -> None:
    """Python source: UTF-8, as Python reads it, whatever stdout would make of it; a terminal gets what it can show."""
    if sys.stdout.isatty():
        answer(text.removesuffix("\n"))
    else:
        click.echo(text.encode(), nl=False)


def _encoding() -> str:
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def _is_writable(text: str) -> bool:
    try:
        text.encode(_encoding())
    except UnicodeEncodeError:
        return False
    return True


PATIENCE = 1.0
"""Seconds after which a run shows how far it is."""


@contextmanager
def progress_shown(label: str) -> Iterator[Callable[[int, int], None]]:
    """Takes how far a run is, and shows it once that takes a while and a person watches."""
    started = time.monotonic()
    bars: list[Any] = []

    def progress(done: int, of: int) -> None:
        if bars:
            bars[0].update(1)
        elif sys.stderr.isatty() and time.monotonic() - started > PATIENCE:
            bars.append(click.progressbar(length=of, label=label, file=sys.stderr))
            bars[0].update(done)

    try:
        yield progress
    finally:
        for bar in bars:
            bar.render_finish()


def tell_problems(error: Any, style: str, outcome: str = "") -> None:
    """Tells what is wrong with the designs; ``outcome`` ends the last line with what became of the run."""
    if style == "json":
        names = ("toolset", "tool", "record", "field", "rule", "mend")
        problems = [
            {"file": p.location.file, "line": p.location.line, **{name: getattr(p, name) for name in names}}
            for p in error.problems
        ]
        print_json({"problems": problems})
        return
    if style == "github":
        from toolgen import github

        for line in github.annotations_of_problems(error.problems):
            answer(line)
    for problem in error.problems:
        say(problem.render())
    number = len(error.problems)
    say(f"{number} problem{'' if number == 1 else 's'} in the designs{outcome}", fg="red")


def tell_in_the_way(comparison: Comparison, command: str, force: bool) -> None:
    """Names every file that stands in the way of a run."""
    from toolgen import report
    from toolgen.files import Reason
    from toolgen.paths import shown

    blocking = comparison.in_the_way(force=force)
    for difference in blocking:
        say(report.reason_line(difference), fg="red")
    say("Nothing was written.")
    if any(difference.reason is Reason.FOREIGN for difference in blocking):
        say("toolgen overwrites no file that it did not make: move those away, or choose another output folder.")
    if any(difference.reason is Reason.EDITED for difference in blocking):
        say("Keep an edit by moving it into the design or into your own code. To give up all edits, run:")
        say(command)
    if not comparison.build.lock_file.exists():
        lock = shown(comparison.build.lock_file)
        say(f"hint: {lock} is not there. Was the output folder renamed? Then move the folder itself, its lock with it.")


def tell_drift(comparison: Comparison, mend: str, *, annotated: bool) -> None:
    from toolgen import github, report
    from toolgen.files import Reason

    told = report.worth_telling(comparison)
    if annotated:
        for line in github.annotations_of_drift(comparison, told, mend):
            answer(line)
    differing = list(report.diffs(told))
    for difference, _, _ in differing:
        answer(report.reason_line(difference), fg="red")
        for line in report.changes_of(difference):
            answer(f"  {line}")
    if len(told) > report.MOST_FILES:
        answer(f"... and {len(told) - report.MOST_FILES} more files")
    unshown = [left_out for _, lines, left_out in differing if left_out and not lines]
    for _, lines, left_out in differing:
        for line in lines:
            answer(line, fg={"+": "green", "-": "red", "@": "cyan"}.get(line[:1]))
        if lines and left_out:
            answer(f"... {left_out} more line{'' if left_out == 1 else 's'} of this diff")
    if unshown:
        answer(f"... and diffs of {files_in_words(len(unshown))} more, {sum(unshown)} lines")
    answer(report.counts(told))
    strange = any(difference.reason is Reason.FOREIGN for difference in told)
    if strange:
        answer("Move away what toolgen did not make, or choose another output folder; it overwrites no such file.")
    if "--force" in mend.split():
        answer("Move edits that you want to keep into the design or your own code first; this gives them up:")
    answer(f"{'Then run' if strange else 'Run'}: {mend}")  # until then it would refuse


def summary(comparison: Comparison) -> str:
    from toolgen.files import Reason
    from toolgen.paths import shown

    files = [difference for difference in comparison.differences if difference.reason is not Reason.LOCK]
    written = sum(difference.new is not None for difference in files)
    if not comparison.differences:
        return f"nothing to do: {files_in_words(comparison.unchanged)} up to date"
    if not files:
        return f"{shown(comparison.build.lock_file)} written; {files_in_words(comparison.unchanged)} up to date"
    removed = f", {len(files) - written} removed" if len(files) > written else ""
    return f"{files_in_words(written)} written{removed}, {comparison.unchanged} unchanged"


def files_in_words(number: int) -> str:
    return f"{number} file{'' if number == 1 else 's'}"


def tell_refusal(text: str, issues: Iterable[Any], style: str) -> None:
    if style == "json":
        told = [{"path": issue.path, "constraint": issue.constraint, "message": issue.message} for issue in issues]
        print_json({"issues": told, "text": text})
    else:
        answer(text)
