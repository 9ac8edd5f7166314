"""Writes what a release saves, for later releases to go on reading: run it once, when a release is made.

    python tests/saved/kept.py tests/saved

For each example tool: a saved execution input (the smallest, and a full one), its context, and the payload that it is,
as the ``repr`` of each field. And the places of two paged conversations, as the SQL of the file that keeps them.
"""

from __future__ import annotations

import dataclasses
import datetime
import importlib
import json
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from toolgen import __version__  # noqa: E402 - the script also runs from elsewhere
from toolgen.runtime import Continuation, SqliteStore, ToolSpec  # noqa: E402
from toolgen.runtime.continuations import fingerprint  # noqa: E402
from toolgen.testing import full_input, minimal_input  # noqa: E402

TOOLSETS = ("ledger", "support")
FAR = datetime.datetime(2126, 1, 1, tzinfo=datetime.UTC).timestamp()


def saved_payloads() -> Iterator[dict[str, Any]]:
    """What the execution codec of each example tool writes."""
    for toolset in TOOLSETS:
        for name, spec in importlib.import_module(f"generated.{toolset}").TOOLSET.items():
            context = {} if spec.context is None else full_input(spec.context.codec.schema)
            for given in (minimal_input(spec.execution.schema), full_input(spec.execution.schema)):
                payload = spec.execution.decode(given, context)
                saved = spec.execution.encode(payload).decode()
                fields = {field.name: repr(getattr(payload, field.name)) for field in dataclasses.fields(payload)}
                yield {"toolset": toolset, "tool": name, "context": context, "saved": saved, "payload": fields}


def kept_pages(spec: ToolSpec[Any, Any, Any], folder: Path) -> str:
    """The SQL of a store that holds a chain that goes on, and one that has ended."""
    path = folder / "pages.sqlite"
    payload = spec.execution.encode(spec.execution.decode({"query": "vpn", "limit": 2}, {"tenant": "acme"}))
    with SqliteStore(path) as store:
        for conversation, cursor in (("open", "2"), ("ended", None)):
            place = Continuation(
                tool=spec.name,
                fingerprint=fingerprint(spec.execution.schema),
                payload=payload,
                cursor=cursor,
                expires_at=FAR,
                version=conversation,
            )
            store.add(conversation, place)
    db = sqlite3.connect(path)
    try:
        return "\n".join(db.iterdump()) + "\n"
    finally:
        db.close()


def main(folder: Path) -> None:
    text = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in saved_payloads())
    (folder / f"payloads-{__version__}.jsonl").write_text(text, encoding="utf-8")
    spec = importlib.import_module("generated.support").TOOLSET["search_tickets"]
    with tempfile.TemporaryDirectory() as scratch:
        (folder / f"pages-{__version__}.sql").write_text(kept_pages(spec, Path(scratch)), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
