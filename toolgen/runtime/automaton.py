"""Automata of patterns: whether one is ambiguous, and a search whose time is linear in the text.

A backtracking engine tries the paths of the position automaton (Glushkov) one by one. It takes exponential time exactly
where two different paths lead from a position back to itself over one text (Weber and Seidl, On the degree of ambiguity
of finite automata, 1991), and linear time from one start where no text leads along more than so many paths at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias, TypeVar

from toolgen.runtime.regexsyntax import Chars, Edge, Either, Pattern, Ranges, Repeat, Sequence

_MOST_STATES: Final = 200_000
_MOST_POSITIONS: Final = 4_000
_MOST_SETS: Final = 2_000
_MOST_WAYS: Final = 1_000


_Paths: TypeAlias = tuple[tuple[int, int], ...]
"""Positions, ascending, each with the number of paths that end there."""


class TooIntricate(Exception):
    """An automaton too large to be judged in reasonable time."""


class _Part(NamedTuple):
    """What is known of a part of a pattern: how often each position can begin it, end it, and how often it is empty."""

    first: Counter[int]
    last: Counter[int]
    empty: int


class Positions:
    """The position automaton. ``follow[p][q]`` counts the ways from position p to q without another in between.

    ``loosen`` says for which counted repeats to drop the bound: paths then stand for all that the bound has, and more.
    """

    def __init__(self, tree: Pattern, loosen: Callable[[Repeat], bool]) -> None:
        self.sets: list[Ranges] = []
        self.follow: list[Counter[int]] = []
        self._loosen = loosen
        self.first = self._part(tree).first
        self.masks = _masks(self.sets)
        self.component = _components(range(len(self.sets)), lambda p: self.follow[p])

    def _part(self, tree: Pattern) -> _Part:
        if isinstance(tree, Chars):
            if len(self.sets) >= _MOST_POSITIONS:
                raise TooIntricate
            self.sets.append(tree.ranges)
            self.follow.append(Counter())
            here = Counter({len(self.sets) - 1: 1})
            return _Part(here, here, 0)
        if isinstance(tree, Edge):
            return _Part(Counter(), Counter(), 1)
        if isinstance(tree, Sequence):
            part = _Part(Counter(), Counter(), 1)
            for item in tree.items:
                part = self._joined(part, self._part(item))
            return part
        if isinstance(tree, Either):
            parts = [self._part(option) for option in tree.options]
            return _Part(
                sum((p.first for p in parts), Counter()),
                sum((p.last for p in parts), Counter()),
                min(_MOST_WAYS, sum(p.empty for p in parts)),
            )
        return self._repeat(tree)

    def _joined(self, left: _Part, right: _Part) -> _Part:
        self._link(left.last, right.first)
        return _Part(
            left.first + _times(right.first, left.empty),
            right.last + _times(left.last, right.empty),
            min(_MOST_WAYS, left.empty * right.empty),
        )

    def _repeat(self, tree: Repeat) -> _Part:
        least, most = tree.least, tree.most
        if most is not None and self._loosen(tree):
            least, most = min(least, 1), None
        part = _Part(Counter(), Counter(), 1)
        for _ in range(least - 1 if most is None else least):
            part = self._joined(part, self._part(tree.item))
        if most is None:
            return self._joined(part, self._loop(tree.item, at_least_once=least > 0))
        rest = _Part(Counter(), Counter(), 1)
        for _ in range(most - least):  # from the inside out: (x(x(x)?)?)?
            inner = self._joined(self._part(tree.item), rest)
            rest = inner._replace(empty=min(_MOST_WAYS, inner.empty + 1))
        return self._joined(part, rest)

    def _loop(self, item: Pattern, *, at_least_once: bool) -> _Part:
        part = self._part(item)
        self._link(part.last, part.first)
        return part if at_least_once else part._replace(empty=min(_MOST_WAYS, part.empty + 1))

    def _link(self, lasts: Counter[int], firsts: Counter[int]) -> None:
        for p, ways in lasts.items():
            follow = self.follow[p]
            for q, more in firsts.items():
                follow[q] = min(_MOST_WAYS, follow[q] + ways * more)

    def is_exponential(self) -> bool:
        """Whether two paths lead from some position back to itself over one text."""
        component = self.component
        for p, follow in enumerate(self.follow):
            if any(ways > 1 and component[p] == component[q] for q, ways in follow.items()):
                return True

        def pairs(pair: tuple[int, int]) -> Iterator[tuple[int, int]]:
            home = component[pair[0]]
            for p in self.follow[pair[0]]:
                if component[p] == home:
                    mask = self.masks[p]
                    for q in self.follow[pair[1]]:
                        if component[q] == home and mask & self.masks[q]:
                            yield p, q

        found = _components([(p, p) for p in range(len(self.sets))], pairs)
        diagonal = {number for (p, q), number in found.items() if p == q}
        return any(p != q and number in diagonal for (p, q), number in found.items())

    def most_paths(self, bound: int) -> int | None:
        """Most paths that one text can lead along at once; None for more than ``bound``, or where it takes too long.

        Sets of positions, each with the number of paths that end there, are followed over all texts.
        """
        most = 0
        work = [*self._steps(tuple(sorted(self.first.items())), at_start=True)]
        seen = set(work)
        while work:
            paths = work.pop()
            most = max(most, sum(number for _, number in paths))
            if most > bound or len(seen) > _MOST_SETS:
                return None
            for after in self._steps(paths):
                if after not in seen:
                    seen.add(after)
                    work.append(after)
        return most

    def _steps(
        self, paths: tuple[tuple[int, int], ...], *, at_start: bool = False
    ) -> Iterator[tuple[tuple[int, int], ...]]:
        reached: Counter[int] = Counter()
        for p, number in paths:
            for q, ways in [(p, 1)] if at_start else self.follow[p].items():
                reached[q] += number * ways
        open_bits = 0
        for q in reached:
            open_bits |= self.masks[q]
        while open_bits:
            bit = open_bits & -open_bits
            taken = [q for q in reached if self.masks[q] & bit]
            # Characters that no reached position tells apart lead to the same set.
            alike = open_bits
            for q in reached:
                alike &= self.masks[q] if self.masks[q] & bit else ~self.masks[q]
            open_bits &= ~alike
            yield tuple(sorted((q, reached[q]) for q in taken))


def _times(counts: Counter[int], factor: int) -> Counter[int]:
    return Counter({key: min(_MOST_WAYS, number * factor) for key, number in counts.items()}) if factor else Counter()


def boundaries(sets: Iterable[Ranges]) -> list[int]:
    """The code points at which membership in some set changes, ascending."""
    return sorted({edge for ranges in sets for low, high in ranges for edge in (low, high + 1)} | {0})


def _masks(sets: list[Ranges]) -> list[int]:
    """Each set as bits, one for each stretch of code points that no set tells apart."""
    edges = boundaries(sets)
    bit = {edge: number for number, edge in enumerate(edges)}
    masks = []
    for ranges in sets:
        mask = 0
        for low, high in ranges:
            end = bit.get(high + 1, len(edges))
            mask |= (1 << end) - (1 << bit[low])
        masks.append(mask)
    return masks


S = TypeVar("S")


def _components(roots: Iterable[S], follow: Callable[[S], Iterable[S]]) -> dict[S, int]:
    """The number of each reachable state's strongly connected component (Tarjan's algorithm, without recursion)."""
    index: dict[S, int] = {}
    low: dict[S, int] = {}
    component: dict[S, int] = {}
    open_states: list[S] = []
    for root in roots:
        if root in index:
            continue
        work = [(root, iter(follow(root)))]
        index[root] = low[root] = len(index)
        open_states.append(root)
        while work:
            state, rest = work[-1]
            for next_state in rest:
                if next_state not in index:
                    if len(index) > _MOST_STATES:
                        raise TooIntricate
                    index[next_state] = low[next_state] = len(index)
                    open_states.append(next_state)
                    work.append((next_state, iter(follow(next_state))))
                    break
                if next_state not in component:
                    low[state] = min(low[state], index[next_state])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[state])
                if low[state] == index[state]:
                    number = index[state]
                    while True:
                        member = open_states.pop()
                        component[member] = number
                        if member == state:
                            break
    return component
