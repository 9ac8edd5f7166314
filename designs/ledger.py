"""Tools of a bookkeeper: payments, customers, accounts and the bank's statements."""

from __future__ import annotations

import enum
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

from toolgen.dsl import Constraints, Record, Toolset, field, injected, restored

ledger = Toolset("ledger", "Keep the books: record payments, look up accounts, reconcile statements.")


class Currency(enum.Enum):
    """Currencies that the books are kept in."""

    EURO = "EUR"
    POUND = "GBP"
    KRONE = "DKK"


class Money(Record):
    """An amount in one currency."""

    amount: Decimal = field("The amount, with as many decimals as the currency has.", example="129.95")
    currency: Currency = field("Currency of the amount.", default=Currency.EURO)


class Card(Record):
    """Paid by card at the till."""

    method: Literal["credit", "debit"] = field("Kind of card.")
    last_digits: str = field("Last four digits of the card.", pattern="^[0-9]{4}$", example="4242")


class Transfer(Record):
    """Paid by bank transfer."""

    method: Literal["transfer"] = field("A bank transfer.")
    iban: str = field("Account that paid.", pattern="^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$", example="DK5000400440116243")
    reference: str = field("What the payer wrote.", optional=True, max_length=140)


class Cash(Record):
    """Paid in cash."""

    method: Literal["cash"] = field("Notes and coins.")


class Compare(Record):
    """A test of one property of an account."""

    op: Literal["above", "below"] = field("How to compare.")
    balance: Decimal = field("Balance to compare with.", example="0.00")


class AllOf(Record):
    """Holds where all of its filters hold."""

    op: Literal["all"] = field("All must hold.")
    filters: list[Filter] = field("The filters.", min_items=1, max_items=8)


class Not(Record):
    """Holds where its filter does not."""

    op: Literal["not"] = field("Turns a filter round.")
    filter: Filter = field("The filter.")


Filter = Compare | AllOf | Not


class Account(Record):
    """An account of the books, with the accounts below it."""

    number: int = field("Account number.", ge=1000, le=9999)
    name: str = field("Name of the account.")
    balance: Money = field("Balance today.")
    children: list[Account] = field("Accounts below this one.", default=[])


@ledger.tool(
    destructive=False,
    example={
        "invoice": "0b0f5a3e-6c1d-4a56-9f0b-5f6c1d2e3a4b",
        "amount": {"amount": "129.95"},
        "paid_with": {"method": "debit", "last_digits": "4242"},
        "paid_at": "2026-03-02T09:30:00+01:00",
    },
)
class RecordPayment:
    """Record that an invoice was paid, in full or in part."""

    class Input:
        invoice: UUID = field("The invoice that was paid.")
        amount: Money = field("How much was paid.")
        paid_with: Card | Transfer | Cash = field("How it was paid.")
        paid_at: datetime = field("When it was paid.")
        receipt: bytes = field("A scan of the receipt.", optional=True, max_length=200_000)
        tags: list[Annotated[str, Constraints(min_length=1, max_length=20)]] = field(
            "Words to find the payment by.", default=[], max_items=5, unique_items=True
        )
        book: str = injected("The company whose books are kept.", min_length=1)

    class Result:
        payment: UUID = field("The payment that was recorded.")
        left_to_pay: Money = field("What is still open on the invoice.")


@ledger.tool(idempotent=True, example={"customer": 1204, "phone": None, "payment_term": "P30D"})
class UpdateCustomer:
    """Change a customer's details: what is left out stays as it is, null clears it."""

    class Input:
        customer: int = field("Customer number.", ge=1)
        phone: str | None = field("Telephone number.", optional=True, keep_null=True, pattern="^[+0-9 ]{5,20}$")
        vat_number: str | None = field("Number for value-added tax.", optional=True, keep_null=True, max_length=20)
        payment_term: timedelta | None = field("How long they may take to pay.", optional=True, keep_null=True)
        discount: float = field("Part taken off each invoice.", optional=True, ge=0, lt=1, multiple_of=0.005)
        book: str = injected("The company whose books are kept.", min_length=1)


@ledger.tool(read_only=True, example={"filter": {"op": "not", "filter": {"op": "above", "balance": "0.00"}}})
class FindAccounts:
    """Find accounts, with all accounts below them."""

    class Input:
        filter: Filter = field("Which accounts to return.")
        at: date | int = field("Day of the balances, or a closed year.", optional=True, ge=1990)
        book: str = injected("The company whose books are kept.", min_length=1)

    Result = list[Account]


@ledger.tool(read_only=True)
class MatchStatement:
    """Match the lines of the bank statement that was uploaded with the invoices that are open."""

    class Input:
        tolerance: Money | None = field("Largest difference that still matches.", default=None)
        labels: dict[str, str] = field("Labels to put on matches.", default={}, max_items=10)
        statement: UUID = restored("The statement that the user uploaded.")
        lines_from: int = restored("First line that is not matched yet.", default=1, ge=1)
        book: str = injected("The company whose books are kept.", min_length=1)

    class Result:
        matched: dict[str, UUID] = field("Statement line to invoice.")
        unmatched: list[int] = field("Lines that no invoice fits.", unique_items=True)
