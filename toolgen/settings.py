"""Settings: the table ``[tool.toolgen]`` of the nearest ``pyproject.toml`` that has one.

Paths in it are relative to the folder of that file, which is the root of the project.
"""

from __future__ import annotations

import difflib
import keyword
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from toolgen.paths import shown
from toolgen.plain import Plain
from toolgen.providernames import PROVIDERS

LINE_LENGTH = 88
SHORTEST_LINE = 40
FILE_NAME = "pyproject.toml"


class SettingsError(Exception):
    """Settings that cannot be used; the text says which, why, and what to write."""


class Wanted(Plain, frozen=True):
    """A provider that the designs are meant for, and whether what it would refuse is an error or a warning."""

    name: str
    errors: bool = False


class Settings(Plain, frozen=True):
    """What a project has set. ``file`` is None where no file has a table, and ``root`` is then the folder asked from.

    ``designs`` are files, folders or glob patterns; ``output`` and ``contract_tests`` are folders; ``package`` is the
    dotted name under which code imports the output folder, where it cannot be derived from the folder's place.
    """

    root: Path
    file: Path | None = None
    designs: tuple[str, ...] = ()
    output: str | None = None
    contract_tests: str | None = None
    providers: tuple[Wanted, ...] = ()
    line_length: int = LINE_LENGTH
    package: str | None = None


def find(start: Path) -> Settings:
    """The settings that hold in the folder ``start``.

    A ``pyproject.toml`` without the table is passed over, so that a package inside a larger repository finds the
    settings of the whole. Raises SettingsError.
    """
    start = start.resolve()
    for folder in (start, *start.parents):
        file = folder / FILE_NAME
        table = read_table(file) if file.is_file() else None
        if table is not None:
            return parse(table, file)
    return Settings(root=start)


def read_table(file: Path) -> Mapping[str, object] | None:
    """The table ``[tool.toolgen]`` of a TOML file, None where it has none. Raises SettingsError."""
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{shown(file)}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{shown(file)}: not valid TOML: {error}") from error
    tools = document.get("tool")
    table = tools.get("toolgen") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise SettingsError(f"{shown(file)}: tool.toolgen must be a table: write [tool.toolgen]")
    return table


def parse(table: Mapping[str, object], file: Path) -> Settings:
    """Settings from the table of ``file``. Raises SettingsError that lists everything wrong with it."""
    values: dict[str, object] = {}
    problems: list[str] = []
    for key, value in table.items():
        if key not in _KEYS:
            problems.append(_unknown(key))
            continue
        reader, wanted = _KEYS[key]
        try:
            read = reader(value)
        except _WrongError as error:
            problems.append(f"{key}: {error}")
            continue
        if read is None:
            problems.append(f"{key} must be {wanted}, not {value!r}")
        else:
            values[key.replace("-", "_")] = read
    if problems:
        raise SettingsError("\n".join(f"{shown(file)}: [tool.toolgen] {problem}" for problem in problems))
    return Settings(root=file.parent, file=file, **values)  # type: ignore[arg-type]


def derive_package(output: Path, root: Path) -> str | None:
    """The dotted name under which code imports the folder ``output``, or None where its place does not tell.

    Python imports start at a ``src`` folder where there is one; else above the topmost folder of those around
    ``output`` that is a package; else at the root of the project.
    """
    try:
        parts = output.relative_to(root).parts
    except ValueError:
        return None
    start = 0
    if "src" in parts[:-1]:
        start = len(parts) - 1 - parts[:-1][::-1].index("src")
    else:
        folder = output.parent
        depth = len(parts) - 1
        while depth > 0 and (folder / "__init__.py").is_file():
            folder = folder.parent
            depth -= 1
        start = depth if depth < len(parts) - 1 else 0
    name = ".".join(parts[start:])
    return name if is_dotted_name(name) else None


def is_dotted_name(text: str) -> bool:
    """Whether an import statement can name this module."""
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in text.split("."))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _texts(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list) or not all(_text(item) for item in value):
        return None
    return tuple(value)


def _wanted(value: object) -> tuple[Wanted, ...] | None:
    """Names of providers; a table ``{name = "anthropic", errors = true}`` stands for one whose refusals are errors."""
    if not isinstance(value, list):
        return None
    found = tuple(map(_one_wanted, value))
    return tuple(one for one in found if one is not None) if None not in found else None


class _WrongError(ValueError):
    """A part of a setting that is near to what it may be; the text says which."""


def _one_wanted(value: object) -> Wanted | None:
    table = {"name": value} if isinstance(value, str) else value
    if not isinstance(table, dict) or not {"name"} <= table.keys() <= {"name", "errors"}:
        return None
    errors = table.get("errors", False)
    name = table["name"]
    if name not in PROVIDERS or not isinstance(errors, bool):
        near = difflib.get_close_matches(name, PROVIDERS, n=1) if isinstance(name, str) else None
        if near and name not in PROVIDERS:
            raise _WrongError(f"there is no provider {name!r}: did you mean {near[0]}?")
        return None
    return Wanted(table["name"], errors)


def _line_length(value: object) -> int | None:
    return value if type(value) is int and value >= SHORTEST_LINE else None


def _package(value: object) -> str | None:
    return value if isinstance(value, str) and is_dotted_name(value) else None


def _unknown(key: str) -> str:
    near = difflib.get_close_matches(key.replace("_", "-"), _KEYS, n=1)
    hint = f"did you mean {near[0]}?" if near else f"the settings are {', '.join(_KEYS)}"
    return f"has no setting {key}: {hint}"


_Reader = Callable[[object], "object | None"]
_FOLDER = "the path of a folder, relative to this file"
_KEYS: dict[str, tuple[_Reader, str]] = {
    "designs": (_texts, 'a list of files, folders or patterns, such as ["designs/*.py"]'),
    "output": (_text, _FOLDER),
    "contract-tests": (_text, _FOLDER),
    "providers": (
        _wanted,
        f"a list of providers ({', '.join(PROVIDERS)}), "
        'each a name or a table such as {name = "anthropic", errors = true}',
    ),
    "line-length": (_line_length, f"a whole number, {SHORTEST_LINE} or more"),
    "package": (_package, 'the import name of the output folder, such as "acme.tools"'),
}
