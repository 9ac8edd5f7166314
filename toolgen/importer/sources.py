"""What to import: the tools in a document, whatever says them. ``importing`` finds the documents."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from toolgen import ir
from toolgen.importer.geminischema import as_openapi
from toolgen.importer.schemas import ANNOTATIONS, ASSERTIONS, Document, Draft, SchemaOrBool


class Form(enum.Enum):
    """What a document may be."""

    JSON_SCHEMA = "json-schema"
    MCP = "mcp"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"
    OPENAPI = "openapi"


class SourceFault(ValueError):
    """A document, or a part of one, that is no source of tools. The text says why, and what is."""


NO_HINTS = ir.Annotations()


@dataclass(frozen=True, slots=True)
class Source:
    """One tool of a document: ``schema`` is that of its input, in ``document``; ``result`` that of its result.

    ``of_tool`` says that the document tells of tools, so that the input is an object, whatever else its schema takes.
    """

    name: str
    document: Document
    schema: SchemaOrBool
    title: str | None = None
    description: str | None = None
    annotations: ir.Annotations = NO_HINTS
    tags: tuple[str, ...] = ()
    strict: bool | None = None
    examples: tuple[Any, ...] = ()
    result: tuple[Document, SchemaOrBool] | None = None
    of_tool: bool = True


@dataclass(frozen=True, slots=True)
class Refused:
    """A tool of a document that can't be read, and why; those beside it can."""

    name: str
    reason: str


def form_of(raw: Any) -> Form:
    """What a document is, by its content. Raises SourceFault."""
    if isinstance(raw, Mapping):
        if "openapi" in raw or "swagger" in raw:
            return Form.OPENAPI
        if "functionDeclarations" in raw or "function_declarations" in raw:
            return Form.GEMINI
        for key in ("tools", "result"):
            inner = raw.get(key)
            if key == "result" and isinstance(inner, Mapping):
                return form_of(inner)
            if key == "tools" and isinstance(inner, list):
                return form_of(inner)
        return _form_of_tool(raw) or _of_keywords(raw)
    if isinstance(raw, bool):
        return Form.JSON_SCHEMA
    if isinstance(raw, list):
        forms = [_form_of_tool(item) for item in raw if isinstance(item, Mapping)]
        found = next((form for form in forms if form is not None), None)
        if found is not None:
            return found
        raise SourceFault("the list holds no tool definitions: an MCP, OpenAI, Anthropic or Gemini tool has a schema")
    raise SourceFault(f"{_kind(raw)} is no schema and no list of tools")


_SCHEMA_WORDS: Final = ASSERTIONS | {"$schema", "$id", "$defs", "definitions", "$dynamicRef", "$recursiveRef", "schema"}


def _of_keywords(raw: Mapping[str, Any]) -> Form:
    """A JSON Schema, unless all that an object says is said in other words."""
    others = [word for word in raw if word not in ANNOTATIONS]
    if others and not raw.keys() & _SCHEMA_WORDS:
        named = ", ".join(map(repr, others[:3])) + (" and others" if len(others) > 3 else "")
        raise SourceFault(f"it holds no tools, and no keyword of JSON Schema, but {named}")
    return Form.JSON_SCHEMA


def _kind(raw: Any) -> str:
    """What a document is that is no object, in the words of JSON; no document is null."""
    kinds = {type(None): "an empty document", str: "a text", bool: "true or false alone", list: "a list"}
    return kinds.get(type(raw), "a number")


def _form_of_tool(raw: Mapping[str, Any]) -> Form | None:
    if "inputSchema" in raw:
        return Form.MCP
    if "input_schema" in raw:
        return Form.ANTHROPIC
    if isinstance(raw.get("function"), Mapping) or (raw.get("type") == "function" and "name" in raw):
        return Form.OPENAI
    if "functionDeclarations" in raw or "function_declarations" in raw:
        return Form.GEMINI
    if isinstance(raw.get("name"), str) and any(isinstance(raw.get(word), Mapping) for word in _GEMINI_JSON):
        return Form.GEMINI
    if isinstance(raw.get("name"), str) and isinstance(raw.get("parameters"), Mapping):
        return Form.OPENAI if "strict" in raw else Form.GEMINI
    return None


def tools_of(raw: Any, form: Form, name: str) -> Iterator[Source | Refused]:
    """The tools of a document. ``name`` is that of a document which names none. Raises SourceFault."""
    if form is Form.OPENAPI:
        from toolgen.importer.openapi import operations

        if not isinstance(raw, Mapping):
            raise SourceFault(f"{_kind(raw)} is no OpenAPI document")
        yield from operations(raw)
    elif form is Form.JSON_SCHEMA:
        yield _of_schema(raw, name)
    elif not isinstance(raw, Mapping | list):
        raise SourceFault(f"{_kind(raw)} is no list of tools")
    else:
        for at, item in _items(raw, form):
            try:
                yield _OF_TOOL[form](item, at) if isinstance(item, Mapping) else Refused(f"#{at}", "no tool definition")
            except ValueError as fault:
                yield Refused(f"#{at}", str(fault))


def _of_schema(raw: Any, name: str) -> Source:
    if (
        isinstance(raw, Mapping)
        and isinstance(raw.get("schema"), Mapping)
        and not raw.keys() & {"type", "$ref", "properties"}
    ):
        inner = raw["schema"]
        named = next((raw[key] for key in ("name", "id") if isinstance(raw.get(key), str)), name)
        return _of_schema_at(inner, named, "/schema")
    if not isinstance(raw, bool | Mapping):
        raise SourceFault(f"{_kind(raw)} is no JSON Schema")
    return _of_schema_at(raw, name, "")


def _of_schema_at(raw: Mapping[str, Any] | bool, name: str, prefix: str) -> Source:
    document = Document(raw, origin=prefix)
    return Source(name, document, document.schema(), of_tool=False)


def _items(raw: Any, form: Form) -> Iterator[tuple[str, Any]]:
    """The tool definitions in what may stand around them, each with its pointer."""
    if isinstance(raw, list):
        for n, item in enumerate(raw):
            if form is Form.GEMINI and isinstance(item, Mapping) and "name" not in item:
                yield from ((f"/{n}{at}", inner) for at, inner in _items(item, form))
            else:
                yield f"/{n}", item
        return
    for key in ("result", "tools", "functionDeclarations", "function_declarations"):
        if isinstance(raw.get(key), list | Mapping):
            yield from ((f"/{key}{at}", inner) for at, inner in _items(raw[key], form))
            return
    yield "", raw


def _named(item: Mapping[str, Any], at: str) -> str:
    name = item.get("name")
    if not isinstance(name, str) or not name:
        raise SourceFault(f"the tool at #{at} has no name")
    return name


def _schema(item: Mapping[str, Any], word: str, at: str) -> Mapping[str, Any] | bool:
    """The schema of a tool's input, which a tool that the provider runs itself does not have. Raises SourceFault."""
    schema = item.get(word)
    if not isinstance(schema, bool | Mapping):
        other = _form_of_tool(item)
        looks = f"it looks like one of --from {other.value}" if other is not None else ""
        why = looks or "only tools that take arguments of ours are imported"
        raise SourceFault(f"the tool at #{at} has no {word}: {why}")
    return schema


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _of_mcp(item: Mapping[str, Any], at: str) -> Source:
    """A tool of an MCP ``tools/list`` answer (Model Context Protocol 2025-06-18, "Tools")."""
    hints = item.get("annotations") if isinstance(item.get("annotations"), Mapping) else {}
    assert isinstance(hints, Mapping)
    document = Document(_schema(item, "inputSchema", at), origin=f"{at}/inputSchema")
    output = item.get("outputSchema")
    result = Document(output, origin=f"{at}/outputSchema") if isinstance(output, Mapping) else None
    return Source(
        _named(item, at),
        document,
        document.schema(),
        title=_text(item.get("title")) or _text(hints.get("title")),
        description=_text(item.get("description")),
        annotations=ir.Annotations(
            _flag(hints.get("readOnlyHint")),
            _flag(hints.get("destructiveHint")) if hints.get("readOnlyHint") is not True else None,
            _flag(hints.get("idempotentHint")),
            _flag(hints.get("openWorldHint")),
        ),
        result=None if result is None else (result, result.schema()),
    )


def _of_anthropic(item: Mapping[str, Any], at: str) -> Source:
    document = Document(_schema(item, "input_schema", at), origin=f"{at}/input_schema")
    examples = item.get("input_examples")
    return Source(
        _named(item, at),
        document,
        document.schema(),
        description=_text(item.get("description")),
        strict=_flag(item.get("strict")),
        examples=tuple(examples) if isinstance(examples, list) else (),
    )


def _of_openai(item: Mapping[str, Any], at: str) -> Source:
    """A function tool, of chat completions (under ``function``) or of responses."""
    kind = item.get("type", "function")
    if kind != "function":
        raise SourceFault(f"the tool at #{at} is of type {kind!r}: only functions take arguments of ours")
    inner = item.get("function")
    if isinstance(inner, Mapping):
        item, at = inner, f"{at}/function"
    return _of_parameters(item, at)


def _of_gemini(item: Mapping[str, Any], at: str) -> Source:
    """A function declaration, with the names of the API or of its Python SDK. ``parameters`` and ``response`` are a
    Schema of OpenAPI 3.0, their types in capitals; beside them stand two of JSON Schema."""
    document = _gemini_document(item, at, "parameters", _GEMINI_JSON) or Document(_NO_PARAMETERS, origin=at)
    result = _gemini_document(item, at, "response", ("responseJsonSchema", "response_json_schema"))
    return Source(
        _named(item, at),
        document,
        document.schema(),
        description=_text(item.get("description")),
        result=None if result is None else (result, result.schema()),
    )


_GEMINI_JSON = ("parametersJsonSchema", "parameters_json_schema")


def _gemini_document(item: Mapping[str, Any], at: str, word: str, json_words: Sequence[str]) -> Document | None:
    """The schema of one of these names; None where there is none that says anything."""
    found = next((name for name in json_words if isinstance(item.get(name), Mapping)), None)
    if found is not None:
        return Document(item[found], origin=f"{at}/{found}")
    if isinstance(item.get(word), Mapping) and item[word]:
        return Document(as_openapi(item[word]), Draft.OPENAPI_30, f"{at}/{word}")
    return None


def _of_parameters(item: Mapping[str, Any], at: str) -> Source:
    parameters = item.get("parameters")
    given = parameters if isinstance(parameters, Mapping) and parameters else _NO_PARAMETERS
    document = Document(given, origin=f"{at}/parameters")
    return Source(
        _named(item, at),
        document,
        document.schema(),
        description=_text(item.get("description")),
        strict=_flag(item.get("strict")),
    )


_NO_PARAMETERS: Mapping[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}


_OF_TOOL = {Form.MCP: _of_mcp, Form.ANTHROPIC: _of_anthropic, Form.OPENAI: _of_openai, Form.GEMINI: _of_gemini}
