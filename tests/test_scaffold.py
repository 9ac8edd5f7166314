"""What ``toolgen init`` writes, and what it leaves alone."""

from __future__ import annotations

import posixpath
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from toolgen import scaffold
from toolgen.settings import SettingsError, find


def test_an_empty_folder_gets_a_design_settings_and_ci(tmp_path: Path) -> None:
    done = scaffold.init(tmp_path)
    assert done.created == ["pyproject.toml", "designs/helpdesk.py", ".github/workflows/toolgen.yml", ".gitattributes"]
    assert all((tmp_path / name).is_file() for name in done.created)
    found = find(tmp_path)
    assert (found.designs, found.output, found.contract_tests) == (("designs/*.py",), "generated", "tests/contracts")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("ending", ["", "\n"])
def test_settings_are_added_at_the_end_and_the_rest_keeps_its_bytes(tmp_path: Path, newline: str, ending: str) -> None:
    file = tmp_path / "pyproject.toml"
    before = f"[project]{newline}name = 'é'  # a comment{newline if ending else ''}".encode()
    file.write_bytes(before)
    done = scaffold.init(tmp_path)
    after = file.read_bytes()
    assert done.extended == ["pyproject.toml"]
    assert after.startswith(before)
    assert after.replace(newline.encode(), b"").count(b"\n") == 0
    assert tomllib.loads(after.decode())["tool"]["toolgen"]["output"] == "generated"


def test_a_project_file_that_cannot_be_added_to_is_left_and_the_lines_are_told(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text("tool = {other = {}}\n")
    with pytest.raises(SettingsError, match=r"(?s)add these lines by hand:.*\[tool\.toolgen\]"):
        scaffold.init(tmp_path)
    assert file.read_text() == "tool = {other = {}}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["pyproject.toml"]


@pytest.mark.parametrize(
    ("packages", "taken", "output"),
    [
        (["src/acme"], [], "src/acme/generated"),
        (["acme", "tests"], [], "acme/generated"),
        (["src/acme"], ["src/acme/generated"], "src/acme/generated_tools"),
        (["acme", "other"], [], "generated"),
        ([], ["generated"], "generated_tools"),
    ],
)
def test_the_output_goes_into_the_projects_package(
    packages: list[str], taken: list[str], output: str, tmp_path: Path
) -> None:
    for package in packages:
        (tmp_path / package).mkdir(parents=True)
        (tmp_path / package / "__init__.py").touch()
    for folder in taken:
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'acme'\n")
    scaffold.init(tmp_path)
    assert find(tmp_path).output == output


@pytest.mark.parametrize(("package", "root"), [("src/acme", "src"), ("acme", ".")])
def test_what_contract_tests_need_to_import_the_package_is_told(package: str, root: str, tmp_path: Path) -> None:
    (tmp_path / package).mkdir(parents=True)
    (tmp_path / package / "__init__.py").touch()
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'acme'\n")
    (told,) = scaffold.init(tmp_path).advice
    assert told.startswith("contract tests import acme.generated: install your project where they run")
    assert told.endswith(f'set pythonpath = ["{root}"] in [tool.pytest.ini_options]')


def test_files_that_are_there_are_kept_and_said_so(tmp_path: Path) -> None:
    (tmp_path / "designs").mkdir()
    for name in ("designs/helpdesk.py", ".gitattributes"):
        (tmp_path / name).write_text("mine\n")
    done = scaffold.init(tmp_path)
    assert (tmp_path / "designs/helpdesk.py").read_text() == (tmp_path / ".gitattributes").read_text() == "mine\n"
    assert done.kept == ["designs/helpdesk.py: it is there already", ".gitattributes: it is there already"]
    assert "generated/toolgen.lock merge=union" in done.advice[-1]


def test_a_project_that_has_settings_keeps_them(tmp_path: Path) -> None:
    text = '[tool.toolgen]\ndesigns = ["d.py"]\noutput = "o"\ncontract-tests = "t"\n'
    (tmp_path / "pyproject.toml").write_text(text)
    done = scaffold.init(tmp_path)
    assert (tmp_path / "pyproject.toml").read_text() == text
    assert done.advice == ["write a design first: d.py of [tool.toolgen] stands for no file yet"]
    assert done.created == [".github/workflows/toolgen.yml", ".gitattributes"]
    assert (tmp_path / ".gitattributes").read_text().startswith("o/** ")
    assert "\nt/** " in (tmp_path / ".gitattributes").read_text()


def test_a_first_design_is_written_where_the_settings_would_read_it_and_have_none(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.toolgen]\ndesigns = ["designs/*.py"]\noutput = "o"\n')
    done = scaffold.init(tmp_path)
    assert done.created[0] == "designs/helpdesk.py"
    assert done.advice == []
    (tmp_path / "designs/helpdesk.py").rename(tmp_path / "designs/mine.py")
    assert scaffold.init(tmp_path).created == []


def test_starting_again_tells_every_file_that_it_kept(tmp_path: Path) -> None:
    first = scaffold.init(tmp_path)
    again = scaffold.init(tmp_path)
    assert (again.created, again.extended, again.advice) == ([], [], [])
    assert [line.partition(": ")[0] for line in again.kept] == first.created


def test_settings_that_a_run_would_lack_are_told(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.toolgen]\nproviders = ["mcp"]\n')
    told = [line.rpartition(": ")[2] for line in scaffold.init(tmp_path).advice]
    assert told == ['designs = ["designs/*.py"]', 'output = "generated"']


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize(
    ("output", "tests", "marked", "unmarked"),
    [
        ("./gen/", "t/", ["gen/a/b.py", "t/test_a.py"], ["mine.py"]),
        ("src/my [x] #1/gen", None, ["src/my [x] #1/gen/a/b.py"], ["src/my x/gen/a.py", "tests/contracts/test_a.py"]),
        (".", "t", ["t/test_a.py"], ["a/b.py"]),
        ("../gen", "../t", [], ["gen/a.py", "t/test_a.py"]),
    ],
)
def test_git_is_told_of_the_folders_that_are_set_however_they_are_written(
    tmp_path: Path, output: str, tests: str | None, marked: list[str], unmarked: list[str]
) -> None:
    subprocess.run(["git", "init", "--quiet", "."], cwd=tmp_path, check=True)
    contracts = f'contract-tests = "{tests}"\n' if tests else ""
    (tmp_path / "pyproject.toml").write_text(f'[tool.toolgen]\ndesigns = ["d"]\noutput = "{output}"\n{contracts}')
    scaffold.init(tmp_path)
    assert [path for path in marked if "linguist-generated: true" not in attributes_of(tmp_path, path)] == []
    assert [path for path in marked if "eol: lf" not in attributes_of(tmp_path, path)] == []
    assert [path for path in unmarked if "linguist-generated: unspecified" not in attributes_of(tmp_path, path)] == []
    lock = posixpath.normpath(f"{output}/toolgen.lock")
    assert ("merge: union" in attributes_of(tmp_path, lock)) == (not lock.startswith(".."))


def attributes_of(folder: Path, path: str) -> str:
    words = ["git", "check-attr", "linguist-generated", "eol", "merge", "--", path]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True).stdout


def test_the_project_around_a_folder_is_set_up_not_the_folder(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    (tmp_path / "deep").mkdir()
    assert scaffold.init(tmp_path / "deep").root == tmp_path.resolve()
    assert list((tmp_path / "deep").iterdir()) == []


def test_a_project_inside_a_repository_gets_no_workflow_of_its_own(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "inner").mkdir()
    done = scaffold.init(tmp_path / "inner")
    assert done.root == (tmp_path / "inner").resolve()
    assert not (tmp_path / "inner" / ".github").exists()
    assert done.advice == ["let CI run, in this folder: toolgen check"]
