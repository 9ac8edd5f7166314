"""Inputs of the tools in ``designs/decoding.py``."""

from __future__ import annotations

import json
from typing import Any

FAULTS: dict[str, Any] = {
    "query": "",
    "site": 5,
    "status": "opened",
    "limit": 500,
    "sort": "newest",
}
"""An input of ``twelve`` with five faults."""

INPUTS: dict[str, Any] = {
    "flat": {"query": "vpn drops", "limit": 10, "exact": True, "score": 0.5},
    "twelve": {
        "query": "vpn drops after update",
        "site": "berlin",
        "status": "open",
        "limit": 20,
        "score": 0.25,
        "author": "m.holm",
    },
    "nested": {
        "orders": [
            {
                "number": 1000 + order,
                "customer": f"customer {order}",
                "items": [
                    {"sku": f"A-{order}-{line}", "title": "A spare part in a box", "count": line + 1, "price": 12.5}
                    | ({"gift": True} if line % 2 else {})
                    for line in range(4)
                ],
            }
            for order in range(5)
        ]
    },
    "tagged": {
        "events": [
            {"kind": "created", "id": 1, "by": "m.holm"},
            {"kind": "moved", "id": 1, "to": "berlin"},
            {"kind": "moved", "id": 2, "to": "aarhus"},
            {"kind": "closed", "id": 1, "reason": "done"},
        ]
        * 3
    },
    "text": {"title": "A long answer", "text": "All the lines of an answer, one after another.\n" * 436},
    "formats": {
        "code": "DK-4711",
        "name": "spare_part_7",
        "at": "2026-03-02T09:30:00+01:00",
        "id": "0b0f5a3e-6c1d-4a56-9f0b-5f6c1d2e3a4b",
        "price": "129.95",
    },
}


def text(name: str) -> bytes:
    """An input as JSON."""
    return json.dumps(INPUTS[name]).encode()
