"""Agent frameworks on the definitions: they pass schemas on as they are, and hand arguments over unvalidated.

So the tool's codec is what stands between a model and a handler, whichever framework runs the conversation.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from generated.support import TOOLSET
from generated.support.search_tickets import SearchTicketsPayload, SearchTicketsResult
from toolgen import providers
from toolgen.runtime import CallContext, Page, ToolCall, ToolRegistry

SEARCH = TOOLSET["search_tickets"]
STRICT = providers.definitions([SEARCH], "openai_responses", strict=True)
PLAIN = providers.definitions([SEARCH], "openai_responses", strict=False)
CONTEXT = {"tenant": "acme", "agent": "ada", "conversation": "one"}

GOOD = {"query": "vpn", "limit": None, "conditions": [], "opened_after": None}
BAD = {"query": "", "limit": "many", "surprise": 1}
WORDS = ("/query", "/limit", "/surprise", "search_tickets was not run")

Run = Callable[[providers.Definitions, dict[str, Any]], tuple[Any, str]]
"""Takes definitions and what the model writes; gives the schema that the model was told, and what it then read."""


def registry() -> tuple[ToolRegistry, list[SearchTicketsPayload]]:
    made, seen = ToolRegistry(), list[SearchTicketsPayload]()

    @made.handles(SEARCH)
    def search(payload: SearchTicketsPayload, ctx: CallContext) -> Page[SearchTicketsResult]:
        seen.append(payload)
        return Page(SearchTicketsResult(tickets=[]), returned=0, total=0)

    return made, seen


async def answered(tools: providers.Definitions, made: ToolRegistry, arguments: Any) -> str:
    """What a framework's tool does: read the call under its definition, run it, and give the words for the model."""
    told = tools.named(SEARCH.name)
    assert told is not None
    outcome = await made.run(ToolCall("c1", SEARCH.name, told.read(arguments), "openai_responses"), CONTEXT)
    output = providers.result(outcome)["output"]
    assert isinstance(output, str)
    return output


def with_pydantic_ai(tools: providers.Definitions, made: ToolRegistry, arguments: dict[str, Any]) -> tuple[Any, str]:
    pydantic_ai = pytest.importorskip("pydantic_ai")
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    schemas: list[Any] = []

    def model(messages: list[Any], info: Any) -> Any:
        schemas.append(info.function_tools[0].parameters_json_schema)
        returned = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
        if returned:
            return ModelResponse(parts=[TextPart(str(returned[0].content))])
        return ModelResponse(parts=[ToolCallPart(SEARCH.name, arguments, tool_call_id="c1")])

    async def call(**given: Any) -> str:
        return await answered(tools, made, given)

    tool = pydantic_ai.Tool.from_schema(call, SEARCH.name, SEARCH.description, dict(tools[0].schema))
    agent = pydantic_ai.Agent(FunctionModel(model), tools=[tool])
    return schemas, asyncio.run(agent.run("Find it.")).output


def with_openai_agents(tools: providers.Definitions, made: ToolRegistry, arguments: dict[str, Any]) -> tuple[Any, str]:
    agents = pytest.importorskip("agents")
    from agents.items import ModelResponse
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    schemas: list[Any] = []

    class Model(agents.Model):
        async def get_response(self, **asked: Any) -> Any:
            schemas.append(asked["tools"][0].params_json_schema)
            given = asked["input"] if isinstance(asked["input"], list) else []
            outputs = [item for item in given if item.get("type") == "function_call_output"]
            call = {"type": "function_call", "call_id": "c1", "name": SEARCH.name, "arguments": json.dumps(arguments)}
            made: Any = ResponseFunctionToolCall.model_validate(call)
            if outputs:
                text = ResponseOutputText(type="output_text", text=outputs[0]["output"], annotations=[])
                made = ResponseOutputMessage(
                    id="m", type="message", role="assistant", status="completed", content=[text]
                )
            return ModelResponse(output=[made], usage=agents.Usage(), response_id=None)

        def stream_response(self, *given: Any, **more: Any) -> Any:
            raise NotImplementedError

    async def call(context: Any, text: str) -> str:
        return await answered(tools, made, text)

    agents.set_tracing_disabled(True)
    tool = agents.FunctionTool(
        SEARCH.name, SEARCH.description, dict(tools[0].schema), call, strict_json_schema=tools[0].strict
    )
    agent = agents.Agent(name="desk", model=Model(), tools=[tool])
    return schemas, str(asyncio.run(agents.Runner.run(agent, "Find it.")).final_output)


def with_langchain(tools: providers.Definitions, made: ToolRegistry, arguments: dict[str, Any]) -> tuple[Any, str]:
    langchain = pytest.importorskip("langchain_core.tools")

    async def call(**given: Any) -> str:
        return await answered(tools, made, given)

    tool = langchain.StructuredTool(
        name=SEARCH.name, description=SEARCH.description, args_schema=dict(tools[0].schema), coroutine=call
    )
    asked = {"type": "tool_call", "id": "c1", "name": SEARCH.name, "args": arguments}
    message = asyncio.run(tool.ainvoke(asked))
    assert message.tool_call_id == "c1"
    told = {word: value for word, value in tool.tool_call_schema.items() if word != "description"}
    return [told], str(message.content)


FRAMEWORKS = [with_pydantic_ai, with_openai_agents, with_langchain]


@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda framework: framework.__name__)
@pytest.mark.parametrize("tools", [PLAIN, STRICT], ids=["plain", "strict"])
def test_a_framework_tells_the_schema_and_the_codec_judges_the_arguments(
    framework: Any, tools: providers.Definitions
) -> None:
    made, seen = registry()
    schemas, words = framework(tools, made, BAD)
    assert schemas
    assert all(schema == tools[0].schema for schema in schemas)
    assert all(word in words for word in WORDS), words
    assert seen == []


@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda framework: framework.__name__)
def test_a_framework_hands_over_what_a_model_wrote_in_strict_form(framework: Any) -> None:
    made, seen = registry()
    _, words = framework(STRICT, made, GOOD)
    assert json.loads(words)["tickets"] == []
    [payload] = seen
    assert (payload.query, payload.limit, payload.opened_after, payload.tenant) == ("vpn", 10, None, "acme")


@pytest.mark.parametrize("strict", [False, True])
def test_langchain_passes_a_definition_on_as_it_is(strict: bool) -> None:
    functions = pytest.importorskip("langchain_core.utils.function_calling")
    told = providers.definition(SEARCH, "openai_chat", strict=strict)
    assert functions.convert_to_openai_tool(told) == told
