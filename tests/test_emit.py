from __future__ import annotations

import ast
import dataclasses
import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import black
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from toolgen import ir
from toolgen.emit import Options, Rendered, render
from toolgen.ir import Field, Kind, Presence, Scalar
from toolgen.load import load
from toolgen.names import tool_module
from toolgen.runtime import INTERFACE, PayloadError

ROOT = Path(__file__).parents[1]
DESIGNS = sorted((ROOT / "designs").glob("*.py"))
TO_TRY = sorted((ROOT / "tests" / "designs_to_try").rglob("*.py"))
HOSTILE = ROOT / "tests" / "designs_to_try" / "hostile.py"

Compile = Callable[[str], ModuleType]
CompileTool = Callable[..., ModuleType]


def rendered(*designs: Path) -> dict[str, Rendered]:
    return render(load(designs, root=ROOT), Options())


@pytest.fixture(scope="module")
def examples() -> dict[str, Rendered]:
    return rendered(*DESIGNS)


# The output as a whole


def test_the_checked_in_code_is_what_the_example_designs_compile_to(examples: dict[str, Rendered]) -> None:
    for path, file in examples.items():
        assert (ROOT / "generated" / path).read_bytes() == file.text.encode(), path


def test_there_is_one_module_a_tool_and_one_for_shared_types(examples: dict[str, Rendered]) -> None:
    support = {path.removeprefix("support/") for path in examples if path.startswith("support/")}
    assert support >= {"__init__.py", "types.py", "search_tickets.py", "answer_ticket.py"}
    assert {"__init__.py", "py.typed"} <= set(examples)
    assert examples["support/search_tickets.py"].tool == "search_tickets"
    assert examples["support/search_tickets.py"].source == "designs/support.py"


@pytest.mark.once  # test_layout.py has other widths
def test_black_would_change_nothing() -> None:
    mode = black.Mode(line_length=88)
    files = render(load([*DESIGNS, *TO_TRY], root=ROOT), Options(88))
    for path, file in files.items():
        if path.endswith(".py"):
            body = file.text.split("# ruff: noqa\n", 1)[1]
            assert black.format_str(body, mode=mode) == body, path


def test_imports_inside_the_output_are_relative(examples: dict[str, Rendered]) -> None:
    packages = {path.split("/")[0] for path in examples if "/" in path}
    for path, file in examples.items():
        for node in ast.walk(ast.parse(file.text)):
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                assert (node.module or "").split(".")[0] not in packages, path


@pytest.mark.once
def test_the_output_is_the_same_for_every_hash_seed_folder_locale_and_time_zone(tmp_path: Path) -> None:
    outputs = set()
    for number, variables in enumerate(
        [{"PYTHONHASHSEED": "0"}, {"PYTHONHASHSEED": "99", "TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONUTF8": "0"}]
    ):
        out = tmp_path / f"out{number}"
        command = [sys.executable, "-m", "toolgen", "generate", *map(str, DESIGNS), str(HOSTILE), "--output", str(out)]
        folder = tmp_path if number else ROOT
        subprocess.run(command, cwd=folder, env={**os.environ, **variables}, check=True, capture_output=True)
        outputs.add(tuple((p.relative_to(out).as_posix(), p.read_bytes()) for p in sorted(out.rglob("*.py"))))
    assert len(outputs) == 1


# Names and texts that a design may use


@pytest.mark.once
@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_type_checkers_accept_the_code_of_strange_designs(tmp_path: Path, checker: str) -> None:
    pytest.importorskip(checker)
    files = rendered(*TO_TRY)
    for path, file in files.items():
        target = tmp_path / "hostile_output" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(file.text, encoding="utf-8")
    command = {
        "mypy": [sys.executable, "-m", "mypy", "--strict", "hostile_output"],
        "pyright": [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "hostile_output"],
    }[checker]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "ignore" not in "".join(file.text.split("noqa", 1)[1] for file in files.values() if file.text)


def test_hostile_names_and_texts_keep_their_values(compile_design: Compile) -> None:
    root = compile_design(HOSTILE.read_text(encoding="utf-8"))
    tool = importlib.import_module(f"{root.__name__}.names.types_")
    args = tool.MODEL.decode("{}")
    assert args.bytes == b"\"'\\\n\x00"
    assert args.Item.item == '"""\n\\{{x}}\u2028\u202e\x00'
    assert args.Enum.value == '"""'
    payload = tool.complete(args, value="v", tenants=["t"])
    assert tool.restore(tool.EXECUTION.encode(payload), value="v", tenants=["t"]) == payload
    kind = tool.MODEL.decode({"union": {"kind": "\n", "Struct": [{"kind": "a\\b"}]}}).union
    assert (kind.kind, kind.Struct[0].kind) == ("\n", "a\\b")
    package = importlib.import_module(f"{root.__name__}.names")
    for name in package.TOOLSET:
        assert getattr(package, tool_module(name)).SPEC is package.TOOLSET[name]


@pytest.mark.parametrize("last", [True, False])
def test_what_python_finds_in_every_class_is_no_default(compile_design: Compile, last: bool) -> None:
    from conftest import one_tool

    names = sorted(name for name in {*dir(type), *dir(object)} if not name.startswith("_"))
    assert names
    lines = [f'{name}: int = field("F.")' for name in names]
    lines = [*lines, 'q: int = field("Q.")'] if not last else ['q: int = field("Q.")', *lines]
    item = 'class Item(Record):\n    """I."""\n\n' + "".join(f"    {line}\n" for line in lines)
    fields = "\n".join([*lines, 'item: Item = field("I.", optional=True)'])
    tool = importlib.import_module(f"{compile_design(one_tool(fields, records=item)).__name__}.things.do")
    types_ = importlib.import_module(f"{tool.__package__}.types")
    for cls in (tool.DoArgs, tool.DoPayload, types_.Item):
        required = [f.name for f in dataclasses.fields(cls) if f.default is dataclasses.MISSING]
        assert sorted(required) == [*names, "q"]
    for name in names:
        with pytest.raises(PayloadError) as refused:
            tool.MODEL.decode({"q": 1})
        assert ("missing_field", f"/{name}") in [(issue.constraint, issue.path) for issue in refused.value.issues]
    values = dict.fromkeys([*names, "q"], 1)
    assert tool.MODEL.decode(values) == tool.DoArgs(**values)


def test_integers_that_no_literal_type_holds_are_judged_all_the_same(compile_tool: CompileTool) -> None:
    inside, outside = 2**63 - 1, (2**63, -(2**63), -(2**63) - 1, 10**20)
    fields = [f'n: Literal[{inside}] = field("N.", optional=True)']
    fields += [f'n{i}: Literal[7, {n}] = field("N.", optional=True)' for i, n in enumerate(outside)]
    tool = compile_tool("\n".join(fields))
    literal = "Literal[7] | int | None"
    assert list(tool.DoPayload.__annotations__.values()) == [f"Literal[{inside}] | None", *[literal] * len(outside)]
    for name, number in [("n", inside), *((f"n{i}", n) for i, n in enumerate(outside))]:
        read = tool.MODEL.read(f'{{"{name}": {number}}}')
        assert (getattr(read.value, name), read.lane) == (number, "fast")
        for other in (number - 1, number + 1):
            with pytest.raises(PayloadError, match="invalid_enum_value"):
                tool.MODEL.decode({name: other})


def test_unions_inside_unions_and_names_of_codecs_compile_and_decode(compile_design: Compile) -> None:
    design = HOSTILE.with_name("nested_unions.py").read_text(encoding="utf-8")
    nest = importlib.import_module(f"{compile_design(design).__name__}.nests.nest")
    payload = nest.complete(nest.MODEL.decode('{"x": [{"k": "a"}], "y": [{"k": "c", "n": [{"k": "a"}]}]}'))
    assert nest.restore(nest.EXECUTION.encode(payload)) == payload
    assert payload.y[0].n[0].k == "a"
    assert payload.e is None


def test_defaults_of_unions_keep_their_values_and_are_built_afresh(compile_design: Compile) -> None:
    root = compile_design(HOSTILE.with_name("nested_unions.py").read_text(encoding="utf-8"))
    nest, types = (importlib.import_module(f"{root.__name__}.nests.{name}") for name in ("nest", "types"))
    assert (types.Q3().q_own, types.Q3_q().own) == ([1, None], [2])
    args, again = nest.MODEL.decode("{}"), nest.NestArgs()
    assert args == again == nest.MODEL.decode(nest.MODEL.encode(args))
    assert (args.words, args.arms, args.one, args.lists) == (["a"], [types.Q1("a")], types.Q1("a"), [[1]])
    fresh = ("words", "arms", "one", "lists", "deep", "empty", "bare")
    assert not [name for name in fresh if getattr(args, name) is getattr(again, name)]


def test_a_bound_on_a_float_is_exact_where_floats_are_not(compile_design: Compile) -> None:
    design = HOSTILE.with_name("nested_unions.py").read_text(encoding="utf-8")
    model = importlib.import_module(f"{compile_design(design).__name__}.nests.nest").MODEL
    assert model.decode('{"g": 9007199254740992}').g == 2**53
    with pytest.raises(PayloadError):
        model.decode('{"f": 9007199254740993}')


TEXT = st.text(st.sampled_from("\"'\\\n{}%#\x00\u2028\u202e\t é😀a")) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=20
)


@settings(max_examples=25, phases=[Phase.explicit, Phase.reuse, Phase.generate])  # each compiles a module
@given(TEXT, TEXT, st.lists(TEXT, min_size=1, max_size=4, unique=True), TEXT, st.binary(max_size=9), TEXT.filter(bool))
def test_no_text_of_a_design_becomes_code(
    description: str, default: str, values: list[str], example: str, data: bytes, wire: str
) -> None:
    wire = "".join(character for character in wire if character not in '"\\' and character >= " ") or "w"
    fields = (
        Field("text", wire, Scalar(Kind.STR), description, Presence.DEFAULT, default, examples=(example,)),
        Field("choice", f"{wire}!", ir.Choice(tuple(values)), description, Presence.DEFAULT, values[-1]),
        Field("data", f"{wire}?", ir.Anything(), description, Presence.DEFAULT, {default: [data.hex(), description]}),
    )
    tool = ir.Tool("Do", "do", "do", description, fields, title=example, tags=(description,))
    program = ir.Program((ir.Package("p", "p.py", ir.Toolset("p", description, (tool,))),))
    files = render(program, Options())
    module = ModuleType("made_of_text")
    sys.modules["made_of_text"] = module
    exec(files["p/do.py"].text, module.__dict__)
    args = module.MODEL.decode("{}")
    assert (args.text, args.choice, args.data) == (default, values[-1], {default: [data.hex(), description]})
    assert module.SPEC.description == description
    assert module.SPEC.tags == (description,)
    assert module.MODEL.schema["properties"][wire]["description"] == description
    assert [module.MODEL.decode({f"{wire}!": value}).choice for value in values] == values


# The shape of a module


def test_where_both_shapes_are_one_there_is_one_class_one_body_and_one_schema(compile_tool: CompileTool) -> None:
    module = compile_tool('n: int = field("N.")')
    assert module.DoArgs is module.DoPayload
    assert module.DoArgsBody is module.DoPayloadBody
    assert not hasattr(module, "EXECUTION_SCHEMA")
    args = module.MODEL.decode('{"n": 1}')
    assert module.complete(args) is args


def test_where_only_an_injected_field_differs_there_is_one_body(compile_tool: CompileTool) -> None:
    module = compile_tool('n: int = field("N.")\nt: str = injected("T.")')
    assert module.DoArgs is not module.DoPayload
    assert module.DoArgsBody is module.DoPayloadBody
    assert not hasattr(module, "EXECUTION_SCHEMA")


def test_dataclasses_are_plain_and_put_what_is_required_first(compile_tool: CompileTool) -> None:
    module = compile_tool('a: int = field("A.", default=1)\nb: int = field("B.")\nt: str = injected("T.")')
    assert module.DoPayload.__slots__ == ("b", "t", "a")
    own = {name for name in vars(module.DoPayload) if not name.startswith("__")}
    assert own == {"a", "b", "t"}


def test_each_field_has_its_description_below_it(examples: dict[str, Rendered]) -> None:
    tree = ast.parse(examples["support/search_tickets.py"].text)
    class_ = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "SearchTicketsArgs")
    pairs = list(zip(class_.body[1::2], class_.body[2::2], strict=True))
    assert pairs
    for declaration, doc in pairs:
        assert isinstance(declaration, ast.AnnAssign)
        assert isinstance(doc, ast.Expr)


def test_a_package_loads_a_tool_when_it_is_asked_for(compile_design: Compile) -> None:
    from conftest import one_tool

    root = compile_design(one_tool('n: int = field("N.")'))
    package = importlib.import_module(f"{root.__name__}.things")
    assert list(package.TOOLSET) == ["do"]
    assert "do" in package.TOOLSET
    assert f"{package.__name__}.do" not in sys.modules
    assert "do" in dir(package)
    assert package.do.SPEC is package.TOOLSET["do"]
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        _ = package.other
    assert "other" not in package.TOOLSET
    with pytest.raises(KeyError, match='the toolset things has no tool "other": there are "do"'):
        package.TOOLSET["other"]
    with pytest.raises(KeyError, match='did you mean "do"'):
        package.TOOLSET.method_name("Do")


def test_code_for_an_interface_that_the_runtime_does_not_serve_says_to_regenerate(
    compile_design: Compile, monkeypatch: pytest.MonkeyPatch
) -> None:
    from conftest import one_tool

    root = compile_design(one_tool('n: int = field("N.")'))
    assert f"_require_interface({INTERFACE})" in Path(root.__path__[0], "things", "__init__.py").read_text()
    monkeypatch.setattr("toolgen.runtime.interface.OLDEST", INTERFACE + 1)
    monkeypatch.setattr("toolgen.runtime.interface.INTERFACE", INTERFACE + 2)
    with pytest.raises(ImportError, match="toolgen generate"):
        importlib.import_module(f"{root.__name__}.things")


def test_a_type_of_another_design_is_imported_from_its_package(tmp_path: Path) -> None:
    shared = tmp_path / "shared.py"
    shared.write_text(
        '"""Shared."""\n\nfrom __future__ import annotations\n\nfrom toolgen.dsl import Record, field\n\n\n'
        'class Money(Record):\n    """Money."""\n\n    cents: int = field("Cents.")\n'
    )
    shop = tmp_path / "shop.py"
    shop.write_text(
        '"""Shop."""\n\nfrom __future__ import annotations\n\nfrom shared import Money\n'
        'from toolgen.dsl import Toolset, field\n\nshop = Toolset("shop", "Shop.")\n\n\n@shop.tool()\nclass Pay:\n'
        '    """Pays."""\n\n    class Input:\n        price: Money = field("Price.")\n'
    )
    files = render(load([shop], root=tmp_path), Options())
    assert "class Money:" in files["shared/types.py"].text
    assert "from ..shared.types import Money" in files["shop/pay.py"].text
    assert "shop/types.py" not in files
    assert files == render(load([shared, shop], root=tmp_path), Options())
