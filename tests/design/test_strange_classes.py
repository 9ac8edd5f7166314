"""Classes whose bodies say strange things: a design error at its place, or code; never a traceback."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from toolgen.emit import Options, render
from toolgen.load import DesignError, load

HEAD = '''"""A design."""

from __future__ import annotations

import abc
import datetime
import enum
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypedDict, TypeVar

from toolgen.dsl import Record, Toolset, field, injected

desk = Toolset("desk", "A desk.")
'''

TOOL = '''

@desk.tool()
class Find:
    """Find."""
'''

HOMES = {
    "Input": f'{TOOL}\n    class Input:\n        a: int = field("A.")\n        HERE\n',
    "Result": f'{TOOL}\n    class Result:\n        a: int = field("A.")\n        HERE\n',
    "tool": f"{TOOL}    HERE\n",
    "Record": f'''
class R(Record):
    """R."""

    HERE
    a: int = field("A.")


class S(R):
    """S."""

    b: R = field("B.", default=R(a=1))

{TOOL}
    class Input:
        r: R = field("R.")
        s: S = field("S.", default=S(a=1))
''',
    "Record as Input": f'''
class R(Record):
    """R."""

    HERE
    a: int = field("A.")

{TOOL}
    Input = R
    Result = R
''',
    "Record that is submitted": """
@desk.submit()
class R(Record):
    HERE
    a: int = field("A.")
""",
    "submit": """
class R(Record):
    '''R.'''

    a: int = field("A.")


@desk.submit()
class End:
    HERE
    Response = R
""",
    "enumeration": f"""
class E(enum.Enum):
    A = "a"
    HERE

{TOOL}
    class Input:
        r: E | None = field("R.", default=E.A)
""",
    "metaclass": f'''
class M(type):
    HERE


class R(Record, metaclass=M):
    """R."""

    a: int = field("A.")

{TOOL.replace("Find:", "Find(metaclass=M):")}
    class Input(metaclass=M):
        r: R = field("R.", default=R(a=1))

    class Result(metaclass=M):
        r: R = field("R.")
''',
    "value": f'''
class O:
    HERE


class R(Record):
    """R."""

    a: int = field("A.", default=O())
    b: Any = field("A.", example=O(), name=O())

{TOOL}
    class Input:
        r: R = field("R.", default=R(a=O()))
''',
}

BODIES = (
    '{name}: str = field("F.")',
    '{name} = field("F.")',
    "{name}: int = 5",
    "{name} = 5",
    "{name} = None",
    '{name} = "nowhere"',
    '{name} = "json"',
    '{name} = "a b\\ud800"',
    "{name} = []",
    "{name} = {{}}",
    "{name} = {{5: int}}",
    "{name} = property(lambda self: 1 / 0)",
    "def {name}(self, *a, **k): return 5",
    "def {name}(self, *a, **k): raise ValueError(self)",
    "class {name}: x: int = 5",
)

READ_BY_PYTHON = ("__module__", "__annotations__", "__doc__", "__qualname__", "__slots__", "__class__", "__eq__")
NAMES = sorted(
    {*dir(type), *dir(object), *READ_BY_PYTHON, "__set_name__", "__get__", "__init_subclass__", "__toolgen_record__"}
    | {"__match_args__", "__dataclass_fields__", "__orig_bases__", "__members__", "_member_map_", "value", "name"}
    | {"Input", "Result", "__getattr__", "__call__", "__instancecheck__", "__iter__", "__len__", "__bool__"}
)


def outcome(source: str) -> list[tuple[int, str]]:
    """Line and text of each problem of a design; nothing where it compiles. Whatever else it raises is a fault."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "desk.py")
        path.write_text(source, encoding="utf-8")
        try:
            render(load([path], root=Path(folder)), Options(formatted=False))
        except DesignError as error:
            found = error.problems
        else:
            return []
    assert {problem.location.file for problem in found} == {"desk.py"}
    return [(problem.location.line, problem.render()) for problem in found]


@pytest.mark.once
@pytest.mark.parametrize("home", HOMES)
@pytest.mark.parametrize("name", READ_BY_PYTHON)
def test_what_python_reads_of_a_class_may_say_anything(name: str, home: str) -> None:
    for body in BODIES:
        outcome(HEAD + HOMES[home].replace("HERE", body.format(name=name)))


@settings(max_examples=150)
@example("__mro__", "metaclass", '{name}: str = field("F.")')
@example("__getattribute__", "metaclass", '{name}: str = field("F.")')
@given(st.sampled_from(NAMES), st.sampled_from(sorted(HOMES)), st.sampled_from(BODIES))
def test_no_class_body_ends_in_a_traceback(name: str, home: str, body: str) -> None:
    outcome(HEAD + HOMES[home].replace("HERE", body.format(name=name)))


@pytest.mark.parametrize("home", ["Input", "Result", "Record as Input"])
@pytest.mark.parametrize("name", ["__module__", "__doc__", "__dict__", "__name__", "__init__", "__class__"])
def test_a_field_named_like_something_of_python_is_reported_at_its_line(name: str, home: str) -> None:
    source = HEAD + HOMES[home].replace("HERE", f'{name}: str = field("F.")')
    line = next(n for n, text in enumerate(source.splitlines(), 1) if f"{name}:" in text)
    assert any(at == line and "starts with an underscore" in text for at, text in outcome(source))


CLASSES = {
    "a module that is not there": (
        'class E(enum.Enum):\n    __module__ = "nowhere"\n    A = "a"\n',
        "E",
        "the enumeration E says that it is of the module 'nowhere', where it is not. Leave __module__ out of it.",
    ),
    "a module that is another": (
        'class E(enum.Enum):\n    __module__ = "json"\n    A = "a"\n',
        "E",
        "the enumeration E says that it is of the module 'json', where it is not",
    ),
    "a base of Python's own": ("", "enum.IntEnum", "the enumeration has no members"),
    "a metaclass": (
        'class M(type): pass\n\n\nclass R(Record, metaclass=M):\n    """R."""\n',
        "R",
        "the class R has the metaclass M. Leave metaclass= out.",
    ),
    "an __init_subclass__ that forgets Record's": (
        'class B(Record):\n    """B."""\n    def __init_subclass__(cls): pass\n\n\nclass R(B):\n    """R."""\n',
        "R",
        "the Record R was made without what Record does for its heirs. Call super().__init_subclass__(**options)",
    ),
    "a deep type": ("T = int\nfor _ in range(300): T = list[T]\n", "T", "the type nests deeper than JSON may"),
    "a type beyond Python's stack": ("T = int\nfor _ in range(9000): T = list[T]\n", "T", "nested too deep"),
}


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_that_no_code_can_be_made_of_is_reported_where_it_is_used(name: str) -> None:
    declared, used, words = CLASSES[name]
    source = f'{HEAD}\n\n{declared}{TOOL}\n    class Input:\n        a: {used} = field("A.")\n'
    told = outcome(source)
    assert any(at == len(source.splitlines()) and words in text for at, text in told), told


@pytest.mark.parametrize(
    "made", ['{"e": enum.Enum("E", {"A": "a"})}["e"]', 'type("R", (Record,), {"__doc__": "R."})', "functools_made()"]
)
def test_a_class_without_a_name_of_its_own_in_the_module_compiles(made: str) -> None:
    helper = 'def functools_made() -> Any:\n    return enum.StrEnum("S", ["A", "B"])\n'
    source = f'{HEAD}\n\n{helper}\n\nT = list[{made}]\n{TOOL}\n    class Input:\n        a: T = field("A.")\n'
    assert outcome(source) == []


NO_INPUTS = (
    "Any",
    "enum.Enum",
    "enum.Flag",
    "Record",
    "Toolset",
    "desk",
    "5",
    "'Find'",
    "list[int]",
    "dict[str, int]",
    "dict",
    "int",
    "int | str",
    "Literal[1]",
    "Protocol",
    "Generic",
    "object",
    "type",
    "abc.ABC",
    "abc.ABCMeta",
    "Exception",
    "datetime.date",
    "NamedTuple('N', [('a', int)])",
    "TypedDict('T', {'a': int})",
    "TypeVar('T')",
    "enum.Enum('E', 'A B')",
    "property(lambda self: 1 / 0)",
    "lambda: 5",
    "field('F.')",
    "...",
)


@pytest.mark.parametrize("given_", NO_INPUTS)
def test_an_input_that_declares_no_fields_is_reported(given_: str) -> None:
    source = f"{HEAD}{TOOL}\n    Input = {given_}\n"
    ((line, text),) = outcome(source)
    assert line == len(source.splitlines())
    assert "desk.find: Input is " in text
    assert "which is no class of fields. Write class Input, Input = SomeRecord, or leave it out" in text


def test_an_input_may_be_a_class_of_the_design_or_a_base_of_one() -> None:
    shared = 'class Shared:\n    a: int = field("A.")\n    tenant: str = injected("T.")\n'
    assert outcome(f"{HEAD}\n\n{shared}{TOOL}\n    Input = Shared\n") == []
    assert outcome(f"{HEAD}\n\n{shared}{TOOL}\n    class Input(Shared, abc.ABC):\n        pass\n") == []


@pytest.mark.parametrize("decorated", ["int", "datetime.date", "Record", "Any", "enum.Enum", "abc.ABC", "Exception"])
def test_a_class_of_a_library_is_no_tool(decorated: str) -> None:
    source = f"{HEAD}\ndesk.tool()({decorated})\n"
    ((line, _),) = outcome(source)
    assert line == len(source.splitlines())


VALUES = {
    "default": 'a: Any = field("A.", default=GIVEN)',
    "example": 'a: Any = field("A.", example=GIVEN)',
    "also": 'a: Any = field("A.", also={"enum": GIVEN})',
}


@pytest.mark.parametrize("option", VALUES)
def test_a_value_that_holds_itself_or_its_parts_many_times_over_is_reported(option: str) -> None:
    for made in ("given = []\ngiven.append(given)", "given = []\nfor _ in range(60): given = [given, given]"):
        source = f"{HEAD}\n\n{made}\n{TOOL}\n    class Input:\n        {VALUES[option].replace('GIVEN', 'given')}\n"
        ((line, text),) = outcome(source)
        assert line == len(source.splitlines())
        assert "holds more than 100,000 values, or itself" in text


def test_a_module_that_does_not_import_is_no_fault_of_the_design(monkeypatch: pytest.MonkeyPatch) -> None:
    with tempfile.TemporaryDirectory() as broken:
        Path(broken, "jsonschema.py").write_text("1 / 0\n", encoding="utf-8")
        monkeypatch.syspath_prepend(broken)
        monkeypatch.delitem(sys.modules, "jsonschema", raising=False)
        with pytest.raises(ZeroDivisionError):
            outcome(f'{HEAD}{TOOL}\n    class Input:\n        a: int = field("A.", also={{"not": {{"const": 5}}}})\n')
