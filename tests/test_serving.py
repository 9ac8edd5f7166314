"""Finding the registry that is to be served."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolgen.serving import ServingError, find_served

DESK = '''"""Desk tools."""
from toolgen.runtime import ToolRegistry
r = ToolRegistry()
context = {"a": 1}
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


@pytest.mark.parametrize("module", ["import nothing_of_this_name"], indirect=True)
def test_an_import_that_fails_inside_the_module_is_its_own_error(module: str) -> None:
    with pytest.raises(ModuleNotFoundError, match="nothing_of_this_name"):
        find_served(module, {})
