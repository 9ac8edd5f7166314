"""What one provider, in one mode, takes of JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

STRICT_FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
"""The formats that both OpenAI and Anthropic take in strict mode."""

ROOT_REFUSED = ("oneOf", "anyOf", "allOf", "enum", "not")
"""Keywords that OpenAI and Anthropic refuse at the root of a schema in every mode."""


NOT_STRICT: Final = "Set strict=False on the tool, and the codec alone enforces it."
"""What leads on where a design, or nobody, asked for strict mode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What a provider takes. What a dialect does not say is taken as it is.

    Attributes:
        provider: the provider's name.
        strict: whether this is its strict mode.
        verbatim: takes every JSON Schema; only the root has rules.
        root_refused: keywords that may not stand at the root.
        property_name: what the name of a property must match, in full; None: anything.
        nested_names: whether that holds at every depth, and not at the root alone.
        keywords: constraints that it takes; all others are said in the description.
        formats: values of ``format`` that it takes.
        takes_pattern: whether it takes this pattern, where ``pattern`` is among the keywords.
        takes_min_items: whether it takes this ``minItems``.
        notes: annotations that it takes, beside ``description``.
        recursion: whether a definition may refer to itself.
        references: whether a definition may be referred to; else each stands wherever it is wanted.
        all_required: every property is required, and null stands for what is left out.
        closed: every object is closed: no maps.
        says_maps: that an object takes any keys is said in words too.
        anything: takes a position without a type.
        string_enums: an enum holds strings alone.
        split_enums: the values of one enum are of one type.
        says_closed: that objects take no other keys is said in words, as the schema has none for it.
        rewritten: the last step, for a provider whose schema is no JSON Schema.
        way: what leads on where it can't be told of a tool.
    """

    provider: str
    strict: bool = False
    verbatim: bool = False
    root_refused: tuple[str, ...] = ()
    property_name: re.Pattern[str] | None = None
    nested_names: bool = False
    keywords: frozenset[str] = frozenset()
    formats: frozenset[str] = frozenset()
    takes_pattern: Callable[[str], bool] = lambda pattern: True
    takes_min_items: Callable[[int], bool] = lambda number: True
    notes: frozenset[str] = frozenset()
    recursion: bool = True
    references: bool = True
    all_required: bool = False
    closed: bool = False
    says_maps: bool = False
    anything: bool = True
    string_enums: bool = False
    split_enums: bool = False
    says_closed: bool = False
    rewritten: Callable[[dict[str, Any]], dict[str, Any]] = lambda schema: schema
    way: str = NOT_STRICT
