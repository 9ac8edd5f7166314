"""Texts of a design: descriptions, titles and the like."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping

from toolgen.design.problems import Report
from toolgen.names import is_clean_text

_LONGEST = 60


def shown(value: object) -> str:
    """A value for people, cut where it is long."""
    try:
        text = repr(value)
    except Exception:  # a class of the design's own whose __repr__ is broken, or an integer too long to write
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def cleaned(text: str) -> str:
    """A description without its indentation and the blank space around it."""
    first, *rest = text.split("\n")
    indents = [line[: len(line) - len(line.lstrip())] for line in rest if line.strip()]
    margin = min(map(len, indents), default=0)
    return "\n".join([first.lstrip(), *(line[margin:] for line in rest)]).strip()


def cleaned_docstring(text: str) -> str:
    """As ``cleaned``, with tabs written as spaces: from Python 3.13 on its compiler does so with every docstring."""
    return inspect.cleandoc(text).strip()


def description(text: object, what: str, mend: str, report: Report, clean: Callable[[str], str] = cleaned) -> str:
    """A description that must be there; reported and empty where it is not. ``what`` names its owner in a sentence."""
    if text is None or (isinstance(text, str) and not text.strip()):
        report(f"{what} has no description", mend)
        return ""
    if not isinstance(text, str):
        report(f"{what} has {shown(text)} for a description", "Give text.")
        return ""
    if not is_clean_text(text):
        report(f"the description of {what} has a lone surrogate", "Write whole characters.")
        return ""
    return clean(text)


def docstring(cls: type, what: str, report: Report) -> str:
    """A class's own docstring, which must be there."""
    return description(cls.__dict__.get("__doc__"), what, "Write a docstring.", report, cleaned_docstring)


def optional(text: object, option: str, report: Report) -> str | None:
    """The value of an option that is text or not given."""
    if text is None:
        return None
    if not isinstance(text, str) or not text.strip() or not is_clean_text(text):
        report(f"{option} is {shown(text)}, not text", "Give text, or leave it out.")
        return None
    return text


def flag(value: object, option: str, report: Report) -> bool | None:
    """The value of an option that is True, False or not given."""
    if value is None or isinstance(value, bool):
        return value
    report(f"{option} is {shown(value)}", "Give True or False.")
    return None


_TYPES = ("str", "int", "float", "bool", "bytes", "list", "dict")
_OTHER_TYPES = {
    "string": "str",
    "text": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "object": "dict",
}


def near_name(name: str, known: Iterable[str]) -> str:
    """``Did you mean X? `` for a name that a module does not have; empty where it has none that is near."""
    names = [*_TYPES, "True", "False", "None", *(other for other in known if not other.startswith("_"))]
    other = _OTHER_TYPES.get(name.lower())
    near = [other] if other else difflib.get_close_matches(name, names, 1, cutoff=0.7)
    return f"Did you mean {near[0]}? " if near else ""


_ELSEWHERE = {
    "minimum": "ge",
    "maximum": "le",
    "exclusiveMinimum": "gt",
    "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
    "examples": "example",
    "alias": "name",
    "default_factory": "default",
    "regex": "pattern",
    "required": "optional",
}


def known_options(unknown: Mapping[str, object], known: Iterable[str], report: Report) -> None:
    """Report options that the language does not have, with the nearest that it has."""
    for name in unknown:
        near = nearest(name, known)
        report(f"there is no option {name}", f"Did you mean {near}?" if near else "Leave it out.")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The option that a misspelt one, or one of another language, stands for."""
    names = list(known)
    near = [_ELSEWHERE[name]] if _ELSEWHERE.get(name) in names else difflib.get_close_matches(name, names, 1)
    return near[0] if near else None
