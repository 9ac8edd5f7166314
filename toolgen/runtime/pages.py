"""Bounded results: a page of a result, and what it says of itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from toolgen.runtime.codec import Codec, Input, Reading
from toolgen.runtime.fastlane import Lanes
from toolgen.runtime.issues import Issue, Mend
from toolgen.runtime.numbers import MOST_DIGITS

R = TypeVar("R")
B = TypeVar("B")

_TOO_LARGE = 10**MOST_DIGITS
PAGE_FIELDS = ("returned", "truncated", "total", "next_cursor", "refinement_hint")


@dataclass(frozen=True, slots=True, init=False)
class Page(Generic[R]):
    """What a handler of a bounded tool returns.

    Attributes:
        result: the tool's result, as for a tool without bounds.
        returned: how many items it holds.
        truncated: whether there is more. Unless said, it is so when there is a cursor or a hint.
        total: how many items there are in all, where it is known.
        next_cursor: where the next page starts. A page with a cursor is truncated.
        refinement_hint: how to ask for less, in words for the model.

    Nothing is judged here: a page that contradicts itself is refused when it is encoded.
    """

    result: R
    _: KW_ONLY
    returned: int
    truncated: bool
    total: int | None = field(default=None)
    next_cursor: str | None = field(default=None)
    refinement_hint: str | None = field(default=None)

    def __init__(
        self,
        result: R,
        *,
        returned: int,
        truncated: bool | None = None,
        total: int | None = None,
        next_cursor: str | None = None,
        refinement_hint: str | None = None,
    ) -> None:
        if truncated is None:
            truncated = next_cursor is not None or refinement_hint is not None
        put = object.__setattr__
        put(self, "result", result)
        put(self, "returned", returned)
        put(self, "truncated", truncated)
        put(self, "total", total)
        put(self, "next_cursor", next_cursor)
        put(self, "refinement_hint", refinement_hint)


class Bounds(NamedTuple):
    """What a tool's results say of themselves, beside ``returned`` and ``truncated``.

    ``cursor`` is the Python name of the tool's own field that takes a cursor, for a tool that pages itself.
    """

    next_cursor: bool = False
    total: bool = False
    refinement: bool = False
    cursor: str | None = None

    def names(self) -> tuple[str, ...]:
        """The keys that such a result has, or may have."""
        asked = (True, True, self.total, self.next_cursor, self.refinement)
        return tuple(name for name, wanted in zip(PAGE_FIELDS, asked, strict=True) if wanted)


class _Told(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a page says of itself, in JSON."""

    returned: int
    truncated: bool
    total: int | None = None
    next_cursor: str | None = None
    refinement_hint: str | None = None


class PageCodec(Codec[Page[R], B]):
    """JSON ↔ a page: an object with the result's own keys, and then those of the page.

    Args:
        tool: the tool's wire name, for messages.
        body: the type that msgspec decodes the result itself into.
        from_body: the transform from that body to the result.
        to_body: its inverse.
        schema: the JSON Schema of the whole, as text: an object.
        bounds: what a page says of itself.
        lanes: which inputs the fast lane may take.

    ``inner`` is the codec of the result itself.
    """

    def __init__(
        self,
        tool: str,
        *,
        body: Any,
        from_body: Callable[[B], R],
        to_body: Callable[[R], B],
        schema: str,
        bounds: Bounds,
        lanes: Lanes = Lanes(),  # noqa: B008 - immutable
    ) -> None:
        self._parts: dict[str, Any] = {"body": body, "from_body": from_body, "to_body": to_body, "lanes": lanes}
        super().__init__(tool, schema=schema, **self._parts)
        self.bounds = bounds

    @cached_property
    def inner(self) -> Codec[R, B]:
        """The codec of the result without its page."""
        whole = self.schema
        own = {name: inner for name, inner in whole["properties"].items() if name not in PAGE_FIELDS}
        required = [name for name in whole["required"] if name not in PAGE_FIELDS]
        schema = json.dumps({**whole, "properties": own, "required": required})
        return Codec(self.tool, schema=schema, **self._parts)

    def decode(self, data: Input, /) -> Page[R]:
        """The page that ``data`` stands for.

        Raises:
            PayloadError: the schema does not take it, or the page contradicts itself.
        """
        return self._paged(*self._split(data))

    def decode_with_notes(self, data: Input, /) -> tuple[Page[R], tuple[Mend, ...]]:
        """As ``decode``; results are never mended, so there are no notes."""
        return self.decode(data), ()

    def read(self, data: Input, /) -> Reading:
        """As ``decode``, with the body of the result itself."""
        own, told = self._split(data)
        return Reading(self._paged(own, told), self.inner.body(own), (), "careful")

    def body(self, data: Input, /) -> B:
        """The body of the result itself, without its page."""
        return self.inner.body(self._split(data)[0])

    def _split(self, data: Input) -> tuple[dict[str, Any], dict[str, Any]]:
        """The keys of the result itself, and those of the page."""
        judged = self._careful.read(data, lenient=False)
        if judged.issues:
            raise self._refusal(judged.issues)
        told = {name: judged.value.pop(name) for name in PAGE_FIELDS if name in judged.value}
        return judged.value, told

    def _paged(self, own: dict[str, Any], told: dict[str, Any]) -> Page[R]:
        page = Page(self.inner.decode(own), **told)
        self._judge(page)
        return page

    def encode(self, value: Page[R], /, *, check: bool = True) -> bytes:
        """Canonical JSON of the page. What it says of itself is always judged; ``check`` is for the result itself.

        Raises:
            PayloadError: it is no page, the page contradicts itself, or the result can't be written.
        """
        if not isinstance(value, Page):
            message = "is no Page, which a tool with bounded= returns: write Page(result, returned=...)"
            raise self._refusal((Issue("", "invalid_type", message, "a Page", type(value).__name__),))
        self._judge(value)
        result = self.inner.encode(value.result, check=check)
        told = _Told(
            returned=value.returned,
            truncated=value.truncated,
            total=value.total,
            next_cursor=value.next_cursor,
            refinement_hint=value.refinement_hint,
        )
        return result[:-1] + (b"," if len(result) > 2 else b"") + msgspec.json.encode(told)[1:]

    def _judge(self, page: Page[R]) -> None:
        issues = [*_bad_types(page)] or [*_contradictions(page, self.bounds)]
        if issues:
            raise self._refusal(issues)


def _bad_types(page: Page[Any]) -> Iterator[Issue]:
    if type(page.truncated) is not bool:
        yield Issue("/truncated", "invalid_type", "must be True or False", "a boolean", type(page.truncated).__name__)
    for name in ("returned", "total"):
        number = getattr(page, name)
        if number is None and name == "total":
            continue
        if type(number) is not int:
            message = "must be a whole number"
            yield Issue(f"/{name}", "invalid_type", message, "an integer", type(number).__name__)
        elif number < 0:
            yield Issue(f"/{name}", "invalid_range", "must be 0 or more", limit=0)
        elif number >= _TOO_LARGE:
            yield Issue(f"/{name}", "invalid_range", f"must have at most {MOST_DIGITS} digits")
    for name in ("next_cursor", "refinement_hint"):
        text = getattr(page, name)
        if text is None:
            continue
        if type(text) is not str or not _encodes(text):
            yield Issue(f"/{name}", "invalid_type", "must be text", "a string", type(text).__name__)
        elif not text.strip():
            yield Issue(f"/{name}", "invalid_length", "must not be blank: leave it out where there is none", limit=1)


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _contradictions(page: Page[Any], bounds: Bounds) -> Iterator[Issue]:
    names = bounds.names()
    for name in PAGE_FIELDS[2:]:
        if name not in names and getattr(page, name) is not None:
            option = "refinement" if name == "refinement_hint" else name
            message = f"is given, but the design does not ask for it: add Bounded({option}=True)"
            yield Issue(f"/{name}", "unknown_field", message, allowed=names)
    if page.truncated and page.next_cursor is None and page.refinement_hint is None:
        message = "must be given where the page is truncated, or a refinement_hint in its place"
        yield Issue("/next_cursor", "missing_field", message)
    if page.next_cursor is not None and not page.truncated:
        yield Issue("/truncated", "invalid_enum_value", "must be true where there is a next_cursor", allowed=(True,))
    if page.total is not None and page.total < page.returned:
        message = f"must be no less than returned, which is {page.returned}"
        yield Issue("/total", "invalid_range", message, limit=page.returned)
