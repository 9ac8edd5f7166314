"""Running design files: what goes wrong is told with the design's own line, and the process is left as it was."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import pytest

from toolgen.load import DesignError, load

GOOD = '''"""A design."""

from toolgen.dsl import Record, Toolset, field

desk = Toolset("{name}", "A desk.")


class Note(Record):
    """A note."""

    text: str = field("{text}")
'''


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def problems(folder: Path, *paths: Path) -> list[str]:
    with pytest.raises(DesignError) as caught:
        load(list(paths), root=folder)
    return [problem.render() for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("x = 1\ny = z\n", 2, "running the design raised NameError: name 'z' is not defined"),
        ("import sys\n\nsys.exit(3)\n", 3, "raised SystemExit: 3"),
        ("raise SystemExit\n", 1, "raised SystemExit."),
        ("raise GeneratorExit\n", 1, "raised GeneratorExit."),
        ("class Odd(BaseException):\n    def __str__(self):\n        return 1 / 0\nraise Odd\n", 4, "raised Odd."),
        ("def f():\n    return 1 / 0\n\nf()\n", 2, "raised ZeroDivisionError"),
        ("import json\njson.loads('{')\n", 2, "raised JSONDecodeError"),
        ("x = 1\n\ny: strr = 5\n", 3, "NameError: name 'strr' is not defined. Did you mean str? Import strr or"),
        ("x: Later = 1\n", 1, "If it is a type, put `from __future__ import annotations` at the top"),
        ("from __future__ import annotations\nx = Later\n", 2, "Import Later or define it above."),
        ("x = 1 +\n", 1, "does not parse: invalid syntax, at column 8"),
        ("x = (\n", 1, "does not parse"),
        ("x = 1\n  y = 2\n", 2, "does not parse: unexpected indent"),
        ("x = '\\ud800' 5\n", 1, "does not parse"),
        (b"x = '\xff'\n", 1, "does not parse"),
        (b"x = 1\0\n", 1, "does not parse"),
        ("x = " + "-" * 100_000 + "1\n", 1, "does not parse"),
        ("import nowhere_at_all\n", 1, "install it there, or correct the name"),
        ("from toolgen.dsl import restore\n", 1, "Did you mean restored? Import what"),
        ("from toolgen.dsl import field\n\nx = field('a', 5)\n", 3, "raised TypeError"),
        ("x = 1\n", 1, "declares no toolset and no Record"),
        ("", 1, "declares no toolset and no Record"),
        ("raise ValueError('a\\nb')\n", 1, "raised ValueError: a. Mend"),
        ("raise ValueError('\\ud800')\n", 1, "raised ValueError: \\ud800"),
    ],
)
def test_a_design_that_fails_is_reported_at_its_own_line(
    text: str | bytes, line: int, words: str, tmp_path: Path
) -> None:
    (told,) = problems(tmp_path, write(tmp_path, "desk.py", text))
    assert told.startswith(f"desk.py:{line}: ")
    assert words in told
    told.encode("utf-8")


def test_a_failing_helper_is_reported_once_and_with_who_imports_it(tmp_path: Path) -> None:
    write(tmp_path, "designs/helper.py", "x = 1\n\nraise ValueError('no')\n")
    paths = [write(tmp_path, f"designs/{name}.py", "\nimport helper\n") for name in "ab"]
    told = problems(tmp_path, *paths)
    assert "designs/helper.py:3: running the design raised ValueError: no (imported by designs/a.py:2)" in told[0]
    assert len(told) == 1


@pytest.mark.parametrize("between", [(), ("c",)], ids=["two files", "three files"])
@pytest.mark.parametrize("form", ["from {} import {}", "from designs.{} import {}"])
def test_designs_that_import_each_other_are_told_so_once(tmp_path: Path, between: tuple[str, ...], form: str) -> None:
    chain = ["a", "b", *between, "a"]
    paths = []
    for name, other in itertools.pairwise(chain):
        text = f'"""M."""\n\n{form.format(other, other.upper())}\n{name.upper()} = 1\n'
        paths.append(write(tmp_path, f"designs/{name}.py", text))
    (told,) = problems(tmp_path, *paths)
    last = chain[-2]
    assert told == (
        f"designs/{last}.py:3: it imports from designs/a.py, which imports it in turn and is not done yet. "
        "Put what both need into a file of its own, and import it from there."
    )


def test_a_helper_that_does_not_parse_is_reported_at_its_line(tmp_path: Path) -> None:
    write(tmp_path, "helper.py", "x = 1\ny = (\n")
    (told,) = problems(tmp_path, write(tmp_path, "desk.py", "import helper\n"))
    assert told.startswith("helper.py:2: the file does not parse")


def test_a_failing_design_does_not_hide_the_problems_of_others(tmp_path: Path) -> None:
    bad = write(tmp_path, "bad.py", "1 / 0\n")
    worse = write(tmp_path, "worse.py", GOOD.format(name="worse", text=""))
    assert [line.partition(":")[0] for line in problems(tmp_path, worse, bad)] == ["bad.py", "worse.py"]


def test_paths_that_are_no_designs_are_problems(tmp_path: Path) -> None:
    text = write(tmp_path, "notes.txt", "")
    told = problems(tmp_path, tmp_path / "none.py", tmp_path, text)
    assert len(told) == 3
    assert "none.py:1: there is no such file" in told[1]


def test_an_interrupt_is_no_problem_of_a_design(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        load([write(tmp_path, "desk.py", "raise KeyboardInterrupt\n")], root=tmp_path)


def test_the_process_is_left_as_it_was(tmp_path: Path) -> None:
    write(tmp_path, "designs/helper.py", "import sys\nsys.path.append('elsewhere')\n")
    path = write(tmp_path, "designs/desk.py", "import designs.helper, helper\n" + GOOD.format(name="desk", text="T."))
    before = list(sys.path), list(sys.meta_path), sys.dont_write_bytecode
    load([path], root=tmp_path)
    assert (list(sys.path), list(sys.meta_path), sys.dont_write_bytecode) == before
    assert not {"desk", "helper", "designs", "designs.helper"} & sys.modules.keys()
    assert not list(tmp_path.rglob("__pycache__"))


def test_a_folder_of_the_project_comes_before_one_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("elsewhere", "project"):
        write(tmp_path, f"{place}/designs/common.py", f"NAME = {place!r}\n")
    monkeypatch.syspath_prepend(tmp_path / "elsewhere")
    text = "from designs.common import NAME\n" + GOOD.format(name="x", text="T.").replace('"x"', "NAME")
    path = write(tmp_path, "project/desk.py", text)
    assert load([path], root=tmp_path / "project").packages[0].name == "project"


def test_a_design_is_read_afresh_each_time(tmp_path: Path) -> None:
    path = write(tmp_path, "desk.py", "from helper import TEXT\n" + GOOD.format(name="desk", text='" + TEXT + "'))
    for text in ("one", "two"):
        write(tmp_path, "helper.py", f"TEXT = {text!r}\n")
        assert load([path], root=tmp_path).packages[0].records[0].fields[0].description == text


def test_what_a_design_prints_goes_to_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load([write(tmp_path, "desk.py", "print('hello')\n" + GOOD.format(name="desk", text="T."))], root=tmp_path)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "hello\n")


def test_designs_of_one_stem_in_two_folders_are_two_modules(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        write(tmp_path, f"{folder}/common.py", f"NAME = {folder!r}\n")
        write(
            tmp_path,
            f"{folder}/desk.py",
            "from common import NAME\n" + GOOD.format(name="x", text="T.").replace('"x"', "NAME"),
        )
    found = load([tmp_path / "two" / "desk.py", tmp_path / "one" / "desk.py"], root=tmp_path)
    assert [(p.name, p.source) for p in found.packages] == [("one", "one/desk.py"), ("two", "two/desk.py")]
    assert [r.key.package for p in found.packages for r in p.records] == ["one", "two"]


@pytest.mark.parametrize("name", ["calendar.py", "json.py", "toolgen.py", "my-desk.py", "msgspec.py", "2026.py"])
def test_a_design_may_be_named_like_a_module_or_like_none(name: str, tmp_path: Path) -> None:
    path = write(tmp_path, name, "import json\njson.dumps(1)\n" + GOOD.format(name="desk", text="T."))
    assert load([path], root=tmp_path).packages[0].source == name


def test_designs_in_a_package_may_import_each_other_relatively(tmp_path: Path) -> None:
    write(tmp_path, "app/__init__.py", "")
    write(tmp_path, "app/designs/__init__.py", "")
    write(tmp_path, "app/designs/common.py", GOOD.format(name="common", text="T."))
    text = "from .common import Note\nfrom app.designs import common\nassert common.Note is Note\n"
    path = write(
        tmp_path, "app/designs/desk.py", text + GOOD.format(name="desk", text="T.").replace("class Note", "class Own")
    )
    assert [p.name for p in load([path], root=tmp_path).packages] == ["common", "desk"]


def test_a_module_of_the_process_does_not_stand_in_for_a_projects_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stale = type(sys)("helper")
    stale.__file__ = str(tmp_path / "helper.py")
    monkeypatch.setitem(sys.modules, "helper", stale)
    write(tmp_path, "helper.py", "TEXT = 'fresh'\n")
    path = write(tmp_path, "desk.py", "from helper import TEXT\n" + GOOD.format(name="desk", text='" + TEXT + "'))
    assert load([path], root=tmp_path).packages[0].records[0].fields[0].description == "fresh"
    assert sys.modules["helper"] is stale


def test_a_file_outside_the_root_is_named_as_the_user_wrote_it(tmp_path: Path) -> None:
    path = write(tmp_path, "elsewhere/desk.py", "1 / 0\n")
    (told,) = problems(tmp_path / "root", path)
    assert told.startswith(f"{path.as_posix()}:1: ")


def test_a_linked_design_is_named_by_the_link_below_the_root(tmp_path: Path) -> None:
    real = write(tmp_path, "real/desk.py", GOOD.format(name="desk", text=""))
    (tmp_path / "root").symlink_to(tmp_path / "real")
    (told,) = problems(tmp_path / "root", tmp_path / "root" / "desk.py")
    assert told.startswith("desk.py:11: ")
    assert real.exists()


def test_a_file_whose_name_makes_no_package_needs_a_toolset(tmp_path: Path) -> None:
    text = GOOD.format(name="x", text="T.").replace('desk = Toolset("x", "A desk.")\n', "")
    (told,) = problems(tmp_path, write(tmp_path, "my-types.py", text))
    assert "package named 'my-types'" in told
