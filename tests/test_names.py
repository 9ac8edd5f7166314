"""Names of tools and modules, made from those of a design."""

from __future__ import annotations

import importlib
import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgen import names


@pytest.mark.parametrize(
    ("class_name", "wanted"),
    [
        ("SearchTickets", "search_tickets"),
        ("HTTPServer", "http_server"),
        ("GetV2Items", "get_v2_items"),
        ("search_tickets", "search_tickets"),
        ("A", "a"),
        ("ParseURL", "parse_url"),
        ("Case0", "case0"),
    ],
)
def test_class_names_become_snake_case(class_name: str, wanted: str) -> None:
    assert names.snake_case(class_name) == wanted


@pytest.mark.parametrize(
    ("tool", "module"),
    [
        ("search_tickets", "search_tickets"),
        ("look-up", "look_up"),
        ("types", "types_"),
        ("Types", "Types_"),
        ("TOOLSET", "TOOLSET_"),
        ("annotations", "annotations_"),
        ("class", "class_"),
        ("match", "match"),
        ("None", "None_"),
        ("__init__", "__init___"),
        ("__main__", "__main___"),
        ("__x", "__x___"),
        ("__x_", "__x___"),
        ("__", "___"),
        ("__x-y__", "__x_y___"),
        ("init", "init"),
        ("CON", "CON_"),
        ("_x", "_x"),
    ],
)
def test_tools_have_modules_that_stand_in_no_ones_way(tool: str, module: str) -> None:
    assert names.tool_module(tool) == module


@given(st.from_regex(names.TOOL_NAME, fullmatch=True))
def test_every_tool_name_makes_a_module_name(name: str) -> None:
    module = names.tool_module(name)
    assert module.isidentifier()
    assert not keyword.iskeyword(module)
    assert not (module.startswith("__") and module.endswith("__") and module == f"{module.rstrip('_')}__")
    assert module in vars(type("Handlers", (), {module: None}))
    scope: dict[str, object] = {}
    exec(f"class Handlers:\n    def {module}(self): ...", scope)
    assert hasattr(scope["Handlers"], module), "a class can have a method of this name"


def test_no_tool_has_a_module_by_the_name_of_what_its_package_holds() -> None:
    package = importlib.import_module("generated.support")
    held = {*vars(package)} - {*package.TOOLSET}
    assert {"annotations", "TOOLSET", "_Toolset"} <= held
    for name in held:
        assert names.tool_module(name) not in held


def test_names_that_look_alike_fold_into_one() -> None:
    assert names.folded("ﬁt") == names.folded("fit")
    assert names.folded("Fit") != names.folded("fit")
