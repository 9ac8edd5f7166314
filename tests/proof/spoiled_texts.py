"""JSON texts with something wrong in them: cut off, bytes put in and taken out, what no JSON has."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence

Spoil = Callable[[str, random.Random], "bytes | str"]


def spoiled(texts: Sequence[str], chance: random.Random, number: int) -> Iterator[bytes | str]:
    """So many texts, each spoiled in a way of its own."""
    ways = list(WAYS)
    for index in range(number):
        text = chance.choice(texts)
        yield ways[(index + chance.randrange(len(ways))) % len(ways)](text, chance)


def _at(text: str, chance: random.Random) -> int:
    return chance.randrange(len(text) + 1)


def cut_off(text: str, chance: random.Random) -> str:
    return text[: _at(text, chance)]


def cut_off_bytes(text: str, chance: random.Random) -> bytes:
    data = text.encode()
    return data[: chance.randrange(len(data) + 1)]


def with_a_byte(text: str, chance: random.Random) -> bytes:
    data = text.encode()
    at = chance.randrange(len(data) + 1)
    return data[:at] + bytes([chance.randrange(256)]) + data[at:]


def with_a_byte_changed(text: str, chance: random.Random) -> bytes:
    data = bytearray(text.encode())
    data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def with_a_character(text: str, chance: random.Random) -> str:
    at = _at(text, chance)
    return text[:at] + chance.choice(CHARACTERS) + text[at:]


def without_a_character(text: str, chance: random.Random) -> str:
    at = _at(text, chance)
    return text[:at] + text[at + 1 :]


def with_a_value_swapped(text: str, chance: random.Random) -> str:
    """Some value after a colon is another."""
    places = [index for index, char in enumerate(text) if char == ":"]
    if not places:
        return chance.choice(VALUES)
    at = chance.choice(places) + 1
    end = next((i for i in range(at, len(text)) if text[i] in ",}"), len(text))
    return text[:at] + chance.choice(VALUES) + text[end:]


def with_a_key_twice(text: str, chance: random.Random) -> str:
    return text[:-1] + "," + text[1:] if len(text) > 2 else text


def with_text_around(text: str, chance: random.Random) -> str:
    return (
        chance.choice(("\ufeff", " \n\t", "```json\n", "// x\n", "\x00")) + text + chance.choice(("", "\n", "x", "{}"))
    )


def in_a_string(text: str, chance: random.Random) -> str:
    return json.dumps(text)


def integers_as_floats(text: str, chance: random.Random) -> str:
    return re.sub(r"(?<=: )-?[0-9]+(?=[,}])", lambda found: found[0] + chance.choice((".0", "e0", "E+1", "0e-1")), text)


CHARACTERS = ("\ud800", "\x00", "\n", "\\", '"', "{", "}", "[", "]", ",", ":", "\u2028", "é", "😀", "-", "0", "e", "'")
VALUES = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e400",
    "-1e400",
    "1e999999999",
    "0.1e1",
    "-0",
    "-0.0",
    "01",
    "+1",
    ".5",
    "1.",
    "25.0",
    "1e3",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551616",
    "1e-400",
    "9" * 400,
    "9" * 4301,
    '"\\ud800"',
    '"\\ud83d\\ude00"',
    '"\\u0000"',
    '"\\x"',
    "null",
    "true",
    "false",
    "[]",
    "{}",
    '""',
    '"null"',
    '"[]"',
    '"{}"',
    '"{\\"n\\": 1}"',
    "[" * 101 + "]" * 101,
    "[[" * 40 + "]]" * 40,
    "tru",
    "None",
    "'a'",
    "[1,]",
    '{"a":1,}',
    '{"a":1,"a":2}',
    "0x10",
    "1_000",
)
WAYS: tuple[Spoil, ...] = (
    cut_off,
    cut_off_bytes,
    with_a_byte,
    with_a_byte_changed,
    with_a_character,
    without_a_character,
    with_a_value_swapped,
    with_a_value_swapped,
    with_a_value_swapped,
    with_a_key_twice,
    with_text_around,
    in_a_string,
    integers_as_floats,
)
