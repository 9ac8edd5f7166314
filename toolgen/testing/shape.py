"""Reading canonical schemas: following references, and telling the arms of a union apart.

A schema is read by position, never by searching for keywords, so that a property named ``$ref`` is a property.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from toolgen.runtime.careful import Careful
from toolgen.runtime.kinds import KINDS, json_type
from toolgen.runtime.pointers import steps
from toolgen.runtime.schemanodes import FORM_WORDS

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Schema: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Node:
    """One position of a schema: its keywords with references followed, and where in the document they stand.

    ``refs`` are the references that were followed to come here. ``tag`` is set where the node is an arm of a union of
    tagged objects: the property that names the arm, and the one value of it that is meant. ``inside`` is what examples
    of the lists, maps and unions around the position have in its place.
    """

    schema: Schema
    where: str
    refs: tuple[str, ...] = ()
    tag: tuple[str, Json] | None = None
    inside: tuple[Json, ...] = ()

    @property
    def examples(self) -> tuple[Json, ...]:
        """The examples of the position itself, then those around it."""
        return (*self.schema.get("examples", ()), *self.inside)

    @property
    def types(self) -> tuple[str, ...]:
        """The JSON types that ``type`` names, null left out; empty where the schema does not say."""
        named = self.schema.get("type", ())
        return tuple(t for t in ((named,) if isinstance(named, str) else named) if t != "null")

    @property
    def members(self) -> list[Json] | None:
        """The values of ``enum`` or ``const``, or None where neither stands."""
        if "const" in self.schema:
            return [self.schema["const"]]
        return list(self.schema["enum"]) if "enum" in self.schema else None

    @property
    def is_anything(self) -> bool:
        """Whether every JSON value is taken."""
        return not any(word in self.schema for word in ("type", "enum", "const", "anyOf"))


class Document:
    """A canonical schema with its ``$defs``."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self.root = self.node(schema, "#")

    def node(self, schema: Schema, where: str, refs: tuple[str, ...] = ()) -> Node:
        """The position that ``schema`` describes, with ``$ref`` and an ``allOf`` of one followed."""
        notes: dict[str, Any] = {}
        while True:
            if "$ref" in schema:
                where = schema["$ref"]
                refs = (*refs, where)
                schema = self._schema["$defs"][where.removeprefix("#/$defs/")]
            elif not FORM_WORDS & schema.keys() and (forms := _forms(schema)):
                notes = {**{k: v for k, v in schema.items() if k != "allOf"}, **notes}
                schema = forms[0]
            else:
                return Node({**schema, **notes}, where, refs)

    def properties(self, node: Node) -> dict[str, Node]:
        """The declared properties of an object, in their order."""
        found = {}
        # One object type is a place of its own for each value of its tag: generated code has a class for each.
        where = node.where if node.tag is None else f"{node.where}[{node.tag[0]}={node.tag[1]}]"
        for key, schema in node.schema.get("properties", {}).items():
            child = self.node(schema, f"{where}/properties/{key}", node.refs)
            if node.tag is not None and node.tag[0] == key:
                child = Node({"enum": [node.tag[1]], "type": child.schema.get("type", ())}, child.where, child.refs)
            found[key] = child
        return found

    def items(self, node: Node) -> Node:
        """What the elements of an array are."""
        inside = tuple(item for example in node.examples if isinstance(example, list) for item in example)
        return replace(self.node(node.schema.get("items", {}), f"{node.where}/items", node.refs), inside=inside)

    def values(self, node: Node) -> Node | None:
        """What the values of a map are; None for an object whose unknown keys have no schema."""
        values = node.schema.get("additionalProperties")
        if isinstance(values, Mapping):
            inside = tuple(item for example in node.examples if isinstance(example, dict) for item in example.values())
            return replace(self.node(values, f"{node.where}/additionalProperties", node.refs), inside=inside)
        return None

    def ruled_out(self, node: Node) -> Callable[[Json], bool] | None:
        """Whether a value of a position breaks the rules on it; None where there are none."""
        if not (_RULE_WORDS | {"allOf"}) & node.schema.keys():
            return None
        judge = Careful({**node.schema, "$defs": self._schema.get("$defs", {})})
        return lambda value: bool(judge.judge(value, lenient=False).issues)

    def arms(self, node: Node) -> list[Node]:
        """The arms of a union, null left out: one for each value of a tag. Just the node where it is no union."""
        if "anyOf" not in node.schema:
            return [node]
        arms = [
            self.node(arm, f"{node.where}/anyOf/{index}", node.refs) for index, arm in enumerate(node.schema["anyOf"])
        ]
        arms = [replace(arm, inside=node.examples) for arm in arms if arm.schema.get("type") != "null"]
        tag = self.tag(node)
        return [named for arm in arms for named in (self._by_tag(arm, tag) if tag else (arm,))]

    def _by_tag(self, arm: Node, tag: str) -> Iterator[Node]:
        if "object" not in arm.types:
            yield arm
            return
        for value in self.properties(arm)[tag].members or ():
            yield Node(arm.schema, arm.where, arm.refs, (tag, value))

    def tag(self, node: Node) -> str | None:
        """The property that tells the object arms of a union apart: required in each, no value in two of them."""
        arms = [self.node(arm, "", node.refs) for arm in node.schema.get("anyOf", ())]
        objects = [arm for arm in arms if "object" in arm.types]
        if len(objects) < 2:
            return None
        for key in objects[0].schema.get("required", ()):
            if all(key in arm.schema.get("required", ()) for arm in objects):
                members = [self.properties(arm)[key].members for arm in objects]
                flat = [value for values in members for value in values or ()]
                if all(members) and len({(type(value), value) for value in flat}) == len(flat):
                    return str(key)
        return None

    def takes_null(self, node: Node) -> bool:
        """Whether null is a value of this position."""
        if node.is_anything:
            return True
        if node.members is not None:
            return None in node.members
        if "anyOf" in node.schema:
            return any(self.takes_null(self.node(arm, node.where)) for arm in node.schema["anyOf"])
        named = node.schema.get("type", ())
        return named == "null" or "null" in named

    def json_types(self, node: Node) -> frozenset[str]:
        """The JSON types that some value of this position has; a number position takes an integer too."""
        found: set[str] = {"null"} if self.takes_null(node) else set()
        for arm in self.arms(node):
            if arm.is_anything:
                return KINDS
            found.update(arm.types if arm.members is None else map(json_type, arm.members))
        if "number" in found:
            found.add("integer")
        return frozenset(found)


def _forms(schema: Schema) -> list[Schema]:
    """What in ``allOf`` says what a value is; the rest are rules, which judge what it is by other words."""
    return [arm for arm in schema.get("allOf", ()) if FORM_WORDS & arm.keys()]


def rules_out(schema: Schema) -> Callable[[Json], bool] | None:
    """Whether a value breaks a rule of the schema that no position tells; None where the schema has no such rules.

    Inputs are made by positions (types, properties, bounds), so where there are rules they are sorted out afterwards.
    """
    if not _has_rules(schema):
        return None
    judge = Careful(schema)
    return lambda value: bool(judge.judge(value, lenient=False).issues)


def named_in(rule: Any) -> Iterator[Json]:
    """The values that a rule names."""
    if isinstance(rule, Mapping):
        yield from rule.get("enum", ())
        yield from (rule[word] for word in ("const",) if word in rule)
        yield from (value for inner in rule.values() for value in named_in(inner))
    elif isinstance(rule, list):
        yield from (value for inner in rule for value in named_in(inner))


def _has_rules(schema: Any) -> bool:
    """Whether some rule stands in a schema; a property that is named like one may be taken for it."""
    if isinstance(schema, list):
        return any(map(_has_rules, schema))
    if not isinstance(schema, Mapping):
        return False
    arms = schema.get("allOf")
    ruled = isinstance(arms, list) and any(isinstance(arm, Mapping) and not FORM_WORDS & arm.keys() for arm in arms)
    return ruled or bool(_RULE_WORDS & schema.keys()) or any(map(_has_rules, schema.values()))


_RULE_WORDS = {"not", "if", "dependentRequired", "dependentSchemas", "contains", "propertyNames", "oneOf"}


class Missing:
    """The sign that a key is taken out of an input; there is one, ``MISSING``."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


def put(value: Any, path: str, new: Any) -> Any:
    """A copy of ``value`` with ``new`` at ``path``, or with the key at ``path`` taken out where new is ``MISSING``.

    Only what lies on the path is copied. A key that is not there is added at the end.
    """
    return _put(value, steps(path), new)


def _put(value: Any, keys: list[str], new: Any) -> Any:
    if not keys:
        return new
    key, rest = keys[0], keys[1:]
    if isinstance(value, list):
        return [_put(item, rest, new) if str(index) == key else item for index, item in enumerate(value)]
    if not rest and new is MISSING:
        return {name: item for name, item in value.items() if name != key}
    return {**value, key: _put(value.get(key), rest, new)}


def get(value: Any, path: str) -> Any:
    """What stands at ``path`` in ``value``. Raises KeyError, or IndexError in a list, where nothing does."""
    for key in steps(path):
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value
