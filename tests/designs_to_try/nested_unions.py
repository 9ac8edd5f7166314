"""Unions in unions, defaults of unions, names of a module's own codecs, and bounds that floats are rounded across."""

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


class Q3(Record):
    """A Record whose name and field make one word as those of the next do."""

    q_own: list[int | None] | None = field("d", default=[1, None])
    str: dict[str, str | int] | None = field("d", default={"a": 1})


class Q3_q(Record):
    """Another."""

    own: list[int | None] | None = field("d", default=[2])


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
        words: list[Literal["a", "b"]] | None = field("d", default=["a"])
        arms: Q1 | Q2 | list[Q1 | Q2] = field("d", default=[Q1(k="a")])
        one: Q1 | Q2 | list[Q1 | Q2] = field("d", default=Q1(k="a"))
        lists: list[list[int | None]] | str = field("d", default=[[1]])
        deep: dict[str, list[Q1 | str] | None] | None = field("d", default={"a": [Q1(k="a")]})
        empty: list[list[int | None]] | dict[str, list[str | None]] = field("d", default={"a": []})
        bare: list[Literal["a", 1] | None] = field("d", default=[1])
        Literal: dict[str, Literal["a", "b"] | None] | None = injected("d", default={"a": "b"})
        list: list[Q3 | None] | Q3_q = restored("d", default=[Q3(), None])
        CONTEXT: D = injected("d", default=D("1.5"))
        EXECUTION: int = restored("d", default=1)

    class Result:
        enums: dict[str, EN | list[int]] | str = field("d", default={"a": EN.A})
