"""Values → Python literals. No text of a design can become code: everything is printed from a value."""

from __future__ import annotations

import re
import textwrap

from toolgen.ir import Json


def text_literal(text: str) -> str:
    """A string as one double-quoted literal in printable characters."""
    return '"' + "".join(_escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    return char if char.isprintable() else repr(char)[1:-1]


def bytes_literal(data: bytes) -> str:
    """Bytes as one double-quoted literal."""
    return 'b"' + "".join(_escaped_byte(byte) for byte in data) + '"'


def _escaped_byte(byte: int) -> str:
    char = chr(byte)
    if char in '"\\':
        return "\\" + char
    return char if 32 <= byte < 127 else f"\\x{byte:02x}"


def json_literal(value: Json) -> str:
    """A JSON value as a Python expression that builds it."""
    match value:
        case str():
            return text_literal(value)
        case list():
            return "[" + ", ".join(json_literal(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{text_literal(k)}: {json_literal(v)}" for k, v in value.items()) + "}"
    return repr(value)


def tuple_literal(items: list[str]) -> str:
    """Expressions as a tuple."""
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def docstring(text: str, indent: int, width: int = 88) -> str:
    """Text as a docstring whose first line stands at ``indent`` columns; long lines are wrapped.

    It is for readers alone: the text to the letter stands in the schema.
    """
    lines: list[str] = []
    for line in _without_quotes_that_end_it(text.strip().replace("\\", "\\\\")).split("\n"):
        escaped = "".join(char if char.isprintable() else repr(char)[1:-1] for char in line.rstrip())
        room = max(width - indent - (0 if lines else 3), 20)
        lines += textwrap.wrap(escaped, room, break_long_words=False, break_on_hyphens=False) or [""]
    tail = "\n" + " " * indent if len(lines) > 1 or indent + len(lines[0]) + 6 > width else ""
    body = ("\n" + " " * indent).join(lines)
    return f'"""{body}{tail}"""'.replace(f"\n{' ' * indent}\n", "\n\n")


def _without_quotes_that_end_it(text: str) -> str:
    return re.sub(r'"{3,}|"+\Z', lambda quotes: '\\"' * len(quotes[0]), text)


def block_literal(text: str) -> str:
    """Text of several lines as a triple-quoted literal that reads as it stands."""
    lines = ["".join(_in_block(char) for char in line) for line in text.split("\n")]
    return '"""\\\n' + "\n".join(lines).replace('"""', '""\\"') + '\\\n"""'


def _in_block(char: str) -> str:
    if char == "\\":
        return "\\\\"
    return char if char.isprintable() else repr(char)[1:-1]
