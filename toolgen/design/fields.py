"""The fields that a class of a design declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, Protocol

from msgspec import Struct
from msgspec.structs import replace

from toolgen import dsl, ir
from toolgen.design import hints, rules, texts
from toolgen.design.bounds import constrain
from toolgen.design.catalog import Catalog
from toolgen.design.outline import ClassLines
from toolgen.design.problems import Place, Problems, Report
from toolgen.design.running import Source, Sources
from toolgen.names import PROPERTY_NAME, TRUE_TO_CHECKERS, folded, is_clean_text, is_keyword

_ROLES = {"field": ir.Role.MODEL, "restored": ir.Role.RESTORED, "injected": ir.Role.INJECTED}
_NOT_FIELDS: tuple[object, ...] = (object, dsl.Record, Generic, Protocol)


class Draft(Struct):
    """A field whose default and examples are still the design's own values.

    ``sound`` is False where its type could not be read: the field then has the type Any, so that what depends on it can
    still be judged, and its values are not judged at all.
    """

    field: ir.Field
    place: Place
    sound: bool = True
    default: object = dsl.MISSING
    example: object = dsl.MISSING


class FieldReader:
    """Reads classes into drafts of their fields."""

    def __init__(self, sources: Sources, catalog: Catalog, problems: Problems) -> None:
        self._sources = sources
        self._catalog = catalog
        self._problems = problems

    def read(self, cls: type, owner: Place, roles: frozenset[ir.Role], where: str) -> list[Draft]:
        """The fields of a class, those of its bases first. A field declared again keeps the place of the first.

        ``owner`` is the tool or Record that they are reported under, ``roles`` what may stand in it, ``where`` its name
        in a sentence.
        """
        drafts: dict[str, Draft] = {}
        for base in reversed(cls.__mro__):
            if base in _NOT_FIELDS:
                continue
            inherited = issubclass(base, dsl.Record) and base is not cls and "." not in base.__qualname__
            place = self._catalog.place(base) if inherited else owner
            self._sources.stands_in(base, self._sources.of_class(cls))
            for draft in self._own(base, place, dict(drafts)):
                drafts[draft.field.name] = draft
        for draft in drafts.values():
            if draft.field.role not in roles:
                kind = "an injected" if draft.field.role is ir.Role.INJECTED else f"a {draft.field.role.value}"
                self._problems.add(draft.place, f"{kind} field stands in {where}", "Declare it in a tool's Input.")
        found = [draft for draft in drafts.values() if draft.field.role in roles]
        self._judge_names(found)
        return found

    def _judge_names(self, drafts: Sequence[Draft]) -> None:
        """Report names that meet: Python names, and keys of one JSON object."""
        seen: dict[tuple[str, str], Draft] = {}
        for draft in drafts:
            names = {"name": draft.field.name}
            if draft.field.role is not ir.Role.INJECTED:
                names["JSON name"] = draft.field.wire
            for kind, name in names.items():
                other = seen.setdefault((kind, folded(name)), draft)
                if other is not draft:
                    self._problems.add(
                        draft.place,
                        f"the {kind} {name!r} meets that of the field {other.field.name} "
                        f"in line {other.place.location.line}",
                        "Name one of them otherwise; names that look alike after NFKC are one name.",
                    )

    # --- one class ------------------------------------------------------------------------------------------------

    def _own(self, cls: type, owner: Place, inherited: Mapping[str, Draft]) -> Iterator[Draft]:
        source = self._sources.of_class(cls)
        mark = cls.__dict__.get("__toolgen_record__")
        lines = source.outline.find(cls.__qualname__, mark.spot.line if isinstance(mark, dsl.RecordMark) else None)
        written = hints.written(cls, self._problems.at(owner))
        for name, annotation in written.items():
            value = cls.__dict__.get(name, dsl.MISSING)
            place = owner.of_field(_unmangled(name, cls), _field_location(source, lines, name, value, owner))
            self._judge_repeated(name, lines, source, place)
            draft = None
            with self._problems.reading(place):
                draft = self._draft(name, annotation, value, source, place, inherited.get(name))
            if draft is not None:
                yield draft
        self._judge_hidden(cls, source, lines, owner)
        for name, value in cls.__dict__.items():
            if name in written:
                continue
            report = self._problems.at(owner.of_field(name, _field_location(source, lines, name, value, owner)))
            if isinstance(value, dsl.FieldMark):
                report("the field has no type", f"Write {name}: T = {value.role}(...).")
            elif isinstance(value, type) and value.__qualname__ == f"{cls.__qualname__}.{name}":
                report(f"the class {name} among the fields is not read", "Move it to module level.")
            elif name in inherited and not name.startswith("_"):  # a field can't; Python gives classes names that do
                _refuse_hiding(inherited[name], report)

    def _judge_hidden(self, cls: type, source: Source, lines: ClassLines | None, owner: Place) -> None:
        """Report the fields that hide functions which the class goes on to call."""
        used = [v.spot.line for v in cls.__dict__.values() if isinstance(v, dsl.FieldMark) and v.hidden]
        calls = " ".join(source.line(line) for line in used)
        for name in _ROLES:
            if used and isinstance(cls.__dict__.get(name), dsl.FieldMark) and f"{name}(" in calls:
                place = owner.of_field(name, _field_location(source, lines, name, cls.__dict__[name], owner))
                rule = f"the field hides the function {name}, which the fields below it need"
                self._problems.add(place, rule, f'Write {name}_: T = {name}("...", name="{name}").')

    def _judge_repeated(self, name: str, lines: ClassLines | None, source: Source, place: Place) -> None:
        found = lines.fields.get(name, []) if lines is not None else []
        for line in found[1:]:
            rule = f"the field is declared twice, first in line {found[0]}"
            self._problems.add(place.at(source.location(line)), rule, "Keep one of them.")

    def _draft(
        self, name: str, annotation: object, value: object, source: Source, place: Place, inherited: Draft | None
    ) -> Draft | None:
        report = self._problems.at(place)
        hint = hints.evaluate(annotation, source.module.__dict__, report)
        if hints.is_class_variable(hint):
            if isinstance(value, dsl.FieldMark):
                report("a ClassVar is no field", "Leave ClassVar out.")
            elif inherited is not None:
                _refuse_hiding(inherited, report)
            return None
        type_ = None if hint is None else hints.Reader(self._catalog, report).read(hint)
        _judge_name(name, place.field or name, value.role if isinstance(value, dsl.FieldMark) else "field", report)
        if not isinstance(value, dsl.FieldMark):
            given = "" if value is dsl.MISSING else f", default={texts.shown(value)}"
            report("the field has no description", f'Write {name}: T = field("What it is."{given}).')
            # What stands for a default lets the field be missing: no example has to give it.
            presence = ir.Presence.REQUIRED if value is dsl.MISSING else ir.Presence.OPTIONAL
            field = ir.Field(name, name, type_ or ir.Anything(), "", presence=presence, location=place.location)
            return Draft(field, place, sound=False)
        return _marked(name, type_, value, place, report)


def _refuse_hiding(hidden: Draft, report: Report) -> None:
    """Report what stands in the place of an inherited field and declares none: the field would silently stay."""
    field = hidden.field
    role = next(role for role, meaning in _ROLES.items() if meaning is field.role)
    rule = f"this is no field, and hides the inherited field {field.name}"
    mend = f"Declare it again as {field.name}: T = {role}(...), or leave this out: no heir can take a field away."
    report(rule, mend)


def judge_property_names(drafts: Sequence[Draft], owner: Place, problems: Problems) -> None:
    """Report JSON names of an input's own fields that a provider refuses."""
    for draft in drafts:
        wire = draft.field.wire
        if draft.field.role is ir.Role.MODEL and not PROPERTY_NAME.fullmatch(wire):
            place = owner.of_field(draft.field.name, draft.place.location)
            rule = f"the JSON name {wire!r} is one that providers refuse"
            mend = 'Give field(name="...") 1 to 64 of the characters A-Z a-z 0-9 _ . and -.'
            problems.add(place, rule, mend)


def _unmangled(name: str, cls: type) -> str:
    """A private name as the design wrote it."""
    prefix = f"_{cls.__name__.lstrip('_')}__"
    return name[len(prefix) - 2 :] if name.startswith(prefix) else name


def _field_location(source: Source, lines: ClassLines | None, name: str, value: object, owner: Place) -> ir.Location:
    if lines is not None and name in lines.fields:
        return source.location(lines.fields[name][-1])
    if lines is not None and name in lines.names:
        return source.location(lines.names[name])
    if isinstance(value, dsl.FieldMark) and value.spot.file == source.real:
        return source.location(value.spot.line)
    return owner.location


def _judge_name(name: str, shown: str, role: str, report: Report) -> None:
    """``role`` is the function that the field is declared with; a mend with another would change who writes it."""
    if shown.startswith("_"):
        wanted = shown.strip("_") or "name"
        report("the name starts with an underscore", f'Write {wanted}: T = {role}("...", name={shown!r}).')
    elif not name.isidentifier() or is_keyword(name):
        report(f"the name {name!r} is no Python identifier", f"Choose one, and write {role}(name={name!r}).")
    elif role == "injected" and name in TRUE_TO_CHECKERS:  # the others are read as attributes alone
        rule = f"type checkers take the value of the parameter {name} for True, whatever type the field has"
        report(rule, "Name the field otherwise: what is injected stands in no JSON.")


def _judge_wire(wire: str, role: str, report: Report) -> None:
    """The JSON decoder compares keys as they stand in the text, so it takes none that a JSON string must escape."""
    if any(character in '"\\' or character < " " for character in wire):
        rule = f"the JSON name {wire!r} holds a quote, a backslash or a control character"
        report(rule, f'Give {role}(name="...") a name without them.')


def _marked(name: str, type_: ir.Type | None, mark: dsl.FieldMark, place: Place, report: Report) -> Draft:
    options = mark.options
    texts.known_options(mark.unknown, options, report)
    description = texts.description(mark.description, "the field", f'Write {mark.role}("What it is.").', report)
    sound = type_ is not None
    if type_ is not None:
        type_ = constrain(type_, dsl.bounds_in(options), report)
    field = ir.Field(
        name=name,
        wire=_wire_name(name, options["name"], mark.role, report),
        type=type_ or ir.Anything(),
        description=description,
        presence=_presence(mark, report),
        keep_null=bool(texts.flag(options["keep_null"], "keep_null", report)),
        role=_ROLES[mark.role],
        title=texts.optional(options["title"], "title", report),
        deprecated=bool(texts.flag(options["deprecated"], "deprecated", report)),
        also=rules.read(options["also"], report),
        location=place.location,
    )
    return Draft(field, place, sound, options["default"], options["example"])


def _wire_name(name: str, given: object, role: str, report: Report) -> str:
    if given is None:
        return name
    if not isinstance(given, str) or not given or not is_clean_text(given):
        report(f"name is {texts.shown(given)}, not text", 'Write the key in JSON: name="...".')
        return name
    _judge_wire(given, role, report)
    return given


def _presence(mark: dsl.FieldMark, report: Report) -> ir.Presence:
    options = mark.options
    optional = texts.flag(options["optional"], "optional", report)
    if {texts.nearest(name, options) for name in mark.unknown} & {"default", "optional"}:
        return ir.Presence.OPTIONAL  # reported already
    if options["default"] is dsl.MISSING:
        return ir.Presence.OPTIONAL if optional else ir.Presence.REQUIRED
    if optional:
        report(
            "default and optional are both given",
            "Give default for a value that stands in, or optional for a field that may be missing.",
        )
    return ir.Presence.DEFAULT


def judge_keep_null(draft: Draft, takes_null: bool, report: Report) -> Draft:
    """Report ``keep_null`` on a field that can't be missing, or can't be null; the draft is then without it."""
    if not draft.field.keep_null:
        return draft
    if draft.field.presence is ir.Presence.OPTIONAL and takes_null:
        return draft
    if draft.field.presence is not ir.Presence.OPTIONAL:
        report("keep_null tells missing from null, but the field is not optional", "Add optional=True, or drop it.")
    elif draft.sound:
        report("keep_null tells missing from null, but the type takes no null", "Write T | None, or drop it.")
    return replace(draft, field=draft.field.replace(keep_null=False))
