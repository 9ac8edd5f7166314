"""Rendering in several processes gives what one gives."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from toolgen import emit, ir, parallel
from toolgen.emit import Options
from toolgen.load import load

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
    def broken(text: str, name: str, *rest: object, **more: object) -> None:
        raise SyntaxError(name)

    monkeypatch.setattr(parallel, "ENOUGH", 4)
    monkeypatch.setattr(parallel, "processors", lambda: 2)
    monkeypatch.setattr(emit, "compile", broken, raising=False)
    with pytest.raises(SyntaxError):
        parallel.render(program, OPTIONS, contracts=False)


def test_a_design_by_itself_gives_what_it_gives_among_others(program: ir.Program) -> None:
    """The cache stands on this: it puts together what designs gave in different runs."""
    together = emit.render(program, OPTIONS)
    for design in sorted((ROOT / "designs").glob("*.py")):
        alone = emit.render(load([design], root=ROOT), OPTIONS)
        assert {path: together[path] for path in alone} == alone
