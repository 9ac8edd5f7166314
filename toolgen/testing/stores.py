"""What every store of continuations must do, tried on one."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from types import NoneType
from typing import Final, TypeAlias

from toolgen.runtime.continuations import Continuation, ContinuationStore, judge_store
from toolgen.runtime.pytypes import of_class

_TEXTS = ("plain", "", "ünïcødé \N{OCTOPUS}", "'; DROP TABLE x; --", 'a"b\\c', " spaces ", "new\nline", "x" * 2000)
_ALIKE = ("a", "b", "A", "a ", "\u00e4", "a\u0308")
"""Conversations that a database may take for one: by case, by blanks at the end, by accents."""
_LONG = 2000
"""Characters of the longest names tried: two that differ in the last alone are two."""
_SEPARATORS = ("", *(chr(code) for code in range(128) if not chr(code).isalnum()))
"""What a store may join the name of a conversation and that of a tool with, so that two pairs have one key."""
_AT_ONCE = 8

Make: TypeAlias = Callable[[], ContinuationStore]


def check_store(
    make: Callable[[], ContinuationStore], *, reopen: Callable[[], ContinuationStore] | None = None
) -> None:
    """Tries a store on all that ``ToolRegistry`` asks of one.

    Args:
        make: gives an empty store, a new one each time it is called.
        reopen: gives a store on what the last one made has kept, as after a restart; None for a store that keeps
            nothing beyond its process.

    Raises:
        AssertionError: the store does otherwise; the message says what.
        TypeError: what ``make`` or ``reopen`` gives has not the methods of a store, or they can't be called.
    """
    for check in (_unknown, _round_trip, _added, _apart, _cut, _joined, _swapped, _once, _expired):
        check(_made("make", make))
    if reopen is not None:
        store = _made("make", make)
        kept = _continuation(payload=b'{"q":"\xc3\xbc"}')
        store.add("restarted", kept)
        again = _made("reopen", reopen).load("restarted", kept.tool)
        assert again == kept, f"after a restart {kept} is {again}"


def _made(name: str, make: Callable[[], ContinuationStore]) -> ContinuationStore:
    if not callable(make):
        raise TypeError(f"{name} is {of_class(make)}: give a function that makes a store, such as its class")
    store = make()
    judge_store(store)
    return _Heard(store)


_KINDS: Final[dict[str, tuple[type, ...]]] = {
    "tool": (str,),
    "fingerprint": (str,),
    "payload": (bytes,),
    "cursor": (str, NoneType),
    "expires_at": (float, int),
    "taken_until": (float, int),
    "version": (str,),
}


class _Heard:
    """A store of which every answer is held to the kind that ``ContinuationStore`` gives: what is equal to it, or
    counts as it, may still do as another thing where it is used."""

    def __init__(self, store: ContinuationStore) -> None:
        self._store = store

    def load(self, conversation: str, tool: str) -> Continuation | None:
        found: object = self._store.load(conversation, tool)
        if found is None:
            return None
        assert isinstance(found, Continuation), f"load gives {of_class(found)}, neither a Continuation nor None"
        for part, kinds in _KINDS.items():
            value = getattr(found, part)
            assert isinstance(value, kinds), (
                f"load gives a Continuation whose {part} is {of_class(value)}, {_wanted(kinds)}"
            )
        return found

    def add(self, conversation: str, continuation: Continuation) -> bool:
        return _said("add", self._store.add(conversation, continuation))

    def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
        return _said("swap", self._store.swap(conversation, version, continuation))


def _wanted(kinds: Sequence[type]) -> str:
    return f"not {' or '.join('None' if kind is NoneType else kind.__name__ for kind in kinds)}"


def _said(name: str, done: object) -> bool:
    assert isinstance(done, bool), f"{name} gives {done!r}: return True where it was done, and else False"
    return done


def _continuation(tool: str = "search", *, payload: bytes = b"{}", cursor: str | None = "c1") -> Continuation:
    return Continuation(tool=tool, fingerprint="f", payload=payload, cursor=cursor, expires_at=time.time() + 1000.125)


def _unknown(store: ContinuationStore) -> None:
    found = store.load("nobody", "search")
    assert found is None, f"an empty store has {found}"
    swapped = store.swap("nobody", "v", _continuation())
    assert swapped is False, "swap says that it replaced what was not there"
    assert store.load("nobody", "search") is None, "swap kept something where nothing was"


def _round_trip(store: ContinuationStore) -> None:
    for text in _TEXTS:
        kept = _continuation(f"tool {text}", payload=text.encode() + bytes(range(256)), cursor=text)
        kept = dataclasses.replace(kept, taken_until=1.5, fingerprint=text, version=f"v{text}")
        store.add(f"conversation {text}", kept)
        found = store.load(f"conversation {text}", kept.tool)
        assert found == kept, f"{kept} came back as {found}"
    large = _continuation(payload=b"x" * 1_000_000, cursor=None)
    store.add("large", large)
    assert store.load("large", "search") == large, "a payload of 1 MB, or a cursor of None, does not come back"


def _added(store: ContinuationStore) -> None:
    first, second = _continuation(cursor="c1"), _continuation(cursor="c2")
    assert store.add("a", first) is True, "add says that something was kept where nothing was"
    assert store.add("a", second) is False, "add says that it kept what came second"
    assert store.load("a", "search") == first, "add takes the place of what was kept before"


def _apart(store: ContinuationStore) -> None:
    kept = {(c, t): _continuation(t) for c in _ALIKE for t in ("search", "list")}
    for (conversation, _), continuation in kept.items():
        store.add(conversation, continuation)
    for (conversation, tool), continuation in kept.items():
        found = store.load(conversation, tool)
        assert found == continuation, f"conversation {conversation!r} and tool {tool!r} give what is another's: {found}"
    assert store.load("c", "search") is None, "a conversation that saved nothing has something"
    changed = store.swap("b", kept["a", "search"].version, _continuation(cursor="other"))
    assert changed is False, "swap takes the version of another conversation"


def _cut(store: ContinuationStore) -> None:
    """Names that are long, and alike up to some length or from some place on."""
    lengths = [2**power for power in range(3, 11)] + [36, 50, 100, 191, 200, 250, 255, 767, 1000]
    names = ["x" * n + end + "y" * (_LONG - n) for n in (*lengths, _LONG) for end in "ab"]
    names += [name[:n] for n in lengths for name in ("x" * n + "a", "x" * (n - 1) + "a") if n < _LONG]
    kept = {name: _continuation(cursor=f"c{number}") for number, name in enumerate(dict.fromkeys(names))}
    for name, continuation in kept.items():
        store.add(name, continuation)
    for name, continuation in kept.items():
        found = store.load(name, "search")
        assert found == continuation, f"the conversation of {len(name)} characters gives what is another's: {found}"


def _joined(store: ContinuationStore) -> None:
    """Pairs of names that are one text when they are joined, in either order."""
    for number, mark in enumerate(_SEPARATORS):
        a, b, c = (f"{letter}{number}" for letter in "abc")
        pairs = [(a, f"{b}{mark}{c}"), (f"{a}{mark}{b}", c), (f"{b}{mark}{c}", a), (c, f"{a}{mark}{b}")]
        kept = {(conversation, tool): _continuation(tool) for conversation, tool in pairs}
        for (conversation, _), continuation in kept.items():
            store.add(conversation, continuation)
        for (conversation, tool), continuation in kept.items():
            found = store.load(conversation, tool)
            told = f"conversation {conversation!r} and tool {tool!r}"
            assert found == continuation, f"{told} give what is another's: {found}"


def _swapped(store: ContinuationStore) -> None:
    first, second, third = (_continuation(cursor=f"c{n}", payload=b"%d" % n) for n in (1, 2, 3))
    second = dataclasses.replace(second, fingerprint="g", taken_until=2.5, expires_at=second.expires_at + 1)
    store.add("a", first)
    assert store.swap("a", first.version, second) is True, "swap does not replace the version that is kept"
    assert store.load("a", "search") == second, "swap says that it replaced, and did not keep the whole"
    assert store.swap("a", first.version, third) is False, "swap replaces a version that is not kept any more"
    assert store.load("a", "search") == second, "swap replaced, and says that it did not"


def _once(store: ContinuationStore) -> None:
    """Of several calls that add to one place, or swap one version, one alone does so."""
    for conversation in map(str, range(5)):
        kept = _at_once("add", partial(store.add, conversation))
        found = store.load(conversation, "search")
        assert found == kept, f"of several calls of add, the one that says that it kept its own did not: {found}"
        kept = _at_once("swap", partial(store.swap, conversation, kept.version))
        found = store.load(conversation, "search")
        assert found == kept, f"of several calls of swap, the one that says that it kept its own did not: {found}"


def _at_once(name: str, keep: Callable[[Continuation], bool]) -> Continuation:
    """What was kept when several threads kept something of their own at once."""
    start, done = threading.Barrier(_AT_ONCE), []
    places = [_continuation(cursor=f"c{number}") for number in range(_AT_ONCE)]

    def run(place: Continuation) -> None:
        start.wait()
        done.append((keep(place), place))

    threads = [threading.Thread(target=run, args=(place,)) for place in places]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == _AT_ONCE, f"{name} raised where several called it at once"
    kept = [place for was_kept, place in done if was_kept]
    assert len(kept) == 1, f"{len(kept)} of {_AT_ONCE} calls of {name} at once kept theirs"
    return kept[0]


def _expired(store: ContinuationStore) -> None:
    """What has expired may be gone, but never comes back as another thing, and can be replaced."""
    old = dataclasses.replace(_continuation(), expires_at=1.0)
    store.add("a", old)
    found, new = store.load("a", "search"), _continuation()
    assert found in (None, old), "what has expired is neither kept nor gone"
    done = store.add("a", new) if found is None else store.swap("a", found.version, new)
    assert done, f"what has expired can't be replaced, though load gives {found}"
    assert store.load("a", "search") == new, "what has expired can't be replaced"
