"""Design files → the intermediate representation, with every design error located and reported at once."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from toolgen import dsl, ir
from toolgen.design import classes, filling, rules, texts, undeclared, unions
from toolgen.design.bounds import describe
from toolgen.design.catalog import Catalog, package_of
from toolgen.design.fields import Draft, FieldReader, judge_keep_null
from toolgen.design.marks import is_closed, rule_of
from toolgen.design.matching import Matcher
from toolgen.design.problems import DesignError, Place, Problem, Problems
from toolgen.design.recursion import ends, terminable
from toolgen.design.running import Source, Sources
from toolgen.design.tools import (
    ToolDraft,
    ToolReader,
    join_continuations,
    judge_bounded,
    named_twice,
)
from toolgen.design.values import Values
from toolgen.design.wire import Writer
from toolgen.names import RESERVED_PACKAGES, folded, is_package_name, of_tool, of_type
from toolgen.runtime.continuations import CURSOR
from toolgen.runtime.told import REASONING
from toolgen.schema import page_fields

__all__ = ["DesignError", "Problem", "load"]

_MODEL = frozenset({ir.Role.MODEL})
_RECORD_OPTIONS = ("closed", "also", "submit")


def load(paths: Sequence[Path], *, root: Path) -> ir.Program:
    """Run the design files at ``paths`` and read what they declare.

    ``root`` is the project's folder: designs may import from it, and files are named relative to it. A design file that
    another imports is read too. The answer does not depend on the order of ``paths``.

    Raises:
        DesignError: something is wrong with a design. It holds every problem of all of them.
    """
    problems = Problems()
    sources = Sources(root, problems)
    designs = [source for path in _files(paths, sources, problems) if (source := sources.run(path)) is not None]
    try:
        program = _Loading(sources, problems).program(designs)
    except Exception as error:
        if not sources.blame(error):
            raise
        problems.raise_any()
        raise
    problems.raise_any()
    return program


def _files(paths: Sequence[Path], sources: Sources, problems: Problems) -> list[Path]:
    """The paths that can be run, in an order of their own."""
    files: dict[str, Path] = {}
    for path in paths:
        place = Place(ir.Location(sources.show(path), 1))
        if not path.exists():
            problems.add(place, "there is no such file", "Name a design file.")
        elif path.is_dir():
            problems.add(place, "this is a folder", "Name the design files in it.")
        elif path.suffix != ".py":
            problems.add(place, "a design is a Python file, with a name that ends in .py", "Name such a file.")
        else:
            files.setdefault(os.path.realpath(path), path)
    return [files[real] for real in sorted(files)]


class _Record(Struct):
    cls: type[dsl.Record]
    record: ir.Record
    fields: list[Draft]


class _Toolset(Struct):
    toolset: dsl.Toolset
    place: Place
    tools: list[ToolDraft] = field(default_factory=list)


class _Package(Struct):
    source: Source
    place: Place
    name: str
    toolset: _Toolset | None
    records: list[_Record] = field(default_factory=list)
    enums: tuple[ir.Enumeration, ...] = ()


class _Loading:
    """The state of one load. Each step goes over all packages, since a type of one may need those of another."""

    def __init__(self, sources: Sources, problems: Problems) -> None:
        self._sources = sources
        self._problems = problems
        self._catalog = Catalog(sources, problems)
        self._fields = FieldReader(sources, self._catalog, problems)
        self._tools = ToolReader(sources, self._catalog, self._fields, problems)
        self._packages: list[_Package] = []

    def program(self, designs: Sequence[Source]) -> ir.Program:
        """What the designs say. It is whole only if no problem was found."""
        for source in designs:
            if not source.toolsets and not source.records:
                place = Place(source.location(1))
                self._problems.add(place, "the file declares no toolset and no Record", "Declare a Toolset.")
        for source in list(self._sources.by_path.values()):
            if source.state == "done" and (source.toolsets or source.records):
                self._catalog.need(source)
        for source in self._catalog.needed():
            self._read(source)
        undeclared.judge(list(self._catalog.needed()), self._problems)
        for package in self._packages:
            package.enums = self._catalog.enums_of(package.source) if package.name == self._home(package) else ()
        self._judge_package_names()
        self._judge_derived_names()
        self._settle()
        return self._finish()

    def _home(self, package: _Package) -> str:
        return self._catalog.package(package.source)

    # --- reading --------------------------------------------------------------------------------------------------

    def _read(self, source: Source) -> None:
        self._judge_repeated(source)
        first = True
        toolsets: list[dsl.Toolset | None] = [*source.toolsets]
        for toolset in toolsets or [None]:
            package = self._read_package(source, toolset)
            if first:
                package.records = [found for cls in source.records if (found := self._read_record(cls)) is not None]
            first = False
            self._packages.append(package)

    def _read_package(self, source: Source, toolset: dsl.Toolset | None) -> _Package:
        if toolset is None:
            place = Place(source.location(1))
            if not is_package_name(source.stem):
                rule = f"the file's types would stand in a package named {source.stem!r}, which can't be"
                self._problems.add(place, rule, "Rename the file, or declare a Toolset in it.")
            return _Package(source, place, source.stem, None)
        name = package_of(toolset)
        place = Place(source.location(toolset.spot.line), toolset=name)
        report = self._problems.at(place)
        if name in RESERVED_PACKAGES:
            rule = f"the toolset's name {name} is that of a package that generated code imports itself"
            report(rule, "Choose another.")
        elif not isinstance(toolset.name, str) or not is_package_name(name):
            rule = f"the toolset's name {toolset.name!r} can't name a Python package"
            report(rule, "Give a name of letters, digits and underscores that starts with a letter and is no keyword.")
        texts.description(toolset.description, "the toolset", 'Write Toolset("name", "What it is for.").', report)
        read = _Toolset(toolset, place)
        drafts = (self._tools.read(mark, name, name, source) for mark in toolset.marks)
        read.tools = [draft for draft in drafts if draft is not None]
        join_continuations(read.tools, self._problems)
        return _Package(source, place, name, read)

    def _read_record(self, cls: type[dsl.Record]) -> _Record | None:
        if "." in classes.qualified_name(cls):
            return None
        place = self._catalog.place(cls)
        report = self._problems.at(place)
        key = self._catalog.record(cls, report)
        if key is None:
            return None
        mark = cls.__toolgen_record__
        texts.known_options(mark.unknown, _RECORD_OPTIONS, report)
        texts.flag(mark.closed, "closed", report)
        submit = mark.submit
        if not isinstance(submit, dsl.Submit | None):
            report(f"submit is {texts.shown(submit)}", "Write submit=Submit(...).")
        description = texts.docstring(cls, "the Record", report)
        fields = self._fields.read(cls, place, _MODEL, "a Record")
        also = rules.read_object(rule_of(cls), report)
        return _Record(cls, ir.Record(key, description, (), is_closed(cls), also, place.location), fields)

    # --- names ----------------------------------------------------------------------------------------------------

    def _judge_repeated(self, source: Source) -> None:
        for name, lines in source.outline.repeated.items():
            for line in lines[1:]:
                rule = f"the class {name} is declared twice, first in line {lines[0]}"
                self._problems.add(Place(source.location(line)), rule, "Name one of them otherwise.")

    def _judge_package_names(self) -> None:
        seen: dict[str, _Package] = {}
        for package in sorted(self._packages, key=lambda p: (p.source.shown, p.place.location.line)):
            first = seen.setdefault(package.name.casefold(), package)
            if first is not package:
                where = f"{first.place.location.file}:{first.place.location.line}"
                rule = f"the package {package.name} meets the one that {where} makes"
                self._problems.add(package.place, rule, "Name one of the toolsets or files otherwise.")

    def _judge_derived_names(self) -> None:
        for package in self._packages:
            tools = package.toolset.tools if package.toolset else []
            for first, second in named_twice(tools).values():
                rule = f"the name {second.tool.name} meets that of the tool in line {first.place.location.line}"
                if first.tool.name != second.tool.name:
                    rule += f", {first.tool.name}: both would be generated as {first.tool.module}.py"
                self._problems.add(second.place, rule, "Give one of them another name=.")
            tools = list(self._of_own_classes(tools))
            owners = [
                (r.record.key.name, self._catalog.place(r.cls), of_type(r.record.key.name)) for r in package.records
            ]
            owners += [(e.key.name, Place(e.location, record=e.key.name), of_type(e.key.name)) for e in package.enums]
            owners += [(t.tool.class_name, t.place, of_tool(t.tool.class_name)) for t in tools]
            self._judge_owners(
                sorted(owners, key=lambda owner: owner[1].location.line), package.source.outline.repeated
            )

    def _of_own_classes(self, tools: Iterable[ToolDraft]) -> Iterator[ToolDraft]:
        """The tools without those whose class is another tool already, which are reported."""
        seen: dict[int, str] = {}
        for draft in tools:
            first = seen.setdefault(id(draft.declared), draft.tool.name)
            if first == draft.tool.name:
                yield draft
                continue
            declared = draft.declared
            rule = f"its class {declared.__name__} is the tool {first} already"
            is_record = issubclass(declared, dsl.Record)
            response = f", which says Response = {declared.__name__}" if is_record else ""
            self._problems.add(draft.place, rule, f"Declare this one by a class of its own{response}.")

    def _judge_owners(self, owners: Iterable[tuple[str, Place, Sequence[str]]], repeated: Collection[str]) -> None:
        """Report classes whose generated names meet. Of a class declared twice that is reported already."""
        seen: dict[str, tuple[str, Place]] = {}
        for name, place, derived in owners:
            met = [(one, seen[folded(one)]) for one in derived if folded(one) in seen]
            if met and not (name in repeated and met[0][1][0] == name):
                one, (other, where) = met[0]
                rule = f"{name} and {other} in line {where.location.line} meet: code for both would have the name {one}"
                self._problems.add(place, rule, "Name one of the classes otherwise.")
            seen.update({folded(one): (name, place) for one in derived if folded(one) not in seen})

    # --- types ----------------------------------------------------------------------------------------------------

    def _drafts(self) -> Iterable[list[Draft]]:
        for package in self._packages:
            for record in package.records:
                yield record.fields
            for tool in package.toolset.tools if package.toolset else []:
                yield tool.fields
                if tool.result is not None:
                    yield tool.result.fields

    def _settle(self) -> None:
        """Find the tags of unions, and judge what depends on whole types."""
        fields = self._fields_by_key()
        enums = {e.key: [value for _, value in e.members] for package in self._packages for e in package.enums}
        for drafts in self._drafts():
            for index, draft in enumerate(drafts):
                report = self._problems.at(draft.place)
                type_ = unions.settle(draft.field.type, fields, enums, report)
                if type_ is not draft.field.type:
                    draft = replace(draft, field=draft.field.replace(type=type_))
                drafts[index] = judge_keep_null(draft, self._takes_null(type_), report)
                rules.judge_field(draft.field, describe, report)
                rules.judge_missing(draft.field, self._takes_null(type_), report)
        for package in self._packages:
            for tool in package.toolset.tools if package.toolset else []:
                if tool.result is not None:
                    report = self._problems.at(tool.result.place)
                    tool.result.type = unions.settle(tool.result.type, fields, enums, report)
        self._judge_bounded(fields)
        self._bind(fields, enums)
        self._judge_endless()

    def _bind(
        self, fields: Mapping[ir.TypeKey, Sequence[ir.Field]], enums: Mapping[ir.TypeKey, Sequence[object]]
    ) -> None:
        matcher = Matcher(fields, enums, lambda cls: self._sources.of_class(cls).module.__dict__)
        for package in self._packages:
            for draft in package.toolset.tools if package.toolset else []:
                if draft.function is not None and all(d.sound for d in draft.fields):
                    tool = draft.tool.replace(fields=tuple(d.field for d in draft.fields))
                    result = draft.given_result.type if draft.given_result is not None else None
                    report = self._problems.at(draft.place)
                    binding = matcher.binding(tool, result, draft.function, report)
                    draft.tool = draft.tool.replace(binding=binding)

    def _judge_bounded(self, fields: Mapping[ir.TypeKey, Sequence[ir.Field]]) -> None:
        for package in self._packages:
            for tool in package.toolset.tools if package.toolset else []:
                type_ = tool.given_result.type if tool.given_result is not None else None
                judge_bounded(
                    tool, fields.get(type_.key, ()) if isinstance(type_, ir.RecordRef) else (), self._problems
                )

    def _takes_null(self, type_: ir.Type) -> bool:
        match type_:
            case ir.Nullable() | ir.Anything():
                return True
            case ir.Choice(values):
                return None in values
            case ir.EnumRef(key):
                return self._catalog.has_none(key)
            case ir.Union(arms):
                return any(map(self._takes_null, arms))
            case _:
                return False

    def _judge_endless(self) -> None:
        finite = terminable(self._fields_by_key())
        for package in self._packages:
            for record in package.records:
                if record.record.key not in finite:
                    endless = next(d for d in record.fields if not _field_ends(d.field, finite))
                    rule = f"no value of {record.cls.__name__} can end: it requires {describe(endless.field.type)}"
                    self._problems.add(endless.place, rule, "Make the field optional, nullable or a list.")

    def _fields_by_key(self) -> Mapping[ir.TypeKey, Sequence[ir.Field]]:
        found = {r.record.key: [d.field for d in r.fields] for p in self._packages for r in p.records}
        for package in self._packages:
            for tool in package.toolset.tools if package.toolset else []:
                if tool.result is not None and tool.result.record is not None:
                    found[tool.result.record.key] = [draft.field for draft in tool.result.fields]
        return found

    # --- values ---------------------------------------------------------------------------------------------------

    def _finish(self) -> ir.Program:
        """The program with its values, which are judged in the program without them."""
        bare = self._build(None)
        program = self._build(Values(bare, Writer(self._catalog, self._fields_by_key()), self._problems))
        self._judge_rules(program)
        filling.judge(program, self._problems)
        return program

    def _judge_rules(self, program: ir.Program) -> None:
        """Report rules that what decodes may not hold to when it is encoded again."""
        objects: list[tuple[ir.Record | ir.Tool, Place]] = [
            (program.records[r.record.key], self._catalog.place(r.cls)) for p in self._packages for r in p.records
        ]
        drafts = {d.tool.location: d for p in self._packages if p.toolset for d in p.toolset.tools}
        for tool in (tool for package in program.packages if package.toolset for tool in package.toolset.tools):
            draft = drafts[tool.location]
            self._judge_added(tool, draft, program)
            if tool.continues is None and tool.submit is None:  # else it is judged where it was written
                objects.append((tool, draft.place))
            if tool.result_record is not None:
                objects.append((tool.result_record, draft.place))
        for found, place in objects:
            if found.also is not None:
                keys = rules.keys_of(found.fields, found.closed, program)
                rules.judge_object(found.also, keys, self._problems.at(place))

    def _judge_added(self, tool: ir.Tool, draft: ToolDraft, program: ir.Program) -> None:
        """Report rules that reach keys which an object is given beside those that it was declared with."""
        report = self._problems.at(draft.place)
        if tool.continues is not None and tool.also is not None:
            rules.judge_added(tool.also, (CURSOR,), f"the continuation of {tool.continues}", report)
        if tool.bounded is not None and draft.result is not None and isinstance(tool.result, ir.RecordRef):
            rule = program.records[tool.result.key].also
            if rule is not None:
                rules.judge_added(rule, [f.wire for f in page_fields(tool.bounded)], "bounded=", report)

        if tool.submit is not None and tool.submit.flat and tool.submit.reasoning and tool.also is not None:
            rules.judge_added(tool.also, (REASONING,), "the submit", report)

    def _build(self, values: Values | None) -> ir.Program:
        packages = [
            ir.Package(
                name=package.name,
                source=package.source.relative,
                toolset=self._build_toolset(package.toolset, values) if package.toolset else None,
                records=tuple(r.record.replace(fields=_fields(r.fields, values)) for r in package.records),
                enums=package.enums,
            )
            for package in self._packages
        ]
        return ir.Program(tuple(sorted(packages, key=lambda package: package.name)))

    def _build_toolset(self, read: _Toolset, values: Values | None) -> ir.Toolset:
        tools = tuple(self._build_tool(draft, values) for draft in read.tools)
        description = read.toolset.description
        text = texts.cleaned(description) if isinstance(description, str) else ""
        return ir.Toolset(read.place.toolset or "", text, tools, read.place.location)

    def _build_tool(self, draft: ToolDraft, values: Values | None) -> ir.Tool:
        result = draft.given_result
        tool = draft.tool.replace(fields=_fields(draft.fields, values), result=result.type if result else None)
        if result is not None and result.record is not None and draft.result is None and draft.source is not None:
            tool = tool.replace(result_module=draft.source.tool.module)
        elif result is not None and result.record is not None:
            tool = tool.replace(result_record=result.record.replace(fields=_fields(result.fields, values)))
        example = draft.mark.options["example"]
        if values is not None and example is not None:
            tool = tool.replace(example=values.tool_example(tool, example, self._problems.at(draft.place)))
        elif example is None and tool.continues is not None:
            tool = tool.replace(example={})
        return tool


def _field_ends(declared: ir.Field, finite: set[ir.TypeKey]) -> bool:
    return declared.presence is not ir.Presence.REQUIRED or ends(declared.type, finite)


def _fields(drafts: Sequence[Draft], values: Values | None) -> tuple[ir.Field, ...]:
    if values is not None:
        return tuple(values.finish(draft) for draft in drafts)
    fields = (draft.field for draft in drafts)
    optional, default = ir.Presence.OPTIONAL, ir.Presence.DEFAULT
    return tuple(field.replace(presence=optional) if field.presence is default else field for field in fields)
