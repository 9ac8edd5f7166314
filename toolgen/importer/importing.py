"""An import from end to end: files → sources → plans → a design, with a report of all that was not carried."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from toolgen import load
from toolgen.importer import dcg, naming
from toolgen.importer.naming import tool_name
from toolgen.importer.reporting import Entry, Outcome, Said
from toolgen.importer.sources import Form, Refused, Source, SourceFault, form_of, tools_of
from toolgen.importer.tools import Planned, plan_tool
from toolgen.importer.writing import Design, Written, write
from toolgen.paths import shown

_SUFFIXES = (".json", ".yaml", ".yml", ".jsonl", ".ndjson")

Progress: TypeAlias = Callable[[int, int], None]
"""Takes how far something is: how many are done, of how many."""


@dataclass(frozen=True, slots=True)
class Bad:
    """A file, or a tool of one, that could not be imported, and why."""

    source: str
    reason: str

    def line(self) -> str:
        return f"{self.source}: not imported: {self.reason}"


@dataclass(slots=True)
class Imported:
    """What an import came to. ``written`` is None where there was no tool to write."""

    written: Written | None
    entries: list[Entry] = field(default_factory=list)
    bad: list[Bad] = field(default_factory=list)
    tools: int = 0
    whole: int = 0

    @property
    def losses(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.outcome.is_loss]


@dataclass(frozen=True, slots=True)
class Part:
    """A document of the input: its name for people, its value, and what is said of it already."""

    source: str
    name: str
    raw: Any
    form: Form | None = None
    said: Sequence[Said] = ()


def import_tools(
    inputs: Sequence[str],
    *,
    form: Form | None = None,
    toolset: str | None = None,
    closed: bool = False,
    progress: Progress | None = None,
    writing: Progress | None = None,
) -> Imported:
    """A design of the tools in files, folders and Python classes (``module:Class``).

    ``form`` says what the files are, which their content says otherwise. ``closed`` closes objects that allow unknown
    keys. ``progress`` is told how many documents of how many are read, ``writing`` how many classes are written.

    Raises:
        dcg.MissingExtra: datamodel-code-generator is not installed.
        OSError: a file can't be read.
    """
    bad: list[Bad] = []
    parts = list(_parts(inputs, bad))
    planned: list[Planned] = []
    for number, part in enumerate(parts):
        planned += _plan(part, form, closed, bad)
        if progress is not None:
            progress(number + 1, len(parts))
    name = naming.toolset_name(toolset or _common_name(inputs))
    return compose(planned, name, f"Imported from {', '.join(map(_file_name, inputs))}.", bad, writing)


def compose(
    planned: Sequence[Planned],
    toolset: str,
    description: str,
    bad: Iterable[Bad] = (),
    writing: Progress | None = None,
) -> Imported:
    """One design of planned tools. A tool whose part of it is no design is left out, and named."""
    faults = list(bad)
    entries = list(dict.fromkeys(entry for one in planned for entry in one.report.entries))
    imported = Imported(None, entries, faults)
    good = list(planned)
    while good:
        written = write(_design(good, toolset, description), writing)
        broken = _broken(written)
        if not broken:
            imported.written = written
            entries += [told for one, name in zip(good, written.tools, strict=True) for told in _renamed(one, name)]
            break
        faults += [Bad(_of(good[n], written.tools[n]), reason) for n, reason in broken.items()]
        good = [one for n, one in enumerate(good) if n not in broken]
    imported.tools = len(good)
    imported.whole = sum(not one.report.losses for one in good)
    return imported


def _renamed(planned: Planned, name: str) -> Iterator[Entry]:
    """A note of a tool that has another name in the design."""
    wanted = planned.tool.name
    if name != wanted:
        why = "providers take no such name" if tool_name(wanted) != wanted else "another tool's module has its name"
        text = f"the tool {wanted!r} is named {name!r}: {why}"
        yield Entry(planned.report.source, planned.tool.input.key, Outcome.NOTE, text)


def _of(planned: Planned, name: str) -> str:
    return f"{planned.report.source}: {name}"


def _plan(part: Part, form: Form | None, closed: bool, bad: list[Bad]) -> Iterator[Planned]:
    try:
        sources = list(tools_of(part.raw, form or part.form or form_of(part.raw), part.name))
    except (SourceFault, ValueError) as fault:
        bad.append(Bad(part.source, str(fault)))
        return
    for source in sources:
        if isinstance(source, Refused):
            bad.append(Bad(f"{part.source}: {source.name}", source.reason))
            continue
        try:
            yield plan_tool(source, part.source, closed=closed, said=part.said)
        except (SourceFault, ValueError) as fault:
            bad.append(Bad(_part_name(part, source, len(sources)), str(fault)))
        except RecursionError:
            bad.append(Bad(_part_name(part, source, len(sources)), "its schema nests too deep"))
        except (TypeError, AttributeError, KeyError) as fault:
            reason = f"it is no valid JSON Schema ({type(fault).__name__}: {fault})"
            bad.append(Bad(_part_name(part, source, len(sources)), reason))


def _part_name(part: Part, source: Source, count: int) -> str:
    return part.source if count == 1 else f"{part.source}: {source.name}"


# --- documents --------------------------------------------------------------------------------------------------------


def _parts(inputs: Sequence[str], bad: list[Bad]) -> Iterator[Part]:
    for given in inputs:
        path = Path(given)
        if path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.suffix in _SUFFIXES and file.is_file())
            if not files:
                bad.append(Bad(_shown(given), f"the folder holds no {', '.join(_SUFFIXES)} file"))
            for file in files:
                yield from _file_parts(file, bad)
        elif not path.exists() and "://" in given:
            bad.append(Bad(given, "nothing is fetched from a network: download it, and name the file"))
        elif path.suffix == ".py" and path.is_file():
            bad.append(Bad(_shown(given), f"it is Python: for a class of it write {_module_of(path)}:CLASS"))
        elif not path.exists() and ":" in given:
            yield from _class_parts(given, bad)
        else:
            yield from _file_parts(path, bad)


def _file_parts(path: Path, bad: list[Bad]) -> Iterator[Part]:
    source = shown(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix in (".jsonl", ".ndjson"):
            yield from _lines(text, source, path.stem, bad)
        else:
            yield Part(source, path.stem.partition(".")[0], dcg.read_document(text))
    except FileNotFoundError:
        module = str(path).removesuffix(".py")
        of_class = path.suffix not in _SUFFIXES and all(part.isidentifier() for part in module.split("."))
        mend = f"; for a Python class write {module}:CLASS" if of_class else ""
        bad.append(Bad(source, f"there is no such file{mend}"))
    except OSError as error:
        bad.append(Bad(source, f"it can't be read: {error.strerror or error}"))
    except ValueError as error:
        bad.append(Bad(source, str(error)))


def _module_of(path: Path) -> str:
    """The import name of a Python file, where it stands below the working folder."""
    return path.stem if path.is_absolute() or ".." in path.parts else ".".join(path.with_suffix("").parts)


def _lines(text: str, source: str, stem: str, bad: list[Bad]) -> Iterator[Part]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            raw = dcg.read_document(line)
            yield Part(f"{source}:{number}", naming.of_title(raw) or f"{stem}_{number}", raw)
        except ValueError as error:
            bad.append(Bad(f"{source}:{number}", str(error)))


def _class_parts(given: str, bad: list[Bad]) -> Iterator[Part]:
    from toolgen.importer.classes import schema_of

    try:
        schema, said = schema_of(given)
        yield Part(given, given.rpartition(":")[2].rpartition(".")[2], schema, Form.JSON_SCHEMA, said)
    except SourceFault as fault:
        bad.append(Bad(given, str(fault)))


def _file_name(given: str) -> str:
    return Path(given).resolve().name if Path(given).exists() else given


def _shown(given: str) -> str:
    return shown(Path(given)).replace("\\", "/") if Path(given).exists() else given


def _common_name(inputs: Sequence[str]) -> str:
    first = inputs[0]
    return (
        Path(first).resolve().name.partition(".")[0]
        if Path(first).exists()
        else first.rpartition(":")[0].rpartition(".")[2]
    )


# --- the design -------------------------------------------------------------------------------------------------------


def _design(planned: Sequence[Planned], toolset: str, description: str) -> Design:
    objects = {(number, key): plan for number, one in enumerate(planned) for key, plan in one.objects.items()}
    return Design(toolset, description, [one.tool for one in planned], objects)


def _broken(written: Written) -> dict[int, str]:
    """The tools of a design text that do not load, by position, and why: what an import must never come to."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "imported.py")
        path.write_text(written.text, encoding="utf-8")
        try:
            load.load([path], root=Path(folder))
        except load.DesignError as error:
            return _blamed(written, error.problems)
    return {}


def _blamed(written: Written, problems: Sequence[load.Problem]) -> dict[int, str]:
    found: dict[int, str] = {}
    for problem in problems:
        position = next((n for n, name in enumerate(written.tools) if name == problem.tool), None)
        reason = f"{problem.record or problem.field or 'it'}: {problem.rule}"
        if position is None:
            owners = [n for n, names in enumerate(written.owned) if problem.record in names]
            position = owners[0] if owners else 0
        found.setdefault(position, reason)
    return found


__all__ = ["Bad", "Imported", "Outcome", "compose", "import_tools"]
