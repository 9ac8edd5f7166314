"""Reading canonical schemas by position, so that a property named ``$ref`` is a property."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toolgen.runtime.kinds import KINDS, json_type
from toolgen.runtime.pointers import unescaped

Schema = Mapping[str, Any]


class Canonical:
    """A canonical schema with its ``$defs``."""

    def __init__(self, schema: Schema) -> None:
        self.definitions: Mapping[str, Schema] = schema.get("$defs", {})
        self.root: Schema = {word: value for word, value in schema.items() if word != "$defs"}

    def own_root(self) -> dict[str, Any]:
        """The root, with the type that it must have, and with what it refers to in its own place."""
        root = dict(self.root)
        seen: set[str] = set()
        while (name := reference(root) or "") in self.definitions and name not in seen:
            seen.add(name)
            target = self.definitions[name]
            said = [*(part for part in root.get("allOf", ()) if not _refers(part)), *target.get("allOf", ())]
            beside = {word: value for word, value in root.items() if word not in ("$ref", "allOf")}
            root = {**target, **beside, **({"allOf": said} if said else {})}
        return root if "type" in root else {"type": "object", **root}

    def named(self, name: str) -> Schema:
        """The definition of this name."""
        return self.definitions[name]

    def followed(self, schema: Schema) -> Schema:
        """The schema with ``$ref``, and one that stands in ``allOf``, followed."""
        while (name := reference(schema)) is not None:
            schema = self.definitions[name]
        return schema

    def kinds(self, schema: Schema) -> frozenset[str]:
        """The JSON types of the values that it takes."""
        schema = self.followed(schema)
        if "enum" in schema:
            return frozenset(map(json_type, schema["enum"]))
        arms = schema.get("anyOf") or schema.get("oneOf")  # the latter at a root alone
        if arms:
            return frozenset().union(*map(self.kinds, arms))
        if "type" not in schema:
            return KINDS
        kinds = frozenset(types(schema))
        return kinds | {"integer"} if "number" in kinds else kinds

    def tags(self, schema: Schema) -> tuple[tuple[str, tuple[Any, ...]], ...]:
        """The required properties of an object that hold one of a few values: these tell the arms of a union apart."""
        schema = self.followed(schema)
        properties = schema.get("properties", {})
        found = ((name, self.followed(properties.get(name, {}))) for name in schema.get("required", ()))
        return tuple((name, tuple(inner["enum"])) for name, inner in found if "enum" in inner)

    def cycle(self) -> tuple[str, ...] | None:
        """The names of the definitions on a way that leads back to where it began, or None where there is none."""
        done: set[str] = set()

        def from_here(name: str, way: tuple[str, ...]) -> tuple[str, ...] | None:
            if name in way:
                return (*way[way.index(name) :], name)
            if name in done:
                return None
            for other in references(self.definitions[name]):
                found = from_here(other, (*way, name))
                if found is not None:
                    return found
            done.add(name)
            return None

        for name in references(self.root):
            found = from_here(name, ())
            if found is not None:
                return found
        return None


def reference(schema: Schema) -> str | None:
    """The name of the definition that stands here, alone or in ``allOf``."""
    if _refers(schema):
        return unescaped(str(schema["$ref"]).removeprefix("#/$defs/"))
    for part in schema.get("allOf", ()):
        if _refers(part):
            return reference(part)
    return None


def rules(schema: Schema) -> list[Any]:
    """What stands in ``allOf`` beside a reference: schemas that a value must hold to as well."""
    return [part for part in schema.get("allOf", ()) if part and not _refers(part)]


def _refers(schema: Any) -> bool:
    """Whether a schema is a reference to a definition; that of a rule with an ``$id`` is to one of its own."""
    return isinstance(schema, Mapping) and "$ref" in schema and "$id" not in schema


def references(schema: Schema) -> Iterator[str]:
    """The names of the definitions that a schema refers to, at every depth."""
    name = reference(schema)
    if name is not None:
        yield name
    for inner in children(schema):
        yield from references(inner)


def children(schema: Schema) -> Iterator[Schema]:
    """The schemas inside a schema, those in ``allOf`` aside."""
    yield from schema.get("properties", {}).values()
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), Mapping):
            yield schema[word]
    yield from schema.get("anyOf", ())


def types(schema: Schema) -> list[str]:
    """The values of ``type``, as a list."""
    named = schema.get("type", [])
    return [named] if isinstance(named, str) else list(named)
