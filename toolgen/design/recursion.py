"""Records that hold themselves: fine through a list or an optional field, endless through a required one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolgen import ir


def terminable(records: Mapping[ir.TypeKey, Sequence[ir.Field]]) -> set[ir.TypeKey]:
    """The Records of which a finite value exists."""
    finite: set[ir.TypeKey] = set()
    while True:
        found = {
            key
            for key, fields in records.items()
            if all(ends(f.type, finite) for f in fields if f.presence is ir.Presence.REQUIRED)
        }
        if found == finite:
            return finite
        finite = found


def ends(type_: ir.Type, finite: set[ir.TypeKey]) -> bool:
    match type_:
        case ir.RecordRef(key):
            return key in finite
        case ir.Array(items, constraints) | ir.Map(items, constraints):
            return not constraints.min_items or ends(items, finite)
        case ir.Union(arms):
            return any(ends(arm, finite) for arm in arms)
        case _:
            return True
