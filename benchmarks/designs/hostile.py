"""A tool with something for every hostile input to aim at."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

from toolgen.dsl import Record, Toolset, field

hostile = Toolset("hostile", "A tool for hostile inputs.")


class Created(Record):
    """Something was made."""

    kind: Literal["created"] = field("Kind of event.")
    name: str = field("What was made.", max_length=20)


class Moved(Record):
    """Something was moved."""

    kind: Literal["moved", "renamed"] = field("Kind of event.")
    place: int = field("Where to.", ge=0)


class Tree(Record):
    """Something with more of its kind in it."""

    label: str = field("What it is called.", max_length=20)
    children: list[Tree] = field("What it holds.", default=[])


@hostile.tool()
class Take:
    """Takes whatever comes."""

    class Input:
        text: str = field("Text.", optional=True)
        word: str = field("A word.", pattern="[a-z]*[a-z0-9]*!$", optional=True)
        part: str = field("Some text.", pattern="[ab][ab]{30}c", optional=True)
        mail: str = field("An address.", format="email", optional=True)
        link: str = field("An address.", format="uri", optional=True)
        host: str = field("An address.", format="ipv6", optional=True)
        whole: int = field("A number.", le=1000, optional=True)
        numbers: list[int] = field("Numbers.", optional=True)
        distinct: list[int] = field("Different numbers.", unique_items=True, optional=True)
        steps: list[float] = field("Numbers.", optional=True)
        amount: Decimal = field("An amount.", optional=True)
        length: timedelta = field("A length of time.", optional=True)
        when: datetime = field("A time.", optional=True)
        id: UUID = field("A name.", optional=True)
        data: bytes = field("Bytes.", optional=True)
        level: Literal["low", "medium", "high"] = field("A level.", optional=True)
        levels: list[Literal["low", "medium", "high"]] = field("Levels.", optional=True)
        events: list[Created | Moved] = field("Events.", optional=True)
        tree: Tree = field("A tree.", optional=True)
        words: dict[str, int] = field("Numbers by name.", optional=True)
        anything: Any = field("Anything.", optional=True)
