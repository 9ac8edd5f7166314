"""What an import found no description of is told by each run, until someone describes it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from toolgen.cli import cli
from toolgen.undescribed import NOT_DESCRIBED

INNER = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
SCHEMA = {"type": "object", "properties": {"p": INNER, "q": {"type": "string", "description": "Said."}}}


def run(*arguments: str) -> str:
    done = CliRunner().invoke(cli, [*arguments])
    assert done.exit_code == 0, done.stderr
    return done.stderr


def test_what_is_not_described_is_counted_until_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("trial.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    run("import", "trial.json", "--output", "trial.py")
    words = "warning: trial.py: 1 tool, 1 Record, 2 fields without a description: models are told"
    for command in ("generate", "generate", "check"):
        assert words in run(command, "trial.py", "--output", "made")
    described = Path("trial.py").read_text(encoding="utf-8").replace(NOT_DESCRIBED, "It is described.")
    Path("trial.py").write_text(described, encoding="utf-8")
    assert "without a description" not in run("generate", "trial.py", "--output", "made")
