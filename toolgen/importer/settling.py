"""Types of schemas that hold themselves: known once all is read, and put where they were left open."""

from __future__ import annotations

from dataclasses import replace

from toolgen import ir
from toolgen.importer.plan import FieldPlan, ObjectPlan, ToolPlan, is_pending
from toolgen.importer.reader import Reader, united
from toolgen.importer.reporting import Outcome


class Settling:
    """Settles the types of a tool, and of the Records that it needs."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._found: dict[str, ObjectPlan] = {}
        self._inside: list[ir.TypeKey] = []
        self._left_open: dict[tuple[str, str], None] = {}

    def reached(self, tool: ToolPlan) -> dict[str, ObjectPlan]:
        """The Records that a tool needs, in the order in which they are met."""
        self._follow(tool.input)
        if tool.result is not None:
            tool.result = self._settled(tool.result)
            self._say_left_open()
        for plan in (tool.input, *self._found.values()):
            self._complete(plan)
        return self._found

    def _complete(self, plan: ObjectPlan) -> None:
        """Gives the rules of an object the definitions that they refer to."""
        complete = self._reader.definitions.complete
        plan.rule = complete(plan.rule)
        for field in plan.fields:
            field.read = replace(field.read, rule=complete(field.read.rule, short=True))

    def _follow(self, plan: ObjectPlan) -> None:
        """Settles the fields of an object. A Record ends what holds itself, so that nothing is inside itself there."""
        inside, self._inside = self._inside, []
        for field in plan.fields:
            with self._reader.report.commenting(field.comments):
                self._settle(field)
            # A rule may rest on the key, and only now is it known whether the key may be null.
            missing_is_null = not field.required and not field.has_default and field.takes_null()
            ruled = plan.rule is not None or field.read.rule is not None
            field.keep_null = field.keep_null or (ruled and missing_is_null)
        self._inside = inside

    def _settle(self, field: FieldPlan) -> None:
        """Settles the type of a field. Where it leaves open what holds itself, a rule says all of it."""
        outer, self._left_open = self._left_open, {}
        found = dict(self._found)
        field.read = replace(field.read, type=self._settled(field.read.type))
        if self._left_open:
            whole = self._reader.as_written(field.schema, field.read)
            if whole.rule is None:
                self._say_left_open()
            else:
                self._found = found  # its Records are dicts now
            field.read = whole
        self._left_open = outer

    def _say_left_open(self) -> None:
        for place, text in self._left_open:
            self._reader.report.say(place, Outcome.WIDER, text)

    def _settled(self, type_: ir.Type) -> ir.Type:
        match type_:
            case ir.RecordRef(key):
                return self._pending(key) if is_pending(key) else self._record(type_)
            case ir.Array(items):
                return type_.replace(items=self._settled(items))
            case ir.Map(values):
                return type_.replace(values=self._settled(values))
            case ir.Nullable(of):
                return united([self._settled(of), ir.Choice((None,))])
            case ir.Union(arms):
                return united([self._settled(arm) for arm in arms])
            case _:
                return type_

    def _record(self, type_: ir.RecordRef) -> ir.Type:
        """A Record; one that came to nothing is a plain dict."""
        name = type_.key.name
        if name not in self._reader.objects:
            text = "any object is taken where it stands inside itself: no Record says all of it"
            return self._wider(name, text, ir.Map(ir.Anything()))
        if name not in self._found:
            self._found[name] = self._reader.objects[name]
            self._follow(self._found[name])
        return type_

    def _pending(self, key: ir.TypeKey) -> ir.Type:
        """The type of a schema where it stands inside itself."""
        read = self._reader.targets.get(key)
        if key in self._inside or read is None:
            text = "any value is taken where it stands inside itself: only a Record can hold itself"
            return self._wider(key.name, text, ir.Anything())
        if read.rule is not None:
            text = "not all of it is checked where it stands inside itself: no Record says all of it"
            self._left_open[key.name, text] = None
        self._inside.append(key)
        try:
            return self._settled(read.type)
        finally:
            self._inside.pop()

    def _wider(self, place: str, text: str, instead: ir.Type) -> ir.Type:
        self._left_open[place, text] = None
        return instead
