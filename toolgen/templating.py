"""The templates that generated files are printed through."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Protocol

import jinja2
from jinja2.bccache import Bucket


class Store(Protocol):
    """Where compiled templates are kept from run to run; only the user may be able to write to it."""

    def content(self, name: str) -> bytes | None: ...
    def keep(self, name: str, content: bytes) -> None: ...


def template(name: str) -> jinja2.Template:
    """A template by its file name. What it prints is Python source: nothing is escaped, every hole is filled with a
    literal or a checked name, and one that is not filled is an error.
    """
    return _environment().get_template(name)


def keep_compiled(store: Store | None) -> None:
    """Takes compiled templates from a store and keeps them there, if there is one: compiling them takes a tenth of a
    small run.
    """
    _environment().bytecode_cache = None if store is None else _Compiled(store)


def templates_folder() -> Path:
    """The templates: in the package where it is installed, at the root of the repo in a checkout."""
    packaged = Path(__file__).with_name("templates")
    return packaged if packaged.is_dir() else Path(__file__).parents[1] / "templates"


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_folder()),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


class _Compiled(jinja2.BytecodeCache):
    """Jinja looks into a bucket whether its content is of the template's present text."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def load_bytecode(self, bucket: Bucket) -> None:
        content = self._store.content(f"template {bucket.key}")
        if content is not None:
            bucket.bytecode_from_string(content)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._store.keep(f"template {bucket.key}", bucket.bytecode_to_string())
