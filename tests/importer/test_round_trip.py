"""What toolgen itself publishes, imported, is what it publishes again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from importing_one import imported, schema_of, schemas_in

from toolgen import ir, load
from toolgen.schema import MODEL_ROLES, input_schema

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests" / "proof"))
random_designs = pytest.importorskip("random_designs")
DESIGNS = sorted((ROOT / "designs").glob("[!_]*.py"))


def inputs(program: ir.Program) -> dict[str, dict[str, Any]]:
    """The model schemas of all tools of a program."""
    return {
        f"{package.name}.{tool.name}": input_schema(tool, program, MODEL_ROLES)
        for package in program.packages
        for tool in (package.toolset.tools if package.toolset else ())
    }


def published() -> dict[str, dict[str, Any]]:
    return inputs(load.load(DESIGNS, root=ROOT))


EVERYTHING = '''"""Every type of the language."""

from __future__ import annotations

import enum
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from toolgen.dsl import Constraints, Record, Toolset, field

desk = Toolset("desk", "Desk.")


class Color(enum.Enum):
    """A colour."""

    RED = "red"
    BLUE = "blue"


class Node(Record):
    """A node."""

    name: str = field("Name.", min_length=1, title="The name", example="a")
    children: list[Node] = field("Below.", optional=True)


class Cat(Record):
    """A cat."""

    kind: Literal["cat"] = field("Kind.")
    lives: int = field("Lives.", default=9, ge=1, le=9)


class Dog(Record, closed=False):
    """A dog."""

    kind: Literal["dog", "puppy"] = field("Kind.")


class Pair(Record, also={"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}):
    """One of two."""

    a: int = field("A.", optional=True)
    b: str = field("B.", optional=True)


@desk.tool(closed=False)
class Scalars:
    """Scalars."""

    class Input:
        text: str = field("Text.", min_length=1, max_length=9, pattern="^a", default="ab")
        mail: str = field("Mail.", format="email", optional=True)
        whole: int = field("Whole.", gt=0, multiple_of=5)
        real: float | None = field("Real.", lt=1.5, deprecated=True)
        flag: bool = field("Flag.", optional=True)
        data: bytes = field("Data.", min_length=2, max_length=5)
        photo: bytes | None = field("Photo.", min_length=900, max_length=100_000)
        day: date = field("Day.", default="2026-11-30")
        at: time = field("At.")
        when: datetime | None = field("When.", optional=True)
        span: timedelta = field("Span.")
        id_: UUID = field("Id.", name="id")
        price: Decimal = field("Price.")
        thing: Any = field("Thing.")
        choice: Literal["a", 1, None, True] = field("Choice.")
        color: Color = field("Colour.", default=Color.RED)
        color_or_not: Color | None = field("Colour.")


@desk.tool()
class Containers:
    """Containers."""

    class Input:
        names: list[Annotated[str, Constraints(max_length=3)]] = field("Names.", min_items=1, unique_items=True)
        by_name: dict[str, list[int]] = field("By name.", max_items=2, default={})
        tree: Node | None = field("Tree.")
        pet: Cat | Dog = field("Pet.")
        pets: list[Cat | Dog | str] | None = field("Pets.", optional=True)
        mixed: int | str | list[str] = field("Mixed.", ge=1)
        pair: Pair = field("Pair.")
        odd: str = field("Odd.", also={"not": {"const": "a"}})
        anything: Any = field("Anything.", also={"anyOf": [{"type": "string"}, {"minimum": 3}]})


@desk.tool()
class Nothing:
    """Nothing."""
'''


@pytest.mark.parametrize("name", published())
def test_an_example_design_comes_back_with_the_same_schema(name: str) -> None:
    schema = published()[name]
    made = imported(schema)
    assert not made.entries
    assert schema_of(made) == schema
    assert json.dumps(schema_of(made)["properties"]) == json.dumps(schema["properties"])


def test_every_type_of_the_language_comes_back_with_the_same_schema(tmp_path: Path) -> None:
    design = tmp_path / "desk.py"
    design.write_text(EVERYTHING, encoding="utf-8")
    for name, schema in inputs(load.load([design], root=tmp_path)).items():
        made = imported(schema)
        assert not made.entries, name
        again = schema_of(made)
        assert {key: again["properties"][key] for key in again["properties"]} == schema["properties"], name
        assert again == schema, name


TREE = {"Tree": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#/$defs/Tree"}}]}}


@pytest.mark.parametrize(
    "rule",
    [
        {"$ref": "#/$defs/Tree"},
        {"not": {"$ref": "#/$defs/Tree"}},
        {"items": {"$ref": "#/$defs/Tree"}},
        {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/Tree"}]},
    ],
)
def test_a_rule_that_comes_back_in_other_words_is_reported(rule: dict[str, Any]) -> None:
    also = {**rule, "$defs": TREE}
    text = f'''"""Rules."""

from typing import Any

from toolgen.dsl import Toolset, field

desk = Toolset("desk", "Desk.")


@desk.tool()
class Ruled:
    """Ruled."""

    class Input:
        p: Any = field("P.", also={also!r})
'''
    (schema,) = schemas_in(text).values()
    made = imported(schema)
    assert not made.losses
    assert schema_of(made) != schema
    assert [entry.pointer for entry in made.entries] == ["/properties/p/allOf/1/allOf/0"]


def unordered(schema: Any) -> Any:
    """A schema with the arms of its unions in one order: ``typing`` keeps one order of two unions of the same types."""
    if isinstance(schema, dict):
        made = {key: unordered(value) for key, value in schema.items()}
        return {**made, "anyOf": sorted(made["anyOf"], key=repr)} if isinstance(made.get("anyOf"), list) else made
    return [unordered(item) for item in schema] if isinstance(schema, list) else schema


@pytest.mark.once
@given(st.data())
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_random_designs_come_back_with_the_same_schema(data: st.DataObject) -> None:
    hand = data.draw(st.sampled_from(random_designs.hands(8)))
    source = data.draw(random_designs.designs(hand)).source
    for name, schema in schemas_in(source).items():
        made = imported(schema)
        assert not made.losses, name
        assert unordered(schema_of(made)) == unordered(schema) or made.entries, name
