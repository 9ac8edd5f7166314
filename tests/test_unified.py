"""The diff that a check shows."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from hypothesis import example, given
from hypothesis import strategies as st

from toolgen.unified import LONGEST_LINE, diff

_LINES = st.lists(st.sampled_from(["", "    )", "a", "b", "c", "d"]), max_size=12).map("\n".join)


def _differing_pairs(old: str, new: str) -> Iterator[tuple[str, str]]:
    """The lines that stand in each other's place."""
    removed: list[str] = []
    added: list[str] = []
    for line in [*list(diff(old, new, "x.py"))[2:], " "]:
        if line[0] == "-":
            removed.append(line[1:])
        elif line[0] == "+":
            added.append(line[1:])
        else:
            yield from zip(removed, added, strict=False)
            removed, added = [], []


@given(_LINES, _LINES)
@example("a", "a")
@example("", "a\nb")
def test_a_short_file_has_the_diff_that_pythons_own_library_writes(old: str, new: str) -> None:
    names = ("x.py (on disk)", "x.py (generated)")
    judge = difflib.unified_diff(old.split("\n"), new.split("\n"), *names, lineterm="")
    assert list(diff(old, new, "x.py")) == list(judge)


@given(st.data())
def test_no_line_of_a_long_file_is_told_as_removed_and_added_again(data: st.DataObject) -> None:
    # A line that stands in a hundredth of two hundred lines is what difflib leaves out of a comparison by itself.
    lines = [line for number in range(150) for line in (f"{number}", "")]
    at = data.draw(st.integers(0, 295))
    changed = [*lines[:at], *(f"new {line}" if line else "" for line in lines[at : at + 4]), *lines[at + 4 :]]
    pairs = list(_differing_pairs("\n".join(lines), "\n".join(changed)))
    assert pairs
    assert all(removed != added for removed, added in pairs)


@given(st.integers(0, 600), st.integers(0, 600))
def test_what_differs_in_long_lines_is_shown(before: int, after: int) -> None:
    old, new = (f"{'x' * before}{changed}{'y' * after}" for changed in "ab")
    ((removed, added),) = _differing_pairs(old, new)
    assert ("a" in removed, "b" in added) == (True, True)
    assert removed.replace("a", "b") == added
    assert len(removed) <= LONGEST_LINE + len("......")
