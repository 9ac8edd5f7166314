"""Running generated contract tests on modules that stand in memory alone."""

from __future__ import annotations

import importlib.abc
import importlib.util
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any

from toolgen import ir
from toolgen.emit import Options, render, render_contracts


def modules_and_contracts(program: ir.Program) -> tuple[dict[str, str], dict[str, str]]:
    """The generated modules by dotted name, and the contract tests by that of the tool's module."""
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


def failure_of(contract: str, sources: Mapping[str, str]) -> Exception | None:
    """What a contract test fails with, on the sources of modules by dotted name."""
    with imported(sources) as root:
        namespace: dict[str, Any] = {"__name__": f"{root}_contract"}
        try:
            exec(compiled(contract.replace("from ROOT.", f"from {root}.")), namespace)
            for test in [value for name, value in namespace.items() if name.startswith("test_")]:
                test()
        except Exception as error:
            return error
    return None


@lru_cache(maxsize=256)  # what is changed in one test comes once
def compiled(source: str) -> CodeType:
    return compile(source, "<generated>", "exec", dont_inherit=True)


class Sources(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports modules from their sources in memory, under one root package."""

    def __init__(self, root: str, sources: Mapping[str, str]) -> None:
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
def imported(sources: Mapping[str, str]) -> Iterator[str]:
    root = "faulty"
    finder = Sources(root, sources)
    sys.meta_path.append(finder)
    try:
        yield root
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name == root or name.startswith(f"{root}.")]:
            del sys.modules[name]
