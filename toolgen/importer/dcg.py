"""What of datamodel-code-generator is used: how it reads documents, and how it makes names.

Its parser is not: even with model and field classes of our own it tells them too little of what an import must keep or
report (``not``, null beside what is not required, bounds of several types, places as JSON Pointers).
``tests/importer/test_dcg.py`` says so of the installed release. All that touches the package stands here.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable
from typing import Any, NoReturn, cast

from toolgen.names import is_clean_text


class MissingExtra(RuntimeError):
    """The package is not installed."""

    def __init__(self) -> None:
        super().__init__("importing needs datamodel-code-generator: pip install 'toolgen[import]'")


@functools.cache
def _package() -> Any:
    try:
        import datamodel_code_generator
    except ImportError as error:
        raise MissingExtra from error
    return datamodel_code_generator


@functools.cache
def _resolver() -> Any:
    _package()
    from datamodel_code_generator.reference import ModelResolver

    return ModelResolver()


def read_document(text: str) -> Any:
    """The value of a JSON or YAML text; YAML with JSON's types alone, so that a date stays text.

    Raises:
        ValueError: it is neither.
    """
    try:
        value = _shallow(json.loads(text, parse_constant=_no_number, parse_float=_finite))
        return _Plain().of(value) if _SURROGATE in text.lower() else value
    except RecursionError:
        raise ValueError("it nests too deep") from None
    except ValueError as error:
        if text.lstrip()[:1] in ("{", "["):
            raise ValueError(f"no JSON: {error}") from None
    load = cast("Callable[[str], Any]", _package().load_yaml)
    try:
        return _Plain().of(load(text))
    except RecursionError:
        raise ValueError("it nests too deep, or holds itself") from None
    except Exception as error:  # the parser's own errors, which are no public names
        raise ValueError(f"neither JSON nor YAML: {next(iter(str(error).splitlines()), '')}") from None


MOST_LEVELS = 500
"""Levels that a JSON document may nest: as deep as every Python reads, since each gives up at a depth of its own."""


def _shallow(value: Any) -> Any:
    level = [value]
    for _ in range(MOST_LEVELS):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return value
    raise RecursionError


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


_SURROGATE = "\\ud"


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number, or too large for one")


MOST_VALUES = 2_000_000
"""Values that a YAML document may come to once its aliases are written out."""


class _Plain:
    """A document as JSON that can be written: of YAML, keys are text (``200:`` is ``"200"``) and numbers finite, and
    aliases can't make it endless; of both, no text holds a lone surrogate.
    """

    def __init__(self) -> None:
        self._values = 0

    def of(self, value: Any) -> Any:
        self._values += 1
        if self._values > MOST_VALUES:
            raise ValueError(f"it comes to more than {MOST_VALUES:,} values")
        if isinstance(value, dict):
            keys = {key: self.of(key if isinstance(key, str) else json.dumps(key)) for key in value}
            return {keys[key]: self.of(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.of(inner) for inner in value]
        if isinstance(value, str) and not is_clean_text(value):
            raise ValueError(f"the text {value[:40]!r} holds a lone surrogate, which can't be written")
        if isinstance(value, float) and not math.isfinite(value):
            _no_number(repr(value))
        return value


def class_name(words: str, *, one: bool = False) -> str:
    """A class name of some words; with ``one``, of one of the things that the words name."""
    plain = words.replace(".", " ")
    found: str = _resolver().get_class_name(plain, unique=False, singular_name=one, singular_name_suffix="").name
    return found


def field_name(words: str) -> str:
    """A Python name for a field, near to its key."""
    found: str = _resolver().get_valid_field_name(words or "empty")
    return found
