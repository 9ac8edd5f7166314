"""The contract tests are no ornament: each fault put into a generated module makes one of them fail."""

from __future__ import annotations

import importlib.abc
import importlib.util
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest
from module_faults import faults, reached_names

from toolgen.emit import Options, render, render_contracts
from toolgen.load import load

ROOT = Path(__file__).parents[1]


@cache
def rendered() -> tuple[dict[str, str], dict[str, str]]:
    """The generated modules of the example designs by dotted name, and their contract tests by that of the tool's."""
    program = load(sorted(ROOT.glob("designs/*.py")), root=ROOT)
    modules = {
        path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): file.text
        for path, file in render(program, Options()).items()
        if path.endswith(".py") and path != "__init__.py"
    }
    contracts = {}
    for file in render_contracts(program, Options(import_root="ROOT")).values():
        package, module = re.search(r"^from ROOT\.(\S+) import (\S+) as module$", file.text, re.MULTILINE).groups()  # type: ignore[union-attr]
        contracts[f"{package}.{module}"] = file.text
    return modules, contracts


@cache
def compiled(source: str) -> CodeType:
    return compile(source, "<generated>", "exec", dont_inherit=True)


class Sources(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports modules from their sources in memory, under one root package."""

    def __init__(self, root: str, sources: dict[str, str]) -> None:
        self._root = root
        self._sources = {root: "", **{f"{root}.{name}": source for name, source in sources.items()}}

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in self._sources:
            return None
        is_package = any(other.startswith(f"{name}.") for other in self._sources)
        return importlib.util.spec_from_loader(name, self, is_package=is_package)

    def exec_module(self, module: ModuleType) -> None:
        exec(compiled(self._sources[module.__name__]), module.__dict__)


@contextmanager
def imported(sources: dict[str, str]) -> Iterator[str]:
    root = "faulty"
    finder = Sources(root, sources)
    sys.meta_path.append(finder)
    try:
        yield root
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name == root or name.startswith(f"{root}.")]:
            del sys.modules[name]


def failure(sources: dict[str, str], tool: str) -> Exception | None:
    """What the contract test of a tool fails with, on these sources."""
    with imported(sources) as root:
        namespace: dict[str, Any] = {"__name__": f"{root}_contract"}
        try:
            exec(compiled(rendered()[1][tool].replace("from ROOT.", f"from {root}.")), namespace)
            for test in [value for name, value in namespace.items() if name.startswith("test_")]:
                test()
        except Exception as error:
            return error
    return None


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
