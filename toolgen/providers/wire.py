"""Keep stdout for a protocol that is spoken over it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import BinaryIO

_STDOUT, _STDERR = 1, 2


@contextmanager
def own_stdout() -> Iterator[BinaryIO]:
    """The process's stdout, for the block alone.

    Whatever else is written there meanwhile goes to stderr: what code prints, and what it or a child process writes to
    the descriptor.

    Raises:
        OSError: the process has no stdout.
    """
    _flush()
    kept = os.dup(_STDOUT)
    try:
        _divert()
        with redirect_stdout(sys.stderr):
            yield os.fdopen(kept, "wb", closefd=False)
    finally:
        # What waits in the buffer of a stream kept from before would follow on the wire once it is put back.
        _flush()
        os.dup2(kept, _STDOUT)
        os.close(kept)


def _divert() -> None:
    try:
        os.dup2(_STDERR, _STDOUT)
    except OSError:  # no stderr either
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _STDOUT)
        os.close(nowhere)


def _flush() -> None:
    for stream in (sys.stdout, sys.__stdout__):
        if stream is not None and not stream.closed:
            stream.flush()
