"""Whole inputs from a schema: the smallest, and full ones that together show every arm of every union."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice

from toolgen.runtime.kinds import json_type
from toolgen.testing.leaves import distinct
from toolgen.testing.shape import Document, Json, Node, Schema, named_in, rules_out

_MOST_BASES = 64
_PATIENCE = 16
_MOST_OTHERS = 12
MOST_ITEMS = 20_000
"""Items or keys of one value that a test can try again and again in reasonable time."""
_MOST_LEAVES = 200


class NoInput(Exception):
    """No input could be made for a schema: nothing is valid under it, or a pattern and its lengths hardly meet.

    ``where`` is the position in the schema, as a JSON Pointer fragment.
    """

    def __init__(self, where: str) -> None:
        super().__init__(f"no value could be made for {where}; give the field an example that meets its constraints")
        self.where = where


class _Endless(Exception):
    """A Record that must hold itself, on the way that was tried."""


def minimal_input(schema: Schema) -> Json:
    """The smallest valid input: required keys alone, lists and maps as short as they may be.

    The same for equal schemas on every run. Raises NoInput where there is none, or where a rule of the schema (``not``
    and its like) refuses what its types and bounds allow.
    """
    value = Maker(schema).minimal()
    ruled_out = rules_out(schema)
    if ruled_out is not None and ruled_out(value):
        raise NoInput("#")
    return value


def full_input(schema: Schema) -> Json:
    """A valid input with every key, an element in each list and map, and fields of one type told apart by value.

    A Record inside itself is cut short at the second level, and a key is left out where a rule of the schema refuses
    what its type allows. The same for equal schemas on every run. Raises NoInput where there is none.
    """
    return full_inputs(schema)[0]


def full_inputs(schema: Schema) -> list[Json]:
    """Full inputs which together show each arm of each union, and each value of a tag, at least once."""
    maker = Maker(schema)
    found = [maker.full()]
    idle = 0
    # An arm inside another comes up in every other round at best, so a round that shows nothing new is not the last.
    while len(found) < _MOST_BASES and idle < _PATIENCE and maker.unseen():
        before = maker.seen()
        another = maker.full()
        idle = idle + 1 if maker.seen() == before else 0
        if not idle:
            found.append(another)
    ruled_out = rules_out(schema)
    if ruled_out is None:
        return found
    smallest = minimal_input(schema)
    return [_within_rules(smallest, whole, ruled_out) for whole in found]


def _within_rules(smallest: Json, whole: Json, ruled_out: Callable[[Json], bool]) -> Json:
    """As much of the whole as the rules let be added to the smallest input, key by key."""
    if not ruled_out(whole) or not isinstance(smallest, dict) or not isinstance(whole, dict):
        return smallest if ruled_out(whole) else whole
    kept = smallest
    for key, value in whole.items():
        tried = {name: value if name == key else kept.get(name) for name in whole if name == key or name in kept}
        kept = kept if ruled_out(tried) else tried
    return kept


class Maker:
    """Makes inputs for one schema; each value that it makes differs from those it made before, where it can."""

    def __init__(self, schema: Schema) -> None:
        self.document = Document(schema)
        self._turn: Counter[str] = Counter()
        self._chosen: Counter[tuple[str, int]] = Counter()
        self._met: dict[str, int] = {}

    def minimal(self) -> Json:
        """The smallest input."""
        return self._minimal_or_refuse(self.document.root)

    def full(self) -> Json:
        """A full input; each further one takes the arms of unions that were taken least."""
        return self.value(self.document.root)

    def seen(self) -> int:
        """How many arms of unions have been taken."""
        return len(self._chosen)

    def unseen(self) -> bool:
        """Whether some union that was met has an arm that was never taken."""
        return sum(self._met.values()) > len(self._chosen)

    def value(self, node: Node) -> Json:
        """A full value of one position."""
        if any(times > 1 for times in Counter(node.refs).values()):
            return self._minimal_or_refuse(node)
        arm = self._arm(node)
        if arm.members is None and not arm.is_anything:
            if arm.types == ("array",):
                return self.elements(arm, self._usual_length(arm))
            if arm.types == ("object",):
                return self._object(arm)
        return self.leaf(arm)

    def leaf(self, node: Node) -> Json:
        """A value of a scalar position: the next one in turn among all positions of the same keywords."""
        kind = f"{node.members}{node.types}"
        turn = self._turn[kind] % 50
        values = list(islice(self._leaves(node), turn + 1))
        values = values or [value for value in node.inside if json_type(value) in node.types]
        if not values:
            if self.document.takes_null(node):
                return None
            raise NoInput(node.where)
        self._turn[kind] += 1
        return values[turn % len(values)]

    def _leaves(self, node: Node) -> Iterator[Json]:
        """The values of a scalar position, those that a rule on it names among them."""
        ruled_out = self.document.ruled_out(node)
        if ruled_out is None:
            return distinct(node)
        named = [value for rule in node.schema.get("allOf", ()) for value in named_in(rule)]
        return (value for value in chain(islice(distinct(node), _MOST_LEAVES), named) if not ruled_out(value))

    def elements(self, node: Node, length: int) -> list[Json]:
        """A list of the wanted length, its elements all different where the schema asks for that.

        Raises NoInput where there are not so many different elements.
        """
        if length > MOST_ITEMS:
            raise NoInput(node.where)
        items = self.document.items(node)
        if not node.schema.get("uniqueItems"):
            return [self.value(items)] * length
        arms = [arm for arm in self.document.arms(items) if arm.types[:1] not in (("array",), ("object",))]
        singles = list(islice((value for arm in arms for value in distinct(arm)), length))
        if len(singles) < length:
            singles = [self.value(items) for _ in range(length)]
            if len({repr(single) for single in singles}) < length:
                raise NoInput(node.where)
        return singles

    def entries(self, values: Node, length: int) -> dict[str, Json]:
        """A map with the wanted number of keys."""
        return {f"key{n}": self.value(values) for n in range(1, length + 1)}

    def _arm(self, node: Node) -> Node:
        arms = self.document.arms(node)
        if arms == [node]:
            return node
        place = f"{node.where}{node.tag}"
        self._met[place] = len(arms)
        order = sorted(range(len(arms)), key=lambda index: (self._chosen[place, index], index))
        self._chosen[place, order[0]] += 1
        return arms[order[0]]

    def _usual_length(self, node: Node) -> int:
        least: int = node.schema.get("minItems", 0)
        most: int = node.schema.get("maxItems", 1)
        return max(least, min(1, most))

    def _object(self, node: Node) -> Json:
        values = self.document.values(node)
        if values is not None:
            least, most = node.schema.get("minProperties", 0), node.schema.get("maxProperties", 1)
            if least > MOST_ITEMS:
                raise NoInput(node.where)
            return {**self.entries(values, max(least, min(1, most)))}
        return {key: self.value(child) for key, child in self.document.properties(node).items()}

    def _minimal_or_refuse(self, node: Node) -> Json:
        try:
            return self._minimal(node)
        except _Endless:
            raise NoInput(node.where) from None

    def _minimal(self, node: Node) -> Json:
        for arm in self.document.arms(node):
            try:
                return self._minimal_arm(arm)
            except _Endless:
                continue
        if self.document.takes_null(node):
            return None
        raise _Endless

    def _minimal_arm(self, node: Node) -> Json:
        if max(Counter(node.refs).values(), default=0) > 3:
            raise _Endless
        if node.members is not None or node.is_anything:
            return self.leaf(node)
        if node.types == ("array",):
            least = node.schema.get("minItems", 0)
            return self.elements(node, least) if node.schema.get("uniqueItems") else self._least(node, least)
        if node.types != ("object",):
            return self.leaf(node)
        values = self.document.values(node)
        if values is not None:
            least = node.schema.get("minProperties", 0)
            if least > MOST_ITEMS:
                raise NoInput(node.where)
            return {f"key{n}": self._minimal(values) for n in range(1, least + 1)}
        required = node.schema.get("required", ())
        properties = self.document.properties(node)
        return self._with_keys(node, [key for key in properties if key in required], properties)

    def _with_keys(self, node: Node, keys: Sequence[str], properties: Mapping[str, Node]) -> Json:
        """An object of some keys, and of as few others as a rule on it asks for."""
        made = {key: self._minimal(properties[key]) for key in keys}
        ruled_out = self.document.ruled_out(node)
        if ruled_out is None or not ruled_out(made):
            return made
        others = [key for key in properties if key not in keys][:_MOST_OTHERS]
        for more in (picked for size in (1, 2) for picked in combinations(others, size)):
            try:
                tried = {
                    key: made[key] if key in made else self._minimal(properties[key])
                    for key in properties
                    if key in made or key in more
                }
            except (_Endless, NoInput):
                continue
            if not ruled_out(tried):
                return tried
        return made

    def _least(self, node: Node, least: int) -> Json:
        return [self._minimal(self.document.items(node))] * least if least else []
