"""Turns that were cut: the last call of one may be half of what the model meant, and is never run on a guess.

Which reasons to stop mean that is a fact of each provider, ``CUT`` of its module.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from toolgen.providers.reading import plain
from toolgen.runtime import PayloadError, ToolCall
from toolgen.runtime.jsontext import parse


def last_cut(calls: list[ToolCall], reason: Any, reasons: frozenset[str]) -> list[ToolCall]:
    """The calls of a turn that stopped for ``reason``: the last one cut, where ``reasons`` have it."""
    # An SDK may give the reason as the member of an enum.
    if not calls or str(getattr(reason, "value", reason)) not in reasons:
        return calls
    return [*calls[:-1], cut(calls[-1])]


def cut(call: ToolCall) -> ToolCall:
    """The call with arguments that every codec refuses as truncated_json.

    Providers, and their SDKs, close what was cut, or leave it empty, so that it would read as whole: an object, or a
    text that is one, loses its end again. A text that is no JSON stays as it came, and is refused as it is.
    """
    return replace(call, arguments=_cut_off(call.arguments))


def _cut_off(arguments: Any) -> str:
    text = _text(arguments).strip()
    return (text[:-1] if is_whole(text) else text) or "{"


def is_whole(arguments: Any) -> bool:
    """Whether arguments are JSON, or a text that a codec would mend to it."""
    try:
        parse(_text(arguments), lenient=True)
    except PayloadError:
        return False
    return True


def _text(arguments: Any) -> str:
    if arguments is None:
        return ""
    if isinstance(arguments, str):
        return arguments
    if isinstance(arguments, bytes | bytearray | memoryview):
        return bytes(arguments).decode("utf-8", "replace")
    return json.dumps(plain(arguments) if isinstance(arguments, Mapping) else arguments, default=str)
