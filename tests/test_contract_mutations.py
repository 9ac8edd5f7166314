"""The contract tests are no ornament: each fault put into a generated module makes one of them fail."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from contract_runs import failure_of, modules_and_contracts
from module_faults import faults, reached_names

from toolgen.load import load

ROOT = Path(__file__).parents[1]


@cache
def rendered() -> tuple[dict[str, str], dict[str, str]]:
    """The generated modules of the example designs, and their contract tests."""
    return modules_and_contracts(load(sorted(ROOT.glob("designs/*.py")), root=ROOT))


def failure(sources: dict[str, str], tool: str) -> Exception | None:
    """What the contract test of a tool fails with, on these sources."""
    return failure_of(rendered()[1][tool], sources)


@cache
def reached(module: str) -> dict[str, set[str] | None]:
    """The tools whose contracts speak of a module, with the definitions in it that each reaches; None: all.

    Of a tool's module speaks its own contract, of a package's types those of all its tools.
    """
    modules, contracts = rendered()
    if module in contracts:
        return {module: None}
    tools = [tool for tool in contracts if tool.split(".")[0] == module.split(".")[0]]
    return {tool: reached_names(modules[module], set(re.findall(r"\w+", modules[tool]))) for tool in tools}


def survives(module: str, definition: str, source: str) -> bool:
    """Whether every contract test that reaches a definition passes on a module's changed source."""
    tools = [tool for tool, names in reached(module).items() if names is None or definition in names]
    return not any(failure({**rendered()[0], module: source}, tool) for tool in tools)


@pytest.mark.parametrize("tool", rendered()[1])
def test_the_contract_holds_for_what_is_generated(tool: str) -> None:
    error = failure(rendered()[0], tool)
    if error is not None:
        raise error


@pytest.mark.once
@pytest.mark.parametrize("module", [*rendered()[1], *(name for name in rendered()[0] if name.endswith(".types"))])
def test_every_fault_is_caught(module: str) -> None:
    names = set().union(*(names or () for names in reached(module).values())) or None
    made = list(faults(rendered()[0][module], names))
    assert made
    assert [label for label, source in made if survives(module, label.split(":")[0], source)] == []
