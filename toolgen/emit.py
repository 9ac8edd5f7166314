"""shapes → source files, through the templates.

Decisions are made before this point and spelled by ``views``; here a module is printed, laid out as black would do it
(by black itself where that cannot be said), and compiled. The same program gives the same bytes on every machine:
nothing of time, host, path or hash order goes in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from toolgen import ir, shapes
from toolgen.handlersmodule import handlers_name, handlers_parts
from toolgen.layout import laid_out
from toolgen.literals import docstring, json_literal, text_literal
from toolgen.runtime.interface import INTERFACE
from toolgen.scope import Scope
from toolgen.spell import Speller
from toolgen.toolmodule import ToolModule, tool_module_names
from toolgen.views import ClassView, Line, Pair, ShapePrinter

if TYPE_CHECKING:
    import jinja2


@dataclass(frozen=True, slots=True)
class Options:
    """What shapes the output beside the design.

    ``line_length`` in columns. ``import_root`` is the dotted name under which the output folder is imported, which
    contract tests need. ``formatted``: whether the code is laid out to be read; code that is only run need not be.
    """

    line_length: int = 88
    import_root: str | None = None
    formatted: bool = True


@dataclass(frozen=True, slots=True)
class Rendered:
    """One generated file: its text, and what it was made from.

    ``source`` is the design file, None for what belongs to all of them; ``toolset`` and ``tool`` are wire names;
    ``line`` is where the design declares the tool or the toolset.
    """

    text: str
    source: str | None = None
    toolset: str | None = None
    tool: str | None = None
    line: int | None = None

    @property
    def sha256(self) -> str:
        """The digest of the text in UTF-8."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def render(program: ir.Program, options: Options) -> dict[str, Rendered]:
    """All generated files, by path relative to the output folder.

    Raises:
        SyntaxError: a template gave text that is no Python; no design can cause it.
    """
    renderer = Renderer(program, options)
    return {path: file for task in renderer.tasks() for path, file in renderer.files(task)}


def render_contracts(program: ir.Program, options: Options) -> dict[str, Rendered]:
    """The contract test of every tool, by path relative to the folder of contract tests.

    Their names hold the toolset's, so that no two in one folder meet under pytest's default import mode.

    Raises:
        Unmade: no valid input of a tool can be made up, and its design gives no example of one.
    """
    renderer = Renderer(program, options)
    return {path: file for task in renderer.contract_tasks() for path, file in renderer.files(task)}


@dataclass(frozen=True, slots=True)
class Task:
    """A part of the output that is rendered by itself: of a package, of a tool in it, or of a tool's contract test.

    ``package`` and ``tool`` count in design order. Without a package, what all of them share.
    """

    package: int | None = None
    tool: int | None = None
    is_contract: bool = False


class Renderer:
    """Renders a program part by part, in any order."""

    def __init__(self, program: ir.Program, options: Options) -> None:
        self.program = program
        self.options = options
        self._types: dict[int, shapes.TypesShape] = {}

    def tasks(self) -> list[Task]:
        """All parts of the generated package."""
        packages = (task for number in range(len(self.program.packages)) for task in self._package_tasks(number))
        return [Task(), *packages]

    def contract_tasks(self) -> list[Task]:
        """All contract tests."""
        packages = range(len(self.program.packages))
        return [Task(number, tool, is_contract=True) for number in packages for tool in range(len(self._tools(number)))]

    def files(self, task: Task) -> Iterator[tuple[str, Rendered]]:
        """The files of one part, by path in their own folder. Raises SyntaxError, Unmade."""
        if task.package is None:
            yield "__init__.py", Rendered(_module("root.py.jinja", self.options))
            yield "py.typed", Rendered("")
            return
        package = self.program.packages[task.package]
        if task.tool is None:
            for name, file in self._package_files(package, self._types_of(task.package)):
                yield f"{package.name}/{name}", file
            return
        tool = self._tools(task.package)[task.tool]
        if task.is_contract:
            yield f"test_contract_{package.name}_{tool.module}.py", self._contract(package, tool)
        else:
            yield f"{package.name}/{tool.module}.py", self._tool_file(package, tool, self._types_of(task.package))

    def _tools(self, number: int) -> tuple[ir.Tool, ...]:
        toolset = self.program.packages[number].toolset
        return toolset.tools if toolset else ()

    def _package_tasks(self, number: int) -> Iterator[Task]:
        yield Task(number)
        yield from (Task(number, tool) for tool in range(len(self._tools(number))))

    def _types_of(self, number: int) -> shapes.TypesShape:
        if number not in self._types:
            self._types[number] = shapes.types_shape(self.program.packages[number], self.program)
        return self._types[number]

    def _package_files(self, package: ir.Package, types: shapes.TypesShape) -> Iterator[tuple[str, Rendered]]:
        toolset = package.toolset
        toolset_name, line = (toolset.name, toolset.location.line) if toolset else (None, 1)
        init = _package_init(package, self.options)
        yield "__init__.py", Rendered(init, package.source, toolset_name, line=line)
        if types.enums or types.records or types.unions:
            text = _types_module(types, package, self.program, self.options)
            yield "types.py", Rendered(text, package.source, toolset_name, line=line)
        if toolset is not None:
            text = _module("handlers.py.jinja", self.options, **handlers_parts(toolset, self.options.line_length))
            yield "handlers.py", Rendered(text, package.source, toolset_name, line=line)

    def _tool_file(self, package: ir.Package, tool: ir.Tool, types: shapes.TypesShape) -> Rendered:
        text = _tool_module(shapes.tool_shape(tool), types, package, self.program, self.options)
        toolset = package.toolset.name if package.toolset else None
        return Rendered(text, package.source, toolset, tool.name, tool.location.line)

    def _contract(self, package: ir.Package, tool: ir.Tool) -> Rendered:
        from toolgen.contract import contract_data

        root = self.options.import_root
        module = f"{root}.{package.name}" if root else package.name
        data = contract_data(tool, self.program)
        text = _module("contract_test.py.jinja", self.options, data=data, package=module)
        return Rendered(text, package.source, package.name, tool.name, tool.location.line)


def _package_init(package: ir.Package, options: Options) -> str:
    toolset = package.toolset
    description = toolset.description if toolset else f"Types that {package.source} defines."
    width = options.line_length
    if toolset is None:
        return _module("shared.py.jinja", options, doc=docstring(description, 0, width), interface=INTERFACE)
    return _module(
        "toolset.py.jinja",
        options,
        doc=docstring(description, 0, width),
        interface=INTERFACE,
        name=text_literal(toolset.name),
        description=text_literal(toolset.description),
        tools=[_tool_entry(tool) for tool in toolset.tools if tool.submit is None],
        submits=[_tool_entry(tool) for tool in toolset.tools if tool.submit is not None],
        submodules=sorted({tool.module for tool in toolset.tools}),
        handlers=handlers_name(toolset),
        handlers_text=text_literal(handlers_name(toolset)),
    )


def _tool_entry(tool: ir.Tool) -> Pair:
    return Pair(text_literal(tool.name), text_literal(tool.module))


def _types_module(types: shapes.TypesShape, package: ir.Package, program: ir.Program, options: Options) -> str:
    scope = Scope(_types_names(types))
    printer = ShapePrinter(Speller(scope, program, package.name, types.unions, in_types=True), options.line_length)
    classes = [*map(printer.dataclass, types.records), *map(printer.body, types.records), *map(printer.arm, types.arms)]
    builds = [*map(printer.from_body, types.records), *map(printer.arm_from_body, types.arms)]
    functions = [*map(printer.to_body, types.records), *map(printer.arm_to_body, types.arms)]
    dispatches = [f(union) for union in types.unions for f in (printer.union_from_body, printer.union_to_body)]
    enums = [_enum_class(enumeration, printer) for enumeration in types.enums]
    unions = list(map(printer.union_alias, types.unions))
    type_alias = scope.use("typing", "TypeAlias") if unions else ""
    return _module(
        "types.py.jinja",
        options,
        doc=docstring(f"Types that the tools of {package.name} share.", 0, options.line_length),
        enums=enums,
        classes=classes,
        unions=unions,
        type_alias=type_alias,
        builds=builds,
        functions=functions,
        dispatches=dispatches,
        aliases=scope.aliases,
        imports=scope.import_lines(),
    )


def _types_names(types: shapes.TypesShape) -> Iterator[str]:
    yield from (e.key.name for e in types.enums)
    for shape in types.records:
        yield from (shape.name, shape.body, shape.from_body, shape.to_body)
    yield from (name for arm in types.arms for name in (arm.body, arm.from_body, arm.to_body))
    yield from (name for union in types.unions for name in (union.body, union.from_body, union.to_body))


def _enum_class(enumeration: ir.Enumeration, printer: ShapePrinter) -> ClassView:
    base = printer.scope.use("enum", "Enum")
    lines = tuple(Line(f"{name} = {json_literal(value)}") for name, value in enumeration.members)
    return ClassView(None, f"{enumeration.key.name}({base})", printer.doc(enumeration.description), lines)


def _tool_module(
    shape: shapes.ToolShape, types: shapes.TypesShape, package: ir.Package, program: ir.Program, options: Options
) -> str:
    scope = Scope(tool_module_names(shape))
    speller = Speller(scope, program, package.name, types.unions, in_types=False)
    parts = ToolModule(shape, ShapePrinter(speller, options.line_length)).parts()
    return _module("tool.py.jinja", options, imports=scope.import_lines(), aliases=scope.aliases, **parts)


def _module(template: str, options: Options, **parts: object) -> str:
    """One Python file: printed, formatted, and compiled so that a fault never reaches a disk."""
    text = _environment().get_template(template).render(**parts)
    if options.formatted:
        text = laid_out(text, options.line_length) or _formatted(text, options.line_length)
    text = _HEADER + text
    compile(text, template.removesuffix(".jinja"), "exec", dont_inherit=True)
    return text


_HEADER = """\
# Generated by toolgen. Do not edit: change the design, then run `toolgen generate`.
# fmt: off
# isort: skip_file
# ruff: noqa
"""


def _formatted(text: str, line_length: int) -> str:
    """The text as black has it, at some 40 ms a file."""
    import black
    from black.mode import TargetVersion

    mode = black.Mode(line_length=line_length, target_versions={TargetVersion.PY311})
    return black.format_str(text, mode=mode)


def templates_folder() -> Path:
    """The templates: in the package where it is installed, at the root of the repo in a checkout."""
    packaged = Path(__file__).with_name("templates")
    return packaged if packaged.is_dir() else Path(__file__).parents[1] / "templates"


@cache
def _environment() -> jinja2.Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_folder()),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Python source, not HTML; every hole is filled with a printed literal or a checked name
    )
