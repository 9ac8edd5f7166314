from __future__ import annotations

import base64
import datetime
import itertools
import re
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import jsonschema
import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolgen.runtime import formats, patterns
from toolgen.runtime.careful import Careful

DURATION = patterns.compile(formats.DURATION_PATTERN)
DECIMAL = patterns.compile(formats.DECIMAL_PATTERN)


# Durations


def test_hours_minutes_and_seconds_may_each_be_left_out_but_not_all() -> None:
    for given_parts in itertools.product(*(("", part) for part in ("1D", "T", "2H", "3M", "4S", "5.25S"))):
        text = "P" + "".join(given_parts)
        _, letter, *clock = given_parts
        whole = bool(letter) == any(clock) and text != "P" and not (clock[-1] and clock[-2])
        assert DURATION.search(text) == whole, text


@given(st.timedeltas())
@example(timedelta.max)
@example(timedelta.min)
@example(timedelta.min + timedelta.resolution)
@example(timedelta(0))
@example(-timedelta(days=100_000_000, microseconds=1))
@example(timedelta(days=100_000_000, hours=1))
def test_every_duration_comes_back(value: timedelta) -> None:
    text = formats.duration_to_text(value)
    assert DURATION.search(text)
    assert formats.duration_from_text(text) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (timedelta(0), "PT0S"),
        (timedelta(days=1, hours=2, minutes=30), "P1DT2H30M"),
        (timedelta(seconds=-90), "-PT1M30S"),
        (timedelta(milliseconds=1500), "PT1.5S"),
        (timedelta(weeks=2), "P14D"),
        (timedelta.max, "P999999999DT23H59M59.999999S"),
        (timedelta.min, "-P999999999D"),
    ],
)
def test_durations_are_written_canonically(value: timedelta, text: str) -> None:
    assert formats.duration_to_text(value) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("P2W", timedelta(weeks=2)),
        ("+PT90M", timedelta(minutes=90)),
        ("-P1D", timedelta(days=-1)),
        ("PT1H1S", timedelta(hours=1, seconds=1)),
        ("PT0.000001S", timedelta(microseconds=1)),
        ("-P0DT1.25S", timedelta(seconds=-1.25)),
        ("P99999999W", timedelta(weeks=99_999_999)),
        ("P-999999999DT00H00M01S", timedelta(days=-999_999_999, seconds=1)),
    ],
)
def test_durations_are_read(text: str, value: timedelta) -> None:
    assert formats.duration_from_text(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "P",
        "PT",
        "P1",
        "1D",
        "P1Y",
        "P1M",
        "P1DT",
        "P1W2D",
        "P1.5D",
        "PT1.5H",
        "PT1.S",
        "PT.5S",
        "PT1.1234567S",
        "p1d",
        "P1D\n",
        " P1D",
        "--P1D",
        "P-1D",
        "P-1DT1H",
        "PT1M1H",
        "P1D1D",
        "P9999999999D",
        "-P999999999DT00H00M01S",
        "P\u0661D",
    ],
)
def test_other_texts_are_no_durations(text: str) -> None:
    assert not DURATION.search(text)
    with pytest.raises(ValueError, match="not a duration"):
        formats.duration_from_text(text)


@given(st.from_regex(formats.DURATION_PATTERN[:-1] + r"\Z"))
def test_what_matches_the_duration_pattern_is_read(text: str) -> None:
    value = formats.duration_from_text(text)
    assert formats.duration_from_text(formats.duration_to_text(value)) == value
    assert formats.check("duration", text) is None


@given(st.text(alphabet="+-PTWDHMS.0129", max_size=12))
def test_the_duration_pattern_is_exact(text: str) -> None:
    assert DURATION.search(text) == (formats.check("duration", text) is None) == reads(formats.duration_from_text, text)


def reads(reader: object, text: str) -> bool:
    try:
        reader(text)  # type: ignore[operator]
    except ValueError:
        return False
    return True


# Decimals


@given(st.decimals(allow_nan=False, allow_infinity=False))
@example(Decimal("-0"))
@example(Decimal("1.500"))
@example(Decimal("0E-9999"))
@example(Decimal("1E+9999"))
@example(Decimal("1." + "0" * 12_000))
@example(Decimal("1E-20000"))
def test_every_decimal_comes_back_to_the_digit(value: Decimal) -> None:
    text = formats.decimal_to_text(value)
    assert DECIMAL.search(text)
    assert formats.decimal_from_text(text).as_tuple() == value.as_tuple()


@given(st.from_regex(formats.DECIMAL_PATTERN[:-1] + r"\Z"))
@example("100E9998")
def test_what_matches_the_decimal_pattern_comes_back(text: str) -> None:
    value = formats.decimal_from_text(text)
    assert formats.decimal_from_text(formats.decimal_to_text(value)).as_tuple() == value.as_tuple()


@pytest.mark.parametrize(
    "text", ["NaN", "Infinity", "1e99999", "", ".5", "1.", "+1", "1_000", " 1", "1\n", "\u0661", "0x1", "1e", "--1"]
)
def test_other_texts_are_no_decimals(text: str) -> None:
    assert not DECIMAL.search(text)
    with pytest.raises(ValueError, match="not a decimal"):
        formats.decimal_from_text(text)


@pytest.mark.parametrize("value", ["NaN", "sNaN", "Infinity", "-Infinity", "1E+10000", "1E-999999999", "1E+999999999"])
def test_decimals_without_a_text_are_refused(value: str) -> None:
    with pytest.raises(ValueError, match=r"finite|exponent"):
        formats.decimal_to_text(Decimal(value))


# Base64


@given(st.text(alphabet="Aa9+/=Z-_ \n", max_size=9))
@example("YR==")
@example("AA=A")
def test_base64_is_what_msgspec_reads(text: str) -> None:
    try:
        read = len(msgspec.convert(text, bytes))
    except msgspec.ValidationError:
        read = None
    assert formats.is_base64(text) == (read is not None)
    assert patterns.compile(formats.BASE64_PATTERN).search(text) == (read is not None)
    assert read is None or formats.base64_size(text) == read


@given(st.binary(max_size=20), st.integers(0, 12), st.none() | st.integers(0, 12))
def test_the_base64_pattern_counts_bytes(value: bytes, least: int, more: int | None) -> None:
    most = None if more is None else least + more
    pattern = formats.base64_pattern(least, most)
    text = base64.b64encode(value).decode()
    fits = least <= len(value) and (most is None or len(value) <= most)
    assert patterns.compile(pattern).search(text) == fits
    assert (re.search(pattern, text) is not None) == fits
    assert not patterns.compile(pattern).search(text + "!")


SIZES = st.integers(0, 20) | st.integers(740, 760) | st.integers(10_000, 10_009)


@given(SIZES, st.none() | st.integers(0, 5) | SIZES, st.data())
def test_base64_keywords_take_the_bytes_that_are_within_bounds_in_every_validator(
    least: int, more: int | None, data: st.DataObject
) -> None:
    most = None if more is None else least + more
    schema = {"type": "string", "contentEncoding": "base64", **formats.base64_keywords(least, most)}
    assert formats.base64_sizes(schema) == (least, most)
    size = max(0, data.draw(st.sampled_from([least, most or least])) + data.draw(st.integers(-4, 4)))
    text = base64.b64encode(b"x" * size).decode()
    fits = least <= size and (most is None or size <= most)
    assert jsonschema.Draft202012Validator(schema).is_valid(text) == fits
    assert not jsonschema.Draft202012Validator(schema).is_valid(text + "!")
    plain = {word: value for word, value in schema.items() if word != "contentEncoding"}  # read as any other text
    assert (not Careful(plain).judge(text, lenient=False).issues) == fits
    issues = Careful(schema).judge(text, lenient=False).issues
    assert [issue.constraint for issue in issues] == ([] if fits else ["invalid_length"])


@given(st.integers(0, 5000), st.none() | st.integers(0, 5000))
def test_the_bounds_of_a_base64_pattern_can_be_read_back(least: int, more: int | None) -> None:
    most = None if more is None else least + more
    assert formats.base64_bounds(formats.base64_pattern(least, most)) == (least, most)


@pytest.mark.parametrize("pattern", ["", "^a$", "^(?:(?:[A-Za-z0-9+/]{4}){1,2}x)$", formats.BASE64_PATTERN + "x"])
def test_other_patterns_have_no_base64_bounds(pattern: str) -> None:
    assert formats.base64_bounds(pattern) is None


# Fractions of a second

CLOCKS = st.tuples(
    st.sampled_from([0, 1, 12, 23]),
    st.sampled_from([0, 59]),
    st.sampled_from([0, 58, 59]),
    st.one_of(st.text("0123456789", max_size=12), st.text("9", max_size=9), st.sampled_from(["9999995", "9999994"])),
)


def microseconds(value: datetime.time | datetime.datetime) -> int:
    return ((value.hour * 60 + value.minute) * 60 + value.second) * 1_000_000 + value.microsecond


@given(CLOCKS)
def test_a_time_of_day_is_read_to_the_nearest_microsecond_of_its_day(clock: tuple[int, int, int, str]) -> None:
    hour, minute, second, fraction = clock
    text = f"{hour:02}:{minute:02}:{second:02}{'.' if fraction else ''}{fraction}Z"
    exact = ((hour * 60 + minute) * 60 + second) * 1_000_000 + Fraction(
        int(fraction or 0), 10 ** len(fraction)
    ) * 1_000_000
    try:
        value = formats.time_from_text(text)
    except ValueError:
        assert exact >= 24 * 60 * 60 * 1_000_000 - Fraction(1, 2)
        assert formats.check("time", text) is not None
        return
    assert abs(microseconds(value) - exact) <= Fraction(1, 2)
    assert formats.check("time", text) is None
    assert formats.time_from_text(formats.time_to_text(value)) == value


# Named formats


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date", ["2026-11-30", "2024-02-29"], ["2026-02-29", "30/11/2026", "2026-11-30T00:00:00Z", "", "0000-01-01"]),
        ("time", ["14:30:00Z", "14:30:00.5+01:00"], ["14:30:00", "14:30", "24:00:00Z", "14:30:60Z"]),
        ("time", ["23:59:59.9999994999Z", "00:00:00.0000001Z"], ["23:59:59.9999995Z", "23:59:59.99999999999z"]),
        (
            "date-time",
            ["2026-11-30T14:30:00Z", "2026-11-30T14:30:00.123456789+01:00", "0001-01-01T00:00:00+23:59"],
            [
                "2026-11-30T14:30:00",
                "2026-11-30",
                "9999-12-31T23:59:59.9999999Z",
                "2026-11-30T14:30:00+24:00",
                "\ud800",
            ],
        ),
        (
            "uuid",
            ["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"],
            ["123e4567", "urn:uuid:1", ""],
        ),
        ("duration", ["P1D", "PT1.5S"], ["1d", "P1Y"]),
        (
            "ipv4",
            ["192.0.2.1"],
            ["192.0.2", "192.0.2.01", "192.0.2.256", "192.0.2.1/32", "\u0661.0.0.1", "192.0.2.1\n"],
        ),
        ("ipv6", ["::1", "2001:db8::1", "::ffff:192.0.2.1"], ["fe80::1%eth0", "12345::", ":::", "1::2::3", "::1/64"]),
        (
            "uri",
            [
                "https://example.org/a?b=c#d",
                "urn:isbn:0451450523",
                "mailto:ada@example.org",
                "ftp://u:p@[::1]:21/",
                "a:",
                "http://[v1.x]/",
                "http://a/%20",
                "file:///etc",
                "http:///x",
            ],
            [
                "example.org",
                "/a",
                "http://a b",
                "http://a/%2",
                "http://[::1",
                "http://[1]/",
                "http://é/",
                "",
                ":a",
                "1a:b",
                "http://a/\n",
                "http://a:port/",
                "http://a#b#c",
                "http://a/<b>",
            ],
        ),
        (
            "email",
            ["ada@example.org", "a.b+c@x", "o'neil@mail.example.org"],
            ["ada", "@x", "a@", "a@-x", "a@x-", "a b@x", "a@x..y", "a@x\n", f"a@{'x' * 64}", "a@b@c", "é@x"],
        ),
    ],
)
def test_formats_are_checked(name: str, good: list[str], bad: list[str]) -> None:
    for text in good:
        assert formats.check(name, text) is None, text
    for text in bad:
        instead = formats.check(name, text)
        assert instead is not None, text
        assert '"' in instead


def test_the_formats_of_the_design_language_are_checked() -> None:
    assert set(formats.FORMATS) == {"ipv4", "ipv6", "uri", "email"}
    assert formats.FORMATS <= formats.ASSERTED


def test_a_format_that_is_not_checked_takes_any_text() -> None:
    assert formats.check("hostname", "!") is None


@pytest.mark.parametrize("name", sorted(formats.ASSERTED))
@given(text=st.text(max_size=30))
def test_no_text_makes_a_check_fail(name: str, text: str) -> None:
    assert formats.check(name, text) in (None, formats.check(name, "\0"))


@pytest.mark.parametrize("name", sorted(formats.ASSERTED))
@pytest.mark.parametrize(
    "text", ["a" * 300_000, "a:" * 150_000, "a@" + "a." * 150_000, "http://" + "a%20" * 75_000 + " ", ":" * 300_000]
)
def test_long_texts_are_judged_at_once(name: str, text: str) -> None:
    # A backtracking or quadratic check would not come to an end within the time that a test run has.
    formats.check(name, text)
