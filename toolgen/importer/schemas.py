"""Schemas while they are imported: in the words of 2020-12 whatever draft they came in, each knowing its place.

A draft's own words are turned into those of 2020-12, and words that a draft does not have are dropped, as its
validators do. ``dcg`` reads files; here documents are plain JSON.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import unquote

from toolgen.importer.forms import complaint
from toolgen.importer.references import References
from toolgen.runtime.pointers import escaped, steps
from toolgen.schema import RULE_URI

Raw: TypeAlias = Any


class Schema(dict[str, Any]):
    """A schema object. ``at`` is the JSON Pointer (RFC 6901) of its place in the source; one that was put together from
    several has the place of the first."""

    def __init__(self, items: Mapping[str, Any] | None = None, at: str = "") -> None:
        super().__init__(items or {})
        self.at = at

    def without(self, *words: str) -> Schema:
        return Schema({word: value for word, value in self.items() if word not in words}, self.at)

    def having(self, **words: Any) -> Schema:
        return Schema({**self, **words}, self.at)


SchemaOrBool: TypeAlias = "Schema | bool"


class Draft(enum.IntEnum):
    """The drafts that are told apart, oldest first. ``OPENAPI_30`` is draft 5 with words of its own."""

    DRAFT_4 = 4
    OPENAPI_30 = 5
    DRAFT_6 = 6
    DRAFT_7 = 7
    DRAFT_2019_09 = 8
    DRAFT_2020_12 = 9


_SINCE: Final = {
    "const": Draft.DRAFT_6,
    "contains": Draft.DRAFT_6,
    "propertyNames": Draft.DRAFT_6,
    "if": Draft.DRAFT_7,
    "then": Draft.DRAFT_7,
    "else": Draft.DRAFT_7,
    "dependentRequired": Draft.DRAFT_2019_09,
    "dependentSchemas": Draft.DRAFT_2019_09,
    "minContains": Draft.DRAFT_2019_09,
    "maxContains": Draft.DRAFT_2019_09,
    "unevaluatedProperties": Draft.DRAFT_2019_09,
    "unevaluatedItems": Draft.DRAFT_2019_09,
    "prefixItems": Draft.DRAFT_2020_12,
}
"""The draft that brought a keyword. Those of all drafts are not named."""

SCHEMA_WORDS: Final = frozenset(
    {
        "additionalProperties",
        "unevaluatedProperties",
        "unevaluatedItems",
        "propertyNames",
        "items",
        "contains",
        "not",
        "if",
        "then",
        "else",
    }
)
LIST_WORDS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
MAP_WORDS: Final = frozenset({"properties", "patternProperties", "dependentSchemas"})
ANNOTATIONS: Final = frozenset({"title", "description", "default", "examples", "example", "deprecated"})
BOUNDS: Final = frozenset(
    [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minItems",
        "maxItems",
        "uniqueItems",
        "required",
        "minProperties",
        "maxProperties",
        "minContains",
        "maxContains",
        "dependentRequired",
        "contentEncoding",
    ]
)
ASSERTIONS: Final = frozenset({"type", "enum", "const", "$ref"}) | SCHEMA_WORDS | LIST_WORDS | MAP_WORDS | BOUNDS


_BESIDE_REF: Final = (ASSERTIONS | {"additionalItems", "dependencies", "nullable"}) - {"$ref"}
"""Keywords that a draft may have beside a reference, and that say nothing there up to draft 7."""

MOST_STEPS = 20
"""References that lead from one to the next outside of schemas."""


class ReferenceFault(ValueError):
    """A reference that leads nowhere, or out of the document. ``reference`` as it is written."""

    def __init__(self, reference: str, reason: str) -> None:
        super().__init__(f"$ref {reference!r} {reason}")
        self.reference = reference


class Document:
    """A document that holds schemas, normalized where they are looked at, each place once.

    ``origin`` is the JSON Pointer of the document in its file, which the places of its schemas begin with. ``told``
    are places and what was passed over there, ``broken`` those where a keyword has a value that says nothing.
    ``flattened`` keeps what ``conjunction.flat`` made of schemas that are referred to, by their pointers.
    ``references`` are those of the same document where they are known already.
    """

    def __init__(
        self, raw: Raw, draft: Draft | None = None, origin: str = "", references: References | None = None
    ) -> None:
        self.raw = raw
        self.draft = draft or draft_of(raw)
        self.origin = origin
        self.told: list[tuple[str, str]] = []
        self.broken: list[tuple[str, str]] = []
        self.flattened: dict[str, SchemaOrBool] = {}
        self._references = references or references_of(raw, self.draft)
        self._made: dict[str, SchemaOrBool] = {}
        self._has_integers = False
        if draft is None and isinstance(raw, Mapping) and "$schema" in raw and _named_draft(raw) is None:
            said = f"{_shown(raw['$schema'])} names no draft from 4 on: it is read as {_told(self.draft)}"
            self.told.append((f"{origin}/$schema", said))

    def schema(self, pointer: str = "") -> SchemaOrBool:
        """The schema at a JSON Pointer of the document."""
        if pointer not in self._made:
            raw = self.at(pointer)
            if not isinstance(raw, bool | Mapping):
                raise ReferenceFault(f"#{pointer}", "points to something that is no schema")
            self._made[pointer] = self._normal(raw, f"{self.origin}{pointer}")
        return self._made[pointer]

    def resolve(self, reference: str) -> str:
        """The JSON Pointer that a reference of a schema here means. Raises ReferenceFault."""
        base, _, fragment = reference.partition("#")
        if base:
            raise ReferenceFault(reference, "points out of the document, and nothing is fetched")
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            raise ReferenceFault(reference, "points to nothing")
        self.at(fragment, reference)
        return fragment

    def at(self, pointer: str, reference: str | None = None) -> Raw:
        """What stands at a JSON Pointer of the document, as it is written. Raises ReferenceFault."""
        at = self.raw
        for name in steps(pointer):
            try:
                at = at[int(name)] if isinstance(at, list) else at[name]
            except (KeyError, IndexError, ValueError, TypeError):
                raise ReferenceFault(reference or f"#{pointer}", "points to nothing") from None
        return at

    def followed(self, pointer: str) -> str:
        """The pointer of what stands at a pointer, references followed. Raises ReferenceFault."""
        for _ in range(MOST_STEPS):
            found = self.at(pointer)
            if not isinstance(found, Mapping) or not isinstance(found.get("$ref"), str):
                return pointer
            pointer = self.resolve(self._references.local(found["$ref"], pointer))
        raise ReferenceFault(f"#{pointer}", "refers to itself alone")

    def spelled(self, schema: Schema, word: str) -> str:
        """The keyword as the document writes it: OpenAPI has ``example`` for ``examples``."""
        raw = self.at(schema.at.removeprefix(self.origin))
        return "example" if word == "examples" and isinstance(raw, Mapping) and word not in raw else word

    # --- one schema ---------------------------------------------------------------------------------------------------

    def _normal(self, raw: Raw, at: str) -> SchemaOrBool:
        if not isinstance(raw, bool | Mapping):
            self.broken.append((at, f"any value is taken: {_shown(raw)} is no schema"))
            return True
        if isinstance(raw, bool):
            return raw
        made = Schema(at=at)
        kept = self._own_words(raw, at)
        for word, value in kept.items():
            if word in SCHEMA_WORDS and isinstance(value, bool | Mapping):
                made[word] = self._normal(value, f"{at}/{word}")
            elif word in LIST_WORDS and isinstance(value, list):
                made[word] = [self._normal(inner, f"{at}/{word}/{n}") for n, inner in enumerate(value)]
            elif word in MAP_WORDS and isinstance(value, Mapping):
                made[word] = {
                    name: self._normal(inner, f"{at}/{word}/{escaped(name)}") for name, inner in value.items()
                }
            elif word in ANNOTATIONS or (word in ASSERTIONS and word not in SCHEMA_WORDS | LIST_WORDS | MAP_WORDS):
                made[word] = value
        self._turn(kept, made, at)
        return made if "if" in made else made.without("then", "else")

    def _own_words(self, raw: Mapping[str, Any], at: str) -> Mapping[str, Any]:
        """What the draft has words for. Up to draft 7, what stands beside a ``$ref`` is not read, save annotations."""
        unknown = [word for word in raw if self._is_unknown(word)]
        for word in unknown:
            self.told.append((f"{at}/{word}", f"{word} is no keyword of {_told(self.draft)}, and is not read"))
        if str(raw.get("$id", "")).startswith(RULE_URI):
            self.told.append((at, "a rule of toolgen's own comes back in other words, which say the same"))
        kept = self._in_form({word: value for word, value in raw.items() if word not in unknown}, at)
        if isinstance(raw.get("$ref"), str) and self.draft <= Draft.DRAFT_7:
            beside = [word for word in kept if word in _BESIDE_REF]
            if beside:
                self.told.append((at, f"{_told(self.draft)} reads nothing beside a $ref: {', '.join(beside)}"))
            kept = {word: value for word, value in kept.items() if word not in beside}
        if self.draft is Draft.DRAFT_4 and "integer" in _listed(kept.get("type")) and not self._has_integers:
            self._has_integers = True
            self.told.append((f"{at}/type", "2.0 is taken for an integer here and elsewhere, as all later drafts say"))
        return kept

    def _is_unknown(self, word: str) -> bool:
        if word == "nullable":
            return self.draft is not Draft.OPENAPI_30
        if word == "dependencies":
            return self.draft > Draft.DRAFT_7
        return _SINCE.get(word, Draft.DRAFT_4) > self.draft

    def _in_form(self, raw: Mapping[str, Any], at: str) -> dict[str, Any]:
        """Keywords whose values say something, references as they lead from the root."""
        kept: dict[str, Any] = {}
        for word, value in raw.items():
            wanted = complaint(word, value)
            if wanted is not None:
                self.broken.append((f"{at}/{word}", f"{word} is not read: it is {_shown(value)}, not {wanted}"))
            else:
                kept[word] = value
        pointer = at.removeprefix(self.origin)
        if isinstance(kept.get("$ref"), str):
            kept["$ref"] = self._references.local(kept["$ref"], pointer)
        for word in ("$recursiveRef", "$dynamicRef"):
            if isinstance(kept.get(word), str) and "$ref" not in kept:
                fixed = self._references.is_fixed(kept[word])
                kept["$ref"] = self._references.local(kept[word], pointer) if fixed else f"dynamic:{kept[word]}"
        return kept

    def _turn(self, raw: Mapping[str, Any], made: Schema, at: str) -> None:
        """Puts the words of older drafts in those of 2020-12."""
        for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if isinstance(made.get(exclusive), bool) and made.pop(exclusive) and bound in made:
                made[exclusive] = made.pop(bound)
        if isinstance(raw.get("items"), list):
            made["prefixItems"] = [self._normal(inner, f"{at}/items/{n}") for n, inner in enumerate(raw["items"])]
            made.pop("items", None)
            if self.draft is Draft.DRAFT_2020_12:
                self.told.append((f"{at}/items", f"a list here is no {_told(self.draft)}: it is read as prefixItems"))
            if "additionalItems" in raw:
                made["items"] = self._normal(raw["additionalItems"], f"{at}/additionalItems")
        if isinstance(raw.get("dependencies"), Mapping) and self.draft <= Draft.DRAFT_7:
            for name, needs in raw["dependencies"].items():
                if isinstance(needs, list):
                    made.setdefault("dependentRequired", {})[name] = needs
                else:
                    place = f"{at}/dependencies/{escaped(name)}"
                    made.setdefault("dependentSchemas", {})[name] = self._normal(needs, place)
        if self.draft is Draft.OPENAPI_30:
            self._turn_openapi(raw, made, at)
        if isinstance(made.get("required"), bool):
            self.told.append((f"{at}/required", "required is no list, and is not read"))
            del made["required"]
        if "example" in made:
            made.setdefault("examples", [made["example"]])
            del made["example"]

    def _turn_openapi(self, raw: Mapping[str, Any], made: Schema, at: str) -> None:
        """What OpenAPI 3.0 alone has (OpenAPI Specification 3.0.4, "Schema Object")."""
        if raw.get("nullable") is True:
            _take_null(made)
        properties = raw.get("properties")
        for name, inner in properties.items() if isinstance(properties, Mapping) else ():
            word = next(
                (w for w in ("readOnly", "writeOnly") if isinstance(inner, Mapping) and inner.get(w) is True), ""
            )
            if word and name in _listed(made.get("required", [])):
                made["required"] = [other for other in made["required"] if other != name]
                where = "answers" if word == "readOnly" else "requests"
                said = f"{name!r} may be missing here: it is {word}, and so required in {where} alone"
                self.told.append((f"{at}/properties/{escaped(name)}/{word}", said))


def _take_null(made: Schema) -> None:
    if "type" in made:
        made["type"] = [made["type"], "null"]
        if "enum" in made and None not in made["enum"]:
            made["enum"] = [*made["enum"], None]
    elif made.keys() & ASSERTIONS:
        bare = Schema({word: made.pop(word) for word in [*made] if word in ASSERTIONS}, made.at)
        made["anyOf"] = [bare, Schema({"type": "null"}, made.at)]


def _shown(value: Raw) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def _listed(named: Raw) -> list[Raw]:
    return named if isinstance(named, list) else [named]


def _told(draft: Draft) -> str:
    names = {
        Draft.OPENAPI_30: "OpenAPI 3.0",
        Draft.DRAFT_2019_09: "draft 2019-09",
        Draft.DRAFT_2020_12: "draft 2020-12",
    }
    return names.get(draft, f"draft {int(draft)}")


_NAMED: Final = {
    "draft-04": Draft.DRAFT_4,
    "draft-06": Draft.DRAFT_6,
    "draft-07": Draft.DRAFT_7,
    "2019-09": Draft.DRAFT_2019_09,
    "2020-12": Draft.DRAFT_2020_12,
}
"""The drafts by what is in the URIs of their meta-schemas."""


def references_of(raw: Raw, draft: Draft) -> References:
    """Where the references of a document of a draft lead."""
    id_word = {Draft.DRAFT_4: "id", Draft.OPENAPI_30: None}.get(draft, "$id")
    return References(raw, id_word, siblings=draft > Draft.DRAFT_7)


def draft_of(raw: Raw) -> Draft:
    """The draft that ``$schema`` names, else the newest."""
    return _named_draft(raw) or Draft.DRAFT_2020_12


def _named_draft(raw: Raw) -> Draft | None:
    named = str(raw.get("$schema", "")) if isinstance(raw, Mapping) else ""
    return next((draft for part, draft in _NAMED.items() if part in named), None)


def bare(schema: SchemaOrBool) -> SchemaOrBool:
    """A schema without its own annotations."""
    return schema if isinstance(schema, bool) else schema.without(*ANNOTATIONS)


def says_nothing(schema: SchemaOrBool) -> bool:
    """Whether every value is taken, as far as the schema's own words go."""
    return schema is True or (isinstance(schema, Schema) and not schema.keys() & ASSERTIONS)


def same(left: Any, right: Any) -> bool:
    """Whether two schemas say the same, annotations aside. Names of properties are names, whatever they are."""
    if isinstance(left, Schema) and isinstance(right, Schema):
        one, two = bare(left), bare(right)
        assert isinstance(one, Schema)
        assert isinstance(two, Schema)
        return one.keys() == two.keys() and all(same(one[word], two[word]) for word in one)
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[name], right[name]) for name in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and bool(left == right)
