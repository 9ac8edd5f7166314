"""A store of continuations in an SQLite file, which survives a restart."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from toolgen.runtime.continuations import KEPT_AFTER_EXPIRY, Continuation
from toolgen.runtime.numbers import is_seconds, written

_TABLE = """
CREATE TABLE IF NOT EXISTS toolgen_continuations (
    conversation TEXT NOT NULL,
    tool TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    payload BLOB NOT NULL,
    cursor TEXT,
    expires_at REAL NOT NULL,
    taken_until REAL NOT NULL,
    version TEXT NOT NULL,
    PRIMARY KEY (conversation, tool)
) WITHOUT ROWID
"""
_INDEX = "CREATE INDEX IF NOT EXISTS toolgen_continuations_expiry ON toolgen_continuations (expires_at)"
_COLUMNS = "tool, fingerprint, payload, cursor, expires_at, taken_until, version"
_ADD = f"""
INSERT INTO toolgen_continuations (conversation, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (conversation, tool) DO NOTHING
"""
_LOAD = f"SELECT {_COLUMNS} FROM toolgen_continuations WHERE conversation = ? AND tool = ?"
_SWAP = """
UPDATE toolgen_continuations
SET fingerprint = ?, payload = ?, cursor = ?, expires_at = ?, taken_until = ?, version = ?
WHERE conversation = ? AND tool = ? AND version = ?
"""
_PURGE = "DELETE FROM toolgen_continuations WHERE expires_at < ?"


class SqliteStore:
    """Keeps continuations in the SQLite file at ``path``, made when it is not there.

    Several processes of one machine may share the file, those too that are forked from the one that made it. What
    expired a day ago is removed when something is added. Close it when it is no longer needed, or use it in a ``with``
    statement.

    Args:
        path: the file.
        wait: most seconds to wait for another process that is writing.

    Raises:
        ValueError: the path is empty, which SQLite takes for a file of nobody else's that is gone when it is closed; or
            ``wait`` is no time.
        sqlite3.Error: from every method, when the file can't be used; a note names the file.
    """

    def __init__(self, path: str | os.PathLike[str], *, wait: float = 5.0) -> None:
        if not os.fspath(path):
            raise ValueError("the path of the store is empty: give that of a file")
        if not is_seconds(wait):
            raise ValueError(f"wait is {written(wait)}, not a number of seconds")
        self._path = path
        self._wait = wait
        self._lock = threading.Lock()
        self._inherited: list[sqlite3.Connection | None] = []
        self._db: sqlite3.Connection | None = None
        with self._using():
            _STORES.add(self)

    def _opened(self) -> sqlite3.Connection:
        # Without an isolation level transactions begin and end where it is written here.
        db = sqlite3.connect(self._path, timeout=self._wait, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA journal_mode = WAL")  # without it those that write in turn may keep one waiting for ever
            db.execute(_TABLE)
            db.execute(_INDEX)
            db.execute(_LOAD, ("", ""))  # another program's table of this name is found here rather than by a call
        except BaseException:
            db.close()
            raise
        return db

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                if self._db is None:
                    self._db = self._opened()
                yield self._db
            except sqlite3.Error as error:
                error.add_note(f"the file is {os.fspath(self._path)!r}")
                raise

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that writes from its beginning: one that read first would not wait for another that does so
        too, but fail at once, since neither could go on."""
        with self._using() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                db.execute("ROLLBACK")
                raise

    def _forked(self) -> None:
        """SQLite forbids to use, and to close, the connection of another process; and its lock may be held for ever."""
        self._inherited.append(self._db)
        self._db = None
        self._lock = threading.Lock()

    def load(self, conversation: str, tool: str) -> Continuation | None:
        """What is kept, expired or not, or None."""
        with self._using() as db:
            row = db.execute(_LOAD, (conversation, tool)).fetchone()
        if row is None:
            return None
        name, fingerprint, payload, cursor, expires_at, taken_until, version = row
        return Continuation(
            tool=name,
            fingerprint=fingerprint,
            payload=payload,
            cursor=cursor,
            expires_at=expires_at,
            taken_until=taken_until,
            version=version,
        )

    def add(self, conversation: str, continuation: Continuation) -> bool:
        """Keep ``continuation`` if nothing is kept for its tool."""
        c = continuation
        row = (conversation, c.tool, c.fingerprint, c.payload, c.cursor, c.expires_at, c.taken_until, c.version)
        with self._writing() as db:
            db.execute(_PURGE, (time.time() - KEPT_AFTER_EXPIRY,))
            return db.execute(_ADD, row).rowcount == 1

    def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
        """Keep ``continuation`` if the one in its place has this version."""
        c = continuation
        row = (c.fingerprint, c.payload, c.cursor, c.expires_at, c.taken_until, c.version)
        with self._writing() as db:
            return db.execute(_SWAP, (*row, conversation, c.tool, version)).rowcount == 1

    def close(self) -> None:
        """Let go of the file."""
        with self._using() as db:
            db.close()

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


_STORES: weakref.WeakSet[SqliteStore] = weakref.WeakSet()


def _forget_connections() -> None:
    for store in _STORES:
        store._forked()


if hasattr(os, "register_at_fork"):  # which Windows has not
    os.register_at_fork(after_in_child=_forget_connections)
