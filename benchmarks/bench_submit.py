"""How the time of reading a submit grows: 1 MB of hostile text against 100 kB, wherever a payload is looked for.

What is linear takes ten times as long; ``LIMIT`` leaves room for what the machine's caches do. The exit status is 1
where a family goes past it.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from compiled import compiled
from report import environment, table, write_section

from toolgen.runtime import ToolCall

SMALL, LARGE = 100_000, 1_000_000
LIMIT = 15.0
ROUNDS = 7
WARM = 0.05
"""Milliseconds of both sizes below which the clock and the allocator, and not the input, are what is measured."""

OBJECT = json.dumps({"text": "It broke."})

PLACES: dict[str, Callable[[str], dict[str, str]]] = {
    "the payload": lambda text: {"reasoning": "r", "report": text},
    "behind its opener": lambda text: {"reasoning": f'<parameter name="report">{text}'},
    "before its opener": lambda text: {"reasoning": f'{text}<parameter name="report">{OBJECT}'},
    "behind its key": lambda text: {"reasoning": f'"report": {text}'},
}


def _of(piece: str) -> Callable[[int], str]:
    return lambda size: piece * (size // len(piece))


FAMILIES: dict[str, Callable[[int], str]] = {
    "openings": _of("{"),
    "closings": _of("}"),
    "quotes": _of('"'),
    "backslashes": _of("\\"),
    "spaces": _of(" "),
    "openers": _of('<parameter name="report">'),
    "keys": _of('"report": '),
    "members": _of('"report": {'),
    "key, then spaces": lambda size: '"report":' + " " * size,
    "object, then closings": lambda size: OBJECT + "}" * size,
    "object, then spaces": lambda size: OBJECT + " " * size,
    "object, then tags": lambda size: OBJECT + "</a>" * (size // 4),
    "object, then half tags": lambda size: OBJECT + "</a" * (size // 3),
    "object, then a tag without end": lambda size: f"{OBJECT}</{'a' * size}",
    "a cut-off object": lambda size: '{"text": "' + "a" * size,
    "a whole object": lambda size: json.dumps({"text": "a" * size}),
    "raw control characters": lambda size: '{"text": "' + "\n" * size + '"}',
    "prose": _of("Das Gerät ist kaputt. 装置が壊れた。 "),
}


def main() -> int:
    submit = compiled("submitting").end.SUBMIT
    rows, beyond = [], []
    for name, family in FAMILIES.items():
        for place, arguments in PLACES.items():
            times = [_time(submit, arguments(family(size))) for size in (SMALL, LARGE)]
            growth = times[1] / max(times[0], WARM)
            if growth > LIMIT:
                beyond.append(f"{name} in {place}")
            rows.append((name, place, f"{times[1]:.2f}", f"{growth:.1f}"))
    head = ("1 MB of", "in", "ms", "times 100 kB")
    write_section("submit", f"{environment('msgspec')}\n\n{table(head, rows)}")
    for name in beyond:
        print(f"grows faster than its input: {name}", file=sys.stderr)
    return 1 if beyond else 0


def _time(submit: Any, arguments: dict[str, str]) -> float:
    """Milliseconds of this thread, the least of several rounds."""
    call = ToolCall("1", submit.name, arguments)
    found = []
    for _ in range(ROUNDS):
        gc.collect()
        start = time.thread_time()
        submit.read(call)
        found.append((time.thread_time() - start) * 1e3)
    return min(found)


if __name__ == "__main__":
    sys.exit(main())
