"""Patterns of other people's schemas, in the dialect of designs (``toolgen.runtime.patterns``).

Only spellings are changed here, never what a pattern matches. What the dialect has no words for stays refused, save
looks ahead from the begin of a text and back from its end: those are patterns of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from toolgen.runtime import patterns
from toolgen.runtime.patterns import PatternError

__all__ = ["PatternError", "Split", "adapted", "split"]

_CLASS_OR_ESCAPE: Final = re.compile(r"\\.|\[|\]|\{|\}|-|\(\?P?<(?![=!])[A-Za-z_]\w*>", re.DOTALL)
_COUNT: Final = re.compile(r"\{[0-9]+(?:,[0-9]*)?\}")
_KEPT_ESCAPES: Final = frozenset("^$\\.*+?()[]{}|/")
_BESIDE_SET: Final = re.compile(r"(?<!\\)(?:\\\\)*\\[dDsSwW]\Z")
_SET: Final = re.compile(r"\\[dDsSwW]")


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


# --- looking around ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Split:
    """A pattern as several: texts match it that match all of ``wanted``, and none of ``refused``."""

    wanted: tuple[str, ...]
    refused: tuple[str, ...] = ()

    def rules(self) -> list[dict[str, Any]]:
        """The same as JSON Schemas."""
        return [*({"pattern": one} for one in self.wanted), *({"not": {"pattern": one}} for one in self.refused)]


_AHEAD: Final = ("(?=", "(?!")
_BACK: Final = ("(?<=", "(?<!")
_ANYTHING: Final = ("", "^", "$")


def split(pattern: str) -> Split:
    """The pattern as a design may write it. Raises PatternError, as ``adapted`` does."""
    try:
        return Split((adapted(pattern),))
    except PatternError as error:
        refused = error
    try:
        return _without_looks(pattern)
    except PatternError as error:
        ahead, _, back = _parts(pattern)
        if not ahead and not back:
            raise refused from None
        # What looks around is no hindrance then, but something in one of the parts; a place there is none in the whole.
        raise PatternError(_PLACE.sub("", error.reason), error.mend) from None


_PLACE: Final = re.compile(r", at position \d+\Z")


def _without_looks(pattern: str) -> Split:
    ahead, rest, back = _parts(pattern)
    looks = [(f"^{_inner(look, '(?=')}", look.startswith("(?=")) for look in ahead]
    looks += [(f"{_inner(look, '(?<=')}$", look.startswith("(?<=")) for look in back]
    between = adapted(f"{'^' if ahead else ''}{rest}{'$' if back else ''}")
    wanted = [adapted(text) for text, is_wanted in looks if is_wanted]
    return Split(
        tuple(wanted if between in _ANYTHING else [between, *wanted]),
        tuple(adapted(text) for text, is_wanted in looks if not is_wanted),
    )


def _inner(look: str, begin: str) -> str:
    """What a look looks for, as one part of a pattern."""
    inner = look[len(begin) : -1]
    return f"(?:{inner})" if "|" in _pieces(inner) else inner


def _parts(pattern: str) -> tuple[list[str], str, list[str]]:
    """The looks ahead after a leading ``^``, what stands between, and the looks back before a closing ``$``; no looks
    where they are part of an alternative."""
    pieces = _pieces(pattern)
    begin, end = 0, len(pieces)
    if "|" in pieces:
        return [], pattern, []
    if pieces[:1] == ["^"]:
        begin = next((n for n in range(1, end) if not pieces[n].startswith(_AHEAD)), end)
    if pieces[-1:] == ["$"]:
        end = next((n for n in range(end - 1, begin, -1) if not pieces[n - 1].startswith(_BACK)), begin)
    ahead, between, back = pieces[1:begin], pieces[begin:end], pieces[end:-1]
    return ahead, "".join([*(pieces[:begin] if not ahead else ()), *between, *(pieces[end:] if not back else ())]), back


_PIECE: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()]|.", re.DOTALL)


def _pieces(pattern: str) -> list[str]:
    """A pattern as characters, classes and groups, each whole.

    A repeat of a group stands behind it as characters, where the dialect refuses it once the group is gone.
    """
    pieces: list[str] = []
    depth = 0
    for found in _PIECE.finditer(pattern):
        if depth:
            pieces[-1] += found[0]
        else:
            pieces.append(found[0])
        depth += {"(": 1, ")": -1}.get(found[0], 0)
    return pieces


# --- spelling ---------------------------------------------------------------------------------------------------------


def _respelled(pattern: str) -> str:
    """Needless escapes taken out, lone brackets and dashes escaped, unused names of groups dropped."""
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
        elif token == "-":
            beside = _BESIDE_SET.search(pattern, 0, found.start()) or _SET.match(pattern, found.end())
            out.append("\\-" if in_class and beside else token)
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
    """An escape without a backslash that says nothing: ECMA-262, annex B, reads ``\\_`` as ``_``.

    It reads ``\\A`` as ``A`` too, which is an anchor wherever else it is written: letters keep theirs, and are refused.
    """
    char = token[1]
    if in_class and char == "-":
        return token
    return token if char in _KEPT_ESCAPES or (char.isascii() and char.isalnum()) else char
