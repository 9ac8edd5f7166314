from __future__ import annotations

import pickle
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgen.runtime.equality import first_duplicates, key
from toolgen.runtime.numbers import Number, is_multiple, whole


@pytest.mark.parametrize(
    ("text", "integer"),
    [
        ("25.0", 25),
        ("1e3", 1000),
        ("-1.50E1", -15),
        ("9007199254740993.0", 9007199254740993),
        ("0e-5", 0),
        ("-0.0", 0),
        ("0.0e99999999999999999999", 0),
        ("1e22", 10**22),
        ("123.4500e2", 12345),
        ("1e-400", None),
        ("1e-99999999999999999999", None),
        ("20.5", None),
        ("25.00000000000000000001", None),
        ("1e400", None),
        ("1e999999999", None),
    ],
)
def test_a_number_is_whole_by_its_text(text: str, integer: int | None) -> None:
    assert whole(Number(text)) == integer


@given(st.integers(-(10**25), 10**25), st.integers(0, 20), st.integers(-25, 25))
def test_whole_agrees_with_decimals(digits: int, places: int, exponent: int) -> None:
    text = f"{Decimal(digits).scaleb(-places):f}"
    text = f"{text}e{exponent}" if exponent or "." not in text else text
    exact = Decimal(text)
    assert whole(Number(text)) == (int(exact) if exact == exact.to_integral_value() else None)


@pytest.mark.parametrize(("value", "integer"), [(25.0, 25), (1e300, 10**300), (0.5, None), (float("nan"), None)])
def test_a_float_without_a_text_is_whole_by_the_text_that_python_writes(value: float, integer: int | None) -> None:
    assert whole(value) == integer


def test_a_number_survives_pickling() -> None:
    again = pickle.loads(pickle.dumps(Number("1.50")))
    assert (again, again.text) == (1.5, "1.50")


@pytest.mark.parametrize(
    ("value", "step", "divides"),
    [
        (19.99, 0.01, True),
        (19.995, 0.01, False),
        (0.0075, 0.0001, True),
        (0.00751, 0.0001, False),
        (10**400, 7, False),
        (12391239123, 1e-8, True),
        (1e308, 0.123456789, False),
        (1e308, 0.5, True),
        (0, 0.3, True),
        (-9, 3, True),
        (4.5, 1.5, True),
        (35, 1.5, False),
        (float("inf"), 2, False),
    ],
)
def test_multiples_are_decimal(value: float, step: float, divides: bool) -> None:
    assert is_multiple(value, step) is divides


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**6), st.integers(0, 6))
def test_multiples_agree_with_decimals(count: int, step: int, places: int) -> None:
    exact = Decimal(step).scaleb(-places)
    assert is_multiple(float(exact * count), float(exact)) or float(exact * count) != exact * count


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ([1], [True], False),
        ({"a": 1, "b": [2]}, {"b": [2.0], "a": 1}, True),
        ("1", 1, False),
        (None, False, False),
        (0.0, -0.0, True),
        (9007199254740993, Number("9007199254740993.0"), True),
        (9007199254740992, Number("9007199254740993.0"), False),
        ([], {}, False),
        ("sx", "x", False),
    ],
)
def test_equality_is_that_of_json(left: object, right: object, equal: bool) -> None:
    assert (key(left) == key(right)) is equal


def test_the_first_duplicate_is_found() -> None:
    assert first_duplicates([1, 2, [3], 1.0, [3.0]]) == (0, 3)
    assert first_duplicates([1, True, "1", None]) is None


def test_integers_that_hash_alike_are_no_slower() -> None:
    modulus = 2**61 - 1
    assert len({hash(key(modulus * n)) for n in range(1000)}) == 1000
