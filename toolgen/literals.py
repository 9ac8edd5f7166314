"""Values → Python literals. No text of a design can become code: everything is printed from a value."""

from __future__ import annotations

import re
import textwrap

from toolgen.ir import Json


def text_literal(text: str) -> str:
    """A string as one literal in printable characters, double-quoted unless single quotes save escapes."""
    quote = _quote(text)
    return f"{quote}{printable(text.replace(_BACKSLASH, _BACKSLASH * 2)).replace(quote, _BACKSLASH + quote)}{quote}"


def bytes_literal(data: bytes) -> str:
    """Bytes as one literal, quoted as texts are."""
    text = data.decode("latin-1")
    quote = _quote(text)
    escaped = text.replace(_BACKSLASH, _BACKSLASH * 2).replace(quote, _BACKSLASH + quote)
    return (
        f"b{quote}{''.join(char if ' ' <= char <= '~' else f'{_BACKSLASH}x{ord(char):02x}' for char in escaped)}{quote}"
    )


_BACKSLASH = "\\"


def _quote(text: str) -> str:
    """The quotes that black settles on."""
    return "'" if text.count("'") < text.count('"') else '"'


# Controls, spaces other than the space, marks that turn or join text, surrogates, private and special characters. A
# list of our own: which characters Python holds to be printable differs from one version to the next.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\xa0\xad\u034f\u061c\u1680\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000"
    "\u3164\ud800-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)


def printable(text: str) -> str:
    """Text with escapes in place of what a reader could not see."""
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(lambda char: ascii(char[0])[1:-1], text)


def json_literal(value: Json) -> str:
    """A JSON value as a Python expression that builds it."""
    match value:
        case str():
            return text_literal(value)
        case list():
            return "[" + ", ".join(json_literal(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{text_literal(k)}: {json_literal(v)}" for k, v in value.items()) + "}"
        case float():
            return float_literal(value)
    return repr(value)


def float_literal(value: float) -> str:
    """A float that reads back as itself; no plus sign in the exponent, as black has it."""
    return repr(value).replace("e+", "e")


def tuple_literal(items: list[str]) -> str:
    """Expressions as a tuple."""
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def docstring(text: str, indent: int, width: int = 88) -> str:
    """Text as a docstring whose first line stands at ``indent`` columns; long lines are wrapped.

    It is for readers alone: the text to the letter stands in the schema.
    """
    lines = _wrapped(without_ending_quotes(text.strip().replace(_BACKSLASH, _BACKSLASH * 2)), width - indent)
    if lines[0].startswith('"'):
        lines[0] = f" {lines[0]}"
    if len(lines) == 1:
        return f'"""{lines[0]} """' if lines[0].endswith('"') else f'"""{lines[0]}"""'
    margin = " " * indent
    return '"""' + "\n".join([lines[0], *(f"{margin}{line}" if line else "" for line in lines[1:])]) + f'\n{margin}"""'


def _wrapped(text: str, width: int) -> list[str]:
    """The lines of a docstring; there is room for the quotes that open it, and for those that close its only line."""
    paragraphs = [printable(line.rstrip()) for line in text.split("\n")]
    taken = 6 if len(paragraphs) == 1 else 3
    lines: list[str] = []
    for paragraph in paragraphs:
        room = max(width - (0 if lines else taken), 20)
        if len(paragraph) <= room:
            lines.append(paragraph)
        else:
            lines += textwrap.wrap(paragraph, room, break_long_words=False, break_on_hyphens=False) or [""]
    return lines


def without_ending_quotes(text: str) -> str:
    """The text of a docstring with a backslash before each quote that could end it."""
    return re.sub(r'"{3,}|"+\Z', lambda quotes: '\\"' * len(quotes[0]), text)


def block_literal(text: str) -> str:
    """Text of several lines as a triple-quoted literal that reads as it stands."""
    lines = [printable(line.replace(_BACKSLASH, _BACKSLASH * 2)) for line in text.split("\n")]
    return '"""\\\n' + "\n".join(lines).replace('"""', '""\\"') + '\\\n"""'
