"""A schema that was written by hand, in the words that projections read.

``oneOf`` is spelled as ``anyOf``, ``const`` as an ``enum`` of one, true and false as what they stand for. Where a
reference, or the form of one type, has more beside it, that is a rule; what properties or items tell of an object or an
array is that alone; and what is referred to anywhere is a definition. Rules stay as they are, as does a union at the
root.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from toolgen.runtime.pointers import escaped, steps
from toolgen.runtime.schemanodes import ASSERTIONS

Schema = Mapping[str, Any]


class LostReferenceError(ValueError):
    """A reference that leads to nothing that a projection could tell of; the message says which."""


def respelled(schema: Schema) -> Schema:
    """The schema, respelled.

    Raises:
        LostReferenceError: a reference in it leads nowhere, to another document, or to itself alone.
    """
    return _Respelling(schema).made()


class _Respelling:
    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._names = {f"#/$defs/{escaped(name)}": name for name in schema.get("$defs", {})}
        self._definitions: dict[str, Any] = {}

    def made(self) -> Schema:
        made = {word: self._inside(word, value) for word, value in self._schema.items() if word != "$defs"}
        # What one definition refers to may be another.
        while left := [(ref, name) for ref, name in self._names.items() if name not in self._definitions]:
            for ref, name in left:
                self._definitions[name] = self._at(self._found(ref))
        done: set[str] = set()
        for name in self._definitions:
            self._refuse_loop(name, (), done)
        return {**made, "$defs": self._definitions} if self._definitions else made

    def _at(self, schema: Schema | bool) -> Schema:
        """What stands at one position."""
        if isinstance(schema, bool):
            return {} if schema else {"not": {}}
        schema, asked = _apart(schema)
        made = {word: self._inside(word, value) for word, value in schema.items()}
        if "oneOf" in made and "anyOf" not in made:
            made["anyOf"] = made.pop("oneOf")
        if "const" in made and "enum" not in made:
            made["enum"] = [made.pop("const")]
        if asked:
            made["allOf"] = [*([{"$ref": made.pop("$ref")}] if "$ref" in made else []), *made.get("allOf", ()), asked]
        return _typed(made)

    def _inside(self, word: str, value: Any) -> Any:
        match word:
            case "properties":
                return {name: self._at(inner) for name, inner in value.items()}
            case "items":
                return self._at(value)
            case "additionalProperties":
                return value if isinstance(value, bool) else self._at(value)
            case "anyOf" | "oneOf":
                return [self._at(arm) for arm in value]
            case "allOf":
                return [self._part(part) for part in value]
            case "$ref":
                return self._reference(value)
        return value

    def _part(self, part: Any) -> Any:
        """One of ``allOf``: a reference, or else a rule, which stays as it is."""
        is_reference = isinstance(part, Mapping) and "$ref" in part and "$id" not in part
        return {**part, "$ref": self._reference(part["$ref"])} if is_reference else part

    def _reference(self, ref: str) -> str:
        """The reference, to a definition: what stands elsewhere becomes one."""
        ref = unquote(ref)
        if ref not in self._names:
            plain = "".join(steps(ref)[-1:]) or "Input"
            taken, name, number = {*self._names.values()}, plain, 2
            while name in taken:
                name, number = f"{plain}{number}", number + 1
            self._names[ref] = name
        return f"#/$defs/{escaped(self._names[ref])}"

    def _found(self, ref: str) -> Schema | bool:
        found: Any = self._schema
        if ref != "#" and not ref.startswith("#/"):
            raise LostReferenceError(f"{ref} is no reference to a place in its schema")
        for step in steps(ref):
            try:
                found = found[int(step)] if isinstance(found, list) else found[step]
            except (KeyError, IndexError, ValueError, TypeError):
                found = None
        if not isinstance(found, Mapping | bool):
            raise LostReferenceError(f"{ref} refers to nothing in its schema")
        return (
            {word: value for word, value in found.items() if word != "$defs"} if isinstance(found, Mapping) else found
        )

    def _refuse_loop(self, name: str, way: tuple[str, ...], done: set[str]) -> None:
        """A definition that is nothing but itself, alone or as one of several, describes no value."""
        if name in way:
            raise LostReferenceError(f"the definition {name} refers to itself alone")
        if name not in done:
            for other in _bare(self._definitions[name]):
                self._refuse_loop(other, (*way, name), done)
            done.add(name)


_OF_OBJECTS: Final = frozenset({"properties", "required", "additionalProperties"})
_OF_ARRAYS: Final = frozenset({"items", "prefixItems"})
_FORMS: Final = _OF_OBJECTS | _OF_ARRAYS | {"$ref", "enum", "const"}


def _apart(schema: Schema) -> tuple[Schema, dict[str, Any]]:
    """What one position is, and what it asks for besides, which no form has room for."""
    asked: set[str] = set()
    if "$ref" in schema:
        asked = {*schema} & ASSERTIONS - {"$ref", "allOf"}
    elif arms := [arm for word in _UNIONS for arm in schema.get(word, ())]:
        if _FORMS & schema.keys() or not all(map(_is_typed, arms)):
            asked = {*_UNIONS} & schema.keys() if _FORMS & schema.keys() or "type" in schema else set()
        elif not {kind for arm in arms for kind in _kinds(arm)} <= {*_kinds(schema)}:
            asked = {"type"} & schema.keys()
    rest = {word: value for word, value in schema.items() if word not in asked}
    return rest, {word: schema[word] for word in schema if word in asked}


_UNIONS: Final = ("anyOf", "oneOf")


def _is_typed(arm: Any) -> bool:
    return isinstance(arm, Mapping) and bool({"type", *_FORMS, *_UNIONS, "allOf"} & arm.keys())


def _kinds(schema: Any) -> list[str]:
    named = schema.get("type", [])
    return [named] if isinstance(named, str) else list(named)


def _typed(schema: dict[str, Any]) -> dict[str, Any]:
    """With the type that its words are of, and with the properties that it requires."""
    if not {"type", "$ref", "enum", "anyOf"} & schema.keys():
        kind = "object" if _OF_OBJECTS & schema.keys() else "array" if _OF_ARRAYS & schema.keys() else None
        schema = schema if kind is None else {"type": kind, **schema}
    named = schema.get("properties", {})
    extra = schema.get("additionalProperties", True)
    unnamed = [name for name in schema.get("required", ()) if name not in named]
    if not unnamed or extra is False:
        return schema
    return {**schema, "properties": {**named, **{name: {} if extra is True else extra for name in unnamed}}}


def _bare(schema: Schema) -> list[str]:
    """The definitions that a schema is, with nothing of an object or an array around them."""
    parts = [schema, *schema.get("allOf", ())]
    refs = [part["$ref"] for part in parts if isinstance(part, Mapping) and "$ref" in part and "$id" not in part]
    found = [step for ref in refs for step in steps(ref)[-1:]]
    return found + [name for arm in schema.get("anyOf", ()) for name in _bare(arm)]
