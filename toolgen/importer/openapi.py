"""OpenAPI documents: an operation is a tool, its parameters and its body's fields are the tool's fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from toolgen import ir
from toolgen.importer.conjunction import Endless, flat, types_of
from toolgen.importer.references import References
from toolgen.importer.schemas import Document, Draft, ReferenceFault, Schema, SchemaOrBool, references_of
from toolgen.importer.sources import Refused, Source, SourceFault
from toolgen.names import PROPERTY_NAME
from toolgen.runtime.pointers import escaped

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_READS = frozenset({"get", "head", "options"})
_AGAIN = frozenset({"get", "head", "options", "put", "delete"})
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_JSON_MEDIA = re.compile(r"\s*(application/([\w.-]+\+)?json|\*/\*)\s*(;.*)?", re.IGNORECASE)


def operations(raw: Any) -> Iterator[Source | Refused]:
    """The operations of an OpenAPI 3 document (OpenAPI Specification 3.0 and 3.1). Raises SourceFault."""
    if not isinstance(raw, Mapping) or not str(raw.get("openapi", "")).startswith("3."):
        raise SourceFault("only OpenAPI 3 is read; convert a Swagger 2 document first")
    draft = Draft.OPENAPI_30 if str(raw["openapi"]).startswith("3.0") else Draft.DRAFT_2020_12
    paths = raw.get("paths")
    if not isinstance(paths, Mapping) or not paths:
        raise SourceFault("the document has no paths")
    references = references_of(raw, draft)
    for path in paths:
        if str(path).startswith("/"):
            yield from _of_path(raw, draft, references, str(path))


def _of_path(raw: Any, draft: Draft, references: References, path: str) -> Iterator[Source | Refused]:
    """The operations of a path, or of what it refers to."""
    document = Document(raw, draft, references=references)
    try:
        at = document.followed(f"/paths/{escaped(path)}")
    except ValueError as fault:
        yield Refused(path, str(fault))
        return
    item = document.at(at)
    for method in METHODS if isinstance(item, Mapping) else ():
        if isinstance(item.get(method), Mapping):
            document = Document(raw, draft, references=references)
            try:
                yield _Operation(document, at, path, method).source()
            except ValueError as fault:
                yield Refused(f"{method} {path}", str(fault))


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
        self._parameters()
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
        try:
            self.document.at(pointer)
        except ReferenceFault:
            return {}
        found = self.document.at(self.document.followed(pointer))
        return found if isinstance(found, Mapping) else {}

    def _parameters(self) -> None:
        """The parameters of the path, save those that the operation has instead, and of the operation."""
        places: dict[tuple[str, str], str] = {}
        for place in (f"{self.at}/parameters", f"{self._place}/parameters"):
            for where in self._listed(place):
                parameter = self._raw(where)
                name, of = parameter.get("name"), str(parameter.get("in"))
                if not isinstance(name, str):
                    self.document.broken.append((where, "a parameter without a name is left out"))
                elif of != "header" or name.lower() not in _OWN_HEADERS:
                    places[of, name] = where
        for (of, name), where in places.items():
            parameter = self._raw(where)
            schema = _told_of(*self._schema_of(parameter, where), parameter)
            self._add(self._free(name, of, where), schema, parameter.get("required") is True)

    def _listed(self, place: str) -> list[str]:
        """The pointers of the items of a list, references followed."""
        try:
            listed = self.document.at(place)
        except ReferenceFault:
            return []
        return [self.document.followed(f"{place}/{n}") for n in range(len(listed) if isinstance(listed, list) else 0)]

    def _free(self, name: str, of: str, where: str) -> str:
        """A name for an input, such as providers take; where two places have one, the later is named after its place
        too."""
        free = plain = name if PROPERTY_NAME.fullmatch(name) else _plain(name)
        while free in self.properties:
            free = f"{of}_{free}"
        why = "providers take no such name" if plain != name else f"another input is named {name!r}"
        if free != name:
            self.document.told.append((where, f"the input {name!r} is named {free!r}: {why}"))
        return free

    def _schema_of(self, holder: Mapping[str, Any], where: str) -> tuple[SchemaOrBool, str]:
        if "schema" in holder:
            return self.document.schema(f"{where}/schema"), f"{where}/schema"
        for media in holder.get("content", {}):
            at = f"{where}/content/{escaped(media)}"
            if "schema" in self._raw(at):
                return self.document.schema(f"{at}/schema"), f"{at}/schema"
        return True, where

    def _add(self, name: str, schema: SchemaOrBool, required: bool) -> None:
        self.properties[name] = schema
        self.required += [name] if required else []

    def _body(self, place: str) -> None:
        """The fields of a JSON object beside the parameters; any other body as the field ``body``."""
        body = self._raw(place)
        content = body.get("content")
        if not isinstance(content, Mapping) or not content:
            return
        where = self.document.followed(place)
        media = _media(content) or next((one for one in _FORMS if one in content), next(iter(content)))
        at = f"{where}/content/{escaped(media)}"
        if "schema" not in self._raw(at):
            return
        schema = self.document.schema(f"{at}/schema")
        required = body.get("required") is True
        try:
            whole = flat(schema, self.document)
        except (Endless, ReferenceFault):
            whole = schema
        self._tell_what_is_no_json(media, f"{at}/schema")
        fields = whole if required and isinstance(whole, Schema) and _is_plain(whole) else None
        shared = [name for name in fields["properties"] if name in self.properties] if fields else []
        if shared:
            why = f"the body is the field 'body': a parameter has the name of its {', '.join(map(repr, shared))}"
            self.document.told.append((at, why))
        elif fields is not None:
            for name, inner in fields["properties"].items():
                self._add(name, inner, name in fields.get("required", ()))
            self.closed = fields.get("additionalProperties") is False
            return
        self._add(self._free("body", "request", at), _told_of(schema, f"{at}/schema", body), required)

    def _tell_what_is_no_json(self, media: str, at: str) -> None:
        """A body of another kind, and the files of a form, whose bytes stand in no JSON."""
        if media in _FORMS:
            for file in dict.fromkeys(self._files(at, 0)):
                self.document.broken.append((file, "a file, which a model can't write: it is read as any text"))
        elif not _JSON_MEDIA.fullmatch(media) and not media.startswith("text/plain"):
            self.document.broken.append((at, f"the body is {media}, which no JSON is: it is read as if it were"))

    def _files(self, at: str, depth: int) -> Iterator[str]:
        """The pointers of the files in a form."""
        at = self.document.followed(at)
        raw = self._raw(at)
        if _is_file(raw):
            yield at
        elif depth < _DEEPEST:
            properties = raw.get("properties")
            names = properties if isinstance(properties, Mapping) else ()
            inner = [f"{at}/properties/{escaped(str(name))}" for name in names]
            for word in ("allOf", "anyOf", "oneOf"):
                inner += [f"{at}/{word}/{n}" for n in range(len(raw[word]) if isinstance(raw.get(word), list) else 0)]
            for place in [*inner, *([f"{at}/items"] if "items" in raw else [])]:
                yield from self._files(place, depth + 1)

    def _result(self) -> tuple[Document, Schema] | None:
        """The schema of the first answer that says success in JSON."""
        for status in self._raw(f"{self._place}/responses"):
            if not str(status).startswith("2"):
                continue
            where = self.document.followed(f"{self._place}/responses/{escaped(str(status))}")
            media = _media(self._raw(where).get("content", {}))
            at = f"{where}/content/{escaped(media or '')}/schema"
            try:
                found = self.document.schema(at)
            except ReferenceFault:
                continue
            return (self.document, found) if isinstance(found, Schema) else None
        return None


_PLAIN = frozenset(
    {"type", "properties", "required", "additionalProperties", "title", "description", "default", "examples"}
)


def _is_plain(whole: Schema) -> bool:
    """Whether a body is an object of named fields."""
    declared = all(name in whole.get("properties", {}) for name in whole.get("required", ()))
    others = isinstance(whole.get("additionalProperties", True), bool)
    return types_of(whole) == ("object",) and "properties" in whole and declared and others and whole.keys() <= _PLAIN


_DEEPEST = 8
"""Schemas within schemas in which files are looked for; a form is flat, and may refer to itself."""


def _is_file(schema: Mapping[str, Any]) -> bool:
    """Whether a form's field is a file (OpenAPI Specification 3.0, "Considerations for File Uploads"; of 3.1 the same
    is a schema that says a media type and no encoding)."""
    return schema.get("format") == "binary" or ("contentMediaType" in schema and "contentEncoding" not in schema)


def _media(content: Mapping[str, Any]) -> str | None:
    """The first media type that is JSON."""
    return next((str(one) for one in content if _JSON_MEDIA.fullmatch(str(one))), None)


def _told_of(schema: SchemaOrBool, at: str, holder: Mapping[str, Any]) -> SchemaOrBool:
    """The schema of a parameter or body with what that says of itself."""
    said = _annotations(holder)
    if not said and isinstance(schema, Schema):
        return schema
    return Schema({**(schema if isinstance(schema, Schema) else {}), **said}, at) if schema is not False else False


def _annotations(parameter: Mapping[str, Any]) -> dict[str, Any]:
    """What a parameter says of itself, which goes before what its schema says."""
    said = {word: parameter[word] for word in ("description", "deprecated") if parameter.get(word)}
    examples = parameter.get("examples")
    named = list(examples.values()) if isinstance(examples, Mapping) else []
    values = [one["value"] for one in named if isinstance(one, Mapping) and "value" in one]
    found = [parameter["example"]] if "example" in parameter else values
    return said | ({"examples": found} if found else {})


def _plain(name: str) -> str:
    """The name of letters, digits and underscores that is like a parameter's: ``page[size]`` as ``page_size``."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", name).strip("_")[:64] or "input"


_OWN_HEADERS = frozenset({"accept", "content-type", "authorization"})
"""Headers that a parameter may not describe (OpenAPI Specification 3.1, "Parameter Object")."""
