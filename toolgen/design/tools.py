"""The tools that a toolset declares."""

from __future__ import annotations

import dataclasses
import difflib
import re
import types
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from msgspec import Struct, field
from msgspec.structs import replace

from toolgen import dsl, ir
from toolgen.design import classes, functions, hints, rules, submits, texts
from toolgen.design.catalog import Catalog
from toolgen.design.fields import Draft, FieldReader, judge_property_names
from toolgen.design.marks import is_closed, rule_of
from toolgen.design.problems import Place, Problems, Report
from toolgen.design.running import Source, Sources
from toolgen.names import TOOL_NAME, folded, is_clean_text, snake_case, tool_module
from toolgen.runtime.continuations import CURSOR

RESULT_NAMES = ("returned", "truncated", "total", "next_cursor", "refinement_hint")
_INPUT_ROLES = frozenset(ir.Role)
_OBJECT_ROLES = frozenset({ir.Role.MODEL})
_BINDING = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_DECORATOR = re.compile(r"@[\w.]+")
_CLASSES = ("Input", "Result")
_ELSEWHERE = {
    **dict.fromkeys(("Output", "Outputs", "Response", "Return", "Returns"), "Result"),
    **dict.fromkeys(("Args", "Arguments", "Params", "Parameters", "Request"), "Input"),
}
"""What other tools call the classes in a tool."""

_METHODS = (types.FunctionType, staticmethod, classmethod, property)
_IN_SUBMIT = dict.fromkeys((*_ELSEWHERE, *_CLASSES), "Response")


class ResultDraft(Struct):
    """A Result: its type, and where it is a class in the tool, the Record that is made of it and its fields."""

    type: ir.Type
    place: Place
    record: ir.Record | None = None
    fields: list[Draft] = field(default_factory=list)


class ToolDraft(Struct):
    """A tool whose fields are drafts. ``tool`` has everything else that does not depend on them.

    ``source`` is the tool that this one continues, ``function`` the one that it is bound to.
    """

    tool: ir.Tool
    place: Place
    declared: type
    mark: dsl.ToolMark
    fields: list[Draft] = field(default_factory=list)
    result: ResultDraft | None = None
    source: ToolDraft | None = None
    function: functions.Function | None = None

    @property
    def given_result(self) -> ResultDraft | None:
        """The tool's own Result, or that of the tool that it continues."""
        return self.source.result if self.result is None and self.source is not None else self.result


class ToolReader:
    """Reads tool marks into drafts."""

    def __init__(self, sources: Sources, catalog: Catalog, fields: FieldReader, problems: Problems) -> None:
        self._sources = sources
        self._catalog = catalog
        self._fields = fields
        self._problems = problems
        self._submits = submits.SubmitReader(catalog, fields, problems)

    def read(self, mark: dsl.ToolMark, toolset: str, package: str, source: Source) -> ToolDraft | None:
        """One tool; None where the decorated object is no class."""
        declared = mark.declared
        report = self._problems.at(Place(source.location(mark.spot.line), toolset))
        if not isinstance(declared, type):
            name = getattr(declared, "__name__", texts.shown(declared))
            report(f"{name} is declared as a tool, but is no class", "Decorate a class.")
            return None
        if not self._catalog.is_plain(declared, report):
            return None
        self._sources.stands_in(declared, source)
        home = self._sources.of_class(declared)
        foreign = home.state == "library" and home is not source
        if foreign and (declared is dsl.Record or not issubclass(declared, dsl.Record)):
            rule = f"{declared.__name__} is declared as a tool, but is a class of the module {home.module.__name__}"
            report(rule, "Declare a class here.")
            return None
        if mark.submit is not None:
            mark = _of_submit(mark)
        named = mark.options["name"]
        name = named if isinstance(named, str) else snake_case(declared.__name__)
        line = source.location(mark.spot.line)
        location = line if foreign else self._catalog.location(declared, mark.spot.line)
        place = Place(location, toolset, name if is_clean_text(name) else snake_case(declared.__name__))
        if mark.module_file != source.real:
            rule = f"the tool is declared in another file than its toolset, which stands in {source.shown}"
            self._problems.add(place, rule, "Declare it there, or give this file a toolset of its own.")
        if mark.bare:
            written = _DECORATOR.match(source.line(mark.spot.line))
            usual = "@toolset.tool" if mark.submit is None else "@toolset.submit"
            mend = f"Write {written[0] if written else usual}()."
            self._problems.add(place.at(line), "the decorator stands without parentheses", mend)
        if mark.submit is not None:
            return self._read_submit(mark, declared, name, place)
        self._judge_class(declared, place, _CLASSES, _ELSEWHERE)
        description = texts.docstring(declared, "the tool", self._problems.at(place))
        tool = self._read_options(mark, declared.__name__, description, name, place)
        draft = ToolDraft(tool, place, declared, mark)
        if tool.binds is not None:
            draft.function = functions.find(tool.binds, source.real, self._sources, self._problems.at(place))
        self._read_input(draft)
        self._read_result(draft, package)
        return draft

    def _read_submit(self, mark: dsl.ToolMark, declared: type, name: str, place: Place) -> ToolDraft:
        """A tool that submits a response; without fields where it has none."""
        assert mark.submit is not None
        report = self._problems.at(place)
        is_record = issubclass(declared, dsl.Record)
        if not is_record:
            self._judge_class(declared, place, ("Response",), _IN_SUBMIT)
        description = mark.submit.description
        if description is None:
            description = submits.DESCRIPTION if is_record else texts.docstring(declared, "the submit", report)
        class_name = f"Submit{declared.__name__}" if is_record else declared.__name__
        tool = self._read_options(mark, class_name, description, name, place)
        read = self._submits.read(mark, place)
        if read is None:
            return ToolDraft(tool, place, declared, mark)
        tool = tool.replace(submit=read.submit, closed=read.closed, also=read.also)
        return ToolDraft(tool, place, declared, mark, fields=read.fields)

    # --- the class ------------------------------------------------------------------------------------------------

    def _judge_class(self, declared: type, place: Place, read: Sequence[str], elsewhere: Mapping[str, str]) -> None:
        """Report what stands in a tool's class and would be passed over.

        ``read`` names what is not, and ``elsewhere`` maps to that what others call it.
        """
        lines = self._sources.of_class(declared).outline.find(declared.__qualname__, None)
        source = self._sources.of_class(declared)
        names = lines.names if lines is not None else {}
        if issubclass(declared, dsl.Record):
            self._problems.add(place, "a Record is declared as a tool", "Write a class of its own with Input = X.")
            return
        if not declared.__name__[:1].isalpha():
            report = self._problems.at(place)
            report(f"the class name {declared.__name__} does not start with a letter", "Start it with one.")
        written = hints.written(declared, self._problems.at(place))
        for name, value in {**dict.fromkeys(written), **declared.__dict__}.items():
            is_told = name in declared.__dict__ or name == "Response"  # of which a submit's reader says more
            if (name in read and is_told) or (name.startswith("__") and name.endswith("__")):
                continue
            where = place.at(source.location(names.get(name, place.location.line)))
            near = _meant(name, read, elsewhere)
            if name in read or (near and name in written and not isinstance(value, dsl.FieldMark)):
                rule = f"the tool declares a type of {name} and no value"
                self._problems.add(where, rule, f"Write class {near or name}:, or {near or name} = SomeType.")
            elif name in written or isinstance(value, dsl.FieldMark):
                where = place.of_field(name, where.location)
                mend = f"Move it into class {read[0]}." if "Input" in read else "Move it into the Record of Response."
                self._problems.add(where, "the field stands in the tool itself", mend)
            elif isinstance(value, type) or (near and not isinstance(value, _METHODS)):
                mend = f"Did you mean {near}?" if near else "Move it to module level."
                self._problems.add(where, f"the class {name} in a tool is not read", mend)

    def _read_options(self, mark: dsl.ToolMark, class_name: str, description: str, name: str, place: Place) -> ir.Tool:
        options, report = mark.options, self._problems.at(place)
        known = options if mark.submit is None else {f.name: None for f in dataclasses.fields(mark.submit)}
        texts.known_options(mark.unknown, known, report)
        self._judge_name(options["name"], name, report)
        read_only = texts.flag(options["read_only"], "read_only", report)
        destructive = texts.flag(options["destructive"], "destructive", report)
        if read_only and destructive:
            report("read_only and destructive are both True", "A tool that destroys does not only read: keep one.")
        return ir.Tool(
            class_name=class_name,
            name=name,
            module=tool_module(name),
            description=description,
            fields=(),
            closed=texts.flag(options["closed"], "closed", report) is not False,
            title=texts.optional(options["title"], "title", report),
            tags=_tags(options["tags"], report),
            annotations=ir.Annotations(
                read_only,
                destructive,
                texts.flag(options["idempotent"], "idempotent", report),
                texts.flag(options["open_world"], "open_world", report),
            ),
            strict=texts.flag(options["strict"], "strict", report),
            bounded=_bounded(options["bounded"], report),
            binds=_binding(options["binds"], report),
            also=rules.read_object(options["also"], report),
            location=place.location,
        )

    def _judge_name(self, given: object, name: str, report: Report) -> None:
        if given is not None and not isinstance(given, str):
            report(f"name is {texts.shown(given)}, not text", 'Write name="...".')
        elif not TOOL_NAME.fullmatch(name):
            rule = f"the name {name!r} is one that providers refuse"
            report(rule, "Give name= 1 to 64 of the characters A-Z a-z 0-9 _ and -, the first a letter or _.")

    # --- input and result -----------------------------------------------------------------------------------------

    def _read_input(self, draft: ToolDraft) -> None:
        declared = _class_in(draft.declared, "Input")
        if draft.mark.options["continues"] is not None:
            if declared is not None:
                rule = "a tool that continues another takes its fields from it, and declares no Input"
                self._problems.add(draft.place, rule, "Leave Input out.")
            for option in ("closed", "also"):
                if draft.mark.options[option] is not None:
                    rule = f"a tool that continues another takes its fields from it, and says no {option}="
                    self._problems.add(draft.place, rule, f"Leave {option}= out.")
            return
        if declared is None:
            if draft.function is not None:
                taken = functions.fields_of(draft.function, draft.place, self._catalog, self._problems)
                draft.fields = list(taken)
                judge_property_names(draft.fields, draft.place, self._problems)
            return
        if isinstance(declared, type):
            self._sources.stands_in(declared, self._sources.of_class(draft.declared))
        if not self._declares_fields(declared):
            self._problems.add(
                self._attribute_place(draft, "Input"),
                f"Input is {texts.shown(declared)}, which is no class of fields",
                "Write class Input, Input = SomeRecord, or leave it out of a tool that takes nothing.",
            )
            return
        if _is_shared_record(declared):
            self._catalog.record(declared, self._problems.at(draft.place))
            draft.fields = self._fields.read(declared, self._catalog.place(declared), _OBJECT_ROLES, "a Record")
        else:
            draft.fields = self._fields.read(declared, draft.place, _INPUT_ROLES, "an Input")
        if draft.mark.options["closed"] is None and issubclass(declared, dsl.Record):
            draft.tool = draft.tool.replace(closed=is_closed(declared))
        if draft.mark.options["also"] is None and issubclass(declared, dsl.Record):
            draft.tool = draft.tool.replace(also=rules.read_object(rule_of(declared), self._problems.at(draft.place)))
        judge_property_names(draft.fields, draft.place, self._problems)

    def _declares_fields(self, declared: object) -> TypeGuard[type]:
        """Whether an Input is a class that a design can declare fields in: a Record, or a plain class of a design."""
        if not isinstance(declared, type) or classes.maker_of(declared) is not None or declared is dsl.Record:
            return False
        if issubclass(declared, dsl.Record):
            return True
        return self._sources.of_class(declared).state != "library" and not classes.is_built_in(declared)

    def _read_result(self, draft: ToolDraft, package: str) -> None:
        declared = _class_in(draft.declared, "Result")
        place = self._attribute_place(draft, "Result")
        if declared is None:
            if "Result" in draft.declared.__dict__:
                self._problems.add(place, "Result is None", "Leave Result out of a tool without a result.")
        elif _is_own_class(declared, draft.declared):
            if self._catalog.is_plain(declared, self._problems.at(place)):
                self._sources.stands_in(declared, self._sources.of_class(draft.declared))
                draft.result = self._class_result(declared, draft, place, package)
        else:
            report = self._problems.at(place)
            names = self._sources.of_class(draft.declared).module.__dict__
            hint = hints.evaluate(declared, names, report)
            type_ = None if hint is None else hints.Reader(self._catalog, report).read(hint)
            draft.result = ResultDraft(type_ or ir.Anything(), place)
        if draft.tool.bounded is not None and draft.mark.options["continues"] is None:
            _judge_bounded_result(draft, place, self._problems)

    def _class_result(self, declared: type, draft: ToolDraft, place: Place, package: str) -> ResultDraft:
        key = ir.TypeKey(package, f"{draft.tool.class_name}Result")
        fields = self._fields.read(declared, draft.place, _OBJECT_ROLES, "a Result")
        doc = declared.__dict__.get("__doc__")
        report = self._problems.at(draft.place)
        text = texts.description(doc, "Result", "", report, texts.cleaned_docstring) if doc else ""
        location = self._catalog.location(declared)
        also = rules.read_object(rule_of(declared), report)
        record = ir.Record(key, text, (), is_closed(declared), also, location)
        return ResultDraft(ir.RecordRef(key), place, record, fields)

    def _attribute_place(self, draft: ToolDraft, name: str) -> Place:
        source = self._sources.of_class(draft.declared)
        lines = source.outline.find(draft.declared.__qualname__, draft.mark.spot.line)
        line = lines.names.get(name) if lines is not None else None
        return draft.place.at(source.location(line)) if line is not None else draft.place


def _of_submit(mark: dsl.ToolMark) -> dsl.ToolMark:
    """The mark with all that the design says of the submit, its name among the options of a tool."""
    said = submits.options_of(mark)
    name = submits.NAME if said.name is None else said.name
    return mark.replace(options={**mark.options, "name": name}, submit=said)


def _judge_bounded_result(draft: ToolDraft, place: Place, problems: Problems) -> None:
    result = draft.given_result
    if result is None or not isinstance(result.type, ir.RecordRef):
        rule = "a bounded tool's Result must be a class or a Record, which its counts can be added to"
        problems.add(place, rule, "Declare class Result.")


def judge_bounded(draft: ToolDraft, result_fields: Sequence[ir.Field], problems: Problems) -> None:
    """Report what a bounded tool may not declare itself, and a cursor that is none of its optional text fields."""
    bounded = draft.tool.bounded
    if bounded is None:
        return
    for declared in result_fields:
        if declared.wire in RESULT_NAMES:
            place = draft.place.of_field(declared.name, declared.location)
            problems.add(place, f"{declared.wire} is what bounded= adds to the Result", "Leave the field out.")
    if bounded.cursor is not None and not any(_is_cursor(d.field, bounded.cursor) for d in draft.fields):
        problems.add(
            draft.place,
            f"Bounded(cursor={bounded.cursor!r}) names no optional str field of the tool's Input that the model writes",
            f"Write {bounded.cursor}: str = field(..., optional=True).",
        )


def _is_cursor(declared: ir.Field, name: str) -> bool:
    inner = declared.type.of if isinstance(declared.type, ir.Nullable) else declared.type
    text = isinstance(inner, ir.Scalar) and inner.kind is ir.Kind.STR
    optional = declared.presence is ir.Presence.OPTIONAL and declared.role is ir.Role.MODEL
    return declared.name == name and text and optional


def join_continuations(drafts: Sequence[ToolDraft], problems: Problems) -> None:
    """Give each tool of one toolset that continues another the fields of that one, and its name."""
    by_class = {draft.declared: draft for draft in drafts}
    for draft in drafts:
        wanted = draft.mark.options["continues"]
        if wanted is None:
            continue
        source = by_class.get(wanted) if isinstance(wanted, type) else None
        if source is None:
            rule = f"continues={_told(wanted)} is no tool of this toolset"
            problems.add(draft.place, rule, "Name the class of the tool whose pages it goes on with.")
        elif source.mark.options["continues"] is not None:
            problems.add(
                draft.place, f"{source.tool.name} continues a tool itself", "Name the tool that begins the pages."
            )
        elif source.tool.submit is not None:
            rule = f"continues={_told(wanted)}, which is a submit: it ends a run, and has no pages"
            problems.add(draft.place, rule, "Name the class of the tool whose pages it goes on with.")
        elif source.tool.bounded is None or not source.tool.bounded.next_cursor:
            rule = f"continues={_told(wanted)}, but {source.tool.name} gives no cursor"
            problems.add(draft.place, rule, f"Declare {_told(wanted)} with bounded=Bounded(next_cursor=True).")
        elif not source.tool.closed:
            rule = f"continues={_told(wanted)}, but {source.tool.name} is open: it would take the cursor and drop it"
            problems.add(draft.place, rule, f"Leave closed=False out of {_told(wanted)}.")
        else:
            _join(draft, source, problems)


def _join(draft: ToolDraft, source: ToolDraft, problems: Problems) -> None:
    for taken in source.fields:
        if CURSOR in (taken.field.name, folded(taken.field.wire)):
            rule = f"the field {taken.field.name} of {source.tool.name} meets the cursor that a continuation adds"
            problems.add(draft.place, rule, f"Name the field of {source.tool.name} otherwise.")
    cursor = ir.Field(
        name=CURSOR,
        wire=CURSOR,
        type=ir.Scalar(ir.Kind.STR, ir.Constraints(min_length=1)),
        description="Where the next page starts, as the last page said.",
        role=ir.Role.RESTORED,
        location=draft.place.location,
    )
    draft.fields = [
        *(replace(d, field=d.field.replace(role=ir.Role.RESTORED)) for d in source.fields if not _is_injected(d)),
        Draft(cursor, draft.place),
        *(d for d in source.fields if _is_injected(d)),
    ]
    bounded = draft.tool.bounded
    if bounded is None and source.tool.bounded is not None:
        bounded = source.tool.bounded.replace(cursor=None)
    draft.tool = draft.tool.replace(continues=source.tool.name, bounded=bounded, also=source.tool.also)
    draft.source = source
    _judge_bounded_result(draft, draft.place if draft.result is None else draft.result.place, problems)


def _is_injected(draft: Draft) -> bool:
    return draft.field.role is ir.Role.INJECTED


def _is_shared_record(declared: type) -> bool:
    return issubclass(declared, dsl.Record) and "." not in declared.__qualname__


def _meant(name: str, read: Sequence[str] = _CLASSES, elsewhere: Mapping[str, str] = _ELSEWHERE) -> str | None:
    """Which of the classes that are read another one stands for."""
    if name in elsewhere:
        return elsewhere[name]
    near = difflib.get_close_matches(name, read, 1)
    return near[0] if near else None


def _class_in(tool: type, name: str) -> Any:
    """A tool's Input or Result; the class that is meant for it by another name, which is reported already and read
    all the same, so that nothing is reported that only follows from its name."""
    found = classes.attribute(tool, name)
    if found is not None or name in tool.__dict__:
        return found
    others = (v for k, v in tool.__dict__.items() if isinstance(v, type) and _meant(k) == name)
    return next(others, None)


def _is_own_class(declared: object, tool: type) -> bool:
    """Whether a Result is a class written in a tool, the tool's own or a base's."""
    if not isinstance(declared, type):
        return False
    owner, _, name = declared.__qualname__.rpartition(".")
    own = name == "Result" or (name not in _CLASSES and _meant(name) == "Result")
    return own and any(owner == base.__qualname__ for base in tool.__mro__)


def _tags(tags: object, report: Report) -> tuple[str, ...]:
    if not isinstance(tags, list | tuple):
        report(f"tags is {texts.shown(tags)}, not a list", 'Write tags=["..."].')
        return ()
    bad = [tag for tag in tags if not isinstance(tag, str) or not tag.strip() or not is_clean_text(tag)]
    for tag in bad:
        report(f"the tag {texts.shown(tag)} is no text", "Write tags as strings.")
    good = [tag for tag in tags if not any(tag is b for b in bad)]
    for tag in {tag for tag in good if good.count(tag) > 1}:
        report(f"the tag {texts.shown(tag)} is given twice", "Give it once.")
    return tuple(good)


def _bounded(bounded: object, report: Report) -> ir.Bounded | None:
    if bounded is None:
        return None
    if not isinstance(bounded, dsl.Bounded):
        report(f"bounded is {texts.shown(bounded)}", "Write bounded=Bounded(...).")
        return None
    flags = {name: texts.flag(getattr(bounded, name), name, report) for name in ("next_cursor", "total", "refinement")}
    cursor = texts.optional(bounded.cursor, CURSOR, report)
    flags["next_cursor"] = flags["next_cursor"] or cursor is not None  # a cursor to give is one to be given
    return ir.Bounded(**{name: bool(value) for name, value in flags.items()}, cursor=cursor)


def _binding(binds: object, report: Report) -> str | None:
    if binds is None:
        return None
    if not isinstance(binds, str) or not _BINDING.fullmatch(binds):
        report(f"binds is {texts.shown(binds)}", 'Write binds="package.module:function".')
        return None
    return binds


def _told(value: object) -> str:
    return value.__name__ if isinstance(value, type) else texts.shown(value)


def named_twice(drafts: Sequence[ToolDraft]) -> Mapping[str, tuple[ToolDraft, ToolDraft]]:
    """Tools of one toolset whose generated modules meet, by module name; letters that differ in case meet."""
    seen: dict[str, ToolDraft] = {}
    met: dict[str, tuple[ToolDraft, ToolDraft]] = {}
    for draft in drafts:
        if not TOOL_NAME.fullmatch(draft.tool.name):  # reported already
            continue
        module = folded(draft.tool.module).casefold()
        first = seen.setdefault(module, draft)
        if first is not draft:
            met.setdefault(f"{module}#{draft.tool.name}#{len(met)}", (first, draft))
    return met
