"""The contract of a generated tool, as laws that any input is held to.

``Tool.hold`` takes one JSON value through every codec, lane and form; ``Tool.hold_text`` takes any text or bytes. Both
raise AssertionError with the input where a law is broken, and otherwise say what came of it.
"""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any, NamedTuple

from outside_judge import outside_judge
from written_out import WrittenOut

from toolgen.runtime import UNSET
from toolgen.runtime.bodies import body_of, wire_names
from toolgen.runtime.codec import Codec, ExecutionCodec, Lanes, ModelCodec
from toolgen.runtime.issues import ContextError, PayloadError
from toolgen.runtime.pointers import steps
from toolgen.testing import full_input
from toolgen.testing.judging import plain, same
from toolgen.testing.shape import MISSING, put

NO_LANES = Lanes(json=False)


class Outcome(NamedTuple):
    """What came of an input: a value, or issues as (path, constraint)."""

    value: Any = None
    issues: tuple[tuple[str, str], ...] = ()
    notes: tuple[Any, ...] = ()
    taken: bool = False

    def agrees(self, other: Outcome) -> bool:
        if self.taken and other.taken:
            return same(plain(self.value), plain(other.value)) and self.notes == other.notes
        return self.taken == other.taken and self.issues == other.issues


def carefully(codec: Codec[Any, Any]) -> Any:
    """The same codec with its fast lane closed."""
    parts: dict[str, Any] = {
        "body": codec._body_type,
        "from_body": codec._from_body,
        "to_body": codec._to_body,
        "schema": codec._schema_text,
        "lanes": NO_LANES,
    }
    if isinstance(codec, ExecutionCodec):
        return ExecutionCodec(codec.tool, context=codec._context, **parts)
    if isinstance(codec, ModelCodec):
        return ModelCodec(codec.tool, lenient=codec._lenient, **parts)
    return Codec(codec.tool, lenient=codec._lenient, **parts)


def outcome(decode: Callable[[Any], tuple[Any, Any]], data: Any) -> Outcome:
    try:
        value, notes = decode(data)
    except PayloadError as error:
        issues = tuple(sorted((issue.path, issue.constraint) for issue in error.issues))
        assert issues, "a PayloadError without an issue"
        return Outcome(issues=issues)
    return Outcome(value=value, notes=tuple(notes), taken=True)


def forms(value: Any) -> list[Any]:
    """A JSON value as bytes, as str and, an object, as a mapping."""
    data = json.dumps(value, ensure_ascii=False)
    return [data.encode(), data, *([copy.deepcopy(value)] if isinstance(value, dict) else [])]


class Lane:
    """One codec with its careful twin and what judges it from outside."""

    def __init__(self, codec: Codec[Any, Any], decode: Callable[[Any, Any], tuple[Any, Any]]) -> None:
        self.codec = codec
        self.twin = carefully(codec)
        self.decode = lambda data: decode(codec, data)
        self.decode_carefully = lambda data: decode(self.twin, data)

    def hold(self, value: Any) -> Outcome:
        """Every form of the value, in both lanes, has one outcome. What is refused has been in the careful lane."""
        data, *others = forms(value)
        first = outcome(self.decode, data)
        for decode in (self.decode, self.decode_carefully) if first.taken else (self.decode,):
            for form in others:
                other = outcome(decode, form)
                assert other.agrees(first), f"{value!r} as {type(form).__name__}: {other} beside {first}"
        return first

    def hold_text(self, data: bytes | str) -> Outcome:
        """The fast lane takes nothing else than the careful lane does."""
        first, careful = outcome(self.decode, data), outcome(self.decode_carefully, data)
        assert first.agrees(careful), f"{data!r}: {first} beside {careful}"
        return first


class Tool:
    """A compiled tool with all that is needed to hold inputs to the laws."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        context = getattr(module, "CONTEXT", None)
        self.context_schema = context.codec.schema if context else None
        self.injected = attributes(context.codec.decode(full_input(context.codec.schema))) if context else {}
        self.model = Lane(module.MODEL, lambda codec, data: codec.decode_with_notes(data))
        self.strict = Lane(module.MODEL.strict, lambda codec, data: codec.decode_with_notes(data))
        self.execution = Lane(module.EXECUTION, lambda codec, data: codec.decode_with_notes(data, self.injected))
        self.valid = outside_judge(module.MODEL.schema)
        self.valid_execution = outside_judge(module.EXECUTION.schema)
        self.written = WrittenOut(module.MODEL.schema)
        self.written_execution = WrittenOut(module.EXECUTION.schema)
        self.restored = list(module.SPEC.restored)
        execution = full_input(module.EXECUTION.schema)
        model_keys = module.MODEL.schema["properties"].keys()
        self.restored_input = {k: v for k, v in execution.items() if k not in model_keys}

    def hold(self, value: Any) -> Outcome:
        """Holds an input of the model to the laws; gives what the strict codec makes of it."""
        strict = self.strict.hold(value)
        lenient = self.model.hold(value)
        assert strict.taken == self.valid(value), f"{value!r}: {strict}; jsonschema says otherwise"
        if not strict.taken:
            assert not lenient.taken or lenient.notes, f"{value!r} is mended without a note"
            assert lenient.taken or lenient.issues
        else:
            assert lenient.agrees(strict), f"{value!r}: {lenient} beside {strict}"
        if lenient.taken:
            data = self._comes_back(self.model, self.valid, lenient.value)
            assert not strict.taken or self.written.is_of(value, data), f"{value!r} becomes {data!r}"
            self._meet(value if strict.taken else json.loads(self.model.codec.encode(lenient.value)))
        return strict

    def hold_execution(self, value: Any) -> Outcome:
        """Holds saved execution JSON to the laws."""
        found = self.execution.hold(value)
        assert found.taken == self.valid_execution(value), f"{value!r}: {found}; jsonschema says otherwise"
        assert not found.notes
        if found.taken:
            data = self._comes_back(self.execution, self.valid_execution, found.value)
            assert self.written_execution.is_of(value, data), f"{value!r} becomes {data!r}"
        return found

    def hold_left_out(self, whole: Any, place: str, absent: object, *, execution: bool) -> None:
        """A field that is left out is ``absent``, which a field given as null is not where null is told apart."""
        lane = self.execution if execution else self.strict
        for value in (MISSING, None) if absent is UNSET else (MISSING,):
            found = outcome(lane.decode, json.dumps(put(whole, place, value)))
            held = standing(found.value, steps(place))
            assert (held is absent) == (value is MISSING), f"{place} of {whole!r} is {held!r} where it is {value!r}"

    def hold_context(self, given: Mapping[str, Any], execution: Any) -> tuple[str, ...]:
        """A context is taken, or refused naming injected fields; gives the names."""
        names: tuple[str, ...] | None = None
        try:
            self.module.EXECUTION.decode(execution, given)
        except ContextError as error:
            names = tuple(error.names)
        assert names is None or (names and set(names) <= set(self.injected)), names
        return names or ()

    def refuses_mapping(self, value: Any, *, execution: bool) -> tuple[tuple[str, str], ...]:
        """The issues of a mapping that holds what is no JSON: every codec refuses it, for the same reason."""
        lanes = (self.execution,) if execution else (self.strict, self.model)
        found = [outcome(decode, value) for lane in lanes for decode in (lane.decode, lane.decode_carefully)]
        assert not any(one.taken for one in found), f"{value!r} is taken"
        assert all(one.issues == found[0].issues for one in found), found
        return found[0].issues

    def hold_text(self, data: bytes | str) -> tuple[Outcome, Outcome, Outcome]:
        """Holds any text at all: nothing but a value or a PayloadError comes of it, alike in both lanes."""
        return self.strict.hold_text(data), self.model.hold_text(data), self.execution.hold_text(data)

    def _comes_back(self, lane: Lane, valid: Callable[[Any], bool], value: Any) -> Any:
        """What is written of a value comes back as it; gives the JSON."""
        data = lane.codec.encode(value)
        assert data == lane.codec.encode(value, check=False)
        assert valid(json.loads(data)), f"{data!r} was encoded, and jsonschema refuses it"
        again = outcome(lane.decode, data)
        assert again.taken, f"{data!r} was encoded, and is refused: {again}"
        assert same(plain(again.value), plain(value)), f"{data!r} comes back as {again.value!r}, not {value!r}"
        assert again.value == value
        assert lane.codec.encode(again.value) == data
        return json.loads(data)

    def _meet(self, value: dict[str, Any]) -> None:
        """The two ways to a payload meet."""
        for restored in (self.restored_input, {}):
            saved = outcome(self.execution.decode, json.dumps({**value, **restored}))
            if restored or saved.taken:
                assert saved.taken, f"{value!r} with {restored!r}: {saved}"
                names = self.restored if restored else []
                extra = {name: getattr(saved.value, name) for name in names}
                args = self.module.MODEL.decode(json.dumps(value))
                completed = self.module.complete(args, **extra, **self.injected)
                assert same(plain(completed), plain(saved.value)), f"{completed!r} beside {saved.value!r}"


def standing(value: Any, keys: list[str]) -> Any:
    """What a decoded value holds where the keys of its JSON lead."""
    for key in keys:
        if dataclasses.is_dataclass(value):
            # An injected field, which stands in no JSON, may have the name that is the key of another.
            names = {wire: name for name, wire in wire_names(body_of(value)).items()}
            value = getattr(value, names[key])
        else:
            value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def attributes(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in type(value).__dataclass_fields__}
