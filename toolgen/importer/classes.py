"""Python classes as sources: pydantic models, dataclasses and TypedDicts, by the JSON Schema that pydantic makes."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

from toolgen.importer import typeddicts
from toolgen.importer.reporting import Said
from toolgen.importer.sources import SourceFault


def schema_of(named: str) -> tuple[dict[str, Any], list[Said]]:
    """The JSON Schema of ``module:Class``, and what it does not say of the class.

    The module is imported, from the working folder too, which runs it; so are the factories of defaults.

    Raises:
        SourceFault: there is no such class, or it has no JSON Schema.
    """
    module_name, _, path = named.rpartition(":")
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        found: Any = importlib.import_module(module_name)
        for name in path.split("."):
            found = getattr(found, name)
    except (ImportError, AttributeError) as error:
        raise SourceFault(f"there is no such class: {error}") from None
    except Exception as error:  # the module's own code
        raise SourceFault(f"importing {module_name} failed: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(here)
    if not isinstance(found, type):
        raise SourceFault(f"{path} is no class")
    try:
        from toolgen.importer.classschema import schema_and_said
    except ImportError:
        raise SourceFault("reading Python classes needs pydantic: pip install 'toolgen[import]'") from None
    try:
        return schema_and_said(typeddicts.readable(found))
    except Exception as error:  # pydantic's errors, and those of the class's own hooks
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise SourceFault(f"{path} has no JSON Schema: {reason}") from error
