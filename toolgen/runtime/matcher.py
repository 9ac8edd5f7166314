"""A search for patterns whose time is linear in the text, whatever the pattern.

All paths of the pattern's automaton are followed at once (Thompson's construction); sets of states that have been met
are remembered as states of a deterministic automaton, up to a bound on memory.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final, NamedTuple, TypeAlias

from toolgen.runtime.automaton import boundaries
from toolgen.runtime.regexsyntax import WORD, Chars, Edge, Either, Pattern, PatternError, Ranges, Repeat, Sequence

_MOST_STEPS: Final = 20_000
_MOST_REMEMBERED: Final = 20_000
_MOST_CHARS: Final = 4_000


class _Char(NamedTuple):
    ranges: Ranges
    after: int


class _Edge(NamedTuple):
    kind: str
    after: int


class _Fork(NamedTuple):
    ways: tuple[int, ...]


class _Match(NamedTuple):
    pass


_Step: TypeAlias = "_Char | _Edge | _Fork | _Match"


class _Program:
    """The steps of a pattern, built from its end: step 0 is the match."""

    def __init__(self, tree: Pattern) -> None:
        self.steps: list[_Step] = [_Match()]
        self.start = self.add(tree, 0)

    def put(self, step: _Step) -> int:
        if len(self.steps) >= _MOST_STEPS:
            raise PatternError("the pattern is too large once its counts are written out", "lower the counts")
        self.steps.append(step)
        return len(self.steps) - 1

    def add(self, tree: Pattern, after: int) -> int:
        if isinstance(tree, Chars):
            return self.put(_Char(tree.ranges, after))
        if isinstance(tree, Edge):
            return self.put(_Edge(tree.kind, after))
        if isinstance(tree, Sequence):
            for item in reversed(tree.items):
                after = self.add(item, after)
            return after
        if isinstance(tree, Either):
            return self.put(_Fork(tuple(self.add(option, after) for option in tree.options)))
        return self.repeat(tree, after)

    def repeat(self, tree: Repeat, after: int) -> int:
        if tree.most is None:
            loop = self.put(_Fork(()))
            self.steps[loop] = _Fork((self.add(tree.item, loop), after))
            after = loop
        else:
            end = after
            for _ in range(tree.most - tree.least):
                after = self.put(_Fork((self.add(tree.item, after), end)))
        for _ in range(tree.least):
            after = self.add(tree.item, after)
        return after


class _State(NamedTuple):
    """Steps to go on from, and what stands before: "" the start of the text, "w" a word character, "x" another."""

    steps: frozenset[int]
    before: str


class Matcher:
    """Searches for one pattern."""

    def __init__(self, tree: Pattern) -> None:
        program = _Program(tree)
        self._steps = program.steps
        self._start = program.start
        sets = [step.ranges for step in program.steps if isinstance(step, _Char)]
        self._edges = boundaries([*sets, WORD])
        self._next: dict[tuple[_State, int], _State | None] = {}
        self._stretch: dict[str, int] = {}

    def search(self, text: str) -> bool:
        """Whether the pattern matches somewhere in the text."""
        state: _State | None = _State(frozenset(), "")
        stretch, remembered = self._stretch, self._next
        for char in text:
            assert state is not None
            number = stretch.get(char)
            if number is None:
                number = self._stretch_of(char)
            key = (state, number)
            state = remembered[key] if key in remembered else self._follow(key)
            if state is None:
                return True
        assert state is not None
        return 0 in self._reach(state, None)

    def _stretch_of(self, char: str) -> int:
        """The number of the stretch of code points, none of which the pattern tells from ``char``."""
        if len(self._stretch) >= _MOST_CHARS:
            self._stretch.clear()
        number = self._stretch[char] = bisect_right(self._edges, ord(char)) - 1
        return number

    def _follow(self, key: tuple[_State, int]) -> _State | None:
        """The state after one character of a stretch; None once the pattern has matched before it."""
        state, number = key
        code = self._edges[number]
        is_word = _holds(WORD, code)
        reached = self._reach(state, is_word)
        after: _State | None = None
        if 0 not in reached:
            taken = (self._steps[step] for step in reached)
            ways = frozenset(s.after for s in taken if isinstance(s, _Char) and _holds(s.ranges, code))
            after = _State(ways, "w" if is_word else "x")
        if len(self._next) >= _MOST_REMEMBERED:
            self._next.clear()
        self._next[key] = after
        return after

    def _reach(self, state: _State, word_follows: bool | None) -> set[int]:
        """The steps reachable without a character; ``word_follows`` is None at the end of the text."""
        reached: set[int] = set()
        work = [self._start, *state.steps]
        while work:
            number = work.pop()
            if number in reached:
                continue
            reached.add(number)
            step = self._steps[number]
            if isinstance(step, _Fork):
                work += step.ways
            elif isinstance(step, _Edge) and _is_at(step.kind, state.before, word_follows):
                work.append(step.after)
        return reached


def _is_at(kind: str, before: str, word_follows: bool | None) -> bool:
    if kind == "^":
        return before == ""
    if kind == "$":
        return word_follows is None
    return ((before == "w") != bool(word_follows)) == (kind == "b")


def _holds(ranges: Ranges, code: int) -> bool:
    return any(low <= code <= high for low, high in ranges)
