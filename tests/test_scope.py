from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgen.scope import BUILTINS, HERE, Scope, free_name


def test_a_free_name_is_used_as_it_is() -> None:
    scope = Scope([])
    assert scope.use("datetime", "date") == "date"
    assert scope.import_lines() == [["from datetime import date"]]


def test_a_builtin_needs_no_import_until_it_is_hidden() -> None:
    scope = Scope([])
    assert scope.use(BUILTINS, "int") == "int"
    assert scope.import_lines() == []
    assert scope.use(BUILTINS, "int", {"int"}) == "_int"
    assert scope.import_lines() == [["from builtins import int as _int"]]


def test_a_name_that_the_module_defines_is_imported_under_another() -> None:
    assert Scope(["Struct"]).use("msgspec", "Struct") == "_Struct"


def test_an_own_name_that_is_hidden_gets_an_alias() -> None:
    scope = Scope(["Ticket"])
    assert scope.use(HERE, "Ticket", {"Ticket"}) == "_Ticket"
    assert scope.aliases == [("_Ticket", "Ticket")]


def test_imports_stand_in_groups_and_in_order() -> None:
    scope = Scope([])
    for module, name in (
        (".types", "B"),
        ("msgspec", "UNSET"),
        ("typing", "Any"),
        (".types", "A"),
        ("datetime", "date"),
    ):
        scope.use(module, name)
    assert scope.import_lines() == [
        ["from datetime import date", "from typing import Any"],
        ["from msgspec import UNSET"],
        ["from .types import A, B"],
    ]


def test_one_more_definition_takes_no_name_that_means_something() -> None:
    scope = Scope(["_x"])
    scope.use("typing", "x", {"x", "_x"})
    assert [scope.define("_x"), scope.define("_x"), scope.define("y")] == ["_x3", "_x4", "y"]
    assert scope.use("typing", "y") == "_y"
    assert scope.use(HERE, "y") == "y"


NAMES = st.sampled_from(["int", "date", "x", "y"])
USES = st.tuples(st.sampled_from([BUILTINS, "datetime", ".types", HERE]), NAMES, st.frozensets(NAMES))


@given(st.lists(USES))
def test_a_name_never_means_two_things_and_is_never_hidden(uses: list[tuple[str, str, frozenset[str]]]) -> None:
    scope = Scope({name for module, name, _ in uses if module == HERE})
    meaning: dict[str, tuple[str, str]] = {}
    for module, name, hidden in uses:
        local = scope.use(module, name, hidden)
        assert local not in hidden
        assert not local.startswith("__")
        assert meaning.setdefault(local, (module, name)) == (module, name)


def test_a_local_keeps_clear_of_what_is_taken_and_of_builtins() -> None:
    assert free_name("body", {"body"}) == "body_"
    assert free_name("int", {"int_"}) == "int__"
    assert free_name("limit", {"body"}) == "limit"


def test_a_name_that_the_module_does_not_define_is_none_of_its_own() -> None:
    with pytest.raises(ValueError, match="Ticket is not defined by this module"):
        Scope(["Order"]).use(HERE, "Ticket")
