"""Finding a tool by what a person calls it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from toolgen import ir


class UnknownToolError(Exception):
    """No tool, or more than one, has this name; the text says what to write instead."""


@dataclass(frozen=True, slots=True)
class Found:
    """A tool, and the package that it is in."""

    package: ir.Package
    toolset: ir.Toolset
    tool: ir.Tool

    @property
    def full_name(self) -> str:
        return f"{self.toolset.name}.{self.tool.name}"


def find_tool(program: ir.Program, name: str) -> Found:
    """The tool that is called ``search_tickets`` or, where several toolsets have one, ``support.search_tickets``.

    Raises UnknownToolError.
    """
    tools = list(_tools(program))
    found = [item for item in tools if name in (item.tool.name, item.full_name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownToolError(f"several toolsets have a tool {name}: {', '.join(item.full_name for item in found)}")
    known = sorted({item.tool.name for item in tools} | {item.full_name for item in tools})
    near = difflib.get_close_matches(name, known, n=1)
    names = ", ".join(item.full_name for item in tools[:20]) or "none"
    more = f" and {len(tools) - 20} more" if len(tools) > 20 else ""
    hint = f"did you mean {near[0]}?" if near else f"the tools are {names}{more}"
    raise UnknownToolError(f"there is no tool {name}: {hint}")


def _tools(program: ir.Program) -> Iterator[Found]:
    for package in program.packages:
        for tool in package.toolset.tools if package.toolset else ():
            assert package.toolset is not None
            yield Found(package, package.toolset, tool)
