from __future__ import annotations

import re
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolgen.runtime import patterns
from toolgen.testing.matching import matching, not_matching

PATTERNS = [
    "^[A-Z]{2,4}-[0-9]{3}$",
    "a+b",
    "^(?:foo|bar)[^x-z]{3}$",
    r"\bword\b",
    r"^\w+@\w+\.com$",
    "^.{5,10}$",
    r"^[\w.-]+$",
    r"^\u00e9[\t -]\x41$",
    r"^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$",
    r"^[\]\\^-]+$",
    r"^\S+ \S+$",
    r"^a{3}$|^b*$",
    "^$",
    r"^[^\d]$",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_texts_that_match_are_found(pattern: str) -> None:
    texts = list(islice(matching(pattern), 5))
    assert texts
    assert len(set(texts)) == len(texts)
    assert all(re.search(patterns.to_python(pattern), text) for text in texts)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_texts_that_do_not_match_are_found(pattern: str) -> None:
    texts = list(not_matching(pattern))
    assert texts
    assert not any(re.search(patterns.to_python(pattern), text) for text in texts)


@pytest.mark.parametrize(
    ("pattern", "low", "high"),
    [("^[a-z]+$", 40, 40), ("ab", 7, 7), ("^[A-Z]{2}[0-9]*$", 10, 12), ("^x?y?z?$", 3, 3), ("^(?:ab){1,50}$", 60, 60)],
)
def test_lengths_are_met(pattern: str, low: int, high: int) -> None:
    text = next(matching(pattern, low, high))
    assert low <= len(text) <= high
    assert re.search(patterns.to_python(pattern), text)


@given(st.lists(st.sampled_from(["a", "[b-d]", r"\d", "(?:ef|g)", "x?", "y{2,3}", "z*", r"\.", "."]), max_size=5))
@settings(max_examples=60, deadline=None)
def test_any_sequence_of_parts_has_a_match(parts: list[str]) -> None:
    pattern = "^" + "".join(parts) + "$"
    assert re.search(patterns.to_python(pattern), next(matching(pattern)))
