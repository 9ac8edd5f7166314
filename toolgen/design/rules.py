"""``also``: JSON Schema that holds beside a type, read and kept within what a codec can promise.

What decodes must encode again, and hold to the rule again. So a rule may not depend on what decoding leaves out or
writes another way: unknown keys of an open object, a default that encoding writes out, the spelling of a date.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeAlias

from toolgen import ir
from toolgen.design import rulerefs
from toolgen.design.problems import Report
from toolgen.design.texts import shown
from toolgen.design.wire import MOST_VALUES, WireError, is_huge, plain
from toolgen.ir import Json, Kind
from toolgen.plain import Plain
from toolgen.runtime import formats, patterns
from toolgen.runtime.careful import Careful
from toolgen.runtime.keyrules import ALL_KEYS, SAME_VALUE, parts_of, reaches, wanted_keys, words_on
from toolgen.runtime.schemanodes import ASSERTIONS
from toolgen.wiretypes import takes_null

Rule: TypeAlias = "dict[str, Json]"

KEY_WORDS = frozenset({"propertyNames"})
"""Keywords that judge the keys of a dict alone, which are encoded as they were written."""

_AS_WRITTEN = frozenset({Kind.STR, Kind.INT, Kind.FLOAT, Kind.BOOL})


def read_object(value: object, report: Report) -> Rule | None:
    """As ``read``, of a rule on an object: what it says of the object itself is written out, so that it can be seen
    which keys it speaks of."""
    rule = read(value, report)
    return None if rule is None else rulerefs.written_out(rule)


def read(value: object, report: Report) -> Rule | None:
    """A rule as a design gives it; None, reported, where it is none."""
    if value is None:
        return None
    if is_huge(value):
        report(f"also holds more than {MOST_VALUES:,} values, or itself", "Give a smaller JSON Schema.")
        return None
    try:
        rule = plain(value, "")
    except (WireError, RecursionError) as error:
        report(f"also is {shown(value)}: {error}", "Give a JSON Schema as a dict.")
        return None
    if not isinstance(rule, dict) or not rule:
        report(f"also is {shown(value)}, no JSON Schema that says anything", "Give a JSON Schema as a dict.")
        return None
    bodies = [{word: inner for word, inner in rule.items() if word != "$defs"}, *rulerefs.definitions(rule).values()]
    sound = all(_is_sound(body, report) for body in bodies)
    well_formed = rulerefs.judge(rule, report) and _is_well_formed(rule, report)
    return rule if sound and well_formed else None


def _is_sound(rule: Json, report: Report) -> bool:
    """Whether every keyword is one that values are judged by, and every pattern and format one that is checked.

    What else is wrong with its form is found by ``_is_well_formed``.
    """
    if isinstance(rule, bool):
        return True
    if not isinstance(rule, dict):
        return True
    for word in rule:
        if word not in ASSERTIONS:
            report(f"also holds {word!r}, which nothing is judged by", "Leave it out.")
            return False
    for pattern in _patterns(rule):
        try:
            patterns.check(str(pattern))
        except patterns.PatternError as error:
            report(f"the pattern {pattern!r} in also can't be used: {error.reason}", f"{error.mend.capitalize()}.")
            return False
    if "format" in rule and rule["format"] not in formats.ASSERTED:
        known = ", ".join(sorted(formats.ASSERTED))
        report(f"the format {rule['format']!r} in also is not checked", f"Use one of {known}, or a pattern.")
        return False
    return all(_is_sound(inner, report) for _, inner in parts_of(rule))


def _patterns(rule: Rule) -> Iterator[Json]:
    if "pattern" in rule:
        yield rule["pattern"]
    by_pattern = rule.get("patternProperties")
    yield from by_pattern if isinstance(by_pattern, dict) else ()


def _is_well_formed(rule: Rule, report: Report) -> bool:
    import jsonschema
    from jsonschema.exceptions import SchemaError

    try:
        jsonschema.Draft202012Validator.check_schema(rule)
        Careful(rule)
        for definition in rulerefs.definitions(rule).values():
            Careful({"allOf": [definition], "$defs": rule["$defs"]})
    except (SchemaError, TypeError, ValueError) as error:
        reason = error.message if isinstance(error, SchemaError) else str(error)
        report(f"also is no valid JSON Schema: {reason}", "Mend it.")
        return False
    return True


# --- what a codec can promise ----------------------------------------------------------------------------------------


def as_written(type_: ir.Type) -> bool:
    """Whether values of the type are encoded as they were written: no key left out, no other spelling."""
    match type_:
        case ir.Scalar(kind):
            return kind in _AS_WRITTEN
        case ir.Anything() | ir.Choice() | ir.EnumRef():
            return True
        case ir.Array(of) | ir.Map(of) | ir.Nullable(of):
            return as_written(of)
        case ir.Union(arms):
            return all(map(as_written, arms))
        case ir.RecordRef():
            return False


def judge_field(field: ir.Field, describe: Callable[[ir.Type], str], report: Report) -> None:
    """Report a rule on a field whose values may be encoded another way than they were written."""
    inner = field.type.of if isinstance(field.type, ir.Nullable) else field.type
    of_keys = isinstance(inner, ir.Map) and field.also is not None and field.also.keys() <= KEY_WORDS
    if field.also is not None and not as_written(field.type) and not of_keys:
        report(
            f"also does not fit {describe(field.type)}, which is not encoded as it was written",
            "Put it on the Record itself, or declare the field as str, dict[str, Any] or Any.",
        )


def judge_missing(field: ir.Field, null: bool, report: Report) -> None:
    """Report a rule that refuses null on a field that is encoded as null when it was missing. ``null``: it takes it."""
    optional = field.presence is ir.Presence.OPTIONAL and not field.keep_null
    if field.also is not None and optional and null and Careful(field.also).judge(None, lenient=False).issues:
        report("also refuses null, which is what a missing value is encoded as", "Add keep_null=True.")


class Keys(Plain, frozen=True):
    """What decoding and encoding do to the keys of an object.

    ``kept`` are there after encoding exactly when they were there before; of these ``written`` have the same value.
    ``loses``: keys that no field has are left out. ``gained``: keys that may be added, with a default or as null.
    """

    kept: frozenset[str]
    written: frozenset[str]
    loses: bool
    gained: frozenset[str]


def keys_of(fields: Sequence[ir.Field], closed: bool, program: ir.Program) -> Keys:
    """The keys of an object that a rule judges; its restored fields are there only in saved input."""
    own = [f for f in fields if f.role is ir.Role.MODEL]
    kept = [f for f in own if _is_kept(f, program)]
    return Keys(
        kept=frozenset(f.wire for f in kept),
        written=frozenset(f.wire for f in kept if as_written(f.type)),
        loses=not closed,
        gained=frozenset(f.wire for f in fields if f.role is ir.Role.RESTORED or (f in own and f not in kept)),
    )


def _is_kept(field: ir.Field, program: ir.Program) -> bool:
    if field.presence is ir.Presence.OPTIONAL:
        return field.keep_null or not takes_null(field.type, program)
    return field.presence is ir.Presence.REQUIRED


def judge_object(rule: Rule, keys: Keys, report: Report) -> None:
    """Report what a rule on an object rests on and encoding may change."""
    for complaint in dict.fromkeys(complaints(rule, keys)):
        report(
            f"also rests on {complaint}, which what decodes and is encoded again may not have as it was",
            "Declare the keys that it names as fields with no default, a nullable optional one with keep_null=True, or "
            "declare the object as dict[str, Any].",
        )


def complaints(rule: Json, keys: Keys, *, positive: bool = True) -> Iterator[str]:
    """What a rule rests on that encoding may change. ``positive``: fewer keys can't break what more keys hold to."""
    if not isinstance(rule, dict):
        return
    for name in wanted_keys(rule):
        if name not in keys.kept:
            yield f"the key {name!r}"
    properties = rule.get("properties")
    for name, inner in properties.items() if isinstance(properties, dict) else ():
        # What is said of a key that no field has is judged with every input, and gone with the key.
        gone = positive and keys.loses and name not in keys.kept | keys.gained
        if name not in keys.written and _says(inner) and not gone:
            yield f"the value of {name!r}"
    for word in rule.keys() & ALL_KEYS:
        unbroken = positive and word not in ("minProperties", "enum", "const")
        counts = word == "minProperties" and not positive
        if (keys.loses and not unbroken) or any(counts or reaches(word, rule, name) for name in keys.gained):
            yield f"{word}, so on all keys"
    for word, inner in parts_of(rule):
        if word in SAME_VALUE:
            yield from complaints(inner, keys, positive=positive and word in _AS_GOOD)


_AS_GOOD = frozenset({"allOf", "anyOf", "then", "else", "dependentSchemas"})
"""Keywords that hold where what they hold still does. Of the others, an ``if`` may rest on nothing that changes."""


def judge_added(rule: Rule, names: Collection[str], by: str, report: Report) -> None:
    """Report a rule that judges, or counts, keys which ``by`` adds to the object that it was written for."""
    words = dict.fromkeys(words_on(rule, names))
    if words:
        rule_ = f"also says {', '.join(words)} of all keys, and so of {', '.join(names)} too, which {by} adds"
        report(rule_, "Say it of the keys that are declared, or leave it out.")


def _says(rule: Json) -> bool:
    return rule is not True and rule != {}
