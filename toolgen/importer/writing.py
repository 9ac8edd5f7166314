"""Plans → the text of a design file, as a person would write it: through a template, and black."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import black

from toolgen import ir
from toolgen.design.texts import cleaned
from toolgen.importer.naming import ClassNames, name_fields, record_candidates, unique_tool_names
from toolgen.importer.plan import FieldPlan, ObjectPlan, ToolPlan
from toolgen.importer.sharing import shared
from toolgen.ir import Kind
from toolgen.literals import json_literal, printable, text_literal, without_ending_quotes
from toolgen.names import snake_case
from toolgen.templating import template
from toolgen.undescribed import NOT_DESCRIBED

LINE_LENGTH = 100
_IMPORTS = {
    Kind.DATE: ("datetime", "date"),
    Kind.TIME: ("datetime", "time"),
    Kind.DATETIME: ("datetime", "datetime"),
    Kind.TIMEDELTA: ("datetime", "timedelta"),
    Kind.DECIMAL: ("decimal", "Decimal"),
    Kind.UUID: ("uuid", "UUID"),
}
_WIDTH = 72


@dataclass(slots=True)
class Design:
    """All that goes into one design file."""

    toolset: str
    description: str
    tools: list[ToolPlan]
    objects: dict[tuple[int, str], ObjectPlan]
    """Records by the position of the tool that they are for, and the pointer of their schema."""


@dataclass(frozen=True, slots=True)
class FieldText:
    """A field as it is printed."""

    comments: tuple[str, ...]
    name: str
    annotation: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ClassText:
    """A class as it is printed. ``base`` is what stands in its parentheses."""

    name: str
    base: str
    docstring: str
    comments: tuple[str, ...]
    fields: tuple[FieldText, ...]


@dataclass(frozen=True, slots=True)
class ToolText:
    """A tool as it is printed."""

    options: str
    text: ClassText
    result: str | None


@dataclass(slots=True)
class Written:
    """A design as text, and what a report counts."""

    text: str
    tools: list[str]
    records: list[str]
    undescribed: int
    owned: list[set[str]]
    """The Records of each tool, by its position."""


@dataclass(slots=True)
class _Uses:
    """What the text needs of other modules."""

    modules: dict[str, set[str]] = field(default_factory=dict)
    undescribed: int = 0

    def need(self, module: str, name: str) -> None:
        self.modules.setdefault(module, set()).add(name)


def write(design: Design, progress: Callable[[int, int], None] | None = None) -> Written:
    """The text of a design. It is formatted, and nothing of the source can be code in it.

    ``progress`` is told how many classes of how many are written.
    """
    return _Writer(design).written(progress)


class _Writer:
    def __init__(self, design: Design) -> None:
        self._design = design
        self._uses = _Uses()
        self._tool_names = unique_tool_names(design.tools)
        self._toolset_variable = snake_case(design.toolset)
        classes = ClassNames([self._toolset_variable])
        self._tool_classes = {n: classes.tool(self._tool_names[n]) for n in range(len(design.tools))}
        self._same = shared(design.objects)
        self._records = self._name_records(classes)

    def _name_records(self, classes: ClassNames) -> dict[tuple[int, str], str]:
        """The class name of each Record; those that are the same have one."""
        found: dict[tuple[int, str], str] = {}
        owners = {(n, plan.input.key): self._tool_classes[n] for n, plan in enumerate(self._design.tools)}
        for key, first in self._same.items():
            plan = self._design.objects[first]
            if first in found:
                found[key] = found[first]
                continue
            parent = (key[0], plan.name.parent or "")
            above = found.get(parent, owners.get(parent, "")) if plan.name.parent is not None else ""
            fallback = above or self._tool_classes[key[0]]
            found[key] = classes.record([*record_candidates(plan, above), *record_candidates(plan, fallback)])
        return found

    def written(self, progress: Callable[[int, int], None] | None) -> Written:
        objects = self._design.objects
        records = [self._record(key, objects[key]) for key, first in self._same.items() if key == first]
        tools = [self._tool(n, plan) for n, plan in enumerate(self._design.tools)]
        blocks: Any = template("design.py.jinja").module
        classes = [
            *(blocks.record(text) for text in records),
            *(blocks.tool(text, self._toolset_variable) for text in tools),
        ]
        parts = [_formatted(self._head(blocks))]
        for number, text in enumerate(classes):
            parts.append(_formatted(text))  # each alone, since black takes long
            if progress is not None:
                progress(number + 1, len(classes))
        return Written(
            "\n\n".join(parts),
            list(self._tool_names.values()),
            list(dict.fromkeys(self._records.values())),
            self._uses.undescribed,
            [{self._records[key] for key in self._records if key[0] == n} for n in self._tool_names],
        )

    def _head(self, blocks: Any) -> str:
        """What stands above the classes."""
        names = sorted({"Toolset"} | self._uses.modules.pop("toolgen.dsl", set()), key=_import_order)
        text: str = blocks.head(
            description=_docstring(self._design.description),
            imports=sorted((module, sorted(found, key=_import_order)) for module, found in self._uses.modules.items()),
            dsl=names,
            variable=self._toolset_variable,
            toolset=text_literal(self._design.toolset),
            toolset_description=_text(self._design.description),
            undescribed=text_literal(NOT_DESCRIBED) if self._uses.undescribed else None,
        )
        return text

    # --- classes ------------------------------------------------------------------------------------------------------

    def _record(self, key: tuple[int, str], plan: ObjectPlan) -> ClassText:
        self._uses.need("toolgen.dsl", "Record")
        options = {} if plan.closed else {"closed": "False"}
        if plan.rule:
            options["also"] = json_literal(plan.rule)
        base = ", ".join(["Record", *(f"{name}={value}" for name, value in options.items())])
        return self._class(self._records[key], f"({base})", plan, key[0])

    def _tool(self, position: int, plan: ToolPlan) -> ToolText:
        name, class_ = self._tool_names[position], self._tool_classes[position]
        options: dict[str, str] = {} if snake_case(class_) == name else {"name": text_literal(name)}
        if plan.title:
            options["title"] = text_literal(plan.title)
        if plan.tags:
            options["tags"] = json_literal([*plan.tags])
        for hint in ("read_only", "destructive", "idempotent", "open_world"):
            value = getattr(plan.annotations, hint)
            if value is not None:
                options[hint] = repr(value)
        if plan.strict is not None:
            options["strict"] = repr(plan.strict)
        if not plan.input.closed:
            options["closed"] = "False"
        if plan.input.rule:
            options["also"] = json_literal(plan.input.rule)
        if plan.example is not None:
            options["example"] = json_literal(plan.example)
        input_ = self._class(class_, "", plan.input, position)
        text = ClassText(
            class_, "", _docstring(plan.description or NOT_DESCRIBED), (*plan.comments, *input_.comments), input_.fields
        )
        result = None
        if plan.result is not None:
            result = self._type(plan.result, position)
        return ToolText(", ".join(f"{key}={value}" for key, value in options.items()), text, result)

    def _class(self, name: str, base: str, plan: ObjectPlan, document: int) -> ClassText:
        python = name_fields(plan.fields)
        fields = tuple(self._field(python[field.wire], field, document) for field in plan.fields)
        comments = tuple(_comment(comment) for comment in plan.comments)
        return ClassText(name, base, _docstring(plan.description or NOT_DESCRIBED), comments, fields)

    # --- fields -------------------------------------------------------------------------------------------------------

    def _field(self, name: str, plan: FieldPlan, document: int) -> FieldText:
        self._uses.need("toolgen.dsl", "field")
        bounds, type_ = _outer_bounds(plan.read.type)
        options: dict[str, str] = {}
        if plan.has_default:
            options["default"] = json_literal(plan.default)
        elif not plan.required:
            options["optional"] = "True"
        if plan.keep_null:
            options["keep_null"] = "True"
        if name != plan.wire:
            options["name"] = text_literal(plan.wire)
        if plan.title is not None:
            options["title"] = text_literal(plan.title)
        if plan.has_example:
            options["example"] = json_literal(plan.example)
        options |= bounds
        if plan.deprecated:
            options["deprecated"] = "True"
        if plan.read.rule:
            options["also"] = json_literal(plan.read.rule)
        description = _text(plan.description) if plan.description else "UNDESCRIBED"
        self._uses.undescribed += not plan.description
        arguments = ", ".join([description, *(f"{key}={value}" for key, value in options.items())])
        return FieldText(tuple(map(_comment, plan.comments)), name, self._type(type_, document), arguments)

    def _type(self, type_: ir.Type, document: int) -> str:
        match type_:
            case ir.Scalar(kind, constraints):
                if kind in _IMPORTS:
                    self._uses.need(*_IMPORTS[kind])
                return self._bounded(kind.value, constraints)
            case ir.Anything():
                self._uses.need("typing", "Any")
                return "Any"
            case ir.Choice(values):
                self._uses.need("typing", "Literal")
                return f"Literal[{', '.join(json_literal(value) for value in values)}]"
            case ir.Array(items, constraints):
                return self._bounded(f"list[{self._type(items, document)}]", constraints)
            case ir.Map(values, constraints):
                return self._bounded(f"dict[str, {self._type(values, document)}]", constraints)
            case ir.RecordRef(key):
                return self._records[(document, key.name)]
            case ir.Nullable(of):
                return f"{self._type(of, document)} | None"
            case ir.Union(arms):
                return " | ".join(self._type(arm, document) for arm in arms)
            case _:
                raise AssertionError(type_)

    def _bounded(self, text: str, constraints: ir.Constraints) -> str:
        given = _options(constraints)
        if not given:
            return text
        self._uses.need("typing", "Annotated")
        self._uses.need("toolgen.dsl", "Constraints")
        return f"Annotated[{text}, Constraints({', '.join(f'{key}={value}' for key, value in given.items())})]"


def _options(constraints: ir.Constraints) -> dict[str, str]:
    return {name: json_literal(value) for name, value in constraints.given().items()}


def _outer_bounds(type_: ir.Type) -> tuple[dict[str, str], ir.Type]:
    """The bounds of a field's own type as options of ``field``, and the type without them."""
    match type_:
        case ir.Nullable(of):
            bounds, inner = _outer_bounds(of)
            return bounds, ir.Nullable(inner)
        case ir.Scalar(kind, constraints):
            return _options(constraints), ir.Scalar(kind)
        case ir.Array(items, constraints):
            return _options(constraints), ir.Array(items)
        case ir.Map(values, constraints):
            return _options(constraints), ir.Map(values)
        case _:
            return {}, type_


def _formatted(text: str) -> str:
    return black.format_str(text, mode=black.Mode(line_length=LINE_LENGTH))


# --- texts ------------------------------------------------------------------------------------------------------------


def _text(text: str) -> str:
    """A text as literals of a readable length, one beside the other."""
    text = _kept(text)
    if len(text) <= _WIDTH:
        return text_literal(text)
    return "\n".join(text_literal(piece) for piece in _pieces(text))


def _pieces(text: str) -> Iterator[str]:
    for line in text.splitlines(keepends=True):
        words = line.split(" ")
        piece = ""
        for n, word in enumerate(words):
            part = word if n == len(words) - 1 else f"{word} "
            if piece and len(piece) + len(part) > _WIDTH:
                yield piece
                piece = ""
            piece += part
        if piece:
            yield piece


def _docstring(text: str) -> str:
    """A text as a docstring that reads back as it is."""
    lines = [_line(line) for line in _kept(text).split("\n")]
    body = without_ending_quotes("\n".join(lines))
    return f'"""{body}\n"""' if len(lines) > 1 else f'"""{body}"""'


def _line(line: str) -> str:
    """A line of a docstring; a space at its end is an escape, since formatters take it away."""
    plain = printable(line.replace("\\", "\\\\"))
    return f"{plain[:-1]}\\x20" if plain.endswith(" ") else plain


def _kept(text: str) -> str:
    """The text so that it is read as it is: lines that are all indented but the first would lose that with a margin."""
    text = text.strip()
    return text if cleaned(text) == text else f"\n{text}"


def _comment(text: str) -> str:
    plain = "".join(char if char.isprintable() else " " for char in text)
    return "\n".join(f"# {line}" for line in textwrap.wrap(plain, LINE_LENGTH - 12, break_long_words=False))


def _import_order(name: str) -> tuple[bool, str]:
    return (name[:1].islower(), name)
