"""What of datamodel-code-generator is used: how it reads documents, and how it makes names.

Its parser is not: it reads a schema into Python types of a validation library, and on the way forgets facts that an
import must keep or report (``not``, alternatives that differ in ``required``, null beside bounds, tuples' lengths,
object-valued constants). ``tests/importer/test_dcg.py`` says so, on each release that is tried. All that touches the
package stands here.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any, cast


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
        return json.loads(text)
    except ValueError as error:
        if text.lstrip()[:1] in ("{", "["):
            raise ValueError(f"no JSON: {error}") from None
    load = cast("Callable[[str], Any]", _package().load_yaml)
    try:
        return load(text)
    except Exception as error:  # the parser's own errors, which are no public names
        raise ValueError(f"neither JSON nor YAML: {str(error).splitlines()[0]}") from None


def class_name(words: str, *, one: bool = False) -> str:
    """A class name of some words; with ``one``, of one of the things that the words name."""
    plain = words.replace(".", " ")
    found: str = _resolver().get_class_name(plain, unique=False, singular_name=one, singular_name_suffix="").name
    return found


def field_name(words: str) -> str:
    """A Python name for a field, near to its key."""
    found: str = _resolver().get_valid_field_name(words or "empty")
    return found
