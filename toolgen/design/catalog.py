"""The Records and enumerations of all designs: who holds them, and under which name."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from typing import TypeAlias

from toolgen import dsl, ir
from toolgen.design import classes, texts
from toolgen.design.problems import Place, Problems, Report
from toolgen.design.running import Source, Sources
from toolgen.names import RESERVED_TYPES, is_clean_text, is_keyword, is_writable

_Reports: TypeAlias = Callable[[str | None], Report]
"""Where to report what is wrong with a member of an enumeration, by its name, or with the whole (None)."""


class Catalog:
    """Gives each Record and enumeration its key, and remembers which files are needed for them."""

    def __init__(self, sources: Sources, problems: Problems) -> None:
        self._sources = sources
        self._problems = problems
        self._needed: dict[str, Source] = {}
        self._records: dict[type[dsl.Record], ir.TypeKey] = {}
        self._enums: dict[type[enum.Enum], ir.Enumeration | None] = {}

    # --- packages -------------------------------------------------------------------------------------------------

    def need(self, source: Source) -> None:
        """Note that a package is to be made of a file."""
        self._needed.setdefault(source.real, source)

    def needed(self) -> Iterator[Source]:
        """The files that packages are made of. More may be noted while they are read."""
        done: set[str] = set()
        while open_ := [source for real, source in self._needed.items() if real not in done]:
            for source in open_:
                done.add(source.real)
                yield source

    @staticmethod
    def package(source: Source) -> str:
        """The package that holds a file's types: that of its first toolset, else one named after the file."""
        return package_of(source.toolsets[0]) if source.toolsets else source.stem

    # --- places ---------------------------------------------------------------------------------------------------

    def location(self, cls: type, near: int | None = None) -> ir.Location:
        """The line of a class statement; of a class made in another way, the line of its name, or where it was made."""
        source, name = self._sources.of_class(cls), classes.qualified_name(cls)
        lines = source.outline.find(name, near)
        if lines is not None:
            return source.location(lines.line)
        bound = next((bound for bound, value in source.module.__dict__.items() if value is cls), name)
        return source.location(near or source.outline.names.get(name) or source.outline.names.get(bound, 1))

    def place(self, cls: type) -> Place:
        mark = classes.body_of(cls).get("__toolgen_record__")
        near = mark.spot.line if isinstance(mark, dsl.RecordMark) else None
        return Place(self.location(cls, near), record=classes.name_of(cls))

    # --- types ----------------------------------------------------------------------------------------------------

    def record(self, cls: type[dsl.Record], report: Report) -> ir.TypeKey | None:
        """The key of a Record that a field names."""
        if cls is dsl.Record:
            report("Record itself is not a type of the design language", "Declare a class X(Record), and name that.")
            return None
        if "." in classes.qualified_name(cls):
            report(f"the Record {cls.__qualname__} does not stand at module level", "Move it to module level.")
            return None
        if not self.is_plain(cls, report):
            return None
        if cls not in self._records:
            source = self._home(cls, "Record", report)
            if source is None:
                return None
            if "__toolgen_record__" not in cls.__dict__:
                report(
                    f"the Record {cls.__name__} was made without what Record does for its heirs",
                    "Call super().__init_subclass__(**options) where __init_subclass__ is written.",
                )
                return None
            self.need(source)
            self._records[cls] = ir.TypeKey(self.package(source), cls.__name__)
            self._judge_name(cls, self._problems.at(self.place(cls)))
        return self._records[cls]

    def is_plain(self, cls: type, report: Report) -> bool:
        """Whether a class has no metaclass that may make anything of it; reported where it has one."""
        maker = classes.maker_of(cls)
        if maker is not None:
            report(f"the class {classes.name_of(cls)} has the metaclass {maker}", "Leave metaclass= out.")
        return maker is None

    def _home(self, cls: type, what: str, report: Report) -> Source | None:
        source = self._sources.home(cls)
        if source is not None and source.defines(cls):
            return source
        module = classes.body_of(cls).get("__module__")
        rule = f"the {what} {cls.__name__} says that it is of the module {texts.shown(module)}, where it is not"
        report(rule, "Leave __module__ out of it.")
        return None

    def record_class(self, cls: type) -> ir.TypeKey | None:
        """The key of a Record that is already known."""
        return self._records.get(cls)

    def enumeration(self, cls: type[enum.Enum], report: Report) -> ir.TypeKey | None:
        """The key of an enumeration that a field names. What is wrong with it is reported where it stands."""
        if "." in cls.__qualname__:
            report(f"the enumeration {cls.__qualname__} does not stand at module level", "Move it to module level.")
            return None
        if cls not in self._enums:
            source = self._home(cls, "enumeration", report)
            if source is None:
                return None
            reports: _Reports = self._reports(cls) if source.state != "library" else lambda _: report
            self._judge_name(cls, reports(None))
            self.need(source)
            self._enums[cls] = self._read_enum(cls, reports)
        found = self._enums[cls]
        return None if found is None else found.key

    def enum_class(self, key: ir.TypeKey) -> type[enum.Enum] | None:
        return next((cls for cls, found in self._enums.items() if found is not None and found.key == key), None)

    def has_none(self, key: ir.TypeKey) -> bool:
        """Whether an enumeration holds None."""
        return any(found and found.key == key and _has_none(found) for found in self._enums.values())

    def enums_of(self, source: Source) -> tuple[ir.Enumeration, ...]:
        """All enumerations that a file defines and JSON can hold, in order of their lines; the unused ones too.

        So what a package holds does not depend on which designs use it. One that has no name in the module is there
        because it is used.
        """
        named = [v for v in source.module.__dict__.values() if isinstance(v, type) and issubclass(v, enum.Enum)]
        mine = dict.fromkeys(c for c in named if self._sources.home(c) is source and _is_usable(c))
        mine |= dict.fromkeys(c for c in self._enums if self._sources.home(c) is source)
        for cls in mine:
            if cls not in self._enums:
                self._enums[cls] = self._read_enum(cls, lambda _: _silent)
        found = [self._enums[cls] for cls in sorted(mine, key=lambda c: self.location(c).line)]
        return tuple(enumeration for enumeration in found if enumeration is not None)

    def _judge_name(self, cls: type, report: Report) -> None:
        name = cls.__name__
        if not name.isidentifier() or is_keyword(name):
            report(f"the name {name!r} is no identifier", "Name the class with letters and digits.")
        elif name.startswith("_"):
            report(f"the name {name} starts with an underscore", "Start it with a letter.")
        elif name in RESERVED_TYPES:
            report(f"the name {name} is one that generated code uses itself", "Choose another name.")

    def _reports(self, cls: type[enum.Enum]) -> _Reports:
        """Reports of an enumeration at its class statement, and of its members at the lines that assign them."""
        place, source = self.place(cls), self._sources.of_class(cls)
        lines = source.outline.find(classes.qualified_name(cls))
        names = lines.names if lines is not None else {}

        def report_of(member: str | None) -> Report:
            line = names.get(member) if member is not None else None
            return self._problems.at(place if line is None else place.at(source.location(line)))

        return report_of

    def _read_enum(self, cls: type[enum.Enum], reports: _Reports) -> ir.Enumeration | None:
        report = reports(None)
        if issubclass(cls, enum.Flag):
            report("a Flag has no one value in JSON", "Declare an enum.Enum, and list[X] with unique_items=True.")
            return None
        if not cls.__members__:
            report("the enumeration has no members", "Give it members.")
            return None
        read = {name: _read_member(name, member._value_, reports(name)) for name, member in cls.__members__.items()}
        members = [(name, value) for name, value in read.items() if not isinstance(value, _Unfit)]
        if len(members) < len(read):
            return None
        source = self._sources.of_class(cls)
        key = ir.TypeKey(self.package(source), cls.__name__)
        doc = cls.__dict__.get("__doc__")
        written = isinstance(doc, str) and doc.strip() and doc != enum.Enum.__doc__
        description = texts.docstring(cls, "the enumeration", report) if written else ""
        return ir.Enumeration(key, description, tuple(members), self.place(cls).location)


def package_of(toolset: dsl.Toolset) -> str:
    """The package of a toolset: its name, or what stands in its place if that is no text."""
    name: object = toolset.name
    return name if isinstance(name, str) else texts.shown(name)


_PROPERTIES = frozenset({"name", "value"})
"""The names of members that type checkers refuse, since Python's documentation of ``enum`` lists them as properties."""


class _Unfit:
    """A value that no member of an enumeration may have."""


def _read_member(name: str, value: object, report: Report) -> str | int | _Unfit | None:
    """The value of a member; what is wrong with the member is reported."""
    read = _plain(value)
    if isinstance(read, _Unfit):
        report(f"the member {name} has the value {texts.shown(value)}", "Give members strings, integers or None.")
    elif name in _PROPERTIES:
        rule = f"the member name {name} is that of a property which Python gives to every member"
        report(rule, f"Write {name}_: JSON holds the value, and no name.")
    elif not name.isidentifier() or is_keyword(name) or name.startswith("_"):
        report(f"the member name {name!r} can't stand in a class", "Name it with letters and digits.")
    else:
        return read
    return _Unfit()


def _plain(value: object) -> str | int | _Unfit | None:
    if value is None:
        return None
    if isinstance(value, str):
        return str.__str__(value) if is_clean_text(value) else _Unfit()
    fits = isinstance(value, int) and not isinstance(value, bool) and is_writable(value)
    return int(value) if isinstance(value, int) and fits else _Unfit()


def _has_none(enumeration: ir.Enumeration) -> bool:
    return any(value is None for _, value in enumeration.members)


def _is_usable(cls: type) -> bool:
    return "." not in cls.__qualname__ and cls.__name__.isidentifier() and not cls.__name__.startswith("_")


def _silent(rule: str, mend: str) -> None:
    """Takes what is wrong with an enumeration that nothing uses: it is left out."""
