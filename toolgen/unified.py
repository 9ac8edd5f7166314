"""The unified diff of a file, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

LONGEST_LINE: Final = 240
"""Characters of one line that are shown."""

_SHARED: Final = 60
"""Characters that are shown of what two long lines begin with alike."""

_THOROUGH: Final = 25_000_000
"""Pairs of lines up to which every line is compared; beyond it the frequent ones are not, which is quick."""


def diff(old: str, new: str, name: str) -> Iterator[str]:
    """The lines of a diff from ``old``, on the disk, to ``new``, which would be made; none where they are equal."""
    before, after = old.split("\n"), new.split("\n")
    # With few pairs difflib may look at all: else it takes a line that is frequent for no match, and tells it as
    # removed and added again.
    quick = len(before) * len(after) > _THOROUGH
    groups = SequenceMatcher(None, before, after, autojunk=quick).get_grouped_opcodes()
    for number, group in enumerate(groups):
        if number == 0:
            yield f"--- {name} (on disk)"
            yield f"+++ {name} (generated)"
        (_, old_start, _, new_start, _), (_, _, old_end, _, new_end) = group[0], group[-1]
        yield f"@@ -{_span(old_start, old_end)} +{_span(new_start, new_end)} @@"
        for tag, old_start, old_end, new_start, new_end in group:
            removed, added = before[old_start:old_end], after[new_start:new_end]
            yield from (f" {_cut(line)}" for line in removed) if tag == "equal" else _changed(removed, added)


def _span(start: int, end: int) -> str:
    """A range of lines as the format has it: its first line, and its length where that is not 1."""
    length = end - start
    return f"{start + 1}" if length == 1 else f"{start + 1 if length else start},{length}"


def _changed(removed: Sequence[str], added: Sequence[str]) -> Iterator[str]:
    """Removed lines, then added ones; a long one from shortly before where it differs from the one in its place."""
    skips = [max(0, _alike(*pair) - _SHARED) for pair in zip_longest(removed, added, fillvalue="")]
    yield from (f"-{_cut(line, skipped)}" for line, skipped in zip(removed, skips, strict=False))
    yield from (f"+{_cut(line, skipped)}" for line, skipped in zip(added, skips, strict=False))


def _alike(old: str, new: str) -> int:
    """How many characters two lines begin with alike."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (before, after) in pairs if before != after), min(len(old), len(new)))


def _cut(line: str, skipped: int = 0) -> str:
    if len(line) <= LONGEST_LINE:
        return line
    end = "..." if len(line) > skipped + LONGEST_LINE else ""
    return f"{'...' if skipped else ''}{line[skipped : skipped + LONGEST_LINE]}{end}"
