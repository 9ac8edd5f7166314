"""README and docs do what they say: every command and snippet in them is run, in order, in a scratch git repository.

A block of ``python file=NAME``, or another language, is written to that file; other ``python`` blocks run in one
namespace, and a ``text`` block straight after one must be what it prints. The lines of a ``console`` block that begin
with ``$`` are run, and must succeed. A ``toml`` block must parse.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from toolgen import dsl
from toolgen.settings import Settings

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run_console(text: str, folder: Path) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    who = {f"GIT_{role}_{what}": "x@example.com" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    variables = {**os.environ, **who, "PATH": path}
    for line in text.splitlines():
        command = line.removeprefix("$ ")
        if command == line:
            continue
        if command.startswith("make "):
            command, where = f"{command} --dry-run", ROOT
        else:
            where = folder
        done = subprocess.run(command, shell=True, cwd=where, env=variables, capture_output=True)
        assert done.returncode == 0, f"{command}\n{done.stdout.decode()}\n{done.stderr.decode()}"


@pytest.mark.once
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_and_snippet_of_a_document_runs(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "--quiet", "."], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    namespace: dict[str, object] = {"__name__": "document"}
    printed = ""
    for match in BLOCK.finditer(document.read_text(encoding="utf-8")):
        language, file, text = match.groups()
        if file:
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(text, encoding="utf-8")
        elif language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, document.name, "exec"), namespace)
            printed = out.getvalue()
            continue
        elif language == "text" and printed:
            assert text == printed
        elif language == "console":
            run_console(text, tmp_path)
        elif language == "toml":
            tomllib.loads(text)
        printed = ""
    for name in set(sys.modules) - before:
        file_of = getattr(sys.modules[name], "__file__", None) or ""
        if file_of.startswith(str(tmp_path)):
            del sys.modules[name]


def test_every_link_between_documents_leads_to_a_file() -> None:
    for document in DOCUMENTS:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


def test_the_readme_gives_each_dependency_its_reason() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = {re.split(r"[<>=\[~!; ]", need)[0] for needs in (project["dependencies"], *extras) for need in needs}
    assert [name for name in sorted(wanted - {"toolgen"}) if name not in readme] == []


def test_the_language_page_names_every_parameter_of_the_language() -> None:
    page = (ROOT / "docs" / "design-language.md").read_text(encoding="utf-8")
    page = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    spoken = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]+`", page))))
    public = [getattr(dsl, name) for name in dsl.__all__ if name != "Record"]
    public += [dsl.Record.__init_subclass__, dsl.Toolset.tool, dsl.Toolset.submit]
    hidden = {"self", "misplaced", "unknown", "options"}
    wanted = {name for one in public for name in inspect.signature(one).parameters} - hidden
    assert sorted(wanted - spoken) == []


def test_one_page_lists_every_setting() -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z-]+)` \|", page.partition("## Settings")[2].partition("\n## ")[0], re.MULTILINE)
    assert listed == [name.replace("_", "-") for name in Settings.__struct_fields__ if name not in ("root", "file")]
