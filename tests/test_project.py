"""Runs: which designs they compile, and that the example designs are as they were generated."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolgen import files, project, settings
from toolgen.settings import Settings, SettingsError

ROOT = Path(__file__).parents[1]


def test_every_python_generates_the_bytes_that_are_checked_in() -> None:
    job = project.plan(settings.find(ROOT), [], None)
    differences = files.compare(project.compile_job(job)).differences
    assert [(str(difference.path), difference.explanation) for difference in differences] == []


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("designs/b.py", "designs/a.py", "designs/_common.py", "designs/deep/c.py", "designs/notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path.resolve()


def found(root: Path, *named: str, designs: tuple[str, ...] = ()) -> list[str]:
    set_ = Settings(root=root, file=root / "pyproject.toml", designs=designs)
    result = project.find_designs(set_, [root / name for name in named])
    return [path.relative_to(root).as_posix() for path in result.files]


@pytest.mark.parametrize(
    ("designs", "names"),
    [
        (("designs/*.py",), ["designs/a.py", "designs/b.py"]),
        (("designs",), ["designs/a.py", "designs/b.py", "designs/deep/c.py"]),
        (("designs/**/*.py", "designs/a.py"), ["designs/a.py", "designs/b.py", "designs/deep/c.py"]),
        (("designs/b.py", "designs/_common.py"), ["designs/_common.py", "designs/b.py"]),
    ],
)
def test_designs_are_files_folders_or_patterns(designs: tuple[str, ...], names: list[str], root: Path) -> None:
    assert found(root, designs=designs) == names
    if "*" not in "".join(designs):
        assert found(root, *designs) == names


def test_a_folder_without_designs_is_told(root: Path) -> None:
    (root / "empty").mkdir()
    with pytest.raises(SettingsError, match=r"empty holds no design \(\*\.py\)"):
        found(root, "empty")


@pytest.mark.parametrize(
    ("named", "covered"),
    [
        ([], ["designs/a.py", "designs/deep/c.py", "gone.py", None]),
        (["designs/a.py"], ["designs/a.py"]),
        (["designs/deep"], ["designs/deep/c.py"]),
        (["designs"], ["designs/a.py", "designs/deep/c.py"]),
    ],
)
def test_a_run_speaks_for_the_designs_it_was_given(named: list[str], covered: list[str | None], root: Path) -> None:
    set_ = Settings(root=root, file=root / "pyproject.toml", designs=("designs",))
    covers = project.find_designs(set_, [root / name for name in named]).coverage()
    sources = ["designs/a.py", "designs/deep/c.py", "gone.py", None]
    assert [source for source in sources if covers(source)] == covered


def test_without_settings_designs_are_named_from_the_folder_that_holds_them_and_the_output(root: Path) -> None:
    none = Settings(root=Path("/"))
    assert project.find_designs(none, [root / "designs/a.py"], root / "out").root == root
    assert project.find_designs(none, [root / "designs/a.py"], root / "designs/out").root == root / "designs"
