"""One tool of a source → its plan: the input as an object of a tool, the result, what is said of both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from toolgen.importer.conjunction import Endless, flat, members_of, types_of
from toolgen.importer.endings import end_defaults
from toolgen.importer.plan import Name, ObjectPlan, ToolPlan
from toolgen.importer.reader import Reader
from toolgen.importer.reporting import Outcome, Report, Said
from toolgen.importer.schemas import Document, ReferenceFault, Schema, SchemaOrBool
from toolgen.importer.settling import Settling
from toolgen.importer.sources import Source, SourceFault


@dataclass(slots=True)
class Planned:
    """A tool's plan, the Records that it needs by the pointers of their schemas, and the report."""

    tool: ToolPlan
    objects: dict[str, ObjectPlan]
    report: Report


def plan_tool(source: Source, file: str, *, closed: bool = False, said: Iterable[Said] = ()) -> Planned:
    """The plan of one tool. ``file`` names its document in the report, ``said`` is what the report says of it already.

    Raises:
        SourceFault: the schema takes no arguments at all, or can't be followed.
    """
    report = Report(file)
    reader = Reader(source.document, report, closed=closed)
    for one in said:
        (source.document.broken if one.outcome.is_loss else source.document.told).append((one.pointer, one.text))
    try:
        whole = _input(source, reader, report)
        plan = reader.read_objects.root(whole, Name(None, source.name))
    except (ReferenceFault, Endless) as fault:
        raise SourceFault(str(fault)) from None
    if plan is None:
        raise SourceFault("its schema takes no object, and the arguments of a tool are one")
    tool = ToolPlan(
        source.name,
        plan,
        title=source.title or _title(whole),
        description=(source.description or plan.description).strip(),
        annotations=source.annotations,
        tags=source.tags,
        strict=source.strict,
    )
    _example(tool, source, reader, whole, report)
    if source.result is not None:
        _result(tool, *source.result, reader, report)
    for document in dict.fromkeys((source.document, *(source.result or ())[:1])):
        for pointer, text in document.told:
            report.note(pointer, text)
        with report.commenting(plan.comments):
            reader.say_broken("", document)
    objects = Settling(reader).reached(tool)
    end_defaults(objects, report)
    _write_tabs(tool, objects.values(), report)
    return Planned(tool, objects, report)


def _write_tabs(tool: ToolPlan, objects: Iterable[ObjectPlan], report: Report) -> None:
    """Tabs of what stands in docstrings as spaces, since from Python 3.13 on its compiler writes them so."""
    described: list[tuple[ToolPlan | ObjectPlan, str]] = [(tool, tool.input.key), *((one, one.key) for one in objects)]
    for plan, at in described:
        if "\t" in plan.description:
            plan.description = plan.description.expandtabs()
            report.note(at, "tabs of its description are written as spaces, since a docstring holds none")


def _input(source: Source, reader: Reader, report: Report) -> Schema:
    """The schema of a tool's arguments, which are an object whatever a schema says."""
    whole = flat(source.schema, reader.document)
    if whole is False:
        raise SourceFault("its schema takes nothing")
    if whole is True:
        whole = Schema({}, reader.document.origin)
    members = members_of(whole)
    if members is not None:
        return _of_members(whole, members, reader, report)
    types = types_of(whole)
    if "object" in types and set(types) == {"object"}:
        return whole
    if "object" in types or not types:
        if not source.of_tool and (types or not _takes_objects_alone(whole, reader)):
            text = "objects alone are taken: the arguments of a tool are one"
            report.say(whole.at, Outcome.NARROWER, text)
        return whole.having(type="object")
    return _wrapped(whole, source.schema, report)


def _wrapped(whole: Schema, schema: SchemaOrBool, report: Report) -> Schema:
    """The input of a tool that has what is no object in a field of its own."""
    text = "it stands in a field named value: the arguments of a tool are an object, and this is none"
    report.say(whole.at, Outcome.NARROWER, text)
    said = {word: whole[word] for word in ("title", "description") if word in whole}
    words = {"type": "object", "properties": {"value": schema}, "required": ["value"], "additionalProperties": False}
    return Schema({**said, **words}, whole.at)


def _takes_objects_alone(whole: Schema, reader: Reader) -> bool:
    """Whether every alternative of a schema without a type is an object."""
    for word in ("anyOf", "oneOf"):
        arms = [flat(arm, reader.document) for arm in whole.get(word, ())]
        if arms and all(isinstance(arm, Schema) and types_of(arm) == ("object",) for arm in arms if arm is not False):
            return True
    return False


def _of_members(whole: Schema, members: list[object], reader: Reader, report: Report) -> Schema:
    """An enum of whole inputs as alternatives of one value each."""
    rest = whole.without("enum", "const")
    judge = reader.judge(rest)
    good = [value for value in members if judge is None or not judge.judge(value, lenient=False).issues]
    objects = [value for value in good if isinstance(value, dict)]
    if not objects:
        return _wrapped(whole, whole, report)
    if len(objects) < len(good):
        report.say(whole.at, Outcome.NARROWER, "objects alone are taken: the arguments of a tool are one")
    arms = [_exactly(value, whole.at) for value in objects]
    if len(arms) == 1:
        return arms[0]
    return Schema({"type": "object", "anyOf": arms}, whole.at)


def _exactly(value: dict[str, object], at: str) -> Schema:
    properties = {name: Schema({"const": inner}, at) for name, inner in value.items()}
    words = {"type": "object", "properties": properties, "required": [*value], "additionalProperties": False}
    return Schema(words, at)


def _title(whole: Schema) -> str | None:
    title = whole.get("title")
    return title if isinstance(title, str) and title.strip() else None


def _example(tool: ToolPlan, source: Source, reader: Reader, whole: Schema, report: Report) -> None:
    found = source.examples or whole.get("examples", ())
    judge = reader.judge(whole) if found else None
    for value in found if isinstance(found, list | tuple) else ():
        if isinstance(value, dict) and judge is not None and not judge.judge(value, lenient=False).issues:
            tool.example = {key: inner for key, inner in value.items() if any(f.wire == key for f in tool.input.fields)}
            if tool.example == value or not tool.input.closed:
                return
            tool.example = None
    if found:
        report.note(whole.at, "no example of it is kept: its own schema takes none of them")


def _result(tool: ToolPlan, document: Document, schema: SchemaOrBool, reader: Reader, report: Report) -> None:
    """The result of a tool, whose Records stand beside those of its input."""
    own = (
        reader
        if document is reader.document
        else Reader(document, report, closed=reader.closed, definitions=reader.definitions)
    )
    read = own.read(schema, Name(tool.input.key, "Output"))
    if read is None or read.rule is not None:
        at = schema.at if isinstance(schema, Schema) else document.origin
        report.say(at, Outcome.LEFT_OUT, "the result is left out: no type says all of it")
        return
    tool.result = read.type
    reader.objects |= own.objects
    reader.targets |= own.targets
