"""OpenAPI documents: an operation is a tool, its parameters and its body's fields are the tool's fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolgen import ir
from toolgen.importer.conjunction import Endless, flat, types_of
from toolgen.importer.schemas import Document, Draft, ReferenceFault, Schema, SchemaOrBool, escaped
from toolgen.importer.sources import Source, SourceFault

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_READS = frozenset({"get", "head", "options"})
_AGAIN = frozenset({"get", "head", "options", "put", "delete"})
_JSON_BODIES = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")


def operations(raw: Any) -> Iterator[Source]:
    """The operations of an OpenAPI 3 document (OpenAPI Specification 3.0 and 3.1). Raises SourceFault."""
    if not isinstance(raw, Mapping) or not str(raw.get("openapi", "")).startswith("3."):
        raise SourceFault("only OpenAPI 3 is read; convert a Swagger 2 document first")
    draft = Draft.OPENAPI_30 if str(raw["openapi"]).startswith("3.0") else Draft.DRAFT_2020_12
    paths = raw.get("paths")
    if not isinstance(paths, Mapping) or not paths:
        raise SourceFault("the document has no paths")
    for path, item in paths.items():
        at = f"/paths/{escaped(str(path))}"
        for method in METHODS if isinstance(item, Mapping) else ():
            if isinstance(item.get(method), Mapping):
                yield _Operation(Document(raw, draft), at, str(path), method).source()


@dataclass(slots=True)
class _Operation:
    document: Document
    at: str
    path: str
    method: str
    properties: dict[str, SchemaOrBool] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    closed: bool = True

    @property
    def _place(self) -> str:
        return f"{self.at}/{self.method}"

    def source(self) -> Source:
        raw = self._raw(self._place)
        for place in (f"{self.at}/parameters", f"{self._place}/parameters"):
            self._parameters(place)
        self._body(f"{self._place}/requestBody")
        words = {
            "type": "object",
            "properties": self.properties,
            "required": self.required,
            "additionalProperties": not self.closed,
        }
        schema = Schema(words, self._place)
        summary, text = raw.get("summary"), raw.get("description")
        named = raw.get("operationId")
        return Source(
            named if isinstance(named, str) and named else f"{self.method} {self.path}",
            self.document,
            schema,
            title=summary if isinstance(summary, str) and isinstance(text, str) else None,
            description=next((one for one in (text, summary) if isinstance(one, str) and one.strip()), None),
            annotations=ir.Annotations(
                read_only=True if self.method in _READS else None,
                destructive=True if self.method == "delete" else None,
                idempotent=True if self.method in _AGAIN else None,
            ),
            tags=tuple(dict.fromkeys(tag for tag in raw.get("tags", ()) if isinstance(tag, str) and tag.strip())),
            result=self._result(),
        )

    def _raw(self, pointer: str) -> Mapping[str, Any]:
        """What stands at a pointer, a reference followed; empty where there is nothing."""
        for _ in range(10):
            try:
                found = self.document.at(pointer)
            except ReferenceFault:
                return {}
            if not isinstance(found, Mapping):
                return {}
            if not isinstance(found.get("$ref"), str):
                return found
            pointer = self.document.resolve(found["$ref"])
        raise SourceFault(f"#{pointer} refers to itself alone")

    def _followed(self, pointer: str) -> str:
        """The pointer of what stands at a pointer, a reference followed."""
        found = self.document.at(pointer)
        for _ in range(10):
            if not isinstance(found, Mapping) or not isinstance(found.get("$ref"), str):
                break
            pointer = self.document.resolve(found["$ref"])
            found = self.document.at(pointer)
        return pointer

    def _parameters(self, place: str) -> None:
        try:
            listed = self.document.at(place)
        except ReferenceFault:
            return
        for number in range(len(listed) if isinstance(listed, list) else 0):
            where = self._followed(f"{place}/{number}")
            parameter = self._raw(where)
            name = parameter.get("name")
            if not isinstance(name, str) or (parameter.get("in") == "header" and name.lower() in _OWN_HEADERS):
                continue
            schema, at = self._schema_of(parameter, where)
            if isinstance(parameter.get("description"), str) or schema is True:
                said = {"description": parameter["description"]} if parameter.get("description") else {}
                schema = Schema({**(schema if isinstance(schema, Schema) else {}), **said}, at)
            self._add(name, schema, parameter.get("required") is True, where)

    def _schema_of(self, holder: Mapping[str, Any], where: str) -> tuple[SchemaOrBool, str]:
        if "schema" in holder:
            return self.document.schema(f"{where}/schema"), f"{where}/schema"
        for media in holder.get("content", {}):
            at = f"{where}/content/{escaped(media)}"
            if "schema" in self._raw(at):
                return self.document.schema(f"{at}/schema"), f"{at}/schema"
        return True, where

    def _add(self, name: str, schema: SchemaOrBool, required: bool, where: str) -> None:
        if name in self.properties:
            text = f"two inputs are named {name!r}: the one at #{where} is the field, and the other is left out"
            self.document.told.append((self._place, text))
        self.properties[name] = schema
        self.required = [*(other for other in self.required if other != name), *([name] if required else [])]

    def _body(self, place: str) -> None:
        """The fields of a JSON object beside the parameters; any other body as the field ``body``."""
        body = self._raw(place)
        content = body.get("content")
        if not isinstance(content, Mapping) or not content:
            return
        where = self._followed(place)
        media = next((one for one in _JSON_BODIES if one in content), next(iter(content)))
        at = f"{where}/content/{escaped(media)}"
        if "schema" not in self._raw(at):
            return
        schema = self.document.schema(f"{at}/schema")
        required = body.get("required") is True
        try:
            whole = flat(schema, self.document)
        except (Endless, ReferenceFault):
            whole = schema
        if required and isinstance(whole, Schema) and self._is_plain(whole):
            for name, inner in whole.get("properties", {}).items():
                self._add(name, inner, name in whole.get("required", ()), at)
            self.closed = whole.get("additionalProperties") is False
            return
        self._add("body", schema, required, at)

    def _is_plain(self, whole: Schema) -> bool:
        """Whether a body is an object of named fields, none of which has the name of a parameter."""
        allowed = {
            "type",
            "properties",
            "required",
            "additionalProperties",
            "title",
            "description",
            "default",
            "examples",
        }
        free = not whole.get("properties", {}).keys() & self.properties.keys()
        declared = all(name in whole.get("properties", {}) for name in whole.get("required", ()))
        others = isinstance(whole.get("additionalProperties", True), bool)
        return (
            types_of(whole) == ("object",)
            and "properties" in whole
            and free
            and declared
            and others
            and whole.keys() <= allowed
        )

    def _result(self) -> tuple[Document, Schema] | None:
        """The schema of the first answer that says success in JSON."""
        for status in self._raw(f"{self._place}/responses"):
            if not str(status).startswith("2"):
                continue
            where = self._followed(f"{self._place}/responses/{escaped(str(status))}")
            at = f"{where}/content/application~1json/schema"
            try:
                found = self.document.schema(at)
            except ReferenceFault:
                continue
            return (self.document, found) if isinstance(found, Schema) else None
        return None


_OWN_HEADERS = frozenset({"accept", "content-type", "authorization"})
"""Headers that a parameter may not describe (OpenAPI Specification 3.1, "Parameter Object")."""
