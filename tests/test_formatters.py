"""Formatters and linters of the user's own leave generated files alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SETTINGS = '[tool.toolgen]\ndesigns = ["designs/*.py"]\noutput = "generated"\ncontract-tests = "tests/contracts"\n'

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of the example designs and the hostile one, generated."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "designs").mkdir()
    for design in (*(ROOT / "designs").glob("*.py"), ROOT / "tests" / "designs_to_try" / "hostile.py"):
        shutil.copy(design, folder / "designs")
    (folder / "pyproject.toml").write_text(SETTINGS)
    assert toolgen(folder, "generate").returncode == 0
    return folder


@pytest.fixture
def project(generated: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(generated, tmp_path / "project"))


def toolgen(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "toolgen", command]
    return subprocess.run(
        words, cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )


def tree(folder: Path) -> dict[str, bytes]:
    folders = (folder / "generated", folder / "tests")
    paths = [path for place in folders for path in sorted(place.rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


TOOLS = [
    "black .",
    "black --line-length 100 --skip-string-normalization .",
    "black --line-length 60 --skip-magic-trailing-comma .",
    "ruff format --isolated .",
    "ruff format --isolated --line-length 79 .",
    "ruff check --isolated --fix --unsafe-fixes --exit-zero .",
    "ruff check --isolated --fix --unsafe-fixes --exit-zero --select ALL --exclude designs .",
    "isort .",
    "isort --profile black --force-single-line-imports .",
]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_changes_no_generated_file(project: Path, tool: str) -> None:
    name, *words = tool.split()
    pytest.importorskip(name)
    before = tree(project)
    mine = project / "mine.py"
    mine.write_text("import sys\nimport os\nx = { 'a':1 }\n")
    done = subprocess.run([sys.executable, "-m", name, *words], cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert mine.read_text() != "import sys\nimport os\nx = { 'a':1 }\n"  # the tool was at work
    assert tree(project) == before
    assert toolgen(project, "check").returncode == 0


def test_an_editor_that_trims_changes_no_generated_file(project: Path) -> None:
    """Trailing white space goes, and each file that has text ends with one newline."""
    before = tree(project)
    for path in (*(project / "generated").rglob("*"), *(project / "tests").rglob("*")):
        if path.is_file():
            text = "\n".join(line.rstrip() for line in path.read_text(encoding="utf-8").split("\n"))
            path.write_text(f"{text.rstrip()}\n" if text.strip() else "", encoding="utf-8", newline="\n")
    assert tree(project) == before
