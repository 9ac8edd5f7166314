"""Tools of the sizes that decoding is measured on."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Literal
from uuid import UUID

from toolgen.dsl import Record, Toolset, field

decoding = Toolset("decoding", "Tools that decoding is measured on.")


class Item(Record):
    """A line of an order."""

    sku: str = field("Article number.")
    title: str = field("What it is.")
    count: int = field("How many.", default=1)
    price: float = field("Price of one.")
    gift: bool = field("Whether it is wrapped.", default=False)


class Order(Record):
    """An order."""

    number: int = field("Order number.")
    customer: str = field("Who ordered.")
    items: list[Item] = field("What was ordered.")


class Created(Record):
    """Something was made."""

    kind: Literal["created"] = field("Kind of event.")
    id: int = field("What was made.")
    by: str = field("Who made it.")


class Moved(Record):
    """Something was moved."""

    kind: Literal["moved"] = field("Kind of event.")
    id: int = field("What was moved.")
    to: str = field("Where to.")


class Closed(Record):
    """Something was closed."""

    kind: Literal["closed"] = field("Kind of event.")
    id: int = field("What was closed.")
    reason: str = field("Why.")


@decoding.tool()
class Flat:
    """Flat, 4 fields."""

    class Input:
        query: str = field("Query.")
        limit: int = field("Limit.")
        exact: bool = field("Exact.")
        score: float = field("Score.")


@decoding.tool()
class Twelve:
    """12 fields with defaults and bounds."""

    class Input:
        query: str = field("Query.", min_length=1, max_length=200)
        site: str = field("Site.", max_length=60)
        status: Literal["open", "closed", "any"] = field("Status.", default="any")
        limit: int = field("Limit.", default=10, ge=1, le=100)
        offset: int = field("Offset.", default=0, ge=0)
        score: float = field("Score.", default=0.5, ge=0, le=1)
        exact: bool = field("Exact.", default=False)
        deep: bool = field("Deep.", default=False)
        author: str = field("Author.", default="", max_length=80)
        language: str = field("Language.", default="en", min_length=2, max_length=5)
        year: int = field("Year.", default=2026, ge=1900, le=2100)
        order: Literal["newest", "oldest"] = field("Order.", default="newest")


@decoding.tool()
class Nested:
    """Nested lists of Records."""

    class Input:
        orders: list[Order] = field("Orders.")


@decoding.tool()
class Tagged:
    """A tagged union."""

    class Input:
        events: list[Created | Moved | Closed] = field("Events.")


@decoding.tool()
class Text:
    """A text of 20 kB."""

    class Input:
        title: str = field("Title.")
        text: str = field("Text.")


@decoding.tool()
class Formats:
    """Patterns, datetime, UUID, Decimal."""

    class Input:
        code: str = field("Code.", pattern="^[A-Z]{2}-[0-9]{4}$")
        name: str = field("Name.", pattern="^[a-z][a-z0-9_]*$")
        at: datetime = field("When.")
        id: UUID = field("Which.")
        price: Decimal = field("Price.")
