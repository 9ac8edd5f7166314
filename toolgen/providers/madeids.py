"""Ids of calls that came without one: made of a call's place in its turn and of what it says, so that they are the same
each time the turn is read, and no two calls of one turn have the same."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

_MADE: Final = "toolgen-made-"


def made_id(index: int, name: Any, arguments: Any) -> str:
    """The id of the call at a place in its turn."""
    told = json.dumps([name, arguments], sort_keys=True, default=str)
    return f"{_MADE}{index}-{hashlib.sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def is_made(identifier: str) -> bool:
    """Whether this id was made here, so that the provider knows of none."""
    return identifier.startswith(_MADE)
