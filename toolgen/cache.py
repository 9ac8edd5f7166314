"""What earlier runs generated, kept outside the project so that a run need not generate it again.

An entry stands for one design file. It is found by everything that shapes its output: toolgen's own code and templates,
the libraries that judge and print, the options, the design's text; and it holds only while every file that the design
imports is as it was. Designs that may read anything else have none (see ``sources``). Beside it stands what the last
version of each design was printed to, file by file, each known by the digest of what it was printed from: so a design
that changed is loaded again, and only the files of it that come out otherwise are printed; and what templates compile
to. Nothing inside the project is trusted: the folder must be the user's own and stand outside of it. A damaged or
missing entry costs time and nothing else.

``TOOLGEN_CACHE`` names another folder, or switches the cache off with ``off``.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import secrets
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolgen.plain import Plain
from toolgen.versions import version

if TYPE_CHECKING:
    from toolgen.emit import Rendered

VARIABLE = "TOOLGEN_CACHE"
FORMAT = 2
KEPT_DAYS = 30

_OFF = frozenset({"", "0", "off", "no", "false"})
_LIBRARIES = ("black", "jinja2", "jsonschema", "markupsafe", "msgspec")


class LostError(Exception):
    """The text of a kept file can no longer be read."""


class KeptFile(Plain, frozen=True):
    """A generated file as an earlier run made it. Its text is read when it is asked for."""

    texts: Path
    path: str
    area: str
    sha256: str
    source: str | None
    toolset: str | None
    tool: str | None
    line: int | None

    @property
    def text(self) -> str:
        """The text. Raises LostError."""
        try:
            text = _texts(self.texts)[f"{self.area}:{self.path}"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise LostError(str(self.texts)) from error
        if hashlib.sha256(text.encode()).hexdigest() != self.sha256:
            raise LostError(str(self.texts))
        return text


class KeptPackage(Plain, frozen=True):
    """A package that was generated: the file that declares it, and what providers would refuse in it."""

    source: str
    warnings: tuple[str, ...] = ()


class Kept(Plain, frozen=True):
    """What one design gave: its files, and the packages that they stand in, by name."""

    files: tuple[KeptFile, ...]
    packages: Mapping[str, KeptPackage]


class Cache:
    """The entries for one project and one set of options.

    Args:
        folder: where entries stand.
        root: the folder that designs are named from.
        options: everything beside designs and code that shapes the output.
    """

    def __init__(self, folder: Path, root: Path, options: Mapping[str, object]) -> None:
        self._folder = folder / f"v{FORMAT}"
        self._root = os.path.abspath(root)
        self._options = json.dumps([options, _toolchain()], sort_keys=True)

    def get(self, design: Path) -> Kept | None:
        """What a design gave, if it is sure to give the same now."""
        try:
            file = self._entry(design)
            entry = _read(file)
            if entry is None or not all(_is_as(path, digest) for path, digest in entry["inputs"]):
                return None
            texts = self._folder / entry["texts"]
            files = tuple(KeptFile(texts, *row) for row in entry["files"])
            packages = {name: KeptPackage(source, tuple(said)) for name, (source, said) in entry["packages"].items()}
            for used in (file, texts, self._last(design)):
                with contextlib.suppress(OSError):
                    os.utime(used)
            return Kept(files, packages)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def printed(self, design: Path) -> dict[str, str]:
        """The texts that the last version of a design was printed to, by the digests that they are known by."""
        try:
            found = _read(self._last(design)) or {"files": ()}
            return {digest: KeptFile(self._folder / found["texts"], *row).text for digest, row in found["files"]}
        except (OSError, ValueError, KeyError, TypeError, LostError):
            return {}

    def put(
        self,
        design: Path,
        inputs: Mapping[str, bytes | None] | None,
        files: Iterable[tuple[str, str, Rendered]],
        packages: Mapping[str, KeptPackage],
    ) -> None:
        """Keeps what a design gave: area, path and file of each. A cache that cannot be written is none.

        ``inputs`` are the contents of all files that shaped it; None where that is not known, so that only its texts
        can be of use.
        """
        with contextlib.suppress(OSError):
            rows, texts, printed = [], {}, []
            for area, path, file in files:
                rows.append([path, area, file.sha256, file.source, file.toolset, file.tool, file.line])
                texts[f"{area}:{path}"] = file.text
                printed.append([file.digest, rows[-1]])
            texts_name = f"{_digest(json.dumps(rows).encode())}.texts"
            _write(self._folder / texts_name, json.dumps(texts).encode())
            _write_entry(self._last(design), {"texts": texts_name, "files": printed})
            if inputs is None:
                return
            digests = [(path, None if text is None else _digest(text)) for path, text in inputs.items()]
            named = {name: [package.source, package.warnings] for name, package in packages.items()}
            entry = {"inputs": digests, "texts": texts_name, "files": rows, "packages": named}
            _write_entry(self._entry(design), entry)

    def _last(self, design: Path) -> Path:
        """The file that says what the last version of a design was printed to."""
        return self._named(design, [], "printed")

    def _entry(self, design: Path) -> Path:
        """The file of a design's entry. Raises OSError."""
        return self._named(design, [_digest(design.read_bytes())], "json")

    def _named(self, design: Path, more: list[str], suffix: str) -> Path:
        place = os.path.relpath(design, self._root).replace(os.sep, "/")
        parts = [self._options, self._root, place, *more]
        return self._folder / f"{_digest(json.dumps(parts).encode())}.{suffix}"

    def content(self, name: str) -> bytes | None:
        """What the same code has kept under a name, whatever the project; None where nothing whole is there."""
        with contextlib.suppress(OSError):
            file = self._beside(name)
            os.utime(file)
            return _whole(file)
        return None

    def keep(self, name: str, content: bytes) -> None:
        """Keeps something under a name."""
        with contextlib.suppress(OSError):
            _write_whole(self._beside(name), content)

    def _beside(self, name: str) -> Path:
        return self._folder / f"{_digest(json.dumps([_toolchain(), name]).encode())}.bytes"

    def sweep(self) -> None:
        """Deletes entries that were not used for long, at most once a day."""
        mark = self._folder / "swept"
        with contextlib.suppress(OSError):
            if mark.exists() and time.time() - mark.stat().st_mtime < 86_400:
                return
            mark.touch()
            for file in os.scandir(self._folder):
                if time.time() - file.stat().st_mtime > KEPT_DAYS * 86_400:
                    os.unlink(file)


def open_for(root: Path, outside_of: Iterable[Path], options: Mapping[str, object]) -> Cache | None:
    """The cache of a project; None where there is to be none, or where others could have written to it."""
    folder = _folder()
    if folder is None:
        return None
    real = Path(os.path.realpath(folder))
    if any(real == place or place in real.parents for place in map(_repository, outside_of)):
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / f"v{FORMAT}").mkdir(mode=0o700, exist_ok=True)
        mine = all(_is_own(place) for place in (folder, folder / f"v{FORMAT}"))
    except OSError:
        return None
    return Cache(folder, root, options) if mine else None


def _folder() -> Path | None:
    named = os.environ.get(VARIABLE)
    if named is not None:
        return None if named.strip().lower() in _OFF else Path(os.path.abspath(named))
    try:
        home = Path.home()
    except RuntimeError:  # a user without one
        return None
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local, "toolgen", "cache") if local else home / "AppData" / "Local" / "toolgen" / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "toolgen"
    xdg = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(xdg) if os.path.isabs(xdg) else home / ".cache") / "toolgen"


def _repository(folder: Path) -> Path:
    """The repository around a folder, or the folder."""
    real = Path(os.path.realpath(folder))
    return next((place for place in (real, *real.parents) if (place / ".git").exists()), real)


def _is_own(folder: Path) -> bool:
    """Whether nobody else can write to a folder."""
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


@functools.cache
def _toolchain() -> list[str]:
    """What generates: toolgen's own code and templates, the libraries that judge and print, and the running Python."""
    package = Path(__file__).parent
    beside = package.parent / "templates"
    found = hashlib.sha256()
    for top in (package, *([] if (package / "templates").is_dir() else [beside])):
        for folder, folders, names in os.walk(top):
            folders.sort()
            place = os.path.relpath(folder, top.parent).replace(os.sep, "/")
            for name in sorted(names):
                if name.endswith((".py", ".jinja")):
                    with open(os.path.join(folder, name), "rb") as file:
                        found.update(f"{place}/{name}\0{_digest(file.read())}\0".encode())
    return [
        found.hexdigest(),
        sys.implementation.cache_tag or "",
        *(f"{library} {version(library)}" for library in _LIBRARIES),
    ]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _is_as(path: str, digest: str | None) -> bool:
    if digest is None:
        return not os.path.lexists(path)
    with open(path, "rb") as file:
        return _digest(file.read()) == digest


def _whole(file: Path) -> bytes | None:
    """What ``_write_whole`` wrote; None where it is not whole. Raises OSError."""
    digest, _, body = file.read_bytes().partition(b"\n")
    return body if _digest(body).encode() == digest else None


def _read(file: Path) -> dict[str, Any] | None:
    """An entry; None where it is not whole. Raises OSError, ValueError."""
    body = _whole(file)
    if body is None:
        return None
    entry: dict[str, Any] = json.loads(body)
    return entry


@functools.lru_cache(maxsize=8)
def _texts(file: Path) -> dict[str, str]:
    texts: dict[str, str] = json.loads(file.read_bytes())
    return texts


def _write_entry(file: Path, entry: Mapping[str, object]) -> None:
    _write_whole(file, json.dumps(entry).encode())


def _write_whole(file: Path, content: bytes) -> None:
    _write(file, _digest(content).encode() + b"\n" + content)


def _write(file: Path, content: bytes) -> None:
    temporary = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, file)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
