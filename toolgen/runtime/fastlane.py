"""The fast lane: msgspec into the generated body, without a Python loop over the input.

A reader takes an input or raises, which hands the input to the careful lane, whatever it is that is raised: an input
may be any object, and a fault of the transform is raised there again. What msgspec itself may not decide is judged by
the guards in the transform that follows, or kept out of the lane altogether by ``Lanes``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

import msgspec

from toolgen.runtime.containers import look_into
from toolgen.runtime.guards import Declined
from toolgen.runtime.jsontext import MAX_DEPTH
from toolgen.runtime.purity import PLAIN, is_plain, is_surely_plain

encode = msgspec.json.Encoder().encode


class Lanes(NamedTuple):
    """Which inputs the fast lane may take.

    ``json``: any at all. ``deep``: input can nest past any fixed depth, so that deep input must be left alone.
    """

    json: bool = True
    deep: bool = False


def text_reader(body: Any, lanes: Lanes) -> Callable[[Any], Any]:
    """Reads JSON text, as bytes or str, into the body."""
    if not lanes.json:
        return _decline
    decode: Callable[[Any], Any] = msgspec.json.Decoder(body).decode
    if not lanes.deep:
        return decode

    def decode_shallow(data: Any) -> Any:
        if _openers(data) > MAX_DEPTH:
            raise Declined
        return decode(data)

    return decode_shallow


def mapping_reader(body: Any, lanes: Lanes) -> Callable[[dict[Any, Any]], Any]:
    """Reads a mapping already parsed into the body.

    msgspec's conversion hands on what stands where any value may, so that a payload would share it with the input:
    input that can hold such values goes by way of its JSON.
    """
    if not lanes.json:
        return _decline
    if lanes.deep:
        return _by_json(body)
    # Keys that a body does not declare are refused by msgspec, so that of a dict of nothing but plain scalars no more
    # need be seen. Most are such, and each call that is spared counts.
    config = getattr(body, "__struct_config__", None)
    closed = config is not None and config.forbid_unknown_fields
    convert = msgspec.convert
    look = look_into(body)

    def read(data: dict[Any, Any]) -> Any:
        if closed:
            for item in data.values():
                kind = type(item)
                if kind is str:
                    if not item.isascii():
                        break
                elif kind not in PLAIN and (kind is not float or item - item != 0.0):
                    break
            else:
                return convert(data, body)
        if look is None:
            if not is_plain(data):
                raise Declined
            return convert(data, body)
        look(data)
        made = convert(data, body)  # first, since what is of no type of the body could be of any size
        if not (is_surely_plain(data) or is_plain(data)):
            raise Declined
        return made

    return read


def _by_json(body: Any) -> Callable[[dict[Any, Any]], Any]:
    decode: Callable[[Any], Any] = msgspec.json.Decoder(body).decode

    def take(data: dict[Any, Any]) -> Any:
        if not is_plain(data):
            raise Declined
        try:
            text = encode(data)
        except ValueError:  # an integer of more digits than Python writes
            raise Declined from None
        return decode(text)

    return take


def _decline(_: object) -> NoReturn:
    raise Declined


def _openers(data: Any) -> int:
    """How many brackets open: no input nests deeper than this."""
    if type(data) is str:  # a foreign object's __class__ may raise
        return data.count("[") + data.count("{")
    if type(data) is bytes:
        return data.count(b"[") + data.count(b"{")
    raise Declined
