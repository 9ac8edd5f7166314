"""Designs are typed Python: what the language offers passes the strict checkers, and slips do not."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from toolgen import dsl
from toolgen.load import load

EVERYTHING = '''"""A design that uses every feature."""

from __future__ import annotations

import enum
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from toolgen.dsl import Bounded, Constraints, Record, Submit, Toolset, field, injected, restored

desk = Toolset("desk", "A desk.")


class Color(enum.Enum):
    """A colour."""

    RED = "red"


class Cat(Record):
    """A cat."""

    kind: Literal["cat"] = field("Kind.")
    friends: list[Cat] = field("Friends.", default=[], max_items=3)


class Kitten(Cat, closed=False):
    """A kitten."""

    age: timedelta = field("Age.", default=timedelta(weeks=3), example=timedelta(days=1))


class Dog(Record):
    """A dog."""

    kind: Literal["dog"] = field("Kind.")


@desk.tool(
    name="find",
    title="Find",
    tags=["a"],
    read_only=True,
    destructive=False,
    idempotent=True,
    open_world=False,
    example={"text": "x", "number": 1},
    bounded=Bounded(next_cursor=True, total=True, refinement=True, cursor="page"),
    strict=True,
)
class Find:
    """Find."""

    class Input:
        text: str = field("Text.", min_length=1, max_length=9, pattern="^x", title="T", example="x")
        mail: str = field("Mail.", format="email", optional=True, deprecated=True)
        number: int = field("Number.", ge=0, le=9, multiple_of=1)
        ratio: float = field("Ratio.", gt=0, lt=0.5, default=0.25)
        names: list[Annotated[str, Constraints(min_length=1)]] = field("Names.", default=["x"], unique_items=True)
        pet: Cat | Dog | None = field("Pet.", optional=True, keep_null=True)
        home: Cat = field("Home.", default=Cat(kind="cat"))
        color: Color = field("Color.", default=Color.RED)
        anything: Any = field("Anything.", optional=True)
        table: dict[str, Decimal] = field("Table.", default={"a": Decimal(1)}, min_items=1)
        from_: str = field("From.", name="from", default="")
        page: str = field("Page.", optional=True)
        seen: datetime = restored("Seen.")
        day: date | int = restored("Day.", default=3)
        hour: time = restored("Hour.", optional=True)
        tenant: UUID = injected("Tenant.")
        data: bytes = injected("Data.", default=b"")

    class Result:
        pets: list[Cat] = field("Pets.")


@desk.tool(continues=Find)
class More:
    """More."""


@desk.tool(closed=False)
class Count:
    """Count."""

    Input = Cat
    Result = dict[str, int]


@desk.tool(binds="textwrap:dedent")
class Dedent:
    """Dedent."""

    class Input:
        text: str = field("Text.")

    Result = str


class Report(Record, submit=Submit.parse(r"name=report,description=Ends it\\, for good,flat")):
    """A report."""

    text: str = field("Text.")


@desk.submit(desk.submit_for(Report).replace(flat=None), success="Thanks.")
class End:
    """End."""

    Response = Report


@desk.submit(
    name="other",
    description="Ends it.",
    payload="report",
    payload_description="All of it.",
    success="Ok.",
    reasoning=False,
    flat=False,
)
class Other:
    """Another."""

    Response = Report


made: type[Find] = Find
'''

SLIPS = '''"""Slips."""

from toolgen.dsl import Constraints, Toolset, field

desk = Toolset("desk", 5)
x: int = field("X.", minimum=3)
y: int = field("Y.", min_length="a")
z = Constraints(size=1)


@desk.tool(nmae="x")
class Find:
    """Find."""


@desk.tool()
def find() -> None: ...
'''


def write(folder: Path, text: str) -> Path:
    path = folder / "desk.py"
    path.write_text(text, encoding="utf-8")
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    return path


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    whole = [sys.executable, "-m", *command, "desk.py"]
    return subprocess.run(whole, cwd=folder, capture_output=True, text=True, check=False)


CHECKERS = [("mypy", "--strict", "--no-error-summary"), ("pyright", "--pythonpath", sys.executable)]


@pytest.mark.parametrize("checker", CHECKERS, ids=["mypy", "pyright"])
def test_a_design_with_every_feature_passes_the_strict_checkers(checker: tuple[str, ...], tmp_path: Path) -> None:
    pytest.importorskip(checker[0])
    write(tmp_path, EVERYTHING)
    done = run(tmp_path, *checker)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("checker", CHECKERS, ids=["mypy", "pyright"])
def test_slips_in_a_design_are_found_by_the_checkers(checker: tuple[str, ...], tmp_path: Path) -> None:
    pytest.importorskip(checker[0])
    write(tmp_path, SLIPS)
    told = run(tmp_path, *checker).stdout
    lines = {int(line) for line in re.findall(r"desk\.py:(\d+).*error", told)}
    assert lines == {5, 6, 7, 8, 11, 16}, told


def test_a_design_with_every_feature_loads(tmp_path: Path) -> None:
    assert load([write(tmp_path, EVERYTHING)], root=tmp_path).packages[0].name == "desk"


def test_a_mark_knows_the_line_that_wrote_it() -> None:
    mark = dsl.field("X.")
    assert isinstance(mark, dsl.FieldMark)
    assert Path(mark.spot.file) == Path(__file__)


def test_options_that_are_not_given_set_no_bounds() -> None:
    mark = dsl.field("X.", ge=0, unique_items=False, min_length=None)
    assert dsl.bounds_in(mark.options) == {"ge": 0}


def test_a_record_shows_what_it_was_made_with() -> None:
    class Note(dsl.Record):
        """A note."""

    assert repr(Note(text="x", size=1)) == "Note(text='x', size=1)"


def test_a_record_may_have_a_field_of_any_name() -> None:
    class Note(dsl.Record):
        """A note."""

    assert vars(Note(self=1, values=2, cls=3)) == {"self": 1, "values": 2, "cls": 3}
