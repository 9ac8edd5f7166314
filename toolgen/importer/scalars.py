"""Numbers and texts: a schema of one such type as a type with bounds, and a rule for what no bound says."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from toolgen import ir
from toolgen.importer import formats, patterns
from toolgen.importer.conjunction import types_of
from toolgen.importer.plan import Read
from toolgen.importer.reporting import Outcome, Report
from toolgen.importer.rules import Rule, all_rules
from toolgen.importer.schemas import Schema
from toolgen.ir import Kind
from toolgen.runtime import formats as texts

_KINDS = {"date": Kind.DATE, "time": Kind.TIME, "datetime": Kind.DATETIME, "UUID": Kind.UUID}
_NUMERIC = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf")


def read_number(schema: Schema, report: Report, *, whole: bool) -> Read | None:
    """The type of numbers that the schema takes; None where it takes none."""
    if isinstance(schema.get("format"), str) and types_of(schema) != ("string",):
        report.note(f"{schema.at}/format", f"the format {schema['format']!r} says nothing of a number; it is left out")
    found = {word: schema[word] for word in _NUMERIC if _is_number(schema.get(word))}
    low, low_open = _tighter(found.get("minimum"), found.get("exclusiveMinimum"), max)
    high, high_open = _tighter(found.get("maximum"), found.get("exclusiveMaximum"), min)
    step = found.get("multipleOf")
    if whole:
        low, low_open = _whole(low, low_open, math.ceil)
        high, high_open = _whole(high, high_open, math.floor)
        step = _whole_step(step)
    if not _holds_some(low, low_open, high, high_open, step, whole=whole):
        return None
    bounds: dict[str, Any] = {}
    if low is not None:
        bounds["gt" if low_open else "ge"] = low
    if high is not None:
        bounds["lt" if high_open else "le"] = high
    if step is not None:
        bounds["multiple_of"] = step
    return Read(ir.Scalar(Kind.INT if whole else Kind.FLOAT, ir.Constraints(**bounds)))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _tighter(closed: Any, opened: Any, pick: Any) -> tuple[Any, bool]:
    """The tighter of two bounds, and whether it is open."""
    if closed is None or opened is None:
        return (opened, True) if closed is None and opened is not None else (closed, False)
    return (opened, True) if pick(closed, opened) == opened else (closed, False)


def _whole_step(step: Any) -> int | None:
    """``multipleOf`` on integers as a whole number: the integers among the multiples of p/q are those of p."""
    if step is None:
        return None
    whole = Fraction(str(step)).numerator
    return None if whole == 1 and step != 1 else whole


def _whole(bound: Any, opened: bool, rounded: Callable[[Any], int]) -> tuple[Any, bool]:
    """A bound on integers as an integer; one between two integers is closed by that."""
    if bound is None or bound == int(bound):
        return (None if bound is None else int(bound)), opened
    return rounded(bound), False


def _holds_some(low: Any, low_open: bool, high: Any, high_open: bool, step: Any, *, whole: bool) -> bool:
    """Whether some number is within the bounds."""
    if low is None or high is None:
        return True
    least, most = Fraction(str(low)), Fraction(str(high))
    if whole:
        least, most = least + low_open, most - high_open
    elif least == most and (low_open or high_open):
        return False
    if step is not None:
        exact = Fraction(str(step))
        least = math.ceil(least / exact) * exact
    return least <= most


def read_text(schema: Schema, report: Report) -> Read | None:
    """The type of texts that the schema takes; None where it takes none."""
    own = _own_text(schema)
    if own is not None:
        return Read(own)
    bounds = {name: int(schema[word]) for word, name in _LENGTHS.items() if _is_number(schema.get(word))}
    bounds = {name: value for name, value in bounds.items() if value >= 0 or name == "max_length"}
    if bounds.get("min_length", 0) > bounds.get("max_length", math.inf) or bounds.get("max_length", 0) < 0:
        return None
    constraints: dict[str, Any] = dict(bounds)
    rules: list[Rule] = []
    if "pattern" in schema:
        try:
            first, *rules = patterns.split(str(schema["pattern"])).rules()
        except patterns.PatternError as error:
            text = f"any text is taken: the pattern {schema['pattern']!r} can't be used, since {error.reason}"
            report.say(f"{schema.at}/pattern", Outcome.WIDER, text)
        else:
            constraints |= first if "pattern" in first else {}
            rules = rules if "pattern" in first else [first, *rules]
    read = _with_format(schema, constraints, report)
    return Read(read.type, all_rules([read.rule, *rules]))


_LENGTHS: Mapping[str, str] = {"minLength": "min_length", "maxLength": "max_length"}


def _own_text(schema: Schema) -> ir.Scalar | None:
    """The types that toolgen itself writes as text with a pattern of its own."""
    sizes = texts.base64_sizes(schema)
    if sizes is not None:
        least, most = sizes
        return ir.Scalar(Kind.BYTES, ir.Constraints(min_length=least or None, max_length=most))
    pattern = schema.get("pattern")
    bare = not schema.keys() & {"minLength", "maxLength"}
    if not isinstance(pattern, str) or not bare:
        return None
    if pattern == texts.DURATION_PATTERN:
        return ir.Scalar(Kind.TIMEDELTA)
    if pattern == texts.DECIMAL_PATTERN and "format" not in schema:
        return ir.Scalar(Kind.DECIMAL)
    return None


def _with_format(schema: Schema, constraints: dict[str, Any], report: Report) -> Read:
    """A text with its format: a type where nothing else is said of it, else a bound, a pattern or a rule."""
    text = ir.Scalar(Kind.STR, ir.Constraints(**constraints))
    name = schema.get("format")
    if not isinstance(name, str):
        return Read(text)
    if name in formats.TYPES:
        return Read(text, {"format": name}) if constraints else Read(ir.Scalar(_KINDS[formats.TYPES[name]]))
    if name in formats.NATIVE:
        return Read(ir.Scalar(Kind.STR, ir.Constraints(**constraints, format=name)))
    if name in formats.PATTERNS:
        pattern = formats.PATTERNS[name]
        if "pattern" in constraints:
            return Read(text, {"pattern": pattern})
        return Read(ir.Scalar(Kind.STR, ir.Constraints(**constraints, pattern=pattern)))
    unchecked_format(f"{schema.at}/format", name, report)
    return Read(text)


def unchecked_format(pointer: str, name: str, report: Report) -> None:
    """Says of a format that nothing here checks it."""
    if name in formats.UNCHECKED:
        report.say(pointer, Outcome.WIDER, f"any text is taken: the format {name!r} is not checked")
    else:
        report.note(pointer, f"{name!r} is no format of JSON Schema, so it says nothing of a value; it is left out")
