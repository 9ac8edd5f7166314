"""A Record that has the name of one in another package, met with it in one schema or in several."""

from __future__ import annotations

import geo

from toolgen.dsl import Record, Toolset, field, restored

maps = Toolset("maps", "Places on maps.")


class Point(Record):
    """A point on a map."""

    lat: float = field("d", default=1.5)
    note: str = field("d", default="n")


@maps.tool()
class Meet:
    """Takes both in one schema."""

    class Input:
        a: Point = field("d")
        b: geo.Point = field("d")


@maps.tool()
class Save:
    """Takes one from the model, saves both and gives the other."""

    class Input:
        a: Point = field("d")
        c: geo.Point = restored("d")

    class Result:
        b: list[geo.Point] = field("d")


@maps.tool()
class Convert:
    """Takes one and gives the other."""

    class Input:
        a: Point = field("d")

    Result = geo.Point


@maps.tool()
class List:
    """Takes one and gives a map of the other."""

    class Input:
        a: Point = field("d")

    Result = dict[str, geo.Point]
