"""Every bound of a schema, tried on both sides, in inputs that are otherwise valid."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from toolgen.runtime.kinds import json_type
from toolgen.runtime.pointers import below
from toolgen.testing.inputs import Maker, NoInput, full_inputs, minimal_input
from toolgen.testing.leaves import boundaries
from toolgen.testing.shape import (
    MISSING,
    Document,
    Json,
    Missing,
    Node,
    Schema,
    put,
    rules_out,
)

LONGEST_LIST = 300
"""Lists and maps longer than this are not made: a bound that lies higher is not tried."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change to a full input: ``value`` put at the JSON Pointer ``at``, or the key taken out (``MISSING``).

    ``constraint`` is what then refuses the input, at the pointer ``path``; None where it is taken. ``mended`` says that
    a codec which mends takes the input although the schema refuses it.
    """

    at: str
    value: Json | Missing
    constraint: str | None = None
    path: str = ""
    mended: bool = False


@dataclass(frozen=True, slots=True)
class Base:
    """A valid input, and the changes to it that are of interest."""

    input: Json
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Boundary:
    """An input, and the constraint that refuses it, at the JSON Pointer ``path``; None: it is taken."""

    input: Json
    path: str
    constraint: str | None


def boundary_inputs(schema: Schema) -> list[Boundary]:
    """Inputs on both sides of everything that a canonical schema says.

    For each position (properties, nested, list elements, map values, arms of unions, each place in the schema once):
    values at, just inside and just outside each bound; each member of an enum and one that is none; null; a wrong type;
    each key missing; an unknown key in each object. Judged as the schema says, with no mends. The same list for equal
    schemas on every run. Raises NoInput where no valid input can be made.
    """
    found = []
    for base in bases(schema):
        found.append(Boundary(base.input, "", None))
        found += [_boundary(base, edit) for edit in base.edits]
    return found


def _boundary(base: Base, edit: Edit) -> Boundary:
    path = "" if edit.constraint is None else edit.path
    return Boundary(put(base.input, edit.at, edit.value), path, edit.constraint)


def bases(schema: Schema) -> list[Base]:
    """The smallest input, then full ones with their edits; each position of the schema is edited in one of them."""
    editor = _Editor(schema)
    ruled_out = rules_out(schema)
    # Long texts come last, so that a fault shows in the quick cases first.
    full = [Base(whole, tuple(sorted(editor.edits(whole), key=_is_long))) for whole in full_inputs(schema)]
    found = [Base(minimal_input(schema), ()), *full]
    return found if ruled_out is None else [_within_rules(base, ruled_out) for base in found]


def _within_rules(base: Base, ruled_out: Callable[[Json], bool]) -> Base:
    """The changes that keep the rules of the whole: those that are taken, at once or once mended, hold to them."""

    def spoilt(edit: Edit) -> bool:
        if edit.constraint is None:
            return ruled_out(put(base.input, edit.at, edit.value))
        return edit.mended and edit.value is None and ruled_out(put(base.input, edit.at, MISSING))

    return replace(base, edits=tuple(edit for edit in base.edits if not spoilt(edit)))


def _is_long(edit: Edit) -> bool:
    return isinstance(edit.value, str) and len(edit.value) > 2_000


class _Editor:
    """Finds the edits to inputs of one schema, each position of the schema once."""

    def __init__(self, schema: Schema) -> None:
        self._maker = Maker(schema)
        self._document = Document(schema)
        self._seen: set[tuple[str, object]] = set()

    def edits(self, whole: Json) -> Iterator[Edit]:
        """The edits to one full input, for the positions that were not seen in an earlier one."""
        yield from self._position(self._document.root, whole, "")

    def _position(self, node: Node, value: Json, path: str) -> Iterator[Edit]:
        # What stands there already is tried with the input as it is.
        yield from (e for e in self._all_edits(node, value, path) if e.at != path or not _is_one(e.value, value))

    def _all_edits(self, node: Node, value: Json, path: str) -> Iterator[Edit]:
        if self._first(node, "any arm"):
            yield from self._wrong_types(node, value, path)
        arm = self._taken_arm(node, value)
        if arm is None:
            return
        if self._first(arm, "arm"):
            yield from self._among_arms(node, arm, self._arm(arm, path))
        if isinstance(value, dict) and arm.types == ("object",):
            yield from self._object(arm, value, path)
        elif isinstance(value, list) and arm.types == ("array",):
            yield from self._first_element(arm, value, path)

    def _first_element(self, arm: Node, value: list[Json], path: str) -> Iterator[Edit]:
        at = below(path, 0)
        for item in value[:1]:
            for edit in self._position(self._document.items(arm), item, at):
                twin = edit.at == at and arm.schema.get("uniqueItems") and edit.value in value[1:]
                if not twin:
                    yield edit

    def _first(self, node: Node, aspect: str) -> bool:
        key = (node.where, (aspect, node.tag))
        new = key not in self._seen
        self._seen.add(key)
        return new

    def _taken_arm(self, node: Node, value: Json) -> Node | None:
        kind = json_type(value)
        for arm in self._document.arms(node):
            if arm.tag is not None:
                if isinstance(value, dict) and value.get(arm.tag[0]) == arm.tag[1]:
                    return arm
            elif arm.is_anything or kind in self._document.json_types(arm):
                return arm
        return None

    def _wrong_types(self, node: Node, value: Json, path: str) -> Iterator[Edit]:
        """Null, and a value of a type that is not taken."""
        if node.is_anything:
            return
        arms = self._document.arms(node)
        refused = "invalid_type" if len(arms) > 1 or arms[0].members is None else "invalid_enum_value"
        if self._document.takes_null(node):
            yield Edit(path, None)
        else:
            yield Edit(path, None, refused, path)
        if refused == "invalid_type":
            taken = self._document.json_types(node)
            offered: tuple[Json, ...] = (True, "7", 7, [7])
            strangers = [stranger for stranger in offered if json_type(stranger) not in taken]
            yield from (Edit(path, stranger, refused, path) for stranger in strangers[:2])

    def _among_arms(self, node: Node, arm: Node, edits: Iterator[Edit]) -> Iterator[Edit]:
        """The edits that are the arm's own in its union: a value's JSON type says which arm judges it.

        A member's stranger may be of another arm's type, and then it is that arm's to tell; or of no arm's.
        """
        arms = self._document.arms(node)
        if len(arms) == 1 or arm.members is None:
            yield from edits
            return
        own = _judged_types(map(json_type, arm.members))
        union = _judged_types(self._document.json_types(node))
        for edit in edits:
            kind = json_type(edit.value) if not isinstance(edit.value, Missing) else ""
            if edit.constraint is None or kind in own:
                yield edit
            elif kind not in union:
                yield replace(edit, constraint="invalid_type")

    def _arm(self, arm: Node, path: str) -> Iterator[Edit]:
        """The bounds of one arm itself."""
        if arm.members is None and arm.types == ("array",):
            yield from self._list_bounds(arm, path)
        elif arm.members is None and arm.types == ("object",):
            yield from self._map_bounds(arm, path)
        else:
            yield from (Edit(path, value, constraint, path) for value, constraint in boundaries(arm))

    def _list_bounds(self, arm: Node, path: str) -> Iterator[Edit]:
        for length, constraint in _lengths(arm.schema.get("minItems"), arm.schema.get("maxItems")):
            elements = self._elements(arm, length)
            if elements is not None:
                yield Edit(path, [*elements], constraint, path)
        if arm.schema.get("uniqueItems") and arm.schema.get("maxItems", 2) >= 2:
            elements = self._elements(arm, max(1, arm.schema.get("minItems", 0) - 1))
            if elements is not None:
                yield Edit(path, [*elements, elements[0]], "duplicate_items", path)

    def _elements(self, arm: Node, length: int) -> list[Json] | None:
        try:
            return self._maker.elements(arm, length)
        except NoInput:
            return None

    def _map_bounds(self, arm: Node, path: str) -> Iterator[Edit]:
        values = self._document.values(arm)
        if values is None:
            return
        for length, constraint in _lengths(arm.schema.get("minProperties"), arm.schema.get("maxProperties")):
            yield Edit(path, {**self._maker.entries(values, length)}, constraint, path)

    def _object(self, arm: Node, value: dict[str, Json], path: str) -> Iterator[Edit]:
        values = self._document.values(arm)
        if values is not None:
            for key, item in list(value.items())[:1]:
                yield from self._position(values, item, below(path, key))
            return
        properties = self._document.properties(arm)
        if self._first(arm, "keys"):
            yield from self._keys(arm, properties, value, path)
        for key, child in properties.items():
            if key in value and not (arm.tag is not None and arm.tag[0] == key):
                optional = key not in arm.schema.get("required", ())
                yield from self._field(child, value[key], below(path, key), optional=optional)

    def _field(self, node: Node, value: Json, path: str, *, optional: bool) -> Iterator[Edit]:
        """The edits to a property, where null is mended if it may be missing, and an object written as text."""
        new = (node.where, ("any arm", node.tag)) not in self._seen
        for edit in self._position(node, value, path):
            nothing = edit.at == path and edit.value is None and edit.constraint is not None
            yield replace(edit, mended=True) if nothing and optional else edit
        scalars = any(arm.members is not None for arm in self._document.arms(node))
        if new and isinstance(value, dict | list) and not scalars and "string" not in self._document.json_types(node):
            yield Edit(path, json.dumps(value, ensure_ascii=False), "invalid_type", path, mended=True)

    def _keys(self, arm: Node, properties: dict[str, Node], value: dict[str, Json], path: str) -> Iterator[Edit]:
        required = arm.schema.get("required", ())
        for key in properties:
            if key in required:
                yield Edit(below(path, key), MISSING, "missing_field", below(path, key))
            elif key in value:
                yield Edit(below(path, key), MISSING)
        stranger = next(name for name in ("unknown_key", "another_unknown_key", "zz-unknown") if name not in properties)
        closed = arm.schema.get("additionalProperties") is False
        yield Edit(below(path, stranger), 1, "unknown_field" if closed else None, below(path, stranger))
        if arm.tag is not None:
            at = below(path, arm.tag[0])
            no_tag: Json = "no such tag" if isinstance(arm.tag[1], str) else -77_777
            yield Edit(at, no_tag, "invalid_enum_value", at)


def _judged_types(named: Iterable[str]) -> frozenset[str]:
    """The types of which some arm judges values: what takes a whole number judges every number, and the other way."""
    found = frozenset(named)
    return found | {"integer", "number"} if found & {"integer", "number"} else found


def _is_one(left: object, right: object) -> bool:
    return type(left) is type(right) and left == right


def _lengths(low: int | None, high: int | None) -> Iterator[tuple[int, str | None]]:
    """Lengths at, just inside and just outside the bounds, with what refuses them; short enough to be made."""
    wanted: dict[int, str | None] = {}
    if low:
        wanted |= {low - 1: "invalid_length", low: None, low + 1: None}
    if high is not None:
        wanted |= {high - 1: None, high: None, high + 1: "invalid_length"}
    if not low:
        wanted[0] = None
    for length, constraint in wanted.items():
        inside = (low or 0) <= length <= (length if high is None else high)
        if 0 <= length <= LONGEST_LIST and inside == (constraint is None):
            yield length, constraint
