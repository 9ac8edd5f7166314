"""What a run says of itself while it goes on."""

from __future__ import annotations

import io
import sys

import pytest

from toolgen import telling


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stderr", "patience", "shown"), [(Terminal(), 0, True), (Terminal(), 60, False), (io.StringIO(), 0, False)]
)
def test_progress_is_shown_where_it_takes_a_while_and_a_person_watches(
    stderr: io.StringIO, patience: float, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "PATIENCE", patience)
    monkeypatch.setattr(sys, "stderr", stderr)
    with telling.progress_shown("importing") as progress:
        for done in range(1, 4):
            progress(done, 3)
    assert [words in stderr.getvalue() for words in ("importing", "33%", "100%")] == [shown] * 3
