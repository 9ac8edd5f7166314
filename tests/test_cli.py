"""The commands, as a user types them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from toolgen.cli import cli

DESIGN = '''\
"""Tools of the desk."""

from __future__ import annotations

from datetime import date

from toolgen.dsl import Toolset, field, injected, restored

desk = Toolset("desk", "Tools of the desk.")


@desk.tool(read_only=True, title="Search")
class Search:
    """Search tickets."""

    class Input:
        query: str = field("Text to look for.", min_length=1)
        limit: int = field("Most to return.", default=10, ge=1, le=100)
        cursor: str = restored("Where to go on.", default="")
        tenant: str = injected("Tenant.", min_length=1)
        today: date = injected("The day.")
'''

OTHER = '''\
"""Tools of the bank."""

from __future__ import annotations

from toolgen.dsl import Toolset, field

bank = Toolset("bank", "Tools of the bank.")


@bank.tool()
class Pay:
    """Pay a bill."""

    class Input:
        bill: int = field("Number of the bill.")
'''

SETTINGS = '[tool.toolgen]\ndesigns = ["designs/*.py"]\noutput = "generated"\ncontract-tests = "tests/contracts"\n'

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in the folder of a new project."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(cli, words, input=stdin, prog_name="toolgen", catch_exceptions=False)

    return run


@pytest.fixture
def project(run: Run, tmp_path: Path) -> Path:
    """A project with one design, not generated yet."""
    (tmp_path / "designs").mkdir()
    (tmp_path / "designs" / "desk.py").write_text(DESIGN)
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    return tmp_path


def tree(folder: Path) -> dict[str, bytes]:
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def toolgen(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in a process of its own."""
    command = [sys.executable, "-m", "toolgen", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env={**os.environ, **environment})


# --- init -------------------------------------------------------------------------------------------------------------


def test_a_new_project_generates_and_checks_clean_at_once(run: Run, tmp_path: Path) -> None:
    started = run("init")
    assert started.exit_code == 0
    assert started.stderr.splitlines()[-2:] == ["Next: toolgen generate", "Then: toolgen check"]
    assert run("generate").exit_code == 0
    assert run("check").exit_code == 0
    assert "tests/contracts/test_contract_helpdesk_search_tickets.py" in tree(tmp_path)


def test_a_start_that_leaves_something_to_write_says_so_before_the_next_command(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.toolgen]\ndesigns = ["d.py"]\noutput = "out"\n')
    assert run("init").stderr.splitlines()[-2:] == [
        "hint: write a design first: d.py of [tool.toolgen] stands for no file yet",
        "Then: toolgen generate",
    ]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a disk that is always full, as Linux has it")
@pytest.mark.parametrize("words", [["show", "search"], ["decode", "search"], ["check"]], ids=" ".join)
def test_an_answer_that_cannot_be_written_is_told_without_a_traceback(project: Path, words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "toolgen", *words], cwd=project, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (done.returncode, done.stderr.splitlines()[-1:]) == (
        2,
        ["Error: the answer cannot be written: No space left on device"],
    )


def test_starting_twice_changes_nothing(run: Run, tmp_path: Path) -> None:
    run("init")
    before = tree(tmp_path)
    assert run("init").exit_code == 0
    assert tree(tmp_path) == before


# --- generate ---------------------------------------------------------------------------------------------------------


def test_each_tool_that_changed_gets_a_line(run: Run, project: Path) -> None:
    result = run("generate")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "created desk.search" in result.stderr.splitlines()
    assert run("generate").stderr == "nothing to do: 6 files up to date\n"
    design = project / "designs" / "desk.py"
    design.write_text(DESIGN.replace("le=100", "le=50"))
    assert run("generate").stderr == "updated desk.search\n2 files written, 4 unchanged\n"
    design.write_text(DESIGN.replace('class Search:\n    """Search', 'class Find:\n    """Find'))
    lines = run("generate").stderr.splitlines()
    assert lines[:2] == ["created desk.find", "removed desk.search"]
    assert lines[-1] == "4 files written, 2 removed, 2 unchanged"
    assert run("check").exit_code == 0


def test_what_was_written_is_told_to_scripts(run: Run, project: Path) -> None:
    written = json.loads(run("generate", "--format", "json").stdout)
    assert {"path": "generated/desk/search.py", "source": "designs/desk.py", "toolset": "desk", "tool": "search"} in (
        written["created"]
    )
    assert written["updated"] == written["removed"] == []
    assert json.loads(run("generate", "--format", "json").stdout)["unchanged"] == 6


def test_the_same_is_generated_from_any_folder_and_by_any_name(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("generate")
    before = tree(project)
    link = project.parent / f"{project.name}-link"
    link.symlink_to(project)
    for folder in (project / "designs", link, link / "designs"):
        monkeypatch.chdir(folder)
        assert run("check").exit_code == 0
        assert run("generate").exit_code == 0
        assert run("check", "--output", str(link / "generated")).exit_code == 0
        assert tree(project) == before


def test_the_same_is_generated_for_every_hash_seed(project: Path) -> None:
    (project / "designs" / "bank.py").write_text(OTHER)
    trees = []
    for seed in ("0", "1"):
        assert toolgen("generate", cwd=project, PYTHONHASHSEED=seed, LC_ALL="C", TZ="Asia/Tokyo").returncode == 0
        trees.append(tree(project))
        for path in sorted(project.glob("generated/**/*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
    assert trees[0] == trees[1]


def test_designs_can_be_named_without_any_settings(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "desk.py").write_text(DESIGN)
    assert run("generate", "desk.py", "--output", "out").exit_code == 0
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert run("check", "../desk.py", "--output", "../out").exit_code == 0


def test_a_named_design_leaves_the_files_of_others_alone(run: Run, project: Path) -> None:
    (project / "designs" / "bank.py").write_text(OTHER)
    run("generate")
    (project / "designs" / "desk.py").write_text(DESIGN.replace("le=100", "le=50"))
    assert run("generate", "designs/desk.py").stderr == "updated desk.search\n2 files written, 4 unchanged\n"
    assert run("check").exit_code == 0


def test_a_deleted_design_takes_its_files_along(run: Run, project: Path) -> None:
    (project / "designs" / "bank.py").write_text(OTHER)
    run("generate")
    (project / "designs" / "bank.py").unlink()
    assert run("generate", "designs/desk.py").exit_code == 0
    assert (project / "generated" / "bank").exists()
    assert run("generate", "designs").exit_code == 0
    assert not (project / "generated" / "bank").exists()
    assert run("check").exit_code == 0


def test_contract_tests_stay_with_the_output_of_the_settings(run: Run, project: Path) -> None:
    run("generate", "--output", "elsewhere")
    assert not (project / "tests").exists()
    run("generate", "--output", "generated")
    assert (project / "tests" / "contracts").exists()


def test_contract_tests_move_with_their_setting(run: Run, project: Path) -> None:
    run("generate")
    settings = project / "pyproject.toml"
    text = settings.read_text()
    settings.write_text(text.replace("tests/contracts", "tests/held"))
    checked = run("check").stdout
    assert "tests/contracts/test_contract_desk_search.py: contract tests are made in tests/held now (" in checked
    told = run("generate").stderr
    assert "removed tests/contracts/test_contract_desk_search.py\n" in told
    assert "created tests/held/test_contract_desk_search.py\n" in told
    assert "desk.search" not in told
    assert [path.name for path in (project / "tests").iterdir()] == ["held"]
    assert run("check").exit_code == 0
    settings.write_text(text.replace('contract-tests = "tests/contracts"\n', ""))
    assert "test_contract_desk_search.py: contract tests are no longer made (" in run("check").stdout
    run("generate")
    assert not (project / "tests" / "held").exists()
    assert run("check").exit_code == 0


def test_an_output_that_was_renamed_in_the_settings_alone_is_asked_about(run: Run, project: Path) -> None:
    run("generate")
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text().replace('"generated"', '"tools"'))
    refused = run("generate")
    assert refused.exit_code == 1
    assert "hint: tools/toolgen.lock is not there. Was the output folder renamed?" in refused.stderr
    (project / "generated").rename(project / "tools")
    assert run("generate").exit_code == 0
    assert run("check").exit_code == 0


def test_a_design_error_writes_nothing_and_has_no_traceback(run: Run, project: Path) -> None:
    run("generate")
    before = tree(project)
    (project / "designs" / "desk.py").write_text(DESIGN.replace("default=10", "default=1000"))
    for command, outcome in (("generate", "; nothing was written"), ("check", "")):  # check never writes
        result = run(command)
        assert result.exit_code == 2
        assert result.stderr.startswith("designs/desk.py:18: desk.search, field limit: ")
        assert result.stderr.endswith(f"1 problem in the designs{outcome}\n")
    problems = json.loads(run("check", "--format", "json").stdout)["problems"]
    assert [(p["file"], p["line"], p["tool"], p["field"]) for p in problems] == [
        ("designs/desk.py", 18, "search", "limit")
    ]
    (project / "designs" / "desk.py").write_text(DESIGN)
    assert tree(project) == before


def test_design_errors_name_files_as_from_the_working_folder(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "designs" / "desk.py").write_text("1 / 0\n")
    monkeypatch.chdir(project / "designs")
    result = run("generate")
    assert result.stderr.startswith("desk.py:1: ")
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("command", ["generate", "check"])
def test_without_designs_the_way_to_start_is_told(run: Run, command: str) -> None:
    result = run(command)
    assert result.exit_code == 2
    assert "toolgen init" in result.stderr


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ('designs = ["nothing/*.py"]\noutput = "o"', "nothing/*.py matches no file"),
        ('designs = ["nothing.py"]\noutput = "o"', "nothing.py is not there"),
        ('designs = ["designs/*.py"]', "no output folder: give --output, or set output in [tool.toolgen]"),
        ('designs = ["designs"]\noutput = "o"\ncontract-tests = "o/tests"', "must stand outside the output folder"),
        ('designs = ["designs"]\noutput = "my-o"\ncontract-tests = "tests"', "set package in [tool.toolgen]"),
        ('designs = ["designs"]\noutput = "designs/desk.py/x"', "desk.py is a file"),
    ],
)
def test_settings_that_cannot_work_are_told(run: Run, project: Path, settings: str, words: str) -> None:
    (project / "pyproject.toml").write_text(f"[tool.toolgen]\n{settings}\n")
    result = run("generate")
    assert result.exit_code == 2
    assert words in result.stderr


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user who may not write everywhere")
def test_an_output_folder_that_cannot_be_written_is_told(run: Run, project: Path) -> None:
    (project / "generated").mkdir(mode=0o500)
    result = run("generate")
    assert result.exit_code == 2
    assert "Permission denied" in result.stderr


def test_a_disk_error_is_told_without_a_traceback(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object) -> None:
        raise OSError(28, "No space left on device", "generated/desk/search.py")

    monkeypatch.setattr(os, "replace", full)
    result = run("generate")
    assert result.exit_code == 2
    assert result.stderr == "Error: generated/desk/search.py: No space left on device\n"


def test_hand_edited_files_stop_the_run_until_forced(run: Run, project: Path) -> None:
    run("generate")
    edited = project / "generated" / "desk" / "search.py"
    edited.write_text("mine\n")
    (project / "designs" / "desk.py").write_text(DESIGN.replace("le=100", "le=50"))
    before = tree(project)
    result = run("generate")
    assert result.exit_code == 1
    assert "generated/desk/search.py: edited by hand" in result.stderr
    assert result.stderr.splitlines()[-1] == "toolgen generate --force"
    assert tree(project) == before
    assert run("generate", "--force").exit_code == 0
    assert run("check").exit_code == 0


def test_a_file_of_the_users_own_is_never_overwritten(run: Run, project: Path) -> None:
    (project / "generated" / "desk").mkdir(parents=True)
    (project / "generated" / "desk" / "search.py").write_text("mine\n")
    before = tree(project)
    result = run("generate", "--force")
    assert result.exit_code == 1
    assert "generated/desk/search.py: not made by toolgen" in result.stderr
    told = json.loads(run("generate", "--format", "json").stdout)
    assert told["created"] == told["updated"] == told["removed"] == []
    assert [(file["path"], file["reason"]) for file in told["in_the_way"]] == [("generated/desk/search.py", "foreign")]
    *_, first, then = run("check").stdout.splitlines()
    assert first.startswith("Move away what toolgen did not make")
    assert then == "Then run: toolgen generate"
    assert tree(project) == before


def test_the_root_of_the_repository_can_be_the_output_folder(run: Run, project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.toolgen]\ndesigns = ["designs/*.py"]\noutput = "."\n')
    mine = {"setup.py": "mine\n", "desk/mine.py": "mine\n", "tests/test_mine.py": "mine\n"}
    for path, text in mine.items():
        (project / path).parent.mkdir(exist_ok=True)
        (project / path).write_text(text)
    before = tree(project)
    assert run("generate").exit_code == 0
    assert run("check").exit_code == 0
    (project / "designs" / "desk.py").write_text(DESIGN.replace("class Search", "class Find"))
    assert run("generate", "--force").exit_code == 0
    assert not (project / "desk" / "search.py").exists()
    assert {path: (project / path).read_bytes() for path in mine} == {path: before[path] for path in mine}


# --- check ------------------------------------------------------------------------------------------------------------


def test_drift_is_told_with_its_reason_a_diff_and_the_command_that_mends_it(run: Run, project: Path) -> None:
    run("generate")
    (project / "designs" / "desk.py").write_text(DESIGN.replace("le=100", "le=50"))
    before = tree(project)
    result = run("check")
    assert result.exit_code == 1
    assert tree(project) == before
    lines = result.stdout.splitlines()
    assert "generated/desk/search.py: design changed since generation (desk.search, from designs/desk.py)" in lines
    assert "+" in {line[:1] for line in lines}
    assert lines[-1] == "Run: toolgen generate"
    assert result.stderr == ""  # who keeps one stream has it all


def test_what_differs_is_listed_before_the_diffs_and_contract_tests_last(run: Run, project: Path) -> None:
    run("generate")
    (project / "designs" / "desk.py").write_text(DESIGN.replace("le=100", "le=50"))
    told = CliRunner().invoke(cli, ["check"]).output.splitlines()
    files = ["generated/desk/search.py", "tests/contracts/test_contract_desk_search.py"]
    listed = [told.index(line) for file in files for line in told if line.startswith(f"{file}: design changed")]
    diffs = [told.index(f"--- {file} (on disk)") for file in files]
    assert len(listed) == 2
    assert listed + diffs == sorted(listed + diffs)


def test_a_missing_lock_is_named_and_its_writing_told(run: Run, project: Path) -> None:
    run("generate")
    (project / "generated" / "toolgen.lock").unlink()
    result = run("check")
    assert result.exit_code == 1
    assert result.stdout.startswith("generated/toolgen.lock: missing: it lists what toolgen made")
    result = run("generate")
    assert result.stderr == "generated/toolgen.lock written; 6 files up to date\n"


def test_the_mending_command_repeats_what_was_asked(run: Run, project: Path) -> None:
    result = run("check", "designs/desk.py", "--output", "my folder/made")
    assert result.stdout.splitlines()[-1] == "Run: toolgen generate designs/desk.py --output 'my folder/made'"


def test_drift_is_told_to_scripts(run: Run, project: Path) -> None:
    run("generate")
    (project / "generated" / "desk" / "search.py").write_text("mine\n")
    result = run("check", "--format", "json")
    told = json.loads(result.stdout)
    assert result.exit_code == 1
    assert told["clean"] is False
    assert [(d["path"], d["reason"]) for d in told["differences"]] == [("generated/desk/search.py", "edited")]
    assert told["mend"] == "toolgen generate --force"


def test_warnings_are_told_to_people_and_to_scripts(run: Run, project: Path) -> None:
    (project / "designs" / "later.py").write_text(
        '"""Later."""\nfrom toolgen.dsl import Toolset\nx = Toolset("later", "Later.")\n'
    )
    warning = "designs/later.py:3: the toolset later has no tool: a class under its decorator, .tool(), is one"
    for command in (("generate",), ("generate",), ("check",)):
        done = run(*command, "--format", "json")
        assert json.loads(done.stdout)["warnings"] == [warning]
        assert f"warning: {warning}" in done.stderr
    (project / "designs" / "later.py").unlink()
    assert json.loads(run("check", "--format", "json").stdout)["warnings"] == []


def test_a_folder_where_the_manifest_is_kept_is_told(run: Run, project: Path) -> None:
    (project / "generated" / "toolgen.lock").mkdir(parents=True)
    for command in ("generate", "check"):
        done = run(command)
        assert done.exit_code == 2
        words = "generated/toolgen.lock is a folder, where toolgen keeps its manifest: move it away"
        assert done.stderr.endswith(f"{words}\n")


def test_a_long_diff_is_cut_and_the_rest_counted(run: Run, project: Path) -> None:
    run("generate")
    (project / "generated" / "desk" / "search.py").write_text("# Generated\n" * 500)
    result = run("check")
    assert len(result.stdout.splitlines()) < 100
    assert "more lines of this diff" in result.stdout


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_what_stdout_cannot_write_is_escaped(run: Run, project: Path, encoding: str) -> None:
    """As on a pipe of Windows: no text of a design may cut a report off, nor break its JSON."""
    run("generate")
    (project / "designs" / "desk.py").write_text(DESIGN.replace("Search tickets", "Käse, 日本語"), encoding="utf-8")

    def told(*words: str) -> str:
        result = CliRunner(charset=encoding).invoke(cli, words, catch_exceptions=False)
        assert result.exit_code == (1 if words[0] == "check" else 0)
        return result.stdout

    assert told("check").splitlines()[-1] == "Run: toolgen generate"
    assert "::error file=" in told("check", "--format", "github")
    assert "Käse, 日本語" in json.loads(told("check", "--format", "json"))["differences"][0]["diff"]
    assert "Käse, 日本語" in json.loads(told("show", "search"))["description"]


def test_drift_says_what_changed_in_the_tool(run: Run, project: Path) -> None:
    run("generate")
    (project / "designs" / "desk.py").write_text(DESIGN.replace("le=100", "le=50").replace("Search tickets", "Find"))
    lines = run("check").stdout.splitlines()
    at = lines.index("generated/desk/search.py: design changed since generation (desk.search, from designs/desk.py)")
    assert lines[at + 1 : at + 3] == ['  description "Search tickets." → "Find."', "  field limit: maximum 100 → 50"]
    told = json.loads(run("check", "--format", "json").stdout)["differences"]
    assert f"{len(told)} file{'' if len(told) == 1 else 's'} differ" in "\n".join(lines)  # neither counts the lock
    changes = {difference["path"]: difference["changes"] for difference in told}
    assert "field limit: maximum 100 → 50" in changes["generated/desk/search.py"]


def annotations(text: str) -> list[tuple[str, str, str]]:
    """File, line and message of each annotation."""
    found = re.findall(r"^::error file=(.*?),line=(\d+),title=.*?::(.*)$", text, re.MULTILINE)
    return [(file, line, message.replace("%0A", "\n").replace("%25", "%")) for file, line, message in found]


@pytest.mark.parametrize("workspace", [True, False])
def test_annotations_point_to_where_the_tool_is_declared(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch, workspace: bool
) -> None:
    """Paths are from the root of the checkout, wherever the command runs."""
    run("generate")
    (project / "designs" / "desk.py").write_text(DESIGN.replace("le=100", "le=50"))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(project.parent if workspace else ""))
    (project / ".git").mkdir()
    monkeypatch.chdir(project / "designs")
    result = run("check", "--format", "github")
    assert result.exit_code == 1
    ((file, line, message),) = annotations(result.stdout)
    assert file == (f"{project.name}/designs/desk.py" if workspace else "designs/desk.py")
    assert DESIGN.splitlines()[int(line) - 1] == "class Search:"
    assert "field limit: maximum 100 → 50" in message.splitlines()
    assert message.splitlines()[-1] == "Run: toolgen generate"
    assert result.stdout.splitlines()[-1] == "Run: toolgen generate"


def test_annotations_point_to_the_line_that_a_hand_has_changed(run: Run, project: Path) -> None:
    run("generate")
    file = project / "generated" / "desk" / "search.py"
    lines = file.read_text().splitlines(keepends=True)
    lines[20] = "changed = '100%'\n"
    file.write_text("".join(lines))
    ((path, line, message),) = annotations(run("check", "--format", "github").stdout)
    assert (path, line) == ("generated/desk/search.py", "21")
    assert message.splitlines()[0] == "generated/desk/search.py: edited by hand"


def test_a_design_error_is_annotated_on_its_line(run: Run, project: Path) -> None:
    (project / "designs" / "desk.py").write_text(DESIGN.replace("default=10", "default=1000"))
    result = run("check", "--format", "github")
    assert result.exit_code == 2
    ((path, line, message),) = annotations(result.stdout)
    assert (path, line) == ("designs/desk.py", "18")
    assert message.startswith("desk.search, field limit: ")


def test_of_very_many_files_the_rest_are_counted(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolgen.report.MOST_FILES", 2)
    lines = run("check").stdout.splitlines()
    assert sum("not generated yet" in line for line in lines) == 2
    assert lines[-3] == "... and 5 more files"
    told = json.loads(run("check", "--format", "json").stdout)["differences"]
    assert [difference["lines_left_out"] for difference in told] == [0, 0, None, None, None, None, None]


def test_the_diffs_that_no_longer_fit_are_counted_together(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("generate")
    (project / "designs" / "desk.py").write_text(DESIGN.replace("le=100", "le=50"))
    monkeypatch.setattr("toolgen.report.MOST_TOTAL_LINES", 5)
    lines = run("check").stdout.splitlines()
    assert sum(line.startswith("--- ") for line in lines) == 1
    at = next(number for number, line in enumerate(lines) if line.endswith(" more lines of this diff"))
    assert re.fullmatch(r"\.\.\. and diffs of 1 file more, \d+ lines", lines[at + 1])


def test_of_a_file_of_the_users_own_no_change_is_told(run: Run, project: Path) -> None:
    (project / "generated" / "desk").mkdir(parents=True)
    (project / "generated" / "desk" / "search.py").write_text("mine = 1\n")
    told = json.loads(run("check", "--format", "json").stdout)["differences"]
    assert [(d["path"], d["changes"]) for d in told if d["reason"] == "foreign"] == [("generated/desk/search.py", [])]


# --- show and decode --------------------------------------------------------------------------------------------------


def test_show_prints_a_definition_or_a_schema(run: Run, project: Path) -> None:
    definition = json.loads(run("show", "search").stdout)
    assert (definition["name"], definition["title"]) == ("search", "Search")
    assert definition["annotations"] == {"read_only": True}
    assert definition["injected"] == ["tenant", "today"]
    for side, names in (("model", ["query", "limit"]), ("execution", ["query", "limit", "cursor"])):
        schema = json.loads(run("show", "desk.search", "--input", side).stdout)
        assert schema == definition[side]
        assert sorted(schema["properties"]) == sorted(names)


def test_show_and_decode_take_designs_by_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bank.py").write_text(OTHER)
    assert json.loads(run("show", "pay", "--design", "bank.py").stdout)["name"] == "pay"
    assert json.loads(run("decode", "pay", "--design", "bank.py", stdin='{"bill": 7}').stdout) == {"bill": 7}


@pytest.mark.parametrize("command", ["show", "decode"])
def test_an_unknown_tool_is_told(run: Run, project: Path, command: str) -> None:
    result = run(command, "serch", stdin="{}")
    assert result.exit_code == 2
    assert "did you mean search?" in result.stderr


def test_decode_prints_the_value_and_its_mends(run: Run, project: Path) -> None:
    result = run("decode", "search", stdin='{"query": "vpn", "limit": null}')
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"query": "vpn", "limit": 10}
    assert result.stderr.startswith("mended /limit: ")
    told = json.loads(run("decode", "search", "--format", "json", stdin='{"query": "vpn", "limit": null}').stdout)
    assert told["value"] == {"query": "vpn", "limit": 10}
    assert [mend["path"] for mend in told["mends"]] == ["/limit"]


def test_decode_prints_the_json_that_the_codec_writes(run: Run, project: Path) -> None:
    """Names and values are those of JSON; what is missing and has no default stays missing."""
    fields = """
        from_: timedelta = field("From.", name="from")
        till: timedelta = field("Till.", name="un-til", default=timedelta(minutes=20))
        maybe: int = field("Maybe.", optional=True)
        null: int | None = field("Null.", default=None)
"""
    text = OTHER.replace('\n        bill: int = field("Number of the bill.")\n', fields)
    text = text.replace("from toolgen", "from datetime import timedelta\nfrom toolgen")
    (project / "designs" / "bank.py").write_text(text)
    value = json.loads(run("decode", "pay", stdin='{"from": "PT90S", "maybe": null}').stdout)
    assert value["from"] == "PT1M30S"
    assert value == {"from": "PT1M30S", "un-til": "PT20M", "null": None}


@pytest.mark.parametrize("text", ['{"query": "vpn"}', " {}", '["a"]', '"text"'])
def test_an_input_in_the_place_of_its_file_is_told_where_it_goes(text: str, run: Run, project: Path) -> None:
    result = run("decode", "search", text)
    assert result.exit_code == 2
    assert "this looks like JSON: give it on stdin, or in a file" in result.stderr


def test_the_help_tells_every_command_in_whole_words(run: Run, tmp_path: Path) -> None:
    commands = run("--help").stdout.partition("Commands:")[2]
    assert "init" in commands
    assert "..." not in commands


def test_decode_prints_what_the_model_would_get(run: Run, project: Path) -> None:
    (project / "input.json").write_text('{"qury": "vpn"}')
    result = run("decode", "search", "input.json")
    assert result.exit_code == 1
    assert "did you mean" in result.stdout.lower()
    told = json.loads(run("decode", "search", "input.json", "--format", "json").stdout)
    assert {(issue["path"], issue["constraint"]) for issue in told["issues"]} == {
        ("/qury", "unknown_field"),
        ("/query", "missing_field"),
    }
    assert told["text"] + "\n" == result.stdout


def test_decode_reads_a_submit_as_its_executor_does(run: Run, tmp_path: Path) -> None:
    design = OTHER.replace("import Toolset", "import Record, Toolset").partition("@bank.tool")[0]
    design += 'class Report(Record):\n    """A report."""\n\n    text: str = field("Text.")\n\n\n'
    for name, options in (("end", 'payload="report"'), ("flat", "flat=True")):
        declared = f'@bank.submit(name="{name}", {options})\nclass {name.title()}:\n'
        design += f'{declared}    """Ends."""\n\n    Response = Report\n\n\n'
    (tmp_path / "bank.py").write_text(design)
    written = json.dumps({"reasoning": 'r</reasoning><parameter name="report">{"text": "x"}'})
    result = run("decode", "end", "--design", "bank.py", stdin=written)
    assert json.loads(result.stdout) == {"reasoning": "r", "report": {"text": "x"}}
    assert "mended /report: taken from reasoning" in result.stderr
    result = run("decode", "flat", "--design", "bank.py", stdin='{"reasoning": "r", "text": "x"}')
    assert json.loads(result.stdout) == {"reasoning": "r", "text": "x"}
    for written, words in (
        ("{}", "parameter_absent (report)"),
        ('{"reasoning": "r", "report": {}}', "/report/text: is"),
    ):
        result = run("decode", "end", "--design", "bank.py", stdin=written)
        assert (result.exit_code, words in result.stdout) == (1, True)


def test_decode_of_bytes_that_are_no_text_is_a_refusal(run: Run, project: Path) -> None:
    assert run("decode", "search", stdin=b"\xff\xfe").exit_code == 1


def test_the_execution_input_takes_injected_fields_from_options(run: Run, project: Path) -> None:
    context = ["--context", 'tenant="acme"', "--context", 'today="2026-11-30"']
    result = run("decode", "search", "--input", "execution", *context, stdin='{"query": "vpn"}')
    assert json.loads(result.stdout) == {"query": "vpn", "limit": 10, "cursor": ""}


@pytest.mark.parametrize(
    ("context", "words"),
    [
        ([], "--context NAME=JSON"),
        (['tenant=""', 'today="2026-11-30"'], "tenant"),
        (['tenant="a"', 'today="soon"'], "today"),
        (["tenant"], "write NAME=JSON, such as"),
        (["tenant=6f1f"], "text needs quotes: tenant='\"6f1f\"'"),
        (["tenant=o'hara"], "text needs quotes: tenant="),
        (['tennant="a"'], "has no injected field tennant"),
    ],
)
def test_a_context_that_does_not_do_is_told_to_the_operator(
    run: Run, project: Path, context: list[str], words: str
) -> None:
    options = [word for pair in context for word in ("--context", pair)]
    result = run("decode", "search", "--input", "execution", *options, stdin='{"query": "vpn"}')
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""


def test_what_a_design_prints_is_kept_out_of_the_data(project: Path) -> None:
    (project / "designs" / "desk.py").write_text(DESIGN + "print('hello')\n")
    result = toolgen("show", "search", cwd=project)
    assert json.loads(result.stdout)["name"] == "search"


# --- the program ------------------------------------------------------------------------------------------------------


def test_the_version_is_told_without_loading_the_compiler(tmp_path: Path) -> None:
    code = (
        "import sys; from toolgen.cli import cli\n"
        "try: cli(['--version'])\n"
        "except SystemExit: pass\n"
        "heavy = {'black', 'jinja2', 'jsonschema', 'msgspec', 'toolgen.load', 'toolgen.emit'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert toolgen("--version", cwd=tmp_path).stdout.startswith("toolgen 0.")


def test_a_base_install_is_told_what_the_commands_need(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise ModuleNotFoundError('No module named click', name='click')\n")
    done = toolgen("--version", cwd=tmp_path, PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == "toolgen: click is not installed; the commands need: pip install 'toolgen[cli]'\n"


def test_output_that_is_no_terminal_has_no_colour(project: Path) -> None:
    done = toolgen("generate", cwd=project)
    assert "\x1b" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_gets_colour_unless_it_asks_for_none(
    project: Path, environment: dict[str, str], coloured: bool
) -> None:
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "toolgen", "generate"]
    clean: dict[str, Any] = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    done = subprocess.run(command, cwd=project, stderr=theirs, env={**clean, **environment})
    os.close(theirs)
    text = os.read(ours, 100_000).decode()
    os.close(ours)
    assert done.returncode == 0
    assert bool(re.search(r"\x1b\[[0-9;]*m", text)) == coloured


@pytest.mark.parametrize("command", ["generate", "check"])
def test_a_run_that_is_interrupted_is_neither_drift_nor_a_failure(run: Run, project: Path, command: str) -> None:
    design = next(project.rglob("*.py"))
    design.write_text(design.read_text(encoding="utf-8") + "\nraise KeyboardInterrupt\n", encoding="utf-8")
    result = run(command, str(design))
    assert result.exit_code == 130
    assert "interrupted" in result.stderr
