"""Hostile \" ' \\ {{ x }} {% raw %} names and texts."""

from __future__ import annotations

import enum
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

from toolgen.dsl import Record, Toolset, field, injected, restored

names = Toolset("names", 'Hostile """ texts \\ {{ name }} {% if %} {# #} \u202e.')


class Item(Record):
    """Ends with a quote \""""

    item: str = field('A "quoted" \\ text """ {{ x }}.', default='"""\n\\{{x}}\u2028\u202e\x00', example="'\"")
    body: int = field("Body.", name="x-y", default=1)
    value: int = field("Value.", default=0)
    str: Literal['"""', "\\", "\n", "{{ x }}", "import os"] = field("S.", default="\\")


class Struct(Record):
    """A name that the generator imports."""

    kind: Literal["it's", 'say "hi"', "a\\b", "\n"] = field("K.")
    UNSET: int = field("U.", optional=True)
    Meta: int = field("M.", default=3, ge=1)
    Struct: list[Struct] = field("S.", default=[])


class dataclass(Record):
    """Another."""

    kind: Literal["other", "{{"] = field("K.")
    Literal: str = field("L.", default="x")


class Enum(enum.Enum):
    """An enumeration with a name that the generator imports."""

    name_ = "it's"
    A = '"""'
    value_ = "\\"


@names.tool(name="types")
class Types:
    """A tool named types."""

    class Input:
        date: date = field("D.", default=date(2024, 1, 2))
        datetime: datetime = field("D.", optional=True)
        int: int = field("I.", default=5, ge=1)
        str: str = field("S.", default="x", pattern="^['\"\\\\x]+$")
        list: list[Item] = field("L.", default=[Item(item="z")])
        dict: dict[str, Item] = field("D.", default={})
        float: float = field("F.", default=1.5)
        bool: bool = field("B.", default=True)
        bytes: bytes = field("B.", default=b"\"'\\\n\x00")
        timedelta: timedelta = field("T.", default=timedelta(seconds=1))
        Decimal: Decimal = field("D.", default=Decimal("1.50"))
        UUID: UUID = field("U.", optional=True)
        Any: Any = field("A.", default={"a": ['"""', None]})
        Enum: Enum = field("E.", default=Enum.A)
        Item: Item = field("I.", default=Item())
        union: Struct | dataclass | str = field("U.", default="x")
        isinstance: int | str = field("I.", default=1)
        args: int = field("A.", default=1)
        saved: int = field("S.", default=1)
        self: int = field("S.", default=1)
        cls: int = field("C.", default=1)
        property: int = field("C.", default=1)
        body: int = field("C.", optional=True)
        SPEC: int = field("C.", optional=True)
        complete: int = field("C.", optional=True)
        MODEL: int = field("C.", optional=True)
        TYPE_CHECKING: list[str | None] | str = field("C.", default=["x"])
        field: int = field("C.", default=1)
        context: str = injected("C.", default="x")
        value: str = injected("C.")
        tenants: list[str] = injected("C.", default=["a"])
        key: str = restored("C.", default="x")


@names.tool(name="init")
class Init:
    """A tool named init."""

    class Input:
        from_: str = field("F.", name="from")
        class_: str = field("F.", name="class", default="class")
        dollar: str = field("F.", name="x.y", default="a")
        match: str = field("F.", default="match")


@names.tool(name="import")
class Import:
    """A tool named import."""


@names.tool(name="TYPE_CHECKING")
class TypeChecking:
    """A tool."""


@names.tool()
class Annotations:
    """A tool named as what ``from __future__`` brings into every module."""


@names.tool(name="importlib")
class Importlib:
    """A tool."""


class CatByKind(Record):
    """A Record with a derived name."""

    kind: Literal["x"] = field("K.")


class Cat(Record):
    """A cat."""

    kind: Literal["cat", "CAT"] = field("K.")


class CatOrCatByKind(Record):
    """A Record with a derived name."""

    kind: Literal[1] = field("K.")


class CatByKind1Body(Record):
    """A Record with a derived name."""

    number: Literal[2] = field("K.")


@names.tool()
class Unions:
    """Unions."""

    class Input:
        a: Cat | CatByKind = field("A.")
        b: Cat | CatByKind | int = field("A.")
        c: CatOrCatByKind | str = field("A.")
        d: Struct | Cat = field("D.")
        TYPE_CHECKING: str = restored("C.", default="x")
