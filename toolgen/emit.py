"""shapes → source files, through the templates.

Decisions are made before this point and spelled by ``views``; here a module is printed, laid out as black would do it
(by black itself where that cannot be said), and read by Python. The same program gives the same bytes on every machine:
nothing of time, host, path or hash order goes in.
"""

from __future__ import annotations

import hashlib
import symtable
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from toolgen import ir, shapes
from toolgen.handlersmodule import handlers_name, handlers_parts
from toolgen.layout import laid_out
from toolgen.literals import docstring, json_literal, text_literal
from toolgen.plain import Plain
from toolgen.runtime.interface import INTERFACE
from toolgen.scope import Scope
from toolgen.spell import Speller
from toolgen.tasks import Part, Source, Task, Tasks
from toolgen.toolmodule import ToolModule, tool_module_names
from toolgen.views import ClassView, Line, Pair, ShapePrinter


class Options(Plain, frozen=True):
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
    ``line`` is where the design declares the tool or the toolset; ``digest`` is what the text is known by.
    """

    text: str
    source: str | None = None
    toolset: str | None = None
    tool: str | None = None
    line: int | None = None
    digest: str | None = field(default=None, compare=False)

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
    return {task.path: renderer.file(task, renderer.text(task)) for task in renderer.tasks.of_output()}


def render_contracts(program: ir.Program, options: Options) -> dict[str, Rendered]:
    """The contract test of every tool, by path relative to the folder of contract tests.

    Raises:
        Unmade: no valid input of a tool can be made up, and its design gives no example of one.
    """
    renderer = Renderer(program, options)
    return {task.path: renderer.file(task, renderer.text(task)) for task in renderer.tasks.of_contracts()}


class Renderer:
    """Renders a program file by file, in any order."""

    def __init__(self, program: ir.Program, options: Options) -> None:
        self.tasks = Tasks(program)
        self.options = options

    def text(self, task: Task) -> str:
        """The text of a task's file. Raises SyntaxError, Unmade."""
        if task.package is None:
            return _module("root.py.jinja", self.options) if task.part is Part.ROOT else ""
        return _PRINTERS[task.part](task, self.tasks.source(task), self.options)

    def digest(self, task: Task) -> str:
        """What a task's text is known by: with the code that prints it, all that the text depends on."""
        return hashlib.sha256(f"{self.options!r}\0{self.tasks.digest(task)}".encode()).hexdigest()

    def file(self, task: Task, text: str, digest: str | None = None) -> Rendered:
        """The file of a task, which has this text."""
        package = task.package
        if package is None:
            return Rendered(text, digest=digest)
        toolset, line = (package.toolset.name, package.toolset.location.line) if package.toolset else (None, 1)
        tool = None
        if task.tool is not None:
            tool, line = task.tool.name, task.tool.location.line
        return Rendered(text, package.source, toolset, tool, line, digest)


def _package_init(task: Task, source: Source, options: Options) -> str:
    package, toolset = source.package, source.package.toolset
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


def _types_module(task: Task, source: Source, options: Options) -> str:
    types, name = source.types, source.package.name
    scope = Scope(_types_names(types))
    printer = ShapePrinter(Speller(scope, source.program, name, types.unions, in_types=True), options.line_length)
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
        doc=docstring(f"Types that the tools of {name} share.", 0, options.line_length),
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


def _handlers_module(task: Task, source: Source, options: Options) -> str:
    assert source.package.toolset is not None
    return _module("handlers.py.jinja", options, **handlers_parts(source.package.toolset, options.line_length))


def _tool_module(task: Task, source: Source, options: Options) -> str:
    assert task.tool is not None
    shape = shapes.tool_shape(task.tool)
    scope = Scope(tool_module_names(shape))
    speller = Speller(scope, source.program, source.package.name, source.types.unions, in_types=False)
    parts = ToolModule(shape, ShapePrinter(speller, options.line_length)).parts()
    return _module("tool.py.jinja", options, imports=scope.import_lines(), aliases=scope.aliases, **parts)


def _contract_test(task: Task, source: Source, options: Options) -> str:
    from toolgen.contract import contract_data

    assert task.tool is not None
    root, name = options.import_root, source.package.name
    data = contract_data(task.tool, source.program)
    return _module("contract_test.py.jinja", options, data=data, package=f"{root}.{name}" if root else name)


_PRINTERS: dict[Part, Callable[[Task, Source, Options], str]] = {
    Part.PACKAGE: _package_init,
    Part.TYPES: _types_module,
    Part.HANDLERS: _handlers_module,
    Part.TOOL: _tool_module,
    Part.CONTRACT: _contract_test,
}


def _module(file: str, options: Options, **parts: object) -> str:
    """One Python file: printed, formatted, and read by Python so that a fault never reaches a disk.

    Python reads it as far as to what its names stand for, which is all that the texts and names of a design can spoil,
    at half of what compiling takes. Raises SyntaxError.
    """
    from toolgen.templating import template

    text = template(file).render(**parts)
    if options.formatted:
        text = laid_out(text, options.line_length) or _formatted(text, options.line_length)
    text = _HEADER + text
    symtable.symtable(text, file.removesuffix(".jinja"), "exec")
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
