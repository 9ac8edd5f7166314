"""The cache saves time and changes nothing that a run finds, whatever happens to the project or to the cache."""

from __future__ import annotations

import ast
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from toolgen import cache, emit, project, sources, tasks
from toolgen.cli import cli

DESIGN = '''\
"""Tools of the desk."""

from __future__ import annotations

from shared import MOST, Item
from toolgen.dsl import Toolset, field

desk = Toolset("desk", "Tools of the desk.")


@desk.tool()
class Search:
    """Search tickets."""

    class Input:
        limit: int = field("Most to return.", default=10, le=MOST)
        items: list[Item] = field("Items.", default=[])
'''
SHARED = '''\
"""What designs share."""

from __future__ import annotations

from toolgen.dsl import Record, field

MOST = 100


class Item(Record):
    """An item."""

    name: str = field("Its name.")
'''
OTHER = (
    '"""Bank."""\n\nfrom toolgen.dsl import Toolset, field\n\nbank = Toolset("bank", "Bank.")\n\n\n@bank.tool()\n'
    + ('class Pay:\n    """Pay."""\n\n    class Input:\n        bill: int = field("Number.")\n')
)
SETTINGS = '[tool.toolgen]\ndesigns = ["designs/*.py"]\noutput = "generated"\n'

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in a project that was generated, with a cache beside it."""
    root = tmp_path / "project"
    (root / "designs").mkdir(parents=True)
    (root / "lib").mkdir()
    (root / "designs" / "desk.py").write_text(DESIGN)
    (root / "designs" / "bank.py").write_text(OTHER)
    (root / "shared.py").write_text(SHARED)
    (root / "pyproject.toml").write_text(SETTINGS)
    monkeypatch.chdir(root)
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "cache"))

    def run(*words: str) -> Result:
        return CliRunner().invoke(cli, words, prog_name="toolgen", catch_exceptions=False)

    assert run("generate").exit_code == 0
    assert run("check").exit_code == 0
    return run


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the designs that runs compile from here on."""
    names: list[str] = []
    real = project._compiled

    def compile_(job: project.Job, designs: list[Path], *others: object) -> object:
        names.extend(design.name for design in designs)
        return real(job, designs, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(project, "_compiled", compile_)
    return names


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of the files that runs print from here on."""
    paths: list[str] = []
    real = emit.Renderer.text

    def text(self: emit.Renderer, task: tasks.Task) -> str:
        paths.append(task.path)
        return real(self, task)

    monkeypatch.setattr(emit.Renderer, "text", text)
    return paths


def without_cache(run: Run) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(cache.VARIABLE, "off")
        return run("check")


def entries(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache").rglob("*.*"))


def test_what_did_not_change_is_not_compiled_again(run: Run, compiled: list[str]) -> None:
    assert run("check").exit_code == 0
    assert compiled == []
    Path("designs/bank.py").write_text(OTHER.replace("Number", "The number"))
    assert run("check").exit_code == 1
    assert compiled == ["bank.py"]
    assert run("generate").stderr == "updated bank.pay\n1 file written, 9 unchanged\n"
    assert compiled == ["bank.py"]


MORE = '''

@desk.tool()
class Close:
    """Close a ticket."""

    class Input:
        ticket: int = field("Its number.")
'''


@pytest.mark.parametrize("head", ["", "import os\n"], ids=["a plain design", "a design that may read anything"])
def test_of_a_changed_design_only_what_comes_out_otherwise_is_printed_again(
    run: Run, printed: list[str], head: str
) -> None:
    design = Path("designs/desk.py")
    design.write_text(text := DESIGN.replace("from shared", f"{head}from shared") + MORE)
    run("generate")
    for old, new, files in (
        ("class Close", "\n\n\nclass Close", []),
        ("Close a", "Close one", ["desk/__init__.py", "desk/close.py", "desk/handlers.py"]),
        ('Tools of the desk.")', 'All tools.")', ["desk/__init__.py", "desk/handlers.py"]),
        ("le=MOST", "le=99", ["desk/__init__.py", "desk/handlers.py", "desk/search.py"]),
    ):
        printed.clear()
        design.write_text(text := text.replace(old, new))
        run("generate")
        assert {*printed} >= {*files}
        assert {*printed} <= {*files, "desk/__init__.py", "desk/handlers.py"}
        assert without_cache(run).exit_code == 0
    Path("shared.py").write_text(SHARED.replace("Its name", "The name"))
    run("generate")
    assert "shared/types.py" in printed
    assert without_cache(run).exit_code == 0


def test_a_check_from_the_cache_loads_nothing_of_the_compiler(run: Run) -> None:
    code = (
        "import sys; from toolgen.cli import cli\n"
        "try: cli(['check'])\n"
        "except SystemExit as done: assert not done.code\n"
        "heavy = {'black', 'jinja2', 'jsonschema', 'toolgen.load', 'toolgen.emit'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "clean: 10 files as generated\n")


def replace_in(path: str, old: str, new: str) -> Callable[[], None]:
    def change() -> None:
        text = Path(path).read_text()
        assert old in text
        Path(path).write_text(text.replace(old, new))

    return change


def edit_file_and_lock() -> None:
    from toolgen.manifest import digest_of

    file, lock = Path("generated/desk/search.py"), Path("generated/toolgen.lock")
    before = digest_of(file.read_bytes())
    file.write_text(file.read_text() + "# more\n")
    lock.write_text(lock.read_text().replace(before, digest_of(file.read_bytes())))


CHANGES: dict[str, tuple[Callable[[], object], int]] = {
    "a design": (replace_in("designs/desk.py", "default=10", "default=11"), 1),
    "a module that a design imports": (replace_in("shared.py", "MOST = 100", "MOST = 50"), 1),
    "a Record that a design imports": (replace_in("shared.py", "Its name", "The name"), 1),
    "a module that comes before the imported one": (
        lambda: Path("designs/shared.py").write_text(SHARED.replace("100", "50")),
        1,
    ),
    "a package around a design": (lambda: Path("designs/__init__.py").write_text("raise ValueError"), 2),
    "a package in the place of the module": (
        lambda: (
            Path("shared").mkdir(),
            Path("shared/__init__.py").write_text(SHARED.replace("MOST = 100", "MOST = 50")),
        ),
        1,
    ),
    "a design that fails": (replace_in("designs/bank.py", '"Number."', '""'), 2),
    "a new design": (
        lambda: Path("designs/new.py").write_text(
            OTHER.replace('bank = Toolset("bank"', 'n = Toolset("n"').replace("bank.", "n.")
        ),
        1,
    ),
    "a design whose package meets another": (
        lambda: Path("designs/zz.py").write_text(OTHER.replace('Toolset("bank"', 'Toolset("desk"')),
        2,
    ),
    "a design that is gone": (lambda: Path("designs/bank.py").unlink(), 1),
    "a file and its lock entry together": (edit_file_and_lock, 1),
    "a file": (replace_in("generated/desk/search.py", "limit", "limt"), 1),
    "a missing lock": (lambda: Path("generated/toolgen.lock").unlink(), 1),
    "a missing file": (lambda: Path("generated/desk/search.py").unlink(), 1),
    "a folder in the place of a file": (
        lambda: (Path("generated/desk/search.py").unlink(), Path("generated/desk/search.py").mkdir()),
        1,
    ),
    "no output folder": (lambda: shutil.rmtree("generated"), 1),
    "another line length": (replace_in("pyproject.toml", "output", "line-length = 60\noutput"), 1),
    "CRLF": (
        lambda: [p.write_bytes(p.read_bytes().replace(b"\n", b"\r\n")) for p in Path("generated").rglob("*.*")],
        0,
    ),
    "files of the user's own": (lambda: Path("generated/desk/mine.py").write_text("mine"), 0),
    "bytecode": (lambda: (Path("generated/__pycache__").mkdir(), Path("generated/__pycache__/x.pyc").touch()), 0),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_warm_cache_finds_what_no_cache_finds(run: Run, change: str) -> None:
    act, code = CHANGES[change]
    act()
    warm, again, cold = run("check"), run("check"), without_cache(run)
    assert (warm.exit_code, warm.output) == (cold.exit_code, cold.output)
    assert (again.exit_code, again.output) == (cold.exit_code, cold.output)
    assert cold.exit_code == code, cold.output


def test_changed_code_or_templates_of_toolgen_make_the_cache_useless(
    run: Run, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "_toolchain", lambda: ["another"])
    assert run("check").exit_code == 0
    assert sorted(compiled) == ["bank.py", "desk.py"]


def test_toolgens_own_code_and_templates_are_part_of_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "toolgen"
    shutil.copytree(Path(cache.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(Path(cache.__file__).parents[1] / "templates", tmp_path / "templates")
    monkeypatch.setattr(cache, "__file__", str(package / "cache.py"))
    seen = {tuple(cache._toolchain.__wrapped__())}
    for path in (package / "emit.py", package / "runtime" / "codec.py", tmp_path / "templates" / "tool.py.jinja"):
        path.write_text(path.read_text() + "\n")
        seen.add(tuple(cache._toolchain.__wrapped__()))
    assert len(seen) == 4


def test_each_library_that_the_compiler_asks_is_part_of_the_key() -> None:
    package = Path(cache.__file__).parent
    files = [*package.glob("*.py"), *(package / "design").glob("*.py"), *(package / "layout").glob("*.py")]
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    tops = {name.partition(".")[0] for name in names} - set(sys.stdlib_module_names) - {"toolgen"}
    elsewhere = {"click", "annotationlib"}  # of the command line, and of the standard library from 3.14 on
    assert tops - elsewhere <= set(cache._LIBRARIES)


@pytest.mark.parametrize("damage", [b"", b"{}", b"0" * 64 + b"\n{}", None])
def test_a_damaged_cache_costs_time_and_nothing_else(run: Run, tmp_path: Path, damage: bytes | None) -> None:
    Path("generated/desk/search.py").unlink()
    assert entries(tmp_path)
    for entry in entries(tmp_path):
        if damage is None:
            entry.write_bytes(entry.read_bytes()[:-9])
        else:
            entry.write_bytes(damage)
    assert run("check").exit_code == 1
    assert run("generate").exit_code == 0
    assert without_cache(run).exit_code == 0


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_texts_that_are_lost_are_made_again(run: Run, tmp_path: Path, damage: bytes | None) -> None:
    Path("generated/desk/search.py").unlink()
    for entry in entries(tmp_path):
        if entry.suffix == ".texts":
            entry.unlink() if damage is None else entry.write_bytes(damage)
    cache._texts.cache_clear()
    assert run("generate").exit_code == 0
    assert without_cache(run).exit_code == 0


def test_a_cache_inside_the_project_is_not_trusted(
    run: Run, compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(tmp_path / "cache", "inside")
    Path("linked").symlink_to(Path("inside").absolute())
    (tmp_path / "link").symlink_to(Path("inside").absolute())
    for place in ("inside", "linked", str(tmp_path / "link")):
        monkeypatch.setenv(cache.VARIABLE, place)
        assert run("check").exit_code == 0
    assert sorted(compiled) == ["bank.py", "desk.py"] * 3 or len(compiled) == 6


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX systems")
def test_a_cache_that_others_can_write_to_is_not_trusted(run: Run, compiled: list[str], tmp_path: Path) -> None:
    (tmp_path / "cache").chmod(0o777)
    assert run("check").exit_code == 0
    assert len(compiled) == 2


@pytest.mark.parametrize("word", ["off", "0", ""])
def test_the_cache_can_be_switched_off(
    run: Run, compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    shutil.rmtree(tmp_path / "cache")
    monkeypatch.setenv(cache.VARIABLE, word)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert run("check").exit_code == 0
    assert len(compiled) == 2
    assert not (tmp_path / "cache").exists()
    assert not (tmp_path / "home").exists()


@pytest.mark.skipif(os.name == "nt", reason="folders of POSIX systems")
def test_the_usual_place_is_the_users_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cache.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setattr(cache.sys, "platform", "linux")
    assert cache.open_for(tmp_path / "project", [tmp_path / "project"], {}) is not None
    assert stat.S_IMODE((tmp_path / "xdg" / "toolgen").stat().st_mode) == 0o700


def test_a_cache_that_cannot_be_written_stops_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "file"))
    assert run("check").exit_code == 0


def test_entries_that_nobody_used_for_long_are_deleted(run: Run, tmp_path: Path) -> None:
    before = entries(tmp_path)
    for file in (tmp_path / "cache" / f"v{cache.FORMAT}").iterdir():
        os.utime(file, (0, 0))
    Path("designs/bank.py").write_text(OTHER.replace("Number", "The number"))
    run("check")
    gone = set(before) - set(entries(tmp_path))
    assert sorted(file.suffix for file in gone) == [".json", ".texts"]  # those of the design that was another
    assert run("check").exit_code == 1


# --- which designs are kept -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "import os",
        "import random",
        "import msgspec",
        "from datetime import date; LIMIT = date.today().year",
        "from datetime import datetime as d; LIMIT = d.now().year",
        "from uuid import uuid4",
        "import uuid; KEY = uuid.uuid7()",
        "from datetime import datetime; LIMIT = datetime(2026, 1, 1).timestamp()",
        "import jinja2",
        "LIMIT = len(open('limit.txt').read())",
        "exec('LIMIT = 1')",
        "from pathlib import Path",
        "LIMIT = [*{'a', 'b'}][0]",
        "LIMIT = ().__class__.__base__",
        "LIMIT = __import__('os').environ",
        "x: 'Literal[date.today().year]' = 1",
        "from shared import *",
        "def (",
    ],
)
def test_a_design_that_may_read_more_than_its_own_text_is_not_kept(tmp_path: Path, line: str) -> None:
    (tmp_path / "shared.py").write_text(SHARED)
    (tmp_path / "design.py").write_text(f"{line}\n")
    (tmp_path / "jinja2").mkdir()  # of a library's name, and no module
    with pytest.raises(sources.NotPlainError):
        sources.inputs_of(tmp_path / "design.py", tmp_path)


def test_nor_is_one_that_imports_such_a_module(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("from .inner import A\n")
    (tmp_path / "pkg" / "inner.py").write_text("A = 1\n")
    (tmp_path / "design.py").write_text("from pkg.inner import A\n")
    found = sources.inputs_of(tmp_path / "design.py", tmp_path)
    kept = {os.path.relpath(path, tmp_path) for path, content in found.items() if content is not None}
    assert kept == {"design.py", "pkg/__init__.py", "pkg/inner.py"}
    (tmp_path / "pkg" / "inner.py").write_text("import os\nA = 1\n")
    with pytest.raises(sources.NotPlainError):
        sources.inputs_of(tmp_path / "design.py", tmp_path)


def test_the_packages_around_a_design_are_read_since_they_run_before_it(tmp_path: Path) -> None:
    design = tmp_path / "acme" / "tools" / "deep" / "desk.py"
    design.parent.mkdir(parents=True)
    design.write_text("A = 1\n")
    (tmp_path / "acme" / "__init__.py").write_text("import os\n")
    (tmp_path / "acme" / "tools" / "__init__.py").write_text("from . import words\n")
    (tmp_path / "acme" / "tools" / "words.py").write_text("A = 1\n")
    first = design.parent / "__init__.py"
    assert sources.inputs_of(design, tmp_path)[str(first)] is None  # one that comes to be there counts
    first.touch()
    with pytest.raises(sources.NotPlainError, match="os"):
        sources.inputs_of(design, tmp_path)
    (tmp_path / "acme" / "__init__.py").write_text("")
    found = sources.inputs_of(design, tmp_path)
    kept = {os.path.relpath(path, tmp_path / "acme") for path, content in found.items() if content is not None}
    assert kept == {
        "__init__.py",
        "tools/__init__.py",
        "tools/deep/__init__.py",
        "tools/deep/desk.py",
        "tools/words.py",
    }


def test_the_example_designs_are_kept() -> None:
    root = Path(__file__).parents[1]
    for design in (root / "designs").glob("*.py"):
        assert sources.inputs_of(design, root)
