"""Writing files: whole or not at all, wherever it is stopped."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolgen import atomic

CALLS = ("open", "fsync", "replace")


def tree(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def failing_at(number: int, real: Callable[..., Any], error: BaseException) -> Callable[..., Any]:
    """A function that does as ``real`` does, but raises at its call of this number."""
    calls = iter(range(number + 1))

    def call(*args: Any, **kwargs: Any) -> Any:
        if next(calls, None) == number:
            raise error
        return real(*args, **kwargs)

    return call


def test_files_are_utf_8_with_line_feeds(tmp_path: Path) -> None:
    atomic.write_all({tmp_path / "a" / "b.py": "é\n\n"})
    assert (tmp_path / "a" / "b.py").read_bytes() == "é\n\n".encode()


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["disk full", "stop"]
)
@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("name", CALLS)
def test_a_stop_at_any_call_leaves_each_file_whole(
    name: str, number: int, error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = {"one.py": "old one\n", "two.py": "old two\n"}
    new = {"one.py": "new one\n", "two.py": "new two\n", "deep/three.py": "new three\n"}
    atomic.write_all({tmp_path / path: text for path, text in old.items()})
    with monkeypatch.context() as patched:
        patched.setattr(os, name, failing_at(number, getattr(os, name), error))
        try:
            atomic.write_all({tmp_path / path: text for path, text in new.items()})
        except type(error):
            found = tree(tmp_path)
            assert set(old) <= set(found) <= set(new)
            assert all(text in (old.get(path), new[path]) for path, text in found.items())
            assert (tmp_path / "deep").exists() == ("deep/three.py" in found)
        else:
            assert tree(tmp_path) == new
    atomic.write_all({tmp_path / path: text for path, text in new.items()})
    assert tree(tmp_path) == new


def test_nothing_is_replaced_before_all_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one.py").write_text("old\n")
    monkeypatch.setattr(os, "fsync", failing_at(1, os.fsync, OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space left"):
        atomic.write_all({tmp_path / "one.py": "new\n", tmp_path / "two.py": "new\n"})
    assert tree(tmp_path) == {"one.py": "old\n"}


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX systems")
@pytest.mark.parametrize("size", [0, 3, 6])
def test_a_disk_that_is_full_within_a_text_changes_nothing(tmp_path: Path, size: int) -> None:
    resource = pytest.importorskip("resource", reason="limits of POSIX systems")
    atomic.write_all({tmp_path / "one.py": "old\n"})
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            atomic.write_all({tmp_path / "one.py": "new\n" * 2, tmp_path / "two.py": "new\n"})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert tree(tmp_path) == {"one.py": "old\n"}


@pytest.mark.parametrize(("number", "passes"), [(errno.EINVAL, True), (errno.ENOTSUP, True), (errno.EIO, False)])
def test_a_disk_that_syncs_no_folders_is_written_to_and_a_fault_of_one_that_does_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, passes: bool
) -> None:
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number, os.strerror(number))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    with contextlib.nullcontext() if passes else pytest.raises(OSError, match=os.strerror(number)):
        atomic.write_all({tmp_path / "a.py": "new"})
    assert (tmp_path / "a.py").read_text() == "new"


def test_permissions_follow_the_umask_and_then_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    before = os.umask(0o022)
    try:
        atomic.write_all({path: "1\n"})
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    path.chmod(0o600)
    atomic.write_all({path: "2\n"})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_removing_takes_bytecode_and_empty_folders_along_but_not_the_root(tmp_path: Path) -> None:
    root = tmp_path / "out"
    for name in ("out/a/b/c.py", "out/a/b/__pycache__/c.cpython-311.pyc", "out/kept/x.py", "out/kept/user.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    atomic.remove_all([root / "a/b/c.py", root / "kept/x.py", root / "gone.py"], root)
    assert tree(tmp_path) == {"out/kept/user.txt": ""}
    assert not (root / "a").exists()


def test_removing_the_last_file_keeps_the_root(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    atomic.remove_all([tmp_path / "a.py"], tmp_path)
    assert tmp_path.is_dir()
