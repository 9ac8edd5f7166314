"""The manifest: its text, what merges make of it, and what it refuses."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgen import manifest
from toolgen.manifest import AREAS, CONTRACT_TESTS, OUTPUT, Entry, Key, Manifest, ManifestError, NewerManifestError

A, B, C = "a" * 64, "b" * 64, "c" * 64

digests = st.text("0123456789abcdef", min_size=64, max_size=64)
names = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/\\:."), min_size=1, max_size=8)
keys = st.builds(Key, st.sampled_from(AREAS), st.lists(names, min_size=1, max_size=3).map("/".join))
maybe = st.none() | st.text(st.characters(exclude_categories=["Cs"]))
entries = st.builds(Entry, digests, maybe, maybe, maybe, st.lists(digests, max_size=2).map(tuple))
settings = st.dictionaries(st.text("abc_", min_size=1), st.none() | st.integers() | st.text(max_size=5), max_size=3)
manifests = st.builds(Manifest, settings, st.dictionaries(keys, entries, max_size=5))


def manifest_of(**files: str) -> Manifest:
    made_with = {"black": "26.1.0", "toolgen": "0.1.0"}
    return Manifest(
        made_with, {Key(OUTPUT, f"{name}.py"): Entry(digest, "designs/x.py") for name, digest in files.items()}
    )


@given(manifests)
def test_what_is_dumped_loads_again(written: Manifest) -> None:
    assert manifest.load(manifest.dump(written)) == written


@given(manifests)
def test_what_is_dumped_can_be_salvaged_whole(written: Manifest) -> None:
    assert manifest.salvage(manifest.dump(written)) == written


@given(manifests, st.randoms(use_true_random=False))
def test_the_text_does_not_depend_on_the_order_of_entries(written: Manifest, shuffled: random.Random) -> None:
    files = list(written.files.items())
    shuffled.shuffle(files)
    assert manifest.dump(written.replace(files=dict(files))) == manifest.dump(written)


def test_a_new_file_adds_one_line_and_changes_none() -> None:
    before = manifest.dump(manifest_of(a=A, c=C)).splitlines()
    for name in ("_", "b", "z"):
        after = manifest.dump(manifest_of(a=A, c=C, **{name: B})).splitlines()
        assert len(after) == len(before) + 1
        assert [line for line in after if line in before] == before


def git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "merge.conflictStyle=merge"]
    return subprocess.run(["git", *identity, *words], cwd=folder, capture_output=True, text=True)


def merge(folder: Path, base: Manifest, ours: Manifest, theirs: Manifest, *, union: bool = False) -> str:
    """What git makes of a manifest that two branches changed."""
    file = folder / manifest.NAME
    if union:
        (folder / ".gitattributes").write_text(f"{manifest.NAME} merge=union\n")
    git(folder, "init", "-q", "-b", "main", ".")
    for branch, state in (("main", base), ("theirs", theirs)):
        git(folder, "checkout", "-q", "-B", branch)
        file.write_text(manifest.dump(state))
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", branch)
    git(folder, "checkout", "-q", "main")
    file.write_text(manifest.dump(ours))
    git(folder, "commit", "-q", "-a", "-m", "ours")
    git(folder, "merge", "theirs")
    return file.read_text()


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@needs_git
def test_branches_that_add_files_in_different_places_merge_cleanly(tmp_path: Path) -> None:
    base = manifest_of(b=A, m=A)
    text = merge(tmp_path, base, manifest_of(a=B, b=A, m=A), manifest_of(b=A, m=A, z=C))
    assert manifest.load(text) == manifest_of(a=B, b=A, m=A, z=C)


@needs_git
def test_a_conflict_keeps_the_entries_of_both_sides(tmp_path: Path) -> None:
    text = merge(tmp_path, manifest_of(m=A), manifest_of(m=A, y=B), manifest_of(m=A, z=C))
    with pytest.raises(ManifestError, match="merge conflict markers"):
        manifest.load(text)
    assert manifest.salvage(text) == manifest_of(m=A, y=B, z=C)


@needs_git
def test_a_file_that_both_sides_changed_is_known_in_either_form(tmp_path: Path) -> None:
    text = merge(tmp_path, manifest_of(m=A), manifest_of(m=B), manifest_of(m=C))
    entry = manifest.salvage(text).files[Key(OUTPUT, "m.py")]
    assert entry.owns(B)
    assert entry.owns(C)
    assert not entry.owns(A)


@needs_git
def test_a_union_merge_needs_no_mending(tmp_path: Path) -> None:
    text = merge(tmp_path, manifest_of(m=A), manifest_of(m=A, y=B), manifest_of(m=A, z=C), union=True)
    assert manifest.load(text) == manifest_of(m=A, y=B, z=C)


def test_the_common_ancestor_of_a_diff3_conflict_is_no_entry() -> None:
    ours, base, theirs = (f'    "m.py": {{"sha256": "{digest}"}},' for digest in (B, A, C))
    conflict = ["<<<<<<< HEAD", ours, "||||||| base", base, "=======", theirs, ">>>>>>> theirs"]
    opening = '  "output": {\n'
    text = manifest.dump(manifest_of()).replace(opening, opening + "\n".join(conflict) + "\n")
    entry = manifest.salvage(text).files[Key(OUTPUT, "m.py")]
    assert entry.owns(B)
    assert entry.owns(C)
    assert not entry.owns(A)


@pytest.mark.parametrize("path", ["/etc/passwd", "../x.py", "a/../../x.py", "C:/x.py", "a\\b.py", "a//b.py", "./a.py"])
def test_a_path_that_could_leave_its_folder_is_refused(path: str) -> None:
    text = manifest.dump(Manifest({}, {Key(CONTRACT_TESTS, path): Entry(A)}))
    with pytest.raises(ManifestError, match="no path inside a folder"):
        manifest.load(text)
    assert not manifest.salvage(text).files


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "null", '{"version": 1}', '{"version": 1, "made_with": {}, "output": []}']
)
def test_what_is_no_manifest_is_refused_in_words(text: str) -> None:
    with pytest.raises(ManifestError, match=r"^it "):
        manifest.load(text)
    assert not manifest.salvage(text).files


def test_a_manifest_of_a_later_toolgen_is_left_alone() -> None:
    text = manifest.dump(manifest_of(a=A)).replace('"version": 1', '"version": 2')
    with pytest.raises(NewerManifestError):
        manifest.load(text)
    with pytest.raises(NewerManifestError):
        manifest.salvage(text)


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    with pytest.raises(ManifestError):
        manifest.load(text)
    manifest.salvage(text)


def test_line_ends_do_not_change_a_digest() -> None:
    assert manifest.digest_of(b"a\r\nb\r\n") == manifest.digest_of(b"a\nb\n")
