"""Families of hostile inputs for the tool of ``designs/hostile.py``, each of any size."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias

Family: TypeAlias = "Callable[[int], Any]"


def _repeated(before: str, item: str, after: str, separator: str = ",") -> Family:
    """Texts of one item over and over."""

    def made(size: int) -> str:
        return before + separator.join([item] * max(1, size // (len(item) + len(separator)))) + after

    return made


def _in_text(field: str, start: str, item: str, end: str = "") -> Family:
    return _repeated(f'{{"{field}": "{start}', item, f'{end}"}}', separator="")


def _keys(key: Callable[[int], str], before: str = "{", after: str = "}") -> Family:
    """Texts of many different keys."""

    def made(size: int) -> str:
        each = len(key(10_000)) + len('"": 1, ')
        return before + ", ".join(f'"{key(number)}": 1' for number in range(size // each)) + after

    return made


def _nested(levels: int, inner: Callable[[int], str]) -> Family:
    def made(size: int) -> str:
        tree = f'{{"label": "x", "children": [{inner(size)}]}}'
        for _ in range(levels):
            tree = f'{{"label": 5, "children": [{tree}]}}'
        return f'{{"tree": {tree}}}'

    return made


def _colliding(size: int) -> str:
    """Whole numbers that Python hashes alike: multiples of its modulus."""
    modulus = 2**61 - 1
    numbers = [modulus * number for number in range(1, max(2, size // 26))]
    return json.dumps({"distinct": numbers})


def _mapping(item: Callable[[], Any], bytes_each: int) -> Family:
    return lambda size: {"numbers": [item() for _ in range(size // bytes_each)]}


FAMILIES: dict[str, Family] = {
    "a long text": _in_text("text", "", "a"),
    "a long text of other scripts": _in_text("text", "", "語"),
    "a text of escapes": _in_text("text", "", "\\u00e9\\n"),
    "a text of lone surrogates": _in_text("text", "", "\\ud800"),
    "a text that is not closed": _repeated('{"text": "', "a", "", separator=""),
    "raw control characters": _in_text("text", "", "\n"),
    "broken UTF-8 at the end": lambda size: b'{"text": "' + b"a" * size + b'\xff"}',
    "broken UTF-8 everywhere": lambda size: b"\xff" * size,
    "a character cut off at the end": lambda size: b'{"numbers": [' + b"1," * (size // 2) + b'"\xc3',
    "brackets": lambda size: "[" * size,
    "brackets in a text": _in_text("text", "", "["),
    "quotes and backslashes": _in_text("text", "", '\\"\\\\'),
    "spaces": lambda size: " " * size,
    "words of nothing": _repeated("", "nul", "", separator=" "),
    "cut off in a list": _repeated('{"numbers": [', "1", ","),
    "a number without end": lambda size: f'{{"whole": {"9" * size}}}',
    "a fraction without end": lambda size: f'{{"steps": [0.{"3" * size}]}}',
    "numbers of 4,300 digits": _repeated('{"numbers": [', "9" * 4300, "]}"),
    "numbers of 4,300 digits under a bound": _repeated('{"anything": [', "9" * 4300, "]}"),
    "huge exponents": _repeated('{"steps": [', "1e999999999", "]}"),
    "integers with exponents": _repeated('{"numbers": [', "1e300", "]}"),
    "integers that hash alike": _colliding,
    "unknown keys": _keys(lambda number: f"unknown{number}"),
    "misspelt keys": _keys(lambda number: f"numbes{number}"),
    "long unknown keys": _keys(lambda number: f"numbers{number}" * 100),
    "one key many times": _repeated("{", '"whole": 1', "}"),
    "keys of a map": _keys(lambda number: f"key{number}", '{"words": {', '}, "x": 1}'),
    "faults in a list": _repeated('{"numbers": [', '"x"', "]}"),
    "misspelt members": _repeated('{"levels": [', '"midium"', "]}"),
    "unknown tags": _repeated('{"events": [', '{"kind": "x"}', "]}"),
    "forms without a tag": _repeated('{"events": [', "{}", "]}"),
    "faults deep down": _nested(40, _repeated("", '{"label": 1}', "")),
    "too deep at the end": lambda size: f'{{"numbers": [{"1," * (size // 2)}0], "anything": {"[" * 101}{"]" * 101}}}',
    "trees below a hundred levels": _nested(47, _repeated("", '{"label": "a"}', "")),
    "a list written as a text": lambda size: json.dumps({"numbers": f"[{'1,' * (size // 2)}1]"}),
    "a list that is none written as a text": lambda size: json.dumps({"numbers": f"[{'1,' * (size // 2)}"}),
    "arguments written as a text": lambda size: json.dumps(json.dumps({"numbers": [1] * (size // 3), "x": 1})),
    "a pattern at its worst": _in_text("word", "", "a"),
    "a pattern with many states": _in_text("part", "", "ab"),
    "an e-mail address": _in_text("mail", "a@", "a."),
    "a URI": _in_text("link", "a://", "a:"),
    "an IPv6 address": _in_text("host", "", "1:"),
    "digits of a decimal": _in_text("amount", "1.", "0", "x"),
    "a duration": _in_text("length", "PT", "1", "X"),
    "a time": _in_text("when", "2026-11-30T00:00:00.", "0", "X"),
    "a UUID": _in_text("id", "", "0"),
    "base64 with a fault at its end": _in_text("data", "", "AAAA", "!"),
    "a member that is none": _in_text("level", "", "medium"),
    "a mapping of foreign objects": _mapping(object, 16),
    "a mapping of NaN": _mapping(lambda: float("nan"), 24),
    "a mapping of texts": _mapping(lambda: "text", 8),
}
"""By name: an input of about so many bytes."""
