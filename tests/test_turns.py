"""Runs on one folder take turns."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from toolgen.turns import turn

pytest.importorskip("fcntl")


@pytest.mark.parametrize("below", ["out", "deep/er/out"])
@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
def test_a_writer_waits_for_another_and_says_so_once(tmp_path: Path, below: str, late: bool) -> None:
    """Also one that begins once the first has made the folders that were missing."""
    said: list[str] = []
    order: list[str] = []
    waits = threading.Event()

    def second() -> None:
        def waiting() -> None:
            said.append("waiting")
            waits.set()

        with turn(tmp_path / below, writing=True, waiting=waiting) as alone:
            order.append(f"second {alone}")

    with turn(tmp_path / below, writing=True) as alone:
        thread = threading.Thread(target=second)
        if late:
            (tmp_path / below).mkdir(parents=True)
        thread.start()
        assert waits.wait(10)
        (tmp_path / below).mkdir(parents=True, exist_ok=True)  # as the first run does
        order.append(f"first {alone}")
    thread.join(10)
    assert (said, order) == (["waiting"], ["first True", "second True"])


def test_runs_on_other_folders_do_not_wait_for_each_other(tmp_path: Path) -> None:
    def fail() -> None:
        raise AssertionError

    for folder in ("a", "b/c"):
        (tmp_path / folder).mkdir(parents=True)
    with (
        turn(tmp_path / "a" / "out", writing=True),
        turn(tmp_path / "b" / "c" / "out", writing=True, waiting=fail) as alone,
        turn(tmp_path / "b" / "out", writing=False, waiting=fail) as reading,
    ):
        assert (alone, reading) == (True, True)


def test_readers_do_not_wait_for_each_other(tmp_path: Path) -> None:
    def fail() -> None:
        raise AssertionError

    with turn(tmp_path / "out", writing=False), turn(tmp_path / "out", writing=False, waiting=fail) as alone:
        assert alone


def test_a_killed_run_gives_its_turn_up(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; from toolgen.turns import turn\n"
        "with turn(Path(sys.argv[1]), writing=True): os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path / "out")]).returncode == -9
    with turn(tmp_path / "out", writing=True, waiting=lambda: pytest.fail("it waited")) as alone:
        assert alone
    assert list(tmp_path.iterdir()) == []
