"""What is written of an input, by its schema alone: each value in its place, and the defaults that the schema names.

It shares no code with the codecs, which have one transform for both lanes and would agree on a wrong default.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from typing import Any

from outside_judge import outside_judge

RESPELLED = {"date-time", "time", "duration", "uuid"}
"""Formats with more than one text for a value."""


class WrittenOut:
    """Tells what the codec of a schema should write of an input that it takes."""

    def __init__(self, schema: Any) -> None:
        self._root = schema
        self._defs = schema.get("$defs", {})
        self._judges: dict[int, Callable[[Any], bool]] = {}

    def is_of(self, given: Any, written: Any) -> bool:
        """Whether ``written`` is what should be written of ``given``."""
        return self._agree(self._root, given, written)

    def _agree(self, schema: Any, given: Any, written: Any) -> bool:
        form = self._form(schema, given)
        if isinstance(given, dict) and "properties" in form:
            return self._properties(form["properties"], given, written)
        if isinstance(given, dict) and isinstance(form.get("additionalProperties"), dict):
            values = form["additionalProperties"]
            return given.keys() == written.keys() and all(self._agree(values, given[k], written[k]) for k in given)
        if isinstance(given, list) and "items" in form:
            return len(given) == len(written) and all(
                self._agree(form["items"], item, other) for item, other in zip(given, written, strict=True)
            )
        if isinstance(given, str) and form.get("contentEncoding") == "base64":  # two bits of its end may say nothing
            return isinstance(written, str) and b64decode(given) == b64decode(written)
        if isinstance(given, str) and (form.get("format") in RESPELLED or _is_decimal(form)):
            return isinstance(written, str)
        return _same(given, written)

    def _properties(self, properties: Any, given: Any, written: Any) -> bool:
        """What was left out is there by its default, or else not at all; null may stand for what was left out."""
        for key, schema in properties.items():
            value, other = given.get(key, schema.get("default")), written.get(key)
            if value is None and (other is not None or (key not in written and "default" in schema)):
                return False
            if value is not None and not self._agree(schema, value, other):
                return False
        return bool(written.keys() <= properties.keys())

    def _form(self, schema: Any, given: Any) -> Any:
        """The schema of the value's own form: behind references, in the arm that takes it."""
        if "$ref" in schema:
            return self._form(self._defs[schema["$ref"].removeprefix("#/$defs/")], given)
        if "anyOf" in schema:
            return next(self._form(arm, given) for arm in schema["anyOf"] if self._takes(arm, given))
        if "allOf" in schema and "type" not in schema:
            return self._form(schema["allOf"][0], given)
        return schema

    def _takes(self, arm: Any, given: Any) -> bool:
        judge = self._judges.get(id(arm))
        if judge is None:
            judge = self._judges[id(arm)] = outside_judge({**arm, "$defs": self._defs})
        return judge(given)


def _is_decimal(form: Any) -> bool:
    return "pattern" in form and "[eE]" in form["pattern"]


def _same(given: Any, written: Any) -> bool:
    if isinstance(given, float) or isinstance(written, float):
        return type(written) in (int, float) and float(given) == float(written)
    if isinstance(given, list) and isinstance(written, list):
        return len(given) == len(written) and all(map(_same, given, written))
    if isinstance(given, dict) and isinstance(written, dict):
        return given.keys() == written.keys() and all(_same(given[key], written[key]) for key in given)
    return type(given) is type(written) and bool(given == written)
