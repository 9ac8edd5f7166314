"""The conformance test of stores: those here pass it, and a store with a fault does not."""

from __future__ import annotations

import dataclasses
import itertools
import os
import sqlite3
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from contextlib import closing
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import create_autospec

import pytest

from toolgen.runtime import Continuation, MemoryStore, SqliteStore
from toolgen.testing import check_store


def test_the_store_in_memory_conforms() -> None:
    check_store(MemoryStore)


def test_the_store_on_sqlite_conforms_and_survives_a_restart(tmp_path: Path) -> None:
    number = itertools.count()
    paths: list[Path] = []
    stores: list[SqliteStore] = []

    def make() -> SqliteStore:
        paths.append(tmp_path / f"{next(number)}.sqlite")
        stores.append(SqliteStore(paths[-1]))
        return stores[-1]

    def reopen() -> SqliteStore:
        stores[-1].close()
        stores.append(SqliteStore(paths[-1]))
        return stores[-1]

    check_store(make, reopen=reopen)
    for store in stores:
        store.close()


class _Shared(MemoryStore):
    """One conversation for all."""

    def load(self, conversation: str, tool: str) -> Continuation | None:
        return super().load("", tool)

    def add(self, conversation: str, continuation: Continuation) -> bool:
        return super().add("", continuation)


class _AnyVersion(MemoryStore):
    """Swaps whatever the version."""

    def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
        kept = self.load(conversation, continuation.tool)
        return kept is not None and super().swap(conversation, kept.version, continuation)


class _Last(MemoryStore):
    """Adds in the place of what is kept."""

    def add(self, conversation: str, continuation: Continuation) -> bool:
        self._put((conversation, continuation.tool), continuation)
        return True


class _Hides(MemoryStore):
    """Keeps what has expired, and does not give it."""

    def load(self, conversation: str, tool: str) -> Continuation | None:
        kept = super().load(conversation, tool)
        return None if kept is None or kept.expires_at < 2 else kept


class _Text(MemoryStore):
    """Keeps payloads as text."""

    def add(self, conversation: str, continuation: Continuation) -> bool:
        payload = continuation.payload.decode("utf-8", "replace").encode()
        kept = continuation.changed(cursor=continuation.cursor, expires_at=continuation.expires_at, taken_until=0)
        object.__setattr__(kept, "payload", payload)
        return super().add(conversation, kept)


class _LooksThenLeaps(MemoryStore):
    """Compares and replaces in two steps."""

    def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
        import time

        kept = self.load(conversation, continuation.tool)
        if kept is None or kept.version != version:
            return False
        time.sleep(0.01)
        self._put((conversation, continuation.tool), continuation)
        return True


class _LooksThenAdds(MemoryStore):
    """Adds in two steps."""

    def add(self, conversation: str, continuation: Continuation) -> bool:
        import time

        if self.load(conversation, continuation.tool) is not None:
            return False
        time.sleep(0.01)
        self._put((conversation, continuation.tool), continuation)
        return True


class _Collated(MemoryStore):
    """Takes names for one that a collation of some databases does."""

    def load(self, conversation: str, tool: str) -> Continuation | None:
        return super().load(self.folded(conversation), tool)

    def add(self, conversation: str, continuation: Continuation) -> bool:
        return super().add(self.folded(conversation), continuation)

    def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
        return super().swap(self.folded(conversation), version, continuation)

    def folded(self, name: str) -> str:
        raise NotImplementedError


class _NoCase(_Collated):
    def folded(self, name: str) -> str:
        return name.casefold()


class _NoBlanks(_Collated):
    def folded(self, name: str) -> str:
        return name.rstrip()


class _NoAccents(_Collated):
    def folded(self, name: str) -> str:
        return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))


class _Normalized(_Collated):
    def folded(self, name: str) -> str:
        return unicodedata.normalize("NFC", name)


class _Joined(MemoryStore):
    """Keeps what it has under one text."""

    def __init__(self, joined: Callable[[str, str], str]) -> None:
        super().__init__()
        self._joined = joined
        self._by_key: dict[str, Continuation] = {}

    def load(self, conversation: str, tool: str) -> Continuation | None:
        return self._by_key.get(self._joined(conversation, tool))

    def add(self, conversation: str, continuation: Continuation) -> bool:
        with self._lock:
            key = self._joined(conversation, continuation.tool)
            return self._by_key.setdefault(key, continuation) is continuation

    def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
        with self._lock:
            kept = self.load(conversation, continuation.tool)
            if kept is None or kept.version != version:
                return False
            self._by_key[self._joined(conversation, continuation.tool)] = continuation
            return True


@pytest.mark.parametrize("mark", ["", "_", "-", " ", "/", ":", "|", ".", "\0"])
@pytest.mark.parametrize("first", ["conversation", "tool"])
def test_a_store_that_joins_names_to_a_key_is_found_out(mark: str, first: str) -> None:
    def joined(conversation: str, tool: str) -> str:
        return mark.join((conversation, tool) if first == "conversation" else (tool, conversation))

    with pytest.raises(AssertionError, match="another's"):
        check_store(lambda: _Joined(joined))


@pytest.mark.parametrize("most", [8, 36, 64, 128, 191, 255, 1024])
@pytest.mark.parametrize("end", ["head", "tail"])
def test_a_store_that_cuts_names_is_found_out(most: int, end: str) -> None:
    def cut(conversation: str, tool: str) -> str:
        kept = conversation[:most] if end == "head" else conversation[-most:]
        return repr((kept, tool))

    with pytest.raises(AssertionError, match=r"another's|came back as"):
        check_store(lambda: _Joined(cut))


@pytest.mark.parametrize("part", ["fingerprint", "payload", "cursor", "expires_at", "taken_until"])
def test_a_store_whose_swap_drops_a_part_is_found_out(part: str) -> None:
    class Dropping(MemoryStore):
        def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
            kept = self.load(conversation, continuation.tool)
            old = continuation if kept is None else kept
            mixed = dataclasses.replace(continuation, **{part: getattr(old, part)})
            return super().swap(conversation, version, mixed)

    with pytest.raises(AssertionError, match="did not keep the whole"):
        check_store(Dropping)


FAULTY = [_Shared, _AnyVersion, _Last, _Hides, _Text, _LooksThenLeaps, _LooksThenAdds]
FAULTY += [_NoCase, _NoBlanks, _NoAccents, _Normalized]


@pytest.mark.parametrize("faulty", FAULTY, ids=lambda c: c.__name__)
def test_a_store_with_a_fault_is_found_out(faulty: Callable[[], MemoryStore]) -> None:
    with pytest.raises(AssertionError, match=r"."):
        check_store(faulty)


@pytest.mark.parametrize("done", [None, 0, 1, "done"], ids=repr)
@pytest.mark.parametrize("method", ["add", "swap"])
def test_a_store_that_does_not_say_whether_it_was_done_is_told_so(method: str, done: Any) -> None:
    def answers(self: MemoryStore, *arguments: Any) -> Any:
        getattr(MemoryStore, method)(self, *arguments)
        return done

    with pytest.raises(
        AssertionError, match=f"^{method} gives {done!r}: return True where it was done, and else False"
    ):
        check_store(type("Store", (MemoryStore,), {method: answers}))


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ("payload", bytearray),
        ("payload", memoryview),
        ("expires_at", Decimal),
        ("taken_until", Fraction),
    ],
    ids=lambda given: getattr(given, "__name__", given),
)
def test_a_store_that_gives_what_is_equal_and_of_another_kind_is_found_out(part: str, kind: Any) -> None:
    class Converting(MemoryStore):
        def load(self, conversation: str, tool: str) -> Any:
            found = super().load(conversation, tool)
            return found and dataclasses.replace(found, **{part: kind(getattr(found, part))})

    with pytest.raises(
        AssertionError, match=rf"load gives a Continuation whose {part} is a [\w.]*{kind.__name__}, not \w+"
    ):
        check_store(Converting)
    with pytest.raises(AssertionError, match="load gives a dict, neither a Continuation nor None"):
        check_store(type("Store", (MemoryStore,), {"load": lambda self, conversation, tool: {}}))


@pytest.mark.parametrize(
    "made", [None, MemoryStore, create_autospec(MemoryStore, instance=True)], ids=lambda made: type(made).__name__
)
def test_what_makes_no_store_is_told_of_before_anything_is_tried(made: Any) -> None:
    with pytest.raises(
        TypeError, match=r"the store is (the class MemoryStore: give|a \w+, which has no .*method load: )"
    ):
        check_store(lambda: made)
    with pytest.raises(TypeError, match=r"make is a \w+: give a function that makes a store"):
        check_store(MemoryStore())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"reopen is a \w+: give a function that makes a store"):
        check_store(MemoryStore, reopen=MemoryStore())  # type: ignore[arg-type]


def test_a_store_that_forgets_at_a_restart_is_found_out() -> None:
    with pytest.raises(AssertionError, match="after a restart"):
        check_store(MemoryStore, reopen=MemoryStore)


def test_the_store_in_memory_lets_go_of_the_oldest() -> None:
    store = MemoryStore(most=2)
    for name in ("a", "b", "c"):
        store.add(name, Continuation(tool="t", fingerprint="", payload=b"{}", cursor=None, expires_at=0))
    assert [store.load(name, "t") is not None for name in ("a", "b", "c")] == [False, True, True]


def test_the_store_on_sqlite_lets_go_of_what_expired_long_ago(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "s.sqlite") as store:
        store.add("a", Continuation(tool="t", fingerprint="", payload=b"{}", cursor=None, expires_at=1))
        assert store.load("a", "t") is not None
        store.add("b", Continuation(tool="t", fingerprint="", payload=b"{}", cursor=None, expires_at=1))
        assert store.load("a", "t") is None


def test_two_processes_share_one_sqlite_file(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "s.sqlite") as one, SqliteStore(tmp_path / "s.sqlite") as other:
        kept = Continuation(tool="t", fingerprint="", payload=b"{}", cursor="c", expires_at=2e9)
        one.add("a", kept)
        assert other.load("a", "t") == kept
        assert other.swap("a", kept.version, kept.changed(cursor="d", expires_at=2e9, taken_until=0))
        assert not one.swap("a", kept.version, kept)


# The file of the store on SQLite


def _place(name: str, **parts: Any) -> Continuation:
    return Continuation(
        **{"tool": name, "fingerprint": "", "payload": b"{}", "cursor": "0", "expires_at": 4e9, **parts}
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of a fork beside threads, which is what is tried
def test_processes_that_were_forked_from_one_share_its_store(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "s.sqlite", wait=60) as store:
        store.add("c", _place("t"))
        children = []
        for _ in range(4):
            with store._lock:  # as another thread may hold it
                child = os.fork()
            if child == 0:
                os._exit(_counted(store, 25))
            children.append(child)
        assert [os.waitpid(child, 0)[1] for child in children] == [0] * 4
        kept = store.load("c", "t")
        assert kept is not None
        assert kept.cursor == "100"


def _counted(store: SqliteStore, times: int) -> int:
    """Counts the cursor up; 0 when that went well."""
    try:
        while times:
            kept = store.load("c", "t")
            assert kept is not None
            further = kept.changed(cursor=str(int(kept.cursor or 0) + 1), expires_at=4e9, taken_until=0)
            times -= store.swap("c", kept.version, further)
    except BaseException:
        return 1
    return 0


def test_two_programs_take_turns_at_one_file(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from test_store_conformance import _counted, SqliteStore; "
        "sys.exit(_counted(SqliteStore(sys.argv[2], wait=60), 25))"
    )
    path = tmp_path / "s.sqlite"
    with SqliteStore(path, wait=60) as store:
        store.add("c", _place("t"))
        command = [sys.executable, "-c", code, str(Path(__file__).parent), str(path)]
        programs = [subprocess.Popen(command, cwd=Path(__file__).parents[2]) for _ in range(2)]
        assert _counted(store, 25) == 0
        assert [program.wait() for program in programs] == [0, 0]
        kept = store.load("c", "t")
        assert kept is not None
        assert kept.cursor == "75"


def _no_database(path: Path) -> None:
    path.write_bytes(b"this is no database at all" * 100)


def _folder(path: Path) -> None:
    path.mkdir()


def _other_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE toolgen_continuations (conversation TEXT, tool TEXT)")


@pytest.mark.parametrize("spoil", [_no_database, _folder, _other_table])
def test_a_file_that_is_no_store_is_named_when_it_is_opened(spoil: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    spoil(path)
    with pytest.raises(sqlite3.Error) as caught:
        SqliteStore(path)
    assert caught.value.__notes__ == [f"the file is {str(path)!r}"]
    path.rename(tmp_path / "free")  # nothing holds it


def test_a_file_that_is_locked_is_waited_for_and_then_named(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with SqliteStore(path, wait=0.05) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        kept = _place("t")
        store.add("c", kept)
        other.execute("BEGIN EXCLUSIVE")
        assert store.load("c", "t") == kept, "what is read need not wait"
        for use in (
            lambda: store.add("c", _place("t")),
            lambda: store.swap("c", "v", _place("t")),
        ):
            with pytest.raises(sqlite3.OperationalError, match="locked") as caught:
                use()
            assert str(path) in caught.value.__notes__[0]
        other.execute("COMMIT")
        assert store.load("c", "t") is not None


@pytest.mark.parametrize("most", [0, -1, 1.5, True, None])
def test_a_store_in_memory_keeps_at_least_one_place(most: Any) -> None:
    with pytest.raises(ValueError, match=r"most is .*, not a whole number above 0"):
        MemoryStore(most=most)


@pytest.mark.parametrize(
    "wait", [-1, float("nan"), float("inf"), "5", None, True, 10**400], ids=lambda value: str(value)[:9]
)
def test_a_store_on_sqlite_waits_for_a_time(wait: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"wait is .*, not a number of seconds"):
        SqliteStore(tmp_path / "s.sqlite", wait=wait)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["", b""])
def test_a_store_on_sqlite_has_a_file(path: Any) -> None:
    with pytest.raises(ValueError, match="the path of the store is empty: give that of a file"):
        SqliteStore(path)


def test_what_expired_is_found_without_looking_at_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    SqliteStore(path).close()
    with closing(sqlite3.connect(path)) as db:
        (plan,) = db.execute("EXPLAIN QUERY PLAN DELETE FROM toolgen_continuations WHERE expires_at < 1").fetchall()
    assert "USING INDEX toolgen_continuations_expiry" in plan[-1] or "COVERING INDEX" in plan[-1]


def test_a_store_that_is_closed_says_so(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.sqlite")
    store.close()
    store.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        store.load("c", "t")
