"""What changed in a tool, in words: read from two texts of its generated module, the one on the disk and the new one.

The texts are parsed and never run. What is on the disk may be anything: where it tells nothing, nothing is told.
"""

from __future__ import annotations

import ast
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from msgspec import Struct, field

LONGEST_VALUE = 60
"""Columns that one value takes in a line of changes."""

_BEFORE = 20
"""Columns that are kept before the first difference of two long values."""

_NESTED = {"items": "[]", "additionalProperties": "{}"}
_TOLD_OF_FIELDS = frozenset({"restored", "injected"})
_PARALLEL = ("anyOf", "allOf", "oneOf", "prefixItems")


def between(old: str, new: str) -> list[str]:
    """A line for each change from one generated module to another, such as ``field limit: maximum 100 → 50``.

    It is empty where both mean the same and only the code differs, or where one of them cannot be read.
    """
    try:
        before, after = _read(old), _read(new)
        return list(dict.fromkeys(_changes(before, after)))
    except (SyntaxError, ValueError, RecursionError, MemoryError, AttributeError, TypeError):
        return []  # text that no toolgen wrote


def first_difference(old: str, new: str) -> int:
    """The number of the first line of ``old`` that ``new`` does not have in its place, counted from 1."""
    before, after = old.split("\n"), new.split("\n")
    pairs = enumerate(zip(before, after, strict=False), 1)
    return next((number for number, (one, other) in pairs if one != other), min(len(before), len(after)))


class _Facts(Struct):
    """What a generated module says. ``schemas`` are by their constant's name, ``classes`` and fields by name; ``enums``
    names the classes that are enumerations."""

    schemas: dict[str, Any] = field(default_factory=dict)
    said: dict[str, Any] = field(default_factory=dict)
    tools: list[str] = field(default_factory=list)
    classes: dict[str, dict[str, str]] = field(default_factory=dict)
    enums: set[str] = field(default_factory=set)


def _read(text: str) -> _Facts:
    facts = _Facts()
    for statement in ast.parse(text).body:
        match statement:
            case ast.Assign([ast.Name(name)], ast.Constant(str(value))) if name.endswith("_SCHEMA"):
                facts.schemas[name] = json.loads(value)
            case ast.AnnAssign(
                ast.Name("TOOLSET"), _, ast.Call(_, [_, ast.Constant(description)], keywords)
            ) | ast.Assign([ast.Name("TOOLSET")], ast.Call(_, [_, ast.Constant(description)], keywords)):
                facts.said["description"] = description
                modules = (k.value for k in keywords if k.arg in ("modules", "submits"))
                facts.tools = [name for mapping in modules for name in ast.literal_eval(mapping)]
            case ast.AnnAssign(ast.Name("SPEC" | "SUBMIT"), _, ast.Call(_, _, keywords)):
                facts.said.update(_keywords(keywords))
            case ast.AnnAssign(ast.Name("MODEL"), _, ast.Call(_, _, keywords)):
                facts.said.update({k: v for k, v in _keywords(keywords).items() if k == "example"})
            case ast.ClassDef(name) if not name.endswith("Body"):
                facts.classes[name] = dict(_members(statement))
                if any(ast.unparse(base).endswith("Enum") for base in statement.bases):
                    facts.enums.add(name)
    return facts


def _keywords(keywords: Sequence[ast.keyword]) -> dict[str, Any]:
    """Keyword arguments that are literals, and those of a call of literals such as annotations."""
    found: dict[str, Any] = {}
    for keyword in keywords:
        if keyword.arg is None:
            continue
        if isinstance(keyword.value, ast.Call):
            found.update(_keywords(keyword.value.keywords))
        elif not isinstance(keyword.value, ast.Name):
            found[keyword.arg] = ast.literal_eval(keyword.value)
    return found


def _members(class_: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """The fields of a dataclass or the members of an enumeration, each with what it is given; under no name the text
    about the class, and under a name with a space at its end the text about that field.
    """
    yield "", _unwrapped(ast.get_docstring(class_) or "")
    name = ""
    for statement in class_.body:
        match statement:
            case ast.AnnAssign(ast.Name(name), annotation, value):
                yield name, ast.unparse(annotation) + (f" = {ast.unparse(value)}" if value else "")
            case ast.Assign([ast.Name(name)], value):
                yield name, ast.unparse(value)
            case ast.Expr(ast.Constant(str(text))) if name:
                yield f"{name} ", _unwrapped(text)


def _unwrapped(text: str) -> str:
    """Text that stands in lines of some length, as one line."""
    return " ".join(text.split())


def _changes(old: _Facts, new: _Facts) -> Iterator[str]:
    yield from _names("tool", old.tools, new.tools)
    for name in sorted({*old.said, *new.said} - _TOLD_OF_FIELDS):
        yield from _value(name, old.said.get(name), new.said.get(name))
    told = list(_tool_changes(old.schemas, new.schemas)) if old.schemas and new.schemas else []
    yield from told
    if not told and bool(old.schemas) == bool(new.schemas):  # what schemas do not show, such as a name in Python
        yield from _class_changes(old.classes, new.classes, new.enums)


def _class_changes(
    old: Mapping[str, Mapping[str, str]], new: Mapping[str, Mapping[str, str]], enums: Set[str]
) -> Iterator[str]:
    yield from _names("type", list(old), list(new))
    for name in (name for name in new if name in old):
        before, after = old[name], new[name]
        part = f"{name} {'member' if name in enums else 'field'}"
        yield from _names(part, *(list(filter(_is_field, members)) for members in (before, after)))
        for member in (member for member in after if member in before and before[member] != after[member]):
            if _is_field(member):
                yield f"{part} {member}: {_cut(before[member])} → {_cut(after[member])}"
            else:
                about = f"{name} field {member.strip()}:" if member else name
                yield from _value(f"{about} description", before[member], after[member])


def _is_field(member: str) -> bool:
    """Whether this is the name of a field, and not of the words about it or the class (see ``_members``)."""
    return member.isidentifier()


def _tool_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Changes of the fields, told once each though a field stands in several schemas."""
    before, after = _fields(old), _fields(new)
    moved = {name for name in before.keys() & after.keys() if before[name][0] != after[name][0]}
    told = ([_with_role(name, role) for name, (role, _) in s.items() if name not in moved] for s in (before, after))
    required = [f"field {name} added" for name in new.get("MODEL_SCHEMA", {}).get("required", ())]
    yield from (f"{line}, and required" if line in required else line for line in _names("field", *told))
    for name in (name for name in after if name in before):
        (role, schema), (new_role, new_schema) = before[name], after[name]
        if role != new_role:
            yield f"field {name}: {role} → {new_role}"
        yield from _schema(f"field {name}", schema, new_schema)
    for name in ("MODEL_SCHEMA", "EXECUTION_SCHEMA", "CONTEXT_SCHEMA"):
        if old.get(name) and new.get(name):
            kept = {kept: True for kept in after if kept in before and kept not in moved}
            yield from _schema("", *({"type": "object", **s[name], "properties": kept} for s in (old, new)))
    if "RESULT_SCHEMA" in old and "RESULT_SCHEMA" in new:
        yield from _schema("result", old["RESULT_SCHEMA"], new["RESULT_SCHEMA"])
    else:
        yield from _names("", *(["result"] if "RESULT_SCHEMA" in s else [] for s in (old, new)))


def _with_role(name: str, role: str) -> str:
    return name if role == "model" else f"{name} ({role})"


def _fields(schemas: Mapping[str, Any]) -> dict[str, tuple[str, Any]]:
    """Each field's role and schema."""
    sides = (("injected", "CONTEXT_SCHEMA"), ("restored", "EXECUTION_SCHEMA"), ("model", "MODEL_SCHEMA"))
    return {
        name: (role, schema)
        for role, side in sides
        for name, schema in schemas.get(side, {}).get("properties", {}).items()
    }


def _schema(label: str, old: Any, new: Any) -> Iterator[str]:
    """Changes between two schemas that stand at one place."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        yield from _value(label, old, new)
        return
    for keyword in [*old, *(k for k in new if k not in old)]:
        before, after = old.get(keyword), new.get(keyword)
        if before == after and json.dumps(before) == json.dumps(after):
            continue
        if keyword in ("properties", "$defs") and isinstance(before, dict | None) and isinstance(after, dict | None):
            yield from _properties(label, keyword, before or {}, after or {})
        elif keyword == "required" and isinstance(before, list) and isinstance(after, list):
            kept = [name for name in new.get("properties", ()) if name in old.get("properties", ())]
            yield from (_field(label, f"{name} is required now") for name in kept if name in {*after} - {*before})
            yield from (_field(label, f"{name} is no longer required") for name in kept if name in {*before} - {*after})
        elif keyword in _NESTED and isinstance(before, dict) and isinstance(after, dict):
            yield from _schema(f"{label}{_NESTED[keyword]}", before, after)
        elif (
            keyword in _PARALLEL and isinstance(before, list) and isinstance(after, list) and len(before) == len(after)
        ):
            for one, other in zip(before, after, strict=True):
                yield from _schema(label, one, other)
        else:
            yield from _value(f"{label}: {keyword}" if label else keyword, before, after)


def _properties(label: str, keyword: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    what = "type" if keyword == "$defs" else "field"
    yield from (_field(label, line, what) for line in _names("", list(old), list(new)))
    for name in (name for name in new if name in old):
        here = name if keyword == "$defs" else f"{label} field {name}".strip()
        yield from _schema(here, old[name], new[name])


def _field(label: str, words: str, what: str = "field") -> str:
    return f"{label} {what} {words}".strip()


def _names(what: str, old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """What was added and removed; or that the order changed, where that is all."""
    yield from (f"{what} {name} added".strip() for name in new if name not in old)
    yield from (f"{what} {name} removed".strip() for name in old if name not in new)
    if sorted(old) == sorted(new) and list(old) != list(new):
        yield f"{what} order changed".strip()


def _value(label: str, old: Any, new: Any) -> Iterator[str]:
    if json.dumps(old, default=str) == json.dumps(new, default=str):
        return
    if old is None:
        yield f"{label} {_shown(new)} added"
    elif new is None:
        yield f"{label} {_shown(old)} removed"
    else:
        yield f"{label} {_pair(old, new)}"


def _shown(value: Any) -> str:
    return _cut(_text(value))


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _pair(old: Any, new: Any) -> str:
    """Both values; from near the first difference on, where what is cut off would leave them the same."""
    before, after = _text(old), _text(new)
    if _cut(before) == _cut(after):
        same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
        start = max(0, same - _BEFORE)
        before, after = f"...{before[start:]}", f"...{after[start:]}"
    return f"{_cut(before)} → {_cut(after)}"


def _cut(text: str) -> str:
    text = "".join(char if char.isprintable() else " " for char in text)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}..."
