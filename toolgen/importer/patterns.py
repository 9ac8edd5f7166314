"""Patterns of other people's schemas, in the dialect of designs (``toolgen.runtime.patterns``).

Only spellings are changed here, never what a pattern matches. What the dialect has no words for stays refused.
"""

from __future__ import annotations

import re
from typing import Final

from toolgen.runtime import patterns
from toolgen.runtime.patterns import PatternError

__all__ = ["PatternError", "adapted"]

_CLASS_OR_ESCAPE: Final = re.compile(r"\\.|\[|\]|\{|\}|\(\?P?<(?![=!])[A-Za-z_]\w*>", re.DOTALL)
_COUNT: Final = re.compile(r"\{[0-9]+(?:,[0-9]*)?\}")
_KEPT_ESCAPES: Final = frozenset("bBdDsSwWtnrfvxu0123456789kpPc^$\\.*+?()[]{}|/")


def adapted(pattern: str) -> str:
    """The pattern as a design may write it, matching the same texts.

    Raises:
        PatternError: the dialect can't say it, or it can take exponential time.
    """
    for spelling in (pattern, _respelled(pattern)):
        try:
            patterns.check(spelling)
        except PatternError as error:
            refused = error
        else:
            return spelling
    raise refused


def _respelled(pattern: str) -> str:
    """Needless escapes taken out, lone brackets escaped, unused names of groups dropped."""
    in_class = False
    at = 0
    out: list[str] = []
    back = r"\k<" in pattern or "(?P=" in pattern
    for found in _CLASS_OR_ESCAPE.finditer(pattern):
        out.append(pattern[at : found.start()])
        at = found.end()
        token = found[0]
        if token[0] == "\\":
            out.append(_escape(token, in_class))
        elif token[0] == "(":
            out.append(token if back else "(")
        elif in_class:
            in_class = token != "]"
            out.append("\\[" if token == "[" else token)
        elif token == "[":
            in_class = True
            out.append(token)
        elif token == "{" and _COUNT.match(pattern, found.start()):
            out.append(token)
        else:
            out.append(token if token == "}" and _closes_count(pattern, found.start()) else f"\\{token}")
    return "".join([*out, pattern[at:]])


def _closes_count(pattern: str, end: int) -> bool:
    start = pattern.rfind("{", 0, end)
    return start >= 0 and _COUNT.fullmatch(pattern[start : end + 1]) is not None


def _escape(token: str, in_class: bool) -> str:
    """An escape without a backslash that says nothing: ECMA-262, annex B, reads ``\\_`` as ``_``."""
    char = token[1]
    if in_class and char == "-":
        return token
    return token if char in _KEPT_ESCAPES else char
