"""Runs take turns on a folder: one writes while no other reads or writes.

The lock is the operating system's, on an existing folder: nothing is left behind, however a run ends. Where there is
none to be had (Windows, some network disks) runs do not wait for each other, and each file is still whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def turn(output: Path, *, writing: bool, waiting: Callable[[], None] = lambda: None) -> Iterator[bool]:
    """Holds the turn on the folder ``output``; calls ``waiting`` once if another run has it.

    Gives whether the turn could be had: if not, another run may be at it at the same time.

    The lock is on the nearest folder above ``output`` that exists, since ``output`` itself may be made by the run.
    """
    descriptor = _open(output)
    try:
        yield descriptor is not None and _lock(descriptor, writing, waiting)
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _open(output: Path) -> int | None:
    folder = next((place for place in output.resolve().parents if place.is_dir()), None)
    try:
        return None if folder is None else os.open(folder, os.O_RDONLY)
    except OSError:  # a folder that may be entered but not read, or a system that opens no folders
        return None


def _lock(descriptor: int, writing: bool, waiting: Callable[[], None]) -> bool:
    try:
        import fcntl
    except ImportError:  # not a POSIX system
        return False
    kind = fcntl.LOCK_EX if writing else fcntl.LOCK_SH
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        waiting()
        fcntl.flock(descriptor, kind)
    except OSError:  # a disk without locks
        return False
    return True
