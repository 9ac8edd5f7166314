"""The protocol of handlers that a toolset's package holds."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]

DESIGN = '''"""Tools with awkward names."""

from __future__ import annotations

from toolgen.dsl import Toolset, field

odd_desk = Toolset("odd_desk", "Odd.")


@odd_desk.tool(name="Page")
class Page:
    """A tool called as a name of the runtime."""

    Result = str


@odd_desk.tool(name="CallContext")
class Call:
    """Another."""


@odd_desk.tool(name="handlers")
class Handlers:
    """One called as the module."""


@odd_desk.tool(name="OddDeskHandlers")
class Odd:
    """One called as the protocol."""


@odd_desk.tool(name="_abstractmethod")
class Abstract:
    """One called as what the module imports."""
'''


def test_importing_a_toolset_loads_no_tool_and_nothing_that_runs_them() -> None:
    code = (
        "import sys, generated.support\n"
        "from generated.support import search_tickets\n"
        "loaded = [name for name in ('generated.support.handlers', 'generated.support.list_products', 'asyncio',"
        " 'sqlite3') if name in sys.modules]\n"
        "from generated.support import SupportHandlers\n"
        "print(loaded, SupportHandlers.__module__, 'SupportHandlers' in dir(generated.support))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] generated.support.handlers True"


def test_the_protocol_has_a_method_a_tool() -> None:
    handlers = importlib.import_module("generated.support").SupportHandlers
    methods = [name for name in vars(handlers) if not name.startswith("_")]
    assert methods == ["search_tickets", "more_tickets", "answer_ticket", "list_products"]


def test_names_that_meet_are_told_apart(compile_design: Callable[[str], ModuleType]) -> None:
    desk = importlib.import_module(f"{compile_design(DESIGN).__name__}.odd_desk")
    protocol = desk.OddDeskHandlers_
    assert [name for name in vars(protocol) if not name.startswith("_")] == [
        "Page",
        "CallContext",
        "handlers_",
        "OddDeskHandlers",
    ]
    assert len(protocol.__abstractmethods__) == len(desk.TOOLSET)
    assert desk.TOOLSET["handlers"].name == "handlers"
    assert desk.OddDeskHandlers.SPEC.name == "OddDeskHandlers"
    source = Path(str(importlib.import_module(f"{desk.__name__}.handlers").__file__)).read_text(encoding="utf-8")
    assert "CallContext as _CallContext" in source


def test_a_class_of_handlers_that_lacks_one_can_not_be_made() -> None:
    handlers = importlib.import_module("generated.support").SupportHandlers
    methods = {name: lambda self, payload, ctx: None for name in handlers.__abstractmethods__}
    type("Whole", (handlers,), methods)()
    for missing in methods:
        lacking = type("Lacking", (handlers,), {name: method for name, method in methods.items() if name != missing})
        with pytest.raises(TypeError, match=missing):
            lacking()
