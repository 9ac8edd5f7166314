from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from toolgen.runtime import formats
from toolgen.runtime.matcher import Matcher
from toolgen.runtime.patterns import PatternError, check, compile, is_linear, to_python
from toolgen.runtime.regexsyntax import Chars, Edge, Either, Pattern, Repeat, Sequence, parse

ATOMS = st.sampled_from(
    ["a", "b", "c", ".", r"\d", r"\w", r"\s", "[ab]", "[^a]", "[a-c1]", "-", r"\.", "é", r"\u{1F600}"]
)
EDGES = st.sampled_from(["^", "$", r"\b", r"\B", ""])
QUANTIFIERS = st.sampled_from(["*", "+", "?", "*?", "+?", "{2}", "{1,3}", "{0,12}", "{2,}"])
PATTERNS = st.recursive(
    ATOMS | EDGES,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=4).map("".join)
        | st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})")
        | st.builds(lambda part, count: f"({part}){count}", inner, QUANTIFIERS)
    ),
    max_leaves=8,
)
TEXTS = st.text(alphabet="aabbc1-. \n\u2028é😀_", max_size=10)


@given(PATTERNS, TEXTS)
@settings(max_examples=400)
def test_both_engines_agree(pattern: str, text: str) -> None:
    by_states = Matcher(parse(pattern)).search(text)
    # Python's engine, on patterns that make it take forever, would.
    assert by_states == (re.search(to_python(pattern), text) is not None)
    assert by_states == compile(pattern).search(text)


@given(PATTERNS)
def test_a_searched_pattern_matches_what_it_generates(pattern: str) -> None:
    spelled = to_python(pattern)
    assert re.compile(spelled)
    assert to_python(pattern) == spelled


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("^a$", "a\n", False),
        ("a", "xay", True),
        (r"^\d$", "٣", False),
        (r"^\w$", "é", False),
        (r"^\s$", "\ufeff", True),
        (r"^\s$", "\u2003", True),
        (r"^\s$", "\x85", False),
        (r"^\s$", "\x1c", False),
        ("^.$", "\r", False),
        ("^.$", "\u2029", False),
        ("^.$", "\x85", True),
        ("^.$", "😀", True),
        (r"\bé", "xé", True),
        (r"^\u{1f600}$", "😀", True),
        (r"^\ud83d\ude00$", "😀", True),
        (r"^\x41\u0042\0\v$", "AB\0\x0b", True),
        (r"^[\]\\^-]+$", "]\\^-", True),
        (r"^[^\d]$", "5", False),
        ("", "", True),
        (r"\B", "", True),
        ("$^", "", True),
        ("a|", "", True),
        (r"^\/\$\{\}$", "/${}", True),
        ("^[[&&~~|]+$", "[&~|", True),
        ("^[&~|]+$", "&&~~||", True),
    ],
)
def test_the_dialect_means_what_ecma_262_says(pattern: str, text: str, matches: bool) -> None:
    assert compile(pattern).search(text) is matches
    assert Matcher(parse(pattern)).search(text) is matches
    assert (re.search(to_python(pattern), text) is not None) is matches


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(?=a)", "looks around"),
        ("(?!a)", "looks around"),
        ("(?<=a)", "looks around"),
        ("(?<!a)", "looks around"),
        (r"(a)\1", "looks back"),
        (r"(?<n>a)\k<n>", "names a group"),
        ("(?P<n>a)", "names a group"),
        ("(?i)a", "flags"),
        ("(?i:a)", "flags"),
        ("(?#note)", "flags"),
        ("(?>a)", "atomic"),
        ("a*+", "quantifier follows"),
        ("a**", "quantifier follows"),
        ("^*", "quantifier follows"),
        (r"\p{L}", "property"),
        (r"[\p{L}]", "property"),
        (r"\Aa\Z", "no escape"),
        (r"\a", "no escape"),
        (r"\cA", "no escape"),
        (r"\-", "no backslash"),
        (r"\_", "no backslash"),
        (r"[\b]", "not the same"),
        ("[[:alpha:]]", "POSIX"),
        ("[]", "empty"),
        ("[^]", "empty"),
        ("[z-a]", "backwards"),
        (r"[\w-z]", "range"),
        ("(", "not closed"),
        (")", "not opened"),
        ("[a", "not closed"),
        ("*a", "nothing to repeat"),
        ("a{", "count"),
        ("a{2,1}", "ends below"),
        ("{2}", "stands alone"),
        ("]", "stands alone"),
        ("a{1001}", "above 1000"),
        ("a{0,99999999999999999999}", "above 1000"),
        ("(?:a{100}){100}", "within repeats"),
        (r"\x4", "hexadecimal"),
        (r"\u12", "hexadecimal"),
        (r"\u{110000}", "code point"),
        (r"\ud800", "surrogate"),
        ("\ud800", "surrogate"),
        ("\\", "ends with a backslash"),
        (r"\08", "looks back"),
        ("(" * 200 + ")" * 200, "nest deeper"),
        ("a" * 20_000, "more than"),
    ],
)
def test_what_is_outside_the_dialect_is_refused_with_a_mend(pattern: str, reason: str) -> None:
    with pytest.raises(PatternError) as caught:
        check(pattern)
    assert reason in str(caught.value)
    assert caught.value.mend


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+",
        "(a|a)*",
        "(a*)*",
        r"(\w+\s?)*",
        "^(?:a?b?)*$",
        "(a?){30}a{30}",
        r"(?:\d{1,3},?){1,20}",
        "(a|aa)+$",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "(?:(?:(?:a?b?){3}){3}){3}",
        "(x+x+)+y",
        "(?:[a-z]+|[a-c]b)*",
        "(.*,?)*x",
        "(a{1,20}){1,20}",
    ],
)
def test_exponential_patterns_are_refused(pattern: str) -> None:
    with pytest.raises(PatternError, match="exponential"):
        check(pattern)


LINEAR = [
    "^a+$",
    r"^[a-z0-9]+(-[a-z0-9]+)*$",
    r"^\d{4}-\d{2}-\d{2}$",
    r"\S",
    r"\d+",
    "[A-Z]{3}",
    r"^([a-zA-Z0-9_.-]+)@([a-z0-9]+\.)+[a-z]{2,}$",
    r"^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$",
    r"^(?:(?:25[0-5]|2[0-4]\d|[01]?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d?\d)$",
    formats.DURATION_PATTERN,
    formats.DECIMAL_PATTERN,
]


@pytest.mark.parametrize("pattern", LINEAR)
def test_everyday_patterns_are_taken_and_linear(pattern: str) -> None:
    check(pattern)
    assert is_linear(pattern)


@pytest.mark.parametrize(
    "pattern", ["^.*a.*b$", "a+b", r"\d+x", "^a*a*b", "^" + "a?" * 30 + "a" * 30 + "b", "[a-z]{1,1000}!"]
)
def test_slow_patterns_are_taken_and_searched_in_linear_time(pattern: str) -> None:
    check(pattern)
    assert not is_linear(pattern)
    searcher = compile(pattern)
    assert not searcher.search("a" * 20_000 + "\n")


def test_memory_of_a_search_is_bounded() -> None:
    # Its deterministic automaton has 2 ** 30 states.
    matcher = Matcher(parse("(?:a|b)*a(?:a|b){30}c"))
    text = "".join("ab"[(n * n // 7) % 2] for n in range(3_000))
    assert not matcher.search(text)
    assert matcher.search(text + "a" + "b" * 30 + "c")


# A backtracking engine that counts its steps, to hold the judgements to.


def steps(tree: Pattern, text: str, most: int) -> int:
    """How many characters a backtracking search looks at; ``most`` when it gives up."""
    counted = 0

    def match(tree: Pattern, at: int) -> Iterator[int]:
        nonlocal counted
        counted += 1
        if counted > most:
            raise TimeoutError
        if isinstance(tree, Chars):
            if at < len(text) and any(low <= ord(text[at]) <= high for low, high in tree.ranges):
                yield at + 1
        elif isinstance(tree, Edge):
            if (tree.kind == "^" and at == 0) or (tree.kind == "$" and at == len(text)):
                yield at
        elif isinstance(tree, Sequence):
            yield from in_turn(tree.items, at)
        elif isinstance(tree, Either):
            for option in tree.options:
                yield from match(option, at)
        else:
            yield from repeated(tree, 0, at)

    def in_turn(items: tuple[Pattern, ...], at: int) -> Iterator[int]:
        if not items:
            yield at
            return
        for after in match(items[0], at):
            yield from in_turn(items[1:], after)

    def repeated(tree: Repeat, done: int, at: int) -> Iterator[int]:
        if tree.most is None or done < tree.most:
            for after in match(tree.item, at):
                if after > at or done < tree.least:
                    yield from repeated(tree, done + 1, after)
        if done >= tree.least:
            yield at

    try:
        for start in range(len(text) + 1):
            for _ in match(tree, start):
                return counted
    except (TimeoutError, RecursionError):
        return most
    return counted


LOOPS = st.recursive(
    st.sampled_from(["a", "b", "[ab]", "."]),
    lambda inner: (
        st.lists(inner, min_size=2, max_size=3).map("".join)
        | st.lists(inner, min_size=2, max_size=2).map(lambda parts: f"(?:{'|'.join(parts)})")
        | st.builds(lambda part, count: f"(?:{part}){count}", inner, st.sampled_from(["*", "+", "?", "{1,2}", "{2}"]))
    ),
    max_leaves=5,
)
PUMPS = st.text(alphabet="ab", min_size=1, max_size=3)


@given(LOOPS, PUMPS, st.sampled_from(["", "^"]))
@settings(max_examples=300, deadline=None)
def test_no_accepted_pattern_is_exponential(body: str, pump: str, start: str) -> None:
    pattern = f"{start}{body}c$"
    try:
        check(pattern)
    except PatternError:
        assume(False)
    tree = parse(pattern)
    short, long = (steps(tree, pump * (size // len(pump)) + "!", 200_000) for size in (12, 24))
    # Twice the text: a polynomial of degree five takes 32 times as long, an exponential 2 ** 12.
    assert long <= 100 * max(short, 50)


@given(LOOPS, PUMPS, st.sampled_from(["", "^"]), st.sampled_from(["", "c$", "$"]))
@settings(max_examples=300, deadline=None)
def test_what_is_called_linear_is(body: str, pump: str, start: str, end: str) -> None:
    pattern = f"{start}{body}{end}"
    assume(is_linear(pattern))
    tree = parse(pattern)
    short, long = (steps(tree, pump * (size // len(pump)) + "!", 200_000) for size in (30, 60))
    assert long <= 3 * short + 200
