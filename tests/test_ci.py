"""CI as people set it up: what the documentation, the hooks, the action and the first workflow say is run here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from toolgen import settings
from toolgen.files import Reason
from toolgen.scaffold import WORKFLOW

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "docs" / "ci.md", ROOT / "README.md"]

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(shutil.which("git") is None or shutil.which("bash") is None, reason="needs git and bash"),
]


def blocks(page: Path, language: str) -> list[str]:
    """The code blocks in a language; of the README, those of its section on CI."""
    text = page.read_text(encoding="utf-8")
    if page.name == "README.md":
        section = re.search(r"^##+ [^\n]*\bCI\b.*?(?=^##? |\Z)", text, re.MULTILINE | re.DOTALL)
        text = section[0] if section else ""
    return re.findall(rf"^```{language}[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands(page: Path) -> str:
    lines = (line for block in blocks(page, "console") for line in block.splitlines())
    return "\n".join(line.removeprefix("$ ") for line in lines if line.startswith("$ "))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet", ".")
    return tmp_path


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, env=environment())


def environment(**more: str) -> dict[str, str]:
    """A shell in which ``toolgen`` and ``python`` are this toolgen and this Python, and git knows an author."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    who = {f"GIT_{role}_{what}": "x@example.com" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), **who, **more}


def shell(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    command = ["bash", "-euo", "pipefail", "-c", script]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment(**variables))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_the_pages_work_in_a_new_repository(repository: Path, page: Path) -> None:
    script = commands(page)
    if not script:
        pytest.skip(f"{page.name} has no commands on CI")
    done = shell(script, repository)
    assert done.returncode == 0, done.stdout + done.stderr
    for block in blocks(page, "text"):
        said = (done.stderr + done.stdout).splitlines()
        assert [line for line in block.splitlines() if line not in said] == []
    status = subprocess.run(["git", "status", "--porcelain"], cwd=repository, capture_output=True, text=True)
    assert status.stdout == ""


def toolgen_lines(text: str) -> list[str]:
    return re.findall(r"(?:run: |entry: |- )((?:python -m )?toolgen \w[^\n]*)", text)


CI_FILES = {
    "the hooks": (ROOT / ".pre-commit-hooks.yaml").read_text(),
    "the action": (ROOT / "action.yml").read_text(),
    "the first workflow": WORKFLOW,
    "the snippets": "\n".join(blocks(PAGES[0], "yaml")),
}


@pytest.mark.parametrize("where", CI_FILES)
def test_what_ci_files_run_passes_a_clean_project_and_fails_a_drifted_one(repository: Path, where: str) -> None:
    lines = toolgen_lines(CI_FILES[where])
    assert lines
    assert shell("toolgen init && toolgen generate", repository).returncode == 0
    for line in lines:
        assert shell(line, repository).returncode == 0, line
    design = repository / "designs" / "helpdesk.py"
    design.write_text(design.read_text().replace("le=100", "le=50"))
    for line in lines:
        drifted = shell(line, repository)
        assert drifted.returncode == (0 if "generate" in line else 1), line
        assert ("::error file=designs/helpdesk.py,line=" in drifted.stdout) == ("github" in line)


@pytest.mark.parametrize("where", CI_FILES)
def test_ci_files_are_yaml(where: str) -> None:
    yaml = pytest.importorskip("yaml")
    documents = blocks(PAGES[0], "yaml") if where == "the snippets" else [CI_FILES[where]]
    for document in documents:
        assert yaml.safe_load(document)


def test_hooks_run_on_changes_of_designs_and_of_output() -> None:
    yaml = pytest.importorskip("yaml")
    hooks: list[dict[str, Any]] = yaml.safe_load(CI_FILES["the hooks"])
    paths = ["designs/a.py", "src/acme/generated/a/b.py", "src/acme/generated/toolgen.lock", "generated/py.typed"]
    paths += ["tests/contracts/test_contract_a_b.py", "pyproject.toml"]
    for hook in hooks:
        assert hook["pass_filenames"] is False
        assert all(re.search(hook["files"], path) for path in paths)
        assert not re.search(hook["files"], "README.md")


def test_the_page_names_every_reason_and_every_setting() -> None:
    text = PAGES[0].read_text()
    rows = " ".join(line.split("|")[1] for line in text.splitlines() if line.startswith("| "))
    assert [name for name in settings._KEYS if f"`{name}`" not in rows] == []
    assert [reason.name for reason in Reason if f"`{reason.name.lower()}`" not in text] == []
    reworded = {Reason.CONFLICT: "has merge conflict markers", Reason.TOOLCHAIN: "made with X; this is Y"}
    assert [reason for reason in Reason if reworded.get(reason, reason.value) not in rows] == []


def test_this_repository_checks_itself() -> None:
    assert re.search(r"^check:.*\n\t.*toolgen check$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert "make check" in (ROOT / ".ci" / "run").read_text().splitlines()


def test_git_folds_generated_files_and_keeps_their_line_ends(repository: Path) -> None:
    assert shell("toolgen init && toolgen generate && git add .", repository).returncode == 0
    path = "generated/helpdesk/search_tickets.py"
    said = shell(f"git check-attr eol linguist-generated merge -- {path} generated/toolgen.lock", repository).stdout
    assert f"{path}: eol: lf" in said
    assert f"{path}: linguist-generated: true" in said
    assert "generated/toolgen.lock: merge: union" in said


def test_two_branches_that_each_add_a_tool_merge_and_generate_mends_the_rest(repository: Path) -> None:
    tool = '\n\n@helpdesk.tool()\nclass {name}:\n    """Does it."""\n'
    assert shell("toolgen init && toolgen generate && git add . && git commit -qm base", repository).returncode == 0
    for branch, name in (("one", "AddTicket"), ("two", "ZoomIn")):
        design = repository / "designs" / f"{branch}.py"
        text = (repository / "designs" / "helpdesk.py").read_text().split("class Ticket")[0]
        text = text.replace('helpdesk = Toolset("helpdesk"', f'helpdesk = Toolset("{branch}"')
        git(repository, "checkout", "-q", "-b", branch, "HEAD" if branch == "one" else "HEAD~1")
        design.write_text(text + tool.format(name=name))
        done = shell(f"toolgen generate && git add . && git commit -qm {branch}", repository)
        assert done.returncode == 0, done.stderr
    merged = shell("git merge -q --no-edit one && toolgen check", repository)
    assert merged.returncode == 0, merged.stdout + merged.stderr
