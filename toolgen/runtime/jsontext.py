"""JSON text to values (RFC 8259), with what it takes to judge the text afterwards.

Numbers keep their text, lone surrogates are kept, and a text that is no JSON is told apart: cut off, or malformed.
All of it takes time linear in the text's length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias, TypeGuard

from toolgen.runtime.issues import Constraint, Issue, Mend, PayloadError
from toolgen.runtime.numbers import MOST_DIGITS, Number

MAX_DEPTH: Final = 100
"""Most levels of nested arrays and objects."""

Text: TypeAlias = "bytes | bytearray | memoryview | str"

_BOM: Final = "\ufeff"
_MARKED: Final = Mend("", "a leading byte order mark")
_RAW: Final = Mend("", "raw control characters in strings")


class Parsed(NamedTuple):
    """A value, as the ``json`` module gives it but with ``Number`` for float, and what was mended to read it."""

    value: Any
    notes: tuple[Mend, ...] = ()


class _Refused(ValueError):
    """What Python's scanner would take and JSON, or this module, does not."""


def parse(data: Text, *, lenient: bool, max_depth: int = MAX_DEPTH) -> Parsed:
    """The value that a JSON text stands for.

    With ``lenient``, a leading byte order mark and raw control characters in strings are taken, and noted.

    Raises:
        PayloadError: one issue at the root. truncated_json: the text is a proper prefix of a JSON text. malformed_json:
            any other text that is no JSON, bad UTF-8, NaN and infinities, more than ``max_depth`` levels, and numbers
            of more than 4,300 digits.
    """
    return parse_decoded(*decoded(data, lenient=lenient), lenient=lenient, max_depth=max_depth)


def parse_decoded(text: str, notes: tuple[Mend, ...], *, lenient: bool, max_depth: int = MAX_DEPTH) -> Parsed:
    """As ``parse``, of what ``decoded`` gives."""
    if _deeper_than(text, max_depth):
        raise _error("malformed_json", f"nests deeper than {max_depth} levels", limit=max_depth)
    try:
        return Parsed((_STRICT if len(text) > _SHORT else _STRICT_SHORT).decode(text), notes)
    except ValueError as error:
        problem = error
    if lenient and _CONTROL.search(text):
        try:
            return Parsed(_LENIENT.decode(text), (*notes, _RAW))
        except ValueError as error:
            problem = error
    if isinstance(problem, _Refused):
        raise _error("malformed_json", str(problem))
    if is_prefix(text, lenient=lenient):
        raise _cut_off()
    message, hint = _words(problem, text)
    raise _error("malformed_json", message, hint=hint)


def parse_at(text: str, start: int, *, lenient: bool) -> tuple[Parsed, int]:
    """The value whose JSON text begins at ``start``, and where that ends; what follows may be anything.

    With ``lenient``, raw control characters in strings are taken, and noted.

    Raises:
        ValueError: no JSON value begins there, or not the whole of one, or one that ``parse`` refuses.
    """
    if _deeper_than(text[start:], MAX_DEPTH):
        raise _Refused(f"nests deeper than {MAX_DEPTH} levels")
    try:
        value, end = _STRICT.raw_decode(text, start)
        return Parsed(value), end
    except ValueError:
        if not lenient or not _CONTROL.search(text, start):
            raise
    value, end = _LENIENT.raw_decode(text, start)
    return Parsed(value, (_RAW,)), end


def written(value: Any, mended: Collection[Mend] = ()) -> str:
    """The JSON text of a value that ``parse`` gave, with its numbers as they were written. Reading it takes the same
    mends again."""
    text = _written(value, _raw_string if _RAW in mended else json.dumps)
    return _BOM + text if _MARKED in mended else text


def _written(value: Any, string: Callable[[str], str]) -> str:
    match value:
        case str():
            return string(value)
        case Number():
            return value.text
        case dict():
            return f"{{{', '.join(f'{string(key)}: {_written(item, string)}' for key, item in value.items())}}}"
        case list():
            return f"[{', '.join(_written(item, string) for item in value)}]"
    return json.dumps(value)


def _raw_string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def decoded(data: Text, *, lenient: bool) -> tuple[str, tuple[Mend, ...]]:
    """The text of ``data``, without a leading byte order mark when ``lenient``, and a note of that.

    Raises:
        PayloadError: the bytes are not UTF-8; truncated_json where they only lack the end of their last character.
    """
    text = _text(data, lenient=lenient)
    if lenient and text.startswith(_BOM):
        return text[1:], (_MARKED,)
    return text, ()


def _text(data: Any, *, lenient: bool) -> str:
    if issubclass(type(data), str):
        return str.__str__(data)
    raw = data if type(data) is bytes else _bytes(data)
    try:
        return str(raw, "utf-8")
    except UnicodeDecodeError as error:
        problem = error
    # Python looks for the shortest faulty part; at the end of the data that may be a character that is only begun.
    if lenient and _BOM.encode().startswith(raw):
        raise _cut_off()
    if problem.reason == "unexpected end of data" and problem.end == len(raw):
        start = str(raw[: problem.start], "utf-8").removeprefix(_BOM if lenient else "")
        # Outside a string no character has more than one byte; a letter there shows whether the text ends in one.
        if not _deeper_than(start, MAX_DEPTH) and is_prefix(start + "é", lenient=lenient):
            raise _cut_off()
    raise _error("malformed_json", f"is not UTF-8 at byte {problem.start}", hint="Send JSON text encoded as UTF-8.")


def _cut_off() -> PayloadError:
    return _error("truncated_json", "is JSON text that is cut off before its end", hint="Send the whole text.")


def is_text(data: object) -> TypeGuard[Text]:
    """Whether an input is text or bytes: a str, or whatever gives its bytes away, such as mapped memory.

    The type is asked and not the object, whose ``__class__`` may raise.
    """
    if issubclass(type(data), (str, bytes, bytearray, memoryview)):
        return True
    try:
        memoryview(data)  # type: ignore[arg-type]
    except TypeError:
        return False
    except Exception:  # it has bytes, and does not give them away: its memory is closed
        return True
    return True


def _bytes(data: Any) -> bytes:
    if issubclass(type(data), bytes):
        return bytes.__bytes__(data)
    try:
        return bytes(memoryview(data))
    except Exception:  # released or closed, or a foreign __buffer__ raises
        raise _error("malformed_json", "gives no bytes to be read") from None


def _error(constraint: Constraint, message: str, *, limit: int | None = None, hint: str | None = None) -> PayloadError:
    return PayloadError([Issue("", constraint, message, expected="JSON text", limit=limit, hint=hint)])


def _words(problem: ValueError, text: str) -> tuple[str, str | None]:
    """What is wrong with a text that is no JSON, and what to do about it."""
    if not isinstance(problem, json.JSONDecodeError):
        return "is no JSON", None
    place = f"line {problem.lineno}, column {problem.colno}"
    if problem.msg == "Extra data":
        return f"has more text after the JSON value, at {place}", _ALONE
    if "control character" in problem.msg:
        return f"has a raw control character in a string, at {place}; write it as an escape such as \\n", None
    at = problem.pos
    before, here = text[:at].rstrip(" \t\r\n")[-1:], text[at : at + 1]
    # Python 3.13 points to the comma itself, earlier versions to what follows it.
    if "trailing comma" in problem.msg or (before == "," and here in ("]", "}")):
        return f"has a comma before a closing bracket, at {place}", "Leave out the comma after the last member."
    if not before and here not in ("{", "["):
        return f"is no JSON from {place} on", _ALONE
    return f"is no JSON from {place} on", _hint(before, text[at : at + _LONGEST_WORD])


_ALONE: Final = "Send the JSON object alone, without text or code fences around it."
_LONGEST_WORD: Final = 9
_CONSTANTS: Final = ("True", "False", "None", "undefined")


def _hint(before: str, rest: str) -> str | None:
    """What to write in place of what stands there, where that is a usual mistake."""
    if rest.startswith("'"):
        return "Strings take double quotes."
    if rest.startswith(_CONSTANTS):
        return "Write true, false or null, in lower case."
    if rest.startswith(("//", "/*", "#")):
        return "JSON has no comments: leave them out."
    if before in ("{", ",") and rest[:1].isidentifier():
        return "Keys are strings, in double quotes."
    return None


TOO_MANY_DIGITS: Final = f"has a number of more than {MOST_DIGITS} digits"

# --- parsing -------------------------------------------------------------------------------------------------------


def _constant(text: str) -> NoReturn:
    raise _Refused(f"has {text}, which is no JSON number")


def _integer(text: str) -> int:
    if _has_too_many_digits(text):
        raise _Refused(TOO_MANY_DIGITS)
    try:
        return int(text)
    except ValueError:  # the interpreter was told to read fewer digits than it does by itself
        raise _Refused(TOO_MANY_DIGITS) from None


def _float(text: str) -> Number:
    if _has_too_many_digits(text):
        raise _Refused(TOO_MANY_DIGITS)
    return Number(text)


def _has_too_many_digits(number: str) -> bool:
    return len(number) > MOST_DIGITS and sum(map(str.isdigit, number)) > MOST_DIGITS


_HOOKS: dict[str, Any] = {"parse_int": _integer, "parse_float": _float, "parse_constant": _constant}
_STRICT = json.JSONDecoder(strict=True, **_HOOKS)
_LENIENT = json.JSONDecoder(strict=False, **_HOOKS)
_CONTROL = re.compile(r"[\x00-\x1f]")

_SHORT: Final = 640
"""Most characters of a text in which no number can have too many digits: every interpreter reads so many."""

_STRICT_SHORT = json.JSONDecoder(strict=True, parse_float=Number, parse_constant=_constant)


# --- depth ---------------------------------------------------------------------------------------------------------

_STRINGS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_BRACKETS = re.compile(r"[\[\]{}]")


def _deeper_than(text: str, most: int) -> bool:
    if len(text) <= most or text.count("[") + text.count("{") <= most:
        return False
    depth = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > most:
            return True
    return False


# --- cut off, or malformed -----------------------------------------------------------------------------------------

_CHARS = r'(?: [^"\\\x00-\x1f]++ | \\["\\/bfnrt] | \\u[0-9a-fA-F]{4} )*+'
_TOKEN = rf"""[ \t\n\r]*+ (?:
      (?P<string> " {_CHARS} " )
    | (?P<begun_string> " {_CHARS} (?: \\ (?: u[0-9a-fA-F]{{0,3}} )? )? \Z )
    | (?P<scalar> -? (?: 0 | [1-9][0-9]*+ ) (?: \.[0-9]++ )? (?: [eE][+-]?[0-9]++ )? (?! [0-9.eE+-] )
        | true | false | null )
    | (?P<begun> -? (?: (?: 0 | [1-9][0-9]*+ ) (?: \. | (?: \.[0-9]++ )? [eE][+-]? ) )? \Z
        | (?: t | tr | tru | f | fa | fal | fals | n | nu | nul )? \Z )
    | (?P<opens> [\[{{] )
    | (?P<closes> [\]}}] )
    | (?P<colon> : )
    | (?P<comma> , )
)"""
_TOKENS = re.compile(_TOKEN, re.VERBOSE)
_LENIENT_TOKENS = re.compile(_TOKEN.replace(r'[^"\\\x00-\x1f]', r'[^"\\]'), re.VERBOSE)

# What a reader of JSON wants next, and what it wants after a token that it has there. A text that has a token in any
# other place is no beginning of JSON. "next" is whatever follows a value: it depends on what encloses the value.
_AFTER = {
    ("value", "string"): "next",
    ("value", "scalar"): "next",
    ("value", "opens"): "opened",
    ("first value", "string"): "next",
    ("first value", "scalar"): "next",
    ("first value", "opens"): "opened",
    ("first value", "closes"): "closed",
    ("key", "string"): "colon",
    ("first key", "string"): "colon",
    ("first key", "closes"): "closed",
    ("colon", "colon"): "value",
    ("comma", "comma"): "another",
    ("comma", "closes"): "closed",
}
_MAY_BEGIN = {
    "begun_string": ("value", "first value", "key", "first key"),
    "begun": ("value", "first value"),
}


def is_prefix(text: str, *, lenient: bool = False) -> bool:
    """Whether some JSON text begins with ``text``: the empty text is the beginning of every one.

    With ``lenient``, strings may hold raw control characters.
    """
    tokens = _LENIENT_TOKENS if lenient else _TOKENS
    enclosing: list[str] = []
    wants, end = "value", 0
    while end < len(text):
        token = tokens.match(text, end)
        if token is None:
            return False
        kind, end = str(token.lastgroup), token.end()
        if end - token.start() > MOST_DIGITS and kind in ("scalar", "begun") and _has_too_many_digits(token[kind]):
            return False
        if kind in _MAY_BEGIN:  # always the last token
            return wants in _MAY_BEGIN[kind] or not token[kind]
        after = _AFTER.get((wants, kind))
        if after is None or (after == "closed" and enclosing.pop() != text[end - 1]):
            return False
        if after == "opened":
            enclosing.append("]" if text[end - 1] == "[" else "}")
            wants = "first value" if text[end - 1] == "[" else "first key"
        elif after == "another":
            wants = "value" if enclosing[-1] == "]" else "key"
        elif after in ("next", "closed"):
            wants = "comma" if enclosing else "nothing"
        else:
            wants = after
    return True
