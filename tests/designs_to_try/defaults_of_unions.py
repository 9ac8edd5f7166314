"""Defaults that are lists and maps, on fields that take something else as well."""

from __future__ import annotations

import enum
from typing import Any, Literal

from toolgen.dsl import Record, Toolset, field, injected, restored

defaults = Toolset("defaults", "Defaults of unions.")


class Colour(enum.Enum):
    """A colour."""

    RED = "red"
    ONE = 1


class K(Record):
    """A Record of a union."""

    kind: Literal["k"] = field("d")
    own: list[Literal["a", "b"]] | None = field("d", default=["a"])
    str: dict[str, str | int] | None = field("d", default={"a": 1})


class Q(Record):
    """A Record of a union."""

    kind: Literal["q"] = field("d")
    more: dict[str, list[K | str]] | None = field("d", default={"a": [K(kind="k"), "b"]})


class K_more(Record):
    """A Record whose name and field read as those of another."""

    own: list[int | None] | None = field("d", default=[1, None])


class K_(Record):
    """A Record whose name and field read as those of another."""

    more_own: list[int | None] | None = field("d", default=[2, None])


@defaults.tool()
class Inputs:
    """Takes what may be left out."""

    class Input:
        words: list[Literal["a", "b"]] | None = field("d", default=["a"])
        either: dict[str, str | int] | None = field("d", default={"a": "b"})
        gaps: list[int | None] | None = field("d", default=[1])
        records: list[K | None] | int = field("d", default=[K(kind="k")])
        listed: dict[str, list[K | str]] | None = field("d", default={"a": [K(kind="k", own=["b"])]})
        nested: list[list[int | None]] | str = field("d", default=[[1]])
        chosen: dict[str, Literal["a", "b"] | None] | None = field("d", default={"a": "b"})
        arms: K | Q | list[K | Q] = field("d", default=[K(kind="k")])
        one: K | Q | list[K | Q] = field("d", default=K(kind="k"))
        floats: list[float] | None = field("d", default=[1, 2.5])
        numbers: list[float | None] | bool = field("d", default=[1])
        colours: list[Colour] | None = field("d", default=[Colour.RED])
        mixed: dict[str, Colour | list[int]] | str = field("d", default={"a": Colour.ONE})
        anything: list[Any] | None = field("d", default=["a", 1, {"a": [None]}])
        tuples: dict[str, Any] | None = field("d", default={"a": ["b", 1]})
        empty: list[Literal["a", "b"]] | None = field("d", default=[])
        emptied: list[list[int | None]] | dict[str, list[str | None]] = field("d", default={"a": []})
        bare: list[int | None] = field("d", default=[1])
        deep: dict[str, list[Literal["a", "b"] | None]] = field("d", default={"a": ["b"]})
        field: list[K | Q | None] = field("d", default=[Q(kind="q")])
        list: list[list[str | int] | None] | int = restored("d", default=[["a"], None])
        int: dict[str, dict[str, int | None]] | bool = restored("d", default={"a": {"b": 1}})
        Literal: list[Literal["a", 1]] | None = injected("d", default=["a"])
        dict: dict[str, K | Q | None] | str = injected("d", default={"a": Q(kind="q")})

    class Result:
        words: list[Literal["a", "b"]] | None = field("d", default=["a"])
        arms: K | Q | list[K | Q] = field("d", default=[K(kind="k")])
        records: list[K_ | None] | K_more = field("d", default=[K_(), None])
