"""What a model reads of a refusal, where it was told other names than the tool's own."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from wires import response

from toolgen import providers
from toolgen.providers.facts import Facts
from toolgen.runtime import CallContext, Finding, Issue, PayloadError, ToolCall, ToolFailure, ToolRegistry, ToolResult

DESIGN = '''
"""Things."""

from __future__ import annotations

from typing import Literal

from toolgen.dsl import Record, Toolset, field

things = Toolset("things", "Things.")


class Left(Record):
    """Left."""

    kind: Literal["left"] = field("Kind.")
    size: int = field("Size.", name="x-size")


class Right(Record):
    """Right."""

    kind: Literal["right"] = field("Kind.")
    more: list[Left | Right] = field("More.", name="and more", default=[])


@things.tool(example={"trace-id": "t"})
class Do:
    """Do it."""

    class Input:
        trace: str = field("Trace to go on with.", name="trace-id")
        sides: dict[str, Left | Right] = field("Sides.", name="1st", default={})
        limit: Literal[1, 2] = field("Limit.", default=1)


@things.submit(name="submit_left", payload="left")
class SubmitLeft:
    """Submit the left one."""

    Response = Left
'''

WRONG: dict[str, Any] = {
    "_1st": {
        "a-b": {"kind": "left", "x_size": "big"},
        "c": {"kind": "right", "and_more": [{"kind": "right", "and_more": [{"kind": "left", "xsize": 1}]}]},
    },
    "traceid": "t",
}


def test_a_refusal_names_fields_as_the_model_was_told_of_them(compile_design: Callable[[str], ModuleType]) -> None:
    do = import_module(f"{compile_design(DESIGN).__name__}.things.do")
    registry = ToolRegistry()

    @registry.handles(do.SPEC)
    def handler(payload: Any, ctx: CallContext) -> None:
        issues = [Issue("/1st/a-b/x-size", "invalid_range", "is too big")] if payload.sides else []
        raise ToolFailure("invalid_call", "it does not fit", issues=issues)

    def answers(wire: str, given: Any) -> list[ToolResult]:
        tools = providers.definitions(registry, wire)
        calls = providers.calls(response(wire, [("c", "do", given)]), tools=tools)
        assert pickle.loads(pickle.dumps(calls)) == calls
        return asyncio.run(registry.run_all(calls))

    [refused] = answers("gemini", WRONG)
    told = refused.text.split("\n")
    assert [line.split(":")[0] for line in told[1:6]] == [
        "- /trace_id",
        "- /_1st/a-b/x_size",
        "- /_1st/c/and_more/0/and_more/0/x_size",
        "- /_1st/c/and_more/0/and_more/0/xsize",
        "- /traceid",
    ]
    assert 'the fields are "trace_id", "_1st", "limit". Did you mean "trace_id"?' in told[5]
    assert 'the fields are "kind", "x_size". Did you mean "x_size"?' in told[4]
    assert told[6] == 'A valid example: {"trace_id": "t"}'
    assert refused.failure is not None
    # The program around it reads the tool's own names.
    assert refused.failure.issues[0].path == "/trace-id"

    [failed] = answers("gemini", {"trace_id": "t", "_1st": {"a-b": {"kind": "left", "x_size": 1}}})
    assert "\n- /_1st/a-b/x_size: is too big." in failed.text
    [blames_none] = answers("gemini", {"trace_id": "t"})
    assert "\n- /trace_id (required): Trace to go on with.\n- /_1st: " in blames_none.text

    [refused] = answers("mcp", {"trace_id": "t"})
    assert "\n- /trace-id: is missing" in refused.text


def test_a_refused_submit_names_fields_as_the_model_was_told_of_them(
    compile_design: Callable[[str], ModuleType],
) -> None:
    submit = import_module(f"{compile_design(DESIGN).__name__}.things.submit_left").SUBMIT

    async def judge(*_: Any) -> list[Finding]:
        return [Finding("Too small.", "/x-size")]

    def outcome(given: Any) -> str:
        made = [("c", submit.name, {"reasoning": "So.", "left": given})]
        [call] = providers.calls(response("gemini", made), tools=providers.definitions([submit], "gemini"))
        text: str = asyncio.run(submit.submit(call, validators=[judge])).result.text
        return text

    assert "\n- /left/x_size: Too small." in outcome({"kind": "left", "x_size": 1})
    assert "\n- /left/x_size: is missing" in outcome({"kind": "left"})


def test_strict_form_shows_an_example_with_the_nulls_that_it_asks_for() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a"]}
    facts = Facts(name="do", description="Does it.", schema={**schema, "additionalProperties": False})
    told = providers.definition(facts, "openai_chat", strict=True)
    call = ToolCall("c", "do", {}, "openai_chat", told)
    refused = ToolResult.of_refusal(
        call, PayloadError([Issue("/a", "missing_field", "is missing")], example={"a": "x"})
    )
    assert 'A valid example: {"a": "x", "b": null}' in refused.text


LISTED = """
severity: Literal[1, 2, 3] = field("S.")
other: Literal[1.5, "a"] | None = field("O.")
plain: Literal["x", "y"] = field("P.")
many: list[Literal[1, 2]] = field("M.")
"""


def test_a_refusal_lists_allowed_values_as_the_model_was_told_of_them(compile_tool: Callable[..., Any]) -> None:
    registry = ToolRegistry()
    registry.handles(compile_tool(LISTED).SPEC)(lambda payload, ctx: None)
    told = providers.definitions(registry, "gemini")

    def text(arguments: Any) -> str:
        calls = providers.calls(response("gemini", [("c", "do", arguments)]), tools=told)
        return asyncio.run(registry.run_all(calls))[0].text

    wrong = text({"severity": "9", "other": "b", "plain": "z", "many": ["1", "3"]})
    for refusal in (wrong, text({})):
        assert 'must be one of "1", "2", "3"' in refusal
        assert 'must be one of "x", "y"' in refusal
    assert 'must be one of "1.5", "a"' in wrong
    assert '- /many/1: must be one of "1", "2", but is "3".' in wrong
    assert text({"severity": "3", "other": "1.5", "plain": "x", "many": ["2"]}) == "Done."
