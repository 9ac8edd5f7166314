"""Runs take turns on a folder: one writes while no other reads or writes.

The locks are the operating system's, on existing folders: nothing is left behind, however a run ends. Where there are
none to be had (Windows, some network disks) runs do not wait for each other, and each file is still whole.

The folder itself may be made by a run, and so may those around it. So a run that writes holds the nearest folder above
that exists for itself, and those above that one together with others: a run that finds a nearer one, made in the
meantime, still waits for the one that made it. Locks are taken from the top down, so that no two runs wait for each
other.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def turn(output: Path, *, writing: bool, waiting: Callable[[], None] = lambda: None) -> Iterator[bool]:
    """Holds the turn on the folder ``output``; calls ``waiting`` once if another run has it.

    Gives whether the turn could be had: if not, another run may be at it at the same time.
    """
    above = [place for place in output.resolve().parents if place.is_dir()]
    told = _Once(waiting)
    with contextlib.ExitStack() as held:
        for place in reversed(above[1:]):
            _hold(place, held, alone=False, waiting=told)
        yield bool(above) and _hold(above[0], held, alone=writing, waiting=told)


class _Once:
    """Calls a function the first time only."""

    def __init__(self, function: Callable[[], None]) -> None:
        self._function: Callable[[], None] | None = function

    def __call__(self) -> None:
        function, self._function = self._function, None
        if function is not None:
            function()


def _hold(folder: Path, held: contextlib.ExitStack, *, alone: bool, waiting: Callable[[], None]) -> bool:
    """Locks a folder until ``held`` ends; whether that could be done."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:  # a folder that may be entered but not read, or a system that opens no folders
        return False
    held.callback(os.close, descriptor)
    return _lock(descriptor, alone, waiting)


def _lock(descriptor: int, alone: bool, waiting: Callable[[], None]) -> bool:
    try:
        import fcntl
    except ImportError:  # not a POSIX system
        return False
    kind = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        waiting()
        fcntl.flock(descriptor, kind)
    except OSError:  # a disk without locks
        return False
    return True
