"""Constraints: which type each of them fits, and which can't hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from toolgen import ir
from toolgen.design.problems import Report
from toolgen.design.texts import shown
from toolgen.ir import Kind
from toolgen.names import is_clean_text, is_writable
from toolgen.runtime import formats, patterns

_NUMBER = frozenset({"ge", "gt", "le", "lt", "multiple_of"})
_LENGTHS = frozenset({"min_length", "max_length"})
_ITEMS = frozenset({"min_items", "max_items"})
_FITS: dict[Kind, frozenset[str]] = {
    Kind.STR: _LENGTHS | {"pattern", "format"},
    Kind.BYTES: _LENGTHS,
    Kind.INT: _NUMBER,
    Kind.FLOAT: _NUMBER,
}
_SINGLE_SPELLING = frozenset({Kind.STR, Kind.INT, Kind.BOOL})
Bound = int | float | str | bool


def constrain(type_: ir.Type, given: Mapping[str, object], report: Report) -> ir.Type:
    """The type with the bounds ``given``, each put on the type or arm that it fits. What fits nowhere is reported."""
    for name in given:
        if not _takes(type_, name):
            report(f"{name} does not fit {describe(type_)}", _mend_misfit(type_, name))
    fitting = {name: raw for name, raw in given.items() if _takes(type_, name)}
    checked = {name: value for name, raw in fitting.items() if (value := _checked(name, raw, report)) is not None}
    return _put(type_, checked, report)


def describe(type_: ir.Type) -> str:
    """A type in the words of the design."""
    match type_:
        case ir.Scalar(kind):
            return kind.value
        case ir.Anything():
            return "Any"
        case ir.Choice(values):
            return f"Literal[{', '.join(map(repr, values))}]"
        case ir.EnumRef(key) | ir.RecordRef(key):
            return key.name
        case ir.Array(items):
            return f"list[{describe(items)}]"
        case ir.Map(values):
            return f"dict[str, {describe(values)}]"
        case ir.Nullable(of):
            return f"{describe(of)} | None"
        case ir.Union(arms):
            return " | ".join(map(describe, arms))


def _fitting(type_: ir.Type) -> frozenset[str]:
    match type_:
        case ir.Scalar(kind):
            return _FITS.get(kind, frozenset())
        case ir.Array():
            return _ITEMS | {"unique_items"}
        case ir.Map():
            return _ITEMS
        case _:
            return frozenset()


def _takes(type_: ir.Type, name: str) -> bool:
    match type_:
        case ir.Nullable(of):
            return _takes(of, name)
        case ir.Union(arms):
            return any(_takes(arm, name) for arm in arms)
        case _:
            return name in _fitting(type_)


def _mend_misfit(type_: ir.Type, name: str) -> str:
    inner = type_.of if isinstance(type_, ir.Nullable) else type_
    wanted = {"min_length": "min_items", "max_length": "max_items"}.get(name)
    if wanted and isinstance(inner, ir.Array | ir.Map):
        return f"Write {wanted} to count items, or give each item its length: Annotated[T, Constraints({name}=...)]."
    wanted = {"min_items": "min_length", "max_items": "max_length"}.get(name)
    if wanted and _takes(inner, wanted):
        return f"Write {wanted}."
    if isinstance(inner, ir.Array) and _takes(inner.items, name):
        return f"Put it on the items: list[Annotated[{describe(inner.items)}, Constraints({name}=...)]]."
    if isinstance(inner, ir.Map) and _takes(inner.values, name):
        return f"Put it on the values: dict[str, Annotated[{describe(inner.values)}, Constraints({name}=...)]]."
    return "Leave it out, and check it in the tool."


def _checked(name: str, value: object, report: Report) -> Bound | None:
    """One bound by itself: its value in the right kind, or None and a report."""
    if name in _NUMBER:
        return _checked_number(name, value, report)
    if name in _LENGTHS | _ITEMS:
        if isinstance(value, bool) or not isinstance(value, int) or value < 0 or not is_writable(value):
            report(f"{name} is {shown(value)}, not a whole number from 0 up", "Give such a number.")
            return None
        return int(value)
    if name == "unique_items":
        if value is not True:
            report(f"unique_items is {shown(value)}", "Give True or False.")
            return None
        return True
    if not isinstance(value, str) or not is_clean_text(value):
        report(f"{name} is {shown(value)}, not text", "Give a plain string.")
        return None
    return _checked_pattern(value, report) if name == "pattern" else _checked_format(value, report)


def _checked_number(name: str, value: object, report: Report) -> Bound | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not is_writable(value):
        report(f"{name} is {shown(value)}, not a finite number", "Give an int or a float.")
        return None
    if name == "multiple_of" and value <= 0:
        report(f"multiple_of is {shown(value)}, not above 0", "Give a number above 0.")
        return None
    return float(value) if isinstance(value, float) else int(value)


def _checked_pattern(pattern: str, report: Report) -> str | None:
    try:
        patterns.check(pattern)
    except patterns.PatternError as error:
        mend = f"{error.mend[:1].upper()}{error.mend[1:]}."
        report(f"the pattern {pattern!r} can't be used: {error.reason}", mend)
        return None
    return pattern


def _checked_format(name: str, report: Report) -> str | None:
    if name in formats.FORMATS:
        return name
    own = {"date": "date", "time": "time", "date-time": "datetime", "duration": "timedelta", "uuid": "UUID"}
    known = ", ".join(sorted(formats.FORMATS))
    mend = f"Use the type {own[name]}." if name in own else f"Use one of {known}, or a pattern."
    report(f"the format {name!r} is not checked on str", mend)
    return None


def _put(type_: ir.Type, given: Mapping[str, Bound], report: Report) -> ir.Type:
    match type_:
        case ir.Nullable(of):
            return ir.Nullable(_put(of, given, report))
        case ir.Union(arms):
            return type_.replace(arms=tuple(_put(arm, given, report) for arm in arms))
        case ir.Scalar() | ir.Array() | ir.Map():
            fitting = {name: value for name, value in given.items() if name in _fitting(type_)}
            return _merge(type_, fitting, report) if fitting else type_
        case _:
            return type_


def _merge(type_: ir.Scalar | ir.Array | ir.Map, given: Mapping[str, Bound], report: Report) -> ir.Type:
    had = type_.constraints.given()
    for name in given.keys() & had.keys():
        if given[name] != had[name]:
            report(f"{name} is given twice, as {had[name]!r} and as {given[name]!r}", "Give it once.")
            return type_
    merged = _fit_numbers(type_, {**had, **given}, report)
    if merged is None or not _can_hold(type_, merged, report):
        return type_
    return type_.replace(constraints=ir.Constraints(**merged))  # type: ignore[arg-type]


def _fit_numbers(type_: ir.Type, given: dict[str, Bound], report: Report) -> dict[str, Bound] | None:
    """Numeric bounds in the kind of their type: whole on int, within a float's reach on float."""
    if not isinstance(type_, ir.Scalar) or type_.kind not in (Kind.INT, Kind.FLOAT):
        return given
    fitted = dict(given)
    for name in _NUMBER & given.keys():
        value = given[name]
        assert isinstance(value, int | float)
        if type_.kind is Kind.INT:
            if value != int(value):
                report(f"{name} is {shown(value)}, not whole, on an int", "Give a whole number.")
                return None
            fitted[name] = int(value)
        else:
            try:
                float(value)
            except OverflowError:
                report(f"{name} is beyond what a float holds", "Give a smaller number.")
                return None
    return fitted


def _can_hold(type_: ir.Scalar | ir.Array | ir.Map, given: Mapping[str, Bound], report: Report) -> bool:
    """Whether some value can meet all the bounds."""
    if isinstance(type_, ir.Array) and given.get("unique_items"):
        if not _has_single_spelling(type_.items):
            report(
                f"unique_items does not fit {describe(type_)}, whose items can be written in several ways in JSON",
                "Leave it out, and look for duplicates in the tool.",
            )
            return False
        size, least = _count_values(type_.items), given.get("min_items", 0)
        if size is not None and isinstance(least, int) and least > size:
            report(f"min_items={least} with unique_items: there are but {size} values", "Lower min_items.")
            return False
    for low, high in (("min_length", "max_length"), ("min_items", "max_items")):
        if low in given and high in given and given[low] > given[high]:  # type: ignore[operator]
            report(f"{low}={given[low]} is above {high}={given[high]}", f"Lower {low} or raise {high}.")
            return False
    return not isinstance(type_, ir.Scalar) or _range_can_hold(type_.kind, given, report)


def _range_can_hold(kind: Kind, given: Mapping[str, Bound], report: Report) -> bool:
    for one, other in (("ge", "gt"), ("le", "lt")):
        if one in given and other in given:
            report(f"{one} and {other} are both given", f"Give {one} or {other}.")
            return False
    low = _edge(kind, given, "ge", "gt", 1)
    high = _edge(kind, given, "le", "lt", -1)
    if low is not None and high is not None:
        told = " and ".join(f"{name}={given[name]!r}" for name in ("ge", "gt", "le", "lt") if name in given)
        step = given.get("multiple_of")
        if low > high:
            report(f"no {kind.value} meets {told}", "Widen the range.")
            return False
        if step is not None:
            exact = _exact(step)
            if math.ceil(low / exact) * exact > high:
                report(f"no multiple of {step!r} meets {told}", "Widen the range, or change multiple_of.")
                return False
    return True


def _edge(kind: Kind, given: Mapping[str, Bound], closed: str, opened: str, inward: int) -> Fraction | None:
    """The last value within one end of a range, exactly; None where that end is open."""
    if closed in given:
        return _exact(given[closed])
    if opened not in given:
        return None
    bound = given[opened]
    if kind is Kind.INT:
        return _exact(bound) + inward
    assert isinstance(bound, int | float)
    inner = math.nextafter(float(bound), math.inf * inward)
    return _exact(inner) if math.isfinite(inner) else _exact(bound) + inward


def _exact(bound: Bound) -> Fraction:
    """A bound as it is written: 0.1 is a tenth."""
    return Fraction(repr(bound)) if isinstance(bound, float) else Fraction(int(bound))


def _has_single_spelling(type_: ir.Type) -> bool:
    """Whether values of the type are equal exactly when their JSON is: text, integers, booleans and choices of them."""
    match type_:
        case ir.Scalar(kind):
            return kind in _SINGLE_SPELLING
        case ir.Choice(values):
            return not any(isinstance(value, float) for value in values)
        case ir.EnumRef():
            return True
        case ir.Nullable(of):
            return _has_single_spelling(of)
        case ir.Union(arms):
            return all(map(_has_single_spelling, arms))
        case _:
            return False


def _count_values(type_: ir.Type) -> int | None:
    """How many values a type has, where that is known here."""
    match type_:
        case ir.Scalar(Kind.BOOL):
            return 2
        case ir.Scalar(Kind.INT, constraints):
            given = constraints.given()
            low, high = _edge(Kind.INT, given, "ge", "gt", 1), _edge(Kind.INT, given, "le", "lt", -1)
            step = _exact(given.get("multiple_of", 1))
            if low is None or high is None or step.denominator != 1:
                return None
            return math.floor(high / step) - math.ceil(low / step) + 1
        case ir.Choice(values):
            return len(values)
        case ir.Nullable(of):
            count = _count_values(of)
            return None if count is None else count + 1
        case _:
            return None
