"""The dialects: what each provider takes, as its SDK's types and its published documents say.

Sources: OpenAI, "Structured outputs" and "Function calling"; Anthropic, "Tool use" and "Structured outputs"; Google,
``FunctionDeclaration`` of google-genai and "Structured output"; the Model Context Protocol, revisions 2025-11-25 and
2026-07-28; Amazon Bedrock, the service model of ``bedrock-runtime`` in botocore.
"""

from __future__ import annotations

import re

from toolgen.providers.dialect import ROOT_REFUSED, STRICT_FORMATS, Dialect
from toolgen.providers.geminischema import as_schema

_ANTHROPIC_NAME = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_GEMINI_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")

# What makes a pattern more than simple: look-around, references, word boundaries, properties of characters.
_NOT_SIMPLE = re.compile(r"\(\?[^:]|\\[bBpPk1-9]")
_REPEATS = re.compile(r"\{([0-9]+)(?:,([0-9]*))?\}")
_MOST_REPEATS = 100
_LONGEST_PATTERN = 200


def is_simple(pattern: str) -> bool:
    """Whether a pattern is one that Anthropic compiles into a grammar: no more than groups, classes and repeats."""
    numbers = [int(number) for pair in _REPEATS.findall(pattern) for number in pair if number]
    short = len(pattern) <= _LONGEST_PATTERN and all(number <= _MOST_REPEATS for number in numbers)
    return short and _NOT_SIMPLE.search(pattern) is None


def has_small_counts(pattern: str) -> bool:
    """Whether no part of a pattern is repeated a thousand times: what engines other than backtracking ones refuse."""
    return all(int(number) <= 1000 for pair in _REPEATS.findall(pattern) for number in pair if number)


def openai(provider: str, *, strict: bool) -> Dialect:
    """Chat Completions and Responses read schemas alike."""
    if not strict:
        return Dialect(provider=provider, verbatim=True, root_refused=ROOT_REFUSED)
    return Dialect(
        provider=provider,
        strict=True,
        keywords=frozenset(
            {
                "pattern",
                "multipleOf",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "minItems",
                "maxItems",
            }
        ),
        formats=STRICT_FORMATS,
        takes_pattern=has_small_counts,
        notes=frozenset({"title"}),
        all_required=True,
        closed=True,
        anything=False,
        split_enums=True,
    )


def anthropic(provider: str, *, strict: bool) -> Dialect:
    """Bedrock names fields, and holds strict tools, as Anthropic does."""
    if not strict:
        return Dialect(provider=provider, verbatim=True, root_refused=ROOT_REFUSED, property_name=_ANTHROPIC_NAME)
    return Dialect(
        provider=provider,
        strict=True,
        property_name=_ANTHROPIC_NAME,
        keywords=frozenset({"pattern", "minItems"}),
        formats=STRICT_FORMATS | {"uri"},
        takes_pattern=is_simple,
        takes_min_items=lambda number: number in (0, 1),
        notes=frozenset({"title", "default"}),
        recursion=False,
        closed=True,
        anything=False,
        split_enums=True,
    )


def gemini() -> Dialect:
    """``parameters_json_schema``. There is no strict mode for one tool."""
    return Dialect(
        provider="gemini",
        property_name=_GEMINI_NAME,
        nested_names=True,
        keywords=frozenset({"minItems", "maxItems", "minimum", "maximum"}),
        formats=frozenset({"date-time"}),
        notes=frozenset({"title"}),
        says_maps=True,
        string_enums=True,
        split_enums=True,
    )


def gemini_live() -> Dialect:
    """``parameters``, which is all that the Live API takes: ``Schema`` of google-genai, without ``ref`` and
    ``additional_properties``, which the API is not known to take everywhere."""
    return Dialect(
        provider="gemini",
        property_name=_GEMINI_NAME,
        nested_names=True,
        keywords=frozenset(
            {
                *("minItems", "maxItems", "minimum", "maximum", "pattern", "minLength", "maxLength"),
                *("minProperties", "maxProperties"),
            }
        ),
        formats=frozenset({"date-time"}),
        takes_pattern=has_small_counts,
        notes=frozenset({"title"}),
        recursion=False,
        references=False,
        says_maps=True,
        anything=False,
        string_enums=True,
        split_enums=True,
        says_closed=True,
        rewritten=as_schema,
        way="The Live API alone refuses it: elsewhere Gemini takes JSON Schema, which providers.definition makes.",
    )


def mcp() -> Dialect:
    """A client gets the canonical schema."""
    return Dialect(provider="mcp", verbatim=True)
