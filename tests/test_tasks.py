"""A file is known by what it is printed from: equal sources, equal files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from toolgen import ir
from toolgen.emit import Options, Renderer
from toolgen.load import load

ROOT = Path(__file__).parents[1]
DESIGNS = sorted((ROOT / "designs").glob("*.py"))
OPTIONS = Options(import_root="generated", formatted=False)


def known(program: ir.Program, options: Options = OPTIONS) -> dict[str, str]:
    """The digest of each file, by path."""
    renderer = Renderer(program, options)
    return {task.path: renderer.digest(task) for task in [*renderer.tasks.of_output(), *renderer.tasks.of_contracts()]}


def printed(program: ir.Program) -> Iterator[tuple[str, str]]:
    """Each file by its digest."""
    renderer = Renderer(program, OPTIONS)
    for task in [*renderer.tasks.of_output(), *renderer.tasks.of_contracts()]:
        yield renderer.digest(task), renderer.text(task)


@pytest.fixture(scope="module")
def program() -> ir.Program:
    return load(DESIGNS, root=ROOT)


def altered(program: ir.Program) -> Iterator[ir.Program]:
    """The program with one thing changed: each tool in turn, and each package's Records and enumerations."""
    for at, package in enumerate(program.packages):
        for changed in changes(package):
            yield ir.Program((*program.packages[:at], changed, *program.packages[at + 1 :]))


def changes(package: ir.Package) -> Iterator[ir.Package]:
    toolset = package.toolset
    for number, tool in enumerate(toolset.tools if toolset else ()):
        assert toolset is not None
        again = tool.replace(description=f"{tool.description} Anew.")
        tools = (*toolset.tools[:number], again, *toolset.tools[number + 1 :])
        yield package.replace(toolset=toolset.replace(tools=tools))
    if package.records:
        yield package.replace(records=tuple(map(described_anew, package.records)))
    if package.enums:
        enums = tuple(e.replace(description=f"{e.description} Anew.") for e in package.enums)
        yield package.replace(enums=enums)


def described_anew(record: ir.Record) -> ir.Record:
    fields = tuple(field.replace(description=f"{field.description} Anew.") for field in record.fields)
    return record.replace(fields=fields)


def test_files_of_one_digest_are_equal_whatever_has_changed_beside_them(program: ir.Program) -> None:
    found = dict(printed(program))
    assert len(found) == len(known(program))
    changed = 0
    for other in altered(program):
        for digest, text in printed(other):
            changed += digest not in found
            assert found.setdefault(digest, text) == text
    assert changed > len(DESIGNS)


def test_most_files_keep_their_digest_when_one_tool_changes(program: ir.Program) -> None:
    before = known(program)
    for other in altered(program):
        after = known(other)
        beside = {path for path in after if after[path] != before[path]}
        assert beside
        assert len({path.partition("/")[0] for path in beside if "/" in path}) < len(DESIGNS)


def test_a_design_by_itself_has_the_digests_that_it_has_among_others(program: ir.Program) -> None:
    together = known(program)
    for design in DESIGNS:
        alone = known(load([design], root=ROOT))
        assert {path: together[path] for path in alone} == alone


def test_where_a_design_declares_something_counts_for_nothing(program: ir.Program, tmp_path: Path) -> None:
    for design in DESIGNS:
        head, future, rest = design.read_text(encoding="utf-8").partition("from __future__")
        (tmp_path / design.name).write_text(f"{head}\n\n\n{future}{rest}", encoding="utf-8")
    moved = load([tmp_path / design.name for design in DESIGNS], root=tmp_path)
    assert {*known(moved).values()} & {*known(program).values()}


def test_the_options_count(program: ir.Program) -> None:
    digests = [known(program, o) for o in (OPTIONS, Options(60, formatted=False), Options(), Options(formatted=False))]
    assert all(len({found[path] for found in digests}) == len(digests) for path in digests[0])
