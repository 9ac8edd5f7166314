"""What is wrong with a design, told to its author."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TypeAlias

from toolgen import ir
from toolgen.plain import Plain

Report: TypeAlias = Callable[[str, str], None]
"""Takes a rule that was broken, and how to mend it; knows where."""


class Problem(Plain, frozen=True):
    """One thing wrong with a design.

    ``toolset``, ``tool`` and ``field`` name what it is about, each None where it does not apply; a problem of a Record
    or an enumeration has its name in ``record``. ``rule`` is what was broken, ``mend`` what to do.
    """

    location: ir.Location
    toolset: str | None
    tool: str | None
    field: str | None
    rule: str
    mend: str
    record: str | None = None

    @property
    def subject(self) -> str:
        """What the problem is about, in the words of the design."""
        owner = ".".join(name for name in (self.toolset, self.tool) if name) or self.record
        return ", ".join(part for part in (owner, f"field {self.field}" if self.field else None) if part)

    def render(self) -> str:
        """The problem in one line: file and line, what it is about, the rule, the mend."""
        place = f"{self.location.file}:{self.location.line}: "
        subject = f"{self.subject}: " if self.subject else ""
        text = f"{place}{subject}{self.rule}. {self.mend}"
        return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\n", "\\n")


class DesignError(Exception):
    """A design breaks rules: ``problems`` holds all of them, in order of file and line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(problem.render() for problem in self.problems))


class Place(Plain, frozen=True):
    """Where a rule is judged: what a Problem says of its place."""

    location: ir.Location
    toolset: str | None = None
    tool: str | None = None
    record: str | None = None
    field: str | None = None

    def of_field(self, name: str, location: ir.Location) -> Place:
        return Place(location, self.toolset, self.tool, self.record, name)

    def at(self, location: ir.Location) -> Place:
        return self.replace(location=location)

    def problem(self, rule: str, mend: str) -> Problem:
        return Problem(self.location, self.toolset, self.tool, self.field, rule, mend, self.record)


def said_by(error: BaseException) -> str:
    """The name of an exception, and the first line of what it says."""
    say: Callable[[object], str] = str
    try:
        lines = say(error).strip().splitlines()
    except Exception:  # an exception of the design's own, whose __str__ is broken
        lines = []
    return type(error).__name__ + (f": {lines[0].rstrip('.')}" if lines else "")


def _is_importing(traceback: TracebackType | None) -> bool:
    while traceback is not None:
        if traceback.tb_frame.f_code.co_name == "<module>":
            return True
        traceback = traceback.tb_next
    return False


class Problems:
    """Collects problems. A problem found twice, such as one of an inherited field, is kept once."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int, str | None, str], Problem] = {}

    def add(self, place: Place, rule: str, mend: str) -> None:
        key = (place.location.file, place.location.line, place.field, rule)
        self._found.setdefault(key, place.problem(rule, mend))

    def at(self, place: Place) -> Report:
        """``add`` for one place."""
        return lambda rule, mend: self.add(place, rule, mend)

    @contextmanager
    def reading(self, place: Place) -> Iterator[None]:
        """Report what is raised meanwhile: a design's own objects may do anything when they are looked at.

        What is raised while a module is imported comes of what is installed, and is raised again.
        """
        try:
            yield
        except Exception as error:
            if _is_importing(error.__traceback__):
                raise
            self.add(place, f"reading it raised {said_by(error)}", "Write plain types and values.")

    def __len__(self) -> int:
        return len(self._found)

    def raise_any(self) -> None:
        """Raise a DesignError if there is any problem."""
        if self._found:
            found = self._found.values()
            raise DesignError(sorted(found, key=lambda p: (p.location.file, p.location.line, p.subject, p.rule)))
