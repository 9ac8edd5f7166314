"""Generated modules that nothing accounts for: no design produces them, and the manifest does not list them.

A merge that drops a line of the manifest leaves one behind. It can still be imported, so that a check which asked the
manifest alone would pass falsely.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator
from pathlib import Path

from toolgen import manifest
from toolgen.places import is_generated


def find(output: Path, known: Collection[str], others: Collection[Path]) -> Iterator[str]:
    """The strays in an output folder, by path from there, sorted.

    It looks where modules are generated: in the folder and in those right inside it, save those that have a manifest of
    their own and ``others``, which hold generated files of another kind; it follows no link. ``known`` are the paths
    that are accounted for; case does not tell a file from them, since on some disks it is the same. Raises OSError.
    """
    folded = {path.casefold() for path in known}
    inner = [Path(entry.path) for entry in _entries(output) if entry.is_dir(follow_symlinks=False)]
    for folder in (output, *inner):
        if folder in others or (folder != output and os.path.exists(folder / manifest.NAME)):
            continue
        inside = "" if folder == output else f"{folder.name}/"
        for entry in _entries(folder):
            name = f"{inside}{entry.name}"
            if name.endswith(".py") and name.casefold() not in folded and _says_so(entry):
                yield name


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What stands in a folder, sorted; nothing where it may not be read, as toolgen's own may."""
    with contextlib.suppress(FileNotFoundError, PermissionError), os.scandir(folder) as found:
        return sorted(found, key=lambda entry: entry.name)
    return []


def _says_so(entry: os.DirEntry[str]) -> bool:
    """Whether a file says that toolgen made it. What cannot be read is the user's own."""
    with contextlib.suppress(OSError):
        return entry.is_file(follow_symlinks=False) and is_generated(Path(entry.path))
    return False
