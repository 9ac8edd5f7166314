"""Values that operators give in Python, and what is wrong with them in the words of Python.

A model writes JSON, and is told of strings and formats. Injected and restored values come from code: there ``must be a
uuid.UUID, but is a str`` is what helps.
"""

from __future__ import annotations

import datetime
import functools
import types
import typing
from collections.abc import Iterable, Iterator
from typing import Any

from toolgen.runtime import faults
from toolgen.runtime.bodies import is_dataclass, members
from toolgen.runtime.issues import Issue
from toolgen.runtime.pointers import unescaped


def problems(value: object, issues: Iterable[Issue]) -> dict[str, str]:
    """What is wrong with each field of a dataclass of generated code, by Python name."""
    if not is_dataclass(value):
        return {"value": f"is no value of this tool's type, but {of_class(value)}"}
    names = {wire: name for name, wire, _ in members(value)}
    hints = hints_of(type(value))
    found: dict[str, str] = {}
    for issue in issues:
        first, _, rest = issue.path.removeprefix("/").partition("/")
        name = names.get(unescaped(first), unescaped(first))
        if name not in found:
            found[name] = _of_type(getattr(value, name, None), hints.get(name, Any)) or _at(rest) + issue.message
    return found


def hints_of(declared: Any) -> dict[str, Any]:
    """The types of a class's fields, or of a function's parameters and return; none of what does not tell them."""
    try:
        return _hints(declared)
    except Exception:  # what was written by hand may name what exists for type checkers alone, or be no function
        return {}


_hints = functools.lru_cache(maxsize=256)(typing.get_type_hints)


def _of_type(value: object, hint: Any) -> str | None:
    for path, wanted, given in misfits(value, hint):
        return f"{_at(path[1:])}must be {wanted}, but is {of_class(given)}"
    return None


def _at(path: str) -> str:
    return f"at /{path}: " if path else ""


def of_class(value: object) -> str:
    """What a value is, in words: ``a str``, ``an int``, ``None``."""
    return "None" if value is None else _a(type(value))


def misfits(value: object, hint: Any, path: str = "") -> Iterator[tuple[str, str, object]]:
    """Each value that is not of its type: the JSON Pointer to it, the type in words, and the value."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        if all(any(misfits(value, arm)) for arm in arguments):
            alike = [arm for arm in arguments if _is(value, typing.get_origin(arm) or arm)]
            if len(alike) == 1:  # a list of the wrong items is a list
                yield from misfits(value, alike[0], path)
            else:
                yield path, " or ".join(_a(typing.get_origin(arm) or arm) for arm in arguments), value
    elif isinstance(class_ := origin or hint, type):
        if not _is(value, class_):
            yield path, _a(class_), value
        elif isinstance(value, list) and arguments:
            for index, item in enumerate(value):
                yield from misfits(item, arguments[0], faults.below(path, index))
        elif isinstance(value, dict) and arguments:
            for key, item in value.items():
                yield from misfits(key, arguments[0], path)
                yield from misfits(item, arguments[1], faults.below(path, str(key)))
        elif is_dataclass(value):
            hints = hints_of(type(value))
            for name, wire, item in members(value):
                yield from misfits(item, hints.get(name, Any), faults.below(path, wire))


def _is(value: object, class_: Any) -> bool:
    """Whether a value is of a type, where a bool is no int, an int is a float, and a datetime is no date."""
    if not isinstance(class_, type) or class_ is Any:
        return True
    given = type(value)  # which is asked instead of the value, whose __class__ may raise
    if given is bool:
        return class_ in (bool, object)
    if class_ is float and issubclass(given, int):
        return True
    if class_ is datetime.date and issubclass(given, datetime.datetime):
        return False
    return issubclass(given, class_) or (class_ is bytes and issubclass(given, bytearray))


_PUBLIC = frozenset({"datetime", "decimal", "uuid"})


def _a(class_: Any) -> str:
    if class_ is type(None) or not isinstance(class_, type):
        return "None" if class_ is type(None) else str(class_)
    name = f"{class_.__module__}.{class_.__qualname__}" if class_.__module__ in _PUBLIC else class_.__qualname__
    return f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}"
