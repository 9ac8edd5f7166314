"""``anyOf`` and ``oneOf``: as a union whose arms are told apart, or as a wider type and a rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from toolgen import ir, wiretypes
from toolgen.importer.conjunction import Endless, both, flat, members_of, types_of
from toolgen.importer.plan import Name, Read
from toolgen.importer.schemas import ASSERTIONS, ReferenceFault, Schema, SchemaOrBool, same
from toolgen.runtime import equality

if TYPE_CHECKING:
    from toolgen.importer.reader import Reader

_WIDEST: Mapping[str, ir.Type] = {
    "boolean": ir.Scalar(ir.Kind.BOOL),
    "number": ir.Scalar(ir.Kind.FLOAT),
    "string": ir.Scalar(ir.Kind.STR),
    "array": ir.Array(ir.Anything()),
    "object": ir.Map(ir.Anything()),
}


class Arm:
    """One alternative: as it is written, and put together with what stands beside the alternatives."""

    def __init__(self, written: Schema, whole: Schema) -> None:
        self.written = written
        self.whole = whole
        self.members = members_of(whole)
        self.types = _json_types(whole, self.members)


class UnionReader:
    """Reads schemas with alternatives."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def read(self, whole: Schema, name: Name) -> Read | None:
        """The type of what a schema with ``anyOf`` or ``oneOf`` takes; None where it takes nothing."""
        word = "anyOf" if "anyOf" in whole else "oneOf"
        base = whole.without(word)
        if word == "anyOf" and "oneOf" in base:
            kept = Schema({"oneOf": base["oneOf"]}, whole.at)
            base = base.without("oneOf").having(allOf=[*base.get("allOf", ()), kept])
        try:
            arms = self._arms(whole[word], base)
        except (Endless, ReferenceFault):
            return self._ruled(whole, base, name)
        if arms is None:
            return self._ruled(whole, base, name)
        arms = _distinct(arms) if word == "anyOf" else arms
        if not arms:
            return None
        if len(arms) == 1:
            return self._one(arms[0], name)
        return self._union(whole, base, arms, name, exclusive=word == "oneOf")

    def _arms(self, schemas: Sequence[SchemaOrBool], base: Schema) -> list[Arm] | None:
        """The alternatives that take some value; None where one of them names no type."""
        beside = Schema({word: value for word, value in base.items() if word in ASSERTIONS}, base.at)
        found: list[Arm] = []
        for schema in schemas:
            if schema is False:
                continue
            written = Schema({}, base.at) if schema is True else schema
            assert isinstance(written, Schema)
            whole = both(flat(written, self._reader.document), beside)
            if whole is False:
                continue
            if not isinstance(whole, Schema) or ("type" not in whole and members_of(whole) is None):
                return None
            found.append(Arm(written if not beside else whole, whole))
        return found

    def _one(self, arm: Arm, name: Name) -> Read | None:
        return self._reader.read(arm.written, name)

    def _ruled(self, whole: Schema, base: Schema, name: Name) -> Read | None:
        """What stands beside the alternatives as a type, and the alternatives as a rule."""
        if "type" in base and set(types_of(base)) == {"object"}:
            return self._reader.read_objects.read(whole, name)
        if "type" in base:
            read = self._reader.read_flat(base, name)
            words = {word: whole[word] for word in ("anyOf", "oneOf") if word in whole}
            rule = self._reader.rule(Schema(words, whole.at))
            return None if read is None else self._reader.joined([read], rule)
        return Read(ir.Anything(), self._reader.rule(whole))

    # --- told apart ---------------------------------------------------------------------------------------------------

    def _union(self, whole: Schema, base: Schema, arms: list[Arm], name: Name, *, exclusive: bool) -> Read | None:
        groups: dict[str, list[Arm]] = {}
        for arm in arms:
            for json_type in arm.types:
                groups.setdefault(json_type, []).append(arm)
        if set(groups) == {"object"} and self._tags(arms) is None:
            return self._reader.read_objects.read(whole.having(type="object"), name)
        if all(len(of) == 1 for of in groups.values()):
            return self._joined([self._reader.read(arm.written, name) for arm in arms], whole)
        reads: list[Read | None] = []
        told_apart = True
        done: list[Arm] = []
        for json_type, of in groups.items():
            rest = [arm for arm in of if arm not in done]
            if not rest:
                continue
            together = self._together(json_type, of, groups, name, exclusive=exclusive)
            if together is None:
                told_apart = False
                reads.append(Read(_WIDEST[json_type]) if json_type != "null" else self._reader.read(_NULL, name))
            else:
                reads += together
                done += of
        if told_apart:
            return self._joined(reads, whole)
        if "type" in base and len(set(types_of(base))) == 1:
            return self._ruled(whole, base, name)
        read = self._reader.joined([None if read is None else Read(read.type) for read in reads])
        return None if read is None else self._reader.as_written(whole, read)

    def _joined(self, reads: Sequence[Read | None], whole: Schema) -> Read | None:
        """The union of types; with one of no JSON type among them all that the schema says is a rule."""
        if any(read is not None and isinstance(read.type, ir.Anything) for read in reads):
            return self._reader.as_written(whole, Read(ir.Anything()))
        return self._reader.joined(reads)

    def _together(
        self, json_type: str, of: list[Arm], groups: Mapping[str, list[Arm]], name: Name, *, exclusive: bool
    ) -> list[Read | None] | None:
        """The alternatives of one JSON type, where they are told apart or come to one; None where not."""
        whole_arms = all(sum(arm in others for others in groups.values()) == 1 for arm in of)
        if len(of) == 1 and whole_arms:
            return [self._reader.read(of[0].written, name)]
        if not whole_arms:
            return None
        tags = self._tags(of) if json_type == "object" else None
        if tags is not None:
            reads = [self._reader.read(arm.written, replace(name, tag=tag)) for arm, tag in zip(of, tags, strict=True)]
            return reads if all(isinstance(read.type, ir.RecordRef) for read in reads if read is not None) else None
        if all(arm.members is not None for arm in of):
            return self._choices(of, name, exclusive=exclusive)
        if not exclusive and json_type == "number":
            plain = [arm for arm in of if arm.whole.keys() & ASSERTIONS == {"type"} and "number" in types_of(arm.whole)]
            return [self._reader.read(plain[0].written, name)] if plain else None
        if not exclusive:
            plain = [arm for arm in of if arm.whole.keys() & ASSERTIONS == {"type"}]
            return [self._reader.read(plain[0].written, name)] if plain and json_type != "object" else None
        return None

    def _choices(self, of: Sequence[Arm], name: Name, *, exclusive: bool) -> list[Read | None] | None:
        """Several enums as one: with ``exclusive``, of the values that stand in one of them alone."""
        reads = [self._reader.read(arm.written, name) for arm in of]
        types = [read.type for read in reads if read is not None]
        keyed = [
            (equality.key(value), value) for type_ in types if isinstance(type_, ir.Choice) for value in type_.values
        ]
        if not all(isinstance(type_, ir.Choice) for type_ in types):
            return None
        keys = [key for key, _ in keyed]
        kept = {key: value for key, value in keyed if not exclusive or keys.count(key) == 1}
        return [Read(ir.Choice(tuple(kept.values())))] if kept else [None]

    def _tags(self, arms: Sequence[Arm]) -> list[str] | None:
        """What names the alternatives: the first value of a required property that has values of its own in each; None
        where there is none."""
        first = arms[0].whole
        for name in first.get("required", ()):
            values = [self._tag_values(arm.whole, name) for arm in arms]
            if any(found is None for found in values):
                continue
            flat_values = [value for found in values if found is not None for value in found]
            may_be_tags = wiretypes.why_no_tags(flat_values) is None
            if may_be_tags and len(flat_values) == len({equality.key(value) for value in flat_values}):
                return [str(next(iter(found or ()), "")) for found in values]
        return None

    def _tag_values(self, whole: Schema, name: str) -> list[Any] | None:
        schema = whole.get("properties", {}).get(name)
        if name not in whole.get("required", ()) or not isinstance(schema, Schema):
            return None
        try:
            found = flat(schema, self._reader.document)
        except (Endless, ReferenceFault):
            return None
        return members_of(found) if isinstance(found, Schema) else None


_NULL = Schema({"type": "null"})


def _json_types(whole: Schema, members: list[Any] | None) -> list[str]:
    """The JSON types of an alternative; integers are numbers."""
    if members is not None:
        return list(dict.fromkeys(map(wiretypes.json_type, members)))
    named = ["number" if one == "integer" else one for one in types_of(whole)]
    return list(dict.fromkeys(named))


def _distinct(arms: Sequence[Arm]) -> list[Arm]:
    found: list[Arm] = []
    for arm in arms:
        if not any(same(arm.whole, other.whole) for other in found):
            found.append(arm)
    return found
