"""datamodel-code-generator as a second witness: dataclasses made from the published schemas alone.

It reads the emitted model and execution schemas of the example designs and of random ones, and what it makes of them
has the fields, types, requiredness and defaults of the generated dataclasses. What it does otherwise is named here.
"""

from __future__ import annotations

import dataclasses
import enum
import importlib
import json
import keyword
import sys
import types
import typing
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from types import ModuleType
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from random_designs import Cell, Design, designs, hands, seed_of

import generated.ledger
import generated.support
from conftest import Compile, compiling, one_tool
from toolgen.runtime.proof import as_json

pytestmark = [pytest.mark.once, pytest.mark.filterwarnings("ignore")]

WRITTEN_AS_TEXT = (bytes, date, datetime, time, timedelta, UUID, Decimal)
"""A dataclass of the witness holds these as the text that stands in JSON."""

TOOLS = [
    toolset.__name__ + "." + name
    for toolset in (generated.support, generated.ledger)
    for name in (toolset.TOOLSET.method_name(tool) for tool in toolset.TOOLSET)
]
NO_WITNESS = {
    "also",  # the witness may merge such a rule into the type, for which a dataclass has no words
}


def witness(schema: Any) -> dict[str, Any]:
    """The dataclasses that datamodel-code-generator makes of a schema; the whole is ``Whole``."""
    from datamodel_code_generator import DataModelType, InputFileType, LiteralType, PythonVersion, generate

    code = generate(
        json.dumps(schema),
        input_file_type=InputFileType.JsonSchema,
        output_model_type=DataModelType.DataclassesDataclass,
        target_python_version=PythonVersion.PY_311,
        enum_field_as_literal=LiteralType.All,
        strict_nullable=True,
        use_union_operator=True,
        formatters=[],
        class_name="Whole",
    )
    module = ModuleType("witness")
    sys.modules["witness"] = module
    exec(compile(str(code), "witness", "exec"), vars(module))
    return vars(module)


# --- both sides in one spelling --------------------------------------------------------------------------------------


def spelled(type_: Any) -> frozenset[Any]:
    """A type as the set of what its values may be."""
    origin, arguments = typing.get_origin(type_), typing.get_args(type_)
    if origin in (typing.Union, types.UnionType):
        return frozenset().union(*map(spelled, arguments))
    if origin is typing.Literal:
        return frozenset(map(spelled_value, arguments))
    if origin in (list, dict):
        return frozenset({(origin, spelled(arguments[-1]))})
    if isinstance(type_, type) and issubclass(type_, enum.Enum):
        return frozenset(spelled_value(member.value) for member in type_)
    if type_ is type(None):
        return frozenset({None})
    if type_ is msgspec.UnsetType:  # keep_null: the witness has no word for what is missing
        return frozenset()
    return frozenset(
        {type_.__name__ if dataclasses.is_dataclass(type_) else str if type_ in WRITTEN_AS_TEXT else type_}
    )


def spelled_value(value: Any) -> Any:
    if value is None:
        return None
    if type(value) is int and abs(value) >= 2**63:
        return int  # type checkers have no such Literal, so a generated class says int of it
    return type(value), value


def default(field: Any) -> Any:
    """The default of a field as JSON; what is missing is None in both."""
    made = field.default if field.default is not dataclasses.MISSING else field.default_factory()
    return None if made is msgspec.UNSET else plain(made)


def plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        ours = as_json(value) or {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return {key: plain(item) for key, item in ours.items() if item is not None}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return as_json(value)


def is_required(field: Any) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def keeps_its_name(wire: str) -> bool:
    """Whether the witness has no reason to name the field otherwise: it renames what Python does not take as a name."""
    return wire.isidentifier() and not keyword.iskeyword(wire) and wire not in RENAMED


RENAMED = frozenset({"date", "time", "datetime", "field", "str", "list", "type", "self"})
"""Names that it keeps clear of, lest they hide a type in its own class."""


# --- the comparison --------------------------------------------------------------------------------------------------


def agree(ours: type[Any], theirs: type[Any], wires: dict[str, str], *, without: frozenset[str] = frozenset()) -> None:
    """Both have required fields first, in the order of the design, so fields are compared by their place."""
    hints, their_hints = typing.get_type_hints(ours), typing.get_type_hints(theirs)
    fields = [field for field in dataclasses.fields(ours) if field.name not in without]
    their_fields = dataclasses.fields(theirs)
    assert len(fields) == len(their_fields), f"{ours.__name__}: {fields} beside {their_fields}"
    for field, other in zip(fields, their_fields, strict=True):
        wire = wires[field.name]
        assert not keeps_its_name(wire) or other.name == wire, f"{ours.__name__}.{field.name} is {other.name}"
        assert is_required(field) == is_required(other), f"{ours.__name__}.{field.name}"
        missing = frozenset() if is_required(field) else frozenset({None})
        mine, other_type = spelled(hints[field.name]) | missing, spelled(their_hints[other.name]) | missing
        assert same_type(mine, other_type), f"{ours.__name__}.{field.name}: {mine} beside {other_type}"
        if not is_required(field):
            assert same_default(default(field), default(other)), f"{ours.__name__}.{field.name}"


def same_type(ours: frozenset[Any], theirs: frozenset[Any]) -> bool:
    """A nullable object of any keys is ``dict[str, Any]`` to the witness where the number of its keys has a bound."""
    any_dict = (dict, frozenset({Any}))
    if ours == theirs or None not in ours or any_dict not in theirs:
        return ours == theirs
    return {any_dict if isinstance(one, tuple) and one[0] is dict else one for one in ours} == theirs


def same_default(ours: Any, theirs: Any) -> bool:
    """In a union or in itself a Record's default stays JSON to the witness, its own defaults not filled in."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return theirs.keys() <= ours.keys() and all(same_default(ours[key], item) for key, item in theirs.items())
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(same_default, ours, theirs))
    return bool(ours == theirs)


def wires_of(body: Any) -> dict[str, str]:
    return dict(zip(body.__struct_fields__, body.__struct_encode_fields__, strict=True))


def check(module: ModuleType, records: dict[str, Any]) -> int:
    """Compares a tool's arguments, payload and Records; gives how many dataclasses were compared."""
    name = next(n for n in vars(module) if n.endswith("Payload")).removesuffix("Payload")
    compared = 0
    for part, codec in (("Args", module.MODEL), ("Payload", module.EXECUTION)):
        found = witness(codec.schema)
        injected = frozenset(module.SPEC.injected) if part == "Payload" else frozenset()
        wires = wires_of(getattr(module, f"{name}{part}Body"))
        agree(getattr(module, f"{name}{part}"), found["Whole"], wires, without=injected)
        for record in codec.schema.get("$defs", {}):
            agree(records[record], found[record], wires_of(records[f"{record}Body"]))
            compared += 1
        compared += 1
    return compared


@pytest.mark.parametrize("tool", TOOLS)
def test_the_witness_agrees_on_the_example_designs(tool: str) -> None:
    types_ = importlib.import_module(f"{tool.rpartition('.')[0]}.types")
    assert check(importlib.import_module(tool), vars(types_)) >= 2


@pytest.fixture(scope="module")
def compile_quickly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compile]:
    with compiling(tmp_path_factory.mktemp("witness"), formatted=False) as compile_design:
        yield compile_design


def witnessed() -> list[tuple[Cell, ...]]:
    """Some hands of the deck, without what the witness has no words for."""
    kept = [tuple(cell for cell in hand if cell.constraint not in NO_WITNESS) for hand in hands(8)]
    return kept[::10]


@pytest.mark.parametrize("hand", witnessed(), ids=lambda hand: hand[0].type)
def test_the_witness_agrees_on_random_designs(hand: tuple[Cell, ...], compile_quickly: Compile) -> None:
    @seed(seed_of(hand))
    @settings(
        max_examples=1,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(designs(hand))
    def agrees(design: Design) -> None:
        root = compile_quickly(design.source)
        module = importlib.import_module(f"{root.__name__}.things.do")
        check(module, vars(importlib.import_module(f"{root.__name__}.things.types")))

    agrees()


@pytest.mark.parametrize("value", [2**63 - 1, 2**63, -(2**63), 2**70, -(2**70)])
def test_the_witness_agrees_where_an_integer_is_too_long_for_a_literal(value: int, compile_quickly: Compile) -> None:
    fields = f'a: Literal[1, {value}] = field("A.")\nb: list[Literal[{value}, "x"]] = field("B.", default=["x"])'
    root = compile_quickly(one_tool(fields))
    assert check(importlib.import_module(f"{root.__name__}.things.do"), {}) >= 2
