"""What ``toolgen init`` writes: a first design, the settings, and the lines for CI. It overwrites nothing."""

from __future__ import annotations

import os
import posixpath
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from toolgen import __version__, atomic, manifest, project
from toolgen.paths import shown
from toolgen.settings import FILE_NAME, Settings, SettingsError, derive_package, parse, read_table

DESIGN = '''\
"""Tools of the help desk. Change this file, then run: toolgen generate"""

from __future__ import annotations

from datetime import date
from typing import Literal

from toolgen.dsl import Record, Toolset, field, injected

helpdesk = Toolset("helpdesk", "Search and answer support tickets.")


class Ticket(Record):
    """A support ticket."""

    number: int = field("Ticket number.", ge=1)
    title: str = field("First line of the ticket.")
    opened: date = field("Day it was opened.")


@helpdesk.tool(read_only=True, example={"query": "vpn", "status": "open"})
class SearchTickets:
    """Search tickets by free text, newest first."""

    class Input:
        query: str = field("Free text to look for.", min_length=1, max_length=200)
        status: Literal["open", "closed", "any"] = field("Which tickets to search.", default="any")
        opened_after: date = field("Only tickets opened after this day.", optional=True)
        limit: int = field("Most tickets to return.", default=10, ge=1, le=100)
        # The model never sees an injected field: your code fills it in.
        tenant: str = injected("Tenant of the signed-in user.", min_length=1)

    class Result:
        tickets: list[Ticket] = field("The matching tickets.")
'''

WORKFLOW = f"""\
# Fails when the designs and the generated code have drifted apart.
name: toolgen
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      # If your designs import your own package, install that here too. Where your package index has no toolgen, name a
      # checkout or a wheel of it in the next line.
      - run: python -m pip install "toolgen[cli]=={__version__}"
      - run: toolgen check --format github
"""

OUTPUT = "generated"
CONTRACT_TESTS = "tests/contracts"
DESIGN_FILE = "designs/helpdesk.py"
FIRST_PATTERN = "designs/*.py"
WORKFLOW_FILE = ".github/workflows/toolgen.yml"
ATTRIBUTES_FILE = ".gitattributes"


@dataclass(slots=True)
class Scaffold:
    """What ``init`` did. ``kept`` says why a file was left as it is, ``advice`` what the user may want to add.
    ``is_ready`` says whether the settings name a design and an output that there are.
    """

    root: Path
    created: list[str] = field(default_factory=list)
    extended: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)
    is_ready: bool = True


def init(folder: Path) -> Scaffold:
    """Starts a project in ``folder``, or in the project around it. Raises SettingsError, OSError."""
    root = _project_root(folder.resolve())
    scaffold = Scaffold(root)
    settings_file = root / FILE_NAME
    table = read_table(settings_file) if settings_file.exists() else None
    texts: dict[Path, str] = {}
    tests: str | None
    if table is None:
        output, tests = _free_output(root), CONTRACT_TESTS
        texts[settings_file] = _with_settings(settings_file, output, scaffold)
        _add(root / DESIGN_FILE, DESIGN, texts, scaffold)
    else:
        parsed = parse(table, settings_file)
        output, tests = parsed.output or OUTPUT, parsed.contract_tests
        scaffold.kept.append(f"{FILE_NAME}: it has a [tool.toolgen] already")
        lacking = {"designs", "output"} - table.keys()
        lines = [line for line in settings_table(output).splitlines() if line.partition(" ")[0] in lacking]
        _add_first_design(parsed, texts, scaffold)
        scaffold.advice += [f"add to [tool.toolgen], or name it to each command: {line}" for line in lines]
        scaffold.is_ready = not scaffold.advice
    if _is_repo_root(root):
        _add(root / WORKFLOW_FILE, WORKFLOW, texts, scaffold)
    else:
        scaffold.advice.append("let CI run, in this folder: toolgen check")
    _add_attributes(root / ATTRIBUTES_FILE, attributes(root, output, tests), texts, scaffold)
    atomic.write_all(texts)
    return scaffold


def _add_first_design(settings: Settings, texts: dict[Path, str], scaffold: Scaffold) -> None:
    """The first design, where the settings would read it and it has none beside it; else what keeps a run from one."""
    lacking = project.lacking(settings)
    if (settings.root / DESIGN_FILE).exists():
        scaffold.kept.append(f"{DESIGN_FILE}: it is there already")
    elif lacking == list(settings.designs) and FIRST_PATTERN in lacking:
        lacking.remove(FIRST_PATTERN)
        _add(settings.root / DESIGN_FILE, DESIGN, texts, scaffold)
    scaffold.advice += [
        f"write a design first: {pattern} of [tool.toolgen] stands for no file yet" for pattern in lacking
    ]


def settings_table(output: str) -> str:
    """The settings of a new project."""
    return f'[tool.toolgen]\ndesigns = ["{FIRST_PATTERN}"]\noutput = "{output}"\ncontract-tests = "tests/contracts"\n'


def attributes(root: Path, output: str, tests: str | None) -> list[str]:
    """Lines for git: reviews fold generated files, checkouts keep line ends, and branches merge their manifests.

    They are of the folder ``root`` and can speak for what is below it alone. Where the output is that folder itself,
    most files there are the user's own, and only the manifest is spoken for. Git finds out which files are text, since
    a file of the user's own may be another.
    """
    marks = "text=auto eol=lf linguist-generated=true"
    place, contracts = (_from(root, folder) if folder else None for folder in (output, tests))
    lines = [_attribute(f"{place}/**", marks)] if place not in (None, ".") else []
    lines += [_attribute(posixpath.normpath(f"{place}/{manifest.NAME}"), "merge=union")] if place else []
    return lines + ([_attribute(f"{contracts}/**", marks)] if contracts not in (None, ".") else [])


def _from(root: Path, folder: str) -> str | None:
    """A folder as git names it in ``root``; None where it stands elsewhere."""
    place = Path(os.path.normpath(root / folder))
    return place.relative_to(root).as_posix() if place.is_relative_to(root) else None


def _attribute(path: str, marks: str) -> str:
    """A line of .gitattributes; the path ends in ``**`` or is a file's, and else has nothing that git would expand."""
    folder, slash, name = path.rpartition("/")
    pattern = re.sub(r"[][*?\\!#]", r"\\\g<0>", folder) + slash + name
    quoted = pattern.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}" {marks}' if re.search(r'[\s"]', pattern) else f"{pattern} {marks}"


def _project_root(folder: Path) -> Path:
    """The nearest folder with a pyproject.toml, as far up as the git repository goes; else ``folder`` itself."""
    for place in (folder, *folder.parents):
        if (place / FILE_NAME).is_file():
            return place
        if (place / ".git").exists():
            break
    return folder


def _is_repo_root(root: Path) -> bool:
    return (root / ".git").exists() or not any((place / ".git").exists() for place in root.parents)


def _free_output(root: Path) -> str:
    """A folder for the generated code that does not exist yet: in the project's package where there is just one."""
    packages = [path.parent for path in sorted(root.glob("src/*/__init__.py"))]
    packages = packages or [path.parent for path in sorted(root.glob("*/__init__.py")) if path.parent.name != "tests"]
    home = f"{packages[0].relative_to(root).as_posix()}/" if len(packages) == 1 else ""
    names = [f"{home}{name}" for name in (OUTPUT, "generated_tools", "toolgen_generated")]
    return next((name for name in names if not (root / name).exists()), names[-1])


def _with_settings(file: Path, output: str, scaffold: Scaffold) -> str:
    """The text of pyproject.toml with the settings at its end, and nothing else changed."""
    table = settings_table(output)
    if not file.exists():
        scaffold.created.append(FILE_NAME)
        # Contract tests import the generated package from the root of the project.
        return f'{table}\n[tool.pytest.ini_options]\npythonpath = ["."]\n'
    before = file.read_bytes().decode("utf-8")
    newline = "\r\n" if "\r\n" in before else "\n"
    gap = "" if not before.strip() else newline if before.endswith("\n") else newline * 2
    text = before + gap + table.replace("\n", newline)
    try:
        tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            f"{shown(file)}: a table cannot be added at its end ({error}); add these lines by hand:\n{table}"
        ) from error
    scaffold.extended.append(FILE_NAME)
    package = derive_package(file.parent / output, file.parent)
    if package and "pythonpath" not in before:
        root = "src" if output.startswith("src/") else "."
        scaffold.advice.append(
            f"contract tests import {package}: install your project where they run, or set "
            f'pythonpath = ["{root}"] in [tool.pytest.ini_options]'
        )
    return text


def _add(path: Path, text: str, texts: dict[Path, str], scaffold: Scaffold) -> None:
    name = path.relative_to(scaffold.root).as_posix()
    if path.exists():
        scaffold.kept.append(f"{name}: it is there already")
    else:
        scaffold.created.append(name)
        texts[path] = text


def _add_attributes(path: Path, lines: list[str], texts: dict[Path, str], scaffold: Scaffold) -> None:
    if not path.exists():
        _add(path, "\n".join(lines) + "\n", texts, scaffold)
        return
    present = {line.strip() for line in path.read_text(encoding="utf-8", errors="replace").splitlines()}
    missing = [line for line in lines if line not in present]
    scaffold.kept.append(f"{ATTRIBUTES_FILE}: it is there already")
    if missing:
        scaffold.advice.append(f"add to {ATTRIBUTES_FILE}:\n" + "\n".join(f"    {line}" for line in missing))
