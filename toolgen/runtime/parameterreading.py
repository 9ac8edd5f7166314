"""The parameters of a submit: what a model wrote, to the response's own JSON and the reasoning."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from toolgen.runtime import jsontext, words
from toolgen.runtime.careful import taken_apart
from toolgen.runtime.codec import Input
from toolgen.runtime.faults import below
from toolgen.runtime.issues import Mend, PayloadError
from toolgen.runtime.kinds import KIND_OF
from toolgen.runtime.parameters import ParameterError, opening, size
from toolgen.runtime.recovery import Place, mends, object_at, place_in, prose
from toolgen.runtime.told import REASONING

_KINDS = {"array": "an array", "object": "an object", "integer": "a number", "number": "a number"}
SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a character, which no text that is sent holds."""

_WHOLE_OBJECT = "Write it as a JSON object, not as text, and as a top-level parameter."


class Parameters(NamedTuple):
    """What was written: the response as JSON, not judged yet, the reasoning, and what was mended."""

    response: dict[str, Any]
    reasoning: str | None
    notes: tuple[Mend, ...]


def read_nested(arguments: Input, payload: str, reasoning: bool, properties: Collection[str]) -> Parameters:
    """The parameters where one holds the response, which has these properties.

    Raises:
        ParameterError: they can't be read.
    """
    given, notes = _object_of(arguments, lenient=True)
    known = (REASONING, payload) if reasoning else (payload,)
    if payload in given:
        response, more = _payload(given[payload], payload)
        why = _reasoning(given) if reasoning else None
    else:
        response, why, more = _recovered(given, payload, reasoning, properties)
    for name in given:
        if name not in known:
            raise _unknown(name, known, payload if name in properties else None)
    return Parameters(response, why, (*notes, *more))


def read_flat(arguments: Input, required: Sequence[str], reasoning: bool) -> Parameters:
    """The parameters where each property of the response is one. Nothing is mended.

    Raises:
        ParameterError: they can't be read.
    """
    given, _ = _object_of(arguments, lenient=False)
    absent = [name for name in ([REASONING] if reasoning else []) + [*required] if name not in given]
    if absent:
        also = f" Missing too: {', '.join(absent[1:])}." if absent[1:] else ""
        raise ParameterError("parameter_absent", absent[0], f"it is required, and missing.{also}")
    for name in required:
        if given[name] is None:
            raise ParameterError("parameter_type", name, "it is required, and null. Write its value.")
    why = _reasoning(given) if reasoning else None
    response = {name: value for name, value in given.items() if not (reasoning and name == REASONING)}
    return Parameters(response, why, ())


# --- the arguments -------------------------------------------------------------------------------------------------


def _object_of(arguments: Input, *, lenient: bool) -> tuple[dict[str, Any], tuple[Mend, ...]]:
    try:
        value, notes = _value(arguments, lenient)
    except PayloadError as error:
        (issue,) = error.issues
        detail = f"the input {issue.message}. {issue.hint or 'Write one whole JSON object.'}"
        if not jsontext.is_text(arguments):
            raise ParameterError("arguments_undecoded", None, detail) from error
        text, length = _sized(arguments)
        raise ParameterError("arguments_undecoded", None, detail, length=length, quote=opening(text)) from error
    if type(value) is not dict:
        raise ParameterError("arguments_undecoded", None, f"the input is {_kind(value)}, not an object.")
    return value, notes


def _sized(arguments: jsontext.Text) -> tuple[str, int]:
    """The text of arguments as far as it can be shown, and its bytes as they came."""
    if isinstance(arguments, str):
        return arguments, size(arguments)
    raw = bytes(arguments)
    return raw.decode("utf-8", "replace"), len(raw)


def _value(arguments: Input, lenient: bool) -> tuple[Any, tuple[Mend, ...]]:
    if arguments is None:
        return {}, ()
    if not jsontext.is_text(arguments):
        return taken_apart(arguments), ()
    if not lenient:
        return jsontext.parse(arguments, lenient=False)
    text, notes = jsontext.decoded(arguments, lenient=True)
    if text.strip():
        value, notes = jsontext.parse(arguments, lenient=True)
        if isinstance(value, str):
            value, more = jsontext.parse(value, lenient=True)
            notes = (*notes, Mend("", "object written as a JSON string"), *more)
        if value is not None:
            return value, notes
    return {}, (*notes, Mend("", "no arguments at all"))


def _unknown(name: str, known: tuple[str, ...], holder: str | None) -> ParameterError:
    near = words.near(name, known)
    hint = f"Did you mean {near}?" if near else f"The parameters are {', '.join(known)}."
    if holder is not None:
        hint = f"Write it inside {holder}."
    return ParameterError("parameter_unknown", None, f"there is no such parameter. {hint}", quote=opening(name))


# --- one parameter -------------------------------------------------------------------------------------------------


def _reasoning(given: Mapping[str, Any]) -> str:
    if REASONING not in given:
        raise ParameterError("parameter_absent", REASONING, "it is required, and missing.")
    text = given[REASONING]
    if type(text) is not str:
        raise ParameterError("parameter_type", REASONING, f"it is {_kind(text)}. Write text.")
    if SURROGATE.search(text):
        raise ParameterError("parameter_type", REASONING, "it has half of a character. Write whole characters.")
    return text


def _payload(value: Any, payload: str) -> tuple[dict[str, Any], tuple[Mend, ...]]:
    """A payload that is there. Whatever it is, none is looked for elsewhere."""
    if type(value) is dict:
        return value, ()
    if type(value) is not str:
        raise ParameterError("parameter_type", payload, f"it is {_kind(value)}. {_WHOLE_OBJECT}")
    found = object_at(value)
    if found is None:
        length = size(value)
        detail = f"it is a string of {words.count(length, 'byte')} that does not hold one whole JSON object. "
        detail += _WHOLE_OBJECT
        raise ParameterError("payload_text_declined", payload, detail, length=length, quote=opening(value))
    return found.value, mends(payload, ("object written as a JSON string", *found.notes))


def _recovered(
    given: Mapping[str, Any], payload: str, reasoning: bool, properties: Collection[str]
) -> tuple[dict[str, Any], str | None, tuple[Mend, ...]]:
    """A payload that is not there, from the reasoning, and what that holds before it."""
    text = given.get(REASONING) if reasoning else None
    place = place_in(text, payload) if type(text) is str else None
    if place is None or type(text) is not str:
        others = tuple(name for name in given if not (reasoning and name == REASONING))
        beside = [name for name in properties if name in others]
        hint = " A parameter with a similar name is there." if words.near(payload, others) else ""
        if beside:
            hint = f" What belongs inside it stands in its place: {', '.join(beside)}."
        raise ParameterError("parameter_absent", payload, f"it is required, and missing.{hint} {_WHOLE_OBJECT}")
    found = object_at(text, place.payload)
    if found is None:
        _decline(text, place, payload)
    before = text[: place.begins]
    kept = _reasoning({REASONING: prose(before) if place.kind == "opener" else before})
    what = f"taken from {REASONING}, where it stood behind its {'opening tag' if place.kind == 'opener' else 'key'}"
    return (
        found.value,
        kept,
        (*mends(payload, (what, *found.notes)), Mend(below("", REASONING), "cut before the payload")),
    )


def _decline(text: str, place: Place, payload: str) -> NoReturn:
    offset = size(text[: place.begins])
    what = "its opening tag" if place.kind == "opener" else "its key"
    rest = text[place.payload :]
    raise ParameterError(
        "opener_declined" if place.kind == "opener" else "member_declined",
        payload,
        f"it is missing: {what} stands inside {REASONING}, at byte {offset}, and what follows there is not one whole "
        f"JSON object. {_WHOLE_OBJECT}",
        length=size(rest),
        offset=offset,
        quote=opening(rest),
    )


def _kind(value: object) -> str:
    kind = KIND_OF.get(type(value))
    if kind is None:
        return "a value that JSON has no type for"
    return "null" if kind == "null" else _KINDS.get(kind, f"a {kind}")
