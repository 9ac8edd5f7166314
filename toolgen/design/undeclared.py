"""Classes that look like tools and are declared as none, as a lost decorator leaves them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from toolgen import dsl
from toolgen.design import classes
from toolgen.design.problems import Place, Problems
from toolgen.design.running import Source

_PARTS: Final = {"Input": "tool", "Result": "tool", "Response": "submit"}
"""The parts of a tool's class that make it look like one, and the decorator that declares it."""


def judge(sources: Sequence[Source], problems: Problems) -> None:
    """Report them, in files that have a toolset. A class whose name begins with an underscore is the author's own."""
    marks = [mark for source in sources for toolset in source.toolsets for mark in toolset.marks]
    used = {id(cls) for mark in marks if isinstance(mark.declared, type) for cls in _behind(mark.declared)}
    for source in sources:
        for cls, part in _tool_like(source) if source.toolsets else ():
            if not used.isdisjoint((id(cls), id(classes.body_of(cls)[part]))):
                continue
            name = classes.name_of(cls)
            lines = source.outline.find(name)
            place = Place(source.location(lines.line if lines is not None else 1))
            rule = f"{name} has a class {part}, but is declared as no tool"
            decorator = f"@{_variable(source)}.{_PARTS[part]}()"
            problems.add(place, rule, f"Write {decorator} above it, or begin its name with an underscore.")


def _tool_like(source: Source) -> Iterator[tuple[type, str]]:
    """The classes of a file that are described, as tools are and bases need not be, and have a part of a tool."""
    for name, value in source.module.__dict__.items():
        if not isinstance(value, type) or name.startswith("_") or classes.qualified_name(value) != name:
            continue
        if classes.module_name(value) != source.module.__name__ or issubclass(value, dsl.Record):
            continue
        body = classes.body_of(value)
        part = next((part for part in _PARTS if _is_part(body.get(part))), None)
        if part is not None and isinstance(body.get("__doc__"), str):
            yield value, part


def _is_part(found: object) -> bool:
    if not isinstance(found, type):
        return False
    return issubclass(found, dsl.Record) or any(isinstance(v, dsl.FieldMark) for v in classes.body_of(found).values())


def _behind(declared: type) -> Iterator[type]:
    """A declared class and its parts, with all that these inherit from."""
    for found in (declared, *(classes.attribute(declared, part) for part in _PARTS)):
        if isinstance(found, type):
            yield from classes.lineage_of(found)


def _variable(source: Source) -> str:
    """The name of the file's first toolset in it."""
    names = source.module.__dict__.items()
    return next((name for name, value in names if value is source.toolsets[0]), "toolset")
