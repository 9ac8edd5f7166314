"""Measuring peers side by side: in one run, in turns, medians of many rounds."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

Peer = tuple[Callable[[Any], object], Any]
"""A function and what it is called with: a call of its own would be part of what is measured."""


def medians(peers: Mapping[str, Peer], *, seconds: float = 1.0, rounds: int = 60) -> dict[str, float]:
    """Microseconds a call of each peer: the median of ``rounds`` rounds in which the peers take turns.

    What counts is the processor's time of this thread, so that other work on the machine is not measured. Each round
    is long enough for the clock, and short enough that a disturbance meets all peers alike; ``seconds`` is about what
    one peer takes in all.
    """
    calls = {name: _calls(peer, seconds / rounds) for name, peer in peers.items()}
    found: dict[str, list[float]] = {name: [] for name in peers}
    gc.collect()
    for _ in range(rounds):
        for name, peer in peers.items():
            found[name].append(_timed(peer, calls[name]) * 1e6)
    return {name: statistics.median(times) for name, times in found.items()}


def _calls(peer: Peer, wanted: float) -> int:
    """How many calls of a peer take about ``wanted`` seconds."""
    calls = 1
    while (taken := _timed(peer, calls) * calls) < wanted / 4:
        calls *= 4
    return max(1, int(calls * wanted / taken))


def _timed(peer: Peer, calls: int) -> float:
    function, argument = peer
    turns = range(calls)
    start = time.thread_time()
    for _ in turns:
        function(argument)
    return (time.thread_time() - start) / calls
