"""Versions of the libraries that generation stands on."""

from __future__ import annotations

import os
import sys
from functools import cache


@cache
def version(library: str) -> str:
    """The version of an installed library, named as in a requirement, in lower case.

    It stands in the name of the folder that installers leave beside the library (PyPA specifications, "Recording
    installed projects"). importlib.metadata, which reads it from a file in there, is asked where there is no such
    folder: importing it takes as long as a tenth of a check.

    Raises:
        importlib.metadata.PackageNotFoundError: it is not installed.
    """
    for folder in sys.path:
        found = _recorded(folder).get(library)
        if found is not None:
            return found
    from importlib import metadata

    return metadata.version(library)


@cache
def _recorded(folder: str) -> dict[str, str]:
    """The versions of what is installed in a folder, by name."""
    try:
        names = os.listdir(folder or ".")
    except OSError:  # a zip file, or nothing
        return {}
    pairs = [name.removesuffix(".dist-info").partition("-") for name in names if name.endswith(".dist-info")]
    return {library.lower().replace("_", "-"): version for library, _, version in pairs}
