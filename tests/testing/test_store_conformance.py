"""The conformance test of stores: those here pass it, and a store with a fault does not."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

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

    def save(self, conversation: str, continuation: Continuation) -> None:
        super().save("", continuation)


class _AnyVersion(MemoryStore):
    """Swaps whatever the version."""

    def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
        kept = self.load(conversation, continuation.tool)
        return kept is not None and super().swap(conversation, kept.version, continuation)


class _First(MemoryStore):
    """Keeps the first."""

    def save(self, conversation: str, continuation: Continuation) -> None:
        if self.load(conversation, continuation.tool) is None:
            super().save(conversation, continuation)


class _Text(MemoryStore):
    """Keeps payloads as text."""

    def save(self, conversation: str, continuation: Continuation) -> None:
        payload = continuation.payload.decode("utf-8", "replace").encode()
        kept = continuation.changed(cursor=continuation.cursor, expires_at=continuation.expires_at, taken_until=0)
        object.__setattr__(kept, "payload", payload)
        super().save(conversation, kept)


class _LooksThenLeaps(MemoryStore):
    """Compares and replaces in two steps."""

    def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
        import time

        kept = self.load(conversation, continuation.tool)
        if kept is None or kept.version != version:
            return False
        time.sleep(0.01)
        self.save(conversation, continuation)
        return True


@pytest.mark.parametrize("faulty", [_Shared, _AnyVersion, _First, _Text, _LooksThenLeaps], ids=lambda c: c.__name__)
def test_a_store_with_a_fault_is_found_out(faulty: Callable[[], MemoryStore]) -> None:
    with pytest.raises(AssertionError, match=r"."):
        check_store(faulty)


def test_a_store_that_forgets_at_a_restart_is_found_out() -> None:
    with pytest.raises(AssertionError, match="after a restart"):
        check_store(MemoryStore, reopen=MemoryStore)


def test_the_store_in_memory_lets_go_of_the_oldest() -> None:
    store = MemoryStore(most=2)
    for name in ("a", "b", "c"):
        store.save(name, Continuation(tool="t", fingerprint="", payload=b"{}", cursor=None, expires_at=0))
    assert [store.load(name, "t") is not None for name in ("a", "b", "c")] == [False, True, True]


def test_the_store_on_sqlite_lets_go_of_what_expired_long_ago(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "s.sqlite") as store:
        store.save("a", Continuation(tool="t", fingerprint="", payload=b"{}", cursor=None, expires_at=1))
        assert store.load("a", "t") is not None
        store.save("b", Continuation(tool="t", fingerprint="", payload=b"{}", cursor=None, expires_at=1))
        assert store.load("a", "t") is None


def test_two_processes_share_one_sqlite_file(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "s.sqlite") as one, SqliteStore(tmp_path / "s.sqlite") as other:
        kept = Continuation(tool="t", fingerprint="", payload=b"{}", cursor="c", expires_at=2e9)
        one.save("a", kept)
        assert other.load("a", "t") == kept
        assert other.swap("a", kept.version, kept.changed(cursor="d", expires_at=2e9, taken_until=0))
        assert not one.swap("a", kept.version, kept)
