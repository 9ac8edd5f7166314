"""What a Python class says and its JSON Schema does not: said by the import, by JSON Pointer."""

from __future__ import annotations

import datetime as dt
import itertools
from decimal import Decimal
from ipaddress import IPv4Address, IPv4Interface
from typing import Annotated, Any

import pytest
from importing_one import schemas_in, takes
from pydantic import (
    UUID4,
    AfterValidator,
    AnyUrl,
    AwareDatetime,
    Base64Str,
    BaseModel,
    BeforeValidator,
    Field,
    FilePath,
    FtpUrl,
    HttpUrl,
    IPvAnyAddress,
    IPvAnyNetwork,
    Json,
    NaiveDatetime,
    PastDate,
    PostgresDsn,
    StringConstraints,
    create_model,
    field_validator,
    model_validator,
)

from toolgen.importer.importing import Imported, import_tools
from toolgen.importer.reporting import Outcome


def imported_class(class_: type, monkeypatch: pytest.MonkeyPatch) -> Imported:
    monkeypatch.setitem(globals(), "Trial", class_)
    return import_tools([f"{__name__}:Trial"])


def with_field(hint: Any, default: Any = ...) -> type:
    return create_model("Trial", p=(hint, default))


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        (Annotated[int, AfterValidator(abs)], "the validator abs is not run"),
        (Annotated[int, BeforeValidator(int)], "the validator int is not run"),
        (Annotated[Decimal, Field(ge=0, decimal_places=2)], "ge=0, decimal_places=2"),
        (PastDate, "in the past"),
        (dict[int, str], "keys are int"),
        (list[Annotated[int, AfterValidator(abs)]], "the validator abs is not run"),
        (UUID4, "its version is 4"),
        (IPvAnyNetwork, "'ipvanynetwork'"),
        (list[IPv4Interface], "'ipv4interface'"),
        (PostgresDsn, "'multi-host-uri'"),
        (FilePath, "'file-path'"),
        (Base64Str, "'base64'"),
        (Json[int], "it is JSON"),
        (complex, "it is a number"),
        (Annotated[dt.timedelta, Field(gt=dt.timedelta(0))], "gt=0:00:00"),
        (Annotated[dt.datetime, Field(ge=dt.datetime(2020, 1, 1))], "ge=2020-01-01"),
        (Annotated[dt.time, Field(lt=dt.time(12))], "lt=12:00"),
        (NaiveDatetime, "with an offset"),
    ],
)
def test_what_a_class_checks_and_its_schema_does_not_is_said(
    hint: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = imported_class(with_field(hint), monkeypatch)
    assert [(e.outcome, e.pointer.startswith("/properties/p")) for e in made.entries] == [(Outcome.WIDER, True)]
    assert said in made.entries[0].text
    assert made.written is not None
    assert "# #/properties/p" in made.written.text


@pytest.mark.parametrize(
    "hint",
    [
        *(Decimal, Decimal | None, dt.datetime, dt.timedelta, AwareDatetime),
        *(AnyUrl, HttpUrl, IPvAnyAddress, IPv4Address, dict[str, int], Annotated[int, Field(ge=0)]),
    ],
)
def test_types_of_pydantic_itself_are_whole(hint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = imported_class(with_field(hint), monkeypatch)
    assert made.written is not None
    assert made.entries == []


@pytest.mark.parametrize(
    ("hint", "good", "bad"),
    [
        (HttpUrl, ["http://a.b", "HTTPS://a.b"], ["ftp://a.b", "a://http://b"]),
        (FtpUrl, ["ftp://a.b"], ["sftp://a.b"]),
        (IPvAnyAddress, ["127.0.0.1", "::1"], ["1.2.3", "", "a"]),
    ],
)
def test_what_a_schema_can_say_of_a_class_is_said(
    hint: Any, good: list[str], bad: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = imported_class(with_field(hint), monkeypatch)
    assert [takes(made, {"p": text}) for text in good + bad] == [True] * len(good) + [False] * len(bad)


def test_validators_of_a_model_are_said_where_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    class Inner(BaseModel):
        a: int

        @field_validator("a")
        @classmethod
        def even(cls, value: int) -> int:
            return value

        @model_validator(mode="after")
        def whole(self) -> Inner:
            return self

    made = imported_class(create_model("Trial", p=(list[Inner], ...)), monkeypatch)
    assert {entry.pointer for entry in made.losses} == {"/$defs/Inner", "/$defs/Inner/properties/a"}


def test_a_decimal_is_a_number_or_a_decimal_text(monkeypatch: pytest.MonkeyPatch) -> None:
    made = imported_class(with_field(Decimal), monkeypatch)
    assert made.written is not None
    assert "p: float | Decimal = field(" in made.written.text


NUMBERS = itertools.count()


@pytest.mark.parametrize(
    ("hint", "factory", "default", "notes"),
    [
        (list[int], list, [], 0),
        (dict[str, int], dict, {}, 0),
        (list[int], lambda: [1], [1], 1),
        (int, lambda: next(NUMBERS), None, 1),
        (dt.datetime, dt.datetime.now, None, 1),
        (dt.date, dt.date.today, None, 1),
        (int, lambda: 1 // 0, None, 1),
    ],
)
def test_a_factory_gives_the_default_where_it_gives_the_same_each_time(
    hint: Any, factory: Any, default: Any, notes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = imported_class(with_field(hint, Field(default_factory=factory)), monkeypatch)
    assert made.written is not None
    schema = schemas_in(made.written.text)["Trial"]
    assert schema["properties"]["p"].get("default") == default
    assert "p" not in schema["required"]
    assert [entry.outcome for entry in made.entries] == [Outcome.NOTE] * notes


def test_text_that_a_class_changes_is_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    made = imported_class(with_field(Annotated[str, StringConstraints(strip_whitespace=True)]), monkeypatch)
    assert ["strip_whitespace" in entry.text for entry in made.entries] == [True]


def test_a_class_without_a_schema_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Plain:
        a: int

    made = imported_class(Plain, monkeypatch)
    assert [bad.reason.count("\n") for bad in made.bad] == [0]
