from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest
from click.testing import CliRunner, Result
from importing_one import schemas_in
from pydantic import BaseModel, ConfigDict, Field

from toolgen.cli import cli
from toolgen.importer.importing import import_tools

INPUT = {
    "type": "object",
    "properties": {"city": {"$ref": "#/$defs/City"}, "days": {"type": "integer", "default": 3, "description": "Days."}},
    "required": ["city"],
    "additionalProperties": False,
    "$defs": {"City": {"type": "object", "properties": {"name": {"type": "string"}}, "additionalProperties": False}},
}
MCP = {
    "jsonrpc": "2.0",
    "id": 1,
    "result": {
        "tools": [
            {
                "name": "get_weather",
                "title": "Weather",
                "description": "The weather of a city.",
                "inputSchema": INPUT,
                "outputSchema": {"type": "object", "properties": {"sky": {"type": "string"}}, "required": ["sky"]},
                "annotations": {"readOnlyHint": True, "openWorldHint": False},
            },
            {"name": "forecast", "description": "Days to come.", "inputSchema": INPUT},
        ]
    },
}
FUNCTION = {"name": "get_weather", "description": "The weather of a city.", "parameters": INPUT, "strict": True}
GEMINI = {
    "functionDeclarations": [
        {
            "name": "get_weather",
            "description": "The weather of a city.",
            "parameters": {
                "type": "OBJECT",
                "properties": {
                    "city": {"type": "STRING", "nullable": True},
                    "type": {"type": "ARRAY", "items": {"type": "INTEGER"}},
                },
                "required": ["city"],
            },
        }
    ]
}
OPENAPI = {
    "openapi": "3.0.3",
    "paths": {
        "/cities/{id}": {
            "parameters": [{"$ref": "#/components/parameters/Id"}],
            "get": {
                "operationId": "cities.get",
                "description": "One city.",
                "parameters": [
                    {"name": "lang", "in": "query", "schema": {"type": "string"}, "description": "Language."}
                ],
                "responses": {
                    "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/City"}}}}
                },
            },
            "put": {
                "summary": "Change a city.",
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/City"}}},
                },
            },
        }
    },
    "components": {
        "parameters": {
            "Id": {"name": "id", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 1}}
        },
        "schemas": {
            "City": {
                "type": "object",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string", "nullable": True},
                    "twin": {"$ref": "#/components/schemas/City"},
                },
            }
        },
    },
}


def design(folder: Path, content: Any, name: str = "weather.json", **options: Any) -> str:
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    made = import_tools([str(path)], **options)
    assert made.written is not None, [bad.line() for bad in made.bad]
    assert not made.bad
    return made.written.text


def test_a_schema_is_one_tool_named_after_its_file(tmp_path: Path) -> None:
    text = design(tmp_path, INPUT, "get-weather.json")
    assert list(schemas_in(text)) == ["get-weather"]
    assert 'Toolset("get_weather"' in text


def test_an_mcp_list_keeps_titles_hints_and_results(tmp_path: Path) -> None:
    text = design(tmp_path, MCP)
    assert '@weather.tool(title="Weather", read_only=True, open_world=False)' in text
    assert "Result = GetWeatherOutput" in text
    assert text.count("class City(") == 1
    assert list(schemas_in(text)) == ["get_weather", "forecast"]


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "function", "function": FUNCTION}],
        {"tools": [{"type": "function", **FUNCTION}]},
        {"type": "function", "function": FUNCTION},
    ],
)
def test_openai_tools_of_either_interface(tmp_path: Path, content: Any) -> None:
    text = design(tmp_path, content)
    assert "@weather.tool(strict=True)" in text
    assert schemas_in(text)["get_weather"]["required"] == ["city"]


def test_anthropic_tools_keep_an_example(tmp_path: Path) -> None:
    tool = {
        "name": "get_weather",
        "description": "W.",
        "input_schema": INPUT,
        "input_examples": [{"city": {"name": "Bern"}}],
    }
    assert 'example={"city": {"name": "Bern"}}' in design(tmp_path, [tool])


def test_gemini_declarations_have_their_types_in_capitals(tmp_path: Path) -> None:
    schema = schemas_in(design(tmp_path, GEMINI))["get_weather"]
    assert schema["properties"]["city"]["type"] == ["string", "null"]
    assert schema["properties"]["type"]["items"] == {"type": "integer"}


@pytest.mark.parametrize("word", ["parametersJsonSchema", "parameters_json_schema"])
@pytest.mark.parametrize("around", [lambda tool: {"functionDeclarations": [tool]}, lambda tool: [tool]])
def test_gemini_declarations_may_have_json_schema(tmp_path: Path, word: str, around: Any) -> None:
    result = {word.replace("parameters", "response"): INPUT}
    text = design(tmp_path, around({"name": "get_weather", word: INPUT, **result}))
    assert schemas_in(text)["get_weather"]["required"] == ["city"]
    assert "Result = GetWeatherOutput" in text


def test_a_gemini_declaration_says_what_it_gives_back(tmp_path: Path) -> None:
    response = {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}
    text = design(tmp_path, {"functionDeclarations": [{"name": "get_weather", "response": response}]})
    assert "Result = GetWeatherOutput" in text
    assert schemas_in(text)["get_weather"]["additionalProperties"] is False


def test_an_openapi_operation_is_a_tool_of_its_parameters_and_body(tmp_path: Path) -> None:
    text = design(tmp_path, OPENAPI)
    schemas = schemas_in(text)
    assert list(schemas) == ["cities_get", "put_cities_id"]
    assert list(schemas["cities_get"]["properties"]) == ["id", "lang"]
    assert list(schemas["put_cities_id"]["properties"]) == ["id", "name", "twin"]
    assert schemas["put_cities_id"]["required"] == ["id", "name"]
    assert schemas["put_cities_id"]["properties"]["name"]["type"] == ["string", "null"]
    assert text.count("class City(") == 1
    assert "Result = City" in text


STRING = {"type": "string"}


def operation(*parameters: Any, **words: Any) -> dict[str, Any]:
    """An OpenAPI document of one operation."""
    inner = {"operationId": "trial", "parameters": list(parameters), **words}
    path = {"parameters": [{"name": "id", "in": "path", "required": True, "schema": STRING}], "post": inner}
    return {"openapi": "3.1.0", "paths": {"/a/{id}": path, "x-ours": {"get": {"operationId": "no"}}}}


def test_inputs_of_one_name_all_reach_the_tool(tmp_path: Path) -> None:
    names = [{"name": "id", "in": of, "schema": {"type": "integer"}} for of in ("query", "cookie")]
    schema = schemas_in(design(tmp_path, operation(*names)))["trial"]
    assert {name: inner["type"] for name, inner in schema["properties"].items()} == {
        "id": "string",
        "query_id": "integer",
        "cookie_id": "integer",
    }


def test_an_operation_says_a_parameter_of_its_path_anew(tmp_path: Path) -> None:
    own = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
    assert schemas_in(design(tmp_path, operation(own)))["trial"]["properties"]["id"]["type"] == "integer"


def test_what_a_parameter_says_of_itself_is_kept(tmp_path: Path) -> None:
    said = {"description": "How many.", "deprecated": True, "example": 3}
    text = design(tmp_path, operation({"name": "n", "in": "query", "schema": {"type": "integer"}, **said}))
    assert 'field("How many.", optional=True, example=3, deprecated=True)' in text


def test_a_parameter_whose_name_providers_refuse_is_named_anew(tmp_path: Path) -> None:
    names = ["page[size]", "page_size", "filter[a b]", "$top", "[]"]
    path = tmp_path / "api.json"
    path.write_text(json.dumps(operation(*({"name": name, "in": "query", "schema": STRING} for name in names))))
    made = import_tools([str(path)])
    assert made.written is not None
    renamed = ["id", "page_size", "query_page_size", "filter_a_b", "top", "input"]
    assert list(schemas_in(made.written.text)["trial"]["properties"]) == renamed
    assert [(entry.outcome.value, "is named" in entry.text) for entry in made.entries] == [("note", True)] * 5


def test_a_body_keeps_what_is_said_of_it(tmp_path: Path) -> None:
    body = {"description": "The rows.", "content": {"application/json": {"schema": {"type": "array", "items": STRING}}}}
    assert 'body: list[str] = field("The rows.", optional=True)' in design(tmp_path, operation(requestBody=body))


def entries(folder: Path, content: Any) -> list[tuple[str, str]]:
    path = folder / "api.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return [(entry.outcome.value, entry.text) for entry in import_tools([str(path)]).entries]


def test_a_body_that_shares_a_name_with_a_parameter_stays_one_and_is_noted(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"id": STRING, "title": STRING}}
    api = operation(requestBody={"required": True, "content": {"application/json": {"schema": schema}}})
    assert list(schemas_in(design(tmp_path, api))["trial"]["properties"]) == ["id", "body"]
    assert entries(tmp_path, api) == [
        ("note", "the body is the field 'body': a parameter has the name of its 'id'"),
    ]


BINARY = {"type": "string", "format": "binary"}
FILE = {"$ref": "#/components/schemas/File"}


@pytest.mark.parametrize(
    "file",
    [
        BINARY,
        {"type": "string", "contentMediaType": "image/png"},
        {"contentMediaType": "application/octet-stream"},
        {"type": "array", "items": BINARY},
        {"type": "array", "items": FILE},
        {"allOf": [FILE]},
        {"anyOf": [BINARY, {"type": "null"}]},
    ],
    ids=repr,
)
def test_a_file_of_a_form_is_no_whole_field(tmp_path: Path, file: dict[str, Any]) -> None:
    form = {"type": "object", "properties": {"f": file, "note": STRING}}
    for media, schema, wider in (
        ("multipart/form-data", form, 1),
        ("multipart/form-data", {"oneOf": [form, {"type": "object", "properties": {"b": STRING}}]}, 1),
        ("application/json", form, 0),
    ):
        api = operation(requestBody={"required": True, "content": {media: {"schema": schema}}})
        api["components"] = {"schemas": {"File": BINARY}}
        told = [text for outcome, text in entries(tmp_path, api) if "a file" in text and outcome == "wider"]
        assert len(told) == wider


def test_text_in_a_form_is_no_file(tmp_path: Path) -> None:
    text = {"type": "string", "contentMediaType": "image/png", "contentEncoding": "base64"}
    schema = {"type": "object", "properties": {"f": text, "again": {"$ref": "#/components/schemas/Again"}}}
    api = operation(requestBody={"required": True, "content": {"multipart/form-data": {"schema": schema}}})
    api["components"] = {
        "schemas": {"Again": {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/Again"}}}}
    }
    assert not [text for _, text in entries(tmp_path, api) if "a file" in text]


@pytest.mark.parametrize("schema", [{}, BINARY, {"contentMediaType": "image/png"}, {"type": "object"}], ids=repr)
def test_a_body_that_is_no_json_is_no_whole_field(tmp_path: Path, schema: dict[str, Any]) -> None:
    for media, wider in (("application/octet-stream", 1), ("application/xml", 1), ("text/plain", 0)):
        api = operation(requestBody={"required": True, "content": {media: {"schema": schema}}})
        told = [text for outcome, text in entries(tmp_path, api) if "which no JSON is" in text and outcome == "wider"]
        assert len(told) == wider


@pytest.mark.parametrize(("version", "required"), [("3.0.3", ["id"]), ("3.1.0", ["id", "made"])])
def test_what_answers_alone_require_no_request_does(version: str, required: list[str], tmp_path: Path) -> None:
    made_at = {"made": {"type": "string", "readOnly": True}}
    schema = {"type": "object", "properties": made_at, "required": ["made"]}
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    text = design(tmp_path, {**operation(requestBody=body), "openapi": version})
    assert schemas_in(text)["trial"]["required"] == required


def test_what_several_tools_share_is_reported_once(tmp_path: Path) -> None:
    parameter = {"name": "n", "in": "query", "schema": {"$ref": "#/components/schemas/N"}}
    api = operation(parameter)
    api["paths"]["/b"] = {"get": {"operationId": "b", "parameters": [parameter]}}
    path = tmp_path / "api.json"
    path.write_text(json.dumps({**api, "components": {"schemas": {"N": {"type": "string", "format": "regex"}}}}))
    made = import_tools([str(path)])
    assert [entry.pointer for entry in made.entries] == ["/components/schemas/N/format"]
    assert made.tools == 2
    assert made.whole == 0


@pytest.mark.parametrize("media", ["application/json; charset=utf-8", "application/problem+json", "*/*"])
def test_json_by_any_name_is_json(tmp_path: Path, media: str) -> None:
    schema = {"type": "object", "properties": {"a": STRING}, "additionalProperties": False}
    content = {"content": {"text/plain": {"schema": STRING}, media: {"schema": schema}}}
    body = {"required": True, **content}
    text = design(tmp_path, operation(requestBody=body, responses={"200": {"description": "", **content}}))
    assert list(schemas_in(text)["trial"]["properties"]) == ["id", "a"]
    assert "Result = TrialOutput" in text


def test_a_bad_tool_is_named_and_those_beside_it_are_imported(tmp_path: Path) -> None:
    paths = {
        "/a": {"get": {"operationId": "a", "parameters": [{"$ref": "other.yaml#/p"}]}, "put": {"operationId": "b"}},
        "/c": {"$ref": "#/components/nowhere"},
        "/d": {"$ref": "#/paths/~1a"},
    }
    (tmp_path / "api.json").write_text(json.dumps({"openapi": "3.1.0", "paths": paths}))
    (tmp_path / "tools.json").write_text(json.dumps([{"inputSchema": INPUT}, 5, {"name": "c", "inputSchema": INPUT}]))
    made = import_tools([str(tmp_path)])
    assert made.written is not None
    assert made.written.tools == ["b", "b_2", "c"]
    assert [bad.source.rpartition(": ")[2] for bad in made.bad] == ["get /a", "/c", "get /d", "#/0", "#/1"]


def test_a_tool_that_has_another_name_in_the_design_is_noted(tmp_path: Path) -> None:
    names = ["get-x", "get_x", "a.b", "plain"]
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([{"name": name, "inputSchema": INPUT} for name in names]))
    made = import_tools([str(path)])
    assert made.written is not None
    assert made.written.tools == ["get-x", "get_x_2", "a_b", "plain"]
    assert [(entry.pointer, entry.outcome.value) for entry in made.entries] == [
        ("/1/inputSchema", "note"),
        ("/2/inputSchema", "note"),
    ]


def test_an_openai_tool_that_is_no_function_is_named_and_left_out(tmp_path: Path) -> None:
    others = [{"type": "custom", "name": "code"}, {"type": "web_search"}, {"type": "function", "name": "now"}]
    path = tmp_path / "tools.json"
    path.write_text(json.dumps({"tools": [{"type": "function", "function": FUNCTION}, *others]}))
    made = import_tools([str(path)])
    assert made.written is not None
    assert made.written.tools == ["get_weather", "now"]
    assert [bad.source.rpartition(": ")[2] for bad in made.bad] == ["#/tools/1", "#/tools/2"]


@pytest.mark.parametrize("server", [{"type": "web_search_20250305", "name": "web_search"}, {"type": "web_search"}])
def test_a_tool_that_the_provider_runs_is_named_and_left_out(tmp_path: Path, server: Any) -> None:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps([server, {"name": "ours", "input_schema": INPUT}]))
    made = import_tools([str(path)])
    assert made.written is not None
    assert made.written.tools == ["ours"]
    assert [bad.source.rpartition(": ")[2] for bad in made.bad] == ["#/0"]


def gemini_field(tmp_path: Path, **schema: Any) -> dict[str, Any]:
    """What a field of a Gemini declaration comes to."""
    parameters = {"type": "OBJECT", "properties": {"a": schema}, "required": ["a"]}
    text = design(tmp_path, {"functionDeclarations": [{"name": "trial", "parameters": parameters}]})
    found: dict[str, Any] = schemas_in(text)["trial"]["properties"]["a"]
    return {word: value for word, value in found.items() if word != "description"}


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"type": "STRING", "maxLength": "2"}, {"type": "string", "maxLength": 2}),
        ({"type": "STRING", "max_length": 2, "pattern": None}, {"type": "string", "maxLength": 2}),
        ({"type": "INTEGER", "format": "enum", "enum": ["1", "20"]}, {"type": "integer", "enum": [1, 20]}),
        ({"type": "NUMBER", "enum": ["1.5", "x"]}, {"type": "number", "enum": [1.5]}),
        ({"any_of": [{"type": "STRING"}, {"type": "NULL"}]}, {"type": ["string", "null"]}),
        ({"type": "TYPE_UNSPECIFIED"}, {}),
        (
            {"type": "OBJECT", "additional_properties": {"type": "STRING"}},
            {"type": "object", "additionalProperties": {"type": "string"}},
        ),
        (
            {"type": "ARRAY", "min_items": "1", "items": {"type": "STRING"}},
            {"type": "array", "items": {"type": "string"}, "minItems": 1},
        ),
    ],
)
def test_a_gemini_schema_is_read_in_the_words_of_the_api_and_of_its_sdk(
    schema: Any, found: Any, tmp_path: Path
) -> None:
    assert gemini_field(tmp_path, **schema) == found


@pytest.mark.parametrize("name", ["default", "enum", "example", "type", "items", "ref", "min_items", "properties"])
def test_a_property_of_a_gemini_schema_may_have_the_name_of_a_keyword(name: str, tmp_path: Path) -> None:
    schema = {"type": "OBJECT", "properties": {name: {"type": "STRING"}}, "required": [name]}
    found = schemas_in(design(tmp_path, {"functionDeclarations": [{"name": "trial", "parameters": schema}]}))["trial"]
    assert found["properties"][name]["type"] == "string"
    assert found["required"] == [name]


@dataclass
class Point:
    """A point."""

    x: int
    label: str | None = None


def test_a_python_class_is_a_source() -> None:
    made = import_tools([f"{__name__}:Point"])
    assert made.written is not None
    assert "label: str | None = field(UNDESCRIBED, default=None" in made.written.text


class Trip(TypedDict):
    """A trip."""

    stops: list[Point]
    back: NotRequired[Annotated[Trip | None, "return"]]
    by: Literal["rail", "road"]


def test_a_typed_dict_is_a_source() -> None:
    made = import_tools([f"{__name__}:Trip"])
    assert made.written is not None, [bad.line() for bad in made.bad]
    schema = schemas_in(made.written.text)["Trip"]
    assert schema["required"] == ["stops", "by"]
    assert "back: TripTrip | None = field(UNDESCRIBED, optional=True" in made.written.text
    assert 'by: Literal["rail", "road"]' in made.written.text


class Parcel(BaseModel):
    """A parcel."""

    model_config = ConfigDict(extra="forbid")

    weight: float = Field(gt=0, description="Kilograms.")
    to: str = Field(alias="ship-to")


def test_a_pydantic_model_is_a_source() -> None:
    made = import_tools([f"{__name__}:Parcel"])
    assert made.written is not None, [bad.line() for bad in made.bad]
    schema = schemas_in(made.written.text)["Parcel"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["weight"]["exclusiveMinimum"] == 0
    assert schema["required"] == ["weight", "ship-to"]


def test_a_class_that_is_not_there_is_named(tmp_path: Path) -> None:
    made = import_tools(["json:Nowhere", "no_such_module_at_all:A"])
    assert [bad.source for bad in made.bad] == ["json:Nowhere", "no_such_module_at_all:A"]


def test_names_stay_when_a_sibling_is_added(tmp_path: Path) -> None:
    def schema(*names: str) -> dict[str, Any]:
        inner = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
        return {"type": "object", "properties": {name: {"type": "array", "items": inner} for name in names}}

    before, after = design(tmp_path, schema("items")), design(tmp_path, schema("addresses", "items"))
    assert "items: list[WeatherItem]" in before
    assert "items: list[WeatherItem]" in after


def test_alternatives_have_the_name_of_their_tag_when_a_sibling_is_added(tmp_path: Path) -> None:
    def schema(*tags: Any) -> dict[str, Any]:
        arms = [
            {
                "type": "object",
                "properties": {"t": {"const": tag}, "in": {"type": "object", "properties": {"a": {}}}},
                "required": ["t"],
            }
            for tag in tags
        ]
        return {"type": "object", "properties": {"blocks": {"type": "array", "items": {"anyOf": arms}}}}

    before, after = design(tmp_path, schema("text", "b/c")), design(tmp_path, schema("é!", "text", "b/c"))
    assert "list[WeatherBlockText | WeatherBlockBC]" in before
    assert "list[WeatherBlockÉ | WeatherBlockText | WeatherBlockBC]" in after
    assert "class WeatherBlockTextIn(" in after
    assert "list[WeatherBlock1 | WeatherBlock2]" in design(tmp_path, schema(1, 2))
    assert "list[WeatherBlock | WeatherBlock2]" in design(tmp_path, schema("", "!"))


def test_no_text_of_a_source_becomes_code(tmp_path: Path) -> None:
    hostile = '"""\n\\" + __import__("os").system("touch owned") + "'
    schema = {
        "title": hostile,
        "description": hostile,
        "type": "object",
        "properties": {
            "a": {"type": "string", "description": hostile, "default": hostile, "title": hostile},
            "b": {"enum": [hostile]},
            "c": {"type": "string", "pattern": "(?=" + hostile},
            "__class__": {"type": "object", "title": hostile, "properties": {"str": {"type": "string"}, "field": {}}},
        },
    }
    text = design(tmp_path, schema)
    properties = schemas_in(text)["weather"]["properties"]
    assert properties["a"]["default"] == hostile
    assert properties["b"]["enum"] == [hostile]
    assert not (tmp_path / "owned").exists()


# The command ----------------------------------------------------------------------------------------------------------


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["import", *arguments])


def test_a_bad_file_is_named_and_the_others_are_imported(tmp_path: Path) -> None:
    (tmp_path / "good.json").write_text(json.dumps(INPUT))
    (tmp_path / "bad.json").write_text('{"type": ')
    (tmp_path / "list.yaml").write_text("- 1\n")
    done = run(str(tmp_path), "--output", str(tmp_path / "out.py"))
    assert done.exit_code == 1
    assert "bad.json: not imported" in done.stderr
    assert "list.yaml: not imported" in done.stderr
    assert "1 tool imported, 1 of them whole" in done.stderr
    assert list(schemas_in((tmp_path / "out.py").read_text())) == ["good"]


def test_an_import_of_many_says_how_far_it_is(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text(json.dumps(INPUT))
    (tmp_path / "c.json").write_text("{")
    read: list[tuple[int, int]] = []
    written: list[tuple[int, int]] = []
    import_tools([str(tmp_path)], progress=lambda *far: read.append(far), writing=lambda *far: written.append(far))
    assert read == [(1, 2), (2, 2)]
    assert written == [(1, 3), (2, 3), (3, 3)]  # City, and a class a tool


def test_a_file_of_lines_is_a_tool_a_line(tmp_path: Path) -> None:
    titled = [{"title": title, **INPUT} for title in ("Post it!", "Says far too much. " * 9)]
    lines = [json.dumps({"id": "Get It", "schema": INPUT}), "", json.dumps(INPUT), "{", *map(json.dumps, titled)]
    (tmp_path / "tools.jsonl").write_text("\n".join(lines))
    done = run(str(tmp_path / "tools.jsonl"))
    assert list(schemas_in(done.stdout)) == ["Get_It", "tools_3", "post_it", "tools_6"]
    assert "tools.jsonl:4: not imported" in done.stderr


def test_a_design_on_stdout_is_utf_8_as_python_reads_it(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({**INPUT, "description": "Käse, 日本語."}))
    done = CliRunner(charset="cp1252").invoke(cli, ["import", str(tmp_path / "a.json")])
    assert done.exit_code == 0
    assert "Käse, 日本語." in done.stdout_bytes.decode("utf-8")


def test_strict_writes_nothing_where_something_is_lost(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(
        json.dumps({"type": "object", "properties": {"p": {"type": "string", "pattern": "(?=a)"}}})
    )
    lax = run(str(tmp_path / "a.json"))
    assert lax.exit_code == 0
    assert "#/properties/p/pattern: wider" in lax.stderr
    assert "# #/properties/p/pattern wider" in lax.stdout
    strict = run(str(tmp_path / "a.json"), "--strict")
    assert strict.exit_code == 1
    assert strict.stdout == ""
    assert "Nothing was written" in strict.stderr


def test_closed_refuses_unknown_keys(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(
        json.dumps({"type": "object", "properties": {"p": {"type": "object", "properties": {"q": {}}}}})
    )
    closed = next(iter(schemas_in(run(str(tmp_path / "a.json"), "--closed").stdout).values()))
    assert closed["additionalProperties"] is False
    assert [inner["additionalProperties"] for inner in closed["$defs"].values()] == [False]


def test_a_design_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(INPUT))
    (tmp_path / "out.py").write_text("mine")
    assert run(str(tmp_path / "a.json"), "--output", str(tmp_path / "out.py")).exit_code == 2
    assert (tmp_path / "out.py").read_text() == "mine"
    assert run(str(tmp_path / "a.json"), "--output", str(tmp_path / "out.py"), "--force").exit_code == 0


def test_a_design_that_was_written_is_named_with_what_comes_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.json").write_text(json.dumps(INPUT))
    told = run("a.json", "--output", "my designs/a.py").stderr.splitlines()
    path = Path("my designs", "a.py")
    assert told[-2:] == [f"wrote {path}", f"Next: read it, and then: toolgen generate {shlex.quote(str(path))}"]
    assert "wrote" not in run("a.json").stderr
    assert "wrote" not in run("a.json", "--output", "b.py", "--format", "json").stderr


def test_the_report_is_json_for_a_script(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(INPUT))
    found = json.loads(run(str(tmp_path / "a.json"), "--format", "json").stdout)
    assert found["tools"] == ["a"]
    assert found["records"] == ["City"]
    assert found["undescribed"] == 2
    assert "class City(Record)" in found["design"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("https://example.com/openapi.json", "nothing is fetched from a network: download it"),
        ("models.py", "for a class of it write models:CLASS"),
        ("inner/models.py", "for a class of it write inner.models:CLASS"),
        ("models", "there is no such file; for a Python class write models:CLASS"),
        ("gone.py", "there is no such file; for a Python class write gone:CLASS"),
        ("models.json", "there is no such file\n"),
        ("settings.json", "no tools, and no keyword of JSON Schema, but 'debug', 'level'\n"),
        ("settings.json --from openapi", "only OpenAPI 3 is read"),
        ("openai.json --from mcp", "the tool at #/0 has no inputSchema: it looks like one of --from openai"),
        ("empty.yaml", "an empty document is no schema and no list of tools"),
        ("empty.yaml --from json-schema", "an empty document is no JSON Schema"),
        ("empty.yaml --from mcp", "an empty document is no list of tools"),
        ("text.yaml --from openapi", "a text is no OpenAPI document"),
        ("text.yaml", "a text is no schema"),
    ],
)
def test_what_is_no_source_is_answered_with_what_to_give(
    given: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inner").mkdir()
    texts = {"models.py": "", "inner/models.py": "", "openai.json": json.dumps([FUNCTION]), "empty.yaml": ""}
    settings = json.dumps({"debug": True, "title": "Ours", "level": 1})
    for name, text in {**texts, "text.yaml": "Hello there.", "settings.json": settings}.items():
        (tmp_path / name).write_text(text)
    done = run(*given.split())
    assert (done.exit_code, done.stdout) == (1, "")
    assert words in done.stderr


def test_a_folder_is_no_design_to_write(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(INPUT))
    for options in ([], ["--force"]):
        done = run(str(tmp_path / "a.json"), "--output", str(tmp_path), *options)
        assert done.exit_code == 2
        assert "is a folder: name the design file to write" in done.stderr


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    done = run(str(tmp_path / "no.json"))
    assert done.exit_code == 1
    assert "no.json: not imported" in done.stderr


def test_a_file_that_can_not_be_read_is_told_in_words(tmp_path: Path) -> None:
    missing = CliRunner().invoke(cli, ["import", str(tmp_path / "nowhere.json")])
    assert missing.exit_code
    assert "nowhere.json: not imported: there is no such file" in missing.stderr
    assert "Errno" not in missing.stderr
