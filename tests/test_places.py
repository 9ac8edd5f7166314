"""Where generated files may stand: runs that would put them in the way of a design, or where no import finds them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from toolgen.cli import cli

DESIGN = '''\
"""Tools of the clinic."""

from __future__ import annotations

from toolgen.dsl import Toolset, field

clinic = Toolset("clinic", "Tools of the clinic.")


@clinic.tool()
class Book:
    """Book a visit."""

    class Input:
        day: str = field("The day.")
'''
SETTINGS = '[tool.toolgen]\ndesigns = ["designs/*.py"]\noutput = "generated"\n'

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in a project with one design, which has been generated."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> Result:
        return CliRunner().invoke(cli, words, prog_name="toolgen", catch_exceptions=False)

    Path("designs").mkdir()
    Path("designs/clinic.py").write_text(DESIGN)
    Path("pyproject.toml").write_text(SETTINGS)
    assert run("generate").exit_code == 0
    return run


def files() -> set[str]:
    return {os.path.join(folder, name) for folder, _, names in os.walk(".") for name in names}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--output", "designs"], "holds the design designs/clinic.py"),
        (["--output", "designs/clinic"], "would hide the design designs/clinic.py"),
        (["designs", "--output", "designs/../designs"], "holds the design"),
        (["--output", ""], "it is empty"),
        (["--output", "my-tools"], "choose a name such as my_tools"),
        (["--output", "tools/class"], "choose a name such as class_"),
        (["--output", "2fast"], "choose a name such as fast"),
    ],
)
def test_an_output_folder_in_the_way_is_refused_and_nothing_is_written(words: list[str], why: str, run: Run) -> None:
    before = files()
    for command in ("generate", "check"):
        result = run(command, *words)
        assert result.exit_code == 2
        assert why in result.stderr
    assert files() == before


def test_a_package_in_the_folder_of_the_designs_is_refused(run: Run) -> None:
    Path("designs/clinic.py").rename("designs/desk.py")
    Path("designs").rename("clinic")
    result = run("generate", "clinic", "--output", ".")
    assert result.exit_code == 2
    assert "the package clinic would be generated into clinic, which holds the design clinic/desk.py" in result.stderr


def test_contract_tests_among_the_designs_are_refused(run: Run) -> None:
    Path("pyproject.toml").write_text(SETTINGS + 'contract-tests = "designs"\n')
    result = run("generate")
    assert result.exit_code == 2
    assert "the folder of contract tests designs holds the design" in result.stderr


def test_the_working_folder_can_be_the_output_folder(run: Run) -> None:
    assert run("generate", "designs", "--output", ".").exit_code == 0
    assert Path("clinic/book.py").exists()


def test_a_folder_or_pattern_of_designs_passes_over_generated_files(run: Run) -> None:
    Path("pyproject.toml").write_text('[tool.toolgen]\ndesigns = ["designs/**/*.py"]\noutput = "designs/made"\n')
    assert run("generate").exit_code == 0
    assert run("check").exit_code == 0
    assert run("check", "designs").exit_code == 0


@pytest.mark.parametrize("text", ["", "raise RuntimeError('not a design')\n"])
def test_a_package_beside_a_design_of_its_name_does_not_take_its_place(text: str, run: Run) -> None:
    Path("designs/clinic").mkdir()
    Path("designs/clinic/__init__.py").write_text(text)
    Path("designs/__init__.py").touch()
    assert run("check").exit_code == 0


def test_a_design_in_a_package_that_is_run_by_path_still_imports_its_neighbours(run: Run) -> None:
    Path("designs/clinic").mkdir()
    Path("designs/clinic/__init__.py").touch()
    Path("designs/__init__.py").touch()
    Path("designs/_words.py").write_text('DAY = "The day."\n')
    text = DESIGN.replace("from toolgen", "from ._words import DAY\nfrom toolgen").replace('"The day."', "DAY")
    Path("designs/clinic.py").write_text(text)
    assert run("check").exit_code == 0


def test_a_design_that_is_emptied_is_an_error_and_removes_nothing(run: Run) -> None:
    before = files()
    Path("designs/clinic.py").write_text("")
    result = run("generate")
    assert result.exit_code == 2
    assert "declares no toolset" in result.stderr
    assert files() == before
