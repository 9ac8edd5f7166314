"""Python values of a design → the JSON that a caller would write for them."""

from __future__ import annotations

import datetime
import decimal
import enum
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from toolgen import dsl, ir
from toolgen.design.catalog import Catalog
from toolgen.ir import Json, Kind
from toolgen.names import is_clean_text, is_writable
from toolgen.runtime import formats
from toolgen.runtime.pointers import below

Fields = Mapping[ir.TypeKey, Sequence[ir.Field]]


class WireError(ValueError):
    """A value that is none of its type. ``path`` is a JSON Pointer to it, ``reason`` ends a sentence about it, and
    ``mend`` says what to write instead, where that is known.
    """

    def __init__(self, path: str, reason: str, mend: str | None = None) -> None:
        super().__init__(path, reason, mend)
        self.path = path
        self.reason = reason
        self.mend = mend


MOST_VALUES: Final = 100_000
"""Most values in a default or an example; a default is built afresh by every decode."""


def is_huge(value: object) -> bool:
    """Whether a value holds more values than anybody wrote: itself, or parts that hold each other many times over."""
    waiting, count = [value], 0
    while waiting and count <= MOST_VALUES:
        item = waiting.pop()
        count += 1
        if isinstance(item, dsl.Record):
            item = vars(item)
        if isinstance(item, list | dict):
            waiting += item.values() if isinstance(item, dict) else item
    return bool(waiting)


class Writer:
    """Writes values in wire form. A value that is in wire form already stays as it is.

    Nothing is written of what ``is_huge``.
    """

    def __init__(self, catalog: Catalog, fields: Fields) -> None:
        self._catalog = catalog
        self._fields = fields

    def write(self, value: object, type_: ir.Type, path: str = "") -> Json:
        """The JSON of ``value``, as ``type_`` writes it. Whether its bounds hold is not judged here.

        Raises:
            WireError: the value is of another kind, or has no JSON.
        """
        match type_:
            case ir.Scalar(kind):
                return _scalar(value, kind, path)
            case ir.EnumRef(key):
                return self._member(value, key, path)
            case ir.Array(items) if isinstance(value, list):
                return [self.write(item, items, f"{path}/{index}") for index, item in enumerate(value)]
            case ir.Map(values) if isinstance(value, dict):
                return {_key(k, path): self.write(item, values, below(path, k)) for k, item in value.items()}
            case ir.RecordRef(key):
                return self._record(value, key, path)
            case ir.Nullable(of):
                return None if value is None else self.write(value, of, path)
            case ir.Union(arms):
                return self._arm(value, arms, path)
            case _:
                return plain(value, path)

    def write_object(self, value: Mapping[str, object], fields: Sequence[ir.Field], path: str = "") -> dict[str, Json]:
        """An object by wire names. Keys that no field has are kept, for the schema to judge."""
        types = {field.wire: field.type for field in fields}
        return {
            _key(key, path): self.write(item, types.get(key, ir.Anything()), below(path, key))
            for key, item in value.items()
        }

    def _member(self, value: object, key: ir.TypeKey, path: str) -> Json:
        if not isinstance(value, enum.Enum):
            return plain(value, path)
        if type(value) is not self._catalog.enum_class(key):
            raise WireError(path, f"is no member of {key.name}")
        inner = value._value_
        if isinstance(inner, str):
            return str.__str__(inner)
        return int(inner) if isinstance(inner, int) else None

    def _record(self, value: object, key: ir.TypeKey, path: str) -> Json:
        fields = self._fields.get(key, ())
        if isinstance(value, dict):
            return self.write_object(value, fields, path)
        if not isinstance(value, dsl.Record):
            return plain(value, path)
        if self._catalog.record_class(type(value)) != key:
            raise WireError(path, f"is a {type(value).__name__}, not a {key.name}")
        by_name = {field.name: field for field in fields}
        given = vars(value)
        unknown = [name for name in given if name not in by_name]
        if unknown:
            raise WireError(path, f"has {unknown[0]!r}, which is no field of {key.name}")
        return {
            field.wire: self.write(given[name], field.type, below(path, field.wire))
            for name, field in by_name.items()
            if name in given
        }

    def _arm(self, value: object, arms: Sequence[ir.Type], path: str) -> Json:
        """The value as the first arm that takes its kind writes it: no two arms take one JSON type."""
        if isinstance(value, dsl.Record):
            key = self._catalog.record_class(type(value))
            arms = [arm for arm in arms if isinstance(arm, ir.RecordRef) and arm.key == key]
        elif isinstance(value, enum.Enum):
            arms = [a for a in arms if isinstance(a, ir.EnumRef) and self._catalog.enum_class(a.key) is type(value)]
        for arm in arms:
            try:
                return self.write(value, arm, path)
            except WireError:
                continue
        return plain(value, path)


def plain(value: object, path: str) -> Json:
    """A value that is JSON already, copied.

    Raises:
        WireError: it is none.
    """
    if value is None or isinstance(value, bool):
        return value
    if type(value) is str:
        if not is_clean_text(value):
            raise WireError(path, "has a lone surrogate")
        return value
    if type(value) is int or type(value) is float:
        if not is_writable(value):
            raise WireError(path, "is a number that JSON can't hold: not finite, or of more than 4,300 digits")
        return value
    if isinstance(value, list):
        return [plain(item, f"{path}/{index}") for index, item in enumerate(value)]
    if isinstance(value, dict):
        return {_key(key, path): plain(item, below(path, key)) for key, item in value.items()}
    raise WireError(path, f"is a {type(value).__name__}, which does not fit")


def _key(key: object, path: str) -> str:
    if type(key) is not str or not is_clean_text(key):
        raise WireError(path, f"has the key {key!r}, which is no plain text")
    return key


def _offset_text(value: datetime.datetime | datetime.time, path: str) -> str:
    offset = value.utcoffset()
    if offset is None:
        mend = "Say its zone: tzinfo=datetime.timezone.utc, or another."
        raise WireError(path, "has no offset, since its tzinfo is None", mend)
    if offset % datetime.timedelta(minutes=1):
        raise WireError(path, "has an offset that is not in whole minutes")
    return _builtin(value)


def _builtin(value: object) -> str:
    text = msgspec.to_builtins(value)
    assert isinstance(text, str)
    return text


def _scalar(value: object, kind: Kind, path: str) -> Json:
    write = _TEXTS.get((kind, type(value)))
    if write is not None:
        return write(value, path)
    if kind is Kind.FLOAT and type(value) is int:
        try:
            return float(value)
        except OverflowError:
            raise WireError(path, "is beyond what a float holds") from None
    if kind is Kind.DECIMAL and type(value) in (int, float):
        raise WireError(path, "is a number of another kind than Decimal", f'Write Decimal("{value}").')
    return plain(value, path)


def _no_path(convert: Callable[[object], str]) -> Callable[[object, str], str]:
    def write(value: object, path: str) -> str:
        try:
            return convert(value)
        except ValueError as error:
            raise WireError(path, f"has no JSON: {error}") from None

    return write


_TEXTS: dict[tuple[Kind, type], Callable[..., str]] = {
    (Kind.DATE, datetime.date): _no_path(_builtin),
    (Kind.UUID, uuid.UUID): _no_path(_builtin),
    (Kind.BYTES, bytes): _no_path(_builtin),
    (Kind.TIME, datetime.time): _offset_text,
    (Kind.DATETIME, datetime.datetime): _offset_text,
    (Kind.TIMEDELTA, datetime.timedelta): _no_path(formats.duration_to_text),  # type: ignore[arg-type]
    (Kind.DECIMAL, decimal.Decimal): _no_path(formats.decimal_to_text),  # type: ignore[arg-type]
}
