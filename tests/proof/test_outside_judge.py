"""Where the outside judge and the codecs part, and where the jsonschema library by itself would: each with its reason.

Every entry is checked to be still needed: what the library and the codecs judge alike may not stand here.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from outside_judge import outside_judge

from conftest import compiling, one_tool
from toolgen.runtime.issues import PayloadError

pytestmark = pytest.mark.once

FIELDS = """
pattern: str = field("P.", pattern="^[a-z]$", optional=True)
digits: str = field("D.", pattern="^\\\\d$", optional=True)
dot: str = field("D.", pattern="^.{1}$", optional=True)
step: float = field("S.", multiple_of=0.01, optional=True)
number: float = field("N.", optional=True)
email: str = field("E.", format="email", optional=True)
time: time = field("T.", optional=True)
moment: datetime = field("M.", optional=True)
link: str = field("L.", format="uri", optional=True)
uuid: UUID = field("U.", optional=True)
large: int = field("L.", ge=2**63, le=2**63, optional=True)
"""

LIBRARY = {
    "pattern": ("a\n", "$ is the very end in ECMA-262; Python's lets a newline follow"),
    "digits": ("\u0663", "digits are ASCII in ECMA-262"),
    "dot": ("\u2028", "a dot is no line separator in ECMA-262"),
    "step": (19.99, "0.01 divides 19.99 as a decimal, and not in binary"),
    "number": (10**400, "no number is too large for the library, which has no floats for integers"),
    "email": ("@", "the library asks for no more than an @"),
    "time": ("14:30:00Z\n", "its checker of times lets a newline follow"),
    "moment": ("2026-11-30T14:30:00Z\n", "and that of moments"),
    "link": ("urn:a:b\n", "and that of URIs"),
}
"""By field: an input that the library alone misjudges; ``outside_judge`` replaces what it does."""

PARTED = [
    ("uuid", "123e4567e89b12d3a456426614174000", "msgspec reads a UUID without dashes; the format has them"),
    ("moment", "2026-11-30 14:30:00Z", "RFC 3339 lets a space stand for the T in a note; the library does not"),
    ("moment", "2026-11-30T14:30:00+0100", "msgspec reads an offset without its colon"),
    ("time", "14:30:00+0100", "msgspec reads an offset without its colon"),
    ("time", "23:59:59.9999999Z", "it is nearer to midnight than to any microsecond of its day"),
    ("moment", "9999-12-31T23:59:59.9999999Z", "it is nearer to the year 10000, which Python does not have"),
    ("large", 9.223372036854776e18, "a whole number is the decimal that is written: 192 more than the float, 2**63"),
]
"""What is no fault of the library's, and yet judged otherwise by the codecs."""


@pytest.fixture(scope="module")
def do(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    with compiling(tmp_path_factory.mktemp("judge"), formatted=False) as compile_design:
        root = compile_design(one_tool(FIELDS))
        yield importlib.import_module(f"{root.__name__}.things.do")


def takes(do: ModuleType, value: Any) -> bool:
    found = set()
    for data in (json.dumps(value), value):
        try:
            do.MODEL.strict.decode(data)
        except PayloadError:
            found.add(False)
        else:
            found.add(True)
    (taken,) = found
    return taken


@pytest.mark.parametrize("name", LIBRARY)
def test_the_library_is_wrong_where_it_is_replaced(do: ModuleType, name: str) -> None:
    schema, value = do.MODEL.schema, {name: LIBRARY[name][0]}
    library = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    assert takes(do, value) == outside_judge(schema)(value) != library.is_valid(value)


@pytest.mark.parametrize(("name", "value"), [entry[:2] for entry in PARTED])
def test_the_codecs_part_from_the_outside_judge(do: ModuleType, name: str, value: Any) -> None:
    assert takes(do, {name: value}) != outside_judge(do.MODEL.schema)({name: value})
