"""A Record whose name another package has too."""

from __future__ import annotations

from toolgen.dsl import Record, Toolset, field

geo = Toolset("geo", "Places on the earth.")


class Point(Record):
    """A point on the earth."""

    x: int = field("d")
    y: int = field("d", default=3)


@geo.tool()
class Where:
    """Takes the own one."""

    class Input:
        p: Point = field("d")
