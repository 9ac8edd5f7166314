"""What the providers of the settings would refuse, told by ``generate`` and ``check``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from toolgen.cli import cli

DESIGN = '''"""A design."""

from toolgen.dsl import Toolset, field

things = Toolset("things", "Things.")


@things.tool(strict=True)
class Find:
    """Finds."""

    class Input:
        labels: dict[str, int] = field("Labels.", optional=True)
'''
SETTINGS = '[tool.toolgen]\ndesigns = ["design.py"]\noutput = "made"\nproviders = [{}]\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "design.py").write_text(DESIGN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(project: Path, wanted: str, *arguments: str) -> tuple[int, str]:
    (project / "pyproject.toml").write_text(SETTINGS.format(wanted), encoding="utf-8")
    done = CliRunner().invoke(cli, arguments)
    return done.exit_code, done.output


def test_a_refusal_is_a_warning_and_the_code_is_written(project: Path) -> None:
    code, text = run(project, '"openai_chat"', "generate")
    assert code == 0
    assert "warning: design.py:9: things.find, field labels: openai_chat: it is a map" in text
    assert "strict=False" in text
    assert (project / "made" / "things").is_dir()
    assert run(project, '"openai_chat"', "check")[0] == 0


def test_a_refusal_can_be_an_error_and_nothing_is_written(project: Path) -> None:
    wanted = '"gemini", {name = "openai_chat", errors = true}'
    code, text = run(project, wanted, "generate")
    assert (code, "it is a map" in text) == (2, True)
    assert not (project / "made").exists()


def test_providers_that_take_it_all_say_nothing(project: Path) -> None:
    assert "warning" not in run(project, '"gemini", "mcp"', "generate")[1]


def test_show_prints_what_a_provider_is_told_and_its_notes(project: Path) -> None:
    (project / "pyproject.toml").write_text(SETTINGS.format(""), encoding="utf-8")
    done = CliRunner().invoke(cli, ["show", "find", "--provider", "gemini"])
    assert json.loads(done.stdout)["name"] == "find"
    assert "note: labels: that it takes any keys is said in the description too" in done.stderr
    refused = CliRunner().invoke(cli, ["show", "find", "--provider", "anthropic"])
    assert (refused.exit_code, "strict=False" in refused.stderr) == (2, True)
    assert CliRunner().invoke(cli, ["show", "find", "--provider", "anthropic", "--no-strict"]).exit_code == 0
    unknown = CliRunner().invoke(cli, ["show", "find", "--provider", "antropic"])
    assert (unknown.exit_code, "did you mean anthropic?" in unknown.stderr) == (2, True)
    both = CliRunner().invoke(cli, ["show", "find", "--provider", "mcp", "--input", "execution"])
    assert both.exit_code == 2


def test_show_prints_the_form_of_the_live_api(project: Path) -> None:
    (project / "pyproject.toml").write_text(SETTINGS.format(""), encoding="utf-8")
    done = CliRunner().invoke(cli, ["show", "find", "--provider", "gemini", "--live"])
    assert json.loads(done.stdout)["parameters"]["type"] == "OBJECT"
    other = CliRunner().invoke(cli, ["show", "find", "--provider", "mcp", "--live"])
    assert (other.exit_code, "only gemini has" in other.stderr) == (2, True)
    for option in ("--live", "--strict"):
        alone = CliRunner().invoke(cli, ["show", "find", option])
        assert (alone.exit_code, "--provider" in alone.stderr) == (2, True)
