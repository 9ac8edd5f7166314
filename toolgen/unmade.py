"""Fields of which no input can be made up for a contract test, told like what is wrong with a design."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from toolgen import ir
from toolgen.design.problems import Place, Problem
from toolgen.plain import Plain
from toolgen.schema import def_names
from toolgen.walk import reached_records


class Document(Plain, frozen=True):
    """A schema that a contract test makes inputs of: the fields at its root, or the type that it is of."""

    fields: Sequence[ir.Field] = ()
    type: ir.Type | None = None

    def types(self) -> Iterator[ir.Type]:
        yield from (field.type for field in self.fields)
        if self.type is not None:
            yield self.type


class Unmade(Exception):
    """No input could be made up for a part of a tool's contract test. ``where`` is the position in the schema."""

    def __init__(self, document: Document, where: str) -> None:
        super().__init__(document, where)
        self.document = document
        self.where = where


_WHERE: Final = re.compile(r"#(?:/\$defs/(?P<record>[^/\[]+))?(?:\[[^\]]*\])?(?:/properties/(?P<rest>.*))?", re.DOTALL)


def problems(program: ir.Program) -> list[Problem]:
    """What to tell of every tool whose contract test can't be made; once of a Record that several of them need."""
    return list(dict.fromkeys(_problems(program)))


def _problems(program: ir.Program) -> Iterator[Problem]:
    from toolgen.contract import contract_data

    for package in program.packages:
        for tool in package.toolset.tools if package.toolset else ():
            try:
                contract_data(tool, program)
            except Unmade as error:
                yield _problem(error, tool, package.name, program)


def _problem(unmade: Unmade, tool: ir.Tool, toolset: str, program: ir.Program) -> Problem:
    """What its author is told of it: at the field, where it is one's, else at the tool."""
    place = Place(tool.location, toolset, tool.name)
    found = _WHERE.match(unmade.where)
    rest = found["rest"] if found is not None else None
    fields: Sequence[ir.Field] = unmade.document.fields
    if found is not None and found["record"] is not None:
        records = reached_records(unmade.document.types(), program)
        record = next((r for key, r in records.items() if def_names(records)[key] == found["record"]), None)
        if record is not None:
            fields = record.fields
            own = tool.result_record is not None and record.key == tool.result_record.key
            place = place.at(record.location) if own else Place(record.location, record=record.key.name)
    named = [field for field in fields if rest is not None and f"{rest}/".startswith(f"{field.wire}/")]
    mend = "Declare what it gives as a Record, with an example= of each field that needs one"
    if named:
        field = max(named, key=lambda field: len(field.wire))
        place = place.of_field(field.name, field.location)
        mend = "Give the field an example= that meets them"
    elif fields:
        mend = "Give the fields examples that meet them together"
    rule = "no value that meets all constraints could be made up for the contract test"
    return place.problem(rule, f"{mend}, or change the constraints if nothing can.")
