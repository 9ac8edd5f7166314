"""Records that unions of another package have for arms, also under a name that this one has too."""

from __future__ import annotations

from typing import Literal

from toolgen.dsl import Record, field


class Spot(Record):
    """A spot."""

    kind: Literal["spot", "dot"] = field("d")
    x: float = field("d", default=1)


class Area(Record, closed=False):
    """An area, of spots and areas."""

    kind: Literal["area"] = field("d")
    holds: list[Spot | Area | str] = field("d", default=["a", Spot(kind="dot")])
