"""Unions inside unions, names of a module's own codecs, and bounds that floats are rounded across."""

from __future__ import annotations

import enum
from decimal import Decimal as D
from typing import Literal

from toolgen.dsl import Record, Toolset, field, injected, restored

nests = Toolset("nests", "Unions in unions.")


class Q1(Record):
    """A Record of a union."""

    k: Literal["a"] = field("d")


class Q2(Record):
    """A Record of a union."""

    k: Literal["c"] = field("d")
    n: list[Q1 | Q2] | str = field("d", default="q")


class EN(enum.Enum):
    """An enumeration in which null is a member."""

    A = "a"
    N = None


@nests.tool()
class Nest:
    """Takes unions in unions."""

    class Input:
        x: list[Q1 | Q2] | bool = field("d", default=True)
        y: Q1 | list[Q1 | Q2] = field("d", default=[])
        f: float = field("d", le=2**53, default=1)
        g: float = field("d", lt=2**53 + 1, default=1)
        e: EN = field("d", optional=True)
        CONTEXT: D = injected("d", default=D("1.5"))
        EXECUTION: int = restored("d", default=1)
