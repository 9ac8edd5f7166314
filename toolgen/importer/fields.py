"""Properties of objects → fields: their types, and what is said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolgen.importer.conjunction import Endless, flat
from toolgen.importer.plan import FieldPlan, Name, ObjectPlan, Read
from toolgen.importer.schemas import ReferenceFault, Schema, SchemaOrBool
from toolgen.runtime.careful import Careful
from toolgen.runtime.pointers import escaped

if TYPE_CHECKING:
    from toolgen.importer.reader import Reader


class FieldReader:
    """Reads the properties of an object."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._report = reader.report

    def read(self, wire: str, schema: SchemaOrBool, owner: ObjectPlan, *, required: bool) -> FieldPlan | None:
        """A field; None where the property takes no value."""
        comments: list[str] = []
        with self._report.commenting(comments):
            read = self._reader.read(schema, Name(owner.key, wire))
            self._reader.say_broken(f"{owner.key}/properties/{escaped(wire)}")
            if read is None:
                return None
            plan = FieldPlan(wire, read, required, schema, comments=comments)
            if isinstance(schema, Schema):
                self._describe(plan, schema)
        return plan

    def _describe(self, plan: FieldPlan, schema: Schema) -> None:
        """The annotations of a property: its own, else those of what it refers to."""
        said = self._annotations(schema)
        plan.description = said["description"].strip() if isinstance(said.get("description"), str) else ""
        own_title = schema.get("title")
        plan.title = own_title if isinstance(own_title, str) and own_title.strip() else None
        plan.deprecated = said.get("deprecated") is True
        judge = self._reader.judge(schema) if "default" in said or "examples" in said else None
        if "default" in said:
            self._default(plan, said["default"], schema, judge)
        examples = said.get("examples")
        if isinstance(examples, list) and examples:
            self._example(plan, examples, schema, judge)

    def _annotations(self, schema: Schema) -> Schema:
        try:
            whole = flat(schema, self._reader.document)
        except (Endless, ReferenceFault):
            return schema
        return whole if isinstance(whole, Schema) else schema

    def _place(self, schema: SchemaOrBool, word: str) -> str:
        """The pointer of an annotation: in the schema itself, or in what it refers to."""
        document = self._reader.document
        if not isinstance(schema, Schema):
            return ""
        if word in schema:
            return f"{schema.at}/{document.spelled(schema, word)}"
        parts = [document.schema(document.resolve(schema["$ref"]))] if "$ref" in schema else []
        return next(filter(None, (self._place(part, word) for part in [*parts, *schema.get("allOf", ())])), schema.at)

    def _default(self, plan: FieldPlan, value: Any, schema: Schema, judge: Careful | None) -> None:
        at = self._place(schema, "default")
        if plan.required:
            self._report.note(at, "the default is left out: the field is required, so it never stands in")
        elif judge is None or judge.judge(value, lenient=False).issues:
            self._report.note(at, f"the default {value!r} is left out: its own schema does not take it")
        else:
            plan.has_default, plan.default = True, value

    def _example(self, plan: FieldPlan, examples: list[Any], schema: Schema, judge: Careful | None) -> None:
        at = self._place(schema, "examples")
        good = [value for value in examples if judge is not None and not judge.judge(value, lenient=False).issues]
        if good:
            plan.has_example, plan.example = True, good[0]
        if len(examples) > len(good):
            self._report.note(at, "examples that their own schema does not take are left out")
        if len(good) > 1:
            self._report.note(at, f"only the first of {len(good)} examples is kept")


__all__ = ["FieldReader", "Read"]
