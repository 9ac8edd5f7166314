"""JSON text laid out for reading: what fits stands on one line, what does not is opened one item a line."""

from __future__ import annotations

import json

from toolgen.ir import Json


def readable_json(value: Json, width: int = 88) -> str:
    """JSON text of ``value`` with lines of at most ``width`` columns, where a single item does not make one longer."""
    return _laid_out(value, 0, width, 0)


_flat = json.JSONEncoder(ensure_ascii=False).encode


def _laid_out(value: Json, indent: int, width: int, before: int) -> str:
    """``before`` counts the columns that stand on the first line already, key and comma included."""
    flat = _flat(value)
    if not isinstance(value, (dict, list)) or not value or before + indent + len(flat) <= width:
        return flat
    inner = indent + 2
    if isinstance(value, dict):
        keys = [(f"{_flat(key)}: ", item) for key, item in value.items()]
    else:
        keys = [("", item) for item in value]
    lines = [f"{' ' * inner}{key}{_laid_out(item, inner, width, len(key) + 1)}" for key, item in keys]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + "\n" + ",\n".join(lines) + "\n" + " " * indent + closing
