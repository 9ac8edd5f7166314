"""Classes of a design, asked for what Python itself knows of them.

The body of a class may say anything of the class: a field named ``__module__`` stands where Python keeps the module's
name, and a metaclass may answer every question otherwise. What is asked here can't be overwritten.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, cast

_MAKERS: Final = (type, abc.ABCMeta, type(Protocol))
"""The metaclasses that leave a class as its body says."""

name_of = cast("Callable[[type], str]", type.__dict__["__name__"].__get__)
qualified_name = cast("Callable[[type], str]", type.__dict__["__qualname__"].__get__)
body_of = cast("Callable[[type], Mapping[str, Any]]", type.__dict__["__dict__"].__get__)
lineage_of = cast("Callable[[type], tuple[type, ...]]", type.__dict__["__mro__"].__get__)
_module_of = cast("Callable[[type], Any]", type.__dict__["__module__"].__get__)


def maker_of(cls: type) -> str | None:
    """The name of the class's metaclass, where it may make anything of the class; None where it is a plain class."""
    return None if type(cls) in _MAKERS else name_of(type(cls))


def module_name(cls: type) -> str | None:
    """The name of the module that defines a class; None where its body gave ``__module__`` another value."""
    try:
        module = _module_of(cls)
    except AttributeError:  # deleted
        return None
    return module if type(module) is str else None


def is_built_in(cls: type) -> bool:
    """Whether a class is one of Python's own, or holds what one of these holds: a tuple, an exception."""
    return any(base is not object and module_name(base) == "builtins" for base in lineage_of(cls))


def attribute(cls: type, name: str) -> Any:
    """What a class or its nearest base has under a name, as it stands there; None where there is nothing."""
    return next((body_of(base)[name] for base in lineage_of(cls) if name in body_of(base)), None)
