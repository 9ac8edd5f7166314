"""The JSON Schema of a Python class, and what pydantic leaves out of it without a word: validators, bounds of decimals.

Each part that is left out is marked in the schema while pydantic makes it, since only then is it known where it is.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, NoDefault

from toolgen.importer.reporting import Outcome, Said
from toolgen.runtime import formats
from toolgen.runtime.pointers import escaped

_MARK: Final = "x-toolgen-said"
_TEXT_CHANGES: Final = ("strip_whitespace", "to_lower", "to_upper", "coerce_numbers_to_str")
_DECIMAL_BOUNDS: Final = ("ge", "gt", "le", "lt", "multiple_of", "max_digits", "decimal_places")
_TEXT_KEYS: Final = frozenset({"str", "any", "literal", "enum"})
_PREDICATES: Final = "pydantic._internal._known_annotated_metadata"
_EMPTY: Final = (list, dict, set, frozenset, tuple, str, int, float, bool)
_MOMENTS: Final = (dt.date, dt.time)
_BOUNDS: Final = ("ge", "gt", "le", "lt")
_ADDRESS: Final = {"anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]}
_OF_CLASSES: Final = frozenset(
    [
        *(f"ip{kind}{of}" for kind in ("vany", "v4", "v6") for of in ("interface", "network")),
        *("base64", "base64url", "color", "directory-path", "file-path", "multi-host-uri", "name-email"),
    ]
)
"""Formats that pydantic writes, and that are no formats of JSON Schema: what they say, the class alone checks."""


def schema_and_said(class_: Any) -> tuple[dict[str, Any], list[Said]]:
    """The JSON Schema of a class, and what there is to say of it by JSON Pointer.

    Raises whatever pydantic, and the class's own hooks, raise of one that has no schema.
    """
    schema = TypeAdapter(class_).json_schema(schema_generator=_Generator)
    return schema, list(_unmarked(schema, ""))


_UUIDS: Final = frozenset(f"uuid{version}" for version in range(1, 9))


def _unmarked(at: Any, pointer: str) -> Iterator[Said]:
    """Takes the marks out of a schema, and says of the formats of classes what schemas can."""
    if isinstance(at, dict):
        name = at.get("format") if at.get("type") == "string" else None
        if name == "ipvanyaddress":
            del at["format"]
            at |= _ADDRESS
        elif name in _UUIDS:
            at["format"] = "uuid"
            yield Said(pointer, Outcome.WIDER, f"any UUID is taken: that its version is {name[4:]} is not checked")
        elif name in _OF_CLASSES:
            del at["format"]
            yield Said(pointer, Outcome.WIDER, f"any text is taken: that it is of the format {name!r} is not checked")
        for outcome, text in at.pop(_MARK, ()):
            yield Said(pointer, outcome, text)
        for name, inner in at.items():
            yield from _unmarked(inner, f"{pointer}/{escaped(name)}")
    elif isinstance(at, list):
        for number, inner in enumerate(at):
            yield from _unmarked(inner, f"{pointer}/{number}")


def _marked(made: dict[str, Any], text: str, outcome: Outcome = Outcome.WIDER) -> dict[str, Any]:
    return {**made, _MARK: [*made.get(_MARK, ()), (outcome, text)]}


class _Generator(GenerateJsonSchema):
    """As pydantic's own, with marks, the defaults that factories give, and decimals as the text that they are."""

    def function_after_schema(self, schema: Any) -> Any:
        return _validated(super().function_after_schema(schema), schema)

    def function_before_schema(self, schema: Any) -> Any:
        return _validated(super().function_before_schema(schema), schema)

    def function_wrap_schema(self, schema: Any) -> Any:
        return _validated(super().function_wrap_schema(schema), schema)

    def function_plain_schema(self, schema: Any) -> Any:
        return _validated(super().function_plain_schema(schema), schema)

    def decimal_schema(self, schema: Any) -> Any:
        """A number or a text, of which pydantic bounds the number alone, and lets the text be any."""
        made = super().decimal_schema(schema)
        arms = made.get("anyOf", ())
        text = {"type": "string"}
        made = {**made, "anyOf": [{**arm, "pattern": formats.DECIMAL_PATTERN} if arm == text else arm for arm in arms]}
        bounds = [f"{word}={schema[word]}" for word in _DECIMAL_BOUNDS if schema.get(word) is not None]
        return _marked(made, f"a decimal that is text is not held to {', '.join(bounds)}") if bounds else made

    def str_schema(self, schema: Any) -> Any:
        changes = [word for word in _TEXT_CHANGES if schema.get(word)]
        made = super().str_schema(schema)
        return _marked(made, f"{', '.join(changes)} is not done to the text", Outcome.NOTE) if changes else made

    def date_schema(self, schema: Any) -> Any:
        return _of_time(super().date_schema(schema), schema)

    def datetime_schema(self, schema: Any) -> Any:
        made = _of_time(super().datetime_schema(schema), schema)
        naive = schema.get("tz_constraint") == "naive"
        return _marked(made, "one with an offset is taken, and none without") if naive else made

    def time_schema(self, schema: Any) -> Any:
        return _of_time(super().time_schema(schema), schema)

    def timedelta_schema(self, schema: Any) -> Any:
        return _of_time(super().timedelta_schema(schema), schema)

    def url_schema(self, schema: Any) -> Any:
        """With its schemes, which pydantic leaves out."""
        made = super().url_schema(schema)
        schemes = "|".join("".join(map(_either_case, scheme)) for scheme in schema.get("allowed_schemes") or ())
        return {**made, "pattern": f"^(?:{schemes}):"} if schemes else made

    def json_schema(self, schema: Any) -> Any:
        return _marked(super().json_schema(schema), "any text is taken: that it is JSON is not checked")

    def complex_schema(self, schema: Any) -> Any:
        return _marked(super().complex_schema(schema), "any text is taken: that it is a number is not checked")

    def dict_schema(self, schema: Any) -> Any:
        made = super().dict_schema(schema)
        keys = schema.get("keys_schema", {}).get("type", "any")
        return made if keys in _TEXT_KEYS else _marked(made, f"any key is taken: that keys are {keys} is not checked")

    def get_default_value(self, schema: Any) -> Any:
        given = super().get_default_value(schema)
        factory = schema.get("default_factory")
        if given is not NoDefault or factory is None or schema.get("default_factory_takes_data"):
            return given
        return _made_by(factory)

    def default_schema(self, schema: Any) -> Any:
        made = super().default_schema(schema)
        factory = schema.get("default_factory")
        if factory is None or factory in _EMPTY:
            return made
        what = "the default is what its factory gives now" if "default" in made else "the default is left out"
        return _marked(made, f"{what}: {_name(factory)} may give another each time", Outcome.NOTE)


def _made_by(factory: Callable[[], Any]) -> Any:
    """What a factory gives, where it gives the same twice, and no day or time."""
    try:
        one, two = factory(), factory()
    except Exception:  # the factory's own errors: it gives nothing here, which default_schema says
        return NoDefault
    return one if one == two and not isinstance(one, _MOMENTS) else NoDefault


def _either_case(char: str) -> str:
    """A character of the scheme of a URI as a pattern (RFC 3986, section 3.1)."""
    return f"[{char.upper()}{char.lower()}]" if char.isalpha() else re.escape(char)


def _of_time(made: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Marks what a day, time or duration has to be, of which JSON Schema has no words."""
    when = schema.get("now_op")
    if when is not None:
        made = _marked(made, f"any is taken: that it is in the {when} is not checked")
    bounds = [f"{word}={schema[word]}" for word in _BOUNDS if schema.get(word) is not None]
    return _marked(made, f"any is taken: it is not held to {', '.join(bounds)}") if bounds else made


def _validated(made: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Marks what a validator of other code than pydantic's own judges."""
    function = schema["function"]["function"]
    module = str(getattr(function, "__module__", None) or type(function).__module__)
    if module.partition(".")[0] == "pydantic" and module != _PREDICATES:
        return made
    return _marked(made, f"the validator {_name(function)} is not run: what it refuses is taken")


def _name(function: object) -> str:
    return str(getattr(function, "__qualname__", None) or type(function).__qualname__)
