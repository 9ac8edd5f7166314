"""The JSON Schema of a Python class, and what pydantic leaves out of it without a word: validators, bounds of decimals.

Each part that is left out is marked in the schema while pydantic makes it, since only then is it known where it is.
"""

from __future__ import annotations

import datetime as dt
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


def schema_and_said(class_: Any) -> tuple[dict[str, Any], list[Said]]:
    """The JSON Schema of a class, and what there is to say of it by JSON Pointer.

    Raises whatever pydantic, and the class's own hooks, raise of one that has no schema.
    """
    schema = TypeAdapter(class_).json_schema(schema_generator=_Generator)
    return schema, list(_unmarked(schema, ""))


def _unmarked(at: Any, pointer: str) -> Iterator[Said]:
    """Takes the marks out of a schema."""
    if isinstance(at, dict):
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
        return _of_now(super().date_schema(schema), schema)

    def datetime_schema(self, schema: Any) -> Any:
        return _of_now(super().datetime_schema(schema), schema)

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


def _of_now(made: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    when = schema.get("now_op")
    return made if when is None else _marked(made, f"any is taken: that it is in the {when} is not checked")


def _validated(made: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Marks what a validator of other code than pydantic's own judges."""
    function = schema["function"]["function"]
    module = str(getattr(function, "__module__", None) or type(function).__module__)
    if module.partition(".")[0] == "pydantic" and module != _PREDICATES:
        return made
    return _marked(made, f"the validator {_name(function)} is not run: what it refuses is taken")


def _name(function: object) -> str:
    return str(getattr(function, "__qualname__", None) or type(function).__qualname__)
