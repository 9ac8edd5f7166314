"""Versions of installed libraries."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

import pytest

from toolgen import cache, versions


@pytest.mark.parametrize("library", [*cache._LIBRARIES, "datamodel-code-generator", "typing-extensions"])
def test_versions_are_those_that_the_metadata_tells(library: str) -> None:
    assert versions.version(library) == metadata.version(library)


def test_what_no_folder_records_is_asked_of_the_metadata(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "made_up.egg-info"
    other.mkdir()
    (other / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: made-up\nVersion: 3.1\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "nothing.zip"), str(tmp_path)])
    versions.version.cache_clear()
    assert versions.version("made-up") == "3.1"
    with pytest.raises(metadata.PackageNotFoundError):
        versions.version("never-made")
    versions.version.cache_clear()


def test_the_first_folder_that_python_looks_in_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, number in (("first", "2.0"), ("second", "1.0")):
        (tmp_path / name / f"made_up-{number}.dist-info").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "first"), str(tmp_path / "second")])
    versions.version.cache_clear()
    assert versions.version("made-up") == "2.0"
    versions.version.cache_clear()
