"""Constraints in plain words, for the description of a field whose schema can't hold them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from toolgen.runtime import formats, words

_FORMATS: Final[Mapping[str, str]] = {
    "date": "A date, such as 2026-11-30.",
    "time": "A time of day with its offset from UTC, such as 14:30:00Z.",
    "date-time": "A date and time with its offset from UTC, such as 2026-11-30T14:30:00Z.",
    "uuid": "A UUID, such as 123e4567-e89b-12d3-a456-426614174000.",
    "duration": "An ISO 8601 duration of weeks, days, hours, minutes and seconds, such as P1DT12H.",
    "ipv4": "An IPv4 address, such as 192.0.2.1.",
    "ipv6": "An IPv6 address, such as 2001:db8::1.",
    "uri": "An absolute URI, such as https://example.org/.",
    "email": "An e-mail address, such as ada@example.org.",
}


def compact(value: object) -> str:
    """JSON text on one line."""
    return json.dumps(value, ensure_ascii=False)


def sentences(text: str, more: list[str]) -> str:
    """A description with sentences added to it."""
    text = text.strip()
    if not more:
        return text
    if text and not text.endswith((".", "?", "!", "…", ":", ";")):
        text += "."
    return " ".join([text, *more]) if text else " ".join(more)


def of_keyword(keyword: str, value: Any) -> str:
    """What a constraint asks for, as a sentence."""
    match keyword:
        case "minimum":
            return f"At least {compact(value)}."
        case "maximum":
            return f"At most {compact(value)}."
        case "exclusiveMinimum":
            return f"More than {compact(value)}."
        case "exclusiveMaximum":
            return f"Less than {compact(value)}."
        case "multipleOf":
            return f"A multiple of {compact(value)}."
        case "minLength" | "maxLength":
            return f"{_least(keyword)} {words.count(value, 'character')}."
        case "minItems" | "maxItems":
            return f"{_least(keyword)} {words.count(value, 'item')}."
        case "minProperties" | "maxProperties":
            return f"{_least(keyword)} {words.count(value, 'key')}."
        case "uniqueItems":
            return "No item twice." if value else ""
        case "pattern":
            return of_pattern(value)
        case "format":
            return _FORMATS.get(value, f"In the format {value}.")
        case "contentEncoding":
            return "Base64 text." if value == "base64" else f"Encoded as {value}."
        case "default":
            return f"Default: {compact(value)}."
        case "examples":
            return f"For example: {', '.join(map(compact, value))}."
        case "deprecated":
            return "Deprecated." if value else ""
        case "title":
            return f"{value}:"
        case "const":
            return f"Always {compact(value)}."
        case "enum":
            return f"One of: {', '.join(map(compact, value))}."
    return f"It must also be valid under this JSON Schema: {compact({keyword: value})}."


def of_pattern(pattern: str) -> str:
    """What a pattern asks for."""
    if pattern == formats.DURATION_PATTERN:
        return _FORMATS["duration"]
    if pattern == formats.DECIMAL_PATTERN:
        return "A decimal number as text, such as 129.95."
    bounds = formats.base64_bounds(pattern)
    return f"It must match the regular expression `{pattern}`." if bounds is None else of_bytes(*bounds)


def of_bytes(least: int, most: int | None) -> str:
    """What base64 text of some number of bytes is."""
    size = [f"at least {words.count(least, 'byte')}"] if least else []
    size += [f"at most {words.count(most, 'byte')}"] if most is not None else []
    return f"Base64 text with padding{' of ' + ' and '.join(size) if size else ''}."


def of_rule(rule: Mapping[str, Any]) -> str:
    """What a JSON Schema beside the type asks for."""
    if rule == {"not": {"type": "null"}}:
        return "It must not be null."
    return f"It must also be valid under this JSON Schema: {compact(rule)}."


def _least(keyword: str) -> str:
    return "At least" if keyword.startswith("min") else "At most"
