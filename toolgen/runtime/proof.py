"""Why a value can't be written: the path and the rule, found once encoding has failed.

This is the slow half of ``encode``. It turns the value into JSON as far as it goes, leaves what JSON has no word for
where it is, and lets the careful lane say what is wrong with it.
"""

from __future__ import annotations

import dataclasses
import datetime
import enum
import sys
import uuid
from base64 import b64encode
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import msgspec

from toolgen.runtime import formats
from toolgen.runtime.careful import Careful
from toolgen.runtime.issues import Issue


def issues_of(value: object, careful: Careful) -> Sequence[Issue]:
    """What the schema holds against ``value``, a dataclass of generated code or what stands inside one."""
    try:
        plain = as_json(value)
    except RecursionError:
        return (Issue("", "malformed_json", "nests deeper than JSON may"),)
    return careful.judge(plain, lenient=False).issues


def as_json(value: Any) -> object:
    """``value`` as JSON under its wire names; what has no JSON form stays as it is."""
    if type(value) is list:
        return [as_json(item) for item in value]
    if type(value) is dict:
        return {key: as_json(item) for key, item in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {wire: as_json(item) for wire, item in _fields(value) if item is not msgspec.UNSET}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, (Decimal, datetime.timedelta)):
        return _text(value)
    if isinstance(value, (datetime.date, datetime.time, uuid.UUID)):
        return msgspec.to_builtins(value)
    if isinstance(value, (bytes, bytearray)):
        return b64encode(value).decode()
    return value


def _text(value: Decimal | datetime.timedelta) -> object:
    try:
        return formats.decimal_to_text(value) if isinstance(value, Decimal) else formats.duration_to_text(value)
    except ValueError:
        return value


def _fields(value: Any) -> Iterator[tuple[str, object]]:
    """The fields by wire name. A dataclass's body stands beside it, and knows how each is spelled and left out."""
    body = getattr(sys.modules.get(type(value).__module__), f"{type(value).__name__}Body", None)
    if body is None:
        return
    defaults = {f.name: f.default for f in dataclasses.fields(value)}
    for name, wire in zip(body.__struct_fields__, body.__struct_encode_fields__, strict=True):
        item = getattr(value, name)
        if item is not None or defaults[name] is not None:
            # None where it stands for what was left out is never wrong, whether the field takes null or not.
            yield wire, item


def differences(value: object, again: object, path: str = "") -> tuple[Issue, ...]:
    """The places where ``value`` and what came back of it are not equal: a type that JSON gives back as another."""
    if type(value) is type(again) and value != again:
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            wires = dict(zip((f.name for f in dataclasses.fields(value)), wire_names(value), strict=True))
            pairs = [(wires[name], getattr(value, name), getattr(again, name)) for name in wires]
        elif isinstance(value, list) and isinstance(again, list) and len(value) == len(again):
            pairs = [(str(n), left, right) for n, (left, right) in enumerate(zip(value, again, strict=True))]
        elif isinstance(value, dict) and isinstance(again, dict) and value.keys() == again.keys():
            pairs = [(key, item, again[key]) for key, item in value.items()]
        else:
            pairs = []
        found = [i for key, left, right in pairs if left != right for i in differences(left, right, _join(path, key))]
        if found:
            return tuple(found)
    message = f"would come back as another value, of type {type(again).__name__}"
    return (Issue(path, "invalid_type", message, actual=type(value).__name__),)


def wire_names(value: Any) -> list[str]:
    """The wire names of a dataclass's fields, in their order."""
    body = getattr(sys.modules.get(type(value).__module__), f"{type(value).__name__}Body", None)
    names = [f.name for f in dataclasses.fields(value)]
    if body is None:
        return names
    known = dict(zip(body.__struct_fields__, body.__struct_encode_fields__, strict=True))
    return [known.get(name, name) for name in names]


def _join(path: str, key: str) -> str:
    return f"{path}/{key.replace('~', '~0').replace('/', '~1')}"
