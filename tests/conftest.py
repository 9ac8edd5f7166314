"""What several tests need: compiling a design and importing what it gives."""

from __future__ import annotations

import importlib
import itertools
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

PRELUDE = '''"""A design."""

from __future__ import annotations

import enum
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from toolgen.dsl import Bounded, Constraints, Record, Toolset, field, injected, restored

things = Toolset("things", "Things.")
'''

_numbers = itertools.count()


def shown(value: object) -> str:
    """The name of a parameter in a test's id: what it prints as, without its address, which differs by process."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


@pytest.fixture(scope="session", autouse=True)
def _cache_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keeps what tests generate out of the user's cache."""
    os.environ["TOOLGEN_CACHE"] = str(tmp_path_factory.mktemp("cache"))


def one_tool(fields: str, *, records: str = "", options: str = "", result: str = "") -> str:
    """The source of a design with one tool, ``things.do``, whose Input has these fields."""
    body = "\n".join(f"        {line}" for line in fields.strip().splitlines()) or "        pass"
    tail = "\n".join(f"    {line}" for line in result.strip().splitlines())
    tool = f'@things.tool(name="do"{options})\nclass Do:\n    """Does it."""\n\n    class Input:\n{body}\n\n{tail}\n'
    return f"{PRELUDE}\n\n{records}\n\n{tool}"


Compile = Callable[[str], ModuleType]


@contextmanager
def compiling(folder: Path, *, formatted: bool = True) -> Iterator[Compile]:
    """A function that compiles the source of a design into a package of its own in ``folder`` and imports its root.

    Unformatted code takes a tenth of the time to make.
    """
    from toolgen.emit import Options, render
    from toolgen.load import load

    made: list[str] = []

    def compiled(source: str) -> ModuleType:
        name = f"compiled_{next(_numbers)}"
        design = folder / f"{name}_design.py"
        design.write_text(source, encoding="utf-8")
        for path, rendered in render(load([design], root=folder), Options(formatted=formatted)).items():
            target = folder / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(rendered.text.encode("utf-8"))
        importlib.invalidate_caches()
        made.append(name)
        return importlib.import_module(name)

    sys.path.insert(0, str(folder))
    yield compiled
    sys.path.remove(str(folder))
    for module in list(sys.modules):
        if module.split(".")[0] in made:
            del sys.modules[module]


@pytest.fixture
def compile_design(tmp_path: Path) -> Iterator[Compile]:
    """Compiles the source of a design and gives the root package of the output."""
    with compiling(tmp_path) as compile_design:
        yield compile_design


@pytest.fixture
def compile_tool(compile_design: Compile) -> Callable[..., ModuleType]:
    """Compiles one tool from the source of its fields, and gives its module."""

    def compiled(fields: str, **parts: str) -> ModuleType:
        root = compile_design(one_tool(fields, **parts))
        return importlib.import_module(f"{root.__name__}.things.do")

    return compiled
