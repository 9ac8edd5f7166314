"""Paths in words for people."""

from __future__ import annotations

import os
from pathlib import Path


def shown(path: Path | str) -> str:
    """A path as a person in the working folder would write it."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # on another drive
        return str(path)
    return str(path) if relative.startswith(os.path.join("..", "..", "..")) else relative
