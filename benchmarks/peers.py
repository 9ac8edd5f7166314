"""The peers' own models of the tools in ``designs/decoding.py``, each set up to do the same work."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

import pydantic
from msgspec import Meta
from pydantic import AwareDatetime, ConfigDict, Field
from pydantic.dataclasses import dataclass as pydantic_dataclass

CLOSED = ConfigDict(extra="forbid")

Site = Annotated[str, Field(max_length=60)]
Query = Annotated[str, Field(min_length=1, max_length=200)]
Limit = Annotated[int, Field(ge=1, le=100)]
Offset = Annotated[int, Field(ge=0)]
Score = Annotated[float, Field(ge=0, le=1)]
Author = Annotated[str, Field(max_length=80)]
Language = Annotated[str, Field(min_length=2, max_length=5)]
Year = Annotated[int, Field(ge=1900, le=2100)]
Status = Literal["open", "closed", "any"]
Sorting = Literal["newest", "oldest"]
Code = Annotated[str, Field(pattern="^[A-Z]{2}-[0-9]{4}$")]
Name = Annotated[str, Field(pattern="^[a-z][a-z0-9_]*$")]


class Model(pydantic.BaseModel):
    model_config = CLOSED


class Item(Model):
    sku: str
    title: str
    count: int = 1
    price: float
    gift: bool = False


class Order(Model):
    number: int
    customer: str
    items: list[Item]


class Created(Model):
    kind: Literal["created"]
    id: int
    by: str


class Moved(Model):
    kind: Literal["moved"]
    id: int
    to: str


class Closed(Model):
    kind: Literal["closed"]
    id: int
    reason: str


class Flat(Model):
    query: str
    limit: int
    exact: bool
    score: float


class Twelve(Model):
    query: Query
    site: Site
    status: Status = "any"
    limit: Limit = 10
    offset: Offset = 0
    score: Score = 0.5
    exact: bool = False
    deep: bool = False
    author: Author = ""
    language: Language = "en"
    year: Year = 2026
    order: Sorting = "newest"


class Nested(Model):
    orders: list[Order]


class Tagged(Model):
    events: list[Annotated[Created | Moved | Closed, Field(discriminator="kind")]]


class Text(Model):
    title: str
    text: str


class Formats(Model):
    code: Code
    name: Name
    at: AwareDatetime
    id: UUID
    price: Decimal


@pydantic_dataclass(config=CLOSED, slots=True)
class ItemD:
    sku: str
    title: str
    price: float
    count: int = 1
    gift: bool = False


@pydantic_dataclass(config=CLOSED, slots=True)
class OrderD:
    number: int
    customer: str
    items: list[ItemD]


@pydantic_dataclass(config=CLOSED, slots=True)
class CreatedD:
    kind: Literal["created"]
    id: int
    by: str


@pydantic_dataclass(config=CLOSED, slots=True)
class MovedD:
    kind: Literal["moved"]
    id: int
    to: str


@pydantic_dataclass(config=CLOSED, slots=True)
class ClosedD:
    kind: Literal["closed"]
    id: int
    reason: str


@pydantic_dataclass(config=CLOSED, slots=True)
class FlatD:
    query: str
    limit: int
    exact: bool
    score: float


@pydantic_dataclass(config=CLOSED, slots=True)
class TwelveD:
    query: Query
    site: Site
    status: Status = "any"
    limit: Limit = 10
    offset: Offset = 0
    score: Score = 0.5
    exact: bool = False
    deep: bool = False
    author: Author = ""
    language: Language = "en"
    year: Year = 2026
    order: Sorting = "newest"


@pydantic_dataclass(config=CLOSED, slots=True)
class NestedD:
    orders: list[OrderD]


@pydantic_dataclass(config=CLOSED, slots=True)
class TaggedD:
    events: list[Annotated[CreatedD | MovedD | ClosedD, Field(discriminator="kind")]]


@pydantic_dataclass(config=CLOSED, slots=True)
class TextD:
    title: str
    text: str


@pydantic_dataclass(config=CLOSED, slots=True)
class FormatsD:
    code: Code
    name: Name
    at: AwareDatetime
    id: UUID
    price: Decimal


# Plain dataclasses, for mashumaro, cattrs and dacite: none of them judges bounds or patterns by itself.


@dataclass(slots=True)
class ItemP:
    sku: str
    title: str
    price: float
    count: int = 1
    gift: bool = False


@dataclass(slots=True)
class OrderP:
    number: int
    customer: str
    items: list[ItemP]


@dataclass(slots=True)
class FlatP:
    query: str
    limit: int
    exact: bool
    score: float


@dataclass(slots=True)
class TwelveP:
    query: str
    site: str
    status: Status = "any"
    limit: int = 10
    offset: int = 0
    score: float = 0.5
    exact: bool = False
    deep: bool = False
    author: str = ""
    language: str = "en"
    year: int = 2026
    order: Sorting = "newest"


@dataclass(slots=True)
class NestedP:
    orders: list[OrderP]


@dataclass(slots=True)
class CreatedP:
    kind: Literal["created"]
    id: int
    by: str


@dataclass(slots=True)
class MovedP:
    kind: Literal["moved"]
    id: int
    to: str


@dataclass(slots=True)
class ClosedP:
    kind: Literal["closed"]
    id: int
    reason: str


@dataclass(slots=True)
class TaggedP:
    events: list[CreatedP | MovedP | ClosedP] = field(default_factory=list)


@dataclass(slots=True)
class TextP:
    title: str
    text: str


@dataclass(slots=True)
class FormatsP:
    code: str
    name: str
    at: datetime
    id: UUID
    price: Decimal


# The same with bounds that msgspec judges, which the generated dataclasses do not carry.


@dataclass(slots=True)
class TwelveM:
    query: Annotated[str, Meta(min_length=1, max_length=200)]
    site: Annotated[str, Meta(max_length=60)]
    status: Status = "any"
    limit: Annotated[int, Meta(ge=1, le=100)] = 10
    offset: Annotated[int, Meta(ge=0)] = 0
    score: Annotated[float, Meta(ge=0, le=1)] = 0.5
    exact: bool = False
    deep: bool = False
    author: Annotated[str, Meta(max_length=80)] = ""
    language: Annotated[str, Meta(min_length=2, max_length=5)] = "en"
    year: Annotated[int, Meta(ge=1900, le=2100)] = 2026
    order: Sorting = "newest"


@dataclass(slots=True)
class FormatsM:
    code: Annotated[str, Meta(pattern="^[A-Z]{2}-[0-9]{4}$")]
    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$")]
    at: Annotated[datetime, Meta(tz=True)]
    id: UUID
    price: Decimal
