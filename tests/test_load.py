"""What a design says, as the intermediate representation has it."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from toolgen import ir
from toolgen.ir import Kind, Presence, Role
from toolgen.load import DesignError, load

PRELUDE = '''"""A design."""

from __future__ import annotations

import enum
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal, Optional, Union
from uuid import UUID

from toolgen.dsl import Bounded, Constraints, Record, Toolset, field, injected, restored

desk = Toolset("desk", "A desk.")


class Color(enum.Enum):
    """A colour."""

    RED = "red"
    BLUE = "blue"
    AZURE = "blue"


class Maybe(enum.Enum):
    NONE = None
    ONE = 1


class Cat(Record):
    """A cat."""

    kind: Literal["cat"] = field("Kind.")
    lives: int = field("Lives.", default=9)
    born: date = field("Day.", name="born-on", default=date(2020, 1, 2))


class Dog(Record, closed=False):
    """A dog."""

    kind: Literal["dog", "wolf"] = field("Kind.")


Names = list[str]
'''


def program(folder: Path, source: str, name: str = "desk.py") -> ir.Program:
    path = folder / name
    path.write_text(source, encoding="utf-8")
    return load([path], root=folder)


def fields_of(folder: Path, fields: str, name: str = "desk.py") -> list[ir.Field]:
    body = "\n".join(f"        {line}" for line in fields.splitlines())
    source = f'{PRELUDE}\n\n@desk.tool()\nclass Find:\n    """Find."""\n\n    class Input:\n{body}\n'
    toolset = program(folder, source, name).packages[0].toolset
    assert toolset is not None
    return list(toolset.tools[0].fields)


def one_field(folder: Path, text: str) -> ir.Field:
    return fields_of(folder, f"a: {text}")[0]


def tools_of(folder: Path, source: str) -> dict[str, ir.Tool]:
    toolset = program(folder, PRELUDE + source).packages[0].toolset
    assert toolset is not None
    return {tool.name: tool for tool in toolset.tools}


CAT, DOG = (ir.RecordRef(ir.TypeKey("desk", name)) for name in ("Cat", "Dog"))
COLOR, MAYBE = (ir.EnumRef(ir.TypeKey("desk", name)) for name in ("Color", "Maybe"))
STR, INT = ir.Scalar(Kind.STR), ir.Scalar(Kind.INT)

TYPES: dict[str, ir.Type] = {
    "str": STR,
    "int": INT,
    "float": ir.Scalar(Kind.FLOAT),
    "bool": ir.Scalar(Kind.BOOL),
    "bytes": ir.Scalar(Kind.BYTES),
    "date": ir.Scalar(Kind.DATE),
    "time": ir.Scalar(Kind.TIME),
    "datetime": ir.Scalar(Kind.DATETIME),
    "timedelta": ir.Scalar(Kind.TIMEDELTA),
    "UUID": ir.Scalar(Kind.UUID),
    "Decimal": ir.Scalar(Kind.DECIMAL),
    "Any": ir.Anything(),
    "Any | None": ir.Anything(),
    'Literal["a", 1, None, True, 1.5]': ir.Choice(("a", 1, None, True, 1.5)),
    'Literal["a"] | None': ir.Nullable(ir.Choice(("a",))),
    'Literal["a", None] | None': ir.Choice(("a", None)),
    'Literal["a"] | Literal["b", "a"]': ir.Choice(("a", "b")),
    'Literal["a", None] | int': ir.Nullable(ir.Union((ir.Choice(("a",)), INT))),
    "Literal[None] | int": ir.Nullable(INT),
    "Color": COLOR,
    "Maybe | None": MAYBE,
    "Color | None": ir.Nullable(COLOR),
    "Names": ir.Array(STR),
    "list[list[int]]": ir.Array(ir.Array(INT)),
    "dict[str, list[Cat]]": ir.Map(ir.Array(CAT)),
    "Optional[int]": ir.Nullable(INT),
    "Union[int, None, str]": ir.Nullable(ir.Union((INT, STR))),
    "list[Optional[int] | str]": ir.Array(ir.Nullable(ir.Union((INT, STR)))),
    "Cat | str": ir.Union((CAT, STR)),
    "Cat | Dog": ir.Union((CAT, DOG), "kind"),
    "None | Cat | Dog | int": ir.Nullable(ir.Union((CAT, DOG, INT), "kind")),
    "list[Annotated[str, Constraints(min_length=1)]]": ir.Array(ir.Scalar(Kind.STR, ir.Constraints(min_length=1))),
    "Annotated[int | None, Constraints(ge=1)]": ir.Nullable(ir.Scalar(Kind.INT, ir.Constraints(ge=1))),
    "Annotated[Annotated[int, Constraints(ge=1)], Constraints(le=2)]": ir.Scalar(Kind.INT, ir.Constraints(ge=1, le=2)),
}


@pytest.mark.parametrize("annotation", TYPES)
def test_annotations_become_types(annotation: str, tmp_path: Path) -> None:
    assert one_field(tmp_path, f'{annotation} = field("A.")').type == TYPES[annotation]


def test_constraints_of_a_field_go_to_the_arm_that_they_fit(tmp_path: Path) -> None:
    field = one_field(tmp_path, 'str | list[int] | None = field("A.", min_length=1, max_items=3)')
    text = ir.Scalar(Kind.STR, ir.Constraints(min_length=1))
    assert field.type == ir.Nullable(ir.Union((text, ir.Array(INT, ir.Constraints(max_items=3)))))


def test_whole_bounds_on_an_int_are_integers(tmp_path: Path) -> None:
    type_ = one_field(tmp_path, 'int = field("A.", ge=1.0)').type
    assert isinstance(type_, ir.Scalar)
    assert type(type_.constraints.ge) is int


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the statement is of Python 3.12")
def test_type_statements_are_read_through(tmp_path: Path) -> None:
    source = PRELUDE + "\ntype Numbers = list[Count]\ntype Count = Annotated[int, Constraints(ge=0)]\n"
    source += '\nclass Box(Record):\n    """B."""\n\n    a: Numbers | None = field("A.")\n'
    box = program(tmp_path, source).records[ir.TypeKey("desk", "Box")]
    assert box.fields[0].type == ir.Nullable(ir.Array(ir.Scalar(Kind.INT, ir.Constraints(ge=0))))


DEFAULTS: dict[str, Any] = {
    'int = field("A.", default=0)': 0,
    'float = field("A.", default=5)': 5.0,
    'str = field("A.", default="")': "",
    'int | None = field("A.", default=None)': None,
    'date = field("A.", default=date(2026, 1, 2))': "2026-01-02",
    'datetime = field("A.", default=datetime(2026, 1, 2, tzinfo=UTC))': "2026-01-02T00:00:00Z",
    'time = field("A.", default=time(1, 2, tzinfo=UTC))': "01:02:00Z",
    'timedelta = field("A.", default=timedelta(hours=1))': "PT1H",
    'Decimal = field("A.", default=Decimal("12.50"))': "12.50",
    'UUID = field("A.", default=UUID(int=1))': "00000000-0000-0000-0000-000000000001",
    'bytes = field("A.", default=b"hi")': "aGk=",
    'Color = field("A.", default=Color.RED)': "red",
    'Color | int = field("A.", default=Color.AZURE)': "blue",
    'Maybe = field("A.", default=Maybe.NONE)': None,
    'list[Color] = field("A.", default=[Color.RED])': ["red"],
    'dict[str, date] = field("A.", default={"x": date(2026, 1, 2)})': {"x": "2026-01-02"},
    'Cat = field("A.", default=Cat(kind="cat", born=date(2021, 1, 1)))': {"kind": "cat", "born-on": "2021-01-01"},
    'Cat | Dog | str = field("A.", default=Dog(kind="wolf"))': {"kind": "wolf"},
    'Cat | Dog | str = field("A.", default="x")': "x",
    'Any = field("A.", default={"a": [1, None]})': {"a": [1, None]},
    'int = field("A.", default=10**30)': 10**30,
}


@pytest.mark.parametrize("text", DEFAULTS)
def test_defaults_and_examples_stand_in_wire_form(text: str, tmp_path: Path) -> None:
    field = one_field(tmp_path, text)
    assert (field.presence, field.default) == (Presence.DEFAULT, DEFAULTS[text])
    assert type(field.default) is type(DEFAULTS[text])
    example = one_field(tmp_path, text.replace("default=", "example="))
    assert (example.presence, example.examples) == (Presence.REQUIRED, (DEFAULTS[text],))


def test_a_field_says_all_that_the_design_says(tmp_path: Path) -> None:
    text = 'int | None = field("""Some\n            text.\n        """, name="a-b", title="T", optional=True'
    field = one_field(tmp_path, text + ", keep_null=True, deprecated=True)")
    assert (field.name, field.wire, field.title, field.description) == ("a", "a-b", "T", "Some\ntext.")
    assert (field.presence, field.keep_null, field.deprecated) == (Presence.OPTIONAL, True, True)
    assert field.location == ir.Location("desk.py", (PRELUDE + "\n" * 8).count("\n"))


def test_roles_and_the_six_kinds_of_optional(tmp_path: Path) -> None:
    fields = fields_of(
        tmp_path,
        'a: int = field("A.")\nb: int = restored("B.", default=1)\nc: int = injected("C.")\n'
        'd: int | None = field("D.", optional=True)',
    )
    assert [f.role for f in fields] == [Role.MODEL, Role.RESTORED, Role.INJECTED, Role.MODEL]
    assert [f.presence for f in fields] == [
        Presence.REQUIRED,
        Presence.DEFAULT,
        Presence.REQUIRED,
        Presence.OPTIONAL,
    ]


def test_fields_may_be_named_like_types(tmp_path: Path) -> None:
    fields = fields_of(tmp_path, 'date: date = field("D.")\nlist: list[date] = field("L.")\nint: int = field("I.")')
    assert [f.type for f in fields] == [ir.Scalar(Kind.DATE), ir.Array(ir.Scalar(Kind.DATE)), INT]


TOOLS = '''
class Base(Record):
    """Base."""

    a: int = field("A.")
    b: int = field("B.")


class Filters(Base):
    """Filters."""

    c: Filters | None = field("C.", optional=True)
    a: str = field("Again.")


@desk.tool(
    name="look-up", title="Look up", tags=["x", "y"], read_only=True, destructive=False, idempotent=True,
    open_world=False, strict=False,
    example={"when": date(2026, 1, 2)}, bounded=Bounded(next_cursor=True, total=True),
)
class LookUp:
    """
    Look something up.

        Indented.
    """

    class Input:
        when: date = field("When.", name="when")
        seen: int = restored("Seen.", default=3, name="seen-before")
        tenant: str = injected("Tenant.")

    class Result:
        """What was found."""

        found: list[Filters] = field("Found.")


@desk.tool(continues=LookUp)
class MorePages:
    """More."""


@desk.tool()
class HTTPGet:
    """Get."""

    Input = Filters
    Result = list[Filters] | None


@desk.tool()
class Nothing:
    """Nothing."""


@desk.tool()
class OpenOne:
    """Open."""

    class Input(Dog):
        tenant: str = injected("Tenant.")

    Result = Dog
'''


def test_tools_say_all_that_the_design_says(tmp_path: Path) -> None:
    tools = tools_of(tmp_path, TOOLS)
    assert list(tools) == ["look-up", "more_pages", "http_get", "nothing", "open_one"]
    tool = tools["look-up"]
    assert (tool.class_name, tool.module, tool.title, tool.tags) == ("LookUp", "look_up", "Look up", ("x", "y"))
    assert tool.description == "Look something up.\n\n    Indented."
    assert tool.annotations == ir.Annotations(True, False, True, False)
    assert tool.strict is False
    assert tool.bounded == ir.Bounded(next_cursor=True, total=True)
    assert tool.example == {"when": "2026-01-02"}
    assert tool.result == ir.RecordRef(ir.TypeKey("desk", "LookUpResult"))
    assert tool.result_record is not None
    assert tool.result_record.description == "What was found."
    assert [f.name for f in tool.result_record.fields] == ["found"]


def test_a_result_may_be_any_type(tmp_path: Path) -> None:
    tools = tools_of(tmp_path, TOOLS)
    assert tools["http_get"].result == ir.Nullable(ir.Array(ir.RecordRef(ir.TypeKey("desk", "Filters"))))
    assert (tools["nothing"].result, tools["nothing"].fields) == (None, ())
    assert tools["open_one"].result == DOG


def test_inherited_fields_stand_first_and_keep_their_place(tmp_path: Path) -> None:
    fields = tools_of(tmp_path, TOOLS)["http_get"].fields
    assert [(f.name, f.type) for f in fields[:2]] == [("a", STR), ("b", INT)]
    assert [f.name for f in fields] == ["a", "b", "c"]


def test_an_open_record_as_input_makes_an_open_tool(tmp_path: Path) -> None:
    tools = tools_of(tmp_path, TOOLS)
    assert not tools["open_one"].closed
    assert [f.name for f in tools["open_one"].fields] == ["kind", "tenant"]


def test_a_continuation_restores_what_its_source_ran_on(tmp_path: Path) -> None:
    tool = tools_of(tmp_path, TOOLS)["more_pages"]
    assert (tool.continues, tool.example) == ("look-up", {})
    assert [(f.name, f.role, f.presence) for f in tool.fields] == [
        ("when", Role.RESTORED, Presence.REQUIRED),
        ("seen", Role.RESTORED, Presence.DEFAULT),
        ("cursor", Role.RESTORED, Presence.REQUIRED),
        ("tenant", Role.INJECTED, Presence.REQUIRED),
    ]
    assert tool.fields[1].default == 3


def test_a_package_holds_all_types_of_its_file_in_order(tmp_path: Path) -> None:
    package = program(tmp_path, PRELUDE).packages[0]
    assert (package.name, package.source) == ("desk", "desk.py")
    assert [r.key.name for r in package.records] == ["Cat", "Dog"]
    assert [r.closed for r in package.records] == [True, False]
    assert [e.key.name for e in package.enums] == ["Color", "Maybe"]
    assert package.enums[0].members == (("RED", "red"), ("BLUE", "blue"), ("AZURE", "blue"))
    assert [e.description for e in package.enums] == ["A colour.", ""]


def test_several_toolsets_in_a_file_are_several_packages_and_the_first_holds_the_types(tmp_path: Path) -> None:
    source = PRELUDE + '\nzoo = Toolset("aaa", "Zoo.")\n'
    packages = program(tmp_path, source).packages
    assert [(p.name, len(p.records)) for p in packages] == [("aaa", 0), ("desk", 2)]


COMMON = '''"""Shared."""

from __future__ import annotations

import enum

from toolgen.dsl import Record, field


class Size(enum.IntEnum):
    """A size."""

    SMALL = 1


class Shared(Record):
    """Shared."""

    size: Size = field("Size.", default=Size.SMALL)


class Unused(Record):
    """Unused."""
'''

USER = '''"""A user."""

from __future__ import annotations

from toolgen.dsl import Toolset, field
from {module} import Shared

{name} = Toolset("{name}", "A user.")


@{name}.tool()
class Use:
    """Use."""

    class Input:
        shared: Shared = field("Shared.", default=Shared())
'''


def shared_project(folder: Path) -> list[Path]:
    designs = folder / "designs"
    designs.mkdir()
    (designs / "common.py").write_text(COMMON, encoding="utf-8")
    (designs / "one.py").write_text(USER.format(name="one", module="common"), encoding="utf-8")
    (designs / "two.py").write_text(USER.format(name="two", module="designs.common"), encoding="utf-8")
    return [designs / f"{name}.py" for name in ("one", "two", "common")]


def test_a_file_is_one_module_however_it_is_imported(tmp_path: Path) -> None:
    found = load(shared_project(tmp_path), root=tmp_path)
    assert [p.name for p in found.packages] == ["common", "one", "two"]
    assert [r.key.name for r in found.packages[0].records] == ["Shared", "Unused"]
    types = {p.toolset.tools[0].fields[0].type for p in found.packages if p.toolset}
    assert types == {ir.RecordRef(ir.TypeKey("common", "Shared"))}


def test_a_design_that_is_imported_becomes_a_package_whole(tmp_path: Path) -> None:
    paths = shared_project(tmp_path)
    assert load(paths[:1], root=tmp_path).packages[0] == load(paths, root=tmp_path).packages[0]


def test_the_order_of_paths_does_not_count(tmp_path: Path) -> None:
    paths = shared_project(tmp_path)
    wanted = load(paths, root=tmp_path)
    for seed in range(3):
        random.Random(seed).shuffle(paths)
        assert load([*paths, paths[0]], root=tmp_path) == wanted


def test_the_hash_seed_does_not_count(tmp_path: Path) -> None:
    paths = [str(path) for path in shared_project(tmp_path)]
    (tmp_path / "desk.py").write_text(PRELUDE + TOOLS, encoding="utf-8")
    code = "import sys; from pathlib import Path; from toolgen.load import load\n"
    code += "print(load([Path(p) for p in sys.argv[2:]], root=Path(sys.argv[1])))"
    command = [sys.executable, "-c", code, str(tmp_path), *paths, str(tmp_path / "desk.py")]
    outputs = {
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_enums_of_a_library_stand_in_a_package_named_after_it(tmp_path: Path) -> None:
    source = PRELUDE.replace("import enum\n", "import enum\nfrom uuid import SafeUUID\n")
    found = program(tmp_path, source + '\nclass Box(Record):\n    """B."""\n\n    safe: SafeUUID = field("S.")\n')
    assert [(p.name, p.source) for p in found.packages] == [("desk", "desk.py"), ("uuid", "uuid.py")]
    assert [e.key.name for e in found.packages[1].enums] == ["SafeUUID"]


def test_designs_without_deferred_annotations_load_alike(tmp_path: Path) -> None:
    deferred = PRELUDE + TOOLS.replace("c: Filters | None", 'c: Optional["Filters"]').replace("when: date", "when: day")
    deferred = deferred.replace("Names =", "day = date\nNames =")
    now = deferred.replace("from __future__ import annotations\n", "\n")
    assert program(tmp_path, now) == program(tmp_path, deferred)


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="annotations are deferred")
def test_a_field_that_hides_its_own_type_is_told_how_to_mend_it(tmp_path: Path) -> None:
    source = PRELUDE.replace("from __future__ import annotations\n", "")
    with pytest.raises(DesignError, match="from __future__ import annotations"):
        program(tmp_path, source + '\nclass Box(Record):\n    """B."""\n\n    date: date = field("D.")\n')


def test_problems_of_all_files_come_at_once_in_order(tmp_path: Path) -> None:
    paths = []
    for name in ("b", "a"):
        paths.append(tmp_path / f"{name}.py")
        text = COMMON.replace('"""Unused."""', "x: int = 5").replace('field("Size.", default=Size.SMALL)', "field()")
        paths[-1].write_text(text, encoding="utf-8")
    with pytest.raises(DesignError) as caught:
        load(paths, root=tmp_path)
    told = [(p.location.file, p.record, p.field) for p in caught.value.problems]
    assert told == [
        ("a.py", "Shared", "size"),
        ("a.py", "Unused", None),
        ("a.py", "Unused", "x"),
        ("b.py", "Shared", "size"),
        ("b.py", "Unused", None),
        ("b.py", "Unused", "x"),
    ]


def test_a_problem_reads_as_one_line(tmp_path: Path) -> None:
    with pytest.raises(DesignError) as caught:
        fields_of(tmp_path, 'limit: int = field("L.", default=500, le=100)')
    (problem,) = caught.value.problems
    assert problem.render() == (
        f"desk.py:{problem.location.line}: desk.find, field limit: the default 500 breaks the field's own rules: "
        "must be at most 100, but is 500. Give a default that keeps them, or change them."
    )


def test_types_of_one_name_may_come_from_two_files(tmp_path: Path) -> None:
    shared_project(tmp_path)
    source = PRELUDE.replace("from toolgen", "import designs.common as other\nfrom toolgen", 1)
    source += '\nclass Shared(Record):\n    """Own."""\n'
    source += '\n@desk.tool()\nclass Find:\n    """F."""\n\n    class Input:\n        a: Shared = field("A.")\n'
    found = program(tmp_path, source + '        b: other.Shared = field("B.")\n').packages[1].toolset
    assert found is not None
    assert [f.type for f in found.tools[0].fields] == [
        ir.RecordRef(ir.TypeKey(package, "Shared")) for package in ("desk", "common")
    ]


def test_a_tool_belongs_to_the_file_of_its_toolset(tmp_path: Path) -> None:
    (tmp_path / "desk.py").write_text(PRELUDE, encoding="utf-8")
    source = 'from desk import desk\n\n\n@desk.tool()\nclass Find:\n    """F."""\n'
    source += '\n\nfrom toolgen.dsl import Toolset\n\nown = Toolset("own", "Own.")\n'
    with pytest.raises(DesignError) as caught:
        program(tmp_path, source, "other.py")
    (problem,) = caught.value.problems
    assert problem.location == ir.Location("other.py", 5)
    assert "in another file than its toolset, which stands in desk.py" in problem.rule


LOOP = '''
def declare(name: str) -> None:
    class Made:
        """Made."""

        class Input:
            a: int = field("A.")

    Made.__name__ = name.title()
    desk.tool(name=name)(Made)


for name in ("one", "two"):
    declare(name)
'''


def test_tools_may_be_made_in_a_loop(tmp_path: Path) -> None:
    toolset = program(tmp_path, PRELUDE + LOOP).packages[0].toolset
    assert toolset is not None
    assert [(tool.name, tool.class_name) for tool in toolset.tools] == [("one", "One"), ("two", "Two")]


HOSTILE = '''
endless = []
endless.append(endless)


class Broken:
    def __repr__(self):
        raise ValueError

    __str__ = __repr__


class Box(Record, closed=Broken()):
    """Box."""

    a: int = field(Broken(), default=Broken(), name=Broken(), title=Broken(), ge=Broken(), deprecated=Broken())
    b: "Literal[10**5000]" = field("B.", ge=10**5000, default=10**5000)
    c: int = field("C.", ge=-(10**5000), default=10**5000)
    d: str = field("D.", pattern=Broken(), format=Broken(), max_length=10**5000)
    e: exit() = field("E.")
    f: 1 / 0 = field("F.")
    g: "x y" = field("G.")
    h: Any = field("H.", default=endless)


@desk.tool(tags=[Broken()], name=Broken(), bounded=Broken(), binds=Broken(), example=Broken(), continues=Broken())
class Find:
    """Find."""

    Input = Broken()
    Result = Broken()


@desk.tool()
class Look:
    """Look."""

    Input = Broken()
    Result = Broken()
'''


def test_nothing_that_a_design_holds_breaks_the_report(tmp_path: Path) -> None:
    with pytest.raises(DesignError) as caught:
        program(tmp_path, PRELUDE + HOSTILE)
    told = str(caught.value)
    assert all(f"Box, field {name}: " in told for name in "abcdefgh"), told
    assert "desk.look: " in told


def test_the_order_of_a_union_does_not_hang_on_what_was_loaded_before(tmp_path: Path) -> None:
    for name, first, second in (("one", "int", "str"), ("two", "str", "int")):
        (tmp_path / f"{name}.py").write_text(
            '"""D."""\n\nfrom __future__ import annotations\n\nfrom typing import Annotated, Optional, Union\n\n'
            "from toolgen.dsl import Constraints, Toolset, field\n\n"
            f'{name} = Toolset("{name}", "T.")\nEither = Optional[Union[{first}, {second}]]\n\n\n'
            f'@{name}.tool()\nclass Do:\n    """Does."""\n\n    class Input:\n'
            f'        a: {first} | Annotated[{second}, Constraints()] = field("A.")\n'
            f'        b: Either = field("B.")\n',
            encoding="utf-8",
        )
    together = load([tmp_path / "one.py", tmp_path / "two.py"], root=tmp_path)
    alone = load([tmp_path / "two.py"], root=tmp_path)
    assert together.packages[1] == alone.packages[0]
    kinds = [arm.kind.value for arm in alone.packages[0].toolset.tools[0].fields[0].type.arms]  # type: ignore[union-attr]
    assert kinds == ["str", "int"]
