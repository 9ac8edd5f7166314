"""Literals and enumerations of every kind, in lists and maps, and in unions with another JSON type."""

from __future__ import annotations

import enum
from typing import Literal

from toolgen.dsl import Record, Toolset, field, injected, restored

unions = Toolset("unions", "Literals and enumerations.")


class Word(enum.StrEnum):
    """Words alone."""

    A = "a"
    B = "b"


class Number(enum.IntEnum):
    """Numbers alone."""

    ONE = 1
    TWO = 2


class Mixed(enum.Enum):
    """Words and numbers."""

    A = "a"
    ONE = 1


class NumberOrNull(enum.Enum):
    """A number, or null."""

    ONE = 1
    NONE = None


class WordOrNull(enum.Enum):
    """A word, or null."""

    A = "a"
    NONE = None


class Point(Record):
    """A point."""

    x: int = field("d")


class Wide(enum.Enum):
    """Integers past 64 bits."""

    A = 9223372036854775808
    B = -9223372036854775809


class Least(enum.Enum):
    """The least integer of 64 bits."""

    A = -9223372036854775808


class Held(Record):
    """A Record that holds some."""

    int: Literal[9223372036854775808] = field("d")
    both: Literal[7, 18446744073709551616, "a", 1.5, None] = field("d", optional=True)


class First(Record):
    """A Record of a union."""

    tag: Literal[-9223372036854775808, 0] = field("d")
    of: Literal[-9223372036854775808] = field("d")


class Second(Record):
    """A Record of a union."""

    tag: Literal[9223372036854775807] = field("d")


@unions.tool()
class Literals:
    """Takes Literals."""

    class Input:
        word_int: Literal["a"] | int = field("d")
        word_bool: Literal["a", "b"] | bool = field("d")
        word_float: Literal["a"] | float = field("d")
        word_list: Literal["a"] | list[int] = field("d")
        word_map: Literal["a"] | dict[str, int] = field("d")
        word_record: Literal["a"] | Point = field("d", optional=True)
        word_none: Literal["a", None] | int = field("d")
        true_int: Literal[True] | int = field("d")
        true_str: Literal[True] | str | None = field("d")
        int_str: Literal[1, 2] | str = field("d")
        word_one_bool: Literal["a", 1] | bool = field("d")
        true_word_int: Literal[True, "x"] | int = field("d")
        float_str: Literal[1.5] | str = field("d")
        float_bool: Literal[1.5, 2] | bool = field("d", optional=True)
        one: Literal[1.5, "a"] | None = field("d", optional=True)
        many: list[Literal[1.5, "a"]] = field("d", default=[1.5])
        truths: list[Literal[1, True, "a"]] = field("d")
        by_name: dict[str, Literal[1, False]] = field("d")
        deep: list[list[Literal[2.5]]] = field("d")
        nullable: list[Literal[2.5, 1] | None] | None = field("d", keep_null=True, optional=True)
        null_too: list[Literal["a", 2.5, None]] = field("d")
        or_text: list[Literal[1.5, "a"]] | Literal["a", None] = field("d")
        or_list: Literal[1.5, 2] | list[Literal[1.5, "a"] | list[int]] = field("d")


@unions.tool()
class Enums:
    """Takes unions of enumerations."""

    class Input:
        word_int: Word | int = field("d", default=3)
        number_str: Number | str = field("d")
        number_bool: Number | bool = field("d")
        mixed_list: Mixed | list[int] = field("d", optional=True)
        mixed_bool: Mixed | bool = field("d", default=Mixed.A)
        mixed_record: Mixed | Point | None = field("d")
        number_null: Number | str | None = field("d", optional=True, keep_null=True)
        inside_list: list[Word | int] = field("d")
        inside_map: dict[str, Mixed | list[Word]] = field("d")
        none_str: NumberOrNull | str = field("d", default="x")
        none_int: WordOrNull | int = field("d", optional=True)
        none_bool: NumberOrNull | bool = field("d", optional=True)
        none_bools: list[NumberOrNull | bool] = field("d", optional=True)
        true_number: Literal[True] | Number = field("d", optional=True)
        three: Literal[True, "x"] | NumberOrNull | Point = field("d", optional=True)

    class Result:
        none_bool: NumberOrNull | bool = field("d", optional=True)


@unions.tool()
class Large:
    """Takes integers at the ends of 64 bits and past them."""

    class Input:
        most: Literal[9223372036854775807] = field("d")
        least: Literal[-9223372036854775808] = field("d")
        above: Literal[9223372036854775808] = field("d", default=9223372036854775808)
        below: Literal[-9223372036854775809] = field("d", optional=True)
        several: Literal[1, -9223372036854775808, 9223372036854775808] = field("d", default=1)
        with_null: Literal[1180591620717411303424] | None = field("d")
        in_list: list[Literal[1180591620717411303424, "a"]] = field("d", default=[1180591620717411303424])
        in_map: dict[str, Literal[-9223372036854775808]] = field("d", default={"a": -9223372036854775808})
        or_text: Literal[1180591620717411303424] | str = field("d")
        or_truth: Literal[1180591620717411303424, -2] | bool | Held = field("d", optional=True)
        wide: Wide = field("d", default=Wide.B)
        wide_or_text: Wide | str = field("d", default="a")
        negative: Least = field("d", default=Least.A)
        tagged: First | Second = field("d", optional=True)
        saved: Literal[9223372036854775808] = restored("d")
        given: Literal[-9223372036854775808] = injected("d")

    Result = list[Literal[9223372036854775808, 1]]
