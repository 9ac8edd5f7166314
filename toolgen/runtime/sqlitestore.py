"""A store of continuations in an SQLite file, which survives a restart."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from types import TracebackType

from toolgen.runtime.continuations import KEPT_AFTER_EXPIRY, Continuation

_SCHEMA = """
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
_COLUMNS = "tool, fingerprint, payload, cursor, expires_at, taken_until, version"
_SAVE = f"INSERT OR REPLACE INTO toolgen_continuations (conversation, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_LOAD = f"SELECT {_COLUMNS} FROM toolgen_continuations WHERE conversation = ? AND tool = ?"
_SWAP = """
UPDATE toolgen_continuations
SET fingerprint = ?, payload = ?, cursor = ?, expires_at = ?, taken_until = ?, version = ?
WHERE conversation = ? AND tool = ? AND version = ?
"""
_PURGE = "DELETE FROM toolgen_continuations WHERE expires_at < ?"


class SqliteStore:
    """Keeps continuations in the SQLite file at ``path``, made when it is not there.

    Several processes of one machine may share the file. What expired a day ago is removed when something is saved.
    Close it when it is no longer needed, or use it in a ``with`` statement.

    Args:
        path: the file.
        wait: most seconds to wait for another process that is writing.

    Raises:
        sqlite3.Error: from every method, when the file can't be used.
    """

    def __init__(self, path: str | os.PathLike[str], *, wait: float = 5.0) -> None:
        self._lock = threading.Lock()
        # Without an isolation level each statement is a transaction of its own, which is all that is needed here.
        self._db = sqlite3.connect(path, timeout=wait, isolation_level=None, check_same_thread=False)
        self._db.execute(_SCHEMA)

    def load(self, conversation: str, tool: str) -> Continuation | None:
        """What is kept, expired or not, or None."""
        with self._lock:
            row = self._db.execute(_LOAD, (conversation, tool)).fetchone()
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

    def save(self, conversation: str, continuation: Continuation) -> None:
        """Keep ``continuation``, in the place of what was kept for its tool."""
        c = continuation
        row = (conversation, c.tool, c.fingerprint, c.payload, c.cursor, c.expires_at, c.taken_until, c.version)
        with self._lock:
            self._db.execute(_PURGE, (time.time() - KEPT_AFTER_EXPIRY,))
            self._db.execute(_SAVE, row)

    def swap(self, conversation: str, version: str, continuation: Continuation) -> bool:
        """Keep ``continuation`` if the one in its place has this version."""
        c = continuation
        row = (c.fingerprint, c.payload, c.cursor, c.expires_at, c.taken_until, c.version)
        with self._lock:
            return self._db.execute(_SWAP, (*row, conversation, c.tool, version)).rowcount == 1

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.close()

    def __enter__(self) -> SqliteStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
