"""Names: of tools and modules, made from the design's, and which names may stand in generated code and at providers."""

from __future__ import annotations

import keyword
import re
import unicodedata

from toolgen.runtime.toolnames import PROPERTY_NAME as PROPERTY_NAME
from toolgen.runtime.toolnames import TOOL_NAME as TOOL_NAME

PACKAGE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

RESERVED_PACKAGES = frozenset({"toolgen", "msgspec"})
"""Packages that generated code imports: one beside it on the import path would stand in their way."""

_SCALARS = ("int", "str", "float", "bool", "bytes", "date", "time", "datetime", "timedelta", "UUID", "Decimal")
_FORMS = ("list", "dict", "Any", "Literal", "Annotated")
_GENERATED = ("MODEL", "EXECUTION", "RESULT", "SPEC", "TOOLSET", "UNSET", "UnsetType")

RESERVED_TYPES = frozenset(_SCALARS + _FORMS + _GENERATED)
"""Class names that a design can't use: the types of the design language, and the names that every tool's module has."""

TRUE_TO_CHECKERS = frozenset({"TYPE_CHECKING"})
"""Names whose bare value type checkers take for True, whatever it was declared to be."""

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})
_MODULES = frozenset({"types", "handlers"})
_BOUND = frozenset({"annotations", "type_checking", "_require_interface", "_toolset", "toolset"})
"""What a package's ``__init__`` binds, as ``templates/toolset.py.jinja`` has it: it is found before any module is."""

_TAKEN_MODULES = _MODULES | _BOUND | _DEVICES


def snake_case(name: str) -> str:
    """``SearchTickets`` → ``search_tickets``, ``HTTPServer`` → ``http_server``, ``GetV2Items`` → ``get_v2_items``."""
    return _WORD_START.sub("_", name).lower()


def tool_module(name: str) -> str:
    """The name of the module that is generated for a tool, from the tool's wire name.

    An underscore at the end tells it from the package's own modules and from what its ``__init__`` binds, where case
    does not count, from keywords, and from device names of Windows. Three at the end tell it from names that
    Python gives a meaning (``__init__``) and those that it changes inside a class (``__x``), since it is a method's
    name too.
    """
    module = re.sub(r"\W", "_", name, flags=re.ASCII)
    if module[:1].isdigit():
        module = f"_{module}"
    if module.startswith("__"):
        return f"{module.rstrip('_')}___"
    special = module.casefold() in _TAKEN_MODULES
    return f"{module}_" if special or is_keyword(module) or not module else module


def is_keyword(name: str) -> bool:
    """Whether Python keeps the name for itself; names that only mean something in some places are free."""
    return keyword.iskeyword(name)


def is_package_name(name: str) -> bool:
    return PACKAGE_NAME.fullmatch(name) is not None and not is_keyword(name) and name not in RESERVED_PACKAGES


def folded(name: str) -> str:
    """The form in which two names that look alike are one: NFKC, as Python itself reads identifiers."""
    return unicodedata.normalize("NFKC", name)


def of_type(name: str) -> tuple[str, ...]:
    """The names that are generated for a Record: its class, its body, the transforms."""
    return (name, f"{name}Body", f"{snake_case(name)}_from_body", f"{snake_case(name)}_to_body")


def of_tool(class_name: str) -> tuple[str, ...]:
    """The names of the classes that are generated for a tool."""
    stems = ("Args", "Payload", "Context", "Result")
    return tuple(f"{class_name}{stem}{body}" for stem in stems for body in ("", "Body"))


_LARGEST = 10**4300
"""From here on Python refuses to write an integer in decimal, and no JSON parser of note to read it."""


def is_writable(number: float) -> bool:
    """Whether a number can be written in JSON, and read again: finite, and an integer of at most 4,300 digits."""
    return -_LARGEST < number < _LARGEST


OF_EVERY_CLASS = frozenset({"mro"})
"""Public names that Python finds in every class, so that a dataclass would take what stands there for a default."""


def is_clean_text(text: str) -> bool:
    """Whether text can be written as UTF-8: it holds no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
