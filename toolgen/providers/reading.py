"""Reading what an SDK gives: plain dicts, as JSON has them, and the SDK's own objects, by attribute."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

_HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")
_NOTHING = object()


def get(value: Any, name: str, default: Any = None) -> Any:
    """What ``value`` has under a key, or as an attribute; ``default`` where it has neither, or has None.

    A wire that writes ``thoughtSignature`` has SDK objects that write ``thought_signature``: both are looked for, each
    kind's own first, since an SDK may warn of the other.
    """
    snake = _HUMP.sub(r"_\1", name).lower()
    is_mapping = isinstance(value, Mapping)
    for spelling in dict.fromkeys((name, snake) if is_mapping else (snake, name)):
        found = value.get(spelling, _NOTHING) if is_mapping else getattr(value, spelling, _NOTHING)
        if found is not _NOTHING:
            return default if found is None else found
    return default


def items(value: Any) -> list[Any]:
    """A list as it is; None and text are none."""
    return list(value) if isinstance(value, list | tuple) else []


def plain(value: Any) -> Any:
    """An SDK's object as dicts and lists, with what was not given left out; what is plain stays as it is."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    dump = getattr(value, "model_dump", None)
    return dump(exclude_unset=True) if callable(dump) else value


def fields(value: Any) -> dict[str, Any]:
    """All that an object holds, of whatever kind it is; None holds nothing."""
    found = plain(value)
    return dict(found) if isinstance(found, Mapping) else dict(getattr(found, "__dict__", {}))


def words_of(block: Any) -> str:
    """The text of a block, or, of a kind that has no place here, its JSON text, so that nothing of it is lost."""
    text = get(block, "text")
    return text if isinstance(text, str) else msgspec.json.encode(plain(block), enc_hook=str).decode()


def json_of(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: it is none.
    """
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise ValueError(str(error)) from error


def text_of(value: object) -> str:
    """The JSON text of a value, as the runtime writes results."""
    return msgspec.json.encode(value).decode()


_MOST_EXACT = 2**53


def survives(value: object) -> bool:
    """Whether a wire that holds numbers as doubles gives this value back as it was."""
    match value:
        case bool():
            return True
        case int():
            return -_MOST_EXACT <= value <= _MOST_EXACT
        case list():
            return all(map(survives, value))
        case dict():
            return all(map(survives, value.values()))
    return True


def structured(text: str) -> Any:
    """The array or object of a JSON text, where it can be sent as one and its text made from it again; else None."""
    try:
        value = json_of(text)
        exact = isinstance(value, list | dict) and text_of(value) == text and survives(value)
    except ValueError:
        return None
    return value if exact else None
