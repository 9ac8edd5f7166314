"""What a schema wants, in words: what to write where a value is missing or of another type.

``a date such as "2026-11-30"`` rather than ``a string``, ``an integer from 1 to 100`` rather than ``an integer``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from toolgen.runtime import formats, words

ANY: Final = "any JSON value"

KIND_WORDS: Final = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}
_LONGEST_PATTERN: Final = 80
_MOST_DIGITS: Final = 20


def either(phrases: Iterable[str]) -> str:
    """``an integer, a string or null``: each phrase once, and no integer where any number will do."""
    taken = list(dict.fromkeys(phrases))
    if KIND_WORDS["number"] in taken and KIND_WORDS["integer"] in taken:
        taken.remove(KIND_WORDS["integer"])
    if len(taken) < 3:
        return " or ".join(taken) or "left out"
    return f"{', '.join(taken[:-1])} or {taken[-1]}"


class Wanting:
    """What a schema of one or more JSON types wants, put into words when it is asked for."""

    def __init__(self, schema: Mapping[str, Any], kinds: frozenset[str]) -> None:
        self._schema = schema
        self._kinds = kinds
        self._told: str | None = None

    @property
    def wanted(self) -> str:
        """The words."""
        if self._told is None:
            any_ = self._kinds >= frozenset(KIND_WORDS)
            self._told = ANY if any_ else either(by_kind(self._schema, self._kinds).values())
        return self._told


def by_kind(schema: Mapping[str, Any], kinds: frozenset[str]) -> dict[str, str]:
    """The words for each JSON type that a schema takes, by that type."""
    more = {
        "object": _sized(KIND_WORDS["object"], schema, "minProperties", "maxProperties", "key"),
        "array": _sized(KIND_WORDS["array"], schema, "minItems", "maxItems", "item"),
        "string": _text(schema),
        "integer": _number(KIND_WORDS["integer"], schema),
        "number": _number(KIND_WORDS["number"], schema),
    }
    return {kind: more.get(kind, phrase) for kind, phrase in KIND_WORDS.items() if kind in kinds}


def _text(schema: Mapping[str, Any]) -> str:
    pattern = schema.get("pattern")
    if schema.get("contentEncoding") == "base64":
        return formats.BASE64_WORDS
    known = formats.words_of("decimal" if pattern == formats.DECIMAL_PATTERN else schema.get("format"))
    if known is not None:
        return known
    sized = _sized(KIND_WORDS["string"], schema, "minLength", "maxLength", "character")
    if pattern is None or len(pattern) > _LONGEST_PATTERN:
        return sized
    return f"{sized} that matches {words.printable(pattern)}"


def _sized(what: str, schema: Mapping[str, Any], least: str, most: str, noun: str) -> str:
    low, high = int(schema.get(least, 0)), schema.get(most)
    if high is None:
        return f"{what} of at least {words.count(low, noun)}" if low else what
    if low == high:
        return f"{what} of {words.count(low, noun)}"
    if not low:
        return f"{what} of at most {words.count(int(high), noun)}"
    return f"{what} of {low} to {words.count(int(high), noun)}"


def _number(what: str, schema: Mapping[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    bounds = [bound for bound in (low, high, above, below, schema.get("multipleOf")) if bound is not None]
    if not all(math.isfinite(bound) and len(words.quote(bound)) <= _MOST_DIGITS for bound in bounds):
        return what
    if low is not None and high is not None:
        said = [f"from {words.quote(low)} to {words.quote(high)}"]
    else:
        said = [f"of at least {words.quote(low)}"] if low is not None else []
        said += [f"of at most {words.quote(high)}"] if high is not None else []
    said += [f"above {words.quote(above)}"] if above is not None else []
    said += [f"below {words.quote(below)}"] if below is not None else []
    step = schema.get("multipleOf")
    said += [f"that is a multiple of {words.quote(step)}"] if step is not None else []
    return " ".join([what, " and ".join(said)]) if said else what
