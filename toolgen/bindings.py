"""How a tool's payload becomes the arguments of a function that is already there, and what it returns the result.

Plain data, decided when a design is loaded (``toolgen.design.matching``) and printed by ``toolgen.adapter``.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from toolgen.plain import Plain


class Named(Plain, frozen=True):
    """Something that a module defines, by its dotted name there."""

    module: str
    name: str


class Keep(Plain, frozen=True):
    """The value as it is."""


class Value(Plain, frozen=True):
    """The value of a member of an enumeration."""


class Made(Plain, frozen=True):
    """What a class makes of one argument: a member of an enumeration of its value, a tuple of a list."""

    of: Conversion
    by: Named


class Each(Plain, frozen=True):
    """A list of what becomes of each item."""

    of: Conversion


class EachValue(Plain, frozen=True):
    """A dict of what becomes of each value."""

    of: Conversion


class Unless(Plain, frozen=True):
    """None where it is None, else what becomes of it."""

    of: Conversion


class Part(Plain, frozen=True):
    """One field of an object that is built: its name there, and where it comes from."""

    name: str
    source: str
    of: Conversion


class Built(Plain, frozen=True):
    """An object built of the parts of another.

    ``by`` is its class; None: a dict. ``reads`` says how a part is reached in the other.
    """

    by: Named | None
    parts: tuple[Part, ...]
    reads: Literal["attribute", "key"] = "attribute"


class Paged(Plain, frozen=True):
    """A page whose result becomes something else."""

    of: Conversion


class Decoded(Plain, frozen=True):
    """What the result's codec reads of the value's JSON: where the function does not say what it returns."""


Conversion: TypeAlias = "Keep | Value | Made | Each | EachValue | Unless | Built | Paged | Decoded"


class Argument(Plain, frozen=True):
    """One argument of the call. ``parameter`` is None where it goes by position; ``field`` is the payload's."""

    parameter: str | None
    field: str
    of: Conversion


class Binding(Plain, frozen=True):
    """A call of a function. ``result`` is None where the tool declares no result."""

    function: Named
    is_async: bool
    arguments: tuple[Argument, ...]
    result: Conversion | None
