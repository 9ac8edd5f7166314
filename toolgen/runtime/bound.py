"""What a bound function gave back, where it does not say what that is."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from toolgen.runtime.codec import Codec
from toolgen.runtime.failures import ToolFailure
from toolgen.runtime.issues import PayloadError
from toolgen.runtime.proof import as_json

R = TypeVar("R")


def decoded(codec: Codec[R, Any], value: object, /) -> R:
    """The result that the codec reads of the value's JSON. A mapping has the result's keys as they are in JSON.

    Raises:
        ToolFailure: it is none; the cause says why, for the operator.
    """
    try:
        plain = value if isinstance(value, (dict, list)) else msgspec.to_builtins(value)
        data = msgspec.json.encode(plain)
        if msgspec.json.decode(data) != as_json(plain):
            raise TypeError("it holds what JSON gives back as another thing")
        return codec.decode(data)
    except (PayloadError, TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise ToolFailure("malformed_result", "it gave back something else than it declares", "replan") from error
