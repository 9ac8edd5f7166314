"""What providers would refuse, found before any of them is asked."""

from __future__ import annotations

from typing import Any

import pytest

from toolgen.providers import PROVIDERS, Facts, module
from toolgen.providers.budgets import LONGEST_NAMES, Finding, deepest, findings


def tool(
    name: str, properties: dict[str, Any], required: list[str] | None = None, *, strict: bool = True, **more: Any
) -> Facts:
    names = list(properties) if required is None else required
    schema = {"type": "object", "properties": properties, "required": names, "additionalProperties": False, **more}
    return Facts(name=name, description="T.", schema=schema, strict=strict)


def found(tools: list[Facts], provider: str) -> list[Finding]:
    return list(findings(tools, provider, module(provider)))


INTEGER = {"type": "integer"}


def numbers(count: int) -> dict[str, Any]:
    return {f"f{index}": INTEGER for index in range(count)}


@pytest.mark.parametrize("provider", ["openai_chat", "openai_responses"])
def test_openai_counts_properties_levels_characters_and_values(provider: str) -> None:
    assert found([tool("t", numbers(5000))], provider) == []
    [many] = found([tool("t", numbers(5001))], provider)
    assert (many.number, many.limit, many.tool) == (5001, 5000, "t")
    deep: dict[str, Any] = INTEGER
    for _ in range(10):
        deep = {"type": "object", "properties": {"in": deep}, "required": ["in"], "additionalProperties": False}
    assert found([tool("t", deep["properties"])], provider) == []
    [nested] = found([tool("t", {"in": deep})], provider)
    assert (nested.number, nested.limit) == (11, 10)
    assert "in.in" in nested.way
    [wordy] = found([tool("t", {"a": {"type": "string", "enum": ["x" * 60_001, "y" * 60_000]}})], provider)
    assert (wordy.number, wordy.limit) == (120_002, 120_000)
    values = {"type": "string", "enum": [f"value {index:04}" for index in range(1001)]}
    limits = {finding.limit for finding in found([tool("t", {"a": values})], provider)}
    assert limits == {1000}
    longer = {"type": "string", "enum": [f"{index:070}" for index in range(251)]}
    [long] = found([tool("t", {"a": longer})], provider)
    assert (long.field, long.number, long.limit) == ("a", 251 * 70, 15_000)


def test_anthropic_counts_over_all_tools_of_a_request_and_names_the_cheapest_way_down() -> None:
    tools = [tool(f"t{index}", numbers(1)) for index in range(22)]
    [many] = found(tools, "anthropic")
    assert (many.tool, many.number, many.limit, many.way) == (None, 22, 20, "Set strict=False on t0 (1), t1 (1).")
    optional = [tool("a", numbers(9), []), tool("b", numbers(14), []), tool("c", numbers(3), [])]
    [loose] = found(optional, "anthropic")
    assert (loose.number, loose.limit, loose.way) == (26, 24, "Set strict=False on b (14).")
    union = {f"u{index}": {"type": ["integer", "null"]} for index in range(17)}
    [mixed] = found([tool("a", union)], "anthropic")
    assert (mixed.number, mixed.limit) == (17, 16)


@pytest.mark.parametrize("provider", ["anthropic", "openai_chat", "openai_responses", "gemini", "mcp", "bedrock"])
def test_tools_that_are_not_strict_have_no_budget(provider: str) -> None:
    assert found([tool(f"t{index}", numbers(30), [], strict=False) for index in range(30)], provider) == []


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_longest_name_is_what_the_provider_takes(provider: str) -> None:
    limit = LONGEST_NAMES[provider]
    assert found([tool("a" * limit, {}, strict=False)], provider) == []
    [finding] = found([tool("a" * (limit + 1), {}, strict=False)], provider)
    assert (finding.number, finding.limit) == (limit + 1, limit)


def test_names_that_a_provider_refuses_are_found() -> None:
    [long] = found([tool("a" * 70, {}, strict=False)], "openai_chat")
    assert (long.number, long.limit) == (70, 64)
    assert found([tool("a" * 70, {}, strict=False)], "anthropic") == []
    defs = {"R": {"type": "object", "properties": {"x-y": INTEGER}}}
    odd = tool("t", {"x.y": {"$ref": "#/$defs/R"}}, strict=False, **{"$defs": defs})
    assert [finding.field for finding in found([odd], "gemini")] == ["x.y", "R.x-y"]
    assert found([odd], "bedrock") == []


def test_what_strict_mode_can_not_express_is_found() -> None:
    [open_map] = found([tool("t", {"m": {"type": "object", "additionalProperties": INTEGER}})], "openai_chat")
    assert (open_map.field, "strict=False" in open_map.way) == ("m", True)


def test_a_recursive_schema_has_the_depth_of_one_round() -> None:
    tree = {"type": "object", "properties": {"of": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}}
    assert deepest({"type": "object", "properties": {"t": {"$ref": "#/$defs/Tree"}}, "$defs": {"Tree": tree}})[0] == 2
