"""What an import could not carry, and what it did instead, place by place."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


class Outcome(enum.Enum):
    """What became of a construct of the source."""

    WIDER = "wider"
    NARROWER = "narrower"
    LEFT_OUT = "left out"
    NOTE = "note"

    @property
    def is_loss(self) -> bool:
        """Whether the design does not take, or hand on, exactly what the source says."""
        return self is not Outcome.NOTE


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of a place in a document before its schemas are read: ``pointer`` is a JSON Pointer."""

    pointer: str
    outcome: Outcome
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the report: ``pointer`` is the JSON Pointer in ``source``, ``text`` what was done and why."""

    source: str
    pointer: str
    outcome: Outcome
    text: str

    def line(self) -> str:
        return f"{self.source}#{self.pointer}: {self.outcome.value}: {self.text}"


@dataclass(slots=True)
class Report:
    """The entries of one source, and the comments of the field that is being read."""

    source: str
    entries: list[Entry] = field(default_factory=list)
    _comments: list[str] | None = None

    @property
    def losses(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.outcome.is_loss]

    def say(self, pointer: str, outcome: Outcome, text: str) -> None:
        """Adds an entry, once, and a comment where a field is being read."""
        entry = Entry(self.source, pointer, outcome, text)
        if entry not in self.entries:
            self.entries.append(entry)
        comment = f"#{pointer} {outcome.value}: {text}"
        if self._comments is not None and outcome.is_loss and comment not in self._comments:
            self._comments.append(comment)

    def has_said(self, pointer: str, why: str) -> bool:
        """Whether a loss at a place, or below it, was said to have this reason."""
        return any(f"{loss.pointer}/".startswith(f"{pointer}/") and loss.text.endswith(why) for loss in self.losses)

    def note(self, pointer: str, text: str) -> None:
        self.say(pointer, Outcome.NOTE, text)

    @contextmanager
    def commenting(self, comments: list[str]) -> Iterator[None]:
        """Puts what is said meanwhile among ``comments``, save what inner fields take for themselves."""
        outer, self._comments = self._comments, comments
        try:
            yield
        finally:
            self._comments = outer
