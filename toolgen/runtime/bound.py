"""What a bound function gave back, where it does not say what that is."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from toolgen.runtime.codec import Codec
from toolgen.runtime.failures import ToolFailure
from toolgen.runtime.issues import PayloadError, told
from toolgen.runtime.proof import differences

R = TypeVar("R")


def decoded(codec: Codec[R, Any], value: object, /) -> R:
    """The result that the codec reads of the value's JSON. A mapping has the result's keys as they are in JSON.

    Dataclasses are objects of their fields, enumerations their values, tuples and sets arrays, at any depth.

    Raises:
        ToolFailure: it is none; the cause says why, for the operator.
    """
    try:
        plain = _with_lists(msgspec.to_builtins(value))
        data = msgspec.json.encode(plain)
        again = msgspec.json.decode(data)
        if again != plain:  # NaN, and keys that are no text
            where = "; ".join(map(told, differences(plain, again)))
            raise TypeError(f"it holds what JSON gives back as another thing: {where}")
        return codec.decode(data)
    except (PayloadError, TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise ToolFailure("malformed_result", "it gave back something else than it declares", "replan") from error


def _with_lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_lists(item) for key, item in value.items()}
    return [_with_lists(item) for item in value] if isinstance(value, list | tuple) else value
