"""Literals and enumerations of every kind that share a union with another JSON type."""

from __future__ import annotations

import enum
from typing import Literal

from toolgen.dsl import Record, Toolset, field

unions = Toolset("unions", "Unions of enumerations.")


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


@unions.tool()
class Literals:
    """Takes unions of Literals."""

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
