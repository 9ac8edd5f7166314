"""Generated files on the disk: how they differ from what would be generated, and bringing them up to date.

``compare`` looks, and decides nothing by the manifest but why a file differs and whose it is; ``write`` acts on what
it found. The bytes on the disk alone decide whether there is drift.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from msgspec import field

from toolgen import atomic, manifest, strays
from toolgen.manifest import Entry, Key, Manifest, ManifestError, NewerManifestError, Setting
from toolgen.paths import shown
from toolgen.places import GENERATED, is_generated
from toolgen.plain import Plain

OUT_OF_DATE = "out of date"
"""How the explanation starts of a manifest that is sound, and differs from the one that should be there."""


class FilesError(Exception):
    """Generated files cannot be read or written; the text names the file and says why."""


class Generated(Protocol):
    """The text of one generated file, and what it was made from."""

    @property
    def text(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def source(self) -> str | None: ...
    @property
    def toolset(self) -> str | None: ...
    @property
    def tool(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...


class Area(Plain, frozen=True):
    """One folder of generated files: its name in the manifest, where it is, and all that should be in it."""

    name: str
    folder: Path
    files: Mapping[str, Generated]


class Build(Plain, frozen=True):
    """What a run generates.

    ``areas`` starts with the output folder, which holds the manifest. ``made_with`` holds the versions and settings
    that shape the text. ``covers`` says of a design file (None: of what belongs to no one design) whether this run
    speaks for it: what such a design no longer produces is stale, the rest is left alone. ``root`` is the folder that
    sources are named from.
    """

    areas: tuple[Area, ...]
    made_with: Mapping[str, Setting] = field(default_factory=dict)
    covers: Callable[[str | None], bool] = lambda source: True
    root: Path | None = None

    @property
    def lock_file(self) -> Path:
        return self.areas[0].folder / manifest.NAME

    @property
    def folders(self) -> dict[str, Path]:
        return {area.name: area.folder for area in self.areas}

    @property
    def tests(self) -> str | None:
        """The folder of contract tests, from the project's root; None where there is none, or it cannot be said."""
        folder = self.folders.get(manifest.CONTRACT_TESTS)
        if folder is None or self.root is None:
            return None
        try:
            return Path(os.path.relpath(folder, self.root)).as_posix()
        except ValueError:  # on another drive
            return None


class Reason(enum.Enum):
    """Why a file differs from what would be generated."""

    MISSING = "missing"
    DESIGN = "design changed since generation"
    EDITED = "edited by hand"
    CONFLICT = "with merge conflict markers"
    STALE = "no design produces it any more"
    TOOLCHAIN = "made with another version or setting"
    FOREIGN = "not made by toolgen"
    LOCK = "manifest out of date"


class Difference(Plain, frozen=True):
    """One file that is not as it would be generated.

    ``old`` is its text now, None where there is no such file; ``new`` what it would become, None where it would be
    removed. ``explanation`` is a phrase for people. ``made_from`` is None for the manifest itself. ``line`` is where
    the source declares what the file is made from. ``area`` is the folder it is of, as the manifest names it.
    """

    path: Path
    reason: Reason
    explanation: str
    old: str | None
    new: str | None
    made_from: Entry | None = None
    line: int | None = None
    area: str = manifest.OUTPUT


class Comparison(Plain, frozen=True):
    """What ``compare`` found: every difference, the manifest's own last, and the manifest as it should be."""

    build: Build
    differences: tuple[Difference, ...]
    unchanged: int
    before: Manifest
    after: Manifest

    def in_the_way(self, *, force: bool) -> tuple[Difference, ...]:
        """The differences that ``write`` must not settle: what a hand has made or changed.

        ``force`` gives up edits to generated files; it never touches a file that toolgen did not make.
        """
        kept = (Reason.FOREIGN,) if force else (Reason.FOREIGN, Reason.EDITED)
        return tuple(difference for difference in self.differences if difference.reason in kept)


def compare(build: Build) -> Comparison:
    """Compares a build with the disk, and writes nothing. Raises FilesError."""
    for area in build.areas:
        _check_folder(area.folder)
    before, lock_problem, lock_text = _read_manifest(build.lock_file)
    generated = {Key(area.name, path): item for area in build.areas for path, item in area.files.items()}
    entries = {key: _entry_of(item) for key, item in generated.items()}
    gone = {key: entry for key, entry in before.files.items() if key not in entries}
    kept = {key: entry for key, entry in gone.items() if not build.covers(entry.source)}
    renamed = _renamed(build, entries, gone)
    known = {**{key: gone[old] for key, old in renamed.items()}, **before.files}
    folders = build.folders
    compared = [
        _compare_file(build, before, key, _place(folders, key), generated[key], entries[key], known.get(key))
        for key in sorted(generated, key=lambda key: (key.area, key.path))
    ]
    stale = sorted(gone.keys() - kept.keys() - {*renamed.values()})
    compared += [_compare_stale(build, before, key, gone[key], build.folders.get(key.area)) for key in stale]
    if (left := _left_behind(build, before)) is not None:
        tests = sorted(key for key in before.files if key.area == manifest.CONTRACT_TESTS)
        compared += [_compare_stale(build, before, key, before.files[key], left) for key in tests]
    differences = [*filter(None, compared), *_strays(build, before, entries)]
    unchanged = len(entries) - sum(difference.new is not None for difference in differences)
    # A run that leaves other files alone cannot vouch that they too were made with what it uses.
    made_with = before.made_with if kept and before.made_with else build.made_with
    after = Manifest(made_with, entries | kept, build.tests if build.covers(None) else before.tests or build.tests)
    if lock_problem or before.files != after.files or before.tests not in (None, after.tests):
        explanation = lock_problem or f"{OUT_OF_DATE}: {_behind(before, after)}"
        differences.append(Difference(build.lock_file, Reason.LOCK, explanation, lock_text, manifest.dump(after)))
    return Comparison(build, tuple(differences), unchanged, before, after)


def write(comparison: Comparison) -> None:
    """Brings the disk to what the comparison's build generates; ask ``in_the_way`` first.

    The manifest is written before the files, listing both their old and new digests, and once more after them: a run
    that is cut off between the two leaves files that the next run still knows as its own. Raises FilesError.
    """
    if not comparison.differences:
        return
    lock_file = comparison.build.lock_file
    files = [difference for difference in comparison.differences if difference.path != lock_file]
    texts = {difference.path: difference.new for difference in files if difference.new is not None}
    removals = [difference.path for difference in files if difference.new is None]
    removals += _removed_already(comparison)
    try:
        if files:
            atomic.write_all({lock_file: manifest.dump(_journal(comparison)), **texts})
        left = _left_behind(comparison.build, comparison.before)
        for folder in (*comparison.build.folders.values(), *([left.parent] if left else [])):
            atomic.remove_all([path for path in removals if folder in path.parents], folder)
        atomic.write_all({lock_file: manifest.dump(comparison.after)})
    except OSError as error:
        raise _files_error(error, lock_file) from error


def clean(comparison: Comparison) -> None:
    """Deletes what a run that was killed left behind; no other run may be writing. Raises FilesError."""
    try:
        atomic.remove_leftovers(_known_paths(comparison))
    except OSError as error:
        raise _files_error(error, comparison.build.lock_file) from error


def _behind(before: Manifest, after: Manifest) -> str:
    """The first thing that a manifest says otherwise than it should, and how many more files it does so of."""
    keys = {*before.files, *after.files}
    changed = [key for key in keys if before.files.get(key) != after.files.get(key)]
    if not changed:
        return f"contract tests stand in {after.tests or 'no folder'}, not in {before.tests}"
    first = min(changed, key=lambda key: (key.area != manifest.OUTPUT, key.path))
    then, now = before.files.get(first), after.files.get(first)
    if then is None:
        said = f"{first.path} is not listed"
    elif now is None:
        said = f"{first.path} is listed, and no design produces it"
    elif then.source != now.source:
        said = f"{first.path} is made from {now.source or 'no one design'}, not from {then.source or 'no one design'}"
    else:
        said = f"the line of {first.path} is not as toolgen writes it"
    more = len(changed) - 1
    return said + (f"; and {more} more file{'' if more == 1 else 's'}" if more else "")


def _removed_already(comparison: Comparison) -> Iterator[Path]:
    """Stale files that are not there: a run that was cut off removed them, and may have left their folders."""
    folders = comparison.build.folders
    for key in comparison.before.files.keys() - comparison.after.files.keys():
        if key.area in folders and not os.path.lexists(folders[key.area] / key.path):
            yield folders[key.area] / key.path


def _known_paths(comparison: Comparison) -> Iterator[str]:
    """All files that this run or an earlier one may have been writing."""
    folders = comparison.build.folders
    yield str(comparison.build.lock_file)
    for key in {*comparison.after.files, *comparison.before.files}:
        if key.area in folders:
            yield _place(folders, key)


def _place(folders: Mapping[str, Path], key: Key) -> str:
    """The path of a file: as text, since there are thousands, and few of them are looked at twice."""
    return f"{folders[key.area]}{os.sep}{key.path}"


def _journal(comparison: Comparison) -> Manifest:
    """The manifest for the time of the writing: all files that are there now or will be, with every digest of each."""
    before, after = comparison.before.files, comparison.after.files
    entries = dict(before)
    for key, entry in after.items():
        entries[key] = entry if entry == before.get(key) else entry.or_before(before.get(key))
    return Manifest(comparison.after.made_with, entries, comparison.before.tests or comparison.after.tests)


def _entry_of(generated: Generated) -> Entry:
    return Entry(generated.sha256, generated.source, generated.toolset, generated.tool)


def _renamed(build: Build, entries: Iterable[Key], gone: Iterable[Key]) -> dict[Key, Key]:
    """Which generated files are, by another name, files that are gone: on a disk where case does not count, or through
    a link. To remove the old name would remove the new file.
    """
    old = {place: key for key in gone if (place := _identity(build, key)) is not None}
    return {key: old[place] for key in entries if (place := _identity(build, key)) in old} if old else {}


def _identity(build: Build, key: Key) -> tuple[int, int] | None:
    """What tells a file from all others, whatever its name; None where it is not there or that cannot be known."""
    if key.area not in build.folders:
        return None
    try:
        status = (build.folders[key.area] / key.path).stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if status.st_ino else None


def _compare_file(
    build: Build,
    before: Manifest,
    key: Key,
    path: str,
    generated: Generated,
    made_from: Entry,
    entry: Entry | None,
) -> Difference | None:
    """How a file differs from the text that it should have; None where it does not. ``entry`` is what the manifest
    knows of it.
    """
    content = _content(path)
    old = None
    if content is None and os.path.isdir(path):
        reason, explanation = Reason.FOREIGN, "a folder, where a file is generated"
    elif content is None and os.path.islink(path):
        reason, explanation = Reason.FOREIGN, "a link to a file that is not there"
    elif content is None:
        reason, explanation = Reason.MISSING, "missing" if entry else "not generated yet"
    else:
        content = manifest.with_newlines(content)
        digest = manifest.digest_of(content)
        if digest == made_from.sha256:
            return None
        old = content.decode(errors="replace")
        reason, explanation = _judge_other(build, before, key, old, digest, generated.text, entry)
    return Difference(Path(path), reason, explanation, old, generated.text, made_from, generated.line, key.area)


def _judge_other(
    build: Build, before: Manifest, key: Key, old: str, digest: str, text: str, entry: Entry | None
) -> tuple[Reason, str]:
    """Why a file has another text than the one that would be generated."""
    if entry is None or not entry.owns(digest):
        if _header(old) != _header(text) and not _stands_here(build, before, key.area):
            entry = None
        return _judge_strange(old, text, entry)
    other = _other_toolchain(before.made_with, build.made_with)
    if other:
        return Reason.TOOLCHAIN, other
    if entry.altered:
        return Reason.EDITED, f"edited by hand, and so is its line in {manifest.NAME}"
    return Reason.DESIGN, Reason.DESIGN.value


def _judge_strange(old: str, text: str, entry: Entry | None) -> tuple[Reason, str]:
    """Whose a file is that toolgen did not leave so: text of its own that was changed, or somebody else's."""
    if not old.strip():
        return Reason.MISSING, "empty"  # as an editor or a scaffold may leave it: nothing is lost
    header = _header(text)
    if entry is None and (header is None or header != _header(old)):
        return Reason.FOREIGN, Reason.FOREIGN.value
    if manifest.has_conflict_markers(old):
        return Reason.CONFLICT, "has merge conflict markers"
    if entry is None:
        return Reason.EDITED, f"differs, and {manifest.NAME} does not list it"
    # Git may have joined both sides without a conflict; whether a hand was at it too cannot be told.
    return Reason.EDITED, "merged from two branches, or edited by hand" if entry.merged else Reason.EDITED.value


def _stands_here(build: Build, before: Manifest, area: str) -> bool:
    """Whether the folder of an area is the one that the manifest is of. Contract tests may have been set to stand in
    another since, where a file of a listed name is the user's own.
    """
    if area == build.areas[0].name:
        return True  # the manifest stands there too
    places = (build.folders[area] / key.path for key in before.files if key.area == area)
    return any(is_generated(place) for place in places if place.is_file())


def _header(text: str) -> str | None:
    """The comment at the top of a generated file, by which it is known where the manifest is lost."""
    first = text.split("\n", 1)[0].strip()
    return first if first.startswith("#") else None


def _left_behind(build: Build, before: Manifest) -> Path | None:
    """Where contract tests were made, if the settings name another folder for them now, or none."""
    if before.tests is None or build.root is None or not build.covers(None) or before.tests == build.tests:
        return None
    folder = Path(os.path.abspath(build.root / before.tests))
    return None if any(folder.resolve() == area.folder.resolve() for area in build.areas) else folder


def _compare_stale(build: Build, before: Manifest, key: Key, entry: Entry, folder: Path | None) -> Difference | None:
    """A file that is no longer generated; None where it is gone already, stands in a folder of no area, or is the
    user's own.
    """
    if folder is None:
        return None
    path = folder / key.path
    content = _content(path)
    if content is None:
        return None
    old = manifest.with_newlines(content).decode(errors="replace")
    known = not entry.altered and folder == build.folders.get(key.area) and _stands_here(build, before, key.area)
    if not known and not old.startswith(GENERATED):
        return None  # only the line of a hand says that toolgen made it, or one of another folder
    why = Reason.STALE.value
    if folder != build.folders.get(key.area):
        why = f"contract tests are made in {build.tests} now" if build.tests else "contract tests are no longer made"
    if entry.owns(manifest.digest_of(content)) and not entry.altered:
        return Difference(path, Reason.STALE, why, old, None, entry, area=key.area)
    return Difference(path, Reason.EDITED, f"edited by hand, and {why}", old, None, entry, area=key.area)


def _strays(build: Build, before: Manifest, entries: Iterable[Key]) -> Iterator[Difference]:
    """Generated files that neither the designs nor the manifest account for; only a run over all designs can tell."""
    if not build.covers(None):
        return
    output, *others = build.areas
    known = {key.path for key in (*before.files, *entries) if key.area == output.name}
    try:
        found = list(strays.find(output.folder, known, [area.folder for area in others]))
    except OSError as error:
        raise _files_error(error, output.folder) from error
    for name in found:
        content = manifest.with_newlines(_read(output.folder / name) or b"")
        explanation = f"no design produces it, and {manifest.NAME} does not list it: a copy, or left by a merge"
        entry = Entry(manifest.digest_of(content))
        old = content.decode(errors="replace")
        yield Difference(output.folder / name, Reason.EDITED, explanation, old, None, entry)


def _other_toolchain(before: Mapping[str, Setting], now: Mapping[str, Setting]) -> str | None:
    """A phrase that names what differs between two sets of versions and settings; None where nothing does."""
    changed = [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]
    if not changed:
        return None
    then, this = (", ".join(f"{_words(name)} {settings.get(name)}" for name in changed) for settings in (before, now))
    return f"made with {then}; this is {this}"


def _words(name: str) -> str:
    return name.replace("_", "-")


def _read_manifest(path: Path) -> tuple[Manifest, str | None, str | None]:
    """The manifest, what is wrong with it if anything is, and its text. Raises FilesError."""
    if path.is_dir():
        raise FilesError(f"{shown(path)} is a folder, where toolgen keeps its manifest: move it away")
    content = _read(path)
    if content is None:
        return Manifest(), "missing: it lists what toolgen made, by which files of yours are told apart", None
    text = manifest.with_newlines(content).decode(errors="replace")
    try:
        return manifest.load(text), None, text
    except NewerManifestError as error:
        raise FilesError(f"{shown(path)}: {error}") from error
    except ManifestError as error:
        try:
            return manifest.salvage(text), f"cannot be read: {error}", text
        except NewerManifestError as newer:
            raise FilesError(f"{shown(path)}: {newer}") from newer


def _check_folder(folder: Path) -> None:
    """Raises FilesError where something other than a folder stands in the way of one."""
    for place in (folder, *folder.parents):
        if place.is_dir():
            return
        if place.exists():
            raise FilesError(f"{shown(place)} is a file, so no folder {shown(folder)} can be made")


def _content(path: Path | str) -> bytes | None:
    """The content of a file; None where there is none, or a folder. Raises FilesError."""
    try:
        return _read(path)
    except FilesError:
        if os.path.isdir(path):
            return None
        raise


def _read(path: Path | str) -> bytes | None:
    """The content of a file; None where there is none. Raises FilesError."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _files_error(error, path) from error


def _files_error(error: OSError, path: Path | str) -> FilesError:
    where = error.filename2 or error.filename or path
    return FilesError(f"{shown(where)}: {error.strerror or error}")
