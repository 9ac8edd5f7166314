"""What the configured providers would say of a design, before any of them is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from toolgen import ir, providers
from toolgen.providers.budgets import Finding, findings
from toolgen.providers.facts import Facts
from toolgen.runtime import ToolAnnotations
from toolgen.schema import MODEL_ROLES, input_schema, keep_null_pointers, result_schema
from toolgen.settings import SettingsError, Wanted


class LintError(SettingsError):
    """Designs that a provider would refuse, where the settings say that this is an error; the text lists them."""


@dataclass(frozen=True, slots=True)
class Located:
    """A finding, and where in the designs it belongs."""

    finding: Finding
    location: ir.Location
    toolset: str
    is_error: bool

    def render(self) -> str:
        """``designs/support.py:12: support.search, field x: openai_chat: ... Set strict=False on the tool.``"""
        finding = self.finding
        name = self.toolset if finding.tool is None else f"{self.toolset}.{finding.tool}"
        place = f"{name}, field {finding.field}" if finding.field else name
        what = finding.what if finding.what.endswith(".") else f"{finding.what}."
        return f"{self.location.file}:{self.location.line}: {place}: {finding.provider}: {what} {finding.way}"


def judge(program: ir.Program, wanted: Sequence[Wanted], warn: Callable[[str], None]) -> None:
    """Tell each warning.

    Raises:
        LintError: some findings are errors.
    """
    found = list(lint(program, wanted))
    for warning in (item for item in found if not item.is_error):
        warn(warning.render())
    errors = [item.render() for item in found if item.is_error]
    if errors:
        raise LintError("\n".join(errors))


def lint(program: ir.Program, wanted: Sequence[Wanted]) -> Iterator[Located]:
    """What the wanted providers would say, toolset by toolset."""
    for package in program.packages:
        toolset = package.toolset
        if toolset is None:
            continue
        tools = [facts_of(tool, program) for tool in toolset.tools]
        locations = {tool.name: tool.location for tool in toolset.tools}
        for provider in wanted:
            for finding in findings(tools, provider.name, providers.module(provider.name)):
                location = locations.get(finding.tool or "", toolset.location)
                yield Located(finding, location, toolset.name, provider.errors)


def facts_of(tool: ir.Tool, program: ir.Program) -> Facts:
    """What providers are told of a tool of a design."""
    return Facts(
        name=tool.name,
        description=tool.description,
        schema=input_schema(tool, program, MODEL_ROLES),
        title=tool.title,
        result=None if tool.result is None else result_schema(tool, program),
        example=tool.example,
        annotations=ToolAnnotations(
            read_only=tool.annotations.read_only,
            destructive=tool.annotations.destructive,
            idempotent=tool.annotations.idempotent,
            open_world=tool.annotations.open_world,
        ),
        strict=tool.strict,
        keep_null=frozenset(keep_null_pointers(tool, program)),
    )
