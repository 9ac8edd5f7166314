"""Codecs: JSON ↔ the typed values of one tool, by two lanes that agree.

The fast lane decodes with msgspec into the generated body. What it does not take goes to the careful lane, which walks
the published schema over the parsed JSON, mends what may be mended, and either reports every issue or gives canonical
JSON that the same body then takes. So a value comes out of one body and one transform, whichever lane it went through.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from toolgen.runtime import bodies
from toolgen.runtime.careful import Careful
from toolgen.runtime.fastlane import Lanes, mapping_reader, text_reader
from toolgen.runtime.guards import Declined
from toolgen.runtime.issues import ContextError, Issue, Mend, PayloadError
from toolgen.runtime.proof import differences, issues_of, same
from toolgen.runtime.pytypes import hints_of, problems

if TYPE_CHECKING:
    from toolgen.runtime.context import Context

T = TypeVar("T")
B = TypeVar("B")

Input: TypeAlias = "bytes | bytearray | memoryview | str | Mapping[str, object] | None"

_ENCODER = msgspec.json.Encoder(order="deterministic")
_TORN = (Declined, msgspec.MsgspecError, UnicodeEncodeError, RecursionError, TypeError)
"""What a body and a transform raise where they do not take what the schema takes."""
Lane: TypeAlias = Literal["fast", "careful"]


class Reading(NamedTuple):
    """A decoded input with all there is to know of it.

    ``body`` tells what was given from what was not; ``notes`` say what was mended, ``lane`` which lane took it.
    """

    value: Any
    body: Any
    notes: tuple[Mend, ...]
    lane: Lane

    def given(self) -> frozenset[str]:
        """The Python names of the fields that were given. A body by hand may be a mapping; anything else tells none."""
        if isinstance(self.body, Mapping):
            return frozenset(self.body)
        fields: tuple[str, ...] = getattr(self.body, "__struct_fields__", ())
        return frozenset(name for name in fields if getattr(self.body, name) is not msgspec.UNSET)


class Codec(Generic[T, B]):
    """JSON ↔ ``T`` through the body ``B``, taking exactly what its schema takes.

    Args:
        tool: the tool's wire name, for messages.
        body: the type that msgspec decodes into.
        from_body: the transform from a body; injected values are its keyword arguments.
        to_body: its inverse.
        schema: the published JSON Schema, as text.
        lanes: which inputs the fast lane may take.
        example: an input that the schema takes, shown to a model that got its own wrong.
        lenient: whether mends are made.

    By itself it is the codec of a tool's results; those of inputs are its subclasses.
    """

    _what = "result"

    def __init__(
        self,
        tool: str,
        *,
        body: Any,
        from_body: Callable[..., T],
        to_body: Callable[[T], B],
        schema: str,
        lanes: Lanes = Lanes(),  # noqa: B008 - immutable
        example: dict[str, Any] | None = None,
        lenient: bool = False,
    ) -> None:
        self.tool = tool
        self.example = example
        self._body_type = body
        self._from_body = from_body
        self._to_body = to_body
        self._schema_text = schema
        self._lanes = lanes
        self._lenient = lenient
        # What is costly to make is made when it is first needed, so that importing a tool's module stays cheap. These
        # are plain attributes rather than cached properties, which would slow every decode down by a tenth.
        self._read_text: Callable[[Any], Any] = self._first_text
        self._read_mapping: Callable[[dict[Any, Any]], Any] = self._first_mapping
        self._schema: dict[str, Any] | None = None
        self._careful_lane: Careful | None = None

    @property
    def schema(self) -> dict[str, Any]:
        """The published schema. Every call site shares this object: copy it before changing it."""
        if self._schema is None:
            self._schema = json.loads(self._schema_text)
        assert self._schema is not None
        return self._schema

    @property
    def reads(self) -> bool:
        """Whether it has a decoder; a codec that was put together by hand may lack one."""
        return callable(self._from_body)

    @property
    def writes(self) -> bool:
        """Whether it has an encoder."""
        return callable(self._to_body)

    @property
    def wire_names(self) -> dict[str, str]:
        """Python name → key in JSON of each field. A body by hand that is no Struct has the keys alone."""
        if not hasattr(self._body_type, "__struct_fields__"):
            return {key: key for key in self.schema.get("properties", ())}
        return bodies.wire_names(self._body_type)

    @property
    def transform(self) -> Callable[..., T]:
        """The transform from a body."""
        return self._from_body

    def decode(self, data: Input, /) -> T:
        """The value that ``data`` (JSON as bytes or str, or a mapping already parsed) stands for.

        Raises:
            PayloadError: whatever is wrong with the input; nothing else is raised for it.
        """
        try:
            # Taken out of the object first: a call through an attribute that is no method is slower (CPython 3.11).
            build = self._from_body
            read: Callable[[Any], Any] = self._read_mapping if type(data) is dict else self._read_text
            return build(read(data))
        except Exception:
            value: T = self._slow(data, {}).value
            return value

    def decode_with_notes(self, data: Input, /) -> tuple[T, tuple[Mend, ...]]:
        """The value, and what was mended to read it.

        Raises:
            PayloadError: as ``decode``.
        """
        reading = self._read(data, {})
        return reading.value, reading.notes

    def read(self, data: Input, /) -> Reading:
        """The value, its body, what was mended, and the lane, in one decode.

        Raises:
            PayloadError: as ``decode``.
        """
        return self._read(data, {})

    def body(self, data: Input, /) -> B:
        """The input as it was given: what was left out is ``UNSET``, no default is filled in.

        Raises:
            PayloadError: as ``decode``.
        """
        try:
            body = self._fast(data)
            self._guard(body)
        except Exception:
            return self._careful_body(data)[0]
        return body

    def encode(self, value: T, /, *, check: bool = True) -> bytes:
        """Canonical JSON: design order, defaults written out, injected fields left out.

        With ``check`` it is proved that ``decode`` takes the text and gives an equal value, and all equal values have
        one text; without, speed comes first.

        Raises:
            PayloadError: the value is not one that this codec could read back; each issue has the path.
        """
        try:
            data = _ENCODER.encode(self._to_body(value))
        except Exception as error:  # what stands in the value may raise anything when it is looked at
            raise self._unwritable(value) from error
        return self._proved(value, data) if check else data

    def _guard(self, body: B) -> None:
        """Guards stand in the transform, so running it judges what msgspec did not."""
        self._from_body(body, **dict.fromkeys(self._injected))

    def _fast(self, data: Any) -> B:
        body: B = self._read_mapping(data) if type(data) is dict else self._read_text(data)
        return body

    def _read(self, data: Input, injected: Mapping[str, Any]) -> Reading:
        """The fast lane, and where that does not take the input the careful one."""
        try:
            body = self._fast(data)
            return Reading(self._from_body(body, **injected), body, (), "fast")
        except Exception:
            return self._slow(data, injected)

    def _slow(self, data: Input, injected: Mapping[str, Any]) -> Reading:
        body, notes = self._careful_body(data)
        try:
            return Reading(self._from_body(body, **injected), body, notes, "careful")
        except _TORN as error:
            raise self._torn(error) from error

    def _careful_body(self, data: Input) -> tuple[B, tuple[Mend, ...]]:
        judged = self._careful.read(data, lenient=self._lenient)
        if judged.issues:
            raise self._refusal(judged.issues)
        try:
            body: B = msgspec.convert(judged.value, self._body_type)
        except _TORN as error:
            raise self._torn(error) from error
        return body, judged.notes

    def _refusal(self, issues: Sequence[Issue]) -> PayloadError:
        return PayloadError(issues, schema=self.schema, example=self.example, tool=self.tool, what=self._what)

    def _torn(self, error: BaseException) -> PayloadError:
        """The schema takes an input that the body refuses: the generated module was changed by hand."""
        message = "could not be read"
        return self._refusal((Issue("", "invalid_type", message, expected=f"schema and body agree ({error})"),))

    def _unwritable(self, value: T) -> PayloadError:
        found = self._issues_of(value)
        root = Issue("", "invalid_type", "is not a value of this tool's type", actual=type(value).__name__)
        return self._refusal(found or (root,))

    def _proved(self, value: T, data: bytes) -> bytes:
        """The text of what is read back: that of ``value`` but where an int stands for a float.

        Python calls 7.0 and 7 equal, and JSON takes either for a whole number. A tool that was given the one for the
        other could fail, so a type that is wrong is refused although the value comes back as an equal one.
        """
        try:
            again = self._again(value, data)
        except PayloadError as error:
            raise self._refusal(self._issues_of(value) or error.issues) from None
        if not same(value, again):
            raise self._refusal(self._issues_of(value) or differences(value, again))
        canonical = _ENCODER.encode(self._to_body(again))
        if canonical != data and (issues := self._issues_of(value)):
            raise self._refusal(issues)
        return canonical

    def _issues_of(self, value: T) -> Sequence[Issue]:
        hint = hints_of(self._from_body).get("return", type(value))
        return issues_of(value, hint, self._careful)

    def _again(self, value: T, data: bytes) -> T:
        """What is read back from what was written of a value."""
        again: T = self._read(data, {name: getattr(value, name) for name in self._injected}).value
        return again

    @property
    def _injected(self) -> tuple[str, ...]:
        """Names of the fields that stand in no JSON."""
        return ()

    def _first_text(self, data: Any) -> Any:
        self._read_text = text_reader(self._body_type, self._lanes)
        return self._read_text(data)

    def _first_mapping(self, data: dict[Any, Any]) -> Any:
        self._read_mapping = mapping_reader(self._body_type, self._lanes)
        return self._read_mapping(data)

    @property
    def _careful(self) -> Careful:
        if self._careful_lane is None:
            self._careful_lane = Careful(self.schema)
        return self._careful_lane


class ModelCodec(Codec[T, B]):
    """The codec of what a model writes. It mends what may be mended; ``strict`` takes exactly what the schema takes."""

    _what = "input"
    _strict: Codec[T, B] | None = None

    @property
    def strict(self) -> Codec[T, B]:
        """The same codec with every mend off."""
        if self._strict is None:
            self._strict = _StrictCodec(
                self.tool,
                body=self._body_type,
                from_body=self._from_body,
                to_body=self._to_body,
                schema=self._schema_text,
                lanes=self._lanes,
                example=self.example,
            )
        return self._strict


class _StrictCodec(Codec[T, B]):
    _what = "input"


class ExecutionCodec(Codec[T, B]):
    """The codec of what a tool runs on: saved execution JSON, with injected values from a context.

    ``continued_by`` and ``continues`` name the tools whose saved data this codec might be given by mistake: those that
    go on with this one's pages, and the one whose pages this one goes on with.
    """

    _what = "input"

    def __init__(
        self,
        tool: str,
        *,
        context: Context[Any] | None = None,
        continued_by: tuple[str, ...] = (),
        continues: str | None = None,
        **parts: Any,
    ) -> None:
        super().__init__(tool, **parts)
        self._context = context
        self._continued_by = continued_by
        self._continues = continues

    def decode(self, data: Input, context: Mapping[str, object] | None = None, /) -> T:
        """The payload that ``data`` stands for, with the injected fields taken from ``context`` by Python name.

        Raises:
            PayloadError: whatever is wrong with the input.
            ContextError: an injected value is missing or bad.
        """
        value: T = self.read(data, context).value
        return value

    def decode_with_notes(
        self, data: Input, context: Mapping[str, object] | None = None, /
    ) -> tuple[T, tuple[Mend, ...]]:
        """As ``decode``; nothing is ever mended here, so there are no notes."""
        return self.decode(data, context), ()

    def read(self, data: Input, context: Mapping[str, object] | None = None, /) -> Reading:
        """As ``decode``, with the body and the lane.

        Raises:
            PayloadError: as ``decode``.
            ContextError: as ``decode``.
        """
        return self._read(data, {} if self._context is None else self._context.values(context))

    def check(self, payload: T, /) -> T:
        """``payload`` when it could be saved and read back.

        Raises:
            ContextError: a field is of the wrong type or outside its bounds. What the model wrote was taken before, so
                it is a restored field: the operator's error, and nothing to tell a model of.
        """
        try:
            self.encode(payload)
        except PayloadError as error:
            raise ContextError(problems(payload, error.issues), tool=self.tool, what="payload") from None
        return payload

    def _refusal(self, issues: Sequence[Issue]) -> PayloadError:
        """Says whose saved data it looks like, where a cursor tells a tool from its continuations."""
        if self._continued_by:
            others = " or ".join(self._continued_by)
            whose = f"saved by {others}, which continues {self.tool}: decode it with that codec"
            issues = [_hinted(issue, "unknown_field", whose) for issue in issues]
        elif self._continues is not None:
            whose = f"saved by {self._continues}, which {self.tool} continues: decode it with that codec"
            issues = [_hinted(issue, "missing_field", whose) for issue in issues]
        return super()._refusal(issues)

    @property
    def _injected(self) -> tuple[str, ...]:
        return () if self._context is None else self._context.names


def _hinted(issue: Issue, constraint: str, whose: str) -> Issue:
    if issue.path != "/cursor" or issue.constraint != constraint:
        return issue
    return dataclasses.replace(issue, hint=f"The data looks like what was {whose}")
