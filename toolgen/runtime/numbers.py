"""JSON numbers, exactly: which texts are whole numbers, and which numbers divide which."""

from __future__ import annotations

import functools
import math
import re
from fractions import Fraction
from typing import Final

MOST_DIGITS: Final = 4300
"""Most digits of a number: as many as Python reads and writes by itself (``sys.int_info``)."""

_LARGE: Final = 10**30
_NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?)([0-9]+))?")


class Number(float):
    """A JSON number that was written with a fraction or an exponent. ``text`` is how it was written."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> Number:
        """The float nearest to ``text``, a number by RFC 8259; infinite where none is near."""
        self = super().__new__(cls, text)
        self.text = text
        return self

    def __reduce__(self) -> tuple[type[Number], tuple[str]]:
        return Number, (self.text,)


def whole(value: float) -> int | None:
    """The integer that a number is, exactly and from its text; None when it is none.

    A float that comes without a text has the one that Python writes it as: a mapping that was parsed and its JSON text
    are one input, so ``1e300`` is the integer with 300 zeros in both. Infinities and NaN are none, so that no huge
    integer is ever written out in full.
    """
    if isinstance(value, int):
        return value
    if not math.isfinite(value):
        return None
    return _whole_text(value.text if isinstance(value, Number) else float.__repr__(value))


def _whole_text(text: str) -> int | None:
    parts = _NUMBER.fullmatch(text)
    if parts is None:
        return None
    sign, integer, fraction, exponent_sign, exponent = parts.groups(default="")
    digits = (integer + fraction).lstrip("0")
    if not digits:
        return 0
    exponent = exponent.lstrip("0") or "0"
    if len(exponent) > 6:
        # Finite and not zero, so this can only be a tiny fraction: 1e-9999999.
        return None
    # The number is `digits` with the decimal point `places` digits from the right.
    places = len(fraction) - int(exponent_sign + exponent)
    if places > 0:
        if len(digits) <= places or digits[-places:].strip("0"):
            return None
        digits, places = digits[:-places], 0
    number: int = int(digits) * 10**-places
    return -number if sign else number


def is_multiple(value: int | float, step: int | float) -> bool:
    """Whether ``value`` is a whole multiple of ``step``, both taken as the decimals that they are written as.

    So 0.01 divides 19.99, which it does not in binary.
    """
    if isinstance(value, int) and isinstance(step, int):
        return value % step == 0
    if not all(isinstance(number, int) or math.isfinite(number) for number in (value, step)):
        return False
    exact = Fraction(value) if isinstance(value, int) else _fraction(float(value))
    return (exact / _fraction(step)).denominator == 1


def _fraction(number: int | float) -> Fraction:
    return Fraction(number) if isinstance(number, int) else _decimal_fraction(number)


@functools.lru_cache(maxsize=512)
def _decimal_fraction(number: float) -> Fraction:
    return Fraction(repr(number))


def is_seconds(value: object) -> bool:
    """Whether it is a number of seconds that can be waited for: not below 0, and finite as a float."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return 0 <= float(value) < math.inf
    except OverflowError:  # an integer that is too large for a float
        return False


def written(value: object) -> str:
    """A value as Python writes it; of a whole number that has too many digits, that it has."""
    if isinstance(value, int) and abs(value) >= _LARGE:
        return "a number of more than 30 digits"
    return repr(value)
