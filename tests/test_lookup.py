"""Finding a tool by name."""

from __future__ import annotations

import pytest

from toolgen import ir
from toolgen.lookup import UnknownToolError, find_tool


def program(**toolsets: list[str]) -> ir.Program:
    """A program with these tools, by toolset."""
    packages = []
    for name, tools in toolsets.items():
        made = tuple(ir.Tool(tool.title(), tool, tool, "", ()) for tool in tools)
        packages.append(ir.Package(name, f"{name}.py", ir.Toolset(name, "", made)))
    return ir.Program((*packages, ir.Package("shared", "shared.py", None)))


TWO = program(desk=["search", "answer"], shop=["search", "order"])


@pytest.mark.parametrize(("name", "full"), [("answer", "desk.answer"), ("shop.search", "shop.search")])
def test_a_tool_is_found_by_its_name_or_with_its_toolset(name: str, full: str) -> None:
    assert find_tool(TWO, name).full_name == full


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("search", "several toolsets have a tool search: desk.search, shop.search"),
        ("anwser", "there is no tool anwser: did you mean answer?"),
        ("zzzzzz", "the tools are desk.search, desk.answer, shop.search, shop.order"),
    ],
)
def test_a_name_that_is_no_one_tool_is_told_with_those_there_are(name: str, words: str) -> None:
    with pytest.raises(UnknownToolError, match=words.replace("?", r"\?")):
        find_tool(TWO, name)


def test_a_long_list_of_tools_is_cut() -> None:
    with pytest.raises(UnknownToolError, match="and 30 more"):
        find_tool(program(big=[f"tool{number}" for number in range(50)]), "zzz")
