"""Writing a set of files so that a stop at any moment leaves each of them whole: as it was, or as it is to be."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path


def write_all(texts: Mapping[Path, str]) -> None:
    """Writes each text (UTF-8, ``\\n`` line ends) to its file, in the order given, making folders as needed.

    Every text is on the disk under a temporary name before the first file is replaced, so that a full disk or a folder
    that cannot be written to changes nothing. Raises OSError.
    """
    staged = {path: path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp") for path in texts}
    made: list[Path] = []
    try:
        for folder in dict.fromkeys(path.parent for path in texts):
            made += _make_folder(folder)
        _write_each([(staged[path], text, path) for path, text in texts.items()])
        for path in texts:
            os.replace(staged[path], path)
            del staged[path]
        _sync_folders({path.parent for path in texts})
    except BaseException:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)
        remove_empty(made)
        raise


def remove_all(paths: Iterable[Path], root: Path) -> None:
    """Deletes these files, their compiled bytecode, and the folders below ``root`` that are then empty.

    Raises OSError.
    """
    folders: set[Path] = set()
    for path in paths:
        path.unlink(missing_ok=True)
        cache = path.parent / "__pycache__"
        for compiled in cache.glob(f"{path.stem}.*.pyc"):
            compiled.unlink(missing_ok=True)
        folders.update((cache, *(folder for folder in path.parents if root in folder.parents)))
    remove_empty(folders)


_TEMPORARY = re.compile(r"\.(.+)\.[0-9a-f]{8}\.tmp")


def remove_leftovers(paths: Iterable[str]) -> None:
    """Deletes the temporary files of these files that a run left behind when it was killed.

    No other run may be writing them. Raises OSError.
    """
    names: dict[str, set[str]] = {}
    for path in paths:
        folder, name = os.path.split(path)
        names.setdefault(folder, set()).add(name)
    for folder, known in names.items():
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            temporary = _TEMPORARY.fullmatch(name)
            if temporary and temporary[1] in known:
                Path(folder, name).unlink(missing_ok=True)


def remove_empty(folders: Iterable[Path]) -> None:
    """Deletes those of the folders that are empty, the deepest first."""
    for folder in sorted(folders, key=lambda folder: len(folder.parts), reverse=True):
        with contextlib.suppress(OSError):  # it is not empty, not there, or not ours to delete: it stays
            folder.rmdir()


def _make_folder(folder: Path) -> list[Path]:
    """Makes a folder and those above it; returns the ones that were not there, the topmost first."""
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing[::-1]


_AT_ONCE = 16
"""Files that wait for the disk at the same time: it then puts many of them down in one go."""

_FEW = 4
"""Files below which starting threads takes longer than the waits one after the other."""


def _write_each(files: Sequence[tuple[Path, str, Path]]) -> None:
    """Writes several new files; after the first that fails, none that was not begun is."""
    if len(files) < _FEW:
        for file in files:
            _write(*file)
        return
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(_AT_ONCE)
    try:
        for _ in pool.map(lambda file: _write(*file), files):
            pass
    finally:
        pool.shutdown(cancel_futures=True)


def _write(temporary: Path, text: str, like: Path) -> None:
    """Writes a new file through to the disk, with the permissions of the file that it is to replace."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with open(os.open(temporary, flags, 0o666), "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    with contextlib.suppress(FileNotFoundError):
        temporary.chmod(stat.S_IMODE(like.stat().st_mode))


_NOT_SYNCED = frozenset({errno.EINVAL, errno.ENOTSUP})
"""What a disk answers that syncs files and no folders, as some network disks do."""


def _sync_folders(folders: Iterable[Path]) -> None:
    """Puts renames on the disk, on systems and disks where a folder can be synced."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    for folder in folders:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in _NOT_SYNCED:
                raise
        finally:
            os.close(descriptor)
