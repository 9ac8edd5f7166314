"""What the body of a generated dataclass, which stands beside it, says of the dataclass's fields in JSON."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator
from typing import Any

import msgspec


def is_dataclass(value: object) -> bool:
    """Whether a value is an instance of a dataclass; its type is asked, since a foreign ``__class__`` may raise."""
    return dataclasses.is_dataclass(type(value))


def body_of(value: object) -> Any:
    """The body of the value's dataclass; None for a dataclass that was not generated."""
    return getattr(sys.modules.get(type(value).__module__), f"{type(value).__name__}Body", None)


def wire_names(body: Any) -> dict[str, str]:
    """Python name → key in JSON of each field of a body."""
    return dict(zip(body.__struct_fields__, body.__struct_encode_fields__, strict=True))


def members(value: Any) -> Iterator[tuple[str, str, object]]:
    """Python name, key in JSON and value of each field of a dataclass, in its order."""
    body = body_of(value)
    wires = {} if body is None else wire_names(body)
    for field in dataclasses.fields(value):
        yield field.name, wires.get(field.name, field.name), getattr(value, field.name, None)


def written(value: Any) -> Iterator[tuple[str, object]]:
    """Key and value of each field that is written: neither injected nor left out; none of what was not generated."""
    body = body_of(value)
    if body is None:
        return
    defaults = {field.name: field.default for field in dataclasses.fields(value)}
    for name, wire in wire_names(body).items():
        item = getattr(value, name)
        if item is msgspec.UNSET or (item is None and defaults[name] is None):
            continue  # None where it stands for what was left out is never wrong, whether the field takes null or not
        yield wire, item
