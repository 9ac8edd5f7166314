"""Builds the nodes that judge values from a JSON Schema.

Of JSON Schema 2020-12 it knows the assertions, each by its place: a property named ``type`` is a property. Every other
keyword is an annotation, as section 6.5 of the core specification has it; only ``$dynamicRef`` and the ``unevaluated``
keywords are assertions that it does not know.

What makes a value's canonical form is the *form*: its type, properties, items, a union. Conditions (``not``, ``if`` and
the like), and whatever stands in an ``allOf`` beside a form and names no type, properties or ``$ref`` of its own, are
*rules*: they judge what the form has made of the value.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias
from urllib.parse import unquote

from toolgen.runtime import formats
from toolgen.runtime.forms import AllOf, AnyOf
from toolgen.runtime.kinds import KINDS
from toolgen.runtime.nodes import ANYTHING, Choice, Later, Node, Nothing, Walk, real
from toolgen.runtime.numbers import Number
from toolgen.runtime.parts import (
    ArrayPart,
    Base64Part,
    Field,
    NumberPart,
    ObjectPart,
    Part,
    SizePart,
    StringPart,
    Typed,
    same,
)
from toolgen.runtime.pointers import steps
from toolgen.runtime.rules import Conditional, Contains, Dependent, Names, Not, Rule, Ruled, Strict
from toolgen.runtime.wanted import Wanting

Schema: TypeAlias = "Mapping[str, Any]"

_STRING_WORDS = {"minLength", "maxLength", "pattern", "format"}
_NUMBER_WORDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_ARRAY_WORDS = {"items", "prefixItems", "minItems", "maxItems", "uniqueItems"}
_OBJECT_WORDS = {
    "properties",
    "patternProperties",
    "required",
    "additionalProperties",
    "minProperties",
    "maxProperties",
}
_TYPED_WORDS = {"type"} | _STRING_WORDS | _NUMBER_WORDS | _ARRAY_WORDS | _OBJECT_WORDS
FORM_WORDS = frozenset({"type", "properties", "$ref"})
"""What gives a value a form where it stands in an ``allOf``."""

_RULE_WORDS = {
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "propertyNames",
    "contains",
    "minContains",
    "maxContains",
}

ASSERTIONS = frozenset(_TYPED_WORDS | _RULE_WORDS | {"enum", "const", "$ref", "allOf", "anyOf", "oneOf"})
"""The keywords that values are judged by."""

_OWN_PATTERNS = {
    formats.DURATION_PATTERN: "duration",
    formats.DECIMAL_PATTERN: "decimal",
}


class SchemaError(ValueError):
    """A schema that the careful lane can't follow, such as a reference to nowhere."""


class Builder:
    """Builds nodes from a root schema; a schema that is used twice is built once."""

    def __init__(self, root: Schema | bool) -> None:
        self._root = root
        self._nodes: dict[tuple[int, str | None], Node] = {}

    def node(self, schema: Schema | bool, description: str | None = None) -> Node:
        """The node of ``schema``. A description given here is that of the place, and goes before the schema's own.

        Raises:
            SchemaError: a reference to another document, to nowhere, or to itself.
            patterns.PatternError: a pattern outside the dialect; raised when the pattern is first needed.
        """
        if isinstance(schema, bool):
            return ANYTHING if schema else Nothing(description)
        if "$id" in schema and schema is not self._root:
            return Builder(schema).node(schema, description)  # a resource of its own (2020-12 Core, section 8.2.1)
        key = (id(schema), description)
        if key not in self._nodes:
            later = Later()
            self._nodes[key] = later
            node: Node = self._build(schema, description or _description(schema))
            if real(node) is later:
                raise SchemaError("a schema refers to itself alone")
            later.node = self._nodes[key] = node
        return self._nodes[key]

    def _build(self, schema: Schema, description: str | None) -> Node:
        nodes: list[Node] = []
        typed = self._typed(schema, description) if _TYPED_WORDS & schema.keys() else None
        if "enum" in schema or "const" in schema:
            nodes.append(_choice(schema, typed, description))
        elif typed is not None:
            nodes.append(typed)
        if "$ref" in schema:
            nodes.append(self.node(self._resolved(schema["$ref"]), description))
        rules: list[Rule] = []
        alone = not nodes and not {"anyOf", "oneOf"} & schema.keys()
        for index, arm in enumerate(schema.get("allOf", ())):
            node_of_arm = self.node(arm, description)
            if _is_form(arm) or (alone and index == 0):
                nodes.append(node_of_arm)
            else:
                rules.append(Strict(node_of_arm))
        for word in ("anyOf", "oneOf"):
            if word in schema:
                arms = [self.node(arm, description) for arm in schema[word]]
                nodes.append(AnyOf(arms, word == "oneOf", description))
        if _RULE_WORDS & schema.keys():
            rules += self._rules(schema, description)
        form = AllOf(nodes, description) if len(nodes) > 1 else nodes[0] if nodes else ANYTHING
        return Ruled(form, rules, description) if rules else form

    def _rules(self, schema: Schema, description: str | None) -> Iterator[Rule]:
        """The rules that keywords of the schema itself make."""

        def node(word: str) -> Node | None:
            return self.node(schema[word], description) if word in schema else None

        forbidden, condition, names, contained = map(node, ("not", "if", "propertyNames", "contains"))
        if "if" in schema and formats.base64_sizes(schema) is not None:
            condition = None  # it counts bytes, as the form does already
        if forbidden is not None:
            yield Not(forbidden, json.dumps(schema["not"], ensure_ascii=False), description)
        if condition is not None:
            yield Conditional(condition, node("then"), node("else"), description)
        if schema.keys() & {"dependentRequired", "dependentSchemas"}:
            schemas = {name: self.node(inner) for name, inner in schema.get("dependentSchemas", {}).items()}
            yield Dependent(schema.get("dependentRequired", {}), schemas, description)
        if names is not None:
            yield Names(names, description)
        if contained is not None:
            most = schema.get("maxContains")
            least = int(schema.get("minContains", 1))
            yield Contains(contained, least, None if most is None else int(most), description)

    def _resolved(self, reference: str) -> Schema | bool:
        """What a reference within the resource points to (RFC 6901, section 6: as a URI fragment)."""
        if not reference.startswith("#") or (reference != "#" and not reference.startswith("#/")):
            raise SchemaError(f"{reference!r} is no reference to a place in the same schema")
        at: Any = self._root
        for name in steps(unquote(reference)):
            try:
                at = at[int(name)] if isinstance(at, list) else at[name]
            except (KeyError, IndexError, ValueError, TypeError):
                raise SchemaError(f"{reference!r} points to nothing") from None
        if not isinstance(at, (bool, Mapping)):
            raise SchemaError(f"{reference!r} points to something that is no schema")
        return at

    def _typed(self, schema: Schema, description: str | None) -> Typed:
        given = schema.get("type", KINDS)
        kinds = frozenset((given,) if isinstance(given, str) else given)
        wanting = Wanting(schema, kinds)
        parts: dict[type, Part] = {}
        if "null" in kinds:
            parts[type(None)] = same
        if "boolean" in kinds:
            parts[bool] = same
        if kinds & {"integer", "number"}:
            number = _number(schema, kinds, wanting, description)
            parts |= {int: number.integer, float: number.number, Number: number.number}
        if "string" in kinds:
            parts[str] = _string(schema, description)
        typed = Typed(kinds, parts, wanting, description)
        if "array" in kinds:
            typed.take_arrays(self._array(schema, description))
        if "object" in kinds:
            typed.take_objects(self._object(schema, description))
        return typed

    def _array(self, schema: Schema, description: str | None) -> ArrayPart:
        items = self.node(schema["items"]) if "items" in schema else None
        size = _size(schema, "minItems", "maxItems", "item", description)
        first = [self.node(inner) for inner in schema.get("prefixItems", ())]
        return ArrayPart(items, size, schema.get("uniqueItems", False) is True, description, first)

    def _object(self, schema: Schema, description: str | None) -> ObjectPart:
        required = schema.get("required", ())
        properties = schema.get("properties", {})
        fields = [Field(name, self.node(inner), name in required) for name, inner in properties.items()]
        # An open Record says so; what it does not declare is left out of the value. Other objects keep all they have.
        others: Node | None = ANYTHING
        if "additionalProperties" in schema:
            others = None if schema["additionalProperties"] is True else self.node(schema["additionalProperties"])
        return ObjectPart(
            fields,
            [name for name in required if name not in properties],
            others,
            _size(schema, "minProperties", "maxProperties", "key", description),
            description,
            [(pattern, self.node(inner)) for pattern, inner in schema.get("patternProperties", {}).items()],
        )


def _is_form(arm: Schema | bool) -> bool:
    return isinstance(arm, Mapping) and bool(FORM_WORDS & arm.keys())


def _description(schema: Schema) -> str | None:
    description = schema.get("description")
    return description if isinstance(description, str) else None


def _choice(schema: Schema, typed: Typed | None, description: str | None) -> Choice:
    """The members of ``enum`` and ``const`` that hold to the keywords beside them."""
    choice = Choice(schema["enum"] if "enum" in schema else (schema["const"],), description)
    members = choice.members
    if "enum" in schema and "const" in schema:
        wanted = Choice((schema["const"],), description).members
        members = {key: member for key, member in members.items() if key in wanted}
    allowed = [member for member in members.values() if typed is None or _takes(typed, member)]
    return choice if len(allowed) == len(choice.allowed) else Choice(allowed, description)


def _takes(node: Node, value: Any) -> bool:
    walk = Walk(lenient=False)
    node.check(value, None, walk)
    return not walk.faults


def _number(schema: Schema, kinds: frozenset[str], wanting: Wanting, description: str | None) -> NumberPart:
    low = [(schema[word], word != "minimum") for word in ("minimum", "exclusiveMinimum") if word in schema]
    high = [(schema[word], word != "maximum") for word in ("maximum", "exclusiveMaximum") if word in schema]
    return NumberPart(
        integers="number" not in kinds,
        floats="integer" not in kinds,
        wanted=wanting,
        low=tuple(low),
        high=tuple(high),
        step=schema.get("multipleOf"),
        description=description,
    )


def _string(schema: Schema, description: str | None) -> Part:
    pattern: str | None = schema.get("pattern")
    format_: str | None = schema.get("format")
    bounds = formats.base64_sizes(schema)
    if bounds is not None:
        return Base64Part(*bounds, description).check
    own = _OWN_PATTERNS.get(pattern or "")
    if own is not None:
        pattern, format_ = None, own
    elif format_ not in formats.ASSERTED:
        format_ = None
    size = _size(schema, "minLength", "maxLength", "character", description)
    return StringPart(size, pattern, format_, description).check


def _size(schema: Schema, least: str, most: str, noun: str, description: str | None) -> SizePart | None:
    if least not in schema and most not in schema:
        return None
    limit = schema.get(most)
    return SizePart(int(schema.get(least, 0)), None if limit is None else int(limit), noun, description)
