"""Imports one schema, and what its tests ask of it. No test stands here."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path
from typing import Any

from toolgen import ir, load
from toolgen.importer.importing import Imported, compose
from toolgen.importer.sources import Form, tools_of
from toolgen.importer.tools import plan_tool
from toolgen.runtime.careful import Careful
from toolgen.schema import MODEL_ROLES, input_schema

Schema = Any


def imported(schema: Schema, *, closed: bool = False) -> Imported:
    """A design of one tool, named trial."""
    source = next(iter(tools_of(schema, Form.JSON_SCHEMA, "trial")))
    return compose([plan_tool(source, "trial.json", closed=closed)], "desk", "Trial.")


def program_of(text: str) -> ir.Program:
    """A design as it is loaded."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "desk.py")
        path.write_text(text, encoding="utf-8")
        return load.load([path], root=Path(folder))


def schemas_in(text: str) -> dict[str, dict[str, Any]]:
    """The model schemas of a design's tools, by their names."""
    program = program_of(text)
    tools = [tool for package in program.packages if package.toolset for tool in package.toolset.tools]
    return {tool.name: input_schema(tool, program, MODEL_ROLES) for tool in tools}


@functools.lru_cache(maxsize=8)
def _first_schema(text: str) -> dict[str, Any]:
    return next(iter(schemas_in(text).values()))


def schema_of(made: Imported) -> dict[str, Any]:
    """The model schema of what was imported."""
    assert made.written is not None, [bad.line() for bad in made.bad]
    return _first_schema(made.written.text)


def takes(made: Imported, value: Any) -> bool:
    """Whether the imported tool takes an input."""
    return not Careful(schema_of(made)).judge(value, lenient=False).issues
