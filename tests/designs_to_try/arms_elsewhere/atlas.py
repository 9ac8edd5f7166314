"""Unions of Records that stand in another package."""

from __future__ import annotations

from typing import Literal

import shapes_of_places

from toolgen.dsl import Record, Toolset, field, injected, restored

atlas = Toolset("atlas", "Pages of an atlas.")


class Spot(Record):
    """A spot with a name."""

    kind: Literal["named"] = field("d")
    name: str = field("d", default="n")


@atlas.tool()
class Draw:
    """Draws what stands on a page."""

    class Input:
        any_of: shapes_of_places.Spot | shapes_of_places.Area = field("d")
        mixed: list[Spot | shapes_of_places.Spot] = field("d", default=[shapes_of_places.Spot(kind="spot")])
        saved: dict[str, shapes_of_places.Area | Spot | int] = restored("d", default={"a": 1})
        page: shapes_of_places.Spot | Spot = injected("d", default=Spot(kind="named"))

    Result = list[shapes_of_places.Area | Spot | None]
