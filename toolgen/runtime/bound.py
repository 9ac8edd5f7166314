"""What a bound function gave back, where it does not say what that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from toolgen.runtime.codec import Codec
from toolgen.runtime.failures import ToolFailure
from toolgen.runtime.issues import PayloadError, told
from toolgen.runtime.proof import differences

R = TypeVar("R")


def decoded(codec: Codec[R, Any], value: object, /) -> R:
    """The result that the codec reads of the value's JSON. A mapping has the result's keys as they are in JSON.

    Dataclasses are objects of their fields, enumerations their values, whatever has keys an object of them, such as a
    row of SQLite, and what else can be gone through once an array, at any depth.

    Raises:
        ToolFailure: it is none; the cause says why, for the operator.
    """
    try:
        plain = _with_lists(msgspec.to_builtins(value, enc_hook=_held))
        data = msgspec.json.encode(plain)
        again = msgspec.json.decode(data)
        if again != plain:  # NaN, and keys that are no text
            where = "; ".join(map(told, differences(plain, again)))
            raise TypeError(f"it holds what JSON gives back as another thing: {where}")
        return codec.decode(data)
    except (PayloadError, TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise ToolFailure("malformed_result", "it gave back something else than it declares", "replan") from error


def _held(value: Any) -> Any:
    """What an object holds that msgspec has no form for."""
    if isinstance(value, Mapping) or (hasattr(value, "keys") and hasattr(value, "__getitem__")):
        return dict(value)
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"a {type(value).__name__} has no form in JSON")


def _with_lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_lists(item) for key, item in value.items()}
    return [_with_lists(item) for item in value] if isinstance(value, list | tuple) else value
