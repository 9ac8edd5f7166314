"""Random designs, as design source that goes through the real loader.

A *cell* is one thing a field can be: a type, a kind of optional, a place (a role, or a depth) and a constraint. The
deck of all cells is dealt in hands; a design is made for a hand, and hypothesis draws all the rest: bounds, names,
aliases, what connects one depth with the next, open and closed, inheritance.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from hypothesis import reject
from hypothesis import strategies as st

PLACES = ("model", "restored", "injected", "depth 2", "depth 3", "depth 4")

ALL_KINDS = (
    "required",
    "default",
    "optional",
    "nullable",
    "nullable default",
    "nullable optional",
    "nullable keep_null",
)
OF_NULLABLE_TYPES = ("required", "default", "optional", "keep_null")
"""The kinds of optional of a type that takes null by itself."""

SCALARS = {
    "str": ("min_length", "max_length", "pattern", "format", "also"),
    "int": ("ge", "gt", "le", "lt", "multiple_of", "also"),
    "float": ("ge", "gt", "le", "lt", "multiple_of", "also"),
    "bool": (),
    "bytes": ("min_length", "max_length"),
    "date": (),
    "time": (),
    "datetime": (),
    "timedelta": (),
    "UUID": (),
    "Decimal": (),
}
CHOICES = {
    "Literal of strings": (),
    "Literal of integers": (),
    "Literal of mixed scalars": (),
    "enum of strings": (),
    "enum of integers": (),
}
CONTAINERS = {
    "list": ("min_items", "max_items", "unique_items"),
    "dict": ("min_items", "max_items"),
    "Record": (),
    "recursive Record": (),
    "int or str": ("ge", "min_length"),
    "bool or list": ("max_items",),
    "Record or str": ("pattern",),
    "Records told apart by a string": (),
    "Records told apart by an integer": (),
    "Records told apart by several values": (),
}
TAKES_NULL = {"Any": ("also",), "Literal with None": (), "enum with None": ()}


class Cell(NamedTuple):
    """One thing that a field can be."""

    type: str
    kind: str
    place: str
    constraint: str


def deck() -> list[Cell]:
    """Every cell, in an order of their own."""
    cells = [
        Cell(type_, kind, place, constraint)
        for types, kinds in (({**SCALARS, **CHOICES, **CONTAINERS}, ALL_KINDS), (TAKES_NULL, OF_NULLABLE_TYPES))
        for type_, constraints in types.items()
        for constraint in ("none", *constraints)
        for kind in kinds
        for place in PLACES
    ]
    random.Random(3).shuffle(cells)
    return cells


def hands(size: int) -> list[tuple[Cell, ...]]:
    """The deck, dealt."""
    cells = deck()
    return [tuple(cells[start : start + size]) for start in range(0, len(cells), size)]


def seed_of(hand: Sequence[Cell]) -> int:
    """A seed of the hand's own: with one for all, every design would be drawn alike."""
    return zlib.crc32(repr(hand).encode())


class Design:
    """A design and where its cells are: for each, the way to it from the root, ``*`` for any index or key."""

    def __init__(self, source: str, cells: Sequence[tuple[Cell, tuple[str, ...]]]) -> None:
        self.source = source
        self.cells = tuple(cells)

    def __repr__(self) -> str:
        return f"\n{self.source}\n"


class Typing(NamedTuple):
    """A type as it is written, with the options it needs and a value of it."""

    annotation: str
    value: str
    options: str = ""


Draw = Callable[[st.SearchStrategy[Any]], Any]


@st.composite
def designs(draw: st.DrawFn, hand: Sequence[Cell]) -> Design:
    """Designs that have a field for each cell of the hand; small numbers, which shrinking finds, leave some out."""
    number = draw(st.integers(0, 2**20))
    if number == 0:
        reject()  # the first example that hypothesis tries, and nothing to see there
    kept = [cell for bit, cell in enumerate(hand) if number >> len(hand) or number >> bit & 1]
    return _Writer(draw).design(kept)


@st.composite
def submits(draw: st.DrawFn, hand: Sequence[Cell]) -> Design:
    """Designs of two tools that submit one response, nested and flat, which has a field for each cell of the hand.

    What is no field of a Record, restored and injected cells, is left out.
    """
    if draw(st.integers(0, 2**20)) == 0:
        reject()
    return _Writer(draw).submits(hand)


HEAD = '''"""A design made at random."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import uuid
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from toolgen.dsl import Constraints, Record, Toolset, field, injected, restored

things = Toolset("things", "Things.")
'''

AWKWARD_NAMES = ("date", "list", "type", "self", "body", "value", "args", "str", "default", "UNSET", "context")
ALIASES = ("x-y", "from", "a.b", "type", "properties", "1", "class")
ALIASES_IN_RECORDS = (*ALIASES, "$ref", "a/b~c", "é", "a b")
PAYLOADS = ("result", "report", "x-y", "a.b", "from", "type", "1", "body")
STEPS = ("deep", "deeper", "deepest")
INNER = ("int", "str", "float", "bool", "date", "UUID", "Decimal", "timedelta", "Literal of strings", "Record", "Any")
SINGLE_SPELLING = ("int", "str", "bool", "Literal of integers", "enum of strings", "Literal of strings")
PATTERNS = (
    ("^[a-z]+$", "abc"),
    ("[0-9]{2}", "x12"),
    ("^(?:ab|c)*$", "abc"),
    (r"^\\d+-\\w+$", "1-a"),
    ("^.{1,3}$", "ab"),
)
FORMATS = (("ipv4", "192.0.2.1"), ("ipv6", "2001:db8::1"), ("uri", "urn:a:b"), ("email", "ada@example.org"))


class _Writer:
    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._number = 0
        self._declared: list[str] = []
        self._cells: list[tuple[Cell, tuple[str, ...]]] = []

    def design(self, hand: Sequence[Cell]) -> Design:
        classes, first = self._depths(hand)
        top = [cell for cell in hand if cell.place in ("model", "restored", "injected")]
        options = self._pick(("", "", "closed=False"))
        lines = "\n".join(f"        {line}" for line in [*self._fields(top, ()), first])
        tool = f'@things.tool({options})\nclass Do:\n    """Does it."""\n\n    class Input:\n{lines}\n'
        return Design("\n\n".join([HEAD, *self._declared, *classes, tool]), self._cells)

    def submits(self, hand: Sequence[Cell]) -> Design:
        classes, first = self._depths(hand)
        top = [cell for cell in hand if cell.place == "model"]
        response = self._record("Depth1", [*self._fields(top, ()), first])
        rule = self._pick(("", "", f', also={{"required": ["{STEPS[0]}"]}}'))
        response = re.sub(r"(?<=^class Depth1\()(.*)(?=\):$)", rf"\1{rule}", response, flags=re.MULTILINE)
        tools = [
            f'@things.submit({options})\nclass {name}:\n    """Ends it."""\n\n    Response = Depth1\n'
            for name, options in (
                ("End", f'name="end", payload="{self._pick(PAYLOADS)}"{self._pick(("", ", reasoning=False"))}'),
                ("Flat", f'name="flat-end", flat=True{self._pick(("", ", reasoning=False"))}'),
            )
        ]
        return Design("\n\n".join([HEAD, *self._declared, *classes, response, *tools]), self._cells)

    def _depths(self, hand: Sequence[Cell]) -> tuple[list[str], str]:
        """The Records below the first depth, the deepest first, and the field that leads down to them."""
        way: tuple[str, ...] = ()
        ways = {"depth 1": way}
        connections = []
        for depth in (2, 3, 4):
            annotation, value, hops = self._connection(f"Depth{depth}")
            step = STEPS[depth - 2]
            connections.append(Typing(annotation, value))
            way = (*way, step, *hops)
            ways[f"depth {depth}"] = way
        classes = []
        for depth in (4, 3, 2):
            cells = [cell for cell in hand if cell.place == f"depth {depth}"]
            fields = self._fields(cells, ways[f"depth {depth}"])
            if depth < 4:
                fields.append(f'{STEPS[depth - 1]}: {connections[depth - 1].annotation} = field("Further down.")')
            classes.append(self._record(f"Depth{depth}", fields))
        return classes, f'{STEPS[0]}: {connections[0].annotation} = field("Further down.")'

    # Classes

    def _record(self, name: str, fields: list[str]) -> str:
        """A Record, at times with some of its fields in a base."""
        options = self._pick(("", "", ", closed=False"))
        cut = self._pick((0, 0, 1, 2))
        base = "Record"
        text = ""
        if 0 < cut < len(fields):
            base = f"{name}Base"
            text = (
                f'class {base}(Record):\n    """A base."""\n\n' + "\n".join(f"    {f}" for f in fields[:cut]) + "\n\n\n"
            )
            fields = fields[cut:]
        body = "\n".join(f"    {line}" for line in fields)
        return f'{text}class {name}({base}{options}):\n    """A Record of depth."""\n\n{body}\n'

    def _declare(self, stem: str, body: str, base: str = "Record", options: str = "") -> str:
        """A class of its own for one type; gives its name."""
        self._number += 1
        name = f"{stem}{self._number}"
        lines = "\n".join(f"    {line}" for line in body.replace("SELF", name).splitlines())
        self._declared.append(f'class {name}({base}{options}):\n    """One {stem.lower()}."""\n\n{lines}\n')
        return name

    def _connection(self, name: str) -> tuple[str, str, tuple[str, ...]]:
        return self._pick(
            (
                (name, f"{name}()", ()),
                (f"list[{name}]", "[]", ("*",)),
                (f"dict[str, {name}]", "{}", ("*",)),
                (f"{name} | None", "None", ()),
                (f"list[list[{name}]]", "[]", ("*", "*")),
                (f"{name} | str", "''", ()),
            )
        )

    # Fields

    def _fields(self, cells: Sequence[Cell], way: tuple[str, ...]) -> list[str]:
        names: set[str] = set(STEPS)
        wires: set[str] = set(STEPS)
        lines = []
        for number, cell in enumerate(cells):
            name = self._free(AWKWARD_NAMES, names, f"f{number}")
            alias = self._free(ALIASES_IN_RECORDS if way else ALIASES, wires, name)
            lines.append(self._field(cell, name, alias))
            if cell.place != "injected":
                self._cells.append((cell, (*way, alias)))
            else:
                self._cells.append((cell, (name,)))
        return lines

    def _free(self, names: Sequence[str], taken: set[str], usual: str) -> str:
        name = self._pick((usual, usual, *names))
        name = usual if name in taken else name
        while name in taken:
            name += "x"
        taken.add(name)
        return name

    def _field(self, cell: Cell, name: str, alias: str) -> str:
        made = self.typing(cell.type, cell.constraint)
        annotation = f"{made.annotation} | None" if cell.kind.startswith("nullable") else made.annotation
        options = ['"A field."']
        if cell.kind == "default" or (cell.kind == "nullable default" and self._pick((True, True, False))):
            options.append(f"default={made.value}")
        elif cell.kind == "nullable default":
            options.append("default=None")
        elif "optional" in cell.kind or "keep_null" in cell.kind:
            options.append("optional=True")
        if "keep_null" in cell.kind:
            options.append("keep_null=True")
        if alias != name:
            options.append(f"name={alias!r}")
        if made.options:
            options.append(made.options)
        function = cell.place if cell.place in ("restored", "injected") else "field"
        return f"{name}: {annotation} = {function}({', '.join(options)})"

    # Types

    def typing(self, type_: str, constraint: str) -> Typing:
        """A type with the constraint on it."""
        if type_ in SCALARS:
            return self._scalar(type_, constraint)
        if type_ in ("list", "dict"):
            return self._container(type_, constraint)
        return self._others(type_, constraint)

    def _scalar(self, type_: str, constraint: str) -> Typing:
        match type_, constraint:
            case "int", "none":
                return Typing("int", str(self._pick((0, -1, 2**70))))
            case "int" | "float", "also":
                return Typing(type_, "1", 'also={"not": {"const": 98765}}')
            case (("int" | "float"), _):
                return self._bounded(type_, constraint)
            case "float", _:
                return Typing("float", "0.5")
            case "str", "none":
                return Typing("str", self._pick(("''", "'x'", r"'\u00e9\n\"'")))
            case "str", "min_length":
                least = self._pick((1, 0, 3))
                return Typing("str", "'xyz'", f"min_length={least}{self._beside('max_length=5')}")
            case "str", "max_length":
                return Typing("str", "''", f"max_length={self._pick((0, 1, 10))}")
            case "str", "pattern":
                pattern, value = self._pick(PATTERNS)
                return Typing("str", f"'{value}'", f"pattern='{pattern}'{self._beside('max_length=9')}")
            case "str", "format":
                name, value = self._pick(FORMATS)
                return Typing("str", f"'{value}'", f"format='{name}'")
            case "str", _:
                return Typing("str", "'x'", 'also={"not": {"const": "root"}}')
            case "bool", _:
                return Typing("bool", "False")
            case "bytes", _:
                bound = {"none": "", "min_length": "min_length=2", "max_length": f"max_length={self._pick((3, 4))}"}
                beside = {"none": "", "min_length": "max_length=5", "max_length": "min_length=1"}
                return Typing("bytes", r"b'\x00ab'", bound[constraint] + self._beside(beside[constraint]))
        return Typing(type_, TEMPORAL[type_])

    def _bounded(self, type_: str, constraint: str) -> Typing:
        if constraint == "none":
            return Typing(type_, self._pick(("0.5", "-1e300", "3", "0.0")))
        if constraint == "multiple_of":
            step = self._pick((5, 1, 2**70) if type_ == "int" else (0.01, 0.5, 3))
            return Typing(type_, "0", f"multiple_of={step}{self._beside(f'ge={-step}', f'gt={-step}', f'lt={step}')}")
        limit = self._pick((0, -7, 10**6) if type_ == "int" else (0, -0.5, 1e6))
        if type_ == "int" and self._pick((False, False, True)):
            limit = self._pick((2**63, 2**63 - 1, -(2**63), 2**70))
        inside = {"ge": limit, "le": limit, "gt": limit + 1, "lt": limit - 1}[constraint]
        other = {"ge": f"le={limit + 9}", "le": f"gt={limit - 9}", "gt": f"lt={limit + 9}", "lt": f"ge={limit - 9}"}
        return Typing(type_, str(inside), f"{constraint}={limit}{self._beside(other[constraint])}")

    def _beside(self, *others: str) -> str:
        """Now and then another constraint of the type: two of them may be judged otherwise than each alone."""
        other = self._pick((*[""] * len(others), *others))
        return other and f", {other}"

    def _container(self, type_: str, constraint: str) -> Typing:
        inner_type = self._pick(SINGLE_SPELLING if constraint == "unique_items" else INNER)
        inner_constraint = self._pick(("none", *self._constraints(inner_type)))
        inner = self.typing(inner_type, inner_constraint)
        annotation = inner.annotation
        if inner.options:
            annotation = f"Annotated[{annotation}, Constraints({inner.options})]"
        if type_ == "list":
            if constraint != "unique_items" and self._pick((False, False, True)):
                annotation = f"list[{annotation}]"
                inner = Typing(annotation, f"[{inner.value}]")
            value = f"[{inner.value}]"
            written = f"list[{annotation}]"
        else:
            value = f"{{'k': {inner.value}}}"
            written = f"dict[str, {annotation}]"
        bound = {"none": "", "min_items": "min_items=1", "max_items": f"max_items={self._pick((1, 3))}"}
        beside = {"none": "", "min_items": "max_items=4"}
        return Typing(
            written,
            value,
            bound.get(constraint, "unique_items=True") + self._beside(beside.get(constraint, "min_items=1")),
        )

    def _constraints(self, type_: str) -> Iterator[str]:
        """The constraints that an element may have: ``also`` is for fields alone."""
        yield from (c for c in SCALARS.get(type_, ()) if c != "also")

    def _others(self, type_: str, constraint: str) -> Typing:
        match type_:
            case "Any":
                value = self._pick(("0", "[]", "{'a': None}"))
                return Typing("Any", value, "" if constraint == "none" else 'also={"not": {"const": "no"}}')
            case "Literal of strings":
                return Typing(self._pick(('Literal["a", "b"]', 'Literal["a", "b", "", "é"]')), '"a"')
            case "Literal of integers":
                return Typing(self._pick(("Literal[1, 2]", f"Literal[1, {2**70}]", f"Literal[1, {-(2**63)}]")), "1")
            case "Literal of mixed scalars":
                return Typing(
                    self._pick(('Literal[1, "a"]', 'Literal[1, True, 1.5, "1"]', "Literal[1, 2.5, False]")), "1"
                )
            case "Literal with None":
                return Typing('Literal["a", 1, None]', '"a"')
            case "enum of strings":
                name = self._declare("Word", 'A = "a"\nB = "b"\nAGAIN = "a"', "enum.Enum")
                return Typing(name, f"{name}.B")
            case "enum of integers":
                name = self._declare("Digit", f"A = 1\nB = {self._pick((2, 2**70))}", "enum.Enum")
                return Typing(name, f"{name}.A")
            case "enum with None":
                name = self._declare("Maybe", 'A = "a"\nNONE = None', "enum.Enum")
                return Typing(name, f"{name}.A")
            case "Record":
                name = self._leaf()
                return Typing(name, f"{name}(n=1)")
            case "recursive Record":
                body = 'n: int = field("N.", ge=0)\nof: list[SELF] = field("O.", default=[])\n'
                body += 'next: SELF | None = field("N.", optional=True)'
                name = self._declare("Tree", body, options=self._pick(("", ", closed=False")))
                return Typing(name, f"{name}(n=1, of=[{name}(n=2)])")
            case "int or str":
                bound = {"none": "", "ge": "ge=1", "min_length": "min_length=1"}[constraint]
                return Typing(self._pick(("int | str", "str | int")), "'x'", bound)
            case "bool or list":
                return Typing("bool | list[int]", "[1]", "" if constraint == "none" else "max_items=2")
            case "Record or str":
                name = self._leaf()
                return Typing(f"{name} | str", "'x'", "" if constraint == "none" else "pattern='^x'")
        return self._told_apart(type_)

    def _leaf(self) -> str:
        more = self._pick(("", '\ns: str = field("S.", default="x")', '\nd: date | None = field("D.", optional=True)'))
        return self._declare("Leaf", f'n: int = field("N.", ge=0){more}', options=self._pick(("", ", closed=False")))

    def _told_apart(self, type_: str) -> Typing:
        tags = {
            "Records told apart by a string": ('"cat"', '"dog"'),
            "Records told apart by an integer": ("1", "2"),
            "Records told apart by several values": ('"cat"', '"dog", "wolf"'),
        }[type_]
        one = self._declare("Cat", f'kind: Literal[{tags[0]}] = field("K.")\nlives: int = field("L.", default=9)')
        other = self._declare("Dog", f'kind: Literal[{tags[1]}] = field("K.")\nname: str = field("N.", optional=True)')
        more = self._pick(("", " | str", " | int"))
        return Typing(f"{one} | {other}{more}", f"{one}(kind={tags[0]})")

    def _pick(self, choices: Sequence[Any]) -> Any:
        return self._draw(st.sampled_from(choices))


TEMPORAL = {
    "date": "dt.date(2026, 11, 30)",
    "time": "dt.time(14, 30, tzinfo=dt.timezone.utc)",
    "datetime": "dt.datetime(2026, 11, 30, 14, 30, tzinfo=dt.timezone.utc)",
    "timedelta": "dt.timedelta(days=-1, microseconds=5)",
    "UUID": "uuid.UUID(int=7)",
    "Decimal": 'decimal.Decimal("1.50")',
}
