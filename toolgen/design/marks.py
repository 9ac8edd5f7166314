"""What classes of a design say of themselves, or take from their bases."""

from __future__ import annotations

from toolgen import dsl


def is_closed(cls: type) -> bool:
    """Whether an object refuses unknown keys: as its class says, else as the nearest base that says."""
    for base in cls.__mro__:
        mark = base.__dict__.get("__toolgen_record__")
        if isinstance(mark, dsl.RecordMark) and isinstance(mark.closed, bool):
            return mark.closed
    return True


def rule_of(cls: type) -> object:
    """What a class says of ``also``, else the nearest base that says."""
    marks = (base.__dict__.get("__toolgen_record__") for base in cls.__mro__)
    return next((m.also for m in marks if isinstance(m, dsl.RecordMark) and m.also is not None), None)
