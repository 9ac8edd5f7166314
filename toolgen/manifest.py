"""The manifest ``toolgen.lock``: which files toolgen made, from what, and what shaped them.

It is JSON with one line a file, and each of those lines ends with a comma because a constant line follows the last:
two branches that each add a file then touch no common line, and git can merge them. Each of them also has a seal, a
digest of all that it says: one that does not fit is of a line that a hand has changed, together with its file perhaps.
A seal keeps nobody out; it tells an edit from a design that changed.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from msgspec import field

from toolgen.plain import Plain

NAME = "toolgen.lock"
VERSION = 1
OUTPUT = "output"
CONTRACT_TESTS = "contract_tests"
AREAS = (OUTPUT, CONTRACT_TESTS)

Setting: TypeAlias = "str | int | None"


class ManifestError(Exception):
    """A manifest that cannot be read as it stands; the text says why."""


class NewerManifestError(ManifestError):
    """A manifest of a later toolgen, which this one must leave alone."""


class Key(Plain, frozen=True, order=True):
    """One generated file: the folder it stands in (one of AREAS), and its path there with forward slashes.

    Paths are relative to their own folder, so that a project can move or rename either and keep its manifest.
    """

    area: str
    path: str


class Entry(Plain, frozen=True):
    """What is known of one generated file.

    ``sha256`` is of its text, in UTF-8 with ``\\n`` line ends. ``was`` holds digests that the file may also have: those
    of both sides of a merge, or of the file before a run that was cut off. ``source`` is the design file, relative to
    the project; None for a file that belongs to no one design. ``seal`` is None where it fits, and else what the line
    has in its place: empty where it has none, as an earlier toolgen wrote it. ``merged`` is whether a merge has left
    two lines of the file, one of each side.
    """

    sha256: str
    source: str | None = None
    toolset: str | None = None
    tool: str | None = None
    was: tuple[str, ...] = ()
    seal: str | None = None
    merged: bool = False

    @property
    def altered(self) -> bool:
        """Whether a hand has changed the line."""
        return bool(self.seal)

    def owns(self, digest: str) -> bool:
        """Whether toolgen wrote a file of this digest here."""
        return digest == self.sha256 or digest in self.was

    def or_before(self, earlier: Entry | None) -> Entry:
        """This entry, which also owns what an earlier one did."""
        if earlier is None or earlier.altered:
            return self
        digests = {*self.was, earlier.sha256, *earlier.was} - {self.sha256}
        return self.replace(was=tuple(sorted(digests)))


class Manifest(Plain, frozen=True):
    """``made_with`` holds the versions and settings that shaped the files; ``tests`` is the folder of contract tests,
    relative to the project: where they are no longer made, or made elsewhere, that is where the listed ones stand.
    """

    made_with: Mapping[str, Setting] = field(default_factory=dict)
    files: Mapping[Key, Entry] = field(default_factory=dict)
    tests: str | None = None


def digest_of(content: bytes) -> str:
    """The digest of a file's content, whichever line ends the checkout gave it."""
    return hashlib.sha256(with_newlines(content)).hexdigest()


def with_newlines(content: bytes) -> bytes:
    """``content`` with ``\\n`` line ends."""
    return content.replace(b"\r\n", b"\n") if b"\r" in content else content  # which is found out sooner


def dump(manifest: Manifest) -> str:
    """The text of the manifest: the same bytes for equal manifests."""
    lines = ["{", f'  "version": {VERSION},', '  "made_with": {']
    made_with = [f"    {_json(name)}: {_json(value)}" for name, value in sorted(manifest.made_with.items())]
    lines += [",\n".join(made_with)] if made_with else []
    lines.append("  },")
    if manifest.tests is not None:
        lines.append(f'  "{_TESTS}": {_json(manifest.tests)},')
    for area in AREAS:
        lines.append(f'  "{area}": {{')
        keys = [key for key in manifest.files if key.area == area]
        lines += [_line(key, manifest.files[key]) for key in sorted(keys, key=lambda key: key.path)]
        lines += ['    "": null', "  }" if area == AREAS[-1] else "  },"]
    lines.append("}")
    return "\n".join(lines) + "\n"


def load(text: str) -> Manifest:
    """The manifest of this text. Raises ManifestError."""
    if has_conflict_markers(text):
        raise ManifestError("it has merge conflict markers")
    try:
        document = json.loads(text, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"it is not valid JSON: {error}") from error
    if not isinstance(document, _Pairs):
        raise ManifestError("it is not a JSON object")
    top = dict(document)
    _check_version(top.get("version"))
    made_with = top.get("made_with")
    if not isinstance(made_with, _Pairs):
        raise ManifestError("it has no made_with")
    files: dict[Key, Entry] = {}
    for area in AREAS:
        section = top.get(area)
        if not isinstance(section, _Pairs):
            raise ManifestError(f"it has no {area}")
        for path, value in section:
            if path:
                _add(files, key := Key(area, path), _entry_from_json(key, value))
    return Manifest(_settings(made_with), files, _folder(top.get(_TESTS)))


def salvage(text: str) -> Manifest:
    """What can be told from a manifest that a merge, or a hand, has damaged: the entries of both sides.

    Raises NewerManifestError.
    """
    made_with: dict[str, Setting] = {}
    files: dict[Key, Entry] = {}
    tests: str | None = None
    section = ""
    for line in _without_markers(text.split("\n")):
        opened = _SECTION.match(line)
        if opened:
            section = opened[1]
            continue
        pair = _PAIR.match(line)
        if not pair:
            continue
        try:
            name, value = json.loads(pair[1]), json.loads(pair[2], object_pairs_hook=_Pairs)
            if name == _TESTS and section in ("", "made_with"):
                tests = _folder(value)
            elif section == "":
                _check_version(value if name == "version" else VERSION)
            elif section == "made_with":
                made_with.update(_settings([(name, value)]))
            elif name:
                _add(files, key := Key(section, name), _entry_from_json(key, value))
        except NewerManifestError:
            raise
        except (ValueError, RecursionError, ManifestError):
            continue  # a damaged line tells nothing; its file is then treated as one that toolgen did not make
    return Manifest(made_with, files, tests)


def has_conflict_markers(text: str) -> bool:
    """Whether git left both sides of a conflict in this text."""
    found = [line[:7] for line in text.split("\n") if line[:7] in ("<<<<<<<", "=======", ">>>>>>>")]
    return found[:1] == ["<<<<<<<"] and "=======" in found and found[-1:] == [">>>>>>>"]


class _Pairs(list[tuple[str, object]]):
    """A JSON object whose repeated keys are kept: a union merge may list one file twice."""


_SECTION = re.compile(r'\s*"(made_with|' + "|".join(AREAS) + r')": \{\s*$')
_PAIR = re.compile(r'\s*("(?:[^"\\]|\\.)*"): (.*?),?\s*$')
_SEAL = 8
"""Digits of a seal."""

_MOST_LINES = 65_536
"""Lines that are kept, since a run reads a manifest once and writes it up to three times."""

_DIGEST = re.compile(r"[0-9a-f]{64}")


_TESTS = "contract_tests_in"

_json = json.JSONEncoder(ensure_ascii=False).encode


def _check_version(version: object) -> None:
    if type(version) is not int or version < 1:
        raise ManifestError("it has no version")
    if version > VERSION:
        raise NewerManifestError("it was written by a later toolgen: upgrade toolgen")


def _folder(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _settings(pairs: Iterable[tuple[str, object]]) -> dict[str, Setting]:
    return {name: value for name, value in pairs if value is None or isinstance(value, str | int)}


def _add(files: dict[Key, Entry], key: Key, entry: Entry) -> None:
    """Adds an entry. Where the file is listed already, either digest shows that toolgen wrote it."""
    other = files.get(key)
    files[key] = entry if other in (None, entry) else entry.or_before(other).replace(merged=True)


@functools.lru_cache(maxsize=_MOST_LINES)
def _seal_of(key: Key, entry: Entry) -> str:
    said = [key.area, key.path, entry.sha256, entry.source, entry.toolset, entry.tool, *entry.was]
    return digest_of(_json(said).encode(errors="replace"))[:_SEAL]


@functools.lru_cache(maxsize=_MOST_LINES)
def _line(key: Key, entry: Entry) -> str:
    return f"    {_json(key.path)}: {_json(_entry_to_json(key, entry))},"


def _entry_to_json(key: Key, entry: Entry) -> dict[str, object]:
    pairs: dict[str, object] = {
        "sha256": entry.sha256,
        "source": entry.source,
        "toolset": entry.toolset,
        "tool": entry.tool,
        "was": list(entry.was) or None,
        "seal": entry.seal or _seal_of(key, entry),
    }
    return {name: value for name, value in pairs.items() if value is not None}


def _entry_from_json(key: Key, value: object) -> Entry:
    """The entry of one line. The path is checked too: what it names may be deleted, so it must stay in its folder."""
    path = key.path
    if "\\" in path or ":" in path or any(part in ("", ".", "..") for part in path.split("/")):
        raise ManifestError(f"{path!r} is no path inside a folder")
    if not isinstance(value, _Pairs):
        raise ManifestError(f"the entry of {path!r} is not an object")
    fields = dict(value)
    was = fields.get("was", [])
    digests = [fields.get("sha256"), *(was if isinstance(was, list) else [None])]
    if not all(isinstance(digest, str) and _DIGEST.fullmatch(digest) for digest in digests):
        raise ManifestError(f"the entry of {path!r} has no sha256")
    sha256, *earlier = map(str, digests)
    source, toolset, tool = (_text(path, name, fields.get(name)) for name in ("source", "toolset", "tool"))
    entry = Entry(sha256, source, toolset, tool, tuple(earlier))
    seal = _text(path, "seal", fields.get("seal")) or ""
    return entry if seal == _seal_of(key, entry) else entry.replace(seal=seal)


def _text(path: str, name: str, value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise ManifestError(f"the {name} of {path!r} is not a text")


def _without_markers(lines: list[str]) -> Iterator[str]:
    """The lines of both sides of each conflict, without the common ancestor that the diff3 style adds."""
    ancestor = False
    for line in lines:
        if line.startswith(("<<<<<<<", "=======", ">>>>>>>")):
            ancestor = False
        elif line.startswith("|||||||"):
            ancestor = True
        elif not ancestor:
            yield line
