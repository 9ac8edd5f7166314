"""Gemini's Live API: definitions in its own schema, calls and results in its own messages."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from provider_rules import LIVE, broken

from generated import ledger, support, triage
from toolgen import providers
from toolgen.providers import Facts, ProjectionError, gemini
from toolgen.runtime import ToolResult
from toolgen.runtime.careful import Careful
from toolgen.testing import valid_inputs

TOOLS = [*support.TOOLSET.values(), *ledger.TOOLSET.values()]
TOLD = [spec for spec in TOOLS if spec.name != "find_accounts"]


def facts(properties: dict[str, Any], required: list[str] | None = None, **defs: Any) -> Facts:
    names = list(properties) if required is None else required
    root: dict[str, Any] = {"type": "object", "properties": properties, "required": names}
    root |= {"additionalProperties": False, "$defs": defs}
    return Facts(name="do", description="Does it.", schema=root)


def record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [], "additionalProperties": False}


def told(schema: Any, **defs: Any) -> Any:
    """What stands for one field."""
    made = providers.definition(facts({"x": schema}, **defs), "gemini", live=True)
    assert broken(LIVE, False, made["parameters"]) == []
    return made["parameters"]["properties"]["x"]


FORMS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"type": "string", "description": "A."}, {"type": "STRING", "description": "A."}),
    ({"type": ["integer", "null"], "minimum": 1}, {"type": "INTEGER", "minimum": 1, "nullable": True}),
    ({"type": "integer", "enum": [1, 2]}, {"type": "STRING", "enum": ["1", "2"]}),
    ({"type": ["integer", "null"], "enum": [1, None]}, {"type": "STRING", "enum": ["1"], "nullable": True}),
    ({"type": "null"}, {"type": "NULL", "nullable": True}),
    (
        {"type": "array", "items": {"type": "boolean"}, "minItems": 1},
        {"type": "ARRAY", "minItems": 1, "items": {"type": "BOOLEAN"}},
    ),
    ({"type": "string", "pattern": "^a$", "maxLength": 3}, {"type": "STRING", "maxLength": 3, "pattern": "^a$"}),
    (
        {"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 2}, {"type": "null"}], "description": "A"},
        {
            "anyOf": [
                {"type": "INTEGER", "description": "A", "nullable": True},
                {"type": "STRING", "maxLength": 2, "description": "A", "nullable": True},
            ]
        },
    ),
    (
        {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1},
        {
            "type": "OBJECT",
            "minProperties": 1,
            "description": 'An object with keys of your choice. Each value must fit this schema: {"type": "INTEGER"}.',
        },
    ),
    (
        {"anyOf": [{"$ref": "#/$defs/R"}, {"type": "null"}], "description": "A"},
        {
            "type": "OBJECT",
            "properties": {"a": {"type": "STRING", "title": "T"}},
            "description": "A",
            "nullable": True,
        },
    ),
]


@pytest.mark.parametrize(("schema", "form"), FORMS)
def test_a_field_is_told_in_geminis_own_schema(schema: dict[str, Any], form: dict[str, Any]) -> None:
    assert told(schema, R=record(a={"type": "string", "title": "T"})) == form


def test_references_stand_inline_and_a_cycle_is_named() -> None:
    inner = {"allOf": [{"$ref": "#/$defs/B"}], "description": "Inner."}
    found = told({"$ref": "#/$defs/A"}, A=record(b=inner), B=record(n={"type": "integer"}))
    assert found["properties"]["b"] == {
        "type": "OBJECT",
        "properties": {"n": {"type": "INTEGER"}},
        "description": "Inner.",
    }
    ring = {"A": record(b={"$ref": "#/$defs/B"}), "B": record(a={"$ref": "#/$defs/A"})}
    with pytest.raises(ProjectionError, match=r"do, field x: .*recursive \(A → B → A\).*providers.definition"):
        told({"$ref": "#/$defs/A"}, **ring)


def test_what_the_live_api_can_not_be_told_is_an_error_that_leads_on() -> None:
    with pytest.raises(ProjectionError, match=r"do, field x: .*any JSON value.*elsewhere Gemini takes JSON Schema"):
        told({})
    pairs = {f"R{n}": record(a={"$ref": f"#/$defs/R{n + 1}"}, b={"$ref": f"#/$defs/R{n + 1}"}) for n in range(30)}
    with pytest.raises(ProjectionError, match="more than 200 places"):
        told({"$ref": "#/$defs/R0"}, **pairs, R30=record())
    with pytest.raises(ValueError, match="only gemini"):
        providers.definition(TOOLS[0], "openai_chat", live=True)


def test_a_tool_that_takes_nothing_has_no_parameters() -> None:
    assert list(providers.definition(facts({}), "gemini", live=True)) == ["name", "description"]


def test_closed_objects_are_said_in_words_and_noted() -> None:
    made = providers.definition(TOOLS[0], "gemini", live=True)
    assert made["description"].endswith("Write no keys but those that are named.")
    assert "the whole input: that objects take no other keys is said in the description" in map(str, made.notes)


def as_json_schema(schema: Any) -> dict[str, Any]:
    """Gemini's schema as JSON Schema: what a value must be to hold to it."""
    if "anyOf" in schema:
        return {"anyOf": [as_json_schema(arm) for arm in schema["anyOf"]]}
    kinds = [schema["type"].lower(), *(["null"] if schema.get("nullable") else [])]
    made = {word: value for word, value in schema.items() if word not in ("nullable", "items", "properties")}
    if "enum" in made and "null" in kinds:
        made["enum"] = [*made["enum"], None]
    if "items" in schema:
        made["items"] = as_json_schema(schema["items"])
    if "properties" in schema:
        made["properties"] = {name: as_json_schema(inner) for name, inner in schema["properties"].items()}
    return {**made, "type": kinds}


@pytest.mark.parametrize("spec", TOLD, ids=lambda spec: spec.name)
def test_what_is_written_for_the_live_api_holds_to_its_schema_and_reads_back(spec: Any) -> None:
    made = providers.definition(spec, "gemini", live=True)
    judge = Careful(as_json_schema(made.get("parameters", {"type": "OBJECT"})))

    @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
    @given(value=valid_inputs(spec.model.schema))
    def holds(value: Any) -> None:
        written = made.write(value)
        assert judge.judge(written, lenient=False).issues == ()
        assert spec.model.decode(made.read(written)) == spec.model.decode(value)

    holds()


def test_the_sdk_takes_the_definitions() -> None:
    sdk_types = pytest.importorskip("sdk_types")
    submits = list(triage.TOOLSET.values())
    for definition in providers.definitions([*TOLD, *submits], "gemini", live=True):
        sdk_types.check_live_definition(definition)


CALLS = [{"id": "c1", "name": "list_products", "args": {}}, {"id": "c2", "name": "search_tickets", "args": None}]


def live_message(form: str) -> Any:
    if form == "dict":
        return {"toolCall": {"functionCalls": CALLS}}
    genai = pytest.importorskip("google.genai.types")
    return genai.LiveServerMessage.model_validate({"toolCall": {"functionCalls": CALLS}})


@pytest.mark.parametrize("form", ["dict", "sdk"])
def test_calls_of_a_live_message_are_answered_by_function_responses_alone(form: str) -> None:
    message = live_message(form)
    calls = providers.calls(message)
    assert [(call.id, call.name, call.provider) for call in calls] == [
        ("c1", "list_products", "gemini"),
        ("c2", "search_tickets", "gemini"),
    ]
    sent = providers.answer(message, [ToolResult.failed(calls[1], "no"), ToolResult.ok(calls[0], ["a"])])
    assert [(one["id"], one["name"], list(one["response"])) for one in sent] == [
        ("c1", "list_products", ["output"]),
        ("c2", "search_tickets", ["error"]),
    ]
    if form == "sdk":
        from google.genai import _transformers

        taken = _transformers.t_tool_response(sent).function_responses
        assert taken is not None
        assert [one.id for one in taken] == ["c1", "c2"]
    assert gemini.read_result({"functionResponse": sent[1]}).is_error


def test_a_live_message_without_calls_is_no_response() -> None:
    assert not gemini.is_response({"serverContent": {}})
    assert providers.calls({"serverContent": {}}, "gemini") == []
