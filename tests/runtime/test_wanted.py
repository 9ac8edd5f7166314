from __future__ import annotations

from typing import Any

import pytest

from toolgen.runtime import formats
from toolgen.runtime.careful import Careful
from toolgen.runtime.issues import Issue

DATE = {"type": "string", "format": "date"}
UUID = {"type": "string", "format": "uuid"}
DECIMAL = {"type": "string", "pattern": formats.DECIMAL_PATTERN}
DATE_WORDS = 'a date such as "2026-11-30"'
UUID_WORDS = 'a UUID such as "123e4567-e89b-12d3-a456-426614174000"'


def object_of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def tagged(kind: str) -> dict[str, Any]:
    return object_of(kind={"enum": [kind], "description": f"It is a {kind}."})


VISIT: dict[str, Any] = {"description": "A visit.", "anyOf": [tagged("surgery"), tagged("checkup"), {"type": "null"}]}


def issue(schema: dict[str, Any], value: object) -> Issue:
    (found,) = Careful(schema).judge(value, lenient=False).issues
    return found


@pytest.mark.parametrize(
    ("schema", "wanted"),
    [
        (DATE, DATE_WORDS),
        ({"type": "string", "format": "date-time"}, 'a date and time with an offset such as "2026-11-30T14:30:00Z"'),
        (DECIMAL, 'a decimal number in a string, such as "12.50"'),
        ({"type": "string", "contentEncoding": "base64", "pattern": formats.base64_pattern(1, 3)}, "bytes as padded"),
        ({"type": "integer", "minimum": 1, "maximum": 100}, "an integer from 1 to 100"),
        ({"type": "integer", "minimum": 1}, "an integer of at least 1"),
        ({"type": "number", "exclusiveMinimum": 0, "maximum": 1.5}, "a number of at most 1.5 and above 0"),
        ({"type": ["integer", "null"], "multipleOf": 5}, "an integer that is a multiple of 5 or null"),
        ({"type": "integer", "minimum": -(10**40)}, "an integer"),
        ({"type": "string", "minLength": 1, "maxLength": 40}, "a string of 1 to 40 characters"),
        ({"type": "string", "pattern": "^[a-z]+$"}, "a string that matches ^[a-z]+$"),
        ({"type": "array", "minItems": 2, "maxItems": 2}, "an array of 2 items"),
        ({"enum": ["a", None]}, 'one of "a", null'),
        ({"anyOf": [DATE, {"type": "integer"}, UUID]}, f"{DATE_WORDS}, an integer or {UUID_WORDS}"),
        ({"allOf": [{"type": ["string", "null"]}, DATE]}, DATE_WORDS),
        (VISIT, 'null or an object with kind "surgery" or "checkup"'),
        ({}, "any JSON value"),
    ],
)
def test_the_words_of_what_is_missing_say_what_to_write(schema: dict[str, Any], wanted: str) -> None:
    found = issue(object_of(x=schema), {})
    assert found.message.startswith(f"is missing, and must be {wanted}")


@pytest.mark.parametrize(
    ("schema", "value", "message"),
    [
        (DECIMAL, 45.0, 'must be a decimal number in a string, such as "12.50", but is 45.0'),
        ({"type": "integer", "minimum": 1, "maximum": 100}, "5", 'must be an integer from 1 to 100, but is "5"'),
        ({"type": "integer", "minimum": 1, "maximum": 100}, 1.5, "must be an integer from 1 to 100, but is 1.5"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, 1.5, "must be a string or an integer, but is 1.5"),
        ({"anyOf": [DATE, UUID]}, "x", f'must be {DATE_WORDS} or {UUID_WORDS}, but is "x"'),
        (VISIT, 5, 'must be null or an object with kind "surgery" or "checkup", but is 5'),
    ],
)
def test_the_words_of_another_type_name_the_format_and_every_form(
    schema: dict[str, Any], value: object, message: str
) -> None:
    assert issue(schema, value).message == message


def test_a_value_that_fits_none_of_several_forms_breaks_what_the_nearest_form_says() -> None:
    found = issue({"anyOf": [{"enum": ["open", "closed"]}, DATE]}, "opened")
    assert (found.constraint, found.hint) == ("invalid_enum_value", 'Did you mean "open"?')


@pytest.mark.parametrize("value", [{}, {"kind": "x"}])
def test_a_tag_that_names_no_form_has_the_words_of_the_union_and_of_no_form(value: object) -> None:
    assert issue(VISIT, value).description == "A visit."


def test_a_union_of_itself_has_words() -> None:
    schema = {"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/B"}]}}}
    schema["$defs"]["B"] = {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/A"}]}  # type: ignore[index]
    assert issue(schema, "x").message == 'must be an integer or null, but is "x"'


@pytest.mark.parametrize(
    ("format_", "text", "reason"),
    [
        ("date", "2025-02-29", "no such day: 2025-02 has days 01 to 28"),
        ("date", "2025-13-01", "no such month"),
        ("date", "0000-01-01", "no such year"),
        ("date-time", "2025-02-30T09:30:00Z", "no such day"),
        ("date-time", "2025-02-01T24:00:00Z", "no such time: hours"),
        ("time", "12:60:00Z", "no such time: minutes"),
        ("time", "12:00:61Z", "no such time: seconds"),
        ("time", "12:00:00+25:00", "no such time: the hours of an offset"),
        ("time", "23:59:59.9999995-05:00", "no such time: to the microsecond the last is 23:59:59.999999"),
        ("date-time", "9999-12-31T23:59:59.9999999999Z", "the last is 9999-12-31T23:59:59.999999"),
    ],
)
def test_a_day_or_time_that_is_none_is_said_to_be_none(format_: str, text: str, reason: str) -> None:
    found = issue({"type": "string", "format": format_}, text)
    assert reason in found.message
    assert found.constraint == "invalid_format"


@pytest.mark.parametrize("text", ["30/11/2026", "2025-2-30", "2025-02-30 and more"])
def test_what_has_not_the_shape_of_a_day_is_told_the_shape(text: str) -> None:
    assert issue(DATE, text).message.startswith(f"must be {DATE_WORDS}")
