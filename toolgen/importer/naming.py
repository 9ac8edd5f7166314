"""Names for what was imported: classes of Records and tools, Python names of fields, the toolset."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeGuard

from toolgen import names
from toolgen.importer import dcg
from toolgen.importer.plan import FieldPlan, ObjectPlan, ToolPlan

LONGEST = 60
"""Characters of a class name made of a title; longer titles are sentences, and the path names the Record better."""

_TYPE_WORDS = frozenset(
    [
        "str",
        "int",
        "float",
        "bool",
        "bytes",
        "date",
        "time",
        "datetime",
        "timedelta",
        "UUID",
        "Decimal",
        "Any",
        "Literal",
        "Annotated",
        "Constraints",
        "list",
        "dict",
        "field",
        "restored",
        "injected",
        "Record",
        "Toolset",
    ]
)
_LANGUAGE = _TYPE_WORDS | frozenset({"annotations", "UNDESCRIBED", "None", "True", "False"})


Derived: TypeAlias = Callable[[str], tuple[str, ...]]
"""The names that are generated for a class, by its own."""


class ClassNames:
    """Gives classes names that do not meet, nor do the names that are generated for them."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {names.folded(name) for name in (*_LANGUAGE, *names.RESERVED_TYPES, *taken)}

    def tool(self, name: str) -> str:
        """The class name of a tool."""
        return self._free(_class(name), names.of_tool)

    def record(self, candidates: Sequence[str]) -> str:
        """The first candidate that is free, else the last with a number."""
        for candidate in candidates:
            if self._is_free(candidate, names.of_type):
                return self._take(candidate, names.of_type)
        return self._free(candidates[-1], names.of_type)

    def _free(self, wanted: str, derived: Derived) -> str:
        number, name = 2, wanted
        while not self._is_free(name, derived):
            name, number = f"{wanted}{number}", number + 1
        return self._take(name, derived)

    def _is_free(self, name: str, derived: Derived) -> bool:
        return not any(names.folded(one) in self._taken for one in (name, *derived(name)))

    def _take(self, name: str, derived: Derived) -> str:
        self._taken.update(names.folded(one) for one in (name, *derived(name)))
        return name


def _class(words: str, *, one: bool = False) -> str:
    name = dcg.class_name(words, one=one)
    return name if name[:1].isalpha() else f"Type{name}"


def record_candidates(plan: ObjectPlan, parent: str) -> list[str]:
    """Names of a Record, the best first: its title or definition, then its path from the class that holds it."""
    words = f"{_class(plan.name.words, one=plan.name.one)}{_ending(plan.name.tag)}"
    path = f"{parent}{words}" if parent else words
    if plan.name.parent is None:
        return [words, path]
    own = [_class(plan.title)] if _is_short(plan.title) else []
    return [*own, path]


def _ending(tag: str) -> str:
    """A tag as the end of a class name, which a digit may begin."""
    return dcg.class_name(f"x {tag}")[1:] if any(char.isalnum() for char in tag) else ""


def name_fields(fields: Sequence[FieldPlan]) -> dict[str, str]:
    """Python names of fields by their keys: the key itself where it can be one."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for plan in sorted(fields, key=lambda plan: not _is_name(plan.wire)):
        name = plan.wire if _is_name(plan.wire) else _field(plan.wire)
        number, free = 2, name
        while names.folded(free) in taken:
            free, number = f"{name}{'' if name.endswith('_') else '_'}{number}", number + 1
        taken.add(names.folded(free))
        found[plan.wire] = free
    return found


def _is_name(key: str) -> bool:
    plain = key.isidentifier() and key == names.folded(key) and not key.startswith("_")
    return plain and not names.is_keyword(key) and key not in _LANGUAGE


def _field(key: str) -> str:
    plain = re.sub(r"\A[\W_]+", "", key)
    name = names.folded(dcg.field_name(plain or key)).lstrip("_")
    if not name.isidentifier():
        name = re.sub(r"\W", "_", f"field_{name}")
    return f"{name}_" if names.is_keyword(name) or name in _LANGUAGE else name


def tool_name(words: str) -> str:
    """A name that every provider takes, near to the one of the source."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", words).strip("_-") or "tool"
    name = name if re.match(r"[A-Za-z_]", name) else f"tool_{name}"
    return name[:64].rstrip("_-")


def of_title(raw: object) -> str | None:
    """A tool's name of the title of its schema, where that is a name and no sentence."""
    title = raw.get("title") if isinstance(raw, dict) else None
    return re.sub(r"\W+", "_", title).strip("_").lower() if _is_short(title) else None


def _is_short(title: object) -> TypeGuard[str]:
    return isinstance(title, str) and bool(title.strip()) and len(title) <= LONGEST and "\n" not in title


def unique_tool_names(plans: Sequence[ToolPlan]) -> dict[int, str]:
    """A name of its own for each tool, by its position; modules that are generated for them do not meet either."""
    taken: set[str] = set()
    found: dict[int, str] = {}
    for position, plan in enumerate(plans):
        wanted = tool_name(plan.name)
        number, name = 2, wanted
        while names.folded(names.tool_module(name)).casefold() in taken:
            end = f"_{number}"
            name, number = f"{wanted[: 64 - len(end)]}{end}", number + 1
        taken.add(names.folded(names.tool_module(name)).casefold())
        found[position] = name
    return found


def toolset_name(words: str) -> str:
    """The name of a toolset, which is that of its generated package."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", words).strip("_").lower() or "tools"
    name = name if name[:1].isalpha() else f"tools_{name}"
    return name if names.is_package_name(name) else f"{name}_tools"
