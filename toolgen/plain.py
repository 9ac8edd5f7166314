"""Plain data that the compiler hands on: frozen, compared by value, and quick to make.

Every start of a command makes all of these classes, which takes dataclasses half a millisecond each and msgspec nearly
nothing.
"""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import Struct, structs

_Self = TypeVar("_Self", bound="Plain")


class Plain(Struct, frozen=True):
    """The base of such a class, which says ``frozen=True`` too."""

    def replace(self: _Self, **changes: Any) -> _Self:
        """The same with other values for some fields."""
        return structs.replace(self, **changes)
