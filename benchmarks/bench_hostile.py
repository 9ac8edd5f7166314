"""How the time and memory of hostile inputs grow: 1 MB against 100 kB of each family.

What is linear takes ten times as long; ``LIMIT`` leaves room for what the machine's caches do. The exit status is 1
where a family goes past it, or where anything but a value or a PayloadError comes of an input.
"""

from __future__ import annotations

import gc
import sys
import time
import tracemalloc
from typing import Any

from compiled import compiled
from hostile import FAMILIES
from report import environment, table, write_section

from toolgen.runtime.issues import PayloadError

SMALL, LARGE = 100_000, 1_000_000
LIMIT = 15.0
ROUNDS = 3
TRIES = 3
WARM = 0.001
"""Milliseconds of both sizes below which the clock and the allocator, and not the input, are what is measured."""


def main() -> int:
    model = compiled("hostile").take.MODEL
    # What the compiler left behind is no part of what is measured, nor of a server's heap.
    gc.freeze()
    rows, beyond = [], []
    for name, family in FAMILIES.items():
        small, large = family(SMALL), family(LARGE)
        times = _times(model, small, large)
        peaks = [_peak(model, small), _peak(model, large)]
        growth = times[1] / max(times[0], WARM), peaks[1] / max(peaks[0], 20_000)
        if max(growth) > LIMIT:
            beyond.append(name)
        rows.append((name, f"{times[1]:.1f}", f"{growth[0]:.1f}", f"{peaks[1] / 1e6:.1f}", f"{growth[1]:.1f}"))
    head = ("1 MB of", "ms", "times 100 kB", "peak MB", "times 100 kB")
    write_section("hostile", f"{environment('msgspec')}\n\n{table(head, rows)}")
    for name in beyond:
        print(f"grows faster than its input: {name}", file=sys.stderr)
    return 1 if beyond else 0


def _outcome(model: Any, data: Any) -> None:
    """What a runtime does with an input: decode it, and say what is wrong with it."""
    try:
        model.decode(data)
    except PayloadError as error:
        error.for_model()


def _times(model: Any, small: Any, large: Any) -> tuple[float, float]:
    """Both times; measured again where other work on the machine may have come between."""
    for _ in range(TRIES):
        times = _time(model, small), _time(model, large)
        if times[1] <= LIMIT * max(times[0], WARM):
            break
    return times


def _time(model: Any, data: Any) -> float:
    """Milliseconds of this thread, the least of several rounds."""
    found = []
    for _ in range(ROUNDS):
        gc.collect()
        start = time.thread_time()
        _outcome(model, data)
        found.append((time.thread_time() - start) * 1e3)
    return min(found)


def _peak(model: Any, data: Any) -> int:
    """The most bytes that were allocated at once."""
    gc.collect()
    tracemalloc.start()
    _outcome(model, data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


if __name__ == "__main__":
    sys.exit(main())
