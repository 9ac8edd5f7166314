"""The careful lane: a walk of the published schema over parsed JSON.

It takes exactly what the schema takes, mends what may be mended when it is lenient, finds every fault at every depth,
and gives canonical JSON for what it takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from toolgen.runtime import foreign, jsontext
from toolgen.runtime.issues import Issue, Mend, PayloadError
from toolgen.runtime.nodes import Walk
from toolgen.runtime.schemanodes import Builder, SchemaError

__all__ = ["Careful", "Judged", "Mend", "SchemaError"]


class Judged(NamedTuple):
    """What came of an input.

    ``value`` is canonical JSON, built fresh: int where the schema says integer, float where it says number, the
    schema's own member of an enum, defaults not filled in, unknown keys of open objects left out. It means nothing when
    there are ``issues``; these are put into words when they are looked at, again each time. ``notes`` say what was
    mended.
    """

    value: Any
    issues: Sequence[Issue] = ()
    notes: tuple[Mend, ...] = ()


class Careful:
    """Judges inputs by a JSON Schema (2020-12, the keywords of canonical schemas; others are annotations).

    Raises:
        SchemaError: the schema has a reference that can't be followed.
    """

    def __init__(self, schema: Mapping[str, Any] | bool) -> None:
        self._root = Builder(schema).node(schema)
        kinds = self._root.kinds
        self._wants_object = "object" in kinds and "null" not in kinds

    def read(self, data: jsontext.Text | object, *, lenient: bool) -> Judged:
        """Judges an input as it came: JSON text (bytes or str), or a value already parsed.

        With ``lenient``, where the schema wants an object: no text, blank text, None and null are ``{}``.
        A text that is no JSON is an issue at the root, malformed_json or truncated_json. No input makes this raise.
        """
        try:
            if jsontext.is_text(data):
                return self._read_text(data, lenient)
            return self.judge(data, lenient=lenient)
        except PayloadError as error:
            return Judged(None, error.issues)

    def _read_text(self, data: jsontext.Text, lenient: bool) -> Judged:
        text, notes = jsontext.decoded(data, lenient=lenient)
        if lenient and self._wants_object and (not text or text.isspace()):
            return self._judge({}, lenient, (*notes, Mend("", "no arguments at all")))
        parsed = jsontext.parse_decoded(text, notes, lenient=lenient)
        return self._judge(parsed.value, lenient, parsed.notes)

    def judge(self, value: object, *, lenient: bool) -> Judged:
        """Judges a value that was already parsed. It may hold anything; what JSON has no type for is an issue.

        Mappings are read as objects and lists as arrays, each once, and none is kept or changed.
        """
        try:
            plain = taken_apart(value)
        except PayloadError as error:
            return Judged(None, error.issues)
        return self._judge(plain, lenient, ())

    def _judge(self, value: Any, lenient: bool, notes: tuple[Mend, ...]) -> Judged:
        walk = Walk(lenient=lenient)
        walk.notes += notes
        if value is None and lenient and self._wants_object:
            value = {}
            walk.notes.append(Mend("", "null instead of arguments"))
        try:
            canonical = self._root.check(value, None, walk)
        except RecursionError:
            return Judged(None, (_too_deep(),))
        if walk.faults:
            return Judged(None, walk.faults, tuple(walk.notes))
        return Judged(canonical, (), tuple(walk.notes))


def taken_apart(value: object) -> Any:
    """A value that was already parsed, as plain JSON values and ``foreign.Foreign`` where it has what JSON has not.

    Raises:
        PayloadError: one issue at the root, malformed_json: it nests too deep, or has a number of too many digits.
    """
    try:
        return foreign.plain(value)
    except (foreign.TooDeep, RecursionError):
        raise PayloadError((_too_deep(),)) from None
    except foreign.TooLong:
        raise PayloadError((Issue("", "malformed_json", jsontext.TOO_MANY_DIGITS, expected="JSON"),)) from None


def _too_deep() -> Issue:
    return Issue("", "malformed_json", f"nests deeper than {jsontext.MAX_DEPTH} levels", limit=jsontext.MAX_DEPTH)
