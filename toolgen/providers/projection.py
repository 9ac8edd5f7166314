"""The canonical schema as a provider takes it, and the form that this gives to an input.

A projection keeps what the provider's dialect takes. What it drops goes into a description in plain words, where the
model reads it, and into the notes; the codec still enforces it. What can't be said at all is a ``ProjectionError``.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from toolgen.providers import wording
from toolgen.providers.canonical import Canonical, Schema, reference, rules, types
from toolgen.providers.definitions import Note, ProjectionError
from toolgen.providers.dialect import Dialect
from toolgen.providers.facts import Facts
from toolgen.providers.form import Arm, Form, Position, Property
from toolgen.providers.respelling import LostReferenceError, respelled
from toolgen.runtime import formats
from toolgen.runtime.kinds import json_type
from toolgen.runtime.pointers import escaped
from toolgen.runtime.schemanodes import ASSERTIONS

_MOST_COPIES = 8
"""Most copies of one definition that stand in the place of references to it."""

_MOST_INLINED = 200
"""Most copies in all, for a dialect without references."""

_STRUCTURE = frozenset({"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "allOf"})
_JUDGED = ASSERTIONS | {"contentEncoding"}
"""Keywords that a value is held to: any other is nothing that a model has to know."""

_NOTES = ("title", "description", "default", "examples", "deprecated")
_NULL = {"type": "null"}

Out = dict[str, Any]
Placed = tuple[Out, Position]


@dataclass(frozen=True, slots=True)
class Projection:
    """A projected schema; ``words`` are for the tool's description, since they belong to the whole."""

    schema: Out
    words: tuple[str, ...]
    notes: tuple[Note, ...]
    form: Form


def project(facts: Facts, dialect: Dialect) -> Projection:
    """The projection of a tool's model schema.

    Raises:
        ProjectionError: the dialect can't express it.
    """
    return _Projector(facts, dialect).projection()


class _Projector:
    """Makes one projection. One that is ``bare`` is made for its form alone: it puts no value into words."""

    def __init__(self, facts: Facts, dialect: Dialect, *, bare: bool = False) -> None:
        self._facts = facts
        self._dialect = dialect
        self._bare = bare
        try:
            self._canonical = Canonical(facts.schema if dialect.verbatim else respelled(facts.schema))
        except LostReferenceError as error:
            self._fail("", str(error), way="Mend the schema.")
        self._notes: dict[Note, None] = {}
        self._wanted: list[str] = []
        self._open: list[str] = []
        self._copies: Counter[str] = Counter()
        self._changes = False

    def projection(self) -> Projection:
        root, said = self._root()
        if self._dialect.verbatim:
            schema, position = self._verbatim(root)
            definitions: dict[str, Placed] = {}
        else:
            self._refuse_cycles()
            schema, position = self._object(root, "", "")
            definitions = self._definitions()
        if definitions:
            schema["$defs"] = {name: inner for name, (inner, _) in definitions.items()}
        if self._dialect.says_closed:
            said.append("Write no keys but those that are named.")
            self._note("", "that objects take no other keys is said in the description")
        inner = {name: position for name, (_, position) in definitions.items()}
        form = Form(position, inner, changes=self._changes, payload=self._facts.payload)
        return Projection(schema, tuple(said), tuple(self._notes), form)

    # The root

    def _root(self) -> tuple[Out, list[str]]:
        """The root without what may not stand there, and that in words."""
        root = self._canonical.own_root()
        said: list[str] = []
        refused = self._dialect.root_refused if self._dialect.verbatim else ("oneOf", "anyOf", "allOf", "enum", "not")
        for word in refused:
            if word in root:
                found = root.pop(word)
                parts = found if word == "allOf" else [{word: found}]
                said += [wording.of_rule(part) for part in parts]
                self._note("", f"{word} may not stand at the root: said in the description")
        return root, said

    def _verbatim(self, root: Out) -> Placed:
        """The schema as it is, but for the names of its own properties."""
        names = self._names(root.get("properties", {}), "", at_root=True)
        schema = dict(root)
        if any(name != new for name, new in names.items()):
            schema["properties"] = {names[name]: inner for name, inner in root["properties"].items()}
            schema["required"] = [names[name] for name in root.get("required", ())]
        if self._canonical.definitions:
            schema["$defs"] = dict(self._canonical.definitions)
        return schema, Position({name: Property(new, Position()) for name, new in names.items()})

    def _refuse_cycles(self) -> None:
        cycle = None if self._dialect.recursion else self._canonical.cycle()
        if cycle is None:
            return
        for name, inner in self._canonical.root.get("properties", {}).items():
            if Canonical({"properties": {name: inner}, "$defs": self._canonical.definitions}).cycle() is not None:
                self._fail(name, f"it is recursive ({' → '.join(cycle)}), which this mode refuses")

    def _definitions(self) -> dict[str, Placed]:
        """The definitions that are referred to, in the order in which they are met."""
        done: dict[str, Placed] = {}
        while self._wanted:
            name = self._wanted.pop(0)
            if name not in done:
                self._open = [name]
                done[name] = self._position(self._canonical.named(name), name, owner=f"/$defs/{escaped(name)}")
        return done

    # Positions

    def _position(self, schema: Any, where: str, *, owner: str | None = None, said: tuple[str, ...] = ()) -> Placed:
        """What stands at one position; ``said`` goes into its description first."""
        if not isinstance(schema, Mapping):
            schema = {}
        more = [*said, *(self._ruled(rule, where) for rule in rules(schema))]
        name = reference(schema)
        if name is not None:
            return self._reference(name, schema, where, more)
        if "enum" in schema:
            return self._enum(schema, where, more)
        if "anyOf" in schema:
            return self._union(schema, where, more)
        kinds = types(schema)
        if {"object", "array"} & {*kinds} and len({*kinds} - {"null"}) > 1:
            return self._union(_by_type(schema, kinds), where, more)
        if "object" in kinds:
            return self._object(schema, where, owner, more)
        if "array" in kinds:
            items, position = self._position(schema.get("items", {}), f"{where}[]")
            listed = Position(items=position)
            return self._out(schema, where, more, {"items": items}, listed), listed
        if not kinds and not self._dialect.anything:
            self._fail(where, "it takes any JSON value, and this mode wants a type")
        return self._out(schema, where, more), Position()

    def _ruled(self, rule: Any, where: str) -> str:
        self._note(where, "a rule that the schema can't hold: said in the description")
        return wording.of_rule(rule)

    def _reference(self, name: str, schema: Schema, where: str, more: list[str]) -> Placed:
        """A reference may have nothing beside it: where something has to be said, a copy says it."""
        told = {word: schema[word] for word in _NOTES if word in schema}
        notes = self._annotated(told, where, more, Position(ref=name))
        if self._dialect.references and not notes:
            self._wanted.append(name)
            return {"$ref": f"#/$defs/{escaped(name)}"}, Position(ref=name)
        if not self._dialect.references and self._copies.total() >= _MOST_INLINED:
            self._fail(where, f"its definitions would stand in more than {_MOST_INLINED} places, as none can be named")
        if self._dialect.references and (name in self._open or self._copies[name] >= _MOST_COPIES):
            self._wanted.append(name)
            return {"anyOf": [{"$ref": f"#/$defs/{escaped(name)}"}], **notes}, Position(ref=name)
        self._copies[name] += 1
        self._open.append(name)
        copy, position = self._position(self._canonical.named(name), name, owner=f"/$defs/{escaped(name)}")
        self._open.pop()
        about = wording.sentences(notes.get("description", ""), [copy["description"]] if "description" in copy else [])
        return {**copy, **notes, **({"description": about} if about else {})}, position

    # Objects

    def _object(self, schema: Schema, where: str, owner: str | None, more: list[str] | None = None) -> Placed:
        more = list(more or ())
        extra = schema.get("additionalProperties", True)
        if where and extra is True and "properties" not in schema:
            extra = {}  # an object of which nothing is said is a map of anything
        if "patternProperties" in schema:
            if self._dialect.closed:
                self._fail(where, "it takes keys by their pattern, and this mode wants every key named")
            extra = extra or True
        properties: Mapping[str, Any] = schema.get("properties", {})
        values = self._map(extra, where, more) if isinstance(extra, Mapping) else None
        names = self._names(properties, where, at_root=not where)
        required = set(schema.get("required", ()))
        out: Out = {"properties": {}, "required": []}
        position = Position()
        for name, inner in properties.items():
            place = f"{where}.{name}" if where else name
            pointer = None if owner is None else f"{owner}/properties/{escaped(name)}"
            projected, found = self._property(inner, place, name in required, pointer)
            found.name = names[name]
            out["properties"][names[name]] = projected
            position.properties[name] = found
            if name in required or self._dialect.all_required:
                out["required"].append(names[name])
        if values is not None:
            out["additionalProperties"], position.values = values
            out = out if properties else {"additionalProperties": out["additionalProperties"]}
        else:
            out["additionalProperties"] = extra is not False and not self._dialect.closed
            if self._dialect.closed and extra is not False:
                position.closed = True
                self._note(where, "other keys, which are ignored, may not be written")
        return self._out(schema, where, more, out, position), position

    def _map(self, values: Schema, where: str, more: list[str]) -> Placed:
        if self._dialect.closed:
            self._fail(where, "it is a map, an object with any keys, and this mode wants every key named")
        if self._dialect.says_maps:
            more.append("An object with keys of your choice.")
            self._note(where, "that it takes any keys is said in the description too")
        return self._position(values, f"{where}.*")

    def _property(self, schema: Any, where: str, required: bool, pointer: str | None) -> tuple[Out, Property]:
        """A property, which null may have to stand for where it may not be left out."""
        canonical = self._canonical.followed(schema if isinstance(schema, Mapping) else {})
        if required or not self._dialect.all_required:
            out, position = self._position(schema, where)
            return out, Property("", position)
        if "null" in self._canonical.kinds(canonical):
            return self._nullable_property(schema, where, pointer)
        has_default = isinstance(schema, Mapping) and "default" in schema
        word = "Null stands for the default." if has_default else "Null stands for leaving it out."
        self._note(where, "null stands for leaving it out")
        self._changes = True
        out, position = self._position(schema, where, said=(word,))
        return _with_null(out), Property("", position, absent=True, fill=(None,))

    def _nullable_property(self, schema: Schema, where: str, pointer: str | None) -> tuple[Out, Property]:
        """Null is a value here: it can't stand for absence as well, unless the two are one."""
        if pointer in self._facts.keep_null:
            self._fail(where, "null and leaving it out are two things (keep_null), and this mode wants every field")
        out, position = self._position(schema, where)
        self._note(where, "it may not be left out")
        return out, Property("", position, fill=(schema.get("default"),))

    def _names(self, properties: Mapping[str, Any], where: str, *, at_root: bool) -> dict[str, str]:
        """Names that the provider takes, by canonical name: those that it refuses are replaced."""
        pattern = self._dialect.property_name
        if pattern is None or not (at_root or self._dialect.nested_names):
            return {name: name for name in properties}
        names = {name: name for name in properties if pattern.fullmatch(name)}
        for name in properties:
            if name not in names:
                names[name] = _safe_name(name, set(names.values()))
                self._note(f"{where}.{name}" if where else name, f"is named {names[name]} here")
                self._changes = True
        return {name: names[name] for name in properties}

    # Values

    def _enum(self, schema: Schema, where: str, more: list[str], *, strings_too: bool = False) -> Placed:
        values = [value for value in schema["enum"] if value is not None]
        null = [_NULL] if None in schema["enum"] else []
        by_kind: dict[str, list[Any]] = {}
        for value in values:
            by_kind.setdefault(json_type(value), []).append(value)
        if self._dialect.string_enums and (strings_too or set(by_kind) - {"string"}):
            arms, words = self._worded(by_kind, where, more, strings_too)
        elif self._dialect.split_enums and len(by_kind) > 1:
            arms, words = [{"type": kind, "enum": found} for kind, found in by_kind.items()], {}
        elif self._dialect.string_enums and null:
            arms, words = [{"type": "string", "enum": values}], {}
        else:
            kinds = [*by_kind, *(["null"] if null else [])]
            type_ = kinds[0] if len(kinds) == 1 else kinds
            return self._out(schema, where, more, {"type": type_, "enum": list(schema["enum"])}), Position()
        form = arms[0] if len(arms) == 1 and not null else {"anyOf": [*arms, *null]}
        position = Position(words=words)
        return self._out(schema, where, more, form, position), position

    def _worded(
        self, by_kind: dict[str, list[Any]], where: str, more: list[str], strings_too: bool
    ) -> tuple[list[Out], dict[str, Any]]:
        """An enum whose values are not all strings, for a provider that takes strings alone."""
        if strings_too and set(by_kind) - {"string"}:
            # A string that stands for a number could not be told from a string of the union's other arm.
            more.append(wording.of_keyword("enum", [value for found in by_kind.values() for value in found]))
            self._note(where, "its values are said in the description")
            return [{"type": kind} for kind in by_kind], {}
        taken: dict[str, Any] = {value: value for value in by_kind.pop("string", [])}
        texts = list(taken)
        words: dict[str, Any] = {}
        for kind, found in by_kind.items():
            for value in found:
                text = wording.compact(value)
                text = f"{text} ({kind})" if text in taken else text
                taken[text] = words[text] = value
                texts.append(text)
        if words:
            self._changes = True
            self._note(where, "its values are written as strings")
        return [{"type": "string", "enum": texts}], words

    def _union(self, schema: Schema, where: str, more: list[str]) -> Placed:
        arms = [arm for arm in schema["anyOf"] if arm.get("type") != "null"]
        null = [_NULL] if len(arms) < len(schema["anyOf"]) else []
        kinds = [self._canonical.kinds(arm) for arm in arms]
        outs, found = [], []
        for index, arm in enumerate(arms):
            others = frozenset().union(*(kinds[:index] + kinds[index + 1 :]))
            if "enum" in arm and reference(arm) is None:
                out, position = self._enum(arm, where, [], strings_too="string" in others)
            else:
                out, position = self._position(arm, where)
            outs.append(out)
            found.append(Arm(position, kinds[index], self._canonical.tags(arm)))
        position = Position(arms=tuple(found))
        return self._out(schema, where, more, {"anyOf": [*outs, *null]}, position), position

    # Keywords

    def _out(
        self,
        schema: Schema,
        where: str,
        more: list[str],
        structure: Mapping[str, Any] | None = None,
        position: Position | None = None,
    ) -> Out:
        """The schema of a position: its type and structure, the constraints that are taken, and its notes."""
        out: Out = {"type": schema["type"]} if "type" in schema and "anyOf" not in (structure or {}) else {}
        out.update(structure or {})
        said = list(more)
        sizes = formats.base64_sizes(schema)
        for word, value in schema.items():
            if word in _STRUCTURE or word in _NOTES or word not in _JUDGED:
                continue
            kept = self._kept(word, value, schema)
            if kept:
                out.update(kept)
            else:
                counts = sizes is not None and word in ("pattern", *formats.BASE64_SIZE_WORDS)
                sentence = wording.of_bytes(*sizes) if sizes and counts else wording.of_keyword(word, value)
                said.append(sentence)
                # What stands for a format is said as one, and not quoted.
                formal = counts or (word == "pattern" and value not in sentence)
                quoted = "" if formal else f" {wording.compact(value)}"
                self._note(where, f"{word}{quoted} is said in the description")
        return {**out, **self._annotated(schema, where, said, position)}

    def _kept(self, word: str, value: Any, schema: Schema) -> Out | None:
        """The keyword as the provider takes it, or None."""
        dialect = self._dialect
        taken = {
            "format": lambda: value in dialect.formats,
            "pattern": lambda: "pattern" in dialect.keywords and dialect.takes_pattern(value),
            "minItems": lambda: "minItems" in dialect.keywords and dialect.takes_min_items(value),
        }
        if taken.get(word, lambda: word in dialect.keywords)():
            return {word: value}
        bound = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}.get(word)
        if bound in dialect.keywords and bound not in schema and set(types(schema)) <= {"integer", "null"}:
            # Whole numbers above 3 are those from 4 on.
            return {bound: math.floor(value) + 1 if bound == "minimum" else math.ceil(value) - 1}
        return None

    def _annotated(self, schema: Schema, where: str, more: list[str], position: Position | None = None) -> Out:
        """The notes that are taken, and all else in the description; values are told as the model has to write them."""
        out: Out = {}
        said = list(dict.fromkeys(filter(None, more)))
        for word in _NOTES:
            if word not in schema or word == "description":
                continue
            value = schema[word]
            if position is not None and not self._bare and word in ("default", "examples"):
                value = self._written(value, Position(items=position) if word == "examples" else position)
            if word in self._dialect.notes:
                out[word] = value
            elif text := wording.of_keyword(word, value):
                said = [text, *said] if word == "title" else [*said, text]
                self._note(where, f"{word} is said in the description")
        description = wording.sentences(schema.get("description", ""), said)
        return {**out, "description": description} if description else out

    def _written(self, value: Any, position: Position) -> Any:
        """A canonical value in this projection's form, definitions that are not made yet among it."""
        return Form(position, _Made(self._alone), changes=True).write(value)

    def _alone(self, name: str) -> Position:
        projector = _Projector(self._facts, self._dialect, bare=True)
        projector._open = [name]
        return projector._position(self._canonical.named(name), name, owner=f"/$defs/{escaped(name)}")[1]

    def _note(self, where: str, what: str) -> None:
        self._notes[Note(where, what)] = None

    def _fail(self, where: str, reason: str, *, way: str | None = None) -> NoReturn:
        raise ProjectionError(
            tool=self._facts.name,
            field=where,
            provider=self._dialect.provider,
            reason=reason,
            way=self._dialect.way if way is None else way,
        )


class _Made(dict[str, Position]):
    """Definitions that are made when they are asked for."""

    def __init__(self, make: Callable[[str], Position]) -> None:
        self._make = make

    def __missing__(self, name: str) -> Position:
        self[name] = found = self._make(name)
        return found


def _by_type(schema: Schema, kinds: list[str]) -> Schema:
    """A schema of several types as a union of them."""
    told = {word: schema[word] for word in _NOTES if word in schema}
    rest = {word: value for word, value in schema.items() if word not in (*_NOTES, "allOf")}
    return {**told, "anyOf": [{**rest, "type": kind} for kind in kinds]}


def _with_null(schema: Out) -> Out:
    """The schema, taking null as well."""
    if "anyOf" in schema:
        arms = schema["anyOf"]
        return {**schema, "anyOf": arms if _NULL in arms else [*arms, _NULL]}
    if "$ref" in schema:
        return {"anyOf": [schema, _NULL]}
    named = types(schema)
    kinds = named if "null" in named else [*named, "null"]
    out = {**schema, "type": kinds}
    return {**out, "enum": [*schema["enum"], None]} if "enum" in schema else out


def _safe_name(name: str, taken: set[str]) -> str:
    """A name of letters, digits and underscores that is like ``name``, and none of ``taken``."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)[:60] or "_"
    plain = plain if re.match(r"[A-Za-z_]", plain) else f"_{plain}"
    new, number = plain, 2
    while new in taken:
        new, number = f"{plain}_{number}", number + 1
    return new
