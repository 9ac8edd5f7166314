"""Trying a tool out: its generated package, imported from a temporary folder."""

from __future__ import annotations

import importlib
import itertools
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from toolgen.files import Generated

_numbers = itertools.count(1)


@contextmanager
def imported(files: Mapping[str, Generated], module: str) -> Iterator[Any]:
    """A generated module, such as ``support.search_tickets``, for the time of the ``with`` block."""
    name = f"_toolgen_preview_{next(_numbers)}"
    with tempfile.TemporaryDirectory() as folder:
        for path, generated in files.items():
            file = Path(folder, name, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(generated.text, encoding="utf-8", newline="\n")
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
        try:
            yield importlib.import_module(f"{name}.{module}")
        finally:
            sys.path.remove(folder)
            for loaded in [loaded for loaded in sys.modules if loaded.split(".")[0] == name]:
                del sys.modules[loaded]
