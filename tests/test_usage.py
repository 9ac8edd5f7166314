"""Commands that are typed wrong: the answer says what to type."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from toolgen.cli import cli

WRONG = {
    "generate --design x.py": "--design is no option: DESIGN is an argument. Write: toolgen generate [DESIGN]...",
    "generate --designs x.py": "Write: toolgen generate [DESIGN]...",
    "generate -d x.py": "-d is no option: DESIGN is an argument. Write: toolgen generate [DESIGN]...",
    "check --desing x.py": "Write: toolgen check [DESIGN]...",
    "show --tool x": "--tool is no option: TOOL is an argument. Write: toolgen show TOOL",
    "show": "TOOL is missing. Write: toolgen show TOOL",
    "show x y.py": "There is no place for the argument 'y.py'. Write: toolgen show TOOL --design DESIGN, where it is a",
    "decode": "TOOL is missing. Write: toolgen decode TOOL [FILE]",
    "decode x - y.py": "Write: toolgen decode TOOL [FILE] --design DESIGN, where it is a design",
    "import": "FILE is missing. Write: toolgen import FILE...",
    "import --file x": "--file is no option: FILE is an argument. Write: toolgen import FILE...",
    "init x": "There is no place for the argument 'x'. Write: toolgen init",
    "serve mcp": "MODULE is missing. Write: toolgen serve mcp MODULE",
    "serve mpc": "There is no command 'mpc'. Did you mean mcp? The commands are mcp.",
    "genrate": "There is no command 'genrate'. Did you mean generate? The commands are check,",
    "nonsense": "There is no command 'nonsense'. The commands are check,",
    "check --outptu x": "No such option '--outptu'",
    "generate --format xml": "'xml' is not one of 'text', 'json'",
}


@pytest.mark.parametrize("words", WRONG)
def test_what_is_typed_wrong_is_answered_with_what_to_type(words: str) -> None:
    result = CliRunner().invoke(cli, words.split(), prog_name="toolgen", catch_exceptions=False)
    assert result.exit_code == 2
    assert WRONG[words] in " ".join(result.output.split())
    assert "Usage: toolgen" in result.output


def test_help_and_completion_are_as_click_has_them() -> None:
    shown = CliRunner().invoke(cli, ["generate", "--help"], prog_name="toolgen", catch_exceptions=False)
    assert shown.exit_code == 0
    assert "Usage: toolgen generate [OPTIONS] [DESIGN]..." in shown.output
    asked = {"_TOOLGEN_COMPLETE": "bash_complete", "COMP_WORDS": "toolgen gen", "COMP_CWORD": "1"}
    completed = CliRunner().invoke(cli, [], prog_name="toolgen", env=asked, complete_var="_TOOLGEN_COMPLETE")
    assert "generate" in completed.output
