"""The designs of the benchmarks, compiled and imported."""

from __future__ import annotations

import atexit
import importlib
import shutil
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from toolgen.emit import Options, render
from toolgen.load import load

DESIGNS = Path(__file__).with_name("designs")


def compiled(design: str) -> ModuleType:
    """The package that a design of ``designs/`` compiles to."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for path, file in render(load([DESIGNS / f"{design}.py"], root=DESIGNS), Options()).items():
        target = folder / "compiled_designs" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(file.text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    return importlib.import_module(f"compiled_designs.{design}")
