"""The JSON Schema Test Suite, draft 2020-12, run through the careful lane.

What is left out is listed with its reason, and each entry is checked to be still needed: a group or a case that passes
may not stand on a list of exceptions.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolgen.runtime.careful import Careful, SchemaError
from toolgen.runtime.patterns import PatternError

pytestmark = pytest.mark.once

SUITE = Path(__file__).parents[1] / "data" / "json-schema-test-suite"
FILES = sorted(path.relative_to(SUITE).as_posix() for path in SUITE.rglob("*.json"))

OTHER_DOCUMENT = "canonical schemas refer only to their own $defs; a schema with $id, $anchor or a URL never reaches it"
ASSERTED = "formats are asserted here; that they may also be annotations is the point of this group"
DIALECT = "the pattern is outside the dialect that designs may use, and is refused when it is loaded"
UNEVALUATED = "unevaluatedProperties is not used by canonical schemas, and refused in also"
LEAP = "a leap second has no Python datetime or time, so msgspec reads none"
NO_MONTHS = "a duration of years or months has no length; the pattern in the canonical schema leaves it out too"
EMAIL = "e-mail addresses are those of the HTML standard, not of RFC 5321: no quoted names, dots anywhere"
UUID = "msgspec reads a UUID without dashes; both lanes take it"

SKIPPED_GROUPS: dict[tuple[str, str], str] = {
    ("defs.json", "validate definition against metaschema"): OTHER_DOCUMENT,
    **dict.fromkeys(
        [
            ("ref.json", group)
            for group in (
                "remote ref, containing refs itself",
                "Recursive references between schemas",
                "refs with relative uris and defs",
                "relative refs with absolute uris and defs",
                "$id must be resolved against nearest parent, not just immediate parent",
                "order of evaluation: $id and $ref",
                "order of evaluation: $id and $anchor and $ref",
                "simple URN base URI with $ref via the URN",
                "URN base URI with URN and JSON pointer ref",
                "URN base URI with URN and anchor ref",
                "URN ref with nested pointer ref",
                "ref to if",
                "ref to then",
                "ref to else",
                "ref with absolute-path-reference",
            )
        ],
        OTHER_DOCUMENT,
    ),
    **dict.fromkeys(
        [
            ("optional/ecmascript-regex.json", group)
            for group in (
                "ECMA 262 regex escapes control codes with \\c and upper letter",
                "ECMA 262 regex escapes control codes with \\c and lower letter",
                "patterns always use unicode semantics with pattern",
                "pattern with non-ASCII digits",
                "patterns always use unicode semantics with patternProperties",
                "patternProperties with non-ASCII digits",
            )
        ],
        DIALECT,
    ),
}

OTHER_OUTCOME: dict[tuple[str, str], str] = {
    ("not.json", "unevaluated property"): UNEVALUATED,
    ("ref.json", "referenced subschema doesn't see annotations from properties"): UNEVALUATED,
    ("format/date-time.json", "a valid date-time with a leap second, UTC"): LEAP,
    ("format/date-time.json", "a valid date-time with a leap second, with minus offset"): LEAP,
    ("format/time.json", "a valid time string with leap second, Zulu"): LEAP,
    ("format/time.json", "valid leap second, zero time-offset"): LEAP,
    ("format/time.json", "valid leap second, positive time-offset"): LEAP,
    ("format/time.json", "valid leap second, large positive time-offset"): LEAP,
    ("format/time.json", "valid leap second, negative time-offset"): LEAP,
    ("format/time.json", "valid leap second, large negative time-offset"): LEAP,
    ("format/duration.json", "four years duration"): NO_MONTHS,
    ("format/duration.json", "one month duration"): NO_MONTHS,
    ("format/email.json", "a quoted string with a space in the local part is valid"): EMAIL,
    ("format/email.json", "a quoted string with a double dot in the local part is valid"): EMAIL,
    ("format/email.json", "a quoted string with a @ in the local part is valid"): EMAIL,
    ("format/email.json", "an IPv4-address-literal after the @ is valid"): EMAIL,
    ("format/email.json", "an IPv6-address-literal after the @ is valid"): EMAIL,
    ("format/email.json", "dot before local part is not valid"): EMAIL,
    ("format/email.json", "dot after local part is not valid"): EMAIL,
    ("format/email.json", "two subsequent dots inside local part are not valid"): EMAIL,
    ("format/uuid.json", "no dashes"): UUID,
    **{
        ("format.json", f"invalid {name} string is only an annotation by default"): ASSERTED
        for name in ("email", "ipv4", "ipv6", "date", "date-time", "time", "uri", "uuid", "duration")
    },
}


def groups(file: str) -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = json.loads((SUITE / file).read_text(encoding="utf-8"))
    return read


@pytest.mark.parametrize("file", FILES)
def test_the_careful_lane_judges_as_the_suite_does(file: str) -> None:
    wrong = []
    for group in groups(file):
        if (file, group["description"]) in SKIPPED_GROUPS:
            continue
        careful = Careful(group["schema"])
        for case in group["tests"]:
            outcomes = {
                not careful.read(json.dumps(case["data"]), lenient=False).issues,
                not careful.judge(case["data"], lenient=False).issues,
            }
            as_expected = outcomes == {case["valid"]}
            if as_expected == ((file, case["description"]) in OTHER_OUTCOME):
                wrong.append((group["description"], case["description"], case["valid"]))
    assert not wrong


def test_what_is_left_out_can_not_be_judged() -> None:
    schemas = {(file, group["description"]): group for file in FILES for group in groups(file)}
    for name in SKIPPED_GROUPS:
        group = schemas[name]
        with pytest.raises((SchemaError, PatternError)):
            judge_all(Careful(group["schema"]), group["tests"])


def judge_all(careful: Careful, cases: list[dict[str, Any]]) -> None:
    for case in cases:
        careful.judge(case["data"], lenient=False)


def test_every_case_that_is_named_stands_in_the_suite() -> None:
    cases = {(file, case["description"]) for file in FILES for group in groups(file) for case in group["tests"]}
    assert set(OTHER_OUTCOME) <= cases
    assert len(cases) > 1_000
