"""A run: which designs it compiles, into which folders, and what that gives."""

from __future__ import annotations

import contextlib
import glob
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolgen import __version__, cache, manifest, places
from toolgen.files import Area, Build, Generated
from toolgen.paths import shown
from toolgen.plain import Plain
from toolgen.settings import Settings, SettingsError, Wanted, derive_package
from toolgen.versions import version

if TYPE_CHECKING:
    from toolgen import ir
    from toolgen.design.problems import Problem
    from toolgen.emit import Rendered
    from toolgen.parallel import Progress


class Designs(Plain, frozen=True):
    """The design files of a run, sorted, and the folder that their names are relative to.

    ``everything`` is whether the run speaks for all designs of the project. If not, it speaks for ``files`` and for
    what stands in ``folders``.
    """

    root: Path
    files: tuple[Path, ...]
    folders: tuple[Path, ...]
    everything: bool

    def coverage(self) -> Callable[[str | None], bool]:
        """Says of a design file, named as in the manifest, whether this run speaks for it; None is what all share."""
        places = {path.resolve() for path in (*self.files, *self.folders)}
        root = self.root.resolve()

        def covers(source: str | None) -> bool:
            if self.everything or source is None:
                return self.everything
            path = Path(os.path.normpath(root / source))
            return not places.isdisjoint((path, *path.parents))

        return covers


class Job(Plain, frozen=True):
    """Designs, and the folders to generate. ``contract_tests`` is None where there are to be none."""

    designs: Designs
    output: Path
    contract_tests: Path | None
    package: str | None
    line_length: int
    providers: tuple[Wanted, ...] = ()


def find_designs(settings: Settings, given: Sequence[Path], output: Path | None = None) -> Designs:
    """The designs that were asked for by name, or else those of the settings. Raises SettingsError.

    Without settings there is no project to name files in; the innermost folder that holds the designs and the output
    stands in, so that a run gives the same from every working folder.
    """
    if given:
        files = _expand([(path, str(path)) for path in given], "")
        folders = tuple(path for path in given if path.is_dir())
        return Designs(_root(settings, [*files, *folders], output), files, folders, everything=False)
    if not settings.designs:
        file = settings.file
        what = f"{shown(file)} sets no designs in [tool.toolgen]" if file else "no settings were found"
        raise SettingsError(f"no design was given, and {what}. Name a design file, or start a project: toolgen init")
    named = [(settings.root / pattern, pattern) for pattern in settings.designs]
    return Designs(settings.root, _expand(named, "designs in [tool.toolgen]: "), (), everything=True)


def lacking(settings: Settings) -> list[str]:
    """Which of the designs that are set stand for no file yet, as they are written."""
    found: list[str] = []
    for pattern in settings.designs:
        try:
            _expand([(settings.root / pattern, pattern)], "")
        except SettingsError:
            found.append(pattern)
    return found


def _root(settings: Settings, designs: Sequence[Path], output: Path | None) -> Path:
    """The folder that designs are named from: where they share nothing with the output, only what holds them."""
    if settings.file:
        return settings.root
    common = _common_folder([*designs, *([output] if output else [])])
    return _common_folder(designs) if common == Path(common.anchor) else common


def plan(settings: Settings, given: Sequence[Path], output: Path | None) -> Job:
    """What a run is to do; ``given`` and ``output`` override the settings. Raises SettingsError.

    Contract tests import the package in the output folder of the settings, so a run into another folder makes none.
    """
    set_output = Path(os.path.abspath(settings.root / settings.output)) if settings.output else None
    folder = output or set_output
    if folder is None:
        file = settings.file
        instead = f"set output in [tool.toolgen] of {shown(file)}" if file else "start a project: toolgen init"
        raise SettingsError(f"no output folder: give --output, or {instead}")
    folder = Path(os.path.abspath(folder))
    if set_output is not None and folder.resolve() == set_output.resolve():
        folder = set_output  # through whichever link it was named
    designs = find_designs(settings, given, folder)
    places.judge_folder(folder, designs.files, "the output folder")
    if not settings.package and folder.resolve() not in (settings.root.resolve(), Path.cwd().resolve()):
        places.judge_name(folder)
    package = settings.package or derive_package(folder, settings.root)
    tests = None
    if settings.contract_tests and set_output in (None, folder):
        tests = Path(os.path.abspath(settings.root / settings.contract_tests))
        places.judge_folder(tests, designs.files, "the folder of contract tests")
        _check_contract_tests(settings, folder, tests, package)
    return Job(designs, folder, tests, package, settings.line_length, settings.providers)


def compile_job(
    job: Job,
    warn: Callable[[str], None] = lambda text: None,
    *,
    progress: Progress = lambda done, of: None,
    kept: bool = True,
) -> Build:
    """What the designs compile to, in memory. ``warn`` is told what the providers of the settings would refuse, and
    what is not described; ``kept`` allows what earlier runs have kept of it.

    Raises DesignError, SettingsError, LintError, and LostError where ``kept``.
    """
    made_with: dict[str, manifest.Setting] = {
        "black": version("black"),
        "line_length": job.line_length,
        "toolgen": __version__,
    }
    if job.contract_tests:
        made_with["package"] = job.package or ""
    made = _made(job, progress, _cache(job, made_with) if kept else None)
    places.judge_packages(job.output, made.packages, job.designs.files)
    for name in sorted(made.packages):
        for text in made.packages[name].warnings:
            warn(text)
    if made.errors:
        from toolgen.lint import LintError

        raise LintError("\n".join(made.errors))
    areas = [Area(manifest.OUTPUT, job.output, made.files[manifest.OUTPUT])]
    if job.contract_tests:
        areas.append(Area(manifest.CONTRACT_TESTS, job.contract_tests, made.files[manifest.CONTRACT_TESTS]))
    return Build(tuple(areas), made_with, job.designs.coverage(), job.designs.root)


class _Made(Plain, frozen=True):
    """What designs give: files by area and path, packages by name, and what providers refuse."""

    files: dict[str, dict[str, Generated]]
    packages: dict[str, cache.KeptPackage]
    errors: tuple[str, ...] = ()


def _cache(job: Job, made_with: Mapping[str, manifest.Setting]) -> cache.Cache | None:
    places = [job.designs.root, job.output, *([job.contract_tests] if job.contract_tests else [])]
    options = {
        **made_with,
        "import_root": job.package,
        "contracts": job.contract_tests is not None,
        "providers": repr(job.providers),
    }
    return cache.open_for(job.designs.root, places, options)


def _made(job: Job, progress: Progress, kept: cache.Cache | None) -> _Made:
    """What all designs give: from some it is kept and sure to be the same, the others are compiled."""
    found = {design: kept.get(design) if kept else None for design in job.designs.files}
    old = [entry for entry in found.values() if entry is not None]
    parts = [_Made(_by_area(entry.files), dict(entry.packages)) for entry in old]
    rest = [design for design, entry in found.items() if entry is None]
    if rest:
        from toolgen.load import DesignError

        try:
            parts.append(_compiled(job, rest, progress, kept))
        except DesignError:
            if old:
                load_designs(job.designs)  # which tells what is wrong with all of them, in order
            raise
        if kept:
            kept.sweep()
    if _meet(pair for part in parts for pair in part.packages.items()):
        return _together(job, job.designs.files, progress, None)
    return _joined(parts)


def _by_area(files: Iterable[cache.KeptFile]) -> dict[str, dict[str, Generated]]:
    by_area: dict[str, dict[str, Generated]] = {area: {} for area in manifest.AREAS}
    for file in files:
        by_area[file.area][file.path] = file
    return by_area


def _joined(parts: Sequence[_Made]) -> _Made:
    files = {area: {p: f for part in parts for p, f in part.files[area].items()} for area in manifest.AREAS}
    packages = {name: package for part in parts for name, package in part.packages.items()}
    return _Made(files, packages, tuple(error for part in parts for error in part.errors))


def _meet(packages: Iterable[tuple[str, cache.KeptPackage]]) -> bool:
    """Whether two sources make packages of one name, as only loading them together can tell."""
    sources: dict[str, str] = {}
    return any(sources.setdefault(name.casefold(), package.source) != package.source for name, package in packages)


def _compiled(job: Job, designs: Sequence[Path], progress: Progress, kept: cache.Cache | None) -> _Made:
    """Loads designs, renders every file of them and keeps it: many designs in several processes, a group each.

    A design gives the same by itself as among others, save for what is wrong with them together.
    """
    from toolgen import parallel

    groups = parallel.groups(designs)
    if len(groups) > 1:
        parts: list[_Made] = []
        for part in parallel.each(groups, lambda group: _alone(job, group, kept)):
            if part is None:
                break
            parts.append(part)
            progress(len(parts), len(groups))
        if len(parts) == len(groups) and not _meet(pair for part in parts for pair in part.packages.items()):
            return _joined(parts)
    return _together(job, designs, progress, kept)


def _alone(job: Job, designs: Sequence[Path], kept: cache.Cache | None) -> _Made | None:
    """What some of the designs give; None where something is wrong, which all of them together tell best."""
    try:
        return _together(job, designs, lambda done, of: None, kept)
    except Exception:
        return None


def _together(job: Job, designs: Sequence[Path], progress: Progress, kept: cache.Cache | None) -> _Made:
    """Loads designs as one program, renders every file of it and keeps it."""
    from toolgen import parallel
    from toolgen.emit import Options
    from toolgen.load import DesignError
    from toolgen.templating import keep_compiled
    from toolgen.unmade import Unmade, problems

    program = load_designs(job.designs.replace(files=tuple(designs)))
    warnings, errors = _told(job, program)
    packages = {p.name: cache.KeptPackage(p.source, tuple(warnings.get(p.name, ()))) for p in program.packages}
    if errors:
        return _Made({area: {} for area in manifest.AREAS}, packages, tuple(errors))
    options = Options(line_length=job.line_length, import_root=job.package)
    known = {digest: text for design in designs for digest, text in kept.printed(design).items()} if kept else {}
    contracts = job.contract_tests is not None
    keep_compiled(kept)
    try:
        output, tests = parallel.render(program, options, contracts=contracts, progress=progress, known=known)
    except Unmade as error:
        raise DesignError(_from_here(problem, job.designs.root) for problem in problems(program)) from error
    files = {manifest.OUTPUT: output, manifest.CONTRACT_TESTS: tests}
    if kept:
        _keep(kept, job, designs, files, packages)
    return _Made({area: {**by_path} for area, by_path in files.items()}, packages)


def _told(job: Job, program: ir.Program) -> tuple[dict[str, list[str]], list[str]]:
    """What a run has to say of designs that compile: warnings by package, and errors, which providers would make."""
    from toolgen import flatnulls, undescribed

    warnings: dict[str, list[str]] = {}
    for package in program.packages:
        found = (_without_a_tool(package), undescribed.warning(package), *flatnulls.warnings(package, program))
        warnings[package.name] = [text for text in found if text is not None]
    if not job.providers:
        return warnings, []
    from toolgen import lint

    names = {package.toolset.name: package.name for package in program.packages if package.toolset}
    found_by_lint = list(lint.lint(program, job.providers))
    for item in (item for item in found_by_lint if not item.is_error):
        warnings[names[item.toolset]].append(item.render())
    return warnings, [item.render() for item in found_by_lint if item.is_error]


def _without_a_tool(package: ir.Package) -> str | None:
    toolset = package.toolset
    if toolset is None or toolset.tools:
        return None
    place = f"{package.source}:{toolset.location.line}"
    return f"{place}: the toolset {toolset.name} has no tool: a class under its decorator, .tool(), is one"


def _keep(
    kept: cache.Cache,
    job: Job,
    designs: Sequence[Path],
    made: Mapping[str, Mapping[str, Rendered]],
    packages: Mapping[str, cache.KeptPackage],
) -> None:
    """Keeps what each design gave, together with what the files that it imports gave."""
    from toolgen.sources import NotPlainError, inputs_of

    root = Path(os.path.realpath(job.designs.root))
    of_source: dict[str | None, list[tuple[str, str, Rendered]]] = {}
    for area, by_path in made.items():
        for path, file in by_path.items():
            of_source.setdefault(file.source, []).append((area, path, file))
    names: dict[str, list[str]] = {}
    for name, package in packages.items():
        names.setdefault(os.path.realpath(root / package.source), []).append(name)
    for design in designs:
        inputs: Mapping[str, bytes | None] | None = None
        with contextlib.suppress(NotPlainError, OSError):
            inputs = inputs_of(design, job.designs.root)
        if inputs is None:  # whatever the designs import: those that are none of the designs
            real = {*names} - {os.path.realpath(other) for other in designs if other != design}
        else:
            real = {os.path.realpath(path) for path, content in inputs.items() if content is not None}
        own = {name: packages[name] for place in names if place in real for name in names[place]}
        sources = dict.fromkeys(package.source for package in own.values())
        files = [row for source in (None, *sources) for row in of_source.get(source, ())]
        kept.put(design, inputs, files, own)


def load_designs(designs: Designs) -> ir.Program:
    """What the designs say. Raises DesignError, whose problems name files as from the working folder."""
    from toolgen import load

    try:
        return load.load(designs.files, root=designs.root)
    except load.DesignError as error:
        raise load.DesignError(_from_here(problem, designs.root) for problem in error.problems) from error


def _from_here(problem: Problem, root: Path) -> Problem:
    file = root / problem.location.file
    location = problem.location.replace(file=shown(file) if file.exists() else problem.location.file)
    return problem.replace(location=location)


def _check_contract_tests(settings: Settings, output: Path, tests: Path, package: str | None) -> None:
    """Raises SettingsError where contract tests would be shipped, or could not import what they test."""
    where = shown(settings.file or settings.root)
    at_root = output.resolve() == settings.root.resolve()
    if tests.resolve() == output.resolve() or (output.resolve() in tests.resolve().parents and not at_root):
        raise SettingsError(f"{where}: contract-tests must stand outside the output folder, which is what you ship")
    if package is None:
        raise SettingsError(
            f"{where}: contract tests import the output folder, and its import name does not follow from its place: "
            'set package in [tool.toolgen], such as package = "acme.tools"'
        )


def _expand(named: Sequence[tuple[Path, str]], prefix: str) -> tuple[Path, ...]:
    """The design files that paths, folders and patterns stand for, sorted.

    A folder or a pattern does not stand for files that begin with an underscore, which are for designs to import, nor
    for what toolgen has generated.
    """
    found: dict[Path, Path] = {}
    for path, name in named:
        if path.is_file():
            matches = [path]
        else:
            pattern = os.path.join(glob.escape(str(path)), "**", "*.py") if path.is_dir() else str(path)
            matches = [Path(match) for match in glob.glob(pattern, recursive=True)]
            matches = [match for match in matches if match.is_file() and not match.name.startswith("_")]
            matches = [match for match in matches if not places.is_generated(match)]
        if not matches:
            missing = "matches no file" if glob.has_magic(name) else "is not there"
            raise SettingsError(f"{prefix}{name} {'holds no design (*.py)' if path.is_dir() else missing}")
        for match in matches:
            found.setdefault(match.resolve(), Path(os.path.abspath(match)))
    return tuple(sorted(found.values(), key=lambda path: path.as_posix()))


def _common_folder(paths: Sequence[Path]) -> Path:
    parents = [str(path.resolve() if path.is_dir() else path.resolve().parent) for path in paths]
    try:
        return Path(os.path.commonpath(parents))
    except ValueError:  # on several drives
        return Path(parents[0])
