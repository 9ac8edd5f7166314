"""Defaults and examples: into wire form, and judged by the schema of their type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from toolgen import dsl, ir
from toolgen.design import texts
from toolgen.design.fields import Draft
from toolgen.design.problems import Problems, Report
from toolgen.design.wire import MOST_VALUES, WireError, Writer, is_huge
from toolgen.ir import Json
from toolgen.runtime.careful import Careful
from toolgen.runtime.issues import Issue
from toolgen.runtime.pointers import unescaped
from toolgen.schema import MODEL_ROLES, input_schema, value_schema

_NO_DEFAULT: Final = "Write optional=True in its place: the value is None where the field is missing."


class Values:
    """Judges the values that a design gives, in a program whose types are known."""

    def __init__(self, program: ir.Program, writer: Writer, problems: Problems) -> None:
        self._program = program
        self._writer = writer
        self._problems = problems

    def finish(self, draft: Draft) -> ir.Field:
        """The field with its default and examples in wire form."""
        field, report = draft.field, self._problems.at(draft.place)
        examples: tuple[Json, ...] = ()
        default: Json = None
        with self._problems.reading(draft.place):
            if draft.sound and draft.example is not dsl.MISSING:
                examples = (self._value(draft.example, field, "example", report),)
            if draft.sound and draft.default is not dsl.MISSING:
                default = self._value(draft.default, field, "default", report)
        return field.replace(default=default, examples=examples) if examples or default is not None else field

    def _value(self, value: object, field: ir.Field, what: str, report: Report) -> Json:
        if is_huge(value):
            report(f"the {what} holds more than {MOST_VALUES:,} values, or itself", "Give a smaller one.")
            return None
        try:
            wire = self._writer.write(value, field.type)
            return _judged(wire, value, value_schema(field, self._program), what, report)
        except WireError as error:
            missing = value is None and what == "default"
            report(
                f"the {what} {texts.shown(value)} {_at(error.path)}{error.reason}",
                _NO_DEFAULT if missing else error.mend or f"Give {_a(what)} of the field's type.",
            )
        except RecursionError:
            report(f"the {what} is nested too deep", "Give a smaller one.")
        return None

    def tool_example(self, tool: ir.Tool, example: object, report: Report) -> dict[str, Json] | None:
        """A tool's example in wire form, judged by the schema that the model sees."""
        if not isinstance(example, Mapping):
            report(f"the example {texts.shown(example)} is no dict", "Give one call as a dict by JSON names.")
            return None
        if is_huge(dict(example)):
            report(f"the example holds more than {MOST_VALUES:,} values, or itself", "Give a smaller one.")
            return None
        fields = [field for field in tool.fields if field.role is ir.Role.MODEL]
        try:
            wire = self._writer.write_object(example, fields)
            judged = _judged(wire, example, input_schema(tool, self._program, MODEL_ROLES), "example", report)
        except WireError as error:
            report(f"the example {_at(error.path)}{error.reason}", error.mend or "Give values of the fields' types.")
            return None
        except RecursionError:
            report("the example is nested too deep", "Give a smaller one.")
            return None
        return judged if isinstance(judged, dict) else None


def _judged(wire: Json, value: object, schema: Mapping[str, Json], what: str, report: Report) -> Json:
    judged = Careful(schema).judge(wire, lenient=False)
    misspelt = _misspelt(judged.issues)
    for issue in judged.issues:
        if issue.path not in misspelt.values():
            report(*_told(issue, value, what, misspelt.get(issue.path)))
    return None if judged.issues else judged.value


def _misspelt(issues: Sequence[Issue]) -> dict[str, str]:
    """The unknown keys that stand for a missing one beside them, which is then told with them: path by path."""
    missing = [issue.path for issue in issues if issue.constraint == "missing_field"]
    found: dict[str, str] = {}
    for unknown in (issue.path for issue in issues if issue.constraint == "unknown_field"):
        parent, _, key = unknown.rpartition("/")
        beside = [at.rpartition("/")[2] for at in missing if at.rpartition("/")[0] == parent]
        near = texts.nearest(key, beside)
        if near is not None:
            found[unknown] = f"{parent}/{near}"
            missing.remove(found[unknown])
    return found


def _told(issue: Issue, value: object, what: str, meant: str | None) -> tuple[str, str]:
    """The rule that a value breaks, and how to mend it."""
    parent, _, key = issue.path.rpartition("/")
    if meant is not None:
        name = unescaped(meant.rpartition("/")[2])
        return f"the {what} {_at(parent)}has {unescaped(key)!r}, which is no field", f"Did you mean {name}?"
    if issue.constraint == "missing_field":
        return f"the {what} {_at(parent)}has no {unescaped(key)}, which is required", "Give it."
    if value is None and what == "default":
        return "the default None is no value of the field's type", _NO_DEFAULT
    told = texts.shown(value) if not issue.path else f"{texts.shown(value)} at {issue.path}"
    rule = f"the {what} {told} breaks the field's own rules: {issue.message.rstrip('.')}"
    return rule, f"Give {_a(what)} that keeps them, or change them."


def _a(what: str) -> str:
    return f"an {what}" if what[0] in "aeiou" else f"a {what}"


def _at(path: str) -> str:
    return f"at {path} " if path else ""
