"""Tools of the support desk."""

from __future__ import annotations

from datetime import date
from typing import Literal

from toolgen.dsl import Bounded, Record, Toolset, field, injected

support = Toolset("support", "Search and answer support tickets.")


class Condition(Record):
    """One condition a ticket must meet."""

    name: Literal["product", "status", "year"] = field("Ticket field to compare.")
    value: str = field("Value to compare with.", min_length=1, example="R7000")
    op: Literal["eq", "gte", "lte"] = field("How to compare.", default="eq")


class Ticket(Record):
    """A support ticket."""

    id: int = field("Ticket number.", ge=1)
    title: str = field("First line of the ticket.")
    opened: date = field("Day it was opened.")


@support.tool(
    tags=["search"],
    read_only=True,
    bounded=Bounded(next_cursor=True, total=True),
    example={"query": "vpn drops", "limit": 5},
)
class SearchTickets:
    """Search tickets by free text, newest first."""

    class Input:
        query: str = field("Free text to look for.", min_length=1, max_length=200)
        limit: int = field("Most tickets to return.", default=10, ge=1, le=100)
        conditions: list[Condition] = field("All must hold.", default=[], max_items=10)
        opened_after: date = field("Only tickets opened after this day.", optional=True)
        tenant: str = injected("Tenant of the signed-in user.", min_length=1)

    class Result:
        tickets: list[Ticket] = field("The matching tickets.")


@support.tool(continues=SearchTickets, read_only=True)
class MoreTickets:
    """The next page of the last ticket search."""


@support.tool(destructive=False, example={"ticket": 7341, "text": "Please restart the router."})
class AnswerTicket:
    """Send an answer to the person who opened a ticket."""

    class Input:
        ticket: int = field("Ticket number.", ge=1)
        text: str = field("The answer, as the person will read it.", min_length=1, max_length=4000)
        close: bool = field("Whether the ticket is done with.", default=False)
        tenant: str = injected("Tenant of the signed-in user.", min_length=1)
        agent: str = injected("Who the answer is signed by.", min_length=1)

    class Result:
        ticket: Ticket = field("The ticket after the answer.")


@support.tool(read_only=True, idempotent=True)
class ListProducts:
    """List the products that tickets can be about."""

    Result = list[str]
