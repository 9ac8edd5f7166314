from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolgen.importer import patterns
from toolgen.runtime import patterns as dialect

ATOMS = st.sampled_from(["a", "b", "-", ".", "[ab]", r"\.", "(a|b)", "(?:ab)", r"[\w-.]", "a*", "b+", "a{1,2}", ".*"])
SEQUENCES = st.lists(ATOMS, max_size=3).map("".join)
AHEAD = st.tuples(st.sampled_from(["(?!", "(?="]), SEQUENCES, st.sampled_from([")", "$)", "|a)"])).map("".join)
BACK = st.tuples(st.sampled_from(["(?<!", "(?<="]), st.sampled_from(["a)", "-)", "ab)", "[ab])"])).map("".join)


@pytest.mark.once
@given(
    st.lists(AHEAD, max_size=2).map("".join),
    st.sampled_from(["", "", "+", "?"]),
    SEQUENCES,
    st.lists(BACK, max_size=2).map("".join),
    st.sampled_from(["$", ""]),
    st.lists(st.text("ab-.", max_size=5), min_size=5, max_size=20),
)
@settings(max_examples=150, deadline=None)
def test_a_pattern_that_is_split_matches_what_it_matched(
    ahead: str, repeated: str, between: str, back: str, end: str, texts: list[str]
) -> None:
    pattern = f"^{ahead}{repeated}{between}{back}{end}"
    try:
        python = re.compile(pattern.replace("$", r"\Z"))
        split = patterns.split(pattern)
    except (re.error, patterns.PatternError):
        return
    wanted, refused = map(dialect.compile, split.wanted), map(dialect.compile, split.refused)
    matchers = [*((one, True) for one in wanted), *((one, False) for one in refused)]
    for text in texts:
        taken = all(one.search(text) is is_wanted for one, is_wanted in matchers)
        assert taken is bool(python.search(text)), (text, split)


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        (r"\_\-\@", "_-@"),
        (r"[\w-.]", r"[\w\-.]"),
        (r"[+-\d]", r"[+\-\d]"),
        (r"[a\-z]", r"[a\-z]"),
        ("a{1", r"a\{1"),
        (r"(?<year>\d{4})", r"(\d{4})"),
    ],
)
def test_a_pattern_is_respelled_where_the_dialect_asks_for_it(pattern: str, written: str) -> None:
    assert patterns.adapted(pattern) == written


@pytest.mark.parametrize("pattern", [r"\Aa\Z", r"a\z", r"\h", r"\Qa\E", r"(a)\1", r"^(a(?!b))", "(?i)a", r"\p{L}"])
def test_what_other_dialects_mean_otherwise_is_refused(pattern: str) -> None:
    with pytest.raises(patterns.PatternError):
        patterns.split(pattern)


@pytest.mark.parametrize(
    ("pattern", "obstacle"),
    [
        (r"^(?!x)\p{L}+$", "Unicode property"),
        (r"^(?!\p{L})[a-z]+$", "Unicode property"),
        (r"^[a-z]\1+(?<!x)$", "back"),
        (r"^(?!x)[a-z](?=b)$", "looks around"),
        (r"[a-z](?=b)", "looks around"),
    ],
)
def test_of_a_pattern_that_looks_around_the_true_obstacle_is_named(pattern: str, obstacle: str) -> None:
    with pytest.raises(patterns.PatternError) as caught:
        patterns.split(pattern)
    assert obstacle in caught.value.reason
    assert ("looks around" in caught.value.reason) == (obstacle == "looks around")
