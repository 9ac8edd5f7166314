"""Rendering in several processes gives what one gives."""

from __future__ import annotations

import multiprocessing
import shutil
from pathlib import Path

import pytest

from toolgen import emit, ir, parallel, project
from toolgen.emit import Options
from toolgen.load import DesignError, load

ROOT = Path(__file__).parents[1]
OPTIONS = Options(import_root="generated")


@pytest.fixture(scope="module")
def program() -> ir.Program:
    return load(sorted((ROOT / "designs").glob("*.py")), root=ROOT)


@pytest.mark.parametrize("processes", [1, 3])
def test_every_number_of_processes_gives_the_same(
    program: ir.Program, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("runs in one process here")
    monkeypatch.setattr(parallel, "ENOUGH", 4)
    monkeypatch.setattr(parallel, "processors", lambda: processes)
    told: list[tuple[int, int]] = []
    output, tests = parallel.render(program, OPTIONS, contracts=True, progress=lambda done, of: told.append((done, of)))
    assert output == emit.render(program, OPTIONS)
    assert tests == emit.render_contracts(program, OPTIONS)
    assert told == [(number, len(told)) for number in range(1, len(told) + 1)]


def test_a_fault_in_another_process_reaches_the_caller(program: ir.Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "ENOUGH", 4)
    monkeypatch.setattr(parallel, "processors", lambda: 2)
    monkeypatch.setattr(emit, "laid_out", lambda text, width: f"{text}\nx = (")  # as a faulty template would
    with pytest.raises(SyntaxError):
        parallel.render(program, OPTIONS, contracts=False)


def test_a_design_by_itself_gives_what_it_gives_among_others(program: ir.Program) -> None:
    """The cache stands on this: it puts together what designs gave in different runs."""
    together = emit.render(program, OPTIONS)
    for design in sorted((ROOT / "designs").glob("*.py")):
        alone = emit.render(load([design], root=ROOT), OPTIONS)
        assert {path: together[path] for path in alone} == alone


def test_designs_go_into_groups_of_much_the_same_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "processors", lambda: 2)
    monkeypatch.setattr(parallel, "ENOUGH_TEXT", 100)
    designs = [tmp_path / f"{number}.py" for number in range(9)]
    for design in designs:
        design.write_text("#" * 50)
    groups = parallel.groups(designs)
    assert sorted(design for group in groups for design in group) == designs
    assert sorted(map(len, groups)) == [2, 2, 2, 3]
    assert parallel.groups(designs[:1]) == [designs[:1]]


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> project.Job:
    """A run over several designs, each in a group of its own."""
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("runs in one process here")
    monkeypatch.setattr(parallel, "processors", lambda: 2)
    monkeypatch.setattr(parallel, "ENOUGH_TEXT", 1)
    for design in (ROOT / "designs").glob("*.py"):
        shutil.copy(design, tmp_path)
    files = tuple(sorted(tmp_path.glob("*.py")))
    designs = project.Designs(tmp_path, files, (), everything=True)
    return project.Job(designs, tmp_path / "generated", tmp_path / "contracts", "generated", 88)


def test_groups_of_designs_give_what_they_give_together(job: project.Job, program: ir.Program) -> None:
    told: list[tuple[int, int]] = []
    build = project.compile_job(job, progress=lambda done, of: told.append((done, of)), kept=False)
    output, tests = (area.files for area in build.areas)
    assert {path: file.text for path, file in output.items()} == {
        path: file.text for path, file in emit.render(load(job.designs.files, root=job.designs.root), OPTIONS).items()
    }
    assert len(tests) == len(emit.render_contracts(program, OPTIONS))
    number = len(job.designs.files)
    assert told == [(done, number) for done in range(1, number + 1)]


def test_what_is_wrong_with_designs_in_groups_is_told_as_of_all_together(job: project.Job) -> None:
    for design in job.designs.files:
        design.write_text(design.read_text().replace('"""', '"""', 1) + "\n1 / 0\n")
    with pytest.raises(DesignError) as caught:
        project.compile_job(job, kept=False)
    assert len(caught.value.problems) == len(job.designs.files)


def test_a_group_whose_process_is_killed_is_compiled_again(job: project.Job) -> None:
    design = job.designs.files[0]
    design.write_text(
        design.read_text()
        + "\nimport multiprocessing, os, signal\n"
        + "if multiprocessing.parent_process(): os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert project.compile_job(job, kept=False).areas[0].files
