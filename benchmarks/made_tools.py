"""Designs of many tools, made up to be like real ones: 3 to 12 fields, a third of the tools with nested Records.

The same number gives the same designs on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

TOOLS_A_DESIGN = 20

_NOUNS = [
    "account",
    "address",
    "article",
    "asset",
    "batch",
    "booking",
    "branch",
    "budget",
    "campaign",
    "carrier",
    "category",
    "channel",
    "comment",
    "contact",
    "contract",
    "country",
    "coupon",
    "customer",
    "delivery",
    "device",
    "discount",
    "document",
    "employee",
    "event",
    "file",
    "flight",
    "folder",
    "gateway",
    "group",
    "image",
    "index",
    "invoice",
    "issue",
    "item",
    "job",
    "label",
    "lead",
    "ledger",
    "license",
    "location",
    "log",
    "machine",
    "member",
    "message",
    "metric",
    "model",
    "note",
    "offer",
    "order",
    "owner",
    "package",
    "page",
    "partner",
    "payment",
    "period",
    "person",
    "pipeline",
    "plan",
    "policy",
    "price",
    "product",
    "project",
    "quota",
    "query",
    "rate",
    "record",
    "refund",
    "region",
    "release",
    "report",
    "request",
    "resource",
    "review",
    "role",
    "room",
    "route",
    "rule",
    "schedule",
    "segment",
    "server",
    "service",
    "session",
    "shipment",
    "site",
    "snapshot",
    "source",
    "stage",
    "status",
    "store",
    "task",
    "team",
    "template",
    "tenant",
    "ticket",
    "token",
    "topic",
    "unit",
    "user",
    "vendor",
    "version",
    "view",
    "visit",
    "volume",
    "warehouse",
    "webhook",
    "window",
    "workspace",
    "zone",
]
_VERBS = [
    "search",
    "list",
    "get",
    "create",
    "update",
    "delete",
    "archive",
    "assign",
    "export",
    "merge",
    "move",
    "approve",
    "cancel",
    "close",
    "send",
    "sync",
]
_ADJECTIVES = [
    "primary",
    "second",
    "target",
    "default",
    "current",
    "next",
    "related",
    "parent",
    "requested",
    "preferred",
]

_HEAD = '''"""Tools of the {name} service."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal
from uuid import UUID

from toolgen.dsl import Constraints, Record, Toolset, field, injected

{name} = Toolset("{name}", "Tools of the {name} service.")
'''


def write_designs(folder: Path, tools: int) -> list[Path]:
    """Writes the designs of this many tools, several to a file as people keep them, and gives the files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number in range((tools + TOOLS_A_DESIGN - 1) // TOOLS_A_DESIGN):
        path = folder / f"service_{number:02}.py"
        count = min(TOOLS_A_DESIGN, tools - number * TOOLS_A_DESIGN)
        path.write_text(_design(f"service_{number:02}", count, random.Random(number)), encoding="utf-8")
        paths.append(path)
    return paths


def _design(name: str, tools: int, chance: random.Random) -> str:
    parts = [_HEAD.format(name=name)]
    taken: set[str] = set()
    for _ in range(tools):
        tool = _free(taken, lambda: f"{chance.choice(_VERBS)}_{chance.choice(_NOUNS)}_{chance.choice(_NOUNS)}")
        parts.append(_tool(name, tool, chance))
    return "\n\n".join(parts)


def _tool(toolset: str, name: str, chance: random.Random) -> str:
    class_name = name.title().replace("_", "")
    text = ""
    fields = list(_fields(chance, chance.randint(3, 12)))
    if chance.random() < 1 / 3:
        inner = f"{class_name}Part"
        if chance.random() < 0.3:
            text += _record(f"{inner}Detail", list(_fields(chance, chance.randint(2, 4))), chance)
            nested = [f'details: list[{inner}Detail] = field("{_words(chance)}", default=[], max_items=20)']
        else:
            nested = []
        text += _record(inner, [*_fields(chance, chance.randint(2, 5)), *nested], chance)
        kind = chance.choice([f"list[{inner}]", inner])
        options = ", max_items=50" if kind.startswith("list") else ""
        fields[-1] = f'parts: {kind} = field("{_words(chance)}"{options})'
    if chance.random() < 1 / 3:
        fields.append('caller: str = injected("Who is signed in.", min_length=1)')
    text += f'@{toolset}.tool(tags=["{name.split("_")[0]}"], read_only={chance.random() < 0.5})\n'
    text += f'class {class_name}:\n    """{_words(chance, 20)}"""\n\n    class Input:\n'
    return text + "".join(f"        {line}\n" for line in fields)


def _record(name: str, fields: list[str], chance: random.Random) -> str:
    body = "".join(f"    {line}\n" for line in fields)
    return f'class {name}(Record):\n    """{_words(chance)}"""\n\n{body}\n\n'


def _fields(chance: random.Random, count: int) -> Iterator[str]:
    taken: set[str] = {"parts", "details", "caller"}
    for _ in range(count):
        name = _free(taken, lambda: _field_name(chance))
        kind, options = _kind(chance)
        yield f'{name}: {kind} = field("{_words(chance)}"{options})'


def _field_name(chance: random.Random) -> str:
    noun = chance.choice(_NOUNS)
    return chance.choice(
        [noun, f"{noun}_id", f"{chance.choice(_ADJECTIVES)}_{noun}", f"{noun}_{chance.choice(_NOUNS)}"]
    )


def _kind(chance: random.Random) -> tuple[str, str]:
    """A type, and the arguments of ``field`` that fit it."""
    words = chance.sample(_NOUNS, chance.randint(2, 6))
    literal = f"Literal[{', '.join(repr(word) for word in words)}]".replace("'", '"')
    kinds = [
        ("str", [", min_length=1, max_length=200", "", ', pattern="^[a-z]{2,8}$"'], '"some text"'),
        ("str", [", max_length=2000", "", ", min_length=1"], '""'),
        ("int", [", ge=1, le=100", ", ge=0", ""], "10"),
        ("float", [", ge=0, le=1", ", gt=0"], "0.5"),
        ("bool", [""], "False"),
        (literal, [""], f'"{words[0]}"'),
        ("date", [""], None),
        ("datetime", [""], None),
        ("UUID", [""], None),
        ("list[str]", [", max_items=20", ", min_items=1, unique_items=True", ""], "[]"),
        ("list[Annotated[str, Constraints(min_length=1)]]", [", max_items=10"], "[]"),
        ("dict[str, int]", [""], "{}"),
    ]
    kind, options, default = chance.choice(kinds)
    chosen = chance.choice(options)
    way = chance.random()
    if way < 0.35:
        return kind, chosen
    if way < 0.65 and default is not None and "pattern" not in chosen and "min_items" not in chosen:
        return kind, f"{chosen}, default={default}" if not (default == '""' and "min_length" in chosen) else chosen
    if way < 0.75:
        return f"{kind} | None", chosen
    return kind, f"{chosen}, optional=True"


def _words(chance: random.Random, most: int = 12) -> str:
    words = chance.choices(_NOUNS, k=chance.randint(4, most))
    return f"{' '.join(words).capitalize()}."


def _free(taken: set[str], make: object) -> str:
    assert callable(make)
    name = next(name for name in iter(make, None) if name not in taken)
    taken.add(name)
    return str(name)
