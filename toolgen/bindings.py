"""How a tool's payload becomes the arguments of a function that is already there, and what it returns the result.

Plain data, decided when a design is loaded (``toolgen.design.matching``) and printed by ``toolgen.adapter``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Named:
    """Something that a module defines, by its dotted name there."""

    module: str
    name: str


@dataclass(frozen=True, slots=True)
class Keep:
    """The value as it is."""


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a member of an enumeration."""


@dataclass(frozen=True, slots=True)
class Made:
    """What a class makes of one argument: a member of an enumeration of its value, a tuple of a list."""

    of: Conversion
    by: Named


@dataclass(frozen=True, slots=True)
class Each:
    """A list of what becomes of each item."""

    of: Conversion


@dataclass(frozen=True, slots=True)
class EachValue:
    """A dict of what becomes of each value."""

    of: Conversion


@dataclass(frozen=True, slots=True)
class Unless:
    """None where it is None, else what becomes of it."""

    of: Conversion


@dataclass(frozen=True, slots=True)
class Part:
    """One field of an object that is built: its name there, and where it comes from."""

    name: str
    source: str
    of: Conversion


@dataclass(frozen=True, slots=True)
class Built:
    """An object built of the parts of another.

    ``by`` is its class; None: a dict. ``reads`` says how a part is reached in the other.
    """

    by: Named | None
    parts: tuple[Part, ...]
    reads: Literal["attribute", "key"] = "attribute"


@dataclass(frozen=True, slots=True)
class Paged:
    """A page whose result becomes something else."""

    of: Conversion


@dataclass(frozen=True, slots=True)
class Decoded:
    """What the result's codec reads of the value's JSON: where the function does not say what it returns."""


Conversion: TypeAlias = "Keep | Value | Made | Each | EachValue | Unless | Built | Paged | Decoded"


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of the call. ``parameter`` is None where it goes by position; ``field`` is the payload's."""

    parameter: str | None
    field: str
    of: Conversion


@dataclass(frozen=True, slots=True)
class Binding:
    """A call of a function. ``result`` is None where the tool declares no result."""

    function: Named
    is_async: bool
    arguments: tuple[Argument, ...]
    result: Conversion | None
