"""Walking ir types: what stands inside a type, and what a set of types reaches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolgen import ir


def children(type_: ir.Type) -> tuple[ir.Type, ...]:
    """The types written directly inside ``type_``; a Record's fields are not (see ``reached_records``)."""
    match type_:
        case ir.Array(items, _):
            return (items,)
        case ir.Map(values, _):
            return (values,)
        case ir.Nullable(of):
            return (of,)
        case ir.Union(arms, _):
            return arms
    return ()


def parts(type_: ir.Type) -> Iterator[ir.Type]:
    """``type_`` itself and all types written inside it, outermost first, Records not entered."""
    yield type_
    for child in children(type_):
        yield from parts(child)


def reached_records(types: Iterable[ir.Type], program: ir.Program) -> dict[ir.TypeKey, ir.Record]:
    """Every Record that the types reach, through other Records too, in the order in which they are met."""
    found: dict[ir.TypeKey, ir.Record] = {}
    waiting = list(types)
    while waiting:
        for part in parts(waiting.pop(0)):
            if isinstance(part, ir.RecordRef) and part.key not in found:
                record = found[part.key] = program.records[part.key]
                waiting.extend(field.type for field in record.fields)
    return found


def reached_types(types: Iterable[ir.Type], program: ir.Program) -> Iterator[ir.Type]:
    """Every type that the types reach, Records entered once each."""
    types = tuple(types)
    for type_ in types:
        yield from parts(type_)
    for record in reached_records(types, program).values():
        for field in record.fields:
            yield from parts(field.type)


def is_recursive(types: Iterable[ir.Type], program: ir.Program) -> bool:
    """Whether a Record that the types reach can hold itself at some depth."""
    reached = reached_records(types, program)
    return any(key in reached_records((f.type for f in record.fields), program) for key, record in reached.items())
