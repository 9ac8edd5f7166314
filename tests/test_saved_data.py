"""What earlier releases saved is read by this one. Add a file for each release; change none."""

from __future__ import annotations

import asyncio
import importlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from generated.support import more_tickets, search_tickets
from toolgen.runtime import SqliteStore, ToolCall, ToolRegistry

SAVED = Path(__file__).with_name("saved")
ENTRIES = [
    pytest.param(json.loads(line), id=f"{path.stem}-{number}")
    for path in sorted(SAVED.glob("payloads-*.jsonl"))
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines())
]
PAGES = sorted(SAVED.glob("pages-*.sql"))


@pytest.mark.parametrize("entry", ENTRIES)
def test_saved_execution_data_is_still_read(entry: dict[str, Any]) -> None:
    spec = importlib.import_module(f"generated.{entry['toolset']}").TOOLSET[entry["tool"]]
    payload = spec.execution.decode(entry["saved"], entry["context"])
    # Fields that a design has got since are filled in.
    assert {name: repr(getattr(payload, name)) for name in entry["payload"]} == entry["payload"]
    assert spec.execution.decode(spec.execution.encode(payload), entry["context"]) == payload


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_places_of_pages_are_still_read(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "pages.sqlite"
    db = sqlite3.connect(file)
    db.executescript(path.read_text(encoding="utf-8"))
    db.close()
    seen: list[Any] = []
    with SqliteStore(file) as store:
        registry = ToolRegistry(store=store)
        registry.handles(search_tickets.SPEC)(lambda payload, ctx: None)
        registry.handles(more_tickets.SPEC)(lambda payload, ctx: seen.append(payload))
        for conversation in ("open", "ended"):
            context = {"tenant": "acme", "conversation": conversation}
            result = asyncio.run(registry.run(ToolCall("1", "more_tickets"), context))
            assert ("there are no more" in result.text) is (conversation == "ended")
    assert seen == [more_tickets.MoreTicketsPayload("vpn", "2", "acme", 2)]


def test_there_is_saved_data_to_read() -> None:
    assert ENTRIES
    assert PAGES
