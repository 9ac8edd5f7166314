"""A support desk to serve: what a user of ``toolgen serve mcp`` writes."""

from __future__ import annotations

from datetime import date

from generated.support import TOOLSET, SupportHandlers
from generated.support.answer_ticket import AnswerTicketPayload, AnswerTicketResult
from generated.support.list_products import ListProductsPayload
from generated.support.more_tickets import MoreTicketsPayload
from generated.support.search_tickets import SearchTicketsPayload, SearchTicketsResult
from generated.support.types import Ticket
from toolgen.runtime import CallContext, Page, ToolFailure, ToolRegistry


class Desk:
    """Handles the tools of the support desk."""

    def search_tickets(self, payload: SearchTicketsPayload, ctx: CallContext, /) -> Page[SearchTicketsResult]:
        if payload.query == "down":
            raise ToolFailure("unavailable", "Ticket index is down.", "finish")
        ticket = Ticket(id=1, title=f"{payload.query} for {payload.tenant}", opened=date(2026, 1, 2))
        return Page(SearchTicketsResult(tickets=[ticket]), returned=1, total=2, next_cursor="page 2")

    def more_tickets(self, payload: MoreTicketsPayload, ctx: CallContext, /) -> Page[SearchTicketsResult]:
        ticket = Ticket(id=2, title=f"{payload.query} again", opened=date(2026, 1, 3))
        return Page(SearchTicketsResult(tickets=[ticket]), returned=1, total=2)

    def answer_ticket(self, payload: AnswerTicketPayload, ctx: CallContext, /) -> AnswerTicketResult:
        return AnswerTicketResult(ticket=Ticket(id=payload.ticket, title=payload.agent, opened=date(2026, 1, 2)))

    def list_products(self, payload: ListProductsPayload, ctx: CallContext, /) -> list[str]:
        return ["router", "phone"]


handlers: SupportHandlers = Desk()
registry = ToolRegistry()
registry.handles_all(TOOLSET, handlers)
