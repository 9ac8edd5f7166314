"""Hypothesis strategies of inputs: what a schema accepts, and the same with faults put in."""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta, timezone
from itertools import cycle, islice
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from toolgen.runtime import formats, patterns
from toolgen.runtime.pointers import below
from toolgen.testing.leaves import boundaries, distinct, texts
from toolgen.testing.shape import MISSING, Document, Json, Node, Schema, get, put, rules_out

_DEPTH = 6
_MANY = 100
"""Items, keys or characters past which hypothesis would have to draw too much for one input."""
_TEXT = st.characters(exclude_categories=["Cs"])
_WORDS = st.text(_TEXT, max_size=8)


def valid_inputs(schema: Schema) -> SearchStrategy[Any]:
    """JSON values that a canonical schema accepts.

    Optional keys are absent at times, bounds are met exactly at times, open objects have keys of their own, integers
    stand where numbers may, and text is any Unicode but lone surrogates. Recursion ends after a few levels. It is
    empty where the schema accepts nothing, and may fail to find what a pattern and its lengths hardly allow.
    """
    document = Document(schema)
    valid = _Valid(document).value(document.root, 0)
    ruled_out = rules_out(schema)
    return valid if ruled_out is None else valid.filter(lambda value: not ruled_out(value))


def mutated_inputs(schema: Schema) -> SearchStrategy[Any]:
    """Valid inputs of a canonical schema with one to three faults put in, at any depth.

    A wrong type, null, a key missing, unknown or misspelt, a value out of bounds, an object written as text, an integer
    written as a float. Some of these are still accepted: whether one is, is for a judge to say.
    """
    return _mutated(valid_inputs(schema), Document(schema))


class _Valid:
    """Builds the strategy of each position, each recursive position lazily and to a bounded depth."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def value(self, node: Node, depth: int) -> SearchStrategy[Any]:
        nullable = self._document.takes_null(node) and node.members is None
        nodes = self._document.arms(node)
        if nullable and depth >= _DEPTH and any({"object", "array"} & {*arm.types} for arm in nodes):
            return st.none()  # what is required, and recursive, ends here
        arms = [self._arm(arm, depth) for arm in nodes]
        if nullable:
            arms.append(st.none())
        return st.one_of(arms) if len(arms) > 1 else arms[0]

    def _arm(self, node: Node, depth: int) -> SearchStrategy[Any]:
        if node.members is not None:
            return st.sampled_from(node.members)
        if node.is_anything:
            return anything()
        if node.types == ("array",):
            return self._array(node, depth)
        if node.types == ("object",):
            return self._object(node, depth)
        return leaf(node)

    def _later(self, node: Node, depth: int) -> SearchStrategy[Any]:
        return st.deferred(lambda: self.value(node, depth + 1))

    def _array(self, node: Node, depth: int) -> SearchStrategy[Any]:
        least = node.schema.get("minItems", 0)
        most = node.schema.get("maxItems", least + 4)
        if depth >= _DEPTH:
            most = least
        unique_by = _identity if node.schema.get("uniqueItems") else None
        if most == 0:
            return st.just([]).map(list)
        items = self._later(self._document.items(node), depth)
        if least > _MANY and unique_by is None:
            return st.lists(items, min_size=1, max_size=4).map(lambda drawn: [*islice(cycle(drawn), least)])
        ends = min(most, max(least, 4 if depth < 2 else 2))
        usual = st.lists(items, min_size=least, max_size=ends, unique_by=unique_by)
        if most > ends and most <= 40 and depth < 2 and unique_by is None:
            return usual | items.map(lambda item: [item] * most)
        return usual

    def _object(self, node: Node, depth: int) -> SearchStrategy[Any]:
        values = self._document.values(node)
        if values is not None:
            least = node.schema.get("minProperties", 0)
            most = node.schema.get("maxProperties", least + 3)
            if depth >= _DEPTH or most == 0:
                most = least
            if most == 0:
                return st.builds(dict)
            if least > _MANY:
                drawn = st.lists(self._later(values, depth), min_size=1, max_size=4)
                return drawn.map(lambda made: {f"k{n}": value for n, value in enumerate(islice(cycle(made), least))})
            return st.dictionaries(_WORDS, self._later(values, depth), min_size=least, max_size=min(most, least + 3))
        required = node.schema.get("required", ())
        properties = self._document.properties(node)
        must = {key: self._later(child, depth) for key, child in properties.items() if key in required}
        may = {key: self._later(child, depth) for key, child in properties.items() if key not in required}
        declared = st.fixed_dictionaries(must, optional=may if depth < _DEPTH else {})
        if node.schema.get("additionalProperties") is not True:
            return declared
        extra = st.dictionaries(_WORDS.filter(lambda key: key not in properties), anything(), max_size=2)
        return st.tuples(declared, st.just({}) | extra).map(lambda pair: {**pair[1], **pair[0]})


def _identity(value: Any) -> str:
    """What makes two JSON values one: 1 is 1.0, true is not 1, the order of keys is nothing."""
    return json.dumps(_normal(value), sort_keys=True)


def _normal(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_normal(item) for item in value]
    return {key: _normal(item) for key, item in value.items()} if isinstance(value, dict) else value


def anything() -> SearchStrategy[Any]:
    """Any JSON value, to a few levels."""
    scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _WORDS
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3),
        max_leaves=6,
    )


def leaf(node: Node) -> SearchStrategy[Any]:
    """Values of a scalar position, those at its bounds likely."""
    match node.types[:1]:
        case ("boolean",):
            return st.booleans()
        case ("string",):
            usual = _strings(node.schema)
        case ("integer",):
            usual = _integers(node.schema)
        case _:
            usual = _numbers(node.schema)
    edges = [value for value, constraint in boundaries(node) if constraint is None and not _is_long(value)]
    return st.one_of(usual, st.sampled_from(edges)) if edges else usual


def _is_long(value: Json) -> bool:
    """Whether a text is too long to be drawn again and again; the deterministic inputs have it."""
    return isinstance(value, str) and len(value) > 2_000


def _integers(schema: Schema) -> SearchStrategy[Any]:
    low, high = _whole_ends(schema)
    step = schema.get("multipleOf", 1)
    if not isinstance(step, int):
        return st.sampled_from(_first(Node(schema, "")))
    low = None if low is None else -(-low // step)
    high = None if high is None else high // step
    if low is not None and high is not None and low > high:
        return st.nothing()
    return st.integers(low, high).map(lambda number: number * step)


def _whole_ends(schema: Schema) -> tuple[int | None, int | None]:
    lows = [math.ceil(schema["minimum"])] if "minimum" in schema else []
    lows += [math.floor(schema["exclusiveMinimum"]) + 1] if "exclusiveMinimum" in schema else []
    highs = [math.floor(schema["maximum"])] if "maximum" in schema else []
    highs += [math.ceil(schema["exclusiveMaximum"]) - 1] if "exclusiveMaximum" in schema else []
    return max(lows, default=None), min(highs, default=None)


def _first(node: Node) -> list[Json]:
    return [value for value, _ in zip(distinct(node), range(20), strict=False)]


def _numbers(schema: Schema) -> SearchStrategy[Any]:
    if "multipleOf" in schema:
        return st.sampled_from(_first(Node(schema, "")))
    lows = [schema[word] for word in ("minimum", "exclusiveMinimum") if word in schema]
    highs = [schema[word] for word in ("maximum", "exclusiveMaximum") if word in schema]
    low, high = max(lows, default=None), min(highs, default=None)

    def within(number: float) -> bool:
        return (
            ("exclusiveMinimum" not in schema or number > schema["exclusiveMinimum"])
            and ("exclusiveMaximum" not in schema or number < schema["exclusiveMaximum"])
            and all(number >= end for end in lows)
            and all(number <= end for end in highs)
        )

    finite = st.floats(_float(low), _float(high), allow_nan=False, allow_infinity=False)
    if within(0):
        finite |= st.just(-0.0)
    whole_low, whole_high = _whole_ends(schema)
    if whole_low is None or whole_high is None or whole_low <= whole_high:
        return (finite | st.integers(whole_low, whole_high).filter(_is_exact)).filter(within)
    return finite.filter(within)


def _float(end: float | None) -> float | None:
    return None if end is None else float(end)


def _is_exact(number: int) -> bool:
    return abs(number) < 2**53


def _strings(schema: Schema) -> SearchStrategy[Any]:
    low, high = schema.get("minLength", 0), schema.get("maxLength")
    sizes = formats.base64_sizes(schema)
    if sizes is not None:
        return _base64_strings(*sizes)
    special = _FORMATTED.get(schema.get("format", ""))
    if schema.get("pattern") == formats.DECIMAL_PATTERN:
        special = st.decimals(allow_nan=False, allow_infinity=False, places=3).map(formats.decimal_to_text)
    if special is None and low > _MANY:
        return _long_texts(schema)
    if special is None and "pattern" not in schema:
        return st.text(_TEXT, min_size=low, max_size=high if high is None or high < 50 else max(50, low))
    if special is None:
        special = st.from_regex(patterns.to_python(schema["pattern"])).filter(_has_no_surrogate)
    return special.filter(_fits(schema))


def _long_texts(schema: Schema) -> SearchStrategy[Any]:
    """Texts of which each must be long: a short one again and again, or where a pattern asks for more, made up."""
    low, high = schema.get("minLength", 0), schema.get("maxLength", math.inf)
    if "pattern" in schema:
        return st.sampled_from([*islice(texts(schema), 8)])
    sizes = st.integers(low, min(high, low + 8))
    return st.builds(_repeated, st.text(_TEXT, min_size=1, max_size=20), sizes)


def _repeated(part: Any, size: int) -> Any:
    return (part * (size // len(part) + 1))[:size]


def _has_no_surrogate(text: str) -> bool:
    return not re.search("[\ud800-\udfff]", text)


def _fits(schema: Schema) -> Callable[[str], bool]:
    low, high = schema.get("minLength", 0), schema.get("maxLength", math.inf)
    search = re.compile(patterns.to_python(schema.get("pattern", ""))).search
    return lambda text: low <= len(text) <= high and search(text) is not None


def _base64_strings(low: int, high: int | None) -> SearchStrategy[Any]:
    most = low + 8 if high is None else min(high, low + 8)
    if low > _MANY:
        data = st.builds(_repeated, st.binary(min_size=1, max_size=20), st.integers(low, most))
    else:
        data = st.binary(min_size=low, max_size=most)
    return data.map(lambda data: base64.b64encode(data).decode("ascii"))


_ZONES = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
_DURATIONS = st.timedeltas(timedelta(days=-100_000), timedelta(days=100_000))
_FORMATTED: dict[str, SearchStrategy[Any]] = {
    "date": st.dates(date(1, 1, 1)).map(date.isoformat),
    "time": st.times(timezones=_ZONES).map(time.isoformat),
    "date-time": st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=_ZONES).map(datetime.isoformat),
    "duration": _DURATIONS.map(formats.duration_to_text),
    "uuid": st.uuids().map(str),
    "ipv4": st.ip_addresses(v=4).map(str),
    "ipv6": st.ip_addresses(v=6).map(str),
    "uri": st.from_regex(r"\Ahttps?://[a-z]{1,8}\.example(/[a-z0-9]{0,5}){0,2}(\?[a-z]=[0-9])?\Z"),
    "email": st.from_regex(r"\A[a-z0-9]{1,8}([.+-][a-z0-9]{1,4})?@[a-z0-9]{1,8}(\.[a-z]{2,4}){1,2}\Z"),
}

# Faults


@st.composite
def _mutated(draw: st.DrawFn, valid: SearchStrategy[Any], document: Document) -> Any:
    value = draw(valid)
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
        places = list(_places(document, document.root, value, ""))
        node, path = draw(st.sampled_from(places))
        value = _fault(draw, document, node, value, path)
    return value


def _places(document: Document, node: Node | None, value: Any, path: str) -> Iterator[tuple[Node | None, str]]:
    """Each position in an input, with what the schema says of it; None where that was lost to an earlier fault."""
    yield node, path
    arm = _arm_of(document, node, value)
    if isinstance(value, dict):
        values = document.values(arm) if arm is not None else None
        properties = document.properties(arm) if arm is not None else {}
        for key, item in value.items():
            yield from _places(document, properties.get(key, values), item, below(path, key))
    elif isinstance(value, list):
        items = document.items(arm) if arm is not None else None
        for index, item in enumerate(value[:5]):
            yield from _places(document, items, item, below(path, index))


def _arm_of(document: Document, node: Node | None, value: Any) -> Node | None:
    if node is None or not isinstance(value, dict | list):
        return None
    wanted = "object" if isinstance(value, dict) else "array"
    arms = [arm for arm in document.arms(node) if wanted in arm.types]
    named = [arm for arm in arms if arm.tag and isinstance(value, dict) and value.get(arm.tag[0]) == arm.tag[1]]
    return next(iter(named or arms), None)


_STRANGERS: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    25.0,
    -0.0,
    0.5,
    1e300,
    10**30,
    "",
    "7",
    "true",
    "null",
    [],
    {},
    [1],
]
_STRANGERS += [{"a": 1}, "[]", "{}", "é", "😀\n", "a" * 300]


def _fault(draw: st.DrawFn, document: Document, node: Node | None, whole: Any, path: str) -> Any:
    value = get(whole, path)
    made: list[Any] = list(_STRANGERS) if path else [{}]
    if node is not None and path:
        for arm in document.arms(node):
            if not {"object", "array"} & set(arm.types):
                made += [edge for edge, _ in boundaries(arm) if not _is_long(edge)] * 2
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53:
        made += [float(value), str(value)] * 2
    if isinstance(value, dict | list) and path:
        made += [json.dumps(value, ensure_ascii=False)] * 4
    changes: list[Any] = [st.sampled_from(made)]
    if isinstance(value, dict):
        changes += [_keys_changed(value)] * 2
    if isinstance(value, list) and value:
        changes += [st.sampled_from([value[1:], [*value, value[0]], value * 6, [*value, None]])]
    if path and isinstance(value, str):
        changes += [st.sampled_from([value + "\n", value[:-1], value * 2, value.swapcase(), " " + value])]
    return put(whole, path, draw(st.one_of(changes)))


def _keys_changed(value: dict[str, Any]) -> SearchStrategy[Any]:
    stranger = st.sampled_from(["unknown", "", "$ref", "type", "self"]).map(lambda key: {**value, key: 1})
    if not value:
        return stranger
    keys = st.sampled_from(list(value))
    without = keys.map(lambda key: put(value, below("", key), MISSING))
    nulled = keys.map(lambda key: {**value, key: None})
    misspelt = keys.map(lambda key: {(k + "s" if k == key else k): item for k, item in value.items()})
    return stranger | without | nulled | misspelt
