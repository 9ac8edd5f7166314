"""The files of the output, each a task by itself, and what each is printed from.

A file is printed from its ``Source`` alone. That makes it known by the digest of that: where an earlier run printed a
file from an equal one, its text is the same, whatever else has changed in the design or beside it.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterable, Iterator

from toolgen import ir, shapes
from toolgen.plain import Plain
from toolgen.walk import parts


class Part(enum.Enum):
    """What a file holds."""

    ROOT = "the output folder's __init__"
    MARKER = "py.typed"
    PACKAGE = "a package's __init__"
    TYPES = "types that tools share"
    HANDLERS = "the protocol of handlers"
    TOOL = "a tool"
    CONTRACT = "a contract test"


class Task(Plain, frozen=True):
    """One file: its path in its own folder, and what it is of."""

    part: Part
    path: str
    package: ir.Package | None = None
    tool: ir.Tool | None = None


class Source(Plain, frozen=True):
    """Everything that a file is printed from, beside the options and the code that prints it.

    ``program`` holds the types that can be reached, and of the tools only those that have to do with this file.
    """

    program: ir.Program
    package: ir.Package
    types: shapes.TypesShape


class Tasks:
    """The tasks of a program, and the sources of their files."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._named = {package.name: package for package in program.packages}
        self._types: dict[str, shapes.TypesShape] = {}
        self._reached: dict[str, tuple[ir.Package, ...]] = {}
        self._digests: dict[str, str] = {}
        self._texts: dict[int, str] = {}

    def of_output(self) -> list[Task]:
        """The files of the output folder."""
        shared = [Task(Part.ROOT, "__init__.py"), Task(Part.MARKER, "py.typed")]
        return [*shared, *(task for package in self._program.packages for task in self._of_package(package))]

    def of_contracts(self) -> list[Task]:
        """The contract tests. Their names hold the toolset's: no two meet under pytest's default import mode."""
        return [
            Task(Part.CONTRACT, f"test_contract_{package.name}_{tool.module}.py", package, tool)
            for package in self._program.packages
            for tool in _tools(package)
        ]

    def source(self, task: Task) -> Source:
        """What the file of a task in a package is printed from."""
        package = task.package
        assert package is not None
        mine = package.replace(toolset=self._seen(package, task))
        others = (mine if other is package else _without_tools(other) for other in self._reaches(package))
        return Source(ir.Program(tuple(others)), mine, self._types_of(package))

    def digest(self, task: Task) -> str:
        """The digest of a task and its source; equal ones have equal files, under equal options."""
        package, said = task.package, [repr(task.part), task.path]
        if package is not None:
            said += [repr(task.tool and task.tool.name), self._types_digest(package)]
            if (toolset := self._seen(package, task)) is not None:
                said += [repr(toolset.replace(tools=())), *map(self._text, toolset.tools)]
        return _digest("\0".join(said))

    def _of_package(self, package: ir.Package) -> Iterator[Task]:
        yield Task(Part.PACKAGE, f"{package.name}/__init__.py", package)
        types = self._types_of(package)
        if types.enums or types.records or types.unions:
            yield Task(Part.TYPES, f"{package.name}/types.py", package)
        if package.toolset is not None:
            yield Task(Part.HANDLERS, f"{package.name}/handlers.py", package)
        for tool in _tools(package):
            yield Task(Part.TOOL, f"{package.name}/{tool.module}.py", package, tool)

    def _types_of(self, package: ir.Package) -> shapes.TypesShape:
        if package.name not in self._types:
            self._types[package.name] = shapes.types_shape(package, self._program)
        return self._types[package.name]

    def _text(self, tool: ir.Tool) -> str:
        """All that is known of a tool. Several files see each."""
        if id(tool) not in self._texts:
            self._texts[id(tool)] = repr(tool)
        return self._texts[id(tool)]

    def _types_digest(self, package: ir.Package) -> str:
        """The digest of all that a package's files may see of types, and of which package it is."""
        if package.name not in self._digests:
            seen = [_without_tools(other) for other in self._reaches(package)]
            self._digests[package.name] = _digest(repr((package.name, seen, self._types_of(package).unions)))
        return self._digests[package.name]

    def _reaches(self, package: ir.Package) -> tuple[ir.Package, ...]:
        """The package, and those whose types its own are made of, in the program's order."""
        if package.name not in self._reached:
            found, waiting = {package.name}, [package]
            while waiting:
                beside = {*_named_packages(waiting.pop())} - found
                found |= beside
                waiting += [self._named[name] for name in beside]
            self._reached[package.name] = tuple(p for p in self._program.packages if p.name in found)
        return self._reached[package.name]

    def _seen(self, package: ir.Package, task: Task) -> ir.Toolset | None:
        """What a file sees of its package's tools: types none, a tool itself, its source and its continuations."""
        toolset = package.toolset
        if toolset is None or task.part is Part.TYPES:
            return None
        if task.tool is None:
            return toolset
        return toolset.replace(description="", tools=tuple(_related(task.tool, toolset.tools)))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()


def _tools(package: ir.Package) -> tuple[ir.Tool, ...]:
    return package.toolset.tools if package.toolset else ()


def _without_tools(package: ir.Package) -> ir.Package:
    return package.replace(toolset=None)


def _related(tool: ir.Tool, tools: Iterable[ir.Tool]) -> Iterator[ir.Tool]:
    for other in tools:
        if other is tool or other.name == tool.continues or other.continues == tool.name:
            yield other


def _named_packages(package: ir.Package) -> Iterator[str]:
    """The packages that hold the Records and enumerations which a package names."""
    for type_ in shapes.package_types(package):
        for part in parts(type_):
            if isinstance(part, ir.RecordRef | ir.EnumRef):
                yield part.key.package
    yield from (tool.submit.response.package for tool in _tools(package) if tool.submit is not None)
