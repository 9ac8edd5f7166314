"""Finding the registry that is to be served."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from toolgen.cli import cli
from toolgen.serving import Served, ServingError, find_served

DESK = '''"""Desk tools."""
from toolgen.runtime import ToolRegistry
r = ToolRegistry()
context = {"a": 1, "b": 1}
'''
REGISTRY = "from toolgen.runtime import ToolRegistry\n"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A module of this test alone, in the working folder, with the source of its parameter."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *__import__("sys").path])
    name = f"served_{abs(hash(request.node.name))}"
    (tmp_path / f"{name}.py").write_text(request.param, encoding="utf-8")
    return name


@pytest.mark.parametrize("module", [DESK], indirect=True)
def test_the_one_registry_of_a_module_is_served(module: str) -> None:
    served = find_served(module, {"b": 2})
    assert (served.name, served.instructions, served.context) == (module, "Desk tools.", {"a": 1, "b": 2})
    assert find_served(f"{module}:r", {}).registry is served.registry


@pytest.mark.parametrize(
    ("module", "asked", "words"),
    [
        ("", "{}", "holds no ToolRegistry"),
        (f"{REGISTRY}a = ToolRegistry()\nb = ToolRegistry()", "{}", "say which, as in .*:a"),
        (f"{REGISTRY}a = ToolRegistry()", "{}:b", "has no ToolRegistry named b"),
        (f"{REGISTRY}a = ToolRegistry()\ndef context(call): return {{}}", "{}", "by a function"),
        ("", "nowhere.at.all", "there is no module nowhere.at.all"),
    ],
    indirect=["module"],
)
def test_what_can_not_be_served_is_refused_in_words(module: str, asked: str, words: str) -> None:
    with pytest.raises(ServingError, match=words):
        find_served(asked.format(module), {"x": 1})


REGISTERED_WRONG = """from generated.support import TOOLSET
from toolgen.runtime import ToolRegistry
registry = ToolRegistry()
registry.handles_all(TOOLSET, object())
"""
FAILING = {
    "x = 1\nimport nothing_of_this_name": r":2: .* ModuleNotFoundError: No module named 'nothing_of_this_name'",
    "def f():\n    return 1 / 0\nf()": r":2: .* ZeroDivisionError: division by zero",
    "import json\njson.loads('{')": r":2: .* JSONDecodeError",
    "x = (": r":1: .* SyntaxError",
    "raise SystemExit('no key set')": r":1: .* SystemExit: no key set",
    REGISTERED_WRONG: r":4: .* can't be imported: .* can't be registered: ",
}


@pytest.mark.parametrize(("module", "words"), FAILING.items(), indirect=["module"])
def test_a_module_that_can_not_be_imported_is_told_by_its_own_line(module: str, words: str) -> None:
    with pytest.raises(ServingError, match=rf"^{module}\.py{words}"):
        find_served(module, {})
    told = CliRunner().invoke(cli, ["serve", "mcp", module])
    assert (told.exit_code, told.stdout) == (2, "")
    assert told.stderr.startswith(f"Error: {module}.py:")
    assert "Traceback" not in told.stderr


SUPPORT = """from generated.support import TOOLSET
from generated.support.list_products import SPEC
from toolgen.runtime import ToolRegistry
context = {"other": 1}
registry = ToolRegistry()
@registry.handles(SPEC)
def list_products(payload, ctx): return []
"""
SEARCH = SUPPORT.replace("list_products", "answer_ticket")


@pytest.mark.parametrize(
    ("module", "given", "words"),
    [
        (SEARCH, "agnet", "no tool has an injected field agnet: did you mean agent\\? the injected fields are "),
        (SEARCH, "zzz", "no tool has an injected field zzz: the injected fields are .*agent"),
        (SUPPORT, "tenant", "no tool has an injected field tenant: no tool has any: leave it out"),
    ],
    indirect=["module"],
)
def test_a_name_in_the_context_that_no_tool_has_is_refused(module: str, given: str, words: str) -> None:
    with pytest.raises(ServingError, match=words):
        find_served(module, {given: "x"})
    assert find_served(module, {"other": 2}).context == {"other": 2}


@pytest.mark.parametrize("module", [SEARCH, SEARCH.replace("context =", "def context(call): return ")], indirect=True)
def test_injected_fields_that_nothing_gives_are_told_when_serving_starts(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def serves(served: Served, wire: object) -> None: ...

    monkeypatch.setattr("toolgen.serving.serve_mcp", serves)

    def told(*options: str) -> str:
        result = CliRunner().invoke(cli, ["serve", "mcp", module, *options])
        assert (result.exit_code, result.stdout) == (0, "")
        return result.stderr

    if callable(find_served(module, {}).context):
        assert told() == ""
        return
    assert told("--context", 'tenant="acme"') == (
        "warning: nothing gives agent, and every call of answer_ticket will fail: "
        "give --context agent=JSON, or a mapping or function named context in the module\n"
    )
    assert told("--context", 'tenant="acme"', "--context", 'agent="Ann"') == ""


def test_the_help_of_serving_says_what_continues_pages() -> None:
    assert "--context conversation=" in CliRunner().invoke(cli, ["serve", "mcp", "--help"]).stdout
